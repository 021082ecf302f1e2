// SPDX-License-Identifier: MIT
// octant path --walk and octant map info --walk: surfaces to walk on.
#include "cli/walk.h"
#include "octant/files.h"
#include "octant/surface_path.h"

int oct_cli_open_surface(const char *path, oct_up up, oct_surface **out, const char **kind)
{
    oct_surface_def def = oct_surface_def_default();
    def.up = up;
    oct_error error = {.line = 0};
    const oct_result result = oct_surface_load(path, &def, out, kind, &error);
    return oct_cli_check_file(path, result, &error);
}

// ---- map info ----

void oct_cli_print_baked(const oct_surface_baked *baked)
{
    if (!baked->is_known) {
        return;
    }
    printf("  %-12s %12.6g  m, baked for; measured along the border: at least %.6g m\n", "radius",
           baked->radius, baked->clearance);
    printf("  %-12s %12.6g  m, after rounding\n", "climb", baked->climb);
    printf("  %-12s %12.6g  m off the floor on average, %.6g m at most\n", "heights",
           baked->height_mean, baked->height_most);
}

json_t *oct_cli_baked_json(const oct_surface_baked *baked)
{
    return baked->is_known
               ? json_pack("{s:f, s:f, s:f, s:f, s:f}", "radius", baked->radius, "clearance",
                           baked->clearance, "climb", baked->climb, "height_mean",
                           baked->height_mean, "height_most", baked->height_most)
               : json_null();
}

int oct_cli_surface_info(const char *path, oct_up up, bool json)
{
    oct_surface *surface;
    const char *kind;
    const double start = oct_cli_now_ms();
    CLI_TRY(oct_cli_open_surface(path, up, &surface, &kind));
    const double load_ms = oct_cli_now_ms() - start;
    const oct_surface_info i = oct_surface_info_of(surface);
    oct_surface_destroy(surface);
    if (json) {
        return oct_cli_print_json(json_pack(
            "{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:[fff], s:[fff], "
            "s:o, s:I, s:I, s:f}",
            "format", "surface", "kind", kind, "faces", (json_int_t)i.faces, "corners",
            (json_int_t)i.corners, "islands", (json_int_t)i.islands, "borders",
            (json_int_t)i.borders, "turns", (json_int_t)i.turns, "given", (json_int_t)i.given,
            "left_out", (json_int_t)i.left_out, "concave", (json_int_t)i.concave, "split",
            (json_int_t)i.split, "crowded", (json_int_t)i.crowded, "area", i.area, "min",
            i.bounds.min.x, i.bounds.min.y, i.bounds.min.z, "max", i.bounds.max.x, i.bounds.max.y,
            i.bounds.max.z, "baked", oct_cli_baked_json(&i.baked), "details", (json_int_t)i.details,
            "bytes", (json_int_t)i.bytes, "load_ms", load_ms));
    }
    printf("surface (%s), %u faces of %u given\n", kind, (unsigned)i.faces, (unsigned)i.given);
    printf("  %-12s %12u  left out %u, cut %u, crowded edges %u\n", "corners", (unsigned)i.corners,
           (unsigned)i.left_out, (unsigned)i.concave, (unsigned)i.crowded);
    printf("  %-12s %12u\n", "islands", (unsigned)i.islands);
    printf("  %-12s %12u  edges\n", "borders", (unsigned)i.borders);
    printf("  %-12s %12.6g  m2, seen from above\n", "area", i.area);
    printf("  %-12s %12.6g %12.6g %12.6g\n", "from", i.bounds.min.x, i.bounds.min.y,
           i.bounds.min.z);
    printf("  %-12s %12.6g %12.6g %12.6g\n", "to", i.bounds.max.x, i.bounds.max.y, i.bounds.max.z);
    oct_cli_print_baked(&i.baked);
    printf("  %-12s %12zu  bytes\n", "memory", i.bytes);
    return CLI_YES;
}

// ---- path ----

static const char *status_word(oct_surface_status status)
{
    static const char *const words[] = {
        [OCT_SURFACE_FOUND] = "found",
        [OCT_SURFACE_UNREACHABLE] = "unreachable",
        [OCT_SURFACE_FROM_OFF] = "from-off",
        [OCT_SURFACE_TO_OFF] = "to-off",
    };
    return words[status];
}

static json_t *points_json(const oct_point *points, uint32_t count)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_array_append_new(list, json_pack("[f, f, f]", points[i].x, points[i].y, points[i].z));
    }
    return list;
}

static json_t *place_json(const oct_surface_place *place)
{
    return json_pack("{s:b, s:o, s:[fff], s:f}", "is_on", (int)place->is_on, "face",
                     place->face == OCT_SURFACE_NONE ? json_null() : json_integer(place->face),
                     "point", place->point.x, place->point.y, place->point.z, "distance",
                     place->distance);
}

static int print_json(const oct_surface_path *path, double surface_length, double time_us,
                      const oct_point *draped, uint32_t draped_count)
{
    const bool found = path->status == OCT_SURFACE_FOUND;
    return oct_cli_print_json(json_pack(
        "{s:s, s:o, s:o, s:I, s:f, s:o, s:o, s:o, s:o}", "status", status_word(path->status),
        "length", found ? json_real(path->length) : json_null(), "surface_length",
        found ? json_real(surface_length) : json_null(), "expanded", (json_int_t)path->expanded,
        "time_us", time_us, "points", points_json(path->points, path->point_count),
        "surface_points", points_json(draped, draped_count), "from", place_json(&path->from), "to",
        place_json(&path->to)));
}

static void print_off(const char *which, const oct_surface_place *place)
{
    if (place->face != OCT_SURFACE_NONE) {
        printf("  %s is not on the surface; the nearest place, %.6g m away: %.6g, %.6g, %.6g\n",
               which, place->distance, place->point.x, place->point.y, place->point.z);
    }
}

static void print_text(const oct_surface_path *path, double surface_length, double time_us,
                       bool points)
{
    const bool found = path->status == OCT_SURFACE_FOUND;
    const cli_time time = oct_cli_time(time_us);
    oct_cli_printf(found ? CLI_GREEN : CLI_RED, found ? "found a path\n" : "there is no path\n");
    if (path->status == OCT_SURFACE_FROM_OFF || path->status == OCT_SURFACE_TO_OFF) {
        const bool is_from = path->status == OCT_SURFACE_FROM_OFF;
        print_off(is_from ? "the start" : "the goal", is_from ? &path->from : &path->to);
        return;
    }
    if (!found) {
        printf("  start and goal are on different islands\n");
        return;
    }
    printf("  %-12s %12.6g  m in the ground plane, %.6g m on the surface\n", "length", path->length,
           surface_length);
    printf("  %-12s %12llu  intervals and corners\n", "expanded",
           (unsigned long long)path->expanded);
    printf("  %-12s %12.4g  %s\n", "time", time.value, time.unit);
    for (uint32_t i = 0; points && i < path->point_count; i++) {
        const oct_point at = path->points[i];
        printf("%s  %-12s %12.6g %12.6g %12.6g\n", i == 0 ? "\n" : "", i == 0 ? "points" : "", at.x,
               at.y, at.z);
    }
}

static int report(const cli_walk *walk, oct_surface_planner *planner, oct_surface_path *path,
                  double time_us)
{
    const oct_point *draped = NULL;
    uint32_t count = 0;
    double length = 0.0;
    if (path->status == OCT_SURFACE_FOUND) {
        CLI_TRY(oct_cli_check(walk->path,
                              oct_surface_drape(planner, path->points, path->point_count,
                                                path->from.face, &draped, &count, &length)));
    }
    if (walk->json) {
        CLI_TRY(print_json(path, length, time_us, draped, count));
    } else {
        print_text(path, length, time_us, walk->points);
    }
    return path->status == OCT_SURFACE_FOUND ? CLI_YES : CLI_NO;
}

// The first query grows the planner's memory, the second one is timed.
static int search(const cli_walk *walk, oct_surface_planner *planner)
{
    oct_surface_query query = oct_surface_query_default();
    query.from = walk->from;
    query.to = walk->to;
    query.step_height = walk->step;
    oct_surface_path path;
    CLI_TRY(oct_cli_check(walk->path, oct_surface_plan(planner, &query, &path)));
    const double start = oct_cli_now_ms();
    CLI_TRY(oct_cli_check(walk->path, oct_surface_plan(planner, &query, &path)));
    return report(walk, planner, &path, (oct_cli_now_ms() - start) * 1e3);
}

int oct_cli_walk(const cli_walk *walk)
{
    oct_surface *surface;
    oct_surface_planner *planner = NULL;
    CLI_TRY(oct_cli_open_surface(walk->path, walk->up, &surface, NULL));
    int code = oct_cli_check(walk->path, oct_surface_planner_create(surface, NULL, &planner));
    if (code == CLI_YES) {
        code = search(walk, planner);
    }
    oct_surface_planner_destroy(planner);
    oct_surface_destroy(surface);
    return code;
}
