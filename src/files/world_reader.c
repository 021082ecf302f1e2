// SPDX-License-Identifier: MIT
// Worlds in JSON: the frame, its members, and values with refusals that say where.
#include "files/world_reader.h"
#include "base/print.h"
#include "files/engineers.h"
#include "files/json_place.h"
#include "world/world_internal.h"

#include "files/world_sbs.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

// The largest value or item, bytes: some 20 MB as jansson's tree in the worst case.
#define VALUE_SIZE_MAX ((size_t)1 << 20)

#define PARSE_FLAGS (JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES)

// ---- refusals ----

oct_result oct_world_refuse(const world_reader *in, const char *format, ...)
{
    char message[sizeof in->error->message];
    const int length =
        snprintf(message, sizeof message, "%s%s", in->subject, in->subject[0] ? ": " : "");
    va_list values;
    va_start(values, format);
    oct_vsnprintf(message + length, sizeof message - (size_t)length, format, values);
    va_end(values);
    if (in->findings) {
        uint32_t column;
        const uint32_t line = oct_findings_line(in->findings, in->data, in->item, &column);
        oct_error_set(in->error, in->item, line, column, "%s", message);
    } else {
        oct_error_set_at(in->error, in->data, in->size, in->item, message);
    }
    return OCT_ERROR_FORMAT;
}

static oct_result forgive(const world_reader *in, uint32_t lacks, oct_result result)
{
    const bool may = result == OCT_ERROR_FORMAT && in->findings && in->findings->forgives;
    return may && oct_findings_refuse(in->findings, lacks, in->error) ? OCT_OK : result;
}

oct_result oct_world_forgive(world_reader *in, oct_result result)
{
    return forgive(in, LACKS_HEAD, result);
}

// Which part of a world lacks an item of a list.
static uint32_t lacks_item(const char *word)
{
    static const struct {
        const char *word;
        uint32_t lacks;
    } parts[] = {{"type", LACKS_TYPES},  {"grid", LACKS_GRIDS}, {"block", LACKS_BLOCKS},
                 {"fill", LACKS_BLOCKS}, {"wire", LACKS_WIRES}, {"group", LACKS_GROUPS}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(word, parts[i].word) == 0) {
            return parts[i].lacks;
        }
    }
    return 0;
}

// Grids are told by their place in the list: one that was refused keeps its place.
static oct_result keep_place(const world_reader *in)
{
    const oct_world_grid grid = {.id = UINT64_MAX - oct_world_grids(in->world),
                                 .pose = {{0, 0, 0}, {0, 0, -1}, {0, 1, 0}},
                                 .cell = 1.0};
    const oct_result result = oct_world_add_grid(in->world, &grid, NULL);
    return result == OCT_ERROR_MEMORY ? oct_io_out_of_memory(in->error) : OCT_OK;
}

static oct_result keep_key(const world_reader *in, oct_array *keys, uint64_t key)
{
    return keys->count == WORLD_REFUSED_MAX ||
                   oct_array_push(keys, &in->findings->allocator, sizeof key, &key) == OCT_OK
               ? OCT_OK
               : oct_io_out_of_memory(in->error);
}

// Remembers what was left out, so that what needs it is not taken for a mistake.
static oct_result keep_refused(const world_reader *in, uint32_t lacks, const json_t *item)
{
    world_findings *const f = in->findings;
    const char *const name = json_string_value(json_object_get(item, "name"));
    const json_t *id = json_object_get(item, "id");
    id = id ? id : json_object_get(item, "entityId");
    uint64_t number = (uint64_t)json_integer_value(id);
    switch (lacks) {
    case LACKS_TYPES:
        return name ? keep_key(in, &f->refused_types, oct_hash_bytes(name, strlen(name))) : OCT_OK;
    case LACKS_GRIDS:
        return keep_place(in);
    case LACKS_BLOCKS:
        return json_is_integer(id) ||
                       (json_is_string(id) && oct_engineers_id(json_string_value(id), &number))
                   ? keep_key(in, &f->refused, number)
                   : OCT_OK;
    default:
        return OCT_OK;
    }
}

// Whether an item is of a type that was refused, and was refused for that.
static bool lacks_its_type(const world_reader *in, const json_t *item)
{
    const char *const type = json_string_value(json_object_get(item, "type"));
    uint32_t index;
    return type &&
           oct_findings_holds(&in->findings->refused_types, oct_hash_bytes(type, strlen(type))) &&
           !oct_world_find_type(in->world, type, &index);
}

// Goes on without an item that was refused, if that is wanted.
static oct_result forgive_item(const world_reader *in, const char *word, const json_t *item)
{
    const uint32_t lacks = lacks_item(word);
    if (!in->findings || !in->findings->forgives) {
        return OCT_ERROR_FORMAT;
    }
    if (lacks_its_type(in, item)) {
        in->findings->lacks |= lacks;
    } else {
        OCT_TRY(forgive(in, lacks, OCT_ERROR_FORMAT));
    }
    return keep_refused(in, lacks, item);
}

// Refuses what stands at the next byte.
static oct_result refuse_here(world_reader *in, const char *message)
{
    in->item = in->at;
    in->subject[0] = '\0';
    return oct_world_refuse(in, "%s", message);
}

// ---- the frame ----

static void skip_space(world_reader *in)
{
    in->at = json_skip_space(in->data, in->size, in->at);
}

// Passes over a character and the space before it; false where another stands there.
static bool take(world_reader *in, char c)
{
    skip_space(in);
    if (in->at == in->size || in->data[in->at] != c) {
        return false;
    }
    in->at++;
    return true;
}

// Reads one value that ends before `end`; where it is not JSON jansson knows why.
static oct_result load_value(world_reader *in, size_t end, json_t **out)
{
    OCT_ASSERT(in->at <= end);
    const size_t left = end - in->at;
    const size_t size = left < VALUE_SIZE_MAX ? left : VALUE_SIZE_MAX;
    json_error_t why;
    *out = json_loadb(in->data + in->at, size, PARSE_FLAGS, &why);
    if (*out) {
        in->at += (size_t)why.position;
        return OCT_OK;
    }
    // Where memory is short it mostly says nothing.
    if (json_error_code(&why) == json_error_out_of_memory || !why.text[0]) {
        return oct_io_out_of_memory(in->error);
    }
    if (size < left && (size_t)why.position >= size) {
        return oct_world_refuse(in, "longer than %zu bytes", VALUE_SIZE_MAX);
    }
    // jansson has read the word that it does not like.
    in->at += why.position > 0 ? (size_t)why.position - 1 : 0;
    return refuse_here(in, why.text);
}

// Passes over a list without looking at more than strings and brackets; false where the data end
// before it does.
static bool skip_list(world_reader *in)
{
    size_t depth = 0;
    bool in_string = false;
    for (; in->at < in->size; in->at++) {
        const char c = in->data[in->at];
        if (in_string) {
            in->at += c == '\\';
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            depth++;
        } else if ((c == ']' || c == '}') && --depth == 0) {
            in->at++;
            return true;
        }
    }
    in->at = in->size;
    return false;
}

static world_member *find_member(world_reader *in, const char *key)
{
    for (size_t i = 0; i < in->member_count; i++) {
        if (strcmp(json_string_value(in->members[i].key), key) == 0) {
            return &in->members[i];
        }
    }
    return NULL;
}

static oct_result scan_key(world_reader *in, world_member *member)
{
    skip_space(in);
    if (in->at == in->size || in->data[in->at] != '"') {
        return refuse_here(in, "expected a key");
    }
    member->key_start = in->at;
    in->item = in->at;
    OCT_TRY(load_value(in, in->size, &member->key));
    if (find_member(in, json_string_value(member->key))) {
        json_decref(member->key);
        in->at = member->key_start;
        return refuse_here(in, "the key was there before");
    }
    return OCT_OK;
}

static oct_result scan_member(world_reader *in)
{
    if (in->member_count == WORLD_MEMBERS_MAX) {
        return refuse_here(in, "too many keys");
    }
    world_member *const member = &in->members[in->member_count];
    *member = (world_member){.key = NULL};
    OCT_TRY(scan_key(in, member));
    in->member_count++; // from here on it is freed with the others
    if (!take(in, ':')) {
        return refuse_here(in, "expected ':'");
    }
    skip_space(in);
    member->start = in->at;
    member->end = in->size;
    in->item = in->at;
    if (in->at < in->size && in->data[in->at] == '[') {
        const bool whole = skip_list(in);
        member->end = in->at;
        return whole ? OCT_OK : refuse_here(in, "the file ends inside a list");
    }
    OCT_TRY(load_value(in, in->size, &member->value));
    member->end = in->at;
    return OCT_OK;
}

static oct_result scan(world_reader *in)
{
    if (!take(in, '{')) {
        return refuse_here(in, "not a world: expected '{'");
    }
    if (!take(in, '}')) {
        do {
            OCT_TRY(scan_member(in));
        } while (take(in, ','));
        if (!take(in, '}')) {
            return refuse_here(in, "expected ',' or '}'");
        }
    }
    skip_space(in);
    return in->at == in->size ? OCT_OK : refuse_here(in, "something follows the world");
}

// ---- members ----

// Lets refusals point to a member, or where there is none to the world.
static void point_to(world_reader *in, const world_member *may_be_null)
{
    in->at = may_be_null ? may_be_null->start : 0;
    in->item = in->at;
    in->subject[0] = '\0';
}

static bool is_list(const world_reader *in, const world_member *member)
{
    return member->end > member->start && in->data[member->start] == '[';
}

oct_result oct_world_value(world_reader *in, const char *key, json_t **out)
{
    world_member *const member = find_member(in, key);
    point_to(in, member);
    if (member && !member->value) {
        OCT_TRY(load_value(in, member->end, &member->value));
    }
    *out = member ? member->value : NULL;
    return OCT_OK;
}

// Without a function the items are only checked to be JSON.
static oct_result each_item(world_reader *in, const world_member *list, const char *word,
                            world_item_fn *read)
{
    point_to(in, list);
    in->at++;
    if (take(in, ']')) {
        return OCT_OK;
    }
    size_t index = 0;
    do {
        skip_space(in);
        in->item = in->at;
        snprintf(in->subject, sizeof in->subject, "%s %zu", word, index);
        json_t *item;
        OCT_TRY(load_value(in, list->end, &item));
        oct_result result = read ? read(in, index, item) : OCT_OK;
        result = result == OCT_ERROR_FORMAT ? forgive_item(in, word, item) : result;
        json_decref(item);
        OCT_TRY(result);
        index++;
    } while (take(in, ','));
    return take(in, ']') ? OCT_OK : refuse_here(in, "expected ',' or ']'");
}

oct_result oct_world_each(world_reader *in, const char *key, const char *word, world_item_fn *read)
{
    const world_member *const list = find_member(in, key);
    point_to(in, list);
    if (!list) {
        return oct_world_refuse(in, "%s is missing", key);
    }
    return is_list(in, list) ? each_item(in, list, word, read)
                             : oct_world_refuse(in, "%s must be a list", key);
}

oct_result oct_world_items(world_reader *in, const char *word, world_item_fn *read)
{
    skip_space(in);
    if (in->at == in->size || in->data[in->at] != '[') {
        return refuse_here(in, "expected a list");
    }
    const world_member list = {.start = in->at, .end = in->size};
    OCT_TRY(each_item(in, &list, word, read));
    skip_space(in);
    return in->at == in->size ? OCT_OK : refuse_here(in, "something follows the list");
}

oct_result oct_world_each_of(world_reader *in, const char *key, const char *word,
                             world_item_fn *read)
{
    return find_member(in, key) ? oct_world_each(in, key, word, read) : OCT_OK;
}

// ---- values ----

// Refuses a value of a wrong type, or none.
static oct_result refuse_value(const world_reader *in, const json_t *value, const char *name,
                               const char *wanted)
{
    return value ? oct_world_refuse(in, "%s must be %s", name, wanted)
                 : oct_world_refuse(in, "%s is missing", name);
}

oct_result oct_world_object(const world_reader *in, const json_t *value, const char *name)
{
    return json_is_object(value) ? OCT_OK : refuse_value(in, value, name, "an object");
}

oct_result oct_world_text(const world_reader *in, const json_t *value, const char *name,
                          const char **out)
{
    *out = json_string_value(value);
    return *out ? OCT_OK : refuse_value(in, value, name, "a string");
}

oct_result oct_world_short_text(const world_reader *in, const json_t *value, const char *name,
                                const char **out)
{
    OCT_TRY(oct_world_text(in, value, name, out));
    return json_string_length(value) <= OCT_WORLD_NAME_MAX
               ? OCT_OK
               : oct_world_refuse(in, "%s is longer than %d bytes", name, OCT_WORLD_NAME_MAX);
}

oct_result oct_world_bool(const world_reader *in, const json_t *value, const char *name, bool *out)
{
    *out = json_is_true(value);
    return json_is_boolean(value) ? OCT_OK : refuse_value(in, value, name, "true or false");
}

oct_result oct_world_numbers(const world_reader *in, const json_t *value, const char *name,
                             size_t count, double *out)
{
    bool good = json_is_array(value) && json_array_size(value) == count;
    for (size_t i = 0; good && i < count; i++) {
        const json_t *const number = json_array_get(value, i);
        good = json_is_number(number);
        out[i] = json_number_value(number);
    }
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%zu numbers", count);
    return good ? OCT_OK : refuse_value(in, value, name, wanted);
}

oct_result oct_world_real(const world_reader *in, const json_t *value, const char *name,
                          double *out)
{
    *out = json_number_value(value);
    return json_is_number(value) ? OCT_OK : refuse_value(in, value, name, "a number");
}

oct_result oct_world_whole(const world_reader *in, const json_t *value, const char *name,
                           uint64_t below, uint32_t *out)
{
    OCT_ASSERT(below <= OCT_WORLD_WHOLE_BELOW);
    const json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0 || (uint64_t)number >= below) {
        char wanted[48];
        snprintf(wanted, sizeof wanted, "a whole number below %lu", (unsigned long)below);
        return refuse_value(in, value, name,
                            below < OCT_WORLD_WHOLE_BELOW ? wanted : "a whole number below 2^32");
    }
    *out = (uint32_t)number;
    return OCT_OK;
}

oct_result oct_world_cells(const world_reader *in, const json_t *value, const char *name,
                           int32_t least, int32_t most, oct_vec *out)
{
    bool good = json_is_array(value) && json_array_size(value) == 3;
    int32_t v[3] = {0};
    for (size_t i = 0; good && i < 3; i++) {
        const json_t *const item = json_array_get(value, i);
        const json_int_t number = json_integer_value(item);
        good = json_is_integer(item) && number >= least && number <= most;
        v[i] = good ? (int32_t)number : 0;
    }
    *out = (oct_vec){v[0], v[1], v[2]};
    char wanted[64];
    snprintf(wanted, sizeof wanted, "3 whole numbers from %ld to %ld", (long)least, (long)most);
    return good ? OCT_OK : refuse_value(in, value, name, wanted);
}

oct_result oct_world_word(const world_reader *in, const json_t *value, const char *name,
                          const char *const *words, size_t count, size_t *out)
{
    const char *word;
    OCT_TRY(oct_world_text(in, value, name, &word));
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, words[i]) == 0) {
            *out = i;
            return OCT_OK;
        }
    }
    char known[80] = ""; // all of them, or none
    for (size_t i = 0, used = 0; i < count && used < sizeof known; i++) {
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                 i > 0 ? ", " : ", only ", words[i]);
        known[0] = used < sizeof known ? known[0] : '\0';
    }
    return oct_world_refuse(in, "%s cannot be '%.40s'%s", name, word, known);
}

static oct_result read_point(const world_reader *in, const json_t *value, const char *name,
                             oct_point *out)
{
    double v[3];
    OCT_TRY(oct_world_numbers(in, value, name, 3, v));
    *out = (oct_point){v[0], v[1], v[2]};
    return OCT_OK;
}

oct_result oct_world_pose(const world_reader *in, const json_t *value, bool may_lack,
                          oct_pose *pose)
{
    const json_t *const forward = json_object_get(value, "forward");
    const json_t *const up = json_object_get(value, "up");
    OCT_TRY(read_point(in, json_object_get(value, "position"), "position", &pose->position));
    OCT_TRY(forward || !may_lack ? read_point(in, forward, "forward", &pose->forward) : OCT_OK);
    OCT_TRY(up || !may_lack ? read_point(in, up, "up", &pose->up) : OCT_OK);
    return oct_world_is_pose(pose)
               ? OCT_OK
               : oct_world_refuse(in, "forward and up must be unit vectors at a right angle");
}

bool oct_world_parse_id(const char *digits, uint64_t *id)
{
    uint64_t value = 0;
    const char *at = digits;
    for (; (uint32_t)*at - '0' < 10u; at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (value > (UINT64_MAX - digit) / 10) {
            return false;
        }
        value = 10 * value + digit;
    }
    *id = value;
    return at != digits && *at == '\0' && (digits[0] != '0' || at == digits + 1);
}

// ---- which format ----

// NULL, and an error, where it is none.
static const world_format *choose_format(world_reader *in)
{
    if (find_member(in, "format")) {
        return &oct_world_octant;
    }
    if (find_member(in, "grids")) {
        return &oct_world_engineers;
    }
    point_to(in, NULL);
    oct_world_refuse(in, "not a world: neither 'format' nor 'grids' is among its keys");
    return NULL;
}

// Whether lists are JSON all through. One key may be left out, or NULL.
static oct_result check_lists(world_reader *in, const char *but)
{
    for (size_t i = 0; i < in->member_count; i++) {
        const world_member *const member = &in->members[i];
        if (is_list(in, member) && !(but && strcmp(json_string_value(member->key), but) == 0)) {
            OCT_TRY(each_item(in, member, "item", NULL));
        }
    }
    return OCT_OK;
}

// Where the frame is broken the mistake may lie in a list that was passed over: a lost quotation
// mark turns everything behind it around. Otherwise blocks, the long list, are read only once.
static oct_result decode(world_reader *in, const char **kind)
{
    const oct_result scanned = scan(in);
    if (scanned == OCT_OK || scanned == OCT_ERROR_FORMAT) {
        OCT_TRY(check_lists(in, scanned == OCT_OK ? "blocks" : NULL));
    }
    OCT_TRY(scanned);
    const world_format *const format = choose_format(in);
    if (!format) {
        return OCT_ERROR_FORMAT;
    }
    if (kind) {
        *kind = format->name;
    }
    return format->read(in);
}

static oct_result decode_save(const void *data, size_t size, const oct_allocator *allocator,
                              world_findings *findings, oct_world **world, const char **kind,
                              oct_error *error)
{
    save_reader *const save = oct_save_create(NULL, allocator, NULL);
    if (!save) {
        return oct_io_out_of_memory(error);
    }
    oct_save_find(save, findings);
    if (kind) {
        *kind = OCT_SAVE_KIND;
    }
    const oct_result result = oct_save_feed(save, data, size, true, world, error);
    oct_save_destroy(save);
    return result;
}

oct_result oct_world_decode(const void *data, size_t size, const oct_allocator *allocator,
                            oct_world **world, const char **kind, oct_error *error)
{
    return oct_world_decode_found(data, size, allocator, NULL, world, kind, error);
}

oct_result oct_world_decode_found(const void *data, size_t size, const oct_allocator *allocator,
                                  world_findings *findings, oct_world **world, const char **kind,
                                  oct_error *error)
{
    *world = NULL;
    if (size == 0) {
        return OCT_REFUSE(error, 0, "the file is empty");
    }
    if (oct_save_is_meant(data, size)) {
        return decode_save(data, size, allocator, findings, world, kind, error);
    }
    world_reader in = {.data = data,
                       .size = size,
                       .allocator = oct_allocator_or_default(allocator),
                       .error = error,
                       .findings = findings};
    if (oct_world_create(&(oct_world_def){&in.allocator}, &in.world) != OCT_OK) {
        return oct_io_out_of_memory(error);
    }
    const oct_result result = decode(&in, kind);
    for (size_t i = 0; i < in.member_count; i++) {
        json_decref(in.members[i].key);
        json_decref(in.members[i].value);
    }
    oct_array_free(&in.grids, &in.allocator, sizeof(uint64_t));
    if (result != OCT_OK) {
        oct_world_destroy(in.world);
        return result;
    }
    *world = in.world;
    return OCT_OK;
}
