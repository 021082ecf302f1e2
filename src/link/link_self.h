// SPDX-License-Identifier: MIT
// Oneself, events and actions on the wire.
#ifndef OCTANT_LINK_SELF_H
#define OCTANT_LINK_SELF_H

#include "link/link_ids.h"

// The tick is told beside it and is not touched; the id as well, where it is missing.
oct_result oct_link_read_self(link_reader *in, const oct_game_info *info,
                              const oct_player_body *body, link_ids *ids,
                              const oct_allocator *allocator, const json_t *object, oct_self *out);
oct_result oct_link_write_self(link_writer *w, const oct_player_body *body, link_ids *ids,
                               const oct_allocator *allocator, const oct_self *self);

oct_result oct_link_read_event(link_reader *in, link_ids *ids, const oct_allocator *allocator,
                               const json_t *object, uint64_t tick, oct_event *out);
oct_result oct_link_write_event(link_writer *w, link_ids *ids, const oct_allocator *allocator,
                                const oct_event *event);

// A pose; `found` tells whether it has a position. Without forward and up those are as they were.
oct_result oct_link_read_pose(link_reader *in, const json_t *object, oct_pose *out, bool *found);
// `forward` and `up` are left out where `up` is 0.
void oct_link_write_pose(link_writer *w, const oct_pose *pose);

// The fields of an action. Reading checks all that the game is promised.
oct_result oct_link_read_action(link_reader *in, const link_ids *ids, const json_t *object,
                                oct_action *out, uint32_t *ticks);
void oct_link_write_action(link_writer *w, const link_ids *ids, const oct_action *action);

// Whether an action lasts for its ticks.
bool oct_link_takes_time(const oct_action *action);

#endif
