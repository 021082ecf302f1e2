// SPDX-License-Identifier: MIT
// Walking spaces: the surface without what is too steep, with steps joined, and its links in order.
#include "surface/walking.h"

#include "geom/geom_internal.h"

#include <math.h>
#include <stdlib.h>

#define COOKIE 0x5fa9a1c6u
#define SLOPE 45.0
#define STRIDE 0.1
#define SPACING 1.0
#define JUMP_PRICE 2.0
#define DROP_PRICE 1.0
#define SLOPE_SLACK 1e-9 // of a cosine
#define STEP_SLACK 1e-6  // metres
#define PI 3.14159265358979323846

// ---- rules ----

oct_walking_rules oct_walking_rules_default(void)
{
    return (oct_walking_rules){.slope = SLOPE,
                               .stride = STRIDE,
                               .spacing = SPACING,
                               .jump_price = JUMP_PRICE,
                               .drop_price = DROP_PRICE,
                               .cookie = COOKIE};
}

const char *oct_walking_kind_name(oct_walking_kind kind)
{
    static const char *const names[] = {
        [OCT_WALKING_WALK] = "walk",
        [OCT_WALKING_STEP] = "step",
        [OCT_WALKING_JUMP] = "jump",
        [OCT_WALKING_DROP] = "drop",
    };
    return names[kind];
}

static bool is_length(double value)
{
    return value >= 0.0 && value <= OCT_SURFACE_REACH_MAX;
}

static bool are_good(const oct_walking_rules *r)
{
    return r->cookie == COOKIE && is_length(r->step) && r->slope >= 0.0 && r->slope <= 90.0 &&
           is_length(r->climb) && is_length(r->leap) && is_length(r->drop) &&
           is_length(r->margin) && is_length(r->stride) && is_length(r->spacing) &&
           r->spacing > 0.0 && is_length(r->jump_price) && is_length(r->drop_price);
}

// The parabola, whatever else the rules say.
static double gap_at(const oct_walking_rules *r, double height)
{
    const double rise = r->climb > 0.0 ? 1.0 - height / r->climb : 1.0;
    const double gap = r->leap * (1.0 + sqrt(rise)) / 2.0;
    return gap > r->stride ? gap : r->stride;
}

double oct_walking_longest(const oct_walking_rules *rules)
{
    const double fall = rules->drop - rules->climb;
    return 2.0 * rules->margin + gap_at(rules, fall > rules->step ? -fall : -rules->step);
}

double oct_walking_gap(const oct_walking_rules *rules, double height)
{
    const oct_walking_rules *const r = rules;
    if ((r->climb <= 0.0 && r->leap <= 0.0) || !(height <= r->climb) ||
        (height < -r->step && r->climb - height > r->drop)) {
        return -1.0;
    }
    return gap_at(r, height);
}

oct_walking_kind oct_walking_kind_of(const oct_walking_rules *rules, double distance, double height)
{
    const oct_walking_rules *const r = rules;
    if (distance <= r->stride && fabs(height) <= r->step + STEP_SLACK) {
        return OCT_WALKING_STEP;
    }
    if (height < 0.0 && -height <= r->drop && distance <= 2.0 * r->margin + r->stride) {
        return OCT_WALKING_DROP;
    }
    const double gap = oct_walking_gap(r, height);
    return gap >= 0.0 && distance <= 2.0 * r->margin + gap ? OCT_WALKING_JUMP : OCT_WALKING_WALK;
}

// ---- the surface ----

// Whether a triangle is no steeper than the cosine says.
static bool can_stand(const ground_point *a, const ground_point *b, const ground_point *c,
                      double cosine)
{
    const double ux = b->x - a->x, uy = b->y - a->y, uz = b->z - a->z;
    const double vx = c->x - a->x, vy = c->y - a->y, vz = c->z - a->z;
    const double x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    return z >= (cosine - SLOPE_SLACK) * sqrt(x * x + y * y + z * z);
}

// A face as it is, if all of its fan can be stood on; else the triangles that can.
static oct_result add_face(const oct_surface *s, uint32_t face, double cosine, polygons *out,
                           oct_array *scratch)
{
    const uint32_t count = s->faces[face].count;
    OCT_TRY(oct_array_reserve(scratch, out->memory, sizeof(ground_point), count));
    ground_point *const corners = scratch->items;
    uint32_t h = s->faces[face].apex, steep = 0;
    for (uint32_t i = 0; i < count; i++, h = s->edges[h].next) {
        corners[i] = edge_point(&s->edges[h]);
        steep += i >= 2 && !can_stand(&corners[0], &corners[i - 1], &corners[i], cosine);
    }
    if (steep == 0) {
        return oct_polygons_add(out, corners, count, face);
    }
    for (uint32_t i = 2; i < count; i++) {
        const ground_point fan[3] = {corners[0], corners[i - 1], corners[i]};
        if (oct_polygon_area(fan, 3) > 0.0 && can_stand(&fan[0], &fan[1], &fan[2], cosine)) {
            OCT_TRY(oct_polygons_add(out, fan, 3, face));
        }
    }
    return OCT_OK;
}

static oct_result make_surface(oct_walking_space *w, const oct_surface *given)
{
    double sine, cosine;
    oct_sin_cos(w->rules.slope * PI / 180.0, &sine, &cosine);
    polygons all = {.memory = &w->allocator};
    oct_array scratch = {.count = 0};
    oct_result result = OCT_OK;
    for (uint32_t f = 0; f < given->info.faces && result == OCT_OK; f++) {
        result = add_face(given, f, cosine, &all, &scratch);
    }
    if (result == OCT_OK) {
        oct_surface_def def = oct_surface_def_default();
        def.up = given->up;
        def.left_handed = given->left_handed;
        def.join_distance = given->join_distance;
        def.join_height = w->rules.step > given->join_height ? w->rules.step : given->join_height;
        def.allocator = &w->allocator;
        const oct_surface_info counts = {.given = given->info.faces, .baked = given->info.baked};
        result = oct_surface_of_polygons(&def, &all, &counts, &w->surface);
    }
    if (result == OCT_OK) {
        result = oct_surface_copy_details(w->surface, given);
    }
    oct_array_free(&scratch, &w->allocator, sizeof(ground_point));
    oct_polygons_free(&all);
    return result;
}

// ---- links in order ----

static int by_island(const void *a, const void *b)
{
    const oct_walking_link *const x = a, *const y = b;
    const double of_x[] = {x->from.x, x->from.y, x->from.z, x->to.x, x->to.y, x->to.z};
    const double of_y[] = {y->from.x, y->from.y, y->from.z, y->to.x, y->to.y, y->to.z};
    if (x->from_face != y->from_face) {
        return x->from_face < y->from_face ? -1 : 1;
    }
    for (int i = 0; i < 6; i++) {
        if (of_x[i] != of_y[i]) {
            return of_x[i] < of_y[i] ? -1 : 1;
        }
    }
    return (x->to_face > y->to_face) - (x->to_face < y->to_face);
}

// Lists items by a key below `keys`: starts[k] is where those of k begin.
static void list_by_key(const uint32_t *key_of, uint32_t count, uint32_t keys, uint32_t *starts,
                        uint32_t *out)
{
    memset(starts, 0, (keys + 1u) * sizeof *starts);
    for (uint32_t i = 0; i < count; i++) {
        starts[key_of[i] + 1]++;
    }
    for (uint32_t k = 0; k < keys; k++) {
        starts[k + 1] += starts[k];
    }
    for (uint32_t i = 0; i < count; i++) {
        out[starts[key_of[i]]++] = i;
    }
    for (uint32_t k = keys; k > 0; k--) {
        starts[k] = starts[k - 1];
    }
    starts[0] = 0;
}

static void put_in_order(oct_walking_space *w, oct_walking_link *sorted, uint32_t *keys)
{
    const uint32_t count = (uint32_t)w->links.count, islands = w->surface->info.islands;
    oct_walking_link *const links = w->links.items;
    qsort(links, count, sizeof *links, by_island);
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = island_of(w->surface, links[i].from_face);
    }
    list_by_key(keys, count, islands, w->leaving, w->into);
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = links[w->into[i]];
    }
    memcpy(links, sorted, count * sizeof *links);
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = island_of(w->surface, links[i].to_face);
    }
    list_by_key(keys, count, islands, w->entering, w->into);
}

static oct_result order_links(oct_walking_space *w)
{
    const oct_allocator *const memory = &w->allocator;
    const size_t islands = w->surface->info.islands + 1u, count = w->links.count;
    w->leaving = oct_alloc(memory, islands * sizeof(uint32_t), _Alignof(uint32_t));
    w->entering = oct_alloc(memory, islands * sizeof(uint32_t), _Alignof(uint32_t));
    if (!w->leaving || !w->entering) {
        return OCT_ERROR_MEMORY;
    }
    memset(w->leaving, 0, islands * sizeof(uint32_t));
    memset(w->entering, 0, islands * sizeof(uint32_t));
    if (count == 0) {
        return OCT_OK;
    }
    w->into = oct_alloc(memory, count * sizeof(uint32_t), _Alignof(uint32_t));
    oct_walking_link *const sorted =
        oct_alloc(memory, count * sizeof *sorted, _Alignof(oct_walking_link));
    uint32_t *const keys = oct_alloc(memory, count * sizeof *keys, _Alignof(uint32_t));
    const bool whole = w->into && sorted && keys;
    if (whole) {
        put_in_order(w, sorted, keys);
    }
    oct_free(memory, sorted, count * sizeof *sorted);
    oct_free(memory, keys, count * sizeof *keys);
    return whole ? OCT_OK : OCT_ERROR_MEMORY;
}

// ---- spaces ----

oct_result oct_walking_space_create(const oct_surface *surface, const oct_walking_rules *rules,
                                    oct_walking_space **out)
{
    *out = NULL;
    if (!are_good(rules)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator memory = oct_allocator_or_default(rules->allocator);
    oct_walking_space *const w = oct_alloc(&memory, sizeof *w, _Alignof(oct_walking_space));
    if (!w) {
        return OCT_ERROR_MEMORY;
    }
    *w = (oct_walking_space){.rules = *rules, .allocator = memory};
    oct_result result = make_surface(w, surface);
    result = result == OCT_OK ? oct_walking_find_links(w) : result;
    result = result == OCT_OK ? order_links(w) : result;
    if (result != OCT_OK) {
        oct_walking_space_destroy(w);
        return result;
    }
    *out = w;
    return OCT_OK;
}

void oct_walking_space_destroy(oct_walking_space *w)
{
    if (!w) {
        return;
    }
    const oct_allocator memory = w->allocator;
    const size_t islands = w->surface ? w->surface->info.islands + 1u : 0;
    oct_free(&memory, w->leaving, islands * sizeof(uint32_t));
    oct_free(&memory, w->entering, islands * sizeof(uint32_t));
    oct_free(&memory, w->into, w->links.count * sizeof(uint32_t));
    oct_array_free(&w->links, &memory, sizeof(oct_walking_link));
    oct_surface_destroy(w->surface);
    oct_free(&memory, w, sizeof *w);
}

const oct_surface *oct_walking_surface(const oct_walking_space *space)
{
    return space->surface;
}

uint32_t oct_walking_links(const oct_walking_space *space, const oct_walking_link **links)
{
    *links = space->links.items;
    return (uint32_t)space->links.count;
}
