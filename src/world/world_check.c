// SPDX-License-Identifier: MIT
// What is wrong with a world: who is told, and what takes few lines to find. Wires are in
// check_wires.c, blocks in one cell in check_overlaps.c.
#include "world/world_check.h"

#include "base/print.h"
#include "base/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define NAME_OF(names, index)                                                                      \
    ((uint32_t)(index) < sizeof(names) / sizeof *(names) ? (names)[index] : NULL)

const char *oct_severity_name(oct_severity severity)
{
    static const char *const names[] = {"warning", "error"};
    return NAME_OF(names, severity);
}

const char *oct_problem_name(oct_problem_kind kind)
{
    static const char *const names[] = {
        "file",    "wire-from", "wire-to", "wire-slot", "wire-action", "circle", "unused",
        "overlap", "same-name", "start",   "room",      "script",      "name"};
    _Static_assert(sizeof names / sizeof *names == OCT_PROBLEM_COUNT, "one each");
    return NAME_OF(names, kind);
}

// ---- telling ----

// Names may hold anything: the text is one line of UTF-8.
static void tell(const checker *c, oct_problem *problem, const char *text)
{
    char clean[OCT_PROBLEM_TEXT];
    problem->text = oct_words_copy(text, clean, sizeof clean);
    c->tell(c->ctx, problem);
}

void oct_checker_tell(checker *c, oct_problem_kind kind, oct_severity severity, oct_about about,
                      size_t index, const char *format, ...)
{
    if (checker_tells(c, kind)) {
        char text[OCT_PROBLEM_TEXT];
        va_list values;
        va_start(values, format);
        (void)oct_vsnprintf(text, sizeof text, format, values);
        va_end(values);
        oct_problem problem = {.kind = kind, .severity = severity, .about = about, .index = index};
        tell(c, &problem, text);
    }
    c->found[kind]++;
}

static void tell_rest(const checker *c)
{
    for (int kind = 0; kind < OCT_PROBLEM_COUNT; kind++) {
        if (c->found[kind] > OCT_PROBLEMS_MAX) {
            char text[OCT_PROBLEM_TEXT];
            oct_problem problem = {.kind = (oct_problem_kind)kind,
                                   .severity = OCT_SEVERITY_WARNING,
                                   .about = OCT_ABOUT_WORLD};
            (void)snprintf(text, sizeof text, "and %zu more problems of the kind '%s'",
                           c->found[kind] - OCT_PROBLEMS_MAX,
                           oct_problem_name((oct_problem_kind)kind));
            tell(c, &problem, text);
        }
    }
}

block_words oct_checker_name(const checker *c, size_t block)
{
    block_words out;
    const oct_world_block *const b = checked_block(c, block);
    const oct_world_type *const type = (const oct_world_type *)c->world->types.items + b->type;
    const char *const word =
        type->kind == OCT_KIND_SOLID ? type->name : oct_kind_name((oct_kind)type->kind);
    if (b->name[0]) {
        (void)snprintf(out.text, sizeof out.text, "%.60s '%.80s'", word, b->name);
    } else if (b->placed && b->id >> 63) { // the id is made from the cell
        (void)snprintf(out.text, sizeof out.text, "%.60s at cell %ld %ld %ld", word,
                       (long)b->cell.x, (long)b->cell.y, (long)b->cell.z);
    } else {
        (void)snprintf(out.text, sizeof out.text, "%.60s %llu", word, (unsigned long long)b->id);
    }
    return out;
}

// ---- names ----

typedef struct named_block {
    const char *name;
    size_t block;
} named_block;

static int by_name(const void *a, const void *b)
{
    const named_block *const p = a, *const q = b;
    const int order = strcmp(p->name, q->name);
    return order != 0 ? order : (p->block > q->block) - (p->block < q->block);
}

// Solid blocks often share a name; nobody presses or passes them.
static oct_result check_names(checker *c)
{
    oct_array named = {.items = NULL};
    oct_result result = OCT_OK;
    for (size_t i = 0; result == OCT_OK && i < c->world->blocks.count; i++) {
        const named_block own = {checked_block(c, i)->name, i};
        if (own.name[0] && checked_kind(c, i) != OCT_KIND_SOLID) {
            result = oct_array_push(&named, &c->allocator, sizeof own, &own);
        }
    }
    named_block *const all = named.items;
    const size_t count = result == OCT_OK ? named.count : 0;
    if (count > 1) {
        qsort(all, count, sizeof *all, by_name);
    }
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && strcmp(all[end].name, all[i].name) == 0; end++) {
        }
        if (end - i > 1) {
            oct_checker_tell(c, OCT_PROBLEM_SAME_NAME, OCT_SEVERITY_WARNING, OCT_ABOUT_BLOCK,
                             all[i + 1].block,
                             "%zu blocks are called '%.80s': a script that names it means the "
                             "nearest",
                             end - i, all[i].name);
        }
    }
    oct_array_free(&named, &c->allocator, sizeof(named_block));
    return result;
}

// ---- the start ----

static double beyond(double at, double lo, double hi)
{
    return at < lo ? lo - at : at > hi ? at - hi : 0.0;
}

static void check_start(checker *c)
{
    oct_pose start;
    oct_bounds box;
    if (!oct_world_start(c->world, &start)) {
        oct_checker_tell(c, OCT_PROBLEM_START, OCT_SEVERITY_WARNING, OCT_ABOUT_WORLD, 0,
                         "there is no start: every test has to say one");
        return;
    }
    const oct_point p = start.position;
    const bool has_bounds = oct_world_bounds(c->world, &box);
    const double view = has_bounds ? 0.0 : oct_world_rules_of(c->world).view;
    box = has_bounds ? box : oct_world_extent(c->world);
    if (!(beyond(p.x, box.min.x, box.max.x) <= view && beyond(p.y, box.min.y, box.max.y) <= view &&
          beyond(p.z, box.min.z, box.max.z) <= view)) {
        oct_checker_tell(c, OCT_PROBLEM_START, OCT_SEVERITY_WARNING, OCT_ABOUT_START, 0,
                         has_bounds ? "the start, %g, %g, %g, lies outside of the bounds"
                                    : "from the start, %g, %g, %g, no block can be seen",
                         p.x, p.y, p.z);
    }
}

// ---- the whole ----

oct_result oct_world_check(const oct_world *world, const oct_allocator *allocator,
                           oct_problem_fn *tell_fn, void *ctx)
{
    checker c = {.world = world,
                 .allocator = oct_allocator_or_default(allocator),
                 .tell = tell_fn,
                 .ctx = ctx};
    check_start(&c);
    OCT_TRY(oct_check_overlaps(&c));
    OCT_TRY(check_names(&c));
    OCT_TRY(oct_check_wires(&c));
    tell_rest(&c);
    return OCT_OK;
}
