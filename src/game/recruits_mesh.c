// SPDX-License-Identifier: MIT
// The mesh that the lab world serves: floors, ramps and the tops of walls, less 0.24 m along
// everything that is in the way or drops. Doors, screens, and whatever moves do not cut it;
// furniture does.
//
// A cell is cut into at most 3 x 3 parts, the middle and what lies within 0.24 m of its edges, and
// by the edges of furniture. Free parts are put together to rectangles, in tiles of 4 x 4 cells,
// which keeps the mesh coarse and its edges short enough to be seen.
#include "game/recruits_mesh.h"

#define MARGIN 0.24 // the radius that the game bakes with
#define HEADROOM 1.7
#define TILE 4
// Lines nearer to each other than this are one; parts of things that reach less far do not cut.
#define SLIVER 0.02
#define LINES_MAX 96 // of a tile along an axis: furniture beyond that cuts by whole cells

// What can be walked on in a cell: flat at a height, or a ramp on a sheet.
typedef struct place {
    int32_t x, y, z;
    uint8_t turn;
    bool is_ramp;
} place;

// The four sides in the order of quarter turns: -x, +z, +x, -z.
#define SIDES ((uint8_t)4)

// ---- where one can stand ----

static bool fills(const recruits_world *g, int32_t x, int32_t y, int32_t z)
{
    return (cell_at(g, x, y, z) & (CELL_WALL | CELL_RAMP)) != 0;
}

static bool is_flat(const recruits_world *g, int32_t x, int32_t y, int32_t z)
{
    const bool bears = (cell_at(g, x, y, z) & CELL_FLOOR) || (cell_at(g, x, y - 1, z) & CELL_WALL);
    return bears && !fills(g, x, y, z) && !fills(g, x, y + 1, z) &&
           !(cell_at(g, x, y + 1, z) & CELL_FLOOR);
}

static bool is_ramp(const recruits_world *g, int32_t x, int32_t y, int32_t z)
{
    const uint8_t cell = cell_at(g, x, y, z);
    return (cell & CELL_RAMP) && !(cell & CELL_WALL) && !cell_at(g, x, y + 1, z) &&
           !cell_at(g, x, y + 2, z);
}

static uint8_t turn_of(const recruits_world *g, int32_t x, int32_t y, int32_t z)
{
    return (uint8_t)(cell_at(g, x, y, z) >> CELL_TURN_SHIFT);
}

static bool take_flat(const recruits_world *g, int32_t x, int32_t y, int32_t z, place *out)
{
    *out = (place){.x = x, .y = y, .z = z};
    return is_flat(g, x, y, z);
}

static bool take_ramp(const recruits_world *g, int32_t x, int32_t y, int32_t z, uint8_t turn,
                      place *out)
{
    *out = (place){x, y, z, turn, true};
    return is_ramp(g, x, y, z) && turn_of(g, x, y, z) == turn;
}

// What lies beyond a side at a height, where the whole edge is that high: a floor, a ramp that
// begins there, or one that ends there.
static bool step_level(const recruits_world *g, int32_t x, int32_t height, int32_t z, uint8_t side,
                       place *out)
{
    return take_flat(g, x, height, z, out) || take_ramp(g, x, height, z, side, out) ||
           take_ramp(g, x, height - 1, z, (uint8_t)((side + 2) % SIDES), out);
}

// What one walks onto over a side of a place; false where that is a border.
static bool step(const recruits_world *g, const place *from, uint8_t side, place *out)
{
    const int32_t x = from->x + turn_x(side), z = from->z + turn_z(side);
    if (!from->is_ramp) {
        return step_level(g, x, from->y, z, side, out);
    }
    if (side == from->turn) {
        return step_level(g, x, from->y + 1, z, side, out);
    }
    if (side == (from->turn + 2) % SIDES) {
        return step_level(g, x, from->y, z, side, out);
    }
    return take_ramp(g, x, from->y, z, from->turn, out);
}

// Which sides of a place go on, and which corners between two that do: bit `side` and bit 4 +
// `side`, the corner between that side and the next one.
static uint32_t open_sides(const recruits_world *g, const place *at)
{
    place over[SIDES], beyond;
    uint32_t open = 0;
    for (uint8_t side = 0; side < SIDES; side++) {
        open |= step(g, at, side, &over[side]) ? 1u << side : 0u;
    }
    for (uint8_t side = 0; side < SIDES; side++) {
        const uint8_t next = (uint8_t)((side + 1) % SIDES);
        if ((open >> side & 1u) && (open >> next & 1u) && step(g, &over[side], next, &beyond) &&
            step(g, &over[next], side, &beyond)) {
            open |= 16u << side;
        }
    }
    return open;
}

// Whether a place of a cell, from its middle, is kept free of what is beside it. Beyond +-0.26 it
// is near a side.
static bool is_margin(uint32_t open, double x, double z)
{
    const double inner = 0.5 - MARGIN;
    const int side_x = x < -inner ? 0 : x > inner ? 2 : -1;
    const int side_z = z < -inner ? 3 : z > inner ? 1 : -1;
    if ((side_x >= 0 && !(open >> side_x & 1u)) || (side_z >= 0 && !(open >> side_z & 1u))) {
        return true;
    }
    if (side_x < 0 || side_z < 0) {
        return false;
    }
    const bool follows = (side_x + 1) % SIDES == side_z;
    return !(open >> (4 + (follows ? side_x : side_z)) & 1u);
}

// ---- tiles ----

typedef struct tile {
    const recruits_world *g;
    int32_t x0, z0, x1, z1; // cells
    int32_t y;
    place ramp; // of a tile that is one ramp
    bool is_ramp;
    double xs[LINES_MAX], zs[LINES_MAX];
    uint32_t x_count, z_count;
    bool is_free[LINES_MAX][LINES_MAX]; // by z, then x
} tile;

static void add_line(double *lines, uint32_t *count, double at, double low, double high)
{
    uint32_t i = *count;
    if (*count == LINES_MAX || at < low || at > high) {
        return;
    }
    for (uint32_t k = 0; k < *count; k++) {
        if (fabs(lines[k] - at) < SLIVER) {
            return;
        }
    }
    for (; i > 0 && lines[i - 1] > at; i--) {
        lines[i] = lines[i - 1];
    }
    lines[i] = at;
    ++*count;
}

static void add_cell_lines(double *lines, uint32_t *count, int32_t low, int32_t high)
{
    for (int32_t c = low; c <= high; c++) {
        const double offs[4] = {-0.5, MARGIN - 0.5, 0.5 - MARGIN, 0.5};
        for (int i = 0; i < 4; i++) {
            add_line(lines, count, c + offs[i], low - 0.5, high + 0.5);
        }
    }
}

static bool cuts(const tile *t, const recruits_thing *thing)
{
    return thing->kind >= OCT_RECRUITS_CHAIR && thing->box.min.y < t->y + HEADROOM &&
           thing->box.max.y > t->y + SLIVER + (t->is_ramp ? 1.0 : 0.0);
}

typedef void tile_visit(tile *t, const recruits_thing *thing);

// Things that touch the tile; some twice.
static void visit_things(tile *t, tile_visit *visit)
{
    const recruits_world *const g = t->g;
    for (int32_t z = t->z0 - 1; z <= t->z1 + 1; z++) {
        for (int32_t x = t->x0 - 1; x <= t->x1 + 1; x++) {
            if ((uint32_t)x >= g->width || (uint32_t)z >= g->depth) {
                continue;
            }
            const size_t column = (size_t)z * g->width + (size_t)x;
            for (uint32_t k = g->near.first[column]; k < g->near.first[column + 1]; k++) {
                const recruits_thing *const thing = thing_at(g, g->near.items[k]);
                if (cuts(t, thing)) {
                    visit(t, thing);
                }
            }
        }
    }
}

static void add_thing_lines(tile *t, const recruits_thing *thing)
{
    const oct_bounds *const b = &thing->box;
    const double low_x = t->x0 - 0.5, high_x = t->x1 + 0.5;
    const double low_z = t->z0 - 0.5, high_z = t->z1 + 0.5;
    add_line(t->xs, &t->x_count, b->min.x - MARGIN, low_x, high_x);
    add_line(t->xs, &t->x_count, b->max.x + MARGIN, low_x, high_x);
    add_line(t->zs, &t->z_count, b->min.z - MARGIN, low_z, high_z);
    add_line(t->zs, &t->z_count, b->max.z + MARGIN, low_z, high_z);
}

static void cut_thing(tile *t, const recruits_thing *thing)
{
    const oct_bounds *const b = &thing->box;
    const double hair = MARGIN - SLIVER;
    for (uint32_t j = 0; j + 1 < t->z_count; j++) {
        for (uint32_t i = 0; i + 1 < t->x_count; i++) {
            const bool meets = t->xs[i] < b->max.x + hair && t->xs[i + 1] > b->min.x - hair &&
                               t->zs[j] < b->max.z + hair && t->zs[j + 1] > b->min.z - hair;
            t->is_free[j][i] = t->is_free[j][i] && !meets;
        }
    }
}

static bool is_place(const tile *t, int32_t x, int32_t z, place *out)
{
    *out = t->ramp;
    return t->is_ramp || take_flat(t->g, x, t->y, z, out);
}

static void mark_cell(tile *t, int32_t x, int32_t z)
{
    place at;
    const bool is_there = is_place(t, x, z, &at);
    const uint32_t open = is_there ? open_sides(t->g, &at) : 0;
    for (uint32_t j = 0; j + 1 < t->z_count; j++) {
        const double mid_z = (t->zs[j] + t->zs[j + 1]) / 2.0 - z;
        for (uint32_t i = 0; i + 1 < t->x_count && fabs(mid_z) < 0.5; i++) {
            const double mid_x = (t->xs[i] + t->xs[i + 1]) / 2.0 - x;
            if (fabs(mid_x) < 0.5) {
                t->is_free[j][i] = is_there && !is_margin(open, mid_x, mid_z);
            }
        }
    }
}

// Takes the largest stretch of a row, then as many rows as are free along all of it.
static oct_result take_rects(tile *t, const oct_allocator *allocator, oct_array *out)
{
    for (uint32_t j = 0; j + 1 < t->z_count; j++) {
        for (uint32_t i = 0; i + 1 < t->x_count; i++) {
            uint32_t end_i = i, end_j = j;
            while (end_i + 1 < t->x_count && t->is_free[j][end_i]) {
                end_i++;
            }
            for (bool goes_on = end_i > i; goes_on;) {
                for (uint32_t k = i; k < end_i; k++) {
                    t->is_free[end_j][k] = false;
                }
                end_j++;
                goes_on = end_j + 1 < t->z_count;
                for (uint32_t k = i; goes_on && k < end_i; k++) {
                    goes_on = t->is_free[end_j][k];
                }
            }
            const mesh_rect r = {t->xs[i], t->zs[j], t->xs[end_i], t->zs[end_j], t->x0,
                                 t->y,     t->z0,    t->ramp.turn, t->is_ramp};
            if (end_i > i) {
                OCT_TRY(oct_array_push(out, allocator, sizeof r, &r));
            }
        }
    }
    return OCT_OK;
}

static oct_result cut_tile(tile *t, const oct_allocator *allocator, oct_array *out)
{
    t->x_count = t->z_count = 0;
    add_cell_lines(t->xs, &t->x_count, t->x0, t->x1);
    add_cell_lines(t->zs, &t->z_count, t->z0, t->z1);
    visit_things(t, add_thing_lines);
    for (int32_t z = t->z0; z <= t->z1; z++) {
        for (int32_t x = t->x0; x <= t->x1; x++) {
            mark_cell(t, x, z);
        }
    }
    visit_things(t, cut_thing);
    return take_rects(t, allocator, out);
}

static bool has_flat(const tile *t)
{
    for (int32_t z = t->z0; z <= t->z1; z++) {
        for (int32_t x = t->x0; x <= t->x1; x++) {
            if (is_flat(t->g, x, t->y, z)) {
                return true;
            }
        }
    }
    return false;
}

static oct_result cut_ramps(tile *t, const oct_allocator *allocator, oct_array *out)
{
    const tile whole = {.x0 = t->x0, .z0 = t->z0, .x1 = t->x1, .z1 = t->z1};
    oct_result result = OCT_OK;
    t->is_ramp = true;
    for (int32_t z = whole.z0; z <= whole.z1 && result == OCT_OK; z++) {
        for (int32_t x = whole.x0; x <= whole.x1 && result == OCT_OK; x++) {
            if (is_ramp(t->g, x, t->y, z)) {
                t->x0 = t->x1 = x;
                t->z0 = t->z1 = z;
                t->ramp = (place){x, t->y, z, turn_of(t->g, x, t->y, z), true};
                result = cut_tile(t, allocator, out);
            }
        }
    }
    t->x0 = whole.x0;
    t->x1 = whole.x1;
    t->z0 = whole.z0;
    t->z1 = whole.z1;
    t->is_ramp = false;
    t->ramp = (place){.x = 0};
    return result;
}

static oct_result cut_level(recruits_world *g, tile *t, oct_array *out)
{
    const int32_t width = (int32_t)g->width, depth = (int32_t)g->depth;
    t->g = g;
    for (int32_t y = 0; y <= (int32_t)g->sheets; y++) {
        for (int32_t z = 0; z < depth; z += TILE) {
            for (int32_t x = 0; x < width; x += TILE) {
                t->x0 = x;
                t->z0 = z;
                t->x1 = x + TILE < width ? x + TILE - 1 : width - 1;
                t->z1 = z + TILE < depth ? z + TILE - 1 : depth - 1;
                t->y = y;
                if (has_flat(t)) {
                    OCT_TRY(cut_tile(t, &g->allocator, out));
                }
                OCT_TRY(cut_ramps(t, &g->allocator, out));
            }
        }
    }
    return OCT_OK;
}

// ---- what is made of it ----

static oct_bounds vertex_box(const recruits_world *g, uint32_t i)
{
    const oct_point at = ((const oct_point *)g->mesh.points.items)[i];
    return (oct_bounds){at, at};
}

static bool is_vertex(const recruits_world *g, uint32_t i)
{
    (void)g;
    (void)i;
    return true;
}

// What is too large for a surface has nobody walking by itself.
static oct_result make_surface(recruits_world *g)
{
    oct_surface_def def = oct_surface_def_default();
    def.points = g->mesh.points.items;
    def.point_count = (uint32_t)g->mesh.points.count;
    def.corners = g->mesh.triangles.items;
    def.face_count = (uint32_t)(g->mesh.triangles.count / 3);
    def.left_handed = true;
    def.allocator = &g->allocator;
    const oct_result result = oct_surface_create(&def, &g->surface, NULL);
    if (result != OCT_OK) {
        g->surface = NULL;
        return result == OCT_ERROR_MEMORY ? result : OCT_OK;
    }
    return oct_surface_planner_create(g->surface, &g->allocator, &g->planner);
}

oct_result oct_recruits_make_mesh(recruits_world *g)
{
    oct_array rects = {0};
    tile *const t = oct_alloc(&g->allocator, sizeof *t, _Alignof(tile));
    if (!t) {
        return OCT_ERROR_MEMORY;
    }
    *t = (tile){.g = g};
    oct_result result = cut_level(g, t, &rects);
    oct_free(&g->allocator, t, sizeof *t);
    if (result == OCT_OK) {
        result = oct_recruits_join_rects(g, rects.items, rects.count);
    }
    oct_array_free(&rects, &g->allocator, sizeof(mesh_rect));
    OCT_TRY(result);
    OCT_TRY(oct_recruits_list_columns(g, (uint32_t)g->mesh.points.count, vertex_box, is_vertex,
                                      &g->vertices));
    return g->actors.count > 0 ? make_surface(g) : OCT_OK;
}
