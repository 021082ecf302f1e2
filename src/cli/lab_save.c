// SPDX-License-Identifier: MIT
// A task of the laboratory as a laboratory file: the map, or where it is, and all paths.
#define _XOPEN_SOURCE 700
#include "cli/lab.h"

#include <stdlib.h>
#include <string.h>

// The folder of a path, in full; NULL where there is none.
static char *folder_of(const char *path)
{
    const char *const slash = strrchr(path, '/');
    if (!slash) {
        return realpath(".", NULL);
    }
    char *const folder = strdup(path);
    if (!folder) {
        return NULL;
    }
    folder[slash == path ? 1 : slash - path] = '\0';
    char *const full = realpath(folder, NULL);
    free(folder);
    return full;
}

// How one gets from a folder to a file, both in full; NULL where memory is short.
static char *relative(const char *folder, const char *file)
{
    size_t common = 0; // behind the last '/' that both have
    size_t i = 0;
    for (; folder[i] && folder[i] == file[i]; i++) {
        common = folder[i] == '/' ? i + 1 : common;
    }
    if (!folder[i] && file[i] == '/') {
        common = i + 1;
    }
    size_t ups = 0;
    const size_t length = strlen(folder);
    for (size_t at = common; at < length; at++) {
        ups += folder[at - 1] == '/'; // both begin with one
    }
    char *const out = malloc(3 * ups + strlen(file + common) + 1);
    if (out) {
        for (size_t k = 0; k < ups; k++) {
            memcpy(out + 3 * k, "../", 3);
        }
        strcpy(out + 3 * ups, file + common);
    }
    return out;
}

// The name of a map file as the laboratory file beside it would say it; NULL where that fails.
static char *name_beside(const char *lab_path, const char *map_path)
{
    char *const folder = folder_of(lab_path);
    char *const file = realpath(map_path, NULL);
    char *const out = folder && file ? relative(folder, file) : NULL;
    free(folder);
    free(file);
    return out;
}

static bool is_utf8(const char *name)
{
    json_t *const text = json_string(name);
    json_decref(text);
    return text != NULL;
}

static lab_file_path path_of(const lab_item *item, const lab_result *result)
{
    const bool found = result->status == OCT_PATH_FOUND;
    return (lab_file_path){
        .algorithm = oct_lab_algorithm_name(item->algorithm),
        .graph = oct_lab_graph_name(item->graph),
        .variant = item->variant,
        .status = result->status,
        .statistics = {[LAB_LENGTH] = found ? result->length : -1.0,
                       [LAB_TURNING_DEGREES] = found ? result->turning_degrees : -1.0,
                       [LAB_GRAPH_US] = oct_lab_csv_round(result->graph_us),
                       [LAB_PATH_US] = oct_lab_csv_round(result->path_us),
                       [LAB_EXPANDED] = (double)result->expanded,
                       [LAB_SIGHT_CHECKS] = (double)result->sight_checks},
        .points = (const double(*)[2])result->points,
        .point_count = result->points ? result->point_count : 0,
    };
}

int oct_lab_save(const char *path, const lab_plan *plan, const lab_map *map,
                 const lab_result *results)
{
    lab_file_path paths[LAB_ITEMS_MAX];
    lab_file file = {.map = map->file.map,
                     .has_ends = true,
                     .squeeze = plan->squeeze,
                     .paths = paths,
                     .path_count = (uint32_t)plan->item_count};
    memcpy(file.start, map->tasks[0].from, sizeof file.start);
    memcpy(file.goal, map->tasks[0].to, sizeof file.goal);
    for (size_t i = 0; i < plan->item_count; i++) {
        paths[i] = path_of(&plan->items[i], &results[i]);
    }
    char *name = NULL;
    if (map->is_made) {
        file.map.kind = LAB_MAP_GENERATE;
        file.map.generate = map->generate;
    } else if (file.map.kind == LAB_MAP_FILE) {
        name = name_beside(path, map->file_path ? map->file_path : map->name);
        file.map.file = name;
        if (!name || !is_utf8(name)) {
            free(name);
            return oct_cli_complain("%s: cannot say in JSON where %s is", path, map->name);
        }
    }
    oct_error error = {.line = 0};
    const oct_result result = oct_lab_file_save(path, &file, NULL, &error);
    free(name);
    return oct_cli_check_file(path, result, &error);
}
