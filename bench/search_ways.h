// SPDX-License-Identifier: MIT
// Ways to search, as the suites of searches compare them: each answers all queries of a scene.
//
// A round is every query once, with a planner that has seen them before. Rows of one metric
// answered the same queries, each as its kind promises.
#ifndef OCTANT_SEARCH_WAYS_H
#define OCTANT_SEARCH_WAYS_H

#include "bench/bench.h"
#include "bench/search_scene.h"

// What a way promises of a query that has an answer.
typedef enum search_promise {
    PROMISE_SHORTEST, // the shortest 26-connected path
    PROMISE_PATH,
    PROMISE_NOTHING
} search_promise;

typedef struct search_way {
    const char *structure;
    bool is_baseline; // the yardstick; else:
    oct_lab_graph graph;
    oct_lab_algorithm algorithm;
    search_promise promise;
    oct_grade grade;
} search_way;

// Of a search_scene, whose ways are set: who is next, and what can be measured of it.
void oct_ways_select(void *scene, const char *structure);
extern const bench_work oct_ways_time, oct_ways_length, oct_ways_expanded, oct_ways_solved,
    oct_ways_bytes, oct_ways_pace, oct_ways_prepare;

// Seconds in a unit of mean_us.
#define SEARCH_US 1e-6

// The rows of a way, each compared with the same metric of another.
#define SEARCH_WAY(name, base)                                                                     \
    {name, "mean_us", base " mean_us", SEARCH_US, &oct_ways_time},                                 \
        {name, "length_ratio", base " length_ratio", 1.0, &oct_ways_length},                       \
        {name, "expanded", base " expanded", 1.0, &oct_ways_expanded},                             \
    {                                                                                              \
        name, "planner_bytes", base " planner_bytes", 1.0, &oct_ways_bytes                         \
    }

#endif
