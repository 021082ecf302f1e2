// SPDX-License-Identifier: MIT
// What minds should do, in the plainest way: each goal is a function that calls those of its parts
// and returns what came of them. Time passes inside: whoever ends a turn comes back in the next
// one. What is not over then, since a budget has ended or an interrupt wants it, returns at once
// through all that was called.
#include "agent/mind.h"
#include "mind_tree.h"

#include <inttypes.h>
#include <stdio.h>

typedef enum outcome {
    GOOD,
    BAD,
    AWAY, // back to the goal at depth `target`, which fails or is interrupted
    OVER  // no more turns
} outcome;

typedef struct frame {
    node *n;
    uint64_t turns_left, ticks_left;
    bool is_handling; // INTERRUPTIBLE does not pursue its goal
} frame;

typedef struct oracle {
    tree_world world;
    oct_random random;
    tree_log *log;
    uint64_t tick, last;
    uint32_t concluded;
    frame frames[OCT_GOAL_DEPTH_MAX];
    uint32_t depth;
    char reason[OCT_REASON_MAX]; // of what failed last
    bool is_open;
    uint32_t target;
    uint32_t handler; // 0: the target fails
} oracle;

static void note(const oracle *o, uint32_t depth, const char *what, const char *text)
{
    const node *const n = o->frames[depth].n;
    const oct_mind_event event = {.turn = o->world.turn,
                                  .tick = o->tick,
                                  .depth = depth,
                                  .goal = n->name,
                                  .text = text,
                                  .status = n->status};
    tree_log_event(o->log, &event, what);
}

OCT_FORMAT(3, 4) static outcome bad(oracle *o, bool is_open, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(o->reason, sizeof o->reason, format, arguments);
    va_end(arguments);
    o->is_open = is_open;
    return BAD;
}

// What is asked is not known.
static outcome doubtful(oracle *o, const node *n)
{
    return bad(o, true, "whether %s holds is not known: turn %u", n->name, (unsigned)o->world.turn);
}

static void set_waiting(node *n)
{
    n->status = OCT_GOAL_WAITING;
    for (uint32_t i = 0; i < n->count; i++) {
        set_waiting(n->children[i]);
    }
}

// ---- time ----

static outcome end_turn(oracle *o)
{
    for (uint32_t i = 0; i < o->depth; i++) {
        o->frames[i].n->all_turns++;
        if (o->frames[i].turns_left != UINT64_MAX && o->frames[i].turns_left > 0) {
            o->frames[i].turns_left--;
        }
    }
    if (o->world.turn == o->last) {
        return OVER;
    }
    o->world.turn++;
    o->concluded = 0;
    const uint64_t tick = tree_tick(o->world.turn);
    for (uint64_t t = o->tick; t < tick; t++) {
        for (uint32_t i = 0; i < o->depth; i++) {
            o->frames[i].n->all_ticks++;
            if (o->frames[i].ticks_left != UINT64_MAX && o->frames[i].ticks_left > 0) {
                o->frames[i].ticks_left--;
            }
        }
    }
    o->tick = tick;
    for (uint32_t i = 0; i < o->depth; i++) {
        const node *const n = o->frames[i].n;
        for (uint32_t k = 1; n->kind == 'X' && !o->frames[i].is_handling && k < n->count; k++) {
            // What is not certain interrupts nothing.
            if (when_is(&n->handlers[k].test, &o->world) &&
                !when_is_undecided(&n->handlers[k].test, &o->world)) {
                o->target = i;
                o->handler = k;
                return AWAY;
            }
        }
    }
    return GOOD;
}

// Where a turn with too many goals ends.
static outcome breathe(oracle *o)
{
    return o->concluded >= OCT_MIND_STEPS_MAX ? end_turn(o) : GOOD;
}

// ---- budgets ----

static outcome check_budget(oracle *o, const char *said)
{
    for (uint32_t i = 0; i < o->depth; i++) {
        const frame *const f = &o->frames[i];
        char words[OCT_REASON_MAX + 8] = "";
        if (*said) {
            snprintf(words, sizeof words, " (%s)", said);
        }
        if (f->turns_left == 0) {
            bad(o, true, "out of budget: %u turn%s%s", (unsigned)f->n->turns,
                f->n->turns == 1 ? "" : "s", words);
        } else if (f->ticks_left == 0) {
            bad(o, true, "out of time: %.1f s%s", (double)f->n->ticks / 60.0, words);
        } else {
            continue;
        }
        o->target = i;
        o->handler = 0;
        return AWAY;
    }
    return GOOD;
}

// ---- tactics ----

// All actions that are enabled, as far as they are asked.
static uint32_t list_enabled(oracle *o, plan *p, plan **list, uint32_t count, char *said,
                             bool *said_open)
{
    const uint32_t before = count;
    if (p->kind == '!' || p->kind == '_') {
        list[count++] = p;
    } else if (p->kind == 'a') {
        if (!p->enabled.kind || when_is(&p->enabled, &o->world)) {
            list[count++] = p;
        } else if (p->guard_says) {
            snprintf(said, OCT_REASON_MAX, "no %s", p->name);
            *said_open = true;
        }
    }
    for (uint32_t i = 0; i < p->count; i++) {
        count = list_enabled(o, p->children[i], list, count, said, said_open);
        if (p->kind == 'S' || (p->kind == 'F' && count > before)) {
            break;
        }
    }
    return count;
}

// Whether the action is part of it; then what has its turn after it, or NULL.
static bool find_after(plan *p, const plan *action, plan **after)
{
    if (p == action) {
        *after = NULL;
        return true;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        if (find_after(p->children[i], action, after)) {
            if (!*after && p->kind == 'S' && i + 1 < p->count) {
                *after = p->children[i + 1];
            }
            return true;
        }
    }
    return false;
}

// Whether the action is part of it; then the smallest part of a SEQ, but its first, that holds it,
// or NULL.
static bool find_place(plan *p, const plan *action, plan **place)
{
    if (p == action) {
        *place = NULL;
        return true;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        if (find_place(p->children[i], action, place)) {
            if (!*place && p->kind == 'S' && i > 0) {
                *place = p->children[i];
            }
            return true;
        }
    }
    return false;
}

// ---- goals ----

static outcome run(oracle *o, node *n);

static bool is_solved(const oracle *o, const node *n, uint32_t ran, bool is_done)
{
    switch (n->solved) {
    case '?':
        return is_done;
    case ':':
        return when_is(&n->own.test, &o->world) && !when_is_undecided(&n->own.test, &o->world);
    default:
        return ran >= n->n;
    }
}

#define PASS(expression)                                                                           \
    do {                                                                                           \
        const outcome pass_ = (expression);                                                        \
        if (pass_ == AWAY || pass_ == OVER) {                                                      \
            return pass_;                                                                          \
        }                                                                                          \
    } while (0)

static outcome run_leaf(oracle *o, node *n)
{
    char said[OCT_REASON_MAX] = "";
    bool said_open = false, is_done = false;
    uint32_t ran = 0;
    plan *part = n->tactic, *more = NULL;
    PASS(breathe(o));
    if (n->begin.kind && !when_is(&n->begin, &o->world)) {
        return when_is_undecided(&n->begin, &o->world)
                   ? doubtful(o, n)
                   : bad(o, false, "%s could not begin", n->name);
    }
    for (;;) {
        PASS(breathe(o));
        if (is_solved(o, n, ran, is_done)) {
            return GOOD;
        }
        if (n->solved == ':' && when_is_undecided(&n->own.test, &o->world)) {
            char doubt[32];
            snprintf(doubt, sizeof doubt, "turn %u", (unsigned)o->world.turn);
            PASS(check_budget(o, doubt));
        } else {
            PASS(check_budget(o, said));
        }
        plan *list[TREE_NODES];
        plan *chosen = more;
        if (!more) {
            const uint32_t count = list_enabled(o, part, list, 0, said, &said_open);
            for (uint32_t i = 0; i < count; i++) {
                chosen = i == 0 || oct_random_below(&o->random, i + 1) == 0 ? list[i] : chosen;
            }
        }
        if (!chosen) {
            note(o, o->depth - 1, "waits", "");
            PASS(end_turn(o));
            continue;
        }
        if (chosen->kind == '!') {
            return bad(o, false, "gave up");
        }
        bool aborts = chosen->kind == '_';
        if (!aborts) {
            note(o, o->depth - 1, "acts", chosen->name);
            o->world.ran[chosen->name[0] - 'a']++;
            ran++;
            if (chosen->says) {
                snprintf(said, sizeof said, "%s in %u", chosen->name, (unsigned)o->world.turn);
                said_open = false;
            }
            aborts = chosen->abort.kind && when_is(&chosen->abort, &o->world);
            more = chosen->more.kind && !when_is(&chosen->more, &o->world) ? chosen : NULL;
            const bool steps = !more && chosen->step.kind && !when_is(&chosen->step, &o->world);
            plan *next = NULL;
            (void)(steps ? find_place(n->tactic, chosen, &next)
                         : find_after(n->tactic, chosen, &next));
            is_done = !more && !steps && !next;
            part = next ? next : n->tactic;
            PASS(end_turn(o));
        }
        if (aborts && *said) {
            return bad(o, said_open, "%s", said);
        }
        if (aborts) {
            return bad(o, false, "%s was aborted", n->name);
        }
    }
}

static outcome run_seq(oracle *o, node *n)
{
    outcome r = GOOD;
    for (uint32_t i = 0; i < n->count && r == GOOD; i++) {
        PASS(breathe(o));
        PASS(r = run(o, n->children[i]));
    }
    PASS(breathe(o));
    return r;
}

static outcome run_either(oracle *o, node *n, const uint32_t *order)
{
    bool is_open = false;
    char open[OCT_REASON_MAX] = ""; // the last reason of those that are
    for (uint32_t i = 0; i < n->count; i++) {
        PASS(breathe(o));
        if (i > 0) {
            PASS(check_budget(o, o->reason));
        }
        const outcome r = run(o, n->children[order[i]]);
        PASS(r);
        if (r == GOOD) {
            PASS(breathe(o));
            return GOOD;
        }
        is_open = is_open || o->is_open;
        if (o->is_open) {
            snprintf(open, sizeof open, "%s", o->reason);
        }
    }
    PASS(breathe(o));
    if (is_open) {
        return bad(o, true, "%s", open);
    }
    return n->count > 0 ? BAD : bad(o, false, "nothing to choose from");
}

static outcome run_loop(oracle *o, node *n)
{
    for (bool is_first = true;; is_first = false) {
        const bool has_failed = !is_first && n->children[0]->status == OCT_GOAL_FAILED;
        PASS(breathe(o));
        const bool is = when_is(&n->own.test, &o->world);
        const bool is_open = when_is_undecided(&n->own.test, &o->world);
        if (n->kind == 'W' && is_open) {
            return doubtful(o, n);
        }
        if ((n->kind == 'W' && !is) || (n->kind == 'U' && !is_first && is && !is_open) ||
            (n->kind == 'R' && !is_first && !has_failed)) {
            return GOOD;
        }
        char doubt[32];
        snprintf(doubt, sizeof doubt, "turn %u", (unsigned)o->world.turn);
        if (!is_first) {
            PASS(check_budget(o, n->kind == 'U' && is_open ? doubt : has_failed ? o->reason : ""));
        }
        PASS(run(o, n->children[0]));
    }
}

static outcome run_one(oracle *o, node *child)
{
    const outcome r = run(o, child);
    PASS(r);
    PASS(breathe(o));
    return r;
}

static outcome run_if(oracle *o, node *n)
{
    PASS(breathe(o));
    if (when_is_undecided(&n->own.test, &o->world)) {
        return doubtful(o, n);
    }
    const uint32_t i = when_is(&n->own.test, &o->world) ? 0 : 1;
    return i < n->count ? run_one(o, n->children[i]) : GOOD;
}

static void make_anew(node *n)
{
    n->status = OCT_GOAL_WAITING;
    n->rounds = 0;
    n->all_turns = n->all_ticks = 0;
    n->is_made = false;
    for (uint32_t i = 0; i < n->count; i++) {
        make_anew(n->children[i]);
    }
}

static outcome run_deploy(oracle *o, node *n)
{
    PASS(breathe(o));
    if (n->count == 0) {
        return bad(o, false, "%s made no goal", n->name);
    }
    if (n->kind == 'D' || !n->is_made) {
        make_anew(n->children[0]);
        n->is_made = true;
    }
    return run_one(o, n->children[0]);
}

static outcome run_interruptible(oracle *o, node *n)
{
    const uint32_t depth = o->depth - 1;
    o->frames[depth].is_handling = true;
    PASS(breathe(o));
    for (;;) {
        o->frames[depth].is_handling = false;
        outcome r = run(o, n->children[0]);
        if (r != AWAY && r != OVER) {
            r = breathe(o); // its outcome can be late enough to be interrupted
            if (r == GOOD) {
                return n->children[0]->status == OCT_GOAL_SUCCESS ? GOOD : BAD;
            }
        }
        if (r != AWAY || o->target != depth || o->handler == 0) {
            return r;
        }
        const uint32_t k = o->handler;
        set_waiting(n->children[0]);
        note(o, depth, "interrupted", n->children[k]->name);
        o->frames[depth].is_handling = true;
        r = run(o, n->children[k]);
        PASS(r);
        PASS(breathe(o));
        PASS(check_budget(o, r == BAD ? o->reason : ""));
    }
}

static outcome run_body(oracle *o, node *n)
{
    uint32_t order[TREE_CHILDREN] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (uint32_t left = n->count; n->kind == 'A' && left > 1; left--) {
        const uint64_t i = oct_random_below(&o->random, left);
        const uint32_t drawn = order[i];
        order[i] = order[left - 1];
        order[left - 1] = drawn;
    }
    note(o, o->depth - 1, "begins", "");
    switch (n->kind) {
    case 'S':
        return run_seq(o, n);
    case 'F':
    case 'A':
        return run_either(o, n, order);
    case 'R':
    case 'U':
    case 'W':
        return run_loop(o, n);
    case 'I':
        return run_if(o, n);
    case 'D':
    case 'O':
        return run_deploy(o, n);
    case 'X':
        return run_interruptible(o, n);
    case 'C':
        PASS(breathe(o));
        return when_is_undecided(&n->own.test, &o->world) ? doubtful(o, n)
               : when_is(&n->own.test, &o->world)         ? GOOD
                                                          : bad(o, false, "CHECK is not so");
    case '+':
        return breathe(o);
    case '-':
        PASS(breathe(o));
        return bad(o, false, "as it must");
    default:
        return run_leaf(o, n);
    }
}

static outcome run(oracle *o, node *n)
{
    const uint32_t depth = o->depth++;
    frame *const f = &o->frames[depth];
    *f = (frame){.n = n,
                 .turns_left = n->turns ? n->turns : UINT64_MAX,
                 .ticks_left = n->ticks ? n->ticks : UINT64_MAX};
    if (depth > 0 && f[-1].turns_left < f->turns_left) {
        f->turns_left = f[-1].turns_left;
    }
    if (depth > 0 && f[-1].ticks_left < f->ticks_left) {
        f->ticks_left = f[-1].ticks_left;
    }
    set_waiting(n);
    n->status = OCT_GOAL_CURRENT;
    n->rounds++;
    outcome r = run_body(o, n);
    if (r == OVER || (r == AWAY && o->handler > 0)) {
        o->depth = depth;
        return r;
    }
    n->status = r == GOOD ? OCT_GOAL_SUCCESS : OCT_GOAL_FAILED;
    note(o, depth, "ends", r == GOOD ? "" : o->reason);
    o->depth = depth;
    o->concluded++;
    return r == AWAY && o->target == depth ? BAD : r;
}

static void log_views(tree_log *log, const node *n, uint32_t depth)
{
    tree_log_add(log, "%u %s %s %u %u %u\n", depth, n->name, oct_goal_status_name(n->status),
                 n->rounds, (unsigned)n->all_turns, (unsigned)n->all_ticks);
    const bool is_deploy = n->kind == 'D' || n->kind == 'O';
    for (uint32_t i = 0; i < n->count && (!is_deploy || n->is_made); i++) {
        log_views(log, n->children[i], depth + 1);
    }
}

void tree_run_slowly(tree *t, uint64_t seed, uint64_t turns, tree_log *log)
{
    oracle o = {.world.turn = 1,
                .random = oct_random_seed(seed),
                .log = log,
                .tick = tree_tick(1),
                .last = turns};
    make_anew(t->root);
    const outcome r = run(&o, t->root);
    tree_log_add(log, "%s %s %d %" PRIx64 "\n", oct_goal_status_name(t->root->status),
                 r == BAD ? o.reason : "", r == BAD && o.is_open, log->hash);
    log_views(log, t->root, 0);
}
