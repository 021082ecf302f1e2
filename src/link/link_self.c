// SPDX-License-Identifier: MIT
#include "link/link_self.h"
#include "link/link_shape.h"

#include <math.h>

// ---- oneself ----

static oct_point along(oct_point from, oct_point direction, double by)
{
    return (oct_point){from.x + direction.x * by, from.y + direction.y * by,
                       from.z + direction.z * by};
}

static bool same_point(oct_point a, oct_point b)
{
    return oct_link_same_points(&a, &b, 1);
}

oct_result oct_link_read_pose(link_reader *in, const json_t *object, oct_pose *out, bool *found)
{
    OCT_TRY(oct_link_get_point(in, object, "position", &out->position, found));
    OCT_TRY(oct_link_get_point(in, object, "forward", &out->forward, NULL));
    return oct_link_get_point(in, object, "up", &out->up, NULL);
}

void oct_link_write_pose(link_writer *w, const oct_pose *pose)
{
    oct_link_put_point(w, "position", pose->position);
    if (pose->up.x != 0.0 || pose->up.y != 0.0 || pose->up.z != 0.0) {
        oct_link_put_point(w, "forward", pose->forward);
        oct_link_put_point(w, "up", pose->up);
    }
}

// The parts that follow from the body, unless they are told.
static oct_result read_places(link_reader *in, const oct_player_body *body, const json_t *object,
                              oct_self *out)
{
    double height = body->height, eye = body->eye;
    OCT_TRY(oct_link_get_number(in, object, "height", 0.0, LINK_FAR, &height));
    OCT_TRY(oct_link_get_number(in, object, "eye", -LINK_FAR, LINK_FAR, &eye));
    out->centre = along(out->pose.position, out->pose.up, height / 2.0);
    out->eye = along(out->pose.position, out->pose.up, eye);
    OCT_TRY(oct_link_get_point(in, object, "centre", &out->centre, NULL));
    return oct_link_get_point(in, object, "eye_point", &out->eye, NULL);
}

oct_result oct_link_read_self(link_reader *in, const oct_game_info *info,
                              const oct_player_body *body, link_ids *ids,
                              const oct_allocator *allocator, const json_t *object, oct_self *out)
{
    bool found = false;
    uint64_t ticks = 0;
    const uint64_t tick = out->tick, id = out->id;
    const oct_point up = {info->up == OCT_UP_X, info->up == OCT_UP_Y, info->up == OCT_UP_Z};
    if (!json_is_object(object)) {
        return oct_link_refuse(in, "'self' is missing");
    }
    *out = (oct_self){.tick = tick, .id = id, .health = 1.0, .pose = {.up = up}};
    out->pose.forward = oct_link_across(up);
    OCT_TRY(oct_link_get_id(ids, allocator, in, object, "id", false, &out->id));
    OCT_TRY(oct_link_read_pose(in, object, &out->pose, &found));
    if (!found) {
        return oct_link_refuse(in, "'position' is missing");
    }
    OCT_TRY(oct_link_make_frame(in, &out->pose.forward, &out->pose.up));
    out->look = out->pose.forward;
    OCT_TRY(oct_link_get_point(in, object, "look", &out->look, NULL));
    OCT_TRY(oct_link_make_unit(in, "look", &out->look));
    OCT_TRY(oct_link_get_point(in, object, "velocity", &out->velocity, NULL));
    OCT_TRY(oct_link_get_number(in, object, "health", -LINK_FAR, LINK_FAR, &out->health));
    out->health = out->health < 0.0 ? 0.0 : out->health > 1.0 ? 1.0 : out->health;
    OCT_TRY(oct_link_get_bool(in, object, "stands", &out->stands));
    // Who can do nothing else flies, whatever is told; who can do both flies unless it stands.
    out->flies = !out->stands && body->gait != OCT_GAIT_WALK;
    OCT_TRY(oct_link_get_bool(in, object, "flies", &out->flies));
    out->flies = out->flies || body->gait == OCT_GAIT_FLY;
    OCT_TRY(oct_link_get_id(ids, allocator, in, object, "on", false, &out->on));
    OCT_TRY(oct_link_get_whole(in, object, "ticks", UINT32_MAX, &ticks));
    out->ticks = (uint32_t)ticks;
    OCT_TRY(oct_link_get_whole(in, object, "bumps", LINK_WHOLE_END - 1, &out->bumps));
    OCT_TRY(oct_link_get_props(in, object, "props", &out->props, &out->prop_count));
    return read_places(in, body, object, out);
}

static double distance(oct_point a, oct_point b)
{
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

oct_result oct_link_write_self(link_writer *w, const oct_player_body *body, link_ids *ids,
                               const oct_allocator *allocator, const oct_self *self)
{
    const oct_point feet = self->pose.position, up = self->pose.up;
    oct_link_open(w, "self", '{');
    OCT_TRY(oct_link_put_id(ids, allocator, w, "id", self->id));
    oct_link_put_point(w, "position", feet);
    oct_link_put_point(w, "forward", self->pose.forward);
    oct_link_put_point(w, "up", up);
    oct_link_put_point(w, "look", self->look);
    oct_link_put_point(w, "velocity", self->velocity);
    oct_link_put_number(w, "health", self->health);
    oct_link_put_bool(w, "stands", self->stands);
    oct_link_put_bool(w, "flies", self->flies);
    if (self->on != 0) {
        OCT_TRY(oct_link_put_id(ids, allocator, w, "on", self->on));
    }
    oct_link_put_whole(w, "ticks", self->ticks);
    oct_link_put_whole(w, "bumps", self->bumps);
    // What does not follow from the description to the bit: it is another height, or was rounded.
    if (!same_point(self->centre, along(feet, up, body->height / 2.0))) {
        oct_link_put_number(w, "height", 2.0 * distance(self->centre, feet));
        oct_link_put_point(w, "centre", self->centre);
    }
    if (!same_point(self->eye, along(feet, up, body->eye))) {
        oct_link_put_number(w, "eye", distance(self->eye, feet));
        oct_link_put_point(w, "eye_point", self->eye);
    }
    if (self->prop_count > 0) {
        oct_link_put_props(w, "props", self->props, self->prop_count);
    }
    oct_link_close(w, '}');
    return OCT_OK;
}

// ---- events ----

oct_result oct_link_read_event(link_reader *in, link_ids *ids, const oct_allocator *allocator,
                               const json_t *object, uint64_t tick, oct_event *out)
{
    if (!json_is_object(object)) {
        return oct_link_refuse(in, "'events' must be a list of objects");
    }
    *out = (oct_event){.tick = tick, .what = "note", .text = ""};
    OCT_TRY(oct_link_get_whole(in, object, "tick", LINK_WHOLE_END - 1, &out->tick));
    OCT_TRY(oct_link_get_text(in, object, "what", LINK_NAME_MAX, &out->what));
    OCT_TRY(oct_link_get_id(ids, allocator, in, object, "id", false, &out->id));
    return oct_link_get_text(in, object, "text", LINK_TEXT_MAX, &out->text);
}

oct_result oct_link_write_event(link_writer *w, link_ids *ids, const oct_allocator *allocator,
                                const oct_event *event)
{
    oct_link_open(w, NULL, '{');
    oct_link_put_whole(w, "tick", event->tick);
    oct_link_put_text(w, "what", event->what);
    if (event->id != 0) {
        OCT_TRY(oct_link_put_id(ids, allocator, w, "id", event->id));
    }
    if (event->text && event->text[0]) {
        oct_link_put_text(w, "text", event->text);
    }
    oct_link_close(w, '}');
    return OCT_OK;
}

// ---- actions ----

bool oct_link_takes_time(const oct_action *action)
{
    return action->verb == OCT_VERB_KEEP || action->verb == OCT_VERB_WAIT ||
           action->verb == OCT_VERB_MOVE;
}

void oct_link_write_action(link_writer *w, const link_ids *ids, const oct_action *action)
{
    oct_link_put_text(w, "verb", oct_verb_name(action->verb));
    if (oct_link_takes_time(action)) {
        oct_link_put_whole(w, "ticks", action->ticks);
    }
    switch (action->verb) {
    case OCT_VERB_MOVE:
        oct_link_put_point(w, "move", action->move);
        oct_link_put_point(w, "rotate", action->rotate);
        break;
    case OCT_VERB_USE:
        if (action->target != 0) {
            oct_link_put_whole(w, "target", oct_link_ids_told(ids, action->target));
        }
        oct_link_put_whole(w, "button", action->button);
        break;
    case OCT_VERB_DO:
        oct_link_put_text(w, "name", action->name);
        oct_link_put_bool(w, "on", action->on);
        oct_link_put_number(w, "number", action->number);
        break;
    default:
        break;
    }
}

static oct_result read_verb(link_reader *in, const json_t *object, oct_verb *out)
{
    const char *names[OCT_VERB_COUNT];
    uint32_t verb = OCT_VERB_COUNT;
    for (uint32_t i = 0; i < OCT_VERB_COUNT; i++) {
        names[i] = oct_verb_name((oct_verb)i);
    }
    OCT_TRY(oct_link_get_word(in, object, "verb", names, OCT_VERB_COUNT, &verb));
    *out = (oct_verb)verb;
    return verb < OCT_VERB_COUNT
               ? OCT_OK
               : oct_link_refuse(in, "'verb' must be one of keep, wait, move, jump, use, do");
}

static oct_result read_shares(link_reader *in, const json_t *object, oct_action *out)
{
    OCT_TRY(oct_link_get_point(in, object, "move", &out->move, NULL));
    OCT_TRY(oct_link_get_point(in, object, "rotate", &out->rotate, NULL));
    const oct_point r = out->rotate;
    return fabs(r.x) <= 1.0 && fabs(r.y) <= 1.0 && fabs(r.z) <= 1.0
               ? OCT_OK
               : oct_link_refuse(in, "'rotate' must be three shares from -1 to 1");
}

oct_result oct_link_read_action(link_reader *in, const link_ids *ids, const json_t *object,
                                oct_action *out, uint32_t *ticks)
{
    uint64_t wanted = 1, button = 0;
    *out = (oct_action){.verb = OCT_VERB_KEEP};
    OCT_TRY(read_verb(in, object, &out->verb));
    OCT_TRY(oct_link_get_whole(in, object, "ticks", OCT_ACTION_TICKS_MAX, &wanted));
    if (wanted == 0) {
        return oct_link_refuse(in, "'ticks' must be from 1 to %d", OCT_ACTION_TICKS_MAX);
    }
    *ticks = out->ticks = (uint32_t)wanted;
    if (out->verb == OCT_VERB_MOVE) {
        OCT_TRY(read_shares(in, object, out));
    } else if (out->verb == OCT_VERB_USE) {
        OCT_TRY(oct_link_get_whole(in, object, "target", LINK_WHOLE_END - 1, &out->target));
        OCT_TRY(oct_link_get_whole(in, object, "button", UINT32_MAX, &button));
        out->target = oct_link_ids_real(ids, out->target);
        out->button = (uint32_t)button;
    } else if (out->verb == OCT_VERB_DO) {
        OCT_TRY(oct_link_get_text(in, object, "name", LINK_NAME_MAX, &out->name));
        OCT_TRY(oct_link_get_bool(in, object, "on", &out->on));
        OCT_TRY(oct_link_get_number(in, object, "number", -1e300, 1e300, &out->number));
        if (!out->name) {
            return oct_link_refuse(in, "'do' needs a 'name'");
        }
    }
    return OCT_OK;
}
