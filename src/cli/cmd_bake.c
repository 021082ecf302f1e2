// SPDX-License-Identifier: MIT
// octant map bake: a surface to walk on, of a mesh, a map or a world.
#include "cli/cli_internal.h"
#include "cli/walk.h"
#include "octant/files.h"
#include "octant/surface_bake.h"

#include "files/files_internal.h"

enum {
    BAKE_CELL,
    BAKE_CELL_HEIGHT,
    BAKE_HEIGHT,
    BAKE_RADIUS,
    BAKE_CLIMB,
    BAKE_SLOPE,
    BAKE_LEAST_AREA,
    BAKE_ERROR,
    BAKE_TWO_SIDED,
    BAKE_UP,
    BAKE_UNIT,
    BAKE_SIZES,
    BAKE_OPTION_COUNT
};

static const cli_param bake_operands[] = {
    CLI_MAP_OPERAND("IN"),
    {.name = "OUT", .kind = CLI_OUTPUT, .required = true, .help = "a surface, .json"},
};

static const cli_param bake_options[BAKE_OPTION_COUNT] = {
    [BAKE_CELL] = CLI_PARAM_REAL("cell", "M", "0.3", 1e-3, 1e6,
                                 "worlds, meshes: edge of a column of cells, metres"),
    [BAKE_CELL_HEIGHT] =
        CLI_PARAM_REAL("cell-height", "M", "0.2", 1e-3, 1e6, "meshes: height of a cell, metres"),
    [BAKE_HEIGHT] = CLI_PARAM_REAL("height", "M", "1.8", 0, 1e6, "the body's height, metres"),
    [BAKE_RADIUS] = CLI_PARAM_REAL("radius", "M", "0.4", 0, 1e6, "and its radius"),
    [BAKE_CLIMB] = CLI_PARAM_REAL("climb", "M", "0.4", 0, 1e6, "highest edge that it walks up"),
    [BAKE_SLOPE] = CLI_PARAM_REAL("slope", "DEG", "45", 0, 90,
                                  "meshes: steepest ground that it walks on, degrees"),
    [BAKE_LEAST_AREA] = CLI_PARAM_REAL("least-area", "M2", "1", 0, 1e6,
                                       "smaller floors are left out, square metres"),
    [BAKE_ERROR] =
        CLI_PARAM_REAL("error", "N", "1.3", 1e-3, 1e6, "how far outlines may be simplified, cells"),
    [BAKE_TWO_SIDED] = CLI_PARAM_FLAG("two-sided", "meshes: what looks down is floor, too"),
    [BAKE_UP] =
        CLI_PARAM_CHOICE("up", "x|y|z" /* as oct_up */, "y", "meshes: which axis points up"),
    [BAKE_UNIT] =
        CLI_PARAM_REAL("unit", "M", "1", 1e-9, 1e9, "meshes: metres in a unit of the file"),
    [BAKE_SIZES] = CLI_PARAM_FILE("sizes", "saves: sizes of blocks (default: block_sizes.json "
                                           "near by)"),
};

// Options that only some files have a use for.
static int check_options(const char *in, const cli_value *options, const cli_world_plan *plan)
{
    static const struct {
        int option;
        bool worlds, maps; // meshes have all but --sizes
    } uses[] = {{BAKE_CELL, true, false},   {BAKE_CELL_HEIGHT, false, false},
                {BAKE_SLOPE, false, false}, {BAKE_TWO_SIDED, false, false},
                {BAKE_UP, false, false},    {BAKE_UNIT, false, false}};
    for (size_t i = 0; i < sizeof uses / sizeof uses[0] && !plan->is_mesh; i++) {
        const char *const name = bake_options[uses[i].option].name;
        if (options[uses[i].option].given && !(plan->is_world ? uses[i].worlds : uses[i].maps)) {
            return oct_cli_complain("map bake: --%s is for %smeshes, such as .obj and .stl files",
                                    name, uses[i].worlds ? "worlds and " : "");
        }
    }
    if (options[BAKE_SIZES].given && !oct_save_is_named(in)) {
        return oct_cli_complain("map bake: --sizes is for saves, which are .sbs files");
    }
    return CLI_YES;
}

static int plan_bake(const char *in, const cli_value *options, cli_world_plan *plan,
                     oct_bake_def *def)
{
    *plan = (cli_world_plan){.command = "map bake",
                             .is_world = oct_world_is_named(in),
                             .cell = options[BAKE_CELL].real,
                             .up = (oct_up)options[BAKE_UP].integer,
                             .unit = options[BAKE_UNIT].real,
                             .unit_text = options[BAKE_UNIT].text,
                             .sizes = options[BAKE_SIZES].text,
                             .memory = CLI_WORLD_MEMORY};
    plan->is_mesh = !plan->is_world && oct_mesh_kind(in) != NULL;
    *def = oct_bake_def_default();
    def->cell = options[BAKE_CELL].real;
    def->cell_height = options[BAKE_CELL_HEIGHT].real;
    def->height = options[BAKE_HEIGHT].real;
    def->radius = options[BAKE_RADIUS].real;
    def->climb = options[BAKE_CLIMB].real;
    def->slope = options[BAKE_SLOPE].real;
    def->least_area = options[BAKE_LEAST_AREA].real;
    def->error = options[BAKE_ERROR].real;
    def->two_sided = options[BAKE_TWO_SIDED].given;
    def->up = plan->up;
    return check_options(in, options, plan);
}

// ---- baking ----

static int bake_mesh(const char *in, const cli_world_plan *plan, const oct_bake_def *def,
                     oct_surface **out, double *bake_ms)
{
    oct_mesh *mesh;
    CLI_TRY(oct_cli_open_mesh(in, plan, &mesh));
    oct_error error = {.line = 0};
    const double start = oct_cli_now_ms();
    const oct_result result = oct_surface_bake_mesh(mesh, def, out, &error);
    *bake_ms = oct_cli_now_ms() - start;
    oct_mesh_destroy(mesh);
    return oct_cli_check_file(in, result, &error);
}

static int bake_tree(const char *in, const oct_tree *tree, const oct_tree_info *info,
                     const oct_bake_def *def, oct_surface **out, double *bake_ms)
{
    if (oct_tree_dims(tree) != 3) {
        return oct_cli_complain("%s: a flat map has no floors", in);
    }
    oct_bake_def own = *def;
    own.up = info->up;
    oct_error error = {.line = 0};
    const double start = oct_cli_now_ms();
    const oct_result result = oct_surface_bake_tree(tree, info->box, &own, out, &error);
    *bake_ms = oct_cli_now_ms() - start;
    return oct_cli_check_file(in, result, &error);
}

static int bake_map(const char *in, const cli_world_plan *plan, const oct_bake_def *def,
                    oct_surface **out, double *bake_ms)
{
    cli_map map;
    CLI_TRY(oct_cli_open_map(in, plan, &map));
    const int code = bake_tree(in, map.tree, &map.info, def, out, bake_ms);
    oct_tree_destroy(map.tree);
    return code;
}

// Blocks are not grown: Recast keeps the body away from them.
static int bake_world(const char *in, const cli_world_plan *plan, const oct_bake_def *def,
                      oct_surface **out, double *bake_ms)
{
    cli_world world;
    CLI_TRY(oct_cli_load_world(in, plan, &world));
    const oct_point none = {0.0, 0.0, 0.0};
    int code = oct_cli_map_world(in, plan->cell, none, false, &world);
    if (code == CLI_YES) {
        code = bake_tree(in, oct_map_tree(world.map), &world.info, def, out, bake_ms);
    }
    oct_cli_free_world(&world);
    return code;
}

static int save(const char *path, const oct_surface *surface, double bake_ms, bool as_json)
{
    uint64_t bytes = 0;
    oct_error error = {.line = 0};
    const oct_result result = oct_surface_save(path, surface, &bytes, &error);
    CLI_TRY(oct_cli_check_file(path, result, &error));
    const oct_surface_info i = oct_surface_info_of(surface);
    if (as_json) {
        return oct_cli_print_json(
            json_pack("{s:I, s:I, s:I, s:I, s:f, s:o, s:I, s:f}", "faces", (json_int_t)i.faces,
                      "corners", (json_int_t)i.corners, "islands", (json_int_t)i.islands, "details",
                      (json_int_t)i.details, "area", i.area, "baked", oct_cli_baked_json(&i.baked),
                      "file_bytes", (json_int_t)bytes, "bake_ms", bake_ms));
    }
    printf("%s: %llu bytes; %u faces in %u islands, %.6g m2, baked in %.3f ms\n", CLI_SHOWN(path),
           (unsigned long long)bytes, (unsigned)i.faces, (unsigned)i.islands, i.area, bake_ms);
    oct_cli_print_baked(&i.baked);
    return CLI_YES;
}

static int run_bake(const cli_args *args)
{
    const char *const in = args->operands[0].text, *const out = args->operands[1].text;
    cli_world_plan plan;
    oct_bake_def def;
    oct_surface *surface;
    double bake_ms = 0.0;
    CLI_TRY(plan_bake(in, args->options, &plan, &def));
    CLI_TRY(plan.is_mesh    ? bake_mesh(in, &plan, &def, &surface, &bake_ms)
            : plan.is_world ? bake_world(in, &plan, &def, &surface, &bake_ms)
                            : bake_map(in, &plan, &def, &surface, &bake_ms));
    const int code = save(out, surface, bake_ms, args->json);
    oct_surface_destroy(surface);
    return code;
}

const cli_command oct_cmd_map_bake = {
    .name = "map bake",
    .summary = "makes a surface to walk on of a mesh, map or world",
    .details = "  By Recast, where Octant was built with librecast-dev. Of maps and worlds the "
               "columns are cells:\n"
               "  what is open above what is blocked is floor, and everything outside the box is "
               "in the way;\n"
               "  of a world without its blocks being grown. What it prints was measured on the "
               "surface:\n"
               "  Recast rounds. See docs/engine/surface.md.",
    .operands = bake_operands,
    .operand_count = sizeof bake_operands / sizeof bake_operands[0],
    .options = bake_options,
    .option_count = BAKE_OPTION_COUNT,
    .run = run_bake,
};
