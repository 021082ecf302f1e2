// SPDX-License-Identifier: MIT
// Files: maps in every format that the library reads from memory, our own map file (.octant), which
// is the library's tree bytes compressed by zstd under a checksum (docs/reference/formats.md), and
// worlds in JSON or as Space Engineers saves them (docs/testers/worlds.md).
//
// Messages name what is wrong but not the file: the caller knows its name and says it.
#ifndef OCTANT_FILES_INTERNAL_H
#define OCTANT_FILES_INTERNAL_H

#include "base/base_internal.h"
#include "octant/files.h"
#include "octant/formats.h"
#include "octant/tree.h"

// ---- files ----

// Appends a whole file to an array of uint8_t. OCT_ERROR_FILE where it cannot be read, or has more
// than `largest` bytes, some MiB or GiB.
oct_result oct_file_read(const char *path, uint64_t largest, const oct_allocator *allocator,
                         oct_array *out, oct_error *error);

// A file that is read piece by piece.
typedef struct oct_file {
    int fd;
    uint64_t size; // as the system says; 0 where it does not know
    uint64_t read;
    uint64_t largest;
} oct_file;

// OCT_ERROR_FILE as above. To be closed only where it was opened.
oct_result oct_file_open(const char *path, uint64_t largest, oct_file *out, oct_error *error);
// Up to `room` > 0 bytes; *got is 0 at the end only.
oct_result oct_file_next(oct_file *file, void *buffer, size_t room, size_t *got, oct_error *error);
// Appends all that was not read yet to an array of uint8_t.
oct_result oct_file_rest(oct_file *file, const oct_allocator *allocator, oct_array *out,
                         oct_error *error);
void oct_file_close(oct_file *file);

// Writes a file's content by calling `write` with `file`, which returns false to stop.
typedef oct_result oct_file_fill(void *ctx, oct_write_fn *write, void *file, oct_error *error);

// Writes a file beside an old one and replaces that at once: on any failure, or a crash, the old
// one is as it was. The new one has the old one's mode, and its owner where the system allows that.
// Of a symbolic link the file that it names is written. *size (may be NULL) gets the bytes written.
oct_result oct_file_replace(const char *path, oct_file_fill *fill, void *ctx, uint64_t *size,
                            oct_error *error);

// Whether that can work, as far as can be known before anything is written.
oct_result oct_file_check_target(const char *path, oct_error *error);

// Whether a file that other data names is a regular one: nothing else may be read by chance, and a
// pipe may never answer.
oct_result oct_file_check_source(const char *path, oct_error *error);

// Which file a path stands for, whatever the path looks like and whether the file exists or not.
typedef struct oct_file_id {
    uint64_t device, inode; // of the file, or of the folder that it would be in
    char *name;             // there; NULL where the file exists
    bool is_regular;        // or does not exist
} oct_file_id;

// OCT_ERROR_FILE where there is not even a folder. The name is to be freed.
oct_result oct_file_identify(const char *path, oct_file_id *out);

// Removes what unfinished writing has left so far; for handlers of signals that end the process.
// Where the file system holds files without a name there is nothing to remove.
void oct_file_remove_drafts(void);

// Says so in the error; the value is OCT_ERROR_MEMORY.
oct_result oct_io_out_of_memory(oct_error *error);

// What the operating system refused, and why: `code` is an errno. The value is OCT_ERROR_FILE.
oct_result oct_io_refuse(oct_error *error, const char *what, int code);

// ---- maps ----

// The kind of map that a path's extension promises: "octant", "3dmap", "map" or "bt"; NULL where it
// is none of them.
const char *oct_map_kind(const char *path);

// A map file from and to memory. The bytes are appended to `out`, an array of uint8_t.
oct_result oct_map_file_decode(const void *data, size_t size, const oct_tree_def *def,
                               oct_tree **tree, oct_tree_info *info, oct_error *error);
oct_result oct_map_file_encode(const oct_tree *tree, const oct_tree_info *info,
                               const oct_allocator *allocator, oct_array *out, oct_error *error);

// What a map file's checksum should be; `size` is at least OCT_MAP_FILE_HEADER.
uint64_t oct_map_file_checksum(const uint8_t *data, size_t size);

#define OCT_MAP_FILE_HEADER 40   // bytes before the compressed ones
#define OCT_MAP_FILE_CHECKSUM 32 // offset of the checksum, eight bytes, lowest first

// ---- meshes ----

// The kind of mesh that a path's extension promises, in small letters; NULL where it is none.
const char *oct_mesh_kind(const char *path);

// Whether the library reads it itself; else it is left to assimp.
bool oct_mesh_kind_is_own(const char *path);

// ---- worlds ----

// Whether a path's extension promises a world, .json or .sbs; a save, .sbs; and whether worlds are
// written there, .json.
bool oct_world_is_named(const char *path);
bool oct_save_is_named(const char *path);
bool oct_world_is_target(const char *path);

// The same from and to memory.
oct_result oct_world_decode(const void *data, size_t size, const oct_allocator *allocator,
                            oct_world **world, const char **kind, oct_error *error);
oct_result oct_world_encode(const oct_world *world, oct_write_fn *write, void *ctx);

// Reads a world, and what findings want to know beside it; those may be NULL. Only readers of JSON
// go on after a refusal: in a save the first one ends the reading.
typedef struct world_findings world_findings;
oct_result oct_world_decode_found(const void *data, size_t size, const oct_allocator *allocator,
                                  world_findings *findings, oct_world **world, const char **kind,
                                  oct_error *error);

// As oct_world_check_file, from memory.
oct_result oct_world_check_bytes(const void *data, size_t size, const oct_world_checking *how,
                                 oct_world **world, oct_error *error);

// The same for sizes of blocks.
oct_result oct_block_sizes_decode(const void *data, size_t size, const oct_allocator *allocator,
                                  oct_world **types, oct_error *error);

#endif
