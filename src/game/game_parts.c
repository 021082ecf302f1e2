// SPDX-License-Identifier: MIT
#include "octant/game_parts.h"

#include "game/motion.h"
#include "geom/geom_internal.h"

#include <math.h>

// What keeps the surface of a body off the boxes that it slides along, metres.
#define SKIN 1e-6
// Slower than this it is not stopped, m/s.
#define BUMP 0.05
// So near to a body a door waits, metres.
#define IN_THE_WAY 0.01
// A corner has three walls.
#define WALLS_AT_ONCE 4
#define HEAD_MOST 1.5707963267948966

// ---- boxes ----

static oct_point nearest(const oct_bounds *b, oct_point p)
{
    return (oct_point){fmin(fmax(p.x, b->min.x), b->max.x), fmin(fmax(p.y, b->min.y), b->max.y),
                       fmin(fmax(p.z, b->min.z), b->max.z)};
}

double oct_box_distance(const oct_bounds *box, oct_point point)
{
    return point_length(point_sub(point, nearest(box, point)));
}

oct_entity oct_box_entity(uint64_t id, const char *name, oct_entity_kind kind, oct_bounds box)
{
    return (oct_entity){.thing = {.id = id, .box = box, .label = OCT_BLOCKED, .opaque = true},
                        .name = name,
                        .type = "",
                        .kind = kind,
                        .forward = {0.0, 1.0, 0.0},
                        .up = {0.0, 0.0, 1.0},
                        .harm = OCT_NOT_TOLD};
}

oct_scenery_part oct_box_part(uint64_t id, const char *name, oct_bounds box, oct_piece *piece)
{
    *piece = (oct_piece){.kind = OCT_PIECE_BOX, .box = box};
    return (oct_scenery_part){id, name, {piece, 1}, true, true};
}

// ---- a body ----

oct_flyer oct_flyer_default(void)
{
    return (oct_flyer){.radius = 0.3,
                       .speed = 6.0,
                       .acceleration = 8.0,
                       .turn = 3.0,
                       .reach = 2.0,
                       .forward = {1.0, 0.0, 0.0},
                       .up = {0.0, 0.0, 1.0},
                       .health = 1.0};
}

oct_player_body oct_flyer_body(const oct_flyer *f)
{
    static const char *const verbs[] = {"move", "use"};
    oct_player_body body = oct_player_body_default();
    body.shape = OCT_BODY_BALL;
    body.height = body.width = 2.0 * f->radius;
    body.eye = f->radius;
    body.gait = OCT_GAIT_FLY;
    body.speed = f->speed;
    body.acceleration = body.brake = f->acceleration;
    body.brakes_axes = true;
    body.turn = f->turn;
    body.reach = f->reach;
    body.verbs = verbs;
    body.verb_count = sizeof verbs / sizeof *verbs;
    return body;
}

oct_self oct_flyer_self(const oct_flyer *f, uint64_t id, uint64_t tick)
{
    double sine, cosine;
    oct_sin_cos(f->pitch, &sine, &cosine);
    return (oct_self){
        .tick = tick,
        .id = id,
        .pose = {point_sub(f->centre, point_scale(f->up, f->radius)), f->forward, f->up},
        .centre = f->centre,
        .eye = f->centre,
        .look = point_add(point_scale(f->forward, cosine), point_scale(f->up, sine)),
        .velocity = f->velocity,
        .health = f->health,
        .flies = true,
        .ticks = f->ticks,
        .bumps = f->bumps};
}

oct_act oct_flyer_act(oct_flyer *f, const oct_action *action)
{
    if (!(f->health > 0.0)) {
        return OCT_ACT_NOT_NOW;
    }
    if (action->verb == OCT_VERB_MOVE || action->verb == OCT_VERB_WAIT) {
        f->action = *action;
        f->ticks = action->verb == OCT_VERB_MOVE ? action->ticks : 0;
    }
    return action->verb <= OCT_VERB_MOVE ? OCT_ACT_DONE : OCT_ACT_REFUSED;
}

double oct_flyer_gap(const oct_flyer *f, const oct_bounds *box)
{
    return oct_box_distance(box, f->centre) - f->radius;
}

// Out of a box whose surface is nearest in this direction; what is left of the velocity goes along
// it.
static bool slide_along(oct_flyer *f, oct_point out, double by)
{
    const double into = -point_dot(f->velocity, out);
    f->centre = point_add(f->centre, point_scale(out, by + SKIN));
    f->velocity = into > 0.0 ? point_add(f->velocity, point_scale(out, into)) : f->velocity;
    return into > BUMP;
}

// By the shortest way, where the middle itself is inside.
static bool leave_inside(oct_flyer *f, const oct_bounds *b)
{
    const oct_point c = f->centre;
    const double ways[] = {c.x - b->min.x, b->max.x - c.x, c.y - b->min.y,
                           b->max.y - c.y, c.z - b->min.z, b->max.z - c.z};
    const oct_point outs[] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    int least = 0;
    for (int i = 1; i < 6; i++) {
        least = ways[i] < ways[least] ? i : least;
    }
    return slide_along(f, outs[least], ways[least] + f->radius);
}

static bool leave(oct_flyer *f, const oct_bounds *box)
{
    const oct_point away = point_sub(f->centre, nearest(box, f->centre));
    const double far = point_length(away);
    if (far >= f->radius) {
        return false;
    }
    return far > 0.0 ? slide_along(f, point_scale(away, 1.0 / far), f->radius - far)
                     : leave_inside(f, box);
}

void oct_flyer_step(oct_flyer *f, double rate, const oct_bounds *solids, size_t count)
{
    const oct_point rest = {0.0, 0.0, 0.0};
    const oct_point move = f->ticks > 0 ? f->action.move : rest;
    const oct_point rotate = f->ticks > 0 ? f->action.rotate : rest;
    motion_frame frame = oct_motion_frame(f->forward, f->up);
    f->ticks -= f->ticks > 0;
    oct_motion_turn(&frame, (oct_point){0.0, rotate.y, 0.0}, f->turn / rate);
    f->forward = point_scale(frame.back, -1.0);
    f->pitch = fmin(fmax(f->pitch + rotate.x * f->turn / rate, -HEAD_MOST), HEAD_MOST);
    f->velocity =
        oct_motion_velocity(&frame, f->velocity, move, true, f->acceleration, f->speed, 1.0 / rate);
    f->centre = point_add(f->centre, point_scale(f->velocity, 1.0 / rate));
    bool is_stopped = false;
    for (int round = 0; round < WALLS_AT_ONCE; round++) {
        for (size_t i = 0; i < count; i++) {
            is_stopped |= leave(f, &solids[i]);
        }
    }
    f->bumps += is_stopped;
}

// ---- a door ----

oct_bounds oct_sliding_door_box(const oct_sliding_door *door)
{
    const oct_point by = point_scale(door->slide, door->opening);
    return (oct_bounds){point_add(door->gap.min, by), point_add(door->gap.max, by)};
}

oct_entity oct_sliding_door_entity(const oct_sliding_door *door, uint64_t id, const char *name)
{
    oct_entity e = oct_box_entity(id, name, OCT_ENTITY_DOOR, oct_sliding_door_box(door));
    e.opening = door->opening;
    e.has_gap = true;
    e.gap = door->gap;
    e.meets = OCT_MEETS_WAITS;
    return e;
}

void oct_sliding_door_step(oct_sliding_door *door, double rate, const oct_flyer *body)
{
    const double by = 1.0 / (rate * door->seconds);
    oct_sliding_door next = *door;
    next.opening = fmin(fmax(door->opening + (door->opens ? by : -by), 0.0), 1.0);
    const oct_bounds box = oct_sliding_door_box(&next);
    *door = oct_flyer_gap(body, &box) > IN_THE_WAY ? next : *door;
}

// ---- a game ----

void oct_box_game_begin(oct_box_game *game, const oct_game_ops *ops, const oct_flyer *flyer,
                        const oct_named_box *walls, size_t count, oct_scenery_part *parts,
                        oct_piece *pieces)
{
    *game = (oct_box_game){.game = {ops},
                           .info = oct_game_info_default(),
                           .flyer = *flyer,
                           .body = oct_flyer_body(flyer),
                           .player = count + 1,
                           .parts = parts,
                           .part_count = count};
    for (size_t i = 0; i < count; i++) {
        parts[i] = oct_box_part(i + 1, walls[i].name, walls[i].box, &pieces[i]);
    }
}

const oct_game_info *oct_box_game_describe(const void *self)
{
    return &((const oct_box_game *)self)->info;
}

const oct_player_body *oct_box_game_body(const void *self, uint32_t who)
{
    (void)who; // there is one player
    return &((const oct_box_game *)self)->body;
}

oct_result oct_box_game_scenery(void *self, size_t from, oct_scenery_page *out)
{
    const oct_box_game *const game = self;
    (void)from; // there is one page
    *out = (oct_scenery_page){.parts = game->parts, .count = game->part_count};
    return OCT_OK;
}

oct_result oct_box_game_self(void *self, uint32_t who, oct_self *out)
{
    const oct_box_game *const game = self;
    (void)who;
    *out = oct_flyer_self(&game->flyer, game->player, game->tick);
    return OCT_OK;
}

uint64_t oct_box_game_tick(const void *self)
{
    return ((const oct_box_game *)self)->tick;
}
