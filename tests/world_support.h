// SPDX-License-Identifier: MIT
// What the tests of world files share: reading and writing in memory, refusals, and comparing.
#ifndef OCTANT_TESTS_WORLD_SUPPORT_H
#define OCTANT_TESTS_WORLD_SUPPORT_H

#include "support.h"

#include "files/files_internal.h"

#include <stdio.h>
#include <stdlib.h>

static inline bool append(void *ctx, const void *data, size_t size)
{
    oct_array *out = ctx;
    const oct_allocator heap = oct_allocator_default();
    while (out->capacity - out->count < size) {
        assert_int_equal(oct_array_grow(out, &heap, 1), OCT_OK);
    }
    memcpy((char *)out->items + out->count, data, size);
    out->count += size;
    return true;
}

static inline oct_array encoded(const oct_world *world)
{
    oct_array out = {0};
    assert_int_equal(oct_world_encode(world, append, &out), OCT_OK);
    return out;
}

static inline void drop(oct_array *bytes)
{
    const oct_allocator heap = oct_allocator_default();
    oct_array_free(bytes, &heap, 1);
}

// In memory of exactly its size, so that a sanitizer sees every overrun.
static inline oct_result decode(const char *data, size_t size, oct_world **world, oct_error *error)
{
    char *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    *error = (oct_error){.line = 0};
    const oct_result result = oct_world_decode(copy, size, NULL, world, NULL, error);
    free(copy);
    return result;
}

static inline oct_world *decoded(const char *text)
{
    oct_world *world;
    oct_error error;
    if (decode(text, strlen(text), &world, &error) != OCT_OK) {
        fail_msg("%u:%u: %s", error.line, error.column, error.message);
    }
    return world;
}

// To the bit: -0 is not 0.
#define ASSERT_SAME(a, b) assert_memory_equal(&(a), &(b), sizeof(a))

static inline void assert_same_types(const oct_world *a, const oct_world *b)
{
    assert_int_equal(oct_world_types(a), oct_world_types(b));
    for (uint32_t i = 0; i < oct_world_types(a); i++) {
        const oct_world_type x = oct_world_get_type(a, i), y = oct_world_get_type(b, i);
        assert_string_equal(x.name, y.name);
        assert_int_equal(x.opaque, y.opaque);
        assert_int_equal(x.kind, y.kind);
        assert_int_equal(x.buttons, y.buttons);
        ASSERT_SAME(x.size, y.size);
        ASSERT_SAME(x.integrity, y.integrity);
    }
}

static inline void assert_same_blocks(const oct_world *a, const oct_world *b)
{
    assert_int_equal(oct_world_blocks(a), oct_world_blocks(b));
    for (size_t i = 0; i < oct_world_blocks(a); i++) {
        const oct_world_block x = oct_world_get(a, i), y = oct_world_get(b, i);
        assert_int_equal(x.id, y.id);
        assert_string_equal(x.name, y.name);
        ASSERT_SAME(x.box, y.box);
        assert_int_equal(x.type, y.type);
        assert_int_equal(x.grid, y.grid);
        assert_int_equal(x.label, y.label);
        assert_int_equal(x.placed, y.placed);
        assert_int_equal(x.forward, y.forward);
        assert_int_equal(x.up, y.up);
        ASSERT_SAME(x.cell, y.cell);
        ASSERT_SAME(x.damage, y.damage);
        ASSERT_SAME(x.delay, y.delay);
    }
}

static inline void assert_same_grids(const oct_world *a, const oct_world *b)
{
    assert_int_equal(oct_world_grids(a), oct_world_grids(b));
    for (uint32_t i = 0; i < oct_world_grids(a); i++) {
        const oct_world_grid x = oct_world_get_grid(a, i), y = oct_world_get_grid(b, i);
        assert_int_equal(x.id, y.id);
        assert_string_equal(x.name, y.name);
        ASSERT_SAME(x.pose, y.pose);
        ASSERT_SAME(x.cell, y.cell);
        ASSERT_SAME(x.drift, y.drift);
        ASSERT_SAME(x.range, y.range);
    }
}

static inline void assert_wire(const oct_world *world, size_t index, oct_world_wire expected)
{
    const oct_world_wire wire = oct_world_get_wire(world, index);
    assert_int_equal(wire.from, expected.from);
    assert_int_equal(wire.slot, expected.slot);
    assert_int_equal(wire.action, expected.action);
    assert_int_equal(wire.to, expected.to);
    assert_string_equal(wire.group, expected.group);
}

static inline void assert_same_wiring(const oct_world *a, const oct_world *b)
{
    assert_int_equal(oct_world_wires(a), oct_world_wires(b));
    for (size_t i = 0; i < oct_world_wires(a); i++) {
        assert_wire(a, i, oct_world_get_wire(b, i));
    }
    assert_int_equal(oct_world_members(a), oct_world_members(b));
    for (size_t i = 0; i < oct_world_members(a); i++) {
        const oct_world_member x = oct_world_get_member(a, i), y = oct_world_get_member(b, i);
        assert_string_equal(x.group, y.group);
        assert_int_equal(x.grid, y.grid);
        assert_int_equal(x.block, y.block);
    }
}

static inline void assert_same_play(const oct_world *a, const oct_world *b)
{
    const oct_world_rules x = oct_world_rules_of(a), y = oct_world_rules_of(b);
    ASSERT_SAME(x.acceleration, y.acceleration);
    ASSERT_SAME(x.speed, y.speed);
    ASSERT_SAME(x.turn, y.turn);
    ASSERT_SAME(x.walk, y.walk);
    ASSERT_SAME(x.jump, y.jump);
    ASSERT_SAME(x.door, y.door);
    ASSERT_SAME(x.reach, y.reach);
    ASSERT_SAME(x.grind, y.grind);
    ASSERT_SAME(x.view, y.view);
    assert_int_equal(x.sight, y.sight);
    ASSERT_SAME(x.gravity, y.gravity);
    for (uint32_t i = 0; i < OCT_TOOLBAR_PAGES * OCT_TOOLBAR_SLOTS; i++) {
        const uint32_t page = i / OCT_TOOLBAR_SLOTS, slot = i % OCT_TOOLBAR_SLOTS;
        assert_int_equal(oct_world_item(a, page, slot).kind, oct_world_item(b, page, slot).kind);
        assert_int_equal(oct_world_item(a, page, slot).type, oct_world_item(b, page, slot).type);
    }
}

static inline void assert_same_world(const oct_world *a, const oct_world *b)
{
    assert_string_equal(oct_world_name(a), oct_world_name(b));
    assert_int_equal(oct_world_up(a), oct_world_up(b));
    assert_int_equal(oct_world_left_handed(a), oct_world_left_handed(b));
    assert_true(oct_world_passage(a) == oct_world_passage(b));
    oct_pose start[2];
    oct_bounds bounds[2];
    assert_int_equal(oct_world_start(a, &start[0]), oct_world_start(b, &start[1]));
    if (oct_world_start(a, &start[0])) {
        ASSERT_SAME(start[0], start[1]);
    }
    assert_int_equal(oct_world_bounds(a, &bounds[0]), oct_world_bounds(b, &bounds[1]));
    if (oct_world_bounds(a, &bounds[0])) {
        ASSERT_SAME(bounds[0], bounds[1]);
    }
    assert_same_types(a, b);
    assert_same_grids(a, b);
    assert_same_blocks(a, b);
    assert_same_wiring(a, b);
    assert_same_play(a, b);
}

// The refusal points to where `place`, a part of the text, is first found; NULL stands for what the
// second line begins with.
static inline void assert_refused(const char *text, const char *place, const char *message)
{
    const char *found = place ? strstr(text, place) : strchr(text, '\n');
    assert_non_null(found);
    found += place ? 0 : strspn(found, "\n ");
    uint32_t line = 1, column = 1;
    for (const char *at = text; at < found; at++) {
        column = *at == '\n' ? 1 : column + 1;
        line += *at == '\n';
    }
    oct_world *world;
    oct_error error;
    assert_int_equal(decode(text, strlen(text), &world, &error), OCT_ERROR_FORMAT);
    assert_null(world);
    if (error.line != line || error.column != column || strcmp(error.message, message) != 0) {
        fail_msg("%s\nshould be refused at %u:%u: %s\nbut is at          %u:%u: %s", text, line,
                 column, message, error.line, error.column, error.message);
    }
    assert_int_equal(oct_world_decode(text, strlen(text), NULL, &world, NULL, NULL),
                     OCT_ERROR_FORMAT);
}

typedef struct refusal {
    const char *text;
    const char *place; // as above; of words that jansson refuses, the last character
    const char *message;
} refusal;

static inline void refuse_all(const refusal *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_refused(cases[i].text, cases[i].place, cases[i].message);
    }
}

// For test_each_failure; `ctx` is the text.
static inline oct_result decode_with(const oct_allocator *allocator, void *ctx)
{
    oct_world *world;
    oct_error error = {.line = 0};
    const oct_result result = oct_world_decode(ctx, strlen(ctx), allocator, &world, NULL, &error);
    assert_int_equal(result == OCT_OK, world != NULL);
    assert_true(result == OCT_OK || error.message[0]);
    oct_world_destroy(world);
    return result;
}

#endif
