// SPDX-License-Identifier: MIT
#include "bench/units_scene.h"
#include "world/world_internal.h"

#include "geom/geom_internal.h"

#include <math.h>

#define LEAVES (UNITS_EDGE * UNITS_EDGE * UNITS_EDGE)
#define WORLD (UNITS_EDGE * UNITS_LEAF) // metres
#define OFF_BORDER (1.0 / 64)           // metres

static uint32_t leaf_axis(double at)
{
    const double leaf = ceil(at / UNITS_LEAF) - 1.0;
    return leaf < 0.0 ? 0 : leaf > UNITS_EDGE - 1 ? UNITS_EDGE - 1 : (uint32_t)leaf;
}

uint32_t oct_units_leaf(oct_point at)
{
    return leaf_axis(at.x) + UNITS_EDGE * (leaf_axis(at.y) + UNITS_EDGE * leaf_axis(at.z));
}

oct_point oct_units_middle(uint32_t leaf)
{
    return (oct_point){(leaf % UNITS_EDGE + 0.5) * UNITS_LEAF,
                       (leaf / UNITS_EDGE % UNITS_EDGE + 0.5) * UNITS_LEAF,
                       (leaf / (UNITS_EDGE * UNITS_EDGE) + 0.5) * UNITS_LEAF};
}

// ---- a run ----

// Trees differ in whose a point on a border is, so none is left there.
static double off_border(double at)
{
    return at == floor(at / UNITS_LEAF) * UNITS_LEAF ? at - OFF_BORDER : at;
}

static oct_result place_obstacles(units_run *run, oct_generate_world_kind kind, uint64_t seed)
{
    oct_generate_world_def def = oct_generate_world_def_default();
    def.kind = kind;
    def.seed = seed;
    oct_world *world;
    OCT_TRY(oct_world_generate(&def, NULL, &world));
    run->obstacle_count = oct_world_blocks(world);
    if (run->obstacle_count > UNITS_OBSTACLES) {
        oct_world_destroy(world);
        return OCT_ERROR_RANGE;
    }
    for (size_t i = 0; i < run->obstacle_count; i++) {
        const oct_bounds box = oct_world_thing(world, i).box;
        run->obstacles[i] = (oct_point){off_border((box.min.x + box.max.x) / 2.0),
                                        off_border((box.min.y + box.max.y) / 2.0),
                                        off_border((box.min.z + box.max.z) / 2.0)};
    }
    oct_world_destroy(world);
    return OCT_OK;
}

// Uniform in the ball that fits into the world, as Abdo's listing draws.
static oct_point random_point(oct_random *random)
{
    const oct_point middle = {WORLD / 2.0, WORLD / 2.0, WORLD / 2.0};
    oct_point at;
    do {
        at.x = off_border(WORLD * oct_random_unit(random));
        at.y = off_border(WORLD * oct_random_unit(random));
        at.z = off_border(WORLD * oct_random_unit(random));
    } while (point_length(point_sub(middle, at)) >= WORLD / 2.0);
    return at;
}

oct_result oct_units_draw(units_run *run, oct_generate_world_kind kind, uint64_t number, int units)
{
    *run = (units_run){.units = units};
    OCT_TRY(place_obstacles(run, kind, number));
    bool taken[LEAVES] = {false};
    for (size_t i = 0; i < run->obstacle_count; i++) {
        taken[oct_units_leaf(run->obstacles[i])] = true;
    }
    oct_random random = oct_random_seed(number);
    for (int i = 0; i < units; i++) {
        do {
            run->starts[i] = random_point(&random);
        } while (taken[oct_units_leaf(run->starts[i])]);
        const uint32_t leaf = oct_units_leaf(run->starts[i]);
        taken[leaf] = true;
        do {
            run->goals[i] = random_point(&random);
        } while (oct_units_leaf(run->goals[i]) == leaf);
    }
    return OCT_OK;
}

// ---- flying ----

oct_result oct_units_add_point(oct_array *points, oct_point at)
{
    const oct_allocator memory = oct_allocator_default();
    return oct_array_push(points, &memory, sizeof at, &at);
}

oct_result oct_units_fly(const oct_point *points, size_t count, oct_array *places)
{
    places->count = 0;
    if (count == 0) {
        return OCT_OK;
    }
    oct_point middle = oct_units_middle(oct_units_leaf(points[0]));
    for (size_t i = 1; i < count; i++) {
        const oct_point a = points[i - 1], b = points[i];
        const double steps = ceil(point_length(point_sub(b, a)) / (UNITS_STEP * UNITS_LEAF));
        for (double step = 1.0; step <= steps; step++) {
            const double share = step / steps;
            const oct_point at = {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share,
                                  a.z + (b.z - a.z) * share};
            if (point_length(point_sub(middle, at)) > UNITS_LEAF) {
                OCT_TRY(oct_units_add_point(places, at));
                middle = oct_units_middle(oct_units_leaf(at));
            }
        }
    }
    return OCT_OK;
}
