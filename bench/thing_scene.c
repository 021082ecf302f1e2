// SPDX-License-Identifier: MIT
#include "bench/thing_scene.h"
#include "world/world_internal.h"

#include "files/files_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOVER_EDGE 8       // cells
#define CLUSTER_BOXES 3770 // in a cube of
#define CLUSTER_SIZE 256   // cells

// ---- things ----

static oct_result add_thing(thing_scene *scene, size_t *capacity, const oct_thing *from)
{
    if (scene->count == *capacity) {
        const size_t larger = *capacity * 2u + 1024u;
        oct_thing *const memory = realloc(scene->things, larger * sizeof *memory);
        if (!memory) {
            return OCT_ERROR_MEMORY;
        }
        scene->things = memory;
        *capacity = larger;
    }
    scene->things[scene->count++] = *from;
    return OCT_OK;
}

static oct_result take_world(thing_scene *scene, const oct_world *world)
{
    size_t capacity = 0;
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        const oct_thing made = oct_world_thing(world, i);
        OCT_TRY(add_thing(scene, &capacity, &made));
    }
    return OCT_OK;
}

// The experiments of Hoekzema 2024: its cells, its padding, its centre of the world.
static void set_experiment(thing_scene *scene)
{
    const double cell = 0.62, padding = (1.8 - cell) / 2.0;
    scene->cell_size = cell;
    scene->padding = (oct_point){padding, padding, padding};
    scene->has_views = true;
    scene->home = (oct_point){42.0, 13.6, 20.3};
    scene->radius = 50.0;
    const oct_point views[VIEW_COUNT] = {
        {20.0, -10.0, 10.0}, {60.0, 40.0, 30.0}, {30.0, 45.0, 0.0}, {70.0, -20.0, 35.0}};
    for (size_t i = 0; i < VIEW_COUNT; i++) {
        scene->views[i] = views[i];
    }
}

oct_result oct_thing_scene_load(thing_scene *scene, const char *path, oct_error *error)
{
    oct_world *world;
    OCT_TRY(oct_world_load(path, NULL, NULL, &world, NULL, error));
    const oct_result result = take_world(scene, world);
    oct_world_destroy(world);
    set_experiment(scene);
    return result;
}

// ---- a thing that moves ----

// There and back along x, one cell at a time, through the middle of a box.
static void set_mover(thing_scene *scene, const oct_bounds *box, double edge, double step)
{
    const int steps = (int)floor((box->max.x - box->min.x - edge) / step);
    if (steps < 1) {
        return; // too small a scene
    }
    const double y = (box->min.y + box->max.y) / 2.0, z = (box->min.z + box->max.z) / 2.0;
    scene->has_mover = true;
    for (int i = 0; i <= MOVE_COUNT; i++) {
        const int at = i / steps % 2 == 0 ? i % steps : steps - i % steps;
        const oct_point min = {box->min.x + at * step, y, z};
        scene->moves[i] = (oct_bounds){min, {min.x + edge, min.y + edge, min.z + edge}};
    }
}

oct_result oct_thing_scene_generate(thing_scene *scene, oct_generate_world_kind kind)
{
    oct_generate_world_def def = oct_generate_world_def_default();
    def.kind = kind;
    oct_world *world;
    OCT_TRY(oct_world_generate(&def, NULL, &world));
    const oct_result result = take_world(scene, world);
    const oct_bounds extent = oct_world_extent(world);
    oct_world_destroy(world);
    if (kind == OCT_GENERATE_GLASS_BOX || kind == OCT_GENERATE_GLASS_MAZE) {
        set_experiment(scene);
        // The same places, moved from Hoekzema's worlds into ours.
        scene->home =
            (oct_point){(extent.min.x + extent.max.x) / 2.0, (extent.min.y + extent.max.y) / 2.0,
                        (extent.min.z + extent.max.z) / 2.0};
        for (size_t i = 0; i < VIEW_COUNT; i++) {
            scene->views[i] = (oct_point){scene->home.x + scene->views[i].x - 42.0,
                                          scene->home.y + scene->views[i].y - 13.6,
                                          scene->home.z + scene->views[i].z - 20.3};
        }
        return result;
    }
    // Abdo 2017: 500 m, depth 4.
    scene->full_depth = 4;
    scene->full_box = extent;
    scene->has_full = true;
    scene->cell_size = (extent.max.x - extent.min.x) / 16.0;
    set_mover(scene, &extent, 10.0, scene->cell_size);
    return result;
}

// ---- boxes of cells ----

static oct_thing cell_box(size_t id, const int32_t lo[3], const int32_t hi[3])
{
    return (oct_thing){.id = id,
                       .box = {{lo[0], lo[1], lo[2]}, {hi[0] + 1.0, hi[1] + 1.0, hi[2] + 1.0}},
                       .label = OCT_BLOCKED,
                       .opaque = 1};
}

static oct_result read_boxes(thing_scene *scene, FILE *file, oct_error *error)
{
    size_t capacity = 0;
    char line[256];
    for (uint32_t number = 1; fgets(line, sizeof line, file); number++) {
        int32_t lo[3], hi[3];
        if (sscanf(line, "%d %d %d %d %d %d", &lo[0], &lo[1], &lo[2], &hi[0], &hi[1], &hi[2]) !=
            6) {
            oct_error_set(error, 0, number, 1, "not six numbers");
            return OCT_ERROR_FORMAT;
        }
        const oct_thing made = cell_box(scene->count + 1u, lo, hi);
        OCT_TRY(add_thing(scene, &capacity, &made));
    }
    return OCT_OK;
}

static int32_t clamp(double value, double most)
{
    return (int32_t)(value < 1.0 ? 1.0 : value > most ? most : value);
}

// Boxes of 2 to 14 cells, normally distributed around forty centres.
static oct_result draw_boxes(thing_scene *scene, uint32_t size)
{
    const double share = (double)size / CLUSTER_SIZE;
    const double boxes = CLUSTER_BOXES * share * share * share;
    size_t capacity = 0;
    oct_random random = oct_random_seed(1);
    double centres[40][3];
    for (size_t i = 0; i < 40; i++) {
        for (int axis = 0; axis < 3; axis++) {
            centres[i][axis] = size / 16.0 + oct_random_unit(&random) * size * 0.875;
        }
    }
    while ((double)scene->count < boxes) {
        const double *centre = centres[oct_random_below(&random, 40)];
        int32_t lo[3], hi[3];
        for (int axis = 0; axis < 3; axis++) {
            const double middle = centre[axis] + 20.0 * share * oct_random_normal(&random);
            const int32_t edge = oct_random_range(&random, 2, 14);
            lo[axis] = clamp(middle - edge / 2.0, size - 2.0);
            hi[axis] = clamp(middle + edge / 2.0 - 1.0, size - 2.0);
        }
        const oct_thing made = cell_box(scene->count + 1u, lo, hi);
        OCT_TRY(add_thing(scene, &capacity, &made));
    }
    return OCT_OK;
}

oct_result oct_thing_scene_boxes(thing_scene *scene, const char *path, uint32_t size,
                                 oct_error *error)
{
    scene->cell_size = 1.0;
    FILE *const file = path ? fopen(path, "r") : NULL;
    const oct_result result = file ? read_boxes(scene, file, error) : draw_boxes(scene, size);
    if (file) {
        fclose(file);
    }
    const double last = (file ? CLUSTER_SIZE : size) - 4.0;
    const oct_bounds inside = {{4, 4, 4}, {last, last, last}};
    set_mover(scene, &inside, MOVER_EDGE, 1.0);
    return result;
}

// ---- maps ----

oct_result oct_thing_scene_map(const thing_scene *scene, oct_map **out)
{
    oct_map_def def = oct_map_def_default();
    def.cell_size = scene->cell_size;
    def.padding = scene->padding;
    return oct_map_create(&def, out);
}

void oct_thing_scene_free(thing_scene *scene)
{
    free(scene->things);
    oct_full_free(&scene->full);
    oct_things_free(&scene->loose);
    oct_map_destroy(scene->map);
}
