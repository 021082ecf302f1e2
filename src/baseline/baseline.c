// SPDX-License-Identifier: MIT
// Life, edits and single questions of both baselines. A thing covers cells; when it goes, its cells
// are uncovered and the other things cover theirs again.
#include "baseline/baseline_internal.h"

#include "map/map.h"

const char *oct_baseline_name(baseline_kind kind)
{
    static const char *const names[BASELINE_KIND_COUNT] = {"grid", "set"};
    return (uint32_t)kind < BASELINE_KIND_COUNT ? names[kind] : NULL;
}

static known_thing *thing_at(const oct_baseline_map *b, size_t index)
{
    return (known_thing *)b->things.items + index;
}

// ---- life ----

oct_result oct_baseline_map_create(baseline_kind kind, const oct_map *like,
                                   const oct_allocator *may_be_null, oct_baseline_map **out)
{
    const oct_allocator allocator = oct_allocator_or_default(may_be_null);
    oct_baseline_map *const b = oct_alloc(&allocator, sizeof *b, _Alignof(oct_baseline_map));
    *out = b;
    if (!b) {
        return OCT_ERROR_MEMORY;
    }
    *b = (oct_baseline_map){.allocator = allocator,
                            .kind = kind,
                            .lattice = like->lattice,
                            .grid = {.is_flat = like->lattice.dims == 2}};
    return OCT_OK;
}

void oct_baseline_map_destroy(oct_baseline_map *may_be_null)
{
    oct_baseline_map *const b = may_be_null;
    if (!b) {
        return;
    }
    const oct_allocator allocator = b->allocator;
    oct_voxels_free(&b->grid, &allocator);
    oct_blocked_free(&b->set, &allocator);
    oct_key_table_free(&b->ids, &allocator);
    for (size_t i = 0; i < b->things.count; i++) {
        oct_thing_shape_drop(thing_at(b, i)->shape, &allocator);
    }
    oct_array_free(&b->things, &allocator, sizeof(known_thing));
    oct_baseline_map_search_free(&b->search, &allocator);
    oct_array_free(&b->cells, &allocator, sizeof(oct_vec));
    oct_array_free(&b->points, &allocator, sizeof(oct_point));
    oct_array_free(&b->lattice_points, &allocator, sizeof(oct_fine));
    oct_key_table_free(&b->skip_places, &allocator);
    oct_array_free(&b->skips, &allocator, sizeof(skipped_cell));
    oct_free(&allocator, b, sizeof *b);
}

baseline_kind oct_baseline_map_kind(const oct_baseline_map *b)
{
    return b->kind;
}

// ---- cells ----

static uint32_t state_at(const oct_baseline_map *b, oct_vec cell)
{
    cell.z = b->lattice.dims == 3 ? cell.z : 0;
    return b->kind == BASELINE_GRID ? oct_voxels_state(&b->grid, cell)
                                    : oct_blocked_state(&b->set, cell);
}

static oct_result edit_run(oct_baseline_map *b, cell_run run, cell_edit edit)
{
    if (b->kind == BASELINE_SET) {
        return oct_blocked_edit(&b->set, &b->allocator, run, edit);
    }
    oct_voxels_edit(&b->grid, run, edit);
    return OCT_OK;
}

static oct_box flattened(const oct_baseline_map *b, oct_box box)
{
    return b->lattice.dims == 3 ? box
                                : (oct_box){{box.min.x, box.min.y, 0}, {box.max.x, box.max.y, 1}};
}

// The grid becomes larger where it must.
static oct_result hold(oct_baseline_map *b, const oct_box *box)
{
    if (b->kind == BASELINE_GRID) {
        OCT_TRY(oct_voxels_hold(&b->grid, &b->allocator, box));
    }
    b->held = box_union(b->held, *box);
    return OCT_OK;
}

// The box has to be held.
static oct_result edit_box(oct_baseline_map *b, oct_box box, cell_edit edit)
{
    for (int32_t z = box.min.z; z < box.max.z && box.min.x < box.max.x; z++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            OCT_TRY(edit_run(b, (cell_run){box.min.x, box.max.x, y, z}, edit));
        }
    }
    return OCT_OK;
}

// ---- regions ----

// The distance from a ball's centre to the far side of a cell, or to its near side, on one axis.
static double far_side(double centre, int32_t cell)
{
    const double below = centre - (double)cell, above = (double)cell + 1.0 - centre;
    return below > above ? below : above;
}

static double near_side(double centre, int32_t cell)
{
    const double below = (double)cell - centre, above = centre - ((double)cell + 1.0);
    return below > 0.0 ? below : above > 0.0 ? above : 0.0;
}

// Squares are summed in the order x, y, z, as the octree does it, so that both agree to the bit.
static bool ball_has(const cell_set *r, int dims, oct_vec c)
{
    const double x = far_side(r->centre.x, c.x) + r->pad.x;
    const double y = far_side(r->centre.y, c.y) + r->pad.y;
    const double z = dims == 3 ? far_side(r->centre.z, c.z) + r->pad.z : 0.0;
    return x * x + y * y + z * z <= r->radius * r->radius;
}

static bool outside_has(const cell_set *r, int dims, oct_vec c)
{
    const double x = near_side(r->centre.x, c.x), y = near_side(r->centre.y, c.y);
    const double z = dims == 3 ? near_side(r->centre.z, c.z) : 0.0;
    return !(x * x + y * y + z * z < r->radius * r->radius);
}

static bool bits_have(const bit_grid *g, oct_vec c)
{
    const uint32_t x = (uint32_t)(c.x - g->box.min.x);
    const uint64_t *const row =
        bit_grid_row(g, (uint32_t)(c.y - g->box.min.y), (uint32_t)(c.z - g->box.min.z));
    return row[x / 64u] >> x % 64u & 1u;
}

// Of a cell in the region's box.
static bool region_has(const cell_set *r, int dims, oct_vec c)
{
    switch (r->kind) {
    case CELL_SET_BOX:
        return true;
    case CELL_SET_BALL:
        return ball_has(r, dims, c);
    case CELL_SET_OUTSIDE:
        return outside_has(r, dims, c);
    case CELL_SET_BITS:
        return bits_have(r->bits, c);
    }
    return false;
}

static oct_result edit_row(oct_baseline_map *b, const cell_set *cells, cell_run row, cell_edit edit)
{
    for (int32_t x = row.from; x < row.to;) {
        cell_run run = {x, x, row.y, row.z};
        while (run.to < row.to &&
               region_has(cells, b->lattice.dims, (oct_vec){run.to, row.y, row.z})) {
            run.to++;
        }
        if (run.to > run.from) {
            OCT_TRY(edit_run(b, run, edit));
        }
        x = run.to + 1;
    }
    return OCT_OK;
}

oct_result oct_baseline_map_mark(oct_baseline_map *b, const cell_set *cells, oct_mark mark)
{
    static const cell_edit edits[OCT_MARK_COUNT] = {
        [OCT_MARK_UNKNOWN] = {0, CELL_OBSERVED | CELL_STATIC},
        [OCT_MARK_OPEN] = {CELL_OBSERVED, CELL_STATIC},
        [OCT_MARK_BLOCKED] = {CELL_OBSERVED | CELL_STATIC, 0},
        [OCT_MARK_KNOWN] = {CELL_OBSERVED, 0},
        [OCT_MARK_UNSEEN] = {0, CELL_OBSERVED},
        [OCT_MARK_SOLID] = {CELL_STATIC, 0},
        [OCT_MARK_CLEAR] = {0, CELL_STATIC},
    };
    // A region without bounds is only ever forgotten: what was never edited is UNKNOWN anyway.
    const oct_box box = flattened(b, cells->kind == CELL_SET_OUTSIDE ? b->held : cells->box);
    if (box_is_empty(3, &box)) {
        return OCT_OK;
    }
    OCT_TRY(hold(b, &box));
    for (int32_t z = box.min.z; z < box.max.z; z++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            OCT_TRY(edit_row(b, cells, (cell_run){box.min.x, box.max.x, y, z}, edits[mark]));
        }
    }
    return OCT_OK;
}

// ---- things ----

static lattice_key id_key(uint64_t id)
{
    return (lattice_key){(int32_t)(uint32_t)id, (int32_t)(uint32_t)(id >> 32), 0, 0};
}

static known_thing *find_thing(const oct_baseline_map *b, uint64_t id)
{
    const key_slot *const slot = b->ids.count > 0 ? key_table_slot(&b->ids, id_key(id)) : NULL;
    return slot && key_slot_is_used(&b->ids, slot) ? thing_at(b, slot->value) : NULL;
}

// The cells of a box that a shape covers.
static oct_result edit_shape(oct_baseline_map *b, const thing_shape *shape, oct_box box,
                             cell_edit edit)
{
    for (oct_vec c = {.z = box.min.z}; c.z < box.max.z; c.z++) {
        for (c.y = box.min.y; c.y < box.max.y; c.y++) {
            for (c.x = box.min.x; c.x < box.max.x; c.x++) {
                if (oct_thing_shape_covers(shape, c)) {
                    OCT_TRY(edit_run(b, (cell_run){c.x, c.x + 1, c.y, c.z}, edit));
                }
            }
        }
    }
    return OCT_OK;
}

static oct_result cover(oct_baseline_map *b, const known_thing *t, oct_box within)
{
    const cell_edit edit = {t->thing.label == OCT_BLOCKED   ? CELL_BLOCKED
                            : t->thing.label == OCT_UNKNOWN ? CELL_UNKNOWN
                                                            : 0,
                            0};
    if (!edit.set || !t->is_there) {
        return OCT_OK;
    }
    const oct_box cells = box_common(t->cells, within);
    return t->shape ? edit_shape(b, t->shape, cells, edit) : edit_box(b, cells, edit);
}

static oct_result remove_thing(oct_baseline_map *b, known_thing *t)
{
    if (!t->is_there) {
        return OCT_OK;
    }
    t->is_there = false;
    OCT_TRY(edit_box(b, t->cells, (cell_edit){0, CELL_COVER}));
    for (size_t i = 0; i < b->things.count; i++) {
        OCT_TRY(cover(b, thing_at(b, i), t->cells));
    }
    return OCT_OK;
}

oct_result oct_baseline_map_remove(oct_baseline_map *b, uint64_t id)
{
    known_thing *const t = find_thing(b, id);
    return t ? remove_thing(b, t) : OCT_OK;
}

static bool is_same(const known_thing *known, const oct_thing *from)
{
    const oct_shape *const shape = known->shape ? &known->shape->told : NULL;
    return known->is_there && known->thing.label == from->label &&
           is_same_bounds(&known->thing.box, &from->box) &&
           oct_thing_shape_equals(shape, from->shape);
}

oct_result oct_baseline_map_put(oct_baseline_map *b, const oct_thing *from)
{
    known_thing new = {.thing = *from, .is_there = true};
    known_thing *t = find_thing(b, from->id);
    if (t && is_same(t, from)) {
        return OCT_OK;
    }
    if (!oct_lattice_cover(&b->lattice, &from->box, &new.cells)) {
        return OCT_ERROR_RANGE;
    }
    new.thing.shape = NULL;
    OCT_TRY(hold(b, &new.cells));
    if (t) {
        OCT_TRY(remove_thing(b, t));
        oct_thing_shape_drop(t->shape, &b->allocator);
        *t = new;
    } else {
        OCT_TRY(oct_array_push(&b->things, &b->allocator, sizeof new, &new));
        OCT_TRY(oct_key_table_reserve(&b->ids, &b->allocator, 1));
        t = thing_at(b, b->things.count - 1u);
        const lattice_key key = id_key(from->id);
        key_slot_fill(&b->ids, key_table_slot(&b->ids, key), key, (uint32_t)b->things.count - 1u);
    }
    if (oct_thing_shape_is_needed(from->shape)) {
        OCT_TRY(
            oct_thing_shape_make(&b->lattice, &from->box, from->shape, &b->allocator, &t->shape));
    }
    return cover(b, t, t->cells);
}

oct_result oct_baseline_map_repeat(oct_baseline_map *b, const oct_map *map, const oct_thing *things,
                                   size_t count)
{
    const uint8_t *const looks = oct_map_looks(map);
    const undo *const edits = map->undo.items;
    for (size_t i = 0; i < map->undo.count; i++) {
        if (edits[i].edit == UNDO_ERASE) {
            OCT_TRY(oct_baseline_map_remove(b, edits[i].thing.id));
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (looks[i] == OCT_LOOK_SEEN) {
            OCT_TRY(oct_baseline_map_put(b, &things[i]));
        }
    }
    return oct_baseline_map_mark(b, &map->known, OCT_MARK_KNOWN);
}

// ---- questions ----

oct_label oct_baseline_map_label(const oct_baseline_map *b, oct_vec cell)
{
    const uint32_t state = state_at(b, cell);
    if (state & (CELL_STATIC | CELL_BLOCKED)) {
        return OCT_BLOCKED;
    }
    return (state & (CELL_OBSERVED | CELL_UNKNOWN)) == CELL_OBSERVED ? OCT_OPEN : OCT_UNKNOWN;
}

void oct_baseline_map_count(const oct_baseline_map *b, oct_box box, uint64_t counts[3])
{
    box = flattened(b, box);
    memset(counts, 0, 3 * sizeof counts[0]);
    for (int32_t z = box.min.z; z < box.max.z; z++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            for (int32_t x = box.min.x; x < box.max.x; x++) {
                counts[oct_baseline_map_label(b, (oct_vec){x, y, z})]++;
            }
        }
    }
}

size_t oct_baseline_map_neighbours(const oct_baseline_map *b, oct_vec cell, oct_labels labels,
                                   oct_vec out[26])
{
    size_t count = 0;
    for (int i = around_first(b); i < around_end(b); i++) {
        const oct_vec next = cell_around(cell, i);
        if (i != 13 && (labels >> oct_baseline_map_label(b, next) & 1u)) {
            out[count++] = next;
        }
    }
    return count;
}

bool oct_baseline_map_cell_at(const oct_baseline_map *b, oct_point at, oct_vec *cell)
{
    const lattice *const l = &b->lattice;
    const double x = (at.x - l->origin.x) / l->cell_size;
    const double y = (at.y - l->origin.y) / l->cell_size;
    const double z = l->dims == 3 ? (at.z - l->origin.z) / l->cell_size : 0.0;
    const double end = OCT_RANGE;
    if (!(x >= -end && x < end && y >= -end && y < end && z >= -end && z < end)) {
        return false;
    }
    *cell = (oct_vec){axis_floor(x), axis_floor(y), axis_floor(z)};
    return true;
}

oct_point oct_baseline_map_point(const oct_baseline_map *b, oct_vec cell)
{
    const lattice *const l = &b->lattice;
    return (oct_point){l->origin.x + (cell.x + 0.5) * l->cell_size,
                       l->origin.y + (cell.y + 0.5) * l->cell_size,
                       l->dims == 3 ? l->origin.z + (cell.z + 0.5) * l->cell_size : 0.0};
}

// ---- measures ----

baseline_size oct_baseline_map_measure(const oct_baseline_map *b)
{
    const bool is_grid = b->kind == BASELINE_GRID;
    return (baseline_size){
        .cells = is_grid ? oct_voxels_count(&b->grid) : oct_blocked_bytes(&b->set),
        .things = b->things.capacity * sizeof(known_thing) + oct_key_table_bytes(&b->ids),
        .search = oct_baseline_map_search_bytes(&b->search) + oct_key_table_bytes(&b->skip_places) +
                  b->skips.capacity * sizeof(skipped_cell),
        .nodes = is_grid ? oct_voxels_count(&b->grid) : b->set.blocked,
        .box = is_grid ? b->grid.box : b->held};
}
