// SPDX-License-Identifier: MIT
// Records and traces of real runs, and of very long ones.
#include "report_scene.h"
#include "support.h"

#include "report/html.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static oct_goal *press_and_go(const oct_allocator *allocator)
{
    const oct_pick button = {.name = "Button1"};
    oct_goal *const parts[] = {oct_goal_close_to_button(allocator, &button),
                               oct_goal_press_button(allocator, &button, 0),
                               oct_goal_explore(allocator)};
    return oct_goal_seq(allocator, parts, 3);
}

// ---- a real run ----

static void a_run_is_recorded(void **state)
{
    (void)state;
    oct_play_record *record;
    oct_play_result result;
    assert_int_equal(oct_play_record_create(NULL, &record), OCT_OK);
    const oct_play_watch watch = oct_play_record_watch(record);
    scene_play("three_doors.json", press_and_go, 2, 120, &watch, &result);
    assert_int_equal(record->result, OCT_OK);
    assert_int_equal(record->left_out, 0);
    assert_int_equal(record->agent_count, 2);
    assert_true(record->plan_count >= 1);
    const record_agent *const agent = &record->agents[0];
    assert_true(agent->track.places.count > 20 && agent->track.places.count <= 120);
    assert_true(agent->travelled > 1.0);
    assert_true(agent->goals.count >= 4);
    assert_true(agent->spans.count >= 4);
    const record_mark *const marks = agent->marks.items;
    assert_int_equal(agent->marks.count, 1);
    assert_int_equal(marks[0].kind, RECORD_PRESS);
    assert_string_equal(marks[0].text, "Button1:0");
    const record_link *const links = agent->links.items;
    assert_true(agent->links.count >= 1);
    assert_string_equal(links[0].button, "Button1:0");
    assert_true(links[0].presses >= 1);
    const record_plan *const plan = &record->plans[0];
    assert_true(plan->plane.size[0] > 0 && plan->plane.size[0] <= DRAWING_EDGE);
    assert_int_equal(plan->cells.count, (size_t)plan->plane.size[0] * plan->plane.size[1]);
    size_t kinds[DRAWING_CELL_COUNT] = {0};
    for (size_t i = 0; i < plan->cells.count; i++) {
        kinds[((const uint8_t *)plan->cells.items)[i]]++;
    }
    assert_true(kinds[DRAWING_OPEN] > 0 && kinds[DRAWING_BLOCKED] > 0 &&
                kinds[DRAWING_UNKNOWN] > 0);
    oct_play_record_destroy(record);
    oct_play_result_free(&result);
}

// Every cell of a plan is drawn once, in the rectangles that the page holds.
static void rectangles_cover_a_plan(void **state)
{
    (void)state;
    oct_play_record *record;
    assert_int_equal(oct_play_record_create(NULL, &record), OCT_OK);
    record_plan *const plan = &record->plans[record->plan_count++];
    plan->plane = (drawing_plane){.axis = {0, 1}, .across = 2, .edge = 1, .size = {40, 30}};
    oct_random random = oct_random_seed(3);
    for (size_t i = 0; i < 40 * 30; i++) {
        const uint8_t cell = oct_random_below(&random, 3) == 0 ? DRAWING_BLOCKED : DRAWING_OPEN;
        assert_int_equal(oct_array_push(&plan->cells, &record->allocator, 1, &cell), OCT_OK);
    }
    scene_text out;
    scene_text_init(&out);
    oct_html_plan(&out.out, record, plan, 0);
    static const char *const names[] = {"m-open\" d=\"", "m-blocked\" d=\""};
    uint8_t drawn[40 * 30] = {0};
    for (int k = 0; k < 2; k++) {
        const char *at = strstr(scene_text_read(&out), names[k]) + strlen(names[k]);
        unsigned x, y, w, h;
        int used;
        while (sscanf(at, "M%u %uh%uv%uh-%*uz%n", &x, &y, &w, &h, &used) == 4) {
            at += used;
            for (unsigned i = x; i < x + w; i++) {
                for (unsigned j = y; j < y + h; j++) {
                    assert_true(i < 40 && j < 30);
                    drawn[j * 40 + i]++;
                    assert_int_equal(((const uint8_t *)plan->cells.items)[j * 40 + i],
                                     k == 0 ? DRAWING_OPEN : DRAWING_BLOCKED);
                }
            }
        }
        assert_int_equal(*at, '"');
    }
    for (size_t i = 0; i < sizeof drawn; i++) {
        assert_int_equal(drawn[i], 1);
    }
    scene_text_free(&out);
    oct_play_record_destroy(record);
}

// What a plan shows of a tree is what each of its cells says.
static void cells_are_those_of_the_tree(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(5);
    const oct_allocator memory = oct_allocator_default();
    for (int round = 0; round < 300; round++) {
        oct_tree_def def = oct_tree_def_default();
        oct_tree *tree;
        def.cell_size = 0.25 * (1 + (double)oct_random_below(&random, 4));
        def.origin = (oct_point){3.5, -7.25, 1.75};
        assert_int_equal(oct_tree_create(&def, &tree), OCT_OK);
        for (int i = 0; i < 40; i++) {
            const oct_cell cell = {(int32_t)oct_random_below(&random, 24) - 12,
                                   (int32_t)oct_random_below(&random, 24) - 12,
                                   (int32_t)oct_random_below(&random, 24) - 12,
                                   (uint8_t)oct_random_below(&random, 3)};
            const oct_mark mark =
                oct_random_below(&random, 2) == 0 ? OCT_MARK_OPEN : OCT_MARK_BLOCKED;
            const oct_cell node = {cell.x & ~((1 << cell.level) - 1),
                                   cell.y & ~((1 << cell.level) - 1),
                                   cell.z & ~((1 << cell.level) - 1), cell.level};
            assert_int_equal(oct_tree_set(tree, node, mark), OCT_OK);
        }
        static const int axes[3][2] = {{1, 2}, {0, 2}, {0, 1}};
        const int across = (int)oct_random_below(&random, 3);
        const int32_t layer = (int32_t)oct_random_below(&random, 24) - 12;
        const double origins[3] = {def.origin.x, def.origin.y, def.origin.z};
        drawing_plane plane = {.axis = {axes[across][0], axes[across][1]},
                               .across = across,
                               .at = origins[across] + (layer + 0.5) * def.cell_size};
        oct_array cells = {0};
        oct_drawing_aim(&plane, tree, (oct_box){{-12, -12, -12}, {16, 16, 16}});
        assert_int_equal(oct_drawing_take_cells(&plane, tree, true, &memory, &cells), OCT_OK);
        assert_int_equal(cells.count, 28 * 28);
        for (int32_t j = 0; j < 28; j++) {
            for (int32_t i = 0; i < 28; i++) {
                oct_vec at = {layer, layer, layer};
                *oct_drawing_vec_along(&at, plane.axis[0]) = i - 12;
                *oct_drawing_vec_along(&at, plane.axis[1]) = j - 12;
                bool beside = false;
                for (int k = 0; k < 6; k++) {
                    oct_vec next = at;
                    *oct_drawing_vec_along(&next, k / 2) += k % 2 ? 1 : -1;
                    beside |= oct_tree_label(tree, next) == OCT_UNKNOWN;
                }
                const oct_label label = oct_tree_label(tree, at);
                const drawing_mark wanted = label == OCT_UNKNOWN   ? DRAWING_UNKNOWN
                                            : label == OCT_BLOCKED ? DRAWING_BLOCKED
                                            : beside               ? DRAWING_FRONTIER
                                                                   : DRAWING_OPEN;
                assert_int_equal(((const uint8_t *)cells.items)[j * 28 + i], wanted);
            }
        }
        oct_array_free(&cells, &memory, 1);
        oct_tree_destroy(tree);
    }
}

// Names that are drawn do not touch each other, and lie on the drawing.
static void names_can_be_read(void **state)
{
    (void)state;
    const drawing_plane plane = {.axis = {0, 1}, .across = 2, .edge = 1, .size = {40, 30}};
    oct_random random = oct_random_seed(6);
    scene_text out;
    drawing d;
    scene_text_init(&out);
    oct_drawing_fit(&d, &plane, 400, 400);
    oct_drawing_begin(&d, &out.out, 0);
    for (int i = 0; i < 500; i++) {
        const double x = (double)oct_random_below(&random, 39);
        const double y = (double)oct_random_below(&random, 29);
        const double min[2] = {x, y}, max[2] = {x + 1, y + 1};
        oct_drawing_put_name(&d, min, max, "a panel");
    }
    assert_true(d.name_count > 10);
    for (uint32_t i = 0; i < d.name_count; i++) {
        const drawing_name *const a = &d.names[i];
        assert_true(a->x - a->width / 2 >= 0 && a->x + a->width / 2 <= d.width);
        for (uint32_t j = 0; j < i; j++) {
            const drawing_name *const b = &d.names[j];
            const double dx = a->x > b->x ? a->x - b->x : b->x - a->x;
            const double dy = a->y > b->y ? a->y - b->y : b->y - a->y;
            assert_true(dx >= a->width / 2 || dy >= 11.0);
        }
    }
    scene_text_free(&out);
}

// ---- long runs ----

static void tell_goals(const oct_play_watch *watch, uint64_t rounds, uint64_t *tick)
{
    char name[32], reason[64];
    for (uint64_t i = 0; i < rounds; i++) {
        snprintf(name, sizeof name, "goal %llu", (unsigned long long)i);
        snprintf(reason, sizeof reason, "the reason of %llu", (unsigned long long)i);
        for (uint32_t depth = 1; depth < 5; depth++) {
            watch->event(watch->ctx, 0,
                         &(oct_mind_event){.kind = OCT_MIND_BEGINS,
                                           .tick = *tick,
                                           .depth = depth,
                                           .goal = name,
                                           .text = "",
                                           .status = OCT_GOAL_CURRENT});
        }
        *tick += i % 100 == 0 ? 501 : 1;
        watch->event(
            watch->ctx, 0,
            &(oct_mind_event){
                .kind = OCT_MIND_INTERRUPTED, .tick = *tick, .goal = name, .text = reason});
        for (uint32_t depth = 5; depth-- > 1;) {
            watch->event(watch->ctx, 0,
                         &(oct_mind_event){.kind = OCT_MIND_ENDS,
                                           .tick = *tick,
                                           .depth = depth,
                                           .goal = name,
                                           .text = reason,
                                           .status = OCT_GOAL_FAILED});
        }
    }
}

static void a_record_stays_small(void **state)
{
    (void)state;
    test_allocator memory;
    oct_play_record *record;
    uint64_t tick = 0;
    test_allocator_init(&memory, TEST_NEVER);
    assert_int_equal(oct_play_record_create(&memory.allocator, &record), OCT_OK);
    const oct_play_watch watch = oct_play_record_watch(record);
    record->agent_count = 1;
    watch.event(
        watch.ctx, 0,
        &(oct_mind_event){
            .kind = OCT_MIND_BEGINS, .goal = "the whole", .text = "", .status = OCT_GOAL_CURRENT});
    tell_goals(&watch, 20000, &tick);
    const record_agent *const agent = &record->agents[0];
    const record_span *const spans = agent->spans.items;
    assert_int_equal(record->result, OCT_OK);
    assert_true(record->left_out > 0);
    assert_true(agent->spans.count <= RECORD_SPANS_MAX);
    assert_true(agent->marks.count <= RECORD_MARKS_MAX);
    assert_true(record->text_bytes <= RECORD_TEXT_MAX);
    assert_true(memory.peak_bytes < 2u * 1024u * 1024u);
    // The whole is still there, and is the one that is open.
    assert_string_equal(spans[0].name, "the whole");
    assert_int_equal(agent->open[0], 1);
    size_t longer = 0;
    for (size_t i = 0; i < agent->spans.count; i++) {
        longer += spans[i].to - spans[i].from > 100;
    }
    assert_true(longer >= 200);
    // As full as a record gets: a page shows it thinner.
    record->ticks = tick;
    oct_random random = oct_random_seed(8);
    for (size_t i = 0; i < RECORD_PLANS_MAX; i++) {
        record_plan *const plan = &record->plans[record->plan_count++];
        plan->plane = (drawing_plane){
            .axis = {0, 1}, .across = 2, .edge = 1, .size = {DRAWING_EDGE, DRAWING_EDGE}};
        for (size_t k = 0; k < (size_t)DRAWING_EDGE * DRAWING_EDGE; k++) {
            const uint8_t cell =
                oct_random_below(&random, 40) == 0 ? DRAWING_BLOCKED : DRAWING_OPEN;
            assert_int_equal(oct_array_push(&plan->cells, &record->allocator, 1, &cell), OCT_OK);
        }
    }
    const oct_report_test test = {.file = "a",
                                  .name = "b",
                                  .world = "c",
                                  .record = record,
                                  .result = {.rate = 60, .agents = 1}};
    const oct_report_run run = {&test, 1, 0, NULL, 1, 1, false};
    scene_text html;
    scene_text_init(&html);
    assert_int_equal(oct_report_html(&run, scene_text_write, &html), OCT_OK);
    const char *const begin = strstr(scene_text_read(&html), "<details class=\"test");
    const char *const end = strstr(begin, "<footer>");
    assert_true(end - begin > 20000 && end - begin <= 200000 + 100);
    scene_text_free(&html);
    oct_play_record_destroy(record);
    test_allocator_check_empty(&memory);
}

// Memory that is short ends the record, and nothing else.
static void short_memory_ends_a_record(void **state)
{
    (void)state;
    for (size_t fail_at = 1; fail_at < 13; fail_at++) {
        test_allocator memory;
        oct_play_record *record;
        oct_play_result result;
        test_allocator_init(&memory, fail_at);
        assert_int_equal(oct_play_record_create(&memory.allocator, &record), OCT_OK);
        const oct_play_watch watch = oct_play_record_watch(record);
        scene_play("door_and_button.json", oct_goal_explore, 1, 10, &watch, &result);
        assert_true(!memory.refused || record->result == OCT_ERROR_MEMORY || record->left_out > 0);
        const oct_report_test test = {
            .file = "a", .name = "b", .world = "c", .record = record, .result = result};
        const oct_report_run run = {&test, 1, 0, NULL, 1, 1, false};
        scene_text html;
        scene_text_init(&html);
        assert_int_equal(oct_report_html(&run, scene_text_write, &html), OCT_OK);
        assert_non_null(strstr(scene_text_read(&html), "</html>"));
        scene_text_free(&html);
        oct_play_record_destroy(record);
        test_allocator_check_empty(&memory);
        oct_play_result_free(&result);
    }
}

// ---- traces ----

static oct_goal *press_and_look(const oct_allocator *allocator)
{
    const oct_pick button = {.name = "Panel"};
    oct_goal *const parts[] = {oct_goal_close_to_button(allocator, &button),
                               oct_goal_press_button(allocator, &button, 0),
                               oct_goal_explore(allocator)};
    return oct_goal_seq(allocator, parts, 3);
}

static void trace_run(scene_text *out, const char *world,
                      oct_goal *(*goal)(const oct_allocator *allocator), size_t agents)
{
    oct_report_test test = {.file = "a.lua",
                            .name = "a \"test\"\xff",
                            .world = world,
                            .line = 3,
                            .result = {.seed = 1}};
    oct_trace *trace;
    scene_text_init(out);
    assert_int_equal(oct_trace_create(&test, scene_text_write, out, NULL, &trace), OCT_OK);
    const oct_play_watch watch = oct_trace_watch(trace);
    scene_play(world, goal, agents, 40, &watch, &test.result);
    assert_int_equal(oct_trace_end(trace), OCT_OK);
    oct_trace_destroy(trace);
    oct_play_result_free(&test.result);
}

static void a_trace_tells_every_turn(void **state)
{
    (void)state;
    scene_text out, again;
    size_t turns = 0, looks = 0, goals = 0, lines = 0, presses = 0;
    uint64_t tick = 0;
    trace_run(&out, "three_doors.json", press_and_go, 2);
    trace_run(&again, "three_doors.json", press_and_go, 2);
    assert_string_equal(scene_text_read(&out), scene_text_read(&again));
    json_t *last = NULL;
    for (const char *at = scene_text_read(&out); *at; lines++) {
        const char *const end = strchr(at, '\n');
        assert_non_null(end);
        json_decref(last);
        last = json_loadb(at, (size_t)(end - at), 0, NULL);
        assert_non_null(last);
        const char *const event = json_string_value(json_object_get(last, "event"));
        assert_true((lines == 0) == (event == NULL));
        if (event && strcmp(event, "turn") == 0) {
            const json_int_t now = json_integer_value(json_object_get(last, "tick"));
            const json_t *const verb = json_object_get(last, "verb");
            assert_true((uint64_t)now >= tick ||
                        json_integer_value(json_object_get(last, "agent")));
            tick = (uint64_t)now;
            presses += verb && strcmp(json_string_value(verb), "use") == 0;
            turns++;
        }
        looks += event && strcmp(event, "look") == 0;
        goals += event && strcmp(event, "goal") == 0;
        at = end + 1;
    }
    assert_string_equal(json_string_value(json_object_get(last, "verdict")), "inconclusive");
    json_decref(last);
    assert_true(turns >= 40 && looks >= 4 && goals >= 6 && presses == 2);
    scene_text_free(&out);
    scene_text_free(&again);
}

// What a press showed, once.
static void a_trace_tells_learned_links(void **state)
{
    (void)state;
    scene_text out;
    trace_run(&out, "door_and_button.json", press_and_look, 1);
    const char *const first = strstr(scene_text_read(&out), "{\"event\": \"links\"");
    assert_non_null(first);
    assert_non_null(strstr(first, "\"links\": [{\"panel\": 2, \"button\": 0, \"name\": \"Panel\", "
                                  "\"door\": 1, \"to\": \"Door1\", \"how\": \"toggles\""));
    assert_null(strstr(first + 1, "{\"event\": \"links\""));
    scene_text_free(&out);
}

// A script that fails before anything is played has a trace, too.
static void a_trace_without_a_game_is_whole(void **state)
{
    (void)state;
    static char reason[] = "a.lua:3: no such world", nowhere[] = "a.lua:3";
    scene_text out;
    scene_text_init(&out);
    const oct_report_test test = {
        .file = "a.lua",
        .name = "t",
        .world = "",
        .line = 3,
        .result = {.verdict = OCT_VERDICT_ERROR, .reason = reason, .where = nowhere, .seed = 4}};
    oct_trace *trace;
    assert_int_equal(oct_trace_create(&test, scene_text_write, &out, NULL, &trace), OCT_OK);
    assert_int_equal(oct_trace_end(trace), OCT_OK);
    oct_trace_destroy(trace);
    assert_string_equal(
        scene_text_read(&out),
        "{\"octant_trace\": 1, \"task\": \"test\", \"test\": \"t\", \"script\": \"a.lua\", "
        "\"line\": 3, \"world\": \"\", \"seed\": 4, \"agents\": []}\n"
        "{\"event\": \"end\", \"verdict\": \"error\", \"reason\": \"a.lua:3: no such world\", "
        "\"where\": \"a.lua:3\", \"seed\": 4, \"turns\": 0, \"tick\": 0, \"open\": 0, "
        "\"blocked\": 0, \"unknown\": 0, \"explored\": 0, \"notes\": []}\n");
    scene_text_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_recorded),
        cmocka_unit_test(rectangles_cover_a_plan),
        cmocka_unit_test(cells_are_those_of_the_tree),
        cmocka_unit_test(names_can_be_read),
        cmocka_unit_test(a_record_stays_small),
        cmocka_unit_test(short_memory_ends_a_record),
        cmocka_unit_test(a_trace_tells_every_turn),
        cmocka_unit_test(a_trace_tells_learned_links),
        cmocka_unit_test(a_trace_without_a_game_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
