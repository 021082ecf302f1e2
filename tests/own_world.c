// SPDX-License-Identifier: MIT
// Our own worlds, and what can be reached in them.
#include "own_world.h"
#include "octant/components.h"
#include "octant/tree.h"

#include "files/files_internal.h"

#include <stdio.h>
#include <string.h>

#define CELL 0.35

const own_world own_worlds[WORLDS] = {
    {"door_and_button", 858, 1, 1, 1, 0, false, 1, 1, {{"Panel", 0}}, {"1 0", "1 1"}},
    {"three_doors",
     667,
     1,
     3,
     4,
     1,
     true,
     1,
     3,
     {{"Button1", 0}, {"Button3", 0}, {"Button4", 0}},
     {"1100 0", "1110 0", "0011 0", "1111 1"}},
    {"glass_box", 12477, 4, 1, 1, 0, false, 1, 1, {{"Panel", 0}}, {"1 0", "1 1"}},
    {"glass_maze", 20993, 48, 1, 1, 0, false, 1, 1, {{"Panel", 0}}, {"1 0", "1 1"}},
    {"tight", 2079, 1, 1, 1, 0, false, 1, 1, {{"Panel", 0}}, {"1 0", "1 1"}},
    {"asteroid_base",
     6936,
     21,
     4,
     3,
     1,
     false,
     1,
     2,
     {{"Gate panel", 0}, {"Control panel", 0}},
     {"100 0", "111 0", "111 1"}},
    {"drifting_ship", 2616, 2, 2, 2, 0, false, 2, 1, {{"Shore panel", 0}}, {"11 0", "11 1"}},
    {"scrapyard",
     7075,
     91,
     2,
     2,
     0,
     false,
     1,
     2,
     {{"Yard panel", 0}, {"Hut panel", 0}},
     {"10 0", "11 0", "11 1"}},
};

oct_world *own_load(const char *file)
{
    char path[512];
    snprintf(path, sizeof path, "%s/worlds/%s.json", OCT_SOURCE_DIR, file);
    oct_world *world;
    oct_error error = {.line = 0};
    const char *kind;
    if (oct_world_load(path, NULL, NULL, &world, &kind, &error) != OCT_OK) {
        fail_msg("%s:%u:%u: %s", path, error.line, error.column, error.message);
    }
    assert_string_equal(kind, "octant-world");
    return world;
}

oct_kind own_kind(const oct_world *world, const oct_world_block *block)
{
    return (oct_kind)oct_world_get_type(world, block->type).kind;
}

bool own_is_type(const oct_world *world, const oct_world_block *block, const char *type)
{
    return strcmp(oct_world_get_type(world, block->type).name, type) == 0;
}

oct_world_block own_named(const oct_world *world, const char *name)
{
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        const oct_world_block block = oct_world_get(world, i);
        if (strcmp(block.name, name) == 0) {
            return block;
        }
    }
    fail_msg("there is no '%s'", name);
    return (oct_world_block){.name = NULL};
}

// The middle of the cell before a block, or behind it. Only blocks that are one cell are asked for.
static own_place place_by(const oct_world *world, const oct_world_block *block, bool behind)
{
    static const double sides[OCT_SIDE_COUNT][3] = {{0, 0, -1}, {0, 0, 1}, {-1, 0, 0},
                                                    {1, 0, 0},  {0, 1, 0}, {0, -1, 0}};
    const oct_world_grid grid = oct_world_get_grid(world, block->grid);
    const double *side = sides[block->forward];
    const double sign = behind ? -1.0 : 1.0;
    const double at[3] = {block->cell.x + sign * side[0], block->cell.y + sign * side[1],
                          block->cell.z + sign * side[2]};
    oct_point p =
        plus(grid.pose.position, cross(grid.pose.forward, grid.pose.up), at[0] * grid.cell);
    p = plus(p, grid.pose.up, at[1] * grid.cell);
    p = plus(p, grid.pose.forward, -at[2] * grid.cell);
    return (own_place){block->id, block->name, p, block->box};
}

static void find_places(const own_world *own, own_scene *s)
{
    size_t targets = 0, timers = 0;
    for (size_t i = 0; i < oct_world_blocks(s->world); i++) {
        const oct_world_block block = oct_world_get(s->world, i);
        switch (own_kind(s->world, &block)) {
        case OCT_KIND_DOOR:
            assert_in_range(s->door_count, 0, DOORS_MAX - 1);
            assert_int_equal(block.label, OCT_BLOCKED); // all of them are shut at first
            s->doors[s->door_count++] = block.id;
            break;
        case OCT_KIND_PANEL:
            assert_in_range(s->panel_count, 0, PANELS_MAX - 1);
            s->panels[s->panel_count++] = place_by(s->world, &block, false);
            break;
        case OCT_KIND_TARGET:
            s->target = place_by(s->world, &block, own->at_back);
            assert_string_equal(oct_world_get_type(s->world, block.type).name, "TargetDummy");
            targets++;
            break;
        case OCT_KIND_TIMER:
            timers++;
            break;
        default:
            break;
        }
    }
    assert_int_equal(s->door_count, own->doors);
    assert_int_equal(s->panel_count, own->panels);
    assert_int_equal(timers, own->timers);
    assert_int_equal(targets, 1);
}

void own_open(const own_world *own, own_scene *s)
{
    *s = (own_scene){.world = own_load(own->file)};
    oct_map_def def = oct_map_def_default();
    def.cell_size = CELL;
    def.padding = oct_body_padding(oct_body_ball(OWN_BALL), OCT_PADDING_WHOLE, CELL);
    assert_int_equal(oct_map_create(&def, &s->map), OCT_OK);
    oct_bounds all;
    oct_pose start;
    assert_true(oct_world_bounds(s->world, &all) && oct_world_start(s->world, &start));
    const oct_point margin = {OWN_MARGIN, OWN_MARGIN, OWN_MARGIN};
    all = (oct_bounds){plus(all.min, margin, -1.0), plus(all.max, margin, 1.0)};
    assert_int_equal(oct_map_set_world_box(s->map, all, OCT_COVER_TOUCH, OCT_MARK_KNOWN), OCT_OK);
    assert_int_equal(oct_world_add_to(s->world, s->map, NULL), OCT_OK);
    oct_components_def components = oct_components_def_default();
    components.tree = oct_map_tree(s->map);
    assert_int_equal(oct_components_create(&components, &s->components), OCT_OK);
    s->start = plus(start.position, start.up, OWN_BALL);
    find_places(own, s);
}

void own_close(own_scene *s)
{
    oct_components_destroy(s->components);
    oct_map_destroy(s->map);
    oct_world_destroy(s->world);
}

uint32_t own_component(const own_scene *s, oct_point at)
{
    oct_vec cell;
    assert_true(oct_tree_cell_at(oct_map_tree(s->map), at, &cell));
    return oct_components_at(s->components, cell);
}

bool own_joined(const own_scene *s, oct_point a, oct_point b)
{
    const uint32_t of_a = own_component(s, a);
    return of_a != 0 && of_a == own_component(s, b);
}

own_nearby own_in_reach(const own_scene *s, oct_point from, oct_bounds of, oct_bounds other)
{
    const double reach = oct_world_rules_of(s->world).reach;
    const oct_point grow = {reach, reach, reach};
    const uint32_t component = own_component(s, from);
    own_nearby found = {0, HUGE_VAL};
    oct_vec lo, hi;
    assert_true(component != 0 &&
                oct_tree_cell_at(oct_map_tree(s->map), plus(of.min, grow, -1.0), &lo) &&
                oct_tree_cell_at(oct_map_tree(s->map), plus(of.max, grow, 1.0), &hi));
    for (int32_t z = lo.z; z <= hi.z; z++) {
        for (int32_t y = lo.y; y <= hi.y; y++) {
            for (int32_t x = lo.x; x <= hi.x; x++) {
                const oct_point at = {(x + 0.5) * CELL, (y + 0.5) * CELL, (z + 0.5) * CELL};
                if (distance_to(of, at) <= reach &&
                    oct_components_at(s->components, (oct_vec){x, y, z}) == component) {
                    found.cells++;
                    found.nearest = fmin(found.nearest, distance_to(other, at));
                }
            }
        }
    }
    return found;
}

bool own_gets_to(const own_scene *s, oct_point from, const own_place *to)
{
    const bool gets = own_joined(s, from, to->at);
    if ((own_in_reach(s, from, to->box, to->box).cells > 0) != gets) {
        fail_msg("%s: %s is in reach from where one cannot get to it", oct_world_name(s->world),
                 to->name);
    }
    return gets;
}

// ---- presses ----

uint32_t own_doors(const own_scene *s)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < s->door_count; i++) {
        oct_thing door;
        assert_true(oct_map_thing(s->map, s->doors[i], &door));
        bits |= (uint32_t)(door.label == OCT_OPEN) << i;
    }
    return bits;
}

void own_set_doors(own_scene *s, uint32_t bits)
{
    for (uint32_t i = 0; i < s->door_count; i++) {
        const oct_label label = bits >> i & 1 ? OCT_OPEN : OCT_BLOCKED;
        assert_int_equal(oct_map_relabel(s->map, s->doors[i], label), OCT_OK);
    }
    assert_int_equal(oct_components_update(s->components), OCT_OK);
}

static uint32_t act_on_door(const own_scene *s, uint64_t id, uint8_t action, uint32_t bits)
{
    for (uint32_t i = 0; i < s->door_count; i++) {
        const uint32_t bit = UINT32_C(1) << i;
        if (s->doors[i] == id) {
            return action == OCT_WIRE_TOGGLE ? bits ^ bit
                   : action == OCT_WIRE_OPEN ? bits | bit
                                             : bits & ~bit;
        }
    }
    return bits;
}

uint32_t own_follow(const own_scene *s, uint64_t from, uint32_t slot, bool all, uint32_t bits)
{
    for (size_t i = 0; i < oct_world_wires(s->world); i++) {
        const oct_world_wire wire = oct_world_get_wire(s->world, i);
        if (wire.from != from || (!all && wire.slot != slot)) {
            continue;
        }
        if (wire.action == OCT_WIRE_START) {
            bits = own_follow(s, wire.to, 0, true, bits);
        } else if (wire.action != OCT_WIRE_STOP && !wire.group[0]) {
            bits = act_on_door(s, wire.to, wire.action, bits);
        }
        size_t index;
        const uint32_t grid = oct_world_find(s->world, from, &index)
                                  ? oct_world_get(s->world, index).grid
                                  : UINT32_MAX;
        for (size_t k = 0; wire.group[0] && k < oct_world_members(s->world); k++) {
            const oct_world_member member = oct_world_get_member(s->world, k);
            if (member.grid == grid && strcmp(member.group, wire.group) == 0) {
                bits = act_on_door(s, member.block, wire.action, bits);
            }
        }
    }
    return bits;
}

const own_place *own_panel(const own_scene *s, const char *name)
{
    for (uint32_t i = 0; i < s->panel_count; i++) {
        if (strcmp(s->panels[i].name, name) == 0) {
            return &s->panels[i];
        }
    }
    fail_msg("there is no panel '%s'", name);
    return NULL;
}
