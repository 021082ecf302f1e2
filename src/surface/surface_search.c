// SPDX-License-Identifier: MIT
// Polyanya (Cui, Harabor and Grastien 2017): A* over what is seen of edges.
//
// An interval is the part of an edge that is seen from a root, between two rays. A ray is given by
// the corner that bounds the view, not by the point where it meets the edge: so all decisions are
// signs of areas between the goal and corners of the mesh, and a point that is on neither side of a
// ray by rounding is on the same side wherever it is asked.
//
// Beyond the end of what is seen the path turns at a corner. Turns are nodes of their own: where
// one is found only its distance is known, and the faces around are looked at when its turn comes.
// The best node that an expansion finds is expanded next where nothing in the heap is better, so
// that along a corridor the heap is not touched.
//
// Around many holes, intervals of many roots cross the same edges. One of which every place is
// nearer by way of an end of its edge, at the least distance at which that was seen, is dropped.
#include "surface/surface_path.h"

#include <math.h>

#define ALONG 0x80000000u // of a node's edge: it runs along a ray
#define EXPANDED_MIN 100000
#define EASY 24            // expansions: until then, few intervals can have been beaten
#define EXPANDED_SHARE 100 // for each corner of the surface
#define NEAR 1e-9          // metres: an end so near to an edge or a ray is on both sides of it

OCT_FORCE_INLINE double length_of(double x, double y)
{
    return sqrt(x * x + y * y);
}

// ---- heap ----

static OCT_NO_INLINE void grow_heap(path_search *s)
{
    oct_surface_planner *const p = s->planner;
    if (s->result == OCT_OK) {
        s->result = oct_array_grow(&p->heap, &p->allocator, sizeof(path_node));
    }
}

OCT_FORCE_INLINE void sift_up(path_node *nodes, size_t at, const path_node *node)
{
    while (at > 0) {
        const size_t above = (at - 1) / 2;
        if (nodes[above].f <= node->f) {
            break;
        }
        nodes[at] = nodes[above];
        at = above;
    }
    nodes[at] = *node;
}

OCT_FORCE_INLINE void heap_push(path_search *s, const path_node *node)
{
    oct_array *const heap = &s->planner->heap;
    if (OCT_UNLIKELY(heap->count == heap->capacity)) {
        grow_heap(s);
        if (s->result != OCT_OK) {
            return;
        }
    }
    sift_up(heap->items, heap->count++, node);
}

// Puts a node in the place of the first one.
static void sift_down(path_node *nodes, size_t count, const path_node *node)
{
    size_t at = 0;
    for (;;) {
        size_t below = 2 * at + 1;
        if (below >= count) {
            break;
        }
        below += below + 1 < count && nodes[below + 1].f < nodes[below].f;
        if (node->f <= nodes[below].f) {
            break;
        }
        nodes[at] = nodes[below];
        at = below;
    }
    nodes[at] = *node;
}

// Keeps the best node out of the heap.
OCT_FORCE_INLINE void offer(path_search *s, const path_node *node)
{
    if (!s->has_next) {
        s->has_next = true;
        s->next = *node;
    } else if (node->f < s->next.f) {
        heap_push(s, &s->next);
        s->next = *node;
    } else {
        heap_push(s, node);
    }
}

// The next node to expand; false when there is none.
static bool take_best(path_search *s, path_node *out)
{
    oct_array *const heap = &s->planner->heap;
    path_node *const nodes = heap->items;
    if (s->has_next) {
        s->has_next = false;
        if (heap->count == 0 || s->next.f <= nodes[0].f) {
            *out = s->next;
            return true;
        }
        *out = nodes[0];
        sift_down(nodes, heap->count, &s->next);
        return true;
    }
    if (heap->count == 0) {
        return false;
    }
    *out = nodes[0];
    heap->count--;
    sift_down(nodes, heap->count, &nodes[heap->count]);
    return true;
}

// ---- estimates ----

// Where a ray from the root meets the line of an edge.
OCT_FORCE_INLINE double along_ray(const path_root *r, double dx, double dy, const half_edge *p,
                                  double ex, double ey)
{
    return ((p->x - r->x) * ey - (p->y - r->y) * ex) / (dx * ey - dy * ex);
}

// The least length of a way from the root through an interval to the goal. `p` is the edge as its
// face has it that is left; right_x ... are the directions of the rays, as far as to its end where
// that is seen.
OCT_FORCE_INLINE double estimate(const path_search *s, const path_root *r, const half_edge *p,
                                 const half_edge *q, double right_x, double right_y, bool has_right,
                                 double left_x, double left_y, bool has_left)
{
    const double ex = q->x - p->x, ey = q->y - p->y;
    double x = s->x, y = s->y;
    const double side = ex * (y - p->y) - ey * (x - p->x);
    if (side > 0.0) {
        // On this side of the edge: as far as its image in the mirror.
        const double k = 2.0 * side * p->inverse;
        x += k * ey;
        y -= k * ex;
    }
    const double gx = x - r->x, gy = y - r->y;
    double dx, dy;
    bool is_end;
    if (right_x * gy - right_y * gx < 0.0) {
        dx = right_x;
        dy = right_y;
        is_end = has_right;
    } else if (left_x * gy - left_y * gx > 0.0) {
        dx = left_x;
        dy = left_y;
        is_end = has_left;
    } else {
        return length_of(gx, gy);
    }
    const double t = is_end ? 1.0 : along_ray(r, dx, dy, p, ex, ey);
    const double px = t * dx, py = t * dy;
    return length_of(px, py) + length_of(gx - px, gy - py);
}

// Whether the goal may be beyond an edge.
OCT_FORCE_INLINE bool leads_on(const path_search *s, const half_edge *e)
{
    return e->twin != NO_EDGE && s->number - e->beyond_first <= e->beyond_span;
}

// ---- expansion ----

OCT_FORCE_INLINE const path_root *root_at(const path_search *s, uint32_t root)
{
    return (const path_root *)s->planner->roots.items + root;
}

// Whether an edge runs along a ray from the root: nothing is seen through it then, but the path may
// turn at its ends. Without this, rounding could send a search around a corner for ever.
OCT_FORCE_INLINE bool is_along(const path_root *r, const half_edge *p, const half_edge *q)
{
    const double side = ground_turn(p->x, p->y, q->x, q->y, r->x, r->y);
    return side <= 0.0 || side * side * p->inverse <= NEAR * NEAR;
}

// Offers an edge whole.
OCT_FORCE_INLINE void offer_whole(path_search *s, const half_edge *p, uint32_t root)
{
    if (!leads_on(s, p)) {
        return;
    }
    const half_edge *const q = &s->edges[p->next];
    const path_root *const r = root_at(s, root);
    const double cost =
        estimate(s, r, p, q, p->x - r->x, p->y - r->y, true, q->x - r->x, q->y - r->y, true);
    const path_node node = {r->g + cost, p->twin | (is_along(r, p, q) ? ALONG : 0),
                            s->edges[p->twin].next, p->twin, root};
    offer(s, &node);
}

// Enters a corner at which the path turns; `border` is where the border goes on that side, and
// `sign` 1 for a turn to the right.
OCT_FORCE_INLINE void offer_turn(path_search *s, const path_node *from, uint32_t corner,
                                 uint32_t kind)
{
    const half_edge *const b = &s->edges[corner];
    if (b->turn == NO_TURN) {
        return;
    }
    oct_surface_planner *const planner = s->planner;
    const path_root *const r = root_at(s, from->root);
    const turn_corner *const t = &s->turns[b->turn];
    const double dx = b->x - r->x, dy = b->y - r->y;
    const double side = kind == TURN_RIGHT ? dy * (t->right_x - r->x) - dx * (t->right_y - r->y)
                                           : dx * (t->left_y - r->y) - dy * (t->left_x - r->x);
    if (!(side > 0.0) && !t->is_wide) {
        return;
    }
    const double g = r->g + length_of(dx, dy);
    corner_reach *const reached = &planner->reached[b->turn];
    if (reached->stamp == planner->stamp && reached->g <= g) {
        return;
    }
    *reached = (corner_reach){g, planner->stamp, 0};
    const path_root root = {b->x, b->y, g, from->root, corner};
    const uint32_t index = (uint32_t)planner->roots.count;
    const oct_result result =
        oct_array_push(&planner->roots, &planner->allocator, sizeof root, &root);
    if (OCT_UNLIKELY(result != OCT_OK)) {
        s->result = result;
        return;
    }
    const path_node node = {g + length_of(s->x - b->x, s->y - b->y), from->edge, kind, 0, index};
    offer(s, &node);
}

// Whether the goal is seen between two rays, or is next to one: then it does not matter what
// rounding has made of its side.
OCT_FORCE_INLINE bool sees_goal(const path_search *s, const path_root *r, double rx, double ry,
                                double lx, double ly)
{
    const double gx = s->x - r->x, gy = s->y - r->y;
    const double right = rx * gy - ry * gx, left = lx * gy - ly * gx;
    return (right >= 0.0 || right * right <= NEAR * NEAR * (rx * rx + ry * ry)) &&
           (left <= 0.0 || left * left <= NEAR * NEAR * (lx * lx + ly * ly));
}

// Where a ray from the root meets an edge.
OCT_FORCE_INLINE void meet(const path_root *r, double dx, double dy, const half_edge *p,
                           const half_edge *q, double at[2])
{
    const double t = along_ray(r, dx, dy, p, q->x - p->x, q->y - p->y);
    at[0] = r->x + t * dx;
    at[1] = r->y + t * dy;
}

// Notes at what distance an end of an interval is seen from its root.
OCT_FORCE_INLINE void note_seen(const path_search *s, const path_root *r, const half_edge *corner)
{
    corner_reach *const seen = &s->planner->seen[corner->joint];
    const double g = r->g + length_of(corner->x - r->x, corner->y - r->y);
    if (seen->stamp != s->planner->stamp || g < seen->g) {
        *seen = (corner_reach){g, s->planner->stamp, 0};
    }
}

// Whether a corner was seen at so small a distance that from there every place of an interval of
// its edge is nearer, along the edge. The further from the corner, the less is won that way: so the
// far end of the interval decides.
OCT_FORCE_INLINE bool is_nearer(const path_search *s, const path_root *r, const half_edge *corner,
                                const double far[2])
{
    const corner_reach *const seen = &s->planner->seen[corner->joint];
    return seen->stamp == s->planner->stamp &&
           r->g + length_of(far[0] - r->x, far[1] - r->y) >
               seen->g + length_of(far[0] - corner->x, far[1] - corner->y) + NEAR;
}

// Whether no shortest path leads through an interval.
static bool is_beaten(const path_search *s, const path_node *node, const path_root *r, double rx,
                      double ry, double lx, double ly)
{
    const half_edge *const left = &s->edges[node->edge], *const right = &s->edges[left->next];
    double at_left[2] = {left->x, left->y}, at_right[2] = {right->x, right->y};
    if (node->left == node->edge) {
        note_seen(s, r, left);
    } else {
        meet(r, lx, ly, left, right, at_left);
    }
    if (node->right == left->next) {
        note_seen(s, r, right);
    } else {
        meet(r, rx, ry, left, right, at_right);
    }
    return is_nearer(s, r, right, at_left) || is_nearer(s, r, left, at_right);
}

static void expand_interval(path_search *s, const path_node *given)
{
    path_node own = *given;
    const path_node *const node = &own;
    own.edge &= ~ALONG;
    const half_edge *const edges = s->edges;
    const half_edge *const t = &edges[node->edge];
    const path_root root = *root_at(s, node->root), *const r = &root;
    const double rx = edges[node->right].x - r->x, ry = edges[node->right].y - r->y;
    const double lx = edges[node->left].x - r->x, ly = edges[node->left].y - r->y;
    if (t->face == s->face && sees_goal(s, r, rx, ry, lx, ly)) {
        s->is_found = true;
        s->last = node->root;
        return;
    }
    if (s->expanded > EASY && is_beaten(s, node, r, rx, ry, lx, ly)) {
        return;
    }
    if (node->right == t->next) {
        offer_turn(s, node, t->next, TURN_RIGHT);
    }
    if (node->left == node->edge) {
        offer_turn(s, node, node->edge, TURN_LEFT);
    }
    if (t->face == s->face || (given->edge & ALONG) != 0) {
        return;
    }
    const half_edge *p = &edges[t->next];
    double p_right = rx * (p->y - r->y) - ry * (p->x - r->x);
    for (uint32_t h = t->next; h != node->edge;) {
        const half_edge *const q = &edges[p->next];
        const double px = p->x - r->x, py = p->y - r->y, qx = q->x - r->x, qy = q->y - r->y;
        const double q_right = rx * qy - ry * qx;
        if (q_right > 0.0) {
            const bool has_left = lx * qy - ly * qx <= 0.0;
            if (lx * py - ly * px >= 0.0) {
                if (!has_left || p->next == node->edge) {
                    break;
                }
                offer_whole(s, p, node->root);
            } else if (is_along(r, p, q)) {
                offer_whole(s, p, node->root);
            } else if (leads_on(s, p)) {
                const bool has_right = p_right >= 0.0;
                const path_node next = {
                    r->g + estimate(s, r, p, q, has_right ? px : rx, has_right ? py : ry, has_right,
                                    has_left ? qx : lx, has_left ? qy : ly, has_left),
                    p->twin, has_right ? edges[p->twin].next : node->right,
                    has_left ? p->twin : node->left, node->root};
                offer(s, &next);
            }
        } else if (p_right >= 0.0 && h != t->next) {
            offer_whole(s, p, node->root);
        }
        h = p->next;
        p = q;
        p_right = q_right;
    }
}

// Looks at the faces around a corner, from the one that was entered on, as far as they are beyond
// the way there: clockwise to its right, counter-clockwise to its left.
OCT_FORCE_INLINE void expand_turn(path_search *s, const path_node *node, bool is_right)
{
    const half_edge *const edges = s->edges;
    const path_root b = *root_at(s, node->root), r = *root_at(s, b.parent);
    const double dx = b.x - r.x, dy = b.y - r.y;
    bool has_turned = false;
    uint32_t at = node->edge;
    do {
        const half_edge *const t = &edges[at];
        if (t->face == s->face) {
            s->is_found = true;
            s->last = node->root;
            return;
        }
        const half_edge *const side = &edges[is_right ? t->next : t->prev];
        const half_edge *const far = is_right ? &edges[side->next] : side;
        const double across = dx * (far->y - r.y) - dy * (far->x - r.x);
        const bool is_beyond = is_right ? across < 0.0 : across > 0.0;
        if (!is_beyond && has_turned) {
            return;
        }
        has_turned = has_turned || is_beyond;
        for (uint32_t h = is_right ? side->next : side->prev; h != at;) {
            const half_edge *const p = &edges[h], *const near = is_right ? p : &edges[p->next];
            const double of_near = dx * (near->y - r.y) - dy * (near->x - r.x);
            if (!(is_right ? of_near <= 0.0 : of_near >= 0.0)) {
                break;
            }
            offer_whole(s, p, node->root);
            h = is_right ? p->next : p->prev;
        }
        if (!leads_on(s, side)) {
            return;
        }
        at = side->twin;
    } while (at != node->edge);
}

// ---- the start ----

// All edges around a corner that is the start: to the left as far as it goes, then to the right.
static void start_at_corner(path_search *s, uint32_t corner)
{
    const half_edge *const edges = s->edges;
    uint32_t at = corner;
    for (int way = 0; way < 2; way++) {
        while (at != NO_EDGE && !s->is_found) {
            const half_edge *const e = &edges[at];
            if (e->face == s->face) {
                s->is_found = true;
                s->last = 0;
                return;
            }
            for (uint32_t h = e->next; h != e->prev; h = edges[h].next) {
                offer_whole(s, &edges[h], 0);
            }
            at = way == 0             ? edges[e->prev].twin
                 : e->twin == NO_EDGE ? NO_EDGE
                                      : edges[e->twin].next;
            if (at == corner) {
                return; // all around
            }
        }
        at = edges[corner].twin == NO_EDGE ? NO_EDGE : edges[edges[corner].twin].next;
    }
}

static void start_in_face(path_search *s, double x, double y, uint32_t face)
{
    const half_edge *const edges = s->edges;
    const surface_face *const f = &s->planner->surface->faces[face];
    uint32_t on_edge = NO_EDGE;
    for (uint32_t h = f->first; h < f->first + f->count; h++) {
        const half_edge *const p = &edges[h], *const q = &edges[p->next];
        if (p->x == x && p->y == y) {
            start_at_corner(s, h);
            return;
        }
        const double side = ground_turn(p->x, p->y, q->x, q->y, x, y);
        // Not of another edge on the same line.
        const bool is_along = (x - p->x) * (x - q->x) + (y - p->y) * (y - q->y) <= 0.0;
        if (p->twin != NO_EDGE && is_along && side * side * p->inverse <= NEAR * NEAR) {
            on_edge = h;
        }
    }
    if (on_edge != NO_EDGE) {
        // In the face beyond as well.
        const uint32_t twin = edges[on_edge].twin;
        if (edges[twin].face == s->face) {
            s->is_found = true;
            s->last = 0;
            return;
        }
        for (uint32_t h = edges[twin].next; h != twin; h = edges[h].next) {
            offer_whole(s, &edges[h], 0);
        }
    }
    for (uint32_t h = f->first; h < f->first + f->count; h++) {
        if (h != on_edge) {
            offer_whole(s, &edges[h], 0);
        }
    }
}

static void new_stamp(oct_surface_planner *planner)
{
    if (++planner->stamp == 0) {
        memset(planner->reached, 0, planner->surface->info.turns * sizeof *planner->reached);
        memset(planner->seen, 0, planner->surface->joint_count * sizeof *planner->seen);
        planner->stamp = 1;
    }
}

oct_result oct_surface_search(path_search *s, double x, double y, uint32_t face)
{
    oct_surface_planner *const planner = s->planner;
    const oct_surface *const surface = planner->surface;
    new_stamp(planner);
    planner->heap.count = 0;
    planner->roots.count = 0;
    s->edges = surface->edges;
    s->turns = surface->turns;
    s->number = surface->faces[s->face].number;
    const path_root start = {x, y, 0.0, NO_ROOT, NO_EDGE};
    OCT_TRY(oct_array_push(&planner->roots, &planner->allocator, sizeof start, &start));
    if (face == s->face) {
        s->is_found = true;
        s->last = 0;
        return OCT_OK;
    }
    start_in_face(s, x, y, face);
    // Never reached as far as is known: rather an error than a search without an end.
    const uint64_t limit = EXPANDED_MIN + (uint64_t)EXPANDED_SHARE * surface->info.corners;
    path_node node;
    while (!s->is_found && s->result == OCT_OK && take_best(s, &node)) {
        if (++s->expanded > limit) {
            return OCT_ERROR_RANGE;
        }
        // A shorter way to the corner may have been found since.
        const path_root *const b = root_at(s, node.root);
        if (b->edge != NO_EDGE && planner->reached[s->edges[b->edge].turn].g < b->g) {
            continue;
        }
        if (node.right < TURN_LEFT) {
            expand_interval(s, &node);
        } else if (node.right == TURN_RIGHT) {
            expand_turn(s, &node, true);
        } else {
            expand_turn(s, &node, false);
        }
    }
    return s->result;
}
