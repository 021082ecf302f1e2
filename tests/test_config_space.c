// SPDX-License-Identifier: MIT
// Where the thinnest reading of a body may be: never less than a fine flood of true distances
// finds, and closed where walls close it.
#include "support.h"

#include "agent/config_space.h"
#include "agent/solid_boxes.h"
#include "agent/space_cache.h"
#include "geom/convex.h"
#include "geom/geom_internal.h"

#include <math.h>

#define CELL (319.0 / 1024.0)
#define SIZE 8.0 // of the world, metres
#define PIECES 300

typedef struct scene {
    oct_history *history;
    oct_game_info info;
    oct_tree *lattice;
    oct_array entities; // of oct_entity
    oct_allocator allocator;
    oct_piece pieces[PIECES];
    oct_point points[PIECES][4];
    uint32_t piece_count;
} scene;

static const uint32_t corners[3] = {0, 1, 2};

static void init(scene *s)
{
    *s = (scene){.allocator = oct_allocator_default()};
    s->info = (oct_game_info){
        .rate = 60.0, .slide = 60, .has_bounds = true, .bounds = {{0, 0, 0}, {SIZE, SIZE, SIZE}}};
    oct_tree_def def = oct_tree_def_default();
    def.cell_size = CELL;
    assert_int_equal(oct_tree_create(&def, &s->lattice), OCT_OK);
    s->history = oct_history_create(NULL);
    assert_non_null(s->history);
}

static void put(scene *s, oct_bounds box, bool is_door)
{
    const oct_entity e = {.thing = {.id = s->entities.count + 1, .box = box, .label = OCT_BLOCKED},
                          .name = "",
                          .type = "",
                          .kind = is_door ? OCT_ENTITY_DOOR : OCT_ENTITY_SOLID,
                          .forward = {0, 0, -1},
                          .up = {0, 1, 0}};
    assert_int_equal(oct_array_push(&s->entities, &s->allocator, sizeof e, &e), OCT_OK);
}

// ---- shapes ----

static oct_bounds bounds_of(const oct_point *points, size_t count)
{
    oct_bounds b = {points[0], points[0]};
    for (size_t i = 1; i < count; i++) {
        b = bounds_join(b, (oct_bounds){points[i], points[i]});
    }
    return b;
}

// Puts what a piece fills; its box is found.
static void put_piece(scene *s, oct_piece piece, bool is_door)
{
    assert_true(s->piece_count < PIECES);
    oct_point around[8];
    for (int i = 0; piece.kind == OCT_PIECE_OBB && i < 8; i++) {
        const oct_point own = {i & 1 ? piece.half.x : -piece.half.x,
                               i & 2 ? piece.half.y : -piece.half.y,
                               i & 4 ? piece.half.z : -piece.half.z};
        around[i] = oct_piece_world(&piece, own);
    }
    if (piece.kind != OCT_PIECE_OBB) {
        oct_point *const own = s->points[s->piece_count];
        memcpy(own, piece.points, piece.point_count * sizeof *own);
        piece.points = own;
    }
    piece.box = piece.kind == OCT_PIECE_OBB ? bounds_of(around, 8)
                                            : bounds_of(piece.points, piece.point_count);
    s->pieces[s->piece_count] = piece;
    put(s, piece.box, is_door);
    oct_entity *const e = (oct_entity *)s->entities.items + s->entities.count - 1;
    e->shape = (oct_shape){&s->pieces[s->piece_count++], 1};
}

// A quaternion of a turn about some axis.
static void draw_turn(oct_random *random, double turn[4])
{
    double square = 0.0;
    while (square < 0.1) {
        square = 0.0;
        for (int i = 0; i < 4; i++) {
            turn[i] = (double)oct_random_below(random, 2001) / 1000.0 - 1.0;
            square += turn[i] * turn[i];
        }
    }
    for (int i = 0; i < 4; i++) {
        turn[i] /= sqrt(square);
    }
}

// ---- distances, each in its own way ----

static double from_triangle(oct_point p, oct_point a, oct_point b, oct_point c)
{
    const oct_point ab = point_sub(b, a), ac = point_sub(c, a), ap = point_sub(p, a);
    const oct_point n = point_cross(ab, ac);
    const double area = point_dot(n, n);
    const double v = point_dot(point_cross(ap, ac), n) / area;
    const double w = point_dot(point_cross(ab, ap), n) / area;
    if (area > 0.0 && v >= 0.0 && w >= 0.0 && v + w <= 1.0) {
        return fabs(point_dot(ap, n)) / sqrt(area);
    }
    const oct_point ends[4] = {a, b, c, a};
    double least = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        const oct_point way = point_sub(ends[i + 1], ends[i]), to = point_sub(p, ends[i]);
        const double t = fmin(1.0, fmax(0.0, point_dot(way, to) / point_dot(way, way)));
        least = fmin(least, point_length(point_sub(to, point_scale(way, t))));
    }
    return least;
}

// Of four points.
static double from_hull(oct_point p, const oct_point h[4])
{
    double least = HUGE_VAL;
    bool is_inside = true;
    for (int i = 0; i < 4; i++) {
        const oct_point a = h[(i + 1) % 4], b = h[(i + 2) % 4], c = h[(i + 3) % 4];
        const oct_point n = point_cross(point_sub(b, a), point_sub(c, a));
        is_inside =
            is_inside && point_dot(n, point_sub(p, a)) * point_dot(n, point_sub(h[i], a)) > 0.0;
        least = fmin(least, from_triangle(p, a, b, c));
    }
    return is_inside ? 0.0 : least;
}

static double outside(double at, double lo, double hi)
{
    return at < lo ? lo - at : at > hi ? at - hi : 0.0;
}

static double from_box(oct_point p, const oct_bounds *b)
{
    const oct_point by = {outside(p.x, b->min.x, b->max.x), outside(p.y, b->min.y, b->max.y),
                          outside(p.z, b->min.z, b->max.z)};
    return point_length(by);
}

static double from_entity(oct_point p, const oct_entity *e)
{
    if (e->shape.count == 0) {
        return from_box(p, &e->thing.box);
    }
    const oct_piece *const piece = &e->shape.pieces[0];
    if (piece->kind == OCT_PIECE_OBB) {
        const oct_bounds own = {point_scale(piece->half, -1.0), piece->half};
        return from_box(oct_piece_own(piece, p), &own);
    }
    const oct_point *const h = piece->points;
    return piece->kind == OCT_PIECE_HULL ? from_hull(p, h) : from_triangle(p, h[0], h[1], h[2]);
}

static void make(scene *s, config_space *out)
{
    const oct_observation seen = {.entities = s->entities.items, .count = s->entities.count};
    assert_int_equal(oct_history_look(s->history, &s->info, &seen, &seen), OCT_OK);
    assert_int_equal(
        oct_config_space_make(out, s->history, s->lattice, &s->info.bounds, NULL, &s->allocator),
        OCT_OK);
}

static void free_scene(scene *s)
{
    oct_array_free(&s->entities, &s->allocator, sizeof(oct_entity));
    oct_history_drop(s->history);
    oct_tree_destroy(s->lattice);
}

static uint32_t part_at(config_space *space, double x, double y, double z)
{
    uint32_t part;
    assert_int_equal(oct_config_space_enter(space, (oct_point){x, y, z}, &part), OCT_OK);
    return part;
}

// ---- against a fine flood ----

#define FINE 0.1
#define FINE_COUNT 80

static double clearance(const scene *s, oct_point p)
{
    double least = HUGE_VAL;
    const oct_entity *const all = s->entities.items;
    for (size_t i = 0; i < s->entities.count; i++) {
        least = fmin(least, from_entity(p, &all[i]));
    }
    return least;
}

static oct_point fine_point(size_t i)
{
    return (oct_point){FINE * ((double)(i % FINE_COUNT) + 0.5),
                       FINE * ((double)(i / FINE_COUNT % FINE_COUNT) + 0.5),
                       FINE * ((double)(i / FINE_COUNT / FINE_COUNT) + 0.5)};
}

// Marks with numbers what is connected. Where two neighbours have a little more room than the body
// needs, all points between them have enough.
static void flood(const scene *s, uint8_t *parts)
{
    static uint32_t queue[FINE_COUNT * FINE_COUNT * FINE_COUNT];
    const size_t count = sizeof queue / sizeof *queue;
    uint8_t next = 1;
    for (size_t i = 0; i < count; i++) {
        parts[i] = clearance(s, fine_point(i)) >= 0.5 + FINE / 2.0 ? 0 : UINT8_MAX;
    }
    for (size_t i = 0; i < count; i++) {
        if (parts[i] != 0) {
            continue;
        }
        size_t ends = 0;
        queue[ends++] = (uint32_t)i;
        parts[i] = next;
        for (size_t k = 0; k < ends; k++) {
            const size_t at = queue[k];
            const size_t x = at % FINE_COUNT, y = at / FINE_COUNT % FINE_COUNT,
                         z = at / FINE_COUNT / FINE_COUNT;
            const size_t steps[3] = {1, FINE_COUNT, FINE_COUNT * FINE_COUNT}, place[3] = {x, y, z};
            for (int axis = 0; axis < 3; axis++) {
                if (place[axis] > 0 && parts[at - steps[axis]] == 0) {
                    parts[at - steps[axis]] = next;
                    queue[ends++] = (uint32_t)(at - steps[axis]);
                }
                if (place[axis] + 1 < FINE_COUNT && parts[at + steps[axis]] == 0) {
                    parts[at + steps[axis]] = next;
                    queue[ends++] = (uint32_t)(at + steps[axis]);
                }
            }
        }
        next = next < UINT8_MAX - 1 ? next + 1 : next;
    }
}

static double draw(oct_random *random, double most)
{
    return most * (double)oct_random_below(random, 1u << 20) / (1u << 20);
}

// Boxes of all sizes anywhere; some are plates that cut the whole world.
static void put_random(scene *s, oct_random *random)
{
    const oct_point at = {draw(random, SIZE), draw(random, SIZE), draw(random, SIZE)};
    oct_bounds box = {at, {at.x + draw(random, 4), at.y + draw(random, 4), at.z + draw(random, 4)}};
    const uint64_t kind = oct_random_below(random, 6);
    if (kind < 3) {
        double *const lo[3] = {&box.min.x, &box.min.y, &box.min.z};
        double *const hi[3] = {&box.max.x, &box.max.y, &box.max.z};
        for (uint64_t axis = 0; axis < 3; axis++) {
            if (axis == kind) {
                *hi[axis] = *lo[axis] + draw(random, 0.3);
            } else if (oct_random_below(random, 3) > 0) {
                *lo[axis] = -1.0;
                *hi[axis] = SIZE + 1.0;
            }
        }
    }
    put(s, box, false);
}

// Turned boxes, some of them plates, hulls of four points and triangles.
static void put_shape(scene *s, oct_random *random)
{
    oct_point points[4];
    oct_piece p = {.kind = OCT_PIECE_OBB,
                   .centre = {draw(random, SIZE), draw(random, SIZE), draw(random, SIZE)},
                   .half = {draw(random, 2), draw(random, 2), draw(random, 2)}};
    const uint64_t kind = oct_random_below(random, 5);
    if (kind < 2) { // the same turn for several
        draw_turn(random, p.turn);
        for (int i = 0; i < 3; i++) {
            put_piece(s, p, false);
            p.centre =
                point_add(p.centre, point_sub(oct_piece_world(&p, (oct_point){2 * p.half.x, 0, 0}),
                                              p.centre));
        }
    } else if (kind == 2) {
        draw_turn(random, p.turn);
        p.half = (oct_point){draw(random, 0.2), 2 * SIZE, 2 * SIZE};
        put_piece(s, p, false);
    } else {
        for (int i = 0; i < 4; i++) {
            points[i] =
                (oct_point){p.centre.x + draw(random, 6) - 3, p.centre.y + draw(random, 6) - 3,
                            p.centre.z + draw(random, 6) - 3};
        }
        const bool is_hull = kind == 3;
        p = (oct_piece){.kind = is_hull ? OCT_PIECE_HULL : OCT_PIECE_TRIANGLES,
                        .points = points,
                        .point_count = is_hull ? 4 : 3,
                        .triangles = is_hull ? NULL : corners,
                        .triangle_count = is_hull ? 0 : 1};
        put_piece(s, p, false);
    }
}

static void put_any(scene *s, oct_random *random, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (oct_random_below(random, 3) == 0) {
            put_random(s, random);
        } else {
            put_shape(s, random);
        }
    }
}

static void check_divided(bool has_shapes)
{
    static uint8_t parts[FINE_COUNT * FINE_COUNT * FINE_COUNT];
    static uint32_t first[UINT8_MAX + 1];
    size_t joined = 0, divided = 0;
    for (uint64_t seed = 1; seed <= (has_shapes ? 6 : 12); seed++) {
        oct_random random = oct_random_seed(seed);
        scene s;
        config_space space;
        init(&s);
        for (uint64_t i = 0; i < 3 + seed && !has_shapes; i++) {
            put_random(&s, &random);
        }
        put_any(&s, &random, has_shapes ? 3 + seed : 0);
        make(&s, &space);
        flood(&s, parts);
        memset(first, 0xff, sizeof first);
        for (size_t i = 0; i < sizeof parts; i++) {
            if (parts[i] == UINT8_MAX) {
                continue;
            }
            const oct_point p = fine_point(i);
            const uint32_t part = part_at(&space, p.x, p.y, p.z);
            if (part == PART_NONE) {
                fail_msg("seed %d: %.2f %.2f %.2f is free, and closed", (int)seed, p.x, p.y, p.z);
            }
            if (first[parts[i]] == UINT32_MAX) {
                first[parts[i]] = part;
            }
            if (parts[i] < UINT8_MAX - 1 && first[parts[i]] != part) {
                fail_msg("seed %d: a way to %.2f %.2f %.2f was missed", (int)seed, p.x, p.y, p.z);
            }
        }
        for (int i = 2; i < UINT8_MAX - 1 && first[i] != UINT32_MAX; i++) {
            joined += first[i] == first[1];
            divided += first[i] != first[1];
        }
        oct_config_space_free(&space);
        free_scene(&s);
    }
    // It would be right, and of no use, if everything were one.
    print_message("%d parts were told apart, %d were not\n", (int)divided, (int)joined);
    assert_true(divided > joined || has_shapes);
    assert_true(divided > 0);
}

static void what_is_connected_is_never_divided(void **state)
{
    (void)state;
    check_divided(false);
}

static void shapes_close_no_more_than_they_touch(void **state)
{
    (void)state;
    check_divided(true);
}

// ---- ways to things ----

static void note(void *ctx, uint32_t part)
{
    ((uint8_t *)ctx)[part] = 1;
}

// Whether a straight way is clear of all but the first entity, for certain.
static bool is_clear(const scene *s, oct_point from, oct_point to)
{
    const double step = 0.01;
    const int steps = (int)(point_length(point_sub(to, from)) / step) + 1;
    const oct_entity *const all = s->entities.items;
    bool is = true;
    for (int i = 0; i <= steps && is; i++) {
        const oct_point p =
            point_add(from, point_scale(point_sub(to, from), (double)i / (double)steps));
        for (size_t k = 1; k < s->entities.count && is; k++) {
            is = from_entity(p, &all[k]) > step;
        }
    }
    return is;
}

// Something turned or upright in the middle of others: whatever has a clear way to it within reach
// is found.
static void straight_ways_are_never_missed(void **state)
{
    (void)state;
    size_t found = 0, left = 0;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        oct_random random = oct_random_seed(seed);
        scene s;
        config_space space;
        init(&s);
        oct_piece thing = {.kind = OCT_PIECE_OBB, .centre = {4, 4, 4}, .half = {0.5, 0.3, 0.4}};
        draw_turn(&random, thing.turn);
        if (seed % 3 == 0) {
            put(&s, (oct_bounds){{3.5, 3.6, 3.7}, {4.5, 4.4, 4.3}}, false);
        } else {
            put_piece(&s, thing, false);
        }
        put_any(&s, &random, 2 + seed % 5);
        for (int i = 0; i < 2 && seed % 2 == 0 && seed % 3 != 0; i++) { // walls in its own frame
            thing.half = (oct_point){2, 2, 0.2};
            thing.centre = oct_piece_world(&thing, (oct_point){0, 0, i == 0 ? -1.2 : 3.4});
            put_piece(&s, thing, false);
        }
        make(&s, &space);
        const oct_entity *const first = s.entities.items;
        const space_aim aim = oct_config_space_aim_at(&space, first, 2.5);
        const oct_point far[8] = {{1, 1, 1}, {7, 1, 1}, {1, 7, 1}, {7, 7, 1},
                                  {1, 1, 7}, {7, 1, 7}, {1, 7, 7}, {7, 7, 7}};
        for (int i = 0; i < 8; i++) {
            (void)part_at(&space, far[i].x, far[i].y, far[i].z);
        }
        for (int i = 0; i < 400; i++) { // all parts get a number
            (void)part_at(&space, draw(&random, SIZE), draw(&random, SIZE), draw(&random, SIZE));
        }
        uint8_t *const visited = test_calloc(space.parts.count + 1, 1);
        assert_int_equal(oct_config_space_around(&space, &aim, note, visited), OCT_OK);
        const size_t parts = space.parts.count;
        for (int i = 0; i < 300; i++) {
            const oct_point from = {4 + draw(&random, 0.2) - 0.1, 4 + draw(&random, 0.2) - 0.1,
                                    4 + draw(&random, 0.2) - 0.1};
            const oct_point to = {draw(&random, SIZE), draw(&random, SIZE), draw(&random, SIZE)};
            const uint32_t part = part_at(&space, to.x, to.y, to.z);
            if (part == PART_NONE || part >= parts || from_entity(to, first) > 2.5) {
                continue;
            }
            const bool is = is_clear(&s, from, to);
            if (is && !visited[part]) {
                fail_msg("seed %d: the way from %.2f %.2f %.2f to %.2f %.2f %.2f was missed",
                         (int)seed, from.x, from.y, from.z, to.x, to.y, to.z);
            }
            found += is;
            left += !visited[part];
        }
        test_free(visited);
        oct_config_space_free(&space);
        free_scene(&s);
    }
    print_message("%d ways were found, %d places are out of reach\n", (int)found, (int)left);
    assert_true(found > 300 && left > 10);
}

// ---- walls of blocks ----

// A wall of blocks across the world, at x from 4 to 4 + thick, but for one opening.
static void put_wall(scene *s, double thick, double block, oct_bounds opening)
{
    for (double y = 0.0; y < SIZE; y += block) {
        for (double z = 0.0; z < SIZE; z += block) {
            const oct_bounds b = {{4, y, z}, {4 + thick, y + block, z + block}};
            const bool is_open = b.min.y < opening.max.y - 1e-9 && b.max.y > opening.min.y + 1e-9 &&
                                 b.min.z < opening.max.z - 1e-9 && b.max.z > opening.min.z + 1e-9;
            if (!is_open) {
                put(s, b, false);
            }
        }
    }
}

static const oct_bounds nowhere = {{0, -9, -9}, {0, -8, -8}};

static void a_wall_of_blocks_has_no_cracks(void **state)
{
    (void)state;
    static const double thicks[] = {0.05, 0.5, 2.5};
    for (size_t i = 0; i < sizeof thicks / sizeof *thicks; i++) {
        scene s;
        config_space space;
        init(&s);
        put_wall(&s, thicks[i], 1.0, nowhere);
        make(&s, &space);
        const uint32_t a = part_at(&space, 1, 1, 1), b = part_at(&space, 7.5, 7.5, 7.5);
        assert_true(a != PART_NONE && b != PART_NONE && a != b);
        oct_config_space_free(&space);
        free_scene(&s);
    }
}

// An opening of one block of 1 m lets a body of 1 m through, as far as anybody can say; one of half
// a metre does not.
static void tight_gaps_are_not_excluded(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        scene s;
        config_space space;
        const double block = i == 0 ? 1.0 : 0.5;
        init(&s);
        put_wall(&s, 0.5, block, (oct_bounds){{0, 3, 3}, {0, 3 + block, 3 + block}});
        make(&s, &space);
        const bool is_same = part_at(&space, 1, 1, 1) == part_at(&space, 7, 7, 7);
        assert_int_equal(is_same, i == 0);
        oct_config_space_free(&space);
        free_scene(&s);
    }
}

// One that was seen to move closes nothing.
static void what_may_be_elsewhere_closes_nothing(void **state)
{
    (void)state;
    scene s;
    config_space space;
    init(&s);
    put(&s, (oct_bounds){{4, -1, -1}, {5, SIZE + 1, SIZE + 1}}, false);
    ((oct_entity *)s.entities.items)->velocity = (oct_point){0, 0, 1};
    make(&s, &space);
    assert_int_equal(part_at(&space, 1, 1, 1), part_at(&space, 7, 7, 7));
    oct_config_space_free(&space);
    free_scene(&s);
}

// A wall of turned blocks of 1 m, with or without an opening of one, and a thing before it: nothing
// leads along seams, neither for a body nor for a hand.
static void a_wall_of_turned_blocks_has_no_cracks(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        oct_random random = oct_random_seed((uint64_t)i + 1);
        scene s;
        config_space space;
        init(&s);
        const double angle = 0.78 * (i + 1) / 20.0, h = sin(angle / 2), n = sqrt(3.0);
        const bool has_opening = i % 2 == 0, is_oblique = i % 3 == 0;
        oct_piece p = {.kind = OCT_PIECE_OBB, .half = {i % 4 == 1 ? 0.25 : 0.5, 0.5, 0.5}};
        p.turn[0] = is_oblique ? h / n : 0;
        p.turn[1] = is_oblique ? h / n : h;
        p.turn[2] = is_oblique ? h / n : 0;
        p.turn[3] = sqrt(1 - h * h);
        const oct_point middle = {4 + draw(&random, 0.3), 4, 4};
        p.centre = middle;
        const oct_piece frame = p;
        p.centre = oct_piece_world(&frame, (oct_point){-p.half.x - 0.3, 2, 0});
        const oct_point half = p.half;
        p.half = (oct_point){0.2, 0.2, 0.2};
        put_piece(&s, p, false); // on the left side, away from the opening
        p.half = half;
        for (int k = 0; k < 15 * 15; k++) {
            const oct_point own = {0, k % 15 - 7, k / 15 - 7};
            p.centre = oct_piece_world(&frame, own);
            if (!has_opening || k != 7 + 15 * 7) {
                put_piece(&s, p, false);
            }
        }
        make(&s, &space);
        const oct_point left = oct_piece_world(&frame, (oct_point){-1.8, 0.4, 0.3});
        const oct_point right = oct_piece_world(&frame, (oct_point){1.8, -0.4, 0.3});
        const uint32_t a = part_at(&space, left.x, left.y, left.z);
        const uint32_t b = part_at(&space, right.x, right.y, right.z);
        assert_true(a != PART_NONE && b != PART_NONE);
        assert_int_equal(a == b, has_opening);
        uint8_t visited[64] = {0};
        assert_true(space.parts.count < sizeof visited);
        const space_aim aim = oct_config_space_aim_at(&space, s.entities.items, 2.6);
        assert_int_equal(oct_config_space_around(&space, &aim, note, visited), OCT_OK);
        assert_true(visited[a]);
        assert_int_equal(visited[b], has_opening);
        oct_config_space_free(&space);
        free_scene(&s);
    }
}

// ---- doors ----

static void a_door_divides_and_joins(void **state)
{
    (void)state;
    scene s;
    config_space space;
    const oct_bounds opening = {{4, 2, 2}, {4.5, 4, 4}};
    init(&s);
    put_wall(&s, 0.5, 2.0, opening);
    put(&s, opening, true);
    make(&s, &space);
    const uint32_t from = part_at(&space, 1, 1, 1), to = part_at(&space, 7, 7, 7);
    assert_true(from != to);
    uint8_t reached[16] = {0}, free_doors[1] = {0};
    assert_true(space.parts.count <= sizeof reached);
    reached[from] = 1;
    oct_config_space_flood(&space, free_doors, reached);
    assert_false(reached[to]);
    free_doors[0] = 1;
    oct_config_space_flood(&space, free_doors, reached);
    assert_true(reached[to]);
    oct_config_space_free(&space);
    free_scene(&s);
}

// ---- seams ----

static void boxes_are_joined_within_their_union(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        oct_random random = oct_random_seed(seed);
        const oct_allocator allocator = oct_allocator_default();
        oct_array boxes = {0}, given = {0};
        for (int i = 0; i < 40; i++) {
            const oct_point at = {(double)oct_random_below(&random, 6),
                                  (double)oct_random_below(&random, 6),
                                  (double)oct_random_below(&random, 6)};
            const oct_bounds b = {at, {at.x + 1, at.y + 1, at.z + 1}};
            assert_int_equal(oct_array_push(&boxes, &allocator, sizeof b, &b), OCT_OK);
            assert_int_equal(oct_array_push(&given, &allocator, sizeof b, &b), OCT_OK);
        }
        assert_int_equal(oct_solid_boxes_join(&boxes, &allocator), OCT_OK);
        for (int i = 0; i < 12 * 12 * 12; i++) {
            const oct_point p = {i % 12 * 0.5 + 0.25, i / 12 % 12 * 0.5 + 0.25,
                                 i / 144 * 0.5 + 0.25};
            bool was = false, is = false;
            for (size_t k = 0; k < given.count; k++) {
                const oct_bounds b = ((const oct_bounds *)given.items)[k];
                was = was || (p.x > b.min.x && p.x < b.max.x && p.y > b.min.y && p.y < b.max.y &&
                              p.z > b.min.z && p.z < b.max.z);
            }
            for (size_t k = 0; k < boxes.count; k++) {
                const oct_bounds b = ((const oct_bounds *)boxes.items)[k];
                is = is || (p.x > b.min.x && p.x < b.max.x && p.y > b.min.y && p.y < b.max.y &&
                            p.z > b.min.z && p.z < b.max.z);
            }
            assert_int_equal(is, was);
        }
        oct_array_free(&boxes, &allocator, sizeof(oct_bounds));
        oct_array_free(&given, &allocator, sizeof(oct_bounds));
    }
}

// ---- what is kept ----

// Something that may or may not change what is solid.
static void change(scene *s, oct_random *random)
{
    oct_entity *const all = s->entities.items;
    oct_entity *const one = &all[oct_random_below(random, (uint32_t)s->entities.count)];
    const double x = draw(random, 6), y = draw(random, 6), z = draw(random, 6);
    switch (oct_random_below(random, 8)) {
    case 0:
        put(s, (oct_bounds){{x, y, z}, {x + 2, y + 2, z + 0.5}}, oct_random_below(random, 2) == 0);
        break;
    case 1:
        put_any(s, random, oct_random_below(random, 2));
        break;
    case 2: // what moves is no longer in the way
        one->thing.box.min.x -= 0.25;
        break;
    case 3:
        oct_history_lose(s->history, one->thing.id);
        break;
    case 4: // a door stays where it is
        one->opening = one->kind == OCT_ENTITY_DOOR ? (double)oct_random_below(random, 2) : 0.0;
        break;
    case 5:
        one->velocity.x = oct_random_below(random, 4) == 0 ? 1.0 : 0.0;
        break;
    case 6: {
        oct_player_body body = oct_player_body_default();
        body.width -= oct_random_below(random, 2) == 0 ? 0.25 : 0.0;
        oct_history_note_body(s->history, &body, false);
        break;
    }
    default: // presses change nothing
        assert_int_equal(oct_history_press(s->history, (oct_button){1, 0}, 1), OCT_OK);
    }
}

static void look_and_log(scene *s)
{
    const oct_player_body body = oct_player_body_default();
    const oct_observation seen = {.entities = s->entities.items, .count = s->entities.count};
    assert_int_equal(oct_history_look(s->history, &s->info, &seen, &seen), OCT_OK);
    assert_int_equal(oct_log_note_look(&s->history->log, &s->info, &body, false, 0, 0, &seen),
                     OCT_OK);
}

typedef struct part_visits {
    uint32_t all[1000], count;
} part_visits;

static void note_first(void *ctx, uint32_t part)
{
    part_visits *const v = ctx;
    bool is_new = true;
    for (uint32_t i = 0; i < v->count; i++) {
        is_new = is_new && v->all[i] != part;
    }
    assert_true(v->count < 1000);
    v->all[v->count] = part;
    v->count += is_new;
}

// The same from a space that is kept as from one that is new.
static void compare_spaces(const scene *s, oct_random *random, config_space *kept,
                           config_space *made)
{
    for (int i = 0; i < 3; i++) {
        const oct_point p = {1.0 + 3 * i, 1.5, 1.5};
        assert_int_equal(part_at(kept, p.x, p.y, p.z), part_at(made, p.x, p.y, p.z));
    }
    assert_int_equal(kept->parts.count, made->parts.count);
    assert_memory_equal(kept->parts.items, made->parts.items,
                        made->parts.count * sizeof(space_part));
    const oct_entity *const all = s->entities.items;
    const uint32_t one = (uint32_t)oct_random_below(random, s->entities.count);
    const space_aim aim = oct_config_space_aim_at(kept, &all[one], 1.0);
    part_visits visits = {.count = 0};
    part_list found;
    assert_int_equal(oct_config_space_around(made, &aim, note_first, &visits), OCT_OK);
    assert_int_equal(oct_space_cache_around(s->history->spaces, &aim, &found), OCT_OK);
    assert_int_equal(found.count, visits.count);
    assert_memory_equal(found.all, visits.all, found.count * sizeof *found.all);
    uint8_t free[PIECES] = {0};
    for (size_t i = 0; i < s->history->doors.count; i++) {
        free[i] = (uint8_t)oct_random_below(random, 2);
    }
    uint8_t *const reached = test_calloc(made->parts.count + 1, 1);
    reached[0] = 1;
    oct_config_space_flood(kept, free, reached);
    unseen_places from_kept, from_made;
    const oct_point at = {4, 4, 4};
    assert_int_equal(oct_config_space_find_unseen(kept, free, reached, 1.0, at, &from_kept),
                     OCT_OK);
    assert_int_equal(oct_config_space_find_unseen(made, free, reached, 1.0, at, &from_made),
                     OCT_OK);
    assert_int_equal(from_kept.count, from_made.count);
    assert_int_equal(from_kept.has_hidden, from_made.has_hidden);
    assert_memory_equal(from_kept.at, from_made.at, from_made.count * sizeof *from_made.at);
    test_free(reached);
}

// A space that is kept tells what a new one does, whatever has happened since it was made; and it
// is kept where that changes nothing.
static void a_kept_space_is_as_a_new_one(void **state)
{
    (void)state;
    size_t kept_count = 0, count = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        oct_random random = oct_random_seed(seed);
        scene s;
        init(&s);
        put(&s, (oct_bounds){{2.5, 0, 0}, {3.0, 8, 8}}, false);
        put_any(&s, &random, seed);
        for (int i = 0; i < 10; i++, count++) {
            config_space *kept, made;
            oct_bounds bounds = s.info.bounds;
            bounds.max.x -= seed == 3 && i == 7 ? 1.0 : 0.0;
            look_and_log(&s);
            assert_int_equal(
                oct_space_cache_take(s.history->spaces, s.history, s.lattice, &bounds, NULL, &kept),
                OCT_OK);
            kept_count += kept->fills[0].free != NULL;
            assert_int_equal(
                oct_config_space_make(&made, s.history, s.lattice, &bounds, NULL, &s.allocator),
                OCT_OK);
            compare_spaces(&s, &random, kept, &made);
            oct_config_space_free(&made);
            change(&s, &random);
        }
        free_scene(&s);
    }
    assert_in_range(kept_count, count / 4, count * 3 / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_connected_is_never_divided),
        cmocka_unit_test(shapes_close_no_more_than_they_touch),
        cmocka_unit_test(straight_ways_are_never_missed),
        cmocka_unit_test(a_wall_of_turned_blocks_has_no_cracks),
        cmocka_unit_test(a_wall_of_blocks_has_no_cracks),
        cmocka_unit_test(tight_gaps_are_not_excluded),
        cmocka_unit_test(what_may_be_elsewhere_closes_nothing),
        cmocka_unit_test(a_door_divides_and_joins),
        cmocka_unit_test(a_kept_space_is_as_a_new_one),
        cmocka_unit_test(boxes_are_joined_within_their_union),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
