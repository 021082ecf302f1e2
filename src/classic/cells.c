// SPDX-License-Identifier: MIT
#include "classic/cells.h"

// ---- life ----

static void free_parts(space *base)
{
    cell_space *const s = (cell_space *)base;
    const oct_allocator *const memory = &base->allocator;
    oct_pages_free(&s->pages, memory);
}

static size_t parts_bytes(const space *base)
{
    const cell_space *const s = (const cell_space *)base;
    return oct_pages_bytes(&s->pages);
}

// ---- a query ----

// The node of an anchor's cell; the node that stands for the anchor: that one, or `other`.
static oct_result find_end(cell_space *s, const anchor *end, uint32_t other, uint32_t *cell,
                           uint32_t *id)
{
    uint32_t page;
    OCT_TRY(oct_pages_find(&s->pages, &s->base.allocator, &s->base.map, end->cell, &page));
    *cell = page * PAGE_CELLS + page_cell(end->cell);
    s->base.id_count = (uint32_t)s->pages.pages.count * PAGE_CELLS;
    const oct_fine middle = cells_at(&s->base, *cell);
    const bool same =
        middle.x == end->place.at.x && middle.y == end->place.at.y && middle.z == end->place.at.z;
    *id = same ? *cell : other;
    return OCT_OK;
}

// Whether a move goes on as the one before, or rests, on an axis; both as 0, 1, 2 for -1, 0, 1.
static bool goes_on(int32_t before, int32_t move)
{
    return move == 1 || move == before;
}

// Which moves there are, and which lead on. With fewer than all directions, with prices, or with an
// estimate that is not consistent, no move can be left out.
static void set_directions(cell_space *s)
{
    const bool is_plain = s->base.directions == OCT_DIRECTIONS_26 && !s->base.map.is_priced &&
                          s->base.estimate != ESTIMATE_MANHATTAN;
    const uint64_t around = s->base.map.dims == 2 ? AROUND_MIDDLE_Z : AROUND_LAYERS(AROUND_LAYER);
    s->allowed = 0;
    s->all_around = is_plain ? around : 0;
    memset(s->onward, 0, sizeof s->onward);
    for (uint64_t bits = around; bits; bits &= bits - 1u) {
        const uint64_t bit = bits & (0 - bits);
        const int32_t to = cells_direction[oct_lowest_bit(bits)];
        s->allowed |= s->base.directions >> to & 1u ? bit : 0;
        for (int32_t from = 0; from < 27; from++) {
            const bool leads_on = goes_on(from % 3, to % 3) && goes_on(from / 3 % 3, to / 3 % 3) &&
                                  goes_on(from / 9, to / 9);
            s->onward[from] |= leads_on ? bit : 0;
        }
    }
}

static oct_result aim(space *base)
{
    cell_space *const s = (cell_space *)base;
    OCT_TRY(find_end(s, &s->base.to, CELLS_GOAL, &s->goal_cell, &s->base.goal));
    s->base.goal_is_own = s->base.goal == CELLS_GOAL;
    s->base.aim = cells_at(&s->base, s->goal_cell);
    return OCT_OK;
}

static oct_result begin(space *base)
{
    cell_space *const s = (cell_space *)base;
    const oct_allocator *const memory = &s->base.allocator;
    OCT_TRY(oct_array_reserve(&s->base.edges, memory, sizeof(space_edge), 32));
    OCT_TRY(oct_pages_begin(&s->pages, memory));
    set_directions(s);
    OCT_TRY(find_end(s, &s->base.from, CELLS_START, &s->start_cell, &s->base.start));
    return aim(base);
}

const space_kind oct_cells_kind = {.size = sizeof(cell_space),
                                   .ops = &cells_ops,
                                   .free_parts = free_parts,
                                   .parts_bytes = parts_bytes,
                                   .take = oct_lab_take,
                                   .begin = begin,
                                   .aim = aim};
