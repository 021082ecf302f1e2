// SPDX-License-Identifier: MIT
// The lab world as the game interface tells it: what is around an agent, itself, and what never
// moves. Of the scenery floors are thin slabs below what one stands on.
#include "game/recruits_internal.h"

#include <stdlib.h>

#define SLAB 0.05 // thickness of a floor, metres
#define HAIR 1e-9 // metres

// ---- oneself ----

void oct_recruits_agent_self(recruits_agent *a, uint64_t id, uint64_t tick, oct_self *out)
{
    const oct_point forward = {a->yaw_x, 0.0, a->yaw_z};
    a->props[AGENT_SCORE] =
        (oct_property){.name = "score", .kind = OCT_VALUE_NUMBER, .number = a->score};
    a->props[AGENT_MOOD] = (oct_property){.name = "mood", .kind = OCT_VALUE_TEXT, .text = a->mood};
    *out = (oct_self){.tick = tick,
                      .id = id,
                      .pose = {a->feet, forward, {0.0, 1.0, 0.0}},
                      .centre = {a->feet.x, a->feet.y + OCT_RECRUITS_HEIGHT / 2.0, a->feet.z},
                      .eye = oct_recruits_eye(a),
                      .look = forward,
                      .velocity = a->velocity,
                      .health = a->health / 100.0,
                      .stands = a->stands,
                      .ticks = a->ticks,
                      .bumps = a->bumps,
                      .props = a->props,
                      .prop_count = AGENT_PROPS};
}

void oct_recruits_self(recruits_world *g, uint32_t who, oct_self *out)
{
    oct_recruits_agent_self(agent_at(g, who), agent_number(who), g->tick, out);
}

// ---- what is around ----

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// What a thing may fill as seen by an agent: its shape now, and what a door shuts.
static double distance_of(const recruits_thing *t, oct_point eye)
{
    const oct_bounds box = oct_recruits_bounds_of(t);
    const double now = oct_recruits_distance(eye, &box);
    const double shut = oct_recruits_distance(eye, &t->box);
    return shut < now ? shut : now;
}

static void find_thing(recruits_world *g, uint32_t thing, oct_point eye)
{
    recruits_thing *const t = thing_at(g, thing);
    if (t->stamp != g->stamp && distance_of(t, eye) <= g->def.view + HAIR) {
        t->stamp = g->stamp;
        ((uint32_t *)g->found.items)[g->found.count++] = thing;
    }
}

void oct_recruits_find_things(recruits_world *g, oct_point eye)
{
    const double reach = g->def.view + HAIR;
    const int32_t high_x = column_high(eye.x + reach, g->width);
    const int32_t high_z = column_high(eye.z + reach, g->depth);
    g->found.count = 0;
    if (++g->stamp == 0) {
        g->stamp = 1;
    }
    for (int32_t z = column_low(eye.z - reach); z <= high_z; z++) {
        for (int32_t x = column_low(eye.x - reach); x <= high_x; x++) {
            const size_t column = (size_t)z * g->width + (size_t)x;
            for (uint32_t k = g->near.first[column]; k < g->near.first[column + 1]; k++) {
                find_thing(g, g->near.items[k], eye);
            }
        }
    }
    for (uint32_t i = 0; i < g->actors.count; i++) {
        find_thing(g, actor_at(g, i)->thing, eye);
    }
    qsort(g->found.items, g->found.count, sizeof(uint32_t), compare_numbers);
}

// ---- how it looks ----

static oct_entity_kind kind_of(const recruits_thing *t)
{
    switch (t->kind) {
    case OCT_RECRUITS_BUTTON:
    case OCT_RECRUITS_COLOUR_BUTTON:
        return OCT_ENTITY_BUTTON;
    case OCT_RECRUITS_DOOR:
        return OCT_ENTITY_DOOR;
    case OCT_RECRUITS_FIRE:
        return OCT_ENTITY_HAZARD;
    case OCT_RECRUITS_FLAG:
        return OCT_ENTITY_GOAL;
    case OCT_RECRUITS_ENEMY:
    case OCT_RECRUITS_NPC:
        return OCT_ENTITY_ACTOR;
    default:
        return OCT_ENTITY_SOLID;
    }
}

static oct_property bool_of(const char *name, bool is)
{
    return (oct_property){.name = name, .kind = OCT_VALUE_BOOL, .number = is ? 1.0 : 0.0};
}

static size_t set_props(recruits_thing *t)
{
    size_t count = 0;
    if (is_button(t)) {
        t->props[count++] = bool_of("isOn", t->is_on);
    } else if (t->kind == OCT_RECRUITS_DOOR) {
        t->props[count++] = bool_of("isOpen", t->is_on);
    }
    if (t->has_colour || t->kind == OCT_RECRUITS_SCREEN) {
        t->props[count++] =
            (oct_property){.name = "colour", .kind = OCT_VALUE_TEXT, .text = t->colour_text};
    }
    return count;
}

// A door's panel that stands between its ends is a turned box.
static void set_door(recruits_thing *t, oct_entity *e)
{
    e->opening = t->swing / (double)SWING_TICKS;
    e->has_gap = true;
    e->gap = t->box;
    e->meets = OCT_MEETS_PUSHES;
    if (t->swing == 0 || t->swing == SWING_TICKS) {
        return;
    }
    const turned_box b = oct_recruits_box_of(t);
    // A turn of its x axis to (cosine, sine) in x and z is one around -y by that angle.
    const double half_cosine = sqrt((1.0 + b.cosine) / 2.0);
    const double half_sine = sqrt((1.0 - b.cosine) / 2.0);
    t->piece = (oct_piece){.kind = OCT_PIECE_OBB,
                           .box = e->thing.box,
                           .centre = {b.x, (b.bottom + b.top) / 2.0, b.z},
                           .half = {b.half_x, (b.top - b.bottom) / 2.0, b.half_z},
                           .turn = {0.0, b.sine < 0.0 ? half_sine : -half_sine, 0.0, half_cosine}};
    e->shape = (oct_shape){&t->piece, 1};
}

void oct_recruits_entity(recruits_thing *t, uint64_t id, oct_entity *e)
{
    static const char *const press[] = {"press"};
    *e = (oct_entity){.kind = kind_of(t),
                      .name = t->id,
                      .type = oct_recruits_kind_name((oct_recruits_kind)t->kind),
                      .forward = {turn_x(t->turn), 0.0, turn_z(t->turn)},
                      .up = {0.0, 1.0, 0.0},
                      .harm = OCT_NOT_TOLD,
                      .props = t->props};
    e->thing.id = id;
    e->thing.box = oct_recruits_bounds_of(t);
    e->thing.opaque = is_solid(t);
    e->thing.tag = t->kind;
    e->prop_count = set_props(t);
    if (is_button(t)) {
        e->uses = press;
        e->use_count = 1;
    } else if (t->kind == OCT_RECRUITS_DOOR) {
        set_door(t, e);
    }
    e->thing.label = (uint8_t)oct_entity_label(e, is_solid(t));
}

static void describe_actors(const recruits_world *g, oct_entity *entities, size_t count)
{
    for (uint32_t i = 0; i < g->actors.count; i++) {
        const uint64_t id = thing_number(g, actor_at(g, i)->thing);
        for (size_t k = 0; k < count; k++) {
            if (entities[k].thing.id == id) {
                entities[k].velocity = actor_at(g, i)->velocity;
            }
        }
    }
}

oct_entity oct_recruits_agent_entity(const recruits_agent *a, uint64_t id)
{
    const double r = OCT_RECRUITS_RADIUS;
    return (oct_entity){
        .thing = {.id = id,
                  .box = {{a->feet.x - r, a->feet.y, a->feet.z - r},
                          {a->feet.x + r, a->feet.y + OCT_RECRUITS_HEIGHT, a->feet.z + r}},
                  .label = OCT_OPEN,
                  .tag = UINT16_MAX},
        .name = a->id,
        .type = "agent",
        .kind = OCT_ENTITY_PLAYER,
        .forward = {a->yaw_x, 0.0, a->yaw_z},
        .up = {0.0, 1.0, 0.0},
        .velocity = a->velocity,
        .harm = OCT_NOT_TOLD};
}

static void tell_events(recruits_world *g, uint32_t who, oct_observation *out)
{
    recruits_agent *const a = agent_at(g, who);
    oct_event *const told = g->told.items;
    for (uint32_t i = 0; i < a->event_count; i++) {
        const recruits_event *const e = &a->events[(a->event_start + i) % EVENTS_MAX];
        told[i] = e->event;
        told[i].text = e->text;
    }
    out->events = told;
    out->event_count = a->event_count;
    a->event_count = 0;
}

oct_result oct_recruits_observe(recruits_world *g, uint32_t who, oct_observation *out)
{
    const oct_point eye = oct_recruits_eye(agent_at(g, who));
    oct_entity *const entities = g->entities.items;
    size_t count = 0;
    for (uint32_t i = 0; i < g->agents.count; i++) {
        entities[count] = oct_recruits_agent_entity(agent_at(g, i), agent_number(i));
        const bool is_near =
            oct_recruits_distance(eye, &entities[count].thing.box) <= g->def.view + HAIR;
        count += i != who && is_near;
    }
    oct_recruits_find_things(g, eye);
    const uint32_t *const found = g->found.items;
    for (size_t i = 0; i < g->found.count; i++) {
        oct_recruits_entity(thing_at(g, found[i]), thing_number(g, found[i]), &entities[count++]);
    }
    describe_actors(g, entities, count);
    *out = (oct_observation){
        .entities = entities, .count = count, .over = oct_recruits_over(g), .scene = 0};
    oct_recruits_self(g, who, &out->self);
    tell_events(g, who, out);
    return OCT_OK;
}

// ---- scenery ----

static oct_result add_part(recruits_world *g, oct_piece piece)
{
    const uint64_t id = g->agents.count + g->things.count + g->scenery.count + 1;
    const oct_scenery_part part = {.id = id, .name = "", .solid = true, .opaque = true};
    OCT_TRY(oct_array_push(&g->pieces, &g->allocator, sizeof piece, &piece));
    return oct_array_push(&g->scenery, &g->allocator, sizeof part, &part);
}

// Takes the cells of a sheet that have a flag, row by row, and as many rows as are alike.
static oct_result add_boxes(recruits_world *g, uint8_t *left, uint8_t flag, int32_t y,
                            double bottom, double top)
{
    for (uint32_t z = 0; z < g->depth; z++) {
        for (uint32_t x = 0; x < g->width; x++) {
            uint32_t end_x = x, end_z = z;
            while (end_x < g->width && (left[z * g->width + end_x] & flag)) {
                end_x++;
            }
            for (bool goes_on = end_x > x; goes_on;) {
                for (uint32_t k = x; k < end_x; k++) {
                    left[end_z * g->width + k] &= (uint8_t)~flag;
                }
                end_z++;
                goes_on = end_z < g->depth;
                for (uint32_t k = x; goes_on && k < end_x; k++) {
                    goes_on = (left[end_z * g->width + k] & flag) != 0;
                }
            }
            const oct_bounds box = {{x - 0.5, y + bottom, z - 0.5},
                                    {end_x - 0.5, y + top, end_z - 0.5}};
            if (end_x > x) {
                OCT_TRY(add_part(g, (oct_piece){.kind = OCT_PIECE_BOX, .box = box}));
            }
        }
    }
    return OCT_OK;
}

// A wedge: the corners of its square, and the two of its upper edge.
static oct_result add_ramp(recruits_world *g, uint32_t turn, uint32_t x, uint32_t y, uint32_t z)
{
    oct_point corners[6];
    uint32_t count = 0;
    for (int i = 0; i < 4; i++) {
        const double off_x = i & 1 ? 0.5 : -0.5, off_z = i & 2 ? 0.5 : -0.5;
        corners[count++] = (oct_point){x + off_x, y, z + off_z};
        if (ramp_height(turn, off_x, off_z) > 0.5) {
            corners[count++] = (oct_point){x + off_x, y + 1.0, z + off_z};
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        OCT_TRY(oct_array_push(&g->corners, &g->allocator, sizeof *corners, &corners[i]));
    }
    const oct_bounds box = {{x - 0.5, y, z - 0.5}, {x + 0.5, y + 1.0, z + 0.5}};
    return add_part(g, (oct_piece){.kind = OCT_PIECE_HULL, .box = box, .point_count = count});
}

static oct_result add_ramps(recruits_world *g, uint32_t y)
{
    for (uint32_t z = 0; z < g->depth; z++) {
        for (uint32_t x = 0; x < g->width; x++) {
            const uint8_t cell = cell_at(g, (int32_t)x, (int32_t)y, (int32_t)z);
            if (cell & CELL_RAMP) {
                OCT_TRY(add_ramp(g, cell >> CELL_TURN_SHIFT, x, y, z));
            }
        }
    }
    return OCT_OK;
}

// Pieces and points have found their places only now.
static void connect_pieces(recruits_world *g)
{
    oct_scenery_part *const parts = g->scenery.items;
    oct_piece *const pieces = g->pieces.items;
    const oct_point *corners = g->corners.items;
    for (size_t i = 0; i < g->scenery.count; i++) {
        if (pieces[i].kind == OCT_PIECE_HULL) {
            pieces[i].points = corners;
            corners += pieces[i].point_count;
        }
        parts[i].shape = (oct_shape){&pieces[i], 1};
    }
}

oct_result oct_recruits_make_scenery(recruits_world *g)
{
    if (g->columns == 0) {
        return OCT_OK;
    }
    uint8_t *const left = oct_alloc(&g->allocator, g->columns, 1);
    oct_result result = left ? OCT_OK : OCT_ERROR_MEMORY;
    for (uint32_t y = 0; y < g->sheets && result == OCT_OK; y++) {
        memcpy(left, &g->cells[(size_t)y * g->columns], g->columns);
        result = add_boxes(g, left, CELL_WALL, (int32_t)y, 0.0, 1.0);
        if (result == OCT_OK) {
            result = add_boxes(g, left, CELL_FLOOR, (int32_t)y, -SLAB, 0.0);
        }
        if (result == OCT_OK) {
            result = add_ramps(g, y);
        }
    }
    oct_free(&g->allocator, left, g->columns);
    connect_pieces(g);
    return result;
}
