// SPDX-License-Identifier: MIT
#include "agent/config_space.h"
#include "agent/solid_cells.h"
#include "agent/walk_space.h"

#include "octree/octree_internal.h"

#include <math.h>

// The ball is thinner than the body by this on each side, metres: rounding, skins, measuring.
#define THINNER 0.002

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
    piece_index *const indices = s->indices.items;
    for (size_t i = 0; i < s->indices.count; i++) {
        oct_piece_index_free(&indices[i]);
    }
    oct_array_free(&s->indices, &s->allocator, sizeof(piece_index));
    oct_solid_list_free(&s->walls);
    oct_components_destroy(s->free);
    oct_tree_destroy(s->solid);
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
    for (size_t i = 0; i < SPACE_FILLS; i++) {
        oct_space_fill_free(&s->fills[i], &s->allocator);
    }
    *s = (config_space){.allocator = s->allocator};
}

// ---- what is solid ----

bool oct_history_stays(const history_thing *t)
{
    const oct_entity *const e = &t->told;
    const bool is_leaf = t->door == 0 || e->opening <= 0.0 || !e->has_gap;
    const bool may_block = t->door == 0 || e->opening >= 1.0 || e->thing.label == OCT_BLOCKED;
    return !t->is_mobile && is_leaf && may_block;
}

oct_result oct_config_space_list(const config_space *s, const uint8_t *free, solid_list *list)
{
    const history_thing *const all = s->history->things.items;
    for (size_t i = 0; i < s->history->things.count; i++) {
        const bool is_door = all[i].door > 0;
        const bool is_in_way =
            is_door ? free && !free[all[i].door - 1] : all[i].told.thing.label == OCT_BLOCKED;
        if (is_in_way && oct_history_stays(&all[i])) {
            OCT_TRY(oct_solid_list_add(list, &all[i].told));
        }
    }
    return oct_solid_list_join(list);
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

static oct_result mark(void *ctx, oct_box cells)
{
    oct_tree *const tree = ctx;
    return oct_tree_set_box(tree, cells, OCT_MARK_SOLID);
}

static oct_result close(void *ctx, oct_box cells)
{
    const config_space *const s = ctx;
    OCT_TRY(mark(s->closed, cells));
    return mark(s->shut, cells);
}

// The cells that a door closes by itself.
static oct_result visit_door_cells(const config_space *s, const oct_entity *door,
                                   solid_cells_fn *visit, void *ctx)
{
    solid_list list;
    oct_result result = oct_solid_list_begin(&list, &s->allocator);
    result = result == OCT_OK ? oct_solid_list_add(&list, door) : result;
    result = result == OCT_OK ? oct_solid_list_near(&list, s->shut, NULL, s->radius, visit, ctx)
                              : result;
    oct_solid_list_free(&list);
    return result;
}

static oct_result fill_trees(config_space *s)
{
    // First: an empty tree puts its root where the walls begin, which makes them leaves of it.
    OCT_TRY(close_bounds(s, s->closed));
    OCT_TRY(close_bounds(s, s->shut));
    OCT_TRY(oct_solid_list_near(&s->walls, s->solid, NULL, 0.0, mark, s->solid));
    OCT_TRY(oct_solid_list_near(&s->walls, s->closed, s->closed, s->radius, close, s));
    const history_thing *const all = s->history->things.items;
    for (size_t i = 0; i < s->history->things.count; i++) {
        if (all[i].door > 0 && oct_history_stays(&all[i])) {
            OCT_TRY(visit_door_cells(s, &all[i].told, mark, s->shut));
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

typedef struct door_closing {
    config_space *s;
    uint32_t door;
} door_closing;

static oct_result add_door_cells(void *ctx, oct_box cells)
{
    const door_closing *const d = ctx;
    for (int32_t z = cells.min.z; z < cells.max.z; z++) {
        for (int32_t y = cells.min.y; y < cells.max.y; y++) {
            for (int32_t x = cells.min.x; x < cells.max.x; x++) {
                OCT_TRY(add_door_cell(d->s, (oct_vec){x, y, z}, d->door));
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
            door_closing d = {s, all[i].door - 1};
            OCT_TRY(visit_door_cells(s, &all[i].told, add_door_cells, &d));
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

oct_result oct_config_space_filled(const config_space *s, oct_tree **out)
{
    OCT_TRY(oct_config_space_tree(s, s->shut, out));
    const oct_result result = oct_solid_list_middles(&s->walls, s->shut, mark, *out);
    if (result != OCT_OK) {
        oct_tree_destroy(*out);
        *out = NULL;
    }
    return result;
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
static oct_result list_doors(config_space *s)
{
    const history_thing *const all = s->history->things.items;
    for (size_t i = 0; i < s->history->things.count; i++) {
        if (all[i].door > 0 && oct_history_stays(&all[i]) && has_part(s, all[i].door - 1)) {
            OCT_TRY(oct_solid_list_add(&s->walls, &all[i].told));
        }
    }
    return OCT_OK;
}

// What was told is asked about along its own axes.
static oct_result list_frames(config_space *s)
{
    const run_log *const log = &s->history->log;
    const oct_entity *const told = log->things.items;
    for (size_t i = 0; i < log->latest.count; i++) {
        OCT_TRY(
            oct_solid_list_add_frame(&s->walls, &told[((const uint32_t *)log->latest.items)[i]]));
    }
    return OCT_OK;
}

static oct_result index_walls(config_space *s, const oct_tree *lattice)
{
    OCT_TRY(oct_solid_list_index(&s->walls, lattice));
    for (uint32_t i = 0; i < s->walls.frames.count; i++) {
        const piece_index new = oct_piece_index_of(lattice, &s->walls, i, &s->allocator);
        OCT_TRY(oct_array_push(&s->indices, &s->allocator, sizeof new, &new));
    }
    return OCT_OK;
}

// Cuts the space into parts around what is solid, and keeps what is free of cells.
static oct_result divide(config_space *s, const oct_tree *lattice, const walk_limits *limits)
{
    OCT_TRY(oct_solid_list_begin(&s->walls, &s->allocator));
    OCT_TRY(oct_config_space_list(s, NULL, &s->walls));
    OCT_TRY(fill_trees(s));
    OCT_TRY(limits ? oct_walk_space_close(s, limits, &s->is_on_foot) : OCT_OK);
    oct_components_def parts = oct_components_def_default();
    parts.tree = s->shut;
    parts.unknown = OCT_UNKNOWN_OPEN;
    parts.allocator = &s->allocator;
    OCT_TRY(oct_components_create(&parts, &s->free));
    OCT_TRY(divide_doors(s));
    OCT_TRY(list_doors(s));
    OCT_TRY(list_frames(s));
    return index_walls(s, lattice);
}

static oct_result make(config_space *s, const oct_tree *lattice, const oct_bounds *bounds,
                       const walk_limits *limits)
{
    OCT_TRY(oct_cells_of_bounds(3, oct_tree_origin(lattice), oct_tree_cell_size(lattice), bounds,
                                OCT_COVER_TOUCH, &s->bounds));
    OCT_TRY(oct_config_space_tree(s, lattice, &s->solid));
    OCT_TRY(oct_config_space_tree(s, lattice, &s->closed));
    OCT_TRY(oct_config_space_tree(s, lattice, &s->shut));
    return divide(s, lattice, limits);
}

oct_result oct_config_space_make(config_space *s, const oct_history *history,
                                 const oct_tree *lattice, const oct_bounds *bounds,
                                 const walk_limits *limits, const oct_allocator *allocator)
{
    const double half = history->limits.least / 2.0;
    *s = (config_space){.allocator = *allocator,
                        .history = history,
                        .radius = half > THINNER ? half - THINNER : 0.0};
    const oct_result result = make(s, lattice, bounds, limits);
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
