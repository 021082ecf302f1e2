// SPDX-License-Identifier: MIT
// What makes a world a game, in our own format: rules, the toolbar, grids, wires, groups.
#include "files/world_octant.h"

#include <stddef.h>
#include <stdio.h>

#define CELL_DEFAULT 2.5

// A group's items are one value, whose size is limited: a line holds so many blocks at most.
#define GROUP_LINE_MAX 1000

// ---- rules ----

typedef struct rule {
    const char *key;
    size_t offset; // of a double
    bool positive; // else it may be 0
} rule;

#define RULE(name, positive)                                                                       \
    {                                                                                              \
#name, offsetof(oct_world_rules, name), positive                                           \
    }

static const rule rules_known[] = {
    RULE(acceleration, true), RULE(speed, true),  RULE(turn, true),
    RULE(walk, false),        RULE(jump, false),  RULE(door, true),
    RULE(reach, false),       RULE(grind, false), RULE(view, true),
};

static const char *const sight_names[] = {
    [OCT_SIGHT_LINE] = "line", [OCT_SIGHT_THROUGH] = "through"};

static double *rule_of(oct_world_rules *rules, const rule *r)
{
    return (double *)(void *)((char *)rules + r->offset);
}

static oct_result read_rule(const world_reader *in, const json_t *value, const rule *r,
                            oct_world_rules *rules)
{
    double *const own = rule_of(rules, r);
    OCT_TRY(oct_world_real(in, value, r->key, own));
    if (r->positive ? *own > 0.0 : *own >= 0.0) {
        return OCT_OK;
    }
    return oct_world_refuse(
        in, r->positive ? "%s must be greater than 0" : "%s must not be negative", r->key);
}

oct_result oct_octant_read_rules(world_reader *in)
{
    static const char *const keys[] = {"acceleration", "speed", "turn", "walk",  "jump",   "door",
                                       "reach",        "grind", "view", "sight", "gravity"};
    json_t *value;
    OCT_TRY(oct_world_value(in, "rules", &value));
    if (!value) {
        return OCT_OK;
    }
    OCT_TRY(oct_world_object(in, value, "rules"));
    snprintf(in->subject, sizeof in->subject, "rules");
    OCT_TRY(oct_octant_keys(in, value, "it", keys, COUNT(keys)));
    oct_world_rules rules = oct_world_rules_default();
    for (size_t i = 0; i < COUNT(rules_known); i++) {
        const json_t *const said = json_object_get(value, rules_known[i].key);
        OCT_TRY(said ? read_rule(in, said, &rules_known[i], &rules) : OCT_OK);
    }
    const json_t *const sight = json_object_get(value, "sight");
    const json_t *const gravity = json_object_get(value, "gravity");
    size_t word = rules.sight;
    double g[3] = {0};
    OCT_TRY(sight ? oct_world_word(in, sight, "sight", sight_names, COUNT(sight_names), &word)
                  : OCT_OK);
    OCT_TRY(gravity ? oct_world_numbers(in, gravity, "gravity", 3, g) : OCT_OK);
    rules.sight = (oct_sight)word;
    rules.gravity = (oct_point){g[0], g[1], g[2]};
    return oct_world_set_rules(in->world, &rules);
}

static bool is_zero(oct_point p)
{
    static const oct_point zero;
    // Compares bits, since -0 is written. NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    return memcmp(&p, &zero, sizeof p) == 0;
}

static void write_key(sink *out, bool first, const char *key)
{
    oct_sink_text(out, first ? "\"" : ", \"");
    oct_sink_text(out, key);
    oct_sink_text(out, "\": ");
}

void oct_octant_write_rules(sink *out, const oct_world *world)
{
    oct_world_rules own = oct_world_rules_of(world), usual = oct_world_rules_default();
    bool first = true;
    for (size_t i = 0; i < COUNT(rules_known); i++) {
        const double value = *rule_of(&own, &rules_known[i]);
        if (value != *rule_of(&usual, &rules_known[i])) {
            oct_sink_text(out, first ? ",\n  \"rules\": {" : "");
            write_key(out, first, rules_known[i].key);
            oct_sink_decimal(out, value);
            first = false;
        }
    }
    if (own.sight != usual.sight) {
        oct_sink_text(out, first ? ",\n  \"rules\": {" : "");
        write_key(out, first, "sight");
        oct_words_json(out, sight_names[own.sight]);
        first = false;
    }
    if (!is_zero(own.gravity)) {
        oct_sink_text(out, first ? ",\n  \"rules\": {" : "");
        write_key(out, first, "gravity");
        oct_octant_write_point(out, own.gravity);
        first = false;
    }
    oct_sink_text(out, first ? "" : "}");
}

// ---- toolbar ----

static const char *const item_names[] = {[OCT_ITEM_NONE] = "none",
                                         [OCT_ITEM_GRINDER] = "grinder",
                                         [OCT_ITEM_WELDER] = "welder",
                                         [OCT_ITEM_BLOCK] = "block"};

typedef struct toolbar_seen {
    bool slots[OCT_TOOLBAR_PAGES][OCT_TOOLBAR_SLOTS];
} toolbar_seen;

static oct_result read_item(world_reader *in, size_t index, json_t *item)
{
    static const char *const keys[] = {"page", "slot", "item", "type"};
    (void)index;
    OCT_TRY(oct_octant_keys(in, item, "it", keys, COUNT(keys)));
    const json_t *const page_said = json_object_get(item, "page");
    const json_t *const slot_said = json_object_get(item, "slot");
    const json_t *const type_said = json_object_get(item, "type");
    uint32_t page = 0, slot = 0;
    size_t kind = OCT_ITEM_NONE;
    OCT_TRY(page_said ? oct_world_whole(in, page_said, "page", OCT_TOOLBAR_PAGES, &page) : OCT_OK);
    OCT_TRY(slot_said ? oct_world_whole(in, slot_said, "slot", OCT_TOOLBAR_SLOTS, &slot) : OCT_OK);
    OCT_TRY(oct_world_word(in, json_object_get(item, "item"), "item", item_names, COUNT(item_names),
                           &kind));
    oct_item own = {.kind = (uint8_t)kind};
    if (kind == OCT_ITEM_BLOCK) {
        OCT_TRY(oct_octant_type(in, type_said, &own.type));
    } else if (type_said) {
        return oct_world_refuse(in, "only a block has a type");
    }
    toolbar_seen *const seen = in->ctx;
    if (seen->slots[page][slot]) {
        return oct_world_refuse(in, "slot %u of page %u was there before", (unsigned)slot,
                                (unsigned)page);
    }
    seen->slots[page][slot] = true;
    return oct_world_set_item(in->world, page, slot, own);
}

oct_result oct_octant_read_toolbar(world_reader *in)
{
    toolbar_seen seen = {{{0}}};
    in->ctx = &seen;
    return oct_world_each_of(in, "toolbar", "toolbar item", read_item);
}

// What a toolbar has in a slot before anything is said.
static uint8_t usual_kind(uint32_t page, uint32_t slot)
{
    return page > 0    ? OCT_ITEM_NONE
           : slot == 0 ? OCT_ITEM_GRINDER
           : slot == 1 ? OCT_ITEM_WELDER
                       : OCT_ITEM_NONE;
}

void oct_octant_write_toolbar(sink *out, const oct_world *world)
{
    bool first = true;
    for (uint32_t i = 0; i < OCT_TOOLBAR_PAGES * OCT_TOOLBAR_SLOTS; i++) {
        const uint32_t page = i / OCT_TOOLBAR_SLOTS, slot = i % OCT_TOOLBAR_SLOTS;
        const oct_item item = oct_world_item(world, page, slot);
        if (item.kind == usual_kind(page, slot)) {
            continue;
        }
        oct_sink_text(out, first ? ",\n  \"toolbar\": [\n    {\"page\": " : ",\n    {\"page\": ");
        oct_sink_number(out, page);
        oct_sink_text(out, ", \"slot\": ");
        oct_sink_number(out, slot);
        oct_sink_text(out, ", \"item\": ");
        oct_words_json(out, item_names[item.kind]);
        if (item.kind == OCT_ITEM_BLOCK) {
            oct_sink_text(out, ", \"type\": ");
            oct_words_json(out, oct_world_get_type(world, item.type).name);
        }
        sink_byte(out, '}');
        first = false;
    }
    oct_sink_text(out, first ? "" : "\n  ]");
}

// ---- grids ----

static oct_result read_grid(world_reader *in, size_t index, json_t *item)
{
    static const char *const keys[] = {"id", "name", "position", "forward",
                                       "up", "cell", "drift",    "range"};
    oct_world_grid grid = {.pose = {.forward = {0, 0, -1}, .up = {0, 1, 0}}, .cell = CELL_DEFAULT};
    OCT_TRY(oct_world_object(in, item, "it"));
    OCT_TRY(oct_octant_id(in, json_object_get(item, "id"), "id", &grid.id));
    snprintf(in->subject, sizeof in->subject, "grid %zu (id %llu)", index,
             (unsigned long long)grid.id);
    OCT_TRY(oct_octant_keys(in, item, "it", keys, COUNT(keys)));
    const json_t *const name = json_object_get(item, "name");
    const json_t *const cell = json_object_get(item, "cell");
    const json_t *const drift = json_object_get(item, "drift");
    const json_t *const range = json_object_get(item, "range");
    double d[3] = {0};
    OCT_TRY(name ? oct_world_short_text(in, name, "name", &grid.name) : OCT_OK);
    OCT_TRY(oct_world_pose(in, item, true, &grid.pose));
    OCT_TRY(cell ? oct_world_real(in, cell, "cell", &grid.cell) : OCT_OK);
    OCT_TRY(drift ? oct_world_numbers(in, drift, "drift", 3, d) : OCT_OK);
    OCT_TRY(range ? oct_world_real(in, range, "range", &grid.range) : OCT_OK);
    grid.drift = (oct_point){d[0], d[1], d[2]};
    return oct_world_take_grid(in, &grid);
}

oct_result oct_octant_read_grids(world_reader *in)
{
    return oct_world_each_of(in, "grids", "grid", read_grid);
}

static void write_grid(sink *out, oct_world_grid grid)
{
    oct_sink_text(out, "{\"id\": ");
    oct_octant_write_id(out, grid.id);
    if (grid.name[0]) {
        oct_sink_text(out, ", \"name\": ");
        oct_words_json(out, grid.name);
    }
    oct_sink_text(out, ", \"position\": ");
    oct_octant_write_point(out, grid.pose.position);
    oct_sink_text(out, ", \"forward\": ");
    oct_octant_write_point(out, grid.pose.forward);
    oct_sink_text(out, ", \"up\": ");
    oct_octant_write_point(out, grid.pose.up);
    oct_sink_text(out, ", \"cell\": ");
    oct_sink_decimal(out, grid.cell);
    if (!is_zero(grid.drift)) {
        oct_sink_text(out, ", \"drift\": ");
        oct_octant_write_point(out, grid.drift);
    }
    if (grid.range > 0.0) {
        oct_sink_text(out, ", \"range\": ");
        oct_sink_decimal(out, grid.range);
    }
    sink_byte(out, '}');
}

void oct_octant_write_grids(sink *out, const oct_world *world)
{
    const size_t count = oct_world_grids(world);
    oct_sink_text(out, count > 0 ? ",\n  \"grids\": [" : "");
    for (uint32_t i = 0; i < count && !out->failed; i++) {
        oct_sink_text(out, i > 0 ? ",\n    " : "\n    ");
        write_grid(out, oct_world_get_grid(world, i));
    }
    oct_sink_text(out, count > 0 ? "\n  ]" : "");
}

// ---- wires ----

static oct_result read_action(const world_reader *in, const json_t *value, uint8_t *out)
{
    const char *names[OCT_WIRE_COUNT];
    for (size_t i = 0; i < OCT_WIRE_COUNT; i++) {
        names[i] = oct_wire_action_name((oct_wire_action)i);
    }
    size_t action;
    OCT_TRY(oct_world_word(in, value, "action", names, OCT_WIRE_COUNT, &action));
    *out = (uint8_t)action;
    return OCT_OK;
}

static oct_result read_wire(world_reader *in, size_t index, json_t *item)
{
    static const char *const keys[] = {"from", "slot", "action", "to", "group"};
    (void)index;
    OCT_TRY(oct_octant_keys(in, item, "it", keys, COUNT(keys)));
    const json_t *const slot = json_object_get(item, "slot");
    const json_t *const action = json_object_get(item, "action");
    const json_t *const to = json_object_get(item, "to");
    const json_t *const group = json_object_get(item, "group");
    oct_world_wire wire = {.action = OCT_WIRE_TOGGLE};
    OCT_TRY(oct_octant_id(in, json_object_get(item, "from"), "from", &wire.from));
    OCT_TRY(slot ? oct_world_whole(in, slot, "slot", OCT_WORLD_WHOLE_BELOW, &wire.slot) : OCT_OK);
    OCT_TRY(action ? read_action(in, action, &wire.action) : OCT_OK);
    if (to && group) {
        return oct_world_refuse(in, "it leads to a block or to a group, not to both");
    }
    if (!group) {
        OCT_TRY(oct_octant_id(in, to, "to", &wire.to));
        return oct_world_take_wire(in, &wire);
    }
    OCT_TRY(oct_world_short_text(in, group, "group", &wire.group));
    return wire.group[0] ? oct_world_take_wire(in, &wire) : oct_world_refuse(in, "group is empty");
}

oct_result oct_octant_read_wires(world_reader *in)
{
    return oct_world_each_of(in, "wires", "wire", read_wire);
}

static void write_wire(sink *out, oct_world_wire wire)
{
    oct_sink_text(out, "{\"from\": ");
    oct_octant_write_id(out, wire.from);
    oct_sink_text(out, ", \"slot\": ");
    oct_sink_number(out, wire.slot);
    oct_sink_text(out, ", \"action\": ");
    oct_words_json(out, oct_wire_action_name((oct_wire_action)wire.action));
    if (wire.group[0]) {
        oct_sink_text(out, ", \"group\": ");
        oct_words_json(out, wire.group);
    } else {
        oct_sink_text(out, ", \"to\": ");
        oct_octant_write_id(out, wire.to);
    }
    sink_byte(out, '}');
}

void oct_octant_write_wires(sink *out, const oct_world *world)
{
    const size_t count = oct_world_wires(world);
    oct_sink_text(out, count > 0 ? ",\n  \"wires\": [" : "");
    for (size_t i = 0; i < count && !out->failed; i++) {
        oct_sink_text(out, i > 0 ? ",\n    " : "\n    ");
        write_wire(out, oct_world_get_wire(world, i));
    }
    oct_sink_text(out, count > 0 ? "\n  ]" : "");
}

// ---- groups ----

static oct_result read_group(world_reader *in, size_t index, json_t *item)
{
    static const char *const keys[] = {"name", "grid", "blocks"};
    (void)index;
    OCT_TRY(oct_octant_keys(in, item, "it", keys, COUNT(keys)));
    const json_t *const grid = json_object_get(item, "grid");
    const json_t *const blocks = json_object_get(item, "blocks");
    oct_world_member member = {.grid = 0};
    OCT_TRY(oct_world_short_text(in, json_object_get(item, "name"), "name", &member.group));
    OCT_TRY(grid ? oct_world_whole(in, grid, "grid", OCT_WORLD_WHOLE_BELOW, &member.grid) : OCT_OK);
    if (!member.group[0]) {
        return oct_world_refuse(in, "name is empty");
    }
    if (!json_is_array(blocks)) {
        return oct_world_refuse(in, blocks ? "blocks must be a list" : "blocks is missing");
    }
    for (size_t i = 0; i < json_array_size(blocks); i++) {
        char name[32];
        snprintf(name, sizeof name, "blocks[%zu]", i);
        OCT_TRY(oct_octant_id(in, json_array_get(blocks, i), name, &member.block));
        OCT_TRY(oct_world_take_member(in, &member));
    }
    return OCT_OK;
}

oct_result oct_octant_read_groups(world_reader *in)
{
    return oct_world_each_of(in, "groups", "group", read_group);
}

static bool is_same_group(oct_world_member a, oct_world_member b)
{
    return a.grid == b.grid && strcmp(a.group, b.group) == 0;
}

// Members keep their order: those of a group that follow each other share a line.
void oct_octant_write_groups(sink *out, const oct_world *world)
{
    const size_t count = oct_world_members(world);
    oct_sink_text(out, count > 0 ? ",\n  \"groups\": [" : "");
    for (size_t i = 0, end; i < count && !out->failed; i = end) {
        const oct_world_member first = oct_world_get_member(world, i);
        oct_sink_text(out, i > 0 ? ",\n    {\"name\": " : "\n    {\"name\": ");
        oct_words_json(out, first.group);
        oct_sink_text(out, ", \"grid\": ");
        oct_sink_number(out, first.grid);
        oct_sink_text(out, ", \"blocks\": [");
        for (end = i; end < count && end - i < GROUP_LINE_MAX; end++) {
            const oct_world_member next = oct_world_get_member(world, end);
            if (!is_same_group(first, next)) {
                break;
            }
            oct_sink_text(out, end > i ? ", " : "");
            oct_octant_write_id(out, next.block);
        }
        oct_sink_text(out, "]}");
    }
    oct_sink_text(out, count > 0 ? "\n  ]" : "");
}
