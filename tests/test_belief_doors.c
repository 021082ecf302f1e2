// SPDX-License-Identifier: MIT
// What beliefs take doors for, what they take from others, and memory that is short.
#include "agent/belief_internal.h"
#include "agent/history.h"
#include "agent/links_internal.h"
#include "belief_mock.h"

#include "block_scene.h"
#include "valid.h"

// ---- doors ----

enum { DOORS = 6, BUTTONS = 4, PANEL_AT = DOORS };

typedef struct wiring {
    uint32_t toggles[BUTTONS]; // doors, bits
    uint64_t due;              // when the last press has its effect
    uint32_t pending;
    uint32_t open;
} wiring;

static void set_door(mock *m, int door, bool is_open)
{
    oct_entity *const e = &m->things[door].e;
    e->opening = is_open;
    e->thing.label = is_open ? OCT_OPEN : OCT_BLOCKED;
}

static void pass(mock *m, wiring *w, uint64_t ticks)
{
    m->self.tick += ticks;
    if (m->self.tick >= w->due) {
        w->open ^= w->pending;
        w->pending = 0;
    }
    for (int i = 0; i < DOORS; i++) {
        set_door(m, i, w->open >> i & 1);
    }
}

static void init_wiring(mock *m, wiring *w, oct_random *random)
{
    *w = (wiring){.open = (uint32_t)oct_random_below(random, 1u << DOORS)};
    for (int i = 0; i < DOORS; i++) {
        mock_put(m, i, i % MOCK_PLACES, (uint32_t)i);
        mock_be(&m->things[i].e, MOCK_DOOR);
    }
    for (int i = 0; i < BUTTONS; i++) {
        w->toggles[i] = (uint32_t)oct_random_below(random, 1u << DOORS);
    }
    for (int i = 0; i < BUTTONS / 2; i++) {
        mock_put(m, PANEL_AT + i, i, 17);
        mock_be(&m->things[PANEL_AT + i].e, MOCK_PANEL);
    }
    pass(m, w, 1);
}

// What a door is taken for is right wherever it is said, once effects have settled. Returns how
// many were said that had been seen otherwise.
static size_t check_doors(const oct_belief *b, const wiring *w)
{
    size_t foreseen = 0;
    const bool is_settled = oct_belief_self(b)->tick >= oct_links_settled(oct_belief_links(b));
    for (int i = 0; i < DOORS; i++) {
        uint32_t index;
        oct_thing thing;
        if (!oct_belief_find(b, 10 + (uint64_t)i, &index)) {
            continue;
        }
        const oct_known *const k = oct_belief_get(b, index);
        const uint8_t truth = w->open >> i & 1 ? OCT_OPEN : OCT_BLOCKED;
        assert_true(oct_map_thing(oct_belief_map(b), k->now.thing.id, &thing));
        if (is_settled) {
            assert_true(thing.label == truth || (thing.label == OCT_UNKNOWN && !k->in_sight));
            foreseen += thing.label != OCT_UNKNOWN && thing.label != k->now.thing.label;
        }
    }
    return foreseen;
}

static void doors_are_taken_for_what_they_are_or_for_unknown(void **state)
{
    (void)state;
    size_t foreseen = 0;
    const uint64_t seeds = test_rounds(60);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        mock m;
        wiring w;
        oct_random random = oct_random_seed(seed);
        mock_init(&m, seed % 2 ? OCT_SIGHT_LINE : OCT_SIGHT_THROUGH);
        init_wiring(&m, &w, &random);
        oct_belief *const b = mock_belief(&m, NULL);
        for (int step = 0; step < 200; step++) {
            if (oct_random_below(&random, 2)) {
                mock_stand(&m, oct_random_range(&random, 0, MOCK_PLACES - 1));
            }
            assert_int_equal(oct_belief_observe(b, &m.game, 0), OCT_OK);
            foreseen += check_doors(b, &w);
            const bool is_settled = m.self.tick >= oct_links_settled(oct_belief_links(b));
            if (is_settled && oct_random_below(&random, 3) == 0) {
                const uint32_t i = (uint32_t)oct_random_below(&random, BUTTONS);
                const oct_button button = {10 + PANEL_AT + i / 2, i % 2};
                assert_int_equal(oct_belief_press(b, button), OCT_OK);
                w.pending = w.toggles[i];
                w.due = m.self.tick + 1 + oct_random_below(&random, 50);
            }
            pass(&m, &w, 1 + oct_random_below(&random, 40));
        }
        assert_true(oct_links_is_valid(oct_belief_links(b)));
        oct_belief_destroy(b);
    }
    assert_true(foreseen > 10 * seeds);
}

static oct_label label_of(const oct_belief *b, uint64_t id)
{
    oct_thing thing;
    assert_true(oct_map_thing(oct_belief_map(b), id, &thing));
    return (oct_label)thing.label;
}

static void observe_after(oct_belief *b, mock *m, uint64_t ticks)
{
    m->self.tick += ticks;
    assert_int_equal(oct_belief_observe(b, &m->game, 0), OCT_OK);
}

// One door, one button, step by step.
static void a_press_makes_its_doors_unknown_until_they_are_learned(void **state)
{
    (void)state;
    mock m;
    mock_init(&m, OCT_SIGHT_LINE);
    mock_put(&m, 0, 2, 0);
    mock_be(&m.things[0].e, MOCK_DOOR);
    const oct_button button = {100, 0};
    oct_belief *const b = mock_belief(&m, NULL);
    mock_stand(&m, 2);
    observe_after(b, &m, 1);
    assert_int_equal(label_of(b, 10), OCT_BLOCKED);
    // In sight as well, as long as the press may still move it.
    uint64_t openings = oct_belief_openings(b);
    assert_int_equal(oct_belief_press(b, button), OCT_OK);
    assert_int_equal(label_of(b, 10), OCT_UNKNOWN);
    assert_true(oct_belief_openings(b) > openings);
    observe_after(b, &m, 20);
    assert_int_equal(label_of(b, 10), OCT_UNKNOWN);
    // It opens, and is seen so: the link is learned.
    set_door(&m, 0, true);
    observe_after(b, &m, 60);
    assert_int_equal(label_of(b, 10), OCT_OPEN);
    // Pressed again, from afar: unknown while it moves, then taken for shut before it is seen.
    mock_stand(&m, 0);
    observe_after(b, &m, 1);
    assert_int_equal(oct_belief_press(b, button), OCT_OK);
    assert_int_equal(label_of(b, 10), OCT_UNKNOWN);
    observe_after(b, &m, 60);
    assert_int_equal(label_of(b, 10), OCT_BLOCKED);
    // It did not shut after all: what was in the way no longer is.
    openings = oct_belief_openings(b);
    mock_stand(&m, 2);
    observe_after(b, &m, 10);
    assert_int_equal(label_of(b, 10), OCT_OPEN);
    assert_true(oct_belief_openings(b) > openings);
    // Its sightings contradict each other: another press makes it unknown for good.
    assert_int_equal(oct_belief_press(b, button), OCT_OK);
    mock_stand(&m, 0);
    observe_after(b, &m, 100);
    assert_int_equal(label_of(b, 10), OCT_UNKNOWN);
    oct_belief_destroy(b);
}

// No toggles explain a door that a button opens and does not shut again. Once all that presses do
// has come it stays as it was seen, in sight or not, until the next press.
static void an_odd_door_is_as_it_was_seen(void **state)
{
    (void)state;
    mock m;
    mock_init(&m, OCT_SIGHT_LINE);
    mock_put(&m, 0, 2, 0);
    mock_be(&m.things[0].e, MOCK_DOOR);
    m.info.has_settle = true;
    m.info.settle = 60;
    oct_history *const history = oct_history_create(NULL);
    assert_non_null(history);
    oct_belief_def def = oct_belief_def_default();
    def.info = &m.info;
    def.cell = def.padding = 2.0;
    def.settle = 60;
    def.history = history;
    oct_belief *b;
    assert_int_equal(oct_belief_create(&def, &b), OCT_OK);
    oct_history_drop(history); // the belief keeps it
    const oct_button button = {100, 0};
    mock_stand(&m, 2);
    observe_after(b, &m, 1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(oct_belief_press(b, button), OCT_OK);
        set_door(&m, 0, true);
        observe_after(b, &m, 200);
    }
    assert_int_equal(oct_links_predict(oct_belief_links(b), 0), OCT_DOOR_UNKNOWN);
    const uint64_t openings = oct_belief_openings(b);
    for (int i = 0; i < 4; i++) {
        mock_stand(&m, i % 2 == 0 ? 0 : 2);
        observe_after(b, &m, 100);
        assert_int_equal(label_of(b, 10), OCT_OPEN);
    }
    assert_true(oct_belief_openings(b) == openings);
    mock_stand(&m, 0);
    observe_after(b, &m, 1);
    assert_int_equal(oct_belief_press(b, button), OCT_OK);
    observe_after(b, &m, 1000);
    assert_int_equal(label_of(b, 10), OCT_UNKNOWN);
    oct_belief_destroy(b);
}

// A door that is gone is no door; what is placed where it was need not be one either.
static void an_id_may_come_back_as_something_else(void **state)
{
    (void)state;
    mock m;
    mock_init(&m, OCT_SIGHT_LINE);
    mock_put(&m, 0, 0, 0);
    mock_be(&m.things[0].e, MOCK_DOOR);
    const oct_button button = {100, 0};
    oct_belief *const b = mock_belief(&m, NULL);
    observe_after(b, &m, 1);
    assert_int_equal(oct_belief_press(b, button), OCT_OK);
    set_door(&m, 0, true);
    observe_after(b, &m, 100);
    m.things[0].there = false;
    observe_after(b, &m, 1);
    assert_true(oct_belief_get(b, 0)->gone);
    // A stone, seen and then out of sight, while the button is pressed.
    m.things[0].there = true;
    mock_be(&m.things[0].e, MOCK_PLAIN);
    set_door(&m, 0, false);
    m.things[0].e.opening = 0.0;
    observe_after(b, &m, 1);
    mock_stand(&m, 2);
    observe_after(b, &m, 1);
    assert_int_equal(oct_belief_press(b, button), OCT_OK);
    observe_after(b, &m, 100);
    assert_int_equal(label_of(b, 10), OCT_BLOCKED);
    // And a stone that comes back as a door is one.
    mock_put(&m, 1, 2, 1);
    observe_after(b, &m, 1);
    mock_be(&m.things[1].e, MOCK_DOOR);
    observe_after(b, &m, 1);
    uint32_t index;
    assert_true(oct_links_find_door(oct_belief_links(b), 11, &index));
    assert_int_equal(oct_belief_press(b, button), OCT_OK);
    assert_int_equal(label_of(b, 11), OCT_UNKNOWN);
    oct_belief_destroy(b);
}

// A timer that takes longer than was thought: the door is seen to move late, and from then on
// effects are waited for.
static void late_effects_are_waited_for(void **state)
{
    (void)state;
    block_scene s;
    block_scene_init_clear(&s);
    scene_put(&s, 1, PANEL, 1, 0, 0);
    scene_put(&s, 2, DOOR, 3, 0, 0);
    scene_put_timer(&s, 3, (oct_vec){5, 0, 0}, 5.0);
    scene_wire(&s, 1, 0, OCT_WIRE_START, 3);
    scene_wire(&s, 3, 0, OCT_WIRE_TOGGLE, 2);
    scene_play(&s);
    const uint32_t who = scene_join(&s, (oct_point){0, 0, 0});
    oct_belief_def def = oct_belief_def_default();
    def.info = oct_game_describe(s.game);
    oct_belief *b;
    assert_int_equal(oct_belief_create(&def, &b), OCT_OK);
    assert_int_equal(oct_belief_observe(b, s.game, who), OCT_OK);
    assert_int_equal(scene_use(&s, who, 1, 0), OCT_ACT_DONE);
    assert_int_equal(oct_belief_press(b, (oct_button){1, 0}), OCT_OK);
    const uint64_t settle = oct_links_settle(oct_belief_links(b));
    assert_int_equal(settle, 3 * OCT_BLOCK_WORLD_RATE);
    for (int i = 0; i < 40; i++) {
        scene_step(&s, 10);
        assert_int_equal(oct_belief_observe(b, s.game, who), OCT_OK);
    }
    assert_true(oct_links_settle(oct_belief_links(b)) >= 5 * OCT_BLOCK_WORLD_RATE);
    scene_step(&s, 200);
    assert_int_equal(oct_belief_observe(b, s.game, who), OCT_OK);
    assert_int_equal(label_of(b, 2), OCT_OPEN);
    assert_int_equal(oct_links_get(oct_belief_links(b), 0, 0), OCT_LINK_YES);
    assert_int_equal(oct_links_get(oct_belief_links(b), 1, 0), OCT_LINK_UNDECIDED);
    oct_belief_destroy(b);
    block_scene_free(&s);
}

// ---- hearing ----

// Two who see different places of the same game.
typedef struct pair {
    mock m;
    oct_belief *a, *b;
} pair;

static void pair_init(pair *p)
{
    mock_init(&p->m, OCT_SIGHT_LINE);
    mock_put(&p->m, 0, 2, 0);
    mock_put(&p->m, 1, 2, 1);
    p->m.things[0].e.name = "a";
    p->a = mock_belief(&p->m, NULL);
    p->b = mock_belief(&p->m, NULL);
}

static void pair_free(pair *p)
{
    oct_belief_destroy(p->a);
    oct_belief_destroy(p->b);
}

static void look_at(pair *p, oct_belief *who, int place)
{
    p->m.self.tick += 10;
    mock_stand(&p->m, place);
    assert_int_equal(oct_belief_observe(who, &p->m.game, 0), OCT_OK);
}

static const oct_known *get(const oct_belief *b, uint64_t id)
{
    uint32_t index;
    assert_true(oct_belief_find(b, id, &index));
    return oct_belief_get(b, index);
}

static void tell(const oct_belief *from, oct_belief *to, uint64_t id)
{
    assert_int_equal(oct_belief_hear(to, get(from, id)), OCT_OK);
    const oct_known *const k = get(to, id);
    oct_thing thing;
    assert_int_equal(oct_map_thing(oct_belief_map(to), id, &thing), !k->gone);
    assert_true(k->gone || mock_is_thing(&thing, &k->now.thing));
}

static void what_is_heard_counts_where_it_is_newer(void **state)
{
    (void)state;
    pair p;
    pair_init(&p);
    look_at(&p, p.a, 2);
    look_at(&p, p.b, 0);
    // Unknown: taken over, as it was first and last seen.
    tell(p.a, p.b, 10);
    const oct_known *k = get(p.b, 10);
    assert_true(mock_is_entity(&k->now, &get(p.a, 10)->now));
    assert_ptr_not_equal(k->now.name, get(p.a, 10)->now.name);
    assert_int_equal(k->first, 10);
    assert_int_equal(k->last, 10);
    assert_false(k->in_sight);
    size_t count;
    const uint32_t *const news = oct_belief_news(p.b, &count);
    assert_ptr_equal(oct_belief_get(p.b, news[count - 1]), k);
    // Seen by oneself since then: what is older does not count.
    const oct_property worn = {.name = "integrity", .number = 40.0};
    p.m.things[0].e.props = &worn;
    p.m.things[0].e.prop_count = 1;
    look_at(&p, p.b, 2);
    assert_true(get(p.b, 10)->now.prop_count == 1);
    tell(p.a, p.b, 10);
    assert_true(get(p.b, 10)->now.prop_count == 1);
    // The other way round it does.
    tell(p.b, p.a, 10);
    k = get(p.a, 10);
    assert_true(k->now.props[0].number == 40.0 && k->before.prop_count == 0);
    assert_int_equal(k->changes, 1);
    assert_int_equal(k->first, 10);
    assert_int_equal(k->last, get(p.b, 10)->last);
    // The same once more is no news.
    const uint64_t changes = oct_belief_changes(p.a);
    tell(p.b, p.a, 10);
    assert_int_equal(oct_belief_changes(p.a), changes);
    pair_free(&p);
}

static void what_is_heard_to_have_gone_goes(void **state)
{
    (void)state;
    pair p;
    pair_init(&p);
    look_at(&p, p.a, 2); // sees both
    look_at(&p, p.b, 2); // sees both, later
    p.m.things[0].there = false;
    look_at(&p, p.a, 2);
    assert_true(get(p.a, 10)->gone);
    // That it has gone is newer than that it was seen, although it was seen later.
    const uint64_t openings = oct_belief_openings(p.b);
    tell(p.a, p.b, 10);
    const oct_known *const k = get(p.b, 10);
    assert_true(k->gone);
    assert_false(k->in_sight);
    assert_int_equal(k->changes, 1);
    assert_int_equal(k->changed, get(p.a, 10)->changed);
    assert_true(oct_belief_openings(p.b) > openings);
    tell(p.a, p.b, 10);
    assert_int_equal(k->changes, 1);
    // It comes back: who has seen that tells the other.
    mock_put(&p.m, 0, 2, 4);
    look_at(&p, p.b, 2);
    tell(p.b, p.a, 10);
    assert_false(get(p.a, 10)->gone);
    assert_int_equal(get(p.a, 10)->changes, 2);
    // What has gone and was never known is known to have gone.
    oct_belief *const c = mock_belief(&p.m, NULL);
    p.m.things[1].there = false;
    look_at(&p, p.a, 2);
    look_at(&p, c, 0);
    tell(p.a, c, 11);
    assert_true(get(c, 11)->gone);
    uint32_t ignored;
    assert_true(oct_belief_find(c, 11, &ignored));
    oct_belief_destroy(c);
    pair_free(&p);
}

static void doors_that_are_heard_of_are_as_they_were_seen(void **state)
{
    (void)state;
    pair p;
    pair_init(&p);
    mock_be(&p.m.things[0].e, MOCK_DOOR);
    look_at(&p, p.a, 2);
    look_at(&p, p.b, 0);
    tell(p.a, p.b, 10);
    look_at(&p, p.b, 0);
    assert_int_equal(label_of(p.b, 10), OCT_BLOCKED);
    // A press that B makes is seen by A alone: what B hears teaches it the link.
    const oct_button button = {100, 0};
    assert_int_equal(oct_belief_press(p.b, button), OCT_OK);
    assert_int_equal(label_of(p.b, 10), OCT_UNKNOWN);
    set_door(&p.m, 0, true);
    p.m.self.tick += 100;
    look_at(&p, p.a, 2);
    look_at(&p, p.b, 0);
    assert_int_equal(label_of(p.b, 10), OCT_UNKNOWN);
    look_at(&p, p.a, 2);
    assert_int_equal(oct_belief_feel(p.b, &p.m.game, 0), OCT_OK);
    tell(p.a, p.b, 10);
    assert_int_equal(label_of(p.b, 10), OCT_OPEN);
    assert_int_equal(oct_links_get(oct_belief_links(p.b), 0, 0), OCT_LINK_YES);
    pair_free(&p);
}

// ---- memory ----

static oct_result tell_everything(mock *m, oct_belief *b)
{
    oct_known told = {.now = m->things[20].e, .first = 1, .last = 2};
    told.now.thing.id = 500;
    OCT_TRY(oct_belief_observe(b, &m->game, 0));
    OCT_TRY(oct_belief_press(b, (oct_button){10 + PANEL_AT, 1}));
    OCT_TRY(oct_belief_hear(b, &told));
    told.gone = true;
    told.changed = 3;
    OCT_TRY(oct_belief_hear(b, &told));
    return OCT_OK;
}

// Fails, then is tried again: nothing is lost, nothing is there twice.
static oct_result short_of_memory(const oct_allocator *allocator, void *ctx)
{
    (void)ctx;
    mock m;
    wiring w;
    oct_random random = oct_random_seed(3);
    mock_init(&m, OCT_SIGHT_LINE);
    init_wiring(&m, &w, &random);
    for (int i = 8; i < MOCK_THINGS; i++) {
        mock_put(&m, i, i % MOCK_PLACES, (uint32_t)i);
        m.things[i].e.name = i % 2 ? "a" : "bcd";
    }
    oct_belief *const b = mock_belief(&m, allocator);
    if (!b) {
        return OCT_ERROR_MEMORY;
    }
    oct_result result = OCT_OK;
    mock_put(&m, 9, 0, 9);
    for (int stop = 0; stop <= MOCK_PLACES; stop++) {
        mock_stand(&m, stop % MOCK_PLACES);
        m.things[9].there = stop == 0; // gone when one comes back to where it was
        const oct_result first = tell_everything(&m, b);
        if (first != OCT_OK) {
            assert_int_equal(first, OCT_ERROR_MEMORY);
            assert_int_equal(tell_everything(&m, b), OCT_OK);
            assert_true(oct_map_is_valid(oct_belief_map(b)));
            assert_true(oct_links_is_valid(oct_belief_links(b)));
            result = first;
        }
        pass(&m, &w, 7);
    }
    for (int i = 0; i < MOCK_THINGS; i++) {
        const oct_known *const k = get(b, 10 + (uint64_t)i);
        assert_int_equal(k->gone, i == 9);
        assert_string_equal(k->now.name, m.things[i].e.name);
    }
    assert_int_equal(oct_links_doors(oct_belief_links(b)), DOORS);
    oct_belief_destroy(b);
    return result;
}

static void memory_that_is_short_breaks_nothing(void **state)
{
    (void)state;
    assert_true(test_each_failure(short_of_memory, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doors_are_taken_for_what_they_are_or_for_unknown),
        cmocka_unit_test(a_press_makes_its_doors_unknown_until_they_are_learned),
        cmocka_unit_test(an_odd_door_is_as_it_was_seen),
        cmocka_unit_test(an_id_may_come_back_as_something_else),
        cmocka_unit_test(late_effects_are_waited_for),
        cmocka_unit_test(what_is_heard_counts_where_it_is_newer),
        cmocka_unit_test(what_is_heard_to_have_gone_goes),
        cmocka_unit_test(doors_that_are_heard_of_are_as_they_were_seen),
        cmocka_unit_test(memory_that_is_short_breaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
