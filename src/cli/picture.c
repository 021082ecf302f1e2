// SPDX-License-Identifier: MIT
#include "cli/picture.h"
#include "files/files_internal.h"
#include "octant/mesh.h"
#include "octant/tree.h"
#include "report/drawing.h"

#include <math.h>
#include <string.h>

#define WIDTH 900.0 // pixels of a drawing
#define HEIGHT 640.0
#define MARGIN 20.0
#define HEAD 34.0
#define CAPTION 26.0
#define ROW 22.0 // of a legend
#define COLUMN 220.0
#define SLICES_MAX 8
#define NEAR_SHARE 0.05 // of what a way has to be near a slice to count as in it: of the extent

typedef struct cuts {
    drawing_plane planes[SLICES_MAX];
    size_t count;
} cuts;

// ---- slices ----

typedef struct slice {
    int axis;
    double at;
} slice;

// Reads "z=1.5,x=20"; 0 where it is anything else.
static size_t read_slices(const char *text, slice out[SLICES_MAX])
{
    size_t count = 0;
    while (count < SLICES_MAX) {
        if (text[0] < 'x' || text[0] > 'z' || text[1] != '=') {
            return 0;
        }
        char number[64];
        const size_t length = strcspn(text + 2, ",");
        if (length >= sizeof number) {
            return 0;
        }
        memcpy(number, text + 2, length);
        number[length] = '\0';
        out[count].axis = text[0] - 'x';
        if (oct_cli_read_numbers(number, &out[count].at, 1) != 1) {
            return 0;
        }
        count++;
        text += 2 + length;
        if (!*text) {
            return count;
        }
        text++;
    }
    return 0;
}

int oct_cli_check_slices(const char *command, const cli_value *svg, const cli_value *given)
{
    slice slices[SLICES_MAX];
    if (given->given && !svg->given) {
        return oct_cli_complain("%s: --slice is for --svg", command);
    }
    if (given->given && read_slices(given->text, slices) == 0) {
        return oct_cli_complain("%s: --slice must be up to %d places such as z=1.5,x=20, not '%s'",
                                command, SLICES_MAX, given->text);
    }
    return CLI_YES;
}

// ---- planes ----

static drawing_plane plane_across(const cli_picture *p, int across)
{
    static const int axes[3][2] = {{1, 2}, {0, 2}, {0, 1}};
    drawing_plane plane = {.across = across, .axis = {axes[across][0], axes[across][1]}};
    if (across == (int)p->up) {
        plane.flipped = (p->up != OCT_UP_Y) != p->left_handed;
    } else {
        // What is up on the page is up in the world.
        plane.axis[0] = 3 - across - (int)p->up;
        plane.axis[1] = (int)p->up;
        plane.flipped = true;
    }
    return plane;
}

static double cell_side(const cli_picture *p, oct_vec corner, int axis)
{
    return oct_drawing_along(oct_tree_origin(p->tree), axis) +
           *oct_drawing_vec_along(&corner, axis) * oct_tree_cell_size(p->tree);
}

// Where the first way is half done; without one the middle of the box.
static double middle_of(const cli_picture *p, int axis)
{
    const oct_point *const points = p->way_count > 0 ? p->ways[0].points : NULL;
    const size_t count = points ? p->ways[0].count : 0;
    double least = 0.0, most = 0.0;
    if (count == 0) {
        return (cell_side(p, p->box.min, axis) + cell_side(p, p->box.max, axis)) / 2;
    }
    for (size_t i = 0; i < count; i++) {
        const double at = oct_drawing_along(points[i], axis);
        least = i == 0 ? at : fmin(least, at);
        most = i == 0 ? at : fmax(most, at);
    }
    return (least + most) / 2;
}

static int add_cut(const cli_picture *p, const slice *s, cuts *out)
{
    drawing_plane *const plane = &out->planes[out->count++];
    const double lo = cell_side(p, p->box.min, s->axis), hi = cell_side(p, p->box.max, s->axis);
    const double cell = oct_tree_cell_size(p->tree);
    const double near = fmax(2.0 * cell, NEAR_SHARE * (hi - lo));
    *plane = plane_across(p, s->axis);
    plane->at = s->at;
    plane->from = s->at - near;
    plane->until = s->at + near;
    oct_drawing_aim(plane, p->tree, p->box);
    if (s->at < lo || s->at >= hi) {
        return oct_cli_complain("%s: there is no slice %c=%g: the map goes from %g to %g", p->file,
                                "xyz"[s->axis], s -> at, lo, hi);
    }
    return CLI_YES;
}

// From above and from the side, or what was asked for.
static int choose_cuts(const cli_picture *p, const cli_value *given, cuts *out)
{
    slice slices[SLICES_MAX];
    const int up = (int)p->up;
    if (oct_tree_dims(p->tree) == 2) {
        const slice only = {.axis = 2, .at = 0.0};
        if (given->given) {
            return oct_cli_complain("%s: --slice is for maps of three dimensions", p->file);
        }
        cli_picture flat = *p;
        flat.up = OCT_UP_Z;
        flat.box.min.z = 0;
        flat.box.max.z = 1;
        const int code = add_cut(&flat, &only, out);
        out->planes[0].from = -HUGE_VAL;
        out->planes[0].until = HUGE_VAL;
        return code;
    }
    if (given->given) {
        const size_t count = read_slices(given->text, slices);
        for (size_t i = 0; i < count; i++) {
            CLI_TRY(add_cut(p, &slices[i], out));
        }
        return CLI_YES;
    }
    const int right = up == 0 ? 1 : 0, away = up == 2 ? 1 : 2;
    const oct_vec span = {p->box.max.x - p->box.min.x, p->box.max.y - p->box.min.y,
                          p->box.max.z - p->box.min.z};
    oct_vec s = span;
    // The longer axis goes to the right.
    const int across =
        *oct_drawing_vec_along(&s, right) >= *oct_drawing_vec_along(&s, away) ? away : right;
    CLI_TRY(add_cut(p, &(slice){up, middle_of(p, up)}, out));
    return add_cut(p, &(slice){across, middle_of(p, across)}, out);
}

// ---- drawing ----

typedef struct job {
    const cli_picture *picture;
    cuts cuts;
    uint32_t marks; // that occur, a bit each
    sink *out;
} job;

static bool is_device(const cli_picture *p, const oct_world_block *block)
{
    const oct_kind kind = oct_world_get_type(p->world, block->type).kind;
    return kind == OCT_KIND_DOOR || kind == OCT_KIND_PANEL;
}

// A box in a plane's own axes; false where the plane does not meet it.
static bool cut_box(const drawing_plane *plane, const oct_bounds *box, double min[2], double max[2])
{
    if (oct_drawing_along(box->min, plane->across) > plane->until ||
        oct_drawing_along(box->max, plane->across) < plane->from) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        min[i] = oct_drawing_along(box->min, plane->axis[i]);
        max[i] = oct_drawing_along(box->max, plane->axis[i]);
    }
    return true;
}

static void draw_devices(job *j, drawing *d, bool names)
{
    const cli_picture *const p = j->picture;
    double min[2], max[2];
    for (size_t i = 0; p->world && i < oct_world_blocks(p->world); i++) {
        const oct_world_block block = oct_world_get(p->world, i);
        if (!is_device(p, &block) || !cut_box(d->plane, &block.box, min, max)) {
            continue;
        }
        if (names && block.name[0]) {
            oct_drawing_put_name(d, min, max, block.name);
        } else if (!names) {
            const bool is_door = oct_world_get_type(p->world, block.type).kind == OCT_KIND_DOOR;
            const drawing_mark mark = !is_door                  ? DRAWING_PANEL
                                      : block.label == OCT_OPEN ? DRAWING_WAY
                                                                : DRAWING_DOOR;
            oct_drawing_begin_path(d, mark);
            oct_drawing_box(d, min, max);
            oct_drawing_end_path(d, block.name, "");
            j->marks |= 1u << mark;
        }
    }
}

static void draw_ways(job *j, drawing *d)
{
    const cli_picture *const p = j->picture;
    for (size_t i = 0; i < p->way_count; i++) {
        const drawing_way way = {.first = p->ways[i].points,
                                 .count = p->ways[i].count,
                                 .stride = sizeof(oct_point),
                                 .colour = oct_drawing_colour(i),
                                 .title = p->ways[i].name};
        oct_drawing_track(d, &way, false);
        oct_drawing_track(d, &way, true);
        oct_drawing_ends(d, &way);
        for (size_t k = 0; k < way.count; k++) {
            j->marks |= oct_drawing_is_here(d, way.first[k]) ? 0u : 1u << DRAWING_ELSE;
        }
        j->marks |= way.count > 0 ? 1u << DRAWING_START | 1u << DRAWING_END : 0u;
    }
}

static oct_result draw_plane(job *j, const drawing_plane *plane, double y)
{
    const oct_allocator memory = oct_allocator_default();
    oct_array cells = {0};
    drawing d;
    OCT_TRY(
        oct_drawing_take_cells(plane, j->picture->tree, j->picture->has_frontier, &memory, &cells));
    oct_drawing_fit(&d, plane, WIDTH, HEIGHT);
    oct_words_format(j->out, "<g transform=\"translate(%.0f 0)\">", MARGIN);
    oct_drawing_begin(&d, j->out, y);
    oct_drawing_cells(&d, cells.items);
    draw_devices(j, &d, false);
    draw_ways(j, &d);
    draw_devices(j, &d, true);
    oct_drawing_end(&d);
    oct_words_format(j->out, "<text class=\"m-caption\" y=\"%.0f\">",
                     y + d.height + DRAWING_BELOW + 12);
    if (oct_tree_dims(j->picture->tree) == 3) {
        oct_drawing_caption(j->out, plane, (int)j->picture->up);
    } else {
        oct_words_format(j->out, "x to the right, y %s", plane->flipped ? "up" : "down");
    }
    oct_sink_text(j->out, "</text></g>\n");
    for (size_t i = 0; i < cells.count; i++) {
        j->marks |= 1u << ((const uint8_t *)cells.items)[i];
    }
    oct_array_free(&cells, &memory, 1);
    return OCT_OK;
}

// Every mark that occurs, and every way by its name, in columns.
static void draw_legend(job *j, double y)
{
    const cli_picture *const p = j->picture;
    const int columns = (int)(WIDTH / COLUMN);
    int index = 0;
    for (size_t i = 0; i < p->way_count; i++, index++) {
        const double x = MARGIN + COLUMN * (index % columns), top = y + ROW * (index / columns);
        oct_words_format(j->out, "<path class=\"m-track %s\" d=\"M%.0f %.0fh14\"/>",
                         oct_drawing_colour(i), x, top + 7);
        oct_words_format(j->out, "<text x=\"%.0f\" y=\"%.0f\">", x + 22, top + 11);
        oct_words_markup(j->out, p->ways[i].name);
        oct_sink_text(j->out, "</text>\n");
    }
    for (int mark = 0; mark < DRAWING_MARK_COUNT; mark++) {
        if (j->marks >> mark & 1u) {
            const double x = MARGIN + COLUMN * (index % columns), top = y + ROW * (index / columns);
            oct_drawing_sample(j->out, (drawing_mark)mark, x, top);
            oct_words_format(j->out, "<text x=\"%.0f\" y=\"%.0f\">%s</text>\n", x + 22, top + 11,
                             oct_drawing_words((drawing_mark)mark));
            index++;
        }
    }
}

static double height_of(const job *j)
{
    double y = HEAD;
    for (size_t i = 0; i < j->cuts.count; i++) {
        drawing d;
        oct_drawing_fit(&d, &j->cuts.planes[i], WIDTH, HEIGHT);
        y += d.height + DRAWING_BELOW + CAPTION;
    }
    return y;
}

static oct_result draw_all(job *j)
{
    const double legend = height_of(j);
    const size_t keys = j->picture->way_count + DRAWING_MARK_COUNT;
    const double height = legend + ROW * ((double)keys / floor(WIDTH / COLUMN) + 1.0);
    double y = HEAD;
    oct_words_format(j->out,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                     "viewBox=\"0 0 %.0f %.0f\">\n<style>",
                     WIDTH + 2 * MARGIN, height, WIDTH + 2 * MARGIN, height);
    for (const char *const *part = oct_drawing_style; *part; part++) {
        oct_sink_text(j->out, *part);
    }
    oct_sink_text(j->out, "svg .m-title{font-size:15px;font-weight:600}svg .m-caption{fill:"
                          "var(--m-dim)}.m-blocked{fill:var(--m-solid)}</style>\n<rect "
                          "width=\"100%\" height=\"100%\" "
                          "fill=\"var(--m-card)\"/>\n");
    oct_words_format(j->out, "<text class=\"m-title\" x=\"%.0f\" y=\"22\">", MARGIN);
    oct_words_markup(j->out, j->picture->title);
    oct_sink_text(j->out, "</text>\n");
    for (size_t i = 0; i < j->cuts.count; i++) {
        drawing d;
        OCT_TRY(draw_plane(j, &j->cuts.planes[i], y));
        oct_drawing_fit(&d, &j->cuts.planes[i], WIDTH, HEIGHT);
        y += d.height + DRAWING_BELOW + CAPTION;
    }
    draw_legend(j, legend);
    oct_sink_text(j->out, "</svg>\n");
    return OCT_OK;
}

static oct_result fill_svg(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    job *const j = ctx;
    (void)error;
    sink out;
    oct_sink_open(&out, write, file);
    j->out = &out;
    const oct_result result = draw_all(j);
    oct_sink_flush(&out);
    return result == OCT_OK && out.failed ? OCT_ERROR_FILE : result;
}

int oct_cli_draw(const cli_picture *picture, const cli_value *svg, const cli_value *given)
{
    job j = {.picture = picture};
    oct_error error = {.line = 0};
    const oct_box b = picture->box;
    if (!svg->given) {
        return CLI_YES;
    }
    if (b.max.x <= b.min.x || b.max.y <= b.min.y ||
        (oct_tree_dims(picture->tree) == 3 && b.max.z <= b.min.z)) {
        return oct_cli_complain("%s: there is nothing to draw", picture->file);
    }
    CLI_TRY(choose_cuts(picture, given, &j.cuts));
    return oct_cli_check_file(svg->text, oct_file_replace(svg->text, fill_svg, &j, NULL, &error),
                              &error);
}

// ---- as text ----

// Characters of a plan: rows from the top, and the ways on it.
typedef struct plan {
    char cells[CLI_PLAN_ROWS][CLI_PLAN_COLUMNS];
    int32_t width, height;
    const cli_picture *picture;
} plan;

static void mark_place(plan *p, double x, double y, char mark)
{
    const oct_point origin = oct_tree_origin(p->picture->tree);
    const double cell = oct_tree_cell_size(p->picture->tree);
    // Ends may lie on the far border.
    const int32_t i =
        (int32_t)fmin(floor((x - origin.x) / cell) - p->picture->box.min.x, p->width - 1);
    const int32_t j =
        (int32_t)fmin(floor((y - origin.y) / cell) - p->picture->box.min.y, p->height - 1);
    if (i >= 0 && j >= 0 && (mark != '*' || p->cells[j][i] == '.')) {
        p->cells[j][i] = mark;
    }
}

static void mark_way(plan *p, const oct_point *points, size_t count)
{
    const double step = oct_tree_cell_size(p->picture->tree) / 8.0;
    for (size_t i = 1; i < count; i++) {
        const double dx = points[i].x - points[i - 1].x, dy = points[i].y - points[i - 1].y;
        const int parts = (int)(sqrt(dx * dx + dy * dy) / step) + 1;
        for (int k = 0; k <= parts; k++) {
            mark_place(p, points[i - 1].x + dx * k / parts, points[i - 1].y + dy * k / parts, '*');
        }
    }
    if (count > 0) {
        mark_place(p, points[0].x, points[0].y, 'S');
        mark_place(p, points[count - 1].x, points[count - 1].y, 'G');
    }
}

int oct_cli_print_plan(const cli_picture *picture)
{
    static const char marks[] = {[OCT_UNKNOWN] = '?', [OCT_OPEN] = '.', [OCT_BLOCKED] = '#'};
    const oct_box b = picture->box;
    const bool is_flat = oct_tree_dims(picture->tree) == 2 || b.max.z - b.min.z == 1;
    plan p = {.picture = picture, .width = b.max.x - b.min.x, .height = b.max.y - b.min.y};
    if (!is_flat || p.width > CLI_PLAN_COLUMNS || p.height > CLI_PLAN_ROWS) {
        return oct_cli_complain("%s: --plan is for one layer of at most %d x %d cells; --svg draws "
                                "the others",
                                picture->file, CLI_PLAN_COLUMNS, CLI_PLAN_ROWS);
    }
    for (int32_t j = 0; j < p.height; j++) {
        for (int32_t i = 0; i < p.width; i++) {
            const oct_vec cell = {b.min.x + i, b.min.y + j, b.min.z};
            p.cells[j][i] = marks[oct_tree_label(picture->tree, cell)];
        }
    }
    for (size_t i = 0; i < picture->way_count; i++) {
        mark_way(&p, picture->ways[i].points, picture->ways[i].count);
    }
    printf("\n");
    for (int32_t j = p.height - 1; j >= 0; j--) {
        printf("  %.*s\n", (int)p.width, p.cells[j]);
    }
    return CLI_YES;
}

// ---- .obj ----

typedef struct obj_job {
    const oct_tree *tree;
    oct_box box;
    const oct_point *points;
    size_t count;
} obj_job;

static oct_result fill_obj(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    const obj_job *const o = ctx;
    (void)error;
    if (oct_tree_dims(o->tree) == 3) {
        OCT_TRY(oct_mesh_write_boxes(o->tree, o->box, write, file));
    }
    sink out;
    oct_sink_open(&out, write, file);
    oct_sink_text(&out, "o path\n");
    for (size_t i = 0; i < o->count; i++) {
        const oct_point at = o->points[i];
        oct_words_format(&out, "v %.17g %.17g %.17g\n", at.x, at.y,
                         oct_tree_dims(o->tree) == 3 ? at.z : 0.0);
    }
    oct_sink_text(&out, "l");
    // Counted from the end: how many corners the boxes have does not matter.
    for (size_t i = o->count; i > 0; i--) {
        oct_words_format(&out, " -%zu", i);
    }
    oct_sink_text(&out, "\n");
    oct_sink_flush(&out);
    return out.failed ? OCT_ERROR_FILE : OCT_OK;
}

int oct_cli_write_path_obj(const char *path, const oct_tree *tree, oct_box box,
                           const oct_point *points, size_t count)
{
    obj_job o = {tree, box, points, count};
    oct_error error = {.line = 0};
    return oct_cli_check_file(path, oct_file_replace(path, fill_obj, &o, NULL, &error), &error);
}
