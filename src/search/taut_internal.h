// SPDX-License-Identifier: MIT
// What the files that pull paths taut share.
#ifndef OCTANT_TAUT_INTERNAL_H
#define OCTANT_TAUT_INTERNAL_H

#include "search/taut.h"

#define AXES 3

// Moves, as bits.
enum { MOVE_BEND = 1, MOVE_SLIDE = 2, MOVE_OUT = 4, MOVE_IN = 8 };

// A vertex of the path that is pulled.
typedef struct vertex {
    spot place;
    double cost;    // of the leg to the next one
    uint32_t tried; // moves that were of no use since it, or what they look at, has changed
} vertex;

// Bends in a row that one vertex may be replaced by.
#define CHAIN_MAX 8

// Places that vertices may be replaced by: each sees the next.
typedef struct chain {
    int count;
    spot places[CHAIN_MAX];
} chain;

OCT_FORCE_INLINE int sign_of(int64_t number)
{
    return (number > 0) - (number < 0);
}

OCT_FORCE_INLINE bool taut_sees(taut *t, const view *v, const spot *a, const spot *b)
{
    t->sight_checks++;
    return oct_view_sees(v, a, b);
}

// The cost of a leg.
OCT_FORCE_INLINE double taut_cost(const view *v, oct_fine a, oct_fine b)
{
    return cost_above(v->is_priced ? oct_view_price(v, a, b) : oct_fine_distance(a, b));
}

// Takes the first part of a point's free octants out of them.
OCT_FORCE_INLINE uint32_t take_part(uint32_t *octants)
{
    const uint32_t part = octants_joined(*octants & (0u - *octants), *octants);
    *octants &= ~part;
    return part;
}

// The octants that directions with these signs lead to; on axes without a sign both sides.
OCT_FORCE_INLINE uint32_t octants_towards(const int signs[AXES])
{
    static const uint32_t below[AXES] = {0x55u, 0x33u, 0x0fu};
    uint32_t octants = 0xffu;
    for (int i = 0; i < AXES; i++) {
        octants &= signs[i] < 0 ? below[i] : signs[i] > 0 ? ~below[i] : 0xffu;
    }
    return octants;
}

// Whether a point lies on a lattice line along an axis. At two dimensions these are points.
OCT_FORCE_INLINE bool on_line(const view *v, oct_fine at, int axis)
{
    return v->dims == 3 && (axis == 0 || fine_on_plane(at.x)) &&
           (axis == 1 || fine_on_plane(at.y)) && (axis == 2 || fine_on_plane(at.z));
}

// A direction, steps of the sub-lattice.
typedef struct vec {
    double at[AXES];
} vec;

OCT_FORCE_INLINE vec vec_between(oct_fine a, oct_fine b)
{
    return (vec){{(double)(b.x - a.x), (double)(b.y - a.y), (double)(b.z - a.z)}};
}

OCT_FORCE_INLINE double vec_dot(const vec *a, const vec *b)
{
    return a->at[0] * b->at[0] + a->at[1] * b->at[1] + a->at[2] * b->at[2];
}

// ---- taut.c ----

// Whether a point is seen from a place, and as which place.
bool oct_taut_place_from(taut *t, const view *v, const spot *a, oct_fine at, spot *out);

// What the way from a over a chain to c costs.
double oct_taut_chain_cost(const view *v, oct_fine a, const chain *by, oct_fine c);

// Replaces `count` vertices from `first` on by a chain.
oct_result oct_taut_replace(taut *t, const view *v, size_t first, size_t count, const chain *by);

// Says that `count` vertices from `first` on are new, or that the two around there are.
void oct_taut_renew(taut *t, size_t first, size_t count);

// ---- taut_bend.c ----

// Whether the way from a over b to c bends around something at b: in the angle between the two
// legs, right at b, something is in the way.
bool oct_taut_is_pinned(oct_fine a, const spot *b, oct_fine c);

// How a way may bend.
typedef struct bend_terms {
    double limit; // what it may cost
    int most;     // how often it may bend
    bool far;     // whether a bend must not be hidden by what stands out more behind it
} bend_terms;

// The shortest way from a to c in the plane of both and b, around everything on b's side: its
// bends. None where a sees c. False where it is not found on these terms.
bool oct_taut_bends(taut *t, const view *v, const spot *a, oct_fine b, const spot *c,
                    bend_terms terms, chain *out);

// ---- taut_slide.c ----

// How a vertex may leave its place along one edge, or along two by splitting.
typedef struct way_out {
    int count;
    int axis[2];
    double far[2]; // that it goes along each, steps of the sub-lattice
    double gain;   // of going so far, steps of the sub-lattice
} way_out;

// One for each axis, one for each pair of them, in order.
#define WAYS_MAX 9

typedef struct ways {
    int count;
    way_out ways[WAYS_MAX]; // the best first
} ways;

// The ways out of a vertex's place that are worth it, as far as the cells around it say.
void oct_taut_ways(const view *v, const vertex *b, ways *out);

// Takes a way out, as far as that leads; the chain is cheaper than the vertex by more than the
// tolerance.
bool oct_taut_leave(taut *t, const view *v, const vertex *b, const way_out *w, chain *out);

// ---- taut_relax.c ----

// Slides all vertices at once, if that is worth it.
oct_result oct_taut_relax(taut *t, const view *v, bool *changed);

size_t oct_taut_knot_bytes(void);

#endif
