// SPDX-License-Identifier: MIT
// The time line of an agent (a lane for every level of its goals, one for its thoughts), and its
// goals as they stood at the end.
#include "agent/mind.h"
#include "base/words.h"
#include "report/html.h"

#include <math.h>

#define WIDTH 1000.0
#define LANE 20
#define LANES_MAX 12
#define ABOVE 18       // for the marks
#define THINNEST 0.4   // pixels: what is thinner is not drawn, unless it failed
#define CHARACTER 6.4  // pixels, of a name in a lane
#define TICKS_ABOUT 10 // on the axis

typedef struct lanes {
    sink *out;
    const record_agent *agent;
    double scale;      // pixels a tick
    double rate;       // ticks a second
    uint32_t count;    // of goals
    uint32_t thoughts; // the lane below them
    double thinnest;   // what is drawn, pixels
} lanes;

static double x_of(const lanes *l, uint64_t tick)
{
    return (double)tick * l->scale;
}

static const char *class_of(const record_span *bar)
{
    return bar->is_thought                   ? "t-thought"
           : bar->status == OCT_GOAL_SUCCESS ? "t-pass"
           : bar->status == OCT_GOAL_FAILED  ? "t-fail"
                                             : "t-left";
}

static void put_span(const lanes *l, const record_span *bar)
{
    const double x = x_of(l, bar->from), width = x_of(l, bar->to) - x;
    const bool failed = !bar->is_thought && bar->status == OCT_GOAL_FAILED;
    const uint32_t lane = bar->is_thought ? l->thoughts : bar->depth;
    const double shown = fmax(width, 1.0);
    const uint32_t y = ABOVE + lane * LANE;
    char name[128];
    if (lane > l->thoughts || (!bar->is_thought && lane >= l->count) ||
        (width < l->thinnest && !(failed && l->thinnest <= THINNEST))) {
        return;
    }
    oct_words_format(l->out,
                     "<g><rect class=\"%s\" x=\"%.1f\" y=\"%u\" width=\"%.1f\" "
                     "height=\"%d\" rx=\"2\"/>",
                     class_of(bar), x, y, shown, LANE - 3);
    const size_t room = (size_t)(width > 12.0 ? (width - 8.0) / CHARACTER : 0.0);
    if (room >= 3) {
        // Cut by bytes: names beyond ASCII are cut a little early.
        const size_t size = room + 1 < sizeof name ? room + 1 : sizeof name;
        oct_words_format(l->out, "<text x=\"%.1f\" y=\"%u\">", x + 4.0, y + 12);
        oct_words_markup(l->out, oct_words_copy(bar->name, name, size));
        oct_sink_text(l->out, "</text>");
    }
    oct_sink_text(l->out, "<title>");
    oct_words_markup(l->out, bar->name);
    oct_words_format(l->out, ": %.1f to %.1f s", (double)bar->from / l->rate,
                     (double)bar->to / l->rate);
    if (bar->text[0]) {
        oct_sink_text(l->out, "; ");
        oct_words_markup(l->out, bar->text);
    }
    oct_sink_text(l->out, "</title></g>\n");
}

static void put_marks(const lanes *l)
{
    static const char *const classes[] = {
        [RECORD_PRESS] = "t-press", [RECORD_REFUSED] = "t-refused", [RECORD_INTERRUPT] = "t-stop"};
    static const char *const words[] = {[RECORD_PRESS] = "pressed ",
                                        [RECORD_REFUSED] = "could not press ",
                                        [RECORD_INTERRUPT] = "interrupted: "};
    const record_mark *const marks = l->agent->marks.items;
    for (size_t i = 0; i < l->agent->marks.count; i++) {
        const double x = x_of(l, marks[i].tick);
        oct_words_format(l->out, "<path class=\"%s\" d=\"M%.1f 4h8l-4 9z\"><title>%.1f s: %s",
                         classes[marks[i].kind], x - 4.0, (double)marks[i].tick / l->rate,
                         words[marks[i].kind]);
        oct_words_markup(l->out, marks[i].text);
        oct_sink_text(l->out, "</title></path>\n");
    }
}

static void put_axis(const lanes *l, double seconds, uint32_t bottom)
{
    static const double steps[] = {0.1, 0.2, 0.5, 1,    2,    5,    10,    20,   50,
                                   100, 200, 500, 1000, 2000, 5000, 10000, 50000};
    double step = steps[0];
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && seconds / step > TICKS_ABOUT; i++) {
        step = steps[i];
    }
    oct_sink_text(l->out, "<g class=\"t-axis\">\n");
    for (uint32_t i = 0; i <= 2 * TICKS_ABOUT && i * step <= seconds; i++) {
        const double x = i * step * l->rate * l->scale;
        oct_words_format(l->out,
                         "<path d=\"M%.1f %dV%u\"/><text x=\"%.1f\" y=\"%u\"%s>%g s</text>\n", x,
                         ABOVE - 2, bottom, x, bottom + 13,
                         i == 0           ? " style=\"text-anchor:start\""
                         : x > WIDTH - 20 ? " style=\"text-anchor:end\""
                                          : "",
                         i * step);
    }
    oct_sink_text(l->out, "</g>\n");
}

void oct_html_time_line(sink *out, const oct_play_record *record, const record_agent *agent,
                        uint32_t thin)
{
    const record_span *const spans = agent->spans.items;
    lanes l = {
        .out = out, .agent = agent, .rate = record->rate, .thinnest = THINNEST * (1u << thin)};
    if (record->ticks == 0 || agent->spans.count == 0) {
        return;
    }
    for (size_t i = 0; i < agent->spans.count; i++) {
        if (!spans[i].is_thought && spans[i].depth >= l.count && spans[i].depth < LANES_MAX) {
            l.count = spans[i].depth + 1;
        }
    }
    l.thoughts = l.count;
    l.scale = WIDTH / (double)record->ticks;
    const uint32_t bottom = ABOVE + (l.count + 1) * LANE;
    oct_words_format(out,
                     "<svg class=\"time\" viewBox=\"0 0 %.0f %u\" role=\"img\" "
                     "aria-label=\"time line\">\n",
                     WIDTH, bottom + 20);
    put_axis(&l, (double)record->ticks / record->rate, bottom);
    for (size_t i = 0; i < agent->spans.count; i++) {
        put_span(&l, &spans[i]);
    }
    put_marks(&l);
    oct_sink_text(out, "</svg>\n");
}

// ---- goals ----

// A reason is that of the goal it came from: those above have the same.
static bool comes_from_below(const record_goal *goals, size_t count, size_t index)
{
    const oct_goal_view *const goal = &goals[index].view;
    for (size_t i = index + 1; i < count && goals[i].view.depth > goal->depth; i++) {
        if (strcmp(goals[i].view.reason, goal->reason) == 0) {
            return true;
        }
    }
    return false;
}

static void put_goal(sink *out, const oct_goal_view *goal, double rate, bool is_new)
{
    const char *const kind = oct_goal_kind_name(goal->kind);
    const bool has_kind = kind && goal->kind != OCT_GOAL_LEAF && strcmp(kind, goal->name) != 0;
    oct_words_format(out, "<span class=\"g g-%s\">", oct_goal_status_name(goal->status));
    oct_sink_text(out, "</span>");
    if (has_kind) {
        oct_words_format(out, "<span class=\"kind\">%s</span> ", kind);
    }
    oct_words_markup(out, goal->name);
    oct_sink_text(out, "<span class=\"dim\">");
    if (goal->rounds > 0) {
        oct_words_format(out, " %llu turn%s, %.1f s", (unsigned long long)goal->turns,
                         goal->turns == 1 ? "" : "s", (double)goal->ticks / rate);
    } else {
        oct_sink_text(out, " not begun");
    }
    if (goal->rounds > 1) {
        oct_words_format(out, ", %u times", goal->rounds);
    }
    oct_sink_text(out, "</span>");
    if (goal->status == OCT_GOAL_FAILED && goal->reason[0] && is_new) {
        oct_sink_text(out, "<div class=\"why\">");
        oct_words_markup(out, goal->reason);
        oct_sink_text(out, "</div>");
    }
}

void oct_html_goals(sink *out, const oct_play_record *record, const record_agent *agent,
                    uint32_t thin)
{
    const record_goal *const goals = agent->goals.items;
    const size_t shown = (size_t)RECORD_GOALS_MAX >> thin;
    const size_t count = agent->goals.count < shown ? agent->goals.count : shown;
    uint32_t open = 0; // lists
    for (size_t i = 0; i < count; i++) {
        const uint32_t depth = goals[i].view.depth;
        if (depth + 1 > open) {
            oct_sink_text(out, open == 0 ? "<ul class=\"tree\">" : "<ul>");
            open++;
        } else {
            oct_sink_text(out, "</li>");
            for (; open > depth + 1; open--) {
                oct_sink_text(out, "</ul></li>");
            }
        }
        oct_sink_text(out, "\n<li>");
        put_goal(out, &goals[i].view, record->rate,
                 !comes_from_below(goals, agent->goals.count, i));
    }
    for (; open > 0; open--) {
        oct_sink_text(out, "</li></ul>");
    }
    if (count < agent->goals.count) {
        oct_words_format(out, "\n<p class=\"dim\">and %llu more</p>",
                         (unsigned long long)(agent->goals.count - count));
    }
    oct_sink_text(out, "\n");
}
