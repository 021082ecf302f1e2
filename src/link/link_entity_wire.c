// SPDX-License-Identifier: MIT
// Entities as fields of JSON.
#include "link/link_entity.h"

static const char *const field_names[LINK_FIELDS] = {
    [LINK_NAME] = "name",       [LINK_TYPE] = "type",         [LINK_KIND] = "kind",
    [LINK_SHAPE] = "box",       [LINK_SOLID] = "solid",       [LINK_OPAQUE] = "opaque",
    [LINK_OPENING] = "opening", [LINK_GAP] = "gap",           [LINK_MEETS] = "meets",
    [LINK_USES] = "uses",       [LINK_HARM] = "harm",         [LINK_FORWARD] = "forward",
    [LINK_UP] = "up",           [LINK_VELOCITY] = "velocity", [LINK_STOPS] = "stops",
    [LINK_PROPS] = "props",     [LINK_WHOLE] = "whole",       [LINK_TAG] = "tag",
    [LINK_SCENERY] = "scenery"};

static const char *const meets_names[] = {"", "waits", "pushes", "harms"};
static const char *const label_names[] = {
    [OCT_UNKNOWN] = "unknown", [OCT_OPEN] = "open", [OCT_BLOCKED] = "blocked"};

// ---- in ----

// Which fields an object tells; null ones too.
static uint32_t told_fields(const json_t *object)
{
    static const char *const shapes[] = {"obb", "hull", "boxes", "v"};
    uint32_t fields = 0;
    for (uint32_t i = 0; i < LINK_FIELDS; i++) {
        fields |= json_object_get(object, field_names[i]) ? UINT32_C(1) << i : 0;
    }
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        fields |= json_object_get(object, shapes[i]) ? UINT32_C(1) << LINK_SHAPE : 0;
    }
    return fields | (json_object_get(object, "label") ? UINT32_C(1) << LINK_SOLID : 0);
}

static oct_result read_kind(link_reader *in, const json_t *object, oct_entity_kind *out)
{
    const char *names[OCT_ENTITY_COUNT];
    uint32_t kind = OCT_ENTITY_SOLID;
    for (uint32_t i = 0; i < OCT_ENTITY_COUNT; i++) {
        names[i] = oct_entity_kind_name((oct_entity_kind)i);
    }
    OCT_TRY(oct_link_get_word(in, object, "kind", names, OCT_ENTITY_COUNT, &kind));
    *out = (oct_entity_kind)kind;
    return OCT_OK;
}

static oct_result read_stops(link_reader *in, const json_t *object, oct_entity *e)
{
    const json_t *list;
    OCT_TRY(oct_link_get_list(in, object, "stops", &list));
    const size_t count = json_array_size(list);
    if (count == 0) {
        return OCT_OK;
    }
    oct_bounds *const stops = oct_link_items(in, count, sizeof *stops, _Alignof(oct_bounds));
    if (!stops) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        // As a field of an object, so that one function checks every box.
        bool found = false;
        json_t *const holder = json_object();
        if (!holder || json_object_set(holder, "stops", json_array_get(list, i)) != 0) {
            json_decref(holder);
            return OCT_ERROR_MEMORY;
        }
        const oct_result result = oct_link_get_box(in, holder, "stops", &stops[i], &found);
        json_decref(holder);
        OCT_TRY(result);
        if (!found) {
            return oct_link_refuse(in, "'stops' must be a list of boxes");
        }
    }
    e->stops = stops;
    e->stop_count = count;
    return OCT_OK;
}

static oct_result read_solid(link_reader *in, const json_t *object, link_entity *out)
{
    uint32_t label = UINT32_MAX;
    out->solid = out->opaque = true;
    OCT_TRY(oct_link_get_bool(in, object, "solid", &out->solid));
    OCT_TRY(oct_link_get_bool(in, object, "opaque", &out->opaque));
    out->e.thing.opaque = out->opaque;
    OCT_TRY(oct_link_get_word(in, object, "label", label_names,
                              sizeof label_names / sizeof *label_names, &label));
    out->label = label == UINT32_MAX ? -1 : (int8_t)label;
    return OCT_OK;
}

static oct_result read_door(link_reader *in, const json_t *object, oct_entity *e)
{
    uint32_t met = OCT_MEETS_NOT_TOLD;
    double opening = 0.0;
    OCT_TRY(oct_link_get_number(in, object, "opening", -LINK_FAR, LINK_FAR, &opening));
    e->opening = opening < 0.0 ? 0.0 : opening > 1.0 ? 1.0 : opening;
    OCT_TRY(oct_link_read_gap(in, object, &e->gap, &e->has_gap));
    OCT_TRY(oct_link_get_word(in, object, "meets", meets_names, 4, &met));
    e->meets = (oct_meets)met;
    return OCT_OK;
}

// A vector without a direction counts as missing.
static oct_result read_direction(link_reader *in, const json_t *object, const char *name,
                                 oct_point *out)
{
    oct_point told = *out;
    OCT_TRY(oct_link_get_point(in, object, name, &told, NULL));
    if (told.x * told.x + told.y * told.y + told.z * told.z > 1e-12) {
        OCT_TRY(oct_link_make_unit(in, name, &told));
        *out = told;
    }
    return OCT_OK;
}

static oct_result read_motion(link_reader *in, const json_t *object, oct_entity *e)
{
    OCT_TRY(read_direction(in, object, "forward", &e->forward));
    OCT_TRY(read_direction(in, object, "up", &e->up));
    return oct_link_get_point(in, object, "velocity", &e->velocity, NULL);
}

static oct_result read_rest(link_reader *in, link_ids *ids, const oct_allocator *allocator,
                            const json_t *object, oct_entity *e)
{
    const char *const *uses = NULL;
    size_t use_count = 0;
    uint64_t tag = 0;
    OCT_TRY(oct_link_get_number(in, object, "harm", 0.0, LINK_FAR, &e->harm));
    OCT_TRY(oct_link_get_texts(in, object, "uses", &uses, &use_count));
    e->uses = uses;
    e->use_count = (uint32_t)use_count;
    OCT_TRY(oct_link_get_props(in, object, "props", &e->props, &e->prop_count));
    OCT_TRY(read_stops(in, object, e));
    OCT_TRY(oct_link_get_id(ids, allocator, in, object, "whole", false, &e->whole));
    OCT_TRY(oct_link_get_whole(in, object, "tag", UINT16_MAX, &tag));
    e->thing.tag = (uint16_t)tag;
    return oct_link_get_bool(in, object, "scenery", &e->is_scenery);
}

oct_result oct_link_entity_read(link_reader *in, const oct_game_info *info, link_ids *ids,
                                const oct_allocator *allocator, const json_t *object,
                                link_entity *out, uint32_t *fields)
{
    bool has_shape = false;
    oct_entity *const e = &out->e;
    *e = oct_link_entity_default(info);
    *fields = told_fields(object);
    OCT_TRY(oct_link_get_text(in, object, "name", LINK_NAME_MAX, &e->name));
    OCT_TRY(oct_link_get_text(in, object, "type", LINK_NAME_MAX, &e->type));
    OCT_TRY(read_kind(in, object, &e->kind));
    OCT_TRY(read_solid(in, object, out));
    OCT_TRY(oct_link_read_shape(in, object, false, &e->shape, &e->thing.box, &has_shape));
    *fields &= has_shape ? UINT32_MAX : ~(UINT32_C(1) << LINK_SHAPE);
    OCT_TRY(read_door(in, object, e));
    OCT_TRY(read_motion(in, object, e));
    return read_rest(in, ids, allocator, object, e);
}

// ---- out ----

static void write_stops(link_writer *w, const oct_entity *e)
{
    oct_link_open(w, "stops", '[');
    for (size_t i = 0; i < e->stop_count; i++) {
        oct_link_put_box(w, NULL, &e->stops[i]);
    }
    oct_link_close(w, ']');
}

static void write_solid(link_writer *w, const oct_entity *e, bool whole)
{
    bool solid;
    int8_t label;
    oct_link_solid(e, &solid, &label);
    if (!whole || !solid) {
        oct_link_put_bool(w, "solid", solid);
    }
    if (label >= 0) {
        oct_link_put_text(w, "label", label_names[label]);
    } else if (!whole) {
        oct_link_put_null(w, "label");
    }
}

// What may not be told.
static void write_harm(link_writer *w, const char *name, double harm)
{
    if (harm >= 0.0) {
        oct_link_put_number(w, name, harm);
    } else {
        oct_link_put_null(w, name);
    }
}

// What a door and what is used has.
static void write_device(link_writer *w, const oct_entity *e, link_field field)
{
    const char *const name = field_names[field];
    if (field == LINK_OPENING) {
        oct_link_put_number(w, name, e->opening);
    } else if (field == LINK_GAP && e->has_gap) {
        oct_link_put_box(w, name, &e->gap);
    } else if (field == LINK_GAP) {
        oct_link_put_null(w, name);
    } else if (field == LINK_MEETS) {
        oct_link_put_text(w, name, meets_names[e->meets]);
    } else {
        oct_link_put_texts(w, name, e->uses, e->use_count);
    }
}

// Where it faces and how it moves.
static void write_motion(link_writer *w, const oct_entity *e, link_field field)
{
    const oct_point p = field == LINK_FORWARD ? e->forward : field == LINK_UP ? e->up : e->velocity;
    oct_link_put_point(w, field_names[field], p);
}

static oct_result write_field(link_writer *w, link_ids *ids, const oct_allocator *allocator,
                              const oct_entity *e, link_field field, const oct_entity *before)
{
    const char *const name = field_names[field];
    switch (field) {
    case LINK_NAME:
        oct_link_put_text(w, name, e->name);
        break;
    case LINK_TYPE:
        oct_link_put_text(w, name, e->type);
        break;
    case LINK_KIND:
        oct_link_put_text(w, name, oct_entity_kind_name(e->kind));
        break;
    case LINK_SHAPE:
        oct_link_write_shape(w, &e->shape, &e->thing.box, before ? &before->shape : NULL);
        break;
    case LINK_SOLID:
        write_solid(w, e, !before);
        break;
    case LINK_OPAQUE:
        oct_link_put_bool(w, name, e->thing.opaque);
        break;
    case LINK_OPENING:
    case LINK_GAP:
    case LINK_MEETS:
    case LINK_USES:
        write_device(w, e, field);
        break;
    case LINK_HARM:
        write_harm(w, name, e->harm);
        break;
    case LINK_FORWARD:
    case LINK_UP:
    case LINK_VELOCITY:
        write_motion(w, e, field);
        break;
    case LINK_STOPS:
        write_stops(w, e);
        break;
    case LINK_PROPS:
        oct_link_put_props(w, name, e->props, e->prop_count);
        break;
    case LINK_WHOLE:
        return oct_link_put_id(ids, allocator, w, name, e->whole);
    case LINK_TAG:
        oct_link_put_whole(w, name, e->thing.tag);
        break;
    default:
        oct_link_put_bool(w, name, e->is_scenery);
    }
    return OCT_OK;
}

oct_result oct_link_entity_write(link_writer *w, const oct_game_info *info, link_ids *ids,
                                 const oct_allocator *allocator, const oct_entity *e,
                                 uint32_t fields, const oct_entity *before)
{
    const oct_entity plain = oct_link_entity_default(info);
    if (!before) {
        fields = oct_link_entity_differs(&plain, e) | UINT32_C(1) << LINK_SHAPE;
    }
    for (uint32_t i = 0; i < LINK_FIELDS; i++) {
        if (fields >> i & 1u) {
            OCT_TRY(write_field(w, ids, allocator, e, (link_field)i, before));
        }
    }
    return OCT_OK;
}
