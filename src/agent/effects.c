// SPDX-License-Identifier: MIT
#include "agent/effects.h"

// What looks and actions may be late by, ticks.
#define SLACK 60u

effect_rules oct_effect_rules_of(const oct_game_info *info)
{
    const bool toggles = (info->promises >> OCT_ASSUME_TOGGLES & 1) != 0;
    const bool denies_memory = (info->denies >> OCT_ASSUME_MEMORY & 1) != 0;
    return (effect_rules){
        .settle = (info->has_settle ? info->settle : OCT_SETTLE_DEFAULT) + info->delay_max,
        .slide = (uint64_t)(info->rules.door * OCT_TICKS) + 1,
        .toggles = toggles,
        .forgets = denies_memory,
    };
}

static const history_press *press_at(const oct_history *h, size_t index)
{
    return (const history_press *)h->presses.items + index;
}

static const history_door *door_at(const oct_history *h, uint32_t door)
{
    return (const history_door *)h->doors.items + door;
}

static bool is_same_button(oct_button a, oct_button b)
{
    return a.panel == b.panel && a.number == b.number;
}

// Whether nobody pressed anything else while the effects of a press, or of the one before, could
// still come.
static bool is_isolated(const oct_history *h, const effect_rules *rules, size_t index)
{
    const uint64_t tick = press_at(h, index)->tick, most = rules->settle + rules->slide + SLACK;
    return (index == 0 || tick - press_at(h, index - 1)->tick >= most) &&
           (index + 1 == h->presses.count || press_at(h, index + 1)->tick - tick >= most);
}

// What one isolated press showed of a door: how it was before, and after.
typedef struct effect_seen {
    bool has_before, has_after, before, after;
    bool is_watched; // from the press until all had to have come
    bool has_moved;  // it was seen in another pose in between
} effect_seen;

static effect_seen see_effect(const oct_history *h, const effect_rules *rules, size_t index,
                              const history_door *door)
{
    const door_run *const runs = door->runs.items;
    const uint64_t tick = press_at(h, index)->tick;
    const uint64_t since =
        index == 0 ? 0 : press_at(h, index - 1)->tick + rules->settle + rules->slide;
    const uint64_t until =
        index + 1 == h->presses.count ? UINT64_MAX : press_at(h, index + 1)->tick;
    const uint64_t settled = tick + rules->settle + rules->slide;
    effect_seen seen = {.is_watched = false};
    bool is_gapless = true, has_end = false;
    for (size_t i = 0; i < door->runs.count; i++) {
        const door_run r = runs[i];
        const bool is_at_rest = r.opening <= 0.0 || r.opening >= 1.0, is_open = r.opening >= 1.0;
        // The last pose before the press, seen after earlier effects had come.
        if (is_at_rest && r.last <= tick && r.last >= since) {
            seen.has_before = true;
            seen.before = is_open;
            is_gapless = tick - r.last <= WATCH_GAP;
            has_end = false;
        } else if (r.first > tick && r.last <= until) {
            // A gap that begins when all has come hides nothing.
            is_gapless = is_gapless && (r.gap <= WATCH_GAP || r.first - r.gap >= settled);
            has_end = has_end || r.last >= settled;
        }
        if (is_at_rest && r.last >= settled && r.last <= until) {
            seen.has_after = true;
            seen.after = is_open;
        }
        seen.has_moved = seen.has_moved || (seen.has_before && r.first > tick && r.last <= until &&
                                            r.opening != (seen.before ? 1.0 : 0.0));
    }
    seen.is_watched = is_gapless && has_end;
    return seen;
}

// The effects that fit what an isolated press showed.
static uint32_t fit(const effect_rules *rules, const effect_seen *seen)
{
    if (!seen->has_before || !seen->has_after) {
        return EFFECT_ANY;
    }
    if (seen->before != seen->after) {
        return seen->after ? EFFECT_TOGGLE | EFFECT_OPEN : EFFECT_TOGGLE | EFFECT_SHUT;
    }
    if (seen->has_moved || (rules->settle > 0 && !seen->is_watched)) {
        return EFFECT_ANY; // it was moved and moved back, or may have been
    }
    return seen->before ? EFFECT_NOTHING | EFFECT_OPEN : EFFECT_NOTHING | EFFECT_SHUT;
}

static uint32_t ask_links(const oct_links *links, const oct_history *h, oct_button button,
                          const history_door *door)
{
    const history_thing *const t = (const history_thing *)h->things.items + door->thing;
    uint32_t b, d;
    if (!links || !oct_links_find_button(links, button, &b) ||
        !oct_links_find_door(links, t->told.thing.id, &d)) {
        return EFFECT_NOTHING | EFFECT_TOGGLE;
    }
    const oct_link link = oct_links_get(links, b, d);
    return link == OCT_LINK_NO    ? EFFECT_NOTHING
           : link == OCT_LINK_YES ? EFFECT_TOGGLE
           : link == OCT_LINK_ODD ? EFFECT_ANY
                                  : EFFECT_NOTHING | EFFECT_TOGGLE;
}

uint32_t oct_effects_of(const oct_history *h, const effect_rules *rules, const oct_links *links,
                        oct_button button, uint32_t door)
{
    const history_door *const d = door_at(h, door);
    uint32_t effects = EFFECT_ANY;
    if (rules->forgets) {
        return EFFECT_ANY;
    }
    if (rules->toggles) {
        return ask_links(links, h, button, d);
    }
    for (size_t i = 0; i < h->presses.count; i++) {
        if (is_same_button(press_at(h, i)->button, button) && is_isolated(h, rules, i)) {
            const effect_seen seen = see_effect(h, rules, i, d);
            effects &= fit(rules, &seen);
        }
    }
    // Nothing fits: it is no function of the door's state. Then anything goes.
    return effects == 0 ? EFFECT_ANY : effects;
}

bool oct_effects_moves_alone(const oct_history *h, const effect_rules *rules, uint32_t door)
{
    const history_door *const d = door_at(h, door);
    const door_run *const runs = d->runs.items;
    for (size_t i = 1; i < d->runs.count; i++) {
        // It left its pose somewhere between two looks.
        bool has_cause = runs[i].opening == runs[i - 1].opening;
        for (size_t k = 0; k < h->presses.count && !has_cause; k++) {
            const uint64_t tick = press_at(h, k)->tick;
            has_cause = tick <= runs[i].first &&
                        tick + rules->settle + rules->slide + SLACK >= runs[i - 1].last;
        }
        if (!has_cause) {
            return true;
        }
    }
    return false;
}

uint32_t oct_effects_at_start(const oct_history *h, uint32_t door, may_move_fn *may_move, void *ctx)
{
    const history_door *const d = door_at(h, door);
    if (d->runs.count == 0) {
        return 3;
    }
    const door_run first = *(const door_run *)d->runs.items;
    if (first.opening > 0.0 && first.opening < 1.0) {
        return 3;
    }
    for (size_t i = 0; i < h->presses.count && press_at(h, i)->tick < first.first; i++) {
        if (may_move(ctx, press_at(h, i)->button, door)) {
            return 3;
        }
    }
    return first.opening >= 1.0 ? 2 : 1;
}
