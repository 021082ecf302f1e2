// SPDX-License-Identifier: MIT
// Scenes of boxes around an eye, and what is seen of them by the plain loop.
#ifndef OCTANT_TESTS_SIGHT_SCENE_H
#define OCTANT_TESTS_SIGHT_SCENE_H

#include "map/sight.h"
#include "support.h"

#define SCENE_BOXES_MAX 400

typedef struct sight_scene {
    sight sight;
    double within;
    bit_grid seen;
    sight_box boxes[SCENE_BOXES_MAX];
} sight_scene;

// A grid full of rubbish; the caller frees its words.
bit_grid scene_grid(oct_box box);
size_t scene_bytes(const bit_grid *grid);

// A cell's bit; false outside.
bool scene_bit(const bit_grid *grid, oct_vec cell);
void scene_set(bit_grid *grid, oct_vec cell, bool value);

// A scene without boxes. It must not move.
void scene_init(sight_scene *scene, oct_box cells, int dims);
void scene_add(sight_scene *scene, sight_box box);

// Boxes of every kind: tiny, huge, flat, on the lattice, holding and touching the eye.
void scene_add_random(sight_scene *scene, oct_random *random);

// A scene of random size, place, eye and boxes.
void scene_random(sight_scene *scene, uint64_t seed);

void scene_cast(sight_scene *scene, const oct_executor *executor);

// Fails the test unless every bit of both grids is right.
void scene_check(const sight_scene *scene, uint64_t seed);

void scene_free(sight_scene *scene);

#endif
