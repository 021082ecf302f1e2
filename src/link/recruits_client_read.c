// SPDX-License-Identifier: MIT
// Reading the answers of Lab Recruits: the mesh of a level, and what an agent sees. Nothing of it
// is trusted: numbers are finite and near, indices are of what was told.
#include "link/recruits_client_internal.h"

#include "base/print.h"
#include "game/recruits_internal.h"

#include <math.h>

#define FAR 1e6 // no coordinate is further from 0
#define THINGS_MAX ((size_t)1 << 16)
#define VERTICES_MAX ((size_t)1 << 20)
#define AGENT_PREFIX "Agent "
// How near the middle of a panel is to where it would be if it were open or shut, metres.
#define PANEL_NEAR 0.03
// Numbers of things begin here: the game has 32 bits of its own, with a sign.
#define FIRST_NUMBER ((int64_t)1 << 33)

// ---- parts ----

static oct_result read_point(link_reader *in, const json_t *object, const char *name,
                             oct_point *out)
{
    const json_t *const p = name ? oct_link_field(object, name) : object;
    if (!json_is_object(p)) {
        return oct_link_refuse(in, "'%s' must be an object with x, y and z", name ? name : "point");
    }
    double at[3] = {(double)NAN, (double)NAN, (double)NAN};
    static const char *const axes[] = {"x", "y", "z"};
    for (int i = 0; i < 3; i++) {
        OCT_TRY(oct_link_get_number(in, p, axes[i], -FAR, FAR, &at[i]));
        if (isnan(at[i])) {
            return oct_link_refuse(in, "'%s' has no %s", name ? name : "point", axes[i]);
        }
    }
    *out = (oct_point){at[0], at[1], at[2]};
    return OCT_OK;
}

// A list, which must be there.
static oct_result read_list(link_reader *in, const json_t *object, const char *name, size_t most,
                            const json_t **out)
{
    const json_t *list = NULL;
    OCT_TRY(oct_link_get_list(in, object, name, &list));
    if (!list || json_array_size(list) > most) {
        return oct_link_refuse(in, "'%s' must be a list of at most %zu items", name, most);
    }
    *out = list;
    return OCT_OK;
}

static oct_result read_indices(link_reader *in, const json_t *object, const char *name, size_t most,
                               size_t end, const uint32_t **out, size_t *count)
{
    const json_t *list = NULL;
    OCT_TRY(read_list(in, object, name, most, &list));
    *count = json_array_size(list);
    uint32_t *const items = oct_link_items(in, *count, sizeof *items, _Alignof(uint32_t));
    *out = items;
    if (*count > 0 && !items) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < *count; i++) {
        uint64_t value;
        if (!oct_link_is_whole(json_array_get(list, i), &value) || value >= end) {
            return oct_link_refuse(in, "item %zu of '%s' is no vertex of the mesh", i, name);
        }
        items[i] = (uint32_t)value;
    }
    return OCT_OK;
}

// ---- the mesh ----

oct_result oct_recruits_read_mesh(recruits_client *c, const json_t *answer, recruits_link_mesh *out)
{
    link_reader *const in = &c->in;
    const json_t *list = NULL;
    *out = (recruits_link_mesh){0};
    c->vertices = 0;
    OCT_TRY(read_list(in, answer, "vertices", VERTICES_MAX, &list));
    const size_t count = json_array_size(list);
    oct_point *const points = oct_link_items(in, count, sizeof *points, _Alignof(oct_point));
    if (count > 0 && !points) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        oct_link_subject(in, "vertex %zu", i);
        OCT_TRY(read_point(in, json_array_get(list, i), NULL, &points[i]));
    }
    oct_link_subject(in, "%s", "");
    OCT_TRY(read_indices(in, answer, "indices", 3 * VERTICES_MAX, count, &out->corners,
                         &out->corner_count));
    if (out->corner_count % 3 != 0) {
        return oct_link_refuse(in, "'indices' are not three for each triangle");
    }
    out->points = points;
    out->point_count = c->vertices = count;
    return OCT_OK;
}

// ---- things ----

static bool is_word(const char *name, const char *word)
{
    return strncmp(name, word, strlen(word)) == 0;
}

// Furniture by the beginning of its name; false for what is not known.
static bool find_furniture(const char *name, oct_recruits_kind *out)
{
    static const struct {
        const char *word;
        oct_recruits_kind kind;
    } all[] = {{"Chair", OCT_RECRUITS_CHAIR},
               {"Table", OCT_RECRUITS_TABLE},
               {"Desk", OCT_RECRUITS_DESK},
               {"Fuse", OCT_RECRUITS_FUSE_BOX},
               {"Bookcase", OCT_RECRUITS_BOOKCASE}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (is_word(name, all[i].word)) {
            *out = all[i].kind;
            return true;
        }
    }
    return false;
}

// What a thing is; false for what this client does not know, which is passed over.
static bool find_kind(const json_t *object, const char *tag, const char *name,
                      oct_recruits_kind *out)
{
    static const struct {
        const char *tag;
        oct_recruits_kind kind;
    } all[] = {{"Door", OCT_RECRUITS_DOOR},    {"ColorScreen", OCT_RECRUITS_SCREEN},
               {"Goal", OCT_RECRUITS_FLAG},    {"Enemy", OCT_RECRUITS_ENEMY},
               {"NPC", OCT_RECRUITS_NPC},      {"Player", OCT_RECRUITS_AGENT},
               {"Switch", OCT_RECRUITS_BUTTON}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(tag, all[i].tag) == 0) {
            const bool has_colour = oct_link_field(object, "Colorized") != NULL;
            *out = has_colour && all[i].kind == OCT_RECRUITS_BUTTON ? OCT_RECRUITS_COLOUR_BUTTON
                                                                    : all[i].kind;
            return true;
        }
    }
    if (oct_link_field(object, "FireHazard") || strcmp(tag, "Dynamic") == 0) {
        *out = OCT_RECRUITS_FIRE;
        return true;
    }
    return strcmp(tag, "Decoration") == 0 && find_furniture(name, out);
}

// The name that the game's clients give it.
static oct_result read_id(link_reader *in, recruits_seen *seen, const char *name)
{
    char made[RECRUITS_ID_MAX];
    const char *const kind = oct_recruits_kind_name(seen->kind);
    if (seen->kind == OCT_RECRUITS_AGENT) {
        seen->id = is_word(name, AGENT_PREFIX) ? name + strlen(AGENT_PREFIX) : name;
        return OCT_OK;
    }
    if (seen->kind != OCT_RECRUITS_FIRE && seen->kind < OCT_RECRUITS_CHAIR) {
        seen->id = name;
        return OCT_OK;
    }
    oct_snprintf(made, sizeof made, "%s@%.2f,%.2f,%.2f", kind, seen->origin.x, seen->origin.y,
                 seen->origin.z);
    return oct_link_copy(in, made, sizeof made, &seen->id);
}

static oct_result read_box(link_reader *in, const json_t *object, recruits_seen *seen)
{
    const json_t *const list = oct_link_field(object, "colliders");
    const json_t *const first = json_array_get(list, 0);
    oct_point centre, size;
    if (!first) {
        const oct_point o = seen->origin;
        const double r = OCT_RECRUITS_RADIUS;
        seen->box =
            (oct_bounds){{o.x - r, o.y, o.z - r}, {o.x + r, o.y + OCT_RECRUITS_HEIGHT, o.z + r}};
        return OCT_OK;
    }
    OCT_TRY(read_point(in, first, "center", &centre));
    OCT_TRY(read_point(in, first, "size", &size));
    const oct_point half = {fabs(size.x) / 2.0, fabs(size.y) / 2.0, fabs(size.z) / 2.0};
    seen->box = (oct_bounds){{centre.x - half.x, centre.y - half.y, centre.z - half.z},
                             {centre.x + half.x, centre.y + half.y, centre.z + half.z}};
    return OCT_OK;
}

static bool is_at(const oct_bounds *told, const oct_bounds *box)
{
    return fabs(told->min.x + told->max.x - box->min.x - box->max.x) < 2.0 * PANEL_NEAR &&
           fabs(told->min.z + told->max.z - box->min.z - box->max.z) < 2.0 * PANEL_NEAR;
}

// A panel that is at one of its ends tells which way it is turned; the eight places all differ.
static void find_panel(recruits_seen *seen)
{
    seen->panel = RECRUITS_PANEL_MOVES;
    for (uint8_t turn = 0; turn < 4; turn++) {
        recruits_thing door = {.kind = OCT_RECRUITS_DOOR, .turn = turn, .origin = seen->origin};
        door.box = oct_recruits_collider(OCT_RECRUITS_DOOR, turn, seen->origin);
        const oct_bounds shut = oct_recruits_bounds_of(&door);
        door.swing = SWING_TICKS;
        const oct_bounds open = oct_recruits_bounds_of(&door);
        if (is_at(&seen->box, &shut) || is_at(&seen->box, &open)) {
            seen->turn = turn;
            seen->panel = is_at(&seen->box, &shut) ? RECRUITS_PANEL_SHUT : RECRUITS_PANEL_OPEN;
            return;
        }
    }
}

static oct_result read_colour(link_reader *in, const json_t *object, recruits_seen *seen)
{
    const json_t *const screen = oct_link_field(object, "ColorScreen");
    const json_t *const own = screen ? screen : oct_link_field(object, "Colorized");
    const json_t *const new = oct_link_field(own, "colorCode");
    const json_t *const colour = new ? new : oct_link_field(own, "color");
    static const char *const parts[] = {"r", "g", "b"};
    seen->has_colour = json_is_object(colour);
    for (int i = 0; seen->has_colour && i < 3; i++) {
        OCT_TRY(oct_link_get_number(in, colour, parts[i], -FAR, FAR, &seen->colour[i]));
    }
    return OCT_OK;
}

static uint8_t quarter_of(const json_t *transform)
{
    const json_t *const rotation = oct_link_field(transform, "rotation");
    const double degrees = json_number_value(oct_link_field(rotation, "y"));
    const double quarters = isfinite(degrees) ? floor(degrees / 90.0 + 0.5) : 0.0;
    return (uint8_t)(quarters - 4.0 * floor(quarters / 4.0));
}

static oct_result read_number(link_reader *in, const json_t *object, uint64_t *out)
{
    const json_t *const id = oct_link_field(object, "id");
    const double number = json_number_value(id);
    if (!json_is_number(id) || floor(number) != number || fabs(number) > 2147483648.0) {
        return oct_link_refuse(in, "'id' must be a whole number of 32 bits");
    }
    *out = (uint64_t)(FIRST_NUMBER + (int64_t)number);
    return OCT_OK;
}

static oct_result read_thing(link_reader *in, const json_t *object, recruits_seen *seen,
                             bool *is_known)
{
    const char *name = "", *tag = "";
    OCT_TRY(oct_link_get_text(in, object, "name", OCT_RECRUITS_NAME_MAX + 16, &name));
    OCT_TRY(oct_link_get_text(in, object, "tag", OCT_RECRUITS_NAME_MAX, &tag));
    *seen = (recruits_seen){.id = name};
    *is_known = find_kind(object, tag, name, &seen->kind);
    if (!*is_known) {
        return OCT_OK;
    }
    const json_t *const transform = oct_link_field(object, "transform");
    OCT_TRY(read_number(in, object, &seen->number));
    OCT_TRY(read_point(in, transform, "position", &seen->origin));
    OCT_TRY(read_box(in, object, seen));
    OCT_TRY(read_id(in, seen, name));
    OCT_TRY(read_colour(in, object, seen));
    seen->turn = quarter_of(transform);
    if (seen->kind == OCT_RECRUITS_DOOR) {
        find_panel(seen);
    }
    const json_t *const toggle = oct_link_field(object, "Toggleable");
    return toggle ? oct_link_get_bool(in, toggle, "isActive", &seen->is_on) : OCT_OK;
}

static oct_result read_things(link_reader *in, const json_t *answer, recruits_view *out)
{
    const json_t *list = NULL;
    OCT_TRY(read_list(in, answer, "objects", THINGS_MAX, &list));
    const size_t count = json_array_size(list);
    recruits_seen *const things =
        oct_link_items(in, count, sizeof *things, _Alignof(recruits_seen));
    if (count > 0 && !things) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        bool is_known;
        oct_link_subject(in, "object %zu", i);
        OCT_TRY(read_thing(in, json_array_get(list, i), &things[out->count], &is_known));
        out->count += is_known;
    }
    out->things = things;
    return OCT_OK;
}

// ---- the whole ----

oct_result oct_recruits_read_view(recruits_client *c, const json_t *answer, recruits_view *out)
{
    link_reader *const in = &c->in;
    const json_t *const meta = oct_link_field(answer, "meta");
    const json_t *const agent = oct_link_field(answer, "agent");
    *out = (recruits_view){.mood = ""};
    if (!json_is_object(agent)) {
        return oct_link_refuse(in, "it has no 'agent'");
    }
    if (meta) {
        OCT_TRY(oct_link_get_bool(in, meta, "gameover", &out->is_over));
    }
    oct_link_subject(in, "agent");
    OCT_TRY(read_point(in, agent, "position", &out->feet));
    OCT_TRY(oct_link_get_number(in, agent, "health", -FAR, FAR, &out->health));
    OCT_TRY(oct_link_get_number(in, agent, "score", -FAR, FAR, &out->score));
    OCT_TRY(oct_link_get_text(in, agent, "mood", LINK_NAME_MAX, &out->mood));
    OCT_TRY(read_things(in, answer, out));
    oct_link_subject(in, "%s", "");
    return read_indices(in, answer, "navMeshIndices", VERTICES_MAX, c->vertices, &out->vertices,
                        &out->vertex_count);
}
