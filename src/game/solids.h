// SPDX-License-Identifier: MIT
// What is solid: boxes in rigid frames, and how far a capsule gets among them.
//
// A frame is a grid: it has a place and axes and may be moved. Boxes are aligned with their frame's
// axes. Each box has a home, the region that it may ever fill (the whole doorway), by which it is
// found, and a part of it that is solid now (what is left of the leaf), which may be none.
//
// Capsules are swept exactly: between two convex things whose nearest points are `gap` apart, the
// slab between them shrinks by the speed across it, so a step of gap / speed is always safe; steps
// are repeated until the gap is the skin. A capsule that starts free stays free, at any speed.
//
// Threading: one writer or many readers. Questions allocate nothing.
#ifndef OCTANT_SOLIDS_H
#define OCTANT_SOLIDS_H

#include "game/motion.h"

// Bodies keep this far from what they touch, metres: rounding never puts them into it.
#define SOLIDS_SKIN 1e-3

typedef struct solids solids;

typedef struct capsule {
    oct_point centre;
    oct_point axis; // a unit vector
    double half;    // of the length of the inner segment
    double radius;
} capsule;

// What was met.
typedef struct solid_hit {
    double share;     // of the way that is free: 0 to 1
    oct_point normal; // of the surface, in the world, towards who met it; a unit vector
    uint32_t solid;   // its number; UINT32_MAX for nothing
    double gap;       // that is left there, metres: the skin, or less where it began nearer
} solid_hit;

// ---- life ----

oct_result oct_solids_create(const oct_allocator *allocator, solids **out);
void oct_solids_destroy(solids *s);

// Frames and solids are numbered from 0 in the order of adding. On failure nothing has changed.
// Axes are unit vectors at right angles, as oct_motion_frame gives them.
oct_result oct_solids_add_frame(solids *s, oct_point origin, const motion_frame *axes,
                                uint32_t *frame);
// Boxes in the frame's coordinates (right, up, back), metres; all of the home is solid.
// OCT_ERROR_ARGUMENT for what is no box; OCT_ERROR_RANGE beyond 2^29 of them.
oct_result oct_solids_add(solids *s, uint32_t frame, oct_bounds home, uint32_t *solid);
// What of the home is solid now; NULL = nothing. What lies beyond the home is cut off.
void oct_solids_set(solids *s, uint32_t solid, const oct_bounds *part);
// It is gone for good; its number may be given again.
void oct_solids_remove(solids *s, uint32_t solid);
// Frames are moved, not turned.
void oct_solids_move_frame(solids *s, uint32_t frame, oct_point origin);

// Counts every change: equal counts mean an equal world.
uint64_t oct_solids_revision(const solids *s);
// How much nearer anything that was solid all the time can have come to a point since the epoch
// began, metres; something new makes a new epoch. So who knew a gap in this epoch knows a lower
// bound of it now.
double oct_solids_drift(const solids *s, uint64_t *epoch);

// For tests: whether everything is where it is looked for.
bool oct_solids_is_valid(const solids *s);

// ---- where things are ----

oct_point oct_solids_to_world(const solids *s, uint32_t frame, oct_point local);
oct_point oct_solids_to_local(const solids *s, uint32_t frame, oct_point world);
uint32_t oct_solids_frame_of(const solids *s, uint32_t solid);
oct_bounds oct_solids_home(const solids *s, uint32_t solid);
// The solid part; false where there is none.
bool oct_solids_part(const solids *s, uint32_t solid, oct_bounds *out);

typedef bool solids_fn(void *ctx, uint32_t solid);
// Visits the solids whose homes come within `radius` of a point, each once, in an order that
// depends only on the calls so far; the function returns false to stop.
void oct_solids_near(const solids *s, oct_point at, double radius, solids_fn *visit, void *ctx);

// ---- capsules and rays ----

// The gap between a capsule and the nearest solid part, metres, at most `limit`; < 0 inside.
double oct_solids_gap(const solids *s, const capsule *body, double limit);
// The same for one solid alone; `limit` where it has no solid part.
double oct_solids_gap_to(const solids *s, uint32_t solid, const capsule *body, double limit);
// The same for one frame alone.
double oct_solids_gap_to_frame(const solids *s, uint32_t frame, const capsule *body, double limit);

// How far a capsule gets along a way of any length. False, and share 1, where nothing stops it.
// One frame is left out, unless it is UINT32_MAX. Who is nearer to something than the skin does
// not get nearer. Of several met at once, the one with the lowest number.
bool oct_solids_sweep(const solids *s, const capsule *body, oct_point by, uint32_t except_frame,
                      solid_hit *out);
// The same among the solids of one frame alone.
bool oct_solids_sweep_to_frame(const solids *s, uint32_t frame, const capsule *body, oct_point by,
                               solid_hit *out);

// The first solid part that the segment meets from outside (to touch is to meet), but for one solid
// (UINT32_MAX: none).
bool oct_solids_ray(const solids *s, oct_point from, oct_point to, uint32_t except, solid_hit *out);

// Whether the segment meets no solid part grown by the skin, but for one solid. Where a ray would
// touch an edge, rounding decides whether it meets it; here it surely does, from every side alike.
// Parts that hold the beginning, or are nearer to it than the skin, are not met.
bool oct_solids_line_is_free(const solids *s, oct_point from, oct_point to, uint32_t except);

#endif
