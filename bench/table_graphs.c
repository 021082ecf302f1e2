// SPDX-License-Identifier: MIT
#include "bench/table_graphs.h"
#include "bench/explicit_graph.h"
#include "bench/mesh_scene.h"
#include "bench/table_mesh.h"

#include <stdio.h>

#define LEVELS 5

static oct_result push(oct_array *rows, const graphs_row *row)
{
    const oct_allocator memory = oct_allocator_default();
    return oct_array_push(rows, &memory, sizeof *row, row);
}

static oct_result measure_graphs(const char *scene, int32_t cells, const oct_tree *tree,
                                 oct_array *rows)
{
    for (int i = 0; i < 4; i++) {
        graph_size size;
        OCT_TRY(oct_graph_measure(tree, (i & 2) != 0, (i & 1) != 0, &size));
        const graphs_row row = {.scene = scene,
                                .structure = i & 2 ? "progressive" : "octree",
                                .graph = i & 1 ? "corner" : "dual",
                                .cells = cells,
                                .nodes = (double)size.nodes,
                                .arcs = (double)size.arcs,
                                .build_ms = size.build_ms,
                                .leaves_ms = size.leaves_ms,
                                .bytes = (double)oct_tree_bytes(tree)};
        OCT_TRY(push(rows, &row));
    }
    return OCT_OK;
}

static oct_result measure_bytes(const char *scene, const oct_mesh *mesh, int32_t cells,
                                const oct_tree *tree, oct_box box, double seconds, oct_array *rows)
{
    uint64_t counts[3], nodes = 0;
    OCT_TRY(oct_tree_count(tree, box, counts));
    const oct_tree_stats stats = oct_tree_measure(tree);
    for (int level = 0; level <= OCT_LEVEL_MAX; level++) {
        nodes += stats.nodes[level];
    }
    const double bytes = (double)oct_tree_bytes(tree), area = oct_mesh_area(mesh);
    const double cell = oct_tree_cell_size(tree);
    const graphs_row row = {.scene = scene,
                            .structure = "tree",
                            .cells = cells,
                            .nodes = (double)nodes,
                            .arcs = (double)counts[OCT_BLOCKED],
                            .build_ms = seconds * 1e3,
                            .bytes = bytes,
                            .area = area,
                            .per_metre = bytes / area,
                            .per_square = bytes / (area / (cell * cell))};
    return push(rows, &row);
}

// Five sizes, each half the one before; the graphs at the one of table mesh.
static oct_result measure_mesh(bench_report *report, const char *name, oct_array *rows)
{
    const int32_t base = (int32_t)report->options.size / 2;
    oct_mesh *mesh;
    if (!oct_mesh_scene_load(&report->options, name, &mesh)) {
        return OCT_OK;
    }
    oct_result result = OCT_OK;
    for (int level = 0; level < LEVELS && result == OCT_OK; level++) {
        const int32_t cells = level < 2 ? base >> (2 - level) : base << (level - 2);
        report->options.progress(name, (size_t)level, LEVELS);
        oct_tree *tree;
        oct_box box;
        double seconds;
        result = oct_mesh_scene_map(mesh, cells > 0 ? cells : 1, NULL, &tree, &box, &seconds);
        if (result == OCT_OK) {
            result = measure_bytes(name, mesh, cells, tree, box, seconds, rows);
        }
        if (result == OCT_OK && cells == base) {
            result = measure_graphs(name, cells, tree, rows);
        }
        oct_tree_destroy(tree);
    }
    oct_mesh_destroy(mesh);
    return result;
}

static oct_result measure_scene(bench_report *report, size_t i, oct_array *rows)
{
    const char *name;
    oct_tree *tree;
    int32_t cells;
    OCT_TRY(oct_table_mesh_scene(i, report->options.size, &name, &cells, &tree));
    const oct_result result =
        strstr(name, report->options.filter) ? measure_graphs(name, cells, tree, rows) : OCT_OK;
    oct_tree_destroy(tree);
    return result;
}

oct_result oct_table_graphs(bench_report *report, oct_array *rows)
{
    oct_result result = OCT_OK;
    for (size_t i = 0; i < TABLE_SCENES && result == OCT_OK; i++) {
        result = measure_scene(report, i, rows);
    }
    for (size_t i = 0; i < MESH_NAMES && result == OCT_OK; i++) {
        if (strstr(oct_mesh_names[i], report->options.filter)) {
            result = measure_mesh(report, oct_mesh_names[i], rows);
        }
    }
    if (result != OCT_OK) {
        snprintf(report->message, sizeof report->message, "table graphs: %s",
                 oct_result_text(result));
    }
    return result;
}
