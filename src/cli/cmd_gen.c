// SPDX-License-Identifier: MIT
// octant gen: makes a map or a world from a seed.
#include "cli/cli_internal.h"
#include "cli/gen_lab.h"
#include "cli/gen_level.h"
#include "octant/formats.h"
#include "octant/tree.h"

#include "files/files_internal.h"
#include "octant/generate.h"
#include "octant/generate_puzzle.h"
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
    GEN_ROOMS,
    GEN_DOORS,
    GEN_BUTTONS,
    GEN_PRESSES,
    GEN_UNSOLVABLE,
    GEN_WHY,
    GEN_CLASS,
    GEN_STOREYS,
    GEN_FIRES,
    GEN_OPTION_COUNT
};

static const cli_param gen_operands[] = {
    {.name = "KIND",
     .kind = CLI_CHOICE,
     // As oct_generate_kind has them, then as oct_generate_world_kind does, then the others.
     .value = "boxes|wall|clusters|checkerboard|tunnels|potential|"
              "glass-box|glass-maze|svo-random|svo-wall|puzzle|level|lab",
     .required = true,
     .help = "what to make, one of"},
};

static const cli_param gen_options[GEN_OPTION_COUNT] = {
    [GEN_OUTPUT] =
        {.name = "output",
         .letter = 'o',
         .kind = CLI_OUTPUT,
         .value = "FILE",
         .required = true,
         .help = "where to write: .octant, .3dmap, .map, .bt, .obj; worlds: .json; lab: .csv"},
    [GEN_SIZE] = CLI_PARAM_INTEGER("size", "N", "256", OCT_GENERATE_SIZE_MIN, OCT_GENERATE_SIZE_MAX,
                                   "cells along each edge, 8 to 4096"),
    [GEN_SEED] = CLI_PARAM_INTEGER("seed", "N", "1", 0, CLI_INTEGER_MAX,
                                   "the same seed makes the same file"),
    [GEN_DIMS] = CLI_PARAM_INTEGER("dims", "N", NULL, 2, 3,
                                   "dimensions, 2 or 3 (default 3; 2 for a .map and potential)"),
    [GEN_CELL] = CLI_PARAM_REAL("cell", "M", "1", 1e-6, 1e6,
                                "edge of a cell, metres; kept by .octant and .bt"),
    [GEN_BOXES] =
        CLI_PARAM_INTEGER("boxes", "N", NULL, 1, OCT_GENERATE_COUNT_MAX,
                          "how many boxes (default 500, wall 100; a fifth at two dimensions)"),
    [GEN_TUNNELS] = CLI_PARAM_INTEGER("tunnels", "N", NULL, 1, OCT_GENERATE_COUNT_MAX,
                                      "how many tunnels (default 200; 10 at two dimensions)"),
    [GEN_FILL] = CLI_PARAM_REAL("fill", "SHARE", "0.1", 0, OCT_GENERATE_FILL_MAX,
                                "how much of the inside clusters block, to 0.4"),
    [GEN_COVERAGE] = CLI_PARAM_REAL("coverage", "SHARE", "0.2", 0, 1.0,
                                    "of potential: how many of the cells are blocked, exactly"),
    [GEN_CLUSTERING] = CLI_PARAM_INTEGER("clustering", "N", "2", 0, OCT_GENERATE_CLUSTERING_MAX,
                                         "of potential: how they crowd, 0 (not at all) to 1000"),
    [GEN_BLOCKS] = CLI_PARAM_INTEGER(
        "blocks", "N", NULL, 1, OCT_GENERATE_SVO_MAX,
        "how many: of the walls in a maze (default 3000), of svo-random (default 64)"),
    [GEN_ROOMS] = CLI_PARAM_INTEGER(
        "rooms", "N", NULL, OCT_PUZZLE_ROOMS_MIN, OCT_PUZZLE_ROOMS_MAX,
        "of a puzzle, 2 to 40 (default by seed); of lab, on each storey (default 6)"),
    [GEN_DOORS] = CLI_PARAM_INTEGER(
        "doors", "N", NULL, 1, OCT_LEVEL_DOORS_MAX,
        "of a puzzle, 1 to 24; of a level, 2 to 40 (rows: 70); of lab (default 3)"),
    [GEN_BUTTONS] = CLI_PARAM_INTEGER("buttons", "N", NULL, 1, OCT_LEVEL_BUTTONS_MAX,
                                      "of a puzzle, 1 to 24; of a level, to 80 (default by seed)"),
    [GEN_PRESSES] = CLI_PARAM_INTEGER("presses", "N", NULL, 1, OCT_PUZZLE_PRESSES_MAX,
                                      "that a puzzle takes at least (default by seed)"),
    [GEN_UNSOLVABLE] =
        CLI_PARAM_FLAG("unsolvable", "a puzzle, level or lab whose target nobody gets to"),
    // As oct_puzzle_why has them, without the first, then as oct_level_why does.
    [GEN_WHY] = CLI_PARAM_CHOICE(
        "why",
        "walled-in|no-button|button-behind|parity|sealed|behind|circular|"
        "short|shut-only|exclusive|dangling|missing",
        NULL, "why nobody does: the first four of puzzles, parity and the rest of levels"),
    // As oct_level_class has them.
    [GEN_CLASS] =
        CLI_PARAM_CHOICE("class",
                         "toggles|timers|windows|stops|chains|opens|shuts|traps|ambushes|"
                         "together|pending|closing|held|wide|glass|niches|drifting|decoys|"
                         "shafts|gaps|turned|agents|rows|detours|tilted|houses",
                         NULL, "of a level: what is hard about it (default toggles)"),
    [GEN_STOREYS] = CLI_PARAM_INTEGER("storeys", "N", "1", 1, OCT_RECRUITS_STOREYS_MAX,
                                      "of lab: joined by ramps, 1 to 4"),
    [GEN_FIRES] =
        CLI_PARAM_INTEGER("fires", "N", "0", 0, OCT_RECRUITS_FIRES_MAX, "of lab: at most so many"),
};

// Whose an option is that another kind does not have.
static int complain_owner(int option)
{
    const char *const owner = option == GEN_STOREYS || option == GEN_FIRES ? "lab"
                              : option == GEN_CLASS                        ? "levels"
                              : option == GEN_ROOMS                        ? "puzzles and lab"
                              : option == GEN_PRESSES                      ? "puzzles"
                              : option == GEN_WHY                          ? "puzzles and levels"
                                                  : "puzzles, levels and lab";
    return oct_cli_complain("gen: --%s is for %s", gen_options[option].name, owner);
}

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
    return oct_cli_check("gen", result);
}

static int save(const cli_args *args, oct_tree *tree, const oct_tree_info *info)
{
    const char *const path = args->options[GEN_OUTPUT].text;
    uint64_t counts[3] = {0};
    oct_result result = oct_tree_shrink(tree);
    if (result == OCT_OK) {
        result = oct_tree_count(tree, info->box, counts);
    }
    CLI_TRY(oct_cli_check("gen", result));
    uint64_t file_bytes = 0;
    CLI_TRY(oct_cli_save(path, tree, info, &file_bytes));
    const uint64_t cells = counts[OCT_UNKNOWN] + counts[OCT_OPEN] + counts[OCT_BLOCKED];
    const size_t bytes = oct_tree_bytes(tree);
    if (args->json) {
        return oct_cli_print_json(json_pack("{s:I, s:I, s:I, s:I}", "cells", (json_int_t)cells,
                                            "blocked", (json_int_t)counts[OCT_BLOCKED], "bytes",
                                            (json_int_t)bytes, "file_bytes",
                                            (json_int_t)file_bytes));
    }
    printf("%s: %llu bytes; %llu cells, %llu of them blocked; the tree takes %zu bytes\n",
           CLI_SHOWN(path), (unsigned long long)file_bytes, (unsigned long long)cells,
           (unsigned long long)counts[OCT_BLOCKED], bytes);
    return CLI_YES;
}

static int generate_map(const cli_args *args)
{
    const oct_generate_def def = def_of(args);
    if (args->options[GEN_BLOCKS].given) {
        return oct_cli_complain("gen: --blocks is for glass-maze and svo-random");
    }
    for (int i = GEN_ROOMS; i < GEN_OPTION_COUNT; i++) {
        if (args->options[i].given) {
            return complain_owner(i);
        }
    }
    if (def.kind == OCT_GENERATE_POTENTIAL && def.dims == 3) {
        return oct_cli_complain("gen: a map drawn by potential has 2 dimensions");
    }
    CLI_TRY(oct_cli_check_target(args->options[GEN_OUTPUT].text, def.dims));
    oct_tree_def tree_def = oct_tree_def_default();
    tree_def.cell_size = args->options[GEN_CELL].real;
    oct_tree *tree;
    oct_tree_info info;
    const oct_result result = oct_tree_generate(&def, &tree_def, &tree, &info);
    if (result != OCT_OK) {
        return complain_generate(&def, result);
    }
    const int code = save(args, tree, &info);
    oct_tree_destroy(tree);
    return code;
}

// ---- worlds ----

// Kinds of worlds by what they take.
typedef enum gen_taker { TAKES_BLOCKS, TAKES_ROOMS, TAKES_CLASS } gen_taker;

static bool takes(gen_taker taker, int option)
{
    switch (option) {
    case GEN_OUTPUT:
    case GEN_SEED:
        return true;
    case GEN_BLOCKS:
        return taker == TAKES_BLOCKS;
    case GEN_ROOMS:
    case GEN_PRESSES:
        return taker == TAKES_ROOMS;
    case GEN_CLASS:
        return taker == TAKES_CLASS;
    case GEN_STOREYS:
    case GEN_FIRES:
        return false;
    default:
        return option > GEN_ROOMS && taker != TAKES_BLOCKS;
    }
}

// A map has other options than a world, and a puzzle or level its own.
static int check_world_options(const cli_args *args, const char *kind, gen_taker taker)
{
    for (int i = 0; i < GEN_OPTION_COUNT; i++) {
        if (!args->options[i].given || takes(taker, i)) {
            continue;
        }
        if (i >= GEN_ROOMS) {
            return complain_owner(i);
        }
        if (i == GEN_BLOCKS) {
            return oct_cli_complain("gen: --blocks is for glass-maze and svo-random");
        }
        return oct_cli_complain("gen: --%s is for maps; %s is a world", gen_options[i].name, kind);
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
    return oct_cli_check("gen", result);
}

static json_t *doors_json(uint32_t doors, const oct_puzzle_truth *truth)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; i < truth->doors; i++) {
        if (doors >> i & 1u) {
            json_array_append_new(list, json_integer((json_int_t)truth->door[i]));
        }
    }
    return list;
}

// What is true of a puzzle. NULL where memory does not allow it.
static json_t *truth_json(const oct_puzzle_truth *truth)
{
    json_t *const buttons = json_array();
    json_t *const solution = json_array();
    for (uint32_t i = 0; i < truth->buttons; i++) {
        const oct_puzzle_button *const b = &truth->button[i];
        json_array_append_new(
            buttons, json_pack("{s:I, s:i, s:o, s:o, s:f, s:b}", "panel", (json_int_t)b->panel,
                               "number", (int)b->number, "toggles", doors_json(b->toggles, truth),
                               "learnable", doors_json(b->learnable, truth), "delay", b->delay,
                               "reachable", (int)b->reachable));
    }
    for (uint32_t i = 0; i < truth->presses; i++) {
        json_array_append_new(solution, json_integer(truth->solution[i]));
    }
    return json_pack("{s:b, s:s, s:i, s:i, s:i, s:I, s:o, s:o, s:o}", "solvable",
                     (int)truth->solvable, "why", oct_puzzle_why_name(truth->why), "rooms",
                     (int)truth->rooms, "doors", (int)truth->doors, "presses", (int)truth->presses,
                     "target", (json_int_t)truth->target, "open", doors_json(truth->open, truth),
                     "buttons", buttons, "solution", solution);
}

typedef struct saved_world {
    uint64_t cells, blocked, file_bytes;
    size_t bytes, blocks;
} saved_world;

// What is counted is a map of one cell a block.
static int write_world(const char *path, cli_world *world, saved_world *out)
{
    const oct_bounds first = oct_world_get(world->world, 0).box;
    CLI_TRY(oct_cli_map_world(path, first.max.x - first.min.x, (oct_point){0, 0, 0}, false, world));
    uint64_t counts[3] = {0};
    oct_error error = {.line = 0};
    oct_result result = oct_tree_count(oct_map_tree(world->map), world->info.box, counts);
    if (result == OCT_OK) {
        result = oct_world_save(path, world->world, &out->file_bytes, &error);
    }
    out->cells = counts[OCT_UNKNOWN] + counts[OCT_OPEN] + counts[OCT_BLOCKED];
    out->blocked = counts[OCT_BLOCKED];
    out->bytes = oct_map_measure(world->map).cells;
    out->blocks = oct_world_blocks(world->world);
    return oct_cli_check_file(path, result, &error);
}

// `truth` is told as JSON, and taken; NULL = none.
static int save_world(const char *path, cli_world *world, json_t *truth, bool as_json)
{
    saved_world s = {.cells = 0};
    const int code = write_world(path, world, &s);
    if (code == CLI_YES && as_json) {
        json_t *const object =
            json_pack("{s:I, s:I, s:I, s:I, s:I}", "blocks", (json_int_t)s.blocks, "cells",
                      (json_int_t)s.cells, "blocked", (json_int_t)s.blocked, "bytes",
                      (json_int_t)s.bytes, "file_bytes", (json_int_t)s.file_bytes);
        return oct_cli_print_json(truth ? oct_cli_json_join(object, truth) : object);
    }
    json_decref(truth);
    if (code == CLI_YES) {
        printf("%s: %llu bytes; %zu blocks in room for %llu\n", CLI_SHOWN(path),
               (unsigned long long)s.file_bytes, s.blocks, (unsigned long long)s.cells);
    }
    return code;
}

static int generate_world(const cli_args *args)
{
    oct_generate_world_def def = oct_generate_world_def_default();
    def.kind = (oct_generate_world_kind)(args->operands[0].integer - OCT_GENERATE_COUNT);
    def.seed = (uint64_t)args->options[GEN_SEED].integer;
    def.blocks = (uint32_t)args->options[GEN_BLOCKS].integer;
    CLI_TRY(check_world_options(args, oct_generate_world_kind_name(def.kind), TAKES_BLOCKS));
    cli_world world = {.map = NULL};
    const oct_result result = oct_world_generate(&def, NULL, &world.world);
    if (result != OCT_OK) {
        return complain_world(&def, result);
    }
    const int code = save_world(args->options[GEN_OUTPUT].text, &world, NULL, args->json);
    oct_cli_free_world(&world);
    return code;
}

// ---- puzzles ----

static int complain_puzzle(const oct_puzzle_def *def, oct_result result)
{
    if (def->doors > OCT_PUZZLE_DOORS_MAX) {
        return oct_cli_complain("gen: --doors of a puzzle are at most %d", OCT_PUZZLE_DOORS_MAX);
    }
    if (def->buttons > OCT_PUZZLE_BUTTONS_MAX) {
        return oct_cli_complain("gen: --buttons of a puzzle are at most %d",
                                OCT_PUZZLE_BUTTONS_MAX);
    }
    const uint32_t doors = 2 * (def->rooms - 1) - def->unsolvable;
    if (def->rooms != 0 && def->doors > doors) {
        return oct_cli_complain("gen: --doors of %u rooms are at most %u%s", def->rooms, doors,
                                def->unsolvable ? " where they cannot be solved" : "");
    }
    if (def->rooms != 0 && def->buttons > 2 * def->rooms) {
        return oct_cli_complain("gen: --buttons of %u rooms are at most %u", def->rooms,
                                2 * def->rooms);
    }
    if (result == OCT_ERROR_RANGE) {
        return oct_cli_complain(
            "gen: no such puzzle was found; ask for more rooms, or another seed");
    }
    return oct_cli_check("gen", result);
}

static int generate_puzzle(const cli_args *args)
{
    const cli_value *const options = args->options;
    oct_puzzle_def def = oct_puzzle_def_default();
    def.seed = (uint64_t)options[GEN_SEED].integer;
    def.rooms = (uint32_t)options[GEN_ROOMS].integer;
    def.doors = (uint32_t)options[GEN_DOORS].integer;
    def.buttons = (uint32_t)options[GEN_BUTTONS].integer;
    def.presses = (uint32_t)options[GEN_PRESSES].integer;
    def.unsolvable = options[GEN_UNSOLVABLE].given || options[GEN_WHY].given;
    if (options[GEN_WHY].given) {
        def.why = (oct_puzzle_why)(options[GEN_WHY].integer + OCT_PUZZLE_WALLED_IN);
        if (def.why >= OCT_PUZZLE_WHY_COUNT) {
            return oct_cli_complain("gen: --why %s is for levels", options[GEN_WHY].text);
        }
    }
    if (def.unsolvable && def.presses != 0) {
        return oct_cli_complain("gen: --presses is for puzzles that can be solved");
    }
    CLI_TRY(check_world_options(args, "puzzle", TAKES_ROOMS));
    cli_world world = {.map = NULL};
    oct_puzzle_truth truth;
    const oct_result result = oct_puzzle_generate(&def, NULL, &world.world, &truth);
    if (result != OCT_OK) {
        return complain_puzzle(&def, result);
    }
    const int code = save_world(options[GEN_OUTPUT].text, &world,
                                args->json ? truth_json(&truth) : NULL, args->json);
    if (code == CLI_YES && !args->json && truth.solvable) {
        printf("%u rooms, %u doors, %u buttons; solvable, fewest presses: %u\n", truth.rooms,
               truth.doors, truth.buttons, truth.presses);
    } else if (code == CLI_YES && !args->json) {
        printf("%u rooms, %u doors, %u buttons; unsolvable: %s\n", truth.rooms, truth.doors,
               truth.buttons, oct_puzzle_why_name(truth.why));
    }
    oct_cli_free_world(&world);
    return code;
}

// ---- levels ----

static int generate_level(const cli_args *args)
{
    const cli_value *const options = args->options;
    oct_level_def def = oct_level_def_default();
    def.seed = (uint64_t)options[GEN_SEED].integer;
    def.level_class = (oct_level_class)options[GEN_CLASS].integer;
    def.doors = (uint32_t)options[GEN_DOORS].integer;
    def.buttons = (uint32_t)options[GEN_BUTTONS].integer;
    def.unsolvable = options[GEN_UNSOLVABLE].given || options[GEN_WHY].given;
    CLI_TRY(check_world_options(args, "level", TAKES_CLASS));
    if (options[GEN_WHY].given && !oct_cli_level_why(options[GEN_WHY].text, &def.why)) {
        return oct_cli_complain("gen: --why %s is for puzzles", options[GEN_WHY].text);
    }
    oct_level_truth *const truth = malloc(sizeof *truth);
    cli_world world = {.map = NULL};
    const oct_result result =
        truth ? oct_level_generate(&def, NULL, &world.world, truth) : OCT_ERROR_MEMORY;
    int code = oct_cli_check_level(&def, result);
    if (code == CLI_YES) {
        code = save_world(options[GEN_OUTPUT].text, &world,
                          args->json ? oct_cli_level_json(truth) : NULL, args->json);
    }
    if (code == CLI_YES && !args->json) {
        printf("%s: %u doors, %u buttons, %u %s; %s%s\n", oct_level_class_name(truth->level_class),
               truth->doors, truth->buttons, truth->agents, truth->agents == 1 ? "agent" : "agents",
               truth->solvable ? "" : "unsolvable: ", oct_level_why_name(truth->why));
    }
    oct_cli_free_world(&world);
    free(truth);
    return code;
}

// ---- levels of the lab world ----

static uint32_t or_default(const cli_value *option, uint32_t preset)
{
    return option->given ? (uint32_t)option->integer : preset;
}

static int generate_lab(const cli_args *args)
{
    const cli_value *const options = args->options;
    for (int i = 0; i < GEN_OPTION_COUNT; i++) {
        const bool is_taken = i == GEN_OUTPUT || i == GEN_SEED || i == GEN_ROOMS ||
                              i == GEN_DOORS || i == GEN_BUTTONS || i == GEN_UNSOLVABLE ||
                              i == GEN_STOREYS || i == GEN_FIRES;
        if (options[i].given && !is_taken) {
            return oct_cli_complain("gen: --%s is not for lab", gen_options[i].name);
        }
    }
    oct_recruits_gen_def def = oct_recruits_gen_def_default();
    def.seed = (uint64_t)options[GEN_SEED].integer;
    def.rooms = or_default(&options[GEN_ROOMS], def.rooms);
    def.storeys = (uint32_t)options[GEN_STOREYS].integer;
    def.doors = or_default(&options[GEN_DOORS], def.doors);
    def.buttons = or_default(&options[GEN_BUTTONS], def.doors + 2);
    def.fires = (uint32_t)options[GEN_FIRES].integer;
    def.unsolvable = options[GEN_UNSOLVABLE].given;
    return oct_cli_gen_lab(&def, options[GEN_OUTPUT].text, args->json);
}

// ---- entry ----

static int run_gen(const cli_args *args)
{
    const int64_t kind = args->operands[0].integer;
    if (kind < OCT_GENERATE_COUNT) {
        return generate_map(args);
    }
    const int64_t of_worlds = kind - OCT_GENERATE_COUNT;
    return of_worlds < OCT_GENERATE_WORLD_COUNT        ? generate_world(args)
           : of_worlds == OCT_GENERATE_WORLD_COUNT     ? generate_puzzle(args)
           : of_worlds == OCT_GENERATE_WORLD_COUNT + 1 ? generate_level(args)
                                                       : generate_lab(args);
}

const cli_command oct_cmd_gen = {
    .name = "gen",
    .summary = "makes a map or a world from a seed",
    .details =
        "  boxes         a hollow cube with boxes at uniform places\n"
        "  wall          a hollow cube halved by a wall with one hole, and boxes\n"
        "  clusters      a hollow cube with boxes crowding around forty centres\n"
        "  checkerboard  open and blocked cells in turn: the worst for an octree\n"
        "  tunnels       solid, with tunnels of one cell: the worst for a set of cells\n"
        "  potential     flat; cells blocked one by one, rather beside blocked ones\n"
        "  glass-box     a world: two houses and a button panel in a large box of glass\n"
        "  glass-maze    the same world, cluttered with walls of glass and armour\n"
        "  svo-random    a world of 500 m with cubes of 10 m at random places\n"
        "  svo-wall      a world of 500 m with a wall of 50 x 10 such cubes\n"
        "  puzzle        a world of rooms, doors and buttons; a target to get to, if one can\n"
        "  level         the same of one class: timers, traps, tight gaps, several agents\n"
        "  lab           a level of Lab Recruits, .csv: rooms, storeys, doors, buttons, fires",
    .operands = gen_operands,
    .operand_count = sizeof gen_operands / sizeof gen_operands[0],
    .options = gen_options,
    .option_count = GEN_OPTION_COUNT,
    .run = run_gen,
};
