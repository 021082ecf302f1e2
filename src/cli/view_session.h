// SPDX-License-Identifier: MIT
// What octant view shows, and its answers to a page's questions (docs/internals/viewer.md).
#ifndef OCTANT_CLI_VIEW_SESSION_H
#define OCTANT_CLI_VIEW_SESSION_H

#include "cli/cli_internal.h"
#include "view/mesh.h"
#include "view/server.h"

#include <pthread.h>
#include <stdatomic.h>

#define VIEW_ITEMS_MAX 64
#define VIEW_LIVE_MAX (512u * 1024u * 1024u) // bytes of a replay; what comes beyond is left out

// A swarm is a trace with the map that its units go through.
typedef enum view_kind {
    VIEW_MAP,
    VIEW_TRACE,
    VIEW_LIVE,
    VIEW_SWARM,
    VIEW_LAB,
    VIEW_QUADTREE
} view_kind;

// The trace of a test that is being played.
typedef struct view_live {
    pthread_mutex_t mutex; // guards the bytes
    oct_array bytes;
} view_live;

typedef struct view_item {
    const char *path; // of a test its name
    view_kind kind;
    cli_scene scene;      // of a map or a swarm
    char *map_path;       // of a swarm, malloc's
    oct_planner *planner; // likewise; NULL until something was asked
    oct_tree_stats stats;
    uint64_t counts[3];             // cells by label
    view_live live;                 // of a test
    struct view_lab *lab;           // of the laboratory, malloc's
    struct view_quadtree *quadtree; // of the demo, malloc\'s
} view_item;

typedef struct view_session {
    view_item items[VIEW_ITEMS_MAX];
    size_t count;
    view_mesher *mesher;
    atomic_bool is_asked; // for lines of a trace
} view_session;

// Begins one without items. Complains where it fails.
int oct_cli_view_begin(view_session *session);

// Adds the replay of a test that is to be played. The name is borrowed.
int oct_cli_view_add_live(view_session *session, const char *name);

// Adds to a replay, on any thread.
void oct_cli_view_append(view_live *live, const void *data, size_t size);

// Begins one, and opens files. Complains where it fails; the session is to be closed in any case.
int oct_cli_view_open(view_session *session, const cli_value *options, const char *const *paths,
                      size_t count);
void oct_cli_view_close(view_session *session);

// Begins one with the laboratory alone; `path` is a file for it, or NULL. Likewise.
int oct_cli_view_lab(view_session *session, const char *path, cli_files *files);

// Begins one with the quadtree demo alone. Likewise.
int oct_cli_view_quadtree(view_session *session);

// A view_answer_fn; its context is a session.
bool oct_cli_view_answer(void *session, const char *question, size_t size, view_answer *out);

#endif
