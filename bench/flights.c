// SPDX-License-Identifier: MIT
#include "bench/flights.h"
#include "agent/speed_profile.h"
#include "game/block_probe.h"
#include "octant/tree.h"
#include "world/world_internal.h"

#include "agent/drift_volumes.h"
#include "agent/look.h"
#include "bench/bench.h"
#include "geom/geom_internal.h"
#include "octant/block_world.h"
#include "octant/components.h"
#include "octant/search.h"

#include <math.h>

// A flight that takes longer than this has failed, ticks.
#define FLIGHT_MAX (180u * OCT_BLOCK_WORLD_RATE)
// What drifts keeps the room that it needs for so long, seconds: what it takes to hear of it and to
// stop, and to get out of its way.
#define LEAD 5.0
#define SPARE 4.0
// Ticks between two looks at it, at least.
#define LOOK_TICKS 15
// What a metre through such a room costs who is in one.
#define OUT_PRICE 16.0
// Ids of closed lanes, beside those of blocks.
#define LANE_ID UINT64_C(0x5bd1e9955bd1e995)
// Places that are looked at by who has to leave its own.
#define REFUGES 100
#define TRIES 1000
// Where a flight has come to its end, metres from the goal.
#define ARRIVED 0.3
#define AT_REST 0.05

// A leaf, and the volume of all up to it.
typedef struct place_range {
    oct_leaf leaf;
    double up_to; // cells
} place_range;

typedef struct flights {
    const flights_def *def;
    oct_game *game;
    const oct_player_body *body;
    oct_map *map;
    oct_components *components;
    oct_planner *planner;
    oct_pilot *pilot;
    oct_random random;
    oct_array leaves;    // of place_range: what was OPEN at first
    double volume;       // of all of them, cells
    bool drifts;         // something does
    drift_volumes drift; // of what drifts
    look_state look;
    oct_array path;  // of oct_point
    oct_point to;    // its end
    uint64_t looked; // the tick of the last look
    uint64_t rests;  // the tick since which the body has been there, at rest; 0 = it is not
    flights_result *out;
} flights;

// ---- places ----

static bool keep_leaf(void *ctx, const oct_leaf *leaf)
{
    flights *const f = ctx;
    const oct_allocator heap = oct_allocator_default();
    const double edge = (double)(INT64_C(1) << leaf->level);
    f->volume += edge * edge * edge;
    const place_range range = {*leaf, f->volume};
    return oct_array_push(&f->leaves, &heap, sizeof range, &range) == OCT_OK;
}

// A point of a leaf that was OPEN at first, each as likely as it is large.
static oct_point random_point(flights *f)
{
    const place_range *const ranges = f->leaves.items;
    const double drawn = oct_random_unit(&f->random) * f->volume;
    size_t lo = 0, hi = f->leaves.count - 1;
    while (lo < hi) {
        const size_t middle = (lo + hi) / 2;
        if (ranges[middle].up_to > drawn) {
            hi = middle;
        } else {
            lo = middle + 1;
        }
    }
    const oct_leaf c = ranges[lo].leaf;
    const double edge = FLIGHTS_CELL * (double)(INT64_C(1) << c.level);
    const double x = oct_random_unit(&f->random), y = oct_random_unit(&f->random);
    const double z = oct_random_unit(&f->random);
    return (oct_point){c.x * FLIGHTS_CELL + x * edge, c.y * FLIGHTS_CELL + y * edge,
                       c.z * FLIGHTS_CELL + z * edge};
}

static bool is_open(const flights *f, oct_point at, oct_vec *cell)
{
    return oct_tree_cell_at(oct_map_tree(f->map), at, cell) &&
           oct_tree_label(oct_map_tree(f->map), *cell) == OCT_OPEN;
}

static oct_point random_direction(flights *f)
{
    for (;;) {
        const double x = 2.0 * oct_random_unit(&f->random) - 1.0;
        const double y = 2.0 * oct_random_unit(&f->random) - 1.0;
        const double z = 2.0 * oct_random_unit(&f->random) - 1.0;
        const double size = point_length((oct_point){x, y, z});
        if (size > 0.1 && size < 1.0) {
            return (oct_point){x / size, y / size, z / size};
        }
    }
}

// Puts the body at rest with its centre at a point, in a random orientation.
static oct_result put_body(flights *f, oct_point centre)
{
    oct_pose pose = {.up = random_direction(f)};
    oct_point side = point_cross(random_direction(f), pose.up);
    while (point_length(side) < 0.1) {
        side = point_cross(random_direction(f), pose.up);
    }
    const double size = point_length(side), half = OCT_BLOCK_WORLD_HEIGHT / 2.0;
    pose.forward = (oct_point){side.x / size, side.y / size, side.z / size};
    pose.position = (oct_point){centre.x - half * pose.up.x, centre.y - half * pose.up.y,
                                centre.z - half * pose.up.z};
    const oct_action flies = {.verb = OCT_VERB_DO, .name = "jetpack", .on = true};
    const oct_action waits = {.verb = OCT_VERB_WAIT, .ticks = 1};
    OCT_TRY(oct_block_world_teleport(f->game, 0, &pose, (oct_point){0, 0, 0}));
    OCT_TRY(oct_game_act(f->game, 0, &flies, NULL));
    return oct_game_act(f->game, 0, &waits, NULL);
}

// ---- what drifts ----

// Gives what drifts the room that it will need for so long, seconds. One may get out of such a
// room, so it is UNKNOWN, but not through what drifts.
static oct_result make_room(flights *f, double lead)
{
    for (size_t i = 0; i < oct_drift_volumes_count(&f->drift); i++) {
        const oct_thing room = oct_drift_volumes_get(&f->drift, i, lead, OCT_UNKNOWN);
        OCT_TRY(oct_map_put(f->map, &room));
    }
    return OCT_OK;
}

// Observes, and leaves what drifts its room.
static oct_result look(flights *f)
{
    const oct_allocator heap = oct_allocator_default();
    oct_observation seen;
    f->looked = oct_game_tick(f->game);
    OCT_TRY(
        oct_look_around(&f->look, &heap, f->game, 0, oct_game_describe(f->game), f->map, &seen));
    oct_drift_volumes_clear(&f->drift);
    for (size_t i = 0; i < seen.count; i++) {
        OCT_TRY(oct_drift_volumes_note(&f->drift, &heap, &seen.entities[i]));
    }
    return make_room(f, LEAD);
}

// ---- ways ----

static oct_result plan(flights *f, oct_point from, oct_point to, bool *found)
{
    oct_query query = oct_query_default();
    oct_path path;
    query.from = from;
    query.to = to;
    oct_vec cell;
    if (!is_open(f, from, &cell)) {
        query.terms.unknown = OCT_UNKNOWN_PRICED;
        query.terms.unknown_price = OUT_PRICE;
    }
    // The way keeps off what drifts for longer than it has to: it is not closed with the next look.
    OCT_TRY(make_room(f, LEAD + SPARE));
    OCT_TRY(oct_components_update(f->components));
    OCT_TRY(oct_planner_plan(f->planner, &query, &path));
    OCT_TRY(make_room(f, LEAD));
    *found = path.status == OCT_PATH_FOUND && !path.enters_blocked;
    if (!*found) {
        return OCT_OK;
    }
    const oct_allocator heap = oct_allocator_default();
    OCT_TRY(oct_array_reserve(&f->path, &heap, sizeof *path.points, path.point_count));
    memcpy(f->path.items, path.points, path.point_count * sizeof *path.points);
    f->path.count = path.point_count;
    return oct_pilot_follow(f->pilot, path.points, path.point_count);
}

// ---- a flight ----

static double from_path(const flights *f, oct_point at)
{
    const oct_point *const points = f->path.items;
    double best = point_length(point_sub(at, points[0]));
    for (size_t i = 1; i < f->path.count; i++) {
        const oct_point by = point_sub(points[i], points[i - 1]), to = point_sub(at, points[i - 1]);
        const double square = by.x * by.x + by.y * by.y + by.z * by.z;
        double part = square > 0.0 ? (to.x * by.x + to.y * by.y + to.z * by.z) / square : 0.0;
        part = part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
        const double away =
            point_length((oct_point){to.x - part * by.x, to.y - part * by.y, to.z - part * by.z});
        best = away < best ? away : best;
    }
    return best;
}

// Lets time pass, tick by tick.
static oct_result pass(flights *f, uint32_t ticks)
{
    flights_result *const out = f->out;
    for (uint32_t i = 0; i < ticks; i++) {
        oct_self self;
        OCT_TRY(oct_game_step(f->game, 1));
        OCT_TRY(oct_game_self(f->game, 0, &self));
        const double stray = from_path(f, self.centre);
        const double gap = oct_block_world_clearance(f->game, 0, 1.0);
        out->stray = stray > out->stray ? stray : out->stray;
        out->gap = gap < out->gap ? gap : out->gap;
        const bool is_there = point_length(point_sub(self.centre, f->to)) <= ARRIVED &&
                              point_length(self.velocity) <= AT_REST;
        f->rests = !is_there ? 0 : f->rests > 0 ? f->rests : oct_game_tick(f->game);
    }
    return OCT_OK;
}

static oct_result turn(flights *f, const oct_self *self, oct_pilot_status *status)
{
    const flights_def *const def = f->def;
    oct_action action;
    const double before = oct_bench_now_s();
    *status = oct_pilot_next(f->pilot, self, &action);
    f->out->thought += oct_bench_now_s() - before;
    f->out->actions++;
    if (def->delay_max > 0) {
        const uint64_t spread = def->delay_max - def->delay_min + 1u;
        OCT_TRY(pass(f, def->delay_min + (uint32_t)oct_random_below(&f->random, spread)));
    }
    OCT_TRY(oct_game_act(f->game, 0, &action, NULL));
    return def->delay_max > 0 ? OCT_OK : pass(f, action.ticks > 0 ? action.ticks : 1);
}

// The way is closed, or the body is where something will be: the rest is planned anew.
static oct_result replan(flights *f, const oct_self *self, oct_point to)
{
    bool found;
    f->out->replans++;
    OCT_TRY(plan(f, self->centre, to, &found));
    if (found) {
        return OCT_OK;
    }
    // There is no way for now. Who is in the way of what comes leaves it, for the nearest of a few
    // places; who is not waits.
    oct_vec cell;
    if (is_open(f, self->centre, &cell)) {
        return OCT_OK;
    }
    oct_point nearest = to;
    for (int i = 0; i < REFUGES; i++) {
        const oct_point other = random_point(f);
        if (is_open(f, other, &cell) && point_length(point_sub(other, self->centre)) <
                                            point_length(point_sub(nearest, self->centre))) {
            nearest = other;
        }
    }
    return plan(f, self->centre, nearest, &found);
}

static oct_result fly(flights *f, oct_point to)
{
    const uint64_t begin = oct_game_tick(f->game);
    f->to = to;
    f->rests = 0;
    oct_pilot_status status = OCT_PILOT_FLYING;
    oct_self self;
    OCT_TRY(oct_game_self(f->game, 0, &self));
    const uint64_t bumps = self.bumps;
    const double reference =
        oct_flight_time(f->path.items, f->path.count, f->body->acceleration, f->body->speed);
    while (oct_game_tick(f->game) - begin < FLIGHT_MAX) {
        if (f->drifts && oct_game_tick(f->game) - f->looked >= LOOK_TICKS) {
            OCT_TRY(look(f));
        }
        OCT_TRY(oct_game_self(f->game, 0, &self));
        if (status == OCT_PILOT_ARRIVED && point_length(point_sub(self.centre, to)) <= ARRIVED) {
            break;
        }
        // A burn that has just begun has no speed yet.
        const bool rests = point_length(self.velocity) == 0.0 && self.ticks <= 1;
        if (status != OCT_PILOT_FLYING && rests) {
            OCT_TRY(replan(f, &self, to));
        }
        OCT_TRY(turn(f, &self, &status));
    }
    OCT_TRY(oct_game_self(f->game, 0, &self));
    flights_result *const out = f->out;
    const uint64_t last = f->rests > 0 ? f->rests : oct_game_tick(f->game);
    const double seconds = (double)(last - begin) / OCT_BLOCK_WORLD_RATE;
    const double end = point_length(point_sub(self.centre, to));
    out->flights++;
    out->arrived += end <= ARRIVED;
    out->bumps += self.bumps - bumps;
    out->end = end > out->end ? end : out->end;
    out->seconds += seconds;
    out->reference += reference;
    out->worst =
        reference >= 1.0 && seconds / reference > out->worst ? seconds / reference : out->worst;
    return OCT_OK;
}

// Draws both ends until there is a way.
static oct_result begin(flights *f, oct_point *to)
{
    bool found = false;
    for (int i = 0; i < TRIES && !found; i++) {
        const oct_point from = random_point(f);
        *to = random_point(f);
        oct_vec a, b;
        if (!is_open(f, from, &a) || !is_open(f, *to, &b) || put_body(f, from) != OCT_OK) {
            continue;
        }
        OCT_TRY(f->drifts ? look(f) : OCT_OK);
        OCT_TRY(plan(f, from, *to, &found));
    }
    return found ? OCT_OK : OCT_ERROR_ABSENT;
}

// ---- life ----

static bool drifts(const oct_world_grid *grid)
{
    return grid->range > 0.0 && point_length(grid->drift) > 0.0;
}

// Flights begin and end where nothing drifts to: there the map is closed for now, or open again.
static oct_result close_lanes(flights *f, bool closes)
{
    const oct_world *const world = f->def->world;
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        const oct_world_block block = oct_world_get(world, i);
        if (!block.placed) {
            continue;
        }
        const oct_world_grid grid = oct_world_get_grid(world, block.grid);
        if (!drifts(&grid)) {
            continue;
        }
        f->drifts = true;
        oct_thing lane = oct_world_thing(world, i);
        lane.id ^= LANE_ID;
        lane.label = OCT_BLOCKED;
        lane.box = oct_drift_volumes_swept(
            lane.box, point_scale(grid.drift, grid.range / point_length(grid.drift)));
        OCT_TRY(closes ? oct_map_put(f->map, &lane) : oct_map_remove(f->map, lane.id));
    }
    return OCT_OK;
}

static oct_result make_map(flights *f)
{
    const oct_world *const world = f->def->world;
    oct_map_def def = oct_map_def_default();
    def.cell_size = FLIGHTS_CELL;
    def.padding = (oct_point){FLIGHTS_PADDING, FLIGHTS_PADDING, FLIGHTS_PADDING};
    def.is_ball = true;
    f->look.takes_shapes = true;
    OCT_TRY(oct_map_create(&def, &f->map));
    OCT_TRY(
        oct_map_set_world_box(f->map, oct_world_extent(world), OCT_COVER_INSIDE, OCT_MARK_KNOWN));
    OCT_TRY(oct_world_add_to(world, f->map, NULL));
    OCT_TRY(close_lanes(f, true));
    const oct_box all = oct_tree_extent(oct_map_tree(f->map), OCT_HAS_OPEN);
    const bool is_whole = oct_tree_leaves(oct_map_tree(f->map), all, OCT_HAS_OPEN, keep_leaf, f);
    OCT_TRY(is_whole ? OCT_OK : OCT_ERROR_MEMORY);
    OCT_TRY(close_lanes(f, false));
    return f->leaves.count > 0 ? OCT_OK : OCT_ERROR_ABSENT;
}

// What drifts has to be seen in time: no faster than it can stop within three quarters of its
// sight, with a delay until it looks and another until it brakes.
static double safe_speed(const flights *f, const oct_player_body *rules)
{
    const double wait = 2.0 * f->def->delay_max / OCT_BLOCK_WORLD_RATE * rules->acceleration;
    const double safe =
        sqrt(wait * wait + 2.0 * rules->acceleration * oct_game_describe(f->game)->view * 0.75) -
        wait;
    return f->drifts && safe < rules->speed ? safe : rules->speed;
}

static oct_result make(flights *f)
{
    const flights_def *const def = f->def;
    OCT_TRY(oct_block_world_create(&(oct_block_world_def){def->world, NULL}, &f->game));
    if (oct_game_players(f->game) == 0) {
        return OCT_ERROR_ARGUMENT; // the world has no start
    }
    OCT_TRY(make_map(f));
    oct_components_def components = oct_components_def_default();
    components.tree = oct_map_tree(f->map);
    OCT_TRY(oct_components_create(&components, &f->components));
    oct_planner_def planner = oct_planner_def_default();
    planner.tree = oct_map_tree(f->map);
    planner.components[0] = f->components;
    OCT_TRY(oct_planner_create(&planner, &f->planner));
    oct_game_info info = *oct_game_describe(f->game);
    OCT_TRY(oct_game_body(f->game, 0, &f->body));
    info.delay_min = def->delay_min;
    info.delay_max = def->delay_max;
    oct_pilot_def pilot = oct_pilot_def_default();
    pilot.info = &info;
    pilot.body = f->body;
    pilot.map = f->map;
    pilot.facing = def->facing;
    pilot.speed = safe_speed(f, f->body);
    return oct_pilot_create(&pilot, &f->pilot);
}

oct_result oct_flights_run(const flights_def *def, flights_result *out)
{
    *out = (flights_result){.gap = HUGE_VAL};
    flights f = {.def = def, .random = oct_random_seed(def->seed), .out = out};
    oct_result result = make(&f);
    for (uint32_t i = 0; i < def->flights && result == OCT_OK; i++) {
        oct_point to;
        result = begin(&f, &to);
        result = result == OCT_OK ? fly(&f, to) : result;
    }
    const oct_allocator heap = oct_allocator_default();
    oct_array_free(&f.path, &heap, sizeof(oct_point));
    oct_array_free(&f.leaves, &heap, sizeof(place_range));
    oct_drift_volumes_free(&f.drift, &heap);
    oct_look_free(&f.look, &heap);
    oct_pilot_destroy(f.pilot);
    oct_planner_destroy(f.planner);
    oct_components_destroy(f.components);
    oct_map_destroy(f.map);
    oct_game_destroy(f.game);
    return result;
}
