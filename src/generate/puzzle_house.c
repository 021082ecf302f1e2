// SPDX-License-Identifier: MIT
// Drawing a house. Columns, rows and levels of a lattice have widths of their own, so that rooms
// beside each other share a wall of one cell. Rooms are two cells high and things stand on the
// floor: nothing that stands there parts a room.
#include "generate/puzzle_house.h"

// Of walls that no way needs, one in this many has a free opening.
#define FREE_WALLS 6

static uint32_t below(house *h, uint32_t n)
{
    return (uint32_t)oct_random_below(&h->random, n);
}

// ---- rooms ----

static int room_in(const house *h, oct_vec slot)
{
    for (uint32_t i = 0; i < h->graph.rooms; i++) {
        const oct_vec s = h->room[i].slot;
        if (s.x == slot.x && s.y == slot.y && s.z == slot.z) {
            return (int)i;
        }
    }
    return -1;
}

// How many columns, levels and rows: flat and wide for few rooms, some slots remain empty.
static oct_vec lattice_for(house *h, uint32_t rooms)
{
    const uint32_t levels = rooms < 4 ? 1 : rooms < 9 ? 1 + below(h, 2) : rooms <= 20 ? 2 : 3;
    int32_t side = 2;
    while ((uint32_t)(side * side) * levels * 4 < rooms * 5) {
        side++;
    }
    return (oct_vec){side, (int32_t)levels, side};
}

static void grow(house *h, oct_vec lattice, uint32_t rooms)
{
    const oct_vec first = {(int32_t)below(h, (uint32_t)lattice.x),
                           (int32_t)below(h, (uint32_t)lattice.y),
                           (int32_t)below(h, (uint32_t)lattice.z)};
    h->room[0] = (house_room){.slot = first};
    h->graph.rooms = 1;
    while (h->graph.rooms < rooms) {
        const uint32_t parent = below(h, h->graph.rooms);
        oct_vec slot = h->room[parent].slot;
        // Two of three go sideways.
        const uint32_t way = below(h, 6);
        int32_t *const along = way < 2 ? &slot.x : way < 4 ? &slot.z : &slot.y;
        const int32_t most = way < 2 ? lattice.x : way < 4 ? lattice.z : lattice.y;
        *along += way % 2 ? 1 : -1;
        if (*along >= 0 && *along < most && room_in(h, slot) < 0) {
            h->room[h->graph.rooms++] = (house_room){.slot = slot, .parent = (uint8_t)parent};
        }
    }
}

// Slots that are not used at the lattice's sides are left out.
static void size_rooms(house *h, oct_vec lattice)
{
    int32_t begin[3][HOUSE_SIDE + 1];
    int32_t *const sizes[3] = {&h->size.x, &h->size.y, &h->size.z};
    const int32_t counts[3] = {lattice.x, lattice.y, lattice.z};
    for (int axis = 0; axis < 3; axis++) {
        begin[axis][0] = 1;
        *sizes[axis] = 1;
        for (int32_t i = 0; i < counts[axis]; i++) {
            bool used = false;
            for (uint32_t k = 0; k < h->graph.rooms; k++) {
                used |= house_along(h->room[k].slot, axis) == i;
            }
            const int32_t width = axis == 1 ? 2 : oct_random_range(&h->random, 2, 4);
            begin[axis][i + 1] = begin[axis][i] + (used ? width + 1 : 0);
            *sizes[axis] += used ? width + 1 : 0;
        }
    }
    for (uint32_t k = 0; k < h->graph.rooms; k++) {
        const oct_vec s = h->room[k].slot;
        h->room[k].cells =
            (oct_box){{begin[0][s.x], begin[1][s.y], begin[2][s.z]},
                      {begin[0][s.x + 1] - 1, begin[1][s.y + 1] - 1, begin[2][s.z + 1] - 1}};
    }
}

void oct_house_draw_rooms(house *h, uint32_t rooms)
{
    const oct_vec lattice = lattice_for(h, rooms);
    grow(h, lattice, rooms);
    size_rooms(h, lattice);
    h->pairs = 0;
    for (uint32_t a = 0; a < rooms; a++) {
        for (uint8_t axis = 0; axis < 3; axis++) {
            const int b = room_in(h, house_moved(h->room[a].slot, axis, 1));
            if (b >= 0) {
                const bool tree = h->room[b].parent == a || h->room[a].parent == b;
                h->pair[h->pairs++] = (house_pair){
                    .a = (uint8_t)a, .b = (uint8_t)b, .axis = axis, .tree = tree, .openings = 1};
            }
        }
    }
}

house_pair *oct_house_parent_pair(house *h, uint32_t room)
{
    const uint32_t parent = h->room[room].parent;
    house_pair *pair = h->pair;
    while (!((pair->a == room && pair->b == parent) || (pair->b == room && pair->a == parent))) {
        pair++;
    }
    return pair;
}

// ---- walls ----

static void shuffle(house *h, uint8_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        order[i] = (uint8_t)i;
    }
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t k = below(h, i);
        const uint8_t other = order[k];
        order[k] = order[i - 1];
        order[i - 1] = other;
    }
}

// Gives doors to walls of one sort; returns how many are left.
static uint32_t give_doors(house *h, const uint8_t *order, bool tree, uint32_t doors)
{
    for (uint32_t i = 0; i < h->pairs && doors > 0; i++) {
        house_pair *const pair = &h->pair[order[i]];
        if (pair->wall == HOUSE_UNDECIDED && pair->tree == tree) {
            pair->wall = HOUSE_DOOR;
            doors--;
        }
    }
    return doors;
}

bool oct_house_draw_walls(house *h, uint32_t doors)
{
    uint8_t order[HOUSE_PAIRS_MAX];
    uint32_t left = doors;
    shuffle(h, order, h->pairs);
    for (uint32_t i = 0; i < h->pairs; i++) {
        const uint32_t forced = h->pair[i].wall == HOUSE_DOOR;
        if (forced > left) {
            return false;
        }
        left -= forced;
    }
    const uint32_t aside = below(h, left / 3 + 1);
    left = give_doors(h, order, true, left - aside) + aside;
    left = give_doors(h, order, false, left);
    left = give_doors(h, order, true, left);
    for (uint32_t i = 0; i < h->pairs; i++) {
        house_pair *const pair = &h->pair[order[i]];
        if (left > 0 && pair->wall == HOUSE_DOOR && !pair->forced) {
            pair->openings = 2;
            left--;
        }
        if (pair->wall == HOUSE_UNDECIDED) {
            pair->wall = pair->tree || below(h, FREE_WALLS) == 0 ? HOUSE_FREE : HOUSE_NOTHING;
        }
    }
    h->graph.doors = 0;
    for (uint32_t i = 0; i < h->pairs; i++) {
        house_pair *const pair = &h->pair[order[i]];
        if (pair->wall == HOUSE_DOOR) {
            pair->door = (uint8_t)h->graph.doors;
            h->graph.doors += pair->openings;
        }
    }
    return left == 0;
}

// ---- cells ----

// Where an opening can be: in the wall, at the floor's height; of a ceiling anywhere.
static oct_vec draw_opening(house *h, const house_pair *pair)
{
    const oct_box a = h->room[pair->a].cells;
    oct_vec c = {oct_random_range(&h->random, a.min.x, a.max.x - 1), a.min.y,
                 oct_random_range(&h->random, a.min.z, a.max.z - 1)};
    *(pair->axis == 0 ? &c.x : pair->axis == 1 ? &c.y : &c.z) = house_along(a.max, pair->axis);
    return c;
}

static void carve_opening(house *h, const house_pair *pair, uint32_t door)
{
    static const uint8_t forward[3] = {OCT_SIDE_RIGHT, OCT_SIDE_UP, OCT_SIDE_BACKWARD};
    oct_vec c = draw_opening(h, pair);
    while (h->cells[house_index(h, c)] != CELL_ARMOUR) {
        c = draw_opening(h, pair);
    }
    const bool has_door = pair->wall == HOUSE_DOOR;
    h->cells[house_index(h, c)] = has_door ? CELL_DOOR : CELL_KEEP;
    h->cells[house_index(h, house_moved(c, pair->axis, -1))] = CELL_KEEP;
    h->cells[house_index(h, house_moved(c, pair->axis, 1))] = CELL_KEEP;
    h->graph.way[h->graph.ways++] =
        (puzzle_way){pair->a, pair->b, has_door ? (uint8_t)door : PUZZLE_NONE};
    if (has_door) {
        h->door[door] = (house_thing){c, forward[pair->axis]};
    }
}

void oct_house_carve(house *h)
{
    memset(h->cells, CELL_ARMOUR, sizeof h->cells);
    h->graph.ways = 0;
    for (uint32_t i = 0; i < h->graph.rooms; i++) {
        const oct_box box = h->room[i].cells;
        for (oct_vec c = box.min; c.z < box.max.z; c.z++) {
            for (c.y = box.min.y; c.y < box.max.y; c.y++) {
                for (c.x = box.min.x; c.x < box.max.x; c.x++) {
                    h->cells[house_index(h, c)] = CELL_FREE;
                }
            }
        }
    }
    for (uint32_t i = 0; i < h->pairs; i++) {
        const house_pair *const pair = &h->pair[i];
        if (pair->wall == HOUSE_FREE || pair->wall == HOUSE_DOOR) {
            for (uint32_t k = 0; k < pair->openings; k++) {
                carve_opening(h, pair, pair->door + k);
            }
        }
    }
}

// ---- things ----

// Cell `i` of a room's floor.
static oct_vec floor_cell(const house_room *room, uint32_t i)
{
    const uint32_t width = (uint32_t)(room->cells.max.x - room->cells.min.x);
    return (oct_vec){room->cells.min.x + (int32_t)(i % width), room->cells.min.y,
                     room->cells.min.z + (int32_t)(i / width)};
}

static uint32_t floor_cells(const house_room *room)
{
    return (uint32_t)((room->cells.max.x - room->cells.min.x) *
                      (room->cells.max.z - room->cells.min.z));
}

bool oct_house_place(house *h, uint32_t room, house_thing *out)
{
    static const struct {
        uint8_t forward, axis;
        int8_t by;
    } fronts[4] = {{OCT_SIDE_RIGHT, 0, 1},
                   {OCT_SIDE_LEFT, 0, -1},
                   {OCT_SIDE_BACKWARD, 2, 1},
                   {OCT_SIDE_FORWARD, 2, -1}};
    const uint32_t count = 4 * floor_cells(&h->room[room]);
    const uint32_t first = below(h, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = (first + i) % count;
        const oct_vec c = floor_cell(&h->room[room], at / 4);
        const uint8_t axis = fronts[at % 4].axis;
        uint8_t *const front = &h->cells[house_index(h, house_moved(c, axis, fronts[at % 4].by))];
        const uint8_t back = h->cells[house_index(h, house_moved(c, axis, -fronts[at % 4].by))];
        if (h->cells[house_index(h, c)] == CELL_FREE && back == CELL_ARMOUR &&
            (*front == CELL_FREE || *front == CELL_KEEP)) {
            h->cells[house_index(h, c)] = CELL_TAKEN;
            *front = CELL_KEEP;
            *out = (house_thing){c, fronts[at % 4].forward};
            return true;
        }
    }
    return false;
}

void oct_house_place_start(house *h, uint32_t room)
{
    static const uint8_t sides[4] = {OCT_SIDE_FORWARD, OCT_SIDE_BACKWARD, OCT_SIDE_LEFT,
                                     OCT_SIDE_RIGHT};
    const oct_vec c = floor_cell(&h->room[room], below(h, floor_cells(&h->room[room])));
    OCT_ASSERT(h->cells[house_index(h, c)] != CELL_TAKEN);
    h->start = (house_thing){c, sides[below(h, 4)]};
    h->cells[house_index(h, c)] = CELL_KEEP;
}

// ---- distance ----

void oct_house_measure(house *h, uint32_t door)
{
    uint32_t count = 0;
    memset(h->steps, 0, sizeof h->steps);
    h->queue[count++] = h->door[door].cell;
    h->steps[house_index(h, h->door[door].cell)] = 1;
    for (uint32_t i = 0; i < count; i++) {
        const oct_vec at = h->queue[i];
        for (int k = 0; k < 27; k++) {
            // The hull is armour: nobody looks beyond it.
            const oct_vec next = {at.x + k % 3 - 1, at.y + k / 3 % 3 - 1, at.z + k / 9 - 1};
            const uint32_t to = house_index(h, next);
            if (h->cells[to] != CELL_ARMOUR && h->steps[to] == 0) {
                h->steps[to] = (uint16_t)(h->steps[house_index(h, at)] + 1);
                h->queue[count++] = next;
            }
        }
    }
}
