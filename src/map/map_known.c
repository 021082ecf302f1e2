// SPDX-License-Identifier: MIT
// What is known after a look: the cells that are seen, or the ball, less what the padding reaches
// into from outside of them.
#include "map/map_look.h"

#include "geom/geom_internal.h"

#include <math.h>

// ---- cells ----

// Whether a cell, grown by the padding, lies inside the ball; the squares of the other axes' far
// distances are given. The same sums as the shape of a ball makes.
static bool row_cell_inside(const cell_set *ball, int32_t x, double square_y, double square_z,
                            int dims)
{
    const double below = ball->centre.x - (double)x, above = (double)x + 1.0 - ball->centre.x;
    const double far = (below > above ? below : above) + ball->pad.x;
    double square = far * far + square_y;
    if (dims == 3) {
        square += square_z;
    }
    return square <= ball->radius * ball->radius;
}

static double far_square(double centre, double pad, int32_t cell)
{
    const double below = centre - (double)cell, above = (double)cell + 1.0 - centre;
    const double far = (below > above ? below : above) + pad;
    return far * far;
}

static int32_t clamp_cell(double at, int32_t min, int32_t max)
{
    return at <= (double)min ? min : at >= (double)max ? max : (int32_t)at;
}

static void keep_bits(uint64_t *row, size_t words, uint32_t from, uint32_t to)
{
    for (uint32_t word = 0; word < words; word++) {
        const uint32_t first = word * 64u;
        uint64_t mask = to > first ? UINT64_MAX : 0u;
        mask &= to > first && to - first < 64u ? (UINT64_C(1) << (to - first)) - 1u : UINT64_MAX;
        mask &= from >= first + 64u ? 0u : from > first ? UINT64_MAX << (from - first) : UINT64_MAX;
        row[word] &= mask;
    }
}

static bool row_is_empty(const uint64_t *row, size_t words)
{
    uint64_t any = 0;
    for (size_t w = 0; w < words; w++) {
        any |= row[w];
    }
    return any == 0;
}

// The cells of a row that, grown by the padding, lie inside the ball: none where it ends where it
// begins.
typedef struct row_part {
    int32_t from, to;
} row_part;

// The ends are where the ball's root says, up to rounding: from there on cells are asked. The row
// is convex, and if any of its cells is inside then the middle one is.
static row_part row_inside(const cell_set *ball, const oct_box *box, int32_t y, int32_t z, int dims)
{
    const int32_t middle = (int32_t)floor(ball->centre.x);
    const double square_y = far_square(ball->centre.y, ball->pad.y, y);
    const double square_z = dims == 3 ? far_square(ball->centre.z, ball->pad.z, z) : 0.0;
    if (!row_cell_inside(ball, middle, square_y, square_z, dims)) {
        return (row_part){box->min.x, box->min.x};
    }
    const double left = ball->radius * ball->radius - square_y - square_z;
    const double reach = sqrt(left > 0.0 ? left : 0.0) - ball->pad.x;
    int32_t from = clamp_cell(ball->centre.x - reach, box->min.x, middle);
    int32_t to = clamp_cell(ball->centre.x + reach, middle, box->max.x - 1);
    while (from > box->min.x && row_cell_inside(ball, from - 1, square_y, square_z, dims)) {
        from--;
    }
    while (!row_cell_inside(ball, from, square_y, square_z, dims)) {
        from++;
    }
    while (to + 1 < box->max.x && row_cell_inside(ball, to + 1, square_y, square_z, dims)) {
        to++;
    }
    while (!row_cell_inside(ball, to, square_y, square_z, dims)) {
        to--;
    }
    return (row_part){from, to + 1};
}

typedef struct clip {
    const cell_set *ball;
    bit_grid *grid;
    int dims;
} clip;

// Clears the bits of a layer's cells that, grown by the padding, do not lie inside the ball.
static void clip_layer(void *arg, uint32_t layer, uint32_t worker)
{
    (void)worker;
    const clip *const c = arg;
    const oct_box *const box = &c->grid->box;
    const int32_t z = box->min.z + (int32_t)layer;
    if (c->grid->row_words == 0) {
        return; // a grid without cells has no rows
    }
    for (int32_t y = box->min.y; y < box->max.y; y++) {
        uint64_t *const row = bit_grid_row(c->grid, (uint32_t)(y - box->min.y), layer);
        if (row_is_empty(row, c->grid->row_words)) {
            continue;
        }
        const row_part part = row_inside(c->ball, box, y, z, c->dims);
        keep_bits(row, c->grid->row_words, (uint32_t)(part.from - box->min.x),
                  (uint32_t)(part.to - box->min.x));
    }
}

// The ball, as cells see it that are grown by the padding.
static cell_set ball_of(const look *l)
{
    const lattice *const lat = &l->map->lattice;
    const double size = lat->cell_size * map_step(l->map);
    return (cell_set){.kind = CELL_SET_BALL,
                      .box = oct_look_ball(l),
                      .centre = l->eye,
                      .radius = l->radius,
                      .pad = {lat->padding.x / size, lat->padding.y / size, lat->padding.z / size}};
}

static size_t words_of(const bit_grid *bits)
{
    const oct_box *const b = &bits->box;
    const size_t rows =
        (size_t)((int64_t)b->max.y - b->min.y) * (size_t)((int64_t)b->max.z - b->min.z);
    return rows * bits->row_words;
}

// Cells that were observed.
uint64_t oct_look_count_known(const look *l)
{
    const cell_set ball = ball_of(l);
    uint64_t count = 0;
    if (l->has_bits) {
        const bit_grid *const known = &l->map->known_bits;
        for (size_t i = 0; i < words_of(known); i++) {
            count += oct_bit_count(known->words[i]);
        }
        return count;
    }
    for (int32_t z = ball.box.min.z; z < ball.box.max.z; z++) {
        for (int32_t y = ball.box.min.y; y < ball.box.max.y; y++) {
            const row_part part = row_inside(&ball, &ball.box, y, z, l->map->lattice.dims);
            count += (uint64_t)((int64_t)part.to - part.from);
        }
    }
    return count;
}

// The cells that were in sight themselves. Erosion needs the bits as they are: these are a copy.
static oct_result mark_sighted(const look *l)
{
    oct_map *const map = l->map;
    cell_set cells = ball_of(l);
    cells.pad = (oct_point){0, 0, 0};
    bit_grid bits = l->seen;
    if (l->has_bits) {
        const size_t layers = (size_t)((int64_t)bits.box.max.z - bits.box.min.z);
        const size_t words = words_of(&bits);
        OCT_TRY(oct_array_reserve(&map->sighted_words, &map->allocator, sizeof(uint64_t), words));
        bits.words = map->sighted_words.items;
        memcpy(bits.words, l->seen.words, words * sizeof(uint64_t));
        clip by = {&cells, &bits, map->lattice.dims};
        map->executor.run(map->executor.ctx, (uint32_t)layers, clip_layer, &by);
        cells.kind = CELL_SET_BITS;
        cells.box = bits.box;
        cells.bits = &bits;
    }
    return oct_map_mark_sighted(map, &cells);
}

// ---- places that are filled ----

// Sets the bits of a row of cells whose middles lie between a body's faces.
static void fill_row(const convex *c, bit_grid *bits, oct_vec first, int32_t end, int32_t step)
{
    uint64_t *const row = bit_grid_row(bits, (uint32_t)(first.y - bits->box.min.y),
                                       (uint32_t)(first.z - bits->box.min.z));
    for (oct_vec at = first; at.x < end; at.x++) {
        const oct_vec own = {at.x * step, at.y * step, at.z * step};
        bool is_in = true;
        for (uint32_t i = 0; i < c->faces && is_in; i++) {
            const int64_t v = convex_at(&c->axes[i], own, step);
            is_in = v >= c->axes[i].lo && v <= c->axes[i].hi;
        }
        const uint32_t bit = (uint32_t)(at.x - bits->box.min.x);
        row[bit / 64u] |= (uint64_t)is_in << bit % 64u;
    }
}

static void fill_body(const look *l, const convex *c, bit_grid *bits)
{
    const int32_t step = map_step(l->map);
    const lattice cells = {.cell_size = step, .dims = 3};
    oct_box box;
    if (!oct_lattice_cover(&cells, &(oct_bounds){c->lo, c->hi}, &box)) {
        return;
    }
    box = box_common(box, bits->box);
    for (int32_t z = box.min.z; z < box.max.z; z++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            fill_row(c, bits, (oct_vec){box.min.x, y, z}, box.max.x, step);
        }
    }
}

// What lies in something that is seen and solid is no place for anything else, but its middle is
// hardly ever in sight where a side lies across the cells. So it counts as seen.
static void fill_seen(const look *l, bit_grid *bits)
{
    for (size_t i = 0; i < l->count; i++) {
        const thing_shape *const shape = l->shapes ? l->shapes[i] : NULL;
        for (size_t k = 0; shape && k < shape->count; k++) {
            if (l->looks[i] == OCT_LOOK_SEEN && l->things[i].label == OCT_BLOCKED) {
                fill_body(l, &shape->bodies[k].body, bits);
            }
        }
    }
}

// ---- what was seen before ----

// Sets the bits of a row from one up to, not including, another one.
static void set_span(uint64_t *row, int32_t first, int32_t end)
{
    for (int32_t at = first; at < end;) {
        const int32_t from = at % 64, to = end - at + from < 64 ? end - at + from : 64;
        row[at / 64] |= UINT64_MAX >> (64 - (to - from)) << from;
        at += to - from;
    }
}

static bool set_leaf(void *ctx, const oct_leaf *leaf)
{
    const bit_grid *const bits = ctx;
    const oct_box box = box_common(oct_leaf_box(*leaf), bits->box);
    for (int32_t z = box.min.z; z < box.max.z; z++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            uint64_t *const row = bit_grid_row(bits, (uint32_t)(y - bits->box.min.y),
                                               (uint32_t)(z - bits->box.min.z));
            set_span(row, box.min.x - bits->box.min.x, box.max.x - bits->box.min.x);
        }
    }
    return true;
}

// Who has a field of view sees the room of a body in more than one look: what was in sight before
// counts as well. Nothing that such a body misses is certain.
static void add_seen_before(const look *l, bit_grid *bits)
{
    if (l->has_cone && l->map->sighted && map_step(l->map) == 1) {
        (void)oct_tree_leaves(l->map->sighted, bits->box, OCT_HAS_OPEN, set_leaf, bits);
    }
}

// Whether things are taken for what they fill, now or since the cells were halved. Without, all is
// as it is in upright worlds.
static bool takes_shapes(const look *l)
{
    return l->shapes || map_step(l->map) > 1;
}

// A body of which the ball is the size is nowhere nearer than that to what was not seen. A box
// would reach into hollows beside what is turned, which nobody sees.
static bool erodes_by_ball(const look *l, const cell_set *known)
{
    return takes_shapes(l) && l->map->lattice.is_ball && known->pad.x <= SIGHT_BALL_MAX;
}

// Two grids, of which the second has what counts as seen, and a row.
static void erode_by_ball(const look *l, double radius, size_t words, bit_grid *bits)
{
    bit_grid filled = *bits;
    filled.words = bits->words + words;
    memcpy(filled.words, l->seen.words, words * sizeof(uint64_t));
    fill_seen(l, &filled);
    add_seen_before(l, &filled);
    oct_sight_erode_ball(&filled, radius, filled.words + words, bits);
}

static void erode_by_box(const look *l, const cell_set *known, size_t words, bit_grid *bits)
{
    memcpy(bits->words, l->seen.words, words * sizeof(uint64_t));
    if (takes_shapes(l)) {
        fill_seen(l, bits);
    }
    add_seen_before(l, bits);
    oct_sight_erode(bits,
                    (oct_vec){(int32_t)-floor(-known->pad.x), (int32_t)-floor(-known->pad.y),
                              l->map->lattice.dims == 3 ? (int32_t)-floor(-known->pad.z) : 0});
}

// What is seen stays as it is: a look from the same place needs it.
static oct_result erode_seen(look *l, cell_set *known)
{
    oct_map *const map = l->map;
    bit_grid bits = l->seen;
    const size_t words = words_of(&bits);
    const bool by_ball = erodes_by_ball(l, known);
    OCT_TRY(oct_array_reserve(&map->known_words, &map->allocator, sizeof(uint64_t),
                              by_ball ? 2 * words + bits.row_words : words));
    bits.words = map->known_words.items;
    if (by_ball) {
        erode_by_ball(l, known->pad.x, words, &bits);
    } else {
        erode_by_box(l, known, words, &bits);
    }
    clip by = {known, &bits, map->lattice.dims};
    map->executor.run(map->executor.ctx, (uint32_t)(bits.box.max.z - bits.box.min.z), clip_layer,
                      &by);
    known->kind = CELL_SET_BITS;
    known->box = bits.box;
    map->known_bits = bits;
    known->bits = &map->known_bits;
    return OCT_OK;
}

// Each bit in twice 32 bits of a row of twice as many.
static uint64_t doubled(uint32_t bits)
{
    uint64_t v = bits;
    v = (v | v << 16) & UINT64_C(0x0000ffff0000ffff);
    v = (v | v << 8) & UINT64_C(0x00ff00ff00ff00ff);
    v = (v | v << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    v = (v | v << 2) & UINT64_C(0x3333333333333333);
    v = (v | v << 1) & UINT64_C(0x5555555555555555);
    return v | v << 1;
}

// A grid with two cells for each one along every axis.
static oct_result double_bits(oct_map *map, const bit_grid *from, bit_grid *out)
{
    const oct_box b = from->box;
    *out = (bit_grid){
        {{2 * b.min.x, 2 * b.min.y, 2 * b.min.z}, {2 * b.max.x, 2 * b.max.y, 2 * b.max.z}},
        (size_t)((2 * ((int64_t)b.max.x - b.min.x) + 63) / 64),
        NULL};
    const uint32_t height = (uint32_t)(out->box.max.y - out->box.min.y);
    const uint32_t depth = (uint32_t)(out->box.max.z - out->box.min.z);
    const size_t words = (size_t)height * depth * out->row_words;
    OCT_TRY(oct_array_reserve(&map->fine_words, &map->allocator, sizeof(uint64_t), words));
    out->words = map->fine_words.items;
    for (uint32_t z = 0; z < depth; z++) {
        for (uint32_t y = 0; y < height; y++) {
            const uint64_t *const row = bit_grid_row(from, y / 2, z / 2);
            uint64_t *const to = bit_grid_row(out, y, z);
            for (size_t w = 0; w < out->row_words; w++) {
                to[w] = doubled((uint32_t)(row[w / 2] >> (w % 2 * 32)));
            }
        }
    }
    return OCT_OK;
}

// A set of cells that sight is decided in, as a set of the map's.
static oct_result in_cells(oct_map *map, cell_set *set)
{
    if (map_step(map) == 1) {
        return OCT_OK;
    }
    if (set->kind == CELL_SET_BITS) {
        OCT_TRY(double_bits(map, set->bits, &map->fine_bits));
        set->bits = &map->fine_bits;
        set->box = map->fine_bits.box;
        return OCT_OK;
    }
    const double step = map_step(map);
    set->centre = point_scale(set->centre, step);
    set->radius *= step;
    set->pad = point_scale(set->pad, step);
    const oct_vec lo = set->box.min, hi = set->box.max;
    set->box = (oct_box){{2 * lo.x, 2 * lo.y, 2 * lo.z}, {2 * hi.x, 2 * hi.y, 2 * hi.z}};
    return OCT_OK;
}

oct_result oct_look_mark_known(look *l)
{
    oct_map *const map = l->map;
    cell_set known = ball_of(l);
    if (l->is_repeated && map->last.is_marked) {
        return OCT_OK; // it is known already
    }
    OCT_TRY(map->sighted ? mark_sighted(l) : OCT_OK);
    OCT_TRY(l->has_bits ? erode_seen(l, &known) : OCT_OK);
    OCT_TRY(in_cells(map, &known));
    map->known = known;
    return oct_map_mark(map, &known, OCT_MARK_KNOWN);
}
