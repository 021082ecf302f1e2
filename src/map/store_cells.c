// SPDX-License-Identifier: MIT
// Marks, boxes, and the rows of regions.
#include "map/store_cells.h"

#include <math.h>

const cell_rule oct_cell_rules[OCT_MARK_COUNT] = {
    [OCT_MARK_UNKNOWN] = {0, CELL_OBSERVED | CELL_STATIC},
    [OCT_MARK_OPEN] = {CELL_OBSERVED, CELL_STATIC},
    [OCT_MARK_BLOCKED] = {CELL_OBSERVED | CELL_STATIC, 0},
    [OCT_MARK_KNOWN] = {CELL_OBSERVED, 0},
    [OCT_MARK_UNSEEN] = {0, CELL_OBSERVED},
    [OCT_MARK_SOLID] = {CELL_STATIC, 0},
    [OCT_MARK_CLEAR] = {0, CELL_STATIC},
};

// ---- boxes ----

void oct_box_widen(oct_box *box, run cells, int32_t y, int32_t z)
{
    const oct_box part = {{cells.from, y, z}, {cells.to, y + 1, z + 1}};
    *box = box_union(*box, part);
}

bool oct_box_volume(const oct_box *box, uint64_t *out)
{
    *out = 0;
    if (box_is_empty(3, box)) {
        return true;
    }
    const uint64_t x = (uint64_t)((int64_t)box->max.x - box->min.x);
    const uint64_t y = (uint64_t)((int64_t)box->max.y - box->min.y);
    const uint64_t z = (uint64_t)((int64_t)box->max.z - box->min.z);
    const oct_int128 volume = (oct_int128)(x * y) * (oct_int128)z;
    *out = (uint64_t)volume;
    return volume <= (oct_int128)1 << 63;
}

// ---- regions ----

oct_box oct_region_box(const region *cells, int dims)
{
    return box_flat(dims, cells->kind == REGION_OUTSIDE ? BOX_ALL : cells->box);
}

// Distance of a cell from the centre on one axis: of its far side, or of its near one.
OCT_FORCE_INLINE double far_distance(double centre, int32_t cell)
{
    const double below = centre - (double)cell; // centre above the cell's lower side
    const double above = (double)cell + 1.0 - centre;
    return below > above ? below : above;
}

OCT_FORCE_INLINE double near_distance(double centre, int32_t cell)
{
    const double below = centre - (double)cell;
    const double above = (double)cell + 1.0 - centre;
    return below < 0.0 ? -below : above < 0.0 ? -above : 0.0;
}

// One row of a ball: the cells with x * x + y + z <= square (near: < square).
typedef struct ball_row {
    bool near;
    int dims;
    double centre, pad; // on the row's axis
    double y, z;        // squares of the distances on the other axes
    double square;      // of the radius
} ball_row;

static ball_row ball_row_make(const region *cells, int dims, int32_t y, int32_t z)
{
    ball_row b = {.near = cells->kind == REGION_OUTSIDE,
                  .dims = dims,
                  .centre = cells->centre.x,
                  .pad = cells->pad.x,
                  .square = cells->radius * cells->radius};
    const double dy = b.near ? near_distance(cells->centre.y, y)
                             : far_distance(cells->centre.y, y) + cells->pad.y;
    const double dz = b.near ? near_distance(cells->centre.z, z)
                             : far_distance(cells->centre.z, z) + cells->pad.z;
    b.y = dy * dy;
    b.z = dz * dz;
    return b;
}

// Squares are added in the order x, y, z, so that every structure agrees to the bit.
OCT_FORCE_INLINE bool ball_row_has(const ball_row *b, int32_t x)
{
    const double distance =
        b->near ? near_distance(b->centre, x) : far_distance(b->centre, x) + b->pad;
    double square = distance * distance + b->y;
    if (b->dims == 3) {
        square += b->z;
    }
    return b->near ? square < b->square : square <= b->square;
}

// The cells of a row in a ball are one run: distances grow away from the cell that holds the
// centre, and rounding keeps their order. So either end is found by halving.
static run ball_run(const ball_row *b, run within)
{
    const double centre = floor(b->centre);
    const int32_t last = within.to - 1;
    const int32_t nearest = centre <= (double)within.from ? within.from
                            : centre >= (double)last      ? last
                                                          : (int32_t)centre;
    if (!ball_row_has(b, nearest)) {
        return (run){nearest, nearest};
    }
    int64_t out = (int64_t)within.from - 1, in = nearest; // the ball has `in`, and not `out`
    while (in - out > 1) {
        const int64_t middle = out + (in - out) / 2;
        *(ball_row_has(b, (int32_t)middle) ? &in : &out) = middle;
    }
    run cells = {.from = (int32_t)in};
    in = nearest;
    out = within.to;
    while (out - in > 1) {
        const int64_t middle = in + (out - in) / 2;
        *(ball_row_has(b, (int32_t)middle) ? &in : &out) = middle;
    }
    cells.to = (int32_t)out;
    return cells;
}

void oct_region_row(const region *cells, int dims, run within, int32_t y, int32_t z,
                    region_row *out)
{
    *out = (region_row){.count = 1, .runs = {within}};
    if (within.from >= within.to) {
        out->count = 0;
    } else if (cells->kind == REGION_BITS) {
        const oct_vec first = cells->box.min;
        *out = (region_row){.left = within, .first = first.x};
        out->bits = bit_grid_row(cells->bits, (uint32_t)(y - first.y),
                                 dims == 3 ? (uint32_t)(z - first.z) : 0u);
    } else if (cells->kind != REGION_BOX) {
        const ball_row row = ball_row_make(cells, dims, y, z);
        const run inside = ball_run(&row, within);
        out->runs[0] = inside;
        if (cells->kind == REGION_OUTSIDE && inside.from < inside.to) {
            out->count = 2;
            out->runs[0] = (run){within.from, inside.from};
            out->runs[1] = (run){inside.to, within.to};
        } else if (cells->kind == REGION_OUTSIDE) {
            out->runs[0] = within;
        }
    }
}

// The first x from `from` on whose bit is as wanted; `to` where there is none.
static int32_t next_bit(const region_row *row, run cells, bool wanted)
{
    const uint32_t end = (uint32_t)(cells.to - row->first);
    uint32_t at = (uint32_t)(cells.from - row->first);
    while (at < end) {
        const uint64_t word = wanted ? row->bits[at / 64u] : ~row->bits[at / 64u];
        const uint64_t rest = word >> at % 64u;
        if (rest) {
            at += oct_lowest_bit(rest);
            break;
        }
        at += 64u - at % 64u;
    }
    return at < end ? row->first + (int32_t)at : cells.to;
}

bool oct_region_next(region_row *row, run *out)
{
    if (row->bits) {
        out->from = next_bit(row, row->left, true);
        row->left.from = out->from;
        out->to = row->left.from = next_bit(row, row->left, false);
        return out->from < out->to;
    }
    while (row->next < row->count) {
        *out = row->runs[row->next++];
        if (out->from < out->to) {
            return true;
        }
    }
    return false;
}
