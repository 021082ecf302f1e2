// SPDX-License-Identifier: MIT
// The visibility graph of a flat map: corners that a path may bend around, joined where one sees
// the other (Freeman 2014, 2.1.3).
//
// Corners are the points of which exactly three cells around are free (and, with squeezing, those
// where blocked cells meet). Of the lines between them only those are kept that a shortest path can
// use: which touch the blocked cell at both ends without pointing into it. What a corner sees is
// found by one sweep over the rows (sweep.h), not by looking at pairs; it is found when first asked
// for, or for all corners at once, and kept while the map is the same.
//
// With all lines kept it is the graph that Freeman describes: the same corners, joined wherever one
// sees the other. Its paths are as short.
#ifndef OCTANT_VISIBILITY_H
#define OCTANT_VISIBILITY_H

#include "base/key_table.h"
#include "flat/lab_space.h"
#include "flat/sweep.h"

enum { VISIBILITY_START = 1, VISIBILITY_GOAL = 2, VISIBILITY_FIRST = 3 };

typedef struct vis_corner {
    int32_t x, y;         // lattice point of the plane
    uint32_t first;       // of its links
    uint32_t count;       // VISIBILITY_UNSEEN: not looked for yet
    uint32_t goal_stamp;  // of the last query whose goal it saw
    uint32_t start_stamp; // likewise, the start
} vis_corner;

#define VISIBILITY_UNSEEN UINT32_MAX

typedef struct visibility_space {
    space base;
    bit_plane *plane;  // the planner's
    uint32_t version;  // of the plane that corners and links are of
    bool squeezes;     // likewise
    bool is_whole;     // all links are there
    bool keeps_all;    // also those that no shortest path can use
    oct_array corners; // of vis_corner, by id
    key_table ids;     // of corners, by lattice point
    oct_array links;   // of uint32_t: ids
    oct_array ends[3]; // of uint32_t: ids that start and goal see
    oct_array waiting; // of seen_span: of a sweep
    bool ends_meet;    // the start sees the goal
    uint32_t stamp;    // of the query
} visibility_space;

extern const space_kind oct_visibility_kind, oct_visibility_all_kind;

// Finds all corners, and what each of them sees.
oct_result oct_visibility_build(visibility_space *s);

// Finds what one corner sees.
oct_result oct_visibility_look(visibility_space *s, uint32_t id);

OCT_FORCE_INLINE vis_corner *vis_corner_at(const visibility_space *s, uint32_t id)
{
    return (vis_corner *)s->corners.items + id;
}

OCT_FORCE_INLINE flat_point visibility_point(const visibility_space *s, uint32_t id)
{
    if (OCT_UNLIKELY(id < VISIBILITY_FIRST)) {
        return plane_point(s->plane,
                           id == VISIBILITY_START ? s->base.from.place.at : s->base.to.place.at);
    }
    const vis_corner *const c = vis_corner_at(s, id);
    return (flat_point){flat_of(c->x), flat_of(c->y)};
}

// ---- operations ----

OCT_FORCE_INLINE void visibility_add(space *base, uint32_t to, double cost)
{
    space_edges(base)[base->edge_count++] = (space_edge){cost, to};
}

// Whether a shortest path may go from a over a corner to b: straight on, or bending around the
// blocked cell.
OCT_FORCE_INLINE bool visibility_is_taut(const visibility_space *s, flat_point a, uint32_t corner,
                                         flat_point b)
{
    const vis_corner *const c = vis_corner_at(s, corner);
    const uint32_t quads = plane_quads(s->plane, c->x, c->y);
    if (quads_are_double(quads)) {
        return true;
    }
    const uint32_t blocked = oct_lowest_bit(15u ^ quads);
    const flat_point at = {flat_of(c->x), flat_of(c->y)};
    const flat_point inside = {at.x + (blocked & 1u ? 1 : -1), at.y + (blocked & 2u ? 1 : -1)};
    const int64_t side = flat_cross(a, at, inside), turn = flat_cross(a, at, b);
    return turn == 0 || (turn > 0) == (side > 0);
}

OCT_FORCE_INLINE oct_result visibility_edges(space *base, uint32_t id, uint32_t from)
{
    visibility_space *const s = (visibility_space *)base;
    base->edge_count = 0;
    if (id >= VISIBILITY_FIRST && vis_corner_at(s, id)->count == VISIBILITY_UNSEEN) {
        OCT_TRY(oct_visibility_look(s, id));
    }
    const bool is_end = id < VISIBILITY_FIRST;
    const uint32_t count = is_end ? (uint32_t)s->ends[id].count : vis_corner_at(s, id)->count;
    OCT_TRY(oct_array_reserve(&base->edges, &base->allocator, sizeof(space_edge), count + 2u));
    const uint32_t *links = is_end ? s->ends[id].items : s->links.items; // NULL if there are none
    if (!is_end && count > 0) {
        links += vis_corner_at(s, id)->first;
    }
    const flat_point at = visibility_point(s, id);
    const flat_point before = visibility_point(s, from ? from : VISIBILITY_START);
    for (uint32_t i = 0; i < count; i++) {
        const flat_point to = visibility_point(s, links[i]);
        if (!from || is_end || s->keeps_all || visibility_is_taut(s, before, id, to)) {
            visibility_add(base, links[i], cost_above(flat_distance(at, to)));
        }
    }
    const bool sees_goal = is_end ? s->ends_meet : vis_corner_at(s, id)->goal_stamp == s->stamp;
    const bool sees_start = !is_end && vis_corner_at(s, id)->start_stamp == s->stamp;
    if (sees_goal) {
        const uint32_t end = id == VISIBILITY_GOAL ? VISIBILITY_START : VISIBILITY_GOAL;
        visibility_add(base, end, cost_above(flat_distance(at, visibility_point(s, end))));
    }
    if (sees_start) {
        visibility_add(base, VISIBILITY_START,
                       cost_above(flat_distance(at, visibility_point(s, VISIBILITY_START))));
    }
    return OCT_OK;
}

OCT_FORCE_INLINE oct_fine visibility_at(const space *base, uint32_t id)
{
    const visibility_space *const s = (const visibility_space *)base;
    return plane_fine(s->plane, visibility_point(s, id));
}

OCT_FORCE_INLINE double visibility_estimate(const space *base, uint32_t id)
{
    const visibility_space *const s = (const visibility_space *)base;
    return cost_below(flat_distance(visibility_point(s, id), visibility_point(s, VISIBILITY_GOAL)));
}

OCT_FORCE_INLINE double visibility_cost(const space *base, uint32_t a, uint32_t b)
{
    const visibility_space *const s = (const visibility_space *)base;
    return cost_above(flat_distance(visibility_point(s, a), visibility_point(s, b)));
}

// Edges are all there is to see: no search over this graph asks.
OCT_FORCE_INLINE bool visibility_sees(const space *base, uint32_t a, uint32_t b)
{
    (void)base;
    return a == b;
}

OCT_FORCE_INLINE bool visibility_turns(const space *base, uint32_t id)
{
    (void)base;
    (void)id;
    return false;
}

OCT_FORCE_INLINE uint64_t visibility_key(const space *base, uint32_t id)
{
    return space_key_of(visibility_at(base, id));
}

static const space_ops visibility_ops = {visibility_edges, visibility_estimate, visibility_cost,
                                         visibility_sees,  visibility_turns,    visibility_at,
                                         visibility_key};

#endif
