// SPDX-License-Identifier: MIT
// Block A* (Yap, Burch, Holte and Schaeffer 2011; Freeman 2014, 2.2.6 and 3.3.5).
//
// Whole blocks wait for their turn, by the least f of the points at which they were reached anew. A
// block's turn takes all of these: its other points are reached from them at what the database
// says, and where that is less than before, the blocks that share the point have been reached anew.
// So a block may have several turns.
//
// Start and goal are in blocks as well. The start's are left at what the ways to their points cost;
// and whenever one of the goal's is reached, the goal is, over the way from that point. Both are
// crossed like all others besides: the way may have to leave the start's block and come through it
// again. The same holds where both are in one block: the way inside is one of several (the seed
// takes it, where there is one).
//
// Where a way came from is not noted: it is found when it is traced back, from the costs alone.
#include "flat/blocks.h"
#include "flat/distances.h"

#define GOAL_SLOT UINT32_MAX

// Ranks differ by some such part of the way's length, where it is not far from straight.
#define RANKS_SPAN 0.25

// ---- what the planner asks ----

static oct_fine block_at(const space *base, uint32_t id)
{
    return ((const oct_fine *)((const block_space *)base)->way.items)[id - 1u];
}

static double block_estimate_of(const space *base, uint32_t id)
{
    return cost_below(oct_fine_distance(block_at(base, id), base->aim));
}

static double block_line_cost(const space *base, uint32_t a, uint32_t b)
{
    return space_line_cost(base, block_at(base, a), block_at(base, b));
}

static bool block_sees(const space *base, uint32_t a, uint32_t b)
{
    const view *const v = &base->map;
    const oct_fine from = block_at(base, a), to = block_at(base, b);
    const spot p = {from, oct_view_octants(v, from)}, q = {to, oct_view_octants(v, to)};
    return oct_view_sees(v, &p, &q);
}

static uint64_t block_key(const space *base, uint32_t id)
{
    return space_key_of(block_at(base, id));
}

const space_ops oct_block_ops = {.estimate = block_estimate_of,
                                 .cost = block_line_cost,
                                 .sees = block_sees,
                                 .at = block_at,
                                 .key = block_key};

// ---- reaching ----

// A lower bound of the way from a boundary point to the goal.
OCT_FORCE_INLINE double block_estimate(const block_space *blocks, double x, double y, uint32_t i)
{
    const double dx = blocks->goal_x - (x + blocks->point_x[i]);
    const double dy = blocks->goal_y - (y + blocks->point_y[i]);
    return cost_below(sqrt(dx * dx + dy * dy) * (1.0 / OCT_FINE));
}

static oct_result block_reach_goal(search *s, double cost, uint32_t slot, uint32_t point)
{
    block_space *const blocks = (block_space *)s->space;
    if (cost >= blocks->goal_cost) {
        return OCT_OK;
    }
    blocks->goal_cost = cost;
    blocks->goal_block = slot;
    blocks->goal_point = point;
    s->generated++;
    return open_push(&s->open, &s->allocator,
                     (oct_heap_entry){.f = cost, .g = cost, .id = GOAL_SLOT});
}

// Points of a block that were reached, with what that costs and promises.
typedef struct block_news {
    uint32_t points;
    double g[BLOCK_POINTS], f[BLOCK_POINTS];
} block_news;

// Tells a block of the points that it shares with one where they were reached.
OCT_FORCE_INLINE oct_result block_tell(search *s, const block_news *news, uint32_t direction,
                                       uint32_t points, uint32_t slot)
{
    block_space *const blocks = (block_space *)s->space;
    map_block *const b = map_block_at(blocks, slot);
    double f = HUGE_COST, g = 0.0;
    for (; points; points &= points - 1u) {
        const uint32_t i = oct_lowest_bit(points), there = blocks->across[direction][i];
        if (!(b->open >> there & 1u)) {
            continue;
        }
        b->g[there] = news->g[i];
        b->updated |= 1u << there;
        if (news->f[i] < f || (news->f[i] == f && news->g[i] > g)) {
            f = news->f[i];
            g = news->g[i];
        }
        if (OCT_UNLIKELY(b->goal_end)) {
            const double rest = blocks->goals[b->goal_end - 1u].cost[there];
            OCT_TRY(block_reach_goal(s, news->g[i] + rest, slot, there));
        }
    }
    if (f >= b->queued) {
        return OCT_OK;
    }
    b->queued = f;
    s->generated++;
    return open_push(
        &s->open, &s->allocator,
        (oct_heap_entry){.f = f, .g = g, .key = block_place(blocks, b->x, b->y), .id = slot});
}

// Takes over what it costs to reach points of a block from inside, where that is less than before.
static oct_result block_leave(search *s, uint32_t slot, block_news *news)
{
    block_space *const blocks = (block_space *)s->space;
    map_block *const b = map_block_at(blocks, slot);
    const double edge = (double)(blocks->edge * OCT_FINE);
    const double x = (double)b->x * edge, y = (double)b->y * edge;
    uint32_t less = 0;
    for (uint32_t i = 0; i < BLOCK_POINTS; i++) {
        less |= (uint32_t)(news->g[i] < b->g[i]) << i;
    }
    less &= b->open;
    for (uint32_t left = less; left; left &= left - 1u) {
        const uint32_t i = oct_lowest_bit(left);
        news->f[i] = news->g[i] + block_estimate(blocks, x, y, i);
        if (news->f[i] >= blocks->goal_cost) {
            less &= ~(1u << i);
            continue;
        }
        b->g[i] = news->g[i];
    }
    const int32_t at_x = b->x, at_y = b->y;
    for (uint32_t d = 0; d < BLOCK_DIRECTIONS; d++) {
        const uint32_t points = less & blocks->reach[d];
        if (!points) {
            continue;
        }
        int32_t to_x = at_x, to_y = at_y;
        block_step(d, &to_x, &to_y);
        if (blocks_hold(blocks, to_x, to_y)) {
            uint32_t there;
            OCT_TRY(block_meet(blocks, to_x, to_y, &there));
            OCT_TRY(block_tell(s, news, d, points, there));
        }
    }
    return OCT_OK;
}

// ---- tracing back ----

// A point of a block, and the one it was reached from.
typedef struct block_source {
    double cost;           // of the way over it
    uint32_t block, point; // where it is; block 0: the start
    uint32_t through;      // the block that the way crosses, and which of its points was reached
    uint32_t reached;
    const block_end *start; // where it is the start
} block_source;

// Looks for ways to a point through one block.
static void block_trace_through(const block_space *s, uint32_t slot, uint32_t point,
                                block_source *best)
{
    const map_block *const b = map_block_at(s, slot);
    const block_matrix *const matrix = block_matrix_at(s, b->matrix);
    if (!(b->open >> point & 1u)) {
        return;
    }
    for (uint32_t i = 0; i < s->start_count; i++) {
        const block_end *const start = &s->starts[i];
        if (start->x == b->x && start->y == b->y && start->cost[point] < best->cost) {
            *best = (block_source){start->cost[point], 0, 0, slot, point, start};
        }
    }
    for (uint32_t i = 0; i < 4u * s->edge; i++) {
        const double cost = b->g[i] + matrix->cost[i][point];
        if (i != point && cost < best->cost) {
            *best = (block_source){cost, slot, i, slot, point, NULL};
        }
    }
}

// Where the best way to a point of a block comes from.
static block_source block_trace(const block_space *s, uint32_t slot, uint32_t point)
{
    const map_block *const b = map_block_at(s, slot);
    block_source best = {.cost = HUGE_COST};
    block_trace_through(s, slot, point, &best);
    for (uint32_t d = 0; d < BLOCK_DIRECTIONS; d++) {
        int32_t x = b->x, y = b->y;
        block_step(d, &x, &y);
        if ((s->reach[d] >> point & 1u) && blocks_hold(s, x, y)) {
            const uint32_t there = block_slot(s, x, y);
            if (there) {
                block_trace_through(s, there, s->across[d][point], &best);
            }
        }
    }
    return best;
}

static oct_result block_add_point(block_space *s, oct_fine at)
{
    return oct_array_push(&s->way, &s->base.allocator, sizeof at, &at);
}

// Appends the way from a point of a block back to the start.
static oct_result block_trace_back(block_space *s, uint32_t slot, uint32_t point)
{
    for (;;) {
        OCT_TRY(block_add_point(s, block_boundary_fine(s, map_block_at(s, slot), point)));
        const block_source source = block_trace(s, slot, point);
        if (source.start) {
            OCT_TRY(oct_blocks_trace_to_start(s, source.start, source.reached));
            return block_add_point(s, s->base.from.place.at);
        }
        const map_block *const b = map_block_at(s, source.through);
        uint8_t bends[OCT_DISTANCES_BENDS_MAX];
        const uint32_t count =
            oct_distances_bends(s->distances, oct_blocks_code(s, b->x, b->y),
                                oct_distances_boundary_point(s->edge, source.reached),
                                oct_distances_boundary_point(s->edge, source.point), bends);
        for (uint32_t i = 0; i < count; i++) {
            OCT_TRY(block_add_point(s, block_fine(s, b->x, b->y, bends[i])));
        }
        slot = source.block;
        point = source.point;
    }
}

// Gives the points of the way ids, from the start on; returns the last one's.
static oct_result block_give_ids(search *s, uint32_t *last)
{
    block_space *const blocks = (block_space *)s->space;
    const uint32_t count = (uint32_t)blocks->way.count;
    oct_fine *const way = blocks->way.items;
    for (uint32_t i = 0, j = count; i + 1u < j; i++) {
        j--;
        const oct_fine swapped = way[i];
        way[i] = way[j];
        way[j] = swapped;
    }
    blocks->base.id_count = count + 1u > blocks->base.id_count ? count + 1u : blocks->base.id_count;
    OCT_TRY(search_cover(s));
    double g = 0.0;
    for (uint32_t id = 1; id <= count; id++) {
        g += id > 1 ? block_line_cost(s->space, id - 1u, id) : 0.0;
        s->nodes[id] = (search_node){g, id > 1 ? id - 1u : id, s->stamp};
    }
    *last = count;
    return OCT_OK;
}

static oct_result block_find_way_to_goal(search *s)
{
    block_space *const blocks = (block_space *)s->space;
    blocks->way.count = 0;
    OCT_TRY(block_add_point(blocks, blocks->base.to.place.at));
    if (blocks->goal_block == 0) {
        OCT_TRY(oct_blocks_trace_direct(blocks));
        OCT_TRY(block_add_point(blocks, blocks->base.from.place.at));
    } else {
        const map_block *const b = map_block_at(blocks, blocks->goal_block);
        OCT_TRY(oct_blocks_trace_from_goal(blocks, &blocks->goals[b->goal_end - 1u],
                                           blocks->goal_point));
        OCT_TRY(block_trace_back(blocks, blocks->goal_block, blocks->goal_point));
    }
    return block_give_ids(s, &blocks->base.goal);
}

// The way to the nearest point, where a search pauses or ends without having reached the goal.
static oct_result block_find_way_to_nearest(search *s)
{
    block_space *const blocks = (block_space *)s->space;
    if (!s->is_partial || s->expanded == 0) {
        return OCT_OK;
    }
    blocks->way.count = 0;
    if (blocks->nearest_block == 0) {
        OCT_TRY(block_add_point(blocks, blocks->base.from.place.at));
    } else {
        OCT_TRY(block_trace_back(blocks, blocks->nearest_block, blocks->nearest_point));
    }
    return block_give_ids(s, &s->nearest);
}

// ---- watching ----

// Notes an expansion for records; its id is its number. `from` is the one that it was reached from.
static oct_result block_record(search *s, oct_fine at, double g, uint32_t from, uint32_t *id)
{
    if (s->is_recorded) {
        *id = (uint32_t)s->steps.count + 1u;
        const search_step step = {at, space_key_of(at), g, *id, from ? from : *id};
        OCT_TRY(oct_array_push(&s->steps, &s->allocator, sizeof step, &step));
        s->space->id_count = *id + 1u > s->space->id_count ? *id + 1u : s->space->id_count;
        OCT_TRY(search_cover(s));
    }
    return OCT_OK;
}

static void block_note_nearest(search *s, double h, double g, uint32_t slot, uint32_t point)
{
    block_space *const blocks = (block_space *)s->space;
    if (h < s->nearest_h || (h == s->nearest_h && g < blocks->nearest_g)) {
        s->nearest_h = h;
        blocks->nearest_g = g;
        blocks->nearest_block = slot;
        blocks->nearest_point = point;
    }
}

// The last expansion of the block that a way to a point crosses; the start's is the first.
static uint32_t block_step_before(const block_space *s, uint32_t slot, uint32_t point)
{
    const block_source source = block_trace(s, slot, point);
    const uint32_t step = map_block_at(s, source.through)->step;
    return source.start || !step ? 1u : step;
}

static oct_result block_watch(search *s, uint32_t slot)
{
    block_space *const blocks = (block_space *)s->space;
    const map_block *const b = map_block_at(blocks, slot);
    const double edge = (double)(blocks->edge * OCT_FINE);
    uint32_t best = 0, id = 0;
    double best_f = HUGE_COST;
    for (uint32_t left = b->updated; left; left &= left - 1u) {
        const uint32_t i = oct_lowest_bit(left);
        const double h = block_estimate(blocks, (double)b->x * edge, (double)b->y * edge, i);
        block_note_nearest(s, h, b->g[i], slot, i);
        if (b->g[i] + h < best_f || (b->g[i] + h == best_f && b->g[i] > b->g[best])) {
            best_f = b->g[i] + h;
            best = i;
        }
    }
    OCT_TRY(block_record(s, block_boundary_fine(blocks, b, best), b->g[best],
                         block_step_before(blocks, slot, best), &id));
    map_block_at(blocks, slot)->step = id;
    return OCT_OK;
}

// ---- the search ----

// The points of a block as they are reached from those that were reached anew: two at a time, and
// all others at once. How many there are is left to run time, so that compilers use vectors.
static void block_cross(const map_block *b, const block_matrix *matrix, uint32_t count,
                        double *restrict out)
{
    for (uint32_t left = b->updated; left;) {
        const uint32_t i = oct_lowest_bit(left);
        left &= left - 1u;
        const uint32_t j = left ? oct_lowest_bit(left) : i;
        left &= left - 1u;
        const double *const first = matrix->cost[i], *const second = matrix->cost[j];
        const double g = b->g[i], h = b->g[j];
        for (uint32_t k = 0; k < count; k++) {
            const double one = g + first[k], two = h + second[k];
            const double less = one < two ? one : two;
            out[k] = less < out[k] ? less : out[k];
        }
    }
}

static oct_result block_expand(search *s, uint32_t slot)
{
    block_space *const blocks = (block_space *)s->space;
    map_block *const b = map_block_at(blocks, slot);
    block_news news;
    s->expanded++;
    blocks->nodes += oct_bit_count(b->updated);
    if (OCT_UNLIKELY(s->is_watched)) {
        OCT_TRY(block_watch(s, slot));
    }
    memcpy(news.g, b->g, sizeof news.g);
    block_cross(b, block_matrix_at(blocks, b->matrix), 4u * blocks->edge, news.g);
    b->updated = 0;
    b->queued = HUGE_COST;
    return block_leave(s, slot, &news);
}

// Leaves the start's blocks.
static oct_result block_begin(search *s)
{
    block_space *const blocks = (block_space *)s->space;
    const oct_fine from = blocks->base.from.place.at;
    const double h = cost_below(oct_fine_distance(from, blocks->base.aim));
    uint32_t id = 0;
    oct_open_begin(&s->open, h, h * RANKS_SPAN);
    blocks->goal_cost = HUGE_COST;
    s->has_begun = true;
    OCT_TRY(oct_blocks_find_ends(blocks));
    s->expanded++;
    blocks->nodes = 1;
    if (s->is_watched) {
        OCT_TRY(block_record(s, from, 0.0, 0, &id));
        block_note_nearest(s, h, 0.0, 0, 0);
    }
    if (blocks->direct.cost < HUGE_COST) {
        OCT_TRY(block_reach_goal(s, blocks->direct.cost, 0, 0));
    }
    for (uint32_t i = 0; i < blocks->start_count; i++) {
        const block_end *const start = &blocks->starts[i];
        block_news news;
        uint32_t slot;
        memcpy(news.g, start->cost, sizeof news.g);
        OCT_TRY(block_meet(blocks, start->x, start->y, &slot));
        OCT_TRY(block_leave(s, slot, &news));
    }
    return OCT_OK;
}

static oct_result block_end_found(search *s)
{
    block_space *const blocks = (block_space *)s->space;
    const uint32_t slot = blocks->goal_block;
    uint32_t id = 0;
    s->expanded++;
    blocks->nodes++;
    s->status = OCT_PATH_FOUND;
    if (s->is_watched) {
        const uint32_t from = slot ? block_step_before(blocks, slot, blocks->goal_point) : 1u;
        OCT_TRY(block_record(s, blocks->base.to.place.at, blocks->goal_cost, from, &id));
    }
    return block_find_way_to_goal(s);
}

static oct_result block(search *s)
{
    const block_space *const blocks = (const block_space *)s->space;
    if (!s->has_begun) {
        OCT_TRY(block_begin(s));
    }
    for (;;) {
        oct_heap_entry top;
        bool found;
        OCT_TRY(search_next(s, &top, &found));
        if (OCT_UNLIKELY(!found)) {
            return block_find_way_to_nearest(s);
        }
        if (OCT_UNLIKELY(top.id == GOAL_SLOT)) {
            return block_end_found(s);
        }
        if (map_block_at(blocks, top.id)->queued == top.f) {
            OCT_TRY(block_expand(s, top.id));
        }
    }
}

const search_algorithm oct_search_block = {
    .name = "block", .run = {[SPACE_BLOCKS] = block}, .is_complete = true, .is_any_angle = true};
