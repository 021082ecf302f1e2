// SPDX-License-Identifier: MIT
// From problems of a world to lines of its file.
#include "files/world_findings.h"

#include "base/words.h"

#include <stdio.h>

// More refusals than these are not told: then most of the file is wrong in the same way.
#define REFUSALS_MAX 200

// ---- lines ----

uint32_t oct_findings_line(world_findings *f, const char *data, size_t at, uint32_t *column)
{
    if (f->line == 0 || at < f->line_start) {
        f->at = f->line_start = 0;
        f->line = 1;
    }
    // What is before it in its own line has no line's end.
    for (; f->at < at; f->at++) {
        if (data[f->at] == '\n') {
            f->line++;
            f->line_start = f->at + 1;
        }
    }
    *column = (uint32_t)(at - f->line_start) + 1u;
    return f->line;
}

oct_result oct_findings_add(world_findings *f, oct_array *lines, uint32_t line)
{
    return oct_array_push(lines, &f->allocator, sizeof line, &line);
}

static uint32_t line_at(const oct_array *lines, size_t index)
{
    return index < lines->count ? ((const uint32_t *)lines->items)[index] : 1u;
}

static uint32_t line_of(const world_findings *f, const oct_problem *problem)
{
    switch (problem->about) {
    case OCT_ABOUT_START:
        return f->start > 0 ? f->start : 1u;
    case OCT_ABOUT_BLOCK:
        return line_at(&f->blocks, problem->index);
    case OCT_ABOUT_WIRE:
        return line_at(&f->wires, problem->index);
    case OCT_ABOUT_MEMBER:
        return line_at(&f->members, problem->index);
    default:
        return 1;
    }
}

// ---- refusals ----

bool oct_findings_refuse(world_findings *f, uint32_t lacks, const oct_error *error)
{
    const uint32_t line = error->line > 0 ? error->line : 1u;
    oct_error own = *error;
    oct_words_defuse(own.message, '?'); // it may quote the file
    oct_problem problem = {.kind = OCT_PROBLEM_FILE,
                           .severity = OCT_SEVERITY_ERROR,
                           .about = OCT_ABOUT_WORLD,
                           .line = line,
                           .text = own.message};
    if (f->refusals == REFUSALS_MAX) {
        return false;
    }
    f->lacks |= lacks;
    f->tell(f->ctx, &problem);
    if (++f->refusals < REFUSALS_MAX) {
        return true;
    }
    problem.text = "this is one of many mistakes: the rest of the file was not read";
    f->tell(f->ctx, &problem);
    return false;
}

bool oct_findings_holds(const oct_array *keys, uint64_t key)
{
    const uint64_t *const all = keys->items;
    for (size_t i = 0; i < keys->count; i++) {
        if (all[i] == key) {
            return true;
        }
    }
    return false;
}

// ---- checking ----

typedef struct finding {
    world_findings *findings;
    const oct_world *world;
} finding;

// Whether an id is that of a block that the file has and the world has not.
static bool was_refused(const world_findings *f, const oct_world *world, uint64_t id)
{
    size_t index;
    return oct_findings_holds(&f->refused, id) && !oct_world_find(world, id, &index);
}

static bool leads_to_refused(const world_findings *f, const oct_world *world,
                             const oct_problem *problem)
{
    if (problem->about == OCT_ABOUT_MEMBER) {
        return was_refused(f, world, oct_world_get_member(world, problem->index).block);
    }
    if (problem->about != OCT_ABOUT_WIRE) {
        return false; // it counts others
    }
    const oct_world_wire wire = oct_world_get_wire(world, problem->index);
    return was_refused(f, world, wire.from) ||
           (wire.group[0] ? (f->lacks & LACKS_GROUPS) != 0 : was_refused(f, world, wire.to));
}

// Whether a problem may be there only because something was left out.
static bool is_consequence(const finding *of, const oct_problem *problem)
{
    const world_findings *const f = of->findings;
    switch (problem->kind) {
    case OCT_PROBLEM_UNUSED:
        return f->lacks & ~(uint32_t)LACKS_HEAD;
    case OCT_PROBLEM_START:
        return f->lacks & ~(uint32_t)(LACKS_WIRES | LACKS_GROUPS);
    case OCT_PROBLEM_ROOM:
        return f->lacks & (LACKS_HEAD | LACKS_GRIDS);
    case OCT_PROBLEM_WIRE_FROM:
    case OCT_PROBLEM_WIRE_TO:
        return leads_to_refused(f, of->world, problem);
    default:
        return false;
    }
}

static void on_problem(void *ctx, const oct_problem *problem)
{
    const finding *const of = ctx;
    const world_findings *const f = of->findings;
    if (!is_consequence(of, problem)) {
        oct_problem own = *problem;
        own.line = line_of(f, problem);
        f->tell(f->ctx, &own);
    }
}

oct_result oct_findings_check(world_findings *f, const oct_world *world, oct_world_check_fn *check)
{
    finding of = {f, world};
    return check(world, &f->allocator, on_problem, &of);
}

void oct_findings_free(world_findings *f)
{
    oct_array_free(&f->refused, &f->allocator, sizeof(uint64_t));
    oct_array_free(&f->refused_types, &f->allocator, sizeof(uint64_t));
    oct_array_free(&f->blocks, &f->allocator, sizeof(uint32_t));
    oct_array_free(&f->wires, &f->allocator, sizeof(uint32_t));
    oct_array_free(&f->members, &f->allocator, sizeof(uint32_t));
}
