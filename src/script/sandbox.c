// SPDX-License-Identifier: MIT
// States: how they are made, entered and left, and what is kept of the first error.
#include "script/script_internal.h"

#include "base/words.h"

#include <lualib.h>

#include <stdarg.h>
#include <stdio.h>

host *oct_host_of(lua_State *L)
{
    host *h;
    memcpy(&h, lua_getextraspace(L), sizeof h);
    return h;
}

// ---- raising ----

int oct_raise_null(lua_State *L, const char *who)
{
    const host *const h = oct_host_of(L);
    return h->was_refused || h->lacks_memory
               ? luaL_error(L, "%s: not enough memory", who)
               : luaL_error(L, "%s: more than %d levels", who, OCT_GOAL_DEPTH_MAX);
}

char *oct_host_copy(lua_State *L, const char *text)
{
    char *const copy = oct_copy_text(&oct_host_of(L)->budget, text);
    if (!copy) {
        luaL_error(L, "not enough memory");
    }
    return copy;
}

// ---- errors ----

// The place that a message begins with: "file:12:"; 0 where it does not.
static size_t place_length(const char *text)
{
    const char *const end = strstr(text, ": ");
    const char *colon = end;
    while (colon && colon > text && colon[-1] >= '0' && colon[-1] <= '9') {
        colon--;
    }
    const bool is_place = end && colon > text + 1 && colon < end && colon[-1] == ':';
    return is_place ? (size_t)(end - text) : 0;
}

void oct_host_fail(host *h, const char *format, ...)
{
    if (h->has_failed) {
        return;
    }
    va_list args;
    va_start(args, format);
    (void)vsnprintf(h->error, sizeof h->error, format, args);
    va_end(args);
    oct_words_defuse(h->error, ' ');
    h->has_failed = true;
    const size_t length = place_length(h->error);
    (void)snprintf(h->place, sizeof h->place, "%.*s", (int)(length < HOST_PLACE ? length : 0),
                   h->error);
}

// Nothing where an object does not say what it is.
static int push_text(lua_State *L)
{
    const bool is_plain = lua_type(L, 1) == LUA_TNUMBER || lua_type(L, 1) == LUA_TBOOLEAN;
    if (!is_plain && luaL_getmetafield(L, 1, "__tostring") == LUA_TNIL) {
        return 0;
    }
    (void)oct_push_text(L, 1);
    return 1;
}

static void fail_at(host *h, const char *text)
{
    const bool is_placed = place_length(text) > 0 || !h->seen_at[0];
    oct_host_fail(h, "%s%s%s", is_placed ? "" : h->seen_at, is_placed ? "" : ": ", text);
}

// The function that scripts may call whose name is nearest to one that there is not, if it is near
// enough to have been meant; of equal ones the first in the alphabet. False where there is none.
static bool find_meant(lua_State *L, const char *wanted, char out[OCT_WORDS_DISTANCE_MAX])
{
    size_t least = oct_words_mistakes(wanted) + 1;
    bool is_found = false;
    lua_pushglobaltable(L);
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        const char *const name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        const size_t distance = oct_words_distance(wanted, name);
        if (lua_isfunction(L, -1) && distance < strlen(name) && distance < strlen(wanted) &&
            (distance < least || (is_found && distance == least && strcmp(name, out) < 0))) {
            least = distance;
            is_found = true;
            (void)snprintf(out, OCT_WORDS_DISTANCE_MAX, "%s", name);
        }
    }
    lua_pop(L, 1);
    return is_found;
}

// "attempt to call a nil value (global 'close_to_blok')": which function was meant. And what was
// indexed is nil since it was not seen.
static void fail_with_hint(host *h, const char *text)
{
    static const char words[] = "attempt to call a nil value (global '";
    char name[OCT_WORDS_DISTANCE_MAX], meant[OCT_WORDS_DISTANCE_MAX], hint[HOST_TEXT];
    const char *const at = strstr(text, words);
    const char *const begin = at ? at + strlen(words) : text, *const end = strstr(begin, "')");
    if (h->unseen[0] && strstr(text, "attempt to index a nil value")) {
        (void)snprintf(hint, sizeof hint, "%s; %s was not seen yet: ask whether it is nil first",
                       text, h->unseen);
        fail_at(h, hint);
        return;
    }
    if (!at || !end || end - begin >= (ptrdiff_t)sizeof name) {
        fail_at(h, text);
        return;
    }
    (void)snprintf(name, sizeof name, "%.*s", (int)(end - begin), begin);
    const bool has_meant = find_meant(h->lua, name, meant);
    (void)snprintf(hint, sizeof hint, "%s%s%s%s", text, has_meant ? "; " : "",
                   has_meant ? meant : "", has_meant ? "?" : "");
    fail_at(h, hint);
}

// What was raised is on top of the stack. Objects are asked what they are, but not trusted.
static void note_error(host *h, int status)
{
    lua_State *const L = h->lua;
    char text[HOST_TEXT];
    if (h->is_exceeded) {
        fail_at(h, h->why);
    } else if (status == LUA_ERRMEM) {
        (void)snprintf(text, sizeof text,
                       "not enough memory: it may use %zu bytes, and %zu for one string%s",
                       h->limits.memory, h->limits.memory / STRING_PART,
                       h->is_wide   ? "; a table may have 65536 keys that are not 1, 2, 3, ..."
                       : h->is_deep ? "; functions call each other very deep: does that end?"
                                    : "");
        fail_at(h, text);
    } else if (lua_type(L, -1) == LUA_TSTRING) {
        fail_with_hint(h, lua_tostring(L, -1));
    } else {
        (void)snprintf(text, sizeof text, "an error %s%s",
                       lua_isnil(L, -1) ? "without a message" : "that is a ",
                       lua_isnil(L, -1) ? "" : luaL_typename(L, -1));
        lua_pushcfunction(L, push_text);
        lua_insert(L, -2);
        const bool has_text =
            lua_pcall(L, 1, 1, 0) == LUA_OK && lua_type(L, -1) == LUA_TSTRING && !h->is_exceeded;
        fail_at(h, has_text ? lua_tostring(L, -1) : text);
    }
}

// Objects and messages of level 0 do not say where they were raised.
static int on_error(lua_State *L)
{
    host *const h = oct_host_of(L);
    if (!h->is_exceeded) {
        h->seen_at[0] = '\0';
        (void)oct_script_place(L, h->seen_at, sizeof h->seen_at, NULL);
    }
    return 1;
}

bool oct_host_call(host *h, lua_CFunction run, void *arg)
{
    lua_State *const L = h->lua;
    if (h->has_failed) {
        return false;
    }
    if (!lua_checkstack(L, LUA_MINSTACK)) {
        oct_host_fail(h, "not enough memory for the stack");
        return false;
    }
    const int top = lua_gettop(L);
    if (h->depth++ == 0) {
        oct_begin_stretch(h);
    }
    h->was_refused = h->is_wide = h->is_deep = false;
    h->seen_at[0] = h->unseen[0] = '\0';
    lua_pushcfunction(L, on_error);
    lua_pushcfunction(L, run);
    lua_pushlightuserdata(L, arg);
    const int status = lua_pcall(L, 1, 0, top + 1);
    if (status != LUA_OK || h->is_exceeded) {
        note_error(h, status);
    }
    lua_settop(L, top);
    if (--h->depth == 0) {
        oct_end_stretch(h);
    }
    return status == LUA_OK && !h->has_failed;
}

// ---- notes ----

void oct_host_note(host *h, const char *text)
{
    char *const copy = h->notes.count < NOTES_MAX ? oct_copy_text(&h->budget, text) : NULL;
    if (copy) {
        oct_words_defuse(copy, ' ');
        if (oct_array_push(&h->notes, &h->budget, sizeof copy, &copy) != OCT_OK) {
            oct_free_text(&h->budget, copy);
        }
    }
}

// ---- life ----

static int open_all(lua_State *L)
{
    oct_open_libraries(L);
    oct_bind_boxes(L);
    oct_bind_script(L);
    oct_bind_combinators(L);
    oct_bind_goals(L);
    oct_bind_events(L);
    oct_bind_tactics(L);
    oct_bind_formulas(L);
    oct_bind_agent(L);
    oct_bind_players(L);
    return 0;
}

static void open_state(host *h)
{
    lua_State *const L = lua_newstate(oct_host_allocate, h);
    if (!L) {
        oct_host_fail(h, "not enough memory: it may use %zu bytes", h->limits.memory);
        return;
    }
    h->lua = L;
    memcpy(lua_getextraspace(L), &h, sizeof h);
    oct_set_hook(h);
    (void)oct_host_call(h, open_all, h);
}

oct_result oct_host_open(const script_limits *limits, const oct_script *script, host **out)
{
    const oct_allocator base = oct_allocator_or_default(limits->allocator);
    host *const h = oct_alloc(&base, sizeof *h, _Alignof(host));
    *out = h;
    if (!h) {
        return OCT_ERROR_MEMORY;
    }
    *h = (host){.rate = 60.0,
                .base = base,
                .budget = oct_budget_allocator(h),
                .limits = *limits,
                .script = script};
    open_state(h);
    return OCT_OK;
}

static void free_players(host *h)
{
    for (size_t i = 0; i < h->players.count; i++) {
        const player *const p = (const player *)h->players.items + i;
        oct_goal_destroy(p->goal);
        oct_free_text(&h->budget, p->name);
        oct_free_text(&h->budget, p->role);
    }
    oct_array_free(&h->players, &h->budget, sizeof(player));
}

// Frees the state, and all that was made in it but notes.
static void close_state(host *h)
{
    // Goals drop their functions, which the state keeps: they go first.
    free_players(h);
    if (h->lua) {
        lua_close(h->lua);
        h->lua = NULL;
    }
    for (size_t i = 0; i < h->tests.count; i++) {
        const declared_test *const t = (const declared_test *)h->tests.items + i;
        oct_free_text(&h->budget, t->name);
        oct_free_text(&h->budget, t->world);
        oct_free_text(&h->budget, t->reason);
    }
    for (size_t i = 0; i < h->demands.count; i++) {
        oct_free_text(&h->budget, ((const demanded *)h->demands.items)[i].name);
    }
    oct_free_names(h);
    oct_array_free(&h->tests, &h->budget, sizeof(declared_test));
    oct_array_free(&h->demands, &h->budget, sizeof(demanded));
    oct_free_text(&h->budget, h->world);
    h->world = NULL;
    h->test = NULL;
    h->current = NULL;
}

void oct_host_renew(host *h)
{
    close_state(h);
    h->phase = HOST_LOADS;
    open_state(h);
}

void oct_host_close(host *h)
{
    if (!h) {
        return;
    }
    close_state(h);
    for (size_t i = 0; i < h->notes.count; i++) {
        oct_free_text(&h->budget, ((char **)h->notes.items)[i]);
    }
    oct_array_free(&h->notes, &h->budget, sizeof(char *));
    const oct_allocator base = h->base;
    oct_free(&base, h, sizeof *h);
}
