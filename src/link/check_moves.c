// SPDX-License-Identifier: MIT
// The part of the examination that moves a player.
#include "link/check_internal.h"

#include <math.h>

#define MOVE_TICKS 45 // in one direction
#define REST_TICKS 30
#define GO_TURNS 150 // of going to one thing
#define GO_TICKS 4   // of a turn
#define USES_MAX 6   // things that are tried
#define SPEED_SLACK 1.05
#define TICK_SLACK 0.8 // the shortest tick, of the longest

static oct_point less(oct_point a, oct_point b)
{
    return (oct_point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(oct_point a, oct_point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double length(oct_point a)
{
    return sqrt(dot(a, a));
}

static const oct_player_body *body_of(const check_life *life)
{
    const oct_player_body *body;
    return oct_game_body(life->game, 0, &body) == OCT_OK ? body : NULL;
}

// The part of a velocity that `speed` bounds: on foot the horizontal one.
static double bounded_speed(const oct_player_body *body, oct_point up, oct_point v)
{
    if (body->gait != OCT_GAIT_FLY) {
        const double rise = dot(v, up);
        v = (oct_point){v.x - rise * up.x, v.y - rise * up.y, v.z - rise * up.z};
    }
    return length(v);
}

// ---- moving in every direction ----

// How far the ticks of one movement went, as a share of what the velocity says.
typedef struct tick_shares {
    double least, most;
    uint32_t count;
} tick_shares;

static void watch_speed(check_life *life, const oct_player_body *body, const oct_self *before)
{
    const double rate = oct_game_describe(life->game)->rate;
    const oct_self *const now = &life->self;
    const uint64_t ticks = now->tick - before->tick;
    const oct_point way = less(now->pose.position, before->pose.position);
    const oct_point v = {way.x * rate / (double)ticks, way.y * rate / (double)ticks,
                         way.z * rate / (double)ticks};
    const double went = bounded_speed(body, now->pose.up, v);
    const double told = bounded_speed(body, now->pose.up, now->velocity);
    const double most = went > told ? went : told;
    if (now->on == 0 && most > body->speed * SPEED_SLACK + 1e-6) {
        oct_check_found(life->out, FAULT_TOO_FAST,
                        "it moves with %.3g per second, and its description says %.3g at most: "
                        "tell the largest speed that it can have",
                        most, body->speed);
    }
}

static void watch_tick(check_life *life, const oct_self *before, tick_shares *shares)
{
    const double rate = oct_game_describe(life->game)->rate;
    const oct_self *const now = &life->self;
    const oct_point v = {(now->velocity.x + before->velocity.x) / 2.0,
                         (now->velocity.y + before->velocity.y) / 2.0,
                         (now->velocity.z + before->velocity.z) / 2.0};
    const double speed = length(v), change = length(less(now->velocity, before->velocity));
    if (now->bumps != before->bumps || !(speed > 0.0) || change > 0.2 * speed) {
        return;
    }
    const double share = length(less(now->pose.position, before->pose.position)) * rate / speed /
                         (double)(now->tick - before->tick);
    shares->least = shares->count == 0 || share < shares->least ? share : shares->least;
    shares->most = share > shares->most ? share : shares->most;
    shares->count++;
}

// Acts, then looks after every tick.
static oct_result move_and_watch(check_life *life, const oct_player_body *body,
                                 const oct_action *action, tick_shares *shares, double *went)
{
    oct_act came;
    const oct_point begin = life->self.pose.position;
    OCT_TRY(oct_game_act(life->game, 0, action, &came));
    for (uint32_t i = 0; i < action->ticks; i++) {
        const oct_self before = life->self;
        OCT_TRY(oct_game_step(life->game, 1));
        OCT_TRY(oct_check_look(life, 1));
        const bool runs = oct_game_describe(life->game)->runs;
        if (runs ? life->self.tick <= before.tick : life->self.tick != before.tick + 1) {
            oct_check_found(life->out, FAULT_TICK_DIFFERS,
                            "a step of 1 tick went from tick %llu to tick %llu",
                            (unsigned long long)before.tick, (unsigned long long)life->self.tick);
            return OCT_OK;
        }
        watch_speed(life, body, &before);
        watch_tick(life, &before, shares);
        const double way = length(less(life->self.pose.position, begin));
        *went = way > *went ? way : *went;
    }
    return OCT_OK;
}

static void judge_ticks(check_life *life, const tick_shares *shares)
{
    // Between two looks at a game that runs on by itself a body may have started and stopped.
    if (oct_game_describe(life->game)->runs) {
        return;
    }
    if (shares->count > 5 && shares->least < TICK_SLACK * shares->most) {
        oct_check_found(life->out, FAULT_TICK_DIFFERS,
                        "some ticks pass %.0f %% of the time that others do: the way in one tick "
                        "is from %.3g to %.3g of what velocity and rate say; every tick must pass "
                        "1 / rate seconds",
                        100.0 * shares->least / shares->most, shares->least, shares->most);
    }
}

oct_result oct_check_moves(check_life *life)
{
    static const oct_point ways[] = {{0, 0, -1}, {0, 0, 1}, {-1, 0, 0},
                                     {1, 0, 0},  {0, 1, 0}, {0, -1, 0}};
    const oct_player_body *const body = body_of(life);
    const size_t count = body->gait == OCT_GAIT_WALK ? 4 : 6;
    const uint64_t bumps = life->self.bumps;
    double went = 0.0;
    if (!oct_player_body_has(body, "move")) {
        oct_check_advise(life->out, "the player has no verb 'move': agents cannot get about");
        return OCT_OK;
    }
    for (size_t i = 0; i < count; i++) {
        const oct_action move = {.verb = OCT_VERB_MOVE, .ticks = MOVE_TICKS, .move = ways[i]};
        const oct_action rest = {.verb = OCT_VERB_WAIT, .ticks = REST_TICKS};
        tick_shares shares = {.count = 0};
        OCT_TRY(move_and_watch(life, body, &move, &shares, &went));
        OCT_TRY(move_and_watch(life, body, &rest, &shares, &went));
        judge_ticks(life, &shares);
    }
    if (went < 1e-3 && life->self.bumps == bumps && life->self.health > 0.0) {
        oct_check_found(life->out, FAULT_ACT_IGNORED,
                        "'move' is answered 'done', and in no direction anything moves: within "
                        "%d ticks it went %.2g, and 'bumps' tells of nothing in its way",
                        MOVE_TICKS, went);
    }
    return OCT_OK;
}

// ---- using things ----

static oct_point nearest_in(const oct_bounds *b, oct_point p)
{
    return (oct_point){fmin(fmax(p.x, b->min.x), b->max.x), fmin(fmax(p.y, b->min.y), b->max.y),
                       fmin(fmax(p.z, b->min.z), b->max.z)};
}

static double clamp(double value)
{
    return fmin(fmax(value, -1.0), 1.0);
}

// Straight on, facing it: a detour is nothing for an examination.
static oct_action steer(const check_life *life, const oct_player_body *body, oct_point to)
{
    const oct_game_info *const info = oct_game_describe(life->game);
    const oct_self *const self = &life->self;
    const oct_point f = self->pose.forward, u = self->pose.up, way = less(to, self->eye);
    oct_point right = {f.y * u.z - f.z * u.y, f.z * u.x - f.x * u.z, f.x * u.y - f.y * u.x};
    if (info->left_handed) {
        right = (oct_point){-right.x, -right.y, -right.z};
    }
    const double far = fmax(length(way), 1e-9), dt = GO_TICKS / info->rate;
    const double wanted = fmin(body->speed, far);
    oct_point push = {way.x / far * wanted, way.y / far * wanted, way.z / far * wanted};
    double scale = body->speed;
    if (body->acceleration > 0.0 && body->control == OCT_CONTROL_THRUST) {
        push = less(push, self->velocity);
        scale = body->acceleration * dt;
    }
    const double turn = fmax(body->turn * dt, 1e-9);
    const double side = dot(way, right) / far, ahead = dot(way, f) / far;
    const double pitch = (dot(way, u) / far - dot(self->look, u)) / turn;
    return (oct_action){.verb = OCT_VERB_MOVE,
                        .ticks = GO_TICKS,
                        .move = {clamp(dot(push, right) / scale), clamp(dot(push, u) / scale),
                                 clamp(-dot(push, f) / scale)},
                        .rotate = {clamp(pitch),
                                   clamp(ahead > 0.0  ? -side / turn
                                         : side > 0.0 ? -1.0
                                                      : 1.0),
                                   0.0}};
}

static oct_result use_thing(check_life *life, uint64_t id)
{
    const oct_player_body *const body = body_of(life);
    const oct_action use = {.verb = OCT_VERB_USE, .ticks = 1, .target = id};
    const oct_action wait = {.verb = OCT_VERB_WAIT, .ticks = 1};
    oct_act came = OCT_ACT_TOO_FAR;
    for (int i = 0; i < GO_TURNS; i++) {
        const seen_thing *const thing = oct_check_find(&life->now, id);
        if (!thing || !(life->self.health > 0.0)) {
            return OCT_OK;
        }
        const oct_point at = nearest_in(&thing->box, life->self.eye);
        if (length(less(at, life->self.eye)) < 0.8 * body->reach && i % 4 == 3) {
            OCT_TRY(oct_game_turn(life->game, 0, &use, &came));
            OCT_TRY(oct_check_look(life, 1));
            if (came == OCT_ACT_DONE) {
                life->out->presses++;
                break;
            }
        }
        const oct_action go = steer(life, body, at);
        OCT_TRY(oct_game_turn(life->game, 0, &go, &came));
        OCT_TRY(oct_check_look(life, GO_TICKS));
    }
    OCT_TRY(oct_game_turn(life->game, 0, &wait, &came));
    for (uint32_t i = 0; i < 120; i++) {
        OCT_TRY(oct_game_step(life->game, 1));
        OCT_TRY(oct_check_look(life, i == 0 ? 2 : 1));
    }
    return OCT_OK;
}

oct_result oct_check_uses(check_life *life)
{
    uint64_t ids[USES_MAX];
    size_t count = 0;
    oct_observation seen;
    if (!oct_player_body_has(body_of(life), "use")) {
        return OCT_OK;
    }
    OCT_TRY(oct_game_observe(life->game, 0, &seen));
    for (size_t i = 0; i < seen.count && count < USES_MAX; i++) {
        if (seen.entities[i].use_count > 0) {
            ids[count++] = seen.entities[i].thing.id;
        }
    }
    for (size_t i = 0; i < count && life->out->presses < 2; i++) {
        OCT_TRY(use_thing(life, ids[i]));
    }
    return OCT_OK;
}

// ---- a fixed run ----

oct_result oct_check_run(check_life *life, uint64_t *sum)
{
    uint64_t words[8] = {0};
    *sum = 0;
    for (uint32_t i = 0; i < 12; i++) {
        const oct_action action = {.verb = i % 4 == 3 ? OCT_VERB_WAIT : OCT_VERB_MOVE,
                                   .ticks = 10,
                                   .move = {(double)(i % 3) - 1.0, i % 2 ? 0.25 : 0.0, -0.5},
                                   .rotate = {0.0, i % 2 ? 0.5 : -0.5, 0.0}};
        oct_act came;
        OCT_TRY(oct_game_turn(life->game, 0, &action, &came));
        OCT_TRY(oct_check_look(life, 10));
        const oct_self *const self = &life->self;
        memcpy(&words[0], &self->pose.position, sizeof(double) * 3);
        memcpy(&words[3], &self->velocity, sizeof(double) * 3);
        words[6] = *sum;
        words[7] = oct_game_hash(life->game);
        *sum = oct_hash_words(words, 8);
    }
    return OCT_OK;
}
