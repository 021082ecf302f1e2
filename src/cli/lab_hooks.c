// SPDX-License-Identifier: MIT
// What the laboratory asks of other modules: maps by coverage and clustering, what is made before a
// search begins, and databases of distances.
#include "cli/lab.h"
#include "octant/formats.h"
#include "octant/tree.h"

#include "octant/generate.h"

#include <stdlib.h>

oct_result oct_lab_generate(const lab_generate *what, oct_tree **tree, oct_tree_info *info)
{
    const oct_tree_def tree_def = oct_tree_def_default();
    oct_generate_def def = oct_generate_def_default();
    def.kind = OCT_GENERATE_POTENTIAL;
    def.dims = 2;
    def.size = what->size;
    def.seed = what->seed;
    def.coverage = what->coverage * 0.01;
    def.clustering = what->clustering;
    return oct_tree_generate(&def, &tree_def, tree, info);
}

bool oct_lab_is_prepared(const lab_item *item)
{
    return item->algorithm == OCT_LAB_JPS || item->graph == OCT_LAB_GRAPH_INTERVALS ||
           item->graph == OCT_LAB_GRAPH_BLOCKS || item->graph == OCT_LAB_GRAPH_VISIBILITY_ALL ||
           (item->graph == OCT_LAB_GRAPH_VISIBILITY && !item->lazy);
}

int oct_lab_open_distances(lab_plan *plan)
{
    int code = CLI_YES;
    for (size_t i = 0; i < plan->item_count && code == CLI_YES; i++) {
        lab_item *const item = &plan->items[i];
        if (item->graph != OCT_LAB_GRAPH_BLOCKS) {
            continue;
        }
        oct_distances_def def = oct_distances_def_default();
        def.edge = item->edge;
        def.kind = item->kind;
        def.packed = item->packed;
        def.squeeze = plan->squeeze;
        code = oct_cli_open_distances("lab", &def, &item->database);
    }
    return code;
}

void oct_lab_close_distances(lab_plan *plan)
{
    for (size_t i = 0; i < plan->item_count; i++) {
        oct_cli_close_distances(&plan->items[i].database);
    }
}
