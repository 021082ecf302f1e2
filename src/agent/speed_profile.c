// SPDX-License-Identifier: MIT
#include "agent/speed_profile.h"

#include "geom/geom_internal.h"

#include <math.h>

// What a metre a second too much before a bend costs, seconds.
#define TOO_FAST 10.0
// Points nearer to each other than this are the same, and points nearer than that to the line of a
// leg are on it, metres.
#define SAME 1e-9
#define STRAIGHT 1e-6

static oct_point ahead(oct_point from, oct_point along, double by)
{
    return (oct_point){from.x + by * along.x, from.y + by * along.y, from.z + by * along.z};
}

double oct_speed_profile_sprint(double distance, double from, double to, double acceleration,
                                double speed)
{
    const double from2 = from * from;
    // What it cannot reach in time it need not.
    const double reached2 = from2 + 2.0 * acceleration * distance;
    to = to * to < reached2 ? to : sqrt(reached2);
    const double to2 = to * to;
    // The highest speed on the way: accelerating up to it, braking down from it.
    double peak2 = acceleration * distance + (from2 + to2) / 2.0;
    peak2 = peak2 > from2 ? peak2 : from2;
    if (peak2 <= speed * speed) {
        return (2.0 * sqrt(peak2) - from - to) / acceleration;
    }
    const double ramps = (2.0 * speed * speed - from2 - to2) / (2.0 * acceleration);
    const double cruise = distance > ramps ? distance - ramps : 0.0;
    return (2.0 * speed - from - to) / acceleration + cruise / speed;
}

// A body that brakes at a bend goes on straight for v^2 / 2a: its distance from the next leg is
// that times the sine of the bend, or all of it where it turns back.
static double bend_speed(oct_point before, oct_point after, double acceleration, double speed,
                         double stray)
{
    const double cosine = point_dot(before, after);
    const double sine2 = 1.0 - cosine * cosine;
    const double sine = cosine > 0.0 ? sqrt(sine2 > 0.0 ? sine2 : 0.0) : 1.0;
    const double square = 2.0 * acceleration * stray;
    return square < speed * speed * sine ? sqrt(square / sine) : speed;
}

static void make_speeds(speed_profile *w, double stray)
{
    double next = 0.0, rest = 0.0;
    for (uint32_t i = w->count; i-- > 0;) {
        leg *const l = &w->legs[i];
        const double bend = i + 1 < w->count ? bend_speed(l->along, w->legs[i + 1].along,
                                                          w->acceleration, w->speed, stray)
                                             : 0.0;
        // What is too fast to brake for the bend after the next leg is too fast here.
        const double later = i + 1 < w->count
                                 ? sqrt(next * next + 2.0 * w->acceleration * w->legs[i + 1].length)
                                 : 0.0;
        l->pass = bend < later ? bend : later;
        rest += i + 1 < w->count ? oct_speed_profile_sprint(w->legs[i + 1].length, l->pass, next,
                                                            w->acceleration, w->speed)
                                 : 0.0;
        l->rest = rest;
        next = l->pass;
    }
}

static leg leg_of(oct_point from, oct_point to)
{
    const oct_point by = point_sub(to, from);
    const double length = point_length(by);
    return (leg){.from = from,
                 .to = to,
                 .along = {by.x / length, by.y / length, by.z / length},
                 .length = length};
}

// Whether a point goes on where a leg leads: `first` is how the leg began, so that many small bends
// do not add up.
static bool goes_on(const leg *l, oct_point first, oct_point to)
{
    const oct_point by = point_sub(to, l->from);
    const double done = point_dot(by, first);
    return done > l->length && point_length(point_sub(by, point_scale(first, done))) <= STRAIGHT;
}

void oct_speed_profile_make(speed_profile *w, const oct_point *points, size_t count, double stray)
{
    oct_point first = {0, 0, 0}, last = points[0];
    w->count = 0;
    for (size_t i = 1; i < count; i++) {
        if (point_length(point_sub(points[i], last)) <= SAME) {
            continue;
        }
        leg *const l = &w->legs[w->count];
        // The first leg may lead out of something, and the rest not.
        if (w->count > 1 && goes_on(l - 1, first, points[i])) {
            l[-1] = leg_of(l[-1].from, points[i]);
        } else {
            *l = leg_of(last, points[i]);
            first = l->along;
            w->count++;
        }
        last = points[i];
    }
    make_speeds(w, stray);
}

profile_place oct_speed_profile_place(const speed_profile *w, uint32_t first, uint32_t most,
                                      oct_point at)
{
    profile_place best = {.leg = first, .distance = HUGE_VAL};
    for (uint32_t i = first; i < w->count && i - first < most; i++) {
        const leg *const l = &w->legs[i];
        double done = point_dot(point_sub(at, l->from), l->along);
        done = done < 0.0 ? 0.0 : done > l->length ? l->length : done;
        const oct_point near = ahead(l->from, l->along, done);
        const oct_point off = point_sub(at, near);
        const double distance = point_length(off);
        // Bends are on two legs, up to rounding.
        if (distance <= best.distance + 1e-9) {
            best = (profile_place){i, done, distance, near};
        }
    }
    return best;
}

// From a speed at which the end of a leg can be reached as it should, to the end of the way. Where
// a leg is too short to be left as fast as it may, the next one begins more slowly.
static double time_from(const speed_profile *w, uint32_t at, double left, double speed)
{
    double time = 0.0;
    for (;;) {
        const leg *const l = &w->legs[at];
        const double square = speed * speed + 2.0 * w->acceleration * left;
        time += oct_speed_profile_sprint(left, speed, l->pass, w->acceleration, w->speed);
        if (square >= l->pass * l->pass || at + 1 == w->count) {
            return time + l->rest;
        }
        speed = sqrt(square);
        left = w->legs[++at].length;
    }
}

double oct_speed_profile_time(const speed_profile *w, const profile_place *place,
                              oct_point velocity)
{
    const leg *const l = &w->legs[place->leg];
    const double a = w->acceleration;
    const double left = l->length - place->done;
    const double forward = point_dot(velocity, l->along);
    const oct_point side = point_sub(velocity, ahead((oct_point){0, 0, 0}, l->along, forward));
    double time = point_length(side) / a;
    if (forward < 0.0) { // it has to stop and come back first
        return time - forward / a +
               time_from(w, place->leg, left + forward * forward / (2.0 * a), 0.0);
    }
    const double most = sqrt(l->pass * l->pass + 2.0 * a * left);
    if (forward > most) {
        time += (forward - most) * TOO_FAST;
    }
    return time + time_from(w, place->leg, left, forward < most ? forward : most);
}
