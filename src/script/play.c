// SPDX-License-Identifier: MIT
// Playing a test of a script: what the script declares becomes an oct_test_def.
#include "script/script_internal.h"

#include "files/files_internal.h"

#include <stdio.h>

#define PROBLEM_NOTES_MAX 20
#define PROBLEM_NOTE (HOST_TEXT + OCT_PROBLEM_TEXT + 16)

// ---- the test as it was declared ----

// The test by its place in the file, and its name: loading a file twice gives the same.
static void find_test(host *h, const oct_script *script, size_t index)
{
    const script_entry *const wanted = (const script_entry *)script->tests.items + index;
    const declared_test *const t = (const declared_test *)h->tests.items + index;
    if (index >= h->tests.count || strcmp(t->name, wanted->name) != 0) {
        oct_host_fail(h, "the script declares other tests than when it was opened");
        return;
    }
    h->test = t;
    h->index = index;
}

void oct_host_begin(host *h, const oct_script *script, size_t index, uint64_t forced_seed)
{
    if (!oct_host_load(h)) {
        return;
    }
    find_test(h, script, index);
    if (h->has_failed) {
        return;
    }
    const agent_plan *const plan = &h->test->plan.agent;
    h->forced_seed = forced_seed;
    h->seed = forced_seed > 0 ? forced_seed : plan->has_seed ? plan->seed : 1;
    if (oct_host_seed(h, h->seed)) {
        (void)oct_host_prepare(h);
    }
}

// ---- the world ----

bool oct_host_has_start(const host *h)
{
    return h->test->plan.agent.has_start ||
           (h->players.count > 0 && ((const player *)h->players.items)->plan.has_start);
}

// Problems that are found before the first turn, as notes. Those of the script come first: they are
// fewer, and of the one who plays it.
typedef struct problem_notes {
    host *host;
    size_t count, shown;
    char world[PROBLEM_NOTES_MAX][PROBLEM_NOTE]; // of the world, while it is loaded
    size_t world_count;
} problem_notes;

static void note_problem(problem_notes *notes, const char *note)
{
    if (notes->shown < PROBLEM_NOTES_MAX) {
        oct_host_note(notes->host, note);
        notes->shown++;
    }
}

static void note_script_problem(void *ctx, const char *file, const oct_problem *problem)
{
    char note[PROBLEM_NOTE];
    problem_notes *const notes = ctx;
    (void)snprintf(note, sizeof note, "%.*s:%u: %s", HOST_TEXT, file, problem->line, problem->text);
    notes->count++;
    note_problem(notes, note);
}

static void keep_world_problem(void *ctx, const oct_problem *problem)
{
    problem_notes *const notes = ctx;
    // The world's own start does not matter to a test that has another.
    if (problem->kind == OCT_PROBLEM_START && oct_host_has_start(notes->host)) {
        return;
    }
    notes->count++;
    if (notes->world_count < PROBLEM_NOTES_MAX) {
        (void)snprintf(notes->world[notes->world_count++], PROBLEM_NOTE, "%.*s:%u: %s", HOST_TEXT,
                       notes->host->test->world, problem->line, problem->text);
    }
}

static void note_problems(problem_notes *notes, const oct_world *world)
{
    char note[HOST_PLACE];
    oct_check_names(notes->host, world, note_script_problem, notes);
    for (size_t i = 0; i < notes->world_count; i++) {
        note_problem(notes, notes->world[i]);
    }
    if (notes->count > notes->shown) {
        (void)snprintf(note, sizeof note, "and %zu more problems: octant check tells them",
                       notes->count - notes->shown);
        oct_host_note(notes->host, note);
    }
}

static void note_warning(void *ctx, const char *message)
{
    const problem_notes *const notes = ctx;
    oct_host_note(notes->host, message);
}

static oct_result find_world(const oct_script *script, const char *name, char *out, size_t size,
                             oct_error *error)
{
    // A game that knows the scheme is to be handed the name as it is.
    if (oct_script_has_scheme(name)) {
        const int scheme = (int)strcspn(name, ":");
        oct_error_set(
            error, 0, 0, 0,
            "the world '%.40s' needs a game that knows '%.*s://'; here is the block world, "
            "which is made from a .json or .sbs file",
            name, scheme < 20 ? scheme : 20, name);
        return OCT_ERROR_ABSENT;
    }
    const oct_result result = oct_script_find(script, name, out, size, error);
    if (result == OCT_ERROR_ABSENT) {
        oct_error_set(
            error, 0, 0, 0,
            "there is no world '%.80s' beside the script, above, or in the working folder", name);
    }
    return result;
}

oct_result oct_script_world_path(const oct_script *script, size_t test, char *out, size_t size,
                                 oct_error *error)
{
    return find_world(script, oct_script_test(script, test).world, out, size, error);
}

static oct_result load_world(void *ctx, const oct_allocator *allocator, oct_world **out,
                             oct_error *error)
{
    host *const h = ctx;
    char path[SCRIPT_PATH_SIZE], sizes_path[SCRIPT_PATH_SIZE];
    oct_world *sizes = NULL;
    oct_result result = find_world(h->script, h->test->world, path, sizeof path, error);
    if (result == OCT_ERROR_ABSENT) {
        oct_host_fail(h, "%s", error->message);
        return OCT_ERROR_FILE;
    }
    if (result == OCT_OK && oct_save_is_named(path) &&
        oct_block_sizes_find(path, sizes_path, sizeof sizes_path)) {
        result = oct_file_check_source(sizes_path, error);
        if (result == OCT_OK) {
            result = oct_block_sizes_load(sizes_path, allocator, &sizes, error);
        }
    }
    if (result == OCT_OK) {
        problem_notes notes = {.host = h};
        const oct_world_checking how = {.check = oct_world_check,
                                        .tell = keep_world_problem,
                                        .ctx = &notes,
                                        .sizes = sizes,
                                        .is_strict = true,
                                        .warn = note_warning,
                                        .allocator = allocator,
                                        .scratch = &h->base};
        result = oct_world_check_file(path, &how, out, error);
        if (result == OCT_OK) {
            note_problems(&notes, *out);
        }
    }
    oct_world_destroy(sizes);
    return result;
}

// ---- agents ----

// Sets what the options of a test, or of an agent, say.
static void apply_plan(const host *h, const agent_plan *plan, oct_test_agent *out)
{
    oct_agent_def *const def = &out->agent;
    def->belief.cell = plan->has_cell ? plan->cell : def->belief.cell;
    def->belief.padding = plan->has_padding ? plan->padding : def->belief.padding;
    def->belief.settle =
        plan->has_settle ? oct_play_ticks(plan->settle, h->rate) : def->belief.settle;
    def->facing = plan->has_facing ? plan->facing : def->facing;
    def->strategy = plan->has_strategy ? plan->strategy : def->strategy;
    def->move = plan->move != OCT_MOVE_BY_BODY ? plan->move : def->move;
    def->bounds = plan->has_bounds ? &plan->bounds : def->bounds;
    def->ticks = plan->has_ticks ? plan->ticks : def->ticks;
}

static oct_result begin_player(void *ctx, oct_agent *agent, oct_goal **goal)
{
    player *const p = ctx;
    p->agent = agent;
    if (!oct_player_demand(p)) {
        return OCT_ERROR_ARGUMENT; // the host says why
    }
    *goal = p->goal;
    p->goal = NULL;
    return OCT_OK;
}

// A start in the options of the test is that of the first agent.
static void translate_player(const host *h, size_t index, oct_test_agent *out)
{
    player *const p = (player *)h->players.items + index;
    const agent_plan *const test = &h->test->plan.agent;
    *out = oct_test_agent_default();
    apply_plan(h, test, out);
    apply_plan(h, &p->plan, out);
    out->agent.name = p->name;
    out->agent.role = p->role;
    out->agent.seed = p->seed;
    out->start = p->plan.has_start               ? &p->plan.start
                 : index == 0 && test->has_start ? &test->start
                                                 : NULL;
    out->begin = begin_player;
    out->ctx = p;
}

// ---- the definition ----

static bool fails(void *ctx, oct_test_error *out)
{
    const host *const h = ctx;
    *out = (oct_test_error){h->error, h->place, h->current};
    return h->has_failed;
}

static void translate_players(host *h)
{
    for (size_t i = 0; i < h->players.count; i++) {
        player *const p = (player *)h->players.items + i;
        p->seed = p->plan.seed > 0 && h->forced_seed == 0 ? p->plan.seed : h->seed + i;
        translate_player(h, i, &h->agents[i]);
    }
}

// Before another life: the script is loaded again, and the body of the test runs again.
static oct_result renew(void *ctx)
{
    host *const h = ctx;
    const size_t count = h->players.count;
    oct_host_renew(h);
    oct_host_begin(h, h->script, h->index, h->forced_seed);
    h->phase = HOST_PLAYS;
    if (!h->has_failed && h->players.count != count) {
        oct_host_fail(h, "the script has other agents than in the life before");
    }
    if (h->lacks_memory) {
        return OCT_ERROR_MEMORY;
    }
    if (!h->has_failed) {
        translate_players(h);
    }
    return OCT_OK;
}

// Texts of the state would go with it: the world's name is the script's, the reason the caller's.
static oct_test_def translate_test(host *h, const char *reason)
{
    oct_test_def def = oct_test_def_default();
    def.ctx = h;
    def.fails = fails;
    def.load = load_world;
    def.seed = h->seed;
    if (h->test) {
        const test_plan *const plan = &h->test->plan;
        def.world_name = ((const script_entry *)h->script->tests.items)[h->index].world;
        def.level = def.world_name[0] ? def.world_name : NULL;
        def.world_name = def.level ? def.level : "the game";
        if (def.level && !h->limits.has_game && oct_script_is_level(def.level)) {
            h->level = oct_script_level_source(h);
            def.game = &h->level;
            def.level = NULL;
        }
        def.view = plan->has_view ? plan->view : 0.0;
        def.has_sight = plan->has_sight;
        def.sight = plan->sight;
        def.delay_min = plan->has_delay ? plan->delay[0] : 0;
        def.delay_max = plan->has_delay ? plan->delay[1] : 0;
        def.turns = plan->turns;
        def.seconds = plan->seconds;
        def.denies = plan->denies;
        def.has_settle = plan->agent.has_settle;
        def.settle = plan->agent.settle;
        def.memory = plan->memory_mb > 0 ? plan->memory_mb * OCT_MEGABYTE : def.memory;
        def.expect = plan->expect;
        def.lives = (uint32_t)plan->lives;
        def.reason = reason;
    }
    def.renew = renew;
    def.agents = h->agents;
    def.agent_count = h->agents ? h->players.count : 0;
    return def;
}

// ---- playing ----

// Notes of the script come before those of the run.
static oct_result add_notes(const host *h, oct_play_result *out)
{
    const size_t count = h->notes.count + out->note_count;
    if (h->notes.count == 0) {
        return OCT_OK;
    }
    char **const notes = oct_alloc(&out->allocator, count * sizeof(char *), _Alignof(char *));
    if (!notes) {
        return OCT_ERROR_MEMORY;
    }
    bool is_whole = true;
    for (size_t i = 0; i < h->notes.count; i++) {
        notes[i] = oct_copy_text(&out->allocator, ((char *const *)h->notes.items)[i]);
        is_whole = is_whole && notes[i];
    }
    if (out->note_count > 0) {
        memcpy(notes + h->notes.count, out->notes, out->note_count * sizeof(char *));
    }
    oct_free(&out->allocator, out->notes, out->note_count * sizeof(char *));
    out->notes = notes;
    out->note_count = count;
    return is_whole ? OCT_OK : OCT_ERROR_MEMORY;
}

static oct_result play_test(host *h, const oct_play_options *options, const char *reason,
                            oct_play_result *out)
{
    const oct_test_def def = translate_test(h, reason);
    OCT_TRY(oct_play_test(&def, options, out));
    const oct_result result = h->lacks_memory ? OCT_ERROR_MEMORY : add_notes(h, out);
    if (result != OCT_OK) {
        oct_play_result_free(out);
    }
    return result;
}

static oct_result play_prepared(host *h, const oct_play_options *options, oct_play_result *out)
{
    const size_t count = h->has_failed ? 0 : h->players.count;
    const char *const declared = h->test && h->test->reason ? h->test->reason : NULL;
    char *const reason = declared ? oct_copy_text(&h->base, declared) : NULL;
    oct_result result = declared && !reason ? OCT_ERROR_MEMORY : OCT_OK;
    if (count > 0 && result == OCT_OK) {
        h->agents = oct_alloc(&h->base, count * sizeof *h->agents, _Alignof(oct_test_agent));
        result = h->agents ? OCT_OK : OCT_ERROR_MEMORY;
    }
    if (result == OCT_OK) {
        if (h->agents) {
            translate_players(h);
        }
        result = play_test(h, options, reason, out);
    }
    oct_free(&h->base, h->agents, count * sizeof *h->agents);
    oct_free_text(&h->base, reason);
    return result;
}

oct_result oct_script_play(const oct_script *script, size_t test, const script_limits *limits,
                           const oct_play_options *options, oct_play_result *out)
{
    host *h;
    *out = (oct_play_result){.allocator = oct_allocator_or_default(limits->allocator)};
    OCT_TRY(oct_host_open(limits, script, &h));
    h->seed = options->seed > 0 ? options->seed : 1;
    h->rate = options->game && options->game->rate > 0.0 ? options->game->rate : h->rate;
    if (!options->game && oct_script_is_level(oct_script_test(script, test).world)) {
        h->rate = oct_script_level_source(h).rate;
    }
    oct_host_begin(h, script, test, options->seed);
    oct_play_options own = *options;
    own.allocator = &h->base;
    h->phase = HOST_PLAYS;
    const oct_result result = h->lacks_memory ? OCT_ERROR_MEMORY : play_prepared(h, &own, out);
    oct_host_close(h);
    return result;
}
