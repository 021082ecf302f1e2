// SPDX-License-Identifier: MIT
// A* and Dijkstra's algorithm from cell to cell. A move over an edge or a corner needs all cells of
// the box that it spans, so that a body does not squeeze between two blocked cells.
#include "baseline/baseline_internal.h"

#include "search/graph_internal.h"

#include <math.h>

static search_node *node_at(const cell_search *s, uint32_t index)
{
    return (search_node *)s->nodes.items + index;
}

static double apart(oct_vec a, oct_vec b)
{
    const double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

// Of nodes of equal rank the one at the smaller place is first; places are told apart up to 2^21
// cells from the start.
static uint64_t place_key(oct_vec from, oct_vec c)
{
    const uint64_t x = (uint64_t)((int64_t)c.x - from.x + (1 << 20)) & 0x1fffffu;
    const uint64_t y = (uint64_t)((int64_t)c.y - from.y + (1 << 20)) & 0x1fffffu;
    const uint64_t z = (uint64_t)((int64_t)c.z - from.z + (1 << 20)) & 0x1fffffu;
    return z << 42 | y << 21 | x;
}

// A search in the making.
typedef struct searching {
    oct_baseline_map *b;
    const oct_box *bounds;
    oct_vec from;
    const oct_vec *to; // NULL = no estimate
} searching;

// Makes a cell known, or its cost less.
static oct_result meet(const searching *q, oct_vec cell, uint32_t parent, double cost)
{
    cell_search *const s = &q->b->search;
    const oct_allocator *const memory = &q->b->allocator;
    const lattice_key key = {cell.x, cell.y, cell.z, 0};
    OCT_TRY(oct_key_table_reserve(&s->places, memory, 1));
    key_slot *const slot = key_table_slot(&s->places, key);
    if (!key_slot_is_used(&s->places, slot)) {
        const search_node new = {.cell = cell, .cost = HUGE_VAL};
        OCT_TRY(oct_array_push(&s->nodes, memory, sizeof new, &new));
        key_slot_fill(&s->places, slot, key, (uint32_t)s->nodes.count - 1u);
    }
    search_node *const n = node_at(s, slot->value);
    if (n->is_closed || cost >= n->cost) {
        return OCT_OK;
    }
    n->cost = cost;
    n->parent = parent;
    const double left = q->to ? apart(cell, *q->to) : 0.0;
    return oct_heap_push(
        &s->heap, memory,
        (oct_heap_entry){cost + left, cost, place_key(q->from, cell), slot->value});
}

// Which of the cells around a cell are OPEN and within the bounds, as a set of bits.
static uint32_t look_around(const searching *q, oct_vec cell)
{
    uint32_t around = 0;
    for (int i = around_first(q->b); i < around_end(q->b); i++) {
        const oct_vec c = cell_around(cell, i);
        const bool is_free =
            cell_is_within(q->b, q->bounds, c) && oct_baseline_map_label(q->b, c) == OCT_OPEN;
        around |= (uint32_t)is_free << i;
    }
    return around;
}

// Whether every cell of the box that a move spans is free.
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

static oct_result expand(const searching *q, uint32_t index)
{
    static const double costs[4] = {0.0, 1.0, 1.4142135623730951, 1.7320508075688772};
    const search_node n = *node_at(&q->b->search, index);
    const uint32_t around = look_around(q, n.cell);
    for (int i = around_first(q->b); i < around_end(q->b); i++) {
        const int dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - 1;
        if (i != 13 && move_is_free(around, dx, dy, dz)) {
            OCT_TRY(meet(q, cell_around(n.cell, i), index,
                         n.cost + costs[(dx != 0) + (dy != 0) + (dz != 0)]));
        }
    }
    return OCT_OK;
}

oct_result oct_baseline_map_search(oct_baseline_map *b, const oct_box *bounds, oct_vec from,
                                   const oct_vec *to, search_goal_fn *is_goal)
{
    cell_search *const s = &b->search;
    const searching q = {b, bounds, from, to};
    oct_key_table_clear(&s->places);
    s->nodes.count = s->heap.entries.count = 0;
    s->expanded = 0;
    s->is_found = false;
    OCT_TRY(meet(&q, from, 0, 0.0));
    while (s->heap.entries.count > 0) {
        const uint32_t index = oct_heap_pop(&s->heap).id;
        search_node *const n = node_at(s, index);
        if (n->is_closed) {
            continue;
        }
        n->is_closed = true;
        s->expanded++;
        if ((to && apart(n->cell, *to) == 0.0) || (is_goal && is_goal(b, bounds, n->cell))) {
            s->found = index;
            s->is_found = true;
            return OCT_OK;
        }
        OCT_TRY(expand(&q, index));
    }
    return OCT_OK;
}

void oct_baseline_map_search_free(cell_search *s, const oct_allocator *allocator)
{
    oct_key_table_free(&s->places, allocator);
    oct_array_free(&s->nodes, allocator, sizeof(search_node));
    oct_array_free(&s->heap.entries, allocator, sizeof(oct_heap_entry));
}

size_t oct_baseline_map_search_bytes(const cell_search *s)
{
    return oct_key_table_bytes(&s->places) + s->nodes.capacity * sizeof(search_node) +
           s->heap.entries.capacity * sizeof(oct_heap_entry);
}

// ---- the path ----

// The cells of the way, from the start on.
static oct_result list_cells(oct_baseline_map *b)
{
    const cell_search *const s = &b->search;
    b->cells.count = 0;
    for (uint32_t at = s->found;; at = node_at(s, at)->parent) {
        OCT_TRY(oct_array_push(&b->cells, &b->allocator, sizeof(oct_vec), &node_at(s, at)->cell));
        if (at == 0) {
            break;
        }
    }
    oct_vec *const cells = b->cells.items;
    for (size_t i = 0, j = b->cells.count - 1; i < j; i++, j--) {
        const oct_vec other = cells[i];
        cells[i] = cells[j];
        cells[j] = other;
    }
    return OCT_OK;
}

static bool goes_on(oct_vec a, oct_vec b, oct_vec c)
{
    return b.x - a.x == c.x - b.x && b.y - a.y == c.y - b.y && b.z - a.z == c.z - b.z;
}

static double distance(oct_point a, oct_point b)
{
    const oct_point d = point_sub(b, a);
    return sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

// Cells between which the way goes straight on are no vertices.
static oct_result draw_cells(oct_baseline_map *b)
{
    const oct_vec *const cells = b->cells.items;
    const size_t count = b->cells.count;
    b->lattice_points.count = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && i + 1 < count && goes_on(cells[i - 1], cells[i], cells[i + 1])) {
            continue;
        }
        const oct_fine fine = cell_middle(cells[i]);
        const oct_point at = oct_baseline_map_point(b, cells[i]);
        OCT_TRY(oct_array_push(&b->lattice_points, &b->allocator, sizeof fine, &fine));
        OCT_TRY(oct_array_push(&b->points, &b->allocator, sizeof at, &at));
    }
    return OCT_OK;
}

oct_result oct_baseline_map_draw(oct_baseline_map *b, oct_point from, oct_path *out)
{
    const cell_search *const s = &b->search;
    *out = (oct_path){.status = s->is_found ? OCT_PATH_FOUND : OCT_PATH_NONE,
                      .expanded = s->expanded,
                      .generated = s->nodes.count};
    if (!s->is_found) {
        return OCT_OK;
    }
    from.z = b->lattice.dims == 3 ? from.z : 0.0;
    b->points.count = 0;
    OCT_TRY(oct_array_push(&b->points, &b->allocator, sizeof from, &from));
    OCT_TRY(list_cells(b));
    OCT_TRY(draw_cells(b));
    out->points = b->points.items;
    out->point_count = (uint32_t)b->points.count;
    out->lattice = b->lattice_points.items;
    out->lattice_count = (uint32_t)b->lattice_points.count;
    for (uint32_t i = 0; i + 1 < out->point_count; i++) {
        out->length += distance(out->points[i], out->points[i + 1]);
    }
    out->cost = out->length;
    out->straight = distance(out->points[0], out->points[out->point_count - 1]);
    return OCT_OK;
}
