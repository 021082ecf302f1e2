// SPDX-License-Identifier: MIT
// What octant explore says at the end.
#include "cli/explore.h"

// ---- JSON ----

static double mean_us(uint64_t ns, uint64_t count)
{
    return count > 0 ? (double)ns * 1e-3 / (double)count : 0.0;
}

static json_t *point_json(oct_point at)
{
    return json_pack("[f, f, f]", at.x, at.y, at.z);
}

static json_t *bounds_json(const exploration *e)
{
    const oct_box *const box = &e->scene.bounds;
    if (!e->scene.bounded) {
        return json_null();
    }
    return json_pack("{s:[i, i, i], s:[i, i, i]}", "min", box->min.x, box->min.y, box->min.z, "max",
                     box->max.x, box->max.y, box->max.z);
}

static json_t *grid_json(const exploration *e)
{
    const oct_vec size = e->grid_size;
    return size.x > 0 ? json_pack("[i, i, i]", size.x, size.y, size.z) : json_null();
}

static json_t *remains_json(const oct_remains *r)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "open", (json_int_t)r->open, "sealed",
                     (json_int_t)r->sealed, "unknown", (json_int_t)r->unknown, "frontier",
                     (json_int_t)r->frontier, "hidden", (json_int_t)r->hidden, "walled",
                     (json_int_t)r->walled, "beyond", (json_int_t)r->beyond);
}

// The id as a text: it may have 64 bits.
static json_t *found_json(const exploration *e)
{
    size_t index;
    if (!e->result.has_found || !oct_world_find(e->scene.world.world, e->result.found.id, &index)) {
        return json_null();
    }
    const oct_world_block block = oct_world_get(e->scene.world.world, index);
    char id[24];
    snprintf(id, sizeof id, "%llu", (unsigned long long)block.id);
    return json_pack("{s:s, s:s, s:s}", "id", id, "type",
                     oct_world_get_type(e->scene.world.world, block.type).name, "name", block.name);
}

static json_t *checked_json(const exploration *e, uint64_t count)
{
    return e->checked ? json_integer((json_int_t)count) : json_null();
}

int oct_cli_print_exploration_json(const exploration *e)
{
    const tour_result *const r = &e->result;
    json_t *const object = json_pack(
        "{s:s, s:I, s:f, s:f, s:I, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:I}", "status",
        oct_tour_status_name(r->status), "calls", (json_int_t)r->calls, "mean_call_us",
        mean_us(r->plan_time, r->calls), "max_call_us", (double)r->plan_time_max * 1e-3, "looks",
        (json_int_t)r->looks, "observe_us", mean_us(r->look_time, r->looks), "planning_ms",
        (double)r->plan_time / NS_A_MS, "mapping_ms", (double)r->look_time / NS_A_MS, "travelled",
        r->travelled, "open", (json_int_t)e->counts[OCT_OPEN], "blocked",
        (json_int_t)e->counts[OCT_BLOCKED], "unknown", (json_int_t)e->counts[OCT_UNKNOWN], "things",
        (json_int_t)oct_map_things(e->map));
    json_t *const more = json_pack(
        "{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:s, s:s, s:s, s:f, s:f, "
        "s:o, s:o, s:o, s:o}",
        "remains", remains_json(&e->remains), "bytes", (json_int_t)e->map_bytes.cells,
        "obstacle_bytes", (json_int_t)e->map_bytes.things, "frontier_bytes",
        (json_int_t)e->bytes.frontier, "components_bytes", (json_int_t)e->bytes.components,
        "planner_bytes", (json_int_t)e->bytes.planner, "nodes", (json_int_t)e->nodes, "grid_size",
        grid_json(e), "reachable", checked_json(e, e->reach.reachable), "flood",
        checked_json(e, e->reach.flood), "differ", checked_json(e, e->reach.differ), "found",
        found_json(e), "structure", e->structure, "sight",
        e->tour.sight == OCT_SIGHT_LINE ? "line" : "through", "strategy", e->head.strategy, "cell",
        e->scene.def.cell_size, "radius", e->tour.radius, "start", point_json(e->tour.start), "end",
        point_json(r->at), "bounds", bounds_json(e), "trace_bytes",
        e->trace_bytes > 0 ? json_integer((json_int_t)e->trace_bytes) : json_null());
    return oct_cli_print_json(oct_cli_json_join(object, more));
}

// ---- text ----

bool oct_cli_exploration_is_good(const exploration *e)
{
    const tour_status status = e->result.status;
    const bool done = e->tour.task == TOUR_EXPLORE
                          ? status == TOUR_EXPLORED || status == TOUR_BOUNDED
                          : status == TOUR_ARRIVED;
    return done && !(e->checked && e->reach.differ > 0);
}

static void print_verdict(const exploration *e)
{
    static const char *const verdicts[TOUR_STATUS_COUNT] = {
        [TOUR_EXPLORED] = "explored: nothing that can be reached is unknown",
        [TOUR_BOUNDED] = "explored up to the bounds; beyond them there is more",
        [TOUR_ARRIVED] = "arrived",
        [TOUR_UNREACHABLE] = "there is no way",
        [TOUR_BUDGET] = "the limit came first",
    };
    printf("%s: ", CLI_SHOWN(e->scene.path));
    oct_cli_printf(oct_cli_exploration_is_good(e) ? CLI_GREEN : CLI_RED, "%s",
                   verdicts[e->result.status]);
    if (e->find && !e->result.has_found) {
        printf("; nothing that is called '%s' was seen", CLI_SHOWN(e->find));
    }
    printf("\n");
}

static void print_times(const exploration *e)
{
    const tour_result *const r = &e->result;
    const cli_time mean = oct_cli_time(mean_us(r->plan_time, r->calls));
    const cli_time most = oct_cli_time((double)r->plan_time_max * 1e-3);
    const cli_time look = oct_cli_time(mean_us(r->look_time, r->looks));
    const cli_time all = oct_cli_time((double)(r->plan_time + r->look_time) * 1e-3);
    printf("  %-12s %12llu  mean %.4g %s, at most %.4g %s\n", "calls", (unsigned long long)r->calls,
           mean.value, mean.unit, most.value, most.unit);
    printf("  %-12s %12llu  mean %.4g %s; with the calls %.4g %s\n", "looks",
           (unsigned long long)r->looks, look.value, look.unit, all.value, all.unit);
    printf("  %-12s %12.6g  m\n", "travelled", r->travelled);
}

static void print_count(const char *name, uint64_t count, const char *words)
{
    printf("  %-12s %12llu  %s\n", name, (unsigned long long)count, words);
}

static void print_remains(const exploration *e)
{
    const oct_remains *const r = &e->remains;
    const char *const where = e->scene.bounded ? "cells of the bounds" : "cells of what is known";
    print_count("open", e->counts[OCT_OPEN], where);
    print_count("blocked", e->counts[OCT_BLOCKED], where);
    print_count("unknown", e->counts[OCT_UNKNOWN], where);
    print_count("reachable", r->open, "open cells");
    print_count("sealed", r->sealed, "open cells that cannot be reached");
    print_count("walled", r->walled, "of them next to unknown ones");
    print_count("frontier", r->frontier, "reachable cells next to unknown ones, left to explore");
    print_count("hidden", r->hidden, "the same, but from there nothing more is to be seen");
    print_count("beyond", r->beyond,
                "faces of reachable cells at the bounds, with more behind them");
}

void oct_cli_print_exploration(const exploration *e)
{
    print_verdict(e);
    print_times(e);
    print_remains(e);
    print_count("map", e->map_bytes.cells, e->baseline ? "bytes" : "bytes, packed");
    print_count("nodes", e->nodes,
                !e->baseline         ? "of the octree, leaves included"
                : e->grid_size.x > 0 ? "voxels of the grid"
                                     : "blocked cells of the set");
    print_count("things", e->map_bytes.things, "bytes");
    print_count("planning", e->bytes.frontier + e->bytes.components + e->bytes.planner,
                "bytes of frontier, components and planner");
    if (e->trace_bytes > 0) {
        print_count("trace", e->trace_bytes, "bytes");
    }
    if (e->checked) {
        const bool same = e->reach.differ == 0;
        printf("  %-12s %12llu  cells of %llu that a flood of the world reaches: ", "checked",
               (unsigned long long)e->reach.reachable, (unsigned long long)e->reach.flood);
        oct_cli_printf(same ? CLI_GREEN : CLI_RED, same ? "the same\n" : "not the same\n");
    }
}
