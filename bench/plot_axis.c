// SPDX-License-Identifier: MIT
// Axes of plots.
//
// A tick is a whole number times a power of ten (or of two), and its label is printed from those
// two: so 0.3 is never 0.30000000000000004.
#include "bench/plot_axis.h"

#include <math.h>
#include <stdio.h>

#define VALUE_MAX 1e300
#define VALUE_MIN 1e-300 // on a logarithmic axis
#define LINEAR_STEPS 7   // about so many on a linear axis
#define DECADES_FINE 3   // up to so many decades have labels at 2 and 5 too
#define DECADES_LINES 6  // up to so many have lines there
#define LABELS_MAX 9     // on a logarithmic axis
// Labels of a linear axis are plain up to so many, and down to so many decimals.
#define PLAIN_BELOW 1e6
#define PLAIN_DECIMALS (-5)
#define SAME 1e-5 // values that differ by less, in proportion, are shown as equal
// What counts as on a tick when a range is rounded: a hundredth of a pixel is more.
#define TICK_SLACK 1e-9

#define LOG10_2 0.30102999566398119521
#define LOG10_5 0.69897000433601880479

// ---- numbers ----

// The C library's logarithm may differ in the last bit from one machine to the next. Here
// ln m = 2 atanh((m - 1) / (m + 1)), for m from sqrt(1/2) to sqrt(2).
static double log2_of(double value)
{
    int exponent;
    double m = frexp(value, &exponent);
    if (m < 0.70710678118654752440) {
        m *= 2.0;
        exponent--;
    }
    const double t = (m - 1.0) / (m + 1.0);
    double sum = 0.0;
    for (int i = 23; i >= 1; i -= 2) {
        sum = sum * (t * t) + 1.0 / i;
    }
    return exponent + 2.0 * t * sum * 1.44269504088896340736;
}

static double ten_to(int exponent)
{
    double power = 1.0;
    for (int i = 0; i < exponent; i++) {
        power *= 10.0;
    }
    for (int i = 0; i > exponent; i--) {
        power /= 10.0;
    }
    return power;
}

bool oct_plot_has(oct_plot_scale scale, double value)
{
    return fabs(value) <= VALUE_MAX && (scale == OCT_PLOT_LINEAR || value >= VALUE_MIN);
}

double oct_plot_scaled(oct_plot_scale scale, double value)
{
    return scale == OCT_PLOT_LINEAR  ? value
           : scale == OCT_PLOT_LOG10 ? log2_of(value) * LOG10_2
                                     : log2_of(value);
}

// ---- labels ----

// Writes digits x 10^exponent: plain, with all its decimals, or as 1.2e9.
static void print_decimal(int64_t digits, int exponent, bool is_plain, char *out, size_t size)
{
    const char *const sign = digits < 0 ? "-" : "";
    long long number = digits < 0 ? -digits : digits;
    char text[24];
    if (number == 0 && (!is_plain || exponent >= 0)) {
        snprintf(out, size, "0");
    } else if (is_plain && exponent >= 0) {
        snprintf(out, size, "%s%lld%.*s", sign, number, exponent, "000000");
    } else if (is_plain) {
        const long long one = (long long)ten_to(-exponent);
        snprintf(text, sizeof text, "%lld", one + number % one); // 1 and all the decimals
        snprintf(out, size, "%s%lld.%s", sign, number / one, text + 1);
    } else {
        for (; number % 10 == 0; number /= 10) {
            exponent++;
        }
        const int length = snprintf(text, sizeof text, "%lld", number);
        snprintf(out, size, "%s%c%s%se%d", sign, text[0], length > 1 ? "." : "", text + 1,
                 exponent + length - 1);
    }
}

// Adds a tick where the range has it; it is the caller's to label. There is always room for one
// more: the steps are chosen so.
static plot_tick *add_tick(plot_range *range, double at)
{
    if (at < range->lo - TICK_SLACK || at > range->hi + TICK_SLACK ||
        range->tick_count == PLOT_TICKS_MAX) {
        return NULL;
    }
    plot_tick *const tick = &range->ticks[range->tick_count++];
    *tick = (plot_tick){.at = at};
    return tick;
}

// ---- linear ----

static void linear_ticks(plot_range *range)
{
    const double room = (range->hi - range->lo) / LINEAR_STEPS;
    int exponent = (int)floor(oct_plot_scaled(OCT_PLOT_LOG10, room));
    const double times = room / ten_to(exponent);
    int digits = times <= 1.0 ? 1 : times <= 2.0 ? 2 : 5;
    if (times > 5.0) {
        digits = 1;
        exponent++;
    }
    const double step = digits * ten_to(exponent);
    const int64_t first = (int64_t)floor(range->lo / step + TICK_SLACK);
    const int64_t last = (int64_t)ceil(range->hi / step - TICK_SLACK);
    range->lo = (double)first * step;
    range->hi = (double)last * step;
    const bool is_plain =
        exponent >= PLAIN_DECIMALS && fmax(fabs(range->lo), fabs(range->hi)) < PLAIN_BELOW;
    for (int64_t i = first; i <= last && range->tick_count < PLOT_TICKS_MAX; i++) {
        plot_tick *const tick = &range->ticks[range->tick_count++];
        *tick = (plot_tick){.at = (double)i * step};
        print_decimal(i * digits, exponent, is_plain, tick->label, sizeof tick->label);
    }
}

static void linear_range(plot_range *range)
{
    const double size = fmax(fabs(range->lo), fabs(range->hi));
    if (range->lo >= 0.0 && range->lo * 2.0 <= range->hi) {
        range->lo = 0.0;
    }
    if (size < VALUE_MIN) {
        range->lo = 0.0;
        range->hi = 1.0;
    } else if (range->hi - range->lo < size * SAME) {
        range->lo -= size / 10.0;
        range->hi += size / 10.0;
    }
    linear_ticks(range);
}

// ---- logarithmic ----

// The largest of 1, 2, 5 times a power of ten that is not above, and the least that is not below.
static double fine_below(double at)
{
    const double decade = floor(at + TICK_SLACK), rest = at + TICK_SLACK - decade;
    return decade + (rest >= LOG10_5 ? LOG10_5 : rest >= LOG10_2 ? LOG10_2 : 0.0);
}

static double fine_above(double at)
{
    const double decade = floor(at - TICK_SLACK), rest = at - TICK_SLACK - decade;
    return decade + (rest <= LOG10_2 ? LOG10_2 : rest <= LOG10_5 ? LOG10_5 : 1.0);
}

static void decade_ticks(plot_range *range, bool is_fine)
{
    static const struct {
        int digits;
        double at;
    } parts[3] = {{1, 0.0}, {2, LOG10_2}, {5, LOG10_5}};
    const int first = (int)floor(range->lo), last = (int)ceil(range->hi);
    const int every = (last - first) / LABELS_MAX + 1;
    for (int decade = first; decade <= last; decade++) {
        for (int i = 0; i < (last - first <= DECADES_LINES ? 3 : 1); i++) {
            if ((decade - first) % every != 0) {
                continue;
            }
            plot_tick *const tick = add_tick(range, decade + parts[i].at);
            if (!tick || (i > 0 && !is_fine)) {
                continue;
            }
            if (i == 0 && (decade < -3 || decade > 5)) {
                snprintf(tick->label, sizeof tick->label, "10");
                snprintf(tick->exponent, sizeof tick->exponent, "%d", decade);
            } else {
                print_decimal(parts[i].digits, decade, decade >= -3 && decade <= 5, tick->label,
                              sizeof tick->label);
            }
        }
    }
}

static void decade_range(plot_range *range)
{
    if (range->hi - range->lo < LOG10_2) {
        range->lo -= LOG10_2 / 2.0;
        range->hi += LOG10_2 / 2.0;
    }
    const bool is_fine = range->hi - range->lo < DECADES_FINE;
    range->lo = is_fine ? fine_below(range->lo) : floor(range->lo + TICK_SLACK);
    range->hi = is_fine ? fine_above(range->hi) : ceil(range->hi - TICK_SLACK);
    decade_ticks(range, is_fine);
}

static void two_range(plot_range *range)
{
    range->lo = floor(range->lo + TICK_SLACK);
    range->hi = ceil(range->hi - TICK_SLACK);
    if (range->hi <= range->lo) {
        range->lo -= 1.0;
        range->hi += 1.0;
    }
    const int first = (int)range->lo, last = (int)range->hi;
    const int every = (last - first) / (LABELS_MAX + 1) + 1;
    for (int i = first; i <= last; i += every) {
        plot_tick *const tick = add_tick(range, i);
        if (i >= 0 && i <= 16) {
            snprintf(tick->label, sizeof tick->label, "%d", 1 << i);
        } else if (i < 0 && i >= -6) {
            snprintf(tick->label, sizeof tick->label, "1/%d", 1 << -i);
        } else {
            snprintf(tick->label, sizeof tick->label, "2");
            snprintf(tick->exponent, sizeof tick->exponent, "%d", i);
        }
    }
}

plot_range oct_plot_range(oct_plot_scale scale, double least, double largest)
{
    plot_range range = {.scale = scale, .lo = least, .hi = largest};
    if (least > largest) {
        range.lo = 0.0;
        range.hi = 1.0;
    }
    if (scale == OCT_PLOT_LINEAR) {
        linear_range(&range);
    } else if (scale == OCT_PLOT_LOG10) {
        decade_range(&range);
    } else {
        two_range(&range);
    }
    return range;
}
