// SPDX-License-Identifier: MIT
/// \file
/// Baking: a surface to walk on where there is only geometry, by Recast (Mononen 2009).
///
/// Recast divides space into columns of cells, keeps the floors on which a body fits, takes away a
/// margin as wide as the body, and outlines what is left as convex polygons. All of that rounds: so
/// the surface states what was measured afterwards (oct_surface_info, `baked`). Part of
/// liboctant_files, and only where Octant was built with Debian's librecast-dev.
/// Threading: what is baked is only read.
#ifndef OCTANT_SURFACE_BAKE_H
#define OCTANT_SURFACE_BAKE_H

#include "octant/mesh.h"
#include "octant/surface.h"
#include "octant/tree.h"

/// For whom to bake, and how finely. Start from oct_bake_def_default().
typedef struct oct_bake_def {
    double cell;        ///< edge of a column, metres; default 0.3; maps have their own
    double cell_height; ///< default 0.2, likewise
    double height;      ///< of the body; default 1.8
    double radius;      ///< of the body; default 0.4
    double climb;       ///< highest edge that it walks up; default 0.4
    double slope;       ///< steepest ground, degrees, 0 to 90; default 45. Maps have no slopes
    double least_area;  ///< smaller floors are left out, square metres; default 1
    double error;       ///< how far outlines may be simplified, cells; > 0, default 1.3
    oct_up up;          ///< default Y
    bool two_sided;     ///< of meshes: triangles that look down are floor, too; default false
    const oct_allocator *allocator; ///< of the surface, and of Octant's part; NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_bake_def;

OCT_API oct_bake_def oct_bake_def_default(void);

/// Whether Octant was built with Recast. Else baking is OCT_ERROR_UNSUPPORTED, and the error says
/// what to install.
OCT_API bool oct_bake_is_there(void);

/// Bakes a mesh. A triangle is floor where it looks up and is no steeper than the slope. Faces have
/// Recast's triangles of heights. OCT_ERROR_RANGE: too large for its cells, or nothing that one
/// could walk on; the error says so.
OCT_API oct_result oct_surface_bake_mesh(const oct_mesh *mesh, const oct_bake_def *def,
                                         oct_surface **out, oct_error *error);

/// Bakes the floors of a map of three dimensions: OPEN cells of a box that stand on BLOCKED ones.
/// Columns are the map's own cells. UNKNOWN cells, and what is outside of the box, are in the way
/// and no floor. Of a map whose blocks were grown by the body already, say radius 0 and the height
/// of a cell.
OCT_API oct_result oct_surface_bake_tree(const oct_tree *tree, oct_box box, const oct_bake_def *def,
                                         oct_surface **out, oct_error *error);

#endif
