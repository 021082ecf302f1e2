// SPDX-License-Identifier: MIT
// Scenery against a plain list of it, and entities that outlive what told them.
#include "game/entity_pool.h"
#include "octant/scenery.h"
#include "support.h"

#include <math.h>
#include <string.h>

// ---- a game that is nothing but scenery ----

#define PARTS_MAX 300
#define PIECES_MAX (2 * PARTS_MAX)

typedef struct stage {
    oct_game game;
    oct_scenery_part parts[PARTS_MAX];
    oct_piece pieces[PIECES_MAX];
    oct_point points[4 * PARTS_MAX];
    uint32_t triangles[6 * PARTS_MAX];
    size_t count, piece_count, page, most; // most: parts of a page
    // What must come out.
    oct_bounds boxes[3 * PARTS_MAX];
    uint64_t first[3 * PARTS_MAX]; // the part's id, for its first piece; else 0
    size_t box_count;
} stage;

static oct_result scenery(void *self, size_t from, oct_scenery_page *out)
{
    const stage *const s = self;
    const size_t left = s->count - from, count = left < s->most ? left : s->most;
    *out = (oct_scenery_page){s->parts + from, count, from + count < s->count ? from + count : 0};
    return OCT_OK;
}

static const oct_game_ops ops = {.scenery = scenery};

static void take_box(stage *s, const oct_scenery_part *part, oct_bounds box, bool is_first)
{
    s->boxes[s->box_count] = box;
    s->first[s->box_count++] = is_first ? part->id : 0;
}

static oct_bounds draw_box(oct_random *rng, double largest)
{
    oct_bounds b;
    b.min = (oct_point){oct_random_unit(rng) * 200 - 100, oct_random_unit(rng) * 200 - 100,
                        oct_random_unit(rng) * 60 - 30};
    b.max = (oct_point){b.min.x + oct_random_unit(rng) * largest,
                        b.min.y + oct_random_unit(rng) * largest,
                        b.min.z + oct_random_unit(rng) * largest};
    return b;
}

// A mesh of two triangles with the corners of a box.
static void draw_mesh(stage *s, oct_piece *piece, const oct_scenery_part *part)
{
    const size_t n = (size_t)(part - s->parts);
    oct_point *const p = s->points + 4 * n;
    uint32_t *const t = s->triangles + 6 * n;
    const oct_bounds b = piece->box;
    const uint32_t own[] = {0, 1, 2, 1, 2, 3};
    p[0] = b.min;
    p[1] = (oct_point){b.max.x, b.min.y, b.min.z};
    p[2] = (oct_point){b.min.x, b.max.y, b.min.z};
    p[3] = b.max;
    memcpy(t, own, sizeof own);
    piece->kind = OCT_PIECE_TRIANGLES;
    piece->points = p;
    piece->point_count = 4;
    piece->triangles = t;
    piece->triangle_count = 2;
    take_box(s, part, (oct_bounds){b.min, {b.max.x, b.max.y, b.min.z}}, true);
    take_box(s, part, b, false);
}

static void draw_part(stage *s, oct_random *rng)
{
    oct_scenery_part *const part = &s->parts[s->count++];
    oct_piece *const pieces = s->pieces + s->piece_count;
    *part = (oct_scenery_part){.id = 1 + oct_random_below(rng, 1000000) * 1000 + s->count,
                               .name = "part",
                               .shape = {pieces, 1 + oct_random_below(rng, 2)},
                               .solid = oct_random_below(rng, 4) > 0,
                               .opaque = oct_random_below(rng, 2) > 0};
    s->piece_count += part->shape.count;
    const bool is_mesh = part->shape.count == 1 && oct_random_below(rng, 3) == 0;
    for (size_t i = 0; i < part->shape.count; i++) {
        pieces[i] = (oct_piece){.box = draw_box(rng, oct_random_below(rng, 10) == 0 ? 150.0 : 9.0)};
        pieces[i].kind = oct_random_below(rng, 2) ? OCT_PIECE_BOX : OCT_PIECE_OBB;
        if (is_mesh) {
            draw_mesh(s, &pieces[i], part);
        } else {
            take_box(s, part, pieces[i].box, i == 0);
        }
    }
}

static void draw_stage(stage *s, oct_random *rng, size_t parts)
{
    *s = (stage){.game = {&ops}, .most = 1 + oct_random_below(rng, 50)};
    while (s->count < parts) {
        draw_part(s, rng);
    }
}

// ---- what is near ----

static double distance2(const oct_bounds *b, oct_point p)
{
    const double at[] = {p.x, p.y, p.z}, lo[] = {b->min.x, b->min.y, b->min.z},
                 hi[] = {b->max.x, b->max.y, b->max.z};
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        const double off = at[i] < lo[i] ? lo[i] - at[i] : at[i] > hi[i] ? at[i] - hi[i] : 0.0;
        sum += off * off;
    }
    return sum;
}

static void check_near(const stage *s, oct_scenery *scenery, oct_point at, double distance)
{
    const oct_entity *near;
    size_t count, expected = 0;
    assert_int_equal(oct_scenery_near(scenery, at, distance, &near, &count), OCT_OK);
    for (size_t i = 0; i < s->box_count; i++) {
        const bool is = distance2(&s->boxes[i], at) <= distance * distance;
        size_t found = 0;
        for (size_t k = 0; k < count; k++) {
            found +=
                memcmp(&near[k].thing.box, &s->boxes[i], sizeof(oct_bounds)) == 0 &&
                (s->first[i] == 0 ? near[k].thing.id >> 63 == 1 : near[k].thing.id == s->first[i]);
        }
        assert_int_equal(found, is);
        expected += is;
    }
    assert_int_equal(count, expected);
    for (size_t k = 1; k < count; k++) {
        assert_true(near[k - 1].thing.id < near[k].thing.id);
    }
}

static void what_is_near_is_what_a_plain_list_says(void **state)
{
    (void)state;
    static stage s;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        oct_random rng = oct_random_seed(seed);
        oct_scenery *scenery;
        draw_stage(&s, &rng, seed == 1 ? 0 : oct_random_below(&rng, PARTS_MAX));
        assert_int_equal(oct_scenery_load(&s.game, NULL, &scenery), OCT_OK);
        assert_int_equal(oct_scenery_count(scenery), s.box_count);
        for (int i = 0; i < 20; i++) {
            const oct_bounds at = draw_box(&rng, 1.0);
            check_near(&s, scenery, at.min, oct_random_unit(&rng) * (i % 4 == 0 ? 200.0 : 30.0));
        }
        check_near(&s, scenery, (oct_point){1e7, 0, 0}, 20.0);
        check_near(&s, scenery, (oct_point){0, 0, 0}, 1e9);
        oct_scenery_destroy(scenery);
    }
}

static void parts_say_what_they_are(void **state)
{
    (void)state;
    static stage s;
    const oct_entity *near;
    size_t count;
    oct_scenery *scenery;
    s = (stage){.game = {&ops}, .most = 1, .count = 2};
    s.pieces[0] = (oct_piece){.box = {{0, 0, 0}, {1, 1, 1}}};
    s.pieces[1] = (oct_piece){.kind = OCT_PIECE_OBB, .box = {{0, 0, 0}, {1, 1, 1}}};
    s.parts[0] = (oct_scenery_part){7, "Window", {&s.pieces[0], 1}, true, false};
    s.parts[1] = (oct_scenery_part){5, NULL, {&s.pieces[1], 1}, false, true};
    assert_int_equal(oct_scenery_load(&s.game, NULL, &scenery), OCT_OK);
    assert_int_equal(oct_scenery_near(scenery, (oct_point){0, 0, 0}, 1.0, &near, &count), OCT_OK);
    assert_int_equal(count, 2);
    assert_true(near[0].thing.id == 5 && near[1].thing.id == 7);
    assert_string_equal(near[0].name, "");
    assert_string_equal(near[1].name, "Window");
    assert_true(near[0].thing.label == OCT_OPEN && near[1].thing.label == OCT_BLOCKED);
    assert_true(near[0].thing.opaque && !near[1].thing.opaque);
    assert_true(near[0].is_scenery && near[1].is_scenery);
    assert_false(oct_entity_is_upright(&near[0]));
    assert_true(oct_entity_is_upright(&near[1]));
    oct_scenery_destroy(scenery);
}

static void what_is_no_scenery_is_refused(void **state)
{
    (void)state;
    static stage s;
    const oct_bounds wrong[] = {{{0, 0, 0}, {1, 1, -1}},
                                {{0, 0, 0}, {1, 1, (double)NAN}},
                                {{-(double)INFINITY, 0, 0}, {1, 1, 1}},
                                {{0, 0, 0}, {1e9, 1, 1}}};
    oct_scenery *scenery;
    s = (stage){.game = {&ops}, .most = 1, .count = 1};
    s.parts[0] = (oct_scenery_part){7, "Wall", {&s.pieces[0], 1}, true, true};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        s.pieces[0] = (oct_piece){.box = wrong[i]};
        assert_int_equal(oct_scenery_load(&s.game, NULL, &scenery), OCT_ERROR_RANGE);
        assert_null(scenery);
    }
    const oct_point points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const uint32_t corners[] = {0, 1, 3};
    s.pieces[0] = (oct_piece){.kind = OCT_PIECE_TRIANGLES,
                              .box = {{0, 0, 0}, {1, 1, 1}},
                              .points = points,
                              .point_count = 3,
                              .triangles = corners,
                              .triangle_count = 1};
    assert_int_equal(oct_scenery_load(&s.game, NULL, &scenery), OCT_ERROR_RANGE);
}

// ---- entities that are kept ----

static void what_is_kept_outlives_what_told_it(void **state)
{
    (void)state;
    const oct_allocator allocator = oct_allocator_or_default(NULL);
    entity_pool pool;
    char name[] = "Lever", use[] = "left", prop[] = "state", text[] = "up";
    const char *uses[] = {use, "right"};
    oct_property props[] = {{.name = prop, .kind = OCT_VALUE_TEXT, .text = text},
                            {.name = "count", .number = 3.0}};
    oct_point points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    oct_piece piece = {.kind = OCT_PIECE_HULL, .points = points, .point_count = 4};
    oct_bounds stop = {{1, 2, 3}, {4, 5, 6}};
    const oct_entity told = {.name = name,
                             .type = "lever",
                             .uses = uses,
                             .use_count = 2,
                             .shape = {&piece, 1},
                             .props = props,
                             .prop_count = 2,
                             .stops = &stop,
                             .stop_count = 1};
    oct_entity a, b, c;
    oct_pool_init(&pool, &allocator);
    assert_int_equal(oct_pool_entity(&pool, &allocator, &told, &a), OCT_OK);
    assert_int_equal(oct_pool_entity(&pool, &allocator, &told, &b), OCT_OK);
    assert_true(oct_entity_is_alike(&told, &a));
    // Each is kept once.
    assert_ptr_equal(a.name, b.name);
    assert_ptr_equal(a.uses, b.uses);
    assert_ptr_equal(a.props, b.props);
    assert_ptr_equal(a.shape.pieces, b.shape.pieces);
    name[0] = use[0] = prop[0] = text[0] = 'x';
    points[0].x = stop.min.x = 9.0;
    uses[1] = "x";
    props[1].number = 4.0;
    assert_string_equal(a.name, "Lever");
    assert_string_equal(a.uses[0], "left");
    assert_string_equal(a.uses[1], "right");
    assert_string_equal(oct_property_find(a.props, a.prop_count, "state")->text, "up");
    assert_true(oct_property_number(a.props, a.prop_count, "count", 0.0) == 3.0);
    assert_true(a.shape.pieces[0].points[0].x == 0.0 && a.stops[0].min.x == 1.0);
    assert_false(oct_entity_is_alike(&told, &a));
    // What it differs in alone is kept anew.
    c = a;
    c.name = "Lever 2";
    assert_int_equal(oct_pool_entity(&pool, &allocator, &c, &c), OCT_OK);
    assert_string_equal(c.name, "Lever 2");
    assert_ptr_equal(c.props, a.props);
    assert_false(oct_entity_is_alike(&c, &a));
    oct_pool_free(&pool, &allocator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_near_is_what_a_plain_list_says),
        cmocka_unit_test(parts_say_what_they_are),
        cmocka_unit_test(what_is_no_scenery_is_refused),
        cmocka_unit_test(what_is_kept_outlives_what_told_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
