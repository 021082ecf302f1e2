// SPDX-License-Identifier: MIT
#include "flat/visibility.h"

// ---- life ----

static void free_parts(space *base)
{
    visibility_space *const s = (visibility_space *)base;
    const oct_allocator *const memory = &base->allocator;
    oct_array_free(&s->corners, memory, sizeof(vis_corner));
    oct_array_free(&s->links, memory, sizeof(uint32_t));
    oct_array_free(&s->ends[VISIBILITY_START], memory, sizeof(uint32_t));
    oct_array_free(&s->ends[VISIBILITY_GOAL], memory, sizeof(uint32_t));
    oct_array_free(&s->waiting, memory, sizeof(seen_span));
    oct_key_table_free(&s->ids, memory);
}

static size_t parts_bytes(const space *base)
{
    const visibility_space *const s = (const visibility_space *)base;
    return s->corners.capacity * sizeof(vis_corner) +
           (s->links.capacity + s->ends[VISIBILITY_START].capacity +
            s->ends[VISIBILITY_GOAL].capacity) *
               sizeof(uint32_t) +
           s->waiting.capacity * sizeof(seen_span) + oct_key_table_bytes(&s->ids);
}

// ---- sweeps ----

// A sweep: from where, what it looks for besides corners, and where it writes their ids.
typedef struct sweep {
    visibility_space *s;
    flat_point root;
    const sweep_goal *goal; // NULL = none
    bool found;             // the goal
    oct_array *out;         // of uint32_t
} sweep;

static oct_result corner_id(visibility_space *s, int32_t x, int32_t y, uint32_t *id)
{
    const oct_allocator *const memory = &s->base.allocator;
    const lattice_key key = {x, y, 0, 0};
    OCT_TRY(oct_key_table_reserve(&s->ids, memory, 1));
    key_slot *const slot = key_table_slot(&s->ids, key);
    if (key_slot_is_used(&s->ids, slot)) {
        *id = slot->value;
        return OCT_OK;
    }
    const vis_corner corner = {.x = x, .y = y, .count = VISIBILITY_UNSEEN};
    *id = (uint32_t)s->corners.count;
    OCT_TRY(oct_array_push(&s->corners, memory, sizeof corner, &corner));
    key_slot_fill(&s->ids, slot, key, *id);
    s->base.id_count = (uint32_t)s->corners.count;
    return OCT_OK;
}

static oct_result sweep_note(sweep *w, int32_t x, int32_t y)
{
    uint32_t id;
    OCT_TRY(corner_id(w->s, x, y, &id));
    return oct_array_push(w->out, &w->s->base.allocator, sizeof id, &id);
}

// Whether what is seen beyond a part of an interval matters. Beyond a single point that is no
// corner no shortest path goes that would not bend at an earlier corner as well.
static bool leads_on(const visibility_space *s, const seen_span *part)
{
    if (!s->keeps_all) {
        return sweep_leads_on(s->plane, s->squeezes, part);
    }
    return s->squeezes || ray_compare(part->left, part->right) != 0 ||
           !ray_on_lattice(part->left) ||
           !quads_are_double(plane_quads(s->plane, part->left.whole >> 8, part->row));
}

// Notes the corners between two lattice points of a row, both included.
static oct_result sweep_note_all(sweep *w, int32_t first, int32_t last, int32_t row)
{
    for (int32_t x = first; x <= last; x++) {
        if (sweep_bends_at(w->s->plane, w->s->squeezes, x, row)) {
            OCT_TRY(sweep_note(w, x, row));
        }
    }
    return OCT_OK;
}

// Looks through a gate, and keeps the parts of the row behind for later.
static oct_result sweep_enter(sweep *w, const sweep_gate *gate)
{
    visibility_space *const s = w->s;
    seen_span seen, part;
    w->found |= w->goal && sweep_finds(w->root, gate, w->goal);
    if (!sweep_through(w->root, gate, &seen)) {
        return OCT_OK;
    }
    if (s->keeps_all) {
        const int32_t first = (seen.left.whole >> 8) + !ray_on_lattice(seen.left);
        OCT_TRY(sweep_note_all(w, first, seen.right.whole >> 8, seen.row));
    }
    sweep_parts parts = sweep_divide(s->plane, &seen);
    while (sweep_part(&parts, &seen, &part)) {
        if (!leads_on(s, &part)) {
            continue;
        }
        OCT_TRY(oct_array_push(&s->waiting, &s->base.allocator, sizeof part, &part));
    }
    return OCT_OK;
}

// Goes through a gate as far as one sees.
static oct_result sweep_look(sweep *w, const sweep_gate *gate)
{
    visibility_space *const s = w->s;
    s->waiting.count = 0;
    OCT_TRY(sweep_enter(w, gate));
    while (s->waiting.count > 0) {
        const seen_span here = ((const seen_span *)s->waiting.items)[--s->waiting.count];
        for (int i = 0; i < 2 && !s->keeps_all; i++) {
            const ray_x end = i ? here.right : here.left;
            if (sweep_bend_at(s->plane, s->squeezes, w->root, &here, i == 1) != BEND_NONE) {
                OCT_TRY(sweep_note(w, end.whole >> 8, here.row));
            }
        }
        const sweep_gate next = {sweep_ahead(s->plane, &here), &here.left_ray, &here.right_ray,
                                 here.row + here.step, here.step};
        OCT_TRY(sweep_enter(w, &next));
    }
    return OCT_OK;
}

// Goes along a row as far as one sees.
static oct_result sweep_go(sweep *w, int32_t x, int32_t row, int32_t way)
{
    const bit_plane *const p = w->s->plane;
    const bool squeezes = w->s->squeezes, keeps_all = w->s->keeps_all;
    do {
        const int32_t end = sweep_along(p, x, row, way);
        w->found |= w->goal && sweep_finds_along(p, x, end, row, w->goal);
        if (keeps_all) {
            OCT_TRY(sweep_note_all(w, way > 0 ? x + 1 : end, way > 0 ? end : x - 1, row));
        }
        x = end;
        if (keeps_all) {
            continue;
        }
        if (sweep_leaves_at(p, squeezes, x, row, way, 1) != BEND_NONE ||
            sweep_leaves_at(p, squeezes, x, row, way, -1) != BEND_NONE) {
            OCT_TRY(sweep_note(w, x, row));
        }
    } while (sweep_goes_on(p, squeezes, x, row, way));
    return OCT_OK;
}

// What a place sees, all around.
static oct_result sweep_all(sweep *w, const spot *from)
{
    const bit_plane *const p = w->s->plane;
    for (int32_t step = 1; step >= -1; step -= 2) {
        sweep_gate gate;
        int32_t x, row;
        if (sweep_first_gate(p, from, step, &gate)) {
            w->found |= w->goal && sweep_finds_level(w->root, &gate, w->goal);
            OCT_TRY(sweep_look(w, &gate));
        }
        if (sweep_first_along(p, from, step, &x, &row)) {
            OCT_TRY(sweep_go(w, x, row, step));
        }
    }
    return OCT_OK;
}

// The quarter of what a corner sees above (step 1) or below, to the right (way 1) or left.
static oct_result sweep_quarter(sweep *w, int32_t x, int32_t row, int32_t way, int32_t step)
{
    const bit_plane *const p = w->s->plane;
    const flat_point upright = {w->root.x, flat_of(row + step)};
    const sweep_gate gate = {sweep_run(p, way > 0 ? x : x - 1, span_cells(row, step)),
                             way > 0 ? &upright : NULL, way > 0 ? NULL : &upright, row + step,
                             step};
    OCT_TRY(sweep_look(w, &gate));
    return sweep_go(w, x, row, way);
}

// What a corner sees. A path that bends around a blocked cell stays in the quarters on both sides
// of it; one that squeezes, in the two that are free.
static oct_result sweep_corner(sweep *w, const vis_corner *c)
{
    const bit_plane *const p = w->s->plane;
    const uint32_t quads = plane_quads(p, c->x, c->y);
    if (w->s->keeps_all) {
        const spot all = {plane_fine(p, w->root), quads | quads << 4}; // flat octants, twice
        return sweep_all(w, &all);
    }
    const bool rises =
        quads == 9u || quads == 13u || quads == 11u; // the quarters: 0 and 3, or 1, 2
    OCT_TRY(sweep_quarter(w, c->x, c->y, rises ? 1 : -1, 1));
    return sweep_quarter(w, c->x, c->y, rises ? -1 : 1, -1);
}

oct_result oct_visibility_look(visibility_space *s, uint32_t id)
{
    const vis_corner c = *vis_corner_at(s, id);
    sweep w = {.s = s, .root = {flat_of(c.x), flat_of(c.y)}, .out = &s->links};
    const size_t first = s->links.count;
    oct_result result = sweep_corner(&w, &c);
    if (result == OCT_OK && s->links.count > UINT32_MAX - 1u) {
        result = OCT_ERROR_MEMORY;
    }
    if (result != OCT_OK) {
        s->links.count = first;
        return result;
    }
    vis_corner *const out = vis_corner_at(s, id);
    out->first = (uint32_t)first;
    out->count = (uint32_t)(s->links.count - first);
    return OCT_OK;
}

// ---- a query ----

static oct_result begin_map(visibility_space *s)
{
    const oct_allocator *const memory = &s->base.allocator;
    const bool squeezes = s->base.map.squeezes;
    OCT_TRY(oct_plane_begin(s->plane, memory, &s->base.map));
    OCT_TRY(oct_array_reserve(&s->corners, memory, sizeof(vis_corner), 64));
    if (s->corners.count < VISIBILITY_FIRST || s->version != s->plane->version ||
        s->squeezes != squeezes) {
        memset(s->corners.items, 0, VISIBILITY_FIRST * sizeof(vis_corner));
        s->corners.count = VISIBILITY_FIRST;
        s->links.count = 0;
        oct_key_table_clear(&s->ids);
        s->is_whole = false;
        s->version = s->plane->version;
        s->squeezes = squeezes;
        s->stamp = 0;
    }
    s->base.id_count = (uint32_t)s->corners.count;
    return OCT_OK;
}

// What start or goal sees; marks it there.
static oct_result begin_end(visibility_space *s, uint32_t end)
{
    const spot *const place = end == VISIBILITY_START ? &s->base.from.place : &s->base.to.place;
    const spot *const other = end == VISIBILITY_START ? &s->base.to.place : &s->base.from.place;
    const sweep_goal goal = {plane_point(s->plane, other->at), other->octants};
    oct_array *const seen = &s->ends[end];
    sweep w = {s, plane_point(s->plane, place->at), &goal, false, seen};
    seen->count = 0;
    OCT_TRY(sweep_all(&w, place));
    s->ends_meet = w.found;
    for (size_t i = 0; i < seen->count; i++) {
        vis_corner *const c = vis_corner_at(s, ((const uint32_t *)seen->items)[i]);
        *(end == VISIBILITY_START ? &c->start_stamp : &c->goal_stamp) = s->stamp;
    }
    return OCT_OK;
}

static oct_result begin(space *base)
{
    visibility_space *const s = (visibility_space *)base;
    OCT_TRY(begin_map(s));
    s->stamp++;
    s->base.start = VISIBILITY_START;
    s->base.goal = VISIBILITY_GOAL;
    s->base.goal_is_own = true;
    OCT_TRY(begin_end(s, VISIBILITY_GOAL));
    return begin_end(s, VISIBILITY_START);
}

oct_result oct_visibility_build(visibility_space *s)
{
    if (s->is_whole) {
        return OCT_OK;
    }
    for (int32_t y = 0; y <= s->plane->height; y++) {
        for (int32_t x = 0; x <= s->plane->width; x++) {
            uint32_t id;
            if (sweep_bends_at(s->plane, s->squeezes, x, y)) {
                OCT_TRY(corner_id(s, x, y, &id));
                if (vis_corner_at(s, id)->count == VISIBILITY_UNSEEN) {
                    OCT_TRY(oct_visibility_look(s, id));
                }
            }
        }
    }
    s->is_whole = true;
    return OCT_OK;
}

static void take(space *base, const oct_planner *planner)
{
    oct_lab_take(base, planner);
    ((visibility_space *)base)->plane = lab_plane(planner);
}

static void take_all(space *base, const oct_planner *planner)
{
    take(base, planner);
    ((visibility_space *)base)->keeps_all = true;
}

const space_kind oct_visibility_kind = {.size = sizeof(visibility_space),
                                        .ops = &visibility_ops,
                                        .free_parts = free_parts,
                                        .parts_bytes = parts_bytes,
                                        .take = take,
                                        .begin = begin};

const space_kind oct_visibility_all_kind = {.size = sizeof(visibility_space),
                                            .ops = &visibility_ops,
                                            .free_parts = free_parts,
                                            .parts_bytes = parts_bytes,
                                            .take = take_all,
                                            .begin = begin};
