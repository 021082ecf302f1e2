// SPDX-License-Identifier: MIT
#include "agent/link_proof.h"
#include "agent/belief_internal.h"
#include "agent/goals_certain.h"
#include "agent/link_kind.h"
#include "agent/proof.h"

typedef struct link_table {
    oct_allocator allocator;
    oct_array doors;   // of oct_proof_door
    oct_array buttons; // of oct_proof_button
    uint8_t *effects;
} link_table;

static oct_result add_door(link_table *t, uint64_t id, size_t *at)
{
    const oct_proof_door *const all = t->doors.items, new = {.id = id, .at_start = 3};
    for (*at = 0; *at < t->doors.count; (*at)++) {
        if (all[*at].id == id) {
            return OCT_OK;
        }
    }
    return oct_array_push(&t->doors, &t->allocator, sizeof new, &new);
}

static oct_result add_button(link_table *t, oct_button button, size_t *at)
{
    const oct_proof_button *const all = t->buttons.items, new = {.button = button};
    for (*at = 0; *at < t->buttons.count; (*at)++) {
        if (all[*at].button.panel == button.panel && all[*at].button.number == button.number) {
            return OCT_OK;
        }
    }
    return oct_array_push(&t->buttons, &t->allocator, sizeof new, &new);
}

// Once to find all doors and buttons, and then to fill in what is claimed of each.
static oct_result fill(link_table *t, const possible_link *links, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t door, button;
        OCT_TRY(add_door(t, links[i].door, &door));
        OCT_TRY(add_button(t, links[i].button, &button));
        if (t->effects) {
            t->effects[button * t->doors.count + door] &= (uint8_t)links[i].effects;
        }
    }
    return OCT_OK;
}

static oct_result make(link_table *t, const possible_link *links, size_t count)
{
    OCT_TRY(fill(t, links, count));
    const size_t size = t->doors.count * t->buttons.count;
    t->effects = oct_alloc(&t->allocator, size, 1);
    if (!t->effects) {
        return OCT_ERROR_MEMORY;
    }
    memset(t->effects, OCT_EFFECT_ANY, size);
    return fill(t, links, count);
}

static oct_result claim(oct_agent *a, const link_table *t, uint64_t *claims)
{
    const oct_run_log log = oct_log_view(&oct_belief_history(a->belief)->log);
    const oct_proof proof = {.kind = OCT_PROOF_WITNESS,
                             .assumes = oct_agent_effects_assume(a),
                             .extent = oct_run_log_extent(&log),
                             .target = {.presses = true},
                             .doors = t->doors.items,
                             .door_count = t->doors.count,
                             .buttons = t->buttons.items,
                             .button_count = t->buttons.count,
                             .effects = t->effects};
    oct_proof *own;
    OCT_TRY(oct_proof_copy(&proof, &a->allocator, &own));
    const oct_result result = oct_agent_keep_proof(a, own, NULL, claims);
    if (result != OCT_OK) {
        oct_proof_destroy(own);
    }
    return result;
}

oct_result oct_agent_claim_links(oct_agent *a, const possible_link *links, size_t count,
                                 uint64_t *claims)
{
    link_table t = {.allocator = a->allocator};
    *claims = 0;
    if (count == 0) {
        return OCT_OK;
    }
    oct_result result = make(&t, links, count);
    result = result == OCT_OK ? claim(a, &t, claims) : result;
    if (t.effects) {
        oct_free(&t.allocator, t.effects, t.doors.count * t.buttons.count);
    }
    oct_array_free(&t.doors, &t.allocator, sizeof(oct_proof_door));
    oct_array_free(&t.buttons, &t.allocator, sizeof(oct_proof_button));
    return result;
}

void oct_agent_ask_links_again(const oct_agent *a, const oct_proof *proof, possible_answer *out)
{
    *out = (possible_answer){.status = POSSIBLE_EXCLUDED, .assumes = proof->assumes};
    for (size_t i = 0; i < proof->button_count * proof->door_count; i++) {
        const oct_button button = proof->buttons[i / proof->door_count].button;
        const uint64_t door = proof->doors[i % proof->door_count].id;
        const uint32_t left = oct_agent_certain_effects(a, button, door);
        if ((left & ~(uint32_t)proof->effects[i]) != 0) {
            *out = (possible_answer){.status = POSSIBLE_MAYBE,
                                     .undecided = {{button, door, left}},
                                     .undecided_count = 1};
            return;
        }
    }
}
