// SPDX-License-Identifier: MIT
#include "link/recruits_hunt_internal.h"

#include "base/print.h"
#include "octant/recruits_world.h"

#include <math.h>

#define SITE_NEAR 0.8 // from a door
#define SITE_FAR 3.0
#define SITE_BEST 1.4
#define SITES_EACH 2    // of a door in a region
#define STAND_FAR 1.25  // from a button
#define STAND_NEAR 0.3  // nearer the button is not seen
#define SLIP_STAND 1.45 // from a button that is pressed just before running
#define BEHIND 0.25     // a target so far behind a place is dropped when one stands there
#define RUN_UP 0.4
#define RUN_ASIDE 0.1
#define RUN_REACH 1.49  // of a button
#define SLIP_BEHIND 1.6 // from the middle of a door's cell
#define SLIP_FAR 2.7    // a panel is half way there when one has run as far
#define COOLDOWN 30     // ticks between two presses of a button
#define IDLE_MOST 200   // steps that tell nothing
#define SWUNG 60        // ticks after which a panel has come to rest
#define DEEP 6.0        // below the start it fell out of the level

static void note(const recruits_hunt *h, const char *format, const char *what)
{
    char text[300];
    if (h->def.note) {
        oct_snprintf(text, sizeof text, format, what);
        h->def.note(h->def.ctx, text);
    }
}

// ---- regions ----

static double across(oct_point a, oct_point b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.z - b.z) * (a.z - b.z));
}

static double site_worth(const recruits_hunt *h, const hunt_site *s)
{
    return fabs(across(ground_at(&h->ground, s->place)->at, hunt_door_at(h, s->door)->origin) -
                SITE_BEST);
}

// Keeps the best places of a region from which a door is looked at.
static oct_result offer_site(recruits_hunt *h, const hunt_site *new)
{
    hunt_site *const all = h->sites.items;
    hunt_site *worst = NULL;
    uint32_t count = 0;
    for (size_t i = 0; i < h->sites.count; i++) {
        if (all[i].door == new->door && all[i].region == new->region) {
            count++;
            worst = !worst || site_worth(h, &all[i]) > site_worth(h, worst) ? &all[i] : worst;
        }
    }
    if (count < SITES_EACH) {
        return oct_array_push(&h->sites, &h->allocator, sizeof *new, new);
    }
    if (site_worth(h, new) < site_worth(h, worst)) {
        *worst = *new;
    }
    return OCT_OK;
}

static oct_result find_sites(recruits_hunt *h)
{
    const recruits_ground *const g = &h->ground;
    h->sites.count = 0;
    for (uint32_t d = 0; d < h->doors.count; d++) {
        const oct_point origin = hunt_door_at(h, d)->origin;
        const uint32_t middle = oct_recruits_ground_nearest(g, origin, 0.3);
        for (uint32_t p = 0; p < g->places.count && middle != GROUND_NONE; p++) {
            const ground_place *const own = ground_at(g, p);
            const double far = across(own->at, origin);
            const hunt_site new = {d, p, own->region};
            if (ground_is_plain(own) && far > SITE_NEAR && far < SITE_FAR &&
                fabs(own->at.y - origin.y) < 0.6 && !hunt_has_failed(h, d, p) &&
                oct_recruits_ground_sees(g, p, middle, NULL)) {
                OCT_TRY(offer_site(h, &new));
            }
        }
    }
    return OCT_OK;
}

static bool is_stand(const recruits_hunt *h, uint32_t b, uint32_t p)
{
    const oct_point origin = hunt_button_at(h, b)->origin, at = ground_at(&h->ground, p)->at;
    const double far = across(origin, at), up = at.y - origin.y;
    return far > STAND_NEAR && far * far + up * up < STAND_FAR * STAND_FAR;
}

static oct_result find_stands(recruits_hunt *h)
{
    h->stands.count = 0;
    for (uint32_t b = 0; b < h->buttons.count; b++) {
        const size_t first = h->stands.count;
        for (uint32_t p = 0; p < h->ground.places.count; p++) {
            const hunt_stand new = {b, ground_at(&h->ground, p)->region};
            bool is_new = ground_is_plain(ground_at(&h->ground, p)) && is_stand(h, b, p);
            for (size_t i = first; i < h->stands.count && is_new; i++) {
                is_new = ((const hunt_stand *)h->stands.items)[i].region != new.region;
            }
            OCT_TRY(is_new ? oct_array_push(&h->stands, &h->allocator, sizeof new, &new) : OCT_OK);
        }
    }
    return OCT_OK;
}

// Keeps the shortest run for a button, a door and the two sides of it.
static oct_result offer_slip(recruits_hunt *h, const hunt_slip *new)
{
    hunt_slip *const all = h->slips.items;
    for (size_t i = 0; i < h->slips.count; i++) {
        if (all[i].button == new->button &&
            all[i].door == new->door &&all[i].from == new->from &&all[i].to == new->to) {
            if (new->length < all[i].length) {
                all[i] = *new;
            }
            return OCT_OK;
        }
    }
    return oct_array_push(&h->slips, &h->allocator, sizeof *new, new);
}

static oct_result find_runs(recruits_hunt *h, uint32_t b, uint32_t d, uint32_t p,
                            const oct_door_state *states)
{
    const recruits_ground *const g = &h->ground;
    const oct_point at = ground_at(g, p)->at;
    for (uint32_t q = 0; q < g->places.count; q++) {
        const ground_place *const far = ground_at(g, q);
        const double length = across(at, far->at);
        const hunt_slip new = {b, d, ground_at(g, p)->region, far->region, p, q, length, 0};
        if (ground_is_plain(far) && new.to != new.from &&
            length < SLIP_FAR &&across(far->at, hunt_door_at(h, d)->origin) <
                SLIP_BEHIND &&fabs(at.y - far->at.y) < 0.3 &&
            oct_recruits_ground_is_straight(g, p, q, states, true)) {
            OCT_TRY(offer_slip(h, &new));
        }
    }
    return OCT_OK;
}

// Runs through one door each, from places near a button: so long as the panel swings.
static oct_result find_slips(recruits_hunt *h)
{
    oct_door_state states[HUNT_DOORS_MAX];
    h->slips.count = 0;
    for (uint32_t d = 0; d < h->doors.count; d++) {
        states[d] = OCT_DOOR_UNKNOWN;
    }
    for (uint32_t b = 0; b < h->buttons.count; b++) {
        const oct_point origin = hunt_button_at(h, b)->origin;
        for (uint32_t d = 0; d < h->doors.count; d++) {
            if (across(hunt_door_at(h, d)->origin, origin) > SLIP_STAND + SLIP_FAR) {
                continue;
            }
            states[d] = OCT_DOOR_OPEN;
            for (uint32_t p = 0; p < h->ground.places.count; p++) {
                const ground_place *const own = ground_at(&h->ground, p);
                if (ground_is_plain(own) && across(own->at, origin) < SLIP_STAND &&
                    across(own->at, origin) > STAND_NEAR && fabs(own->at.y - origin.y) < 0.3 &&
                    across(own->at, hunt_door_at(h, d)->origin) < SLIP_FAR) {
                    OCT_TRY(find_runs(h, b, d, p, states));
                }
            }
            states[d] = OCT_DOOR_UNKNOWN;
        }
    }
    return OCT_OK;
}

static oct_result renew(recruits_hunt *h)
{
    if (h->is_changed) {
        h->is_changed = false;
        OCT_TRY(oct_recruits_ground_join(&h->ground));
        OCT_TRY(find_sites(h));
        OCT_TRY(find_stands(h));
        h->has_slips = false; // they cost most, and are needed last
    }
    const uint32_t regions = h->ground.regions;
    OCT_TRY(oct_array_reserve(&h->unseen, &h->allocator, sizeof(uint32_t), regions + 1));
    uint32_t *const unseen = h->unseen.items;
    memset(unseen, 0, (regions + 1) * sizeof *unseen);
    for (uint32_t p = 0; p < h->ground.places.count; p++) {
        const ground_place *const own = ground_at(&h->ground, p);
        if (ground_is_plain(own) && own->is_middle && !own->is_seen) {
            unseen[own->region]++;
        }
    }
    return OCT_OK;
}

// ---- steps ----

// The nearest place from which something new is seen: ground, or a door.
static uint32_t choose_view(const recruits_hunt *h)
{
    const hunt_site *const sites = h->sites.items;
    uint32_t best = GROUND_NONE;
    double least = HUGE_VAL;
    for (size_t i = 0; i < h->sites.count; i++) {
        const double cost = oct_recruits_ground_cost(&h->ground, sites[i].place);
        if (h->states[sites[i].door] == OCT_DOOR_UNKNOWN && cost < least &&
            !hunt_has_failed(h, sites[i].door, sites[i].place)) {
            least = cost;
            best = sites[i].place;
        }
    }
    for (uint32_t p = 0; p < h->ground.places.count; p++) {
        const ground_place *const own = ground_at(&h->ground, p);
        const double cost = oct_recruits_ground_cost(&h->ground, p);
        if (own->is_middle && !own->is_seen && ground_is_plain(own) && cost < least) {
            least = cost;
            best = p;
        }
    }
    return best;
}

// What was not seen from where it should be is not looked for there again.
static oct_result end_view(recruits_hunt *h, uint32_t place)
{
    const hunt_site *const sites = h->sites.items;
    ground_at(&h->ground, place)->is_seen = true;
    for (size_t i = 0; i < h->sites.count; i++) {
        const hunt_failure new = {sites[i].door, place};
        if (sites[i].place == place && h->states[new.door] == OCT_DOOR_UNKNOWN) {
            OCT_TRY(oct_array_push(&h->failures, &h->allocator, sizeof new, &new));
            h->is_changed = true; // other places come in for it
        }
    }
    return OCT_OK;
}

static oct_result go_and_look(recruits_hunt *h)
{
    const uint32_t place = choose_view(h);
    bool arrives;
    if (place == GROUND_NONE) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(oct_recruits_hunt_go(h, place, &arrives));
    if (!arrives || h->health <= 0.0) {
        return OCT_OK;
    }
    OCT_TRY(oct_recruits_hunt_look(h));
    return end_view(h, place);
}

static uint32_t choose_stand(const recruits_hunt *h, uint32_t b)
{
    uint32_t best = GROUND_NONE;
    double least = HUGE_VAL;
    for (uint32_t p = 0; p < h->ground.places.count; p++) {
        const double cost = oct_recruits_ground_cost(&h->ground, p);
        if (cost < least && is_stand(h, b, p) && ground_is_plain(ground_at(&h->ground, p))) {
            least = cost;
            best = p;
        }
    }
    return best;
}

typedef enum effect { EFFECT_NONE, EFFECT_TOGGLED, EFFECT_UNKNOWN } effect;

// Whether a press did something: the game says nothing of it, but the button does where it is seen,
// and so do doors of which it is certain that they are linked.
static effect effect_of(const recruits_hunt *h, uint32_t b, const recruits_view *view)
{
    const hunt_button *const button = hunt_button_at(h, b);
    effect found = EFFECT_UNKNOWN;
    for (size_t i = 0; i < view->count; i++) {
        const recruits_seen *const seen = &view->things[i];
        if (button->is_seen && strcmp(seen->id, button->id) == 0) {
            return seen->is_on != button->is_on ? EFFECT_TOGGLED : EFFECT_NONE;
        }
        for (uint32_t d = 0; d < h->doors.count && seen->kind == OCT_RECRUITS_DOOR; d++) {
            const oct_door_state now = seen->is_on ? OCT_DOOR_OPEN : OCT_DOOR_SHUT;
            if (strcmp(seen->id, hunt_door_at(h, d)->id) == 0 && h->states[d] != OCT_DOOR_UNKNOWN &&
                oct_links_get(h->links, b, d) == OCT_LINK_YES) {
                found = now != h->states[d] ? EFFECT_TOGGLED : EFFECT_NONE;
            }
        }
    }
    return found;
}

// `stands`: it has come to rest within reach, so that a press that nobody sees had its effect.
static oct_result press_once(recruits_hunt *h, uint32_t b, bool stands, bool *is_done)
{
    hunt_button *const button = hunt_button_at(h, b);
    recruits_view view;
    OCT_TRY(oct_recruits_client_press(h->def.client, h->def.agent, button->id, &view));
    const effect came = effect_of(h, b, &view);
    *is_done = came == EFFECT_TOGGLED || (came == EFFECT_UNKNOWN && stands);
    h->is_lost = came == EFFECT_UNKNOWN && !stands;
    if (h->is_lost) {
        return OCT_OK; // nothing that is seen from now on in this life is an equation
    }
    if (*is_done) {
        h->presses_of_life++;
        h->presses++;
        button->presses++;
        h->parity[b / 64] ^= UINT64_C(1) << (b % 64);
        h->press_tick = oct_recruits_client_tick(h->def.client);
        OCT_TRY(oct_links_press(h->links, b, (uint64_t)h->presses_of_life * 100));
    }
    return oct_recruits_hunt_take(h, &view);
}

static oct_result press(recruits_hunt *h, uint32_t b)
{
    bool is_done = false;
    for (int tries = 0; tries < 4 && !is_done; tries++) {
        OCT_TRY(oct_recruits_client_wait(h->def.client, h->def.agent, h->press_tick + COOLDOWN));
        OCT_TRY(press_once(h, b, true, &is_done));
    }
    if (!is_done) {
        hunt_button_at(h, b)->is_dead = true;
        note(h, "%s does not answer", hunt_button_at(h, b)->id);
    }
    return OCT_OK;
}

// Whether a place is got to from where the life began only through fire, as the doors stand.
static oct_result find_burning(recruits_hunt *h, uint32_t place, bool *is)
{
    OCT_TRY(oct_recruits_ground_flood(&h->ground, h->start, h->walks, HUNT_PRICE));
    const double cost = oct_recruits_ground_cost(&h->ground, place);
    *is = isfinite(cost) ? cost >= HUNT_PRICE : h->entered > 0;
    return oct_recruits_ground_flood(&h->ground, h->at, h->walks, HUNT_PRICE);
}

static oct_result go_and_press(recruits_hunt *h, uint32_t b)
{
    const uint32_t place = choose_stand(h, b);
    bool arrives, through_fire;
    if (place == GROUND_NONE) {
        hunt_button_at(h, b)->is_dead = true;
        return OCT_OK;
    }
    OCT_TRY(find_burning(h, place, &through_fire));
    OCT_TRY(oct_recruits_hunt_go(h, place, &arrives));
    if (!arrives || h->health <= 0.0) {
        return OCT_OK;
    }
    hunt_button *const button = hunt_button_at(h, b);
    button->is_through_fire =
        button->presses == 0 ? through_fire : button->is_through_fire && through_fire;
    note(h, "presses %s", button->id);
    return press(h, b);
}

// A run along a line: it begins before the stand, and keeps away from where the panel comes from.
typedef struct run_line {
    oct_point begin, end;
    double x, z; // its direction
} run_line;

static run_line line_of(const recruits_hunt *h, const hunt_slip *s)
{
    const ground_door *const door = (const ground_door *)h->ground.doors.items + s->door;
    const oct_point a = ground_at(&h->ground, s->stand)->at, b = ground_at(&h->ground, s->far)->at;
    run_line l = {.x = (b.x - a.x) / s->length, .z = (b.z - a.z) / s->length};
    const double panel_x = (door->open.min.x + door->open.max.x) / 2.0 - a.x;
    const double panel_z = (door->open.min.z + door->open.max.z) / 2.0 - a.z;
    const double away = panel_x * l.z - panel_z * l.x > 0.0 ? -RUN_ASIDE : RUN_ASIDE;
    const oct_point aside = {away * l.z, 0.0, -away * l.x};
    l.begin = (oct_point){a.x + aside.x - RUN_UP * l.x, a.y, a.z + aside.z - RUN_UP * l.z};
    l.end = (oct_point){b.x + aside.x, b.y, b.z + aside.z};
    return l;
}

// Runs, and presses as late as the button can be reached.
static oct_result run_and_press(recruits_hunt *h, const hunt_slip *s, const run_line *l)
{
    recruits_client *const c = h->def.client;
    const oct_point origin = hunt_button_at(h, s->button)->origin;
    const oct_point target = {l->end.x + BEHIND * l->x, l->end.y, l->end.z + BEHIND * l->z};
    const uint64_t before = oct_recruits_client_tick(c);
    recruits_view view;
    bool is_done;
    OCT_TRY(oct_recruits_client_go(c, h->def.agent, target, &view));
    const double each = (double)(oct_recruits_client_tick(c) - before) * OCT_RECRUITS_AGENT_SPEED;
    OCT_TRY(oct_recruits_hunt_take(h, &view));
    for (int i = 0; i < 100; i++) {
        const double next = 2.0 * each + OCT_RECRUITS_AGENT_SPEED / 2.0;
        const oct_point then = {h->view.feet.x + next * l->x, 0.0, h->view.feet.z + next * l->z};
        if (across(then, origin) > RUN_REACH) {
            break;
        }
        OCT_TRY(oct_recruits_hunt_look(h));
    }
    return press_once(h, s->button, false, &is_done);
}

// Presses a button and runs through a door that this may shut.
static oct_result slip(recruits_hunt *h, uint32_t index)
{
    const hunt_slip own = ((const hunt_slip *)h->slips.items)[index];
    const run_line line = line_of(h, &own);
    bool arrives;
    OCT_TRY(oct_recruits_hunt_go(h, own.stand, &arrives));
    if (!arrives || h->health <= 0.0) {
        return OCT_OK;
    }
    OCT_TRY(oct_recruits_hunt_walk(h, line.begin, &arrives));
    OCT_TRY(oct_recruits_client_wait(h->def.client, h->def.agent, h->press_tick + COOLDOWN));
    note(h, "runs, and presses %s", hunt_button_at(h, own.button)->id);
    OCT_TRY(run_and_press(h, &own, &line));
    if (h->is_lost) {
        return OCT_OK;
    }
    OCT_TRY(oct_recruits_hunt_walk(h, line.end, &arrives));
    OCT_TRY(oct_recruits_client_wait(h->def.client, h->def.agent, h->press_tick + SWUNG));
    OCT_TRY(oct_recruits_hunt_look(h));
    if (!h->is_changed && index < h->slips.count) {
        ((hunt_slip *)h->slips.items)[index].failures +=
            ground_at(&h->ground, h->at)->region != own.to;
    }
    return OCT_OK;
}

// ---- lives ----

static oct_result begin_life(recruits_hunt *h)
{
    recruits_link_mesh mesh;
    OCT_TRY(oct_recruits_client_init(h->def.client, h->def.level, 0.0, &mesh));
    if (!h->has_ground) {
        OCT_TRY(oct_recruits_ground_make(&mesh, &h->allocator, &h->ground));
        h->has_ground = true;
        h->is_changed = true;
    } else {
        OCT_TRY(oct_links_begin_life(h->links));
    }
    if (h->ground.places.count == 0) {
        return OCT_ERROR_RANGE;
    }
    h->lives++;
    h->presses_of_life = 0;
    memset(h->parity, 0, sizeof h->parity);
    h->press_tick = 0;
    h->is_lost = false;
    h->health = 100.0;
    OCT_TRY(oct_recruits_hunt_look(h));
    h->start = h->at;
    return OCT_OK;
}

static double now_s(const recruits_hunt *h)
{
    return h->past_s + (double)oct_recruits_client_tick(h->def.client) / OCT_RECRUITS_RATE;
}

static uint32_t fires_left(double health)
{
    return health > 1.0 ? (uint32_t)((health - 1.0) / HUNT_FIRE_HARM) : 0;
}

// ---- the search ----

typedef enum turn_end { TURN_GOES_ON, TURN_DONE, TURN_LIMIT, TURN_LOST } turn_end;

// What is certain comes first; then doors of which nobody knows how they stand are tried, then runs
// through doors that shut.
static oct_result make_plan(recruits_hunt *h, uint32_t fires, hunt_step *step, uint32_t *what)
{
    static const uint32_t may[] = {0, HUNT_MAY_TRY, HUNT_MAY_TRY | HUNT_MAY_SLIP};
    *step = HUNT_NOTHING;
    for (int i = 0; i < 3 && *step == HUNT_NOTHING; i++) {
        if ((may[i] & HUNT_MAY_SLIP) && !h->has_slips) {
            OCT_TRY(find_slips(h));
            h->has_slips = true;
        }
        OCT_TRY(oct_recruits_hunt_plan(h, fires, may[i], step, what));
    }
    return OCT_OK;
}

static oct_result take_turn(recruits_hunt *h, turn_end *end)
{
    hunt_step step;
    uint32_t button = 0;
    OCT_TRY(renew(h));
    OCT_TRY(make_plan(h, fires_left(h->health), &step, &button));
    *end = step == HUNT_NOTHING ? TURN_DONE : step == HUNT_LIMIT ? TURN_LIMIT : TURN_GOES_ON;
    if (step == HUNT_LOOK) {
        OCT_TRY(go_and_look(h));
    } else if (step == HUNT_PRESS) {
        OCT_TRY(go_and_press(h, button));
    } else if (step == HUNT_SLIP) {
        OCT_TRY(slip(h, button));
    }
    if (h->health <= 0.0 || h->view.feet.y < -DEEP || h->is_lost) {
        *end = TURN_LOST;
    }
    return OCT_OK;
}

// How much is known; a press that tells nothing adds nothing.
static uint64_t count_known(const recruits_hunt *h)
{
    uint64_t count = h->ground.fires.count + h->doors.count + h->buttons.count + h->failures.count;
    for (uint32_t p = 0; p < h->ground.places.count; p++) {
        count += ground_at(&h->ground, p)->is_seen;
    }
    for (uint32_t b = 0; b < h->buttons.count; b++) {
        for (uint32_t d = 0; d < h->doors.count; d++) {
            const oct_link link = oct_links_get(h->links, b, d);
            count += link == OCT_LINK_YES || link == OCT_LINK_NO;
        }
    }
    return count;
}

static oct_result search(recruits_hunt *h, recruits_hunt_result *r)
{
    bool may_renew = false; // something was lost in this life
    uint64_t known = 0;
    uint32_t idle = 0;
    OCT_TRY(begin_life(h));
    for (;;) {
        turn_end end;
        OCT_TRY(take_turn(h, &end));
        may_renew = may_renew || h->health < 100.0 || end == TURN_LOST;
        r->is_whole = end == TURN_DONE;
        r->end = end == TURN_DONE    ? "everything that can be reached is certain"
                 : end == TURN_LIMIT ? "too many states of the doors to plan with"
                 : end == TURN_LOST  ? "the agent has died, or lost track of its presses"
                                     : "";
        if (h->def.seconds > 0.0 && now_s(h) > h->def.seconds) {
            r->end = "out of time";
            r->is_whole = false;
            return OCT_OK;
        }
        // Steps that tell nothing: something keeps it from getting on that it does not know.
        const uint64_t facts = count_known(h);
        idle = facts == known ? idle + 1 : 0;
        known = facts;
        if (idle > IDLE_MOST || (h->def.stops && h->def.stops(h->def.ctx))) {
            r->end = "it does not get on";
            r->is_whole = false;
            return OCT_OK;
        }
        if (end == TURN_GOES_ON) {
            continue;
        }
        if (!may_renew || h->lives >= h->def.lives) {
            return OCT_OK;
        }
        // What an unhurt life could still find out.
        if (end != TURN_LOST) {
            hunt_step step;
            uint32_t button;
            OCT_TRY(make_plan(h, fires_left(100.0), &step, &button));
            if (step == HUNT_NOTHING || step == HUNT_LIMIT) {
                return OCT_OK;
            }
        }
        note(h, "%s", "begins a new life");
        h->past_s = now_s(h);
        may_renew = false;
        OCT_TRY(begin_life(h));
    }
}

// ---- the result ----

static oct_result fill_result(recruits_hunt *h, recruits_hunt_result *r)
{
    h->pair_count = h->buttons.count * h->doors.count;
    h->pairs =
        oct_alloc(&h->allocator, (h->pair_count + 1) * sizeof *h->pairs, _Alignof(recruits_pair));
    if (!h->pairs) {
        return OCT_ERROR_MEMORY;
    }
    for (uint32_t b = 0; b < h->buttons.count; b++) {
        const hunt_button *const button = hunt_button_at(h, b);
        for (uint32_t d = 0; d < h->doors.count; d++) {
            h->pairs[b * h->doors.count + d] =
                (recruits_pair){.button = button->id,
                                .door = hunt_door_at(h, d)->id,
                                .link = oct_links_get(h->links, b, d),
                                .presses = button->presses,
                                .sightings = (uint32_t)oct_links_evidence(h->links, b, d, NULL, 0),
                                .is_through_fire = button->is_through_fire};
        }
    }
    r->pairs = h->pairs;
    r->buttons = h->buttons.count;
    r->doors = h->doors.count;
    r->game_s = now_s(h);
    r->health = h->health;
    r->lives = h->lives;
    r->presses = h->presses;
    r->fires = h->entered;
    return OCT_OK;
}

oct_result oct_recruits_hunt_run(const recruits_hunt_def *def, recruits_hunt **out,
                                 recruits_hunt_result *result)
{
    const oct_allocator own = oct_allocator_or_default(def->allocator);
    recruits_hunt *const h = oct_alloc(&own, sizeof *h, _Alignof(recruits_hunt));
    *out = h;
    *result = (recruits_hunt_result){.end = ""};
    if (!h) {
        return OCT_ERROR_MEMORY;
    }
    *h = (recruits_hunt){.allocator = own, .def = *def, .ground = {.allocator = own}};
    oct_arena_init(&h->names, &own);
    oct_links_def links = oct_links_def_default();
    links.settle = links.settle_most = 1;
    links.allocator = &h->allocator;
    OCT_TRY(oct_links_create(&links, &h->links));
    OCT_TRY(search(h, result));
    return fill_result(h, result);
}

void oct_recruits_hunt_destroy(recruits_hunt *h)
{
    if (!h) {
        return;
    }
    const oct_allocator own = h->allocator;
    oct_recruits_ground_free(&h->ground);
    oct_links_destroy(h->links);
    oct_array_free(&h->doors, &own, sizeof(hunt_door));
    oct_array_free(&h->buttons, &own, sizeof(hunt_button));
    oct_array_free(&h->fires, &own, sizeof(oct_point));
    oct_array_free(&h->sites, &own, sizeof(hunt_site));
    oct_array_free(&h->stands, &own, sizeof(hunt_stand));
    oct_array_free(&h->slips, &own, sizeof(hunt_slip));
    oct_array_free(&h->failures, &own, sizeof(hunt_failure));
    oct_array_free(&h->unseen, &own, sizeof(uint32_t));
    oct_array_free(&h->tried, &own, sizeof(uint64_t));
    oct_array_free(&h->way, &own, sizeof(uint32_t));
    oct_array_free(&h->known, &own, 1);
    oct_array_free(&h->plan_states, &own, sizeof(plan_state));
    oct_array_free(&h->plan_costs, &own, sizeof(uint32_t));
    oct_array_free(&h->heap.entries, &own, sizeof(oct_heap_entry));
    oct_key_table_free(&h->seen, &own);
    oct_free(&own, h->pairs, (h->pair_count + 1) * sizeof(recruits_pair));
    oct_arena_free(&h->names);
    oct_free(&own, h, sizeof *h);
}
