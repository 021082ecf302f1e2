// SPDX-License-Identifier: MIT
// Space: where the ball may be, and that nothing leads out of it unnoticed.
//
// A cell is closed if the ball touches something solid wherever in the cell its centre is. The
// distance to a box is convex: where the corners of a cube are near enough to one box, all of it
// is. A cell before the seam of two boxes is cut into smaller cubes until each has a box of its
// own; the least cubes still lie across the seam, and what that leaves open is far less than the
// two millimetres by which the ball is thinner than the body.
#include "verify/proof_internal.h"

#include "geom/geom_internal.h"

#include <math.h>

#define CLOSE 2e-4    // what the ball is made thicker by against solids, metres
#define THINNER 0.002 // what it is thinner by than the body
#define DEPTH 6       // how often a cell is halved to show that it is closed
#define ROUNDING 1e-6
#define PLATE 2 // the coarsest level at which plates are shown to be closed at once
#define BUCKETS_MAX 4096.0

// ---- boxes by buckets ----

static oct_vec bucket_of(const box_index *x, oct_point p)
{
    return (oct_vec){(int32_t)floor(p.x / x->size), (int32_t)floor(p.y / x->size),
                     (int32_t)floor(p.z / x->size)};
}

static bool is_in_range(const box_index *x, oct_point p)
{
    const double most = 1e9 * x->size;
    return fabs(p.x) < most && fabs(p.y) < most && fabs(p.z) < most;
}

static oct_result add_to_bucket(proof_check *c, box_index *x, oct_vec b, uint32_t number)
{
    const lattice_key key = {b.x, b.y, b.z, 0};
    OCT_TRY(oct_key_table_reserve(&x->buckets, &c->allocator, 1));
    key_slot *const slot = key_table_slot(&x->buckets, key);
    const bool is_used = key_slot_is_used(&x->buckets, slot);
    const box_node node = {number, is_used ? slot->value : PROOF_NONE};
    const uint32_t at = (uint32_t)x->nodes.count;
    OCT_TRY(oct_array_push(&x->nodes, &c->allocator, sizeof node, &node));
    if (is_used) {
        slot->value = at;
    } else {
        key_slot_fill(&x->buckets, slot, key, at);
    }
    return OCT_OK;
}

static oct_result index_add(proof_check *c, box_index *x, uint32_t number, const oct_bounds *box,
                            double by)
{
    const oct_bounds b = proof_grown(box, by);
    const double buckets = ((b.max.x - b.min.x) / x->size + 1) *
                           ((b.max.y - b.min.y) / x->size + 1) *
                           ((b.max.z - b.min.z) / x->size + 1);
    if (buckets > BUCKETS_MAX || !is_in_range(x, b.min) || !is_in_range(x, b.max)) {
        return oct_array_push(&x->large, &c->allocator, sizeof number, &number);
    }
    const oct_vec lo = bucket_of(x, b.min), hi = bucket_of(x, b.max);
    for (int32_t z = lo.z; z <= hi.z; z++) {
        for (int32_t y = lo.y; y <= hi.y; y++) {
            for (int32_t i = lo.x; i <= hi.x; i++) {
                OCT_TRY(add_to_bucket(c, x, (oct_vec){i, y, z}, number));
            }
        }
    }
    return OCT_OK;
}

static uint32_t index_first(const box_index *x, oct_point at)
{
    if (x->buckets.capacity == 0 || !is_in_range(x, at)) {
        return PROOF_NONE;
    }
    const oct_vec b = bucket_of(x, at);
    const key_slot *const slot = key_table_slot(&x->buckets, (lattice_key){b.x, b.y, b.z, 0});
    return key_slot_is_used(&x->buckets, slot) ? slot->value : PROOF_NONE;
}

// Calls for each solid that may be near to a point.
#define FOR_SOLIDS(c, at, body)                                                                    \
    for (solid_walk w = begin_walk((c), (at)); ((body) = next_solid((c), &w)) != NULL;)

typedef struct solid_walk {
    uint32_t node;
    size_t large;
} solid_walk;

static solid_walk begin_walk(const proof_check *c, oct_point at)
{
    return (solid_walk){index_first(&c->solid_index, at), 0};
}

static const proof_body *next_solid(const proof_check *c, solid_walk *w)
{
    const proof_body *const bodies = c->bodies.items;
    if (w->node != PROOF_NONE) {
        const box_node n = ((const box_node *)c->solid_index.nodes.items)[w->node];
        w->node = n.next;
        return &bodies[n.box];
    }
    const oct_array *const large = &c->solid_index.large;
    return w->large < large->count ? &bodies[((const uint32_t *)large->items)[w->large++]] : NULL;
}

static oct_result index_solids(proof_check *c)
{
    const double cell = c->proof->cell_size;
    c->solid_index.size = fmax(8.0 * cell, 1.0);
    const double by = c->limit + (double)(1 << PLATE) / 2.0 * cell + ROUNDING;
    for (uint32_t i = 0; i < c->thing_count; i++) {
        const told_thing *const t = &c->things[i];
        const oct_entity *const e = oct_proof_entity(c, i);
        if (!t->stays || t->is_door || t->is_player || e->thing.label != OCT_BLOCKED) {
            continue;
        }
        const proof_bodies all = oct_proof_thing_bodies(c, i);
        for (size_t k = 0; k < all.count; k++) {
            const uint32_t number = (uint32_t)(&all.items[k] - (const proof_body *)c->bodies.items);
            OCT_TRY(index_add(c, &c->solid_index, number, &all.items[k].box, by));
            OCT_TRY(oct_array_push(&c->solids, &c->allocator, sizeof number, &number));
        }
    }
    return OCT_OK;
}

bool oct_proof_is_solid_at(const proof_check *c, oct_point at, double more)
{
    const proof_body *b;
    FOR_SOLIDS(c, at, b)
    {
        const oct_bounds *const box = &b->box;
        if (at.x >= box->min.x - more && at.x <= box->max.x + more && at.y >= box->min.y - more &&
            at.y <= box->max.y + more && at.z >= box->min.z - more && at.z <= box->max.z + more &&
            (b->frame == PROOF_UPRIGHT || oct_proof_distance(c, b, at) <= more)) {
            return true;
        }
    }
    return false;
}

bool oct_proof_solid_is_in_way(const proof_check *c, oct_point from, oct_point to, double close)
{
    const proof_body *b;
    const oct_bounds way = {from, to};
    FOR_SOLIDS(c, proof_middle(&way), b)
    {
        if (oct_proof_is_in_way(c, b, from, to, close)) {
            return true;
        }
    }
    return false;
}

// ---- what is closed ----

static bool is_closed_at_once(const proof_check *c, const oct_bounds *box, oct_point middle)
{
    const proof_body *b;
    FOR_SOLIDS(c, middle, b)
    {
        if (oct_proof_is_all_near(c, box, b, c->limit)) {
            return true;
        }
    }
    return false;
}

// `middle` is that of the whole cell: all that is near to it is in its bucket.
static bool is_closed(const proof_check *c, const oct_bounds *b, oct_point middle, int depth)
{
    if (is_closed_at_once(c, b, middle)) {
        return true;
    }
    bool is = depth > 0;
    const oct_point m = proof_middle(b);
    for (int i = 0; i < 8 && is; i++) {
        const oct_bounds part = {
            {i & 1 ? m.x : b->min.x, i & 2 ? m.y : b->min.y, i & 4 ? m.z : b->min.z},
            {i & 1 ? b->max.x : m.x, i & 2 ? b->max.y : m.y, i & 4 ? b->max.z : m.z}};
        is = is_closed(c, &part, middle, depth - 1);
    }
    return is;
}

// ---- leaves ----

static lattice_key leaf_key(oct_vec cell, uint32_t level)
{
    return (lattice_key){cell.x >> level, cell.y >> level, cell.z >> level, level};
}

static uint32_t leaf_at(const proof_check *c, oct_vec cell, uint32_t level)
{
    const key_slot *const slot = key_table_slot(&c->leaf_index, leaf_key(cell, level));
    return key_slot_is_used(&c->leaf_index, slot) ? slot->value : PROOF_NONE;
}

// The leaf of a level or a coarser one that holds a cell.
static uint32_t leaf_from(const proof_check *c, oct_vec cell, uint32_t level)
{
    uint32_t found = PROOF_NONE;
    for (uint32_t l = level; l < 64 && c->levels >> l != 0 && found == PROOF_NONE; l++) {
        found = (c->levels >> l & 1) != 0 ? leaf_at(c, cell, l) : PROOF_NONE;
    }
    return found;
}

uint32_t oct_proof_find_leaf(const proof_check *c, oct_vec cell)
{
    return leaf_from(c, cell, 0);
}

static oct_result index_leaves(proof_check *c)
{
    const oct_proof *const p = c->proof;
    OCT_TRY(oct_key_table_reserve(&c->leaf_index, &c->allocator, (uint32_t)p->leaf_count + 1));
    for (size_t i = 0; i < p->leaf_count; i++) {
        const lattice_key key = leaf_key(proof_leaf_at(&p->leaves[i]), p->leaves[i].level);
        key_slot *const slot = key_table_slot(&c->leaf_index, key);
        if (key_slot_is_used(&c->leaf_index, slot)) {
            return oct_proof_reject(c, "leaf %zu is listed twice", i);
        }
        key_slot_fill(&c->leaf_index, slot, key, (uint32_t)i);
        c->levels |= UINT64_C(1) << p->leaves[i].level;
    }
    for (size_t i = 0; i < p->leaf_count; i++) {
        const oct_vec at = proof_leaf_at(&p->leaves[i]);
        if (leaf_from(c, at, p->leaves[i].level + 1) != PROOF_NONE) {
            return oct_proof_reject(c, "leaf %zu lies in another one", i);
        }
    }
    return OCT_OK;
}

static bool is_near_door(const proof_check *c, uint32_t door, const oct_bounds *b)
{
    const proof_bodies all = oct_proof_door_bodies(c, door);
    bool is = false;
    for (size_t i = 0; i < all.count && !is; i++) {
        is = oct_proof_is_all_near(c, b, &all.items[i], c->proof->radius + ROUNDING);
    }
    return is;
}

// What a part's doors are said to close they close, each by itself.
static oct_result check_doors(proof_check *c)
{
    const oct_proof *const p = c->proof;
    for (size_t i = 0; i < p->leaf_count; i++) {
        const oct_proof_part *const part = &p->parts[p->leaves[i].part];
        const int32_t edge = (int32_t)1 << p->leaves[i].level;
        const oct_bounds b = proof_cells(p, proof_leaf_at(&p->leaves[i]), edge, edge, edge);
        for (uint32_t k = 0; k < part->door_count; k++) {
            const uint32_t d = part->doors[k];
            // A door that is loose is in nobody's way: then it does not matter what it closes.
            if (oct_proof_door_holds(c, d) && !is_near_door(c, d, &b)) {
                return oct_proof_reject(c, "part %u is not closed by door %u", p->leaves[i].part,
                                        d);
            }
        }
    }
    return OCT_OK;
}

// ---- what touches what ----

typedef struct part_link {
    uint32_t a, b;
} part_link;

typedef struct linking {
    proof_check *c;
    key_table known;
    oct_array links; // of part_link
    uint32_t part;   // whose leaf is being walked around
    int axis;        // across which the plates lie
} linking;

static oct_result link_parts(linking *l, uint32_t a, uint32_t b)
{
    const part_link new = {a < b ? a : b, a < b ? b : a};
    if (a == b) {
        return OCT_OK;
    }
    const lattice_key key = {(int32_t) new.a, (int32_t) new.b, 0, 0};
    OCT_TRY(oct_key_table_reserve(&l->known, &l->c->allocator, 1));
    key_slot *const slot = key_table_slot(&l->known, key);
    if (key_slot_is_used(&l->known, slot)) {
        return OCT_OK;
    }
    key_slot_fill(&l->known, slot, key, 0);
    return oct_array_push(&l->links, &l->c->allocator, sizeof new, &new);
}

static bool is_beyond(const oct_box *b, const oct_vec *at, oct_vec edges)
{
    return at->x >= b->max.x || at->y >= b->max.y || at->z >= b->max.z ||
           at->x + edges.x <= b->min.x || at->y + edges.y <= b->min.y ||
           at->z + edges.z <= b->min.z;
}

static oct_result walk_plate(linking *l, oct_vec at, uint32_t level, bool is_top);

static oct_result split_plate(linking *l, oct_vec at, uint32_t level)
{
    const int32_t half = (int32_t)1 << (level - 1);
    for (int i = 0; i < 4; i++) {
        const int32_t one = i & 1 ? half : 0, two = i & 2 ? half : 0;
        const oct_vec by = {l->axis == 0 ? 0 : one, l->axis == 1 ? 0 : (l->axis == 0 ? one : two),
                            l->axis == 2 ? 0 : two};
        OCT_TRY(walk_plate(l, (oct_vec){at.x + by.x, at.y + by.y, at.z + by.z}, level - 1, false));
    }
    return OCT_OK;
}

// A layer of cells beside a leaf: each of them is in a leaf, closed, or beyond the world.
static oct_result walk_plate(linking *l, oct_vec at, uint32_t level, bool is_top)
{
    proof_check *const c = l->c;
    const int32_t edge = (int32_t)1 << level;
    const oct_vec edges = {l->axis == 0 ? 1 : edge, l->axis == 1 ? 1 : edge,
                           l->axis == 2 ? 1 : edge};
    const uint32_t leaf = is_top                          ? leaf_from(c, at, level)
                          : (c->levels >> level & 1) != 0 ? leaf_at(c, at, level)
                                                          : PROOF_NONE;
    if (leaf != PROOF_NONE) {
        return link_parts(l, l->part, c->proof->leaves[leaf].part);
    }
    if (is_beyond(&c->bounds, &at, edges)) {
        return OCT_OK;
    }
    const oct_bounds b = proof_cells(c->proof, at, edges.x, edges.y, edges.z);
    if (level > 0) {
        return level <= PLATE && is_closed_at_once(c, &b, proof_middle(&b))
                   ? OCT_OK
                   : split_plate(l, at, level);
    }
    if (is_closed(c, &b, proof_middle(&b), DEPTH)) {
        return OCT_OK;
    }
    if (c->proof->is_on_foot) {
        return oct_array_push(&c->exits, &c->allocator, sizeof at, &at);
    }
    const oct_point m = proof_middle(&b);
    return oct_proof_reject(c, "part %u leads to %.2f, %.2f, %.2f, which is not closed", l->part,
                            m.x, m.y, m.z);
}

static oct_result walk_leaf(linking *l, const oct_proof_leaf *leaf)
{
    const int32_t edge = (int32_t)1 << leaf->level;
    l->part = leaf->part;
    for (int face = 0; face < 6; face++) {
        const int32_t by = face & 1 ? edge : -1;
        oct_vec at = proof_leaf_at(leaf);
        l->axis = face / 2;
        at.x += l->axis == 0 ? by : 0;
        at.y += l->axis == 1 ? by : 0;
        at.z += l->axis == 2 ? by : 0;
        OCT_TRY(walk_plate(l, at, leaf->level, true));
    }
    return OCT_OK;
}

static oct_result make_graph(proof_check *c, const oct_array *list)
{
    const part_link *const links = list->items;
    const size_t parts = c->proof->part_count;
    c->graph.first = oct_proof_alloc(c, parts + 2, sizeof(uint32_t));
    c->graph.neighbours = oct_proof_alloc(c, 2 * list->count, sizeof(uint32_t));
    if (!c->graph.first || !c->graph.neighbours) {
        return OCT_ERROR_MEMORY;
    }
    // first[part + 1] is where the next link of a part goes, and in the end where they begin.
    for (size_t i = 0; i < list->count; i++) {
        c->graph.first[links[i].a + 2]++;
        c->graph.first[links[i].b + 2]++;
    }
    for (size_t i = 2; i < parts + 2; i++) {
        c->graph.first[i] += c->graph.first[i - 1];
    }
    for (size_t i = 0; i < list->count; i++) {
        c->graph.neighbours[c->graph.first[links[i].a + 1]++] = links[i].b;
        c->graph.neighbours[c->graph.first[links[i].b + 1]++] = links[i].a;
    }
    return OCT_OK;
}

static oct_result link_all(proof_check *c)
{
    linking l = {.c = c};
    for (size_t i = 0; i < c->proof->leaf_count; i++) {
        if (c->proof->parts[c->proof->leaves[i].part].is_reached) {
            OCT_TRY(walk_leaf(&l, &c->proof->leaves[i]));
        }
    }
    return make_graph(c, &l.links);
}

// CUT: out of what is reached only doors lead that stay shut.
static oct_result check_cut(proof_check *c)
{
    const oct_proof *const p = c->proof;
    for (uint32_t i = 0; i < p->part_count; i++) {
        for (uint32_t k = c->graph.first[i]; p->parts[i].is_reached && k < c->graph.first[i + 1];
             k++) {
            const uint32_t to = c->graph.neighbours[k];
            bool is_shut = p->parts[to].is_reached;
            for (uint32_t n = 0; n < p->parts[to].door_count && !is_shut; n++) {
                const uint32_t d = p->parts[to].doors[n];
                is_shut = !p->doors[d].is_free && oct_proof_door_holds(c, d);
                c->leaves_by_door = c->leaves_by_door || is_shut;
            }
            if (!is_shut) {
                return oct_proof_reject(c, "part %u leads to part %u, which is not reached", i, to);
            }
        }
    }
    return OCT_OK;
}

// ---- where bodies were ----

static oct_vec cell_at(const oct_proof *p, oct_point at)
{
    const double most = OCT_RANGE / 2;
    const double x = floor((at.x - p->origin.x) / p->cell_size);
    const double y = floor((at.y - p->origin.y) / p->cell_size);
    const double z = floor((at.z - p->origin.z) / p->cell_size);
    return (oct_vec){(int32_t)fmax(-most, fmin(most, x)), (int32_t)fmax(-most, fmin(most, y)),
                     (int32_t)fmax(-most, fmin(most, z))};
}

uint32_t oct_proof_reached_at(const proof_check *c, oct_point at)
{
    for (int i = 0; i < 9; i++) {
        const double by = i == 0 ? 0.0 : 1e-3;
        const int k = i - 1;
        const oct_point p = {at.x + (k & 1 ? by : -by), at.y + (k & 2 ? by : -by),
                             at.z + (k & 4 ? by : -by)};
        const uint32_t leaf = oct_proof_find_leaf(c, cell_at(c->proof, p));
        const uint32_t part = leaf == PROOF_NONE ? PROOF_NONE : c->proof->leaves[leaf].part;
        if (part != PROOF_NONE && c->proof->parts[part].is_reached) {
            return part;
        }
    }
    return PROOF_NONE;
}

static oct_result check_poses(proof_check *c)
{
    const oct_run_log *const log = c->log;
    for (size_t i = 0; i < log->start_count; i++) {
        if (oct_proof_reached_at(c, log->starts[i].centre) == PROOF_NONE) {
            return oct_proof_reject(c, "the start of life %u is not reached", log->starts[i].life);
        }
    }
    for (size_t i = 0; i < log->look_count + log->act_count; i++) {
        const bool is_look = i < log->look_count;
        const oct_point at = is_look ? log->looks[i].centre : log->acts[i - log->look_count].centre;
        if (oct_proof_reached_at(c, at) == PROOF_NONE) {
            return oct_proof_reject(c, "a body was at %.3f, %.3f, %.3f, which is not reached", at.x,
                                    at.y, at.z);
        }
    }
    return OCT_OK;
}

// ---- the whole ----

static void set_bounds(proof_check *c)
{
    const oct_bounds b = c->log->info.bounds;
    const oct_proof *const p = c->proof;
    // A cell of which hardly anything lies within them is beyond: faces on the lattice are rounded.
    const double in = ROUNDING, out = p->cell_size - ROUNDING;
    const oct_point low = {b.min.x + in, b.min.y + in, b.min.z + in};
    const oct_point up = {b.max.x + out, b.max.y + out, b.max.z + out};
    c->bounds = (oct_box){cell_at(p, low), cell_at(p, up)};
}

oct_result oct_proof_check_space(proof_check *c)
{
    const double half = c->least / 2.0;
    if (c->log->start_count == 0) {
        return oct_proof_reject(c, "the log has no start");
    }
    if (c->proof->radius > fmax(half - THINNER, 0.0) + 1e-12) {
        return oct_proof_reject(c, "the ball is thicker than the body");
    }
    c->limit = c->proof->radius + CLOSE;
    set_bounds(c);
    OCT_TRY(index_solids(c));
    OCT_TRY(index_leaves(c));
    OCT_TRY(check_poses(c));
    OCT_TRY(check_doors(c));
    OCT_TRY(link_all(c));
    return c->proof->kind == OCT_PROOF_CUT ? check_cut(c) : OCT_OK;
}
