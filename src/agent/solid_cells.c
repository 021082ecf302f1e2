// SPDX-License-Identifier: MIT
// The distance to something convex is convex: where the corners of a cube are near enough to it,
// all of the cube is. So turned things are met by halving cubes; upright ones by boxes at once.
#include "agent/solid_cells.h"

#include "geom/geom_internal.h"
#include "octree/octree_internal.h"

#include <math.h>

#define ROUNDING 1e-9 // what a middle may be outside by and count as inside, metres

typedef struct near_walk {
    const oct_piece *piece;
    size_t body;
    double radius;
    double inset; // of a cube's corners, cells: half of one where middles are asked for
    const oct_tree *lattice, *skip;
    solid_cells_fn *visit;
    void *ctx;
} near_walk;

static oct_bounds bounds_of(const near_walk *w, oct_vec at, int32_t edge)
{
    const double size = oct_tree_cell_size(w->lattice), in = w->inset;
    const oct_point o = oct_tree_origin(w->lattice);
    return (oct_bounds){
        {o.x + (at.x + in) * size, o.y + (at.y + in) * size, o.z + (at.z + in) * size},
        {o.x + ((double)at.x + edge - in) * size, o.y + ((double)at.y + edge - in) * size,
         o.z + ((double)at.z + edge - in) * size}};
}

static bool is_all_near(const near_walk *w, const oct_bounds *b)
{
    bool is = true;
    for (int i = 0; i < 8 && is; i++) {
        const oct_point own = {i & 1 ? b->max.x : b->min.x, i & 2 ? b->max.y : b->min.y,
                               i & 4 ? b->max.z : b->min.z};
        is = oct_convex_gap(w->piece, w->body, own).most <= w->radius;
    }
    return is;
}

// Whether no cell of a cube is near as a whole. A cell reaches half its edge beyond its middle, in
// any direction, so its middle is nearer by as much.
static bool is_none_near(const near_walk *w, const convex_gap *gap, int32_t edge)
{
    const double size = oct_tree_cell_size(w->lattice);
    const double middles = 0.8660254037844388 * (edge - 1) * size;
    return gap->least > w->radius - (0.5 - w->inset) * size + middles;
}

static oct_result walk_cube(const near_walk *w, oct_vec at, int level)
{
    const int32_t edge = (int32_t)1 << level, half = edge / 2;
    const oct_box cube = {at, {at.x + edge, at.y + edge, at.z + edge}};
    const oct_bounds b = bounds_of(w, at, edge);
    const oct_point middle = point_scale(point_add(b.min, b.max), 0.5);
    const convex_gap gap = oct_convex_gap(w->piece, w->body, middle);
    if (is_none_near(w, &gap, edge) ||
        (w->skip && oct_tree_labels_in(w->skip, cube) == OCT_HAS_BLOCKED)) {
        return OCT_OK;
    }
    if (gap.least <= w->radius && is_all_near(w, &b)) {
        return w->visit(w->ctx, cube);
    }
    if (level == 0) {
        return OCT_OK;
    }
    for (int i = 0; i < 8; i++) {
        const oct_vec part = {at.x + (i & 1 ? half : 0), at.y + (i & 2 ? half : 0),
                              at.z + (i & 4 ? half : 0)};
        OCT_TRY(walk_cube(w, part, level - 1));
    }
    return OCT_OK;
}

static int32_t most_of(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// From the least cubes that are as large as the body.
static oct_result walk_body(const near_walk *w, const oct_bounds *box)
{
    const double r = w->radius;
    const oct_bounds grown = {{box->min.x - r, box->min.y - r, box->min.z - r},
                              {box->max.x + r, box->max.y + r, box->max.z + r}};
    oct_box c;
    OCT_TRY(oct_cells_of_bounds(3, oct_tree_origin(w->lattice), oct_tree_cell_size(w->lattice),
                                &grown, OCT_COVER_TOUCH, &c));
    const int32_t size = most_of(most_of(c.max.x - c.min.x, c.max.y - c.min.y), c.max.z - c.min.z);
    int level = 0;
    while ((int32_t)1 << level < size) {
        level++;
    }
    const int32_t edge = (int32_t)1 << level;
    for (int32_t z = c.min.z & ~(edge - 1); z < c.max.z; z += edge) {
        for (int32_t y = c.min.y & ~(edge - 1); y < c.max.y; y += edge) {
            for (int32_t x = c.min.x & ~(edge - 1); x < c.max.x; x += edge) {
                OCT_TRY(walk_cube(w, (oct_vec){x, y, z}, level));
            }
        }
    }
    return OCT_OK;
}

static oct_result walk_turned(const solid_list *l, near_walk *w)
{
    for (uint32_t i = 1; i < l->frames.count; i++) {
        const solid_frame *const f = oct_solid_list_frame(l, i);
        const oct_bounds *const boxes = f->boxes.items;
        for (size_t k = 0; k < f->boxes.count; k++) {
            const oct_piece piece = oct_solid_list_piece(f, &boxes[k]);
            const oct_bounds box = oct_solid_list_turned(l, i, FRAME_UPRIGHT, &boxes[k]);
            w->piece = &piece;
            w->body = 0;
            OCT_TRY(walk_body(w, &box));
        }
    }
    const solid_body *const bodies = l->bodies.items;
    for (size_t i = 0; i < l->bodies.count; i++) {
        w->piece = &bodies[i].piece;
        w->body = bodies[i].body;
        OCT_TRY(walk_body(w, &bodies[i].piece.box));
    }
    return OCT_OK;
}

// ---- upright boxes ----

static oct_bounds grown(const oct_bounds *b, double x, double y, double z)
{
    return (oct_bounds){{b->min.x - x, b->min.y - y, b->min.z - z},
                        {b->max.x + x, b->max.y + y, b->max.z + z}};
}

// Boxes inside a box that is rounded off by the ball: all points of them touch it. 7 in all.
#define ROUNDED 7
static oct_bounds rounded(const oct_bounds *b, double radius, int i)
{
    const double one = radius, two = one * 0.70710678, three = one * 0.57735026;
    static const uint8_t axes[ROUNDED] = {1, 2, 4, 3, 5, 6, 7};
    const double by = axes[i] == 7 ? three : axes[i] == 3 || axes[i] > 4 ? two : one;
    return grown(b, axes[i] & 1 ? by : 0.0, axes[i] & 2 ? by : 0.0, axes[i] & 4 ? by : 0.0);
}

static oct_result visit_inside(const near_walk *w, const oct_bounds *b)
{
    oct_box cells;
    OCT_TRY(oct_cells_of_bounds(3, oct_tree_origin(w->lattice), oct_tree_cell_size(w->lattice), b,
                                OCT_COVER_INSIDE, &cells));
    return w->visit(w->ctx, cells);
}

oct_result oct_solid_list_near(const solid_list *l, const oct_tree *lattice, const oct_tree *skip,
                               double radius, solid_cells_fn *visit, void *ctx)
{
    near_walk w = {.radius = radius, .lattice = lattice, .skip = skip, .visit = visit, .ctx = ctx};
    const solid_frame *const upright = oct_solid_list_frame(l, FRAME_UPRIGHT);
    const oct_bounds *const boxes = upright->boxes.items;
    for (size_t i = 0; i < upright->boxes.count; i++) {
        for (int k = 0; k < (radius > 0.0 ? ROUNDED : 1); k++) {
            const oct_bounds part = rounded(&boxes[i], radius, k);
            OCT_TRY(visit_inside(&w, &part));
        }
    }
    return walk_turned(l, &w);
}

oct_result oct_solid_list_middles(const solid_list *l, const oct_tree *lattice,
                                  solid_cells_fn *visit, void *ctx)
{
    near_walk w = {
        .radius = ROUNDING, .inset = 0.5, .lattice = lattice, .visit = visit, .ctx = ctx};
    const double half = oct_tree_cell_size(lattice) / 2.0;
    const solid_frame *const upright = oct_solid_list_frame(l, FRAME_UPRIGHT);
    const oct_bounds *const boxes = upright->boxes.items;
    for (size_t i = 0; i < upright->boxes.count; i++) {
        // The middles that lie in a box are those of cells that lie in it grown by half a cell.
        const oct_bounds part = grown(&boxes[i], half, half, half);
        OCT_TRY(visit_inside(&w, &part));
    }
    return walk_turned(l, &w);
}
