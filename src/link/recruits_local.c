// SPDX-License-Identifier: MIT
#include "link/recruits_local.h"

#include "base/print.h"
#include "link/recruits_server.h"

struct recruits_local {
    oct_allocator allocator;
    oct_result (*load)(void *ctx, oct_recruits_level **out);
    void *ctx;
    recruits_server *server;
    recruits_client *client;
    const char *answer; // what was not read yet
    size_t left;
};

static oct_result load_level(void *ctx, const char *path, const char *name,
                             oct_recruits_level **out)
{
    const recruits_local *const l = ctx;
    (void)path, (void)name;
    return l->load(l->ctx, out);
}

static uint64_t no_time(void *ctx)
{
    (void)ctx;
    return 0;
}

static void no_date(void *ctx, double ago, char *out, size_t size)
{
    (void)ctx, (void)ago;
    oct_snprintf(out, size, "0001-01-01T00:00:00");
}

static link_status write_line(void *ctx, const void *bytes, size_t size, uint64_t until)
{
    recruits_local *const l = ctx;
    (void)until;
    oct_recruits_server_answer(l->server, bytes, size - 1, &l->answer, &l->left);
    return LINK_FINE;
}

static link_status read_bytes(void *ctx, void *buffer, size_t room, uint64_t until, size_t *got)
{
    recruits_local *const l = ctx;
    (void)until;
    if (l->left == 0) {
        return LINK_SILENT;
    }
    *got = l->left < room ? l->left : room;
    memcpy(buffer, l->answer, *got);
    l->answer += *got;
    l->left -= *got;
    return LINK_FINE;
}

static oct_result make(recruits_local *l)
{
    const recruits_host host = {.load = load_level, .now_ns = no_time, .date = no_date, .ctx = l};
    const link_carrier carrier = {read_bytes, write_line, no_time, l};
    const recruits_client_def client = {.allocator = &l->allocator};
    const oct_recruits_reading how = {.allocator = &l->allocator};
    oct_recruits_world_def def = oct_recruits_world_def_default();
    oct_game *first;
    def.allocator = &l->allocator;
    OCT_TRY(oct_recruits_level_read("", 0, &how, &def.level, NULL));
    oct_result result = oct_recruits_world_create(&def, &first);
    if (result != OCT_OK) {
        oct_recruits_level_destroy(def.level);
        return result;
    }
    result = oct_recruits_server_create(&host, first, &l->allocator, &l->server);
    if (result != OCT_OK) {
        oct_game_destroy(first);
        return result;
    }
    return oct_recruits_client_create(&carrier, &client, &l->client);
}

oct_result oct_recruits_local_create(oct_result (*load)(void *ctx, oct_recruits_level **out),
                                     void *ctx, const oct_allocator *allocator,
                                     recruits_local **out)
{
    const oct_allocator own = oct_allocator_or_default(allocator);
    recruits_local *const l = oct_alloc(&own, sizeof *l, _Alignof(recruits_local));
    *out = NULL;
    if (!l) {
        return OCT_ERROR_MEMORY;
    }
    *l = (recruits_local){.allocator = own, .load = load, .ctx = ctx};
    const oct_result result = make(l);
    if (result != OCT_OK) {
        oct_recruits_local_destroy(l);
        return result;
    }
    *out = l;
    return OCT_OK;
}

recruits_client *oct_recruits_local_client(recruits_local *local)
{
    return local->client;
}

void oct_recruits_local_destroy(recruits_local *l)
{
    if (l) {
        const oct_allocator own = l->allocator;
        oct_recruits_client_destroy(l->client);
        oct_recruits_server_destroy(l->server);
        oct_free(&own, l, sizeof *l);
    }
}
