// SPDX-License-Identifier: MIT
#include "link/link_describe.h"

#include "link/link_self.h"

#include <math.h>

static const char *const up_names[] = {[OCT_UP_X] = "x", [OCT_UP_Y] = "y", [OCT_UP_Z] = "z"};
static const char *const handed_names[] = {"right", "left"};
static const char *const sight_names[] = {
    [OCT_SIGHT_LINE] = "line", [OCT_SIGHT_THROUGH] = "through"};
static const char *const shape_names[] = {
    [OCT_BODY_CAPSULE] = "capsule", [OCT_BODY_BOX] = "box", [OCT_BODY_BALL] = "ball"};
static const char *const gait_names[] = {
    [OCT_GAIT_WALK] = "walk", [OCT_GAIT_FLY] = "fly", [OCT_GAIT_BOTH] = "both"};
static const char *const control_names[] = {
    [OCT_CONTROL_THRUST] = "thrust", [OCT_CONTROL_COURSE] = "course"};

#define COUNT(array) (sizeof(array) / sizeof *(array))
// No body, speed or sight is larger.
#define LARGEST 1e9

// ---- bodies ----

// Numbers of a body that are told by their name, from 0 to LARGEST; what is below 0 is not told.
typedef struct body_number {
    const char *name;
    size_t offset;
} body_number;

static const body_number body_numbers[] = {
    {"height", offsetof(oct_player_body, height)},
    {"width", offsetof(oct_player_body, width)},
    {"eye", offsetof(oct_player_body, eye)},
    {"speed", offsetof(oct_player_body, speed)},
    {"acceleration", offsetof(oct_player_body, acceleration)},
    {"brake", offsetof(oct_player_body, brake)},
    {"turn", offsetof(oct_player_body, turn)},
    {"reach", offsetof(oct_player_body, reach)},
    {"walk", offsetof(oct_player_body, walk)},
    {"step", offsetof(oct_player_body, step)},
    {"slope", offsetof(oct_player_body, slope)},
    {"jump", offsetof(oct_player_body, jump)},
    {"climb", offsetof(oct_player_body, climb)},
    {"leap", offsetof(oct_player_body, leap)},
    {"air", offsetof(oct_player_body, air)},
    {"fall", offsetof(oct_player_body, fall)},
    {"hurts", offsetof(oct_player_body, hurts)},
    {"low", offsetof(oct_player_body, low)},
};

static double *number_of(oct_player_body *body, const body_number *number)
{
    return (double *)(void *)((char *)body + number->offset);
}

static double value_of(const oct_player_body *body, const body_number *number)
{
    return *(const double *)(const void *)((const char *)body + number->offset);
}

static oct_result read_words(link_reader *in, const json_t *object, oct_player_body *body)
{
    uint32_t shape = body->shape, gait = body->gait;
    OCT_TRY(oct_link_get_word(in, object, "shape", shape_names, COUNT(shape_names), &shape));
    OCT_TRY(oct_link_get_word(in, object, "gait", gait_names, COUNT(gait_names), &gait));
    body->shape = (oct_body_shape)shape;
    body->gait = (oct_gait)gait;
    uint32_t control = body->gait == OCT_GAIT_WALK ? OCT_CONTROL_COURSE : OCT_CONTROL_THRUST;
    OCT_TRY(
        oct_link_get_word(in, object, "control", control_names, COUNT(control_names), &control));
    body->control = (oct_control)control;
    OCT_TRY(oct_link_get_bool(in, object, "tumbles", &body->tumbles));
    OCT_TRY(oct_link_get_bool(in, object, "weight", &body->weighs));
    OCT_TRY(oct_link_get_bool(in, object, "uses_all_around", &body->uses_all_around));
    return oct_link_get_bool(in, object, "brakes_axes", &body->brakes_axes);
}

// The verbs of a game that does not tell them: what every player has.
static oct_result default_verbs(link_reader *in, oct_player_body *body)
{
    static const char *const verbs[] = {"move", "use", "jump"};
    (void)in;
    body->verbs = verbs;
    body->verb_count = body->jump > 0.0 ? 3 : 2;
    return OCT_OK;
}

static oct_result read_body(link_reader *in, const json_t *object, oct_player_body *body)
{
    *body = oct_player_body_default();
    OCT_TRY(read_words(in, object, body));
    for (size_t i = 0; i < COUNT(body_numbers); i++) {
        OCT_TRY(oct_link_get_number(in, object, body_numbers[i].name, 0.0, LARGEST,
                                    number_of(body, &body_numbers[i])));
    }
    if (body->height <= 0.0 || body->width <= 0.0) {
        return oct_link_refuse(in, "'height' and 'width' must be more than 0");
    }
    body->eye = oct_link_field(object, "eye") ? body->eye : 0.9 * body->height;
    body->brake = oct_link_field(object, "brake") ? body->brake : body->acceleration;
    if (!oct_link_field(object, "verbs")) {
        return default_verbs(in, body);
    }
    return oct_link_get_texts(in, object, "verbs", &body->verbs, &body->verb_count);
}

static void write_body(link_writer *w, const oct_player_body *body)
{
    oct_link_put_text(w, "shape", shape_names[body->shape]);
    oct_link_put_text(w, "gait", gait_names[body->gait]);
    oct_link_put_text(w, "control", control_names[body->control]);
    oct_link_put_bool(w, "tumbles", body->tumbles);
    oct_link_put_bool(w, "weight", body->weighs);
    oct_link_put_bool(w, "brakes_axes", body->brakes_axes);
    oct_link_put_bool(w, "uses_all_around", body->uses_all_around);
    for (size_t i = 0; i < COUNT(body_numbers); i++) {
        const double value = value_of(body, &body_numbers[i]);
        if (value >= 0.0) {
            oct_link_put_number(w, body_numbers[i].name, value);
        }
    }
    oct_link_put_texts(w, "verbs", body->verbs, body->verb_count);
}

// ---- rules ----

static oct_result read_assumptions(link_reader *in, const json_t *rules, const char *name,
                                   uint32_t *out)
{
    const json_t *list;
    OCT_TRY(oct_link_get_list(in, rules, name, &list));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *const word = json_string_value(json_array_get(list, i));
        for (uint32_t j = 0; word && j < OCT_ASSUME_COUNT; j++) {
            if (strcmp(word, oct_assumption_name((oct_assumption)j)) == 0) {
                *out |= UINT32_C(1) << j;
            }
        }
    }
    return OCT_OK;
}

static oct_result read_rules(link_reader *in, const json_t *answer, oct_game_info *info)
{
    json_t *const rules = oct_link_field(answer, "rules");
    if (rules && !json_is_object(rules)) {
        return oct_link_refuse(in, "'rules' must be an object");
    }
    uint32_t sight = info->sight;
    double settle = 0.0;
    OCT_TRY(oct_link_get_number(in, rules, "view", 0.0, LARGEST, &info->view));
    OCT_TRY(oct_link_get_word(in, rules, "sight", sight_names, COUNT(sight_names), &sight));
    info->sight = (oct_sight)sight;
    OCT_TRY(oct_link_get_number(in, rules, "fov", 0.0, LARGEST, &info->fov));
    OCT_TRY(oct_link_get_point(in, rules, "gravity", &info->gravity, NULL));
    OCT_TRY(oct_link_get_box(in, rules, "bounds", &info->bounds, &info->has_bounds));
    OCT_TRY(oct_link_get_number(in, rules, "settle", 0.0, LARGEST, &settle));
    info->has_settle = oct_link_field(rules, "settle") != NULL;
    // Upwards, but for what is whole but for rounding.
    info->settle = (uint64_t)ceil(settle * info->rate - 1e-6);
    OCT_TRY(oct_link_get_whole(in, rules, "settle_ticks", LINK_WHOLE_END - 1, &info->settle));
    OCT_TRY(oct_link_get_whole(in, rules, "slide", LINK_WHOLE_END - 1, &info->slide));
    OCT_TRY(oct_link_get_bool(in, rules, "unique_names", &info->unique_names));
    OCT_TRY(read_assumptions(in, rules, "promises", &info->promises));
    return read_assumptions(in, rules, "denies", &info->denies);
}

static void write_assumptions(link_writer *w, const char *name, uint32_t bits)
{
    oct_link_open(w, name, '[');
    for (uint32_t i = 0; i < OCT_ASSUME_COUNT; i++) {
        if (bits >> i & 1u) {
            oct_link_put_text(w, NULL, oct_assumption_name((oct_assumption)i));
        }
    }
    oct_link_close(w, ']');
}

static void write_rules(link_writer *w, const oct_game_info *info)
{
    oct_link_open(w, "rules", '{');
    oct_link_put_number(w, "view", info->view);
    oct_link_put_text(w, "sight", sight_names[info->sight]);
    oct_link_put_number(w, "fov", info->fov);
    oct_link_put_point(w, "gravity", info->gravity);
    if (info->has_bounds) {
        oct_link_put_box(w, "bounds", &info->bounds);
    }
    if (info->has_settle) {
        oct_link_put_number(w, "settle", (double)info->settle / info->rate);
        oct_link_put_whole(w, "settle_ticks", info->settle);
    }
    if (info->slide > 0) {
        oct_link_put_whole(w, "slide", info->slide);
    }
    if (info->unique_names) {
        oct_link_put_bool(w, "unique_names", true);
    }
    write_assumptions(w, "promises", info->promises);
    write_assumptions(w, "denies", info->denies);
    oct_link_close(w, '}');
}

// ---- describe ----

static oct_result read_players(link_reader *in, link_ids *ids, const oct_allocator *allocator,
                               const json_t *answer, link_description *out)
{
    const json_t *list;
    OCT_TRY(oct_link_get_list(in, answer, "players", &list));
    const size_t told = json_array_size(list), count = told > 0 ? told : 1;
    if (list && told == 0) {
        return oct_link_refuse(in, "'players' is empty: there is nobody to play");
    }
    if (count > LINK_PLAYERS_MAX) {
        return oct_link_refuse(in, "more than %d players", LINK_PLAYERS_MAX);
    }
    link_player *const players = oct_link_items(in, count, sizeof *players, _Alignof(link_player));
    if (!players) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *const object = told > 0 ? json_array_get(list, i) : NULL;
        players[i] = (link_player){.name = ""};
        oct_link_subject(in, "player %zu of describe", i);
        if (told > 0 && !json_is_object(object)) {
            return oct_link_refuse(in, "it must be an object");
        }
        OCT_TRY(oct_link_get_id(ids, allocator, in, object, "id", false, &players[i].id));
        OCT_TRY(oct_link_get_text(in, object, "name", LINK_NAME_MAX, &players[i].name));
        OCT_TRY(read_body(in, object, &players[i].body));
        for (size_t j = 0; j < i && players[i].id != 0; j++) {
            if (players[j].id == players[i].id) {
                return oct_link_refuse(in, "another player has its id");
            }
        }
    }
    oct_link_subject(in, "describe");
    out->players = players;
    out->player_count = (uint32_t)count;
    return OCT_OK;
}

// Where bodies can stand is not as described once they can climb, swim or hold on.
static void deny_feet(link_description *of)
{
    static const char *const verbs[] = {"climb", "swim", "grab"};
    const uint32_t feet = UINT32_C(1) << OCT_ASSUME_FEET;
    for (uint32_t i = 0; i < of->player_count && !(of->info.promises & feet); i++) {
        for (size_t j = 0; j < COUNT(verbs); j++) {
            if (oct_player_body_has(&of->players[i].body, verbs[j])) {
                of->info.denies |= feet;
            }
        }
    }
}

static oct_result read_delay(link_reader *in, const json_t *answer, oct_game_info *info)
{
    double delay[2] = {0.0, 0.0};
    bool found;
    OCT_TRY(oct_link_get_numbers(in, answer, "delay", 2, delay, &found));
    if (!found) {
        return OCT_OK;
    }
    if (!(delay[0] >= 0.0 && delay[0] <= delay[1] && delay[1] <= OCT_ACTION_TICKS_MAX)) {
        return oct_link_refuse(in, "'delay' must be the least and the most ticks");
    }
    info->delay_min = (uint32_t)delay[0];
    info->delay_max = (uint32_t)delay[1];
    return OCT_OK;
}

oct_result oct_link_read_description(link_reader *in, link_ids *ids, const oct_allocator *allocator,
                                     const json_t *answer, link_description *out)
{
    oct_game_info *const info = &out->info;
    uint32_t up = info->up, handed = 0;
    oct_link_subject(in, "describe");
    OCT_TRY(oct_link_get_number(in, answer, "rate", 1.0, 1e5, &info->rate));
    OCT_TRY(oct_link_get_text(in, answer, "game", LINK_NAME_MAX, &info->game));
    OCT_TRY(oct_link_get_text(in, answer, "world", LINK_NAME_MAX, &info->level));
    OCT_TRY(oct_link_get_word(in, answer, "up", up_names, COUNT(up_names), &up));
    OCT_TRY(oct_link_get_word(in, answer, "handed", handed_names, COUNT(handed_names), &handed));
    info->up = (oct_up)up;
    info->left_handed = handed == 1;
    OCT_TRY(oct_link_get_number(in, answer, "metre", 1e-9, LARGEST, &info->metre));
    OCT_TRY(read_delay(in, answer, info));
    OCT_TRY(read_rules(in, answer, info));
    OCT_TRY(oct_link_get_texts(in, answer, "doubt", &info->doubts, &info->doubt_count));
    OCT_TRY(read_players(in, ids, allocator, answer, out));
    deny_feet(out);
    return OCT_OK;
}

oct_result oct_link_write_description(link_writer *w, link_ids *ids, const oct_allocator *allocator,
                                      const link_description *of)
{
    const oct_game_info *const info = &of->info;
    oct_link_put_text(w, "game", info->game);
    oct_link_put_text(w, "world", info->level);
    oct_link_put_number(w, "rate", info->rate);
    oct_link_put_text(w, "up", up_names[info->up]);
    oct_link_put_text(w, "handed", handed_names[info->left_handed]);
    oct_link_put_number(w, "metre", info->metre);
    if (info->delay_max > 0) {
        oct_link_put_numbers(w, "delay", (const double[]){info->delay_min, info->delay_max}, 2);
    }
    write_rules(w, info);
    oct_link_open(w, "players", '[');
    for (uint32_t i = 0; i < of->player_count; i++) {
        oct_link_open(w, NULL, '{');
        OCT_TRY(oct_link_put_id(ids, allocator, w, "id", of->players[i].id));
        if (of->players[i].name[0]) {
            oct_link_put_text(w, "name", of->players[i].name);
        }
        write_body(w, &of->players[i].body);
        oct_link_close(w, '}');
    }
    oct_link_close(w, ']');
    oct_link_put_texts(w, "doubt", info->doubts, info->doubt_count);
    return OCT_OK;
}

// ---- reset ----

static oct_result read_starts(link_reader *in, const json_t *request, oct_game_start *out)
{
    const json_t *list;
    OCT_TRY(oct_link_get_list(in, request, "start", &list));
    const size_t count = json_array_size(list);
    if (count == 0) {
        return OCT_OK;
    }
    oct_pose *const poses = oct_link_items(in, count, sizeof *poses, _Alignof(oct_pose));
    if (!poses) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        bool found = false;
        const json_t *const item = json_array_get(list, i);
        poses[i] = (oct_pose){.up = {0.0, 0.0, 0.0}};
        if (json_is_object(item)) {
            OCT_TRY(oct_link_read_pose(in, item, &poses[i], &found));
        }
        if (!found) {
            return oct_link_refuse(in, "'start' must be a list of objects with a position");
        }
    }
    out->starts = poses;
    out->start_count = count;
    return OCT_OK;
}

static oct_result read_ms(link_reader *in, const json_t *request, double rate, oct_game_start *out)
{
    double delay[2] = {0.0, 0.0};
    OCT_TRY(oct_link_get_numbers(in, request, "delay", 2, delay, NULL));
    const double least = floor(delay[0] * rate / 1000.0 + 0.5);
    const double most = floor(delay[1] * rate / 1000.0 + 0.5);
    if (!(least >= 0.0 && least <= most && most <= OCT_ACTION_TICKS_MAX)) {
        return oct_link_refuse(in, "'delay' must be the least and the most milliseconds");
    }
    out->delay_min = (uint32_t)least;
    out->delay_max = (uint32_t)most;
    return OCT_OK;
}

oct_result oct_link_read_start(link_reader *in, const json_t *request, double rate,
                               oct_game_start *out)
{
    uint64_t high = 0;
    uint32_t sight = UINT32_MAX;
    *out = (oct_game_start){.level = NULL};
    OCT_TRY(oct_link_get_text(in, request, "world", LINK_TEXT_MAX, &out->level));
    OCT_TRY(oct_link_get_whole(in, request, "seed", LINK_WHOLE_END - 1, &out->seed));
    OCT_TRY(oct_link_get_whole(in, request, "seed_high", UINT16_MAX, &high));
    out->seed |= high << 53;
    OCT_TRY(read_starts(in, request, out));
    OCT_TRY(oct_link_get_number(in, request, "view", 0.0, LARGEST, &out->view));
    OCT_TRY(oct_link_get_word(in, request, "sight", sight_names, COUNT(sight_names), &sight));
    out->has_sight = sight != UINT32_MAX;
    out->sight = out->has_sight ? (oct_sight)sight : OCT_SIGHT_LINE;
    OCT_TRY(read_ms(in, request, rate, out));
    return oct_link_get_props(in, request, "options", &out->options, &out->option_count);
}

void oct_link_write_start(link_writer *w, const oct_game_start *start, double rate)
{
    if (start->level) {
        oct_link_put_text(w, "world", start->level);
    }
    oct_link_put_whole(w, "seed", start->seed & (LINK_WHOLE_END - 1));
    if (start->seed >> 53 != 0) {
        oct_link_put_whole(w, "seed_high", start->seed >> 53);
    }
    if (start->start_count > 0) {
        oct_link_open(w, "start", '[');
        for (size_t i = 0; i < start->start_count; i++) {
            oct_link_open(w, NULL, '{');
            oct_link_write_pose(w, &start->starts[i]);
            oct_link_close(w, '}');
        }
        oct_link_close(w, ']');
    }
    if (start->view > 0.0) {
        oct_link_put_number(w, "view", start->view);
    }
    if (start->has_sight) {
        oct_link_put_text(w, "sight", sight_names[start->sight]);
    }
    if (start->delay_max > 0) {
        oct_link_put_numbers(
            w, "delay",
            (const double[]){start->delay_min * 1000.0 / rate, start->delay_max * 1000.0 / rate},
            2);
    }
    if (start->option_count > 0) {
        oct_link_put_props(w, "options", start->options, start->option_count);
    }
}
