// SPDX-License-Identifier: MIT
// The angle between two directions, the same bits everywhere.
//
// It is the arctangent of |a x b| over a . b. Where directions nearly coincide the cross product is
// a difference of nearly equal products, which are therefore taken in twice the precision. The
// arctangent turns back by the nearest angle whose tangent is a multiple of 1/8; what remains is at
// most 1/16 in size, where a short Taylor series will do.
#include "geom/geom_internal.h"

#include <math.h>

// atan(k / 8), each as a double and what it lacks.
static const double eighths[9][2] = {
    {0.0, 0.0},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};
static const double half_pi[2] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// t - t^3/3 + t^5/5 - ..., up to t^13; less t itself.
static double series(double t)
{
    const double z = t * t;
    double sum = 1.0 / 13.0;
    sum = sum * z - 1.0 / 11.0;
    sum = sum * z + 1.0 / 9.0;
    sum = sum * z - 1.0 / 7.0;
    sum = sum * z + 1.0 / 5.0;
    sum = sum * z - 1.0 / 3.0;
    return t * z * sum;
}

// The angle whose sine and cosine are as y to x; y >= 0 and not both 0.
static double arctangent(double y, double x)
{
    const bool steep = y > fabs(x);
    const double low = steep ? fabs(x) : y, high = steep ? y : fabs(x);
    const double k = floor(8.0 * (low / high) + 0.5);
    // tan(u - v) = (tan u - tan v) / (1 + tan u tan v). The difference counts to the last bit.
    double lost;
    const double part = multiply_exactly(k, high, &lost);
    const double t = ((8.0 * low - part) - lost) / (8.0 * high + k * low);
    const double *turn = eighths[(int)k];
    // Whole quarters, then the angle is added to them or taken away.
    const double quarters = steep ? 1.0 : x < 0 ? 2.0 : 0.0;
    const double sign = steep == (x < 0) ? 1.0 : -1.0;
    double rest[2];
    const double base = add_exactly(quarters * half_pi[0], sign * turn[0], &rest[0]);
    const double near = add_exactly(base, sign * t, &rest[1]);
    return near + (rest[0] + rest[1] + (quarters * half_pi[1] + sign * (turn[1] + series(t))));
}

static bool is_finite(oct_point v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static double largest(oct_point v)
{
    const double xy = fabs(v.x) > fabs(v.y) ? fabs(v.x) : fabs(v.y);
    return xy > fabs(v.z) ? xy : fabs(v.z);
}

// Multiplies a vector by powers of two, which loses nothing, until squares of it are at home among
// the doubles; returns by what in all.
static double bring_near(oct_point *v)
{
    double factor = 1.0;
    for (double size = largest(*v); size != 0.0 && !(size > 0x1p-100 && size < 0x1p100);) {
        const double step = size > 1.0 ? 0x1p-100 : 0x1p100;
        *v = (oct_point){v->x * step, v->y * step, v->z * step};
        factor *= step;
        size *= step;
    }
    return factor;
}

static oct_point cross_closely(oct_point a, oct_point b)
{
    return (oct_point){point_dot_closely((oct_point){a.y, -a.z, 0.0}, (oct_point){b.z, b.y, 0.0}),
                       point_dot_closely((oct_point){a.z, -a.x, 0.0}, (oct_point){b.x, b.z, 0.0}),
                       point_dot_closely((oct_point){a.x, -a.y, 0.0}, (oct_point){b.y, b.x, 0.0})};
}

double oct_angle_between(oct_point a, oct_point b)
{
    if (!is_finite(a) || !is_finite(b)) {
        return (double)NAN;
    }
    if (largest(a) == 0.0 || largest(b) == 0.0) {
        return 0.0;
    }
    bring_near(&a);
    bring_near(&b);
    oct_point cross = cross_closely(a, b);
    const double factor = bring_near(&cross);
    const double sine = sqrt(cross.x * cross.x + cross.y * cross.y + cross.z * cross.z) / factor;
    return arctangent(sine, point_dot_closely(a, b));
}
