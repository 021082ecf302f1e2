// SPDX-License-Identifier: MIT
// How solids are kept and found: shared by solids.c (life and edits) and solids_query.c (gaps,
// sweeps, rays).
//
// Each frame's space is cut into cells of 2.5 m, centred on multiples of it, as the blocks of a
// grid are: such a block fills one cell. Bricks of 4 x 4 x 4 cells are found by hash; a word a
// brick says which of its cells hold anything, so empty space costs one look-up for 64 cells. Homes
// that would fill too many cells are in a list of their frame instead.
#ifndef OCTANT_SOLIDS_INTERNAL_H
#define OCTANT_SOLIDS_INTERNAL_H

#include "base/hash.h"
#include "game/solids.h"
#include "geom/geom_internal.h"

#define SOLIDS_CELL 2.5
// A home that fills more cells than this is a large one.
#define SOLIDS_CELLS_MAX 512
// Cells have coordinates below this; what lies beyond is large.
#define SOLIDS_CELL_RANGE (INT32_C(1) << 22)
// Homes are shrunk by this before they are put into cells, and questions grown by twice as much:
// who only touches a cell's face is not in that cell.
#define SOLIDS_TOUCH 1e-6
// Numbers of solids are below this: the three bits above say something in an entry.
#define SOLIDS_MAX (UINT32_C(1) << 29)
#define SOLIDS_NONE UINT32_MAX

// What questions read of a solid: one cache line.
typedef struct solid {
    double min[3], max[3]; // the solid part; min[0] > max[0] where there is none
    uint32_t frame;        // NONE where the number is free
    uint32_t next;         // of the free numbers, or of the frame's large ones; NONE ends
    bool large;
} solid;
_Static_assert(sizeof(solid) == 64, "a cache line");

// One of the solids of a cell. Bit 29 + i of `solid`: the cell is the home's first along axis i.
typedef struct solids_entry {
    uint32_t solid;
    uint32_t next; // NONE ends
} solids_entry;

typedef struct solids_brick {
    int32_t at[3]; // brick coordinates: cells / 4
    uint32_t frame;
    uint64_t cells; // that hold anything, in Morton order (geom_internal.h)
} solids_brick;

// The first entry of each cell of a brick; only those of the brick's mask mean anything.
typedef struct solids_heads {
    uint32_t first[64];
} solids_heads;
_Static_assert(sizeof(solids_heads) == 4 * OCT_CACHE_LINE, "whole cache lines");

typedef struct solids_frame {
    // The first cache line is enough to pass over it.
    double min[3], max[3]; // world box of all homes; min > max while there are none
    uint32_t large;        // the first large one
    uint32_t pad[3];
    oct_point origin;
    motion_frame axes;
    // Of the homes, in its own coordinates: all of them, and those in cells.
    double all_min[3], all_max[3];
    double cells_min[3], cells_max[3];
} solids_frame;

typedef struct solids_slot {
    uint32_t tag;   // of the key's hash
    uint32_t brick; // + 1; 0 = empty
} solids_slot;

struct solids {
    oct_allocator allocator;
    oct_array frames; // solids_frame
    oct_array solids; // solid
    oct_array homes;  // oct_bounds
    oct_array entries;
    oct_array bricks;
    oct_array heads;
    solids_slot *slots;  // at most half full
    uint32_t slot_count; // a power of two, or 0
    uint32_t free_solid, free_entry;
    uint64_t revision;
    uint64_t epoch; // how often something appeared
    double drift;   // how far things have moved since then, in all
};

OCT_FORCE_INLINE const solids_frame *solids_frame_at(const solids *s, uint32_t frame)
{
    return (const solids_frame *)s->frames.items + frame;
}

OCT_FORCE_INLINE const solid *solids_at(const solids *s, uint32_t i)
{
    return (const solid *)s->solids.items + i;
}

// A vector in a frame's coordinates.
OCT_FORCE_INLINE void solids_turn_in(const solids_frame *f, oct_point world, double out[3])
{
    out[0] = point_dot(f->axes.right, world);
    out[1] = point_dot(f->axes.up, world);
    out[2] = point_dot(f->axes.back, world);
}

OCT_FORCE_INLINE uint64_t solids_hash(uint32_t frame, int32_t x, int32_t y, int32_t z)
{
    uint64_t h = ((uint64_t)(uint32_t)x << 32 | (uint32_t)y) * OCT_HASH_FACTOR;
    h ^= h >> 32;
    h += (uint64_t)(uint32_t)z << 32 | frame;
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    h ^= h >> 29;
    h *= UINT64_C(0x94d049bb133111eb);
    return h ^ h >> 32;
}

// The brick at brick coordinates, or NONE.
OCT_FORCE_INLINE uint32_t solids_find(const solids *s, uint32_t frame, int32_t x, int32_t y,
                                      int32_t z)
{
    if (s->slot_count == 0) {
        return SOLIDS_NONE;
    }
    const uint64_t hash = solids_hash(frame, x, y, z);
    const uint32_t mask = s->slot_count - 1;
    for (uint32_t i = (uint32_t)(hash >> 32) & mask; s->slots[i].brick != 0; i = (i + 1) & mask) {
        if (s->slots[i].tag == (uint32_t)hash) {
            const solids_brick *const b =
                (const solids_brick *)s->bricks.items + s->slots[i].brick - 1;
            if (b->at[0] == x && b->at[1] == y && b->at[2] == z && b->frame == frame) {
                return s->slots[i].brick - 1;
            }
        }
    }
    return SOLIDS_NONE;
}

// The cell of a place on an axis; the caller keeps it in range.
OCT_FORCE_INLINE int32_t solids_cell(double at)
{
    return axis_floor(at * (1.0 / SOLIDS_CELL) + 0.5);
}

// Cells 4 b to 4 b + 3 are in brick b, below 0 too.
OCT_FORCE_INLINE int32_t solids_brick_of(int32_t cell)
{
    return (cell - (cell & 3)) / 4;
}

// Which cells a box of a frame's coordinates touches; false for none.
typedef struct solids_range {
    int32_t lo[3], hi[3];
} solids_range;

OCT_FORCE_INLINE bool solids_range_of(const solids_frame *f, const double min[3],
                                      const double max[3], solids_range *out)
{
    for (int i = 0; i < 3; i++) {
        // The homes' own bounds keep the numbers small. What is no number touches nothing.
        const double lo = min[i] > f->cells_min[i] ? min[i] : f->cells_min[i];
        const double hi = max[i] < f->cells_max[i] ? max[i] : f->cells_max[i];
        if (!(lo <= hi)) {
            return false;
        }
        out->lo[i] = solids_cell(lo - 2.0 * SOLIDS_TOUCH);
        out->hi[i] = solids_cell(hi + 2.0 * SOLIDS_TOUCH);
    }
    return true;
}

// Calls visit(ctx, solid) for all in the cells that a range shares with a brick. Each solid of
// the range once: in the first of its cells there.
OCT_FORCE_INLINE bool solids_visit_brick(const solids *s, uint32_t brick, const solids_range *r,
                                         solids_fn *visit, void *ctx)
{
    const solids_brick *const b = (const solids_brick *)s->bricks.items + brick;
    const solids_heads *const heads = (const solids_heads *)s->heads.items + brick;
    const solids_entry *const entries = s->entries.items;
    uint64_t cells = b->cells, first[3];
    for (int i = 0; i < 3; i++) {
        const int32_t lo = r->lo[i] - 4 * b->at[i], hi = r->hi[i] - 4 * b->at[i];
        cells &= morton_slab(3, i, lo < 0 ? 0u : (uint32_t)lo, hi > 3 ? 3u : (uint32_t)hi);
        first[i] = lo < 0 ? 0 : morton_slab(3, i, (uint32_t)lo, (uint32_t)lo);
    }
    for (; cells; cells &= cells - 1) {
        const uint32_t cell = oct_lowest_bit(cells);
        const uint32_t at_first = (uint32_t)(first[0] >> cell & 1) |
                                  (uint32_t)(first[1] >> cell & 1) << 1 |
                                  (uint32_t)(first[2] >> cell & 1) << 2;
        for (uint32_t e = heads->first[cell]; e != SOLIDS_NONE; e = entries[e].next) {
            if ((entries[e].solid >> 29 | at_first) == 7u &&
                !visit(ctx, entries[e].solid & (SOLIDS_MAX - 1))) {
                return false;
            }
        }
    }
    return true;
}

// The same for every cell of the range.
OCT_FORCE_INLINE bool solids_visit_range(const solids *s, uint32_t frame, const solids_range *r,
                                         solids_fn *visit, void *ctx)
{
    int32_t lo[3], hi[3];
    for (int i = 0; i < 3; i++) {
        lo[i] = solids_brick_of(r->lo[i]);
        hi[i] = solids_brick_of(r->hi[i]);
    }
    for (int32_t z = lo[2]; z <= hi[2]; z++) {
        for (int32_t y = lo[1]; y <= hi[1]; y++) {
            for (int32_t x = lo[0]; x <= hi[0]; x++) {
                const uint32_t brick = solids_find(s, frame, x, y, z);
                if (brick != SOLIDS_NONE && !solids_visit_brick(s, brick, r, visit, ctx)) {
                    return false;
                }
            }
        }
    }
    return true;
}

// The frame's large ones, whatever they touch.
OCT_FORCE_INLINE bool solids_visit_large(const solids *s, const solids_frame *f, solids_fn *visit,
                                         void *ctx)
{
    for (uint32_t i = f->large; i != SOLIDS_NONE; i = solids_at(s, i)->next) {
        if (!visit(ctx, i)) {
            return false;
        }
    }
    return true;
}

#endif
