// SPDX-License-Identifier: MIT
// Meshes in files.
#include "files/files_internal.h"

#include <string.h>

// The largest file that is read.
#define FILE_SIZE_MAX (UINT64_C(1) << 30)

typedef struct mesh_kind {
    const char *name; // the extension
    oct_mesh_format format;
} mesh_kind;

static const mesh_kind kinds[] = {{"obj", OCT_MESH_OBJ}, {"stl", OCT_MESH_STL}};

static bool is_same_word(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        const char lower = *a >= 'A' && *a <= 'Z' ? (char)(*a - 'A' + 'a') : *a;
        if (lower != *b) {
            return false;
        }
    }
    return *a == *b;
}

static const mesh_kind *find_kind(const char *path)
{
    const char *const name = strrchr(path, '/');
    const char *const dot = strrchr(name ? name : path, '.');
    for (size_t i = 0; dot && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (is_same_word(dot + 1, kinds[i].name)) {
            return &kinds[i];
        }
    }
    return NULL;
}

const char *oct_mesh_kind(const char *path)
{
    const mesh_kind *const kind = find_kind(path);
    return kind ? kind->name : NULL;
}

oct_result oct_mesh_load(const char *path, const oct_mesh_def *def, oct_mesh **out,
                         oct_error *error)
{
    *out = NULL;
    const mesh_kind *const kind = find_kind(path);
    if (!kind) {
        return OCT_REFUSE(error, 0, "not a mesh: meshes are .obj or .stl files");
    }
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_array bytes = {0};
    oct_result result = oct_file_read(path, FILE_SIZE_MAX, &allocator, &bytes, error);
    if (result == OCT_OK) {
        result = oct_mesh_read(kind->format, bytes.items, bytes.count, def, out, error);
    }
    oct_array_free(&bytes, &allocator, 1);
    return result;
}
