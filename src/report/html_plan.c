// SPDX-License-Identifier: MIT
// A test's plans, one below the other, with the ways of all agents, and what is replayed on them.
#include "base/words.h"
#include "report/drawing.h"
#include "report/html.h"

#include <math.h>

#define WIDTH_MAX 720.0 // pixels
#define HEIGHT_MAX 520.0
#define REPLAY_PLACES 600  // of an agent
#define REPLAY_WORDS 200   // thoughts, of an agent
#define REPLAY_LEAST 200.0 // a run is divided into so many moments, and a thought is one at least

// ---- things ----

static void put_walls(const drawing *d, const record_plan *plan)
{
    const record_box *const boxes = plan->boxes.items;
    oct_drawing_begin_path(d, DRAWING_WALL);
    for (size_t i = 0; i < plan->boxes.count; i++) {
        if (!boxes[i].name[0]) {
            oct_drawing_box(d, boxes[i].min, boxes[i].max);
        }
    }
    oct_drawing_end_path(d, NULL, "");
}

static drawing_mark mark_of(const record_box *box)
{
    return box->kind == OCT_ENTITY_DOOR     ? box->is_open ? DRAWING_WAY : DRAWING_DOOR
           : box->kind == OCT_ENTITY_BUTTON ? DRAWING_PANEL
                                            : DRAWING_TARGET;
}

static void put_things(const drawing *d, const record_plan *plan)
{
    const record_box *const boxes = plan->boxes.items;
    put_walls(d, plan);
    for (size_t i = 0; i < plan->boxes.count; i++) {
        if (boxes[i].name[0]) {
            oct_drawing_begin_path(d, mark_of(&boxes[i]));
            oct_drawing_box(d, boxes[i].min, boxes[i].max);
            oct_drawing_end_path(d, boxes[i].name,
                                 boxes[i].kind != OCT_ENTITY_DOOR ? ""
                                 : boxes[i].is_open               ? ", open"
                                                                  : ", shut");
        }
    }
}

// Doors and panels come last, so what a test is about has its name first.
static void put_names(drawing *d, const record_plan *plan)
{
    const record_box *const boxes = plan->boxes.items;
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < plan->boxes.count; i++) {
            if (boxes[i].name[0] && (mark_of(&boxes[i]) == DRAWING_TARGET) == (round == 0)) {
                oct_drawing_put_name(d, boxes[i].min, boxes[i].max, boxes[i].name);
            }
        }
    }
}

// ---- ways ----

static void put_replans(const drawing *d, const record_track *replans)
{
    const record_place *const places = replans->places.items;
    oct_drawing_begin_path(d, DRAWING_REPLAN);
    for (size_t i = 0; i < replans->places.count; i += (size_t)1 << d->thin) {
        if (oct_drawing_is_here(d, places[i].at)) {
            oct_words_format(d->out, "M%.1f %.1fh0", oct_drawing_x(d, places[i].at),
                             oct_drawing_y(d, places[i].at));
        }
    }
    oct_drawing_end_path(d, NULL, "");
}

static void put_marks(const drawing *d, const record_agent *agent, double rate)
{
    const record_mark *const marks = agent->marks.items;
    uint32_t number = 0;
    for (size_t i = 0; i < agent->marks.count; i++) {
        number += marks[i].kind == RECORD_PRESS;
        if (marks[i].kind != RECORD_PRESS || !oct_drawing_is_here(d, marks[i].at)) {
            continue;
        }
        const double x = oct_drawing_x(d, marks[i].at), y = oct_drawing_y(d, marks[i].at);
        oct_words_format(d->out,
                         "<g class=\"m-press\"><circle cx=\"%.1f\" cy=\"%.1f\" r=\"7\"/><text "
                         "x=\"%.1f\" y=\"%.1f\">%u</text><title>%.1f s: pressed ",
                         x, y, x, y + 3.2, number, (double)marks[i].tick / rate);
        oct_words_markup(d->out, marks[i].text);
        oct_sink_text(d->out, "</title></g>\n");
    }
}

static drawing_way track_of(const record_agent *agent, size_t index)
{
    const record_place *const places = agent->track.places.items;
    return (drawing_way){.first = agent->track.places.count > 0 ? &places->at : NULL,
                         .count = agent->track.places.count,
                         .stride = sizeof *places,
                         .colour = oct_drawing_colour(index)};
}

static void put_ways(const drawing *d, const oct_play_record *record)
{
    for (size_t i = 0; i < record->agent_count; i++) {
        const record_agent *const agent = &record->agents[i];
        const drawing_way track = track_of(agent, i);
        const drawing_way path = {
            .first = agent->path.items, .count = agent->path.count, .stride = sizeof(oct_point)};
        oct_drawing_track(d, &track, false);
        oct_drawing_track(d, &track, true);
        oct_drawing_planned(d, &path);
        put_replans(d, &agent->replans);
    }
    for (size_t i = 0; i < record->agent_count; i++) {
        const drawing_way track = track_of(&record->agents[i], i);
        put_marks(d, &record->agents[i], record->rate);
        oct_drawing_ends(d, &track);
    }
}

// ---- the whole ----

void oct_html_plan(sink *out, const oct_play_record *record, const record_plan *plan, uint32_t thin)
{
    drawing d;
    if (plan->plane.size[0] == 0 || plan->plane.size[1] == 0) {
        return;
    }
    oct_drawing_fit(&d, &plan->plane, WIDTH_MAX, HEIGHT_MAX);
    d.thin = thin;
    oct_words_format(out, "<figure class=\"plan\" style=\"max-width:%.0fpx\">", d.width);
    oct_drawing_begin(&d, out, 0.0);
    oct_drawing_cells(&d, plan->cells.items);
    put_things(&d, plan);
    put_ways(&d, record);
    put_names(&d, plan);
    oct_drawing_end(&d);
    oct_sink_text(out, "<figcaption>");
    oct_drawing_caption(out, &plan->plane, record->up);
    oct_sink_text(out, "</figcaption></figure>\n");
}

void oct_html_plan_legend(sink *out)
{
    oct_sink_text(out, "<div class=\"legend\">");
    for (int i = 0; i < DRAWING_MARK_COUNT; i++) {
        oct_drawing_key(out, (drawing_mark)i);
    }
    oct_sink_text(out, "</div>\n");
}

// ---- replay ----

// "tick x y z", separated by ';'.
static void put_places(sink *out, const record_track *track, uint32_t thin)
{
    const record_place *const places = track->places.items;
    const size_t most = REPLAY_PLACES >> thin, count = track->places.count;
    const size_t step = count / (most + 1) + 1;
    for (size_t i = 0; i < count; i += i + step < count || i + 1 == count ? step : count - 1 - i) {
        const oct_point at = places[i].at;
        oct_words_format(out, "%s%llu %.1f %.1f %.1f", i > 0 ? ";" : "",
                         (unsigned long long)places[i].tick, at.x, at.y, at.z);
    }
}

// The words of thoughts and the ticks from which they counted: "tick words", one a line.
static void put_thoughts(sink *out, const oct_play_record *record, const record_agent *agent,
                         uint32_t thin)
{
    const record_span *const spans = agent->spans.items;
    const double least = (double)record->ticks / REPLAY_LEAST;
    size_t put = 0;
    for (size_t i = 0; i < agent->spans.count && put < (size_t)(REPLAY_WORDS >> thin); i++) {
        if (spans[i].is_thought && (double)(spans[i].to - spans[i].from) >= least) {
            oct_words_format(out, "%llu ", (unsigned long long)spans[i].from);
            oct_words_markup(out, spans[i].name);
            oct_sink_text(out, "\n");
            put++;
        }
    }
}

void oct_html_replay(sink *out, const oct_play_record *record, uint32_t thin)
{
    oct_words_format(out,
                     "<div class=\"replay\" hidden data-ticks=\"%llu\" data-rate=\"%g\"><button "
                     "type=\"button\">Play</button><input type=\"range\" min=\"0\" max=\"1000\" "
                     "value=\"1000\" aria-label=\"time of the replay\"><output></output>\n",
                     (unsigned long long)record->ticks, record->rate);
    for (size_t i = 0; i < record->agent_count; i++) {
        oct_words_format(out, "<i class=\"%s\" data-places=\"", oct_drawing_colour(i));
        put_places(out, &record->agents[i].track, thin);
        oct_sink_text(out, "\" data-thoughts=\"");
        put_thoughts(out, record, &record->agents[i], thin);
        oct_sink_text(out, "\"></i>\n");
    }
    oct_sink_text(out, "</div>\n");
}
