// SPDX-License-Identifier: MIT
// Attacks the command with calls that fail: counts the calls to the operating system and the
// allocations of a clean run, then lets one after the other fail. Either the run is as the clean
// one, or it ends with a documented exit code and one line that names a file; an output is whole or
// as it was before, no temporary file is left, and no input is touched.
//   attack_calls OCTANT FAILING_CALLS SOURCE_FOLDER STEP [SEED]
// Every STEP-th call fails, and as many allocations of each command; 1 = all calls.
#define _XOPEN_SOURCE 700
#include "attack_run.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define ARGUMENTS_MAX 20
#define OUTPUTS_MAX 4
#define PARTS_MAX 8u // of a command that may fail one by one, each with a line of its own
#define END_BYTES 6  // by which a whole file is known
#define OLD "what was here before\n"

typedef enum output_kind {
    OUTPUT_REPLACED, // whole, or what was there before
    OUTPUT_ROWS,     // grows row by row: ends with a whole row
    OUTPUT_FOLDER    // of files that are whole or not there
} output_kind;

typedef struct output {
    const char *path;
    output_kind kind;
} output;

typedef struct attacked {
    const char *name;
    const char *arguments[ARGUMENTS_MAX];
    output outputs[OUTPUTS_MAX];
    bool plays; // what fails in a test, or in what is checked, is told of that: exit code 1
} attacked;

static const attacked commands[] = {
    {"gen",
     {"gen", "boxes", "-o", "out.octant", "--size", "16"},
     {{"out.octant", OUTPUT_REPLACED}},
     false},
    {"gen of a world", {"gen", "puzzle", "-o", "out.json"}, {{"out.json", OUTPUT_REPLACED}}, false},
    {"gen of text",
     {"gen", "potential", "-o", "out.map", "--size", "16"},
     {{"out.map", OUTPUT_REPLACED}},
     false},
    {"map convert",
     {"map", "convert", "../in/map.octant", "out.bt"},
     {{"out.bt", OUTPUT_REPLACED}},
     false},
    {"map convert of a world",
     {"map", "convert", "../in/world.json", "out.octant", "--json"},
     {{"out.octant", OUTPUT_REPLACED}},
     false},
    {"map info", {"map", "info", "../in/map.octant", "--json"}, {{NULL, OUTPUT_REPLACED}}, false},
    {"map info of a world", {"map", "info", "../in/world.json"}, {{NULL, OUTPUT_REPLACED}}, false},
    {"path",
     {"path", "../in/map.octant", "--from", "2,2,2", "--to", "12,12,12", "--json"},
     {{NULL, OUTPUT_REPLACED}},
     false},
    {"path by blocks",
     {"path", "../in/flat.map", "--from", "1,1", "--to", "9,9", "--algorithm", "block"},
     {{NULL, OUTPUT_REPLACED}},
     false},
    {"scen",
     {"scen", "../in/flat.map", "../in/flat.scen", "--csv", "out.csv"},
     {{"out.csv", OUTPUT_ROWS}},
     false},
    {"lab",
     {"lab", "../in/flat.map", "--csv", "out.csv", "--tasks", "2", "--threads", "1", "--algorithms",
      "astar,block"},
     {{"out.csv", OUTPUT_ROWS}},
     false},
    {"lab with a laboratory file",
     {"lab", "../in/flat.map", "--csv", "out.csv", "--tasks", "1", "--threads", "1", "--algorithms",
      "theta", "--save", "out.json"},
     {{"out.csv", OUTPUT_ROWS}, {"out.json", OUTPUT_REPLACED}},
     false},
    {"explore",
     {"explore", "../in/map.octant", "--from", "2,2,2", "--trace", "out.jsonl", "--json"},
     {{"out.jsonl", OUTPUT_REPLACED}},
     false},
    {"test",
     {"test", "../in/test.lua", "--threads", "1", "--junit", "out.xml", "--html", "out.html",
      "--trace", "replays", "--json"},
     {{"out.xml", OUTPUT_REPLACED}, {"out.html", OUTPUT_REPLACED}, {"replays", OUTPUT_FOLDER}},
     true},
    {"bench",
     {"bench", "map", "--size", "16", "--repeat", "1", "--filter", "clusters/octree point_ns",
      "--csv", "out.csv"},
     {{"out.csv", OUTPUT_REPLACED}},
     false},
    {"test of a folder", {"test", "../in", "--list"}, {{NULL, OUTPUT_REPLACED}}, false},
    {"check", {"check", "../in/world.json", "../in/test.lua"}, {{NULL, OUTPUT_REPLACED}}, true},
};

typedef struct attack {
    char octant[4096], library[4096];
    attack_limits limits;
    unsigned long step;
    uint64_t state;
    unsigned long runs, harmless, refused;
} attack;

// A run as it should be.
typedef struct clean_run {
    attack_result result;
    char ends[OUTPUTS_MAX][END_BYTES]; // of outputs
    long calls, allocations;
} clean_run;

// ---- running ----

static attack_result run(attack *a, const attacked *c, const char *fail_at)
{
    attack_args args = {.count = 0};
    attack_clear(".");
    attack_add(&args, a->octant);
    for (size_t i = 0; i < ARGUMENTS_MAX && c->arguments[i]; i++) {
        attack_add(&args, c->arguments[i]);
    }
    for (size_t i = 0; i < OUTPUTS_MAX && c->outputs[i].path; i++) {
        if (c->outputs[i].kind == OUTPUT_REPLACED) {
            attack_write(c->outputs[i].path, OLD, sizeof OLD - 1);
        }
    }
    a->limits.fail_at = fail_at;
    return attack_run(&args, &a->limits);
}

// The last bytes of a file; false where it is shorter.
static bool read_end(const char *path, char end[END_BYTES])
{
    size_t size = 0;
    char *const bytes = attack_read(path, &size);
    const bool is_long = bytes && size >= END_BYTES;
    if (is_long) {
        memcpy(end, bytes + size - END_BYTES, END_BYTES);
    }
    free(bytes);
    return is_long;
}

static bool run_clean(attack *a, const attacked *c, clean_run *out)
{
    a->limits.count_file = "../count";
    out->result = run(a, c, NULL);
    a->limits.count_file = NULL;
    for (size_t i = 0; i < OUTPUTS_MAX && c->outputs[i].path; i++) {
        if (c->outputs[i].kind == OUTPUT_REPLACED && !read_end(c->outputs[i].path, out->ends[i])) {
            printf("%s: there is no %s\n", c->name, c->outputs[i].path);
            return false;
        }
    }
    size_t size;
    char *const counts = attack_read("../count", &size);
    const bool is_fine = out->result.code >= 0 && out->result.code < 2 && counts &&
                         sscanf(counts, "%ld %ld", &out->calls, &out->allocations) == 2;
    free(counts);
    if (!is_fine) {
        printf("%s: the clean run fails: %s\n", c->name, out->result.err);
    }
    return is_fine;
}

// ---- judging ----

static bool is_output(const attacked *c, const char *name)
{
    for (size_t i = 0; i < OUTPUTS_MAX && c->outputs[i].path; i++) {
        if (strcmp(c->outputs[i].path, name) == 0) {
            return true;
        }
    }
    return false;
}

static const char *judge_names(const attacked *c)
{
    const char *wrong = NULL;
    DIR *const dir = opendir(".");
    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        const bool is_dot = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        wrong = is_dot || is_output(c, entry->d_name) ? wrong : "a temporary file is left behind";
    }
    closedir(dir);
    return wrong;
}

// Replays end with a whole line and have the names of replays.
static const char *judge_folder(const char *path)
{
    const char *wrong = NULL;
    DIR *const dir = opendir(path);
    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        char name[4096], end[END_BYTES];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        const bool is_dot = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        if (!is_dot && (!strstr(entry->d_name, ".jsonl") || entry->d_name[0] == '.' ||
                        !read_end(name, end) || end[END_BYTES - 1] != '\n')) {
            wrong = "a replay is not whole";
        }
    }
    if (dir) {
        closedir(dir);
    }
    return wrong;
}

static const char *judge_output(const attacked *c, const clean_run *clean, size_t i, bool is_yes)
{
    const char *const path = c->outputs[i].path;
    if (c->outputs[i].kind == OUTPUT_FOLDER) {
        return judge_folder(path);
    }
    size_t size = 0;
    char *const bytes = attack_read(path, &size);
    const bool is_whole = bytes && size >= END_BYTES &&
                          memcmp(bytes + size - END_BYTES, clean->ends[i], END_BYTES) == 0;
    const bool is_old = bytes && strcmp(bytes, OLD) == 0;
    const bool is_rows = !bytes || size == 0 || bytes[size - 1] == '\n';
    free(bytes);
    if (c->outputs[i].kind == OUTPUT_ROWS) {
        return !is_rows              ? "a row is not whole"
               : is_yes && size == 0 ? "success, but there are no rows"
                                     : NULL;
    }
    return is_whole             ? NULL
           : is_yes             ? "success, but an output is not there"
           : is_old || !is_rows ? (is_old ? NULL : "an output is half written")
                                : "an output is half written, or has gone";
}

// The line says which file, or that memory is short.
static bool names_cause(const attack_result *r)
{
    return strstr(r->err, "../in") || strstr(r->err, "out") || strstr(r->err, "replays") ||
           strstr(r->err, "memory");
}

static const char *judge(const attacked *c, const clean_run *clean, const attack_result *r,
                         bool must_be_clean)
{
    const bool is_same = r->code == clean->result.code;
    const char *wrong = attack_judge(r, PARTS_MAX);
    if (wrong) {
        return wrong;
    }
    if (!is_same && (must_be_clean || (r->code != 2 && !c->plays))) {
        return must_be_clean ? "what should be tried again is not" : "another answer";
    }
    if (r->code == 2 && !names_cause(r)) {
        return "the line on stderr does not name a file";
    }
    wrong = judge_names(c);
    for (size_t i = 0; !wrong && i < OUTPUTS_MAX && c->outputs[i].path; i++) {
        wrong = judge_output(c, clean, i, is_same && r->code < 2);
    }
    const bool has_json = clean->result.out[0] == '{';
    if (!wrong && has_json && r->out_size > 0 && strcmp(r->out + r->out_size - 2, "}\n") != 0) {
        wrong = "half an object on stdout";
    }
    return wrong;
}

// ---- attacking ----

static bool try_one(attack *a, const attacked *c, const clean_run *clean, const char *fail_at,
                    bool must_be_clean, uint64_t inputs_hash)
{
    attack_result r = run(a, c, fail_at);
    const char *wrong = judge(c, clean, &r, must_be_clean);
    wrong = wrong ? wrong : attack_hash("../in") != inputs_hash ? "an input was changed" : NULL;
    if (wrong) {
        printf("%s, OCTANT_FAIL_AT=%s: %s\nexit code %d, signal %d\n--- stdout\n%.1000s\n"
               "--- stderr\n%.1000s\n",
               c->name, fail_at, wrong, r.code, r.signal, r.out, r.err);
    }
    a->runs++;
    a->harmless += r.code == clean->result.code;
    a->refused += r.code != clean->result.code;
    attack_free(&r);
    return !wrong;
}

static bool attack_io(attack *a, const attacked *c, const clean_run *clean, uint64_t inputs_hash)
{
    static const int errors[] = {EIO, ENOSPC, EACCES, EINTR, 0};
    bool is_fine = true;
    for (long n = 1; n <= clean->calls; n++) {
        for (size_t e = 0; e < COUNT_OF(errors); e++) {
            char fail_at[64];
            snprintf(fail_at, sizeof fail_at, "io:%ld:%d", n, errors[e]);
            if (attack_draw(&a->state, (uint32_t)a->step) == 0) {
                const bool must_be_clean = errors[e] == EINTR || errors[e] == 0;
                is_fine &= try_one(a, c, clean, fail_at, must_be_clean, inputs_hash);
            }
        }
    }
    return is_fine;
}

// As many allocations as calls: one that fails, or all from one on.
static bool attack_memory(attack *a, const attacked *c, const clean_run *clean,
                          uint64_t inputs_hash)
{
    const unsigned long count = 1 + 200 / a->step;
    bool is_fine = true;
    for (unsigned long i = 0; i < count && clean->allocations > 0; i++) {
        char fail_at[64];
        const long n = 1 + (long)attack_draw(&a->state, (uint32_t)clean->allocations);
        snprintf(fail_at, sizeof fail_at, "memory:%ld:0", i % 2 ? -n : n);
        is_fine &= try_one(a, c, clean, fail_at, false, inputs_hash);
    }
    return is_fine;
}

// Standard output goes to a device that is full.
static bool attack_stdout(attack *a, const attacked *c)
{
    a->limits.out = "/dev/full";
    attack_result r = run(a, c, NULL);
    a->limits.out = NULL;
    const char *const wrong = attack_judge(&r, PARTS_MAX);
    const bool is_fine = !wrong && r.code == 2 && strstr(r.err, "standard output");
    if (!is_fine) {
        printf("%s with a full standard output: %s\nexit code %d: %s", c->name,
               wrong ? wrong : "it is not told", r.code, r.err);
    }
    a->runs++;
    a->refused++;
    attack_free(&r);
    return is_fine;
}

static bool attack_command(attack *a, const attacked *c)
{
    const uint64_t inputs_hash = attack_hash("../in");
    clean_run clean = {.calls = 0};
    bool is_fine = run_clean(a, c, &clean);
    if (is_fine) {
        const unsigned long before = a->runs;
        is_fine &= attack_io(a, c, &clean, inputs_hash);
        is_fine &= attack_memory(a, c, &clean, inputs_hash);
        is_fine &= attack_stdout(a, c);
        printf("%s: %ld calls, %ld allocations, %lu of them failed\n", c->name, clean.calls,
               clean.allocations, a->runs - before);
    }
    attack_free(&clean.result);
    return is_fine;
}

// ---- inputs ----

static void make(attack *a, const char *const *arguments)
{
    attack_args args = {.count = 0};
    attack_add(&args, a->octant);
    for (; *arguments; arguments++) {
        attack_add(&args, *arguments);
    }
    attack_result r = attack_run(&args, &(attack_limits){.seconds = 60.0});
    if (r.code != 0) {
        fprintf(stderr, "%s", r.err);
        exit(2);
    }
    attack_free(&r);
}

static void make_inputs(attack *a)
{
    static const char *const map[] = {"gen",    "boxes", "-o", "../in/map.octant",
                                      "--size", "16",    NULL};
    static const char *const flat[] = {
        "gen", "potential", "-o", "../in/flat.map", "--size", "16", "--coverage", "0.1", NULL};
    static const char script[] =
        "world 'world.json'\n"
        "test('explores', { seconds = 5, view = 5 }, function() return explore() end)\n"
        "test('fails', { seconds = 5 }, function() return FAIL 'a reason' end)\n";
    make(a, map);
    make(a, flat);
    attack_write("../in/test.lua", script, sizeof script - 1);
}

int main(int argc, char **argv)
{
    char folder[4096];
    static attack a;
    if (argc < 5 || !realpath(argv[1], a.octant) || !realpath(argv[2], a.library)) {
        fprintf(stderr, "usage: attack_calls OCTANT FAILING_CALLS SOURCE_FOLDER STEP [SEED]\n");
        return 2;
    }
    attack_open(argv[3], folder, sizeof folder);
    a.limits = (attack_limits){.seconds = 60.0, .preload = a.library};
    a.step = strtoul(argv[4], NULL, 10);
    a.state = argc > 5 ? strtoull(argv[5], NULL, 10) : 1;
    make_inputs(&a);
    bool is_fine = true;
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        is_fine &= attack_command(&a, &commands[i]);
    }
    printf("%lu failing calls in %zu commands: %lu harmless, %lu told\n", a.runs,
           COUNT_OF(commands), a.harmless, a.refused);
    attack_close(folder);
    return is_fine ? 0 : 1;
}
