// SPDX-License-Identifier: MIT
// Views with a field of view, and what they count, against a plain loop over all cells.
#include "base/base_internal.h"
#include "map/map.h"
#include "map/sight.h"
#include "octant/map.h"
#include "octant/tree.h"
#include "support.h"
#include "valid.h"

#include <math.h>

#define THINGS 14
#define REACH 12 // cells around the middle that are looked at

typedef struct scene {
    oct_random random;
    int dims;
    oct_map *map;
    oct_thing things[THINGS];
    sight_box boxes[THINGS]; // the same, opaque ones
    uint32_t box_count;
    oct_view view;
    double pad;
} scene;

static void make(scene *s, uint64_t seed, int dims)
{
    *s = (scene){.random = oct_random_seed(seed), .dims = dims};
    s->pad = oct_random_below(&s->random, 2) ? 0.7 : 0.0;
    oct_map_def def = oct_map_def_default();
    def.dims = (uint32_t)dims;
    def.padding = (oct_point){s->pad, s->pad, s->pad};
    assert_int_equal(oct_map_create(&def, &s->map), OCT_OK);
    s->view = (oct_view){
        .centre = {oct_random_unit(&s->random), oct_random_unit(&s->random),
                   dims == 3 ? oct_random_unit(&s->random) : 0.0},
        .radius = 3.0 + 6.0 * oct_random_unit(&s->random),
        .sight = (oct_sight)oct_random_below(&s->random, 2),
        .forward = {oct_random_normal(&s->random), oct_random_normal(&s->random),
                    oct_random_normal(&s->random)},
        .fov = oct_random_below(&s->random, 5) ? 0.2 + 5.8 * oct_random_unit(&s->random) : 0.0};
    for (int i = 0; i < THINGS; i++) {
        double lo[3], hi[3];
        for (int k = 0; k < 3; k++) {
            lo[k] = -9.0 + 18.0 * oct_random_unit(&s->random);
            hi[k] = lo[k] + 3.0 * oct_random_unit(&s->random);
        }
        s->things[i] = (oct_thing){.id = (uint64_t)i,
                                   .box = {{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}},
                                   .label = OCT_BLOCKED,
                                   .opaque = oct_random_below(&s->random, 3) != 0};
        if (s->things[i].opaque && s->view.sight == OCT_SIGHT_LINE) {
            s->boxes[s->box_count++] = (sight_box){{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}};
        }
    }
}

// Whether the eye sees a cell: past boxes, and in the field of view.
static bool sees(const scene *s, oct_vec c)
{
    const oct_view *const v = &s->view;
    const sight past = {v->centre, s->boxes, s->box_count, s->dims, 0, NULL, NULL};
    const double x = c.x + 0.5 - v->centre.x, y = c.y + 0.5 - v->centre.y;
    const double z = s->dims == 3 ? c.z + 0.5 - v->centre.z : 0.0;
    const double forward_z = s->dims == 3 ? v->forward.z : 0.0;
    const double away = sqrt(x * x + y * y + z * z);
    const double length =
        sqrt(v->forward.x * v->forward.x + v->forward.y * v->forward.y + forward_z * forward_z);
    const double cosine = (x * v->forward.x + y * v->forward.y + z * forward_z) / (away * length);
    const double near = s->pad * sqrt((double)s->dims) + 2.0;
    return oct_sight_sees(&past, c) &&
           (v->fov == 0.0 || away <= near || acos(cosine) <= v->fov / 2.0);
}

// Whether a cell is known after a look: grown by the padding it lies in the ball, and on cells that
// are seen.
static bool is_known(const scene *s, oct_vec c)
{
    const oct_point eye = s->view.centre;
    const double centre[3] = {eye.x, eye.y, eye.z};
    const int32_t cell[3] = {c.x, c.y, c.z};
    const int32_t reach = (int32_t)ceil(s->pad);
    double square = 0.0;
    for (int k = 0; k < s->dims; k++) {
        const double below = centre[k] - cell[k], above = cell[k] + 1.0 - centre[k];
        const double far = (below > above ? below : above) + s->pad;
        square += far * far;
    }
    if (square > s->view.radius * s->view.radius) {
        return false;
    }
    const int32_t layers = s->dims == 3 ? reach : 0;
    for (int32_t z = -layers; z <= layers; z++) {
        for (int32_t y = -reach; y <= reach; y++) {
            for (int32_t x = -reach; x <= reach; x++) {
                if (!sees(s, (oct_vec){c.x + x, c.y + y, c.z + z})) {
                    return false;
                }
            }
        }
    }
    return true;
}

static void check_view(uint64_t seed, int dims)
{
    scene s;
    oct_seen seen;
    make(&s, seed, dims);
    assert_int_equal(oct_map_observe(s.map, &s.view, s.things, THINGS, &seen), OCT_OK);
    uint64_t known = 0;
    for (int32_t z = dims == 3 ? -REACH : 0; z <= (dims == 3 ? REACH : 0); z++) {
        for (int32_t y = -REACH; y <= REACH; y++) {
            for (int32_t x = -REACH; x <= REACH; x++) {
                const oct_vec c = {x, y, z};
                const oct_label label = oct_tree_label(oct_map_tree(s.map), c);
                const bool expected = is_known(&s, c);
                known += expected;
                if (label != OCT_BLOCKED && (label == OCT_OPEN) != expected) {
                    fail_msg("seed %llu: cell %d %d %d is %d", (unsigned long long)seed, x, y, z,
                             (int)label);
                }
            }
        }
    }
    assert_int_equal(seen.cells, known);
    assert_true(oct_map_is_valid(s.map));
    oct_map_destroy(s.map);
}

// Cells, and how many, are those of the plain loop; without a field of view as well.
static void cells_are_those_in_the_field_of_view(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(60); seed++) {
        check_view(seed, 2);
        if (seed % 4 == 0) {
            check_view(seed, 3);
        }
    }
}

// What lies behind a body is neither seen nor taken away; what it touches is felt.
static void things_behind_are_not_seen(void **state)
{
    (void)state;
    oct_map_def def = oct_map_def_default();
    oct_map *map;
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    const oct_thing things[] = {
        {.id = 1, .box = {{5, 0, 0}, {6, 1, 1}}, .label = OCT_BLOCKED},
        {.id = 2, .box = {{-6, 0, 0}, {-5, 1, 1}}, .label = OCT_BLOCKED},
    };
    oct_view view = {.centre = {0.5, 0.5, 0.5},
                     .radius = 9.0,
                     .sight = OCT_SIGHT_THROUGH,
                     .forward = {3, 0, 0},
                     .fov = 1.5};
    oct_seen seen;
    oct_thing found;
    assert_int_equal(oct_map_observe(map, &view, things, 2, &seen), OCT_OK);
    assert_true(seen.added == 1 && seen.hidden == 1);
    assert_true(oct_map_thing(map, 1, &found) && !oct_map_thing(map, 2, &found));
    assert_int_equal(oct_tree_label(oct_map_tree(map), (oct_vec){3, 0, 0}), OCT_OPEN);
    assert_int_equal(oct_tree_label(oct_map_tree(map), (oct_vec){-3, 0, 0}), OCT_UNKNOWN);
    assert_int_equal(oct_tree_label(oct_map_tree(map), (oct_vec){-1, 0, 0}), OCT_OPEN); // felt
    view.forward = (oct_point){-1, 0, 0};
    assert_int_equal(oct_map_observe(map, &view, things + 1, 1, &seen), OCT_OK);
    assert_true(seen.added == 1 && seen.removed == 0); // the first one is behind it now
    view.fov = 0.0;
    assert_int_equal(oct_map_observe(map, &view, things + 1, 1, &seen), OCT_OK);
    assert_int_equal(seen.removed, 1);
    oct_map_destroy(map);
}

// A look finds out what an observation sees, and leaves the map as it was.
static void looks_tell_what_is_seen_and_change_nothing(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(1);
    for (uint64_t round = 0; round < test_rounds(200); round++) {
        oct_map_def def = oct_map_def_default();
        oct_map *map;
        oct_thing things[20], found;
        assert_int_equal(oct_map_create(&def, &map), OCT_OK);
        for (uint32_t i = 0; i < 20; i++) {
            const oct_point at = {oct_random_unit(&random) * 24.0 - 12.0,
                                  oct_random_unit(&random) * 24.0 - 12.0,
                                  oct_random_unit(&random) * 24.0 - 12.0};
            things[i] = (oct_thing){.id = i,
                                    .box = {at, {at.x + 2.0, at.y + 2.0, at.z + 2.0}},
                                    .label = OCT_BLOCKED,
                                    .opaque = true};
        }
        const oct_view view = {.radius = 10.0,
                               .sight = round % 2 ? OCT_SIGHT_LINE : OCT_SIGHT_THROUGH};
        const uint64_t revision = oct_tree_revision(oct_map_tree(map));
        uint8_t looks[20];
        assert_int_equal(oct_map_look(map, &view, things, 20), OCT_OK);
        memcpy(looks, oct_map_looks(map), sizeof looks);
        assert_true(oct_map_things(map) == 0 && oct_tree_revision(oct_map_tree(map)) == revision);
        oct_seen seen;
        assert_int_equal(oct_map_observe(map, &view, things, 20, &seen), OCT_OK);
        assert_memory_equal(looks, oct_map_looks(map), sizeof looks);
        size_t hidden = 0;
        for (uint32_t i = 0; i < 20; i++) {
            assert_int_equal(oct_map_thing(map, i, &found), looks[i] == OCT_LOOK_SEEN);
            hidden += looks[i] == OCT_LOOK_HIDDEN;
        }
        assert_int_equal(hidden, seen.hidden);
        oct_map_destroy(map);
    }
}

static void views_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    oct_map_def def = oct_map_def_default();
    oct_map *map;
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    oct_view view = {.radius = 3.0, .sight = OCT_SIGHT_THROUGH, .fov = 1.0};
    assert_int_equal(oct_map_observe(map, &view, NULL, 0, NULL), OCT_ERROR_ARGUMENT);
    view.forward.x = HUGE_VAL;
    assert_int_equal(oct_map_observe(map, &view, NULL, 0, NULL), OCT_ERROR_ARGUMENT);
    view.forward.x = 1.0;
    view.fov = -1.0;
    assert_int_equal(oct_map_observe(map, &view, NULL, 0, NULL), OCT_ERROR_ARGUMENT);
    view.fov = (double)NAN;
    assert_int_equal(oct_map_observe(map, &view, NULL, 0, NULL), OCT_ERROR_ARGUMENT);
    view.fov = 1.0;
    view.radius = OCT_SIGHT_CELLS_MAX + 1.0;
    assert_int_equal(oct_map_observe(map, &view, NULL, 0, NULL), OCT_ERROR_RANGE);
    view.radius = 3.0;
    assert_int_equal(oct_map_observe(map, &view, NULL, 0, NULL), OCT_OK);
    oct_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_those_in_the_field_of_view),
        cmocka_unit_test(things_behind_are_not_seen),
        cmocka_unit_test(looks_tell_what_is_seen_and_change_nothing),
        cmocka_unit_test(views_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
