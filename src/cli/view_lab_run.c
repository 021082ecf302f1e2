// SPDX-License-Identifier: MIT
// What the laboratory's page runs: one task, by any algorithms; and batches, map by map.
#include "cli/view_asking.h"
#include "cli/view_lab.h"
#include "octant/line.h"
#include "octant/tree.h"

#include <stdlib.h>
#include <string.h>

#define CORNERS_MAX 400 // of the visibility graph that is drawn

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

static const char *get_word(const view_asking *a, const char *key)
{
    return json_string_value(json_object_get(a->question, key));
}

// What is to be run, as the command's options say it. Complains.
static int read_plan(const view_asking *a, lab_plan *plan)
{
    const char *const word = get_word(a, "heuristic");
    oct_lab_heuristic heuristic = OCT_LAB_HEURISTIC_DEFAULT;
    for (int i = 0; word && i < OCT_LAB_HEURISTIC_COUNT; i++) {
        if (strcmp(word, oct_lab_heuristic_name((oct_lab_heuristic)i)) == 0) {
            heuristic = (oct_lab_heuristic)i;
        }
    }
    *plan = (lab_plan){.repeat = 1,
                       .squeeze = json_is_true(json_object_get(a->question, "squeeze")),
                       .optimum = true,
                       .tasks = 1};
    CLI_TRY(oct_lab_read_items(get_word(a, "algorithms"), heuristic, plan));
    return plan->squeeze ? oct_lab_squeeze_items(!get_word(a, "algorithms"), plan) : CLI_YES;
}

static int run_map(const lab_plan *plan, const lab_map *map, lab_result *results)
{
    char why[LAB_WHY_MAX] = "";
    lab_runner *const runner = oct_lab_runner_create(plan, oct_cli_cores());
    const int code = runner ? oct_lab_run(runner, map, 0, results, (lab_progress){0, 0}, why)
                            : oct_cli_check("lab", OCT_ERROR_MEMORY);
    oct_lab_runner_destroy(runner);
    return code;
}

// ---- one task ----

static int open_rows(const view_lab *lab, lab_map *out)
{
    const oct_tree_def def = oct_tree_def_default();
    oct_error error = {.line = 0};
    cli_map map = {.tree = NULL};
    const lab_file_map rows = {
        .kind = LAB_MAP_ROWS, .rows = lab->rows, .width = lab->width, .height = lab->height};
    *out = (lab_map){.name = "the map"};
    CLI_TRY(oct_cli_check_file(
        "the map", oct_lab_file_tree(&rows, &def, &map.tree, &map.info, &error), &error));
    return oct_cli_take_map("the map", &map, &out->scene);
}

static int run_task(const view_asking *a, view_lab *lab, lab_task *task)
{
    lab_plan plan;
    lab_map map;
    CLI_TRY(read_plan(a, &plan));
    plan.keep_points = true;
    CLI_TRY(open_rows(lab, &map));
    map.tasks = task;
    map.task_count = 1;
    lab_result *const results = calloc(plan.item_count, sizeof *results);
    int code = results ? oct_lab_open_distances(&plan) : oct_cli_check("lab", OCT_ERROR_MEMORY);
    if (code == CLI_YES) {
        code = run_map(&plan, &map, results);
    }
    oct_lab_close_distances(&plan);
    oct_cli_close_scene(&map.scene);
    if (code == CLI_YES) {
        oct_cli_lab_forget(lab);
        lab->plan = plan;
        lab->results = results;
        lab->task = *task;
        return CLI_YES;
    }
    for (size_t i = 0; results && i < plan.item_count; i++) {
        free(results[i].points);
    }
    free(results);
    return code;
}

bool oct_cli_tell_lab_run(view_asking *a)
{
    view_lab *lab;
    lab_task task;
    if (!get_lab(a, &lab) || !oct_cli_ask_task(a, lab, &task)) {
        return false;
    }
    oct_cli_hear(a->heard, sizeof a->heard);
    const int code = run_task(a, lab, &task);
    oct_cli_hear(NULL, 0);
    return code == CLI_YES ? oct_cli_tell_lab(a) : oct_cli_ask_refuse(a, a->heard);
}

// ---- batches ----

// The rows of one map of a batch, as the command writes them.
static int run_source(view_asking *a, lab_plan *plan, size_t index, oct_array *text, size_t *rows)
{
    const oct_allocator memory = oct_allocator_default();
    lab_map map;
    char line[LAB_LINE_MAX];
    CLI_TRY(oct_lab_open_map(plan, &plan->sources[index], &map));
    *rows = map.task_count * plan->item_count;
    lab_result *const results = calloc(*rows, sizeof *results);
    int code = results ? oct_lab_open_distances(plan) : oct_cli_check("lab", OCT_ERROR_MEMORY);
    code = code == CLI_YES ? run_map(plan, &map, results) : code;
    for (size_t i = 0; code == CLI_YES && i < *rows; i++) {
        const lab_row row = {plan, &map, i / plan->item_count, &plan->items[i % plan->item_count]};
        oct_lab_csv_line(&row, &results[i], line);
        const size_t size = strlen(line);
        code = oct_cli_check("lab", oct_array_reserve(text, &memory, 1, text->count + size + 1));
        if (code == CLI_YES) {
            memcpy((char *)text->items + text->count, line, size + 1);
            text->count += size;
        }
    }
    oct_lab_close_distances(plan);
    oct_lab_close_map(&map);
    free(results);
    (void)a;
    return code;
}

static int run_batch(view_asking *a, json_int_t index, oct_array *text, json_t **out)
{
    lab_plan plan;
    json_int_t maps, tasks, seed;
    CLI_TRY(read_plan(a, &plan));
    if (!oct_cli_ask_integer(a, "maps", 1, 1000, &maps) ||
        !oct_cli_ask_integer(a, "tasks", 1, LAB_TASKS_MAX, &tasks) ||
        !oct_cli_ask_integer(a, "seed", 0, (json_int_t)1 << 52, &seed) || !get_word(a, "sizes") ||
        !get_word(a, "coverages") || !get_word(a, "clusterings")) {
        return oct_cli_complain("maps, tasks, seed, sizes, coverages or clusterings is missing, or "
                                "out of range");
    }
    plan.tasks = (size_t)tasks;
    plan.seed = (uint64_t)seed;
    plan.optimum = json_is_true(json_object_get(a->question, "optimum"));
    int code = oct_lab_plan_made(get_word(a, "sizes"), get_word(a, "coverages"),
                                 get_word(a, "clusterings"), (size_t)maps, &plan);
    size_t rows = 0;
    if (code == CLI_YES && (size_t)index < plan.source_count) {
        code = run_source(a, &plan, (size_t)index, text, &rows);
    }
    if (code == CLI_YES) {
        *out = json_pack("{s:s, s:s, s:I, s:I, s:I}", "header", oct_lab_csv_header(), "rows",
                         text->items ? (const char *)text->items : "", "maps",
                         (json_int_t)plan.source_count, "count", (json_int_t)rows, "perMap",
                         (json_int_t)tasks * (json_int_t)plan.item_count);
    }
    free(plan.sources);
    return code;
}

// Map `index` of a batch; the page asks for one after the other, stops where it likes, and goes on
// where its rows end.
bool oct_cli_tell_lab_batch(view_asking *a)
{
    view_lab *lab;
    json_int_t index;
    json_t *answer = NULL;
    oct_array text = {.count = 0};
    const oct_allocator memory = oct_allocator_default();
    if (!get_lab(a, &lab) || !oct_cli_ask_integer(a, "index", 0, 1 << 30, &index)) {
        return false;
    }
    oct_cli_hear(a->heard, sizeof a->heard);
    const int code = run_batch(a, index, &text, &answer);
    oct_cli_hear(NULL, 0);
    oct_array_free(&text, &memory, 1);
    return code == CLI_YES ? oct_cli_say_json(a, answer) : oct_cli_ask_refuse(a, a->heard);
}

// ---- the visibility graph ----

static bool is_blocked(const view_lab *lab, int64_t x, int64_t y)
{
    return x < 0 || y < 0 || x >= lab->width || y >= lab->height ||
           lab->rows[(size_t)y * lab->width + (size_t)x] != '.';
}

// Where a path may bend: one blocked cell of four, within the map.
static uint32_t list_corners(const view_lab *lab, int32_t (*out)[2], bool *all)
{
    uint32_t count = 0;
    *all = true;
    for (int32_t y = 0; y <= (int32_t)lab->height; y++) {
        for (int32_t x = 0; x <= (int32_t)lab->width; x++) {
            int blocked = 0;
            for (int i = 0; i < 4; i++) {
                blocked += is_blocked(lab, x - (i & 1), y - (i >> 1));
            }
            if (blocked == 1) {
                *all = *all && count < CORNERS_MAX;
                if (count < CORNERS_MAX) {
                    out[count][0] = x;
                    out[count++][1] = y;
                }
            }
        }
    }
    return count;
}

// All pairs of corners that see each other: x and y of both, four numbers each.
bool oct_cli_tell_lab_sees(view_asking *a)
{
    view_lab *lab;
    lab_map map;
    int32_t corners[CORNERS_MAX][2];
    bool all;
    if (!get_lab(a, &lab)) {
        return false;
    }
    oct_cli_hear(a->heard, sizeof a->heard);
    const int code = open_rows(lab, &map);
    oct_cli_hear(NULL, 0);
    if (code != CLI_YES) {
        return oct_cli_ask_refuse(a, a->heard);
    }
    const uint32_t count = list_corners(lab, corners, &all);
    oct_terms terms = oct_terms_default();
    terms.bounds = &map.scene.info.box;
    bool done = oct_cli_say_head(a, ANSWER_PAIRS, count, all);
    for (uint32_t i = 0; done && i < count; i++) {
        for (uint32_t k = i + 1; done && k < count; k++) {
            const oct_fine from = {corners[i][0] * (int64_t)OCT_FINE,
                                   corners[i][1] * (int64_t)OCT_FINE, 0};
            const oct_fine to = {corners[k][0] * (int64_t)OCT_FINE,
                                 corners[k][1] * (int64_t)OCT_FINE, 0};
            if (oct_tree_line_of_sight(map.scene.tree, &terms, from, to)) {
                const int32_t pair[4] = {corners[i][0], corners[i][1], corners[k][0],
                                         corners[k][1]};
                done = oct_cli_say_bytes(a, pair, sizeof pair);
            }
        }
    }
    oct_cli_close_scene(&map.scene);
    return done;
}
