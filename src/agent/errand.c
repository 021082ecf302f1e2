// SPDX-License-Identifier: MIT
#include "agent/tactics_internal.h"

#include "geom/geom_internal.h"

#include <math.h>
#include <stdio.h>

#define TOLERANCE 0.5
#define REACH 3.0

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

// How people call what is picked.
static void describe(const oct_pick *pick, char *out, size_t size)
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
    describe(pick, what, sizeof what);
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
    e->tries = 0;
    e->since = 0;
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
    if (e->is_bound && oct_errand_means(e, a->belief, oct_belief_get(a->belief, e->index))) {
        return oct_belief_get(a->belief, e->index);
    }
    const uint64_t changes = oct_belief_changes(a->belief);
    if (!e->is_bound && e->has_looked && e->looked_at == changes) {
        return NULL;
    }
    double best = HUGE_VAL;
    e->is_bound = false;
    e->has_looked = true;
    e->looked_at = changes;
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

stand oct_known_stand(const oct_agent *a, const oct_known *k, oct_block_side side, double most,
                      oct_point *out)
{
    const oct_map *const map = oct_belief_map(a->belief);
    const double step = oct_map_cell_size(map) / 4.0;
    oct_point normal;
    const oct_point face = oct_known_face(k, side, &normal);
    stand best = STAND_NONE;
    for (double away = oct_map_padding(map).x; away <= most; away += step) {
        const oct_point at = point_add(face, point_scale(normal, away));
        oct_vec cell;
        if (!oct_map_cell_at(map, at, &cell)) {
            return best;
        }
        const oct_label label = oct_map_label(map, cell);
        if (label == OCT_OPEN || (label == OCT_UNKNOWN && best == STAND_NONE)) {
            *out = at;
            best = label == OCT_OPEN ? STAND_OPEN : STAND_UNKNOWN;
        }
        if (best == STAND_OPEN) {
            return best;
        }
    }
    return best;
}

bool oct_errand_place(errand *e, oct_agent *a, const oct_known *k, double most, oct_point *out)
{
    if (e->side != OCT_BLOCK_ANY) {
        return oct_known_stand(a, k, e->side, most, out) != STAND_NONE;
    }
    // Front first: a side in sight of the way is as good as any, but that is what fronts are for.
    bool has_open = false, has_any = false;
    double best = HUGE_VAL;
    for (oct_block_side side = OCT_BLOCK_FRONT; side < OCT_BLOCK_ANY; side++) {
        oct_point at;
        double length;
        const stand s = oct_known_stand(a, k, side, most, &at);
        if (s == STAND_OPEN && oct_journey_reaches(a, at, &length) && length < best) {
            best = length;
            *out = at;
            has_open = true;
        } else if (s != STAND_NONE && !has_open && !has_any) {
            *out = at;
            has_any = true;
        }
    }
    return has_open || has_any;
}

bool oct_errand_is_seen(const oct_agent *a, oct_point at)
{
    const oct_map *const map = oct_belief_map(a->belief);
    oct_vec cell;
    return oct_map_cell_at(map, at, &cell) && oct_map_label(map, cell) != OCT_UNKNOWN;
}
