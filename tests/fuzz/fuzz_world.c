// SPDX-License-Identifier: MIT
// Fuzzes the reader of worlds: ours, and those of Space Engineers. What is accepted must come back
// the same when written and read.
#include "files/files_internal.h"
#include "files/world_sbs.h"
#include "fuzz.h"

static oct_array encode(const oct_world *world)
{
    oct_array out = {0};
    FUZZ_CHECK(oct_world_encode(world, fuzz_append, &out) == OCT_OK);
    return out;
}

// Written bytes hold everything; of what is made from them, the boxes are compared, and that
// everything is in its range.
static void check_blocks(const oct_world *world, const oct_world *again)
{
    FUZZ_CHECK(oct_world_blocks(again) == oct_world_blocks(world));
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        const oct_world_block a = oct_world_get(world, i), b = oct_world_get(again, i);
        FUZZ_CHECK(memcmp(&a.box, &b.box, sizeof a.box) == 0);
        FUZZ_CHECK(a.type < oct_world_types(world) && a.label <= OCT_BLOCKED);
        FUZZ_CHECK(!a.placed || a.grid < oct_world_grids(world));
        FUZZ_CHECK(a.placed == b.placed && a.grid == b.grid && a.label == b.label);
        FUZZ_CHECK(a.forward == b.forward && a.up == b.up);
        FUZZ_CHECK(memcmp(&a.cell, &b.cell, sizeof a.cell) == 0);
        FUZZ_CHECK(a.damage == b.damage && a.delay == b.delay);
    }
}

static void check_parts(const oct_world *world, const oct_world *again)
{
    FUZZ_CHECK(oct_world_grids(again) == oct_world_grids(world));
    FUZZ_CHECK(oct_world_wires(again) == oct_world_wires(world));
    FUZZ_CHECK(oct_world_members(again) == oct_world_members(world));
    for (uint32_t i = 0; i < oct_world_grids(world); i++) {
        const oct_world_grid a = oct_world_get_grid(world, i), b = oct_world_get_grid(again, i);
        FUZZ_CHECK(memcmp(&a.pose, &b.pose, sizeof a.pose) == 0);
        FUZZ_CHECK(a.id == b.id && a.cell == b.cell && a.cell > 0.0 && a.range == b.range);
    }
    for (size_t i = 0; i < oct_world_wires(world); i++) {
        const oct_world_wire a = oct_world_get_wire(world, i), b = oct_world_get_wire(again, i);
        FUZZ_CHECK(a.from == b.from && a.to == b.to && a.slot == b.slot && a.action == b.action);
        FUZZ_CHECK(a.action < OCT_WIRE_COUNT && strcmp(a.group, b.group) == 0);
    }
    for (uint32_t i = 0; i < OCT_TOOLBAR_PAGES * OCT_TOOLBAR_SLOTS; i++) {
        const oct_item a = oct_world_item(world, i / OCT_TOOLBAR_SLOTS, i % OCT_TOOLBAR_SLOTS);
        const oct_item b = oct_world_item(again, i / OCT_TOOLBAR_SLOTS, i % OCT_TOOLBAR_SLOTS);
        FUZZ_CHECK(a.kind == b.kind && a.type == b.type);
    }
    const oct_world_rules a = oct_world_rules_of(world), b = oct_world_rules_of(again);
    FUZZ_CHECK(a.speed == b.speed && a.view == b.view && a.sight == b.sight && a.jump == b.jump);
}

static void check_again(const oct_world *world)
{
    oct_array bytes = encode(world);
    oct_world *again;
    const char *kind;
    oct_error error;
    FUZZ_CHECK(oct_world_decode(bytes.items, bytes.count, NULL, &again, &kind, &error) == OCT_OK);
    FUZZ_CHECK(strcmp(kind, "octant-world") == 0);
    check_blocks(world, again);
    check_parts(world, again);
    oct_array again_bytes = encode(again);
    FUZZ_CHECK(bytes.count == again_bytes.count);
    FUZZ_CHECK(memcmp(bytes.items, again_bytes.items, bytes.count) == 0);
    fuzz_drop(&again_bytes);
    fuzz_drop(&bytes);
    oct_world_destroy(again);
}

// ---- checks ----

typedef struct told {
    size_t refusals;
    uint32_t first; // its line
    size_t size;    // of the file
} told;

static void on_problem(void *ctx, const oct_problem *problem)
{
    told *const t = ctx;
    FUZZ_CHECK(problem->text[0] && !strchr(problem->text, '\n'));
    FUZZ_CHECK(problem->line > 0 && problem->line <= t->size + 1);
    if (problem->kind == OCT_PROBLEM_FILE) {
        t->first = t->refusals++ == 0 ? problem->line : t->first;
    }
}

// A check reads what a reader reads, and tells first what the reader refuses.
static void check_told(const uint8_t *data, size_t size, oct_result expected, uint32_t line,
                       const oct_allocator *limited)
{
    told t = {.size = size};
    const oct_world_checking how = {
        .check = oct_world_check, .tell = on_problem, .ctx = &t, .allocator = limited};
    oct_world *world;
    oct_error error = {.line = 0};
    const oct_result result = oct_world_check_bytes(data, size, &how, &world, &error);
    FUZZ_CHECK(result == OCT_OK || result == OCT_ERROR_MEMORY);
    if (result == OCT_OK && expected != OCT_ERROR_MEMORY && !oct_save_is_meant(data, size)) {
        FUZZ_CHECK((expected == OCT_OK) == (t.refusals == 0));
        FUZZ_CHECK(expected == OCT_OK || size == 0 || t.first == line);
    }
    oct_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t used = 0;
    const oct_allocator limited = {fuzz_alloc, fuzz_free, &used};
    oct_world *world;
    oct_error error = {.line = 0};
    const oct_result result = oct_world_decode(data, size, &limited, &world, NULL, &error);
    if (result != OCT_OK) {
        FUZZ_CHECK(result == OCT_ERROR_FORMAT || result == OCT_ERROR_MEMORY);
        FUZZ_CHECK(!world);
        FUZZ_CHECK(error.message[0] != '\0');
        FUZZ_CHECK(error.offset <= size);
        FUZZ_CHECK(result != OCT_ERROR_FORMAT || size == 0 || error.line > 0);
    } else {
        check_again(world);
        oct_world_destroy(world);
    }
    check_told(data, size, result, error.line, &limited);
    FUZZ_CHECK(used == 0);
    return 0;
}
