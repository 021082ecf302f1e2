// SPDX-License-Identifier: MIT
// The memory of a test: one budget, and who took how much of it.
#include "octant/map.h"
#include "play/play_internal.h"

#include <stdio.h>

void oct_play_open_memory(play *p)
{
    const uint64_t own = p->options->memory > 0 ? p->options->memory : p->test->memory;
    oct_budget_init(&p->budget, own > 0 && own < SIZE_MAX ? (size_t)own : SIZE_MAX, &p->allocator);
    for (int i = 0; i < PART_COUNT; i++) {
        oct_budget_init(&p->parts[i], SIZE_MAX, &p->budget.allocator);
    }
}

// "1 GB", "250 MB", "1.5 GB": whole numbers, whatever a locale makes of fractions.
static const char *write_bytes(size_t bytes, char *out, size_t size)
{
    const size_t tenths = bytes / 100000000u;
    if (tenths < 10) {
        (void)snprintf(out, size, "%zu MB", (bytes + 999999u) / 1000000u);
    } else if (tenths % 10 == 0) {
        (void)snprintf(out, size, "%zu GB", tenths / 10);
    } else {
        (void)snprintf(out, size, "%zu.%zu GB", tenths / 10, tenths % 10);
    }
    return out;
}

// A ball of r cells cuts 1.5 * 4 pi r^2 / 16 bricks, if it is large, of 16 bytes, and blocks above
// them of two thirds of that: 31 r^2 bytes. Some less are certain.
#define SEEN_BYTES 24.0

void oct_play_check_view(play *p, const oct_agent_def *def)
{
    const oct_game_info *const info = oct_game_describe(p->game);
    const double cells = info->view / def->belief.cell;
    const double least = SEEN_BYTES * cells * cells;
    char limit[24];
    if (info->sight != OCT_SIGHT_THROUGH || least <= (double)p->budget.limit) {
        return;
    }
    oct_play_fail(p,
                  "more than %s: a map of all that is nearer than %g m has a surface of more than "
                  "%.0f million cells of %g m; a larger cell or a smaller view needs less",
                  write_bytes(p->budget.limit, limit, sizeof limit), info->view,
                  12.0 * cells * cells / 1e6, def->belief.cell);
}

// Cells and things of all maps, without what agents need to plan by them.
static size_t bytes_of_maps(const play *p)
{
    size_t bytes = 0;
    for (size_t i = 0; i < p->agents.count; i++) {
        const oct_map_bytes own =
            oct_map_measure(oct_belief_map(oct_agent_belief(play_agents(p)[i])));
        bytes += own.cells + own.things;
    }
    return bytes;
}

bool oct_play_outgrew(play *p)
{
    char limit[24], asked[24], parts[PART_COUNT][24], maps[24];
    if (p->budget.refused == 0) {
        return false;
    }
    for (int i = 0; i < PART_COUNT; i++) {
        write_bytes(p->parts[i].peak, parts[i], sizeof parts[i]);
    }
    oct_play_fail(p,
                  "more than %s: %s were asked for beside %s of the agents (%s in their maps), %s "
                  "of the game and %s of the world; a larger cell or a smaller view needs less, "
                  "memory = %zu (megabytes) allows more",
                  write_bytes(p->budget.limit, limit, sizeof limit),
                  write_bytes(p->budget.refused, asked, sizeof asked), parts[PART_AGENTS],
                  write_bytes(bytes_of_maps(p), maps, sizeof maps), parts[PART_GAME],
                  parts[PART_WORLD], p->budget.limit / 500000u);
    return true;
}
