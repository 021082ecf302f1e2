// SPDX-License-Identifier: MIT
#include "map_model.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"
#include "tree_model.h"
#include "valid.h"

#define SIZE ((int64_t)MODEL_CELLS * MODEL_STEP)

void map_model_init(map_model *model, int dims, oct_vec base, oct_random *random)
{
    memset(model, 0, sizeof *model);
    model->dims = dims;
    model->base = base;
    model->origin = (oct_point){-3.25, 1.5, 0.75};
    if (dims == 2) {
        model->base.z = 0;
    }
    for (int axis = 0; axis < 3; axis++) {
        model->pad[axis] =
            oct_random_below(random, 3) == 0 ? 0 : oct_random_range(random, 0, 2 * MODEL_STEP);
    }
}

oct_map_def map_model_def(const map_model *model)
{
    const double step = MODEL_CELL_SIZE / MODEL_STEP;
    oct_map_def def = oct_map_def_default();
    def.dims = (uint32_t)model->dims;
    def.cell_size = MODEL_CELL_SIZE;
    def.origin = model->origin;
    def.padding = (oct_point){(double)model->pad[0] * step, (double)model->pad[1] * step,
                              (double)model->pad[2] * step};
    return def;
}

static oct_point to_world(const map_model *model, const int64_t at[3])
{
    const double step = MODEL_CELL_SIZE / MODEL_STEP;
    return (oct_point){
        model->origin.x + (double)(model->base.x * (int64_t)MODEL_STEP + at[0]) * step,
        model->origin.y + (double)(model->base.y * (int64_t)MODEL_STEP + at[1]) * step,
        model->origin.z + (double)(model->base.z * (int64_t)MODEL_STEP + at[2]) * step};
}

oct_bounds map_model_bounds(const map_model *model, const step_box *box)
{
    return (oct_bounds){to_world(model, box->lo), to_world(model, box->hi)};
}

oct_thing map_model_thing(const map_model *model, const model_thing *thing)
{
    return (oct_thing){.id = thing->id,
                       .box = map_model_bounds(model, &thing->box),
                       .label = (uint8_t)thing->label,
                       .opaque = thing->opaque,
                       .tag = thing->tag};
}

oct_view map_model_view(const map_model *model, const model_view *view)
{
    return (oct_view){.centre = to_world(model, view->eye),
                      .radius = (double)view->radius * (MODEL_CELL_SIZE / MODEL_STEP),
                      .sight = view->sight};
}

// ---- cells ----

static int depth(const map_model *model)
{
    return model->dims == 3 ? MODEL_CELLS : 1;
}

// Whether a cell shares inner points with a box grown by `pad`.
static bool overlaps(const map_model *model, const step_box *box, const int64_t pad[3],
                     const int cell[3])
{
    bool all = true;
    for (int axis = 0; axis < model->dims; axis++) {
        const int64_t from = (int64_t)cell[axis] * MODEL_STEP, to = from + MODEL_STEP;
        all &= from < box->hi[axis] + pad[axis] && to > box->lo[axis] - pad[axis];
    }
    return all;
}

static bool covered(const map_model *model, const int cell[3], oct_label label)
{
    bool found = false;
    for (size_t i = 0; i < model->count; i++) {
        found |= model->things[i].label == label &&
                 overlaps(model, &model->things[i].box, model->pad, cell);
    }
    return found;
}

static oct_label label_of(const map_model *model, int x, int y, int z)
{
    const int cell[3] = {x, y, z};
    const uint8_t facts = model->facts[z][y][x];
    if ((facts & 2u) || covered(model, cell, OCT_BLOCKED)) {
        return OCT_BLOCKED;
    }
    return (facts & 1u) && !covered(model, cell, OCT_UNKNOWN) ? OCT_OPEN : OCT_UNKNOWN;
}

void map_model_labels(const map_model *model, model_labels out)
{
    for (int z = 0; z < depth(model); z++) {
        for (int y = 0; y < MODEL_CELLS; y++) {
            for (int x = 0; x < MODEL_CELLS; x++) {
                out[z][y][x] = (uint8_t)label_of(model, x, y, z);
            }
        }
    }
}

void map_model_mark(map_model *model, oct_box cells, oct_mark mark)
{
    for (int z = 0; z < depth(model); z++) {
        for (int y = 0; y < MODEL_CELLS; y++) {
            for (int x = 0; x < MODEL_CELLS; x++) {
                const bool inside = x >= cells.min.x && x < cells.max.x && y >= cells.min.y &&
                                    y < cells.max.y &&
                                    (model->dims == 2 || (z >= cells.min.z && z < cells.max.z));
                if (inside) {
                    model->facts[z][y][x] = model_marked(model->facts[z][y][x], mark);
                }
            }
        }
    }
}

size_t map_model_find(const map_model *model, uint64_t id)
{
    size_t i = 0;
    while (i < model->count && model->things[i].id != id) {
        i++;
    }
    return i;
}

void map_model_remove(map_model *model, size_t index)
{
    model->things[index] = model->things[--model->count];
}

// ---- sight ----

// A fraction with a positive denominator.
typedef struct fraction {
    int64_t n, d;
} fraction;

static bool less(fraction a, fraction b)
{
    return a.n * b.d < b.n * a.d;
}

static fraction ratio(int64_t n, int64_t d)
{
    return d < 0 ? (fraction){-n, -d} : (fraction){n, d};
}

// Where the line from `eye` through `to` enters and leaves a closed box; false if it misses it.
static bool line_meets(int dims, const int64_t eye[3], const int64_t to[3], const step_box *box,
                       fraction *enters, fraction *leaves)
{
    *enters = (fraction){INT32_MIN, 1};
    *leaves = (fraction){INT32_MAX, 1};
    for (int axis = 0; axis < dims; axis++) {
        const int64_t along = to[axis] - eye[axis];
        if (along == 0) {
            if (eye[axis] < box->lo[axis] || eye[axis] > box->hi[axis]) {
                return false;
            }
            continue;
        }
        const fraction a = ratio((along > 0 ? box->lo : box->hi)[axis] - eye[axis], along);
        const fraction b = ratio((along > 0 ? box->hi : box->lo)[axis] - eye[axis], along);
        *enters = less(*enters, a) ? a : *enters;
        *leaves = less(b, *leaves) ? b : *leaves;
    }
    return !less(*leaves, *enters);
}

static bool holds(int dims, const step_box *box, const int64_t at[3])
{
    bool all = true;
    for (int axis = 0; axis < dims; axis++) {
        all &= at[axis] >= box->lo[axis] && at[axis] <= box->hi[axis];
    }
    return all;
}

// What bodies pass through does not hide the middles of cells that it holds, nor anything from an
// eye that is within the padding and two cells of it.
static bool lets_see(const map_model *model, const model_thing *t, const int64_t eye[3],
                     const int64_t *middle)
{
    step_box around = t->box;
    for (int axis = 0; axis < model->dims; axis++) {
        around.lo[axis] -= model->pad[axis] + 2 * MODEL_STEP;
        around.hi[axis] += model->pad[axis] + 2 * MODEL_STEP;
    }
    return t->label == OCT_OPEN &&
           (holds(model->dims, &around, eye) || (middle && holds(model->dims, &t->box, middle)));
}

// Whether the segment to a point meets an opaque thing (but `except`) before a fraction of it. The
// point is the middle of a cell, or not.
static bool is_hidden(const map_model *model, const int64_t eye[3], const int64_t to[3],
                      bool is_middle, fraction before, const model_thing *there, size_t count,
                      const model_thing *except)
{
    const int dims = model->dims;
    for (size_t i = 0; i < count; i++) {
        fraction enters, leaves;
        if (is_middle && lets_see(model, &there[i], eye, to)) {
            continue;
        }
        if (there[i].opaque && &there[i] != except && !holds(dims, &there[i].box, eye) &&
            line_meets(dims, eye, to, &there[i].box, &enters, &leaves) &&
            !less(leaves, (fraction){0, 1}) && less(enters, before)) {
            return true;
        }
    }
    return false;
}

static bool cell_is_seen(const map_model *model, const model_view *view, const int cell[3],
                         const model_thing *there, size_t count)
{
    step_box box;
    int64_t middle[3];
    for (int axis = 0; axis < 3; axis++) {
        box.lo[axis] = (int64_t)cell[axis] * MODEL_STEP;
        box.hi[axis] = box.lo[axis] + MODEL_STEP;
        middle[axis] = box.lo[axis] + MODEL_STEP / 2;
    }
    fraction enters = {0, 1}, leaves;
    if (!holds(model->dims, &box, view->eye)) {
        assert_true(line_meets(model->dims, view->eye, middle, &box, &enters, &leaves));
    }
    return !is_hidden(model, view->eye, middle, true, enters, there, count, NULL);
}

static int64_t square_to_box(int dims, const int64_t at[3], const int64_t lo[3],
                             const int64_t hi[3])
{
    int64_t square = 0;
    for (int axis = 0; axis < dims; axis++) {
        const int64_t distance = at[axis] < lo[axis]   ? lo[axis] - at[axis]
                                 : at[axis] > hi[axis] ? at[axis] - hi[axis]
                                                       : 0;
        square += distance * distance;
    }
    return square;
}

typedef bool seen_cells[MODEL_CELLS][MODEL_CELLS][MODEL_CELLS];

static bool thing_is_seen(const map_model *model, const model_view *view, const step_box *box,
                          seen_cells seen, const model_thing *there, size_t count,
                          const model_thing *self)
{
    if (view->sight == OCT_SIGHT_THROUGH) {
        return true;
    }
    const int64_t none[3] = {0, 0, 0};
    for (int z = 0; z < depth(model); z++) {
        for (int y = 0; y < MODEL_CELLS; y++) {
            for (int x = 0; x < MODEL_CELLS; x++) {
                if (seen[z][y][x] && overlaps(model, box, none, (int[3]){x, y, z})) {
                    return true;
                }
            }
        }
    }
    for (int side = 0; side < model->dims; side++) {
        int64_t eye[3], at[3], square = 0;
        // Middles of sides are multiples of half a step.
        for (int axis = 0; axis < 3; axis++) {
            eye[axis] = 2 * view->eye[axis];
            at[axis] = axis != side                      ? box->lo[axis] + box->hi[axis]
                       : view->eye[axis] < box->lo[axis] ? 2 * box->lo[axis]
                                                         : 2 * box->hi[axis];
            square += axis < model->dims ? (at[axis] - eye[axis]) * (at[axis] - eye[axis]) : 0;
        }
        const bool turned = view->eye[side] < box->lo[side] || view->eye[side] > box->hi[side];
        model_thing twice[MODEL_THINGS];
        for (size_t i = 0; i < count; i++) {
            twice[i] = there[i];
            twice[i].opaque = there[i].opaque && !lets_see(model, &there[i], view->eye, NULL);
            for (int axis = 0; axis < 3; axis++) {
                twice[i].box.lo[axis] *= 2;
                twice[i].box.hi[axis] *= 2;
            }
        }
        const model_thing *except = self ? &twice[self - there] : NULL;
        if (turned && square < 4 * view->radius * view->radius &&
            !is_hidden(model, eye, at, false, (fraction){1, 1}, twice, count, except)) {
            return true;
        }
    }
    return false;
}

// ---- observation ----

// A cell grown by the padding lies inside the ball, and on seen cells alone.
static bool becomes_known(const map_model *model, const model_view *view, const int cell[3],
                          seen_cells seen)
{
    step_box grown;
    int64_t square = 0;
    for (int axis = 0; axis < model->dims; axis++) {
        grown.lo[axis] = (int64_t)cell[axis] * MODEL_STEP - model->pad[axis];
        grown.hi[axis] = (int64_t)(cell[axis] + 1) * MODEL_STEP + model->pad[axis];
        const int64_t below = view->eye[axis] - grown.lo[axis];
        const int64_t above = grown.hi[axis] - view->eye[axis];
        square += below > above ? below * below : above * above;
    }
    if (square > view->radius * view->radius) {
        return false;
    }
    // The cells that share inner points with it: it lies inside the region, as the ball does.
    int from[3] = {0, 0, 0}, to[3] = {1, 1, 1};
    for (int axis = 0; axis < model->dims; axis++) {
        from[axis] = (int)(grown.lo[axis] / MODEL_STEP);
        to[axis] = (int)((grown.hi[axis] + MODEL_STEP - 1) / MODEL_STEP);
    }
    for (int z = from[2]; z < to[2]; z++) {
        for (int y = from[1]; y < to[1]; y++) {
            for (int x = from[0]; x < to[0]; x++) {
                if (!seen[z][y][x]) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool is_within(const map_model *model, const model_view *view, const step_box *box)
{
    // As far as the radius itself is within: the map is told of no less than it must know.
    return square_to_box(model->dims, view->eye, box->lo, box->hi) <= view->radius * view->radius;
}

static void find_seen(const map_model *model, const model_view *view, const model_thing *there,
                      size_t count, seen_cells seen)
{
    for (int z = 0; z < depth(model); z++) {
        for (int y = 0; y < MODEL_CELLS; y++) {
            for (int x = 0; x < MODEL_CELLS; x++) {
                const int cell[3] = {x, y, z};
                const int64_t lo[3] = {(int64_t)x * MODEL_STEP, (int64_t)y * MODEL_STEP,
                                       (int64_t)z * MODEL_STEP};
                const int64_t hi[3] = {lo[0] + MODEL_STEP, lo[1] + MODEL_STEP, lo[2] + MODEL_STEP};
                seen[z][y][x] =
                    square_to_box(model->dims, view->eye, lo, hi) < view->radius * view->radius &&
                    (view->sight == OCT_SIGHT_THROUGH ||
                     cell_is_seen(model, view, cell, there, count));
            }
        }
    }
}

static bool is_same(const model_thing *a, const model_thing *b)
{
    return a->label == b->label && a->opaque == b->opaque && a->tag == b->tag &&
           memcmp(&a->box, &b->box, sizeof a->box) == 0;
}

static void see_things(map_model *model, const model_view *view, const model_thing *there,
                       size_t count, seen_cells seen, oct_seen *out)
{
    for (size_t i = model->count; i-- > 0;) {
        bool present = false;
        for (size_t j = 0; j < count; j++) {
            // What is hidden is where the map has it, for all that one can tell, or has left there.
            present |= there[j].id == model->things[i].id &&
                       is_within(model, view, &there[j].box) &&
                       (memcmp(&there[j].box, &model->things[i].box, sizeof there[j].box) == 0 ||
                        thing_is_seen(model, view, &there[j].box, seen, there, count, &there[j]));
        }
        if (!present && is_within(model, view, &model->things[i].box) &&
            thing_is_seen(model, view, &model->things[i].box, seen, there, count, NULL)) {
            map_model_remove(model, i);
            out->removed++;
        }
    }
    for (size_t j = 0; j < count; j++) {
        if (!is_within(model, view, &there[j].box)) {
            continue;
        }
        if (!thing_is_seen(model, view, &there[j].box, seen, there, count, &there[j])) {
            out->hidden++;
            continue;
        }
        const size_t known = map_model_find(model, there[j].id);
        if (known == model->count) {
            out->added++;
            assert_true(model->count < MODEL_THINGS);
            model->things[model->count++] = there[j];
        } else {
            *(is_same(&model->things[known], &there[j]) ? &out->same : &out->changed) += 1;
            model->things[known] = there[j];
        }
    }
}

oct_seen map_model_observe(map_model *model, const model_view *view, const model_thing *there,
                           size_t count)
{
    // Opaque things beyond the radius are not there, as far as anyone knows.
    model_thing near[MODEL_THINGS];
    size_t near_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_within(model, view, &there[i].box)) {
            near[near_count++] = there[i];
        }
    }
    seen_cells seen;
    find_seen(model, view, near, near_count, seen);
    oct_seen out = {0};
    see_things(model, view, near, near_count, seen, &out);
    for (int z = 0; z < depth(model); z++) {
        for (int y = 0; y < MODEL_CELLS; y++) {
            for (int x = 0; x < MODEL_CELLS; x++) {
                if (becomes_known(model, view, (int[3]){x, y, z}, seen)) {
                    model->facts[z][y][x] |= 1u;
                }
            }
        }
    }
    return out;
}

void map_model_keep(map_model *model, const model_view *ball)
{
    for (size_t i = model->count; i-- > 0;) {
        // The cells that it covers, as one box.
        int64_t lo[3], hi[3];
        for (int axis = 0; axis < 3; axis++) {
            const int64_t from = model->things[i].box.lo[axis] - model->pad[axis] + 8 * SIZE;
            const int64_t to = model->things[i].box.hi[axis] + model->pad[axis] + 8 * SIZE;
            lo[axis] = from / MODEL_STEP * MODEL_STEP - 8 * SIZE;
            hi[axis] = (to + MODEL_STEP - 1) / MODEL_STEP * MODEL_STEP - 8 * SIZE;
        }
        if (square_to_box(model->dims, ball->eye, lo, hi) >= ball->radius * ball->radius) {
            map_model_remove(model, i);
        }
    }
    for (int z = 0; z < depth(model); z++) {
        for (int y = 0; y < MODEL_CELLS; y++) {
            for (int x = 0; x < MODEL_CELLS; x++) {
                const int64_t lo[3] = {(int64_t)x * MODEL_STEP, (int64_t)y * MODEL_STEP,
                                       (int64_t)z * MODEL_STEP};
                const int64_t hi[3] = {lo[0] + MODEL_STEP, lo[1] + MODEL_STEP, lo[2] + MODEL_STEP};
                if (square_to_box(model->dims, ball->eye, lo, hi) >= ball->radius * ball->radius) {
                    model->facts[z][y][x] = 0;
                }
            }
        }
    }
}

// ---- comparing ----

void map_model_check(const map_model *model, model_labels labels, const oct_map *map)
{
    const int margin = 2;
    for (int z = model->dims == 3 ? -margin : 0; z < (model->dims == 3 ? MODEL_CELLS + margin : 1);
         z++) {
        for (int y = -margin; y < MODEL_CELLS + margin; y++) {
            for (int x = -margin; x < MODEL_CELLS + margin; x++) {
                const bool inside = x >= 0 && x < MODEL_CELLS && y >= 0 && y < MODEL_CELLS &&
                                    z >= 0 && z < MODEL_CELLS;
                const oct_vec cell = {model->base.x + x, model->base.y + y, model->base.z + z};
                assert_int_equal(oct_tree_label(oct_map_tree(map), cell),
                                 inside ? labels[z][y][x] : OCT_UNKNOWN);
            }
        }
    }
    assert_int_equal(oct_map_things(map), model->count);
    assert_true(oct_map_is_valid(map));
}

// ---- random ----

step_box map_model_random_box(const map_model *model, oct_random *random)
{
    step_box box;
    for (int axis = 0; axis < 3; axis++) {
        // What is padded stays inside the region; half of all boxes follow the lattice.
        const int64_t least = model->pad[axis] + MODEL_STEP, most = SIZE - least;
        const int64_t grid = oct_random_below(random, 2) ? MODEL_STEP : 1;
        const int64_t size = oct_random_range(random, 1, 6 * MODEL_STEP);
        int64_t lo = oct_random_range(random, (int32_t)least, (int32_t)(most - MODEL_STEP));
        lo = (lo + grid - 1) / grid * grid;
        int64_t hi = lo + (size + grid - 1) / grid * grid;
        while (hi > most) {
            hi -= grid;
        }
        box.lo[axis] = lo;
        box.hi[axis] = hi > lo ? hi : lo + 1;
    }
    return box;
}

model_thing map_model_random_thing(const map_model *model, oct_random *random, uint64_t id)
{
    const uint64_t draw = oct_random_below(random, 8);
    return (model_thing){.id = id,
                         .box = map_model_random_box(model, random),
                         .label = draw == 0   ? OCT_OPEN
                                  : draw <= 2 ? OCT_UNKNOWN
                                              : OCT_BLOCKED,
                         .opaque = oct_random_below(random, 3) != 0,
                         .tag = (uint16_t)oct_random_below(random, 3)};
}

model_view map_model_random_view(const map_model *model, oct_random *random)
{
    (void)model;
    model_view view = {.sight = oct_random_below(random, 3) ? OCT_SIGHT_LINE : OCT_SIGHT_THROUGH};
    view.radius = oct_random_range(random, 0, 7 * MODEL_STEP);
    for (int axis = 0; axis < 3; axis++) {
        view.eye[axis] = oct_random_range(random, (int32_t)(view.radius + MODEL_STEP),
                                          (int32_t)(SIZE - view.radius - MODEL_STEP));
        if (oct_random_below(random, 4) == 0) {
            view.eye[axis] = view.eye[axis] / MODEL_STEP * MODEL_STEP; // on a boundary of cells
        }
    }
    return view;
}
