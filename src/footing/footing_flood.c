// SPDX-License-Identifier: MIT
// Where one gets to on foot: Dijkstra 1959 over places, and ways made of it.
#include "footing/footing_internal.h"

#include <math.h>

// What is added for what cannot be gone back: it is done last.
#define ONE_WAY 1000.0
// How far beside the middles of columns a straight way may be, in cells: as planned, and as a body
// goes it.
#define EXACT 1e-6
#define BESIDE 0.15

// ---- the search ----

static footing_node *node_at(const oct_footing *f, uint32_t place)
{
    return (footing_node *)f->nodes.items + place;
}

static oct_result reserve_nodes(oct_footing *f)
{
    const size_t count = f->places.count;
    OCT_TRY(oct_array_reserve(&f->nodes, &f->allocator, sizeof(footing_node),
                              f->nodes.capacity < count ? count + count / 2 : count));
    if (f->nodes.count < count) {
        memset(node_at(f, (uint32_t)f->nodes.count), 0,
               (count - f->nodes.count) * sizeof(footing_node));
        f->nodes.count = count;
    }
    return OCT_OK;
}

// Ties are broken by where a place is, never by when it was found.
static oct_result offer(oct_footing *f, uint32_t place, const footing_node *node)
{
    OCT_TRY(reserve_nodes(f));
    footing_node *const n = node_at(f, place);
    if (n->flood == f->flood && n->cost <= node->cost) {
        return OCT_OK;
    }
    *n = *node;
    const footing_place *const p = footing_place_at(f, place);
    const footing_column *const c = footing_column_at(f, p->column);
    const uint64_t key =
        (uint64_t)(uint32_t)(c->i + OCT_RANGE) << 32 | (uint64_t)(uint32_t)(c->j + OCT_RANGE) << 1;
    const oct_heap_entry entry = {.f = node->cost, .g = 0.0, .key = key, .id = place};
    return oct_heap_push(&f->heap, &f->allocator, entry);
}

static oct_result offer_walks(oct_footing *f, uint32_t place, const footing_node *here)
{
    const footing_point from = footing_stand(f, place);
    for (int n = 0; n < 9; n++) {
        uint32_t next = FOOTING_NONE;
        OCT_TRY(n == 4 ? OCT_OK : oct_footing_walk(f, place, n % 3 - 1, n / 3 - 1, &next));
        if (next == FOOTING_NONE) {
            continue;
        }
        const footing_point to = footing_stand(f, next);
        const double u = to.u - from.u, v = to.v - from.v, h = to.h - from.h;
        footing_node node = {.flood = f->flood, .parent = place, .is_one_way = here->is_one_way};
        node.cost = here->cost + sqrt(u * u + v * v + h * h);
        OCT_TRY(offer(f, next, &node));
    }
    return OCT_OK;
}

static oct_result offer_leaps(oct_footing *f, uint32_t place, const footing_node *here)
{
    OCT_TRY(oct_footing_leaps(f, place));
    const footing_place p = *footing_place_at(f, place);
    for (uint32_t i = 0; i < p.leap_count; i++) {
        const footing_leap *const l = (const footing_leap *)f->leaps.items + p.first_leap + i;
        const double down = p.h - footing_place_at(f, l->to)->h;
        const bool is_one_way = l->stride == OCT_STRIDE_DROP || down > f->walker.climb;
        const footing_node node = {.flood = f->flood,
                                   .parent = place,
                                   .cost = here->cost + l->cost + (is_one_way ? ONE_WAY : 0.0),
                                   .stride = l->stride,
                                   .speed = l->speed,
                                   .is_one_way = here->is_one_way || is_one_way};
        OCT_TRY(offer(f, l->to, &node));
    }
    return OCT_OK;
}

static oct_result spread(oct_footing *f)
{
    while (f->heap.entries.count > 0) {
        const oct_heap_entry entry = oct_heap_pop(&f->heap);
        if (node_at(f, entry.id)->is_done) {
            continue;
        }
        node_at(f, entry.id)->is_done = true;
        const footing_node here = *node_at(f, entry.id);
        OCT_TRY(oct_array_push(&f->order, &f->allocator, sizeof entry.id, &entry.id));
        OCT_TRY(offer_walks(f, entry.id, &here));
        OCT_TRY(offer_leaps(f, entry.id, &here));
    }
    return OCT_OK;
}

static bool is_current(const oct_footing *f)
{
    return f->flood != 0 && f->flood_of == f->changes && f->flood_known == footing_seen(f);
}

oct_result oct_footing_flood(oct_footing *f, const oct_foothold *from)
{
    uint32_t source = from->number;
    if (is_current(f) && f->source == source) {
        return OCT_OK;
    }
    const footing_point at = footing_own(f, from->feet);
    int32_t i, j;
    oct_footing_tidy(f);
    if (!oct_footing_column_index(f, at, &i, &j)) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(oct_footing_nearest(f, i, j, at.h, FOOTING_SAME, FOOTING_SAME, &source));
    if (source == FOOTING_NONE) {
        return OCT_ERROR_RANGE;
    }
    f->order.count = f->heap.entries.count = 0;
    f->source = source;
    if (++f->flood == 0) { // after 2^32 of them
        f->nodes.count = 0;
        f->flood = 1;
    }
    const uint32_t flood = f->flood;
    const footing_node first = {.flood = f->flood, .parent = FOOTING_NONE};
    oct_result result = offer(f, source, &first);
    result = result == OCT_OK ? spread(f) : result;
    f->flood = flood;
    f->flood_of = result == OCT_OK ? f->changes : UINT64_MAX;
    f->flood_known = footing_seen(f);
    return result;
}

// ---- answers ----

size_t oct_footing_reached(const oct_footing *f)
{
    return is_current(f) ? f->order.count : 0;
}

oct_foothold oct_footing_reached_at(const oct_footing *f, size_t index, double *length)
{
    const uint32_t place = ((const uint32_t *)f->order.items)[index];
    *length = node_at(f, place)->cost;
    return oct_footing_hold(f, place);
}

static const footing_node *reached(const oct_footing *f, const oct_foothold *to)
{
    if (!is_current(f) || to->number >= f->nodes.count) {
        return NULL;
    }
    const footing_node *const n = node_at(f, to->number);
    return n->flood == f->flood && n->is_done ? n : NULL;
}

bool oct_footing_reaches(const oct_footing *f, const oct_foothold *to, double *length)
{
    const footing_node *const n = reached(f, to);
    *length = n ? n->cost : 0.0;
    return n != NULL;
}

bool oct_footing_is_one_way(const oct_footing *f, const oct_foothold *to)
{
    const footing_node *const n = reached(f, to);
    return n && n->is_one_way;
}

// ---- ways ----

// Whether all columns whose middles are around a point have ground there; those that it is beside
// by no more than a share of a cell do not count.
static oct_result has_ground(oct_footing *f, footing_point at, double slack, uint32_t *from,
                             double *h, bool *is)
{
    const double u = (at.u - f->origin[0]) / f->cell - 0.5;
    const double v = (at.v - f->origin[1]) / f->cell - 0.5;
    const double i = floor(u), j = floor(v);
    double nearest = HUGE_VAL;
    const double before = *h;
    const uint32_t before_place = *from;
    for (int n = 0; n < 4; n++) {
        const double by_u = fabs(u - i - n % 2), by_v = fabs(v - j - (n >> 1));
        if (by_u > 1.0 - slack || by_v > 1.0 - slack) {
            continue;
        }
        uint32_t place;
        const int32_t to_i = (int32_t)i + n % 2, to_j = (int32_t)j + (n >> 1);
        OCT_TRY(before_place != FOOTING_NONE
                    ? oct_footing_joined(f, before_place, to_i, to_j, &place)
                    : oct_footing_nearest(f, to_i, to_j, before, f->walker.step, f->walker.step,
                                          &place));
        if (place == FOOTING_NONE || !oct_footing_place_is_known(f, place)) {
            *is = false;
            return OCT_OK;
        }
        if (by_u + by_v < nearest) {
            nearest = by_u + by_v;
            *h = footing_place_at(f, place)->h;
            *from = place;
        }
    }
    *is = true;
    return OCT_OK;
}

// The place whose middle is at the height of a point in its column, or nearly so.
static oct_result nearest_to(oct_footing *f, footing_point at, double within, uint32_t *place)
{
    int32_t i, j;
    *place = FOOTING_NONE;
    return oct_footing_column_index(f, at, &i, &j)
               ? oct_footing_nearest(f, i, j, at.h, within, within, place)
               : OCT_OK;
}

oct_result oct_footing_is_straight(oct_footing *f, footing_point from, footing_point to,
                                   double slack, bool *is)
{
    const double du = to.u - from.u, dv = to.v - from.v;
    const uint32_t steps = (uint32_t)(4.0 * sqrt(du * du + dv * dv) / f->cell) + 1;
    double h = from.h;
    uint32_t place;
    *is = true;
    OCT_TRY(nearest_to(f, from, FOOTING_SAME, &place));
    for (uint32_t i = 1; i <= steps && *is; i++) {
        const double share = (double)i / steps;
        OCT_TRY(has_ground(f, (footing_point){from.u + du * share, from.v + dv * share, h}, slack,
                           &place, &h, is));
    }
    *is = *is && fabs(h - to.h) <= FOOTING_SAME;
    return OCT_OK;
}

static oct_result add_leg(oct_footing *f, uint32_t place, oct_stride stride, double speed)
{
    const oct_footing_leg leg = {footing_world(f, footing_stand(f, place)), stride, speed};
    return oct_array_push(&f->legs, &f->allocator, sizeof leg, &leg);
}

// The places of the way, from its end.
static oct_result find_row(oct_footing *f, uint32_t to)
{
    f->row.count = 0;
    for (uint32_t at = to; at != FOOTING_NONE; at = node_at(f, at)->parent) {
        OCT_TRY(oct_array_push(&f->row, &f->allocator, sizeof at, &at));
    }
    return OCT_OK;
}

// From one place of the row (the `at`-th from its end) the last one that is straight ahead: tried
// twice as far each time, and then between.
static oct_result find_ahead(oct_footing *f, size_t at, size_t *ahead)
{
    const uint32_t *const row = f->row.items;
    size_t most = 1; // that is walked
    while (most <= at && node_at(f, row[at - most])->stride == OCT_STRIDE_WALK) {
        most++;
    }
    most--;
    size_t good = 1, bad = most + 1;
    for (size_t far = 2; far < bad;) {
        bool is;
        OCT_TRY(oct_footing_is_straight(f, footing_stand(f, row[at]),
                                        footing_stand(f, row[at - far]), EXACT, &is));
        *(is ? &good : &bad) = far;
        far = is && far * 2 < bad ? far * 2 : (good + bad) / 2;
        far = far == good ? bad : far;
    }
    *ahead = at - good;
    return OCT_OK;
}

oct_result oct_footing_way(oct_footing *f, const oct_foothold *to, const oct_footing_leg **legs,
                           size_t *count, double *length)
{
    if (!reached(f, to)) {
        return OCT_ERROR_ABSENT;
    }
    OCT_TRY(find_row(f, to->number));
    f->legs.count = 0;
    footing_point last = footing_stand(f, f->source);
    *length = 0.0;
    for (size_t at = f->row.count - 1; at > 0;) {
        const uint32_t *const row = f->row.items;
        const footing_node next = *node_at(f, row[at - 1]);
        size_t ahead = at - 1;
        if (next.stride == OCT_STRIDE_WALK) {
            OCT_TRY(find_ahead(f, at, &ahead));
        }
        const footing_point p = footing_stand(f, row[ahead]);
        const double u = p.u - last.u, v = p.v - last.v, h = p.h - last.h;
        OCT_TRY(add_leg(f, row[ahead], next.stride, next.speed));
        *length += sqrt(u * u + v * v + h * h);
        last = p;
        at = ahead;
    }
    *legs = f->legs.items;
    *count = f->legs.count;
    return OCT_OK;
}

oct_result oct_footing_leg_between(oct_footing *f, oct_point from, oct_point to,
                                   oct_footing_leg *out, bool *found)
{
    const footing_point a = footing_own(f, from), b = footing_own(f, to);
    *out = (oct_footing_leg){.to = to};
    OCT_TRY(oct_footing_is_straight(f, a, b, BESIDE, found));
    if (*found) {
        return OCT_OK;
    }
    // Off a slope it neither jumps nor drops: it stands further above it than is known.
    uint32_t place;
    OCT_TRY(nearest_to(f, a, f->walker.step, &place));
    if (place != FOOTING_NONE && !footing_is_level(footing_place_at(f, place))) {
        return OCT_OK;
    }
    *found = oct_footing_jump(f, a, b, &out->speed);
    out->stride = OCT_STRIDE_JUMP;
    if (!*found) {
        out->stride = OCT_STRIDE_DROP;
        OCT_TRY(oct_footing_drop(f, a, b, &out->speed, found));
    }
    return OCT_OK;
}
