// SPDX-License-Identifier: MIT
// A watch follows the journal: paths that a change has touched are checked once, as the map is now.
// So what came and went again between two updates is reported to nobody.
#include "moving/watch_internal.h"
#include "octant/tree.h"

#define CHANGES_AT_ONCE 16
#define SORTED_MOST 32

// ---- what is free ----

// Follows a line: of the octants at `to` those in which it can arrive from those at `from`, as
// whole places; 0 where it is not free.
static uint32_t arrive(const view *v, oct_fine from, uint32_t octants, oct_fine to)
{
    const spot a = {from, octants};
    const uint32_t open = oct_view_octants(v, to);
    uint32_t arrived = 0;
    for (uint32_t left = open; left;) {
        const spot b = {to, octants_joined(left & (0u - left), open)};
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
        octants = arrive(v, points[at], octants, points[at + 1]);
        at += octants != 0;
    }
    *is_free = octants != 0;
    return at;
}

// ---- what a change touches ----

// Narrows the part of a leg, from 0 to 1, to that for which one axis is within a range. The range
// grows by a step of the sub-lattice, since numbers are rounded. False where nothing is left.
static bool clip_axis(int64_t a, int64_t b, int32_t min, int32_t max, double *from, double *to)
{
    const int64_t lo = (int64_t)min * OCT_FINE, hi = (int64_t)max * OCT_FINE;
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

// Whether a leg touches a box of cells, or comes very close.
static bool leg_touches(int dims, oct_fine a, oct_fine b, const oct_box *box)
{
    double from = 0.0, to = 1.0;
    return clip_axis(a.x, b.x, box->min.x, box->max.x, &from, &to) &&
           clip_axis(a.y, b.y, box->min.y, box->max.y, &from, &to) &&
           (dims == 2 || clip_axis(a.z, b.z, box->min.z, box->max.z, &from, &to));
}

typedef struct visit {
    oct_watch *watch;
    oct_box box;
} visit;

static void touch(oct_watch *w, uint32_t id)
{
    watch_path(w, id)->is_touched = true;
    ((uint32_t *)w->touched.items)[w->touched.count++] = id;
}

static void touch_leg(void *ctx, uint32_t id, uint32_t leg)
{
    const visit *const at = ctx;
    const watched *const path = watch_path(at->watch, id);
    const oct_fine *const points = watched_points(path);
    if (!path->is_broken && !path->is_touched &&
        leg_touches(at->watch->map.dims, points[leg], points[watched_leg_end(path, leg)],
                    &at->box)) {
        touch(at->watch, id);
    }
}

static void touch_change(oct_watch *w, const oct_change *change)
{
    visit at = {.watch = w, .box = change->box};
    if (w->map.dims == 2) {
        at.box.min.z = 0;
        at.box.max.z = 1;
    }
    if ((change->before & w->map.free) && (change->after & w->map.blocked)) {
        oct_leg_index_visit(&w->index, &at.box, touch_leg, &at);
    }
}

static void touch_all(oct_watch *w)
{
    for (uint32_t id = 1; id < w->paths.count; id++) {
        const watched *const path = watch_path(w, id);
        if (path->is_used && !path->is_broken && !path->is_touched) {
            touch(w, id);
        }
    }
}

static void follow_journal(oct_watch *w)
{
    oct_change changes[CHANGES_AT_ONCE];
    size_t count;
    do {
        if (oct_tree_changes(w->map.tree, w->revision, changes, CHANGES_AT_ONCE, &count) !=
            OCT_OK) {
            touch_all(w);
            break;
        }
        for (size_t i = 0; i < count; i++) {
            touch_change(w, &changes[i]);
        }
        w->revision += count;
    } while (count == CHANGES_AT_ONCE);
    w->revision = oct_tree_revision(w->map.tree);
}

// ---- reporting ----

// Puts the touched paths into the order of ids: a few by comparing, many by going through all.
static void sort_touched(oct_watch *w)
{
    uint32_t *const ids = w->touched.items;
    if (w->touched.count > SORTED_MOST) {
        w->touched.count = 0;
        for (uint32_t id = 1; id < w->paths.count; id++) {
            if (watch_path(w, id)->is_touched) {
                ids[w->touched.count++] = id;
            }
        }
        return;
    }
    for (size_t i = 1; i < w->touched.count; i++) {
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
    size_t told = 0;
    watch->touched.count = 0;
    follow_journal(watch);
    watch->checked = watch->touched.count;
    sort_touched(watch);
    for (size_t i = 0; i < watch->touched.count; i++) {
        const uint32_t id = ((const uint32_t *)watch->touched.items)[i];
        watched *const path = watch_path(watch, id);
        bool is_free;
        const uint32_t leg = oct_watch_first_broken(&watch->map, watched_points(path), path->first,
                                                    path->last, &is_free);
        path->is_touched = false;
        if (is_free) {
            continue;
        }
        path->is_broken = true;
        watch->broken_count++;
        told++;
        if (tell) {
            tell(ctx, &(oct_broken){path->owner, id, leg});
        }
    }
    return told;
}
