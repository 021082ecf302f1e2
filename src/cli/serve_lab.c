// SPDX-License-Identifier: MIT
// octant serve --protocol lab: the lab world behind the protocol of Lab Recruits, so that clients
// of that game play against it unchanged.
//
// Clients name levels by paths of the machine on which they run. Any regular file may be named,
// or those below --root where that is given: nothing of a file but the mesh of its walls and floors
// is told. A path that is not there is looked for by its last part below the root.
#define _XOPEN_SOURCE 700
#include "cli/serve.h"
#include "files/files_internal.h"
#include "link/recruits_listen.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// ---- levels ----

typedef struct told_level {
    const char *path;
} told_level;

#define NOTES_MAX 50

typedef struct lab_host {
    const serve_plan *plan;
    uint32_t notes; // so far
} lab_host;

static void warn(void *ctx, uint32_t line, uint32_t cell, const char *message)
{
    const told_level *const level = ctx;
    if (line == 0) {
        oct_cli_warn("%s: %s", CLI_SHOWN(level->path), message);
    } else if (cell == 0) {
        oct_cli_warn("%s:%lu: %s", CLI_SHOWN(level->path), (unsigned long)line, message);
    } else {
        oct_cli_warn("%s:%lu: cell %lu: %s", CLI_SHOWN(level->path), (unsigned long)line,
                     (unsigned long)cell, message);
    }
}

static oct_result read_level(const char *path, oct_recruits_level **out, oct_error *error)
{
    told_level told = {path};
    const oct_recruits_reading how = {.warn = warn, .ctx = &told};
    return oct_recruits_level_load(path, &how, out, error);
}

// Opening a pipe or a device could wait for ever.
static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool find_level(const serve_plan *plan, const char *path, char out[SERVE_PATH_SIZE])
{
    if (plan->has_root ? oct_serve_take(plan->root, path, out)
                       : is_file(path) && strlen(path) < SERVE_PATH_SIZE) {
        if (!plan->has_root) {
            snprintf(out, SERVE_PATH_SIZE, "%s", path);
        }
        return true;
    }
    const char *const slash = strrchr(path, '/');
    const char *const backslash = strrchr(path, '\\');
    const char *const name = backslash > slash ? backslash + 1 : slash ? slash + 1 : path;
    return oct_serve_find(plan->root, name, out);
}

static oct_result load(void *ctx, const char *path, const char *name, oct_recruits_level **out)
{
    char found[SERVE_PATH_SIZE];
    oct_error error = {.line = 0};
    (void)name;
    *out = NULL;
    if (!find_level(((const lab_host *)ctx)->plan, path, found)) {
        return OCT_ERROR_FILE;
    }
    const oct_result result = read_level(found, out, &error);
    if (result != OCT_OK) {
        (void)oct_cli_check_file(found, result, &error);
    }
    return result;
}

// ---- dates ----

// As .NET writes a local time: 2023-05-01T17:44:35.12+02:00.
static void write_date(void *ctx, double ago, char *out, size_t size)
{
    struct timespec now;
    struct tm local;
    char day[32], zone[8];
    (void)ctx;
    clock_gettime(CLOCK_REALTIME, &now);
    const double at = (double)now.tv_sec + (double)now.tv_nsec / 1e9 - ago;
    const time_t seconds = (time_t)floor(at);
    const int hundredths = (int)((at - floor(at)) * 100.0);
    if (!localtime_r(&seconds, &local) ||
        strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &local) == 0 ||
        strftime(zone, sizeof zone, "%z", &local) != 5) {
        snprintf(out, size, "0001-01-01T00:00:00");
        return;
    }
    snprintf(out, size, "%s.%02d%.3s:%.2s", day, hundredths, zone, zone + 3);
}

// A client that goes on asking what makes no sense does not fill anybody's disk.
static void note(void *ctx, const char *what)
{
    lab_host *const h = ctx;
    if (h->notes++ < NOTES_MAX) {
        oct_cli_warn("serve: %s", what);
    } else if (h->notes == NOTES_MAX + 1) {
        oct_cli_warn("serve: there is more that has no answer; it is not told");
    }
}

// ---- serving ----

// The world until INIT: that of the level, or an empty one.
static int make_first(const serve_plan *plan, oct_game **out)
{
    oct_error error = {.line = 0};
    oct_recruits_world_def def = oct_recruits_world_def_default();
    const oct_result read = plan->level ? read_level(plan->level, &def.level, &error)
                                        : oct_recruits_level_read("", 0, NULL, &def.level, &error);
    CLI_TRY(oct_cli_check_file(plan->level ? plan->level : "serve", read, &error));
    const oct_result made = oct_recruits_world_create(&def, out);
    if (made != OCT_OK) {
        oct_recruits_level_destroy(def.level);
    }
    return oct_cli_check(plan->level ? plan->level : "serve", made);
}

int oct_serve_lab(const serve_plan *plan)
{
    lab_host own = {plan, 0};
    const recruits_host host = {.load = load,
                                .now_ns = oct_serve_now_ns,
                                .date = write_date,
                                .note = note,
                                .ctx = &own,
                                .speed = plan->speed};
    const oct_error none = {.line = 0};
    oct_game *game;
    recruits_server *server;
    int listener;
    CLI_TRY(make_first(plan, &game));
    if (oct_recruits_server_create(&host, game, NULL, &server) != OCT_OK) {
        oct_game_destroy(game);
        return oct_cli_check("serve", OCT_ERROR_MEMORY);
    }
    int code = oct_serve_listen(plan->port, plan->json, &listener);
    if (code == CLI_YES) {
        code = oct_serve_end(oct_recruits_serve(server, listener, oct_serve_is_stopped, NULL, NULL),
                             &none);
        close(listener);
    }
    oct_recruits_server_destroy(server);
    return code;
}
