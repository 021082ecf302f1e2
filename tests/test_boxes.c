// SPDX-License-Identifier: MIT
// Boxes of free space, against looks at single cells.
#include "octant/tree.h"
#include "search/boxes.h"
#include "search_scene.h"

#define MARGIN 2 // cells around what was drawn that are looked at

// ---- what a box is ----

// The cells of a box, within the bounds.
static oct_box cells_of(const box_space *s, uint32_t id)
{
    const int dims = s->base.map.dims;
    const free_box *const b = free_box_at(s, id);
    int64_t min[BOX_AXES] = {0, 0, 0}, max[BOX_AXES] = {1, 1, 1};
    for (int i = 0; i < dims; i++) {
        min[i] = s->origin[i] + b->first[i];
        max[i] = s->origin[i] + b->last[i] + 1;
    }
    const oct_vec lo = {(int32_t)min[0], (int32_t)min[1], (int32_t)min[2]};
    const oct_vec hi = {(int32_t)max[0], (int32_t)max[1], (int32_t)max[2]};
    return box_common((oct_box){lo, hi}, s->base.map.bounds);
}

// What a metre in the middle of a cell costs.
static double price_at(const view *v, oct_vec cell)
{
    const int64_t z = v->dims == 3 ? (int64_t)cell.z * OCT_FINE + 100 : FLAT_Z;
    const oct_fine a = {(int64_t)cell.x * OCT_FINE + 100, (int64_t)cell.y * OCT_FINE + 100, z};
    const oct_fine b = {a.x + 50, a.y, a.z};
    return v->is_priced ? oct_view_price(v, a, b) : 1.0;
}

// All cells near what was drawn: those that are free are in boxes, whose cells are all free, cost
// the same and are in no other box.
static void check_boxes(const search_scene *scene, box_space *s)
{
    const view *const v = &s->base.map;
    const oct_box d = scene->drawn;
    const int32_t deep = v->dims == 3 ? MARGIN : 0;
    const oct_box near = {{d.min.x - MARGIN, d.min.y - MARGIN, d.min.z - deep},
                          {d.max.x + MARGIN, d.max.y + MARGIN, d.max.z + deep}};
    for (int32_t z = near.min.z; z < near.max.z; z++) {
        for (int32_t y = near.min.y; y < near.max.y; y++) {
            for (int32_t x = near.min.x; x < near.max.x; x++) {
                const oct_vec cell = {x, y, z};
                if (!view_is_free(v, cell)) {
                    continue;
                }
                uint32_t box, other;
                assert_int_equal(oct_boxes_box(s, cell, &box), OCT_OK);
                const oct_box cells = cells_of(s, box);
                assert_true(x >= cells.min.x && x < cells.max.x && y >= cells.min.y &&
                            y < cells.max.y && z >= cells.min.z && z < cells.max.z);
                // Three of its cells: corners, and one that anybody may draw.
                const oct_vec probes[3] = {
                    cells.min,
                    {cells.max.x - 1, cells.max.y - 1, cells.max.z - 1},
                    {cells.min.x + (cells.max.x - cells.min.x) / 2, cells.min.y, cells.max.z - 1}};
                for (int i = 0; i < 3; i++) {
                    assert_true(view_is_free(v, probes[i]));
                    assert_int_equal(oct_boxes_box(s, probes[i], &other), OCT_OK);
                    assert_int_equal(other, box);
                    assert_true(price_at(v, probes[i]) == price_at(v, cell));
                }
            }
        }
    }
}

// ---- worlds ----

// Begins a query between two free cells; false where there is none.
static bool begin(const search_scene *scene, box_space *s, const oct_terms *terms,
                  oct_result *result)
{
    oct_view_init(&s->base.map, scene->tree, terms);
    s->base.least_price = s->base.map.least_price;
    const oct_vec cell = scene->drawn.min;
    const oct_fine at = {(int64_t)cell.x * OCT_FINE + 1, (int64_t)cell.y * OCT_FINE + 1,
                         scene->dims == 3 ? (int64_t)cell.z * OCT_FINE + 1 : FLAT_Z};
    if (!oct_view_anchor(&s->base.map, at, cell, &s->base.from)) {
        return false;
    }
    s->base.to = s->base.from;
    *result = oct_boxes_kind.begin(&s->base);
    return true;
}

// The planner bounds what is free without end.
static oct_terms bounded(const search_scene *s, oct_box *bounds)
{
    oct_terms terms = s->terms;
    if (!terms.bounds && terms.unknown != OCT_UNKNOWN_BLOCKED) {
        *bounds = (oct_box){{s->drawn.min.x - 9, s->drawn.min.y - 9, s->drawn.min.z - 9},
                            {s->drawn.max.x + 9, s->drawn.max.y + 9, s->drawn.max.z + 9}};
        terms.bounds = bounds;
    }
    return terms;
}

static void boxes_are_all_that_is_free(void **state)
{
    (void)state;
    const oct_allocator memory = oct_allocator_default();
    int begun = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        const int dims = seed % 3 ? 3 : 2;
        search_scene scene;
        search_scene_init(&scene, 100000 + seed, dims, dims == 3 ? 6 : 14,
                          (scene_wish){.sparse = seed % 2});
        space *made;
        oct_box bounds;
        assert_int_equal(oct_space_create(&oct_boxes_kind, &memory, &made), OCT_OK);
        box_space *const s = (box_space *)made;
        // With its terms, with others, and after edits.
        for (int round = 0; round < 4; round++) {
            oct_result result;
            const oct_terms terms = round == 1 ? oct_terms_default() : bounded(&scene, &bounds);
            if (begin(&scene, s, &terms, &result)) {
                assert_int_equal(result, OCT_OK);
                check_boxes(&scene, s);
                begun++;
            }
            const oct_vec min = scene.drawn.min;
            const int32_t far = oct_random_range(&scene.random, 0, 3);
            const oct_box edit = {{min.x + far, min.y + far, min.z},
                                  {min.x + far + 2, min.y + far + 1, min.z + 1}};
            assert_int_equal(
                oct_tree_set_box(scene.tree, edit, round % 2 ? OCT_MARK_OPEN : OCT_MARK_BLOCKED),
                OCT_OK);
        }
        assert_true(oct_space_bytes(&oct_boxes_kind, &s->base) >= sizeof *s);
        oct_space_destroy(&oct_boxes_kind, &s->base);
        search_scene_free(&scene);
    }
    assert_true(begun > 900);
}

// Walls make leaves small; boxes stay large.
static void boxes_are_fewer_than_leaves(void **state)
{
    (void)state;
    search_scene scene;
    const oct_allocator memory = oct_allocator_default();
    SCENE_DRAW(&scene, 3, 4, "#...", "#...", "#...", "#...");
    space *made;
    oct_result result;
    assert_int_equal(oct_space_create(&oct_boxes_kind, &memory, &made), OCT_OK);
    box_space *const s = (box_space *)made;
    const oct_terms terms = oct_terms_default();
    assert_true(begin(&scene, s, &terms, &result));
    assert_int_equal(result, OCT_OK);
    assert_int_equal(s->boxes.count - 1, 1); // of 20 leaves
    check_boxes(&scene, s);
    oct_space_destroy(&oct_boxes_kind, &s->base);
    search_scene_free(&scene);
}

// A map that is one leaf, within what is UNKNOWN and has a price: both are free, but not one box.
static void boxes_end_where_prices_do(void **state)
{
    (void)state;
    const oct_allocator memory = oct_allocator_default();
    for (int dims = 2; dims <= 3; dims++) {
        search_scene scene;
        SCENE_DRAW(&scene, dims, dims == 3 ? 8 : 1, "........", "........", "........", "........",
                   "........", "........", "........", "........");
        scene_set_terms(&scene, OCT_UNKNOWN_PRICED, NULL);
        scene.terms.unknown_price = 3.0;
        space *made;
        oct_result result;
        oct_box bounds;
        assert_int_equal(oct_space_create(&oct_boxes_kind, &memory, &made), OCT_OK);
        box_space *const s = (box_space *)made;
        const oct_terms terms = bounded(&scene, &bounds);
        assert_true(begin(&scene, s, &terms, &result));
        assert_int_equal(result, OCT_OK);
        check_boxes(&scene, s);
        oct_space_destroy(&oct_boxes_kind, &s->base);
        search_scene_free(&scene);
    }
}

// Nothing is made twice: a second query finds all pages.
static void pages_are_kept_while_nothing_changes(void **state)
{
    (void)state;
    search_scene scene;
    const oct_allocator memory = oct_allocator_default();
    search_scene_init(&scene, 7, 3, 9, (scene_wish){.no_prices = true, .known = true});
    space *made;
    oct_result result;
    assert_int_equal(oct_space_create(&oct_boxes_kind, &memory, &made), OCT_OK);
    box_space *const s = (box_space *)made;
    assert_true(begin(&scene, s, &scene.terms, &result));
    check_boxes(&scene, s);
    const size_t pages = s->pages.count;
    assert_true(begin(&scene, s, &scene.terms, &result));
    assert_int_equal(s->pages.count, pages);
    check_boxes(&scene, s);
    assert_int_equal(s->pages.count, pages);
    const oct_priced_box dear = {scene.drawn, 2.0};
    oct_terms terms = scene.terms;
    terms.priced = &dear;
    terms.priced_count = 1;
    assert_true(begin(&scene, s, &terms, &result));
    assert_true(s->pages.count < pages);
    assert_true(begin(&scene, s, &scene.terms, &result));
    assert_true(s->pages.count < pages);
    check_boxes(&scene, s);
    oct_space_destroy(&oct_boxes_kind, &s->base);
    search_scene_free(&scene);
}

static oct_result use_memory(const oct_allocator *memory, void *ctx)
{
    const search_scene *const scene = ctx;
    space *made;
    oct_result result = oct_space_create(&oct_boxes_kind, memory, &made);
    box_space *const s = (box_space *)made;
    if (result == OCT_OK && begin(scene, s, &scene->terms, &result) && result == OCT_OK) {
        for (int32_t x = scene->drawn.min.x; x < scene->drawn.max.x && result == OCT_OK; x++) {
            const oct_vec cell = {x, scene->drawn.min.y, scene->drawn.min.z};
            uint32_t box;
            result = view_is_free(&s->base.map, cell) ? oct_boxes_box(s, cell, &box) : OCT_OK;
        }
    }
    oct_space_destroy(&oct_boxes_kind, made);
    return result;
}

static void refused_memory_is_a_result(void **state)
{
    (void)state;
    search_scene scene;
    search_scene_init(&scene, 7, 3, 9, (scene_wish){.no_prices = true, .known = true});
    assert_true(test_each_failure(use_memory, &scene) > 4);
    search_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_all_that_is_free),
        cmocka_unit_test(boxes_are_fewer_than_leaves),
        cmocka_unit_test(boxes_end_where_prices_do),
        cmocka_unit_test(pages_are_kept_while_nothing_changes),
        cmocka_unit_test(refused_memory_is_a_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
