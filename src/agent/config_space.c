// SPDX-License-Identifier: MIT
#include "agent/config_space.h"
#include "agent/solid_boxes.h"

#include "octree/octree_internal.h"

#include <math.h>

// The ball is thinner than the body by this on each side, metres: rounding, skins, measuring.
#define THINNER 0.002
// Steps from cell to cell along a straight line: at most this many for each of its length.
#define STEPS 1.7320508075688774

static const oct_vec faces[] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};

static oct_vec next_to(oct_vec c, int face)
{
    return (oct_vec){c.x + faces[face].x, c.y + faces[face].y, c.z + faces[face].z};
}

static lattice_key key_of(oct_vec c)
{
    return (lattice_key){c.x, c.y, c.z, 0};
}

static uint32_t look_up(const key_table *table, lattice_key key)
{
    const key_slot *const slot = table->capacity > 0 ? key_table_slot(table, key) : NULL;
    return slot && key_slot_is_used(table, slot) ? slot->value : PART_NONE;
}

static oct_result enter(config_space *s, key_table *table, lattice_key key, uint32_t value,
                        bool *is_new)
{
    OCT_TRY(oct_key_table_reserve(table, &s->allocator, 1));
    key_slot *const slot = key_table_slot(table, key);
    *is_new = !key_slot_is_used(table, slot);
    if (*is_new) {
        key_slot_fill(table, slot, key, value);
    }
    return OCT_OK;
}

void oct_config_space_free(config_space *s)
{
    oct_components_destroy(s->free);
    oct_tree_destroy(s->solid);
    oct_piece_index_free(&s->index);
    oct_array_free(&s->strips, &s->allocator, sizeof(cell_strip));
    oct_tree_destroy(s->closed);
    oct_tree_destroy(s->shut);
    oct_array_free(&s->parts, &s->allocator, sizeof(space_part));
    oct_array_free(&s->links, &s->allocator, sizeof(part_link));
    oct_array_free(&s->beside, &s->allocator, sizeof(uint32_t));
    oct_array_free(&s->flooded, &s->allocator, sizeof(uint32_t));
    oct_array_free(&s->cells, &s->allocator, sizeof(door_cell));
    oct_array_free(&s->queue, &s->allocator, sizeof(oct_vec));
    oct_key_table_free(&s->linked, &s->allocator);
    oct_key_table_free(&s->by_component, &s->allocator);
    oct_key_table_free(&s->door_cells, &s->allocator);
    oct_array_free(&s->near, &s->allocator, sizeof(near_door));
    oct_key_table_free(&s->visited, &s->allocator);
    *s = (config_space){.allocator = s->allocator};
}

// ---- what is solid ----

bool oct_history_stays(const history_thing *t)
{
    const oct_entity *const e = &t->told;
    const bool is_leaf = t->door == 0 || e->opening <= 0.0 || !e->has_gap;
    const bool may_block = t->door == 0 || e->opening >= 1.0 || e->thing.label == OCT_BLOCKED;
    return !t->is_mobile && oct_history_is_upright(t) && is_leaf && may_block;
}

oct_result oct_config_space_list(const config_space *s, const uint8_t *free, oct_array *boxes)
{
    const history_thing *const all = s->history->things.items;
    for (size_t i = 0; i < s->history->things.count; i++) {
        const bool is_door = all[i].door > 0;
        const bool is_in_way =
            is_door ? free && !free[all[i].door - 1] : all[i].told.thing.label == OCT_BLOCKED;
        if (is_in_way && oct_history_stays(&all[i])) {
            OCT_TRY(
                oct_array_push(boxes, &s->allocator, sizeof(oct_bounds), &all[i].told.thing.box));
        }
    }
    return oct_solid_boxes_join(boxes, &s->allocator);
}

static oct_bounds grown(const oct_bounds *b, double x, double y, double z)
{
    return (oct_bounds){{b->min.x - x, b->min.y - y, b->min.z - z},
                        {b->max.x + x, b->max.y + y, b->max.z + z}};
}

// Boxes inside a box that is rounded off by the ball: all points of them touch it. 7 in all.
#define ROUNDED 7
static oct_bounds rounded(const config_space *s, const oct_bounds *b, int i)
{
    const double one = s->radius, two = one * 0.70710678, three = one * 0.57735026;
    static const uint8_t axes[ROUNDED] = {1, 2, 4, 3, 5, 6, 7};
    const double by = axes[i] == 7 ? three : axes[i] == 3 || axes[i] > 4 ? two : one;
    return grown(b, axes[i] & 1 ? by : 0.0, axes[i] & 2 ? by : 0.0, axes[i] & 4 ? by : 0.0);
}

static oct_result close_box(const config_space *s, oct_tree *tree, const oct_bounds *box)
{
    for (int i = 0; i < ROUNDED; i++) {
        OCT_TRY(oct_tree_set_world_box(tree, rounded(s, box, i), OCT_COVER_INSIDE, OCT_MARK_SOLID));
    }
    return OCT_OK;
}

// So many cells are spent on the walls around the bounds, about.
#define WALL_CELLS ((int64_t)1 << 16)

// The finest level whose cells can wall in a box without too many of them.
static int level_of_walls(const oct_box *b)
{
    const int64_t x = b->max.x - (int64_t)b->min.x, y = b->max.y - (int64_t)b->min.y,
                  z = b->max.z - (int64_t)b->min.z;
    int level = 0;
    while (2 * ((x >> level) * (y >> level) + (y >> level) * (z >> level) +
                (z >> level) * (x >> level)) >
           WALL_CELLS) {
        level++;
    }
    return level;
}

static int32_t at_or_below(int32_t at, int32_t step)
{
    return at & ~(step - 1);
}

// Walls around the bounds, outside of them. Those of a large world are coarse and may stand off:
// that leaves more room, never less.
static oct_result close_bounds(const config_space *s, oct_tree *tree)
{
    const int32_t w = (int32_t)1 << level_of_walls(&s->bounds);
    const oct_vec lo = {at_or_below(s->bounds.min.x, w), at_or_below(s->bounds.min.y, w),
                        at_or_below(s->bounds.min.z, w)};
    const oct_vec hi = {at_or_below(s->bounds.max.x - 1, w) + w,
                        at_or_below(s->bounds.max.y - 1, w) + w,
                        at_or_below(s->bounds.max.z - 1, w) + w};
    const oct_box walls[6] = {
        {{lo.x - w, lo.y - w, lo.z - w}, {lo.x, hi.y + w, hi.z + w}},
        {{hi.x, lo.y - w, lo.z - w}, {hi.x + w, hi.y + w, hi.z + w}},
        {{lo.x - w, lo.y - w, lo.z - w}, {hi.x + w, lo.y, hi.z + w}},
        {{lo.x - w, hi.y, lo.z - w}, {hi.x + w, hi.y + w, hi.z + w}},
        {{lo.x - w, lo.y - w, lo.z - w}, {hi.x + w, hi.y + w, lo.z}},
        {{lo.x - w, lo.y - w, hi.z}, {hi.x + w, hi.y + w, hi.z + w}},
    };
    for (int i = 0; i < 6; i++) {
        OCT_TRY(oct_tree_set_box(tree, walls[i], OCT_MARK_SOLID));
    }
    return OCT_OK;
}

static oct_result fill_trees(config_space *s, const oct_array *list)
{
    const oct_bounds *const boxes = list->items;
    // First: an empty tree puts its root where the walls begin, which makes them leaves of it.
    OCT_TRY(close_bounds(s, s->closed));
    OCT_TRY(close_bounds(s, s->shut));
    for (size_t i = 0; i < list->count; i++) {
        OCT_TRY(oct_tree_set_world_box(s->solid, boxes[i], OCT_COVER_INSIDE, OCT_MARK_SOLID));
        OCT_TRY(close_box(s, s->closed, &boxes[i]));
        OCT_TRY(close_box(s, s->shut, &boxes[i]));
    }
    const history_thing *const all = s->history->things.items;
    for (size_t i = 0; i < s->history->things.count; i++) {
        if (all[i].door > 0 && oct_history_stays(&all[i])) {
            OCT_TRY(close_box(s, s->shut, &all[i].told.thing.box));
        }
    }
    return OCT_OK;
}

// ---- parts ----

static oct_result add_part(config_space *s, const space_part *part, uint32_t *out)
{
    *out = (uint32_t)s->parts.count;
    return oct_array_push(&s->parts, &s->allocator, sizeof *part, part);
}

static oct_result part_of_component(config_space *s, uint32_t component, uint32_t *out)
{
    const lattice_key key = {(int32_t)component, 0, 0, 0};
    const space_part plain = {.door_count = 0};
    bool is_new;
    *out = look_up(&s->by_component, key);
    if (*out != PART_NONE) {
        return OCT_OK;
    }
    OCT_TRY(add_part(s, &plain, out));
    return enter(s, &s->by_component, key, *out, &is_new);
}

uint32_t oct_config_space_part(const config_space *s, oct_vec cell)
{
    const uint32_t index = look_up(&s->door_cells, key_of(cell));
    if (index != PART_NONE) {
        return ((const door_cell *)s->cells.items)[index].part;
    }
    const uint32_t component = oct_components_at(s->free, cell);
    return component == 0 ? PART_NONE
                          : look_up(&s->by_component, (lattice_key){(int32_t)component, 0, 0, 0});
}

oct_result oct_config_space_enter(config_space *s, oct_point at, uint32_t *part)
{
    oct_vec cell;
    *part = PART_NONE;
    if (!oct_tree_cell_at(s->shut, at, &cell)) {
        return OCT_OK;
    }
    *part = oct_config_space_part(s, cell);
    const uint32_t component = oct_components_at(s->free, cell);
    return *part == PART_NONE && component != 0 ? part_of_component(s, component, part) : OCT_OK;
}

// ---- doors ----

static oct_result add_door_cell(config_space *s, oct_vec cell, uint32_t door)
{
    bool is_new;
    if (oct_tree_label(s->closed, cell) == OCT_BLOCKED) {
        return OCT_OK;
    }
    OCT_TRY(enter(s, &s->door_cells, key_of(cell), (uint32_t)s->cells.count, &is_new));
    if (is_new) {
        const door_cell new = {.cell = cell, .part = PART_NONE};
        OCT_TRY(oct_array_push(&s->cells, &s->allocator, sizeof new, &new));
    }
    door_cell *const c = (door_cell *)s->cells.items + look_up(&s->door_cells, key_of(cell));
    const bool is_noted = c->by.door_count > 0 && c->by.doors[c->by.door_count - 1] == door;
    // More doors than there is room for are taken to be out of the way.
    if (!is_noted && c->by.door_count < PART_DOORS_MAX) {
        c->by.doors[c->by.door_count++] = door;
    }
    return OCT_OK;
}

static oct_result add_door(config_space *s, uint32_t door, const oct_bounds *box)
{
    const double size = oct_tree_cell_size(s->shut);
    const oct_point origin = oct_tree_origin(s->shut);
    for (int i = 0; i < ROUNDED; i++) {
        const oct_bounds part = rounded(s, box, i);
        oct_box cells;
        OCT_TRY(oct_cells_of_bounds(3, origin, size, &part, OCT_COVER_INSIDE, &cells));
        for (int32_t z = cells.min.z; z < cells.max.z; z++) {
            for (int32_t y = cells.min.y; y < cells.max.y; y++) {
                for (int32_t x = cells.min.x; x < cells.max.x; x++) {
                    OCT_TRY(add_door_cell(s, (oct_vec){x, y, z}, door));
                }
            }
        }
    }
    return OCT_OK;
}

static bool is_same_part(const space_part *a, const space_part *b)
{
    return a->door_count == b->door_count &&
           memcmp(a->doors, b->doors, a->door_count * sizeof *a->doors) == 0;
}

// Gives all cells that are connected with one, and closed by the same doors, its part.
static oct_result spread_part(config_space *s, uint32_t first)
{
    door_cell *const cells = s->cells.items;
    const space_part by = cells[first].by;
    uint32_t part;
    OCT_TRY(add_part(s, &by, &part));
    cells[first].part = part;
    s->queue.count = 0;
    OCT_TRY(oct_array_push(&s->queue, &s->allocator, sizeof(oct_vec), &cells[first].cell));
    while (s->queue.count > 0) {
        const oct_vec c = ((const oct_vec *)s->queue.items)[--s->queue.count];
        for (int i = 0; i < 6; i++) {
            const uint32_t index = look_up(&s->door_cells, key_of(next_to(c, i)));
            if (index == PART_NONE || cells[index].part != PART_NONE ||
                !is_same_part(&cells[index].by, &by)) {
                continue;
            }
            cells[index].part = part;
            OCT_TRY(oct_array_push(&s->queue, &s->allocator, sizeof(oct_vec), &cells[index].cell));
        }
    }
    return OCT_OK;
}

static oct_result link_parts(config_space *s, uint32_t a, uint32_t b)
{
    const part_link link = {a < b ? a : b, a < b ? b : a};
    bool is_new;
    if (a == b) {
        return OCT_OK;
    }
    OCT_TRY(
        enter(s, &s->linked, (lattice_key){(int32_t)link.a, (int32_t)link.b, 0, 0}, 0, &is_new));
    return is_new ? oct_array_push(&s->links, &s->allocator, sizeof link, &link) : OCT_OK;
}

static oct_result link_cell(config_space *s, size_t index)
{
    const door_cell c = ((const door_cell *)s->cells.items)[index];
    for (int i = 0; i < 6; i++) {
        const oct_vec next = next_to(c.cell, i);
        uint32_t part = oct_config_space_part(s, next);
        const uint32_t component = oct_components_at(s->free, next);
        if (part == PART_NONE && component != 0) {
            OCT_TRY(part_of_component(s, component, &part));
        }
        OCT_TRY(part != PART_NONE ? link_parts(s, c.part, part) : OCT_OK);
    }
    return OCT_OK;
}

// Lists for each part those that it is linked with. `flooded` has room for all that have links.
static oct_result list_beside(config_space *s)
{
    const part_link *const links = s->links.items;
    const size_t parts = s->parts.count, count = parts + 1 + 2 * s->links.count;
    OCT_TRY(oct_array_reserve(&s->beside, &s->allocator, sizeof(uint32_t), count));
    OCT_TRY(oct_array_reserve(&s->flooded, &s->allocator, sizeof(uint32_t), parts + 1));
    uint32_t *const first = s->beside.items, *const lists = first + parts + 1;
    memset(first, 0, (parts + 1) * sizeof *first);
    for (size_t i = 0; i < s->links.count; i++) {
        first[links[i].a]++;
        first[links[i].b]++;
    }
    for (size_t i = 0; i < parts; i++) {
        first[i + 1] += first[i]; // where each list ends, for now
    }
    for (size_t i = 0; i < s->links.count; i++) {
        lists[--first[links[i].a]] = links[i].b;
        lists[--first[links[i].b]] = links[i].a;
    }
    s->beside.count = count;
    s->flooded.count = parts;
    return OCT_OK;
}

static oct_result divide_doors(config_space *s)
{
    const history_thing *const all = s->history->things.items;
    for (size_t i = 0; i < s->history->things.count; i++) {
        if (all[i].door > 0 && oct_history_stays(&all[i])) {
            OCT_TRY(add_door(s, all[i].door - 1, &all[i].told.thing.box));
        }
    }
    for (uint32_t i = 0; i < s->cells.count; i++) {
        if (((const door_cell *)s->cells.items)[i].part == PART_NONE) {
            OCT_TRY(spread_part(s, i));
        }
    }
    for (size_t i = 0; i < s->cells.count; i++) {
        OCT_TRY(link_cell(s, i));
    }
    return list_beside(s);
}

// ---- the whole ----

oct_result oct_config_space_tree(const config_space *s, const oct_tree *lattice, oct_tree **out)
{
    oct_tree_def def = oct_tree_def_default();
    def.cell_size = oct_tree_cell_size(lattice);
    def.origin = oct_tree_origin(lattice);
    def.journal = 0;
    def.allocator = &s->allocator;
    return oct_tree_create(&def, out);
}

static bool has_part(const config_space *s, uint32_t door)
{
    const space_part *const parts = s->parts.items;
    for (size_t i = 0; i < s->parts.count; i++) {
        for (uint32_t k = 0; k < parts[i].door_count; k++) {
            if (parts[i].doors[k] == door) {
                return true;
            }
        }
    }
    return false;
}

// A doorway is no free piece of a cell: who is beyond can be in it. One that is too small for that
// is, since a hand may reach through it.
static oct_result list_doors(const config_space *s, oct_array *boxes)
{
    const history_thing *const all = s->history->things.items;
    for (size_t i = 0; i < s->history->things.count; i++) {
        if (all[i].door > 0 && oct_history_stays(&all[i]) && has_part(s, all[i].door - 1)) {
            OCT_TRY(
                oct_array_push(boxes, &s->allocator, sizeof(oct_bounds), &all[i].told.thing.box));
        }
    }
    return OCT_OK;
}

// Cuts the space into parts around what is solid, and keeps what is free of cells.
static oct_result divide(config_space *s, const oct_tree *lattice, oct_array *boxes)
{
    OCT_TRY(oct_config_space_list(s, NULL, boxes));
    OCT_TRY(fill_trees(s, boxes));
    oct_components_def parts = oct_components_def_default();
    parts.tree = s->shut;
    parts.unknown = OCT_UNKNOWN_OPEN;
    parts.allocator = &s->allocator;
    OCT_TRY(oct_components_create(&parts, &s->free));
    OCT_TRY(divide_doors(s));
    OCT_TRY(list_doors(s, boxes));
    return oct_piece_index_make(&s->index, lattice, boxes, &s->allocator);
}

static oct_result make(config_space *s, const oct_tree *lattice, const oct_bounds *bounds)
{
    OCT_TRY(oct_cells_of_bounds(3, oct_tree_origin(lattice), oct_tree_cell_size(lattice), bounds,
                                OCT_COVER_TOUCH, &s->bounds));
    OCT_TRY(oct_config_space_tree(s, lattice, &s->solid));
    OCT_TRY(oct_config_space_tree(s, lattice, &s->closed));
    OCT_TRY(oct_config_space_tree(s, lattice, &s->shut));
    oct_array boxes = {0};
    const oct_result result = divide(s, lattice, &boxes);
    oct_array_free(&boxes, &s->allocator, sizeof(oct_bounds));
    return result;
}

oct_result oct_config_space_make(config_space *s, const oct_history *history,
                                 const oct_tree *lattice, const oct_bounds *bounds,
                                 const oct_allocator *allocator)
{
    const double half = history->limits.least / 2.0;
    *s = (config_space){.allocator = *allocator,
                        .history = history,
                        .radius = half > THINNER ? half - THINNER : 0.0};
    const oct_result result = make(s, lattice, bounds);
    if (result != OCT_OK) {
        oct_config_space_free(s);
    }
    return result;
}

// ---- questions ----

static bool is_free_part(const space_part *part, const uint8_t *free)
{
    for (uint32_t i = 0; i < part->door_count; i++) {
        if (!free[part->doors[i]]) {
            return false;
        }
    }
    return true;
}

// Parts that were added since they were linked have no links.
void oct_config_space_flood(const config_space *s, const uint8_t *free, uint8_t *reached)
{
    const space_part *const parts = s->parts.items;
    const size_t linked = s->flooded.count;
    const uint32_t *const first = s->beside.items, *const lists = first + linked + 1;
    uint32_t *const stack = s->flooded.items;
    size_t count = 0;
    for (uint32_t i = 0; i < linked; i++) {
        if (reached[i]) {
            stack[count++] = i;
        }
    }
    while (count > 0) {
        const uint32_t from = stack[--count];
        for (uint32_t i = first[from]; i < first[from + 1]; i++) {
            const uint32_t to = lists[i];
            if (!reached[to] && is_free_part(&parts[to], free)) {
                reached[to] = 1;
                stack[count++] = to;
            }
        }
    }
}

static bool is_within(const config_space *s, oct_vec c)
{
    const oct_box *const b = &s->bounds;
    return c.x >= b->min.x && c.x < b->max.x && c.y >= b->min.y && c.y < b->max.y &&
           c.z >= b->min.z && c.z < b->max.z;
}

static double beyond(double at, double lo, double hi)
{
    return at < lo ? lo - at : at > hi ? at - hi : 0.0;
}

// Whether some point of a cell is so near to a box, metres.
static bool is_near(const config_space *s, oct_vec c, const oct_bounds *box, double reach)
{
    const double size = oct_tree_cell_size(s->shut);
    const oct_point o = oct_tree_origin(s->shut);
    const double x = beyond(o.x + (c.x + 0.5) * size, box->min.x, box->max.x);
    const double y = beyond(o.y + (c.y + 0.5) * size, box->min.y, box->max.y);
    const double z = beyond(o.z + (c.z + 0.5) * size, box->min.z, box->max.z);
    return sqrt(x * x + y * y + z * z) <= reach + size;
}

// Queues the free pieces of a cell that touch a box, and those that touch them in turn: a line
// takes a step when it leaves the cell, not within it.
static oct_result push_pieces(config_space *s, oct_vec cell, const oct_bounds *from)
{
    cell_pieces p;
    OCT_TRY(oct_piece_index_get(&s->index, cell, &p));
    for (uint32_t i = 0; i < p.count; i++) {
        bool is_new = false;
        const cell_strip strip = {cell, i};
        if (oct_pieces_touch(&p.all[i], from)) {
            OCT_TRY(enter(s, &s->visited, (lattice_key){cell.x, cell.y, cell.z, i}, 0, &is_new));
        }
        if (is_new) {
            const oct_bounds piece = p.all[i];
            OCT_TRY(oct_array_push(&s->strips, &s->allocator, sizeof strip, &strip));
            OCT_TRY(push_pieces(s, cell, &piece));
            OCT_TRY(oct_piece_index_get(&s->index, cell, &p));
        }
    }
    return OCT_OK;
}

// ---- doorways that a way from something may come through ----

static oct_result find_near_doors(config_space *s, const oct_bounds *box, double reach)
{
    const history_thing *const all = s->history->things.items;
    const double size = oct_tree_cell_size(s->shut), far = reach + 2.0 * size;
    const oct_bounds around = grown(box, far, far, far);
    s->near.count = 0;
    for (size_t i = 0; i < s->history->things.count; i++) {
        const near_door new = {all[i].door - 1, all[i].told.thing.box};
        if (all[i].door > 0 && oct_history_stays(&all[i]) && oct_pieces_touch(&new.box, &around)) {
            OCT_TRY(oct_array_push(&s->near, &s->allocator, sizeof new, &new));
        }
    }
    return OCT_OK;
}

static void visit_door(const config_space *s, uint32_t door, oct_part_fn *visit, void *ctx)
{
    const space_part *const parts = s->parts.items;
    for (uint32_t i = 0; i < s->parts.count; i++) {
        for (uint32_t k = 0; k < parts[i].door_count; k++) {
            if (parts[i].doors[k] == door) {
                visit(ctx, i);
            }
        }
    }
}

// Visits the parts of the doors that a box touches, each door once.
static void visit_doors(config_space *s, const oct_bounds *box, oct_part_fn *visit, void *ctx)
{
    near_door *const near = s->near.items;
    for (size_t i = 0; i < s->near.count;) {
        if (oct_pieces_touch(&near[i].box, box)) {
            visit_door(s, near[i].door, visit, ctx);
            near[i] = near[--s->near.count];
        } else {
            i++;
        }
    }
}

// From a piece to those that it touches, in its own cell and in those beside it.
static oct_result spread_piece(config_space *s, oct_vec cell, const oct_bounds *from,
                               const oct_bounds *box, double reach)
{
    OCT_TRY(push_pieces(s, cell, from));
    for (int i = 0; i < 6; i++) {
        const oct_vec next = next_to(cell, i);
        if (oct_tree_label(s->solid, next) != OCT_BLOCKED && is_within(s, next) &&
            is_near(s, next, box, reach)) {
            OCT_TRY(push_pieces(s, next, from));
        }
    }
    return OCT_OK;
}

static oct_result push_around(config_space *s, const oct_bounds *box)
{
    const double size = oct_tree_cell_size(s->shut);
    const oct_bounds around = grown(box, size, size, size);
    oct_box cells;
    OCT_TRY(
        oct_cells_of_bounds(3, oct_tree_origin(s->shut), size, &around, OCT_COVER_TOUCH, &cells));
    oct_key_table_clear(&s->visited);
    s->strips.count = 0;
    for (int32_t z = cells.min.z; z < cells.max.z; z++) {
        for (int32_t y = cells.min.y; y < cells.max.y; y++) {
            for (int32_t x = cells.min.x; x < cells.max.x; x++) {
                OCT_TRY(push_pieces(s, (oct_vec){x, y, z}, box));
            }
        }
    }
    return OCT_OK;
}

// Steps from cell to cell that a line of some length takes at most.
static size_t steps_of(const config_space *s, double length)
{
    return (size_t)(STEPS * length / oct_tree_cell_size(s->shut)) + 2;
}

oct_result oct_config_space_around(config_space *s, const oct_bounds *box, const oct_bounds *within,
                                   double reach, oct_part_fn *visit, void *ctx)
{
    const double across = fmax(within->max.x - within->min.x,
                               fmax(within->max.y - within->min.y, within->max.z - within->min.z));
    const size_t layers = steps_of(s, across + reach);
    OCT_TRY(push_around(s, box));
    OCT_TRY(find_near_doors(s, within, reach));
    visit_doors(s, box, visit, ctx);
    size_t begin = 0;
    for (size_t layer = 0; layer <= layers && begin < s->strips.count; layer++) {
        const size_t end = s->strips.count;
        for (; begin < end; begin++) {
            const cell_strip at = ((const cell_strip *)s->strips.items)[begin];
            cell_pieces own;
            OCT_TRY(oct_piece_index_get(&s->index, at.cell, &own));
            const oct_bounds piece = own.all[at.piece];
            const uint32_t part = oct_config_space_part(s, at.cell);
            if (part != PART_NONE) {
                visit(ctx, part);
            }
            visit_doors(s, &piece, visit, ctx);
            OCT_TRY(spread_piece(s, at.cell, &piece, within, reach));
        }
    }
    return OCT_OK;
}
