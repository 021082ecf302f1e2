// SPDX-License-Identifier: MIT
// What the tests of Block A* share: databases of every size and kind, and worlds of single cells.
#ifndef OCTANT_TESTS_BLOCK_SUPPORT_H
#define OCTANT_TESTS_BLOCK_SUPPORT_H

#include "octant/tree.h"
#include "search_scene.h"

// ---- databases ----

// One for each size and kind, and one for each size that squeezes.
static oct_distances *databases[OCT_DISTANCES_EDGE_MAX + 1][OCT_DISTANCES_KIND_COUNT];
static oct_distances *squeezers[OCT_DISTANCES_EDGE_MAX + 1];

static inline oct_distances *make_database(uint32_t edge, oct_distances_kind kind, bool squeeze)
{
    oct_distances_def def = oct_distances_def_default();
    oct_distances *made;
    def.edge = edge;
    def.kind = kind;
    def.squeeze = squeeze;
    assert_int_equal(oct_distances_create(&def, &made), OCT_OK);
    return made;
}

static inline int make_databases(void **state)
{
    (void)state;
    for (uint32_t edge = OCT_DISTANCES_EDGE_MIN; edge <= OCT_DISTANCES_EDGE_MAX; edge++) {
        for (int kind = 0; kind < OCT_DISTANCES_KIND_COUNT; kind++) {
            databases[edge][kind] = make_database(edge, (oct_distances_kind)kind, false);
        }
        squeezers[edge] = make_database(edge, OCT_DISTANCES_PLAIN, true);
    }
    return 0;
}

static inline int free_databases(void **state)
{
    (void)state;
    for (uint32_t edge = OCT_DISTANCES_EDGE_MIN; edge <= OCT_DISTANCES_EDGE_MAX; edge++) {
        for (int kind = 0; kind < OCT_DISTANCES_KIND_COUNT; kind++) {
            oct_distances_destroy(databases[edge][kind]);
        }
        oct_distances_destroy(squeezers[edge]);
    }
    return 0;
}

static inline void use_blocks(oct_query *q, const oct_distances *distances)
{
    LAB_SET(q, graph, OCT_LAB_GRAPH_BLOCKS);
    LAB_SET(q, algorithm, OCT_LAB_BLOCK);
    LAB_SET(q, distances, distances);
}

static inline const oct_distances *random_database(oct_random *random)
{
    const int32_t edge = oct_random_range(random, OCT_DISTANCES_EDGE_MIN, OCT_DISTANCES_EDGE_MAX);
    return databases[edge][oct_random_below(random, OCT_DISTANCES_KIND_COUNT)];
}

// ---- worlds ----

// Single cells that are in the way, 20 to 50 of 100, on random terms.
static inline void dense_scene(search_scene *s, uint64_t seed, int32_t edge, scene_wish wish)
{
    wish.no_prices = true;
    search_scene_init(s, seed, 2, edge, wish);
    const uint64_t blocked = 20 + oct_random_below(&s->random, 31);
    for (int32_t y = s->drawn.min.y; y < s->drawn.max.y; y++) {
        for (int32_t x = s->drawn.min.x; x < s->drawn.max.x; x++) {
            const uint64_t one = oct_random_below(&s->random, 100);
            assert_int_equal(oct_tree_set(s->tree, (oct_cell){x, y, 0, 0},
                                          one < blocked ? OCT_MARK_BLOCKED
                                          : one < 95    ? OCT_MARK_OPEN
                                                        : OCT_MARK_UNKNOWN),
                             OCT_OK);
        }
    }
}

// Ends as scenes have them, or on a point of the lattice, or on an edge of a cell.
static inline scene_end random_end(search_scene *s)
{
    for (;;) {
        const scene_end end = scene_random_end(s);
        const uint64_t kind = oct_random_below(&s->random, 4);
        if (kind == 0) {
            return end;
        }
        const int64_t off = kind == 1 ? 0 : (int64_t)oct_random_below(&s->random, OCT_FINE);
        const oct_fine fine = {(int64_t)end.cell.x * OCT_FINE + (kind == 2 ? off : 0),
                               (int64_t)end.cell.y * OCT_FINE + (kind == 3 ? off : 0), 0};
        const oct_point at = oct_tree_point(s->tree, fine);
        oct_vec cell;
        // Rounding must not put it beyond the bounds.
        if (oct_tree_cell_at(s->tree, at, &cell) && cell.x == end.cell.x && cell.y == end.cell.y) {
            return scene_end_of(s, at);
        }
    }
}

#endif
