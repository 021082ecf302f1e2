// SPDX-License-Identifier: MIT
// What the things of the lab world fill. Sizes are those of the game's own objects, turned by
// quarters around the middle of their cell; a door's panel also swings around its hinge.
#include "game/recruits_internal.h"

typedef struct shape {
    double x, y, z; // middle, from the cell's
    double size_x, size_y, size_z;
} shape;

static const shape shapes[OCT_RECRUITS_KIND_COUNT] = {
    [OCT_RECRUITS_BUTTON] = {0.0, 0.08, 0.0, 1.0, 0.3, 1.0},
    [OCT_RECRUITS_COLOUR_BUTTON] = {0.0, 0.08, 0.0, 1.0, 0.3, 1.0},
    [OCT_RECRUITS_DOOR] = {-0.45, 1.0, 0.0, 0.3, 2.0, 1.5},
    [OCT_RECRUITS_SCREEN] = {0.0, 0.9, 0.0, 2.2, 2.2, 0.4},
    [OCT_RECRUITS_FLAG] = {0.0, 0.618, 0.0, 0.371, 1.237, 0.371},
    [OCT_RECRUITS_FIRE] = {0.0, 0.375, 0.0, 0.5, 0.5, 0.5},
    [OCT_RECRUITS_ENEMY] = {0.0, 0.0, 0.0, 1.0, 1.0, 1.0},
    [OCT_RECRUITS_NPC] = {0.0, 0.0, 0.0, 1.0, 1.0, 1.0},
    [OCT_RECRUITS_CHAIR] = {0.11, 0.70, 0.0, 0.90, 1.39, 0.89},
    [OCT_RECRUITS_TABLE] = {0.0, 0.46, 0.0, 0.94, 0.94, 0.94},
    [OCT_RECRUITS_DESK] = {0.02, 0.81, -0.5, 0.82, 1.53, 1.77},
    [OCT_RECRUITS_FUSE_BOX] = {0.0, 0.5, 0.0, 0.5, 1.0, 0.5},
    [OCT_RECRUITS_BOOKCASE] = {0.0, 1.03, 0.42, 0.36, 2.07, 1.86},
};

// Where a door turns, from the middle of its cell.
#define HINGE_X (-0.4)
#define HINGE_Z 0.5
#define RIGHT_ANGLE 1.5707963267948966

static void turn_quarters(uint32_t turn, double *x, double *z)
{
    for (uint32_t i = 0; i < turn; i++) {
        const double old = *x;
        *x = *z;
        *z = -old;
    }
}

oct_bounds oct_recruits_collider(uint32_t kind, uint32_t turn, oct_point origin)
{
    const shape *const s = &shapes[kind];
    double x = s->x, z = s->z, half_x = s->size_x / 2.0, half_z = s->size_z / 2.0;
    turn_quarters(turn, &x, &z);
    turn_quarters(turn, &half_x, &half_z);
    half_x = fabs(half_x);
    half_z = fabs(half_z);
    const double y = origin.y + s->y, half_y = s->size_y / 2.0;
    return (oct_bounds){{origin.x + x - half_x, y - half_y, origin.z + z - half_z},
                        {origin.x + x + half_x, y + half_y, origin.z + z + half_z}};
}

// Sine and cosine of how far a door has swung: exact at both ends.
static void swing_of(const recruits_thing *t, double *sine, double *cosine)
{
    if (t->swing == 0 || t->swing == SWING_TICKS) {
        *sine = t->swing ? 1.0 : 0.0;
        *cosine = t->swing ? 0.0 : 1.0;
        return;
    }
    oct_sin_cos(RIGHT_ANGLE * t->swing / SWING_TICKS, sine, cosine);
}

static turned_box door_box(const recruits_thing *t)
{
    const shape *const s = &shapes[OCT_RECRUITS_DOOR];
    double sine, cosine;
    swing_of(t, &sine, &cosine);
    // From the hinge: (x, z) goes to (-z, x) on the whole way.
    const double from_x = s->x - HINGE_X, from_z = s->z - HINGE_Z;
    double x = HINGE_X + from_x * cosine - from_z * sine;
    double z = HINGE_Z + from_x * sine + from_z * cosine;
    turn_quarters(t->turn, &x, &z);
    turn_quarters(t->turn, &cosine, &sine);
    return (turned_box){.x = t->origin.x + x,
                        .z = t->origin.z + z,
                        .half_x = s->size_x / 2.0,
                        .half_z = s->size_z / 2.0,
                        .cosine = cosine,
                        .sine = sine,
                        .bottom = t->box.min.y,
                        .top = t->box.max.y};
}

turned_box oct_recruits_box_of(const recruits_thing *t)
{
    if (t->kind == OCT_RECRUITS_DOOR) {
        return door_box(t);
    }
    return (turned_box){.x = (t->box.min.x + t->box.max.x) / 2.0,
                        .z = (t->box.min.z + t->box.max.z) / 2.0,
                        .half_x = (t->box.max.x - t->box.min.x) / 2.0,
                        .half_z = (t->box.max.z - t->box.min.z) / 2.0,
                        .cosine = 1.0,
                        .bottom = t->box.min.y,
                        .top = t->box.max.y};
}

oct_point oct_recruits_signed_size(const recruits_thing *t)
{
    const shape *const s = &shapes[t->kind];
    double x = s->size_x, z = s->size_z;
    if (t->kind == OCT_RECRUITS_DOOR) {
        double sine, cosine;
        swing_of(t, &sine, &cosine);
        x = s->size_x * cosine - s->size_z * sine;
        z = s->size_x * sine + s->size_z * cosine;
    }
    turn_quarters(t->turn, &x, &z);
    return (oct_point){x, s->size_y, z};
}

oct_bounds oct_recruits_bounds_of(const recruits_thing *t)
{
    if (t->kind != OCT_RECRUITS_DOOR || t->swing == 0) {
        return t->box;
    }
    const turned_box b = door_box(t);
    const double x = fabs(b.cosine) * b.half_x + fabs(b.sine) * b.half_z;
    const double z = fabs(b.sine) * b.half_x + fabs(b.cosine) * b.half_z;
    return (oct_bounds){{b.x - x, b.bottom, b.z - z}, {b.x + x, b.top, b.z + z}};
}
