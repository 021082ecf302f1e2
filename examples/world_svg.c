// SPDX-License-Identifier: MIT
// Draws a plan of a world file, as an SVG picture on stdout:
//   world_svg WORLD.json            from above, through everything: the more there is, the darker
//   world_svg WORLD.json HEIGHT     cut at a height, metres
// The pictures in docs/testers/worlds-of-our-own.md are made by it. Blocks are drawn as they are
// turned: upright lines through the plan are intersected with their true boxes. Files are read by
// src/io, which is not installed: this is built in the tree of Octant alone.
#include "files/files_internal.h"
#include "svg.h"
#include <octant/play.h>

#include <math.h>

#define EDGE_MAX 300 // spots along the longer side
#define PICTURE 640  // pixels of it
#define SHADES 5
#define BELOW 74 // pixels, for notes

enum { COLOURS = 5 };

// Of solid types: what one sees through, then the others by turns.
static const char *const fills[COLOURS] = {"#5fa8d3", "#2f4858", "#8a6d5a", "#b08d3c", "#5d7052"};
static const char *const kind_fills[OCT_KIND_COUNT] = {
    [OCT_KIND_DOOR] = "#d1495b",
    [OCT_KIND_PANEL] = "#e07a3f",
    [OCT_KIND_TIMER] = "#7d5ba6",
    [OCT_KIND_TARGET] = "#2a9d4f",
};

typedef struct plan {
    const oct_world *world;
    oct_bounds extent;
    oct_point right, down, up; // unit vectors of the world's axes
    double u, v;               // of the upper left corner, along right and down
    double step;               // metres between spots
    double pixels;             // a metre
    int width, height;         // spots
    bool cut;
    double at;     // the height of the cut
    double *thick; // of each spot and colour: metres of it
    uint8_t *tone; // of each spot: 0 for nothing, else 1 + colour * SHADES + shade
} plan;

static double dot(oct_point a, oct_point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static oct_point cross(oct_point a, oct_point b)
{
    return (oct_point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static oct_point along(oct_point from, oct_point by, double times)
{
    return (oct_point){from.x + by.x * times, from.y + by.y * times, from.z + by.z * times};
}

// The range of a box along one of the world's axes.
static void range_of(oct_bounds box, oct_point axis, double *lo, double *hi)
{
    const double a = dot(box.min, axis), b = dot(box.max, axis);
    *lo = a < b ? a : b;
    *hi = a < b ? b : a;
}

// ---- what is where ----

// A block's true box: axes, centre and half its edges.
typedef struct turned {
    oct_point centre, axes[3];
    double half[3];
} turned;

static turned turned_of(const oct_world *world, const oct_world_block *block)
{
    const oct_bounds b = block->box;
    if (!block->placed) {
        return (turned){
            {(b.min.x + b.max.x) / 2, (b.min.y + b.max.y) / 2, (b.min.z + b.max.z) / 2},
            {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
            {(b.max.x - b.min.x) / 2, (b.max.y - b.min.y) / 2, (b.max.z - b.min.z) / 2}};
    }
    const oct_world_grid grid = oct_world_get_grid(world, block->grid);
    const oct_vec span = oct_world_span(world, block);
    const oct_point f = grid.pose.forward;
    const int32_t spans[3] = {span.x, span.y, span.z};
    const int32_t cells[3] = {block->cell.x, block->cell.y, block->cell.z};
    turned t = {.centre = grid.pose.position,
                .axes = {cross(f, grid.pose.up), grid.pose.up, {-f.x, -f.y, -f.z}}};
    for (int i = 0; i < 3; i++) {
        t.half[i] = spans[i] * grid.cell / 2;
        t.centre = along(t.centre, t.axes[i], (cells[i] + (spans[i] - 1) / 2.0) * grid.cell);
    }
    return t;
}

// Where an upright line through a point (of height 0) is in a box; false where it passes by.
static bool cross_box(const plan *p, const turned *t, oct_point through, double *lo, double *hi)
{
    *lo = -HUGE_VAL;
    *hi = HUGE_VAL;
    const oct_point off = along(through, t->centre, -1.0);
    for (int i = 0; i < 3; i++) {
        const double at = dot(off, t->axes[i]), slope = dot(p->up, t->axes[i]);
        if (fabs(slope) < 1e-9) {
            if (fabs(at) >= t->half[i]) {
                return false;
            }
            continue;
        }
        const double a = (-t->half[i] - at) / slope, b = (t->half[i] - at) / slope;
        *lo = fmax(*lo, fmin(a, b));
        *hi = fmin(*hi, fmax(a, b));
    }
    return *lo < *hi;
}

static uint32_t colour_of(const oct_world *world, uint32_t type)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < type; i++) {
        const oct_world_type other = oct_world_get_type(world, i);
        before += other.opaque && other.kind == OCT_KIND_SOLID;
    }
    return oct_world_get_type(world, type).opaque ? 1 + before % (COLOURS - 1) : 0;
}

static int clamp(double value, int max)
{
    return value < 0 ? 0 : value > max ? max : (int)value;
}

static void add_block(plan *p, const oct_world_block *block)
{
    const turned t = turned_of(p->world, block);
    const uint32_t colour = colour_of(p->world, block->type);
    double u0, u1, v0, v1;
    range_of(block->box, p->right, &u0, &u1);
    range_of(block->box, p->down, &v0, &v1);
    const int left = clamp((u0 - p->u) / p->step, p->width);
    const int right = clamp(ceil((u1 - p->u) / p->step), p->width);
    const int bottom = clamp(ceil((v1 - p->v) / p->step), p->height);
    for (int y = clamp((v0 - p->v) / p->step, p->height); y < bottom; y++) {
        for (int x = left; x < right; x++) {
            const oct_point spot =
                along(along((oct_point){0, 0, 0}, p->right, p->u + (x + 0.5) * p->step), p->down,
                      p->v + (y + 0.5) * p->step);
            double lo, hi;
            if (cross_box(p, &t, spot, &lo, &hi) && (!p->cut || (lo <= p->at && p->at < hi))) {
                p->thick[(y * p->width + x) * COLOURS + (int)colour] += hi - lo;
            }
        }
    }
}

static void set_tones(plan *p)
{
    double low, high;
    range_of(p->extent, p->up, &low, &high);
    for (int i = 0; i < p->width * p->height; i++) {
        const double *const thick = &p->thick[i * COLOURS];
        double all = 0.0;
        int most = 0;
        for (int c = 0; c < COLOURS; c++) {
            all += thick[c];
            // Whatever hides something goes before glass.
            most = thick[c] > 0.0 && (most == 0 || thick[c] > thick[most]) ? c : most;
        }
        if (all > 0.0) {
            const double share = p->cut ? 1.0 : sqrt(all / (high - low));
            p->tone[i] = (uint8_t)(1 + most * SHADES + clamp(share * SHADES, SHADES - 1));
        }
    }
}

// ---- drawing ----

static void draw_text(const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            printf("&lt;");
            break;
        case '&':
            printf("&amp;");
            break;
        default:
            putchar(*text);
            break;
        }
    }
}

// Spots of one tone, as few rectangles.
static void draw_tone(plan *p, uint8_t tone)
{
    for (int y = 0; y < p->height; y++) {
        for (int x = 0; x < p->width; x++) {
            int right = x, bottom = y;
            while (right < p->width && p->tone[y * p->width + right] == tone) {
                right++;
            }
            for (bool whole = right > x; whole && bottom < p->height;) {
                for (int i = x; whole && i < right; i++) {
                    whole = p->tone[bottom * p->width + i] == tone;
                }
                bottom += whole;
            }
            for (int k = y; right > x && k < bottom; k++) {
                memset(&p->tone[k * p->width + x], 0, (size_t)(right - x));
            }
            if (right > x) {
                printf("M%d %dh%dv%dh-%dz", x, y, right - x, bottom - y, right - x);
            }
        }
    }
}

static void draw_spots(plan *p)
{
    printf("<g transform='scale(%g)' shape-rendering='crispEdges'>\n", p->step * p->pixels);
    for (int tone = 1; tone <= COLOURS * SHADES; tone++) {
        if (memchr(p->tone, tone, (size_t)(p->width * p->height))) {
            printf("<path fill='%s' opacity='%g' d='", fills[(tone - 1) / SHADES],
                   p->cut ? 1.0 : ((tone - 1) % SHADES + 1.0) / SHADES);
            draw_tone(p, (uint8_t)tone);
            printf("'/>\n");
        }
    }
    printf("</g>\n");
}

static void draw_box(const plan *p, oct_bounds box, const char *style)
{
    double u0, u1, v0, v1;
    range_of(box, p->right, &u0, &u1);
    range_of(box, p->down, &v0, &v1);
    printf("<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' %s/>\n", (u0 - p->u) * p->pixels,
           (v0 - p->v) * p->pixels, (u1 - u0) * p->pixels, (v1 - v0) * p->pixels, style);
}

// Doors, panels, timers and targets with their names; pale where a cut is not at their height.
static void draw_kinds(const plan *p)
{
    for (size_t i = 0; i < oct_world_blocks(p->world); i++) {
        const oct_world_block block = oct_world_get(p->world, i);
        const oct_world_type type = oct_world_get_type(p->world, block.type);
        double low, high, u0, u1, v0, v1;
        range_of(block.box, p->up, &low, &high);
        range_of(block.box, p->right, &u0, &u1);
        range_of(block.box, p->down, &v0, &v1);
        if (type.kind == OCT_KIND_SOLID) {
            continue;
        }
        char style[96];
        const bool is_cut = !p->cut || (low <= p->at && p->at < high);
        snprintf(style, sizeof style, "fill='%s' stroke='#ffffff' opacity='%g'",
                 kind_fills[type.kind], is_cut ? 1.0 : 0.45);
        draw_box(p, block.box, style);
        const bool is_right = (u0 - p->u) * p->pixels > PICTURE * 0.75;
        printf("<text class='name' x='%.1f' y='%.1f'%s>",
               ((is_right ? u0 : u1) - p->u) * p->pixels + (is_right ? -3.0 : 3.0),
               ((v0 + v1) / 2 - p->v) * p->pixels + 4.0, is_right ? " text-anchor='end'" : "");
        draw_text(block.name);
        printf("</text>\n");
    }
}

// Where a grid that drifts will turn back.
static void draw_drift(const plan *p, uint32_t index)
{
    const oct_world_grid grid = oct_world_get_grid(p->world, index);
    const double speed = sqrt(dot(grid.drift, grid.drift));
    oct_bounds hull = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < oct_world_blocks(p->world); i++) {
        const oct_world_block block = oct_world_get(p->world, i);
        if (block.placed && block.grid == index) {
            const oct_bounds b = block.box;
            hull = (oct_bounds){
                {fmin(hull.min.x, b.min.x), fmin(hull.min.y, b.min.y), fmin(hull.min.z, b.min.z)},
                {fmax(hull.max.x, b.max.x), fmax(hull.max.y, b.max.y), fmax(hull.max.z, b.max.z)}};
        }
    }
    if (speed > 0.0 && grid.range > 0.0 && hull.min.x <= hull.max.x) {
        const double times = grid.range / speed;
        draw_box(
            p, (oct_bounds){along(hull.min, grid.drift, times), along(hull.max, grid.drift, times)},
            "fill='none' stroke='#22323c' stroke-dasharray='6 4'");
    }
}

static void draw_start(const plan *p)
{
    oct_pose start;
    if (!oct_world_start(p->world, &start)) {
        return;
    }
    const double x = (dot(start.position, p->right) - p->u) * p->pixels;
    const double y = (dot(start.position, p->down) - p->v) * p->pixels;
    printf("<g stroke='#22323c' stroke-width='2'><line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f'/>"
           "<circle cx='%.1f' cy='%.1f' r='5' fill='#ffd23f'/></g>\n",
           x, y, x + 16 * dot(start.forward, p->right), y + 16 * dot(start.forward, p->down), x, y);
}

static void draw_notes(const plan *p, double below)
{
    const oct_point size = along(p->extent.max, p->extent.min, -1.0);
    printf("<text y='%.0f' font-size='14'>%.0f x %.0f x %.0f m, %zu blocks, %zu grid%s, ",
           below + 24, size.x, size.y, size.z, oct_world_blocks(p->world),
           oct_world_grids(p->world), oct_world_grids(p->world) == 1 ? "" : "s");
    p->cut ? printf("cut at %g m</text>\n", p->at) : printf("seen through from above</text>\n");
    static const char *const kinds[] = {"", "door", "panel", "timer", "target"};
    printf("<g font-size='13'>");
    for (int kind = 1; kind < OCT_KIND_COUNT; kind++) {
        printf("<rect x='%d' y='%.0f' width='12' height='12' fill='%s'/><text x='%d' "
               "y='%.0f'>%s</text>",
               (kind - 1) * 90, below + 38, kind_fills[kind], (kind - 1) * 90 + 18, below + 49,
               kinds[kind]);
    }
    printf("<circle cx='%d' cy='%.0f' r='5' fill='#ffd23f' stroke='#22323c' stroke-width='2'/>"
           "<text x='%d' y='%.0f'>start</text></g>\n",
           366, below + 44, 378, below + 49);
}

// ---- the plan ----

static bool lay_out(plan *p)
{
    static const oct_point x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    static const oct_point less_y = {0, -1, 0}, less_z = {0, 0, -1};
    const oct_up up = oct_world_up(p->world);
    p->up = up == OCT_UP_X ? x : up == OCT_UP_Y ? y : z;
    p->right = up == OCT_UP_X ? y : x;
    p->down = up == OCT_UP_X ? less_z : up == OCT_UP_Y ? z : less_y;
    p->extent = oct_world_extent(p->world);
    double u1, v1;
    range_of(p->extent, p->right, &p->u, &u1);
    range_of(p->extent, p->down, &p->v, &v1);
    const double longer = fmax(u1 - p->u, v1 - p->v);
    // Parts of a cell of 2.5 m, so that its sides are not drawn now here, now there.
    static const double steps[] = {0.25, 0.5, 1.25, 2.5};
    size_t chosen = 0;
    while (chosen < 3 && longer / steps[chosen] > EDGE_MAX) {
        chosen++;
    }
    p->step = fmax(steps[chosen], longer / (2.0 * EDGE_MAX));
    if (!(longer > 0.0)) {
        return false;
    }
    p->pixels = PICTURE / longer;
    p->width = (int)ceil((u1 - p->u) / p->step);
    p->height = (int)ceil((v1 - p->v) / p->step);
    const size_t spots = (size_t)p->width * (size_t)p->height;
    p->thick = calloc(spots * COLOURS, sizeof *p->thick);
    p->tone = calloc(spots, 1);
    return p->thick && p->tone;
}

static void draw(plan *p)
{
    for (size_t i = 0; i < oct_world_blocks(p->world); i++) {
        const oct_world_block block = oct_world_get(p->world, i);
        if (oct_world_get_type(p->world, block.type).kind == OCT_KIND_SOLID) {
            add_block(p, &block);
        }
    }
    set_tones(p);
    const double below = p->height * p->step * p->pixels;
    svg_begin((int)ceil(p->width * p->step * p->pixels) + 2 * SVG_GAP,
              (int)ceil(below) + SVG_ABOVE + BELOW);
    printf(
        "<style>.name{font-size:12px;paint-order:stroke;stroke:#fff;stroke-width:3px}</style>\n");
    svg_enter(SVG_GAP, SVG_ABOVE);
    printf("<text y='-14' font-weight='bold'>");
    draw_text(oct_world_name(p->world));
    printf("</text>\n");
    draw_spots(p);
    for (uint32_t i = 0; i < oct_world_grids(p->world); i++) {
        draw_drift(p, i);
    }
    draw_kinds(p);
    draw_start(p);
    draw_notes(p, below);
    svg_leave();
    svg_end();
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "world_svg WORLD.json [HEIGHT]\n");
        return 2;
    }
    oct_world *world;
    oct_error error = {.line = 0};
    if (oct_world_load(argv[1], NULL, NULL, &world, NULL, &error) != OCT_OK) {
        fprintf(stderr, "%s:%u:%u: %s\n", argv[1], error.line, error.column, error.message);
        return 1;
    }
    plan p = {.world = world, .cut = argc == 3, .at = argc == 3 ? strtod(argv[2], NULL) : 0.0};
    const bool is_laid_out = lay_out(&p);
    if (is_laid_out) {
        draw(&p);
    }
    free(p.thick);
    free(p.tone);
    oct_world_destroy(world);
    return is_laid_out ? 0 : 1;
}
