// SPDX-License-Identifier: MIT
// What a check wants to know of a world's file beside the world: the line of everything, and each
// part that cannot be read.
//
// Readers end with the first refusal. A check forgives what is refused of one item, tells it, and
// reads on without the item. What is missing then must not be taken for a mistake of the file: a
// wire to a block that was left out leads to something.
#ifndef OCTANT_WORLD_FINDINGS_H
#define OCTANT_WORLD_FINDINGS_H

#include "files/files_internal.h"
#include "octant/world_check.h"

// Parts of a world that lack something that was refused, as bits.
enum {
    LACKS_HEAD = 1,
    LACKS_TYPES = 2,
    LACKS_GRIDS = 4,
    LACKS_BLOCKS = 8,
    LACKS_WIRES = 16,
    LACKS_GROUPS = 32
};

// So many blocks, or types, that were left out are remembered: they are looked through in a row.
#define WORLD_REFUSED_MAX 65536

struct world_findings {
    oct_allocator allocator;
    bool forgives; // else the first refusal ends the reading
    oct_problem_fn *tell;
    void *ctx;
    uint32_t refusals;
    uint32_t lacks;
    oct_array refused;                // uint64_t: ids of blocks that were left out
    oct_array refused_types;          // uint64_t: hashes of names of types
    oct_array blocks, wires, members; // uint32_t: their lines
    uint32_t start;                   // its line; 0 = there is none
    // Where lines were last counted.
    size_t at, line_start;
    uint32_t line;
};

// The line, from 1, of a byte of a text, and its column. Cheap if bytes mostly follow each other.
uint32_t oct_findings_line(world_findings *f, const char *data, size_t at, uint32_t *column);

// What was added to the world last stands in this line.
oct_result oct_findings_add(world_findings *f, oct_array *lines, uint32_t line);

// Tells a refusal; false where there were so many that reading on is of no use.
bool oct_findings_refuse(world_findings *f, uint32_t lacks, const oct_error *error);

// Whether a list of uint64_t holds one.
bool oct_findings_holds(const oct_array *keys, uint64_t key);

// Checks what was read, and tells what is wrong with it in its lines.
oct_result oct_findings_check(world_findings *f, const oct_world *world, oct_world_check_fn *check);

void oct_findings_free(world_findings *f);

#endif
