// SPDX-License-Identifier: MIT
// What things are padded by for a body, and how large cells may be.
#include "octant/body.h"

#include "base/platform.h"

#include <math.h>

oct_body oct_body_ball(double radius)
{
    return (oct_body){{radius, radius, radius}};
}

// A path through the centres of cells keeps half a cell away from every BLOCKED one, so that the
// padding of Hoekzema 2024 (5.5) leaves this much out.
static double pad(double half, oct_padding padding, double cell_size)
{
    const double less = padding == OCT_PADDING_CENTRE ? cell_size / 2.0 : 0.0;
    return half > less ? half - less : 0.0;
}

oct_point oct_body_padding(oct_body body, oct_padding padding, double cell_size)
{
    return (oct_point){pad(body.half.x, padding, cell_size), pad(body.half.y, padding, cell_size),
                       pad(body.half.z, padding, cell_size)};
}

// Between padded walls a gap is left. The first boundary of cells in it is less than a cell from
// the one wall, and an OPEN cell needs another up to the other wall: gaps of two cells keep one at
// every alignment, and shorter ones do not. With whole padding the gap is passage - extent. With
// Hoekzema's it is a cell longer, unless the cell is larger than the body: then it is the passage.
double oct_body_cell_max(double passage, double extent, oct_padding padding)
{
    if (!(passage > extent && extent >= 0.0 && isfinite(passage))) {
        return 0.0;
    }
    const double gap = passage - extent;
    if (padding == OCT_PADDING_WHOLE) {
        return gap / 2.0;
    }
    return gap < passage / 2.0 ? gap : passage / 2.0;
}
