// SPDX-License-Identifier: MIT
// What two buttons do to a door that is far away, worked out from three looks at it.
// docs/internals/agents.md goes through it line by line.
#include <octant/play.h>

#include <stdio.h>
#include <stdlib.h>

enum { SECOND = OCT_BLOCK_WORLD_RATE };

static void check(oct_result result)
{
    if (result != OCT_OK) {
        fprintf(stderr, "%s\n", oct_result_text(result));
        exit(1);
    }
}

static void tell(const oct_links *links, const uint32_t *buttons, uint32_t door)
{
    static const char *const states[] = {"shut", "open", "moving", "unknown"};
    printf("  A: %s, B: %s; the door now: %s, after A and B: %s\n",
           oct_link_name(oct_links_get(links, buttons[0], door)),
           oct_link_name(oct_links_get(links, buttons[1], door)),
           states[oct_links_predict(links, door)],
           states[oct_links_predict_presses(links, door, buttons, 2)]);
}

int main(void)
{
    oct_links *links;
    const oct_links_def def = oct_links_def_default();
    check(oct_links_create(&def, &links));
    uint32_t buttons[2], door; // A and B
    check(oct_links_add_button(links, (oct_button){.panel = 1, .number = 0}, &buttons[0]));
    check(oct_links_add_button(links, (oct_button){.panel = 2, .number = 0}, &buttons[1]));
    check(oct_links_add_door(links, 7, &door));

    printf("The door is seen: shut.\n");
    check(oct_links_see(links, door, 0, OCT_DOOR_SHUT));
    tell(links, buttons, door);
    printf("A and B are pressed, then the door is seen again: open.\n");
    check(oct_links_press(links, buttons[0], 10 * SECOND));
    check(oct_links_press(links, buttons[1], 20 * SECOND));
    check(oct_links_see(links, door, 30 * SECOND, OCT_DOOR_OPEN));
    tell(links, buttons, door);
    printf("A is pressed once more, and the door is seen: shut.\n");
    check(oct_links_press(links, buttons[0], 40 * SECOND));
    check(oct_links_see(links, door, 50 * SECOND, OCT_DOOR_SHUT));
    tell(links, buttons, door);

    oct_sighting why[3];
    const size_t count = oct_links_evidence(links, buttons[1], door, why, 3);
    printf("That B is not linked follows from what was seen at");
    for (size_t i = 0; i < count; i++) {
        printf(" %d s%s", (int)(why[i].tick / SECOND), i + 1 < count ? "," : ".\n");
    }
    oct_links_destroy(links);
    return 0;
}
