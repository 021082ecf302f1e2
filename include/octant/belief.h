// SPDX-License-Identifier: MIT
/// \file
/// Belief: what an agent takes the world to be, from what it has seen so far.
///
/// Observations are merged: each entity is kept as it was last seen, with when that was and how it
/// was before it last changed. One that should be seen where it was, and is not, has gone; one that
/// is merely out of sight stays as it was. The map follows, each entity being a thing by its id.
///
/// Presses are noted too. What a button toggles is learned (octant/links.h): a door whose state no
/// longer is certain becomes UNKNOWN in the map, so that exploring goes and looks; one whose state
/// follows from what was learned is taken for OPEN or BLOCKED before it is seen again.
///
/// Threading: a belief belongs to one thread.
#ifndef OCTANT_BELIEF_H
#define OCTANT_BELIEF_H

#include "octant/game.h"
#include "octant/links.h"

typedef struct oct_belief oct_belief;
typedef struct oct_history oct_history;

/// How to create a belief. Start from oct_belief_def_default().
typedef struct oct_belief_def {
    const oct_game_info *info;   ///< of the game; copied but for what it points to; must be there
    const oct_player_body *body; ///< of the player; copied; NULL = as by default
    double cell;                 ///< of the map, in units; 0 (default) = oct_belief_cell
    bool walks;                  ///< it goes on foot alone, whatever the body could do
    bool is_upright; ///< the body never turns over: beside it things grow by its width alone
    double padding;  ///< of the map, metres; 0 (default) = whole cells that hold the body's ball
    uint64_t settle; ///< ticks, see oct_links_def; 0 (default) = 2 s and a door's time
    oct_history *history;           ///< of all agents of a game; NULL (default) = of its own
    const oct_executor *executor;   ///< of the map; NULL = the calling thread
    const oct_allocator *allocator; ///< copied; NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_belief_def;

OCT_API oct_belief_def oct_belief_def_default(void);

/// The cells that suit a body, in the game's units: 319/1024 m for one of 1.8 m, smaller ones for
/// smaller bodies, so that passages some 0.4 m wider than the body stay open in the map.
OCT_API double oct_belief_cell(const oct_game_info *info, const oct_player_body *body);
OCT_API oct_result oct_belief_create(const oct_belief_def *def, oct_belief **out);
OCT_API void oct_belief_destroy(oct_belief *belief);

/// An entity as it is believed to be.
typedef struct oct_known {
    oct_entity now;    ///< as last seen; what it points to is the belief's
    oct_entity before; ///< as it was before it last changed; where `changes` > 0
    uint64_t first;    ///< ticks: when it was first seen,
    uint64_t last;     ///< and last,
    uint64_t changed;  ///< and when the last change was noticed
    uint32_t changes;  ///< how often it was seen changed, moved or gone
    bool in_sight;     ///< seen in the last look
    bool gone;         ///< would be seen where it was, and is not there
} oct_known;

/// One look: the game tells what is in range, the map of the belief decides what of it is in sight
/// (with the rule and the radius of the game) and takes it in, and entities that are seen are
/// merged. On failure the belief may have merged a part.
OCT_API oct_result oct_belief_observe(oct_belief *belief, oct_game *game, uint32_t who);

/// Events that are kept, the last ones; texts longer than OCT_BELIEF_TEXT_MAX bytes are cut.
#define OCT_BELIEF_EVENTS_MAX 1024
#define OCT_BELIEF_TEXT_MAX 4096
/// How many events looks have told in this life, and one of them, from 0 on; texts are the
/// belief's, until the next look. False for one that is to come or was forgotten.
OCT_API uint64_t oct_belief_events(const oct_belief *belief);
OCT_API bool oct_belief_event(const oct_belief *belief, uint64_t index, oct_event *out);
/// Whether the game had ended at the last look.
OCT_API oct_over oct_belief_over(const oct_belief *belief);

/// Oneself, as of the last look.
OCT_API const oct_self *oct_belief_self(const oct_belief *belief);
/// The map that looks go into. Doors in it are as they are believed to be.
OCT_API const oct_map *oct_belief_map(const oct_belief *belief);
OCT_API const oct_links *oct_belief_links(const oct_belief *belief);
OCT_API const oct_game_info *oct_belief_info(const oct_belief *belief);
OCT_API const oct_player_body *oct_belief_body(const oct_belief *belief);
/// Entities by index, in the order of first sight; those that have gone too.
OCT_API uint32_t oct_belief_count(const oct_belief *belief);
OCT_API const oct_known *oct_belief_get(const oct_belief *belief, uint32_t index);
OCT_API bool oct_belief_find(const oct_belief *belief, uint64_t id, uint32_t *index);
/// The same by id; the id alone where it is not known.
OCT_API size_t oct_belief_name_of(const oct_belief *belief, uint64_t id, char *out, size_t size);

#endif
