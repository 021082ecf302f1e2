// SPDX-License-Identifier: MIT
/// \file
/// Maps and worlds in files: liboctant_files, which needs zstd, jansson and expat.
///
/// Nothing in a file is trusted: sizes are checked before memory is taken, and a refusal names line
/// and column where there are any. Messages do not name the file: the caller knows its name.
/// A file is written beside the old one and replaces it at once: after any failure, or a crash, the
/// old one is as it was.
/// Threading: no function here holds state.
#ifndef OCTANT_FILES_H
#define OCTANT_FILES_H

#include "octant/formats.h"
#include "octant/mesh.h"
#include "octant/recruits_level.h"
#include "octant/surface.h"
#include "octant/world.h"
#include "octant/world_check.h"

// ---- maps ----

/// Reads a map. Its first bytes say what it is; where they do not, the extension does, so that the
/// error is the right reader's. *kind (may be NULL) gets "octant", "3dmap", "map" or "bt"; `def`,
/// `info` and `error` are as in oct_tree_read. OCT_ERROR_FILE where the file cannot be read.
OCT_API oct_result oct_tree_load(const char *path, const oct_tree_def *def, oct_tree **tree,
                                 oct_tree_info *info, const char **kind, oct_error *error);

/// Writes a map in the format of the path's extension; `.obj`: its BLOCKED leaves as boxes.
OCT_API oct_result oct_tree_save(const char *path, const oct_tree *tree, const oct_tree_info *info,
                                 uint64_t *size, oct_error *error);

// ---- meshes ----

/// Reads a mesh by the extension of its name: `.obj`, `.stl`, and by assimp `.ply`, `.gltf`,
/// `.glb`,
/// `.fbx`, `.dae`. `def` and `error` are as in oct_mesh_read(); nodes are objects, and stand where
/// the file puts them. OCT_ERROR_FILE where the file cannot be read.
/// assimp runs inside this process, with memory of its own: it may crash, hang or take all memory
/// over a hostile file. What strangers send belongs into a process with limits, as the command
/// does.
OCT_API oct_result oct_mesh_load(const char *path, const oct_mesh_def *def, oct_mesh **out,
                                 oct_error *error);

// ---- surfaces ----

/// Reads a surface: JSON, which begins with `{`, or OBJ text. JSON has `vertices`, as [x, y, z],
/// {"x": ...} or numbers in a row, and `indices` of triangles or `faces`, a list of indices each;
/// also what oct_surface_save writes: `up`, which counts for more than def->up, triangles of
/// heights
/// (`details`, nine numbers each, a list per face), and `baked`.
/// The arrays of `def` are ignored; *kind (may be NULL) gets "obj" or "json".
OCT_API oct_result oct_surface_load(const char *path, const oct_surface_def *def, oct_surface **out,
                                    const char **kind, oct_error *error);

/// Writes a surface as JSON that oct_surface_load reads: the same faces and heights, to the bit.
/// *size (may be NULL) gets the bytes written.
OCT_API oct_result oct_surface_save(const char *path, const oct_surface *surface, uint64_t *size,
                                    oct_error *error);

// ---- worlds ----

/// What saves need beside their file, and whom to tell what was left out or not known of one that
/// was read: short texts, in a fixed order. All may be 0.
typedef struct oct_world_extras {
    const oct_world *sizes; ///< of the types of blocks; see oct_block_sizes_load
    void (*warn)(void *ctx, const char *message);
    void *ctx;
} oct_world_extras;

/// Reads a world: ours, or one of Space Engineers, extracted to JSON or as the game saved it. The
/// content decides; *kind (may be NULL) gets "octant-world", "space-engineers" or
/// "space-engineers-save". On failure *world is NULL and the error names the line, the column and
/// the block. The allocator may be NULL; what is read meanwhile is jansson's and expat's memory.
/// Saves are read piece by piece. `extras` may be NULL.
OCT_API oct_result oct_world_load(const char *path, const oct_world_extras *extras,
                                  const oct_allocator *allocator, oct_world **world,
                                  const char **kind, oct_error *error);

/// How a world's file is checked.
typedef struct oct_world_checking {
    oct_world_check_fn *check; ///< oct_world_check or oct_block_world_check
    oct_problem_fn *tell;      ///< is told each problem with its line
    void *ctx;                 ///< of `tell`
    const oct_world *sizes;    ///< as in oct_world_extras
    /// Whether what cannot be read is an error, as in oct_world_load, and not a problem.
    bool is_strict;
    void (*warn)(void *ctx, const char *message); ///< as in oct_world_extras; NULL = a problem
    const oct_allocator *allocator;               ///< of the world; NULL = malloc
    const oct_allocator *scratch; ///< of the check, which returns it; NULL = as `allocator`
} oct_world_checking;

/// Reads a world and tells every problem with it: first each part that cannot be read, then what is
/// wrong with the rest. Of one item (a block, a wire) only the first mistake is told; of a save
/// only the first that ends the reading. OCT_OK whatever was found; *world is what could be read,
/// or NULL. OCT_ERROR_FILE where the file cannot be opened, OCT_ERROR_MEMORY if memory is short.
OCT_API oct_result oct_world_check_file(const char *path, const oct_world_checking *how,
                                        oct_world **world, oct_error *error);

/// Writes a world in our format.
OCT_API oct_result oct_world_save(const char *path, const oct_world *world, uint64_t *size,
                                  oct_error *error);

// ---- levels of Lab Recruits ----

/// Reads a level, as oct_recruits_level_read() does. OCT_ERROR_FILE where the file cannot be read.
OCT_API oct_result oct_recruits_level_load(const char *path, const oct_recruits_reading *how,
                                           oct_recruits_level **out, oct_error *error);

// ---- sizes of blocks ----

/// Reads which sizes Space Engineers' types of blocks have (JSON, docs/testers/worlds.md), as a
/// world that has the types and nothing else.
OCT_API oct_result oct_block_sizes_load(const char *path, const oct_allocator *allocator,
                                        oct_world **types, oct_error *error);

/// The path of block_sizes.json beside a save, or in the folder above; false where neither can be
/// read, or the path has no room.
OCT_API bool oct_block_sizes_find(const char *save, char *out, size_t size);

#endif
