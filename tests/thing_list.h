// SPDX-License-Identifier: MIT
// An index of things beside a plain list of the same things, whose answers cannot be wrong: it is
// looked through from end to end.
#ifndef OCTANT_TESTS_THING_LIST_H
#define OCTANT_TESTS_THING_LIST_H

#include "map/things.h"
#include "support.h"

#define LIST_MAX 4000

typedef struct list_thing {
    oct_thing thing;
    oct_box cells;
} list_thing;

typedef struct thing_list {
    thing_index index;
    uint64_t seed;
    oct_random random;
    list_thing list[LIST_MAX];
    size_t count;
    uint64_t next_id;
} thing_list;

// Nothing is in either; free the index in the end.
void list_init(thing_list *m, uint64_t seed, const lattice *l, const oct_allocator *may_be_null);

// What oct_lattice_cover promises, by floor and ceiling.
bool list_cover(const lattice *l, const oct_bounds *box, oct_box *cells);

// ---- random boxes ----

// Lengths of all sizes up to 2^levels, in cells; half of them are whole numbers.
double list_random_length(oct_random *random, uint64_t levels);

// A box for a thing, anywhere, often near the origin and the ends of the lattice: it may leave the
// lattice, or lie inside.
oct_bounds list_random_bounds(oct_random *random, const lattice *l, uint64_t levels);
oct_bounds list_random_bounds_inside(oct_random *random, const lattice *l, uint64_t levels);

// Boxes of cells for questions: empty ones, all sizes, around things, and beyond the lattice.
oct_box list_random_cells(thing_list *m);

// ---- edits of both ----

void list_add(thing_list *m, oct_bounds box);
void list_remove(thing_list *m, size_t i);
void list_move(thing_list *m, size_t i, oct_bounds box);

// Adds, moves or removes one thing at random; adds with a chance of `growth` in eight.
void list_edit(thing_list *m, uint64_t growth, uint64_t levels);

// ---- checks ----

typedef struct list_found {
    const thing_list *from;
    uint64_t ids[LIST_MAX]; // in the order of visits
    size_t count;
    size_t stop_at;
} list_found;

// Asks the index; the visit number `stop_at`, from 0, says that it is the last.
bool list_ask(const thing_list *m, const oct_box *box, size_t stop_at, list_found *f);

// Fails the test unless the index finds the same things as the list, each once.
void list_check_question(const thing_list *m, const oct_box *box);

// Fails the test unless the index is valid and holds the same things as the list.
void list_check(const thing_list *m);

#endif
