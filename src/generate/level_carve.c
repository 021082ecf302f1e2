// SPDX-License-Identifier: MIT
// The building of a level, cell by cell: rooms, openings, and where everything stands.
//
// The row of rooms lies along x and begins at cell 0 0 0; rooms beside it are at smaller or larger
// z. Walls, floors and ceilings are one cell thick.
#include "generate/level.h"

// What rooms, niches and the hull may take beyond the rooms on each side, cells.
#define MARGIN 5

static uint8_t *cell_at(const level *l, oct_vec c)
{
    const oct_vec at = {c.x - l->origin.x, c.y - l->origin.y, c.z - l->origin.z};
    return &l->cells[((size_t)at.z * (size_t)l->size.y + (size_t)at.y) * (size_t)l->size.x +
                     (size_t)at.x];
}

static oct_vec moved(oct_vec c, int32_t x, int32_t y, int32_t z)
{
    return (oct_vec){c.x + x, c.y + y, c.z + z};
}

// ---- rooms ----

static void lay_out(level *l)
{
    int32_t x = 0;
    for (uint32_t i = 0; i < l->row_count; i++) {
        level_room *const room = &l->room[l->row[i]];
        room->cells = (oct_box){{x, 0, 0}, {x + room->w, 2, room->d}};
        x += room->w + 1;
    }
    if (l->house != LEVEL_NONE) { // the opening of the hall is a third of its height up
        oct_box *const hall = &l->room[l->room[l->house].host].cells;
        hall->min.y = -LEVEL_HALL / 3;
        hall->max.y = hall->min.y + LEVEL_HALL;
    }
    for (uint32_t i = 0; i < l->rooms; i++) {
        level_room *const room = &l->room[i];
        if (room->side == LEVEL_ROW) {
            continue;
        }
        room->cells = l->room[room->host].cells;
        if (room->side == LEVEL_HOUSE) {
            continue;
        }
        if (room->side == LEVEL_NORTH) {
            room->cells.max.z = -1;
            room->cells.min.z = -1 - room->d;
        } else if (room->side == LEVEL_SOUTH) {
            room->cells.min.z = room->cells.max.z + 1;
            room->cells.max.z = room->cells.min.z + room->d;
        } else {
            room->cells.min.y = 2 + room->rise;
            room->cells.max.y = room->cells.min.y + 2;
        }
    }
}

static oct_result make_cells(level *l)
{
    oct_box all = l->room[0].cells;
    for (uint32_t i = 1; i < l->rooms; i++) {
        const oct_box each = l->room[i].cells;
        all.min.z = each.min.z < all.min.z ? each.min.z : all.min.z;
        all.max.x = each.max.x > all.max.x ? each.max.x : all.max.x;
        all.max.y = each.max.y > all.max.y ? each.max.y : all.max.y;
        all.max.z = each.max.z > all.max.z ? each.max.z : all.max.z;
    }
    l->origin = moved(all.min, -MARGIN, -MARGIN, -MARGIN);
    l->size = (oct_vec){all.max.x - l->origin.x + MARGIN, all.max.y - l->origin.y + MARGIN,
                        all.max.z - l->origin.z + MARGIN};
    const size_t bytes = (size_t)l->size.x * (size_t)l->size.y * (size_t)l->size.z;
    l->cells = oct_alloc(&l->allocator, bytes, 1);
    if (!l->cells) {
        return OCT_ERROR_MEMORY;
    }
    memset(l->cells, LEVEL_CELL_SOLID, bytes);
    return OCT_OK;
}

static void fill(level *l, oct_box box, uint8_t value)
{
    for (oct_vec c = box.min; c.z < box.max.z; c.z++) {
        for (c.y = box.min.y; c.y < box.max.y; c.y++) {
            for (c.x = box.min.x; c.x < box.max.x; c.x++) {
                *cell_at(l, c) = value;
            }
        }
    }
}

// ---- openings ----

static int32_t lesser(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t draw_range(level *l, int32_t lo, int32_t end)
{
    return oct_random_range(&l->random, lo, end - 1);
}

static void carve_row_opening(level *l, level_room *room)
{
    const oct_box host = l->room[room->host].cells;
    const int32_t wide = room->opening == LEVEL_WIDE_DOOR;
    room->way = (oct_vec){room->cells.min.x - 1, 0,
                          draw_range(l, 0, lesser(host.max.z, room->cells.max.z) - wide)};
    for (int32_t i = 0; i <= wide; i++) {
        for (int32_t x = -1; x <= 1; x++) {
            *cell_at(l, moved(room->way, x, 0, i)) = LEVEL_CELL_KEPT;
        }
    }
}

static void carve_side_opening(level *l, level_room *room)
{
    const oct_box host = l->room[room->host].cells;
    const int32_t x = draw_range(l, host.min.x, host.max.x);
    room->way = (oct_vec){x, 0, room->side == LEVEL_NORTH ? -1 : host.max.z};
    for (int32_t z = -1; z <= 1; z++) {
        *cell_at(l, moved(room->way, 0, 0, z)) = LEVEL_CELL_KEPT;
    }
}

static void carve_shaft(level *l, level_room *room)
{
    const oct_box host = l->room[room->host].cells;
    const int32_t x = draw_range(l, host.min.x, host.max.x);
    room->way = (oct_vec){x, 2, draw_range(l, host.min.z, host.max.z)};
    for (int32_t y = -1; y <= room->rise; y++) {
        *cell_at(l, moved(room->way, 0, y, 0)) = LEVEL_CELL_KEPT;
    }
}

static void carve_rooms(level *l)
{
    for (uint32_t i = 0; i < l->rooms; i++) {
        fill(l, l->room[i].cells, LEVEL_CELL_FREE);
    }
    for (uint32_t i = 0; i < l->rooms; i++) {
        level_room *const room = &l->room[i];
        if (room->host == LEVEL_NONE || room->opening == LEVEL_WALL) {
            continue;
        }
        if (room->side == LEVEL_HOUSE) {
            room->way = (oct_vec){0, LEVEL_HOUSE_WIDE / 2, LEVEL_HOUSE_WIDE / 2};
            continue;
        }
        if (room->side == LEVEL_ROW) {
            carve_row_opening(l, room);
        } else if (room->side == LEVEL_ABOVE) {
            carve_shaft(l, room);
        } else {
            carve_side_opening(l, room);
        }
        if (room->opening == LEVEL_DOOR || room->opening == LEVEL_WIDE_DOOR) {
            *cell_at(l, room->way) = LEVEL_CELL_TAKEN;
            if (room->opening == LEVEL_WIDE_DOOR) {
                *cell_at(l, moved(room->way, 0, 0, 1)) = LEVEL_CELL_TAKEN;
            }
        }
    }
}

// ---- things before walls ----

typedef struct front {
    uint8_t forward; // oct_side
    int8_t x, z;
} front;

static const front fronts[4] = {{OCT_SIDE_RIGHT, 1, 0},
                                {OCT_SIDE_LEFT, -1, 0},
                                {OCT_SIDE_BACKWARD, 0, 1},
                                {OCT_SIDE_FORWARD, 0, -1}};

// Whether something can stand in a cell of a floor with its back to a wall; then it does. Glass
// before it must not stand in a way.
static bool stand(level *l, oct_vec c, const front *f, bool has_glass)
{
    uint8_t *const before = cell_at(l, moved(c, f->x, 0, f->z));
    if (*cell_at(l, c) != LEVEL_CELL_FREE ||
        *cell_at(l, moved(c, -f->x, 0, -f->z)) != LEVEL_CELL_SOLID ||
        !(*before == LEVEL_CELL_FREE || (*before == LEVEL_CELL_KEPT && !has_glass))) {
        return false;
    }
    *cell_at(l, c) = LEVEL_CELL_TAKEN;
    *before = has_glass ? LEVEL_CELL_GLASS : LEVEL_CELL_KEPT;
    return true;
}

static bool place_anywhere(level *l, uint32_t room, bool has_glass, oct_vec *cell, uint8_t *forward)
{
    const oct_box box = l->room[room].cells;
    const uint32_t w = (uint32_t)(box.max.x - box.min.x), d = (uint32_t)(box.max.z - box.min.z);
    const uint32_t count = 4u * w * d, first = oct_level_below(l, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = (first + i) % count;
        *cell = moved(box.min, (int32_t)(at / 4u % w), 0, (int32_t)(at / 4u / w));
        *forward = fronts[at % 4u].forward;
        if (stand(l, *cell, &fronts[at % 4u], has_glass)) {
            return true;
        }
    }
    return false;
}

static bool place_far(level *l, level_panel *panel)
{
    const oct_box box = l->room[panel->room].cells;
    panel->forward = OCT_SIDE_RIGHT;
    for (int32_t z = 0; z < box.max.z; z++) {
        panel->cell = (oct_vec){box.min.x, 0, z};
        if (stand(l, panel->cell, &fronts[0], false)) {
            return true;
        }
    }
    return false;
}

// Beside the door to the next room of the row, with its back to the same wall.
static bool place_by_door(level *l, level_panel *panel)
{
    const level_room *const next = &l->room[l->row[l->room[panel->room].place + 1u]];
    const int32_t after = next->opening == LEVEL_WIDE_DOOR ? 2 : 1;
    const int32_t first = oct_level_chance(l, 2) ? -1 : after;
    panel->forward = OCT_SIDE_LEFT;
    panel->cell = moved(next->way, -1, 0, first);
    if (stand(l, panel->cell, &fronts[1], false)) {
        return true;
    }
    panel->cell = moved(next->way, -1, 0, after - 1 - first);
    return stand(l, panel->cell, &fronts[1], false);
}

// At the end of a niche in a wall with nothing behind it; a pane closes one of a cell.
static bool place_in_niche(level *l, level_panel *panel)
{
    const oct_box box = l->room[panel->room].cells;
    const int32_t depth = panel->style == LEVEL_NICHE ? 2 : 1;
    const uint32_t w = (uint32_t)(box.max.x - box.min.x);
    const uint32_t first = oct_level_below(l, 2u * w);
    const int32_t y = panel->style == LEVEL_NICHE ? (int32_t)oct_level_below(l, 2) : 0;
    for (uint32_t i = 0; i < 2u * w; i++) {
        const bool is_north = (first + i) % (2u * w) < w;
        const int32_t step = is_north ? -1 : 1;
        const oct_vec mouth = {box.min.x + (int32_t)((first + i) % w), y,
                               is_north ? box.min.z - 1 : box.max.z};
        const uint8_t inside = *cell_at(l, moved(mouth, 0, 0, -step));
        bool fits = inside == LEVEL_CELL_FREE || inside == LEVEL_CELL_KEPT;
        for (int32_t k = 0; k <= depth + 1; k++) {
            for (int32_t x = -1; x <= 1; x++) {
                fits = fits && *cell_at(l, moved(mouth, x, 0, step * k)) == LEVEL_CELL_SOLID;
            }
        }
        if (fits) {
            *cell_at(l, moved(mouth, 0, 0, -step)) = LEVEL_CELL_KEPT;
            for (int32_t k = 0; k < depth; k++) {
                *cell_at(l, moved(mouth, 0, 0, step * k)) =
                    panel->style == LEVEL_NICHE ? LEVEL_CELL_KEPT : LEVEL_CELL_GLASS;
            }
            panel->cell = moved(mouth, 0, 0, step * depth);
            panel->forward = is_north ? OCT_SIDE_BACKWARD : OCT_SIDE_FORWARD;
            *cell_at(l, panel->cell) = LEVEL_CELL_TAKEN;
            return true;
        }
    }
    return false;
}

static bool place_panel(level *l, level_panel *panel)
{
    switch (panel->style) {
    case LEVEL_NICHE:
    case LEVEL_CASED:
        return place_in_niche(l, panel);
    case LEVEL_AFLOAT: // above what stands on the floor, along the far wall
        panel->cell = moved(l->room[panel->room].cells.min, 1, 1, l->room[panel->room].d - 1);
        panel->forward = OCT_SIDE_FORWARD;
        return true;
    default:
        break;
    }
    if (panel->spot == LEVEL_FAR) {
        return place_far(l, panel);
    }
    if (panel->spot == LEVEL_BY_DOOR) {
        return place_by_door(l, panel);
    }
    return place_anywhere(l, panel->room, panel->style == LEVEL_BESIDE, &panel->cell,
                          &panel->forward);
}

static bool place_panels(level *l)
{
    // Those with a spot of their own first.
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < l->panels; i++) {
            level_panel *const panel = &l->panel[i];
            const bool is_picky = panel->spot != LEVEL_ANYWHERE || panel->style != LEVEL_PLAIN;
            if (is_picky == (pass == 0) && !place_panel(l, panel)) {
                return false;
            }
        }
    }
    return true;
}

// The house stands in the middle of its hall.
static void place_house(level *l)
{
    const oct_box hall = l->room[l->room[l->house].host].cells;
    const oct_point middle = oct_level_to_world(
        l, (oct_point){(hall.min.x + hall.max.x - 1) / 2.0, (hall.min.y + hall.max.y - 1) / 2.0,
                       (hall.min.z + hall.max.z - 1) / 2.0});
    const oct_pose own = {{0, 0, 0}, l->house_pose.forward, l->house_pose.up};
    const oct_point half = {(LEVEL_HOUSE_LONG - 1) / 2.0, (LEVEL_HOUSE_WIDE - 1) / 2.0,
                            (LEVEL_HOUSE_WIDE - 1) / 2.0};
    const oct_point from = oct_level_on_grid(&own, half);
    l->house_pose.position = (oct_point){middle.x - from.x, middle.y - from.y, middle.z - from.z};
    l->target = (oct_vec){LEVEL_HOUSE_LONG - 2, LEVEL_HOUSE_WIDE / 2, LEVEL_HOUSE_WIDE / 2};
    l->target_forward = OCT_SIDE_LEFT;
}

static bool place_target(level *l)
{
    if (l->house != LEVEL_NONE) {
        place_house(l);
        return true;
    }
    return place_anywhere(l, l->target_room, false, &l->target, &l->target_forward);
}

// Cells of the first room in which nothing stands, one for each agent.
static bool place_starts(level *l)
{
    const oct_box box = l->room[l->start_room].cells;
    uint32_t placed = 0;
    for (oct_vec c = box.min; c.z < box.max.z; c.z++) {
        for (c.x = box.min.x; c.x < box.max.x && placed < l->agents; c.x++) {
            if (*cell_at(l, c) == LEVEL_CELL_FREE || *cell_at(l, c) == LEVEL_CELL_KEPT) {
                l->start[placed++] = c;
            }
        }
    }
    return placed == l->agents;
}

oct_result oct_level_carve(level *l, bool *done)
{
    lay_out(l);
    OCT_TRY(make_cells(l));
    carve_rooms(l);
    *done = place_panels(l) && place_target(l) && place_starts(l) && l->timers <= 2u * l->row_count;
    return OCT_OK;
}
