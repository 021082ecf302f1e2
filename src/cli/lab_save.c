// SPDX-License-Identifier: MIT
// Tasks of the laboratory as laboratory files: the map, or where it is, and all paths or none; and
// whole suites of maps and tasks.
#define _XOPEN_SOURCE 700
#include "cli/lab.h"

#include "octant/files.h"

#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 4096
#define SUFFIX_BYTES 32 // "-99999.json" and more

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

lab_file_path oct_lab_path_of(const lab_item *item, const lab_result *result)
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
                       [LAB_SIGHT_CHECKS] = (double)result->sight_checks,
                       [LAB_NODES] = (double)result->nodes,
                       [LAB_GRAPH_NODES] = result->has_size ? (double)result->size.nodes : -1.0,
                       [LAB_GRAPH_EDGES] = result->has_size ? (double)result->size.edges : -1.0},
        .points = (const double(*)[2])result->points,
        .point_count = result->points ? result->point_count : 0,
    };
}

// One task, with or without paths. `made_map` is the file of a map that is made, as one sees it
// from the laboratory file; NULL: it says how the map is made.
static int save_task(const char *path, const lab_plan *plan, const lab_map *map, size_t task,
                     const char *made_map, const lab_file_path *paths)
{
    lab_file file = {.map = map->file.map,
                     .has_ends = true,
                     .squeeze = plan->squeeze,
                     .paths = paths,
                     .path_count = paths ? (uint32_t)plan->item_count : 0};
    memcpy(file.start, map->tasks[task].from, sizeof file.start);
    memcpy(file.goal, map->tasks[task].to, sizeof file.goal);
    char *name = NULL;
    if (map->is_made && made_map) {
        file.map.kind = LAB_MAP_FILE;
        file.map.file = made_map;
    } else if (map->is_made) {
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

int oct_lab_save(const char *path, const lab_plan *plan, const lab_map *map,
                 const lab_result *results)
{
    lab_file_path paths[LAB_ITEMS_MAX];
    for (size_t i = 0; results && i < plan->item_count; i++) {
        paths[i] = oct_lab_path_of(&plan->items[i], &results[i]);
    }
    return save_task(path, plan, map, 0, NULL, results ? paths : NULL);
}

// ---- suites ----

typedef struct suite_path {
    char text[PATH_BYTES];
} suite_path;

// FOLDER/NAME of a source, where NAME is that of its file without folder and extension.
static int name_source(const lab_plan *plan, const lab_source *source, suite_path *out)
{
    char made[LAB_NAME_MAX];
    const char *name = made;
    size_t length;
    if (source->path) {
        const char *const slash = strrchr(source->path, '/');
        name = slash ? slash + 1 : source->path;
        const char *const dot = strrchr(name, '.');
        length = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    } else {
        oct_lab_name_made(&source->generate, made);
        length = strlen(made);
    }
    const int used = snprintf(out->text, sizeof out->text - SUFFIX_BYTES, "%s/%.*s", plan->suite,
                              (int)length, name);
    return used >= 0 && (size_t)used < sizeof out->text - SUFFIX_BYTES
               ? CLI_YES
               : oct_cli_complain("lab: --save-maps: a name is longer than %d bytes", PATH_BYTES);
}

static suite_path with_suffix(const suite_path *name, const char *suffix)
{
    suite_path out = *name;
    memcpy(out.text + strlen(out.text), suffix, strlen(suffix) + 1);
    return out;
}

static suite_path task_file(const suite_path *name, size_t task)
{
    char suffix[SUFFIX_BYTES];
    snprintf(suffix, sizeof suffix, "-%zu.json", task);
    return with_suffix(name, suffix);
}

static int add_source(const lab_plan *plan, const lab_source *source)
{
    suite_path name;
    CLI_TRY(name_source(plan, source, &name));
    if (!source->path) {
        const suite_path map = with_suffix(&name, ".map");
        CLI_TRY(oct_cli_files_add(plan->files, CLI_OUTPUT, "--save-maps", map.text));
    }
    for (size_t i = 0; i < source->task_count; i++) {
        const suite_path file = task_file(&name, i);
        CLI_TRY(oct_cli_files_add(plan->files, CLI_OUTPUT, "--save-maps", file.text));
    }
    return CLI_YES;
}

// Where no file is read none can be lost, and made maps have different names: then the first shows
// whether the folder is there.
int oct_lab_add_suite(const lab_plan *plan)
{
    const bool reads = plan->source_count > 0 && plan->sources[0].path;
    for (size_t i = 0; i < (reads ? plan->source_count : 1); i++) {
        CLI_TRY(add_source(plan, &plan->sources[i]));
    }
    return oct_cli_files_check(plan->files);
}

int oct_lab_save_suite(const lab_plan *plan, const lab_map *map, size_t *count)
{
    suite_path name;
    CLI_TRY(name_source(plan, map->source, &name));
    const suite_path made = with_suffix(&name, ".map");
    if (!map->source->path) {
        oct_error error = {.line = 0};
        const oct_result result =
            oct_tree_save(made.text, map->scene.tree, &map->scene.info, NULL, &error);
        CLI_TRY(oct_cli_check_file(made.text, result, &error));
        ++*count;
    }
    const char *const made_name = map->source->path ? NULL : strrchr(made.text, '/') + 1;
    for (size_t i = 0; i < map->task_count; i++) {
        const suite_path file = task_file(&name, i);
        CLI_TRY(save_task(file.text, plan, map, i, made_name, NULL));
        ++*count;
    }
    return CLI_YES;
}
