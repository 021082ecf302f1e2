// SPDX-License-Identifier: MIT
// Which algorithms the laboratory compares: a list of words, checked against what there is.
#include "cli/lab.h"

#include <string.h>

// What is compared where nothing is said: the seven of Freeman 2014, then what came after it.
static const struct {
    oct_lab_algorithm algorithm;
    oct_lab_graph graph;
} usual[] = {
    {OCT_LAB_DIJKSTRA, OCT_LAB_GRAPH_LATTICE},
    {OCT_LAB_ASTAR, OCT_LAB_GRAPH_LATTICE},
    {OCT_LAB_ASTAR_SMOOTH, OCT_LAB_GRAPH_LATTICE},
    {OCT_LAB_THETA, OCT_LAB_GRAPH_LATTICE},
    {OCT_LAB_LAZY_THETA, OCT_LAB_GRAPH_LATTICE},
    {OCT_LAB_ASTAR, OCT_LAB_GRAPH_VISIBILITY},
    {OCT_LAB_BLOCK, OCT_LAB_GRAPH_BLOCKS},
    {OCT_LAB_ANYA, OCT_LAB_GRAPH_INTERVALS},
    {OCT_LAB_JPS, OCT_LAB_GRAPH_CELLS},
    {OCT_LAB_PORTAL, OCT_LAB_GRAPH_PORTAL},
};

// What an algorithm searches where no graph is named: the first that it can.
static const oct_lab_graph preferred[] = {
    OCT_LAB_GRAPH_LATTICE,   OCT_LAB_GRAPH_CELLS,  OCT_LAB_GRAPH_PORTAL,
    OCT_LAB_GRAPH_INTERVALS, OCT_LAB_GRAPH_BLOCKS, OCT_LAB_GRAPH_DUAL,
};

#define EDGE_USUAL 4
#define LAZY_NAME "visibility-lazy"
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool squeezes(oct_lab_graph graph)
{
    return graph == OCT_LAB_GRAPH_LATTICE || graph == OCT_LAB_GRAPH_VISIBILITY ||
           graph == OCT_LAB_GRAPH_INTERVALS || graph == OCT_LAB_GRAPH_BLOCKS;
}

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
    if (item->graph == OCT_LAB_GRAPH_VISIBILITY) {
        snprintf(item->variant, sizeof item->variant, "%s", item->lazy ? "lazy" : "whole");
    }
    snprintf(item->name, sizeof item->name, "%s:%s", algorithm, item->lazy ? LAZY_NAME : graph);
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

static int read_item(const char *text, lab_item *out)
{
    const char *rest = text;
    char word[LAB_NAME_MAX];
    oct_lab_algorithm algorithm;
    next_word(&rest, word);
    if (!find_algorithm(word, &algorithm)) {
        return complain_algorithm(text, word);
    }
    *out = make_item(algorithm, graph_of(algorithm));
    int code = CLI_YES;
    bool seen[3] = {false};
    for (int i = 0; code == CLI_YES && next_word(&rest, word); i++) {
        if (algorithm == OCT_LAB_BLOCK) {
            code = read_database(text, word, out, seen);
        } else if (i == 0) {
            code = read_graph(text, word, out);
        } else {
            code = oct_cli_complain("lab: --algorithms: '%s': nothing may follow the graph", text);
        }
    }
    return code;
}

// ---- lists ----

static int read_list(const char *list, lab_plan *plan)
{
    for (const char *at = list; at;) {
        char text[LAB_NAME_MAX];
        lab_item item;
        const size_t length = strcspn(at, ",");
        if (length == 0 || length >= sizeof text) {
            return oct_cli_complain("lab: --algorithms must be words such as "
                                    "astar,theta:cells,anya, not '%s'",
                                    list);
        }
        snprintf(text, sizeof text, "%.*s", (int)length, at);
        at = at[length] ? at + length + 1 : NULL;
        CLI_TRY(read_item(text, &item));
        CLI_TRY(add_item(plan, item));
    }
    return CLI_YES;
}

int oct_lab_read_items(const char *list, lab_plan *plan)
{
    if (list) {
        return read_list(list, plan);
    }
    for (size_t i = 0; i < COUNT(usual); i++) {
        if (oct_lab_serves(usual[i].algorithm, usual[i].graph)) {
            CLI_TRY(add_item(plan, make_item(usual[i].algorithm, usual[i].graph)));
        }
    }
    return CLI_YES;
}

int oct_lab_squeeze_items(bool leave_out, lab_plan *plan)
{
    char left_out[256] = "";
    size_t kept = 0;
    for (size_t i = 0; i < plan->item_count; i++) {
        const lab_item *const item = &plan->items[i];
        if (squeezes(item->graph)) {
            plan->items[kept++] = *item;
        } else if (leave_out) {
            list_word(left_out, sizeof left_out, item->name);
        } else {
            return oct_cli_complain("lab: --algorithms: %s cannot squeeze; lattice, visibility, "
                                    "intervals and blocks can",
                                    item->name);
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
