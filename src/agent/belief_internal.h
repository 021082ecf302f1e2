// SPDX-License-Identifier: MIT
// What agents ask of a belief, and what they tell it.
#ifndef OCTANT_BELIEF_INTERNAL_H
#define OCTANT_BELIEF_INTERNAL_H

#include "agent/navigator.h"
#include "octant/belief.h"

// How many of a game's units are a metre; 1 where a game says nothing that makes sense.
static inline double belief_metre(const oct_game_info *info)
{
    return info->metre > 0.0 ? info->metre : 1.0;
}

// From now on tells a navigator, which is borrowed, of all that its map takes in.
void oct_belief_guide(oct_belief *belief, const navigator *n);

// Whether the last look showed something that drifts. In the map such a whole has the room that it
// needs for the next seconds, BLOCKED, ahead and astern.
bool oct_belief_drifts(const oct_belief *belief);

// Observes oneself alone, and hears of what others have pressed: nothing else changes.
oct_result oct_belief_feel(oct_belief *belief, oct_game *game, uint32_t who);

// Takes over what somebody else has seen, or seen to have gone, where that is newer than what is
// believed, or about something not known. `name` of the entity is copied.
oct_result oct_belief_hear(oct_belief *belief, const oct_known *told);

// Notes that a button was pressed at the tick of the last look. The map's doors follow.
oct_result oct_belief_press(oct_belief *belief, oct_button button);

// Notes what was done at the tick of the last look, and what came of it; presses too.
oct_result oct_belief_act(oct_belief *belief, uint32_t who, const oct_action *action, oct_act came);

// The box of all entities that were seen, and of oneself.
oct_bounds oct_belief_extent(const oct_belief *belief);

// The cells that sight is decided in, and what was in sight is kept in.
const oct_tree *oct_belief_sights(const oct_belief *belief);

// Whether finer cells are called for: something that is turned was seen, and whole cells do not fit
// into passages that lie across them.
bool oct_belief_wants_finer(const oct_belief *belief);
// Halves the cells of the map. Whoever follows it has to begin anew.
oct_result oct_belief_refine(oct_belief *belief);

// All that the game told at the last look; what it points to is gone with the game's next call.
const oct_observation *oct_belief_told(const oct_belief *belief);

// What was new to the map in the last look.
oct_seen oct_belief_seen(const oct_belief *belief);

uint64_t oct_belief_looks(const oct_belief *belief);

// How many news there were so far, all looks together.
uint64_t oct_belief_changes(const oct_belief *belief);

// Rises whenever something that was in the way may no longer be: an entity changed, moved or has
// gone, a door may be open. While it is the same, a place that could not be reached whatever the
// unknown is still cannot.
uint64_t oct_belief_openings(const oct_belief *belief);

// What was told and done, by all agents of the game; NULL where it is not kept.
const oct_history *oct_belief_history(const oct_belief *belief);

// The first of a name that has not gone.
bool oct_belief_find_name(const oct_belief *belief, const char *name, uint32_t *index);

// How a door is as it was seen: MOVING between shut and open.
oct_door_state oct_entity_door(const oct_entity *door);

// Whether it is a hazard that a body could fly into, which is BLOCKED in the map all the same. One
// that is told to do no harm is not.
bool oct_entity_is_shunned(const oct_entity *entity);

// Indices of what changed in the last look, or was heard since: new, changed, moved, gone. The
// belief's, until the next.
const uint32_t *oct_belief_news(const oct_belief *belief, size_t *count);

// Its name, or where it has none its type's name and id, as snprintf writes.
size_t oct_belief_name(const oct_belief *belief, const oct_known *known, char *out, size_t size);

#endif
