// SPDX-License-Identifier: MIT
// Generated levels of the lab world: what is said of them is compared with all states that presses
// can lead to, on cells, and walked in the lab world itself.
#include "octant/generate_recruits.h"
#include "recruits_walker.h"

// ---- support ----

static bool append(void *ctx, const void *data, size_t size)
{
    oct_array *const out = ctx;
    const oct_allocator heap = oct_allocator_default();
    for (size_t i = 0; i < size; i++) {
        if (oct_array_push(out, &heap, 1, (const char *)data + i) != OCT_OK) {
            return false;
        }
    }
    return true;
}

static oct_array generate(const oct_recruits_gen_def *def, oct_recruits_truth *truth)
{
    oct_array out = {0};
    assert_int_equal(oct_recruits_generate(def, NULL, append, &out, truth), OCT_OK);
    return out;
}

static void drop(oct_array *text)
{
    const oct_allocator heap = oct_allocator_default();
    oct_array_free(text, &heap, 1);
}

static void fail_on_warning(void *ctx, uint32_t line, uint32_t cell, const char *message)
{
    (void)ctx;
    fail_msg("%u:%u: %s", line, cell, message);
}

static oct_game *game_of(const oct_array *text)
{
    oct_recruits_level *level;
    const oct_recruits_reading how = {.warn = fail_on_warning};
    assert_int_equal(oct_recruits_level_read(text->items, text->count, &how, &level, NULL), OCT_OK);
    return recruits_game(level);
}

// ---- the oracle: cells, and which doors are open, a bit each ----

typedef struct oracle {
    const recruits_world *g;
    uint32_t doors[32]; // things
    uint32_t door_count;
    uint8_t *reached; // by cell, of the last flood
    uint32_t *queue;
    size_t cells;
} oracle;

static oracle oracle_of(const recruits_world *g)
{
    oracle o = {.g = g, .cells = (size_t)g->columns * (g->sheets + 1)};
    for (uint32_t i = 0; i < g->things.count; i++) {
        if (thing_at(g, i)->kind == OCT_RECRUITS_DOOR) {
            assert_true(o.door_count < 32);
            o.doors[o.door_count++] = i;
        }
    }
    o.reached = calloc(o.cells, 1);
    o.queue = calloc(o.cells, sizeof *o.queue);
    assert_true(o.reached && o.queue);
    return o;
}

static void oracle_free(oracle *o)
{
    free(o->reached);
    free(o->queue);
}

static size_t index_of(const oracle *o, int32_t x, int32_t y, int32_t z)
{
    return ((size_t)y * o->g->depth + (size_t)z) * o->g->width + (size_t)x;
}

// A panel stands at one side of its cell, and opens to the next one.
static bool is_shut(const oracle *o, uint32_t open, int32_t x, int32_t y, int32_t z, uint32_t side)
{
    for (uint32_t i = 0; i < o->door_count; i++) {
        const recruits_thing *const t = thing_at(o->g, o->doors[i]);
        const bool is_here = t->origin.x == x && t->origin.y == y && t->origin.z == z;
        if (is_here && side == (t->turn + (open >> i & 1u)) % 4u) {
            return true;
        }
    }
    return false;
}

static bool can_stand(const oracle *o, int32_t x, int32_t y, int32_t z)
{
    const uint8_t cell = cell_at(o->g, x, y, z);
    return !(cell & CELL_WALL) && !(cell_at(o->g, x, y + 1, z) & (CELL_WALL | CELL_RAMP)) &&
           (cell & (CELL_FLOOR | CELL_RAMP));
}

// One step: on one height, or from a ramp's upper end to the sheet above, or back.
static bool step_to(const oracle *o, int32_t x, int32_t *y, int32_t z, uint32_t side)
{
    const int32_t to_x = x + turn_x(side), to_z = z + turn_z(side);
    const uint8_t from = cell_at(o->g, x, *y, z), to = cell_at(o->g, to_x, *y, to_z);
    const uint32_t back = (side + 2) % 4u;
    if (from & CELL_RAMP) {
        const uint32_t up = from >> CELL_TURN_SHIFT;
        const int32_t height = side == up ? *y + 1 : *y;
        if (side != up && side != (up + 2) % 4u) {
            return false;
        }
        const uint8_t below = cell_at(o->g, to_x, height - 1, to_z);
        if (side != up && (below & CELL_RAMP) && below >> CELL_TURN_SHIFT == back) {
            *y = height - 1;
            return true;
        }
        *y = height;
        return can_stand(o, to_x, height, to_z);
    }
    if ((to & CELL_RAMP) && to >> CELL_TURN_SHIFT == side) {
        return true;
    }
    const uint8_t below = cell_at(o->g, to_x, *y - 1, to_z);
    if ((below & CELL_RAMP) && below >> CELL_TURN_SHIFT == back) {
        *y -= 1;
        return true;
    }
    return can_stand(o, to_x, *y, to_z) && !(to & CELL_RAMP);
}

// Marks what can be got to; the least cell of it stands for all.
static size_t flood(oracle *o, uint32_t open, oct_point from)
{
    size_t head = 0, tail = 0, least = SIZE_MAX;
    memset(o->reached, 0, o->cells);
    const size_t first = index_of(o, (int32_t)from.x, (int32_t)from.y, (int32_t)from.z);
    o->reached[first] = 1;
    o->queue[tail++] = (uint32_t)first;
    while (head < tail) {
        const uint32_t at = o->queue[head++];
        const int32_t x = (int32_t)(at % o->g->width);
        const int32_t z = (int32_t)(at / o->g->width % o->g->depth);
        const int32_t y0 = (int32_t)(at / o->g->columns);
        least = at < least ? at : least;
        for (uint32_t side = 0; side < 4; side++) {
            int32_t y = y0;
            const int32_t to_x = x + turn_x(side), to_z = z + turn_z(side);
            if (is_shut(o, open, x, y0, z, side) ||
                is_shut(o, open, to_x, y0, to_z, (side + 2) % 4u) || !step_to(o, x, &y, z, side)) {
                continue;
            }
            const size_t to = index_of(o, to_x, y, to_z);
            if (!o->reached[to]) {
                o->reached[to] = 1;
                o->queue[tail++] = (uint32_t)to;
            }
        }
    }
    return least;
}

static bool is_reached(const oracle *o, const recruits_thing *t)
{
    return o
        ->reached[index_of(o, (int32_t)t->origin.x, (int32_t)t->origin.y, (int32_t)t->origin.z)];
}

static uint32_t toggled(const oracle *o, const recruits_thing *button)
{
    uint32_t bits = 0;
    const uint32_t *const effects = o->g->effects.items;
    for (uint32_t i = 0; i < button->effect_count; i++) {
        for (uint32_t door = 0; door < o->door_count; door++) {
            bits ^= o->doors[door] == effects[button->effects + i] ? 1u << door : 0u;
        }
    }
    return bits;
}

typedef struct all_states {
    uint32_t opened; // doors that were ever open
    bool flag;
    size_t count;
} all_states;

typedef struct state {
    uint32_t open;
    size_t least;
    oct_point at;
} state;

static void add_state(oct_array *states, const state *s)
{
    const oct_allocator heap = oct_allocator_default();
    const state *const all = states->items;
    for (size_t i = 0; i < states->count; i++) {
        if (all[i].open == s->open && all[i].least == s->least) {
            return;
        }
    }
    assert_int_equal(oct_array_push(states, &heap, sizeof *s, s), OCT_OK);
}

// Every press from every place that can be got to, until there is nothing new.
static all_states try_all(oracle *o)
{
    all_states found = {0};
    oct_array states = {0};
    const oct_point start = agent_at(o->g, 0)->home;
    add_state(&states, &(state){0, flood(o, 0, start), start});
    for (size_t i = 0; i < states.count; i++) {
        const state s = ((const state *)states.items)[i];
        found.opened |= s.open;
        (void)flood(o, s.open, s.at);
        uint32_t buttons[64], count = 0;
        for (uint32_t k = 0; k < o->g->things.count; k++) {
            const recruits_thing *const t = thing_at(o->g, k);
            found.flag = found.flag || (t->kind == OCT_RECRUITS_FLAG && is_reached(o, t));
            if (is_button(t) && is_reached(o, t) && toggled(o, t) != 0 && count < 64) {
                buttons[count++] = k;
            }
        }
        for (uint32_t k = 0; k < count; k++) {
            const recruits_thing *const t = thing_at(o->g, buttons[k]);
            const uint32_t open = s.open ^ toggled(o, t);
            add_state(&states, &(state){open, flood(o, open, t->origin), t->origin});
        }
    }
    found.count = states.count;
    const oct_allocator heap = oct_allocator_default();
    oct_array_free(&states, &heap, sizeof(state));
    return found;
}

// ---- tests ----

static oct_recruits_gen_def some_def(uint64_t seed)
{
    oct_random random = oct_random_seed(seed);
    oct_recruits_gen_def def = oct_recruits_gen_def_default();
    def.seed = seed;
    def.storeys = 1 + (uint32_t)oct_random_below(&random, 3);
    def.rooms = 2 + (uint32_t)oct_random_below(&random, 4);
    const uint32_t most = (def.rooms - 1) * def.storeys;
    def.doors = 1 + (uint32_t)oct_random_below(&random, most < 5 ? most : 5);
    def.buttons = def.doors + (uint32_t)oct_random_below(&random, 4);
    def.fires = (uint32_t)oct_random_below(&random, 6);
    def.unsolvable = oct_random_below(&random, 3) == 0;
    return def;
}

static void the_truth_is_that_of_all_states(void **unused)
{
    size_t states = 0, sealed = 0;
    const uint64_t rounds = test_rounds(200);
    (void)unused;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        const oct_recruits_gen_def def = some_def(seed);
        oct_recruits_truth truth;
        oct_array text = generate(&def, &truth);
        oct_game *const game = game_of(&text);
        oracle o = oracle_of(oct_recruits_inside(game));
        const all_states all = try_all(&o);
        assert_int_equal(o.door_count, def.doors);
        if (all.flag != truth.solvable) {
            fail_msg("seed %llu: %d", (unsigned long long)seed, all.flag);
        }
        for (uint32_t i = 0; i < o.door_count; i++) {
            char name[16];
            snprintf(name, sizeof name, "door%u", truth.sealed);
            const bool is_sealed = strcmp(thing_at(o.g, o.doors[i])->id, name) == 0;
            assert_int_equal(all.opened >> i & 1u, !is_sealed);
        }
        states += all.count;
        sealed += truth.sealed > 0;
        oracle_free(&o);
        oct_game_destroy(game);
        drop(&text);
    }
    assert_true(states > 3 * rounds && sealed > rounds / 6 && sealed < rounds / 2);
}

static void the_flag_is_walked_to_by_the_opening_presses(void **unused)
{
    (void)unused;
    const uint64_t rounds = test_rounds(40);
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        const oct_recruits_gen_def def = some_def(seed);
        oct_recruits_truth truth;
        oct_array text = generate(&def, &truth);
        oct_game *const game = game_of(&text);
        walker w = walker_of(game);
        for (uint32_t i = 0; i < truth.opening_count; i++) {
            char name[16];
            snprintf(name, sizeof name, "button%u", truth.opening[i]);
            if (!walk_and_press(&w, game, 0, name)) {
                const oct_point feet = feet_of(game, 0);
                fail_msg("seed %llu: %s, at %.2f %.2f %.2f", (unsigned long long)seed, name, feet.x,
                         feet.y, feet.z);
            }
            agent_at(oct_recruits_inside(game), 0)->health = 100; // the walker knows no fires
        }
        if (walk_to(&w, game, 0, "flag1") != truth.solvable) {
            const oct_point feet = feet_of(game, 0);
            fail_msg("seed %llu: the flag, at %.2f %.2f %.2f", (unsigned long long)seed, feet.x,
                     feet.y, feet.z);
        }
        walker_free(&w);
        oct_game_destroy(game);
        drop(&text);
    }
}

static void the_same_definition_gives_the_same_bytes(void **unused)
{
    uint64_t hash = TEST_HASH_START;
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const oct_recruits_gen_def def = some_def(seed);
        oct_array text = generate(&def, NULL);
        hash = test_hash_add(hash, text.items, text.count, 1);
        drop(&text);
    }
    assert_int_equal(hash, UINT64_C(0xc763b7fd1891f232));
}

static void large_levels_are_made(void **unused)
{
    (void)unused;
    oct_recruits_gen_def def = oct_recruits_gen_def_default();
    oct_recruits_truth truth;
    def.rooms = 40;
    def.doors = 30;
    def.buttons = 40;
    def.fires = 100;
    oct_array text = generate(&def, &truth);
    oct_game *const game = game_of(&text);
    assert_true(truth.doors == 30 && truth.buttons == 40 && truth.fires > 50);
    assert_true(truth.links >= 30 && truth.opening_count == 30);
    oct_game_destroy(game);
    drop(&text);
}

static bool refuse(void *ctx, const void *data, size_t size)
{
    (void)ctx;
    (void)data;
    (void)size;
    return false;
}

static void what_makes_no_sense_is_refused(void **unused)
{
    static const struct {
        uint32_t rooms, storeys, doors, buttons;
        bool unsolvable;
        oct_result result;
    } cases[] = {
        {1, 1, 0, 0, false, OCT_ERROR_ARGUMENT}, {2, 0, 0, 0, false, OCT_ERROR_ARGUMENT},
        {6, 1, 3, 2, false, OCT_ERROR_ARGUMENT}, {6, 1, 0, 0, true, OCT_ERROR_ARGUMENT},
        {6, 1, 6, 6, false, OCT_ERROR_RANGE},    {201, 1, 3, 5, false, OCT_ERROR_RANGE},
        {60, 4, 3, 5, false, OCT_ERROR_RANGE},   {6, 5, 3, 5, false, OCT_ERROR_RANGE},
        {2, 1, 1, 100, false, OCT_ERROR_RANGE},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        oct_recruits_gen_def def = oct_recruits_gen_def_default();
        oct_array text = {0};
        def.rooms = cases[i].rooms;
        def.storeys = cases[i].storeys;
        def.doors = cases[i].doors;
        def.buttons = cases[i].buttons;
        def.unsolvable = cases[i].unsolvable;
        assert_int_equal(oct_recruits_generate(&def, NULL, append, &text, NULL), cases[i].result);
        drop(&text);
    }
    const oct_recruits_gen_def plain = oct_recruits_gen_def_default();
    assert_int_equal(oct_recruits_generate(&plain, NULL, refuse, NULL, NULL), OCT_ERROR_FILE);
}

static oct_result generate_with(const oct_allocator *allocator, void *ctx)
{
    const oct_recruits_gen_def def = oct_recruits_gen_def_default();
    oct_array text = {0};
    (void)ctx;
    const oct_result result = oct_recruits_generate(&def, allocator, append, &text, NULL);
    drop(&text);
    return result;
}

static void short_memory_is_a_result(void **unused)
{
    (void)unused;
    assert_int_equal(test_each_failure(generate_with, NULL), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_truth_is_that_of_all_states),
        cmocka_unit_test(the_flag_is_walked_to_by_the_opening_presses),
        cmocka_unit_test(the_same_definition_gives_the_same_bytes),
        cmocka_unit_test(large_levels_are_made),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(short_memory_is_a_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
