// SPDX-License-Identifier: MIT
// Meshes of all formats that assimp reads, through its C interface: nodes with their names and
// places become objects, and their faces polygons. What it gives is checked like a file of our own.
#include "files/mesh_assimp.h"

#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <math.h>
#include <stdio.h>

// Nodes above a node; more are an attack on the stack.
#define DEPTH_MAX 256

typedef struct reading {
    const struct aiScene *scene;
    mesh_builder *b;
    oct_error *error;
} reading;

// A place: the rows of a matrix. The fourth row of assimp's is 0, 0, 0, 1.
typedef struct place {
    double m[3][4];
} place;

static place place_of(const struct aiMatrix4x4 *m)
{
    return (place){{{(double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4},
                    {(double)m->b1, (double)m->b2, (double)m->b3, (double)m->b4},
                    {(double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4}}};
}

static place joined(const place *a, const place *b)
{
    place out;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            out.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] +
                          a->m[i][2] * b->m[2][j] + (j == 3 ? a->m[i][3] : 0.0);
        }
    }
    return out;
}

static bool is_mirror(const place *p)
{
    const double(*const m)[4] = p->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
           0.0;
}

static oct_result add_vertices(reading *r, const struct aiMesh *mesh, const place *at)
{
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        if (r->b->vertices.count >= r->b->def.vertices_max) {
            return OCT_REFUSE(r->error, 0, "more than %u vertices are not allowed",
                              r->b->def.vertices_max);
        }
        const double v[3] = {(double)mesh->mVertices[i].x, (double)mesh->mVertices[i].y,
                             (double)mesh->mVertices[i].z};
        double p[3];
        for (int axis = 0; axis < 3; axis++) {
            const double *const row = at->m[axis];
            p[axis] = (row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3]) * r->b->def.unit;
        }
        const oct_point point = {p[0], p[1], p[2]};
        OCT_TRY(oct_array_push(&r->b->vertices, &r->b->allocator, sizeof point, &point));
    }
    return OCT_OK;
}

static oct_result add_face(reading *r, const struct aiMesh *mesh, const struct aiFace *face,
                           uint32_t first, bool mirrored)
{
    r->b->corners.count = 0;
    if (face->mNumIndices > OCT_MESH_CORNERS_MAX) {
        return OCT_REFUSE(r->error, 0, "a face has at most %d corners", OCT_MESH_CORNERS_MAX);
    }
    for (unsigned i = 0; i < face->mNumIndices; i++) {
        const unsigned index = face->mIndices[mirrored ? face->mNumIndices - 1u - i : i];
        if (index >= mesh->mNumVertices) {
            return OCT_REFUSE(r->error, 0, "a face names a vertex that is not there");
        }
        const uint32_t corner = first + index;
        const oct_point p = ((const oct_point *)r->b->vertices.items)[corner];
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) {
            return OCT_REFUSE(r->error, 0, "a corner of a face is not finite");
        }
        OCT_TRY(oct_array_push(&r->b->corners, &r->b->allocator, sizeof corner, &corner));
    }
    const oct_result result = oct_mesh_add_polygon(r->b);
    if (result == OCT_ERROR_RANGE) {
        return OCT_REFUSE(r->error, 0, "more than %u triangles are not allowed",
                          r->b->def.triangles_max);
    }
    return result;
}

static oct_result add_mesh(reading *r, const struct aiMesh *mesh, const place *at)
{
    const uint32_t first = (uint32_t)r->b->vertices.count;
    const bool mirrored = is_mirror(at);
    OCT_TRY(add_vertices(r, mesh, at));
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        if (mesh->mFaces[i].mNumIndices >= 3) { // points and lines are in nobody's way
            OCT_TRY(add_face(r, mesh, &mesh->mFaces[i], first, mirrored));
        }
    }
    return OCT_OK;
}

static oct_result add_node(reading *r, const struct aiNode *node, const place *above, int depth)
{
    if (depth > DEPTH_MAX) {
        return OCT_REFUSE(r->error, 0, "its nodes are nested deeper than %d", DEPTH_MAX);
    }
    const place own = place_of(&node->mTransformation), at = joined(above, &own);
    if (node->mNumMeshes > 0) {
        const size_t length = node->mName.length < sizeof node->mName.data
                                  ? node->mName.length
                                  : sizeof node->mName.data;
        OCT_TRY(oct_mesh_begin_object(r->b, node->mName.data, length));
    }
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        if (node->mMeshes[i] < r->scene->mNumMeshes) {
            OCT_TRY(add_mesh(r, r->scene->mMeshes[node->mMeshes[i]], &at));
        }
    }
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        OCT_TRY(add_node(r, node->mChildren[i], &at, depth + 1));
    }
    return OCT_OK;
}

// What assimp says may have lines and paths in it: the first line is enough.
static oct_result refuse(oct_error *error)
{
    char why[128];
    snprintf(why, sizeof why, "%s", aiGetErrorString());
    for (char *at = why; *at; at++) {
        if ((unsigned char)*at < ' ') {
            *at = '\0';
            break;
        }
    }
    return OCT_REFUSE(error, 0, "assimp cannot read it: %s", why[0] ? why : "it says nothing");
}

oct_result oct_mesh_read_assimp(const char *path, mesh_builder *b, oct_error *error)
{
    const struct aiScene *const scene = aiImportFile(path, 0);
    if (!scene) {
        return refuse(error);
    }
    reading r = {scene, b, error};
    const place none = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    oct_result result = OCT_OK;
    if (scene->mRootNode) {
        result = add_node(&r, scene->mRootNode, &none, 0);
    } else {
        result = OCT_REFUSE(error, 0, "there are no nodes in it");
    }
    aiReleaseImport(scene);
    return result;
}
