// SPDX-License-Identifier: MIT
// What agents do with the post: join, send, take.
#ifndef OCTANT_MESSAGE_INTERNAL_H
#define OCTANT_MESSAGE_INTERNAL_H

#include "octant/message.h"

// Makes a member known; its index is its box. OCT_ERROR_EXISTS where the name is taken.
oct_result oct_post_join(oct_post *post, const char *name, const char *role, uint32_t *box);

// Takes a member out, with what waits for it. Its name is free again; its index is not used again.
oct_result oct_post_leave(oct_post *post, uint32_t box);

// Sends to one member by name, to all others of a role, to all others. OCT_ERROR_ABSENT where the
// sender or the receiver is unknown (a role that nobody else has is not unknown: nobody gets it),
// OCT_ERROR_ARGUMENT where they are the same, OCT_ERROR_RANGE where a box is full. On an error
// nobody gets it.
oct_result oct_post_send(oct_post *post, const char *to, const oct_message *message);

oct_result oct_post_send_role(oct_post *post, const char *role, const oct_message *message);

oct_result oct_post_send_all(oct_post *post, const oct_message *message);

// How many wait in a box; the n-th, oldest first; takes out the oldest about a topic (NULL = any).
// False where there is none.
size_t oct_post_waiting(const oct_post *post, uint32_t box);

bool oct_post_peek(const oct_post *post, uint32_t box, size_t n, oct_message *out);

bool oct_post_take(oct_post *post, uint32_t box, const char *topic, oct_message *out);

#endif
