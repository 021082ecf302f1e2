// SPDX-License-Identifier: MIT
// Line plots as SVG, for reports and the evaluation pages.
//
// The same plot gives the same bytes everywhere: coordinates are rounded to hundredths and printed
// as integers, and logarithms are our own.
#ifndef OCTANT_BENCH_PLOT_H
#define OCTANT_BENCH_PLOT_H

#include "base/base_internal.h"

#define OCT_PLOT_SERIES_MAX 12

typedef enum oct_plot_scale {
    OCT_PLOT_LINEAR,
    OCT_PLOT_LOG10, // decades
    OCT_PLOT_LOG2   // powers of two
} oct_plot_scale;

typedef struct oct_plot_axis {
    const char *label;
    oct_plot_scale scale;
} oct_plot_axis;

// A point with a coordinate that is not a number, infinite, or beyond 1e300 is a gap in the line;
// on a logarithmic axis also one below 1e-300.
typedef struct oct_plot_point {
    double x, y;
} oct_plot_point;

// Its colour follows from its place among the series; the legend lists it where a point is drawn.
typedef struct oct_plot_series {
    const char *name;
    const oct_plot_point *points; // in the order in which they are joined
    size_t count;
} oct_plot_series;

// Texts are UTF-8; control characters in them become blanks.
typedef struct oct_plot {
    const char *title;
    const char *note; // a line under the plot; NULL = none
    oct_plot_axis x, y;
    const oct_plot_series *series;
    size_t series_count; // OCT_PLOT_SERIES_MAX at most
} oct_plot;

// Appends the picture to an array of char. A linear axis begins at 0 where its values are at least
// 0 and more than twofold apart. After OCT_ERROR_MEMORY the array is as it was; OCT_ERROR_ARGUMENT
// for too many series.
oct_result oct_plot_svg(const oct_plot *plot, const oct_allocator *allocator, oct_array *out);

#endif
