// SPDX-License-Identifier: MIT
// What the files of the script module share.
//
// A host is one Lua state with its budget, and all that its C functions work on. Lua errors never
// leave oct_host_call: they jump, and what is above it is the library, which is not to be jumped
// over. The first error is kept; from then on the state is not entered any more.
#ifndef OCTANT_SCRIPT_INTERNAL_H
#define OCTANT_SCRIPT_INTERNAL_H

#include "base/base_internal.h"
#include "octant/octant.h"
#include "octant/play.h"
#include "play/play_internal.h"
#include "script/script.h"

#include <lauxlib.h>
#include <lua.h>

#define HOST_TEXT 512   // bytes of a message
#define HOST_PLACE 128  // of "file:line"
#define NOTES_MAX 1000  // of one run; more are not kept
#define SECONDS_MAX 1e9 // that options may ask for

// ---- options.c: what a test, and an agent, may be told ----

// What is not said is as the agent's definition has it.
typedef struct agent_plan {
    oct_move move;
    bool has_cell, has_padding, has_facing, has_strategy, has_bounds, has_seed;
    bool has_ticks, has_start, has_settle;
    double cell, padding, settle; // metres, seconds
    oct_facing facing;
    oct_strategy strategy;
    oct_bounds bounds;
    oct_point start; // of the feet
    uint64_t seed;
    uint32_t ticks;
} agent_plan;

typedef struct test_plan {
    agent_plan agent;
    bool has_view, has_sight, has_delay;
    double view; // metres
    oct_sight sight;
    uint32_t delay[2];  // ticks
    uint64_t turns;     // 0 = no limit
    double seconds;     // of the game
    uint32_t denies;    // assumptions that no fail may rest on: bits
    uint64_t memory_mb; // megabytes; 0 = the default
    uint64_t lives;     // most
    oct_verdict expect;
} test_plan;

// A test as it was declared; texts are the host's.
typedef struct declared_test {
    char *name, *world, *reason; // reason may be NULL
    uint32_t line;
    test_plan plan;
    int body, invariants; // references; LUA_NOREF = none
} declared_test;

// ---- sandbox.c: a state within its budget ----

typedef enum host_phase { HOST_LOADS, HOST_PREPARES, HOST_PLAYS } host_phase;

// An agent that a test wants, and later has.
typedef struct player {
    char *name, *role;
    agent_plan plan;
    oct_goal *goal;   // until the agent takes it
    oct_agent *agent; // NULL until it plays
    uint64_t seed;
    int self; // reference to what scripts call `a`
    struct host *host;
} player;

// Something that must hold for every agent.
typedef struct demanded {
    char *name;
    int formula; // reference
} demanded;

typedef struct host {
    lua_State *lua;
    oct_allocator base;   // of everything that outlives the state
    oct_allocator budget; // of goals, tactics and formulas: counts as Lua's memory
    script_limits limits;
    size_t used;       // bytes
    uint64_t spent;    // steps
    uint64_t price;    // of an instruction, steps
    uint32_t interval; // instructions from one look to the next
    bool is_exceeded;  // of steps or time: every further instruction raises
    bool was_refused;  // memory, by the limit
    bool is_deep;      // in calls, when it was
    bool is_wide;      // a table, when it was
    uint64_t looked;   // when the clock was looked at, and how often it was not since
    uint64_t hooks, ticked;
    bool lacks_memory;     // by the system
    uint64_t began, total; // of time in Lua: this stretch, and those before; nanoseconds
    uint32_t depth;        // of calls into Lua
    bool chooses;          // a goal of the library asks about an entity
    char why[HOST_PLACE];  // the limit that was exceeded
    // The first error.
    bool has_failed;
    char error[HOST_TEXT];
    char place[HOST_PLACE]; // "file:line", or ""
    char seen_at[HOST_PLACE];
    char unseen[HOST_PLACE]; // what this call has asked for and got nil, "" = nothing
    // What is loaded.
    const oct_script *script;
    oct_script *collector; // the same while it is opened: sources are kept; else NULL
    host_phase phase;
    char *world;     // of the tests that follow
    oct_array tests; // of declared_test
    int randomseed, included;
    int metatables; // what stands for each metatable, and how deep it is searched (metatables.c)
    uint64_t marks;
    // What is played.
    const declared_test *test;
    oct_array players;        // of player
    oct_array demands;        // of demanded
    oct_array notes;          // of char *
    oct_array names;          // of script_name
    const oct_agent *current; // whose functions were last called
    uint64_t seed;
    double rate;            // of the game, ticks a second
    size_t index;           // of the test
    uint64_t forced_seed;   // 0 = the test's own
    oct_test_agent *agents; // one per player; NULL until they are there
    oct_game_source level;  // of a test whose world is a level of the lab world
} host;

oct_result oct_host_open(const script_limits *limits, const oct_script *script, host **out);
void oct_host_close(host *h);
// Begins anew with a fresh state, which has nothing of the old one but its notes and what is left
// of its limits.
void oct_host_renew(host *h);
host *oct_host_of(lua_State *L);

// Runs a C function in the state, with `arg` as its only argument, a light userdatum. False where
// it raised, or the state has failed before.
bool oct_host_call(host *h, lua_CFunction run, void *arg);
// The first error, where something else than Lua finds it.
void oct_host_fail(host *h, const char *format, ...) OCT_FORMAT(2, 3);

// What was made with the budget is NULL: raises, and says why.
int oct_raise_null(lua_State *L, const char *who);
// A text of the host's; raises where memory is short.
char *oct_host_copy(lua_State *L, const char *text);
void oct_host_note(host *h, const char *text);

// ---- limits.c ----

#define STRING_PART 16u // of the memory: the longest string

// What is charged where it is made or looked at.
#define BOX_STEPS 20u
#define ENTITY_STEPS 50u
#define AGENT_FIELD_STEPS 8u
#define FIELD_STEPS 8u // of one in a table of options: it is looked for among all names
#define TEXT_BYTES_A_STEP 64u

// Counts what C functions do as steps; raises beyond the limit.
void oct_charge(lua_State *L, uint64_t steps);
// Where the script is now, "file:line"; false where no function of it runs.
bool oct_script_place(lua_State *L, char *out, size_t size, int *line);
// Collects what is garbage if little is left for what the collector does not see.
void oct_make_room(lua_State *L);
void oct_set_hook(host *h);
// A stretch is from where Lua is entered to where it is left.
void oct_begin_stretch(host *h);
void oct_end_stretch(host *h);
// The allocator of the state (lua_Alloc), and of what counts as its memory.
void *oct_host_allocate(void *ctx, void *old, size_t old_size, size_t size);
oct_allocator oct_budget_allocator(host *h);
// CPU time of the thread, nanoseconds.
uint64_t oct_script_cpu(void);

// ---- lib_*.c: what replaces parts of the standard libraries ----

void oct_open_libraries(lua_State *L);
void oct_patch_base(lua_State *L);
void oct_patch_math(lua_State *L);
void oct_patch_string(lua_State *L);
void oct_patch_table(lua_State *L);
// setmetatable and getmetatable (metatables.c).
void oct_bind_metatables(lua_State *L);
// Sets find, match, gmatch and gsub of the table on top of the stack (pattern.c).
void oct_set_patterns(lua_State *L);
// Pushes a value as people read it: without addresses, which differ from run to run.
const char *oct_push_text(lua_State *L, int at);
// Sets fields of the table on top of the stack, NULL ones to nil.
void oct_set_functions(lua_State *L, const luaL_Reg *functions);
// Pushes a list of a table's keys in their order.
void oct_push_keys(lua_State *L, int table);

// ---- scan.c ----

// Looks over a source before it is compiled; raises what scripts may not have, with its line.
void oct_scan_source(lua_State *L, const char *name, const char *text, size_t size);

// ---- script.c: files and declarations ----

struct oct_script {
    oct_allocator allocator;
    char *path, *folder, *name; // as given; absolute; its last part
    char *root, *data;          // what holds its files; the second may be NULL
    oct_array sources;          // of script_source
    oct_array tests;            // of script_entry
    bool has_game;              // worlds are no files
};

typedef struct script_source {
    char *name; // as scripts ask for it; the script's own is first
    char *path;
    oct_array bytes;
} script_source;

typedef struct script_entry {
    char *name, *world;
    uint32_t line;
} script_entry;

// Loads and runs the script's file; tests are the host's then.
bool oct_host_load(host *h);
void oct_bind_script(lua_State *L);

// ---- root.c: where files may lie ----

#define SCRIPT_PATH_SIZE 4096

// The folder that holds all that the script may name; NULL = what the working folder and the
// script's have in common, and besides it the folder that OCTANT_DATA names.
oct_result oct_script_set_root(oct_script *script, const char *root, oct_error *error);
// Finds a file as scripts name them: beside the script, in a folder above, in the working folder.
// OCT_ERROR_ABSENT where there is none; OCT_ERROR_FILE where it is not below the root, or no
// regular file. The path has no links and no "..".
oct_result oct_script_find(const oct_script *script, const char *name, char *out, size_t size,
                           oct_error *error);
// Whether a world's name is for the game alone, such as "res://level": letters before "://".
bool oct_script_has_scheme(const char *name);

// ---- fields.c: reading what scripts write; all raise ----

// What a value is, for messages: "'text'", "12", "a table", "a goal".
const char *oct_what(lua_State *L, int at);
// Pushes a field as it stands in the table; its type.
int oct_get_field(lua_State *L, int table, const char *name);
// All keys must be of these lists (NULL-terminated; the second may be NULL), or 1 to `items`.
void oct_check_fields(lua_State *L, int table, const char *who, const char *const *names,
                      const char *const *more, int items);
// Raises: names what there is instead of the field.
int oct_refuse_field(lua_State *L, const char *who, const char *key, const char *const *names,
                     const char *const *more);
void oct_check_table(lua_State *L, int at, const char *who, const char *what);
void oct_check_function(lua_State *L, int at, const char *who, const char *what);
// False, and nothing written, where the field is nil.
bool oct_field_number(lua_State *L, int table, const char *who, const char *name, double min,
                      double max, double *out);
bool oct_field_integer(lua_State *L, int table, const char *who, const char *name, uint64_t min,
                       uint64_t max, uint64_t *out);
bool oct_field_text(lua_State *L, int table, const char *who, const char *name, const char **out);
bool oct_field_bool(lua_State *L, int table, const char *who, const char *name, bool *out);
bool oct_field_word(lua_State *L, int table, const char *who, const char *name,
                    const char *const *words, int *out);
// A list of words, as bits; 0 where the field is nil.
uint32_t oct_field_words(lua_State *L, int table, const char *who, const char *name,
                         const char *const *words);
bool oct_field_point(lua_State *L, int table, const char *who, const char *name, oct_point *out);
// Pushes the function; index, or 0 and nothing pushed where it is nil.
int oct_field_function(lua_State *L, int table, const char *who, const char *name);
double oct_arg_number(lua_State *L, int at, const char *who, const char *what, double min,
                      double max);
uint64_t oct_arg_integer(lua_State *L, int at, const char *who, const char *what, uint64_t max);
const char *oct_arg_text(lua_State *L, int at, const char *who, const char *what);
bool oct_is_point(lua_State *L, int at);
oct_point oct_arg_point(lua_State *L, int at, const char *who, const char *what);
void oct_push_point(lua_State *L, oct_point p);

// ---- options.c ----

// `at` may be none: then all is as by default.
void oct_read_test_plan(lua_State *L, int at, const char *who, declared_test *out);
void oct_read_agent_plan(lua_State *L, int table, const char *who, agent_plan *out);
extern const char *const oct_agent_fields[];

// ---- callback.c: functions of scripts, called by the library ----

#define CALLBACK_SLOTS 3

typedef struct callback {
    host *host;
    int self; // reference
} callback;

// Keeps functions at stack indices (0 = none) until its hook is dropped. Leaves the stack as it is.
oct_hook oct_callback(lua_State *L, int first, int second, int third);
bool oct_callback_test(void *ctx, oct_mind *mind);   // the first function
bool oct_callback_test_2(void *ctx, oct_mind *mind); // the second
bool oct_callback_test_3(void *ctx, oct_mind *mind);
double oct_callback_distance(void *ctx, oct_mind *mind);
oct_did oct_callback_run(void *ctx, oct_mind *mind); // the second
oct_goal *oct_callback_deploy(void *ctx, oct_mind *mind);
bool oct_callback_known(void *ctx, const oct_belief *belief, const oct_known *known);
oct_truth oct_callback_atom(void *ctx, void *agent);
// The first is a function of the value.
bool oct_callback_property(void *ctx, const oct_property *may_be_null);

// ---- box.c: goals and tactics in scripts ----

typedef enum box_kind { BOX_GOAL, BOX_TACTIC, BOX_HANDLER } box_kind;

typedef struct goal_box {
    box_kind kind;
    oct_goal *goal; // of a goal or handler
    oct_tactic *tactic;
    bool is_taken;
    int line;              // that took it
    uint64_t mark;         // of the list that it was last met in
    uint64_t turns, ticks; // its limits, 0 = none
    oct_hook hook;         // of a handler
} goal_box;

// Pushes an empty one. Fill it at once with oct_fill_*, which raise where they are given NULL.
goal_box *oct_push_box(lua_State *L, box_kind kind);
int oct_fill_goal(lua_State *L, goal_box *b, oct_goal *goal, const char *who);
int oct_fill_tactic(lua_State *L, goal_box *b, oct_tactic *tactic, const char *who);
// The goal_box at an index, if it is one of that kind; NULL where not.
goal_box *oct_to_box(lua_State *L, int at, box_kind kind);
// The same, which must be there and not have been taken.
goal_box *oct_arg_box(lua_State *L, int at, box_kind kind, const char *who, const char *what);
// Takes what is in it. Raises nothing.
oct_goal *oct_take_goal(lua_State *L, goal_box *b);
oct_tactic *oct_take_tactic(lua_State *L, goal_box *b);
// The boxes in a table's list, each checked, in memory of the state (pushed).
goal_box **oct_push_boxes(lua_State *L, int table, box_kind kind, const char *who, size_t *count);
void oct_bind_boxes(lua_State *L);

// ---- bind_*.c ----

void oct_bind_combinators(lua_State *L);
void oct_bind_goals(lua_State *L);
void oct_bind_events(lua_State *L);
void oct_bind_tactics(lua_State *L);
void oct_bind_formulas(lua_State *L);
void oct_bind_agent(lua_State *L);

extern const char *const oct_pick_fields[];
extern const char *const oct_side_words[];
extern const char *const oct_no_fields[];
// A pick: a name, or a table whose fields have been checked. Its hook is to be taken.
void oct_read_pick(lua_State *L, int at, const char *who, oct_pick *out);
// The same, without a hook: pushes the function `where` and returns its index, or 0.
int oct_read_pick_fields(lua_State *L, int at, const char *who, oct_pick *out);
// Whether a table is an entity that a script was given: it is picked by its id.
bool oct_is_entity(lua_State *L, int at);
// The same for arguments that are nothing but a pick.
void oct_arg_pick(lua_State *L, int at, const char *who, oct_pick *out);
oct_action oct_read_action(lua_State *L, int table, const char *who, oct_agent *agent);
// "name:number" or a name; the name is in memory of the state (pushed).
const char *oct_push_button(lua_State *L, const char *text, uint32_t *number);

// Makes a formula for one agent of what a script wrote: a formula or a predicate (which means
// always, if `is_whole`). Raises; NULL where memory is short.
oct_ltl *oct_make_formula(lua_State *L, int at, const char *name, bool is_whole);
bool oct_is_formula(lua_State *L, int at);
void oct_check_formula(lua_State *L, int at, const char *who, const char *what);

void oct_push_agent(lua_State *L, oct_agent *agent);
// Goals about one entity, made of a pick alone.
int oct_goal_about(lua_State *L, const char *who,
                   oct_goal *make(const oct_allocator *, const oct_pick *));
// The nearest that is picked; NULL where there is none.
const oct_known *oct_pick_known(lua_State *L, int at, const char *who, oct_agent *agent);

// ---- bind_entity.c: entities as tables ----

void oct_bind_entities(lua_State *L);
void oct_push_known(lua_State *L, const oct_belief *belief, const oct_known *known);
// Pushes a field that is not certain, and says so; false where there is none of that name.
bool oct_push_unsure(lua_State *L, int entity, int key);
// A value; nil for NULL.
void oct_push_property(lua_State *L, const oct_property *may_be_null);
void oct_push_properties(lua_State *L, const oct_property *props, size_t count);
// Fields of the table on top of the stack.
void oct_set_number(lua_State *L, const char *name, double value);
void oct_set_text(lua_State *L, const char *name, const char *value);
// Of the game.
double oct_seconds_of(lua_State *L, uint64_t ticks);

// ---- names.c: what loading and the body mention of the world ----

typedef struct script_name {
    char *text;
    bool is_type;           // else the name of a block
    bool was_loading;       // outside of every test
    char place[HOST_PLACE]; // "file:line"
} script_name;

// Keeps a name, those of a pick, or those of a claim, unless the test is being played. Raises
// nothing.
void oct_keep_name(lua_State *L, const char *text, bool is_type);
void oct_keep_pick(lua_State *L, const oct_pick *pick);
void oct_keep_claim(lua_State *L, const oct_link_claim *claim);
void oct_free_names(host *h);
// Tells each name and type that the world does not have.
void oct_check_names(const host *h, const oct_world *world, script_problem_fn *tell, void *ctx);

// ---- play.c ----

// Loads the script and runs the body of a test: the host has its players then, or has failed.
void oct_host_begin(host *h, const oct_script *script, size_t index, uint64_t forced_seed);
// Whether the first agent has a start of its own.
bool oct_host_has_start(const host *h);

// ---- players.c: what the body of a test says ----

void oct_bind_players(lua_State *L);
bool oct_host_seed(host *h, uint64_t seed);
// Runs the body of the host's test: players and demands are the host's then.
bool oct_host_prepare(host *h);
// Demands of a player's agent what was said.
bool oct_player_demand(player *p);

// ---- level.c ----

// Whether a world's name is that of a level of the lab world.
bool oct_script_is_level(const char *name);
// Where the games of the test that is played come from; borrows the host.
oct_game_source oct_script_level_source(host *h);

#endif
