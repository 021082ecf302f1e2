// SPDX-License-Identifier: MIT
// Who walks by itself in the lab world: enemies go to the nearest agent within 4 m and hit it,
// other characters go from way-point to way-point. They walk on the mesh, which doors, screens and
// agents do not cut: as in the game, they go through those.
#include "game/recruits_internal.h"

#define ENEMY_SPEED (1.5 / OCT_RECRUITS_RATE) // metres per tick
#define NPC_SPEED (3.5 / OCT_RECRUITS_RATE)
#define ENEMY_SIGHT 4.0
#define ENEMY_REACH 1.0
#define ENEMY_HARM 10
#define SHORT_REST (2 * OCT_RECRUITS_RATE)
#define LONG_REST (10 * OCT_RECRUITS_RATE)
#define HITS_TO_LONG_REST 3
#define WAYPOINT_REACHED 0.5
#define PLAN_TICKS 25   // a path to who moves is planned anew after as many
#define ON_MESH 0.6     // how far above or below the mesh its users' places may be, metres
#define BESIDE_MESH 1.0 // and how far beside

static double flat_distance(oct_point a, oct_point b)
{
    const double x = a.x - b.x, z = a.z - b.z;
    return sqrt(x * x + z * z);
}

// ---- paths ----

static oct_result keep_path(recruits_world *g, recruits_actor *a, const oct_surface_path *path)
{
    OCT_TRY(oct_array_reserve(&a->points, &g->allocator, sizeof(oct_point), path->point_count));
    memcpy(a->points.items, path->points, path->point_count * sizeof(oct_point));
    a->point_count = path->point_count;
    a->point = 1; // the first one is where it is
    return OCT_OK;
}

// A path to the place of the mesh that is nearest to a goal; none where that is far from it.
static oct_result plan(recruits_world *g, recruits_actor *a, oct_point from, oct_point goal)
{
    const oct_surface_place here = oct_surface_locate(g->surface, from, ON_MESH);
    const oct_surface_place there = oct_surface_locate(g->surface, goal, ON_MESH);
    a->point = a->point_count = 0;
    a->plans_at = g->tick + PLAN_TICKS;
    a->goal = goal;
    if (here.face == OCT_SURFACE_NONE || here.distance > BESIDE_MESH ||
        there.distance > BESIDE_MESH) {
        return OCT_OK;
    }
    oct_surface_query query = oct_surface_query_default();
    oct_surface_path path;
    query.from = here.point;
    query.from_face = here.face;
    query.to = there.point;
    query.to_face = there.face;
    const oct_result result = oct_surface_plan(g->planner, &query, &path);
    if (result == OCT_ERROR_MEMORY) {
        return result;
    }
    return result == OCT_OK && path.status == OCT_SURFACE_FOUND ? keep_path(g, a, &path) : OCT_OK;
}

static void move_to(recruits_world *g, recruits_actor *a, oct_point to)
{
    recruits_thing *const t = thing_at(g, a->thing);
    a->velocity = point_scale(point_sub(to, t->origin), OCT_RECRUITS_RATE);
    t->origin = to;
    t->box = oct_recruits_collider(t->kind, t->turn, to);
}

static void walk(recruits_world *g, recruits_actor *a, double way)
{
    oct_point at = thing_at(g, a->thing)->origin;
    const oct_point *const points = a->points.items;
    while (way > 0.0 && a->point < a->point_count) {
        const oct_point to = points[a->point];
        const double far = flat_distance(at, to);
        if (far <= way) {
            way -= far;
            at = to;
            a->point++;
            continue;
        }
        const double share = way / far;
        at = point_add(at, point_scale(point_sub(to, at), share));
        way = 0.0;
    }
    move_to(g, a, at);
}

static oct_result go(recruits_world *g, recruits_actor *a, oct_point goal, double speed)
{
    if (!g->surface) {
        return OCT_OK;
    }
    const bool has_moved = flat_distance(goal, a->goal) > WAYPOINT_REACHED || goal.y != a->goal.y;
    if (a->plans_at == 0 || (g->tick >= a->plans_at && has_moved)) {
        OCT_TRY(plan(g, a, thing_at(g, a->thing)->origin, goal));
    }
    walk(g, a, speed);
    return OCT_OK;
}

// ---- enemies ----

static uint32_t nearest_agent(const recruits_world *g, oct_point from)
{
    uint32_t found = RECRUITS_NONE;
    double least = (double)INFINITY;
    for (uint32_t i = 0; i < g->agents.count; i++) {
        const recruits_agent *const a = agent_at(g, i);
        const double far = flat_distance(a->feet, from);
        if (a->health > 0 && far <= ENEMY_SIGHT && far < least) {
            least = far;
            found = i;
        }
    }
    return found;
}

static oct_result move_enemy(recruits_world *g, recruits_actor *a)
{
    const recruits_thing *const t = thing_at(g, a->thing);
    if (!t->is_on || g->tick < a->waits_until) {
        return OCT_OK;
    }
    const uint32_t agent = nearest_agent(g, t->origin);
    if (agent == RECRUITS_NONE) {
        return OCT_OK;
    }
    const oct_point feet = agent_at(g, agent)->feet;
    if (flat_distance(feet, t->origin) >= ENEMY_REACH) {
        return go(g, a, feet, ENEMY_SPEED);
    }
    oct_recruits_hurt(g, agent, ENEMY_HARM, thing_number(g, a->thing), "That hurts!");
    a->hits++;
    a->waits_until = g->tick + (a->hits % HITS_TO_LONG_REST == 0 ? LONG_REST : SHORT_REST);
    return OCT_OK;
}

// ---- other characters ----

static oct_result move_npc(recruits_world *g, recruits_actor *a)
{
    size_t count;
    if (a->waypoint_count == 0) {
        return OCT_OK;
    }
    const oct_recruits_part *const parts = oct_recruits_level_parts(g->level, &count);
    const uint32_t part = ((const uint32_t *)g->effects.items)[a->waypoints + a->next_waypoint];
    const oct_point goal = {parts[part].x, parts[part].y, parts[part].z};
    if (flat_distance(goal, thing_at(g, a->thing)->origin) < WAYPOINT_REACHED) {
        a->next_waypoint = (a->next_waypoint + 1) % a->waypoint_count;
        a->plans_at = 0;
        return OCT_OK;
    }
    return go(g, a, goal, NPC_SPEED);
}

oct_result oct_recruits_move_actors(recruits_world *g)
{
    for (uint32_t i = 0; i < g->actors.count; i++) {
        recruits_actor *const a = actor_at(g, i);
        a->velocity = (oct_point){0, 0, 0};
        OCT_TRY(thing_at(g, a->thing)->kind == OCT_RECRUITS_ENEMY ? move_enemy(g, a)
                                                                  : move_npc(g, a));
    }
    return OCT_OK;
}
