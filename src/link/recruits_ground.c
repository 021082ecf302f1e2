// SPDX-License-Identifier: MIT
#include "link/recruits_ground.h"

#include "geom/geom_internal.h"
#include "octant/recruits_world.h"

#include <math.h>
#include <stdlib.h>

#define CLEAR 0.09        // a place is this far from the border of the mesh
#define PANEL_RADIUS 0.29 // a body slides along a panel that it comes this near to
#define FIRE_RADIUS 0.41  // it burns if it is nearer than 0.32; it walks as exactly as this
#define RISE 0.3          // between neighbours
#define SAME 0.2          // heights that are one
#define COLUMNS_MAX 16777216.0
#define BEND 0.15 // a straight way is this near to the ground

static const int8_t ways[GROUND_WAYS][2] = {{1, 0}, {0, 1},  {-1, 0},  {0, -1},
                                            {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};

// ---- the mesh ----

// Triangles by the cells that their boxes touch.
typedef struct buckets {
    const recruits_link_mesh *mesh;
    int32_t low_x, low_z;
    uint32_t width, depth;
    oct_array first, items; // uint32_t
} buckets;

static void box_of(const recruits_link_mesh *mesh, size_t t, double *min_x, double *max_x,
                   double *min_z, double *max_z)
{
    const uint32_t *const c = mesh->corners + 3 * t;
    const oct_point a = mesh->points[c[0]], b = mesh->points[c[1]], d = mesh->points[c[2]];
    *min_x = fmin(a.x, fmin(b.x, d.x));
    *max_x = fmax(a.x, fmax(b.x, d.x));
    *min_z = fmin(a.z, fmin(b.z, d.z));
    *max_z = fmax(a.z, fmax(b.z, d.z));
}

static void fill_buckets(buckets *b, bool counts)
{
    uint32_t *const first = b->first.items, *const items = b->items.items;
    for (size_t t = 0; t < b->mesh->corner_count / 3; t++) {
        double min_x, max_x, min_z, max_z;
        box_of(b->mesh, t, &min_x, &max_x, &min_z, &max_z);
        for (int32_t z = (int32_t)floor(min_z - 0.01); z <= (int32_t)floor(max_z + 0.01); z++) {
            for (int32_t x = (int32_t)floor(min_x - 0.01); x <= (int32_t)floor(max_x + 0.01); x++) {
                const uint32_t cell =
                    (uint32_t)(z - b->low_z) * b->width + (uint32_t)(x - b->low_x);
                if (counts) {
                    first[cell + 2]++;
                } else {
                    items[first[cell + 1]++] = (uint32_t)t;
                }
            }
        }
    }
}

static oct_result make_buckets(buckets *b, const oct_allocator *allocator)
{
    const size_t cells = (size_t)b->width * b->depth;
    OCT_TRY(oct_array_reserve(&b->first, allocator, sizeof(uint32_t), cells + 2));
    memset(b->first.items, 0, (cells + 2) * sizeof(uint32_t));
    fill_buckets(b, true);
    uint32_t *const first = b->first.items;
    for (size_t i = 2; i < cells + 2; i++) {
        first[i] += first[i - 1];
    }
    OCT_TRY(oct_array_reserve(&b->items, allocator, sizeof(uint32_t), first[cells + 1] + 1));
    fill_buckets(b, false);
    return OCT_OK;
}

static double side(oct_point a, oct_point b, double x, double z)
{
    return (b.x - a.x) * (z - a.z) - (b.z - a.z) * (x - a.x);
}

// The height of a triangle at a place; false beside it.
static bool height_at(const recruits_link_mesh *mesh, uint32_t t, double x, double z, double *y)
{
    const uint32_t *const c = mesh->corners + 3 * (size_t)t;
    const oct_point a = mesh->points[c[0]], b = mesh->points[c[1]], d = mesh->points[c[2]];
    const double ab = side(a, b, x, z), bd = side(b, d, x, z), da = side(d, a, x, z);
    const double all = ab + bd + da, near = 1e-4;
    if (all == 0.0 ||
        ((ab < -near || bd < -near || da < -near) && (ab > near || bd > near || da > near))) {
        return false;
    }
    *y = (bd * a.y + da * b.y + ab * d.y) / all;
    return true;
}

// Heights of the mesh at a place, each once.
static size_t heights_at(const buckets *b, double x, double z, double *out, size_t most)
{
    const int32_t i = (int32_t)floor(x) - b->low_x, k = (int32_t)floor(z) - b->low_z;
    size_t count = 0;
    if (i < 0 || k < 0 || i >= (int32_t)b->width || k >= (int32_t)b->depth) {
        return 0;
    }
    const uint32_t *const first =
        (const uint32_t *)b->first.items + (size_t)k * b->width + (size_t)i;
    const uint32_t *const items = b->items.items;
    for (uint32_t n = first[0]; n < first[1]; n++) {
        double y;
        bool is_new = count < most && height_at(b->mesh, items[n], x, z, &y);
        for (size_t m = 0; m < count && is_new; m++) {
            is_new = fabs(out[m] - y) > SAME;
        }
        if (is_new) {
            out[count++] = y;
        }
    }
    return count;
}

static bool is_on(const buckets *b, double x, double z, double y)
{
    double heights[16];
    const size_t count = heights_at(b, x, z, heights, 16);
    for (size_t i = 0; i < count; i++) {
        if (fabs(heights[i] - y) <= RISE) {
            return true;
        }
    }
    return false;
}

// ---- places ----

static uint32_t column_of(const recruits_ground *g, int32_t i, int32_t k)
{
    return i >= 0 && k >= 0 && i < (int32_t)g->width && k < (int32_t)g->depth
               ? (uint32_t)k * g->width + (uint32_t)i
               : GROUND_NONE;
}

static oct_result add_places(recruits_ground *g, const buckets *b, int32_t i, int32_t k)
{
    const double x = (g->low_x + i) * GROUND_SIDE, z = (g->low_z + k) * GROUND_SIDE;
    double heights[16];
    const size_t count = heights_at(b, x, z, heights, 16);
    for (size_t n = 0; n < count; n++) {
        bool is_clear = true;
        for (int w = 0; w < GROUND_WAYS && is_clear; w++) {
            const double far = w < 4 ? CLEAR : CLEAR * 0.7071;
            is_clear = is_on(b, x + ways[w][0] * far, z + ways[w][1] * far, heights[n]);
        }
        ground_place p = {.at = {x, heights[n], z},
                          .region = GROUND_NONE,
                          .is_middle = (g->low_x + i) % 4 == 0 && (g->low_z + k) % 4 == 0};
        memset(p.panels, 0xff, sizeof p.panels);
        memset(p.fires, 0xff, sizeof p.fires);
        memset(p.ways, 0xff, sizeof p.ways);
        OCT_TRY(is_clear ? oct_array_push(&g->places, &g->allocator, sizeof p, &p) : OCT_OK);
    }
    return OCT_OK;
}

static uint32_t place_in(const recruits_ground *g, int32_t i, int32_t k, double y, double within)
{
    const uint32_t column = column_of(g, i, k);
    uint32_t best = GROUND_NONE;
    if (column == GROUND_NONE) {
        return best;
    }
    const uint32_t *const first = (const uint32_t *)g->first.items + column;
    for (uint32_t p = first[0]; p < first[1]; p++) {
        const double off = fabs(ground_at(g, p)->at.y - y);
        if (off <= within) {
            within = off;
            best = p;
        }
    }
    return best;
}

static void join_places(recruits_ground *g)
{
    for (uint32_t p = 0; p < g->places.count; p++) {
        ground_place *const own = ground_at(g, p);
        const int32_t i = (int32_t)floor(own->at.x / GROUND_SIDE + 0.5) - g->low_x;
        const int32_t k = (int32_t)floor(own->at.z / GROUND_SIDE + 0.5) - g->low_z;
        for (int w = 0; w < 4; w++) {
            own->ways[w] = place_in(g, i + ways[w][0], k + ways[w][1], own->at.y, RISE);
        }
        for (int w = 4; w < GROUND_WAYS; w++) {
            const bool is_open = place_in(g, i + ways[w][0], k, own->at.y, RISE) != GROUND_NONE &&
                                 place_in(g, i, k + ways[w][1], own->at.y, RISE) != GROUND_NONE;
            own->ways[w] = is_open ? place_in(g, i + ways[w][0], k + ways[w][1], own->at.y, RISE)
                                   : GROUND_NONE;
        }
    }
}

static oct_result make_places(recruits_ground *g, const buckets *b)
{
    for (int32_t k = 0; k < (int32_t)g->depth; k++) {
        for (int32_t i = 0; i < (int32_t)g->width; i++) {
            const uint32_t count = (uint32_t)g->places.count;
            OCT_TRY(oct_array_push(&g->first, &g->allocator, sizeof count, &count));
            OCT_TRY(add_places(g, b, i, k));
        }
    }
    const uint32_t count = (uint32_t)g->places.count;
    OCT_TRY(oct_array_push(&g->first, &g->allocator, sizeof count, &count));
    join_places(g);
    return OCT_OK;
}

oct_result oct_recruits_ground_make(const recruits_link_mesh *mesh, const oct_allocator *allocator,
                                    recruits_ground *out)
{
    double min_x = 0, max_x = 0, min_z = 0, max_z = 0;
    *out = (recruits_ground){.allocator = *allocator};
    for (size_t t = 0; t < mesh->corner_count / 3; t++) {
        double a, b, c, d;
        box_of(mesh, t, &a, &b, &c, &d);
        min_x = t == 0 ? a : fmin(min_x, a);
        max_x = t == 0 ? b : fmax(max_x, b);
        min_z = t == 0 ? c : fmin(min_z, c);
        max_z = t == 0 ? d : fmax(max_z, d);
    }
    if ((max_x - min_x + 4.0) * (max_z - min_z + 4.0) * 16.0 > COLUMNS_MAX) {
        return OCT_ERROR_RANGE;
    }
    buckets b = {
        .mesh = mesh, .low_x = (int32_t)floor(min_x) - 1, .low_z = (int32_t)floor(min_z) - 1};
    b.width = (uint32_t)((int32_t)floor(max_x) + 2 - b.low_x);
    b.depth = (uint32_t)((int32_t)floor(max_z) + 2 - b.low_z);
    out->low_x = 4 * b.low_x;
    out->low_z = 4 * b.low_z;
    out->width = 4 * b.width;
    out->depth = 4 * b.depth;
    oct_result result = make_buckets(&b, allocator);
    result = result == OCT_OK ? make_places(out, &b) : result;
    oct_array_free(&b.first, allocator, sizeof(uint32_t));
    oct_array_free(&b.items, allocator, sizeof(uint32_t));
    if (result != OCT_OK) {
        oct_recruits_ground_free(out);
    }
    return result;
}

void oct_recruits_ground_free(recruits_ground *g)
{
    const oct_allocator own = g->allocator;
    oct_array_free(&g->places, &own, sizeof(ground_place));
    oct_array_free(&g->first, &own, sizeof(uint32_t));
    oct_array_free(&g->doors, &own, sizeof(ground_door));
    oct_array_free(&g->fires, &own, sizeof(oct_bounds));
    oct_array_free(&g->samples, &own, sizeof(uint32_t));
    oct_array_free(&g->joints, &own, sizeof(ground_joint));
    oct_array_free(&g->firsts, &own, sizeof(uint32_t));
    oct_array_free(&g->queue, &own, sizeof(uint32_t));
    oct_array_free(&g->costs, &own, sizeof(double));
    oct_array_free(&g->before, &own, sizeof(uint32_t));
    oct_array_free(&g->heap.entries, &own, sizeof(oct_heap_entry));
    *g = (recruits_ground){.allocator = own};
}

// ---- what is in the way ----

// How far a body that stands somewhere is from a box, from above; far where it is over or below.
static double gap_to(oct_point at, const oct_bounds *box)
{
    if (at.y > box->max.y || at.y + OCT_RECRUITS_HEIGHT < box->min.y) {
        return HUGE_VAL;
    }
    const double x = fmax(fmax(box->min.x - at.x, at.x - box->max.x), 0.0);
    const double z = fmax(fmax(box->min.z - at.z, at.z - box->max.z), 0.0);
    return sqrt(x * x + z * z);
}

static void mark(uint32_t *list, size_t size, uint32_t what, bool *is_closed)
{
    for (size_t i = 0; i < size; i++) {
        if (list[i] == GROUND_NONE || list[i] == what) {
            list[i] = what;
            return;
        }
    }
    *is_closed = true;
}

static void mark_panel(recruits_ground *g, const oct_bounds *panel, uint32_t what)
{
    for (uint32_t p = 0; p < g->places.count; p++) {
        ground_place *const own = ground_at(g, p);
        if (gap_to(own->at, panel) < PANEL_RADIUS) {
            mark(own->panels, GROUND_PANELS, what, &own->is_closed);
        }
    }
}

oct_result oct_recruits_ground_add_door(recruits_ground *g, const oct_bounds *shut,
                                        const oct_bounds *open)
{
    const ground_door new = {*shut, *open};
    const uint32_t door = (uint32_t)g->doors.count;
    OCT_TRY(oct_array_push(&g->doors, &g->allocator, sizeof new, &new));
    mark_panel(g, shut, 2 * door);
    mark_panel(g, open, 2 * door + 1);
    return OCT_OK;
}

oct_result oct_recruits_ground_add_fire(recruits_ground *g, const oct_bounds *box)
{
    const uint32_t fire = (uint32_t)g->fires.count;
    OCT_TRY(oct_array_push(&g->fires, &g->allocator, sizeof *box, box));
    for (uint32_t p = 0; p < g->places.count; p++) {
        ground_place *const own = ground_at(g, p);
        if (gap_to(own->at, box) < FIRE_RADIUS) {
            mark(own->fires, GROUND_FIRES, fire, &own->is_closed);
        }
    }
    return OCT_OK;
}

bool oct_recruits_ground_is_free(const ground_place *p, const oct_door_state *states)
{
    for (int i = 0; i < GROUND_PANELS && p->panels[i] != GROUND_NONE; i++) {
        const oct_door_state here = p->panels[i] & 1 ? OCT_DOOR_SHUT : OCT_DOOR_OPEN;
        const oct_door_state is = states[p->panels[i] / 2];
        if (is != here && is != OCT_DOOR_MOVING) {
            return false;
        }
    }
    return !p->is_closed;
}

uint32_t oct_recruits_ground_entries(const ground_place *from, const ground_place *to)
{
    uint32_t count = 0;
    for (int i = 0; i < GROUND_FIRES && to->fires[i] != GROUND_NONE; i++) {
        bool is_in = false;
        for (int k = 0; k < GROUND_FIRES && from->fires[k] != GROUND_NONE; k++) {
            is_in = is_in || from->fires[k] == to->fires[i];
        }
        count += !is_in;
    }
    return count;
}

// ---- regions ----

static bool is_alike(const ground_place *a, const ground_place *b)
{
    return memcmp(a->fires, b->fires, sizeof a->fires) == 0 &&
           memcmp(a->panels, b->panels, sizeof a->panels) == 0;
}

static oct_result fill_region(recruits_ground *g, uint32_t from)
{
    const uint32_t region = g->regions++;
    OCT_TRY(oct_array_push(&g->samples, &g->allocator, sizeof from, &from));
    g->queue.count = 0;
    ground_at(g, from)->region = region;
    OCT_TRY(oct_array_push(&g->queue, &g->allocator, sizeof from, &from));
    for (size_t n = 0; n < g->queue.count; n++) {
        const ground_place *const p = ground_at(g, ((const uint32_t *)g->queue.items)[n]);
        for (int w = 0; w < GROUND_WAYS; w++) {
            ground_place *const q = p->ways[w] != GROUND_NONE ? ground_at(g, p->ways[w]) : NULL;
            if (q && q->region == GROUND_NONE && !q->is_closed && is_alike(p, q)) {
                q->region = region;
                OCT_TRY(oct_array_push(&g->queue, &g->allocator, sizeof p->ways[w], &p->ways[w]));
            }
        }
    }
    return OCT_OK;
}

static oct_result add_joint(recruits_ground *g, uint32_t from, uint32_t to)
{
    const ground_joint new = {from, to};
    const ground_joint *const all = g->joints.items;
    for (size_t i = 0; i < g->joints.count; i++) {
        if (all[i].from == from && all[i].to == to) {
            return OCT_OK;
        }
    }
    return oct_array_push(&g->joints, &g->allocator, sizeof new, &new);
}

// Regions that touch each other differ in their fires or panels.
static oct_result join_neighbours(recruits_ground *g)
{
    for (uint32_t i = 0; i < g->places.count; i++) {
        const ground_place *const p = ground_at(g, i);
        for (int w = 0; w < GROUND_WAYS && p->region != GROUND_NONE; w++) {
            const uint32_t to =
                p->ways[w] != GROUND_NONE ? ground_at(g, p->ways[w])->region : GROUND_NONE;
            if (to != GROUND_NONE && to != p->region) {
                OCT_TRY(add_joint(g, p->region, to));
            }
        }
    }
    return OCT_OK;
}

static int compare_joints(const void *a, const void *b)
{
    const ground_joint *const p = a, *const q = b;
    if (p->from != q->from) {
        return p->from < q->from ? -1 : 1;
    }
    return (p->to > q->to) - (p->to < q->to);
}

oct_result oct_recruits_ground_join(recruits_ground *g)
{
    g->regions = 0;
    g->samples.count = g->joints.count = g->firsts.count = 0;
    for (uint32_t i = 0; i < g->places.count; i++) {
        ground_at(g, i)->region = GROUND_NONE;
    }
    for (uint32_t i = 0; i < g->places.count; i++) {
        if (ground_at(g, i)->region == GROUND_NONE && !ground_at(g, i)->is_closed) {
            OCT_TRY(fill_region(g, i));
        }
    }
    OCT_TRY(join_neighbours(g));
    if (g->joints.count > 0) {
        qsort(g->joints.items, g->joints.count, sizeof(ground_joint), compare_joints);
    }
    const ground_joint *const joints = g->joints.items;
    size_t at = 0;
    for (uint32_t r = 0; r <= g->regions; r++) {
        while (at < g->joints.count && joints[at].from < r) {
            at++;
        }
        const uint32_t first = (uint32_t)at;
        OCT_TRY(oct_array_push(&g->firsts, &g->allocator, sizeof first, &first));
    }
    return OCT_OK;
}

// ---- ways ----

uint32_t oct_recruits_ground_nearest(const recruits_ground *g, oct_point at, double within)
{
    const int32_t reach = (int32_t)ceil(within / GROUND_SIDE);
    const int32_t i = (int32_t)floor(at.x / GROUND_SIDE + 0.5) - g->low_x;
    const int32_t k = (int32_t)floor(at.z / GROUND_SIDE + 0.5) - g->low_z;
    uint32_t best = GROUND_NONE;
    double least = within * within + 1e-9;
    for (int32_t dk = -reach; dk <= reach; dk++) {
        for (int32_t di = -reach; di <= reach; di++) {
            const uint32_t p = place_in(g, i + di, k + dk, at.y, 0.6);
            if (p == GROUND_NONE) {
                continue;
            }
            const oct_point o = ground_at(g, p)->at;
            const double far = (o.x - at.x) * (o.x - at.x) + (o.z - at.z) * (o.z - at.z);
            if (far < least) {
                least = far;
                best = p;
            }
        }
    }
    return best;
}

oct_result oct_recruits_ground_flood(recruits_ground *g, uint32_t from,
                                     const oct_door_state *states, double price)
{
    const size_t count = g->places.count;
    OCT_TRY(oct_array_reserve(&g->costs, &g->allocator, sizeof(double), count + 1));
    OCT_TRY(oct_array_reserve(&g->before, &g->allocator, sizeof(uint32_t), count + 1));
    double *const costs = g->costs.items;
    uint32_t *const before = g->before.items;
    for (size_t i = 0; i < count; i++) {
        costs[i] = HUGE_VAL;
        before[i] = GROUND_NONE;
    }
    g->heap.entries.count = 0;
    costs[from] = 0.0;
    OCT_TRY(oct_heap_push(&g->heap, &g->allocator, (oct_heap_entry){.key = from, .id = from}));
    while (g->heap.entries.count > 0) {
        const oct_heap_entry top = oct_heap_pop(&g->heap);
        const ground_place *const p = ground_at(g, top.id);
        if (top.f > costs[top.id]) {
            continue;
        }
        for (int w = 0; w < GROUND_WAYS; w++) {
            const uint32_t to = p->ways[w];
            if (to == GROUND_NONE || !oct_recruits_ground_is_free(ground_at(g, to), states)) {
                continue;
            }
            const double cost = top.f + (w < 4 ? 1.0 : 1.41421356) * GROUND_SIDE +
                                price * oct_recruits_ground_entries(p, ground_at(g, to));
            if (cost < costs[to]) {
                costs[to] = cost;
                before[to] = top.id;
                OCT_TRY(oct_heap_push(&g->heap, &g->allocator,
                                      (oct_heap_entry){.f = cost, .key = to, .id = to}));
            }
        }
    }
    return OCT_OK;
}

double oct_recruits_ground_cost(const recruits_ground *g, uint32_t to)
{
    return ((const double *)g->costs.items)[to];
}

oct_result oct_recruits_ground_way(recruits_ground *g, uint32_t to, oct_array *out)
{
    const uint32_t *const before = g->before.items;
    out->count = 0;
    for (uint32_t at = to; at != GROUND_NONE; at = before[at]) {
        OCT_TRY(oct_array_push(out, &g->allocator, sizeof at, &at));
    }
    return OCT_OK;
}

bool oct_recruits_ground_is_straight(const recruits_ground *g, uint32_t from, uint32_t to,
                                     const oct_door_state *states, bool burns)
{
    const oct_point a = ground_at(g, from)->at, b = ground_at(g, to)->at;
    const double length = sqrt((b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z));
    const int parts = (int)ceil(length / 0.06);
    const ground_place *last = ground_at(g, from);
    double height = a.y;
    for (int n = 1; n < parts; n++) {
        const double t = (double)n / parts;
        const oct_point at = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
        const double x = at.x / GROUND_SIDE - g->low_x, z = at.z / GROUND_SIDE - g->low_z;
        // All places around it are free: the body keeps the room that each of them has.
        for (int c = 0; c < 4; c++) {
            const int32_t i = (int32_t)(c & 1 ? ceil(x - 1e-6) : floor(x + 1e-6));
            const int32_t k = (int32_t)(c & 2 ? ceil(z - 1e-6) : floor(z + 1e-6));
            const uint32_t p = place_in(g, i, k, height, RISE);
            if (p == GROUND_NONE || !oct_recruits_ground_is_free(ground_at(g, p), states) ||
                (!burns && oct_recruits_ground_entries(last, ground_at(g, p)) > 0) ||
                fabs(ground_at(g, p)->at.y - at.y) > BEND) {
                return false;
            }
            height = c == 0 ? ground_at(g, p)->at.y : height;
        }
    }
    return true;
}

bool oct_recruits_ground_sees(const recruits_ground *g, uint32_t from, uint32_t to,
                              const oct_door_state *states)
{
    const oct_point a = ground_at(g, from)->at, b = ground_at(g, to)->at;
    const double length = sqrt((b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z));
    const int parts = (int)ceil(length / 0.12);
    double height = a.y;
    for (int n = 1; n < parts; n++) {
        const double t = (double)n / parts;
        const double x = (a.x + t * (b.x - a.x)) / GROUND_SIDE - g->low_x;
        const double z = (a.z + t * (b.z - a.z)) / GROUND_SIDE - g->low_z;
        const uint32_t p =
            place_in(g, (int32_t)floor(x + 0.5), (int32_t)floor(z + 0.5), height, RISE);
        if (p == GROUND_NONE || (states && !oct_recruits_ground_is_free(ground_at(g, p), states))) {
            return false;
        }
        height = ground_at(g, p)->at.y;
    }
    return fabs(height - b.y) <= RISE;
}
