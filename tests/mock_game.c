// SPDX-License-Identifier: MIT
#include "mock_game.h"

#include "game/motion.h"
#include "geom/geom_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RADIUS 0.3
#define EYE 0.2 // above the centre
#define ENTITIES_MAX 32

typedef struct mock_game_state {
    oct_game game;
    mock_def def;
    uint32_t *resets; // of its source; NULL = nobody counts
    oct_game_info info;
    oct_player_body body;
    oct_point centre, velocity;
    motion_frame frame;
    oct_action action;
    uint32_t left;              // ticks of it
    uint64_t tick, bumps, told; // told: events before this tick
    bool opens;
    uint32_t opened; // of MOCK_SLIDE
    uint32_t presses;
    double health;
    oct_over over;
    const char *refusal;
    oct_entity entities[ENTITIES_MAX];
    oct_piece leaf;
    oct_property props[2];
    oct_event events[ENTITIES_MAX];
} state;

// ---- the level ----

#define BOX(x0, y0, z0, x1, y1, z1)                                                                \
    {                                                                                              \
        .box = { {x0, y0, z0}, {x1, y1, z1} }                                                      \
    }

static const oct_piece walls[] = {
    BOX(-0.4, -0.4, -0.4, 12.4, 6.4, 0.0), // floor
    BOX(-0.4, -0.4, 3.0, 12.4, 6.4, 3.4),  // ceiling
    BOX(-0.4, -0.4, 0.0, 0.0, 6.4, 3.0),   // around both rooms
    BOX(12.0, -0.4, 0.0, 12.4, 6.4, 3.0),  //
    BOX(0.0, -0.4, 0.0, 12.0, 0.0, 3.0),   //
    BOX(0.0, 6.0, 0.0, 12.0, 6.4, 3.0),    //
    BOX(6.0, 0.0, 0.0, 6.4, 2.0, 3.0),     // between them
    BOX(6.0, 4.6, 0.0, 6.4, 6.0, 3.0),     //
    BOX(6.0, 2.0, 2.6, 6.4, 4.6, 3.0),     //
    BOX(1.0, 4.8, 0.0, 2.0, 5.6, 0.1),     // a table: one part of two boxes
    BOX(1.2, 5.0, 0.1, 1.4, 5.2, 0.8),     //
};
#define WALLS (sizeof walls / sizeof *walls)
#define PARTS (WALLS - 1)

static const oct_bounds gap = {{6.0, 2.0, 0.0}, {6.4, 4.6, 2.6}};
static const oct_bounds shut = {{6.1, 2.0, 0.0}, {6.3, 4.6, 2.6}};
static const oct_bounds button = {{2.8, 0.0, 1.0}, {3.2, 0.15, 1.4}};
static const oct_bounds goal = {{9.8, 2.8, 0.8}, {10.2, 3.2, 1.2}};
static const oct_bounds safe = {{0.0, 1.0, 1.0}, {0.15, 1.4, 1.4}};

static double opening_of(const state *g)
{
    return (double)g->opened / MOCK_SLIDE;
}

// The box that the leaf fills, or is in while it swings.
static oct_bounds leaf_box(const state *g)
{
    const double by = opening_of(g);
    oct_bounds box = shut;
    if (g->def.leaf == MOCK_SLIDES) {
        box.min.y -= 2.6 * by;
        box.max.y -= 2.6 * by;
    } else if (g->def.leaf == MOCK_SWINGS && by > 0.0) {
        box = by < 1.0 ? (oct_bounds){{6.1, 1.9, 0.0}, {8.8, 4.6, 2.6}}
                       : (oct_bounds){{6.2, 1.9, 0.0}, {8.8, 2.1, 2.6}};
    }
    return box;
}

static bool has_gap(const state *g)
{
    return g->def.leaf != MOCK_SINKS;
}

static bool leaf_blocks(const state *g)
{
    return g->def.leaf != MOCK_NO_LEAF && (has_gap(g) || g->opened < MOCK_SLIDE);
}

// ---- moving ----

static double away(const oct_bounds *b, oct_point p)
{
    const oct_point at = {fmin(fmax(p.x, b->min.x), b->max.x), fmin(fmax(p.y, b->min.y), b->max.y),
                          fmin(fmax(p.z, b->min.z), b->max.z)};
    return point_length(point_sub(at, p));
}

static bool is_free(const state *g, oct_point at)
{
    const oct_bounds leaf = leaf_box(g);
    bool is =
        !leaf_blocks(g) || (g->opened > 0 && g->opened < MOCK_SLIDE) || away(&leaf, at) >= RADIUS;
    for (size_t i = 0; is && i < WALLS; i++) {
        is = away(&walls[i].box, at) >= RADIUS;
    }
    return is && away(&button, at) >= RADIUS && away(&goal, at) >= RADIUS &&
           (!g->def.has_safe || away(&safe, at) >= RADIUS);
}

static void go(state *g)
{
    double *const at[] = {&g->centre.x, &g->centre.y, &g->centre.z};
    double *const by[] = {&g->velocity.x, &g->velocity.y, &g->velocity.z};
    bool is_stopped = false;
    for (int i = 0; i < 3; i++) {
        const double was = *at[i];
        *at[i] += *by[i] / MOCK_RATE;
        if (!is_free(g, g->centre)) {
            *at[i] = was;
            is_stopped = is_stopped || *by[i] != 0.0;
            *by[i] = 0.0;
        }
    }
    g->bumps += is_stopped;
}

static void pass_tick(state *g)
{
    oct_point thrust = {0, 0, 0};
    if (g->left > 0) {
        g->left--;
        const double hand = g->def.left_handed ? -1.0 : 1.0;
        const oct_point turn = g->action.rotate;
        thrust = g->action.move;
        thrust.x *= hand;
        oct_motion_turn(&g->frame, (oct_point){turn.x, hand * turn.y, hand * turn.z},
                        g->body.turn / MOCK_RATE);
    }
    g->velocity = oct_motion_velocity(&g->frame, g->velocity, thrust, true, g->body.acceleration,
                                      g->body.speed, 1.0 / MOCK_RATE);
    go(g);
    if (g->opens && g->opened < MOCK_SLIDE) {
        g->opened++;
    } else if (!g->opens && g->opened > 0) {
        g->opened--;
    }
    g->tick++;
    for (size_t i = 0; i < g->def.event_count; i++) {
        const mock_event *const e = &g->def.events[i];
        if (e->tick == g->tick) {
            g->health = fmax(0.0, g->health - e->harm);
            g->over = e->over != OCT_OVER_NOT ? e->over : g->over;
        }
    }
}

static bool is_dead(const state *g)
{
    return g->def.dies_at > 0 && g->tick >= g->def.dies_at;
}

static oct_result step(void *self, uint32_t ticks)
{
    state *const g = self;
    for (uint32_t i = 0; i < ticks && !is_dead(g); i++) {
        pass_tick(g);
    }
    return is_dead(g) ? OCT_ERROR_LINK : OCT_OK;
}

// ---- telling ----

static void tell_self(const state *g, oct_self *out)
{
    const oct_point up = g->frame.up, forward = point_scale(g->frame.back, -1.0);
    *out = (oct_self){.tick = g->tick,
                      .id = MOCK_PLAYER,
                      .pose = {point_sub(g->centre, point_scale(up, RADIUS)), forward, up},
                      .centre = g->centre,
                      .eye = point_add(g->centre, point_scale(up, EYE)),
                      .look = forward,
                      .velocity = g->velocity,
                      .health = g->health,
                      .flies = true,
                      .ticks = g->left,
                      .bumps = g->bumps};
}

static oct_entity thing(uint64_t id, const char *name, oct_entity_kind kind, oct_bounds box)
{
    return (oct_entity){.thing = {.id = id, .box = box, .label = OCT_BLOCKED, .opaque = true},
                        .name = name,
                        .type = "",
                        .kind = kind,
                        .forward = {1, 0, 0},
                        .up = {0, 0, 1},
                        .harm = OCT_NOT_TOLD};
}

static oct_entity tell_door(state *g)
{
    oct_entity e = thing(MOCK_DOOR, "Door", OCT_ENTITY_DOOR, leaf_box(g));
    e.opening = opening_of(g);
    e.has_gap = has_gap(g);
    e.gap = gap;
    e.thing.label = (uint8_t)oct_entity_label(&e, g->def.leaf != MOCK_NO_LEAF);
    e.thing.opaque = leaf_blocks(g);
    if (g->def.leaf == MOCK_SWINGS) {
        // It turns around the edge at y = 2.
        double sine, cosine;
        oct_sin_cos(opening_of(g) * 0.7853981633974483, &sine, &cosine);
        const bool swings = g->opened > 0 && g->opened < MOCK_SLIDE;
        g->leaf = (oct_piece){
            .kind = swings ? OCT_PIECE_OBB : OCT_PIECE_BOX,
            .box = e.thing.box,
            .centre = {6.2 + 2.6 * sine * cosine, 2.0 + 1.3 * (cosine * cosine - sine * sine), 1.3},
            .half = {0.1, 1.3, 1.3},
            .turn = {0, 0, -sine, cosine}};
        e.shape = (oct_shape){&g->leaf, 1};
    }
    return e;
}

static size_t tell_entities(state *g)
{
    static const char *const uses[] = {"press", "ring"};
    static const char *const opens[] = {"open"};
    size_t n = 0;
    g->props[0] = (oct_property){.name = "presses", .number = g->presses};
    g->entities[n] = thing(MOCK_BUTTON, "Button", OCT_ENTITY_BUTTON, button);
    g->entities[n].uses = uses;
    g->entities[n].use_count = 2;
    g->entities[n].props = g->props;
    g->entities[n++].prop_count = 1;
    g->entities[n++] = tell_door(g);
    g->entities[n++] = thing(MOCK_GOAL, "Goal", OCT_ENTITY_GOAL, goal);
    if (g->def.has_safe) {
        g->entities[n] = thing(MOCK_SAFE, "Safe", OCT_ENTITY_BUTTON, safe);
        g->entities[n].uses = opens;
        g->entities[n++].use_count = 1;
    }
    if (g->def.beside) {
        g->entities[n++] = *g->def.beside;
    }
    for (size_t i = 0; g->def.is_bare && i < WALLS; i++) {
        g->entities[n++] = thing(MOCK_SCENERY + i, "", OCT_ENTITY_SOLID, walls[i].box);
    }
    return n;
}

static size_t tell_events(state *g)
{
    size_t n = 0;
    for (size_t i = 0; i < g->def.event_count; i++) {
        const mock_event *const e = &g->def.events[i];
        if (e->what && e->tick >= g->told && e->tick <= g->tick) {
            g->events[n++] = (oct_event){e->tick, e->what, 0, e->text ? e->text : ""};
        }
    }
    g->told = g->tick + 1;
    return n;
}

static oct_result observe(void *self, uint32_t who, oct_observation *out)
{
    state *const g = self;
    (void)who;
    *out = (oct_observation){.entities = g->entities, .events = g->events, .over = g->over};
    tell_self(g, &out->self);
    out->count = tell_entities(g);
    out->event_count = tell_events(g);
    if (g->def.scene_at > 0) {
        out->scene = g->tick >= g->def.scene_at;
        g->over = OCT_OVER_NOT;
    }
    return is_dead(g) ? OCT_ERROR_LINK : OCT_OK;
}

static oct_result feel(void *self, uint32_t who, oct_self *out)
{
    (void)who;
    tell_self(self, out);
    return is_dead(self) ? OCT_ERROR_LINK : OCT_OK;
}

// Two pages, the last of all parts the table.
static oct_result scenery(void *self, size_t from, oct_scenery_page *out)
{
    static oct_scenery_part parts[PARTS];
    (void)self;
    for (size_t i = 0; i < PARTS; i++) {
        // Ids come in no order.
        parts[i] = (oct_scenery_part){.id = MOCK_SCENERY + PARTS - i,
                                      .name = i == PARTS - 1 ? "Table" : "Wall",
                                      .shape = {&walls[i], i == PARTS - 1 ? 2 : 1},
                                      .solid = true,
                                      .opaque = true};
    }
    *out = from == 0 ? (oct_scenery_page){parts, 4, 4}
                     : (oct_scenery_page){parts + from, PARTS - from, 0};
    return OCT_OK;
}

// ---- acting ----

// Whether the look meets a box within reach.
static bool looks_at(const oct_self *self, const oct_bounds *b, double most)
{
    bool does = false;
    for (double at = 0.0; at <= most && !does; at += most / 256.0) {
        does = away(b, point_add(self->eye, point_scale(self->look, at))) == 0.0;
    }
    return does;
}

static oct_act use(state *g, const oct_action *action)
{
    const bool is_safe = g->def.has_safe && action->target == MOCK_SAFE;
    oct_self self;
    tell_self(g, &self);
    if (action->target != MOCK_BUTTON && !is_safe) {
        return OCT_ACT_NO_TARGET;
    }
    if (action->button >= (is_safe ? 1u : 2u)) {
        return OCT_ACT_NO_BUTTON;
    }
    if (away(is_safe ? &safe : &button, self.eye) > g->body.reach) {
        return OCT_ACT_TOO_FAR;
    }
    if (g->def.must_face && !looks_at(&self, is_safe ? &safe : &button, g->body.reach)) {
        return OCT_ACT_IN_THE_WAY;
    }
    if (is_safe) {
        g->refusal = "the safe is locked";
        return OCT_ACT_REFUSED;
    }
    if (g->tick < g->def.wakes_at) {
        g->refusal = "not yet";
        return g->def.wakes_at % 2 ? OCT_ACT_REFUSED : OCT_ACT_NOT_NOW;
    }
    g->presses++;
    g->opens = !g->def.latches && g->opens != (action->button == 0 && !g->def.is_broken);
    return OCT_ACT_DONE;
}

static oct_result act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    state *const g = self;
    (void)who;
    g->refusal = "";
    *came = OCT_ACT_DONE;
    if (action->verb == OCT_VERB_MOVE) {
        g->action = *action;
        g->left = action->ticks;
    } else if (action->verb == OCT_VERB_WAIT) {
        g->left = 0;
    } else if (action->verb == OCT_VERB_USE) {
        *came = use(g, action);
    } else if (action->verb != OCT_VERB_KEEP) {
        *came = OCT_ACT_REFUSED;
        g->refusal = "it cannot do that";
    }
    return is_dead(g) ? OCT_ERROR_LINK : OCT_OK;
}

// ---- life ----

static void destroy(void *self)
{
    free(self);
}

static const oct_game_info *describe(const void *self)
{
    return &((const state *)self)->info;
}

static const oct_player_body *body(const void *self, uint32_t who)
{
    (void)who;
    return &((const state *)self)->body;
}

static const char *refusal(const void *self)
{
    return ((const state *)self)->refusal;
}

static uint64_t tick(const void *self)
{
    return ((const state *)self)->tick;
}

static uint64_t hash(const void *self)
{
    const state *const g = self;
    return g->tick * 1000003u + g->presses * 101u + g->opened;
}

static const char *trouble(const void *self)
{
    return is_dead(self) ? "the game has gone; the last line was {\"do\":\"step\"}" : "";
}

static void begin(state *g)
{
    g->centre = (oct_point){1.5, 3.0, 1.2};
    g->velocity = (oct_point){0, 0, 0};
    g->frame = oct_motion_frame((oct_point){1, 0, 0}, (oct_point){0, 0, 1});
    g->left = 0;
    g->tick = g->bumps = g->told = 0;
    g->opens = g->def.is_open;
    g->opened = g->def.is_open ? MOCK_SLIDE : 0;
    g->presses = 0;
    g->health = 1.0;
    g->over = OCT_OVER_NOT;
    g->refusal = "";
    for (size_t i = 0; i < g->def.event_count; i++) {
        g->over = g->def.events[i].tick == 0 ? g->def.events[i].over : g->over;
    }
}

static oct_result reset(void *self, const oct_game_start *start)
{
    state *const g = self;
    if (start->level && strcmp(start->level, "two rooms") != 0) {
        return OCT_ERROR_RANGE;
    }
    begin(g);
    *(g->resets ? g->resets : &g->presses) += 1;
    g->presses = 0;
    return OCT_OK;
}

static const oct_game_ops all_ops = {.destroy = destroy,
                                     .describe = describe,
                                     .body = body,
                                     .observe = observe,
                                     .self = feel,
                                     .scenery = scenery,
                                     .act = act,
                                     .refusal = refusal,
                                     .step = step,
                                     .tick = tick,
                                     .hash = hash,
                                     .reset = reset,
                                     .trouble = trouble};
// What must be there, and a body that flies.
static const oct_game_ops bare_ops = {.destroy = destroy,
                                      .describe = describe,
                                      .body = body,
                                      .observe = observe,
                                      .self = feel,
                                      .act = act,
                                      .step = step,
                                      .tick = tick};
static const oct_game_ops walking_ops = {.destroy = destroy,
                                         .describe = describe,
                                         .observe = observe,
                                         .self = feel,
                                         .act = act,
                                         .step = step,
                                         .tick = tick};

static void write_description(state *g)
{
    static const char *const verbs[] = {"move", "use"};
    g->info = oct_game_info_default();
    g->info.game = "mock";
    g->info.level = "two rooms";
    g->info.rate = MOCK_RATE;
    g->info.fov = g->def.fov;
    g->info.left_handed = g->def.left_handed;
    g->info.settle = MOCK_SETTLE;
    g->info.has_settle = true;
    g->info.slide = MOCK_SLIDE;
    g->info.repeats = g->info.can_reset = g->game.ops->reset != NULL;
    g->info.has_bounds = true;
    g->info.bounds = (oct_bounds){{-0.4, -0.4, -0.4}, {12.4, 6.4, 3.4}};
    g->body = oct_player_body_default();
    g->body.shape = OCT_BODY_BALL;
    g->body.height = g->body.width = 2.0 * RADIUS;
    g->body.tumbles = true;
    g->body.eye = RADIUS + EYE;
    g->body.gait = OCT_GAIT_FLY;
    g->body.speed = 3.0;
    g->body.acceleration = g->body.brake = 8.0;
    g->body.brakes_axes = true;
    g->body.turn = 3.0;
    g->body.reach = g->def.reach > 0.0 ? g->def.reach : 1.5;
    g->body.verbs = verbs;
    g->body.verb_count = 2;
}

oct_game *mock_game(const mock_def *def)
{
    state *const g = calloc(1, sizeof *g);
    if (!g) {
        return NULL;
    }
    g->game.ops = def->walks ? &walking_ops : def->is_bare ? &bare_ops : &all_ops;
    g->def = *def;
    g->def.is_bare = def->is_bare || def->walks;
    write_description(g);
    begin(g);
    return &g->game;
}

void mock_put(oct_game *game, oct_point centre)
{
    ((state *)game)->centre = centre;
}

static oct_result open_mock(void *ctx, const oct_game_start *start, uint32_t life,
                            const oct_allocator *allocator, oct_game **out, oct_error *error)
{
    mock_source *const s = ctx;
    (void)allocator;
    (void)error;
    s->start = *start;
    if (life > 0 && !s->def.is_bare) {
        return OCT_ERROR_UNSUPPORTED; // it is begun anew
    }
    *out = mock_game(&s->def);
    if (*out) {
        ((state *)*out)->resets = &s->resets;
        s->opened++;
    }
    return *out ? OCT_OK : OCT_ERROR_MEMORY;
}

oct_game_source mock_source_of(mock_source *source)
{
    return (oct_game_source){.ctx = source, .rate = MOCK_RATE, .open = open_mock};
}
