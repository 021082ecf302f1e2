// SPDX-License-Identifier: MIT
// Beliefs against a slow model that keeps everything it was ever shown, on random worlds that
// change before and behind one's eyes.
#include "agent/belief_internal.h"
#include "belief_mock.h"
#include "valid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- merging ----

// What one knows of a thing, with names of its own.
typedef struct remembered {
    oct_known k;
    char name[8], name_before[8];
    int place; // where it was seen
} remembered;

typedef struct model {
    remembered all[MOCK_THINGS + 1];
    size_t count;
    bool news[MOCK_THINGS + 1];
    uint64_t changes;
} model;

static remembered *find(model *o, uint64_t id)
{
    for (size_t i = 0; i < o->count; i++) {
        if (o->all[i].k.now.thing.id == id) {
            return &o->all[i];
        }
    }
    return NULL;
}

static void keep_names(remembered *r)
{
    r->k.now.name = r->name;
    r->k.before.name = r->name_before;
}

static void note(model *o, remembered *r)
{
    o->news[r - o->all] = true;
    o->changes++;
}

static void see(model *o, const oct_entity *e, int place, uint64_t tick)
{
    remembered *r = find(o, e->thing.id);
    if (!r) {
        r = &o->all[o->count++];
        *r = (remembered){.k = {.now = *e, .first = tick, .changed = tick}};
        note(o, r);
    } else if (r->k.gone || !mock_is_entity(&r->k.now, e)) {
        memcpy(r->name_before, r->name, sizeof r->name);
        r->k.before = r->k.now;
        r->k.now = *e;
        r->k.changed = tick;
        r->k.changes++;
        r->k.gone = false;
        note(o, r);
    }
    snprintf(r->name, sizeof r->name, "%s", e->name);
    keep_names(r);
    r->k.last = tick;
    r->k.in_sight = true;
    r->place = place;
}

static void look(model *o, const mock *m)
{
    memset(o->news, 0, sizeof o->news);
    for (size_t i = 0; i < o->count; i++) {
        o->all[i].k.in_sight = false;
    }
    for (int i = 0; i < MOCK_THINGS; i++) {
        const mock_thing *const t = &m->things[i];
        if (t->there && mock_sees(m, m->place, t->place)) {
            see(o, &t->e, t->place, m->self.tick);
        }
    }
    for (size_t i = 0; i < o->count; i++) {
        remembered *const r = &o->all[i];
        if (!r->k.in_sight && !r->k.gone && mock_sees(m, m->place, r->place)) {
            r->k.before = r->k.now;
            memcpy(r->name_before, r->name, sizeof r->name);
            keep_names(r);
            r->k.gone = true;
            r->k.changed = m->self.tick;
            r->k.changes++;
            note(o, r);
        }
    }
}

static void check_known(const oct_belief *b, const remembered *r)
{
    uint32_t index;
    assert_true(oct_belief_find(b, r->k.now.thing.id, &index));
    const oct_known *const k = oct_belief_get(b, index);
    assert_true(mock_is_entity(&k->now, &r->k.now));
    assert_int_equal(k->first, r->k.first);
    assert_int_equal(k->last, r->k.last);
    assert_int_equal(k->changed, r->k.changed);
    assert_int_equal(k->changes, r->k.changes);
    assert_int_equal(k->in_sight, r->k.in_sight);
    assert_int_equal(k->gone, r->k.gone);
    assert_true(k->changes == 0 || mock_is_entity(&k->before, &r->k.before));
    oct_thing thing;
    assert_int_equal(oct_map_thing(oct_belief_map(b), k->now.thing.id, &thing), !k->gone);
    assert_true(k->gone || mock_is_thing(&thing, &k->now.thing));
}

// The slab is seen from the places near it, never changes, and is not in the model.
static size_t slab_known(const oct_belief *b)
{
    uint32_t ignored;
    return oct_belief_find(b, MOCK_SLAB_ID, &ignored);
}

static void check_news(const oct_belief *b, const model *o)
{
    size_t count, wanted = 0;
    const uint32_t *const news = oct_belief_news(b, &count);
    for (size_t i = 0; i < o->count; i++) {
        wanted += o->news[i];
    }
    size_t met = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t id = oct_belief_get(b, news[i])->now.thing.id;
        met += id != MOCK_SLAB_ID;
        for (size_t j = 0; j < o->count; j++) {
            assert_true(o->all[j].k.now.thing.id != id || o->news[j]);
        }
    }
    assert_int_equal(met, wanted);
    assert_int_equal(oct_belief_changes(b), o->changes + slab_known(b));
}

static void check_names(const oct_belief *b, const model *o)
{
    static const char *const names[] = {"", "a", "b", "c", "d"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t first = 0;
        while (first < o->count &&
               (o->all[first].k.gone || strcmp(o->all[first].name, names[i]) != 0)) {
            first++;
        }
        uint32_t index;
        const bool is_found = oct_belief_find_name(b, names[i], &index);
        assert_int_equal(is_found, first < o->count);
        if (is_found) {
            assert_int_equal(oct_belief_get(b, index)->now.thing.id, o->all[first].k.now.thing.id);
        }
    }
}

// Wholes that drift and are seen have a room each.
static uint32_t count_rooms(const oct_belief *b)
{
    uint64_t wholes[64];
    uint32_t count = 0;
    for (uint32_t i = 0; i < oct_belief_count(b); i++) {
        const oct_known *const k = oct_belief_get(b, i);
        const oct_point v = k->now.velocity;
        uint32_t at = 0;
        while (at < count && (k->now.whole == 0 || wholes[at] != k->now.whole)) {
            at++;
        }
        if (at == count && k->in_sight && k->now.kind != OCT_ENTITY_PLAYER &&
            k->now.thing.label == OCT_BLOCKED && (v.x != 0.0 || v.y != 0.0 || v.z != 0.0)) {
            assert_in_range(count, 0, 63);
            wholes[count++] = k->now.whole;
        }
    }
    return count;
}

static void check(const oct_belief *b, const model *o)
{
    size_t there = 0;
    for (size_t i = 0; i < o->count; i++) {
        check_known(b, &o->all[i]);
        there += !o->all[i].k.gone;
    }
    assert_int_equal(oct_belief_count(b), o->count + slab_known(b));
    assert_int_equal(oct_map_things(oct_belief_map(b)), there + slab_known(b) + count_rooms(b));
    check_news(b, o);
    check_names(b, o);
}

// Something becomes of a thing.
static void change(mock *m, oct_random *random, int thing)
{
    static const char *const names[] = {"", "a", "b", "c", "d"};
    static const oct_property worn[] = {{.name = "integrity", .number = 30.0},
                                        {.name = "integrity", .number = 60.0},
                                        {.name = "paint", .kind = OCT_VALUE_TEXT, .text = "red"}};
    mock_thing *const t = &m->things[thing];
    switch (oct_random_below(random, 8)) {
    case 0:
        t->there = false;
        break;
    case 1:
    case 2:
        mock_put(m, thing, oct_random_range(random, 0, MOCK_PLACES - 1),
                 (uint32_t)oct_random_below(random, 18));
        break;
    case 3:
        t->e.props = &worn[oct_random_below(random, 3)];
        t->e.prop_count = 1;
        break;
    case 4:
        t->e.name = names[oct_random_below(random, 5)];
        break;
    case 5:
        t->e.velocity.x = oct_random_range(random, 0, 2);
        break;
    case 6:
        t->e.forward = oct_random_below(random, 2) ? (oct_point){0, 0, 1} : (oct_point){1, 0, 0};
        break;
    default:
        t->e.thing.tag = (uint16_t)oct_random_below(random, 2);
        mock_be(&t->e, t->e.thing.tag);
        t->e.thing.label = oct_random_below(random, 2) ? OCT_BLOCKED : OCT_OPEN;
    }
}

static void check_merging(oct_sight sight, uint64_t seed)
{
    mock m;
    model o = {0};
    oct_random random = oct_random_seed(seed);
    mock_init(&m, sight);
    oct_belief *const b = mock_belief(&m, NULL);
    const uint64_t steps = test_rounds(1500);
    for (uint64_t step = 0; step < steps; step++) {
        m.self.tick += 1 + oct_random_below(&random, 30);
        for (uint64_t i = oct_random_below(&random, 6); i > 0; i--) {
            change(&m, &random, oct_random_range(&random, 0, MOCK_THINGS - 1));
        }
        if (oct_random_below(&random, 3) == 0) {
            mock_stand(&m, oct_random_range(&random, 0, MOCK_PLACES - 1));
        }
        const uint64_t openings = oct_belief_openings(b);
        assert_int_equal(oct_belief_observe(b, &m.game, 0), OCT_OK);
        look(&o, &m);
        check(b, &o);
        for (size_t i = 0; i < o.count; i++) {
            assert_true(!o.news[i] || o.all[i].k.changes == 0 || oct_belief_openings(b) > openings);
        }
        assert_int_equal(oct_belief_looks(b), step + 1);
        assert_int_equal(oct_belief_self(b)->tick, m.self.tick);
        // Feeling oneself is no look.
        m.self.tick++;
        assert_int_equal(oct_belief_feel(b, &m.game, 0), OCT_OK);
        assert_int_equal(oct_belief_self(b)->tick, m.self.tick);
        check(b, &o);
    }
    assert_true(oct_map_is_valid(oct_belief_map(b)));
    assert_true(o.count > MOCK_THINGS / 2);
    oct_belief_destroy(b);
}

static void looks_are_merged_as_a_plain_model_does(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        check_merging(OCT_SIGHT_THROUGH, seed);
        check_merging(OCT_SIGHT_LINE, 10 + seed);
    }
}

// ---- what it tells ----

static void kinds_types_and_names_are_told(void **state)
{
    (void)state;
    mock m;
    mock_init(&m, OCT_SIGHT_THROUGH);
    mock_put(&m, 0, 0, 0);
    mock_put(&m, 1, 0, 1);
    mock_put(&m, 2, 0, 2);
    m.things[0].e.name = "Lever";
    mock_be(&m.things[0].e, MOCK_PANEL);
    mock_be(&m.things[1].e, MOCK_DOOR);
    m.things[2].e.kind = OCT_ENTITY_PLAYER;
    m.things[2].e.type = "";
    oct_belief *const b = mock_belief(&m, NULL);
    char name[32];
    uint32_t ignored;
    assert_false(oct_belief_find(b, 10, &ignored));
    assert_false(oct_belief_find_name(b, "", &ignored));
    assert_int_equal(oct_belief_observe(b, &m.game, 0), OCT_OK);
    assert_string_equal(oct_belief_get(b, 0)->now.type, "panel");
    assert_int_equal(oct_belief_get(b, 0)->now.kind, OCT_ENTITY_BUTTON);
    assert_int_equal(oct_belief_name(b, oct_belief_get(b, 0), name, sizeof name), 5);
    assert_string_equal(name, "Lever");
    assert_int_equal(oct_belief_get(b, 1)->now.kind, OCT_ENTITY_DOOR);
    assert_int_equal(oct_belief_name(b, oct_belief_get(b, 1), name, sizeof name), 7);
    assert_string_equal(name, "door 11");
    assert_string_equal(oct_belief_get(b, 2)->now.type, "");
    assert_int_equal(oct_belief_get(b, 2)->now.kind, OCT_ENTITY_PLAYER);
    assert_int_equal(oct_belief_name(b, oct_belief_get(b, 2), name, 4), 9);
    assert_string_equal(name, "pla");
    assert_int_equal(oct_links_buttons(oct_belief_links(b)), 2);
    assert_int_equal(oct_links_doors(oct_belief_links(b)), 1);
    assert_int_equal(oct_belief_seen(b).added, 4);
    assert_string_equal(oct_belief_info(b)->game, "mock");
    oct_belief_destroy(b);
}

// What the game says is out of sight is neither seen as it is told, nor missed.
static void what_the_game_remembers_is_not_seen(void **state)
{
    (void)state;
    mock m;
    uint32_t index;
    mock_init(&m, OCT_SIGHT_LINE);
    mock_be(&m.things[0].e, MOCK_DOOR);
    mock_be(&m.things[1].e, MOCK_PANEL);
    mock_put(&m, 0, 0, 0);
    mock_put(&m, 1, 0, 1);
    mock_stand(&m, 0);
    oct_belief *const b = mock_belief(&m, NULL);
    m.things[1].e.is_remembered = true;
    assert_int_equal(oct_belief_observe(b, &m.game, 0), OCT_OK);
    assert_true(oct_belief_find(b, m.things[0].e.thing.id, &index));
    assert_false(oct_belief_find(b, m.things[1].e.thing.id, &(uint32_t){0}));
    const double was = oct_belief_get(b, index)->now.opening;
    m.things[0].e.is_remembered = true;
    m.things[0].e.opening = 1.0 - was;
    assert_int_equal(oct_belief_observe(b, &m.game, 0), OCT_OK);
    const oct_known *k = oct_belief_get(b, index);
    assert_false(k->gone);
    assert_false(k->in_sight);
    assert_true(k->now.opening == was);
    m.things[0].e.is_remembered = false;
    assert_int_equal(oct_belief_observe(b, &m.game, 0), OCT_OK);
    k = oct_belief_get(b, index);
    assert_true(k->in_sight);
    assert_true(k->now.opening == 1.0 - was);
    oct_belief_destroy(b);
}

static void senseless_beliefs_are_refused(void **state)
{
    (void)state;
    mock m;
    mock_init(&m, OCT_SIGHT_LINE);
    oct_belief *b;
    const double bad[] = {-0.5, -1.0, HUGE_VAL - HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < 7; i++) {
        oct_belief_def def = oct_belief_def_default();
        def.info = i == 0 ? NULL : &m.info;
        def.cookie += i == 1;
        def.cell = i >= 2 && i < 6 ? bad[i - 2] : def.cell;
        def.padding = i == 6 ? -1.0 : def.padding;
        b = (oct_belief *)&m;
        assert_int_equal(oct_belief_create(&def, &b), OCT_ERROR_ARGUMENT);
        assert_null(b);
    }
    oct_belief_destroy(NULL);
}

// The padding is whole cells that hold the ball around the body.
static void padding_is_whole_cells_around_the_body(void **state)
{
    (void)state;
    mock m;
    mock_init(&m, OCT_SIGHT_LINE);
    oct_belief_def def = oct_belief_def_default();
    def.info = &m.info;
    oct_belief *b;
    assert_int_equal(oct_belief_create(&def, &b), OCT_OK);
    assert_true(oct_map_padding(oct_belief_map(b)).x == 3.0 * 319.0 / 1024.0);
    oct_belief_destroy(b);
    def.cell = 2.0;
    assert_int_equal(oct_belief_create(&def, &b), OCT_OK);
    assert_true(oct_map_padding(oct_belief_map(b)).y == 2.0);
    oct_belief_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_are_merged_as_a_plain_model_does),
        cmocka_unit_test(kinds_types_and_names_are_told),
        cmocka_unit_test(what_the_game_remembers_is_not_seen),
        cmocka_unit_test(senseless_beliefs_are_refused),
        cmocka_unit_test(padding_is_whole_cells_around_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
