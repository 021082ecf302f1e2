// SPDX-License-Identifier: MIT
// Scripts: their files, and the tests that they declare. A file that was read stays in memory, so
// that every play of a test sees the same.
#define _XOPEN_SOURCE 700
#include "script/script_internal.h"

#include "files/files_internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define SOURCE_MAX (UINT64_C(4) << 20) // bytes of a file

// ---- files ----

static const script_source *find_source(const oct_script *script, const char *name)
{
    for (size_t i = 0; i < script->sources.count; i++) {
        const script_source *const each = (const script_source *)script->sources.items + i;
        if (strcmp(each->name, name) == 0) {
            return each;
        }
    }
    return NULL;
}

static void free_source(const oct_allocator *allocator, script_source *source)
{
    oct_free_text(allocator, source->name);
    oct_free_text(allocator, source->path);
    oct_array_free(&source->bytes, allocator, 1);
}

static oct_result read_source(oct_script *script, const char *path, const char *name,
                              script_source *out, oct_error *error)
{
    *out = (script_source){.name = oct_copy_text(&script->allocator, name),
                           .path = oct_copy_text(&script->allocator, path)};
    oct_result result = out->name && out->path ? OCT_OK : OCT_ERROR_MEMORY;
    if (result == OCT_OK) {
        result = oct_file_read(path, SOURCE_MAX, &script->allocator, &out->bytes, error);
    }
    if (result != OCT_OK) {
        free_source(&script->allocator, out);
    }
    return result;
}

static oct_result keep_source(oct_script *script, const char *path, const char *name,
                              oct_error *error)
{
    script_source source;
    OCT_TRY(read_source(script, path, name, &source, error));
    const oct_result result =
        oct_array_push(&script->sources, &script->allocator, sizeof source, &source);
    if (result != OCT_OK) {
        free_source(&script->allocator, &source);
    }
    return result;
}

// ---- loading ----

// Pushes the function that a source is; raises what is wrong with it.
static void push_chunk(lua_State *L, const script_source *source)
{
    static const char mark[] = "\xef\xbb\xbf";
    const char *text = source->bytes.items ? source->bytes.items : "";
    size_t size = source->bytes.count;
    if (size >= 3 && memcmp(text, mark, 3) == 0) {
        text += 3;
        size -= 3;
    }
    // The first line may say how to run it ("#!"); what ends it stays, and so do the numbers of
    // lines.
    if (size > 0 && text[0] == '#') {
        const char *const end = memchr(text, '\n', size);
        size = end ? size - (size_t)(end - text) : 0;
        text = end ? end : "";
    }
    const char *const slash = strrchr(source->name, '/');
    const char *const name = lua_pushfstring(L, "@%s", slash ? slash + 1 : source->name);
    oct_scan_source(L, name + 1, text, size);
    if (luaL_loadbufferx(L, text, size, name, "t") != LUA_OK) {
        lua_error(L);
    }
    lua_remove(L, -2);
}

static int run_main(lua_State *L)
{
    const host *const h = lua_touserdata(L, 1);
    push_chunk(L, h->script->sources.items);
    lua_call(L, 0, 0);
    return 0;
}

bool oct_host_load(host *h)
{
    h->phase = HOST_LOADS;
    return oct_host_call(h, run_main, h);
}

static void check_phase(lua_State *L, const char *who)
{
    if (oct_host_of(L)->phase != HOST_LOADS) {
        luaL_error(L, "%s: only outside of tests", who);
    }
}

// Sources are read while the script is opened, and only then.
static const script_source *get_source(lua_State *L, const char *name)
{
    host *const h = oct_host_of(L);
    char path[SCRIPT_PATH_SIZE];
    oct_error error = {.line = 0};
    const script_source *const known = find_source(h->script, name);
    if (known) {
        return known;
    }
    if (!h->collector) {
        luaL_error(L, "include: '%s' was not there when the script was opened", name);
    }
    oct_result result = oct_script_find(h->script, name, path, sizeof path, &error);
    if (result == OCT_ERROR_ABSENT) {
        luaL_error(L, "include: there is no file '%s' beside the script or above", name);
    }
    if (result == OCT_OK) {
        result = keep_source(h->collector, path, name, &error);
    }
    if (result != OCT_OK) {
        h->lacks_memory = result == OCT_ERROR_MEMORY;
        luaL_error(L, "include: %s: %s", name,
                   error.message[0] ? error.message : oct_result_text(result));
    }
    return find_source(h->script, name);
}

static bool is_below(const char *path)
{
    const size_t length = strlen(path);
    return path[0] != '/' && !strstr(path, "..") && length > 4 &&
           strcmp(path + length - 4, ".lua") == 0;
}

// A file is run once; what it returned is there again.
static int script_include(lua_State *L)
{
    const char *const name = oct_arg_text(L, 1, "include", "the file");
    check_phase(L, "include");
    if (!is_below(name)) {
        return luaL_error(L, "include: '%s' must be a .lua file, without '..' or a leading '/'",
                          name);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, oct_host_of(L)->included);
    if (lua_getfield(L, -1, name) != LUA_TNIL) {
        return 1;
    }
    lua_pop(L, 1);
    lua_pushboolean(L, 1); // while it is run, and where it returns nothing
    lua_setfield(L, -2, name);
    push_chunk(L, get_source(L, name));
    lua_call(L, 0, 1);
    if (!lua_isnil(L, -1)) {
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, name);
    }
    return 1;
}

// ---- declaring ----

static int script_world(lua_State *L)
{
    host *const h = oct_host_of(L);
    const char *const path = oct_arg_text(L, 1, "world", "the path");
    check_phase(L, "world");
    char *const copy = oct_host_copy(L, path);
    oct_free_text(&h->budget, h->world);
    h->world = copy;
    return 0;
}

static void check_name(lua_State *L, const host *h, const char *name)
{
    for (size_t i = 0; i < h->tests.count; i++) {
        const declared_test *const each = (const declared_test *)h->tests.items + i;
        if (strcmp(each->name, name) == 0) {
            luaL_error(L, "test: there is a test '%s' already, in line %d", name, (int)each->line);
        }
    }
    oct_charge(L, h->tests.count);
}

// The options' texts are still the script's: they are copied when nothing can raise any more.
static void keep_test(lua_State *L, host *h, declared_test t)
{
    t.name = oct_copy_text(&h->budget, t.name);
    t.world = oct_copy_text(&h->budget, t.world ? t.world : "");
    char *const reason = t.reason ? oct_copy_text(&h->budget, t.reason) : NULL;
    const bool is_whole = t.name && t.world && (reason || !t.reason);
    t.reason = reason;
    if (!is_whole || oct_array_push(&h->tests, &h->budget, sizeof t, &t) != OCT_OK) {
        oct_free_text(&h->budget, t.name);
        oct_free_text(&h->budget, t.world);
        oct_free_text(&h->budget, t.reason);
        luaL_error(L, "test: not enough memory");
    }
}

static int declare_test(lua_State *L)
{
    host *const h = oct_host_of(L);
    union {
        const char *read;
        char *kept;
    } name = {.read = oct_arg_text(L, 1, "test", "the name")};
    char place[HOST_PLACE];
    int line = 0;
    check_phase(L, "test");
    if (name.read[0] == '\0') {
        return luaL_error(L, "test: the name must not be empty");
    }
    const bool has_options = lua_gettop(L) > 2;
    const int body = has_options ? 3 : 2;
    if (has_options && !lua_isnil(L, 2)) {
        oct_check_table(L, 2, "test", "options");
    }
    oct_check_function(L, body, "test", "the body");
    check_name(L, h, name.read);
    declared_test t = {.name = name.kept, .world = h->world};
    oct_read_test_plan(L, has_options && !lua_isnil(L, 2) ? 2 : 0, "test", &t);
    if (!t.world && !h->limits.has_game) {
        return luaL_error(L, "test: no world: say world 'path' before it, or among its options");
    }
    (void)oct_script_place(L, place, sizeof place, &line);
    t.line = (uint32_t)line;
    lua_pushvalue(L, body);
    t.body = luaL_ref(L, LUA_REGISTRYINDEX);
    keep_test(L, h, t);
    return 0;
}

void oct_bind_script(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"world", script_world}, {"include", script_include}, {"test", declare_test}, {NULL, NULL}};
    lua_pushglobaltable(L);
    oct_set_functions(L, functions);
    lua_pop(L, 1);
    lua_newtable(L);
    oct_host_of(L)->included = luaL_ref(L, LUA_REGISTRYINDEX);
}

// ---- life ----

static oct_result collect_tests(oct_script *script, const host *h)
{
    for (size_t i = 0; i < h->tests.count; i++) {
        const declared_test *const t = (const declared_test *)h->tests.items + i;
        script_entry entry = {oct_copy_text(&script->allocator, t->name),
                              oct_copy_text(&script->allocator, t->world), t->line};
        const bool is_whole = entry.name && entry.world;
        if (!is_whole ||
            oct_array_push(&script->tests, &script->allocator, sizeof entry, &entry) != OCT_OK) {
            oct_free_text(&script->allocator, entry.name);
            oct_free_text(&script->allocator, entry.world);
            return OCT_ERROR_MEMORY;
        }
    }
    return OCT_OK;
}

// An error of the script's own file has its line; one of another file keeps its name.
static oct_result report(const oct_script *script, const host *h, oct_error *error)
{
    const size_t length = strlen(script->name);
    const bool is_own = strncmp(h->place, script->name, length) == 0 && h->place[length] == ':';
    const uint32_t line = is_own ? (uint32_t)strtoul(h->place + length + 1, NULL, 10) : 0;
    oct_error_set(error, 0, line, 0, "%s", h->error + (is_own ? strlen(h->place) + 2 : 0));
    return h->lacks_memory ? OCT_ERROR_MEMORY : OCT_ERROR_FORMAT;
}

static oct_result load_script(oct_script *script, const script_limits *limits, oct_error *error)
{
    host *h;
    OCT_TRY(oct_host_open(limits, script, &h));
    h->collector = script;
    script->has_game = limits->has_game;
    oct_result result = oct_host_load(h) ? collect_tests(script, h) : report(script, h, error);
    if (result == OCT_ERROR_MEMORY) {
        result = oct_io_out_of_memory(error);
    }
    oct_host_close(h);
    return result;
}

static oct_result name_script(oct_script *script, const char *path)
{
    char *const whole = realpath(path, NULL);
    char *const slash = whole ? strrchr(whole, '/') : NULL;
    const char *const last = strrchr(path, '/');
    if (slash) {
        *slash = '\0';
    }
    script->path = oct_copy_text(&script->allocator, path);
    script->folder = oct_copy_text(&script->allocator, slash ? whole : ".");
    script->name = oct_copy_text(&script->allocator, last ? last + 1 : path);
    free(whole);
    return script->path && script->folder && script->name ? OCT_OK : OCT_ERROR_MEMORY;
}

oct_result oct_script_open(const char *path, const script_limits *limits, oct_script **out,
                           oct_error *error)
{
    const oct_allocator allocator = oct_allocator_or_default(limits->allocator);
    oct_script *const script = oct_alloc(&allocator, sizeof *script, _Alignof(oct_script));
    *out = NULL;
    if (!script) {
        return oct_io_out_of_memory(error);
    }
    *script = (oct_script){.allocator = allocator};
    oct_result result = name_script(script, path);
    if (result == OCT_OK) {
        result = oct_script_set_root(script, limits->root, error);
    }
    if (result == OCT_OK) {
        result = keep_source(script, path, script->name, error);
    }
    if (result == OCT_OK) {
        result = load_script(script, limits, error);
    }
    if (result != OCT_OK) {
        oct_script_close(script);
        return result == OCT_ERROR_MEMORY ? oct_io_out_of_memory(error) : result;
    }
    *out = script;
    return OCT_OK;
}

void oct_script_close(oct_script *script)
{
    if (!script) {
        return;
    }
    const oct_allocator allocator = script->allocator;
    for (size_t i = 0; i < script->sources.count; i++) {
        free_source(&allocator, (script_source *)script->sources.items + i);
    }
    for (size_t i = 0; i < script->tests.count; i++) {
        const script_entry *const each = (const script_entry *)script->tests.items + i;
        oct_free_text(&allocator, each->name);
        oct_free_text(&allocator, each->world);
    }
    oct_array_free(&script->sources, &allocator, sizeof(script_source));
    oct_array_free(&script->tests, &allocator, sizeof(script_entry));
    oct_free_text(&allocator, script->path);
    oct_free_text(&allocator, script->folder);
    oct_free_text(&allocator, script->name);
    oct_free_text(&allocator, script->root);
    oct_free_text(&allocator, script->data);
    oct_free(&allocator, script, sizeof *script);
}

size_t oct_script_tests(const oct_script *script)
{
    return script->tests.count;
}

script_test oct_script_test(const oct_script *script, size_t index)
{
    const script_entry *const each = (const script_entry *)script->tests.items + index;
    return (script_test){each->name, each->line, each->world};
}

const char *oct_script_path(const oct_script *script)
{
    return script->path;
}
