// SPDX-License-Identifier: MIT
// Portal search: through boxes of free space, over the points at which they are best entered.
//
// A box is no node with a fixed middle. It is entered through a point of the face that it shares
// with the box before: of all points of that rectangle the one that makes the way from the last
// turn Q, over it, to the goal shortest. As in Lazy Theta* the way from Q is taken to be free until
// the entry's turn comes. Then, where it is not, the entry falls back on the point at which the box
// before was entered, which sees all of that box, and waits for its turn once more.
//
// Every entry waits by itself, none replaces another: one that promises much and turns out to be
// hidden must not have driven out an honest one. Boxes that are not looked into yet, behind the
// face of a large one, wait together under the best that any of them could promise.
//
// Where there are many goals, an estimate is the distance to the nearest one. A point of a face is
// chosen for the goal that is nearest to where its box was entered: BOX_GOAL is moved there before
// anything is aimed at it. A box that is entered may hold goals that are not the nearest, which
// lies behind a wall: so every box is asked for its own.
#include "search/planner.h"

// Where a box is.
typedef struct portal_box {
    double lo[BOX_AXES], hi[BOX_AXES];        // on the sub-lattice, within the bounds
    uint32_t first[BOX_AXES], last[BOX_AXES]; // its cells in the frame
} portal_box;

// An entry whose box is being left.
typedef struct portal_from {
    uint32_t id;
    uint32_t parent; // the last turn: where it is, and what the way there costs
    double q[BOX_AXES];
    double g;
    portal_box box;
} portal_from;

// What the grades are: how much estimates count, and the ways through one box.
static const struct {
    double weight;
    uint32_t ways;
} grades[OCT_GRADE_COUNT] = {[OCT_GRADE_BEST] = {1.012, 2}, [OCT_GRADE_FAST] = {1.08, 1}};

// Half of what ids can tell apart, since arrays double.
#define ENTRIES_MAX (BOX_WAITS / 2u)

// By which part a goal may be further than the nearest one, and be taken for it.
#define GOAL_SLACK 0.05

// Expansions after which a search is long.
#define LONG_SEARCH 250

// Adding and taking away makes a whole number of any that is below 2^51.
#define TO_WHOLE 0x1.8p52

OCT_FORCE_INLINE double whole_within(double at, double lo, double hi)
{
    const double whole = (at + TO_WHOLE) - TO_WHOLE;
    return whole < lo ? lo : whole > hi ? hi : whole;
}

OCT_FORCE_INLINE double portal_distance(const double a[BOX_AXES], const double b[BOX_AXES])
{
    const double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
    return sqrt(x * x + y * y + z * z) * (1.0 / OCT_FINE);
}

OCT_FORCE_INLINE double portal_cost(const box_space *s, const double a[BOX_AXES],
                                    const double b[BOX_AXES])
{
    if (OCT_UNLIKELY(s->base.map.is_priced)) {
        const oct_fine p = {(int64_t)a[0], (int64_t)a[1], (int64_t)a[2]};
        const oct_fine q = {(int64_t)b[0], (int64_t)b[1], (int64_t)b[2]};
        return space_line_cost(&s->base, p, q);
    }
    return cost_above(portal_distance(a, b));
}

// The distance to the goal nearest to a point, or nearly: not asked for where the one aimed at,
// `away` cells off, is known to be that.
static double portal_nearest(const box_space *s, const double at[BOX_AXES], double away)
{
    const double least = s->aimed_at_least - portal_distance(at, s->aimed_from);
    if (away <= (1.0 + GOAL_SLACK) * least) {
        return away;
    }
    const oct_fine point = {(int64_t)at[0], (int64_t)at[1], (int64_t)at[2]};
    oct_vec cell;
    return s->goals->nearest(s->goals->ctx, point, NULL, away, GOAL_SLACK, &cell)
               ? oct_fine_distance(point, cell_middle(cell))
               : away;
}

OCT_FORCE_INLINE double portal_estimate(const box_space *s, const double at[BOX_AXES])
{
    double distance = portal_distance(at, box_entry_at(s, BOX_GOAL)->at);
    if (OCT_UNLIKELY(s->goals)) {
        distance = portal_nearest(s, at, distance);
    }
    return cost_below(distance * s->base.least_price);
}

// Moves the goal to the one nearest to an entry, of those in a box of cells (NULL = of all); false
// if there is none.
static bool portal_aim(box_space *s, uint32_t id, const oct_box *within)
{
    oct_vec cell;
    const oct_fine at = box_entry_fine(box_entry_at(s, id));
    if (!within && s->aimed_at_least > 0.0 &&
        portal_distance(s->aimed_from, box_entry_at(s, id)->at) == 0.0) {
        return true;
    }
    // From the start the very nearest: if it is in sight, it is the answer.
    const double slack = within || id == BOX_START ? 0.0 : GOAL_SLACK;
    if (!s->goals->nearest(s->goals->ctx, at, within, HUGE_COST, slack, &cell)) {
        return false;
    }
    const oct_fine to = cell_middle(cell);
    memcpy(s->aimed_from, box_entry_at(s, id)->at, sizeof s->aimed_from);
    s->aimed_at_least = within ? 0.0 : oct_fine_distance(at, to) / (1.0 + slack);
    *box_entry_at(s, BOX_GOAL) = (box_entry){
        .at = {(double)to.x, (double)to.y, (double)to.z}, .octants = 0xffu, .has_all = true};
    return true;
}

// ---- what the planner asks ----

static oct_fine portal_at(const space *base, uint32_t id)
{
    return box_entry_fine(box_entry_at((const box_space *)base, id));
}

static double portal_estimate_of(const space *base, uint32_t id)
{
    const box_space *const s = (const box_space *)base;
    return portal_estimate(s, box_entry_at(s, id)->at);
}

static double portal_line_cost(const space *base, uint32_t a, uint32_t b)
{
    const box_space *const s = (const box_space *)base;
    return portal_cost(s, box_entry_at(s, a)->at, box_entry_at(s, b)->at);
}

static uint64_t portal_key(const space *base, uint32_t id)
{
    return space_key_of(portal_at(base, id));
}

// ---- boxes ----

OCT_FORCE_INLINE portal_box portal_box_at(const box_space *s, int dims, uint32_t id)
{
    const free_box *const b = free_box_at(s, id);
    portal_box out = {.lo = {0.0}};
    for (int i = 0; i < dims; i++) {
        out.first[i] = b->first[i];
        out.last[i] = b->last[i];
        out.lo[i] = s->fine_origin[i] + OCT_FINE * (double)out.first[i];
        out.hi[i] = s->fine_origin[i] + OCT_FINE * ((double)out.last[i] + 1.0);
        if (s->is_cut) {
            out.lo[i] = out.lo[i] > s->fine_min[i] ? out.lo[i] : s->fine_min[i];
            out.hi[i] = out.hi[i] < s->fine_max[i] ? out.hi[i] : s->fine_max[i];
        }
    }
    return out;
}

// The rectangle that two boxes share; returns the axis on which it is flat.
OCT_FORCE_INLINE int portal_face(int dims, const portal_box *a, const portal_box *b,
                                 double lo[BOX_AXES], double hi[BOX_AXES])
{
    int axis = 0;
    for (int i = 0; i < dims; i++) {
        lo[i] = a->lo[i] > b->lo[i] ? a->lo[i] : b->lo[i];
        hi[i] = a->hi[i] < b->hi[i] ? a->hi[i] : b->hi[i];
        axis = lo[i] == hi[i] ? i : axis;
    }
    return axis;
}

// ---- points ----

// The best point of an axis, given that the way has to come to a line (or plane) along it from a
// distance and to go on from there to another: the way is straight where both are unfolded.
OCT_FORCE_INLINE double portal_unfold(double from, double to, double before, double behind)
{
    const double all = before + behind;
    return all > 0.0 ? from + before / all * (to - from) : from;
}

// The point of a rectangle, flat on an axis, that makes the way from q to the goal shortest.
OCT_FORCE_INLINE void portal_point(const box_space *s, int dims, int axis, const double q[BOX_AXES],
                                   const double lo[BOX_AXES], const double hi[BOX_AXES],
                                   double out[BOX_AXES])
{
    const double *const goal = box_entry_at(s, BOX_GOAL)->at;
    const double before = fabs(q[axis] - lo[axis]), behind = fabs(goal[axis] - lo[axis]);
    const int i = axis == 0 ? 1 : 0, j = axis == 2 ? 1 : 2;
    const double all = before + behind, part = all > 0.0 ? before / all : 0.0;
    const double at_i = q[i] + part * (goal[i] - q[i]);
    out[axis] = lo[axis];
    out[i] = whole_within(at_i, lo[i], hi[i]);
    if (dims == 2) {
        out[2] = FLAT_Z;
        return;
    }
    const double at_j = q[j] + part * (goal[j] - q[j]);
    const bool off_i = at_i < lo[i] || at_i > hi[i], off_j = at_j < lo[j] || at_j > hi[j];
    out[j] = whole_within(at_j, lo[j], hi[j]);
    // Where one axis is held, the other is no longer where the straight line is.
    if (off_i) {
        const double a = out[i] - q[i], b = goal[i] - out[i];
        out[j] = whole_within(portal_unfold(q[j], goal[j], sqrt(before * before + a * a),
                                            sqrt(behind * behind + b * b)),
                              lo[j], hi[j]);
    }
    if (off_j) {
        const double a = out[j] - q[j], b = goal[j] - out[j];
        out[i] = whole_within(portal_unfold(q[i], goal[i], sqrt(before * before + a * a),
                                            sqrt(behind * behind + b * b)),
                              lo[i], hi[i]);
    }
}

// ---- lines ----

// The octants of a point that lie in a box, on or in which it is.
OCT_FORCE_INLINE uint32_t portal_octants(int dims, const double at[BOX_AXES], const portal_box *box)
{
    static const uint8_t below[BOX_AXES] = {0x55, 0x33, 0x0f};
    uint32_t octants = 0xffu;
    for (int i = 0; i < dims; i++) {
        octants &=
            (at[i] > box->lo[i] ? below[i] : 0u) | (at[i] < box->hi[i] ? 0xffu ^ below[i] : 0u);
    }
    return octants;
}

// The octants of an entry that lie in its box or the one before; where it is inside their face that
// is all there are.
static void portal_look_around(const box_space *s, box_entry *e)
{
    const int dims = s->base.map.dims;
    const portal_box here = portal_box_at(s, dims, e->box);
    const portal_box before = portal_box_at(s, dims, box_entry_at(s, e->via)->box);
    e->octants =
        (uint8_t)(portal_octants(dims, e->at, &here) | portal_octants(dims, e->at, &before));
    e->has_all = e->octants == 0xffu;
}

// All octants of an entry's place: also those of boxes that touch it in an edge or corner.
static uint32_t portal_all_octants(const box_space *s, box_entry *e)
{
    const uint32_t all = oct_view_octants(&s->base.map, box_entry_fine(e));
    e->octants = (uint8_t)octants_joined(e->octants, all);
    e->has_all = true;
    return e->octants;
}

// The octants in which a line from a point leaves it, or may.
OCT_FORCE_INLINE uint32_t portal_towards(const double at[BOX_AXES], const double to[BOX_AXES])
{
    static const uint8_t below[BOX_AXES] = {0x55, 0x33, 0x0f};
    uint32_t octants = 0xffu;
    for (int i = 0; i < BOX_AXES; i++) {
        octants &= (to[i] <= at[i] ? below[i] : 0u) | (to[i] >= at[i] ? 0xffu ^ below[i] : 0u);
    }
    return octants;
}

// Whether a line may leave an entry towards a point. Where it does so through a free cell of
// neither box, the entry's place is looked up.
OCT_FORCE_INLINE bool portal_opens(const box_space *s, box_entry *e, const double to[BOX_AXES])
{
    const uint32_t octants = portal_towards(e->at, to);
    if (!e->octants) {
        portal_look_around(s, e);
    }
    if (OCT_LIKELY(octants & e->octants)) {
        return true;
    }
    const bool is_one = !(octants & (octants - 1u));
    if (e->has_all ||
        (is_one &&
         !view_is_free(&s->base.map, octant_cell(box_entry_fine(e), oct_lowest_bit(octants))))) {
        return false;
    }
    return octants & portal_all_octants(s, e);
}

static bool portal_sees(const space *base, uint32_t a, uint32_t b)
{
    const box_space *const s = (const box_space *)base;
    box_entry *const from = box_entry_at(s, a), *const to = box_entry_at(s, b);
    if (!portal_opens(s, from, to->at) || !portal_opens(s, to, from->at)) {
        return false;
    }
    const spot p = {box_entry_fine(from), from->octants}, q = {box_entry_fine(to), to->octants};
    return oct_view_sees_surely(&base->map, &p, &q);
}

const space_ops oct_portal_ops = {.estimate = portal_estimate_of,
                                  .cost = portal_line_cost,
                                  .sees = portal_sees,
                                  .at = portal_at,
                                  .key = portal_key};

// ---- entries ----

// How many ways through one box are followed. In a search that has become long it is one.
OCT_FORCE_INLINE uint32_t portal_ways(const search *s)
{
    return s->expanded < LONG_SEARCH ? ((const box_space *)s->space)->ways : 1u;
}

static oct_result portal_push(search *s, uint32_t id, double g, double sum, uint64_t key)
{
    const double weight = ((const box_space *)s->space)->weight;
    s->generated++;
    return open_push(&s->open, &s->allocator,
                     (oct_heap_entry){.f = g + weight * (sum - g), .g = g, .key = key, .id = id});
}

static oct_result portal_add(search *s, const box_entry *entry, double g, uint32_t parent)
{
    box_space *const boxes = (box_space *)s->space;
    const uint32_t id = (uint32_t)boxes->entries.count;
    if (OCT_UNLIKELY(id == boxes->entries.capacity)) {
        if (id >= ENTRIES_MAX) {
            return OCT_ERROR_MEMORY;
        }
        OCT_TRY(oct_array_grow(&boxes->entries, &s->allocator, sizeof *entry));
    }
    boxes->entries.count++;
    *box_entry_at(boxes, id) = *entry;
    boxes->base.id_count = id + 1u;
    OCT_TRY(search_cover(s));
    s->nodes[id] = (search_node){g, parent, s->stamp};
    return portal_push(s, id, g, entry->sum, space_key_of(box_entry_fine(entry)));
}

static oct_result portal_add_goal(search *s, double g, uint32_t parent, uint32_t via)
{
    box_space *const boxes = (box_space *)s->space;
    box_entry entry = *box_entry_at(boxes, BOX_GOAL);
    entry.sum = g;
    entry.via = via;
    return portal_add(s, &entry, g, parent);
}

// Goes straight to the goal from a point that sees it.
static oct_result portal_look(search *s, uint32_t id)
{
    box_space *const boxes = (box_space *)s->space;
    if (OCT_UNLIKELY(boxes->goals)) {
        portal_aim(boxes, id, NULL);
    }
    const double g = s->nodes[id].g + portal_line_cost(s->space, id, BOX_GOAL);
    if (g >= boxes->goal_cost || box_entry_at(boxes, id)->has_looked) {
        return OCT_OK;
    }
    box_entry_at(boxes, id)->has_looked = true;
    s->space->sight_checks++;
    if (!portal_sees(s->space, id, BOX_GOAL)) {
        return OCT_OK;
    }
    boxes->goal_cost = g;
    return portal_add_goal(s, g, id, id);
}

// Where metres have prices, a way may be cheaper that turns at the point at which the box before
// was entered, to the same point of the face or to the nearest. Returns its cost.
static double portal_cheapest(const search *s, int dims, const portal_from *from,
                              const double lo[BOX_AXES], const double hi[BOX_AXES], double g,
                              box_entry *entry, uint32_t *parent)
{
    const box_space *const boxes = (const box_space *)s->space;
    const double *const turn = box_entry_at(boxes, from->id)->at;
    double nearest[BOX_AXES] = {turn[0], turn[1], turn[2]};
    for (int i = 0; i < dims; i++) {
        nearest[i] = turn[i] < lo[i] ? lo[i] : turn[i] > hi[i] ? hi[i] : turn[i];
    }
    const double so_far = s->nodes[from->id].g;
    const double bent = so_far + portal_cost(boxes, turn, entry->at);
    const double near = so_far + portal_cost(boxes, turn, nearest);
    const double rest = portal_estimate(boxes, entry->at);
    if (near + portal_estimate(boxes, nearest) < (bent < g ? bent : g) + rest) {
        memcpy(entry->at, nearest, sizeof nearest);
        *parent = from->id;
        return near;
    }
    *parent = bent < g ? from->id : *parent;
    return bent < g ? bent : g;
}

// Enters a box through the face that it shares with the one before.
OCT_FORCE_INLINE oct_result portal_enter(search *s, int dims, const portal_from *from, int axis,
                                         uint32_t id)
{
    box_space *const boxes = (box_space *)s->space;
    free_box *const b = free_box_at(boxes, id);
    if (b->stamp != boxes->stamp) {
        b->stamp = boxes->stamp;
        b->passed = 0;
        b->best_parent = 0;
    } else if (b->passed >= portal_ways(s) || (b->passed && b->last_parent == from->parent)) {
        return OCT_OK;
    }
    const portal_box box = portal_box_at(boxes, dims, id);
    double lo[BOX_AXES], hi[BOX_AXES];
    portal_face(dims, &from->box, &box, lo, hi);
    box_entry entry = {.box = id, .via = from->id};
    portal_point(boxes, dims, axis, from->q, lo, hi, entry.at);
    double g = from->g + portal_cost(boxes, from->q, entry.at);
    uint32_t parent = from->parent;
    if (OCT_UNLIKELY(boxes->base.map.is_priced)) {
        g = portal_cheapest(s, dims, from, lo, hi, g, &entry, &parent);
    }
    entry.sum = g + portal_estimate(boxes, entry.at);
    if (entry.sum >= boxes->goal_cost || (b->best_parent == parent && b->best_sum <= entry.sum)) {
        return OCT_OK;
    }
    b->best_parent = parent;
    b->best_sum = entry.sum;
    return portal_add(s, &entry, g, parent);
}

// ---- faces ----

// The sub-nodes of a page in one layer of an axis that lie before a box's face.
OCT_FORCE_INLINE uint64_t portal_layer(const box_page *page, int dims, const portal_from *from,
                                       int axis, uint32_t layer)
{
    uint64_t mask = morton_slab(dims, axis, layer, layer);
    for (int i = 0; i < dims; i++) {
        if (i != axis) {
            const uint32_t at = page->at[i], edge = page_edge(dims);
            const uint32_t first =
                from->box.first[i] > at ? (from->box.first[i] - at) >> page->shift : 0u;
            const uint32_t last = (from->box.last[i] - at) >> page->shift;
            mask &= morton_slab(dims, i, first, last < edge ? last : edge - 1u);
        }
    }
    return mask;
}

// Lets a page's boxes wait until it is their turn: none of them can promise more than this.
static oct_result portal_wait(search *s, int dims, const portal_from *from, uint32_t side,
                              uint32_t page_id, uint32_t bit)
{
    box_space *const boxes = (box_space *)s->space;
    const box_page *const page = box_page_at(boxes, page_id);
    const uint32_t sub = morton_cell(dims, bit);
    const uint32_t at[BOX_AXES] = {sub & 0xffu, sub >> 8 & 0xffu, sub >> 16};
    const double edge = (double)((uint64_t)OCT_FINE << page->shift);
    double lo[BOX_AXES], hi[BOX_AXES], to[BOX_AXES];
    for (int i = 0; i < dims; i++) {
        const double min = boxes->fine_origin[i] + OCT_FINE * (double)page->at[i] + edge * at[i];
        lo[i] = from->box.lo[i] > min ? from->box.lo[i] : min;
        hi[i] = from->box.hi[i] < min + edge ? from->box.hi[i] : min + edge;
    }
    portal_point(boxes, dims, (int)(side >> 1), from->q, lo, hi, to);
    const double least = portal_distance(from->q, to) * boxes->base.least_price;
    const double g = from->g + cost_below(least);
    const double sum = g + portal_estimate(boxes, to);
    if (sum >= boxes->goal_cost) {
        return OCT_OK;
    }
    const box_wait wait = {
        .from = from->id, .page = page_id, .bit = (uint8_t)bit, .side = (uint8_t)side};
    const uint32_t id = (uint32_t)boxes->waits.count | BOX_WAITS;
    OCT_TRY(oct_array_push(&boxes->waits, &s->allocator, sizeof wait, &wait));
    const oct_fine point = {(int64_t)to[0], (int64_t)to[1], (int64_t)to[2]};
    return portal_push(s, id, g, sum, space_key_of(point));
}

// Enters the boxes of a page in a layer.
OCT_FORCE_INLINE oct_result portal_meet(search *s, int dims, const portal_from *from, uint32_t side,
                                        uint32_t page_id, uint64_t layer)
{
    box_space *const boxes = (box_space *)s->space;
    const box_page *const page = box_page_at(boxes, page_id);
    const uint32_t first = page->first;
    uint64_t mixed = layer & page->mixed;
    uint64_t met = 0;
    for (uint64_t bits = layer & page->free; bits; bits &= bits - 1u) {
        met |= UINT64_C(1) << page->box_of[oct_lowest_bit(bits)];
    }
    for (; met; met &= met - 1u) {
        OCT_TRY(portal_enter(s, dims, from, (int)(side >> 1), first + oct_lowest_bit(met)));
    }
    for (; mixed; mixed &= mixed - 1u) {
        OCT_TRY(portal_wait(s, dims, from, side, page_id, oct_lowest_bit(mixed)));
    }
    return OCT_OK;
}

// Enters the boxes of a page at the side that is turned to the box before.
OCT_FORCE_INLINE oct_result portal_meet_page(search *s, int dims, const portal_from *from,
                                             uint32_t side, uint32_t page_id)
{
    const box_page *const page = box_page_at((const box_space *)s->space, page_id);
    const uint32_t layer = side & 1u ? 0u : page_edge(dims) - 1u;
    return portal_meet(s, dims, from, side, page_id,
                       portal_layer(page, dims, from, (int)(side >> 1), layer));
}

// What lies at the side of a page: all of its size is one node there, or it is divided further.
static oct_result portal_find_beside(box_space *s, int dims, uint32_t page_id, uint32_t side,
                                     uint32_t *out)
{
    const box_page *const page = box_page_at(s, page_id);
    const int axis = (int)(side >> 1);
    const uint64_t edge = (uint64_t)page_edge(dims) << page->shift;
    const uint64_t next = side & 1u ? page->at[axis] + edge : (uint64_t)page->at[axis] - 1u;
    *out = BESIDE_NOTHING;
    if (next < s->frame_edge) {
        uint32_t cell[BOX_AXES] = {page->at[0], page->at[1], page->at[2]}, there, bit;
        cell[axis] = (uint32_t)next;
        OCT_TRY(oct_boxes_page(s, cell, page->shift, &there, &bit));
        const box_page *const found = box_page_at(s, there);
        if (bit == BOX_WHOLE) {
            *out = there;
        } else if (found->free >> bit & 1u) {
            *out = BESIDE_BOX | (found->first + found->box_of[bit]);
        }
    }
    box_page_at(s, page_id)->beside[side] = *out;
    return OCT_OK;
}

// Goes out of a box at one side.
OCT_FORCE_INLINE oct_result portal_leave(search *s, int dims, const portal_from *from, uint32_t box,
                                         uint32_t side)
{
    box_space *const boxes = (box_space *)s->space;
    const int axis = (int)(side >> 1);
    const uint32_t page_id = free_box_at(boxes, box)->page;
    const box_page *const page = box_page_at(boxes, page_id);
    const bool is_up = side & 1u;
    const uint32_t first = (from->box.first[axis] - page->at[axis]) >> page->shift;
    const uint32_t last = (from->box.last[axis] - page->at[axis]) >> page->shift;
    if (is_up ? last + 1u < page_edge(dims) : first > 0) {
        const uint32_t layer = is_up ? last + 1u : first - 1u;
        return portal_meet(s, dims, from, side, page_id,
                           portal_layer(page, dims, from, axis, layer));
    }
    uint32_t beside = page->beside[side];
    if (OCT_UNLIKELY(!beside)) {
        OCT_TRY(portal_find_beside(boxes, dims, page_id, side, &beside));
    }
    if (beside & BESIDE_NOTHING) {
        return OCT_OK;
    }
    return beside & BESIDE_BOX ? portal_enter(s, dims, from, axis, beside & ~BESIDE_BOX)
                               : portal_meet_page(s, dims, from, side, beside);
}

// ---- the search ----

OCT_FORCE_INLINE portal_from portal_from_entry(const search *s, int dims, uint32_t id)
{
    const box_space *const boxes = (const box_space *)s->space;
    portal_from from = {.id = id, .parent = s->nodes[id].parent};
    memcpy(from.q, box_entry_at(boxes, from.parent)->at, sizeof from.q);
    from.g = s->nodes[from.parent].g;
    from.box = portal_box_at(boxes, dims, box_entry_at(boxes, id)->box);
    return from;
}

OCT_FORCE_INLINE oct_result portal_expand_wait(search *s, int dims, uint32_t index)
{
    box_space *const boxes = (box_space *)s->space;
    const box_wait wait = ((const box_wait *)boxes->waits.items)[index];
    uint32_t page;
    OCT_TRY(oct_boxes_child(boxes, wait.page, wait.bit, &page));
    if (OCT_UNLIKELY(boxes->goals)) {
        portal_aim(boxes, wait.from, NULL);
    }
    const portal_from from = portal_from_entry(s, dims, wait.from);
    return portal_meet_page(s, dims, &from, wait.side, page);
}

// Whether an entry is still of use: its box was not passed by better ones.
OCT_FORCE_INLINE bool portal_is_wanted(const search *s, const box_entry *e, const search_node *n)
{
    const free_box *const b = free_box_at((const box_space *)s->space, e->box);
    return b->passed == 0 ||
           (b->passed < portal_ways(s) && b->last_parent != n->parent && n->g <= b->last_g);
}

// An entry whose parent does not see it turns where the box before was entered. The point is chosen
// anew for that.
static oct_result portal_turn(search *s, int dims, uint32_t id)
{
    box_space *const boxes = (box_space *)s->space;
    box_entry *e = box_entry_at(boxes, id);
    const uint32_t via = e->via;
    if (OCT_UNLIKELY(boxes->goals) && e->box) {
        portal_aim(boxes, id, NULL);
    }
    const double *const q = box_entry_at(boxes, via)->at;
    if (e->box) {
        const portal_box here = portal_box_at(boxes, dims, e->box);
        const portal_box before = portal_box_at(boxes, dims, box_entry_at(boxes, via)->box);
        double lo[BOX_AXES], hi[BOX_AXES], to[BOX_AXES];
        const int axis = portal_face(dims, &here, &before, lo, hi);
        portal_point(boxes, dims, axis, q, lo, hi, to);
        if (portal_cost(boxes, q, to) + portal_estimate(boxes, to) <
            portal_cost(boxes, q, e->at) + portal_estimate(boxes, e->at)) {
            memcpy(e->at, to, sizeof to);
            e->octants = 0;
            e->has_all = false;
        }
    }
    const double g = s->nodes[via].g + portal_cost(boxes, q, e->at);
    e->sum = e->box ? g + portal_estimate(boxes, e->at) : g;
    s->nodes[id].g = g;
    s->nodes[id].parent = via;
    OCT_TRY(portal_push(s, id, g, e->sum, space_key_of(box_entry_fine(e))));
    return portal_look(s, via);
}

// The cells of the frame that a box is, as the map's.
static oct_box portal_cells(const box_space *s, const portal_box *box)
{
    const int64_t *const o = s->origin;
    return (oct_box){{(int32_t)(o[0] + box->first[0]), (int32_t)(o[1] + box->first[1]),
                      (int32_t)(o[2] + box->first[2])},
                     {(int32_t)(o[0] + box->last[0] + 1), (int32_t)(o[1] + box->last[1] + 1),
                      (int32_t)(o[2] + box->last[2] + 1)}};
}

// Whether the goal is in the box that is entered. Of many goals the box's nearest is aimed at.
OCT_FORCE_INLINE bool portal_has_goal(box_space *s, uint32_t id, const portal_from *from)
{
    if (OCT_LIKELY(!s->goals)) {
        return box_entry_at(s, id)->box == s->goal_box;
    }
    const oct_box cells = portal_cells(s, &from->box);
    return portal_aim(s, id, &cells);
}

OCT_FORCE_INLINE oct_result portal_expand(search *s, int dims, uint32_t id)
{
    box_space *const boxes = (box_space *)s->space;
    const uint32_t box = box_entry_at(boxes, id)->box;
    s->nodes[id].stamp = s->stamp + 1u;
    s->expanded++;
    if (OCT_UNLIKELY(s->is_watched)) {
        OCT_TRY(oct_search_watch(&oct_portal_ops, s, id));
    }
    if (OCT_UNLIKELY(box == 0)) {
        s->space->goal = id;
        s->status = OCT_PATH_FOUND;
        return OCT_OK;
    }
    free_box *const b = free_box_at(boxes, box);
    b->stamp = boxes->stamp;
    b->passed++;
    b->last_parent = s->nodes[id].parent;
    b->last_g = s->nodes[id].g;
    const portal_from from = portal_from_entry(s, dims, id);
    if (OCT_UNLIKELY(portal_has_goal(boxes, id, &from))) {
        const double straight = from.g + portal_line_cost(s->space, from.parent, BOX_GOAL);
        const double bent = s->nodes[id].g + portal_line_cost(s->space, id, BOX_GOAL);
        const double g = straight < bent ? straight : bent;
        if (g < boxes->goal_cost) {
            OCT_TRY(portal_add_goal(s, g, straight < bent ? from.parent : id, id));
        }
    }
    if (OCT_UNLIKELY(boxes->goals)) {
        portal_aim(boxes, id, NULL);
    }
    for (uint32_t side = 0; side < 2u * (uint32_t)dims; side++) {
        OCT_TRY(portal_leave(s, dims, &from, box, side));
    }
    return OCT_OK;
}

static oct_result portal_begin(search *s)
{
    box_space *const boxes = (box_space *)s->space;
    boxes->aimed_at_least = 0.0;
    if (boxes->goals) {
        portal_aim(boxes, BOX_START, NULL);
    }
    const double h = portal_estimate_of(s->space, BOX_START);
    boxes->weight = grades[boxes->grade].weight;
    boxes->ways = grades[boxes->grade].ways;
    oct_open_begin(&s->open, h * boxes->weight, h);
    boxes->goal_cost = HUGE_COST;
    s->nodes[BOX_START] = (search_node){0.0, BOX_START, s->stamp};
    free_box_at(boxes, boxes->start_box)->stamp = boxes->stamp;
    free_box_at(boxes, boxes->start_box)->passed = 0;
    free_box_at(boxes, boxes->start_box)->best_parent = 0;
    s->has_begun = true;
    OCT_TRY(portal_look(s, BOX_START));
    if (boxes->goal_cost == HUGE_COST || s->space->map.is_priced) {
        return portal_push(s, BOX_START, 0.0, 0.0, portal_key(s->space, BOX_START));
    }
    // No path is shorter than the straight line.
    s->expanded++;
    return s->is_watched ? oct_search_watch(&oct_portal_ops, s, BOX_START) : OCT_OK;
}

OCT_FORCE_INLINE oct_result portal_run(search *s, int dims)
{
    box_space *const boxes = (box_space *)s->space;
    if (!s->has_begun) {
        OCT_TRY(portal_begin(s));
    }
    for (;;) {
        oct_heap_entry top;
        bool found;
        OCT_TRY(search_next(s, &top, &found));
        if (OCT_UNLIKELY(!found)) {
            return OCT_OK;
        }
        if (top.id & BOX_WAITS) {
            OCT_TRY(portal_expand_wait(s, dims, top.id & ~BOX_WAITS));
            continue;
        }
        const box_entry *const e = box_entry_at(boxes, top.id);
        const search_node *const n = &s->nodes[top.id];
        if (e->box && !portal_is_wanted(s, e, n)) {
            continue;
        }
        if (n->parent != e->via) {
            s->space->sight_checks++;
            if (!portal_sees(s->space, top.id, n->parent)) {
                OCT_TRY(portal_turn(s, dims, top.id));
                continue;
            }
        }
        OCT_TRY(portal_expand(s, dims, top.id));
        if (s->status == OCT_PATH_FOUND) {
            return OCT_OK;
        }
    }
}

static oct_result portal(search *s)
{
    return s->space->map.dims == 3 ? portal_run(s, 3) : portal_run(s, 2);
}

const search_algorithm oct_search_portal = {
    .name = "portal",
    .run = {[SPACE_PORTAL] = portal, [SPACE_PORTAL_OPEN] = portal},
    .is_complete = true,
    .is_taut = true,
    .is_any_angle = true};
