// SPDX-License-Identifier: MIT
/// \file
/// Messages between agents: to one, to all of a role, or to all.
///
/// A post office knows its members by name and role. What is sent is copied and put into the box of
/// each receiver, who takes it out when it likes, oldest first. The sender gets none of its own.
///
/// Threading: a post office belongs to one thread, as the agents that use it.
#ifndef OCTANT_MESSAGE_H
#define OCTANT_MESSAGE_H

#include "octant/base.h"

typedef struct oct_post oct_post;

/// Members at a time; messages that wait in one box; bytes of a text, topic, name or role without
/// its end. What is more is OCT_ERROR_RANGE.
#define OCT_POST_MEMBERS_MAX 4096
#define OCT_POST_WAITING_MAX 65536
#define OCT_POST_TEXT_MAX 65536

/// What is sent. Strings are copied; what comes out is the office's: what was taken until something
/// else is taken from that box or its member leaves, what was peeked at until it is taken.
typedef struct oct_message {
    const char *from;  ///< a member's name
    const char *topic; ///< what it is about; may be "", not NULL
    const char *text;  ///< may be "", not NULL
    double number;     ///< the caller's
    uint64_t tick;     ///< when it was sent, as the sender says
} oct_message;

OCT_API oct_result oct_post_create(const oct_allocator *allocator, oct_post **out);
OCT_API void oct_post_destroy(oct_post *post);

/// Makes a member known; its index is its box. OCT_ERROR_EXISTS where the name is taken.
OCT_API oct_result oct_post_join(oct_post *post, const char *name, const char *role, uint32_t *box);
/// Takes a member out, with what waits for it. Its name is free again; its index is not used again.
OCT_API oct_result oct_post_leave(oct_post *post, uint32_t box);

/// Sends to one member by name, to all others of a role, to all others. OCT_ERROR_ABSENT where the
/// sender or the receiver is unknown (a role that nobody else has is not unknown: nobody gets it),
/// OCT_ERROR_ARGUMENT where they are the same, OCT_ERROR_RANGE where a box is full. On an error
/// nobody gets it.
OCT_API oct_result oct_post_send(oct_post *post, const char *to, const oct_message *message);
OCT_API oct_result oct_post_send_role(oct_post *post, const char *role, const oct_message *message);
OCT_API oct_result oct_post_send_all(oct_post *post, const oct_message *message);

/// How many wait in a box; the n-th, oldest first; takes out the oldest about a topic (NULL = any).
/// False where there is none.
OCT_API size_t oct_post_waiting(const oct_post *post, uint32_t box);
OCT_API bool oct_post_peek(const oct_post *post, uint32_t box, size_t n, oct_message *out);
OCT_API bool oct_post_take(oct_post *post, uint32_t box, const char *topic, oct_message *out);

#endif
