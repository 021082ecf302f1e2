// SPDX-License-Identifier: MIT
// octant path: one path through a map or world.
#include "cli/cli_internal.h"
#include "cli/picture.h"
#include "cli/walk.h"
#include "octant/names.h"

// A search that takes longer than this is not repeated to be timed.
#define REPEAT_MS_MAX 1000.0
#define WHY_MAX 256

enum {
    PATH_SEARCH = CLI_WORLD_OPTION_COUNT,
    PATH_FROM = PATH_SEARCH + CLI_SEARCH_OPTION_COUNT,
    PATH_TO,
    PATH_BUDGET,
    PATH_PARTIAL,
    PATH_POINTS,
    PATH_CHECK,
    PATH_WALK,
    PATH_STEP,
    PATH_RULES,
    PATH_SHAPES,
    PATH_SVG,
    PATH_SLICE,
    PATH_PLAN,
    PATH_OBJ,
    PATH_OPTION_COUNT
};

// What is said of one search.
typedef struct outcome {
    const cli_scene *scene;
    const oct_query *query;
    oct_path path;
    double first_us, time_us;
    bool checked, valid;
    char why[WHY_MAX];
} outcome;

// ---- JSON ----

// At two dimensions z is 0.
static json_t *points_json(const oct_path *path, int dims)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; i < path->point_count; i++) {
        const oct_point at = path->points[i];
        json_array_append_new(list, json_pack("[f, f, f]", at.x, at.y, dims == 2 ? 0.0 : at.z));
    }
    return list;
}

static json_t *lattice_json(const oct_path *path, int dims)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; i < path->lattice_count; i++) {
        const oct_fine at = path->lattice[i];
        json_array_append_new(list, json_pack("[I, I, I]", (json_int_t)at.x, (json_int_t)at.y,
                                              (json_int_t)(dims == 2 ? 0 : at.z)));
    }
    return list;
}

// What only a path has: null where there is none.
static json_t *measure_json(const oct_path *path, double value)
{
    return path->point_count > 0 ? json_real(value) : json_null();
}

static int print_json(const outcome *o)
{
    const oct_path *const path = &o->path;
    const uint32_t neighbours = oct_cli_neighbours(o->query, o->scene->dims);
    return oct_cli_print_json(json_pack(
        "{s:s, s:o, s:o, s:f, s:o, s:I, s:I, s:I, s:f, s:f, s:s, s:s, s:s?, s:o, s:b, s:I, s:b, "
        "s:b, s:o, s:o, s:o, s:f}",
        "status", oct_path_status_name(path->status), "length", measure_json(path, path->length),
        "cost", measure_json(path, path->cost), "straight", path->straight, "turning",
        measure_json(path, path->turning), "expanded", (json_int_t)path->expanded, "generated",
        (json_int_t)path->generated, "sight_checks", (json_int_t)path->sight_checks, "time_us",
        o->time_us, "first_us", o->first_us, "algorithm",
        oct_lab_algorithm_name(o->query->lab->algorithm), "graph",
        oct_lab_graph_name(o->query->lab->graph), "grade", oct_cli_grade(o->query), "neighbours",
        neighbours ? json_integer(neighbours) : json_null(), "squeeze", (int)o->query->lab->squeeze,
        "component_bytes", (json_int_t)oct_cli_component_bytes(o->scene), "leaves_blocked",
        (int)path->leaves_blocked, "enters_blocked", (int)path->enters_blocked, "valid",
        o->checked ? json_boolean(o->valid) : json_null(), "points",
        points_json(path, o->scene->dims), "lattice_points", lattice_json(path, o->scene->dims),
        "clearance_ms", o->scene->map.clearance_ms));
}

// ---- text ----

static void print_verdict(const outcome *o)
{
    static const char *const verdicts[OCT_PATH_COUNT] = {
        [OCT_PATH_FOUND] = "found a path",
        [OCT_PATH_NONE] = "there is no path",
        [OCT_PATH_PARTIAL] = "there is no path",
        [OCT_PATH_BUDGET] = "the budget ended before there was a path",
        [OCT_PATH_UNDECIDED] = "found no path, but did not look everywhere,",
    };
    const oct_path *const path = &o->path;
    const bool found = path->status == OCT_PATH_FOUND;
    char words[2][96];
    oct_cli_printf(found ? CLI_GREEN : CLI_RED, "%s", verdicts[path->status]);
    printf(" from %s to %s%s\n",
           oct_cli_point_text(o->scene->dims, o->query->from, words[0], sizeof words[0]),
           oct_cli_point_text(o->scene->dims, o->query->to, words[1], sizeof words[1]),
           !found && path->point_count > 0 ? "; this one ends as near as it came" : "");
}

static void print_measures(const outcome *o)
{
    const oct_path *const path = &o->path;
    const uint32_t turns = path->lattice_count > 2 ? path->lattice_count - 2 : 0;
    printf("  %-12s %12.6g  m", "length", path->length);
    if (path->status == OCT_PATH_FOUND && path->straight > 0.0) {
        printf(", %.4g times the straight line", path->length / path->straight);
    }
    printf("\n");
    if (o->query->terms.unknown == OCT_UNKNOWN_PRICED) {
        printf("  %-12s %12.6g  m, unknown cells at %g a metre\n", "cost", path->cost,
               o->query->terms.unknown_price);
    }
    printf("  %-12s %12.4g  rad in %u turn%s\n", "turning", path->turning, turns,
           turns == 1 ? "" : "s");
    if (path->leaves_blocked) {
        printf("  %-12s it begins inside something that is blocked\n", "start");
    }
    if (path->enters_blocked) {
        printf("  %-12s it ends inside something that is blocked\n", "goal");
    }
    if (o->checked) {
        printf("  %-12s ", "checked");
        oct_cli_printf(o->valid ? CLI_GREEN : CLI_RED, o->valid ? "valid\n" : "not valid\n");
    }
}

static void print_text(const outcome *o, bool points)
{
    const oct_path *const path = &o->path;
    const cli_time time = oct_cli_time(o->time_us);
    const char *const grade = oct_cli_grade(o->query);
    print_verdict(o);
    if (path->point_count > 0) {
        print_measures(o);
    }
    printf("  %-12s %12llu  nodes of the %s graph, by %s%s%s\n", "expanded",
           (unsigned long long)path->expanded, oct_lab_graph_name(o->query->lab->graph),
           oct_lab_algorithm_name(o->query->lab->algorithm), grade ? ", grade " : "",
           grade ? grade : "");
    printf("  %-12s %12llu\n", "generated", (unsigned long long)path->generated);
    printf("  %-12s %12llu\n", "sight checks", (unsigned long long)path->sight_checks);
    printf("  %-12s %12.4g  %s\n", "time", time.value, time.unit);
    for (uint32_t i = 0; points && i < path->point_count; i++) {
        const oct_point at = path->points[i];
        printf("%s  %-12s %12.6g %12.6g", i == 0 ? "\n" : "", i == 0 ? "points" : "", at.x, at.y);
        if (o->scene->dims == 3) {
            printf(" %12.6g", at.z);
        }
        printf("\n");
    }
}

// ---- search ----

// The first search grows the planner's memory. A second one, where that takes no longer than one
// likes to wait, shows what a search costs once the planner is warm.
static oct_result search(oct_planner *planner, outcome *o)
{
    for (int i = 0; i < 2 && o->first_us < REPEAT_MS_MAX * 1e3; i++) {
        const double start = oct_cli_now_ms();
        OCT_TRY(oct_planner_plan(planner, o->query, &o->path));
        o->time_us = (oct_cli_now_ms() - start) * 1e3;
        o->first_us = i == 0 ? o->time_us : o->first_us;
    }
    return OCT_OK;
}

// Pictures of what was found, and of the map alone where nothing was.
static int draw(const cli_args *args, const outcome *o)
{
    const cli_value *const options = args->options;
    char title[256];
    snprintf(title, sizeof title, "%s, %.6g m by %s", oct_path_status_name(o->path.status),
             o->path.length, oct_lab_algorithm_name(o->query->lab->algorithm));
    const oct_tree_info *const info = &o->scene->info;
    cli_picture picture = {.file = o->scene->path,
                           .title = o->path.point_count > 0 ? title
                                                            : oct_path_status_name(o->path.status),
                           .tree = o->scene->tree,
                           .box = info->box,
                           .up = info->up,
                           .left_handed = info->left_handed,
                           .world = o->scene->is_world ? o->scene->world.world : NULL,
                           .ways = {{o->path.points, o->path.point_count, "path"}},
                           .way_count = o->path.point_count > 0 ? 1 : 0};
    if (options[PATH_PLAN].given) {
        CLI_TRY(oct_cli_print_plan(&picture));
    }
    if (options[PATH_OBJ].given) {
        CLI_TRY(oct_cli_write_path_obj(options[PATH_OBJ].text, picture.tree, picture.box,
                                       o->path.points, o->path.point_count));
    }
    return oct_cli_draw(&picture, &options[PATH_SVG], &options[PATH_SLICE]);
}

static int report(const cli_args *args, const outcome *o)
{
    if (args->json) {
        CLI_TRY(print_json(o));
    } else {
        print_text(o, args->options[PATH_POINTS].given);
    }
    CLI_TRY(draw(args, o));
    if (o->checked && !o->valid) {
        return oct_cli_complain("%s: the path is not valid: %s", o->scene->path, o->why);
    }
    return o->path.status == OCT_PATH_FOUND ? CLI_YES : CLI_NO;
}

static int find(const cli_args *args, const cli_scene *scene, const oct_query *query)
{
    outcome o = {.scene = scene, .query = query};
    const oct_planner_def def = oct_cli_planner_def(scene);
    oct_planner *planner;
    oct_result result = oct_planner_create(&def, &planner);
    if (result == OCT_OK) {
        result = search(planner, &o);
    }
    int code = oct_cli_check(scene->path, result);
    if (code == CLI_YES) {
        o.checked = args->options[PATH_CHECK].given && o.path.point_count > 0;
        o.valid = o.checked && oct_cli_judge(scene, query, &o.path, o.why, sizeof o.why);
        code = report(args, &o);
    }
    oct_planner_destroy(planner);
    return code;
}

static int search_scene(const cli_args *args, cli_scene *scene)
{
    const cli_value *const options = args->options;
    oct_query query;
    CLI_TRY(oct_cli_plan_search("path", options + PATH_SEARCH, scene, &query));
    CLI_TRY(oct_cli_read_point("path", "from", options[PATH_FROM].text, scene, &query.from));
    CLI_TRY(oct_cli_read_point("path", "to", options[PATH_TO].text, scene, &query.to));
    CLI_TRY(oct_cli_connect_scene(scene, &query));
    query.node_budget = (uint64_t)options[PATH_BUDGET].integer;
    query.partial = options[PATH_PARTIAL].given;
    return find(args, scene, &query);
}

static int walk_path(const cli_args *args)
{
    const cli_value *const options = args->options;
    cli_walk walk = {.path = args->operands[0].text,
                     .up = (oct_up)options[CLI_WORLD_UP].integer,
                     .step = options[PATH_STEP].real,
                     .rules = options[PATH_RULES].text,
                     .shapes = options[PATH_SHAPES].text,
                     .svg = options[PATH_SVG].text,
                     .json = args->json,
                     .points = options[PATH_POINTS].given};
    CLI_TRY(oct_cli_read_place("path", "from", options[PATH_FROM].text, &walk.from));
    CLI_TRY(oct_cli_read_place("path", "to", options[PATH_TO].text, &walk.to));
    return oct_cli_walk(&walk);
}

// Complains of options that do not go together.
static int check_pictures(const cli_args *args)
{
    static const struct {
        int option;
        const char *name;
    } others[] = {{PATH_SLICE, "slice"}, {PATH_PLAN, "plan"}, {PATH_OBJ, "obj"}};
    const cli_value *const options = args->options;
    for (size_t i = 0; options[PATH_WALK].given && i < sizeof others / sizeof *others; i++) {
        if (options[others[i].option].given) {
            return oct_cli_complain("path: --%s is not for --walk", others[i].name);
        }
    }
    if (args->json && options[PATH_PLAN].given) {
        return oct_cli_complain("path: --plan is text, and --json is not; only one of them");
    }
    return oct_cli_check_slices("path", &options[PATH_SVG], &options[PATH_SLICE]);
}

static int run_path(const cli_args *args)
{
    CLI_TRY(check_pictures(args));
    if (args->options[PATH_WALK].given) {
        return walk_path(args);
    }
    static const struct {
        int option;
        const char *name;
    } of_walk[] = {{PATH_STEP, "step"}, {PATH_RULES, "rules"}, {PATH_SHAPES, "shapes"}};
    for (size_t i = 0; i < sizeof of_walk / sizeof *of_walk; i++) {
        if (args->options[of_walk[i].option].given) {
            return oct_cli_complain("path: --%s is for --walk", of_walk[i].name);
        }
    }
    cli_scene scene;
    CLI_TRY(oct_cli_open_scene("path", args->operands[0].text, args->options, &scene));
    const int code = search_scene(args, &scene);
    oct_cli_close_scene(&scene);
    return code;
}

static const cli_param path_operands[] = {
    CLI_MAP_OPERAND("MAP"),
};

static const cli_param path_options[PATH_OPTION_COUNT] = {
    CLI_WORLD_OPTIONS,
    CLI_SEARCH_OPTIONS(oct_cli_algorithm_words),
    [PATH_FROM] = {.name = "from",
                   .kind = CLI_TEXT,
                   .value = "X,Y,Z",
                   .required = true,
                   .help = "where to start, metres; flat maps: X,Y"},
    [PATH_TO] = {.name = "to",
                 .kind = CLI_TEXT,
                 .value = "X,Y,Z",
                 .required = true,
                 .help = "where to go, likewise"},
    [PATH_BUDGET] =
        CLI_PARAM_INTEGER("budget", "N", NULL, 1, CLI_INTEGER_MAX, "give up after so many nodes"),
    [PATH_PARTIAL] = CLI_PARAM_FLAG("partial", "where there is no path, go as near as one can get"),
    [PATH_POINTS] = CLI_PARAM_FLAG("points", "print the points too"),
    [PATH_WALK] =
        CLI_PARAM_FLAG("walk", "the file is a surface to walk on: .obj or .json, faces as "
                               "they are"),
    [PATH_STEP] =
        CLI_PARAM_REAL("step", "M", "0.5", 0, 1e6, "--walk: how far in height ends may be from it"),
    [PATH_SVG] = CLI_SVG_OPTION,
    [PATH_SLICE] = CLI_SLICE_OPTION,
    [PATH_PLAN] = CLI_PLAN_OPTION,
    [PATH_OBJ] = CLI_PARAM_OUTPUT("obj", "write the path and the map's blocked leaves, for other "
                                         "tools"),
    [PATH_RULES] = CLI_RULES_OPTION,
    [PATH_SHAPES] = CLI_SHAPES_OPTION,
    [PATH_CHECK] = CLI_PARAM_FLAG("check", "judge the path again, cell by cell in exact numbers"),
};

const cli_command oct_cmd_path = {
    .name = "path",
    .summary = "finds a path through a map or world",
    .details =
        "  Everything outside the box that the file declares is blocked. A start or goal inside "
        "something\n"
        "  blocked first goes straight out to the nearest free point. Exit code 1: no path was "
        "found.\n"
        "  The time is that of a second, warm search, CPU time of the thread, smoothing included, "
        "checking\n"
        "  excluded; where the first takes a second or more it counts, and there is no second.",
    .operands = path_operands,
    .operand_count = sizeof path_operands / sizeof path_operands[0],
    .options = path_options,
    .option_count = PATH_OPTION_COUNT,
    .run = run_path,
};
