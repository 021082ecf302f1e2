// SPDX-License-Identifier: MIT
// The post office against plain lists; its limits; memory.
#include "agent/message_internal.h"
#include "base/base_internal.h"
#include "octant/message.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

// ---- against plain lists ----

#define NAMES 6
#define ROLES 3
#define WAITING 200

static const char *const names[NAMES] = {"ada", "bob", "cy", "dee", "eve", ""};
static const char *const roles[ROLES] = {"scout", "miner", ""};
static const char *const topics[] = {"", "door", "fire"};

typedef struct model_letter {
    uint32_t from; // of the names
    uint32_t topic;
    uint64_t number; // also its text, and its tick
} model_letter;

typedef struct model_member {
    bool is_in;
    uint32_t box, role;
    model_letter waiting[WAITING];
    uint32_t count;
} model_member;

typedef struct model {
    oct_post *post;
    model_member members[NAMES];
    uint32_t boxes;
    uint64_t sent;
} model;

static void check_letter(const oct_message *message, const model_letter *truth)
{
    char text[24];
    snprintf(text, sizeof text, "%d", (int)truth->number);
    assert_string_equal(message->from, names[truth->from]);
    assert_string_equal(message->topic, topics[truth->topic]);
    assert_string_equal(message->text, truth->number % 5 ? text : "");
    assert_true(message->number == (double)truth->number);
    assert_true(message->tick == truth->number);
}

static void check_boxes(const model *m)
{
    for (uint32_t i = 0; i < NAMES; i++) {
        const model_member *const member = &m->members[i];
        oct_message message;
        if (!member->is_in) {
            continue;
        }
        assert_int_equal(oct_post_waiting(m->post, member->box), member->count);
        for (uint32_t n = 0; n < member->count; n++) {
            assert_true(oct_post_peek(m->post, member->box, n, &message));
            check_letter(&message, &member->waiting[n]);
        }
        assert_false(oct_post_peek(m->post, member->box, member->count, &message));
    }
}

static void do_join(model *m, oct_random *random)
{
    const uint32_t who = (uint32_t)oct_random_below(random, NAMES);
    const uint32_t role = (uint32_t)oct_random_below(random, ROLES);
    uint32_t box = 77;
    const oct_result result = oct_post_join(m->post, names[who], roles[role], &box);
    if (m->members[who].is_in) {
        assert_int_equal(result, OCT_ERROR_EXISTS);
        assert_int_equal(box, 77);
        return;
    }
    assert_int_equal(result, OCT_OK);
    assert_int_equal(box, m->boxes++);
    m->members[who].is_in = true;
    m->members[who].box = box;
    m->members[who].role = role;
    m->members[who].count = 0;
}

static void do_leave(model *m, oct_random *random)
{
    const uint32_t who = (uint32_t)oct_random_below(random, NAMES);
    model_member *const member = &m->members[who];
    if (member->is_in) {
        assert_int_equal(oct_post_leave(m->post, member->box), OCT_OK);
        member->is_in = false;
    }
    // A box of one that has left, or of nobody.
    const uint32_t box = oct_random_below(random, 2) ? member->box : m->boxes + 5;
    oct_message message;
    if (m->boxes > 0 && !member->is_in) {
        bool is_taken = false;
        for (uint32_t i = 0; i < NAMES; i++) {
            is_taken |= m->members[i].is_in && m->members[i].box == box;
        }
        if (!is_taken) {
            assert_int_equal(oct_post_leave(m->post, box), OCT_ERROR_ABSENT);
            assert_int_equal(oct_post_waiting(m->post, box), 0);
            assert_false(oct_post_peek(m->post, box, 0, &message));
            assert_false(oct_post_take(m->post, box, NULL, &message));
        }
    }
}

static void do_send(model *m, oct_random *random)
{
    const uint32_t from = (uint32_t)oct_random_below(random, NAMES);
    const uint32_t to = (uint32_t)oct_random_below(random, NAMES);
    const uint32_t role = (uint32_t)oct_random_below(random, ROLES);
    const uint64_t way = oct_random_below(random, 3), number = m->sent++;
    const model_letter truth = {from, (uint32_t)oct_random_below(random, 3), number};
    char text[24], topic[8];
    snprintf(text, sizeof text, "%d", (int)number);
    snprintf(topic, sizeof topic, "%s", topics[truth.topic]);
    const oct_message message = {.from = names[from],
                                 .topic = topic,
                                 .text = number % 5 ? text : "",
                                 .number = (double)number,
                                 .tick = number};
    const oct_result result = way == 0   ? oct_post_send(m->post, names[to], &message)
                              : way == 1 ? oct_post_send_role(m->post, roles[role], &message)
                                         : oct_post_send_all(m->post, &message);
    memset(text, '#', sizeof text);
    memset(topic, '#', sizeof topic);
    if (!m->members[from].is_in || (way == 0 && !m->members[to].is_in)) {
        assert_int_equal(result, OCT_ERROR_ABSENT);
        return;
    }
    assert_int_equal(result, way == 0 && from == to ? OCT_ERROR_ARGUMENT : OCT_OK);
    for (uint32_t i = 0; i < NAMES; i++) {
        model_member *const member = &m->members[i];
        const bool gets = way == 0 ? i == to : way == 1 ? member->role == role : true;
        if (member->is_in && i != from && gets) {
            assert_true(member->count < WAITING);
            member->waiting[member->count++] = truth;
        }
    }
}

static void do_take(model *m, oct_random *random)
{
    model_member *const member = &m->members[oct_random_below(random, NAMES)];
    const uint32_t topic = (uint32_t)oct_random_below(random, 4);
    if (!member->is_in) {
        return;
    }
    uint32_t at = 0;
    while (at < member->count && topic < 3 && member->waiting[at].topic != topic) {
        at++;
    }
    oct_message message;
    const bool got =
        oct_post_take(m->post, member->box, topic < 3 ? topics[topic] : NULL, &message);
    assert_int_equal(got, at < member->count);
    if (!got) {
        return;
    }
    const model_letter truth = member->waiting[at];
    member->count--;
    memmove(&member->waiting[at], &member->waiting[at + 1],
            (member->count - at) * sizeof(model_letter));
    // What was taken stays readable whatever is sent.
    do_send(m, random);
    check_letter(&message, &truth);
}

static void it_agrees_with_plain_lists(void **state)
{
    (void)state;
    static model m;
    for (uint64_t seed = 1; seed <= test_rounds(200); seed++) {
        oct_random random = oct_random_seed(seed);
        test_allocator memory;
        test_allocator_init(&memory, TEST_NEVER);
        memset(&m, 0, sizeof m);
        assert_int_equal(oct_post_create(&(oct_post_def){&memory.allocator}, &m.post), OCT_OK);
        // Now and then many wait, and few.
        uint64_t takes = 40;
        for (int i = 0; i < 600; i++) {
            uint32_t most = 0;
            for (uint32_t k = 0; k < NAMES; k++) {
                most = most < m.members[k].count ? m.members[k].count : most;
            }
            takes = most > 60 ? 90 : most < 3 ? 30 : takes;
            const uint64_t drawn = oct_random_below(&random, 100);
            if (drawn < 8) {
                do_join(&m, &random);
            } else if (drawn < 10) {
                do_leave(&m, &random);
            } else if (drawn < takes) {
                do_take(&m, &random);
            } else {
                do_send(&m, &random);
            }
            if (i % 8 == 0) {
                check_boxes(&m);
            }
        }
        oct_post_destroy(m.post);
        test_allocator_check_empty(&memory);
    }
}

// ---- arguments and limits ----

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    oct_post *post;
    uint32_t box, other;
    oct_message message;
    const oct_message good = {.from = "ada", .topic = "", .text = ""};
    assert_int_equal(oct_post_create(NULL, NULL), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_post_create(NULL, &post), OCT_OK);
    assert_int_equal(oct_post_join(NULL, "ada", "", &box), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_post_join(post, NULL, "", &box), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_post_join(post, "ada", NULL, &box), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_post_join(post, "ada", "", NULL), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_post_leave(post, 0), OCT_ERROR_ABSENT);
    assert_int_equal(oct_post_leave(NULL, 0), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_post_join(post, "ada", "", &box), OCT_OK);
    assert_int_equal(oct_post_join(post, "bob", "", &other), OCT_OK);
    for (int i = 0; i < 5; i++) {
        oct_message bad = good;
        *(i == 0 ? &bad.from : i == 1 ? &bad.topic : &bad.text) = NULL;
        const oct_message *const given = i < 3 ? &bad : i == 3 ? NULL : &good;
        oct_post *const at = i == 4 ? NULL : post;
        assert_int_equal(oct_post_send(at, "bob", given), OCT_ERROR_ARGUMENT);
        assert_int_equal(oct_post_send_role(at, "", given), OCT_ERROR_ARGUMENT);
        assert_int_equal(oct_post_send_all(at, given), OCT_ERROR_ARGUMENT);
    }
    assert_int_equal(oct_post_send(post, NULL, &good), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_post_send_role(post, NULL, &good), OCT_ERROR_ARGUMENT);
    assert_int_equal(oct_post_send(post, "eve", &good), OCT_ERROR_ABSENT);
    assert_int_equal(oct_post_waiting(post, other), 0);
    assert_int_equal(oct_post_waiting(NULL, other), 0);
    assert_false(oct_post_take(NULL, other, NULL, &message));
    assert_false(oct_post_peek(NULL, other, 0, &message));
    oct_post_destroy(post);
    oct_post_destroy(NULL);
}

// A string of so many letters; the caller frees it.
static char *long_string(size_t length)
{
    char *const string = malloc(length + 1);
    assert_non_null(string);
    memset(string, 'x', length);
    string[length] = '\0';
    return string;
}

static void texts_have_a_limit(void **state)
{
    (void)state;
    oct_post *post;
    uint32_t box, other;
    oct_message got;
    char *const longest = long_string(OCT_POST_TEXT_MAX);
    char *const longer = long_string(OCT_POST_TEXT_MAX + 1);
    assert_int_equal(oct_post_create(NULL, &post), OCT_OK);
    assert_int_equal(oct_post_join(post, longer, "", &box), OCT_ERROR_RANGE);
    assert_int_equal(oct_post_join(post, "ada", longer, &box), OCT_ERROR_RANGE);
    assert_int_equal(oct_post_join(post, longest, longest, &box), OCT_OK);
    assert_int_equal(oct_post_join(post, "ada", "", &other), OCT_OK);
    const oct_message messages[] = {{.from = longest, .topic = longer, .text = ""},
                                    {.from = longest, .topic = "", .text = longer},
                                    {.from = longest, .topic = longest, .text = longest}};
    assert_int_equal(oct_post_send_all(post, &messages[0]), OCT_ERROR_RANGE);
    assert_int_equal(oct_post_send_all(post, &messages[1]), OCT_ERROR_RANGE);
    assert_int_equal(oct_post_waiting(post, other), 0);
    assert_int_equal(oct_post_send_all(post, &messages[2]), OCT_OK);
    assert_true(oct_post_take(post, other, longest, &got));
    assert_string_equal(got.text, longest);
    oct_post_destroy(post);
    free(longest);
    free(longer);
}

static void members_and_boxes_have_a_limit(void **state)
{
    (void)state;
    oct_post *post;
    uint32_t box;
    char name[16];
    assert_int_equal(oct_post_create(NULL, &post), OCT_OK);
    for (uint32_t i = 0; i < OCT_POST_MEMBERS_MAX; i++) {
        snprintf(name, sizeof name, "%u", i);
        assert_int_equal(oct_post_join(post, name, i < 3 ? "few" : "many", &box), OCT_OK);
    }
    assert_int_equal(oct_post_join(post, "more", "", &box), OCT_ERROR_RANGE);
    assert_int_equal(oct_post_leave(post, 7), OCT_OK);
    assert_int_equal(oct_post_join(post, "more", "", &box), OCT_OK);
    assert_int_equal(box, OCT_POST_MEMBERS_MAX);

    // One full box and nobody gets it.
    const oct_message message = {.from = "0", .topic = "t", .text = ""};
    for (uint32_t i = 0; i < OCT_POST_WAITING_MAX; i++) {
        assert_int_equal(oct_post_send(post, "2", &message), OCT_OK);
    }
    assert_int_equal(oct_post_send(post, "2", &message), OCT_ERROR_RANGE);
    assert_int_equal(oct_post_send_role(post, "few", &message), OCT_ERROR_RANGE);
    assert_int_equal(oct_post_send_all(post, &message), OCT_ERROR_RANGE);
    assert_int_equal(oct_post_waiting(post, 1), 0);
    assert_int_equal(oct_post_waiting(post, 2), OCT_POST_WAITING_MAX);
    assert_int_equal(oct_post_send_role(post, "many", &message), OCT_OK);
    oct_message got;
    assert_true(oct_post_take(post, 2, "t", &got));
    assert_int_equal(oct_post_send_all(post, &message), OCT_OK);
    assert_int_equal(oct_post_waiting(post, 1), 1);
    assert_int_equal(oct_post_waiting(post, 0), 0);
    assert_int_equal(oct_post_waiting(post, 2), OCT_POST_WAITING_MAX);
    assert_int_equal(oct_post_waiting(post, box), 1);
    assert_int_equal(oct_post_waiting(post, 4000), 2);
    oct_post_destroy(post);
}

// ---- ownership and memory ----

static void what_was_taken_can_be_sent_on(void **state)
{
    (void)state;
    oct_post *post;
    uint32_t ada, bob;
    oct_message got;
    assert_int_equal(oct_post_create(NULL, &post), OCT_OK);
    assert_int_equal(oct_post_join(post, "ada", "", &ada), OCT_OK);
    assert_int_equal(oct_post_join(post, "bob", "", &bob), OCT_OK);
    const oct_message first = {.from = "ada", .topic = "door", .text = "shut", .tick = 3};
    assert_int_equal(oct_post_send(post, "bob", &first), OCT_OK);
    assert_int_equal(oct_post_send(post, "bob", &first), OCT_OK);
    assert_true(oct_post_take(post, bob, "door", &got));
    // Its topic asks for the next, as long as that lasts.
    assert_true(oct_post_take(post, bob, got.topic, &got));
    got.from = "bob";
    assert_int_equal(oct_post_send(post, "ada", &got), OCT_OK);
    assert_int_equal(oct_post_leave(post, bob), OCT_OK);
    assert_true(oct_post_take(post, ada, NULL, &got));
    assert_string_equal(got.from, "bob");
    assert_string_equal(got.text, "shut");
    assert_true(got.tick == 3);
    oct_post_destroy(post);
}

static oct_result send_to_all(const oct_allocator *allocator, void *ctx)
{
    (void)ctx;
    oct_post *post;
    uint32_t boxes[4];
    oct_result result = oct_post_create(&(oct_post_def){allocator}, &post);
    if (result != OCT_OK) {
        assert_null(post);
        return result;
    }
    for (uint32_t i = 0; i < 4; i++) {
        // A name that could not join joins when there is memory again, with the same box.
        if (oct_post_join(post, names[i], "all", &boxes[i]) != OCT_OK) {
            result = OCT_ERROR_MEMORY;
            assert_int_equal(oct_post_join(post, names[i], "all", &boxes[i]), OCT_OK);
        }
        assert_int_equal(boxes[i], i);
    }
    for (uint32_t k = 0; k < 20; k++) {
        const oct_message message = {.from = names[k % 4], .topic = "", .text = "?", .tick = k};
        size_t before[4];
        for (uint32_t i = 0; i < 4; i++) {
            before[i] = oct_post_waiting(post, boxes[i]);
        }
        const oct_result sent =
            k % 2 ? oct_post_send_all(post, &message) : oct_post_send_role(post, "all", &message);
        result = sent != OCT_OK ? sent : result;
        for (uint32_t i = 0; i < 4; i++) {
            const size_t more = sent == OCT_OK && i != k % 4;
            assert_int_equal(oct_post_waiting(post, boxes[i]), before[i] + more);
        }
    }
    oct_post_destroy(post);
    return result;
}

static void running_out_of_memory_reaches_nobody(void **state)
{
    (void)state;
    assert_true(test_each_failure(send_to_all, NULL) > 20);
}

// However many get it, it is one letter, which goes with the last of them.
static void letters_are_freed_when_nobody_needs_them(void **state)
{
    (void)state;
    oct_post *post;
    uint32_t boxes[3];
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    assert_int_equal(oct_post_create(&(oct_post_def){&memory.allocator}, &post), OCT_OK);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(oct_post_join(post, names[i], "", &boxes[i]), OCT_OK);
    }
    const oct_message message = {.from = "ada", .topic = "", .text = ""};
    size_t blocks = 0;
    for (int i = 0; i < 1000; i++) {
        oct_message got;
        assert_int_equal(oct_post_send_all(post, &message), OCT_OK);
        assert_true(oct_post_take(post, boxes[1], NULL, &got));
        assert_true(oct_post_take(post, boxes[2], NULL, &got));
        blocks = i == 3 ? memory.live_blocks : blocks;
    }
    assert_int_equal(memory.live_blocks, blocks);
    oct_post_destroy(post);
    test_allocator_check_empty(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_agrees_with_plain_lists),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(texts_have_a_limit),
        cmocka_unit_test(members_and_boxes_have_a_limit),
        cmocka_unit_test(what_was_taken_can_be_sent_on),
        cmocka_unit_test(running_out_of_memory_reaches_nobody),
        cmocka_unit_test(letters_are_freed_when_nobody_needs_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
