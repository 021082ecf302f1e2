// SPDX-License-Identifier: MIT
// Cells of one kind that form a rectangle are drawn as one, so that a page of a hundred tests stays
// small.
#include "report/drawing.h"
#include "base/words.h"

#include <math.h>

#define BAR_SHARE 0.25 // of the width that the scale's bar takes at most
#define CHARACTER 6.0  // pixels, of a name
#define NAME_HEIGHT 12.0
#define NAME_LENGTH 40
#define END_SIZE 6.0

const char *oct_drawing_colour(size_t index)
{
    static const char *const classes[2 * DRAWING_WAYS] = {
        "a0",         "a1",         "a2",         "a3",         "a4",         "a5",
        "a6",         "a7",         "a0 m-again", "a1 m-again", "a2 m-again", "a3 m-again",
        "a4 m-again", "a5 m-again", "a6 m-again", "a7 m-again"};
    return classes[index % (2 * DRAWING_WAYS)];
}

double oct_drawing_along(oct_point at, int axis)
{
    return axis == 0 ? at.x : axis == 1 ? at.y : at.z;
}

int32_t *oct_drawing_vec_along(oct_vec *cell, int axis)
{
    return axis == 0 ? &cell->x : axis == 1 ? &cell->y : &cell->z;
}

// ---- places on the page ----

static double right_of(const drawing *d, double u)
{
    return (u - d->plane->min[0]) * d->scale;
}

static double down_of(const drawing *d, double v)
{
    const double along = (v - d->plane->min[1]) * d->scale;
    return d->plane->flipped ? d->height - along : along;
}

double oct_drawing_x(const drawing *d, oct_point at)
{
    return right_of(d, oct_drawing_along(at, d->plane->axis[0]));
}

double oct_drawing_y(const drawing *d, oct_point at)
{
    return down_of(d, oct_drawing_along(at, d->plane->axis[1]));
}

bool oct_drawing_is_here(const drawing *d, oct_point at)
{
    const double h = oct_drawing_along(at, d->plane->across);
    return h >= d->plane->from && h < d->plane->until;
}

// ---- cells of trees ----

// The cell that holds a coordinate, or begins at it.
static int32_t cell_at(double from_origin, double cell)
{
    const double index = floor(from_origin / cell);
    return (int32_t)fmax(fmin(index, OCT_RANGE - 1), -OCT_RANGE);
}

void oct_drawing_aim(drawing_plane *plane, const oct_tree *tree, oct_box box)
{
    const double cell = oct_tree_cell_size(tree);
    const oct_point origin = oct_tree_origin(tree);
    int64_t stride = 1;
    for (int i = 0; i < 2; i++) {
        const int64_t span = (int64_t)*oct_drawing_vec_along(&box.max, plane->axis[i]) -
                             *oct_drawing_vec_along(&box.min, plane->axis[i]);
        const int64_t least = (span + DRAWING_EDGE - 1) / DRAWING_EDGE;
        stride = least > stride ? least : stride;
    }
    plane->edge = cell * (double)stride;
    for (int i = 0; i < 2; i++) {
        const int32_t first = *oct_drawing_vec_along(&box.min, plane->axis[i]);
        const int64_t span = (int64_t)*oct_drawing_vec_along(&box.max, plane->axis[i]) - first;
        plane->size[i] = (uint32_t)((span + stride - 1) / stride);
        plane->min[i] = oct_drawing_along(origin, plane->axis[i]) + first * cell;
    }
}

static bool is_frontier(const oct_tree *tree, oct_box box)
{
    for (int axis = 0; axis < 3; axis++) {
        oct_box sides = box;
        *oct_drawing_vec_along(&sides.min, axis) -= 1;
        *oct_drawing_vec_along(&sides.max, axis) += 1;
        if (oct_tree_labels_in(tree, sides) & OCT_HAS_UNKNOWN) {
            return true;
        }
    }
    return false;
}

static drawing_mark mark_of(const oct_tree *tree, oct_box box, bool has_frontier)
{
    const oct_labels labels = oct_tree_labels_in(tree, box);
    return labels & OCT_HAS_BLOCKED   ? DRAWING_BLOCKED
           : !(labels & OCT_HAS_OPEN) ? DRAWING_UNKNOWN
           : !has_frontier            ? DRAWING_OPEN
           : is_frontier(tree, box)   ? DRAWING_FRONTIER
                                      : DRAWING_OPEN;
}

oct_result oct_drawing_take_cells(const drawing_plane *plane, const oct_tree *tree,
                                  bool has_frontier, const oct_allocator *allocator,
                                  oct_array *cells)
{
    const double cell = oct_tree_cell_size(tree);
    const oct_point origin = oct_tree_origin(tree);
    const int32_t stride = (int32_t)floor(plane->edge / cell + 0.5);
    int32_t first[2];
    oct_box box = {{0, 0, 0}, {1, 1, 1}};
    const int32_t layer = cell_at(plane->at - oct_drawing_along(origin, plane->across), cell);
    *oct_drawing_vec_along(&box.min, plane->across) = layer;
    *oct_drawing_vec_along(&box.max, plane->across) = layer + 1;
    for (int i = 0; i < 2; i++) {
        first[i] = (int32_t)floor(
            (plane->min[i] - oct_drawing_along(origin, plane->axis[i])) / cell + 0.5);
    }
    OCT_TRY(oct_array_reserve(cells, allocator, 1, (size_t)plane->size[0] * plane->size[1]));
    for (uint32_t j = 0; j < plane->size[1]; j++) {
        for (uint32_t i = 0; i < plane->size[0]; i++) {
            const uint32_t at[2] = {i, j};
            for (int k = 0; k < 2; k++) {
                const int32_t least = first[k] + (int32_t)at[k] * stride;
                *oct_drawing_vec_along(&box.min, plane->axis[k]) = least;
                *oct_drawing_vec_along(&box.max, plane->axis[k]) = least + stride;
            }
            ((uint8_t *)cells->items)[cells->count++] = (uint8_t)mark_of(tree, box, has_frontier);
        }
    }
    return OCT_OK;
}

// ---- rectangles of cells ----

// Cells as they are drawn: thinned ones are as their first row and column say, but BLOCKED where
// one of them is.
typedef struct grid {
    const uint8_t *cells;
    uint32_t size[2], shown[2], stride;
} grid;

static uint8_t cell_of(const grid *g, uint32_t x, uint32_t row)
{
    uint8_t mark = g->cells[(size_t)row * g->stride * g->size[0] + (size_t)x * g->stride];
    for (uint32_t j = row * g->stride; j < (row + 1) * g->stride && j < g->size[1]; j++) {
        for (uint32_t i = x * g->stride; i < (x + 1) * g->stride && i < g->size[0]; i++) {
            mark = g->cells[(size_t)j * g->size[0] + i] == DRAWING_BLOCKED ? DRAWING_BLOCKED : mark;
        }
    }
    return mark;
}

// Rectangles that go on from row to row: where each began, by its left end; 0 wide = none.
typedef struct open_runs {
    uint32_t width[DRAWING_EDGE], first[DRAWING_EDGE];
} open_runs;

static void end_run(const drawing *d, open_runs *runs, uint32_t x, uint32_t row)
{
    const uint32_t w = runs->width[x], h = row - runs->first[x];
    if (w > 0) {
        oct_words_format(d->out, "M%u %uh%uv%uh-%uz", x, runs->first[x], w, h, w);
    }
    runs->width[x] = 0;
}

static uint32_t run_length(const grid *g, uint32_t row, uint32_t x, drawing_mark kind)
{
    uint32_t end = x;
    while (end < g->shown[0] && cell_of(g, end, row) == kind) {
        end++;
    }
    return end - x;
}

static void put_row(const drawing *d, const grid *g, uint32_t row, drawing_mark kind,
                    open_runs *runs)
{
    for (uint32_t x = 0; x < g->shown[0]; x++) {
        const uint32_t length = run_length(g, row, x, kind);
        if (runs->width[x] != length) {
            end_run(d, runs, x, row);
        }
        if (length > 0 && runs->width[x] == 0) {
            runs->width[x] = length;
            runs->first[x] = row;
        }
        // Those that began within this run have ended.
        for (uint32_t i = x + 1; i < x + length; i++) {
            end_run(d, runs, i, row);
        }
        x += length > 0 ? length - 1 : 0;
    }
}

static void put_cells(const drawing *d, const grid *g, drawing_mark kind, const char *name)
{
    open_runs runs = {.width = {0}};
    oct_words_format(d->out, "<path class=\"%s\" d=\"", name);
    for (uint32_t row = 0; row < g->shown[1]; row++) {
        put_row(d, g, row, kind, &runs);
    }
    for (uint32_t x = 0; x < g->shown[0]; x++) {
        end_run(d, &runs, x, g->shown[1]);
    }
    oct_sink_text(d->out, "\"/>\n");
}

void oct_drawing_cells(const drawing *d, const uint8_t *cells)
{
    grid g = {.cells = cells, .stride = 1u << d->thin};
    for (int i = 0; i < 2; i++) {
        g.size[i] = d->plane->size[i];
        g.shown[i] = (g.size[i] + g.stride - 1) / g.stride;
    }
    const double s = d->plane->edge * d->scale * g.stride;
    oct_words_format(d->out,
                     "<g shape-rendering=\"crispEdges\" transform=\"matrix(%.5f 0 0 %.5f 0 "
                     "%.2f)\">\n",
                     s, d->plane->flipped ? -s : s, d->plane->flipped ? d->height : 0.0);
    put_cells(d, &g, DRAWING_OPEN, "m-open");
    put_cells(d, &g, DRAWING_BLOCKED, "m-blocked");
    put_cells(d, &g, DRAWING_FRONTIER, "m-frontier");
    oct_sink_text(d->out, "</g>\n");
}

// ---- boxes ----

static const char *class_of(drawing_mark mark)
{
    static const char *const names[DRAWING_MARK_COUNT] = {[DRAWING_UNKNOWN] = "m-unknown",
                                                          [DRAWING_OPEN] = "m-open",
                                                          [DRAWING_BLOCKED] = "m-blocked",
                                                          [DRAWING_FRONTIER] = "m-frontier",
                                                          [DRAWING_WALL] = "m-wall",
                                                          [DRAWING_DOOR] = "m-door",
                                                          [DRAWING_WAY] = "m-way",
                                                          [DRAWING_PANEL] = "m-panel",
                                                          [DRAWING_TARGET] = "m-target",
                                                          [DRAWING_TRACK] = "m-track a0",
                                                          [DRAWING_ELSE] = "m-track a0 m-else",
                                                          [DRAWING_PLANNED] = "m-path",
                                                          [DRAWING_REPLAN] = "m-replan",
                                                          [DRAWING_PRESS] = "m-press",
                                                          [DRAWING_START] = "m-start a0",
                                                          [DRAWING_END] = "m-end a0"};
    return names[mark];
}

void oct_drawing_begin_path(const drawing *d, drawing_mark mark)
{
    oct_words_format(d->out, "<path class=\"%s\" d=\"", class_of(mark));
}

void oct_drawing_box(const drawing *d, const double min[2], const double max[2])
{
    const double x = right_of(d, min[0]), w = right_of(d, max[0]) - x;
    const double y0 = down_of(d, min[1]), y1 = down_of(d, max[1]);
    oct_words_format(d->out, "M%.1f %.1fh%.1fv%.1fh-%.1fz", x, fmin(y0, y1), w, fabs(y1 - y0), w);
}

void oct_drawing_end_path(const drawing *d, const char *title, const char *more)
{
    if (!title) {
        oct_sink_text(d->out, "\"/>\n");
        return;
    }
    oct_sink_text(d->out, "\"><title>");
    oct_words_markup(d->out, title);
    oct_sink_text(d->out, more);
    oct_sink_text(d->out, "</title></path>\n");
}

// ---- ways ----

static oct_point place_of(const drawing_way *way, size_t index)
{
    return *(const oct_point *)(const void *)((const char *)way->first + index * way->stride);
}

// The next place that is drawn: the last one always is.
static size_t next_place(const drawing *d, const drawing_way *way, size_t index)
{
    const size_t next = index + ((size_t)1 << d->thin);
    return index + 1 < way->count && next >= way->count ? way->count - 1 : next;
}

static void put_place(const drawing *d, char verb, oct_point at)
{
    oct_words_format(d->out, "%c%.1f %.1f", verb, oct_drawing_x(d, at), oct_drawing_y(d, at));
}

static void end_way(const drawing *d, const drawing_way *way)
{
    oct_drawing_end_path(d, way->title, "");
}

void oct_drawing_track(const drawing *d, const drawing_way *way, bool is_here)
{
    bool in_line = false;
    size_t last = 0;
    oct_words_format(d->out, "<path class=\"m-track %s%s\" d=\"", way->colour,
                     is_here ? "" : " m-else");
    for (size_t i = next_place(d, way, 0); i < way->count; i = next_place(d, way, i)) {
        if (oct_drawing_is_here(d, place_of(way, i)) != is_here) {
            in_line = false;
        } else {
            if (!in_line) {
                put_place(d, 'M', place_of(way, last));
            }
            put_place(d, 'L', place_of(way, i));
            in_line = true;
        }
        last = i;
    }
    end_way(d, way);
}

void oct_drawing_planned(const drawing *d, const drawing_way *way)
{
    if (way->count < 2) {
        return;
    }
    oct_drawing_begin_path(d, DRAWING_PLANNED);
    put_place(d, 'M', place_of(way, 0));
    for (size_t i = next_place(d, way, 0); i < way->count; i = next_place(d, way, i)) {
        put_place(d, 'L', place_of(way, i));
    }
    end_way(d, way);
}

void oct_drawing_ends(const drawing *d, const drawing_way *way)
{
    if (way->count == 0) {
        return;
    }
    const oct_point from = place_of(way, 0), to = place_of(way, way->count - 1);
    oct_words_format(d->out,
                     "<circle class=\"m-start %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>start: "
                     "%.1f, %.1f, %.1f</title></circle>\n",
                     way->colour, oct_drawing_x(d, from), oct_drawing_y(d, from), from.x, from.y,
                     from.z);
    oct_words_format(d->out,
                     "<path class=\"m-end %s\" d=\"M%.1f %.1fl6 6l-6 6l-6 -6z\"><title>end: "
                     "%.1f, %.1f, %.1f</title></path>\n",
                     way->colour, oct_drawing_x(d, to), oct_drawing_y(d, to) - END_SIZE, to.x, to.y,
                     to.z);
}

// ---- names ----

static bool is_free(const drawing *d, const drawing_name *name)
{
    if (name->x - name->width / 2 < 0.0 || name->x + name->width / 2 > d->width ||
        name->y < NAME_HEIGHT || name->y > d->height) {
        return false;
    }
    for (uint32_t i = 0; i < d->name_count; i++) {
        const drawing_name *const other = &d->names[i];
        if (fabs(name->x - other->x) < (name->width + other->width) / 2 &&
            fabs(name->y - other->y) < NAME_HEIGHT) {
            return false;
        }
    }
    return true;
}

void oct_drawing_put_name(drawing *d, const double min[2], const double max[2], const char *name)
{
    // In the middle, below, above, to the right, to the left: halves of what one has to step.
    static const int steps[][2] = {{0, 0}, {0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {-1, -1}};
    char words[NAME_LENGTH];
    const size_t length = strlen(oct_words_copy(name, words, sizeof words));
    const double w = right_of(d, max[0]) - right_of(d, min[0]);
    const double h = fabs(down_of(d, max[1]) - down_of(d, min[1]));
    drawing_name at = {.width = (double)length * CHARACTER + 4.0};
    bool found = false;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && !found; i++) {
        at.x = right_of(d, (min[0] + max[0]) / 2) + steps[i][0] * (w + at.width + 4.0) / 2;
        at.y = down_of(d, (min[1] + max[1]) / 2) + 3.5 + steps[i][1] * (h / 2 + NAME_HEIGHT * 0.75);
        found = is_free(d, &at);
    }
    if (!found || d->name_count == DRAWING_NAMES_MAX) {
        return;
    }
    d->names[d->name_count++] = at;
    oct_words_format(d->out, "<text class=\"m-name\" x=\"%.1f\" y=\"%.1f\">", at.x, at.y);
    oct_words_markup(d->out, words);
    oct_sink_text(d->out, "</text>\n");
}

// ---- the whole ----

void oct_drawing_fit(drawing *d, const drawing_plane *plane, double width, double height)
{
    const double metres[2] = {plane->size[0] * plane->edge, plane->size[1] * plane->edge};
    *d = (drawing){.plane = plane};
    d->scale = fmin(width / metres[0], height / metres[1]);
    d->width = metres[0] * d->scale;
    d->height = metres[1] * d->scale;
}

void oct_drawing_begin(drawing *d, sink *out, double y)
{
    const drawing_plane *const p = d->plane;
    d->out = out;
    oct_words_format(out,
                     "<svg class=\"drawing\" y=\"%.0f\" width=\"%.1f\" height=\"%.1f\" viewBox=\"0 "
                     "0 %.1f %.1f\" role=\"img\" aria-label=\"%s\" data-plane=\"%d %d %d %.9g %.9g "
                     "%.9g %.9g %d %.1f %.9g %.9g\">\n<rect class=\"m-unknown\" width=\"%.1f\" "
                     "height=\"%.1f\"/>\n",
                     y, d->width, d->height + DRAWING_BELOW, d->width, d->height + DRAWING_BELOW,
                     "plan", p->axis[0], p->axis[1], p->across, p->min[0], p->min[1], d->scale,
                     p->at, p->flipped, d->height, p->from, p->until, d->width, d->height);
}

static void put_scale(const drawing *d)
{
    static const double lengths[] = {0.1, 0.2, 0.5, 1,   2,    5,    10,  20,
                                     50,  100, 200, 500, 1000, 2000, 5000};
    double length = lengths[0];
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        length = lengths[i] * d->scale <= BAR_SHARE * d->width ? lengths[i] : length;
    }
    oct_words_format(d->out,
                     "<g class=\"m-scale\"><path d=\"M6 %.1fv5h%.1fv-5\"/><text x=\"10\" "
                     "y=\"%.1f\">%g m</text></g>\n",
                     d->height + 6.0, length * d->scale, d->height + 23.0, length);
}

void oct_drawing_end(drawing *d)
{
    put_scale(d);
    oct_sink_text(d->out, "</svg>\n");
}

void oct_drawing_caption(sink *out, const drawing_plane *p, int up)
{
    static const char axes[] = "xyz";
    oct_words_format(out, "%s, cut at %c = %.1f m; %c to the right, %c %s",
                     p->across == up ? "from above" : "from the side", axes[p->across], p->at,
                     axes[p->axis[0]], axes[p->axis[1]], p->flipped ? "up" : "down");
}

// ---- legends ----

const char *oct_drawing_words(drawing_mark mark)
{
    static const char *const words[DRAWING_MARK_COUNT] = {
        [DRAWING_UNKNOWN] = "unknown",
        [DRAWING_OPEN] = "open",
        [DRAWING_BLOCKED] = "blocked",
        [DRAWING_FRONTIER] = "frontier: open beside unknown",
        [DRAWING_WALL] = "seen things",
        [DRAWING_DOOR] = "door, shut",
        [DRAWING_WAY] = "door, open",
        [DRAWING_PANEL] = "panel",
        [DRAWING_TARGET] = "target",
        [DRAWING_TRACK] = "way",
        [DRAWING_ELSE] = "way outside the slice",
        [DRAWING_PLANNED] = "the last path planned",
        [DRAWING_REPLAN] = "where it took another path",
        [DRAWING_PRESS] = "press, by number",
        [DRAWING_START] = "start",
        [DRAWING_END] = "end",
    };
    return words[mark];
}

void oct_drawing_sample(sink *out, drawing_mark mark, double x, double y)
{
    const char *const name = class_of(mark);
    switch (mark) {
    case DRAWING_TRACK:
    case DRAWING_ELSE:
    case DRAWING_PLANNED:
        oct_words_format(out, "<path class=\"%s\" d=\"M%.0f %.0fh14\"/>", name, x, y + 7);
        break;
    case DRAWING_REPLAN:
        oct_words_format(out, "<path class=\"%s\" d=\"M%.0f %.0fh0\"/>", name, x + 7, y + 7);
        break;
    case DRAWING_PRESS:
        oct_words_format(out,
                         "<g class=\"%s\"><circle cx=\"%.0f\" cy=\"%.0f\" r=\"7\"/><text "
                         "x=\"%.0f\" y=\"%.1f\">1</text></g>",
                         name, x + 7, y + 7, x + 7, y + 10.2);
        break;
    case DRAWING_START:
        oct_words_format(out, "<circle class=\"%s\" cx=\"%.0f\" cy=\"%.0f\" r=\"5\"/>", name, x + 7,
                         y + 7);
        break;
    case DRAWING_END:
        oct_words_format(out, "<path class=\"%s\" d=\"M%.0f %.0fl6 6l-6 6l-6 -6z\"/>", name, x + 7,
                         y + 1);
        break;
    default:
        oct_words_format(out, "<path class=\"%s m-key\" d=\"M%.0f %.0fh12v12h-12z\"/>", name, x + 1,
                         y + 1);
        break;
    }
}

void oct_drawing_key(sink *out, drawing_mark mark)
{
    oct_sink_text(out, "<span><svg class=\"key\" viewBox=\"0 0 14 14\">");
    oct_drawing_sample(out, mark, 0.0, 0.0);
    oct_words_format(out, "</svg>%s</span>", oct_drawing_words(mark));
}
