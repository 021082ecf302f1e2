// SPDX-License-Identifier: MIT
// Line of sight: the fast way, over the walk from leaf to leaf.
//
// A line that runs in no lattice plane is in one cell at a time, and the walk decides. One that
// runs in a plane, or along the edge where two planes meet, has two or four cells beside it at a
// time. If one of its copies, moved by one step of the sub-lattice into the cells on one side, is
// free, so is the line; only where all copies meet something has it to be followed step by step,
// since it may change sides on the way.
#include "octant/line.h"
#include "octant/tree.h"
#include "search/graph_internal.h"

#include "octree/octree_internal.h"

#define AXES 3

// Whether the line is free, as far as the walk can tell.
static tree_clear sees_quickly(const view *v, const spot *a, const spot *b)
{
    const int64_t from[AXES] = {a->at.x, a->at.y, a->at.z};
    const int64_t to[AXES] = {b->at.x, b->at.y, b->at.z};
    uint32_t rising = 0, flat = 0, sides = 0;
    for (int i = 0; i < v->dims; i++) {
        rising |= to[i] > from[i] ? 1u << i : 0u;
        flat |= to[i] == from[i] ? 1u << i : 0u;
        sides |= to[i] == from[i] && fine_on_plane(from[i]) ? 1u << i : 0u;
    }
    const uint32_t all = (1u << v->dims) - 1u;
    if (flat == all) {
        return a->octants & b->octants ? TREE_CLEAR_YES : TREE_CLEAR_NO;
    }
    // The octants that the line begins in, and comes to, on the axes along which it moves.
    const uint32_t first = rising, last = ~rising & ~flat & all;
    bool is_sure = sides == 0;
    for (uint32_t side = 0; side <= all; side++) {
        if ((side & ~sides) || !(a->octants >> (first | side) & 1u) ||
            !(b->octants >> (last | side) & 1u)) {
            continue;
        }
        int64_t move[AXES];
        for (int i = 0; i < AXES; i++) {
            move[i] = !(sides >> i & 1u) ? 0 : side >> i & 1u ? 1 : -1;
        }
        const oct_fine p = {from[0] + move[0], from[1] + move[1], from[2] + move[2]};
        const oct_fine q = {to[0] + move[0], to[1] + move[1], to[2] + move[2]};
        const tree_clear clear = oct_tree_clear_line(v->tree, p, q, v->blocked, v->squeezes);
        if (clear == TREE_CLEAR_YES) {
            return TREE_CLEAR_YES;
        }
        is_sure &= clear == TREE_CLEAR_NO;
    }
    return is_sure ? TREE_CLEAR_NO : TREE_CLEAR_UNSURE;
}

bool oct_view_sees(const view *v, const spot *a, const spot *b)
{
    const tree_clear clear = sees_quickly(v, a, b);
    return clear == TREE_CLEAR_UNSURE ? oct_view_sees_plain(v, a, b) : clear == TREE_CLEAR_YES;
}

bool oct_view_sees_surely(const view *v, const spot *a, const spot *b)
{
    return sees_quickly(v, a, b) == TREE_CLEAR_YES;
}

bool oct_tree_line_of_sight(const oct_tree *tree, const oct_terms *terms, oct_fine a, oct_fine b)
{
    view v;
    oct_view_init(&v, tree, terms);
    if (v.dims == 2) {
        a.z = b.z = FLAT_Z;
    }
    const spot from = {a, oct_view_octants(&v, a)}, to = {b, oct_view_octants(&v, b)};
    return oct_view_sees(&v, &from, &to);
}
