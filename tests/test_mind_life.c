// SPDX-License-Identifier: MIT
// Minds as objects: events, views, reasons, chance, memory, and calls out of place. How trees are
// written: mind_tree.h.
#include "agent/mind.h"
#include "mind_tree.h"

#include <math.h>
#include <stdio.h>

static const oct_hook no_hook = {NULL, NULL};

static oct_mind *make_mind(const oct_mind_def *def)
{
    const oct_mind_def plain = oct_mind_def_default();
    oct_mind *mind;
    assert_int_equal(oct_mind_create(def ? def : &plain, &mind), OCT_OK);
    return mind;
}

static void pursue(oct_mind *mind, oct_goal *goal)
{
    assert_non_null(goal);
    assert_int_equal(oct_mind_pursue(mind, goal), OCT_OK);
}

static oct_goal *leaf_of(oct_leaf_goal leaf, oct_action_fn *run, void *ctx)
{
    leaf.name = leaf.name ? leaf.name : "leaf";
    leaf.tactic = oct_tactic_action(NULL, "act", NULL, run, (oct_hook){ctx, NULL});
    leaf.hook.ctx = ctx;
    return oct_goal_leaf(NULL, &leaf);
}

// ---- events and views ----

static void write_event(void *ctx, const oct_mind_event *e)
{
    static const char *const kinds[] = {"begins", "ends", "acts", "waits", "interrupted"};
    char *const out = ctx;
    const size_t size = strlen(out);
    snprintf(out + size, 4096 - size, "%u %u %*s%s %s%s%s %s\n", (unsigned)e->turn,
             (unsigned)e->tick, (int)e->depth, "", e->goal, kinds[e->kind], *e->text ? ": " : "",
             e->text, oct_goal_status_name(e->status));
}

static bool write_view(void *ctx, const oct_goal_view *v)
{
    char *const out = ctx;
    const size_t size = strlen(out);
    snprintf(out + size, 4096 - size, "%*s%s %s %s \"%s\" %u+%u %u-%u x%u %d %d\n", (int)v->depth,
             "", v->name, oct_goal_kind_name(v->kind), oct_goal_status_name(v->status), v->reason,
             (unsigned)v->turns, (unsigned)v->ticks, (unsigned)v->begun, (unsigned)v->ended,
             v->rounds, (int)v->turns_left, (int)v->ticks_left);
    return true;
}

// Turns until the tree has concluded, ten ticks each, at most so many.
static oct_goal_status pass(oct_mind *mind, tree *t, uint64_t turns)
{
    oct_goal_status status = OCT_GOAL_CURRENT;
    while (status == OCT_GOAL_CURRENT && turns-- > 0) {
        t->world.turn++;
        status = oct_mind_turn(mind, t->world.turn * 10);
    }
    return status;
}

static void events_tell_what_happens(void **state)
{
    (void)state;
    static tree t;
    char out[4096] = "";
    oct_mind_def def = oct_mind_def_default();
    def.event = write_event;
    def.event_ctx = out;
    oct_mind *const mind = make_mind(&def);
    tree_read(&t, "F(X(S(a,x{b?>9}),=3c)/5,d)");
    pursue(mind, tree_make(t.root));
    assert_int_equal(pass(mind, &t, 10), OCT_GOAL_SUCCESS);
    assert_string_equal(out, "1 10 FIRSTof begins current\n"
                             "1 10  INTERRUPTIBLE begins current\n"
                             "1 10   SEQ begins current\n"
                             "1 10    a begins current\n"
                             "1 10    a acts: a current\n"
                             "2 20    a ends success\n"
                             "2 20    x begins current\n"
                             "2 20    x waits current\n"
                             "3 30  INTERRUPTIBLE interrupted: c current\n"
                             "3 30   c begins current\n"
                             "3 30   c acts: c current\n"
                             "4 40   c ends success\n"
                             "4 40   SEQ begins current\n"
                             "4 40    a begins current\n"
                             "4 40    a acts: a current\n"
                             "5 50    a ends success\n"
                             "5 50    x begins current\n"
                             "5 50    x waits current\n"
                             "6 60    x ends: out of budget: 5 turns failed\n"
                             "6 60   SEQ ends: out of budget: 5 turns failed\n"
                             "6 60  INTERRUPTIBLE ends: out of budget: 5 turns failed\n"
                             "6 60  d begins current\n"
                             "6 60  d acts: d current\n"
                             "7 70  d ends success\n"
                             "7 70 FIRSTof ends success\n");
    oct_mind_destroy(mind);
}

static void views_show_how_all_stands(void **state)
{
    (void)state;
    static tree t;
    char out[4096] = "";
    oct_mind *const mind = make_mind(NULL);
    tree_read(&t, "R(S(a2/3,I<9(D(b9/2@45),c),d))/9@100");
    pursue(mind, tree_make(t.root));
    assert_true(oct_mind_goals(mind, write_view, out));
    assert_string_equal(out, "REPEAT REPEAT waiting \"\" 0+0 0-0 x0 9 100\n"
                             " SEQ SEQ waiting \"\" 0+0 0-0 x0 -1 -1\n"
                             "  a goal waiting \"\" 0+0 0-0 x0 3 -1\n"
                             "  IF IF waiting \"\" 0+0 0-0 x0 -1 -1\n"
                             "   DEPLOY DEPLOY waiting \"\" 0+0 0-0 x0 -1 -1\n"
                             "   c goal waiting \"\" 0+0 0-0 x0 -1 -1\n"
                             "  d goal waiting \"\" 0+0 0-0 x0 -1 -1\n");
    assert_int_equal(pass(mind, &t, 6), OCT_GOAL_CURRENT);
    assert_string_equal(oct_mind_goal(mind), "a");
    *out = '\0';
    assert_true(oct_mind_goals(mind, write_view, out));
    assert_string_equal(out, "REPEAT REPEAT current \"\" 6+50 10-0 x1 3 50\n"
                             " SEQ SEQ current \"\" 6+50 50-0 x2 3 50\n"
                             "  a goal current \"\" 4+30 50-0 x2 1 50\n"
                             "  IF IF waiting \"\" 2+20 30-50 x1 -1 -1\n"
                             "   DEPLOY DEPLOY waiting \"\" 2+20 30-50 x1 -1 -1\n"
                             "    b goal waiting \"\" 2+20 30-50 x1 2 45\n"
                             "   c goal waiting \"\" 0+0 0-0 x0 -1 -1\n"
                             "  d goal waiting \"\" 0+0 0-0 x0 -1 -1\n");
    assert_int_equal(pass(mind, &t, 10), OCT_GOAL_FAILED);
    assert_string_equal(oct_mind_goal(mind), "");
    *out = '\0';
    assert_true(oct_mind_goals(mind, write_view, out));
    assert_non_null(strstr(out,
                           "REPEAT REPEAT failed \"out of budget: 9 turns\" 9+90 10-100 x1 0 10\n"
                           " SEQ SEQ failed \"out of budget: 9 turns\" 9+90 90-100 x3 0 10\n"
                           "  a goal failed \"out of budget: 9 turns\" 5+50 90-100 x3 0 10\n"
                           "  IF IF waiting \"\""));
    oct_mind_destroy(mind);
}

static bool has_no_limit(void *ctx, const oct_goal_view *v)
{
    (void)ctx;
    return v->status == OCT_GOAL_CURRENT && v->turns_left == UINT64_MAX &&
           v->ticks_left == UINT64_MAX;
}

static void no_limit_stays_none(void **state)
{
    (void)state;
    static tree t;
    oct_mind *const mind = make_mind(NULL);
    tree_read(&t, "R(S(a9))");
    pursue(mind, tree_make(t.root));
    assert_int_equal(pass(mind, &t, 5), OCT_GOAL_CURRENT);
    assert_true(oct_mind_goals(mind, has_no_limit, NULL));
    oct_mind_destroy(mind);
}

static bool stop_at_a(void *ctx, const oct_goal_view *v)
{
    ++*(uint32_t *)ctx;
    return v->name[0] != 'a';
}

static void visits_stop_when_told(void **state)
{
    (void)state;
    static tree t;
    oct_mind *const mind = make_mind(NULL);
    uint32_t visited = 0;
    assert_true(oct_mind_goals(mind, stop_at_a, &visited));
    assert_int_equal(visited, 0);
    tree_read(&t, "S(S(b,a),c)");
    pursue(mind, tree_make(t.root));
    assert_false(oct_mind_goals(mind, stop_at_a, &visited));
    assert_int_equal(visited, 4);
    oct_mind_destroy(mind);
}

// ---- a mind's life ----

static void minds_go_from_goal_to_goal(void **state)
{
    (void)state;
    static tree t;
    oct_mind_def def = oct_mind_def_default();
    def.state = &t;
    oct_mind *const mind = make_mind(&def);
    assert_ptr_equal(oct_mind_state(mind), &t);
    assert_int_equal(oct_mind_turn(mind, 5), OCT_GOAL_WAITING);
    assert_int_equal(oct_mind_turns(mind), 0);
    assert_int_equal(oct_mind_pursue(mind, NULL), OCT_ERROR_MEMORY);
    tree_read(&t, "a3");
    oct_goal *const goal = tree_make(t.root);
    pursue(mind, goal);
    assert_string_equal(oct_mind_goal(mind), "");
    assert_int_equal(pass(mind, &t, 1), OCT_GOAL_CURRENT);
    assert_string_equal(oct_mind_action(mind), "a");
    assert_string_equal(oct_mind_goal(mind), "a");
    // Neither changes what it is doing.
    assert_int_equal(oct_mind_pursue(mind, NULL), OCT_ERROR_MEMORY);
    assert_int_equal(oct_mind_pursue(mind, goal), OCT_ERROR_ARGUMENT);
    assert_int_equal(pass(mind, &t, 9), OCT_GOAL_SUCCESS);
    assert_int_equal(t.world.turn, 4);
    assert_string_equal(oct_mind_action(mind), "");
    assert_int_equal(oct_mind_turn(mind, 99), OCT_GOAL_SUCCESS);
    assert_int_equal(oct_mind_turns(mind), 4);
    // In the middle of one: it is dropped at once, and the ticks of before are not charged.
    static tree u;
    tree_read(&u, "S(a3,-)@15");
    pursue(mind, tree_make(u.root));
    tree_check_hooks(&t);
    assert_int_equal(oct_mind_turn(mind, 1000), OCT_GOAL_CURRENT);
    assert_int_equal(oct_mind_turn(mind, 1010), OCT_GOAL_CURRENT);
    tree_read(&t, "-");
    pursue(mind, tree_make(t.root));
    tree_check_hooks(&u);
    assert_string_equal(oct_mind_action(mind), "");
    assert_int_equal(oct_mind_turn(mind, 1020), OCT_GOAL_FAILED);
    assert_string_equal(oct_mind_reason(mind, NULL), "as it must");
    assert_int_equal(oct_mind_turns(mind), 7);
    oct_mind_destroy(mind);
    oct_mind_destroy(NULL);
}

static void minds_need_their_default(void **state)
{
    (void)state;
    oct_mind *mind = (oct_mind *)&mind;
    const oct_mind_def def = {.seed = 1};
    assert_int_equal(oct_mind_create(&def, &mind), OCT_ERROR_ARGUMENT);
    assert_null(mind);
}

typedef struct meddler {
    uint32_t runs;
    oct_goal *goal;
} meddler;

static oct_did meddle(void *ctx, oct_mind *mind)
{
    meddler *const m = ctx;
    m->runs++;
    assert_int_equal(oct_mind_turn(mind, 7), OCT_GOAL_CURRENT);
    assert_int_equal(oct_mind_pursue(mind, m->goal), OCT_ERROR_ARGUMENT);
    return OCT_DID_DONE;
}

static void turns_do_not_nest(void **state)
{
    (void)state;
    oct_mind *const mind = make_mind(NULL);
    meddler m = {0, oct_goal_success(NULL)};
    pursue(mind, leaf_of((oct_leaf_goal){.name = NULL}, meddle, &m));
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_CURRENT);
    assert_int_equal(m.runs, 1);
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_SUCCESS);
    assert_int_equal(oct_mind_turns(mind), 2);
    oct_goal_destroy(m.goal);
    oct_mind_destroy(mind);
}

// ---- leaves ----

typedef struct asked {
    double distance;
    uint32_t begun, solved, opened, ran;
} asked;

static bool ask_begin(void *ctx, oct_mind *mind)
{
    (void)mind;
    ((asked *)ctx)->begun++;
    return true;
}

static bool ask_solved(void *ctx, oct_mind *mind)
{
    (void)mind;
    return ++((asked *)ctx)->solved > 3;
}

static double ask_distance(void *ctx, oct_mind *mind)
{
    (void)mind;
    return ((asked *)ctx)->distance;
}

static bool ask_open(void *ctx, oct_mind *mind)
{
    ((asked *)ctx)->opened++;
    oct_mind_because(mind, false, "still exploring");
    return true;
}

static oct_did run_asked(void *ctx, oct_mind *mind)
{
    (void)mind;
    ((asked *)ctx)->ran++;
    return OCT_DID_DONE;
}

static void distances_are_near_enough(void **state)
{
    (void)state;
    const struct {
        double distance, epsilon;
        bool is_solved;
    } rows[] = {{0.0, 0.0, true},     {0.005, 0.0, true},    {-0.005, 0.0, true},
                {0.0051, 0.0, false}, {-0.0051, 0.0, false}, {2.0, 2.0, true},
                {-2.0, 2.0, true},    {2.1, 2.0, false},     {(double)NAN, 1e300, false},
                {-HUGE_VAL, 1, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        oct_mind *const mind = make_mind(NULL);
        asked a = {.distance = rows[i].distance};
        const oct_leaf_goal leaf = {.distance = ask_distance, .epsilon = rows[i].epsilon};
        pursue(mind, leaf_of(leaf, run_asked, &a));
        const oct_goal_status wanted = rows[i].is_solved ? OCT_GOAL_SUCCESS : OCT_GOAL_CURRENT;
        assert_int_equal(oct_mind_turn(mind, 0), wanted);
        oct_mind_destroy(mind);
    }
}

static void leaves_are_asked_once_a_turn_and_begin_once_a_round(void **state)
{
    (void)state;
    oct_mind *const mind = make_mind(NULL);
    asked a = {.distance = 0.0};
    const oct_leaf_goal leaf = {.begin = ask_begin,
                                .solved = ask_solved,
                                .distance = ask_distance,
                                .is_undecided = ask_open};
    pursue(mind, leaf_of(leaf, run_asked, &a));
    for (uint32_t turn = 1; turn <= 3; turn++) {
        assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_CURRENT);
        assert_int_equal(a.solved, turn);
    }
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_SUCCESS);
    assert_int_equal(a.begun, 1);
    assert_int_equal(a.ran, 3);
    assert_int_equal(a.opened, 0);
    // Its last words are asked for when its time is over.
    a.solved = 0;
    pursue(mind, oct_goal_limit(leaf_of(leaf, run_asked, &a), 2, 0));
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_CURRENT);
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_CURRENT);
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_FAILED);
    bool is_open;
    assert_string_equal(oct_mind_reason(mind, &is_open),
                        "out of budget: 2 turns (still exploring)");
    assert_true(is_open);
    assert_int_equal(a.opened, 1);
    oct_mind_destroy(mind);
}

// ---- reasons ----

static bool say(void *ctx, oct_mind *mind)
{
    oct_mind_because(mind, true, "%s", (const char *)ctx);
    return false;
}

// Where the text is whole: at most so many bytes.
static size_t whole(const char *text, size_t most)
{
    size_t size = 0;
    for (;;) {
        size_t next = size + 1;
        while (((unsigned char)text[next] & 0xC0) == 0x80) {
            next++;
        }
        if (!text[size] || next > most) {
            return size;
        }
        size = next;
    }
}

static void reasons_are_cut_between_characters(void **state)
{
    (void)state;
    const char *const characters[] = {"x", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x9A\x80"};
    for (size_t c = 0; c < 4; c++) {
        for (size_t length = 245; length <= 265; length++) {
            // Bytes, then characters up to some length.
            for (size_t lead = 0; lead < 4; lead++) {
                char text[400] = "aaa";
                text[lead] = '\0';
                while (strlen(text) < length) {
                    strcat(text, characters[c]);
                }
                oct_mind *const mind = make_mind(NULL);
                pursue(mind, oct_goal_check(NULL, "check", say, (oct_hook){text, NULL}));
                assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_FAILED);
                bool is_open;
                const char *const reason = oct_mind_reason(mind, &is_open);
                assert_true(is_open);
                assert_int_equal(strlen(reason), whole(text, OCT_REASON_MAX - 1));
                assert_memory_equal(reason, text, strlen(reason));
                // One that is given, and not said.
                pursue(mind, oct_goal_fail(NULL, text));
                assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_FAILED);
                assert_int_equal(strlen(oct_mind_reason(mind, NULL)),
                                 whole(text, OCT_REASON_MAX - 1));
                oct_mind_destroy(mind);
            }
        }
    }
}

static oct_goal *make_nothing(void *ctx, oct_mind *mind)
{
    if (ctx) {
        oct_mind_because(mind, true, "%s", (const char *)ctx);
    }
    return NULL;
}

static void what_nobody_asked_for_is_not_heard(void **state)
{
    (void)state;
    static tree t;
    oct_mind *const mind = make_mind(NULL);
    oct_mind_because(mind, true, "too early");
    tree_read(&t, "a9{F(a?<3,_)}");
    pursue(mind, tree_make(t.root));
    assert_int_equal(pass(mind, &t, 2), OCT_GOAL_CURRENT);
    oct_mind_because(mind, true, "between turns");
    oct_mind_lack_memory(mind);
    assert_int_equal(pass(mind, &t, 1), OCT_GOAL_FAILED);
    bool is_open;
    assert_string_equal(oct_mind_reason(mind, &is_open), "a was aborted");
    assert_false(is_open);
    assert_false(oct_mind_is_out_of_memory(mind));
    pursue(mind, oct_goal_fail(NULL, NULL));
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_FAILED);
    assert_string_equal(oct_mind_reason(mind, NULL), "FAIL was reached");
    char words[] = "no door";
    pursue(mind, oct_goal_deploy(NULL, "door", make_nothing, (oct_hook){words, NULL}));
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_FAILED);
    assert_string_equal(oct_mind_reason(mind, &is_open), "no door");
    assert_true(is_open);
    pursue(mind, oct_goal_deploy(NULL, "door", make_nothing, no_hook));
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_FAILED);
    assert_string_equal(oct_mind_reason(mind, &is_open), "door made no goal");
    assert_false(is_open);
    oct_mind_destroy(mind);
}

static oct_did say_more(void *ctx, oct_mind *mind)
{
    (void)ctx;
    oct_mind_because(mind, false, "more");
    oct_mind_because(mind, false, "%s of it", "all");
    return OCT_DID_ABORT;
}

static void the_last_word_counts(void **state)
{
    (void)state;
    oct_mind *const mind = make_mind(NULL);
    pursue(mind, leaf_of((oct_leaf_goal){.name = NULL}, say_more, NULL));
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_CURRENT);
    assert_string_equal(oct_mind_reason(mind, NULL), "");
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_FAILED);
    assert_string_equal(oct_mind_reason(mind, NULL), "all of it");
    oct_mind_destroy(mind);
}

static bool refuse(void *ctx, oct_mind *mind)
{
    oct_mind_because_of(mind, *(const oct_ground *)ctx, "%s", "refused");
    return false;
}

static oct_goal *refused(oct_ground *ground)
{
    return oct_goal_check(NULL, "check", refuse, (oct_hook){ground, NULL});
}

static void assert_ground(oct_goal *goal, oct_proof_kind kind, uint32_t assumes)
{
    oct_mind *const mind = make_mind(NULL);
    pursue(mind, goal);
    assert_int_equal(oct_mind_ground(mind).kind, OCT_PROOF_NONE);
    (void)oct_mind_turn(mind, 0);
    assert_int_equal(oct_mind_ground(mind).kind, kind);
    assert_int_equal(oct_mind_ground(mind).assumes, assumes);
    oct_mind_destroy(mind);
}

// Of several that failed the strongest kind and all assumptions count; one that is undecided makes
// the whole so, and speaks for it.
static void failures_say_what_they_rest_on(void **state)
{
    (void)state;
    oct_ground none = {.kind = OCT_PROOF_NONE}, cut = {OCT_PROOF_CUT, 1, 1},
               states = {OCT_PROOF_STATES, 6, 2};
    assert_ground(oct_goal_success(NULL), OCT_PROOF_NONE, 0);
    assert_ground(oct_goal_fail(NULL, "so"), OCT_PROOF_WITNESS, 0);
    assert_ground(refused(&cut), OCT_PROOF_CUT, 1);
    assert_ground(oct_goal_within(NULL, refused(&cut), 1), OCT_PROOF_CUT, 1);
    oct_goal *const both[] = {refused(&states), oct_goal_fail(NULL, "so"), refused(&cut)};
    assert_ground(oct_goal_first_of(NULL, both, 3), OCT_PROOF_STATES, 7);
    oct_goal *const any[] = {refused(&states), refused(&cut)};
    assert_ground(oct_goal_any_of(NULL, any, 2), OCT_PROOF_STATES, 7);
    oct_goal *const open[] = {refused(&none), refused(&cut)};
    assert_ground(oct_goal_any_of(NULL, open, 2), OCT_PROOF_NONE, 0);
    oct_goal *const seq[] = {refused(&cut), refused(&states)};
    assert_ground(oct_goal_seq(NULL, seq, 2), OCT_PROOF_CUT, 1);
}

static void the_time_of_within_is_a_proof_and_others_are_none(void **state)
{
    (void)state;
    for (uint32_t is_within = 0; is_within < 2; is_within++) {
        static tree t;
        oct_mind *const mind = make_mind(NULL);
        tree_read(&t, is_within ? "a9" : "a9@30");
        oct_goal *const goal = tree_make(t.root);
        pursue(mind, is_within ? oct_goal_within(NULL, goal, 30) : goal);
        while (oct_mind_turn(mind, 10 * (oct_mind_turns(mind) + 1)) == OCT_GOAL_CURRENT) {
        }
        assert_int_equal(oct_mind_ground(mind).kind, is_within ? OCT_PROOF_TIME : OCT_PROOF_NONE);
        oct_mind_destroy(mind);
    }
}

static void proofs_have_names(void **state)
{
    (void)state;
    assert_string_equal(oct_proof_name(OCT_PROOF_NONE), "none");
    assert_string_equal(oct_proof_name(OCT_PROOF_WITNESS), "witness");
    assert_string_equal(oct_proof_name(OCT_PROOF_TIME), "time");
    assert_string_equal(oct_proof_name(OCT_PROOF_CUT), "cut");
    assert_string_equal(oct_proof_name(OCT_PROOF_STATES), "states");
    assert_null(oct_proof_name(OCT_PROOF_COUNT));
}

// ---- DEPLOY ----

static void deploy_makes_anew_and_deploy_once_does_not(void **state)
{
    (void)state;
    static tree t;
    const char *const trees[] = {"W<6(D(a))", "W<6(O(a))"};
    for (size_t i = 0; i < 2; i++) {
        tree_read(&t, trees[i]);
        oct_mind *const mind = make_mind(NULL);
        pursue(mind, tree_make(t.root));
        assert_int_equal(pass(mind, &t, 9), OCT_GOAL_SUCCESS);
        assert_int_equal(t.root->children[0]->children[0]->own.given, i == 0 ? 5 : 1);
        // The last one can still be looked at.
        assert_int_equal(t.root->children[0]->children[0]->own.dropped, i == 0 ? 4 : 0);
        oct_mind_destroy(mind);
        tree_check_hooks(&t);
    }
}

// A chain of so many goals.
typedef struct chain {
    uint32_t levels;
    test_allocator memory;
    oct_goal *made;
} chain;

static oct_goal *deploy_chain(void *ctx, oct_mind *mind)
{
    (void)mind;
    chain *const c = ctx;
    c->made = oct_goal_success(&c->memory.allocator);
    for (uint32_t i = 1; i < c->levels; i++) {
        c->made = oct_goal_seq(&c->memory.allocator, &c->made, 1);
    }
    return c->made;
}

static oct_goal *deploy_itself(void *ctx, oct_mind *mind)
{
    ++*(uint32_t *)ctx;
    assert_int_equal(oct_mind_turns(mind), 1);
    return oct_goal_deploy(NULL, NULL, deploy_itself, (oct_hook){ctx, NULL});
}

static void what_is_deployed_is_no_deeper_than_the_rest(void **state)
{
    (void)state;
    for (uint32_t above = 1; above < 5; above++) {
        for (uint32_t extra = 0; extra < 2; extra++) {
            chain c = {.levels = OCT_GOAL_DEPTH_MAX - above + extra};
            test_allocator_init(&c.memory, TEST_NEVER);
            oct_goal *goal = oct_goal_deploy(NULL, NULL, deploy_chain, (oct_hook){&c, NULL});
            for (uint32_t i = 1; i < above; i++) {
                goal = oct_goal_seq(NULL, &goal, 1);
            }
            oct_mind *const mind = make_mind(NULL);
            pursue(mind, goal);
            const oct_goal_status wanted = extra ? OCT_GOAL_FAILED : OCT_GOAL_SUCCESS;
            assert_int_equal(oct_mind_turn(mind, 0), wanted);
            assert_string_equal(oct_mind_reason(mind, NULL), extra ? "goals too deep" : "");
            if (!extra) {
                assert_null(oct_goal_repeat(NULL, c.made)); // the mind has it
            }
            oct_mind_destroy(mind);
            test_allocator_check_empty(&c.memory);
        }
    }
    uint32_t made = 0;
    oct_mind *const mind = make_mind(NULL);
    pursue(mind, oct_goal_deploy(NULL, NULL, deploy_itself, (oct_hook){&made, NULL}));
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_FAILED);
    assert_string_equal(oct_mind_reason(mind, NULL), "goals too deep");
    assert_int_equal(made, OCT_GOAL_DEPTH_MAX);
    oct_mind_destroy(mind);
}

static oct_goal *deploy_taken(void *ctx, oct_mind *mind)
{
    (void)mind;
    return *(oct_goal **)ctx;
}

static void a_goal_of_another_tree_is_not_deployed(void **state)
{
    (void)state;
    oct_goal *child = oct_goal_success(NULL);
    oct_goal *const owner = oct_goal_repeat(NULL, child);
    oct_mind *const mind = make_mind(NULL);
    pursue(mind, oct_goal_deploy(NULL, NULL, deploy_taken, (oct_hook){&child, NULL}));
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_FAILED);
    assert_string_equal(oct_mind_reason(mind, NULL), "the goal is part of another");
    oct_mind_destroy(mind);
    oct_goal_destroy(owner);
}

// ---- chance ----

static const char *run_for_actions(const char *string, uint64_t seed)
{
    static tree t;
    static char actions[TREE_TURNS + 1];
    oct_mind_def def = oct_mind_def_default();
    def.seed = seed;
    oct_mind *const mind = make_mind(&def);
    tree_read(&t, string);
    pursue(mind, tree_make(t.root));
    size_t count = 0;
    while (count < TREE_TURNS && pass(mind, &t, 1) == OCT_GOAL_CURRENT) {
        actions[count++] = *oct_mind_action(mind);
    }
    actions[count] = '\0';
    oct_mind_destroy(mind);
    return actions;
}

static void any_of_draws_every_order_as_often(void **state)
{
    (void)state;
    const char *const orders[] = {"abc", "acb", "bac", "bca", "cab", "cba"};
    uint32_t seen[6] = {0};
    for (uint64_t seed = 0; seed < 6000; seed++) {
        const char *const actions = run_for_actions("A(S(a,-),S(b,-),S(c,-))", seed);
        for (size_t i = 0; i < 6; i++) {
            seen[i] += strcmp(actions, orders[i]) == 0;
        }
    }
    // Five standard deviations.
    for (size_t i = 0; i < 6; i++) {
        assert_in_range(seen[i], 1000 - 145, 1000 + 145);
    }
}

static void any_of_draws_every_action_as_often(void **state)
{
    (void)state;
    const char *const tactics[] = {"x9{A(a,b,c)}", "x9{A(F(a,d),A(b,c?t),d?f)}",
                                   "x9{A(S(a),F(d?f,A(b,c)))}"};
    for (size_t k = 0; k < 3; k++) {
        uint32_t seen[4] = {0};
        for (uint64_t seed = 0; seed < 1000; seed++) {
            for (const char *a = run_for_actions(tactics[k], seed); *a; a++) {
                seen[*a - 'a']++;
            }
        }
        for (size_t i = 0; i < 3; i++) {
            assert_in_range(seen[i], 3000 - 224, 3000 + 224);
        }
        assert_int_equal(seen[3], 0);
    }
}

static void a_seed_is_a_run(void **state)
{
    (void)state;
    const char *const string = "W<12(A(x{A(a,b,c)},y{A(d,e)},z{A(f,g)}))";
    char first[TREE_TURNS + 1];
    strcpy(first, run_for_actions(string, 7));
    assert_string_equal(first, run_for_actions(string, 7));
    assert_string_not_equal(first, run_for_actions(string, 8));
}

// ---- long rows ----

static void a_turn_concludes_so_many_goals(void **state)
{
    (void)state;
    static oct_goal *row[2 * OCT_MIND_STEPS_MAX + 10];
    const size_t count = sizeof row / sizeof *row;
    for (size_t i = 0; i < count; i++) {
        row[i] = oct_goal_success(NULL);
    }
    oct_mind *const mind = make_mind(NULL);
    // It is there in the turn in which its budget ends.
    pursue(mind, oct_goal_limit(oct_goal_seq(NULL, row, count), 2, 0));
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_CURRENT);
    assert_string_equal(oct_mind_goal(mind), "");
    assert_string_equal(oct_mind_action(mind), "");
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_CURRENT);
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_SUCCESS);
    // But a leaf at its end comes too late, however long ago that was.
    for (size_t i = 0; i < count; i++) {
        row[i] = oct_goal_success(NULL);
    }
    oct_goal_destroy(row[count - 1]);
    asked a = {.ran = 0};
    row[count - 1] = leaf_of((oct_leaf_goal){.name = NULL}, run_asked, &a);
    pursue(mind, oct_goal_limit(oct_goal_seq(NULL, row, count), 1, 0));
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_CURRENT);
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_CURRENT);
    assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_FAILED);
    assert_string_equal(oct_mind_reason(mind, NULL), "out of budget: 1 turn");
    assert_int_equal(a.ran, 0);
    oct_mind_destroy(mind);
}

// ---- memory ----

static void a_turn_allocates_nothing(void **state)
{
    (void)state;
    static tree t;
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_mind_def def = oct_mind_def_default();
    def.allocator = &memory.allocator;
    oct_mind *const mind = make_mind(&def);
    tree_read(&t, "W<60(X(A(S(a2,F(x9{S(a',A(b,c?>9\"))}/3,b)),O(d),W%3(c)),%7R(x{F(a?%2,!)})))");
    t.allocator = &memory.allocator;
    pursue(mind, tree_make(t.root));
    assert_int_equal(pass(mind, &t, 20), OCT_GOAL_CURRENT);
    const size_t before = memory.allocations;
    assert_int_equal(pass(mind, &t, 100), OCT_GOAL_SUCCESS);
    assert_true(t.world.turn >= 60);
    assert_int_equal(memory.allocations, before);
    oct_mind_destroy(mind);
    test_allocator_check_empty(&memory);
}

static bool lack_and_say_yes(void *ctx, oct_mind *mind)
{
    (void)ctx;
    oct_mind_lack_memory(mind);
    return true;
}

static oct_did lack_and_do(void *ctx, oct_mind *mind)
{
    (void)ctx;
    oct_mind_lack_memory(mind);
    return OCT_DID_DONE;
}

static void who_lacks_memory_fails_as_a_whole(void **state)
{
    (void)state;
    // A guard says so: its action does not run.
    asked a = {.ran = 0};
    oct_mind *const other = make_mind(NULL);
    oct_tactic *const tactic =
        oct_tactic_action(NULL, "act", lack_and_say_yes, run_asked, (oct_hook){&a, NULL});
    pursue(other, oct_goal_leaf(NULL, &(oct_leaf_goal){.name = "leaf", .tactic = tactic}));
    assert_int_equal(oct_mind_turn(other, 0), OCT_GOAL_FAILED);
    assert_string_equal(oct_mind_reason(other, NULL), "out of memory");
    assert_int_equal(a.ran, 0);
    oct_mind_destroy(other);
    for (uint32_t i = 0; i < 3; i++) {
        oct_goal *goal =
            i == 0   ? leaf_of((oct_leaf_goal){.solved = lack_and_say_yes}, run_asked, NULL)
            : i == 1 ? leaf_of((oct_leaf_goal){.name = NULL}, lack_and_do, NULL)
                     : oct_goal_if(NULL, lack_and_say_yes, no_hook, oct_goal_success(NULL), NULL);
        goal = i == 0 ? goal
                      : oct_goal_first_of(NULL, (oct_goal *[]){goal, oct_goal_success(NULL)}, 2);
        oct_mind *const mind = make_mind(NULL);
        pursue(mind, goal);
        assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_FAILED);
        assert_true(oct_mind_is_out_of_memory(mind));
        bool is_open;
        assert_string_equal(oct_mind_reason(mind, &is_open), "out of memory");
        assert_true(is_open);
        pursue(mind, oct_goal_success(NULL));
        assert_false(oct_mind_is_out_of_memory(mind));
        assert_int_equal(oct_mind_turn(mind, 0), OCT_GOAL_SUCCESS);
        oct_mind_destroy(mind);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_tell_what_happens),
        cmocka_unit_test(views_show_how_all_stands),
        cmocka_unit_test(no_limit_stays_none),
        cmocka_unit_test(visits_stop_when_told),
        cmocka_unit_test(minds_go_from_goal_to_goal),
        cmocka_unit_test(minds_need_their_default),
        cmocka_unit_test(turns_do_not_nest),
        cmocka_unit_test(distances_are_near_enough),
        cmocka_unit_test(leaves_are_asked_once_a_turn_and_begin_once_a_round),
        cmocka_unit_test(reasons_are_cut_between_characters),
        cmocka_unit_test(what_nobody_asked_for_is_not_heard),
        cmocka_unit_test(the_last_word_counts),
        cmocka_unit_test(failures_say_what_they_rest_on),
        cmocka_unit_test(the_time_of_within_is_a_proof_and_others_are_none),
        cmocka_unit_test(proofs_have_names),
        cmocka_unit_test(deploy_makes_anew_and_deploy_once_does_not),
        cmocka_unit_test(what_is_deployed_is_no_deeper_than_the_rest),
        cmocka_unit_test(a_goal_of_another_tree_is_not_deployed),
        cmocka_unit_test(any_of_draws_every_order_as_often),
        cmocka_unit_test(any_of_draws_every_action_as_often),
        cmocka_unit_test(a_seed_is_a_run),
        cmocka_unit_test(a_turn_concludes_so_many_goals),
        cmocka_unit_test(a_turn_allocates_nothing),
        cmocka_unit_test(who_lacks_memory_fails_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
