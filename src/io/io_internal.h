// SPDX-License-Identifier: MIT
// Maps in files: every format that the library reads from memory, and our own map file (.octant),
// which is the library's tree bytes compressed by zstd under a checksum (docs/formats.md).
//
// Messages name what is wrong but not the file: the caller knows its name and says it.
#ifndef OCTANT_IO_INTERNAL_H
#define OCTANT_IO_INTERNAL_H

#include "base/base_internal.h"
#include "octant/formats.h"

// The kind of map that a path's extension promises: "octant", "3dmap", "map" or "bt"; NULL where it
// is none of them.
const char *oct_map_kind(const char *path);

// Reads a map. Its first bytes say what it is; where they do not, the extension does, so that the
// error is the right reader's. *kind (may be NULL) gets one of the names above; `def`, `info` and
// `error` are as in oct_map_read. OCT_ERROR_FILE where the file cannot be read.
oct_result oct_map_load(const char *path, const oct_tree_def *def, oct_tree **tree,
                        oct_map_info *info, const char **kind, oct_error *error);

// Writes a map in the format of the path's extension and replaces what was there at once: on any
// failure, or a crash, the old file is as it was. *size (may be NULL) gets the bytes written.
oct_result oct_map_save(const char *path, const oct_tree *tree, const oct_map_info *info,
                        uint64_t *size, oct_error *error);

// A map file from and to memory. The bytes are appended to `out`, an array of uint8_t.
oct_result oct_map_file_decode(const void *data, size_t size, const oct_tree_def *def,
                               oct_tree **tree, oct_map_info *info, oct_error *error);
oct_result oct_map_file_encode(const oct_tree *tree, const oct_map_info *info,
                               const oct_allocator *allocator, oct_array *out, oct_error *error);

// What a map file's checksum should be; `size` is at least OCT_MAP_FILE_HEADER.
uint64_t oct_map_file_checksum(const uint8_t *data, size_t size);

#define OCT_MAP_FILE_HEADER 40   // bytes before the compressed ones
#define OCT_MAP_FILE_CHECKSUM 32 // offset of the checksum, eight bytes, lowest first

#endif
