// SPDX-License-Identifier: MIT
// Map formats, a puzzle played to its verdict and the reports about it have the same bits, whatever
// machine, compiler and optimisation made them.
#include "octant/formats.h"
#include "octant/generate.h"
#include "octant/generate_puzzle.h"
#include "octant/report.h"
#include "octant/tree.h"
#include "support.h"

#include <inttypes.h>
#include <stdio.h>

static bool mix_bytes(void *ctx, const void *data, size_t size)
{
    uint64_t *const hash = ctx;
    *hash = test_hash_add(*hash, data, size, 1);
    return true;
}

// Counts what is not as it was, so that one run names all.
static int differs(const char *what, uint64_t hash, uint64_t golden)
{
    if (hash != golden) {
        print_error("%s: 0x%016" PRIx64 "\n", what, hash);
    }
    return hash != golden;
}

// ---- maps ----

static uint64_t hash_of_format(oct_format format)
{
    oct_generate_def def = oct_generate_def_default();
    def.kind = OCT_GENERATE_CLUSTERS;
    def.size = 24;
    def.dims = format == OCT_FORMAT_MAP ? 2 : 3;
    oct_tree_def tree_def = oct_tree_def_default();
    tree_def.cell_size = 0.35;
    oct_tree *tree;
    oct_tree_info info = oct_tree_info_default();
    assert_int_equal(oct_tree_generate(&def, &tree_def, &tree, NULL), OCT_OK);
    info.box = (oct_box){{0, 0, 0}, {24, 24, 24}};
    uint64_t hash = TEST_HASH_START;
    assert_int_equal(oct_tree_write(format, tree, &info, mix_bytes, &hash, NULL), OCT_OK);
    oct_tree_destroy(tree);
    return hash;
}

static void map_files_have_the_bytes_they_always_had(void **state)
{
    (void)state;
    static const uint64_t golden[OCT_FORMAT_COUNT] = {
        [OCT_FORMAT_3DMAP] = UINT64_C(0x2f94da311e15e9cd),
        [OCT_FORMAT_MAP] = UINT64_C(0xb5497d3942a804f0),
        [OCT_FORMAT_BT] = UINT64_C(0xfc21c3bc03d93074),
        [OCT_FORMAT_TREE] = UINT64_C(0x1397b1ca0d67beae),
    };
    int wrong = 0;
    for (oct_format format = 0; format < OCT_FORMAT_COUNT; format++) {
        char what[32];
        snprintf(what, sizeof what, "format %d", (int)format);
        wrong += differs(what, hash_of_format(format), golden[format]);
    }
    assert_int_equal(wrong, 0);
}

// ---- a test ----

typedef struct played {
    uint64_t trace, text, junit; // hashes
    oct_play_result result;
} played;

static oct_result make_puzzle(void *ctx, const oct_allocator *allocator, oct_world **out,
                              oct_error *error)
{
    (void)error;
    return oct_puzzle_generate(ctx, allocator, out, NULL);
}

static oct_result reach_target(void *ctx, oct_agent *agent, oct_goal **goal)
{
    (void)agent;
    const oct_pick target = {.by_id = true, .id = *(const uint64_t *)ctx};
    *goal = oct_goal_smart_close_to_block(NULL, &target, OCT_SIDE_ANY, 0.0);
    return OCT_OK;
}

// Its game runs on while the agent thinks, so that delays are drawn too.
static void play(oct_puzzle_def *puzzle, played *out)
{
    oct_puzzle_truth truth;
    oct_world *world;
    assert_int_equal(oct_puzzle_generate(puzzle, NULL, &world, &truth), OCT_OK);
    oct_world_destroy(world);
    oct_test_agent agent = oct_test_agent_default();
    agent.begin = reach_target;
    agent.ctx = &truth.target;
    oct_test_def def = oct_test_def_default();
    def.load = make_puzzle;
    def.ctx = puzzle;
    def.agents = &agent;
    def.agent_count = 1;
    def.delay_min = 1;
    def.delay_max = 20;
    oct_report_test test = {.file = "test.c", .name = "a puzzle", .world = ""};
    oct_trace *trace;
    *out = (played){.trace = TEST_HASH_START, .text = TEST_HASH_START, .junit = TEST_HASH_START};
    assert_int_equal(oct_trace_create(&test, mix_bytes, &out->trace, NULL, &trace), OCT_OK);
    const oct_play_watch watch = oct_trace_watch(trace);
    const oct_play_options options = {.watches = &watch, .watch_count = 1};
    assert_int_equal(oct_play_test(&def, &options, &test.result), OCT_OK);
    assert_int_equal(oct_trace_end(trace), OCT_OK);
    oct_trace_destroy(trace);
    const oct_report_run run = {.tests = &test, .count = 1, .threads = 1};
    assert_int_equal(oct_report_text(&run, mix_bytes, &out->text), OCT_OK);
    assert_int_equal(oct_report_junit(&run, mix_bytes, &out->junit), OCT_OK);
    out->result = test.result;
}

static void a_played_puzzle_has_the_bits_it_always_had(void **state)
{
    (void)state;
    oct_puzzle_def puzzle = oct_puzzle_def_default();
    puzzle.rooms = 3;
    puzzle.seed = 2;
    played p;
    play(&puzzle, &p);
    int wrong = differs("turns", p.result.turns, 141);
    wrong += differs("game", p.result.hash, UINT64_C(0x67a1f170d4d92464));
    wrong += differs("trace", p.trace, UINT64_C(0x2a0e6a50d0aa574c));
    wrong += differs("text", p.text, UINT64_C(0xa15c496dc994d9f4));
    wrong += differs("junit", p.junit, UINT64_C(0x8a19dfb71c462697));
    assert_int_equal(p.result.verdict, OCT_VERDICT_PASS);
    oct_play_result_free(&p.result);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map_files_have_the_bytes_they_always_had),
        cmocka_unit_test(a_played_puzzle_has_the_bits_it_always_had),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
