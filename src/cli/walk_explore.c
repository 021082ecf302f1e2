// SPDX-License-Identifier: MIT
// octant explore --walk: exploring a surface as Prasetya et al. 2020 have it, and how far each
// strategy walks.
#include "cli/walk.h"

#include <string.h>

static const char *const strategies[] = {
    [OCT_SURFACE_NEAREST] = "nearest",
    [OCT_SURFACE_RANDOM] = "random",
    [OCT_SURFACE_DEPTH_FIRST] = "depth",
    [OCT_SURFACE_DIRECTED] = "directed",
};
#define STRATEGIES (sizeof strategies / sizeof strategies[0])

typedef struct tour_run {
    const char *strategy;
    uint64_t calls;
    double travelled;
    bool is_done; // nothing is left that can be reached
    oct_surface_covered covered;
    double time_ms;
} tour_run;

// Looks, chooses, walks, until there is nothing left or the calls are used up.
static oct_result travel(const cli_walk_tour *tour, oct_surface_explorer *e, uint32_t at,
                         tour_run *run)
{
    for (;;) {
        oct_surface_route route;
        OCT_TRY(oct_surface_explorer_look(e, at, tour->radius));
        OCT_TRY(oct_surface_explorer_next(e, at, &route));
        run->is_done = !route.is_found;
        if (run->is_done || (tour->calls > 0 && run->calls == tour->calls)) {
            return OCT_OK;
        }
        run->calls++;
        run->travelled += route.length;
        at = route.vertices[route.count - 1];
        OCT_TRY(oct_surface_explorer_walked(e, route.vertices, route.count));
    }
}

static uint32_t start_of(const cli_walk_tour *tour, const cli_surface *s)
{
    return oct_surface_graph_nearest(
        s->graph, tour->from ? *tour->from : oct_surface_face_of(s->surface, 0).centre);
}

static int draw(const cli_walk_tour *tour, const cli_surface *s, const oct_surface_explorer *e)
{
    surface_picture picture = {.title = tour->path, .graph = s->graph, .explorer = e};
    if (s->space) {
        picture.link_count = oct_walking_links(s->space, &picture.links);
    }
    return oct_cli_draw_surface(&picture, tour->svg);
}

static int explore(const cli_walk_tour *tour, const cli_surface *s, int strategy, tour_run *run)
{
    oct_surface_explorer_def def = oct_surface_explorer_def_default();
    def.graph = s->graph;
    def.strategy = (oct_surface_strategy)strategy;
    def.seed = tour->seed;
    oct_surface_explorer *e;
    *run = (tour_run){.strategy = strategies[strategy]};
    CLI_TRY(oct_cli_check(tour->path, oct_surface_explorer_create(&def, &e)));
    const double start = oct_cli_now_ms();
    int code = oct_cli_check(tour->path, travel(tour, e, start_of(tour, s), run));
    run->time_ms = oct_cli_now_ms() - start;
    run->covered = oct_surface_explorer_covered(e);
    // One picture: of the strategy that was asked for, or the first.
    if (code == CLI_YES && (tour->strategy >= 0 || strategy == 0)) {
        code = draw(tour, s, e);
    }
    oct_surface_explorer_destroy(e);
    return code;
}

// ---- what came out ----

static json_t *run_json(const tour_run *r)
{
    const oct_surface_covered *const c = &r->covered;
    return json_pack(
        "{s:s, s:s, s:I, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, "
        "s:I, s:I, s:f}",
        "strategy", r->strategy, "status", r->is_done ? "done" : "calls", "calls",
        (json_int_t)r->calls, "travelled", r->travelled, "vertices", (json_int_t)c->vertices_all,
        "seen", (json_int_t)c->seen, "visited", (json_int_t)c->vertices, "centres",
        (json_int_t)c->centres_all, "centres_visited", (json_int_t)c->centres, "corners",
        (json_int_t)c->corners_all, "corners_visited", (json_int_t)c->corners, "border_edges",
        (json_int_t)c->border_edges_all, "border_edges_walked", (json_int_t)c->border_edges,
        "shapes_around", (json_int_t)c->around, "shapes_through", (json_int_t)c->through, "links",
        (json_int_t)c->links_all, "links_walked", (json_int_t)c->links, "time_ms", r->time_ms);
}

static void print_runs(const cli_surface *s, const tour_run *runs, size_t count)
{
    printf("%u faces, %u vertices, %u edges\n", (unsigned)oct_surface_info_of(s->surface).faces,
           (unsigned)oct_surface_graph_vertex_count(s->graph),
           (unsigned)oct_surface_graph_edge_count(s->graph));
    oct_cli_printf(CLI_BOLD, "%-10s %8s %12s %9s %9s %9s %9s %9s %9s %10s\n", "strategy", "calls",
                   "walked m", "seen", "visited", "centres", "corners", "borders", "links",
                   "time ms");
    for (size_t i = 0; i < count; i++) {
        const tour_run *const r = &runs[i];
        const oct_surface_covered *const c = &r->covered;
        printf("%-10s %8llu %12.6g %9u %9u %9u %9u %9u %9u %10.4g%s\n", r->strategy,
               (unsigned long long)r->calls, r->travelled, (unsigned)c->seen, (unsigned)c->vertices,
               (unsigned)c->centres, (unsigned)c->corners, (unsigned)c->border_edges,
               (unsigned)c->links, r->time_ms, r->is_done ? "" : "  stopped");
    }
    const oct_surface_covered *const c = &runs[0].covered;
    printf("%-10s %8s %12s %9u %9u %9u %9u %9u %9u\n", "of", "", "", (unsigned)c->vertices_all,
           (unsigned)c->vertices_all, (unsigned)c->centres_all, (unsigned)c->corners_all,
           (unsigned)c->border_edges_all, (unsigned)c->links_all);
}

static int print_all(const cli_walk_tour *tour, const cli_surface *s, const tour_run *runs,
                     size_t count)
{
    bool is_done = true;
    json_t *const list = json_array();
    for (size_t i = 0; i < count; i++) {
        is_done = is_done && runs[i].is_done;
        json_array_append_new(list, run_json(&runs[i]));
    }
    if (tour->json) {
        CLI_TRY(oct_cli_print_json(json_pack(
            "{s:I, s:I, s:I, s:o}", "faces", (json_int_t)oct_surface_info_of(s->surface).faces,
            "vertices", (json_int_t)oct_surface_graph_vertex_count(s->graph), "edges",
            (json_int_t)oct_surface_graph_edge_count(s->graph), "runs", list)));
    } else {
        json_decref(list);
        print_runs(s, runs, count);
    }
    return is_done ? CLI_YES : CLI_NO;
}

int oct_cli_walk_tour(const cli_walk_tour *tour)
{
    cli_surface s;
    tour_run runs[STRATEGIES];
    size_t count = 0;
    oct_walking_rules rules;
    if (tour->rules) {
        CLI_TRY(oct_cli_read_rules("explore", tour->rules, &rules));
    }
    CLI_TRY(oct_cli_open_surface(tour->path, tour->up, tour->radius, tour->rules ? &rules : NULL,
                                 tour->shapes, &s));
    int code = oct_surface_graph_vertex_count(s.graph) > 0
                   ? CLI_YES
                   : oct_cli_complain("%s: no face is left that one could walk on", tour->path);
    for (int i = 0; i < (int)STRATEGIES && code == CLI_YES; i++) {
        if (tour->strategy < 0 || tour->strategy == i) {
            code = explore(tour, &s, i, &runs[count++]);
        }
    }
    code = code == CLI_YES ? print_all(tour, &s, runs, count) : code;
    oct_cli_close_surface(&s);
    return code;
}
