// SPDX-License-Identifier: MIT
#include "flat/jump.h"

// ---- life ----

static void free_parts(space *base)
{
    jump_space *const s = (jump_space *)base;
    const oct_allocator *const memory = &base->allocator;
    oct_array_free(&s->nodes, memory, sizeof(jump_node));
    oct_free(memory, s->memory, s->room * sizeof *s->memory);
    oct_free(memory, s->words, s->word_room * sizeof *s->words);
}

static size_t parts_bytes(const space *base)
{
    const jump_space *const s = (const jump_space *)base;
    return s->nodes.capacity * sizeof(jump_node) + s->room * sizeof *s->memory +
           s->word_room * sizeof *s->words;
}

// ---- a query ----

// A node of the query's own.
static oct_result add_node(jump_space *s, jump_node at, uint32_t *out)
{
    *out = (uint32_t)s->nodes.count;
    OCT_TRY(oct_array_push(&s->nodes, &s->base.allocator, sizeof at, &at));
    s->base.id_count = (uint32_t)s->nodes.count;
    return OCT_OK;
}

// The id of a cell that has one as a place to turn aside; else `other`.
OCT_FORCE_INLINE uint32_t node_of(const jump_space *s, jump_node at, uint32_t other)
{
    const uint32_t bit = (uint32_t)(at.x + 64);
    const jump_word *const word = s->words + (size_t)(at.y + 1) * s->plane->row_words + (bit >> 6);
    const uint64_t mask = UINT64_C(1) << (bit & 63u);
    return word->nodes & mask ? (uint32_t)word->first + oct_bit_count(word->nodes & (mask - 1u))
                              : other;
}

// Marks the goal's cell as a stop, or takes the mark away.
static void mark_goal(jump_space *s, bool is_set)
{
    for (jump_way way = JUMP_EAST; way < JUMP_WAYS; way++) {
        const bool is_row = way < JUMP_NORTH;
        const uint32_t bit = (uint32_t)((is_row ? s->goal_at.x : s->goal_at.y) + 64);
        const size_t line = (size_t)(is_row ? s->goal_at.y : s->goal_at.x) + 1;
        const size_t words = is_row ? s->plane->row_words : s->plane->column_words;
        uint64_t *const word = s->stops[way] + line * words + (bit >> 6);
        const uint64_t mask = UINT64_C(1) << (bit & 63u);
        if (is_set) {
            s->was_stop[way] = (*word & mask) != 0;
            *word |= mask;
        } else if (!s->was_stop[way]) {
            *word &= ~mask;
        }
    }
    s->has_goal = is_set;
}

// The node of an anchor's cell, where it is not known; the node that stands for the anchor: that
// one, or `other`.
static oct_result find_end(jump_space *s, const anchor *end, uint32_t other, uint32_t *cell,
                           uint32_t *id)
{
    const jump_node at = {end->cell.x - s->plane->x, end->cell.y - s->plane->y};
    if (!*cell) {
        *cell = node_of(s, at, 0);
    }
    if (!*cell) {
        OCT_TRY(add_node(s, at, cell));
    }
    const oct_fine middle = jump_at(&s->base, *cell);
    *id = middle.x == end->place.at.x && middle.y == end->place.at.y ? *cell : other;
    return OCT_OK;
}

static oct_result begin(space *base)
{
    jump_space *const s = (jump_space *)base;
    const oct_allocator *const memory = &s->base.allocator;
    OCT_TRY(oct_plane_begin(s->plane, memory, &s->base.map));
    OCT_TRY(oct_plane_turn(s->plane, memory));
    if (!s->is_true || s->version != s->plane->version) {
        s->is_true = false;
        OCT_TRY(oct_jump_make(s));
        s->is_true = true;
        s->version = s->plane->version;
        s->has_goal = false;
    }
    if (s->has_goal) {
        mark_goal(s, false);
    }
    s->nodes.count = s->node_count;
    s->base.id_count = (uint32_t)s->node_count;
    const oct_vec from = s->base.from.cell, to = s->base.to.cell;
    s->start_cell = 0;
    OCT_TRY(find_end(s, &s->base.from, JUMP_START, &s->start_cell, &s->base.start));
    s->goal_cell = from.x == to.x && from.y == to.y ? s->start_cell : 0;
    OCT_TRY(find_end(s, &s->base.to, JUMP_GOAL, &s->goal_cell, &s->base.goal));
    s->base.goal_is_own = s->base.goal == JUMP_GOAL;
    s->base.aim = jump_at(&s->base, s->goal_cell);
    s->goal_at = jump_node_at(s, s->goal_cell);
    mark_goal(s, true);
    return OCT_OK;
}

// ---- edges ----

OCT_FORCE_INLINE oct_result add_edge(space *base, uint32_t to, double cost)
{
    if (OCT_UNLIKELY(base->edge_count == base->edges.capacity)) {
        base->edges.count = base->edge_count;
        OCT_TRY(oct_array_grow(&base->edges, &base->allocator, sizeof(space_edge)));
    }
    space_edges(base)[base->edge_count++] = (space_edge){cost, to};
    return OCT_OK;
}

// The next bit of a line that is set, above a cell or below it.
OCT_FORCE_INLINE int32_t next_up(const uint64_t *line, int32_t x)
{
    const uint32_t bit = (uint32_t)(x + 65);
    size_t word = bit >> 6;
    uint64_t found = line[word] & UINT64_MAX << (bit & 63u);
    while (!found) {
        found = line[++word];
    }
    return (int32_t)(word << 6) + (int32_t)oct_lowest_bit(found) - 64;
}

OCT_FORCE_INLINE int32_t next_down(const uint64_t *line, int32_t x)
{
    const uint32_t bit = (uint32_t)(x + 63);
    size_t word = bit >> 6;
    uint64_t found = line[word] & UINT64_MAX >> (63u - (bit & 63u));
    while (!found) {
        found = line[--word];
    }
    return (int32_t)(word << 6) + (int32_t)oct_bit_length(found) - 65;
}

OCT_FORCE_INLINE bool bit_of(const uint64_t *line, int32_t x)
{
    const uint32_t bit = (uint32_t)(x + 64);
    return line[bit >> 6] >> (bit & 63u) & 1u;
}

// Goes straight on from a cell that costs so much already, to where something can be done.
OCT_FORCE_INLINE oct_result jump_straight(jump_space *s, jump_way way, jump_node from, double cost)
{
    const bool is_row = way < JUMP_NORTH, is_up = way == JUMP_EAST || way == JUMP_NORTH;
    const size_t line = is_row ? (size_t)(from.y + 1) * s->plane->row_words
                               : (size_t)(from.x + 1) * s->plane->column_words;
    const uint64_t *const stops = s->stops[way] + line;
    const int32_t at = is_row ? from.x : from.y;
    const int32_t to = is_up ? next_up(stops, at) : next_down(stops, at);
    if (!bit_of((is_row ? s->plane->rows : s->plane->columns) + line, to)) {
        return OCT_OK;
    }
    const jump_node end = is_row ? (jump_node){to, from.y} : (jump_node){from.x, to};
    // A stop that is nowhere to turn aside is the goal.
    return add_edge(&s->base, node_of(s, end, s->goal_cell),
                    cost + (double)(is_up ? to - at : at - to));
}

// Goes straight on from a diagonal, so many steps along it.
OCT_FORCE_INLINE oct_result jump_aside(jump_space *s, jump_way way, jump_node at, int32_t x,
                                       int32_t y, int32_t steps)
{
    const jump_node there = {at.x + x * steps, at.y + y * steps};
    return jump_straight(s, way, there, (double)steps * COST_SQRT2);
}

// Goes diagonally, from end to end, and straight both ways there; and where the goal's row and
// column are crossed on the way, which the ends do not know of.
OCT_FORCE_INLINE oct_result jump_diagonal(jump_space *s, jump_way across, jump_way along,
                                          jump_node at)
{
    const bit_plane *const p = s->plane;
    const bool is_east = across == JUMP_EAST, is_north = along == JUMP_NORTH;
    const int32_t x = is_east ? 1 : -1, y = is_north ? 1 : -1;
    const uint64_t *const ends =
        s->ends[is_north][is_east] +
        (size_t)jump_modulo(is_east == is_north ? (int64_t)at.x - at.y : (int64_t)at.x + at.y,
                            p->width) *
            p->column_words;
    const int32_t goal_x = (s->goal_at.x - at.x) * x, goal_y = (s->goal_at.y - at.y) * y;
    for (int32_t steps = 0;;) {
        const jump_node here = {at.x + x * steps, at.y + y * steps};
        if (!plane_is_free(p, here.x + x, here.y) || !plane_is_free(p, here.x, here.y + y) ||
            !plane_is_free(p, here.x + x, here.y + y)) {
            return OCT_OK;
        }
        const int32_t end =
            is_north ? next_up(ends, here.y) - at.y : at.y - next_down(ends, here.y);
        if (OCT_UNLIKELY(goal_x == goal_y && goal_x > steps && goal_x <= end)) {
            return add_edge(&s->base, s->goal_cell, (double)goal_x * COST_SQRT2);
        }
        if (OCT_UNLIKELY(goal_y > steps && goal_y < end)) {
            OCT_TRY(jump_aside(s, across, at, x, y, goal_y));
        }
        if (OCT_UNLIKELY(goal_x > steps && goal_x < end)) {
            OCT_TRY(jump_aside(s, along, at, x, y, goal_x));
        }
        steps = end;
        OCT_TRY(jump_aside(s, across, at, x, y, steps));
        OCT_TRY(jump_aside(s, along, at, x, y, steps));
    }
}

static oct_result jump_all_around(jump_space *s, jump_node at)
{
    OCT_TRY(jump_straight(s, JUMP_EAST, at, 0.0));
    OCT_TRY(jump_straight(s, JUMP_WEST, at, 0.0));
    OCT_TRY(jump_straight(s, JUMP_NORTH, at, 0.0));
    OCT_TRY(jump_straight(s, JUMP_SOUTH, at, 0.0));
    OCT_TRY(jump_diagonal(s, JUMP_EAST, JUMP_NORTH, at));
    OCT_TRY(jump_diagonal(s, JUMP_EAST, JUMP_SOUTH, at));
    OCT_TRY(jump_diagonal(s, JUMP_WEST, JUMP_NORTH, at));
    return jump_diagonal(s, JUMP_WEST, JUMP_SOUTH, at);
}

// Goes on from where a row led: straight, and aside where what was beside the row has ended.
OCT_FORCE_INLINE oct_result jump_on_row(jump_space *s, jump_way way, jump_node at)
{
    const bit_plane *const p = s->plane;
    const int32_t before = way == JUMP_EAST ? at.x - 1 : at.x + 1;
    OCT_TRY(jump_straight(s, way, at, 0.0));
    if (!plane_is_free(p, before, at.y + 1) && plane_is_free(p, at.x, at.y + 1)) {
        OCT_TRY(jump_straight(s, JUMP_NORTH, at, 0.0));
        OCT_TRY(jump_diagonal(s, way, JUMP_NORTH, at));
    }
    if (!plane_is_free(p, before, at.y - 1) && plane_is_free(p, at.x, at.y - 1)) {
        OCT_TRY(jump_straight(s, JUMP_SOUTH, at, 0.0));
        OCT_TRY(jump_diagonal(s, way, JUMP_SOUTH, at));
    }
    return OCT_OK;
}

OCT_FORCE_INLINE oct_result jump_on_column(jump_space *s, jump_way way, jump_node at)
{
    const bit_plane *const p = s->plane;
    const int32_t before = way == JUMP_NORTH ? at.y - 1 : at.y + 1;
    OCT_TRY(jump_straight(s, way, at, 0.0));
    if (!plane_is_free(p, at.x + 1, before) && plane_is_free(p, at.x + 1, at.y)) {
        OCT_TRY(jump_straight(s, JUMP_EAST, at, 0.0));
        OCT_TRY(jump_diagonal(s, JUMP_EAST, way, at));
    }
    if (!plane_is_free(p, at.x - 1, before) && plane_is_free(p, at.x - 1, at.y)) {
        OCT_TRY(jump_straight(s, JUMP_WEST, at, 0.0));
        OCT_TRY(jump_diagonal(s, JUMP_WEST, way, at));
    }
    return OCT_OK;
}

// Joins start or goal to the middle of its cell, and to each other inside one cell.
static oct_result end_edges(jump_space *s, uint32_t id)
{
    space *const base = &s->base;
    const uint32_t cell = id == JUMP_START ? s->start_cell : s->goal_cell;
    const uint32_t other = id == JUMP_START ? base->goal : base->start;
    OCT_TRY(add_edge(base, cell, jump_line_cost(base, id, cell)));
    if (s->start_cell == s->goal_cell && other < JUMP_FIRST) {
        OCT_TRY(add_edge(base, other, jump_line_cost(base, id, other)));
    }
    return OCT_OK;
}

oct_result oct_jump_edges(space *base, uint32_t id, uint32_t from)
{
    jump_space *const s = (jump_space *)base;
    base->edge_count = 0;
    if (id < JUMP_FIRST) {
        return end_edges(s, id);
    }
    if (id == s->goal_cell) {
        // No shortest way leads past it.
        return base->goal == JUMP_GOAL
                   ? add_edge(base, JUMP_GOAL, jump_line_cost(base, id, JUMP_GOAL))
                   : OCT_OK;
    }
    const jump_node at = jump_node_at(s, id);
    if (from < JUMP_FIRST) {
        return jump_all_around(s, at);
    }
    const jump_node before = jump_node_at(s, from);
    const int32_t x = at.x - before.x, y = at.y - before.y;
    const int32_t far_x = x < 0 ? -x : x, far_y = y < 0 ? -y : y;
    if (far_x > far_y) {
        return x > 0 ? jump_on_row(s, JUMP_EAST, at) : jump_on_row(s, JUMP_WEST, at);
    }
    return y > 0 ? jump_on_column(s, JUMP_NORTH, at) : jump_on_column(s, JUMP_SOUTH, at);
}

// ---- ways ----

static oct_result unfold(space *base, oct_array *ids)
{
    jump_space *const s = (jump_space *)base;
    const size_t count = ids->count;
    if (count < 2) {
        return OCT_OK;
    }
    // Moved to the end first, so that there is room before what is still to be read.
    OCT_TRY(oct_array_reserve(ids, &base->allocator, sizeof(uint32_t), 2 * count - 1));
    uint32_t *const items = ids->items;
    memmove(items + count - 1, items, count * sizeof *items);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t id = items[count - 1 + i], last = kept ? items[kept - 1] : 0;
        if (id >= JUMP_FIRST && last >= JUMP_FIRST) {
            const jump_node a = jump_node_at(s, last), b = jump_node_at(s, id);
            const int32_t x = b.x - a.x, y = b.y - a.y;
            const int32_t far_x = x < 0 ? -x : x, far_y = y < 0 ? -y : y;
            const int32_t both = far_x < far_y ? far_x : far_y;
            if (both > 0 && far_x != far_y) {
                const jump_node bend = {a.x + (x < 0 ? -both : both), a.y + (y < 0 ? -both : both)};
                OCT_TRY(add_node(s, bend, &items[kept]));
                kept++;
            }
        }
        items[kept++] = id;
    }
    ids->count = kept;
    return OCT_OK;
}

static void take(space *base, const oct_planner *planner)
{
    oct_lab_take(base, planner);
    ((jump_space *)base)->plane = lab_plane(planner);
}

const space_kind oct_jump_kind = {.size = sizeof(jump_space),
                                  .ops = &jump_ops,
                                  .free_parts = free_parts,
                                  .parts_bytes = parts_bytes,
                                  .take = take,
                                  .begin = begin,
                                  .unfold = unfold};
