// SPDX-License-Identifier: MIT
// Games that answer wrongly: each ends as OCT_ERROR_LINK with a sentence that says why. And games
// that answer oddly, but as the protocol allows: they are played.
#include "support.h"

#include "link_mock.h"

#include <math.h>
#include <stdio.h>

#define HELLO                                                                                      \
    "{\"n\":$n,\"octant\":1,\"rate\":60,\"can\":[\"geometry\",\"self\",\"turn\",\"hash\","         \
    "\"reset\",\"since\",\"join\"]}"
#define PLAYERS "\"players\":[{\"id\":1,\"height\":2,\"eye\":1.5}]"
#define BOUNDS "\"rules\":{\"bounds\":[-9,-9,-9,9,9,9]}"
#define DESCRIBE "{\"n\":$n,\"up\":\"y\"," BOUNDS "," PLAYERS "}"
#define UNBOUNDED "{\"n\":$n,\"up\":\"y\",\"rules\":{\"view\":5}," PLAYERS "}"
#define SELF "\"rev\":1,\"tick\":5,\"self\":{\"id\":1,\"position\":[1,2,3]}"

static oct_result open_script(mock_script *script, const char *const *lines, size_t count,
                              oct_game **out, char *why, size_t size)
{
    *script = (mock_script){.lines = lines, .count = count};
    const link_carrier carrier = mock_script_carrier(script);
    const link_client_def def = {.name = "test"};
    return oct_link_play(&carrier, &def, out, why, size);
}

typedef struct wrong {
    const char *line;
    const char *says;
} wrong;

// ---- at the beginning ----

static void wrong_hellos_are_refused(void **state)
{
    (void)state;
    static const wrong all[] = {
        {"", "lost"},
        {"hello", "not JSON"},
        {"[1]", "no JSON object"},
        {"{\"n\":$n,\"octant\":2}", "version 2"},
        {"{\"n\":$n,\"octant\":1,\"rate\":0}", "'rate'"},
        {"{\"n\":$n,\"octant\":1,\"rate\":1e999}", "not JSON"},
        {"{\"n\":$n,\"octant\":1,\"rate\":\"60\"}", "'rate' must be a finite number"},
        {"{\"n\":$n,\"octant\":1,\"can\":\"turn\"}", "'can' must be a list"},
        {"{\"n\":77,\"octant\":1}", "another request"},
        {"{\"n\":$n,\"error\":\"version\",\"text\":\"too old\"}", "too old"},
        {"{\"error\":\"game\",\"text\":\"busy\"}", "busy"},
        {"{\"n\":$n,\"error\":7}", "no text"},
        {"{\"n\":$n,\"octant\":1,\"game\":\"\xff\"}", "not JSON"},
        {"{\"n\":$n,\"x\":[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]}", "nested deeper"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        mock_script script;
        oct_game *game;
        char why[2000];
        const char *const lines[] = {all[i].line};
        assert_int_not_equal(open_script(&script, lines, 1, &game, why, sizeof why), OCT_OK);
        assert_null(game);
        if (!strstr(why, all[i].says)) {
            fail_msg("%s: %s", all[i].line, why);
        }
    }
}

static void wrong_descriptions_are_refused(void **state)
{
    (void)state;
    static const wrong all[] = {
        {"{\"n\":$n,\"players\":{}}", "'players' must be a list"},
        {"{\"n\":$n,\"players\":[1]}", "must be an object"},
        {"{\"n\":$n,\"players\":[]}", "'players' is empty"},
        {"{\"n\":$n,\"players\":[{\"height\":0}]}", "more than 0"},
        {"{\"n\":$n,\"players\":[{\"height\":-1}]}", "'height'"},
        {"{\"n\":$n,\"players\":[{\"width\":1e300}]}", "'width'"},
        {"{\"n\":$n,\"players\":[{\"id\":1.5}]}", "'id' must be a whole number"},
        {"{\"n\":$n,\"players\":[{\"id\":1},{\"id\":1}]}", "another player has its id"},
        {"{\"n\":$n,\"players\":[{\"id\":-1}]}", "'id'"},
        {"{\"n\":$n,\"players\":[{\"id\":9007199254740992}]}", "'id'"},
        {"{\"n\":$n,\"rules\":[]}", "'rules' must be an object"},
        {"{\"n\":$n,\"rules\":{\"bounds\":[0,0,0,-1,1,1]}}", "inside out"},
        {"{\"n\":$n,\"rules\":{\"bounds\":[0,0,0]}}", "list of 6 numbers"},
        {"{\"n\":$n,\"rules\":{\"gravity\":[0,0,1e16]}}", "within 1e15"},
        {"{\"n\":$n,\"metre\":0}", "'metre'"},
        {"{\"n\":$n,\"error\":\"game\",\"text\":\"crashed\"}", "crashed"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        mock_script script;
        oct_game *game;
        char why[2000];
        const char *const lines[] = {HELLO, all[i].line};
        assert_int_equal(open_script(&script, lines, 2, &game, why, sizeof why), OCT_ERROR_LINK);
        if (!strstr(why, all[i].says)) {
            fail_msg("%s: %s", all[i].line, why);
        }
    }
}

// ---- while it plays ----

#define OBSERVED(rest) "{\"n\":$n," SELF rest "}"
#define ENTITY(fields) OBSERVED(",\"entities\":[{" fields "}]")
#define BOX "\"box\":[0,0,0,1,1,1]"

static void wrong_observations_end_the_link(void **state)
{
    (void)state;
    static const wrong all[] = {
        {"{\"n\":$n}", "'self' is missing"},
        {"{\"n\":$n,\"self\":{}}", "'position' is missing"},
        {"{\"n\":$n,\"self\":{\"id\":2,\"position\":[0,0,0]}}", "not the one that describe"},
        {"{\"n\":$n,\"self\":{\"position\":[0,0]}}", "list of 3 numbers"},
        {"{\"n\":$n,\"self\":{\"position\":[0,0,0],\"forward\":[0,0,0]}}", "no direction"},
        {"{\"n\":$n,\"self\":{\"position\":[0,0,0],\"look\":[0,0,0]}}", "no direction"},
        {"{\"n\":$n,\"since\":1,\"self\":{\"position\":[0,0,0]}}", "not asked for"},
        {"{\"n\":$n,\"tick\":-1,\"self\":{\"position\":[0,0,0]}}", "'tick'"},
        {OBSERVED(",\"entities\":{}"), "'entities' must be a list"},
        {OBSERVED(",\"entities\":[7]"), "must be an object"},
        {ENTITY(BOX), "'id' is missing"},
        {ENTITY("\"id\":3"), "has no box"},
        {ENTITY("\"id\":3,\"box\":[1,0,0,0,1,1]"), "entity 3: 'box' is inside out"},
        {ENTITY("\"id\":3,\"box\":[0,0,0,1,1]"), "list of 6 numbers"},
        {ENTITY("\"id\":3,\"box\":[0,0,0,1,1,\"1\"]"), "list of 6 numbers"},
        {ENTITY("\"id\":3,\"obb\":[0,0,0,1,1,1,0,0,0,0]"), "no rotation"},
        {ENTITY("\"id\":3,\"obb\":[0,0,0,1,-1,1,0,0,0,1]"), "inside out"},
        {ENTITY("\"id\":3,\"hull\":[0,0]"), "flat list"},
        {ENTITY("\"id\":3,\"hull\":[]"), "flat list"},
        {ENTITY("\"id\":3,\"boxes\":[]"), "'boxes' is empty"},
        {ENTITY("\"id\":3,\"boxes\":[[0,0,0,1,1,1]]"), "'boxes' must hold"},
        {ENTITY("\"id\":3,\"v\":[0,0,0,1,0,0,0,1,0],\"t\":[0,1,3]"), "does not have"},
        {ENTITY("\"id\":1," BOX), "cannot happen"}, // oneself: passed over
        {ENTITY("\"id\":3," BOX "},{\"id\":3.0," BOX), "twice in one answer"},
        {ENTITY("\"id\":3," BOX ",\"solid\":1"), "'solid' must be true or false"},
        {ENTITY("\"id\":3," BOX ",\"kind\":1"), "'kind' must be a text"},
        {ENTITY("\"id\":3," BOX ",\"props\":[]"), "'props' must be an object"},
        {ENTITY("\"id\":3," BOX ",\"uses\":\"press\""), "'uses' must be a list"},
        {ENTITY("\"id\":3," BOX ",\"stops\":[[0,0,0,-1,0,0]]"), "inside out"},
        {ENTITY("\"id\":3," BOX ",\"gap\":[0,0,0,-1,0,0]"), "'gap' is inside out"},
        {ENTITY("\"id\":3," BOX ",\"harm\":-1"), "'harm'"},
        {ENTITY("\"id\":3,\"id64\":\"5\"," BOX), "'id64'"},
        {ENTITY("\"id\":4503599627370497,\"id64\":\"9223372036854775808\"," BOX), "not the next"},
        {OBSERVED(",\"events\":[1]"), "list of objects"},
        {OBSERVED(",\"events\":[{\"what\":5}]"), "'what' must be a text"},
        {"{\"n\":$n,\"error\":\"game\",\"text\":\"it died\"}", "it died"},
        {"{\"n\":$n,\"error\":\"strange\",\"text\":\"?\"}", "strange"},
        {"{\"n\":\"1\"," SELF "}", "another request"},
        {"", "lost"},
        {"{", "not JSON"},
        {"{\"n\":$n}x", "not JSON"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        mock_script script;
        oct_game *game;
        oct_observation seen;
        char why[2000];
        const char *const lines[] = {HELLO, DESCRIBE, all[i].line};
        assert_int_equal(open_script(&script, lines, 3, &game, why, sizeof why), OCT_OK);
        const oct_result result = oct_game_observe(game, 0, &seen);
        if (strcmp(all[i].says, "cannot happen") == 0) {
            assert_int_equal(result, OCT_OK);
            assert_int_equal(seen.count, 0);
        } else {
            assert_int_equal(result, OCT_ERROR_LINK);
            if (!strstr(oct_game_trouble(game), all[i].says)) {
                fail_msg("%s: %s", all[i].line, oct_game_trouble(game));
            }
            assert_non_null(strstr(oct_game_trouble(game), "> {\"n\":3,\"do\":\"observe\""));
            // From now on nothing is asked any more.
            oct_act came;
            const oct_action wait = {.verb = OCT_VERB_WAIT, .ticks = 1};
            assert_int_equal(oct_game_act(game, 0, &wait, &came), OCT_ERROR_LINK);
            assert_int_equal(oct_game_turn(game, 0, &wait, &came), OCT_ERROR_LINK);
            assert_int_equal(oct_game_step(game, 1), OCT_ERROR_LINK);
            assert_int_equal(oct_game_observe(game, 0, &seen), OCT_ERROR_LINK);
            assert_int_equal(oct_game_reset(game, NULL), OCT_ERROR_LINK);
            assert_true(oct_game_hash(game) == 0);
        }
        oct_game_destroy(game);
    }
}

// Two answers, of which the second does not go with the first.
static void wrong_second_answers_end_the_link(void **state)
{
    (void)state;
    static const wrong all[] = {
        {"{\"n\":$n,\"tick\":4,\"self\":{\"position\":[0,0,0]}}",
         "the tick went back, from 5 to 4"},
        {"{\"n\":$n,\"since\":2,\"self\":{\"position\":[0,0,0]}}", "not asked for"},
        {"{\"n\":$n,\"rev\":2,\"since\":1,\"self\":{\"position\":[0,0,0]},\"entities\":"
         "[{\"id\":9,\"solid\":false}]}",
         "entity 9: it is new"},
        {"{\"n\":$n,\"rev\":2,\"since\":1,\"self\":{\"position\":[0,0,0]},\"gone\":[\"a\"]}",
         "list of ids"},
        {"{\"n\":$n,\"rev\":2,\"since\":1,\"self\":{\"position\":[0,0,0]},\"entities\":"
         "[{\"id\":3},{\"id\":3}]}",
         "twice in one answer"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        mock_script script;
        oct_game *game;
        oct_observation seen;
        oct_act came;
        char why[2000];
        const char *const lines[] = {HELLO, DESCRIBE, ENTITY("\"id\":3," BOX), all[i].line};
        const oct_action wait = {.verb = OCT_VERB_WAIT, .ticks = 1};
        assert_int_equal(open_script(&script, lines, 4, &game, why, sizeof why), OCT_OK);
        assert_int_equal(oct_game_observe(game, 0, &seen), OCT_OK);
        assert_int_equal(oct_game_turn(game, 0, &wait, &came), OCT_ERROR_LINK);
        if (!strstr(oct_game_trouble(game), all[i].says)) {
            fail_msg("%s: %s", all[i].line, oct_game_trouble(game));
        }
        oct_game_destroy(game);
    }
}

static void ids_are_one_set(void **state)
{
    (void)state;
    static const char page[] = "{\"n\":$n,\"parts\":[{\"id\":7," BOX "},{\"id\":8," BOX "}]}";
    static const char twice[] = "{\"n\":$n,\"parts\":[{\"id\":7," BOX "},{\"id\":7," BOX "}]}";
    mock_script script;
    oct_game *game;
    oct_observation seen;
    oct_scenery_page got;
    char why[2000];
    const char *const entity_after[] = {HELLO, DESCRIBE, page, ENTITY("\"id\":8," BOX)};
    assert_int_equal(open_script(&script, entity_after, 4, &game, why, sizeof why), OCT_OK);
    assert_int_equal(oct_game_scenery(game, 0, &got), OCT_OK);
    assert_int_equal(got.count, 2);
    assert_int_equal(oct_game_observe(game, 0, &seen), OCT_ERROR_LINK);
    assert_non_null(strstr(oct_game_trouble(game), "a part of the scenery has its id"));
    oct_game_destroy(game);

    const char *const entity_before[] = {HELLO, DESCRIBE, ENTITY("\"id\":8," BOX), page};
    assert_int_equal(open_script(&script, entity_before, 4, &game, why, sizeof why), OCT_OK);
    assert_int_equal(oct_game_observe(game, 0, &seen), OCT_OK);
    assert_int_equal(oct_game_scenery(game, 0, &got), OCT_ERROR_LINK);
    assert_non_null(strstr(oct_game_trouble(game), "an entity has its id"));
    oct_game_destroy(game);

    const char *const parts[] = {HELLO, DESCRIBE, twice};
    assert_int_equal(open_script(&script, parts, 3, &game, why, sizeof why), OCT_OK);
    assert_int_equal(oct_game_scenery(game, 0, &got), OCT_ERROR_LINK);
    assert_non_null(strstr(oct_game_trouble(game), "another part has its id"));
    oct_game_destroy(game);
}

// Who can do nothing else flies; who can do both flies where it does not stand.
static void flying_need_not_be_told(void **state)
{
    (void)state;
    static const struct {
        const char *gait, *self;
        bool flies;
    } all[] = {{"fly", "", true},
               {"fly", ",\"flies\":false", true},
               {"both", "", true},
               {"both", ",\"stands\":true", false},
               {"walk", "", false},
               {"both", ",\"flies\":false", false},
               {"fly", ",\"stands\":true", true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        mock_script script;
        oct_game *game;
        oct_observation seen;
        char why[2000], describe[200], observe[200];
        (void)snprintf(
            describe, sizeof describe,
            "{\"n\":$n,\"rules\":{\"bounds\":[0,0,0,9,9,9]},\"players\":[{\"gait\":\"%s\"}]}",
            all[i].gait);
        (void)snprintf(observe, sizeof observe, "{\"n\":$n,\"self\":{\"position\":[1,2,3]%s}}",
                       all[i].self);
        const char *const lines[] = {HELLO, describe, observe};
        assert_int_equal(open_script(&script, lines, 3, &game, why, sizeof why), OCT_OK);
        assert_int_equal(oct_game_observe(game, 0, &seen), OCT_OK);
        assert_int_equal(seen.self.flies, all[i].flies);
        oct_game_destroy(game);
    }
}

static void pages_must_lead_on(void **state)
{
    (void)state;
    static const char *const wrongs[] = {
        "{\"n\":$n,\"parts\":[{" BOX "}],\"next\":-1}", "{\"n\":$n,\"parts\":[],\"next\":1e16}",
        "{\"n\":$n,\"parts\":[{\"id\":1," BOX "}]}", "{\"n\":$n,\"parts\":[{\"id\":9}]}"};
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        mock_script script;
        oct_game *game;
        oct_scenery_page got;
        char why[2000];
        const char *const lines[] = {HELLO, DESCRIBE, wrongs[i]};
        assert_int_equal(open_script(&script, lines, 3, &game, why, sizeof why), OCT_OK);
        assert_int_equal(oct_game_scenery(game, 0, &got), OCT_ERROR_LINK);
        assert_int_equal(got.next, 0);
        oct_game_destroy(game);
    }
}

// What `next` says is the game's own affair: it may fall, and a page may be empty.
static void pages_come_in_any_order_but_in_no_circle(void **state)
{
    (void)state;
    static const char *const lines[] = {HELLO,
                                        DESCRIBE,
                                        "{\"n\":$n,\"parts\":[],\"next\":77}",
                                        "{\"n\":$n,\"parts\":[{" BOX "}],\"next\":5.0}",
                                        "{\"n\":$n,\"parts\":[{" BOX "}]}",
                                        "{\"n\":$n,\"next\":3}",
                                        "{\"n\":$n,\"next\":2}",
                                        "{\"n\":$n,\"next\":3}",
                                        "{\"n\":$n,\"next\":2}",
                                        "{\"n\":$n,\"next\":3}",
                                        "{\"n\":$n,\"next\":2}"};
    static const size_t nexts[] = {77, 5, 0, 3, 2};
    mock_script script;
    oct_game *game;
    oct_scenery_page got = {.next = 0};
    char why[2000];
    oct_result result = OCT_OK;
    assert_int_equal(open_script(&script, lines, 11, &game, why, sizeof why), OCT_OK);
    for (size_t i = 0; i < 9 && result == OCT_OK; i++) {
        result = oct_game_scenery(game, got.next, &got);
        assert_true(i >= 5 || (result == OCT_OK && got.next == nexts[i]));
    }
    assert_int_equal(result, OCT_ERROR_LINK);
    assert_non_null(strstr(oct_game_trouble(game), "leads back"));
    oct_game_destroy(game);
}

static void silence_is_a_failure(void **state)
{
    (void)state;
    mock_script script = {.is_silent = true};
    const link_carrier carrier = mock_script_carrier(&script);
    const link_client_def def = {.load_ms = 1500};
    oct_game *game;
    char why[2000];
    assert_int_equal(oct_link_play(&carrier, &def, &game, why, sizeof why), OCT_ERROR_LINK);
    assert_non_null(strstr(why, "did not answer within 1.5 s"));
}

// ---- what is odd but allowed ----

static void what_the_text_allows_is_taken(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "{\"n\":1.0,\"octant\":1e0,\"can\":[\"since\",\"fly\"],\"strange\":{\"a\":[1]},\"rate\":"
        "null}",
        "{\"n\":$n,\"up\":\"y\",\"players\":[{\"id\":3e0,\"height\":2,\"eye\":1.5,\"verbs\":["
        "\"swim\"]}],"
        "\"rules\":{\"promises\":[\"means\",\"nonsense\"],\"denies\":[7]}}",
        " {\"rev\":1.0,\"self\":{\"position\":[1,2,3],\"up\":[0,2,0],\"forward\":[0,0.5,-3],"
        "\"health\":1.5},\"entities\":[{\"id\":9,\"box\":[0,0,0,1,1,1],\"kind\":\"elf\","
        "\"opening\":7,\"name\":null},{\"id\":5,\"kind\":\"door\",\"obb\":[0,0,0,1,2,3,0,0,0,2],"
        "\"opening\":1,\"props\":{\"a\":1,\"b\":null,\"c\":\"x\",\"d\":[1],\"e\":true}}]}\r",
        "{\"n\":$n,\"came\":\"out of mana\"}",
        "{\"n\":$n,\"tick\":9}",
        "\r\n\n{\"n\":$n,\"rev\":2,\"since\":1,\"self\":{\"position\":[1,2,4]},\"entities\":["
        "{\"id\":5,\"opening\":null,\"props\":{\"a\":2}}],\"gone\":[77,9]}",
    };
    mock_script script;
    oct_game *game;
    oct_observation seen;
    oct_act came;
    char why[2000];
    const oct_action wait = {.verb = OCT_VERB_WAIT, .ticks = 4};
    assert_int_equal(open_script(&script, lines, 6, &game, why, sizeof why), OCT_OK);
    assert_true(oct_game_describe(game)->promises == 1u << OCT_ASSUME_MEANS);
    assert_true(oct_game_describe(game)->denies == 1u << OCT_ASSUME_FEET);
    assert_true(oct_game_describe(game)->rate == 60.0);
    assert_int_equal(oct_game_observe(game, 0, &seen), OCT_OK);
    assert_int_equal(seen.self.id, 3);
    assert_true(seen.self.pose.up.y == 1.0 && seen.self.health == 1.0);
    assert_true(seen.self.centre.y == 3.0 && seen.self.eye.y == 3.5);
    assert_true(fabs(seen.self.pose.forward.y) < 1e-12);
    assert_int_equal(seen.count, 2);
    const oct_entity *const door = &seen.entities[0];
    assert_int_equal(door->thing.id, 5);
    assert_int_equal(door->thing.label, OCT_OPEN);
    assert_true(door->thing.box.max.z == 3.0 && door->shape.pieces[0].turn[3] == 1.0);
    assert_int_equal(door->prop_count, 3);
    assert_int_equal(seen.entities[1].kind, OCT_ENTITY_SOLID);
    assert_string_equal(seen.entities[1].name, "");
    assert_true(seen.entities[1].opening == 1.0);
    // Without `turn` it is three requests; an unknown word is a refusal in that word.
    assert_int_equal(oct_game_turn(game, 0, &wait, &came), OCT_OK);
    assert_int_equal(came, OCT_ACT_REFUSED);
    assert_string_equal(oct_game_refusal(game), "out of mana");
    assert_int_equal(oct_game_tick(game), 9);
    assert_int_equal(oct_game_observe(game, 0, &seen), OCT_OK);
    assert_non_null(strstr(script.asked, "\"since\":1"));
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.entities[0].thing.label, OCT_BLOCKED);
    assert_int_equal(seen.entities[0].prop_count, 1);
    assert_true(oct_game_hash(game) == 0);
    uint32_t who;
    assert_int_equal(oct_game_join(game, NULL, &who), OCT_ERROR_UNSUPPORTED);
    assert_int_equal(oct_game_reset(game, NULL), OCT_ERROR_UNSUPPORTED);
    oct_scenery_page page;
    assert_int_equal(oct_game_scenery(game, 0, &page), OCT_OK);
    assert_int_equal(page.count, 0);
    oct_game_destroy(game);
}

static void another_scene_is_asked_for_anew(void **state)
{
    (void)state;
    static const char *const lines[] = {
        HELLO, DESCRIBE, OBSERVED(",\"scene\":1"),
        "{\"n\":$n,\"tick\":6,\"rev\":2,\"scene\":2,\"self\":{\"position\":[0,0,0]}}",
        "{\"n\":$n,\"up\":\"z\",\"world\":\"second\"," BOUNDS ",\"players\":[{\"id\":1}]}"};
    mock_script script;
    oct_game *game;
    oct_observation seen;
    oct_act came;
    char why[2000];
    const oct_action wait = {.verb = OCT_VERB_WAIT, .ticks = 1};
    assert_int_equal(open_script(&script, lines, 5, &game, why, sizeof why), OCT_OK);
    assert_int_equal(oct_game_observe(game, 0, &seen), OCT_OK);
    assert_int_equal(seen.scene, 1);
    assert_int_equal(oct_game_turn(game, 0, &wait, &came), OCT_OK);
    assert_string_equal(oct_game_describe(game)->level, "second");
    assert_int_equal(oct_game_observe(game, 0, &seen), OCT_OK);
    assert_int_equal(seen.scene, 2);
    oct_game_destroy(game);
}

// ---- bounds that nobody tells ----

static bool is_point(oct_point p, double x, double y, double z)
{
    return p.x == x && p.y == y && p.z == z;
}

// The hull of parts, entities, gaps and the player, grown by the view; what was told to find that
// is told once.
static void bounds_follow_from_what_is_told(void **state)
{
    (void)state;
    static const char *const lines[] = {
        HELLO,
        UNBOUNDED,
        "{\"n\":$n,\"parts\":[{\"id\":7,\"box\":[0,0,0,4,1,1]}],\"next\":1}",
        "{\"n\":$n,\"parts\":[{\"id\":8,\"boxes\":[{\"box\":[0,0,0,1,1,1]},"
        "{\"box\":[0,0,0,1,3,1]}]}]}",
        "{\"n\":$n," SELF ",\"events\":[{\"what\":\"said\",\"text\":\"hi\"}],\"entities\":["
        "{\"id\":3,\"box\":[0,0,0,1,1,2]},{\"id\":4,\"kind\":\"door\",\"box\":[0,0,0,1,1,1],"
        "\"gap\":[-2,0,0,0,1,1]}]}",
        "{\"n\":$n,\"who\":0}",
        UNBOUNDED,
        "{\"n\":$n,\"tick\":0}",
        DESCRIBE};
    mock_script script;
    oct_game *game;
    oct_observation seen;
    uint32_t who;
    char why[2000];
    assert_int_equal(open_script(&script, lines, 9, &game, why, sizeof why), OCT_OK);
    const oct_game_info *const info = oct_game_describe(game);
    assert_true(info->has_bounds && oct_link_facts(game).has_own_bounds);
    assert_true(is_point(info->bounds.min, -7.0, -5.0, -5.0));
    assert_true(is_point(info->bounds.max, 9.0, 8.0, 8.0)); // the player's centre is at 1, 3, 3
    const uint64_t asked = oct_link_facts(game).requests;
    assert_int_equal(oct_game_observe(game, 0, &seen), OCT_OK);
    assert_int_equal(seen.event_count, 1);
    assert_int_equal(oct_game_observe(game, 0, &seen), OCT_OK);
    assert_int_equal(seen.event_count, 0);
    assert_int_equal(oct_link_facts(game).requests, asked);
    // Another description of the same level leaves them.
    assert_int_equal(oct_game_join(game, NULL, &who), OCT_OK);
    assert_true(oct_game_describe(game)->has_bounds);
    assert_true(is_point(oct_game_describe(game)->bounds.min, -7.0, -5.0, -5.0));
    // Another level has others.
    assert_int_equal(oct_game_reset(game, NULL), OCT_OK);
    assert_true(is_point(oct_game_describe(game)->bounds.min, -9.0, -9.0, -9.0));
    assert_false(oct_link_facts(game).has_own_bounds);
    oct_game_destroy(game);
}

// Where there are no parts, or they cannot be read, there are no bounds; the link is opened.
static void without_geometry_there_are_no_bounds(void **state)
{
    (void)state;
    static const char *const pages[] = {"{\"n\":$n,\"parts\":[]}",
                                        "{\"n\":$n,\"error\":\"range\",\"text\":\"too many\"}",
                                        "{\"n\":$n,\"parts\":[{\"id\":1}]}"};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        const char *const lines[] = {HELLO, UNBOUNDED, pages[i]};
        mock_script script;
        oct_game *game;
        oct_scenery_page page;
        char why[2000];
        assert_int_equal(open_script(&script, lines, 3, &game, why, sizeof why), OCT_OK);
        assert_false(oct_game_describe(game)->has_bounds);
        assert_int_equal(oct_game_scenery(game, 0, &page), OCT_ERROR_LINK);
        assert_non_null(strstr(oct_game_trouble(game), i < 2 ? "lost" : "a player has its id"));
        oct_game_destroy(game);
    }
}

// A game without a level says so, and waits for a reset.
static void a_level_may_come_with_the_reset(void **state)
{
    (void)state;
    static const char *const lines[] = {HELLO,
                                        "{\"n\":$n,\"error\":\"range\",\"text\":\"no level\"}",
                                        "{\"n\":$n,\"tick\":0}", DESCRIBE};
    mock_script script;
    oct_game *game;
    char why[2000];
    assert_int_equal(open_script(&script, lines, 4, &game, why, sizeof why), OCT_OK);
    assert_int_equal(oct_game_players(game), 0);
    assert_int_equal(oct_game_reset(game, &(oct_game_start){.level = "x \"y\""}), OCT_OK);
    assert_int_equal(oct_game_players(game), 1);
    oct_game_destroy(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_hellos_are_refused),
        cmocka_unit_test(wrong_descriptions_are_refused),
        cmocka_unit_test(wrong_observations_end_the_link),
        cmocka_unit_test(wrong_second_answers_end_the_link),
        cmocka_unit_test(ids_are_one_set),
        cmocka_unit_test(flying_need_not_be_told),
        cmocka_unit_test(pages_must_lead_on),
        cmocka_unit_test(pages_come_in_any_order_but_in_no_circle),
        cmocka_unit_test(silence_is_a_failure),
        cmocka_unit_test(what_the_text_allows_is_taken),
        cmocka_unit_test(another_scene_is_asked_for_anew),
        cmocka_unit_test(bounds_follow_from_what_is_told),
        cmocka_unit_test(without_geometry_there_are_no_bounds),
        cmocka_unit_test(a_level_may_come_with_the_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
