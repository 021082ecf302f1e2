// SPDX-License-Identifier: MIT
// The limits of a state: steps, memory, and time as a net below them.
//
// A step is what an instruction of Lua costs. A hook counts instructions; C functions are charged
// for what they do, and memory for its bytes. An instruction on a long string may take as long as
// thousands: once a script has made one, every instruction costs more. So the number of steps
// bounds the time, and is the same in every run. Once it is exceeded the hook is called for every
// instruction and raises each time, so that no pcall keeps a script from ending.
//
// The clock is for what a hostile script finds all the same, such as keys that collide. The hook
// looks at it, more often where instructions take long.
#define _POSIX_C_SOURCE 200809L
#include "script/script_internal.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define HOOK_EVERY 100u
#define HOOK_OFTEN 10u     // where an instruction may take long
#define SLOW_NS 1000000u   // that HOOK_EVERY instructions take if they are slow
#define CHARGE_LOOK 1000u  // steps at once after which the clock is looked at
#define LONG_STRING 65536u // bytes
#define LONG_BYTES 512u    // of the longest string that make an instruction a step dearer
#define BYTES_A_STEP 32u   // that are copied in the time of one
#define NODE_BYTES 24u     // of a key and its value in a table
#define NODES_MAX 65536u   // of one table: their number, squared, is what colliding keys take
#define STRETCHES 10.0     // of time in all
#define DEEP 10000         // calls within calls, of which one says that they may not end

script_limits oct_script_limits_default(void)
{
    return (script_limits){
        .steps = UINT64_C(100000000), .memory = (size_t)64 << 20, .seconds = 10.0};
}

// ---- clocks ----

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;
    if (clock_gettime(clock, &now) != 0) {
        return 0;
    }
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

uint64_t oct_script_cpu(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

// The clock of a thread takes a system call. Where another one is cheap it tells whether some
// milliseconds have passed.
static bool is_time_to_look(host *h)
{
#ifdef CLOCK_MONOTONIC_COARSE
    const uint64_t now = read_clock(CLOCK_MONOTONIC_COARSE);
    const bool is = now != h->ticked;
    h->ticked = now;
    return is;
#else
    (void)h;
    return true;
#endif
}

// ---- steps ----

static void on_count(lua_State *L, lua_Debug *ar);

static void set_interval(host *h, uint32_t instructions)
{
    h->interval = instructions;
    lua_sethook(h->lua, on_count, LUA_MASKCOUNT, (int)instructions);
}

void oct_set_hook(host *h)
{
    h->price = 1;
    set_interval(h, HOOK_EVERY);
}

bool oct_script_place(lua_State *L, char *out, size_t size, int *line)
{
    lua_Debug ar;
    for (int level = 0; lua_getstack(L, level, &ar); level++) {
        if (lua_getinfo(L, "Sl", &ar) && ar.currentline > 0) {
            (void)snprintf(out, size, "%s:%d", ar.short_src, ar.currentline);
            if (line) {
                *line = ar.currentline;
            }
            return true;
        }
    }
    return false;
}

// From now on every instruction raises.
static void exceed(host *h)
{
    h->is_exceeded = true;
    if (h->lua) {
        (void)oct_script_place(h->lua, h->seen_at, sizeof h->seen_at, NULL);
        set_interval(h, 1);
    }
}

static void spend(host *h, uint64_t steps)
{
    h->spent = steps < UINT64_MAX - h->spent ? h->spent + steps : UINT64_MAX;
    if (h->spent > h->limits.steps && !h->is_exceeded) {
        (void)snprintf(h->why, sizeof h->why, "more than %llu steps: does it end?",
                       (unsigned long long)h->limits.steps);
        exceed(h);
    }
}

// A number of seconds as people write it, whatever the locale has between its digits.
static void write_seconds(double seconds, char *out, size_t size)
{
    const uint64_t tenths = (uint64_t)(seconds * 10.0 + 0.5);
    (void)snprintf(out, size, tenths % 10 == 0 ? "%llu" : "%llu.%llu",
                   (unsigned long long)(tenths / 10), (unsigned long long)(tenths % 10));
}

static void look_at_clock(host *h)
{
    const uint64_t now = oct_script_cpu();
    const double stretch = 1e-9 * (double)(now - h->began);
    const bool is_stretch = stretch > h->limits.seconds;
    if (!h->is_exceeded &&
        (is_stretch || stretch + 1e-9 * (double)h->total > STRETCHES * h->limits.seconds)) {
        char seconds[32];
        write_seconds((is_stretch ? 1.0 : STRETCHES) * h->limits.seconds, seconds, sizeof seconds);
        (void)snprintf(h->why, sizeof h->why, "more than %s s of work%s", seconds,
                       is_stretch ? " at a stretch" : "");
        exceed(h);
    }
    if (h->interval == HOOK_EVERY && now - h->looked > (h->hooks + 1) * (uint64_t)SLOW_NS) {
        set_interval(h, HOOK_OFTEN);
    }
    h->looked = now;
    h->hooks = 0;
}

static void raise_if_exceeded(lua_State *L, host *h, int level)
{
    if (h->is_exceeded) {
        luaL_where(L, level);
        lua_pushstring(L, h->why);
        lua_concat(L, 2);
        lua_error(L);
    }
}

static void on_count(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    host *const h = oct_host_of(L);
    if (!h->is_exceeded) {
        spend(h, h->interval * h->price);
        h->hooks++;
        if (is_time_to_look(h)) {
            look_at_clock(h);
        }
    }
    raise_if_exceeded(L, h, 0);
}

void oct_charge(lua_State *L, uint64_t steps)
{
    host *const h = oct_host_of(L);
    spend(h, steps);
    if (steps >= CHARGE_LOOK && is_time_to_look(h)) {
        look_at_clock(h);
    }
    raise_if_exceeded(L, h, 1);
}

void oct_begin_stretch(host *h)
{
    h->began = h->looked = oct_script_cpu();
    h->hooks = 0;
    if (h->limits.watch) {
        atomic_store(&h->limits.watch->began, h->began + 1);
    }
}

void oct_end_stretch(host *h)
{
    if (h->limits.watch) {
        atomic_store(&h->limits.watch->began, 0);
    }
    h->total += oct_script_cpu() - h->began;
}

// ---- memory ----

static bool is_within(host *h, size_t more, bool is_string)
{
    const size_t most = h->limits.memory / (is_string ? STRING_PART : 1);
    if (more <= most && h->used <= h->limits.memory - more) {
        return true;
    }
    h->was_refused = true;
    if (h->lua) {
        lua_Debug ar;
        (void)oct_script_place(h->lua, h->seen_at, sizeof h->seen_at, NULL);
        h->is_deep = lua_getstack(h->lua, DEEP, &ar);
    }
    // Lua collects all its garbage now, and asks again.
    spend(h, h->used / BYTES_A_STEP);
    return false;
}

// The keys of a table: 24 bytes each, a power of two of them. When a table grows all are put into
// the new block, in one instruction. Where they collide that takes the square of their number.
static bool is_too_wide(host *h, size_t size)
{
    const size_t nodes = size / NODE_BYTES;
    const bool is = nodes > NODES_MAX && size % NODE_BYTES == 0 && (nodes & (nodes - 1)) == 0;
    h->is_wide = h->is_wide || is;
    h->was_refused = h->was_refused || is;
    return is;
}

// From now on every instruction may work on it.
static void note_string(host *h, size_t size)
{
    const uint64_t price = 1 + size / LONG_BYTES;
    if (size > LONG_STRING && h->lua && price > h->price) {
        h->price = price;
        if (h->interval > HOOK_OFTEN) {
            set_interval(h, HOOK_OFTEN);
        }
    }
}

// The kind of a new object stands where else its old size does; other blocks have none.
void *oct_host_allocate(void *ctx, void *old, size_t old_size, size_t size)
{
    host *const h = ctx;
    const size_t had = old ? old_size : 0;
    const bool is_string = !old && old_size == LUA_TSTRING;
    if (size == 0) {
        free(old);
        h->used -= had;
        return NULL;
    }
    if (size > had &&
        (!is_within(h, size - had, is_string) || (!old && old_size == 0 && is_too_wide(h, size)))) {
        return NULL;
    }
    void *const new = realloc(old, size);
    if (!new) {
        h->lacks_memory = size > had;
        return size > had ? NULL : old;
    }
    h->used = h->used - had + size;
    spend(h, size / BYTES_A_STEP);
    if (is_string) {
        note_string(h, size);
    }
    return new;
}

static void *budget_alloc(void *ctx, size_t size, size_t align)
{
    host *const h = ctx;
    if (!is_within(h, size, false)) {
        return NULL;
    }
    void *const new = oct_alloc(&h->base, size, align);
    h->lacks_memory = h->lacks_memory || !new;
    h->used += new ? size : 0;
    return new;
}

static void budget_free(void *ctx, void *ptr, size_t size)
{
    host *const h = ctx;
    oct_free(&h->base, ptr, size);
    h->used -= size;
}

oct_allocator oct_budget_allocator(host *h)
{
    return (oct_allocator){budget_alloc, budget_free, h};
}

void oct_make_room(lua_State *L)
{
    host *const h = oct_host_of(L);
    if (h->used > h->limits.memory / 4 * 3) {
        oct_charge(L, h->used / BYTES_A_STEP);
        lua_gc(L, LUA_GCCOLLECT);
    }
}
