// SPDX-License-Identifier: MIT
// What fills a configuration space, doors that are shut included. Who asks what was seen asks it of
// the same few sets of doors, again and again: the last ones are kept.
#include "agent/config_space.h"
#include "agent/solid_cells.h"

void oct_space_fill_free(space_fill *fill, const oct_allocator *allocator)
{
    if (fill->free) {
        oct_free(allocator, fill->free, fill->doors + 1);
    }
    oct_tree_destroy(fill->solid);
    oct_tree_destroy(fill->filled);
    oct_piece_index_free(&fill->index);
    oct_solid_list_free(&fill->solids);
    *fill = (space_fill){.free = NULL};
}

static oct_result mark(void *ctx, oct_box cells)
{
    oct_tree *const tree = ctx;
    return oct_tree_set_box(tree, cells, OCT_MARK_SOLID);
}

static oct_result make(config_space *s, const uint8_t *free, space_fill *fill)
{
    const oct_tree *const lattice = s->shut;
    // First, so that what is freed after a failure is the space's.
    OCT_TRY(oct_solid_list_begin(&fill->solids, &s->allocator));
    fill->index = oct_piece_index_of(lattice, &fill->solids, FRAME_UPRIGHT, &s->allocator);
    fill->doors = s->history->doors.count;
    fill->free = oct_alloc(&s->allocator, fill->doors + 1, 1);
    if (!fill->free) {
        return OCT_ERROR_MEMORY;
    }
    memcpy(fill->free, free, fill->doors);
    OCT_TRY(oct_config_space_tree(s, lattice, &fill->solid));
    OCT_TRY(oct_config_space_tree(s, lattice, &fill->filled));
    OCT_TRY(oct_config_space_list(s, free, &fill->solids));
    OCT_TRY(oct_solid_list_index(&fill->solids, lattice));
    OCT_TRY(oct_solid_list_middles(&fill->solids, lattice, mark, fill->filled));
    return oct_solid_list_near(&fill->solids, lattice, fill->solid, 0.0, mark, fill->solid);
}

oct_result oct_config_space_fill(config_space *s, const uint8_t *free, space_fill **out)
{
    for (size_t i = 0; i < SPACE_FILLS; i++) {
        space_fill *const old = &s->fills[i];
        if (old->free && memcmp(old->free, free, old->doors) == 0) {
            *out = old;
            return OCT_OK;
        }
    }
    space_fill *const fill = &s->fills[s->fill];
    s->fill = (s->fill + 1) % SPACE_FILLS;
    oct_space_fill_free(fill, &s->allocator);
    const oct_result result = make(s, free, fill);
    if (result != OCT_OK) {
        oct_space_fill_free(fill, &s->allocator);
    }
    *out = fill;
    return result;
}
