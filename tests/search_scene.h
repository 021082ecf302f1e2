// SPDX-License-Identifier: MIT
// Random small worlds for the tests of searches: terms, starts and goals, and what holds for every
// path that a planner gives. A seed makes a scene; failures print seed, world and query.
#ifndef OCTANT_TESTS_SEARCH_SCENE_H
#define OCTANT_TESTS_SEARCH_SCENE_H

#include "base/base_internal.h"
#include "lab_query.h"
#include "search_oracle.h"
#include "support.h"
#include "verify/exact_path.h"

#define SCENE_REGIONS 2

typedef struct search_scene {
    uint64_t seed;
    oct_random random;
    oct_tree *tree;
    int dims;
    oct_box drawn;  // where something was drawn
    oct_box bounds; // of the terms, where they have some
    oct_priced_box regions[SCENE_REGIONS];
    oct_terms terms;
    exact_world world; // as the terms say
    exact_world small; // the same, bounded where UNKNOWN is free: it holds every shortest path
    bool is_inside;    // no free cell lies outside the root
    bool is_priced;
} search_scene;

// How a scene may be. Start from all false.
typedef struct scene_wish {
    bool no_prices;
    bool no_bounds;
    bool known;  // UNKNOWN is in the way
    bool sparse; // few things, so that leaves are large
} scene_wish;

// A world of `edge` cells along each axis on random terms. The struct must not move.
void search_scene_init(search_scene *s, uint64_t seed, int dims, int32_t edge, scene_wish wish);
void search_scene_free(search_scene *s);

// A world from a picture: rows from the highest y down; '.' is OPEN, '#' BLOCKED, others UNKNOWN;
// `layers` of it on each other; default terms.
void scene_draw(search_scene *s, int dims, const char *const *rows, int count, int layers);

#define SCENE_DRAW(s, dims, layers, ...)                                                           \
    scene_draw(s, dims, (const char *const[]){__VA_ARGS__},                                        \
               (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)), layers)

// A box somewhere in what was drawn, of at most so many cells along each axis.
oct_box scene_random_box(search_scene *s, int32_t longest);

// Terms, and the worlds of the judges that go with them.
void scene_set_terms(search_scene *s, oct_unknown unknown, const oct_box *bounds);

// Whether a path may pass between blocked cells that meet in a corner; at first it may not.
void scene_set_squeeze(search_scene *s, bool squeeze);

// ---- starts and goals ----

typedef struct scene_end {
    oct_point at; // metres
    oct_fine fine;
    oct_vec cell;
    bool is_blocked;   // its cell is in the way
    bool has_anchor;   // something is free
    oracle_end anchor; // where it joins the free cells: by a loop over all of them
} scene_end;

// What is known of a point. Its cell must be within the bounds.
scene_end scene_end_of(const search_scene *s, oct_point at);

// Mostly in free cells: their middles, points of the lattice in them and on their surfaces, and
// points between those of the lattice. What is known of an end in a wall takes a look at all cells.
oct_point scene_random_point(search_scene *s);
scene_end scene_random_end(search_scene *s);

oct_query scene_query(const search_scene *s, const scene_end *from, const scene_end *to);

// Every graph over a map with every algorithm: sets number i of them; false where the algorithm
// does not serve the graph, or the scene is none for it.
#define SCENE_CHOICES (OCT_LAB_GRAPH_USER * OCT_LAB_ALGORITHM_COUNT)
bool scene_choose(const search_scene *s, oct_query *query, int i);

// The database for queries of BLOCKS: of small blocks, so that small scenes have many.
const oct_distances *scene_distances(const oct_query *query);

// Whether a query is of a search that reads the map as rows of bits, which have a limit.
bool scene_has_plane(const oct_query *query);

// ---- paths ----

// Prints scene and query, and fails the test.
OCT_FORMAT(3, 4)
void scene_fail(const search_scene *s, const oct_query *query, const char *format, ...);

#define SCENE_CHECK(s, query, condition, ...)                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            scene_fail(s, query, __VA_ARGS__);                                                     \
        }                                                                                          \
    } while (0)

// Checks all that holds for a path whatever graph and algorithm it comes from: its ends (the last
// one only where it was found), that it is valid, and its measures.
void scene_check_path(const search_scene *s, const oct_query *query, const oct_path *path);

// Checks that a result without points has none.
void scene_check_no_path(const search_scene *s, const oct_query *query, const oct_path *path);

// The length of a path that was found, in cells, without ways out of and into what is blocked.
double scene_free_length(const search_scene *s, const oct_query *query, const oct_path *path);

// Whether two results are the same in every bit, arrays included.
bool scene_paths_equal(const oct_path *a, const oct_path *b);

// A copy that lives as long as the caller wants.
oct_path scene_copy_path(const oct_path *path);
void scene_free_copy(oct_path *copy);

// A planner for a scene.
oct_planner *scene_planner(const search_scene *s, const oct_allocator *allocator);

// Plans, and expects no error.
oct_path scene_plan(const search_scene *s, oct_planner *planner, const oct_query *query);

#endif
