// SPDX-License-Identifier: MIT
// What a run leaves behind: times, and the first agent's map.
#include "agent/agent_internal.h"
#include "agent/belief_internal.h"
#include "octant/tree.h"
#include "play/play_internal.h"

// The cells of the world's extent, or of what is known where there is no world.
static bool extent_of(const play *p, const oct_agent *agent, oct_box *out)
{
    const oct_belief *const belief = oct_agent_belief(agent);
    const oct_map *const map = oct_belief_map(belief);
    const oct_bounds extent = p->world ? oct_world_extent(p->world) : oct_belief_extent(belief);
    oct_vec lo, hi;
    if (!oct_tree_cell_at(oct_map_tree(map), extent.min, &lo) ||
        !oct_tree_cell_at(oct_map_tree(map), extent.max, &hi)) {
        return false;
    }
    *out = (oct_box){lo, {hi.x + 1, hi.y + 1, hi.z + 1}};
    return true;
}

// Everything where nothing is left to look at. Else what was seen of it, with all that is not known
// within the extent counted as if it could be reached: never too much.
static oct_result measure_map(const play *p, const oct_agent *agent, oct_play_result *out)
{
    const oct_belief *const belief = oct_agent_belief(agent);
    oct_box box;
    out->cell = oct_tree_cell_size(oct_map_tree(oct_belief_map(belief)));
    if (!extent_of(p, agent, &box)) {
        return OCT_OK;
    }
    // A world may be too large to be counted. That takes nothing from the verdict.
    uint64_t counts[3];
    if (oct_tree_count(oct_map_tree(oct_belief_map(belief)), box, counts) != OCT_OK) {
        return OCT_OK;
    }
    out->unknown = counts[OCT_UNKNOWN];
    out->open = counts[OCT_OPEN];
    out->blocked = counts[OCT_BLOCKED];
    oct_remains left;
    const oct_result result = oct_agent_remains(agent, &left);
    if (result != OCT_OK) {
        return result == OCT_ERROR_MEMORY ? result : OCT_OK;
    }
    const bool is_all = left.frontier == 0 && left.hidden == 0 && left.beyond == 0;
    const uint64_t all = left.open + out->unknown;
    out->explored = is_all ? 1.0 : all > 0 ? (double)left.open / (double)all : 0.0;
    return OCT_OK;
}

oct_result oct_play_measure(const play *p, oct_play_result *out)
{
    out->agents = (uint32_t)p->agents.count;
    out->times = p->times;
    out->turns = p->turns;
    out->ticks = p->ticks;
    if (p->agents.count == 0) {
        return OCT_OK;
    }
    const oct_agent *const first = play_agents(p)[0];
    const oct_belief *const belief = oct_agent_belief(first);
    out->hash = oct_game_hash(p->game);
    out->sight = oct_belief_info(belief)->sight;
    out->view = oct_belief_info(belief)->view;
    out->rate = oct_belief_info(belief)->rate;
    return measure_map(p, first, out);
}
