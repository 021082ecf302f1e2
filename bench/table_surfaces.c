// SPDX-License-Identifier: MIT
// What is measured, and how: see table_surfaces.h. Detour runs with 65535 nodes and buffers for
// all faces. Times are CPU time of the thread, mean over all queries in turn.
#include "bench/table_surfaces.h"
#include "bench/surface_scene.h"
#include "surface/surface_path.h"
#include "verify/surface_judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLOORS 10
#define MISS_MAX 1e-5
#define LONGER_MAX 1e-3
#define DRAPE_SLACK 1e-3 // Detour's points are floats
#define FAR 1000.0       // coordinates beyond which the judge allows for that

typedef struct mesh_def {
    const char *name, *file;
    double scale, radius;
} mesh_def;

static const mesh_def meshes[] = {
    {"recast_dungeon", "mesh/recast_dungeon.obj", 1.0, 0.6},
    {"recast_nav_test", "mesh/recast_nav_test.obj", 1.0, 0.6},
    {"recast_undulating", "mesh/recast_undulating.obj", 1.0, 0.6},
    {"sponza", "mesh/sponza.obj", 0.01, 0.3},
};
#define MESHES (sizeof meshes / sizeof meshes[0])

static oct_point point_of(const float at[3])
{
    return (oct_point){(double)at[0], (double)at[1], (double)at[2]};
}

static oct_surface_query query_of(const surface_query *q)
{
    oct_surface_query query = oct_surface_query_default();
    query.from = point_of(q->from);
    query.to = point_of(q->to);
    query.from_face = q->from_face;
    query.to_face = q->to_face;
    return query;
}

static double ground_length(const oct_point *points, uint32_t count)
{
    double length = 0.0;
    for (uint32_t i = 1; i < count; i++) {
        const double x = points[i].x - points[i - 1].x, z = points[i].z - points[i - 1].z;
        length += sqrt(x * x + z * z);
    }
    return length;
}

// ---- times ----

static double time_octant(const surface_scene *s, oct_surface_planner *planner)
{
    const double start = oct_bench_now_s();
    for (int i = 0; i < SURFACE_QUERIES; i++) {
        const oct_surface_query query = query_of(&s->queries[i]);
        oct_surface_path path;
        if (oct_surface_plan(planner, &query, &path) != OCT_OK) {
            return -1.0;
        }
    }
    return (oct_bench_now_s() - start) * 1e6 / SURFACE_QUERIES;
}

static double time_detour(const surface_scene *s)
{
    const double start = oct_bench_now_s();
    for (int i = 0; i < SURFACE_QUERIES; i++) {
        const surface_query *const q = &s->queries[i];
        oct_recast_find(s->recast, (int)q->from_face, q->from, (int)q->to_face, q->to);
    }
    return (oct_bench_now_s() - start) * 1e6 / SURFACE_QUERIES;
}

static double time_locate(const surface_scene *s)
{
    const double start = oct_bench_now_s();
    for (int i = 0; i < SURFACE_QUERIES; i++) {
        oct_surface_locate(s->surface, point_of(s->queries[i].from), 0.5);
    }
    return (oct_bench_now_s() - start) * 1e6 / SURFACE_QUERIES;
}

static double time_nearest(const surface_scene *s)
{
    const float half[3] = {0.5f, 0.5f, 0.5f};
    const double start = oct_bench_now_s();
    for (int i = 0; i < SURFACE_QUERIES; i++) {
        oct_recast_nearest(s->recast, s->queries[i].from, half);
    }
    return (oct_bench_now_s() - start) * 1e6 / SURFACE_QUERIES;
}

static void measure_times(const surface_scene *s, oct_surface_planner *planner, surfaces_row *row)
{
    double samples[4][SURFACES_PASSES];
    time_octant(s, planner);
    time_detour(s);
    for (int pass = 0; pass < SURFACES_PASSES; pass++) {
        samples[0][pass] = time_octant(s, planner);
        samples[1][pass] = time_detour(s);
        samples[2][pass] = time_locate(s);
        samples[3][pass] = time_nearest(s);
    }
    row->octant_us = oct_bench_median(samples[0], SURFACES_PASSES);
    row->detour_us = oct_bench_median(samples[1], SURFACES_PASSES);
    row->locate_us = oct_bench_median(samples[2], SURFACES_PASSES);
    row->nearest_us = oct_bench_median(samples[3], SURFACES_PASSES);
}

// ---- lengths ----

typedef struct length_work {
    const surface_scene *scene;
    oct_surface_planner *planner;
    surface_oracle oracle;
    surface_judge judge;
    oct_point *line; // of Detour
    surfaces_row *row;
    uint32_t compared;
} length_work;

static double surface_length(length_work *w, const oct_point *line, uint32_t count, uint32_t face)
{
    const oct_point *points;
    uint32_t point_count;
    double length;
    const oct_result result =
        oct_surface_lay(w->planner, line, count, face, DRAPE_SLACK, &points, &point_count, &length);
    return result == OCT_OK ? length : -1.0;
}

static void compare_with_detour(length_work *w, const surface_query *q, const recast_answer *a,
                                double ground, double surface)
{
    surfaces_row *const row = w->row;
    for (int i = 0; i < a->point_count; i++) {
        w->line[i] = point_of(&a->points[3 * i]);
    }
    const uint32_t count = (uint32_t)a->point_count;
    const double own = ground_length(w->line, count);
    const double own_surface = surface_length(w, w->line, count, q->from_face);
    row->longer += ground > own + LONGER_MAX;
    w->compared++;
    row->octant_length += ground;
    row->detour_length += own;
    row->octant_surface += surface;
    row->detour_surface += own_surface;
    const double ratio = own_surface > 0.0 ? surface / own_surface : 1.0;
    row->over_1 += ratio > 1.01;
    row->worst_surface = ratio > row->worst_surface ? ratio : row->worst_surface;
}

static void compare_query(length_work *w, const surface_query *q)
{
    surfaces_row *const row = w->row;
    const oct_surface_query query = query_of(q);
    oct_surface_path path;
    if (oct_surface_plan(w->planner, &query, &path) != OCT_OK || path.status != OCT_SURFACE_FOUND) {
        row->invalid++;
        return;
    }
    const double truth =
        oct_surface_oracle_length(&w->oracle, query.from, query.from_face, query.to, query.to_face);
    const double miss = fabs(path.length - truth);
    row->worst_miss = !(miss <= row->worst_miss) ? miss : row->worst_miss;
    row->missed += !(miss <= MISS_MAX);
    row->invalid += !oct_surface_judge_path(&w->judge, path.points, path.point_count,
                                            path.from.face, path.to.face);
    const double ground = path.length;
    const double surface = surface_length(w, path.points, path.point_count, path.from.face);
    const recast_answer answer =
        oct_recast_find(w->scene->recast, (int)q->from_face, q->from, (int)q->to_face, q->to);
    row->partial += answer.is_partial;
    row->out_of_nodes += answer.is_out_of_nodes;
    if (answer.is_found && !answer.is_out_of_nodes) {
        compare_with_detour(w, q, &answer, ground, surface);
    }
}

static void count_apart(length_work *w)
{
    w->row->apart = w->scene->apart_count;
    for (uint32_t i = 0; i < w->scene->apart_count; i++) {
        const oct_surface_query query = query_of(&w->scene->apart[i]);
        oct_surface_path path;
        w->row->told_apart += oct_surface_plan(w->planner, &query, &path) == OCT_OK &&
                              path.status == OCT_SURFACE_UNREACHABLE;
    }
}

static double reach_of(const oct_surface *s)
{
    const oct_bounds b = oct_surface_info_of(s).bounds;
    const double values[6] = {b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z};
    double reach = 0.0;
    for (int i = 0; i < 6; i++) {
        reach = fabs(values[i]) > reach ? fabs(values[i]) : reach;
    }
    return reach;
}

static oct_result compare_lengths(const surface_scene *s, oct_surface_planner *planner,
                                  surfaces_row *row)
{
    length_work w = {.scene = s, .planner = planner, .row = row};
    OCT_TRY(oct_surface_oracle_open(&w.oracle, s->surface));
    const double slack = reach_of(s->surface) > FAR ? 1e-3 : 1e-6;
    oct_result result = oct_surface_judge_open(&w.judge, s->surface, slack);
    if (result == OCT_OK) {
        w.line = malloc((row->faces + 2) * sizeof *w.line);
        result = w.line ? OCT_OK : OCT_ERROR_MEMORY;
        for (int i = 0; result == OCT_OK && i < SURFACE_QUERIES; i++) {
            compare_query(&w, &s->queries[i]);
        }
        free(w.line);
        oct_surface_judge_close(&w.judge);
    }
    oct_surface_oracle_close(&w.oracle);
    const double count = w.compared > 0 ? w.compared : 1.0;
    row->octant_length /= count;
    row->detour_length /= count;
    row->octant_surface /= count;
    row->detour_surface /= count;
    if (result == OCT_OK) {
        count_apart(&w);
    }
    return result;
}

// ---- rows ----

static oct_result measure_scene(const surface_scene *s, surfaces_row *row)
{
    oct_surface_planner *planner;
    row->faces = oct_surface_info_of(s->surface).faces;
    row->queries = SURFACE_QUERIES;
    OCT_TRY(oct_surface_planner_create(s->surface, NULL, &planner));
    measure_times(s, planner, row);
    const oct_result result = compare_lengths(s, planner, row);
    oct_surface_planner_destroy(planner);
    return result;
}

static oct_result make_scene(const bench_report *report, size_t index, surface_scene *scene,
                             const char **why, char *path, size_t size)
{
    *scene = (surface_scene){.recast = NULL};
    *why = "memory is short";
    path[0] = '\0';
    if (index >= MESHES) {
        return oct_surface_scene_floor(index - MESHES + 1, scene, why);
    }
    const mesh_def *const mesh = &meshes[index];
    snprintf(path, size, "%s/%s", report->options.data, mesh->file);
    return oct_surface_scene_bake(path, mesh->scale, mesh->radius, scene, why);
}

static oct_result measure_row(bench_report *report, size_t index, surface_scene *scene,
                              oct_array *rows)
{
    const oct_allocator memory = oct_allocator_default();
    surfaces_row row = {.faces = 0};
    if (index < MESHES) {
        snprintf(row.mesh, sizeof row.mesh, "%s", meshes[index].name);
    } else {
        snprintf(row.mesh, sizeof row.mesh, "floor_%zu", index - MESHES + 1);
    }
    if (!strstr(row.mesh, report->options.filter)) {
        return OCT_OK;
    }
    report->options.progress(row.mesh, index, MESHES + FLOORS);
    char path[512];
    const char *why;
    oct_result result = make_scene(report, index, scene, &why, path, sizeof path);
    if (result == OCT_ERROR_FILE) {
        oct_bench_skip(report, path);
        return OCT_OK;
    }
    if (result != OCT_OK) {
        snprintf(report->message, sizeof report->message, "%s: %s", row.mesh, why);
        return result;
    }
    result = measure_scene(scene, &row);
    return result == OCT_OK ? oct_array_push(rows, &memory, sizeof row, &row) : result;
}

oct_result oct_table_surfaces(bench_report *report, oct_array *rows)
{
    surface_scene *const scene = malloc(sizeof *scene);
    oct_result result = scene ? OCT_OK : OCT_ERROR_MEMORY;
    for (size_t i = 0; i < MESHES + FLOORS && result == OCT_OK; i++) {
        *scene = (surface_scene){.recast = NULL};
        result = measure_row(report, i, scene, rows);
        oct_surface_scene_free(scene);
    }
    free(scene);
    return result;
}
