// SPDX-License-Identifier: MIT
// From triangles to cells: from the root down, each node with the triangles that meet it.
//
// A node that none meets is one leaf; a brick asks for octants, then for cells. What closed parts
// enclose is found on the way down: each node has a point of which it is known how often the parts
// go round it, and a step to a point of a child passes through triangles of the node alone. Cells
// of a brick that are joined without meeting a triangle are on one side of all of them, so that one
// step serves for all.
//
// The nodes of one depth are built apart from each other, each by one thread, and then copied into
// the tree in Morton order: the same bits with any number of threads.
#include "mesh/mesh_internal.h"
#include "mesh/triangle_cell.h"
#include "octree/octree_internal.h"

#include <math.h>
#include <stdatomic.h>

#define VOXELS_COOKIE 0x0c7a9e25u
#define SPLIT_DEPTH 3  // below the root, where threads take over
#define SPLIT_LEVEL 4  // or here, where the root is small
#define POINT_TRIES 32 // places for the point of a node
#define NO_TASK UINT32_MAX

oct_voxels_def oct_voxels_def_default(void)
{
    return (oct_voxels_def){.cookie = VOXELS_COOKIE};
}

// ---- memory for several threads ----

typedef struct shared_memory {
    oct_allocator base;
    atomic_flag busy;
} shared_memory;

static void *shared_alloc(void *ctx, size_t size, size_t align)
{
    shared_memory *const m = ctx;
    while (atomic_flag_test_and_set_explicit(&m->busy, memory_order_acquire)) {
    }
    void *const memory = m->base.alloc(m->base.ctx, size, align);
    atomic_flag_clear_explicit(&m->busy, memory_order_release);
    return memory;
}

static void shared_free(void *ctx, void *memory, size_t size)
{
    shared_memory *const m = ctx;
    while (atomic_flag_test_and_set_explicit(&m->busy, memory_order_acquire)) {
    }
    m->base.free(m->base.ctx, memory, size);
    atomic_flag_clear_explicit(&m->busy, memory_order_release);
}

// ---- what is built ----

// A node on its way down. The stack of its worker holds its triangles.
typedef struct voxel_node {
    int64_t at[3]; // smallest cell
    int level;
    oct_point point; // inside it
    int winding;     // how often closed parts go round the point
} voxel_node;

typedef struct builder {
    const cell_triangle *triangles;
    uint32_t triangle_count;
    oct_box box;
    bool fill; // something is enclosed, and counts
    bool has_body;
    oct_point half; // of the body, cells
    double radius;
    oct_allocator memory; // may be used by several threads
} builder;

typedef struct worker {
    const builder *b;
    oct_tree *tree;
    oct_array list; // uint32_t: the triangles of all nodes on the way down
    oct_result result;
} worker;

// A node that is built on its own.
typedef struct task {
    voxel_node node;
    size_t first, count; // of its triangles, in `lists`
    uint32_t worker;     // who built it
    uint32_t word;       // in that worker's tree
} task;

typedef struct plan {
    const builder *b;
    oct_array tasks; // task
    oct_array lists; // uint32_t
    oct_array shape; // uint32_t: of nodes above the tasks, depth first: NO_TASK where a node is
                     // divided, else the index of its task
    worker *workers;
    uint32_t worker_count;
} plan;

// ---- where nodes are ----

static oct_point corner_of(const voxel_node *n)
{
    return (oct_point){(double)n->at[0], (double)n->at[1], (double)n->at[2]};
}

static oct_point shifted(oct_point p, double by)
{
    return (oct_point){p.x + by, p.y + by, p.z + by};
}

static voxel_node child_of(const voxel_node *n, uint32_t i)
{
    const int64_t half = INT64_C(1) << (n->level - 1);
    return (voxel_node){{n->at[0] + (i & 1u ? half : 0), n->at[1] + (i & 2u ? half : 0),
                         n->at[2] + (i & 4u ? half : 0)},
                        n->level - 1,
                        n->point,
                        n->winding};
}

// Whether a node shares cells with the box; whether the box holds it.
static bool in_box(const builder *b, const voxel_node *n, bool *all)
{
    const int32_t lo[3] = {b->box.min.x, b->box.min.y, b->box.min.z};
    const int32_t hi[3] = {b->box.max.x, b->box.max.y, b->box.max.z};
    const int64_t edge = INT64_C(1) << n->level;
    bool any = true;
    *all = true;
    for (int axis = 0; axis < 3; axis++) {
        any = any && n->at[axis] < hi[axis] && n->at[axis] + edge > lo[axis];
        *all = *all && n->at[axis] >= lo[axis] && n->at[axis] + edge <= hi[axis];
    }
    return any;
}

// The cells of a brick that the box holds.
static uint64_t box_cells(const builder *b, const voxel_node *n)
{
    const int32_t lo[3] = {b->box.min.x, b->box.min.y, b->box.min.z};
    const int32_t hi[3] = {b->box.max.x, b->box.max.y, b->box.max.z};
    uint64_t mask = UINT64_MAX;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t first = lo[axis] - n->at[axis], end = hi[axis] - n->at[axis];
        mask &= morton_below(3, axis, end < 4 ? (uint32_t)end : 4u) &
                ~morton_below(3, axis, first > 0 ? (uint32_t)first : 0u);
    }
    return mask;
}

// ---- what blocks ----

static double gap(double least, double most, double lo, double hi)
{
    return least > hi ? least - hi : lo > most ? lo - most : 0.0;
}

// Whether the body, with its middle somewhere in a cube, shares inner points with a triangle.
static bool body_meets(const builder *b, const cell_triangle *t, oct_point lo, oct_point hi)
{
    lo = point_sub(lo, b->half);
    hi = point_add(hi, b->half);
    const oct_point *const v = t->v;
    const double x =
        gap(least_of(v[0].x, v[1].x, v[2].x), most_of(v[0].x, v[1].x, v[2].x), lo.x, hi.x);
    const double y =
        gap(least_of(v[0].y, v[1].y, v[2].y), most_of(v[0].y, v[1].y, v[2].y), lo.y, hi.y);
    const double z =
        gap(least_of(v[0].z, v[1].z, v[2].z), most_of(v[0].z, v[1].z, v[2].z), lo.z, hi.z);
    const double square = b->radius * b->radius;
    if (b->radius > 0.0) {
        return x * x + y * y + z * z < square && oct_triangle_box_square(t, lo, hi) < square;
    }
    // A box without rounding: contact does not count, so the box is asked without its surface.
    const oct_point in = {b->half.x > 0.0 ? 0x1p-30 : 0.0, b->half.y > 0.0 ? 0x1p-30 : 0.0,
                          b->half.z > 0.0 ? 0x1p-30 : 0.0};
    return triangle_meets(t, point_add(lo, in), point_sub(hi, in));
}

OCT_FORCE_INLINE bool is_met(const builder *b, const cell_triangle *t, oct_point lo, double edge)
{
    const oct_point hi = shifted(lo, edge);
    return triangle_meets(t, lo, hi) || (b->has_body && body_meets(b, t, lo, hi));
}

// Whether the body meets the triangle wherever in the node its middle is; may miss some.
static bool is_covered(const builder *b, const cell_triangle *t, const voxel_node *n)
{
    const double edge = (double)(INT64_C(1) << n->level);
    const double left = b->radius - edge * 0.8660254037844387;
    return left > 0.0 &&
           oct_triangle_point_square(t, shifted(corner_of(n), edge / 2.0)) < left * left;
}

// The cells of a brick that a triangle blocks, among those of a mask.
static uint64_t blocked_cells(const builder *b, const cell_triangle *t, const voxel_node *n,
                              uint64_t mask)
{
    const oct_point at = corner_of(n);
    uint64_t met = 0;
    for (uint32_t octant = 0; octant < 8; octant++) {
        uint64_t cells = mask & UINT64_C(0xff) << 8 * octant;
        const oct_point from = {at.x + (octant & 1u ? 2.0 : 0.0), at.y + (octant & 2u ? 2.0 : 0.0),
                                at.z + (octant & 4u ? 2.0 : 0.0)};
        if (cells && !is_met(b, t, from, 2.0)) {
            continue;
        }
        for (; cells; cells &= cells - 1u) {
            const uint32_t i = oct_lowest_bit(cells);
            const oct_point lo = {from.x + (i & 1u ? 1.0 : 0.0), from.y + (i & 2u ? 1.0 : 0.0),
                                  from.z + (i & 4u ? 1.0 : 0.0)};
            met |= (uint64_t)is_met(b, t, lo, 1.0) << i;
        }
    }
    return met;
}

// ---- what is enclosed ----

// Whether the step from one point to another passes the triangles without doubt; adds what it
// changes. The first point lies on none of them: for a point is taken only where the step to it
// does not end in the plane of a triangle whose box it reaches.
static bool step(const builder *b, const uint32_t *list, size_t count, oct_point from, oct_point to,
                 int *winding)
{
    const oct_point lo = {from.x < to.x ? from.x : to.x, from.y < to.y ? from.y : to.y,
                          from.z < to.z ? from.z : to.z};
    const oct_point hi = {from.x > to.x ? from.x : to.x, from.y > to.y ? from.y : to.y,
                          from.z > to.z ? from.z : to.z};
    int turns = 0;
    for (size_t i = 0; i < count; i++) {
        const cell_triangle *const t = &b->triangles[list[i]];
        const oct_point *const v = t->v;
        if (t->side == 0.0 || least_of(v[0].x, v[1].x, v[2].x) > hi.x ||
            most_of(v[0].x, v[1].x, v[2].x) < lo.x || least_of(v[0].y, v[1].y, v[2].y) > hi.y ||
            most_of(v[0].y, v[1].y, v[2].y) < lo.y || least_of(v[0].z, v[1].z, v[2].z) > hi.z ||
            most_of(v[0].z, v[1].z, v[2].z) < lo.z) {
            continue;
        }
        const crossing what = triangle_crossed(t, from, to);
        if (what == CROSSING_UNSURE) {
            return false;
        }
        if (what != CROSSING_NONE) {
            turns += (what == CROSSING_IN) == (t->side > 0.0) ? 1 : -1;
        }
    }
    *winding += turns;
    return true;
}

// Moves a node's point, which lies in its parent, into a cube of it. Several places are tried, for
// a step must not meet an edge; the numbers are multiples of the lattice's step.
static void move_point(const builder *b, const uint32_t *list, size_t count, oct_point lo,
                       double edge, oct_point *point, int *winding)
{
    for (int i = 0; i < POINT_TRIES; i++) {
        const oct_point to = {lo.x + edge * (0.5 + (37 * i % 97) * 0x1p-9 - 0x1p-4),
                              lo.y + edge * (0.5 + (59 * i % 89) * 0x1p-9 - 0x1p-5),
                              lo.z + edge * (0.5 + (71 * i % 83) * 0x1p-9 - 0x1p-6)};
        if (step(b, list, count, *point, to, winding)) {
            *point = to;
            return;
        }
    }
}

// The cells of a brick that are joined with one of them over faces.
static uint64_t joined_cells(uint64_t from, uint64_t through)
{
    for (uint64_t last = 0; from != last;) {
        last = from;
        for (int axis = 0; axis < 3; axis++) {
            uint64_t up = 0, down = 0;
            for (uint32_t at = 0; at < 3; at++) {
                up |= morton_moved(3, axis, from & morton_slab(3, axis, at, at), at, at + 1);
                down |=
                    morton_moved(3, axis, from & morton_slab(3, axis, at + 1, at + 1), at + 1, at);
            }
            from |= (up | down) & through;
        }
    }
    return from;
}

static uint64_t enclosed_cells(const builder *b, const voxel_node *n, const uint32_t *list,
                               size_t count, uint64_t open)
{
    uint64_t inside = 0;
    while (open) {
        const uint32_t first = oct_lowest_bit(open);
        const uint64_t cells = joined_cells(UINT64_C(1) << first, open);
        const uint32_t cell = morton_cell(3, first);
        const oct_point lo = {(double)(n->at[0] + (cell & 0xffu)),
                              (double)(n->at[1] + (cell >> 8 & 0xffu)),
                              (double)(n->at[2] + (cell >> 16))};
        oct_point point = n->point;
        int winding = n->winding;
        move_point(b, list, count, lo, 1.0, &point, &winding);
        inside |= winding != 0 ? cells : 0u;
        open &= ~cells;
    }
    return inside;
}

// ---- nodes ----

static oct_result build_brick(worker *w, const voxel_node *n, size_t first, size_t count,
                              uint32_t *word)
{
    const builder *const b = w->b;
    const uint32_t *const list = (const uint32_t *)w->list.items + first;
    const uint64_t inside_box = box_cells(b, n);
    uint64_t blocked = 0;
    for (size_t i = 0; i < count && blocked != inside_box; i++) {
        blocked |= blocked_cells(b, &b->triangles[list[i]], n, inside_box & ~blocked);
    }
    if (b->fill && blocked != inside_box) {
        blocked |= enclosed_cells(b, n, list, count, inside_box & ~blocked);
    }
    return oct_tree_pack(w->tree, (brick){inside_box, blocked}, word);
}

// Appends the triangles of a node that meet a child, and moves the child's point into it. Of a node
// that is covered, *covered is true.
static oct_result enter_child(worker *w, const voxel_node *parent, size_t first, size_t count,
                              voxel_node *child, bool *covered)
{
    const builder *const b = w->b;
    const oct_point lo = corner_of(child);
    const double edge = (double)(INT64_C(1) << child->level);
    *covered = false;
    OCT_TRY(oct_array_reserve(&w->list, &b->memory, sizeof(uint32_t), w->list.count + count));
    uint32_t *const list = w->list.items;
    for (size_t i = 0; i < count && !*covered; i++) {
        const uint32_t triangle = list[first + i];
        if (is_met(b, &b->triangles[triangle], lo, edge)) {
            list[w->list.count++] = triangle;
            *covered = b->has_body && is_covered(b, &b->triangles[triangle], child);
        }
    }
    if (b->fill && !*covered) {
        child->point = parent->point;
        child->winding = parent->winding;
        move_point(b, list + first, count, lo, edge, &child->point, &child->winding);
    }
    return OCT_OK;
}

static uint32_t plain_leaf(const builder *b, const voxel_node *n)
{
    return word_leaf(STATE_KNOWN | (b->fill && n->winding != 0 ? STATE_BLOCKED : 0u));
}

// Whether a node is a leaf whatever is below it: outside the box, or met by no triangle.
static bool is_plain(const builder *b, const voxel_node *n, size_t count, uint32_t *word)
{
    bool all;
    if (!in_box(b, n, &all)) {
        *word = word_leaf(0);
        return true;
    }
    if (count == 0 && all) {
        *word = plain_leaf(b, n);
        return true;
    }
    return false;
}

static oct_result build_node(worker *w, const voxel_node *n, size_t first, size_t count,
                             uint32_t *word)
{
    if (is_plain(w->b, n, count, word)) {
        return OCT_OK;
    }
    if (n->level == BRICK_LEVEL_3D) {
        return build_brick(w, n, first, count, word);
    }
    uint32_t children[8];
    for (uint32_t i = 0; i < 8; i++) {
        const size_t begin = w->list.count;
        voxel_node child = child_of(n, i);
        bool covered, all;
        OCT_TRY(enter_child(w, n, first, count, &child, &covered));
        if (covered && in_box(w->b, &child, &all) && all) {
            children[i] = word_leaf(STATE_KNOWN | STATE_BLOCKED);
        } else {
            OCT_TRY(build_node(w, &child, begin, w->list.count - begin, &children[i]));
        }
        w->list.count = begin;
    }
    return oct_tree_join(w->tree, children, word);
}

// ---- threads ----

static void run_task(void *arg, uint32_t index, uint32_t number)
{
    const plan *const p = arg;
    task *const t = (task *)p->tasks.items + index;
    worker *const w = &p->workers[number];
    t->worker = number;
    t->word = word_leaf(0);
    if (w->result != OCT_OK) {
        return;
    }
    w->list.count = 0;
    w->result = oct_array_reserve(&w->list, &p->b->memory, sizeof(uint32_t), t->count);
    if (w->result == OCT_OK) {
        if (t->count > 0) {
            memcpy(w->list.items, (const uint32_t *)p->lists.items + t->first,
                   t->count * sizeof(uint32_t));
        }
        w->list.count = t->count;
        w->result = build_node(w, &t->node, 0, t->count, &t->word);
    }
}

// Divides a node above the tasks.
static oct_result plan_node(plan *p, worker *w, const voxel_node *n, int depth, size_t first,
                            size_t count)
{
    const oct_allocator *const memory = &p->b->memory;
    const uint32_t divided = NO_TASK;
    uint32_t word;
    if (depth == SPLIT_DEPTH || n->level <= SPLIT_LEVEL || is_plain(p->b, n, count, &word)) {
        const task t = {.node = *n, .first = p->lists.count, .count = count};
        const uint32_t index = (uint32_t)p->tasks.count;
        OCT_TRY(oct_array_push(&p->tasks, memory, sizeof t, &t));
        OCT_TRY(oct_array_push(&p->shape, memory, sizeof index, &index));
        for (size_t i = 0; i < count; i++) {
            OCT_TRY(oct_array_push(&p->lists, memory, sizeof(uint32_t),
                                   (const uint32_t *)w->list.items + first + i));
        }
        return OCT_OK;
    }
    OCT_TRY(oct_array_push(&p->shape, memory, sizeof divided, &divided));
    for (uint32_t i = 0; i < 8; i++) {
        const size_t begin = w->list.count;
        voxel_node child = child_of(n, i);
        bool covered;
        OCT_TRY(enter_child(w, n, first, count, &child, &covered));
        OCT_TRY(plan_node(p, w, &child, depth + 1, begin, w->list.count - begin));
        w->list.count = begin;
    }
    return OCT_OK;
}

// Copies what a worker built.
static oct_result copy_word(const oct_tree *from, uint32_t word, oct_tree *to, uint32_t *out)
{
    if (word_kind(word) == KIND_LEAF) {
        *out = word;
        return OCT_OK;
    }
    if (word_kind(word) == KIND_BRICK) {
        return oct_tree_pack(to, *tree_brick(from, word_index(word)), out);
    }
    uint32_t children[8];
    for (uint32_t i = 0; i < 8; i++) {
        OCT_TRY(copy_word(from, tree_siblings(from, 3, word_index(word))[i], to, &children[i]));
    }
    return oct_tree_join(to, children, out);
}

static oct_result gather(const plan *p, size_t *at, oct_tree *tree, uint32_t *word)
{
    const uint32_t entry = ((const uint32_t *)p->shape.items)[(*at)++];
    if (entry != NO_TASK) {
        const task *const t = (const task *)p->tasks.items + entry;
        return copy_word(p->workers[t->worker].tree, t->word, tree, word);
    }
    uint32_t children[8];
    for (uint32_t i = 0; i < 8; i++) {
        OCT_TRY(gather(p, at, tree, &children[i]));
    }
    return oct_tree_join(tree, children, word);
}

static oct_result run_tasks(plan *p, const oct_executor *executor)
{
    const uint32_t count = (uint32_t)p->tasks.count;
    if (executor) {
        executor->run(executor->ctx, count, run_task, p);
    } else {
        for (uint32_t i = 0; i < count; i++) {
            run_task(p, i, 0);
        }
    }
    for (uint32_t i = 0; i < p->worker_count; i++) {
        OCT_TRY(p->workers[i].result);
    }
    return OCT_OK;
}

// Room for what all threads built, and for the nodes above. Without what they freed it is the same
// whoever built what.
static oct_result reserve_all(const plan *p, oct_tree *tree)
{
    uint64_t siblings = p->shape.count, bricks = 0;
    for (uint32_t i = 0; i < p->worker_count; i++) {
        const oct_tree *const from = p->workers[i].tree;
        siblings += from->siblings.used - 1u - from->siblings.free_count;
        bricks += from->bricks.used - 1u - from->bricks.free_count;
    }
    return oct_tree_reserve(tree, siblings, bricks);
}

// ---- the root ----

static voxel_node make_root(const oct_box *box, const oct_point *outside)
{
    voxel_node root = {
        {box->min.x & -4, box->min.y & -4, box->min.z & -4}, BRICK_LEVEL_3D, *outside, 0};
    const int32_t hi[3] = {box->max.x, box->max.y, box->max.z};
    for (int axis = 0; axis < 3; axis++) {
        while (root.at[axis] + (INT64_C(1) << root.level) < hi[axis]) {
            root.level++;
        }
    }
    return root;
}

static oct_result build(plan *p, oct_tree *tree, const oct_executor *executor)
{
    const builder *const b = p->b;
    worker *const w = &p->workers[0];
    OCT_TRY(
        oct_array_reserve(&w->list, &b->memory, sizeof(uint32_t), (size_t)b->triangle_count + 1u));
    oct_point outside = {0, 0, 0};
    for (uint32_t i = 0; i < b->triangle_count; i++) {
        ((uint32_t *)w->list.items)[i] = i;
        for (int j = 0; j < 3; j++) {
            const oct_point v = b->triangles[i].v[j];
            const bool first = i == 0 && j == 0;
            outside.x = first || v.x - 1.0 < outside.x ? v.x - 1.0 : outside.x;
            outside.y = first || v.y - 1.0 < outside.y ? v.y - 1.0 : outside.y;
            outside.z = first || v.z - 1.0 < outside.z ? v.z - 1.0 : outside.z;
        }
    }
    w->list.count = b->triangle_count;
    voxel_node root = make_root(&b->box, &outside);
    if (b->fill) {
        move_point(b, w->list.items, w->list.count, corner_of(&root),
                   (double)(INT64_C(1) << root.level), &root.point, &root.winding);
    }
    OCT_TRY(plan_node(p, w, &root, 0, 0, w->list.count));
    OCT_TRY(run_tasks(p, executor));
    OCT_TRY(reserve_all(p, tree));
    size_t at = 0;
    uint32_t word;
    OCT_TRY(gather(p, &at, tree, &word));
    oct_tree_plant(tree, word, root.level, (corner){root.at[0], root.at[1], root.at[2]});
    return OCT_OK;
}

static oct_result make_workers(plan *p, uint32_t count)
{
    const builder *const b = p->b;
    p->workers = oct_alloc(&b->memory, count * sizeof *p->workers, _Alignof(worker));
    if (!p->workers) {
        return OCT_ERROR_MEMORY;
    }
    p->worker_count = count;
    memset(p->workers, 0, count * sizeof *p->workers);
    oct_tree_def def = oct_tree_def_default();
    def.journal = 0;
    def.allocator = &b->memory;
    for (uint32_t i = 0; i < count; i++) {
        p->workers[i].b = b;
        OCT_TRY(oct_tree_create(&def, &p->workers[i].tree));
    }
    return OCT_OK;
}

static void free_plan(plan *p)
{
    const oct_allocator *const memory = &p->b->memory;
    for (uint32_t i = 0; i < p->worker_count; i++) {
        oct_tree_destroy(p->workers[i].tree);
        oct_array_free(&p->workers[i].list, memory, sizeof(uint32_t));
    }
    oct_free(memory, p->workers, p->worker_count * sizeof *p->workers);
    oct_array_free(&p->tasks, memory, sizeof(task));
    oct_array_free(&p->lists, memory, sizeof(uint32_t));
    oct_array_free(&p->shape, memory, sizeof(uint32_t));
}

// ---- the mesh in the lattice ----

static bool to_lattice(const oct_tree *tree, oct_point p, oct_point *out)
{
    const double x = floor((p.x - tree->origin.x) / tree->cell_size / LATTICE_STEP + 0.5);
    const double y = floor((p.y - tree->origin.y) / tree->cell_size / LATTICE_STEP + 0.5);
    const double z = floor((p.z - tree->origin.z) / tree->cell_size / LATTICE_STEP + 0.5);
    *out = (oct_point){x * LATTICE_STEP, y * LATTICE_STEP, z * LATTICE_STEP};
    // Room for cells around it; false for what is no number.
    const double most = LATTICE_MOST - 8.0;
    return fabs(out->x) < most && fabs(out->y) < most && fabs(out->z) < most;
}

bool oct_mesh_cells(const oct_mesh *mesh, const oct_tree *tree, oct_box *out)
{
    oct_point lo, hi;
    if (!to_lattice(tree, mesh->bounds.min, &lo) || !to_lattice(tree, mesh->bounds.max, &hi)) {
        return false;
    }
    *out = (oct_box){{axis_ceiling(lo.x) - 1, axis_ceiling(lo.y) - 1, axis_ceiling(lo.z) - 1},
                     {axis_floor(hi.x) + 1, axis_floor(hi.y) + 1, axis_floor(hi.z) + 1}};
    return true;
}

static bool clearance_is_valid(const oct_clearance *c)
{
    return c->radius >= 0.0 && c->half.x >= 0.0 && c->half.y >= 0.0 && c->half.z >= 0.0 &&
           isfinite(c->radius) && isfinite(c->half.x) && isfinite(c->half.y) && isfinite(c->half.z);
}

static bool fill_builder(const oct_mesh *mesh, const oct_voxels_def *def, const oct_tree *tree,
                         cell_triangle *triangles, builder *b)
{
    const double cell = tree->cell_size;
    const oct_clearance *const c = &def->clearance;
    b->triangles = triangles;
    b->triangle_count = (uint32_t)mesh->triangle_count;
    b->fill = !def->open_inside && mesh->report.closed > 0;
    b->half = (oct_point){c->half.x / cell, c->half.y / cell, c->half.z / cell};
    b->radius = c->radius / cell;
    b->has_body = oct_clearance_is_some(c);
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        oct_point v[3];
        for (int j = 0; j < 3; j++) {
            if (!to_lattice(tree, mesh->vertices[mesh->indices[3 * i + (size_t)j]], &v[j])) {
                return false;
            }
        }
        triangles[i] = cell_triangle_make(v, mesh->sides[i]);
    }
    b->box = def->box;
    return !box_is_empty(3, &b->box) || oct_mesh_cells(mesh, tree, &b->box);
}

static bool box_is_near(const oct_box *box)
{
    const int32_t most = INT32_C(1) << 25;
    return box->min.x >= -most && box->min.y >= -most && box->min.z >= -most &&
           box->max.x <= most && box->max.y <= most && box->max.z <= most;
}

oct_result oct_mesh_voxelise(const oct_mesh *mesh, const oct_voxels_def *def, oct_tree *tree)
{
    if (def->cookie != VOXELS_COOKIE || !clearance_is_valid(&def->clearance) || tree->dims != 3 ||
        !tree_is_blank(tree)) {
        return OCT_ERROR_ARGUMENT;
    }
    shared_memory shared = {.base = tree->allocator, .busy = ATOMIC_FLAG_INIT};
    builder b = {.memory = {shared_alloc, shared_free, &shared}};
    const size_t bytes = mesh->triangle_count * sizeof(cell_triangle);
    cell_triangle *const triangles =
        bytes > 0 ? oct_alloc(&b.memory, bytes, _Alignof(cell_triangle)) : NULL;
    if (bytes > 0 && !triangles) {
        return OCT_ERROR_MEMORY;
    }
    oct_result result = OCT_ERROR_RANGE;
    if (fill_builder(mesh, def, tree, triangles, &b) && box_is_near(&b.box)) {
        plan p = {.b = &b};
        result = make_workers(&p, def->executor ? def->executor->workers : 1);
        if (result == OCT_OK) {
            result = build(&p, tree, def->executor);
        }
        if (result != OCT_OK) {
            oct_tree_clear(tree);
        }
        free_plan(&p);
    }
    oct_free(&b.memory, triangles, bytes);
    return result;
}
