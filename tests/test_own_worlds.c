// SPDX-License-Identifier: MIT
// Our own worlds (worlds/*.json): sound, sealed, and solved by the presses that they are made for
// and by nothing shorter.
#include "own_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PASSAGE 2.5
#define BYTES_MAX 1000000

// All of them, opened once: maps of large worlds take their time.
static own_scene scenes[WORLDS];

static int open_all(void **state)
{
    (void)state;
    for (int i = 0; i < WORLDS; i++) {
        own_open(&own_worlds[i], &scenes[i]);
    }
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    for (int i = 0; i < WORLDS; i++) {
        own_close(&scenes[i]);
    }
    return 0;
}

// ---- blocks in truth: boxes turned as their grid ----

typedef struct solid {
    oct_bounds box; // around it
    oct_point centre, axes[3];
    double half[3];
    uint32_t grid;
} solid;

static solid solid_of(const oct_world *world, size_t index)
{
    const oct_world_block block = oct_world_get(world, index);
    const oct_world_grid grid = oct_world_get_grid(world, block.grid);
    const oct_vec span = oct_world_span(world, &block);
    const oct_point f = grid.pose.forward, back = {-f.x, -f.y, -f.z};
    solid s = {.box = block.box,
               .centre = grid.pose.position,
               .axes = {cross(f, grid.pose.up), grid.pose.up, back},
               .half = {span.x * grid.cell / 2, span.y * grid.cell / 2, span.z * grid.cell / 2},
               .grid = block.grid};
    const double at[3] = {block.cell.x + (span.x - 1) / 2.0, block.cell.y + (span.y - 1) / 2.0,
                          block.cell.z + (span.z - 1) / 2.0};
    for (int i = 0; i < 3; i++) {
        s.centre = plus(s.centre, s.axes[i], at[i] * grid.cell);
    }
    return s;
}

static double reach_along(const solid *s, oct_point axis)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += s->half[i] * fabs(dot(s->axes[i], axis));
    }
    return sum;
}

static bool parts(const solid *a, const solid *b, oct_point axis)
{
    const double length = sqrt(dot(axis, axis));
    const oct_point off = plus(b->centre, a->centre, -1.0);
    return length > 1e-6 &&
           fabs(dot(off, axis)) >= reach_along(a, axis) + reach_along(b, axis) - 1e-6 * length;
}

// By the axes of both and what is at right angles to one of each.
static bool are_apart(const solid *a, const solid *b)
{
    for (int i = 0; i < 3; i++) {
        if (parts(a, b, a->axes[i]) || parts(a, b, b->axes[i])) {
            return true;
        }
        for (int j = 0; j < 3; j++) {
            if (parts(a, b, cross(a->axes[i], b->axes[j]))) {
                return true;
            }
        }
    }
    return false;
}

static bool boxes_touch(oct_bounds a, oct_bounds b)
{
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y &&
           a.min.z < b.max.z && b.min.z < a.max.z;
}

static int by_left(const void *a, const void *b)
{
    const double x = ((const solid *)a)->box.min.x, y = ((const solid *)b)->box.min.x;
    return (x > y) - (x < y);
}

// ---- every world ----

static void worlds_say_what_they_need(void **state)
{
    (void)state;
    for (int i = 0; i < WORLDS; i++) {
        const oct_world *world = scenes[i].world;
        oct_bounds bounds;
        oct_pose start;
        assert_true(oct_world_name(world)[0] && oct_world_start(world, &start));
        assert_true(oct_world_bounds(world, &bounds));
        assert_true(oct_world_passage(world) == PASSAGE);
        assert_int_equal(oct_world_rules_of(world).sight, OCT_SIGHT_LINE);
        const oct_bounds extent = oct_world_extent(world); // with blocks that the bounds leave out
        assert_true(
            fabs(extent.min.x - bounds.min.x) < 1e-6 && fabs(extent.max.x - bounds.max.x) < 1e-6 &&
            fabs(extent.min.y - bounds.min.y) < 1e-6 && fabs(extent.max.y - bounds.max.y) < 1e-6 &&
            fabs(extent.min.z - bounds.min.z) < 1e-6 && fabs(extent.max.z - bounds.max.z) < 1e-6);
        assert_int_equal(oct_world_blocks(world), own_worlds[i].blocks);
        assert_int_equal(oct_world_grids(world), own_worlds[i].grids);
        char path[512];
        size_t size;
        snprintf(path, sizeof path, "%s/worlds/%s.json", OCT_SOURCE_DIR, own_worlds[i].file);
        free(test_read_file(path, &size));
        assert_in_range(size, 1, BYTES_MAX);
    }
}

// The page about them says what they are.
static void the_page_has_their_figures(void **state)
{
    (void)state;
    size_t size;
    char *const page = test_read_file(OCT_SOURCE_DIR "/docs/testers/worlds-of-our-own.md", &size);
    char *const text = test_calloc(size + 1, 1);
    memcpy(text, page, size);
    free(page);
    for (int i = 0; i < WORLDS; i++) {
        const own_world *own = &own_worlds[i];
        char row[160], blocks[32];
        snprintf(row, sizeof row, "| `%s` |", own->file);
        const char *const begins = strstr(text, row);
        assert_non_null(begins);
        snprintf(row, sizeof row, "%.*s", (int)strcspn(begins, "\n"), begins);
        if (own->blocks < 1000) {
            snprintf(blocks, sizeof blocks, "%zu", own->blocks);
        } else {
            snprintf(blocks, sizeof blocks, "%zu %03zu", own->blocks / 1000, own->blocks % 1000);
        }
        char figures[96];
        snprintf(figures, sizeof figures, "| %s | %zu | %u | %u |", blocks, own->grids, own->doors,
                 own->panels);
        assert_non_null(strstr(row, figures));
    }
    test_free(text);
}

static void blocks_do_not_overlap(void **state)
{
    (void)state;
    for (int i = 0; i < WORLDS; i++) {
        const oct_world *world = scenes[i].world;
        const size_t count = oct_world_blocks(world);
        solid *solids = test_calloc(count, sizeof *solids);
        for (size_t k = 0; k < count; k++) {
            assert_true(oct_world_get(world, k).placed);
            solids[k] = solid_of(world, k);
        }
        qsort(solids, count, sizeof *solids, by_left);
        for (size_t a = 0; a < count; a++) {
            for (size_t b = a + 1; b < count && solids[b].box.min.x < solids[a].box.max.x; b++) {
                if (boxes_touch(solids[a].box, solids[b].box) &&
                    !are_apart(&solids[a], &solids[b])) {
                    fail_msg("%s: blocks overlap at %g %g %g, grids %u and %u", own_worlds[i].file,
                             solids[a].centre.x, solids[a].centre.y, solids[a].centre.z,
                             solids[a].grid, solids[b].grid);
                }
            }
        }
        test_free(solids);
    }
}

static bool is_used(const oct_world *world, const oct_world_block *block)
{
    for (size_t i = 0; i < oct_world_wires(world); i++) {
        const oct_world_wire wire = oct_world_get_wire(world, i);
        if (!wire.group[0] && wire.to == block->id) {
            return true;
        }
        for (size_t k = 0; k < oct_world_members(world); k++) {
            const oct_world_member member = oct_world_get_member(world, k);
            if (member.block == block->id && strcmp(member.group, wire.group) == 0) {
                return true;
            }
        }
    }
    return false;
}

// Whether something can be done to a block: doors are moved, timers started.
static bool takes(const oct_world *world, uint64_t id, uint8_t action)
{
    size_t index;
    if (!oct_world_find(world, id, &index)) {
        return false;
    }
    const oct_world_block block = oct_world_get(world, index);
    const bool is_of_timers = action == OCT_WIRE_START || action == OCT_WIRE_STOP;
    return own_kind(world, &block) == (is_of_timers ? OCT_KIND_TIMER : OCT_KIND_DOOR);
}

static void check_wire(const oct_world *world, oct_world_wire wire)
{
    size_t from;
    assert_true(oct_world_find(world, wire.from, &from));
    const oct_world_block block = oct_world_get(world, from);
    assert_true(own_kind(world, &block) == OCT_KIND_TIMER ||
                (own_kind(world, &block) == OCT_KIND_PANEL &&
                 wire.slot < oct_world_get_type(world, block.type).buttons));
    assert_in_range(wire.action, 0, OCT_WIRE_OTHER - 1);
    size_t leads = !wire.group[0] && takes(world, wire.to, wire.action);
    for (size_t i = 0; wire.group[0] && i < oct_world_members(world); i++) {
        const oct_world_member member = oct_world_get_member(world, i);
        if (strcmp(member.group, wire.group) == 0 && member.grid == block.grid) {
            assert_true(takes(world, member.block, wire.action));
            leads++;
        }
    }
    assert_true(leads > 0);
}

static void wires_lead_somewhere(void **state)
{
    (void)state;
    for (int i = 0; i < WORLDS; i++) {
        const oct_world *world = scenes[i].world;
        for (size_t k = 0; k < oct_world_wires(world); k++) {
            check_wire(world, oct_world_get_wire(world, k));
        }
        for (size_t k = 0; k < oct_world_blocks(world); k++) {
            const oct_world_block block = oct_world_get(world, k);
            const oct_kind kind = own_kind(world, &block);
            assert_true(kind == OCT_KIND_SOLID || own_named(world, block.name).id == block.id);
            assert_true((kind != OCT_KIND_DOOR && kind != OCT_KIND_TIMER) ||
                        is_used(world, &block));
        }
    }
}

static void check_reached(const own_world *own, const own_scene *s, oct_point here, int stage)
{
    char found[PANELS_MAX + 3];
    size_t length = 0;
    for (uint32_t i = 0; i < s->panel_count; i++) {
        found[length++] = own_gets_to(s, here, &s->panels[i]) ? '1' : '0';
    }
    found[length++] = ' ';
    found[length++] = own_gets_to(s, here, &s->target) ? '1' : '0';
    found[length] = '\0';
    if (strcmp(found, own->reached[stage]) != 0) {
        fail_msg("%s: '%s', not '%s', after %d presses", own->file, found, own->reached[stage],
                 stage);
    }
}

// The fewest presses that let one get to the target, and in how many ways.
typedef struct solved {
    int presses; // -1 for never
    uint32_t ways;
} solved;

enum { NODES_MAX = (1 << DOORS_MAX) * (PANELS_MAX + 1) };

typedef struct node {
    oct_point here;
    uint64_t panel; // where one is; 0 at the start
    uint32_t bits, ways;
    int presses;
} node;

static void reach_node(node *nodes, size_t *count, node next)
{
    for (size_t i = 0; i < *count; i++) {
        if (nodes[i].panel == next.panel && nodes[i].bits == next.bits) {
            nodes[i].ways += nodes[i].presses == next.presses ? next.ways : 0;
            return;
        }
    }
    assert_true(*count < NODES_MAX);
    nodes[(*count)++] = next;
}

// Every state of the doors, and where one is, in the order of presses. Whatever changes nothing is
// left out.
static solved solve(own_scene *s)
{
    node *nodes = test_calloc(NODES_MAX, sizeof *nodes);
    size_t count = 0;
    solved found = {-1, 0};
    reach_node(nodes, &count, (node){.here = s->start, .bits = own_doors(s), .ways = 1});
    for (size_t i = 0; i < count && (found.presses < 0 || nodes[i].presses <= found.presses); i++) {
        const node at = nodes[i];
        own_set_doors(s, at.bits);
        if (own_gets_to(s, at.here, &s->target)) {
            found = (solved){at.presses, found.ways + at.ways};
            continue;
        }
        for (uint32_t k = 0; k < s->panel_count; k++) {
            const own_place *panel = &s->panels[k];
            for (uint32_t button = 0; own_gets_to(s, at.here, panel) && button < 4; button++) {
                const uint32_t bits = own_follow(s, panel->id, button, false, at.bits);
                if (bits != at.bits) {
                    reach_node(nodes, &count,
                               (node){panel->at, panel->id, bits, at.ways, at.presses + 1});
                }
            }
        }
    }
    test_free(nodes);
    return found;
}

// From the start exactly the right places can be reached, after each press of the solution too; and
// nothing shorter leads to the target.
static void each_press_opens_what_it_should(void **state)
{
    (void)state;
    for (int i = 0; i < WORLDS; i++) {
        const own_world *own = &own_worlds[i];
        own_scene *s = &scenes[i];
        own_set_doors(s, 0);
        assert_true(own_component(s, s->start) != 0); // there is room for a body
        oct_point here = s->start;
        check_reached(own, s, here, 0);
        for (int k = 0; k < own->presses; k++) {
            const own_place *panel = own_panel(s, own->solution[k].panel);
            assert_true(own_gets_to(s, here, panel));
            here = panel->at;
            own_set_doors(s,
                          own_follow(s, panel->id, own->solution[k].button, false, own_doors(s)));
            check_reached(own, s, here, k + 1);
        }
        own_set_doors(s, 0);
        const solved found = solve(s);
        assert_int_equal(found.presses, own->presses);
        assert_int_equal(found.ways, own->ways);
    }
}

static void nobody_gets_out(void **state)
{
    (void)state;
    for (int i = 0; i < WORLDS; i++) {
        own_scene *s = &scenes[i];
        own_set_doors(s, (UINT32_C(1) << s->door_count) - 1);
        oct_bounds bounds;
        assert_true(oct_world_bounds(s->world, &bounds));
        const oct_point outside = plus(bounds.min, (oct_point){1, 1, 1}, -OWN_MARGIN / 2);
        assert_true(own_component(s, outside) != 0);
        assert_false(own_joined(s, s->start, outside));
        assert_true(own_joined(s, s->start, s->target.at));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_say_what_they_need),
        cmocka_unit_test(the_page_has_their_figures),
        cmocka_unit_test(blocks_do_not_overlap),
        cmocka_unit_test(wires_lead_somewhere),
        cmocka_unit_test(each_press_opens_what_it_should),
        cmocka_unit_test(nobody_gets_out),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
