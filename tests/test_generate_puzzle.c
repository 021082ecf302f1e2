// SPDX-License-Identifier: MIT
// Puzzles: what the generator says of them is worked out anew from the world alone, cell by cell.
#include "game/block_probe.h"
#include "puzzle_oracle.h"
#include "world_support.h"

#include "generate/puzzle.h"
#include "octant/block_world.h"

enum { SEEDS = 400 };

static oct_puzzle_def def_of(uint64_t seed, bool unsolvable, oct_puzzle_why why)
{
    oct_puzzle_def def = oct_puzzle_def_default();
    def.seed = seed;
    def.unsolvable = unsolvable;
    def.why = why;
    return def;
}

static oct_world *generate(const oct_puzzle_def *def, oct_puzzle_truth *truth)
{
    oct_world *world;
    const oct_result result = oct_puzzle_generate(def, NULL, &world, truth);
    if (result != OCT_OK) {
        fail_msg("seed %llu: %s", (unsigned long long)def->seed, oct_result_text(result));
    }
    return world;
}

// ---- what a world looks like ----

static void check_truth(const puzzle_scene *s, const oct_puzzle_truth *truth)
{
    assert_int_equal(truth->doors, s->doors);
    assert_int_equal(truth->buttons, s->button_count);
    assert_int_equal(truth->open, s->open);
    assert_int_equal(truth->solvable, truth->why == OCT_PUZZLE_SOLVABLE);
    assert_int_equal(truth->solvable, truth->presses > 0);
    uint32_t delayed = 0;
    for (uint32_t i = 0; i < s->doors; i++) {
        assert_int_equal(truth->door[i], s->door_ids[i]);
    }
    for (uint32_t i = 0; i < s->button_count; i++) {
        const oct_puzzle_button *b = &truth->button[i];
        assert_int_equal(b->panel, s->buttons[i].panel);
        assert_int_equal(b->number, s->buttons[i].number);
        assert_int_equal(b->toggles, s->buttons[i].toggles);
        assert_true(b->delay == s->buttons[i].delay);
        assert_true(b->reachable || b->learnable == 0);
        uint32_t toggles = 0;
        for (uint32_t d = 0; d < s->doors; d++) {
            toggles += b->toggles >> d & 1;
        }
        assert_in_range(toggles, 0, 3);
        delayed += b->delay > 0.0;
    }
    assert_int_equal(delayed, s->timers);
}

// Free cells in the six directions of a cell, as bits.
static uint32_t free_around(const puzzle_scene *s, int cell)
{
    int next[6];
    uint32_t bits = 0;
    puzzle_neighbours(s, cell, next);
    for (int i = 0; i < 6; i++) {
        bits |= (uint32_t)(s->kind[next[i]] == PUZZLE_FREE) << i;
    }
    return bits;
}

static void check_house(const puzzle_scene *s)
{
    bool reached[PUZZLE_CELLS] = {false};
    for (int i = 0; i < s->cells; i++) {
        const int x = i % s->nx, y = i / s->nx % s->ny, z = i / s->nx / s->ny;
        if (x == 0 || y == 0 || z == 0 || x == s->nx - 1 || y == s->ny - 1 || z == s->nz - 1) {
            assert_int_equal(s->kind[i], PUZZLE_SOLID);
        }
    }
    for (uint32_t i = 0; i < s->doors; i++) {
        const uint32_t around = free_around(s, s->door_cells[i]);
        const int axis = s->door_axes[i];
        assert_int_equal(around, axis == 1 ? 3 : axis == s->nx ? 12 : 48);
    }
    for (uint32_t i = 0; i < s->button_count; i++) {
        const puzzle_button *b = &s->buttons[i];
        assert_int_equal(s->kind[b->front], PUZZLE_FREE);
        assert_int_equal(s->kind[2 * b->cell - b->front], PUZZLE_SOLID); // its back
        assert_int_equal(s->kind[b->cell - s->nx], PUZZLE_SOLID);        // the floor
        assert_int_equal(s->kind[b->cell + s->nx], PUZZLE_FREE);         // one flies over it
    }
    assert_int_equal(s->kind[s->target + s->nx], PUZZLE_FREE);
    // With all doors open free space falls apart only where a target is walled in.
    puzzle_flood(s, s->start, UINT32_MAX, reached);
    const bool whole = puzzle_beside(s, reached, s->target);
    for (int i = 0; i < s->cells; i++) {
        assert_true(reached[i] || !whole || s->kind[i] == PUZZLE_SOLID ||
                    s->kind[i] == PUZZLE_PANEL || s->kind[i] == PUZZLE_TARGET);
    }
}

static void each(uint64_t seed, bool unsolvable, oct_puzzle_why why)
{
    const oct_puzzle_def def = def_of(seed, unsolvable, why);
    oct_puzzle_truth truth;
    oct_world *world = generate(&def, &truth);
    puzzle_scene *s = puzzle_read(world);
    uint32_t pressed;
    check_truth(s, &truth);
    check_house(s);
    const int presses = puzzle_fewest_presses(s, &pressed);
    assert_int_equal(presses, truth.solvable ? (int)truth.presses : -1);
    assert_int_equal(puzzle_why_not(s), truth.why);
    assert_int_equal(truth.solvable, !unsolvable);
    assert_true(why == OCT_PUZZLE_SOLVABLE || truth.why == why);
    for (uint32_t i = 0; !truth.solvable && i < truth.buttons; i++) {
        assert_int_equal(truth.button[i].reachable, pressed >> i & 1);
    }
    test_free(s);
    oct_world_destroy(world);
}

static void an_oracle_finds_solvable_ones_solvable(void **state)
{
    (void)state;
    const uint64_t seeds = test_rounds(SEEDS);
    printf("seeds 1 to %llu\n", (unsigned long long)seeds);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        each(seed, false, OCT_PUZZLE_SOLVABLE);
    }
}

static void an_oracle_finds_unsolvable_ones_unsolvable(void **state)
{
    (void)state;
    const uint64_t seeds = test_rounds(SEEDS);
    printf("seeds 1 to %llu\n", (unsigned long long)seeds);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        each(seed, true, OCT_PUZZLE_SOLVABLE);
    }
    for (int why = OCT_PUZZLE_WALLED_IN; why <= OCT_PUZZLE_PARITY; why++) {
        for (uint64_t seed = 1; seed <= seeds / 4; seed++) {
            each(seed, true, (oct_puzzle_why)why);
        }
    }
}

// Start and button, door 0, a room, door 1, the target.
static puzzle small_trap(void)
{
    return (puzzle){.rooms = 4,
                    .ways = 3,
                    .doors = 3,
                    .buttons = 2,
                    .open = 1,
                    .way = {{0, 1, 0}, {1, 2, 1}, {0, 3, PUZZLE_NONE}},
                    .toggles = {3, 4},
                    .room_of = {3, 0}};
}

static bool is_small_trap(const puzzle *p, uint32_t far)
{
    const puzzle_pair pair = {1, 0, 1};
    return oct_puzzle_is_trap(p, &pair, far, 2);
}

// Without any one of what makes a trap it is none.
static void a_trap_is_one_for_many_reasons(void **state)
{
    (void)state;
    puzzle p = small_trap();
    assert_true(is_small_trap(&p, 1));
    p.open = 2; // the other way round
    assert_true(is_small_trap(&p, 1));
    p.toggles[0] = 7;
    assert_true(is_small_trap(&p, 3));

    p = small_trap();
    assert_false(is_small_trap(&p, 0)); // one slips in
    assert_false(is_small_trap(&p, 2)); // the wrong button is far
    p.open = 3;
    assert_false(is_small_trap(&p, 1));
    p.open = 0;
    assert_false(is_small_trap(&p, 1));
    p = small_trap();
    p.toggles[1] = 1; // doors are toggled one by one
    assert_false(is_small_trap(&p, 3));
    p.toggles[1] = 6;
    assert_false(is_small_trap(&p, 3));
    p.room_of[1] = 2; // behind the doors nobody gets to it
    assert_true(is_small_trap(&p, 1));
    p.room_of[1] = 1; // a button in the room, even one that does nothing
    p.toggles[1] = 0;
    assert_false(is_small_trap(&p, 3));
    p = small_trap();
    p.start = 1;
    assert_false(is_small_trap(&p, 1));
    p = small_trap();
    p.way[p.ways++] = (puzzle_way){1, 3, 2}; // another way out
    assert_false(is_small_trap(&p, 1));
    p.way[3] = (puzzle_way){3, 1, PUZZLE_NONE};
    assert_false(is_small_trap(&p, 1));
    p.way[3] = (puzzle_way){3, 2, PUZZLE_NONE}; // another way to the target
    assert_false(is_small_trap(&p, 1));
    p.way[3] = (puzzle_way){2, 3, 2}; // and one that the second button opens
    assert_false(is_small_trap(&p, 3));
    p.toggles[1] = 0;
    assert_true(is_small_trap(&p, 1));
}

// ---- links that can be learned ----

// Doors beside what was reached, after every combination of buttons that leads there: bit v of
// seen[d] is set where door d can be seen once the buttons of v were pressed an odd number of
// times.
static void sightings(const puzzle_scene *s, uint64_t seen[])
{
    bool *visited = calloc((size_t)s->cells << s->button_count, 1);
    puzzle_stack todo = {0};
    assert_non_null(visited);
    puzzle_push(&todo,
                (puzzle_node){0, s->start}); // buttons that were pressed an odd number of times
    while (todo.count > 0) {
        const puzzle_node at = todo.nodes[--todo.count];
        bool *mark = &visited[(size_t)at.state * (size_t)s->cells + (size_t)at.cell];
        if (*mark) {
            continue;
        }
        *mark = true;
        uint32_t open = s->open;
        for (uint32_t i = 0; i < s->button_count; i++) {
            open ^= at.state >> i & 1 ? s->buttons[i].toggles : 0;
            if (s->buttons[i].front == at.cell) {
                puzzle_push(&todo, (puzzle_node){at.state ^ 1u << i, at.cell});
            }
        }
        int next[6];
        puzzle_neighbours(s, at.cell, next);
        for (int i = 0; i < 6; i++) {
            if (s->kind[next[i]] >= PUZZLE_DOOR) {
                seen[s->kind[next[i]] - PUZZLE_DOOR] |= UINT64_C(1) << at.state;
            }
            if (puzzle_passable(s, next[i], open)) {
                puzzle_push(&todo, (puzzle_node){at.state, next[i]});
            }
        }
    }
    free(visited);
    free(todo.nodes);
}

static uint32_t parity(uint32_t bits)
{
    uint32_t odd = 0;
    for (; bits != 0; bits &= bits - 1) {
        odd ^= 1;
    }
    return odd;
}

// Whether links of a door that differ from the true ones in some button would have looked the same.
static bool could_differ(uint64_t seen, uint32_t buttons, uint32_t which)
{
    for (uint32_t off = 0; off < 1u << buttons; off++) {
        uint32_t looks = 0;
        for (uint32_t v = 0; v < 1u << buttons; v++) {
            looks |= (seen >> v & 1) ? 1u << parity(v & off) : 0;
        }
        if (looks != 3 && (off >> which & 1)) {
            return true;
        }
    }
    return false;
}

static void what_can_be_learned_is_what_no_other_links_explain(void **state)
{
    (void)state;
    const uint64_t seeds = test_rounds(SEEDS);
    uint32_t learnable = 0, hidden = 0;
    printf("seeds 1 to %llu\n", (unsigned long long)seeds);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        oct_puzzle_def def = def_of(seed, seed % 3 == 0, OCT_PUZZLE_SOLVABLE);
        def.buttons = 1 + (uint32_t)(seed % 6);
        oct_puzzle_truth truth;
        oct_world *world = generate(&def, &truth);
        puzzle_scene *s = puzzle_read(world);
        uint64_t seen[OCT_PUZZLE_DOORS_MAX] = {0};
        sightings(s, seen);
        for (uint32_t b = 0; b < truth.buttons; b++) {
            for (uint32_t d = 0; d < truth.doors; d++) {
                const bool can = !could_differ(seen[d], truth.buttons, b);
                assert_int_equal(truth.button[b].learnable >> d & 1, can);
                learnable += can;
                hidden += !can && truth.button[b].reachable && seen[d];
            }
        }
        test_free(s);
        oct_world_destroy(world);
    }
    // Both happen, also of buttons and doors that one gets to.
    assert_true(learnable > 10 && hidden > 10);
}

// ---- played ----

static oct_point middle_of(const puzzle_scene *s, int cell)
{
    return (oct_point){(cell % s->nx + 0.5) * 2.5, (cell / s->nx % s->ny + 0.5) * 2.5,
                       (cell / s->nx / s->ny + 0.5) * 2.5};
}

static oct_result put(oct_game *game, const puzzle_scene *s, int cell)
{
    oct_pose pose = {middle_of(s, cell), {0, 0, -1}, {0, 1, 0}};
    pose.position.y -= 0.9;
    return oct_block_world_teleport(game, 0, &pose, (oct_point){0, 0, 0});
}

static void press(oct_game *game, const puzzle_scene *s, uint32_t which)
{
    const oct_action action = {.verb = OCT_VERB_USE,
                               .ticks = 1,
                               .target = s->buttons[which].panel,
                               .button = s->buttons[which].number};
    oct_act came;
    assert_int_equal(put(game, s, s->buttons[which].front), OCT_OK);
    assert_int_equal(oct_game_act(game, 0, &action, &came), OCT_OK);
    assert_int_equal(came, OCT_ACT_DONE);
    assert_int_equal(oct_game_step(game, (uint32_t)(OCT_BLOCK_WORLD_RATE * 3.2)), OCT_OK);
}

static void check_doors(oct_game *game, const puzzle_scene *s, uint32_t open)
{
    for (uint32_t i = 0; i < s->doors; i++) {
        assert_int_equal(put(game, s, s->door_cells[i]), open >> i & 1 ? OCT_OK : OCT_ERROR_RANGE);
    }
}

// In the game the start has room, every button can be pressed from before its panel, and the
// solution opens a way from the start to the target.
static void puzzles_can_be_played(void **state)
{
    (void)state;
    const uint64_t seeds = test_rounds(160);
    printf("seeds 1 to %llu\n", (unsigned long long)seeds);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        const oct_puzzle_def def = def_of(seed, seed % 4 == 0, OCT_PUZZLE_SOLVABLE);
        oct_puzzle_truth truth;
        oct_world *world = generate(&def, &truth);
        puzzle_scene *s = puzzle_read(world);
        oct_game *game;
        assert_int_equal(oct_block_world_create(&(oct_block_world_def){world, NULL}, &game),
                         OCT_OK);
        assert_int_equal(oct_game_players(game), 1);
        oct_self self;
        oct_pose start;
        assert_true(oct_world_start(world, &start));
        assert_int_equal(oct_game_self(game, 0, &self), OCT_OK);
        assert_memory_equal(&self.pose.position, &start.position, sizeof start.position);
        assert_true(oct_block_world_clearance(game, 0, 1.0) > 0.3);
        assert_string_equal(oct_property_find(self.props, self.prop_count, "held")->text, "");
        assert_int_equal(oct_world_item(world, 0, 0).kind, OCT_ITEM_NONE);
        assert_int_equal(oct_world_item(world, 0, 1).kind, OCT_ITEM_NONE);

        uint32_t open = s->open;
        bool reached[PUZZLE_CELLS] = {false};
        check_doors(game, s, open);
        puzzle_flood(s, s->start, open, reached);
        for (uint32_t i = 0; i < truth.presses; i++) {
            const uint32_t which = truth.solution[i];
            assert_false(puzzle_beside(s, reached, s->target));
            assert_true(reached[s->buttons[which].front]);
            press(game, s, which);
            open ^= s->buttons[which].toggles;
            check_doors(game, s, open);
            memset(reached, 0, sizeof reached);
            puzzle_flood(s, s->buttons[which].front, open, reached);
        }
        assert_int_equal(puzzle_beside(s, reached, s->target), truth.solvable);
        for (uint32_t i = 0; i < truth.buttons; i++) {
            press(game, s, i);
            open ^= s->buttons[i].toggles;
            check_doors(game, s, open);
        }
        oct_game_destroy(game);
        test_free(s);
        oct_world_destroy(world);
    }
}

// ---- numbers ----

static void there_are_as_many_as_asked_for(void **state)
{
    (void)state;
    static const uint32_t asked[][3] = {{2, 1, 1},   {2, 2, 4},   {3, 4, 6},    {4, 6, 8},
                                        {12, 1, 1},  {12, 6, 8},  {12, 22, 24}, {13, 24, 24},
                                        {20, 12, 9}, {40, 24, 6}, {40, 3, 24},  {40, 24, 24}};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        for (int unsolvable = 0; unsolvable < 2; unsolvable++) {
            oct_puzzle_def def = def_of(i + 1, unsolvable, OCT_PUZZLE_SOLVABLE);
            def.rooms = asked[i][0];
            def.doors =
                asked[i][1] - (asked[i][1] == 2 * (def.rooms - 1) ? (uint32_t)unsolvable : 0);
            def.buttons = asked[i][2];
            oct_puzzle_truth truth;
            oct_world *world = generate(&def, &truth);
            puzzle_scene *s = puzzle_read(world);
            assert_int_equal(truth.rooms, def.rooms);
            assert_int_equal(truth.doors, def.doors);
            assert_int_equal(truth.buttons, def.buttons);
            check_truth(s, &truth);
            check_house(s);
            assert_int_equal(puzzle_why_not(s), truth.why);
            const oct_bounds extent = oct_world_extent(world);
            assert_true(def.rooms != 12 ||
                        (extent.max.x <= 40.0 && extent.max.y <= 20.0 && extent.max.z <= 40.0));
            test_free(s);
            oct_world_destroy(world);
        }
    }
}

static void so_many_presses_are_needed(void **state)
{
    (void)state;
    for (uint32_t presses = 1; presses <= 6; presses++) {
        oct_puzzle_def def = def_of(presses, false, OCT_PUZZLE_SOLVABLE);
        def.rooms = 12;
        def.doors = 10;
        def.buttons = 10;
        def.presses = presses;
        oct_puzzle_truth truth;
        oct_world *world = generate(&def, &truth);
        puzzle_scene *s = puzzle_read(world);
        uint32_t pressed;
        assert_true(truth.presses >= presses);
        assert_int_equal(puzzle_fewest_presses(s, &pressed), truth.presses);
        test_free(s);
        oct_world_destroy(world);
    }
}

// By default a bit of everything occurs.
static void puzzles_differ(void **state)
{
    (void)state;
    uint32_t whys[OCT_PUZZLE_WHY_COUNT] = {0}, presses[OCT_PUZZLE_PRESSES_MAX + 1] = {0};
    uint32_t hatches = 0, timers = 0, open = 0, idle = 0, twos = 0, floors = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        const oct_puzzle_def def = def_of(seed, seed % 2 == 0, OCT_PUZZLE_SOLVABLE);
        oct_puzzle_truth truth;
        oct_world *world = generate(&def, &truth);
        puzzle_scene *s = puzzle_read(world);
        whys[truth.why]++;
        presses[truth.presses]++;
        timers += s->timers > 0;
        open += s->open != 0;
        twos += s->panels < s->button_count;
        floors += s->ny > 4;
        for (uint32_t i = 0; i < s->doors; i++) {
            hatches += s->door_axes[i] == s->nx;
        }
        for (uint32_t i = 0; i < s->button_count; i++) {
            idle += s->buttons[i].toggles == 0;
        }
        assert_in_range(truth.rooms, 4, 12);
        test_free(s);
        oct_world_destroy(world);
    }
    for (int i = OCT_PUZZLE_WALLED_IN; i < OCT_PUZZLE_WHY_COUNT; i++) {
        assert_true(whys[i] >= 8);
    }
    assert_true(presses[1] >= 8 && presses[2] >= 8 && presses[3] >= 8 && presses[4] >= 1);
    assert_true(hatches > 20 && timers > 50 && open > 50 && idle > 50 && twos > 50 && floors > 50);
}

// ---- the same for all ----

static uint64_t hash_of(const oct_puzzle_def *def, oct_puzzle_truth *truth)
{
    oct_world *world = generate(def, truth);
    oct_array bytes = encoded(world);
    const uint64_t hash = oct_hash_bytes(bytes.items, bytes.count);
    drop(&bytes);
    oct_world_destroy(world);
    return hash;
}

// Of the file's bytes.
static void the_same_seed_makes_the_same_file(void **state)
{
    (void)state;
    static const uint64_t golden[OCT_PUZZLE_WHY_COUNT] = {
        UINT64_C(0xb5e8dec4eea8144f), UINT64_C(0xc3e3176742da9b64), UINT64_C(0x4e91b08f4f3a3786),
        UINT64_C(0xd46ac1d07cfb85a1), UINT64_C(0x0b008c23d11f1dd5),
    };
    bool same = true;
    for (int why = 0; why < OCT_PUZZLE_WHY_COUNT; why++) {
        oct_puzzle_def def = def_of(1, why != OCT_PUZZLE_SOLVABLE, (oct_puzzle_why)why);
        oct_puzzle_truth a, b;
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        const uint64_t hash = hash_of(&def, &a);
        assert_int_equal(hash, hash_of(&def, &b));
        assert_int_equal(a.presses, b.presses);
        if (hash != golden[why]) {
            print_message("%s: 0x%016llx\n", oct_puzzle_why_name(def.why),
                          (unsigned long long)hash);
            same = false;
        }
        def.seed = 2;
        assert_true(hash != hash_of(&def, NULL));
    }
    assert_true(same);
}

static void files_keep_puzzles_as_they_are(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(64); seed++) {
        const oct_puzzle_def def = def_of(seed, seed % 2 == 0, OCT_PUZZLE_SOLVABLE);
        oct_world *world = generate(&def, NULL), *again;
        oct_array bytes = encoded(world);
        oct_error error;
        assert_int_equal(decode(bytes.items, bytes.count, &again, &error), OCT_OK);
        assert_same_world(world, again);
        drop(&bytes);
        oct_world_destroy(again);
        oct_world_destroy(world);
    }
}

static void refuse(const oct_puzzle_def *def, oct_result expected)
{
    oct_world *world = (oct_world *)(uintptr_t)def; // anything but NULL
    assert_int_equal(oct_puzzle_generate(def, NULL, &world, NULL), expected);
    assert_null(world);
}

static void bad_definitions_are_refused(void **state)
{
    (void)state;
    const oct_puzzle_def usual = oct_puzzle_def_default();
    oct_puzzle_def def = usual;
    def.cookie = 0;
    refuse(&def, OCT_ERROR_ARGUMENT);
    def = def_of(1, true, OCT_PUZZLE_WHY_COUNT);
    refuse(&def, OCT_ERROR_ARGUMENT);
    def = def_of(1, false, OCT_PUZZLE_PARITY);
    refuse(&def, OCT_ERROR_ARGUMENT);
    def = def_of(1, true, OCT_PUZZLE_SOLVABLE);
    def.presses = 1;
    refuse(&def, OCT_ERROR_ARGUMENT);
    static const struct {
        uint32_t rooms, doors, buttons, presses;
        bool unsolvable;
        oct_puzzle_why why;
    } beyond[] = {
        {1, 1, 1, 0, false, OCT_PUZZLE_SOLVABLE},   {41, 1, 1, 0, false, OCT_PUZZLE_SOLVABLE},
        {40, 25, 1, 0, false, OCT_PUZZLE_SOLVABLE}, {40, 1, 25, 0, false, OCT_PUZZLE_SOLVABLE},
        {0, 0, 0, 33, false, OCT_PUZZLE_SOLVABLE},  {3, 5, 1, 0, false, OCT_PUZZLE_SOLVABLE},
        {3, 4, 1, 0, true, OCT_PUZZLE_SOLVABLE},    {3, 1, 7, 0, false, OCT_PUZZLE_SOLVABLE},
        {2, 1, 1, 2, false, OCT_PUZZLE_SOLVABLE}, // there is none
        {2, 1, 1, 0, true, OCT_PUZZLE_WALLED_IN}, // nor here
        {12, 1, 1, 0, true, OCT_PUZZLE_PARITY}};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        def = def_of(1, beyond[i].unsolvable, beyond[i].why);
        def.rooms = beyond[i].rooms;
        def.doors = beyond[i].doors;
        def.buttons = beyond[i].buttons;
        def.presses = beyond[i].presses;
        refuse(&def, OCT_ERROR_RANGE);
    }
}

static oct_result generate_once(const oct_allocator *allocator, void *ctx)
{
    oct_world *world;
    oct_puzzle_truth truth;
    const oct_result result = oct_puzzle_generate(ctx, allocator, &world, &truth);
    assert_int_equal(result == OCT_OK, world != NULL);
    oct_world_destroy(world);
    return result;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    for (int why = 0; why < OCT_PUZZLE_WHY_COUNT; why++) {
        oct_puzzle_def def = def_of(3, why != OCT_PUZZLE_SOLVABLE, (oct_puzzle_why)why);
        assert_true(test_each_failure(generate_once, &def) > 10);
    }
}

static void reasons_have_names(void **state)
{
    (void)state;
    assert_string_equal(oct_puzzle_why_name(OCT_PUZZLE_SOLVABLE), "solvable");
    assert_string_equal(oct_puzzle_why_name(OCT_PUZZLE_WALLED_IN), "walled-in");
    assert_string_equal(oct_puzzle_why_name(OCT_PUZZLE_NO_BUTTON), "no-button");
    assert_string_equal(oct_puzzle_why_name(OCT_PUZZLE_BUTTON_BEHIND), "button-behind");
    assert_string_equal(oct_puzzle_why_name(OCT_PUZZLE_PARITY), "parity");
    assert_null(oct_puzzle_why_name(OCT_PUZZLE_WHY_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_oracle_finds_solvable_ones_solvable),
        cmocka_unit_test(an_oracle_finds_unsolvable_ones_unsolvable),
        cmocka_unit_test(a_trap_is_one_for_many_reasons),
        cmocka_unit_test(what_can_be_learned_is_what_no_other_links_explain),
        cmocka_unit_test(puzzles_can_be_played),
        cmocka_unit_test(there_are_as_many_as_asked_for),
        cmocka_unit_test(so_many_presses_are_needed),
        cmocka_unit_test(puzzles_differ),
        cmocka_unit_test(the_same_seed_makes_the_same_file),
        cmocka_unit_test(files_keep_puzzles_as_they_are),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
        cmocka_unit_test(reasons_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
