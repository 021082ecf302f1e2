// SPDX-License-Identifier: MIT
// Worlds as commands see them: the options that make a map of one, and that map.
#include "cli/cli_internal.h"
#include "octant/tree.h"

#include "files/files_internal.h"
#include "map/things.h"
#include "world/world_internal.h"

#include <math.h>

enum {
    WORLD_CELL,
    WORLD_BODY,
    WORLD_PADDING,
    WORLD_SIZES,
    MESH_CELLS,
    MESH_MARGIN,
    MESH_HOLLOW,
    MESH_UP,
    MESH_UNIT,
    ANY_CLEARANCE,
    MESH_CLEARANCE_BY
};

#define BODY_MAX 1e6 // metres
// Cells, or nodes, that the faces of what is seen may cut: some 20 MB of them.
#define FACE_NODES_MAX (1 << 20)
#define BRICK_EDGE 4

// ---- options ----

// "1.8" or "0.8,0.8,1.8"
static bool parse_extents(const char *text, double extents[3], bool *is_ball)
{
    const int count = oct_cli_read_numbers(text, extents, 3);
    *is_ball = count == 1;
    if (count == 1) {
        extents[1] = extents[2] = extents[0];
    }
    bool good = count == 1 || count == 3;
    for (int i = 0; i < 3 && good; i++) {
        good = extents[i] >= 0.0 && extents[i] <= BODY_MAX;
    }
    return good;
}

// What an option is for.
typedef struct option_use {
    const char *name;
    bool worlds, meshes, maps;
    const char *instead; // of being for something else
} option_use;

static const option_use uses[CLI_WORLD_OPTION_COUNT] = {
    [WORLD_CELL] = {"cell", true, true, false, "for worlds and meshes; a map has cells of its own"},
    [WORLD_BODY] = {"body", true, false, false, "for worlds, which are .json or .sbs files"},
    [WORLD_PADDING] = {"padding", true, false, false, "for worlds, which are .json or .sbs files"},
    [WORLD_SIZES] = {"sizes", true, false, false, "for worlds, which are .json or .sbs files"},
    [MESH_CELLS] = {"cells", false, true, false, "for meshes, such as .obj and .stl files"},
    [MESH_MARGIN] = {"margin", false, true, false, "for meshes, such as .obj and .stl files"},
    [MESH_HOLLOW] = {"hollow", false, true, false, "for meshes, such as .obj and .stl files"},
    [MESH_UP] = {"up", false, true, false, "for meshes, such as .obj and .stl files"},
    [MESH_UNIT] = {"unit", false, true, false, "for meshes, such as .obj and .stl files"},
    [ANY_CLEARANCE] = {"clearance", false, true, true, "for maps and meshes; worlds have --body"},
    [MESH_CLEARANCE_BY] = {"clearance-by", false, true, false,
                           "for meshes, such as .obj and .stl files"},
};

int oct_cli_plan_world(const char *command, const char *path, const cli_value *options,
                       cli_world_plan *plan)
{
    plan->command = command;
    plan->is_world = oct_world_is_named(path);
    plan->is_mesh = !plan->is_world && oct_mesh_kind(path) != NULL;
    for (int i = 0; i < CLI_WORLD_OPTION_COUNT; i++) {
        const option_use *const use = &uses[i];
        const bool fits = plan->is_world ? use->worlds : plan->is_mesh ? use->meshes : use->maps;
        if (options[i].given && !fits) {
            return oct_cli_complain("%s: --%s is %s", command, use->name, use->instead);
        }
    }
    if (options[WORLD_CELL].given && options[MESH_CELLS].given) {
        return oct_cli_complain("%s: --cell and --cells do not go together", command);
    }
    plan->cells = options[MESH_CELLS].given ? options[MESH_CELLS].integer : 0;
    plan->margin = options[MESH_MARGIN].real;
    plan->hollow = options[MESH_HOLLOW].given;
    plan->up = (oct_up)options[MESH_UP].integer;
    plan->unit = options[MESH_UNIT].real;
    plan->unit_text = options[MESH_UNIT].text;
    plan->by_normals = options[MESH_CLEARANCE_BY].integer == 1;
    plan->clearance = options[ANY_CLEARANCE].given ? options[ANY_CLEARANCE].text : NULL;
    if (options[WORLD_SIZES].given && !oct_save_is_named(path)) {
        return oct_cli_complain("%s: --sizes is for saves, which are .sbs files", command);
    }
    plan->memory = CLI_WORLD_MEMORY;
    plan->has_memory = false;
    plan->sizes = options[WORLD_SIZES].text;
    plan->cell = options[WORLD_CELL].real;
    plan->padding = options[WORLD_PADDING].integer == 0 ? OCT_PADDING_WHOLE : OCT_PADDING_CENTRE;
    return parse_extents(options[WORLD_BODY].text, plan->extents, &plan->is_ball)
               ? CLI_YES
               : oct_cli_complain("%s: --body must be metres such as 1.8 or 0.8,0.8,1.8, not '%s'",
                                  command, options[WORLD_BODY].text);
}

// ---- memory ----

void oct_cli_begin_memory(cli_world *world, const cli_world_plan *plan)
{
    oct_budget_init(&world->budget, (size_t)plan->memory, NULL);
    world->has_memory = plan->has_memory;
}

const oct_allocator *oct_cli_memory(const cli_world *world)
{
    return world->budget.limit > 0 ? &world->budget.allocator : NULL;
}

int oct_cli_check_memory(const char *path, oct_result result, const cli_world *world)
{
    if (result != OCT_ERROR_MEMORY || world->budget.refused == 0) {
        return oct_cli_check(path, result);
    }
    return oct_cli_complain("%s: it needs more than %zu MB of memory; larger cells need less%s",
                            path, world->budget.limit / OCT_MEGABYTE,
                            world->has_memory ? ", --memory allows more" : "");
}

// ---- in and out ----

static void warn_of_world(void *ctx, const char *message)
{
    const char *const *path = ctx;
    oct_cli_warn("%s: %s", *path, message);
}

int oct_cli_load_sizes(const char *path, const char *named, oct_world **out)
{
    char found[4096];
    *out = NULL;
    if (!named && !(oct_save_is_named(path) && oct_block_sizes_find(path, found, sizeof found))) {
        return CLI_YES;
    }
    oct_error error = {.line = 0};
    const char *const sizes = named ? named : found;
    const oct_result result = oct_block_sizes_load(sizes, NULL, out, &error);
    return oct_cli_check_file(sizes, result, &error);
}

int oct_cli_load_world(const char *path, const cli_world_plan *plan, cli_world *out)
{
    const double start = oct_cli_now_ms();
    oct_error error = {.line = 0};
    oct_world *sizes;
    *out = (cli_world){.map = NULL};
    oct_cli_begin_memory(out, plan);
    CLI_TRY(oct_cli_load_sizes(path, plan->sizes, &sizes));
    const oct_world_extras extras = {sizes, warn_of_world, &path};
    const oct_result result =
        oct_world_load(path, &extras, oct_cli_memory(out), &out->world, &out->kind, &error);
    oct_world_destroy(sizes);
    CLI_TRY(result == OCT_ERROR_MEMORY ? oct_cli_check_memory(path, result, out)
                                       : oct_cli_check_file(path, result, &error));
    out->load_ms = oct_cli_now_ms() - start;
    return CLI_YES;
}

void oct_cli_free_world(cli_world *world)
{
    oct_map_destroy(world->map);
    oct_world_destroy(world->world);
}

// ---- the map ----

static int32_t rounded_up(int32_t min, int32_t max, int32_t edge)
{
    const int64_t end = min + ((int64_t)max - min + edge - 1) / edge * edge;
    return end < OCT_RANGE ? (int32_t)end : OCT_RANGE;
}

// Cells on three faces of a box that meet in a corner.
static double face_cells(oct_box box)
{
    const double x = (double)box.max.x - box.min.x;
    const double y = (double)box.max.y - box.min.y;
    const double z = (double)box.max.z - box.min.z;
    return x * y + y * z + z * x;
}

// The cells to mark as seen. The faces of a box that ends anywhere are made of single cells, which
// are gigabytes where a world is kilometres wide. So those of a large box are moved outwards, to
// where larger nodes end; beyond the declared box a map says nothing.
static oct_box seen_cells(oct_box box)
{
    double nodes = face_cells(box);
    int32_t edge = 1;
    for (; nodes > FACE_NODES_MAX; nodes /= 4.0) {
        edge *= 2;
    }
    if (edge == 1) {
        return box;
    }
    edge = edge > BRICK_EDGE ? edge : BRICK_EDGE;
    // The tree begins at whole bricks, and its nodes there.
    const oct_vec min = {box.min.x & -BRICK_EDGE, box.min.y & -BRICK_EDGE, box.min.z & -BRICK_EDGE};
    return (oct_box){min,
                     {rounded_up(min.x, box.max.x, edge), rounded_up(min.y, box.max.y, edge),
                      rounded_up(min.z, box.max.z, edge)}};
}

static int complain_size(const char *path, double cell)
{
    return oct_cli_complain(
        "%s: with cells of %g m it does not fit into a map; say a larger --cell", path, cell);
}

// Which block is too large for a map, and what would help.
static int complain_block(const char *path, double cell, const cli_world *world, size_t index)
{
    const oct_world_block block = oct_world_get(world->world, index);
    const oct_box cells = oct_map_cover(world->map, block.box);
    if (cells.min.x == cells.max.x) { // beyond what cells can be counted
        return complain_size(path, cell);
    }
    return oct_cli_complain(
        "%s: with cells of %g m it does not fit into a map: block %llu (%s) takes %lld x %lld x "
        "%lld of them, whose surface is too much; say a larger --cell",
        path, cell, (unsigned long long)block.id, oct_world_get_type(world->world, block.type).name,
        (long long)cells.max.x - cells.min.x, (long long)cells.max.y - cells.min.y,
        (long long)cells.max.z - cells.min.z);
}

int oct_cli_map_world(const char *path, double cell, oct_point padding, bool is_ball,
                      cli_world *world)
{
    oct_map_def def = oct_map_def_default();
    def.cell_size = cell;
    def.padding = padding;
    def.is_ball = is_ball;
    def.allocator = oct_cli_memory(world);
    world->info = oct_tree_info_default();
    world->info.up = oct_world_up(world->world);
    world->info.left_handed = oct_world_left_handed(world->world);
    const lattice plain = {.cell_size = cell, .dims = 3};
    const oct_bounds extent = oct_world_extent(world->world);
    if (!oct_lattice_cover(&plain, &extent, &world->info.box)) {
        return complain_size(path, cell);
    }
    CLI_TRY(oct_cli_check_memory(path, oct_map_create(&def, &world->map), world));
    oct_result result = oct_map_set_box(world->map, seen_cells(world->info.box), OCT_MARK_KNOWN);
    if (result == OCT_OK) {
        size_t index;
        result = oct_world_add_to(world->world, world->map, &index);
        if (result == OCT_ERROR_RANGE) {
            return complain_block(path, cell, world, index);
        }
    }
    if (result == OCT_OK) {
        result = oct_map_shrink(world->map);
    }
    return result == OCT_ERROR_RANGE ? complain_size(path, cell)
                                     : oct_cli_check_memory(path, result, world);
}

static bool has_turned(const oct_world *world)
{
    oct_piece piece;
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        const oct_world_block block = oct_world_get(world, i);
        if (oct_world_piece(world, &block, &piece)) {
            return true;
        }
    }
    return false;
}

// The passage may run along any axis: the body's longest extent has to fit through. Through one
// that is turned a box may have to go by its diagonal.
static void check_passage(const char *path, const cli_world_plan *plan, cli_world *world)
{
    const double passage = oct_world_passage(world->world);
    const double *const e = plan->extents;
    const double xy = e[0] > e[1] ? e[0] : e[1];
    const bool is_turned = has_turned(world->world);
    double longest = xy > e[2] ? xy : e[2];
    if (is_turned && !plan->is_ball) {
        longest = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    }
    if (!(passage > 0.0)) {
        world->safe_cell = -1.0;
        return;
    }
    world->safe_cell = oct_body_cell_max(passage, longest, plan->padding);
    // The cells that a line goes through reach away from it by a diagonal, along an axis by an
    // edge.
    world->safe_cell /= is_turned ? sqrt(3.0) : 1.0;
    if (!(world->safe_cell > 0.0)) {
        oct_cli_warn("%s: a body of %g m does not fit through passages of %g m", path, longest,
                     passage);
    } else if (plan->cell > world->safe_cell) {
        oct_cli_warn("%s: cells of %g m may close passages of %g m for a body of %g m; cells of "
                     "%g m or less do not",
                     path, plan->cell, passage, longest, world->safe_cell);
    }
}

int oct_cli_build_world(const char *path, const cli_world_plan *plan, cli_world *world)
{
    const double start = oct_cli_now_ms();
    const oct_body body = {{plan->extents[0] / 2, plan->extents[1] / 2, plan->extents[2] / 2}};
    const oct_point padding = oct_body_padding(body, plan->padding, plan->cell);
    CLI_TRY(oct_cli_map_world(path, plan->cell, padding, plan->is_ball, world));
    world->build_ms = oct_cli_now_ms() - start;
    check_passage(path, plan, world);
    return CLI_YES;
}

int oct_cli_open_world(const char *path, const cli_world_plan *plan, cli_world *out)
{
    int code = oct_cli_load_world(path, plan, out);
    if (code == CLI_YES) {
        code = oct_cli_build_world(path, plan, out);
    }
    if (code != CLI_YES) {
        oct_cli_free_world(out);
    }
    return code;
}
