// SPDX-License-Identifier: MIT
// Crowds for tests: worlds, units, and what holds after every tick.
#ifndef OCTANT_TESTS_CROWD_SUPPORT_H
#define OCTANT_TESTS_CROWD_SUPPORT_H

#include "base/base_internal.h"
#include "octant/crowd.h"
#include "octant/map.h"
#include "octant/tree.h"
#include "support.h"
#include "verify/exact_path.h"

#include <math.h>
#include <stdio.h>

#define CROWD_UNITS_MAX 256

typedef struct test_crowd {
    oct_crowd *crowd;
    const oct_tree *tree;
    int count;
    oct_unit units[CROWD_UNITS_MAX];
    oct_unit_state before[CROWD_UNITS_MAX]; // the tick
    oct_unit_state now[CROWD_UNITS_MAX];
} test_crowd;

static inline void crowd_look(test_crowd *t)
{
    for (int i = 0; i < t->count; i++) {
        t->before[i] = t->now[i];
        assert_true(oct_crowd_state(t->crowd, t->units[i], &t->now[i]));
    }
}

static inline void crowd_add(test_crowd *t, oct_point at, double radius, double speed)
{
    const oct_unit_def def = {at, radius, speed};
    assert_true(t->count < CROWD_UNITS_MAX);
    assert_int_equal(oct_crowd_add(t->crowd, &def, &t->units[t->count]), OCT_OK);
    assert_true(oct_crowd_state(t->crowd, t->units[t->count], &t->now[t->count]));
    t->count++;
}

// No two balls share an inner point: exactly, on the sub-lattice.
static inline void crowd_check_apart(const test_crowd *t)
{
    const double fine = OCT_FINE / oct_tree_cell_size(t->tree);
    for (int i = 0; i < t->count; i++) {
        for (int k = 0; k < i; k++) {
            const oct_fine a = t->now[i].place, b = t->now[k].place;
            const double x = (double)(a.x - b.x), y = (double)(a.y - b.y), z = (double)(a.z - b.z);
            const double least = (t->now[i].radius + t->now[k].radius) * fine;
            if (x * x + y * y + z * z < least * least * (1.0 - 1e-12)) {
                print_error("units %d and %d overlap by %g\n", i, k,
                            (least - sqrt(x * x + y * y + z * z)) / fine);
                fail();
            }
        }
    }
}

// A move was no further than its speed allows.
static inline void crowd_check_speed(const test_crowd *t, int i, double most)
{
    const oct_fine a = t->before[i].place, b = t->now[i].place;
    const double x = (double)(a.x - b.x), y = (double)(a.y - b.y), z = (double)(a.z - b.z);
    assert_true(x * x + y * y + z * z <= most * most * (1.0 + 1e-12));
}

static inline int crowd_in_status(const test_crowd *t, oct_unit_status status)
{
    int count = 0;
    for (int i = 0; i < t->count; i++) {
        count += t->now[i].status == status;
    }
    return count;
}

static inline void crowd_step(test_crowd *t)
{
    assert_int_equal(oct_crowd_step(t->crowd), OCT_OK);
    crowd_look(t);
}

static inline void crowd_create(test_crowd *t, const oct_crowd_def *def)
{
    *t = (test_crowd){.tree = def->tree};
    assert_int_equal(oct_crowd_create(def, &t->crowd), OCT_OK);
}

// ---- a map of things ----

static inline void crowd_block(oct_map *map, uint64_t id, oct_bounds box)
{
    const oct_thing thing = {.id = id, .box = box, .label = OCT_BLOCKED, .opaque = 1};
    assert_int_equal(oct_map_add(map, &thing), OCT_OK);
}

static inline oct_map *crowd_map(double cell, double padding, oct_bounds open)
{
    oct_map_def def = oct_map_def_default();
    oct_map *map;
    def.cell_size = cell;
    def.padding = (oct_point){padding, padding, padding};
    assert_int_equal(oct_map_create(&def, &map), OCT_OK);
    assert_int_equal(oct_map_set_world_box(map, open, OCT_COVER_INSIDE, OCT_MARK_OPEN), OCT_OK);
    return map;
}

// A wall at x = 0, a metre thick, with a hole of so many metres in its middle.
static inline void crowd_wall(oct_map *map, double hole, double far)
{
    const double h = hole / 2.0;
    crowd_block(map, 1, (oct_bounds){{-0.5, -far, -far}, {0.5, -h, far}});
    crowd_block(map, 2, (oct_bounds){{-0.5, h, -far}, {0.5, far, far}});
    crowd_block(map, 3, (oct_bounds){{-0.5, -h, -far}, {0.5, h, -h}});
    crowd_block(map, 4, (oct_bounds){{-0.5, -h, h}, {0.5, h, far}});
}

#endif
