// SPDX-License-Identifier: MIT
// Footing as a navigator: ways on foot over what was seen, and places from which more of the ground
// shows.
//
// What it does not find may be there: what is excluded is asked elsewhere.
#include "agent/navigator.h"
#include "agent/room_graph.h"
#include "agent/walker.h"
#include "map/sighted.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"

#include <math.h>

// What a body stands on is this near to its feet, metres; in the air it is as far below as this.
#define NEAR 0.16
#define FALL 1000.0
// Columns around one that cannot be stood in, in which the nearest one is looked for.
#define RING 3
// A place is as good as one that it has looked from within so many cells.
#define LOOKED_CELLS 2
// Cells around the middle of a body in which the air begins.
#define RISE 4

// A thing as it was when the ground was last looked at.
typedef struct ground_thing {
    uint64_t id;
    oct_bounds box;
    uint8_t label;
    bool is_shaped;
    uint64_t stamp;
} ground_thing;

// A place from which it has looked, and how much around it was unknown then.
typedef struct looked_place {
    oct_point feet;
    uint64_t unknown;
} looked_place;

typedef struct foot_navigator {
    oct_allocator allocator;
    const oct_map *map;
    const oct_belief *belief;
    const oct_tree *sighted;
    navigator air; // what is told of rooms and doors
    oct_footing *footing;
    oct_walker walker;
    oct_up up;
    double half;      // of the body's height
    oct_array things; // of ground_thing
    key_table ids;
    uint64_t stamp;
    bool is_new;      // something was taken in
    oct_array looked; // of looked_place
    oct_array points; // of oct_point: of the last path
    oct_array seeds;  // of oct_point: places that rooms were asked of
} foot_navigator;

// ---- life ----

static void destroy(void *self)
{
    foot_navigator *const n = self;
    if (!n) {
        return;
    }
    const oct_allocator allocator = n->allocator;
    if (n->air.kind) {
        n->air.kind->destroy(n->air.self);
    }
    oct_footing_destroy(n->footing);
    oct_array_free(&n->things, &allocator, sizeof(ground_thing));
    oct_key_table_free(&n->ids, &allocator);
    oct_array_free(&n->looked, &allocator, sizeof(looked_place));
    oct_array_free(&n->points, &allocator, sizeof(oct_point));
    oct_array_free(&n->seeds, &allocator, sizeof(oct_point));
    oct_free(&allocator, n, sizeof *n);
}

// Nobody stands on what harms, moves, can be taken, or is only there to keep away from.
static bool is_ground(void *ctx, const oct_thing *thing)
{
    const foot_navigator *const n = ctx;
    uint32_t index;
    if (!oct_belief_find(n->belief, thing->id, &index)) {
        return false;
    }
    const oct_entity *const e = &oct_belief_get(n->belief, index)->now;
    return (e->kind == OCT_ENTITY_SOLID || e->kind == OCT_ENTITY_DOOR ||
            e->kind == OCT_ENTITY_BUTTON || e->kind == OCT_ENTITY_GOAL) &&
           point_length(e->velocity) == 0.0;
}

static oct_result make(foot_navigator *n, const navigator_def *def)
{
    oct_footing_def footing = oct_footing_def_default();
    footing.map = def->map;
    footing.known = n->sighted;
    footing.bounds = def->bounds;
    footing.up = def->info->up;
    footing.walker = n->walker;
    footing.is_ground = is_ground;
    footing.ctx = n;
    footing.allocator = &n->allocator;
    OCT_TRY(oct_footing_create(&footing, &n->footing));
    const oct_result result = oct_navigator_octree.create(def, &n->air.self);
    n->air.kind = result == OCT_OK ? &oct_navigator_octree : NULL;
    return result;
}

static oct_result create(const navigator_def *def, void **self)
{
    *self = NULL;
    if (!def->belief || !def->info || !def->body || !oct_map_sighted(def->map)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    foot_navigator *const n = oct_alloc(&allocator, sizeof *n, _Alignof(foot_navigator));
    if (!n) {
        return OCT_ERROR_MEMORY;
    }
    const double cell = oct_tree_cell_size(oct_map_tree(def->map));
    *n = (foot_navigator){.allocator = allocator,
                          .map = def->map,
                          .belief = def->belief,
                          .sighted = oct_map_sighted(def->map),
                          .walker = oct_walker_of(def->body, def->info, cell),
                          .up = def->info->up,
                          .half = def->body->height / 2.0,
                          .is_new = true};
    const oct_result result = make(n, def);
    if (result != OCT_OK) {
        destroy(n);
        return result;
    }
    *self = n;
    return OCT_OK;
}

static oct_point raised(const foot_navigator *n, oct_point at, double by)
{
    return oct_walker_raised(at, n->up, by);
}

// ---- what it takes in ----

static oct_result observe(void *self, const oct_thing *things, size_t count)
{
    (void)things, (void)count;
    ((foot_navigator *)self)->is_new = true;
    return OCT_OK;
}

static oct_result put(void *self, const oct_thing *thing)
{
    (void)thing;
    ((foot_navigator *)self)->is_new = true;
    return OCT_OK;
}

static oct_result forget(void *self, uint64_t id)
{
    (void)id;
    ((foot_navigator *)self)->is_new = true;
    return OCT_OK;
}

typedef struct comparison {
    foot_navigator *navigator;
    oct_result result;
} comparison;

static oct_result note_thing(foot_navigator *n, const oct_thing *t)
{
    const lattice_key key = {(int32_t)(uint32_t)t->id, (int32_t)(uint32_t)(t->id >> 32), 0, 0};
    const ground_thing now = {t->id, t->box, t->label, t->shape != NULL, n->stamp};
    OCT_TRY(oct_key_table_reserve(&n->ids, &n->allocator, 1));
    key_slot *const slot = key_table_slot(&n->ids, key);
    if (!key_slot_is_used(&n->ids, slot)) {
        OCT_TRY(oct_array_push(&n->things, &n->allocator, sizeof now, &now));
        key_slot_fill(&n->ids, slot, key, (uint32_t)n->things.count - 1);
        oct_footing_change(n->footing, t->box);
        return OCT_OK;
    }
    ground_thing *const was = (ground_thing *)n->things.items + slot->value;
    if (!is_same_bounds(&was->box, &now.box) || was->label != now.label ||
        was->is_shaped != now.is_shaped || was->stamp + 1 < n->stamp) {
        oct_footing_change(n->footing, was->box);
        oct_footing_change(n->footing, now.box);
    }
    *was = now;
    return OCT_OK;
}

static bool compare(void *ctx, const oct_thing *thing)
{
    comparison *const c = ctx;
    c->result = note_thing(c->navigator, thing);
    return c->result == OCT_OK;
}

// Tells the footing of all that has changed since it was last asked.
static oct_result catch_up(foot_navigator *n)
{
    if (!n->is_new) {
        return OCT_OK;
    }
    const oct_box all = oct_tree_extent(oct_map_tree(n->map), OCT_HAS_OPEN | OCT_HAS_BLOCKED);
    comparison c = {.navigator = n};
    n->stamp++;
    (void)oct_map_things_in(n->map, all, compare, &c);
    OCT_TRY(c.result);
    for (size_t i = 0; i < n->things.count; i++) {
        const ground_thing *const was = (const ground_thing *)n->things.items + i;
        if (was->stamp + 1 == n->stamp) { // it has gone
            oct_footing_change(n->footing, was->box);
        }
    }
    n->is_new = false;
    return OCT_OK;
}

// ---- places ----

static oct_result find_in(foot_navigator *n, oct_point centre, double above, double below,
                          oct_foothold *out, bool *found)
{
    return oct_footing_find(n->footing, raised(n, centre, -n->half), above, below, out, found);
}

// Where a body is that is at a point: in its own column, or, beside walls and edges, the nearest
// one that can be stood in.
static oct_result find_start(foot_navigator *n, oct_point centre, oct_foothold *out, bool *found)
{
    const double cell = oct_tree_cell_size(oct_map_tree(n->map));
    const double near = fmax(NEAR * n->half, n->walker.step);
    OCT_TRY(find_in(n, centre, near, near, out, found));
    if (*found) {
        return OCT_OK;
    }
    double least = HUGE_VAL;
    oct_foothold best = {.number = 0};
    for (int i = -RING; i <= RING; i++) {
        for (int j = -RING; j <= RING; j++) {
            const oct_point by = n->up == OCT_UP_X   ? (oct_point){0, i * cell, j * cell}
                                 : n->up == OCT_UP_Y ? (oct_point){i * cell, 0, j * cell}
                                                     : (oct_point){i * cell, j * cell, 0};
            oct_foothold hold;
            bool is;
            OCT_TRY(find_in(n, point_add(centre, by), near, near, &hold, &is));
            const double away =
                is ? point_length(point_sub(raised(n, hold.feet, n->half), centre)) : HUGE_VAL;
            if (away < least) {
                least = away;
                best = hold;
            }
        }
    }
    *found = least < HUGE_VAL;
    *out = best;
    return *found ? OCT_OK : find_in(n, centre, near, FALL, out, found);
}

static oct_result begin(foot_navigator *n, oct_point from, oct_foothold *start, bool *found)
{
    OCT_TRY(catch_up(n));
    OCT_TRY(find_start(n, from, start, found));
    return *found ? oct_footing_flood(n->footing, start) : OCT_OK;
}

// How much around a place was not seen.
static uint64_t unknown_around(const foot_navigator *n, oct_point feet)
{
    const oct_tree *const tree = n->sighted;
    const double by = n->walker.radius + 2.0 * oct_tree_cell_size(tree);
    const double top = n->walker.height + fmax(n->walker.climb, n->walker.step);
    oct_point lo = {feet.x - by, feet.y - by, feet.z - by};
    oct_point hi = {feet.x + by, feet.y + by, feet.z + by};
    lo = raised(n, lo, by);
    hi = raised(n, hi, top - by);
    oct_box box;
    uint64_t counts[3];
    if (!oct_tree_cell_at(tree, lo, &box.min) || !oct_tree_cell_at(tree, hi, &box.max) ||
        oct_tree_count(tree, box, counts) != OCT_OK) {
        return 0;
    }
    return counts[OCT_UNKNOWN];
}

static bool was_looked_from(const foot_navigator *n, oct_point feet)
{
    const double near = LOOKED_CELLS * oct_tree_cell_size(n->sighted);
    uint64_t unknown = 0;
    bool is = false, is_counted = false;
    for (size_t i = 0; i < n->looked.count && !is; i++) {
        const looked_place *const l = (const looked_place *)n->looked.items + i;
        if (point_length(point_sub(l->feet, feet)) <= near) {
            unknown = is_counted ? unknown : unknown_around(n, l->feet);
            is = unknown_around(n, l->feet) == l->unknown;
            is_counted = true;
        }
    }
    return is;
}

static bool is_frontier(foot_navigator *n, const oct_foothold *hold)
{
    return oct_footing_is_edge_of_known(n->footing, hold) && !was_looked_from(n, hold->feet);
}

static oct_result arrive(void *self, oct_point at)
{
    foot_navigator *const n = self;
    oct_foothold hold;
    bool found;
    OCT_TRY(catch_up(n));
    OCT_TRY(find_start(n, at, &hold, &found));
    if (!found) {
        return OCT_OK;
    }
    const looked_place new = {hold.feet, unknown_around(n, hold.feet)};
    for (size_t i = 0; i < n->looked.count; i++) {
        looked_place *const l = (looked_place *)n->looked.items + i;
        if (point_length(point_sub(l->feet, new.feet)) < 1e-6 * n->walker.height) {
            *l = new;
            return OCT_OK;
        }
    }
    return oct_array_push(&n->looked, &n->allocator, sizeof new, &new);
}

// ---- ways ----

static oct_result add_point(foot_navigator *n, oct_point at)
{
    return oct_array_push(&n->points, &n->allocator, sizeof at, &at);
}

static oct_result fill_path(foot_navigator *n, oct_point from, const oct_foothold *start,
                            const oct_foothold *to, oct_exploration *out)
{
    const oct_footing_leg *legs;
    size_t count;
    OCT_TRY(oct_footing_way(n->footing, to, &legs, &count, &out->path.length));
    n->points.count = 0;
    OCT_TRY(add_point(n, from));
    OCT_TRY(add_point(n, raised(n, start->feet, n->half)));
    for (size_t i = 0; i < count; i++) {
        OCT_TRY(add_point(n, raised(n, legs[i].to, n->half)));
    }
    out->path.status = OCT_PATH_FOUND;
    out->path.points = n->points.items;
    out->path.point_count = (uint32_t)n->points.count;
    return OCT_OK;
}

// Of the frontier that which is best by the way there and, if there is an aim, the line on to it.
static bool best_frontier(foot_navigator *n, const oct_point *aim, oct_foothold *out)
{
    double best = HUGE_VAL;
    const size_t count = oct_footing_reached(n->footing);
    for (size_t i = 0; i < count; i++) {
        double length;
        const oct_foothold hold = oct_footing_reached_at(n->footing, i, &length);
        const double on = aim ? point_length(point_sub(*aim, hold.feet)) : 0.0;
        if (length + on < best && is_frontier(n, &hold)) {
            best = length + on;
            *out = hold;
        }
        if (!aim && best < HUGE_VAL) {
            break; // they come in the order of their ways
        }
    }
    return best < HUGE_VAL;
}

static oct_result go_to_frontier(foot_navigator *n, oct_point from, const oct_foothold *start,
                                 const oct_foothold *to, oct_exploration *out)
{
    const oct_tree *const tree = oct_map_tree(n->map);
    const oct_point centre = raised(n, to->feet, n->half);
    OCT_TRY(fill_path(n, from, start, to, out));
    if (!oct_tree_cell_at(tree, centre, &out->frontier)) {
        return OCT_ERROR_RANGE;
    }
    out->status = OCT_EXPLORE_GO;
    out->leaf = oct_tree_leaf(tree, out->frontier);
    out->chosen = (oct_candidate){.cell = out->frontier, .at = centre};
    return OCT_OK;
}

static oct_result path(void *self, oct_point from, oct_point to, oct_exploration *out)
{
    foot_navigator *const n = self;
    oct_foothold start, end, best;
    bool found, is_there;
    double length;
    // It may always be that more is seen later.
    *out = (oct_exploration){.status = OCT_EXPLORE_UNREACHABLE, .is_hidden = true};
    OCT_TRY(begin(n, from, &start, &found));
    if (!found) {
        return OCT_OK;
    }
    OCT_TRY(find_in(n, to, n->half, n->half, &end, &is_there));
    if (is_there && oct_footing_reaches(n->footing, &end, &length)) {
        out->status = OCT_EXPLORE_ARRIVE;
        out->why = OCT_WHY_WAY_KNOWN;
        return fill_path(n, from, &start, &end, out);
    }
    if (!best_frontier(n, &to, &best)) {
        return OCT_OK;
    }
    out->why = OCT_WHY_ON_WAY;
    return go_to_frontier(n, from, &start, &best, out);
}

static bool connects(void *self, oct_point a, oct_point b)
{
    foot_navigator *const n = self;
    oct_foothold start, end;
    bool found, is_there;
    double length;
    return begin(n, a, &start, &found) == OCT_OK && found &&
           find_in(n, b, n->half, n->half, &end, &is_there) == OCT_OK && is_there &&
           oct_footing_reaches(n->footing, &end, &length);
}

static oct_result explore(void *self, oct_point from, oct_exploration *out)
{
    foot_navigator *const n = self;
    oct_foothold start, best;
    bool found;
    *out = (oct_exploration){.status = OCT_EXPLORE_EXPLORED};
    OCT_TRY(begin(n, from, &start, &found));
    if (!found || !best_frontier(n, NULL, &best)) {
        return OCT_OK;
    }
    out->why = OCT_WHY_SHORTEST;
    return go_to_frontier(n, from, &start, &best, out);
}

static bool shows(void *self, oct_vec frontier)
{
    foot_navigator *const n = self;
    oct_foothold hold;
    bool found;
    const oct_point at = oct_tree_centre(oct_map_tree(n->map), frontier);
    return catch_up(n) == OCT_OK && find_in(n, at, n->half, n->half, &hold, &found) == OCT_OK &&
           found && is_frontier(n, &hold);
}

static oct_result remains(void *self, oct_point from, oct_remains *out)
{
    foot_navigator *const n = self;
    oct_foothold start;
    bool found;
    *out = (oct_remains){0};
    OCT_TRY(begin(n, from, &start, &found));
    const size_t count = found ? oct_footing_reached(n->footing) : 0;
    out->open = count;
    for (size_t i = 0; i < count; i++) {
        double length;
        const oct_foothold hold = oct_footing_reached_at(n->footing, i, &length);
        if (oct_footing_is_edge_of_known(n->footing, &hold)) {
            *(was_looked_from(n, hold.feet) ? &out->hidden : &out->frontier) += 1;
        }
    }
    return OCT_OK;
}

static oct_label label(void *self, oct_point at)
{
    foot_navigator *const n = self;
    oct_foothold hold;
    bool found = false;
    const double near = NEAR * n->half;
    if (catch_up(n) != OCT_OK || find_in(n, at, near, near, &hold, &found) != OCT_OK || found) {
        return found ? OCT_OPEN : OCT_UNKNOWN;
    }
    return oct_tree_label_at(n->sighted, at) == OCT_UNKNOWN ? OCT_UNKNOWN : OCT_BLOCKED;
}

static oct_point stand(void *self, oct_point at, double within)
{
    foot_navigator *const n = self;
    oct_foothold hold;
    bool found;
    const bool is =
        catch_up(n) == OCT_OK && find_in(n, at, within, within, &hold, &found) == OCT_OK && found;
    return is ? raised(n, hold.feet, n->half) : at;
}

static oct_footing *footing(void *self)
{
    return ((foot_navigator *)self)->footing;
}

// ---- what doors would change ----

// The nearest place in the air: what stands is inside the ground, and may be inside walls, as the
// map grows them.
static oct_point in_air(const foot_navigator *n, oct_point at)
{
    const oct_tree *const tree = oct_map_tree(n->map);
    const double cell = oct_tree_cell_size(tree);
    const int side = 2 * RISE + 1;
    oct_point best = at;
    double least = HUGE_VAL;
    for (int i = 0; i < side * side * side; i++) {
        const oct_point by = {(i % side - RISE) * cell, (i / side % side - RISE) * cell,
                              (i / (side * side) - RISE) * cell};
        const double away = point_dot(by, by);
        if (away < least && oct_tree_label_at(tree, point_add(at, by)) == OCT_OPEN) {
            least = away;
            best = point_add(at, by);
        }
    }
    return best;
}

// So presses are planned as if the body flew; what that is worth shows on the way.
static oct_result make_rooms(void *self, const oct_belief *belief, const oct_point *seeds,
                             size_t count, room_graph *out)
{
    foot_navigator *const n = self;
    *out = (room_graph){.allocator = n->allocator};
    n->seeds.count = 0;
    for (size_t i = 0; i < count; i++) {
        const oct_point at = in_air(n, seeds[i]);
        OCT_TRY(oct_array_push(&n->seeds, &n->allocator, sizeof at, &at));
    }
    return n->air.kind->room_graph(n->air.self, belief, n->seeds.items, count, out);
}

static oct_result suppose_nothing(void *self, const uint64_t *doors, size_t count, bool *can)
{
    (void)self, (void)doors, (void)count;
    *can = false;
    return OCT_OK;
}

const oct_navigator_kind oct_navigator_foot = {
    .create = create,
    .destroy = destroy,
    .observe = observe,
    .put = put,
    .remove = forget,
    .arrive = arrive,
    .path = path,
    .connects = connects,
    .explore = explore,
    .shows = shows,
    .remains = remains,
    .label = label,
    .stand = stand,
    .footing = footing,
    .room_graph = make_rooms,
    .suppose_open = suppose_nothing,
    .label_if = label,
};
