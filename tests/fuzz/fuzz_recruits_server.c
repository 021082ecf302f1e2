// SPDX-License-Identifier: MIT
// Fuzzes what clients of Lab Recruits ask: the bytes are lines that the server of a small level
// answers, or does not. Answers are lines of JSON, and everybody stays within the world.
#define FUZZ_BYTES_MAX ((size_t)8 << 20)

#include "fuzz.h"
#include "link/link_read.h"
#include "link/recruits_server.h"
#include "link/recruits_server_internal.h"

#include <math.h>

#define LINES_MAX 16

static const char level_text[] = "b1,d1,orc\nbob,p1,p2\ncb,screen\n"
                                 "|w,w,w,w,w,w\nw,f:a^agent0,f:b^b1,f:d>e^d1,f:m^orc,w\n"
                                 "w,f:npc^bob,f:ng^p1,f:cb#ff0000^cb,f:ng^p2,w\n"
                                 "w,r>e,f:dhf,f:cs^screen,f:g^Finish,w\nw,w,w,w,w,w\n";

// A path is the level itself; "level" is the one above.
static oct_result load(void *ctx, const char *path, const char *name, oct_recruits_level **out)
{
    const oct_recruits_reading how = {.allocator = ctx};
    (void)name;
    const char *const text = strcmp(path, "level") == 0 ? level_text : path;
    return oct_recruits_level_read(text, strlen(text), &how, out, NULL);
}

static uint64_t now_ns(void *ctx)
{
    (void)ctx;
    return 0;
}

static void date(void *ctx, double ago, char *out, size_t size)
{
    (void)ctx;
    (void)ago;
    if (size > 0) {
        out[0] = '\0';
    }
}

static void check_answer(const char *answer, size_t size)
{
    FUZZ_CHECK(size > 1 && answer[size - 1] == '\n' && !memchr(answer, '\n', size - 1));
    json_t *const value = json_loadb(answer, size, JSON_DECODE_ANY, NULL);
    FUZZ_CHECK(value);
    json_decref(value);
}

static void check_world(const recruits_world *g)
{
    for (uint32_t i = 0; i < g->agents.count; i++) {
        const recruits_agent *const a = agent_at(g, i);
        FUZZ_CHECK(fabs(a->feet.x) < 1e5 && fabs(a->feet.y) < 1e5 && fabs(a->feet.z) < 1e5);
        FUZZ_CHECK(a->health >= 0 && a->health <= 100);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t used = 0;
    oct_allocator limited = {fuzz_alloc, fuzz_free, &used};
    const recruits_host host = {.load = load, .now_ns = now_ns, .date = date, .ctx = &limited};
    oct_recruits_world_def def = oct_recruits_world_def_default();
    oct_game *game;
    recruits_server *server;
    def.allocator = &limited;
    FUZZ_CHECK(load(&limited, "level", "", &def.level) == OCT_OK);
    FUZZ_CHECK(oct_recruits_world_create(&def, &game) == OCT_OK);
    FUZZ_CHECK(oct_recruits_server_create(&host, game, &limited, &server) == OCT_OK);
    const char *at = (const char *)data, *const end = at + size;
    for (int i = 0; i < LINES_MAX && at < end; i++) {
        const char *const stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)((stop ? stop : end) - at);
        const char *answer;
        size_t answer_size;
        oct_recruits_server_answer(server, at, length, &answer, &answer_size);
        if (answer_size > 0) {
            check_answer(answer, answer_size);
        }
        check_world(server->world);
        at += length + 1;
    }
    oct_recruits_server_destroy(server);
    FUZZ_CHECK(used == 0);
    return 0;
}
