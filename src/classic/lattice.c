// SPDX-License-Identifier: MIT
#include "classic/lattice.h"

#include <stdlib.h>

// Eight ways, and start and goal.
#define EDGES_MAX 16

// ---- life ----

static void free_parts(space *base)
{
    lattice_space *const s = (lattice_space *)base;
    const oct_allocator *const memory = &base->allocator;
    oct_pages_free(&s->pages, memory);
}

static size_t parts_bytes(const space *base)
{
    const lattice_space *const s = (const lattice_space *)base;
    return oct_pages_bytes(&s->pages);
}

// ---- nodes ----

oct_result oct_lattice_node(lattice_space *s, oct_vec at, uint32_t octant, uint32_t *id)
{
    uint32_t page;
    OCT_TRY(oct_pages_find(&s->pages, &s->base.allocator, &s->base.map, at, &page));
    s->base.id_count = (uint32_t)s->pages.pages.count * PAGE_CELLS;
    *id = page * PAGE_CELLS + page_cell(at);
    const uint32_t around = lattice_around(page_at(&s->pages, page), *id);
    if ((s->doubles >> around & 1u) && (lattice_second(around) >> octant & 1u)) {
        *id += LATTICE_SECOND;
    }
    return OCT_OK;
}

// ---- size ----

// Of the 64 points from x on of the lattice row between two rows of cells: how many nodes they are.
static uint32_t count_nodes(uint64_t below[2], uint64_t above[2], bool squeezes)
{
    const uint64_t touched = below[0] | below[1] | above[0] | above[1];
    const uint64_t doubles =
        squeezes ? 0u : (below[0] ^ below[1]) & (above[0] ^ above[1]) & (below[0] ^ above[0]);
    return oct_bit_count(touched) + oct_bit_count(doubles);
}

// Row y of points, and the cells above it: sides of free cells along the row and up, and two
// diagonals for each free cell. Cells beyond the frame are blocked, so that nothing has to be cut.
oct_lab_size oct_lattice_count(const bit_plane *p, bool squeezes)
{
    oct_lab_size out = {0, 0};
    for (int32_t y = 0; y <= p->height; y++) {
        const uint64_t *const low = plane_row(p, y - 1), *const high = plane_row(p, y);
        for (int32_t x = 0; x <= p->width; x += 64) {
            const uint64_t mask =
                p->width - x >= 63 ? UINT64_MAX : (UINT64_C(2) << (p->width - x)) - 1u;
            uint64_t below[2], above[2]; // left and right of each point
            for (int32_t i = 0; i < 2; i++) {
                below[i] = plane_bits(low, x - 1 + i) & mask;
                above[i] = plane_bits(high, x - 1 + i) & mask;
            }
            out.nodes += count_nodes(below, above, squeezes);
            out.edges += oct_bit_count(below[1] | above[1]) + oct_bit_count(above[0] | above[1]) +
                         2u * oct_bit_count(above[1]);
        }
    }
    return out;
}

// ---- start and goal ----

static void join(lattice_space *s, uint32_t end, uint32_t to)
{
    for (uint32_t i = 0; i < s->join_count[end]; i++) {
        if (s->joins[end][i] == to) {
            return; // two cells have it in common
        }
    }
    s->joins[end][s->join_count[end]++] = to;
    page_at(&s->pages, to / PAGE_CELLS)->mark = 1;
}

// Joins start or goal to the corners of a cell.
static oct_result join_corners(lattice_space *s, uint32_t end, oct_vec cell)
{
    for (uint32_t i = 0; i < 4; i++) {
        const oct_vec at = {cell.x + (int32_t)(i & 1u), cell.y + (int32_t)(i >> 1), 0};
        uint32_t to;
        // Seen from a corner the cell lies on the other side on both axes.
        OCT_TRY(oct_lattice_node(s, at, i ^ 3u, &to));
        join(s, end, to);
    }
    return OCT_OK;
}

// Finds the node that an anchor is, or joins `end` to those around it.
static oct_result find_end(lattice_space *s, const anchor *place, uint32_t end, uint32_t *id)
{
    const oct_fine at = place->place.at;
    uint32_t octants = place->place.octants & LATTICE_ALL;
    s->join_count[end] = 0;
    if (fine_on_plane(at.x) && fine_on_plane(at.y)) {
        const oct_vec point = {fine_cell(at.x), fine_cell(at.y), 0};
        return oct_lattice_node(s, point, oct_lowest_bit(octants), id);
    }
    *id = end;
    for (; octants; octants &= octants - 1u) {
        OCT_TRY(join_corners(s, end, octant_cell(at, oct_lowest_bit(octants))));
    }
    return OCT_OK;
}

// Whether start and goal have a cell in common.
static bool share_cell(const anchor *a, const anchor *b)
{
    for (uint32_t i = 0; i < 16; i++) {
        const oct_vec p = octant_cell(a->place.at, i & 3u), q = octant_cell(b->place.at, i >> 2);
        if ((a->place.octants >> (i & 3u) & 1u) && (b->place.octants >> (i >> 2) & 1u) &&
            p.x == q.x && p.y == q.y) {
            return true;
        }
    }
    return false;
}

// By how much the last leg may be shorter than the octile way.
static double goal_shortcut(const lattice_space *s)
{
    const oct_fine to = s->base.to.place.at;
    double most = 0.0;
    for (uint32_t i = 0; i < s->join_count[LATTICE_GOAL]; i++) {
        const oct_fine at = lattice_at(&s->base, s->joins[LATTICE_GOAL][i]);
        const int64_t x = llabs(at.x - to.x), y = llabs(at.y - to.y);
        const double octile =
            ((double)llabs(x - y) + (double)(x < y ? x : y) * COST_SQRT2) * (1.0 / OCT_FINE);
        const double less = octile - oct_fine_distance(at, to);
        most = less > most ? less : most;
    }
    return cost_above(most);
}

// ---- a query ----

static oct_result aim(space *base)
{
    lattice_space *const s = (lattice_space *)base;
    OCT_TRY(find_end(s, &base->from, LATTICE_START, &base->start));
    OCT_TRY(find_end(s, &base->to, LATTICE_GOAL, &base->goal));
    base->goal_is_own = base->goal == LATTICE_GOAL;
    base->aim = base->to.place.at;
    base->shortcut = base->goal_is_own ? goal_shortcut(s) : 0.0;
    // Within one cell nothing is between them.
    if (base->start == LATTICE_START && base->goal_is_own && share_cell(&base->from, &base->to)) {
        join(s, LATTICE_START, LATTICE_GOAL);
        join(s, LATTICE_GOAL, LATTICE_START);
    }
    return OCT_OK;
}

static oct_result begin(space *base)
{
    lattice_space *const s = (lattice_space *)base;
    const oct_allocator *const memory = &s->base.allocator;
    OCT_TRY(oct_array_reserve(&s->base.edges, memory, sizeof(space_edge), EDGES_MAX));
    OCT_TRY(oct_pages_begin(&s->pages, memory));
    s->doubles = s->base.map.squeezes ? 0u : LATTICE_DOUBLES;
    // With prices, or an estimate that is not consistent, every way counts.
    s->leaves_out = !s->base.map.is_priced && s->base.estimate != ESTIMATE_MANHATTAN;
    return aim(base);
}

const space_kind oct_lattice_kind = {.size = sizeof(lattice_space),
                                     .ops = &lattice_ops,
                                     .free_parts = free_parts,
                                     .parts_bytes = parts_bytes,
                                     .take = oct_lab_take,
                                     .begin = begin,
                                     .aim = aim};
