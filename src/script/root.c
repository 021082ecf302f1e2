// SPDX-License-Identifier: MIT
// Where the files that a script names may lie: below its root. What counts is where a file really
// is, with symbolic links followed, so that neither ".." nor a link leads out.
#define _XOPEN_SOURCE 700
#include "script/script_internal.h"

#include "files/files_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// ---- the root ----

// Cuts a real path to what it has in common with another one.
static void cut_to_common(char *path, const char *other)
{
    size_t common = 0, i = 0;
    for (; path[i] && path[i] == other[i]; i++) {
        common = path[i] == '/' ? i : common;
    }
    const bool ends = (!path[i] || path[i] == '/') && (!other[i] || other[i] == '/');
    common = ends ? i : common;
    path[common > 0 ? common : 1] = '\0';
}

// A folder's real path, as a text of the script's; with `other`, what both have in common.
// OCT_ERROR_FILE, with errno, where there is none.
static oct_result real_folder(const oct_script *script, const char *path, const char *other,
                              char **out)
{
    char *const whole = realpath(path, NULL);
    *out = NULL;
    if (!whole) {
        return OCT_ERROR_FILE;
    }
    if (other) {
        cut_to_common(whole, other);
    }
    *out = oct_copy_text(&script->allocator, whole);
    free(whole);
    return *out ? OCT_OK : OCT_ERROR_MEMORY;
}

oct_result oct_script_set_root(oct_script *script, const char *root, oct_error *error)
{
    const char *const data = getenv("OCTANT_DATA");
    const oct_result result = root ? real_folder(script, root, NULL, &script->root)
                                   : real_folder(script, ".", script->folder, &script->root);
    if (result == OCT_ERROR_FILE) {
        return oct_io_refuse(error, root ? root : "the working folder", errno);
    }
    if (result != OCT_OK || root) {
        return result;
    }
    const bool has_data = data && data[0];
    // Data that are not there are nobody's fault.
    return has_data && real_folder(script, data, NULL, &script->data) == OCT_ERROR_MEMORY
               ? OCT_ERROR_MEMORY
               : OCT_OK;
}

static bool is_below(const char *path, const char *root)
{
    const size_t length = root && strcmp(root, "/") != 0 ? strlen(root) : 0;
    return root && strncmp(path, root, length) == 0 && path[length] == '/';
}

// ---- finding ----

static oct_result refuse(oct_error *error, const char *message, const char *path, const char *root)
{
    oct_error_set(error, 0, 0, 0, message, path, root);
    return OCT_ERROR_FILE;
}

// A file at a path, if there is one: OCT_ERROR_ABSENT where not, OCT_ERROR_FILE where it may not be
// read.
static oct_result try_path(const oct_script *script, char *out, size_t size, oct_error *error)
{
    char *const whole = access(out, R_OK) == 0 ? realpath(out, NULL) : NULL;
    if (!whole) {
        return OCT_ERROR_ABSENT;
    }
    oct_result result = OCT_OK;
    if (!is_below(whole, script->root) && !is_below(whole, script->data)) {
        result = refuse(error, "%s is not below the root, %s; --root names another", whole,
                        script->root);
    } else if (strlen(whole) >= size) {
        result = refuse(error, "%s: the name is too long%s", whole, "");
    } else {
        result = oct_file_check_source(whole, error);
    }
    if (result == OCT_OK) {
        strcpy(out, whole);
    }
    free(whole);
    return result;
}

// The same for a name in a folder, whose first bytes are given. What was refused before is
// remembered where this is not found.
static oct_result try_folder(const oct_script *script, size_t length, const char *name, char *out,
                             size_t size, oct_error *error, oct_result before)
{
    const int wrote = length == SIZE_MAX
                          ? snprintf(out, size, "%s", name)
                          : snprintf(out, size, "%.*s/%s", (int)length, script->folder, name);
    if (wrote < 0 || (size_t)wrote >= size) {
        return before;
    }
    const oct_result result = try_path(script, out, size, error);
    return result == OCT_ERROR_ABSENT ? before : result;
}

oct_result oct_script_find(const oct_script *script, const char *name, char *out, size_t size,
                           oct_error *error)
{
    oct_result result = OCT_ERROR_ABSENT;
    size_t length = strlen(script->folder);
    for (bool more = name[0] != '/'; more;) {
        result = try_folder(script, length, name, out, size, error, result);
        more = result != OCT_OK && length > 0;
        while (length > 0 && script->folder[length - 1] != '/') {
            length--;
        }
        length -= length > 0;
    }
    return result == OCT_OK ? result : try_folder(script, SIZE_MAX, name, out, size, error, result);
}

bool oct_script_has_scheme(const char *name)
{
    size_t length = 0;
    while ((name[length] >= 'a' && name[length] <= 'z') ||
           (name[length] >= 'A' && name[length] <= 'Z')) {
        length++;
    }
    return length > 0 && strncmp(name + length, "://", 3) == 0;
}

// ---- all files ----

bool oct_script_each_file(const oct_script *script, script_file_fn *visit, void *ctx)
{
    char path[SCRIPT_PATH_SIZE];
    bool goes_on = true;
    for (size_t i = 0; goes_on && i < script->sources.count; i++) {
        goes_on = visit(ctx, ((const script_source *)script->sources.items)[i].path);
    }
    for (size_t i = 0; goes_on && !script->has_game && i < script->tests.count; i++) {
        const char *const world = ((const script_entry *)script->tests.items)[i].world;
        if (!oct_script_has_scheme(world) &&
            oct_script_find(script, world, path, sizeof path, NULL) == OCT_OK) {
            goes_on = visit(ctx, path);
        }
    }
    return goes_on;
}
