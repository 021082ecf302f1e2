// SPDX-License-Identifier: MIT
// The demo of a quadtree that grows with what is seen, as in Hoekzema 2024, section 4.
#include "cli/view_quadtree.h"
#include "cli/view_asking.h"
#include "octant/lab.h"
#include "octant/line.h"
#include "octant/names.h"
#include "octant/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORLD_EDGE 4096.0  // where things may be, from -WORLD_EDGE on
#define UNLIMITED 512.0    // cells that one sees without a limit
#define SIGHT_MAX 200.0    // likewise, where walls hide what is behind them
#define LEAVES_MAX 200000u // of an answer
#define NODES_MAX 400000u  // of a search
#define ENDS_MAX 3         // points at either end of a path that may be left out, and one
#define MARGIN 16          // cells beyond all there is that ways may use

// ---- life ----

static bool add_wall(view_quadtree *d, oct_bounds box)
{
    if (d->wall_count == VIEW_WALLS_MAX) {
        return false;
    }
    d->walls[d->wall_count++] =
        (oct_thing){.id = d->next_id++, .box = box, .label = OCT_BLOCKED, .opaque = 1};
    return true;
}

static oct_result make_map(view_quadtree *d)
{
    oct_map_def def = oct_map_def_default();
    oct_planner_def planner = oct_planner_def_default();
    def.dims = 2;
    oct_planner_destroy(d->planner);
    oct_map_destroy(d->map);
    d->planner = NULL;
    d->map = NULL;
    OCT_TRY(oct_map_create(&def, &d->map));
    planner.tree = oct_map_tree(d->map);
    planner.lab = oct_lab();
    return oct_planner_create(&planner, &d->planner);
}

int oct_cli_quadtree_begin(view_quadtree *d)
{
    static const oct_bounds walls[] = {{{-14, 9, 0}, {10, 11, 0}},    {{8, -13, 0}, {10, 9, 0}},
                                       {{-20, -17, 0}, {-6, -15, 0}}, {{-22, -15, 0}, {-20, 4, 0}},
                                       {{18, -6, 0}, {26, 14, 0}},    {{-9, -6, 0}, {-4, -2, 0}},
                                       {{-2, 18, 0}, {16, 20, 0}},    {{14, -22, 0}, {30, -19, 0}}};
    *d = (view_quadtree){.goal = {32.5, 8.5, 0.0}, .player = {0.5, 0.5, 0.0}, .next_id = 1};
    d->walls = calloc(VIEW_WALLS_MAX, sizeof *d->walls);
    if (!d->walls) {
        return oct_cli_check("view", OCT_ERROR_MEMORY);
    }
    for (size_t i = 0; i < sizeof walls / sizeof walls[0]; i++) {
        (void)add_wall(d, walls[i]);
    }
    return oct_cli_check("view", make_map(d));
}

void oct_cli_quadtree_close(view_quadtree *d)
{
    oct_planner_destroy(d->planner);
    oct_map_destroy(d->map);
    free(d->walls);
    *d = (view_quadtree){.walls = NULL};
}

// ---- what is done ----

static bool get_demo(view_asking *a, view_quadtree **out)
{
    view_item *item;
    if (!oct_cli_ask_item(a, VIEW_QUADTREE, &item)) {
        return false;
    }
    *out = item->quadtree;
    return true;
}

// Two or four numbers of the world; *given is whether they are there at all.
static bool get_places(view_asking *a, const char *key, size_t count, double *out, bool *given)
{
    json_t *const list = json_object_get(a->question, key);
    *given = list != NULL;
    for (size_t i = 0; *given && i < count; i++) {
        const json_t *const value = json_array_get(list, i);
        out[i] = json_number_value(value);
        if (!json_is_number(value) || !(fabs(out[i]) <= WORLD_EDGE)) {
            return oct_cli_ask_refuse(a, key);
        }
    }
    return true;
}

static bool holds(const oct_thing *wall, const double at[2])
{
    return at[0] > wall->box.min.x && at[0] < wall->box.max.x && at[1] > wall->box.min.y &&
           at[1] < wall->box.max.y;
}

static bool is_in_wall(const view_quadtree *d, const double at[2])
{
    bool is = false;
    for (size_t i = 0; i < d->wall_count && !is; i++) {
        is = holds(&d->walls[i], at);
    }
    return is;
}

static void remove_walls(view_quadtree *d, const double at[2])
{
    size_t kept = 0;
    for (size_t i = 0; i < d->wall_count; i++) {
        if (!holds(&d->walls[i], at)) {
            d->walls[kept++] = d->walls[i];
        }
    }
    d->wall_count = kept;
}

static bool do_acts(view_asking *a, view_quadtree *d)
{
    double at[4];
    bool given;
    if (json_is_true(json_object_get(a->question, "forget")) && make_map(d) != OCT_OK) {
        return oct_cli_ask_refuse(a, "memory is short");
    }
    if (!get_places(a, "wall", 4, at, &given)) {
        return false;
    }
    if (given) {
        const oct_bounds box = {{fmin(at[0], at[2]), fmin(at[1], at[3]), 0.0},
                                {fmax(at[0], at[2]), fmax(at[1], at[3]), 0.0}};
        const double player[2] = {d->player.x, d->player.y};
        const oct_thing wall = {.box = box};
        if (!(box.max.x > box.min.x && box.max.y > box.min.y) || holds(&wall, player)) {
            return oct_cli_ask_refuse(a, "no wall can be there");
        }
        if (!add_wall(d, box)) {
            return oct_cli_ask_refuse(a, "there are too many walls");
        }
    }
    if (!get_places(a, "remove", 2, at, &given)) {
        return false;
    }
    if (given) {
        remove_walls(d, at);
    }
    if (!get_places(a, "goal", 2, at, &given)) {
        return false;
    }
    d->goal = given ? (oct_point){at[0], at[1], 0.0} : d->goal;
    if (!get_places(a, "move", 2, at, &given)) {
        return false;
    }
    if (given && !is_in_wall(d, at)) {
        d->player = (oct_point){at[0], at[1], 0.0};
    }
    return true;
}

// Everything within the radius is observed, as in the document, or what is in sight.
static bool look(view_asking *a, view_quadtree *d)
{
    const json_t *const value = json_object_get(a->question, "radius");
    const double radius = json_is_number(value) ? json_number_value(value) : UNLIMITED;
    const bool by_line = json_is_true(json_object_get(a->question, "line"));
    const double most = by_line ? SIGHT_MAX : UNLIMITED;
    const oct_view view = {.centre = d->player,
                           .radius = fmin(radius, most),
                           .sight = by_line ? OCT_SIGHT_LINE : OCT_SIGHT_THROUGH};
    if (!(radius >= 1.0)) {
        return oct_cli_ask_refuse(a, "radius");
    }
    const oct_result result = oct_map_observe(d->map, &view, d->walls, d->wall_count, NULL);
    return result == OCT_OK || oct_cli_ask_refuse(a, oct_result_text(result));
}

// ---- the way ----

static bool choose(view_asking *a, oct_lab_query *lab)
{
    static const struct {
        const char *word;
        oct_lab_algorithm algorithm;
        oct_lab_graph graph;
    } known[] = {{"dijkstra", OCT_LAB_DIJKSTRA, OCT_LAB_GRAPH_DUAL},
                 {"astar", OCT_LAB_ASTAR, OCT_LAB_GRAPH_DUAL},
                 {"theta", OCT_LAB_THETA, OCT_LAB_GRAPH_DUAL},
                 {"portal", OCT_LAB_PORTAL, OCT_LAB_GRAPH_PORTAL}};
    const char *const word = json_string_value(json_object_get(a->question, "algorithm"));
    *lab = oct_lab_query_default();
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(word ? word : "dijkstra", known[i].word) == 0) {
            lab->algorithm = known[i].algorithm;
            lab->graph = known[i].graph;
            lab->neighbours = known[i].graph == OCT_LAB_GRAPH_DUAL ? 4 : lab->neighbours;
            return true;
        }
    }
    return oct_cli_ask_refuse(a, "algorithm");
}

static oct_box box_of_root(const oct_tree *tree)
{
    const oct_cell root = oct_tree_root(tree);
    if (root.level < 0) {
        return (oct_box){{0, 0, 0}, {1, 1, 1}};
    }
    const int32_t edge = 1 << root.level;
    return (oct_box){{root.x, root.y, 0}, {root.x + edge, root.y + edge, 1}};
}

// What holds the root, player and goal, and a little more.
static oct_box reach_of(const view_quadtree *d)
{
    oct_box box = box_of_root(oct_map_tree(d->map));
    const oct_point ends[] = {d->player, d->goal};
    for (int i = 0; i < 2; i++) {
        const int32_t x = (int32_t)floor(ends[i].x), y = (int32_t)floor(ends[i].y);
        box.min.x = box.min.x < x - MARGIN ? box.min.x : x - MARGIN;
        box.min.y = box.min.y < y - MARGIN ? box.min.y : y - MARGIN;
        box.max.x = box.max.x > x + MARGIN ? box.max.x : x + MARGIN;
        box.max.y = box.max.y > y + MARGIN ? box.max.y : y + MARGIN;
    }
    return box;
}

static bool sees(const oct_tree *tree, const oct_terms *terms, oct_point a, oct_point b)
{
    oct_fine from, to;
    return oct_tree_fine_at(tree, a, &from) && oct_tree_fine_at(tree, b, &to) &&
           oct_tree_line_of_sight(tree, terms, from, to);
}

// A path from leaf to leaf goes through the middle of the leaf that one is in: that is left out
// where the way is free without it, else one would go back to the middle at every step. So is that
// of the goal's.
static json_t *path_json(const oct_tree *tree, const oct_terms *terms, const oct_path *path)
{
    const oct_point *const p = path->points;
    const uint32_t count = path->point_count;
    uint32_t first = 1, behind = count > 0 ? count - 1 : 0;
    for (uint32_t i = 2; i <= ENDS_MAX && i < count; i++) {
        first = sees(tree, terms, p[0], p[i]) ? i : first;
    }
    for (uint32_t i = 2; i <= ENDS_MAX && i + first < count; i++) {
        behind = sees(tree, terms, p[count - 1 - i], p[count - 1]) ? count - i : behind;
    }
    json_t *const list = json_array();
    oct_point last = {0.0, 0.0, 0.0};
    double length = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        if ((i > 0 && i < first) || (i >= behind && i + 1 < count)) {
            continue;
        }
        const double x = p[i].x - last.x, y = p[i].y - last.y;
        length += i > 0 ? sqrt(x * x + y * y) : 0.0;
        last = p[i];
        json_array_append_new(list, json_pack("[f, f]", p[i].x, p[i].y));
    }
    return json_pack("{s:s, s:f, s:I, s:o}", "status", oct_path_status_name(path->status), "length",
                     length, "expanded", (json_int_t)path->expanded, "points", list);
}

static json_t *walls_json(const view_quadtree *d)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < d->wall_count; i++) {
        const oct_bounds b = d->walls[i].box;
        json_array_append_new(list, json_pack("[f, f, f, f]", b.min.x, b.min.y, b.max.x, b.max.y));
    }
    return list;
}

// Does what is asked, looks around, and finds the way anew.
bool oct_cli_tell_quadtree(view_asking *a)
{
    view_quadtree *d;
    oct_lab_query lab;
    if (!get_demo(a, &d) || !choose(a, &lab) || !do_acts(a, d) || !look(a, d)) {
        return false;
    }
    const oct_tree *const tree = oct_map_tree(d->map);
    const oct_box box = reach_of(d);
    const oct_cell root = oct_tree_root(tree);
    oct_query query = oct_query_default();
    oct_path path;
    query.lab = &lab;
    query.from = d->player;
    query.to = d->goal;
    query.terms.bounds = &box;
    query.terms.unknown = OCT_UNKNOWN_OPEN;
    query.node_budget = NODES_MAX;
    const oct_result result = oct_planner_plan(d->planner, &query, &path);
    if (result != OCT_OK) {
        return oct_cli_ask_refuse(a, oct_result_text(result));
    }
    const oct_tree_stats stats = oct_tree_measure(tree);
    uint64_t nodes = 0;
    for (int i = 0; i <= OCT_LEVEL_MAX; i++) {
        nodes += stats.nodes[i];
    }
    return oct_cli_say_json(
        a, json_pack("{s:[f, f], s:[f, f], s:o, s:o, s:[i, i, i], s:I, s:I}", "player", d->player.x,
                     d->player.y, "goal", d->goal.x, d->goal.y, "walls", walls_json(d), "path",
                     path_json(tree, &query.terms, &path), "root", root.x, root.y,
                     root.level < 0 ? 0 : 1 << root.level, "nodes", (json_int_t)nodes, "bytes",
                     (json_int_t)oct_tree_bytes(tree)));
}

// ---- leaves ----

typedef struct listing {
    view_asking *asking;
    uint32_t count;
} listing;

static bool count_leaf(void *ctx, const oct_leaf *leaf)
{
    (void)leaf;
    return ++((listing *)ctx)->count < LEAVES_MAX;
}

static bool say_leaf(void *ctx, const oct_leaf *leaf)
{
    const int32_t words[4] = {leaf->x, leaf->y, 1 << leaf->level, leaf->label};
    return oct_cli_say_bytes(((listing *)ctx)->asking, words, sizeof words);
}

// All leaves below the root: x, y, edge, label.
bool oct_cli_tell_quadtree_leaves(view_asking *a)
{
    view_quadtree *d;
    if (!get_demo(a, &d)) {
        return false;
    }
    const oct_tree *const tree = oct_map_tree(d->map);
    const oct_labels all = OCT_HAS_UNKNOWN | OCT_HAS_OPEN | OCT_HAS_BLOCKED;
    const oct_box box = box_of_root(tree);
    listing l = {.asking = a};
    if (!oct_tree_leaves(tree, box, all, count_leaf, &l)) {
        return oct_cli_ask_refuse(a, "too many leaves");
    }
    return oct_cli_say_head(a, ANSWER_LEAVES, l.count, 0) &&
           oct_tree_leaves(tree, box, all, say_leaf, &l);
}
