// SPDX-License-Identifier: MIT
// What is explored: the truth, the start and the bounds.
#include "cli/explore.h"
#include "octant/tree.h"

#include "map/things.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What is so far from the start is another place: ships on their way, other stations.
#define NEAR_M 200.0

// ---- map files ----

typedef struct filling {
    oct_map *truth;
    const oct_tree *tree;
    oct_box box;
    uint64_t next_id;
    oct_result result;
} filling;

// Adds a box of cells as a thing, as far as it lies within a box.
static bool fill(filling *f, oct_box cells, oct_box within)
{
    const oct_box part = box_common(cells, within);
    const bool flat = oct_tree_dims(f->tree) == 2;
    if (box_is_empty(flat ? 2 : 3, &part)) {
        return true;
    }
    const oct_fine lo = {(int64_t)part.min.x * OCT_FINE, (int64_t)part.min.y * OCT_FINE,
                         flat ? 0 : (int64_t)part.min.z * OCT_FINE};
    const oct_fine hi = {(int64_t)part.max.x * OCT_FINE, (int64_t)part.max.y * OCT_FINE,
                         flat ? 0 : (int64_t)part.max.z * OCT_FINE};
    const oct_thing added = {.id = f->next_id++,
                             .box = {oct_tree_point(f->tree, lo), oct_tree_point(f->tree, hi)},
                             .label = OCT_BLOCKED,
                             .opaque = 1};
    f->result = oct_map_add(f->truth, &added);
    return f->result == OCT_OK;
}

static bool fill_leaf(void *ctx, const oct_leaf *leaf)
{
    filling *const f = ctx;
    return fill(f, oct_leaf_box(*leaf), f->box);
}

// What lies between two boxes, of which one holds the other.
static void fill_shell(filling *f, oct_box outer, oct_box inner)
{
    const int dims = (int)oct_tree_dims(f->tree);
    if (box_is_empty(dims, &inner)) {
        fill(f, outer, outer);
        return;
    }
    oct_box left = outer;
    for (int axis = 0; axis < dims && f->result == OCT_OK; axis++) {
        oct_box low = left, high = left;
        switch (axis) {
        case 0:
            low.max.x = left.min.x = inner.min.x;
            high.min.x = left.max.x = inner.max.x;
            break;
        case 1:
            low.max.y = left.min.y = inner.min.y;
            high.min.y = left.max.y = inner.max.y;
            break;
        default:
            low.max.z = left.min.z = inner.min.z;
            high.min.z = left.max.z = inner.max.z;
            break;
        }
        if (fill(f, low, outer)) {
            fill(f, high, outer);
        }
    }
}

static oct_box root_box(const oct_tree *tree)
{
    const oct_cell root = oct_tree_root(tree);
    if (root.level < 0) {
        return (oct_box){{0, 0, 0}, {0, 0, 0}};
    }
    return oct_leaf_box((oct_leaf){root.x, root.y, root.z, (uint8_t)root.level, 0, 0});
}

static oct_result fill_truth(filling *f)
{
    const oct_box box = f->box;
    const oct_box outer = {{box.min.x - 1, box.min.y - 1, box.min.z - 1},
                           {box.max.x + 1, box.max.y + 1, box.max.z + 1}};
    fill_shell(f, outer, box);
    if (f->result == OCT_OK) {
        fill_shell(f, box, box_common(box, root_box(f->tree)));
    }
    if (f->result == OCT_OK) {
        oct_tree_leaves(f->tree, box, OCT_HAS_BLOCKED | OCT_HAS_UNKNOWN, fill_leaf, f);
    }
    return f->result;
}

static int open_file(const char *path, const cli_world_plan *plan, explore_scene *scene)
{
    cli_map map;
    CLI_TRY(oct_cli_open_map(path, plan, &map));
    scene->def.allocator = oct_cli_memory(&scene->world);
    scene->def.cell_size = oct_tree_cell_size(map.tree);
    scene->def.origin = oct_tree_origin(map.tree);
    scene->def.dims = oct_tree_dims(map.tree);
    scene->up = map.info.up;
    scene->left_handed = map.info.left_handed;
    scene->box = map.info.box;
    oct_result result = oct_map_create(&scene->def, &scene->truth);
    if (result == OCT_OK) {
        result = fill_truth(&(filling){.truth = scene->truth,
                                       .tree = map.tree,
                                       .box = map.info.box,
                                       .next_id = 1,
                                       .result = OCT_OK});
    }
    oct_tree_destroy(map.tree);
    if (result != OCT_OK) {
        oct_map_destroy(scene->truth);
        return oct_cli_check_memory(path, result, &scene->world);
    }
    return CLI_YES;
}

// ---- worlds ----

static int open_world(const char *path, const cli_world_plan *plan, explore_scene *scene)
{
    CLI_TRY(oct_cli_open_world(path, plan, &scene->world));
    scene->truth = scene->world.map;
    scene->up = scene->world.info.up;
    scene->left_handed = scene->world.info.left_handed;
    scene->body = (oct_point){plan->extents[0], plan->extents[1], plan->extents[2]};
    scene->def.cell_size = plan->cell;
    scene->def.padding = oct_map_padding(scene->truth);
    scene->def.is_ball = plan->is_ball;
    scene->def.allocator = oct_cli_memory(&scene->world);
    return CLI_YES;
}

int oct_cli_open_truth(const char *path, const cli_value *options, uint64_t memory,
                       explore_scene *scene)
{
    cli_world_plan plan;
    CLI_TRY(oct_cli_plan_world("explore", path, options, &plan));
    plan.memory = memory;
    plan.has_memory = true;
    *scene = (explore_scene){.path = path,
                             .is_world = plan.is_world,
                             .def = oct_map_def_default(),
                             .forward = {1, 0, 0}};
    oct_cli_begin_memory(&scene->world, &plan);
    return plan.is_world ? open_world(path, &plan, scene) : open_file(path, &plan, scene);
}

void oct_cli_close_truth(explore_scene *scene)
{
    if (scene->is_world) {
        oct_cli_free_world(&scene->world);
    } else {
        oct_map_destroy(scene->truth);
    }
}

// ---- the start ----

// Worlds say where the feet are; the body's centre is half its height above.
static bool start_of_world(explore_scene *scene)
{
    oct_pose pose;
    if (!scene->is_world || !oct_world_start(scene->world.world, &pose)) {
        return false;
    }
    const oct_point half = {pose.up.x * scene->body.x / 2, pose.up.y * scene->body.y / 2,
                            pose.up.z * scene->body.z / 2};
    const double height = sqrt(half.x * half.x + half.y * half.y + half.z * half.z);
    scene->start =
        (oct_point){pose.position.x + pose.up.x * height, pose.position.y + pose.up.y * height,
                    pose.position.z + pose.up.z * height};
    scene->forward = pose.forward;
    return true;
}

int oct_cli_choose_start(const cli_value *from, explore_scene *scene)
{
    if (from->given) {
        return oct_cli_parse_point("explore", "from", from->text, (int)scene->def.dims,
                                   &scene->start);
    }
    return start_of_world(scene)
               ? CLI_YES
               : oct_cli_complain("%s: it does not say where to start; --from does", scene->path);
}

// ---- bounds ----

static bool to_cells(const explore_scene *scene, oct_bounds box, oct_box *out)
{
    const lattice bare = {.origin = scene->def.origin,
                          .cell_size = scene->def.cell_size,
                          .dims = (int)scene->def.dims};
    return oct_lattice_cover(&bare, &box, out);
}

static int complain_bounds(const explore_scene *scene, const char *words)
{
    return oct_cli_complain("explore: --bounds must be none or metres such as %s, least first, "
                            "not '%s'",
                            scene->def.dims == 2 ? "0,0,10,20" : "0,0,0,10,20,5", words);
}

// What --bounds says.
static int read_bounds(const char *words, explore_scene *scene)
{
    double at[6];
    const bool flat = scene->def.dims == 2;
    const int axes = flat ? 2 : 3;
    if (strcmp(words, "none") == 0) {
        scene->bounded = false;
        return CLI_YES;
    }
    if (oct_cli_read_numbers(words, at, 6) != 2 * axes) {
        return complain_bounds(scene, words);
    }
    for (int axis = 0; axis < axes; axis++) {
        if (!(at[axis] < at[axis + axes])) {
            return complain_bounds(scene, words);
        }
    }
    const oct_bounds box = {{at[0], at[1], flat ? 0.0 : at[2]},
                            {at[axes], at[axes + 1], flat ? 0.0 : at[5]}};
    if (!to_cells(scene, box, &scene->bounds)) {
        return oct_cli_complain("explore: --bounds %s leave what a map of cells of %g m can hold",
                                words, scene->def.cell_size);
    }
    return CLI_YES;
}

static int default_bounds(double radius, explore_scene *scene)
{
    oct_bounds box;
    if (!scene->is_world) {
        scene->bounds = scene->box;
        return CLI_YES;
    }
    const oct_result result = oct_world_extent_near(scene->world.world, scene->start, NEAR_M, &box);
    CLI_TRY(oct_cli_check(scene->path, result));
    box.min = (oct_point){box.min.x - radius, box.min.y - radius, box.min.z - radius};
    box.max = (oct_point){box.max.x + radius, box.max.y + radius, box.max.z + radius};
    return to_cells(scene, box, &scene->bounds)
               ? CLI_YES
               : oct_cli_complain("%s: with cells of %g m it does not fit into a map", scene->path,
                                  scene->def.cell_size);
}

bool oct_cli_truth_holds(const explore_scene *scene, oct_point at)
{
    oct_vec cell;
    if (!oct_tree_cell_at(oct_map_tree(scene->truth), at, &cell)) {
        return false;
    }
    const oct_box one = {cell, {cell.x + 1, cell.y + 1, cell.z + 1}};
    const oct_box common = box_common(one, scene->bounds);
    return !scene->bounded || !box_is_empty((int)scene->def.dims, &common);
}

int oct_cli_choose_bounds(const cli_value *bounds, double radius, explore_scene *scene)
{
    scene->bounded = true;
    CLI_TRY(bounds->given ? read_bounds(bounds->text, scene) : default_bounds(radius, scene));
    if (oct_cli_truth_holds(scene, scene->start)) {
        return CLI_YES;
    }
    char words[96];
    const int dims = (int)scene->def.dims;
    return oct_cli_complain("%s: the start, %s, is not within the bounds", scene->path,
                            oct_cli_point_text(dims, scene->start, words, sizeof words));
}

// A cell becomes known where it, grown by the padding, lies within the radius.
double oct_cli_least_radius(const explore_scene *scene)
{
    const oct_point p = scene->def.padding;
    const double cell = scene->def.cell_size;
    const double pads[3] = {p.x, p.y, p.z};
    const int dims = (int)scene->def.dims;
    double least = 0.0, own = 0.0;
    for (int next = 0; next < dims; next++) {
        double square = 0.0;
        for (int axis = 0; axis < dims; axis++) {
            const double far = (axis == next ? 1.5 : 0.5) * cell + pads[axis];
            square += far * far;
        }
        least = fmax(least, square);
        own += (cell + pads[next]) * (cell + pads[next]); // from anywhere in it
    }
    return sqrt(fmax(least, own));
}
