// SPDX-License-Identifier: MIT
// The laboratory's maps, however they come, and the tasks in them.
//
// What is drawn at random depends on the seed and the map alone, never on what else is run: so rows
// can be compared between runs.
#include "cli/lab.h"
#include "octant/components.h"
#include "octant/tree.h"

#include "base/base_internal.h"
#include "cli/scen_run.h"

#include <stdlib.h>
#include <string.h>

#define LIST_MAX 64
#define MAPS_MAX 1000000
#define COVERAGE_MAX 99.0
#define NAME_BYTES_MAX 4096

// Points that are drawn for a task at most, and goals for one start.
#define DRAWS_MAX (1u << 20)
#define GOALS_MAX 256u

// ---- sources ----

static int add_sources(lab_plan *plan, size_t count, lab_source **out)
{
    lab_source *const all =
        realloc(plan->sources, (plan->source_count + count) * sizeof *plan->sources);
    if (!all) {
        return oct_cli_check("lab", OCT_ERROR_MEMORY);
    }
    plan->sources = all;
    *out = all + plan->source_count;
    memset(*out, 0, count * sizeof **out);
    plan->source_count += count;
    return CLI_YES;
}

// Numbers of an option; complains where one is out of range, not whole, or there twice.
static int read_list(const char *option, const char *text, double min, double max, bool whole,
                     double out[LIST_MAX], size_t *count)
{
    const int read = oct_cli_read_numbers(text, out, LIST_MAX);
    bool good = read > 0;
    for (int i = 0; i < read && good; i++) {
        good = out[i] >= min && out[i] <= max && (!whole || out[i] == (double)(int64_t)out[i]);
    }
    if (!good) {
        return oct_cli_complain("lab: --%s must be %snumbers from %.0f to %.0f such as %s, not "
                                "'%s'",
                                option, whole ? "whole " : "", min, max,
                                min > 0.0 ? "64,128" : "10,20", text);
    }
    for (int i = 0; i < read; i++) {
        for (int j = 0; j < i; j++) {
            if (out[i] == out[j]) {
                return oct_cli_complain("lab: --%s has %.9g twice", option, out[i]);
            }
        }
    }
    *count = (size_t)read;
    return CLI_YES;
}

int oct_lab_plan_made(const char *sizes, const char *coverages, const char *clusterings,
                      size_t maps, lab_plan *plan)
{
    double size[LIST_MAX], coverage[LIST_MAX], clustering[LIST_MAX];
    size_t size_count, coverage_count, clustering_count;
    CLI_TRY(
        read_list("size", sizes, LAB_FILE_SIZE_MIN, LAB_FILE_SIZE_MAX, true, size, &size_count));
    CLI_TRY(read_list("coverage", coverages, 0.0, COVERAGE_MAX, false, coverage, &coverage_count));
    CLI_TRY(read_list("clustering", clusterings, 0.0, LAB_FILE_CLUSTERING_MAX, true, clustering,
                      &clustering_count));
    const size_t kinds = size_count * coverage_count * clustering_count;
    if (maps > MAPS_MAX / kinds) {
        return oct_cli_complain("lab: these are more than %d maps", MAPS_MAX);
    }
    lab_source *source = NULL;
    CLI_TRY(add_sources(plan, kinds * maps, &source));
    for (size_t i = 0; i < kinds * maps; i++) {
        const size_t kind = i / maps;
        source[i].task_count = plan->tasks;
        source[i].generate = (lab_generate){
            .size = (uint32_t)size[kind / clustering_count / coverage_count],
            .coverage = coverage[kind / clustering_count % coverage_count],
            .clustering = (uint32_t)clustering[kind % clustering_count],
            .seed = plan->seed + i % maps,
        };
    }
    return CLI_YES;
}

int oct_lab_plan_files(const char *const *paths, size_t count, lab_plan *plan)
{
    lab_source *source = NULL;
    CLI_TRY(count > 0 ? add_sources(plan, count, &source) : CLI_YES);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(paths[i], paths[j]) == 0) {
                return oct_cli_complain("lab: %s is there twice", paths[i]);
            }
        }
        source[i].path = paths[i];
        lab_map map;
        CLI_TRY(oct_lab_open_map(plan, &source[i], &map));
        source[i].task_count = map.task_count;
        source[i].asks_squeeze = map.file.squeeze;
        const int code =
            map.file_path ? oct_cli_files_add(plan->files, CLI_FILE, "", map.file_path) : CLI_YES;
        oct_lab_close_map(&map);
        CLI_TRY(code);
    }
    return oct_cli_files_check(plan->files);
}

int oct_lab_plan_squeeze(lab_plan *plan)
{
    const lab_source *asks = NULL, *other = NULL;
    for (size_t i = 0; i < plan->source_count; i++) {
        if (plan->sources[i].asks_squeeze) {
            asks = asks ? asks : &plan->sources[i];
        } else {
            other = other ? other : &plan->sources[i];
        }
    }
    if (asks && other && !plan->squeeze) {
        return oct_cli_complain("lab: %s asks for squeezing, and %s does not; --squeeze has it in "
                                "all maps",
                                asks->path, other->path ? other->path : "a generated map");
    }
    plan->squeeze = plan->squeeze || asks;
    return CLI_YES;
}

// ---- maps ----

// A file's name as one sees it from where a laboratory file is. NULL where memory is short.
static char *beside(const char *lab_path, const char *name)
{
    const char *const slash = strrchr(lab_path, '/');
    const size_t folder = name[0] == '/' || !slash ? 0 : (size_t)(slash - lab_path) + 1;
    char *const out = malloc(folder + strlen(name) + 1);
    if (out) {
        memcpy(out, lab_path, folder);
        strcpy(out + folder, name);
    }
    return out;
}

static int generate(const char *name, const lab_generate *what, cli_map *map)
{
    const oct_result result = oct_lab_generate(what, &map->tree, &map->info);
    return oct_cli_check(name, result);
}

// The map of a laboratory file.
static int read_lab_map(const char *path, lab_map *out, cli_map *map)
{
    const lab_file_map *const where = &out->file.map;
    oct_error error = {.line = 0};
    if (where->kind == LAB_MAP_GENERATE) {
        out->is_made = true;
        out->generate = where->generate;
        return generate(path, &where->generate, map);
    }
    const oct_tree_def def = oct_tree_def_default();
    if (where->kind == LAB_MAP_ROWS) {
        const oct_result result = oct_lab_file_tree(where, &def, &map->tree, &map->info, &error);
        return oct_cli_check_file(path, result, &error);
    }
    out->file_path = beside(path, where->file);
    if (!out->file_path) {
        return oct_cli_check(path, OCT_ERROR_MEMORY);
    }
    oct_result result = oct_file_check_source(out->file_path, &error);
    if (result == OCT_OK) {
        result = oct_tree_load(out->file_path, &def, &map->tree, &map->info, &map->kind, &error);
    }
    if (result == OCT_ERROR_FILE) {
        return oct_cli_complain("%s: its map, %s: %s", path, out->file_path, error.message);
    }
    return oct_cli_check_file(out->file_path, result, &error);
}

void oct_lab_name_made(const lab_generate *what, char out[LAB_NAME_MAX])
{
    snprintf(out, LAB_NAME_MAX, "potential-%u-%.9g-%u-%llu", what->size, what->coverage,
             what->clustering, (unsigned long long)what->seed);
}

static int read_map(const lab_source *source, lab_map *out, cli_map *map)
{
    if (!source->path) {
        const lab_generate *const g = &source->generate;
        oct_lab_name_made(g, out->made_name);
        out->name = out->made_name;
        out->is_made = true;
        out->generate = *g;
        return generate(out->name, g, map);
    }
    out->name = source->path;
    if (!oct_world_is_target(source->path)) {
        return oct_cli_load(source->path, map);
    }
    oct_error error = {.line = 0};
    const oct_result result = oct_lab_file_load(source->path, NULL, &out->file, &error);
    return result == OCT_OK ? read_lab_map(source->path, out, map)
                            : oct_cli_check_file(source->path, result, &error);
}

static int measure(lab_map *map)
{
    uint64_t counts[3] = {0};
    const oct_result result = oct_tree_count(map->scene.tree, map->scene.info.box, counts);
    CLI_TRY(oct_cli_check(map->name, result));
    const uint64_t cells = counts[OCT_UNKNOWN] + counts[OCT_OPEN] + counts[OCT_BLOCKED];
    map->coverage = map->is_made
                        ? map->generate.coverage
                        : 100.0 * (double)(cells - counts[OCT_OPEN]) / (double)(cells ? cells : 1);
    return counts[OCT_OPEN] > 0 ? CLI_YES
                                : oct_cli_complain("%s: there is no free cell in it", map->name);
}

// ---- random tasks ----

static bool is_free(const cli_scene *scene, int32_t x, int32_t y)
{
    const oct_vec cell = {x, y, 0};
    return oct_cli_scene_holds(scene, cell) && oct_tree_label(scene->tree, cell) == OCT_OPEN;
}

// A point that a path can begin at, and what it is connected with. False where the one that was
// drawn is none: inside something, or where two free cells meet in a corner alone, which without
// squeezing is two places.
static bool draw_point(const lab_plan *plan, const cli_scene *scene,
                       const oct_components *components, oct_random *random, double out[2],
                       uint32_t *component)
{
    const oct_box *const box = &scene->info.box;
    const int32_t last = plan->centre ? 1 : 0; // corners lie on the far sides as well
    const int32_t x = oct_random_range(random, box->min.x, box->max.x - last);
    const int32_t y = oct_random_range(random, box->min.y, box->max.y - last);
    const int around = plan->centre ? 1 : 4;
    uint32_t free_cells = 0;
    for (int i = 0; i < around; i++) {
        const oct_vec cell = {x - (i & 1), y - (i >> 1), 0};
        if (is_free(scene, cell.x, cell.y)) {
            free_cells |= 1u << i;
            *component = oct_components_at(components, cell);
        }
    }
    const double inside = plan->centre ? 0.5 : 0.0;
    out[0] = x + inside;
    out[1] = y + inside;
    return free_cells != 0 && free_cells != 6 && free_cells != 9;
}

static bool draw_task(const lab_plan *plan, const cli_scene *scene,
                      const oct_components *components, oct_random *random, lab_task *out)
{
    uint32_t from = 0, to = 0;
    for (uint32_t draws = 0; draws < DRAWS_MAX; draws++) {
        if (!draw_point(plan, scene, components, random, out->from, &from)) {
            continue;
        }
        for (uint32_t goals = 0; goals < GOALS_MAX; goals++, draws++) {
            if (draw_point(plan, scene, components, random, out->to, &to) && from == to &&
                (out->from[0] != out->to[0] || out->from[1] != out->to[1])) {
                return true;
            }
        }
    }
    return false;
}

static int draw_tasks(const lab_plan *plan, lab_map *map)
{
    oct_components_def def = oct_components_def_default();
    def.tree = map->scene.tree;
    oct_components *components;
    const oct_result result = oct_components_create(&def, &components);
    CLI_TRY(oct_cli_check(map->name, result));
    oct_random random = oct_random_seed(map->is_made ? map->generate.seed : plan->seed);
    int code = CLI_YES;
    for (size_t i = 0; i < map->task_count && code == CLI_YES; i++) {
        if (!draw_task(plan, &map->scene, components, &random, &map->tasks[i])) {
            code = oct_cli_complain("%s: found no two points that are connected", map->name);
        }
    }
    oct_components_destroy(components);
    return code;
}

// ---- tasks ----

static int make_room(lab_map *map, size_t count)
{
    map->task_count = count;
    map->tasks = calloc(count, sizeof *map->tasks);
    return map->tasks ? CLI_YES : oct_cli_check(map->name, OCT_ERROR_MEMORY);
}

static int load_tasks(const lab_plan *plan, lab_map *map)
{
    scen_list list;
    const oct_query query = oct_query_default();
    int code = oct_scen_load(plan->scen, &map->scene, &list);
    if (code == CLI_YES) {
        oct_scen_spread(&list, plan->limit ? plan->limit : list.count);
        code = oct_scen_check(plan->scen, &list, &map->scene, &query, !plan->centre);
    }
    if (code == CLI_YES && list.count > LAB_TASKS_MAX) {
        code = oct_cli_complain("%s: these are more than %d queries; --limit takes some of them",
                                plan->scen, LAB_TASKS_MAX);
    }
    if (code == CLI_YES) {
        code = make_room(map, list.count);
    }
    const double inside = plan->centre ? 0.5 : 0.0;
    for (size_t i = 0; i < list.count && code == CLI_YES; i++) {
        const scen_query *const q = &list.queries[i];
        map->tasks[i] = (lab_task){{q->from.x + inside, q->from.y + inside},
                                   {q->to.x + inside, q->to.y + inside}};
    }
    free(list.queries);
    return code;
}

static int check_end(const lab_map *map, const char *name, const double at[2])
{
    const oct_box *const box = &map->scene.info.box;
    if (at[0] >= box->min.x && at[0] <= box->max.x && at[1] >= box->min.y && at[1] <= box->max.y) {
        return CLI_YES;
    }
    return oct_cli_complain("%s: the %s, (%.9g, %.9g), is not in the map, which begins at (%d, %d) "
                            "and ends at (%d, %d)",
                            map->name, name, at[0], at[1], box->min.x, box->min.y, box->max.x,
                            box->max.y);
}

static int take_ends(lab_map *map)
{
    CLI_TRY(check_end(map, "start", map->file.start));
    CLI_TRY(check_end(map, "goal", map->file.goal));
    CLI_TRY(make_room(map, 1));
    memcpy(map->tasks[0].from, map->file.start, sizeof map->file.start);
    memcpy(map->tasks[0].to, map->file.goal, sizeof map->file.goal);
    return CLI_YES;
}

static int find_tasks(const lab_plan *plan, lab_map *map)
{
    if (plan->scen) {
        return load_tasks(plan, map);
    }
    if (map->file.has_ends && !plan->tasks_given) {
        return take_ends(map);
    }
    CLI_TRY(make_room(map, plan->tasks));
    return draw_tasks(plan, map);
}

// Rows are lines, and their fields need room.
static int check_name(const char *name)
{
    for (const char *at = name; *at; at++) {
        if ((unsigned char)*at < 0x20) {
            return oct_cli_complain("%s: a name with control characters cannot stand in a row",
                                    name);
        }
    }
    return strlen(name) < NAME_BYTES_MAX
               ? CLI_YES
               : oct_cli_complain("lab: a name is longer than %d bytes", NAME_BYTES_MAX);
}

// The map is to be closed in any case.
static int fill_map(const lab_plan *plan, const lab_source *source, lab_map *out)
{
    cli_map map = {.tree = NULL};
    CLI_TRY(source->path ? check_name(source->path) : CLI_YES);
    CLI_TRY(read_map(source, out, &map));
    CLI_TRY(oct_cli_take_map(out->name, &map, &out->scene));
    if (out->scene.dims != 2) {
        return oct_cli_complain("%s: it has %d dimensions; the laboratory's maps have 2", out->name,
                                out->scene.dims);
    }
    CLI_TRY(measure(out));
    return find_tasks(plan, out);
}

int oct_lab_open_map(const lab_plan *plan, const lab_source *source, lab_map *out)
{
    *out = (lab_map){.source = source};
    const int code = fill_map(plan, source, out);
    if (code != CLI_YES) {
        oct_lab_close_map(out);
    }
    return code;
}

void oct_lab_close_map(lab_map *map)
{
    oct_cli_close_scene(&map->scene);
    oct_lab_file_free(&map->file);
    free(map->file_path);
    free(map->tasks);
}
