// SPDX-License-Identifier: MIT
// Meshes in files: those that the library reads itself, and those that are left to assimp.
#include "files/files_internal.h"
#ifdef OCTANT_ASSIMP
#include "files/mesh_assimp.h"
#endif

#include <string.h>

// The largest file that is read.
#define FILE_SIZE_MAX (UINT64_C(1) << 30)

typedef struct mesh_kind {
    const char *name; // the extension
    bool is_own;
    oct_mesh_format format; // where it is
} mesh_kind;

static const mesh_kind kinds[] = {{"obj", true, OCT_MESH_OBJ},  {"stl", true, OCT_MESH_STL},
                                  {"ply", false, OCT_MESH_OBJ}, {"gltf", false, OCT_MESH_OBJ},
                                  {"glb", false, OCT_MESH_OBJ}, {"fbx", false, OCT_MESH_OBJ},
                                  {"dae", false, OCT_MESH_OBJ}};

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

bool oct_mesh_kind_is_own(const char *path)
{
    const mesh_kind *const kind = find_kind(path);
    return kind && kind->is_own;
}

#ifdef OCTANT_ASSIMP
static oct_result load_by_assimp(const char *path, const oct_mesh_def *def, oct_mesh **out,
                                 oct_error *error)
{
    OCT_TRY(oct_file_check_source(path, error));
    mesh_builder b;
    oct_result result = oct_mesh_builder_init(&b, def);
    if (result == OCT_OK) {
        result = oct_mesh_read_assimp(path, &b, error);
    }
    result = oct_mesh_conclude(&b, result, out, error);
    oct_mesh_builder_free(&b);
    return result;
}
#else
static oct_result load_by_assimp(const char *path, const oct_mesh_def *def, oct_mesh **out,
                                 oct_error *error)
{
    (void)path;
    (void)def;
    (void)out;
    return OCT_REFUSE(error, 0, "this build reads .obj and .stl alone: it has no assimp");
}
#endif

static oct_result load_own(const char *path, oct_mesh_format format, const oct_mesh_def *def,
                           oct_mesh **out, oct_error *error)
{
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_array bytes = {0};
    oct_result result = oct_file_read(path, FILE_SIZE_MAX, &allocator, &bytes, error);
    if (result == OCT_OK) {
        result = oct_mesh_read(format, bytes.items, bytes.count, def, out, error);
    }
    oct_array_free(&bytes, &allocator, 1);
    return result;
}

oct_result oct_mesh_load(const char *path, const oct_mesh_def *def, oct_mesh **out,
                         oct_error *error)
{
    *out = NULL;
    const mesh_kind *const kind = find_kind(path);
    if (!kind) {
        return OCT_REFUSE(error, 0,
                          "not a mesh: meshes are .obj, .stl, .ply, .gltf, .glb, .fbx or .dae");
    }
    return kind->is_own ? load_own(path, kind->format, def, out, error)
                        : load_by_assimp(path, def, out, error);
}
