// SPDX-License-Identifier: MIT
// What bodies can do on foot, as far as their game tells it: the most generous reading.
#include "agent/walk_space.h"
#include "agent/walker.h"

#include "geom/geom_internal.h"

#include <math.h>
#include <string.h>

// The corner of a box from its middle, in halves of its width.
#define CORNER 1.4142135623730951

// How strongly gravity pulls straight down; 0 where it does not.
static double pull_of(const oct_game_info *info)
{
    const oct_point level = oct_walker_level(info->gravity, info->up);
    const oct_point g = point_sub(info->gravity, level);
    const double down = -(g.x + g.y + g.z);
    return down > 0.0 && point_length(level) <= 1e-6 * down ? down : 0.0;
}

static double larger(double told, double other)
{
    return told > other ? told : other;
}

// NULL where everything is told; else what is not.
static const char *limits_of(const oct_player_body *b, const oct_game_info *info, double pull,
                             walk_limits *out)
{
    const bool jumps = oct_player_body_has(b, "jump");
    const bool is_told = !jumps || b->jump > 0.0 || (b->climb >= 0.0 && b->leap >= 0.0);
    if (b->step < 0.0 || !is_told) {
        return b->step < 0.0 ? "step" : "jump";
    }
    const double jump = jumps && b->jump > 0.0 ? b->jump : 0.0;
    const double walk = b->gait != OCT_GAIT_WALK && b->walk > 0.0 ? b->walk : b->speed;
    const double most = fmax(b->height, b->width), least = fmin(b->height, b->width);
    // Who may lean jumps off at a slant, and tips over an edge.
    const double speed = b->tumbles ? walk + jump : walk;
    const double rise = jump * jump / (2.0 * pull) + jump / info->rate + b->step + b->width / 2.0 +
                        (b->tumbles ? most - least : 0.0);
    const double leap = speed * (2.0 * jump / pull + 2.0 / info->rate) + 2.0 * b->width;
    const double crouched = b->low > 0.0 ? b->low : b->width;
    const bool crouches = oct_player_body_has(b, "crouch");
    out->climb = b->climb >= 0.0 ? larger(b->climb, b->step) : rise;
    out->rise = larger(rise, out->climb);
    out->leap = larger(b->leap >= 0.0 && !b->tumbles ? b->leap : larger(b->leap, leap), b->width);
    out->speed = speed;
    out->high = (b->tumbles ? most : b->height) / 2.0;
    out->low = (b->tumbles ? least : crouches ? fmin(crouched, b->height) : b->height) / 2.0;
    out->beside = (b->tumbles ? most : b->width) / 2.0 * (b->shape == OCT_BODY_BOX ? CORNER : 1.0);
    out->round = b->width / 2.0;
    return NULL;
}

bool oct_walk_limits_of(const oct_history *h, const oct_game_info *info, walk_limits *out,
                        const char **untold)
{
    const oct_log_start *const starts = h->log.starts.items;
    const double pull = pull_of(info);
    *untold = "";
    *out = (walk_limits){.up = info->up, .pull = pull, .tick = 1.0 / info->rate};
    bool is_first = true;
    for (size_t i = 0; i < h->log.starts.count; i++) {
        walk_limits own = *out;
        *untold = starts[i].walks && pull > 0.0 ? limits_of(&starts[i].body, info, pull, &own) : "";
        if (*untold) {
            return false;
        }
        out->climb = larger(own.climb, out->climb);
        out->rise = larger(own.rise, out->rise);
        out->leap = larger(own.leap, out->leap);
        out->speed = larger(own.speed, out->speed);
        out->high = larger(own.high, out->high);
        out->low = is_first ? own.low : fmin(own.low, out->low);
        out->beside = larger(own.beside, out->beside);
        out->round = larger(own.round, out->round);
        is_first = false;
    }
    return !is_first;
}

// What changes nothing about where a body can stand. Other words may climb, swim or fly.
static bool is_harmless(const char *verb)
{
    static const char *const all[] = {"move",   "jump",     "use",       "keep",  "wait",
                                      "crouch", "fire",     "slot",      "fly",   "jetpack",
                                      "equip",  "activate", "dampeners", "boots", "tool",
                                      "place",  "remove",   "interact",  "shoot", "reload"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(verb, all[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool oct_walk_is_denied(const oct_history *h, const oct_game_info *info)
{
    const oct_log_start *const starts = h->log.starts.items;
    bool is = ((info->denies | h->denied) >> OCT_ASSUME_FEET & 1) != 0;
    const bool is_promised = (info->promises >> OCT_ASSUME_FEET & 1) != 0;
    for (size_t i = 0; i < h->log.starts.count && !is_promised; i++) {
        for (size_t k = 0; k < starts[i].body.verb_count; k++) {
            is = is || !is_harmless(starts[i].body.verbs[k]);
        }
    }
    return is;
}
