// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "link/link_connect.h"

#include "link/recruits_game.h"

#include "base/print.h"
#include "base/words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define TCP "tcp:"
#define EXEC "exec:"
#define LAB "lab:"
// How long a game may take until it listens, milliseconds, and how often it is tried.
#define LAB_BEGINS 20000u
#define LAB_RETRY 200u
#define SPEED_MAX 1000.0

// A connection and what is behind it.
typedef struct connection {
    oct_allocator allocator;
    link_connect_def def;
    link_socket socket;
    link_meanwhile meanwhile;
    link_process *process; // NULL = somebody else's
    double speed;          // of lab:
} connection;

bool oct_link_is_named(const char *text)
{
    return strncmp(text, TCP, strlen(TCP)) == 0 || oct_link_is_command(text) ||
           oct_link_is_lab(text);
}

bool oct_link_is_lab(const char *text)
{
    return strncmp(text, LAB, strlen(LAB)) == 0;
}

bool oct_link_is_command(const char *text)
{
    return strncmp(text, EXEC, strlen(EXEC)) == 0;
}

// ---- meanwhile ----

static void take_output(void *ctx)
{
    connection *const c = ctx;
    if (c->process) {
        oct_link_process_drain(c->process);
        c->meanwhile.fd = oct_link_process_meanwhile(c->process).fd;
    }
}

static bool is_stopped(void *ctx)
{
    const connection *const c = ctx;
    return c->def.stops && c->def.stops(c->def.stop_ctx);
}

static void say_epitaph(void *ctx, char *out, size_t size)
{
    connection *const c = ctx;
    out[0] = '\0';
    if (!c->process) {
        return;
    }
    // A connection closes a little before its process has ended.
    const uint64_t until = oct_link_clock() + 200;
    link_socket nothing = {-1, NULL};
    while (!oct_link_process_has_ended(c->process) && oct_link_clock() < until) {
        (void)oct_link_wait(&nothing, false, oct_link_clock() + 5);
    }
    oct_link_process_epitaph(c->process, out, size);
}

static void release(void *ctx)
{
    connection *const c = ctx;
    const oct_allocator own = c->allocator;
    if (c->socket.fd >= 0) {
        close(c->socket.fd);
    }
    oct_link_process_end(c->process, c->def.grace_ms);
    oct_free(&own, c, sizeof *c);
}

// ---- connecting ----

static oct_result connect_tcp(connection *c, const char *address, oct_error *error)
{
    char local[32];
    // A port alone is one of this machine.
    if (strspn(address, "0123456789") == strlen(address) && strlen(address) < 6) {
        oct_snprintf(local, sizeof local, "127.0.0.1:%s", address);
        address = local;
    }
    return oct_link_connect(address, c->def.load_ms, &c->meanwhile, &c->socket.fd, error);
}

// The speed behind a star; false where it is none.
static bool split_speed(const char *text, char *address, size_t size, double *speed)
{
    const char *const star = strchr(text, '*');
    char *end;
    *speed = 1.0;
    oct_snprintf(address, size, "%.*s", star ? (int)(star - text) : 200, text);
    if (!star || strcmp(star + 1, "max") == 0) {
        *speed = star ? 0.0 : 1.0;
        return true;
    }
    *speed = strtod(star + 1, &end);
    return star[1] >= '0' && star[1] <= '9' && *end == '\0' && *speed > 0.0 && *speed <= SPEED_MAX;
}

// The game may have been started just now: it is tried again for a while.
static oct_result connect_lab(connection *c, const char *text, oct_error *error)
{
    char address[256];
    const uint32_t wait = c->def.load_ms < LAB_BEGINS ? c->def.load_ms : LAB_BEGINS;
    const uint64_t until = oct_link_clock() + wait;
    link_socket nothing = {-1, &c->meanwhile};
    if (!split_speed(text, address, sizeof address, &c->speed)) {
        oct_error_set(error, 0, 0, 0, "'%.60s': behind the star stands a speed or max", text);
        return OCT_ERROR_ARGUMENT;
    }
    for (;;) {
        const oct_result result = connect_tcp(c, address, error);
        if (result != OCT_ERROR_LINK || oct_link_clock() + LAB_RETRY >= until || is_stopped(c)) {
            return result;
        }
        (void)oct_link_wait(&nothing, false, oct_link_clock() + LAB_RETRY);
    }
}

// Waits until the process has connected, has ended, or takes too long.
static oct_result accept_process(connection *c, int listener, oct_error *error)
{
    const uint64_t until = oct_link_clock() + c->def.load_ms;
    link_socket waiting = {listener, &c->meanwhile};
    for (;;) {
        const link_status status = oct_link_wait(&waiting, false, oct_link_clock() + 20);
        c->socket.fd = status == LINK_FINE ? accept(listener, NULL, NULL) : -1;
        if (c->socket.fd >= 0) {
            return OCT_OK;
        }
        if (status == LINK_STOPPED) {
            oct_error_set(error, 0, 0, 0, "the wait for the game was interrupted");
            return OCT_ERROR_LINK;
        }
        if (oct_link_process_has_ended(c->process)) {
            char how[100];
            oct_link_process_epitaph(c->process, how, sizeof how);
            oct_error_set(error, 0, 0, 0, "%s before it connected to OCTANT_CONNECT", how);
            return OCT_ERROR_LINK;
        }
        if (oct_link_clock() >= until) {
            oct_error_set(error, 0, 0, 0, "the game did not connect to OCTANT_CONNECT within %g s",
                          c->def.load_ms / 1000.0);
            return OCT_ERROR_LINK;
        }
    }
}

static oct_result start_process(connection *c, char *const *words, oct_error *error)
{
    int listener;
    uint32_t port;
    char address[32];
    OCT_TRY(oct_link_listen(0, &listener, &port, error));
    oct_snprintf(address, sizeof address, "127.0.0.1:%lu", (unsigned long)port);
    oct_result result =
        oct_link_process_start(words, address, c->def.groups, &c->allocator, &c->process, error);
    if (result == OCT_OK) {
        c->meanwhile.fd = oct_link_process_meanwhile(c->process).fd;
        result = accept_process(c, listener, error);
    }
    close(listener);
    return result;
}

static oct_result connect_exec(connection *c, const char *command, oct_error *error)
{
    char **words;
    size_t count;
    OCT_TRY(oct_link_words(command, &c->allocator, &words, &count, error));
    const oct_result result = start_process(c, words, error);
    oct_link_words_free(&c->allocator, words);
    return result;
}

// ---- opening ----

static oct_result make_connection(const char *text, const link_connect_def *def, connection **out,
                                  oct_error *error)
{
    const oct_allocator own = oct_allocator_or_default(def->allocator);
    connection *const c = oct_alloc(&own, sizeof *c, _Alignof(connection));
    *out = c;
    if (!c) {
        return OCT_ERROR_MEMORY;
    }
    *c = (connection){.allocator = own, .def = *def, .socket = {.fd = -1}};
    c->def.load_ms = def->load_ms > 0 ? def->load_ms : 60000;
    c->def.grace_ms = def->grace_ms > 0 ? def->grace_ms : 2000;
    c->meanwhile = (link_meanwhile){.fd = -1, .ready = take_output, .stops = is_stopped, .ctx = c};
    c->socket.meanwhile = &c->meanwhile;
    if (oct_link_is_command(text)) {
        OCT_TRY(connect_exec(c, text + strlen(EXEC), error));
    } else if (oct_link_is_lab(text)) {
        OCT_TRY(connect_lab(c, text + strlen(LAB), error));
    } else if (oct_link_is_named(text)) {
        OCT_TRY(connect_tcp(c, text + strlen(TCP), error));
    } else {
        oct_error_set(error, 0, 0, 0,
                      "'%.60s' is none of tcp:HOST:PORT, exec:COMMAND and lab:HOST:PORT", text);
        return OCT_ERROR_ARGUMENT;
    }
    oct_link_prepare(c->socket.fd);
    return OCT_OK;
}

static oct_result shake_hands(connection *c, oct_game **out, char *trouble, size_t size)
{
    const link_carrier carrier = oct_link_socket_carrier(&c->socket);
    const link_client_def client = {.answer_ms = c->def.answer_ms,
                                    .load_ms = c->def.load_ms,
                                    .start = c->def.start,
                                    .is_restarted = c->def.is_restarted,
                                    .allocator = &c->allocator,
                                    .epitaph = say_epitaph,
                                    .release = release,
                                    .ctx = c};
    return oct_link_play(&carrier, &client, out, trouble, size);
}

// ---- lab ----

static uint64_t now_ns(void *ctx)
{
    struct timespec now;
    (void)ctx;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool wait_ns(void *ctx, uint64_t until)
{
    connection *const c = ctx;
    link_socket nothing = {-1, &c->meanwhile};
    for (uint64_t now = now_ns(c); now < until; now = now_ns(c)) {
        const uint64_t ms = (until - now + 999999u) / 1000000u;
        if (oct_link_wait(&nothing, false, oct_link_clock() + ms) == LINK_STOPPED) {
            return false;
        }
    }
    return !is_stopped(c);
}

// As the game's own clients do, it asks for an empty world until the game answers.
static oct_result greet_lab(connection *c, recruits_client **out, char *trouble, size_t size)
{
    const link_carrier carrier = oct_link_socket_carrier(&c->socket);
    const recruits_client_def def = {.answer_ms = c->def.answer_ms,
                                     .load_ms = c->def.load_ms,
                                     .speed = c->speed,
                                     .time = {now_ns, wait_ns, c},
                                     .allocator = &c->allocator};
    recruits_link_mesh mesh;
    OCT_TRY(oct_recruits_client_create(&carrier, &def, out));
    const oct_result result = oct_recruits_client_init(*out, "", 0.0, &mesh);
    if (result != OCT_OK) {
        oct_snprintf(trouble, size, "%s", oct_recruits_client_trouble(*out));
        oct_recruits_client_destroy(*out);
        *out = NULL;
    }
    return result;
}

static oct_result begin_lab(connection *c, oct_game **out, char *trouble, size_t size)
{
    recruits_client *client;
    OCT_TRY(greet_lab(c, &client, trouble, size));
    return oct_recruits_game_create(client, &c->allocator, release, c, out);
}

oct_result oct_link_open_lab(const char *text, const link_connect_def *def, recruits_client **out,
                             void (**let_go)(void *ctx), void **ctx, char *trouble,
                             size_t trouble_size)
{
    oct_error error = {.message = ""};
    connection *c = NULL;
    *out = NULL;
    trouble[0] = '\0';
    oct_result result = make_connection(text, def, &c, &error);
    if (result != OCT_OK) {
        oct_snprintf(trouble, trouble_size, "%s",
                     error.message[0] ? error.message : oct_result_text(result));
    } else {
        result = greet_lab(c, out, trouble, trouble_size);
    }
    if (result != OCT_OK && c) {
        release(c);
    }
    *let_go = release;
    *ctx = c;
    return result;
}

// The end of what the process has written, behind what is said already.
static void append_output(connection *c, char *trouble, size_t size)
{
    const size_t used = strlen(trouble);
    if (!c->process || used + 64 >= size) {
        return;
    }
    const char *const output = oct_link_process_output(c->process);
    const size_t length = strlen(output), room = size - used - 40;
    const char *const from = output + (length > room ? length - room : 0);
    if (length > 0) {
        oct_snprintf(trouble + used, size - used, "\nits output ends with:\n%s", from);
    }
}

oct_result oct_link_open_game(const char *text, const link_connect_def *def, oct_game **out,
                              char *trouble, size_t trouble_size)
{
    oct_error error = {.message = ""};
    connection *c = NULL;
    *out = NULL;
    trouble[0] = '\0';
    oct_result result = make_connection(text, def, &c, &error);
    if (result != OCT_OK) {
        oct_snprintf(trouble, trouble_size, "%s",
                     error.message[0] ? error.message : oct_result_text(result));
    } else if (oct_link_is_lab(text)) {
        result = begin_lab(c, out, trouble, trouble_size);
    } else {
        result = shake_hands(c, out, trouble, trouble_size);
    }
    if (result != OCT_OK && c) {
        append_output(c, trouble, trouble_size);
        release(c);
    }
    return result;
}

const char *oct_link_output(const oct_game *game)
{
    connection *const c = oct_link_is_client(game) ? oct_link_context(game) : NULL;
    return c && c->process ? oct_link_process_output(c->process) : "";
}
