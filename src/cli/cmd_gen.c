// SPDX-License-Identifier: MIT
// octant gen: makes a map or a world from a seed.
#include "cli/cli_internal.h"

#include "io/io_internal.h"
#include "octant/generate.h"
#include "octant/generate_world.h"

enum {
    GEN_OUTPUT,
    GEN_SIZE,
    GEN_SEED,
    GEN_DIMS,
    GEN_CELL,
    GEN_BOXES,
    GEN_TUNNELS,
    GEN_FILL,
    GEN_COVERAGE,
    GEN_CLUSTERING,
    GEN_BLOCKS,
    GEN_OPTION_COUNT
};

static const cli_param gen_operands[] = {
    {.name = "KIND",
     .kind = CLI_CHOICE,
     // As oct_generate_kind has them, then as oct_generate_world_kind does.
     .value = "boxes|wall|clusters|checkerboard|tunnels|potential|"
              "glass-box|glass-maze|svo-random|svo-wall",
     .required = true,
     .help = "what to make, one of"},
};

static const cli_param gen_options[GEN_OPTION_COUNT] = {
    [GEN_OUTPUT] = {.name = "output",
                    .letter = 'o',
                    .kind = CLI_FILE,
                    .value = "FILE",
                    .required = true,
                    .help = "where to write: .octant, .3dmap, .map or .bt; worlds: .json"},
    [GEN_SIZE] = {.name = "size",
                  .kind = CLI_INTEGER,
                  .value = "N",
                  .initial = "256",
                  .min = OCT_GENERATE_SIZE_MIN,
                  .max = OCT_GENERATE_SIZE_MAX,
                  .help = "cells along each edge, 8 to 4096"},
    [GEN_SEED] = {.name = "seed",
                  .kind = CLI_INTEGER,
                  .value = "N",
                  .initial = "1",
                  .max = 9007199254740992.0,
                  .help = "the same seed makes the same file"},
    [GEN_DIMS] = {.name = "dims",
                  .kind = CLI_INTEGER,
                  .value = "N",
                  .min = 2,
                  .max = 3,
                  .help = "dimensions, 2 or 3 (default 3; 2 for a .map and potential)"},
    [GEN_CELL] = {.name = "cell",
                  .kind = CLI_REAL,
                  .value = "M",
                  .initial = "1",
                  .min = 1e-6,
                  .max = 1e6,
                  .help = "edge of a cell, metres; kept by .octant and .bt"},
    [GEN_BOXES] = {.name = "boxes",
                   .kind = CLI_INTEGER,
                   .value = "N",
                   .min = 1,
                   .max = OCT_GENERATE_COUNT_MAX,
                   .help = "how many boxes (default 500, wall 100; a fifth at two dimensions)"},
    [GEN_TUNNELS] = {.name = "tunnels",
                     .kind = CLI_INTEGER,
                     .value = "N",
                     .min = 1,
                     .max = OCT_GENERATE_COUNT_MAX,
                     .help = "how many tunnels (default 200; 10 at two dimensions)"},
    [GEN_FILL] = {.name = "fill",
                  .kind = CLI_REAL,
                  .value = "SHARE",
                  .initial = "0.1",
                  .max = OCT_GENERATE_FILL_MAX,
                  .help = "how much of the inside clusters block, to 0.4"},
    [GEN_COVERAGE] = {.name = "coverage",
                      .kind = CLI_REAL,
                      .value = "SHARE",
                      .initial = "0.2",
                      .max = 1.0,
                      .help = "of potential: how many of the cells are blocked, exactly"},
    [GEN_CLUSTERING] = {.name = "clustering",
                        .kind = CLI_INTEGER,
                        .value = "N",
                        .initial = "2",
                        .max = OCT_GENERATE_CLUSTERING_MAX,
                        .help = "of potential: how they crowd, 0 (not at all) to 1000"},
    [GEN_BLOCKS] =
        {.name = "blocks",
         .kind = CLI_INTEGER,
         .value = "N",
         .min = 1,
         .max = OCT_GENERATE_SVO_MAX,
         .help = "how many: of the walls in a maze (default 3000), of svo-random (default 64)"},
};

// ---- maps ----

static oct_generate_def def_of(const cli_args *args)
{
    const cli_value *const options = args->options;
    const uint32_t file_dims = oct_cli_map_dims(options[GEN_OUTPUT].text);
    oct_generate_def def = oct_generate_def_default();
    def.kind = (oct_generate_kind)args->operands[0].integer;
    def.size = (uint32_t)options[GEN_SIZE].integer;
    def.seed = (uint64_t)options[GEN_SEED].integer;
    def.boxes = (uint32_t)options[GEN_BOXES].integer;
    def.tunnels = (uint32_t)options[GEN_TUNNELS].integer;
    def.fill = options[GEN_FILL].real;
    def.coverage = options[GEN_COVERAGE].real;
    def.clustering = (uint32_t)options[GEN_CLUSTERING].integer;
    if (options[GEN_DIMS].given) {
        def.dims = (uint32_t)options[GEN_DIMS].integer;
    } else if (def.kind == OCT_GENERATE_POTENTIAL) {
        def.dims = 2;
    } else if (file_dims != 0) {
        def.dims = file_dims;
    }
    return def;
}

static int complain_generate(const oct_generate_def *def, oct_result result)
{
    if (result == OCT_ERROR_RANGE && def->kind == OCT_GENERATE_CHECKERBOARD &&
        def->size > OCT_GENERATE_CHECKERBOARD_MAX) {
        return oct_cli_complain("gen: --size of a checkerboard of three dimensions is at most %d",
                                OCT_GENERATE_CHECKERBOARD_MAX);
    }
    return oct_cli_complain("gen: %s", oct_result_text(result));
}

static int save(const cli_args *args, oct_tree *tree, const oct_map_info *info)
{
    const char *const path = args->options[GEN_OUTPUT].text;
    uint64_t counts[3] = {0};
    oct_result result = oct_tree_shrink(tree);
    if (result == OCT_OK) {
        result = oct_tree_count(tree, info->box, counts);
    }
    if (result != OCT_OK) {
        return oct_cli_complain("gen: %s", oct_result_text(result));
    }
    uint64_t file_bytes = 0;
    const int code = oct_cli_save(path, tree, info, &file_bytes);
    if (code != CLI_YES) {
        return code;
    }
    const uint64_t cells = counts[OCT_UNKNOWN] + counts[OCT_OPEN] + counts[OCT_BLOCKED];
    const size_t bytes = oct_tree_bytes(tree);
    if (args->json) {
        return oct_cli_print_json(json_pack("{s:I, s:I, s:I, s:I}", "cells", (json_int_t)cells,
                                            "blocked", (json_int_t)counts[OCT_BLOCKED], "bytes",
                                            (json_int_t)bytes, "file_bytes",
                                            (json_int_t)file_bytes));
    }
    printf("%s: %llu bytes; %llu cells, %llu of them blocked; the tree takes %zu bytes\n", path,
           (unsigned long long)file_bytes, (unsigned long long)cells,
           (unsigned long long)counts[OCT_BLOCKED], bytes);
    return CLI_YES;
}

static int generate_map(const cli_args *args)
{
    const oct_generate_def def = def_of(args);
    if (args->options[GEN_BLOCKS].given) {
        return oct_cli_complain("gen: --blocks is for glass-maze and svo-random");
    }
    if (def.kind == OCT_GENERATE_POTENTIAL && def.dims == 3) {
        return oct_cli_complain("gen: a map drawn by potential has 2 dimensions");
    }
    int code = oct_cli_check_target(args->options[GEN_OUTPUT].text, def.dims);
    if (code != CLI_YES) {
        return code;
    }
    oct_tree_def tree_def = oct_tree_def_default();
    tree_def.cell_size = args->options[GEN_CELL].real;
    oct_tree *tree;
    oct_map_info info;
    const oct_result result = oct_generate(&def, &tree_def, &tree, &info);
    if (result != OCT_OK) {
        return complain_generate(&def, result);
    }
    code = save(args, tree, &info);
    oct_tree_destroy(tree);
    return code;
}

// ---- worlds ----

// A map has more options than a world.
static int check_world_options(const cli_args *args, const char *kind)
{
    for (int i = 0; i < GEN_OPTION_COUNT; i++) {
        if (args->options[i].given && i != GEN_OUTPUT && i != GEN_SEED && i != GEN_BLOCKS) {
            return oct_cli_complain("gen: --%s is for maps; %s is a world", gen_options[i].name,
                                    kind);
        }
    }
    const char *const path = args->options[GEN_OUTPUT].text;
    return oct_world_is_target(path) ? CLI_YES
                                     : oct_cli_complain("%s: worlds are written as .json", path);
}

static int complain_world(const oct_generate_world_def *def, oct_result result)
{
    const char *const kind = oct_generate_world_kind_name(def->kind);
    if (result == OCT_ERROR_RANGE && def->kind == OCT_GENERATE_GLASS_MAZE) {
        return oct_cli_complain("gen: --blocks of a %s is at most %d", kind, OCT_GENERATE_MAZE_MAX);
    }
    if (result == OCT_ERROR_RANGE) {
        return oct_cli_complain("gen: --blocks is for glass-maze and svo-random, not for %s", kind);
    }
    return oct_cli_complain("gen: %s", oct_result_text(result));
}

// What is counted is a map of one cell a block.
static int save_world(const char *path, cli_world *world, bool as_json)
{
    const oct_bounds first = oct_world_get(world->world, 0).box;
    const int code =
        oct_cli_map_world(path, first.max.x - first.min.x, (oct_point){0, 0, 0}, world);
    if (code != CLI_YES) {
        return code;
    }
    uint64_t counts[3] = {0};
    uint64_t file_bytes = 0;
    oct_error error = {.line = 0};
    oct_result result = oct_map_count(world->map, world->info.box, counts);
    if (result == OCT_OK) {
        result = oct_world_save(path, world->world, &file_bytes, &error);
    }
    if (result != OCT_OK) {
        return oct_cli_complain_file(path, result, &error);
    }
    const uint64_t cells = counts[OCT_UNKNOWN] + counts[OCT_OPEN] + counts[OCT_BLOCKED];
    const size_t bytes = oct_map_measure(world->map).cells;
    const size_t blocks = oct_world_blocks(world->world);
    if (as_json) {
        return oct_cli_print_json(
            json_pack("{s:I, s:I, s:I, s:I, s:I}", "blocks", (json_int_t)blocks, "cells",
                      (json_int_t)cells, "blocked", (json_int_t)counts[OCT_BLOCKED], "bytes",
                      (json_int_t)bytes, "file_bytes", (json_int_t)file_bytes));
    }
    printf("%s: %llu bytes; %zu blocks in room for %llu\n", path, (unsigned long long)file_bytes,
           blocks, (unsigned long long)cells);
    return CLI_YES;
}

static int generate_world(const cli_args *args)
{
    oct_generate_world_def def = oct_generate_world_def_default();
    def.kind = (oct_generate_world_kind)(args->operands[0].integer - OCT_GENERATE_COUNT);
    def.seed = (uint64_t)args->options[GEN_SEED].integer;
    def.blocks = (uint32_t)args->options[GEN_BLOCKS].integer;
    int code = check_world_options(args, oct_generate_world_kind_name(def.kind));
    if (code != CLI_YES) {
        return code;
    }
    cli_world world = {.map = NULL};
    const oct_result result = oct_generate_world(&def, NULL, &world.world);
    if (result != OCT_OK) {
        return complain_world(&def, result);
    }
    code = save_world(args->options[GEN_OUTPUT].text, &world, args->json);
    oct_cli_free_world(&world);
    return code;
}

// ---- entry ----

static int run_gen(const cli_args *args)
{
    return args->operands[0].integer < OCT_GENERATE_COUNT ? generate_map(args)
                                                          : generate_world(args);
}

const cli_command oct_cmd_gen = {
    .name = "gen",
    .summary = "makes a map or a world from a seed",
    .details = "  boxes         a hollow cube with boxes at uniform places\n"
               "  wall          a hollow cube halved by a wall with one hole, and boxes\n"
               "  clusters      a hollow cube with boxes crowding around forty centres\n"
               "  checkerboard  open and blocked cells in turn: the worst for an octree\n"
               "  tunnels       solid, with tunnels of one cell: the worst for a set of cells\n"
               "  potential     flat; cells blocked one by one, rather beside blocked ones\n"
               "  glass-box     a world: two houses and a button panel in a large box of glass\n"
               "  glass-maze    the same world, cluttered with walls of glass and armour\n"
               "  svo-random    a world of 500 m with cubes of 10 m at random places\n"
               "  svo-wall      a world of 500 m with a wall of 50 x 10 such cubes",
    .operands = gen_operands,
    .operand_count = sizeof gen_operands / sizeof gen_operands[0],
    .options = gen_options,
    .option_count = GEN_OPTION_COUNT,
    .run = run_gen,
};
