// SPDX-License-Identifier: MIT
// Pulls paths taut.
//
// Four moves, the cheap ones first, until none is of use anywhere:
//   bend   a vertex that is not right at something in the way gives way to the bends of the
//          shortest way in the triangle that it spans with its neighbours      taut_bend.c
//   relax  all vertices slide along their edges at once to where the path is shortest  taut_relax.c
//   slide  one vertex leaves its place along one edge or two                   taut_slide.c
//   out    a vertex whose neighbours see each other is left out
// and where it is asked for, side: vertices change sides                       taut_sides.c
//
// A move is made only if the path gets cheaper by more than the tolerance, or loses a vertex and
// gets no costlier: so it ends. Whether a move is of use depends on the path alone, and at the end
// none is: so a second pull changes nothing. Everything that is chosen by rounded numbers is
// checked by exact lines of sight before it is taken: so paths stay valid.
#include "search/taut_internal.h"

static vertex *vertex_at(const taut *t, size_t i)
{
    return (vertex *)t->vertices.items + i;
}

bool oct_taut_place_from(taut *t, const view *v, const spot *a, oct_fine at, spot *out)
{
    uint32_t octants = oct_view_octants(v, at);
    while (octants) {
        *out = (spot){at, take_part(&octants)};
        if (taut_sees(t, v, a, out)) {
            return true;
        }
    }
    return false;
}

double oct_taut_chain_cost(const view *v, oct_fine a, const chain *by, oct_fine c)
{
    double cost = 0.0;
    oct_fine last = a;
    for (int i = 0; i < by->count; i++) {
        cost += taut_cost(v, last, by->places[i].at);
        last = by->places[i].at;
    }
    return cost + taut_cost(v, last, c);
}

void oct_taut_renew(taut *t, size_t first, size_t count)
{
    for (size_t i = first - 1; i <= first + count && i < t->vertices.count; i++) {
        vertex_at(t, i)->tried = 0;
    }
}

oct_result oct_taut_replace(taut *t, const view *v, size_t first, size_t count, const chain *by)
{
    const size_t added = (size_t)by->count, behind = t->vertices.count - first - count;
    const size_t total = first + added + behind;
    if (total > t->vertices.capacity) {
        OCT_TRY(oct_array_reserve(&t->vertices, &t->allocator, sizeof(vertex), total + total / 2));
    }
    vertex *const all = t->vertices.items;
    memmove(all + first + added, all + first + count, behind * sizeof *all);
    t->vertices.count = total;
    for (size_t i = 0; i < added; i++) {
        all[first + i].place = by->places[i];
    }
    for (size_t i = first - 1; i < first + added; i++) {
        all[i].cost = taut_cost(v, all[i].place.at, all[i + 1].place.at);
    }
    oct_taut_renew(t, first, added);
    return OCT_OK;
}

// ---- moves ----

// Tries a move at a vertex between others; whether it was made. That may fail.
typedef bool move_fn(taut *t, const view *v, size_t i, oct_result *result);

static const chain nothing = {.count = 0};

static bool leave_out(taut *t, const view *v, size_t i, oct_result *result)
{
    const vertex *const b = vertex_at(t, i);
    if (taut_cost(v, b[-1].place.at, b[1].place.at) > b[-1].cost + b->cost ||
        !taut_sees(t, v, &b[-1].place, &b[1].place)) {
        return false;
    }
    *result = oct_taut_replace(t, v, i, 1, &nothing);
    return true;
}

static bool bend(taut *t, const view *v, size_t i, oct_result *result)
{
    const vertex *const b = vertex_at(t, i);
    const oct_fine a = b[-1].place.at, c = b[1].place.at;
    const double old = b[-1].cost + b->cost, limit = old - TAUT_TOLERANCE;
    if (oct_taut_is_pinned(a, &b->place, c) || oct_fine_distance(a, c) * v->least_price >= limit) {
        return false;
    }
    chain by;
    const bend_terms terms = {.limit = limit, .most = CHAIN_MAX, .far = true};
    if (!oct_taut_bends(t, v, &b[-1].place, b->place.at, &b[1].place, terms, &by) ||
        oct_taut_chain_cost(v, a, &by, c) >= limit) {
        return false;
    }
    *result = oct_taut_replace(t, v, i, 1, &by);
    return true;
}

static bool slide(taut *t, const view *v, size_t i, oct_result *result)
{
    const vertex *const b = vertex_at(t, i);
    ways out;
    oct_taut_ways(v, b, &out);
    for (int n = 0; n < out.count; n++) {
        chain by;
        if (oct_taut_leave(t, v, b, &out.ways[n], &by)) {
            *result = oct_taut_replace(t, v, i, 1, &by);
            return true;
        }
    }
    return false;
}

// Where no row of bends was found, a vertex that stands free is drawn towards the line between its
// neighbours as far as both still see it.
static bool draw_in(taut *t, const view *v, size_t i, oct_result *result)
{
    const vertex *const b = vertex_at(t, i);
    const oct_fine at = b->place.at, a = b[-1].place.at, c = b[1].place.at;
    const vec way = vec_between(a, c), off = vec_between(a, at);
    const double length = vec_dot(&way, &way);
    if (oct_taut_is_pinned(a, &b->place, c) || length == 0.0) {
        return false;
    }
    const double along = vec_dot(&off, &way) / length;
    const double part = along < 0.0 ? 0.0 : along > 1.0 ? 1.0 : along;
    for (double step = 0.5; step > 0x1p-8; step *= 0.5) {
        int64_t to[AXES];
        for (int k = 0; k < AXES; k++) {
            to[k] = (int64_t)floor(step * (part * way.at[k] - off.at[k]) + 0.5);
        }
        chain by = {.count = 1};
        const oct_fine in = {at.x + to[0], at.y + to[1], at.z + to[2]};
        if (taut_cost(v, a, in) + taut_cost(v, in, c) < b[-1].cost + b->cost - TAUT_TOLERANCE &&
            oct_taut_place_from(t, v, &b[-1].place, in, &by.places[0]) &&
            taut_sees(t, v, &by.places[0], &b[1].place)) {
            *result = oct_taut_replace(t, v, i, 1, &by);
            return true;
        }
    }
    return false;
}

// ---- all ----

// Tries a move at every vertex where it was not yet tried as things are.
static oct_result try_all(taut *t, const view *v, move_fn *move, uint32_t kind, bool *changed)
{
    for (size_t i = 1; i + 1 < t->vertices.count;) {
        oct_result result = OCT_OK;
        if (vertex_at(t, i)->tried & kind) {
            i++;
        } else if (move(t, v, i, &result)) {
            OCT_TRY(result);
            *changed = true;
            i = i > 1 ? i - 1 : 1;
        } else {
            vertex_at(t, i)->tried |= kind;
        }
    }
    return OCT_OK;
}

static oct_result pull(taut *t, const view *v)
{
    bool changed;
    do {
        changed = false;
        OCT_TRY(try_all(t, v, bend, MOVE_BEND, &changed));
        OCT_TRY(oct_taut_relax(t, v, &changed));
        if (!changed) {
            OCT_TRY(try_all(t, v, slide, MOVE_SLIDE, &changed));
        }
        if (!changed) {
            OCT_TRY(try_all(t, v, leave_out, MOVE_OUT, &changed));
        }
        if (!changed) {
            OCT_TRY(try_all(t, v, draw_in, MOVE_IN, &changed));
        }
    } while (changed);
    return OCT_OK;
}

// Takes the path over, without vertices that are not needed to see others further on: two, four,
// eight ahead. `along` is what the way there costs.
static oct_result load(taut *t, const view *v, const oct_array *path)
{
    const spot *const places = path->items;
    OCT_TRY(oct_array_reserve(&t->vertices, &t->allocator, sizeof(vertex), path->count));
    vertex *const all = t->vertices.items;
    size_t count = 0, hidden = 0; // what the one before does not see, if it is the next
    for (size_t i = 0; i < path->count;) {
        size_t next = i + 1, step = 2;
        double along = 0.0;
        for (size_t to = i + 1; i + step < path->count; step *= 2) {
            for (; to <= i + step; to++) {
                along += taut_cost(v, places[to - 1].at, places[to].at);
            }
            if (taut_cost(v, places[i].at, places[i + step].at) > along ||
                !taut_sees(t, v, &places[i], &places[i + step])) {
                break;
            }
            next = i + step;
        }
        all[count++] = (vertex){places[i], 0.0, next == hidden ? MOVE_OUT : 0u};
        hidden = i + 2;
        i = next;
    }
    for (size_t i = 0; i + 1 < count; i++) {
        all[i].cost = taut_cost(v, all[i].place.at, all[i + 1].place.at);
    }
    t->vertices.count = count;
    return OCT_OK;
}

oct_result oct_taut_pull(taut *t, const view *v, oct_array *path)
{
    if (path->count < 3) {
        return OCT_OK;
    }
    OCT_TRY(load(t, v, path));
    OCT_TRY(pull(t, v));
    OCT_TRY(oct_array_reserve(path, &t->allocator, sizeof(spot), t->vertices.count));
    spot *const places = path->items;
    path->count = t->vertices.count;
    for (size_t i = 0; i < path->count; i++) {
        places[i] = vertex_at(t, i)->place;
    }
    return OCT_OK;
}

void oct_taut_free(taut *t)
{
    oct_array_free(&t->vertices, &t->allocator, sizeof(vertex));
    oct_array_free(&t->knots, &t->allocator, oct_taut_knot_bytes());
}

size_t oct_taut_bytes(const taut *t)
{
    return t->vertices.capacity * sizeof(vertex) + t->knots.capacity * oct_taut_knot_bytes();
}
