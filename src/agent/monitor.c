// SPDX-License-Identifier: MIT
#include "agent/monitor.h"
#include "agent/belief_internal.h"
#include "agent/goals_certain.h"
#include "base/print.h"
#include "geom/geom_internal.h"

// A centre that is so near to another cell may be in that one: rounding, metres.
#define NEAR 1e-3
// A place of a body, and the cells that it may be in.
typedef struct place {
    oct_point at;
    oct_vec cells[8];
    uint32_t count; // more than one at the edge of a cell
} place;

// What bodies did, against what they may have done.
typedef struct comparison {
    const oct_proof *proof;
    const config_space *space; // the model's; NULL = the proof has leaves
    const oct_run_log *log;
    oct_allocator allocator;
    oct_array places; // of place: each cell once, but for those at edges
    key_table cells;  // by level: whether a reached leaf holds them
    char *out;
} comparison;

// ---- places ----

// A game may let a body go farther than any map: that is a cell beyond all of them.
static int32_t cell_on_axis(double at)
{
    return axis_has_floor(at) ? axis_floor(at) : OCT_RANGE;
}

static oct_vec cell_of(const oct_proof *p, oct_point at, double x, double y, double z)
{
    return (oct_vec){cell_on_axis((at.x + x - p->origin.x) / p->cell_size),
                     cell_on_axis((at.y + y - p->origin.y) / p->cell_size),
                     cell_on_axis((at.z + z - p->origin.z) / p->cell_size)};
}

static lattice_key key_of(oct_vec c, uint32_t level)
{
    return (lattice_key){c.x >> level, c.y >> level, c.z >> level, level};
}

static bool is_same_cell(oct_vec a, oct_vec b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static place place_of(const oct_proof *p, oct_point at)
{
    place new = {.at = at};
    for (int i = 0; i < 8; i++) {
        const oct_vec cell =
            cell_of(p, at, i & 1 ? NEAR : -NEAR, i & 2 ? NEAR : -NEAR, i & 4 ? NEAR : -NEAR);
        bool is_new = true;
        for (uint32_t k = 0; k < new.count; k++) {
            is_new = is_new && !is_same_cell(new.cells[k], cell);
        }
        if (is_new) {
            new.cells[new.count++] = cell;
        }
    }
    return new;
}

static bool is_within(const oct_bounds *b, oct_point p)
{
    return p.x > b->min.x && p.x < b->max.x && p.y > b->min.y && p.y < b->max.y && p.z > b->min.z &&
           p.z < b->max.z;
}

static oct_result enter(comparison *c, lattice_key key, bool *is_new)
{
    OCT_TRY(oct_key_table_reserve(&c->cells, &c->allocator, 1));
    key_slot *const slot = key_table_slot(&c->cells, key);
    *is_new = !key_slot_is_used(&c->cells, slot);
    if (*is_new) {
        key_slot_fill(&c->cells, slot, key, 0);
    }
    return OCT_OK;
}

static oct_result add_place(comparison *c, oct_point at)
{
    // Who flies beyond the bounds that a game promises speaks against claims, which rest on these.
    // Where nothing is claimed that is the game's own affair.
    if (c->proof->kind == OCT_PROOF_NONE && !is_within(&c->log->info.bounds, at)) {
        return OCT_OK;
    }
    const place new = place_of(c->proof, at);
    bool is_new = false;
    for (uint32_t i = 0; i < new.count; i++) {
        bool is_new_cell;
        OCT_TRY(enter(c, key_of(new.cells[i], 0), &is_new_cell));
        is_new = is_new || is_new_cell;
    }
    return is_new || new.count > 1 ? oct_array_push(&c->places, &c->allocator, sizeof new, &new)
                                   : OCT_OK;
}

static oct_result add_places(comparison *c)
{
    const oct_run_log *const log = c->log;
    for (size_t i = 0; i < log->start_count; i++) {
        OCT_TRY(add_place(c, log->starts[i].centre));
    }
    for (size_t i = 0; i < log->look_count; i++) {
        OCT_TRY(add_place(c, log->looks[i].centre));
    }
    for (size_t i = 0; i < log->act_count; i++) {
        OCT_TRY(add_place(c, log->acts[i].centre));
    }
    return OCT_OK;
}

// ---- which of them are reached ----

// There are many leaves and few places: all leaves are gone through, and the places are looked up.
static oct_result mark_leaves(comparison *c)
{
    const oct_proof *const p = c->proof;
    const place *const all = c->places.items;
    uint32_t levels = 0;
    for (size_t i = 0; i < p->leaf_count; i++) {
        levels |= 1u << (p->leaves[i].level & 31u);
    }
    for (uint32_t level = 1; level < 32; level++) {
        for (size_t i = 0; (levels >> level & 1) != 0 && i < c->places.count; i++) {
            bool ignored;
            for (uint32_t k = 0; k < all[i].count; k++) {
                OCT_TRY(enter(c, key_of(all[i].cells[k], level), &ignored));
            }
        }
    }
    for (size_t i = 0; i < p->leaf_count && c->cells.count > 0; i++) {
        const oct_proof_leaf *const leaf = &p->leaves[i];
        const lattice_key key = {leaf->at.x, leaf->at.y, leaf->at.z, leaf->level};
        key_slot *const slot = key_table_slot(&c->cells, key);
        if (key_slot_is_used(&c->cells, slot) && p->parts[leaf->part].is_reached) {
            slot->value = 1;
        }
    }
    return OCT_OK;
}

static bool is_reached(const comparison *c, oct_vec cell)
{
    if (c->space) {
        const uint32_t part = oct_config_space_part(c->space, cell);
        return part < c->proof->part_count && c->proof->parts[part].is_reached;
    }
    for (uint32_t level = 0; level < 32; level++) {
        const key_slot *const slot = key_table_slot(&c->cells, key_of(cell, level));
        if (key_slot_is_used(&c->cells, slot) && slot->value != 0) {
            return true;
        }
    }
    return false;
}

static bool says_place(const comparison *c)
{
    const place *const all = c->places.items;
    for (size_t i = 0; i < c->places.count; i++) {
        bool is = false;
        for (uint32_t k = 0; k < all[i].count && !is; k++) {
            is = is_reached(c, all[i].cells[k]);
        }
        if (!is) {
            const oct_point at = all[i].at;
            (void)oct_snprintf(c->out, MONITOR_TEXT,
                               "the body was at %.1f, %.1f, %.1f, which was excluded", at.x, at.y,
                               at.z);
            return true;
        }
    }
    return false;
}

// ---- presses and doors ----

static bool may_press(const oct_proof *p, const oct_log_act *act)
{
    for (size_t i = 0; i < p->button_count; i++) {
        const oct_proof_button *const b = &p->buttons[i];
        for (uint32_t k = 0;
             b->button.panel == act->target && b->button.number == act->button && k < b->count;
             k++) {
            if (p->parts[p->contacts[b->first + k]].is_reached) {
                return true;
            }
        }
    }
    return false;
}

static bool says_press(const oct_proof *p, const oct_log_act *act, char *out)
{
    if (act->verb != OCT_VERB_USE || act->came != OCT_ACT_DONE || may_press(p, act)) {
        return false;
    }
    (void)oct_snprintf(out, MONITOR_TEXT, "button %u of %llu was pressed, which was excluded",
                       act->button, (unsigned long long)act->target);
    return true;
}

static bool says_door(const oct_proof *p, const oct_entity *e, char *out)
{
    for (size_t i = 0; i < p->door_count; i++) {
        const oct_proof_door *const d = &p->doors[i];
        if (d->id == e->thing.id && !d->is_free && !d->is_loose) {
            (void)oct_snprintf(out, MONITOR_TEXT,
                               "the door %llu was told to be open, which was excluded",
                               (unsigned long long)e->thing.id);
            return true;
        }
    }
    return false;
}

static void compare(const comparison *c)
{
    const oct_run_log *const log = c->log;
    bool is_said = says_place(c);
    for (size_t i = 0; i < log->act_count && !is_said; i++) {
        is_said = says_press(c->proof, &log->acts[i], c->out);
    }
    for (size_t i = 0; i < log->thing_count && !is_said; i++) {
        is_said = log->things[i].kind == OCT_ENTITY_DOOR && log->things[i].opening > 0.0 &&
                  says_door(c->proof, &log->things[i], c->out);
    }
}

// ---- the whole ----

static oct_result check(comparison *c)
{
    c->out[0] = '\0';
    oct_result result = add_places(c);
    result = result == OCT_OK && !c->space ? mark_leaves(c) : result;
    if (result == OCT_OK) {
        compare(c);
    }
    oct_array_free(&c->places, &c->allocator, sizeof(place));
    oct_key_table_free(&c->cells, &c->allocator);
    return result;
}

oct_result oct_monitor_check(const oct_proof *proof, const oct_run_log *log,
                             const oct_allocator *allocator, char out[MONITOR_TEXT])
{
    comparison c = {.proof = proof, .log = log, .allocator = *allocator, .out = out};
    return check(&c);
}

static oct_result see_model(void *ctx, const oct_proof *model, const config_space *space)
{
    comparison *const c = ctx;
    c->proof = model;
    c->space = space;
    return check(c);
}

oct_result oct_monitor_model(const oct_agent *a, const oct_allocator *allocator,
                             char out[MONITOR_TEXT])
{
    const oct_run_log log = oct_log_view(&oct_belief_history(a->belief)->log);
    comparison c = {.log = &log, .allocator = *allocator, .out = out};
    out[0] = '\0';
    return oct_agent_ask_model(a, allocator, see_model, &c);
}

// What was compared when it was claimed need not be again. Claims of who may not press hold for
// what was pressed until then.
static bool is_to_check(const oct_history *h, const agent_proof *claim)
{
    // What buttons do is asked again at the end, and says nothing of where a body may be.
    return claim->proof->kind != OCT_PROOF_WITNESS &&
           claim->events < h->log.looks.count + h->log.acts.count &&
           (claim->proof->target.presses || claim->presses == h->presses.count);
}

// What was learned since may have been against what a claim assumed: then it is withdrawn, and
// nobody has erred.
static oct_result forgive(const oct_agent *a, const agent_proof *claim, char *out)
{
    possible_answer now;
    OCT_TRY(oct_agent_ask_again(a, claim, &now));
    out[0] = now.status == POSSIBLE_EXCLUDED ? out[0] : '\0';
    return OCT_OK;
}

oct_result oct_monitor_claims(const oct_agent *a, const oct_allocator *allocator,
                              char out[MONITOR_TEXT])
{
    const agent_proof *const all = a->proofs.items;
    const oct_history *const h = oct_belief_history(a->belief);
    const oct_run_log log = oct_log_view(&h->log);
    (void)oct_snprintf(out, MONITOR_TEXT, "%s", a->contradiction);
    for (size_t i = 0; i < a->proofs.count && !out[0]; i++) {
        if (is_to_check(h, &all[i])) {
            OCT_TRY(oct_monitor_check(all[i].proof, &log, allocator, out));
            OCT_TRY(out[0] ? forgive(a, &all[i], out) : OCT_OK);
        }
    }
    return OCT_OK;
}
