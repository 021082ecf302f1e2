// SPDX-License-Identifier: MIT
// What a straight line costs where metres have prices.
//
// The line is followed from piece to piece. Beside a piece lie one cell, or two or four where it
// runs in lattice planes, and its price is that of the cheapest of them that is free. Prices change
// at faces of priced boxes, and at boundaries of leaves where labels count: the next such plane
// ahead, on any axis, ends the piece. Which cells come then is worked out in integers; only lengths
// are rounded.
#include "search/graph_internal.h"

#include <math.h>

#define AXES 3

typedef struct line {
    const view *v;
    int64_t from[AXES];
    int64_t way[AXES];  // |to - from|
    uint32_t falling;   // axes along which it falls
    uint32_t sides;     // axes on which it lies in a lattice plane throughout
    int32_t cell[AXES]; // beside the piece; on axes in `sides` the upper one
} line;

static line line_make(const view *v, oct_fine a, oct_fine b)
{
    const int64_t from[AXES] = {a.x, a.y, a.z}, to[AXES] = {b.x, b.y, b.z};
    line l = {.v = v};
    for (int i = 0; i < v->dims; i++) {
        const bool falls = to[i] < from[i];
        l.from[i] = from[i];
        l.way[i] = falls ? from[i] - to[i] : to[i] - from[i];
        l.falling |= (uint32_t)falls << i;
        l.sides |= (uint32_t)(l.way[i] == 0 && fine_on_plane(from[i])) << i;
        l.cell[i] = fine_cell(falls ? from[i] - 1 : from[i]);
    }
    return l;
}

// Goes on to where the line has come num / den of its way.
static void line_go(line *l, int64_t num, int64_t den)
{
    for (int i = 0; i < l->v->dims; i++) {
        const int64_t far = (int64_t)((oct_int128)l->way[i] * num / den);
        l->cell[i] = fine_cell(l->falling >> i & 1u ? l->from[i] - far - 1 : l->from[i] + far);
    }
}

// The cell on a side of the piece.
static oct_vec line_cell(const line *l, uint32_t side)
{
    const uint32_t below = l->sides & ~side;
    return (oct_vec){l->cell[0] - (int32_t)(below & 1u), l->cell[1] - (int32_t)(below >> 1 & 1u),
                     l->cell[2] - (int32_t)(below >> 2 & 1u)};
}

// Lets the piece end at the planes of a box that are ahead. Ends are what the line has come by then
// on each axis.
static void end_at_box(const line *l, const oct_box *box, int64_t ends[AXES])
{
    const int32_t planes[2][AXES] = {{box->min.x, box->min.y, box->min.z},
                                     {box->max.x, box->max.y, box->max.z}};
    for (int i = 0; i < l->v->dims; i++) {
        const bool falls = l->falling >> i & 1u;
        for (int side = 0; side < 2; side++) {
            const int32_t plane = planes[side][i];
            const int64_t at = (int64_t)plane * OCT_FINE;
            const int64_t far = falls ? l->from[i] - at : at - l->from[i];
            const bool ahead = falls ? plane <= l->cell[i] : plane > l->cell[i];
            ends[i] = ahead && far < ends[i] ? far : ends[i];
        }
    }
}

// The axis whose end comes first, of those along which the line moves.
static int first_end(const line *l, const int64_t ends[AXES])
{
    int first = -1;
    for (int i = 0; i < l->v->dims; i++) {
        if (l->way[i] > 0 && (first < 0 || (oct_int128)ends[i] * l->way[first] <
                                               (oct_int128)ends[first] * l->way[i])) {
            first = i;
        }
    }
    return first;
}

static bool priced_box_holds(const oct_priced_box *priced, int dims, oct_vec cell)
{
    const oct_box *box = &priced->cells;
    return cell.x >= box->min.x && cell.x < box->max.x && cell.y >= box->min.y &&
           cell.y < box->max.y && (dims == 2 || (cell.z >= box->min.z && cell.z < box->max.z));
}

// The price of a cell, its label aside.
static double price_of_boxes(const view *v, oct_vec cell)
{
    double price = 1.0;
    for (uint32_t i = 0; i < v->terms.priced_count; i++) {
        const oct_priced_box *priced = &v->terms.priced[i];
        price *= priced_box_holds(priced, v->dims, cell) ? priced->price : 1.0;
    }
    return price;
}

// The price of the piece on one side, infinite where that is not free; lets the piece end with the
// leaf.
static double side_price(const line *l, uint32_t side, int64_t ends[AXES])
{
    const view *v = l->v;
    const oct_vec cell = line_cell(l, side);
    if (!view_holds(v, cell)) {
        return (double)INFINITY; // the line runs along the bounds
    }
    const oct_leaf leaf = oct_view_leaf(v, cell);
    const oct_box box = view_leaf_box(v, leaf);
    end_at_box(l, &box, ends);
    if (!(v->free >> leaf.label & 1u)) {
        return (double)INFINITY;
    }
    const bool unknown = v->terms.unknown == OCT_UNKNOWN_PRICED && leaf.label == OCT_UNKNOWN;
    return price_of_boxes(v, cell) * (unknown ? v->terms.unknown_price : 1.0);
}

// The price of the piece; lets it end where that may change. Where all sides are in the way, which
// no free line knows, that of the priced boxes alone.
static double piece_price(const line *l, int64_t ends[AXES])
{
    const view *v = l->v;
    double least = (double)INFINITY, most = 0.0, best = (double)INFINITY;
    for (uint32_t i = 0; i < v->terms.priced_count; i++) {
        end_at_box(l, &v->terms.priced[i].cells, ends);
    }
    uint32_t side = 0;
    do {
        const double price = price_of_boxes(v, line_cell(l, side));
        least = price < least ? price : least;
        most = price > most ? price : most;
        side = (side - l->sides) & l->sides; // the next of all subsets
    } while (side);
    if (least == most && v->terms.unknown != OCT_UNKNOWN_PRICED) {
        return least;
    }
    do {
        const double price = side_price(l, side, ends);
        best = price < best ? price : best;
        side = (side - l->sides) & l->sides;
    } while (side);
    return isinf(best) ? least : best;
}

static bool comes_before(oct_fine a, oct_fine b)
{
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

double oct_view_price(const view *v, oct_fine a, oct_fine b)
{
    OCT_ASSERT(v->dims == 3 || a.z == b.z);
    const double length = oct_fine_distance(a, b);
    line l = comes_before(a, b) ? line_make(v, a, b) : line_make(v, b, a);
    double cost = 0.0, price = 0.0;
    double begin = 0.0, at = 0.0; // of what has one price, and of the piece: parts of the way
    while (length > 0.0) {
        int64_t ends[AXES] = {l.way[0], l.way[1], l.way[2]};
        const double next = piece_price(&l, ends);
        if (next != price) {
            cost += price * (at - begin);
            begin = at;
            price = next;
        }
        const int axis = first_end(&l, ends);
        if (ends[axis] == l.way[axis]) {
            break;
        }
        line_go(&l, ends[axis], l.way[axis]);
        at = (double)ends[axis] / (double)l.way[axis];
    }
    cost = (cost + price * (1.0 - begin)) * length;
    // Rounding must not lead below what an estimate says.
    return cost > v->least_price * length ? cost : v->least_price * length;
}
