// SPDX-License-Identifier: MIT
// Fuzzes what a client asks: the bytes are lines that a server with a small game answers. Each gets
// exactly one answer, a line of JSON within the limits, and the game stays as sound as it was.
#define FUZZ_BYTES_MAX ((size_t)8 << 20)

#include "fuzz.h"
#include "link/link_line.h"
#include "link/link_read.h"
#include "link/link_server.h"
#include "link_mock.h"

#define LINES_MAX 16
#define INPUT_MAX 2048
#define LINE_SHORT 256 // the limit of a line in every third input, so that small ones go beyond it

typedef struct feed {
    const uint8_t *at, *end;
} feed;

static uint64_t no_clock(void *ctx)
{
    (void)ctx;
    return 0;
}

static link_status take(void *ctx, void *buffer, size_t room, uint64_t until, size_t *got)
{
    feed *const f = ctx;
    (void)until;
    const size_t left = (size_t)(f->end - f->at), count = left < room ? left : room;
    if (count == 0) {
        return LINK_CLOSED;
    }
    memcpy(buffer, f->at, count);
    f->at += count;
    *got = count;
    return LINK_FINE;
}

static link_status give(void *ctx, const void *bytes, size_t size, uint64_t until)
{
    (void)ctx;
    (void)bytes;
    (void)size;
    (void)until;
    return LINK_FINE;
}

// Whether an answer of the same bytes was checked before; else it is kept. Reading all of them
// would take most of the time, and most of them are equal.
static bool was_checked(const char *answer, size_t size)
{
    static struct {
        size_t size;
        char bytes[4096];
    } kept[1024];
    if (size > sizeof kept->bytes) {
        return false;
    }
    const size_t mix = 31 * size + 7 * (uint8_t)answer[size / 2] + (uint8_t)answer[size / 3];
    const size_t slot = mix % (sizeof kept / sizeof *kept);
    if (kept[slot].size == size && memcmp(kept[slot].bytes, answer, size) == 0) {
        return true;
    }
    memcpy(kept[slot].bytes, answer, size);
    kept[slot].size = size;
    return false;
}

static void check_answer(const char *answer, size_t size)
{
    char why[300];
    FUZZ_CHECK(size > 0 && size <= LINK_ANSWER_SIZE + 1 && answer[size - 1] == '\n');
    if (was_checked(answer, size)) {
        return;
    }
    FUZZ_CHECK(!memchr(answer, '\n', size - 1));
    FUZZ_CHECK(oct_link_is_shallow(answer, size, LINK_ANSWER_DEPTH));
    json_t *const object = oct_link_parse(answer, size - 1, why, sizeof why);
    FUZZ_CHECK(object);
    json_decref(object);
}

static void serve(link_server *server, link_lines *lines)
{
    bool goes_on = true;
    for (uint32_t i = 0; goes_on && i < LINES_MAX; i++) {
        char *line;
        size_t size, answer_size = 0;
        const char *answer = NULL;
        const link_status status = oct_link_line_next(lines, LINK_NEVER, &line, &size);
        if (status == LINK_TOO_LONG) {
            oct_link_server_refuse_long(server, &answer, &answer_size);
        } else if (status == LINK_FINE) {
            goes_on = oct_link_server_answer(server, line, size, &answer, &answer_size);
        } else {
            return;
        }
        // Without memory there may be none, and then it is over.
        if (answer_size > 0 || goes_on) {
            check_answer(answer, answer_size);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t used = 0;
    const oct_allocator limited = {fuzz_alloc, fuzz_free, &used};
    // Long inputs are slow, and try no more than short ones do.
    if (size > INPUT_MAX) {
        return -1;
    }
    mock_host mock = {.seed = 1, .things = (uint32_t)(size % 5), .allocator = &limited};
    const link_host host = mock_link_host(&mock);
    link_server *server;
    FUZZ_CHECK(oct_link_server_create(&host, &limited, &server) == OCT_OK);
    FUZZ_CHECK(oct_link_server_greet(server) == OCT_OK);
    feed f = {data, data + size};
    link_lines lines = {.carrier = {take, give, no_clock, &f},
                        .allocator = limited,
                        .limit = size % 3 == 0 ? LINE_SHORT : LINK_REQUEST_SIZE};
    const char *answer;
    size_t answer_size;
    // Every second input begins where hello has been said.
    if (size % 2 == 0) {
        static const char hello[] = "{\"do\":\"hello\",\"octant\":1}";
        FUZZ_CHECK(oct_link_server_answer(server, hello, sizeof hello - 1, &answer, &answer_size));
    }
    serve(server, &lines);
    oct_link_lines_free(&lines);
    oct_link_server_destroy(server);
    FUZZ_CHECK(used == 0);
    return 0;
}
