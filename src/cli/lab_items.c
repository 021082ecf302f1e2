// SPDX-License-Identifier: MIT
// Which algorithms the laboratory compares: a list of words, checked against what there is.
#include "cli/lab.h"

#include <string.h>

// What is compared where nothing is said: the seven of Freeman 2014, then what came after it.
// Freeman's A* measures straight lines; the octile distance, which is the default on the lattice,
// knows the moves.
static const struct {
    oct_lab_algorithm algorithm;
    oct_lab_graph graph;
    oct_lab_heuristic heuristic;
} usual[] = {
    {OCT_LAB_DIJKSTRA, OCT_LAB_GRAPH_LATTICE, OCT_LAB_HEURISTIC_DEFAULT},
    {OCT_LAB_ASTAR, OCT_LAB_GRAPH_LATTICE, OCT_LAB_HEURISTIC_EUCLIDEAN},
    {OCT_LAB_ASTAR, OCT_LAB_GRAPH_LATTICE, OCT_LAB_HEURISTIC_DEFAULT},
    {OCT_LAB_ASTAR_SMOOTH, OCT_LAB_GRAPH_LATTICE, OCT_LAB_HEURISTIC_EUCLIDEAN},
    {OCT_LAB_ASTAR_SMOOTH, OCT_LAB_GRAPH_LATTICE, OCT_LAB_HEURISTIC_DEFAULT},
    {OCT_LAB_THETA, OCT_LAB_GRAPH_LATTICE, OCT_LAB_HEURISTIC_DEFAULT},
    {OCT_LAB_LAZY_THETA, OCT_LAB_GRAPH_LATTICE, OCT_LAB_HEURISTIC_DEFAULT},
    {OCT_LAB_ASTAR, OCT_LAB_GRAPH_VISIBILITY, OCT_LAB_HEURISTIC_DEFAULT},
    {OCT_LAB_BLOCK, OCT_LAB_GRAPH_BLOCKS, OCT_LAB_HEURISTIC_DEFAULT},
    {OCT_LAB_ANYA, OCT_LAB_GRAPH_INTERVALS, OCT_LAB_HEURISTIC_DEFAULT},
    {OCT_LAB_JPS, OCT_LAB_GRAPH_CELLS, OCT_LAB_HEURISTIC_DEFAULT},
    {OCT_LAB_PORTAL, OCT_LAB_GRAPH_PORTAL, OCT_LAB_HEURISTIC_DEFAULT},
};

// What an algorithm searches where no graph is named: the first that it can.
static const oct_lab_graph preferred[] = {
    OCT_LAB_GRAPH_LATTICE,   OCT_LAB_GRAPH_CELLS,  OCT_LAB_GRAPH_PORTAL,
    OCT_LAB_GRAPH_INTERVALS, OCT_LAB_GRAPH_BLOCKS, OCT_LAB_GRAPH_DUAL,
};

#define EDGE_USUAL 4
#define LAZY_NAME "visibility-lazy"
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

// ---- items ----

static lab_item make_item(oct_lab_algorithm algorithm, oct_lab_graph graph)
{
    return (lab_item){.algorithm = algorithm,
                      .graph = graph,
                      .edge = EDGE_USUAL,
                      .kind = OCT_DISTANCES_PLAIN,
                      .packed = true};
}

static void name_item(lab_item *item)
{
    const char *const algorithm = oct_lab_algorithm_name(item->algorithm);
    const char *const graph = oct_lab_graph_name(item->graph);
    if (item->graph == OCT_LAB_GRAPH_BLOCKS) {
        snprintf(item->variant, sizeof item->variant, "%u:%s:%s", item->edge,
                 oct_distances_kind_name(item->kind), item->packed ? "packed" : "unpacked");
        snprintf(item->name, sizeof item->name, "%.30s:%.30s", algorithm, item->variant);
        return;
    }
    const bool has_heuristic = item->heuristic != OCT_LAB_HEURISTIC_DEFAULT;
    if (item->graph == OCT_LAB_GRAPH_VISIBILITY) {
        snprintf(item->variant, sizeof item->variant, "%s", item->lazy ? "lazy" : "whole");
    } else if (has_heuristic) {
        snprintf(item->variant, sizeof item->variant, "%s",
                 oct_lab_heuristic_name(item->heuristic));
    }
    snprintf(item->name, sizeof item->name, "%s:%s%s%.16s", algorithm,
             item->lazy ? LAZY_NAME : graph, has_heuristic ? ":" : "",
             has_heuristic ? item->variant : "");
}

static bool is_same(const lab_item *a, const lab_item *b)
{
    return strcmp(a->name, b->name) == 0;
}

static int add_item(lab_plan *plan, lab_item item)
{
    name_item(&item);
    for (size_t i = 0; i < plan->item_count; i++) {
        if (is_same(&plan->items[i], &item)) {
            return oct_cli_complain("lab: --algorithms has %s twice", item.name);
        }
    }
    if (plan->item_count == LAB_ITEMS_MAX) {
        return oct_cli_complain("lab: --algorithms has more than %d items", LAB_ITEMS_MAX);
    }
    plan->items[plan->item_count++] = item;
    return CLI_YES;
}

// ---- words ----

// Appends a word to a list for a complaint.
static void list_word(char *list, size_t size, const char *word)
{
    const size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", word);
}

static int complain_algorithm(const char *item, const char *word)
{
    char list[256] = "";
    for (int i = 0; i < OCT_LAB_ALGORITHM_COUNT; i++) {
        const char *const name = oct_lab_algorithm_name((oct_lab_algorithm)i);
        if (name && oct_cli_is_near(word, name)) {
            return oct_cli_complain("lab: --algorithms: '%s': there is no algorithm '%s'; did you "
                                    "mean '%s'?",
                                    item, word, name);
        }
        if (name) {
            list_word(list, sizeof list, name);
        }
    }
    return oct_cli_complain("lab: --algorithms: '%s': there is no algorithm '%s'; there are %s",
                            item, word, list);
}

static int complain_graph(const char *item, oct_lab_algorithm algorithm, const char *word)
{
    char list[256] = "";
    for (int i = 0; i < OCT_LAB_GRAPH_USER; i++) {
        if (oct_lab_serves(algorithm, (oct_lab_graph)i)) {
            list_word(list, sizeof list, oct_lab_graph_name((oct_lab_graph)i));
            if (i == OCT_LAB_GRAPH_VISIBILITY) {
                list_word(list, sizeof list, LAZY_NAME);
            }
        }
    }
    return oct_cli_complain("lab: --algorithms: '%s': %s does not search '%s'; it searches %s",
                            item, oct_lab_algorithm_name(algorithm), word, list);
}

static bool find_algorithm(const char *word, oct_lab_algorithm *out)
{
    for (int i = 0; i < OCT_LAB_ALGORITHM_COUNT; i++) {
        const char *const name = oct_lab_algorithm_name((oct_lab_algorithm)i);
        if (name && strcmp(name, word) == 0) {
            *out = (oct_lab_algorithm)i;
            return true;
        }
    }
    return false;
}

static bool find_heuristic(const char *word, oct_lab_heuristic *out)
{
    for (int i = 0; i < OCT_LAB_HEURISTIC_COUNT; i++) {
        if (strcmp(word, oct_lab_heuristic_name((oct_lab_heuristic)i)) == 0) {
            *out = (oct_lab_heuristic)i;
            return true;
        }
    }
    return false;
}

static int read_heuristic(const char *text, const char *word, lab_item *item)
{
    if (!find_heuristic(word, &item->heuristic)) {
        return oct_cli_complain("lab: --algorithms: '%s': '%s' must be a heuristic: default, "
                                "euclidean, octile or manhattan",
                                text, word);
    }
    if (!oct_lab_has_heuristic(item->algorithm, item->graph)) {
        return oct_cli_complain("lab: --algorithms: '%s': %s over %s has no choice of heuristics",
                                text, oct_lab_algorithm_name(item->algorithm),
                                item->lazy ? LAZY_NAME : oct_lab_graph_name(item->graph));
    }
    return CLI_YES;
}

static int read_graph(const char *text, const char *word, lab_item *item)
{
    item->lazy = strcmp(word, LAZY_NAME) == 0;
    const char *const name = item->lazy ? oct_lab_graph_name(OCT_LAB_GRAPH_VISIBILITY) : word;
    for (int i = 0; i < OCT_LAB_GRAPH_USER; i++) {
        if (strcmp(oct_lab_graph_name((oct_lab_graph)i), name) == 0 &&
            oct_lab_serves(item->algorithm, (oct_lab_graph)i)) {
            item->graph = (oct_lab_graph)i;
            return CLI_YES;
        }
    }
    return complain_graph(text, item->algorithm, word);
}

// How a block's database is: an edge, a kind, packed or not, each at most once.
static int read_database(const char *text, const char *word, lab_item *item, bool seen[3])
{
    int what = -1;
    if (strlen(word) == 1 && word[0] >= '0' + OCT_DISTANCES_EDGE_MIN &&
        word[0] <= '0' + OCT_DISTANCES_EDGE_MAX) {
        item->edge = (uint32_t)(word[0] - '0');
        what = 0;
    } else if (strcmp(word, "packed") == 0 || strcmp(word, "unpacked") == 0) {
        item->packed = word[0] == 'p';
        what = 2;
    }
    for (int i = 0; i < OCT_DISTANCES_KIND_COUNT; i++) {
        if (strcmp(word, oct_distances_kind_name((oct_distances_kind)i)) == 0) {
            item->kind = (oct_distances_kind)i;
            what = 1;
        }
    }
    if (what < 0) {
        return oct_cli_complain("lab: --algorithms: '%s': '%s' must be an edge from %d to %d, "
                                "plain, semi or full, packed or unpacked",
                                text, word, OCT_DISTANCES_EDGE_MIN, OCT_DISTANCES_EDGE_MAX);
    }
    if (seen[what]) {
        return oct_cli_complain("lab: --algorithms: '%s': '%s' contradicts what stands before it",
                                text, word);
    }
    seen[what] = true;
    return CLI_YES;
}

// The word up to the next ':' at *at, which moves on behind it; false after the last.
static bool next_word(const char **at, char word[LAB_NAME_MAX])
{
    if (!*at) {
        return false;
    }
    const size_t length = strcspn(*at, ":");
    snprintf(word, LAB_NAME_MAX, "%.*s", (int)length, *at);
    *at = (*at)[length] ? *at + length + 1 : NULL;
    return true;
}

static oct_lab_graph graph_of(oct_lab_algorithm algorithm)
{
    for (size_t i = 0; i < COUNT(preferred); i++) {
        if (oct_lab_serves(algorithm, preferred[i])) {
            return preferred[i];
        }
    }
    return OCT_LAB_GRAPH_PORTAL;
}

// *names_heuristic: the item says what guides it.
static int read_item(const char *text, lab_item *out, bool *names_heuristic)
{
    const char *rest = text;
    char word[LAB_NAME_MAX];
    oct_lab_algorithm algorithm;
    next_word(&rest, word);
    if (!find_algorithm(word, &algorithm)) {
        return complain_algorithm(text, word);
    }
    *out = make_item(algorithm, graph_of(algorithm));
    *names_heuristic = false;
    int code = CLI_YES;
    bool seen[3] = {false};
    for (int i = 0; code == CLI_YES && next_word(&rest, word); i++) {
        if (algorithm == OCT_LAB_BLOCK) {
            code = read_database(text, word, out, seen);
        } else if (i == 0 && !find_heuristic(word, &out->heuristic)) {
            code = read_graph(text, word, out);
        } else if (rest) {
            code =
                oct_cli_complain("lab: --algorithms: '%s': nothing may follow the heuristic", text);
        } else {
            code = read_heuristic(text, word, out);
            *names_heuristic = true;
        }
    }
    return code;
}

// Whether the planner takes a query of an item; a database for blocks is not there yet.
static bool can_plan(const lab_item *item)
{
    oct_query query = oct_query_default();
    oct_lab_query lab = oct_lab_query_default();
    lab.algorithm = item->algorithm;
    lab.graph = item->graph;
    lab.heuristic = item->heuristic;
    query.lab = &lab;
    return item->graph == OCT_LAB_GRAPH_BLOCKS || oct_lab_check(&query, 2) == OCT_OK;
}

// ---- lists ----

static int read_list(const char *list, oct_lab_heuristic heuristic, lab_plan *plan)
{
    for (const char *at = list; at;) {
        char text[LAB_NAME_MAX];
        lab_item item;
        bool names_heuristic = false;
        const size_t length = strcspn(at, ",");
        if (length == 0 || length >= sizeof text) {
            return oct_cli_complain("lab: --algorithms must be words such as "
                                    "astar,theta:cells,anya, not '%s'",
                                    list);
        }
        snprintf(text, sizeof text, "%.*s", (int)length, at);
        at = at[length] ? at + length + 1 : NULL;
        CLI_TRY(read_item(text, &item, &names_heuristic));
        if (!names_heuristic && oct_lab_has_heuristic(item.algorithm, item.graph)) {
            item.heuristic = heuristic;
        }
        if (!can_plan(&item)) {
            return oct_cli_complain("lab: %s cannot be guided by the heuristic %s",
                                    oct_lab_algorithm_name(item.algorithm),
                                    oct_lab_heuristic_name(item.heuristic));
        }
        CLI_TRY(add_item(plan, item));
    }
    return CLI_YES;
}

// The usual ones, by one heuristic where it is given: then not twice.
static int add_usual(oct_lab_heuristic heuristic, lab_plan *plan)
{
    const bool is_given = heuristic != OCT_LAB_HEURISTIC_DEFAULT;
    for (size_t i = 0; i < COUNT(usual); i++) {
        lab_item item = make_item(usual[i].algorithm, usual[i].graph);
        item.heuristic = usual[i].heuristic;
        if (is_given && item.heuristic != OCT_LAB_HEURISTIC_DEFAULT) {
            continue;
        }
        if (is_given && oct_lab_has_heuristic(item.algorithm, item.graph)) {
            item.heuristic = heuristic;
        }
        if (!can_plan(&item)) {
            oct_cli_warn("lab: without %s, which cannot be guided by the heuristic %s",
                         oct_lab_algorithm_name(item.algorithm), oct_lab_heuristic_name(heuristic));
        } else {
            CLI_TRY(add_item(plan, item));
        }
    }
    return CLI_YES;
}

int oct_lab_read_items(const char *list, oct_lab_heuristic heuristic, lab_plan *plan)
{
    return list ? read_list(list, heuristic, plan) : add_usual(heuristic, plan);
}

// Which graphs can squeeze, as a complaint lists them.
static void list_squeezing(char *list, size_t size)
{
    list[0] = '\0';
    for (int i = 0; i < OCT_LAB_GRAPH_USER; i++) {
        if (oct_lab_graph_is_flat((oct_lab_graph)i)) {
            list_word(list, size, oct_lab_graph_name((oct_lab_graph)i));
        }
    }
}

int oct_lab_squeeze_items(bool leave_out, lab_plan *plan)
{
    char left_out[256] = "", able[256];
    size_t kept = 0;
    for (size_t i = 0; i < plan->item_count; i++) {
        const lab_item *const item = &plan->items[i];
        if (oct_lab_graph_is_flat(item->graph)) {
            plan->items[kept++] = *item;
        } else if (leave_out) {
            list_word(left_out, sizeof left_out, item->name);
        } else {
            list_squeezing(able, sizeof able);
            return oct_cli_complain("lab: --algorithms: %s cannot squeeze; these graphs can: %s",
                                    item->name, able);
        }
    }
    plan->item_count = kept;
    if (kept == 0) {
        return oct_cli_complain("lab: there is no algorithm that can squeeze");
    }
    if (left_out[0]) {
        oct_cli_warn("lab: without %s, which cannot squeeze", left_out);
    }
    return CLI_YES;
}

size_t oct_lab_optimum_item(const lab_plan *plan)
{
    for (size_t i = 0; i < plan->item_count; i++) {
        if (plan->items[i].algorithm == OCT_LAB_ANYA) {
            return i;
        }
    }
    return SIZE_MAX;
}

bool oct_lab_make_optimum_item(lab_item *out)
{
    *out = make_item(OCT_LAB_ANYA, OCT_LAB_GRAPH_INTERVALS);
    if (!oct_lab_serves(out->algorithm, out->graph)) {
        return false;
    }
    name_item(out);
    return true;
}
