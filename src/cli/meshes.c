// SPDX-License-Identifier: MIT
// Meshes as commands see them: the map that is made of one, and warnings of what it lacks. And
// clearance, which every map may be asked for.
#include "cli/cli_internal.h"
#include "octant/tree.h"

#include "files/files_internal.h"
#include "geom/geom_internal.h"

#include <math.h>
#include <stdlib.h>

// ---- options ----

static int complain_clearance(const char *command, const char *words)
{
    return oct_cli_complain(
        "%s: --clearance must be a radius such as 0.4, the radius and height of "
        "an upright capsule such as 0.4,1.8, or half extents such as "
        "0.4,0.4,0.9, all metres, not '%s'",
        command, words);
}

int oct_cli_read_clearance(const char *command, const char *words, oct_up up, oct_clearance *out)
{
    double at[3] = {0.0, 0.0, 0.0};
    const int count = oct_cli_read_numbers(words, at, 3);
    *out = (oct_clearance){0};
    for (int i = 0; i < 3; i++) {
        if (count == 0 || !(at[i] >= 0.0 && at[i] <= 1e6)) {
            return complain_clearance(command, words);
        }
    }
    if (count == 3) {
        out->half = (oct_point){at[0], at[1], at[2]};
        return CLI_YES;
    }
    out->radius = at[0];
    if (count == 2) {
        if (at[1] < 2.0 * at[0]) {
            return oct_cli_complain("%s: a capsule of radius %g is at least %g high, not %g",
                                    command, at[0], 2.0 * at[0], at[1]);
        }
        double *const along[] = {&out->half.x, &out->half.y, &out->half.z};
        *along[up] = at[1] / 2.0 - at[0];
    }
    return CLI_YES;
}

// ---- clearance of maps ----

static int complain_reach(const char *path, double cell)
{
    return oct_cli_complain("%s: --clearance is more than %d cells of %g m", path,
                            OCT_CLEARANCE_CELLS_MAX, cell);
}

// Replaces a map by the view that a clearance leaves of it.
static int take_clearance(const char *path, const char *command, const char *words, cli_map *map)
{
    oct_clearance clearance;
    CLI_TRY(oct_cli_read_clearance(command, words, map->info.up, &clearance));
    const double start = oct_cli_now_ms();
    oct_tree_def def = oct_tree_def_default();
    def.cell_size = oct_tree_cell_size(map->tree);
    def.origin = oct_tree_origin(map->tree);
    def.dims = oct_tree_dims(map->tree);
    oct_tree *view;
    oct_result result = oct_tree_create(&def, &view);
    if (result == OCT_OK) {
        result = oct_clearance_view(map->tree, map->info.box, &clearance, view);
    }
    if (result != OCT_OK) {
        oct_tree_destroy(view);
        return result == OCT_ERROR_RANGE ? complain_reach(path, def.cell_size)
                                         : oct_cli_check(path, result);
    }
    oct_tree_destroy(map->tree);
    map->tree = view;
    map->clearance_ms = oct_cli_now_ms() - start;
    return CLI_YES;
}

// ---- meshes ----

// Of the mesh and its map; a command has one of them. The map keeps it as long as it lives.
static oct_budget memory;

static int check_memory(const char *path, oct_result result)
{
    if (result != OCT_ERROR_MEMORY || memory.refused == 0) {
        return oct_cli_check(path, result);
    }
    return oct_cli_complain("%s: it needs more than %zu MB of memory; larger cells need less", path,
                            memory.limit / OCT_MEGABYTE);
}

static void warn_of_mesh(const char *path, const oct_mesh_report *about)
{
    if (about->open_edges > 0) {
        const oct_point a = about->open_edge[0], b = about->open_edge[1];
        oct_cli_warn("%s: %u of %u parts enclose nothing: %llu open edges, one of them from "
                     "(%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g)",
                     path, about->parts - about->closed, about->parts,
                     (unsigned long long)about->open_edges, a.x, a.y, a.z, b.x, b.y, b.z);
    }
    if (about->inward > 0) {
        oct_cli_warn("%s: the faces of %u closed parts look inwards; what they enclose counts as "
                     "solid, unless --hollow is given",
                     path, about->inward);
    }
    if (about->degenerate > 0) {
        oct_cli_warn("%s: %llu triangles have no area", path,
                     (unsigned long long)about->degenerate);
    }
    if (about->tangled > 0) {
        oct_cli_warn("%s: %llu polygons cross themselves; their triangles are a guess", path,
                     (unsigned long long)about->tangled);
    }
    if (about->passed > 0) {
        oct_cli_warn("%s: %llu statements that no triangles come from were passed over", path,
                     (unsigned long long)about->passed);
    }
}

static double longest_side(oct_bounds b)
{
    return fmax(fmax(b.max.x - b.min.x, b.max.y - b.min.y), b.max.z - b.min.z);
}

// The lattice: cells of a size that was given, around 0; or so many along the longest side, from
// the mesh's least corner on.
static int choose_lattice(const char *path, const cli_world_plan *plan, const oct_mesh *mesh,
                          oct_tree_def *def)
{
    const oct_bounds box = oct_mesh_bounds(mesh);
    def->cell_size = plan->cell;
    if (plan->cells == 0) {
        return CLI_YES;
    }
    const double longest = longest_side(box);
    def->cell_size = longest / (double)plan->cells;
    def->origin = box.min;
    return def->cell_size > 0.0 && isfinite(def->cell_size)
               ? CLI_YES
               : oct_cli_complain("%s: its longest side, %g m, has no %lld cells; say --cell", path,
                                  longest, (long long)plan->cells);
}

static int complain_size(const char *path, double cell)
{
    return oct_cli_complain("%s: with cells of %g m it does not fit into a map; say a larger "
                            "--cell, or --cells",
                            path, cell);
}

// Cells that the faces of the box, or the surface, may cut: more are refused before they are tried,
// for they would take gigabytes.
#define FACE_CELLS_MAX 0x1p32

static bool is_too_fine(const oct_mesh *mesh, double cell, oct_box box)
{
    const double x = (double)box.max.x - box.min.x, y = (double)box.max.y - box.min.y,
                 z = (double)box.max.z - box.min.z;
    return x * y + y * z + z * x > FACE_CELLS_MAX ||
           oct_mesh_area(mesh) > FACE_CELLS_MAX * cell * cell;
}

// The cells that get a label: those of the mesh, and what --margin adds. False where it is too
// much.
static bool declare_box(const oct_mesh *mesh, const oct_tree *tree, double margin, oct_box *box)
{
    const double cell = oct_tree_cell_size(tree), cells = ceil(margin / cell);
    if (!oct_mesh_cells(mesh, tree, box) || !(cells < 1e8)) {
        return false;
    }
    const int32_t by = (int32_t)cells;
    *box = (oct_box){{box->min.x - by, box->min.y - by, box->min.z - by},
                     {box->max.x + by, box->max.y + by, box->max.z + by}};
    return !is_too_fine(mesh, cell, *box);
}

static int voxelise(const char *path, const cli_world_plan *plan, const oct_mesh *mesh,
                    const oct_voxels_def *how, cli_map *out)
{
    oct_tree_def def = oct_tree_def_default();
    def.allocator = &memory.allocator;
    CLI_TRY(choose_lattice(path, plan, mesh, &def));
    oct_voxels_def own = *how;
    oct_result result = oct_tree_create(&def, &out->tree);
    if (result == OCT_OK) {
        result = declare_box(mesh, out->tree, plan->margin, &own.box)
                     ? oct_mesh_voxelise(mesh, &own, out->tree)
                     : OCT_ERROR_RANGE;
    }
    out->info.box = own.box;
    if (result != OCT_OK) {
        oct_tree_destroy(out->tree);
        out->tree = NULL;
    }
    return result == OCT_ERROR_RANGE ? complain_size(path, def.cell_size)
                                     : check_memory(path, result);
}

// Adds the area of each triangle, as a vector, to its corners.
static void add_areas(const oct_mesh *mesh, oct_point *normals)
{
    const oct_point *const v = oct_mesh_vertices(mesh);
    const uint32_t *const at = oct_mesh_indices(mesh);
    for (size_t i = 0; i < 3 * oct_mesh_triangle_count(mesh); i += 3) {
        const oct_point a = v[at[i]];
        const oct_point area = point_cross(point_sub(v[at[i + 1]], a), point_sub(v[at[i + 2]], a));
        for (size_t j = i; j < i + 3; j++) {
            normals[at[j]] = point_add(normals[at[j]], area);
        }
    }
}

// What He and Hung 2016 (4.8) do: every vertex is moved along its normal. To compare with.
static oct_result move_by_normals(double by, const oct_mesh *mesh, oct_mesh **out)
{
    const size_t count = oct_mesh_vertex_count(mesh);
    oct_point *const moved = calloc(count + 1, sizeof *moved);
    *out = NULL;
    if (!moved) {
        return OCT_ERROR_MEMORY;
    }
    add_areas(mesh, moved);
    for (size_t i = 0; i < count; i++) {
        const double length = point_length(moved[i]);
        moved[i] = point_add(oct_mesh_vertices(mesh)[i],
                             point_scale(moved[i], length > 0.0 ? by / length : 0.0));
    }
    oct_mesh_def def = oct_mesh_def_default();
    def.allocator = &memory.allocator;
    const oct_result result = oct_mesh_create(&def, moved, count, oct_mesh_indices(mesh),
                                              oct_mesh_triangle_count(mesh), out);
    free(moved);
    return result;
}

static int make_map(const char *path, const cli_world_plan *plan, const oct_mesh *mesh,
                    cli_map *out)
{
    oct_voxels_def how = oct_voxels_def_default();
    how.open_inside = plan->hollow;
    out->info.up = plan->up;
    if (plan->clearance) {
        CLI_TRY(oct_cli_read_clearance(plan->command, plan->clearance, plan->up, &how.clearance));
    }
    const oct_point half = how.clearance.half;
    if (plan->by_normals && (!plan->clearance || half.x > 0.0 || half.y > 0.0 || half.z > 0.0)) {
        return oct_cli_complain("%s: --clearance-by normals is for --clearance by a radius",
                                plan->command);
    }
    cli_threads *const threads = oct_cli_threads_create(oct_cli_cores());
    if (!threads) {
        return oct_cli_check(path, OCT_ERROR_MEMORY);
    }
    const oct_executor executor = oct_cli_threads_executor(threads);
    how.executor = &executor;
    const double start = oct_cli_wall_ms();
    oct_mesh *moved = NULL;
    int code = CLI_YES;
    if (plan->by_normals) {
        code = check_memory(path, move_by_normals(how.clearance.radius, mesh, &moved));
        how.clearance = (oct_clearance){0};
    }
    if (code == CLI_YES) {
        code = voxelise(path, plan, moved ? moved : mesh, &how, out);
    }
    oct_mesh_destroy(moved);
    out->build_ms = oct_cli_wall_ms() - start;
    oct_cli_threads_destroy(threads);
    return code;
}

// What assimp reads is read in a child: it may come from strangers.
static int load(const char *path, const cli_world_plan *plan, oct_mesh_def *def, oct_mesh **out,
                oct_mesh_report *report)
{
    def->unit = plan->unit;
    if (!oct_mesh_kind_is_own(path)) {
        return oct_cli_read_mesh(path, def, plan->unit_text, out, report);
    }
    oct_error error = {.line = 0};
    const oct_result result = oct_mesh_load(path, def, out, &error);
    if (result == OCT_OK) {
        *report = oct_mesh_get_report(*out);
    }
    return result == OCT_ERROR_MEMORY ? check_memory(path, result)
                                      : oct_cli_check_file(path, result, &error);
}

static int begin_mesh(const char *path, const cli_world_plan *plan, oct_mesh **out,
                      oct_mesh_report *report)
{
    oct_budget_init(&memory, (size_t)plan->memory, NULL);
    oct_mesh_def def = oct_mesh_def_default();
    def.allocator = &memory.allocator;
    return load(path, plan, &def, out, report);
}

int oct_cli_open_mesh(const char *path, const cli_world_plan *plan, oct_mesh **out)
{
    oct_mesh_report report;
    return begin_mesh(path, plan, out, &report);
}

static int open_mesh(const char *path, const cli_world_plan *plan, cli_map *out)
{
    const double start = oct_cli_wall_ms();
    oct_mesh *mesh;
    oct_mesh_report report;
    CLI_TRY(begin_mesh(path, plan, &mesh, &report));
    out->info = oct_tree_info_default();
    out->kind = oct_mesh_kind(path);
    out->mesh = (cli_mesh){.report = report,
                           .triangles = oct_mesh_triangle_count(mesh),
                           .vertices = oct_mesh_vertex_count(mesh),
                           .area = oct_mesh_area(mesh),
                           .bounds = oct_mesh_bounds(mesh),
                           .load_ms = oct_cli_wall_ms() - start};
    warn_of_mesh(path, &out->mesh.report);
    const int code = make_map(path, plan, mesh, out);
    oct_mesh_destroy(mesh);
    return code;
}

int oct_cli_open_map(const char *path, const cli_world_plan *plan, cli_map *out)
{
    *out = (cli_map){.tree = NULL, .has_clearance = plan->clearance != NULL};
    if (plan->is_mesh) {
        return open_mesh(path, plan, out);
    }
    CLI_TRY(oct_cli_load(path, out));
    const int code =
        plan->clearance ? take_clearance(path, plan->command, plan->clearance, out) : CLI_YES;
    if (code != CLI_YES) {
        oct_tree_destroy(out->tree);
    }
    return code;
}
