// SPDX-License-Identifier: MIT
// Paths through a map, and what searches expand.
#include "cli/view_asking.h"
#include "octant/components.h"
#include "octant/names.h"

#include <string.h>

#define EXPANSIONS_MAX 300000u
#define NODES_MAX 3000000u
#define PATHS_MAX 16 // of one question

// What is connected with what: found once.
bool oct_cli_ask_components(view_asking *a, view_item *item, const oct_query *query)
{
    return item->scene.components[query->terms.unknown != OCT_UNKNOWN_BLOCKED] ||
           oct_cli_connect_scene(&item->scene, query) == CLI_YES ||
           oct_cli_ask_refuse(a, "memory is short");
}

static double clock_us(void)
{
    return oct_cli_now_ms() * 1e3;
}

static bool choose_algorithm(const char *word, int64_t *out)
{
    for (int i = 0; i <= OCT_LAB_BLOCK; i++) {
        const char *const name = oct_lab_algorithm_name((oct_lab_algorithm)i);
        if (word && name && strcmp(word, name) == 0) {
            *out = i;
            return true;
        }
    }
    return false;
}

// The query of `octant path --algorithm WORD`.
static bool plan_path(view_asking *a, view_item *item, const char *word, oct_query *query)
{
    cli_value options[CLI_SEARCH_OPTION_COUNT] = {{.given = true}};
    options[7].real = 2.0;  // the price of what is unknown
    options[9].integer = 2; // blocks of 4 x 4 cells
    if (!choose_algorithm(word, &options[0].integer)) {
        return oct_cli_ask_refuse(a, "algorithms");
    }
    oct_cli_close_distances(&item->scene.distances);
    item->scene.distances = (cli_distances){.distances = NULL};
    if (oct_cli_plan_search("view", options, &item->scene, query) != CLI_YES) {
        return oct_cli_ask_refuse(a, "that algorithm cannot search this map");
    }
    if (!oct_cli_ask_components(a, item, query)) {
        return false;
    }
    if (!oct_cli_ask_place(a, "from", &query->from) || !oct_cli_ask_place(a, "to", &query->to)) {
        return false;
    }
    query->node_budget = NODES_MAX;
    return true;
}

static bool search(view_asking *a, view_item *item, const oct_query *query, oct_path *path,
                   double *us)
{
    if (!item->planner) {
        const oct_planner_def def = oct_cli_planner_def(&item->scene);
        if (oct_planner_create(&def, &item->planner) != OCT_OK) {
            return oct_cli_ask_refuse(a, "memory is short");
        }
    }
    const double start = clock_us();
    const oct_result result = oct_planner_plan(item->planner, query, path);
    *us = clock_us() - start;
    return result == OCT_OK || oct_cli_ask_refuse(a, oct_result_text(result));
}

static json_t *points_json(const oct_path *path)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; i < path->point_count; i++) {
        json_array_append_new(list, oct_cli_point_json(path->points[i]));
    }
    return list;
}

static json_t *path_json(const oct_query *query, const oct_path *path, double us)
{
    return json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:I, s:I, s:f, s:o}", "algorithm",
                     oct_lab_algorithm_name(query->lab->algorithm), "graph",
                     oct_lab_graph_name(query->lab->graph), "status",
                     oct_path_status_name(path->status), "length", path->length, "straight",
                     path->straight, "turning", path->turning, "expanded",
                     (json_int_t)path->expanded, "sightChecks", (json_int_t)path->sight_checks,
                     "us", us, "points", points_json(path));
}

bool oct_cli_tell_paths(view_asking *a)
{
    view_item *item;
    json_t *const words = json_object_get(a->question, "algorithms");
    if (!oct_cli_ask_item(a, VIEW_MAP, &item)) {
        return false;
    }
    if (!json_is_array(words) || json_array_size(words) > PATHS_MAX) {
        return oct_cli_ask_refuse(a, "algorithms");
    }
    json_t *const list = json_array();
    for (size_t i = 0; i < json_array_size(words); i++) {
        oct_query query;
        oct_path path;
        double us;
        if (!plan_path(a, item, json_string_value(json_array_get(words, i)), &query) ||
            !search(a, item, &query, &path, &us)) {
            json_decref(list);
            return false;
        }
        json_array_append_new(list, path_json(&query, &path, us));
    }
    return oct_cli_say_json(a, json_pack("{s:o}", "paths", list));
}

// What a search expanded, in order: places and from which of them each was reached.
bool oct_cli_tell_expansions(view_asking *a)
{
    view_item *item;
    oct_query query;
    oct_path path;
    double us;
    const char *const word = json_string_value(json_object_get(a->question, "algorithm"));
    if (!oct_cli_ask_item(a, VIEW_MAP, &item) || !plan_path(a, item, word, &query)) {
        return false;
    }
    query.record = true;
    if (!search(a, item, &query, &path, &us)) {
        return false;
    }
    const uint32_t count = path.record_count < EXPANSIONS_MAX ? path.record_count : EXPANSIONS_MAX;
    bool done = oct_cli_say_head(a, ANSWER_EXPANSIONS, count, path.record_count);
    for (uint32_t i = 0; i < count && done; i++) {
        const oct_point at = oct_tree_point(item->scene.tree, path.records[i].at);
        const float place[3] = {(float)at.x, (float)at.y, (float)at.z};
        done = oct_cli_say_bytes(a, place, sizeof place) &&
               oct_cli_say_bytes(a, &path.records[i].parent, sizeof(uint32_t));
    }
    return done;
}
