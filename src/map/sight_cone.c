// SPDX-License-Identifier: MIT
// A field of view: what lies outside a cone around the way that a body looks is not seen.
#include "map/sight.h"

#include <math.h>

bool oct_sight_cone_holds(const sight_cone *cone, int dims, const double from_eye[SIGHT_AXES])
{
    const double x = from_eye[0], y = from_eye[1], z = dims == 3 ? from_eye[2] : 0.0;
    const double away = sqrt(x * x + y * y + z * z);
    const double ahead = x * cone->forward.x + y * cone->forward.y + z * cone->forward.z;
    return away <= cone->near || ahead >= away * cone->cosine;
}

void oct_sight_cone_clip(const sight_cone *cone, oct_point eye, int dims, bit_grid *seen)
{
    const oct_box *const box = &seen->box;
    for (int32_t z = box->min.z; z < box->max.z; z++) {
        for (int32_t y = box->min.y; y < box->max.y; y++) {
            uint64_t *const row =
                bit_grid_row(seen, (uint32_t)(y - box->min.y), (uint32_t)(z - box->min.z));
            for (size_t word = 0; word < seen->row_words; word++) {
                uint64_t kept = row[word];
                for (uint64_t bits = kept; bits; bits &= bits - 1u) {
                    const uint32_t bit = oct_lowest_bit(bits);
                    const double x = (double)box->min.x + 64.0 * (double)word + bit;
                    const double to[SIGHT_AXES] = {x + 0.5 - eye.x, y + 0.5 - eye.y,
                                                   z + 0.5 - eye.z};
                    kept &=
                        oct_sight_cone_holds(cone, dims, to) ? UINT64_MAX : ~(UINT64_C(1) << bit);
                }
                row[word] = kept;
            }
        }
    }
}
