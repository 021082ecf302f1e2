// SPDX-License-Identifier: MIT
#include "generate/generate_floor.h"

typedef struct floor_draft {
    const floor_def *def;
    const oct_allocator *memory;
    oct_random random;
    floor_mesh *out;
    oct_array lattice; // of oct_point
} floor_draft;

static oct_result add_corner(floor_draft *d, oct_point point, uint32_t shared)
{
    floor_mesh *const m = d->out;
    if (d->def->unshared) {
        shared = (uint32_t)m->points.count;
        OCT_TRY(oct_array_push(&m->points, d->memory, sizeof point, &point));
    }
    return oct_array_push(&m->corners, d->memory, sizeof shared, &shared);
}

// A face of lattice points.
static oct_result add_face(floor_draft *d, const uint32_t *at, uint32_t count)
{
    const oct_point *const lattice = d->lattice.items;
    const bool reversed = d->def->unshared && oct_random_below(&d->random, 4) == 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t corner = at[reversed ? count - 1 - i : i];
        OCT_TRY(add_corner(d, lattice[corner], corner));
    }
    return oct_array_push(&d->out->sizes, d->memory, sizeof count, &count);
}

static bool is_hole(floor_draft *d)
{
    return oct_random_unit(&d->random) < d->def->holes;
}

// Corners at 1/16 m: T-junctions on straight edges are exact.
static oct_result add_point(floor_draft *d, double x, double y, double z)
{
    const oct_point point = {x, y, z};
    return oct_array_push(&d->lattice, d->memory, sizeof point, &point);
}

static double random_height(floor_draft *d)
{
    return d->def->heights * oct_random_unit(&d->random);
}

// ---- bent ----

static oct_result draft_bent(floor_draft *d)
{
    const uint32_t n = d->def->edge;
    for (uint32_t y = 0; y <= n; y++) {
        for (uint32_t x = 0; x <= n; x++) {
            const double dx = (double)oct_random_range(&d->random, -9, 9) / 40.0;
            const double dy = (double)oct_random_range(&d->random, -9, 9) / 40.0;
            OCT_TRY(add_point(d, x + dx, y + dy, random_height(d)));
        }
    }
    for (uint32_t y = 0; y < n; y++) {
        for (uint32_t x = 0; x < n; x++) {
            const uint32_t a = y * (n + 1) + x, b = a + 1, c = b + n + 1, e = a + n + 1;
            if (is_hole(d)) {
                continue;
            }
            const uint32_t quad[4] = {a, b, c, e};
            const uint32_t lower[3] = {a, b, c}, upper[3] = {a, c, e};
            switch (oct_random_below(&d->random, 3)) {
            case 0:
                OCT_TRY(add_face(d, lower, 3));
                OCT_TRY(is_hole(d) ? OCT_OK : add_face(d, upper, 3));
                break;
            default:
                OCT_TRY(add_face(d, quad, 4));
                break;
            }
        }
    }
    return OCT_OK;
}

// ---- tiled ----

static oct_result add_tile(floor_draft *d, double x, double y, double width, double depth)
{
    const uint32_t first = (uint32_t)d->lattice.count;
    // A plane of the whole floor, so that heights agree along edges.
    const double slope = d->def->heights / d->def->edge;
    OCT_TRY(add_point(d, x, y, slope * x));
    OCT_TRY(add_point(d, x + width, y, slope * (x + width)));
    OCT_TRY(add_point(d, x + width, y + depth, slope * (x + width)));
    OCT_TRY(add_point(d, x, y + depth, slope * x));
    const uint32_t tile[4] = {first, first + 1, first + 2, first + 3};
    return add_face(d, tile, 4);
}

static oct_result draft_tiled(floor_draft *d)
{
    const uint32_t n = d->def->edge;
    for (uint32_t y = 0; y < n; y++) {
        for (uint32_t x = 0; x < n;) {
            const uint32_t left = n - x;
            uint32_t width = 1 + (uint32_t)oct_random_below(&d->random, 3);
            width = width < left ? width : left;
            if (is_hole(d)) {
                x += 1;
                continue;
            }
            if (width == 1 && oct_random_below(&d->random, 2) == 0) {
                for (uint32_t part = 0; part < 4; part++) {
                    if (!is_hole(d)) {
                        OCT_TRY(add_tile(d, x + 0.5 * (part & 1), y + 0.5 * (part >> 1), 0.5, 0.5));
                    }
                }
            } else {
                OCT_TRY(add_tile(d, x, y, width, 1.0));
            }
            x += width;
        }
    }
    return OCT_OK;
}

// ---- spiral ----

#define SPIRAL_TURNS 3

static oct_result draft_spiral(floor_draft *d)
{
    static const double around[16][2] = {{4, 0},  {4, 2},  {3, 3},  {2, 4},   {0, 4},   {-2, 4},
                                         {-3, 3}, {-4, 2}, {-4, 0}, {-4, -2}, {-3, -3}, {-2, -4},
                                         {0, -4}, {2, -4}, {3, -3}, {4, -2}};
    const uint32_t width = d->def->edge, steps = 16 * SPIRAL_TURNS;
    for (uint32_t i = 0; i <= steps; i++) {
        for (uint32_t j = 0; j <= width; j++) {
            const double r = 0.25 + 0.25 * j + 0.01 * (double)oct_random_below(&d->random, 8);
            OCT_TRY(add_point(d, r * around[i % 16][0], r * around[i % 16][1],
                              d->def->heights * i / 16.0));
        }
    }
    for (uint32_t i = 0; i < steps; i++) {
        for (uint32_t j = 0; j < width; j++) {
            const uint32_t a = i * (width + 1) + j, b = a + 1, e = a + width + 1, c = e + 1;
            const uint32_t quad[4] = {a, b, c, e};
            OCT_TRY(is_hole(d) ? OCT_OK : add_face(d, quad, 4));
        }
    }
    return OCT_OK;
}

oct_result oct_floor_generate(const floor_def *def, const oct_allocator *allocator, floor_mesh *out)
{
    *out = (floor_mesh){.points = {0}};
    floor_draft d = {
        .def = def, .memory = allocator, .out = out, .random = oct_random_seed(def->seed)};
    oct_result result = OCT_OK;
    switch (def->kind) {
    case FLOOR_BENT:
        result = draft_bent(&d);
        break;
    case FLOOR_TILED:
        result = draft_tiled(&d);
        break;
    default:
        result = draft_spiral(&d);
        break;
    }
    if (!def->unshared) {
        oct_array_free(&out->points, allocator, sizeof(oct_point));
        out->points = d.lattice;
        d.lattice = (oct_array){0};
    }
    oct_array_free(&d.lattice, allocator, sizeof(oct_point));
    if (result != OCT_OK) {
        oct_floor_free(out, allocator);
    }
    return result;
}

void oct_floor_free(floor_mesh *mesh, const oct_allocator *allocator)
{
    oct_array_free(&mesh->points, allocator, sizeof(oct_point));
    oct_array_free(&mesh->corners, allocator, sizeof(uint32_t));
    oct_array_free(&mesh->sizes, allocator, sizeof(uint32_t));
}

oct_surface_def oct_floor_def(const floor_mesh *mesh)
{
    oct_surface_def def = oct_surface_def_default();
    def.points = mesh->points.items;
    def.point_count = (uint32_t)mesh->points.count;
    def.corners = mesh->corners.items;
    def.sizes = mesh->sizes.items;
    def.face_count = (uint32_t)mesh->sizes.count;
    def.up = OCT_UP_Z;
    return def;
}
