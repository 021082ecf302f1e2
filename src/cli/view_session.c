// SPDX-License-Identifier: MIT
#include "cli/view_session.h"
#include "octant/components.h"
#include "octant/names.h"
#include "octant/tree.h"

#include <math.h>
#include <string.h>

#define LINES_MAX (1024 * 1024) // bytes of a trace in one answer
#define SLICE_EDGE 1024
#define EXPANSIONS_MAX 300000u
#define BLOCKS_MAX 150000u
#define NODES_MAX 3000000u
#define PATHS_MAX 16 // of one question

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

// What answers begin with that are no text.
enum { ANSWER_CHUNK = 1, ANSWER_SLICE, ANSWER_EXPANSIONS, ANSWER_LINES, ANSWER_BLOCKS };

typedef struct asking {
    view_session *session;
    json_t *question;
    json_int_t id;
    view_answer *out;
    const char *why; // it cannot be answered
} asking;

// ---- what there is ----

static bool is_trace(const char *path)
{
    const size_t length = strlen(path);
    return length > 6 && strcmp(path + length - 6, ".jsonl") == 0;
}

// A file whose first line is no trace's is refused before anybody waits for it.
static int open_trace(view_item *item)
{
    char line[4096] = "";
    FILE *const file = fopen(item->path, "rb");
    const bool is_read = file && fgets(line, sizeof line, file);
    if (file) {
        fclose(file);
    }
    if (!is_read || strncmp(line, "{\"octant_trace\": ", 17) != 0) {
        return oct_cli_complain("%s:1: this is no trace", item->path);
    }
    return CLI_YES;
}

static int open_map(view_item *item, const cli_value *options)
{
    CLI_TRY(oct_cli_open_scene("view", item->path, options, &item->scene));
    item->stats = oct_tree_measure(item->scene.tree);
    return oct_cli_check(item->path,
                         oct_tree_count(item->scene.tree, item->scene.info.box, item->counts));
}

int oct_cli_view_begin(view_session *s)
{
    return oct_cli_check("view", oct_view_mesher_create(NULL, &s->mesher));
}

int oct_cli_view_add_live(view_session *s, const char *name)
{
    view_item *const item = &s->items[s->count];
    *item = (view_item){.path = name, .kind = VIEW_LIVE};
    if (pthread_mutex_init(&item->live.mutex, NULL) != 0) {
        return oct_cli_check("view", OCT_ERROR_MEMORY);
    }
    s->count++;
    return CLI_YES;
}

void oct_cli_view_append(view_live *live, const void *data, size_t size)
{
    const oct_allocator memory = oct_allocator_default();
    pthread_mutex_lock(&live->mutex);
    if (live->bytes.count + size <= VIEW_LIVE_MAX &&
        oct_array_reserve(&live->bytes, &memory, 1, live->bytes.count + size) == OCT_OK) {
        memcpy((uint8_t *)live->bytes.items + live->bytes.count, data, size);
        live->bytes.count += size;
    }
    pthread_mutex_unlock(&live->mutex);
}

int oct_cli_view_open(view_session *s, const cli_value *options, const char *const *paths,
                      size_t count)
{
    CLI_TRY(oct_cli_view_begin(s));
    if (count > VIEW_ITEMS_MAX) {
        return oct_cli_complain("view: at most %d files at a time", VIEW_ITEMS_MAX);
    }
    for (size_t i = 0; i < count; i++) {
        view_item *const item = &s->items[i];
        *item = (view_item){.path = paths[i], .kind = is_trace(paths[i]) ? VIEW_TRACE : VIEW_MAP};
        CLI_TRY(item->kind == VIEW_TRACE ? open_trace(item) : open_map(item, options));
        s->count++;
    }
    return CLI_YES;
}

void oct_cli_view_close(view_session *s)
{
    for (size_t i = 0; i < s->count; i++) {
        oct_planner_destroy(s->items[i].planner);
        if (s->items[i].kind == VIEW_MAP) {
            oct_cli_close_scene(&s->items[i].scene);
        }
        if (s->items[i].kind == VIEW_LIVE) {
            const oct_allocator memory = oct_allocator_default();
            oct_array_free(&s->items[i].live.bytes, &memory, 1);
            pthread_mutex_destroy(&s->items[i].live.mutex);
        }
    }
    oct_view_mesher_destroy(s->mesher);
}

// ---- parts of questions ----

static bool refuse(asking *a, const char *why)
{
    a->why = why;
    return false;
}

static bool get_integer(asking *a, const char *key, json_int_t least, json_int_t most,
                        json_int_t *out)
{
    const json_t *const value = json_object_get(a->question, key);
    *out = json_integer_value(value);
    return (json_is_integer(value) && *out >= least && *out <= most) || refuse(a, key);
}

static bool get_item(asking *a, view_kind kind, view_item **out)
{
    json_int_t index;
    if (!get_integer(a, "item", 0, (json_int_t)a->session->count - 1, &index)) {
        return false;
    }
    *out = &a->session->items[index];
    return (*out)->kind == kind || refuse(a, "item");
}

// A trace: of a file, or of a test that is being played.
static bool get_trace(asking *a, view_item **out)
{
    json_int_t index;
    if (!get_integer(a, "item", 0, (json_int_t)a->session->count - 1, &index)) {
        return false;
    }
    *out = &a->session->items[index];
    return (*out)->kind != VIEW_MAP || refuse(a, "item");
}

static bool get_numbers(asking *a, const char *key, double out[3])
{
    json_t *const list = json_object_get(a->question, key);
    for (size_t i = 0; i < 3; i++) {
        const json_t *const value = json_array_get(list, i);
        out[i] = json_number_value(value);
        if (!json_is_number(value) || !isfinite(out[i])) {
            return refuse(a, key);
        }
    }
    return true;
}

static bool get_place(asking *a, const char *key, oct_point *out)
{
    double at[3];
    if (!get_numbers(a, key, at)) {
        return false;
    }
    *out = (oct_point){at[0], at[1], at[2]};
    return true;
}

static bool get_cell(asking *a, const char *key, oct_vec *out)
{
    double at[3];
    if (!get_numbers(a, key, at)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        if (!(fabs(at[i]) <= OCT_RANGE)) {
            return refuse(a, key);
        }
    }
    *out = (oct_vec){(int32_t)at[0], (int32_t)at[1], (int32_t)at[2]};
    return true;
}

// ---- parts of answers ----

static bool put(asking *a, const void *bytes, size_t size)
{
    const oct_allocator memory = oct_allocator_default();
    oct_array *const out = &a->out->bytes;
    if (oct_array_reserve(out, &memory, 1, out->count + size) != OCT_OK) {
        return refuse(a, "memory is short");
    }
    if (size > 0) {
        memcpy((uint8_t *)out->items + out->count, bytes, size);
    }
    out->count += size;
    return true;
}

// Four numbers, lowest byte first, before what is no text.
static bool put_head(asking *a, uint32_t kind, uint32_t first, uint32_t second)
{
    const uint32_t words[4] = {(uint32_t)a->id, kind, first, second};
    uint8_t bytes[16];
    for (int i = 0; i < 16; i++) {
        bytes[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
    }
    a->out->is_text = false;
    return put(a, bytes, sizeof bytes);
}

static int put_text(const char *text, size_t size, void *ctx)
{
    return put(ctx, text, size) ? 0 : -1;
}

// Takes the object.
static bool put_json(asking *a, json_t *object)
{
    if (!object) {
        return refuse(a, "memory is short");
    }
    (void)json_object_set_new(object, "id", json_integer(a->id));
    a->out->is_text = true;
    const bool done = json_dump_callback(object, put_text, a, JSON_COMPACT) == 0;
    json_decref(object);
    return done || refuse(a, "memory is short");
}

// Bytes that may not be UTF-8.
static json_t *name_json(const char *name)
{
    char words[CLI_SHOWN_MAX];
    json_t *const text = json_string(oct_words_copy(name, words, sizeof words));
    return text ? text : json_string("?");
}

static json_t *vec_json(oct_vec v)
{
    return json_pack("[i, i, i]", v.x, v.y, v.z);
}

static json_t *point_json(oct_point p)
{
    return json_pack("[f, f, f]", p.x, p.y, p.z);
}

static json_t *bounds_json(oct_bounds b)
{
    return json_pack("[f, f, f, f, f, f]", b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z);
}

// ---- hello, scene ----

static bool say_hello(asking *a)
{
    json_t *const items = json_array();
    for (size_t i = 0; i < a->session->count; i++) {
        const view_item *const item = &a->session->items[i];
        const char *const slash = item->kind == VIEW_LIVE ? NULL : strrchr(item->path, '/');
        json_array_append_new(items, json_pack("{s:s, s:o}", "kind",
                                               item->kind == VIEW_MAP ? "map" : "trace", "name",
                                               name_json(slash ? slash + 1 : item->path)));
    }
    return put_json(a, json_pack("{s:s, s:o}", "version", oct_version(), "items", items));
}

static json_t *levels_json(const oct_tree_stats *stats)
{
    json_t *const levels = json_array();
    for (int i = 0; i <= OCT_LEVEL_MAX; i++) {
        json_array_append_new(levels, json_integer((json_int_t)stats->leaves[i]));
    }
    return levels;
}

static json_t *devices_json(const oct_world *world)
{
    json_t *const list = json_array();
    for (size_t i = 0; world && i < oct_world_blocks(world); i++) {
        const oct_world_block block = oct_world_get(world, i);
        const oct_world_type type = oct_world_get_type(world, block.type);
        if (type.kind == OCT_KIND_DOOR || type.kind == OCT_KIND_PANEL ||
            type.kind == OCT_KIND_TIMER) {
            char id[24];
            snprintf(id, sizeof id, "%llu", (unsigned long long)block.id);
            json_array_append_new(
                list, json_pack("{s:s, s:s, s:o, s:o, s:o, s:b}", "id", id, "kind",
                                oct_kind_name(type.kind), "type", name_json(type.name), "name",
                                name_json(block.name), "box", bounds_json(block.box), "open",
                                block.label == OCT_OPEN));
        }
    }
    return list;
}

static json_t *wires_json(const oct_world *world)
{
    json_t *const list = json_array();
    for (size_t i = 0; world && i < oct_world_wires(world); i++) {
        const oct_world_wire wire = oct_world_get_wire(world, i);
        char from[24], to[24];
        snprintf(from, sizeof from, "%llu", (unsigned long long)wire.from);
        snprintf(to, sizeof to, "%llu", (unsigned long long)wire.to);
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:i}", "from", from, "to", to, "action",
                                        oct_wire_action_name((oct_wire_action)wire.action), "slot",
                                        (int)wire.slot));
    }
    return list;
}

static json_t *types_json(const oct_world *world)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; world && i < oct_world_types(world); i++) {
        const oct_world_type type = oct_world_get_type(world, i);
        json_array_append_new(list,
                              json_pack("{s:o, s:s, s:b}", "name", name_json(type.name), "kind",
                                        oct_kind_name(type.kind), "opaque", (int)type.opaque));
    }
    return list;
}

static json_t *algorithms_json(int dims)
{
    static const oct_lab_algorithm solid[] = {
        OCT_LAB_PORTAL,     OCT_LAB_ASTAR,  OCT_LAB_ASTAR_SMOOTH, OCT_LAB_THETA,
        OCT_LAB_LAZY_THETA, OCT_LAB_GREEDY, OCT_LAB_DIJKSTRA};
    static const oct_lab_algorithm flat[] = {
        OCT_LAB_PORTAL,     OCT_LAB_ANYA, OCT_LAB_ASTAR, OCT_LAB_ASTAR_SMOOTH, OCT_LAB_THETA,
        OCT_LAB_LAZY_THETA, OCT_LAB_JPS,  OCT_LAB_BLOCK, OCT_LAB_DIJKSTRA};
    const oct_lab_algorithm *const all = dims == 2 ? flat : solid;
    const size_t count = dims == 2 ? sizeof flat / sizeof flat[0] : sizeof solid / sizeof solid[0];
    json_t *const list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, json_string(oct_lab_algorithm_name(all[i])));
    }
    return list;
}

// Whether there is nothing to be seen from outside.
static bool is_closed(const cli_scene *s)
{
    const oct_box box = s->info.box;
    bool closed = s->dims == 3;
    for (int i = 0; i < 6 && closed; i++) {
        oct_box side = box;
        int32_t *const from = i / 2 == 0 ? &side.min.x : i / 2 == 1 ? &side.min.y : &side.min.z;
        int32_t *const to = i / 2 == 0 ? &side.max.x : i / 2 == 1 ? &side.max.y : &side.max.z;
        *(i % 2 ? from : to) = i % 2 ? *to - 1 : *from + 1;
        closed = oct_tree_labels_in(s->tree, side) == OCT_HAS_BLOCKED;
    }
    return closed;
}

static bool tell_scene(asking *a)
{
    view_item *item;
    if (!get_item(a, VIEW_MAP, &item)) {
        return false;
    }
    const cli_scene *const s = &item->scene;
    const oct_world *const world = s->is_world ? s->world.world : NULL;
    uint64_t leaves = 0;
    for (int i = 0; i <= OCT_LEVEL_MAX; i++) {
        leaves += item->stats.leaves[i];
    }
    return put_json(
        a, json_pack("{s:f, s:o, s:i, s:i, s:b, s:o, s:o, s:[I, I, I], s:I, s:I, s:o, s:b, s:I, "
                     "s:o, s:o, s:o, "
                     "s:o}",
                     "cell", oct_tree_cell_size(s->tree), "origin",
                     point_json(oct_tree_origin(s->tree)), "dims", s->dims, "up", (int)s->info.up,
                     "leftHanded", (int)s->info.left_handed, "min", vec_json(s->info.box.min),
                     "max", vec_json(s->info.box.max), "counts",
                     (json_int_t)item->counts[OCT_UNKNOWN], (json_int_t)item->counts[OCT_OPEN],
                     (json_int_t)item->counts[OCT_BLOCKED], "leaves", (json_int_t)leaves, "bytes",
                     (json_int_t)s->bytes, "levels", levels_json(&item->stats), "isClosed",
                     (int)is_closed(s), "blocks", (json_int_t)(world ? oct_world_blocks(world) : 0),
                     "types", types_json(world), "devices", devices_json(world), "wires",
                     wires_json(world), "algorithms", algorithms_json(s->dims)));
}

// The boxes of a world, metres, and the types of its blocks.
static bool tell_blocks(asking *a)
{
    view_item *item;
    if (!get_item(a, VIEW_MAP, &item)) {
        return false;
    }
    const oct_world *const world = item->scene.is_world ? item->scene.world.world : NULL;
    const size_t all = world ? oct_world_blocks(world) : 0;
    const size_t count = all < BLOCKS_MAX ? all : BLOCKS_MAX;
    bool done = put_head(a, ANSWER_BLOCKS, (uint32_t)count, (uint32_t)all);
    for (size_t i = 0; i < count && done; i++) {
        const oct_world_block block = oct_world_get(world, i);
        const oct_bounds *const b = &block.box;
        const float box[6] = {(float)b->min.x, (float)b->min.y, (float)b->min.z,
                              (float)b->max.x, (float)b->max.y, (float)b->max.z};
        done = put(a, box, sizeof box) && put(a, &block.type, sizeof block.type);
    }
    return done;
}

// ---- chunks ----

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
static bool get_shown(asking *a, colouring by, view_look *look)
{
    json_t *const list = json_object_get(a->question, "shown");
    for (int label = 0; label < 3; label++) {
        const char *const word = json_string_value(json_array_get(list, (size_t)label));
        if (!word) {
            return refuse(a, "shown");
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

// What is connected with what: found once.
static bool connect(asking *a, view_item *item, const oct_query *query)
{
    return item->scene.components[query->terms.unknown != OCT_UNKNOWN_BLOCKED] ||
           oct_cli_connect_scene(&item->scene, query) == CLI_YES || refuse(a, "memory is short");
}

static bool get_colouring(asking *a, view_item *item, looking *out)
{
    static const char *const words[] = {"label", "level", "component", "reach"};
    const char *const word = json_string_value(json_object_get(a->question, "by"));
    out->by = BY_LABEL;
    for (int i = 0; word && i < 4; i++) {
        if (strcmp(word, words[i]) == 0) {
            out->by = (colouring)i;
            if (out->by == BY_REACH && !get_cell(a, "from", &out->from)) {
                return false;
            }
            if (out->by >= BY_COMPONENT) {
                oct_query query = oct_query_default();
                query.terms.bounds = &item->scene.info.box;
                if (!connect(a, item, &query)) {
                    return false;
                }
                out->components = item->scene.components[0];
            }
            return true;
        }
    }
    return refuse(a, "by");
}

static bool tell_chunk(asking *a)
{
    view_item *item;
    json_int_t lod;
    view_chunk chunk;
    looking l = {.components = NULL};
    view_look look = {.paint = paint_leaf, .ctx = &l};
    if (!get_item(a, VIEW_MAP, &item) || !get_integer(a, "lod", 0, VIEW_LOD_MAX, &lod) ||
        !get_cell(a, "at", &chunk.at) || !get_colouring(a, item, &l) ||
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
        return refuse(a, "memory is short");
    }
    return put_head(a, ANSWER_CHUNK, (uint32_t)quads.solid, (uint32_t)quads.faded) &&
           put(a, quads.items, (quads.solid + quads.faded) * sizeof(view_quad));
}

// ---- slices and leaves ----

static bool tell_slice(asking *a)
{
    view_item *item;
    json_int_t axis, at;
    if (!get_item(a, VIEW_MAP, &item) || !get_integer(a, "axis", 0, 2, &axis) ||
        !get_integer(a, "cell", -OCT_RANGE, OCT_RANGE - 1, &at)) {
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
    if (!put_head(a, ANSWER_SLICE, w, h)) {
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
        if (!put(a, row, w)) {
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

static bool tell_leaf(asking *a)
{
    view_item *item;
    oct_vec cell;
    if (!get_item(a, VIEW_MAP, &item) || !get_cell(a, "at", &cell)) {
        return false;
    }
    const oct_leaf leaf = oct_tree_leaf(item->scene.tree, cell);
    const bool is_outside = leaf.level == OCT_LEVEL_OUTSIDE;
    return put_json(a, json_pack("{s:s, s:i, s:o}", "label", label_name(leaf.label), "level",
                                 is_outside ? -1 : (int)leaf.level, "at",
                                 vec_json((oct_vec){leaf.x, leaf.y, leaf.z})));
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

static bool get_labels(asking *a, oct_labels *out)
{
    const json_t *const list = json_object_get(a->question, "labels");
    *out = 0;
    for (int i = 0; i < 3; i++) {
        const json_t *const one = json_array_get(list, (size_t)i);
        if (!json_is_boolean(one)) {
            return refuse(a, "labels");
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
static bool tell_pick(asking *a)
{
    view_item *item;
    oct_labels labels;
    double from[3], to[3];
    if (!get_item(a, VIEW_MAP, &item) || !get_labels(a, &labels) || !get_numbers(a, "from", from) ||
        !get_numbers(a, "to", to)) {
        return false;
    }
    if (!is_in_range(from) || !is_in_range(to)) {
        return refuse(a, "from, to");
    }
    oct_leaf hit;
    if (!oct_tree_raycast(item->scene.tree, fine_of(from), fine_of(to), labels, &hit)) {
        return put_json(a, json_pack("{s:b}", "hit", 0));
    }
    const double step[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    return put_json(a, json_pack("{s:b, s:s, s:i, s:o, s:o}", "hit", 1, "label",
                                 label_name(hit.label), "level", (int)hit.level, "at",
                                 vec_json((oct_vec){hit.x, hit.y, hit.z}), "place",
                                 point_json(entry_of(&hit, from, step))));
}

// ---- paths ----

static double clock_us(void)
{
    return oct_cli_now_ms() * 1e3;
}

static bool choose_algorithm(const char *word, int64_t *out)
{
    for (int i = 0; i <= OCT_LAB_BLOCK; i++) {
        const char *const name = oct_lab_algorithm_name((oct_lab_algorithm)i);
        if (word && name && strcmp(word, name) == 0) {
            *out = i;
            return true;
        }
    }
    return false;
}

// The query of `octant path --algorithm WORD`.
static bool plan_path(asking *a, view_item *item, const char *word, oct_query *query)
{
    cli_value options[CLI_SEARCH_OPTION_COUNT] = {{.given = true}};
    options[7].real = 2.0;  // the price of what is unknown
    options[9].integer = 2; // blocks of 4 x 4 cells
    if (!choose_algorithm(word, &options[0].integer)) {
        return refuse(a, "algorithms");
    }
    oct_cli_close_distances(&item->scene.distances);
    item->scene.distances = (cli_distances){.distances = NULL};
    if (oct_cli_plan_search("view", options, &item->scene, query) != CLI_YES) {
        return refuse(a, "that algorithm cannot search this map");
    }
    if (!connect(a, item, query)) {
        return false;
    }
    if (!get_place(a, "from", &query->from) || !get_place(a, "to", &query->to)) {
        return false;
    }
    query->node_budget = NODES_MAX;
    return true;
}

static bool search(asking *a, view_item *item, const oct_query *query, oct_path *path, double *us)
{
    if (!item->planner) {
        const oct_planner_def def = oct_cli_planner_def(&item->scene);
        if (oct_planner_create(&def, &item->planner) != OCT_OK) {
            return refuse(a, "memory is short");
        }
    }
    const double start = clock_us();
    const oct_result result = oct_planner_plan(item->planner, query, path);
    *us = clock_us() - start;
    return result == OCT_OK || refuse(a, oct_result_text(result));
}

static json_t *points_json(const oct_path *path)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; i < path->point_count; i++) {
        json_array_append_new(list, point_json(path->points[i]));
    }
    return list;
}

static json_t *path_json(const oct_query *query, const oct_path *path, double us)
{
    return json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:I, s:I, s:f, s:o}", "algorithm",
                     oct_lab_algorithm_name(query->lab->algorithm), "graph",
                     oct_lab_graph_name(query->lab->graph), "status",
                     oct_path_status_name(path->status), "length", path->length, "straight",
                     path->straight, "turning", path->turning, "expanded",
                     (json_int_t)path->expanded, "sightChecks", (json_int_t)path->sight_checks,
                     "us", us, "points", points_json(path));
}

static bool tell_paths(asking *a)
{
    view_item *item;
    json_t *const words = json_object_get(a->question, "algorithms");
    if (!get_item(a, VIEW_MAP, &item)) {
        return false;
    }
    if (!json_is_array(words) || json_array_size(words) > PATHS_MAX) {
        return refuse(a, "algorithms");
    }
    json_t *const list = json_array();
    for (size_t i = 0; i < json_array_size(words); i++) {
        oct_query query;
        oct_path path;
        double us;
        if (!plan_path(a, item, json_string_value(json_array_get(words, i)), &query) ||
            !search(a, item, &query, &path, &us)) {
            json_decref(list);
            return false;
        }
        json_array_append_new(list, path_json(&query, &path, us));
    }
    return put_json(a, json_pack("{s:o}", "paths", list));
}

// What a search expanded, in order: places and from which of them each was reached.
static bool tell_expansions(asking *a)
{
    view_item *item;
    oct_query query;
    oct_path path;
    double us;
    const char *const word = json_string_value(json_object_get(a->question, "algorithm"));
    if (!get_item(a, VIEW_MAP, &item) || !plan_path(a, item, word, &query)) {
        return false;
    }
    query.record = true;
    if (!search(a, item, &query, &path, &us)) {
        return false;
    }
    const uint32_t count = path.record_count < EXPANSIONS_MAX ? path.record_count : EXPANSIONS_MAX;
    bool done = put_head(a, ANSWER_EXPANSIONS, count, path.record_count);
    for (uint32_t i = 0; i < count && done; i++) {
        const oct_point at = oct_tree_point(item->scene.tree, path.records[i].at);
        const float place[3] = {(float)at.x, (float)at.y, (float)at.z};
        done = put(a, place, sizeof place) && put(a, &path.records[i].parent, sizeof(uint32_t));
    }
    return done;
}

// ---- traces ----

static bool tell_file_lines(asking *a, const view_item *item, json_int_t offset)
{
    char *const bytes = malloc(LINES_MAX);
    FILE *const file = bytes ? fopen(item->path, "rb") : NULL;
    bool done = file && fseek(file, (long)offset, SEEK_SET) == 0;
    if (done) {
        const size_t size = fread(bytes, 1, LINES_MAX, file);
        done = !ferror(file) && put_head(a, ANSWER_LINES, (uint32_t)size, size == LINES_MAX) &&
               put(a, bytes, size);
    }
    if (file) {
        fclose(file);
    }
    free(bytes);
    return done || refuse(a, "the trace cannot be read");
}

static bool tell_live_lines(asking *a, view_live *live, json_int_t offset)
{
    pthread_mutex_lock(&live->mutex);
    const size_t all = live->bytes.count;
    const size_t from = (uint64_t)offset < all ? (size_t)offset : all;
    const size_t size = all - from < LINES_MAX ? all - from : LINES_MAX;
    const bool done = put_head(a, ANSWER_LINES, (uint32_t)size, from + size < all) &&
                      put(a, (const uint8_t *)live->bytes.items + from, size);
    pthread_mutex_unlock(&live->mutex);
    atomic_store(&a->session->is_asked, true);
    return done;
}

// What stands in a trace from a byte on; the second number says whether there is more.
static bool tell_lines(asking *a)
{
    view_item *item;
    json_int_t offset;
    if (!get_trace(a, &item) || !get_integer(a, "offset", 0, (json_int_t)1 << 50, &offset)) {
        return false;
    }
    return item->kind == VIEW_LIVE ? tell_live_lines(a, &item->live, offset)
                                   : tell_file_lines(a, item, offset);
}

// ---- questions ----

static const struct {
    const char *name;
    bool (*tell)(asking *a);
} questions[] = {
    {"hello", say_hello},
    {"scene", tell_scene},
    {"chunk", tell_chunk},
    {"slice", tell_slice},
    {"leaf", tell_leaf},
    {"paths", tell_paths},
    {"expansions", tell_expansions},
    {"blocks", tell_blocks},
    {"pick", tell_pick},
    {"lines", tell_lines},
};

static bool tell(asking *a)
{
    const char *const word = json_string_value(json_object_get(a->question, "ask"));
    const json_t *const id = json_object_get(a->question, "id");
    a->id = json_integer_value(id);
    if (!json_is_integer(id) || a->id < 0 || a->id > UINT32_MAX) {
        a->id = 0;
        return refuse(a, "id");
    }
    for (size_t i = 0; word && i < sizeof questions / sizeof questions[0]; i++) {
        if (strcmp(word, questions[i].name) == 0) {
            return questions[i].tell(a);
        }
    }
    return refuse(a, "ask");
}

bool oct_cli_view_answer(void *session, const char *question, size_t size, view_answer *out)
{
    asking a = {.session = session,
                .question = json_loadb(question, size, JSON_REJECT_DUPLICATES, NULL),
                .out = out,
                .why = "this is not JSON"};
    const bool good = a.question && tell(&a);
    if (!good) {
        const char *const why = a.why;
        out->bytes.count = 0;
        (void)put_json(&a, json_pack("{s:s}", "error", why));
    }
    json_decref(a.question);
    return good;
}
