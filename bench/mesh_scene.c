// SPDX-License-Identifier: MIT
#include "bench/mesh_scene.h"
#include "octant/files.h"

#include <stdio.h>

const char *const oct_mesh_names[MESH_NAMES] = {
    "216Kleopatra",  "recast_dungeon", "recast_nav_test", "recast_undulating",
    "space_station", "sponza",         "stanford-bunny"};

bool oct_mesh_scene_load(const bench_options *options, const char *name, oct_mesh **out)
{
    char path[4096];
    const oct_mesh_def def = oct_mesh_def_default();
    *out = NULL;
    const int length =
        snprintf(path, sizeof path, "%s/mesh/%s.obj", options->data ? options->data : "", name);
    return options->data && length > 0 && (size_t)length < sizeof path &&
           oct_mesh_load(path, &def, out, NULL) == OCT_OK;
}

static double longest_side(oct_bounds b)
{
    const double x = b.max.x - b.min.x, y = b.max.y - b.min.y, z = b.max.z - b.min.z;
    return x > y ? (x > z ? x : z) : (y > z ? y : z);
}

oct_result oct_mesh_scene_map(const oct_mesh *mesh, int32_t cells, const oct_executor *executor,
                              oct_tree **out, oct_box *box, double *seconds)
{
    const oct_bounds bounds = oct_mesh_bounds(mesh);
    oct_tree_def def = oct_tree_def_default();
    def.cell_size = longest_side(bounds) / cells;
    def.origin = bounds.min;
    OCT_TRY(oct_tree_create(&def, out));
    oct_voxels_def how = oct_voxels_def_default();
    how.open_inside = true;
    how.executor = executor;
    const double start = oct_bench_now_s();
    oct_result result = oct_mesh_voxelise(mesh, &how, *out);
    *seconds = oct_bench_now_s() - start;
    if (result == OCT_OK) {
        result = oct_mesh_cells(mesh, *out, box) ? oct_tree_shrink(*out) : OCT_ERROR_RANGE;
    }
    if (result != OCT_OK) {
        oct_tree_destroy(*out);
        *out = NULL;
    }
    return result;
}
