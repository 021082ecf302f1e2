// SPDX-License-Identifier: MIT
// Line of sight: the plain way, which is right in every case.
//
// The line is followed from one lattice plane to the next, in exact fractions: position u / e of
// the way on an axis, u and e integers, compared by products of 128 bits. Beside a piece of it lie
// one cell, or two or four where it runs in lattice planes; which of them the path may be in is a
// set of sides. Where the line crosses planes, the sides beyond are those that are connected, over
// faces and through free cells that touch that point, with one of the sides before; where a path
// may squeeze through, all that are free.
#include "octant/tree.h"
#include "search/graph_internal.h"

#include "octree/octree_internal.h"

#define AXES 3

typedef struct line {
    const view *v;
    int64_t from[AXES], to[AXES];
    int64_t way[AXES];  // |to - from|
    uint32_t moving;    // axes along which it moves
    uint32_t rising;    // those along which it rises
    uint32_t sides;     // axes on which it lies in a lattice plane throughout
    int32_t cell[AXES]; // beside the piece; on axes in `sides` the upper one
    uint32_t in;        // sides that the path may be in: bits of octants, 0 on all other axes
} line;

// The cell on a side of the piece.
static oct_vec line_cell(const line *l, uint32_t side)
{
    int32_t at[AXES];
    for (int i = 0; i < AXES; i++) {
        at[i] = l->cell[i] - (l->sides >> i & ~side >> i & 1u ? 1 : 0);
    }
    return (oct_vec){at[0], at[1], at[2]};
}

// A box around a cell all of which is free, or all of which is not.
static oct_box same_box(const view *v, oct_vec cell)
{
    const oct_box all = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE}, {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    if (!view_holds(v, cell)) {
        return all; // the line runs along the bounds
    }
    const rel at = tree_rel(v->tree, cell);
    if (tree_is_empty(v->tree) || !tree_holds(v->tree, v->dims, at)) {
        return view_leaf_box(v, oct_view_leaf(v, cell));
    }
    node here = tree_top(v->tree);
    for (; word_kind(here.word) == KIND_INNER && (word_labels(here.word) & v->blocked);
         here.level--) {
        here.word = tree_siblings(v->tree, v->dims,
                                  word_index(here.word))[child_at(v->dims, here.level, at)];
    }
    const bool is_one = word_kind(here.word) == KIND_LEAF || !(word_labels(here.word) & v->blocked);
    return is_one ? oct_leaf_box(leaf_make(v->tree, v->dims,
                                           tree_descend(v->tree, v->dims, at, here.level).at,
                                           here.level, OCT_OPEN))
                  : (oct_box){cell, {cell.x + 1, cell.y + 1, cell.z + 1}};
}

// How far the line goes on an axis to the end of a box.
static int64_t box_end(const line *l, const oct_box *box, int axis)
{
    const int32_t min[AXES] = {box->min.x, box->min.y, box->min.z};
    const int32_t max[AXES] = {box->max.x, box->max.y, box->max.z};
    return l->rising >> axis & 1u ? (int64_t)max[axis] * OCT_FINE - l->from[axis]
                                  : l->from[axis] - (int64_t)min[axis] * OCT_FINE;
}

// How far the line goes before one of the cells beside it may change: on which axis, and how far
// there. False where that is not before its end.
static bool line_next(const line *l, int *axis, int64_t *far)
{
    int64_t ends[AXES] = {INT64_MAX, INT64_MAX, INT64_MAX};
    for (uint32_t side = 0; side < 8; side++) {
        if (side & ~l->sides) {
            continue;
        }
        const oct_box box = same_box(l->v, line_cell(l, side));
        for (int i = 0; i < l->v->dims; i++) {
            const int64_t end = l->moving >> i & 1u ? box_end(l, &box, i) : INT64_MAX;
            ends[i] = end < ends[i] ? end : ends[i];
        }
    }
    *axis = -1;
    for (int i = 0; i < l->v->dims; i++) {
        if ((l->moving >> i & 1u) && ends[i] < l->way[i] &&
            (*axis < 0 || (oct_int128)ends[i] * l->way[*axis] < (oct_int128)*far * l->way[i])) {
            *axis = i;
            *far = ends[i];
        }
    }
    return *axis >= 0;
}

// Goes there. Returns the axes whose planes the line crosses at that point.
static uint32_t line_go(line *l, int axis, int64_t far)
{
    uint32_t crossed = 0;
    for (int i = 0; i < l->v->dims; i++) {
        if (!(l->moving >> i & 1u)) {
            continue;
        }
        const oct_int128 product = (oct_int128)far * l->way[i];
        const int64_t whole = (int64_t)(product / l->way[axis]);
        const bool exact = product % l->way[axis] == 0;
        const bool up = l->rising >> i & 1u;
        const int64_t at = up ? l->from[i] + whole : l->from[i] - whole - (exact ? 0 : 1);
        if (exact && fine_on_plane(at)) {
            crossed |= 1u << i;
            l->cell[i] = fine_cell(at) - (up ? 0 : 1);
        } else {
            l->cell[i] = fine_cell(at);
        }
    }
    return crossed;
}

// The sides beyond a point where planes were crossed.
static uint32_t line_cross(const line *l, uint32_t crossed)
{
    const uint32_t planes = crossed | l->sides;
    uint32_t open = 0, before = 0;
    for (uint32_t o = 0; o < 8; o++) {
        // On an axis that was crossed, the cell of the piece is the one behind.
        int32_t at[AXES];
        for (int i = 0; i < AXES; i++) {
            const int32_t upper = l->cell[i] + (crossed >> i & ~l->rising >> i & 1u ? 1 : 0);
            at[i] = upper - (planes >> i & ~o >> i & 1u ? 1 : 0);
        }
        if (view_is_free(l->v, (oct_vec){at[0], at[1], at[2]})) {
            open |= 1u << o;
            const bool came = ((o ^ l->rising) & crossed) == crossed;
            before |= came && (l->in >> (o & l->sides) & 1u) ? 1u << o : 0u;
        }
    }
    const uint32_t joined = view_joined(l->v, before, open);
    uint32_t in = 0;
    for (uint32_t side = 0; side < 8; side++) {
        const uint32_t o = (l->rising & crossed) | side;
        in |= !(side & ~l->sides) && (joined >> o & 1u) ? 1u << side : 0u;
    }
    return in;
}

bool oct_view_sees_plain(const view *v, const spot *a, const spot *b)
{
    line l = {.v = v, .from = {a->at.x, a->at.y, a->at.z}, .to = {b->at.x, b->at.y, b->at.z}};
    for (int i = 0; i < v->dims; i++) {
        const bool rises = l.to[i] > l.from[i], moves = l.to[i] != l.from[i];
        const bool on_plane = fine_on_plane(l.from[i]);
        l.moving |= moves ? 1u << i : 0u;
        l.rising |= rises ? 1u << i : 0u;
        l.sides |= !moves && on_plane ? 1u << i : 0u;
        l.way[i] = rises ? l.to[i] - l.from[i] : l.from[i] - l.to[i];
        l.cell[i] = fine_cell(l.from[i]) - (moves && !rises && on_plane ? 1 : 0);
    }
    if (!l.moving) {
        return a->octants & b->octants;
    }
    for (uint32_t side = 0; side < 8; side++) {
        const bool own = a->octants >> (l.rising | side) & 1u;
        l.in |= !(side & ~l.sides) && own ? 1u << side : 0u;
    }
    int axis;
    int64_t far = 0;
    while (l.in && line_next(&l, &axis, &far)) {
        const uint32_t crossed = line_go(&l, axis, far);
        l.in = line_cross(&l, crossed);
    }
    for (uint32_t side = 0; side < 8; side++) {
        const bool reached = (l.in >> side & 1u) && !(side & ~l.sides);
        if (reached && (b->octants >> ((l.moving & ~l.rising) | side) & 1u)) {
            return true;
        }
    }
    return false;
}
