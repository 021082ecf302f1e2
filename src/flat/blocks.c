// SPDX-License-Identifier: MIT
#include "flat/blocks.h"
#include "flat/distances.h"

// ---- life ----

static void free_parts(space *base)
{
    block_space *const s = (block_space *)base;
    const oct_allocator *const memory = &base->allocator;
    oct_free(memory, s->sites, s->site_room * sizeof *s->sites);
    oct_free(memory, s->matrix_of, s->matrix_room * sizeof *s->matrix_of);
    oct_array_free(&s->blocks, memory, sizeof(map_block));
    oct_array_free(&s->matrices, memory, sizeof(block_matrix));
    oct_array_free(&s->way, memory, sizeof(oct_fine));
}

static size_t parts_bytes(const space *base)
{
    const block_space *const s = (const block_space *)base;
    return s->site_room * sizeof *s->sites + s->matrix_room * sizeof *s->matrix_of +
           s->blocks.capacity * sizeof(map_block) + s->matrices.capacity * sizeof(block_matrix) +
           s->way.capacity * sizeof(oct_fine);
}

// ---- codes ----

// The cells of a row, as bits that are set where a cell is in the way.
OCT_FORCE_INLINE uint32_t blocked_bits(const block_space *s, int32_t x, int32_t y, uint32_t count)
{
    return (uint32_t)~plane_bits(plane_row(s->plane, y), x) & ((1u << count) - 1u);
}

uint32_t oct_blocks_code(const block_space *s, int32_t x, int32_t y)
{
    const uint32_t n = s->edge;
    uint32_t code = 0;
    for (uint32_t i = 0; i < n; i++) {
        code |= blocked_bits(s, x * (int32_t)n, y * (int32_t)n + (int32_t)i, n) << i * n;
    }
    return code;
}

// The lowest `count` bits the other way round; count at most 5.
OCT_FORCE_INLINE uint32_t reversed_bits(uint32_t bits, uint32_t count)
{
    uint32_t out = 0;
    for (uint32_t i = 0; i < count; i++) {
        out |= (bits >> i & 1u) << (count - 1u - i);
    }
    return out;
}

// Puts a row of lattice points, the lowest bit first, among the boundary points.
OCT_FORCE_INLINE uint32_t boundary_bits(uint32_t n, uint32_t y, uint32_t points)
{
    if (y == 0) {
        return points;
    }
    if (y == n) {
        return reversed_bits(points, n + 1u) << 2u * n;
    }
    return (points >> n & 1u) << (n + y) | (points & 1u) << (4u * n - y);
}

// The points at which a block can be entered and left: that touch a free cell of it, and are no
// double corners unless those can be passed.
static uint32_t open_points(const block_space *s, int32_t x, int32_t y)
{
    const uint32_t n = s->edge;
    const int32_t left = x * (int32_t)n - 1, bottom = y * (int32_t)n - 1;
    const uint32_t all = (1u << (n + 1u)) - 1u;
    uint32_t open = 0;
    // Bit i of a row is cell left + i; of a row of points the one between cells i and i + 1.
    uint32_t below = ~blocked_bits(s, left, bottom, n + 2u);
    uint32_t inside_below = 0;
    for (uint32_t i = 0; i <= n; i++) {
        const uint32_t above = ~blocked_bits(s, left, bottom + 1 + (int32_t)i, n + 2u);
        const uint32_t inside = i < n ? above >> 1 & ((1u << n) - 1u) : 0u;
        const uint32_t differ = below ^ above;
        const uint32_t doubled =
            s->squeeze ? 0u : differ & differ >> 1 & (above ^ above >> 1) & all;
        const uint32_t free = inside | inside_below;
        open |= boundary_bits(n, i, (free | free << 1) & ~doubled & all);
        below = above;
        inside_below = inside;
    }
    return open;
}

// ---- matrices ----

// What a code costs to cross.
static void fill_matrix(const block_space *s, uint32_t code, block_matrix *out)
{
    const uint32_t count = 4u * s->edge;
    double lengths[BLOCK_POINTS][BLOCK_POINTS];
    oct_distances_matrix(s->distances, code, lengths);
    for (uint32_t i = 0; i < BLOCK_POINTS; i++) {
        for (uint32_t j = 0; j < BLOCK_POINTS; j++) {
            const bool has_way = i < count && j < count && lengths[i][j] < HUGE_COST;
            out->cost[i][j] = has_way ? lengths[i][j] : HUGE_COST;
        }
    }
}

oct_result oct_blocks_matrix(block_space *s, uint32_t code, uint32_t *out)
{
    if (!s->matrix_of[code]) {
        if (s->matrices.count == s->matrices.capacity) {
            OCT_TRY(oct_array_grow(&s->matrices, &s->base.allocator, sizeof(block_matrix)));
        }
        const uint32_t id = (uint32_t)s->matrices.count++;
        fill_matrix(s, code, (block_matrix *)s->matrices.items + id);
        s->matrix_of[code] = id;
    }
    *out = s->matrix_of[code];
    return OCT_OK;
}

// ---- blocks ----

// What a block is like.
static oct_result look_at(block_space *s, int32_t x, int32_t y, block_site *site)
{
    OCT_TRY(oct_blocks_matrix(s, oct_blocks_code(s, x, y), &site->matrix));
    site->open = open_points(s, x, y);
    return OCT_OK;
}

oct_result oct_blocks_add(block_space *s, int32_t x, int32_t y, uint32_t *slot)
{
    block_site *const site = &s->sites[block_place(s, x, y)];
    if (!site->matrix) {
        OCT_TRY(look_at(s, x, y, site));
    }
    if (s->blocks.count == s->blocks.capacity) {
        OCT_TRY(oct_array_grow(&s->blocks, &s->base.allocator, sizeof(map_block)));
    }
    *slot = site->slot = (uint32_t)s->blocks.count++;
    map_block *const b = map_block_at(s, *slot);
    for (uint32_t i = 0; i < BLOCK_POINTS; i++) {
        b->g[i] = HUGE_COST;
    }
    b->queued = HUGE_COST;
    b->x = x;
    b->y = y;
    b->matrix = site->matrix;
    b->step = 0;
    b->open = site->open;
    b->updated = 0;
    b->goal_end = 0;
    for (uint32_t i = 0; i < s->goal_count; i++) {
        b->goal_end = s->goals[i].x == x && s->goals[i].y == y ? i + 1u : b->goal_end;
    }
    return OCT_OK;
}

// ---- beginning ----

// What follows from a block's size: which points are shared with which others.
static void set_edge(block_space *s, uint32_t edge)
{
    const int32_t n = (int32_t)edge;
    s->edge = edge;
    memset(s->reach, 0, sizeof s->reach);
    for (uint32_t i = 0; i < 4u * edge; i++) {
        const uint32_t point = oct_distances_boundary_point(edge, i);
        const int32_t x = (int32_t)(point % (edge + 1u)), y = (int32_t)(point / (edge + 1u));
        s->point_x[i] = (double)(x * OCT_FINE);
        s->point_y[i] = (double)(y * OCT_FINE);
        for (uint32_t d = 0; d < BLOCK_DIRECTIONS; d++) {
            int32_t from_x = 0, from_y = 0;
            block_step(d, &from_x, &from_y);
            const int32_t there_x = x - from_x * n, there_y = y - from_y * n;
            if (there_x < 0 || there_x > n || there_y < 0 || there_y > n) {
                continue;
            }
            for (uint32_t j = 0; j < 4u * edge; j++) {
                if (oct_distances_boundary_point(edge, j) ==
                    (uint32_t)(there_x + (n + 1) * there_y)) {
                    s->reach[d] |= 1u << i;
                    s->across[d][i] = (uint8_t)j;
                }
            }
        }
    }
}

// Forgets the matrices where the database is another one. They follow from edge and squeezing, and
// are the same of databases that have these in common.
static oct_result begin_matrices(block_space *s, bool *is_same)
{
    const oct_distances_def about = oct_distances_about(s->distances);
    const size_t codes = (size_t)1 << about.edge * about.edge;
    s->kind = about.kind;
    *is_same = s->edge == about.edge && s->squeeze == about.squeeze;
    if (*is_same) {
        return OCT_OK;
    }
    s->edge = 0;
    if (s->matrix_room < codes) {
        oct_free(&s->base.allocator, s->matrix_of, s->matrix_room * sizeof *s->matrix_of);
        s->matrix_room = 0;
        s->matrix_of =
            oct_alloc(&s->base.allocator, codes * sizeof *s->matrix_of, _Alignof(uint32_t));
        if (!s->matrix_of) {
            return OCT_ERROR_MEMORY;
        }
        s->matrix_room = codes;
    }
    memset(s->matrix_of, 0, codes * sizeof *s->matrix_of);
    OCT_TRY(oct_array_reserve(&s->matrices, &s->base.allocator, sizeof(block_matrix), 64));
    s->matrices.count = 1;
    s->squeeze = about.squeeze;
    set_edge(s, about.edge);
    return OCT_OK;
}

// Makes room for all blocks, and forgets what they were like where map or database are others.
static oct_result begin_sites(block_space *s, bool is_same)
{
    const int32_t n = (int32_t)s->edge;
    OCT_TRY(oct_array_reserve(&s->blocks, &s->base.allocator, sizeof(map_block), 64));
    s->blocks.count = 1;
    // A site that was never met has slot 0, whose block is then compared: it must be nowhere.
    *map_block_at(s, 0) = (map_block){.x = -1, .y = -1};
    if (is_same) {
        return OCT_OK;
    }
    s->columns = (s->plane->width + n - 1) / n;
    s->rows = (s->plane->height + n - 1) / n;
    const size_t count = (size_t)s->columns * (size_t)s->rows;
    if (count > s->site_room) {
        oct_free(&s->base.allocator, s->sites, s->site_room * sizeof *s->sites);
        s->site_room = 0;
        s->sites = oct_alloc(&s->base.allocator, count * sizeof *s->sites, _Alignof(block_site));
        if (!s->sites) {
            return OCT_ERROR_MEMORY;
        }
        s->site_room = count;
    }
    memset(s->sites, 0, count * sizeof *s->sites);
    return OCT_OK;
}

static oct_result begin(space *base)
{
    block_space *const s = (block_space *)base;
    const oct_fine to = s->base.to.place.at;
    const uint32_t before = s->version;
    const bool was_ready = s->is_ready;
    s->is_ready = false;
    OCT_TRY(oct_plane_begin(s->plane, &s->base.allocator, &s->base.map));
    bool is_same;
    OCT_TRY(begin_matrices(s, &is_same));
    OCT_TRY(begin_sites(s, was_ready && is_same && before == s->plane->version));
    s->version = s->plane->version;
    s->is_ready = true;
    s->goal_x = (double)(to.x - (int64_t)s->plane->x * OCT_FINE);
    s->goal_y = (double)(to.y - (int64_t)s->plane->y * OCT_FINE);
    s->base.aim = to;
    s->ends_time = 0;
    s->start_count = s->goal_count = 0;
    s->way.count = 0;
    s->base.start = s->base.goal = 0;
    s->base.goal_is_own = true;
    s->base.id_count = 2;
    return OCT_OK;
}

static void take(space *base, const oct_planner *planner)
{
    block_space *const s = (block_space *)base;
    const oct_query *const query = &planner->query;
    oct_lab_take(base, planner);
    s->plane = lab_plane(planner);
    s->distances = query->lab->distances;
    s->clock = query->clock;
    s->clock_ctx = query->clock_ctx;
    s->ends_time = 0;
}

const space_kind oct_blocks_kind = {.size = sizeof(block_space),
                                    .ops = &oct_block_ops,
                                    .free_parts = free_parts,
                                    .parts_bytes = parts_bytes,
                                    .take = take,
                                    .begin = begin};
