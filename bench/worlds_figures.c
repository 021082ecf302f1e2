// SPDX-License-Identifier: MIT
// Tables 1 and 2 of Hoekzema 2024, and what its Java code took when it was run again on the same
// worlds, on two cores and with another virtual machine, as it is and with a binary heap for its
// queue (docs/lab/worlds-explored.md). Where it prints megabytes they are taken for millions of
// bytes.
#include "bench/worlds_internal.h"

#define TREE BENCH_OCTREE
#define GRID BENCH_GRID
#define SET BENCH_SET

static const worlds_figure figures[] = {
    // Table 1. What was run again had all of the world known from its middle, radius 100.
    {1, TREE, "cells_bytes", 0, 4.97e6, {0, 0}, {0, 0}},
    {1, GRID, "cells_bytes", 0, 19.02e6, {0, 0}, {0, 0}},
    {1, SET, "cells_bytes", 0, 2.26e6, {0, 0}, {0, 0}},
    {2, TREE, "cells_bytes", 0, 2.90e6, {0, 0}, {0, 0}},
    {2, GRID, "cells_bytes", 0, 16.81e6, {0, 0}, {0, 0}},
    {2, SET, "cells_bytes", 0, 1.37e6, {0, 0}, {0, 0}},
    {3, TREE, "cells_bytes", 0, 88.90e6, {98.7e6, 98.7e6}, {0, 0}},
    {3, GRID, "cells_bytes", 0, 309.23e6, {765e6, 765e6}, {0, 0}},
    {3, SET, "cells_bytes", 0, 77.26e6, {121.6e6, 121.6e6}, {0, 0}},
    {4, TREE, "cells_bytes", 0, 107.15e6, {113e6, 113e6}, {0, 0}},
    {4, GRID, "cells_bytes", 0, 310.48e6, {0, 0}, {0, 0}},
    {4, SET, "cells_bytes", 0, 102.43e6, {164e6, 164e6}, {0, 0}},
    // Section 6.4: nodes of the octree, and grids of 253 x 272 x 217 and 254 x 273 x 216 voxels.
    {3, TREE, "nodes", 0, 1.27e6, {0, 0}, {0, 0}},
    {3, GRID, "nodes", 0, 253.0 * 272.0 * 217.0, {0, 0}, {0, 0}},
    {4, TREE, "nodes", 0, 1.53e6, {0, 0}, {0, 0}},
    {4, GRID, "nodes", 0, 254.0 * 273.0 * 216.0, {0, 0}, {0, 0}},
    // Table 2. Paths: mean of a test; run again: from the start to the button.
    {1, TREE, "path_ms", 0, 16.5, {0, 0}, {0, 0}},
    {1, GRID, "path_ms", 0, 22.7, {0, 0}, {0, 0}},
    {1, SET, "path_ms", 0, 26.9, {0, 0}, {0, 0}},
    {2, TREE, "path_ms", 0, 16.0, {0, 0}, {0, 0}},
    {2, GRID, "path_ms", 0, 11.2, {0, 0}, {0, 0}},
    {2, SET, "path_ms", 0, 14.5, {0, 0}, {0, 0}},
    {3, TREE, "path_ms", 0, 400.0, {7.2e3, 15.3e3}, {1.1e3, 2.7e3}},
    {3, GRID, "path_ms", 0, 410.7e3, {279.9e3, 279.9e3}, {4.2e3, 4.2e3}},
    {3, SET, "path_ms", 0, 293.6e3, {0, 0}, {5.5e3, 5.5e3}},
    {4, TREE, "path_ms", 0, 1.3e3, {31.9e3, 38.2e3}, {3.4e3, 8.0e3}},
    {4, GRID, "path_ms", 0, 691.2e3, {0, 0}, {0, 0}},
    {4, SET, "path_ms", 0, 564.3e3, {0, 0}, {0, 0}},
    {3, TREE, "none_ms", 0, 0, {307e3, 307e3}, {0, 0}},
    {1, TREE, "neighbours_us", 0, 6.5, {0, 0}, {0, 0}},
    {1, GRID, "neighbours_us", 0, 1.1, {0, 0}, {0, 0}},
    {1, SET, "neighbours_us", 0, 0.6, {0, 0}, {0, 0}},
    {2, TREE, "neighbours_us", 0, 18.9, {0, 0}, {0, 0}},
    {2, GRID, "neighbours_us", 0, 1.1, {0, 0}, {0, 0}},
    {2, SET, "neighbours_us", 0, 1.6, {0, 0}, {0, 0}},
    {3, TREE, "neighbours_us", 0, 24.3, {0, 0}, {0, 0}},
    {3, GRID, "neighbours_us", 0, 5.7, {0, 0}, {0, 0}},
    {3, SET, "neighbours_us", 0, 12.0, {0, 0}, {0, 0}},
    {4, TREE, "neighbours_us", 0, 34.6, {0, 0}, {0, 0}},
    {4, GRID, "neighbours_us", 0, 7.8, {0, 0}, {0, 0}},
    {4, SET, "neighbours_us", 0, 19.8, {0, 0}, {0, 0}},
    {1, TREE, "init_ms", 0, 1.0, {0, 0}, {0, 0}},
    {1, GRID, "init_ms", 0, 44.9, {0, 0}, {0, 0}},
    {2, TREE, "init_ms", 0, 1.0, {0, 0}, {0, 0}},
    {2, GRID, "init_ms", 0, 23.9, {0, 0}, {0, 0}},
    {3, TREE, "init_ms", 0, 4.0, {0, 0}, {0, 0}},
    {3, GRID, "init_ms", 0, 1911.4, {4.7e3, 12.6e3}, {0, 0}},
    {4, TREE, "init_ms", 0, 2.0, {0, 0}, {0, 0}},
    {4, GRID, "init_ms", 0, 2044.1, {0, 0}, {0, 0}},
    {1, TREE, "add_us", 0, 312.3, {0, 0}, {0, 0}},
    {1, GRID, "add_us", 0, 141.0, {0, 0}, {0, 0}},
    {1, SET, "add_us", 0, 253.1, {0, 0}, {0, 0}},
    {2, TREE, "add_us", 0, 234.7, {0, 0}, {0, 0}},
    {2, GRID, "add_us", 0, 344.7, {0, 0}, {0, 0}},
    {2, SET, "add_us", 0, 270.0, {0, 0}, {0, 0}},
    {3, TREE, "add_us", 0, 417.7, {0, 0}, {0, 0}},
    {3, GRID, "add_us", 0, 492.1, {0, 0}, {0, 0}},
    {3, SET, "add_us", 0, 2498.5, {0, 0}, {0, 0}},
    {4, TREE, "add_us", 0, 2.9e3, {0, 0}, {0, 0}},
    {4, GRID, "add_us", 0, 4.4e3, {0, 0}, {0, 0}},
    {4, SET, "add_us", 0, 32.8e3, {0, 0}, {0, 0}},
    {3, TREE, "see_all_ms", 0, 0, {0.82e3, 1.9e3}, {0, 0}},
    {3, GRID, "see_all_ms", 0, 0, {1.2e3, 1.5e3}, {0, 0}},
    {3, SET, "see_all_ms", 0, 0, {3.7e3, 6.8e3}, {0, 0}},
    {4, TREE, "see_all_ms", 0, 0, {0.9e3, 2.5e3}, {0, 0}},
    {4, SET, "see_all_ms", 0, 0, {5.6e3, 7.2e3}, {0, 0}},
    {1, TREE, "expand_us", 0, 1.0e3, {0, 0}, {0, 0}},
    {1, GRID, "expand_us", 0, 2.5e3, {0, 0}, {0, 0}},
    {2, TREE, "expand_us", 0, 1.0e3, {0, 0}, {0, 0}},
    {2, GRID, "expand_us", 0, 3.2e3, {0, 0}, {0, 0}},
    {3, TREE, "expand_us", 0, 1.0e3, {0, 0}, {0, 0}},
    {3, GRID, "expand_us", 0, 63.8e3, {0, 0}, {0, 0}},
    {4, TREE, "expand_us", 0, 1.3e3, {0, 0}, {0, 0}},
    {4, GRID, "expand_us", 0, 76.0e3, {0, 0}, {0, 0}},
    // Table 2, one explore call; in test 1 the mean of a test.
    {1, TREE, "explore_ms", 20, 21.4, {0, 0}, {0, 0}},
    {1, GRID, "explore_ms", 20, 24.9, {0, 0}, {0, 0}},
    {3, TREE, "explore_ms", 10, 2.0, {0.2, 10}, {0, 0}},
    {3, TREE, "explore_ms", 20, 4.0, {0.2, 18}, {0, 0}},
    {3, TREE, "explore_ms", 30, 15.0, {5, 43}, {0, 0}},
    {3, TREE, "explore_ms", 40, 8.0, {19, 50}, {0, 0}},
    {3, TREE, "explore_ms", 50, 66.0, {76, 109}, {0, 0}},
    {3, TREE, "explore_ms", 60, 18.9, {15, 99}, {0, 0}},
    {3, TREE, "explore_ms", 70, 3974.2, {10e3, 10e3}, {0, 0}},
    {3, GRID, "explore_ms", 10, 0.9e3, {0, 0}, {0.42e3, 0.42e3}},
    {3, GRID, "explore_ms", 20, 35.6e3, {0, 0}, {1.8e3, 1.8e3}},
    {3, GRID, "explore_ms", 30, 543.6e3, {0, 0}, {11.3e3, 11.3e3}},
    {3, GRID, "explore_ms", 40, 1889.8e3, {0, 0}, {27.5e3, 27.5e3}},
    {3, GRID, "explore_ms", 50, 9561.4e3, {0, 0}, {65e3, 65e3}},
    {3, GRID, "explore_ms", 60, 15919.2e3, {0, 0}, {0, 0}},
    {3, GRID, "explore_ms", 70, 28395.2e3, {0, 0}, {0, 0}},
    {4, TREE, "explore_ms", 10, 13.0, {2.3, 2.3}, {0, 0}},
    {4, TREE, "explore_ms", 20, 81.8, {24, 24}, {0, 0}},
    {4, TREE, "explore_ms", 30, 698.1, {125, 125}, {0, 0}},
    {4, TREE, "explore_ms", 40, 2074.3, {1.6e3, 1.6e3}, {0, 0}},
    {4, TREE, "explore_ms", 50, 2005.6, {6.5e3, 6.5e3}, {0, 0}},
    {4, TREE, "explore_ms", 60, 10234.8, {0, 0}, {0, 0}},
    {4, TREE, "explore_ms", 70, 56182.5, {0, 0}, {0, 0}},
    {4, GRID, "explore_ms", 10, 0.5e3, {0, 0}, {0, 0}},
    {4, GRID, "explore_ms", 20, 12.8e3, {0, 0}, {0, 0}},
    {4, GRID, "explore_ms", 30, 222.3e3, {0, 0}, {0, 0}},
    {4, GRID, "explore_ms", 40, 1075.0e3, {0, 0}, {0, 0}},
    {4, GRID, "explore_ms", 50, 3620.2e3, {0, 0}, {0, 0}},
    {4, GRID, "explore_ms", 60, 14457.4e3, {0, 0}, {0, 0}},
    {4, GRID, "explore_ms", 70, 30144.5e3, {0, 0}, {0, 0}},
};

const worlds_figure *oct_worlds_figure(int test, bench_structure structure, const char *metric,
                                       double radius)
{
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        const worlds_figure *const f = &figures[i];
        if (f->test == test && f->structure == structure && strcmp(f->metric, metric) == 0 &&
            (f->radius == 0.0 || f->radius == radius)) {
            return f;
        }
    }
    return NULL;
}
