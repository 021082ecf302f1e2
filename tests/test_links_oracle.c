// SPDX-License-Identifier: MIT
// Links against all assignments of links that agree with what was seen, tried one by one.
#include "agent/links_internal.h"
#include "base/base_internal.h"
#include "links_support.h"
#include "valid.h"

#include <stdio.h>

// ---- the oracle ----

#define BUTTONS 10
#define DOORS 3
#define NOTES 400

// All that was done and seen, as it came.
typedef struct note {
    uint64_t tick;
    uint32_t presses; // before it
    uint32_t what;    // button or door
    oct_door_state state;
} note;

typedef struct model {
    note presses[NOTES], sightings[NOTES];
    uint32_t press_count, sighting_count;
    uint32_t buttons, doors;
    uint64_t settle, most;
    bool restless[DOORS];
    bool has_lives;
} model;

#define NEW_LIFE UINT32_MAX // among the presses: a life begins

static bool model_is_before_all(const model *m, uint32_t presses)
{
    return presses == 0 || m->presses[presses - 1].what == NEW_LIFE;
}

static uint64_t model_after(const model *m, const note *n)
{
    return model_is_before_all(m, n->presses) ? UINT64_MAX
                                              : n->tick - m->presses[n->presses - 1].tick;
}

static bool model_counts(const model *m, const note *n, uint32_t door)
{
    return n->what == door && n->state != MOVING && model_after(m, n) >= m->settle;
}

// The last that counts, of the same door after the same press.
static const note *model_last(const model *m, uint32_t door)
{
    for (uint32_t i = m->sighting_count; i-- > 0;) {
        const note *const n = &m->sightings[i];
        if (n->presses == m->press_count && model_counts(m, n, door)) {
            return n;
        }
    }
    return NULL;
}

static void model_see(model *m, uint32_t door, uint64_t tick, oct_door_state state)
{
    const note n = {tick, m->press_count, door, state};
    const note *const last = model_last(m, door);
    const uint64_t after = model_after(m, &n);
    assert_true(m->sighting_count < NOTES);
    if (!m->restless[door] && after >= m->settle) {
        const bool moves = state == MOVING && !model_is_before_all(m, n.presses);
        if (moves || (state != MOVING && last && last->state != state)) {
            if (model_after(m, moves ? &n : last) >= m->most) {
                m->restless[door] = true;
            } else {
                const uint64_t more = after + after / 4 + 1;
                m->settle = more < m->most ? more : m->most;
            }
        }
    }
    m->sightings[m->sighting_count++] = n;
}

static void model_begin_life(model *m)
{
    assert_true(m->press_count < NOTES);
    m->presses[m->press_count++] = (note){.what = NEW_LIFE};
    m->has_lives = true;
}

static void model_press(model *m, uint32_t button, uint64_t tick)
{
    assert_true(m->press_count < NOTES);
    m->presses[m->press_count] = (note){tick, m->press_count, button, SHUT};
    m->press_count++;
}

// Bit 0, and those of buttons pressed an odd number of times.
static uint32_t model_mask(const model *m, uint32_t presses)
{
    uint32_t mask = 1;
    for (uint32_t i = 0; i < presses; i++) {
        mask = m->presses[i].what == NEW_LIFE ? 1 : mask ^ 2u << m->presses[i].what;
    }
    return mask;
}

static bool sum_is_odd(uint32_t bits)
{
    return oct_bit_count(bits) % 2 == 1;
}

// All assignments of a first state (bit 0) and links that agree with the sightings that count.
typedef struct worlds {
    uint32_t list[2 << BUTTONS];
    uint32_t count;
} worlds;

static void find_worlds(const model *m, uint32_t door, worlds *out)
{
    uint32_t masks[NOTES], count = 0;
    bool open[NOTES];
    for (uint32_t i = 0; i < m->sighting_count; i++) {
        const note *const n = &m->sightings[i];
        if (model_counts(m, n, door)) {
            masks[count] = model_mask(m, n->presses);
            open[count++] = n->state == OPEN;
        }
    }
    out->count = 0;
    for (uint32_t world = 0; world < 2u << m->buttons; world++) {
        uint32_t i = 0;
        while (i < count && sum_is_odd(world & masks[i]) == open[i]) {
            i++;
        }
        if (i == count) {
            out->list[out->count++] = world;
        }
    }
    if (m->restless[door]) {
        out->count = 0;
    }
}

// 0 or 1 where all worlds agree, 2 where they do not.
static int agreed(const worlds *w, uint32_t mask)
{
    const bool first = sum_is_odd(w->list[0] & mask);
    for (uint32_t i = 1; i < w->count; i++) {
        if (sum_is_odd(w->list[i] & mask) != first) {
            return 2;
        }
    }
    return first;
}

// Whether a link is decided after seeing the door with one or two masks, whatever is seen.
static bool decides(const worlds *w, uint32_t link, uint32_t first, uint32_t second)
{
    int known[4] = {-1, -1, -1, -1};
    for (uint32_t i = 0; i < w->count; i++) {
        const uint32_t world = w->list[i];
        const int seen = 2 * sum_is_odd(world & first) + sum_is_odd(world & second);
        const int is = (world & link) != 0;
        if (known[seen] == !is) {
            return false;
        }
        known[seen] = is;
    }
    return true;
}

static oct_advice best_advice(const worlds *w, uint32_t link, uint32_t now)
{
    if (decides(w, link, 0, 0)) {
        return OCT_ADVICE_NONE;
    }
    if (decides(w, link, now, 0)) {
        return OCT_ADVICE_SEE;
    }
    if (decides(w, link, now ^ link, 0)) {
        return OCT_ADVICE_PRESS_SEE;
    }
    assert_true(decides(w, link, now, now ^ link));
    return OCT_ADVICE_SEE_PRESS_SEE;
}

// Whether a link follows from some of the sightings found; `without` is left out.
static bool follows(const model *m, uint32_t link, const oct_sighting *found, size_t count,
                    size_t without, bool expected)
{
    for (uint32_t world = 0; world < 2u << m->buttons; world++) {
        size_t agrees = 0;
        for (size_t i = 0; i < count; i++) {
            uint32_t presses = 0;
            // One at the tick of a press came before it, or else would not count.
            while (presses < m->press_count && m->presses[presses].tick < found[i].tick) {
                presses++;
            }
            agrees += i == without ||
                      sum_is_odd(world & model_mask(m, presses)) == (found[i].state == OPEN);
        }
        if (agrees == count && ((world & link) != 0) != expected) {
            return false;
        }
    }
    return true;
}

static void check_evidence(const oct_links *links, const model *m, uint32_t button, uint32_t door,
                           int expected, bool deeply)
{
    oct_sighting found[BUTTONS + 1];
    const size_t count = oct_links_evidence(links, button, door, found, BUTTONS + 1);
    if (expected > 1) {
        assert_int_equal(count, 0);
        return;
    }
    assert_true(count > 1 && count <= BUTTONS + 1);
    for (size_t i = 0; i < count; i++) {
        uint32_t at = 0;
        assert_true(i == 0 || found[i - 1].tick <= found[i].tick);
        while (at < m->sighting_count && !(model_counts(m, &m->sightings[at], door) &&
                                           m->sightings[at].tick == found[i].tick &&
                                           m->sightings[at].state == found[i].state)) {
            at++;
        }
        assert_true(at < m->sighting_count);
    }
    // Without settling a tick alone does not say which came first, press or sighting.
    if (deeply && m->settle > 0) {
        assert_true(follows(m, 2u << button, found, count, SIZE_MAX, expected));
        assert_false(follows(m, 2u << button, found, count, count / 2, expected));
    }
}

// Returns how many links are decided.
static uint32_t check_model(const oct_links *links, const model *m, bool deeply)
{
    static const oct_door_state states[] = {SHUT, OPEN, UNKNOWN};
    static worlds w;
    const uint32_t now = model_mask(m, m->press_count);
    uint32_t decided = 0;
    assert_true(oct_links_is_valid(links));
    assert_int_equal(oct_links_settle(links), m->settle);
    for (uint32_t d = 0; d < m->doors; d++) {
        find_worlds(m, d, &w);
        const bool odd = w.count == 0;
        assert_int_equal(oct_links_predict(links, d), states[odd ? 2 : agreed(&w, now)]);
        for (uint32_t b = 0; b < m->buttons; b++) {
            const uint32_t link = 2u << b;
            const int is = odd ? 3 : agreed(&w, link);
            assert_int_equal(oct_links_get(links, b, d), is);
            assert_int_equal(oct_links_predict_press(links, d, b),
                             states[odd ? 2 : agreed(&w, now ^ link)]);
            assert_int_equal(oct_links_advise(links, b, d),
                             odd ? OCT_ADVICE_NONE : best_advice(&w, link, now));
            if (!m->has_lives) { // which ticks are of which life it does not tell
                check_evidence(links, m, b, d, is, deeply);
            }
            decided += is < 2;
        }
    }
    return decided;
}

// ---- worlds to be seen ----

typedef struct level {
    bool linked[BUTTONS][DOORS];
    uint64_t delay[BUTTONS][DOORS];
    uint64_t takes; // ticks that a door moves
    bool starts[DOORS];
} level;

static level random_level(oct_random *random, uint64_t delay_most)
{
    level l = {.takes = oct_random_below(random, 8)};
    const uint64_t share = 1 + oct_random_below(random, 4);
    for (uint32_t d = 0; d < DOORS; d++) {
        l.starts[d] = oct_random_below(random, 2) == 0;
        for (uint32_t b = 0; b < BUTTONS; b++) {
            l.linked[b][d] = oct_random_below(random, share) == 0;
            l.delay[b][d] = oct_random_below(random, delay_most + 1);
        }
    }
    return l;
}

static oct_door_state level_state(const level *l, const model *m, uint32_t door, uint64_t tick)
{
    bool open = l->starts[door], moves = false;
    for (uint32_t i = 0; i < m->press_count; i++) {
        const note *const n = &m->presses[i];
        if (n->what == NEW_LIFE) {
            open = l->starts[door];
            moves = false;
            continue;
        }
        const uint64_t effect = n->tick + l->delay[n->what][door];
        if (l->linked[n->what][door] && effect <= tick) {
            open = !open;
            moves |= tick < effect + l->takes;
        }
    }
    return moves ? MOVING : open ? OPEN : SHUT;
}

typedef struct run {
    oct_links *links;
    model m;
    level l;
    uint64_t tick;
    uint32_t noise; // one in so many sightings is anything; 0 = none
} run;

static void run_see(run *r, oct_random *random, uint32_t door)
{
    oct_door_state state = level_state(&r->l, &r->m, door, r->tick);
    if (r->noise > 0 && oct_random_below(random, r->noise) == 0) {
        state = (oct_door_state)oct_random_below(random, 3);
    }
    model_see(&r->m, door, r->tick, state);
    assert_int_equal(oct_links_see(r->links, door, r->tick, state), OCT_OK);
}

static void run_press(run *r, uint32_t button)
{
    model_press(&r->m, button, r->tick);
    press(r->links, button, r->tick);
}

// Time goes by, mostly a little; something is pressed, seen, or found.
static void run_step(run *r, oct_random *random)
{
    static const uint64_t pauses[] = {1, 2, 10, 40, 100};
    const uint64_t kind = oct_random_below(random, 10);
    r->tick += oct_random_below(random, pauses[oct_random_below(random, 5)]);
    if (kind < 3) {
        run_press(r, (uint32_t)oct_random_below(random, r->m.buttons));
    } else if (kind < 9) {
        run_see(r, random, (uint32_t)oct_random_below(random, r->m.doors));
    } else if (oct_random_below(random, 2) == 0 && r->m.buttons < BUTTONS) {
        assert_int_equal(add_button(r->links, r->m.buttons % 3, r->m.buttons), r->m.buttons);
        r->m.buttons++;
    } else if (r->m.doors < DOORS) {
        assert_int_equal(add_door(r->links, 9 - r->m.doors), r->m.doors);
        r->m.doors++;
    }
}

static void run_begin(run *r, oct_random *random, uint64_t settle, uint64_t most,
                      uint64_t delay_most)
{
    memset(r, 0, sizeof *r);
    r->links = make_links(NULL, settle, most);
    r->l = random_level(random, delay_most);
    r->m.settle = settle;
    r->m.most = most;
    const uint64_t buttons = 1 + oct_random_below(random, BUTTONS);
    for (; r->m.buttons < buttons; r->m.buttons++) {
        add_button(r->links, r->m.buttons % 3, r->m.buttons);
    }
    add_door(r->links, 9);
    r->m.doors = 1;
}

// Delays that are known: whatever is said is true, and what all assignments say.
static void answers_are_those_of_all_assignments(void **state)
{
    (void)state;
    static run r;
    uint64_t decided = 0;
    const uint64_t seed = 11, rounds = test_rounds(2000);
    printf("seed %d, %d runs\n", (int)seed, (int)rounds);
    oct_random random = oct_random_seed(seed);
    for (uint64_t round = 0; round < rounds; round++) {
        const uint64_t delay = oct_random_below(&random, 12);
        run_begin(&r, &random, 20, 100, delay);
        const uint64_t steps = 1 + oct_random_below(&random, 150);
        for (uint64_t i = 0; i < steps; i++) {
            run_step(&r, &random);
            if (oct_random_below(&random, 16) == 0) {
                check_model(r.links, &r.m, false);
            }
        }
        decided += check_model(r.links, &r.m, round % 8 == 0);
        assert_int_equal(oct_links_settle(r.links), 20);
        for (uint32_t d = 0; d < r.m.doors; d++) {
            for (uint32_t b = 0; b < r.m.buttons; b++) {
                const oct_link link = oct_links_get(r.links, b, d);
                assert_true(link == OCT_LINK_UNDECIDED || link == (oct_link)r.l.linked[b][d]);
            }
        }
        oct_links_destroy(r.links);
    }
    assert_true(decided > 2 * rounds);
}

// What was seen in earlier lives is said as well, and no more than that.
static void lives_add_up(void **state)
{
    (void)state;
    static run r;
    uint64_t decided = 0;
    const uint64_t seed = 13, rounds = test_rounds(1000);
    printf("seed %d, %d runs\n", (int)seed, (int)rounds);
    oct_random random = oct_random_seed(seed);
    for (uint64_t round = 0; round < rounds; round++) {
        run_begin(&r, &random, 20, 100, oct_random_below(&random, 12));
        for (uint64_t life = 0; life < 4; life++) {
            const uint64_t steps = 1 + oct_random_below(&random, 40);
            for (uint64_t i = 0; i < steps; i++) {
                run_step(&r, &random);
            }
            decided += check_model(r.links, &r.m, false);
            model_begin_life(&r.m);
            assert_int_equal(oct_links_begin_life(r.links), OCT_OK);
            assert_int_equal(oct_links_settled(r.links), 0);
            r.tick = 0;
            (void)check_model(r.links, &r.m, false);
        }
        for (uint32_t d = 0; d < r.m.doors; d++) {
            for (uint32_t b = 0; b < r.m.buttons; b++) {
                const oct_link link = oct_links_get(r.links, b, d);
                assert_true(link == OCT_LINK_UNDECIDED || link == (oct_link)r.l.linked[b][d]);
            }
        }
        oct_links_destroy(r.links);
    }
    assert_true(decided > rounds);
}

// Later effects than thought, doors that move as they like, and settling at once.
static void surprises_are_counted_as_by_the_rule(void **state)
{
    (void)state;
    static run r;
    uint64_t grown = 0, odd = 0, decided = 0;
    const uint64_t seed = 12, rounds = test_rounds(6000);
    printf("seed %d, %d runs\n", (int)seed, (int)rounds);
    oct_random random = oct_random_seed(seed);
    for (uint64_t round = 0; round < rounds; round++) {
        const uint64_t settle = oct_random_below(&random, 20);
        run_begin(&r, &random, settle, settle + oct_random_below(&random, 150),
                  oct_random_below(&random, 60));
        r.noise = (uint32_t)oct_random_below(&random, 3) * 20;
        const uint64_t steps = 1 + oct_random_below(&random, 150);
        for (uint64_t i = 0; i < steps; i++) {
            run_step(&r, &random);
            if (oct_random_below(&random, 16) == 0) {
                check_model(r.links, &r.m, false);
            }
        }
        decided += check_model(r.links, &r.m, round % 8 == 0);
        grown += r.m.settle > settle;
        odd += oct_links_get(r.links, 0, 0) == OCT_LINK_ODD;
        oct_links_destroy(r.links);
    }
    assert_true(grown > rounds / 4 && odd > rounds / 8 && decided > rounds / 2);
}

// Doors that are watched all the time show how late effects come, and then everything is right.
static void watched_doors_are_learned_whatever_the_delay(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < test_rounds(400); seed++) {
        oct_random random = oct_random_seed(seed);
        const level l = random_level(&random, 60);
        static model m;
        oct_links *const links = make_level(3, 200, BUTTONS, DOORS);
        uint64_t tick = 0, latest = 0;
        m.press_count = 0;
        for (uint32_t d = 0; d < DOORS; d++) {
            see(links, d, 0, level_state(&l, &m, d, 0));
        }
        for (uint32_t b = 0; b < BUTTONS; b++) {
            model_press(&m, b, tick);
            press(links, b, tick);
            for (const uint64_t end = tick + 200; tick < end; tick++) {
                for (uint32_t d = 0; d < DOORS; d++) {
                    see(links, d, tick, level_state(&l, &m, d, tick));
                }
            }
            for (uint32_t d = 0; d < DOORS; d++) {
                const uint64_t end = l.delay[b][d] + l.takes;
                latest = l.linked[b][d] && end > latest ? end : latest;
            }
        }
        assert_true(oct_links_settle(links) >= (latest > 3 ? latest : 3));
        assert_true(oct_links_settle(links) <= latest + latest / 4 + 3);
        for (uint32_t d = 0; d < DOORS; d++) {
            for (uint32_t b = 0; b < BUTTONS; b++) {
                assert_int_equal(oct_links_get(links, b, d), l.linked[b][d]);
            }
            assert_int_equal(oct_links_predict(links, d), level_state(&l, &m, d, tick));
        }
        oct_links_destroy(links);
    }
}

// ---- many buttons ----

#define MANY 150

// How many of some rows of bytes are independent; they are changed.
static uint32_t rank_of(uint8_t rows[][MANY + 1], uint32_t count)
{
    uint32_t rank = 0;
    for (uint32_t column = 0; column <= MANY; column++) {
        uint32_t at = rank;
        while (at < count && !rows[at][column]) {
            at++;
        }
        if (at == count) {
            continue;
        }
        for (uint32_t i = 0; i <= MANY; i++) {
            const uint8_t other = rows[at][i];
            rows[at][i] = rows[rank][i];
            rows[rank][i] = other;
        }
        for (uint32_t j = rank + 1; j < count; j++) {
            const bool adds = rows[j][column];
            for (uint32_t i = 0; adds && i <= MANY; i++) {
                rows[j][i] ^= rows[rank][i];
            }
        }
        rank++;
    }
    return rank;
}

// Against ranks of plain matrices, while more and more buttons come to be known.
static void many_buttons_are_solved_as_well(void **state)
{
    (void)state;
    static uint8_t rows[3 * MANY][MANY + 1], copy[3 * MANY + 1][MANY + 1];
    for (uint64_t seed = 0; seed < test_rounds(8); seed++) {
        oct_random random = oct_random_seed(seed);
        oct_links *const links = make_level(1, 100, 1 + (uint32_t)seed * 9, 1);
        uint8_t parity[MANY + 1] = {1};
        bool linked[MANY];
        uint32_t sightings = 0, decided = 0;
        for (uint32_t b = 0; b < MANY; b++) {
            linked[b] = oct_random_below(&random, 2) == 0;
        }
        for (uint64_t tick = 0; sightings < 3 * MANY - seed * 30; tick += 5) {
            if (oct_links_buttons(links) < MANY && oct_random_below(&random, 3) == 0) {
                add_button(links, 1, oct_links_buttons(links));
            }
            for (uint64_t i = oct_random_below(&random, 4); i-- > 0;) {
                const uint32_t b = (uint32_t)oct_random_below(&random, oct_links_buttons(links));
                press(links, b, tick);
                parity[b + 1] ^= 1;
            }
            bool open = false;
            for (uint32_t b = 0; b < MANY; b++) {
                open ^= parity[b + 1] && linked[b];
            }
            see(links, 0, tick + 1, open ? OPEN : SHUT);
            memcpy(rows[sightings++], parity, sizeof parity);
        }
        memcpy(copy, rows, sizeof rows);
        const uint32_t rank = rank_of(copy, sightings);
        for (uint32_t b = 0; b < oct_links_buttons(links); b++) {
            memcpy(copy, rows, sizeof rows);
            memset(copy[sightings], 0, sizeof copy[sightings]);
            copy[sightings][b + 1] = 1;
            const bool certain = rank_of(copy, sightings + 1) == rank;
            assert_int_equal(oct_links_get(links, b, 0),
                             certain ? (oct_link)linked[b] : OCT_LINK_UNDECIDED);
            decided += certain;
        }
        assert_true(decided > 20);
        oct_links_destroy(links);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_all_assignments),
        cmocka_unit_test(lives_add_up),
        cmocka_unit_test(surprises_are_counted_as_by_the_rule),
        cmocka_unit_test(watched_doors_are_learned_whatever_the_delay),
        cmocka_unit_test(many_buttons_are_solved_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
