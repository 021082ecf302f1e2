// SPDX-License-Identifier: MIT
#include "search_oracle.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>

#define NO_LEAF SIZE_MAX
#define NO_AXIS (-1)

typedef struct oracle_place {
    oct_fine at;
    exact_cells in; // the free cells around it that are its own
    size_t leaf;    // of ends, and of DUAL: the leaf that it is in
    int axis;       // of BELOW: of the edge that it is the middle of a piece of
    bool is_end;
} oracle_place;

typedef struct oracle_edge {
    size_t a, b;
    double cost;
} oracle_edge;

static void push(oct_array *array, size_t size, const void *item)
{
    const oct_allocator heap = oct_allocator_default();
    assert_int_equal(oct_array_push(array, &heap, size, item), OCT_OK);
}

static void array_free(oct_array *array, size_t size)
{
    const oct_allocator heap = oct_allocator_default();
    oct_array_free(array, &heap, size);
}

static oracle_place *place_at(const oracle_net *net, size_t i)
{
    return (oracle_place *)net->places.items + i;
}

static size_t add_place(oracle_net *net, const oracle_place *item)
{
    push(&net->places, sizeof *item, item);
    return net->places.count - 1;
}

static void add_edge(oracle_net *net, size_t a, size_t b, double cost)
{
    push(&net->edges, sizeof(oracle_edge), &(oracle_edge){a, b, cost});
}

oracle_end oracle_middle(const exact_world *world, oct_vec c)
{
    const int64_t half = OCT_FINE / 2;
    c.z = world->dims == 3 ? c.z : 0;
    return (oracle_end){{(int64_t)c.x * OCT_FINE + half, (int64_t)c.y * OCT_FINE + half,
                         (int64_t)c.z * OCT_FINE + half},
                        c};
}

double oracle_distance(const exact_world *world, oct_fine a, oct_fine b)
{
    const double x = (double)(a.x - b.x), y = (double)(a.y - b.y);
    const double z = world->dims == 3 ? (double)(a.z - b.z) : 0.0;
    return sqrt(x * x + y * y + z * z) / OCT_FINE;
}

// A box that holds every free cell.
static oct_box world_box(const exact_world *world)
{
    assert_true(world->bounded || !world->unknown_is_free);
    oct_box box = world->bounds;
    if (!world->unknown_is_free) {
        const oct_box known = oct_tree_extent(world->tree, OCT_HAS_OPEN);
        box = world->bounded ? box_common(known, world->bounds) : known;
    }
    if (world->dims == 2) {
        box.min.z = 0;
        box.max.z = 1;
    }
    return box;
}

// The next cell of a box after `c`, x first; false after the last. Begin with c = box->min, which
// is a cell only if the box is not empty.
static bool next_cell(const oct_box *box, oct_vec *c)
{
    if (++c->x < box->max.x) {
        return true;
    }
    c->x = box->min.x;
    if (++c->y < box->max.y) {
        return true;
    }
    c->y = box->min.y;
    return ++c->z < box->max.z;
}

// ---- cells ----

static bool same_cell(oct_vec a, oct_vec b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Whether every cell of the box spanned by two cells is free.
static bool box_is_free(const exact_world *world, oct_vec a, oct_vec b)
{
    const oct_box box = {
        {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z},
        {(a.x > b.x ? a.x : b.x) + 1, (a.y > b.y ? a.y : b.y) + 1, (a.z > b.z ? a.z : b.z) + 1}};
    oct_vec c = box.min;
    do {
        if (!exact_is_free(world, c)) {
            return false;
        }
    } while (next_cell(&box, &c));
    return true;
}

// How many axes neighbours may differ on.
static int axes_of(int dims, int neighbours)
{
    if (dims == 2) {
        assert_true(neighbours == 4 || neighbours == 8);
        return neighbours == 4 ? 1 : 2;
    }
    assert_true(neighbours == 6 || neighbours == 18 || neighbours == 26);
    return neighbours == 6 ? 1 : neighbours == 18 ? 2 : 3;
}

// Joins the last place with those before it that are a move away.
static void join_cells(oracle_net *net, const oct_box *box, const size_t *ids, int axes)
{
    const size_t last = net->places.count - 1;
    const oct_vec c = place_at(net, last)->in.cells[0];
    const oct_box around = {{c.x - 1, c.y - 1, c.z - 1}, {c.x + 2, c.y + 2, c.z + 2}};
    oct_vec n = around.min;
    do {
        const bool inside = n.x >= box->min.x && n.x < box->max.x && n.y >= box->min.y &&
                            n.y < box->max.y && n.z >= box->min.z && n.z < box->max.z;
        const int differ = abs(n.x - c.x) + abs(n.y - c.y) + abs(n.z - c.z);
        if (!inside || differ == 0 || differ > axes) {
            continue;
        }
        const size_t row = (size_t)(n.z - box->min.z) * (size_t)(box->max.y - box->min.y) +
                           (size_t)(n.y - box->min.y);
        const size_t id = ids[row * (size_t)(box->max.x - box->min.x) + (size_t)(n.x - box->min.x)];
        if (id < last && box_is_free(&net->world, c, n)) {
            add_edge(net, id, last, sqrt(differ));
        }
    } while (next_cell(&around, &n));
}

oracle_net oracle_net_cells(const exact_world *world, int neighbours)
{
    oracle_net net = {ORACLE_CELLS, *world, NULL, 0, {0}, NULL, {0}, {0}};
    const oct_box box = world_box(world);
    if (box_is_empty(3, &box)) {
        return net;
    }
    const size_t volume = (size_t)(box.max.x - box.min.x) * (size_t)(box.max.y - box.min.y) *
                          (size_t)(box.max.z - box.min.z);
    size_t *ids = malloc(volume * sizeof *ids);
    assert_non_null(ids);
    memset(ids, 0xff, volume * sizeof *ids);
    oct_vec c = box.min;
    for (size_t i = 0; i < volume; i++) {
        if (exact_is_free(world, c)) {
            const oracle_place item = {
                oracle_middle(world, c).at, {1, {c}}, NO_LEAF, NO_AXIS, false};
            ids[i] = add_place(&net, &item);
            join_cells(&net, &box, ids, axes_of(world->dims, neighbours));
        }
        next_cell(&box, &c);
    }
    free(ids);
    return net;
}

bool oracle_connected(const exact_world *world, oct_vec a, oct_vec b)
{
    if (!exact_is_free(world, a) || !exact_is_free(world, b)) {
        return false;
    }
    oracle_net net = oracle_net_cells(world, world->dims == 3 ? 6 : 4);
    const oracle_end from = oracle_middle(world, a), to = oracle_middle(world, b);
    const bool is = oracle_least(&net, &from, &to) >= 0.0;
    oracle_net_free(&net);
    return is;
}

// ---- lines of sight ----

static int64_t coordinate(oct_fine at, int axis)
{
    return axis == 0 ? at.x : axis == 1 ? at.y : at.z;
}

// How many cells touch a point.
static int touching(int dims, oct_fine at)
{
    int count = 1;
    for (int i = 0; i < dims; i++) {
        count *= coordinate(at, i) % OCT_FINE == 0 ? 2 : 1;
    }
    return count;
}

// Whether the cells of a part are one convex piece: one cell, or two with a common face.
static bool is_convex(const exact_cells *part)
{
    const oct_vec a = part->cells[0], b = part->cells[part->count - 1];
    return part->count == 1 ||
           (part->count == 2 && abs(a.x - b.x) + abs(a.y - b.y) + abs(a.z - b.z) == 1);
}

// Adds the places at a point that a taut path can turn at. Where all cells are free, or where a
// part is convex, it goes straight.
static void add_turns(oracle_net *net, oct_fine at)
{
    const exact_cells all = exact_around(&net->world, at);
    if (all.count == touching(net->world.dims, at)) {
        return;
    }
    exact_cells done = {0};
    for (int i = 0; i < all.count; i++) {
        const exact_cells one = {1, {all.cells[i]}};
        if (exact_cells_meet(&one, &done)) {
            continue;
        }
        const exact_cells part = exact_joined(&net->world, at, &one);
        memcpy(done.cells + done.count, part.cells, (size_t)part.count * sizeof part.cells[0]);
        done.count += part.count;
        if (!is_convex(&part)) {
            add_place(net, &(oracle_place){at, part, NO_LEAF, NO_AXIS, false});
        }
    }
}

static oct_fine scaled(oct_fine at, int by)
{
    return (oct_fine){at.x * by, at.y * by, at.z * by};
}

// The cells of a worn world are smaller by this.
static int worn_scale(int per_cell)
{
    return 2 * per_cell - 1;
}

// Whether two turns of BELOW lie on one line of the lattice.
static bool on_one_line(const oracle_place *a, const oracle_place *b)
{
    bool is = a->axis >= 0 && a->axis == b->axis;
    for (int i = 0; i < 3; i++) {
        is = is && (i == a->axis || coordinate(a->at, i) == coordinate(b->at, i));
    }
    return is;
}

// Turns in a row on one line are at lattice corners: what runs along an edge cannot leave it midway
// and be shortest.
static double cost_below(const oracle_net *net, const oracle_place *a, const oracle_place *b)
{
    const double half = 0.5 / net->per_cell + 1.0 / 512.0; // of a piece, and its middle's rounding
    const double far = oracle_distance(&net->world, a->at, b->at);
    const bool along = on_one_line(a, b);
    const int scale = worn_scale(net->per_cell);
    if ((along && far < 1.0 - 2.0 * half) ||
        !exact_sees(&net->worn, scaled(a->at, scale), scaled(b->at, scale))) {
        return -1.0;
    }
    const double less = far - (a->axis >= 0 ? half : 0.0) - (b->axis >= 0 ? half : 0.0);
    const double at_least = along ? 1.0 : 0.0;
    return less > at_least ? less : at_least;
}

static double cost_sight(const oracle_net *net, const oracle_place *a, const oracle_place *b)
{
    return exact_sees_between(&net->world, a->at, &a->in, b->at, &b->in)
               ? oracle_distance(&net->world, a->at, b->at)
               : -1.0;
}

static void join_all(oracle_net *net)
{
    for (size_t i = 0; i < net->places.count; i++) {
        for (size_t j = 0; j < i; j++) {
            const oracle_place *a = place_at(net, i), *b = place_at(net, j);
            const double cost =
                net->kind == ORACLE_BELOW ? cost_below(net, a, b) : cost_sight(net, a, b);
            if (cost >= 0.0) {
                add_edge(net, i, j, cost);
            }
        }
    }
}

static oct_fine corner_of(const exact_world *world, oct_vec c)
{
    return (oct_fine){(int64_t)c.x * OCT_FINE, (int64_t)c.y * OCT_FINE,
                      world->dims == 3 ? (int64_t)c.z * OCT_FINE : OCT_FINE / 2};
}

static oct_fine moved(oct_fine at, int axis, int64_t by)
{
    return (oct_fine){at.x + (axis == 0 ? by : 0), at.y + (axis == 1 ? by : 0),
                      at.z + (axis == 2 ? by : 0)};
}

// The lattice corners of a box's cells, as the cells above them.
static oct_box corners_of(const exact_world *world, oct_box box)
{
    box.max.x++;
    box.max.y++;
    box.max.z += world->dims == 3;
    return box;
}

oracle_net oracle_net_sight(const exact_world *world, int per_cell)
{
    oracle_net net = {ORACLE_SIGHT, *world, NULL, per_cell, {0}, NULL, {0}, {0}};
    oct_box box = world_box(world);
    if (box_is_empty(3, &box)) {
        return net;
    }
    box = corners_of(world, box);
    oct_vec c = box.min;
    do {
        const oct_fine corner = corner_of(world, c);
        add_turns(&net, corner);
        for (int axis = 0; axis < 3 && world->dims == 3; axis++) {
            for (int i = 1; i < per_cell; i++) {
                add_turns(&net, moved(corner, axis, i * OCT_FINE / per_cell));
            }
        }
    } while (next_cell(&box, &c));
    join_all(&net);
    return net;
}

static int32_t divide_down(int32_t a, int32_t b)
{
    return a / b - (a % b < 0);
}

// Whether all parts of cells around a part of a cell are in the way.
static bool is_worn_blocked(const exact_world *world, oct_vec part, int scale)
{
    const oct_box around = {{part.x - 1, part.y - 1, part.z - 1},
                            {part.x + 2, part.y + 2, part.z + 2}};
    oct_vec c = around.min;
    do {
        const oct_vec whole = {divide_down(c.x, scale), divide_down(c.y, scale),
                               divide_down(c.z, scale)};
        if (exact_is_free(world, whole)) {
            return false;
        }
    } while (next_cell(&around, &c));
    return true;
}

// Divides cells into scale^3 and makes free what is next to a part that is.
static oct_tree *wear(const exact_world *world, oct_box box, int scale)
{
    oct_tree_def def = oct_tree_def_default();
    oct_tree *tree;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    const oct_box parts = {{box.min.x * scale, box.min.y * scale, box.min.z * scale},
                           {box.max.x * scale, box.max.y * scale, box.max.z * scale}};
    oct_vec c = parts.min;
    do {
        if (is_worn_blocked(world, c, scale)) {
            assert_int_equal(oct_tree_set(tree, (oct_cell){c.x, c.y, c.z, 0}, OCT_MARK_BLOCKED),
                             OCT_OK);
        }
    } while (next_cell(&parts, &c));
    return tree;
}

oracle_net oracle_net_below(const exact_world *world, int per_cell)
{
    assert_int_equal(world->dims, 3);
    assert_in_range(per_cell, 2, 8);
    oracle_net net = {ORACLE_BELOW, *world, NULL, per_cell, {0}, NULL, {0}, {0}};
    oct_box box = world_box(world);
    assert_false(box_is_empty(3, &box));
    net.worn_tree = wear(world, box, worn_scale(per_cell));
    net.worn = (exact_world){net.worn_tree, true, false, {{0, 0, 0}, {0, 0, 0}}, 3, false};
    box = corners_of(world, box);
    oct_vec c = box.min;
    do {
        for (int axis = 0; axis < 3; axis++) {
            const oct_fine corner = corner_of(world, c);
            if (exact_around(world, moved(corner, axis, OCT_FINE / 2)).count != 3) {
                continue;
            }
            for (int i = 0; i < per_cell; i++) {
                const int64_t middle = (2 * i + 1) * OCT_FINE / (2 * per_cell);
                add_place(&net,
                          &(oracle_place){
                              moved(corner, axis, middle), {0, {{0, 0, 0}}}, NO_LEAF, axis, false});
            }
        }
    } while (next_cell(&box, &c));
    join_all(&net);
    return net;
}

// ---- leaves ----

static bool collect(void *ctx, const oct_leaf *leaf)
{
    push(ctx, sizeof *leaf, leaf);
    return true;
}

oracle_leaves oracle_leaves_of(const oct_tree *tree)
{
    oracle_leaves out = {0};
    const oct_box everything = {{INT32_MIN, INT32_MIN, INT32_MIN},
                                {INT32_MAX, INT32_MAX, INT32_MAX}};
    oct_tree_leaves(tree, everything, OCT_HAS_ANY, collect, &out);
    return out;
}

void oracle_leaves_free(oracle_leaves *leaves)
{
    array_free(leaves, sizeof(oct_leaf));
}

static oct_leaf leaf_at(const oracle_leaves *leaves, size_t i)
{
    return ((const oct_leaf *)leaves->items)[i];
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// On how many axes two boxes that touch, or overlap, share no more than a plane; -1 where they are
// apart.
static int contact(int dims, const oct_box *a, const oct_box *b)
{
    const int64_t lengths[3] = {least(a->max.x, b->max.x) - most(a->min.x, b->min.x),
                                least(a->max.y, b->max.y) - most(a->min.y, b->min.y),
                                least(a->max.z, b->max.z) - most(a->min.z, b->min.z)};
    int planes = 0;
    for (int i = 0; i < dims; i++) {
        if (lengths[i] < 0) {
            return -1;
        }
        planes += lengths[i] == 0;
    }
    return planes;
}

static bool must_be_divided(const oracle_leaves *leaves, int dims, oct_leaf leaf)
{
    const oct_box box = oct_leaf_box(leaf);
    for (size_t i = 0; i < leaves->count; i++) {
        const oct_leaf other = leaf_at(leaves, i);
        const oct_box other_box = oct_leaf_box(other);
        if (other.level + 1 < leaf.level && contact(dims, &box, &other_box) >= 0) {
            return true;
        }
    }
    return false;
}

void oracle_leaves_balance(oracle_leaves *leaves, int dims)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < leaves->count; i++) {
            oct_leaf leaf = leaf_at(leaves, i);
            while (must_be_divided(leaves, dims, leaf)) {
                changed = true;
                leaf.level--;
                const int32_t half = INT32_C(1) << leaf.level;
                for (int child = 1; child < 1 << dims; child++) {
                    oct_leaf part = leaf;
                    part.x += child & 1 ? half : 0;
                    part.y += child & 2 ? half : 0;
                    part.z += child & 4 ? half : 0;
                    push(leaves, sizeof part, &part);
                }
                ((oct_leaf *)leaves->items)[i] = leaf;
            }
        }
    }
}

// The part of a leaf within the bounds; false where nothing of it is free.
static bool leaf_part(const exact_world *world, oct_leaf leaf, oct_box *out)
{
    *out = oct_leaf_box(leaf);
    if (world->bounded) {
        *out = box_common(*out, world->bounds);
    }
    if (world->dims == 2) {
        out->min.z = 0;
        out->max.z = 1;
    }
    return !box_is_empty(3, out) &&
           (leaf.label == OCT_OPEN || (leaf.label == OCT_UNKNOWN && world->unknown_is_free));
}

static oct_fine box_middle(const oct_box *box)
{
    const int64_t half = OCT_FINE / 2;
    return (oct_fine){((int64_t)box->min.x + box->max.x) * half,
                      ((int64_t)box->min.y + box->max.y) * half,
                      ((int64_t)box->min.z + box->max.z) * half};
}

oracle_net oracle_net_dual(const exact_world *world, const oracle_leaves *leaves, int neighbours)
{
    oracle_net net = {ORACLE_DUAL, *world, leaves, 0, {0}, NULL, {0}, {0}};
    const int axes = axes_of(world->dims, neighbours);
    for (size_t i = 0; i < leaves->count; i++) {
        oct_box box, other;
        if (!leaf_part(world, leaf_at(leaves, i), &box)) {
            continue;
        }
        const oracle_place item = {box_middle(&box), {0, {{0, 0, 0}}}, i, NO_AXIS, false};
        const size_t id = add_place(&net, &item);
        for (size_t k = 0; k < id; k++) {
            const oracle_place *before = place_at(&net, k);
            leaf_part(world, leaf_at(leaves, before->leaf), &other);
            const int planes = contact(world->dims, &box, &other);
            if (planes > 0 && planes <= axes && exact_sees(world, item.at, before->at)) {
                add_edge(&net, k, id, oracle_distance(world, item.at, before->at));
            }
        }
    }
    return net;
}

// Corner o of a box: above on axis i where bit i is set.
static oct_fine box_corner(const exact_world *world, const oct_box *box, int o)
{
    return corner_of(world,
                     (oct_vec){o & 1 ? box->max.x : box->min.x, o & 2 ? box->max.y : box->min.y,
                               o & 4 ? box->max.z : box->min.z});
}

// The place that a box's corner is, seen from the cell inside that corner.
static oracle_place corner_place(const exact_world *world, const oct_box *box, int o)
{
    const exact_cells inside = {
        1,
        {{o & 1 ? box->max.x - 1 : box->min.x, o & 2 ? box->max.y - 1 : box->min.y,
          o & 4 ? box->max.z - 1 : box->min.z}}};
    const oct_fine at = box_corner(world, box, o);
    return (oracle_place){at, exact_joined(world, at, &inside), NO_LEAF, NO_AXIS, false};
}

static bool same_place(const oracle_place *a, const oracle_place *b)
{
    return a->at.x == b->at.x && a->at.y == b->at.y && a->at.z == b->at.z &&
           exact_cells_meet(&a->in, &b->in);
}

static size_t find_place(oracle_net *net, const oracle_place *item)
{
    for (size_t i = 0; i < net->places.count; i++) {
        if (same_place(place_at(net, i), item)) {
            return i;
        }
    }
    return add_place(net, item);
}

oracle_net oracle_net_corner(const exact_world *world, const oracle_leaves *leaves)
{
    oracle_net net = {ORACLE_CORNER, *world, leaves, 0, {0}, NULL, {0}, {0}};
    const int corners = 1 << world->dims;
    for (size_t i = 0; i < leaves->count; i++) {
        oct_box box;
        if (!leaf_part(world, leaf_at(leaves, i), &box)) {
            continue;
        }
        size_t ids[8];
        for (int o = 0; o < corners; o++) {
            const oracle_place item = corner_place(world, &box, o);
            ids[o] = find_place(&net, &item);
        }
        for (int o = 0; o < corners; o++) {
            for (int bit = 1; bit < corners; bit <<= 1) {
                if (!(o & bit)) {
                    add_edge(&net, ids[o], ids[o | bit],
                             oracle_distance(world, box_corner(world, &box, o),
                                             box_corner(world, &box, o | bit)));
                }
            }
        }
    }
    return net;
}

// ---- the lattice ----

oracle_net oracle_net_lattice(const exact_world *world)
{
    assert_int_equal(world->dims, 2);
    oracle_net net = {ORACLE_LATTICE, *world, NULL, 0, {0}, NULL, {0}, {0}};
    const oct_box box = world_box(world);
    if (box_is_empty(3, &box)) {
        return net;
    }
    // The places of a point: one for each cell around it, some of them the same.
    const size_t width = (size_t)(box.max.x - box.min.x) + 1;
    const size_t points = width * ((size_t)(box.max.y - box.min.y) + 1);
    size_t *ids = malloc(points * 4 * sizeof *ids);
    assert_non_null(ids);
    memset(ids, 0xff, points * 4 * sizeof *ids);
    oct_vec c = box.min;
    do {
        size_t own[4] = {0};
        for (int o = 0; o < 4 && exact_is_free(world, c); o++) {
            const oct_box cell = {c, {c.x + 1, c.y + 1, 1}};
            const oracle_place item = corner_place(world, &cell, o);
            size_t *const here = ids + 4 * ((size_t)(c.y + (o >> 1) - box.min.y) * width +
                                            (size_t)(c.x + (o & 1) - box.min.x));
            int i = 0;
            while (here[i] != SIZE_MAX && !same_place(place_at(&net, here[i]), &item)) {
                i++;
            }
            own[o] = here[i] = here[i] == SIZE_MAX ? add_place(&net, &item) : here[i];
            for (int k = 0; k < o; k++) {
                add_edge(&net, own[k], own[o], k + o == 3 ? sqrt(2.0) : 1.0);
            }
        }
    } while (next_cell(&box, &c));
    free(ids);
    return net;
}

// ---- searching ----

// The leaf of a list that holds a cell; it must be there.
static size_t own_leaf(const oracle_net *net, oct_vec c)
{
    const exact_world *w = &net->world;
    oct_box box;
    size_t i = 0;
    while (i < net->leaves->count &&
           !(leaf_part(w, leaf_at(net->leaves, i), &box) && c.x >= box.min.x && c.x < box.max.x &&
             c.y >= box.min.y && c.y < box.max.y &&
             (w->dims == 2 || (c.z >= box.min.z && c.z < box.max.z)))) {
        i++;
    }
    assert_true(i < net->leaves->count);
    return i;
}

static bool is_corner_of(const oracle_net *net, const oracle_place *place, size_t leaf)
{
    oct_box box;
    leaf_part(&net->world, leaf_at(net->leaves, leaf), &box);
    for (int o = 0; o < 1 << net->world.dims; o++) {
        const oracle_place item = corner_place(&net->world, &box, o);
        if (same_place(&item, place)) {
            return true;
        }
    }
    return false;
}

// What it costs to go from an end to a place, or to the other end.
static double cost_of_end(const oracle_net *net, const oracle_place *end, const oracle_place *to)
{
    switch (net->kind) {
    case ORACLE_CELLS:
        return same_cell(end->in.cells[0], to->in.cells[0]) ? 0.0 : -1.0;
    case ORACLE_SIGHT:
        return cost_sight(net, end, to);
    case ORACLE_BELOW:
        return cost_below(net, end, to);
    case ORACLE_LATTICE:
        // A place that has a cell in common with the end is a corner of that cell, or an end.
        return exact_cells_meet(&end->in, &to->in) ? oracle_distance(&net->world, end->at, to->at)
                                                   : -1.0;
    case ORACLE_DUAL:
    case ORACLE_CORNER:
    default:
        break;
    }
    const bool joined = net->kind == ORACLE_DUAL || to->is_end ? end->leaf == to->leaf
                                                               : is_corner_of(net, to, end->leaf);
    return joined ? oracle_distance(&net->world, end->at, to->at) : -1.0;
}

static oracle_place place_of_end(const oracle_net *net, const oracle_end *end)
{
    const exact_cells own = {1, {end->cell}};
    return (oracle_place){
        end->at, net->kind == ORACLE_CELLS ? own : exact_joined(&net->world, end->at, &own),
        net->leaves ? own_leaf(net, end->cell) : NO_LEAF, NO_AXIS, true};
}

// Relaxes edges until nothing changes; costs[from] is 0, and what cannot be reached is infinite.
static void relax(const oct_array *edges, double *costs)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < edges->count; i++) {
            const oracle_edge e = ((const oracle_edge *)edges->items)[i];
            if (costs[e.a] + e.cost < costs[e.b]) {
                costs[e.b] = costs[e.a] + e.cost;
                changed = true;
            }
            if (costs[e.b] + e.cost < costs[e.a]) {
                costs[e.a] = costs[e.b] + e.cost;
                changed = true;
            }
        }
    }
}

double oracle_least(const oracle_net *net, const oracle_end *from, const oracle_end *to)
{
    assert_true(exact_is_free(&net->world, from->cell) && exact_is_free(&net->world, to->cell));
    const oracle_place ends[2] = {place_of_end(net, from), place_of_end(net, to)};
    const size_t count = net->places.count;
    oracle_net all = *net; // with edges of the ends
    all.edges = (oct_array){0};
    for (size_t i = 0; i < net->edges.count; i++) {
        push(&all.edges, sizeof(oracle_edge), (const oracle_edge *)net->edges.items + i);
    }
    for (size_t end = 0; end < 2; end++) {
        for (size_t i = 0; i < count; i++) {
            const double cost = cost_of_end(net, &ends[end], place_at(net, i));
            if (cost >= 0.0) {
                add_edge(&all, count + end, i, cost);
            }
        }
    }
    const double straight = cost_of_end(net, &ends[0], &ends[1]);
    if (straight >= 0.0) {
        add_edge(&all, count, count + 1, straight);
    }
    double *costs = malloc((count + 2) * sizeof *costs);
    assert_non_null(costs);
    for (size_t i = 0; i < count + 2; i++) {
        costs[i] = i == count ? 0.0 : HUGE_VAL;
    }
    relax(&all.edges, costs);
    const double cost = costs[count + 1];
    free(costs);
    array_free(&all.edges, sizeof(oracle_edge));
    return isfinite(cost) ? cost : -1.0;
}

void oracle_net_free(oracle_net *net)
{
    array_free(&net->places, sizeof(oracle_place));
    array_free(&net->edges, sizeof(oracle_edge));
    oct_tree_destroy(net->worn_tree);
    *net = (oracle_net){0};
}
