// SPDX-License-Identifier: MIT
// A scene of the searches' benches: a map and queries whose shortest 26-connected lengths are
// known, from a scenario file or from the yardstick.
#ifndef OCTANT_SEARCH_SCENE_H
#define OCTANT_SEARCH_SCENE_H

#include "bench/baseline_astar.h"
#include "bench/bench_components.h"
#include "octant/generate.h"
#include "octant/lab.h"

#define SEARCH_QUERIES_MAX 200
#define SEARCH_WAYS_MAX 16

typedef struct scene_query {
    oct_vec from, to; // cells; paths go between their middles
    double length;    // of the shortest 26-connected path, cells
} scene_query;

// What all queries came to.
typedef struct search_totals {
    double length;   // of the paths that were found, cells
    double shortest; // and of the shortest ones in their place
    uint64_t expanded;
    uint64_t found;
    uint64_t answered; // as the kind of search promises
} search_totals;

typedef struct search_scene {
    oct_tree *tree;
    oct_box box;
    oct_baseline *baseline; // NULL until it is needed
    scene_query queries[SEARCH_QUERIES_MAX];
    size_t query_count;
    const struct search_way *ways; // search_ways.h
    size_t way_count;
    const oct_distances *distances;         // for blocks; NULL = none
    bool has_few_ways;                      // the yardstick and the default search alone
    size_t way;                             // whose turn it is
    oct_planner *planners[SEARCH_WAYS_MAX]; // one for each way, NULL until it is needed
    search_totals totals[SEARCH_WAYS_MAX];  // of its last round
    components_times components;            // all 0 until they were measured
} search_scene;

// The map, from a file or made here, of a scene that is all zero. After a failure, of this or of
// what follows, the scene is to be freed.
oct_result oct_search_scene_load(search_scene *scene, const char *path, oct_error *error);
oct_result oct_search_scene_generate(search_scene *scene, oct_generate_kind kind, uint32_t size);

// The same of a flat map with a fifth of its cells blocked.
oct_result oct_search_scene_potential(search_scene *scene, uint32_t size);

// Then the queries: spread evenly over a scenario file that has more than `limit`, or drawn from a
// fixed seed so that there is a path, with the yardstick's lengths.
oct_result oct_search_scene_read(search_scene *scene, const char *path, size_t limit,
                                 oct_error *error);
oct_result oct_search_scene_draw(search_scene *scene, size_t limit);

// Makes the yardstick, if it is not there yet.
oct_result oct_search_scene_baseline(search_scene *scene);

// Makes the planner of a way, if it is not there yet.
oct_result oct_search_scene_planner(search_scene *scene, size_t way);

void oct_search_scene_free(search_scene *scene);

#endif
