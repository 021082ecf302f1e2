// SPDX-License-Identifier: MIT
// Scenes of boxes around an eye.
#include "sight_scene.h"

#include <math.h>
#include <stdlib.h>

bit_grid scene_grid(oct_box box)
{
    bit_grid grid = {box, (size_t)((int64_t)box.max.x - box.min.x + 63) / 64u, NULL};
    grid.words = malloc(scene_bytes(&grid));
    assert_non_null(grid.words);
    memset(grid.words, 0xa5, scene_bytes(&grid));
    return grid;
}

size_t scene_bytes(const bit_grid *grid)
{
    const oct_box box = grid->box;
    return grid->row_words * (size_t)(box.max.y - box.min.y) * (size_t)(box.max.z - box.min.z) *
           sizeof *grid->words;
}

// The word of a cell and its bit; NULL outside.
static uint64_t *word_of(const bit_grid *grid, oct_vec cell, uint32_t *bit)
{
    const oct_box box = grid->box;
    if (cell.x < box.min.x || cell.x >= box.max.x || cell.y < box.min.y || cell.y >= box.max.y ||
        cell.z < box.min.z || cell.z >= box.max.z) {
        return NULL;
    }
    const uint32_t x = (uint32_t)(cell.x - box.min.x);
    *bit = x % 64u;
    return bit_grid_row(grid, (uint32_t)(cell.y - box.min.y), (uint32_t)(cell.z - box.min.z)) +
           x / 64u;
}

bool scene_bit(const bit_grid *grid, oct_vec cell)
{
    uint32_t bit;
    const uint64_t *word = word_of(grid, cell, &bit);
    return word && *word >> bit & 1u;
}

void scene_set(bit_grid *grid, oct_vec cell, bool value)
{
    uint32_t bit;
    uint64_t *word = word_of(grid, cell, &bit);
    assert_non_null(word);
    *word = (*word & ~(UINT64_C(1) << bit)) | (uint64_t)value << bit;
}

void scene_init(sight_scene *scene, oct_box cells, int dims)
{
    if (dims == 2) {
        cells.min.z = 0;
        cells.max.z = 1;
    }
    scene->sight = (sight){.boxes = scene->boxes, .dims = dims};
    scene->within = 0.0;
    scene->seen = scene_grid(cells);
}

void scene_add(sight_scene *scene, sight_box box)
{
    assert_true(scene->sight.box_count < SCENE_BOXES_MAX);
    scene->boxes[scene->sight.box_count++] = box;
}

// A coordinate of a cell in the grid or a little outside it, anywhere in the cell or on a plane of
// the lattice.
static double random_place(oct_random *random, int32_t min, int32_t max, bool on_lattice)
{
    const int32_t cell = oct_random_range(random, min - 6, max + 6);
    return (double)cell + (on_lattice ? 0.0 : oct_random_unit(random));
}

static double random_extent(oct_random *random, uint64_t kind)
{
    switch (kind) {
    case 0:
        return 0.0;
    case 1:
        return 0.3 * oct_random_unit(random);
    case 2:
        return 60.0 * oct_random_unit(random);
    case 3:
        return (double)oct_random_below(random, 9);
    default:
        return 6.0 * oct_random_unit(random);
    }
}

void scene_add_random(sight_scene *scene, oct_random *random)
{
    const oct_box cells = scene->seen.box;
    const int32_t min[3] = {cells.min.x, cells.min.y, cells.min.z};
    const int32_t max[3] = {cells.max.x, cells.max.y, cells.max.z};
    const double eye[3] = {scene->sight.eye.x, scene->sight.eye.y, scene->sight.eye.z};
    const uint64_t kind = oct_random_below(random, 8), place = oct_random_below(random, 12);
    sight_box box;
    for (int a = 0; a < 3; a++) {
        const uint64_t shape = oct_random_below(random, 10) == 0 ? 0 : kind;
        double extent = random_extent(random, shape);
        box.lo[a] = random_place(random, min[a], max[a], kind == 3);
        if (place == 0) { // around the eye
            box.lo[a] = eye[a] - extent * oct_random_unit(random);
        } else if (place == 1 && oct_random_below(random, 2) == 0) { // touching it on this axis
            box.lo[a] = eye[a] - (oct_random_below(random, 2) ? extent : 0.0);
        } else if (place == 2) { // next to it
            box.lo[a] = eye[a] + 2.0 * oct_random_unit(random) - 1.0;
            extent *= 0.1;
        }
        box.hi[a] = box.lo[a] + extent;
    }
    scene_add(scene, box);
}

// A piece of a wall or a solid block: boxes of one size that touch.
static void add_blocks(sight_scene *scene, oct_random *random)
{
    const oct_box cells = scene->seen.box;
    const int32_t min[3] = {cells.min.x, cells.min.y, cells.min.z};
    const int32_t max[3] = {cells.max.x, cells.max.y, cells.max.z};
    const bool on_lattice = oct_random_below(random, 2) == 0;
    const double edge = on_lattice ? 2.0 + (double)oct_random_below(random, 3) : 2.5 / 0.62;
    double base[3];
    int32_t count[3];
    for (int a = 0; a < 3; a++) {
        base[a] = random_place(random, min[a], max[a], on_lattice);
        count[a] = oct_random_range(random, 1, 5);
    }
    count[oct_random_below(random, 3)] = 1;
    for (int32_t i = 0; i < count[0] * count[1] * count[2]; i++) {
        const int32_t at[3] = {i % count[0], i / count[0] % count[1], i / count[0] / count[1]};
        sight_box box;
        for (int a = 0; a < 3; a++) {
            box.lo[a] = base[a] + edge * at[a];
            box.hi[a] = base[a] + edge * (at[a] + 1);
        }
        scene_add(scene, box);
    }
}

// A coordinate of the eye: anywhere, on a plane of the lattice, in a cell's middle, or in eighths.
static double random_eye(oct_random *random, int32_t min, int32_t max)
{
    const double cell = (double)oct_random_range(random, min - 2, max + 1);
    switch (oct_random_below(random, 5)) {
    case 0:
        return cell;
    case 1:
        return cell + 0.5;
    case 2:
        return cell + (double)oct_random_below(random, 8) / 8.0;
    default:
        return cell + oct_random_unit(random);
    }
}

void scene_random(sight_scene *scene, uint64_t seed)
{
    static const int32_t shapes[][3] = {{12, 10, 11}, {70, 6, 7},  {9, 70, 5},
                                        {5, 6, 30},   {130, 3, 4}, {20, 20, 2}};
    static const oct_vec bases[] = {
        {0, 0, 0}, {-16, -8, -8}, {80000, -4000, 32}, {OCT_RANGE - 256, -OCT_RANGE, 1 << 20}};
    oct_random random = oct_random_seed(seed);
    const int32_t *shape = shapes[oct_random_below(&random, 6)];
    const oct_vec min = bases[oct_random_below(&random, 4)];
    const int dims = oct_random_below(&random, 3) ? 3 : 2;
    scene_init(
        scene,
        (oct_box){min,
                  {min.x + shape[0], min.y + (dims == 2 ? 3 : 1) * shape[1], min.z + shape[2]}},
        dims);
    const oct_box cells = scene->seen.box;
    scene->sight.eye = (oct_point){random_eye(&random, cells.min.x, cells.max.x),
                                   random_eye(&random, cells.min.y, cells.max.y),
                                   random_eye(&random, cells.min.z, cells.max.z)};
    switch (oct_random_below(&random, 6)) {
    case 0:
        scene->within = (double)oct_random_below(&random, 4);
        break;
    case 1:
        scene->within = HUGE_VAL;
        break;
    default:
        scene->within = 90.0 * oct_random_unit(&random) * oct_random_unit(&random) + 3.0;
    }
    const uint64_t most = oct_random_below(&random, 12) == 0 ? 200 : 12;
    for (uint64_t i = oct_random_below(&random, most); i-- > 0;) {
        scene_add_random(scene, &random);
    }
    for (uint64_t i = oct_random_below(&random, 4); i-- > 0;) {
        add_blocks(scene, &random);
    }
    if (oct_random_below(&random, 2) == 0) {
        scene->sight.soft_count =
            (uint32_t)oct_random_below(&random, (uint64_t)scene->sight.box_count + 1);
    }
}

void scene_cast(sight_scene *scene, const oct_executor *executor)
{
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    assert_int_equal(
        oct_sight_cast(&scene->sight, scene->within, executor, &memory.allocator, &scene->seen),
        OCT_OK);
    test_allocator_check_empty(&memory);
}

// How far a cell's nearest point is from the eye.
static double distance_to(const sight *s, oct_vec cell)
{
    const double eye[3] = {s->eye.x, s->eye.y, s->eye.z};
    const int32_t at[3] = {cell.x, cell.y, cell.z};
    double square = 0.0;
    for (int a = 0; a < s->dims; a++) {
        const double gap = fmax(fmax(at[a] - eye[a], eye[a] - at[a] - 1.0), 0.0);
        square += gap * gap;
    }
    return sqrt(square);
}

static void check_cell(const sight_scene *scene, oct_vec cell, uint64_t seed)
{
    const double distance = distance_to(&scene->sight, cell);
    const bool seen = scene_bit(&scene->seen, cell);
    const bool sees = oct_sight_sees(&scene->sight, cell);
    // On the rim, where rounding decides, a cell may be in or out.
    const bool rim = fabs(distance - scene->within) < 1e-9;
    if (seen != (sees && distance < scene->within) && !(rim && !seen) && !(rim && sees)) {
        fail_msg("seed %llu: cell %d %d %d at %.17g: the cast says %d, the definition %d",
                 (unsigned long long)seed, cell.x, cell.y, cell.z, distance, seen, sees);
    }
}

void scene_check(const sight_scene *scene, uint64_t seed)
{
    const oct_box box = scene->seen.box;
    const uint32_t wide = (uint32_t)(box.max.x - box.min.x) % 64u;
    oct_vec cell;
    for (cell.z = box.min.z; cell.z < box.max.z; cell.z++) {
        for (cell.y = box.min.y; cell.y < box.max.y; cell.y++) {
            for (cell.x = box.min.x; cell.x < box.max.x; cell.x++) {
                check_cell(scene, cell, seed);
            }
            // Bits beyond the box are 0.
            uint32_t bit;
            cell.x = box.max.x - 1;
            if (wide != 0) {
                assert_int_equal(*word_of(&scene->seen, cell, &bit) >> wide, 0);
            }
        }
    }
}

void scene_free(sight_scene *scene)
{
    free(scene->seen.words);
}
