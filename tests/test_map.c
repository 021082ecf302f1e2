// SPDX-License-Identifier: MIT
// Maps of things against a model that works every label out anew, and the baselines against both.
#include "baseline/baseline.h"
#include "map/overlay.h"
#include "map_model.h"
#include "octant/tree.h"

typedef struct rig {
    map_model model;
    oct_map *map;
    overlay overlay;
    oct_baseline_map *baselines[BASELINE_KIND_COUNT];
    oct_random random;    // of edits and sights
    oct_random supposing; // of what overlays suppose: apart, so that the edits stay as they are
    uint64_t next_id;
} rig;

static void rig_open(rig *r, int dims, uint64_t seed)
{
    r->random = oct_random_seed(seed);
    r->supposing = oct_random_seed(~seed);
    r->next_id = 1;
    const oct_vec base = {oct_random_range(&r->random, -40, 20),
                          oct_random_range(&r->random, -9, 9),
                          oct_random_range(&r->random, -20, 40)};
    map_model_init(&r->model, dims, base, &r->random);
    const oct_map_def def = map_model_def(&r->model);
    assert_int_equal(oct_map_create(&def, &r->map), OCT_OK);
    const oct_allocator heap = oct_allocator_default();
    oct_overlay_init(&r->overlay, r->map, &heap);
    for (baseline_kind k = 0; k < BASELINE_KIND_COUNT; k++) {
        assert_int_equal(oct_baseline_map_create(k, r->map, NULL, &r->baselines[k]), OCT_OK);
    }
}

static void rig_close(rig *r)
{
    for (baseline_kind k = 0; k < BASELINE_KIND_COUNT; k++) {
        oct_baseline_map_destroy(r->baselines[k]);
    }
    oct_overlay_free(&r->overlay);
    oct_map_destroy(r->map);
}

// The baselines are told of a thing what the map has of it.
static void tell_thing(rig *r, uint64_t id)
{
    oct_thing thing;
    const bool is_there = oct_map_thing(r->map, id, &thing);
    for (baseline_kind k = 0; k < BASELINE_KIND_COUNT; k++) {
        oct_baseline_map *const b = r->baselines[k];
        assert_int_equal(
            is_there ? oct_baseline_map_put(b, &thing) : oct_baseline_map_remove(b, id), OCT_OK);
    }
}

static void tell_mark(rig *r, const cell_set *cells, oct_mark mark)
{
    for (baseline_kind k = 0; k < BASELINE_KIND_COUNT; k++) {
        assert_int_equal(oct_baseline_map_mark(r->baselines[k], cells, mark), OCT_OK);
    }
}

// ---- random edits ----

static size_t pick(rig *r)
{
    return (size_t)oct_random_below(&r->random, r->model.count);
}

static void edit_add(rig *r)
{
    if (r->model.count == MODEL_THINGS) {
        return;
    }
    const model_thing added = map_model_random_thing(&r->model, &r->random, r->next_id++);
    r->model.things[r->model.count++] = added;
    const oct_thing thing = map_model_thing(&r->model, &added);
    assert_int_equal(oct_map_add(r->map, &thing), OCT_OK);
    assert_int_equal(oct_map_add(r->map, &thing), OCT_ERROR_EXISTS);
    tell_thing(r, thing.id);
}

static void edit_remove(rig *r)
{
    if (r->model.count == 0) {
        return;
    }
    const size_t index = pick(r);
    const uint64_t id = r->model.things[index].id;
    map_model_remove(&r->model, index);
    assert_int_equal(oct_map_remove(r->map, id), OCT_OK);
    assert_int_equal(oct_map_remove(r->map, id), OCT_ERROR_ABSENT);
    tell_thing(r, id);
}

static void edit_move(rig *r)
{
    if (r->model.count == 0) {
        return;
    }
    model_thing *moved = &r->model.things[pick(r)];
    step_box box = map_model_random_box(&r->model, &r->random);
    if (oct_random_below(&r->random, 2)) {
        // A little to the side, as far as the region allows.
        const int axis = (int)oct_random_below(&r->random, 3);
        const int64_t by = oct_random_range(&r->random, -40, 40);
        const int64_t least = r->model.pad[axis];
        box = moved->box;
        if (box.lo[axis] + by >= least && box.hi[axis] + by <= MODEL_CELLS * MODEL_STEP - least) {
            box.lo[axis] += by;
            box.hi[axis] += by;
        }
    }
    moved->box = box;
    assert_int_equal(oct_map_move(r->map, moved->id, map_model_bounds(&r->model, &box)), OCT_OK);
    tell_thing(r, moved->id);
}

static void edit_relabel(rig *r)
{
    if (r->model.count == 0) {
        return;
    }
    model_thing *changed = &r->model.things[pick(r)];
    changed->label = (oct_label)oct_random_below(&r->random, 3);
    assert_int_equal(oct_map_relabel(r->map, changed->id, changed->label), OCT_OK);
    tell_thing(r, changed->id);
}

static void edit_put(rig *r)
{
    if (r->model.count == 0) {
        return;
    }
    model_thing *put = &r->model.things[pick(r)];
    *put = map_model_random_thing(&r->model, &r->random, put->id);
    const oct_thing thing = map_model_thing(&r->model, put);
    assert_int_equal(oct_map_put(r->map, &thing), OCT_OK);
    tell_thing(r, thing.id);
}

static void edit_static(rig *r)
{
    oct_box box = {{0, 0, 0}, {1, 1, 1}};
    int32_t *from[3] = {&box.min.x, &box.min.y, &box.min.z};
    int32_t *to[3] = {&box.max.x, &box.max.y, &box.max.z};
    for (int axis = 0; axis < r->model.dims; axis++) {
        *from[axis] = oct_random_range(&r->random, 0, MODEL_CELLS - 1);
        *to[axis] = oct_random_range(&r->random, *from[axis] + 1, MODEL_CELLS);
    }
    const oct_mark mark = (oct_mark)oct_random_below(&r->random, OCT_MARK_COUNT);
    map_model_mark(&r->model, box, mark);
    const oct_vec base = r->model.base;
    const oct_box cells = {{box.min.x + base.x, box.min.y + base.y, box.min.z + base.z},
                           {box.max.x + base.x, box.max.y + base.y, box.max.z + base.z}};
    assert_int_equal(oct_map_set_box(r->map, cells, mark), OCT_OK);
    tell_mark(r, &(cell_set){.kind = CELL_SET_BOX, .box = cells}, mark);
}

// What is there: most of what the map holds, some of it changed, and some new things.
static size_t make_scene(rig *r, model_thing *there)
{
    size_t count = 0;
    for (size_t i = 0; i < r->model.count; i++) {
        const uint64_t draw = oct_random_below(&r->random, 6);
        if (draw > 0) {
            there[count] = r->model.things[i];
            if (draw == 1) {
                there[count] = map_model_random_thing(&r->model, &r->random, there[count].id);
            }
            count++;
        }
    }
    // The map never holds more than the model can.
    for (size_t room = MODEL_THINGS - r->model.count; room > 0 && count < MODEL_THINGS; room--) {
        there[count++] = map_model_random_thing(&r->model, &r->random, r->next_id++);
    }
    return count;
}

static void edit_observe(rig *r)
{
    model_thing there[MODEL_THINGS];
    oct_thing things[MODEL_THINGS];
    const size_t count = make_scene(r, there);
    for (size_t i = 0; i < count; i++) {
        things[i] = map_model_thing(&r->model, &there[i]);
    }
    const model_view view = map_model_random_view(&r->model, &r->random);
    const oct_view look = map_model_view(&r->model, &view);
    const oct_seen expected = map_model_observe(&r->model, &view, there, count);
    oct_seen seen;
    assert_int_equal(oct_map_observe(r->map, &look, things, count, &seen), OCT_OK);
    // The model is exact where a sight just touches a box, and the map is rounded: there are cells
    // under things that one has observed and not the other. test_view counts them.
    seen.cells = 0;
    assert_memory_equal(&seen, &expected, sizeof seen);
    for (baseline_kind k = 0; k < BASELINE_KIND_COUNT; k++) {
        assert_int_equal(oct_baseline_map_repeat(r->baselines[k], r->map, things, count), OCT_OK);
    }
}

static void edit_keep(rig *r)
{
    model_view ball = map_model_random_view(&r->model, &r->random);
    ball.radius += 3 * MODEL_STEP;
    const oct_view look = map_model_view(&r->model, &ball);
    map_model_keep(&r->model, &ball);
    assert_int_equal(oct_map_keep(r->map, look.centre, look.radius), OCT_OK);
    for (uint64_t id = 1; id < r->next_id; id++) {
        tell_thing(r, id);
    }
    const oct_point o = r->model.origin;
    const cell_set outside = {.kind = CELL_SET_OUTSIDE,
                              .centre = {(look.centre.x - o.x) / MODEL_CELL_SIZE,
                                         (look.centre.y - o.y) / MODEL_CELL_SIZE,
                                         (look.centre.z - o.z) / MODEL_CELL_SIZE},
                              .radius = look.radius / MODEL_CELL_SIZE};
    tell_mark(r, &outside, OCT_MARK_UNKNOWN);
}

static void random_edit(rig *r)
{
    static void (*const edits[])(rig *) = {
        edit_add,     edit_add, edit_add,     edit_add,     edit_remove, edit_move,   edit_move,
        edit_relabel, edit_put, edit_observe, edit_observe, edit_static, edit_static, edit_keep};
    const uint64_t draw = oct_random_below(&r->random, sizeof edits / sizeof *edits);
    // What is forgotten is seldom wanted back.
    if (edits[draw] != edit_keep || oct_random_below(&r->random, 3) == 0) {
        edits[draw](r);
    }
}

// ---- tests ----

// Fails unless the changes since a revision (at most one) hold every cell whose label changed, with
// both its labels.
static void check_journal(const rig *r, const oct_map *map, uint64_t revision, model_labels before,
                          model_labels after)
{
    oct_change change;
    size_t count;
    assert_int_equal(oct_tree_changes(oct_map_tree(map), revision, &change, 1, &count), OCT_OK);
    assert_true(oct_tree_revision(oct_map_tree(map)) <= revision + 1u);
    const oct_vec base = r->model.base;
    for (int z = 0; z < (r->model.dims == 3 ? MODEL_CELLS : 1); z++) {
        for (int y = 0; y < MODEL_CELLS; y++) {
            for (int x = 0; x < MODEL_CELLS; x++) {
                if (before[z][y][x] == after[z][y][x]) {
                    continue;
                }
                const oct_vec at = {base.x + x, base.y + y, base.z + z};
                assert_int_equal(count, 1);
                assert_true(
                    at.x >= change.box.min.x && at.x < change.box.max.x &&
                    at.y >= change.box.min.y && at.y < change.box.max.y &&
                    (r->model.dims == 2 || (at.z >= change.box.min.z && at.z < change.box.max.z)));
                assert_true(change.before >> before[z][y][x] & 1u);
                assert_true(change.after >> after[z][y][x] & 1u);
            }
        }
    }
}

// Fails unless both baselines have the map's labels, in the region and around it.
static void check_baselines(const rig *r)
{
    const oct_vec base = r->model.base;
    const int32_t edge = MODEL_CELLS + 1, rim = r->model.dims == 3 ? 1 : 0;
    for (int32_t z = -rim; z < (r->model.dims == 3 ? edge : 1); z++) {
        for (int32_t y = -1; y < edge; y++) {
            for (int32_t x = -1; x < edge; x++) {
                const oct_vec at = {base.x + x, base.y + y, base.z + z};
                const oct_label label = oct_tree_label(oct_map_tree(r->map), at);
                assert_int_equal(oct_baseline_map_label(r->baselines[BASELINE_GRID], at), label);
                assert_int_equal(oct_baseline_map_label(r->baselines[BASELINE_SET], at), label);
            }
        }
    }
}

// Fails unless an overlay, of some of the things with any labels, has the labels that the model has
// with things of those labels. The map knows nothing of it.
static void check_overlay(rig *r)
{
    map_model what_if = r->model;
    uint64_t ids[MODEL_THINGS];
    size_t which[MODEL_THINGS], count = 0;
    for (size_t i = 0; i < what_if.count; i++) {
        if (oct_random_below(&r->supposing, 2)) {
            which[count] = i;
            ids[count++] = what_if.things[i].id;
        }
    }
    const uint64_t revision = oct_tree_revision(oct_map_tree(r->map));
    assert_int_equal(oct_overlay_take(&r->overlay, ids, count), OCT_OK);
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < count; i++) {
            const oct_label label = (oct_label)oct_random_below(&r->supposing, 3);
            // In the first round they are as they are.
            if (round > 0) {
                what_if.things[which[i]].label = label;
                oct_overlay_suppose(&r->overlay, i, label);
            }
        }
        model_labels labels;
        map_model_labels(&what_if, labels);
        const oct_vec base = r->model.base;
        for (int z = 0; z < (r->model.dims == 3 ? MODEL_CELLS : 1); z++) {
            for (int y = 0; y < MODEL_CELLS; y++) {
                for (int x = 0; x < MODEL_CELLS; x++) {
                    const oct_vec at = {base.x + x, base.y + y, base.z + z};
                    assert_int_equal(oct_overlay_label(&r->overlay, at), labels[z][y][x]);
                }
            }
        }
        for (size_t i = 0; i < what_if.count; i++) {
            const oct_thing thing = map_model_thing(&r->model, &r->model.things[i]);
            assert_int_equal(oct_overlay_label_of(&r->overlay, &thing), what_if.things[i].label);
        }
    }
    assert_int_equal(oct_tree_revision(oct_map_tree(r->map)), revision);
}

static void run_sequences(int dims, uint64_t sequences, int edits)
{
    for (uint64_t seed = 0; seed < test_rounds(sequences); seed++) {
        rig r;
        rig_open(&r, dims, seed);
        model_labels before = {0}, after;
        for (int i = 0; i < edits; i++) {
            const uint64_t revision = oct_tree_revision(oct_map_tree(r.map));
            random_edit(&r);
            map_model_labels(&r.model, after);
            map_model_check(&r.model, after, r.map);
            check_journal(&r, r.map, revision, before, after);
            check_baselines(&r);
            check_overlay(&r);
            memcpy(before, after, sizeof before);
        }
        rig_close(&r);
    }
}

// After any edits every cell has the label that a map built anew would give it.
static void random_edits_match_the_model(void **state)
{
    (void)state;
    run_sequences(3, 400, 14);
}

static void random_edits_match_the_model_in_the_plane(void **state)
{
    (void)state;
    run_sequences(2, 3000, 14);
}

// What cannot be taken in leaves an overlay with nothing; so does memory that is short.
static oct_result take_two(const oct_allocator *allocator, void *ctx)
{
    overlay o;
    oct_overlay_init(&o, ctx, allocator);
    const uint64_t ids[2] = {1, 2};
    const oct_result result = oct_overlay_take(&o, ids, 2);
    const oct_vec cell = {2, 2, 2};
    if (result == OCT_OK) {
        oct_overlay_suppose(&o, 0, OCT_OPEN);
    }
    assert_int_equal(oct_overlay_label(&o, cell), result == OCT_OK ? OCT_UNKNOWN : OCT_BLOCKED);
    oct_overlay_free(&o);
    return result;
}

static void what_cannot_be_taken_in_is_refused(void **state)
{
    (void)state;
    const oct_map_def def = oct_map_def_default();
    oct_map *map;
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    const oct_thing things[3] = {
        {.id = 1, .box = {{0, 0, 0}, {9, 9, 9}}, .label = OCT_BLOCKED},
        {.id = 2, .box = {{20, 0, 0}, {29, 9, 9}}, .label = OCT_OPEN},
        {.id = 3, .box = {{0, 0, 30}, {9e6, 9e6, 9e6}}, .label = OCT_OPEN}};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(oct_map_add(map, &things[i]), OCT_OK);
    }
    overlay o;
    const oct_allocator heap = oct_allocator_default();
    oct_overlay_init(&o, map, &heap);
    const uint64_t absent[2] = {1, 7}, large[2] = {1, 3};
    assert_int_equal(oct_overlay_take(&o, absent, 2), OCT_ERROR_ABSENT);
    assert_int_equal(oct_overlay_label(&o, (oct_vec){2, 2, 2}), OCT_BLOCKED);
    assert_int_equal(oct_overlay_take(&o, large, 2), OCT_ERROR_RANGE);
    assert_int_equal(oct_overlay_label(&o, (oct_vec){2, 2, 2}), OCT_BLOCKED);
    assert_int_equal(oct_overlay_take(&o, large, 1), OCT_OK);
    oct_overlay_suppose(&o, 0, OCT_OPEN);
    assert_int_equal(oct_overlay_label(&o, (oct_vec){2, 2, 2}), OCT_UNKNOWN);
    oct_overlay_free(&o);
    assert_true(test_each_failure(take_two, map) > 3);
    oct_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_edits_match_the_model),
        cmocka_unit_test(random_edits_match_the_model_in_the_plane),
        cmocka_unit_test(what_cannot_be_taken_in_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
