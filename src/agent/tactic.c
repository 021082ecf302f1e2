// SPDX-License-Identifier: MIT
// Tactics: making them, and choosing an action.
#include "agent/mind_internal.h"

// ---- text ----

bool oct_text_copy(text *t, const oct_allocator *allocator, const char *string)
{
    *t = (text){NULL, 0};
    if (!string) {
        return true;
    }
    const size_t size = strlen(string) + 1;
    t->chars = oct_alloc(allocator, size, 1);
    if (!t->chars) {
        return false;
    }
    memcpy(t->chars, string, size);
    t->size = size;
    return true;
}

void oct_text_free(text *t, const oct_allocator *allocator)
{
    oct_free(allocator, t->chars, t->size);
    *t = (text){NULL, 0};
}

// ---- making ----

void oct_tactic_free(oct_tactic *tactic)
{
    const oct_allocator own = tactic->allocator;
    for (size_t i = 0; i < tactic->count; i++) {
        oct_tactic_free(tactic->children[i]);
    }
    if (tactic->hook.drop) {
        tactic->hook.drop(tactic->hook.ctx);
    }
    oct_free(&own, tactic->children, tactic->count * sizeof(oct_tactic *));
    oct_text_free(&tactic->text, &own);
    oct_free(&own, tactic, sizeof *tactic);
}

void oct_tactic_destroy(oct_tactic *tactic)
{
    if (tactic) {
        OCT_ASSERT(!tactic->is_taken);
        oct_tactic_free(tactic);
    }
}

static oct_tactic *make(const oct_allocator *allocator, tactic_kind kind, const char *string)
{
    const oct_allocator own = oct_allocator_or_default(allocator);
    oct_tactic *const tactic = oct_alloc(&own, sizeof *tactic, _Alignof(oct_tactic));
    if (!tactic) {
        return NULL;
    }
    *tactic = (oct_tactic){.allocator = own, .kind = kind, .height = 1};
    if (!oct_text_copy(&tactic->text, &own, string)) {
        oct_tactic_free(tactic);
        return NULL;
    }
    return tactic;
}

oct_tactic *oct_tactic_action(const oct_allocator *allocator, const char *name,
                              oct_test_fn *enabled, oct_action_fn *run, oct_hook hook)
{
    oct_tactic *const tactic = name && run ? make(allocator, TACTIC_ACTION, name) : NULL;
    if (!tactic) {
        if (hook.drop) {
            hook.drop(hook.ctx);
        }
        return NULL;
    }
    tactic->enabled = enabled;
    tactic->run = run;
    tactic->hook = hook;
    return tactic;
}

oct_tactic *oct_tactic_abort(const oct_allocator *allocator, const char *reason)
{
    return make(allocator, TACTIC_ABORT, reason);
}

static bool set_children(oct_tactic *tactic, oct_tactic *const *children, size_t count)
{
    size_t size;
    if (count == 0) {
        return true;
    }
    if (count > UINT32_MAX || !oct_size_mul(count, sizeof *children, &size)) {
        return false;
    }
    tactic->children = oct_alloc(&tactic->allocator, size, _Alignof(oct_tactic *));
    if (!tactic->children) {
        return false;
    }
    memcpy(tactic->children, children, size);
    tactic->count = count;
    for (size_t i = 0; i < count; i++) {
        children[i]->parent = tactic;
        children[i]->index = (uint32_t)i;
    }
    return true;
}

static oct_tactic *combine(const oct_allocator *allocator, tactic_kind kind,
                           oct_tactic *const *children, size_t count)
{
    oct_tactic *given = NULL;
    uint32_t height = 1;
    bool fits = count == 0 || children;
    for (size_t i = 0; children && i < count; i++) {
        oct_tactic *const child = children[i];
        if (!child || child->is_taken) {
            fits = false;
            continue;
        }
        child->is_taken = true;
        child->next = given;
        given = child;
        height = child->height < height ? height : child->height + 1;
    }
    fits = fits && height <= OCT_GOAL_DEPTH_MAX;
    oct_tactic *const tactic = fits ? make(allocator, kind, NULL) : NULL;
    if (tactic && set_children(tactic, children, count)) {
        tactic->height = height;
        return tactic;
    }
    if (tactic) {
        oct_tactic_free(tactic);
    }
    while (given) {
        oct_tactic *const next = given->next;
        oct_tactic_free(given);
        given = next;
    }
    return NULL;
}

oct_tactic *oct_tactic_first_of(const oct_allocator *allocator, oct_tactic *const *children,
                                size_t count)
{
    return combine(allocator, TACTIC_FIRST_OF, children, count);
}

oct_tactic *oct_tactic_any_of(const oct_allocator *allocator, oct_tactic *const *children,
                              size_t count)
{
    return combine(allocator, TACTIC_ANY_OF, children, count);
}

oct_tactic *oct_tactic_seq(const oct_allocator *allocator, oct_tactic *const *children,
                           size_t count)
{
    return combine(allocator, TACTIC_SEQ, children, count);
}

// ---- choosing ----

// What is enabled, so far: each of them is the chosen one with the same chance.
typedef struct choice {
    oct_mind *mind;
    oct_random *random;
    oct_tactic *chosen;
    uint64_t count;
} choice;

static void gather(choice *c, oct_tactic *tactic)
{
    const uint64_t before = c->count;
    switch (tactic->kind) {
    case TACTIC_ACTION:
        if (tactic->enabled && !tactic->enabled(tactic->hook.ctx, c->mind)) {
            return;
        }
        // fall through
    case TACTIC_ABORT:
        c->count++;
        if (c->count == 1 || oct_random_below(c->random, c->count) == 0) {
            c->chosen = tactic;
        }
        return;
    case TACTIC_FIRST_OF:
        for (size_t i = 0; i < tactic->count && c->count == before; i++) {
            gather(c, tactic->children[i]);
        }
        return;
    case TACTIC_ANY_OF:
        for (size_t i = 0; i < tactic->count; i++) {
            gather(c, tactic->children[i]);
        }
        return;
    case TACTIC_SEQ:
        if (tactic->count > 0) {
            gather(c, tactic->children[0]);
        }
        return;
    }
}

oct_tactic *oct_tactic_choose(oct_tactic *tactic, oct_mind *mind, oct_random *random)
{
    choice c = {.mind = mind, .random = random};
    gather(&c, tactic);
    return c.chosen;
}

oct_tactic *oct_tactic_place(oct_tactic *action)
{
    oct_tactic *t = action;
    while (t->parent && (t->parent->kind != TACTIC_SEQ || t->index == 0)) {
        t = t->parent;
    }
    return t->parent ? t : NULL;
}

oct_tactic *oct_tactic_after(const oct_tactic *action)
{
    for (const oct_tactic *t = action; t->parent; t = t->parent) {
        if (t->parent->kind == TACTIC_SEQ && t->index + 1 < t->parent->count) {
            return t->parent->children[t->index + 1];
        }
    }
    return NULL;
}
