// SPDX-License-Identifier: MIT
// Surfaces to JSON. A corner is written once for all faces that have it at the same height.
#include "base/index_table.h"
#include "base/sink.h"
#include "files/files_internal.h"
#include "surface/surface_internal.h"

typedef struct surface_writer {
    const oct_surface *surface;
    const oct_allocator *memory;
    index_table table;
    uint32_t *vertices; // of each half-edge
    sink out;
} surface_writer;

static uint64_t hash_corner(const half_edge *e)
{
    const double values[3] = {e->x, e->y, e->z};
    uint64_t bits[3];
    memcpy(bits, values, sizeof bits);
    return oct_hash_pair(oct_hash_pair(bits[0], bits[1]), bits[2]);
}

// The index of a corner's vertex; *is_new: it has to be written.
static uint32_t vertex_of(surface_writer *w, uint32_t h, uint32_t next, bool *is_new)
{
    const half_edge *const edges = w->surface->edges, *const e = &edges[h];
    const uint64_t key = hash_corner(e);
    uint32_t at = INDEX_TABLE_BEGIN, other;
    while (index_table_next(&w->table, key, &at, &other)) {
        if (edges[other].x == e->x && edges[other].y == e->y && edges[other].z == e->z) {
            *is_new = false;
            return w->vertices[other];
        }
    }
    oct_index_table_put(&w->table, key, h);
    *is_new = true;
    return next;
}

static void write_vertices(surface_writer *w)
{
    const oct_surface *const s = w->surface;
    uint32_t count = 0;
    oct_sink_text(&w->out, "\"vertices\": [");
    for (uint32_t h = 0; h < s->info.corners; h++) {
        bool is_new;
        w->vertices[h] = vertex_of(w, h, count, &is_new);
        if (is_new) {
            const oct_point p = surface_out(s, edge_point(&s->edges[h]));
            const double at[3] = {p.x, p.y, p.z};
            oct_sink_text(&w->out, count++ > 0 ? ",\n  " : "\n  ");
            oct_sink_decimals(&w->out, at, 3);
        }
    }
}

static void write_faces(surface_writer *w)
{
    const oct_surface *const s = w->surface;
    oct_sink_text(&w->out, "],\n\"faces\": [");
    for (uint32_t f = 0; f < s->info.faces; f++) {
        oct_sink_text(&w->out, f > 0 ? ",\n  [" : "\n  [");
        uint32_t h = s->faces[f].apex;
        for (uint32_t i = 0; i < s->faces[f].count; i++, h = s->edges[h].next) {
            oct_sink_text(&w->out, i > 0 ? ", " : "");
            oct_sink_number(&w->out, w->vertices[h]);
        }
        oct_sink_text(&w->out, "]");
    }
    oct_sink_text(&w->out, "]");
}

static void write_details(surface_writer *w)
{
    const oct_surface *const s = w->surface;
    oct_sink_text(&w->out, ",\n\"details\": [");
    for (uint32_t f = 0; f < s->info.faces; f++) {
        const ground_point(*triangles)[3];
        const uint32_t count = details_of(s, f, &triangles);
        oct_sink_text(&w->out, f > 0 ? ",\n  [" : "\n  [");
        for (uint32_t i = 0; i < count; i++) {
            double at[9];
            for (size_t k = 0; k < 3; k++) {
                const oct_point p = surface_out(s, triangles[i][k]);
                memcpy(&at[3 * k], (const double[3]){p.x, p.y, p.z}, 3 * sizeof(double));
            }
            oct_sink_text(&w->out, i > 0 ? ", " : "");
            oct_sink_decimals(&w->out, at, 9);
        }
        oct_sink_text(&w->out, "]");
    }
    oct_sink_text(&w->out, "]");
}

static void write_baked(sink *out, const oct_surface_baked *baked)
{
    const char *const keys[] = {"radius", "climb", "clearance", "height_mean", "height_most"};
    const double values[] = {baked->radius, baked->climb, baked->clearance, baked->height_mean,
                             baked->height_most};
    oct_sink_text(out, ",\n\"baked\": {");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        oct_sink_text(out, i > 0 ? ", \"" : "\"");
        oct_sink_text(out, keys[i]);
        oct_sink_text(out, "\": ");
        oct_sink_decimal(out, values[i]);
    }
    oct_sink_text(out, "}");
}

static oct_result write_surface(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    surface_writer *const w = ctx;
    const oct_surface *const s = w->surface;
    static const char *const ups[] = {"x", "y", "z"};
    (void)error;
    oct_sink_open(&w->out, write, file);
    oct_sink_text(&w->out, "{\"up\": \"");
    oct_sink_text(&w->out, ups[s->up]);
    oct_sink_text(&w->out, "\",\n");
    write_vertices(w);
    write_faces(w);
    if (s->info.details > 0) {
        write_details(w);
    }
    if (s->info.baked.is_known) {
        write_baked(&w->out, &s->info.baked);
    }
    oct_sink_text(&w->out, "}\n");
    oct_sink_flush(&w->out);
    return w->out.failed ? OCT_ERROR_FILE : OCT_OK;
}

oct_result oct_surface_save(const char *path, const oct_surface *surface, uint64_t *size,
                            oct_error *error)
{
    const oct_allocator memory = surface->allocator;
    const size_t bytes = (surface->info.corners + 1u) * sizeof(uint32_t);
    surface_writer *const w = oct_alloc(&memory, sizeof *w, _Alignof(surface_writer));
    oct_result result = w ? OCT_OK : oct_io_out_of_memory(error);
    if (w) {
        *w = (surface_writer){.surface = surface, .memory = &memory};
        w->vertices = oct_alloc(&memory, bytes, _Alignof(uint32_t));
        result = w->vertices ? oct_index_table_reserve(&w->table, &memory, surface->info.corners)
                             : oct_io_out_of_memory(error);
        result = result == OCT_OK ? oct_file_replace(path, write_surface, w, size, error) : result;
        oct_free(&memory, w->vertices, bytes);
        oct_index_table_free(&w->table, &memory);
    }
    oct_free(&memory, w, sizeof *w);
    return result;
}
