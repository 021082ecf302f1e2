// SPDX-License-Identifier: MIT
// Goals: making and freeing trees of them.
#include "agent/mind.h"
#include "agent/mind_internal.h"

#define EPSILON 0.005

const char *oct_goal_status_name(oct_goal_status status)
{
    static const char *const names[] = {"waiting", "current", "success", "failed"};
    _Static_assert(sizeof names / sizeof *names == OCT_GOAL_STATUS_COUNT, "a name for each");
    return (uint32_t)status < OCT_GOAL_STATUS_COUNT ? names[status] : NULL;
}

const char *oct_goal_kind_name(oct_goal_kind kind)
{
    static const char *const names[] = {"goal",   "CHECK",         "SEQ",   "FIRSTof",
                                        "ANYof",  "REPEAT",        "WHILE", "IF",
                                        "DEPLOY", "INTERRUPTIBLE", "WATCH"};
    _Static_assert(sizeof names / sizeof *names == OCT_GOAL_KIND_COUNT, "a name for each");
    return (uint32_t)kind < OCT_GOAL_KIND_COUNT ? names[kind] : NULL;
}

const char *oct_proof_name(oct_proof_kind kind)
{
    static const char *const names[] = {"none", "witness", "time", "cut", "states"};
    _Static_assert(sizeof names / sizeof *names == OCT_PROOF_COUNT, "a name for each");
    return (uint32_t)kind < OCT_PROOF_COUNT ? names[kind] : NULL;
}

// ---- freeing ----

static void drop(const oct_hook *hook)
{
    if (hook->drop) {
        hook->drop(hook->ctx);
    }
}

static void free_handlers(oct_goal *goal)
{
    if (!goal->handlers) {
        return;
    }
    for (size_t i = 0; i + 1 < goal->slots; i++) {
        oct_text_free(&goal->handlers[i].name, &goal->allocator);
        drop(&goal->handlers[i].hook);
    }
    oct_free(&goal->allocator, goal->handlers, (goal->slots - 1) * sizeof *goal->handlers);
}

void oct_goal_free(oct_goal *goal)
{
    const oct_allocator own = goal->allocator;
    for (size_t i = 0; i < goal->count; i++) {
        oct_goal_free(goal->children[i]);
    }
    if (goal->tactic) {
        oct_tactic_free(goal->tactic);
    }
    free_handlers(goal);
    drop(&goal->hook);
    oct_free(&own, goal->order, goal->slots * sizeof *goal->order);
    oct_free(&own, goal->children, goal->slots * sizeof(oct_goal *));
    oct_text_free(&goal->fail, &own);
    oct_text_free(&goal->own_name, &own);
    oct_free(&own, goal, sizeof *goal);
}

void oct_goal_destroy(oct_goal *goal)
{
    if (goal) {
        OCT_ASSERT(!goal->is_taken);
        oct_goal_free(goal);
    }
}

// ---- making ----

// Goals that something is to be made of.
typedef struct given {
    oct_goal *first; // those taken for it
    uint32_t height;
    bool fits; // all were there, and nobody else's
} given;

static void give(given *g, oct_goal *goal)
{
    if (!goal || goal->is_taken) {
        g->fits = false;
        return;
    }
    goal->is_taken = true;
    goal->next = g->first;
    g->first = goal;
    g->height = goal->height < g->height ? g->height : goal->height;
}

static void free_given(given *g)
{
    while (g->first) {
        oct_goal *const next = g->first->next;
        oct_goal_free(g->first);
        g->first = next;
    }
}

static bool make_room(oct_goal *goal, size_t slots)
{
    size_t size;
    if (slots == 0) {
        return true;
    }
    if (slots > UINT32_MAX || !oct_size_mul(slots, sizeof *goal->handlers, &size)) {
        return false;
    }
    goal->children = oct_alloc(&goal->allocator, slots * sizeof(oct_goal *), _Alignof(oct_goal *));
    if (!goal->children) {
        return false;
    }
    goal->slots = slots;
    if (goal->kind == OCT_GOAL_ANY_OF) {
        goal->order = oct_alloc(&goal->allocator, slots * sizeof *goal->order, _Alignof(uint32_t));
        return goal->order != NULL;
    }
    return true;
}

// With room for children, and the hook. What was given is freed and the hook dropped where it
// fails; the name may be NULL.
static oct_goal *make(const oct_allocator *allocator, oct_goal_kind kind, const char *name,
                      oct_hook hook, given *g, size_t slots)
{
    const oct_allocator own = oct_allocator_or_default(allocator);
    oct_goal *goal = NULL;
    if (g->fits && g->height < OCT_GOAL_DEPTH_MAX) {
        goal = oct_alloc(&own, sizeof *goal, _Alignof(oct_goal));
    }
    if (goal) {
        *goal = (oct_goal){.allocator = own,
                           .kind = kind,
                           .height = g->height + 1,
                           .turns_limit = UINT64_MAX,
                           .ticks_limit = UINT64_MAX};
        if (!oct_text_copy(&goal->own_name, &own, name) || !make_room(goal, slots)) {
            oct_goal_free(goal);
            goal = NULL;
        }
    }
    if (!goal) {
        free_given(g);
        drop(&hook);
        return NULL;
    }
    goal->name = name ? goal->own_name.chars : oct_goal_kind_name(kind);
    goal->hook = hook;
    return goal;
}

static const oct_hook no_hook = {NULL, NULL};

// ---- leaves ----

oct_goal *oct_goal_leaf(const oct_allocator *allocator, const oct_leaf_goal *leaf)
{
    if (!leaf) {
        return NULL;
    }
    oct_tactic *const tactic = leaf->tactic && !leaf->tactic->is_taken ? leaf->tactic : NULL;
    given none = {.fits = leaf->name && tactic && leaf->epsilon >= 0.0};
    oct_goal *const goal = make(allocator, OCT_GOAL_LEAF, leaf->name, leaf->hook, &none, 0);
    if (!goal) {
        oct_tactic_destroy(tactic);
        return NULL;
    }
    goal->begin = leaf->begin;
    goal->test = leaf->solved;
    goal->distance = leaf->distance;
    goal->epsilon = leaf->epsilon > 0.0 ? leaf->epsilon : EPSILON;
    goal->is_undecided = leaf->is_undecided;
    goal->tactic = tactic;
    tactic->is_taken = true;
    return goal;
}

oct_goal *oct_goal_success(const oct_allocator *allocator)
{
    given none = {.fits = true};
    oct_goal *const goal = make(allocator, OCT_GOAL_CHECK, NULL, no_hook, &none, 0);
    if (goal) {
        goal->name = "SUCCESS";
    }
    return goal;
}

oct_goal *oct_goal_fail(const oct_allocator *allocator, const char *reason)
{
    given none = {.fits = true};
    oct_goal *const goal = make(allocator, OCT_GOAL_CHECK, NULL, no_hook, &none, 0);
    if (!goal) {
        return NULL;
    }
    goal->name = "FAIL";
    goal->is_fail = true;
    if (!oct_text_copy(&goal->fail, &goal->allocator, reason)) {
        oct_goal_free(goal);
        return NULL;
    }
    return goal;
}

oct_goal *oct_goal_check(const oct_allocator *allocator, const char *name, oct_test_fn *test,
                         oct_hook hook)
{
    given none = {.fits = test != NULL};
    oct_goal *const goal = make(allocator, OCT_GOAL_CHECK, name, hook, &none, 0);
    if (goal) {
        goal->test = test;
    }
    return goal;
}

// ---- combinations ----

static oct_goal *combine(const oct_allocator *allocator, oct_goal_kind kind,
                         oct_goal *const *children, size_t count, oct_test_fn *test, oct_hook hook)
{
    const bool wants_test = kind == OCT_GOAL_WHILE || kind == OCT_GOAL_IF;
    given g = {.fits = (count == 0 || children) && (test || !wants_test)};
    for (size_t i = 0; children && i < count; i++) {
        give(&g, children[i]);
    }
    oct_goal *const goal = make(allocator, kind, NULL, hook, &g, count);
    if (goal) {
        goal->test = test;
        goal->count = count;
        for (size_t i = 0; i < count; i++) {
            goal->children[i] = children[i];
        }
    }
    return goal;
}

oct_goal *oct_goal_seq(const oct_allocator *allocator, oct_goal *const *children, size_t count)
{
    return combine(allocator, OCT_GOAL_SEQ, children, count, NULL, no_hook);
}

oct_goal *oct_goal_first_of(const oct_allocator *allocator, oct_goal *const *children, size_t count)
{
    return combine(allocator, OCT_GOAL_FIRST_OF, children, count, NULL, no_hook);
}

oct_goal *oct_goal_any_of(const oct_allocator *allocator, oct_goal *const *children, size_t count)
{
    return combine(allocator, OCT_GOAL_ANY_OF, children, count, NULL, no_hook);
}

oct_goal *oct_goal_repeat(const oct_allocator *allocator, oct_goal *child)
{
    return combine(allocator, OCT_GOAL_REPEAT, &child, 1, NULL, no_hook);
}

oct_goal *oct_goal_repeat_until(const oct_allocator *allocator, oct_goal *child, oct_test_fn *test,
                                oct_hook hook)
{
    // Without a test it would be another goal.
    if (!test) {
        oct_goal_destroy(child && !child->is_taken ? child : NULL);
        drop(&hook);
        return NULL;
    }
    return combine(allocator, OCT_GOAL_REPEAT, &child, 1, test, hook);
}

oct_goal *oct_goal_while(const oct_allocator *allocator, oct_test_fn *test, oct_hook hook,
                         oct_goal *child)
{
    return combine(allocator, OCT_GOAL_WHILE, &child, 1, test, hook);
}

oct_goal *oct_goal_if(const oct_allocator *allocator, oct_test_fn *test, oct_hook hook,
                      oct_goal *then, oct_goal *otherwise)
{
    oct_goal *const children[] = {then, otherwise};
    return combine(allocator, OCT_GOAL_IF, children, otherwise ? 2 : 1, test, hook);
}

static oct_goal *make_deploy(const oct_allocator *allocator, const char *name,
                             oct_deploy_fn *deploy, oct_hook hook, bool is_once)
{
    given none = {.fits = deploy != NULL};
    oct_goal *const goal = make(allocator, OCT_GOAL_DEPLOY, name, hook, &none, 1);
    if (goal) {
        goal->deploy = deploy;
        goal->is_once = is_once;
    }
    return goal;
}

oct_goal *oct_goal_deploy(const oct_allocator *allocator, const char *name, oct_deploy_fn *deploy,
                          oct_hook hook)
{
    return make_deploy(allocator, name, deploy, hook, false);
}

oct_goal *oct_goal_deploy_once(const oct_allocator *allocator, const char *name,
                               oct_deploy_fn *deploy, oct_hook hook)
{
    return make_deploy(allocator, name, deploy, hook, true);
}

// From here on the goal has the handlers' hooks, also where names are missing.
static bool set_handlers(oct_goal *goal, const oct_handler *handlers, size_t count)
{
    goal->handlers = oct_alloc(&goal->allocator, count * sizeof *goal->handlers, _Alignof(handler));
    if (!goal->handlers) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        goal->handlers[i] = (handler){.test = handlers[i].test, .hook = handlers[i].hook};
    }
    return true;
}

static void drop_handlers(const oct_handler *handlers, size_t count)
{
    for (size_t i = 0; handlers && i < count; i++) {
        drop(&handlers[i].hook);
    }
}

oct_goal *oct_goal_interruptible(const oct_allocator *allocator, oct_goal *child,
                                 const oct_handler *handlers, size_t count)
{
    given g = {.fits = (count == 0 || handlers) && count < UINT32_MAX};
    give(&g, child);
    for (size_t i = 0; handlers && i < count; i++) {
        give(&g, handlers[i].goal);
        g.fits = g.fits && handlers[i].test && handlers[i].name;
    }
    oct_goal *const goal = make(allocator, OCT_GOAL_INTERRUPTIBLE, NULL, no_hook, &g, count + 1);
    if (!goal) {
        drop_handlers(handlers, count);
        return NULL;
    }
    goal->children[goal->count++] = child;
    for (size_t i = 0; i < count; i++) {
        goal->children[goal->count++] = handlers[i].goal;
    }
    if (count > 0 && !set_handlers(goal, handlers, count)) {
        oct_goal_free(goal);
        drop_handlers(handlers, count);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        if (!oct_text_copy(&goal->handlers[i].name, &goal->allocator, handlers[i].name)) {
            oct_goal_free(goal);
            return NULL;
        }
    }
    return goal;
}

oct_goal *oct_goal_watch(const oct_allocator *allocator, const char *name, oct_test_fn *begin,
                         oct_watch_fn *watch, oct_hook hook, oct_goal *child)
{
    given g = {.fits = name && watch};
    give(&g, child);
    oct_goal *const goal = make(allocator, OCT_GOAL_WATCH, name, hook, &g, 1);
    if (goal) {
        goal->begin = begin;
        goal->watch = watch;
        goal->children[goal->count++] = child;
    }
    return goal;
}

// ---- changing ----

oct_goal *oct_goal_limit(oct_goal *goal, uint64_t turns, uint64_t ticks)
{
    if (goal) {
        goal->turns_limit = turns > 0 ? turns : UINT64_MAX;
        goal->ticks_limit = ticks > 0 ? ticks : UINT64_MAX;
        goal->is_within = false;
    }
    return goal;
}

oct_goal *oct_goal_within(const oct_allocator *allocator, oct_goal *child, uint64_t ticks)
{
    oct_goal *const goal = oct_goal_name(oct_goal_seq(allocator, &child, 1), "within");
    if (goal) {
        goal->ticks_limit = ticks;
        goal->is_within = true;
    }
    return goal;
}

void oct_goal_tighten(oct_goal *goal, uint64_t turns, uint64_t ticks)
{
    if (turns > 0 && turns < goal->turns_limit) {
        goal->turns_limit = turns;
    }
    if (ticks > 0 && ticks < goal->ticks_limit) {
        goal->ticks_limit = ticks;
        goal->is_within = false;
    }
}

oct_goal *oct_goal_name(oct_goal *goal, const char *name)
{
    text copy;
    if (!goal) {
        return NULL;
    }
    OCT_ASSERT(!goal->is_taken);
    if (!name || !oct_text_copy(&copy, &goal->allocator, name)) {
        oct_goal_free(goal);
        return NULL;
    }
    oct_text_free(&goal->own_name, &goal->allocator);
    goal->own_name = copy;
    goal->name = copy.chars;
    return goal;
}

// Nothing below a goal that waits has begun.
void oct_goal_reset(oct_goal *goal)
{
    if (goal->status == OCT_GOAL_WAITING) {
        return;
    }
    goal->status = OCT_GOAL_WAITING;
    goal->reason[0] = '\0';
    for (size_t i = 0; i < goal->count; i++) {
        oct_goal_reset(goal->children[i]);
    }
}
