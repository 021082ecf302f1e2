// SPDX-License-Identifier: MIT
#include "files/recast_shim.h"

#include <DetourAlloc.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>
#include <Recast.h>
#include <RecastAlloc.h>
#include <math.h>
#include <new>
#include <string.h>

#define NODES 65535
#define WALKABLE 1

struct recast_mesh {
    dtNavMesh *mesh;
    dtNavMeshQuery *query;
    dtQueryFilter *filter;
    const dtMeshTile *tile;
    dtPolyRef base;
    dtPolyRef *path;
    float *points;
    unsigned char *flags;
    dtPolyRef *refs;
    int room;
    float radius, climb;
};

bool oct_recast_is_there(void)
{
    return true;
}

void oct_recast_free(recast_mesh *mesh)
{
    if (!mesh) {
        return;
    }
    dtFreeNavMeshQuery(mesh->query);
    dtFreeNavMesh(mesh->mesh);
    if (mesh->filter) {
        mesh->filter->~dtQueryFilter();
        dtFree(mesh->filter);
    }
    dtFree(mesh->path);
    dtFree(mesh->points);
    dtFree(mesh->flags);
    dtFree(mesh->refs);
    dtFree(mesh);
}

// ---- Detour ----

static bool open_query(recast_mesh *m, unsigned char *data, int size)
{
    m->mesh = dtAllocNavMesh();
    if (!m->mesh || dtStatusFailed(m->mesh->init(data, size, DT_TILE_FREE_DATA))) {
        dtFree(data);
        return false;
    }
    m->query = dtAllocNavMeshQuery();
    if (!m->query || dtStatusFailed(m->query->init(m->mesh, NODES))) {
        return false;
    }
    const dtNavMesh *const mesh = m->mesh;
    m->tile = mesh->getTile(0);
    m->base = mesh->getPolyRefBase(m->tile);
    m->room = m->tile->header->polyCount + 2;
    void *const filter = dtAlloc(sizeof(dtQueryFilter), DT_ALLOC_PERM);
    m->filter = filter ? ::new (filter) dtQueryFilter() : 0;
    m->path = (dtPolyRef *)dtAlloc(sizeof(dtPolyRef) * m->room, DT_ALLOC_PERM);
    m->points = (float *)dtAlloc(sizeof(float) * 3 * m->room, DT_ALLOC_PERM);
    m->flags = (unsigned char *)dtAlloc(m->room, DT_ALLOC_PERM);
    m->refs = (dtPolyRef *)dtAlloc(sizeof(dtPolyRef) * m->room, DT_ALLOC_PERM);
    return m->filter && m->path && m->points && m->flags && m->refs;
}

static recast_mesh *make_detour(dtNavMeshCreateParams *params, const char **why)
{
    *why = "Detour refused the mesh";
    unsigned char *data = 0;
    int size = 0;
    if (!dtCreateNavMeshData(params, &data, &size)) {
        return 0;
    }
    recast_mesh *const m = (recast_mesh *)dtAlloc(sizeof(recast_mesh), DT_ALLOC_PERM);
    if (!m) {
        dtFree(data);
        return 0;
    }
    memset(m, 0, sizeof *m);
    m->radius = params->walkableRadius;
    m->climb = params->walkableClimb;
    if (!open_query(m, data, size)) {
        oct_recast_free(m);
        return 0;
    }
    *why = 0;
    return m;
}

recast_mesh *oct_recast_of_polygons(const recast_polygons *p, const char **why)
{
    *why = "memory is short";
    unsigned short *const flags =
        (unsigned short *)dtAlloc(sizeof(unsigned short) * p->polygon_count, DT_ALLOC_TEMP);
    unsigned char *const areas = (unsigned char *)dtAlloc(p->polygon_count, DT_ALLOC_TEMP);
    recast_mesh *mesh = 0;
    if (flags && areas) {
        dtNavMeshCreateParams params;
        memset(&params, 0, sizeof params);
        memset(areas, 0, p->polygon_count);
        for (int i = 0; i < p->polygon_count; i++) {
            flags[i] = WALKABLE;
        }
        params.verts = p->vertices;
        params.vertCount = p->vertex_count;
        params.polys = p->polygons;
        params.polyFlags = flags;
        params.polyAreas = areas;
        params.polyCount = p->polygon_count;
        params.nvp = 6;
        params.cs = p->cell;
        params.ch = p->cell_height;
        params.walkableHeight = 2.0f;
        params.walkableClimb = p->cell_height;
        params.buildBvTree = true;
        for (int i = 0; i < 3; i++) {
            params.bmin[i] = p->origin[i];
            params.bmax[i] = p->origin[i] + 65535.0f * (i == 1 ? p->cell_height : p->cell);
        }
        mesh = make_detour(&params, why);
    }
    dtFree(flags);
    dtFree(areas);
    return mesh;
}

// ---- Recast ----

struct baking {
    rcContext context;
    rcHeightfield *solid;
    rcCompactHeightfield *compact;
    rcContourSet *contours;
    rcPolyMesh *mesh;
    rcPolyMeshDetail *detail;
    unsigned char *areas;

    baking()
        : context(false), solid(rcAllocHeightfield()), compact(rcAllocCompactHeightfield()),
          contours(rcAllocContourSet()), mesh(rcAllocPolyMesh()), detail(rcAllocPolyMeshDetail()),
          areas(0)
    {
    }
    ~baking()
    {
        rcFreeHeightField(solid);
        rcFreeCompactHeightfield(compact);
        rcFreeContourSet(contours);
        rcFreePolyMesh(mesh);
        rcFreePolyMeshDetail(detail);
        rcFree(areas);
    }
};

static rcConfig config_of(const recast_bake *bake)
{
    rcConfig c;
    memset(&c, 0, sizeof c);
    c.cs = bake->cell;
    c.ch = bake->cell_height;
    c.walkableSlopeAngle = bake->slope;
    c.walkableHeight = (int)ceilf(bake->height / c.ch);
    c.walkableClimb = (int)floorf(bake->climb / c.ch);
    c.walkableRadius = (int)ceilf(bake->radius / c.cs);
    c.maxEdgeLen = (int)(12.0f / c.cs);
    c.maxSimplificationError = bake->error > 0.0f ? bake->error : 1.3f;
    c.minRegionArea = bake->least_region > 0 ? bake->least_region : 8 * 8;
    c.mergeRegionArea = 20 * 20;
    c.maxVertsPerPoly = 6;
    c.detailSampleDist = 6.0f * c.cs;
    c.detailSampleMaxError = 1.0f * c.ch;
    if (bake->spans) {
        c.width = bake->width;
        c.height = bake->depth;
        for (int i = 0; i < 3; i++) {
            const int cells = i == 0 ? bake->width : i == 1 ? RECAST_HEIGHT_MAX : bake->depth;
            c.bmin[i] = bake->origin[i];
            c.bmax[i] = bake->origin[i] + (float)cells * (i == 1 ? c.ch : c.cs);
        }
        return c;
    }
    rcCalcBounds(bake->vertices, bake->vertex_count, c.bmin, c.bmax);
    rcCalcGridSize(c.bmin, c.bmax, c.cs, &c.width, &c.height);
    return c;
}

static bool add_spans(baking *b, const recast_bake *bake)
{
    for (size_t i = 0; i < bake->span_count; i++) {
        const recast_span *const s = &bake->spans[i];
        if (!rcAddSpan(&b->context, *b->solid, s->x, s->z, (unsigned short)s->low,
                       (unsigned short)s->high, s->is_floor ? RC_WALKABLE_AREA : RC_NULL_AREA, 0)) {
            return false;
        }
    }
    return true;
}

static bool add_triangles(baking *b, const recast_bake *bake, const rcConfig *c)
{
    rcContext *const x = &b->context;
    rcMarkWalkableTriangles(x, c->walkableSlopeAngle, bake->vertices, bake->vertex_count,
                            bake->triangles, bake->triangle_count, b->areas);
    return rcRasterizeTriangles(x, bake->vertices, bake->vertex_count, bake->triangles, b->areas,
                                bake->triangle_count, *b->solid, c->walkableClimb);
}

static bool bake_solid(baking *b, const recast_bake *bake, rcConfig *c)
{
    rcContext *const x = &b->context;
    b->areas = (unsigned char *)rcAlloc(bake->triangle_count + 1, RC_ALLOC_TEMP);
    if (!b->areas || !b->solid || !b->compact || !b->contours || !b->mesh || !b->detail ||
        !rcCreateHeightfield(x, *b->solid, c->width, c->height, c->bmin, c->bmax, c->cs, c->ch)) {
        return false;
    }
    memset(b->areas, 0, bake->triangle_count + 1);
    if (!(bake->spans ? add_spans(b, bake) : add_triangles(b, bake, c))) {
        return false;
    }
    rcFilterLowHangingWalkableObstacles(x, c->walkableClimb, *b->solid);
    rcFilterLedgeSpans(x, c->walkableHeight, c->walkableClimb, *b->solid);
    rcFilterWalkableLowHeightSpans(x, c->walkableHeight, *b->solid);
    return true;
}

static bool bake_polygons(baking *b, rcConfig *c)
{
    rcContext *const x = &b->context;
    return rcBuildCompactHeightfield(x, c->walkableHeight, c->walkableClimb, *b->solid,
                                     *b->compact) &&
           rcErodeWalkableArea(x, c->walkableRadius, *b->compact) &&
           rcBuildDistanceField(x, *b->compact) &&
           rcBuildRegions(x, *b->compact, 0, c->minRegionArea, c->mergeRegionArea) &&
           rcBuildContours(x, *b->compact, c->maxSimplificationError, c->maxEdgeLen,
                           *b->contours) &&
           rcBuildPolyMesh(x, *b->contours, c->maxVertsPerPoly, *b->mesh) &&
           rcBuildPolyMeshDetail(x, *b->mesh, *b->compact, c->detailSampleDist,
                                 c->detailSampleMaxError, *b->detail);
}

recast_mesh *oct_recast_bake(const recast_bake *bake, const char **why)
{
    rcConfig c = config_of(bake);
    baking b;
    *why = "Recast could not bake it: too large for its cells, or memory is short";
    if (c.width <= 0 || c.height <= 0 || (double)c.width * c.height > 1e8 ||
        !bake_solid(&b, bake, &c) || !bake_polygons(&b, &c)) {
        return 0;
    }
    if (b.mesh->npolys == 0) {
        *why = "nothing there can be walked on";
        return 0;
    }
    for (int i = 0; i < b.mesh->npolys; i++) {
        b.mesh->flags[i] = WALKABLE;
        b.mesh->areas[i] = 0;
    }
    dtNavMeshCreateParams params;
    memset(&params, 0, sizeof params);
    params.verts = b.mesh->verts;
    params.vertCount = b.mesh->nverts;
    params.polys = b.mesh->polys;
    params.polyAreas = b.mesh->areas;
    params.polyFlags = b.mesh->flags;
    params.polyCount = b.mesh->npolys;
    params.nvp = b.mesh->nvp;
    params.detailMeshes = b.detail->meshes;
    params.detailVerts = b.detail->verts;
    params.detailVertsCount = b.detail->nverts;
    params.detailTris = b.detail->tris;
    params.detailTriCount = b.detail->ntris;
    params.walkableHeight = c.walkableHeight * c.ch;
    params.walkableRadius = c.walkableRadius * c.cs;
    params.walkableClimb = c.walkableClimb * c.ch;
    memcpy(params.bmin, b.mesh->bmin, sizeof params.bmin);
    memcpy(params.bmax, b.mesh->bmax, sizeof params.bmax);
    params.cs = c.cs;
    params.ch = c.ch;
    params.buildBvTree = true;
    return make_detour(&params, why);
}

// ---- the mesh ----

int oct_recast_vertex_count(const recast_mesh *mesh)
{
    return mesh->tile->header->vertCount;
}

const float *oct_recast_vertices(const recast_mesh *mesh)
{
    return mesh->tile->verts;
}

int oct_recast_face_count(const recast_mesh *mesh)
{
    return mesh->tile->header->polyCount;
}

int oct_recast_face(const recast_mesh *mesh, int face, int corners[6])
{
    const dtPoly *const poly = &mesh->tile->polys[face];
    for (int i = 0; i < poly->vertCount; i++) {
        corners[i] = poly->verts[i];
    }
    return poly->vertCount;
}

int oct_recast_detail(const recast_mesh *mesh, int face, float (*out)[9], int room)
{
    const dtMeshTile *const tile = mesh->tile;
    const dtPoly *const poly = &tile->polys[face];
    const dtPolyDetail *const detail = &tile->detailMeshes[face];
    for (int t = 0; out && t < detail->triCount && t < room; t++) {
        const unsigned char *const triangle = &tile->detailTris[(detail->triBase + t) * 4];
        for (int k = 0; k < 3; k++) {
            const float *const at =
                triangle[k] < poly->vertCount
                    ? &tile->verts[poly->verts[triangle[k]] * 3]
                    : &tile->detailVerts[(detail->vertBase + triangle[k] - poly->vertCount) * 3];
            memcpy(&out[t][3 * k], at, 3 * sizeof *at);
        }
    }
    return detail->triCount;
}

void oct_recast_rounded(const recast_mesh *mesh, float *radius, float *climb)
{
    *radius = mesh->radius;
    *climb = mesh->climb;
}

// ---- queries ----

recast_answer oct_recast_find(recast_mesh *m, int from_face, const float from[3], int to_face,
                              const float to[3])
{
    recast_answer answer;
    memset(&answer, 0, sizeof answer);
    const dtPolyRef start = m->base | (dtPolyRef)from_face, end = m->base | (dtPolyRef)to_face;
    const dtStatus status =
        m->query->findPath(start, end, from, to, m->filter, m->path, &answer.faces, m->room);
    answer.is_out_of_nodes = dtStatusDetail(status, DT_OUT_OF_NODES);
    answer.is_partial =
        dtStatusDetail(status, DT_PARTIAL_RESULT) || dtStatusDetail(status, DT_BUFFER_TOO_SMALL);
    if (!dtStatusSucceed(status) || answer.is_partial) {
        return answer;
    }
    const dtStatus straight =
        m->query->findStraightPath(from, to, m->path, answer.faces, m->points, m->flags, m->refs,
                                   &answer.point_count, m->room);
    answer.is_partial = dtStatusDetail(straight, DT_PARTIAL_RESULT) ||
                        dtStatusDetail(straight, DT_BUFFER_TOO_SMALL);
    answer.is_found = dtStatusSucceed(straight) && !answer.is_partial;
    answer.points = m->points;
    return answer;
}

int oct_recast_nearest(recast_mesh *m, const float at[3], const float half_extents[3])
{
    dtPolyRef found = 0;
    float point[3];
    m->query->findNearestPoly(at, half_extents, m->filter, &found, point);
    return found ? (int)(found & ~m->base) : -1;
}

bool oct_recast_height(const recast_mesh *m, int face, const float at[3], float *height)
{
    return dtStatusSucceed(m->query->getPolyHeight(m->base | (dtPolyRef)face, at, height));
}
