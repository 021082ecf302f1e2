// SPDX-License-Identifier: MIT
// Where to go: to a place, or to the nearest cell of the frontier; and what is left unknown.
#include "baseline/baseline_internal.h"

#include <math.h>

// How far around a body in something the way out is looked for, in cells.
#define ANCHOR_REACH 256

static const oct_vec faces[6] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                 {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};

static oct_vec cell_across(oct_vec c, int face)
{
    return (oct_vec){c.x + faces[face].x, c.y + faces[face].y, c.z + faces[face].z};
}

// ---- where the body is ----

// The OPEN cells at a distance of exactly so many cells on the longest axis.
static void look_at_shell(const oct_baseline_map *b, const oct_box *bounds, oct_vec at,
                          int32_t reach, oct_vec *cell, double *best)
{
    const int32_t depth = b->lattice.dims == 3 ? reach : 0;
    for (int32_t z = -depth; z <= depth; z++) {
        for (int32_t y = -reach; y <= reach; y++) {
            const bool is_side = z == -reach || z == reach || y == -reach || y == reach;
            for (int32_t x = -reach; x <= reach; x += is_side || reach == 0 ? 1 : 2 * reach) {
                const oct_vec c = {at.x + x, at.y + y, at.z + z};
                const double square = (double)x * x + (double)y * y + (double)z * z;
                if (square < *best && cell_is_within(b, bounds, c) &&
                    oct_baseline_map_label(b, c) == OCT_OPEN) {
                    *best = square;
                    *cell = c;
                }
            }
        }
    }
}

bool oct_baseline_map_anchor(const oct_baseline_map *b, const oct_box *bounds, oct_vec at,
                             oct_vec *cell)
{
    double best = HUGE_VAL;
    // What lies in a shell is no nearer than the shell.
    for (int32_t reach = 0; reach <= ANCHOR_REACH && (double)reach * reach < best; reach++) {
        look_at_shell(b, bounds, at, reach, cell, &best);
    }
    return best < HUGE_VAL;
}

// ---- paths ----

oct_result oct_baseline_map_plan(oct_baseline_map *b, const oct_box *bounds, oct_point from,
                                 oct_vec to, oct_path *out)
{
    oct_vec at;
    *out = (oct_path){.status = OCT_PATH_NONE};
    if (!oct_baseline_map_cell_at(b, from, &at)) {
        return OCT_ERROR_RANGE;
    }
    if (!oct_baseline_map_anchor(b, bounds, at, &at)) {
        return OCT_OK;
    }
    OCT_TRY(oct_baseline_map_search(b, bounds, at, &to, NULL));
    return oct_baseline_map_draw(b, from, out);
}

// ---- the frontier ----

bool oct_baseline_map_is_frontier(const oct_baseline_map *b, const oct_box *bounds, oct_vec c)
{
    if (!cell_is_within(b, bounds, c) || oct_baseline_map_label(b, c) != OCT_OPEN) {
        return false;
    }
    for (int face = 0; face < 2 * b->lattice.dims; face++) {
        const oct_vec next = cell_across(c, face);
        if (cell_is_within(b, bounds, next) && oct_baseline_map_label(b, next) == OCT_UNKNOWN) {
            return true;
        }
    }
    return false;
}

static uint64_t labels_around(const oct_baseline_map *b, oct_vec c)
{
    uint64_t labels = 0;
    for (int i = around_first(b); i < around_end(b); i++) {
        labels |= (uint64_t)oct_baseline_map_label(b, cell_around(c, i)) << 2 * i;
    }
    return labels;
}

static skipped_cell *find_skip(const oct_baseline_map *b, oct_vec c)
{
    const key_table *const places = &b->skip_places;
    const key_slot *const slot =
        places->count > 0 ? key_table_slot(places, (lattice_key){c.x, c.y, c.z, 0}) : NULL;
    return slot && key_slot_is_used(places, slot) ? (skipped_cell *)b->skips.items + slot->value
                                                  : NULL;
}

static oct_result skip(oct_baseline_map *b, oct_vec c)
{
    const skipped_cell new = {c, labels_around(b, c)};
    skipped_cell *const known = find_skip(b, c);
    if (known) {
        *known = new;
        return OCT_OK;
    }
    const lattice_key key = {c.x, c.y, c.z, 0};
    OCT_TRY(oct_array_push(&b->skips, &b->allocator, sizeof new, &new));
    OCT_TRY(oct_key_table_reserve(&b->skip_places, &b->allocator, 1));
    key_slot_fill(&b->skip_places, key_table_slot(&b->skip_places, key), key,
                  (uint32_t)b->skips.count - 1u);
    return OCT_OK;
}

static bool is_skipped(const oct_baseline_map *b, oct_vec c)
{
    const skipped_cell *const known = find_skip(b, c);
    return known && known->around == labels_around(b, c);
}

static bool is_worth_going(const oct_baseline_map *b, const oct_box *bounds, oct_vec c)
{
    return oct_baseline_map_is_frontier(b, bounds, c) && !is_skipped(b, c);
}

// ---- exploring ----

// How many faces of the cells that the last search has met lie at the bounds, with OPEN or UNKNOWN
// behind them.
static uint64_t count_faces_beyond(const oct_baseline_map *b, const oct_box *bounds)
{
    const search_node *const nodes = b->search.nodes.items;
    uint64_t count = 0;
    for (size_t i = 0; bounds && i < b->search.nodes.count; i++) {
        for (int face = 0; face < 2 * b->lattice.dims; face++) {
            const oct_vec next = cell_across(nodes[i].cell, face);
            const int32_t end = OCT_RANGE;
            const bool is_cell = next.x >= -end && next.x < end && next.y >= -end && next.y < end &&
                                 next.z >= -end && next.z < end;
            count += is_cell && !cell_is_within(b, bounds, next) &&
                     oct_baseline_map_label(b, next) != OCT_BLOCKED;
        }
    }
    return count;
}

static oct_result go_to(oct_baseline_map *b, oct_point from, oct_explore_why why,
                        oct_exploration *out)
{
    const search_node *const nodes = b->search.nodes.items;
    const oct_vec cell = nodes[b->search.found].cell;
    out->status = OCT_EXPLORE_GO;
    out->why = why;
    out->frontier = cell;
    out->leaf = (oct_leaf){.x = cell.x, .y = cell.y, .z = cell.z, .label = OCT_OPEN};
    out->chosen.cell = cell;
    out->chosen.at = oct_baseline_map_point(b, cell);
    const oct_point way = point_sub(out->chosen.at, from);
    const double z = b->lattice.dims == 3 ? way.z : 0.0;
    out->chosen.straight = sqrt(way.x * way.x + way.y * way.y + z * z);
    return oct_baseline_map_draw(b, from, &out->path);
}

// The OPEN cell that the body is in, or the nearest one.
static oct_result settle(const oct_baseline_map *b, const oct_box *bounds, oct_point from,
                         oct_vec *start, bool *has_start)
{
    oct_vec cell;
    if (!oct_baseline_map_cell_at(b, from, &cell) || !cell_is_within(b, bounds, cell)) {
        return OCT_ERROR_RANGE;
    }
    *has_start = oct_baseline_map_anchor(b, bounds, cell, start);
    return OCT_OK;
}

oct_result oct_baseline_map_arrive(oct_baseline_map *b, const oct_box *bounds, oct_point at)
{
    oct_vec cell;
    if (!oct_baseline_map_cell_at(b, at, &cell) || !cell_is_within(b, bounds, cell)) {
        return OCT_ERROR_RANGE;
    }
    return oct_baseline_map_is_frontier(b, bounds, cell) ? skip(b, cell) : OCT_OK;
}

oct_result oct_baseline_map_explore(oct_baseline_map *b, const oct_box *bounds, oct_point from,
                                    oct_exploration *out)
{
    oct_vec start;
    bool has_start;
    *out = (oct_exploration){.status = OCT_EXPLORE_EXPLORED};
    OCT_TRY(settle(b, bounds, from, &start, &has_start));
    if (!has_start) {
        return OCT_OK;
    }
    OCT_TRY(oct_baseline_map_search(b, bounds, start, NULL, is_worth_going));
    if (b->search.is_found) {
        return go_to(b, from, OCT_WHY_SHORTEST, out);
    }
    out->path = (oct_path){.status = OCT_PATH_NONE, .expanded = b->search.expanded};
    if (count_faces_beyond(b, bounds) > 0) {
        out->status = OCT_EXPLORE_BOUNDED;
    }
    return OCT_OK;
}

// ---- towards a point ----

// Of the cells that the last search has met and that are worth going to, the one with the shortest
// way there and straight on; the first of equal ones.
static bool find_towards(oct_baseline_map *b, const oct_box *bounds, oct_vec to)
{
    cell_search *const s = &b->search;
    const search_node *const nodes = s->nodes.items;
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < s->nodes.count; i++) {
        const oct_vec c = nodes[i].cell;
        const double x = (double)c.x - to.x, y = (double)c.y - to.y, z = (double)c.z - to.z;
        const double length = nodes[i].cost + sqrt(x * x + y * y + z * z);
        if (length < least && is_worth_going(b, bounds, c)) {
            least = length;
            s->found = i;
        }
    }
    s->is_found = least < HUGE_VAL;
    return s->is_found;
}

oct_result oct_baseline_map_towards(oct_baseline_map *b, const oct_box *bounds, oct_point from,
                                    oct_point to, oct_exploration *out)
{
    oct_vec start, goal;
    bool has_start;
    *out = (oct_exploration){.status = OCT_EXPLORE_UNREACHABLE, .is_hidden = true};
    OCT_TRY(settle(b, bounds, from, &start, &has_start));
    if (!oct_baseline_map_cell_at(b, to, &goal) || !cell_is_within(b, bounds, goal)) {
        return OCT_ERROR_RANGE;
    }
    if (oct_baseline_map_label(b, goal) == OCT_BLOCKED) {
        (void)oct_baseline_map_anchor(b, bounds, goal, &goal);
    }
    if (!has_start) {
        return OCT_OK;
    }
    // What is UNKNOWN is never met: then the first cell of the frontier is the best one.
    const bool is_known = oct_baseline_map_label(b, goal) == OCT_OPEN;
    OCT_TRY(oct_baseline_map_search(b, bounds, start, &goal, is_known ? NULL : is_worth_going));
    if (is_known && b->search.is_found) {
        out->status = OCT_EXPLORE_ARRIVE;
        out->why = OCT_WHY_WAY_KNOWN;
        out->is_hidden = false;
        return oct_baseline_map_draw(b, from, &out->path);
    }
    if (!b->search.is_found && !find_towards(b, bounds, goal)) {
        return OCT_OK;
    }
    out->is_hidden = false;
    return go_to(b, from, OCT_WHY_ON_WAY, out);
}

// ---- what is left ----

static bool is_reached(const oct_baseline_map *b, oct_vec c)
{
    const key_table *const places = &b->search.places;
    return places->count > 0 &&
           key_slot_is_used(places, key_table_slot(places, (lattice_key){c.x, c.y, c.z, 0}));
}

static void count_cell(const oct_baseline_map *b, const oct_box *bounds, bool has_start, oct_vec c,
                       oct_remains *out)
{
    if (oct_baseline_map_label(b, c) != OCT_OPEN) {
        return;
    }
    const bool reached = has_start && is_reached(b, c);
    out->open += reached;
    out->sealed += !reached;
    if (oct_baseline_map_is_frontier(b, bounds, c)) {
        out->walled += !reached;
        out->hidden += reached && is_skipped(b, c);
        out->frontier += reached && !is_skipped(b, c);
    }
}

oct_result oct_baseline_map_remains(oct_baseline_map *b, const oct_box *bounds, oct_point from,
                                    oct_remains *out)
{
    oct_vec start;
    bool has_start;
    *out = (oct_remains){0};
    OCT_TRY(settle(b, bounds, from, &start, &has_start));
    if (has_start) {
        OCT_TRY(oct_baseline_map_search(b, bounds, start, NULL, NULL));
        out->beyond = count_faces_beyond(b, bounds);
    }
    const oct_box box = bounds ? box_common(b->held, *bounds) : b->held;
    for (int32_t z = box.min.z; z < box.max.z; z++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            for (int32_t x = box.min.x; x < box.max.x; x++) {
                count_cell(b, bounds, has_start, (oct_vec){x, y, z}, out);
            }
        }
    }
    if (bounds) {
        uint64_t counts[3];
        oct_baseline_map_count(b, *bounds, counts);
        out->unknown = counts[OCT_UNKNOWN];
    }
    return OCT_OK;
}
