// SPDX-License-Identifier: MIT
// Calls every C function that a script can reach with values that it does not expect: while a file
// is loaded, in the body of a test, and while an agent plays.
//
// Nothing is listed by hand. Functions are found by a walk over globals, metatables (hidden ones
// too), methods, and what calls return; names of fields are read from the messages that refuse a
// wrong one. The sanitizers judge. What is reached is compared with a floor, so that the test does
// not go blind.
#define _POSIX_C_SOURCE 200809L
#include "script_support.h"

#include "script/script_internal.h"

#define FUNCTIONS_MAX 512
#define NAMES_MAX 40
#define NAME_SIZE 32
#define CALL_STEPS 20000 // that one call may take
#define RANDOM_CALLS 200 // of each function, with three and more values
#define FIELD_CALLS 100  // of each function that takes named fields, with several of them
#define FUNCTIONS_LEAST 145
#define CALLS_LEAST 600000

// ---- what is found ----

typedef struct found {
    lua_CFunction function;
    const void *variant; // of closures that one C function makes many of
    int sample;          // reference to one of them
    char names[NAMES_MAX][NAME_SIZE];
    int name_count;
} found;

// Of one attack, in one state.
typedef struct attack {
    lua_State *lua;
    host *host;
    lua_Hook hook;
    oct_random random;
    int seen; // references: tables that were walked
    int pool; // hostile values
    int pool_count;
    int agent;   // what scripts call `a`, or nil
    int missing; // its address stands for nil among the values
    found functions[FUNCTIONS_MAX];
    int function_count;
    uint64_t calls;
} attack;

// Over all attacks.
static struct {
    uint64_t calls;
    int functions[HOST_PLAYS + 1];
} reached;

static void visit(attack *a, int at);

// A number as something to compare pointers with.
static const void *address_of(lua_Integer number)
{
    union {
        uintptr_t number;
        const void *address;
    } const u = {.number = (uintptr_t)number};
    return u.address;
}

static const void *variant_of(lua_State *L, int at)
{
    const void *variant = NULL;
    if (lua_getupvalue(L, at, 1)) {
        variant = lua_islightuserdata(L, -1) ? lua_touserdata(L, -1)
                  : lua_iscfunction(L, -1)   ? lua_topointer(L, -1)
                  : lua_isinteger(L, -1)     ? address_of(lua_tointeger(L, -1))
                                             : NULL;
        lua_pop(L, 1);
    }
    return variant;
}

// What a closure keeps is not a script's, but tables in it hold what its answers are.
static void visit_upvalues(attack *a, int at)
{
    for (int i = 1; lua_getupvalue(a->lua, at, i); i++) {
        if (lua_istable(a->lua, -1)) {
            visit(a, lua_gettop(a->lua));
        }
        lua_pop(a->lua, 1);
    }
}

static void visit_function(attack *a, int at)
{
    lua_State *const L = a->lua;
    const lua_CFunction function = lua_tocfunction(L, at);
    if (!function) {
        return;
    }
    const void *const variant = variant_of(L, at);
    for (int i = 0; i < a->function_count; i++) {
        if (a->functions[i].function == function && a->functions[i].variant == variant) {
            return;
        }
    }
    assert_true(a->function_count < FUNCTIONS_MAX);
    lua_pushvalue(L, at);
    a->functions[a->function_count++] =
        (found){.function = function, .variant = variant, .sample = luaL_ref(L, LUA_REGISTRYINDEX)};
    visit_upvalues(a, at);
}

static bool is_new(attack *a, int at)
{
    lua_State *const L = a->lua;
    lua_rawgeti(L, LUA_REGISTRYINDEX, a->seen);
    lua_pushvalue(L, at);
    const bool is = lua_rawget(L, -2) == LUA_TNIL;
    lua_pop(L, 1);
    lua_pushvalue(L, at);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
    lua_pop(L, 1);
    return is;
}

static void visit(attack *a, int at)
{
    lua_State *const L = a->lua;
    luaL_checkstack(L, 20, "visit");
    if (lua_isfunction(L, at)) {
        visit_function(a, at);
        return;
    }
    if (lua_istable(L, at) && !is_new(a, at)) {
        return;
    }
    if (lua_getmetatable(L, at)) {
        visit(a, lua_gettop(L));
        lua_pop(L, 1);
    }
    if (lua_istable(L, at)) {
        for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
            visit(a, lua_gettop(L));
            visit(a, lua_gettop(L) - 1);
        }
    }
}

// ---- hostile values ----

// A list that a script makes. The rest is added in C.
static const char hostile_source[] =
    "local max, min = math.maxinteger, math.mininteger\n"
    "local function same(...) return ... end\n"
    "local function raises() error({}) end\n"
    "local function deep(x) return deep_one(x) + 1 end\n"
    "function deep_one(x) return deep(x) end\n"
    "local itself = {} itself[1] = itself itself[itself] = itself itself.name = itself\n"
    "for i = 1, 9 do itself[SUCCESS()] = i end\n"
    "local function hostile(f) return setmetatable({f, f}, {__index = f, __newindex = f,\n"
    "  __len = f, __call = f, __tostring = f, __pairs = f, __eq = f, __lt = f, __le = f,\n"
    "  __concat = f, __unm = f, __add = f, __name = 'a name', __close = f}) end\n"
    "local changing = {} for i = 1, 9 do changing[i] = i end\n"
    "setmetatable(changing, {__tostring = function(t) for i = 1, 99 do t[i + 9] = i end\n"
    "  t[1] = nil return 'x' end, __lt = function(a, b) rawset(a, {}, 1) return true end})\n"
    "local taken = SUCCESS() REPEAT(taken)\n"
    "return {true, false, 0, 1, -1, max, min, 1 << 31, 0 / 0, 1 / 0, -1 / 0, 1e308, 0.5,\n"
    "  '', 'x', 'test', ('long '):rep(5000), 'a\\0b\\27[31m\\x9b', '%s%d%99.99f%c', '(.-)%b()',\n"
    "  '0x7fffffffffffffff', 'room.json', 'Door', {}, itself, {1, 2, 3}, {'a', 'b'}, changing,\n"
    "  {in_sight = true}, {[SUCCESS()] = 1, [false] = 2, [0.5] = 3}, hostile(same),\n"
    "  hostile(raises), hostile(deep), hostile(function() return 'text' end), same, raises, deep,\n"
    "  print, pairs({1}), SUCCESS(), taken, tactic.explore(), ltl.always(same),\n"
    "  HANDLE('h', same, SUCCESS())}";

static void add_hostile(attack *a)
{
    lua_rawseti(a->lua, -2, ++a->pool_count);
}

// Made anew for each function, so that what one did to them is not what another one gets.
static void make_pool(attack *a)
{
    lua_State *const L = a->lua;
    luaL_unref(L, LUA_REGISTRYINDEX, a->pool);
    if (luaL_loadstring(L, hostile_source) != LUA_OK || lua_pcall(L, 0, 1, 0) != LUA_OK) {
        fail_msg("hostile values: %s", lua_tostring(L, -1));
    }
    a->pool_count = (int)lua_rawlen(L, -1);
    lua_pushlightuserdata(L, &a->missing);
    add_hostile(a);
    lua_pushlightuserdata(L, NULL);
    add_hostile(a);
    (void)lua_newuserdatauv(L, 1, 0);
    add_hostile(a);
    if (a->host->phase == HOST_PLAYS) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, a->agent);
        add_hostile(a);
    }
    a->pool = luaL_ref(L, LUA_REGISTRYINDEX);
}

// From 1.
static void push_hostile(attack *a, int which)
{
    lua_State *const L = a->lua;
    lua_rawgeti(L, LUA_REGISTRYINDEX, a->pool);
    lua_rawgeti(L, -1, which);
    lua_remove(L, -2);
    if (lua_touserdata(L, -1) == &a->missing) {
        lua_pop(L, 1);
        lua_pushnil(L);
    }
}

static int any(attack *a)
{
    return 1 + (int)oct_random_below(&a->random, (uint64_t)a->pool_count);
}

// ---- calls ----

// Each call has the whole budget, and the state goes on after one that took too long.
static void refresh(attack *a)
{
    a->host->spent = 0;
    a->host->is_exceeded = false;
    a->host->was_refused = false;
    a->host->began = oct_script_cpu();
    lua_sethook(a->lua, a->hook, LUA_MASKCOUNT, 1000);
}

// The function and its values are on top of the stack. Leaves nothing there; true where it was not
// refused.
static bool call(attack *a, int count)
{
    lua_State *const L = a->lua;
    const int base = lua_gettop(L) - count - 1;
    const host_phase phase = a->host->phase;
    refresh(a);
    a->calls++;
    const bool is_well = lua_pcall(L, count, LUA_MULTRET, 0) == LUA_OK;
    refresh(a);
    assert_true(lua_gettop(L) >= base);
    assert_int_equal(a->host->phase, phase);
    assert_false(a->host->has_failed);
    for (int at = base + 1; is_well && at <= lua_gettop(L) && at <= base + 4; at++) {
        visit(a, at);
    }
    lua_settop(L, base);
    return is_well;
}

static void push_function(attack *a, int which)
{
    luaL_checkstack(a->lua, 20, "attack");
    lua_rawgeti(a->lua, LUA_REGISTRYINDEX, a->functions[which].sample);
}

static void call_with(attack *a, int which, const int *values, int count)
{
    push_function(a, which);
    for (int i = 0; i < count; i++) {
        push_hostile(a, values[i]);
    }
    (void)call(a, count);
}

static void call_plainly(attack *a, int which)
{
    int values[6] = {0};
    call_with(a, which, values, 0);
    for (values[0] = 1; values[0] <= a->pool_count; values[0]++) {
        call_with(a, which, values, 1);
        for (values[1] = 1; values[1] <= a->pool_count; values[1]++) {
            call_with(a, which, values, 2);
        }
    }
    for (int i = 0; i < RANDOM_CALLS; i++) {
        const int count = 3 + i % 4;
        for (int j = 0; j < count; j++) {
            values[j] = any(a);
        }
        call_with(a, which, values, count);
    }
}

// ---- fields ----

static void add_name(found *f, const char *from, size_t length)
{
    if (length == 0 || length >= NAME_SIZE || f->name_count == NAMES_MAX || from[0] == '.') {
        return;
    }
    memcpy(f->names[f->name_count], from, length);
    f->names[f->name_count++][length] = '\0';
}

// "...: there is no field 'x'; there are a, b, c"
static void read_names(found *f, const char *message)
{
    static const char lead[] = "; there are ";
    const char *at = strstr(message, lead);
    for (at = at ? at + strlen(lead) : NULL; at && *at;) {
        const size_t length = strcspn(at, ", ");
        add_name(f, at, length);
        at += length;
        at += strspn(at, ", ");
    }
}

// What a function is called with beside its table of fields: nothing, or one value before or after.
static int push_before(attack *a, int shape)
{
    refresh(a);
    if (shape == 1) {
        push_hostile(a, a->host->phase == HOST_PLAYS ? a->pool_count : any(a));
    } else if (shape == 2) {
        lua_pushfstring(a->lua, "name %d", (int)oct_random_below(&a->random, 1000000));
    } else if (shape == 3) {
        // A goal that makes room for itself pays for that: more than one call may.
        if (a->host->used > a->host->limits.memory / 2) {
            lua_gc(a->lua, LUA_GCCOLLECT);
        }
        (void)luaL_loadstring(a->lua, "return SUCCESS()");
        lua_call(a->lua, 0, 1);
    }
    return shape > 0;
}

#define SHAPES 4

// The name of a field that no function has.
static void find_names(attack *a, int which)
{
    lua_State *const L = a->lua;
    for (int shape = 0; shape < SHAPES && a->functions[which].name_count == 0; shape++) {
        push_function(a, which);
        const int before = push_before(a, shape);
        lua_createtable(L, 0, 1);
        lua_pushboolean(L, 1);
        lua_setfield(L, -2, "no such field");
        push_hostile(a, any(a));
        refresh(a);
        if (lua_pcall(L, before + 2, 0, 0) != LUA_OK) {
            if (lua_type(L, -1) == LUA_TSTRING) {
                read_names(&a->functions[which], lua_tostring(L, -1));
            }
            lua_pop(L, 1);
        }
        refresh(a);
    }
}

static void push_fields(attack *a, const found *f, int first, int value, int more)
{
    lua_createtable(a->lua, 0, more + 1);
    push_hostile(a, value);
    lua_setfield(a->lua, -2, f->names[first]);
    for (int i = 0; i < more; i++) {
        push_hostile(a, any(a));
        lua_setfield(a->lua, -2, f->names[oct_random_below(&a->random, (uint64_t)f->name_count)]);
    }
}

static void call_with_fields(attack *a, int which, int first, int value, int more)
{
    const int shape = (int)oct_random_below(&a->random, SHAPES);
    push_function(a, which);
    const int before = push_before(a, shape);
    push_fields(a, &a->functions[which], first, value, more);
    const bool has_last = oct_random_below(&a->random, 2) == 1;
    if (has_last) {
        push_hostile(a, any(a));
    }
    (void)call(a, before + 1 + has_last);
}

static void call_fields(attack *a, int which)
{
    find_names(a, which);
    const found *const f = &a->functions[which];
    for (int i = 0; i < f->name_count; i++) {
        for (int value = 1; value <= a->pool_count; value++) {
            call_with_fields(a, which, i, value, (value + i) % 4);
        }
    }
    for (int i = 0; f->name_count > 0 && i < FIELD_CALLS; i++) {
        call_with_fields(a, which, i % f->name_count, any(a), 3);
    }
}

// ---- the attack ----

// What calls have declared would be played.
static void forget(host *h)
{
    for (size_t i = 0; i < h->players.count; i++) {
        const player *const p = (const player *)h->players.items + i;
        oct_goal_destroy(p->goal);
        oct_free_text(&h->budget, p->name);
        oct_free_text(&h->budget, p->role);
    }
    for (size_t i = 0; i < h->demands.count; i++) {
        oct_free_text(&h->budget, ((const demanded *)h->demands.items)[i].name);
    }
    h->players.count = h->demands.count = 0;
}

// attack(a): functions that are found meanwhile have their turn too.
static int attack_all(lua_State *L)
{
    host *const h = oct_host_of(L);
    attack *const a = calloc(1, sizeof *a);
    assert_non_null(a);
    if (h->phase == HOST_LOADS && !h->collector) {
        free(a);
        return 0;
    }
    a->lua = L;
    a->host = h;
    a->hook = lua_gethook(L);
    a->random = oct_random_seed(7);
    a->pool = LUA_NOREF;
    h->limits.steps = CALL_STEPS;
    lua_settop(L, 1);
    a->agent = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_newtable(L);
    a->seen = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pushglobaltable(L);
    visit(a, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, a->agent);
    visit(a, 2);
    lua_pushstring(L, "");
    visit(a, 3);
    lua_settop(L, 0);
    for (int i = 0; i < a->function_count; i++) {
        make_pool(a);
        call_plainly(a, i);
        call_fields(a, i);
        lua_gc(L, LUA_GCCOLLECT);
    }
    reached.calls += a->calls;
    reached.functions[h->phase] = a->function_count;
    if (h->phase == HOST_PREPARES) {
        forget(h);
    }
    h->limits.steps = UINT64_MAX;
    free(a);
    return 0;
}

// The linker puts this where the state is made (--wrap).
void __real_oct_bind_players(lua_State *L);
void __wrap_oct_bind_players(lua_State *L);
void __wrap_oct_bind_players(lua_State *L)
{
    __real_oct_bind_players(L);
    lua_register(L, "attack", attack_all);
}

static void no_function_is_broken_by_values(void **state)
{
    oct_script *const script =
        script_open(*state, "local attack = attack _G.attack = nil\n"
                            "test('t', {world = 'room.json'}, function() attack()\n"
                            "  local other = CHECK('other', function(b) return true end)\n"
                            "  agent('one', SEQ{explore_to_find 'Lamp', DEPLOY('attack',\n"
                            "    function(a) attack(a) return SUCCESS() end)})\n"
                            "  agent('two', other)\n"
                            "end)\n"
                            "attack()");
    script_limits limits = oct_script_limits_default();
    limits.memory = (size_t)16 << 20;
    limits.seconds = 1e6;
    oct_play_result r = script_play_within(script, 0, &limits);
    print_message("%d functions while loading, %d in the body, %d while playing; %llu calls\n",
                  reached.functions[HOST_LOADS], reached.functions[HOST_PREPARES],
                  reached.functions[HOST_PLAYS], (unsigned long long)reached.calls);
    // What it asked about was never seen. Tables are gone through in any order: its name may be one
    // that leaves no room for the rest of the reason.
    const bool says = strstr(r.reason, "was not seen yet") || strlen(r.reason) > 200;
    if (r.verdict != OCT_VERDICT_INCONCLUSIVE || !says) {
        fail_msg("%s: %s", oct_verdict_name(r.verdict), r.reason);
    }
    for (host_phase phase = HOST_LOADS; phase <= HOST_PLAYS; phase++) {
        assert_true(reached.functions[phase] >= FUNCTIONS_LEAST);
    }
    assert_true(reached.calls >= CALLS_LEAST);
    oct_play_result_free(&r);
    oct_script_close(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
        no_function_is_broken_by_values, script_setup, script_teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
