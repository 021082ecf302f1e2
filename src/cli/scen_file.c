// SPDX-License-Identifier: MIT
// Scenario files as commands see them: their queries, some or all, checked against the map.
#include "cli/scen_run.h"
#include "octant/tree.h"

#include "files/files_internal.h"
#include "octant/scenario.h"

#include <stdlib.h>
#include <string.h>

#define SCENARIO_BYTES_MAX (1u << 30)

// Whether a scenario is one for the map; complains if not.
static int check_fit(const char *path, const oct_scenario *file, const cli_scene *scene)
{
    const oct_box *const box = &scene->info.box;
    const int64_t across = (int64_t)box->max.x - box->min.x;
    const int64_t down = (int64_t)box->max.y - box->min.y;
    uint32_t width, height;
    if (oct_scenario_size(file, &width, &height) && (width != across || height != down)) {
        return oct_cli_complain("%s: it is for a map of %u x %u cells, but %s has %lld x %lld",
                                path, width, height, scene->path, (long long)across,
                                (long long)down);
    }
    return oct_scenario_count(file) > 0 ? CLI_YES
                                        : oct_cli_complain("%s: there is no query in it", path);
}

static int copy_queries(const char *path, const oct_scenario *file, scen_list *out)
{
    out->count = out->file_count = oct_scenario_count(file);
    out->queries = malloc(out->count * sizeof *out->queries);
    if (!out->queries) {
        return oct_cli_check(path, OCT_ERROR_MEMORY);
    }
    for (size_t i = 0; i < out->count; i++) {
        const oct_scenario_query q = oct_scenario_get(file, i);
        out->queries[i] = (scen_query){i, q.line, q.from, q.to, q.length};
    }
    return CLI_YES;
}

// The dimensions that the name of a scenario file promises: 2, 3, or 0 for any.
static int dims_of(const char *path)
{
    const char *const dot = strrchr(path, '.');
    if (dot && strcmp(dot, ".3dscen") == 0) {
        return 3;
    }
    return dot && strcmp(dot, ".scen") == 0 ? 2 : 0;
}

int oct_scen_load(const char *path, const cli_scene *scene, scen_list *out)
{
    *out = (scen_list){.count = 0};
    const oct_allocator memory = oct_allocator_default();
    const int dims = dims_of(path);
    if (dims != 0 && dims != scene->dims) {
        return oct_cli_complain("%s: its queries have %d dimensions, but %s has %d", path, dims,
                                scene->path, scene->dims);
    }
    oct_array bytes = {.count = 0};
    oct_error error = {.line = 0};
    oct_scenario *file = NULL;
    oct_result result = oct_file_read(path, SCENARIO_BYTES_MAX, &memory, &bytes, &error);
    if (result == OCT_OK) {
        result = oct_scenario_read((uint32_t)scene->dims, bytes.items, bytes.count, &memory, &file,
                                   &error);
    }
    int code = oct_cli_check_file(path, result, &error);
    if (code == CLI_YES) {
        code = check_fit(path, file, scene);
    }
    if (code == CLI_YES) {
        code = copy_queries(path, file, out);
    }
    oct_scenario_destroy(file);
    oct_array_free(&bytes, &memory, sizeof(uint8_t));
    return code;
}

void oct_scen_spread(scen_list *list, size_t limit)
{
    const size_t n = list->count;
    for (size_t k = 0; k < limit && limit < n; k++) {
        // floor(k n / limit) without the product, which may be too large.
        list->queries[k] = list->queries[n / limit * k + n % limit * k / limit];
    }
    list->count = limit < n ? limit : n;
}

// Every query has the same chance, and they stay in their order: Knuth's Algorithm S.
void oct_scen_sample(scen_list *list, size_t limit, uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    const size_t n = list->count;
    size_t kept = 0;
    for (size_t i = 0; i < n && kept < limit && limit < n; i++) {
        if (oct_random_below(&random, n - i) < limit - kept) {
            list->queries[kept++] = list->queries[i];
        }
    }
    list->count = limit < n ? kept : n;
}

static bool is_free(const cli_scene *scene, oct_vec cell, oct_unknown unknown)
{
    const oct_label label = oct_tree_label(scene->tree, cell);
    return oct_cli_scene_holds(scene, cell) &&
           (label == OCT_OPEN || (label == OCT_UNKNOWN && unknown != OCT_UNKNOWN_BLOCKED));
}

// Whether a cell's smallest corner touches a free cell.
static bool touches_free(const cli_scene *scene, oct_vec corner, oct_unknown unknown)
{
    for (int i = 0; i < 1 << scene->dims; i++) {
        const oct_vec cell = {corner.x - (i & 1), corner.y - (i >> 1 & 1), corner.z - (i >> 2)};
        if (is_free(scene, cell, unknown)) {
            return true;
        }
    }
    return false;
}

static bool has_room(const cli_scene *scene, oct_vec cell, oct_unknown unknown, bool corner)
{
    return corner ? touches_free(scene, cell, unknown) : is_free(scene, cell, unknown);
}

// What is wrong with a start or goal; NULL where nothing is.
static const char *fault_of(const cli_scene *scene, oct_vec cell, oct_unknown unknown, bool corner)
{
    if (has_room(scene, cell, unknown, corner)) {
        return NULL;
    }
    if (corner) {
        return "touches no free cell of";
    }
    return !oct_cli_scene_holds(scene, cell)                  ? "lies outside"
           : oct_tree_label(scene->tree, cell) == OCT_UNKNOWN ? "is unknown, which counts as "
                                                                "blocked, in"
                                                              : "is blocked in";
}

static int check_end(const char *path, const scen_query *query, const char *name, oct_vec cell,
                     const cli_scene *scene, oct_unknown unknown, bool corner)
{
    const char *const what = fault_of(scene, cell, unknown, corner);
    if (!what) {
        return CLI_YES;
    }
    char text[96];
    const oct_point at = {cell.x, cell.y, cell.z};
    return oct_cli_complain(
        "%s:%u: the %s, %s %s, %s %s", path, query->line, name, corner ? "corner" : "cell",
        oct_cli_point_text(scene->dims, at, text, sizeof text), what, scene->path);
}

int oct_scen_leave_out(const char *path, const cli_scene *scene, const oct_query *query,
                       bool corner, scen_list *list)
{
    const oct_unknown unknown = query->terms.unknown;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const scen_query q = list->queries[i];
        if (has_room(scene, q.from, unknown, corner) && has_room(scene, q.to, unknown, corner)) {
            list->queries[kept++] = q;
        }
    }
    list->left_out = list->count - kept;
    list->count = kept;
    return kept > 0 ? CLI_YES
                    : oct_cli_complain("%s: the body has no room at any start and goal", path);
}

int oct_scen_check(const char *path, const scen_list *list, const cli_scene *scene,
                   const oct_query *query, bool corner)
{
    for (size_t i = 0; i < list->count; i++) {
        const scen_query *const q = &list->queries[i];
        CLI_TRY(check_end(path, q, "start", q->from, scene, query->terms.unknown, corner));
        CLI_TRY(check_end(path, q, "goal", q->to, scene, query->terms.unknown, corner));
    }
    return CLI_YES;
}
