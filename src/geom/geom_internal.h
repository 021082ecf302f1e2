// SPDX-License-Identifier: MIT
// Vectors, boxes, and Morton order inside a brick of 64 cells: 4x4x4 at three dimensions, 8x8 at
// two.
//
// Bit i of a plane is the cell whose coordinates are the interleaved bits of i, x lowest. So a byte
// (a nibble at two dimensions) is one 2x2x2 octant (2x2 quad), and the order of cells in a brick is
// the order of children in a node, continued.
#ifndef OCTANT_GEOM_INTERNAL_H
#define OCTANT_GEOM_INTERNAL_H

#include "base/platform.h"
#include "octant/geom.h"

#include <math.h>

OCT_FORCE_INLINE oct_point point_sub(oct_point a, oct_point b)
{
    return (oct_point){a.x - b.x, a.y - b.y, a.z - b.z};
}

OCT_FORCE_INLINE oct_point point_add(oct_point a, oct_point b)
{
    return (oct_point){a.x + b.x, a.y + b.y, a.z + b.z};
}

OCT_FORCE_INLINE oct_point point_scale(oct_point a, double by)
{
    return (oct_point){a.x * by, a.y * by, a.z * by};
}

OCT_FORCE_INLINE double point_dot(oct_point a, oct_point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

OCT_FORCE_INLINE double point_length(oct_point a)
{
    return sqrt(point_dot(a, a));
}

OCT_FORCE_INLINE oct_point point_unit(oct_point a)
{
    return point_scale(a, 1.0 / point_length(a));
}

OCT_FORCE_INLINE oct_point point_cross(oct_point a, oct_point b)
{
    return (oct_point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

OCT_FORCE_INLINE bool is_same_point(oct_point a, oct_point b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

OCT_FORCE_INLINE bool is_same_bounds(const oct_bounds *a, const oct_bounds *b)
{
    return is_same_point(a->min, b->min) && is_same_point(a->max, b->max);
}

// The smallest box that holds two.
OCT_FORCE_INLINE oct_bounds bounds_join(oct_bounds a, oct_bounds b)
{
    a.min.x = a.min.x < b.min.x ? a.min.x : b.min.x;
    a.min.y = a.min.y < b.min.y ? a.min.y : b.min.y;
    a.min.z = a.min.z < b.min.z ? a.min.z : b.min.z;
    a.max.x = a.max.x > b.max.x ? a.max.x : b.max.x;
    a.max.y = a.max.y > b.max.y ? a.max.y : b.max.y;
    a.max.z = a.max.z > b.max.z ? a.max.z : b.max.z;
    return a;
}

// a * b = product + *error exactly (T. J. Dekker, "A floating-point technique", 1971): the factors
// are cut into halves of 26 bits, whose products are exact.
OCT_FORCE_INLINE double multiply_exactly(double a, double b, double *error)
{
    const double cut = 0x1p27 + 1.0;
    const double a_high = cut * a - (cut * a - a);
    const double b_high = cut * b - (cut * b - b);
    const double a_low = a - a_high;
    const double b_low = b - b_high;
    const double product = a * b;
    *error = a_low * b_low - (product - a_high * b_high - a_low * b_high - a_high * b_low);
    return product;
}

// a + b = sum + *error exactly, whichever is larger (D. E. Knuth).
OCT_FORCE_INLINE double add_exactly(double a, double b, double *error)
{
    const double sum = a + b;
    const double b_part = sum - a;
    *error = (a - (sum - b_part)) + (b - b_part);
    return sum;
}

// The dot product in about twice the precision, rounded: right even where it nearly cancels.
OCT_FORCE_INLINE double point_dot_closely(oct_point a, oct_point b)
{
    double errors[5];
    const double x = multiply_exactly(a.x, b.x, &errors[0]);
    const double y = multiply_exactly(a.y, b.y, &errors[1]);
    const double z = multiply_exactly(a.z, b.z, &errors[2]);
    const double sum = add_exactly(add_exactly(x, y, &errors[3]), z, &errors[4]);
    return sum + (errors[0] + errors[1] + errors[2] + errors[3] + errors[4]);
}

OCT_FORCE_INLINE bool box_is_empty(int dims, const oct_box *box)
{
    return box->min.x >= box->max.x || box->min.y >= box->max.y ||
           (dims == 3 && box->min.z >= box->max.z);
}

// The cell of a point, where it lies on a far side of a box the one before it.
OCT_FORCE_INLINE oct_vec box_end_cell(const oct_box *box, oct_fine at, oct_vec cell)
{
    cell.x -= cell.x == box->max.x && at.x == (int64_t)cell.x * OCT_FINE;
    cell.y -= cell.y == box->max.y && at.y == (int64_t)cell.y * OCT_FINE;
    cell.z -= cell.z == box->max.z && at.z == (int64_t)cell.z * OCT_FINE;
    return cell;
}

// The cells that both boxes hold; empty where there are none.
OCT_FORCE_INLINE oct_box box_common(oct_box a, oct_box b)
{
    return (oct_box){{a.min.x > b.min.x ? a.min.x : b.min.x, a.min.y > b.min.y ? a.min.y : b.min.y,
                      a.min.z > b.min.z ? a.min.z : b.min.z},
                     {a.max.x < b.max.x ? a.max.x : b.max.x, a.max.y < b.max.y ? a.max.y : b.max.y,
                      a.max.z < b.max.z ? a.max.z : b.max.z}};
}

// The smallest box that holds both; an empty one holds nothing. At two dimensions z is 0 to 1.
OCT_FORCE_INLINE oct_box box_union(oct_box a, oct_box b)
{
    if (box_is_empty(3, &a) || box_is_empty(3, &b)) {
        return box_is_empty(3, &a) ? b : a;
    }
    return (oct_box){{a.min.x < b.min.x ? a.min.x : b.min.x, a.min.y < b.min.y ? a.min.y : b.min.y,
                      a.min.z < b.min.z ? a.min.z : b.min.z},
                     {a.max.x > b.max.x ? a.max.x : b.max.x, a.max.y > b.max.y ? a.max.y : b.max.y,
                      a.max.z > b.max.z ? a.max.z : b.max.z}};
}

OCT_FORCE_INLINE bool box_holds(const oct_box *box, oct_vec c)
{
    return c.x >= box->min.x && c.x < box->max.x && c.y >= box->min.y && c.y < box->max.y &&
           c.z >= box->min.z && c.z < box->max.z;
}

// How many cells a box has, which is not inside out; exact up to 2^53.
OCT_FORCE_INLINE double box_count(const oct_box *box)
{
    return ((double)box->max.x - box->min.x) * ((double)box->max.y - box->min.y) *
           ((double)box->max.z - box->min.z);
}

OCT_FORCE_INLINE bool box_equal(const oct_box *a, const oct_box *b)
{
    return a->min.x == b->min.x && a->min.y == b->min.y && a->min.z == b->min.z &&
           a->max.x == b->max.x && a->max.y == b->max.y && a->max.z == b->max.z;
}

// Places on an axis, in cells: what their floor and their ceiling are, and whether that lies from
// -OCT_RANGE to OCT_RANGE, which it has to (false for what is no number).
OCT_FORCE_INLINE int32_t axis_floor(double at)
{
    const int32_t cut = (int32_t)at; // towards 0
    return cut - (at < (double)cut);
}

OCT_FORCE_INLINE int32_t axis_ceiling(double at)
{
    return -axis_floor(-at);
}

OCT_FORCE_INLINE bool axis_has_floor(double at)
{
    return at >= -(double)OCT_RANGE && at < (double)OCT_RANGE + 1.0;
}

OCT_FORCE_INLINE bool axis_has_ceiling(double at)
{
    return axis_has_floor(-at);
}

// Levels inside a brick: its edge is 1 << level cells.
#define BRICK_LEVEL_3D 2
#define BRICK_LEVEL_2D 3

OCT_FORCE_INLINE int brick_level(int dims)
{
    return dims == 3 ? BRICK_LEVEL_3D : BRICK_LEVEL_2D;
}

// Which bits of an index belong to which axis.
#define MORTON_X_3D 0x09u
#define MORTON_X_2D 0x15u

OCT_FORCE_INLINE uint32_t morton_spread_plain(int dims, uint32_t v)
{
    return dims == 3 ? (v & 1u) | (v & 2u) << 2 : (v & 1u) | (v & 2u) << 1 | (v & 4u) << 2;
}

OCT_FORCE_INLINE uint32_t morton_gather_plain(int dims, uint32_t i)
{
    return dims == 3 ? (i & 1u) | (i >> 2 & 2u) : (i & 1u) | (i >> 1 & 2u) | (i >> 2 & 4u);
}

// The bits of one coordinate (below the brick's edge) at every third or second place.
OCT_FORCE_INLINE uint32_t morton_spread(int dims, uint32_t v)
{
#if OCT_HAS_BMI2
    return (uint32_t)oct_deposit(v, dims == 3 ? MORTON_X_3D : MORTON_X_2D);
#else
    return morton_spread_plain(dims, v);
#endif
}

// The opposite: one coordinate from the bits of an index shifted down by the axis.
OCT_FORCE_INLINE uint32_t morton_gather(int dims, uint32_t i)
{
#if OCT_HAS_BMI2
    return (uint32_t)oct_extract(i, dims == 3 ? MORTON_X_3D : MORTON_X_2D);
#else
    return morton_gather_plain(dims, i);
#endif
}

// Index of a cell in its brick; only the low bits of the coordinates count.
OCT_FORCE_INLINE uint32_t morton_index(int dims, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t low = (1u << brick_level(dims)) - 1u;
    const uint32_t flat = morton_spread(dims, x & low) | morton_spread(dims, y & low) << 1;
    return dims == 3 ? flat | morton_spread(dims, z & low) << 2 : flat;
}

// The coordinates of the cell at an index, x in the lowest byte, then y and z: one load in place of
// three gathers.
static const uint32_t morton_cells_3d[64] = {
    0x000000u, 0x000001u, 0x000100u, 0x000101u, 0x010000u, 0x010001u, 0x010100u, 0x010101u,
    0x000002u, 0x000003u, 0x000102u, 0x000103u, 0x010002u, 0x010003u, 0x010102u, 0x010103u,
    0x000200u, 0x000201u, 0x000300u, 0x000301u, 0x010200u, 0x010201u, 0x010300u, 0x010301u,
    0x000202u, 0x000203u, 0x000302u, 0x000303u, 0x010202u, 0x010203u, 0x010302u, 0x010303u,
    0x020000u, 0x020001u, 0x020100u, 0x020101u, 0x030000u, 0x030001u, 0x030100u, 0x030101u,
    0x020002u, 0x020003u, 0x020102u, 0x020103u, 0x030002u, 0x030003u, 0x030102u, 0x030103u,
    0x020200u, 0x020201u, 0x020300u, 0x020301u, 0x030200u, 0x030201u, 0x030300u, 0x030301u,
    0x020202u, 0x020203u, 0x020302u, 0x020303u, 0x030202u, 0x030203u, 0x030302u, 0x030303u,
};
static const uint32_t morton_cells_2d[64] = {
    0x000000u, 0x000001u, 0x000100u, 0x000101u, 0x000002u, 0x000003u, 0x000102u, 0x000103u,
    0x000200u, 0x000201u, 0x000300u, 0x000301u, 0x000202u, 0x000203u, 0x000302u, 0x000303u,
    0x000004u, 0x000005u, 0x000104u, 0x000105u, 0x000006u, 0x000007u, 0x000106u, 0x000107u,
    0x000204u, 0x000205u, 0x000304u, 0x000305u, 0x000206u, 0x000207u, 0x000306u, 0x000307u,
    0x000400u, 0x000401u, 0x000500u, 0x000501u, 0x000402u, 0x000403u, 0x000502u, 0x000503u,
    0x000600u, 0x000601u, 0x000700u, 0x000701u, 0x000602u, 0x000603u, 0x000702u, 0x000703u,
    0x000404u, 0x000405u, 0x000504u, 0x000505u, 0x000406u, 0x000407u, 0x000506u, 0x000507u,
    0x000604u, 0x000605u, 0x000704u, 0x000705u, 0x000606u, 0x000607u, 0x000706u, 0x000707u,
};

OCT_FORCE_INLINE uint32_t morton_cell(int dims, uint32_t i)
{
    return dims == 3 ? morton_cells_3d[i] : morton_cells_2d[i];
}

// Cells of a brick whose coordinate on an axis is below v, for v from 0 to the brick's edge.
static const uint64_t morton_below_3d[3][5] = {
    {0, UINT64_C(0x0055005500550055), UINT64_C(0x00ff00ff00ff00ff), UINT64_C(0x55ff55ff55ff55ff),
     UINT64_MAX},
    {0, UINT64_C(0x0000333300003333), UINT64_C(0x0000ffff0000ffff), UINT64_C(0x3333ffff3333ffff),
     UINT64_MAX},
    {0, UINT64_C(0x000000000f0f0f0f), UINT64_C(0x00000000ffffffff), UINT64_C(0x0f0f0f0fffffffff),
     UINT64_MAX},
};
static const uint64_t morton_below_2d[2][9] = {
    {0, UINT64_C(0x0000050500000505), UINT64_C(0x00000f0f00000f0f), UINT64_C(0x00005f5f00005f5f),
     UINT64_C(0x0000ffff0000ffff), UINT64_C(0x0505ffff0505ffff), UINT64_C(0x0f0fffff0f0fffff),
     UINT64_C(0x5f5fffff5f5fffff), UINT64_MAX},
    {0, UINT64_C(0x0000000000330033), UINT64_C(0x0000000000ff00ff), UINT64_C(0x0000000033ff33ff),
     UINT64_C(0x00000000ffffffff), UINT64_C(0x00330033ffffffff), UINT64_C(0x00ff00ffffffffff),
     UINT64_C(0x33ff33ffffffffff), UINT64_MAX},
};

OCT_FORCE_INLINE uint64_t morton_below(int dims, int axis, uint32_t v)
{
    return dims == 3 ? morton_below_3d[axis][v] : morton_below_2d[axis][v];
}

// Cells of a brick whose coordinate on an axis lies from lo to hi, both included.
OCT_FORCE_INLINE uint64_t morton_slab(int dims, int axis, uint32_t lo, uint32_t hi)
{
    return morton_below(dims, axis, hi + 1u) & ~morton_below(dims, axis, lo);
}

// Cells of a brick that all lie at `from` on an axis, moved to `to` on it.
OCT_FORCE_INLINE uint64_t morton_moved(int dims, int axis, uint64_t cells, uint32_t from,
                                       uint32_t to)
{
    const uint32_t before = morton_spread(dims, from) << axis;
    const uint32_t after = morton_spread(dims, to) << axis;
    return after > before ? cells << (after - before) : cells >> (before - after);
}

// ---- octants ----

// The up to eight cells that touch a point, as bits: cell o lies above the point on axis i where
// bit i of o is set, below where it is not.

// Those that are connected over faces with those in `from`, through those in `through`; `from` is
// a subset of `through`.
OCT_FORCE_INLINE uint32_t octants_joined(uint32_t from, uint32_t through)
{
    for (uint32_t last = 0; from != last;) {
        last = from;
        from |= ((from << 1 & 0xaau) | (from >> 1 & 0x55u) | (from << 2 & 0xccu) |
                 (from >> 2 & 0x33u) | (from << 4 & 0xf0u) | (from >> 4 & 0x0fu)) &
                through;
    }
    return from;
}

// Whether a triangle and a box share a point; contact counts. `vertices` are three corners in any
// order. Exact for integers up to 2^25, or multiples of a power of two up to 2^25 of it.
bool oct_triangle_meets_box(const oct_point vertices[3], const oct_bounds *box);

// Three unit vectors at right angles: what is right, up and back of somebody.
typedef struct frame_axes {
    oct_point right, up, back;
} frame_axes;

// The frame of who looks forward. Neither has to be a unit vector, and up need not be at a right
// angle to it.
frame_axes oct_frame_axes(oct_point forward, oct_point up);
// Whether its axes are not the world's, in any order and direction.
bool oct_frame_is_turned(const frame_axes *frame);
// The unit quaternion x y z w of the rotation that leads the world's axes to these.
void oct_frame_quaternion(const frame_axes *frame, double out[4]);

// Sine and cosine of an angle in radians, the same bits on every machine (unlike libm's).
// Within 1 ulp for |angle| <= 2^20; beyond, or not finite, both are NaN.
void oct_sin_cos(double angle, double *sine, double *cosine);

// The angle between two directions of any length, radians, from 0 to pi; the same bits on every
// machine. Within 3 ulp, however small it is or close to pi. Symmetric to the bit. 0 where one has
// no length, NaN where one is not finite.
double oct_angle_between(oct_point a, oct_point b);

#endif
