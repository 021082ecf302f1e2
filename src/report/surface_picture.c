// SPDX-License-Identifier: MIT
// Pictures of surfaces: faces, vertices by kind, blocked edges crossed out, what was seen, the
// frontier, obstacles and hazards, links, a way. Pixels are ground coordinates, y upwards.
#include "report/surface_picture.h"
#include "base/words.h"
#include "report/drawing.h"
#include "surface/surface_explorer.h"

#include <math.h>

#define WIDTH 1100.0 // pixels of a picture, without margins
#define HEIGHT 900.0
#define MARGIN 20.0
#define HEAD 34.0
#define ROW 22.0 // of the legend
#define COLUMN 220.0
#define DOT 2.6
#define CROSS 3.5

// What a legend explains.
typedef enum surface_mark {
    MARK_FACE,
    MARK_UNSEEN_FACE,
    MARK_BORDER,
    MARK_EDGE,
    MARK_BLOCKED_EDGE,
    MARK_CENTRE,
    MARK_INNER,
    MARK_OUTER,
    MARK_BORDER_CORNER,
    MARK_CORNER,
    MARK_UNSEEN,
    MARK_FRONTIER,
    MARK_BLOCKS,
    MARK_PASSABLE,
    MARK_PRICED,
    MARK_STEP,
    MARK_JUMP,
    MARK_DROP,
    MARK_WAY,
    MARK_COUNT
} surface_mark;

// The shape of a mark's sample.
typedef enum mark_shape { AREA, LINE, CROSSED, CIRCLE, SQUARE, DIAMOND } mark_shape;

static const struct {
    const char *style, *words;
    mark_shape shape;
} marks[MARK_COUNT] = {
    [MARK_FACE] = {"s-face", "a face", AREA},
    [MARK_UNSEEN_FACE] = {"s-dark", "a face whose centre was not seen", AREA},
    [MARK_BORDER] = {"s-border", "a border", LINE},
    [MARK_EDGE] = {"s-edge", "an edge of the graph", LINE},
    [MARK_BLOCKED_EDGE] = {"s-shut", "an edge that is blocked", CROSSED},
    [MARK_CENTRE] = {"s-centre", "the centre of a face", CIRCLE},
    [MARK_INNER] = {"s-inner", "an inner corner", SQUARE},
    [MARK_OUTER] = {"s-outer", "an outer corner", DIAMOND},
    [MARK_BORDER_CORNER] = {"s-edgy", "another corner at a border", CIRCLE},
    [MARK_CORNER] = {"s-corner", "a corner within", CIRCLE},
    [MARK_UNSEEN] = {"s-unseen", "any of these, not seen", CIRCLE},
    [MARK_FRONTIER] = {"s-frontier", "the frontier", CIRCLE},
    [MARK_BLOCKS] = {"s-blocks", "an obstacle", AREA},
    [MARK_PASSABLE] = {"s-open", "one that is passable", AREA},
    [MARK_PRICED] = {"s-priced", "a hazard with a price", AREA},
    [MARK_STEP] = {"s-step", "a step", LINE},
    [MARK_JUMP] = {"s-jump", "a jump", LINE},
    [MARK_DROP] = {"s-drop", "a drop, one way", LINE},
    [MARK_WAY] = {"s-way", "a path", LINE},
};

static const char style[] =
    ".s-face{fill:var(--m-open);stroke:var(--m-solid);stroke-width:.7}"
    ".s-dark{fill:var(--m-unknown);stroke:var(--m-solid);stroke-width:.7}"
    ".s-border{fill:none;stroke:var(--m-wall);stroke-width:2}"
    ".s-edge{fill:none;stroke:var(--m-panel);stroke-width:.5;opacity:.55}"
    ".s-shut{fill:none;stroke:var(--m-target);stroke-width:1.2}"
    ".s-centre{fill:var(--m-panel)}.s-inner{fill:var(--m-wall)}.s-outer{fill:var(--m-door)}"
    ".s-edgy{fill:var(--m-dim)}.s-corner{fill:var(--m-solid)}"
    ".s-unseen{fill:var(--m-card);stroke:var(--m-dim);stroke-width:1}"
    ".s-frontier{fill:var(--m-card);stroke:var(--m-target);stroke-width:2}"
    ".s-blocks{fill:var(--m-wall);fill-opacity:.55;stroke:var(--m-wall)}"
    ".s-open{fill:none;stroke:var(--m-way);stroke-width:1.5;stroke-dasharray:4 3}"
    ".s-priced{fill:var(--m-frontier);fill-opacity:.45;stroke:var(--m-door)}"
    ".s-step{fill:none;stroke:var(--a5);stroke-width:1.5}"
    ".s-jump{fill:none;stroke:var(--a6);stroke-width:1.2;stroke-dasharray:6 3}"
    ".s-drop{fill:none;stroke:var(--a3);stroke-width:1.2;stroke-dasharray:2 3}"
    ".s-way{fill:none;stroke:var(--a1);stroke-width:2.5;stroke-linejoin:round;"
    "stroke-linecap:round}svg .m-title{font-size:15px;font-weight:600}";

typedef struct picturing {
    sink *out;
    const surface_picture *p;
    const oct_surface_graph *g;
    const oct_surface *s;
    double x, y, scale; // ground place of the lower left corner; pixels a metre
    double height;      // pixels
    uint32_t seen_marks;
} picturing;

static double to_x(const picturing *d, double x)
{
    return MARGIN + (x - d->x) * d->scale;
}

static double to_y(const picturing *d, double y)
{
    return HEAD + d->height - (y - d->y) * d->scale;
}

static void put_place(const picturing *d, const ground_point *at)
{
    oct_words_format(d->out, "%.2f %.2f", to_x(d, at->x), to_y(d, at->y));
}

static ground_point ground_of(const picturing *d, oct_point p)
{
    return surface_in(d->s, p);
}

static void begin_path(picturing *d, surface_mark mark)
{
    d->seen_marks |= 1u << mark;
    oct_words_format(d->out, "<path class=\"%s\" d=\"", marks[mark].style);
}

static void end_path(picturing *d)
{
    oct_sink_text(d->out, "\"/>\n");
}

// ---- faces ----

static bool is_seen(const picturing *d, uint32_t vertex)
{
    return !d->p->explorer || oct_surface_explorer_has_seen(d->p->explorer, vertex);
}

static void put_face(const picturing *d, uint32_t face)
{
    const surface_face *const f = &d->s->faces[face];
    for (uint32_t h = f->first; h < f->first + f->count; h++) {
        const ground_point at = edge_point(&d->s->edges[h]);
        oct_sink_text(d->out, h == f->first ? "M" : "L");
        put_place(d, &at);
    }
    oct_sink_text(d->out, "z");
}

static void draw_faces(picturing *d, surface_mark mark, bool seen)
{
    bool is_begun = false;
    for (uint32_t f = 0; f < d->s->info.faces; f++) {
        if (is_seen(d, d->s->joint_count + f) != seen) {
            continue;
        }
        if (!is_begun) {
            begin_path(d, mark);
            is_begun = true;
        }
        put_face(d, f);
    }
    if (is_begun) {
        end_path(d);
    }
}

static void draw_borders(picturing *d)
{
    begin_path(d, MARK_BORDER);
    for (uint32_t h = 0; h < d->s->info.corners; h++) {
        if (d->s->edges[h].twin == NO_EDGE) {
            const ground_point a = edge_point(&d->s->edges[h]);
            const ground_point b = edge_point(&d->s->edges[d->s->edges[h].next]);
            oct_sink_text(d->out, "M");
            put_place(d, &a);
            oct_sink_text(d->out, "L");
            put_place(d, &b);
        }
    }
    end_path(d);
}

// ---- the graph ----

static void put_edge(const picturing *d, const edge_state *e)
{
    oct_sink_text(d->out, "M");
    put_place(d, &d->g->vertices[e->a].at);
    oct_sink_text(d->out, "L");
    if (e->is_bent) {
        put_place(d, &e->bend);
        oct_sink_text(d->out, "L");
    }
    put_place(d, &d->g->vertices[e->b].at);
}

static void put_cross(const picturing *d, const edge_state *e)
{
    const ground_point *const a = &d->g->vertices[e->a].at, *const b = &d->g->vertices[e->b].at;
    const double x = to_x(d, e->is_bent ? e->bend.x : 0.5 * (a->x + b->x));
    const double y = to_y(d, e->is_bent ? e->bend.y : 0.5 * (a->y + b->y));
    oct_words_format(d->out, "M%.2f %.2fl%.1f %.1fm0 %.1fl%.1f %.1f", x - CROSS, y - CROSS,
                     2.0 * CROSS, 2.0 * CROSS, -2.0 * CROSS, -2.0 * CROSS, 2.0 * CROSS);
}

static void draw_edges(picturing *d)
{
    uint32_t blocked = 0;
    begin_path(d, MARK_EDGE);
    for (uint32_t id = 0; id < d->g->edge_count; id++) {
        if (edge_is_clear(d->g, id)) {
            put_edge(d, &d->g->states[id]);
        } else {
            blocked++;
        }
    }
    end_path(d);
    if (blocked == 0) {
        return;
    }
    begin_path(d, MARK_BLOCKED_EDGE);
    for (uint32_t id = 0; id < d->g->edge_count; id++) {
        if (!edge_is_clear(d->g, id)) {
            put_edge(d, &d->g->states[id]);
            put_cross(d, &d->g->states[id]);
        }
    }
    end_path(d);
}

static surface_mark mark_of(const graph_vertex *v)
{
    return v->kinds & OCT_SURFACE_CENTRE   ? MARK_CENTRE
           : v->kinds & OCT_SURFACE_INNER  ? MARK_INNER
           : v->kinds & OCT_SURFACE_OUTER  ? MARK_OUTER
           : v->kinds & OCT_SURFACE_BORDER ? MARK_BORDER_CORNER
                                           : MARK_CORNER;
}

static void put_dot(sink *out, const char *class_name, mark_shape shape, double x, double y,
                    double r)
{
    if (shape == SQUARE) {
        oct_words_format(out, "<path class=\"%s\" d=\"M%.2f %.2fh%.2fv%.2fh%.2fz\"/>\n", class_name,
                         x - r, y - r, 2.0 * r, 2.0 * r, -2.0 * r);
    } else if (shape == DIAMOND) {
        const double e = 1.4 * r;
        oct_words_format(out,
                         "<path class=\"%s\" d=\"M%.2f %.2fl%.2f %.2fl%.2f %.2fl%.2f %.2fz\"/>\n",
                         class_name, x, y - e, e, e, -e, e, -e, -e);
    } else {
        oct_words_format(out, "<circle class=\"%s\" cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"/>\n",
                         class_name, x, y, r);
    }
}

static void draw_vertices(picturing *d)
{
    for (uint32_t v = 0; v < d->g->vertex_count; v++) {
        const graph_vertex *const at = &d->g->vertices[v];
        const surface_mark kind = mark_of(at);
        const surface_mark mark = is_seen(d, v) ? kind : MARK_UNSEEN;
        d->seen_marks |= 1u << mark;
        put_dot(d->out, marks[mark].style, marks[kind].shape, to_x(d, at->at.x), to_y(d, at->at.y),
                DOT);
    }
}

static void draw_frontier(picturing *d)
{
    const uint32_t *vertices;
    const uint32_t count =
        d->p->explorer ? oct_surface_explorer_frontier(d->p->explorer, &vertices) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const ground_point *const at = &d->g->vertices[vertices[i]].at;
        d->seen_marks |= 1u << MARK_FRONTIER;
        put_dot(d->out, marks[MARK_FRONTIER].style, CIRCLE, to_x(d, at->x), to_y(d, at->y),
                1.6 * DOT);
    }
}

// ---- what stands there, links and the way ----

static void draw_shapes(picturing *d)
{
    static const surface_mark of_effect[] = {[OCT_SURFACE_BLOCKS] = MARK_BLOCKS,
                                             [OCT_SURFACE_PASSABLE] = MARK_PASSABLE,
                                             [OCT_SURFACE_PRICED] = MARK_PRICED};
    const graph_shape *const shapes = d->g->shapes.items;
    for (size_t i = 0; i < d->g->shapes.count; i++) {
        if (shapes[i].count == 0) {
            continue;
        }
        begin_path(d, of_effect[shapes[i].effect]);
        for (uint32_t k = 0; k < shapes[i].count; k++) {
            oct_sink_text(d->out, k == 0 ? "M" : "L");
            put_place(d, &shapes[i].outline[k]);
        }
        oct_sink_text(d->out, "z\"><title>");
        if (shapes[i].effect == OCT_SURFACE_PRICED) {
            oct_words_format(d->out, "%g per metre, %g per entry", shapes[i].metre_price,
                             shapes[i].entry_price);
        } else {
            oct_words_format(d->out, "from %g to %g m", shapes[i].low, shapes[i].high);
        }
        oct_sink_text(d->out, "</title></path>\n");
    }
}

static void draw_links(picturing *d)
{
    static const surface_mark of_kind[] = {[OCT_WALKING_WALK] = MARK_WAY,
                                           [OCT_WALKING_STEP] = MARK_STEP,
                                           [OCT_WALKING_JUMP] = MARK_JUMP,
                                           [OCT_WALKING_DROP] = MARK_DROP};
    for (uint32_t i = 0; i < d->p->link_count; i++) {
        const ground_point a = ground_of(d, d->p->links[i].from);
        const ground_point b = ground_of(d, d->p->links[i].to);
        begin_path(d, of_kind[d->p->links[i].kind]);
        oct_sink_text(d->out, "M");
        put_place(d, &a);
        oct_sink_text(d->out, "L");
        put_place(d, &b);
        end_path(d);
        put_dot(d->out, marks[MARK_CORNER].style, CIRCLE, to_x(d, b.x), to_y(d, b.y), 0.7 * DOT);
    }
}

static void draw_way(picturing *d)
{
    if (d->p->way_count == 0) {
        return;
    }
    begin_path(d, MARK_WAY);
    for (uint32_t i = 0; i < d->p->way_count; i++) {
        const ground_point at = ground_of(d, d->p->way[i]);
        oct_sink_text(d->out, i == 0 ? "M" : "L");
        put_place(d, &at);
    }
    end_path(d);
}

// ---- the frame ----

static void draw_legend(const picturing *d)
{
    const int columns = (int)(WIDTH / COLUMN);
    int index = 0;
    for (int mark = 0; mark < MARK_COUNT; mark++) {
        if (!(d->seen_marks >> mark & 1u)) {
            continue;
        }
        const double x = MARGIN + COLUMN * (index % columns);
        const double y = HEAD + d->height + 40.0 + ROW * (index / columns);
        const char *const name = marks[mark].style;
        if (marks[mark].shape == AREA) {
            oct_words_format(d->out, "<path class=\"%s\" d=\"M%.0f %.0fh14v14h-14z\"/>\n", name, x,
                             y);
        } else if (marks[mark].shape == LINE || marks[mark].shape == CROSSED) {
            oct_words_format(d->out, "<path class=\"%s\" d=\"M%.0f %.0fh14%s\"/>\n", name, x,
                             y + 7.0, marks[mark].shape == CROSSED ? "m-10 -3l6 6m0 -6l-6 6" : "");
        } else {
            put_dot(d->out, name, marks[mark].shape, x + 7.0, y + 7.0, 1.5 * DOT);
        }
        oct_words_format(d->out, "<text x=\"%.0f\" y=\"%.0f\">%s</text>\n", x + 22.0, y + 11.0,
                         marks[mark].words);
        index++;
    }
}

// A length that is 1, 2 or 5 times a power of ten and about a sixth of the picture.
static void draw_scale(const picturing *d)
{
    const double wanted = WIDTH / 6.0 / d->scale;
    double unit = 1e-6;
    while (10.0 * unit <= wanted) {
        unit *= 10.0;
    }
    const double length = 5.0 * unit <= wanted   ? 5.0 * unit
                          : 2.0 * unit <= wanted ? 2.0 * unit
                                                 : unit;
    const double y = HEAD + d->height + 20.0;
    oct_words_format(d->out,
                     "<g class=\"m-scale\"><path d=\"M%.0f %.0fv8h%.2fv-8\"/><text x=\"%.2f\" "
                     "y=\"%.0f\">%g m</text></g>\n",
                     MARGIN, y - 4.0, length * d->scale, MARGIN + length * d->scale + 8.0, y + 4.0,
                     length);
}

static void fit(picturing *d)
{
    double x1 = 0.0, y1 = 0.0;
    for (uint32_t h = 0; h < d->s->info.corners; h++) {
        const half_edge *const e = &d->s->edges[h];
        d->x = h == 0 ? e->x : fmin(d->x, e->x);
        d->y = h == 0 ? e->y : fmin(d->y, e->y);
        x1 = h == 0 ? e->x : fmax(x1, e->x);
        y1 = h == 0 ? e->y : fmax(y1, e->y);
    }
    const double width = x1 - d->x, depth = y1 - d->y;
    d->scale =
        fmin(width > 0.0 ? WIDTH / width : HUGE_VAL, depth > 0.0 ? HEIGHT / depth : HUGE_VAL);
    d->scale = isfinite(d->scale) ? d->scale : 1.0;
    d->height = depth * d->scale;
}

static void begin(const picturing *d)
{
    const double width = WIDTH + 2.0 * MARGIN;
    const double height =
        HEAD + d->height + 50.0 + ROW * (MARK_COUNT / floor(WIDTH / COLUMN) + 1.0);
    oct_words_format(d->out,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                     "viewBox=\"0 0 %.0f %.0f\">\n<style>",
                     width, height, width, height);
    for (const char *const *part = oct_drawing_style; *part; part++) {
        oct_sink_text(d->out, *part);
    }
    oct_sink_text(d->out, style);
    oct_sink_text(d->out,
                  "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"var(--m-card)\"/>\n");
    oct_words_format(d->out, "<text class=\"m-title\" x=\"%.0f\" y=\"22\">", MARGIN);
    oct_words_markup(d->out, d->p->title);
    oct_sink_text(d->out, "</text>\n");
}

void oct_surface_draw(sink *out, const surface_picture *picture)
{
    picturing d = {.out = out, .p = picture, .g = picture->graph, .s = picture->graph->surface};
    const bool has_room = d.g->vertex_count <= SURFACE_PICTURE_VERTICES_MAX;
    fit(&d);
    begin(&d);
    draw_faces(&d, MARK_FACE, true);
    draw_faces(&d, MARK_UNSEEN_FACE, false);
    draw_shapes(&d);
    if (has_room) {
        draw_edges(&d);
    }
    draw_borders(&d);
    draw_links(&d);
    if (has_room) {
        draw_vertices(&d);
    }
    draw_way(&d);
    draw_frontier(&d);
    draw_scale(&d);
    draw_legend(&d);
    oct_sink_text(out, "</svg>\n");
}
