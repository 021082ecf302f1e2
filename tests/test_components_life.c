// SPDX-License-Identifier: MIT
// How components follow the journal, what they cost, how they fail, and what is noticed.
#include "components_support.h"
#include "octant/components.h"
#include "octant/tree.h"
#include "valid.h"

// ---- journal ----

static void a_lost_journal_is_no_loss(void **state)
{
    (void)state;
    oct_tree_def def = oct_tree_def_default();
    def.journal = 3;
    oct_tree *tree;
    assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
    set_box(tree, (oct_box){{0, 0, 0}, {16, 16, 16}}, OCT_MARK_OPEN);
    oct_components *c = new_components(tree, OCT_UNKNOWN_BLOCKED);
    assert_int_equal(oct_components_measure(c).rebuilt, 1);
    for (int32_t i = 0; i < 3; i++) {
        set_box(tree, (oct_box){{0, 0, 4 * i + 2}, {16, 16, 4 * i + 3}}, OCT_MARK_BLOCKED);
    }
    update(c);
    assert_int_equal(oct_components_measure(c).rebuilt, 1);
    check(c, (oct_box){{-1, -1, -1}, {17, 17, 17}});
    assert_int_equal(window.count, 4);
    for (int32_t i = 0; i < 4; i++) {
        set_cell(tree, 3 * i, 5, 2, OCT_MARK_OPEN);
    }
    update(c);
    assert_int_equal(oct_components_measure(c).rebuilt, 2);
    check(c, (oct_box){{-1, -1, -1}, {17, 17, 17}});
    assert_int_equal(window.count, 3);
    oct_components_destroy(c);
    oct_tree_destroy(tree);
}

static void what_changes_nothing_costs_nothing(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    set_box(tree, (oct_box){{0, 0, 0}, {32, 32, 32}}, OCT_MARK_OPEN);
    set_box(tree, (oct_box){{5, 5, 5}, {9, 9, 9}}, OCT_MARK_SOLID);
    oct_components *c = new_components(tree, OCT_UNKNOWN_OPEN);
    update(c);
    assert_int_equal(oct_components_measure(c).visited, 0);
    // Seen or not, UNKNOWN or OPEN: as free as before.
    set_box(tree, (oct_box){{3, 3, 3}, {20, 20, 7}}, OCT_MARK_UNSEEN);
    set_box(tree, (oct_box){{3, 0, 3}, {4, 20, 30}}, OCT_MARK_KNOWN);
    assert_int_equal(oct_tree_shrink(tree), OCT_OK);
    update(c);
    assert_int_equal(oct_components_measure(c).visited, 0);
    assert_int_equal(oct_components_measure(c).rebuilt, 1);
    check(c, (oct_box){{-1, -1, -1}, {33, 33, 33}});
    oct_components_destroy(c);
    oct_tree_destroy(tree);
}

// ---- what it costs ----

// A large world of many pieces, and a room of ten cells in it that only lacks its last wall cell.
static oct_tree *world_with_room(oct_vec at)
{
    oct_tree *tree = model_new_tree(3, NULL);
    set_box(tree, (oct_box){{0, 0, 0}, {128, 128, 128}}, OCT_MARK_OPEN);
    for (int32_t z = 3; z < 128; z += 8) {
        for (int32_t y = 1; y < 128; y += 8) {
            for (int32_t x = 2; x < 128; x += 8) {
                set_cell(tree, x, y, z, OCT_MARK_BLOCKED);
            }
        }
    }
    set_box(tree, (oct_box){at, {at.x + 7, at.y + 4, at.z + 3}}, OCT_MARK_BLOCKED);
    set_box(tree, (oct_box){{at.x + 1, at.y + 1, at.z + 1}, {at.x + 6, at.y + 3, at.z + 2}},
            OCT_MARK_OPEN);
    set_cell(tree, at.x + 6, at.y + 1, at.z + 1, OCT_MARK_OPEN);
    return tree;
}

static void a_sealed_room_costs_its_own_size(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(5);
    for (int i = 0; i < 6; i++) {
        const oct_vec at = {oct_random_range(&random, 2, 100), oct_random_range(&random, 2, 100),
                            oct_random_range(&random, 2, 100)};
        oct_tree *tree = world_with_room(at);
        oct_components *c = new_components(tree, OCT_UNKNOWN_BLOCKED);
        const oct_vec inside = {at.x + 1, at.y + 2, at.z + 1}, outside = {127, 127, 127};
        assert_true(oct_components_measure(c).pieces > 20000);
        assert_true(oct_components_joined(c, inside, outside));
        set_cell(tree, at.x + 6, at.y + 1, at.z + 1, OCT_MARK_BLOCKED);
        update(c);
        assert_false(oct_components_joined(c, inside, outside));
        assert_int_equal(oct_components_measure(c).count, 2);
        // Ten cells have at most sixty faces; the world takes as many steps, and the edit a few.
        assert_in_range(oct_components_measure(c).visited, 1, 2 * 60 + 40);
        set_cell(tree, at.x + 6, at.y + 1, at.z + 1, OCT_MARK_OPEN);
        update(c);
        assert_true(oct_components_joined(c, inside, outside));
        assert_int_equal(oct_components_measure(c).count, 1);
        assert_in_range(oct_components_measure(c).visited, 1, 40);
        assert_int_equal(oct_components_measure(c).rebuilt, 1);
        assert_true(oct_components_is_valid(c));
        oct_components_destroy(c);
        oct_tree_destroy(tree);
    }
}

// A room beside a leaf with thousands of neighbours: these are not all looked at.
static void a_large_neighbour_does_not_count(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    set_box(tree, (oct_box){{0, 0, 0}, {256, 256, 256}}, OCT_MARK_OPEN);
    for (int32_t y = 0; y < 128; y += 4) {
        for (int32_t x = 0; x < 128; x += 4) {
            set_cell(tree, x, y, 129, OCT_MARK_BLOCKED); // above the leaf from 0 to 128
        }
    }
    set_box(tree, (oct_box){{60, 60, 128}, {63, 63, 131}}, OCT_MARK_BLOCKED);
    set_box(tree, (oct_box){{61, 61, 128}, {62, 62, 130}}, OCT_MARK_OPEN);
    oct_components *c = new_components(tree, OCT_UNKNOWN_BLOCKED);
    assert_true(oct_components_joined(c, (oct_vec){61, 61, 129}, (oct_vec){5, 5, 5}));
    set_cell(tree, 61, 61, 128, OCT_MARK_BLOCKED);
    update(c);
    assert_false(oct_components_joined(c, (oct_vec){61, 61, 129}, (oct_vec){5, 5, 5}));
    assert_in_range(oct_components_measure(c).visited, 1, 100);
    assert_true(oct_components_is_valid(c));
    oct_components_destroy(c);
    oct_tree_destroy(tree);
}

// ---- memory ----

// The same sequence of edits for all that follows.
static void random_wall(oct_tree *tree, oct_random *random)
{
    const oct_box all = {{0, 0, 0}, {24, 24, 24}};
    set_box(tree, random_box(random, 3, all),
            oct_random_below(random, 2) ? OCT_MARK_OPEN : OCT_MARK_BLOCKED);
}

// Creates components and has them follow; a refused allocation leaves them knowing nothing.
static oct_result follow_edits(const oct_allocator *allocator, void *ctx)
{
    (void)ctx;
    oct_random random = oct_random_seed(8);
    oct_tree *tree = model_new_tree(3, NULL);
    set_box(tree, (oct_box){{0, 0, 0}, {24, 24, 24}}, OCT_MARK_OPEN);
    oct_components_def def = oct_components_def_default();
    def.tree = tree;
    def.allocator = allocator;
    def.unknown = OCT_UNKNOWN_OPEN;
    oct_components *c;
    oct_result result = oct_components_create(&def, &c);
    assert_true((c != NULL) == (result == OCT_OK));
    for (int i = 0; i < 40 && result == OCT_OK; i++) {
        random_wall(tree, &random);
        const uint64_t before = oct_components_revision(c);
        const oct_box walls[2] = {random_box(&random, 3, (oct_box){{0, 0, 0}, {24, 24, 24}}),
                                  {{i / 4, 0, 0}, {i / 4 + 1, 24, 9}}};
        result = oct_components_set_walls(c, walls, (size_t)(i % 3));
        if (result != OCT_OK) {
            assert_int_equal(oct_components_set_walls(c, walls, (size_t)(i % 3)), OCT_OK);
            update(c);
            check(c, (oct_box){{-1, -1, -1}, {25, 25, 25}});
            break;
        }
        result = oct_components_update(c);
        if (result != OCT_OK) {
            assert_int_equal(oct_components_revision(c), before);
            assert_true(oct_components_joined(c, (oct_vec){0, 0, 0}, (oct_vec){99, 0, 0}));
            update(c);
            check(c, (oct_box){{-1, -1, -1}, {25, 25, 25}});
        }
    }
    oct_components_destroy(c);
    oct_tree_destroy(tree);
    return result;
}

static void every_refused_allocation_is_survived(void **state)
{
    (void)state;
    assert_true(test_each_failure(follow_edits, NULL) > 15);
}

static void a_warm_update_allocates_nothing(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_tree *tree = model_new_tree(3, NULL);
    oct_components_def def = oct_components_def_default();
    def.tree = tree;
    def.allocator = &memory.allocator;
    oct_components *c;
    set_box(tree, (oct_box){{0, 0, 0}, {24, 24, 24}}, OCT_MARK_OPEN);
    assert_int_equal(oct_components_create(&def, &c), OCT_OK);
    size_t allocations = 0;
    for (int round = 0; round < 2; round++) {
        oct_random random = oct_random_seed(77);
        allocations = memory.allocations;
        for (int i = 0; i < 300; i++) {
            random_wall(tree, &random);
            update(c);
        }
        // Back to where it began.
        set_box(tree, (oct_box){{0, 0, 0}, {24, 24, 24}}, OCT_MARK_OPEN);
        update(c);
        assert_int_equal(oct_components_measure(c).rebuilt, 1);
    }
    assert_int_equal(memory.allocations, allocations);
    assert_true(oct_components_measure(c).bytes >= memory.live_bytes);
    assert_true(oct_components_measure(c).bytes <= memory.live_bytes + 64);
    oct_components_destroy(c);
    oct_tree_destroy(tree);
    test_allocator_check_empty(&memory);
}

// Groups that were joined are used again: as many as components, and a few.
static void groups_do_not_pile_up(void **state)
{
    (void)state;
    oct_tree *tree = world_with_room((oct_vec){50, 50, 50});
    oct_components *c = new_components(tree, OCT_UNKNOWN_BLOCKED);
    oct_random random = oct_random_seed(2);
    for (int i = 0; i < 400; i++) {
        const oct_vec at = {oct_random_range(&random, 0, 119), oct_random_range(&random, 0, 119),
                            oct_random_range(&random, 0, 119)};
        set_box(tree, cube(3, at, 8), i % 2 ? OCT_MARK_OPEN : OCT_MARK_BLOCKED);
        update(c);
        const size_t used = c->groups.count - 1 - c->free_groups;
        assert_in_range(used, c->component_count, c->component_count + 40);
    }
    assert_true(oct_components_is_valid(c));
    oct_components_destroy(c);
    oct_tree_destroy(tree);
}

// However groups are joined, the way to the root stays short.
static void joined_groups_stay_shallow(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    for (int turned = 0; turned < 2; turned++) {
        oct_components *c = new_components(tree, OCT_UNKNOWN_BLOCKED);
        assert_int_equal(oct_groups_reserve(c, 1000), OCT_OK);
        uint32_t first = 0, root = 0;
        for (int i = 0; i < 1000; i++) {
            const uint32_t g = oct_group_new(c);
            group_hold(c, g);
            first = first ? first : g;
            root = !root ? g : turned ? oct_group_join(c, g, root) : oct_group_join(c, root, g);
        }
        int depth = 0;
        for (uint32_t g = first; space_groups(c)[g].parent < GROUP_ROOT; depth++) {
            g = space_groups(c)[g].parent;
        }
        assert_in_range(depth, 0, 2);
        assert_int_equal(oct_components_measure(c).count, 1);
        oct_components_destroy(c);
    }
    oct_tree_destroy(tree);
}

static void the_same_calls_give_the_same_numbers(void **state)
{
    (void)state;
    oct_tree *trees[2];
    oct_components *c[2];
    for (int i = 0; i < 2; i++) {
        oct_random random = oct_random_seed(12);
        trees[i] = model_new_tree(3, NULL);
        c[i] = new_components(trees[i], OCT_UNKNOWN_BLOCKED);
        for (int e = 0; e < 150; e++) {
            random_wall(trees[i], &random);
            update(c[i]);
        }
    }
    for (int32_t i = 0; i < 24 * 24 * 24; i++) {
        const oct_vec cell = {i % 24, i / 24 % 24, i / 576};
        assert_int_equal(oct_components_at(c[0], cell), oct_components_at(c[1], cell));
    }
    for (int i = 0; i < 2; i++) {
        oct_components_destroy(c[i]);
        oct_tree_destroy(trees[i]);
    }
}

// ---- what is refused, what is noticed ----

static void bad_definitions_are_refused(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    oct_components_def def = oct_components_def_default();
    oct_components *c = (oct_components *)tree;
    assert_int_equal(oct_components_create(&def, &c), OCT_ERROR_ARGUMENT);
    assert_null(c);
    def.tree = tree;
    def.unknown = (oct_unknown)3;
    assert_int_equal(oct_components_create(&def, &c), OCT_ERROR_ARGUMENT);
    def.unknown = OCT_UNKNOWN_OPEN;
    def.cookie = 0;
    assert_int_equal(oct_components_create(&def, &c), OCT_ERROR_ARGUMENT);
    oct_components_destroy(NULL);
    oct_tree_destroy(tree);
}

// Changes one number, sees that it is noticed, and puts it back.
static void expect_noticed(const oct_components *c, uint32_t *number, uint32_t wrong)
{
    const uint32_t right = *number;
    assert_true(oct_components_is_valid(c));
    *number = wrong;
    assert_false(oct_components_is_valid(c));
    *number = right;
}

static void what_is_broken_is_noticed(void **state)
{
    (void)state;
    oct_tree *tree = model_new_tree(3, NULL);
    set_box(tree, (oct_box){{0, 0, 0}, {32, 32, 32}}, OCT_MARK_OPEN);
    set_box(tree, (oct_box){{0, 0, 9}, {32, 32, 11}}, OCT_MARK_BLOCKED);
    oct_components *c = new_components(tree, OCT_UNKNOWN_BLOCKED);
    set_cell(tree, 3, 3, 10, OCT_MARK_OPEN);
    set_cell(tree, 3, 7, 9, OCT_MARK_OPEN);
    update(c);
    int level;
    const uint32_t slot = oct_space_slot(c, (rel){3, 3, 20}, &level);
    const uint32_t below = oct_space_slot(c, (rel){3, 3, 3}, &level);
    const uint32_t walled = oct_space_slot(c, (rel){3, 3, 9}, &level);
    uint32_t *words = space_words(c), *parents = space_parents(c);
    piece *p = &space_pieces(c)[space_value(words[walled])];
    expect_noticed(c, &words[slot], words[below]);
    expect_noticed(c, &words[slot], SPACE_BLOCKED);
    expect_noticed(c, &parents[slot >> 3], parents[slot >> 3] ^ 1u);
    expect_noticed(c, &p->group, p->group == 1 ? 2 : 1);
    expect_noticed(c, &p->next, 0);
    expect_noticed(c, &space_groups(c)[1].refs, space_groups(c)[1].refs + 1);
    expect_noticed(c, &c->free_pieces, c->free_pieces + 1);
    expect_noticed(c, &c->free_blocks, c->free_blocks + 1);
    expect_noticed(c, &c->free_groups, c->free_groups + 1);
    p->cells ^= 1u << 5;
    assert_false(oct_components_is_valid(c));
    p->cells ^= 1u << 5;
    c->piece_count++;
    assert_false(oct_components_is_valid(c));
    c->piece_count--;
    // Behind the map nothing can be compared with it; at its revision everything is.
    c->root_min.x += 8;
    assert_false(oct_components_is_valid(c));
    c->root_min.x -= 8;
    assert_true(oct_components_is_valid(c));
    oct_components_destroy(c);
    oct_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lost_journal_is_no_loss),
        cmocka_unit_test(what_changes_nothing_costs_nothing),
        cmocka_unit_test(a_sealed_room_costs_its_own_size),
        cmocka_unit_test(a_large_neighbour_does_not_count),
        cmocka_unit_test(every_refused_allocation_is_survived),
        cmocka_unit_test(a_warm_update_allocates_nothing),
        cmocka_unit_test(groups_do_not_pile_up),
        cmocka_unit_test(joined_groups_stay_shallow),
        cmocka_unit_test(the_same_calls_give_the_same_numbers),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(what_is_broken_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
