// SPDX-License-Identifier: MIT
// The database of local distances as it lies in memory, and looking things up in it.
//
// Points of a block are known by their rank: those of the boundary first, in the order of
// oct_distances_boundary_point, then those inside, as they are numbered. So what a PLAIN database
// holds is the beginning of what the other kinds hold.
//
// Packed, a block is stored as its canonical image: of the eight that mirroring and turning make of
// it the one with the lowest code. Of a pair of points only the way from the lower rank to the
// higher is stored, in that image, as the number of a way: what it costs and where it bends. Ways
// do not know their ends, so few are different. Unpacked, every code has all its ordered pairs, and
// a pair's number is its way's.
#ifndef OCTANT_GRAPH_DISTANCES_H
#define OCTANT_GRAPH_DISTANCES_H

#include "octant/distances.h"
#include "search/space.h"

#define SYMMETRIES 8
// The way that is none: what a packed database has first.
#define NO_WAY (-1.0)
// Bends of a way: five bits for each, the first lowest; 0 ends them, since point 0 is a corner.
#define BEND_BITS 5
#define BEND_MASK 31u
// What a pair's slot may say besides its number.
#define SLOT_REVERSED 0x8000u
#define SLOT_NUMBER 0x7fffu
#define SLOT_NONE 0xffffu

enum { SECTION_CODES, SECTION_ENTRIES, SECTION_DISTANCES, SECTION_BENDS, SECTION_COUNT };

// How a database begins. Sections follow in the order above, each aligned to 8, without gaps but
// for zero bytes up to the next one:
//   codes      uint32_t a code, packed only: 8 row + symmetry, which turns the block into its image
//   entries    uint16_t a row and pair, packed only: the number of a way
//   distances  double a way; NO_WAY for none
//   bends      uint32_t a way
typedef struct distances_header {
    char magic[8];
    uint32_t byte_order; // DISTANCES_BYTE_ORDER, as the machine that made it writes it
    uint32_t version;
    uint32_t edge, kind, packed, squeeze;
    uint32_t rows;  // blocks that are stored
    uint32_t pairs; // of points, that are stored of a row
    uint32_t ways;  // packed: different ones; else rows * pairs
    uint32_t zero;
    uint64_t size; // of everything, bytes
    uint64_t at[SECTION_COUNT];
    uint64_t checksum; // of every word but itself: oct_distances_checksum
} distances_header;
_Static_assert(sizeof(distances_header) == 96, "written to files");

#define DISTANCES_MAGIC "OCTDIST\n"
#define DISTANCES_BYTE_ORDER 0x01020304u
// To be raised with every change of the layout, of costs or of the choice among ways.
#define DISTANCES_VERSION 1u

struct oct_distances {
    const distances_header *header;
    const uint32_t *codes;
    const uint16_t *entries;
    const double *distances;
    const uint32_t *bends;
    uint32_t edge, points, boundary, pairs;
    uint32_t width; // unpacked: ranks that a way may end at, one after the other
    bool packed;
    uint8_t rank[OCT_DISTANCES_POINTS_MAX];  // of a point
    uint8_t point[OCT_DISTANCES_POINTS_MAX]; // of a rank
    // The point that a symmetry turns into a point.
    uint8_t back[SYMMETRIES][OCT_DISTANCES_POINTS_MAX];
    // Of the ranks of a block that a symmetry turns into its image: where the pair is stored.
    uint16_t slots[SYMMETRIES][OCT_DISTANCES_POINTS_MAX][OCT_DISTANCES_POINTS_MAX];
    void *own; // the memory where it is not borrowed, else NULL
    oct_allocator allocator;
};

// ---- looking up ----

// The number of the way between two ranks. The kind must hold the pair: its slot is not SLOT_NONE.
OCT_FORCE_INLINE size_t distances_way(const oct_distances *d, uint32_t code, uint32_t a, uint32_t b)
{
    if (d->packed) {
        const uint32_t image = d->codes[code];
        const uint32_t slot = d->slots[image % SYMMETRIES][a][b] & SLOT_NUMBER;
        return d->entries[(size_t)(image / SYMMETRIES) * d->pairs + slot];
    }
    return (size_t)code * d->pairs + (d->slots[0][a][b] & SLOT_NUMBER);
}

// The distance between boundary points i and j, in the order of oct_distances_boundary_point;
// negative where there is no way.
OCT_FORCE_INLINE double distances_boundary(const oct_distances *d, uint32_t code, uint32_t i,
                                           uint32_t j)
{
    OCT_ASSERT(i < d->boundary && j < d->boundary);
    return d->distances[distances_way(d, code, i, j)];
}

// All of them at once: out[i][j] is the distance, HUGE_COST where there is no way. Only i and j
// below 4 n are written.
void oct_distances_matrix(const oct_distances *d, uint32_t code,
                          double out[OCT_DISTANCES_BOUNDARY_MAX][OCT_DISTANCES_BOUNDARY_MAX]);

// ---- symmetries ----

// Symmetry s mirrors x where bit 0 is set, then y where bit 1 is, and then exchanges them where bit
// 2 is. What it turns the points, and the cells, of a block into.
uint32_t oct_distances_turn_point(uint32_t edge, uint32_t s, uint32_t point);
uint32_t oct_distances_turn_code(uint32_t edge, uint32_t s, uint32_t code);

// ---- layout ----

// Fills the header of a database, all but the checksum, by what it is of and, where it is packed,
// how many ways are different.
void oct_distances_lay_out(distances_header *header, const oct_distances_def *def, uint32_t ways);

// Of a whole database, `size` bytes, a multiple of 8. Every word goes through a step that is one to
// one in it and in what came before: so damage within one word is always found.
uint64_t oct_distances_checksum(const void *bytes, size_t size);

// The tables that follow from edge and kind; all else of the struct is as it was.
void oct_distances_set_up(oct_distances *d, uint32_t edge, oct_distances_kind kind, bool packed);

// ---- making ----

// The memory of a database, from the definition's allocator (which is not NULL), *size bytes.
oct_result oct_distances_make(const oct_distances_def *def, void **out, size_t *size);

// ---- what a block is crossed by ----

// The points at which the way bends, from `from` to `to`; returns how many. There must be a way.
uint32_t oct_distances_bends(const oct_distances *distances, uint32_t code, uint32_t from,
                             uint32_t to, uint8_t out[OCT_DISTANCES_BENDS_MAX]);

// The distance between two points of a block, cells; negative where there is no way inside it, or
// where the database does not say. Of a point to itself it is 0 where a free cell touches it.
// The code must be below 2^(n n), and points below (n + 1)^2.
double oct_distances_between(const oct_distances *distances, uint32_t code, uint32_t from,
                             uint32_t to);

// Boundary point i of a block, counted from point (0, 0) along y = 0, then up x = n, back along
// y = n, and down x = 0; i < 4 n.
uint32_t oct_distances_boundary_point(uint32_t edge, uint32_t i);

#endif
