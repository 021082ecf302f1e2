// SPDX-License-Identifier: MIT
// What the tests of local distances share.
#ifndef OCTANT_TESTS_DISTANCES_SUPPORT_H
#define OCTANT_TESTS_DISTANCES_SUPPORT_H

#include "support.h"

#include "flat/distances.h"

static inline oct_distances *make_distances(uint32_t edge, oct_distances_kind kind, bool packed,
                                            bool squeeze)
{
    oct_distances_def def = oct_distances_def_default();
    def.edge = edge;
    def.kind = kind;
    def.packed = packed;
    def.squeeze = squeeze;
    oct_distances *out;
    assert_int_equal(oct_distances_create(&def, &out), OCT_OK);
    return out;
}

#endif
