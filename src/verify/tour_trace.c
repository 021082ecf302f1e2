// SPDX-License-Identifier: MIT
#include "verify/tour_trace.h"
#include "octant/names.h"
#include "octant/tree.h"

#include "report/trace_parts.h"

static void write_time(sink *out, const tour_trace_head *head, const tour_event *event)
{
    if (head->times) {
        oct_trace_number(out, "us", (double)event->time * head->time_us);
    }
}

// ---- the first line ----

static oct_bounds bounds_of(const oct_map *map, const oct_box *box)
{
    const double cell = oct_tree_cell_size(oct_map_tree(map));
    const oct_point o = oct_tree_origin(oct_map_tree(map));
    const bool flat = oct_tree_dims(oct_map_tree(map)) == 2;
    return (oct_bounds){
        {o.x + box->min.x * cell, o.y + box->min.y * cell, flat ? 0.0 : o.z + box->min.z * cell},
        {o.x + box->max.x * cell, o.y + box->max.y * cell, flat ? 0.0 : o.z + box->max.z * cell}};
}

static void write_task(sink *out, const tour_trace_head *head)
{
    static const char *const tasks[] = {"explore", "to", "find"};
    oct_trace_word(out, "task", tasks[head->tour->task]);
    if (head->tour->task == TOUR_TO) {
        oct_trace_point(out, "to", head->tour->to);
    }
    if (head->tour->task == TOUR_FIND) {
        oct_trace_word(out, "find", head->find);
    }
    oct_trace_word(out, "strategy", head->strategy);
    oct_trace_count(out, "seed", head->seed);
}

void oct_tour_trace_head(sink *out, const tour_trace_head *head)
{
    static const char *const ups[] = {"x", "y", "z"};
    const tour_def *const tour = head->tour;
    oct_sink_text(out, "{\"octant_trace\": ");
    oct_sink_number(out, OCT_TRACE_VERSION);
    oct_trace_word(out, "world", head->file);
    if (head->world) {
        oct_trace_word(out, "name", oct_world_name(head->world));
    }
    oct_trace_count(out, "dims", oct_tree_dims(oct_map_tree(head->map)));
    oct_trace_word(out, "up", ups[head->up]);
    oct_trace_word(out, "handed", head->left_handed ? "left" : "right");
    oct_trace_number(out, "cell", oct_tree_cell_size(oct_map_tree(head->map)));
    oct_trace_point(out, "origin", oct_tree_origin(oct_map_tree(head->map)));
    oct_trace_point(out, "body", head->body);
    oct_trace_point(out, "padding", oct_map_padding(head->map));
    oct_trace_word(out, "structure", head->structure);
    oct_trace_number(out, "radius", tour->radius);
    oct_trace_word(out, "sight", tour->sight == OCT_SIGHT_LINE ? "line" : "through");
    oct_trace_number(out, "fov", tour->fov);
    oct_trace_number(out, "step", tour->step);
    write_task(out, head);
    if (tour->bounds) {
        oct_trace_bounds(out, "bounds", bounds_of(head->map, tour->bounds));
    }
    oct_trace_point(out, "start", tour->start);
    oct_sink_text(out, "}\n");
}

// ---- events ----

static void write_thing(sink *out, const tour_trace_head *head, const oct_thing *thing)
{
    oct_sink_text(out, "{\"id\": ");
    oct_trace_id(out, thing->id);
    if (head->world) {
        oct_trace_word(out, "type", oct_world_get_type(head->world, thing->tag).name);
    }
    oct_trace_bounds(out, "box", thing->box);
    if (thing->label != OCT_BLOCKED) {
        oct_trace_word(out, "label", thing->label == OCT_OPEN ? "open" : "unknown");
    }
    if (!thing->opaque) {
        oct_trace_key(out, "opaque");
        oct_sink_text(out, "false");
    }
    oct_sink_text(out, "}");
}

static void write_look(sink *out, const tour_trace_head *head, const tour_event *event)
{
    oct_sink_text(out, "{\"event\": \"look\"");
    oct_trace_point(out, "at", event->at);
    if (event->fov < 360.0) {
        oct_trace_point(out, "forward", event->forward);
        oct_trace_number(out, "fov", event->fov);
    }
    oct_trace_count(out, "known", event->known);
    oct_trace_count(out, "hidden", event->seen.hidden);
    write_time(out, head, event);
    oct_trace_key(out, "things");
    oct_sink_text(out, "[");
    for (size_t i = 0; i < event->added_count && !out->failed; i++) {
        oct_sink_text(out, i > 0 ? ", " : "");
        write_thing(out, head, &event->added[i]);
    }
    oct_sink_text(out, "]}\n");
}

static void write_cell(sink *out, const char *key, const int64_t *numbers, size_t count)
{
    oct_trace_key(out, key);
    for (size_t i = 0; i < count; i++) {
        oct_sink_text(out, i > 0 ? ", " : "[");
        oct_sink_text(out, numbers[i] < 0 ? "-" : "");
        oct_sink_number(out, (uint64_t)(numbers[i] < 0 ? -numbers[i] : numbers[i]));
    }
    oct_sink_text(out, "]");
}

static void write_plan(sink *out, const tour_trace_head *head, const tour_event *event)
{
    const oct_exploration *const plan = event->plan;
    const oct_vec cell = plan->frontier;
    const oct_leaf leaf = plan->leaf;
    oct_sink_text(out, "{\"event\": \"plan\"");
    oct_trace_count(out, "call", event->call);
    oct_trace_word(out, "status", oct_explore_status_name(plan->status));
    oct_trace_word(out, "why", oct_explore_why_name(plan->why));
    if (plan->status == OCT_EXPLORE_GO) {
        write_cell(out, "frontier", (const int64_t[]){cell.x, cell.y, cell.z}, 3);
        write_cell(out, "leaf", (const int64_t[]){leaf.x, leaf.y, leaf.z, leaf.level}, 4);
    }
    if (plan->has_found) {
        oct_trace_key(out, "found");
        oct_sink_text(out, "{\"id\": ");
        oct_trace_id(out, plan->found.id);
        oct_sink_text(out, "}");
    }
    write_time(out, head, event);
    if (plan->status == OCT_EXPLORE_GO || plan->status == OCT_EXPLORE_ARRIVE) {
        oct_trace_number(out, "length", plan->path.length);
        oct_trace_points(out, plan->path.points, plan->path.point_count);
    }
    oct_sink_text(out, "}\n");
}

static void write_move(sink *out, const tour_event *event)
{
    oct_sink_text(out, "{\"event\": \"move\"");
    oct_trace_number(out, "length", event->length);
    oct_trace_points(out, event->points, event->point_count);
    oct_sink_text(out, "}\n");
}

void oct_tour_trace_event(sink *out, const tour_trace_head *head, const tour_event *event)
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

void oct_tour_trace_tail(sink *out, const tour_trace_tail *tail)
{
    const tour_result *const tour = tail->tour;
    const oct_remains *const remains = tail->remains;
    oct_sink_text(out, "{\"event\": \"end\"");
    oct_trace_word(out, "status", oct_tour_status_name(tour->status));
    oct_trace_point(out, "at", tour->at);
    oct_trace_count(out, "calls", tour->calls);
    oct_trace_count(out, "looks", tour->looks);
    oct_trace_number(out, "travelled", tour->travelled);
    oct_trace_count(out, "open", tail->counts[OCT_OPEN]);
    oct_trace_count(out, "blocked", tail->counts[OCT_BLOCKED]);
    oct_trace_count(out, "unknown", tail->counts[OCT_UNKNOWN]);
    oct_sink_text(out, ", \"remains\": {\"open\": ");
    oct_sink_number(out, remains->open);
    oct_trace_count(out, "sealed", remains->sealed);
    oct_trace_count(out, "unknown", remains->unknown);
    oct_trace_count(out, "frontier", remains->frontier);
    oct_trace_count(out, "hidden", remains->hidden);
    oct_trace_count(out, "walled", remains->walled);
    oct_trace_count(out, "beyond", remains->beyond);
    oct_sink_text(out, "}}\n");
}
