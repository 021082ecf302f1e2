// SPDX-License-Identifier: MIT
// The answers of Lab Recruits' protocol: the mesh, and what an agent sees. Names, types and nesting
// are those that the game's clients read.
#include "link/recruits_server_internal.h"

#include <math.h>
#include <stdlib.h>

#define NEVER_PRESSED 3.40282347e38 // the largest number of the game's own kind
#define COOLDOWN 0.5
#define DATE_SIZE 48
#define NO_DATE "0001-01-01T00:00:00"

// ---- parts ----

// The game's numbers have seven digits: what rounding adds behind them is not told.
static double rounded(double value)
{
    return floor(value * 1e6 + 0.5) / 1e6;
}

static void put_vector(link_writer *w, const char *name, oct_point p)
{
    oct_link_open(w, name, '{');
    oct_link_put_number(w, "x", rounded(p.x));
    oct_link_put_number(w, "y", rounded(p.y));
    oct_link_put_number(w, "z", rounded(p.z));
    oct_link_close(w, '}');
}

// Older clients read `color`, newer ones `colorCode`.
static void put_colour(link_writer *w, const char *name, const double part[3])
{
    static const char *const keys[] = {"colorCode", "color"};
    oct_link_open(w, name, '{');
    for (int i = 0; i < 2; i++) {
        oct_link_open(w, keys[i], '{');
        oct_link_put_number(w, "r", part[0] / 255.0);
        oct_link_put_number(w, "g", part[1] / 255.0);
        oct_link_put_number(w, "b", part[2] / 255.0);
        oct_link_close(w, '}');
    }
    oct_link_close(w, '}');
}

static void put_date(const recruits_server *s, link_writer *w, const char *name, uint64_t tick)
{
    char date[DATE_SIZE] = NO_DATE;
    if (tick > 0) {
        const double ago = (double)(s->world->tick + 1 - tick) / OCT_RECRUITS_RATE;
        s->host.date(s->host.ctx, s->host.speed > 0.0 ? ago / s->host.speed : ago, date,
                     sizeof date);
    }
    oct_link_put_text(w, name, date);
}

// ---- objects ----

static const char *tag_of(const recruits_thing *t)
{
    switch (t->kind) {
    case OCT_RECRUITS_BUTTON:
    case OCT_RECRUITS_COLOUR_BUTTON:
        return "Switch";
    case OCT_RECRUITS_DOOR:
        return "Door";
    case OCT_RECRUITS_SCREEN:
        return "ColorScreen";
    case OCT_RECRUITS_FIRE:
        return "Dynamic";
    case OCT_RECRUITS_FLAG:
        return "Goal";
    case OCT_RECRUITS_ENEMY:
        return "Enemy";
    case OCT_RECRUITS_NPC:
        return "NPC";
    default:
        return "Decoration";
    }
}

static const char *name_of(const recruits_thing *t)
{
    switch (t->kind) {
    case OCT_RECRUITS_FIRE:
        return "FireHazard(Clone)";
    case OCT_RECRUITS_CHAIR:
        return "ChairPrefab(Clone)";
    case OCT_RECRUITS_TABLE:
        return "TablePrefab(Clone)";
    case OCT_RECRUITS_DESK:
        return "DeskPrefab(Clone)";
    case OCT_RECRUITS_FUSE_BOX:
        return "FuseBoxPrefab(Clone)";
    case OCT_RECRUITS_BOOKCASE:
        return "BookcasePrefab(Clone)";
    default:
        return t->id;
    }
}

static void put_transform(link_writer *w, oct_point at, uint32_t turn)
{
    oct_link_open(w, "transform", '{');
    put_vector(w, "position", at);
    put_vector(w, "rotation", (oct_point){0.0, 90.0 * turn, 0.0});
    put_vector(w, "scale", (oct_point){1.0, 1.0, 1.0});
    oct_link_close(w, '}');
}

static void put_collider(link_writer *w, const recruits_thing *t)
{
    const turned_box b = oct_recruits_box_of(t);
    oct_link_open(w, NULL, '{');
    put_vector(w, "center", (oct_point){b.x, (b.bottom + b.top) / 2.0, b.z});
    put_vector(w, "size", oct_recruits_signed_size(t));
    oct_link_close(w, '}');
}

static void put_active(link_writer *w, bool is_active)
{
    oct_link_open(w, "Toggleable", '{');
    oct_link_put_bool(w, "isActive", is_active);
    oct_link_close(w, '}');
}

static void put_button(const recruits_server *s, link_writer *w, const recruits_thing *t)
{
    const double since = (double)(s->world->tick + 1 - t->pressed) / OCT_RECRUITS_RATE;
    oct_link_open(w, "Interactable", '{');
    oct_link_put_bool(w, "interactable", true);
    oct_link_put_number(w, "interactionCooldown", COOLDOWN);
    oct_link_put_number(w, "timeSinceInteraction", t->pressed > 0 ? since : NEVER_PRESSED);
    oct_link_close(w, '}');
    put_active(w, t->is_on);
    if (t->kind == OCT_RECRUITS_COLOUR_BUTTON) {
        put_colour(w, "Colorized", (double[3]){t->colour[0], t->colour[1], t->colour[2]});
    }
}

static void put_components(const recruits_server *s, link_writer *w, const recruits_thing *t)
{
    if (is_button(t)) {
        put_button(s, w, t);
    } else if (t->kind == OCT_RECRUITS_DOOR) {
        put_active(w, t->is_on);
    } else if (t->kind == OCT_RECRUITS_SCREEN) {
        put_colour(w, "ColorScreen", (double[3]){t->mixed[0], t->mixed[1], t->mixed[2]});
    } else if (t->kind == OCT_RECRUITS_FIRE) {
        oct_link_open(w, "FireHazard", '{');
        oct_link_close(w, '}');
    }
}

static void put_thing(const recruits_server *s, link_writer *w, uint32_t thing)
{
    const recruits_thing *const t = thing_at(s->world, thing);
    oct_link_open(w, NULL, '{');
    oct_link_put_text(w, "name", name_of(t));
    oct_link_put_text(w, "tag", tag_of(t));
    oct_link_put_whole(w, "id", thing_number(s->world, thing));
    put_transform(w, t->origin, t->turn);
    put_date(s, w, "lastTouched", t->touched);
    oct_link_open(w, "colliders", '[');
    put_collider(w, t);
    oct_link_close(w, ']');
    put_components(s, w, t);
    oct_link_close(w, '}');
}

static void put_agent(const recruits_server *s, link_writer *w, uint32_t agent)
{
    char name[OCT_RECRUITS_NAME_MAX + 16] = "Agent ";
    const recruits_agent *const a = agent_at(s->world, agent);
    const size_t used = strlen(name);
    memcpy(name + used, a->id, strlen(a->id) + 1);
    oct_link_open(w, NULL, '{');
    oct_link_put_text(w, "name", name);
    oct_link_put_text(w, "tag", "Player");
    oct_link_put_whole(w, "id", agent_number(agent));
    put_transform(w, a->feet, 0);
    oct_link_put_text(w, "lastTouched", NO_DATE);
    oct_link_open(w, "colliders", '[');
    oct_link_close(w, ']');
    oct_link_close(w, '}');
}

static void put_objects(const recruits_server *s, link_writer *w, uint32_t who)
{
    recruits_world *const g = s->world;
    oct_link_open(w, "objects", '[');
    for (uint32_t i = 0; i < g->agents.count; i++) {
        if (i != who && oct_recruits_sees_agent(g, who, i)) {
            put_agent(s, w, i);
        }
    }
    oct_recruits_find_things(g, oct_recruits_eye(agent_at(g, who)));
    const uint32_t *const found = g->found.items;
    for (size_t i = 0; i < g->found.count; i++) {
        if (oct_recruits_sees_thing(g, who, found[i])) {
            put_thing(s, w, found[i]);
        }
    }
    oct_link_close(w, ']');
}

// ---- the mesh ----

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static oct_result find_vertices(recruits_server *s, uint32_t who)
{
    const recruits_world *const g = s->world;
    const oct_point eye = oct_recruits_eye(agent_at(g, who));
    const oct_point *const points = g->mesh.points.items;
    const double reach = g->def.view;
    const int32_t high_x = column_high(eye.x + reach, g->width);
    const int32_t high_z = column_high(eye.z + reach, g->depth);
    s->ids.count = 0;
    for (int32_t z = column_low(eye.z - reach); z <= high_z; z++) {
        for (int32_t x = column_low(eye.x - reach); x <= high_x; x++) {
            const size_t column = (size_t)z * g->width + (size_t)x;
            for (uint32_t k = g->vertices.first[column]; k < g->vertices.first[column + 1]; k++) {
                const uint32_t vertex = g->vertices.items[k];
                if (oct_recruits_sees_vertex(g, who, points[vertex])) {
                    OCT_TRY(oct_array_push(&s->ids, &s->allocator, sizeof vertex, &vertex));
                }
            }
        }
    }
    if (s->ids.count > 0) {
        qsort(s->ids.items, s->ids.count, sizeof(uint32_t), compare_numbers);
    }
    return OCT_OK;
}

static void put_numbers(link_writer *w, const char *name, const uint32_t *numbers, size_t count)
{
    oct_link_open(w, name, '[');
    for (size_t i = 0; i < count; i++) {
        oct_link_put_whole(w, NULL, numbers[i]);
    }
    oct_link_close(w, ']');
}

oct_result oct_recruits_write_mesh(recruits_server *s, link_writer *w)
{
    const recruits_mesh *const mesh = &s->world->mesh;
    const oct_point *const points = mesh->points.items;
    oct_link_open(w, NULL, '{');
    oct_link_open(w, "vertices", '[');
    for (size_t i = 0; i < mesh->points.count; i++) {
        put_vector(w, NULL, points[i]);
    }
    oct_link_close(w, ']');
    put_numbers(w, "indices", mesh->triangles.items, mesh->triangles.count);
    oct_link_close(w, '}');
    return OCT_OK;
}

// ---- the whole ----

static void put_meta(const recruits_server *s, link_writer *w)
{
    char date[DATE_SIZE] = NO_DATE;
    s->host.date(s->host.ctx, 0.0, date, sizeof date);
    oct_link_open(w, "meta", '{');
    oct_link_put_whole(w, "tick", s->past_ticks + s->world->tick);
    oct_link_put_text(w, "time", date);
    oct_link_put_bool(w, "gameover", oct_recruits_over(s->world) != OCT_OVER_NOT);
    oct_link_close(w, '}');
}

static void put_self(const recruits_server *s, link_writer *w, uint32_t who, bool did_nothing)
{
    const recruits_agent *const a = agent_at(s->world, who);
    oct_link_open(w, "agent", '{');
    oct_link_put_text(w, "id", a->id);
    put_vector(w, "position", a->feet);
    put_vector(w, "velocity", (oct_point){0.0, 0.0, 0.0});
    oct_link_put_bool(w, "didNothing", did_nothing);
    oct_link_put_whole(w, "health", (uint64_t)a->health);
    oct_link_put_whole(w, "score", (uint64_t)a->score);
    oct_link_put_text(w, "mood", a->mood);
    oct_link_close(w, '}');
}

oct_result oct_recruits_write_observation(recruits_server *s, link_writer *w, uint32_t who,
                                          bool did_nothing)
{
    OCT_TRY(find_vertices(s, who));
    oct_link_open(w, NULL, '{');
    put_meta(s, w);
    put_self(s, w, who, did_nothing);
    put_objects(s, w, who);
    put_numbers(w, "navMeshIndices", s->ids.items, s->ids.count);
    oct_link_close(w, '}');
    return OCT_OK;
}
