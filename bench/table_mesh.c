// SPDX-License-Identifier: MIT
// He and Hung 2016 describe their scenes only in words. Where they say nothing, this is what was
// chosen:
// - The wall is thin and as high as the world, with a gap at both ends. One of its faces lies on a
//   border between the largest leaves: they reach up to it, and that side is the sparse one.
//   The second test has the queries of the first, turned round.
// - `quarter` is the same wall with its ends at a quarter and three quarters of the scene: borders
//   of the largest leaves, so that a path turns around it where leaves are large.
// - The sphere is given as cells that share inner points with it. The optimum is that of the true
//   sphere, so lengths exceed it by what cells stick out: less at level 9, where the queries are
//   the same.
// - Both are searched in the corner graph, which He and Hung found best.
// - The complex scene has boxes of an eighth to a third of the world's edge, a quarter of it in
//   all.
// - Meshes are those of the data folder, with 128 cells along their longest side; what meets a
//   triangle is blocked, and nothing else. Queries are drawn in the box of the mesh.
// Queries are drawn until the straight line is blocked. Times are warm.
// Our own search, which He and Hung do not have, comes last in each half.
#include "bench/table_mesh.h"
#include "bench/mesh_scene.h"
#include "bench/shortest_around.h"
#include "octant/lab.h"
#include "octant/line.h"
#include "octant/tree.h"
#include "octree/octree_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define QUERY_SEED 1
#define BOX_SEED 2
#define DRAWS_MAX 1000000 // where no query comes out, there is none
#define PUBLISHED 6       // methods in each half of a table
#define WARM_STEP 20      // every so manieth query warms up
#define ROW_S 0.5         // a row that took more seconds has no further round
#define COMPLEX_SHARE 0.25

typedef enum table_kind {
    TABLE_WALL,
    TABLE_QUARTER,
    TABLE_SPHERE,
    TABLE_COMPLEX,
    TABLE_MESH
} table_kind;

// One half of a table.
typedef struct half {
    const char *table, *scene;
    table_kind kind;
    int32_t finer; // how many times finer the lattice is
    bool turned;   // queries go the other way
    bool is_dual;
} half;

#define MESH_HALVES(name)                                                                          \
    {name, "corner graph", TABLE_MESH, 1, false, false},                                           \
    {                                                                                              \
        name, "dual graph", TABLE_MESH, 1, false, true                                             \
    }

static const half halves[] = {
    {"wall", "source sparse", TABLE_WALL, 1, false, false},
    {"wall", "destination sparse", TABLE_WALL, 1, true, false},
    {"sphere", "level 7", TABLE_SPHERE, 1, false, false},
    {"sphere", "level 9", TABLE_SPHERE, 4, false, false},
    {"complex", "corner graph", TABLE_COMPLEX, 1, false, false},
    {"complex", "dual graph", TABLE_COMPLEX, 1, false, true},
    {"quarter", "source sparse", TABLE_QUARTER, 1, false, false},
    {"quarter", "destination sparse", TABLE_QUARTER, 1, true, false},
    MESH_HALVES("216Kleopatra"),
    MESH_HALVES("recast_dungeon"),
    MESH_HALVES("recast_nav_test"),
    MESH_HALVES("recast_undulating"),
    MESH_HALVES("space_station"),
    MESH_HALVES("sponza"),
    MESH_HALVES("stanford-bunny"),
};
#define HALF_COUNT (sizeof halves / sizeof halves[0])

typedef struct method {
    const char *name;
    bool is_progressive;
    oct_lab_algorithm algorithm;
    oct_grade grade;
} method;

static const method methods[] = {
    {"astar", false, OCT_LAB_ASTAR, OCT_GRADE_BEST},
    {"theta", false, OCT_LAB_THETA, OCT_GRADE_BEST},
    {"lazy-theta", false, OCT_LAB_LAZY_THETA, OCT_GRADE_BEST},
    {"astar", true, OCT_LAB_ASTAR, OCT_GRADE_BEST},
    {"theta", true, OCT_LAB_THETA, OCT_GRADE_BEST},
    {"lazy-theta", true, OCT_LAB_LAZY_THETA, OCT_GRADE_BEST},
    {"portal-best", false, OCT_LAB_PORTAL, OCT_GRADE_BEST},
    {"portal-fast", false, OCT_LAB_PORTAL, OCT_GRADE_FAST},
};
#define METHODS (sizeof methods / sizeof methods[0])

// What the first methods got in print: distance and time in ms, for each half.
#define PUBLISHED_HALVES 8
static const double published[PUBLISHED_HALVES][PUBLISHED][2] = {
    {{125.18, 1.6}, {101.58, 11.8}, {101.73, 6.6}, {125.19, 4.6}, {101.58, 21.5}, {101.39, 10.6}},
    {{124.56, 4.5}, {109.24, 53.0}, {109.48, 22.1}, {126.27, 5.8}, {101.63, 42.7}, {102.27, 18.1}},
    {{121.38, 1.5}, {104.59, 6.7}, {104.65, 4.2}, {127.43, 3.3}, {103.49, 6.3}, {103.68, 3.2}},
    {{121.03, 28.0},
     {102.71, 236.1},
     {102.34, 114.8},
     {126.88, 55.6},
     {101.23, 229.4},
     {101.16, 108.8}},
    {{3.2472, 9.5}, {2.4108, 23.9}, {2.4135, 9.5}, {3.3949, 14.1}, {2.4009, 17.59}, {2.4057, 7.78}},
    {{3.3302, 5.3}, {2.4600, 45.5}, {2.4592, 16.3}, {3.3222, 7.15}, {2.4158, 43.1}, {2.4205, 14.6}},
    {{125.18, 1.6}, {101.58, 11.8}, {101.73, 6.6}, {125.19, 4.6}, {101.58, 21.5}, {101.39, 10.6}},
    {{124.56, 4.5}, {109.24, 53.0}, {109.48, 22.1}, {126.27, 5.8}, {101.63, 42.7}, {102.27, 18.1}},
};

typedef struct table_scene {
    const half *what;
    int32_t coarse; // edge of the world in cells of the coarse lattice, in which queries are drawn
    int32_t edge;   // and in its own
    oct_tree *tree;
    oct_box box; // in which queries are drawn, of a mesh
    oct_point from[TABLE_QUERIES], to[TABLE_QUERIES];
    double optimum; // of all queries together, cells; 0 = not known
} table_scene;

// ---- scenes, in cells of the coarse lattice ----

static oct_box wall_cells(table_kind kind, int32_t edge)
{
    const int32_t thickness = edge >= 128 ? edge / 64 : 1;
    if (kind == TABLE_QUARTER) {
        return (oct_box){{edge / 2 - thickness, edge / 4, 0}, {edge / 2, edge * 3 / 4, edge}};
    }
    return (oct_box){{edge / 2 - thickness, edge * 5 / 32, 0}, {edge / 2, edge * 25 / 32, edge}};
}

static oct_bounds wall_bounds(table_kind kind, int32_t edge)
{
    const oct_box box = wall_cells(kind, edge);
    return (oct_bounds){{box.min.x, box.min.y, box.min.z}, {box.max.x, box.max.y, box.max.z}};
}

static oct_point sphere_middle(double edge)
{
    return (oct_point){0.53 * edge, 0.47 * edge, 0.51 * edge};
}

static double sphere_radius(double edge)
{
    return 0.27 * edge;
}

static int32_t random_edge(oct_random *random, int32_t edge)
{
    const int32_t least = edge / 8 > 1 ? edge / 8 : 1;
    return oct_random_range(random, least, edge / 3 > least ? edge / 3 : least);
}

static oct_result fill_complex(oct_tree *tree, int32_t edge)
{
    oct_random random = oct_random_seed(BOX_SEED);
    const oct_box world = {{0, 0, 0}, {edge, edge, edge}};
    uint64_t counts[3] = {0};
    do {
        const int32_t x = random_edge(&random, edge);
        const int32_t y = random_edge(&random, edge);
        const int32_t z = random_edge(&random, edge);
        oct_box box;
        box.min.x = oct_random_range(&random, 0, edge - x);
        box.min.y = oct_random_range(&random, 0, edge - y);
        box.min.z = oct_random_range(&random, 0, edge - z);
        box.max = (oct_vec){box.min.x + x, box.min.y + y, box.min.z + z};
        OCT_TRY(oct_tree_set_box(tree, box, OCT_MARK_BLOCKED));
        OCT_TRY(oct_tree_count(tree, world, counts));
    } while ((double)counts[OCT_BLOCKED] <
             COMPLEX_SHARE * (double)(counts[OCT_BLOCKED] + counts[OCT_OPEN]));
    return OCT_OK;
}

static oct_result build_tree(table_scene *s)
{
    const oct_tree_def def = oct_tree_def_default();
    const oct_box world = {{0, 0, 0}, {s->edge, s->edge, s->edge}};
    OCT_TRY(oct_tree_create(&def, &s->tree));
    OCT_TRY(oct_tree_set_box(s->tree, world, OCT_MARK_OPEN));
    switch (s->what->kind) {
    case TABLE_WALL:
    case TABLE_QUARTER:
        OCT_TRY(oct_tree_set_box(s->tree, wall_cells(s->what->kind, s->edge), OCT_MARK_BLOCKED));
        break;
    case TABLE_MESH: // has a map of its own
        break;
    case TABLE_SPHERE:
        OCT_TRY(oct_tree_set_ball(s->tree, sphere_middle(s->edge), sphere_radius(s->edge),
                                  OCT_COVER_TOUCH, OCT_MARK_BLOCKED));
        break;
    case TABLE_COMPLEX:
        OCT_TRY(fill_complex(s->tree, s->edge));
        break;
    }
    return oct_tree_shrink(s->tree);
}

// ---- queries ----

static double straight_length(oct_point a, oct_point b)
{
    const double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    return sqrt(x * x + y * y + z * z);
}

// Uniform on the sub-lattice, from lo up to hi.
static double random_axis(oct_random *random, int32_t lo, int32_t hi)
{
    const uint64_t steps = (uint64_t)(hi - lo) * OCT_FINE;
    return lo + (double)oct_random_below(random, steps) / OCT_FINE;
}

static oct_point random_point(oct_random *random, const oct_box *box)
{
    const double x = random_axis(random, box->min.x, box->max.x);
    const double y = random_axis(random, box->min.y, box->max.y);
    const double z = random_axis(random, box->min.z, box->max.z);
    return (oct_point){x, y, z};
}

// A query that may do, and the length of its shortest path, 0 where that is not known.
typedef struct draw {
    oct_point from, to;
    double optimum;
} draw;

// From the sparse side to the other.
static bool draw_wall(oct_random *random, table_kind kind, int32_t edge, draw *out)
{
    const oct_box wall = wall_cells(kind, edge);
    const oct_box sparse = {{wall.max.x, 0, 0}, {edge, edge, edge}};
    const oct_box dense = {{0, 0, 0}, {wall.min.x, edge, edge}};
    const oct_bounds bounds = wall_bounds(kind, edge);
    out->from = random_point(random, &sparse);
    out->to = random_point(random, &dense);
    out->optimum = oct_shortest_around_wall(&bounds, out->from, out->to);
    return out->optimum > straight_length(out->from, out->to) * (1.0 + 1e-9);
}

static bool draw_sphere(oct_random *random, int32_t edge, draw *out)
{
    const oct_box world = {{0, 0, 0}, {edge, edge, edge}};
    const oct_point middle = sphere_middle(edge);
    const double radius = sphere_radius(edge);
    const double clear = radius + 2.0; // no cell that the sphere touches reaches so far
    out->from = random_point(random, &world);
    out->to = random_point(random, &world);
    out->optimum = oct_shortest_around_ball(middle, radius, out->from, out->to);
    return straight_length(out->from, middle) > clear && straight_length(out->to, middle) > clear &&
           out->optimum > straight_length(out->from, out->to) * (1.0 + 1e-9);
}

static bool is_connected(oct_planner *planner, const draw *d)
{
    oct_query query = oct_query_default();
    oct_lab_query lab = oct_lab_query_default();
    query.lab = &lab;
    query.from = d->from;
    query.to = d->to;
    lab.graph = OCT_LAB_GRAPH_DUAL;
    lab.algorithm = OCT_LAB_ASTAR;
    oct_path path;
    return oct_planner_plan(planner, &query, &path) == OCT_OK && path.status == OCT_PATH_FOUND;
}

// A place of the lattice, metres.
static oct_point in_world(const table_scene *s, oct_point cells)
{
    const oct_point from = oct_tree_origin(s->tree);
    const double cell = oct_tree_cell_size(s->tree);
    return (oct_point){from.x + cells.x * cell, from.y + cells.y * cell, from.z + cells.z * cell};
}

static bool draw_complex(oct_random *random, const table_scene *s, oct_planner *planner, draw *out)
{
    oct_fine from, to;
    out->from = in_world(s, random_point(random, &s->box));
    out->to = in_world(s, random_point(random, &s->box));
    out->optimum = 0.0;
    return oct_tree_label_at(s->tree, out->from) == OCT_OPEN &&
           oct_tree_label_at(s->tree, out->to) == OCT_OPEN &&
           oct_tree_fine_at(s->tree, out->from, &from) && oct_tree_fine_at(s->tree, out->to, &to) &&
           !oct_tree_line_of_sight(s->tree, NULL, from, to) && is_connected(planner, out);
}

static bool draw_one(oct_random *random, const table_scene *s, oct_planner *planner, draw *out)
{
    switch (s->what->kind) {
    case TABLE_WALL:
    case TABLE_QUARTER:
        return draw_wall(random, s->what->kind, s->coarse, out);
    case TABLE_SPHERE:
        return draw_sphere(random, s->coarse, out);
    case TABLE_COMPLEX:
    case TABLE_MESH:
        break;
    }
    return draw_complex(random, s, planner, out);
}

static oct_point finer_point(oct_point at, double times)
{
    return (oct_point){at.x * times, at.y * times, at.z * times};
}

static oct_result draw_queries(table_scene *s, oct_planner *planner)
{
    oct_random random = oct_random_seed(QUERY_SEED);
    const double times = s->what->finer;
    int done = 0;
    for (int i = 0; i < DRAWS_MAX && done < TABLE_QUERIES; i++) {
        draw d;
        if (!draw_one(&random, s, planner, &d)) {
            continue;
        }
        const oct_point from = finer_point(d.from, times), to = finer_point(d.to, times);
        s->from[done] = s->what->turned ? to : from;
        s->to[done] = s->what->turned ? from : to;
        s->optimum += d.optimum * times;
        done++;
    }
    return done == TABLE_QUERIES ? OCT_OK : OCT_ERROR_RANGE;
}

// The map of a mesh; OCT_ERROR_ABSENT where the data folder lacks it.
static oct_result build_mesh(table_scene *s, const bench_options *options)
{
    oct_mesh *mesh;
    double seconds;
    if (!oct_mesh_scene_load(options, s->what->table, &mesh)) {
        return OCT_ERROR_ABSENT;
    }
    const oct_result result =
        oct_mesh_scene_map(mesh, s->edge, options->executor, &s->tree, &s->box, &seconds);
    oct_mesh_destroy(mesh);
    return result;
}

static oct_result make_map(table_scene *s, const half *what, const bench_options *options)
{
    *s = (table_scene){.what = what, .coarse = (int32_t)options->size / 2};
    s->edge = s->coarse * what->finer;
    s->box = (oct_box){{0, 0, 0}, {s->edge, s->edge, s->edge}};
    return what->kind == TABLE_MESH ? build_mesh(s, options) : build_tree(s);
}

static oct_result make_scene(table_scene *s, const half *what, const bench_options *options)
{
    OCT_TRY(make_map(s, what, options));
    oct_planner_def def = oct_planner_def_default();
    def.tree = s->tree;
    def.lab = oct_lab();
    oct_planner *planner = NULL;
    OCT_TRY(oct_planner_create(&def, &planner));
    const oct_result result = draw_queries(s, planner);
    oct_planner_destroy(planner);
    return result;
}

// ---- measuring ----

static oct_lab_graph graph_of(const half *what, const method *m)
{
    if (m->algorithm == OCT_LAB_PORTAL) {
        return OCT_LAB_GRAPH_PORTAL;
    }
    if (what->is_dual) {
        return m->is_progressive ? OCT_LAB_GRAPH_PROGRESSIVE_DUAL : OCT_LAB_GRAPH_DUAL;
    }
    return m->is_progressive ? OCT_LAB_GRAPH_PROGRESSIVE_CORNER : OCT_LAB_GRAPH_CORNER;
}

// Every `step`th query; their length together, or a negative one where a path was not found.
static double run_queries(const table_scene *s, oct_planner *planner, const method *m, int step)
{
    oct_query query = oct_query_default();
    oct_lab_query lab = oct_lab_query_default();
    query.lab = &lab;
    lab.graph = graph_of(s->what, m);
    lab.algorithm = m->algorithm;
    query.grade = m->grade;
    double length = 0.0;
    for (int i = 0; i < TABLE_QUERIES; i += step) {
        query.from = s->from[i];
        query.to = s->to[i];
        oct_path path;
        if (oct_planner_plan(planner, &query, &path) != OCT_OK || path.status != OCT_PATH_FOUND) {
            return -1.0;
        }
        length += path.length;
    }
    return length;
}

static oct_result measure_method(const table_scene *s, const method *m, int repeat, double *samples,
                                 table_row *row)
{
    oct_planner_def def = oct_planner_def_default();
    def.tree = s->tree;
    def.lab = oct_lab();
    oct_planner *planner = NULL;
    OCT_TRY(oct_planner_create(&def, &planner));
    double length = run_queries(s, planner, m, WARM_STEP);
    double spent = 0.0;
    int rounds = 0;
    while (length >= 0.0 && rounds < repeat && (rounds == 0 || spent < ROW_S)) {
        const double start = oct_bench_now_s();
        length = run_queries(s, planner, m, 1);
        const double seconds = oct_bench_now_s() - start;
        spent += seconds;
        samples[rounds++] = seconds * 1e3 / TABLE_QUERIES;
    }
    oct_planner_destroy(planner);
    if (length < 0.0) {
        return OCT_ERROR_ARGUMENT;
    }
    row->structure = m->is_progressive ? "progressive" : "octree";
    row->algorithm = m->name;
    row->time_ms = oct_bench_median(samples, rounds);
    row->distance = row->has_optimum
                        ? 100.0 * length / s->optimum
                        : length / TABLE_QUERIES / (s->edge * oct_tree_cell_size(s->tree));
    return OCT_OK;
}

static oct_result measure_methods(bench_report *report, const table_scene *s, double *samples,
                                  oct_array *rows)
{
    const oct_allocator memory = oct_allocator_default();
    const size_t which = (size_t)(s->what - halves);
    for (size_t i = 0; i < METHODS; i++) {
        report->options.progress(s->what->table, report->scene * METHODS + i,
                                 report->scene_count * METHODS);
        table_row row = {.table = s->what->table,
                         .scene = s->what->scene,
                         .has_optimum = s->optimum > 0.0,
                         .is_published = i < PUBLISHED && which < PUBLISHED_HALVES};
        if (row.is_published) {
            row.published_distance = published[which][i][0];
            row.published_time_ms = published[which][i][1];
        }
        OCT_TRY(measure_method(s, &methods[i], report->options.repeat, samples, &row));
        OCT_TRY(oct_array_push(rows, &memory, sizeof row, &row));
    }
    return OCT_OK;
}

static oct_result measure_half(bench_report *report, const half *what, double *samples,
                               oct_array *rows)
{
    table_scene scene;
    oct_result result = make_scene(&scene, what, &report->options);
    if (result == OCT_ERROR_ABSENT) {
        report->scene++;
        return OCT_OK;
    }
    if (result == OCT_OK) {
        result = measure_methods(report, &scene, samples, rows);
    }
    if (result != OCT_OK) {
        snprintf(report->message, sizeof report->message, "table mesh: %s, %s: %s", what->table,
                 what->scene, oct_result_text(result));
    }
    oct_tree_destroy(scene.tree);
    report->scene++;
    return result;
}

// Fills in the percentages of rows that belong to one table.
static void compare_rows(table_row *rows, size_t count)
{
    const bool has_optimum = rows[0].has_optimum;
    double best = has_optimum ? 100.0 : rows[0].distance;
    double published_best = has_optimum ? 100.0 : rows[0].published_distance;
    for (size_t i = 0; i < count && !has_optimum; i++) {
        best = rows[i].distance < best ? rows[i].distance : best;
        if (rows[i].is_published && rows[i].published_distance < published_best) {
            published_best = rows[i].published_distance;
        }
    }
    for (size_t i = 0; i < count; i++) {
        rows[i].percent = 100.0 * rows[i].distance / best;
        rows[i].published_percent = 100.0 * rows[i].published_distance / published_best;
    }
}

static bool is_wanted(const bench_report *report, const half *what)
{
    return strstr(what->table, report->options.filter) != NULL;
}

oct_result oct_table_mesh(bench_report *report, oct_array *rows)
{
    double *const samples = calloc((size_t)report->options.repeat, sizeof *samples);
    oct_result result = samples ? OCT_OK : OCT_ERROR_MEMORY;
    report->scene_count = 0;
    for (size_t i = 0; i < HALF_COUNT; i++) {
        report->scene_count += is_wanted(report, &halves[i]);
    }
    for (size_t i = 0; i < HALF_COUNT && result == OCT_OK; i += 2) {
        const size_t first = rows->count;
        for (size_t j = i; j < i + 2 && is_wanted(report, &halves[j]) && result == OCT_OK; j++) {
            result = measure_half(report, &halves[j], samples, rows);
        }
        if (result == OCT_OK && rows->count > first) {
            compare_rows((table_row *)rows->items + first, rows->count - first);
        }
    }
    free(samples);
    return result;
}

oct_result oct_table_mesh_scene(size_t i, uint32_t size, const char **name, int32_t *cells,
                                oct_tree **out)
{
    static const size_t scenes[TABLE_SCENES] = {0, 2, 3, 4};
    static const char *const names[TABLE_SCENES] = {"wall", "sphere, level 7", "sphere, level 9",
                                                    "complex"};
    table_scene scene;
    const oct_result result =
        make_map(&scene, &halves[scenes[i]], &(bench_options){.size = size, .filter = ""});
    *name = names[i];
    *cells = scene.edge;
    *out = scene.tree;
    return result;
}
