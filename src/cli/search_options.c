// SPDX-License-Identifier: MIT
// What the commands that search share: the map, however it comes, the options that say how to
// search it, points as one types them, and the judgement on a path.
#include "cli/cli_internal.h"
#include "octant/components.h"
#include "octant/names.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"
#include "verify/exact_path.h"

#include <math.h>
#include <string.h>

enum {
    SEARCH_ALGORITHM,
    SEARCH_GRAPH,
    SEARCH_GRADE,
    SEARCH_TAUT,
    SEARCH_HEURISTIC,
    SEARCH_NEIGHBOURS,
    SEARCH_UNKNOWN,
    SEARCH_PRICE,
    SEARCH_SQUEEZE,
    SEARCH_BLOCK,
    SEARCH_DISTANCES,
    SEARCH_UNPACKED
};

static const uint32_t neighbour_counts[] = {4, 6, 8, 18, 26}; // as the option has them

// ---- scenes ----

static int open_world(const char *path, const cli_world_plan *plan, cli_scene *scene)
{
    CLI_TRY(oct_cli_open_world(path, plan, &scene->world));
    scene->tree = oct_map_tree(scene->world.map);
    scene->info = scene->world.info;
    scene->bytes = oct_map_measure(scene->world.map).cells;
    scene->dims = (int)oct_tree_dims(scene->tree);
    return CLI_YES;
}

int oct_cli_take_map(const char *path, const cli_map *map, cli_scene *scene)
{
    const oct_result result = oct_tree_shrink(map->tree);
    if (result != OCT_OK) {
        oct_tree_destroy(map->tree);
        return oct_cli_check(path, result);
    }
    *scene = (cli_scene){.path = path,
                         .tree = map->tree,
                         .info = map->info,
                         .dims = (int)oct_tree_dims(map->tree),
                         .bytes = oct_tree_bytes(map->tree),
                         .map = *map};
    return CLI_YES;
}

static int open_map(const char *path, const cli_world_plan *plan, cli_scene *scene)
{
    cli_map map;
    CLI_TRY(oct_cli_open_map(path, plan, &map));
    return oct_cli_take_map(path, &map, scene);
}

int oct_cli_open_scene(const char *command, const char *path, const cli_value *options,
                       cli_scene *scene)
{
    cli_world_plan plan;
    CLI_TRY(oct_cli_plan_world(command, path, options, &plan));
    *scene = (cli_scene){.path = path, .is_world = plan.is_world};
    return plan.is_world ? open_world(path, &plan, scene) : open_map(path, &plan, scene);
}

void oct_cli_close_scene(cli_scene *scene)
{
    oct_components_destroy(scene->components[0]);
    oct_components_destroy(scene->components[1]);
    oct_cli_close_distances(&scene->distances);
    if (scene->is_world) {
        oct_cli_free_world(&scene->world);
    } else {
        oct_tree_destroy(scene->map.tree);
    }
}

int oct_cli_connect_scene(cli_scene *scene, const oct_query *query)
{
    oct_components_def def = oct_components_def_default();
    def.tree = scene->tree;
    def.unknown = query->terms.unknown;
    const oct_result result =
        oct_components_create(&def, &scene->components[def.unknown != OCT_UNKNOWN_BLOCKED]);
    return oct_cli_check(scene->path, result);
}

oct_planner_def oct_cli_planner_def(const cli_scene *scene)
{
    oct_planner_def def = oct_planner_def_default();
    def.tree = scene->tree;
    def.components[0] = scene->components[0];
    def.components[1] = scene->components[1];
    def.lab = oct_lab();
    return def;
}

size_t oct_cli_component_bytes(const cli_scene *scene)
{
    size_t bytes = 0;
    for (int i = 0; i < 2; i++) {
        bytes += scene->components[i] ? oct_components_measure(scene->components[i]).bytes : 0;
    }
    return bytes;
}

bool oct_cli_scene_holds(const cli_scene *scene, oct_vec cell)
{
    const oct_box *const box = &scene->info.box;
    return cell.x >= box->min.x && cell.x < box->max.x && cell.y >= box->min.y &&
           cell.y < box->max.y &&
           (scene->dims == 2 || (cell.z >= box->min.z && cell.z < box->max.z));
}

// ---- names ----

char oct_cli_algorithm_words[CLI_WORDS_MAX], oct_cli_yardstick_words[CLI_WORDS_MAX],
    oct_cli_graph_words[CLI_WORDS_MAX], oct_cli_heuristic_words[CLI_WORDS_MAX];

static void add_word(char words[CLI_WORDS_MAX], const char *word)
{
    const size_t used = strlen(words);
    const int length =
        snprintf(words + used, CLI_WORDS_MAX - used, "%s%s", used > 0 ? "|" : "", word);
    OCT_ASSERT(used + (size_t)length < CLI_WORDS_MAX);
    (void)length;
}

void oct_cli_name_searches(void)
{
    for (int i = 0; i < OCT_LAB_ALGORITHM_COUNT; i++) {
        add_word(oct_cli_algorithm_words, oct_lab_algorithm_name((oct_lab_algorithm)i));
        add_word(oct_cli_yardstick_words, oct_lab_algorithm_name((oct_lab_algorithm)i));
    }
    add_word(oct_cli_yardstick_words, "baseline");
    for (int i = 0; i < OCT_LAB_GRAPH_USER; i++) {
        add_word(oct_cli_graph_words, oct_lab_graph_name((oct_lab_graph)i));
    }
    for (int i = 0; i < OCT_LAB_HEURISTIC_COUNT; i++) {
        add_word(oct_cli_heuristic_words, oct_lab_heuristic_name((oct_lab_heuristic)i));
    }
}

// ---- options ----

// Says which graphs the algorithm can search instead.
static int complain_graph(const char *command, oct_lab_algorithm algorithm, oct_lab_graph graph)
{
    char list[192] = "";
    for (int i = 0; i < OCT_LAB_GRAPH_USER; i++) {
        if (oct_lab_serves(algorithm, (oct_lab_graph)i)) {
            const size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                     oct_lab_graph_name((oct_lab_graph)i));
        }
    }
    return oct_cli_complain("%s: %s does not search the graph %s; it searches %s", command,
                            oct_lab_algorithm_name(algorithm), oct_lab_graph_name(graph), list);
}

static oct_lab_algorithm algorithm_for(oct_lab_graph graph)
{
    static const oct_lab_algorithm preferred[] = {OCT_LAB_PORTAL, OCT_LAB_LAZY_THETA, OCT_LAB_ASTAR,
                                                  OCT_LAB_ANYA};
    for (size_t i = 0; i < sizeof preferred / sizeof preferred[0]; i++) {
        if (oct_lab_serves(preferred[i], graph)) {
            return preferred[i];
        }
    }
    return OCT_LAB_BLOCK;
}

// Algorithm and graph; where one of them is not given, it is what suits the other, and the map:
// of most algorithms the corners of leaves, on flat maps those of cells.
static int choose_search(const char *command, const cli_value *algorithm, const cli_value *graph,
                         int dims, oct_lab_query *lab)
{
    lab->algorithm = (oct_lab_algorithm)algorithm->integer;
    lab->graph = graph->given ? (oct_lab_graph)graph->integer
                 : dims == 2  ? OCT_LAB_GRAPH_LATTICE
                              : OCT_LAB_GRAPH_CORNER;
    if (graph->given && !algorithm->given) {
        lab->algorithm = algorithm_for(lab->graph);
    }
    for (int i = 0; i < OCT_LAB_GRAPH_USER && !graph->given; i++) {
        if (oct_lab_serves(lab->algorithm, lab->graph)) {
            break;
        }
        lab->graph = (oct_lab_graph)i;
    }
    return oct_lab_serves(lab->algorithm, lab->graph)
               ? CLI_YES
               : complain_graph(command, lab->algorithm, lab->graph);
}

static bool has_neighbours(oct_lab_graph graph)
{
    return graph == OCT_LAB_GRAPH_CELLS || graph == OCT_LAB_GRAPH_DUAL ||
           graph == OCT_LAB_GRAPH_PROGRESSIVE_DUAL;
}

static int choose_neighbours(const char *command, const cli_value *option, int dims,
                             oct_lab_query *lab)
{
    if (!option->given) {
        return CLI_YES;
    }
    lab->neighbours = neighbour_counts[option->integer];
    if (!has_neighbours(lab->graph)) {
        return oct_cli_complain("%s: --neighbours is for cells and dual graphs, not for %s",
                                command, oct_lab_graph_name(lab->graph));
    }
    if (dims == 3 && (lab->neighbours == 4 || lab->neighbours == 8)) {
        return oct_cli_complain("%s: --neighbours %u is for maps of two dimensions", command,
                                lab->neighbours);
    }
    return CLI_YES;
}

// The database that Block A* needs.
static int choose_distances(const char *command, const cli_value *options, cli_scene *scene,
                            oct_lab_query *lab)
{
    for (int i = SEARCH_BLOCK; i <= SEARCH_UNPACKED; i++) {
        if (options[i].given && lab->graph != OCT_LAB_GRAPH_BLOCKS) {
            return oct_cli_complain("%s: --block, --lddb and --unpacked are for the algorithm "
                                    "block, not for %s",
                                    command, oct_lab_algorithm_name(lab->algorithm));
        }
    }
    if (lab->graph != OCT_LAB_GRAPH_BLOCKS || scene->dims != 2) {
        return CLI_YES;
    }
    oct_distances_def def = oct_distances_def_default();
    def.edge = OCT_DISTANCES_EDGE_MIN + (uint32_t)options[SEARCH_BLOCK].integer;
    def.kind = (oct_distances_kind)options[SEARCH_DISTANCES].integer;
    def.packed = !options[SEARCH_UNPACKED].given;
    def.squeeze = lab->squeeze;
    const int code = oct_cli_open_distances(command, &def, &scene->distances);
    lab->distances = scene->distances.distances;
    return code;
}

// What only maps of two dimensions have: some graphs, and squeezing in these.
static int check_flat(const char *command, int dims, const oct_query *query)
{
    const oct_lab_query *const lab = query->lab;
    const char *const graph = oct_lab_graph_name(lab->graph);
    const bool is_flat = oct_lab_graph_is_flat(lab->graph), squeezes = lab->squeeze;
    if (dims != 2 && squeezes) {
        return oct_cli_complain("%s: --squeeze is for maps of two dimensions", command);
    }
    if (dims != 2 && is_flat) {
        return oct_cli_complain("%s: the graph %s is for maps of two dimensions", command, graph);
    }
    if (dims != 2 && lab->algorithm == OCT_LAB_JPS) {
        return oct_cli_complain("%s: jps is for maps of two dimensions", command);
    }
    if (squeezes && !is_flat) {
        return oct_cli_complain("%s: --squeeze is for graphs of flat maps such as lattice, not for "
                                "%s",
                                command, graph);
    }
    if (squeezes && query->taut == OCT_TAUT_YES) {
        return oct_cli_complain("%s: a path that may squeeze is not pulled taut", command);
    }
    if (oct_lab_check(query, (uint32_t)dims) == OCT_OK) {
        return CLI_YES;
    }
    if (lab->algorithm == OCT_LAB_JPS && query->terms.unknown != OCT_UNKNOWN_PRICED) {
        return oct_cli_complain("%s: jps is not for --neighbours 4 or --heuristic manhattan",
                                command);
    }
    return oct_cli_complain("%s: %s over %s knows no prices", command,
                            oct_lab_algorithm_name(lab->algorithm), graph);
}

int oct_cli_plan_search(const char *command, const cli_value *options, cli_scene *scene,
                        oct_query *query)
{
    oct_lab_query *const lab = &scene->lab;
    *lab = oct_lab_query_default();
    *query = oct_query_default();
    query->lab = lab;
    query->grade = (oct_grade)options[SEARCH_GRADE].integer;
    query->taut = (oct_taut)options[SEARCH_TAUT].integer;
    lab->heuristic = (oct_lab_heuristic)options[SEARCH_HEURISTIC].integer;
    query->terms.bounds = &scene->info.box;
    query->terms.unknown = (oct_unknown)options[SEARCH_UNKNOWN].integer;
    query->terms.unknown_price = options[SEARCH_PRICE].real;
    lab->squeeze = options[SEARCH_SQUEEZE].given;
    if (options[SEARCH_PRICE].given && query->terms.unknown != OCT_UNKNOWN_PRICED) {
        return oct_cli_complain("%s: --unknown-price is for --unknown priced", command);
    }
    CLI_TRY(choose_search(command, &options[SEARCH_ALGORITHM], &options[SEARCH_GRAPH], scene->dims,
                          lab));
    if (options[SEARCH_GRADE].given && !oct_cli_grade(query)) {
        return oct_cli_complain("%s: --grade is for the portal search, not for %s", command,
                                oct_lab_algorithm_name(lab->algorithm));
    }
    CLI_TRY(choose_neighbours(command, &options[SEARCH_NEIGHBOURS], scene->dims, lab));
    CLI_TRY(choose_distances(command, options, scene, lab));
    return check_flat(command, scene->dims, query);
}

const char *oct_cli_grade(const oct_query *query)
{
    return query->lab->algorithm == OCT_LAB_PORTAL ? oct_grade_name(query->grade) : NULL;
}

uint32_t oct_cli_neighbours(const oct_query *query, int dims)
{
    if (!has_neighbours(query->lab->graph)) {
        return 0;
    }
    const uint32_t usual = query->lab->graph == OCT_LAB_GRAPH_CELLS ? 26 : 6;
    const uint32_t count = query->lab->neighbours ? query->lab->neighbours : usual;
    return dims == 3 ? count : count <= 6 ? 4 : 8;
}

// ---- points ----

const char *oct_cli_point_text(int dims, oct_point at, char *out, size_t size)
{
    if (dims == 2) {
        snprintf(out, size, "(%.6g, %.6g)", at.x, at.y);
    } else {
        snprintf(out, size, "(%.6g, %.6g, %.6g)", at.x, at.y, at.z);
    }
    return out;
}

// The smallest corner of a cell, metres.
static oct_point corner_of(const cli_scene *scene, oct_vec cell)
{
    return oct_tree_point(scene->tree,
                          (oct_fine){(int64_t)cell.x * OCT_FINE, (int64_t)cell.y * OCT_FINE,
                                     (int64_t)cell.z * OCT_FINE});
}

int oct_cli_parse_point(const char *command, const char *option, const char *text, int dims,
                        oct_point *out)
{
    double at[3] = {0.0, 0.0, 0.0};
    const int count = oct_cli_read_numbers(text, at, 3);
    *out = (oct_point){at[0], at[1], dims == 2 ? 0.0 : at[2]};
    if (count == 3 || (count == 2 && dims == 2)) {
        return CLI_YES;
    }
    return oct_cli_complain("%s: --%s must be metres such as %s, not '%s'", command, option,
                            dims == 2 ? "1.5,2" : "1.5,2,-0.5", text);
}

bool oct_cli_is_end(const cli_scene *scene, oct_point at)
{
    oct_vec cell;
    oct_fine fine;
    return oct_tree_cell_at(scene->tree, at, &cell) && oct_tree_fine_at(scene->tree, at, &fine) &&
           oct_cli_scene_holds(scene, box_end_cell(&scene->info.box, fine, cell));
}

int oct_cli_read_point(const char *command, const char *option, const char *text,
                       const cli_scene *scene, oct_point *out)
{
    CLI_TRY(oct_cli_parse_point(command, option, text, scene->dims, out));
    if (oct_cli_is_end(scene, *out)) {
        return CLI_YES;
    }
    char words[3][96];
    return oct_cli_complain("%s: --%s %s is not in the map, which begins at %s and ends at %s",
                            scene->path, option,
                            oct_cli_point_text(scene->dims, *out, words[0], sizeof words[0]),
                            oct_cli_point_text(scene->dims, corner_of(scene, scene->info.box.min),
                                               words[1], sizeof words[1]),
                            oct_cli_point_text(scene->dims, corner_of(scene, scene->info.box.max),
                                               words[2], sizeof words[2]));
}

// ---- judgement ----

// Whether a lattice point is the one that stands for a point of the world.
static bool is_near(const cli_scene *scene, oct_fine at, oct_point wanted)
{
    const double step = oct_tree_cell_size(scene->tree) / OCT_FINE;
    const oct_point p = oct_tree_point(scene->tree, at);
    return fabs(p.x - wanted.x) <= step && fabs(p.y - wanted.y) <= step &&
           (scene->dims == 2 || fabs(p.z - wanted.z) <= step);
}

static double lattice_length(const cli_scene *scene, const oct_path *path)
{
    double steps = 0.0;
    for (uint32_t i = 1; i < path->lattice_count; i++) {
        const oct_fine a = path->lattice[i - 1];
        const oct_fine b = path->lattice[i];
        const double x = (double)(b.x - a.x);
        const double y = (double)(b.y - a.y);
        const double z = scene->dims == 2 ? 0.0 : (double)(b.z - a.z);
        steps += sqrt(x * x + y * y + z * z);
    }
    return steps / OCT_FINE * oct_tree_cell_size(scene->tree);
}

bool oct_cli_judge(const cli_scene *scene, const oct_query *query, const oct_path *path, char *why,
                   size_t size)
{
    const exact_world world = {.tree = scene->tree,
                               .unknown_is_free = query->terms.unknown != OCT_UNKNOWN_BLOCKED,
                               .bounded = true,
                               .bounds = scene->info.box,
                               .dims = scene->dims,
                               .squeeze = query->lab->squeeze};
    // What the tiny legs of start and goal may add, and rounding.
    const double slack = 4.0 * oct_tree_cell_size(scene->tree) / OCT_FINE + 1e-9 * path->length;
    if (path->lattice_count == 0 || !is_near(scene, path->lattice[0], query->from)) {
        snprintf(why, size, "it does not begin at the start");
        return false;
    }
    if (path->status == OCT_PATH_FOUND &&
        !is_near(scene, path->lattice[path->lattice_count - 1], query->to)) {
        snprintf(why, size, "it does not end at the goal");
        return false;
    }
    if (!(fabs(lattice_length(scene, path) - path->length) <= slack)) {
        snprintf(why, size, "its legs are %.9g m, not %.9g m", lattice_length(scene, path),
                 path->length);
        return false;
    }
    return exact_path_is_valid(&world, path->lattice, path->lattice_count, path->leaves_blocked,
                               path->enters_blocked, why, size);
}
