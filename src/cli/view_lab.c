// SPDX-License-Identifier: MIT
// The laboratory's map, from files and to them, and its edits.
#include "cli/view_lab.h"
#include "cli/view_asking.h"
#include "octant/names.h"
#include "octant/tree.h"

#include <stdlib.h>
#include <string.h>

#define EDGE_USUAL 32
#define UPLOAD_MAX (32u << 20)
#define RUNS_MAX 4000 // of an edit

// ---- life ----

void oct_cli_lab_forget(view_lab *lab)
{
    for (size_t i = 0; lab->results && i < lab->plan.item_count; i++) {
        free(lab->results[i].points);
    }
    free(lab->results);
    lab->results = NULL;
    oct_lab_file_free(&lab->loaded);
    lab->loaded = (lab_file){.path_count = 0};
}

void oct_cli_lab_close(view_lab *lab)
{
    const oct_allocator memory = oct_allocator_default();
    oct_cli_lab_forget(lab);
    free(lab->rows);
    oct_array_free(&lab->upload, &memory, 1);
    *lab = (view_lab){.rows = NULL};
}

// An empty map.
static bool make_rows(view_lab *lab, uint32_t width, uint32_t height)
{
    char *const rows = malloc((size_t)width * height);
    if (!rows) {
        return false;
    }
    memset(rows, '.', (size_t)width * height);
    oct_cli_lab_forget(lab);
    free(lab->rows);
    lab->rows = rows;
    lab->width = width;
    lab->height = height;
    return true;
}

bool oct_cli_lab_take(view_lab *lab, const oct_tree *tree, oct_box box)
{
    const int64_t width = (int64_t)box.max.x - box.min.x, height = (int64_t)box.max.y - box.min.y;
    if (oct_tree_dims(tree) != 2 || width < 1 || height < 1 || width > VIEW_LAB_EDGE_MAX ||
        height > VIEW_LAB_EDGE_MAX || !make_rows(lab, (uint32_t)width, (uint32_t)height)) {
        return false;
    }
    for (int32_t y = 0; y < (int32_t)height; y++) {
        for (int32_t x = 0; x < (int32_t)width; x++) {
            const oct_vec cell = {box.min.x + x, box.min.y + y, 0};
            if (oct_tree_label(tree, cell) != OCT_OPEN) {
                lab->rows[(size_t)y * lab->width + (size_t)x] = '@';
            }
        }
    }
    return true;
}

int oct_cli_lab_begin(view_lab *lab, const char *path, cli_files *files)
{
    *lab = (view_lab){.rows = NULL};
    if (!path) {
        return make_rows(lab, EDGE_USUAL, EDGE_USUAL) ? CLI_YES
                                                      : oct_cli_check("view", OCT_ERROR_MEMORY);
    }
    lab_plan plan = {.files = files, .tasks = 1};
    lab_map map;
    int code = oct_lab_plan_files(&path, 1, &plan);
    if (code == CLI_YES) {
        code = oct_lab_open_map(&plan, &plan.sources[0], &map);
    }
    if (code == CLI_YES) {
        if (oct_cli_lab_take(lab, map.scene.tree, map.scene.info.box)) {
            lab->loaded = map.file;
            map.file = (lab_file){.path_count = 0};
        } else {
            code = oct_cli_complain("%s: the laboratory's page has maps of at most %d cells along "
                                    "an edge",
                                    path, VIEW_LAB_EDGE_MAX);
        }
        oct_lab_close_map(&map);
    }
    free(plan.sources);
    return code;
}

// ---- parts of questions ----

static bool get_lab(view_asking *a, view_lab **out)
{
    view_item *item;
    if (!oct_cli_ask_item(a, VIEW_LAB, &item)) {
        return false;
    }
    *out = item->lab;
    return true;
}

static json_t *path_json(const lab_file_path *path)
{
    static const char *const keys[LAB_STATISTIC_COUNT] = {
        [LAB_LENGTH] = "length",         [LAB_TURNING_DEGREES] = "turning",
        [LAB_GRAPH_US] = "graphUs",      [LAB_PATH_US] = "pathUs",
        [LAB_EXPANDED] = "expanded",     [LAB_SIGHT_CHECKS] = "sightChecks",
        [LAB_NODES] = "nodes",           [LAB_GRAPH_NODES] = "graphNodes",
        [LAB_GRAPH_EDGES] = "graphEdges"};
    json_t *const o =
        json_pack("{s:o, s:o, s:o, s:s}", "algorithm", oct_cli_name_json(path->algorithm), "graph",
                  oct_cli_name_json(path->graph), "variant",
                  oct_cli_name_json(path->variant ? path->variant : ""), "status",
                  oct_path_status_name(path->status));
    for (int i = 0; i < LAB_STATISTIC_COUNT; i++) {
        json_object_set_new(
            o, keys[i], path->statistics[i] >= 0.0 ? json_real(path->statistics[i]) : json_null());
    }
    json_t *const points = json_array();
    for (uint32_t i = 0; i < path->point_count; i++) {
        json_array_append_new(points, json_pack("[f, f]", path->points[i][0], path->points[i][1]));
    }
    json_object_set_new(o, "points", points);
    return o;
}

static json_t *paths_json(const view_lab *lab)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; i < lab->loaded.path_count; i++) {
        json_array_append_new(list, path_json(&lab->loaded.paths[i]));
    }
    for (size_t i = 0; lab->results && i < lab->plan.item_count; i++) {
        const lab_file_path path = oct_lab_path_of(&lab->plan.items[i], &lab->results[i]);
        json_t *const o = path_json(&path);
        json_object_set_new(o, "name", json_string(lab->plan.items[i].name));
        json_object_set_new(o, "optimum",
                            lab->results[i].optimum >= 0.0 ? json_real(lab->results[i].optimum)
                                                           : json_null());
        json_array_append_new(list, o);
    }
    return list;
}

// ---- what there is ----

static json_t *graphs_json(oct_lab_algorithm algorithm)
{
    json_t *const list = json_array();
    for (int i = 0; i < OCT_LAB_GRAPH_USER; i++) {
        if (oct_lab_serves(algorithm, (oct_lab_graph)i)) {
            json_array_append_new(list, json_string(oct_lab_graph_name((oct_lab_graph)i)));
        }
    }
    return list;
}

static json_t *algorithms_json(void)
{
    json_t *const list = json_array();
    for (int i = 0; i < OCT_LAB_ALGORITHM_COUNT; i++) {
        const char *const name = oct_lab_algorithm_name((oct_lab_algorithm)i);
        if (name) {
            json_array_append_new(list, json_pack("{s:s, s:o}", "name", name, "graphs",
                                                  graphs_json((oct_lab_algorithm)i)));
        }
    }
    return list;
}

static json_t *heuristics_json(void)
{
    json_t *const list = json_array();
    for (int i = 0; i < OCT_LAB_HEURISTIC_COUNT; i++) {
        json_array_append_new(list, json_string(oct_lab_heuristic_name((oct_lab_heuristic)i)));
    }
    return list;
}

static json_t *usual_json(void)
{
    json_t *const list = json_array();
    lab_plan plan = {.item_count = 0};
    if (oct_lab_read_items(NULL, OCT_LAB_HEURISTIC_DEFAULT, &plan) == CLI_YES) {
        for (size_t i = 0; i < plan.item_count; i++) {
            json_array_append_new(list, json_string(plan.items[i].name));
        }
    }
    return list;
}

static bool say_lab(view_asking *a, const view_lab *lab)
{
    json_t *const o = json_pack("{s:i, s:i, s:o, s:o, s:o, s:o, s:b}", "width", (int)lab->width,
                                "height", (int)lab->height, "algorithms", algorithms_json(),
                                "heuristics", heuristics_json(), "usual", usual_json(), "paths",
                                paths_json(lab), "squeeze", (int)lab->loaded.squeeze);
    if (lab->loaded.has_ends) {
        json_object_set_new(o, "start",
                            json_pack("[f, f]", lab->loaded.start[0], lab->loaded.start[1]));
        json_object_set_new(o, "goal",
                            json_pack("[f, f]", lab->loaded.goal[0], lab->loaded.goal[1]));
    }
    return oct_cli_say_json(a, o);
}

bool oct_cli_tell_lab(view_asking *a)
{
    view_lab *lab;
    return get_lab(a, &lab) && say_lab(a, lab);
}

bool oct_cli_tell_lab_rows(view_asking *a)
{
    view_lab *lab;
    return get_lab(a, &lab) && oct_cli_say_head(a, ANSWER_ROWS, lab->width, lab->height) &&
           oct_cli_say_bytes(a, lab->rows, (size_t)lab->width * lab->height);
}

// ---- edits ----

bool oct_cli_tell_lab_new(view_asking *a)
{
    view_lab *lab;
    json_int_t width, height;
    if (!get_lab(a, &lab) || !oct_cli_ask_integer(a, "width", 1, VIEW_LAB_EDGE_MAX, &width) ||
        !oct_cli_ask_integer(a, "height", 1, VIEW_LAB_EDGE_MAX, &height)) {
        return false;
    }
    return make_rows(lab, (uint32_t)width, (uint32_t)height)
               ? say_lab(a, lab)
               : oct_cli_ask_refuse(a, "memory is short");
}

bool oct_cli_tell_lab_generate(view_asking *a)
{
    view_lab *lab;
    json_int_t size, clustering, seed;
    const json_t *const coverage = json_object_get(a->question, "coverage");
    if (!get_lab(a, &lab) ||
        !oct_cli_ask_integer(a, "size", LAB_FILE_SIZE_MIN, VIEW_LAB_EDGE_MAX, &size) ||
        !oct_cli_ask_integer(a, "clustering", 0, LAB_FILE_CLUSTERING_MAX, &clustering) ||
        !oct_cli_ask_integer(a, "seed", 0, (json_int_t)1 << 52, &seed)) {
        return false;
    }
    const double percent = json_number_value(coverage);
    if (!json_is_number(coverage) || !(percent >= 0.0 && percent <= 100.0)) {
        return oct_cli_ask_refuse(a, "coverage: a percentage");
    }
    const lab_generate what = {(uint32_t)size, percent, (uint32_t)clustering, (uint64_t)seed};
    oct_tree *tree;
    oct_tree_info info;
    const oct_result result = oct_lab_generate(&what, &tree, &info);
    if (result != OCT_OK) {
        return oct_cli_ask_refuse(a, oct_result_text(result));
    }
    const bool done = oct_cli_lab_take(lab, tree, info.box);
    oct_tree_destroy(tree);
    return done ? say_lab(a, lab) : oct_cli_ask_refuse(a, "memory is short");
}

// Runs of cells in rows: x, y, how many, 0 or 1 for blocked; one after the other.
bool oct_cli_tell_lab_edit(view_asking *a)
{
    view_lab *lab;
    json_t *const list = json_object_get(a->question, "runs");
    const size_t count = json_array_size(list);
    if (!get_lab(a, &lab)) {
        return false;
    }
    if (!json_is_array(list) || count % 4 != 0 || count > 4 * (size_t)RUNS_MAX) {
        return oct_cli_ask_refuse(a, "runs");
    }
    // All are looked at before any counts.
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i += 4) {
            json_int_t v[4];
            for (size_t k = 0; k < 4; k++) {
                const json_t *const value = json_array_get(list, i + k);
                v[k] = json_is_integer(value) ? json_integer_value(value) : -1;
            }
            if (v[0] < 0 || v[1] < 0 || v[1] >= lab->height || v[2] < 1 || v[0] >= lab->width ||
                v[2] > lab->width - v[0] || v[3] < 0 || v[3] > 1) {
                return oct_cli_ask_refuse(a, "runs");
            }
            if (pass == 1) {
                memset(lab->rows + (size_t)v[1] * lab->width + (size_t)v[0], v[3] ? '@' : '.',
                       (size_t)v[2]);
            }
        }
    }
    oct_cli_lab_forget(lab);
    return oct_cli_say_json(a, json_pack("{s:I}", "runs", (json_int_t)(count / 4)));
}

// ---- files ----

static bool put_answer(void *ctx, const void *data, size_t size)
{
    return oct_cli_say_bytes(ctx, data, size);
}

static bool write_map(view_asking *a, const view_lab *lab)
{
    const lab_file_map map = {
        .kind = LAB_MAP_ROWS, .rows = lab->rows, .width = lab->width, .height = lab->height};
    const oct_tree_def def = oct_tree_def_default();
    oct_error error = {.line = 0};
    oct_tree *tree;
    oct_tree_info info;
    oct_result result = oct_lab_file_tree(&map, &def, &tree, &info, &error);
    if (result == OCT_OK) {
        result = oct_tree_write(OCT_FORMAT_MAP, tree, &info, put_answer, a, &error);
        oct_tree_destroy(tree);
    }
    return result == OCT_OK || oct_cli_ask_refuse(a, oct_result_text(result));
}

static bool get_pair(view_asking *a, const char *key, double out[2])
{
    json_t *const list = json_object_get(a->question, key);
    for (size_t i = 0; i < 2; i++) {
        const json_t *const value = json_array_get(list, i);
        out[i] = json_number_value(value);
        if (!json_is_number(value)) {
            return oct_cli_ask_refuse(a, key);
        }
    }
    return true;
}

bool oct_cli_ask_task(view_asking *a, const view_lab *lab, lab_task *out)
{
    if (!get_pair(a, "from", out->from) || !get_pair(a, "to", out->to)) {
        return false;
    }
    const double *const ends[] = {out->from, out->to};
    for (int i = 0; i < 2; i++) {
        if (!(ends[i][0] >= 0.0 && ends[i][0] <= lab->width && ends[i][1] >= 0.0 &&
              ends[i][1] <= lab->height)) {
            return oct_cli_ask_refuse(a, i ? "the goal is not in the map"
                                           : "the start is not in the map");
        }
    }
    return true;
}

static bool write_lab(view_asking *a, const view_lab *lab, bool with_paths)
{
    lab_file_path paths[LAB_ITEMS_MAX];
    lab_task task = {{0.0, 0.0}, {0.0, 0.0}};
    lab_file file = {.map = {.kind = LAB_MAP_ROWS,
                             .rows = lab->rows,
                             .width = lab->width,
                             .height = lab->height},
                     .has_ends = json_object_get(a->question, "from") != NULL,
                     .squeeze = json_is_true(json_object_get(a->question, "squeeze"))};
    if (file.has_ends && !oct_cli_ask_task(a, lab, &task)) {
        return false;
    }
    memcpy(file.start, task.from, sizeof file.start);
    memcpy(file.goal, task.to, sizeof file.goal);
    if (with_paths && lab->results) {
        for (size_t i = 0; i < lab->plan.item_count; i++) {
            paths[i] = oct_lab_path_of(&lab->plan.items[i], &lab->results[i]);
        }
        file.paths = paths;
        file.path_count = (uint32_t)lab->plan.item_count;
    } else if (with_paths) {
        file.paths = lab->loaded.paths;
        file.path_count = lab->loaded.path_count;
    }
    const oct_result result = oct_lab_file_encode(&file, put_answer, a);
    return result == OCT_OK || oct_cli_ask_refuse(a, oct_result_text(result));
}

// A file to keep: "map", "lab" or "paths" (a laboratory file with what was found).
bool oct_cli_tell_lab_file(view_asking *a)
{
    view_lab *lab;
    const char *const kind = json_string_value(json_object_get(a->question, "kind"));
    if (!get_lab(a, &lab)) {
        return false;
    }
    const bool is_map = kind && strcmp(kind, "map") == 0;
    const bool has_paths = kind && strcmp(kind, "paths") == 0;
    if (!is_map && !has_paths && !(kind && strcmp(kind, "lab") == 0)) {
        return oct_cli_ask_refuse(a, "kind");
    }
    return oct_cli_say_head(a, ANSWER_LINES, 0, 0) &&
           (is_map ? write_map(a, lab) : write_lab(a, lab, has_paths));
}

static int take_map(view_lab *lab, const char *data, size_t size)
{
    const oct_tree_def def = oct_tree_def_default();
    oct_error error = {.line = 0};
    oct_tree *tree;
    oct_tree_info info;
    const oct_result result = oct_tree_read(OCT_FORMAT_MAP, data, size, &def, &tree, &info, &error);
    CLI_TRY(oct_cli_check_file("the map", result, &error));
    const bool done = oct_cli_lab_take(lab, tree, info.box);
    oct_tree_destroy(tree);
    return done ? CLI_YES : oct_cli_complain("the map is too large for the page");
}

static int take_lab(view_lab *lab, const char *data, size_t size)
{
    const oct_tree_def def = oct_tree_def_default();
    oct_error error = {.line = 0};
    oct_tree *tree = NULL;
    oct_tree_info info;
    lab_file file;
    CLI_TRY(oct_cli_check_file("the file", oct_lab_file_decode(data, size, NULL, &file, &error),
                               &error));
    int code = CLI_YES;
    if (file.map.kind == LAB_MAP_FILE) {
        code = oct_cli_complain("its map is in another file; 'octant view --lab FILE' finds that");
    } else if (file.map.kind == LAB_MAP_ROWS) {
        code = oct_cli_check_file("the file",
                                  oct_lab_file_tree(&file.map, &def, &tree, &info, &error), &error);
    } else {
        code = oct_cli_check("the file", oct_lab_generate(&file.map.generate, &tree, &info));
    }
    if (code == CLI_YES && !oct_cli_lab_take(lab, tree, info.box)) {
        code = oct_cli_complain("the map is too large for the page");
    }
    oct_tree_destroy(tree);
    if (code == CLI_YES) {
        lab->loaded = file;
    } else {
        oct_lab_file_free(&file);
    }
    return code;
}

// A file from the page, in pieces of text; the last one says so.
bool oct_cli_tell_lab_load(view_asking *a)
{
    view_lab *lab;
    json_int_t offset;
    const json_t *const text = json_object_get(a->question, "text");
    const oct_allocator memory = oct_allocator_default();
    if (!get_lab(a, &lab) || !oct_cli_ask_integer(a, "offset", 0, UPLOAD_MAX, &offset)) {
        return false;
    }
    lab->upload.count = offset == 0 ? 0 : lab->upload.count;
    const size_t size = json_string_length(text), at = lab->upload.count;
    if (!json_is_string(text) || (size_t)offset != at || size > UPLOAD_MAX - at ||
        oct_array_reserve(&lab->upload, &memory, 1, at + size) != OCT_OK) {
        return oct_cli_ask_refuse(a, "text, offset");
    }
    if (size > 0) {
        memcpy((char *)lab->upload.items + at, json_string_value(text), size);
    }
    lab->upload.count = at + size;
    if (!json_is_true(json_object_get(a->question, "last"))) {
        return oct_cli_say_json(a, json_pack("{s:I}", "bytes", (json_int_t)lab->upload.count));
    }
    const char *const data = lab->upload.items;
    oct_cli_hear(a->heard, sizeof a->heard);
    const int code = size + at > 0 && data[0] == '{' ? take_lab(lab, data, size + at)
                                                     : take_map(lab, data ? data : "", size + at);
    oct_cli_hear(NULL, 0);
    return code == CLI_YES ? say_lab(a, lab) : oct_cli_ask_refuse(a, a->heard);
}
