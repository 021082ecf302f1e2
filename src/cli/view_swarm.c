// SPDX-License-Identifier: MIT
// How a tree divides around units: the leaves of a window of the map with units set into it.
#include "cli/view_asking.h"
#include "octant/tree.h"

#include <math.h>

#define WINDOW_MAX 64     // cells along an edge
#define UNITS_MAX 4000    // in a window
#define LEAVES_MAX 40000u // of an answer

typedef struct window {
    view_asking *asking;
    oct_tree *tree; // a copy of the map there
    oct_box box;
    oct_result result;
    uint32_t count;
} window;

static bool copy_leaf(void *ctx, const oct_leaf *leaf)
{
    window *const w = ctx;
    const oct_cell node = {leaf->x, leaf->y, leaf->z, leaf->level};
    w->result =
        oct_tree_set(w->tree, node, leaf->label == OCT_OPEN ? OCT_MARK_OPEN : OCT_MARK_BLOCKED);
    return w->result == OCT_OK;
}

static bool open_window(view_asking *a, const view_item *item, window *w)
{
    oct_vec at;
    json_int_t edge;
    oct_tree_def def = oct_tree_def_default();
    const oct_tree *const tree = item->scene.tree;
    if (!oct_cli_ask_cell(a, "at", &at) || !oct_cli_ask_integer(a, "edge", 1, WINDOW_MAX, &edge)) {
        return false;
    }
    const int32_t e = (int32_t)edge;
    w->box = (oct_box){at, {at.x + e, at.y + e, item->scene.dims == 2 ? 1 : at.z + e}};
    w->box.min.z = item->scene.dims == 2 ? 0 : at.z;
    def.cell_size = oct_tree_cell_size(tree);
    def.origin = oct_tree_origin(tree);
    def.dims = oct_tree_dims(tree);
    if (oct_tree_create(&def, &w->tree) != OCT_OK) {
        return oct_cli_ask_refuse(a, "memory is short");
    }
    (void)oct_tree_leaves(tree, w->box, OCT_HAS_OPEN | OCT_HAS_BLOCKED, copy_leaf, w);
    return w->result == OCT_OK || oct_cli_ask_refuse(a, oct_result_text(w->result));
}

// Sets the open cells that a ball touches, about (its box) for small ones.
static bool set_unit(window *w, const double at[3], double radius)
{
    const bool is_flat = oct_tree_dims(w->tree) == 2;
    const int32_t from[3] = {(int32_t)floor(at[0] - radius), (int32_t)floor(at[1] - radius),
                             is_flat ? 0 : (int32_t)floor(at[2] - radius)};
    const int32_t to[3] = {(int32_t)ceil(at[0] + radius), (int32_t)ceil(at[1] + radius),
                           is_flat ? 1 : (int32_t)ceil(at[2] + radius)};
    for (int32_t z = from[2]; z < to[2]; z++) {
        for (int32_t y = from[1]; y < to[1]; y++) {
            for (int32_t x = from[0]; x < to[0]; x++) {
                const oct_cell cell = {x, y, z, 0};
                if (oct_tree_label(w->tree, (oct_vec){x, y, z}) == OCT_OPEN) {
                    w->result = oct_tree_set(w->tree, cell, OCT_MARK_BLOCKED);
                    if (w->result != OCT_OK) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

static bool set_units(view_asking *a, window *w)
{
    json_t *const list = json_object_get(a->question, "units");
    const size_t count = json_array_size(list);
    const json_t *const value = json_object_get(a->question, "radius");
    const double radius = json_number_value(value);
    if (!json_is_array(list) || count % 3 != 0 || count > 3 * (size_t)UNITS_MAX ||
        !(radius >= 0.0 && radius <= 4.0)) {
        return oct_cli_ask_refuse(a, "units, radius");
    }
    for (size_t i = 0; i < count; i += 3) {
        double at[3];
        for (size_t k = 0; k < 3; k++) {
            at[k] = json_number_value(json_array_get(list, i + k));
            if (!(fabs(at[k]) < OCT_RANGE / 2)) {
                return oct_cli_ask_refuse(a, "units");
            }
        }
        if (!set_unit(w, at, radius)) {
            return oct_cli_ask_refuse(a, oct_result_text(w->result));
        }
    }
    return true;
}

static bool count_leaf(void *ctx, const oct_leaf *leaf)
{
    (void)leaf;
    return ++((window *)ctx)->count < LEAVES_MAX;
}

static bool tell_leaf(void *ctx, const oct_leaf *leaf)
{
    window *const w = ctx;
    const int32_t words[4] = {leaf->x, leaf->y, leaf->z, 1 << leaf->level};
    return oct_cli_say_bytes(w->asking, words, sizeof words);
}

// The open leaves of a window with units in it, whose places are in cells.
bool oct_cli_tell_divided(view_asking *a)
{
    view_item *item;
    window w = {.asking = a};
    if (!oct_cli_ask_item(a, VIEW_MAP, &item)) {
        return false;
    }
    bool done = open_window(a, item, &w) && set_units(a, &w);
    if (done) {
        done = oct_tree_leaves(w.tree, w.box, OCT_HAS_OPEN, count_leaf, &w)
                   ? oct_cli_say_head(a, ANSWER_DIVIDED, w.count, 0) &&
                         oct_tree_leaves(w.tree, w.box, OCT_HAS_OPEN, tell_leaf, &w)
                   : oct_cli_ask_refuse(a, "too many leaves");
    }
    oct_tree_destroy(w.tree);
    return done;
}
