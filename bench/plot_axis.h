// SPDX-License-Identifier: MIT
// Axes of plots: which range they show, and where their ticks are.
#ifndef OCTANT_BENCH_PLOT_AXIS_H
#define OCTANT_BENCH_PLOT_AXIS_H

#include "bench/plot.h"

#define PLOT_TICKS_MAX 48

// A tick; without a label it is a thin line only. The label may have an exponent.
typedef struct plot_tick {
    double at; // as oct_plot_scaled gives it
    char label[48];
    char exponent[8];
} plot_tick;

typedef struct plot_range {
    oct_plot_scale scale;
    double lo, hi; // as oct_plot_scaled gives them; lo < hi
    plot_tick ticks[PLOT_TICKS_MAX];
    int tick_count;
} plot_range;

// Whether a value can be shown.
bool oct_plot_has(oct_plot_scale scale, double value);

// Where a value is along its axis: itself, or its logarithm.
double oct_plot_scaled(oct_plot_scale scale, double value);

// A range with its ticks that shows all values from `least` to `largest`, scaled; least > largest
// where there are none.
plot_range oct_plot_range(oct_plot_scale scale, double least, double largest);

#endif
