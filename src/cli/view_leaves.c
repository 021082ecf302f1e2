// SPDX-License-Identifier: MIT
// Leaves of a map: drawn, cut, picked.
#include "cli/view_asking.h"
#include "octant/components.h"
#include "octant/tree.h"

#include <math.h>
#include <string.h>

#define SLICE_EDGE 1024

// Paints: see docs/internals/viewer.md.
enum {
    PAINT_UNKNOWN = 1,
    PAINT_OPEN,
    PAINT_BLOCKED,
    PAINT_FRONTIER,
    PAINT_REACHED,
    PAINT_APART,
    PAINT_MANY = 8, // levels and components
};

typedef enum colouring { BY_LABEL, BY_LEVEL, BY_COMPONENT, BY_REACH } colouring;

typedef struct looking {
    colouring by;
    const oct_components *components;
    oct_vec from; // of BY_REACH
} looking;

static uint8_t paint_leaf(void *ctx, const oct_leaf *leaf)
{
    static const uint8_t paints[] = {
        [OCT_UNKNOWN] = PAINT_UNKNOWN, [OCT_OPEN] = PAINT_OPEN, [OCT_BLOCKED] = PAINT_BLOCKED};
    const looking *const l = ctx;
    const oct_vec cell = {leaf->x, leaf->y, leaf->z};
    const uint32_t many = VIEW_PAINTS - PAINT_MANY;
    if (l->by == BY_LEVEL && leaf->label == OCT_BLOCKED) {
        return (uint8_t)(PAINT_MANY + (leaf->level < many ? leaf->level : many - 1));
    }
    if (leaf->label != OCT_OPEN || !l->components) {
        return paints[leaf->label];
    }
    if (l->by == BY_COMPONENT) {
        return (uint8_t)(PAINT_MANY + oct_components_at(l->components, cell) % many);
    }
    return oct_components_joined(l->components, cell, l->from) ? PAINT_REACHED : PAINT_APART;
}

static uint32_t range_of(uint32_t first, uint32_t behind)
{
    uint32_t set = 0;
    for (uint32_t i = first; i < behind; i++) {
        set |= 1u << i;
    }
    return set;
}

// The paints that a label may get.
static uint32_t paints_of(oct_label label, colouring by)
{
    const uint32_t many = range_of(PAINT_MANY, VIEW_PAINTS);
    return label == OCT_UNKNOWN   ? 1u << PAINT_UNKNOWN
           : label == OCT_BLOCKED ? 1u << PAINT_BLOCKED | (by == BY_LEVEL ? many : 0u)
                                  : 1u << PAINT_OPEN | 1u << PAINT_REACHED | 1u << PAINT_APART |
                                        (by == BY_COMPONENT ? many : 0u);
}

// "hidden", "faded" or "shown", for each label, in the order of oct_label.
static bool get_shown(view_asking *a, colouring by, view_look *look)
{
    json_t *const list = json_object_get(a->question, "shown");
    for (int label = 0; label < 3; label++) {
        const char *const word = json_string_value(json_array_get(list, (size_t)label));
        if (!word) {
            return oct_cli_ask_refuse(a, "shown");
        }
        look->solid |= strcmp(word, "shown") == 0 ? paints_of((oct_label)label, by) : 0u;
        look->faded |= strcmp(word, "faded") == 0 ? paints_of((oct_label)label, by) : 0u;
    }
    if (json_is_true(json_object_get(a->question, "frontier"))) {
        look->has_frontier = true;
        look->open = PAINT_OPEN;
        look->unknown = PAINT_UNKNOWN;
        look->frontier = PAINT_FRONTIER;
        look->solid |= 1u << PAINT_FRONTIER;
    }
    return true;
}

static bool get_colouring(view_asking *a, view_item *item, looking *out)
{
    static const char *const words[] = {"label", "level", "component", "reach"};
    const char *const word = json_string_value(json_object_get(a->question, "by"));
    out->by = BY_LABEL;
    for (int i = 0; word && i < 4; i++) {
        if (strcmp(word, words[i]) == 0) {
            out->by = (colouring)i;
            if (out->by == BY_REACH && !oct_cli_ask_cell(a, "from", &out->from)) {
                return false;
            }
            if (out->by >= BY_COMPONENT) {
                oct_query query = oct_query_default();
                query.terms.bounds = &item->scene.info.box;
                if (!oct_cli_ask_components(a, item, &query)) {
                    return false;
                }
                out->components = item->scene.components[0];
            }
            return true;
        }
    }
    return oct_cli_ask_refuse(a, "by");
}

bool oct_cli_tell_chunk(view_asking *a)
{
    view_item *item;
    json_int_t lod;
    view_chunk chunk;
    looking l = {.components = NULL};
    view_look look = {.paint = paint_leaf, .ctx = &l};
    if (!oct_cli_ask_item(a, VIEW_MAP, &item) ||
        !oct_cli_ask_integer(a, "lod", 0, VIEW_LOD_MAX, &lod) ||
        !oct_cli_ask_cell(a, "at", &chunk.at) || !get_colouring(a, item, &l) ||
        !get_shown(a, l.by, &look)) {
        return false;
    }
    view_quads quads;
    chunk.lod = (uint32_t)lod;
    look.box = item->scene.info.box;
    if (item->scene.dims == 2) {
        look.box.min.z = 0;
        look.box.max.z = 1;
    }
    if (oct_view_mesh(a->session->mesher, item->scene.tree, &look, chunk, &quads) != OCT_OK) {
        return oct_cli_ask_refuse(a, "memory is short");
    }
    return oct_cli_say_head(a, ANSWER_CHUNK, (uint32_t)quads.solid, (uint32_t)quads.faded) &&
           oct_cli_say_bytes(a, quads.items, (quads.solid + quads.faded) * sizeof(view_quad));
}

bool oct_cli_tell_slice(view_asking *a)
{
    view_item *item;
    json_int_t axis, at;
    if (!oct_cli_ask_item(a, VIEW_MAP, &item) || !oct_cli_ask_integer(a, "axis", 0, 2, &axis) ||
        !oct_cli_ask_integer(a, "cell", -OCT_RANGE, OCT_RANGE - 1, &at)) {
        return false;
    }
    const oct_box box = item->scene.info.box;
    const int32_t min[3] = {box.min.x, box.min.y, box.min.z};
    const int32_t max[3] = {box.max.x, box.max.y, box.max.z};
    const int across[2] = {axis == 0 ? 1 : 0, axis == 2 ? 1 : 2};
    int64_t stride = 1;
    for (int i = 0; i < 2; i++) {
        const int64_t span = (int64_t)max[across[i]] - min[across[i]];
        const int64_t least = (span + SLICE_EDGE - 1) / SLICE_EDGE;
        stride = least > stride ? least : stride;
    }
    const uint32_t w = (uint32_t)((max[across[0]] - min[across[0]] + stride - 1) / stride);
    const uint32_t h = (uint32_t)((max[across[1]] - min[across[1]] + stride - 1) / stride);
    if (!oct_cli_say_head(a, ANSWER_SLICE, w, h)) {
        return false;
    }
    for (uint32_t j = 0; j < h; j++) {
        uint8_t row[SLICE_EDGE];
        for (uint32_t i = 0; i < w; i++) {
            int32_t cell[3];
            cell[axis] = (int32_t)at;
            cell[across[0]] = (int32_t)(min[across[0]] + i * stride);
            cell[across[1]] = (int32_t)(min[across[1]] + j * stride);
            row[i] =
                (uint8_t)oct_tree_label(item->scene.tree, (oct_vec){cell[0], cell[1], cell[2]});
        }
        if (!oct_cli_say_bytes(a, row, w)) {
            return false;
        }
    }
    return true;
}

static const char *label_name(uint8_t label)
{
    static const char *const names[] = {
        [OCT_UNKNOWN] = "unknown", [OCT_OPEN] = "open", [OCT_BLOCKED] = "blocked"};
    return names[label];
}

bool oct_cli_tell_leaf(view_asking *a)
{
    view_item *item;
    oct_vec cell;
    if (!oct_cli_ask_item(a, VIEW_MAP, &item) || !oct_cli_ask_cell(a, "at", &cell)) {
        return false;
    }
    const oct_leaf leaf = oct_tree_leaf(item->scene.tree, cell);
    const bool is_outside = leaf.level == OCT_LEVEL_OUTSIDE;
    return oct_cli_say_json(a, json_pack("{s:s, s:i, s:o}", "label", label_name(leaf.label),
                                         "level", is_outside ? -1 : (int)leaf.level, "at",
                                         oct_cli_vec_json((oct_vec){leaf.x, leaf.y, leaf.z})));
}

// Where a ray from outside enters a leaf, and a little before it: in what is free. Cells.
static oct_point entry_of(const oct_leaf *leaf, const double from[3], const double step[3])
{
    const oct_box box = oct_leaf_box(*leaf);
    const double min[3] = {box.min.x, box.min.y, box.min.z};
    const double max[3] = {box.max.x, box.max.y, box.max.z};
    double enters = 0.0;
    for (int i = 0; i < 3; i++) {
        if (fabs(step[i]) > 1e-12) {
            enters = fmax(enters, ((step[i] > 0.0 ? min[i] : max[i]) - from[i]) / step[i]);
        }
    }
    const double length = sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
    const double t = fmax(0.0, enters - 0.05 / fmax(length, 0.05));
    return (oct_point){from[0] + t * step[0], from[1] + t * step[1], from[2] + t * step[2]};
}

static bool get_labels(view_asking *a, oct_labels *out)
{
    const json_t *const list = json_object_get(a->question, "labels");
    *out = 0;
    for (int i = 0; i < 3; i++) {
        const json_t *const one = json_array_get(list, (size_t)i);
        if (!json_is_boolean(one)) {
            return oct_cli_ask_refuse(a, "labels");
        }
        *out |= json_is_true(one) ? 1u << i : 0u;
    }
    return true;
}

static bool is_in_range(const double at[3])
{
    return fabs(at[0]) < OCT_RANGE && fabs(at[1]) < OCT_RANGE && fabs(at[2]) < OCT_RANGE;
}

static oct_fine fine_of(const double at[3])
{
    return (oct_fine){(int64_t)floor(at[0] * OCT_FINE), (int64_t)floor(at[1] * OCT_FINE),
                      (int64_t)floor(at[2] * OCT_FINE)};
}

// The first leaf with one of some labels that a ray meets.
bool oct_cli_tell_pick(view_asking *a)
{
    view_item *item;
    oct_labels labels;
    double from[3], to[3];
    if (!oct_cli_ask_item(a, VIEW_MAP, &item) || !get_labels(a, &labels) ||
        !oct_cli_ask_numbers(a, "from", from) || !oct_cli_ask_numbers(a, "to", to)) {
        return false;
    }
    if (!is_in_range(from) || !is_in_range(to)) {
        return oct_cli_ask_refuse(a, "from, to");
    }
    oct_leaf hit;
    if (!oct_tree_raycast(item->scene.tree, fine_of(from), fine_of(to), labels, &hit)) {
        return oct_cli_say_json(a, json_pack("{s:b}", "hit", 0));
    }
    const double step[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    return oct_cli_say_json(a, json_pack("{s:b, s:s, s:i, s:o, s:o}", "hit", 1, "label",
                                         label_name(hit.label), "level", (int)hit.level, "at",
                                         oct_cli_vec_json((oct_vec){hit.x, hit.y, hit.z}), "place",
                                         oct_cli_point_json(entry_of(&hit, from, step))));
}
