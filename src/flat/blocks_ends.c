// SPDX-License-Identifier: MIT
// Start and goal in their blocks: the ways from a place anywhere to the boundary.
//
// From a lattice point the database knows them, of the boundary always, inside where it was made
// so. From other places, and from double corners, which are two places, they are searched for:
// lines of sight to the boundary, and from turn to turn. A way inside a block turns only at points
// inside it that have one blocked cell: elsewhere nothing is there to bend around, or, at a double
// corner, the free side is less than a half circle. Where paths squeeze they turn at these too.
#include "flat/blocks.h"
#include "flat/distances.h"

// A place and the block that it is looked at from.
typedef struct end_view {
    block_space *s;
    spot place;
    bool is_whole;     // every free cell around the place belongs to it
    oct_fine corner;   // the block's smallest point
    uint32_t free;     // its cells that are free, as in a code
    uint32_t boundary; // points that touch one of them
} end_view;

// ---- lines ----

// The cells of a block in a rectangle, x and y from 0 up to n.
static uint32_t rectangle_bits(uint32_t n, uint32_t x0, uint32_t x1, uint32_t y0, uint32_t y1)
{
    uint32_t bits = 0;
    for (uint32_t y = y0; y < y1; y++) {
        bits |= ((1u << x1) - (1u << x0)) << y * n;
    }
    return bits;
}

// Whether all cells are free in the rectangle that a line spans; beside one along an axis, on one
// side.
static bool spans_nothing(const end_view *e, oct_fine a, oct_fine b)
{
    const int64_t n = e->s->edge;
    const int64_t from[2] = {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y};
    const int64_t to[2] = {a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y};
    const int64_t corner[2] = {e->corner.x, e->corner.y};
    uint32_t first[2], last[2];
    for (int i = 0; i < 2; i++) {
        int64_t lo = (from[i] - corner[i]) >> 8, hi = (to[i] - corner[i] + OCT_FINE - 1) >> 8;
        if (lo == hi) {
            lo -= lo == n;
            hi = lo + 1;
        }
        first[i] = (uint32_t)lo;
        last[i] = (uint32_t)hi;
    }
    const uint32_t cells = rectangle_bits((uint32_t)n, first[0], last[0], first[1], last[1]);
    return (cells & ~e->free) == 0;
}

// Whether a line in the block is free, from a place that has all free cells around it or has not.
// The other point may be come to in any cell.
static bool end_sees(const end_view *e, const spot *a, bool is_whole, oct_fine b)
{
    const view *const v = &e->s->base.map;
    e->s->base.sight_checks++;
    if (is_whole && spans_nothing(e, a->at, b)) {
        return true;
    }
    const spot to = {b, oct_view_octants(v, b)};
    return oct_view_sees(v, a, &to);
}

// ---- turns ----

// The free cells around a point inside the block, as plane_quads has them.
static uint32_t quads_inside(const end_view *e, uint32_t x, uint32_t y)
{
    const uint32_t n = e->s->edge;
    const uint32_t below = e->free >> ((y - 1u) * n + x - 1u) & 3u;
    const uint32_t above = e->free >> (y * n + x - 1u) & 3u;
    return below | above << 2;
}

static bool is_double_corner(uint32_t quads)
{
    return quads == 6u || quads == 9u;
}

static void list_turns(const end_view *e, block_end *end)
{
    const uint32_t n = e->s->edge;
    end->turn_count = 0;
    for (uint32_t y = 1; y < n; y++) {
        for (uint32_t x = 1; x < n; x++) {
            const uint32_t quads = quads_inside(e, x, y);
            if (oct_bit_count(quads) == 3 || (e->s->squeeze && is_double_corner(quads))) {
                // Flat octants are these four, twice.
                const spot place = {block_fine(e->s, end->x, end->y, x + (n + 1u) * y),
                                    quads | quads << 4};
                end->turns[end->turn_count++] = (block_turn){place, HUGE_COST, TURN_NONE};
            }
        }
    }
}

// The turn that is nearest of those in a set and can be reached, or TURN_NONE.
static uint32_t nearest_turn(const block_end *end, uint32_t set)
{
    uint32_t least = TURN_NONE;
    for (; set; set &= set - 1u) {
        const uint32_t i = oct_lowest_bit(set);
        if (end->turns[i].length < HUGE_COST &&
            (least == TURN_NONE || end->turns[i].length < end->turns[least].length)) {
            least = i;
        }
    }
    return least;
}

// The shortest ways to all turns.
static void find_turns(const end_view *e, block_end *end)
{
    list_turns(e, end);
    end->has_turns = true;
    for (uint32_t i = 0; i < end->turn_count; i++) {
        if (end_sees(e, &e->place, e->is_whole, end->turns[i].place.at)) {
            end->turns[i].length = oct_fine_distance(e->place.at, end->turns[i].place.at);
        }
    }
    uint32_t left = (1u << end->turn_count) - 1u;
    for (;;) {
        const uint32_t least = nearest_turn(end, left);
        if (least == TURN_NONE) {
            return;
        }
        left &= ~(1u << least);
        const block_turn from = end->turns[least];
        for (uint32_t set = left; set; set &= set - 1u) {
            block_turn *const to = &end->turns[oct_lowest_bit(set)];
            const double length = from.length + oct_fine_distance(from.place.at, to->place.at);
            if (length < to->length && end_sees(e, &from.place, true, to->place.at)) {
                to->length = length;
                to->before = (uint8_t)least;
            }
        }
    }
}

// ---- boundaries ----

// The shortest ways to all boundary points, by looking.
static void find_boundary(const end_view *e, block_end *end)
{
    find_turns(e, end);
    for (uint32_t left = e->boundary; left; left &= left - 1u) {
        const uint32_t i = oct_lowest_bit(left);
        const oct_fine at =
            block_fine(e->s, end->x, end->y, oct_distances_boundary_point(e->s->edge, i));
        double length = HUGE_COST;
        if (end_sees(e, &e->place, e->is_whole, at)) {
            length = oct_fine_distance(e->place.at, at); // nothing is shorter
        }
        for (uint32_t k = 0; k < end->turn_count; k++) {
            const block_turn *const turn = &end->turns[k];
            const double bent = turn->length + oct_fine_distance(turn->place.at, at);
            if (bent < length && end_sees(e, &turn->place, true, at)) {
                length = bent;
                end->via[i] = (uint8_t)k;
            }
        }
        end->cost[i] = length == HUGE_COST ? HUGE_COST : length > 0.0 ? cost_above(length) : 0.0;
    }
}

// The same from a point of the database.
static oct_result look_up_boundary(block_space *s, block_end *end, uint32_t boundary_index)
{
    const uint32_t count = 4u * s->edge;
    if (boundary_index < count) {
        uint32_t id;
        OCT_TRY(oct_blocks_matrix(s, end->code, &id));
        memcpy(end->cost, block_matrix_at(s, id)->cost[boundary_index], sizeof end->cost);
        return OCT_OK;
    }
    for (uint32_t i = 0; i < count; i++) {
        const double length = oct_distances_between(s->distances, end->code, end->point,
                                                    oct_distances_boundary_point(s->edge, i));
        end->cost[i] = length < 0.0 ? HUGE_COST : length;
    }
    return OCT_OK;
}

// ---- ends ----

// Which boundary point a point is; 4 n for none.
static uint32_t boundary_index_of(uint32_t n, uint32_t point)
{
    uint32_t i = 0;
    while (i < 4u * n && oct_distances_boundary_point(n, i) != point) {
        i++;
    }
    return i;
}

static end_view end_view_of(block_space *s, const spot *place, const block_end *end)
{
    const uint32_t n = s->edge;
    end_view e = {.s = s,
                  .place = *place,
                  .is_whole = place->octants == oct_view_octants(&s->base.map, place->at),
                  .corner = block_fine(s, end->x, end->y, 0),
                  .free = ~end->code & ((1u << n * n) - 1u)};
    for (uint32_t i = 0; i < 4u * n; i++) {
        const uint32_t point = oct_distances_boundary_point(n, i);
        const uint32_t x = point % (n + 1u), y = point / (n + 1u);
        const uint32_t around = rectangle_bits(n, x > 0 ? x - 1u : 0u, x < n ? x + 1u : n,
                                               y > 0 ? y - 1u : 0u, y < n ? y + 1u : n);
        e.boundary |= e.free & around ? 1u << i : 0u;
    }
    return e;
}

static oct_result find_end(block_space *s, const spot *place, block_end *end)
{
    const uint32_t n = s->edge;
    end->code = oct_blocks_code(s, end->x, end->y);
    end->has_turns = false;
    for (uint32_t i = 0; i < BLOCK_POINTS; i++) {
        end->cost[i] = HUGE_COST;
        end->via[i] = TURN_NONE;
    }
    const oct_fine corner = block_fine(s, end->x, end->y, 0);
    const uint32_t x = (uint32_t)((place->at.x - corner.x) >> 8);
    const uint32_t y = (uint32_t)((place->at.y - corner.y) >> 8);
    const bool is_lattice = fine_on_plane(place->at.x) && fine_on_plane(place->at.y);
    end->point = x + (n + 1u) * y;
    const uint32_t index = is_lattice ? boundary_index_of(n, end->point) : 4u * n;
    end->is_known = is_lattice && (index < 4u * n || s->kind >= OCT_DISTANCES_SEMI) &&
                    place->octants == oct_view_octants(&s->base.map, place->at);
    if (end->is_known) {
        return look_up_boundary(s, end, index);
    }
    const end_view e = end_view_of(s, place, end);
    find_boundary(&e, end);
    return OCT_OK;
}

// The blocks that a place is in or on with a cell that is its own.
static oct_result find_ends_of(block_space *s, const spot *place, block_end ends[BLOCK_ENDS],
                               uint32_t *count)
{
    const int32_t n = (int32_t)s->edge;
    *count = 0;
    for (uint32_t o = 0; o < 4; o++) {
        if (!(place->octants >> o & 1u)) {
            continue;
        }
        const oct_vec cell = octant_cell(place->at, o);
        const int32_t x = (cell.x - s->plane->x) / n, y = (cell.y - s->plane->y) / n;
        uint32_t i = 0;
        while (i < *count && (ends[i].x != x || ends[i].y != y)) {
            i++;
        }
        if (i == *count) {
            ends[i].x = x;
            ends[i].y = y;
            (*count)++;
            OCT_TRY(find_end(s, place, &ends[i]));
        }
    }
    return OCT_OK;
}

// ---- inside one block ----

// The way between two ends of one block.
static block_direct find_direct(block_space *s, const spot *from, const spot *to, block_end *start,
                                block_end *goal)
{
    block_direct out = {.cost = HUGE_COST, .from = start, .to = goal, .via = TURN_NONE};
    if (start->is_known && goal->is_known) {
        const double length =
            oct_distances_between(s->distances, start->code, start->point, goal->point);
        if (length >= 0.0) {
            out.is_known = true;
            out.cost = length;
            return out;
        }
    }
    const end_view e = end_view_of(s, from, start), back = end_view_of(s, to, goal);
    double length = HUGE_COST;
    s->base.sight_checks++;
    if (oct_view_sees(&s->base.map, from, to)) {
        length = oct_fine_distance(from->at, to->at);
    } else {
        if (!start->has_turns) {
            find_turns(&e, start);
        }
        if (!goal->has_turns) {
            find_turns(&back, goal);
        }
        for (uint32_t i = 0; i < start->turn_count; i++) {
            const double bent = start->turns[i].length + goal->turns[i].length;
            if (bent < length) {
                length = bent;
                out.via = (uint8_t)i;
            }
        }
    }
    out.cost = length >= HUGE_COST ? HUGE_COST : length > 0.0 ? cost_above(length) : 0.0;
    return out;
}

oct_result oct_blocks_find_ends(block_space *s)
{
    const uint64_t before = s->clock ? s->clock(s->clock_ctx) : 0;
    const spot from = s->base.from.place, to = s->base.to.place;
    OCT_TRY(find_ends_of(s, &from, s->starts, &s->start_count));
    OCT_TRY(find_ends_of(s, &to, s->goals, &s->goal_count));
    s->direct = (block_direct){.cost = HUGE_COST};
    for (uint32_t i = 0; i < s->start_count; i++) {
        for (uint32_t k = 0; k < s->goal_count; k++) {
            if (s->starts[i].x == s->goals[k].x && s->starts[i].y == s->goals[k].y) {
                const block_direct one = find_direct(s, &from, &to, &s->starts[i], &s->goals[k]);
                s->direct = one.cost < s->direct.cost ? one : s->direct;
            }
        }
    }
    s->ends_time = s->clock ? s->clock(s->clock_ctx) - before : 0;
    return OCT_OK;
}

// ---- tracing back ----

static oct_result add_fine(block_space *s, oct_fine at)
{
    return oct_array_push(&s->way, &s->base.allocator, sizeof at, &at);
}

// The points at which a way of the database bends.
static oct_result add_bends(block_space *s, const block_end *end, uint32_t from, uint32_t to)
{
    uint8_t bends[OCT_DISTANCES_BENDS_MAX];
    const uint32_t count = oct_distances_bends(s->distances, end->code, from, to, bends);
    for (uint32_t i = 0; i < count; i++) {
        OCT_TRY(add_fine(s, block_fine(s, end->x, end->y, bends[i])));
    }
    return OCT_OK;
}

// The turns from one back to the end.
static oct_result add_turns(block_space *s, const block_end *end, uint32_t via)
{
    for (; via != TURN_NONE; via = end->turns[via].before) {
        OCT_TRY(add_fine(s, end->turns[via].place.at));
    }
    return OCT_OK;
}

// The turns from the end to one.
static oct_result add_turns_to(block_space *s, const block_end *end, uint32_t via)
{
    const size_t first = s->way.count;
    OCT_TRY(add_turns(s, end, via));
    oct_fine *const way = s->way.items;
    for (size_t i = first, j = s->way.count; i + 1 < j; i++) {
        j--;
        const oct_fine swapped = way[i];
        way[i] = way[j];
        way[j] = swapped;
    }
    return OCT_OK;
}

oct_result oct_blocks_trace_to_start(block_space *s, const block_end *start, uint32_t point)
{
    return start->is_known
               ? add_bends(s, start, oct_distances_boundary_point(s->edge, point), start->point)
               : add_turns(s, start, start->via[point]);
}

oct_result oct_blocks_trace_from_goal(block_space *s, const block_end *goal, uint32_t point)
{
    return goal->is_known
               ? add_bends(s, goal, goal->point, oct_distances_boundary_point(s->edge, point))
               : add_turns_to(s, goal, goal->via[point]);
}

oct_result oct_blocks_trace_direct(block_space *s)
{
    const block_direct *const direct = &s->direct;
    if (direct->is_known) {
        return add_bends(s, direct->to, direct->to->point, direct->from->point);
    }
    if (direct->via == TURN_NONE) {
        return OCT_OK;
    }
    OCT_TRY(add_turns_to(s, direct->to, direct->to->turns[direct->via].before));
    return add_turns(s, direct->from, direct->via);
}
