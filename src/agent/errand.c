// SPDX-License-Identifier: MIT
#include "agent/tactics_internal.h"

#include "geom/geom_internal.h"

#include <math.h>
#include <stdio.h>

#define TOLERANCE 0.5
#define TOLERANCE_MIN 0.2 // as near as pilots come for certain
#define REACH 3.0
// How far, and how often, places are tried beside the way straight out from a face, metres.
#define SHIFT 0.625
#define SHIFTS 2
// Doors near an entity that are thought of as open, to find places in doorways.
#define DOORS_NEAR_MAX 16
// What only touches a line, metres.
#define TOUCH 1e-3

static double less(double a, double b)
{
    return a < b ? a : b;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

// ---- life ----

static bool copy(const oct_allocator *allocator, const char *text, char **out)
{
    const size_t size = text ? strlen(text) + 1 : 0;
    *out = text ? oct_alloc(allocator, size, 1) : NULL;
    if (*out) {
        memcpy(*out, text, size);
    }
    return !text || *out;
}

static void drop_text(const oct_allocator *allocator, const char *text)
{
    if (text) {
        // Its own copy, which is const to those who read it.
        union {
            const char *read;
            char *own;
        } const u = {.read = text};
        oct_free(allocator, u.own, strlen(text) + 1);
    }
}

static void drop_hook(oct_hook hook)
{
    if (hook.drop) {
        hook.drop(hook.ctx);
    }
}

void oct_pick_describe(const oct_pick *pick, char *out, size_t size)
{
    if (pick->what) {
        (void)snprintf(out, size, "%s", pick->what);
    } else if (pick->name) {
        (void)snprintf(out, size, "%s", pick->name);
    } else if (pick->by_id) {
        (void)snprintf(out, size, "%s %llu", pick->type ? pick->type : "entity",
                       (unsigned long long)pick->id);
    } else {
        (void)snprintf(out, size, "%s", pick->type ? pick->type : "entity");
    }
}

static bool copy_pick(errand *e, const oct_pick *pick)
{
    char what[OCT_REASON_MAX / 2], *name, *type;
    oct_pick_describe(pick, what, sizeof what);
    const bool has_name = copy(&e->allocator, pick->name, &name);
    const bool has_type = copy(&e->allocator, pick->type, &type);
    e->pick.name = name;
    e->pick.type = type;
    return copy(&e->allocator, what, &e->what) && has_name && has_type;
}

errand *oct_errand_make(const oct_allocator *may_be_null, const oct_pick *pick, oct_hook hook)
{
    const oct_allocator allocator = oct_allocator_or_default(may_be_null);
    errand *const e = oct_alloc(&allocator, sizeof *e, _Alignof(errand));
    if (!e) {
        drop_hook(hook);
        drop_hook(pick ? pick->hook : (oct_hook){0});
        return NULL;
    }
    *e = (errand){
        .allocator = allocator, .users = 1, .hook = hook, .tolerance = TOLERANCE, .reach = REACH};
    if (pick) {
        e->pick = *pick;
        e->has_pick = true;
        if (!copy_pick(e, pick)) {
            oct_errand_drop(e);
            return NULL;
        }
    }
    return e;
}

errand *oct_errand_keep(errand *e)
{
    if (e) {
        e->users++;
    }
    return e;
}

void oct_errand_drop(void *ctx)
{
    errand *const e = ctx;
    if (!e || --e->users > 0) {
        return;
    }
    drop_hook(e->hook);
    drop_hook(e->pick.hook);
    drop_text(&e->allocator, e->pick.name);
    drop_text(&e->allocator, e->pick.type);
    drop_text(&e->allocator, e->what);
    drop_text(&e->allocator, e->type);
    const oct_allocator allocator = e->allocator;
    oct_free(&allocator, e, sizeof *e);
}

bool oct_errand_name(errand *e, const char *name)
{
    return copy(&e->allocator, name, &e->type);
}

const char *oct_errand_title(const errand *e, const char *name, char *out, size_t size)
{
    const oct_point p = e->point;
    if (e->has_pick && e->button > 0) {
        (void)snprintf(out, size, "%s %s %u", name, e->what, e->button);
    } else if (e->has_pick) {
        (void)snprintf(out, size, "%s %s", name, e->what);
    } else if (e->has_point) {
        (void)snprintf(out, size, "%s %.1f, %.1f, %.1f", name, p.x, p.y, p.z);
    } else {
        (void)snprintf(out, size, "%s", name);
    }
    return out;
}

oct_hook oct_errand_hook(errand *e)
{
    return (oct_hook){oct_errand_keep(e), oct_errand_drop};
}

void oct_errand_begin(errand *e)
{
    e->is_bound = false;
    e->has_place = false;
    e->has_press = false;
    e->devices = 0;
    e->has_looked = false;
    e->is_done = false;
    e->looks_around = false;
    e->tries = 0;
    e->since = 0;
}

void oct_errand_tolerate(errand *e, double tolerance)
{
    e->tolerance = !(tolerance > 0.0) ? TOLERANCE : greater(tolerance, TOLERANCE_MIN);
}

// ---- who is meant ----

bool oct_errand_means(const errand *e, const oct_belief *belief, const oct_known *k)
{
    const oct_pick *const pick = &e->pick;
    return !k->gone && (!pick->by_id || k->now.thing.id == pick->id) &&
           (!pick->name || strcmp(k->now.name, pick->name) == 0) &&
           (!pick->type || oct_world_type_is(oct_belief_type(belief, k), pick->type)) &&
           (!pick->test || pick->test(pick->hook.ctx, belief, k));
}

static void take_nearer(errand *e, const oct_agent *a, uint32_t index, double *best)
{
    const oct_known *const k = oct_belief_get(a->belief, index);
    if (!oct_errand_means(e, a->belief, k)) {
        return;
    }
    const double away = point_length(point_sub(oct_known_centre(k), agent_self(a)->centre));
    if (!e->is_bound || away < *best) {
        e->is_bound = true;
        e->index = index;
        *best = away;
    }
}

static void note_place(const errand *e, oct_agent *a, const oct_known *k)
{
    const oct_point at = oct_known_centre(k), there = e->pick.place;
    if (e->pick.by_place && point_length(point_sub(at, there)) > 1.0) {
        oct_agent_add_note(a, "%s was not at %.1f, %.1f, %.1f but at %.1f, %.1f, %.1f", e->what,
                           there.x, there.y, there.z, at.x, at.y, at.z);
    }
}

const oct_known *oct_errand_find(errand *e, oct_agent *a)
{
    // The caller's own test may ask for what is no change to the belief: it is asked once a turn.
    const uint64_t changes = oct_belief_changes(a->belief);
    const uint64_t turn = e->pick.test ? oct_agent_turns(a) : 0;
    const bool is_asked = e->has_looked && e->looked_at == changes && e->looked_in == turn;
    if (is_asked && !e->is_bound) {
        return NULL;
    }
    if (e->is_bound &&
        (is_asked || oct_errand_means(e, a->belief, oct_belief_get(a->belief, e->index)))) {
        e->looked_at = changes;
        e->looked_in = turn;
        return oct_belief_get(a->belief, e->index);
    }
    double best = HUGE_VAL;
    e->is_bound = false;
    e->has_looked = true;
    e->looked_at = changes;
    e->looked_in = turn;
    for (uint32_t i = 0; i < oct_belief_count(a->belief); i++) {
        take_nearer(e, a, i, &best);
    }
    if (!e->is_bound) {
        return NULL;
    }
    const oct_known *const k = oct_belief_get(a->belief, e->index);
    note_place(e, a, k);
    return k;
}

// ---- places ----

static const char *const side_names[] = {"front", "back", "left", "right", "top", "bottom", "any"};
_Static_assert(sizeof side_names / sizeof *side_names == OCT_BLOCK_SIDE_COUNT, "one each");

const char *oct_block_side_name(oct_block_side side)
{
    return (unsigned)side < OCT_BLOCK_SIDE_COUNT ? side_names[side] : NULL;
}

oct_point oct_known_centre(const oct_known *k)
{
    const oct_bounds *const box = &k->now.thing.box;
    return point_scale(point_add(box->min, box->max), 0.5);
}

oct_point oct_known_face(const oct_known *k, oct_block_side side, oct_point *normal)
{
    const oct_point forward = k->now.forward, up = k->now.up, right = point_cross(forward, up);
    const oct_point normals[] = {
        forward, point_scale(forward, -1.0), point_scale(right, -1.0), right,
        up,      point_scale(up, -1.0)};
    const oct_bounds *const box = &k->now.thing.box;
    const oct_point half = point_scale(point_sub(box->max, box->min), 0.5);
    *normal = normals[side];
    const double out =
        fabs(normal->x) * half.x + fabs(normal->y) * half.y + fabs(normal->z) * half.z;
    return point_add(oct_known_centre(k), point_scale(*normal, out));
}

// A straight line that things may cross.
typedef struct line {
    uint64_t but; // not this one
    oct_point from, to;
} line;

static bool is_off(const oct_bounds *box, const line *l)
{
    const double from[3] = {l->from.x, l->from.y, l->from.z}, to[3] = {l->to.x, l->to.y, l->to.z};
    const double lo[3] = {box->min.x, box->min.y, box->min.z};
    const double hi[3] = {box->max.x, box->max.y, box->max.z};
    double first = 0.0, last = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double way = to[axis] - from[axis];
        if (fabs(way) < TOUCH) {
            if (from[axis] < lo[axis] + TOUCH || from[axis] > hi[axis] - TOUCH) {
                return true;
            }
            continue;
        }
        const double a = (lo[axis] + TOUCH - from[axis]) / way;
        const double b = (hi[axis] - TOUCH - from[axis]) / way;
        first = greater(first, less(a, b));
        last = less(last, greater(a, b));
    }
    return first >= last;
}

static bool leaves_free(void *ctx, const oct_thing *thing)
{
    const line *const l = ctx;
    return thing->id == l->but || thing->label != OCT_BLOCKED || is_off(&thing->box, l);
}

// Whether nothing else stands between a face and a place before it.
static bool is_free(const oct_map *map, uint64_t but, oct_point from, oct_point to)
{
    line l = {but, from, to};
    const oct_bounds box = {{less(from.x, to.x), less(from.y, to.y), less(from.z, to.z)},
                            {greater(from.x, to.x), greater(from.y, to.y), greater(from.z, to.z)}};
    return oct_map_things_in(map, oct_map_cover(map, box), leaves_free, &l);
}

// The nearest place straight out from a point of a face.
static stand stand_before(const oct_map *map, uint64_t id, oct_point face, oct_point normal,
                          double most, oct_point *out)
{
    const double step = oct_map_cell_size(map) / 4.0;
    stand best = STAND_NONE;
    for (double away = oct_map_padding(map).x; away <= most && best != STAND_OPEN; away += step) {
        const oct_point at = point_add(face, point_scale(normal, away));
        oct_vec cell;
        if (!oct_map_cell_at(map, at, &cell)) {
            break;
        }
        const oct_label label = oct_map_label(map, cell);
        if (label == OCT_BLOCKED || (label == OCT_UNKNOWN && best != STAND_NONE)) {
            continue;
        }
        if (!is_free(map, id, face, at)) {
            break;
        }
        *out = at;
        best = label == OCT_OPEN ? STAND_OPEN : STAND_UNKNOWN;
    }
    return best;
}

stand oct_known_stand(const oct_agent *a, const oct_known *k, oct_block_side side, double most,
                      oct_point *out)
{
    const oct_map *const map = oct_belief_map(a->belief);
    const uint64_t id = k->now.thing.id;
    oct_point normal;
    const oct_point face = oct_known_face(k, side, &normal);
    stand best = stand_before(map, id, face, normal, most, out);
    // A low block has no room for a body straight before it: above or beside that there may be.
    const oct_point up = k->now.up, forward = k->now.forward, right = point_cross(forward, up);
    const oct_point ways[] = {up, right, forward};
    for (int i = 1; i <= 2 * SHIFTS * 3 && best == STAND_NONE; i++) {
        const oct_point way = ways[(i - 1) / 2 % 3];
        const double by = SHIFT * ((i - 1) / 6 + 1) * (i % 2 ? 1.0 : -1.0);
        if (fabs(point_dot(way, normal)) < 0.5 && most > fabs(by)) {
            const oct_point from = point_add(face, point_scale(way, by));
            best = stand_before(map, id, from, normal, sqrt(most * most - by * by), out);
        }
    }
    return best;
}

// Doors that stand open for a moment.
typedef struct opened {
    oct_thing doors[DOORS_NEAR_MAX];
    size_t count;
} opened;

static bool is_within(const oct_bounds *a, const oct_bounds *b, double most)
{
    return a->min.x - b->max.x <= most && b->min.x - a->max.x <= most &&
           a->min.y - b->max.y <= most && b->min.y - a->max.y <= most &&
           a->min.z - b->max.z <= most && b->min.z - a->max.z <= most;
}

static oct_result open_doors(oct_agent *a, const oct_known *near, double most, opened *out)
{
    oct_map *const map = oct_belief_map(a->belief);
    const oct_links *const links = oct_belief_links(a->belief);
    for (uint32_t i = 0; i < oct_links_doors(links) && out->count < DOORS_NEAR_MAX; i++) {
        oct_thing door;
        if (oct_map_thing(map, oct_links_door(links, i), &door) && door.label != OCT_OPEN &&
            is_within(&door.box, &near->now.thing.box, most)) {
            OCT_TRY(oct_map_relabel(map, door.id, OCT_OPEN));
            out->doors[out->count++] = door;
        }
    }
    return OCT_OK;
}

static oct_result shut_doors(oct_agent *a, const opened *doors)
{
    for (size_t i = 0; i < doors->count; i++) {
        const oct_thing *const door = &doors->doors[i];
        OCT_TRY(oct_map_relabel(oct_belief_map(a->belief), door->id, door->label));
    }
    return OCT_OK;
}

static uint32_t find_stands(const oct_agent *a, const oct_known *k, uint32_t sides, double most,
                            oct_point *out)
{
    uint32_t found = 0;
    for (oct_block_side side = OCT_BLOCK_FRONT; side < OCT_BLOCK_ANY; side++) {
        if (sides >> side & 1 && oct_known_stand(a, k, side, most, &out[side]) != STAND_NONE) {
            found |= 1u << side;
        }
    }
    return found;
}

oct_result oct_known_stands(oct_agent *a, const oct_known *k, uint32_t sides, double most,
                            oct_point *out, uint32_t *found)
{
    *found = find_stands(a, k, sides, most, out);
    if (*found == sides) {
        return OCT_OK;
    }
    opened doors = {.count = 0};
    const oct_result result = open_doors(a, k, most, &doors);
    if (result == OCT_OK && doors.count > 0) {
        *found |= find_stands(a, k, sides & ~*found, most, out);
    }
    const oct_result back = shut_doors(a, &doors);
    return result == OCT_OK ? back : result;
}

// Sides that have been seen are asked about first: of those with a known way the nearest. Else the
// first to which there may be one; front first, that is what fronts are for.
static bool choose_side(oct_agent *a, const oct_known *k, double most, oct_point *out)
{
    journey_state best = JOURNEY_BROKEN; // THERE before GOING before NO_WAY
    double least = HUGE_VAL;
    for (stand asked = STAND_OPEN; asked > STAND_NONE && best > JOURNEY_GOING; asked--) {
        for (oct_block_side side = OCT_BLOCK_FRONT; side < OCT_BLOCK_ANY; side++) {
            oct_point at;
            double length = 0.0;
            if (oct_known_stand(a, k, side, most, &at) != asked) {
                continue;
            }
            const journey_state s = oct_journey_ask(a, at, &length);
            if (s < best || (s == JOURNEY_THERE && length < least)) {
                best = s;
                least = length;
                *out = at;
            }
            if (asked == STAND_UNKNOWN && s == JOURNEY_GOING) {
                break; // none of the others is better
            }
        }
    }
    return best < JOURNEY_BROKEN;
}

bool oct_errand_place(errand *e, oct_agent *a, const oct_known *known, double most, oct_point *out)
{
    // Planning may look around, and the belief's entities move.
    const oct_known k = *known;
    return e->side != OCT_BLOCK_ANY ? oct_known_stand(a, &k, e->side, most, out) != STAND_NONE
                                    : choose_side(a, &k, most, out);
}

bool oct_errand_is_seen(const oct_agent *a, oct_point at)
{
    const oct_map *const map = oct_belief_map(a->belief);
    oct_vec cell;
    return oct_map_cell_at(map, at, &cell) && oct_map_label(map, cell) != OCT_UNKNOWN;
}
