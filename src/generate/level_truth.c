// SPDX-License-Identifier: MIT
// What is true of a drafted level. What a press does is found by letting it happen, tick by tick of
// its timers, with nothing else pending.
#include "generate/level.h"

#define TOO_NEAR                                                                                   \
    OCT_BLOCK_WORLD_RATE // two actions on one door this near to each other leave no trace

// What one press does, in its order in time.
typedef struct happening {
    const level *l;
    oct_level_truth *out;
    uint32_t button;
    uint64_t due[LEVEL_TIMERS_MAX];     // 0 = does not wait
    uint64_t last[OCT_LEVEL_DOORS_MAX]; // tick + 1 of the last action on a door; 0 = none yet
} happening;

static uint64_t ticks_of(double seconds)
{
    const uint64_t ticks = (uint64_t)(seconds * OCT_BLOCK_WORLD_RATE + 0.5);
    return ticks > 0 ? ticks : 1;
}

static void act_on_door(happening *h, const level_wire *wire, uint64_t tick)
{
    static const uint8_t actions[] = {[OCT_WIRE_TOGGLE] = OCT_LEVEL_TOGGLE,
                                      [OCT_WIRE_OPEN] = OCT_LEVEL_OPEN,
                                      [OCT_WIRE_SHUT] = OCT_LEVEL_SHUT};
    if (wire->to == LEVEL_NONE) {
        return;
    }
    oct_level_effect *const effect = &h->out->effect[h->button][wire->to];
    uint64_t *const last = &h->last[wire->to];
    if (*last > 0 && tick + 1u - *last < TOO_NEAR) {
        h->out->denies |= OCT_LEVEL_ASSUMES_ALONE;
    }
    if (*last == 0 || *last == tick + 1u) { // of two at once the later one counts
        *effect = (oct_level_effect){.action = actions[wire->action], .delay = (uint32_t)tick};
    } else if (effect->undo == 0) {
        effect->undo = (uint32_t)tick;
    }
    *last = tick + 1u;
}

static void follow_wires(happening *h, bool from_timer, uint32_t from, uint64_t tick)
{
    for (uint32_t i = 0; i < h->l->wires; i++) {
        const level_wire *const wire = &h->l->wire[i];
        if (wire->from_timer != from_timer || wire->from != from) {
            continue;
        }
        if (wire->action == OCT_WIRE_START) {
            uint64_t *const due = &h->due[wire->to];
            *due = *due > 0 ? *due : tick + ticks_of(h->l->delay[wire->to]);
        } else if (wire->action == OCT_WIRE_STOP) {
            h->due[wire->to] = 0;
        } else {
            act_on_door(h, wire, tick);
        }
    }
}

// Timers form no circles, so that each fires once.
static void let_happen(happening *h)
{
    follow_wires(h, false, h->button, 0);
    for (uint32_t fired = 0; fired < h->l->timers; fired++) {
        uint32_t first = LEVEL_NONE;
        for (uint32_t i = 0; i < h->l->timers; i++) {
            if (h->due[i] > 0 && (first == LEVEL_NONE || h->due[i] < h->due[first])) {
                first = i;
            }
        }
        if (first == LEVEL_NONE) {
            return;
        }
        const uint64_t tick = h->due[first];
        h->due[first] = 0;
        follow_wires(h, true, first, tick);
    }
}

static void tell_buttons(const level *l, oct_level_truth *out)
{
    for (uint32_t i = 0; i < l->buttons; i++) {
        const uint32_t panel = l->panel_of[i];
        out->button[i] = (oct_level_button){LEVEL_PANEL_ID + panel, i - l->panel[panel].first};
        happening h = {.l = l, .out = out, .button = i};
        let_happen(&h);
    }
    for (uint32_t i = 0; i < l->wires; i++) {
        out->denies |= l->wire[i].action == OCT_WIRE_STOP ? OCT_LEVEL_ASSUMES_ALONE : 0;
    }
}

void oct_level_tell(const level *l, oct_level_truth *out)
{
    memset(out, 0, sizeof *out);
    out->level_class = l->level_class;
    out->why = l->why;
    out->solvable = l->why == OCT_LEVEL_SOLVABLE;
    out->alone = out->solvable && !l->needs_others;
    out->agents = l->agents;
    out->doors = l->doors;
    out->buttons = l->buttons;
    out->target = LEVEL_TARGET_ID;
    out->assumes = oct_level_assumes(l->why);
    for (uint32_t i = 0; i < l->agents; i++) {
        out->start[i] = oct_level_stand(l, l->start[i]);
    }
    for (uint32_t i = 0; i < l->doors; i++) {
        out->door[i] = LEVEL_DOOR_ID + i;
        out->open[i] = l->open[i];
    }
    tell_buttons(l, out);
    if (out->solvable) {
        out->steps = l->steps;
        memcpy(out->step, l->step, l->steps * sizeof *l->step);
    }
}
