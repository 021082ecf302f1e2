// SPDX-License-Identifier: MIT
// Paths in maps without a tree: Dijkstra's algorithm and A* from cell to cell, as the baselines of
// seed 000 do it (5.8, 5.9), by the rules of the cell graph. What a search for listed goals ends at
// is a node of its own, next to every goal; the others, which agents ask for, are in cell_search.c.
#include "explore/explorer_internal.h"

#include <math.h>
#include <string.h>

#define NAME_BITS 21
#define NAME_MIDDLE (INT64_C(1) << (NAME_BITS - 1))
#define NAME_MASK ((UINT64_C(1) << NAME_BITS) - 1u)
#define NAME_GOAL UINT64_MAX
// The last step costs next to nothing; it has to cost something.
#define LAST_STEP 0x1p-30
// About as many cells as take the time of a flood of a large map.
#define PATIENCE 4096
// How far around a body in something the way out is looked for, cells.
#define ANCHOR_REACH 256

typedef struct cell_graph {
    oct_explorer *explorer;
    oct_vec middle; // of what names can tell
} cell_graph;

static uint64_t name_of(const cell_graph *g, oct_vec c)
{
    const uint64_t x = (uint64_t)(c.x - (int64_t)g->middle.x + NAME_MIDDLE);
    const uint64_t y = (uint64_t)(c.y - (int64_t)g->middle.y + NAME_MIDDLE);
    const uint64_t z = (uint64_t)(c.z - (int64_t)g->middle.z + NAME_MIDDLE);
    return (x & NAME_MASK) | (y & NAME_MASK) << NAME_BITS | (z & NAME_MASK) << (2 * NAME_BITS);
}

static oct_vec cell_of(const cell_graph *g, uint64_t name)
{
    return (oct_vec){
        (int32_t)((int64_t)(name & NAME_MASK) - NAME_MIDDLE + g->middle.x),
        (int32_t)((int64_t)(name >> NAME_BITS & NAME_MASK) - NAME_MIDDLE + g->middle.y),
        (int32_t)((int64_t)(name >> (2 * NAME_BITS) & NAME_MASK) - NAME_MIDDLE + g->middle.z)};
}

static bool box_holds(const oct_box *b, oct_vec c)
{
    return c.x >= b->min.x && c.x < b->max.x && c.y >= b->min.y && c.y < b->max.y &&
           c.z >= b->min.z && c.z < b->max.z;
}

static bool cell_is_free(const cell_graph *g, oct_vec c)
{
    return box_holds(&g->explorer->bounds, c) && oct_map_label(g->explorer->map, c) == OCT_OPEN;
}

static bool is_goal(const cell_graph *g, oct_vec c)
{
    const oct_box *const list = g->explorer->goals.items;
    for (size_t i = 0; i < g->explorer->goals.count; i++) {
        if (box_holds(&list[i], c)) {
            return true;
        }
    }
    return false;
}

// Whether every cell of the box that a move spans is free. `around` has a bit for each of the 27.
static bool move_is_free(uint32_t around, int dx, int dy, int dz)
{
    for (int k = 0; k < 8; k++) {
        const int x = k & 1 ? dx : 0, y = k & 2 ? dy : 0, z = k & 4 ? dz : 0;
        if (!(around >> ((z + 1) * 9 + (y + 1) * 3 + x + 1) & 1u)) {
            return false;
        }
    }
    return true;
}

static uint32_t look_around(const cell_graph *g, oct_vec c)
{
    const int flat = g->explorer->dims == 2;
    uint32_t around = 0;
    for (int i = flat ? 9 : 0; i < (flat ? 18 : 27); i++) {
        const oct_vec at = {c.x + i % 3 - 1, c.y + i / 3 % 3 - 1, c.z + i / 9 - 1};
        around |= (uint32_t)cell_is_free(g, at) << i;
    }
    return around;
}

static size_t cell_edges(void *ctx, uint64_t node, oct_user_edge *out, size_t capacity)
{
    const cell_graph *const g = ctx;
    if (node == NAME_GOAL) {
        return 0;
    }
    const oct_vec c = cell_of(g, node);
    const uint32_t around = look_around(g, c);
    size_t count = 0;
    for (int i = 0; i < 27; i++) {
        const int dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - 1;
        if (i != 13 && (around >> i & 1u) && move_is_free(around, dx, dy, dz)) {
            if (count < capacity) {
                out[count] = (oct_user_edge){name_of(g, (oct_vec){c.x + dx, c.y + dy, c.z + dz}),
                                             cell_costs[(dx != 0) + (dy != 0) + (dz != 0)]};
            }
            count++;
        }
    }
    if (is_goal(g, c)) {
        if (count < capacity) {
            out[count] = (oct_user_edge){NAME_GOAL, LAST_STEP};
        }
        count++;
    }
    return count;
}

static double no_estimate(void *ctx, uint64_t a, uint64_t b)
{
    (void)ctx;
    (void)a;
    (void)b;
    return 0.0;
}

// ---- the path ----

static double apart(oct_point a, oct_point b)
{
    const oct_point d = point_sub(b, a);
    return sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

// From cells to points: where the way goes straight on, no vertex.
static oct_result draw_path(oct_explorer *e, const oct_vec *cells, size_t count, oct_path *path)
{
    OCT_TRY(oct_array_reserve(&e->points, &e->allocator, sizeof(oct_point), count + 1));
    OCT_TRY(oct_array_reserve(&e->lattice, &e->allocator, sizeof(oct_fine), count));
    oct_point *const points = e->points.items;
    oct_fine *const lattice = e->lattice.items;
    uint32_t kept = 0;
    points[0] = e->from;
    points[0].z = e->dims == 3 ? e->from.z : 0.0;
    for (size_t i = 0; i < count; i++) {
        const oct_vec c = cells[i];
        if (i > 0 && i + 1 < count) {
            const oct_vec a = cells[i - 1], b = cells[i + 1];
            if (c.x - a.x == b.x - c.x && c.y - a.y == b.y - c.y && c.z - a.z == b.z - c.z) {
                continue;
            }
        }
        lattice[kept++] = cell_middle(c);
        points[kept] = oct_explorer_point(e, c);
    }
    path->points = points;
    path->point_count = kept + 1;
    path->lattice = lattice;
    path->lattice_count = kept;
    path->nodes = NULL;
    path->node_count = 0;
    path->length = 0.0;
    for (uint32_t i = 0; i < kept; i++) {
        path->length += apart(points[i], points[i + 1]);
    }
    path->cost = path->length;
    path->straight = apart(points[0], points[kept]);
    return OCT_OK;
}

static oct_result draw_nodes(oct_explorer *e, const cell_graph *g, oct_path *path)
{
    const size_t count = path->node_count - 1u; // without the one that stands for the goals
    OCT_TRY(oct_array_reserve(&e->cells, &e->allocator, sizeof(oct_vec), count));
    oct_vec *const cells = e->cells.items;
    for (size_t i = 0; i < count; i++) {
        cells[i] = cell_of(g, path->nodes[i]);
    }
    return draw_path(e, cells, count, path);
}

// Cells that a search may enter: within the bounds; where UNKNOWN is free and nothing bounds it, up
// to some cells around what is known, start and goal.
static oct_box box_of(const oct_explorer *e, oct_vec to, bool unknown)
{
    if (e->is_bounded || !unknown) {
        return e->bounds;
    }
    const int32_t margin = 4;
    oct_box box = oct_map_extent(e->map, OCT_HAS_OPEN | OCT_HAS_BLOCKED);
    box = box_union(box, (oct_box){to, {to.x + 1, to.y + 1, to.z + 1}});
    box = box_union(box, (oct_box){e->cell, {e->cell.x + 1, e->cell.y + 1, e->cell.z + 1}});
    const oct_box grown = {{box.min.x - margin, box.min.y - margin, box.min.z - margin},
                           {box.max.x + margin, box.max.y + margin, box.max.z + margin}};
    return box_common(grown, e->bounds);
}

// Takes over what a search has found.
static oct_result draw_found(oct_explorer *e, oct_path *out)
{
    const cell_search *const s = &e->search;
    *out = (oct_path){.status = s->found ? OCT_STATUS_FOUND : OCT_STATUS_NONE,
                      .expanded = s->expanded,
                      .generated = s->generated};
    return s->found ? draw_path(e, s->way.items, s->way.count, out) : OCT_OK;
}

static void set_search(oct_explorer *e, oct_box box, oct_labels free)
{
    e->search.map = e->map;
    e->search.frontier = e->frontier;
    e->search.box = box;
    e->search.free = free;
    e->search.patience = PATIENCE;
}

oct_result oct_explorer_plan_cell(oct_explorer *e, oct_vec to, bool unknown, oct_path *out)
{
    const oct_box box = box_of(e, to, unknown);
    const oct_labels free = OCT_HAS_OPEN | (unknown ? OCT_HAS_UNKNOWN : 0u);
    *out = (oct_path){.status = OCT_STATUS_NONE};
    if (!box_holds(&box, to) || !(free >> oct_map_label(e->map, to) & 1u)) {
        return OCT_OK;
    }
    set_search(e, box, free);
    OCT_TRY(oct_cell_search_to(&e->search, &e->allocator, e->cell, to));
    return draw_found(e, out);
}

oct_result oct_explorer_plan_frontier(oct_explorer *e, oct_path *out)
{
    set_search(e, e->bounds, OCT_HAS_OPEN);
    OCT_TRY(oct_cell_search_run(&e->search, &e->allocator, e->cell));
    return draw_found(e, out);
}

oct_result oct_explorer_flood(oct_explorer *e)
{
    cell_flood *const f = &e->search.flood;
    f->map = e->map;
    f->box = e->bounds;
    f->free = OCT_HAS_OPEN;
    return oct_cell_flood_run(f, &e->allocator, e->cell);
}

oct_result oct_explorer_plan_list(oct_explorer *e, oct_path *out)
{
    cell_graph graph = {e, e->cell};
    const oct_user_graph user = {.ctx = &graph, .edges = cell_edges, .estimate = no_estimate};
    oct_query query = oct_query_default();
    query.user = &user;
    query.user_algorithm = OCT_USER_DIJKSTRA;
    query.user_from = name_of(&graph, e->cell);
    query.user_to = NAME_GOAL;
    OCT_TRY(oct_plan(e->planner, &query, out));
    return out->status == OCT_STATUS_FOUND ? draw_nodes(e, &graph, out) : OCT_OK;
}

// ---- where the body is ----

typedef struct way_out {
    oct_fine at;
    oct_box within;
    double best; // cells
    oct_vec cell;
    bool found;
} way_out;

static bool take_leaf(void *ctx, const oct_leaf *leaf)
{
    way_out *const w = ctx;
    const oct_box cells = box_common(oct_leaf_box(*leaf), w->within);
    for (int32_t z = cells.min.z; z < cells.max.z; z++) {
        for (int32_t y = cells.min.y; y < cells.max.y; y++) {
            for (int32_t x = cells.min.x; x < cells.max.x; x++) {
                const double away = oct_fine_distance(w->at, cell_middle((oct_vec){x, y, z}));
                if (!w->found || away < w->best) {
                    w->best = away;
                    w->cell = (oct_vec){x, y, z};
                    w->found = true;
                }
            }
        }
    }
    return true;
}

bool oct_explorer_anchor_cells(const oct_explorer *e, oct_vec at, oct_vec *cell)
{
    *cell = at;
    if (explorer_holds(e, at) && oct_map_label(e->map, at) == OCT_OPEN) {
        return true;
    }
    way_out w = {.at = cell_middle(at)};
    for (int32_t reach = 1; reach <= ANCHOR_REACH && !(w.found && w.best <= reach); reach *= 2) {
        const oct_box box = {
            {at.x - reach, at.y - reach, e->dims == 3 ? at.z - reach : 0},
            {at.x + reach + 1, at.y + reach + 1, e->dims == 3 ? at.z + reach + 1 : 1}};
        w.within = box_common(box, e->bounds);
        oct_map_leaves(e->map, w.within, OCT_HAS_OPEN, take_leaf, &w);
    }
    *cell = w.cell;
    return w.found;
}
