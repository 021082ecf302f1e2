// SPDX-License-Identifier: MIT
// The checker of proofs: what is claimed, against what follows from the log.
#include "verify/proof_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define BIT(a) (1u << (a))
#define OF_SPACE                                                                                   \
    (BIT(OCT_ASSUME_MEANS) | BIT(OCT_ASSUME_BODY) | BIT(OCT_ASSUME_SOLID) | BIT(OCT_ASSUME_TRUTH))
#define OF_DOORS (BIT(OCT_ASSUME_CAUSES) | BIT(OCT_ASSUME_DELAY))

static const char *const assumption_names[OCT_ASSUME_COUNT] = {"means", "body",  "causes", "memory",
                                                               "alone", "delay", "pace",   "solid",
                                                               "feet",  "truth", "toggles"};

oct_result oct_proof_reject(proof_check *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(c->out->reason, sizeof c->out->reason, format, args);
    va_end(args);
    return OCT_ERROR_FORMAT;
}

// ---- memory ----

static void *arena_alloc(void *ctx, size_t size, size_t align)
{
    return oct_arena_alloc(ctx, size, align);
}

static void arena_free(void *ctx, void *ptr, size_t size)
{
    (void)ctx;
    (void)ptr;
    (void)size;
}

void *oct_proof_alloc(proof_check *c, size_t count, size_t size)
{
    const size_t bytes = (count + 1) * size; // never none
    void *const memory = oct_arena_alloc(&c->arena, bytes, _Alignof(max_align_t));
    return memory ? memset(memory, 0, bytes) : NULL;
}

// ---- assumptions ----

// A use that was refused, and something to be taken, show that presses may depend on more than
// doors.
static bool was_refused(const oct_run_log *log)
{
    for (size_t i = 0; i < log->thing_count; i++) {
        if (log->things[i].kind == OCT_ENTITY_ITEM) {
            return true;
        }
    }
    for (size_t i = 0; i < log->act_count; i++) {
        if (log->acts[i].verb == OCT_VERB_USE &&
            (log->acts[i].came == OCT_ACT_NOT_NOW || log->acts[i].came == OCT_ACT_REFUSED)) {
            return true;
        }
    }
    return false;
}

// What no body of the run exceeds: each may be that of whoever is spoken of.
static void note_body(proof_check *c, const oct_player_body *b, bool is_first)
{
    const double reach = b->reach + fabs(b->eye - b->height / 2.0);
    const double low = b->low > 0.0 ? fmin(b->height, b->low) : b->height;
    const double least = fmin(low, b->width), most = fmax(b->height, b->width);
    c->reach = is_first ? reach : fmax(c->reach, reach);
    c->speed = is_first ? b->speed : fmax(c->speed, b->speed);
    c->least = is_first ? least : fmin(c->least, least);
    c->most = is_first ? most : fmax(c->most, most);
}

static oct_result read_rules(proof_check *c)
{
    const oct_game_info *const info = &c->log->info;
    const uint32_t remembers = BIT(OCT_ASSUME_MEMORY) | BIT(OCT_ASSUME_TOGGLES);
    bool forgets = false;
    c->denies = info->denies | c->log->denies;
    const uint64_t settle =
        info->has_settle ? info->settle : (uint64_t)(OCT_SETTLE_DEFAULT * info->rate);
    c->settle = settle + info->delay_max;
    c->slide = (info->slide > 0 ? info->slide : settle) + 1;
    for (size_t i = 0; i < c->log->start_count; i++) {
        note_body(c, &c->log->starts[i].body, i == 0);
        c->walk = c->log->starts[i].walks && (c->walk || i == 0);
    }
    if ((info->promises & remembers) == 0) {
        OCT_TRY(oct_proof_find_changes(c, &forgets));
        c->denies |= forgets || was_refused(c->log) ? BIT(OCT_ASSUME_MEMORY) : 0;
    }
    const uint32_t against =
        BIT(OCT_ASSUME_TOGGLES) | BIT(OCT_ASSUME_MEMORY) | BIT(OCT_ASSUME_ALONE);
    c->toggles = (c->proof->assumes & BIT(OCT_ASSUME_TOGGLES)) != 0 &&
                 (info->promises & BIT(OCT_ASSUME_TOGGLES)) != 0 && (c->denies & against) == 0;
    return OCT_OK;
}

static oct_result expect(proof_check *c, uint32_t needed)
{
    for (oct_assumption a = 0; a < OCT_ASSUME_COUNT; a++) {
        if ((needed & ~c->proof->assumes & BIT(a)) != 0) {
            return oct_proof_reject(c, "it needs '%s', which it does not assume",
                                    assumption_names[a]);
        }
    }
    return OCT_OK;
}

static oct_result check_assumptions(proof_check *c)
{
    for (oct_assumption a = 0; a < OCT_ASSUME_COUNT; a++) {
        if ((c->proof->assumes & c->denies & BIT(a)) != 0) {
            return oct_proof_reject(c, "it assumes '%s', which is denied", assumption_names[a]);
        }
    }
    if ((c->proof->assumes & BIT(OCT_ASSUME_TOGGLES)) != 0 && !c->toggles) {
        return oct_proof_reject(c, "it assumes 'toggles', which is not promised");
    }
    return OCT_OK;
}

static oct_result check_doors_assumed(proof_check *c)
{
    const uint32_t links = BIT(OCT_ASSUME_MEMORY) | BIT(OCT_ASSUME_ALONE);
    OCT_TRY(expect(c, OF_DOORS | (c->toggles ? 0 : links)));
    return c->proof->kind == OCT_PROOF_STATES ? expect(c, BIT(OCT_ASSUME_PACE)) : OCT_OK;
}

// ---- the kinds ----

// What presses do, and nothing else.
static oct_result check_witness(proof_check *c)
{
    const uint32_t memory = c->toggles ? 0 : BIT(OCT_ASSUME_MEMORY);
    OCT_TRY(expect(c, OF_DOORS | BIT(OCT_ASSUME_TRUTH) | memory));
    return oct_proof_check_effects(c);
}

// Doors that are not free were shut at the start, and nothing that can be pressed opens them.
static oct_result check_shut(proof_check *c)
{
    const oct_proof *const p = c->proof;
    for (uint32_t d = 0; d < p->door_count; d++) {
        if (p->doors[d].is_free || p->doors[d].is_loose) {
            continue;
        }
        if (c->at_start[d] != 1) {
            return oct_proof_reject(c, "door %u may have been open at the start", d);
        }
        for (uint32_t b = 0; b < p->button_count; b++) {
            const uint32_t effects = c->effects[b * p->door_count + d];
            if (c->can_press[b] && (effects & (OCT_EFFECT_TOGGLE | OCT_EFFECT_OPEN)) != 0) {
                return oct_proof_reject(c, "button %u may open door %u", b, d);
            }
        }
    }
    return OCT_OK;
}

static oct_result check_doors(proof_check *c)
{
    OCT_TRY(check_doors_assumed(c));
    OCT_TRY(oct_proof_check_effects(c));
    return c->proof->kind == OCT_PROOF_CUT ? check_shut(c) : oct_proof_check_states(c);
}

// That the target is out of reach.
static oct_result check_level(proof_check *c)
{
    const double fov = c->log->info.fov;
    if (fov > 0.0 && fov < OCT_FOV_ALL) {
        return oct_proof_reject(c, "what a body did not turn to was not seen");
    }
    OCT_TRY(expect(c, OF_SPACE | (c->proof->is_on_foot ? BIT(OCT_ASSUME_FEET) : 0)));
    OCT_TRY(oct_proof_check_space(c));
    OCT_TRY(c->proof->is_on_foot ? oct_proof_check_feet(c) : OCT_OK);
    OCT_TRY(oct_proof_find_contacts(c));
    const bool is_cut = c->proof->kind == OCT_PROOF_CUT;
    const bool needs_doors = !is_cut || c->leaves_by_door || c->target_needs_doors;
    OCT_TRY(needs_doors ? check_doors(c) : OCT_OK);
    return needs_doors || !c->proof->target.is_known ? oct_proof_check_seen(c) : OCT_OK;
}

static oct_result check_all(proof_check *c)
{
    OCT_TRY(oct_proof_check_form(c));
    OCT_TRY(oct_proof_read_log(c));
    OCT_TRY(read_rules(c));
    OCT_TRY(check_assumptions(c));
    return c->proof->kind == OCT_PROOF_WITNESS ? check_witness(c) : check_level(c);
}

oct_result oct_proof_check(const oct_proof *proof, const oct_run_log *log,
                           const oct_allocator *allocator, oct_proof_verdict *out)
{
    *out = (oct_proof_verdict){.is_accepted = false};
    if (!proof || !log) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_log_extent e = proof->extent;
    if (e.starts > log->start_count || e.things > log->thing_count || e.looks > log->look_count ||
        e.acts > log->act_count) {
        (void)snprintf(out->reason, sizeof out->reason,
                       "it was claimed from more than the log has");
        return OCT_OK;
    }
    oct_run_log then = *log;
    then.start_count = e.starts;
    then.thing_count = e.things;
    then.look_count = e.looks;
    then.act_count = e.acts;
    proof_check c = {.proof = proof, .log = &then, .out = out};
    c.base = oct_allocator_or_default(allocator);
    oct_arena_init(&c.arena, &c.base);
    c.allocator = (oct_allocator){arena_alloc, arena_free, &c.arena};
    const oct_result result = check_all(&c);
    oct_arena_free(&c.arena);
    out->is_accepted = result == OCT_OK;
    return result == OCT_ERROR_FORMAT ? OCT_OK : result;
}
