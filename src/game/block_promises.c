// SPDX-License-Identifier: MIT
// What a block world promises of itself: how long effects of a press may wait, whether presses add
// up, whether they may do together what none does alone, and where its space ends.
//
// Timers are looked at as a graph: a wire from one to another that starts it is an edge. Without a
// circle the longest way through it is the longest delay.
#include "game/block_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEVER UINT64_MAX
// Room around the hull of all blocks, metres: a body passes there whichever way it is turned.
#define ROOM 5.0
// Effects of one button that are followed. With more the world makes no promise.
#define EVENTS_MAX 4096u
// Effects on one door that come less than this apart may meet the door while it moves.
#define APART OCT_BLOCK_WORLD_RATE

// An effect of a button: what is reached, and when, ticks after the press.
typedef struct event {
    uint64_t tick;
    uint32_t block;
} event;

typedef struct promises {
    block_world *g;
    uint64_t *arrives; // of each block that is a timer: the latest tick after a press in which it
                       // may be started; NEVER = no button starts it
    uint32_t *waits;   // of each timer: wires from other timers that were not followed yet
    oct_array ready;   // of uint32_t: timers all of whose causes were followed
    oct_array events;  // of event
    bool has_circle, has_timers, has_others;
    bool may_meet;   // two effects of one button may come to a door while it moves
    uint64_t settle; // ticks
} promises;

// NULL where it does nothing.
static const effect *effects_of(const block_world *g, const block *b, uint32_t *count)
{
    const bool is_panel = b->kind == OCT_KIND_PANEL;
    const uint32_t first = is_panel ? b->is.panel.effects : b->is.timer.effects;
    *count = is_panel ? b->is.panel.count : b->is.timer.count;
    return *count > 0 ? (const effect *)g->effects.items + first : NULL;
}

static bool starts_timer(const block_world *g, const effect *e)
{
    return e->action == OCT_WIRE_START && block_at(g, e->block)->kind == OCT_KIND_TIMER;
}

// ---- the longest delay ----

// Looks at all wires once: which kinds there are, and what starts which timer.
static void count_wires(promises *p)
{
    const block_world *const g = p->g;
    for (uint32_t i = 0; i < g->blocks.count; i++) {
        const block *const b = block_at(g, i);
        uint32_t count = 0;
        const effect *const all = b->kind == OCT_KIND_PANEL || b->kind == OCT_KIND_TIMER
                                      ? effects_of(g, b, &count)
                                      : NULL;
        for (uint32_t j = 0; j < count; j++) {
            const uint8_t to = block_at(g, all[j].block)->kind;
            p->has_timers =
                p->has_timers || (to == OCT_KIND_TIMER && all[j].action >= OCT_WIRE_START &&
                                  all[j].action <= OCT_WIRE_STOP);
            p->has_others = p->has_others ||
                            (to == OCT_KIND_DOOR &&
                             (all[j].action == OCT_WIRE_OPEN || all[j].action == OCT_WIRE_SHUT));
            p->may_meet = p->may_meet || (to == OCT_KIND_TIMER && all[j].action == OCT_WIRE_STOP);
            if (b->kind == OCT_KIND_TIMER && starts_timer(g, &all[j])) {
                p->waits[all[j].block]++;
            }
        }
    }
}

static void arrive(promises *p, uint32_t timer, uint64_t tick)
{
    uint64_t *const at = &p->arrives[timer];
    *at = *at == NEVER || *at < tick ? tick : *at;
}

// Follows a timer whose causes were all followed.
static oct_result follow_timer(promises *p, uint32_t timer)
{
    const block_world *const g = p->g;
    const block *const b = block_at(g, timer);
    const bool is_started = p->arrives[timer] != NEVER;
    const uint64_t fires = is_started ? p->arrives[timer] + b->is.timer.delay : 0;
    uint32_t count;
    const effect *const all = effects_of(g, b, &count);
    p->settle = fires > p->settle ? fires : p->settle;
    for (uint32_t i = 0; i < count; i++) {
        if (!starts_timer(g, &all[i])) {
            continue;
        }
        if (is_started) {
            arrive(p, all[i].block, fires);
        }
        if (--p->waits[all[i].block] == 0) {
            OCT_TRY(oct_array_push(&p->ready, &g->allocator, sizeof(uint32_t), &all[i].block));
        }
    }
    return OCT_OK;
}

// In the order of causes; a timer that never becomes ready stands in a circle, or behind one.
static oct_result find_longest_delay(promises *p)
{
    const block_world *const g = p->g;
    size_t timers = 0, followed = 0;
    for (uint32_t i = 0; i < g->blocks.count; i++) {
        const block *const b = block_at(g, i);
        uint32_t count = 0;
        const effect *const all = b->kind == OCT_KIND_PANEL ? effects_of(g, b, &count) : NULL;
        for (uint32_t j = 0; j < count; j++) {
            if (starts_timer(g, &all[j])) {
                arrive(p, all[j].block, 0);
            }
        }
        timers += b->kind == OCT_KIND_TIMER;
        if (b->kind == OCT_KIND_TIMER && p->waits[i] == 0) {
            OCT_TRY(oct_array_push(&p->ready, &g->allocator, sizeof i, &i));
        }
    }
    for (; followed < p->ready.count; followed++) {
        OCT_TRY(follow_timer(p, ((const uint32_t *)p->ready.items)[followed]));
    }
    p->has_circle = followed < timers;
    return OCT_OK;
}

// ---- effects that meet ----

// Whether two effects come to one door less than a second apart.
static bool do_meet(const promises *p)
{
    const block_world *const g = p->g;
    const event *const all = p->events.items;
    for (size_t i = 0; i < p->events.count; i++) {
        for (size_t j = 0; j < i && block_at(g, all[i].block)->kind == OCT_KIND_DOOR; j++) {
            const uint64_t apart =
                all[i].tick > all[j].tick ? all[i].tick - all[j].tick : all[j].tick - all[i].tick;
            if (all[i].block == all[j].block && apart < APART) {
                return true;
            }
        }
    }
    return false;
}

// Adds what a block's wires of one slot (UINT32_MAX = all) reach at a tick.
static oct_result add_events(promises *p, const block *from, uint32_t slot, uint64_t tick)
{
    uint32_t count;
    const effect *const all = effects_of(p->g, from, &count);
    for (uint32_t i = 0; i < count && p->events.count < EVENTS_MAX; i++) {
        const event e = {tick, all[i].block};
        const uint8_t kind = block_at(p->g, e.block)->kind;
        const bool is_effect = (kind == OCT_KIND_DOOR && all[i].action <= OCT_WIRE_SHUT) ||
                               starts_timer(p->g, &all[i]);
        if (is_effect && (slot == UINT32_MAX || all[i].slot == slot)) {
            OCT_TRY(oct_array_push(&p->events, &p->g->allocator, sizeof e, &e));
        }
    }
    return OCT_OK;
}

static oct_result follow_button(promises *p, const block *panel, uint32_t slot)
{
    p->events.count = 0;
    OCT_TRY(add_events(p, panel, slot, 0));
    for (size_t i = 0; i < p->events.count && p->events.count < EVENTS_MAX; i++) {
        const event e = ((const event *)p->events.items)[i];
        const block *const b = block_at(p->g, e.block);
        if (b->kind == OCT_KIND_TIMER) {
            OCT_TRY(add_events(p, b, UINT32_MAX, e.tick + b->is.timer.delay));
        }
    }
    p->may_meet = p->may_meet || p->events.count >= EVENTS_MAX || do_meet(p);
    return OCT_OK;
}

static oct_result find_meetings(promises *p)
{
    const block_world *const g = p->g;
    for (uint32_t i = 0; i < g->blocks.count && !p->may_meet; i++) {
        const block *const b = block_at(g, i);
        uint32_t count = 0;
        const effect *const all = b->kind == OCT_KIND_PANEL ? effects_of(g, b, &count) : NULL;
        for (uint32_t j = 0; j < count && !p->may_meet; j++) {
            if (j == 0 || all[j].slot != all[j - 1].slot) {
                OCT_TRY(follow_button(p, b, all[j].slot));
            }
        }
    }
    return OCT_OK;
}

// ---- bounds ----

static void hold(oct_bounds *bounds, oct_point at)
{
    bounds->min = (oct_point){fmin(bounds->min.x, at.x), fmin(bounds->min.y, at.y),
                              fmin(bounds->min.z, at.z)};
    bounds->max = (oct_point){fmax(bounds->max.x, at.x), fmax(bounds->max.y, at.y),
                              fmax(bounds->max.z, at.z)};
}

// All that a block covers while its grid drifts there and back.
static void hold_block(const block_world *g, const block *b, oct_bounds *bounds)
{
    hold(bounds, b->box.min);
    hold(bounds, b->box.max);
    if (b->placed) {
        const rigid *const r = rigid_at(g, b->grid);
        const oct_point d = r->direction;
        const double range = r->grid.range;
        hold(bounds, (oct_point){b->box.min.x + d.x * range, b->box.min.y + d.y * range,
                                 b->box.min.z + d.z * range});
        hold(bounds, (oct_point){b->box.max.x + d.x * range, b->box.max.y + d.y * range,
                                 b->box.max.z + d.z * range});
    }
}

static oct_bounds find_bounds(const block_world *g)
{
    oct_bounds bounds = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    hold(&bounds, g->start.position);
    for (uint32_t i = 0; i < g->blocks.count; i++) {
        hold_block(g, block_at(g, i), &bounds);
    }
    return (oct_bounds){{bounds.min.x - ROOM, bounds.min.y - ROOM, bounds.min.z - ROOM},
                        {bounds.max.x + ROOM, bounds.max.y + ROOM, bounds.max.z + ROOM}};
}

// ---- the whole ----

// ---- names ----

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Whether no two blocks have one name, but for those without any.
static oct_result find_names(const block_world *g, bool *are_unique)
{
    const size_t size = (g->blocks.count + 1) * sizeof(const char *);
    const char **const names = oct_alloc(&g->allocator, size, _Alignof(const char *));
    if (!names) {
        return OCT_ERROR_MEMORY;
    }
    size_t count = 0;
    for (uint32_t i = 0; i < g->blocks.count; i++) {
        names[count] = block_at(g, i)->name;
        count += names[count][0] != '\0';
    }
    qsort(names, count, sizeof *names, compare_names);
    *are_unique = true;
    for (size_t i = 1; i < count; i++) {
        *are_unique = *are_unique && strcmp(names[i], names[i - 1]) != 0;
    }
    oct_free(&g->allocator, names, size);
    return OCT_OK;
}

static void write_promises(const promises *p, oct_game_info *info)
{
    info->has_settle = !p->has_circle;
    info->settle = p->has_circle ? 0 : p->settle;
    // Doors move by wires, timers too; what begins a chain of them is a press.
    info->promises =
        1u << OCT_ASSUME_CAUSES | (!p->has_timers && !p->has_others ? 1u << OCT_ASSUME_TOGGLES : 0);
    info->denies =
        (p->has_circle ? 1u << OCT_ASSUME_MEMORY : 0) | (p->may_meet ? 1u << OCT_ASSUME_ALONE : 0);
    info->repeats = true;
    info->has_bounds = p->g->has_start;
    info->bounds = info->has_bounds ? find_bounds(p->g) : (oct_bounds){0};
}

static oct_result find_promises(promises *p)
{
    count_wires(p);
    OCT_TRY(find_longest_delay(p));
    return p->has_circle ? OCT_OK : find_meetings(p);
}

oct_result oct_block_promise(block_world *g)
{
    const size_t count = g->blocks.count;
    promises p = {.g = g};
    p.arrives = oct_alloc(&g->allocator, (count + 1) * sizeof *p.arrives, _Alignof(uint64_t));
    p.waits = oct_alloc(&g->allocator, (count + 1) * sizeof *p.waits, _Alignof(uint32_t));
    oct_result result = p.arrives && p.waits ? OCT_OK : OCT_ERROR_MEMORY;
    if (result == OCT_OK) {
        memset(p.arrives, 0xff, (count + 1) * sizeof *p.arrives);
        memset(p.waits, 0, (count + 1) * sizeof *p.waits);
        result = find_promises(&p);
    }
    if (result == OCT_OK) {
        write_promises(&p, &g->info);
        result = find_names(g, &g->info.unique_names);
    }
    if (p.arrives) {
        oct_free(&g->allocator, p.arrives, (count + 1) * sizeof *p.arrives);
    }
    if (p.waits) {
        oct_free(&g->allocator, p.waits, (count + 1) * sizeof *p.waits);
    }
    oct_array_free(&p.ready, &g->allocator, sizeof(uint32_t));
    oct_array_free(&p.events, &g->allocator, sizeof(event));
    return result;
}
