// SPDX-License-Identifier: MIT
// From a search's nodes to a path: smoothing, points, measures, records.
#include "geom/geom_internal.h"
#include "octant/tree.h"
#include "search/planner.h"

#include <math.h>

// ---- the way as nodes ----

static oct_result collect_ids(oct_planner *p, uint32_t last)
{
    const search_node *const nodes = p->search.nodes;
    p->ids.count = 0;
    for (uint32_t id = last;; id = nodes[id].parent) {
        OCT_TRY(oct_array_push(&p->ids, &p->allocator, sizeof id, &id));
        if (nodes[id].parent == id) {
            break;
        }
    }
    uint32_t *const ids = p->ids.items;
    for (size_t i = 0, j = p->ids.count - 1; i < j; i++, j--) {
        const uint32_t swapped = ids[i];
        ids[i] = ids[j];
        ids[j] = swapped;
    }
    return OCT_OK;
}

// Leaves out every node that is not needed to see the next (Botea, Mueller and Schaeffer 2004), and
// where prices differ, that is not cheaper to pass.
static void smooth(oct_planner *p)
{
    space *const s = p->search.space;
    uint32_t *const ids = p->ids.items;
    const size_t count = p->ids.count;
    size_t kept = 1;
    double along =
        count > 1 ? p->kind->ops->cost(s, ids[0], ids[1]) : 0.0; // from the last one kept
    for (size_t i = 2; i < count; i++) {
        const uint32_t last = ids[kept - 1], before = ids[i - 1];
        const double step = p->kind->ops->cost(s, before, ids[i]);
        along += step;
        s->sight_checks++;
        if (p->kind->ops->cost(s, last, ids[i]) > along || !p->kind->ops->sees(s, last, ids[i])) {
            ids[kept++] = before;
            along = step;
        }
    }
    if (count > 1) {
        ids[kept++] = ids[count - 1];
    }
    p->ids.count = kept;
}

// ---- points ----

// Whether the way from a over b to c goes straight on.
static bool goes_straight(oct_fine a, oct_fine b, oct_fine c)
{
    const oct_int128 x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    const oct_int128 u = c.x - b.x, v = c.y - b.y, w = c.z - b.z;
    return x * v == y * u && y * w == z * v && x * w == z * u && x * u + y * v + z * w > 0;
}

// Appends a point, unless it is the last one; drops the last where the way goes straight through.
static oct_result add_point(oct_planner *p, oct_fine at)
{
    oct_fine *const points = p->lattice.items;
    const size_t count = p->lattice.count;
    if (count > 0 && fine_equal(points[count - 1], at)) {
        return OCT_OK;
    }
    // A leg through what is in the way ends where it does.
    if (count > 1 && goes_straight(points[count - 2], points[count - 1], at) &&
        !(count == 2 && p->search.space->from.out)) {
        points[count - 1] = at;
        return OCT_OK;
    }
    return oct_array_push(&p->lattice, &p->allocator, sizeof at, &at);
}

// ---- taut ----

// The place of a point that a leg leads to: of the parts that its free octants fall into, the one
// that the leg arrives in and the next leg leaves from.
static spot place_between(const view *v, const spot *before, oct_fine at, const oct_fine *behind)
{
    const uint32_t free = oct_view_octants(v, at);
    spot place = {at, 0};
    for (uint32_t left = free; left; left &= ~place.octants) {
        place.octants = octants_joined(left & (0u - left), free);
        if (place.octants == free) {
            break;
        }
        const spot next = behind ? (spot){*behind, oct_view_octants(v, *behind)} : place;
        if (oct_view_sees(v, before, &place) && (!behind || oct_view_sees(v, &place, &next))) {
            break;
        }
    }
    return place;
}

// Pulls the lattice's points taut, from `first` on, which is where the start's place is.
static oct_result pull(oct_planner *p, size_t first, bool reaches)
{
    space *const s = p->search.space;
    const oct_fine *const points = p->lattice.items;
    const size_t last = p->lattice.count - 1;
    OCT_TRY(oct_array_reserve(&p->places, &p->allocator, sizeof(spot), p->lattice.count));
    spot *const places = p->places.items;
    places[0] = s->from.place;
    for (size_t i = first + 1; i <= last; i++) {
        places[i - first] = place_between(&s->map, &places[i - first - 1], points[i],
                                          i < last ? &points[i + 1] : NULL);
    }
    p->places.count = last - first + 1;
    places[last - first] = reaches ? s->to.place : places[last - first];
    p->taut.sight_checks = 0;
    OCT_TRY(oct_taut_pull(&p->taut, &s->map, &p->places));
    s->sight_checks += p->taut.sight_checks;
    const size_t count = p->places.count;
    OCT_TRY(oct_array_reserve(&p->lattice, &p->allocator, sizeof(oct_fine), first + count));
    oct_fine *const out = p->lattice.items;
    for (size_t i = 0; i < count; i++) {
        out[first + i] = ((const spot *)p->places.items)[i].at;
    }
    p->lattice.count = first + count;
    return OCT_OK;
}

static oct_result collect_points(oct_planner *p, bool reaches)
{
    const space *const s = p->search.space;
    const uint32_t *const ids = p->ids.items;
    p->lattice.count = 0;
    if (s->from.out) {
        OCT_TRY(add_point(p, p->from));
    }
    for (size_t i = 0; i < p->ids.count; i++) {
        OCT_TRY(add_point(p, p->kind->ops->at(s, ids[i])));
    }
    const bool is_taut =
        p->query.taut == OCT_TAUT_DEFAULT ? p->algorithm->is_taut : p->query.taut == OCT_TAUT_YES;
    if (is_taut && p->lattice.count > 2) {
        const size_t first = s->from.out && !fine_equal(p->from, s->from.place.at);
        OCT_TRY(pull(p, first, reaches));
    }
    if (reaches && s->to.out && !fine_equal(p->to, s->to.place.at)) {
        OCT_TRY(oct_array_push(&p->lattice, &p->allocator, sizeof p->to, &p->to));
    }
    return OCT_OK;
}

// The points in the world of a path: start and goal, `ends`, as they were given, and the lattice's
// in between.
static oct_result collect_world(const oct_tree *tree, const oct_point ends[2], bool reaches,
                                const oct_array *lattice, const oct_allocator *allocator,
                                oct_array *points)
{
    const oct_fine *const from = lattice->items;
    const bool is_flat = oct_tree_dims(tree) == 2;
    points->count = 0;
    OCT_TRY(oct_array_reserve(points, allocator, sizeof(oct_point), lattice->count + 2));
    oct_point *const out = points->items;
    out[points->count++] = ends[0];
    if (reaches && lattice->count == 1 && ends[0].x == ends[1].x && ends[0].y == ends[1].y &&
        (is_flat || ends[0].z == ends[1].z)) {
        out[0].z = is_flat ? 0.0 : out[0].z;
        return OCT_OK; // not to the lattice and back
    }
    for (size_t i = 0; i < lattice->count; i++) {
        const oct_point at = oct_tree_point(tree, from[i]);
        const oct_point last = out[points->count - 1];
        if (i > 0 || at.x != last.x || at.y != last.y || (!is_flat && at.z != last.z)) {
            out[points->count++] = at;
        }
    }
    const oct_point last = out[points->count - 1];
    if (reaches &&
        (ends[1].x != last.x || ends[1].y != last.y || (!is_flat && ends[1].z != last.z))) {
        out[points->count++] = ends[1];
    }
    for (size_t i = 0; is_flat && i < points->count; i++) {
        out[i].z = 0.0;
    }
    return OCT_OK;
}

// ---- measures ----

// Turning is that of the lattice's points: tiny legs inside a cell do not count.
static double turning_of(const oct_array *lattice)
{
    const oct_fine *const at = lattice->items;
    double sum = 0.0;
    for (size_t i = 2; i < lattice->count; i++) {
        const oct_point before = {(double)(at[i - 1].x - at[i - 2].x),
                                  (double)(at[i - 1].y - at[i - 2].y),
                                  (double)(at[i - 1].z - at[i - 2].z)};
        const oct_point behind = {(double)(at[i].x - at[i - 1].x), (double)(at[i].y - at[i - 1].y),
                                  (double)(at[i].z - at[i - 1].z)};
        sum += oct_angle_between(before, behind);
    }
    return sum;
}

// Fills in length, cost and turning.
static void measure_path(const view *v, const oct_array *lattice, const oct_array *points,
                         oct_path *out)
{
    const oct_point *const world = points->items;
    const oct_fine *const fine = lattice->items;
    out->length = 0.0;
    for (size_t i = 1; i < points->count; i++) {
        out->length += point_length(point_sub(world[i], world[i - 1]));
    }
    out->cost = out->length;
    if (v->is_priced) {
        double cells = 0.0, priced = 0.0;
        for (size_t i = 1; i < lattice->count; i++) {
            cells += oct_fine_distance(fine[i - 1], fine[i]);
            priced += oct_view_price(v, fine[i - 1], fine[i]);
        }
        out->cost += (priced - cells) * oct_tree_cell_size(v->tree);
    }
    out->turning = turning_of(lattice);
}

// ---- records ----

static oct_result collect_records(oct_planner *p)
{
    const search *const s = &p->search;
    const search_step *const steps = s->steps.items;
    const bool is_user = p->space_index == SPACE_USER;
    const oct_allocator *const memory = &p->allocator;
    OCT_TRY(oct_array_reserve(&p->order, memory, sizeof(uint32_t), s->node_count));
    OCT_TRY(oct_array_reserve(&p->records, memory, sizeof(oct_record), s->steps.count));
    uint32_t *const order = p->order.items;
    oct_record *const records = p->records.items;
    for (size_t i = 0; i < s->steps.count; i++) {
        order[steps[i].id] = (uint32_t)i;
        records[i] = (oct_record){.at = steps[i].at,
                                  .node = is_user ? steps[i].key : 0,
                                  .parent = order[steps[i].parent],
                                  .g = steps[i].g};
        if (!is_user && oct_tree_dims(p->tree) == 2) {
            records[i].at.z = 0;
        }
    }
    p->records.count = s->steps.count;
    return OCT_OK;
}

// ---- all ----

static void reverse_array(oct_array *array, size_t item_size)
{
    char *const items = array->items;
    for (size_t i = 0, j = array->count; i + 1 < j; i++) {
        char swapped[sizeof(oct_point)];
        j--;
        memcpy(swapped, items + i * item_size, item_size);
        memcpy(items + i * item_size, items + j * item_size, item_size);
        memcpy(items + j * item_size, swapped, item_size);
    }
}

static oct_result user_path(oct_planner *p, uint32_t last, oct_path *out)
{
    const uint32_t *const ids = p->ids.items;
    OCT_TRY(oct_array_reserve(&p->nodes, &p->allocator, sizeof(uint64_t), p->ids.count));
    uint64_t *const nodes = p->nodes.items;
    for (size_t i = 0; i < p->ids.count; i++) {
        nodes[i] = user_node(p->search.space, ids[i]);
    }
    out->nodes = nodes;
    out->node_count = (uint32_t)p->ids.count;
    out->cost = p->search.nodes[last].g;
    if (p->algorithm->is_smooth) {
        double cost = 0.0;
        for (size_t i = 1; i < p->ids.count; i++) {
            cost += p->kind->ops->cost(p->search.space, ids[i - 1], ids[i]);
        }
        out->cost = cost < out->cost ? cost : out->cost;
    }
    return OCT_OK;
}

static oct_result map_path(oct_planner *p, bool is_reversed, oct_path *out)
{
    const space *const s = p->search.space;
    const bool reaches = out->status == OCT_PATH_FOUND;
    OCT_TRY(collect_points(p, reaches));
    const oct_point ends[2] = {p->query.from, p->query.to};
    OCT_TRY(collect_world(p->tree, ends, reaches, &p->lattice, &p->allocator, &p->points));
    measure_path(&s->map, &p->lattice, &p->points, out);
    out->leaves_blocked = s->from.out;
    out->enters_blocked = reaches && s->to.out;
    if (is_reversed) {
        reverse_array(&p->lattice, sizeof(oct_fine));
        reverse_array(&p->points, sizeof(oct_point));
        out->leaves_blocked = reaches && s->to.out;
        out->enters_blocked = s->from.out;
    }
    for (size_t i = 0; s->map.dims == 2 && i < p->lattice.count; i++) {
        ((oct_fine *)p->lattice.items)[i].z = 0;
    }
    out->points = p->points.items;
    out->point_count = (uint32_t)p->points.count;
    out->lattice = p->lattice.items;
    out->lattice_count = (uint32_t)p->lattice.count;
    return OCT_OK;
}

oct_result oct_planner_path(oct_planner *p, uint32_t last, bool is_reversed, oct_path *out)
{
    const search *const s = &p->search;
    const bool is_user = p->space_index == SPACE_USER;
    if (last) {
        OCT_TRY(collect_ids(p, last));
        if (p->kind->unfold) {
            OCT_TRY(p->kind->unfold(p->search.space, &p->ids));
        }
        if (p->algorithm->is_smooth) {
            smooth(p);
        }
        OCT_TRY(is_user ? user_path(p, last, out) : map_path(p, is_reversed, out));
    }
    if (!is_user) {
        oct_point from = p->query.from, to = p->query.to;
        if (oct_tree_dims(p->tree) == 2) {
            from.z = to.z = 0.0;
        }
        out->straight = point_length(point_sub(to, from));
        out->revision = p->revision;
    }
    out->expanded = s->expanded;
    out->generated = s->generated;
    out->sight_checks = s->space->sight_checks;
    if (s->is_recorded && out->status != OCT_PATH_RUNNING) {
        OCT_TRY(collect_records(p));
        out->records = p->records.items;
        out->record_count = (uint32_t)p->records.count;
    }
    return OCT_OK;
}
