// SPDX-License-Identifier: MIT
// Puzzles from a seed.
//
// A house is drawn at random, its buttons wired at random, and then it is worked out what can be
// reached (puzzle.h). The target of a solvable one stands where presses lead. Of an unsolvable one
// a part of the house is first cut off in one of the four ways, and the target stands there; that
// nobody gets to it is then proved from the graph alone. What cannot be proved is drawn anew.
#include "octant/generate_puzzle.h"

#include "generate/puzzle_house.h"

#define PUZZLE_COOKIE 0x6f637470u
#define ATTEMPTS 8000
// What is aimed at is drawn: after so many attempts something else, or something easier.
#define PATIENCE 40
#define PRESSES_AIM 6
#define PANELS_A_ROOM 2
#define TOGGLES_MAX 3

typedef struct drawing {
    house *house;
    puzzle_search search;
    uint32_t rooms, doors, buttons;
    uint32_t presses;     // at least
    oct_puzzle_why why;   // of this attempt
    uint64_t part;        // rooms that are cut off
    house_pair *cut;      // between the part and the rest
    house_pair *before;   // of PARITY: the other door's
    uint32_t antechamber; // of PARITY: the room between the doors
    uint32_t target;      // room
} drawing;

static uint32_t below(drawing *d, uint32_t n)
{
    return (uint32_t)oct_random_below(&d->house->random, n);
}

static uint32_t between(drawing *d, uint32_t lo, uint32_t hi)
{
    return lo + below(d, hi - lo + 1);
}

// ---- cutting off ----

// A room and all that hang on it in the tree.
static uint64_t part_of(const house *h, uint32_t root)
{
    uint64_t part = UINT64_C(1) << root;
    for (uint32_t i = root + 1; i < h->graph.rooms; i++) {
        part |= (part >> h->room[i].parent & 1u) << i;
    }
    return part;
}

static void force(house_pair *pair, house_wall wall)
{
    pair->wall = (uint8_t)wall;
    pair->forced = true;
}

// Cuts a part off: one wall leads there, or none; of PARITY through another room, which has no
// other way out.
static bool cut_off(drawing *d)
{
    house *const h = d->house;
    const uint32_t root = between(d, 1, d->rooms - 1);
    d->part = part_of(h, root);
    d->cut = oct_house_parent_pair(h, root);
    d->antechamber = h->room[root].parent;
    uint64_t inside = d->part;
    if (d->why == OCT_PUZZLE_PARITY) {
        inside = part_of(h, d->antechamber);
        if (d->antechamber == 0 || inside != (d->part | UINT64_C(1) << d->antechamber)) {
            return false;
        }
        d->before = oct_house_parent_pair(h, d->antechamber);
    }
    for (uint32_t i = 0; i < h->pairs; i++) {
        house_pair *const pair = &h->pair[i];
        if ((inside >> pair->a & 1u) != (inside >> pair->b & 1u) ||
            (d->part >> pair->a & 1u) != (d->part >> pair->b & 1u)) {
            force(pair, HOUSE_NOTHING);
        }
    }
    if (d->why != OCT_PUZZLE_WALLED_IN) {
        force(d->cut, HOUSE_DOOR);
    }
    if (d->why == OCT_PUZZLE_PARITY) {
        force(d->before, HOUSE_DOOR);
    }
    return true;
}

static uint32_t draw_room(drawing *d, uint64_t of)
{
    uint32_t room = below(d, d->rooms);
    while (!(of >> room & 1u)) {
        room = (room + 1) % d->rooms;
    }
    return room;
}

// ---- buttons ----

// Puts a panel into a room, if there is a place.
static void place_panel(drawing *d, uint32_t room, uint32_t buttons)
{
    house *const h = d->house;
    house_panel *const panel = &h->panel[h->panels];
    if (h->room[room].panels == PANELS_A_ROOM || !oct_house_place(h, room, &panel->at)) {
        return;
    }
    panel->first = (uint8_t)h->graph.buttons;
    panel->buttons = (uint8_t)buttons;
    for (uint32_t i = 0; i < buttons; i++) {
        h->graph.room_of[h->graph.buttons++] = (uint8_t)room;
    }
    h->room[room].panels++;
    h->panels++;
}

// The first panel stands where one is at the start, of BUTTON_BEHIND the second in the part that is
// cut off; the others anywhere but between two doors of PARITY.
static bool place_panels(drawing *d)
{
    house *const h = d->house;
    uint64_t allowed = (UINT64_C(1) << d->rooms) - 1;
    if (d->why == OCT_PUZZLE_PARITY) {
        allowed &= ~(UINT64_C(1) << d->antechamber);
    }
    h->panels = h->graph.buttons = 0;
    uint32_t tries = 8 * d->buttons;
    while (h->graph.buttons < d->buttons && tries-- > 0) {
        const uint32_t left = d->buttons - h->graph.buttons;
        // Where buttons are many, panels have two.
        const uint32_t pairs = d->buttons > d->rooms ? 4 : 1;
        const uint32_t buttons = left > 1 && below(d, 5) < pairs ? 2 : 1;
        uint64_t rooms = allowed;
        if (d->why == OCT_PUZZLE_BUTTON_BEHIND && h->panels < 2 &&
            (h->panels == 1 || d->buttons == 1)) {
            rooms = d->part;
        } else if (h->panels == 0) {
            rooms = oct_puzzle_flood(&h->graph, h->graph.open, h->graph.start) & allowed;
        }
        if (rooms != 0) {
            place_panel(d, draw_room(d, rooms), buttons);
        }
    }
    return h->graph.buttons == d->buttons;
}

static void wire_buttons(drawing *d)
{
    puzzle *const p = &d->house->graph;
    static const uint8_t counts[8] = {0, 1, 1, 1, 1, 2, 2, TOGGLES_MAX};
    for (uint32_t i = 0; i < p->buttons; i++) {
        p->toggles[i] = 0;
        for (uint32_t k = counts[below(d, 8)]; k > 0; k--) {
            p->toggles[i] |= UINT32_C(1) << below(d, p->doors);
        }
        // More different buttons would give the doors too many states: it does what another does.
        if (oct_puzzle_rank(p->toggles, i + 1) > PUZZLE_RANK_MAX) {
            p->toggles[i] = p->toggles[below(d, i)];
        }
        d->house->delay[i] = below(d, 3) == 0 ? 0.5 + 0.25 * below(d, 7) : 0.0;
    }
}

static void wire_none(drawing *d, uint64_t rooms, uint32_t door)
{
    puzzle *const p = &d->house->graph;
    for (uint32_t i = 0; i < p->buttons; i++) {
        if (rooms >> p->room_of[i] & 1u) {
            p->toggles[i] &= ~(UINT32_C(1) << door);
        }
    }
}

// The fewest steps between a button and a door so that nobody gets from here to there, pressing as
// far away as can be, at full speed and head first, before the door has shut. k steps to cells
// around take more than k - 1 edges of a cell.
static bool is_far(uint32_t steps, double delay)
{
    const oct_world_rules rules = oct_world_rules_default();
    const double way = rules.speed * (delay + rules.door) + rules.reach + 1.0;
    return (steps - 1.0) * HOUSE_EDGE > way;
}

static uint32_t far_buttons(drawing *d)
{
    house *const h = d->house;
    uint32_t far = 0;
    oct_house_measure(h, d->before->door);
    for (uint32_t i = 0; i < h->panels; i++) {
        const house_panel *const panel = &h->panel[i];
        const uint32_t steps = h->steps[house_index(h, panel->at.cell)];
        for (uint32_t k = panel->first; k < panel->first + panel->buttons; k++) {
            far |= (uint32_t)(steps == 0 || is_far(steps - 1, h->delay[k])) << k;
        }
    }
    return far;
}

// The doors, and of those that a button toggles already at most one more.
static uint32_t with_another(drawing *d, uint32_t doors, uint32_t toggles)
{
    return doors | (toggles & UINT32_C(1) << below(d, d->house->graph.doors));
}

// Every far button that toggled one of the doors toggles both, and one does in any case; near ones
// do not. Buttons in the part that is cut off may do what they like.
static void wire_trap(drawing *d)
{
    house *const h = d->house;
    const uint32_t both = UINT32_C(1) << d->cut->door | UINT32_C(1) << d->before->door;
    for (uint32_t i = 0; i < h->graph.buttons; i++) {
        h->delay[i] = (h->graph.toggles[i] & both) != 0 ? 0.0 : h->delay[i];
    }
    const uint32_t far = far_buttons(d);
    uint32_t one = below(d, h->graph.buttons);
    for (uint32_t i = 0; i < h->graph.buttons && !(far >> one & 1u); i++) {
        one = (one + 1) % h->graph.buttons;
    }
    for (uint32_t i = 0; i < h->graph.buttons; i++) {
        uint32_t *const toggles = &h->graph.toggles[i];
        if (d->part >> h->graph.room_of[i] & 1u) {
            continue;
        }
        if ((far >> i & 1u) && (i == one || (*toggles & both) != 0)) {
            *toggles = with_another(d, both, *toggles);
        } else {
            *toggles &= ~both;
        }
    }
}

// Makes the wires fit what was asked for.
static void bend_wires(drawing *d)
{
    puzzle *const p = &d->house->graph;
    if (d->why == OCT_PUZZLE_NO_BUTTON) {
        wire_none(d, UINT64_MAX, d->cut->door);
    } else if (d->why == OCT_PUZZLE_BUTTON_BEHIND) {
        wire_none(d, ~d->part, d->cut->door);
        for (uint32_t i = 0; i < p->buttons; i++) {
            if (d->part >> p->room_of[i] & 1u) {
                p->toggles[i] = with_another(d, UINT32_C(1) << d->cut->door, p->toggles[i]);
                break;
            }
        }
    } else if (d->why == OCT_PUZZLE_PARITY) {
        wire_trap(d);
    }
    for (uint32_t i = 0; i < p->buttons; i++) {
        d->house->delay[i] = p->toggles[i] == 0 ? 0.0 : d->house->delay[i];
    }
}

// ---- the target ----

// A room that takes enough presses to get to.
static bool choose_target(drawing *d)
{
    uint64_t rooms = 0;
    for (uint32_t i = 0; i < d->rooms; i++) {
        const uint32_t presses = oct_puzzle_search_presses(&d->search, i);
        rooms |= (uint64_t)(presses >= d->presses && presses <= OCT_PUZZLE_PRESSES_MAX) << i;
    }
    if (rooms == 0) {
        return false;
    }
    d->target = draw_room(d, rooms);
    return oct_house_place(d->house, d->target, &d->house->target);
}

// Why nobody gets to the target, as far as that can be proved; else SOLVABLE.
static oct_puzzle_why prove(drawing *d)
{
    const puzzle *const p = &d->house->graph;
    if (!(oct_puzzle_flood(p, UINT32_MAX, p->start) >> d->target & 1u)) {
        return OCT_PUZZLE_WALLED_IN;
    }
    if (!(oct_puzzle_hope(p, 0, true) >> d->target & 1u)) {
        return OCT_PUZZLE_NO_BUTTON;
    }
    if (!(oct_puzzle_hope(p, 0, false) >> d->target & 1u)) {
        return OCT_PUZZLE_BUTTON_BEHIND;
    }
    if (d->why == OCT_PUZZLE_PARITY) {
        const puzzle_pair pair = {d->antechamber, d->before->door, d->cut->door};
        if (oct_puzzle_is_trap(p, &pair, far_buttons(d), d->target)) {
            return OCT_PUZZLE_PARITY;
        }
    }
    return OCT_PUZZLE_SOLVABLE;
}

// ---- attempts ----

static void draw_doors(drawing *d)
{
    puzzle *const p = &d->house->graph;
    p->open = 0;
    for (uint32_t i = 0; i < p->doors; i++) {
        p->open |= (uint32_t)(below(d, 4) == 0) << i;
    }
    if (d->why != OCT_PUZZLE_SOLVABLE && d->why != OCT_PUZZLE_WALLED_IN) {
        p->open &= ~(UINT32_C(1) << d->cut->door);
    }
    if (d->why == OCT_PUZZLE_PARITY) {
        const uint32_t first = below(d, 2) ? d->cut->door : d->before->door;
        p->open &= ~(UINT32_C(1) << d->before->door);
        p->open |= UINT32_C(1) << first;
    }
}

// What the next attempts aim at.
static void aim(drawing *d, const oct_puzzle_def *def)
{
    d->why = def->why;
    if (def->unsolvable && def->why == OCT_PUZZLE_SOLVABLE) {
        d->why = (oct_puzzle_why)between(d, OCT_PUZZLE_WALLED_IN, OCT_PUZZLE_PARITY);
    }
    if (def->presses) {
        d->presses = def->presses;
    } else if (d->presses == 0) {
        d->presses = between(d, 1, PRESSES_AIM);
    } else if (d->presses > 1) {
        d->presses--;
    }
}

// One house; false where it is not what was aimed at.
static bool attempt(drawing *d)
{
    house *const h = d->house;
    d->part = 0;
    oct_house_draw_rooms(h, d->rooms);
    if ((d->why != OCT_PUZZLE_SOLVABLE && !cut_off(d)) || !oct_house_draw_walls(h, d->doors)) {
        return false;
    }
    uint64_t starts = ((UINT64_C(1) << d->rooms) - 1) & ~d->part;
    if (d->why == OCT_PUZZLE_PARITY) {
        starts &= ~(UINT64_C(1) << d->antechamber);
    }
    h->graph.start = draw_room(d, starts);
    oct_house_carve(h);
    draw_doors(d);
    if (d->part != 0) {
        d->target = draw_room(d, d->part);
        if (!oct_house_place(h, d->target, &h->target)) {
            return false;
        }
    }
    oct_house_place_start(h, h->graph.start);
    if (!place_panels(d)) {
        return false;
    }
    wire_buttons(d);
    bend_wires(d);
    if (!oct_puzzle_search_run(&d->search, &h->graph)) {
        return false;
    }
    return d->why == OCT_PUZZLE_SOLVABLE ? choose_target(d) : prove(d) == d->why;
}

static void tell(drawing *d, oct_puzzle_truth *out)
{
    const house *const h = d->house;
    const puzzle *const p = &h->graph;
    uint32_t learnable[OCT_PUZZLE_BUTTONS_MAX];
    *out = (oct_puzzle_truth){.why = d->why,
                              .solvable = d->why == OCT_PUZZLE_SOLVABLE,
                              .rooms = p->rooms,
                              .doors = p->doors,
                              .buttons = p->buttons,
                              .open = p->open,
                              .target = HOUSE_TARGET_ID};
    if (out->solvable) {
        out->presses = oct_puzzle_search_presses(&d->search, d->target);
        oct_puzzle_search_solution(&d->search, d->target, out->solution);
    }
    for (uint32_t i = 0; i < p->doors; i++) {
        out->door[i] = HOUSE_DOOR_ID + i;
    }
    oct_puzzle_search_learnable(&d->search, p, learnable);
    for (uint32_t i = 0; i < h->panels; i++) {
        for (uint32_t k = 0; k < h->panel[i].buttons; k++) {
            const uint32_t button = h->panel[i].first + k;
            out->button[button] =
                (oct_puzzle_button){.panel = HOUSE_PANEL_ID + i,
                                    .number = k,
                                    .toggles = p->toggles[button],
                                    .learnable = learnable[button],
                                    .delay = h->delay[button],
                                    .reachable = d->search.reachable >> button & 1u};
        }
    }
}

// ---- entry ----

oct_puzzle_def oct_puzzle_def_default(void)
{
    return (oct_puzzle_def){.seed = 1, .cookie = PUZZLE_COOKIE};
}

const char *oct_puzzle_why_name(oct_puzzle_why why)
{
    static const char *const names[OCT_PUZZLE_WHY_COUNT] = {
        [OCT_PUZZLE_SOLVABLE] = "solvable",   [OCT_PUZZLE_WALLED_IN] = "walled-in",
        [OCT_PUZZLE_NO_BUTTON] = "no-button", [OCT_PUZZLE_BUTTON_BEHIND] = "button-behind",
        [OCT_PUZZLE_PARITY] = "parity",
    };
    return (uint32_t)why < OCT_PUZZLE_WHY_COUNT ? names[why] : NULL;
}

// How many there are of everything.
static oct_result choose_numbers(drawing *d, const oct_puzzle_def *def)
{
    if (def->rooms > OCT_PUZZLE_ROOMS_MAX || def->doors > OCT_PUZZLE_DOORS_MAX ||
        def->buttons > OCT_PUZZLE_BUTTONS_MAX || def->presses > OCT_PUZZLE_PRESSES_MAX) {
        return OCT_ERROR_RANGE;
    }
    const uint32_t least = def->why == OCT_PUZZLE_PARITY ? 8 : 4;
    const uint32_t for_doors = (def->doors + 1 + def->unsolvable) / 2 + 1;
    const uint32_t for_buttons = (def->buttons + 1) / 2;
    uint32_t rooms = between(d, least, 12);
    rooms = rooms > for_doors ? rooms : for_doors;
    rooms = rooms > for_buttons ? rooms : for_buttons;
    d->rooms = def->rooms ? def->rooms : rooms;
    if (d->rooms < OCT_PUZZLE_ROOMS_MIN || def->doors > 2 * (d->rooms - 1) - def->unsolvable ||
        def->buttons > 2 * d->rooms) {
        return OCT_ERROR_RANGE;
    }
    const uint32_t most_doors = d->rooms < OCT_PUZZLE_DOORS_MAX ? d->rooms : OCT_PUZZLE_DOORS_MAX;
    const uint32_t least_doors = d->rooms == OCT_PUZZLE_ROOMS_MIN ? 1 : 2;
    const uint32_t doors = between(d, least_doors, most_doors > 3 ? most_doors : least_doors);
    const uint32_t buttons = between(d, 2, most_doors > 3 ? most_doors : 2);
    d->doors = def->doors ? def->doors : doors;
    d->buttons = def->buttons ? def->buttons : buttons;
    return OCT_OK;
}

static oct_result draw(drawing *d, const oct_puzzle_def *def, oct_world *world)
{
    OCT_TRY(choose_numbers(d, def));
    OCT_TRY(oct_puzzle_search_create(&d->search, &d->search.allocator, d->rooms));
    for (uint32_t tried = 0; tried < ATTEMPTS; tried++) {
        if (tried % PATIENCE == 0) {
            aim(d, def);
        }
        if (attempt(d)) {
            return oct_house_build(d->house, world);
        }
    }
    return OCT_ERROR_RANGE;
}

oct_result oct_puzzle_generate(const oct_puzzle_def *def, const oct_allocator *allocator,
                               oct_world **out, oct_puzzle_truth *truth)
{
    *out = NULL;
    if (def->cookie != PUZZLE_COOKIE || (uint32_t)def->why >= OCT_PUZZLE_WHY_COUNT ||
        (!def->unsolvable && def->why != OCT_PUZZLE_SOLVABLE) ||
        (def->unsolvable && def->presses)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator own = oct_allocator_or_default(allocator);
    drawing d = {.search.allocator = own};
    d.house = oct_alloc(&own, sizeof *d.house, _Alignof(house));
    if (!d.house) {
        return OCT_ERROR_MEMORY;
    }
    *d.house = (house){.random = oct_random_seed(def->seed)};
    oct_world *world;
    oct_result result = oct_world_create(&(oct_world_def){&own}, &world);
    if (result == OCT_OK) {
        result = draw(&d, def, world);
    }
    if (result == OCT_OK && truth) {
        tell(&d, truth);
    }
    if (result != OCT_OK) {
        oct_world_destroy(world);
        world = NULL;
    }
    *out = world;
    oct_puzzle_search_destroy(&d.search);
    oct_free(&own, d.house, sizeof *d.house);
    return result;
}
