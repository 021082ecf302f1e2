// SPDX-License-Identifier: MIT
// Sight of all cells around the eye: each box is taken off the rows of cells that it hides.
//
// What lies behind a convex box is convex: in a row of cells, where only x changes, a box hides one
// interval on each side of the eye. Let near (or 0), far and entry be the definition's (sight.c)
// for y and z alone, the same for the whole row. Where x > 0 the box hides the centres with
//
//   lo / far <= x <= hi / near                   the box is met ...
//   x > lo / entry and near < entry, or          ... before the cell is entered on y or z,
//   x > lo + 0.5 and x > 0.5 / (1 - near)        ... or on x
//
// So a box takes a few steps a row, however long the row is. Even the divisions by near and far
// vanish, as 1 / near and 1 / far are linear in y and z. The bounds are rounded, and are trusted
// only where no centre is next to one; such a cell is asked as the definition says. near <= far and
// near < entry come from the definition's own operations. So the bits are those of the plain loop.
//
// The grid is cut into tiles of rows, which share no word: the parts for the executor. In a tile
// the boxes come from near to far, and the tile knows which words have a bit left that a box could
// change; what lies behind walls is soon passed over.
#include "map/sight_shadow.h"

#include <math.h>

// Rows whose bounds are found at once, in vectors.
#define ROWS 4u
// Rows along y and layers along z of a tile; the rows are bits of one word.
#define TILE_Y 64u
#define TILE_Z 8u
// Stand for infinity where products and sums must stay finite.
#define FAR 0x1p200
#define NEVER 0x1p300
// A box whose distance from a plane through the eye is not 0 but less would break that.
#define TOO_NEAR 0x1p-60
// Distances from the eye that are told apart.
#define BINS 256u

OCT_FORCE_INLINE double min_of(double a, double b)
{
    return a < b ? a : b;
}

OCT_FORCE_INLINE double max_of(double a, double b)
{
    return a > b ? a : b;
}

// Lines of cells from..to - 1.
typedef struct range {
    uint32_t from, to;
} range;

OCT_FORCE_INLINE bool ranges_meet(range a, range b)
{
    return a.from < b.to && b.from < a.to;
}

// Empty, from >= to, where they share nothing.
OCT_FORCE_INLINE range range_common(range a, range b)
{
    return (range){a.from > b.from ? a.from : b.from, a.to < b.to ? a.to : b.to};
}

// ---- what is prepared ----

// Before, level with and beyond the eye on an axis.
enum { BEFORE, LEVEL, BEYOND, SIDES };

// The ways to all cells of an axis. Level lines have 1 for the length and its inverse.
typedef struct lines {
    double *length, *inverse, *entry;
    double *entry_inverse; // FAR where the entry is not ahead
    range side[SIDES];
} lines;

// A box that may hide something.
typedef struct shade {
    range y, z;     // lines in which it may
    sight_box box;  // relative to the eye
    double stretch; // no cell in reach is farther away than a point of the box times this
    bool plain;     // all cells are asked one by one
    bool soft;
    range own[SIGHT_AXES];    // soft: lines whose middles it holds
    const sight_solid *solid; // NULL = it is all of its box
    size_t first, planes;     // of a solid, of its shadow
} shade;

typedef struct caster {
    const sight *s;
    bit_grid *seen;
    uint32_t size[SIGHT_AXES];
    double first[SIGHT_AXES]; // the way to the first line of each axis
    uint32_t right;           // the first column that is not before the eye
    lines y, z;
    double within;
    double reach;  // no cell that is asked for is farther away
    double margin; // a bound is trusted so far away from it
    shade *shades; // from near to far
    size_t shade_count;
    oct_array planes; // of shadow_plane
    uint64_t *alive;  // of the workers' tiles
    uint32_t tiles_y;
} caster;

// The lines of an axis whose centres lie from lo to hi, or are next to it.
static range range_of(const caster *c, int axis, double lo, double hi)
{
    const double size = (double)c->size[axis], base = c->first[axis];
    const double from = lo - base - c->margin, to = hi - base + c->margin + 1.0;
    return (range){(uint32_t)min_of(max_of(from, 0.0), size),
                   (uint32_t)min_of(max_of(to, 0.0), size)};
}

// The lines that the box meets on an axis when it is stretched by factors from least to most.
static range range_swept(const caster *c, int axis, const sight_box *box, double least, double most)
{
    const double lo = box->lo[axis], hi = box->hi[axis];
    return range_of(c, axis, lo * (lo < 0.0 ? most : least), hi * (hi > 0.0 ? most : least));
}

static bool too_near(double v)
{
    return v != 0.0 && fabs(v) < TOO_NEAR;
}

// The way to line i of an axis; those of the others are to the first lines.
static sight_way way_to_line(const caster *c, int axis, uint32_t i)
{
    const oct_vec min = c->seen->box.min;
    sight_way ways[SIGHT_AXES];
    oct_sight_ways(c->s,
                   (oct_vec){min.x + (axis == 0 ? (int32_t)i : 0),
                             min.y + (axis == 1 ? (int32_t)i : 0),
                             min.z + (axis == 2 ? (int32_t)i : 0)},
                   ways);
    return ways[axis];
}

// The lines of an axis whose middles a box holds: as the definition says.
static range lines_held(const caster *c, int axis, const sight_box *box)
{
    range in = range_of(c, axis, box->lo[axis], box->hi[axis]);
    while (in.from < in.to) {
        const sight_way way = way_to_line(c, axis, in.from);
        if (sight_holds_on(box, axis, &way)) {
            break;
        }
        in.from++;
    }
    while (in.from < in.to) {
        const sight_way way = way_to_line(c, axis, in.to - 1u);
        if (sight_holds_on(box, axis, &way)) {
            break;
        }
        in.to--;
    }
    return in;
}

static shade shade_make(const caster *c, const sight_box *box, double distance, bool is_soft)
{
    shade sh = {.y = {0, c->size[1]}, .z = {0, c->size[2]}, .box = *box, .soft = is_soft};
    for (int a = 0; is_soft && a < SIGHT_AXES; a++) {
        sh.own[a] = lines_held(c, a, box);
    }
    for (int a = 0; a < SIGHT_AXES; a++) {
        sh.plain = sh.plain || too_near(box->lo[a]) || too_near(box->hi[a]);
    }
    if (!sh.plain) {
        sh.stretch = (c->reach + 1.0) / distance;
        sh.y = range_swept(c, 1, box, 1.0, sh.stretch);
        sh.z = range_swept(c, 2, box, 1.0, sh.stretch);
    }
    return sh;
}

static const sight_solid *solid_of(const caster *c, uint32_t index)
{
    return c->s->solids && c->s->solids[index].count > 0 ? &c->s->solids[index] : NULL;
}

// So near to a solid's box, in cells, it is not said which rows it may hide.
#define SOLID_NEAR 1e-3

// A solid that does not hold the eye; its box may.
static oct_result shade_make_solid(caster *c, const oct_allocator *allocator, uint32_t index,
                                   const sight_box *box, double distance, shade *out)
{
    bool is_sure;
    *out = (shade){.y = {0, c->size[1]}, .z = {0, c->size[2]}, .box = *box};
    out->solid = solid_of(c, index);
    out->soft = sight_is_soft(c->s, index);
    out->first = c->planes.count;
    OCT_TRY(oct_sight_shadow(c->s, out->solid, allocator, &c->planes, &is_sure));
    // Which cells something soft holds the middles of is asked one by one.
    out->planes = out->soft ? 0 : c->planes.count - out->first;
    bool is_near = distance <= SOLID_NEAR;
    for (int a = 0; a < SIGHT_AXES; a++) {
        is_near = is_near || too_near(box->lo[a]) || too_near(box->hi[a]);
    }
    if (!is_near) {
        out->stretch = (c->reach + 1.0) / distance;
        out->y = range_swept(c, 1, box, 1.0, out->stretch);
        out->z = range_swept(c, 2, box, 1.0, out->stretch);
    }
    return OCT_OK;
}

// Which bin a box belongs to; BINS if it hides nothing in reach.
static uint32_t bin_of(const caster *c, uint32_t index, sight_box *box, double *distance)
{
    const sight_solid *const solid = solid_of(c, index);
    if (!oct_sight_relative(c->s, &c->s->boxes[index], box) && !solid) {
        return BINS;
    }
    if (solid && oct_sight_solid_holds(c->s, solid)) {
        return BINS;
    }
    double square = 0.0;
    for (int a = 0; a < SIGHT_AXES; a++) {
        const double gap = max_of(max_of(box->lo[a], -box->hi[a]), 0.0);
        square += gap * gap;
    }
    *distance = sqrt(square);
    const double end = c->reach + 1.0;
    return *distance < end ? (uint32_t)(*distance / end * (BINS - 1)) : BINS;
}

static oct_result sort_boxes(caster *c, const oct_allocator *allocator)
{
    uint32_t starts[BINS + 2] = {0};
    sight_box box;
    double distance;
    for (uint32_t i = 0; i < c->s->box_count; i++) {
        starts[bin_of(c, i, &box, &distance) + 1]++;
    }
    for (uint32_t bin = 0; bin < BINS; bin++) {
        starts[bin + 1] += starts[bin];
    }
    c->shade_count = starts[BINS];
    for (uint32_t i = 0; i < c->s->box_count; i++) {
        const uint32_t bin = bin_of(c, i, &box, &distance);
        if (bin < BINS && solid_of(c, i)) {
            shade *const sh = &c->shades[starts[bin]++];
            OCT_TRY(shade_make_solid(c, allocator, i, &box, distance, sh));
        } else if (bin < BINS) {
            c->shades[starts[bin]++] = shade_make(c, &box, distance, sight_is_soft(c->s, i));
        }
    }
    return OCT_OK;
}

// Enters the way to line i; the lines come in order, and those beyond `count` are never asked for.
static void set_line(lines *l, uint32_t i, uint32_t count, sight_way way)
{
    const bool level = way.length == 0.0;
    l->length[i] = level ? 1.0 : way.length;
    l->inverse[i] = level ? 1.0 : way.inverse;
    l->entry[i] = way.entry;
    l->entry_inverse[i] = way.entry > 0.0 ? min_of(1.0 / way.entry, FAR) : FAR;
    if (i < count) {
        range *side = &l->side[level ? LEVEL : way.length < 0.0 ? BEFORE : BEYOND];
        side->from = side->to ? side->from : i;
        side->to = i + 1u;
    }
}

static void fill_lines(caster *c)
{
    const oct_vec min = c->seen->box.min;
    sight_way ways[SIGHT_AXES];
    for (uint32_t i = 0; i < c->size[1] + ROWS; i++) {
        oct_sight_ways(c->s, (oct_vec){min.x, min.y + (int32_t)i, min.z}, ways);
        set_line(&c->y, i, c->size[1], ways[1]);
    }
    for (uint32_t i = 0; i < c->size[2]; i++) {
        oct_sight_ways(c->s, (oct_vec){min.x, min.y, min.z + (int32_t)i}, ways);
        set_line(&c->z, i, c->size[2], ways[2]);
    }
}

// ---- the bounds of a box in some rows ----

// A box on one side of the eye on y or z. On a line it is met from near * inverse to far * inverse,
// and 1 / those are near_inverse * length and far_inverse * length.
typedef struct face {
    double near, far;
    double near_inverse; // as if near were next to nothing where it is not ahead
    double far_inverse;
    bool met;
} face;

static face face_of(const sight_box *box, int axis, int side)
{
    const double lo = box->lo[axis], hi = box->hi[axis];
    switch (side) {
    case BEFORE:
        return (face){hi, lo, hi < 0.0 ? 1.0 / hi : -FAR, 1.0 / lo, lo < 0.0};
    case LEVEL:
        return (face){0.0, FAR, FAR, 0.0, lo <= 0.0 && hi >= 0.0};
    default:
        return (face){lo, hi, lo > 0.0 ? 1.0 / lo : FAR, 1.0 / hi, hi > 0.0};
    }
}

// A box in one layer, on one side of the eye on x and y. To the left of the eye x is mirrored.
typedef struct beam {
    face y;
    double near, far; // of z; at least 0, at most 1
    double near_inverse, far_inverse;
    double entry, entry_inverse;
    double lo, hi; // of x
    double base;   // the column where x is 0, plus 1: truncating finds the next one
    double begin, end;
    double margin;
} beam;

// In each row the columns from..to - 1 are hidden, and only begin..end - 1 may be.
typedef struct bounds {
    int32_t begin[ROWS], from[ROWS], to[ROWS], end[ROWS];
} bounds;

// The first column of the side whose centre lies beyond x, which counts from `base`.
OCT_FORCE_INLINE int32_t column(const beam *b, double x)
{
    return (int32_t)min_of(max_of(x, b->begin), b->end);
}

// Written so that compilers make vectors of it: what depends on a comparison is added.
OCT_FORCE_INLINE void find_bounds(const lines *y, const beam *b, uint32_t row, bool left,
                                  bounds *out)
{
    const double *length = y->length + row, *inverse = y->inverse + row;
    const double *entry_y = y->entry + row, *entry_inverse_y = y->entry_inverse + row;
    for (uint32_t r = 0; r < ROWS; r++) {
        const double near = max_of(b->y.near * inverse[r], b->near);
        const double far = min_of(b->y.far * inverse[r], b->far);
        const double near_inverse = min_of(b->y.near_inverse * length[r], b->near_inverse);
        const double far_inverse = max_of(b->y.far_inverse * length[r], b->far_inverse);
        const double entry = max_of(entry_y[r], b->entry);
        const double entry_inverse = min_of(entry_inverse_y[r], b->entry_inverse);

        const double before_yz = b->lo * entry_inverse + (near < entry ? 0.0 : NEVER);
        const double before_x = max_of(b->lo + 0.5, 0.5 / (1.0 - near));
        const double first =
            max_of(b->lo * far_inverse, min_of(before_yz, before_x)) + (near <= far ? 0.0 : NEVER);
        const double last = b->hi * near_inverse;

        const double from = b->base + (left ? -last : first);
        const double to = b->base + (left ? -first : last);
        out->begin[r] = column(b, from - b->margin);
        out->from[r] = column(b, from + b->margin);
        out->to[r] = column(b, to - b->margin);
        out->end[r] = column(b, to + b->margin);
    }
}

static OCT_NO_INLINE void bounds_right(const lines *y, const beam *b, uint32_t row, bounds *out)
{
    find_bounds(y, b, row, false, out);
}

static OCT_NO_INLINE void bounds_left(const lines *y, const beam *b, uint32_t row, bounds *out)
{
    find_bounds(y, b, row, true, out);
}

// ---- tiles ----

typedef struct tile {
    const caster *c;
    range y, z;
    uint64_t *alive;      // for each word of each layer, the rows that have a bit left in it
    uint32_t alive_count; // bits in it
} tile;

// The words of a row, and which bit it is in the words of its tile.
typedef struct row {
    uint64_t *seen;
    uint64_t *alive;
    uint64_t bit;
    uint32_t y, z;
} row;

static row row_at(const tile *t, uint32_t y, uint32_t z)
{
    const bit_grid *seen = t->c->seen;
    return (row){bit_grid_row(seen, y, z), t->alive + (z - t->z.from) * seen->row_words,
                 UINT64_C(1) << (y - t->y.from), y, z};
}

// The bits from..to - 1 of a row that are in one of its words; there is one.
OCT_FORCE_INLINE uint64_t word_mask(uint32_t word, uint32_t from, uint32_t to)
{
    const uint32_t start = word * 64u;
    const uint64_t low = from > start ? UINT64_MAX << (from - start) : UINT64_MAX;
    return to < start + 64u ? low & ~(UINT64_MAX << (to - start)) : low;
}

// One box hides the cells from..to - 1 of a row; from < to.
OCT_FORCE_INLINE void hide(tile *t, const row *at, uint32_t from, uint32_t to)
{
    for (uint32_t w = from / 64u; w <= (to - 1u) / 64u; w++) {
        at->seen[w] &= ~word_mask(w, from, to);
        if (at->seen[w] == 0 && at->alive[w] & at->bit) {
            at->alive[w] &= ~at->bit;
            t->alive_count--;
        }
    }
}

static bool solid_hides(const sight *s, const shade *sh, const sight_way ways[SIGHT_AXES])
{
    return oct_sight_solid_meets(s, sh->solid, ways) &&
           !(sh->soft && oct_sight_solid_holds_centre(s, sh->solid, ways));
}

// Hides those of the cells from..to - 1 that the definition says.
static OCT_NO_INLINE void hide_asked(tile *t, const row *at, const shade *sh, uint32_t from,
                                     uint32_t to)
{
    const oct_vec min = t->c->seen->box.min;
    const sight_box *const box = &sh->box;
    for (uint32_t x = from; x < to; x++) {
        sight_way ways[SIGHT_AXES];
        oct_sight_ways(
            t->c->s, (oct_vec){min.x + (int32_t)x, min.y + (int32_t)at->y, min.z + (int32_t)at->z},
            ways);
        if (sh->solid ? solid_hides(t->c->s, sh, ways)
                      : oct_sight_meets(box, ways) && !(sh->soft && oct_sight_holds(box, ways))) {
            hide(t, at, x, x + 1u);
        }
    }
}

OCT_FORCE_INLINE bool is_in(range a, uint32_t line)
{
    return line >= a.from && line < a.to;
}

// A soft box hides the cells from..to - 1 of a row, but for those whose middles it holds.
static OCT_NO_INLINE void hide_but_own(tile *t, const row *at, const shade *sh, uint32_t from,
                                       uint32_t to)
{
    const range own = range_common(sh->own[0], (range){from, to});
    if (own.from >= own.to || !is_in(sh->own[1], at->y) || !is_in(sh->own[2], at->z)) {
        hide(t, at, from, to);
        return;
    }
    if (from < own.from) {
        hide(t, at, from, own.from);
    }
    if (own.to < to) {
        hide(t, at, own.to, to);
    }
}

static void shade_rows(tile *t, const shade *sh, const beam *b, bool left, range y, uint32_t z)
{
    const size_t step = t->c->seen->row_words;
    row at = row_at(t, y.from, z);
    for (uint32_t start = y.from; start < y.to; start += ROWS) {
        bounds x;
        (left ? bounds_left : bounds_right)(&t->c->y, b, start, &x);
        for (uint32_t r = 0; r < ROWS && start + r < y.to; r++) {
            const uint32_t begin = (uint32_t)x.begin[r], from = (uint32_t)x.from[r];
            const uint32_t to = (uint32_t)x.to[r], end = (uint32_t)x.end[r];
            if (from < to && OCT_UNLIKELY(sh->soft)) {
                hide_but_own(t, &at, sh, from, to);
            } else if (from < to) {
                hide(t, &at, from, to);
            }
            if (OCT_UNLIKELY(begin < end && (begin != from || to != end))) {
                hide_asked(t, &at, sh, begin, from < end ? from : end);
                hide_asked(t, &at, sh, from < to ? to : from, end);
            }
            at.seen += step;
            at.bit <<= 1;
            at.y++;
        }
    }
}

// The first to the last of the rows y that have a bit left in the columns x.
static range alive_rows(const tile *t, range x, range y, uint32_t z)
{
    if (x.from >= x.to || y.from >= y.to) {
        return (range){0, 0};
    }
    const uint64_t *alive = t->alive + (z - t->z.from) * t->c->seen->row_words;
    uint64_t rows = 0;
    for (uint32_t w = x.from / 64u; w <= (x.to - 1u) / 64u; w++) {
        rows |= alive[w];
    }
    rows &= word_mask(0, y.from - t->y.from, y.to - t->y.from);
    const uint32_t base = t->y.from;
    return rows ? (range){base + oct_lowest_bit(rows), base + oct_bit_length(rows)} : (range){0, 0};
}

static void shade_layer(tile *t, const shade *sh, const face ys[SIDES], const face *zs, uint32_t z)
{
    const caster *c = t->c;
    const sight_box *box = &sh->box;
    beam b;
    b.near = max_of(zs->near * c->z.inverse[z], 0.0);
    // What is met later than at 1 hides nothing.
    b.far = min_of(zs->far * c->z.inverse[z], 1.0);
    b.near_inverse = zs->near_inverse * c->z.length[z];
    b.far_inverse = zs->far_inverse * c->z.length[z];
    b.entry = c->z.entry[z];
    b.entry_inverse = c->z.entry_inverse[z];
    b.base = 1.0 - c->first[0];
    b.margin = c->margin;
    // A hidden centre is a point of the box, times 1 by the time at which that is met.
    const double least = max_of(b.far_inverse, 1.0), most = min_of(b.near_inverse, sh->stretch);
    const range x = range_swept(c, 0, box, least, most);
    const range y = range_common(range_swept(c, 1, box, least, most), t->y);
    const range rows = alive_rows(t, x, y, z);
    for (int side = BEFORE; side < SIDES; side++) {
        const range part = range_common(rows, c->y.side[side]);
        if (part.from >= part.to || !ys[side].met) {
            continue;
        }
        b.y = ys[side];
        if (box->hi[0] >= 0.0) {
            b.lo = box->lo[0], b.hi = box->hi[0], b.begin = c->right, b.end = c->size[0];
            shade_rows(t, sh, &b, false, part, z);
        }
        if (box->lo[0] < 0.0) {
            b.lo = -box->hi[0], b.hi = -box->lo[0], b.begin = 0.0, b.end = c->right;
            shade_rows(t, sh, &b, true, part, z);
        }
    }
}

// ---- what is not all of its box ----

// What a plane's side may be off, in cells; what changes less along a row than TINY a cell does not
// change.
#define SOLID_MARGIN 1e-7
#define TINY 1e-12

// A stretch of a row, from the eye.
typedef struct stretch {
    double from, to;
} stretch;

// Cuts a stretch to where slope * x >= least.
OCT_FORCE_INLINE void cut(stretch *s, double slope, double least)
{
    if (slope > TINY) {
        s->from = max_of(s->from, least / slope);
    } else if (slope < -TINY) {
        s->to = min_of(s->to, least / slope);
    } else if (least > 0.0) {
        s->to = -NEVER;
    }
}

// Columns of a stretch, grown by a margin of them or made smaller.
static range columns(const caster *c, stretch s, double margin, range within)
{
    const double from = max_of(s.from - margin - c->first[0], (double)within.from);
    const double to = min_of(s.to + margin - c->first[0], (double)within.to - 1.0);
    return from <= to ? (range){(uint32_t)ceil(from), (uint32_t)floor(to) + 1u} : (range){0, 0};
}

// Hides what a solid hides of one row.
static void shade_solid_row(tile *t, const shade *sh, const row *at, range within)
{
    const caster *c = t->c;
    const double y = c->first[1] + (double)at->y,
                 z = c->s->dims == 3 ? c->first[2] + (double)at->z : 0.0;
    const shadow_plane *const planes = (const shadow_plane *)c->planes.items + sh->first;
    const double ends = c->reach + 2.0;
    stretch any = {-ends, ends}, all = {-ends, ends};
    if (sh->planes == 0) {
        hide_asked(t, at, sh, within.from, within.to);
        return;
    }
    for (size_t i = 0; i < sh->planes; i++) {
        const shadow_plane *const p = &planes[i];
        const double least = p->w - p->n[1] * y - p->n[2] * z;
        cut(&any, p->n[0], least - SOLID_MARGIN);
        cut(&all, p->n[0], least + p->thick + SOLID_MARGIN);
        if (any.from > any.to) {
            return;
        }
    }
    const range asked = columns(c, any, c->margin, within);
    const range sure = columns(c, all, -c->margin, asked);
    if (asked.from >= asked.to) {
        return;
    }
    if (sure.from < sure.to) {
        hide(t, at, sure.from, sure.to);
        hide_asked(t, at, sh, asked.from, sure.from);
        hide_asked(t, at, sh, sure.to, asked.to);
    } else {
        hide_asked(t, at, sh, asked.from, asked.to);
    }
}

static void shade_solid_layer(tile *t, const shade *sh, const face *zs, uint32_t z)
{
    const caster *c = t->c;
    const sight_box *box = &sh->box;
    range x = {0, c->size[0]}, y = range_common(sh->y, t->y);
    if (sh->stretch > 0.0) {
        const double least = max_of(zs->far_inverse * c->z.length[z], 1.0);
        const double most = min_of(zs->near_inverse * c->z.length[z], sh->stretch);
        x = range_swept(c, 0, box, least, most);
        y = range_common(range_swept(c, 1, box, least, most), y);
    }
    const range rows = alive_rows(t, x, y, z);
    for (uint32_t i = rows.from; i < rows.to; i++) {
        const row at = row_at(t, i, z);
        shade_solid_row(t, sh, &at, x);
    }
}

static void shade_solid(tile *t, const shade *sh)
{
    for (int side = BEFORE; side < SIDES; side++) {
        const range z = range_common(range_common(sh->z, t->z), t->c->z.side[side]);
        const face zs = face_of(&sh->box, 2, side);
        for (uint32_t k = z.from; (zs.met || !(sh->stretch > 0.0)) && k < z.to; k++) {
            shade_solid_layer(t, sh, &zs, k);
        }
    }
}

static void shade_plain(tile *t, const shade *sh)
{
    for (uint32_t z = t->z.from; z < t->z.to; z++) {
        for (uint32_t y = t->y.from; y < t->y.to; y++) {
            const row at = row_at(t, y, z);
            hide_asked(t, &at, sh, 0, t->c->size[0]);
        }
    }
}

static void shade_tile(tile *t, const shade *sh)
{
    if (sh->plain || sh->solid) {
        (sh->solid ? shade_solid : shade_plain)(t, sh);
        return;
    }
    face ys[SIDES];
    for (int side = BEFORE; side < SIDES; side++) {
        ys[side] = face_of(&sh->box, 1, side);
    }
    for (int side = BEFORE; side < SIDES; side++) {
        const range z = range_common(range_common(sh->z, t->z), t->c->z.side[side]);
        const face zs = face_of(&sh->box, 2, side);
        for (uint32_t k = z.from; zs.met && k < z.to; k++) {
            shade_layer(t, sh, ys, &zs, k);
        }
    }
}

// ---- what is within reach ----

// How far a cell is from the eye on an axis.
static double gap_to(double eye, int32_t cell)
{
    return max_of(max_of((double)cell - eye, eye - ((double)cell + 1.0)), 0.0);
}

static bool in_reach(const caster *c, uint32_t x, double square)
{
    const double gap = gap_to(c->s->eye.x, c->seen->box.min.x + (int32_t)x);
    return gap * gap + square < c->within * c->within;
}

// The columns in reach of a row whose distance has that square. The root only guesses.
static range row_reach(const caster *c, double square)
{
    const double left = c->within * c->within - square;
    if (left < 0.0) {
        return (range){0, 0};
    }
    const double half = min_of(sqrt(left), FAR) + 0.5;
    range x = range_of(c, 0, -half, half);
    while (x.from < x.to && !in_reach(c, x.from, square)) {
        x.from++;
    }
    while (x.from < x.to && !in_reach(c, x.to - 1u, square)) {
        x.to--;
    }
    return x;
}

// Sets the bits of the cells in reach, as if there were no boxes.
static void open_row(tile *t, const row *at, double square)
{
    const range x = row_reach(t->c, square);
    for (uint32_t w = 0; w < t->c->seen->row_words; w++) {
        const bool any = x.from < x.to && ranges_meet(x, (range){w * 64u, w * 64u + 64u});
        at->seen[w] = any ? word_mask(w, x.from, x.to) : 0;
        at->alive[w] |= any ? at->bit : 0;
        t->alive_count += any;
    }
}

static void open_tile(tile *t)
{
    const sight *s = t->c->s;
    const oct_vec min = t->c->seen->box.min;
    memset(t->alive, 0, TILE_Z * t->c->seen->row_words * sizeof *t->alive);
    for (uint32_t z = t->z.from; z < t->z.to; z++) {
        const double gap_z = s->dims == 3 ? gap_to(s->eye.z, min.z + (int32_t)z) : 0.0;
        for (uint32_t y = t->y.from; y < t->y.to; y++) {
            const double gap_y = gap_to(s->eye.y, min.y + (int32_t)y);
            const row at = row_at(t, y, z);
            open_row(t, &at, gap_y * gap_y + gap_z * gap_z);
        }
    }
}

static void cast_tile(void *arg, uint32_t index, uint32_t worker)
{
    const caster *c = arg;
    const range all_y = {0, c->size[1]}, all_z = {0, c->size[2]};
    const uint32_t y = index % c->tiles_y * TILE_Y, z = index / c->tiles_y * TILE_Z;
    tile t = {.c = c,
              .y = range_common((range){y, y + TILE_Y}, all_y),
              .z = range_common((range){z, z + TILE_Z}, all_z),
              .alive = c->alive + worker * TILE_Z * c->seen->row_words};
    open_tile(&t);
    for (size_t i = 0; i < c->shade_count && t.alive_count > 0; i++) {
        const shade *sh = &c->shades[i];
        if (ranges_meet(sh->z, t.z) && ranges_meet(sh->y, t.y)) {
            shade_tile(&t, sh);
        }
    }
}

// ---- cast ----

static uint32_t first_right(const caster *c)
{
    const oct_vec min = c->seen->box.min;
    range in = {0, c->size[0]};
    while (in.from < in.to) {
        const uint32_t middle = in.from + (in.to - in.from) / 2u;
        sight_way ways[SIGHT_AXES];
        oct_sight_ways(c->s, (oct_vec){min.x + (int32_t)middle, min.y, min.z}, ways);
        if (ways[0].length < 0.0) {
            in.from = middle + 1u;
        } else {
            in.to = middle;
        }
    }
    return in.from;
}

static caster caster_make(const sight *s, double within, bit_grid *seen)
{
    const bool deep = s->dims == 3;
    const oct_vec min = seen->box.min, max = seen->box.max;
    caster c = {.s = s,
                .seen = seen,
                .size = {(uint32_t)(max.x - min.x), (uint32_t)(max.y - min.y),
                         deep ? (uint32_t)(max.z - min.z) : 1u},
                .first = {(double)min.x + 0.5 - s->eye.x, (double)min.y + 0.5 - s->eye.y,
                          deep ? (double)min.z + 0.5 - s->eye.z : 0.0},
                .within = within};
    double square = 0.0;
    for (int a = 0; a < SIGHT_AXES; a++) {
        const double last = c.first[a] + (double)c.size[a];
        const double most = max_of(fabs(c.first[a]), fabs(last));
        square += most * most;
    }
    c.reach = min_of(within, sqrt(square));
    // Bounds have a relative error of some 2^-51, that of 0.5 / (1 - near) as many times more as x
    // is large. The margin is well above both, and far below a cell.
    c.margin = 0x1p-45 * (c.reach + 2.0) * (c.reach + 2.0);
    c.tiles_y = (c.size[1] + TILE_Y - 1u) / TILE_Y;
    c.right = first_right(&c);
    return c;
}

// Bytes of the tables, of the workers' tiles and of all; false where they cannot be counted.
static bool count_memory(const caster *c, uint32_t workers, size_t *tables, size_t *alive,
                         size_t *all)
{
    size_t shades;
    *tables = 4 * ((size_t)c->size[1] + c->size[2] + 2 * ROWS) * sizeof(double);
    return oct_size_mul(c->s->box_count, sizeof(shade), &shades) &&
           oct_size_mul(TILE_Z * c->seen->row_words * sizeof(uint64_t), workers, alive) &&
           oct_size_add(*tables, *alive, all) && oct_size_add(*all, shades, all);
}

// Takes memory for a table; returns where the rest begins.
static double *take_lines(lines *l, double *memory, uint32_t count)
{
    const size_t length = (size_t)count + ROWS;
    *l = (lines){.length = memory,
                 .inverse = memory + length,
                 .entry = memory + 2 * length,
                 .entry_inverse = memory + 3 * length};
    return memory + 4 * length;
}

oct_result oct_sight_cast(const sight *s, double within, const oct_executor *executor,
                          const oct_allocator *allocator, bit_grid *seen)
{
    OCT_ASSERT(within >= 0.0);
    if (box_is_empty(s->dims, &seen->box)) {
        return OCT_OK;
    }
    caster c = caster_make(s, within, seen);
    size_t tables, alive, all;
    if (!count_memory(&c, executor ? executor->workers : 1u, &tables, &alive, &all)) {
        return OCT_ERROR_MEMORY;
    }
    char *memory = oct_alloc(allocator, all, _Alignof(max_align_t));
    if (!memory) {
        return OCT_ERROR_MEMORY;
    }
    take_lines(&c.z, take_lines(&c.y, (double *)memory, c.size[1]), c.size[2]);
    c.alive = (uint64_t *)(memory + tables);
    c.shades = (shade *)(memory + tables + alive);
    fill_lines(&c);
    const oct_result result = sort_boxes(&c, allocator);
    if (result != OCT_OK) {
        oct_array_free(&c.planes, allocator, sizeof(shadow_plane));
        oct_free(allocator, memory, all);
        return result;
    }
    const uint32_t tiles = c.tiles_y * ((c.size[2] + TILE_Z - 1u) / TILE_Z);
    if (executor) {
        executor->run(executor->ctx, tiles, cast_tile, &c);
    } else {
        for (uint32_t i = 0; i < tiles; i++) {
            cast_tile(&c, i, 0);
        }
    }
    oct_array_free(&c.planes, allocator, sizeof(shadow_plane));
    oct_free(allocator, memory, all);
    return OCT_OK;
}
