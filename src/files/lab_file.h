// SPDX-License-Identifier: MIT
// Laboratory files: a flat map, where to start and go, and the paths that algorithms found there,
// with their statistics (docs/lab/lab-file.md).
//
// Coordinates are the map's cells: lattice points are whole numbers, the middle of a cell ends in
// a half. What a file holds is one piece: everything that it points to is freed with it.
#ifndef OCTANT_LAB_FILE_H
#define OCTANT_LAB_FILE_H

#include "files/files_internal.h"
#include "octant/formats.h"
#include "octant/search.h"
#include "octant/tree.h"

#define LAB_FILE_EDGE_MAX 4096 // cells along an edge of rows
#define LAB_FILE_TEXT_MAX 1023 // bytes of a name
#define LAB_FILE_PATHS_MAX 1024
#define LAB_FILE_POINTS_MAX (1u << 20) // of a path
#define LAB_FILE_SIZE_MIN 8            // of a generated map, cells along an edge
#define LAB_FILE_SIZE_MAX 4096
#define LAB_FILE_CLUSTERING_MAX 1000

// Where the map is.
typedef enum lab_map_kind {
    LAB_MAP_FILE,    // in a map file
    LAB_MAP_ROWS,    // in the laboratory file
    LAB_MAP_GENERATE // nowhere: it is made from a seed
} lab_map_kind;

// A map by coverage and clustering (Freeman 2014, section 3.1).
typedef struct lab_generate {
    uint32_t size;   // cells along each edge
    double coverage; // blocked cells, percent
    uint32_t clustering;
    uint64_t seed; // below 2^53
} lab_generate;

typedef struct lab_file_map {
    lab_map_kind kind;
    const char *file; // FILE: beside the laboratory file, unless it begins with '/'
    const char *rows; // ROWS: one behind the other, from y = 0 on, in the letters of .map files
    uint32_t width, height;
    lab_generate generate;
} lab_file_map;

// What is counted and measured of a path; -1 where the file does not say.
enum {
    LAB_LENGTH, // cells
    LAB_TURNING_DEGREES,
    LAB_GRAPH_US,
    LAB_PATH_US,
    LAB_EXPANDED,
    LAB_SIGHT_CHECKS,
    LAB_NODES,
    LAB_GRAPH_NODES,
    LAB_GRAPH_EDGES,
    LAB_STATISTIC_COUNT
};

typedef struct lab_file_path {
    const char *algorithm, *graph;
    const char *variant; // "" where there is none
    oct_path_status status;
    double statistics[LAB_STATISTIC_COUNT];
    const double (*points)[2];
    uint32_t point_count;
} lab_file_path;

typedef struct lab_file {
    lab_file_map map;
    bool has_ends; // whether start and goal are said
    double start[2], goal[2];
    bool squeeze;
    const lab_file_path *paths;
    uint32_t path_count;
    oct_arena memory; // of what was read
} lab_file;

// Reads a laboratory file. On failure *out is empty and the error names line and column. The
// allocator may be NULL; what is read meanwhile is jansson's memory. The map itself is not looked
// for.
oct_result oct_lab_file_load(const char *path, const oct_allocator *allocator, lab_file *out,
                             oct_error *error);

// Frees what was read; an empty one is allowed.
void oct_lab_file_free(lab_file *file);

// Writes one, as oct_file_replace does.
oct_result oct_lab_file_save(const char *path, const lab_file *file, uint64_t *size,
                             oct_error *error);

// The same from and to memory.
oct_result oct_lab_file_decode(const void *data, size_t size, const oct_allocator *allocator,
                               lab_file *out, oct_error *error);
oct_result oct_lab_file_encode(const lab_file *file, oct_write_fn *write, void *ctx);

// The map of a file whose map is rows.
oct_result oct_lab_file_tree(const lab_file_map *map, const oct_tree_def *def, oct_tree **tree,
                             oct_tree_info *info, oct_error *error);

#endif
