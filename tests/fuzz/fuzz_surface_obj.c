// SPDX-License-Identifier: MIT
// Fuzzes the reader of surfaces in OBJ text, and what is made of them: faces stay convex and
// joined both ways, and paths end.
#include "fuzz.h"
#include "octant/surface_path.h"
#include "surface/surface_internal.h"

#include <math.h>

static void check_edges(const oct_surface *s)
{
    for (uint32_t h = 0; h < s->info.corners; h++) {
        const half_edge *const e = &s->edges[h];
        FUZZ_CHECK(isfinite(e->x) && isfinite(e->y) && isfinite(e->z));
        FUZZ_CHECK(s->edges[e->next].prev == h && s->edges[e->next].face == e->face);
        if (e->twin != NO_EDGE) {
            const half_edge *const t = &s->edges[e->twin];
            FUZZ_CHECK(t->twin == h && t->face != e->face);
            FUZZ_CHECK(t->x == s->edges[e->next].x && t->y == s->edges[e->next].y);
            FUZZ_CHECK(s->faces[t->face].island == s->faces[e->face].island);
        }
    }
}

static void check_paths(const oct_surface *s, const oct_allocator *memory)
{
    oct_surface_planner *planner;
    if (s->info.faces == 0 || oct_surface_planner_create(s, memory, &planner) != OCT_OK) {
        return;
    }
    for (uint32_t i = 0; i < 4; i++) {
        oct_surface_query query = oct_surface_query_default();
        query.from_face = i * 7 % s->info.faces;
        query.to_face = s->info.faces - 1 - i * 5 % s->info.faces;
        query.from = oct_surface_face_of(s, query.from_face).centre;
        query.to = oct_surface_face_of(s, query.to_face).centre;
        oct_surface_path path;
        const oct_result result = oct_surface_plan(planner, &query, &path);
        // Faces may overlap each other: then no way may be found, which is an error.
        FUZZ_CHECK(result == OCT_OK || result == OCT_ERROR_MEMORY || result == OCT_ERROR_ARGUMENT ||
                   result == OCT_ERROR_RANGE);
        oct_surface_locate(s, query.from, 0.5);
    }
    oct_surface_planner_destroy(planner);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t used = 0;
    const oct_allocator limited = {fuzz_alloc, fuzz_free, &used};
    oct_surface_def def = oct_surface_def_default();
    def.allocator = &limited;
    def.view_distance = size % 3 == 0 ? 2.0 : 0.0;
    oct_surface *surface;
    oct_error error;
    const oct_result result = oct_surface_read_obj(data, size, &def, &surface, &error);
    if (result != OCT_OK) {
        FUZZ_CHECK(result == OCT_ERROR_FORMAT || result == OCT_ERROR_MEMORY ||
                   result == OCT_ERROR_RANGE);
        FUZZ_CHECK(!surface && error.message[0] != '\0');
        FUZZ_CHECK(result != OCT_ERROR_FORMAT || error.line > 0);
    } else {
        check_edges(surface);
        check_paths(surface, &limited);
        oct_surface_destroy(surface);
    }
    FUZZ_CHECK(used == 0);
    return 0;
}
