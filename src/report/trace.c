// SPDX-License-Identifier: MIT
#include "report/trace.h"

#include "io/json_text.h"

// Numbers from here on are strings: most programs read numbers as doubles.
#define ID_TEXT_FROM (UINT64_C(1) << 53)

// ---- members ----

static void write_key(sink *out, const char *key)
{
    oct_sink_text(out, ", \"");
    oct_sink_text(out, key);
    oct_sink_text(out, "\": ");
}

static void write_word(sink *out, const char *key, const char *word)
{
    write_key(out, key);
    oct_json_text(out, word);
}

static void write_number(sink *out, const char *key, double value)
{
    write_key(out, key);
    oct_sink_decimal(out, value + 0.0); // never -0
}

static void write_count(sink *out, const char *key, uint64_t value)
{
    write_key(out, key);
    oct_sink_number(out, value);
}

static void write_place(sink *out, oct_point at)
{
    oct_json_numbers(out, (const double[]){at.x + 0.0, at.y + 0.0, at.z + 0.0}, 3);
}

static void write_point(sink *out, const char *key, oct_point at)
{
    write_key(out, key);
    write_place(out, at);
}

static void write_bounds(sink *out, const char *key, oct_bounds b)
{
    write_key(out, key);
    oct_json_numbers(out, (const double[]){b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z},
                     6);
}

static void write_points(sink *out, const oct_point *points, size_t count)
{
    write_key(out, "points");
    oct_sink_text(out, "[");
    for (size_t i = 0; i < count; i++) {
        oct_sink_text(out, i > 0 ? ", " : "");
        write_place(out, points[i]);
    }
    oct_sink_text(out, "]");
}

static void write_time(sink *out, const trace_head *head, const tour_event *event)
{
    if (head->times) {
        write_number(out, "us", (double)event->time * head->time_us);
    }
}

// ---- the first line ----

static oct_bounds bounds_of(const oct_map *map, const oct_box *box)
{
    const double cell = oct_map_cell_size(map);
    const oct_point o = oct_map_origin(map);
    const bool flat = oct_map_dims(map) == 2;
    return (oct_bounds){
        {o.x + box->min.x * cell, o.y + box->min.y * cell, flat ? 0.0 : o.z + box->min.z * cell},
        {o.x + box->max.x * cell, o.y + box->max.y * cell, flat ? 0.0 : o.z + box->max.z * cell}};
}

static void write_task(sink *out, const trace_head *head)
{
    static const char *const tasks[] = {"explore", "to", "find"};
    write_word(out, "task", tasks[head->tour->task]);
    if (head->tour->task == TOUR_TO) {
        write_point(out, "to", head->tour->to);
    }
    if (head->tour->task == TOUR_FIND) {
        write_word(out, "find", head->find);
    }
    write_word(out, "strategy", head->strategy);
    write_count(out, "seed", head->seed);
}

void oct_trace_head(sink *out, const trace_head *head)
{
    static const char *const ups[] = {"x", "y", "z"};
    const tour_def *const tour = head->tour;
    oct_sink_text(out, "{\"octant_trace\": ");
    oct_sink_number(out, OCT_TRACE_VERSION);
    write_word(out, "world", head->file);
    if (head->world) {
        write_word(out, "name", oct_world_name(head->world));
    }
    write_count(out, "dims", oct_map_dims(head->map));
    write_word(out, "up", ups[head->up]);
    write_word(out, "handed", head->left_handed ? "left" : "right");
    write_number(out, "cell", oct_map_cell_size(head->map));
    write_point(out, "origin", oct_map_origin(head->map));
    write_point(out, "body", head->body);
    write_point(out, "padding", oct_map_padding(head->map));
    write_word(out, "structure", oct_structure_name(oct_map_structure(head->map)));
    write_number(out, "radius", tour->radius);
    write_word(out, "sight", tour->sight == OCT_SIGHT_LINE ? "line" : "through");
    write_number(out, "fov", tour->fov);
    write_number(out, "step", tour->step);
    write_task(out, head);
    if (tour->bounds) {
        write_bounds(out, "bounds", bounds_of(head->map, tour->bounds));
    }
    write_point(out, "start", tour->start);
    oct_sink_text(out, "}\n");
}

// ---- events ----

static void write_id(sink *out, uint64_t id)
{
    const bool as_text = id >= ID_TEXT_FROM;
    oct_sink_text(out, as_text ? "{\"id\": \"" : "{\"id\": ");
    oct_sink_number(out, id);
    oct_sink_text(out, as_text ? "\"" : "");
}

static void write_thing(sink *out, const trace_head *head, const oct_thing *thing)
{
    write_id(out, thing->id);
    if (head->world) {
        write_word(out, "type", oct_world_get_type(head->world, thing->tag).name);
    }
    write_bounds(out, "box", thing->box);
    if (thing->label != OCT_BLOCKED) {
        write_word(out, "label", thing->label == OCT_OPEN ? "open" : "unknown");
    }
    if (!thing->opaque) {
        write_key(out, "opaque");
        oct_sink_text(out, "false");
    }
    oct_sink_text(out, "}");
}

static void write_look(sink *out, const trace_head *head, const tour_event *event)
{
    oct_sink_text(out, "{\"event\": \"look\"");
    write_point(out, "at", event->at);
    if (event->fov < 360.0) {
        write_point(out, "forward", event->forward);
        write_number(out, "fov", event->fov);
    }
    write_count(out, "known", event->known);
    write_count(out, "hidden", event->seen.hidden);
    write_time(out, head, event);
    write_key(out, "things");
    oct_sink_text(out, "[");
    for (size_t i = 0; i < event->added_count && !out->failed; i++) {
        oct_sink_text(out, i > 0 ? ", " : "");
        write_thing(out, head, &event->added[i]);
    }
    oct_sink_text(out, "]}\n");
}

static void write_cell(sink *out, const char *key, const int64_t *numbers, size_t count)
{
    write_key(out, key);
    for (size_t i = 0; i < count; i++) {
        oct_sink_text(out, i > 0 ? ", " : "[");
        oct_sink_text(out, numbers[i] < 0 ? "-" : "");
        oct_sink_number(out, (uint64_t)(numbers[i] < 0 ? -numbers[i] : numbers[i]));
    }
    oct_sink_text(out, "]");
}

static void write_plan(sink *out, const trace_head *head, const tour_event *event)
{
    const oct_exploration *const plan = event->plan;
    const oct_vec cell = plan->frontier;
    const oct_leaf leaf = plan->leaf;
    oct_sink_text(out, "{\"event\": \"plan\"");
    write_count(out, "call", event->call);
    write_word(out, "status", oct_explore_status_name(plan->status));
    write_word(out, "why", oct_explore_why_name(plan->why));
    if (plan->status == OCT_EXPLORE_GO) {
        write_cell(out, "frontier", (const int64_t[]){cell.x, cell.y, cell.z}, 3);
        write_cell(out, "leaf", (const int64_t[]){leaf.x, leaf.y, leaf.z, leaf.level}, 4);
    }
    if (plan->has_found) {
        write_key(out, "found");
        write_id(out, plan->found.id);
        oct_sink_text(out, "}");
    }
    write_time(out, head, event);
    if (plan->status == OCT_EXPLORE_GO || plan->status == OCT_EXPLORE_ARRIVE) {
        write_number(out, "length", plan->path.length);
        write_points(out, plan->path.points, plan->path.point_count);
    }
    oct_sink_text(out, "}\n");
}

static void write_move(sink *out, const tour_event *event)
{
    oct_sink_text(out, "{\"event\": \"move\"");
    write_number(out, "length", event->length);
    write_points(out, event->points, event->point_count);
    oct_sink_text(out, "}\n");
}

void oct_trace_event(sink *out, const trace_head *head, const tour_event *event)
{
    switch (event->step) {
    case TOUR_LOOK:
        write_look(out, head, event);
        break;
    case TOUR_PLAN:
        write_plan(out, head, event);
        break;
    case TOUR_MOVE:
        write_move(out, event);
        break;
    }
}

// ---- the last line ----

void oct_trace_tail(sink *out, const trace_tail *tail)
{
    const tour_result *const tour = tail->tour;
    const oct_remains *const remains = tail->remains;
    oct_sink_text(out, "{\"event\": \"end\"");
    write_word(out, "status", oct_tour_status_name(tour->status));
    write_point(out, "at", tour->at);
    write_count(out, "calls", tour->calls);
    write_count(out, "looks", tour->looks);
    write_number(out, "travelled", tour->travelled);
    write_count(out, "open", tail->counts[OCT_OPEN]);
    write_count(out, "blocked", tail->counts[OCT_BLOCKED]);
    write_count(out, "unknown", tail->counts[OCT_UNKNOWN]);
    oct_sink_text(out, ", \"remains\": {\"open\": ");
    oct_sink_number(out, remains->open);
    write_count(out, "sealed", remains->sealed);
    write_count(out, "unknown", remains->unknown);
    write_count(out, "frontier", remains->frontier);
    write_count(out, "hidden", remains->hidden);
    write_count(out, "walled", remains->walled);
    write_count(out, "beyond", remains->beyond);
    oct_sink_text(out, "}}\n");
}
