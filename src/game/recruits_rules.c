// SPDX-License-Identifier: MIT
// The rules of the lab world: what presses do, what is walked into, scores, health, the end.
#include "game/recruits_internal.h"

#include "base/print.h"

#include <stdarg.h>

#define SCORE_WALKED 1
#define SCORE_TURNED_ON 10
#define SCORE_FLAG 100
#define SCORE_FINISH 500
#define FIRE_HARM 5
#define HEALTHY 100
// A trigger further away than this from where an agent is was not touched by it in the last tick.
#define TRIGGER_REACH 1.0

// ---- telling ----

void oct_recruits_tell(recruits_world *g, uint32_t who, const char *what, uint64_t id,
                       const char *format, ...)
{
    recruits_agent *const a = agent_at(g, who);
    va_list values;
    if (a->event_count == EVENTS_MAX) {
        a->event_start = (a->event_start + 1) % EVENTS_MAX; // the oldest is lost
        a->event_count--;
    }
    recruits_event *const e = &a->events[(a->event_start + a->event_count++) % EVENTS_MAX];
    va_start(values, format);
    (void)oct_vsnprintf(e->text, sizeof e->text, format, values);
    va_end(values);
    e->event = (oct_event){.tick = g->tick, .what = what, .id = id};
}

static void set_mood(recruits_agent *a, const char *mood)
{
    oct_snprintf(a->mood, sizeof a->mood, "%s", mood);
}

static void add_score(recruits_world *g, uint32_t who, int32_t score, uint32_t thing)
{
    agent_at(g, who)->score += score;
    oct_recruits_tell(g, who, "scored", thing_number(g, thing), "%d", (int)score);
}

void oct_recruits_hurt(recruits_world *g, uint32_t who, int32_t health, uint64_t by,
                       const char *mood)
{
    recruits_agent *const a = agent_at(g, who);
    if (a->health <= 0) {
        return;
    }
    a->health = a->health > health ? a->health - health : 0;
    set_mood(a, a->health > 0 ? mood : "Dead...");
    oct_recruits_tell(g, who, "hurt", by, "%d", (int)health);
}

oct_over oct_recruits_over(const recruits_world *g)
{
    bool is_alive = g->agents.count == 0;
    for (uint32_t i = 0; i < g->agents.count; i++) {
        if (agent_at(g, i)->won) {
            return OCT_OVER_WON;
        }
        is_alive = is_alive || agent_at(g, i)->health > 0;
    }
    return is_alive ? OCT_OVER_NOT : OCT_OVER_LOST;
}

// ---- doors ----

static void toggle_door(recruits_world *g, uint32_t door)
{
    recruits_thing *const t = thing_at(g, door);
    t->is_on = !t->is_on;
    if (t->swinging == RECRUITS_NONE) {
        t->swinging = (uint32_t)g->swinging.count++;
        ((uint32_t *)g->swinging.items)[t->swinging] = door;
    }
}

void oct_recruits_swing_doors(recruits_world *g)
{
    uint32_t *const doors = g->swinging.items;
    for (uint32_t i = (uint32_t)g->swinging.count; i-- > 0;) {
        recruits_thing *const t = thing_at(g, doors[i]);
        t->swing = (uint16_t)(t->is_on ? t->swing + 1 : t->swing - 1);
        if (t->swing == (t->is_on ? SWING_TICKS : 0)) {
            t->swinging = RECRUITS_NONE;
            doors[i] = doors[--g->swinging.count];
            if (i < g->swinging.count) {
                thing_at(g, doors[i])->swinging = i;
            }
        }
    }
}

// ---- presses ----

static void mix_colour(recruits_thing *screen, const recruits_thing *button)
{
    char shown[24];
    uint32_t part[3];
    for (int i = 0; i < 3; i++) {
        screen->mixed[i] += button->is_on ? button->colour[i] : 0u - button->colour[i];
        part[i] = screen->mixed[i] < 255 ? screen->mixed[i] : 255;
    }
    oct_snprintf(shown, sizeof shown, "#%02x%02x%02x", part[0], part[1], part[2]);
    memcpy(screen->colour_text, shown, sizeof screen->colour_text);
}

static void act_on(recruits_world *g, const recruits_thing *button, uint32_t target)
{
    recruits_thing *const t = thing_at(g, target);
    if (t->kind == OCT_RECRUITS_DOOR) {
        toggle_door(g, target);
    } else if (t->kind == OCT_RECRUITS_SCREEN) {
        mix_colour(t, button);
    } else if (t->kind == OCT_RECRUITS_ENEMY) {
        t->is_on = true;
    }
}

static bool set_bit(uint8_t *bits, const recruits_world *g, uint32_t who, uint32_t trigger)
{
    const size_t bit = (size_t)who * g->triggers + trigger;
    const uint8_t mask = (uint8_t)(1u << (bit & 7));
    const bool was = bits[bit / 8] & mask;
    bits[bit / 8] |= mask;
    return !was;
}

press_result oct_recruits_press(recruits_world *g, uint32_t who, uint32_t thing)
{
    recruits_thing *const t = thing_at(g, thing);
    const oct_point way = point_sub(t->origin, agent_at(g, who)->feet);
    if (point_dot(way, way) > OCT_RECRUITS_INTERACTION * OCT_RECRUITS_INTERACTION) {
        return PRESS_TOO_FAR;
    }
    if (t->pressed != 0 && g->tick - (t->pressed - 1) <= COOLDOWN_TICKS) {
        return PRESS_TOO_SOON;
    }
    t->pressed = g->tick + 1;
    t->is_on = !t->is_on;
    if (t->is_on && set_bit(g->pressed, g, who, t->trigger)) {
        add_score(g, who, SCORE_TURNED_ON, thing);
    }
    const uint32_t *const effects = g->effects.items;
    for (uint32_t i = 0; i < t->effect_count; i++) {
        act_on(g, t, effects[t->effects + i]);
    }
    return PRESS_DONE;
}

// ---- what is walked into ----

// The whole capsule against a box.
static bool touches(oct_point feet, const oct_bounds *box)
{
    const double low = feet.y + OCT_RECRUITS_RADIUS;
    const double high = feet.y + OCT_RECRUITS_HEIGHT - OCT_RECRUITS_RADIUS;
    const double y = box->min.y > high ? high : box->max.y < low ? low : box->min.y;
    const oct_point at = {feet.x, y < low ? low : y, feet.z};
    return oct_recruits_distance(at, box) <= OCT_RECRUITS_RADIUS;
}

static void enter(recruits_world *g, uint32_t who, uint32_t thing)
{
    recruits_agent *const a = agent_at(g, who);
    recruits_thing *const t = thing_at(g, thing);
    const bool is_first = set_bit(g->walked, g, who, t->trigger);
    t->touched = g->tick + 1;
    if (t->kind == OCT_RECRUITS_FIRE) {
        oct_recruits_hurt(g, who, FIRE_HARM, thing_number(g, thing), "Ouch");
    } else if (is_button(t) && is_first) {
        add_score(g, who, SCORE_WALKED, thing);
    } else if (t->kind == OCT_RECRUITS_FLAG && is_first) {
        const bool is_finish = strcmp(t->id, "Finish") == 0;
        a->health = HEALTHY;
        a->won = a->won || is_finish;
        set_mood(a, is_finish ? "Finish!" : "YES!");
        add_score(g, who, is_finish ? SCORE_FINISH : SCORE_FLAG, thing);
        oct_recruits_tell(g, who, "flag", thing_number(g, thing), "%s", t->id);
    }
}

static void touch_thing(recruits_world *g, uint32_t who, uint32_t thing)
{
    const recruits_thing *const t = thing_at(g, thing);
    if (touches(agent_at(g, who)->feet, &t->box)) {
        if (set_bit(g->inside, g, who, t->trigger)) {
            enter(g, who, thing);
        }
        return;
    }
    const size_t bit = (size_t)who * g->triggers + t->trigger;
    g->inside[bit / 8] &= (uint8_t) ~(1u << (bit & 7));
}

void oct_recruits_touch(recruits_world *g, uint32_t who)
{
    const recruits_agent *const a = agent_at(g, who);
    if (a->health <= 0) {
        return;
    }
    const oct_point feet = a->feet;
    const int32_t high_x = column_high(feet.x + TRIGGER_REACH, g->width);
    const int32_t high_z = column_high(feet.z + TRIGGER_REACH, g->depth);
    for (int32_t z = column_low(feet.z - TRIGGER_REACH); z <= high_z; z++) {
        for (int32_t x = column_low(feet.x - TRIGGER_REACH); x <= high_x; x++) {
            const size_t column = (size_t)z * g->width + (size_t)x;
            for (uint32_t k = g->near.first[column]; k < g->near.first[column + 1]; k++) {
                if (thing_at(g, g->near.items[k])->trigger != RECRUITS_NONE) {
                    touch_thing(g, who, g->near.items[k]);
                }
            }
        }
    }
}
