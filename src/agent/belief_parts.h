// SPDX-License-Identifier: MIT
// A belief's insides, shared by the files that keep it, that take looks in, and that answer.
#ifndef OCTANT_BELIEF_PARTS_H
#define OCTANT_BELIEF_PARTS_H

#include "agent/belief_internal.h"
#include "agent/drift_volumes.h"
#include "agent/event_list.h"
#include "agent/history.h"
#include "agent/look.h"
#include "base/base_internal.h"
#include "base/key_table.h"
#include "geom/geom_internal.h"

struct oct_belief {
    oct_allocator allocator;
    oct_game_info info;
    bool walks; // as its definition says
    oct_map *map;
    navigator navigator; // who is told what the map takes in
    oct_links *links;
    oct_history *history; // NULL = none is kept
    size_t heard;         // presses of it that the links know
    oct_player_body body;
    body_limits limits;  // of it
    entity_pool pool;    // what known and self point to
    oct_array props;     // of oct_property: of self
    oct_array known;     // of oct_known
    key_table ids;       // of known
    oct_array news;      // of uint32_t: changed in the last look
    oct_array sights;    // of uint32_t: seen in the last look
    oct_array doors;     // of belief_door: those of known that are doors, or were
    drift_volumes drift; // of what drifts
    look_state look;
    event_list events;
    oct_over over;
    oct_self self;
    bool has_turned; // something that is turned was seen
    bool is_fine;    // the cells were halved
    bool must_miss;  // the map took out something that nobody was told of yet
    uint64_t looks;
    uint64_t changes;
    uint64_t openings;
};

typedef struct belief_door {
    uint32_t index; // of known
    uint8_t label;  // that the map had when doors were last gone through
} belief_door;

static inline oct_known *belief_known(const oct_belief *b, uint32_t index)
{
    return (oct_known *)b->known.items + index;
}

// ---- belief_entities.c ----

// The map's things of an entity.
oct_result oct_belief_put(oct_belief *b, const oct_entity *e);
oct_result oct_belief_take_out(oct_belief *b, const oct_entity *e);
// The room that what drifts needs.
oct_result oct_belief_put_volumes(oct_belief *b);
oct_result oct_belief_take_out_volumes(oct_belief *b);
// Nobody flies into what harms, if there is another way: in the map it is BLOCKED. What it is told
// as, which is what giving up rests on, stays in the history.
oct_result oct_belief_shun(oct_belief *b, const oct_entity *e);
// A new entity. All that may fail comes before it is there: who tries again finds nothing half
// done.
oct_result oct_belief_add(oct_belief *b, const oct_known *known, uint32_t *index);
// Puts what is seen of an entity, at a tick, in the place of what was believed.
oct_result oct_belief_merge(oct_belief *b, const oct_entity *e, uint64_t tick, uint32_t *index);
// It is no longer where it was.
oct_result oct_belief_lose(oct_belief *b, uint32_t index, uint64_t tick);
// Tells the links how doors in sight are; then the map, how all are taken to be.
oct_result oct_belief_see_doors(oct_belief *b);
oct_result oct_belief_follow_doors(oct_belief *b);
// Tells the links of presses that others made since this was last asked.
oct_result oct_belief_hear_presses(oct_belief *b);

#endif
