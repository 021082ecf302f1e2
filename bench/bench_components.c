// SPDX-License-Identifier: MIT
#include "bench/bench_components.h"
#include "octant/components.h"
#include "octant/tree.h"

#include "bench/bench.h"
#include "octant/formats.h"

#define BOX_EDGE 8
#define POINT_COUNT 16384

static bool collect(void *ctx, const void *data, size_t size)
{
    oct_array *const bytes = ctx;
    const oct_allocator heap = oct_allocator_default();
    const size_t wanted = bytes->count + size;
    if (wanted > bytes->capacity &&
        oct_array_reserve(bytes, &heap, 1, wanted + bytes->capacity) != OCT_OK) {
        return false;
    }
    memcpy((char *)bytes->items + bytes->count, data, size);
    bytes->count = wanted;
    return true;
}

// The same map again, to be edited.
static oct_result copy_tree(const oct_tree *tree, oct_box box, oct_tree **out)
{
    const oct_allocator heap = oct_allocator_default();
    oct_tree_info info = oct_tree_info_default();
    info.box = box;
    oct_array bytes = {.items = NULL};
    oct_result result = oct_tree_write(OCT_FORMAT_TREE, tree, &info, collect, &bytes, NULL);
    if (result == OCT_OK) {
        const oct_tree_def def = oct_tree_def_default();
        result = oct_tree_read(OCT_FORMAT_TREE, bytes.items, bytes.count, &def, out, NULL, NULL);
    }
    oct_array_free(&bytes, &heap, 1);
    return result;
}

static oct_vec random_cell(oct_random *random, oct_box box, int32_t room)
{
    const int32_t x = oct_random_range(random, box.min.x, box.max.x - room);
    const int32_t y = oct_random_range(random, box.min.y, box.max.y - room);
    const int32_t z = oct_random_range(random, box.min.z, box.max.z - room);
    return (oct_vec){x, y, z};
}

static oct_result time_update(oct_components *c, components_times *out)
{
    const double from = oct_bench_now_s();
    OCT_TRY(oct_components_update(c));
    const double us = (oct_bench_now_s() - from) * 1e6;
    out->mean_us += us;
    out->worst_us = us > out->worst_us ? us : out->worst_us;
    return OCT_OK;
}

static oct_result time_edits(oct_tree *tree, oct_components *c, oct_box box, uint32_t boxes,
                             components_times *out)
{
    oct_random random = oct_random_seed(1);
    for (uint32_t i = 0; i < boxes; i++) {
        const oct_vec at = random_cell(&random, box, BOX_EDGE);
        const oct_box cells = {at, {at.x + BOX_EDGE, at.y + BOX_EDGE, at.z + BOX_EDGE}};
        OCT_TRY(oct_tree_set_box(tree, cells, OCT_MARK_BLOCKED));
        OCT_TRY(time_update(c, out));
        OCT_TRY(oct_tree_set_box(tree, cells, OCT_MARK_OPEN));
        OCT_TRY(time_update(c, out));
    }
    out->mean_us /= 2.0 * boxes;
    return OCT_OK;
}

static void time_points(const oct_components *c, oct_box box, components_times *out)
{
    static oct_vec points[POINT_COUNT];
    oct_random random = oct_random_seed(2);
    for (size_t i = 0; i < POINT_COUNT; i++) {
        points[i] = random_cell(&random, box, 1);
    }
    uint64_t sum = 0;
    for (int round = 0; round < 5; round++) {
        const double from = oct_bench_now_s();
        for (size_t i = 0; i < POINT_COUNT; i++) {
            sum += oct_components_at(c, points[i]);
        }
        const double ns = (oct_bench_now_s() - from) * 1e9 / POINT_COUNT;
        out->at_ns = (round == 0 || ns < out->at_ns) && sum != UINT64_MAX ? ns : out->at_ns;
    }
}

static oct_result time_all(oct_tree *tree, oct_box box, uint32_t boxes, components_times *out)
{
    oct_components_def def = oct_components_def_default();
    def.tree = tree;
    oct_components *c = NULL;
    for (int round = 0; round < 3; round++) {
        oct_components_destroy(c);
        const double from = oct_bench_now_s();
        OCT_TRY(oct_components_create(&def, &c));
        const double ms = (oct_bench_now_s() - from) * 1e3;
        out->label_ms = round == 0 || ms < out->label_ms ? ms : out->label_ms;
    }
    out->bytes = oct_components_measure(c).bytes;
    time_points(c, box, out);
    const oct_result result = time_edits(tree, c, box, boxes, out);
    oct_components_destroy(c);
    return result;
}

oct_result oct_bench_components(const oct_tree *tree, oct_box box, uint32_t boxes,
                                components_times *out)
{
    *out = (components_times){.label_ms = 0.0};
    oct_tree *copy;
    OCT_TRY(copy_tree(tree, box, &copy));
    const oct_result result = time_all(copy, box, boxes, out);
    oct_tree_destroy(copy);
    return result;
}
