// SPDX-License-Identifier: MIT
// What moves by itself: timers, doors, grids that drift; and what buttons do.
//
// Doors under way stand in a list without order, since each moves for itself. Timers that wait
// stand in a binary heap by the tick in which they fire, then by their place in the world; each
// knows where it stands there, so that one that is stopped leaves nothing behind.
#include "game/block_internal.h"

#include <math.h>

// ---- timers ----

static bool fires_before(const block_world *g, uint32_t a, uint32_t b)
{
    const uint64_t due_a = block_at(g, a)->is.timer.due, due_b = block_at(g, b)->is.timer.due;
    return due_a < due_b || (due_a == due_b && a < b);
}

static void put_timer(block_world *g, uint32_t slot, uint32_t timer)
{
    ((uint32_t *)g->waiting.items)[slot] = timer;
    block_at(g, timer)->is.timer.heaped = slot;
}

// Sets a timer where it belongs, from a slot of the heap on that is free.
static void settle_timer(block_world *g, uint32_t slot, uint32_t timer)
{
    const uint32_t *const heap = g->waiting.items;
    const uint32_t count = (uint32_t)g->waiting.count;
    while (slot > 0 && fires_before(g, timer, heap[(slot - 1u) / 2u])) {
        put_timer(g, slot, heap[(slot - 1u) / 2u]);
        slot = (slot - 1u) / 2u;
    }
    for (uint32_t child = 2u * slot + 1u; child < count; child = 2u * slot + 1u) {
        child += child + 1u < count && fires_before(g, heap[child + 1u], heap[child]);
        if (!fires_before(g, heap[child], timer)) {
            break;
        }
        put_timer(g, slot, heap[child]);
        slot = child;
    }
    put_timer(g, slot, timer);
}

static void start_timer(block_world *g, uint32_t index)
{
    timer_state *const t = &block_at(g, index)->is.timer;
    if (t->heaped == BLOCK_NONE) {
        t->due = g->tick + t->delay;
        g->waiting.count++; // there is room for all
        settle_timer(g, (uint32_t)g->waiting.count - 1u, index);
    }
}

static void stop_timer(block_world *g, uint32_t index)
{
    timer_state *const t = &block_at(g, index)->is.timer;
    if (t->heaped == BLOCK_NONE) {
        return;
    }
    const uint32_t slot = t->heaped;
    const uint32_t last = ((const uint32_t *)g->waiting.items)[--g->waiting.count];
    t->heaped = BLOCK_NONE;
    if (last != index) {
        settle_timer(g, slot, last);
    }
}

// ---- doors ----

// Along which axis of its frame a door's leaf slides, and whether upwards on it. A placed one goes
// to its own right; of a plain box nobody knows where that is: the longer of its sides that are
// not up, x before y before z.
static int leaf_axis(const block_world *g, const block *b, bool *up)
{
    if (!b->placed) {
        const double sides[3] = {b->box.max.x - b->box.min.x, b->box.max.y - b->box.min.y,
                                 b->box.max.z - b->box.min.z};
        const int first = g->up == OCT_UP_X ? 1 : 0, second = g->up == OCT_UP_Z ? 1 : 2;
        *up = true;
        return sides[second] > sides[first] ? second : first;
    }
    // forward x up, where right, up and back are x, y and z.
    static const int8_t sides[OCT_SIDE_COUNT][3] = {{0, 0, -1}, {0, 0, 1}, {-1, 0, 0},
                                                    {1, 0, 0},  {0, 1, 0}, {0, -1, 0}};
    const int8_t *const f = sides[b->forward], *const u = sides[b->up];
    const int right[3] = {f[1] * u[2] - f[2] * u[1], f[2] * u[0] - f[0] * u[2],
                          f[0] * u[1] - f[1] * u[0]};
    const int axis = right[0] != 0 ? 0 : right[1] != 0 ? 1 : 2;
    *up = right[axis] > 0;
    return axis;
}

void oct_block_set_leaf(block_world *g, const block *door)
{
    if (door->is.door.opened == g->door_ticks) {
        oct_solids_set(g->solids, door->solid, NULL);
        return;
    }
    oct_bounds leaf = oct_solids_home(g->solids, door->solid);
    double *const lo[3] = {&leaf.min.x, &leaf.min.y, &leaf.min.z};
    double *const hi[3] = {&leaf.max.x, &leaf.max.y, &leaf.max.z};
    bool up;
    const int axis = leaf_axis(g, door, &up);
    const double slid = (*hi[axis] - *lo[axis]) * (door->is.door.opened / (double)g->door_ticks);
    // What has slid out of the doorway is in the wall beside it, and in nobody's way.
    if (up) {
        *lo[axis] += slid;
    } else {
        *hi[axis] -= slid;
    }
    oct_solids_set(g->solids, door->solid, &leaf);
}

bool oct_block_meets_body(const block_world *g, const block *b)
{
    const oct_bounds home = oct_solids_home(g->solids, b->solid);
    const oct_point to = {(home.max.x - home.min.x) / 2.0, (home.max.y - home.min.y) / 2.0,
                          (home.max.z - home.min.z) / 2.0};
    const oct_point middle =
        oct_solids_to_world(g->solids, frame_of(b),
                            (oct_point){home.min.x + to.x, home.min.y + to.y, home.min.z + to.z});
    // A body and a home whose balls are apart do not meet.
    const double apart = sqrt(to.x * to.x + to.y * to.y + to.z * to.z) + OCT_BLOCK_WORLD_HEIGHT;
    for (uint32_t i = 0; i < g->players.count; i++) {
        const body *const each = &player_at(g, i)->body;
        const double x = each->centre.x - middle.x, y = each->centre.y - middle.y,
                     z = each->centre.z - middle.z;
        if (x * x + y * y + z * z > apart * apart) {
            continue;
        }
        const capsule c = oct_body_capsule(each);
        if (oct_solids_gap_to(g->solids, b->solid, &c, 1.0) < BLOCK_WORLD_TOUCH) {
            return true;
        }
    }
    return false;
}

static void unlist_door(block_world *g, door_state *door)
{
    uint32_t *const list = g->moving.items;
    const uint32_t last = list[--g->moving.count];
    list[door->listed] = last;
    block_at(g, last)->is.door.listed = door->listed;
    door->listed = BLOCK_NONE;
}

static void set_door(block_world *g, uint32_t index, bool opens)
{
    door_state *const door = &block_at(g, index)->is.door;
    door->opens = opens;
    if (door->listed == BLOCK_NONE && door->opened != (opens ? g->door_ticks : 0u)) {
        door->listed = (uint32_t)g->moving.count++; // there is room for all
        ((uint32_t *)g->moving.items)[door->listed] = index;
    }
}

// False where it has arrived.
static bool move_door(block_world *g, block *b)
{
    door_state *const door = &b->is.door;
    if (door->opens) {
        door->opened += door->opened < g->door_ticks;
        oct_block_set_leaf(g, b);
        return door->opened < g->door_ticks;
    }
    if (door->opened > 0) {
        door->opened--;
        oct_block_set_leaf(g, b);
        if (oct_block_meets_body(g, b)) {
            door->opened++;
            oct_block_set_leaf(g, b);
        }
    }
    return door->opened > 0;
}

void oct_block_tick_doors(block_world *g)
{
    for (uint32_t i = 0; i < g->moving.count;) {
        block *const b = block_at(g, ((const uint32_t *)g->moving.items)[i]);
        if (move_door(g, b)) {
            i++;
        } else {
            unlist_door(g, &b->is.door); // another one takes its place in the list
        }
    }
}

// ---- wires ----

static void take_effect(block_world *g, const effect *e)
{
    const block *const b = block_at(g, e->block);
    if (b->gone) {
        return;
    }
    if (b->kind == OCT_KIND_DOOR && e->action <= OCT_WIRE_SHUT) {
        set_door(g, e->block,
                 e->action == OCT_WIRE_TOGGLE ? !b->is.door.opens : e->action == OCT_WIRE_OPEN);
    } else if (b->kind == OCT_KIND_TIMER && e->action == OCT_WIRE_START) {
        start_timer(g, e->block);
    } else if (b->kind == OCT_KIND_TIMER && e->action == OCT_WIRE_STOP) {
        stop_timer(g, e->block);
    }
}

void oct_block_press(block_world *g, const block *panel, uint32_t button)
{
    const effect *const effects = g->effects.items;
    for (uint32_t i = 0; i < panel->is.panel.count; i++) {
        if (effects[panel->is.panel.effects + i].slot == button) {
            take_effect(g, &effects[panel->is.panel.effects + i]);
        }
    }
}

// Those that are due together fire in the order of the world. What they start fires a tick later at
// the earliest: however timers start each other, this ends.
void oct_block_tick_timers(block_world *g)
{
    while (g->waiting.count > 0) {
        const uint32_t first = *(const uint32_t *)g->waiting.items;
        const timer_state *const t = &block_at(g, first)->is.timer;
        if (t->due > g->tick) {
            return;
        }
        stop_timer(g, first);
        for (uint32_t i = 0; i < t->count; i++) {
            take_effect(g, (const effect *)g->effects.items + t->effects + i);
        }
    }
}

void oct_block_stop(block_world *g, uint32_t index)
{
    block *const b = block_at(g, index);
    if (b->kind == OCT_KIND_TIMER) {
        stop_timer(g, index);
    } else if (b->kind == OCT_KIND_DOOR && b->is.door.listed != BLOCK_NONE) {
        unlist_door(g, &b->is.door);
    }
}

// ---- grids that drift ----

oct_point oct_block_offset(const rigid *r)
{
    return (oct_point){r->direction.x * r->at, r->direction.y * r->at, r->direction.z * r->at};
}

oct_point oct_block_drift(const rigid *r)
{
    const double speed = r->waits ? 0.0 : (r->returns ? -r->step : r->step) * OCT_BLOCK_WORLD_RATE;
    return (oct_point){r->direction.x * speed, r->direction.y * speed, r->direction.z * speed};
}

static oct_point origin_of(const rigid *r)
{
    const oct_point from = r->grid.pose.position, by = oct_block_offset(r);
    return (oct_point){from.x + by.x, from.y + by.y, from.z + by.z};
}

// Moves all who are in a frame's way, or nobody where one of them cannot.
static bool push_bodies(block_world *g, uint32_t frame, oct_point by)
{
    body *const saved = g->saved.items;
    for (uint32_t i = 0; i < g->players.count; i++) {
        body *const b = &player_at(g, i)->body;
        saved[i] = *b;
        if (!oct_body_push(g->solids, frame, by, b)) {
            while (i > 0) {
                i--;
                player_at(g, i)->body = saved[i];
            }
            return false;
        }
    }
    return true;
}

static void move_grid(block_world *g, uint32_t index)
{
    rigid *const r = rigid_at(g, index);
    const rigid was = *r;
    const oct_point from = origin_of(r);
    // Who is nearly there is there: the sum of many steps is not exact, and must not take one more.
    const double nearly = r->step * 0x1p-20;
    r->at += r->returns ? -r->step : r->step;
    if (r->returns ? r->at <= nearly : r->at >= r->grid.range - nearly) {
        r->returns = !r->returns;
        r->at = r->returns ? r->grid.range : 0.0;
    }
    const oct_point to = origin_of(r);
    const oct_point by = {to.x - from.x, to.y - from.y, to.z - from.z};
    if (push_bodies(g, index + 1u, by)) {
        oct_solids_move_frame(g->solids, index + 1u, to);
        r->waits = false;
    } else {
        *r = was;
        r->waits = true;
    }
}

void oct_block_tick_grids(block_world *g)
{
    const uint32_t *const drifting = g->drifting.items;
    for (size_t i = 0; i < g->drifting.count; i++) {
        move_grid(g, drifting[i]);
    }
}
