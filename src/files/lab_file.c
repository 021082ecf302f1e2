// SPDX-License-Identifier: MIT
// Laboratory files from JSON and to it, version 1 (docs/lab/lab-file.md).
//
// jansson reads the text but does not say where a value stands. So a refusal knows its place as
// steps from the top ("paths", 2, "points"), which are its subject, and only then the text is
// walked along them to find line and column.
//
// Keys that the format does not have are refused, since a misspelt one would otherwise pass
// unnoticed; those that begin with "x-" are other programs' and are passed over.
#include "files/lab_file.h"
#include "base/print.h"
#include "octant/formats.h"
#include "octant/names.h"
#include "octant/tree.h"

#include "files/json_place.h"

#include "base/words.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

#define FORMAT_NAME "octant-lab"
#define FORMAT_VERSION 1

// jansson takes some twenty times as much in the worst case.
#define FILE_SIZE_MAX ((size_t)32 << 20)
#define COORDINATE_MAX 1073741824.0 // 2^30
#define SEED_END 9007199254740992.0 // 2^53
#define STEPS_MAX 4

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *const statistic_names[LAB_STATISTIC_COUNT] = {
    [LAB_LENGTH] = "length",
    [LAB_TURNING_DEGREES] = "turning_degrees",
    [LAB_GRAPH_US] = "graph_us",
    [LAB_PATH_US] = "path_us",
    [LAB_EXPANDED] = "expanded",
    [LAB_SIGHT_CHECKS] = "sight_checks",
    [LAB_NODES] = "nodes",
    [LAB_GRAPH_NODES] = "graph_nodes",
    [LAB_GRAPH_EDGES] = "graph_edges"};

// A step down: to a key's value, or to an item of a list.
typedef struct step {
    const char *key; // NULL = an item
    size_t index;
} step;

typedef struct reader {
    const char *data;
    size_t size;
    step steps[STEPS_MAX]; // to what is being read
    size_t step_count;
    lab_file *out;
    oct_error *error;
} reader;

// ---- places ----

// Where a step from the value at `at` leads; `at` itself where the text has it in other letters.
static size_t follow(const reader *in, size_t at, const step *to, bool to_key)
{
    size_t next = at;
    size_t index = 0;
    do {
        const size_t start = json_skip_space(in->data, in->size, next + 1);
        next = json_skip_value(in->data, in->size, start);
        bool found = !to->key && index++ == to->index;
        size_t value = start;
        if (to->key) {
            found = next - start == strlen(to->key) + 2 &&
                    memcmp(in->data + start + 1, to->key, strlen(to->key)) == 0;
            value =
                json_skip_space(in->data, in->size, json_skip_space(in->data, in->size, next) + 1);
            next = json_skip_value(in->data, in->size, value);
        }
        if (found) {
            return to_key ? start : value;
        }
        next = json_skip_space(in->data, in->size, next);
    } while (next < in->size && in->data[next] == ',');
    return at;
}

// The steps as one would write them: "paths[2].points: "; empty at the top.
static void name_steps(const reader *in, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < in->step_count; i++) {
        const step *const s = &in->steps[i];
        const int wrote = s->key ? snprintf(out + used, size - used, "%s%s", i ? "." : "", s->key)
                                 : snprintf(out + used, size - used, "[%zu]", s->index);
        used += (size_t)wrote;
        OCT_ASSERT(used + 3 < size);
    }
    if (used > 0) {
        memcpy(out + used, ": ", 3);
    }
}

OCT_FORMAT(3, 0)
static oct_result refuse_at(const reader *in, const char *unknown_key, const char *format,
                            va_list values)
{
    char message[sizeof in->error->message];
    char words[160];
    name_steps(in, words, sizeof words);
    const int length = snprintf(message, sizeof message, "%s", words);
    oct_vsnprintf(message + length, sizeof message - (size_t)length, format, values);
    size_t at = json_skip_space(in->data, in->size, 0);
    for (size_t i = 0; i < in->step_count; i++) {
        at = follow(in, at, &in->steps[i], false);
    }
    if (unknown_key) {
        at = follow(in, at, &(step){unknown_key, 0}, true);
    }
    oct_error_set_at(in->error, in->data, in->size, at, message);
    return OCT_ERROR_FORMAT;
}

// Fills the error with the place of what is being read, and "subject: message".
OCT_FORMAT(2, 3)
static oct_result refuse(const reader *in, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const oct_result result = refuse_at(in, NULL, format, values);
    va_end(values);
    return result;
}

OCT_FORMAT(3, 4)
static oct_result refuse_key(const reader *in, const char *key, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const oct_result result = refuse_at(in, key, format, values);
    va_end(values);
    return result;
}

static void enter(reader *in, const char *key, size_t index)
{
    OCT_ASSERT(in->step_count < STEPS_MAX);
    in->steps[in->step_count++] = (step){key, index};
}

static void leave(reader *in)
{
    in->step_count--;
}

// ---- values ----

static oct_result check_object(const reader *in, json_t *value, const char *const *keys,
                               size_t count)
{
    if (!json_is_object(value)) {
        return refuse(in, "must be an object");
    }
    for (void *at = json_object_iter(value); at; at = json_object_iter_next(value, at)) {
        const char *const key = json_object_iter_key(at);
        bool known = strncmp(key, "x-", 2) == 0;
        for (size_t i = 0; !known && i < count; i++) {
            known = strcmp(key, keys[i]) == 0;
        }
        if (!known) {
            return refuse_key(in, key, "unknown key '%.40s'", key);
        }
    }
    return OCT_OK;
}

// A member that must be there; it is entered.
static oct_result need(reader *in, const json_t *object, const char *key, json_t **out)
{
    *out = json_object_get(object, key);
    if (!*out) {
        return refuse(in, "%s is missing", key);
    }
    enter(in, key, 0);
    return OCT_OK;
}

static void *take(reader *in, size_t size, size_t align)
{
    void *const memory = oct_arena_alloc(&in->out->memory, size, align);
    if (!memory) {
        oct_io_out_of_memory(in->error);
    }
    return memory;
}

static oct_result read_text(reader *in, const json_t *object, const char *key, const char **out)
{
    json_t *value;
    OCT_TRY(need(in, object, key, &value));
    const size_t length = json_string_length(value);
    if (!json_is_string(value) || length == 0) {
        return refuse(in, "must be a string that is not empty");
    }
    if (length > LAB_FILE_TEXT_MAX) {
        return refuse(in, "longer than %d bytes", LAB_FILE_TEXT_MAX);
    }
    char *const copy = take(in, length + 1, 1);
    if (!copy) {
        return OCT_ERROR_MEMORY;
    }
    memcpy(copy, json_string_value(value), length + 1);
    *out = copy;
    leave(in);
    return OCT_OK;
}

static oct_result read_number(reader *in, const json_t *object, const char *key, double min,
                              double max, bool whole, double *out)
{
    json_t *value;
    OCT_TRY(need(in, object, key, &value));
    *out = json_number_value(value);
    if (!(whole ? json_is_integer(value) : json_is_number(value)) || *out < min || *out > max) {
        return refuse(in, "must be a %snumber from %.0f to %.0f", whole ? "whole " : "", min, max);
    }
    leave(in);
    return OCT_OK;
}

static oct_result read_point(const reader *in, const json_t *value, double out[2])
{
    const json_t *const x = json_array_get(value, 0);
    const json_t *const y = json_array_get(value, 1);
    if (json_array_size(value) != 2 || !json_is_number(x) || !json_is_number(y)) {
        return refuse(in, "must be two numbers, x and y");
    }
    out[0] = json_number_value(x);
    out[1] = json_number_value(y);
    if (!(fabs(out[0]) <= COORDINATE_MAX) || !(fabs(out[1]) <= COORDINATE_MAX)) {
        return refuse(in, "leaves the lattice");
    }
    return OCT_OK;
}

// ---- map ----

static oct_result read_row(reader *in, const json_t *row, char *out)
{
    const char *const letters = json_string_value(row);
    const size_t width = in->out->map.width;
    if (!letters) {
        return refuse(in, "must be a string");
    }
    if (json_string_length(row) != width) {
        return refuse(in, "has %zu cells, but the first row has %zu", json_string_length(row),
                      width);
    }
    const size_t good = strspn(letters, ".GS@OTW");
    if (good < width) {
        return refuse(in, "cell %zu must be one of . G S @ O T W", good);
    }
    memcpy(out, letters, width);
    return OCT_OK;
}

static oct_result read_rows(reader *in, const json_t *object)
{
    lab_file_map *const map = &in->out->map;
    json_t *rows;
    OCT_TRY(need(in, object, "rows", &rows));
    const size_t height = json_array_size(rows);
    const size_t width = json_string_length(json_array_get(rows, 0));
    if (height == 0 || height > LAB_FILE_EDGE_MAX || width == 0 || width > LAB_FILE_EDGE_MAX) {
        return refuse(in, "must be a list of 1 to %d rows with 1 to %d cells", LAB_FILE_EDGE_MAX,
                      LAB_FILE_EDGE_MAX);
    }
    map->kind = LAB_MAP_ROWS;
    map->width = (uint32_t)width;
    map->height = (uint32_t)height;
    char *const cells = take(in, width * height, 1);
    if (!cells) {
        return OCT_ERROR_MEMORY;
    }
    map->rows = cells;
    for (size_t y = 0; y < height; y++) {
        enter(in, NULL, y);
        OCT_TRY(read_row(in, json_array_get(rows, y), cells + y * width));
        leave(in);
    }
    leave(in);
    return OCT_OK;
}

static oct_result read_generate(reader *in, const json_t *object)
{
    static const char *const keys[] = {"size", "coverage", "clustering", "seed"};
    json_t *value;
    double size, clustering, seed;
    OCT_TRY(need(in, object, "generate", &value));
    OCT_TRY(check_object(in, value, keys, COUNT(keys)));
    lab_generate *const out = &in->out->map.generate;
    OCT_TRY(read_number(in, value, "size", LAB_FILE_SIZE_MIN, LAB_FILE_SIZE_MAX, true, &size));
    OCT_TRY(read_number(in, value, "coverage", 0.0, 100.0, false, &out->coverage));
    OCT_TRY(read_number(in, value, "clustering", 0.0, LAB_FILE_CLUSTERING_MAX, true, &clustering));
    OCT_TRY(read_number(in, value, "seed", 0.0, SEED_END - 1.0, true, &seed));
    out->size = (uint32_t)size;
    out->clustering = (uint32_t)clustering;
    out->seed = (uint64_t)seed;
    in->out->map.kind = LAB_MAP_GENERATE;
    leave(in);
    return OCT_OK;
}

static oct_result read_map(reader *in, const json_t *root)
{
    static const char *const keys[] = {"file", "rows", "generate"};
    json_t *value;
    OCT_TRY(need(in, root, "map", &value));
    OCT_TRY(check_object(in, value, keys, COUNT(keys)));
    int kinds = 0;
    for (size_t i = 0; i < COUNT(keys); i++) {
        kinds += json_object_get(value, keys[i]) != NULL;
    }
    if (kinds != 1) {
        return refuse(in, "must have one of the keys file, rows and generate");
    }
    if (json_object_get(value, "file")) {
        OCT_TRY(read_text(in, value, "file", &in->out->map.file));
    } else if (json_object_get(value, "rows")) {
        OCT_TRY(read_rows(in, value));
    } else {
        OCT_TRY(read_generate(in, value));
    }
    leave(in);
    return OCT_OK;
}

// ---- paths ----

static oct_result read_status(reader *in, const json_t *object, oct_path_status *out)
{
    json_t *value;
    OCT_TRY(need(in, object, "status", &value));
    const char *const word = json_string_value(value);
    for (int i = 0; word && i < OCT_PATH_COUNT; i++) {
        if (strcmp(word, oct_path_status_name((oct_path_status)i)) == 0) {
            *out = (oct_path_status)i;
            leave(in);
            return OCT_OK;
        }
    }
    return word ? refuse(in, "cannot be '%.40s'", word) : refuse(in, "must be a string");
}

static oct_result read_points(reader *in, const json_t *object, lab_file_path *out)
{
    json_t *list;
    OCT_TRY(need(in, object, "points", &list));
    const size_t count = json_array_size(list);
    if (!json_is_array(list) || count > LAB_FILE_POINTS_MAX) {
        return refuse(in, "must be a list of at most %u points", LAB_FILE_POINTS_MAX);
    }
    if (count > 0) {
        double(*const points)[2] = take(in, count * sizeof *points, _Alignof(double));
        if (!points) {
            return OCT_ERROR_MEMORY;
        }
        for (size_t i = 0; i < count; i++) {
            enter(in, NULL, i);
            OCT_TRY(read_point(in, json_array_get(list, i), points[i]));
            leave(in);
        }
        out->points = (const double(*)[2])points;
        out->point_count = (uint32_t)count;
    }
    leave(in);
    return OCT_OK;
}

static oct_result read_path(reader *in, json_t *value, lab_file_path *out)
{
    static const char *const keys[] = {"algorithm",   "graph",      "variant",         "status",
                                       "points",      "length",     "turning_degrees", "graph_us",
                                       "path_us",     "expanded",   "sight_checks",    "nodes",
                                       "graph_nodes", "graph_edges"};
    OCT_TRY(check_object(in, value, keys, COUNT(keys)));
    *out = (lab_file_path){.variant = ""};
    OCT_TRY(read_text(in, value, "algorithm", &out->algorithm));
    OCT_TRY(read_text(in, value, "graph", &out->graph));
    if (json_object_get(value, "variant")) {
        OCT_TRY(read_text(in, value, "variant", &out->variant));
    }
    OCT_TRY(read_status(in, value, &out->status));
    for (int i = 0; i < LAB_STATISTIC_COUNT; i++) {
        out->statistics[i] = -1.0;
        if (json_object_get(value, statistic_names[i])) {
            OCT_TRY(read_number(in, value, statistic_names[i], 0.0, SEED_END, false,
                                &out->statistics[i]));
        }
    }
    return read_points(in, value, out);
}

static oct_result read_paths(reader *in, const json_t *root)
{
    json_t *list;
    if (!json_object_get(root, "paths")) {
        return OCT_OK;
    }
    OCT_TRY(need(in, root, "paths", &list));
    const size_t count = json_array_size(list);
    if (!json_is_array(list) || count > LAB_FILE_PATHS_MAX) {
        return refuse(in, "must be a list of at most %d paths", LAB_FILE_PATHS_MAX);
    }
    if (count > 0) {
        lab_file_path *const paths = take(in, count * sizeof *paths, _Alignof(lab_file_path));
        if (!paths) {
            return OCT_ERROR_MEMORY;
        }
        for (size_t i = 0; i < count; i++) {
            enter(in, NULL, i);
            OCT_TRY(read_path(in, json_array_get(list, i), &paths[i]));
            leave(in);
        }
        in->out->paths = paths;
        in->out->path_count = (uint32_t)count;
    }
    leave(in);
    return OCT_OK;
}

// ---- in ----

static oct_result check_version(reader *in, const json_t *root)
{
    json_t *value;
    OCT_TRY(need(in, root, "format", &value));
    const char *const name = json_string_value(value);
    if (!name || strcmp(name, FORMAT_NAME) != 0) {
        return name ? refuse(in, "'%.40s' is not '" FORMAT_NAME "'", name)
                    : refuse(in, "must be '" FORMAT_NAME "'");
    }
    leave(in);
    OCT_TRY(need(in, root, "version", &value));
    if (!json_is_integer(value)) {
        return refuse(in, "must be a whole number");
    }
    if (json_integer_value(value) != FORMAT_VERSION) {
        return refuse(in, "%lld is not known, only %d", (long long)json_integer_value(value),
                      FORMAT_VERSION);
    }
    leave(in);
    return OCT_OK;
}

static oct_result read_ends(reader *in, const json_t *root)
{
    json_t *value;
    in->out->has_ends = json_object_get(root, "start") || json_object_get(root, "goal");
    if (!in->out->has_ends) {
        return OCT_OK;
    }
    OCT_TRY(need(in, root, "start", &value));
    OCT_TRY(read_point(in, value, in->out->start));
    leave(in);
    OCT_TRY(need(in, root, "goal", &value));
    OCT_TRY(read_point(in, value, in->out->goal));
    leave(in);
    return OCT_OK;
}

static oct_result read_root(reader *in, json_t *root)
{
    static const char *const keys[] = {"format", "version", "map",  "start",
                                       "goal",   "squeeze", "paths"};
    if (!json_is_object(root)) {
        return refuse(in, "not a laboratory file: expected '{'");
    }
    OCT_TRY(check_version(in, root));
    OCT_TRY(check_object(in, root, keys, COUNT(keys)));
    OCT_TRY(read_map(in, root));
    OCT_TRY(read_ends(in, root));
    if (json_object_get(root, "squeeze")) {
        json_t *value;
        OCT_TRY(need(in, root, "squeeze", &value));
        if (!json_is_boolean(value)) {
            return refuse(in, "must be true or false");
        }
        in->out->squeeze = json_is_true(value);
        leave(in);
    }
    return read_paths(in, root);
}

static oct_result parse(const reader *in, json_t **root)
{
    json_error_t why;
    *root = json_loadb(in->data, in->size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &why);
    if (*root) {
        return OCT_OK;
    }
    // Where memory is short it mostly says nothing.
    if (json_error_code(&why) == json_error_out_of_memory || !why.text[0]) {
        return oct_io_out_of_memory(in->error);
    }
    // jansson has read the word that it does not like.
    oct_error_set_at(in->error, in->data, in->size, why.position > 0 ? (size_t)why.position - 1 : 0,
                     why.text);
    return OCT_ERROR_FORMAT;
}

oct_result oct_lab_file_decode(const void *data, size_t size, const oct_allocator *allocator,
                               lab_file *out, oct_error *error)
{
    *out = (lab_file){.has_ends = false};
    oct_arena_init(&out->memory, allocator);
    if (size == 0) {
        return OCT_REFUSE(error, 0, "the file is empty");
    }
    reader in = {.data = data, .size = size, .out = out, .error = error};
    json_t *root;
    OCT_TRY(parse(&in, &root));
    const oct_result result = read_root(&in, root);
    json_decref(root);
    if (result != OCT_OK) {
        oct_lab_file_free(out);
    }
    return result;
}

oct_result oct_lab_file_load(const char *path, const oct_allocator *allocator, lab_file *out,
                             oct_error *error)
{
    *out = (lab_file){.has_ends = false};
    const oct_allocator own = oct_allocator_or_default(allocator);
    oct_array bytes = {0};
    oct_result result = oct_file_read(path, FILE_SIZE_MAX, &own, &bytes, error);
    if (result == OCT_OK) {
        result = oct_lab_file_decode(bytes.items, bytes.count, &own, out, error);
    }
    oct_array_free(&bytes, &own, 1);
    return result;
}

void oct_lab_file_free(lab_file *file)
{
    if (file->memory.allocator.alloc) {
        oct_arena_free(&file->memory);
    }
    *file = (lab_file){.has_ends = false};
}

oct_result oct_lab_file_tree(const lab_file_map *map, const oct_tree_def *def, oct_tree **tree,
                             oct_tree_info *info, oct_error *error)
{
    char head[64];
    const size_t head_size = (size_t)snprintf(
        head, sizeof head, "type octile\nheight %u\nwidth %u\nmap\n", map->height, map->width);
    const oct_allocator own = oct_allocator_or_default(def->allocator);
    const size_t line = (size_t)map->width + 1u;
    const size_t size = head_size + line * map->height;
    *tree = NULL;
    char *const lines = oct_alloc(&own, size, 1);
    if (!lines) {
        return oct_io_out_of_memory(error);
    }
    memcpy(lines, head, head_size);
    for (size_t y = 0; y < map->height; y++) {
        memcpy(lines + head_size + y * line, map->rows + y * map->width, map->width);
        lines[head_size + y * line + map->width] = '\n';
    }
    const oct_result result = oct_tree_read(OCT_FORMAT_MAP, lines, size, def, tree, info, error);
    oct_free(&own, lines, size);
    return result;
}

// ---- out ----

static void write_map(sink *out, const lab_file_map *map)
{
    const lab_generate *const generate = &map->generate;
    switch (map->kind) {
    case LAB_MAP_FILE:
        oct_sink_text(out, "{\"file\": ");
        oct_words_json(out, map->file);
        break;
    case LAB_MAP_ROWS:
        oct_sink_text(out, "{\"rows\": [");
        for (size_t y = 0; y < map->height; y++) {
            oct_sink_text(out, y > 0 ? ",\n    \"" : "\n    \"");
            for (size_t x = 0; x < map->width; x++) {
                sink_byte(out, (uint8_t)map->rows[y * map->width + x]);
            }
            sink_byte(out, '"');
        }
        oct_sink_text(out, "\n  ]");
        break;
    case LAB_MAP_GENERATE:
        oct_sink_text(out, "{\"generate\": {\"size\": ");
        oct_sink_number(out, generate->size);
        oct_sink_text(out, ", \"coverage\": ");
        oct_sink_decimal(out, generate->coverage);
        oct_sink_text(out, ", \"clustering\": ");
        oct_sink_number(out, generate->clustering);
        oct_sink_text(out, ", \"seed\": ");
        oct_sink_number(out, generate->seed);
        sink_byte(out, '}');
        break;
    }
    sink_byte(out, '}');
}

static void write_path(sink *out, const lab_file_path *path)
{
    oct_sink_text(out, "{\"algorithm\": ");
    oct_words_json(out, path->algorithm);
    oct_sink_text(out, ", \"graph\": ");
    oct_words_json(out, path->graph);
    if (path->variant[0]) {
        oct_sink_text(out, ", \"variant\": ");
        oct_words_json(out, path->variant);
    }
    oct_sink_text(out, ", \"status\": ");
    oct_words_json(out, oct_path_status_name(path->status));
    for (int i = 0; i < LAB_STATISTIC_COUNT; i++) {
        if (path->statistics[i] >= 0.0) {
            oct_sink_text(out, ", ");
            oct_words_json(out, statistic_names[i]);
            oct_sink_text(out, ": ");
            oct_sink_decimal(out, path->statistics[i] + 0.0); // never -0
        }
    }
    oct_sink_text(out, ", \"points\": [");
    for (uint32_t i = 0; i < path->point_count; i++) {
        oct_sink_text(out, i > 0 ? ", " : "");
        oct_sink_decimals(out, path->points[i], 2);
    }
    oct_sink_text(out, "]}");
}

// One path a line, so that differences between two files can be read.
oct_result oct_lab_file_encode(const lab_file *file, oct_write_fn *write, void *ctx)
{
    sink out = {.write = write, .ctx = ctx};
    oct_sink_text(&out, "{\n  \"format\": \"" FORMAT_NAME "\",\n  \"version\": ");
    oct_sink_number(&out, FORMAT_VERSION);
    oct_sink_text(&out, ",\n  \"map\": ");
    write_map(&out, &file->map);
    if (file->has_ends) {
        oct_sink_text(&out, ",\n  \"start\": ");
        oct_sink_decimals(&out, file->start, 2);
        oct_sink_text(&out, ",\n  \"goal\": ");
        oct_sink_decimals(&out, file->goal, 2);
    }
    oct_sink_text(&out, file->squeeze ? ",\n  \"squeeze\": true" : ",\n  \"squeeze\": false");
    for (uint32_t i = 0; i < file->path_count && !out.failed; i++) {
        oct_sink_text(&out, i > 0 ? ",\n    " : ",\n  \"paths\": [\n    ");
        write_path(&out, &file->paths[i]);
    }
    oct_sink_text(&out, file->path_count > 0 ? "\n  ]\n}\n" : "\n}\n");
    oct_sink_flush(&out);
    return out.failed ? OCT_ERROR_FILE : OCT_OK;
}

static oct_result fill(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    (void)error; // only the file can fail, and it says why
    const lab_file *const *const lab = ctx;
    return oct_lab_file_encode(*lab, write, file);
}

oct_result oct_lab_file_save(const char *path, const lab_file *file, uint64_t *size,
                             oct_error *error)
{
    return oct_file_replace(path, fill, &file, size, error);
}
