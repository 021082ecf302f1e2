// SPDX-License-Identifier: MIT
// octant map info and octant map convert: what a map or world file holds, and the same as another
// file. Of a world a map is made.
#include "cli/cli_internal.h"
#include "cli/picture.h"
#include "cli/walk.h"
#include "octant/formats.h"
#include "octant/tree.h"

#include "files/files_internal.h"
#include "geom/geom_internal.h"

#include <string.h>

// What is said of a map, whether it came from a file or was made of a world.
typedef struct map_view {
    const oct_tree *tree;
    const oct_tree_info *info;
    const char *kind;
} map_view;

static map_view view_of(const cli_map *map)
{
    return (map_view){map->tree, &map->info, map->kind};
}

// ---- info ----

typedef struct summary {
    uint64_t counts[3]; // cells of the declared box, by label
    oct_tree_stats stats;
    uint64_t nodes;
    int top;      // highest level with nodes, or -1
    size_t bytes; // that the cells take
    double load_ms;
} summary;

static oct_result summarise(const map_view *map, summary *out)
{
    OCT_TRY(oct_tree_count(map->tree, map->info->box, out->counts));
    out->stats = oct_tree_measure(map->tree);
    out->bytes = out->stats.bytes;
    out->nodes = 0;
    out->top = -1;
    for (int level = 0; level <= OCT_LEVEL_MAX; level++) {
        out->nodes += out->stats.nodes[level];
        out->top = out->stats.nodes[level] ? level : out->top;
    }
    return OCT_OK;
}

static json_t *levels_json(const summary *about)
{
    json_t *const levels = json_array();
    for (int level = about->top; level >= 0; level--) {
        json_array_append_new(levels, json_pack("{s:i, s:I, s:I}", "level", level, "nodes",
                                                (json_int_t)about->stats.nodes[level], "leaves",
                                                (json_int_t)about->stats.leaves[level]));
    }
    return levels;
}

static json_t *info_json(const map_view *map, const summary *about)
{
    const oct_box box = map->info->box;
    const oct_point origin = oct_tree_origin(map->tree);
    return json_pack(
        "{s:s, s:f, s:[f, f, f], s:i, s:{s:[i, i, i], s:[i, i, i]}, s:I, s:I, s:I, s:I, s:I, s:o, "
        "s:I, s:f}",
        "format", map->kind, "cell_size", oct_tree_cell_size(map->tree), "origin", origin.x,
        origin.y, origin.z, "dims", (int)oct_tree_dims(map->tree), "box", "min", box.min.x,
        box.min.y, box.min.z, "max", box.max.x, box.max.y, box.max.z, "open",
        (json_int_t)about->counts[OCT_OPEN], "blocked", (json_int_t)about->counts[OCT_BLOCKED],
        "unknown", (json_int_t)about->counts[OCT_UNKNOWN], "nodes", (json_int_t)about->nodes,
        "bricks", (json_int_t)about->stats.bricks, "levels", levels_json(about), "bytes",
        (json_int_t)about->bytes, "load_ms", about->load_ms);
}

static void print_cells(const summary *about, const char *what, oct_label label)
{
    const double all = (double)about->counts[OCT_UNKNOWN] + (double)about->counts[OCT_OPEN] +
                       (double)about->counts[OCT_BLOCKED];
    const double cells = (double)about->counts[label];
    printf("  %-10s %15.0f  %6.2f %%\n", what, cells, all > 0.0 ? 100.0 * cells / all : 0.0);
}

static void print_map(const map_view *map, const summary *about)
{
    const oct_box box = map->info->box;
    const bool solid = oct_tree_dims(map->tree) == 3;
    printf("  %-10s %15g  m\n", "cell size", oct_tree_cell_size(map->tree));
    if (solid) {
        printf("  %-10s %d x %d x %d from (%d, %d, %d)\n", "cells", box.max.x - box.min.x,
               box.max.y - box.min.y, box.max.z - box.min.z, box.min.x, box.min.y, box.min.z);
    } else {
        printf("  %-10s %d x %d from (%d, %d)\n", "cells", box.max.x - box.min.x,
               box.max.y - box.min.y, box.min.x, box.min.y);
    }
    print_cells(about, "open", OCT_OPEN);
    print_cells(about, "blocked", OCT_BLOCKED);
    print_cells(about, "unknown", OCT_UNKNOWN);
    printf("  %-10s %15llu\n", "nodes", (unsigned long long)about->nodes);
    printf("  %-10s %15llu\n", "bricks", (unsigned long long)about->stats.bricks);
    printf("  %-10s %15zu\n", "bytes", about->bytes);
    printf("  %-10s %15.3f  ms\n", "loaded in", about->load_ms);
}

static void print_levels(const summary *about)
{
    printf("\n  %5s %12s %12s\n", "level", "nodes", "leaves");
    for (int level = about->top; level >= 0; level--) {
        printf("  %5d %12llu %12llu\n", level, (unsigned long long)about->stats.nodes[level],
               (unsigned long long)about->stats.leaves[level]);
    }
}

// What only the map of a mesh has, and what only a view with a clearance has.
static json_t *more_json(const cli_map *map)
{
    const cli_mesh *const mesh = &map->mesh;
    const oct_mesh_report *const about = &mesh->report;
    if (mesh->triangles == 0) {
        return json_pack("{s:f}", "clearance_ms", map->clearance_ms);
    }
    return json_pack(
        "{s:I, s:I, s:f, s:{s:[f, f, f], s:[f, f, f]}, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, "
        "s:I, s:f, s:f}",
        "triangles", (json_int_t)mesh->triangles, "vertices", (json_int_t)mesh->vertices, "area",
        mesh->area, "bounds", "min", mesh->bounds.min.x, mesh->bounds.min.y, mesh->bounds.min.z,
        "max", mesh->bounds.max.x, mesh->bounds.max.y, mesh->bounds.max.z, "objects",
        (json_int_t)about->objects, "colliding", (json_int_t)about->colliding, "parts",
        (json_int_t)about->parts, "closed", (json_int_t)about->closed, "inward",
        (json_int_t)about->inward, "open_edges", (json_int_t)about->open_edges, "degenerate",
        (json_int_t)about->degenerate, "concave", (json_int_t)about->concave, "tangled",
        (json_int_t)about->tangled, "read_ms", mesh->load_ms, "build_ms", map->build_ms);
}

static void print_mesh(const cli_map *map)
{
    const cli_mesh *const mesh = &map->mesh;
    if (mesh->triangles == 0) {
        return;
    }
    const oct_bounds *const b = &mesh->bounds;
    const oct_mesh_report *const about = &mesh->report;
    printf("  %-10s %15zu  with %zu vertices, %.6g square metres\n", "triangles", mesh->triangles,
           mesh->vertices, mesh->area);
    printf("  %-10s %15u  %u of them closed, %llu open edges\n", "parts", about->parts,
           about->closed, (unsigned long long)about->open_edges);
    if (about->colliding > 0) {
        printf("  %-10s %15u  of %u objects: what is drawn does not count\n", "colliding",
               about->colliding, about->objects);
    }
    printf("  %-10s %g x %g x %g m from (%g, %g, %g)\n", "extent", b->max.x - b->min.x,
           b->max.y - b->min.y, b->max.z - b->min.z, b->min.x, b->min.y, b->min.z);
    printf("  %-10s %15.3f  ms, read in %.3f ms\n", "built in", map->build_ms, mesh->load_ms);
}

static int show_map(const char *path, const cli_map *map, double load_ms, bool as_json)
{
    const map_view view = view_of(map);
    summary about = {.load_ms = load_ms};
    CLI_TRY(oct_cli_check(path, oct_tree_shrink(map->tree)));
    CLI_TRY(oct_cli_check(path, summarise(&view, &about)));
    if (as_json) {
        return oct_cli_print_json(oct_cli_json_join(info_json(&view, &about), more_json(map)));
    }
    oct_cli_printf(CLI_BOLD, "%s\n", CLI_SHOWN(path));
    printf("  %-10s .%s, %u dimensions\n", "format", map->kind, oct_tree_dims(map->tree));
    print_mesh(map);
    print_map(&view, &about);
    if (map->clearance_ms > 0.0) {
        printf("  %-10s %15.3f  ms\n", "clearance", map->clearance_ms);
    }
    print_levels(&about);
    return CLI_YES;
}

enum {
    INFO_WALK = CLI_WORLD_OPTION_COUNT,
    INFO_SHAPES,
    INFO_SVG,
    INFO_SLICE,
    INFO_PLAN,
    INFO_OPTION_COUNT
};

static int draw_info(const cli_args *args, const map_view *view, const oct_world *world)
{
    const cli_picture picture = {.file = args->operands[0].text,
                                 .title = args->operands[0].text,
                                 .tree = view->tree,
                                 .box = view->info->box,
                                 .up = view->info->up,
                                 .left_handed = view->info->left_handed,
                                 .world = world};
    if (args->options[INFO_PLAN].given) {
        CLI_TRY(oct_cli_print_plan(&picture));
    }
    return oct_cli_draw(&picture, &args->options[INFO_SVG], &args->options[INFO_SLICE]);
}

static int info_of_map(const cli_args *args, const cli_world_plan *plan)
{
    const char *const path = args->operands[0].text;
    cli_map map;
    const double start = oct_cli_now_ms();
    CLI_TRY(oct_cli_open_map(path, plan, &map));
    int code = show_map(path, &map, oct_cli_now_ms() - start, args->json);
    if (code == CLI_YES) {
        const map_view view = view_of(&map);
        code = draw_info(args, &view, NULL);
    }
    oct_tree_destroy(map.tree);
    return code;
}

// What makes a world a game.
typedef struct world_parts {
    size_t grids, wires;
    size_t kinds[OCT_KIND_COUNT]; // blocks
} world_parts;

static world_parts count_parts(const oct_world *world)
{
    world_parts parts = {.grids = oct_world_grids(world), .wires = oct_world_wires(world)};
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        parts.kinds[oct_world_get_type(world, oct_world_get(world, i).type).kind]++;
    }
    return parts;
}

static json_t *parts_json(const oct_world *world)
{
    const world_parts parts = count_parts(world);
    return json_pack("{s:I, s:I, s:I, s:I, s:I}", "grids", (json_int_t)parts.grids, "doors",
                     (json_int_t)parts.kinds[OCT_KIND_DOOR], "panels",
                     (json_int_t)parts.kinds[OCT_KIND_PANEL], "timers",
                     (json_int_t)parts.kinds[OCT_KIND_TIMER], "wires", (json_int_t)parts.wires);
}

// Nothing where the world has none of them.
static void print_parts(const oct_world *world)
{
    const world_parts parts = count_parts(world);
    const size_t doors = parts.kinds[OCT_KIND_DOOR], panels = parts.kinds[OCT_KIND_PANEL],
                 timers = parts.kinds[OCT_KIND_TIMER];
    if (parts.grids + doors + panels + timers + parts.wires > 0) {
        printf("  %-10s %15zu  with %zu doors, %zu panels, %zu timers, %zu wires\n", "grids",
               parts.grids, doors, panels, timers, parts.wires);
    }
}

static json_t *world_info_json(const cli_world *world, const map_view *view, const summary *about)
{
    const oct_bounds extent = oct_world_extent(world->world);
    json_t *const more = json_pack(
        "{s:s, s:I, s:I, s:{s:[f, f, f], s:[f, f, f]}, s:f, s:o, s:I, s:f}", "name",
        oct_world_name(world->world), "blocks", (json_int_t)oct_world_blocks(world->world), "types",
        (json_int_t)oct_world_types(world->world), "extent", "min", extent.min.x, extent.min.y,
        extent.min.z, "max", extent.max.x, extent.max.y, extent.max.z, "passage",
        oct_world_passage(world->world), "safe_cell",
        world->safe_cell < 0.0 ? json_null() : json_real(world->safe_cell), "obstacle_bytes",
        (json_int_t)oct_map_measure(world->map).things, "build_ms", world->build_ms);
    return oct_cli_json_join(oct_cli_json_join(info_json(view, about), more),
                             parts_json(world->world));
}

static void print_world(const cli_world *world)
{
    const oct_bounds extent = oct_world_extent(world->world);
    printf("  %-10s %s, 3 dimensions\n", "format", world->kind);
    if (oct_world_name(world->world)[0]) {
        printf("  %-10s %s\n", "name", CLI_SHOWN(oct_world_name(world->world)));
    }
    printf("  %-10s %15zu  of %zu types\n", "blocks", oct_world_blocks(world->world),
           oct_world_types(world->world));
    print_parts(world->world);
    printf("  %-10s %g x %g x %g m from (%g, %g, %g)\n", "extent", extent.max.x - extent.min.x,
           extent.max.y - extent.min.y, extent.max.z - extent.min.z, extent.min.x, extent.min.y,
           extent.min.z);
    if (world->safe_cell > 0.0) {
        printf("  %-10s %15g  m, kept open by cells of %g m or less\n", "passages",
               oct_world_passage(world->world), world->safe_cell);
    } else if (world->safe_cell == 0.0) {
        printf("  %-10s %15g  m, too narrow for the body\n", "passages",
               oct_world_passage(world->world));
    }
}

static int show_world(const char *path, const cli_world *world, bool as_json)
{
    const map_view view = {oct_map_tree(world->map), &world->info, world->kind};
    const oct_map_bytes bytes = oct_map_measure(world->map);
    summary about = {.load_ms = world->load_ms};
    CLI_TRY(oct_cli_check(path, summarise(&view, &about)));
    about.bytes = bytes.cells;
    if (as_json) {
        return oct_cli_print_json(world_info_json(world, &view, &about));
    }
    oct_cli_printf(CLI_BOLD, "%s\n", CLI_SHOWN(path));
    print_world(world);
    print_map(&view, &about);
    printf("  %-10s %15.3f  ms\n", "built in", world->build_ms);
    printf("  %-10s %15zu  bytes\n", "obstacles", bytes.things);
    print_levels(&about);
    return CLI_YES;
}

static int info_of_world(const cli_args *args, const cli_world_plan *plan)
{
    const char *const path = args->operands[0].text;
    cli_world world;
    CLI_TRY(oct_cli_open_world(path, plan, &world));
    int code = show_world(path, &world, args->json);
    if (code == CLI_YES) {
        const map_view view = {oct_map_tree(world.map), &world.info, world.kind};
        code = draw_info(args, &view, world.world);
    }
    oct_cli_free_world(&world);
    return code;
}

// Complains of options that do not go together.
static int check_pictures(const cli_args *args)
{
    const cli_value *const options = args->options;
    if (options[INFO_WALK].given && (options[INFO_SLICE].given || options[INFO_PLAN].given)) {
        return oct_cli_complain("map info: --slice and --plan are not for --walk");
    }
    if (options[INFO_SHAPES].given && !options[INFO_WALK].given) {
        return oct_cli_complain("map info: --shapes is for --walk");
    }
    if (args->json && options[INFO_PLAN].given) {
        return oct_cli_complain("map info: --plan is text, and --json is not; only one of them");
    }
    return oct_cli_check_slices("map info", &options[INFO_SVG], &options[INFO_SLICE]);
}

static int run_info(const cli_args *args)
{
    const char *const path = args->operands[0].text;
    CLI_TRY(check_pictures(args));
    if (args->options[INFO_WALK].given) {
        return oct_cli_surface_info(path, (oct_up)args->options[CLI_WORLD_UP].integer,
                                    args->options[INFO_SHAPES].text, args->options[INFO_SVG].text,
                                    args->json);
    }
    cli_world_plan plan;
    CLI_TRY(oct_cli_plan_world("map info", path, args->options, &plan));
    return plan.is_world ? info_of_world(args, &plan) : info_of_map(args, &plan);
}

static const cli_param info_operands[] = {
    CLI_MAP_OPERAND("FILE"),
};

static const cli_param info_options[INFO_OPTION_COUNT] = {
    CLI_WORLD_OPTIONS,
    [INFO_WALK] = CLI_PARAM_FLAG("walk", "the file is a surface to walk on: .obj or .json"),
    [INFO_SHAPES] = CLI_SHAPES_OPTION,
    [INFO_SVG] = CLI_SVG_OPTION,
    [INFO_SLICE] = CLI_SLICE_OPTION,
    [INFO_PLAN] = CLI_PLAN_OPTION,
};

const cli_command oct_cmd_map_info = {
    .name = "map info",
    .summary = "says what a map, mesh or world file holds",
    .details = "  Cells are those of the box that the file declares; of a .bt file, of the box of "
               "known cells;\n"
               "  of a world, of its extent, with blocks grown by the body. Bytes are the tree's "
               "memory, packed.\n"
               "  Times are CPU time.",
    .operands = info_operands,
    .operand_count = sizeof info_operands / sizeof info_operands[0],
    .options = info_options,
    .option_count = INFO_OPTION_COUNT,
    .run = run_info,
};

// ---- convert ----

enum { CONVERT_UNKNOWN = CLI_WORLD_OPTION_COUNT, CONVERT_OPTION_COUNT };
enum { UNKNOWN_OPEN, UNKNOWN_BLOCKED };

static bool push_leaf(void *ctx, const oct_leaf *leaf)
{
    const oct_allocator memory = oct_allocator_default();
    return oct_array_push(ctx, &memory, sizeof *leaf, leaf) == OCT_OK;
}

// Blocks the whole box, then opens again what was OPEN: UNKNOWN may lie outside the root, where
// there are no leaves to visit.
static oct_result block_unknown(oct_tree *tree, oct_box box)
{
    const oct_allocator memory = oct_allocator_default();
    oct_array open = {.count = 0};
    oct_result result = oct_tree_leaves(tree, box, OCT_HAS_OPEN, push_leaf, &open)
                            ? oct_tree_set_box(tree, box, OCT_MARK_BLOCKED)
                            : OCT_ERROR_MEMORY;
    const oct_leaf *const leaves = open.items;
    for (size_t i = 0; result == OCT_OK && i < open.count; i++) {
        result = oct_tree_set_box(tree, box_common(oct_leaf_box(leaves[i]), box), OCT_MARK_OPEN);
    }
    oct_array_free(&open, &memory, sizeof(oct_leaf));
    return result;
}

static oct_result settle_unknown(const cli_map *map, const cli_value *unknown)
{
    if (!unknown->given || !(oct_tree_labels_in(map->tree, map->info.box) & OCT_HAS_UNKNOWN)) {
        return OCT_OK;
    }
    return unknown->integer == UNKNOWN_OPEN
               ? oct_tree_set_box(map->tree, map->info.box, OCT_MARK_KNOWN)
               : block_unknown(map->tree, map->info.box);
}

static int check_fit(const char *in, const char *out, const map_view *map)
{
    CLI_TRY(oct_cli_check_target(out, oct_tree_dims(map->tree)));
    if (!oct_cli_map_holds_unknown(out) &&
        oct_tree_labels_in(map->tree, map->info->box) & OCT_HAS_UNKNOWN) {
        return oct_cli_complain("%s: has unknown cells, which a .%s file cannot hold; say what "
                                "they become: --unknown open or --unknown blocked",
                                in, oct_map_kind(out));
    }
    return CLI_YES;
}

// Writes the map, and says so. `bytes` is what it takes in memory.
static int save(const char *in, const char *out, const map_view *map, size_t bytes, double build_ms,
                bool as_json)
{
    uint64_t file_bytes = 0;
    CLI_TRY(check_fit(in, out, map));
    CLI_TRY(oct_cli_save(out, map->tree, map->info, &file_bytes));
    if (as_json) {
        return oct_cli_print_json(json_pack("{s:I, s:I, s:f}", "bytes", (json_int_t)bytes,
                                            "file_bytes", (json_int_t)file_bytes, "build_ms",
                                            build_ms));
    }
    printf("%s: %llu bytes; the tree takes %zu bytes and %.3f ms to build\n", CLI_SHOWN(out),
           (unsigned long long)file_bytes, bytes, build_ms);
    return CLI_YES;
}

static int convert_map(const char *in, const char *out, const cli_world_plan *plan,
                       const cli_value *unknown, bool as_json)
{
    cli_map map;
    const double start = plan->is_mesh ? oct_cli_wall_ms() : oct_cli_now_ms();
    CLI_TRY(oct_cli_open_map(in, plan, &map));
    oct_result result = settle_unknown(&map, unknown);
    if (result == OCT_OK) {
        result = oct_tree_shrink(map.tree);
    }
    const map_view view = view_of(&map);
    const double end = plan->is_mesh ? oct_cli_wall_ms() : oct_cli_now_ms();
    const int code = result == OCT_OK
                         ? save(in, out, &view, oct_tree_bytes(map.tree), end - start, as_json)
                         : oct_cli_check(in, result);
    oct_tree_destroy(map.tree);
    return code;
}

// Blocks that may or may not be there are the only unknown cells that the map of a world has.
static oct_result settle_blocks(const cli_world *world, const cli_value *unknown)
{
    const oct_label label = unknown->integer == UNKNOWN_OPEN ? OCT_OPEN : OCT_BLOCKED;
    for (size_t i = 0; unknown->given && i < oct_world_blocks(world->world); i++) {
        const oct_world_block block = oct_world_get(world->world, i);
        if (block.label == OCT_UNKNOWN) {
            OCT_TRY(oct_map_relabel(world->map, block.id, label));
        }
    }
    return oct_map_shrink(world->map);
}

static int save_world(const char *out, const cli_world *world, bool as_json)
{
    uint64_t file_bytes;
    oct_error error = {.line = 0};
    const oct_result result = oct_world_save(out, world->world, &file_bytes, &error);
    CLI_TRY(oct_cli_check_file(out, result, &error));
    const size_t blocks = oct_world_blocks(world->world);
    if (as_json) {
        return oct_cli_print_json(json_pack("{s:I, s:I, s:I, s:f}", "blocks", (json_int_t)blocks,
                                            "bytes", (json_int_t)0, "file_bytes",
                                            (json_int_t)file_bytes, "build_ms", 0.0));
    }
    printf("%s: %llu bytes; %zu blocks\n", CLI_SHOWN(out), (unsigned long long)file_bytes, blocks);
    return CLI_YES;
}

static int save_world_map(const char *in, const char *out, const cli_world_plan *plan,
                          const cli_value *unknown, bool as_json, cli_world *world)
{
    CLI_TRY(oct_cli_build_world(in, plan, world));
    CLI_TRY(oct_cli_check(in, settle_blocks(world, unknown)));
    const map_view view = {oct_map_tree(world->map), &world->info, world->kind};
    return save(in, out, &view, oct_map_measure(world->map).cells, world->load_ms + world->build_ms,
                as_json);
}

static int convert_world(const char *in, const char *out, const cli_world_plan *plan,
                         const cli_value *unknown, bool as_json)
{
    cli_world world;
    CLI_TRY(oct_cli_load_world(in, plan, &world));
    const int code = oct_world_is_target(out)
                         ? save_world(out, &world, as_json)
                         : save_world_map(in, out, plan, unknown, as_json, &world);
    oct_cli_free_world(&world);
    return code;
}

static int run_convert(const cli_args *args)
{
    const char *const in = args->operands[0].text;
    const char *const out = args->operands[1].text;
    const cli_value *const unknown = &args->options[CONVERT_UNKNOWN];
    cli_world_plan plan;
    CLI_TRY(oct_cli_plan_world("map convert", in, args->options, &plan));
    if (!(plan.is_world && oct_world_is_target(out))) {
        CLI_TRY(oct_cli_check_target(out, plan.is_world || plan.is_mesh ? 3 : 0));
    }
    return plan.is_world ? convert_world(in, out, &plan, unknown, args->json)
                         : convert_map(in, out, &plan, unknown, args->json);
}

static const cli_param convert_operands[] = {
    CLI_MAP_OPERAND("IN"),
    {.name = "OUT", .kind = CLI_OUTPUT, .required = true, .help = "likewise; not IN itself"},
};

static const cli_param convert_options[CONVERT_OPTION_COUNT] = {
    CLI_WORLD_OPTIONS,
    [CONVERT_UNKNOWN] = CLI_PARAM_CHOICE("unknown", "open|blocked", NULL,
                                         "what unknown cells of the map's box become"),
};

const cli_command oct_cmd_map_convert = {
    .name = "map convert",
    .summary = "writes a map in another format, or makes one of a world or mesh",
    .details = "  OUT's extension decides the format. A .3dmap or .map has no unknown cells: where "
               "IN has\n"
               "  some, --unknown must say what they become. OUT is replaced whole or not at all.\n"
               "  A map of a world has the cells of its extent, with blocks grown by the body; a "
               "world as\n"
               "  .json again is written in Octant's own format. Of a map or mesh with --clearance "
               "the view\n"
               "  is written: asked again, it would keep the clearance twice. As .obj the blocked "
               "leaves\n"
               "  are written as boxes, to look at.",
    .operands = convert_operands,
    .operand_count = sizeof convert_operands / sizeof convert_operands[0],
    .options = convert_options,
    .option_count = CONVERT_OPTION_COUNT,
    .run = run_convert,
};
