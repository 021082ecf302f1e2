// SPDX-License-Identifier: MIT
// Observation: which things are seen, which cells are known after it.
//
// With line of sight the seen cells are cast into a grid of bits (map_look.c), things are looked up
// in it, and then the grid is eroded by the padding (map_known.c): a cell is known where it and all
// cells that a body in it would reach are seen.
#include "map/map_look.h"

#include "geom/geom_internal.h"

#include <math.h>

// Things that are one part for the executor.
#define PART_THINGS 64

// ---- things ----

static bool is_same(const oct_thing *a, const oct_thing *b)
{
    return oct_thing_shape_equals(a->shape, b->shape) && a->label == b->label &&
           !a->opaque == !b->opaque && a->tag == b->tag && is_same_bounds(&a->box, &b->box);
}

static oct_result see_thing(look *l, size_t index)
{
    oct_map *map = l->map;
    const oct_thing *const from = &l->things[index];
    thing_shape *const shape = l->shapes ? l->shapes[index] : NULL;
    const uint32_t slot = oct_things_find(&map->things, from->id);
    if (!slot) {
        l->result.added++;
        return oct_map_group_insert(map, from, shape);
    }
    const oct_thing known = oct_things_get(&map->things, slot);
    if (is_same(&known, from)) {
        l->result.same++;
        return OCT_OK;
    }
    l->result.changed++;
    return oct_map_group_replace(map, slot, from, shape);
}

static void look_at_part(void *arg, uint32_t part, uint32_t worker)
{
    (void)worker;
    const look *const l = arg;
    const size_t from = (size_t)part * PART_THINGS;
    uint32_t first = 0;
    for (size_t i = from; i < from + PART_THINGS && i < l->count; i++) {
        const oct_bounds *const box = &l->things[i].box;
        const thing_shape *const shape = l->shapes ? l->shapes[i] : NULL;
        l->looks[i] = !oct_look_is_within(l, box)                         ? OCT_LOOK_FAR
                      : oct_look_sees(l, box, shape, (uint32_t)i, &first) ? OCT_LOOK_SEEN
                                                                          : OCT_LOOK_HIDDEN;
    }
}

// Finds out which things are seen. In line of sight that takes the time of things times opaque
// boxes; otherwise too little to wake threads for.
static oct_result look_at_things(look *l)
{
    oct_map *const map = l->map;
    OCT_TRY(oct_array_reserve(&map->looks, &map->allocator, sizeof(uint8_t), l->count));
    l->looks = map->looks.items;
    const uint32_t parts = (uint32_t)((l->count + PART_THINGS - 1u) / PART_THINGS);
    if (l->has_bits) {
        map->executor.run(map->executor.ctx, parts, look_at_part, l);
    } else {
        for (uint32_t i = 0; i < parts; i++) {
            look_at_part(l, i, 0);
        }
    }
    return OCT_OK;
}

static oct_result see_things(look *l)
{
    for (size_t i = 0; i < l->count; i++) {
        if (l->looks[i] == OCT_LOOK_SEEN) {
            OCT_TRY(see_thing(l, i));
        } else {
            l->result.hidden += l->looks[i] == OCT_LOOK_HIDDEN;
        }
    }
    return OCT_OK;
}

// Things of the map that would be seen and are not there.
typedef struct missing {
    const look *look;
    oct_array *slots; // of uint32_t
    uint32_t first;   // opaque box to try first
    oct_result result;
} missing;

// Whether a thing is elsewhere than the map has it, or nowhere, as far as this look can tell: what
// is where it was is seen there, or hidden there.
static bool has_left(const look *l, const oct_thing *now, const oct_thing *was)
{
    return !now || (l->looks[now - l->things] != OCT_LOOK_SEEN &&
                    !(is_same_bounds(&now->box, &was->box) &&
                      oct_thing_shape_equals(now->shape, was->shape)));
}

static bool find_missing(void *ctx, uint32_t slot, const oct_box *cells)
{
    (void)cells;
    missing *m = ctx;
    const look *l = m->look;
    const thing *t = oct_things_at(&l->map->things, slot);
    const oct_thing was = oct_things_get(&l->map->things, slot);
    if (has_left(l, oct_look_find(l, t->id), &was) && oct_look_is_within(l, &t->box) &&
        oct_look_sees(l, &t->box, oct_things_shape(&l->map->things, slot), SIGHT_NO_OWNER,
                      &m->first)) {
        m->result = oct_array_push(m->slots, &l->map->allocator, sizeof slot, &slot);
    }
    return m->result == OCT_OK;
}

static oct_result remove_missing(look *l, const oct_array *slots)
{
    for (size_t i = 0; i < slots->count; i++) {
        OCT_TRY(oct_map_group_erase(l->map, ((const uint32_t *)slots->items)[i]));
        l->result.removed++;
    }
    return OCT_OK;
}

// ---- observing ----

static bool axis_fits(double centre, double radius)
{
    return centre - radius >= -(double)OCT_RANGE && centre + radius <= (double)OCT_RANGE;
}

#define ALL_AROUND 6.283185307179586

// What is in the field of view. Where forward is no direction, `near` is not finite.
static void set_cone(look *l)
{
    const oct_view *const view = l->view;
    const lattice *const lat = &l->map->lattice;
    const bool flat = lat->dims == 2;
    l->has_cone = view->fov > 0.0 && view->fov < ALL_AROUND;
    l->has_bits = l->has_cone || view->sight == OCT_SIGHT_LINE;
    if (!l->has_cone) {
        return;
    }
    const oct_point f = {view->forward.x, view->forward.y, flat ? 0.0 : view->forward.z};
    const double length = sqrt(f.x * f.x + f.y * f.y + f.z * f.z);
    const double size = lat->cell_size * map_step(l->map);
    const oct_point pad = {lat->padding.x / size, lat->padding.y / size,
                           flat ? 0.0 : lat->padding.z / size};
    double sine;
    oct_sin_cos(view->fov / 2.0, &sine, &l->cone.cosine);
    l->cone.forward = (oct_point){f.x / length, f.y / length, f.z / length};
    l->cone.near = length > 0.0 && isfinite(length)
                       ? sqrt(pad.x * pad.x + pad.y * pad.y + pad.z * pad.z) + 2.0
                       : HUGE_VAL;
}

static oct_result check_view(const look *l)
{
    const oct_view *view = l->view;
    const bool flat = l->map->lattice.dims == 2;
    if (!isfinite(view->centre.x) || !isfinite(view->centre.y) ||
        (!flat && !isfinite(view->centre.z)) || !isfinite(view->radius) || view->radius < 0.0 ||
        (uint32_t)view->sight > OCT_SIGHT_THROUGH || (l->count > 0 && !l->things) ||
        !(view->fov >= 0.0) || !isfinite(view->fov) || (l->has_cone && !isfinite(l->cone.near))) {
        return OCT_ERROR_ARGUMENT;
    }
    if (!axis_fits(l->eye.x, l->radius) || !axis_fits(l->eye.y, l->radius) ||
        (!flat && !axis_fits(l->eye.z, l->radius)) ||
        (l->has_bits && l->radius > OCT_SIGHT_CELLS_MAX)) {
        return OCT_ERROR_RANGE;
    }
    return OCT_OK;
}

static oct_result apply(look *l, oct_array *gone)
{
    // Things that only touch the ball are within the radius too.
    const oct_box in = oct_look_ball(l);
    const int32_t step = map_step(l->map);
    const oct_box box = {{in.min.x * step - 1, in.min.y * step - 1, in.min.z * step - 1},
                         {in.max.x * step + 1, in.max.y * step + 1, in.max.z * step + 1}};
    missing m = {l, gone, 0, OCT_OK};
    oct_things_in(&l->map->things, &box, find_missing, &m);
    OCT_TRY(m.result);
    OCT_TRY(oct_map_begin_edits(l->map, l->count + gone->count));
    oct_result result = remove_missing(l, gone);
    if (result == OCT_OK) {
        result = see_things(l);
    }
    if (result == OCT_OK) {
        result = oct_look_mark_known(l);
    }
    return oct_map_end_edits(l->map, result);
}

// ---- looking again ----

// Whether a thing that is passed has the shape of the one that was passed in its place.
static bool has_same_shape(const look *l, size_t i)
{
    thing_shape *const *const before = l->map->last.shapes.items;
    const thing_shape *const now = l->shapes ? l->shapes[i] : NULL;
    const thing_shape *const was = l->map->last.shapes.count > 0 ? before[i] : NULL;
    return now == was || (now && was && oct_thing_shape_equals(&now->told, &was->told));
}

// Whether a look sees what the last one saw: where it is from and all that may hide something are
// the same.
static bool is_repeated(const look *l)
{
    const last_look *const last = &l->map->last;
    const oct_view *const a = l->view, *const b = &last->view;
    if (!last->is_set || last->things.count != l->count || !is_same_point(a->centre, b->centre) ||
        a->radius != b->radius || a->sight != b->sight || a->fov != b->fov ||
        (l->has_cone && !is_same_point(a->forward, b->forward))) {
        return false;
    }
    const oct_thing *const things = last->things.items;
    for (size_t i = 0; i < l->count; i++) {
        if (things[i].id != l->things[i].id || !things[i].opaque != !l->things[i].opaque ||
            look_is_soft(&things[i]) != look_is_soft(&l->things[i]) ||
            !is_same_bounds(&things[i].box, &l->things[i].box) || !has_same_shape(l, i)) {
            return false;
        }
    }
    return true;
}

void oct_look_forget_shapes(oct_map *map)
{
    oct_array *const list = &map->last.shapes;
    for (size_t i = 0; i < list->count; i++) {
        oct_thing_shape_drop(((thing_shape *const *)list->items)[i], &map->allocator);
    }
    list->count = 0;
}

// Keeps what was passed, for the next look.
static oct_result keep_look(look *l)
{
    oct_map *const map = l->map;
    last_look *const last = &map->last;
    OCT_TRY(oct_array_reserve(&last->things, &map->allocator, sizeof(oct_thing), l->count));
    if (l->count > 0) {
        memcpy(last->things.items, l->things, l->count * sizeof(oct_thing));
    }
    last->things.count = l->count;
    oct_look_forget_shapes(map);
    if (l->shapes) {
        OCT_TRY(oct_array_reserve(&last->shapes, &map->allocator, sizeof(thing_shape *), l->count));
        for (size_t i = 0; i < l->count; i++) {
            ((thing_shape **)last->shapes.items)[i] = oct_thing_shape_keep(l->shapes[i]);
        }
        last->shapes.count = l->count;
    }
    last->view = *l->view;
    last->seen = l->seen;
    last->is_set = true;
    return OCT_OK;
}

static oct_result cast_anew(look *l)
{
    l->map->last.is_set = l->map->last.is_marked = false;
    OCT_TRY(l->has_bits ? oct_look_cast(l) : OCT_OK);
    OCT_TRY(look_at_things(l));
    return l->has_bits ? keep_look(l) : OCT_OK;
}

// Finds out what is seen; changes no label and no thing.
static oct_result look_around(look *l)
{
    l->eye = oct_map_to_sight(l->map, l->view->centre);
    l->radius = l->view->radius / (l->map->lattice.cell_size * map_step(l->map));
    set_cone(l);
    OCT_TRY(check_view(l));
    OCT_TRY(oct_look_enter_things(l));
    OCT_TRY(oct_look_take_shapes(l));
    OCT_TRY(l->has_bits ? oct_look_gather_opaque(l) : OCT_OK);
    l->is_repeated = l->has_bits && is_repeated(l);
    if (!l->is_repeated) {
        return cast_anew(l);
    }
    l->seen = l->map->last.seen;
    l->looks = l->map->looks.items;
    return OCT_OK;
}

oct_result oct_map_look(oct_map *map, const oct_view *view, const oct_thing *things, size_t count)
{
    look l = {.map = map, .view = view, .things = things, .count = count};
    const oct_result result = look_around(&l);
    oct_look_drop_shapes(&l);
    return result;
}

const uint8_t *oct_map_looks(const oct_map *map)
{
    return map->looks.items;
}

oct_result oct_map_observe(oct_map *map, const oct_view *view, const oct_thing *things,
                           size_t count, oct_seen *seen)
{
    look l = {.map = map, .view = view, .things = things, .count = count};
    oct_array gone = {0};
    oct_result result = look_around(&l);
    result = result == OCT_OK ? apply(&l, &gone) : result;
    oct_look_drop_shapes(&l);
    oct_array_free(&gone, &map->allocator, sizeof(uint32_t));
    if (result != OCT_OK) {
        map->last.is_marked = false;
        return result;
    }
    if (!l.is_repeated || !map->last.is_marked) {
        map->last.cells = oct_look_count_known(&l);
        map->last.is_marked = l.has_bits;
    }
    l.result.cells = map->last.cells;
    if (seen) {
        *seen = l.result;
    }
    return OCT_OK;
}
