// SPDX-License-Identifier: MIT
#include "puzzle_oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- reading a world ----

static int step_to(const puzzle_scene *s, uint8_t side)
{
    switch (side) {
    case OCT_SIDE_FORWARD:
        return -s->nx * s->ny;
    case OCT_SIDE_BACKWARD:
        return s->nx * s->ny;
    case OCT_SIDE_LEFT:
        return -1;
    case OCT_SIDE_RIGHT:
        return 1;
    case OCT_SIDE_UP:
        return s->nx;
    default:
        return -s->nx;
    }
}

static int cell_at(const puzzle_scene *s, oct_point p)
{
    const int x = (int)floor(p.x / 2.5), y = (int)floor(p.y / 2.5), z = (int)floor(p.z / 2.5);
    assert_true(x >= 0 && x < s->nx && y >= 0 && y < s->ny && z >= 0 && z < s->nz);
    return (z * s->ny + y) * s->nx + x;
}

static void read_panel(puzzle_scene *s, const oct_world_block *block, int cell, uint32_t buttons)
{
    assert_in_range(buttons, 1, 2);
    s->kind[cell] = PUZZLE_PANEL;
    s->panels++;
    for (uint32_t i = 0; i < buttons; i++) {
        assert_true(s->button_count < OCT_PUZZLE_BUTTONS_MAX);
        s->buttons[s->button_count++] = (puzzle_button){.panel = block->id,
                                                        .number = i,
                                                        .cell = cell,
                                                        .front = cell + step_to(s, block->forward)};
    }
}

static void read_block(puzzle_scene *s, const oct_world *world, size_t index)
{
    const oct_world_block block = oct_world_get(world, index);
    const oct_world_type type = oct_world_get_type(world, block.type);
    const int cell =
        cell_at(s, (oct_point){block.box.min.x + 1, block.box.min.y + 1, block.box.min.z + 1});
    char name[32];
    assert_true(block.placed && block.grid == 0);
    assert_true(block.box.max.x - block.box.min.x == 2.5 && fmod(block.box.min.x, 2.5) == 0.0);
    assert_int_equal(s->kind[cell], PUZZLE_FREE);
    s->kind[cell] = PUZZLE_SOLID;
    switch (type.kind) {
    case OCT_KIND_DOOR:
        s->kind[cell] = (int)(PUZZLE_DOOR + s->doors);
        s->door_ids[s->doors] = block.id;
        s->door_cells[s->doors] = cell;
        s->door_axes[s->doors] = abs(step_to(s, block.forward));
        s->open |= (uint32_t)(block.label == OCT_OPEN) << s->doors;
        s->doors++;
        snprintf(name, sizeof name, "Door%u", s->doors);
        assert_string_equal(block.name, name);
        return;
    case OCT_KIND_PANEL:
        read_panel(s, &block, cell, type.buttons);
        snprintf(name, sizeof name, "Panel%u", s->panels);
        assert_string_equal(block.name, name);
        break;
    case OCT_KIND_TARGET:
        assert_string_equal(type.name, "TargetDummy");
        assert_int_equal(s->target, 0);
        s->kind[cell] = PUZZLE_TARGET;
        s->target = cell;
        break;
    case OCT_KIND_TIMER:
        s->timers++;
        break;
    default:
        assert_string_equal(block.name, "");
    }
    assert_int_equal(block.label, OCT_BLOCKED);
}

// What wires from a block's slot (or all of a timer's) toggle.
static uint32_t follow(const puzzle_scene *s, const oct_world *world, uint64_t from, uint32_t slot,
                       bool all, double *delay)
{
    uint32_t doors = 0;
    for (size_t i = 0; i < oct_world_wires(world); i++) {
        const oct_world_wire wire = oct_world_get_wire(world, i);
        if (wire.from != from || !(all || wire.slot == slot)) {
            continue;
        }
        if (wire.action == OCT_WIRE_START) {
            size_t timer;
            assert_true(oct_world_find(world, wire.to, &timer) && *delay == 0.0);
            *delay = oct_world_get(world, timer).delay;
            assert_true(*delay >= 0.5 && *delay <= 2.0);
            doors ^= follow(s, world, wire.to, 0, true, delay);
            continue;
        }
        assert_int_equal(wire.action, OCT_WIRE_TOGGLE);
        for (uint32_t d = 0; d < s->doors; d++) {
            doors ^= (uint32_t)(s->door_ids[d] == wire.to) << d;
        }
    }
    return doors;
}

puzzle_scene *puzzle_read(const oct_world *world)
{
    puzzle_scene *s = test_calloc(1, sizeof *s);
    const oct_bounds extent = oct_world_extent(world);
    assert_true(extent.min.x == 0 && extent.min.y == 0 && extent.min.z == 0);
    s->nx = (int)(extent.max.x / 2.5);
    s->ny = (int)(extent.max.y / 2.5);
    s->nz = (int)(extent.max.z / 2.5);
    s->cells = s->nx * s->ny * s->nz;
    assert_true(s->cells <= PUZZLE_CELLS);
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        read_block(s, world, i);
    }
    for (uint32_t i = 0; i < s->button_count; i++) {
        puzzle_button *b = &s->buttons[i];
        b->toggles = follow(s, world, b->panel, b->number, false, &b->delay);
    }
    oct_pose start;
    assert_true(oct_world_start(world, &start));
    s->start = cell_at(s, start.position);
    assert_int_equal(s->kind[s->start], PUZZLE_FREE);
    assert_true(s->target != 0);
    return s;
}

void puzzle_neighbours(const puzzle_scene *s, int cell, int out[6])
{
    const int steps[3] = {1, s->nx, s->nx * s->ny};
    for (int i = 0; i < 3; i++) {
        out[2 * i] = cell - steps[i];
        out[2 * i + 1] = cell + steps[i];
    }
}

bool puzzle_passable(const puzzle_scene *s, int cell, uint32_t open)
{
    return s->kind[cell] == PUZZLE_FREE ||
           (s->kind[cell] >= PUZZLE_DOOR && (open >> (s->kind[cell] - PUZZLE_DOOR) & 1));
}

void puzzle_flood(const puzzle_scene *s, int from, uint32_t open, bool *reached)
{
    int stack[PUZZLE_CELLS], depth = 0;
    reached[from] = true;
    stack[depth++] = from;
    while (depth > 0) {
        int next[6];
        puzzle_neighbours(s, stack[--depth], next);
        for (int i = 0; i < 6; i++) {
            if (!reached[next[i]] && puzzle_passable(s, next[i], open)) {
                reached[next[i]] = true;
                stack[depth++] = next[i];
            }
        }
    }
}

bool puzzle_beside(const puzzle_scene *s, const bool *reached, int cell)
{
    int next[6];
    puzzle_neighbours(s, cell, next);
    for (int i = 0; i < 6; i++) {
        if (reached[next[i]]) {
            return true;
        }
    }
    return false;
}

// ---- one who waits: doors x cells ----

void puzzle_push(puzzle_stack *f, puzzle_node n)
{
    if (f->count == f->capacity) {
        f->capacity = f->capacity ? 2 * f->capacity : 1024;
        f->nodes = realloc(f->nodes, f->capacity * sizeof *f->nodes);
        assert_non_null(f->nodes);
    }
    f->nodes[f->count++] = n;
}

int puzzle_fewest_presses(const puzzle_scene *s, uint32_t *pressed)
{
    puzzle_stack now = {0}, later = {0};
    int found = -1;
    assert_true(s->doors <= PUZZLE_DOORS_PLAYED);
    bool *seen = calloc((size_t)s->cells << s->doors, 1);
    assert_non_null(seen);
    *pressed = 0;
    puzzle_push(&later, (puzzle_node){s->open, s->start});
    for (int presses = 0; found < 0 && later.count > 0; presses++) {
        const puzzle_stack swap = now;
        now = later;
        later = swap;
        later.count = 0;
        while (now.count > 0) {
            const puzzle_node at = now.nodes[--now.count];
            bool *mark = &seen[(size_t)at.state * (size_t)s->cells + (size_t)at.cell];
            if (*mark) {
                continue;
            }
            *mark = true;
            int next[6];
            puzzle_neighbours(s, at.cell, next);
            for (int i = 0; i < 6; i++) {
                if (next[i] == s->target) {
                    found = presses;
                }
                if (puzzle_passable(s, next[i], at.state)) {
                    puzzle_push(&now, (puzzle_node){at.state, next[i]});
                }
            }
            for (uint32_t i = 0; i < s->button_count; i++) {
                if (s->buttons[i].front == at.cell) {
                    *pressed |= UINT32_C(1) << i;
                    puzzle_push(&later, (puzzle_node){at.state ^ s->buttons[i].toggles, at.cell});
                }
            }
        }
    }
    free(seen);
    free(now.nodes);
    free(later.nodes);
    return found;
}

// ---- anyone ----

// The cells that one gets to if doors stay open that were ever open, but for those held shut.
static void hope(const puzzle_scene *s, uint32_t held, bool all_buttons, bool *reached)
{
    uint32_t open = s->open & ~held;
    for (uint32_t i = 0; i <= OCT_PUZZLE_DOORS_MAX; i++) {
        memset(reached, 0, PUZZLE_CELLS * sizeof *reached);
        puzzle_flood(s, s->start, open, reached);
        for (uint32_t k = 0; k < s->button_count; k++) {
            if (all_buttons || reached[s->buttons[k].front]) {
                open |= s->buttons[k].toggles & ~held;
            }
        }
    }
}

// How many steps to any of 26 cells it takes from one cell to another through all but armour.
static int steps_between(const puzzle_scene *s, int from, int to)
{
    int steps[PUZZLE_CELLS], queue[PUZZLE_CELLS], count = 0;
    memset(steps, 0xff, sizeof steps);
    steps[from] = 0;
    queue[count++] = from;
    for (int i = 0; i < count; i++) {
        for (int z = -1; z <= 1; z++) {
            for (int y = -1; y <= 1; y++) {
                for (int x = -1; x <= 1; x++) {
                    const int next = queue[i] + (z * s->ny + y) * s->nx + x;
                    if (s->kind[next] != PUZZLE_SOLID && steps[next] < 0) {
                        steps[next] = steps[queue[i]] + 1;
                        queue[count++] = next;
                    }
                }
            }
        }
    }
    return steps[to];
}

// Between two doors there is a room without panels from which nothing else leads on; who is outside
// can only toggle both, and not get in while they move.
static bool is_trap(const puzzle_scene *s, uint32_t outer, uint32_t inner)
{
    bool outside[PUZZLE_CELLS], between[PUZZLE_CELLS] = {false}, beyond[PUZZLE_CELLS] = {false};
    const uint32_t both = 1u << outer | 1u << inner;
    hope(s, 1u << inner, false, outside);
    if (puzzle_beside(s, outside, s->target) ||
        !(s->open >> outer & 1) == !(s->open >> inner & 1)) {
        return false;
    }
    const int a = s->door_cells[inner] - s->door_axes[inner];
    const int b = s->door_cells[inner] + s->door_axes[inner];
    if (outside[a] == outside[b]) {
        return false;
    }
    puzzle_flood(s, outside[a] ? a : b, ~both, between);
    puzzle_flood(s, outside[a] ? b : a, ~both, beyond);
    if (between[s->start] || beyond[s->start] || !puzzle_beside(s, between, s->door_cells[outer])) {
        return false;
    }
    for (uint32_t i = 0; i < s->button_count; i++) {
        const puzzle_button *x = &s->buttons[i];
        if (between[x->front]) {
            return false;
        }
        if (!outside[x->front] || !(x->toggles & both)) {
            continue;
        }
        // At 20 m/s, pressed from 3 m, a body half of which is less than 1 m; the door takes 1 s.
        const double way = 2.5 * (steps_between(s, s->door_cells[outer], x->cell) - 1) - 3.0 - 1.0;
        if ((x->toggles & both) != both || way <= 20.0 * (1.0 + x->delay)) {
            return false;
        }
    }
    return true;
}

oct_puzzle_why puzzle_why_not(const puzzle_scene *s)
{
    bool reached[PUZZLE_CELLS] = {false};
    puzzle_flood(s, s->start, UINT32_MAX, reached);
    if (!puzzle_beside(s, reached, s->target)) {
        return OCT_PUZZLE_WALLED_IN;
    }
    hope(s, 0, true, reached);
    if (!puzzle_beside(s, reached, s->target)) {
        return OCT_PUZZLE_NO_BUTTON;
    }
    hope(s, 0, false, reached);
    if (!puzzle_beside(s, reached, s->target)) {
        return OCT_PUZZLE_BUTTON_BEHIND;
    }
    for (uint32_t i = 0; i < s->doors * s->doors; i++) {
        if (i / s->doors != i % s->doors && is_trap(s, i / s->doors, i % s->doors)) {
            return OCT_PUZZLE_PARITY;
        }
    }
    return OCT_PUZZLE_SOLVABLE;
}
