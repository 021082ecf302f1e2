// SPDX-License-Identifier: MIT
// Things whose shape is not their box: their cells against a model of facts, what they hide against
// the definition, and that against points along the way.
#include "map/map.h"
#include "map/map_refine.h"
#include "map/overlay.h"
#include "map/sight.h"
#include "map/sighted.h"
#include "octant/map.h"
#include "octant/tree.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>

static oct_allocator heap;

static double unit(oct_random *r)
{
    return oct_random_unit(r);
}

// ---- shapes ----

#define POINTS 7

typedef struct shape {
    oct_piece pieces[2];
    oct_point points[POINTS];
    uint32_t triangles[6];
    oct_shape told;
    oct_bounds box;
} shape;

static oct_point draw_point(oct_random *r, double size)
{
    return (oct_point){unit(r) * size, unit(r) * size, unit(r) * size};
}

static oct_bounds bounds_of(const oct_shape *s)
{
    oct_bounds all = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < s->count; i++) {
        for (size_t k = 0; k < oct_convex_bodies(&s->pieces[i]); k++) {
            oct_point own[CONVEX_CORNERS];
            const oct_point *p;
            const size_t count = oct_convex_points(&s->pieces[i], k, own, &p);
            for (size_t j = 0; j < count; j++) {
                all = bounds_join(all, (oct_bounds){p[j], p[j]});
            }
        }
    }
    return all;
}

static void draw_turn(oct_random *r, double turn[4])
{
    double square = 0.0;
    for (int i = 0; i < 4; i++) {
        turn[i] = unit(r) - 0.5;
        square += turn[i] * turn[i];
    }
    for (int i = 0; i < 4; i++) {
        turn[i] /= sqrt(square);
    }
}

static void draw_shape(oct_random *r, double size, shape *s)
{
    const oct_point at = draw_point(r, size);
    *s = (shape){.told = {s->pieces, 1 + oct_random_below(r, 2)}};
    for (int i = 0; i < POINTS; i++) {
        s->points[i] = point_add(at, draw_point(r, 4.0));
    }
    for (uint32_t i = 0; i < 6; i++) {
        s->triangles[i] = (i * 2) % POINTS;
    }
    for (size_t i = 0; i < s->told.count; i++) {
        oct_piece *const p = &s->pieces[i];
        *p = (oct_piece){.kind = (oct_piece_kind)oct_random_below(r, 4),
                         .centre = point_add(at, draw_point(r, 2.0)),
                         .half = point_add(draw_point(r, 1.5), (oct_point){0.1, 0.1, 0.1}),
                         .points = s->points,
                         .point_count = POINTS,
                         .triangles = s->triangles,
                         .triangle_count = 2};
        p->box = (oct_bounds){at, point_add(at, draw_point(r, 2.0))};
        draw_turn(r, p->turn);
    }
    s->box = bounds_of(&s->told);
}

// ---- the cells ----

#define THINGS 12
#define SIZE 32

typedef struct model {
    oct_map *map;
    shape shapes[THINGS];
    uint8_t labels[THINGS];
    bool is_there[THINGS], is_box[THINGS];
    uint8_t known[SIZE][SIZE][SIZE], solid[SIZE][SIZE][SIZE];
} model;

static oct_thing thing_of(const model *m, uint32_t i)
{
    return (oct_thing){.id = i + 1,
                       .box = m->shapes[i].box,
                       .label = m->labels[i],
                       .opaque = true,
                       .shape = m->is_box[i] ? NULL : &m->shapes[i].told};
}

// By shapes made for this question alone.
static void paint(const model *m, uint32_t i, uint8_t (*blocked)[SIZE][SIZE],
                  uint8_t (*unknown)[SIZE][SIZE])
{
    const oct_thing t = thing_of(m, i);
    const lattice *const l = &m->map->lattice;
    thing_shape *s = NULL;
    oct_box cells;
    assert_true(oct_lattice_cover(l, &t.box, &cells));
    if (oct_thing_shape_is_needed(t.shape)) {
        assert_int_equal(oct_thing_shape_make(l, &t.box, t.shape, &heap, &s), OCT_OK);
    }
    for (int32_t z = 0; z < SIZE; z++) {
        for (int32_t y = 0; y < SIZE; y++) {
            for (int32_t x = 0; x < SIZE; x++) {
                const oct_vec c = {x, y, z};
                if (box_holds(&cells, c) && (!s || oct_thing_shape_covers(s, c))) {
                    (m->labels[i] == OCT_BLOCKED ? blocked : unknown)[z][y][x] = 1;
                }
            }
        }
    }
    oct_thing_shape_drop(s, &heap);
}

static uint8_t blocked[SIZE][SIZE][SIZE], unknown[SIZE][SIZE][SIZE];

static void check_model(const model *m)
{
    memset(blocked, 0, sizeof blocked);
    memset(unknown, 0, sizeof unknown);
    for (uint32_t i = 0; i < THINGS; i++) {
        if (m->is_there[i] && m->labels[i] != OCT_OPEN) {
            paint(m, i, blocked, unknown);
        }
    }
    for (int32_t z = 0; z < SIZE; z++) {
        for (int32_t y = 0; y < SIZE; y++) {
            for (int32_t x = 0; x < SIZE; x++) {
                const oct_label wanted = m->solid[z][y][x] || blocked[z][y][x]    ? OCT_BLOCKED
                                         : unknown[z][y][x] || !m->known[z][y][x] ? OCT_UNKNOWN
                                                                                  : OCT_OPEN;
                assert_int_equal(oct_tree_label(oct_map_tree(m->map), (oct_vec){x, y, z}), wanted);
            }
        }
    }
}

static void mark(model *m, oct_random *r)
{
    const oct_mark what = oct_random_below(r, 2) ? OCT_MARK_KNOWN : OCT_MARK_SOLID;
    oct_box b;
    b.min = (oct_vec){(int32_t)oct_random_below(r, SIZE), (int32_t)oct_random_below(r, SIZE),
                      (int32_t)oct_random_below(r, SIZE)};
    const int32_t edge = 1 + (int32_t)oct_random_below(r, what == OCT_MARK_KNOWN ? SIZE : 6);
    b.max = (oct_vec){b.min.x + edge < SIZE ? b.min.x + edge : SIZE,
                      b.min.y + edge < SIZE ? b.min.y + edge : SIZE,
                      b.min.z + edge < SIZE ? b.min.z + edge : SIZE};
    assert_int_equal(oct_map_set_box(m->map, b, what), OCT_OK);
    for (int32_t z = b.min.z; z < b.max.z; z++) {
        for (int32_t y = b.min.y; y < b.max.y; y++) {
            memset(&(what == OCT_MARK_KNOWN ? m->known : m->solid)[z][y][b.min.x], 1,
                   (size_t)(b.max.x - b.min.x));
        }
    }
}

static void change_thing(model *m, oct_random *r)
{
    const uint32_t i = (uint32_t)oct_random_below(r, THINGS);
    if (m->is_there[i] && oct_random_below(r, 3) == 0) {
        assert_int_equal(oct_map_remove(m->map, i + 1), OCT_OK);
        m->is_there[i] = false;
        return;
    }
    if (m->is_there[i] && oct_random_below(r, 3) == 0) {
        m->labels[i] = (uint8_t)oct_random_below(r, 3);
        assert_int_equal(oct_map_relabel(m->map, i + 1, (oct_label)m->labels[i]), OCT_OK);
        return;
    }
    draw_shape(r, SIZE * 0.3, &m->shapes[i]);
    m->is_box[i] = oct_random_below(r, 4) == 0;
    m->labels[i] = oct_random_below(r, 3) ? OCT_BLOCKED : (uint8_t)oct_random_below(r, 3);
    const oct_thing t = thing_of(m, i);
    assert_int_equal(m->is_there[i] ? oct_map_put(m->map, &t) : oct_map_add(m->map, &t), OCT_OK);
    m->is_there[i] = true;
}

static void what_covers_cells_can_be_taken_away_again(void **state)
{
    (void)state;
    static model m;
    for (uint64_t seed = 1; seed <= test_rounds(40); seed++) {
        oct_random r = oct_random_seed(seed);
        oct_map_def def = oct_map_def_default();
        def.cell_size = 0.4;
        def.is_ball = seed % 2 == 0;
        def.padding = seed % 3 == 0 ? (oct_point){0, 0, 0} : (oct_point){0.5, 0.5, 0.5};
        memset(&m, 0, sizeof m);
        assert_int_equal(oct_map_create(&def, &m.map), OCT_OK);
        for (int i = 0; i < 40; i++) {
            change_thing(&m, &r);
            if (seed % 2 == 0 && i % 3 == 0) {
                mark(&m, &r);
            }
            if (i % 4 == 0) {
                check_model(&m);
            }
            if (i % 10 == 9) {
                assert_int_equal(oct_map_shrink(m.map), OCT_OK);
            }
        }
        oct_map_destroy(m.map);
    }
}

// Bodies that a map has keep out of what they would touch.
static void free_cells_keep_balls_off(void **state)
{
    (void)state;
    oct_random r = oct_random_seed(9);
    for (int i = 0; i < (int)test_rounds(200); i++) {
        oct_map_def def = oct_map_def_default();
        def.cell_size = 0.3;
        def.is_ball = true;
        def.padding = (oct_point){0.9, 0.9, 0.9};
        oct_map *map;
        shape s;
        assert_int_equal(oct_map_create(&def, &map), OCT_OK);
        draw_shape(&r, 1.0, &s);
        const oct_thing t = {.id = 1, .box = s.box, .label = OCT_BLOCKED, .shape = &s.told};
        assert_int_equal(oct_map_add(map, &t), OCT_OK);
        for (int k = 0; k < 200; k++) {
            const oct_point at = point_add(draw_point(&r, 8.0), (oct_point){-2, -2, -2});
            oct_vec cell;
            double least = HUGE_VAL;
            for (size_t p = 0; p < s.told.count; p++) {
                for (size_t b = 0; b < oct_convex_bodies(&s.pieces[p]); b++) {
                    least = fmin(least, oct_convex_gap(&s.pieces[p], b, at).most);
                }
            }
            assert_true(oct_tree_cell_at(oct_map_tree(map), at, &cell));
            const bool is_blocked = oct_tree_label(oct_map_tree(map), cell) == OCT_BLOCKED;
            assert_int_equal(oct_map_covers(map, 1, cell), is_blocked);
            assert_true(is_blocked || least >= 0.9 - 1e-9);
        }
        oct_map_destroy(map);
    }
}

// ---- finer cells ----

static oct_piece wall(double turn)
{
    // Turned around y; sin and cos of half the angle.
    return (oct_piece){.kind = OCT_PIECE_OBB,
                       .centre = {5.0, 0.0, 0.0},
                       .half = {0.5, 2.0, 2.0},
                       .turn = {0.0, sin(turn / 2), 0.0, cos(turn / 2)}};
}

// A halved map is as one of half the cells to which the same was told.
static void halved_cells_are_as_cells_of_half_the_size(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(24); seed++) {
        oct_random r = oct_random_seed(seed);
        oct_map_def def = oct_map_def_default();
        def.cell_size = 0.5;
        def.padding = (oct_point){0.5, 0.5, 0.5};
        def.is_ball = true;
        oct_map *map, *other;
        shape s[8];
        assert_int_equal(oct_map_create(&def, &map), OCT_OK);
        def.cell_size = 0.25;
        assert_int_equal(oct_map_create(&def, &other), OCT_OK);
        for (uint64_t i = 0; i < 8; i++) {
            const int32_t x = (int32_t)oct_random_below(&r, 12), y = (int32_t)i, z = x / 2;
            const oct_box cells = {{x, y, z}, {x + 5, y + 3, z + 9}};
            const oct_box halves = {{2 * x, 2 * y, 2 * z}, {2 * x + 10, 2 * y + 6, 2 * z + 18}};
            draw_shape(&r, 6.0, &s[i]);
            const oct_thing t = {.id = i + 1,
                                 .box = s[i].box,
                                 .label = i % 4 ? OCT_BLOCKED : OCT_UNKNOWN,
                                 .opaque = true,
                                 .shape = i % 3 ? &s[i].told : NULL};
            assert_int_equal(oct_map_add(map, &t), OCT_OK);
            assert_int_equal(oct_map_set_box(map, cells, OCT_MARK_KNOWN), OCT_OK);
            assert_int_equal(oct_map_add(other, &t), OCT_OK);
            assert_int_equal(oct_map_set_box(other, halves, OCT_MARK_KNOWN), OCT_OK);
        }
        const uint64_t before = oct_tree_revision(oct_map_tree(map));
        assert_int_equal(oct_map_refine(map, NULL, NULL), OCT_OK);
        assert_int_equal(oct_map_refine(map, NULL, NULL), OCT_ERROR_ARGUMENT);
        assert_true(oct_tree_revision(oct_map_tree(map)) > before);
        for (uint64_t i = 0; i < 9; i++) { // with them, and without one after the other
            for (int32_t k = 0; k < 40 * 40 * 40; k++) {
                const oct_vec c = {k % 40 - 4, k / 40 % 40 - 4, k / 1600 - 4};
                assert_int_equal(oct_tree_label(oct_map_tree(map), c),
                                 oct_tree_label(oct_map_tree(other), c));
            }
            assert_int_equal(oct_map_remove(map, i + 1), i < 8 ? OCT_OK : OCT_ERROR_ABSENT);
            assert_int_equal(oct_map_remove(other, i + 1), i < 8 ? OCT_OK : OCT_ERROR_ABSENT);
        }
        oct_map_destroy(map);
        oct_map_destroy(other);
    }
}

// What is OPEN after a look of a halved map was in range, and no thing is near it.
static void a_halved_map_observes(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        const oct_piece piece = wall(0.1 + 0.2 * i);
        const oct_shape told = {&piece, 1};
        const oct_thing things[2] = {
            {.id = 1,
             .box = bounds_of(&told),
             .label = OCT_BLOCKED,
             .opaque = true,
             .shape = &told},
            {.id = 2, .box = {{9.0, -0.1, -0.1}, {9.2, 0.1, 0.1}}, .label = OCT_BLOCKED}};
        oct_map_def def = oct_map_def_default();
        def.cell_size = 0.5;
        def.padding = (oct_point){0.5, 0.5, 0.5};
        def.is_ball = true;
        oct_map *map;
        assert_int_equal(oct_map_create(&def, &map), OCT_OK);
        assert_int_equal(oct_map_keep_sighted(map), OCT_OK);
        const oct_view view = {.centre = {0, 0, 0}, .radius = 8.0, .sight = OCT_SIGHT_LINE};
        oct_seen seen;
        assert_int_equal(oct_map_observe(map, &view, things, 2, &seen), OCT_OK);
        const oct_box near = {{-3, -3, -3}, {3, 3, 3}};
        assert_int_equal(oct_tree_labels_in(oct_map_tree(map), near), OCT_HAS_OPEN);
        assert_int_equal(oct_map_refine(map, NULL, NULL), OCT_OK);
        assert_true(oct_tree_cell_size(oct_map_sighted(map)) == 0.5);
        const oct_view next = {.centre = {0, 0.3, 0}, .radius = 8.0, .sight = OCT_SIGHT_LINE};
        assert_int_equal(oct_map_observe(map, &next, things, 2, &seen), OCT_OK);
        assert_int_equal(oct_map_looks(map)[1], OCT_LOOK_FAR);
        int open = 0;
        for (int32_t k = 0; k < 80 * 80 * 80; k++) {
            const oct_vec c = {k % 80 - 40, k / 80 % 80 - 40, k / 6400 - 40};
            if (oct_tree_label(oct_map_tree(map), c) == OCT_OPEN) {
                const oct_point at = oct_tree_centre(oct_map_tree(map), c);
                open++;
                assert_true(point_length(at) < 8.0);
                assert_true(oct_convex_gap(&piece, 0, at).most >= 0.5);
            }
        }
        assert_true(open > 10000);
        oct_map_destroy(map);
    }
}

// ---- what if ----

static void an_overlay_supposes_other_labels(void **state)
{
    (void)state;
    oct_random r = oct_random_seed(11);
    for (int round = 0; round < (int)test_rounds(20); round++) {
        oct_map_def def = oct_map_def_default();
        def.cell_size = 0.5;
        oct_map *map, *other;
        shape s[6];
        const uint64_t ids[2] = {1, 2};
        assert_int_equal(oct_map_create(&def, &map), OCT_OK);
        assert_int_equal(oct_map_create(&def, &other), OCT_OK);
        for (uint64_t i = 0; i < 6; i++) {
            draw_shape(&r, 3.0, &s[i]);
            oct_thing t = {.id = i + 1, .box = s[i].box, .label = OCT_BLOCKED, .shape = &s[i].told};
            assert_int_equal(oct_map_add(map, &t), OCT_OK);
            t.label = i < 2 ? OCT_OPEN : OCT_BLOCKED;
            assert_int_equal(oct_map_add(other, &t), OCT_OK);
        }
        overlay o;
        oct_overlay_init(&o, map, &heap);
        assert_int_equal(oct_overlay_take(&o, ids, 2), OCT_OK);
        oct_overlay_suppose(&o, 0, OCT_OPEN);
        oct_overlay_suppose(&o, 1, OCT_OPEN);
        for (int32_t z = -1; z < 18; z++) {
            for (int32_t y = -1; y < 18; y++) {
                for (int32_t x = -1; x < 18; x++) {
                    const oct_vec c = {x, y, z};
                    assert_int_equal(oct_overlay_label(&o, c),
                                     oct_tree_label(oct_map_tree(other), c));
                }
            }
        }
        oct_overlay_free(&o);
        oct_map_destroy(map);
        oct_map_destroy(other);
    }
}

// ---- sight ----

#define SOLIDS 10
#define SEEN 40 // cells on each axis

typedef struct scene {
    sight sight;
    sight_box boxes[SOLIDS * 4];
    sight_solid solids[SOLIDS * 4];
    sight_slab slabs[SOLIDS * 64];
    shape shapes[SOLIDS];
} scene;

static void add_body(scene *s, uint32_t *slabs, const convex *c, uint32_t owner)
{
    const uint32_t at = s->sight.box_count++;
    s->boxes[at] = (sight_box){{c->lo.x, c->lo.y, c->lo.z}, {c->hi.x, c->hi.y, c->hi.z}};
    s->solids[at] = (sight_solid){*slabs, c->faces, owner};
    for (uint32_t i = 0; i < c->faces; i++) {
        const convex_axis *const a = &c->axes[i];
        s->slabs[(*slabs)++] =
            (sight_slab){{a->n[0] * 0x1p-24, a->n[1] * 0x1p-24, a->n[2] * 0x1p-24},
                         (double)a->lo * 0x1p-25,
                         (double)a->hi * 0x1p-25};
    }
}

static void draw_scene(oct_random *r, scene *s)
{
    const convex_padding none = {{0, 0, 0}, false};
    uint32_t slabs = 0;
    s->sight = (sight){.eye = point_add(draw_point(r, 4.0), (oct_point){18, 18, 18}),
                       .boxes = s->boxes,
                       .dims = 3,
                       .solids = s->solids,
                       .slabs = s->slabs};
    for (uint32_t i = 0; i < SOLIDS; i++) {
        draw_shape(r, SEEN - 4.0, &s->shapes[i]);
        if (s->shapes[i].pieces[0].kind == OCT_PIECE_BOX && i > 0) {
            const uint32_t at = s->sight.box_count++;
            const oct_bounds *const b = &s->shapes[i].pieces[0].box;
            s->boxes[at] =
                (sight_box){{b->min.x, b->min.y, b->min.z}, {b->max.x, b->max.y, b->max.z}};
            s->solids[at] = (sight_solid){0, 0, i};
            continue;
        }
        oct_array list = {0};
        size_t first;
        convex c;
        assert_int_equal(oct_convex_of_piece(3, &s->shapes[i].pieces[0], 0, (oct_point){0, 0, 0},
                                             1.0, &none, &heap, &list, &first, &c),
                         OCT_OK);
        c.axes = (const convex_axis *)list.items + first;
        add_body(s, &slabs, &c, i);
        oct_array_free(&list, &heap, sizeof(convex_axis));
    }
}

static void a_cast_is_what_the_definition_says(void **state)
{
    (void)state;
    static scene s;
    static uint64_t words[SEEN * SEEN];
    uint32_t hidden = 0;
    for (uint64_t seed = 1; seed <= test_rounds(150); seed++) {
        oct_random r = oct_random_seed(seed);
        draw_scene(&r, &s);
        if (seed % 5 == 0) { // beside a solid, in its plane
            s.sight.eye = s.shapes[0].points[0];
        }
        bit_grid seen = {{{0, 0, 0}, {SEEN, SEEN, SEEN}}, 1, words};
        const double within = seed % 3 == 0 ? 15.5 : 100.0;
        assert_int_equal(oct_sight_cast(&s.sight, within, NULL, &heap, &seen), OCT_OK);
        for (int32_t z = 0; z < SEEN; z++) {
            for (int32_t y = 0; y < SEEN; y++) {
                for (int32_t x = 0; x < SEEN; x++) {
                    const oct_point e = s.sight.eye;
                    const double gx = fmax(fmax(x - e.x, e.x - x - 1), 0),
                                 gy = fmax(fmax(y - e.y, e.y - y - 1), 0),
                                 gz = fmax(fmax(z - e.z, e.z - z - 1), 0);
                    const bool is = words[z * SEEN + y] >> x & 1;
                    const bool reaches = gx * gx + gy * gy + gz * gz < within * within;
                    assert_int_equal(is, reaches && oct_sight_sees(&s.sight, (oct_vec){x, y, z}));
                    hidden += reaches && !is;
                }
            }
        }
    }
    assert_true(hidden > 600 * test_rounds(150));
}

// How far a point is from anything drawn, or from a turned box alone: these are told exactly.
static double gap_at(const scene *s, oct_point at, bool is_exact)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < SOLIDS; i++) {
        const oct_piece *const p = &s->shapes[i].pieces[0];
        if (!is_exact || p->kind == OCT_PIECE_OBB) {
            least = fmin(least, oct_convex_gap(p, 0, at).most);
        }
    }
    return least;
}

static void what_hides_is_on_the_way(void **state)
{
    (void)state;
    static scene s;
    int hidden = 0, met = 0;
    for (uint64_t seed = 1; seed <= test_rounds(100); seed++) {
        oct_random r = oct_random_seed(1000 + seed);
        draw_scene(&r, &s);
        const bool holds_eye = gap_at(&s, s.sight.eye, false) < 1e-3;
        for (int k = 0; k < 50 && !holds_eye; k++) {
            const oct_vec c = {(int32_t)oct_random_below(&r, SEEN),
                               (int32_t)oct_random_below(&r, SEEN),
                               (int32_t)oct_random_below(&r, SEEN)};
            sight_way ways[SIGHT_AXES];
            oct_sight_ways(&s.sight, c, ways);
            const double entry = fmax(fmax(ways[0].entry, ways[1].entry), ways[2].entry);
            const oct_point way = {ways[0].length, ways[1].length, ways[2].length};
            double least = HUGE_VAL;
            bool is_inside = false;
            for (int i = 0; i < 400; i++) {
                const oct_point at =
                    point_add(s.sight.eye, point_scale(way, entry * (double)i / 400.0));
                least = fmin(least, gap_at(&s, at, false));
                is_inside = is_inside || gap_at(&s, at, true) < 1e-9;
            }
            const bool is_hidden = !oct_sight_sees(&s.sight, c);
            hidden += is_hidden;
            met += is_inside;
            // Steps are at most a tenth of a cell.
            assert_true(!is_inside || is_hidden);
            assert_true(!is_hidden || least < 0.11);
        }
    }
    assert_in_range(met, (int)test_rounds(16), hidden);
}

// ---- observing ----

static void a_turned_wall_hides_what_is_behind_it_alone(void **state)
{
    (void)state;
    for (int i = 0; i < 9; i++) {
        const oct_piece piece = wall(0.1 + 0.15 * i);
        const oct_shape told = {&piece, 1};
        const oct_bounds box = bounds_of(&told);
        // A point straight behind the middle, and one in a one_corner of the wall's box, in front.
        const oct_point one_corner = {box.min.x + 0.15, 0.0, box.min.z + 0.15};
        const oct_point other = {box.min.x + 0.15, 0.0, box.max.z - 0.15};
        const double a = oct_convex_gap(&piece, 0, one_corner).least;
        const double b = oct_convex_gap(&piece, 0, other).least;
        const oct_point free = a > b ? one_corner : other;
        const oct_thing things[3] = {
            {.id = 1, .box = box, .label = OCT_BLOCKED, .opaque = true, .shape = &told},
            {.id = 2, .box = {{9.0, -0.1, -0.1}, {9.2, 0.1, 0.1}}, .label = OCT_BLOCKED},
            {.id = 3,
             .box = {{free.x - 0.05, -0.05, free.z - 0.05}, {free.x + 0.05, 0.05, free.z + 0.05}},
             .label = OCT_BLOCKED}};
        oct_map_def def = oct_map_def_default();
        def.cell_size = 0.25;
        oct_map *map;
        assert_int_equal(oct_map_create(&def, &map), OCT_OK);
        const oct_view view = {.centre = {0, 0, 0}, .radius = 15.0, .sight = OCT_SIGHT_LINE};
        oct_seen seen;
        assert_int_equal(oct_map_observe(map, &view, things, 3, &seen), OCT_OK);
        assert_int_equal(oct_map_looks(map)[0], OCT_LOOK_SEEN);
        assert_int_equal(oct_map_looks(map)[1], OCT_LOOK_HIDDEN);
        assert_int_equal(oct_map_looks(map)[2], OCT_LOOK_SEEN);
        oct_vec cell;
        assert_true(oct_tree_cell_at(oct_map_tree(map), (oct_point){8.0, 0.1, 0.1}, &cell));
        assert_int_equal(oct_tree_label(oct_map_tree(map), cell), OCT_UNKNOWN);
        // The same again changes nothing; turned a little more it has changed.
        assert_int_equal(oct_map_observe(map, &view, things, 3, &seen), OCT_OK);
        assert_int_equal(seen.same, 2);
        oct_thing found;
        assert_true(oct_map_thing(map, 1, &found));
        assert_non_null(found.shape);
        assert_int_equal(found.shape->pieces[0].kind, OCT_PIECE_OBB);
        oct_map_destroy(map);
    }
}

static oct_result look_around(const oct_allocator *allocator, void *ctx)
{
    oct_random r = oct_random_seed(*(const uint64_t *)ctx);
    static shape s[5];
    oct_thing things[5];
    oct_map_def def = oct_map_def_default();
    def.cell_size = 0.5;
    def.allocator = allocator;
    def.padding = (oct_point){0.5, 0.5, 0.5};
    oct_map *map;
    for (uint64_t i = 0; i < 5; i++) {
        draw_shape(&r, 4.0, &s[i]);
        things[i] = (oct_thing){.id = i + 1,
                                .box = s[i].box,
                                .label = i == 3 ? OCT_UNKNOWN : OCT_BLOCKED,
                                .opaque = i != 2,
                                .shape = i == 4 ? NULL : &s[i].told};
    }
    OCT_TRY(oct_map_create(&def, &map));
    const oct_view view = {.centre = {-1, 2, 2}, .radius = 12.0, .sight = OCT_SIGHT_LINE};
    oct_result result = oct_map_observe(map, &view, things, 3, NULL);
    const size_t before = oct_map_things(map);
    things[0].shape = &s[1].told;
    things[0].box = s[1].box;
    result = result == OCT_OK ? oct_map_observe(map, &view, things, 5, NULL) : result;
    if (result != OCT_OK) {
        assert_int_equal(oct_map_things(map), before); // all or nothing
    }
    oct_map_destroy(map);
    return result;
}

static void an_observation_survives_every_failed_allocation(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        (void)test_each_failure(look_around, &seed);
    }
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    oct_map_def def = oct_map_def_default();
    oct_map *map;
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    oct_piece piece = wall(0.5);
    const oct_shape told = {&piece, 1};
    oct_thing t = {.id = 1, .box = bounds_of(&told), .label = OCT_BLOCKED, .shape = &told};
    piece.turn[0] = (double)NAN;
    assert_int_equal(oct_map_add(map, &t), OCT_ERROR_ARGUMENT);
    const oct_point points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const uint32_t corners[3] = {0, 1, 3};
    piece = (oct_piece){.kind = OCT_PIECE_TRIANGLES,
                        .points = points,
                        .point_count = 3,
                        .triangles = corners,
                        .triangle_count = 1};
    assert_int_equal(oct_map_add(map, &t), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_map_things(map), 0);
    oct_map_destroy(map);
}

int main(void)
{
    heap = oct_allocator_default();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_covers_cells_can_be_taken_away_again),
        cmocka_unit_test(free_cells_keep_balls_off),
        cmocka_unit_test(halved_cells_are_as_cells_of_half_the_size),
        cmocka_unit_test(a_halved_map_observes),
        cmocka_unit_test(an_overlay_supposes_other_labels),
        cmocka_unit_test(a_cast_is_what_the_definition_says),
        cmocka_unit_test(what_hides_is_on_the_way),
        cmocka_unit_test(a_turned_wall_hides_what_is_behind_it_alone),
        cmocka_unit_test(an_observation_survives_every_failed_allocation),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
