// SPDX-License-Identifier: MIT
// Paths to be pulled taut, for the tests: made from points or by planners, and all that holds for
// every one that was pulled.
#ifndef OCTANT_TESTS_TAUT_STRING_H
#define OCTANT_TESTS_TAUT_STRING_H

#include "search/taut.h"
#include "search_scene.h"

#define TAUT_PATH_MAX 256

typedef struct taut_string {
    size_t count;
    spot places[TAUT_PATH_MAX];
} taut_string;

#define TAUT_CHECK(s, condition, ...)                                                              \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            print_error("seed %llu: ", (unsigned long long)(s)->seed);                             \
            print_error(__VA_ARGS__);                                                              \
            fail();                                                                                \
        }                                                                                          \
    } while (0)

view taut_view(const search_scene *s);

// The cost of a leg, of a row of places; the length of a path, cells.
double taut_cost_between(const view *v, oct_fine a, oct_fine b);
double taut_cost_of(const view *v, const spot *places, size_t count);
double taut_length_of(const taut_string *path);

// The places of points: of each the part that is seen from one of the point before, so that the
// last is reached.
bool taut_string_of(const view *v, const oct_fine *points, size_t count, taut_string *out);

// A planner's path, where it has one that never leaves what is free.
bool taut_planned(const search_scene *s, const view *v, oct_planner *planner,
                  const oct_query *query, taut_string *out);

bool taut_same_spots(const spot *a, const spot *b, size_t count);

// Pulls a path and checks all that holds whatever it was: ends, cost, validity, that no vertex can
// be left out, and that a second pull changes nothing.
void taut_pull_and_check(const search_scene *s, const view *v, taut *t, taut_string *path);

// Checks by small steps that no vertex gains by sliding along a lattice line that it is on.
void taut_check_no_slides(const search_scene *s, const view *v, const taut_string *path);

// A world of cells that are OPEN, with boxes that are BLOCKED.
void taut_make_world(search_scene *s, int dims, int32_t edge, const oct_box *boxes, int count);

// Uniform on the sub-lattice between two lattice planes.
int64_t taut_random_fine(oct_random *random, int32_t lo, int32_t hi);

#endif
