// SPDX-License-Identifier: MIT
// Maps: the index of things and the octree of cells, kept in step.
#include "map/map.h"
#include "map/sighted.h"
#include "octant/tree.h"

#include <math.h>

#define MAP_COOKIE 0x0c7a9e04u
#define JOURNAL_MAX (1u << 20)

// ---- life ----

oct_map_def oct_map_def_default(void)
{
    return (oct_map_def){.cell_size = 1.0, .dims = 3, .journal = 256, .cookie = MAP_COOKIE};
}

static bool point_is_finite(oct_point p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

static bool def_is_valid(const oct_map_def *def)
{
    return def->cookie == MAP_COOKIE && def->cell_size > 0.0 && isfinite(def->cell_size) &&
           point_is_finite(def->origin) && point_is_finite(def->padding) && def->padding.x >= 0.0 &&
           def->padding.y >= 0.0 && def->padding.z >= 0.0 && (def->dims == 2 || def->dims == 3) &&
           def->journal <= JOURNAL_MAX &&
           (!def->is_ball ||
            (def->padding.x == def->padding.y && def->padding.x == def->padding.z)) &&
           (!def->executor || (def->executor->run && def->executor->workers > 0));
}

static void run_here(void *ctx, uint32_t count, oct_task_fn *task, void *arg)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) {
        task(arg, i, 0);
    }
}

static oct_result create_tree(const oct_map *map, uint32_t changes, oct_tree **out)
{
    oct_tree_def def = oct_tree_def_default();
    def.cell_size = map->lattice.cell_size;
    def.origin = map->lattice.origin;
    def.dims = (uint32_t)map->lattice.dims;
    def.journal = changes;
    def.allocator = &map->allocator;
    return oct_tree_create(&def, out);
}

oct_result oct_map_keep_sighted(oct_map *map)
{
    map->last.is_marked = false;
    return map->sighted ? OCT_OK : create_tree(map, 0, &map->sighted);
}

const oct_tree *oct_map_sighted(const oct_map *map)
{
    return map->sighted;
}

oct_tree *oct_map_take_sighted(oct_map *map)
{
    oct_tree *const sighted = map->sighted;
    map->sighted = NULL;
    return sighted;
}

oct_result oct_map_create(const oct_map_def *def, oct_map **out)
{
    *out = NULL;
    if (!def_is_valid(def)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_map *map = oct_alloc(&allocator, sizeof *map, _Alignof(oct_map));
    if (!map) {
        return OCT_ERROR_MEMORY;
    }
    *map = (oct_map){
        .allocator = allocator,
        .executor = def->executor ? *def->executor : (oct_executor){run_here, NULL, 1},
        .lattice = {.origin = def->origin,
                    .padding = def->padding,
                    .cell_size = def->cell_size,
                    .dims = (int)def->dims,
                    .is_ball = def->is_ball},
    };
    const oct_result result = create_tree(map, def->journal, &map->tree);
    if (result != OCT_OK) {
        oct_free(&allocator, map, sizeof *map);
        return result;
    }
    oct_things_init(&map->things, &map->lattice, &allocator);
    *out = map;
    return OCT_OK;
}

static void free_scratch(oct_map *map)
{
    oct_array_free(&map->covers, &map->allocator, sizeof(thing_cover));
    oct_array_free(&map->changes, &map->allocator, sizeof(thing_cover));
    oct_array_free(&map->scratch, &map->allocator, 1);
    oct_array_free(&map->ids, &map->allocator, sizeof(uint32_t));
    oct_array_free(&map->undo, &map->allocator, sizeof(undo));
    oct_array_free(&map->boxes, &map->allocator, sizeof(sight_box));
    oct_array_free(&map->words, &map->allocator, sizeof(uint64_t));
    oct_array_free(&map->known_words, &map->allocator, sizeof(uint64_t));
    oct_array_free(&map->looks, &map->allocator, sizeof(uint8_t));
    oct_array_free(&map->parts, &map->allocator, sizeof(uint32_t));
    oct_array_free(&map->items, &map->allocator, sizeof(uint32_t));
    oct_array_free(&map->fine_words, &map->allocator, sizeof(uint64_t));
    oct_array_free(&map->solids, &map->allocator, sizeof(sight_solid));
    oct_array_free(&map->slabs, &map->allocator, sizeof(sight_slab));
    oct_array_free(&map->shapes, &map->allocator, sizeof(thing_shape *));
    oct_array_free(&map->sighted_words, &map->allocator, sizeof(uint64_t));
    oct_array_free(&map->last.things, &map->allocator, sizeof(oct_thing));
    oct_look_forget_shapes(map);
    oct_array_free(&map->last.shapes, &map->allocator, sizeof(thing_shape *));
    map->last = (last_look){.is_set = false};
}

void oct_map_destroy(oct_map *map)
{
    if (!map) {
        return;
    }
    const oct_allocator allocator = map->allocator;
    oct_tree_destroy(map->tree);
    oct_tree_destroy(map->sighted);
    oct_things_free(&map->things);
    free_scratch(map);
    oct_free(&allocator, map, sizeof *map);
}

oct_point oct_map_padding(const oct_map *map)
{
    return map->lattice.padding;
}

const oct_tree *oct_map_tree(const oct_map *map)
{
    return map->tree;
}

oct_point oct_map_to_cells(const oct_map *map, oct_point at)
{
    const lattice *l = &map->lattice;
    return (oct_point){(at.x - l->origin.x) / l->cell_size, (at.y - l->origin.y) / l->cell_size,
                       (at.z - l->origin.z) / l->cell_size};
}

oct_point oct_map_to_sight(const oct_map *map, oct_point at)
{
    const lattice *l = &map->lattice;
    const double size = l->cell_size * map_step(map);
    return (oct_point){(at.x - l->origin.x) / size, (at.y - l->origin.y) / size,
                       (at.z - l->origin.z) / size};
}

// ---- things ----

// A thing as its cells see it; false where it is OPEN, and so covers nothing.
static bool cover_of(const oct_map *map, const thing *t, const thing_shape *shape,
                     thing_covers *out)
{
    *out = (thing_covers){.box.label = (oct_label)t->label, .shape = shape};
    return t->label != OCT_OPEN && oct_lattice_cover(&map->lattice, &t->box, &out->box.box);
}

oct_result oct_map_check(const oct_map *map, const oct_thing *from)
{
    const oct_bounds *box = &from->box;
    const bool flat = map->lattice.dims == 2;
    if (from->label > OCT_BLOCKED || !point_is_finite(box->min) || !point_is_finite(box->max) ||
        box->min.x > box->max.x || box->min.y > box->max.y || (!flat && box->min.z > box->max.z) ||
        (oct_thing_shape_is_needed(from->shape) && !oct_thing_shape_is_valid(from->shape))) {
        return OCT_ERROR_ARGUMENT;
    }
    oct_box cells;
    return oct_lattice_cover(&map->lattice, box, &cells) ? OCT_OK : OCT_ERROR_RANGE;
}

// Tells the cells what has become of a thing, if they can tell.
static oct_result tell(oct_map *map, const thing *before, const thing_shape *before_shape,
                       const thing *after, const thing_shape *after_shape)
{
    thing_covers was, now;
    const bool had = before && cover_of(map, before, before_shape, &was);
    const bool has = after && cover_of(map, after, after_shape, &now);
    if (!had && !has) {
        return OCT_OK;
    }
    return oct_map_cover_changes(map, had ? &was : NULL, has ? &now : NULL);
}

static thing thing_from(const oct_thing *from)
{
    return (thing){.id = from->id,
                   .box = from->box,
                   .tag = from->tag,
                   .label = from->label,
                   .opaque = from->opaque != 0};
}

static oct_result reserve_thing(oct_map *map, const thing_shape *shape)
{
    if (map->tree->journal.undoing) {
        return OCT_OK;
    }
    OCT_TRY(oct_things_reserve(&map->things));
    return shape || map->things.shapes.count > 0 ? oct_things_reserve_shapes(&map->things) : OCT_OK;
}

oct_result oct_map_insert_as(oct_map *map, const oct_thing *from, thing_shape *shape)
{
    OCT_TRY(reserve_thing(map, shape));
    const thing after = thing_from(from);
    OCT_TRY(tell(map, NULL, NULL, &after, shape));
    const uint32_t slot = oct_things_take(&map->things, from);
    if (shape) {
        oct_things_set_shape(&map->things, slot, oct_thing_shape_keep(shape));
    }
    oct_things_link(&map->things, slot);
    return OCT_OK;
}

oct_result oct_map_replace_as(oct_map *map, uint32_t slot, const oct_thing *from,
                              thing_shape *shape)
{
    OCT_TRY(reserve_thing(map, shape));
    thing *at = oct_things_at(&map->things, slot);
    thing_shape *const old = oct_things_shape(&map->things, slot);
    thing after = thing_from(from);
    oct_things_unlink(&map->things, slot);
    const oct_result result = tell(map, at, old, &after, shape);
    if (result == OCT_OK) {
        after.next = at->next;
        *at = after;
        if (shape || old) {
            oct_things_set_shape(&map->things, slot, oct_thing_shape_keep(shape));
            oct_thing_shape_drop(old, &map->allocator);
        }
    }
    oct_things_link(&map->things, slot);
    return result;
}

// The shape that a thing is to have; NULL for its box.
static oct_result make_shape(const oct_map *map, const oct_thing *from, thing_shape **out)
{
    *out = NULL;
    return oct_thing_shape_is_needed(from->shape)
               ? oct_thing_shape_make(&map->lattice, &from->box, from->shape, &map->allocator, out)
               : OCT_OK;
}

oct_result oct_map_insert(oct_map *map, const oct_thing *from)
{
    thing_shape *shape;
    OCT_TRY(make_shape(map, from, &shape));
    const oct_result result = oct_map_insert_as(map, from, shape);
    oct_thing_shape_drop(shape, &map->allocator);
    return result;
}

oct_result oct_map_replace(oct_map *map, uint32_t slot, const oct_thing *from)
{
    thing_shape *shape;
    OCT_TRY(make_shape(map, from, &shape));
    const oct_result result = oct_map_replace_as(map, slot, from, shape);
    oct_thing_shape_drop(shape, &map->allocator);
    return result;
}

oct_result oct_map_erase(oct_map *map, uint32_t slot)
{
    thing_shape *const shape = oct_things_shape(&map->things, slot);
    oct_things_unlink(&map->things, slot);
    const oct_result result = tell(map, oct_things_at(&map->things, slot), shape, NULL, NULL);
    if (result == OCT_OK) {
        oct_things_give(&map->things, slot);
        oct_thing_shape_drop(shape, &map->allocator);
    } else {
        oct_things_link(&map->things, slot);
    }
    return result;
}

oct_result oct_map_add(oct_map *map, const oct_thing *from)
{
    OCT_TRY(oct_map_check(map, from));
    return oct_things_find(&map->things, from->id) ? OCT_ERROR_EXISTS : oct_map_insert(map, from);
}

oct_result oct_map_put(oct_map *map, const oct_thing *from)
{
    OCT_TRY(oct_map_check(map, from));
    const uint32_t slot = oct_things_find(&map->things, from->id);
    return slot ? oct_map_replace(map, slot, from) : oct_map_insert(map, from);
}

oct_result oct_map_remove(oct_map *map, uint64_t id)
{
    const uint32_t slot = oct_things_find(&map->things, id);
    return slot ? oct_map_erase(map, slot) : OCT_ERROR_ABSENT;
}

oct_result oct_map_move(oct_map *map, uint64_t id, oct_bounds box)
{
    const uint32_t slot = oct_things_find(&map->things, id);
    if (!slot) {
        return OCT_ERROR_ABSENT;
    }
    oct_thing moved = oct_things_get(&map->things, slot);
    moved.box = box;
    moved.shape = NULL;
    OCT_TRY(oct_map_check(map, &moved));
    return oct_map_replace(map, slot, &moved);
}

oct_result oct_map_relabel(oct_map *map, uint64_t id, oct_label label)
{
    const uint32_t slot = oct_things_find(&map->things, id);
    if (!slot) {
        return OCT_ERROR_ABSENT;
    }
    if ((uint32_t)label > OCT_BLOCKED) {
        return OCT_ERROR_ARGUMENT;
    }
    oct_thing changed = oct_things_get(&map->things, slot);
    changed.label = (uint8_t)label;
    return oct_map_replace_as(map, slot, &changed, oct_things_shape(&map->things, slot));
}

size_t oct_map_things(const oct_map *map)
{
    return map->things.thing_count;
}

bool oct_map_thing(const oct_map *map, uint64_t id, oct_thing *out)
{
    const uint32_t slot = oct_things_find(&map->things, id);
    if (slot) {
        *out = oct_things_get(&map->things, slot);
    }
    return slot != 0;
}

typedef struct visitor {
    const thing_index *things;
    oct_thing_fn *visit;
    void *ctx;
} visitor;

static bool visit_thing(void *ctx, uint32_t slot, const oct_box *cells)
{
    (void)cells;
    const visitor *v = ctx;
    const oct_thing found = oct_things_get(v->things, slot);
    return v->visit(v->ctx, &found);
}

bool oct_map_things_in(const oct_map *map, oct_box cells, oct_thing_fn *visit, void *ctx)
{
    visitor v = {&map->things, visit, ctx};
    return oct_things_in(&map->things, &cells, visit_thing, &v);
}

oct_box oct_map_cover(const oct_map *map, oct_bounds box)
{
    oct_box cells;
    return oct_lattice_cover(&map->lattice, &box, &cells) ? cells : (oct_box){{0, 0, 0}, {0, 0, 0}};
}

bool oct_map_covers(const oct_map *map, uint64_t id, oct_vec cell)
{
    const uint32_t slot = oct_things_find(&map->things, id);
    oct_box cells;
    if (!slot ||
        !oct_lattice_cover(&map->lattice, &oct_things_at(&map->things, slot)->box, &cells)) {
        return false;
    }
    cell.z = map->lattice.dims == 2 ? 0 : cell.z;
    const thing_shape *const shape = oct_things_shape(&map->things, slot);
    return box_holds(&cells, cell) && (!shape || oct_thing_shape_covers(shape, cell));
}

// ---- what lies underneath ----

static bool in_range(int dims, const oct_box *box)
{
    return box->min.x >= -OCT_RANGE && box->max.x <= OCT_RANGE && box->min.y >= -OCT_RANGE &&
           box->max.y <= OCT_RANGE &&
           (dims == 2 || (box->min.z >= -OCT_RANGE && box->max.z <= OCT_RANGE));
}

oct_result oct_map_set_box(oct_map *map, oct_box cells, oct_mark mark)
{
    if ((uint32_t)mark >= OCT_MARK_COUNT) {
        return OCT_ERROR_ARGUMENT;
    }
    if (map->lattice.dims == 2) {
        cells.min.z = 0;
        cells.max.z = 1;
    }
    if (box_is_empty(map->lattice.dims, &cells)) {
        return OCT_OK;
    }
    if (!in_range(map->lattice.dims, &cells)) {
        return OCT_ERROR_RANGE;
    }
    const cell_set box = {.kind = CELL_SET_BOX, .box = cells};
    return oct_map_mark(map, &box, mark);
}

oct_result oct_map_set_world_box(oct_map *map, oct_bounds box, oct_cover cover, oct_mark mark)
{
    oct_box cells;
    OCT_TRY(oct_cells_of_bounds(map->lattice.dims, map->lattice.origin, map->lattice.cell_size,
                                &box, cover, &cells));
    return oct_map_set_box(map, cells, mark);
}

typedef struct far_things {
    const thing_index *things;
    const oct_allocator *allocator;
    oct_array slots;          // of uint32_t: things that cover no cell of the ball
    double centre[3], radius; // in cells
    oct_result result;
} far_things;

static bool find_far(void *ctx, uint32_t slot, const oct_box *cells)
{
    far_things *f = ctx;
    const double lo[3] = {cells->min.x, cells->min.y, cells->min.z};
    const double hi[3] = {cells->max.x, cells->max.y, cells->max.z};
    double square = 0.0;
    for (int axis = 0; axis < f->things->lattice.dims; axis++) {
        const double below = lo[axis] - f->centre[axis], above = f->centre[axis] - hi[axis];
        const double distance = below > 0.0 ? below : above > 0.0 ? above : 0.0;
        square += distance * distance;
    }
    if (square >= f->radius * f->radius) {
        f->result = oct_array_push(&f->slots, f->allocator, sizeof slot, &slot);
    }
    return f->result == OCT_OK;
}

oct_result oct_map_keep(oct_map *map, oct_point centre, double radius)
{
    if (!point_is_finite(centre) || !(radius >= 0.0) || !isfinite(radius)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_point at = oct_map_to_cells(map, centre);
    const cell_set outside = {
        .kind = CELL_SET_OUTSIDE, .centre = at, .radius = radius / map->lattice.cell_size};
    far_things far = {.things = &map->things,
                      .allocator = &map->allocator,
                      .centre = {at.x, at.y, at.z},
                      .radius = outside.radius};
    const oct_box all = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE}, {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    oct_things_in(&map->things, &all, find_far, &far);
    oct_result result = far.result;
    if (result == OCT_OK) {
        result = oct_map_begin_edits(map, far.slots.count);
    }
    if (result == OCT_OK) {
        for (size_t i = 0; i < far.slots.count && result == OCT_OK; i++) {
            result = oct_map_group_erase(map, ((const uint32_t *)far.slots.items)[i]);
        }
        if (result == OCT_OK) {
            result = oct_map_mark(map, &outside, OCT_MARK_UNKNOWN);
        }
        result = oct_map_end_edits(map, result);
    }
    oct_array_free(&far.slots, &map->allocator, sizeof(uint32_t));
    return result;
}

// ---- questions ----

// ---- measures ----

oct_map_bytes oct_map_measure(const oct_map *map)
{
    return (oct_map_bytes){oct_tree_bytes(map->tree), oct_things_bytes(&map->things)};
}

oct_result oct_map_shrink(oct_map *map)
{
    free_scratch(map);
    OCT_TRY(oct_things_shrink(&map->things));
    return oct_tree_shrink(map->tree);
}
