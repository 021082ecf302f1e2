// SPDX-License-Identifier: MIT
#include "view/mesh.h"
#include "base/base_internal.h"

#include <string.h>

#define EDGE (VIEW_CHUNK + 2) // with the parts around the chunk

struct view_mesher {
    oct_allocator allocator;
    oct_array solid, faded; // view_quad
    uint8_t parts[EDGE][EDGE][EDGE];
    uint8_t mask[VIEW_CHUNK][VIEW_CHUNK];
};

oct_result oct_view_mesher_create(const oct_allocator *may_be_null, view_mesher **out)
{
    const oct_allocator allocator = oct_allocator_or_default(may_be_null);
    *out = oct_alloc(&allocator, sizeof **out, _Alignof(view_mesher));
    if (!*out) {
        return OCT_ERROR_MEMORY;
    }
    (*out)->allocator = allocator;
    (*out)->solid = (*out)->faded = (oct_array){0};
    return OCT_OK;
}

void oct_view_mesher_destroy(view_mesher *mesher)
{
    if (mesher) {
        const oct_allocator allocator = mesher->allocator;
        oct_array_free(&mesher->solid, &allocator, sizeof(view_quad));
        oct_array_free(&mesher->faded, &allocator, sizeof(view_quad));
        oct_free(&allocator, mesher, sizeof *mesher);
    }
}

uint8_t oct_view_part(const view_mesher *mesher, int x, int y, int z)
{
    return mesher->parts[z + 1][y + 1][x + 1];
}

// ---- painting ----

typedef struct painter {
    view_mesher *mesher;
    const view_look *look;
    view_chunk chunk;
} painter;

// Parts, the first and behind the last, counted with those around the chunk.
typedef struct span {
    int from, to;
} span;

// The parts that hold the cells from `from` to before `to`.
static span span_of(int64_t from, int64_t to, int64_t first, uint32_t lod)
{
    const int64_t base = first - ((int64_t)1 << lod);
    const int64_t lo = from < base ? 0 : (from - base) >> lod;
    const int64_t hi = to <= base ? 0 : ((to - 1 - base) >> lod) + 1;
    return (span){(int)(lo < EDGE ? lo : EDGE), (int)(hi < EDGE ? hi : EDGE)};
}

static uint32_t rank_of(const view_look *look, uint8_t paint)
{
    return paint + (((look->solid | look->faded) >> paint & 1u) ? VIEW_PAINTS : 0u);
}

static void paint_box(const painter *p, oct_box box, uint8_t paint)
{
    const oct_vec at = p->chunk.at;
    const span xs = span_of(box.min.x, box.max.x, at.x, p->chunk.lod);
    const span ys = span_of(box.min.y, box.max.y, at.y, p->chunk.lod);
    const span zs = span_of(box.min.z, box.max.z, at.z, p->chunk.lod);
    const uint32_t rank = rank_of(p->look, paint);
    for (int z = zs.from; z < zs.to; z++) {
        for (int y = ys.from; y < ys.to; y++) {
            uint8_t *const row = p->mesher->parts[z][y];
            if (p->chunk.lod == 0) {
                if (xs.to > xs.from) {
                    memset(row + xs.from, paint, (size_t)(xs.to - xs.from));
                }
                continue;
            }
            for (int x = xs.from; x < xs.to; x++) {
                row[x] = rank > rank_of(p->look, row[x]) ? paint : row[x];
            }
        }
    }
}

static oct_box clip(oct_box a, oct_box b)
{
    oct_box out = {{a.min.x > b.min.x ? a.min.x : b.min.x, a.min.y > b.min.y ? a.min.y : b.min.y,
                    a.min.z > b.min.z ? a.min.z : b.min.z},
                   {a.max.x < b.max.x ? a.max.x : b.max.x, a.max.y < b.max.y ? a.max.y : b.max.y,
                    a.max.z < b.max.z ? a.max.z : b.max.z}};
    return out;
}

static bool is_empty(oct_box box)
{
    return box.min.x >= box.max.x || box.min.y >= box.max.y || box.min.z >= box.max.z;
}

static bool paint_leaf(void *ctx, const oct_leaf *leaf)
{
    const painter *const p = ctx;
    const oct_box box = clip(oct_leaf_box(*leaf), p->look->box);
    if (!is_empty(box)) {
        paint_box(p, box, p->look->paint(p->look->ctx, leaf));
    }
    return true;
}

static int32_t in_range(int64_t value)
{
    return (int32_t)(value < -OCT_RANGE ? -OCT_RANGE : value > OCT_RANGE ? OCT_RANGE : value);
}

// What the tree's root does not reach of a box is unknown.
static void paint_outside(const painter *p, const oct_tree *tree, oct_box box)
{
    const oct_leaf outside = {.label = OCT_UNKNOWN, .level = OCT_LEVEL_OUTSIDE};
    const uint8_t paint = p->look->paint(p->look->ctx, &outside);
    const oct_cell root = oct_tree_root(tree);
    if (root.level < 0) {
        paint_box(p, box, paint);
        return;
    }
    const oct_box inside =
        clip(box, oct_leaf_box((oct_leaf){root.x, root.y, root.z, (uint8_t)root.level, 0, 0}));
    if (is_empty(inside)) {
        paint_box(p, box, paint);
        return;
    }
    const oct_vec from = box.min, to = box.max, in = inside.min, out = inside.max;
    const oct_box sides[6] = {{from, {in.x, to.y, to.z}},
                              {{out.x, from.y, from.z}, to},
                              {{in.x, from.y, from.z}, {out.x, in.y, to.z}},
                              {{in.x, out.y, from.z}, {out.x, to.y, to.z}},
                              {{in.x, in.y, from.z}, {out.x, out.y, in.z}},
                              {{in.x, in.y, out.z}, {out.x, out.y, to.z}}};
    for (int i = 0; i < 6; i++) {
        if (!is_empty(sides[i])) {
            paint_box(p, sides[i], paint);
        }
    }
}

static bool paint_parts(const painter *p, const oct_tree *tree)
{
    const int64_t edge = (int64_t)1 << p->chunk.lod, width = edge * (VIEW_CHUNK + 1);
    const oct_vec at = p->chunk.at;
    const oct_box around = {
        {in_range(at.x - edge), in_range(at.y - edge), in_range(at.z - edge)},
        {in_range(at.x + width), in_range(at.y + width), in_range(at.z + width)}};
    const oct_box box = clip(around, p->look->box);
    memset(p->mesher->parts, 0, sizeof p->mesher->parts);
    if (is_empty(box)) {
        return false;
    }
    paint_outside(p, tree, box);
    painter walking = *p;
    (void)oct_tree_leaves(tree, box, OCT_HAS_ANY, paint_leaf, &walking);
    return true;
}

static void paint_frontier(view_mesher *m, const view_look *look)
{
    static const int steps[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                    {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
    for (int z = 1; z <= VIEW_CHUNK; z++) {
        for (int y = 1; y <= VIEW_CHUNK; y++) {
            for (int x = 1; x <= VIEW_CHUNK; x++) {
                bool beside = false;
                for (int i = 0; m->parts[z][y][x] == look->open && i < 6 && !beside; i++) {
                    beside = m->parts[z + steps[i][2]][y + steps[i][1]][x + steps[i][0]] ==
                             look->unknown;
                }
                m->parts[z][y][x] = beside ? look->frontier : m->parts[z][y][x];
            }
        }
    }
}

// ---- faces ----

// The part at (u, v) of a layer across an axis.
static const uint8_t *part_at(const view_mesher *m, int axis, int layer, int u, int v)
{
    return axis == 0   ? &m->parts[v + 1][u + 1][layer + 1]
           : axis == 1 ? &m->parts[v + 1][layer + 1][u + 1]
                       : &m->parts[layer + 1][v + 1][u + 1];
}

// Where a face of `part` towards `next` is drawn: what is solid hides it, and of two faded paints
// only one has the face between them.
static bool is_drawn(const view_look *look, uint8_t part, uint8_t next)
{
    const bool solid = look->solid >> part & 1u, faded = look->faded >> part & 1u;
    if (part == next || !(solid || faded) || (look->solid >> next & 1u)) {
        return false;
    }
    return solid || !(look->faded >> next & 1u) || part > next;
}

static bool fill_mask(view_mesher *m, const view_look *look, int face, int layer)
{
    const int axis = face / 2, step = face % 2 ? 1 : -1;
    bool some = false;
    for (int v = 0; v < VIEW_CHUNK; v++) {
        for (int u = 0; u < VIEW_CHUNK; u++) {
            const uint8_t part = *part_at(m, axis, layer, u, v);
            const bool drawn = part && is_drawn(look, part, *part_at(m, axis, layer + step, u, v));
            m->mask[v][u] = drawn ? part : 0;
            some |= drawn;
        }
    }
    return some;
}

static bool row_is(const view_mesher *m, int u, int v, int w, uint8_t paint)
{
    for (int i = u; i < u + w; i++) {
        if (m->mask[v][i] != paint) {
            return false;
        }
    }
    return true;
}

// Takes the rectangle of equal faces that begins there out of the mask.
static view_quad take_quad(view_mesher *m, int face, int layer, int u, int v)
{
    const uint8_t paint = m->mask[v][u];
    int w = 1, h = 1;
    while (u + w < VIEW_CHUNK && m->mask[v][u + w] == paint) {
        w++;
    }
    while (v + h < VIEW_CHUNK && row_is(m, u, v + h, w, paint)) {
        h++;
    }
    for (int j = v; j < v + h; j++) {
        memset(&m->mask[j][u], 0, (size_t)w);
    }
    const uint8_t l = (uint8_t)layer, a = (uint8_t)u, b = (uint8_t)v;
    return (view_quad){.x = face / 2 == 0 ? l : a,
                       .y = face / 2 == 0   ? a
                            : face / 2 == 1 ? l
                                            : b,
                       .z = face / 2 == 2 ? l : b,
                       .w = (uint8_t)w,
                       .h = (uint8_t)h,
                       .face = (uint8_t)face,
                       .paint = paint};
}

static oct_result take_layer(view_mesher *m, const view_look *look, int face, int layer)
{
    for (int v = 0; v < VIEW_CHUNK; v++) {
        for (int u = 0; u < VIEW_CHUNK; u++) {
            if (m->mask[v][u]) {
                const view_quad quad = take_quad(m, face, layer, u, v);
                oct_array *const to = look->solid >> quad.paint & 1u ? &m->solid : &m->faded;
                OCT_TRY(oct_array_push(to, &m->allocator, sizeof quad, &quad));
            }
        }
    }
    return OCT_OK;
}

oct_result oct_view_mesh(view_mesher *m, const oct_tree *tree, const view_look *look,
                         view_chunk chunk, view_quads *out)
{
    const painter p = {.mesher = m, .look = look, .chunk = chunk};
    m->solid.count = m->faded.count = 0;
    *out = (view_quads){.items = NULL};
    if (!paint_parts(&p, tree)) {
        return OCT_OK;
    }
    if (look->has_frontier) {
        paint_frontier(m, look);
    }
    for (int face = 0; face < 6; face++) {
        for (int layer = 0; layer < VIEW_CHUNK; layer++) {
            if (fill_mask(m, look, face, layer)) {
                OCT_TRY(take_layer(m, look, face, layer));
            }
        }
    }
    *out = (view_quads){.solid = m->solid.count, .faded = m->faded.count};
    for (size_t i = 0; i < m->faded.count; i++) {
        OCT_TRY(oct_array_push(&m->solid, &m->allocator, sizeof(view_quad),
                               (const view_quad *)m->faded.items + i));
    }
    out->items = m->solid.items;
    return OCT_OK;
}
