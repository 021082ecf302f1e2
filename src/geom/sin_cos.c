// SPDX-License-Identifier: MIT
// Sine and cosine with additions and multiplications alone, hence the same bits everywhere.
//
// The angle less the nearest multiple n of pi/2 is at most pi/4 in size, and there the Taylor
// series converge so fast that rounding decides the error, not where they are cut off. What matters
// is that the difference is right even where it nearly cancels. So pi/2 comes in parts of 33 bits,
// as W. J. Cody and W. Waite do ("Software Manual for the Elementary Functions", 1980): n has at
// most 20 bits for angles up to 2^20, so that n times a part is exact, and the parts go on until
// 2^-156.
#include "geom/geom_internal.h"

#include <math.h>

#define ANGLE_MAX 0x1p20
// Below this x^2 is lost beside 1: sin x = x and cos x = 1 to the last bit.
#define ANGLE_TINY 0x1p-27

static const double two_over_pi = 0x1.45f306dc9c883p-1;
// pi/2 from the top down: three parts of at most 33 bits, and the rest rounded to a double.
static const double half_pi[4] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69,
                                  0x1.b839a252049c1p-104};

// An angle as the sum of two doubles, the second below the rounding error of the first.
typedef struct sharp_angle {
    double high, low;
} sharp_angle;

// a - b = difference + *error exactly, whichever is larger (D. E. Knuth).
static double subtract_exactly(double a, double b, double *error)
{
    const double difference = a - b;
    const double b_part = a - difference;
    *error = (a - (difference + b_part)) + (b_part - b);
    return difference;
}

// angle - n pi/2, for n the nearest integer. The first difference is exact since its terms are
// close; the others keep what they lose.
static sharp_angle reduce(double angle, double n)
{
    double lost[2];
    const double first = angle - n * half_pi[0];
    const double second = subtract_exactly(first, n * half_pi[1], &lost[0]);
    const double third = subtract_exactly(second, n * half_pi[2], &lost[1]);
    const double rest = lost[0] + lost[1] - n * half_pi[3];
    const double high = third + rest;
    return (sharp_angle){high, third - high + rest};
}

// x - x^3/3! + x^5/5! - ..., up to x^17; 17! is exact in double. The low part counts by its slope.
static double sine_near_zero(sharp_angle x)
{
    const double z = x.high * x.high;
    double sum = 1.0 / 355687428096000.0;
    sum = sum * z - 1.0 / 1307674368000.0;
    sum = sum * z + 1.0 / 6227020800.0;
    sum = sum * z - 1.0 / 39916800.0;
    sum = sum * z + 1.0 / 362880.0;
    sum = sum * z - 1.0 / 5040.0;
    sum = sum * z + 1.0 / 120.0;
    sum = sum * z - 1.0 / 6.0;
    return x.high + (x.high * z * sum + x.low * (1.0 - 0.5 * z));
}

// 1 - x^2/2! + x^4/4! - ..., up to x^16. 1 - x^2/2 is rounded first and the loss added at the end.
static double cosine_near_zero(sharp_angle x)
{
    const double z = x.high * x.high;
    double sum = 1.0 / 20922789888000.0;
    sum = sum * z - 1.0 / 87178291200.0;
    sum = sum * z + 1.0 / 479001600.0;
    sum = sum * z - 1.0 / 3628800.0;
    sum = sum * z + 1.0 / 40320.0;
    sum = sum * z - 1.0 / 720.0;
    sum = sum * z + 1.0 / 24.0;
    const double head = 1.0 - 0.5 * z;
    return head + ((1.0 - head - 0.5 * z) + (z * z * sum - x.high * x.low));
}

void oct_sin_cos(double angle, double *sine, double *cosine)
{
    const double size = fabs(angle);
    if (!(size <= ANGLE_MAX)) {
        *sine = (double)NAN;
        *cosine = (double)NAN;
        return;
    }
    if (size < ANGLE_TINY) {
        *sine = angle;
        *cosine = 1.0;
        return;
    }
    const double n = floor(size * two_over_pi + 0.5);
    const sharp_angle x = reduce(size, n);
    const uint32_t quarter = (uint32_t)n & 3u;
    const double s = sine_near_zero(x);
    const double c = cosine_near_zero(x);
    const double up = quarter & 1u ? c : s;
    const double right = quarter & 1u ? s : c;
    const bool sine_falls = (quarter >= 2) != (angle < 0);
    *sine = sine_falls ? -up : up;
    *cosine = quarter == 1 || quarter == 2 ? -right : right;
}
