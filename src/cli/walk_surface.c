// SPDX-License-Identifier: MIT
// Surfaces as commands see them, and octant map info --walk.
#include "cli/walk.h"
#include "files/files_internal.h"
#include "octant/files.h"

#include <string.h>

#define CORNER_ANGLE 150.0 // as Prasetya et al. 2020 have it

// ---- opening ----

static int add_shapes(const char *path, cli_surface *s)
{
    oct_error error = {.line = 0};
    const oct_result result = oct_surface_load_shapes(path, NULL, &s->shapes, &error);
    CLI_TRY(oct_cli_check_file(path, result, &error));
    const oct_surface_shape *const shapes = s->shapes.shapes.items;
    for (size_t i = 0; i < s->shapes.shapes.count; i++) {
        uint32_t id;
        const oct_result added = oct_surface_graph_add(s->graph, &shapes[i], &id);
        if (added == OCT_ERROR_ARGUMENT) {
            return oct_cli_complain("%s: shapes[%zu] has an outline that is not convex, seen from "
                                    "above",
                                    path, i);
        }
        CLI_TRY(oct_cli_check(path, added));
    }
    return CLI_YES;
}

// The graph of the surface, or, where there are rules, of its walking space.
static oct_result make_graph(const oct_walking_rules *rules, cli_surface *s)
{
    if (!rules) {
        return oct_surface_graph_create(s->surface, CORNER_ANGLE, NULL, &s->graph);
    }
    OCT_TRY(oct_walking_space_create(s->surface, rules, &s->space));
    return oct_surface_graph_create_walking(s->space, CORNER_ANGLE, NULL, &s->graph);
}

int oct_cli_open_surface(const char *path, oct_up up, double view_distance,
                         const oct_walking_rules *rules, const char *shapes, cli_surface *out)
{
    *out = (cli_surface){.path = path};
    oct_surface_def def = oct_surface_def_default();
    def.up = up;
    def.view_distance = view_distance;
    oct_error error = {.line = 0};
    const double start = oct_cli_now_ms();
    const oct_result result = oct_surface_load(path, &def, &out->surface, &out->kind, &error);
    CLI_TRY(oct_cli_check_file(path, result, &error));
    out->load_ms = oct_cli_now_ms() - start;
    int code = oct_cli_check(path, make_graph(rules, out));
    if (code == CLI_YES && shapes) {
        code = add_shapes(shapes, out);
    }
    if (code != CLI_YES) {
        oct_cli_close_surface(out);
    }
    return code;
}

void oct_cli_close_surface(cli_surface *s)
{
    oct_surface_free_shapes(&s->shapes, NULL);
    oct_surface_graph_destroy(s->graph);
    oct_walking_space_destroy(s->space);
    oct_surface_destroy(s->surface);
}

// ---- words ----

int oct_cli_read_place(const char *command, const char *option, const char *text, oct_point *out)
{
    double values[3];
    if (oct_cli_read_numbers(text, values, 3) != 3) {
        return oct_cli_complain("%s: --%s must be X,Y,Z in metres, not '%s'", command, option,
                                text);
    }
    *out = (oct_point){values[0], values[1], values[2]};
    return CLI_YES;
}

int oct_cli_read_rules(const char *command, const char *text, oct_walking_rules *out)
{
    *out = oct_walking_rules_default();
    const struct {
        const char *name;
        double *value, most;
    } rules[] = {{"step", &out->step, 1e6},     {"slope", &out->slope, 90},
                 {"climb", &out->climb, 1e6},   {"leap", &out->leap, 1e6},
                 {"drop", &out->drop, 1e6},     {"margin", &out->margin, 1e6},
                 {"stride", &out->stride, 1e6}, {"spacing", &out->spacing, 1e6}};
    for (const char *at = text; *at;) {
        const size_t word = strcspn(at, "=,"), length = strcspn(at, ",");
        char number[64];
        bool found = false;
        for (size_t i = 0; i < sizeof rules / sizeof rules[0] && word < length; i++) {
            if (strlen(rules[i].name) == word && memcmp(rules[i].name, at, word) == 0 &&
                length - word - 1 < sizeof number) {
                memcpy(number, at + word + 1, length - word - 1);
                number[length - word - 1] = '\0';
                found = oct_cli_read_numbers(number, rules[i].value, 1) == 1 &&
                        *rules[i].value >= 0.0 && *rules[i].value <= rules[i].most &&
                        (rules[i].value != &out->spacing || out->spacing >= 1e-3);
            }
        }
        if (!found) {
            return oct_cli_complain("%s: --rules must be metres such as step=0.4,climb=1.1,leap=3,"
                                    "drop=4, also slope, margin, stride, spacing; not '%.*s'",
                                    command, (int)length, at);
        }
        at += length + (at[length] == ',');
    }
    return CLI_YES;
}

// ---- pictures ----

static oct_result write_picture(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    (void)error;
    sink out;
    oct_sink_open(&out, write, file);
    oct_surface_draw(&out, ctx);
    oct_sink_flush(&out);
    return out.failed ? OCT_ERROR_FILE : OCT_OK;
}

int oct_cli_draw_surface(const surface_picture *picture, const char *path)
{
    if (!path) {
        return CLI_YES;
    }
    surface_picture own = *picture;
    oct_error error = {.line = 0};
    const oct_result result = oct_file_replace(path, write_picture, &own, NULL, &error);
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

static int print_info(const cli_surface *s, bool json)
{
    const oct_surface_info i = oct_surface_info_of(s->surface);
    if (json) {
        return oct_cli_print_json(json_pack(
            "{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:[fff], s:[fff], "
            "s:o, s:I, s:I, s:f}",
            "format", "surface", "kind", s->kind, "faces", (json_int_t)i.faces, "corners",
            (json_int_t)i.corners, "islands", (json_int_t)i.islands, "borders",
            (json_int_t)i.borders, "turns", (json_int_t)i.turns, "given", (json_int_t)i.given,
            "left_out", (json_int_t)i.left_out, "concave", (json_int_t)i.concave, "split",
            (json_int_t)i.split, "crowded", (json_int_t)i.crowded, "area", i.area, "min",
            i.bounds.min.x, i.bounds.min.y, i.bounds.min.z, "max", i.bounds.max.x, i.bounds.max.y,
            i.bounds.max.z, "baked", oct_cli_baked_json(&i.baked), "details", (json_int_t)i.details,
            "bytes", (json_int_t)i.bytes, "load_ms", s->load_ms));
    }
    printf("surface (%s), %u faces of %u given\n", s->kind, (unsigned)i.faces, (unsigned)i.given);
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

int oct_cli_surface_info(const char *path, oct_up up, const char *shapes, const char *svg,
                         bool json)
{
    cli_surface s;
    CLI_TRY(oct_cli_open_surface(path, up, 0.0, NULL, shapes, &s));
    const surface_picture picture = {.title = path, .graph = s.graph};
    int code = print_info(&s, json);
    code = code == CLI_YES ? oct_cli_draw_surface(&picture, svg) : code;
    oct_cli_close_surface(&s);
    return code;
}
