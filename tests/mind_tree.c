// SPDX-License-Identifier: MIT
// Goals written as text: read, made, drawn at random, and pursued by a mind.
#include "mind_tree.h"
#include "agent/mind.h"
#include "agent/mind_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// ---- conditions ----

bool when_is(const when *w, const tree_world *world)
{
    switch (w->kind) {
    case 't':
        return true;
    case '>':
        return world->turn >= w->n;
    case '<':
        return world->turn < w->n;
    case '=':
        return world->turn == w->n;
    case '%':
        return world->turn % w->n == 0;
    case '#':
        return world->ran[w->who - 'a'] >= w->n;
    case 'o':
        return world->turn >= w->n || world->turn % 2 == 1;
    default:
        return false;
    }
}

bool when_is_undecided(const when *w, const tree_world *world)
{
    return w->kind == 'o' && world->turn < w->n;
}

// An answer, with its doubts.
static bool tell(const when *w, const tree_world *world, oct_mind *mind)
{
    if (when_is_undecided(w, world)) {
        oct_mind_doubt(mind, "turn %u", (unsigned)world->turn);
        oct_mind_doubt(mind, "more of it");
    }
    return when_is(w, world);
}

// ---- reading ----

typedef struct reader {
    tree *tree;
    const char *at;
} reader;

static bool takes(reader *r, char c)
{
    if (*r->at != c) {
        return false;
    }
    r->at++;
    return true;
}

static void expect(reader *r, char c)
{
    if (!takes(r, c)) {
        fail_msg("'%c' expected before \"%s\"", c, r->at);
    }
}

static uint32_t read_number(reader *r)
{
    char *end;
    const unsigned long n = strtoul(r->at, &end, 10);
    r->at = end;
    return (uint32_t)n;
}

static when read_when(reader *r)
{
    when w = {.kind = *r->at++};
    assert_non_null(strchr("tf><=%#o", w.kind));
    if (w.kind == '#') {
        w.who = *r->at++;
    }
    if (w.kind != 't' && w.kind != 'f') {
        w.n = read_number(r);
    }
    return w;
}

static plan *new_plan(reader *r, char kind, node *leaf)
{
    assert_true(r->tree->plan_count < TREE_NODES);
    plan *const p = &r->tree->plans[r->tree->plan_count++];
    *p = (plan){.own.tree = r->tree, .kind = kind, .leaf = leaf};
    return p;
}

static plan *read_plan(reader *r, node *leaf)
{
    const char c = *r->at++;
    const bool is_action = c >= 'a' && c <= 'z';
    plan *const p = new_plan(r, is_action ? 'a' : c, leaf);
    if (strchr("SFA", c)) {
        expect(r, '(');
        while (!takes(r, ')')) {
            assert_true(p->count < TREE_CHILDREN);
            p->children[p->count++] = read_plan(r, leaf);
            takes(r, ',');
        }
        return p;
    }
    p->name[0] = c;
    while (is_action) {
        if (takes(r, '?')) {
            p->enabled = read_when(r);
        } else if (takes(r, ';')) {
            p->more = read_when(r);
        } else if (takes(r, '&')) {
            p->step = read_when(r);
        } else if (takes(r, '!')) {
            p->abort = read_when(r);
        } else if (takes(r, '\'')) {
            p->says = true;
        } else if (takes(r, '"')) {
            p->guard_says = true;
        } else {
            break;
        }
    }
    return p;
}

static void read_leaf(reader *r, node *n, char name)
{
    n->kind = 'a';
    n->name[0] = name;
    n->solved = 'n';
    n->n = 1;
    if (*r->at >= '0' && *r->at <= '9') {
        n->n = read_number(r);
    } else if (takes(r, '~')) {
        n->solved = '~';
        n->n = read_number(r);
    } else if (takes(r, '?')) {
        n->solved = '?';
    } else if (takes(r, ':')) {
        n->solved = ':';
        n->own.test = read_when(r);
    }
    if (takes(r, '^')) {
        n->begin = read_when(r);
    }
    n->is_open = takes(r, '*');
    if (takes(r, '{')) {
        n->tactic = read_plan(r, n);
        expect(r, '}');
    } else {
        n->tactic = new_plan(r, 'a', n);
        n->tactic->name[0] = name;
    }
}

static node *read_goal(reader *r);

static void read_children(reader *r, node *n)
{
    expect(r, '(');
    while (!takes(r, ')')) {
        assert_true(n->count < TREE_CHILDREN);
        if (n->kind == 'X' && n->count > 0) {
            n->handlers[n->count] = (owned){.tree = r->tree, .test = read_when(r)};
        }
        n->children[n->count++] = read_goal(r);
        takes(r, ',');
    }
}

static const char *name_of(char kind)
{
    static const char *const names[] = {
        "SSEQ",    "FFIRSTof", "AANYof", "RREPEAT",  "UREPEAT", "WWHILE",        "IIF",
        "DDEPLOY", "OONCE",    "CCHECK", "+SUCCESS", "-FAIL",   "XINTERRUPTIBLE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i][0] == kind) {
            return names[i] + 1;
        }
    }
    return "";
}

static node *read_goal(reader *r)
{
    assert_true(r->tree->node_count < TREE_NODES);
    node *const n = &r->tree->nodes[r->tree->node_count++];
    const char c = *r->at++;
    *n = (node){.own.tree = r->tree, .kind = c};
    if (c >= 'a' && c <= 'z') {
        read_leaf(r, n, c);
    } else {
        snprintf(n->name, sizeof n->name, "%s", name_of(c));
        assert_true(*n->name);
        if (strchr("UWIC", c)) {
            n->own.test = read_when(r);
        }
        if (!strchr("+-C", c)) {
            read_children(r, n);
        }
    }
    if (takes(r, '/')) {
        n->turns = read_number(r);
    }
    if (takes(r, '@')) {
        n->ticks = read_number(r);
    }
    return n;
}

void tree_read(tree *t, const char *string)
{
    t->world = (tree_world){0, {0}};
    t->allocator = NULL;
    t->node_count = t->plan_count = 0;
    reader r = {.tree = t, .at = string};
    t->root = read_goal(&r);
    if (*r.at) {
        fail_msg("\"%s\" is too much of %s", r.at, string);
    }
}

// ---- functions of goals ----

static void drop(void *ctx)
{
    owned *const o = ctx;
    o->dropped++;
    assert_true(o->dropped <= o->given);
}

static oct_hook give(owned *o)
{
    o->given++;
    return (oct_hook){o, drop};
}

static bool test(void *ctx, oct_mind *mind)
{
    const owned *const o = ctx;
    oct_mind_because(mind, true, "nobody may say this");
    return tell(&o->test, &o->tree->world, mind);
}

static bool test_aloud(void *ctx, oct_mind *mind)
{
    const owned *const o = ctx;
    return tell(&o->test, &o->tree->world, mind);
}

static bool leaf_begin(void *ctx, oct_mind *mind)
{
    node *const n = ctx;
    n->ran = 0;
    return !n->begin.kind || tell(&n->begin, &n->own.tree->world, mind);
}

static bool leaf_solved(void *ctx, oct_mind *mind)
{
    const node *const n = ctx;
    (void)mind;
    return n->ran >= n->n;
}

static double leaf_distance(void *ctx, oct_mind *mind)
{
    const node *const n = ctx;
    (void)mind;
    return n->ran >= n->n ? -0.005 : (double)n->ran - (double)n->n;
}

static bool leaf_is_open(void *ctx, oct_mind *mind)
{
    (void)ctx;
    (void)mind;
    return true;
}

static bool action_enabled(void *ctx, oct_mind *mind)
{
    const plan *const p = ctx;
    const bool is_enabled = when_is(&p->enabled, &p->own.tree->world);
    if (!is_enabled && p->guard_says) {
        oct_mind_because(mind, true, "no %s", p->name);
    }
    return is_enabled;
}

static oct_did action_run(void *ctx, oct_mind *mind)
{
    const plan *const p = ctx;
    tree_world *const world = &p->own.tree->world;
    world->ran[p->name[0] - 'a']++;
    p->leaf->ran++;
    if (p->says) {
        oct_mind_because(mind, false, "%s in %u", p->name, (unsigned)world->turn);
    }
    if (p->abort.kind && when_is(&p->abort, world)) {
        return OCT_DID_ABORT;
    }
    if (p->more.kind && !when_is(&p->more, world)) {
        return OCT_DID_MORE;
    }
    return p->step.kind && !when_is(&p->step, world) ? OCT_DID_STEP : OCT_DID_DONE;
}

static oct_goal *deploy(void *ctx, oct_mind *mind)
{
    node *const n = ctx;
    if (n->count == 0) {
        return NULL;
    }
    oct_goal *const goal = tree_make(n->children[0]);
    if (!goal) {
        oct_mind_lack_memory(mind);
    }
    return goal;
}

// ---- making ----

static oct_tactic *make_plan(plan *p)
{
    const oct_allocator *const allocator = p->own.tree->allocator;
    oct_tactic *children[TREE_CHILDREN];
    for (uint32_t i = 0; i < p->count; i++) {
        children[i] = make_plan(p->children[i]);
    }
    switch (p->kind) {
    case 'S':
        return oct_tactic_seq(allocator, children, p->count);
    case 'F':
        return oct_tactic_first_of(allocator, children, p->count);
    case 'A':
        return oct_tactic_any_of(allocator, children, p->count);
    case '!':
        return oct_tactic_abort(allocator, "gave up");
    case '_':
        return oct_tactic_abort(allocator, NULL);
    default:
        return oct_tactic_action(allocator, p->name, p->enabled.kind ? action_enabled : NULL,
                                 action_run, give(&p->own));
    }
}

static oct_goal *make_leaf(node *n)
{
    const bool counts = n->solved == 'n' || n->solved == '~';
    const oct_leaf_goal leaf = {.name = n->name,
                                .begin = counts || n->begin.kind ? leaf_begin : NULL,
                                .solved = n->solved == 'n'   ? leaf_solved
                                          : n->solved == ':' ? test_aloud
                                                             : NULL,
                                .distance = n->solved == '~' ? leaf_distance : NULL,
                                .is_undecided = n->is_open ? leaf_is_open : NULL,
                                .tactic = make_plan(n->tactic),
                                .hook = give(&n->own)};
    return oct_goal_leaf(n->own.tree->allocator, &leaf);
}

static oct_goal *make_interruptible(node *n, oct_goal *const *children)
{
    oct_handler handlers[TREE_CHILDREN];
    for (uint32_t i = 1; i < n->count; i++) {
        const char *const name = n->children[i]->name;
        handlers[i - 1] = (oct_handler){name, test, give(&n->handlers[i]), children[i]};
    }
    return oct_goal_interruptible(n->own.tree->allocator, children[0], handlers, n->count - 1);
}

static oct_goal *make_node(node *n)
{
    const oct_allocator *const allocator = n->own.tree->allocator;
    const bool is_deploy = n->kind == 'D' || n->kind == 'O';
    oct_goal *children[TREE_CHILDREN] = {NULL};
    for (uint32_t i = 0; i < n->count && !is_deploy; i++) {
        children[i] = tree_make(n->children[i]);
    }
    switch (n->kind) {
    case 'S':
        return oct_goal_seq(allocator, children, n->count);
    case 'F':
        return oct_goal_first_of(allocator, children, n->count);
    case 'A':
        return oct_goal_any_of(allocator, children, n->count);
    case 'R':
        return oct_goal_repeat(allocator, children[0]);
    case 'U':
        return oct_goal_repeat_until(allocator, children[0], test, give(&n->own));
    case 'W':
        return oct_goal_while(allocator, test, give(&n->own), children[0]);
    case 'I':
        if (n->count > 1 && !children[1]) {
            oct_goal_destroy(children[0]);
            return NULL;
        }
        return oct_goal_if(allocator, test, give(&n->own), children[0], children[1]);
    case 'D':
        return oct_goal_deploy(allocator, NULL, deploy, give(&n->own));
    case 'O':
        return oct_goal_deploy_once(allocator, "ONCE", deploy, give(&n->own));
    case 'X':
        return make_interruptible(n, children);
    case 'C':
        return oct_goal_check(allocator, NULL, test_aloud, give(&n->own));
    case '+':
        return oct_goal_success(allocator);
    case '-':
        return oct_goal_fail(allocator, "as it must");
    default:
        return make_leaf(n);
    }
}

oct_goal *tree_make(node *n)
{
    return oct_goal_limit(make_node(n), n->turns, n->ticks);
}

void tree_check_hooks(const tree *t)
{
    for (uint32_t i = 0; i < t->node_count; i++) {
        const node *const n = &t->nodes[i];
        assert_int_equal(n->own.given, n->own.dropped);
        for (uint32_t k = 0; k < n->count; k++) {
            assert_int_equal(n->handlers[k].given, n->handlers[k].dropped);
        }
    }
    for (uint32_t i = 0; i < t->plan_count; i++) {
        assert_int_equal(t->plans[i].own.given, t->plans[i].own.dropped);
    }
}

// ---- drawing ----

typedef struct writer {
    oct_random *random;
    char *out;
    size_t size, at;
    uint32_t goals; // that it may still draw
} writer;

OCT_FORMAT(2, 3) static void put(writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    w->at += (size_t)vsnprintf(w->out + w->at, w->size - w->at, format, arguments);
    va_end(arguments);
    assert_true(w->at < w->size);
}

static uint32_t below(writer *w, uint32_t n)
{
    return (uint32_t)oct_random_below(w->random, n);
}

static bool one_in(writer *w, uint32_t n)
{
    return below(w, n) == 0;
}

static void draw_when(writer *w)
{
    const char kind = "tf>>><<=%##oo"[below(w, 13)];
    put(w, "%c", kind);
    if (kind == '#') {
        put(w, "%c", 'a' + (int)below(w, 4));
    }
    if (kind != 't' && kind != 'f') {
        put(w, "%u", 1 + below(w, kind == '%' ? 4 : 9));
    }
}

static void draw_marked(writer *w, const char *mark, uint32_t n)
{
    if (one_in(w, n)) {
        put(w, "%s", mark);
        draw_when(w);
    }
}

static void draw_plan(writer *w, uint32_t depth)
{
    if (depth < 3 && one_in(w, 2)) {
        put(w, "%c(", "SFA"[below(w, 3)]);
        const uint32_t count = one_in(w, 12) ? 0 : 1 + below(w, 3);
        for (uint32_t i = 0; i < count; i++) {
            put(w, i ? "," : "");
            draw_plan(w, depth + 1);
        }
        put(w, ")");
        return;
    }
    if (one_in(w, 7)) {
        put(w, one_in(w, 2) ? "!" : "_");
        return;
    }
    put(w, "%c", 'a' + (int)below(w, 4));
    draw_marked(w, "?", 2);
    draw_marked(w, ";", 5);
    draw_marked(w, "&", 5);
    draw_marked(w, "!", 7);
    put(w, "%s%s", one_in(w, 4) ? "'" : "", one_in(w, 4) ? "\"" : "");
}

static void draw_leaf(writer *w)
{
    put(w, "%c", 'a' + (int)below(w, 4));
    switch (below(w, 5)) {
    case 0:
        put(w, "%u", below(w, 4));
        break;
    case 1:
        put(w, "~%u", below(w, 4));
        break;
    case 2:
        put(w, "?");
        break;
    case 3:
        put(w, ":");
        draw_when(w);
        break;
    default:
        break;
    }
    draw_marked(w, "^", 8);
    put(w, "%s", one_in(w, 4) ? "*" : "");
    if (one_in(w, 2)) {
        put(w, "{");
        draw_plan(w, 0);
        put(w, "}");
    }
}

static void draw_goal(writer *w, uint32_t depth);

static void draw_children(writer *w, char kind, uint32_t depth)
{
    uint32_t count = strchr("RUWDO", kind) ? 1 : 1 + below(w, 3);
    count = kind == 'I' && count > 2 ? 2 : count;
    count = strchr("SFAD", kind) && one_in(w, 12) ? 0 : count;
    put(w, "(");
    for (uint32_t i = 0; i < count; i++) {
        put(w, i ? "," : "");
        if (kind == 'X' && i > 0) {
            draw_when(w);
        }
        draw_goal(w, depth + 1);
    }
    put(w, ")");
}

static void draw_goal(writer *w, uint32_t depth)
{
    if (depth > 5 || w->goals == 0 || one_in(w, depth == 0 ? 20 : 3)) {
        draw_leaf(w);
    } else {
        w->goals--;
        const char kind = "SSSFFAARRUWIDOXXXC+-"[below(w, 20)];
        put(w, "%c", kind);
        if (strchr("UWIC", kind)) {
            draw_when(w);
        }
        if (!strchr("C+-", kind)) {
            draw_children(w, kind, depth);
        }
    }
    if (one_in(w, 4)) {
        put(w, "/%u", 1 + below(w, 6));
    }
    if (one_in(w, 6)) {
        put(w, "@%u", 1 + below(w, 60));
    }
}

void tree_draw(oct_random *random, char *out, size_t size)
{
    writer w = {.random = random, .out = out, .size = size, .goals = 12};
    draw_goal(&w, 0);
}

// ---- running ----

void tree_log_add(tree_log *log, const char *format, ...)
{
    if (log->capacity - log->size < 1024) {
        log->capacity = 2 * log->capacity + 4096;
        log->chars = realloc(log->chars, log->capacity);
        assert_non_null(log->chars);
    }
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(log->chars + log->size, 1024, format, arguments);
    va_end(arguments);
    assert_in_range(size, 0, 1023);
    log->size += (size_t)size;
}

void tree_log_free(tree_log *log)
{
    free(log->chars);
    *log = (tree_log){.chars = NULL};
}

// Uneven steps, and now and then back.
uint64_t tree_tick(uint64_t turn)
{
    return 100 + turn * 5 + turn * turn * 7 % 23;
}

void tree_log_event(tree_log *log, const oct_mind_event *event, const char *what)
{
    log->count = event->turn == log->turn ? log->count + 1 : 0;
    log->turn = event->turn;
    if (log->count < 50) {
        tree_log_add(log, "%u %u %u %s %s %s %s\n", (unsigned)event->turn, (unsigned)event->tick,
                     (unsigned)event->depth, event->goal, what, event->text,
                     oct_goal_status_name(event->status));
        return;
    }
    const uint64_t parts[] = {log->hash,
                              event->turn,
                              event->tick,
                              event->depth,
                              event->status,
                              oct_hash_bytes(event->goal, strlen(event->goal)),
                              oct_hash_bytes(what, strlen(what)),
                              oct_hash_bytes(event->text, strlen(event->text))};
    log->hash = oct_hash_bytes(parts, sizeof parts);
}

static void log_event(void *ctx, const oct_mind_event *event)
{
    static const char *const kinds[] = {"begins", "ends", "acts", "waits", "interrupted"};
    tree_log_event(ctx, event, kinds[event->kind]);
}

static bool log_view(void *ctx, const oct_goal_view *v)
{
    tree_log_add(ctx, "%u %s %s %u %u %u\n", v->depth, v->name, oct_goal_status_name(v->status),
                 v->rounds, (unsigned)v->turns, (unsigned)v->ticks);
    return true;
}

void tree_run(tree *t, uint64_t seed, uint64_t turns, tree_log *log)
{
    t->world = (tree_world){0, {0}};
    oct_mind_def def = oct_mind_def_default();
    def.seed = seed;
    def.event = log_event;
    def.event_ctx = log;
    oct_mind *mind;
    assert_int_equal(oct_mind_create(&def, &mind), OCT_OK);
    assert_int_equal(oct_mind_pursue(mind, tree_make(t->root)), OCT_OK);
    oct_goal_status status = OCT_GOAL_CURRENT;
    for (uint64_t turn = 1; turn <= turns && status == OCT_GOAL_CURRENT; turn++) {
        t->world.turn = turn;
        status = oct_mind_turn(mind, tree_tick(turn));
    }
    bool is_open;
    const char *const reason = oct_mind_reason(mind, &is_open);
    tree_log_add(log, "%s %s %d %" PRIx64 "\n", oct_goal_status_name(status), reason, is_open,
                 log->hash);
    assert_true(oct_mind_goals(mind, log_view, log));
    oct_mind_destroy(mind);
}
