// SPDX-License-Identifier: MIT
// A map as a whole: what it is made of, and what is in its world.
#include "cli/view_asking.h"
#include "octant/components.h"
#include "octant/map.h"
#include "octant/names.h"
#include "octant/tree.h"

#include <stdio.h>
#include <string.h>

#define BLOCKS_MAX 150000u

static json_t *levels_json(const oct_tree_stats *stats)
{
    json_t *const levels = json_array();
    for (int i = 0; i <= OCT_LEVEL_MAX; i++) {
        json_array_append_new(levels, json_integer((json_int_t)stats->leaves[i]));
    }
    return levels;
}

// Doors may have been opened on the page.
static bool is_open(const oct_map *map, const oct_world_block *block)
{
    oct_thing thing;
    const bool is_there = map && oct_map_thing(map, block->id, &thing);
    return (is_there ? thing.label : block->label) == OCT_OPEN;
}

static json_t *devices_json(const oct_world *world, const oct_map *map)
{
    json_t *const list = json_array();
    for (size_t i = 0; world && i < oct_world_blocks(world); i++) {
        const oct_world_block block = oct_world_get(world, i);
        const oct_world_type type = oct_world_get_type(world, block.type);
        if (type.kind == OCT_KIND_DOOR || type.kind == OCT_KIND_PANEL ||
            type.kind == OCT_KIND_TIMER) {
            char id[24];
            snprintf(id, sizeof id, "%llu", (unsigned long long)block.id);
            json_array_append_new(
                list, json_pack("{s:s, s:s, s:o, s:o, s:o, s:b}", "id", id, "kind",
                                oct_kind_name(type.kind), "type", oct_cli_name_json(type.name),
                                "name", oct_cli_name_json(block.name), "box",
                                oct_cli_bounds_json(block.box), "open", is_open(map, &block)));
        }
    }
    return list;
}

static json_t *wires_json(const oct_world *world)
{
    json_t *const list = json_array();
    for (size_t i = 0; world && i < oct_world_wires(world); i++) {
        const oct_world_wire wire = oct_world_get_wire(world, i);
        char from[24], to[24];
        snprintf(from, sizeof from, "%llu", (unsigned long long)wire.from);
        snprintf(to, sizeof to, "%llu", (unsigned long long)wire.to);
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:i}", "from", from, "to", to, "action",
                                        oct_wire_action_name((oct_wire_action)wire.action), "slot",
                                        (int)wire.slot));
    }
    return list;
}

static json_t *types_json(const oct_world *world)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; world && i < oct_world_types(world); i++) {
        const oct_world_type type = oct_world_get_type(world, i);
        json_array_append_new(
            list, json_pack("{s:o, s:s, s:b}", "name", oct_cli_name_json(type.name), "kind",
                            oct_kind_name(type.kind), "opaque", (int)type.opaque));
    }
    return list;
}

static json_t *algorithms_json(int dims)
{
    static const oct_lab_algorithm solid[] = {
        OCT_LAB_PORTAL,     OCT_LAB_ASTAR,  OCT_LAB_ASTAR_SMOOTH, OCT_LAB_THETA,
        OCT_LAB_LAZY_THETA, OCT_LAB_GREEDY, OCT_LAB_DIJKSTRA};
    static const oct_lab_algorithm flat[] = {
        OCT_LAB_PORTAL,     OCT_LAB_ANYA, OCT_LAB_ASTAR, OCT_LAB_ASTAR_SMOOTH, OCT_LAB_THETA,
        OCT_LAB_LAZY_THETA, OCT_LAB_JPS,  OCT_LAB_BLOCK, OCT_LAB_DIJKSTRA};
    const oct_lab_algorithm *const all = dims == 2 ? flat : solid;
    const size_t count = dims == 2 ? sizeof flat / sizeof flat[0] : sizeof solid / sizeof solid[0];
    json_t *const list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, json_string(oct_lab_algorithm_name(all[i])));
    }
    return list;
}

// Whether there is nothing to be seen from outside.
static bool is_closed(const cli_scene *s)
{
    const oct_box box = s->info.box;
    bool closed = s->dims == 3;
    for (int i = 0; i < 6 && closed; i++) {
        oct_box side = box;
        int32_t *const from = i / 2 == 0 ? &side.min.x : i / 2 == 1 ? &side.min.y : &side.min.z;
        int32_t *const to = i / 2 == 0 ? &side.max.x : i / 2 == 1 ? &side.max.y : &side.max.z;
        *(i % 2 ? from : to) = i % 2 ? *to - 1 : *from + 1;
        closed = oct_tree_labels_in(s->tree, side) == OCT_HAS_BLOCKED;
    }
    return closed;
}

bool oct_cli_tell_scene(view_asking *a)
{
    view_item *item;
    if (!oct_cli_ask_item(a, VIEW_MAP, &item)) {
        return false;
    }
    const cli_scene *const s = &item->scene;
    const oct_world *const world = s->is_world ? s->world.world : NULL;
    uint64_t leaves = 0;
    for (int i = 0; i <= OCT_LEVEL_MAX; i++) {
        leaves += item->stats.leaves[i];
    }
    return oct_cli_say_json(
        a, json_pack("{s:f, s:o, s:i, s:i, s:b, s:o, s:o, s:[I, I, I], s:I, s:I, s:o, s:b, s:I, "
                     "s:o, s:o, s:o, "
                     "s:o}",
                     "cell", oct_tree_cell_size(s->tree), "origin",
                     oct_cli_point_json(oct_tree_origin(s->tree)), "dims", s->dims, "up",
                     (int)s->info.up, "leftHanded", (int)s->info.left_handed, "min",
                     oct_cli_vec_json(s->info.box.min), "max", oct_cli_vec_json(s->info.box.max),
                     "counts", (json_int_t)item->counts[OCT_UNKNOWN],
                     (json_int_t)item->counts[OCT_OPEN], (json_int_t)item->counts[OCT_BLOCKED],
                     "leaves", (json_int_t)leaves, "bytes", (json_int_t)s->bytes, "levels",
                     levels_json(&item->stats), "isClosed", (int)is_closed(s), "blocks",
                     (json_int_t)(world ? oct_world_blocks(world) : 0), "types", types_json(world),
                     "devices", devices_json(world, world ? s->world.map : NULL), "wires",
                     wires_json(world), "algorithms", algorithms_json(s->dims)));
}

// The boxes of a world, metres, and the types of its blocks.
bool oct_cli_tell_blocks(view_asking *a)
{
    view_item *item;
    if (!oct_cli_ask_item(a, VIEW_MAP, &item)) {
        return false;
    }
    const oct_world *const world = item->scene.is_world ? item->scene.world.world : NULL;
    const size_t all = world ? oct_world_blocks(world) : 0;
    const size_t count = all < BLOCKS_MAX ? all : BLOCKS_MAX;
    bool done = oct_cli_say_head(a, ANSWER_BLOCKS, (uint32_t)count, (uint32_t)all);
    for (size_t i = 0; i < count && done; i++) {
        const oct_world_block block = oct_world_get(world, i);
        const oct_bounds *const b = &block.box;
        const float box[6] = {(float)b->min.x, (float)b->min.y, (float)b->min.z,
                              (float)b->max.x, (float)b->max.y, (float)b->max.z};
        done = oct_cli_say_bytes(a, box, sizeof box) &&
               oct_cli_say_bytes(a, &block.type, sizeof block.type);
    }
    return done;
}

// What depends on the map is made anew where it is asked for.
static void forget_derived(view_item *item)
{
    oct_planner_destroy(item->planner);
    item->planner = NULL;
    for (int i = 0; i < 2; i++) {
        oct_components_destroy(item->scene.components[i]);
        item->scene.components[i] = NULL;
    }
}

// Opens a door of a world, or shuts it: its cells, what is connected and all ways follow.
bool oct_cli_tell_door(view_asking *a)
{
    view_item *item;
    const char *const id = json_string_value(json_object_get(a->question, "door"));
    const json_t *const open = json_object_get(a->question, "open");
    if (!oct_cli_ask_item(a, VIEW_MAP, &item)) {
        return false;
    }
    const oct_world *const world = item->scene.is_world ? item->scene.world.world : NULL;
    for (size_t i = 0; id && json_is_boolean(open) && world && i < oct_world_blocks(world); i++) {
        const oct_world_block block = oct_world_get(world, i);
        char words[24];
        snprintf(words, sizeof words, "%llu", (unsigned long long)block.id);
        if (strcmp(words, id) != 0 || oct_world_get_type(world, block.type).kind != OCT_KIND_DOOR) {
            continue;
        }
        const oct_label label = json_is_true(open) ? OCT_OPEN : OCT_BLOCKED;
        const oct_result result = oct_map_relabel(item->scene.world.map, block.id, label);
        if (result != OCT_OK) {
            return oct_cli_ask_refuse(a, oct_result_text(result));
        }
        forget_derived(item);
        item->stats = oct_tree_measure(item->scene.tree);
        (void)oct_tree_count(item->scene.tree, item->scene.info.box, item->counts);
        return oct_cli_say_json(a, json_pack("{s:b}", "open", json_is_true(open)));
    }
    return oct_cli_ask_refuse(a, "door, open");
}
