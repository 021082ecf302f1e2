// SPDX-License-Identifier: MIT
// octant path --walk: any-angle paths around obstacles, by the rules of a body, or, where hazards
// have prices, the cheapest route on the graph.
#include "cli/walk.h"
#include "octant/surface_carve.h"

#include <stdlib.h>

static const char *status_word(oct_surface_status status)
{
    static const char *const words[] = {
        [OCT_SURFACE_FOUND] = "found",
        [OCT_SURFACE_UNREACHABLE] = "unreachable",
        [OCT_SURFACE_FROM_OFF] = "from-off",
        [OCT_SURFACE_TO_OFF] = "to-off",
    };
    return words[status];
}

static json_t *points_json(const oct_point *points, uint32_t count)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_array_append_new(list, json_pack("[f, f, f]", points[i].x, points[i].y, points[i].z));
    }
    return list;
}

static json_t *place_json(const oct_surface_place *place)
{
    return json_pack("{s:b, s:o, s:[fff], s:f}", "is_on", (int)place->is_on, "face",
                     place->face == OCT_SURFACE_NONE ? json_null() : json_integer(place->face),
                     "point", place->point.x, place->point.y, place->point.z, "distance",
                     place->distance);
}

static int print_json(const oct_surface_path *path, double surface_length, double time_us,
                      const oct_point *draped, uint32_t draped_count)
{
    const bool found = path->status == OCT_SURFACE_FOUND;
    return oct_cli_print_json(json_pack(
        "{s:s, s:o, s:o, s:I, s:f, s:o, s:o, s:o, s:o}", "status", status_word(path->status),
        "length", found ? json_real(path->length) : json_null(), "surface_length",
        found ? json_real(surface_length) : json_null(), "expanded", (json_int_t)path->expanded,
        "time_us", time_us, "points", points_json(path->points, path->point_count),
        "surface_points", points_json(draped, draped_count), "from", place_json(&path->from), "to",
        place_json(&path->to)));
}

static void print_off(const char *which, const oct_surface_place *place)
{
    if (place->face != OCT_SURFACE_NONE) {
        printf("  %s is not on the surface; the nearest place, %.6g m away: %.6g, %.6g, %.6g\n",
               which, place->distance, place->point.x, place->point.y, place->point.z);
    }
}

static void print_text(const oct_surface_path *path, double surface_length, double time_us,
                       bool points)
{
    const bool found = path->status == OCT_SURFACE_FOUND;
    const cli_time time = oct_cli_time(time_us);
    oct_cli_printf(found ? CLI_GREEN : CLI_RED, found ? "found a path\n" : "there is no path\n");
    if (path->status == OCT_SURFACE_FROM_OFF || path->status == OCT_SURFACE_TO_OFF) {
        const bool is_from = path->status == OCT_SURFACE_FROM_OFF;
        print_off(is_from ? "the start" : "the goal", is_from ? &path->from : &path->to);
        return;
    }
    if (!found) {
        printf("  start and goal are on different islands\n");
        return;
    }
    printf("  %-12s %12.6g  m in the ground plane, %.6g m on the surface\n", "length", path->length,
           surface_length);
    printf("  %-12s %12llu  intervals and corners\n", "expanded",
           (unsigned long long)path->expanded);
    printf("  %-12s %12.4g  %s\n", "time", time.value, time.unit);
    for (uint32_t i = 0; points && i < path->point_count; i++) {
        const oct_point at = path->points[i];
        printf("%s  %-12s %12.6g %12.6g %12.6g\n", i == 0 ? "\n" : "", i == 0 ? "points" : "", at.x,
               at.y, at.z);
    }
}

static int report(const cli_walk *walk, const cli_surface *s, oct_surface_planner *planner,
                  oct_surface_path *path, double time_us)
{
    const oct_point *draped = NULL;
    uint32_t count = 0;
    double length = 0.0;
    if (path->status == OCT_SURFACE_FOUND) {
        CLI_TRY(oct_cli_check(walk->path,
                              oct_surface_drape(planner, path->points, path->point_count,
                                                path->from.face, &draped, &count, &length)));
    }
    if (walk->json) {
        CLI_TRY(print_json(path, length, time_us, draped, count));
    } else {
        print_text(path, length, time_us, walk->points);
    }
    const surface_picture picture = {.title = walk->path,
                                     .graph = s->graph,
                                     .way = path->points,
                                     .way_count = path->point_count};
    CLI_TRY(oct_cli_draw_surface(&picture, walk->svg));
    return path->status == OCT_SURFACE_FOUND ? CLI_YES : CLI_NO;
}

static oct_surface_query query_of(const cli_walk *walk)
{
    oct_surface_query query = oct_surface_query_default();
    query.from = walk->from;
    query.to = walk->to;
    query.step_height = walk->step;
    return query;
}

// The first query grows the planner's memory, the second one is timed.
static int search(const cli_walk *walk, const cli_surface *s, const oct_surface *on)
{
    const oct_surface_query query = query_of(walk);
    oct_surface_planner *planner;
    CLI_TRY(oct_cli_check(walk->path, oct_surface_planner_create(on, NULL, &planner)));
    oct_surface_path path;
    oct_result result = oct_surface_plan(planner, &query, &path);
    const double start = oct_cli_now_ms();
    result = result == OCT_OK ? oct_surface_plan(planner, &query, &path) : result;
    const double time_us = (oct_cli_now_ms() - start) * 1e3;
    int code = oct_cli_check(walk->path, result);
    code = code == CLI_YES ? report(walk, s, planner, &path, time_us) : code;
    oct_surface_planner_destroy(planner);
    return code;
}

// ---- by rules ----

static int print_rules_json(const oct_walking_path *path, uint32_t links, double time_us)
{
    const bool found = path->status == OCT_SURFACE_FOUND;
    json_t *const points = json_array();
    for (uint32_t i = 0; i < path->point_count; i++) {
        const oct_walking_point *const p = &path->points[i];
        json_array_append_new(points, json_pack("{s:[fff], s:s, s:I}", "at", p->at.x, p->at.y,
                                                p->at.z, "kind", oct_walking_kind_name(p->kind),
                                                "face", (json_int_t)p->face));
    }
    return oct_cli_print_json(json_pack(
        "{s:s, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:f, s:o, s:o, s:o}", "status",
        status_word(path->status), "length", found ? json_real(path->length) : json_null(), "cost",
        found ? json_real(path->cost) : json_null(), "steps", (json_int_t)path->steps, "jumps",
        (json_int_t)path->jumps, "drops", (json_int_t)path->drops, "links", (json_int_t)links,
        "expanded", (json_int_t)path->expanded, "time_us", time_us, "points", points, "from",
        place_json(&path->from), "to", place_json(&path->to)));
}

static void print_rules_text(const oct_walking_path *path, uint32_t links, double time_us,
                             bool points)
{
    const bool found = path->status == OCT_SURFACE_FOUND;
    const cli_time time = oct_cli_time(time_us);
    oct_cli_printf(found ? CLI_GREEN : CLI_RED, found ? "found a path\n" : "there is no path\n");
    if (path->status == OCT_SURFACE_FROM_OFF || path->status == OCT_SURFACE_TO_OFF) {
        const bool is_from = path->status == OCT_SURFACE_FROM_OFF;
        print_off(is_from ? "the start" : "the goal", is_from ? &path->from : &path->to);
        return;
    }
    if (!found) {
        printf("  by these rules nothing leads from the start to the goal\n");
    } else {
        printf("  %-12s %12.6g  m in the ground plane\n", "length", path->length);
        printf("  %-12s %12u  steps, %u jumps, %u drops\n", "with", (unsigned)path->steps,
               (unsigned)path->jumps, (unsigned)path->drops);
    }
    printf("  %-12s %12u  that the rules allow\n", "links", (unsigned)links);
    printf("  %-12s %12.4g  %s\n", "time", time.value, time.unit);
    for (uint32_t i = 0; points && i < path->point_count; i++) {
        const oct_walking_point *const p = &path->points[i];
        printf("%s  %-12s %12.6g %12.6g %12.6g\n", i == 0 ? "\n" : "",
               i == 0 ? "start" : oct_walking_kind_name(p->kind), p->at.x, p->at.y, p->at.z);
    }
}

static int draw_rules(const cli_walk *walk, const cli_surface *s, const oct_walking_space *space,
                      const oct_walking_path *path)
{
    if (!walk->svg) {
        return CLI_YES;
    }
    surface_picture picture = {.title = walk->path, .graph = s->graph};
    picture.link_count = oct_walking_links(space, &picture.links);
    oct_point *const way = malloc((path->point_count + 1u) * sizeof *way);
    if (!way) {
        return oct_cli_check(walk->path, OCT_ERROR_MEMORY);
    }
    for (uint32_t i = 0; i < path->point_count; i++) {
        way[i] = path->points[i].at;
    }
    picture.way = way;
    picture.way_count = path->point_count;
    const int code = oct_cli_draw_surface(&picture, walk->svg);
    free(way);
    return code;
}

static int plan_by_rules(const cli_walk *walk, const cli_surface *s, const oct_walking_space *space)
{
    const oct_surface_query query = query_of(walk);
    oct_walking_planner *planner;
    CLI_TRY(oct_cli_check(walk->path, oct_walking_planner_create(space, NULL, &planner)));
    oct_walking_path path;
    oct_result result = oct_walking_plan(planner, &query, &path);
    const double start = oct_cli_now_ms();
    result = result == OCT_OK ? oct_walking_plan(planner, &query, &path) : result;
    const double time_us = (oct_cli_now_ms() - start) * 1e3;
    int code = oct_cli_check(walk->path, result);
    if (code == CLI_YES) {
        const oct_walking_link *links;
        const uint32_t count = oct_walking_links(space, &links);
        if (walk->json) {
            code = print_rules_json(&path, count, time_us);
        } else {
            print_rules_text(&path, count, time_us, walk->points);
        }
    }
    code = code == CLI_YES ? draw_rules(walk, s, space, &path) : code;
    oct_walking_planner_destroy(planner);
    return code == CLI_YES && path.status != OCT_SURFACE_FOUND ? CLI_NO : code;
}

static int search_by_rules(const cli_walk *walk, const cli_surface *s, const oct_surface *on)
{
    oct_walking_rules rules;
    oct_walking_space *space;
    CLI_TRY(oct_cli_read_rules("path", walk->rules, &rules));
    CLI_TRY(oct_cli_check(walk->path, oct_walking_space_create(on, &rules, &space)));
    const int code = plan_by_rules(walk, s, space);
    oct_walking_space_destroy(space);
    return code;
}

// ---- with prices ----

static bool has_price(const cli_surface *s)
{
    const oct_surface_shape *const shapes = s->shapes.shapes.items;
    for (size_t i = 0; i < s->shapes.shapes.count; i++) {
        if (shapes[i].effect == OCT_SURFACE_PRICED) {
            return true;
        }
    }
    return false;
}

static int print_route(const cli_walk *walk, const oct_surface_route *route, double time_us)
{
    const cli_time time = oct_cli_time(time_us);
    if (walk->json) {
        return oct_cli_print_json(json_pack(
            "{s:s, s:o, s:o, s:I, s:f, s:o}", "status", route->is_found ? "found" : "unreachable",
            "length", route->is_found ? json_real(route->length) : json_null(), "cost",
            route->is_found ? json_real(route->cost) : json_null(), "expanded",
            (json_int_t)route->expanded, "time_us", time_us, "points",
            points_json(route->points, route->point_count)));
    }
    oct_cli_printf(route->is_found ? CLI_GREEN : CLI_RED,
                   route->is_found ? "found a route\n" : "there is no route\n");
    if (route->is_found) {
        printf("  %-12s %12.6g  m on the graph\n", "length", route->length);
        printf("  %-12s %12.6g  m, prices included\n", "cost", route->cost);
    }
    printf("  %-12s %12.4g  %s\n", "time", time.value, time.unit);
    for (uint32_t i = 0; walk->points && i < route->point_count; i++) {
        const oct_point at = route->points[i];
        printf("%s  %-12s %12.6g %12.6g %12.6g\n", i == 0 ? "\n" : "", i == 0 ? "points" : "", at.x,
               at.y, at.z);
    }
    return CLI_YES;
}

static int search_by_price(const cli_walk *walk, const cli_surface *s)
{
    oct_surface_walker *walker;
    CLI_TRY(oct_cli_check(walk->path, oct_surface_walker_create(s->graph, NULL, &walker)));
    oct_surface_walk query = oct_surface_walk_default();
    query.from = oct_surface_graph_nearest(s->graph, walk->from);
    query.to = oct_surface_graph_nearest(s->graph, walk->to);
    oct_surface_route route;
    const double start = oct_cli_now_ms();
    const oct_result result = oct_surface_walker_plan(walker, &query, &route);
    const double time_us = (oct_cli_now_ms() - start) * 1e3;
    int code = oct_cli_check(walk->path, result);
    code = code == CLI_YES ? print_route(walk, &route, time_us) : code;
    if (code == CLI_YES) {
        const surface_picture picture = {.title = walk->path,
                                         .graph = s->graph,
                                         .way = route.points,
                                         .way_count = route.point_count};
        code = oct_cli_draw_surface(&picture, walk->svg);
    }
    oct_surface_walker_destroy(walker);
    return code == CLI_YES && !route.is_found ? CLI_NO : code;
}

// ---- all ----

static int search_around(const cli_walk *walk, const cli_surface *s)
{
    oct_surface *carved = NULL;
    if (s->shapes.shapes.count > 0) {
        CLI_TRY(oct_cli_check(walk->path, oct_surface_carve(s->surface, s->shapes.shapes.items,
                                                            (uint32_t)s->shapes.shapes.count, 0.0,
                                                            NULL, &carved)));
    }
    const oct_surface *const on = carved ? carved : s->surface;
    const int code = walk->rules ? search_by_rules(walk, s, on) : search(walk, s, on);
    oct_surface_destroy(carved);
    return code;
}

int oct_cli_walk(const cli_walk *walk)
{
    cli_surface s;
    CLI_TRY(oct_cli_open_surface(walk->path, walk->up, 0.0, NULL, walk->shapes, &s));
    const int code = has_price(&s)
                         ? walk->rules ? oct_cli_complain("path: --rules and shapes with prices do "
                                                          "not go together")
                                       : search_by_price(walk, &s)
                         : search_around(walk, &s);
    oct_cli_close_surface(&s);
    return code;
}
