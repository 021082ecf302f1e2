// SPDX-License-Identifier: MIT
#include "agent/dead_end.h"
#include "geom/geom_internal.h"
#include "octant/tree.h"

// A body's centre has at most so much room across a passage, one way and the other, and the passage
// is at least so long, metres.
#define PASSAGE_WIDTH 1.3
#define PASSAGE_HEIGHT 3.5
#define PASSAGE_LENGTH 4.0
#define DEAD_END_LEAVES 200000u

typedef struct dead_ends {
    const oct_agent *a;
    const oct_tree *tree;
    int width, height, length; // cells
    uint32_t leaves;
    oct_point *found;
    size_t count;
} dead_ends;

static const oct_vec steps[6] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                 {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};

static oct_vec along(oct_vec at, oct_vec step, int by)
{
    return (oct_vec){at.x + step.x * by, at.y + step.y * by, at.z + step.z * by};
}

// How many cells are OPEN in a row beyond one, at most `most`; -1 where the row ends in the dark.
static int run_of(const dead_ends *d, oct_vec from, oct_vec step, int most)
{
    for (int i = 1; i <= most; i++) {
        const oct_label label = oct_tree_label(d->tree, along(from, step, i));
        if (label != OCT_OPEN) {
            return label == OCT_BLOCKED ? i - 1 : -1;
        }
    }
    return most;
}

// How many cells are OPEN across a place, along an axis; more than `height` where no wall is near.
static int room_across(const dead_ends *d, oct_vec at, int axis)
{
    const int one = run_of(d, at, steps[2 * axis], d->height);
    const int two = run_of(d, at, steps[2 * axis + 1], d->height);
    return one < 0 || two < 0 ? d->height + 1 : one + two + 1;
}

// Whether walls are near on the four sides beside an axis.
static bool is_narrow(const dead_ends *d, oct_vec at, int axis)
{
    const int one = room_across(d, at, (axis + 1) % 3), two = room_across(d, at, (axis + 2) % 3);
    return (one <= d->width && two <= d->height) || (two <= d->width && one <= d->height);
}

// Whether all of a passage is blocked one step on: a wall above a door ends nothing.
static bool is_end(const dead_ends *d, oct_vec at, int way)
{
    const oct_vec one = steps[(way / 2 + 1) % 3 * 2], two = steps[(way / 2 + 2) % 3 * 2];
    const oct_vec back_one = steps[(way / 2 + 1) % 3 * 2 + 1];
    const oct_vec back_two = steps[(way / 2 + 2) % 3 * 2 + 1];
    const int first = -run_of(d, at, back_one, d->height), last = run_of(d, at, one, d->height);
    for (int i = first; i <= last; i++) {
        const oct_vec beside = along(at, one, i);
        const int low = -run_of(d, beside, back_two, d->height);
        const int high = run_of(d, beside, two, d->height);
        for (int k = low; k <= high; k++) {
            const oct_vec ahead = along(along(beside, two, k), steps[way], 1);
            if (oct_tree_label(d->tree, ahead) != OCT_BLOCKED) {
                return false;
            }
        }
    }
    return true;
}

static bool is_dead_end(const dead_ends *d, oct_vec at)
{
    for (int way = 0; way < 6; way++) {
        const oct_vec back = steps[way ^ 1];
        bool is = oct_tree_label(d->tree, along(at, steps[way], 1)) == OCT_BLOCKED;
        for (int i = 0; i <= d->length && is; i++) {
            const oct_vec there = along(at, back, i);
            is = oct_tree_label(d->tree, there) == OCT_OPEN && is_narrow(d, there, way / 2);
        }
        if (is && is_end(d, at, way)) {
            return true;
        }
    }
    return false;
}

static bool is_new(const dead_ends *d, oct_point at)
{
    for (size_t i = 0; i < d->count; i++) {
        if (point_length(point_sub(at, d->found[i])) < PASSAGE_LENGTH) {
            return false;
        }
    }
    return true;
}

// Only small leaves lie in a passage.
static bool visit(void *ctx, const oct_leaf *leaf)
{
    dead_ends *const d = ctx;
    const int edge = 1 << leaf->level;
    for (int i = 0; edge <= d->width && i < edge * edge * edge && d->count < DEAD_ENDS_MAX; i++) {
        const oct_vec cell = {leaf->x + i % edge, leaf->y + i / edge % edge,
                              leaf->z + i / edge / edge};
        const oct_point at = oct_tree_centre(d->tree, cell);
        if (is_dead_end(d, cell) && is_new(d, at) &&
            navigator_connects(&d->a->navigator, agent_self(d->a)->centre, at)) {
            d->found[d->count++] = at;
        }
    }
    return d->count < DEAD_ENDS_MAX && ++d->leaves < DEAD_END_LEAVES;
}

size_t oct_agent_dead_ends(const oct_agent *a, oct_point out[DEAD_ENDS_MAX])
{
    const oct_tree *const tree = oct_map_tree(oct_belief_map(a->belief));
    const double cell = oct_tree_cell_size(tree);
    dead_ends d = {.a = a,
                   .tree = tree,
                   .width = (int)(PASSAGE_WIDTH / cell),
                   .height = (int)(PASSAGE_HEIGHT / cell),
                   .length = (int)(PASSAGE_LENGTH / cell),
                   .found = out};
    const oct_labels open = 1u << OCT_OPEN;
    (void)oct_tree_leaves(tree, oct_tree_extent(tree, open), open, visit, &d);
    return d.count;
}
