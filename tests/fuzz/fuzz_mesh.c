// SPDX-License-Identifier: MIT
// Fuzzes the readers of meshes; the first byte chooses the format. What is read is made a map,
// which must be valid.
#include "fuzz.h"
#include "octant/mesh.h"

#include <math.h>

// Not finer: a mesh may be as large as it likes.
#define CELLS 24.0

static void check_refusal(const oct_mesh *mesh, oct_result result, const oct_error *error)
{
    FUZZ_CHECK(!mesh);
    FUZZ_CHECK(result == OCT_ERROR_FORMAT || result == OCT_ERROR_MEMORY);
    FUZZ_CHECK(error->message[0] != '\0');
}

static double longest_side(oct_bounds b)
{
    const double x = b.max.x - b.min.x, y = b.max.y - b.min.y, z = b.max.z - b.min.z;
    return x > y ? (x > z ? x : z) : (y > z ? y : z);
}

static void check_map(const oct_mesh *mesh, const oct_allocator *limited)
{
    const oct_bounds box = oct_mesh_bounds(mesh);
    const double longest = longest_side(box);
    oct_tree_def def = oct_tree_def_default();
    def.allocator = limited;
    def.cell_size = isfinite(longest) && longest > 1e-300 ? longest / CELLS : 1.0;
    def.origin = box.min;
    oct_tree *tree;
    if (oct_tree_create(&def, &tree) != OCT_OK) {
        return;
    }
    oct_voxels_def how = oct_voxels_def_default();
    how.clearance.radius = oct_mesh_triangle_count(mesh) % 2 ? def.cell_size : 0.0;
    const oct_result result = oct_mesh_voxelise(mesh, &how, tree);
    FUZZ_CHECK(result == OCT_OK || result == OCT_ERROR_RANGE || result == OCT_ERROR_MEMORY);
    FUZZ_CHECK(oct_tree_is_valid(tree));
    oct_box cells;
    if (result == OCT_OK && oct_mesh_cells(mesh, tree, &cells)) {
        FUZZ_CHECK((oct_tree_labels_in(tree, cells) & OCT_HAS_UNKNOWN) == 0);
        FUZZ_CHECK((oct_tree_labels_in(tree, cells) & OCT_HAS_BLOCKED) != 0);
    }
    oct_tree_destroy(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    size_t used = 0;
    const oct_allocator limited = {fuzz_alloc, fuzz_free, &used};
    oct_mesh_def def = oct_mesh_def_default();
    def.allocator = &limited;
    oct_mesh *mesh;
    oct_error error;
    const oct_mesh_format format = data[0] & 1 ? OCT_MESH_STL : OCT_MESH_OBJ;
    const oct_result result = oct_mesh_read(format, data + 1, size - 1, &def, &mesh, &error);
    if (result == OCT_OK) {
        const oct_mesh_report about = oct_mesh_get_report(mesh);
        FUZZ_CHECK(about.closed <= about.parts && about.inward <= about.closed);
        check_map(mesh, &limited);
        oct_mesh_destroy(mesh);
    } else {
        check_refusal(mesh, result, &error);
    }
    FUZZ_CHECK(used == 0);
    return 0;
}
