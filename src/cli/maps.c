// SPDX-License-Identifier: MIT
// Map files as commands see them: which formats hold what, and complaints where they do not fit.
#include "cli/cli_internal.h"
#include "octant/formats.h"
#include "octant/tree.h"

#include "files/files_internal.h"

#include <string.h>

typedef struct kind_row {
    const char *name;
    uint32_t dims; // 0 = two or three
    bool unknown;  // whether it can hold UNKNOWN cells
} kind_row;

static const kind_row kinds[] = {
    {"octant", 0, true}, {"bt", 3, true},  {"3dmap", 3, false},
    {"map", 2, false},   {"obj", 3, true}, // of which it says nothing: it is to look at
};

// The row of a path's extension, or NULL.
static const kind_row *find_kind(const char *path)
{
    const char *const map = oct_map_kind(path), *const name = map ? map : oct_mesh_kind(path);
    for (size_t i = 0; name && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

uint32_t oct_cli_map_dims(const char *path)
{
    const kind_row *const kind = find_kind(path);
    return kind ? kind->dims : 0;
}

bool oct_cli_map_holds_unknown(const char *path)
{
    const kind_row *const kind = find_kind(path);
    return kind && kind->unknown;
}

int oct_cli_check_target(const char *path, uint32_t dims)
{
    const kind_row *const kind = find_kind(path);
    if (!kind) {
        return oct_cli_complain("%s: maps are written as .octant, .3dmap, .map, .bt or .obj", path);
    }
    if (dims != 0 && kind->dims != 0 && kind->dims != dims) {
        return oct_cli_complain("%s: a .%s file has %u dimensions, but the map has %u", path,
                                kind->name, kind->dims, dims);
    }
    return CLI_YES;
}

int oct_cli_load(const char *path, cli_map *map)
{
    const oct_tree_def def = oct_tree_def_default();
    oct_error error = {.line = 0};
    const oct_result result = oct_tree_load(path, &def, &map->tree, &map->info, &map->kind, &error);
    return oct_cli_check_file(path, result, &error);
}

int oct_cli_save(const char *path, const oct_tree *tree, const oct_tree_info *info,
                 uint64_t *file_bytes)
{
    oct_error error = {.line = 0};
    const oct_result result = oct_tree_save(path, tree, info, file_bytes, &error);
    return oct_cli_check_file(path, result, &error);
}
