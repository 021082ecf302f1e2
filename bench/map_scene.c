// SPDX-License-Identifier: MIT
// How a scene of the map's benches is made.
#include "bench/map_scene.h"
#include "octant/formats.h"
#include "octant/tree.h"

#include <stdio.h>
#include <stdlib.h>

#define WORK_SEED 20260101
#define BOX_EDGE 8
// Cells of a map for each box that is edited: edits must not change its character.
#define CELLS_A_BOX 16384

// ---- the map ----

static void *count_alloc(void *ctx, size_t size, size_t align)
{
    map_scene *const s = ctx;
    const oct_allocator heap = oct_allocator_default();
    s->allocations++;
    return heap.alloc(heap.ctx, size, align);
}

static void count_free(void *ctx, void *ptr, size_t size)
{
    (void)ctx;
    const oct_allocator heap = oct_allocator_default();
    heap.free(heap.ctx, ptr, size);
}

oct_result oct_scene_generate(map_scene *s, oct_generate_kind kind, uint32_t size)
{
    const oct_allocator counting = {count_alloc, count_free, s};
    oct_generate_def def = oct_generate_def_default();
    def.kind = kind;
    def.size = size;
    oct_tree_def tree_def = oct_tree_def_default();
    tree_def.allocator = &counting;
    oct_tree_info info;
    OCT_TRY(oct_tree_generate(&def, &tree_def, &s->tree, &info));
    s->box = info.box;
    return OCT_OK;
}

static oct_result read_whole(map_scene *s, const char *path)
{
    FILE *const file = fopen(path, "rb");
    if (!file) {
        return OCT_ERROR_FILE;
    }
    oct_result result = OCT_OK;
    for (size_t capacity = 1 << 16;; capacity *= 2) {
        void *const grown = realloc(s->file, capacity);
        if (!grown) {
            result = OCT_ERROR_MEMORY;
            break;
        }
        s->file = grown;
        s->file_size += fread((char *)grown + s->file_size, 1, capacity - s->file_size, file);
        if (s->file_size < capacity) {
            result = ferror(file) ? OCT_ERROR_FILE : OCT_OK;
            break;
        }
    }
    fclose(file);
    return result;
}

oct_result oct_scene_load(map_scene *s, const char *path, oct_error *error)
{
    const oct_allocator counting = {count_alloc, count_free, s};
    oct_tree_def def = oct_tree_def_default();
    def.allocator = &counting;
    oct_tree_info info;
    OCT_TRY(read_whole(s, path));
    OCT_TRY(oct_tree_read(OCT_FORMAT_3DMAP, s->file, s->file_size, &def, &s->tree, &info, error));
    s->box = info.box;
    return OCT_OK;
}

oct_result oct_scene_build(const map_scene *s, oct_tree **out)
{
    const oct_tree_def def = oct_tree_def_default();
    OCT_TRY(oct_tree_create(&def, out));
    OCT_TRY(oct_tree_set_box(*out, s->box, OCT_MARK_OPEN));
    const oct_box *const runs = s->runs.items;
    for (size_t i = 0; i < s->runs.count; i++) {
        OCT_TRY(oct_tree_set_box(*out, runs[i], OCT_MARK_BLOCKED));
    }
    return OCT_OK;
}

// ---- the work ----

static int32_t min_int(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

// Follows one row of cells from leaf to leaf.
static oct_result list_row(map_scene *s, int32_t y, int32_t z)
{
    const oct_allocator memory = oct_allocator_default();
    int32_t start = -1; // of the run, or -1
    for (int32_t x = s->box.min.x; x <= s->box.max.x;) {
        const bool inside = x < s->box.max.x;
        const oct_leaf leaf = oct_tree_leaf(s->tree, (oct_vec){x, y, z});
        const bool blocked = inside && leaf.label == OCT_BLOCKED;
        if (blocked && start < 0) {
            start = x;
        } else if (!blocked && start >= 0) {
            const oct_box run = {{start, y, z}, {x, y + 1, z + 1}};
            OCT_TRY(oct_array_push(&s->runs, &memory, sizeof run, &run));
            start = -1;
        }
        x = inside ? min_int(leaf.x + (1 << leaf.level), s->box.max.x) : x + 1;
    }
    return OCT_OK;
}

static oct_result list_runs(map_scene *s)
{
    for (int32_t z = s->box.min.z; z < s->box.max.z; z++) {
        for (int32_t y = s->box.min.y; y < s->box.max.y; y++) {
            OCT_TRY(list_row(s, y, z));
        }
    }
    return OCT_OK;
}

static oct_vec random_cell(oct_random *random, oct_box box)
{
    const int32_t x = oct_random_range(random, box.min.x, box.max.x - 1);
    const int32_t y = oct_random_range(random, box.min.y, box.max.y - 1);
    const int32_t z = oct_random_range(random, box.min.z, box.max.z - 1);
    return (oct_vec){x, y, z};
}

static int64_t random_fine_axis(oct_random *random, int32_t min, int32_t max)
{
    const uint64_t steps = (uint64_t)(max - min) * OCT_FINE;
    return (int64_t)min * OCT_FINE + (int64_t)oct_random_below(random, steps + 1);
}

static oct_fine random_fine(oct_random *random, oct_box box)
{
    const int64_t x = random_fine_axis(random, box.min.x, box.max.x);
    const int64_t y = random_fine_axis(random, box.min.y, box.max.y);
    const int64_t z = random_fine_axis(random, box.min.z, box.max.z);
    return (oct_fine){x, y, z};
}

static int32_t outside_axis(oct_random *random, int32_t min, int32_t edge, int side)
{
    return side < 0   ? min - 1
           : side > 0 ? min + edge
                      : oct_random_range(random, min, min + edge - 1);
}

// A cell that shares a face, an edge or a corner with the root.
static oct_vec random_outside(oct_random *random, oct_cell root)
{
    int direction = 13; // the middle of 3 x 3 x 3
    while (direction == 13) {
        direction = (int)oct_random_below(random, 27);
    }
    const int32_t edge = 1 << root.level;
    const int32_t x = outside_axis(random, root.x, edge, direction % 3 - 1);
    const int32_t y = outside_axis(random, root.y, edge, direction / 3 % 3 - 1);
    const int32_t z = outside_axis(random, root.z, edge, direction / 9 - 1);
    return (oct_vec){x, y, z};
}

static void draw_work(map_scene *s)
{
    oct_random random = oct_random_seed(WORK_SEED);
    const oct_cell root = oct_tree_root(s->tree);
    for (size_t i = 0; i < POINT_COUNT; i++) {
        s->points[i] = random_cell(&random, s->box);
    }
    for (size_t i = 0; i < PICK_COUNT && s->links.open_count > 0; i++) {
        s->picks[i] = (uint32_t)oct_random_below(&random, s->links.open_count);
        s->picked[i] = ((const oct_leaf *)s->links.leaves.items)[s->picks[i]];
    }
    for (size_t i = 0; i < RAY_COUNT; i++) {
        s->segments[i].from = random_fine(&random, s->box);
        s->segments[i].to = random_fine(&random, s->box);
    }
    for (size_t i = 0; i < DOUBLE_COUNT; i++) {
        s->outside[i] = random_outside(&random, root);
    }
    const oct_vec size = s->box.max;
    const uint64_t cells = (uint64_t)size.x * (uint64_t)size.y * (uint64_t)size.z;
    const uint64_t boxes = cells / CELLS_A_BOX + 1;
    s->box_count = boxes < BOX_COUNT_MAX ? boxes : BOX_COUNT_MAX;
    const oct_box corners = {{0, 0, 0},
                             {size.x - BOX_EDGE + 1, size.y - BOX_EDGE + 1, size.z - BOX_EDGE + 1}};
    for (size_t i = 0; i < s->box_count; i++) {
        const oct_vec min = random_cell(&random, corners);
        s->boxes[i] = (oct_box){min, {min.x + BOX_EDGE, min.y + BOX_EDGE, min.z + BOX_EDGE}};
    }
}

oct_result oct_scene_set_up(map_scene *s)
{
    const oct_allocator memory = oct_allocator_default();
    const oct_vec size = s->box.max;
    if (min_int(size.x, min_int(size.y, size.z)) < BOX_EDGE) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(oct_tree_shrink(s->tree));
    s->allocations_0 = s->allocations;
    OCT_TRY(list_runs(s));
    OCT_TRY(oct_links_build(&s->links, s->tree));
    OCT_TRY(oct_codes_build(&s->codes, s->runs.items, s->runs.count));
    OCT_TRY(oct_scene_build(s, &s->edited));
    s->neighbours_max = oct_links_most(&s->links) + 1;
    s->neighbours = oct_alloc(&memory, s->neighbours_max * sizeof(oct_leaf), _Alignof(oct_leaf));
    if (!s->neighbours) {
        return OCT_ERROR_MEMORY;
    }
    draw_work(s);
    return OCT_OK;
}

void oct_scene_free(map_scene *s)
{
    const oct_allocator memory = oct_allocator_default();
    oct_free(&memory, s->neighbours, s->neighbours_max * sizeof(oct_leaf));
    oct_array_free(&s->runs, &memory, sizeof(oct_box));
    oct_links_free(&s->links);
    oct_codes_free(&s->codes);
    oct_codes_free(&s->edited_codes);
    oct_codes_free(&s->built_codes);
    oct_tree_destroy(s->built);
    oct_tree_destroy(s->edited);
    oct_tree_destroy(s->tree);
    free(s->file);
}
