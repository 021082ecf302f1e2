// SPDX-License-Identifier: MIT
// Looking and walking: what an observation adds to what is known, and legs from place to place.
#include "link/recruits_hunt_internal.h"

#include "game/recruits_internal.h"

#include <math.h>

#define BEHIND 0.25 // a target so far behind a place is dropped when one stands there
#define ARRIVED 0.3162
#define NEAR 0.07      // of a place where one need not go
#define STUCK_TICKS 20 // without getting on
#define GETS_ON 0.03   // metres
#define SWING 60       // ticks that a panel may move after a press
#define SIGHT 4.5      // metres in which what is on the ground is seen, though not quite in line
#define LOOK_TICKS 2

// ---- taking in ----

static oct_result keep_name(recruits_hunt *h, const char *name, const char **out)
{
    const size_t size = strlen(name) + 1;
    char *const copy = oct_arena_alloc(&h->names, size, 1);
    *out = copy ? memcpy(copy, name, size) : NULL;
    return copy ? OCT_OK : OCT_ERROR_MEMORY;
}

// Its logical time: a press and all sightings up to the next one.
static uint64_t logical_tick(const recruits_hunt *h)
{
    return (uint64_t)h->presses_of_life * 100 + 50;
}

static oct_result add_door(recruits_hunt *h, const recruits_seen *seen, uint32_t *index)
{
    hunt_door new = {.origin = seen->origin};
    recruits_thing door = {.kind = OCT_RECRUITS_DOOR, .turn = seen->turn, .origin = seen->origin};
    door.box = oct_recruits_collider(OCT_RECRUITS_DOOR, seen->turn, seen->origin);
    const oct_bounds shut = door.box;
    door.swing = SWING_TICKS;
    const oct_bounds open = oct_recruits_bounds_of(&door);
    if (h->doors.count == HUNT_DOORS_MAX) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(keep_name(h, seen->id, &new.id));
    OCT_TRY(oct_links_add_door(h->links, h->doors.count + 1, index));
    OCT_TRY(oct_array_push(&h->doors, &h->allocator, sizeof new, &new));
    h->states[*index] = OCT_DOOR_UNKNOWN;
    h->is_changed = true;
    return oct_recruits_ground_add_door(&h->ground, &shut, &open);
}

static oct_result take_door(recruits_hunt *h, const recruits_seen *seen)
{
    uint32_t index = 0;
    while (index < h->doors.count && strcmp(hunt_door_at(h, index)->id, seen->id) != 0) {
        index++;
    }
    // A panel that moves does not show how it stands in its cell: it is met again.
    if (index == h->doors.count && seen->panel == RECRUITS_PANEL_MOVES) {
        return OCT_OK;
    }
    OCT_TRY(index == h->doors.count ? add_door(h, seen, &index) : OCT_OK);
    return oct_links_see(h->links, index, logical_tick(h),
                         seen->is_on ? OCT_DOOR_OPEN : OCT_DOOR_SHUT);
}

static oct_result take_button(recruits_hunt *h, const recruits_seen *seen)
{
    uint32_t index = 0;
    while (index < h->buttons.count && strcmp(hunt_button_at(h, index)->id, seen->id) != 0) {
        index++;
    }
    if (index == h->buttons.count) {
        hunt_button new = {.origin = seen->origin};
        if (index == HUNT_BUTTONS_MAX) {
            return OCT_ERROR_RANGE;
        }
        OCT_TRY(keep_name(h, seen->id, &new.id));
        OCT_TRY(oct_links_add_button(h->links, (oct_button){index + 1, 0}, &index));
        OCT_TRY(oct_array_push(&h->buttons, &h->allocator, sizeof new, &new));
        h->is_changed = true;
    }
    hunt_button_at(h, index)->is_on = seen->is_on;
    hunt_button_at(h, index)->is_seen = true;
    return OCT_OK;
}

static oct_result take_fire(recruits_hunt *h, const recruits_seen *seen)
{
    const oct_point *const all = h->fires.items;
    for (size_t i = 0; i < h->fires.count; i++) {
        if (point_length(point_sub(all[i], seen->origin)) < 0.1) {
            return OCT_OK;
        }
    }
    OCT_TRY(oct_array_push(&h->fires, &h->allocator, sizeof seen->origin, &seen->origin));
    h->is_changed = true;
    return oct_recruits_ground_add_fire(&h->ground, &seen->box);
}

// Ground to which the line stays on the ground and passes no panel that may be shut.
static void see_ground(recruits_hunt *h)
{
    const recruits_ground *const g = &h->ground;
    const oct_point feet = ground_at(g, h->at)->at;
    for (uint32_t p = 0; p < g->places.count; p++) {
        ground_place *const own = ground_at(g, p);
        if (own->is_seen || !own->is_middle) {
            continue;
        }
        const double x = own->at.x - feet.x, y = own->at.y - feet.y, z = own->at.z - feet.z;
        own->is_seen = x * x + y * y + z * z < SIGHT * SIGHT &&
                       oct_recruits_ground_sees(g, h->at, p, h->states);
    }
}

static void find_place(recruits_hunt *h)
{
    const oct_point feet = h->view.feet;
    for (double within = 0.3; within < 2.0; within += 0.5) {
        const uint32_t place = oct_recruits_ground_nearest(&h->ground, feet, within);
        if (place != GROUND_NONE) {
            h->at = place;
            return;
        }
    }
}

void oct_recruits_hunt_predict(recruits_hunt *h)
{
    for (uint32_t d = 0; d < h->doors.count; d++) {
        h->states[d] = oct_links_predict(h->links, d);
    }
}

oct_result oct_recruits_hunt_take(recruits_hunt *h, const recruits_view *view)
{
    for (size_t i = 0; i < h->buttons.count; i++) {
        hunt_button_at(h, i)->is_seen = false;
    }
    for (size_t i = 0; i < view->count; i++) {
        const recruits_seen *const seen = &view->things[i];
        if (seen->kind == OCT_RECRUITS_DOOR) {
            OCT_TRY(take_door(h, seen));
        } else if (seen->kind == OCT_RECRUITS_BUTTON || seen->kind == OCT_RECRUITS_COLOUR_BUTTON) {
            OCT_TRY(take_button(h, seen));
        } else if (seen->kind == OCT_RECRUITS_FIRE) {
            OCT_TRY(take_fire(h, seen));
        }
    }
    const double lost = h->health - view->health;
    h->entered += lost > 0.0 ? (uint32_t)(lost / HUNT_FIRE_HARM + 0.5) : 0;
    h->health = view->health;
    h->view = *view;
    h->view.things = NULL;
    oct_recruits_hunt_predict(h);
    find_place(h);
    see_ground(h);
    return OCT_OK;
}

oct_result oct_recruits_hunt_look(recruits_hunt *h)
{
    recruits_view view;
    OCT_TRY(oct_recruits_client_look(h->def.client, h->def.agent, &view));
    return oct_recruits_hunt_take(h, &view);
}

// ---- walking ----

oct_result oct_recruits_hunt_walk(recruits_hunt *h, oct_point to, bool *arrives)
{
    recruits_client *const c = h->def.client;
    recruits_view view;
    const double x = to.x - h->view.feet.x, z = to.z - h->view.feet.z, far = sqrt(x * x + z * z);
    *arrives = true;
    if (far < NEAR) {
        return OCT_OK;
    }
    const oct_point target = {to.x + x / far * BEHIND, to.y, to.z + z / far * BEHIND};
    OCT_TRY(oct_recruits_client_go(c, h->def.agent, target, &view));
    OCT_TRY(oct_recruits_hunt_take(h, &view));
    oct_point last = view.feet;
    uint64_t moved = oct_recruits_client_tick(c);
    const uint64_t late = moved + 50 + (uint64_t)(far * 30.0); // who goes to and fro
    for (;;) {
        const uint64_t now = oct_recruits_client_tick(c);
        OCT_TRY(oct_recruits_client_wait(c, h->def.agent, now + LOOK_TICKS));
        OCT_TRY(oct_recruits_hunt_look(h));
        const oct_point feet = h->view.feet;
        *arrives = point_length(point_sub(target, feet)) < ARRIVED;
        if (*arrives || h->health <= 0.0) {
            return OCT_OK;
        }
        if (point_length(point_sub(feet, last)) > GETS_ON) {
            last = feet;
            moved = oct_recruits_client_tick(c);
        }
        const double on = (target.x - feet.x) * x / far + (target.z - feet.z) * z / far;
        *arrives = on < BEHIND;
        const bool is_late = oct_recruits_client_tick(c) > late;
        if (*arrives || is_late || oct_recruits_client_tick(c) > moved + STUCK_TICKS ||
            h->is_changed) {
            OCT_TRY(oct_recruits_client_go(c, h->def.agent, feet, &view));
            return oct_recruits_hunt_take(h, &view);
        }
    }
}

// The farthest place of the way that one gets to straight; from `at` on down to 0, which is the
// end.
static size_t pull(const recruits_hunt *h, size_t at)
{
    const uint32_t *const way = h->way.items;
    size_t best = at - 1;
    for (size_t i = at - 1; i-- > 0;) {
        if (oct_recruits_ground_entries(ground_at(&h->ground, way[at]),
                                        ground_at(&h->ground, way[i])) > 0 ||
            !oct_recruits_ground_is_straight(&h->ground, way[at], way[i], h->walks, false)) {
            break;
        }
        best = i;
    }
    return best;
}

static bool passes_panels(const recruits_hunt *h)
{
    const uint32_t *const way = h->way.items;
    for (size_t i = 0; i < h->way.count; i++) {
        if (ground_at(&h->ground, way[i])->panels[0] != GROUND_NONE) {
            return true;
        }
    }
    return false;
}

oct_result oct_recruits_hunt_go(recruits_hunt *h, uint32_t place, bool *arrives)
{
    OCT_TRY(oct_recruits_ground_way(&h->ground, place, &h->way));
    *arrives = false;
    if (passes_panels(h)) {
        OCT_TRY(oct_recruits_client_wait(h->def.client, h->def.agent, h->press_tick + SWING));
    }
    for (size_t at = h->way.count - 1; at > 0;) {
        at = pull(h, at);
        const uint32_t next = ((const uint32_t *)h->way.items)[at];
        bool is_there;
        OCT_TRY(oct_recruits_hunt_walk(h, ground_at(&h->ground, next)->at, &is_there));
        if (!is_there && !h->is_changed) {
            h->stuck++;
            if (h->tries) {
                OCT_TRY(oct_array_push(&h->tried, &h->allocator, sizeof h->root, &h->root));
                return OCT_OK;
            }
            if (h->stuck % 4 == 0 && next != h->at) {
                ground_at(&h->ground, next)->is_closed = true; // whatever is in the way there
                h->is_changed = true;
            }
            return oct_recruits_client_wait(h->def.client, h->def.agent,
                                            oct_recruits_client_tick(h->def.client) + SWING);
        }
        if (h->is_changed || h->health <= 0.0) {
            return OCT_OK;
        }
    }
    *arrives = true;
    return OCT_OK;
}
