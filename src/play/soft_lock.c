// SPDX-License-Identifier: MIT
#include "play/soft_lock.h"

size_t oct_life_presses(const oct_history *h, uint32_t life, const history_press **last)
{
    const history_press *const all = h->presses.items;
    size_t count = 0;
    *last = NULL;
    for (size_t i = 0; i < h->presses.count; i++) {
        if (all[i].life == life) {
            *last = &all[i];
            count++;
        }
    }
    return count;
}

// The last press of a life before a tick; NULL where there is none.
static const history_press *press_before(const oct_history *h, uint32_t life, uint64_t tick)
{
    const history_press *const all = h->presses.items;
    const history_press *last = NULL;
    for (size_t i = 0; i < h->presses.count; i++) {
        last = all[i].life == life && all[i].tick < tick ? &all[i] : last;
    }
    return last;
}

const history_press *oct_soft_lock_press(const oct_history *h, const history_door *door, size_t run)
{
    const door_run *const runs = door->runs.items;
    const bool shuts = run > 0 && runs[run - 1].life == runs[run].life &&
                       runs[run - 1].opening >= 1.0 && runs[run].opening < 1.0;
    return shuts ? press_before(h, runs[run].life, runs[run].first) : NULL;
}

bool oct_press_was_seen_to_open(const oct_history *h, const history_door *door, oct_button button)
{
    const door_run *const runs = door->runs.items;
    for (size_t i = 1; i < door->runs.count; i++) {
        const bool opens =
            runs[i - 1].life == runs[i].life && runs[i - 1].opening <= 0.0 && runs[i].opening > 0.0;
        const history_press *const press =
            opens ? press_before(h, runs[i].life, runs[i].first) : NULL;
        if (press && press->button.panel == button.panel && press->button.number == button.number) {
            return true;
        }
    }
    return false;
}

// What may_move asks.
typedef struct asking {
    const oct_history *h;
    const effect_rules *rules;
} asking;

static bool may_move(void *ctx, oct_button button, uint32_t door)
{
    const asking *const a = ctx;
    return oct_effects_of(a->h, a->rules, NULL, button, door) != EFFECT_NOTHING;
}

// The first press after which a door was not open in a life; NULL where it was not seen, or is open
// in the end.
static const history_press *shutting_press(const oct_history *h, const history_door *d,
                                           uint32_t life)
{
    const door_run *const runs = d->runs.items;
    const history_press *first = NULL;
    bool is_shut = false;
    for (size_t i = 0; i < d->runs.count; i++) {
        if (runs[i].life == life) {
            is_shut = runs[i].opening <= 0.0;
            const bool is_open = runs[i].opening >= 1.0;
            first = is_open ? NULL : first ? first : press_before(h, life, runs[i].first);
        }
    }
    return is_shut ? first : NULL;
}

static bool was_pressed_before(const oct_history *h, const door_run *run, oct_button button)
{
    const history_press *const all = h->presses.items;
    for (size_t i = 0; i < h->presses.count && all[i].tick < run->first; i++) {
        if (all[i].life == run->life && all[i].button.panel == button.panel &&
            all[i].button.number == button.number) {
            return true;
        }
    }
    return false;
}

// The last press of a life, up to one, that another life did without when it saw the door open.
static const history_press *differing_press(const oct_history *h, const history_door *d,
                                            const history_press *press)
{
    const door_run *const runs = d->runs.items;
    const history_press *const all = h->presses.items;
    for (size_t i = 0; i < d->runs.count; i++) {
        if (runs[i].life == press->life || runs[i].opening < 1.0) {
            continue;
        }
        for (size_t k = (size_t)(press - all) + 1; k-- > 0 && all[k].life == press->life;) {
            if (!was_pressed_before(h, &runs[i], all[k].button)) {
                return &all[k];
            }
        }
    }
    return NULL;
}

soft_lock oct_soft_lock_of(const oct_history *h, const effect_rules *rules, uint32_t life)
{
    asking asked = {h, rules};
    soft_lock lock = {.may_be = false};
    uint64_t earliest = UINT64_MAX;
    for (uint32_t d = 0; d < h->doors.count; d++) {
        const history_press *const press =
            shutting_press(h, (const history_door *)h->doors.items + d, life);
        const uint32_t start = press ? oct_effects_at_start(h, d, may_move, &asked) : 1;
        lock.may_be = lock.may_be || (start & 2u) != 0;
        const history_press *const cause =
            start == 3   ? differing_press(h, (const history_door *)h->doors.items + d, press)
            : start == 2 ? press
                         : NULL;
        if (cause && cause->tick < earliest) {
            earliest = cause->tick;
            lock.is_certain = true;
            lock.door = d;
            lock.button = cause->button;
        }
    }
    return lock;
}
