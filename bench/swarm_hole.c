// SPDX-License-Identifier: MIT
// The hole, by a crowd and by a force.
//
// He and Hung 2016 let units follow their paths under "an invisible force" that keeps them apart,
// and find a short path to the next waypoint when one is blocked, too far off, or once a second.
// They do not say which force. Here it grows with what is missing of a gap of one radius, up to a
// unit's full speed where two touch; it is added to the velocity along the path, and the sum cut to
// the full speed. Moves are made only where the line is free, else along the axes that are: so
// that, as in a crowd, nobody enters a wall.
#include "bench/swarm_hole.h"
#include "octant/line.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"
#include "octant/crowd.h"
#include "octant/map.h"

#include <math.h>
#include <stdlib.h>

#define UNITS 200
#define RADIUS 0.5
#define SPEED 4.0 // metres a second
#define TICKS_PER_SECOND 20
#define TICKS_MAX 3000
#define CELL 0.5
#define FAR 12.0  // half of the wall's edge
#define HOLE 3.0  // half of the hole's
#define POINTS 32 // of a path
#define DEEP 1e-3 // metres

// ---- the scene ----

static oct_result make_map(oct_map **out)
{
    const oct_bounds walls[] = {{{-0.5, -FAR, -FAR}, {0.5, -HOLE, FAR}},
                                {{-0.5, HOLE, -FAR}, {0.5, FAR, FAR}},
                                {{-0.5, -HOLE, -FAR}, {0.5, HOLE, -HOLE}},
                                {{-0.5, -HOLE, HOLE}, {0.5, HOLE, FAR}}};
    oct_map_def def = oct_map_def_default();
    def.cell_size = CELL;
    def.padding = (oct_point){RADIUS, RADIUS, RADIUS};
    OCT_TRY(oct_map_create(&def, out));
    OCT_TRY(oct_map_set_world_box(*out, (oct_bounds){{-30, -FAR, -FAR}, {30, FAR, FAR}},
                                  OCT_COVER_INSIDE, OCT_MARK_OPEN));
    for (uint64_t i = 0; i < sizeof walls / sizeof walls[0]; i++) {
        const oct_thing wall = {.id = i, .box = walls[i], .label = OCT_BLOCKED};
        OCT_TRY(oct_map_add(*out, &wall));
    }
    return OCT_OK;
}

// Two blocks of units on either side; everyone wants to where its opposite is.
static oct_point start_of(int i)
{
    const int k = i / 2;
    return (oct_point){(i % 2 ? 1 : -1) * (8.0 + k / 25 * 1.5), (k / 5 % 5 - 2) * 1.6,
                       (k % 5 - 2) * 1.6};
}

static oct_point goal_of(int i)
{
    const oct_point at = start_of(i);
    return (oct_point){-at.x, at.y, at.z};
}

static double length_of(oct_point a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static void count_overlaps(const oct_point *at, hole_result *out)
{
    for (int i = 0; i < UNITS; i++) {
        for (int k = 0; k < i; k++) {
            const double deep = 2.0 * RADIUS - length_of(point_sub(at[i], at[k]));
            out->overlaps += deep > DEEP;
            out->deepest_m = deep > out->deepest_m ? deep : out->deepest_m;
        }
    }
}

// ---- a crowd ----

static oct_result run_crowd(const oct_map *map, oct_crowd **crowd, hole_result *out)
{
    oct_unit units[UNITS];
    oct_point at[UNITS];
    oct_crowd_def def = oct_crowd_def_default();
    def.tree = oct_map_tree(map);
    def.ticks_per_second = TICKS_PER_SECOND;
    OCT_TRY(oct_crowd_create(&def, crowd));
    for (int i = 0; i < UNITS; i++) {
        const oct_unit_def body = {start_of(i), RADIUS, SPEED};
        OCT_TRY(oct_crowd_add(*crowd, &body, &units[i]));
        OCT_TRY(oct_crowd_send(*crowd, units[i], goal_of(i), 0.0));
    }
    while (out->arrived < UNITS && out->ticks < TICKS_MAX) {
        OCT_TRY(oct_crowd_step(*crowd));
        out->ticks++;
        out->arrived = 0;
        for (int i = 0; i < UNITS; i++) {
            oct_unit_state state;
            oct_crowd_state(*crowd, units[i], &state);
            at[i] = state.at;
            out->arrived += state.status == OCT_UNIT_ARRIVED;
        }
        count_overlaps(at, out);
    }
    return OCT_OK;
}

oct_result oct_swarm_hole_crowd(hole_result *out)
{
    *out = (hole_result){.ticks = 0};
    oct_map *map = NULL;
    oct_crowd *crowd = NULL;
    oct_result result = make_map(&map);
    if (result == OCT_OK) {
        result = run_crowd(map, &crowd, out);
    }
    oct_crowd_destroy(crowd);
    oct_map_destroy(map);
    return result;
}

// ---- a force ----

typedef struct pushed {
    oct_point at;
    oct_point path[POINTS];
    int next, count;
    bool has_arrived;
} pushed;

typedef struct force_field {
    const oct_tree *tree;
    oct_planner *planner;
    pushed units[UNITS];
    oct_point wanted[UNITS];
} force_field;

static bool sees(const force_field *f, oct_point a, oct_point b)
{
    oct_fine from, to;
    return oct_tree_fine_at(f->tree, a, &from) && oct_tree_fine_at(f->tree, b, &to) &&
           oct_tree_line_of_sight(f->tree, NULL, from, to);
}

// A path to a point, before what is left of the old one after it.
static oct_result find_path(force_field *f, pushed *u, oct_point to)
{
    oct_query query = oct_query_default();
    oct_path path;
    query.from = u->at;
    query.to = to;
    query.grade = OCT_GRADE_FAST;
    OCT_TRY(oct_planner_plan(f->planner, &query, &path));
    oct_point rest[POINTS];
    int left = 0, count = 0;
    for (int i = u->next + 1; i < u->count; i++) {
        rest[left++] = u->path[i];
    }
    for (uint32_t i = 1; i < path.point_count && count < POINTS; i++) {
        u->path[count++] = path.points[i];
    }
    for (int i = 0; i < left && count < POINTS; i++) {
        u->path[count++] = rest[i];
    }
    u->next = 0;
    u->count = count;
    return OCT_OK;
}

static oct_point push_of(const force_field *f, int i)
{
    const double step = SPEED / TICKS_PER_SECOND;
    oct_point sum = {0, 0, 0};
    for (int k = 0; k < UNITS; k++) {
        const oct_point away = point_sub(f->units[i].at, f->units[k].at);
        const double distance = length_of(away);
        const double gap = distance - 2.0 * RADIUS;
        if (k != i && distance > 0.0 && gap < RADIUS) {
            const double force = step * (1.0 - (gap > 0.0 ? gap : 0.0) / RADIUS) / distance;
            sum =
                (oct_point){sum.x + away.x * force, sum.y + away.y * force, sum.z + away.z * force};
        }
    }
    return sum;
}

static oct_point cut(oct_point v, double most)
{
    const double length = length_of(v);
    const double by = length > most ? most / length : 1.0;
    return (oct_point){v.x * by, v.y * by, v.z * by};
}

static oct_result decide(force_field *f, int i, uint32_t tick)
{
    pushed *const u = &f->units[i];
    const double step = SPEED / TICKS_PER_SECOND;
    while (u->next + 1 < u->count && sees(f, u->at, u->path[u->next + 1])) {
        u->next++;
    }
    if ((tick + (uint32_t)i) % TICKS_PER_SECOND == 0 && !sees(f, u->at, u->path[u->next])) {
        OCT_TRY(find_path(f, u, u->path[u->next]));
    }
    const oct_point way = point_sub(u->path[u->next], u->at);
    u->has_arrived |= u->next + 1 == u->count && length_of(way) < 0.01;
    const oct_point along = cut(way, step), push = push_of(f, i);
    f->wanted[i] = cut((oct_point){along.x + push.x, along.y + push.y, along.z + push.z}, step);
    return OCT_OK;
}

// The move, or as many of its axes as are free.
static void move(force_field *f, int i)
{
    static const int masks[] = {7, 6, 5, 3, 4, 2, 1};
    pushed *const u = &f->units[i];
    for (size_t k = 0; k < sizeof masks / sizeof masks[0]; k++) {
        const oct_point to = {u->at.x + (masks[k] & 1 ? f->wanted[i].x : 0.0),
                              u->at.y + (masks[k] & 2 ? f->wanted[i].y : 0.0),
                              u->at.z + (masks[k] & 4 ? f->wanted[i].z : 0.0)};
        if (sees(f, u->at, to)) {
            u->at = to;
            return;
        }
    }
}

static oct_result run_force(force_field *f, hole_result *out)
{
    oct_point at[UNITS];
    for (int i = 0; i < UNITS; i++) {
        f->units[i].at = start_of(i);
        OCT_TRY(find_path(f, &f->units[i], goal_of(i)));
    }
    while (out->arrived < UNITS && out->ticks < TICKS_MAX) {
        for (int i = 0; i < UNITS; i++) {
            OCT_TRY(decide(f, i, out->ticks));
        }
        out->arrived = 0;
        out->ticks++;
        for (int i = 0; i < UNITS; i++) {
            move(f, i);
            at[i] = f->units[i].at;
            out->arrived += f->units[i].has_arrived;
        }
        count_overlaps(at, out);
    }
    return OCT_OK;
}

oct_result oct_swarm_hole_force(hole_result *out)
{
    *out = (hole_result){.ticks = 0};
    oct_map *map = NULL;
    force_field *const f = calloc(1, sizeof *f);
    if (!f) {
        return OCT_ERROR_MEMORY;
    }
    oct_result result = make_map(&map);
    if (result == OCT_OK) {
        oct_planner_def def = oct_planner_def_default();
        f->tree = def.tree = oct_map_tree(map);
        result = oct_planner_create(&def, &f->planner);
    }
    if (result == OCT_OK) {
        result = run_force(f, out);
    }
    oct_planner_destroy(f->planner);
    oct_map_destroy(map);
    free(f);
    return result;
}
