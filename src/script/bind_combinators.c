// SPDX-License-Identifier: MIT
// Combinations of goals and of tactics, goals and actions of a script's own.
#include "script/script_internal.h"

// ---- of both ----

typedef struct maker {
    const char *name;
    oct_goal *(*goal)(const oct_allocator *allocator, oct_goal *const *children, size_t count);
    oct_tactic *(*tactic)(const oct_allocator *allocator, oct_tactic *const *children,
                          size_t count);
} maker;

static const maker makers[] = {{"SEQ", oct_goal_seq, oct_tactic_seq},
                               {"FIRSTof", oct_goal_first_of, oct_tactic_first_of},
                               {"ANYof", oct_goal_any_of, oct_tactic_any_of}};

// What the list holds is told by its first item.
static int combine(lua_State *L)
{
    const maker *const m = lua_touserdata(L, lua_upvalueindex(1));
    host *const h = oct_host_of(L);
    size_t count;
    oct_check_table(L, 1, m->name, "what it is made of");
    lua_settop(L, 1);
    lua_rawgeti(L, 1, 1);
    const bool is_tactic = oct_to_box(L, 2, BOX_TACTIC);
    goal_box **const boxes =
        oct_push_boxes(L, 1, is_tactic ? BOX_TACTIC : BOX_GOAL, m->name, &count);
    if (count == 0) {
        return luaL_error(L, "%s: there is nothing in it", m->name);
    }
    void *const children = lua_newuserdatauv(L, count * sizeof(void *), 0);
    goal_box *const b = oct_push_box(L, is_tactic ? BOX_TACTIC : BOX_GOAL);
    if (is_tactic) {
        oct_tactic **const tactics = children;
        for (size_t i = 0; i < count; i++) {
            tactics[i] = oct_take_tactic(L, boxes[i]);
        }
        return oct_fill_tactic(L, b, m->tactic(&h->budget, tactics, count), m->name);
    }
    oct_goal **const goals = children;
    for (size_t i = 0; i < count; i++) {
        goals[i] = oct_take_goal(L, boxes[i]);
    }
    return oct_fill_goal(L, b, m->goal(&h->budget, goals, count), m->name);
}

// ---- of goals ----

static int combine_repeat(lua_State *L)
{
    goal_box *const child = oct_arg_box(L, 1, BOX_GOAL, "REPEAT", "what is repeated");
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(L, b, oct_goal_repeat(&oct_host_of(L)->budget, oct_take_goal(L, child)),
                         "REPEAT");
}

static int combine_repeat_until(lua_State *L)
{
    goal_box *const child = oct_arg_box(L, 1, BOX_GOAL, "REPEATuntil", "what is repeated");
    oct_check_function(L, 2, "REPEATuntil", "the test");
    const oct_hook hook = oct_callback(L, 2, 0, 0);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(L, b,
                         oct_goal_repeat_until(&oct_host_of(L)->budget, oct_take_goal(L, child),
                                               oct_callback_test, hook),
                         "REPEATuntil");
}

static int combine_while(lua_State *L)
{
    oct_check_function(L, 1, "WHILE", "the test");
    goal_box *const child = oct_arg_box(L, 2, BOX_GOAL, "WHILE", "what is repeated");
    const oct_hook hook = oct_callback(L, 1, 0, 0);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(
        L, b,
        oct_goal_while(&oct_host_of(L)->budget, oct_callback_test, hook, oct_take_goal(L, child)),
        "WHILE");
}

static int combine_if(lua_State *L)
{
    oct_check_function(L, 1, "IF", "the test");
    goal_box *const then = oct_arg_box(L, 2, BOX_GOAL, "IF", "the first goal");
    goal_box *const otherwise =
        lua_isnoneornil(L, 3) ? NULL : oct_arg_box(L, 3, BOX_GOAL, "IF", "the second goal");
    if (then == otherwise) {
        return luaL_error(L, "IF: the same goal is there twice: make another one");
    }
    const oct_hook hook = oct_callback(L, 1, 0, 0);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    oct_goal *const first = oct_take_goal(L, then);
    oct_goal *const second = otherwise ? oct_take_goal(L, otherwise) : NULL;
    return oct_fill_goal(
        L, b, oct_goal_if(&oct_host_of(L)->budget, oct_callback_test, hook, first, second), "IF");
}

static int deploy(lua_State *L, const char *who, bool is_once)
{
    const bool is_named = lua_gettop(L) > 1;
    const char *const name = is_named ? oct_arg_text(L, 1, who, "the name") : who;
    const int function = is_named ? 2 : 1;
    oct_check_function(L, function, who, "what makes the goal");
    const oct_hook hook = oct_callback(L, function, 0, 0);
    const oct_allocator *const budget = &oct_host_of(L)->budget;
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(L, b,
                         is_once ? oct_goal_deploy_once(budget, name, oct_callback_deploy, hook)
                                 : oct_goal_deploy(budget, name, oct_callback_deploy, hook),
                         who);
}

static int combine_deploy(lua_State *L)
{
    return deploy(L, "DEPLOY", false);
}

static int combine_deploy_once(lua_State *L)
{
    return deploy(L, "DEPLOYonce", true);
}

static int combine_success(lua_State *L)
{
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(L, b, oct_goal_success(&oct_host_of(L)->budget), "SUCCESS");
}

static int combine_fail(lua_State *L)
{
    const char *const reason = oct_arg_text(L, 1, "FAIL", "the reason");
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(L, b, oct_goal_fail(&oct_host_of(L)->budget, reason), "FAIL");
}

static int combine_check(lua_State *L)
{
    const char *const name = oct_arg_text(L, 1, "CHECK", "the name");
    oct_check_function(L, 2, "CHECK", "the test");
    const oct_hook hook = oct_callback(L, 2, 0, 0);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    return oct_fill_goal(
        L, b, oct_goal_check(&oct_host_of(L)->budget, name, oct_callback_test, hook), "CHECK");
}

// ---- interrupts ----

// A handler keeps its name as the box's value.
static int combine_handle(lua_State *L)
{
    (void)oct_arg_text(L, 1, "HANDLE", "the name");
    oct_check_function(L, 2, "HANDLE", "the test");
    goal_box *const goal = oct_arg_box(L, 3, BOX_GOAL, "HANDLE", "what is done");
    const oct_hook hook = oct_callback(L, 2, 0, 0);
    goal_box *const b = oct_push_box(L, BOX_HANDLER);
    b->hook = hook;
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    b->goal = oct_take_goal(L, goal);
    return 1;
}

static int combine_interruptible(lua_State *L)
{
    goal_box *const child = oct_arg_box(L, 1, BOX_GOAL, "INTERRUPTIBLE", "what is interrupted");
    size_t count;
    oct_check_table(L, 2, "INTERRUPTIBLE", "the list of HANDLEs");
    goal_box **const boxes = oct_push_boxes(L, 2, BOX_HANDLER, "INTERRUPTIBLE", &count);
    oct_handler *const handlers = lua_newuserdatauv(L, (count + 1) * sizeof *handlers, 0);
    lua_newtable(L); // of the names, which stay there until they are copied
    const int kept = lua_gettop(L);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        lua_getiuservalue(L, -1, 1);
        handlers[i] = (oct_handler){
            .name = lua_tostring(L, -1), .test = oct_callback_test, .hook = boxes[i]->hook};
        lua_rawseti(L, kept, (lua_Integer)i + 1);
        lua_pop(L, 1);
    }
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    for (size_t i = 0; i < count; i++) {
        handlers[i].goal = oct_take_goal(L, boxes[i]);
    }
    return oct_fill_goal(
        L, b,
        oct_goal_interruptible(&oct_host_of(L)->budget, oct_take_goal(L, child), handlers, count),
        "INTERRUPTIBLE");
}

// ---- own ----

static int make_goal(lua_State *L)
{
    static const char *const fields[] = {"name",  "solved", "distance", "epsilon",
                                         "begin", "open",   "tactic",   NULL};
    static const char who[] = "goal";
    oct_leaf_goal leaf = {.name = NULL};
    oct_check_table(L, 1, who, "what is given");
    lua_settop(L, 1);
    oct_check_fields(L, 1, who, fields, NULL, 0);
    if (!oct_field_text(L, 1, who, "name", &leaf.name)) {
        return luaL_error(L, "goal: it has no name");
    }
    const int solved = oct_field_function(L, 1, who, "solved");
    const int distance = oct_field_function(L, 1, who, "distance");
    const int begin = oct_field_function(L, 1, who, "begin");
    const int open = oct_field_function(L, 1, who, "open");
    (void)oct_field_number(L, 1, who, "epsilon", 0.0, 1e12, &leaf.epsilon);
    if (solved && distance) {
        return luaL_error(L, "goal: solved or distance, not both");
    }
    (void)oct_get_field(L, 1, "tactic");
    goal_box *const tactic = oct_arg_box(L, -1, BOX_TACTIC, who, "tactic");
    leaf.solved = solved ? oct_callback_test : NULL;
    leaf.distance = distance ? oct_callback_distance : NULL;
    leaf.begin = begin ? oct_callback_test_2 : NULL;
    leaf.is_undecided = open ? oct_callback_test_3 : NULL;
    leaf.hook = oct_callback(L, solved ? solved : distance, begin, open);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    leaf.tactic = oct_take_tactic(L, tactic);
    return oct_fill_goal(L, b, oct_goal_leaf(&oct_host_of(L)->budget, &leaf), who);
}

static int make_action(lua_State *L)
{
    static const char *const fields[] = {"name", "guard", "run", NULL};
    static const char who[] = "ACTION";
    const char *name;
    oct_check_table(L, 1, who, "what is given");
    lua_settop(L, 1);
    oct_check_fields(L, 1, who, fields, NULL, 0);
    if (!oct_field_text(L, 1, who, "name", &name)) {
        return luaL_error(L, "ACTION: it has no name");
    }
    const int guard = oct_field_function(L, 1, who, "guard");
    const int run = oct_field_function(L, 1, who, "run");
    if (!run) {
        return luaL_error(L, "ACTION: it has nothing to run");
    }
    const oct_hook hook = oct_callback(L, guard, run, 0);
    goal_box *const b = oct_push_box(L, BOX_TACTIC);
    return oct_fill_tactic(L, b,
                           oct_tactic_action(&oct_host_of(L)->budget, name,
                                             guard ? oct_callback_test : NULL, oct_callback_run,
                                             hook),
                           who);
}

// The reason is the box's value too, for actions that return it.
static int make_abort(lua_State *L)
{
    const char *const reason =
        lua_isnoneornil(L, 1) ? "" : oct_arg_text(L, 1, "ABORT", "the reason");
    goal_box *const b = oct_push_box(L, BOX_TACTIC);
    lua_pushstring(L, reason);
    lua_setiuservalue(L, -2, 1);
    return oct_fill_tactic(
        L, b, oct_tactic_abort(&oct_host_of(L)->budget, reason[0] ? reason : NULL), "ABORT");
}

static int combine_within(lua_State *L)
{
    const double seconds = oct_arg_number(L, 1, "within", "the time", 0.02, SECONDS_MAX);
    goal_box *const from = oct_arg_box(L, 2, BOX_GOAL, "within", "what is to be done");
    lua_settop(L, 2);
    goal_box *const b = oct_push_box(L, BOX_GOAL);
    oct_goal *const goal = oct_goal_within(&oct_host_of(L)->budget, oct_take_goal(L, from),
                                           oct_play_ticks(seconds, oct_host_of(L)->rate));
    return oct_fill_goal(L, b, goal, "within");
}

void oct_bind_combinators(lua_State *L)
{
    static const luaL_Reg functions[] = {{"REPEAT", combine_repeat},
                                         {"REPEATuntil", combine_repeat_until},
                                         {"WHILE", combine_while},
                                         {"IF", combine_if},
                                         {"DEPLOY", combine_deploy},
                                         {"DEPLOYonce", combine_deploy_once},
                                         {"SUCCESS", combine_success},
                                         {"FAIL", combine_fail},
                                         {"CHECK", combine_check},
                                         {"HANDLE", combine_handle},
                                         {"INTERRUPTIBLE", combine_interruptible},
                                         {"within", combine_within},
                                         {"goal", make_goal},
                                         {"ACTION", make_action},
                                         {"ABORT", make_abort},
                                         {NULL, NULL}};
    lua_pushglobaltable(L);
    oct_set_functions(L, functions);
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        // They are only read.
        union {
            const maker *read;
            void *any;
        } const m = {.read = &makers[i]};
        lua_pushlightuserdata(L, m.any);
        lua_pushcclosure(L, combine, 1);
        lua_setfield(L, -2, makers[i].name);
    }
    lua_pushstring(L, "done");
    lua_setfield(L, -2, "DONE");
    lua_pushstring(L, "step");
    lua_setfield(L, -2, "STEP");
    lua_pushstring(L, "more");
    lua_setfield(L, -2, "MORE");
    lua_pop(L, 1);
}
