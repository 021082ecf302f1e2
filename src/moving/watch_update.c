// SPDX-License-Identifier: MIT
// A watch follows the journal.
//
// A leg was free before. Now only the cells that touch it inside a change's box can be in the way:
// where all of these are free, it still is, and nobody has to look along it. All changes since the
// last time are looked at as the map is now: what came and went again is told to nobody.
#include "moving/watch_internal.h"

#define CHANGES_AT_ONCE 16
#define SORTED_MOST 32
#define LEGS_AT_ONCE 16
// Legs are looked at in pieces of so many cells, but not in more of them than this.
#define PIECE 2.0
#define PIECES_MOST 16

// ---- what is free ----

uint32_t oct_watch_arrive(const view *v, oct_fine from, uint32_t octants, oct_fine to)
{
    const spot a = {from, octants};
    const uint32_t open = oct_view_octants(v, to);
    uint32_t arrived = 0;
    for (uint32_t left = open; left;) {
        const spot b = {to, view_joined(v, left & (0u - left), open)};
        left &= ~b.octants;
        arrived |= oct_view_sees(v, &a, &b) ? b.octants : 0u;
    }
    return arrived;
}

uint32_t oct_watch_first_broken(const view *v, const oct_fine *points, uint32_t first,
                                uint32_t last, bool *is_free)
{
    uint32_t octants = oct_view_octants(v, points[first]);
    uint32_t at = first;
    while (octants && at < last) {
        octants = oct_watch_arrive(v, points[at], octants, points[at + 1]);
        at += octants != 0;
    }
    *is_free = octants != 0;
    return at;
}

static bool is_one_place(const view *v, uint32_t octants)
{
    return view_joined(v, octants & (0u - octants), octants) == octants;
}

// Whether a path can go along a leg, and on at both ends of it; where not, the first leg that it
// cannot go, as far as this one tells. Where blocked cells meet at an end that depends on the legs
// before and behind.
static bool leg_holds(const oct_watch *w, const watched *path, uint32_t *leg)
{
    const oct_fine *const points = watched_points(path);
    const oct_fine a = points[*leg], b = points[*leg < path->last ? *leg + 1 : *leg];
    const spot from = {a, oct_view_octants(&w->map, a)}, to = {b, oct_view_octants(&w->map, b)};
    if (!oct_view_sees(&w->map, &from, &to)) {
        return false;
    }
    bool is_free = true;
    if (!is_one_place(&w->map, from.octants) || !is_one_place(&w->map, to.octants)) {
        *leg = oct_watch_first_broken(&w->map, points, path->first, path->last, &is_free);
    }
    return is_free;
}

// ---- one leg and one change ----

// The part of a leg, from 0 to 1, for which one axis is within a range; grown by a step of the
// sub-lattice, since numbers are rounded. False where there is none.
static bool clip_axis(int64_t a, int64_t b, int64_t lo, int64_t hi, double *from, double *to)
{
    if ((a < lo && b < lo) || (a > hi && b > hi)) {
        return false;
    }
    if (a == b) {
        return true;
    }
    const double way = (double)(b - a);
    const double p = (double)(lo - 1 - a) / way, q = (double)(hi + 1 - a) / way;
    const double enter = p < q ? p : q, leave = p < q ? q : p;
    *from = enter > *from ? enter : *from;
    *to = leave < *to ? leave : *to;
    return *from <= *to;
}

// The cells from min up to max that touch that part of a leg on one axis.
static bool touch_axis(int64_t a, int64_t b, double from, double to, int32_t *min, int32_t *max)
{
    const double way = (double)(b - a);
    const double p = (double)a + way * from, q = (double)a + way * to;
    const int64_t lo = (int64_t)floor(p < q ? p : q) - 1, hi = (int64_t)floor(p < q ? q : p) + 2;
    const int64_t low = (a < b ? a : b) > lo ? (a < b ? a : b) : lo;
    const int64_t high = (a < b ? b : a) < hi ? (a < b ? b : a) : hi;
    const int64_t first = (low - 1) >> 8, end = (high >> 8) + 1;
    *min = first > *min ? (int32_t)first : *min;
    *max = end < *max ? (int32_t)end : *max;
    return *min < *max;
}

// The part of a leg that touches a box; false where none does.
static bool clip_leg(int dims, oct_fine a, oct_fine b, const oct_box *box, double *from, double *to)
{
    const oct_vec min = box->min, max = box->max;
    return clip_axis(a.x, b.x, (int64_t)min.x * OCT_FINE, (int64_t)max.x * OCT_FINE, from, to) &&
           clip_axis(a.y, b.y, (int64_t)min.y * OCT_FINE, (int64_t)max.y * OCT_FINE, from, to) &&
           (dims == 2 ||
            clip_axis(a.z, b.z, (int64_t)min.z * OCT_FINE, (int64_t)max.z * OCT_FINE, from, to));
}

// Reduces a box to cells that may touch a part of a leg; false where there are none.
static bool cells_met(int dims, oct_fine a, oct_fine b, double from, double to, oct_box *box)
{
    return touch_axis(a.x, b.x, from, to, &box->min.x, &box->max.x) &&
           touch_axis(a.y, b.y, from, to, &box->min.y, &box->max.y) &&
           (dims == 2 || touch_axis(a.z, b.z, from, to, &box->min.z, &box->max.z));
}

// Legs that a change may have met, a few at a time: their memory is asked for before it is needed.
typedef struct visit {
    oct_watch *watch;
    oct_box box;
    uint32_t paths[LEGS_AT_ONCE], legs[LEGS_AT_ONCE];
    int count;
} visit;

// All legs that a change broke are met: the first one counts.
static void note_broken(oct_watch *w, uint32_t id, uint32_t leg)
{
    watched *const path = watch_path(w, id);
    if (!path->is_broken) {
        path->is_broken = path->is_news = true;
        path->broken_leg = leg;
        w->broken_count++;
        ((uint32_t *)w->news.items)[w->news.count++] = id;
    }
    path->broken_leg = leg < path->broken_leg ? leg : path->broken_leg;
}

// Whether no cell of a box that touches a leg is in the way. The leg is looked at piece by piece.
static bool is_clear_of(const oct_watch *w, oct_fine a, oct_fine b, const oct_box *box)
{
    double from = 0.0, to = 1.0;
    if (!clip_leg(w->map.dims, a, b, box, &from, &to)) {
        return true;
    }
    const double length = oct_fine_distance(a, b) * (to - from);
    const int pieces = length < PIECE * PIECES_MOST ? (int)(length / PIECE) + 1 : PIECES_MOST;
    const double step = (to - from) / pieces;
    for (int i = 0; i < pieces; i++) {
        const double begin = from + step * i;
        oct_box part = *box;
        if (cells_met(w->map.dims, a, b, begin, begin + step, &part) &&
            (oct_tree_labels_in(w->map.tree, part) & w->map.blocked)) {
            return false;
        }
    }
    return true;
}

static void look_at_leg(const visit *at, uint32_t id, uint32_t leg)
{
    oct_watch *const w = at->watch;
    watched *const path = watch_path(w, id);
    if ((path->is_broken && (!path->is_news || leg >= path->broken_leg)) ||
        (path->met == w->changes && path->met_leg == leg)) {
        return;
    }
    path->met = w->changes;
    path->met_leg = leg;
    w->met++;
    const oct_fine *const points = watched_points(path);
    if (is_clear_of(w, points[leg], points[leg < path->last ? leg + 1 : leg], &at->box)) {
        return;
    }
    w->checked++;
    if (!leg_holds(w, path, &leg)) {
        note_broken(w, id, leg);
    }
}

static void look_at_noted(visit *at)
{
    for (int i = 0; i < at->count; i++) {
        const watched *const path = watch_path(at->watch, at->paths[i]);
        OCT_PREFETCH(watched_points(path) + at->legs[i]);
    }
    for (int i = 0; i < at->count; i++) {
        look_at_leg(at, at->paths[i], at->legs[i]);
    }
    at->count = 0;
}

static void note_leg(void *ctx, uint32_t id, uint32_t leg)
{
    visit *const at = ctx;
    OCT_PREFETCH(watch_path(at->watch, id));
    at->paths[at->count] = id;
    at->legs[at->count++] = leg;
    if (at->count == LEGS_AT_ONCE) {
        look_at_noted(at);
    }
}

// ---- all changes ----

static void look_at_change(oct_watch *w, const oct_change *change, uint64_t revision)
{
    const oct_labels free = w->map.free, blocked = w->map.blocked;
    visit at = {.watch = w, .box = change->box, .count = 0};
    if (w->map.dims == 2) {
        at.box.min.z = 0;
        at.box.max.z = 1;
    }
    if ((change->before & blocked) && (change->after & free)) {
        oct_opened_add(&w->opened, at.box, revision);
    }
    w->changes++;
    if (w->path_count > 0 && (change->before & free) && (change->after & blocked)) {
        oct_leg_index_visit(&w->index, &at.box, note_leg, &at);
        look_at_noted(&at);
    }
}

static void look_at_all(oct_watch *w)
{
    oct_opened_lose(&w->opened, oct_tree_revision(w->map.tree));
    for (uint32_t id = 1; id < w->paths.count; id++) {
        const watched *const path = watch_path(w, id);
        if (!path->is_used || path->is_broken) {
            continue;
        }
        bool is_free;
        w->met += path->last - path->first + (path->first == path->last);
        w->checked += path->last - path->first + (path->first == path->last);
        const uint32_t leg = oct_watch_first_broken(&w->map, watched_points(path), path->first,
                                                    path->last, &is_free);
        if (!is_free) {
            note_broken(w, id, leg);
        }
    }
}

static void follow(oct_watch *w)
{
    oct_change changes[CHANGES_AT_ONCE];
    size_t count;
    do {
        if (oct_tree_changes(w->map.tree, w->revision, changes, CHANGES_AT_ONCE, &count) !=
            OCT_OK) {
            look_at_all(w);
            break;
        }
        for (size_t i = 0; i < count; i++) {
            look_at_change(w, &changes[i], ++w->revision);
        }
    } while (count == CHANGES_AT_ONCE);
    w->revision = oct_tree_revision(w->map.tree);
}

// Puts the news into the order of ids: a few by comparing, many by going through all paths.
static void sort_news(oct_watch *w)
{
    uint32_t *const ids = w->news.items;
    if (w->news.count > SORTED_MOST) {
        w->news.count = 0;
        for (uint32_t id = 1; id < w->paths.count; id++) {
            if (watch_path(w, id)->is_news) {
                ids[w->news.count++] = id;
            }
        }
        return;
    }
    for (size_t i = 1; i < w->news.count; i++) {
        const uint32_t id = ids[i];
        size_t to = i;
        for (; to > 0 && ids[to - 1] > id; to--) {
            ids[to] = ids[to - 1];
        }
        ids[to] = id;
    }
}

size_t oct_watch_update(oct_watch *watch, oct_broken_fn *tell, void *ctx)
{
    watch->met = watch->checked = 0;
    watch->news.count = 0;
    if (watch->revision != oct_tree_revision(watch->map.tree)) {
        follow(watch);
    }
    uint32_t *const ids = watch->news.items;
    sort_news(watch);
    for (size_t i = 0; i < watch->news.count; i++) {
        watched *const path = watch_path(watch, ids[i]);
        path->is_news = false;
        if (tell) {
            tell(ctx, &(oct_broken){path->owner, ids[i], path->broken_leg});
        }
    }
    return watch->news.count;
}
