// SPDX-License-Identifier: MIT
// Attacks the command with lists of arguments that are made from its own --help: right, wrong,
// missing, repeated, huge, empty, not UTF-8. Whatever the list, the command ends as documented,
// leaves nothing behind that an argument does not name, and does not touch its inputs.
//   attack_arguments OCTANT SOURCE_FOLDER COUNT [SEED]
#define _XOPEN_SOURCE 700
#include "attack_run.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMMANDS_MAX 24
#define PARAMS_MAX 40
#define TEXT_MAX 512
#define LONG_VALUE 100000
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define SECONDS_MAX 4.0 // of one run; then it is told to end
#define BYTES_MAX (UINT64_C(3) << 30)

// ---- what --help says ----

typedef struct param {
    char name[32];          // "--csv"; of an argument "MAP"
    char value[32];         // "N", "FILE"; "" for a flag
    char choices[TEXT_MAX]; // "a|b|c", or ""
} param;

typedef struct command {
    char words[2][32]; // "map", "info"; the second may be ""
    param params[PARAMS_MAX];
    size_t argument_count, count; // arguments come first
} command;

typedef struct attack {
    char octant[4096];
    attack_limits limits;
    command commands[COMMANDS_MAX];
    size_t command_count;
    uint64_t state;
    char *long_value;
} attack;

static attack_result ask(const attack *a, const char *first, const char *second, const char *third)
{
    attack_args args = {.count = 0};
    attack_add(&args, a->octant);
    attack_add(&args, first);
    if (second) {
        attack_add(&args, second);
    }
    if (third) {
        attack_add(&args, third);
    }
    return attack_run(&args, &a->limits);
}

// Copies a word and returns what is behind it.
static const char *take_word(const char *from, char *out, size_t size)
{
    const size_t length = strcspn(from, " \n");
    snprintf(out, size, "%.*s", (int)length, from);
    return from + length;
}

// One line of the arguments or options: "  -o, --output FILE   where to write", "  MAP   a map"; a
// line that goes on where the help stands may continue a list of choices.
static void take_param(command *c, const char *line, bool is_option)
{
    const size_t indent = strspn(line, " ");
    if (indent > 8) {
        param *const last = &c->params[c->count - 1];
        const char *const text = line + indent;
        const size_t length = strcspn(text, "\n");
        if (c->count > 0 && memchr(text, '|', length) && !memchr(text, ' ', length)) {
            strncat(last->choices, text, length);
        }
        return;
    }
    param *const p = &c->params[c->count++];
    *p = (param){.name = ""};
    const char *at = line + indent;
    at = is_option && at[1] != '-' ? at + 4 : at;
    at = take_word(at, p->name, sizeof p->name);
    if (is_option && at[0] == ' ' && at[1] != ' ') {
        take_word(at + 1, p->value, sizeof p->value);
    }
    if (strchr(p->value, '|')) {
        memcpy(p->choices, p->value, sizeof p->value);
    }
    c->argument_count += !is_option;
}

static void take_help(command *c, const char *help)
{
    enum { NOWHERE, ARGUMENTS, OPTIONS } section = NOWHERE;
    for (const char *line = help; *line; line = strchr(line, '\n') + 1) {
        if (line[0] != ' ') {
            section = strncmp(line, "arguments\n", 10) == 0 ? ARGUMENTS
                      : strncmp(line, "options\n", 8) == 0  ? OPTIONS
                                                            : NOWHERE;
        } else if (section != NOWHERE && c->count < PARAMS_MAX) {
            take_param(c, line, section == OPTIONS);
        }
    }
}

static void take_command(attack *a, const char *line)
{
    command *const c = &a->commands[a->command_count++];
    const char *const at = take_word(line + 2, c->words[0], sizeof c->words[0]);
    if (at[0] == ' ' && at[1] != ' ') {
        take_word(at + 1, c->words[1], sizeof c->words[1]);
    }
    const bool is_two = c->words[1][0] != '\0';
    attack_result r =
        ask(a, c->words[0], is_two ? c->words[1] : "--help", is_two ? "--help" : NULL);
    take_help(c, r.out);
    attack_free(&r);
}

static void take_commands(attack *a)
{
    attack_result r = ask(a, "help", NULL, NULL);
    const char *line = strstr(r.out, "\ncommands\n");
    for (line = line ? line + 10 : ""; line[0] == ' '; line = strchr(line, '\n') + 1) {
        take_command(a, line);
    }
    attack_free(&r);
}

// ---- values ----

// Written to the folder of inputs; some are made by the command.
static const char *const inputs[] = {"../in/map.octant", "../in/map.3dmap",  "../in/flat.map",
                                     "../in/map.bt",     "../in/world.json", "../in/flat.scen",
                                     "../in/test.lua",   "../in/empty.map",  "../in/bad.octant",
                                     "../in/bad.json",   "../in/none.json",  "../in/folder.map",
                                     "../in/loop.json",  "../in/bad.lua",    "../in/cut.octant"};
static const char *const outputs[] = {"out.octant", "out.csv",  "out.xml", "out.html",
                                      "out.json",   "out.map",  "out.bt",  "out.3dmap",
                                      "replays",    "folder/x", "out"};
static const char *const strange[] = {"",
                                      " ",
                                      "-1",
                                      "0",
                                      "-0",
                                      "nan",
                                      "inf",
                                      "-inf",
                                      "1e999",
                                      "1e-999",
                                      "1e300",
                                      "99999999999",
                                      "9007199254740993",
                                      "1,2",
                                      "1,2,3",
                                      "0x10",
                                      "08",
                                      "1.5",
                                      "+1",
                                      "nan,nan,nan",
                                      "1e300,0,0",
                                      ",,,",
                                      "--",
                                      "-",
                                      "/",
                                      ".",
                                      "%s%n%999999d",
                                      "\xff\xfe",
                                      ("\xc2\x9b"
                                       "1m"),
                                      "\033[31mred",
                                      "a\nb",
                                      "a|b",
                                      "none",
                                      "missing/x",
                                      "18446744073709551616",
                                      "1,1,1,2,2,2",
                                      "-o",
                                      "--json",
                                      "*",
                                      "$(id)",
                                      "2147483648",
                                      "4294967296",
                                      "\xed\xa0\x80"};
static const char *const numbers[] = {"1", "2", "3", "4", "8", "16", "5", "12", "0.5", "0"};
static const char *const places[] = {"1,1,1", "2,2", "0,0,0", "3.5,2,1", "-5,0,8", "12,12,12"};
static const char *const words[] = {"portal", "door", "a", "astar", "none", "astar,theta:cells"};

static bool is_output(const param *p)
{
    static const char *const names[] = {"--csv",   "--save", "--output", "--trace",
                                        "--junit", "--html", "--svg",    "OUT"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (strcmp(p->name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

#define PICK(a, table) (table)[attack_draw(&(a)->state, COUNT_OF(table))]

static const char *pick_choice(attack *a, const char *choices, char out[TEXT_MAX])
{
    size_t count = 1;
    for (const char *c = choices; *c; c++) {
        count += *c == '|';
    }
    const char *at = choices;
    for (uint32_t skip = attack_draw(&a->state, (uint32_t)count); skip > 0; skip--) {
        at = strchr(at, '|') + 1;
    }
    snprintf(out, TEXT_MAX, "%.*s", (int)strcspn(at, "|"), at);
    return out;
}

// A file that what it is for can read.
static const char *right_input(attack *a, const char *name)
{
    static const char *const maps[] = {"../in/map.octant", "../in/flat.map", "../in/world.json",
                                       "../in/map.3dmap",  "../in/flat.map", "../in/map.bt"};
    return strncmp(name, "SCRIPT", 6) == 0                ? "../in/test.lua"
           : strstr(name, "SCEN") || strstr(name, "scen") ? "../in/flat.scen"
                                                          : PICK(a, maps);
}

static const char *right_value(attack *a, const param *p, char room[TEXT_MAX])
{
    if (p->choices[0]) {
        return pick_choice(a, p->choices, room);
    }
    if (is_output(p)) {
        return PICK(a, outputs);
    }
    const char *const value = p->value[0] ? p->value : p->name;
    if (strchr(value, ',') || strcmp(value, "BOX") == 0) {
        return PICK(a, places);
    }
    if (strncmp(value, "LIST", 4) == 0 || strncmp(value, "TEXT", 4) == 0 ||
        strncmp(value, "NAME", 4) == 0 || strncmp(value, "WORD", 4) == 0) {
        return PICK(a, words);
    }
    return p->value[0] && strlen(p->value) < 4 ? PICK(a, numbers) : right_input(a, p->name);
}

// One in eight is wrong; some are very long.
static const char *pick_value(attack *a, const param *p, char room[TEXT_MAX])
{
    const uint32_t kind = attack_draw(&a->state, 60);
    if (kind == 0) {
        return a->long_value;
    }
    if (kind < 6) {
        return PICK(a, strange);
    }
    return kind < 8 && !is_output(p) ? PICK(a, inputs) : right_value(a, p, room);
}

// ---- lists ----

typedef struct list {
    attack_args args;
    char rooms[ATTACK_ARGUMENTS_MAX][2 * TEXT_MAX]; // of arguments that are put together
    size_t room_count;
} list;

static void add_option(attack *a, const param *p, list *l)
{
    char value[TEXT_MAX];
    if (!p->value[0] && attack_draw(&a->state, 20) > 0) {
        attack_add(&l->args, p->name);
        return;
    }
    const char *const text = pick_value(a, p, value);
    char *const room = l->rooms[l->room_count++];
    const uint32_t form = attack_draw(&a->state, 12);
    if (form == 0) {
        attack_add(&l->args, p->name); // without its value
    } else if (form < 4 && strlen(text) < TEXT_MAX) {
        snprintf(room, 2 * TEXT_MAX, "%s=%s", p->name, text);
        attack_add(&l->args, room);
    } else {
        snprintf(room, 2 * TEXT_MAX, "%s", text);
        attack_add(&l->args, p->name);
        attack_add(&l->args, strlen(text) < TEXT_MAX ? room : text);
    }
}

static void add_argument(attack *a, const param *p, list *l)
{
    char value[TEXT_MAX];
    const char *const text = pick_value(a, p, value);
    char *const room = l->rooms[l->room_count++];
    snprintf(room, 2 * TEXT_MAX, "%s", text);
    attack_add(&l->args, strlen(text) < TEXT_MAX ? room : text);
}

// Options that are given for their cost: measurements take minutes.
static void add_cheap(const command *c, list *l)
{
    static const char *const cheap[] = {"--size", "8", "--repeat", "1", "--filter", "nothing"};
    for (size_t i = 0; strcmp(c->words[0], "bench") == 0 && i < COUNT_OF(cheap); i++) {
        attack_add(&l->args, cheap[i]);
    }
}

static void make_list(attack *a, list *l)
{
    const command *const c = &a->commands[attack_draw(&a->state, (uint32_t)a->command_count)];
    *l = (list){.room_count = 0};
    attack_add(&l->args, a->octant);
    attack_add(&l->args, c->words[0]);
    if (c->words[1][0]) {
        attack_add(&l->args, c->words[1]);
    }
    for (size_t i = 0; i < c->argument_count; i++) {
        const uint32_t times = attack_draw(&a->state, 16);
        for (uint32_t k = 0; k < (times == 0 ? 0 : times == 1 ? 2 : 1); k++) {
            add_argument(a, &c->params[i], l);
        }
    }
    const uint32_t options = attack_draw(&a->state, 7);
    for (uint32_t i = 0; i < options && c->count > c->argument_count; i++) {
        const uint32_t left = (uint32_t)(c->count - c->argument_count);
        add_option(a, &c->params[c->argument_count + attack_draw(&a->state, left)], l);
    }
    // What must be there mostly is.
    for (size_t i = c->argument_count; i < c->count; i++) {
        const char *const name = c->params[i].name;
        const bool is_needed = strcmp(name, "--from") == 0 || strcmp(name, "--to") == 0 ||
                               strcmp(name, "--output") == 0 || strcmp(name, "--csv") == 0;
        if (is_needed && attack_draw(&a->state, 3) > 0) {
            add_option(a, &c->params[i], l);
        }
    }
    add_cheap(c, l);
}

// ---- judging ----

static bool has_argument(const attack_args *args, const char *word)
{
    for (size_t i = 1; i < args->count; i++) {
        if (strcmp(args->items[i], word) == 0) {
            return true;
        }
    }
    return false;
}

static const char *judge_json(const attack_args *args, const attack_result *r)
{
    const bool asked = has_argument(args, "--json") && !has_argument(args, "--help") &&
                       !has_argument(args, "-h") && !has_argument(args, "--");
    if (!asked || r->code < 0 || r->code > 2 || (r->code == 2 && r->out_size == 0)) {
        return NULL;
    }
    json_t *const json = json_loadb(r->out, r->out_size, 0, NULL);
    const bool is_object = json_is_object(json);
    json_decref(json);
    return is_object ? NULL : "--json, and something else on stdout than one object";
}

// What lies in the working folder was named by an argument.
static const char *judge_files(const attack_args *args)
{
    const char *wrong = NULL;
    DIR *const dir = opendir(".");
    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        bool is_named = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        for (size_t i = 1; i < args->count && !is_named; i++) {
            is_named = strstr(args->items[i], entry->d_name) != NULL;
        }
        wrong = is_named ? wrong : "a file that no argument names is left behind";
    }
    closedir(dir);
    return wrong;
}

static const char *judge(const attack_args *args, const attack_result *r, uint64_t inputs_hash)
{
    const char *wrong = attack_judge(r, 1);
    wrong = wrong ? wrong : judge_json(args, r);
    wrong = wrong ? wrong : judge_files(args);
    return wrong ? wrong : attack_hash("../in") != inputs_hash ? "an input was changed" : NULL;
}

// ---- the folder of inputs ----

static void make_map(const attack *a, const char *kind, const char *path, const char *dims)
{
    attack_args args = {.count = 0};
    const char *const words_of[] = {a->octant, "gen", kind,     "-o", path,
                                    "--size",  "16",  "--dims", dims};
    for (size_t i = 0; i < COUNT_OF(words_of); i++) {
        attack_add(&args, words_of[i]);
    }
    attack_result r = attack_run(&args, &a->limits);
    if (r.code != 0) {
        fprintf(stderr, "%s", r.err);
        exit(2);
    }
    attack_free(&r);
}

static void make_inputs(const attack *a)
{
    static const char script[] =
        "world 'world.json'\n"
        "test('waits', { seconds = 5, view = 5 }, function() return explore() end)\n"
        "test('fails', { seconds = 5 }, function() return FAIL 'a \\27[31m reason' end)\n";
    size_t size;
    make_map(a, "boxes", "../in/map.octant", "3");
    make_map(a, "boxes", "../in/map.3dmap", "3");
    make_map(a, "boxes", "../in/map.bt", "3");
    make_map(a, "potential", "../in/flat.map", "2");
    char *const world = attack_read("../in/world.json", &size);
    attack_write("../in/bad.json", world, size / 2);
    attack_write("../in/bad.lua", world, size);
    free(world);
    char *const map = attack_read("../in/map.octant", &size);
    attack_write("../in/cut.octant", map, size * 3 / 4);
    map[size / 2] = (char)~map[size / 2];
    attack_write("../in/bad.octant", map, size);
    free(map);
    attack_write("../in/test.lua", script, sizeof script - 1);
    attack_write("../in/empty.map", "", 0);
    if (mkdir("../in/folder.map", 0700) != 0 || symlink("loop.json", "../in/loop.json") != 0) {
        perror("../in");
        exit(2);
    }
}

// ---- ----

static void open_attack(attack *a, char *const *argv, char *folder, size_t size)
{
    *a = (attack){.limits = {.seconds = SECONDS_MAX},
                  .state = argv[4] ? strtoull(argv[4], NULL, 10) : 1};
#ifndef OCTANT_SANITIZED // whose shadow needs more than any limit
    a->limits.bytes = BYTES_MAX;
#endif
    if (!realpath(argv[1], a->octant)) {
        perror(argv[1]);
        exit(2);
    }
    attack_open(argv[2], folder, size);
    unsetenv("OCTANT_DATA");
    a->long_value = malloc(LONG_VALUE + 1);
    memset(a->long_value, 'a', LONG_VALUE);
    a->long_value[LONG_VALUE] = '\0';
    make_inputs(a);
    take_commands(a);
}

static int attack_all(attack *a, unsigned long count)
{
    const uint64_t inputs_hash = attack_hash("../in");
    unsigned long codes[3] = {0}, stopped = 0;
    static list l;
    for (unsigned long i = 0; i < count; i++) {
        const uint64_t state = a->state;
        make_list(a, &l);
        attack_result r = attack_run(&l.args, &a->limits);
        const char *const wrong = judge(&l.args, &r, inputs_hash);
        if (wrong) {
            printf("list %lu (state %llu): %s\n", i, (unsigned long long)state, wrong);
            attack_print(&l.args);
            printf("exit code %d, signal %d\n--- stdout\n%.2000s\n--- stderr\n%.2000s\n", r.code,
                   r.signal, r.out, r.err);
            return 1;
        }
        stopped += r.is_stopped;
        codes[r.code >= 0 && r.code <= 2 ? r.code : 2] += !r.is_stopped;
        attack_free(&r);
        attack_clear(".");
    }
    printf("%lu lists for %zu commands: %lu yes, %lu no, %lu refused, %lu told to end\n", count,
           a->command_count, codes[0], codes[1], codes[2], stopped);
    return codes[0] > 0 && codes[2] > 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    char folder[4096];
    if (argc < 4) {
        fprintf(stderr, "usage: attack_arguments OCTANT SOURCE_FOLDER COUNT [SEED]\n");
        return 2;
    }
    static attack a;
    open_attack(&a, argv, folder, sizeof folder);
    const int code = attack_all(&a, strtoul(argv[3], NULL, 10));
    attack_close(folder);
    free(a.long_value);
    return code;
}
