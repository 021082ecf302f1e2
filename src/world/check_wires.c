// SPDX-License-Identifier: MIT
// Wires that do nothing, timers in a circle, and what has no wires.
//
// A wire may lead to a group of many blocks. So what wires do to a group is gathered in the group
// and handed to its members once: the work grows with wires and members, not with their product.
#include "world/world_check.h"

#include <stdio.h>
#include <stdlib.h>

#define DOOR_ACTIONS (1u << OCT_WIRE_TOGGLE | 1u << OCT_WIRE_OPEN | 1u << OCT_WIRE_SHUT)
#define TIMER_ACTIONS (1u << OCT_WIRE_START | 1u << OCT_WIRE_STOP)
#define HAS_WIRES (1u << OCT_WIRE_COUNT) // of its own; other bits are actions that reach it
#define CIRCLE_NAMES 4                   // so many timers of a circle are named

// A member of a group, to be sorted.
typedef struct member_ref {
    const char *group;
    uint32_t grid, member;
    uint32_t block; // its index, or UINT32_MAX
} member_ref;

typedef struct wire_group {
    const char *name;
    uint32_t grid;
    size_t first, end; // of its members
    uint8_t kinds;     // of its blocks, as bits
    uint8_t actions;   // of wires that lead to it
} wire_group;

// A timer starts another one, or a group.
typedef struct start_edge {
    uint32_t from; // a block
    uint32_t wire;
    uint32_t to; // a node: a block, or behind those a group
} start_edge;

typedef struct circle_step {
    uint32_t node, wire; // that led to it
    size_t next, end;    // edges, or members, that were not followed yet
} circle_step;

typedef struct wiring {
    checker *check;
    uint8_t *uses;    // of each block
    uint8_t *colours; // of each node
    oct_array refs;   // member_ref, by grid and name
    oct_array groups; // wire_group, likewise
    oct_array starts; // start_edge, by timer
    oct_array stack;  // circle_step
} wiring;

// ---- groups ----

static int compare_group(const char *a, uint32_t grid_a, const char *b, uint32_t grid_b)
{
    return grid_a != grid_b ? (grid_a > grid_b) - (grid_a < grid_b) : strcmp(a, b);
}

static int by_group(const void *a, const void *b)
{
    const member_ref *const p = a, *const q = b;
    const int order = compare_group(p->group, p->grid, q->group, q->grid);
    return order != 0 ? order : (p->member > q->member) - (p->member < q->member);
}

static oct_result gather_members(wiring *w)
{
    checker *const c = w->check;
    for (size_t i = 0; i < oct_world_members(c->world); i++) {
        const oct_world_member member = oct_world_get_member(c->world, i);
        size_t block;
        const bool is_there = oct_world_find(c->world, member.block, &block);
        const member_ref ref = {member.group, member.grid, (uint32_t)i,
                                is_there ? (uint32_t)block : UINT32_MAX};
        OCT_TRY(oct_array_push(&w->refs, &c->allocator, sizeof ref, &ref));
        if (!is_there) {
            oct_checker_tell(c, OCT_PROBLEM_WIRE_TO, OCT_SEVERITY_ERROR, OCT_ABOUT_MEMBER, i,
                             "group '%.80s' holds block %llu, which is not there", member.group,
                             (unsigned long long)member.block);
        }
    }
    return OCT_OK;
}

static oct_result gather_groups(wiring *w)
{
    OCT_TRY(gather_members(w));
    member_ref *const refs = w->refs.items;
    if (w->refs.count > 1) {
        qsort(refs, w->refs.count, sizeof *refs, by_group);
    }
    for (size_t i = 0; i < w->refs.count;) {
        wire_group group = {.name = refs[i].group, .grid = refs[i].grid, .first = i};
        for (; i < w->refs.count &&
               compare_group(refs[i].group, refs[i].grid, group.name, group.grid) == 0;
             i++) {
            if (refs[i].block != UINT32_MAX) {
                group.kinds |= (uint8_t)(1u << checked_kind(w->check, refs[i].block));
            }
        }
        group.end = i;
        OCT_TRY(oct_array_push(&w->groups, &w->check->allocator, sizeof group, &group));
    }
    return OCT_OK;
}

static wire_group *find_group(const wiring *w, uint32_t grid, const char *name)
{
    wire_group *const groups = w->groups.items;
    size_t low = 0, high = w->groups.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = compare_group(groups[middle].name, groups[middle].grid, name, grid);
        if (order == 0) {
            return &groups[middle];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

// ---- one wire ----

typedef struct wire_words {
    char text[200];
} wire_words;

// "button 2 of panel 'Gate'", "timer 'Clock'"
static wire_words name_wire(const checker *c, size_t from, const oct_world_wire *wire)
{
    wire_words out;
    const block_words block = oct_checker_name(c, from);
    if (checked_kind(c, from) == OCT_KIND_PANEL) {
        (void)snprintf(out.text, sizeof out.text, "button %lu of %s", (unsigned long)wire->slot,
                       block.text);
    } else {
        (void)snprintf(out.text, sizeof out.text, "%s", block.text);
    }
    return out;
}

// Whether the wire can ever do something, for what it leads from.
static bool check_from(checker *c, size_t index, const oct_world_wire *wire, size_t from)
{
    const oct_world_type *const type =
        (const oct_world_type *)c->world->types.items + checked_block(c, from)->type;
    if (type->kind != OCT_KIND_PANEL && type->kind != OCT_KIND_TIMER) {
        oct_checker_tell(c, OCT_PROBLEM_WIRE_FROM, OCT_SEVERITY_ERROR, OCT_ABOUT_WIRE, index,
                         "a wire leads from %s, which is neither a panel nor a timer",
                         oct_checker_name(c, from).text);
        return false;
    }
    if (type->kind == OCT_KIND_PANEL && wire->slot >= type->buttons) {
        oct_checker_tell(c, OCT_PROBLEM_WIRE_SLOT, OCT_SEVERITY_ERROR, OCT_ABOUT_WIRE, index,
                         "%s has no button %lu: its buttons are 0 to %u",
                         oct_checker_name(c, from).text, (unsigned long)wire->slot,
                         type->buttons - 1u);
        return false;
    }
    return true;
}

// Whether the action does something to blocks of these kinds; `to` says what they are.
static bool check_action(checker *c, size_t index, const oct_world_wire *wire, size_t from,
                         uint32_t kinds, const char *to)
{
    const uint32_t bit = 1u << wire->action;
    const bool moves_doors = bit & DOOR_ACTIONS;
    if (wire->action == OCT_WIRE_OTHER) {
        return false;
    }
    if (kinds & (moves_doors ? 1u << OCT_KIND_DOOR : 1u << OCT_KIND_TIMER)) {
        return true;
    }
    oct_checker_tell(c, OCT_PROBLEM_WIRE_ACTION, OCT_SEVERITY_WARNING, OCT_ABOUT_WIRE, index,
                     "%s does nothing to %s: '%s' is for %s", name_wire(c, from, wire).text, to,
                     oct_wire_action_name((oct_wire_action)wire->action),
                     moves_doors ? "doors" : "timers");
    return false;
}

static oct_result add_start(wiring *w, size_t index, const oct_world_wire *wire, size_t from,
                            size_t to)
{
    if (wire->action != OCT_WIRE_START || checked_kind(w->check, from) != OCT_KIND_TIMER) {
        return OCT_OK;
    }
    const start_edge edge = {(uint32_t)from, (uint32_t)index, (uint32_t)to};
    return oct_array_push(&w->starts, &w->check->allocator, sizeof edge, &edge);
}

static oct_result check_to_group(wiring *w, size_t index, const oct_world_wire *wire, size_t from,
                                 bool is_live)
{
    checker *const c = w->check;
    wire_group *const group = find_group(w, checked_block(c, from)->grid, wire->group);
    if (!group) {
        oct_checker_tell(c, OCT_PROBLEM_WIRE_TO, OCT_SEVERITY_ERROR, OCT_ABOUT_WIRE, index,
                         "%s leads to group '%.80s', which its grid does not have",
                         name_wire(c, from, wire).text, wire->group);
        return OCT_OK;
    }
    char words[120];
    (void)snprintf(words, sizeof words, "group '%.80s'", wire->group);
    if (!is_live || !check_action(c, index, wire, from, group->kinds, words)) {
        return OCT_OK;
    }
    group->actions |= (uint8_t)(1u << wire->action);
    return add_start(w, index, wire, from,
                     c->world->blocks.count + (size_t)(group - (wire_group *)w->groups.items));
}

static oct_result check_to_block(wiring *w, size_t index, const oct_world_wire *wire, size_t from,
                                 bool is_live)
{
    checker *const c = w->check;
    size_t to;
    if (!oct_world_find(c->world, wire->to, &to)) {
        oct_checker_tell(c, OCT_PROBLEM_WIRE_TO, OCT_SEVERITY_ERROR, OCT_ABOUT_WIRE, index,
                         "%s leads to block %llu, which is not there",
                         name_wire(c, from, wire).text, (unsigned long long)wire->to);
        return OCT_OK;
    }
    if (!is_live || !check_action(c, index, wire, from, 1u << checked_kind(c, to),
                                  oct_checker_name(c, to).text)) {
        return OCT_OK;
    }
    w->uses[to] |= (uint8_t)(1u << wire->action);
    return add_start(w, index, wire, from, to);
}

static oct_result check_wire(wiring *w, size_t index)
{
    checker *const c = w->check;
    const oct_world_wire wire = oct_world_get_wire(c->world, index);
    size_t from;
    if (!oct_world_find(c->world, wire.from, &from)) {
        oct_checker_tell(c, OCT_PROBLEM_WIRE_FROM, OCT_SEVERITY_ERROR, OCT_ABOUT_WIRE, index,
                         "a wire leads from block %llu, which is not there",
                         (unsigned long long)wire.from);
        return OCT_OK;
    }
    const bool is_live = check_from(c, index, &wire, from);
    w->uses[from] |= HAS_WIRES;
    return wire.group[0] ? check_to_group(w, index, &wire, from, is_live)
                         : check_to_block(w, index, &wire, from, is_live);
}

// ---- circles ----

enum { WHITE, GREY, BLACK }; // not seen, on the way, done

static int by_timer(const void *a, const void *b)
{
    const start_edge *const p = a, *const q = b;
    if (p->from != q->from) {
        return p->from < q->from ? -1 : 1;
    }
    return (p->wire > q->wire) - (p->wire < q->wire);
}

static size_t first_edge(const wiring *w, uint32_t from)
{
    const start_edge *const edges = w->starts.items;
    size_t low = 0, high = w->starts.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        low = edges[middle].from < from ? middle + 1 : low;
        high = edges[middle].from < from ? high : middle;
    }
    return low;
}

static oct_result enter(wiring *w, uint32_t node, uint32_t wire)
{
    const size_t blocks = w->check->world->blocks.count;
    circle_step step = {.node = node, .wire = wire};
    if (node >= blocks) {
        const wire_group *const group = (const wire_group *)w->groups.items + (node - blocks);
        step.next = group->first;
        step.end = group->end;
    } else {
        step.next = first_edge(w, node);
        step.end = first_edge(w, node + 1);
    }
    w->colours[node] = GREY;
    return oct_array_push(&w->stack, &w->check->allocator, sizeof step, &step);
}

// The steps from the node on to the last one are a circle, which the wire closes.
static void tell_circle(const wiring *w, uint32_t node, uint32_t wire)
{
    const circle_step *const steps = w->stack.items;
    char names[OCT_PROBLEM_TEXT] = "";
    size_t first = 0, used = 0, timers = 0;
    while (steps[first].node != node) {
        first++;
    }
    for (size_t i = first; i < w->stack.count; i++) {
        if (steps[i].node < w->check->world->blocks.count && timers++ < CIRCLE_NAMES &&
            used < sizeof names) {
            used +=
                (size_t)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "",
                                 oct_checker_name(w->check, steps[i].node).text);
        }
    }
    if (timers == 1) {
        oct_checker_tell(w->check, OCT_PROBLEM_CIRCLE, OCT_SEVERITY_WARNING, OCT_ABOUT_WIRE, wire,
                         "%s starts itself: once started it never rests", names);
    } else {
        oct_checker_tell(w->check, OCT_PROBLEM_CIRCLE, OCT_SEVERITY_WARNING, OCT_ABOUT_WIRE, wire,
                         "%zu timers start each other in a circle and never rest: %s%s", timers,
                         names, timers > CIRCLE_NAMES ? ", ..." : "");
    }
}

// Follows the next way out of the last step, or leaves it.
static oct_result follow(wiring *w)
{
    circle_step *const step = (circle_step *)w->stack.items + (w->stack.count - 1);
    if (step->next == step->end) {
        w->colours[step->node] = BLACK;
        w->stack.count--;
        return OCT_OK;
    }
    const size_t at = step->next++;
    uint32_t node, wire = step->wire;
    if (step->node >= w->check->world->blocks.count) {
        node = ((const member_ref *)w->refs.items)[at].block;
        if (node == UINT32_MAX || checked_kind(w->check, node) != OCT_KIND_TIMER) {
            return OCT_OK;
        }
    } else {
        node = ((const start_edge *)w->starts.items)[at].to;
        wire = ((const start_edge *)w->starts.items)[at].wire;
    }
    if (w->colours[node] == GREY) {
        tell_circle(w, node, wire);
    }
    return w->colours[node] == WHITE ? enter(w, node, wire) : OCT_OK;
}

static oct_result check_circles(wiring *w)
{
    start_edge *const edges = w->starts.items;
    if (w->starts.count > 1) {
        qsort(edges, w->starts.count, sizeof *edges, by_timer);
    }
    for (size_t i = 0; i < w->starts.count; i++) {
        if (w->colours[edges[i].from] == WHITE) {
            OCT_TRY(enter(w, edges[i].from, edges[i].wire));
        }
        while (w->stack.count > 0) {
            OCT_TRY(follow(w));
        }
    }
    return OCT_OK;
}

// ---- what has no wires ----

static void tell_unused(checker *c, size_t block, const char *why)
{
    oct_checker_tell(c, OCT_PROBLEM_UNUSED, OCT_SEVERITY_WARNING, OCT_ABOUT_BLOCK, block, "%s %s",
                     oct_checker_name(c, block).text, why);
}

static void check_use(checker *c, size_t block, uint32_t uses)
{
    const uint32_t opens = 1u << OCT_WIRE_TOGGLE | 1u << OCT_WIRE_OPEN;
    switch (checked_kind(c, block)) {
    case OCT_KIND_DOOR:
        if (checked_block(c, block)->label != OCT_OPEN && !(uses & opens)) {
            tell_unused(c, block, "is shut, and no button or timer opens it");
        }
        break;
    case OCT_KIND_PANEL:
        if (!(uses & HAS_WIRES)) {
            tell_unused(c, block, "has no wires: its buttons do nothing");
        }
        break;
    case OCT_KIND_TIMER:
        if (!(uses & HAS_WIRES)) {
            tell_unused(c, block, "has no wires: it does nothing");
        }
        if (!(uses & 1u << OCT_WIRE_START)) {
            tell_unused(c, block, "is never started: no wire does that");
        }
        break;
    default:
        break;
    }
}

static void check_uses(wiring *w)
{
    const wire_group *const groups = w->groups.items;
    const member_ref *const refs = w->refs.items;
    for (size_t i = 0; i < w->groups.count; i++) {
        for (size_t k = groups[i].first; k < groups[i].end; k++) {
            if (refs[k].block != UINT32_MAX) {
                w->uses[refs[k].block] |= groups[i].actions;
            }
        }
    }
    for (size_t i = 0; i < w->check->world->blocks.count; i++) {
        check_use(w->check, i, w->uses[i]);
    }
}

// ---- the whole ----

// Blocks and groups, and one more: memory for none cannot be asked for.
static size_t node_count(const wiring *w)
{
    return w->check->world->blocks.count + w->groups.count + 1;
}

static oct_result check_all(wiring *w)
{
    checker *const c = w->check;
    OCT_TRY(gather_groups(w));
    const size_t nodes = node_count(w);
    w->uses = oct_alloc(&c->allocator, nodes, 1);
    w->colours = oct_alloc(&c->allocator, nodes, 1);
    if (!w->uses || !w->colours) {
        return OCT_ERROR_MEMORY;
    }
    memset(w->uses, 0, nodes);
    memset(w->colours, WHITE, nodes);
    for (size_t i = 0; i < oct_world_wires(c->world); i++) {
        OCT_TRY(check_wire(w, i));
    }
    OCT_TRY(check_circles(w));
    check_uses(w);
    return OCT_OK;
}

oct_result oct_check_wires(checker *c)
{
    wiring w = {.check = c};
    const oct_result result = check_all(&w);
    const size_t nodes = node_count(&w);
    oct_free(&c->allocator, w.uses, nodes);
    oct_free(&c->allocator, w.colours, nodes);
    oct_array_free(&w.refs, &c->allocator, sizeof(member_ref));
    oct_array_free(&w.groups, &c->allocator, sizeof(wire_group));
    oct_array_free(&w.starts, &c->allocator, sizeof(start_edge));
    oct_array_free(&w.stack, &c->allocator, sizeof(circle_step));
    return result;
}
