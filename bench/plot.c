// SPDX-License-Identifier: MIT
// Line plots as SVG.
//
// The frame has a fixed size; the picture grows to the right with the legend and the texts, so that
// they never meet the lines. Series differ in colour, dashes and marker, each with another period,
// so that a reader without colours can tell them apart as well. The background is the picture's
// own: it is to be read on dark pages too.
#include "bench/plot.h"

#include "bench/plot_axis.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

// Everything is in pixels.
#define FRAME_LEFT 72
#define FRAME_TOP 40
#define FRAME_WIDTH 440
#define FRAME_HEIGHT 296
#define FRAME_RIGHT (FRAME_LEFT + FRAME_WIDTH)
#define FRAME_BOTTOM (FRAME_TOP + FRAME_HEIGHT)
#define BELOW_FRAME 48 // tick labels and the axis' label
#define NOTE_HEIGHT 20
#define LEGEND_LEFT (FRAME_RIGHT + 16)
#define LEGEND_SAMPLE 36
#define LEGEND_STEP 20
#define MARGIN 12
// What a character takes at most, on average.
#define CHARACTER 7
#define TITLE_CHARACTER 9

typedef struct series_style {
    const char *colour, *dashes, *marker;
} series_style;

// Okabe and Ito's colours, but yellow, which is too pale for lines on white.
static const char *const colours[7] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                       "#e69f00", "#56b4e9", "#000000"};
static const char *const dashes[4] = {"none", "7 3", "2 3", "9 3 2 3"};
// Circle, square, triangle, diamond, triangle on its head: all around where the path begins.
static const char *const markers[5] = {"m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
                                       "m-3 -3h6v6h-6z", "m0 -4l4 7h-8z",
                                       "m0 -4.5l4.5 4.5l-4.5 4.5l-4.5 -4.5z", "m0 4l4 -7h-8z"};

static series_style style_of(size_t i)
{
    return (series_style){colours[i % 7], dashes[i % 4], markers[i % 5]};
}

// ---- writing ----

// Remembers the first failure; what comes after it is dropped.
typedef struct writer {
    oct_array *out;
    const oct_allocator *allocator;
    oct_result result;
} writer;

static void put_bytes(writer *w, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count && w->result == OCT_OK; i++) {
        w->result = oct_array_push(w->out, w->allocator, 1, &bytes[i]);
    }
}

OCT_FORMAT(2, 3)
static void put(writer *w, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    OCT_ASSERT(length >= 0 && (size_t)length < sizeof line);
    put_bytes(w, line, (size_t)length);
}

static void put_text(writer *w, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            put(w, "&amp;");
            break;
        case '<':
            put(w, "&lt;");
            break;
        case '>':
            put(w, "&gt;");
            break;
        case '"':
            put(w, "&quot;");
            break;
        default:
            put_bytes(w, (unsigned char)*text < 0x20 || *text == 0x7f ? " " : text, 1);
        }
    }
}

// A coordinate, 0 to some thousands, in hundredths of a pixel.
typedef struct number {
    char text[16];
} number;

static number coordinate(double pixels)
{
    const int hundredths = (int)floor(pixels * 100.0 + 0.5);
    number out;
    snprintf(out.text, sizeof out.text, "%d.%02d", hundredths / 100, hundredths % 100);
    return out;
}

// Characters of a UTF-8 text.
static int length_of(const char *text)
{
    int count = 0;
    for (; *text; text++) {
        count += ((unsigned char)*text & 0xc0u) != 0x80u;
    }
    return count;
}

// ---- parts ----

typedef struct frame {
    plot_range x, y;
    int width, height; // of the picture
} frame;

static double x_of(const frame *f, double scaled)
{
    const double share = (scaled - f->x.lo) / (f->x.hi - f->x.lo);
    return FRAME_LEFT + fmin(fmax(share, 0.0), 1.0) * FRAME_WIDTH;
}

static double y_of(const frame *f, double scaled)
{
    const double share = (scaled - f->y.lo) / (f->y.hi - f->y.lo);
    return FRAME_BOTTOM - fmin(fmax(share, 0.0), 1.0) * FRAME_HEIGHT;
}

static bool is_shown(const oct_plot *plot, oct_plot_point point)
{
    return oct_plot_has(plot->x.scale, point.x) && oct_plot_has(plot->y.scale, point.y);
}

// Whether anything of a series is drawn.
static bool is_drawn(const oct_plot *plot, const oct_plot_series *series)
{
    for (size_t i = 0; i < series->count; i++) {
        if (is_shown(plot, series->points[i])) {
            return true;
        }
    }
    return false;
}

static frame lay_out(const oct_plot *plot)
{
    double least[2] = {HUGE_VAL, HUGE_VAL}, largest[2] = {-HUGE_VAL, -HUGE_VAL};
    int legend = 0;
    for (size_t i = 0; i < plot->series_count; i++) {
        const oct_plot_series *const series = &plot->series[i];
        const int length = is_drawn(plot, series) ? length_of(series->name) : 0;
        legend = length > legend ? length : legend;
        for (size_t j = 0; j < series->count; j++) {
            const oct_plot_point point = series->points[j];
            if (!is_shown(plot, point)) {
                continue;
            }
            const double at[2] = {oct_plot_scaled(plot->x.scale, point.x),
                                  oct_plot_scaled(plot->y.scale, point.y)};
            for (int axis = 0; axis < 2; axis++) {
                least[axis] = fmin(least[axis], at[axis]);
                largest[axis] = fmax(largest[axis], at[axis]);
            }
        }
    }
    const int widths[3] = {LEGEND_LEFT + LEGEND_SAMPLE + 8 + legend * CHARACTER + MARGIN,
                           FRAME_LEFT + length_of(plot->title) * TITLE_CHARACTER + MARGIN,
                           plot->note ? FRAME_LEFT + length_of(plot->note) * CHARACTER + MARGIN
                                      : 0};
    frame f = {.x = oct_plot_range(plot->x.scale, least[0], largest[0]),
               .y = oct_plot_range(plot->y.scale, least[1], largest[1]),
               .height = FRAME_BOTTOM + BELOW_FRAME + (plot->note ? NOTE_HEIGHT : 0)};
    for (int i = 0; i < 3; i++) {
        f.width = widths[i] > f.width ? widths[i] : f.width;
    }
    return f;
}

static void put_label(writer *w, const plot_tick *tick)
{
    put_text(w, tick->label);
    if (tick->exponent[0]) {
        put(w, "<tspan dy=\"-4\" font-size=\"9\">%s</tspan>", tick->exponent);
    }
    put(w, "</text>\n");
}

static void put_grid(writer *w, const frame *f)
{
    put(w, "<g class=\"grid\" stroke=\"#dddddd\">\n");
    for (int i = 0; i < f->x.tick_count; i++) {
        const number x = coordinate(x_of(f, f->x.ticks[i].at));
        put(w, "<line x1=\"%s\" y1=\"%d\" x2=\"%s\" y2=\"%d\"%s/>\n", x.text, FRAME_TOP, x.text,
            FRAME_BOTTOM, f->x.ticks[i].label[0] ? "" : " stroke=\"#f0f0f0\"");
    }
    for (int i = 0; i < f->y.tick_count; i++) {
        const number y = coordinate(y_of(f, f->y.ticks[i].at));
        put(w, "<line x1=\"%d\" y1=\"%s\" x2=\"%d\" y2=\"%s\"%s/>\n", FRAME_LEFT, y.text,
            FRAME_RIGHT, y.text, f->y.ticks[i].label[0] ? "" : " stroke=\"#f0f0f0\"");
    }
    put(w,
        "</g>\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
        "stroke=\"#444444\"/>\n",
        FRAME_LEFT, FRAME_TOP, FRAME_WIDTH, FRAME_HEIGHT);
}

static void put_ticks(writer *w, const frame *f)
{
    put(w, "<g class=\"x ticks\" text-anchor=\"middle\">\n");
    for (int i = 0; i < f->x.tick_count; i++) {
        if (f->x.ticks[i].label[0]) {
            put(w, "<text x=\"%s\" y=\"%d\">", coordinate(x_of(f, f->x.ticks[i].at)).text,
                FRAME_BOTTOM + 17);
            put_label(w, &f->x.ticks[i]);
        }
    }
    put(w, "</g>\n<g class=\"y ticks\" text-anchor=\"end\">\n");
    for (int i = 0; i < f->y.tick_count; i++) {
        if (f->y.ticks[i].label[0]) {
            put(w, "<text x=\"%d\" y=\"%s\">", FRAME_LEFT - 7,
                coordinate(y_of(f, f->y.ticks[i].at) + 4.0).text);
            put_label(w, &f->y.ticks[i]);
        }
    }
    put(w, "</g>\n");
}

static void put_texts(writer *w, const oct_plot *plot, const frame *f)
{
    put(w, "<text class=\"title\" x=\"%d\" y=\"24\" font-size=\"14\" font-weight=\"bold\">",
        FRAME_LEFT);
    put_text(w, plot->title);
    put(w, "</text>\n<text class=\"x label\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
        FRAME_LEFT + FRAME_WIDTH / 2, FRAME_BOTTOM + 38);
    put_text(w, plot->x.label);
    put(w,
        "</text>\n<text class=\"y label\" transform=\"translate(18 %d) rotate(-90)\" "
        "text-anchor=\"middle\">",
        FRAME_TOP + FRAME_HEIGHT / 2);
    put_text(w, plot->y.label);
    put(w, "</text>\n");
    if (plot->note) {
        put(w, "<text class=\"note\" x=\"%d\" y=\"%d\" fill=\"#555555\">", FRAME_LEFT,
            f->height - 10);
        put_text(w, plot->note);
        put(w, "</text>\n");
    }
}

// Points of a series from `first` on that follow each other without a gap.
static size_t run_length(const oct_plot *plot, const oct_plot_series *series, size_t first)
{
    size_t end = first;
    while (end < series->count && is_shown(plot, series->points[end])) {
        end++;
    }
    return end - first;
}

static void put_point(writer *w, const oct_plot *plot, const frame *f, oct_plot_point point)
{
    put(w, "%s %s", coordinate(x_of(f, oct_plot_scaled(plot->x.scale, point.x))).text,
        coordinate(y_of(f, oct_plot_scaled(plot->y.scale, point.y))).text);
}

static void put_series(writer *w, const oct_plot *plot, const frame *f, size_t i)
{
    const oct_plot_series *const series = &plot->series[i];
    const series_style style = style_of(i);
    put(w, "<g class=\"series\" stroke=\"%s\" stroke-width=\"1.8\" fill=\"none\">\n", style.colour);
    for (size_t first = 0; first < series->count;) {
        const size_t length = run_length(plot, series, first);
        if (length > 1) {
            put(w, "<polyline stroke-dasharray=\"%s\" points=\"", style.dashes);
            for (size_t j = 0; j < length; j++) {
                put(w, "%s", j == 0 ? "" : " ");
                put_point(w, plot, f, series->points[first + j]);
            }
            put(w, "\"/>\n");
        }
        for (size_t j = 0; j < length; j++) {
            put(w, "<path class=\"marker\" fill=\"#ffffff\" stroke-width=\"1.4\" d=\"M");
            put_point(w, plot, f, series->points[first + j]);
            put(w, "%s\"/>\n", style.marker);
        }
        first += length + 1;
    }
    put(w, "</g>\n");
}

static void put_legend(writer *w, const oct_plot *plot)
{
    put(w, "<g class=\"legend\">\n");
    int y = FRAME_TOP + 10;
    for (size_t i = 0; i < plot->series_count; i++) {
        const series_style style = style_of(i);
        if (!is_drawn(plot, &plot->series[i])) {
            continue;
        }
        put(w,
            "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" stroke-dasharray=\"%s\" "
            "d=\"M%d %dh%d\"/>\n",
            style.colour, style.dashes, LEGEND_LEFT, y, LEGEND_SAMPLE);
        put(w, "<path fill=\"#ffffff\" stroke=\"%s\" stroke-width=\"1.4\" d=\"M%d %d%s\"/>\n",
            style.colour, LEGEND_LEFT + LEGEND_SAMPLE / 2, y, style.marker);
        put(w, "<text x=\"%d\" y=\"%d\">", LEGEND_LEFT + LEGEND_SAMPLE + 8, y + 4);
        put_text(w, plot->series[i].name);
        put(w, "</text>\n");
        y += LEGEND_STEP;
    }
    put(w, "</g>\n");
}

oct_result oct_plot_svg(const oct_plot *plot, const oct_allocator *allocator, oct_array *out)
{
    if (plot->series_count > OCT_PLOT_SERIES_MAX) {
        return OCT_ERROR_ARGUMENT;
    }
    const size_t before = out->count;
    writer w = {out, allocator, OCT_OK};
    const frame f = lay_out(plot);
    put(&w,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
        "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n",
        f.width, f.height, f.width, f.height);
    put(&w, "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", f.width, f.height);
    put_grid(&w, &f);
    put_ticks(&w, &f);
    put_texts(&w, plot, &f);
    for (size_t i = 0; i < plot->series_count; i++) {
        put_series(&w, plot, &f, i);
    }
    put_legend(&w, plot);
    put(&w, "</svg>\n");
    if (w.result != OCT_OK) {
        out->count = before;
    }
    return w.result;
}
