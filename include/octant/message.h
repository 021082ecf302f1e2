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

/// How to create a post. All 0 is the default.
typedef struct oct_post_def {
    const oct_allocator *allocator; ///< copied; NULL = malloc
} oct_post_def;

/// Creates a post without members; a NULL definition is the default.
OCT_API oct_result oct_post_create(const oct_post_def *def, oct_post **out);
OCT_API void oct_post_destroy(oct_post *post);

#endif
