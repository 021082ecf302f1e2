// SPDX-License-Identifier: MIT
/// \file
/// Triangle meshes, and the map of one: the cells that its triangles meet, and what it encloses.
///
/// A mesh is read from bytes in memory, or made of arrays. It never changes; anyone may read it.
/// Readers trust nothing: counts are checked against the data and against limits before memory is
/// taken.
#ifndef OCTANT_MESH_H
#define OCTANT_MESH_H

#include "octant/clearance.h"

typedef struct oct_mesh oct_mesh;

/// Where a mesh comes from. Start from oct_mesh_def_default().
typedef struct oct_mesh_def {
    uint32_t vertices_max;          ///< more are refused; default and most 2^27
    uint32_t triangles_max;         ///< more are refused; default and most 2^27
    double unit;                    ///< of readers: metres per unit of the data; > 0; default 1
    const oct_allocator *allocator; ///< copied; NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_mesh_def;

OCT_API oct_mesh_def oct_mesh_def_default(void);

/// A format of bytes.
typedef enum oct_mesh_format {
    OCT_MESH_OBJ, ///< Wavefront, text: `v`, `f`, `o` and `g` count, all else is passed over
    OCT_MESH_STL, ///< stereolithography, the binary form
    OCT_MESH_FORMAT_COUNT
} oct_mesh_format;

/// Corners of a polygon, at most.
#define OCT_MESH_CORNERS_MAX 1024

/// Makes a mesh from bytes, which are not needed any more after. Polygons are divided into
/// triangles, concave ones by ears. A corner that is not finite, an index of no vertex, a mesh
/// without triangles, and what exceeds a limit: OCT_ERROR_FORMAT, and *error (may be NULL) says
/// where and why. On failure *out is NULL.
///
/// Where the names of objects follow the conventions of engines, only what collides is kept:
/// `-colonly`, `-convcolonly`, `UBX_`, `UCP_`, `USP_`, `UCX_` are collision shapes, and so are
/// objects with `-col` and `-convcol`; drawn objects count only where there is none of these.
/// `-navmesh` never counts. Of `-convcol`, `-convcolonly` and `UCX_` the convex hull counts.
OCT_API oct_result oct_mesh_read(oct_mesh_format format, const void *data, size_t size,
                                 const oct_mesh_def *def, oct_mesh **out, oct_error *error);

/// Makes a mesh from arrays, which are copied: three indices per triangle. A corner that is not
/// finite or an index that is too large is OCT_ERROR_ARGUMENT; no triangle at all is allowed.
OCT_API oct_result oct_mesh_create(const oct_mesh_def *def, const oct_point *vertices,
                                   size_t vertex_count, const uint32_t *indices,
                                   size_t triangle_count, oct_mesh **out);

/// Frees a mesh; NULL is allowed.
OCT_API void oct_mesh_destroy(oct_mesh *mesh);

/// Vertices, some of which may belong to no triangle, and three indices of them per triangle.
OCT_API size_t oct_mesh_vertex_count(const oct_mesh *mesh);
OCT_API size_t oct_mesh_triangle_count(const oct_mesh *mesh);
OCT_API const oct_point *oct_mesh_vertices(const oct_mesh *mesh);
OCT_API const uint32_t *oct_mesh_indices(const oct_mesh *mesh);

/// The box of all corners of triangles; all zero without triangles.
OCT_API oct_bounds oct_mesh_bounds(const oct_mesh *mesh);

/// The area of all triangles together, square metres.
OCT_API double oct_mesh_area(const oct_mesh *mesh);

/// What is worth a warning, and what a mesh encloses.
typedef struct oct_mesh_report {
    uint64_t degenerate; ///< triangles without area; they block what they touch
    uint64_t concave;    ///< polygons that were divided by ears
    uint64_t tangled;    ///< polygons that cross themselves: their triangles are a guess
    uint64_t passed;     ///< statements that no mesh is made of, such as curves
    uint32_t objects;    ///< that the file names
    uint32_t colliding;  ///< objects that count as collision shapes; 0 = all that is drawn counts
    uint32_t parts;      ///< sets of triangles that share corners at the same places
    uint32_t closed;     ///< parts that enclose something: each edge is used as often one way as
                         ///< the other
    uint32_t inward;     ///< of these, those whose faces look inwards
    uint64_t open_edges; ///< edges of the other parts that are not met by faces both ways
    oct_point open_edge[2]; ///< the ends of one of them; zero without
} oct_mesh_report;

/// What is known since the mesh was made.
OCT_API oct_mesh_report oct_mesh_get_report(const oct_mesh *mesh);

// ---- the map of a mesh ----

/// How a mesh becomes cells. Start from oct_voxels_def_default().
typedef struct oct_voxels_def {
    oct_box box;      ///< cells that get a label; default empty: those that the mesh's box touches
    bool open_inside; ///< leaves what closed parts enclose as it is: OPEN; default false
    oct_clearance clearance;      ///< of the body's middle from the triangles; default none
    const oct_executor *executor; ///< NULL = the calling thread; same bits
    uint32_t cookie;              ///< set by the default; do not touch
} oct_voxels_def;

OCT_API oct_voxels_def oct_voxels_def_default(void);

/// The cells that a mesh's box touches; false where they leave +-2^25 cells, the most that a mesh
/// can be divided into.
OCT_API bool oct_mesh_cells(const oct_mesh *mesh, const oct_tree *tree, oct_box *out);

/// Gives the cells of a box their labels, in an empty tree of three dimensions: BLOCKED where a
/// triangle meets the closed cell or a closed part encloses it, else OPEN; all are observed.
/// Corners are first rounded to 2^-26 of a cell, then every answer is exact. With a clearance a
/// cell is BLOCKED where some point of it is nearer to a triangle than the body is wide there, or
/// enclosed; this is exact within 10^-9 of a cell, and blocks rather than opens. Goes from the root
/// down, over all threads of the executor. OCT_ERROR_RANGE where the mesh leaves +-2^25 cells;
/// then, and without memory, the tree stays empty.
OCT_API oct_result oct_mesh_voxelise(const oct_mesh *mesh, const oct_voxels_def *def,
                                     oct_tree *tree);

/// Writes the BLOCKED leaves inside a box of a tree of three dimensions as boxes, an OBJ to look at
/// elsewhere: six faces each, those between leaves included. OCT_ERROR_FILE where `write` stopped
/// it.
OCT_API oct_result oct_mesh_write_boxes(const oct_tree *tree, oct_box box, oct_write_fn *write,
                                        void *ctx);

#endif
