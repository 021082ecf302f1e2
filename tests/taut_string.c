// SPDX-License-Identifier: MIT
#include "taut_string.h"
#include "octant/tree.h"

view taut_view(const search_scene *s)
{
    view v;
    oct_view_init(&v, s->tree, &s->terms);
    return v;
}

double taut_cost_between(const view *v, oct_fine a, oct_fine b)
{
    return cost_above(v->is_priced ? oct_view_price(v, a, b) : oct_fine_distance(a, b));
}

double taut_cost_of(const view *v, const spot *places, size_t count)
{
    double cost = 0.0;
    for (size_t i = 1; i < count; i++) {
        cost += taut_cost_between(v, places[i - 1].at, places[i].at);
    }
    return cost;
}

double taut_length_of(const taut_string *path)
{
    double length = 0.0;
    for (size_t i = 1; i < path->count; i++) {
        length += oct_fine_distance(path->places[i - 1].at, path->places[i].at);
    }
    return length;
}

// ---- paths to be pulled ----

static int parts_at(const view *v, oct_fine at, spot out[8])
{
    int count = 0;
    for (uint32_t octants = oct_view_octants(v, at); octants;) {
        const uint32_t part = octants_joined(octants & (0u - octants), octants);
        out[count++] = (spot){at, part};
        octants &= ~part;
    }
    return count;
}

// The places of points: of each the part that is seen from one of the point before, so that the
// last is reached.
bool taut_string_of(const view *v, const oct_fine *points, size_t count, taut_string *out)
{
    static spot parts[TAUT_PATH_MAX][8];
    static int parents[TAUT_PATH_MAX][8];
    int counts[TAUT_PATH_MAX];
    assert_in_range(count, 1, TAUT_PATH_MAX);
    for (size_t i = 0; i < count; i++) {
        oct_fine at = points[i];
        at.z = v->dims == 2 ? FLAT_Z : at.z;
        counts[i] = parts_at(v, at, parts[i]);
        for (int k = 0; k < counts[i]; k++) {
            parents[i][k] = i == 0 ? 0 : -1;
            for (int j = 0; i > 0 && j < counts[i - 1]; j++) {
                if (parents[i - 1][j] >= 0 && oct_view_sees(v, &parts[i - 1][j], &parts[i][k])) {
                    parents[i][k] = j;
                }
            }
        }
    }
    int part = -1;
    for (int k = 0; k < counts[count - 1]; k++) {
        part = parents[count - 1][k] >= 0 ? k : part;
    }
    out->count = part < 0 ? 0 : count;
    for (size_t i = out->count; i-- > 0;) {
        out->places[i] = parts[i][part];
        part = parents[i][part];
    }
    return out->count > 0;
}

// A planner's path, where it has one that never leaves what is free.
bool taut_planned(const search_scene *s, const view *v, oct_planner *planner,
                  const oct_query *query, taut_string *out)
{
    const oct_path path = scene_plan(s, planner, query);
    return path.status == OCT_PATH_FOUND && !path.leaves_blocked && !path.enters_blocked &&
           path.lattice_count <= TAUT_PATH_MAX &&
           taut_string_of(v, path.lattice, path.lattice_count, out);
}

// ---- what holds for every path ----

bool taut_same_spots(const spot *a, const spot *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (a[i].at.x != b[i].at.x || a[i].at.y != b[i].at.y || a[i].at.z != b[i].at.z ||
            a[i].octants != b[i].octants) {
            return false;
        }
    }
    return true;
}

static void check_valid(const search_scene *s, const view *v, const taut_string *path)
{
    oct_fine points[TAUT_PATH_MAX];
    char why[200] = "";
    for (size_t i = 0; i < path->count; i++) {
        points[i] = path->places[i].at;
        TAUT_CHECK(s, i == 0 || oct_view_sees(v, &path->places[i - 1], &path->places[i]),
                   "leg %zu is not seen\n", i);
    }
    TAUT_CHECK(s,
               exact_path_is_valid(&s->world, points, path->count, false, false, why, sizeof why),
               "%s\n", why);
}

static void check_none_removable(const search_scene *s, const view *v, const taut_string *path)
{
    for (size_t i = 1; i + 1 < path->count; i++) {
        const spot *const b = &path->places[i];
        const double old = taut_cost_of(v, b - 1, 3);
        TAUT_CHECK(
            s, taut_cost_between(v, b[-1].at, b[1].at) > old || !oct_view_sees(v, &b[-1], &b[1]),
            "vertex %zu can be left out\n", i);
    }
}

// Slides a vertex step by step along a lattice line, up to a cell, as long as its legs are free.
static void check_slides_along(const search_scene *s, const view *v, const taut_string *path,
                               size_t i, int axis, int sign)
{
    static const uint32_t upper[3] = {0xaau, 0xccu, 0xf0u};
    const spot *const b = &path->places[i];
    const uint32_t ahead = sign > 0 ? upper[axis] : ~upper[axis];
    const double old = taut_cost_of(v, b - 1, 3);
    spot last = *b;
    for (int64_t step = 1; step <= OCT_FINE; step++) {
        oct_fine at = b->at;
        *(axis == 0 ? &at.x : axis == 1 ? &at.y : &at.z) += sign * step;
        spot parts[8];
        const int count = parts_at(v, at, parts);
        int found = -1;
        for (int k = 0; k < count; k++) {
            const bool goes_on = step > 1 || (parts[k].octants & b->octants & ahead);
            if (goes_on && oct_view_sees(v, &last, &parts[k]) &&
                oct_view_sees(v, &b[-1], &parts[k]) && oct_view_sees(v, &parts[k], &b[1])) {
                found = k;
            }
        }
        if (found < 0) {
            return;
        }
        last = parts[found];
        const double now = taut_cost_between(v, b[-1].at, at) + taut_cost_between(v, at, b[1].at);
        TAUT_CHECK(s, old - now <= TAUT_TOLERANCE, "vertex %zu slides by %d and gains %g\n", i,
                   (int)(sign * step), old - now);
    }
}

void taut_check_no_slides(const search_scene *s, const view *v, const taut_string *path)
{
    for (size_t i = 1; i + 1 < path->count; i++) {
        const oct_fine at = path->places[i].at;
        const bool on[3] = {fine_on_plane(at.x), fine_on_plane(at.y), fine_on_plane(at.z)};
        for (int axis = 0; v->dims == 3 && axis < 3; axis++) {
            if (on[(axis + 1) % 3] && on[(axis + 2) % 3]) {
                check_slides_along(s, v, path, i, axis, 1);
                check_slides_along(s, v, path, i, axis, -1);
            }
        }
    }
}

static void pull(taut *t, const view *v, taut_string *path)
{
    oct_array array = {0};
    assert_int_equal(oct_array_reserve(&array, &t->allocator, sizeof(spot), path->count), OCT_OK);
    memcpy(array.items, path->places, path->count * sizeof(spot));
    array.count = path->count;
    assert_int_equal(oct_taut_pull(t, v, &array), OCT_OK);
    assert_in_range(array.count, 1, TAUT_PATH_MAX);
    path->count = array.count;
    memcpy(path->places, array.items, array.count * sizeof(spot));
    oct_array_free(&array, &t->allocator, sizeof(spot));
}

// Pulls a path and checks all that holds whatever it was.
void taut_pull_and_check(const search_scene *s, const view *v, taut *t, taut_string *path)
{
    const taut_string before = *path;
    pull(t, v, path);
    TAUT_CHECK(s, taut_same_spots(&before.places[0], &path->places[0], 1), "the start has moved\n");
    TAUT_CHECK(s,
               taut_same_spots(&before.places[before.count - 1], &path->places[path->count - 1], 1),
               "the goal has moved\n");
    TAUT_CHECK(s, before.count < 2 || path->count >= 2, "an end is lost\n");
    const double was = taut_cost_of(v, before.places, before.count);
    const double is = taut_cost_of(v, path->places, path->count);
    TAUT_CHECK(s, is <= was, "costs %.12g, was %.12g\n", is, was);
    check_valid(s, v, path);
    check_none_removable(s, v, path);
    taut_string again = *path;
    pull(t, v, &again);
    TAUT_CHECK(
        s, again.count == path->count && taut_same_spots(again.places, path->places, path->count),
        "a second pull changes it\n");
}

// ---- worlds ----

// A world of cells that are OPEN, with boxes that are BLOCKED.
void taut_make_world(search_scene *s, int dims, int32_t edge, const oct_box *boxes, int count)
{
    *s = (search_scene){.random = oct_random_seed(7), .dims = dims};
    oct_tree_def def = oct_tree_def_default();
    def.dims = (uint32_t)dims;
    assert_int_equal(oct_tree_create(&def, &s->tree), OCT_OK);
    s->drawn = (oct_box){{0, 0, 0}, {edge, edge, dims == 3 ? edge : 1}};
    assert_int_equal(oct_tree_set_box(s->tree, s->drawn, OCT_MARK_OPEN), OCT_OK);
    for (int i = 0; i < count; i++) {
        assert_int_equal(oct_tree_set_box(s->tree, boxes[i], OCT_MARK_BLOCKED), OCT_OK);
    }
    scene_set_terms(s, OCT_UNKNOWN_BLOCKED, NULL);
}

int64_t taut_random_fine(oct_random *random, int32_t lo, int32_t hi)
{
    return (int64_t)lo * OCT_FINE +
           (int64_t)oct_random_below(random, (uint64_t)(hi - lo) * OCT_FINE + 1);
}
