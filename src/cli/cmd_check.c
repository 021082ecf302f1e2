// SPDX-License-Identifier: MIT
// octant check: what is wrong with worlds and scripts, without playing them.
#define _XOPEN_SOURCE 700
#include "base/words.h"
#include "cli/cli_internal.h"
#include "files/files_internal.h"
#include "octant/block_world.h"
#include "script/script.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHECK_ROOT, CHECK_SIZES, CHECK_STRICT, CHECK_OPTION_COUNT };

#define PATH_SIZE 4096
#define NO_WORLD SIZE_MAX

typedef struct found_problem {
    char *file, *text; // UTF-8, on one line
    size_t file_order; // of files: which was looked at first
    size_t order;      // of being found
    uint32_t line;     // 0 = not known
    oct_problem_kind kind;
    oct_severity severity;
    size_t world; // for one of its start alone: the world; else NO_WORLD
} found_problem;

// A world that was read, or could not be.
typedef struct checked_world {
    char *real;  // its path, whole
    char *shown; // as it is printed
    oct_world *world;
    bool was_given; // and not only used by a script
} checked_world;

typedef struct check_session {
    const cli_value *options;
    oct_array paths;  // char *
    oct_array worlds; // checked_world
    oct_array found;  // found_problem
    size_t scripts, tests;
    bool lacks_memory;
    size_t current; // the world that is being read
} check_session;

// ---- what was found ----

static char *copy_clean(const char *words)
{
    char clean[PATH_SIZE];
    return strdup(oct_words_copy(words, clean, sizeof clean));
}

static size_t order_of_file(const check_session *s, const char *file)
{
    const found_problem *const all = s->found.items;
    for (size_t i = s->found.count; i > 0; i--) { // mostly that of the last one
        if (strcmp(all[i - 1].file, file) == 0) {
            return all[i - 1].file_order;
        }
    }
    return s->found.count;
}

static void add_found(check_session *s, const char *file, const oct_problem *problem, size_t world)
{
    const oct_allocator allocator = oct_allocator_default();
    found_problem own = {.file = copy_clean(file),
                         .text = copy_clean(problem->text),
                         .order = s->found.count,
                         .line = problem->line,
                         .kind = problem->kind,
                         .severity = problem->severity,
                         .world = world};
    const bool is_whole = own.file && own.text;
    own.file_order = is_whole ? order_of_file(s, own.file) : 0;
    if (!is_whole || oct_array_push(&s->found, &allocator, sizeof own, &own) != OCT_OK) {
        free(own.file);
        free(own.text);
        s->lacks_memory = true;
    }
}

static void on_world_problem(void *ctx, const oct_problem *problem)
{
    check_session *const s = ctx;
    const checked_world *const world = (const checked_world *)s->worlds.items + s->current;
    add_found(s, world->shown, problem, problem->kind == OCT_PROBLEM_START ? s->current : NO_WORLD);
}

static void on_script_problem(void *ctx, const char *file, const oct_problem *problem)
{
    add_found(ctx, file, problem, NO_WORLD);
}

// An error in a line of a script.
static void add_error(check_session *s, const char *file, uint32_t line, const char *text)
{
    const oct_problem problem = {
        .kind = OCT_PROBLEM_SCRIPT, .severity = OCT_SEVERITY_ERROR, .line = line, .text = text};
    add_found(s, file, &problem, NO_WORLD);
}

// ---- worlds ----

static checked_world *world_at(const check_session *s, size_t index)
{
    return (checked_world *)s->worlds.items + index;
}

// Without the working folder.
static const char *shown_path(const char *path)
{
    char folder[PATH_SIZE];
    const size_t length = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    return length > 1 && strncmp(path, folder, length) == 0 && path[length] == '/'
               ? path + length + 1
               : path;
}

// The place of a world that was met before, or a new one; NO_WORLD where memory is short.
static size_t find_world(check_session *s, const char *path)
{
    const oct_allocator allocator = oct_allocator_default();
    char *const real = realpath(path, NULL);
    const char *const key = real ? real : path;
    size_t index = 0;
    while (index < s->worlds.count && strcmp(world_at(s, index)->real, key) != 0) {
        index++;
    }
    if (index == s->worlds.count) {
        const checked_world own = {.real = strdup(key), .shown = strdup(shown_path(path))};
        if (!own.real || !own.shown ||
            oct_array_push(&s->worlds, &allocator, sizeof own, &own) != OCT_OK) {
            free(own.real);
            free(own.shown);
            index = NO_WORLD;
        }
    }
    free(real);
    return index;
}

// Reads a world and tells what is wrong with it. OCT_ERROR_FILE where it cannot be opened.
static int read_world(check_session *s, const char *path, size_t index, oct_result *result,
                      oct_error *error)
{
    const char *const named = oct_save_is_named(path) ? s->options[CHECK_SIZES].text : NULL;
    oct_world *sizes, *world;
    CLI_TRY(oct_cli_load_sizes(path, named, &sizes));
    const oct_world_checking how = {
        .check = oct_block_world_check, .tell = on_world_problem, .ctx = s, .sizes = sizes};
    s->current = index;
    *result = oct_world_check_file(path, &how, &world, error);
    oct_world_destroy(sizes);
    world_at(s, index)->world = world;
    return CLI_YES;
}

// *index is the world's place then, where it can be opened.
static int check_world(check_session *s, const char *path, size_t *index, oct_result *result,
                       oct_error *error)
{
    const size_t before = s->worlds.count;
    *result = OCT_OK;
    *index = find_world(s, path);
    if (*index == NO_WORLD) {
        return oct_cli_check(path, OCT_ERROR_MEMORY);
    }
    return *index < before ? CLI_YES : read_world(s, path, *index, result, error);
}

static int check_given_world(check_session *s, const char *path)
{
    oct_error error = {.line = 0};
    oct_result result;
    size_t index;
    CLI_TRY(check_world(s, path, &index, &result, &error));
    world_at(s, index)->was_given = true;
    return oct_cli_check_file(path, result, &error);
}

// ---- scripts ----

static script_limits limits_of(const check_session *s)
{
    script_limits limits = oct_script_limits_default();
    limits.root = s->options[CHECK_ROOT].text;
    return limits;
}

static int check_test(check_session *s, const oct_script *script, size_t test)
{
    const script_limits limits = limits_of(s);
    const script_test declared = oct_script_test(script, test);
    const char *const file = oct_script_path(script);
    const oct_world *world = NULL;
    oct_error error = {.line = 0};
    char path[PATH_SIZE], text[OCT_PROBLEM_TEXT];
    size_t index;
    oct_result result = oct_script_world_path(script, test, path, sizeof path, &error);
    if (result == OCT_OK) {
        CLI_TRY(check_world(s, path, &index, &result, &error));
        world = world_at(s, index)->world;
    }
    if (result == OCT_ERROR_ABSENT) {
        add_error(s, file, declared.line, error.message);
    } else if (result == OCT_ERROR_FILE) {
        snprintf(text, sizeof text, "the world '%.200s' cannot be read: %s", declared.world,
                 error.message);
        add_error(s, file, declared.line, text);
    } else if (result != OCT_OK) {
        return oct_cli_check(path, result);
    }
    s->tests++;
    return oct_cli_check(file,
                         oct_script_check(script, test, &limits, world, on_script_problem, s));
}

static int check_script(check_session *s, const char *path)
{
    const script_limits limits = limits_of(s);
    oct_error error = {.line = 0};
    oct_script *script = NULL;
    const oct_result result = oct_script_open(path, &limits, &script, &error);
    if (result == OCT_ERROR_FORMAT) {
        s->scripts++;
        add_error(s, path, error.line, error.message);
        return CLI_YES;
    }
    CLI_TRY(oct_cli_check_file(path, result, &error));
    int code = CLI_YES;
    s->scripts++;
    if (oct_script_tests(script) == 0) {
        add_error(s, path, 1, "it declares no test");
    }
    for (size_t i = 0; code == CLI_YES && i < oct_script_tests(script); i++) {
        code = check_test(s, script, i);
    }
    oct_script_close(script);
    return code;
}

// ---- files ----

// What a folder is looked through for.
static bool is_wanted(const char *name)
{
    return name[0] != '.' && (oct_cli_is_script(name) || oct_world_is_named(name)) &&
           strcmp(name, "block_sizes.json") != 0;
}

// What the command line does not name itself must be a regular file.
static int check_path(check_session *s, const char *path, bool is_named)
{
    oct_error error = {.line = 0};
    const oct_result result = is_named ? OCT_OK : oct_file_check_source(path, &error);
    CLI_TRY(oct_cli_check_file(path, result, &error));
    const char *const slash = strrchr(path, '/');
    if (oct_world_is_named(path)) {
        return check_given_world(s, path);
    }
    return oct_cli_is_script(slash ? slash + 1 : path)
               ? check_script(s, path)
               : oct_cli_complain("%s: neither a world (.json, .sbs) nor a script (.lua)", path);
}

static int check_all(check_session *s, const cli_args *args)
{
    CLI_TRY(oct_cli_check_root(&s->options[CHECK_ROOT]));
    for (size_t i = 0; i < args->many_count; i++) {
        const char *const path = args->many[i];
        const size_t first = s->paths.count;
        CLI_TRY(oct_cli_add_paths(&s->paths, path, is_wanted, "world or script"));
        for (size_t k = first; k < s->paths.count; k++) {
            CLI_TRY(check_path(s, ((char *const *)s->paths.items)[k], !oct_cli_is_folder(path)));
        }
    }
    return s->lacks_memory ? oct_cli_check("check", OCT_ERROR_MEMORY) : CLI_YES;
}

// ---- printing ----

static int by_place(const void *a, const void *b)
{
    const found_problem *const p = a, *const q = b;
    if (p->file_order != q->file_order) {
        return p->file_order < q->file_order ? -1 : 1;
    }
    if (p->line != q->line) {
        return p->line < q->line ? -1 : 1;
    }
    return (p->order > q->order) - (p->order < q->order);
}

// Tests of one script, and scripts of one world, find the same.
static bool is_same(const found_problem *a, const found_problem *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0 && strcmp(a->text, b->text) == 0;
}

static bool is_told(const check_session *s, size_t index)
{
    const found_problem *const all = s->found.items;
    const found_problem *const own = &all[index];
    if (own->world != NO_WORLD && !world_at(s, own->world)->was_given) {
        return false; // its tests may start elsewhere, and were asked
    }
    for (size_t i = index;
         i > 0 && all[i - 1].file_order == own->file_order && all[i - 1].line == own->line; i--) {
        if (is_same(&all[i - 1], own)) {
            return false;
        }
    }
    return true;
}

static void print_problem(const found_problem *p)
{
    const bool is_error = p->severity == OCT_SEVERITY_ERROR;
    printf("%s:", p->file);
    if (p->line > 0) {
        printf("%u:", p->line);
    }
    oct_cli_printf(is_error ? CLI_RED : CLI_BOLD, " %s:", oct_severity_name(p->severity));
    printf(" %s\n", p->text);
}

static json_t *problem_json(const found_problem *p)
{
    return json_pack("{s:s, s:o, s:s, s:s, s:s}", "file", p->file, "line",
                     p->line > 0 ? json_integer((json_int_t)p->line) : json_null(), "what", p->text,
                     "severity", oct_severity_name(p->severity), "kind", oct_problem_name(p->kind));
}

static void print_total(const check_session *s, size_t errors, size_t warnings)
{
    printf("%s%zu error%s, %zu warning%s in %zu world%s, %zu script%s, %zu test%s\n",
           errors + warnings > 0 ? "\n" : "", errors, errors == 1 ? "" : "s", warnings,
           warnings == 1 ? "" : "s", s->worlds.count, s->worlds.count == 1 ? "" : "s", s->scripts,
           s->scripts == 1 ? "" : "s", s->tests, s->tests == 1 ? "" : "s");
}

static int report(check_session *s, bool json)
{
    found_problem *const all = s->found.items;
    json_t *const problems = json_array();
    size_t counts[] = {[OCT_SEVERITY_WARNING] = 0, [OCT_SEVERITY_ERROR] = 0};
    bool is_whole = problems != NULL;
    if (s->found.count > 1) {
        qsort(all, s->found.count, sizeof *all, by_place);
    }
    for (size_t i = 0; i < s->found.count; i++) {
        if (!is_told(s, i)) {
            continue;
        }
        counts[all[i].severity]++;
        if (!json) {
            print_problem(&all[i]);
        } else {
            is_whole = json_array_append_new(problems, problem_json(&all[i])) == 0 && is_whole;
        }
    }
    const size_t errors = counts[OCT_SEVERITY_ERROR], warnings = counts[OCT_SEVERITY_WARNING];
    int code = CLI_YES;
    if (json && is_whole) {
        code = oct_cli_print_json(json_pack(
            "{s:O, s:I, s:I, s:I, s:I, s:I}", "problems", problems, "errors", (json_int_t)errors,
            "warnings", (json_int_t)warnings, "worlds", (json_int_t)s->worlds.count, "scripts",
            (json_int_t)s->scripts, "tests", (json_int_t)s->tests));
    } else if (json) {
        code = oct_cli_print_json(NULL);
    } else {
        print_total(s, errors, warnings);
    }
    json_decref(problems);
    CLI_TRY(code);
    return errors > 0 || (warnings > 0 && s->options[CHECK_STRICT].given) ? CLI_NO : CLI_YES;
}

// ---- the whole ----

static void close_session(check_session *s)
{
    const oct_allocator allocator = oct_allocator_default();
    for (size_t i = 0; i < s->worlds.count; i++) {
        oct_world_destroy(world_at(s, i)->world);
        free(world_at(s, i)->real);
        free(world_at(s, i)->shown);
    }
    for (size_t i = 0; i < s->found.count; i++) {
        free(((found_problem *)s->found.items)[i].file);
        free(((found_problem *)s->found.items)[i].text);
    }
    oct_array_free(&s->worlds, &allocator, sizeof(checked_world));
    oct_array_free(&s->found, &allocator, sizeof(found_problem));
    oct_cli_free_paths(&s->paths);
}

static int run_check(const cli_args *args)
{
    check_session s = {.options = args->options};
    int code = check_all(&s, args);
    if (code == CLI_YES) {
        code = report(&s, args->json);
    }
    close_session(&s);
    return code;
}

static const cli_param check_operands[] = {
    {.name = "FILE",
     .kind = CLI_FILE,
     .required = true,
     .many = true,
     .help = "a world (.json, .sbs), a script (.lua), or a folder: all of these in it"},
};

static const cli_param check_options[CHECK_OPTION_COUNT] = {
    [CHECK_ROOT] = CLI_PARAM_FOLDER(
        "root", "all files that scripts name lie below it (default: as in octant test)"),
    [CHECK_SIZES] =
        CLI_PARAM_FILE("sizes", "saves: sizes of blocks (default: block_sizes.json near by)"),
    [CHECK_STRICT] = CLI_PARAM_FLAG("strict", "exit with 1 for warnings too"),
};

const cli_command oct_cmd_check = {
    .name = "check",
    .summary = "says what is wrong with worlds and scripts, without playing",
    .details =
        "  Errors: what cannot be read, wires from or to nothing, buttons that a panel lacks, two\n"
        "  blocks in one cell, no room for a body at the start; in scripts, what keeps a test "
        "from\n"
        "  beginning, and names and types that the world does not have. Warnings: doors, panels\n"
        "  and timers without the wires they need, wires that do nothing, timers in a circle,\n"
        "  names that blocks share, a start that is missing or outside. Each has file and line.\n"
        "  Of a script its worlds are checked too. What its functions name while a test is played\n"
        "  is not seen. Exit code 0: no errors, 1: errors, 2: bad usage or a file that cannot be\n"
        "  opened.",
    .operands = check_operands,
    .operand_count = sizeof check_operands / sizeof check_operands[0],
    .options = check_options,
    .option_count = CHECK_OPTION_COUNT,
    .run = run_check,
};
