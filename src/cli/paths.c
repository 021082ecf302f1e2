// SPDX-License-Identifier: MIT
// Files that a command was given, one by one or as folders.
#define _POSIX_C_SOURCE 200809L
#include "cli/cli_internal.h"

#include "base/base_internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool oct_cli_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

int oct_cli_check_root(const cli_value *option)
{
    struct stat info;
    const char *const root = option->text;
    if (root && stat(root, &info) != 0) {
        return oct_cli_complain("%s: %s", root, strerror(errno));
    }
    return !root || S_ISDIR(info.st_mode) ? CLI_YES
                                          : oct_cli_complain("%s: %s", root, strerror(ENOTDIR));
}

bool oct_cli_is_script(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && name[0] != '.' && strcmp(name + length - 4, ".lua") == 0;
}

static int add_path(oct_array *paths, const char *folder, const char *name)
{
    const oct_allocator allocator = oct_allocator_default();
    const size_t length = strlen(folder);
    const size_t size = length + strlen(name) + 2;
    char *const path = malloc(size);
    if (!path) {
        return oct_cli_check(name, OCT_ERROR_MEMORY);
    }
    const bool needs_slash = length > 0 && folder[length - 1] != '/';
    snprintf(path, size, "%s%s%s", folder, needs_slash ? "/" : "", name);
    if (oct_array_push(paths, &allocator, sizeof path, &path) != OCT_OK) {
        free(path);
        return oct_cli_check(name, OCT_ERROR_MEMORY);
    }
    return CLI_YES;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add_folder(oct_array *paths, const char *folder, cli_name_fn *is_wanted,
                      const char *what)
{
    const size_t before = paths->count;
    DIR *const dir = opendir(folder);
    if (!dir) {
        return oct_cli_complain("%s: %s", folder, strerror(errno));
    }
    // The end of a folder and an error differ by errno alone.
    int code = CLI_YES;
    errno = 0;
    for (struct dirent *entry; code == CLI_YES && (entry = readdir(dir)) != NULL; errno = 0) {
        code = is_wanted(entry->d_name) ? add_path(paths, folder, entry->d_name) : CLI_YES;
    }
    if (code == CLI_YES && errno != 0) {
        code = oct_cli_complain("%s: %s", folder, strerror(errno));
    }
    closedir(dir);
    if (code == CLI_YES && paths->count == before) {
        return oct_cli_complain("%s: there is no %s in this folder", folder, what);
    }
    if (paths->count > before) {
        qsort((char **)paths->items + before, paths->count - before, sizeof(char *), compare_names);
    }
    return code;
}

int oct_cli_add_paths(oct_array *paths, const char *path, cli_name_fn *is_wanted, const char *what)
{
    return oct_cli_is_folder(path) ? add_folder(paths, path, is_wanted, what)
                                   : add_path(paths, "", path);
}

void oct_cli_free_paths(oct_array *paths)
{
    const oct_allocator allocator = oct_allocator_default();
    for (size_t i = 0; i < paths->count; i++) {
        free(((char **)paths->items)[i]);
    }
    oct_array_free(paths, &allocator, sizeof(char *));
}
