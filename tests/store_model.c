// SPDX-License-Identifier: MIT
#include "store_model.h"

#include "tree_model.h"

#include <math.h>

const store_kind store_kinds[2] = {
    {"grid", &oct_store_grid_ops, oct_store_grid_create},
    {"set", &oct_store_set_ops, oct_store_set_create},
};

const oct_vec store_bases[4] = {
    {-12, -12, -12},
    {0, 0, 0},
    {-3, 1001, -70001},
    {OCT_RANGE - STORE_EDGE_2D, -OCT_RANGE, OCT_RANGE - STORE_EDGE_3D},
};

const oct_box store_everywhere = {{INT32_MIN, INT32_MIN, INT32_MIN},
                                  {INT32_MAX, INT32_MAX, INT32_MAX}};

// ---- places ----

int model_cells(const store_model *model)
{
    return model->edge * model->edge * (model->dims == 3 ? model->edge : 1);
}

oct_vec model_cell(const store_model *model, int at)
{
    const int edge = model->edge;
    return (oct_vec){model->base.x + at % edge, model->base.y + at / edge % edge,
                     model->base.z + at / edge / edge};
}

int model_at(const store_model *model, oct_vec cell)
{
    const int64_t edge = model->edge, depth = model->dims == 3 ? edge : 1;
    const int64_t x = (int64_t)cell.x - model->base.x, y = (int64_t)cell.y - model->base.y;
    const int64_t z = model->dims == 3 ? (int64_t)cell.z - model->base.z : 0;
    const bool inside = x >= 0 && y >= 0 && z >= 0 && x < edge && y < edge && z < depth;
    return inside ? (int)((z * edge + y) * edge + x) : -1;
}

oct_label model_label_at(const store_model *model, oct_vec cell)
{
    const int at = model_at(model, cell);
    return at < 0 ? OCT_UNKNOWN : (oct_label)model->labels[at];
}

static bool has(const oct_box *box, oct_vec c)
{
    return c.x >= box->min.x && c.x < box->max.x && c.y >= box->min.y && c.y < box->max.y &&
           c.z >= box->min.z && c.z < box->max.z;
}

// ---- the model ----

static double square(double a)
{
    return a * a;
}

// The larger distance to a cell's two sides, and the distance to the nearer one.
static double far_side(double centre, int32_t cell)
{
    return fmax(centre - cell, cell + 1.0 - centre);
}

static double near_side(double centre, int32_t cell)
{
    return centre < cell ? cell - centre : centre > cell + 1.0 ? centre - (cell + 1.0) : 0.0;
}

static bool region_has(const store_model *model, const region *r, oct_vec c)
{
    const oct_point o = r->centre;
    double sum;
    switch (r->kind) {
    case REGION_BOX:
        return has(&r->box, c);
    case REGION_BALL:
        sum = square(far_side(o.x, c.x) + r->pad.x) + square(far_side(o.y, c.y) + r->pad.y);
        sum += model->dims == 3 ? square(far_side(o.z, c.z) + r->pad.z) : 0.0;
        return sum <= r->radius * r->radius;
    case REGION_OUTSIDE:
        sum = square(near_side(o.x, c.x)) + square(near_side(o.y, c.y));
        sum += model->dims == 3 ? square(near_side(o.z, c.z)) : 0.0;
        return !(sum < r->radius * r->radius);
    case REGION_BITS:
        break;
    }
    if (!has(&r->box, c)) {
        return false;
    }
    const uint32_t x = (uint32_t)(c.x - r->box.min.x);
    const uint64_t *row =
        bit_grid_row(r->bits, (uint32_t)(c.y - r->box.min.y), (uint32_t)(c.z - r->box.min.z));
    return row[x / 64u] >> x % 64u & 1u;
}

// A cell is BLOCKED where anything says so; else UNKNOWN where a thing says so.
static void work_out_labels(store_model *model)
{
    for (int at = 0; at < model_cells(model); at++) {
        model->labels[at] = model->facts[at] & 2   ? OCT_BLOCKED
                            : model->facts[at] & 1 ? OCT_OPEN
                                                   : OCT_UNKNOWN;
    }
    for (int i = 0; i < STORE_THINGS; i++) {
        const model_thing *t = &model->things[i];
        if (!t->slot || t->label == OCT_OPEN) {
            continue;
        }
        for (int32_t z = t->box.min.z; z < t->box.max.z; z++) {
            for (int32_t y = t->box.min.y; y < t->box.max.y; y++) {
                for (int32_t x = t->box.min.x; x < t->box.max.x; x++) {
                    uint8_t *label = &model->labels[model_at(model, (oct_vec){x, y, z})];
                    *label = *label == OCT_BLOCKED ? OCT_BLOCKED : (uint8_t)t->label;
                }
            }
        }
    }
}

// ---- random edits ----

static void random_side(oct_random *random, int32_t base, int edge, int32_t longest, int32_t *min,
                        int32_t *max)
{
    const int32_t length = oct_random_range(random, 1, oct_random_range(random, 1, longest));
    *min = base + oct_random_range(random, 0, edge - length);
    *max = *min + length;
}

static oct_box random_box(const store_model *model, oct_random *random, int32_t longest)
{
    oct_box box = {{0, 0, 0}, {0, 0, 1}};
    random_side(random, model->base.x, model->edge, longest, &box.min.x, &box.max.x);
    random_side(random, model->base.y, model->edge, longest, &box.min.y, &box.max.y);
    if (model->dims == 3) {
        random_side(random, model->base.z, model->edge, longest, &box.min.z, &box.max.z);
    }
    return box;
}

oct_box model_box(const store_model *model, oct_random *random)
{
    return random_box(model, random, model->edge);
}

// A length between two others; a coarse one is a multiple of a half.
static double random_length(oct_random *random, bool coarse, double lo, double hi)
{
    const double at = lo + oct_random_unit(random) * (hi - lo), halves = floor(at * 2.0) / 2.0;
    return coarse && halves >= lo ? halves : at;
}

// A ball inside the region and a box around it; of REGION_OUTSIDE, any ball. Half of them are
// coarse throughout, so that cells touch them.
static void random_ball(const store_model *model, oct_random *random, region *r)
{
    const double edge = model->edge, half = edge / 2.0;
    const bool outside = r->kind == REGION_OUTSIDE, coarse = oct_random_below(random, 2);
    r->radius = random_length(random, coarse, 0.0, outside ? edge : half);
    const double lo = outside ? -edge : r->radius, hi = outside ? 2.0 * edge : edge - r->radius;
    r->centre = (oct_point){model->base.x + random_length(random, coarse, lo, hi),
                            model->base.y + random_length(random, coarse, lo, hi),
                            model->base.z + random_length(random, coarse, lo, hi)};
    r->pad = (oct_point){random_length(random, coarse, 0.0, 2.0),
                         random_length(random, coarse, 0.0, 2.0),
                         random_length(random, coarse, 0.0, 2.0)};
    if (oct_random_below(random, 2)) {
        r->pad = (oct_point){0.0, 0.0, 0.0};
    }
    const oct_point c = r->centre;
    r->box = (oct_box){{(int32_t)floor(c.x - r->radius), (int32_t)floor(c.y - r->radius),
                        model->dims == 3 ? (int32_t)floor(c.z - r->radius) : 0},
                       {(int32_t)ceil(c.x + r->radius), (int32_t)ceil(c.y + r->radius),
                        model->dims == 3 ? (int32_t)ceil(c.z + r->radius) : 1}};
}

static int32_t down_to_8(int32_t at)
{
    return at & ~7;
}

// Bits of a box inside the region that begins at a multiple of 8. Runs of many lengths.
static void random_bits(const store_model *model, oct_random *random, store_step *step)
{
    oct_box box;
    do {
        box = random_box(model, random, model->edge);
        box.min = (oct_vec){down_to_8(box.min.x), down_to_8(box.min.y),
                            model->dims == 3 ? down_to_8(box.min.z) : 0};
    } while (model_at(model, box.min) < 0);
    const uint32_t width = (uint32_t)(box.max.x - box.min.x);
    const uint32_t height = (uint32_t)(box.max.y - box.min.y);
    const uint32_t depth = (uint32_t)(box.max.z - box.min.z);
    step->bits = (bit_grid){box, (width + 63u) / 64u, step->words};
    step->cells = (region){.kind = REGION_BITS, .box = box, .bits = &step->bits};
    memset(step->words, 0, sizeof step->words);
    const uint64_t keep = oct_random_below(random, 12); // how seldom a bit turns
    bool bit = false;
    for (uint32_t row = 0; row < height * depth; row++) {
        for (uint32_t x = 0; x < width; x++) {
            bit ^= oct_random_below(random, keep + 1u) == 0;
            step->words[row * step->bits.row_words + x / 64u] |= (uint64_t)bit << x % 64u;
        }
    }
}

static void random_mark(const store_pair *pair, oct_random *random, store_step *step)
{
    const store_model *model = &pair->model;
    step->kind = STEP_MARK;
    step->mark = (oct_mark)oct_random_below(random, OCT_MARK_COUNT);
    step->cells = (region){.kind = (region_kind)oct_random_below(random, 4)};
    switch (step->cells.kind) {
    case REGION_BOX:
        step->cells.box = model_box(model, random);
        break;
    case REGION_OUTSIDE:
        step->mark = OCT_MARK_UNKNOWN;
        random_ball(model, random, &step->cells);
        break;
    case REGION_BALL:
        random_ball(model, random, &step->cells);
        break;
    case REGION_BITS:
        random_bits(model, random, step);
        break;
    }
}

void step_random(const store_pair *pair, oct_random *random, store_step *step)
{
    const store_model *model = &pair->model;
    if (oct_random_below(random, 3) == 0) {
        random_mark(pair, random, step);
        return;
    }
    step->thing = (uint32_t)oct_random_below(random, STORE_THINGS);
    step->box = random_box(model, random, model->dims == 3 ? 12 : 40);
    step->label = (oct_label)oct_random_below(random, 3);
    const model_thing *t = &model->things[step->thing];
    step->kind = !t->slot ? STEP_ADD : (step_kind)(STEP_REMOVE + oct_random_below(random, 3));
    if (step->kind == STEP_MOVE) { // often by a cell or two, so that it covers itself
        if (oct_random_below(random, 2)) {
            step->box = t->box;
            const int32_t by = oct_random_range(random, -2, 2);
            step->box.min.x += by;
            step->box.max.x += by;
        }
        if (model_at(model, step->box.min) < 0 || step->box.max.x > model->base.x + model->edge) {
            step->box = t->box;
        }
        step->label = t->label;
    } else if (step->kind == STEP_RELABEL) {
        step->box = t->box;
    }
}

// ---- both together ----

oct_result pair_create(store_pair *pair, const store_kind *kind, int dims, oct_vec base,
                       const oct_allocator *allocator)
{
    memset(pair, 0, sizeof *pair);
    pair->ops = kind->ops;
    pair->model.dims = dims;
    pair->model.edge = dims == 3 ? STORE_EDGE_3D : STORE_EDGE_2D;
    pair->model.base = dims == 3 ? base : (oct_vec){base.x, base.y, 0};
    const lattice l = {.cell_size = 1.0, .dims = dims};
    const oct_allocator heap = oct_allocator_default();
    oct_things_init(&pair->index, &l, &heap);
    const oct_map_def def = {.dims = (uint32_t)dims, .cell_size = 1.0, .journal = 4};
    return kind->create(&def, allocator ? allocator : &heap, NULL, &pair->store);
}

void pair_destroy(store_pair *pair)
{
    pair->ops->destroy(pair->store);
    oct_things_free(&pair->index);
}

static oct_bounds world_box(const oct_box *box)
{
    return (oct_bounds){{box->min.x, box->min.y, box->min.z}, {box->max.x, box->max.y, box->max.z}};
}

// A thing changes hands; what covers nothing is NULL.
static oct_result change_thing(store_pair *pair, const store_step *step)
{
    model_thing *t = &pair->model.things[step->thing];
    const bool removes = step->kind == STEP_REMOVE;
    const thing_cover old = {t->box, t->label}, new = {step->box, step->label};
    const thing_cover *was = t->slot && t->label != OCT_OPEN ? &old : NULL;
    const thing_cover *now = !removes && step->label != OCT_OPEN ? &new : NULL;
    assert_int_equal(oct_things_reserve(&pair->index), OCT_OK);
    if (t->slot) {
        oct_things_unlink(&pair->index, t->slot);
    }
    const oct_result result =
        was || now ? pair->ops->cover(pair->store, &pair->index, was, now) : OCT_OK;
    if (result != OCT_OK) {
        if (t->slot) {
            oct_things_link(&pair->index, t->slot);
        }
        return result;
    }
    if (removes) {
        oct_things_give(&pair->index, t->slot);
        t->slot = 0;
        return OCT_OK;
    }
    const oct_thing new_thing = {
        .id = step->thing, .box = world_box(&step->box), .label = (uint8_t)step->label};
    if (!t->slot) {
        t->slot = oct_things_take(&pair->index, &new_thing);
    }
    oct_things_at(&pair->index, t->slot)->box = new_thing.box;
    oct_things_at(&pair->index, t->slot)->label = new_thing.label;
    oct_things_link(&pair->index, t->slot);
    t->box = step->box;
    t->label = step->label;
    return OCT_OK;
}

oct_result pair_apply(store_pair *pair, const store_step *step)
{
    store_model *model = &pair->model;
    if (step->kind == STEP_MARK) {
        OCT_TRY(pair->ops->mark(pair->store, &pair->index, &step->cells, step->mark));
        for (int at = 0; at < model_cells(model); at++) {
            if (region_has(model, &step->cells, model_cell(model, at))) {
                model->facts[at] = model_marked(model->facts[at], step->mark);
            }
        }
    } else {
        OCT_TRY(change_thing(pair, step));
    }
    work_out_labels(model);
    return OCT_OK;
}

void pair_check(const store_pair *pair)
{
    const store_model *model = &pair->model;
    assert_true(pair->ops->is_valid(pair->store, &pair->index));
    const int rim = model->dims == 3 ? 1 : 0, edge = model->edge;
    for (int z = -rim; z < (model->dims == 3 ? edge : 1) + rim; z++) {
        for (int y = -1; y <= edge; y++) {
            for (int x = -1; x <= edge; x++) {
                const oct_vec c = {model->base.x + x, model->base.y + y, model->base.z + z};
                if (pair->ops->label(pair->store, c) != model_label_at(model, c)) {
                    fail_msg("cell %d %d %d is %d, not %d", c.x, c.y, c.z,
                             pair->ops->label(pair->store, c), model_label_at(model, c));
                }
            }
        }
    }
}

void store_for_each(uint64_t first, uint64_t seeds, pair_body *body)
{
    const uint64_t few = test_rounds(seeds);
    const uint64_t last = first + (few > 4 ? few : 4) - 1; // one on each base at least
    print_message("seeds %d to %d\n", (int)first, (int)last);
    for (uint64_t seed = first; seed <= last; seed++) {
        for (int i = 0; i < 4; i++) {
            oct_random random = oct_random_seed(seed);
            test_allocator memory;
            test_allocator_init(&memory, TEST_NEVER);
            store_pair pair;
            assert_int_equal(pair_create(&pair, &store_kinds[i % 2], 2 + i / 2,
                                         store_bases[seed % 4], &memory.allocator),
                             OCT_OK);
            body(&pair, &random);
            pair_destroy(&pair);
            test_allocator_check_empty(&memory);
        }
    }
}
