// SPDX-License-Identifier: MIT
// Navigators: all that an agent asks about space.
//
// A navigator takes in what was observed, tells a path to a place, the next place to explore and
// whether a place is free, and what would be reachable if doors stood open or shut. The octree does
// it with an explorer and an overlay on the map of the belief (navigator_octree.c). The plain maps
// of src/baseline answer all but the last question. Agents ask nobody else, and never which one it
// is.
//
// What is in sight is not its concern: the map of the belief decides that and keeps the things that
// there are, and the pilot flies by it. A navigator follows what this map has taken in.
//
// Questions change no answer. Points are in metres, cells are those of the map's lattice. Paths go
// through OPEN cells alone, within the bounds.
#ifndef OCTANT_NAVIGATOR_H
#define OCTANT_NAVIGATOR_H

#include "octant/agent.h"
#include "octant/explore.h"

struct room_graph; // room_graph.h

typedef struct navigator_def {
    const oct_map *map;              // of the belief; borrowed; nothing was taken in yet
    const struct oct_belief *belief; // whose map it is; borrowed
    const oct_game_info *info;       // of the game, and the body; as long as this call
    const oct_player_body *body;     // that wants to get about
    const oct_box *bounds;           // copied; what is beyond is not explored; NULL = none
    double view;                     // metres
    oct_strategy strategy; // of exploring; one that knows no other takes the nearest place
    uint64_t seed;
    const oct_allocator *allocator; // copied
} navigator_def;

// What a kind of navigator does. All functions are there; `self` is what `create` has made. After
// an error, other than OCT_ERROR_RANGE, it may only be destroyed.
struct oct_navigator_kind {
    // Why nothing that it does not find is certainly not there, for people; NULL = what it tells
    // may be part of a proof.
    const char *doubt;

    // On failure *self is NULL.
    oct_result (*create)(const navigator_def *def, void **self);
    void (*destroy)(void *self); // NULL is allowed

    // Takes in an observation, right after the map has: `things` are those that were passed to it.
    oct_result (*observe)(void *self, const oct_thing *things, size_t count);
    // The map was told of a thing, or that it has gone, in another way: it was heard of, or is
    // predicted.
    oct_result (*put)(void *self, const oct_thing *thing);
    oct_result (*remove)(void *self, uint64_t id);
    // The body has looked around from here: the place is not offered again for exploring until
    // something changes around it. OCT_ERROR_RANGE outside the bounds.
    oct_result (*arrive)(void *self, oct_point at);

    // A path to a place, as oct_explorer_next_towards. Arrays are the navigator's until the next
    // question.
    oct_result (*path)(void *self, oct_point from, oct_point to, oct_exploration *out);
    // Whether a known way may join two places: false where there is none, as of the last question
    // or arrival. Cheap: it is asked for many places.
    bool (*connects)(void *self, oct_point a, oct_point b);

    // The next place to explore, as oct_explorer_next.
    oct_result (*explore)(void *self, oct_point from, oct_exploration *out);
    // Whether a cell still belongs to the frontier.
    bool (*shows)(void *self, oct_vec frontier);
    // What stayed unknown, as oct_explorer_remains.
    oct_result (*remains)(void *self, oct_point from, oct_remains *out);

    // Whether a place is free; UNKNOWN outside the lattice.
    oct_label (*label)(void *self, oct_point at);

    // Where the body's middle would be if it went to a place: that place itself; on foot, in the
    // middle of the nearest ground above or below, within so far; else the place as it is.
    oct_point (*stand)(void *self, oct_point at, double within);
    // What it walks on; NULL = it flies.
    struct oct_footing *(*footing)(void *self);

    // What would be reachable if doors were shut or open: as oct_room_graph_make. One that cannot
    // tell leaves `is_told` false.
    oct_result (*room_graph)(void *self, const oct_belief *belief, const oct_point *seeds,
                             size_t count, struct room_graph *out);
    // Supposes that these doors of the map stand open, until the next question about rooms or
    // doors; false in *can where it cannot. Then `label_if` is `label` under this supposition.
    // OCT_ERROR_RANGE: they are too large.
    oct_result (*suppose_open)(void *self, const uint64_t *doors, size_t count, bool *can);
    oct_label (*label_if)(void *self, oct_point at);
};

// One of a kind. All zero is none: it takes in everything, and may not be asked.
typedef struct navigator {
    const oct_navigator_kind *kind;
    void *self;
} navigator;

// Over what flies, and on foot.
extern const oct_navigator_kind oct_navigator_octree, oct_navigator_foot;

// The overlay and components that the octree's answers about doors rest on.
struct what_if *oct_navigator_octree_what_if(const navigator *n);

static inline oct_result navigator_observe(const navigator *n, const oct_thing *things,
                                           size_t count)
{
    return n->kind ? n->kind->observe(n->self, things, count) : OCT_OK;
}

static inline oct_result navigator_put(const navigator *n, const oct_thing *thing)
{
    return n->kind ? n->kind->put(n->self, thing) : OCT_OK;
}

static inline oct_result navigator_remove(const navigator *n, uint64_t id)
{
    return n->kind ? n->kind->remove(n->self, id) : OCT_OK;
}

static inline oct_point navigator_stand(const navigator *n, oct_point at, double within)
{
    return n->kind->stand(n->self, at, within);
}

static inline oct_label navigator_label(const navigator *n, oct_point at)
{
    return n->kind->label(n->self, at);
}

static inline bool navigator_connects(const navigator *n, oct_point a, oct_point b)
{
    return n->kind->connects(n->self, a, b);
}

#endif
