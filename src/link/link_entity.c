// SPDX-License-Identifier: MIT
#include "link/link_entity.h"
#include "link/link_shape.h"

#include <math.h>

// ---- labels ----

// A door without a gap leaves its box at 1.
static bool has_left(oct_entity_kind kind, bool has_gap, double opening)
{
    return kind == OCT_ENTITY_DOOR && !has_gap && opening >= 1.0;
}

static uint8_t label_of(bool solid, oct_entity_kind kind, bool has_gap, double opening)
{
    return solid && !has_left(kind, has_gap, opening) ? OCT_BLOCKED : OCT_OPEN;
}

bool oct_link_is_opaque(const link_entity *entity)
{
    const oct_entity *const e = &entity->e;
    return entity->opaque && !has_left(e->kind, e->has_gap, e->opening);
}

uint8_t oct_link_label(const link_entity *entity)
{
    const oct_entity *const e = &entity->e;
    return entity->label >= 0 ? (uint8_t)entity->label
                              : label_of(entity->solid, e->kind, e->has_gap, e->opening);
}

void oct_link_solid(const oct_entity *e, bool *solid, int8_t *label)
{
    *solid = label_of(true, e->kind, e->has_gap, e->opening) == e->thing.label ||
             e->thing.label != OCT_OPEN;
    *label = label_of(*solid, e->kind, e->has_gap, e->opening) == e->thing.label
                 ? -1
                 : (int8_t)e->thing.label;
}

oct_entity oct_link_entity_default(const oct_game_info *info)
{
    const oct_point up = {info->up == OCT_UP_X, info->up == OCT_UP_Y, info->up == OCT_UP_Z};
    return (oct_entity){.thing = {.label = OCT_BLOCKED, .opaque = true},
                        .name = "",
                        .type = "",
                        .forward = oct_link_across(up),
                        .up = up,
                        .harm = OCT_NOT_TOLD};
}

// ---- comparing ----

static bool same_bits(double a, double b)
{
    return oct_link_same_numbers(&a, &b, 1);
}

static bool same_point(const oct_point *a, const oct_point *b)
{
    return oct_link_same_points(a, b, 1);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_uses(const oct_entity *a, const oct_entity *b)
{
    bool same = a->use_count == b->use_count;
    for (uint32_t i = 0; same && i < a->use_count; i++) {
        same = same_text(a->uses[i], b->uses[i]);
    }
    return same;
}

static bool same_props(const oct_entity *a, const oct_entity *b)
{
    bool same = a->prop_count == b->prop_count;
    for (size_t i = 0; same && i < a->prop_count; i++) {
        const oct_property *const p = &a->props[i], *const q = &b->props[i];
        same = p->kind == q->kind && same_text(p->name, q->name) &&
               (p->kind == OCT_VALUE_TEXT ? same_text(p->text, q->text)
                                          : same_bits(p->number, q->number));
    }
    return same;
}

static bool same_stops(const oct_entity *a, const oct_entity *b)
{
    return a->stop_count == b->stop_count &&
           (a->stop_count == 0 ||
            memcmp(a->stops, b->stops, a->stop_count * sizeof *a->stops) == 0);
}

static bool same_solid(const oct_entity *a, const oct_entity *b)
{
    bool solid, other_solid;
    int8_t label, other_label;
    oct_link_solid(a, &solid, &label);
    oct_link_solid(b, &other_solid, &other_label);
    return solid == other_solid && label == other_label;
}

static bool same_shape(const oct_entity *a, const oct_entity *b)
{
    return oct_link_same_box(&a->thing.box, &b->thing.box) &&
           oct_link_same_shape(&a->shape, &b->shape);
}

static bool same_gap(const oct_entity *a, const oct_entity *b)
{
    return a->has_gap == b->has_gap && (!a->has_gap || oct_link_same_box(&a->gap, &b->gap));
}

uint32_t oct_link_entity_differs(const oct_entity *a, const oct_entity *b)
{
    const bool same[LINK_FIELDS] = {[LINK_NAME] = same_text(a->name, b->name),
                                    [LINK_TYPE] = same_text(a->type, b->type),
                                    [LINK_KIND] = a->kind == b->kind,
                                    [LINK_SHAPE] = same_shape(a, b),
                                    [LINK_SOLID] = same_solid(a, b),
                                    [LINK_OPAQUE] = !a->thing.opaque == !b->thing.opaque,
                                    [LINK_OPENING] = same_bits(a->opening, b->opening),
                                    [LINK_GAP] = same_gap(a, b),
                                    [LINK_MEETS] = a->meets == b->meets,
                                    [LINK_USES] = same_uses(a, b),
                                    [LINK_HARM] = same_bits(a->harm, b->harm),
                                    [LINK_FORWARD] = same_point(&a->forward, &b->forward),
                                    [LINK_UP] = same_point(&a->up, &b->up),
                                    [LINK_VELOCITY] = same_point(&a->velocity, &b->velocity),
                                    [LINK_STOPS] = same_stops(a, b),
                                    [LINK_PROPS] = same_props(a, b),
                                    [LINK_WHOLE] = a->whole == b->whole,
                                    [LINK_TAG] = a->thing.tag == b->thing.tag,
                                    [LINK_SCENERY] = a->is_scenery == b->is_scenery};
    uint32_t fields = 0;
    for (uint32_t i = 0; i < LINK_FIELDS; i++) {
        fields |= same[i] ? 0 : UINT32_C(1) << i;
    }
    return fields;
}

// ---- owning ----

// A block of memory in which things are laid down one after the other. The first round only counts.
typedef struct layout {
    char *memory; // NULL in the first round
    size_t used;
} layout;

static void *lay(layout *to, const void *from, size_t count, size_t size)
{
    // Sizes come from what is in memory already: no sum of them overflows.
    to->used = (to->used + 15u) & ~(size_t)15;
    void *const at = to->memory ? to->memory + to->used : NULL;
    if (at && count > 0 && from) {
        memcpy(at, from, count * size);
    }
    to->used += count * size;
    return at;
}

static const char *lay_text(layout *to, const char *text)
{
    return text ? lay(to, text, strlen(text) + 1, 1) : NULL;
}

static void lay_uses(layout *to, oct_entity *e, const oct_entity *from)
{
    const char **const uses = lay(to, from->uses, from->use_count, sizeof *uses);
    for (uint32_t i = 0; i < from->use_count; i++) {
        const char *const text = lay_text(to, from->uses[i]);
        if (uses) {
            uses[i] = text;
        }
    }
    e->uses = from->use_count > 0 ? uses : NULL;
    e->use_count = from->use_count;
}

static void lay_props(layout *to, oct_entity *e, const oct_entity *from)
{
    oct_property *const props = lay(to, from->props, from->prop_count, sizeof *props);
    for (size_t i = 0; i < from->prop_count; i++) {
        const char *const name = lay_text(to, from->props[i].name);
        const char *const text = lay_text(to, from->props[i].text);
        if (props) {
            props[i].name = name;
            props[i].text = text;
        }
    }
    e->props = from->prop_count > 0 ? props : NULL;
    e->prop_count = from->prop_count;
}

static void lay_shape(layout *to, oct_entity *e, const oct_entity *from)
{
    oct_piece *const pieces = lay(to, from->shape.pieces, from->shape.count, sizeof *pieces);
    for (size_t i = 0; i < from->shape.count; i++) {
        const oct_piece *const piece = &from->shape.pieces[i];
        const oct_point *const points =
            lay(to, piece->points, piece->point_count, sizeof *piece->points);
        const uint32_t *const triangles =
            lay(to, piece->triangles, 3 * piece->triangle_count, sizeof *piece->triangles);
        if (pieces) {
            pieces[i].points = points;
            pieces[i].triangles = triangles;
        }
    }
    e->shape = (oct_shape){from->shape.count > 0 ? pieces : NULL, from->shape.count};
}

// The fields that point to something.
static void lay_field(layout *to, link_field field, oct_entity *e, const oct_entity *from)
{
    switch (field) {
    case LINK_NAME:
        e->name = lay_text(to, from->name ? from->name : "");
        break;
    case LINK_TYPE:
        e->type = lay_text(to, from->type ? from->type : "");
        break;
    case LINK_SHAPE:
        lay_shape(to, e, from);
        break;
    case LINK_USES:
        lay_uses(to, e, from);
        break;
    case LINK_STOPS:
        e->stops = lay(to, from->stops, from->stop_count, sizeof *from->stops);
        e->stop_count = from->stop_count;
        break;
    default:
        lay_props(to, e, from);
    }
}

static oct_result take_owned(link_entity *entity, const oct_allocator *allocator, link_field field,
                             const oct_entity *from)
{
    layout count = {NULL, 0};
    oct_entity ignored = *from;
    lay_field(&count, field, &ignored, from);
    link_owned *const own = &entity->owned[field];
    void *const memory = count.used > 0 ? oct_alloc(allocator, count.used, 16) : NULL;
    if (count.used > 0 && !memory) {
        return OCT_ERROR_MEMORY;
    }
    oct_free(allocator, own->memory, own->size);
    *own = (link_owned){memory, count.used};
    layout real = {memory, 0};
    lay_field(&real, field, &entity->e, from);
    return OCT_OK;
}

#define OWNED_FIELDS                                                                               \
    (1u << LINK_NAME | 1u << LINK_TYPE | 1u << LINK_SHAPE | 1u << LINK_USES | 1u << LINK_STOPS |   \
     1u << LINK_PROPS)

static void take_plain(oct_entity *e, link_field field, const oct_entity *from)
{
    switch (field) {
    case LINK_KIND:
        e->kind = from->kind;
        break;
    case LINK_SOLID:
        e->thing.label = from->thing.label;
        break;
    case LINK_OPAQUE:
        e->thing.opaque = from->thing.opaque;
        break;
    case LINK_OPENING:
        e->opening = from->opening;
        break;
    case LINK_GAP:
        e->has_gap = from->has_gap;
        e->gap = from->gap;
        break;
    case LINK_MEETS:
        e->meets = from->meets;
        break;
    case LINK_HARM:
        e->harm = from->harm;
        break;
    case LINK_FORWARD:
        e->forward = from->forward;
        break;
    case LINK_UP:
        e->up = from->up;
        break;
    case LINK_VELOCITY:
        e->velocity = from->velocity;
        break;
    case LINK_WHOLE:
        e->whole = from->whole;
        break;
    case LINK_TAG:
        e->thing.tag = from->thing.tag;
        break;
    default:
        e->is_scenery = from->is_scenery;
    }
}

oct_result oct_link_entity_take(link_entity *entity, const oct_allocator *allocator,
                                uint32_t fields, const oct_entity *from)
{
    for (uint32_t i = 0; i < LINK_FIELDS; i++) {
        if (!(fields >> i & 1u)) {
            continue;
        }
        if (!(OWNED_FIELDS >> i & 1u)) {
            take_plain(&entity->e, (link_field)i, from);
            continue;
        }
        OCT_TRY(take_owned(entity, allocator, (link_field)i, from));
        if (i == LINK_SHAPE) {
            entity->e.thing.box = from->thing.box;
        }
    }
    return OCT_OK;
}

void oct_link_entity_free(link_entity *entity, const oct_allocator *allocator)
{
    for (uint32_t i = 0; i < LINK_FIELDS; i++) {
        oct_free(allocator, entity->owned[i].memory, entity->owned[i].size);
    }
    *entity = (link_entity){.label = -1};
}
