// SPDX-License-Identifier: MIT
// Clearance from cells, tile by tile: 64 cells a side, as rows of bits along x. Around a tile the
// cells that may matter are drawn into rows; each row is widened by every width that some row
// beside it needs, and the row of a cell is the union of those. A tile that nothing reaches is one
// leaf.
#include "octant/clearance.h"
#include "base/base_internal.h"
#include "octree/octree_internal.h"

#define TILE_LEVEL 6
#define TILE 64
#define WORDS 3 // of a row: the tile's, and one on each side
#define REACH_MAX OCT_CLEARANCE_CELLS_MAX

_Static_assert(REACH_MAX <= TILE, "what may matter lies in the three words of a row");

bool oct_clearance_is_some(const oct_clearance *c)
{
    return c->radius > 0.0 || c->half.x > 0.0 || c->half.y > 0.0 || c->half.z > 0.0;
}

typedef struct row {
    uint64_t words[WORDS];
} row;

// Cells of another row at a distance are in the way up to this far along x.
typedef struct offset {
    int32_t y, z;
    int32_t width; // from 0 on
} offset;

typedef struct view {
    const oct_tree *from;
    oct_tree *to;
    int dims;
    oct_box box;
    oct_array offsets;
    int32_t reach_x, reach_y, reach_z;
    int32_t rows_y, rows_z; // that are drawn for a tile
    row *drawn;             // rows_z x rows_y, of one plane
    row *wide;              // the same, for each width
    uint64_t *made;         // TILE x TILE: the tile's own, for each plane
    const oct_allocator *memory;
} view;

enum { PLANE_BLOCKED, PLANE_UNKNOWN, PLANES };

// ---- which cells matter ----

// How far cells stand off that are so many apart, less the body's half extent.
static double gap_of(int32_t apart, double half)
{
    const double gap = (apart > 0 ? apart - 1 : 0) - half;
    return gap > 0.0 ? gap : 0.0;
}

// Whether a cell is in the way of another one, so many cells away on each axis.
static bool is_near(const oct_clearance *c, double cell, int32_t x, int32_t y, int32_t z)
{
    if ((x | y | z) == 0) {
        return true;
    }
    const double half[3] = {c->half.x / cell, c->half.y / cell, c->half.z / cell};
    const int32_t apart[3] = {x, y, z};
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        const double gap = gap_of(apart[i], half[i]);
        square += gap * gap;
        // A box of no rounding: contact does not count.
        if (c->radius == 0.0 && apart[i] > 0 && !(apart[i] - 1 < half[i])) {
            return false;
        }
    }
    const double radius = c->radius / cell;
    return c->radius == 0.0 || square < radius * radius;
}

static int32_t reach_along(const oct_clearance *c, double cell, int axis)
{
    int32_t reach = 0;
    while (reach <= REACH_MAX && is_near(c, cell, axis == 0 ? reach + 1 : 0,
                                         axis == 1 ? reach + 1 : 0, axis == 2 ? reach + 1 : 0)) {
        reach++;
    }
    return reach;
}

static oct_result find_offsets(view *v, const oct_clearance *c)
{
    const double cell = oct_tree_cell_size(v->from);
    v->reach_x = reach_along(c, cell, 0);
    v->reach_y = reach_along(c, cell, 1);
    v->reach_z = v->dims == 3 ? reach_along(c, cell, 2) : 0;
    if (v->reach_x > REACH_MAX || v->reach_y > REACH_MAX || v->reach_z > REACH_MAX) {
        return OCT_ERROR_RANGE;
    }
    for (int32_t z = -v->reach_z; z <= v->reach_z; z++) {
        for (int32_t y = -v->reach_y; y <= v->reach_y; y++) {
            const int32_t dy = y < 0 ? -y : y, dz = z < 0 ? -z : z;
            offset o = {y, z, v->reach_x};
            while (o.width >= 0 && !is_near(c, cell, o.width, dy, dz)) {
                o.width--;
            }
            if (o.width >= 0) {
                OCT_TRY(oct_array_push(&v->offsets, v->memory, sizeof o, &o));
            }
        }
    }
    return OCT_OK;
}

// ---- rows ----

// A row and its neighbours on both sides.
static row widened(row a)
{
    row out = a;
    for (int i = 0; i < WORDS; i++) {
        out.words[i] |= a.words[i] << 1 | a.words[i] >> 1;
        out.words[i] |= i > 0 ? a.words[i - 1] >> 63 : 0u;
        out.words[i] |= i + 1 < WORDS ? a.words[i + 1] << 63 : 0u;
    }
    return out;
}

// Bits from first up to, not including, end, each from 0 to the row's length.
static void set_bits(row *r, int32_t first, int32_t end)
{
    for (int i = 0; i < WORDS; i++) {
        const int32_t from = first > i * TILE ? first - i * TILE : 0;
        const int32_t to = end < (i + 1) * TILE ? end - i * TILE : TILE;
        if (from < to) {
            r->words[i] |= UINT64_MAX >> (TILE - (to - from)) << from;
        }
    }
}

typedef struct drawing {
    view *v;
    oct_box part; // of the box: what may matter to the tile
    oct_vec from; // the cell of the first row's first bit
} drawing;

static void draw_cells(drawing *d, oct_box cells)
{
    const oct_box b = box_common(cells, d->part);
    for (int32_t z = b.min.z; z < b.max.z; z++) {
        for (int32_t y = b.min.y; y < b.max.y; y++) {
            row *const r = &d->v->drawn[(size_t)(z - d->from.z) * (size_t)d->v->rows_y +
                                        (size_t)(y - d->from.y)];
            set_bits(r, b.min.x - d->from.x, b.max.x - d->from.x);
        }
    }
}

static bool draw_leaf(void *ctx, const oct_leaf *leaf)
{
    oct_box cells = oct_leaf_box(*leaf);
    drawing *const d = ctx;
    if (d->v->dims == 2) {
        cells.min.z = 0;
        cells.max.z = 1;
    }
    draw_cells(d, cells);
    return true;
}

static oct_box root_cells(const view *v)
{
    const oct_cell root = oct_tree_root(v->from);
    if (root.level < 0) {
        return (oct_box){{0, 0, 0}, {0, 0, 0}};
    }
    oct_box cells = oct_leaf_box((oct_leaf){root.x, root.y, root.z, (uint8_t)root.level, 0, 0});
    if (v->dims == 2) {
        cells.min.z = 0;
        cells.max.z = 1;
    }
    return cells;
}

// What lies beyond the root is UNKNOWN, and no leaf.
static void draw_outside(drawing *d)
{
    const oct_box inside = box_common(d->part, root_cells(d->v));
    if (box_is_empty(3, &inside)) {
        draw_cells(d, d->part);
        return;
    }
    for (int side = 0; side < 6; side++) {
        oct_box b = d->part;
        int32_t *const end = side == 0 ? &b.max.x : side == 2 ? &b.max.y : &b.max.z;
        int32_t *const begin = side == 1 ? &b.min.x : side == 3 ? &b.min.y : &b.min.z;
        switch (side) {
        case 0:
            *end = inside.min.x;
            break;
        case 1:
            *begin = inside.max.x;
            break;
        case 2:
            *end = inside.min.y;
            break;
        case 3:
            *begin = inside.max.y;
            break;
        case 4:
            *end = inside.min.z;
            break;
        default:
            *begin = inside.max.z;
            break;
        }
        if (!box_is_empty(3, &b)) {
            draw_cells(d, b);
        }
    }
}

// ---- tiles ----

// Draws what has a label around a tile, and makes the rows of the tile that it reaches.
static void make_plane(view *v, oct_vec at, oct_box part, int plane)
{
    const size_t rows = (size_t)v->rows_y * (size_t)v->rows_z;
    drawing d = {v, part, {at.x - TILE, at.y - v->reach_y, at.z - v->reach_z}};
    memset(v->drawn, 0, rows * sizeof *v->drawn);
    oct_tree_leaves(v->from, part, plane == PLANE_BLOCKED ? OCT_HAS_BLOCKED : OCT_HAS_UNKNOWN,
                    draw_leaf, &d);
    if (plane == PLANE_UNKNOWN) {
        draw_outside(&d);
    }
    for (size_t i = 0; i < rows; i++) {
        row r = v->drawn[i];
        v->wide[i] = r;
        for (int32_t width = 1; width <= v->reach_x; width++) {
            r = widened(r);
            v->wide[(size_t)width * rows + i] = r;
        }
    }
    const offset *const offsets = v->offsets.items;
    const int32_t deep = v->dims == 3 ? TILE : 1;
    uint64_t *made = v->made + (size_t)plane * TILE * TILE;
    for (int32_t z = 0; z < deep; z++) {
        for (int32_t y = 0; y < TILE; y++) {
            uint64_t bits = 0;
            for (size_t i = 0; i < v->offsets.count; i++) {
                const size_t which = (size_t)(z + v->reach_z + offsets[i].z) * (size_t)v->rows_y +
                                     (size_t)(y + v->reach_y + offsets[i].y);
                bits |= v->wide[(size_t)offsets[i].width * rows + which].words[1];
            }
            *made++ = bits;
        }
    }
}

// The cells of a brick, from the rows of its tile; x, y and z count from the tile's corner.
static uint64_t take_brick(const view *v, int plane, int32_t x, int32_t y, int32_t z)
{
    const uint64_t *const made = v->made + (size_t)plane * TILE * TILE;
    uint64_t cells = 0;
    if (v->dims == 2) {
        for (int32_t i = 0; i < 64; i++) {
            const uint32_t at = morton_cell(2, (uint32_t)i);
            cells |= (made[y + (int32_t)(at >> 8)] >> (x + (int32_t)(at & 0xffu)) & 1u) << i;
        }
        return cells;
    }
    for (uint32_t j = 0; j < 4; j++) {
        for (uint32_t k = 0; k < 4; k++) {
            const uint64_t four = made[(z + (int32_t)k) * TILE + y + (int32_t)j] >> x & 0xfu;
            for (uint32_t i = 0; i < 4 && four; i++) {
                cells |= (four >> i & 1u) << morton_index(3, i, j, k);
            }
        }
    }
    return cells;
}

static uint64_t box_mask_of(const view *v, oct_vec at)
{
    const int edge = 1 << brick_level(v->dims);
    const int32_t lo[3] = {v->box.min.x - at.x, v->box.min.y - at.y, v->box.min.z - at.z};
    const int32_t hi[3] = {v->box.max.x - at.x, v->box.max.y - at.y, v->box.max.z - at.z};
    uint64_t mask = UINT64_MAX;
    for (int axis = 0; axis < v->dims; axis++) {
        const int32_t first = lo[axis] < 0 ? 0 : lo[axis] > edge ? edge : lo[axis];
        const int32_t end = hi[axis] < 0 ? 0 : hi[axis] > edge ? edge : hi[axis];
        mask &= morton_below(v->dims, axis, (uint32_t)end) &
                ~morton_below(v->dims, axis, (uint32_t)first);
    }
    return mask;
}

static oct_vec child_corner(const view *v, oct_vec at, int level, uint32_t i)
{
    const int32_t half = INT32_C(1) << (level - 1);
    return (oct_vec){at.x + (i & 1u ? half : 0), at.y + (i & 2u ? half : 0),
                     v->dims == 3 && i & 4u ? at.z + half : at.z};
}

// Builds what is below a node of a tile.
static oct_result build_part(view *v, oct_vec tile, oct_vec at, int level, uint32_t *word)
{
    if (level == brick_level(v->dims)) {
        const uint64_t blocked =
            take_brick(v, PLANE_BLOCKED, at.x - tile.x, at.y - tile.y, at.z - tile.z);
        const uint64_t unknown =
            take_brick(v, PLANE_UNKNOWN, at.x - tile.x, at.y - tile.y, at.z - tile.z);
        const uint64_t box = box_mask_of(v, at);
        return oct_tree_pack(v->to, (brick){box & (blocked | ~unknown), box & blocked}, word);
    }
    uint32_t children[8];
    for (uint32_t i = 0; i < 1u << v->dims; i++) {
        OCT_TRY(build_part(v, tile, child_corner(v, at, level, i), level - 1, &children[i]));
    }
    return oct_tree_join(v->to, children, word);
}

static int32_t clamped(int64_t at)
{
    return at < -OCT_RANGE ? -OCT_RANGE : at > OCT_RANGE ? OCT_RANGE : (int32_t)at;
}

// What of the box may matter to a node.
static oct_box around(const view *v, oct_vec at, int level)
{
    const int64_t edge = INT64_C(1) << level;
    const oct_box grown = {{clamped((int64_t)at.x - v->reach_x),
                            clamped((int64_t)at.y - v->reach_y),
                            clamped((int64_t)at.z - v->reach_z)},
                           {clamped(at.x + edge + v->reach_x), clamped(at.y + edge + v->reach_y),
                            v->dims == 3 ? clamped(at.z + edge + v->reach_z) : 1}};
    return box_common(grown, v->box);
}

static bool holds_node(const view *v, oct_vec at, int level)
{
    const int64_t edge = INT64_C(1) << level;
    const oct_box *const b = &v->box;
    return at.x >= b->min.x && at.x + edge <= b->max.x && at.y >= b->min.y &&
           at.y + edge <= b->max.y &&
           (v->dims == 2 || (at.z >= b->min.z && at.z + edge <= b->max.z));
}

static oct_result build_view(view *v, oct_vec at, int level, uint32_t *word)
{
    const oct_box part = around(v, at, level);
    *word = word_leaf(0);
    const int64_t edge = INT64_C(1) << level;
    const bool meets = at.x < v->box.max.x && at.x + edge > v->box.min.x && at.y < v->box.max.y &&
                       at.y + edge > v->box.min.y &&
                       (v->dims == 2 || (at.z < v->box.max.z && at.z + edge > v->box.min.z));
    if (!meets) {
        return OCT_OK;
    }
    const oct_labels labels = oct_tree_labels_in(v->from, part);
    if (labels == OCT_HAS_UNKNOWN) {
        return OCT_OK;
    }
    if ((labels == OCT_HAS_OPEN || labels == OCT_HAS_BLOCKED) && holds_node(v, at, level)) {
        *word = word_leaf(STATE_KNOWN | (labels == OCT_HAS_BLOCKED ? STATE_BLOCKED : 0u));
        return OCT_OK;
    }
    if (level == TILE_LEVEL) {
        memset(v->made, 0, PLANES * TILE * TILE * sizeof *v->made);
        if (labels & OCT_HAS_BLOCKED) {
            make_plane(v, at, part, PLANE_BLOCKED);
        }
        if (labels & OCT_HAS_UNKNOWN) {
            make_plane(v, at, part, PLANE_UNKNOWN);
        }
        return build_part(v, at, at, level, word);
    }
    uint32_t children[8];
    for (uint32_t i = 0; i < 1u << v->dims; i++) {
        OCT_TRY(build_view(v, child_corner(v, at, level, i), level - 1, &children[i]));
    }
    return oct_tree_join(v->to, children, word);
}

// ---- the whole ----

static oct_result build(view *v)
{
    const size_t rows = (size_t)v->rows_y * (size_t)v->rows_z;
    const size_t wide = rows * ((size_t)v->reach_x + 1u);
    const size_t made = PLANES * TILE * TILE;
    v->drawn = oct_alloc(v->memory, rows * sizeof *v->drawn, _Alignof(row));
    v->wide = oct_alloc(v->memory, wide * sizeof *v->wide, _Alignof(row));
    v->made = oct_alloc(v->memory, made * sizeof *v->made, _Alignof(uint64_t));
    oct_result result = OCT_ERROR_MEMORY;
    if (v->drawn && v->wide && v->made) {
        int level = TILE_LEVEL;
        const oct_vec at = {v->box.min.x & -8, v->box.min.y & -8,
                            v->dims == 3 ? v->box.min.z & -8 : 0};
        while (at.x + (INT64_C(1) << level) < v->box.max.x ||
               at.y + (INT64_C(1) << level) < v->box.max.y ||
               (v->dims == 3 && at.z + (INT64_C(1) << level) < v->box.max.z)) {
            level++;
        }
        uint32_t word;
        result = level < 31 ? build_view(v, at, level, &word) : OCT_ERROR_RANGE;
        if (result == OCT_OK) {
            oct_tree_plant(v->to, word, level, (corner){at.x, at.y, at.z});
        }
    }
    oct_free(v->memory, v->drawn, rows * sizeof *v->drawn);
    oct_free(v->memory, v->wide, wide * sizeof *v->wide);
    oct_free(v->memory, v->made, made * sizeof *v->made);
    return result;
}

oct_result oct_clearance_view(const oct_tree *from, oct_box box, const oct_clearance *clearance,
                              oct_tree *to)
{
    const bool fits = to->dims == from->dims && to->cell_size == from->cell_size &&
                      tree_is_blank(to) && clearance->radius >= 0.0 && clearance->half.x >= 0.0 &&
                      clearance->half.y >= 0.0 && clearance->half.z >= 0.0;
    if (!fits) {
        return OCT_ERROR_ARGUMENT;
    }
    if (from->dims == 2) {
        box.min.z = 0;
        box.max.z = 1;
    }
    if (box_is_empty(3, &box)) {
        return OCT_OK;
    }
    view v = {.from = from, .to = to, .dims = from->dims, .box = box, .memory = &to->allocator};
    oct_result result = find_offsets(&v, clearance);
    if (result == OCT_OK) {
        v.rows_y = TILE + 2 * v.reach_y;
        v.rows_z = v.dims == 3 ? TILE + 2 * v.reach_z : 1;
        result = build(&v);
    }
    oct_array_free(&v.offsets, v.memory, sizeof(offset));
    return result;
}
