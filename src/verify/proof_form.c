// SPDX-License-Identifier: MIT
// Form: no number of a proof or of its log leads anywhere outside of them.
#include "verify/proof_internal.h"

#include <math.h>

// Most things of each kind: more is no proof that anybody made.
#define COUNT_MAX ((size_t)1 << 28)
#define LEVEL_MAX 24u
#define BUTTONS_MAX 4096u // of a panel
// Metres; a world beyond is none.
#define FAR 1e12

static bool is_number(double x)
{
    return isfinite(x) && fabs(x) <= FAR;
}

static bool is_point(oct_point p)
{
    return is_number(p.x) && is_number(p.y) && is_number(p.z);
}

static bool is_box(const oct_bounds *b)
{
    return is_point(b->min) && is_point(b->max) && b->min.x <= b->max.x && b->min.y <= b->max.y &&
           b->min.z <= b->max.z;
}

static bool is_span(uint32_t first, uint32_t count, size_t all)
{
    return (uint64_t)first + count <= all;
}

static bool is_list(const void *items, size_t count)
{
    return count <= COUNT_MAX && (items || count == 0);
}

// ---- the log ----

static bool is_turn(const double q[4])
{
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return fabs(square - 1.0) <= 1e-6;
}

static bool is_shape(const oct_shape *s)
{
    bool is = is_list(s->pieces, s->count);
    for (size_t i = 0; i < s->count && is; i++) {
        const oct_piece *const p = &s->pieces[i];
        is = is_list(p->points, p->point_count) && is_list(p->triangles, p->triangle_count) &&
             oct_convex_is_valid(p) && (p->kind != OCT_PIECE_BOX || is_box(&p->box)) &&
             (p->kind != OCT_PIECE_OBB ||
              (is_point(p->centre) && is_point(p->half) && p->half.x >= 0.0 && p->half.y >= 0.0 &&
               p->half.z >= 0.0 && is_turn(p->turn)));
        for (size_t k = 0; is && k < p->point_count; k++) {
            is = is_point(p->points[k]);
        }
    }
    return is;
}

static oct_result check_things(proof_check *c)
{
    const oct_run_log *const log = c->log;
    for (size_t i = 0; i < log->thing_count; i++) {
        const oct_entity *const e = &log->things[i];
        if (!is_box(&e->thing.box) || !is_point(e->velocity) || !is_point(e->forward) ||
            !is_point(e->up) || isnan(e->opening) || e->use_count > BUTTONS_MAX ||
            !is_shape(&e->shape) || !e->type || (e->prop_count > 0 && !e->props)) {
            return oct_proof_reject(c, "the log has a thing that is no shape");
        }
    }
    return OCT_OK;
}

static bool is_look(const oct_run_log *log, const oct_log_look *l)
{
    if (!is_point(l->centre) || !is_point(l->eye) || !is_number(l->radius) || l->radius < 0.0 ||
        !is_span(l->first, l->count, log->change_count)) {
        return false;
    }
    for (uint32_t i = 0; i < l->count; i++) {
        if (log->changes[l->first + i].thing >= log->thing_count) {
            return false;
        }
    }
    return true;
}

static bool is_before(uint32_t a_life, uint64_t a, uint32_t b_life, uint64_t b)
{
    return a_life < b_life || (a_life == b_life && a <= b);
}

static oct_result check_times(proof_check *c)
{
    const oct_run_log *const log = c->log;
    for (size_t i = 0; i < log->look_count; i++) {
        const oct_log_look *const l = &log->looks[i];
        if (!is_look(log, l) || l->tick >= UINT64_MAX / 4) {
            return oct_proof_reject(c, "the log has a look that is malformed");
        }
        if (i > 0 && !is_before(l[-1].life, l[-1].tick, l->life, l->tick)) {
            return oct_proof_reject(c, "the looks of the log are not in the order of time");
        }
    }
    for (size_t i = 0; i < log->act_count; i++) {
        const oct_log_act *const a = &log->acts[i];
        if (!is_point(a->centre) || a->tick >= UINT64_MAX / 4) {
            return oct_proof_reject(c, "the log has an act that is malformed");
        }
        if (i > 0 && !is_before(a[-1].life, a[-1].tick, a->life, a->tick)) {
            return oct_proof_reject(c, "the acts of the log are not in the order of time");
        }
    }
    return OCT_OK;
}

static bool is_body(const oct_player_body *b)
{
    return is_number(b->height) && is_number(b->width) && is_number(b->eye) &&
           is_number(b->reach) && is_number(b->speed) && b->reach >= 0.0 && b->speed >= 0.0;
}

static oct_result check_log(proof_check *c)
{
    const oct_run_log *const log = c->log;
    const oct_game_info *const info = &log->info;
    if (!is_list(log->starts, log->start_count) || !is_list(log->things, log->thing_count) ||
        !is_list(log->looks, log->look_count) || !is_list(log->changes, log->change_count) ||
        !is_list(log->acts, log->act_count)) {
        return oct_proof_reject(c, "the log lacks a list");
    }
    if (!is_number(info->rate) || info->rate <= 0.0 || info->slide >= UINT64_MAX / 4 ||
        info->settle >= UINT64_MAX / 4) {
        return oct_proof_reject(c, "the description of the game is malformed");
    }
    if (c->proof->kind != OCT_PROOF_WITNESS && (!info->has_bounds || !is_box(&info->bounds))) {
        return oct_proof_reject(c, "the game promises no bounds");
    }
    for (size_t i = 0; i < log->start_count; i++) {
        if (!is_point(log->starts[i].centre) || !is_body(&log->starts[i].body)) {
            return oct_proof_reject(c, "the log has a start that is malformed");
        }
    }
    OCT_TRY(check_things(c));
    return check_times(c);
}

// ---- the proof ----

static bool is_leaf(const oct_proof *p, const oct_proof_leaf *l)
{
    if (l->part >= p->part_count || l->level > LEVEL_MAX) {
        return false;
    }
    const int64_t edge = (int64_t)1 << l->level, most = OCT_RANGE / 2;
    const int64_t at[3] = {l->at.x * edge, l->at.y * edge, l->at.z * edge};
    for (int i = 0; i < 3; i++) {
        if (at[i] < -most || at[i] + edge > most) {
            return false;
        }
    }
    return true;
}

static oct_result check_parts(proof_check *c)
{
    const oct_proof *const p = c->proof;
    for (size_t i = 0; i < p->leaf_count; i++) {
        if (!is_leaf(p, &p->leaves[i])) {
            return oct_proof_reject(c, "leaf %zu is malformed", i);
        }
    }
    for (size_t i = 0; i < p->part_count; i++) {
        const oct_proof_part *const part = &p->parts[i];
        if (part->door_count > OCT_PROOF_PART_DOORS) {
            return oct_proof_reject(c, "part %zu has too many doors", i);
        }
        for (uint32_t k = 0; k < part->door_count; k++) {
            if (part->doors[k] >= p->door_count) {
                return oct_proof_reject(c, "part %zu has a door that is not listed", i);
            }
        }
    }
    return OCT_OK;
}

static oct_result check_buttons(proof_check *c)
{
    const oct_proof *const p = c->proof;
    for (size_t i = 0; i < p->button_count; i++) {
        if (!is_span(p->buttons[i].first, p->buttons[i].count, p->contact_count)) {
            return oct_proof_reject(c, "button %zu has contacts that are not listed", i);
        }
    }
    for (size_t i = 0; i < p->contact_count; i++) {
        if (p->contacts[i] >= p->part_count) {
            return oct_proof_reject(c, "contact %zu is no part", i);
        }
    }
    if (p->button_count * p->door_count > 0 && !p->effects) {
        return oct_proof_reject(c, "the proof has no effects");
    }
    for (size_t i = 0; i < p->button_count * p->door_count; i++) {
        if (p->effects[i] == 0 || p->effects[i] > OCT_EFFECT_ANY) {
            return oct_proof_reject(c, "effect %zu is none", i);
        }
    }
    return OCT_OK;
}

static bool has_others(uint64_t bits, size_t count)
{
    return count < 64 && bits >> count != 0;
}

static oct_result check_states(proof_check *c)
{
    const oct_proof *const p = c->proof;
    if (p->kind == OCT_PROOF_STATES && (p->door_count > 64 || p->button_count > 64)) {
        return oct_proof_reject(c, "states of more than 64 doors or buttons");
    }
    for (size_t i = 0; i < p->state_count; i++) {
        const oct_proof_state *const s = &p->states[i];
        if (s->home >= p->part_count || has_others(s->open | s->moving, p->door_count) ||
            has_others(s->odd, p->button_count)) {
            return oct_proof_reject(c, "state %zu is malformed", i);
        }
    }
    return OCT_OK;
}

// What buttons do has no place.
static oct_result check_witness(proof_check *c)
{
    const oct_proof *const p = c->proof;
    if (p->leaf_count > 0 || p->part_count > 0 || p->contact_count > 0 || p->state_count > 0) {
        return oct_proof_reject(c, "what buttons do has no leaves, parts, contacts or states");
    }
    for (size_t i = 0; i < p->door_count; i++) {
        if (p->doors[i].is_loose) {
            return oct_proof_reject(c, "nothing is claimed of door %zu", i);
        }
    }
    for (size_t i = 0; i < p->button_count * p->door_count; i++) {
        if (p->effects[i] != OCT_EFFECT_ANY) {
            return OCT_OK;
        }
    }
    return oct_proof_reject(c, "it claims nothing of any button");
}

static oct_result check_space(proof_check *c)
{
    const oct_proof *const p = c->proof;
    if (!is_point(p->origin) || !is_number(p->cell_size) || p->cell_size < 1e-3 ||
        !is_number(p->radius) || p->radius < 0.0 || !is_number(p->target.reach) ||
        p->target.reach < 0.0) {
        return oct_proof_reject(c, "the proof has a measure that is no number");
    }
    if (p->target.is_known && (!is_box(&p->target.box) || !is_box(&p->target.within))) {
        return oct_proof_reject(c, "the target of the proof is no box");
    }
    const double *const turn = p->target.turn;
    if ((turn[0] != 0.0 || turn[1] != 0.0 || turn[2] != 0.0) && !is_turn(turn)) {
        return oct_proof_reject(c, "the axes of the target are none");
    }
    return OCT_OK;
}

oct_result oct_proof_check_form(proof_check *c)
{
    const oct_proof *const p = c->proof;
    const bool is_witness = p->kind == OCT_PROOF_WITNESS;
    if (p->kind != OCT_PROOF_CUT && p->kind != OCT_PROOF_STATES && !is_witness) {
        return oct_proof_reject(c, "no proof of a kind that can be checked");
    }
    if (!is_list(p->leaves, p->leaf_count) || !is_list(p->parts, p->part_count) ||
        !is_list(p->doors, p->door_count) || !is_list(p->buttons, p->button_count) ||
        !is_list(p->contacts, p->contact_count) || !is_list(p->states, p->state_count)) {
        return oct_proof_reject(c, "the proof lacks a list");
    }
    OCT_TRY(is_witness ? OCT_OK : check_space(c));
    OCT_TRY(check_log(c));
    OCT_TRY(check_parts(c));
    OCT_TRY(check_buttons(c));
    OCT_TRY(is_witness ? check_witness(c) : OCT_OK);
    return check_states(c);
}
