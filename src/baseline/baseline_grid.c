// SPDX-License-Identifier: MIT
// The voxel grid: a dense array of one byte per cell. It grows as Hoekzema 2024, 5.8, does it: a
// larger array is made that holds what is needed, and everything is copied.
#include "baseline/baseline_internal.h"

// The array begins and ends at multiples of so many cells, so that it does not grow with every
// step of a body.
#define CHUNK 16

static size_t index_of(const voxel_grid *g, oct_vec c)
{
    const size_t width = (size_t)(g->box.max.x - g->box.min.x);
    const size_t height = (size_t)(g->box.max.y - g->box.min.y);
    return ((size_t)(c.z - g->box.min.z) * height + (size_t)(c.y - g->box.min.y)) * width +
           (size_t)(c.x - g->box.min.x);
}

size_t oct_voxels_count(const voxel_grid *g)
{
    return (size_t)(g->box.max.x - g->box.min.x) * (size_t)(g->box.max.y - g->box.min.y) *
           (size_t)(g->box.max.z - g->box.min.z);
}

static int32_t chunk_floor(int32_t at)
{
    return at & ~(CHUNK - 1);
}

static oct_box rounded_out(const oct_box *box, bool is_flat)
{
    const int32_t up = CHUNK - 1;
    return (oct_box){{chunk_floor(box->min.x), chunk_floor(box->min.y),
                      is_flat ? box->min.z : chunk_floor(box->min.z)},
                     {chunk_floor(box->max.x + up), chunk_floor(box->max.y + up),
                      is_flat ? box->max.z : chunk_floor(box->max.z + up)}};
}

static bool count_fits(const oct_box *box, size_t *count)
{
    return oct_size_mul((size_t)((int64_t)box->max.x - box->min.x),
                        (size_t)((int64_t)box->max.y - box->min.y), count) &&
           oct_size_mul(*count, (size_t)((int64_t)box->max.z - box->min.z), count);
}

oct_result oct_voxels_hold(voxel_grid *g, const oct_allocator *allocator, const oct_box *box)
{
    const oct_box both = box_union(g->box, *box);
    voxel_grid grown = {.is_flat = g->is_flat, .box = rounded_out(&both, g->is_flat)};
    size_t count;
    if (box_equal(&grown.box, &g->box)) {
        return OCT_OK;
    }
    if (!count_fits(&grown.box, &count)) {
        return OCT_ERROR_MEMORY;
    }
    grown.states = oct_alloc(allocator, count, 1);
    if (!grown.states) {
        return OCT_ERROR_MEMORY;
    }
    memset(grown.states, 0, count);
    const size_t width = (size_t)(g->box.max.x - g->box.min.x);
    for (int32_t z = g->box.min.z; z < g->box.max.z; z++) {
        for (int32_t y = g->box.min.y; y < g->box.max.y; y++) {
            const oct_vec first = {g->box.min.x, y, z};
            memcpy(&grown.states[index_of(&grown, first)], &g->states[index_of(g, first)], width);
        }
    }
    oct_voxels_free(g, allocator);
    *g = grown;
    return OCT_OK;
}

void oct_voxels_edit(voxel_grid *g, cell_run run, cell_edit edit)
{
    uint8_t *const row = &g->states[index_of(g, (oct_vec){run.from, run.y, run.z})];
    for (int32_t i = 0; i < run.to - run.from; i++) {
        row[i] = (uint8_t)((row[i] & ~edit.clear) | edit.set);
    }
}

uint32_t oct_voxels_state(const voxel_grid *g, oct_vec c)
{
    const oct_box *const b = &g->box;
    const bool is_inside = c.x >= b->min.x && c.x < b->max.x && c.y >= b->min.y && c.y < b->max.y &&
                           c.z >= b->min.z && c.z < b->max.z;
    return is_inside ? g->states[index_of(g, c)] : 0u;
}

void oct_voxels_free(voxel_grid *g, const oct_allocator *allocator)
{
    oct_free(allocator, g->states, oct_voxels_count(g));
    *g = (voxel_grid){.is_flat = g->is_flat};
}
