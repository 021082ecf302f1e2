// SPDX-License-Identifier: MIT
// A first program: map a room with a wall in it, look around, and ask what is seen.
#include <octant/octant.h>
#include <octant/tree.h>

#include <stdio.h>

int main(void)
{
    oct_tree_def def = oct_tree_def_default();
    def.cell_size = 0.5; // metres
    oct_tree *map;
    if (oct_tree_create(&def, &map) != OCT_OK) {
        return 1;
    }

    // Everything is UNKNOWN until it is observed. See a ball of 20 m, then a wall with a gap in it.
    const oct_point eye = {0.1, 0.2, 0.3};
    oct_tree_set_world_ball(map, eye, 20.0, OCT_COVER_INSIDE, OCT_MARK_OPEN);
    const oct_bounds wall = {{5.0, -9.0, -9.0}, {6.0, 9.0, 9.0}};
    const oct_bounds gap = {{5.0, 2.0, 0.0}, {6.0, 4.0, 3.0}};
    oct_tree_set_world_box(map, wall, OCT_COVER_TOUCH, OCT_MARK_BLOCKED);
    oct_tree_set_world_box(map, gap, OCT_COVER_INSIDE, OCT_MARK_OPEN);

    // Can the eye see what is straight ahead, and what lies behind the gap?
    const oct_point goals[] = {{10.0, 0.0, 0.0}, {10.0, 6.0, 3.0}};
    for (int i = 0; i < 2; i++) {
        oct_fine from, to;
        oct_leaf hit;
        oct_tree_fine_at(map, eye, &from);
        oct_tree_fine_at(map, goals[i], &to);
        if (oct_tree_raycast(map, from, to, OCT_HAS_BLOCKED, &hit)) {
            printf("goal %d is hidden by the leaf at cell (%d, %d, %d), %d cells wide\n", i, hit.x,
                   hit.y, hit.z, 1 << hit.level);
        } else {
            printf("goal %d is in sight\n", i);
        }
    }
    printf("the map takes %zu bytes\n", oct_tree_bytes(map));
    oct_tree_destroy(map);
    return 0;
}
