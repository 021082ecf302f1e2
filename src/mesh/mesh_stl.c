// SPDX-License-Identifier: MIT
// Binary stereolithography: 80 bytes that say nothing, a count of 32 bits, then for each triangle
// twelve numbers of 32 bits, the normal first, and two bytes more; lowest bytes first.
#include "mesh/mesh_internal.h"

#include <math.h>

enum { STL_HEADER = 80, STL_BEGIN = 84, STL_FACET = 50, STL_CORNERS = 12 };

static double load_float(const uint8_t *at)
{
    const uint32_t bits = (uint32_t)oct_load_little(at, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static oct_result check_size(input in, mesh_builder *b, uint64_t *count, oct_error *error)
{
    const bool is_text = in.size >= 6 && memcmp(in.data, "solid ", 6) == 0;
    *count = in.size >= STL_BEGIN ? oct_load_little(in.data + STL_HEADER, 4) : 0;
    const bool fits = in.size >= STL_BEGIN && in.size - STL_BEGIN == *count * STL_FACET;
    if (!fits && is_text) {
        return OCT_REFUSE(error, 0, "this is the text form of STL; the binary form is read");
    }
    if (in.size < STL_BEGIN) {
        return OCT_REFUSE(error, in.size, "a binary STL begins with 84 bytes, these are %zu",
                          in.size);
    }
    if (!fits) {
        return OCT_REFUSE(error, STL_HEADER,
                          "%llu triangles take %llu bytes after the header, but there are %zu",
                          (unsigned long long)*count, (unsigned long long)(*count * STL_FACET),
                          in.size - STL_BEGIN);
    }
    if (*count > b->def.triangles_max || *count * 3 > b->def.vertices_max) {
        return OCT_REFUSE(error, STL_HEADER, "%llu triangles are more than are allowed",
                          (unsigned long long)*count);
    }
    return OCT_OK;
}

oct_result oct_mesh_read_stl(input in, mesh_builder *b, oct_error *error)
{
    uint64_t count;
    OCT_TRY(check_size(in, b, &count, error));
    OCT_TRY(oct_array_reserve(&b->vertices, &b->allocator, sizeof(oct_point), (size_t)count * 3));
    OCT_TRY(oct_array_reserve(&b->indices, &b->allocator, sizeof(uint32_t), (size_t)count * 3));
    oct_point *const vertices = b->vertices.items;
    uint32_t *const indices = b->indices.items;
    for (uint32_t i = 0; i < 3 * (uint32_t)count; i++) {
        const size_t at = STL_BEGIN + (size_t)(i / 3) * STL_FACET + STL_CORNERS + i % 3 * 12u;
        const double unit = b->def.unit;
        const oct_point p = {load_float(in.data + at) * unit, load_float(in.data + at + 4) * unit,
                             load_float(in.data + at + 8) * unit};
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) {
            return OCT_REFUSE(error, at, "a corner of triangle %u is not finite", i / 3 + 1);
        }
        vertices[i] = p;
        indices[i] = i;
    }
    b->vertices.count = b->indices.count = (size_t)count * 3;
    return OCT_OK;
}
