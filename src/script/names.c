// SPDX-License-Identifier: MIT
// What a script mentions of its world, kept while the file is loaded and the body of a test runs,
// so that a misspelt name can be told before minutes are spent on looking for it.
#include "script/script_internal.h"

#include "octant/block_world.h"
#include "world/world_names.h"

#include <stdio.h>
#include <stdlib.h>

#define NAMES_MAX 1000 // of one test; more are not compared

// ---- keeping ----

static const script_name *name_at(const host *h, size_t index)
{
    return (const script_name *)h->names.items + index;
}

// A name that cannot be kept, for want of memory, is not compared.
void oct_keep_name(lua_State *L, const char *text, bool is_type)
{
    host *const h = oct_host_of(L);
    if (h->phase == HOST_PLAYS || h->names.count == NAMES_MAX) {
        return;
    }
    script_name own = {.is_type = is_type, .was_loading = h->phase == HOST_LOADS};
    (void)oct_script_place(L, own.place, sizeof own.place, NULL);
    own.text = oct_copy_text(&h->base, text);
    if (own.text && oct_array_push(&h->names, &h->base, sizeof own, &own) != OCT_OK) {
        oct_free_text(&h->base, own.text);
    }
}

void oct_keep_pick(lua_State *L, const oct_pick *pick)
{
    if (pick->name) {
        oct_keep_name(L, pick->name, false);
    }
    if (pick->type) {
        oct_keep_name(L, pick->type, true);
    }
}

void oct_keep_claim(lua_State *L, const oct_link_claim *claim)
{
    oct_keep_name(L, claim->panel, false);
    for (size_t i = 0; i < claim->count; i++) {
        oct_keep_name(L, claim->doors[i], false);
    }
}

void oct_free_names(host *h)
{
    for (size_t i = 0; i < h->names.count; i++) {
        oct_free_text(&h->base, name_at(h, i)->text);
    }
    oct_array_free(&h->names, &h->base, sizeof(script_name));
}

// ---- telling ----

// Tells a problem at a place, "file:line".
static void tell_at(const host *h, const char *place, oct_problem *problem, script_problem_fn *tell,
                    void *ctx)
{
    char file[HOST_PLACE];
    const char *const colon = strrchr(place, ':');
    const size_t length = colon ? (size_t)(colon - place) : 0;
    (void)snprintf(file, sizeof file, "%.*s", (int)length, place);
    problem->line = colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
    const bool is_own = length == 0 || strcmp(file, h->script->name) == 0;
    tell(ctx, is_own ? h->script->path : file, problem);
}

static bool is_same(const script_name *a, const script_name *b)
{
    return a->is_type == b->is_type && strcmp(a->place, b->place) == 0 &&
           strcmp(a->text, b->text) == 0;
}

static bool was_before(const host *h, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (is_same(name_at(h, i), name_at(h, index))) {
            return true;
        }
    }
    return false;
}

// What was made outside of every test may be meant for another one, with another world.
static bool is_for_one_world(const oct_script *script)
{
    const script_entry *const tests = script->tests.items;
    for (size_t i = 1; i < script->tests.count; i++) {
        if (strcmp(tests[i].world, tests[0].world) != 0) {
            return false;
        }
    }
    return true;
}

static void tell_name(const host *h, const oct_world *world, const script_name *name,
                      script_problem_fn *tell, void *ctx)
{
    char words[OCT_PROBLEM_TEXT];
    oct_problem problem = {.kind = OCT_PROBLEM_NAME, .severity = OCT_SEVERITY_ERROR, .text = words};
    const char *const near = name->is_type ? oct_world_nearest_type(world, name->text)
                                           : oct_world_nearest_name(world, name->text);
    const int used = snprintf(
        words, sizeof words,
        name->is_type ? "no block has the type %.120s" : "no block is called %.120s", name->text);
    if (near) {
        (void)snprintf(words + used, sizeof words - (size_t)used, "; %.120s?", near);
    } else if (!name->is_type && oct_world_has_type(world, name->text)) {
        (void)snprintf(words + used, sizeof words - (size_t)used,
                       "; it is a type: {type = \"%.120s\"}?", name->text);
    }
    tell_at(h, name->place, &problem, tell, ctx);
}

void oct_check_names(const host *h, const oct_world *world, script_problem_fn *tell, void *ctx)
{
    const bool is_for_one = is_for_one_world(h->script);
    for (size_t i = 0; i < h->names.count; i++) {
        const script_name *const name = name_at(h, i);
        const bool is_there = name->is_type ? oct_world_has_type(world, name->text)
                                            : oct_world_has_name(world, name->text);
        if (!is_there && (is_for_one || !name->was_loading) && !was_before(h, i)) {
            tell_name(h, world, name, tell, ctx);
        }
    }
}

// ---- a test that is not played ----

typedef struct script_check {
    const host *host;
    script_problem_fn *tell;
    void *ctx;
} script_check;

// A start that a script gives is where its test is declared.
static void on_start(void *ctx, const oct_problem *problem)
{
    const script_check *const c = ctx;
    oct_problem own = *problem;
    own.line = c->host->test->line;
    c->tell(c->ctx, c->host->script->path, &own);
}

static oct_result check_starts(script_check *c, const oct_world *world)
{
    const host *const h = c->host;
    const agent_plan *const test = &h->test->plan.agent;
    oct_pose pose;
    if (!oct_host_has_start(h) && !oct_world_start(world, &pose)) {
        const oct_problem problem = {.kind = OCT_PROBLEM_START,
                                     .severity = OCT_SEVERITY_ERROR,
                                     .text = "the world has no start: say start = {x, y, z}"};
        on_start(c, &problem);
        return OCT_OK;
    }
    for (size_t i = 0; i < h->players.count; i++) {
        const agent_plan *const own = &((const player *)h->players.items)[i].plan;
        const agent_plan *const plan = own->has_start || i > 0 ? own : test;
        if (plan->has_start) {
            pose = oct_stage_pose(world, plan->start);
            OCT_TRY(oct_block_world_check_room(world, &pose, &h->base, on_start, c));
        }
    }
    return OCT_OK;
}

// The place of an error is told apart from its words.
static void tell_error(const host *h, script_problem_fn *tell, void *ctx)
{
    const size_t length = strlen(h->place);
    const bool has_place = length > 0 && strncmp(h->error, h->place, length) == 0 &&
                           strncmp(h->error + length, ": ", 2) == 0;
    oct_problem problem = {.kind = OCT_PROBLEM_SCRIPT,
                           .severity = OCT_SEVERITY_ERROR,
                           .text = h->error + (has_place ? length + 2 : 0)};
    if (length > 0) {
        tell_at(h, h->place, &problem, tell, ctx);
        return;
    }
    problem.line = h->test ? h->test->line : 0;
    tell(ctx, h->script->path, &problem);
}

oct_result oct_script_check(const oct_script *script, size_t test, const script_limits *limits,
                            const oct_world *world, script_problem_fn *tell, void *ctx)
{
    host *h;
    oct_result result = OCT_OK;
    OCT_TRY(oct_host_open(limits, script, &h));
    oct_host_begin(h, script, test, 0);
    if (h->lacks_memory) {
        result = OCT_ERROR_MEMORY;
    } else if (h->has_failed) {
        tell_error(h, tell, ctx);
    } else if (world) {
        script_check c = {h, tell, ctx};
        oct_check_names(h, world, tell, ctx);
        result = check_starts(&c, world);
    }
    oct_host_close(h);
    return result;
}
