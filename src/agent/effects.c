// SPDX-License-Identifier: MIT
#include "agent/effects.h"

// What looks and actions may be late by, ticks.
#define SLACK 60u

effect_rules oct_effect_rules_of(const oct_game_info *info)
{
    const bool denies_memory = (info->denies >> OCT_ASSUME_MEMORY & 1) != 0;
    const bool denies_alone = (info->denies >> OCT_ASSUME_ALONE & 1) != 0;
    // Toggles that add up remember, and do together what each does alone.
    const bool toggles = (info->promises >> OCT_ASSUME_TOGGLES & 1) != 0 && !denies_memory;
    const uint64_t settle =
        info->has_settle ? info->settle : (uint64_t)(OCT_SETTLE_DEFAULT * info->rate);
    return (effect_rules){
        .settle = settle + info->delay_max,
        .slide = (info->slide > 0 ? info->slide : settle) + 1,
        .toggles = toggles && !denies_alone,
        .causes = (info->promises >> OCT_ASSUME_CAUSES & 1) != 0,
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

// The press before, or after; NULL where there is none in the same life.
static const history_press *press_beside(const oct_history *h, size_t index, bool is_after)
{
    const size_t beside = is_after ? index + 1 : index - 1; // before the first there is none: wraps
    const bool is_there = beside < h->presses.count;
    return is_there && press_at(h, beside)->life == press_at(h, index)->life ? press_at(h, beside)
                                                                             : NULL;
}

// Whether nobody pressed anything else while the effects of a press, or of the one before, could
// still come.
static bool is_isolated(const oct_history *h, const effect_rules *rules, size_t index)
{
    const uint64_t tick = press_at(h, index)->tick, most = rules->settle + rules->slide + SLACK;
    const history_press *const before = press_beside(h, index, false);
    const history_press *const after = press_beside(h, index, true);
    return (!before || tick - before->tick >= most) && (!after || after->tick - tick >= most);
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
    const history_press *const before = press_beside(h, index, false);
    const history_press *const after = press_beside(h, index, true);
    const uint64_t since = before ? before->tick + rules->settle + rules->slide : 0;
    const uint64_t until = after ? after->tick : UINT64_MAX;
    const uint64_t settled = tick + rules->settle + rules->slide;
    effect_seen seen = {.is_watched = false};
    bool is_gapless = true, has_end = false;
    for (size_t i = 0; i < door->runs.count; i++) {
        const door_run r = runs[i];
        if (r.life != press_at(h, index)->life) {
            continue;
        }
        // A door that somebody stands in is not where it would be.
        const bool is_at_rest = !r.is_held && (r.opening <= 0.0 || r.opening >= 1.0);
        const bool is_open = r.opening >= 1.0;
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

// It was moved, and then moved back.
static bool has_come_back(const effect_seen *seen)
{
    return seen->has_before && seen->has_after && seen->before == seen->after && seen->has_moved;
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
    if (rules->settle > 0 && !seen->is_watched) {
        return EFFECT_ANY; // it may have been moved and moved back
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
    if (rules->forgets) {
        return EFFECT_ANY;
    }
    uint32_t effects = rules->toggles ? ask_links(links, h, button, d) : EFFECT_ANY;
    for (size_t i = 0; i < h->presses.count; i++) {
        if (is_same_button(press_at(h, i)->button, button) && is_isolated(h, rules, i)) {
            const effect_seen seen = see_effect(h, rules, i, d);
            if (has_come_back(&seen)) {
                return EFFECT_ANY; // no toggle does that, whatever the game promises
            }
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
        // What was held, or on its way, goes on by itself.
        const bool is_on_its_way =
            runs[i - 1].is_held || (runs[i - 1].opening > 0.0 && runs[i - 1].opening < 1.0);
        bool has_cause = runs[i].opening == runs[i - 1].opening ||
                         runs[i].life != runs[i - 1].life || is_on_its_way;
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

// The tick from which on nothing was pending that was pressed before a run.
static uint64_t quiet_before(const oct_history *h, const effect_rules *rules, const door_run *run)
{
    uint64_t quiet = 0;
    for (size_t i = 0; i < h->presses.count && press_at(h, i)->tick <= run->first; i++) {
        quiet = press_at(h, i)->life == run->life
                    ? press_at(h, i)->tick + rules->settle + rules->slide
                    : quiet;
    }
    return quiet;
}

bool oct_effects_is_watched(const oct_history *h, const effect_rules *rules, uint32_t door)
{
    const history_door *const d = door_at(h, door);
    const door_run *const runs = d->runs.items;
    bool is = rules->causes || rules->settle == 0;
    for (size_t i = 0; i < d->runs.count && !is; i++) {
        const bool is_at_rest =
            !runs[i].is_held && (runs[i].opening <= 0.0 || runs[i].opening >= 1.0);
        const uint64_t quiet = quiet_before(h, rules, &runs[i]);
        const uint64_t from = quiet > runs[i].first ? quiet : runs[i].first;
        is = is_at_rest && runs[i].last >= from + rules->settle;
    }
    return is;
}

// How a door may have been at the start of a life, by the first that was seen of it then.
static uint32_t at_start_of(const oct_history *h, uint32_t door, const door_run *first,
                            may_move_fn *may_move, void *ctx)
{
    if (first->opening > 0.0 && first->opening < 1.0) {
        return 3;
    }
    for (size_t i = 0; i < h->presses.count && press_at(h, i)->tick < first->first; i++) {
        if (press_at(h, i)->life == first->life && may_move(ctx, press_at(h, i)->button, door)) {
            return 3;
        }
    }
    return first->opening >= 1.0 ? 2 : 1;
}

uint32_t oct_effects_at_start(const oct_history *h, uint32_t door, may_move_fn *may_move, void *ctx)
{
    const history_door *const d = door_at(h, door);
    const door_run *const runs = d->runs.items;
    uint32_t left = 3;
    for (size_t i = 0; i < d->runs.count; i++) {
        if (i == 0 || runs[i].life != runs[i - 1].life) {
            left &= at_start_of(h, door, &runs[i], may_move, ctx);
        }
    }
    return left == 0 ? 3 : left; // lives that differ say nothing
}

uint64_t oct_effects_spell(const effect_rules *rules)
{
    return rules->settle + rules->slide + SLACK;
}
