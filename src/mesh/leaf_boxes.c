// SPDX-License-Identifier: MIT
// The BLOCKED leaves of a map as an OBJ, to look at elsewhere: eight corners and six faces each.
#include "octant/mesh.h"

#include "base/sink.h"
#include "geom/geom_internal.h"

typedef struct box_writer {
    const oct_tree *tree;
    oct_box within;
    sink out;
} box_writer;

static bool write_box(void *ctx, const oct_leaf *leaf)
{
    static const char faces[] = "f -8 -6 -5 -7\nf -4 -3 -1 -2\nf -8 -7 -3 -4\n"
                                "f -6 -2 -1 -5\nf -8 -4 -2 -6\nf -7 -5 -1 -3\n";
    box_writer *const w = ctx;
    const oct_box b = box_common(oct_leaf_box(*leaf), w->within);
    for (int i = 0; i < 8; i++) {
        const oct_fine at = {(int64_t)(i & 1 ? b.max.x : b.min.x) * OCT_FINE,
                             (int64_t)(i & 2 ? b.max.y : b.min.y) * OCT_FINE,
                             (int64_t)(i & 4 ? b.max.z : b.min.z) * OCT_FINE};
        const oct_point p = oct_tree_point(w->tree, at);
        const double axes[3] = {p.x, p.y, p.z};
        sink_byte(&w->out, 'v');
        for (int axis = 0; axis < 3; axis++) {
            sink_byte(&w->out, ' ');
            oct_sink_decimal(&w->out, axes[axis]);
        }
        sink_byte(&w->out, '\n');
    }
    oct_sink_text(&w->out, faces);
    return !w->out.failed;
}

oct_result oct_mesh_write_boxes(const oct_tree *tree, oct_box box, oct_write_fn *write, void *ctx)
{
    if (oct_tree_dims(tree) != 3) {
        return OCT_ERROR_ARGUMENT;
    }
    box_writer w = {.tree = tree, .within = box};
    oct_sink_open(&w.out, write, ctx);
    oct_sink_text(&w.out, "# the blocked leaves of a map\n");
    oct_tree_leaves(tree, box, OCT_HAS_BLOCKED, write_box, &w);
    oct_sink_flush(&w.out);
    return w.out.failed ? OCT_ERROR_FILE : OCT_OK;
}
