// SPDX-License-Identifier: MIT
// octant map info and octant map convert: what a map file holds, and the same map as another file.
#include "cli/cli_internal.h"

#include "geom/geom_internal.h"
#include "io/io_internal.h"

#include <string.h>

typedef struct loaded {
    oct_tree *tree;
    oct_map_info info;
    const char *kind; // of the file, as its extension would be
} loaded;

// Complains where it fails; then there is nothing to destroy.
static int load(const char *path, loaded *map)
{
    const oct_tree_def def = oct_tree_def_default();
    oct_error error = {.line = 0};
    const oct_result result = oct_map_load(path, &def, &map->tree, &map->info, &map->kind, &error);
    return result == OCT_OK ? CLI_YES : oct_cli_complain_file(path, result, &error);
}

// ---- info ----

typedef struct summary {
    uint64_t counts[3]; // cells of the declared box, by label
    oct_tree_stats stats;
    uint64_t nodes;
    int top; // highest level with nodes, or -1
    double load_ms;
} summary;

static oct_result summarise(const loaded *map, summary *out)
{
    OCT_TRY(oct_tree_shrink(map->tree));
    OCT_TRY(oct_tree_count(map->tree, map->info.box, out->counts));
    out->stats = oct_tree_measure(map->tree);
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

static int print_info_json(const loaded *map, const summary *about)
{
    const oct_box box = map->info.box;
    const oct_point origin = oct_tree_origin(map->tree);
    return oct_cli_print_json(json_pack(
        "{s:s, s:f, s:[f, f, f], s:i, s:{s:[i, i, i], s:[i, i, i]}, s:I, s:I, s:I, s:I, s:I, s:o, "
        "s:I, s:f}",
        "format", map->kind, "cell_size", oct_tree_cell_size(map->tree), "origin", origin.x,
        origin.y, origin.z, "dims", (int)oct_tree_dims(map->tree), "box", "min", box.min.x,
        box.min.y, box.min.z, "max", box.max.x, box.max.y, box.max.z, "open",
        (json_int_t)about->counts[OCT_OPEN], "blocked", (json_int_t)about->counts[OCT_BLOCKED],
        "unknown", (json_int_t)about->counts[OCT_UNKNOWN], "nodes", (json_int_t)about->nodes,
        "bricks", (json_int_t)about->stats.bricks, "levels", levels_json(about), "bytes",
        (json_int_t)about->stats.bytes, "load_ms", about->load_ms));
}

static void print_cells(const summary *about, const char *what, oct_label label)
{
    const double all = (double)about->counts[OCT_UNKNOWN] + (double)about->counts[OCT_OPEN] +
                       (double)about->counts[OCT_BLOCKED];
    const double cells = (double)about->counts[label];
    printf("  %-10s %15.0f  %6.2f %%\n", what, cells, all > 0.0 ? 100.0 * cells / all : 0.0);
}

static void print_info_text(const char *path, const loaded *map, const summary *about)
{
    const oct_box box = map->info.box;
    const bool solid = oct_tree_dims(map->tree) == 3;
    printf("%s%s%s\n", oct_cli_style(stdout, CLI_BOLD), path, oct_cli_style(stdout, CLI_PLAIN));
    printf("  %-10s .%s, %u dimensions\n", "format", map->kind, oct_tree_dims(map->tree));
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
    printf("  %-10s %15zu\n", "bytes", about->stats.bytes);
    printf("  %-10s %15.3f  ms\n", "loaded in", about->load_ms);
    printf("\n  %5s %12s %12s\n", "level", "nodes", "leaves");
    for (int level = about->top; level >= 0; level--) {
        printf("  %5d %12llu %12llu\n", level, (unsigned long long)about->stats.nodes[level],
               (unsigned long long)about->stats.leaves[level]);
    }
}

static int run_info(const cli_args *args)
{
    const char *const path = args->operands[0].text;
    loaded map;
    summary about;
    const double start = oct_cli_now_ms();
    int code = load(path, &map);
    if (code != CLI_YES) {
        return code;
    }
    about.load_ms = oct_cli_now_ms() - start;
    const oct_result result = summarise(&map, &about);
    if (result != OCT_OK) {
        code = oct_cli_complain("%s: %s", path, oct_result_text(result));
    } else if (args->json) {
        code = print_info_json(&map, &about);
    } else {
        print_info_text(path, &map, &about);
    }
    oct_tree_destroy(map.tree);
    return code;
}

static const cli_param info_operands[] = {
    {.name = "FILE", .kind = CLI_FILE, .required = true, .help = "a .octant, .3dmap, .map or .bt"},
};

const cli_command oct_cmd_map_info = {
    .name = "map info",
    .summary = "says what a map file holds",
    .details = "  Cells are those of the box that the file declares; of a .bt file, of the box of "
               "known cells.\n"
               "  Bytes are the tree's memory, packed. Times are CPU time.",
    .operands = info_operands,
    .operand_count = sizeof info_operands / sizeof info_operands[0],
    .run = run_info,
};

// ---- convert ----

enum { CONVERT_UNKNOWN, CONVERT_OPTION_COUNT };
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

static oct_result settle_unknown(const loaded *map, const cli_value *unknown)
{
    if (!unknown->given || !(oct_tree_labels_in(map->tree, map->info.box) & OCT_HAS_UNKNOWN)) {
        return OCT_OK;
    }
    return unknown->integer == UNKNOWN_OPEN
               ? oct_tree_set_box(map->tree, map->info.box, OCT_MARK_KNOWN)
               : block_unknown(map->tree, map->info.box);
}

static int check_fit(const char *in, const char *out, const loaded *map)
{
    const int code = oct_cli_check_target(out, oct_tree_dims(map->tree));
    if (code != CLI_YES) {
        return code;
    }
    if (!oct_cli_map_holds_unknown(out) &&
        oct_tree_labels_in(map->tree, map->info.box) & OCT_HAS_UNKNOWN) {
        return oct_cli_complain("%s: has unknown cells, which a .%s file cannot hold; say what "
                                "they become: --unknown open or --unknown blocked",
                                in, oct_map_kind(out));
    }
    return CLI_YES;
}

static int convert(const cli_args *args, const char *in, const char *out, const loaded *map,
                   double start)
{
    oct_result result = settle_unknown(map, &args->options[CONVERT_UNKNOWN]);
    if (result == OCT_OK) {
        result = oct_tree_shrink(map->tree);
    }
    if (result != OCT_OK) {
        return oct_cli_complain("%s: %s", in, oct_result_text(result));
    }
    const double build_ms = oct_cli_now_ms() - start;
    const size_t bytes = oct_tree_bytes(map->tree);
    uint64_t file_bytes = 0;
    int code = check_fit(in, out, map);
    if (code == CLI_YES) {
        code = oct_cli_save(out, map->tree, &map->info, &file_bytes);
    }
    if (code == CLI_YES && args->json) {
        return oct_cli_print_json(json_pack("{s:I, s:I, s:f}", "bytes", (json_int_t)bytes,
                                            "file_bytes", (json_int_t)file_bytes, "build_ms",
                                            build_ms));
    }
    if (code == CLI_YES) {
        printf("%s: %llu bytes; the tree takes %zu bytes and %.3f ms to build\n", out,
               (unsigned long long)file_bytes, bytes, build_ms);
    }
    return code;
}

static int run_convert(const cli_args *args)
{
    const char *const in = args->operands[0].text;
    const char *const out = args->operands[1].text;
    loaded map;
    int code = oct_cli_check_target(out, 0);
    if (code != CLI_YES) {
        return code;
    }
    const double start = oct_cli_now_ms();
    code = load(in, &map);
    if (code == CLI_YES) {
        code = convert(args, in, out, &map, start);
        oct_tree_destroy(map.tree);
    }
    return code;
}

static const cli_param convert_operands[] = {
    {.name = "IN", .kind = CLI_FILE, .required = true, .help = "a .octant, .3dmap, .map or .bt"},
    {.name = "OUT", .kind = CLI_FILE, .required = true, .help = "likewise; may be IN itself"},
};

static const cli_param convert_options[CONVERT_OPTION_COUNT] = {
    [CONVERT_UNKNOWN] = {.name = "unknown",
                         .value = "open|blocked",
                         .kind = CLI_CHOICE,
                         .help = "what unknown cells of the map's box become"},
};

const cli_command oct_cmd_map_convert = {
    .name = "map convert",
    .summary = "writes a map in another format",
    .details = "  OUT's extension decides the format. A .3dmap or .map has no unknown cells: where "
               "IN has\n"
               "  some, --unknown must say what they become. OUT is replaced whole or not at all.",
    .operands = convert_operands,
    .operand_count = sizeof convert_operands / sizeof convert_operands[0],
    .options = convert_options,
    .option_count = CONVERT_OPTION_COUNT,
    .run = run_convert,
};
