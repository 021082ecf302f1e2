// SPDX-License-Identifier: MIT
// octant serve: the block world behind the protocol of games, for other programs that play it, and
// the lab world behind that of Lab Recruits (serve_lab.c).
#define _XOPEN_SOURCE 700
#include "cli/serve.h"
#include "files/files_internal.h"
#include "link/link_listen.h"
#include "link/link_running.h"
#include "play/play_internal.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DEPTH_MAX 12       // folders below the root in which a level is looked for
#define ENTRIES_MAX 200000 // that are looked at
#define SPEED_MAX 1000
#define WAIT_NS (SERVE_NS_PER_S / 20) // that a signal may wait
#define CONNECT_WAIT_MS 10000         // for whoever started this to answer

enum { SERVE_PROTOCOL, SERVE_PORT, SERVE_SPEED, SERVE_ROOT, SERVE_OPTION_COUNT };

typedef struct level_host {
    char *root;                 // its real path
    char path[SERVE_PATH_SIZE]; // of the level that is played; "" = none yet
    char why[400];              // the last reset was refused; "" = it was not
    double speed;               // seconds of the game in one of the clock; 0 = as it is stepped
} level_host;

// ---- which level ----

static bool is_below(const char *path, const char *root)
{
    const size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
    return strncmp(path, root, length) == 0 && path[length] == '/';
}

// A path within the root, as people write it: neither absolute nor with "..".
static bool stays_within(const char *text)
{
    if (text[0] == '/' || text[0] == '\0') {
        return false;
    }
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, "/");
        if (length == 2 && at[0] == '.' && at[1] == '.') {
            return false;
        }
        at += length + (at[length] == '/');
    }
    return true;
}

// A regular file below the root, by its real path.
bool oct_serve_take(const char *root, const char *path, char out[SERVE_PATH_SIZE])
{
    struct stat info;
    char *const whole = realpath(path, NULL);
    const bool fits = whole && is_below(whole, root) && strlen(whole) < SERVE_PATH_SIZE &&
                      stat(whole, &info) == 0 && S_ISREG(info.st_mode);
    if (fits) {
        snprintf(out, SERVE_PATH_SIZE, "%s", whole);
    }
    free(whole);
    return fits;
}

typedef struct level_search {
    const char *root;
    const char *text; // what the path of the level ends with
    size_t entries, found;
    char path[SERVE_PATH_SIZE];
} level_search;

static bool ends_with(const char *path, const char *text)
{
    const size_t length = strlen(path), wanted = strlen(text);
    return length > wanted && path[length - wanted - 1] == '/' &&
           strcmp(path + length - wanted, text) == 0;
}

static void search_folder(level_search *s, const char *folder, int depth)
{
    DIR *const dir = opendir(folder);
    char path[SERVE_PATH_SIZE];
    for (const struct dirent *e; dir && (e = readdir(dir)) && s->entries < ENTRIES_MAX;) {
        struct stat info;
        s->entries++;
        if (e->d_name[0] == '.' ||
            (size_t)snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= sizeof path ||
            lstat(path, &info) != 0) {
            continue;
        }
        if (S_ISDIR(info.st_mode) && depth < DEPTH_MAX) {
            search_folder(s, path, depth + 1);
        } else if (ends_with(path, s->text) && oct_serve_take(s->root, path, s->path)) {
            s->found++;
        }
    }
    if (dir) {
        closedir(dir);
    }
}

// Finds a level by its path below the root, or by the end of that: scripts name worlds beside
// themselves, too.
bool oct_serve_find(const char *root, const char *text, char out[SERVE_PATH_SIZE])
{
    char path[SERVE_PATH_SIZE];
    while (strncmp(text, "./", 2) == 0) {
        text += 2;
    }
    if (!stays_within(text) ||
        (size_t)snprintf(path, sizeof path, "%s/%s", root, text) >= sizeof path) {
        return false;
    }
    if (oct_serve_take(root, path, out)) {
        return true;
    }
    level_search s = {.root = root, .text = text};
    search_folder(&s, root, 0);
    if (s.found != 1) {
        return false;
    }
    memcpy(out, s.path, SERVE_PATH_SIZE);
    return true;
}

// ---- time ----

// "max", "3" or "1/4": seconds of the game in one of the clock, 0 for as fast as it is stepped.
static bool parse_speed(const char *text, double *out)
{
    const bool is_part = strncmp(text, "1/", 2) == 0;
    const char *const digits = is_part ? text + 2 : text;
    char *end;
    *out = 0.0;
    if (strcmp(text, "max") == 0) {
        return true;
    }
    if (digits[0] < '1' || digits[0] > '9') {
        return false;
    }
    const unsigned long number = strtoul(digits, &end, 10);
    *out = is_part ? 1.0 / (double)number : (double)number;
    return *end == '\0' && number <= SPEED_MAX;
}

uint64_t oct_serve_now_ns(void *ctx)
{
    struct timespec now;
    (void)ctx;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SERVE_NS_PER_S + (uint64_t)now.tv_nsec;
}

// A signal ends the wait, or is noticed at its next portion.
static bool wait_ns(void *ctx, uint64_t until)
{
    for (uint64_t now = oct_serve_now_ns(ctx); now < until && !oct_cli_is_stopped();
         now = oct_serve_now_ns(ctx)) {
        const uint64_t left = until - now;
        const struct timespec some = {.tv_nsec = (long)(left < WAIT_NS ? left : WAIT_NS)};
        (void)nanosleep(&some, NULL);
    }
    return !oct_cli_is_stopped();
}

// Lets a game run by itself where it is to.
static oct_result set_running(const level_host *h, oct_game **game)
{
    const link_time time = {oct_serve_now_ns, wait_ns, NULL};
    oct_game *const stepped = *game;
    if (!(h->speed > 0.0)) {
        return OCT_OK;
    }
    const oct_result result = oct_link_run(stepped, h->speed, &time, NULL, game);
    if (result != OCT_OK) {
        oct_game_destroy(stepped);
    }
    return result;
}

// ---- the game ----

static oct_result load_level(const char *path, oct_world **out, oct_error *error)
{
    char sizes_path[SERVE_PATH_SIZE];
    oct_world *sizes = NULL;
    oct_result result = OCT_OK;
    *out = NULL;
    if (oct_save_is_named(path) && oct_block_sizes_find(path, sizes_path, sizeof sizes_path)) {
        result = oct_block_sizes_load(sizes_path, NULL, &sizes, error);
    }
    if (result == OCT_OK) {
        const oct_world_extras extras = {.sizes = sizes};
        result = oct_world_load(path, &extras, NULL, out, NULL, error);
    }
    oct_world_destroy(sizes);
    return result;
}

// View, sight and the first player's start are written into the world; others join where they say.
static oct_result apply_start(oct_world *world, const oct_game_start *start)
{
    oct_world_rules rules = oct_world_rules_of(world);
    rules.view = start->view > 0.0 ? start->view : rules.view;
    rules.sight = start->has_sight ? start->sight : rules.sight;
    OCT_TRY(oct_world_set_rules(world, &rules));
    if (start->start_count == 0) {
        return OCT_OK;
    }
    oct_pose pose = start->starts[0];
    const oct_point up = pose.up;
    if (up.x == 0.0 && up.y == 0.0 && up.z == 0.0) {
        pose = oct_stage_pose(world, pose.position);
    }
    return oct_world_set_start(world, &pose);
}

static oct_result open_level(level_host *h, const char *path, const oct_game_start *start,
                             oct_game **out)
{
    oct_error error = {.line = 0};
    oct_world *world;
    oct_result result = load_level(path, &world, &error);
    if (result != OCT_OK) {
        (void)oct_cli_check_file(path, result, &error);
        snprintf(h->why, sizeof h->why, "%.300s",
                 error.message[0] ? error.message : oct_result_text(result));
        return result == OCT_ERROR_MEMORY ? result : OCT_ERROR_RANGE;
    }
    result = apply_start(world, start);
    if (result == OCT_OK) {
        result = oct_block_world_create(&(oct_block_world_def){world, NULL}, out);
    }
    oct_world_destroy(world);
    return result == OCT_OK ? set_running(h, out) : result;
}

static oct_result make(void *ctx, oct_game **out)
{
    level_host *const h = ctx;
    const oct_game_start start = {.level = NULL};
    *out = NULL;
    return h->path[0] ? open_level(h, h->path, &start, out) : OCT_OK;
}

static oct_result reset(void *ctx, oct_game **game, const oct_game_start *start)
{
    level_host *const h = ctx;
    char path[SERVE_PATH_SIZE];
    oct_game *next;
    h->why[0] = '\0';
    snprintf(path, sizeof path, "%s", h->path);
    if (start->level && !oct_serve_find(h->root, start->level, path)) {
        snprintf(h->why, sizeof h->why,
                 "there is no level '%.200s', or more than one, below %.150s",
                 CLI_SHOWN(start->level), CLI_SHOWN(h->root));
        return OCT_ERROR_RANGE;
    }
    if (!path[0]) {
        snprintf(h->why, sizeof h->why, "there is no level yet: 'world' names one");
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(open_level(h, path, start, &next));
    if (oct_game_players(next) == 0) {
        snprintf(h->why, sizeof h->why, "there is no start, or no room for a body at it");
        oct_game_destroy(next);
        return OCT_ERROR_RANGE;
    }
    oct_game_destroy(*game);
    *game = next;
    memcpy(h->path, path, sizeof path);
    return OCT_OK;
}

static const char *why(void *ctx)
{
    return ((const level_host *)ctx)->why;
}

// ---- the whole ----

bool oct_serve_is_stopped(void *ctx)
{
    (void)ctx;
    return oct_cli_is_stopped();
}

int oct_serve_end(oct_result result, const oct_error *error)
{
    oct_cli_release_signals();
    if (oct_cli_is_stopped()) {
        return CLI_INTERRUPTED;
    }
    return result == OCT_OK
               ? CLI_YES
               : oct_cli_complain("serve: %s",
                                  error->message[0] ? error->message : oct_result_text(result));
}

static int serve_caller(const link_host *host, const char *address)
{
    oct_error error = {.line = 0};
    int fd;
    oct_cli_catch_signals();
    oct_result result = oct_link_connect(address, CONNECT_WAIT_MS, NULL, &fd, &error);
    if (result == OCT_OK) {
        result = oct_link_serve_client(host, fd, -1, oct_serve_is_stopped, NULL, NULL);
    }
    return oct_serve_end(result, &error);
}

int oct_serve_listen(uint32_t port, bool json, int *listener)
{
    oct_error error = {.line = 0};
    uint32_t got;
    if (oct_link_listen(port, listener, &got, &error) != OCT_OK) {
        return oct_cli_complain("serve: %s", error.message);
    }
    oct_cli_catch_signals();
    int code = CLI_YES;
    if (json) {
        code = oct_cli_print_json(json_pack("{s:s, s:i}", "host", "127.0.0.1", "port", (int)got));
    } else {
        printf("listening on 127.0.0.1:%u\n", got);
    }
    fflush(stdout);
    if (code != CLI_YES) {
        close(*listener);
    }
    return code;
}

static int serve_port(const link_host *host, uint32_t port, bool json)
{
    const oct_error none = {.line = 0};
    int listener;
    CLI_TRY(oct_serve_listen(port, json, &listener));
    const int code =
        oct_serve_end(oct_link_serve(host, listener, oct_serve_is_stopped, NULL, NULL), &none);
    close(listener);
    return code;
}

static int choose_port(const cli_args *args, uint32_t *port)
{
    const char *const told = getenv("OCTANT_PORT");
    *port = (uint32_t)args->options[SERVE_PORT].integer;
    if (!args->options[SERVE_PORT].given && told && told[0]) {
        char *end;
        const unsigned long number = strtoul(told, &end, 10);
        if (*end || number > 65535) {
            return oct_cli_complain("serve: OCTANT_PORT is '%s', which is no port", told);
        }
        *port = (uint32_t)number;
    }
    return CLI_YES;
}

static int serve(const cli_args *args, level_host *h)
{
    const cli_value *const world = &args->operands[0];
    const char *const address = getenv("OCTANT_CONNECT");
    const link_host host = {
        .make = make, .reset = reset, .why = why, .ctx = h, .runs = h->speed > 0.0};
    const bool connects = address && address[0] && !args->options[SERVE_PORT].given;
    uint32_t port;
    if (world->given) {
        // A level that cannot be played is told before anybody connects.
        oct_game *game;
        oct_error error = {.line = 0};
        oct_world *loaded;
        const oct_result result = load_level(world->text, &loaded, &error);
        oct_world_destroy(loaded);
        CLI_TRY(oct_cli_check_file(world->text, result, &error));
        if (strlen(world->text) >= sizeof h->path) {
            return oct_cli_complain("%s: the name is too long", world->text);
        }
        snprintf(h->path, sizeof h->path, "%s", world->text);
        CLI_TRY(oct_cli_check(world->text, make(h, &game)));
        const uint32_t players = oct_game_players(game);
        oct_game_destroy(game);
        if (players == 0) {
            oct_cli_warn("%s: there is no start, or no room for a body at it", world->text);
        }
    } else if (!connects) {
        return oct_cli_complain("serve: WORLD is missing; without it, 'octant test --game "
                                "\"exec:octant serve --protocol octant\"' starts this command and "
                                "names the levels");
    }
    if (connects) {
        return serve_caller(&host, address);
    }
    CLI_TRY(choose_port(args, &port));
    return serve_port(&host, port, args->json);
}

static int serve_lab(const cli_args *args, const level_host *h)
{
    serve_plan plan = {.level = args->operands[0].given ? args->operands[0].text : NULL,
                       .root = h->root,
                       .has_root = args->options[SERVE_ROOT].given,
                       .speed = h->speed,
                       .json = args->json};
    CLI_TRY(choose_port(args, &plan.port));
    return oct_serve_lab(&plan);
}

static int run_serve(const cli_args *args)
{
    const cli_value *const root = &args->options[SERVE_ROOT];
    const char *const speed = args->options[SERVE_SPEED].text;
    const bool is_lab = strcmp(args->options[SERVE_PROTOCOL].text, "lab") == 0;
    level_host h = {.path = ""};
    if (!parse_speed(speed ? speed : is_lab ? "1" : "max", &h.speed)) {
        return oct_cli_complain("serve: --speed is max, N or 1/N, with N from 1 to %d, not '%s'",
                                SPEED_MAX, speed);
    }
    CLI_TRY(oct_cli_check_root(root));
    h.root = realpath(root->given ? root->text : ".", NULL);
    if (!h.root) {
        return oct_cli_complain("serve: %s: it cannot be read", root->given ? root->text : ".");
    }
    const int code = is_lab ? serve_lab(args, &h) : serve(args, &h);
    free(h.root);
    return code;
}

static const cli_param serve_operands[] = {
    {.name = "WORLD",
     .kind = CLI_FILE,
     .help = "a world, .json or .sbs, that is played first; of lab: a level, .csv"},
};

static const cli_param serve_options[SERVE_OPTION_COUNT] = {
    [SERVE_PROTOCOL] =
        CLI_PARAM_CHOICE("protocol", "octant|lab", "octant", "lab: that of the game Lab Recruits"),
    [SERVE_PORT] =
        CLI_PARAM_INTEGER("port", "N", "0", 0, 65535, "listen here; 0: a free one, printed"),
    [SERVE_SPEED] =
        CLI_PARAM_TEXT("speed", "SPEED", NULL,
                       "max: clients step it; N, 1/N: it runs by itself (default: max; lab: 1)"),
    [SERVE_ROOT] =
        CLI_PARAM_FOLDER("root", "levels lie below this folder (default: the working folder)"),
};

const cli_command oct_cmd_serve = {
    .name = "serve",
    .summary = "lets other programs play a world, behind a protocol",
    .details =
        "  At 127.0.0.1. Of octant: one client at a time; without WORLD it connects to where\n"
        "  OCTANT_CONNECT says, and plays the levels that 'reset' names, as `octant test --game\n"
        "  'exec:octant serve --protocol octant'` starts it. A level is a path below --root, or "
        "the "
        "end\n"
        "  of one if only one file has that. Of lab: clients of the game Lab Recruits, many at a "
        "time,\n"
        "  play its levels in the lab world; with --root only those below it. It runs until a "
        "signal\n"
        "  ends it, or the program that started it is gone.",
    .operands = serve_operands,
    .operand_count = sizeof serve_operands / sizeof serve_operands[0],
    .options = serve_options,
    .option_count = SERVE_OPTION_COUNT,
    .run = run_serve,
};
