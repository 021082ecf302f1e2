// SPDX-License-Identifier: MIT
// Observation: which things are seen, which cells are known after it.
//
// With line of sight the seen cells are cast into a grid of bits, things are looked up in it, and
// then the grid is eroded by the padding: a cell is known where it and all cells that a body in it
// would reach are seen.
#include "base/hash.h"
#include "geom/geom_internal.h"
#include "map/map_look.h"

#include <math.h>

// Opaque boxes from which on an index of them pays.
#define INDEX_BOXES 64

// Cells between a body's padding and what it looks through, see is_touched.
#define TOUCHED_CELLS 2.0

// Things that are one part for the executor.
#define PART_THINGS 64

// ---- the things within the radius ----

static bool is_within(const look *l, const oct_bounds *box)
{
    const oct_point c = l->view->centre;
    const double from[3] = {box->min.x - c.x, box->min.y - c.y, box->min.z - c.z};
    const double to[3] = {c.x - box->max.x, c.y - box->max.y, c.z - box->max.z};
    double square = 0.0;
    for (int axis = 0; axis < l->map->lattice.dims; axis++) {
        const double distance = from[axis] > 0.0 ? from[axis] : to[axis] > 0.0 ? to[axis] : 0.0;
        square += distance * distance;
    }
    // A hair more than the radius: rounding must not leave out what reaches into an observed cell.
    return square <= l->view->radius * l->view->radius * (1.0 + 0x1p-40);
}

static uint32_t id_home(const look *l, uint64_t id)
{
    return (uint32_t)(id * OCT_HASH_FACTOR >> 32) & l->id_mask;
}

// The thing of an id among those that were passed, or NULL.
static const oct_thing *find(const look *l, uint64_t id)
{
    for (uint32_t at = id_home(l, id); l->ids[at]; at = (at + 1u) & l->id_mask) {
        const oct_thing *found = &l->things[l->ids[at] - 1u];
        if (found->id == id) {
            return found;
        }
    }
    return NULL;
}

// Enters the things within the radius into the table.
static oct_result enter_things(look *l)
{
    if (l->count > UINT32_MAX / 4u) {
        return OCT_ERROR_RANGE;
    }
    uint32_t size = 16;
    while (size < 2u * l->count) {
        size *= 2u;
    }
    OCT_TRY(oct_array_reserve(&l->map->ids, &l->map->allocator, sizeof(uint32_t), size));
    l->ids = l->map->ids.items;
    l->id_mask = size - 1u;
    memset(l->ids, 0, size * sizeof *l->ids);
    for (size_t i = 0; i < l->count; i++) {
        const oct_thing *each = &l->things[i];
        OCT_TRY(oct_map_check(l->map, each));
        if (!is_within(l, &each->box)) {
            continue;
        }
        if (find(l, each->id)) {
            return OCT_ERROR_ARGUMENT;
        }
        uint32_t at = id_home(l, each->id);
        while (l->ids[at]) {
            at = (at + 1u) & l->id_mask;
        }
        l->ids[at] = (uint32_t)i + 1u;
    }
    return OCT_OK;
}

// ---- shapes ----

static bool is_same_box(const oct_bounds *a, const oct_bounds *b)
{
    return a->min.x == b->min.x && a->min.y == b->min.y && a->min.z == b->min.z &&
           a->max.x == b->max.x && a->max.y == b->max.y && a->max.z == b->max.z;
}

// The shape of a thing that was passed: that which the map has, or a new one.
static oct_result shape_of(const look *l, const oct_thing *t, thing_shape **out)
{
    const thing_index *const things = &l->map->things;
    const uint32_t slot = oct_things_find(things, t->id);
    thing_shape *const known = slot ? oct_things_shape(things, slot) : NULL;
    if (known && is_same_box(&oct_things_at(things, slot)->box, &t->box) &&
        oct_thing_shape_equals(&known->told, t->shape)) {
        *out = oct_thing_shape_keep(known);
        return OCT_OK;
    }
    return oct_thing_shape_make(&l->map->lattice, &t->box, t->shape, &l->map->allocator, out);
}

// Finds the shapes of all things within the radius; there are none where all are boxes.
static oct_result take_shapes(look *l)
{
    oct_array *const list = &l->map->shapes;
    bool is_needed = false;
    for (size_t i = 0; i < l->count && !is_needed; i++) {
        is_needed = oct_thing_shape_is_needed(l->things[i].shape);
    }
    list->count = 0;
    if (!is_needed) {
        return OCT_OK;
    }
    OCT_TRY(oct_array_reserve(list, &l->map->allocator, sizeof(thing_shape *), l->count));
    l->shapes = list->items;
    for (size_t i = 0; i < l->count; i++) {
        const oct_thing *const t = &l->things[i];
        l->shapes[i] = NULL;
        list->count++;
        if (oct_thing_shape_is_needed(t->shape) && is_within(l, &t->box)) {
            OCT_TRY(shape_of(l, t, &l->shapes[i]));
        }
    }
    return OCT_OK;
}

static void drop_shapes(const look *l)
{
    const oct_array *const list = &l->map->shapes;
    for (size_t i = 0; i < list->count; i++) {
        oct_thing_shape_drop(((thing_shape *const *)list->items)[i], &l->map->allocator);
    }
    l->map->shapes.count = 0;
}

// ---- line of sight ----

// Enters an opaque box, of which the slabs from `first` on are what is opaque.
static oct_result push_box(look *l, const sight_box *box, uint32_t first, size_t owner)
{
    oct_map *const map = l->map;
    const sight_solid solid = {first, (uint32_t)map->slabs.count - first, (uint32_t)owner};
    OCT_TRY(oct_array_push(&map->boxes, &map->allocator, sizeof *box, box));
    return l->shapes ? oct_array_push(&map->solids, &map->allocator, sizeof solid, &solid) : OCT_OK;
}

static oct_result push_body(look *l, const convex *body, size_t owner)
{
    oct_array *const slabs = &l->map->slabs;
    const double step = map_step(l->map), unit = CONVEX_UNIT;
    const uint32_t first = (uint32_t)slabs->count;
    for (uint32_t i = 0; i < body->faces; i++) {
        const convex_axis *const a = &body->axes[i];
        const sight_slab slab = {{a->n[0] / unit, a->n[1] / unit, a->n[2] / unit},
                                 (double)a->lo / (2.0 * unit * step),
                                 (double)a->hi / (2.0 * unit * step)};
        OCT_TRY(oct_array_push(slabs, &l->map->allocator, sizeof slab, &slab));
    }
    const oct_point lo = point_scale(body->lo, 1.0 / step), hi = point_scale(body->hi, 1.0 / step);
    const sight_box box = {{lo.x, lo.y, lo.z}, {hi.x, hi.y, hi.z}};
    return push_box(l, &box, first, owner);
}

// What is opaque, and nobody's obstacle.
static bool is_soft(const oct_thing *t)
{
    return t->opaque && t->label == OCT_OPEN;
}

// Whether a body that is here touches it, but for two cells: it looks through. As the map's cells
// are as far as that from what was not seen, nobody could ever pass a curtain otherwise.
static bool is_touched(const look *l, const sight_box *box)
{
    const lattice *const lat = &l->map->lattice;
    const double pad[3] = {lat->padding.x, lat->padding.y, lat->padding.z};
    const double eye[3] = {l->eye.x, l->eye.y, l->eye.z};
    bool is = true;
    for (int axis = 0; axis < lat->dims; axis++) {
        const double near = pad[axis] / (lat->cell_size * map_step(l->map)) + TOUCHED_CELLS;
        is = is && eye[axis] >= box->lo[axis] - near && eye[axis] <= box->hi[axis] + near;
    }
    return is;
}

static oct_result push_thing(look *l, const sight_box *box, size_t index)
{
    const thing_shape *const shape = l->shapes ? l->shapes[index] : NULL;
    if (!shape) {
        return push_box(l, box, (uint32_t)l->map->slabs.count, index);
    }
    for (size_t k = 0; k < shape->count; k++) {
        OCT_TRY(push_body(l, &shape->bodies[k].body, index));
    }
    return OCT_OK;
}

// Those that bodies pass through come last.
static oct_result gather_opaque(look *l)
{
    oct_map *const map = l->map;
    oct_array *boxes = &map->boxes;
    uint32_t soft_count = 0;
    boxes->count = map->solids.count = map->slabs.count = 0;
    for (int soft = 0; soft <= 1 && l->view->sight == OCT_SIGHT_LINE; soft++) {
        for (size_t i = 0; i < l->count; i++) {
            const oct_thing *const t = &l->things[i];
            if (!t->opaque || is_soft(t) != (soft == 1) || !is_within(l, &t->box)) {
                continue;
            }
            const sight_box box = to_cells(map, &t->box);
            const size_t before = boxes->count;
            if (soft == 0 || !is_touched(l, &box)) {
                OCT_TRY(push_thing(l, &box, i));
            }
            soft_count += soft == 1 ? (uint32_t)(boxes->count - before) : 0u;
        }
    }
    l->sight = (sight){l->eye, boxes->items, (uint32_t)boxes->count, map->lattice.dims, soft_count,
                       NULL,   NULL};
    l->sight.solids = map->slabs.count > 0 ? map->solids.items : NULL;
    l->sight.slabs = map->slabs.items;
    if (boxes->count < INDEX_BOXES) {
        return OCT_OK;
    }
    l->has_index = true;
    return oct_sight_index_make(&l->sight, l->radius, &map->allocator, &map->parts, &map->items,
                                &l->index);
}

// All cells that share inner points with the ball; the ball lies inside the lattice.
static oct_box ball_box(const look *l)
{
    const oct_point c = l->eye;
    const double r = l->radius;
    const bool flat = l->map->lattice.dims == 2;
    return (oct_box){
        {(int32_t)floor(c.x - r), (int32_t)floor(c.y - r), flat ? 0 : (int32_t)floor(c.z - r)},
        {(int32_t)-floor(-c.x - r), (int32_t)-floor(-c.y - r),
         flat ? 1 : (int32_t)-floor(-c.z - r)}};
}

static oct_result cast_sight(look *l)
{
    oct_map *map = l->map;
    oct_box box = ball_box(l);
    box.min = (oct_vec){box.min.x & ~7, box.min.y & ~7, box.min.z & ~7};
    const size_t words = (size_t)((int64_t)box.max.x - box.min.x + 63) / 64u;
    const size_t rows =
        (size_t)((int64_t)box.max.y - box.min.y) * (size_t)((int64_t)box.max.z - box.min.z);
    OCT_TRY(oct_array_reserve(&map->words, &map->allocator, sizeof(uint64_t), words * rows));
    l->seen = (bit_grid){box, words, map->words.items};
    OCT_TRY(oct_sight_cast(&l->sight, l->radius, &map->executor, &map->allocator, &l->seen));
    if (l->has_cone) {
        oct_sight_cone_clip(&l->cone, l->eye, map->lattice.dims, &l->seen);
    }
    return OCT_OK;
}

// ---- things ----

static bool is_same(const oct_thing *a, const oct_thing *b)
{
    return oct_thing_shape_equals(a->shape, b->shape) && a->label == b->label &&
           !a->opaque == !b->opaque && a->tag == b->tag && is_same_box(&a->box, &b->box);
}

static oct_result see_thing(look *l, size_t index)
{
    oct_map *map = l->map;
    const oct_thing *const from = &l->things[index];
    thing_shape *const shape = l->shapes ? l->shapes[index] : NULL;
    const uint32_t slot = oct_things_find(&map->things, from->id);
    if (!slot) {
        l->result.added++;
        return oct_map_group_insert(map, from, shape);
    }
    const oct_thing known = oct_things_get(&map->things, slot);
    if (is_same(&known, from)) {
        l->result.same++;
        return OCT_OK;
    }
    l->result.changed++;
    return oct_map_group_replace(map, slot, from, shape);
}

static void look_at_part(void *arg, uint32_t part, uint32_t worker)
{
    (void)worker;
    const look *const l = arg;
    const size_t from = (size_t)part * PART_THINGS;
    uint32_t first = 0;
    for (size_t i = from; i < from + PART_THINGS && i < l->count; i++) {
        const oct_bounds *const box = &l->things[i].box;
        const thing_shape *const shape = l->shapes ? l->shapes[i] : NULL;
        l->looks[i] = !is_within(l, box)                                  ? OCT_LOOK_FAR
                      : oct_look_sees(l, box, shape, (uint32_t)i, &first) ? OCT_LOOK_SEEN
                                                                          : OCT_LOOK_HIDDEN;
    }
}

// Finds out which things are seen. In line of sight that takes the time of things times opaque
// boxes; otherwise too little to wake threads for.
static oct_result look_at_things(look *l)
{
    oct_map *const map = l->map;
    OCT_TRY(oct_array_reserve(&map->looks, &map->allocator, sizeof(uint8_t), l->count));
    l->looks = map->looks.items;
    const uint32_t parts = (uint32_t)((l->count + PART_THINGS - 1u) / PART_THINGS);
    if (l->has_bits) {
        map->executor.run(map->executor.ctx, parts, look_at_part, l);
    } else {
        for (uint32_t i = 0; i < parts; i++) {
            look_at_part(l, i, 0);
        }
    }
    return OCT_OK;
}

static oct_result see_things(look *l)
{
    for (size_t i = 0; i < l->count; i++) {
        if (l->looks[i] == OCT_LOOK_SEEN) {
            OCT_TRY(see_thing(l, i));
        } else {
            l->result.hidden += l->looks[i] == OCT_LOOK_HIDDEN;
        }
    }
    return OCT_OK;
}

// Things of the map that would be seen and are not there.
typedef struct missing {
    const look *look;
    oct_array *slots; // of uint32_t
    uint32_t first;   // opaque box to try first
    oct_result result;
} missing;

// Whether a thing is elsewhere than the map has it, or nowhere, as far as this look can tell: what
// is where it was is seen there, or hidden there.
static bool has_left(const look *l, const oct_thing *now, const oct_thing *was)
{
    return !now ||
           (l->looks[now - l->things] != OCT_LOOK_SEEN &&
            !(is_same_box(&now->box, &was->box) && oct_thing_shape_equals(now->shape, was->shape)));
}

static bool find_missing(void *ctx, uint32_t slot, const oct_box *cells)
{
    (void)cells;
    missing *m = ctx;
    const look *l = m->look;
    const thing *t = oct_things_at(&l->map->things, slot);
    const oct_thing was = oct_things_get(&l->map->things, slot);
    if (has_left(l, find(l, t->id), &was) && is_within(l, &t->box) &&
        oct_look_sees(l, &t->box, oct_things_shape(&l->map->things, slot), SIGHT_NO_OWNER,
                      &m->first)) {
        m->result = oct_array_push(m->slots, &l->map->allocator, sizeof slot, &slot);
    }
    return m->result == OCT_OK;
}

static oct_result remove_missing(look *l, const oct_array *slots)
{
    for (size_t i = 0; i < slots->count; i++) {
        OCT_TRY(oct_map_group_erase(l->map, ((const uint32_t *)slots->items)[i]));
        l->result.removed++;
    }
    return OCT_OK;
}

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
                      .box = ball_box(l),
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
static uint64_t count_known(const look *l)
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

// What is seen stays as it is: a look from the same place needs it.
static oct_result erode_seen(look *l, cell_set *known)
{
    oct_map *const map = l->map;
    const lattice *const lat = &map->lattice;
    bit_grid bits = l->seen;
    const size_t words = words_of(&bits);
    OCT_TRY(oct_array_reserve(&map->known_words, &map->allocator, sizeof(uint64_t), words));
    bits.words = map->known_words.items;
    memcpy(bits.words, l->seen.words, words * sizeof(uint64_t));
    if (map_step(map) > 1) {
        fill_seen(l, &bits);
    }
    add_seen_before(l, &bits);
    oct_sight_erode(&bits, (oct_vec){(int32_t)-floor(-known->pad.x), (int32_t)-floor(-known->pad.y),
                                     lat->dims == 3 ? (int32_t)-floor(-known->pad.z) : 0});
    clip by = {known, &bits, lat->dims};
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

static oct_result mark_known(look *l)
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

// ---- observing ----

static bool axis_fits(double centre, double radius)
{
    return centre - radius >= -(double)OCT_RANGE && centre + radius <= (double)OCT_RANGE;
}

#define ALL_AROUND 6.283185307179586

// What is in the field of view. Where forward is no direction, `near` is not finite.
static void set_cone(look *l)
{
    const oct_view *const view = l->view;
    const lattice *const lat = &l->map->lattice;
    const bool flat = lat->dims == 2;
    l->has_cone = view->fov > 0.0 && view->fov < ALL_AROUND;
    l->has_bits = l->has_cone || view->sight == OCT_SIGHT_LINE;
    if (!l->has_cone) {
        return;
    }
    const oct_point f = {view->forward.x, view->forward.y, flat ? 0.0 : view->forward.z};
    const double length = sqrt(f.x * f.x + f.y * f.y + f.z * f.z);
    const double size = lat->cell_size * map_step(l->map);
    const oct_point pad = {lat->padding.x / size, lat->padding.y / size,
                           flat ? 0.0 : lat->padding.z / size};
    double sine;
    oct_sin_cos(view->fov / 2.0, &sine, &l->cone.cosine);
    l->cone.forward = (oct_point){f.x / length, f.y / length, f.z / length};
    l->cone.near = length > 0.0 && isfinite(length)
                       ? sqrt(pad.x * pad.x + pad.y * pad.y + pad.z * pad.z) + 2.0
                       : HUGE_VAL;
}

static oct_result check_view(const look *l)
{
    const oct_view *view = l->view;
    const bool flat = l->map->lattice.dims == 2;
    if (!isfinite(view->centre.x) || !isfinite(view->centre.y) ||
        (!flat && !isfinite(view->centre.z)) || !isfinite(view->radius) || view->radius < 0.0 ||
        (uint32_t)view->sight > OCT_SIGHT_THROUGH || (l->count > 0 && !l->things) ||
        !(view->fov >= 0.0) || !isfinite(view->fov) || (l->has_cone && !isfinite(l->cone.near))) {
        return OCT_ERROR_ARGUMENT;
    }
    if (!axis_fits(l->eye.x, l->radius) || !axis_fits(l->eye.y, l->radius) ||
        (!flat && !axis_fits(l->eye.z, l->radius)) ||
        (l->has_bits && l->radius > OCT_SIGHT_CELLS_MAX)) {
        return OCT_ERROR_RANGE;
    }
    return OCT_OK;
}

static oct_result apply(look *l, oct_array *gone)
{
    // Things that only touch the ball are within the radius too.
    const oct_box in = ball_box(l);
    const int32_t step = map_step(l->map);
    const oct_box box = {{in.min.x * step - 1, in.min.y * step - 1, in.min.z * step - 1},
                         {in.max.x * step + 1, in.max.y * step + 1, in.max.z * step + 1}};
    missing m = {l, gone, 0, OCT_OK};
    oct_things_in(&l->map->things, &box, find_missing, &m);
    OCT_TRY(m.result);
    OCT_TRY(oct_map_begin_edits(l->map, l->count + gone->count));
    oct_result result = remove_missing(l, gone);
    if (result == OCT_OK) {
        result = see_things(l);
    }
    if (result == OCT_OK) {
        result = mark_known(l);
    }
    return oct_map_end_edits(l->map, result);
}

// ---- looking again ----

static bool is_same_point(oct_point a, oct_point b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Whether a thing that is passed has the shape of the one that was passed in its place.
static bool has_same_shape(const look *l, size_t i)
{
    thing_shape *const *const before = l->map->last.shapes.items;
    const thing_shape *const now = l->shapes ? l->shapes[i] : NULL;
    const thing_shape *const was = l->map->last.shapes.count > 0 ? before[i] : NULL;
    return now == was || (now && was && oct_thing_shape_equals(&now->told, &was->told));
}

// Whether a look sees what the last one saw: where it is from and all that may hide something are
// the same.
static bool is_repeated(const look *l)
{
    const last_look *const last = &l->map->last;
    const oct_view *const a = l->view, *const b = &last->view;
    if (!last->is_set || last->things.count != l->count || !is_same_point(a->centre, b->centre) ||
        a->radius != b->radius || a->sight != b->sight || a->fov != b->fov ||
        (l->has_cone && !is_same_point(a->forward, b->forward))) {
        return false;
    }
    const oct_thing *const things = last->things.items;
    for (size_t i = 0; i < l->count; i++) {
        if (things[i].id != l->things[i].id || !things[i].opaque != !l->things[i].opaque ||
            is_soft(&things[i]) != is_soft(&l->things[i]) ||
            !is_same_box(&things[i].box, &l->things[i].box) || !has_same_shape(l, i)) {
            return false;
        }
    }
    return true;
}

void oct_look_forget_shapes(oct_map *map)
{
    oct_array *const list = &map->last.shapes;
    for (size_t i = 0; i < list->count; i++) {
        oct_thing_shape_drop(((thing_shape *const *)list->items)[i], &map->allocator);
    }
    list->count = 0;
}

// Keeps what was passed, for the next look.
static oct_result keep_look(look *l)
{
    oct_map *const map = l->map;
    last_look *const last = &map->last;
    OCT_TRY(oct_array_reserve(&last->things, &map->allocator, sizeof(oct_thing), l->count));
    if (l->count > 0) {
        memcpy(last->things.items, l->things, l->count * sizeof(oct_thing));
    }
    last->things.count = l->count;
    oct_look_forget_shapes(map);
    if (l->shapes) {
        OCT_TRY(oct_array_reserve(&last->shapes, &map->allocator, sizeof(thing_shape *), l->count));
        for (size_t i = 0; i < l->count; i++) {
            ((thing_shape **)last->shapes.items)[i] = oct_thing_shape_keep(l->shapes[i]);
        }
        last->shapes.count = l->count;
    }
    last->view = *l->view;
    last->seen = l->seen;
    last->is_set = true;
    return OCT_OK;
}

static oct_result cast_anew(look *l)
{
    l->map->last.is_set = l->map->last.is_marked = false;
    OCT_TRY(l->has_bits ? cast_sight(l) : OCT_OK);
    OCT_TRY(look_at_things(l));
    return l->has_bits ? keep_look(l) : OCT_OK;
}

// Finds out what is seen; changes no label and no thing.
static oct_result look_around(look *l)
{
    l->eye = oct_map_to_sight(l->map, l->view->centre);
    l->radius = l->view->radius / (l->map->lattice.cell_size * map_step(l->map));
    set_cone(l);
    OCT_TRY(check_view(l));
    OCT_TRY(enter_things(l));
    OCT_TRY(take_shapes(l));
    OCT_TRY(l->has_bits ? gather_opaque(l) : OCT_OK);
    l->is_repeated = l->has_bits && is_repeated(l);
    if (!l->is_repeated) {
        return cast_anew(l);
    }
    l->seen = l->map->last.seen;
    l->looks = l->map->looks.items;
    return OCT_OK;
}

oct_result oct_map_look(oct_map *map, const oct_view *view, const oct_thing *things, size_t count)
{
    look l = {.map = map, .view = view, .things = things, .count = count};
    const oct_result result = look_around(&l);
    drop_shapes(&l);
    return result;
}

const uint8_t *oct_map_looks(const oct_map *map)
{
    return map->looks.items;
}

oct_result oct_map_observe(oct_map *map, const oct_view *view, const oct_thing *things,
                           size_t count, oct_seen *seen)
{
    look l = {.map = map, .view = view, .things = things, .count = count};
    oct_array gone = {0};
    oct_result result = look_around(&l);
    result = result == OCT_OK ? apply(&l, &gone) : result;
    drop_shapes(&l);
    oct_array_free(&gone, &map->allocator, sizeof(uint32_t));
    if (result != OCT_OK) {
        map->last.is_marked = false;
        return result;
    }
    if (!l.is_repeated || !map->last.is_marked) {
        map->last.cells = count_known(&l);
        map->last.is_marked = l.has_bits;
    }
    l.result.cells = map->last.cells;
    if (seen) {
        *seen = l.result;
    }
    return OCT_OK;
}
