// SPDX-License-Identifier: MIT
// Plans as SVG. Cells of one kind that form a rectangle are drawn as one, so that a page of a
// hundred tests stays small.
#include "base/words.h"
#include "report/html.h"

#include <math.h>

#define WIDTH_MAX 620.0 // pixels
#define HEIGHT_MAX 460.0
#define SIDE_BY_SIDE 290.0 // as narrow as this where there are several
#define NAMES_MAX 60
#define BAR_SHARE 0.25 // of the width that the scale's bar takes at most

typedef struct canvas {
    sink *out;
    const oct_play_record *record;
    const record_plan *plan;
    double scale; // pixels a metre
    double width, height;
} canvas;

static double right_of(const canvas *c, double u)
{
    return (u - c->plan->min[0]) * c->scale;
}

static double down_of(const canvas *c, double v)
{
    const double along = (v - c->plan->min[1]) * c->scale;
    return c->record->flipped ? c->height - along : along;
}

static double x_of(const canvas *c, oct_point at)
{
    return right_of(c, oct_record_along(at, c->record->axis[0]));
}

static double y_of(const canvas *c, oct_point at)
{
    return down_of(c, oct_record_along(at, c->record->axis[1]));
}

const char *oct_html_agent_class(size_t agent)
{
    static const char *const classes[] = {"a0", "a1", "a2", "a3"};
    return classes[agent % 4];
}

// ---- cells ----

// Rectangles that go on from row to row: where each began, by its left end; 0 wide = none.
typedef struct open_runs {
    uint32_t width[RECORD_PLAN_EDGE], first[RECORD_PLAN_EDGE];
} open_runs;

static void end_run(const canvas *c, open_runs *runs, uint32_t x, uint32_t row)
{
    const uint32_t w = runs->width[x], h = row - runs->first[x];
    if (w > 0) {
        oct_words_format(c->out, "M%u %uh%uv%uh-%uz", x, runs->first[x], w, h, w);
    }
    runs->width[x] = 0;
}

static uint32_t run_length(const record_plan *plan, uint32_t row, uint32_t x, record_cell kind)
{
    const uint8_t *const cells = (const uint8_t *)plan->cells.items + (size_t)row * plan->size[0];
    uint32_t end = x;
    while (end < plan->size[0] && cells[end] == kind) {
        end++;
    }
    return end - x;
}

static void put_cells(const canvas *c, record_cell kind, const char *name)
{
    const record_plan *const plan = c->plan;
    open_runs runs = {.width = {0}};
    oct_words_format(c->out, "<path class=\"%s\" d=\"", name);
    for (uint32_t row = 0; row < plan->size[1]; row++) {
        for (uint32_t x = 0; x < plan->size[0]; x++) {
            const uint32_t length = run_length(plan, row, x, kind);
            if (runs.width[x] != length) {
                end_run(c, &runs, x, row);
            }
            if (length > 0 && runs.width[x] == 0) {
                runs.width[x] = length;
                runs.first[x] = row;
            }
            // Those that began within this run have ended.
            for (uint32_t i = x + 1; i < x + length; i++) {
                end_run(c, &runs, i, row);
            }
            x += length > 0 ? length - 1 : 0;
        }
    }
    for (uint32_t x = 0; x < plan->size[0]; x++) {
        end_run(c, &runs, x, plan->size[1]);
    }
    oct_sink_text(c->out, "\"/>\n");
}

static void put_all_cells(const canvas *c)
{
    const double s = c->plan->edge * c->scale;
    const bool flipped = c->record->flipped;
    oct_words_format(c->out,
                     "<g shape-rendering=\"crispEdges\" transform=\"matrix(%.5f 0 0 %.5f 0 "
                     "%.2f)\">\n",
                     s, flipped ? -s : s, flipped ? c->height : 0.0);
    put_cells(c, RECORD_OPEN, "m-open");
    put_cells(c, RECORD_BLOCKED, "m-blocked");
    put_cells(c, RECORD_FRONTIER, "m-frontier");
    oct_sink_text(c->out, "</g>\n");
}

// ---- things ----

static void put_rectangle(const canvas *c, const record_box *box)
{
    const double x = right_of(c, box->min[0]), w = right_of(c, box->max[0]) - x;
    const double y0 = down_of(c, box->min[1]), y1 = down_of(c, box->max[1]);
    oct_words_format(c->out, "M%.1f %.1fh%.1fv%.1fh-%.1fz", x, fmin(y0, y1), w, fabs(y1 - y0), w);
}

static void put_walls(const canvas *c)
{
    const record_box *const boxes = c->plan->boxes.items;
    oct_sink_text(c->out, "<path class=\"m-wall\" d=\"");
    for (size_t i = 0; i < c->plan->boxes.count; i++) {
        if (!boxes[i].name[0]) {
            put_rectangle(c, &boxes[i]);
        }
    }
    oct_sink_text(c->out, "\"/>\n");
}

static void put_device(const canvas *c, const record_box *box)
{
    const char *const name = box->kind == OCT_ENTITY_DOOR     ? box->is_open ? "m-way" : "m-door"
                             : box->kind == OCT_ENTITY_BUTTON ? "m-panel"
                                                              : "m-target";
    oct_words_format(c->out, "<path class=\"%s\" d=\"", name);
    put_rectangle(c, box);
    oct_sink_text(c->out, "\"><title>");
    oct_words_markup(c->out, box->name);
    oct_sink_text(c->out, box->kind != OCT_ENTITY_DOOR ? "" : box->is_open ? ", open" : ", shut");
    oct_sink_text(c->out, "</title></path>\n");
}

static void put_things(const canvas *c)
{
    const record_box *const boxes = c->plan->boxes.items;
    put_walls(c);
    for (size_t i = 0; i < c->plan->boxes.count; i++) {
        if (boxes[i].name[0]) {
            put_device(c, &boxes[i]);
        }
    }
}

static void put_names(const canvas *c)
{
    const record_box *const boxes = c->plan->boxes.items;
    size_t shown = 0;
    oct_sink_text(c->out, "<g class=\"m-name\">\n");
    for (size_t i = 0; i < c->plan->boxes.count && shown < NAMES_MAX; i++) {
        if (boxes[i].name[0]) {
            const double x = right_of(c, (boxes[i].min[0] + boxes[i].max[0]) / 2);
            const double y = down_of(c, (boxes[i].min[1] + boxes[i].max[1]) / 2);
            char name[40];
            oct_words_format(c->out, "<text x=\"%.1f\" y=\"%.1f\">", x, y + 3.5);
            oct_words_markup(c->out, oct_words_copy(boxes[i].name, name, sizeof name));
            oct_sink_text(c->out, "</text>\n");
            shown++;
        }
    }
    oct_sink_text(c->out, "</g>\n");
}

// ---- ways ----

// Those parts of a track that lie at the plan's height, or the others.
static void put_track(const canvas *c, const record_track *track, size_t agent, bool is_here)
{
    const record_place *const places = track->places.items;
    bool in_line = false;
    oct_words_format(c->out, "<path class=\"m-track %s%s\" d=\"", oct_html_agent_class(agent),
                     is_here ? "" : " m-else");
    for (size_t i = 1; i < track->places.count; i++) {
        const double h = oct_record_along(places[i].at, c->record->up);
        const bool here = h >= c->plan->from && h < c->plan->until;
        if (here != is_here) {
            in_line = false;
            continue;
        }
        if (!in_line) {
            oct_words_format(c->out, "M%.1f %.1f", x_of(c, places[i - 1].at),
                             y_of(c, places[i - 1].at));
        }
        oct_words_format(c->out, "L%.1f %.1f", x_of(c, places[i].at), y_of(c, places[i].at));
        in_line = true;
    }
    oct_sink_text(c->out, "\"/>\n");
}

static void put_path(const canvas *c, const record_agent *agent)
{
    const oct_point *const points = agent->path.items;
    if (agent->path.count < 2) {
        return;
    }
    oct_sink_text(c->out, "<path class=\"m-path\" d=\"");
    for (size_t i = 0; i < agent->path.count; i++) {
        oct_words_format(c->out, "%s%.1f %.1f", i == 0 ? "M" : "L", x_of(c, points[i]),
                         y_of(c, points[i]));
    }
    oct_sink_text(c->out, "\"><title>the last path that was planned</title></path>\n");
}

static bool is_shown(const canvas *c, oct_point at)
{
    const double h = oct_record_along(at, c->record->up);
    return h >= c->plan->from && h < c->plan->until;
}

static void put_replans(const canvas *c, const record_track *replans)
{
    const record_place *const places = replans->places.items;
    oct_sink_text(c->out, "<path class=\"m-replan\" d=\"");
    for (size_t i = 0; i < replans->places.count; i++) {
        if (is_shown(c, places[i].at)) {
            oct_words_format(c->out, "M%.1f %.1fh0", x_of(c, places[i].at), y_of(c, places[i].at));
        }
    }
    oct_sink_text(c->out, "\"/>\n");
}

static void put_marks(const canvas *c, const record_agent *agent, double rate)
{
    const record_mark *const marks = agent->marks.items;
    uint32_t number = 0;
    for (size_t i = 0; i < agent->marks.count; i++) {
        number += marks[i].kind == RECORD_PRESS;
        if (marks[i].kind != RECORD_PRESS || !is_shown(c, marks[i].at)) {
            continue;
        }
        const double x = x_of(c, marks[i].at), y = y_of(c, marks[i].at);
        oct_words_format(c->out,
                         "<g class=\"m-press\"><circle cx=\"%.1f\" cy=\"%.1f\" r=\"7\"/><text "
                         "x=\"%.1f\" y=\"%.1f\">%u</text><title>%.1f s: pressed ",
                         x, y, x, y + 3.2, number, (double)marks[i].tick / rate);
        oct_words_markup(c->out, marks[i].text);
        oct_sink_text(c->out, "</title></g>\n");
    }
}

static void put_ends(const canvas *c, const record_agent *agent, size_t index)
{
    const record_place *const places = agent->track.places.items;
    const size_t count = agent->track.places.count;
    if (count == 0) {
        return;
    }
    oct_words_format(c->out,
                     "<circle class=\"m-start %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>start"
                     "</title></circle>\n",
                     oct_html_agent_class(index), x_of(c, places[0].at), y_of(c, places[0].at));
    const double x = x_of(c, agent->last), y = y_of(c, agent->last);
    oct_words_format(c->out,
                     "<path class=\"m-end %s\" d=\"M%.1f %.1fl5 5l-5 5l-5 -5z\"><title>end: "
                     "%.1f, %.1f, %.1f</title></path>\n",
                     oct_html_agent_class(index), x, y - 5, agent->last.x, agent->last.y,
                     agent->last.z);
}

static void put_ways(const canvas *c)
{
    for (size_t i = 0; i < c->record->agent_count; i++) {
        const record_agent *const agent = &c->record->agents[i];
        put_track(c, &agent->track, i, false);
        put_track(c, &agent->track, i, true);
        put_path(c, agent);
        put_replans(c, &agent->replans);
    }
    for (size_t i = 0; i < c->record->agent_count; i++) {
        put_marks(c, &c->record->agents[i], c->record->rate);
        put_ends(c, &c->record->agents[i], i);
    }
}

// ---- the whole ----

static void put_scale(const canvas *c)
{
    static const double lengths[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};
    double length = lengths[0];
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        length = lengths[i] * c->scale <= BAR_SHARE * c->width ? lengths[i] : length;
    }
    oct_words_format(c->out,
                     "<g class=\"m-scale\"><path d=\"M6 %.1fv5h%.1fv-5\"/><text x=\"10\" "
                     "y=\"%.1f\">%g m</text></g>\n",
                     c->height + 6.0, length * c->scale, c->height + 23.0, length);
}

void oct_html_plan(sink *out, const oct_play_record *record, const record_plan *plan)
{
    static const char axes[] = "xyz";
    const double metres[2] = {plan->size[0] * plan->edge, plan->size[1] * plan->edge};
    if (plan->size[0] == 0 || plan->size[1] == 0) {
        return;
    }
    canvas c = {.out = out, .record = record, .plan = plan};
    c.scale = fmin(WIDTH_MAX / metres[0], HEIGHT_MAX / metres[1]);
    c.width = metres[0] * c.scale;
    c.height = metres[1] * c.scale;
    oct_words_format(
        out,
        "<figure class=\"plan\" style=\"flex:1 1 %.0fpx;max-width:%.0fpx\"><svg viewBox=\"0 0 %.1f "
        "%.1f\" role=\"img\" aria-label=\"plan\">\n<rect class=\"m-unknown\" "
        "width=\"%.1f\" height=\"%.1f\"/>\n",
        record->plan_count > 1 ? fmin(c.width, SIDE_BY_SIDE) : c.width, c.width, c.width,
        c.height + 28.0, c.width, c.height);
    put_all_cells(&c);
    put_things(&c);
    put_ways(&c);
    put_names(&c);
    put_scale(&c);
    oct_words_format(out,
                     "</svg><figcaption>from above, cut at %c = %.1f m; %c to the right, %c %s"
                     "</figcaption></figure>\n",
                     axes[record->up], plan->height, axes[record->axis[0]], axes[record->axis[1]],
                     record->flipped ? "up" : "down");
}
