// SPDX-License-Identifier: MIT
// Goals about what happens while another goal is pursued: staying alive, not touching something,
// how the game ends, what it says. They watch; the goal in them acts.
#include "agent/belief_internal.h"
#include "agent/goals_internal.h"
#include "agent/mind_internal.h"
#include "agent/sure.h"
#include "agent/touch.h"
#include "base/print.h"
#include "geom/geom_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

// What one watch waits for, and what it has seen.
typedef struct watched {
    oct_allocator allocator;
    bool is_alone;  // there is no goal but waiting
    bool has_lost;  // events that were forgotten before it heard of them
    uint64_t heard; // events up to here are known
    // said
    char *text;
    bool was_said;
    // game_over
    oct_over how;
    // avoided
    goal_target *target; // who is meant
    bool has_met;        // one that is meant was seen
    oct_point was_at;    // of the body's centre, when it was last asked about
    oct_point was_up;
    uint64_t was_tick;
    char doubt[OCT_REASON_MAX / 2]; // about the first time that it is not known; "" = it is
} watched;

static void drop(void *ctx)
{
    watched *const w = ctx;
    const oct_allocator allocator = w->allocator;
    oct_free_text(&allocator, w->text);
    oct_goal_target_drop(w->target);
    oct_free(&allocator, w, sizeof *w);
}

static watched *make(const oct_allocator *may_be_null)
{
    const oct_allocator allocator = oct_allocator_or_default(may_be_null);
    watched *const w = oct_alloc(&allocator, sizeof *w, _Alignof(watched));
    if (w) {
        *w = (watched){.allocator = allocator};
    }
    return w;
}

// A goal that nothing is made of, unless it is part of another one.
static void let_go(oct_goal *child)
{
    oct_goal_destroy(child && !child->is_taken ? child : NULL);
}

static double seconds_of(const oct_agent *a, uint64_t tick)
{
    return (double)tick / oct_belief_info(a->belief)->rate;
}

// What was told before it began is not its concern, but what the life began with.
static void begin(watched *w, const oct_agent *a)
{
    w->has_lost = false;
    w->heard = oct_belief_looks(a->belief) > 1 ? oct_belief_events(a->belief) : 0;
}

// The next event that was told, in `out`; false where there is none.
static bool next_event(watched *w, const oct_agent *a, oct_event *out)
{
    while (w->heard < oct_belief_events(a->belief)) {
        if (oct_belief_event(a->belief, w->heard++, out)) {
            return true;
        }
        w->has_lost = true;
    }
    return false;
}

// A goal that never ends, for those that only wait.
static oct_goal *waiting(const oct_allocator *allocator)
{
    oct_tactic *const wait = oct_tactic_wait(allocator, UINT32_MAX);
    const oct_leaf_goal leaf = {.name = "wait", .distance = NULL, .tactic = wait};
    return oct_goal_leaf(allocator, &leaf);
}

static oct_goal *watch(watched *w, const char *name, oct_test_fn *begins, oct_watch_fn *each,
                       oct_goal *child)
{
    const oct_allocator allocator = w->allocator;
    return oct_goal_watch(&allocator, name, begins, each, (oct_hook){w, drop}, child);
}

// ---- survived ----

static bool begin_survived(void *ctx, oct_mind *mind)
{
    begin(ctx, oct_agent_of(mind));
    return true;
}

static oct_goal_status each_survived(void *ctx, oct_mind *mind, oct_goal_status child)
{
    watched *const w = ctx;
    const oct_agent *const a = oct_agent_of(mind);
    oct_event event;
    while (next_event(w, a, &event)) {
        if (strcmp(event.what, "respawn") == 0) {
            oct_mind_because(mind, false, "it did not survive: it began anew at %.1f s",
                             seconds_of(a, event.tick));
            return OCT_GOAL_FAILED;
        }
    }
    if (agent_self(a)->health <= 0.0) {
        oct_mind_because(mind, false, "it did not survive: no health is left at %.1f s",
                         seconds_of(a, agent_self(a)->tick));
        return OCT_GOAL_FAILED;
    }
    if (oct_belief_over(a->belief) == OCT_OVER_LOST) {
        oct_mind_because(mind, false, "it did not survive: the game is lost at %.1f s",
                         seconds_of(a, agent_self(a)->tick));
        return OCT_GOAL_FAILED;
    }
    if (w->has_lost && child != OCT_GOAL_CURRENT) {
        oct_mind_doubt(mind, "more events were told than are kept");
    }
    return OCT_GOAL_CURRENT;
}

oct_goal *oct_goal_survived(const oct_allocator *allocator, oct_goal *child)
{
    watched *const w = child ? make(allocator) : NULL;
    if (!w) {
        let_go(child);
        return NULL;
    }
    return watch(w, "survived", begin_survived, each_survived, child);
}

// ---- game_over ----

static const char *const over_words[] = {"not over", "won", "lost"};

static oct_goal_status each_over(void *ctx, oct_mind *mind, oct_goal_status child)
{
    const watched *const w = ctx;
    const oct_agent *const a = oct_agent_of(mind);
    const oct_over is = oct_belief_over(a->belief);
    if (is == w->how) {
        return OCT_GOAL_SUCCESS;
    }
    if (is != OCT_OVER_NOT) {
        oct_mind_because(mind, false, "the game was %s, not %s, at %.1f s", over_words[is],
                         over_words[w->how], seconds_of(a, agent_self(a)->tick));
        return OCT_GOAL_FAILED;
    }
    if (child == OCT_GOAL_SUCCESS) {
        oct_mind_because(mind, false, "all was done at %.1f s, and the game is not %s",
                         seconds_of(a, agent_self(a)->tick), over_words[w->how]);
        return OCT_GOAL_FAILED;
    }
    return OCT_GOAL_CURRENT;
}

oct_goal *oct_goal_game_over(const oct_allocator *allocator, oct_over how, oct_goal *child)
{
    watched *const w = how == OCT_OVER_WON || how == OCT_OVER_LOST ? make(allocator) : NULL;
    if (!w) {
        let_go(child);
        return NULL;
    }
    w->how = how;
    const char *const name = how == OCT_OVER_WON ? "game_over won" : "game_over lost";
    return watch(w, name, NULL, each_over, child ? child : waiting(allocator));
}

// ---- said ----

static bool begin_said(void *ctx, oct_mind *mind)
{
    watched *const w = ctx;
    begin(w, oct_agent_of(mind));
    w->was_said = false;
    return true;
}

static oct_goal_status each_said(void *ctx, oct_mind *mind, oct_goal_status child)
{
    watched *const w = ctx;
    const oct_agent *const a = oct_agent_of(mind);
    oct_event event;
    while (next_event(w, a, &event)) {
        const bool is_text = strcmp(event.what, "said") == 0 || strcmp(event.what, "note") == 0;
        w->was_said = w->was_said || (is_text && strstr(event.text, w->text));
    }
    if (w->was_said) {
        return w->is_alone ? OCT_GOAL_SUCCESS : OCT_GOAL_CURRENT;
    }
    if (child == OCT_GOAL_SUCCESS) {
        oct_mind_because(mind, w->has_lost, "all was done at %.1f s, and '%.100s' was not said",
                         seconds_of(a, agent_self(a)->tick), w->text);
        return OCT_GOAL_FAILED;
    }
    return OCT_GOAL_CURRENT;
}

oct_goal *oct_goal_said(const oct_allocator *allocator, const char *what, oct_goal *child)
{
    watched *const w = what ? make(allocator) : NULL;
    char name[OCT_REASON_MAX / 2];
    if (w) {
        w->is_alone = !child;
        w->text = oct_copy_text(&w->allocator, what);
    }
    if (!w || !w->text) {
        if (w) {
            drop(w);
        }
        let_go(child);
        return NULL;
    }
    (void)snprintf(name, sizeof name, "said '%.90s'", what);
    return watch(w, name, begin_said, each_said, child ? child : waiting(allocator));
}

// ---- avoided ----

// While it is so near to what it avoids, metres, its actions are brief, ticks.
#define NEAR 2.0
#define BRIEF 3u

static bool begin_avoided(void *ctx, oct_mind *mind)
{
    watched *const w = ctx;
    begin(w, oct_agent_of(mind));
    oct_goal_target_begin(w->target);
    w->has_met = false;
    w->was_at = agent_self(oct_agent_of(mind))->centre;
    w->was_up = agent_self(oct_agent_of(mind))->pose.up;
    w->was_tick = agent_self(oct_agent_of(mind))->tick;
    w->doubt[0] = '\0';
    return true;
}

// How far off the straight way the body may have been since it was last asked about: no longer way
// than its speed allows leads there, and no other than its acceleration does.
static double slack_of(const watched *w, const oct_agent *a)
{
    const oct_player_body *const body = oct_belief_body(a->belief);
    const double time = seconds_of(a, agent_self(a)->tick - w->was_tick);
    const double speed = fmax(body->speed, point_length(agent_self(a)->velocity));
    const double most = speed * time;
    const double way = point_length(point_sub(agent_self(a)->centre, w->was_at));
    const double by_speed = sqrt(fmax(most * most - way * way, 0.0)) / 2.0;
    const double by_thrust = body->acceleration * time * time / 2.0;
    return body->acceleration > 0.0 ? fmin(by_speed, by_thrust) : by_speed;
}

// What the body may have filled since it was last asked about: one that has turned over, all that
// it can.
static oct_player_body swept_body(const watched *w, const oct_agent *a)
{
    oct_player_body body = *oct_belief_body(a->belief);
    if (body.tumbles && point_length(point_sub(w->was_up, agent_self(a)->pose.up)) > 1e-3) {
        body.height = fmax(body.height, body.width);
        body.shape = OCT_BODY_BALL;
    }
    return body;
}

// The least that the body had between it and something since it was last asked about.
static double least_gap(const watched *w, const oct_agent *a, const oct_known *k)
{
    enum { PARTS = 4 };
    const oct_point now = agent_self(a)->centre, was = w->was_at;
    const bool has_moved = k->changes > 0 && k->changed >= w->was_tick;
    const oct_player_body body = swept_body(w, a);
    const oct_point up = agent_self(a)->pose.up;
    double least = HUGE_VAL;
    for (int i = 0; i <= PARTS; i++) {
        const oct_point at = point_add(was, point_scale(point_sub(now, was), (double)i / PARTS));
        least = fmin(least, oct_touch_gap(&body, at, up, &k->now).least);
        least = has_moved ? fmin(least, oct_touch_gap(&body, at, up, &k->before).least) : least;
    }
    return least - point_length(point_sub(now, was)) / (2.0 * PARTS) - slack_of(w, a);
}

OCT_FORMAT(2, 3) static void note_doubt(watched *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!w->doubt[0]) {
        (void)oct_vsnprintf(w->doubt, sizeof w->doubt, format, arguments);
    }
    va_end(arguments);
}

// One that is meant. True where it was touched for certain.
static bool is_touched(watched *w, oct_agent *a, const oct_known *k)
{
    char name[OCT_REASON_MAX / 4];
    const uint64_t tick = agent_self(a)->tick;
    const bool is_sure = oct_agent_is_sure(a, k, OCT_ASPECT_BODY);
    const bool moves = point_length(k->now.velocity) > 0.0;
    const bool is_fresh = k->in_sight && a->looked == tick;
    (void)oct_belief_name(a->belief, k, name, sizeof name);
    w->has_met = true;
    if (is_fresh || (is_sure && !moves)) {
        if (oct_touch_gap(oct_belief_body(a->belief), agent_self(a)->centre, agent_self(a)->pose.up,
                          &k->now)
                .most <= 0.0) {
            oct_mind_because(a->mind, false, "%s was touched at %.1f s", name, seconds_of(a, tick));
            return true;
        }
    }
    if (!is_sure) {
        note_doubt(w, "%s was out of sight at %.1f s and may have moved", name,
                   seconds_of(a, tick));
        return false;
    }
    const double away = seconds_of(a, tick - k->last) * point_length(k->now.velocity);
    const double gap = least_gap(w, a, k) - away;
    if (gap <= TOUCH_SKIN * agent_metre(a)) {
        note_doubt(w, "it may have touched %s at %.1f s, between two looks", name,
                   seconds_of(a, tick));
    }
    if (gap < NEAR * agent_metre(a)) {
        oct_agent_be_brief(a, BRIEF);
        a->must_look = a->must_look || moves || k->changes > 0;
    }
    return false;
}

static bool was_hurt_by(watched *w, oct_agent *a)
{
    oct_event event;
    bool is = false;
    uint32_t index;
    while (next_event(w, a, &event)) {
        if (is || event.id == 0 || strcmp(event.what, "hurt") != 0 ||
            !oct_belief_find(a->belief, event.id, &index) ||
            !oct_goal_target_means(w->target, a->belief, oct_belief_get(a->belief, index))) {
            continue;
        }
        char name[OCT_REASON_MAX / 4];
        (void)oct_belief_name_of(a->belief, event.id, name, sizeof name);
        oct_mind_because(a->mind, false, "it was hurt by %s at %.1f s", name,
                         seconds_of(a, event.tick));
        is = true;
    }
    if (w->has_lost) {
        note_doubt(w, "more events were told than are kept");
    }
    return is;
}

// Of those that a name or an id means nobody knows where they are before one was seen. Of a type
// or a test those that were not seen are not in the way: what touches the body is told, and in
// sight.
static void doubt_unseen(watched *w, oct_agent *a)
{
    const oct_pick *const pick = &w->target->pick;
    if (!w->has_met && (pick->name || pick->by_id) && !oct_agent_knows_all(a)) {
        note_doubt(w, "%s was not seen yet", w->target->what);
    }
}

// Where one that is meant may have moved since the last look, only another look tells.
static void look_for_movers(const watched *w, oct_agent *a)
{
    for (uint32_t i = 0; i < oct_belief_count(a->belief); i++) {
        const oct_known *const k = oct_belief_get(a->belief, i);
        if (oct_goal_target_means(w->target, a->belief, k) &&
            !oct_agent_is_sure(a, k, OCT_ASPECT_BODY)) {
            (void)oct_agent_look_again(a);
            return;
        }
    }
}

static oct_goal_status each_avoided(void *ctx, oct_mind *mind, oct_goal_status child)
{
    watched *const w = ctx;
    oct_agent *const a = oct_agent_of(mind);
    look_for_movers(w, a);
    bool is_broken = was_hurt_by(w, a);
    for (uint32_t i = 0; i < oct_belief_count(a->belief) && !is_broken; i++) {
        const oct_known *const k = oct_belief_get(a->belief, i);
        if (oct_goal_target_means(w->target, a->belief, k)) {
            is_broken = is_touched(w, a, k);
        }
    }
    w->was_at = agent_self(a)->centre;
    w->was_up = agent_self(a)->pose.up;
    w->was_tick = agent_self(a)->tick;
    oct_mind_forget_doubts(mind, 0); // who is meant is chosen by what is believed
    if (is_broken) {
        return OCT_GOAL_FAILED;
    }
    if (child == OCT_GOAL_SUCCESS) {
        doubt_unseen(w, a);
        if (w->doubt[0]) {
            oct_mind_doubt(mind, "%s", w->doubt);
        }
    }
    return OCT_GOAL_CURRENT;
}

oct_goal *oct_goal_avoided(const oct_allocator *allocator, const oct_pick *pick, oct_goal *child)
{
    goal_target *const target = oct_goal_target_make(allocator, pick, (oct_hook){0});
    watched *const w = target && child ? make(allocator) : NULL;
    if (!w) {
        oct_goal_target_drop(target);
        let_go(child);
        return NULL;
    }
    char name[OCT_REASON_MAX];
    w->target = target;
    return watch(w, oct_goal_target_title(target, "avoided", name, sizeof name), begin_avoided,
                 each_avoided, child);
}

// ---- property ----

typedef struct asked_property {
    oct_allocator allocator;
    char *name, *text; // the text of what is wanted, if it is one
    oct_property wanted;
    oct_property_fn *test; // or this
    oct_hook hook;
    goal_target *target;
} asked_property;

static void drop_property(void *ctx)
{
    asked_property *const p = ctx;
    const oct_allocator allocator = p->allocator;
    if (p->hook.drop) {
        p->hook.drop(p->hook.ctx);
    }
    oct_free_text(&allocator, p->name);
    oct_free_text(&allocator, p->text);
    oct_goal_target_drop(p->target);
    oct_free(&allocator, p, sizeof *p);
}

// How a value reads: "3", "'red'", "true".
static const char *value_words(const oct_property *p, char *out, size_t size)
{
    if (!p) {
        (void)snprintf(out, size, "not told");
    } else if (p->kind == OCT_VALUE_TEXT) {
        (void)snprintf(out, size, "'%.60s'", p->text);
    } else if (p->kind == OCT_VALUE_BOOL) {
        (void)snprintf(out, size, "%s", p->number != 0.0 ? "true" : "false");
    } else {
        (void)oct_snprintf(out, size, "%g", p->number);
    }
    return out;
}

static bool is_value(const oct_property *a, const oct_property *b)
{
    return a->kind == b->kind &&
           (a->kind == OCT_VALUE_TEXT ? strcmp(a->text, b->text) == 0 : a->number == b->number);
}

static bool has_property(void *ctx, oct_mind *mind)
{
    const asked_property *const p = ctx;
    oct_agent *const a = oct_agent_of(mind);
    oct_goal_target_begin(p->target);
    const oct_known *const k = oct_goal_target_find(p->target, a);
    if (!k) {
        oct_mind_because(mind, true, "%s was not seen yet", p->target->what);
        return false;
    }
    if (!oct_agent_is_sure(a, k, OCT_ASPECT_PROPS)) {
        oct_agent_doubt(a, k);
    }
    const oct_property *const is = oct_property_find(k->now.props, k->now.prop_count, p->name);
    if (p->test ? p->test(p->hook.ctx, is) : is && is_value(is, &p->wanted)) {
        return true;
    }
    char found[OCT_REASON_MAX / 3], wanted[OCT_REASON_MAX / 3];
    oct_mind_because(mind, false, "%s of %s is %s%s%s", p->name, p->target->what,
                     value_words(is, found, sizeof found),
                     p->test ? ", and the test does not hold" : ", not ",
                     p->test ? "" : value_words(&p->wanted, wanted, sizeof wanted));
    return false;
}

static oct_goal *find_then_check(asked_property *p, const oct_allocator *allocator,
                                 const oct_pick *pick)
{
    char name[OCT_REASON_MAX];
    (void)snprintf(name, sizeof name, "property %.80s of %s", p->name, p->target->what);
    // The hook of the pick belongs to the check, which is there as long.
    oct_pick again = *pick;
    again.hook.drop = NULL;
    oct_goal *const check =
        oct_goal_check(allocator, name, has_property, (oct_hook){p, drop_property});
    oct_goal *const both[] = {oct_goal_known_for_sure(allocator, &again), check};
    return oct_goal_name(oct_goal_seq(allocator, both, 2), name);
}

static oct_goal *make_property(const oct_allocator *may_be_null, const oct_pick *pick,
                               const char *name, const oct_property *wanted, oct_property_fn *test,
                               oct_hook hook)
{
    const oct_allocator allocator = oct_allocator_or_default(may_be_null);
    goal_target *const target = oct_goal_target_make(&allocator, pick, (oct_hook){0});
    asked_property *const p =
        target ? oct_alloc(&allocator, sizeof *p, _Alignof(asked_property)) : NULL;
    if (!p) {
        oct_goal_target_drop(target);
        if (hook.drop) {
            hook.drop(hook.ctx);
        }
        return NULL;
    }
    *p = (asked_property){.allocator = allocator, .test = test, .hook = hook, .target = target};
    p->name = name ? oct_copy_text(&allocator, name) : NULL;
    bool is_well = p->name && (wanted || test);
    if (wanted) {
        p->wanted = *wanted;
    }
    if (wanted && wanted->kind == OCT_VALUE_TEXT) {
        p->text = wanted->text ? oct_copy_text(&allocator, wanted->text) : NULL;
        p->wanted.text = p->text;
        is_well = is_well && p->text;
    }
    if (!is_well) {
        drop_property(p);
        return NULL;
    }
    return find_then_check(p, &allocator, pick);
}

oct_goal *oct_goal_property_is(const oct_allocator *allocator, const oct_pick *pick,
                               const oct_property *wanted)
{
    return make_property(allocator, pick, wanted ? wanted->name : NULL, wanted, NULL,
                         (oct_hook){0});
}

oct_goal *oct_goal_property(const oct_allocator *allocator, const oct_pick *pick, const char *name,
                            oct_property_fn *test, oct_hook hook)
{
    return make_property(allocator, pick, name, NULL, test, hook);
}
