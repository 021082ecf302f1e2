// SPDX-License-Identifier: MIT
/// \file
/// Walking rules: where a body on foot gets on a surface, and how.
///
/// A *walking space* is a surface as a body with these rules uses it. Faces that are too steep are
/// left out. Edges at the same place whose heights differ by no more than a step are joined, so
/// that any-angle paths lead up and down stairs. What is not joined is connected by *links*: edges
/// of their own, each of one kind and one way (off-mesh links). A surface knows nothing of what
/// stands between its faces; whoever does says so with `is_clear`.
/// Threading: a walking space does not change after it was made; a planner belongs to one thread.
#ifndef OCTANT_SURFACE_WALKING_H
#define OCTANT_SURFACE_WALKING_H

#include "octant/surface_path.h"

#define OCT_WALKING_LINKS_MAX 1000000

/// How a body gets from one point of a path to the next.
typedef enum oct_walking_kind {
    OCT_WALKING_WALK, ///< along the surface
    OCT_WALKING_STEP, ///< up or down an edge, or over a crack, without jumping
    OCT_WALKING_JUMP, ///< over a gap, or onto a ledge
    OCT_WALKING_DROP  ///< off an edge; there is no way back
} oct_walking_kind;

/// "walk", "step", "jump", "drop"
OCT_API const char *oct_walking_kind_name(oct_walking_kind kind);

/// The rules of a body. Start from oct_walking_rules_default(): a body that walks and cannot jump.
/// Lengths are in metres.
typedef struct oct_walking_rules {
    double step;  ///< highest edge that it gets up by walking; default 0
    double slope; ///< steepest ground that it stands on, degrees, 0 to 90; default 45
    /// Highest ledge that it gets onto by jumping; default 0. It is taken for the top of its jump.
    double climb;
    /// Widest gap between edges at equal height; default 0. At other heights the parabola counts:
    /// to a height h above, leap * (1 + sqrt(1 - h / climb)) / 2. Without `climb`, no more than
    /// `leap` wherever the landing is lower.
    double leap;
    /// Deepest fall that it takes, from the highest point; default 0. A jump to a place further
    /// below than a step falls from its top.
    double drop;
    /// How far the floor goes on beyond the borders of the mesh: the radius that it was baked for.
    /// Gaps between borders may be wider by twice as much. Default 0.
    double margin;
    /// Widest crack that it walks over, and how far beyond an edge it lands when it walks off;
    /// default 0.1.
    double stride;
    double spacing; ///< borders are looked at in so many metres; > 0, default 1
    /// What a jump and a drop cost beside the metres that they lead over; >= 0, default 2 and 1.
    double jump_price, drop_price;
    /// Whether nothing is in the way of a link; NULL = nothing ever is. Called while the space is
    /// made, in an order that is always the same.
    bool (*is_clear)(void *ctx, oct_walking_kind kind, oct_point from, oct_point to);
    void *ctx;
    const oct_allocator *allocator; ///< NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_walking_rules;

OCT_API oct_walking_rules oct_walking_rules_default(void);

/// The widest gap between edges that the rules let a body jump over to a place that is `height`
/// metres higher (lower: negative); negative where there is no such jump.
OCT_API double oct_walking_gap(const oct_walking_rules *rules, double height);

typedef struct oct_walking_space oct_walking_space;

/// Makes the walking space of a surface, which is not needed afterwards.
/// OCT_ERROR_ARGUMENT: rules that are negative or not finite; OCT_ERROR_RANGE: too many links.
OCT_API oct_result oct_walking_space_create(const oct_surface *surface,
                                            const oct_walking_rules *rules,
                                            oct_walking_space **out);
OCT_API void oct_walking_space_destroy(oct_walking_space *space);

/// What can be walked on, steps included; it lives as long as the space. The source of a face is
/// the face of the surface that was given.
OCT_API const oct_surface *oct_walking_surface(const oct_walking_space *space);

/// An edge between places that are not joined. Those of one kind from one place lead to different
/// islands, or are shorter than walking.
typedef struct oct_walking_link {
    oct_walking_kind kind; ///< STEP, JUMP or DROP
    oct_point from, to;
    uint32_t from_face, to_face; ///< of the space's surface
    double length;               ///< in the ground plane, metres
} oct_walking_link;

/// All links, by the island that they lead from; valid as long as the space.
OCT_API uint32_t oct_walking_links(const oct_walking_space *space, const oct_walking_link **links);

// ---- paths ----

typedef struct oct_walking_planner oct_walking_planner;

/// The space is borrowed. The allocator may be NULL.
OCT_API oct_result oct_walking_planner_create(const oct_walking_space *space,
                                              const oct_allocator *allocator,
                                              oct_walking_planner **out);
OCT_API void oct_walking_planner_destroy(oct_walking_planner *planner);

/// Whether there is a way from one face to another, over the surface and over links.
OCT_API bool oct_walking_leads(oct_walking_planner *planner, uint32_t from_face, uint32_t to_face);

/// A point of a path.
typedef struct oct_walking_point {
    oct_point at;
    uint32_t face;         ///< of the space's surface
    oct_walking_kind kind; ///< how one gets there from the point before; of the first: WALK
} oct_walking_point;

/// A path. The points belong to the planner and are valid until its next query.
typedef struct oct_walking_path {
    oct_surface_status status;
    const oct_walking_point *points; ///< start, turns, both ends of steps and links, goal
    uint32_t point_count;
    double length;                ///< in the ground plane, metres
    double cost;                  ///< with the prices of jumps and drops
    uint32_t steps, jumps, drops; ///< points of these kinds
    oct_surface_place from, to;   ///< where the ends are, or what is nearest to them
    uint64_t expanded;
} oct_walking_path;

/// Finds a path of least cost over the surface and the links. Once it has grown, the planner
/// allocates nothing. Errors as of oct_surface_plan; faces of the query are those of the space's
/// surface.
OCT_API oct_result oct_walking_plan(oct_walking_planner *planner, const oct_surface_query *query,
                                    oct_walking_path *out);

#endif
