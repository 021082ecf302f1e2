// SPDX-License-Identifier: MIT
// The lab world from a level: cells, things, who walks, what presses act on, and how a life begins.
#include "game/recruits_internal.h"

#include "base/print.h"

// ---- cells ----

static oct_result make_cells(recruits_world *g)
{
    size_t count;
    const oct_recruits_part *const parts = oct_recruits_level_parts(g->level, &count);
    const size_t size = (size_t)g->columns * g->sheets;
    if (size == 0) {
        return OCT_OK;
    }
    g->cells = oct_alloc(&g->allocator, size, 1);
    if (!g->cells) {
        return OCT_ERROR_MEMORY;
    }
    memset(g->cells, 0, size);
    for (size_t i = 0; i < count; i++) {
        const oct_recruits_part *const p = &parts[i];
        uint8_t *const cell = &g->cells[((size_t)p->y * g->depth + p->z) * g->width + p->x];
        if (p->kind == OCT_RECRUITS_FLOOR) {
            *cell |= CELL_FLOOR;
        } else if (p->kind == OCT_RECRUITS_WALL) {
            *cell |= CELL_WALL;
        } else if (p->kind == OCT_RECRUITS_RAMP) {
            *cell = (uint8_t)((*cell & 0x0f) | CELL_RAMP | (uint32_t)p->turn << CELL_TURN_SHIFT);
        }
    }
    return OCT_OK;
}

// ---- columns ----

oct_result oct_recruits_list_columns(recruits_world *g, uint32_t count,
                                     oct_bounds (*box_of)(const recruits_world *g, uint32_t i),
                                     bool (*is_listed)(const recruits_world *g, uint32_t i),
                                     column_lists *out)
{
    const size_t firsts = (size_t)g->columns + 2;
    out->first = oct_alloc(&g->allocator, firsts * sizeof(uint32_t), _Alignof(uint32_t));
    if (!out->first) {
        return OCT_ERROR_MEMORY;
    }
    memset(out->first, 0, firsts * sizeof(uint32_t));
    // Counts first, two further on: filling then moves each start to where it belongs.
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < count; i++) {
            const oct_bounds box = box_of(g, i);
            const int32_t high_x = column_high(box.max.x, g->width);
            const int32_t high_z = column_high(box.max.z, g->depth);
            for (int32_t z = column_low(box.min.z); is_listed(g, i) && z <= high_z; z++) {
                for (int32_t x = column_low(box.min.x); x <= high_x; x++) {
                    const size_t column = (size_t)z * g->width + (size_t)x;
                    if (pass == 0) {
                        out->first[column + 2]++;
                    } else {
                        out->items[out->first[column + 1]++] = i;
                    }
                }
            }
        }
        if (pass == 0) {
            for (size_t c = 2; c < firsts; c++) {
                out->first[c] += out->first[c - 1];
            }
            out->count = out->first[firsts - 1];
            const size_t size = (out->count > 0 ? out->count : 1) * sizeof(uint32_t);
            out->items = oct_alloc(&g->allocator, size, _Alignof(uint32_t));
            if (!out->items) {
                return OCT_ERROR_MEMORY;
            }
        }
    }
    return OCT_OK;
}

// What a thing may ever fill, but for those who walk: a door opened and shut and in between.
static oct_bounds reach_of(const recruits_world *g, uint32_t i)
{
    const recruits_thing *const t = thing_at(g, i);
    oct_bounds box = t->box;
    if (t->kind == OCT_RECRUITS_DOOR) {
        recruits_thing copy = *t;
        for (copy.swing = 0; copy.swing <= SWING_TICKS; copy.swing++) {
            box = bounds_join(box, oct_recruits_bounds_of(&copy));
        }
    }
    return box;
}

static bool stays(const recruits_world *g, uint32_t i)
{
    return !is_actor(thing_at(g, i));
}

// ---- things ----

static bool is_thing(oct_recruits_kind kind)
{
    return kind >= OCT_RECRUITS_BUTTON && kind != OCT_RECRUITS_WAYPOINT;
}

static bool is_trigger(uint32_t kind)
{
    return kind == OCT_RECRUITS_BUTTON || kind == OCT_RECRUITS_COLOUR_BUTTON ||
           kind == OCT_RECRUITS_FIRE || kind == OCT_RECRUITS_FLAG;
}

static oct_point place_of(const oct_recruits_part *p)
{
    return (oct_point){p->x, p->y, p->z};
}

static oct_result add_thing(recruits_world *g, const oct_recruits_part *p)
{
    const oct_point origin = place_of(p);
    recruits_thing t = {.id = p->id,
                        .origin = origin,
                        .box = oct_recruits_collider(p->kind, p->turn, origin),
                        .trigger = is_trigger(p->kind) ? g->triggers++ : RECRUITS_NONE,
                        .kind = (uint8_t)p->kind,
                        .turn = p->turn,
                        .begins_on = p->is_open || p->kind == OCT_RECRUITS_ENEMY,
                        .has_colour = p->kind == OCT_RECRUITS_COLOUR_BUTTON};
    memcpy(t.colour, p->colour, sizeof t.colour);
    oct_snprintf(t.colour_text, sizeof t.colour_text, "#%02x%02x%02x", t.colour[0], t.colour[1],
                 t.colour[2]);
    if (is_actor(&t)) {
        const recruits_actor actor = {.thing = (uint32_t)g->things.count, .home = origin};
        OCT_TRY(oct_array_push(&g->actors, &g->allocator, sizeof actor, &actor));
    }
    return oct_array_push(&g->things, &g->allocator, sizeof t, &t);
}

static oct_result add_agent(recruits_world *g, const oct_recruits_part *p)
{
    recruits_agent a = {.id = p->id, .home = place_of(p)};
    a.home.y += FLOOR_HEIGHT + SKIN;
    return oct_array_push(&g->agents, &g->allocator, sizeof a, &a);
}

// Things and agents; `numbers` says which thing each part became.
static oct_result make_things(recruits_world *g, uint32_t *numbers)
{
    size_t count;
    const oct_recruits_part *const parts = oct_recruits_level_parts(g->level, &count);
    for (size_t i = 0; i < count; i++) {
        numbers[i] = RECRUITS_NONE;
        if (parts[i].kind == OCT_RECRUITS_AGENT) {
            OCT_TRY(add_agent(g, &parts[i]));
        } else if (is_thing(parts[i].kind)) {
            numbers[i] = (uint32_t)g->things.count;
            OCT_TRY(add_thing(g, &parts[i]));
        }
    }
    return OCT_OK;
}

// ---- links ----

// How many links lead from each thing, in the end where they begin in the list of all.
static void count_links(const recruits_world *g, const uint32_t *numbers)
{
    size_t count;
    const oct_recruits_link *const links = oct_recruits_level_links(g->level, &count);
    uint32_t first = 0;
    for (size_t i = 0; i < count; i++) {
        if (links[i].source != OCT_RECRUITS_NONE && links[i].target != OCT_RECRUITS_NONE &&
            numbers[links[i].source] != RECRUITS_NONE) {
            thing_at(g, numbers[links[i].source])->effect_count++;
        }
    }
    for (uint32_t i = 0; i < g->things.count; i++) {
        recruits_thing *const t = thing_at(g, i);
        t->effects = first;
        first += t->effect_count;
        t->effect_count = 0;
    }
}

// What a button acts on, and the parts at which a character is to be in turn: `effects` holds
// both. An enemy that a button wakes sleeps at first.
static oct_result make_links(recruits_world *g, const uint32_t *numbers)
{
    size_t count, part_count;
    const oct_recruits_link *const links = oct_recruits_level_links(g->level, &count);
    const oct_recruits_part *const parts = oct_recruits_level_parts(g->level, &part_count);
    count_links(g, numbers);
    OCT_TRY(oct_array_reserve(&g->effects, &g->allocator, sizeof(uint32_t), count + 1));
    uint32_t *const effects = g->effects.items;
    for (size_t i = 0; i < count; i++) {
        if (links[i].source == OCT_RECRUITS_NONE || links[i].target == OCT_RECRUITS_NONE ||
            numbers[links[i].source] == RECRUITS_NONE) {
            continue;
        }
        recruits_thing *const source = thing_at(g, numbers[links[i].source]);
        const oct_recruits_part *const target = &parts[links[i].target];
        if (source->kind == OCT_RECRUITS_NPC && target->kind == OCT_RECRUITS_WAYPOINT) {
            effects[source->effects + source->effect_count++] = links[i].target;
        } else if (is_button(source) && numbers[links[i].target] != RECRUITS_NONE) {
            effects[source->effects + source->effect_count++] = numbers[links[i].target];
            recruits_thing *const t = thing_at(g, numbers[links[i].target]);
            t->begins_on = t->begins_on && t->kind != OCT_RECRUITS_ENEMY;
        }
    }
    for (uint32_t i = 0; i < g->actors.count; i++) {
        recruits_actor *const a = actor_at(g, i);
        a->waypoints = thing_at(g, a->thing)->effects;
        a->waypoint_count = thing_at(g, a->thing)->effect_count;
    }
    return OCT_OK;
}

static oct_result make_linked_things(recruits_world *g)
{
    size_t count;
    (void)oct_recruits_level_parts(g->level, &count);
    const size_t size = (count + 1) * sizeof(uint32_t);
    uint32_t *const numbers = oct_alloc(&g->allocator, size, _Alignof(uint32_t));
    if (!numbers) {
        return OCT_ERROR_MEMORY;
    }
    oct_result result = make_things(g, numbers);
    if (result == OCT_OK) {
        result = make_links(g, numbers);
    }
    oct_free(&g->allocator, numbers, size);
    return result;
}

// ---- room for what a life needs ----

static oct_result make_bits(recruits_world *g)
{
    g->bit_bytes = (g->agents.count * g->triggers + 7) / 8 + 1;
    uint8_t **const all[] = {&g->inside, &g->walked, &g->pressed};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i] = oct_alloc(&g->allocator, g->bit_bytes, 1);
        if (!*all[i]) {
            return OCT_ERROR_MEMORY;
        }
    }
    return OCT_OK;
}

static oct_result make_room(recruits_world *g)
{
    const size_t all = g->things.count + g->agents.count + 1;
    OCT_TRY(oct_array_reserve(&g->entities, &g->allocator, sizeof(oct_entity), all));
    OCT_TRY(oct_array_reserve(&g->found, &g->allocator, sizeof(uint32_t), all));
    OCT_TRY(oct_array_reserve(&g->swinging, &g->allocator, sizeof(uint32_t), all));
    OCT_TRY(oct_array_reserve(&g->told, &g->allocator, sizeof(oct_event), EVENTS_MAX));
    return make_bits(g);
}

static oct_bounds bounds_of_level(const recruits_world *g)
{
    // Furniture and swinging doors reach beyond their cells by 1.5 m, and whoever falls dies at
    // -12 m.
    return (oct_bounds){{-2.5, -13.0, -2.5}, {g->width + 1.5, g->sheets + 3.0, g->depth + 1.5}};
}

// Whether a column has ground near a height, but not at it: floors, tops of walls, ramps.
static bool has_other_ground(const recruits_world *g, int32_t x, int32_t y, int32_t z)
{
    for (int32_t sheet = y - 2; sheet <= y + 1; sheet++) {
        const uint8_t cell = cell_at(g, x, sheet, z);
        const bool is_top = (cell & CELL_WALL) && !(cell_at(g, x, sheet + 1, z) & CELL_WALL);
        if ((cell & CELL_RAMP) || ((cell & CELL_FLOOR) && sheet != y && sheet != y - 2) ||
            (is_top && sheet != y - 1 && sheet != y + 1)) {
            return true;
        }
    }
    return false;
}

// The reach that is told is one from ground as high as the button's: from above or below, what is
// within 1.5 m of the feet may be further from the eye.
static bool is_reach_true(const recruits_world *g)
{
    for (uint32_t i = 0; i < g->things.count; i++) {
        const recruits_thing *const t = thing_at(g, i);
        const int32_t x = (int32_t)t->origin.x, y = (int32_t)t->origin.y, z = (int32_t)t->origin.z;
        for (int32_t k = 0; is_button(t) && k < 25; k++) {
            if (has_other_ground(g, x + k % 5 - 2, y, z + k / 5 - 2)) {
                return false;
            }
        }
    }
    return true;
}

void oct_recruits_describe(const oct_recruits_world_def *def, oct_game_info *info,
                           oct_player_body *body)
{
    static const char *const verbs[] = {"move", "use"};
    *info = oct_game_info_default();
    info->game = "Lab Recruits";
    info->rate = OCT_RECRUITS_RATE;
    info->up = OCT_UP_Y;
    info->left_handed = true;
    info->view = def->view;
    info->gravity = (oct_point){0.0, -9.8, 0.0};
    info->promises = 1u << OCT_ASSUME_TOGGLES | 1u << OCT_ASSUME_MEMORY | 1u << OCT_ASSUME_CAUSES;
    info->settle = 2 * OCT_RECRUITS_RATE;
    info->has_settle = true;
    info->slide = SWING_TICKS;
    info->can_reset = true;
    *body = oct_player_body_default();
    body->height = OCT_RECRUITS_HEIGHT;
    body->width = 2.0 * OCT_RECRUITS_RADIUS;
    body->eye = OCT_RECRUITS_EYE;
    body->speed = def->agent_speed * OCT_RECRUITS_RATE;
    body->control = OCT_CONTROL_COURSE;
    // From the eye of who stands as high as a button's cell, to the nearest point of its box, in
    // the direction in which that is farthest.
    body->reach = 1.6;
    body->step = OCT_RECRUITS_STEP;
    body->slope = 50.0;
    body->jump = 0.0;
    body->climb = OCT_RECRUITS_STEP;
    body->leap = 0.85;
    body->air = 0.0;
    body->fall = body->hurts = 1000.0; // only falling out of the level kills
    body->verbs = verbs;
    body->verb_count = sizeof verbs / sizeof *verbs;
}

static void describe(recruits_world *g)
{
    oct_recruits_describe(&g->def, &g->info, &g->body);
    g->info.game = "Lab Recruits, simulated";
    g->info.denies = is_reach_true(g) ? 0 : 1u << OCT_ASSUME_BODY;
    g->info.repeats = true;
    g->info.has_bounds = true;
    g->info.bounds = bounds_of_level(g);
}

oct_result oct_recruits_make(recruits_world *g)
{
    g->width = oct_recruits_level_width(g->level);
    g->depth = oct_recruits_level_depth(g->level);
    g->sheets = oct_recruits_level_sheets(g->level);
    g->columns = g->width * g->depth;
    OCT_TRY(make_cells(g));
    OCT_TRY(make_linked_things(g));
    OCT_TRY(oct_recruits_list_columns(g, (uint32_t)g->things.count, reach_of, stays, &g->near));
    OCT_TRY(make_room(g));
    describe(g);
    OCT_TRY(oct_recruits_make_scenery(g));
    return oct_recruits_make_mesh(g);
}

// ---- a life ----

static void begin_thing(recruits_thing *t)
{
    t->is_on = t->begins_on;
    t->swing = t->kind == OCT_RECRUITS_DOOR && t->is_on ? SWING_TICKS : 0;
    t->swinging = RECRUITS_NONE;
    t->pressed = t->touched = 0;
    memset(t->mixed, 0, sizeof t->mixed);
    if (t->kind == OCT_RECRUITS_SCREEN) {
        memcpy(t->colour_text, "#000000", sizeof "#000000");
    }
}

void oct_recruits_begin(recruits_world *g)
{
    g->tick = 0;
    g->swinging.count = 0;
    memset(g->inside, 0, g->bit_bytes);
    memset(g->walked, 0, g->bit_bytes);
    memset(g->pressed, 0, g->bit_bytes);
    for (uint32_t i = 0; i < g->things.count; i++) {
        begin_thing(thing_at(g, i));
    }
    for (uint32_t i = 0; i < g->actors.count; i++) {
        recruits_actor *const a = actor_at(g, i);
        recruits_thing *const t = thing_at(g, a->thing);
        t->origin = a->home;
        t->box = oct_recruits_collider(t->kind, t->turn, t->origin);
        a->velocity = (oct_point){0, 0, 0};
        a->next_waypoint = a->hits = a->point = a->point_count = 0;
        a->plans_at = a->waits_until = 0;
    }
    for (uint32_t i = 0; i < g->agents.count; i++) {
        recruits_agent *const a = agent_at(g, i);
        *a = (recruits_agent){.id = a->id,
                              .home = a->home,
                              .feet = a->home,
                              .yaw_z = 1.0,
                              .health = 100,
                              .stands = true};
    }
}
