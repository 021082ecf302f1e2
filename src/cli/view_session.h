// SPDX-License-Identifier: MIT
// What octant view shows, and its answers to a page's questions (docs/internals/viewer.md).
#ifndef OCTANT_CLI_VIEW_SESSION_H
#define OCTANT_CLI_VIEW_SESSION_H

#include "cli/cli_internal.h"
#include "view/mesh.h"
#include "view/server.h"

#define VIEW_ITEMS_MAX 64

typedef enum view_kind { VIEW_MAP, VIEW_TRACE } view_kind;

typedef struct view_item {
    const char *path;
    view_kind kind;
    cli_scene scene;      // of a map
    oct_planner *planner; // of a map; NULL until something was asked
    oct_tree_stats stats;
    uint64_t counts[3]; // cells by label
} view_item;

typedef struct view_session {
    view_item items[VIEW_ITEMS_MAX];
    size_t count;
    view_mesher *mesher;
} view_session;

// Opens files. Complains where it fails; the session is to be closed in any case.
int oct_cli_view_open(view_session *session, const cli_value *options, const char *const *paths,
                      size_t count);
void oct_cli_view_close(view_session *session);

// A view_answer_fn; its context is a session.
bool oct_cli_view_answer(void *session, const char *question, size_t size, view_answer *out);

#endif
