// SPDX-License-Identifier: MIT
// Saves that are meant to harm: bombs of entities, endless nesting, tags, texts and names, cut and
// changed files, no memory. All are refused soon and in bounded memory.

// For pipes and processes.
#define _XOPEN_SOURCE 700

#include "sbs_support.h"

#include "files/xml_reader.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// ---- expat's memory ----

// Its functions have no context. Each block begins with its size.
static struct {
    size_t live, peak, calls, fail_at;
} expat;

typedef union header {
    size_t size;
    max_align_t align;
} header;

static void *expat_alloc(size_t size)
{
    header *const block = expat.calls++ == expat.fail_at ? NULL : malloc(sizeof(header) + size);
    if (!block) {
        return NULL;
    }
    block->size = size;
    expat.live += size;
    expat.peak = expat.live > expat.peak ? expat.live : expat.peak;
    return block + 1;
}

static void expat_free(void *memory)
{
    if (memory) {
        header *const block = (header *)memory - 1;
        expat.live -= block->size;
        free(block);
    }
}

static void *expat_realloc(void *memory, size_t size)
{
    void *const moved = expat_alloc(size);
    if (moved && memory) {
        const size_t old = ((header *)memory - 1)->size;
        memcpy(moved, memory, old < size ? old : size);
        expat_free(memory);
    }
    return moved;
}

static const XML_Memory_Handling_Suite expat_memory = {expat_alloc, expat_realloc, expat_free};

static void reset_expat(size_t fail_at)
{
    assert_int_equal(expat.live, 0);
    expat.peak = expat.calls = 0;
    expat.fail_at = fail_at;
}

// ---- streams ----

// A save: a head, a unit so many times (a %zu in it becomes its number), a tail.
typedef struct stream {
    const char *head, *unit, *tail;
    size_t count;
} stream;

typedef struct outcome {
    oct_result result;
    oct_error error;
    size_t fed;         // bytes until the result
    size_t expat, ours; // peaks, bytes
    double seconds;
    size_t blocks;
} outcome;

typedef struct feeder {
    save_reader *save;
    oct_world *world;
    char buffer[65536];
    size_t used;
    outcome out;
} feeder;

static void flush(feeder *in, bool last)
{
    if (in->out.result == OCT_OK) {
        in->out.fed += in->used;
        in->out.result =
            oct_save_feed(in->save, in->buffer, in->used, last, &in->world, &in->out.error);
    }
    in->used = 0;
}

static void put(feeder *in, const char *text)
{
    const size_t size = strlen(text);
    assert_true(size < sizeof in->buffer);
    if (in->used + size > sizeof in->buffer) {
        flush(in, false);
    }
    memcpy(in->buffer + in->used, text, size);
    in->used += size;
}

static outcome feed(const stream *from)
{
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    reset_expat(SIZE_MAX);
    feeder *const in = calloc(1, sizeof *in);
    assert_non_null(in);
    in->save = oct_save_create(NULL, &memory.allocator, &expat_memory);
    const clock_t start = clock();
    const bool numbered = strstr(from->unit, "%zu");
    put(in, from->head);
    for (size_t i = 0; i < from->count && in->out.result == OCT_OK; i++) {
        char unit[512];
        snprintf(unit, sizeof unit, from->unit, i, i, i);
        put(in, numbered ? unit : from->unit);
    }
    put(in, from->tail);
    flush(in, true);
    in->out.seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    in->out.blocks = in->world ? oct_world_blocks(in->world) : 0;
    oct_save_destroy(in->save);
    oct_world_destroy(in->world);
    in->out.expat = expat.peak;
    in->out.ours = memory.peak_bytes;
    test_allocator_check_empty(&memory);
    const outcome out = in->out;
    free(in);
    return out;
}

#define ROOT "<MyObjectBuilder_Sector xmlns:xsi=\"x\">"
#define END "</MyObjectBuilder_Sector>"
#define A_GRID                                                                                     \
    SAVE_HEAD "<MyObjectBuilder_EntityBase xsi:type=\"MyObjectBuilder_CubeGrid\">" ID("1")         \
        POSE_AT("0", "0", "0") LARGE
#define LAUGHS                                                                                     \
    "<!DOCTYPE lolz [<!ENTITY a \"lol\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">"            \
    "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;&c;\">]>"
#define FIFTY "..................................................."
#define KILO FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY

// Each within a second of time, and memory that has nothing to do with how long they are.
static void harmful_saves_are_refused_soon_and_in_little_memory(void **state)
{
    (void)state;
    static const struct {
        stream in;
        const char *message;
        size_t fed; // at most
    } cases[] = {
        {{"<?xml version=\"1.0\"?>\n" LAUGHS ROOT "&d;", "&d;", END, 1000000},
         "a document type declaration: saves have none",
         65536},
        {{"<!DOCTYPE a [<!ENTITY a \"", KILO, "\">]>" ROOT "&a;&a;&a;" END, 40000},
         "a document type declaration: saves have none",
         65536},
        {{"<!DOCTYPE a SYSTEM \"file:///etc/passwd\">" ROOT, "", END, 0},
         "a document type declaration: saves have none",
         1000},
        {{"<!DOCTYPE a [<!ENTITY % b SYSTEM \"http://localhost/\">%b;]>" ROOT, "", END, 0},
         "a document type declaration: saves have none",
         1000},
        {{"<!DOCTYPE MyObjectBuilder_Sector>" ROOT, "", END, 0},
         "a document type declaration: saves have none",
         1000},
        {{ROOT, "<a>", "", 100000000}, "more than 64 elements in each other", 65536},
        {{ROOT, "<a%zu>", "", 100000000}, "more than 64 elements in each other", 65536},
        {{A_GRID, "<CubeBlocks>", "", 100000000}, "more than 64 elements in each other", 65536},
        {{ROOT "<a b=\"", KILO, "\"/>" END, 40000}, "a tag of more than 65536 bytes", 262144},
        {{ROOT "<a", KILO, "/>" END, 40000}, "a tag of more than 65536 bytes", 262144},
        {{ROOT "<a", " b%zu='%zu'", "/>" END, 1000000}, "a tag of more than 65536 bytes", 262144},
        {{ROOT "<!--", KILO, "-->" END, 40000}, "a tag of more than 65536 bytes", 262144},
        {{ROOT "<?a ", KILO, "?>" END, 40000}, "a tag of more than 65536 bytes", 262144},
        {{"<!--", KILO, "-->" ROOT END, 40000}, "a tag of more than 65536 bytes", 262144},
        {{"<!DOCTYPE ", KILO, ">" ROOT END, 40000}, "a tag of more than 65536 bytes", 262144},
        {{ROOT "<a>", KILO, "</a>" END, 40000}, "a text of more than 16777216 bytes", 16900000},
        {{ROOT "<a><![CDATA[", KILO, "]]></a>" END, 40000},
         "a text of more than 16777216 bytes",
         16900000},
        {{A_GRID "<DisplayName>", KILO, "</DisplayName>" END, 40000},
         "DisplayName is longer than 1023 bytes",
         65536},
        {{ROOT, "<a%zu/>", END, 3000000}, "more than 4096 different names", 131072},
        {{ROOT, "<a b%zu='1'/>", END, 3000000}, "more than 4096 different names", 131072},
        {{A_GRID "<CubeBlocks>", "<MyObjectBuilder_CubeBlock c%zu='1'/>", "", 3000000},
         "more than 4096 different names",
         262144},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const outcome out = feed(&cases[i].in);
        if (out.result != OCT_ERROR_FORMAT || strcmp(out.error.message, cases[i].message) != 0) {
            fail_msg("case %zu: %d at %u: %s", i, (int)out.result, out.error.line,
                     out.error.message);
        }
        assert_true(out.error.line > 0);
        if (out.fed > cases[i].fed || out.expat > 1500000 || out.ours > 1500000 ||
            (!test_is_slow() && out.seconds > 1.0)) {
            fail_msg("case %zu: %zu bytes fed, %zu of expat, %zu of ours, %g s", i, out.fed,
                     out.expat, out.ours, out.seconds);
        }
    }
}

// What is long but harmless passes, in the same memory whatever its length.
static void long_saves_take_what_their_blocks_do(void **state)
{
    (void)state;
    const size_t count = (size_t)test_rounds(100000);
    const stream cases[] = {
        {ROOT, "<a b=\"1\"><c>text</c></a>", END, count},
        {ROOT, KILO "<a/>", END, count / 2},
        {ROOT, "<!-- c -->", END, count},
        {ROOT "<a>", "&#65;&amp;", "</a>" END, count},
        {SAVE_HEAD, ENTITY("Mystery", ID("x")), SAVE_TAIL, count / 10},
        {A_GRID, "<DisplayName>again %zu</DisplayName>", "</MyObjectBuilder_EntityBase>" SAVE_TAIL,
         count / 2},
        {A_GRID "<CubeBlocks><MyObjectBuilder_CubeBlock>", "<CustomName>again %zu</CustomName>",
         "</MyObjectBuilder_CubeBlock></CubeBlocks></MyObjectBuilder_EntityBase>" SAVE_TAIL,
         count / 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const outcome out = feed(&cases[i]);
        assert_int_equal(out.result, OCT_OK);
        assert_true(out.expat < 200000 && out.ours < 100000);
    }
    const stream blocks = {A_GRID "<CubeBlocks>",
                           "<MyObjectBuilder_CubeBlock><Min x=\"%zu\" y=\"0\" z=\"0\"/>"
                           "</MyObjectBuilder_CubeBlock>",
                           "</CubeBlocks></MyObjectBuilder_EntityBase>" SAVE_TAIL, count / 10};
    const outcome out = feed(&blocks);
    assert_int_equal(out.blocks, count / 10);
    assert_true(out.expat < 200000 && out.ours < 1000 * out.blocks + 200000);
}

// At the limits, and one beyond them.
static void limits_are_where_they_are_said_to_be(void **state)
{
    (void)state;
    outcome out = feed(&(stream){ROOT, "<a>", "", XML_DEPTH_MAX - 1});
    assert_string_equal(out.error.message, "no element found");
    out = feed(&(stream){ROOT, "<a>", "", XML_DEPTH_MAX});
    assert_string_equal(out.error.message, "more than 64 elements in each other");
    // The root, its attribute and `a` are names too.
    out = feed(&(stream){ROOT, "<a%zu/>", END, XML_NAMES_MAX - 2});
    assert_int_equal(out.result, OCT_OK);
    out = feed(&(stream){ROOT, "<a%zu/>", END, XML_NAMES_MAX - 1});
    assert_string_equal(out.error.message, "more than 4096 different names");
    out = feed(&(stream){A_GRID "<DisplayName>", "abc",
                         "</DisplayName></MyObjectBuilder_EntityBase>" SAVE_TAIL, 341});
    assert_int_equal(out.result, OCT_OK);
    out = feed(&(stream){A_GRID "<DisplayName>", "abc",
                         "d</DisplayName></MyObjectBuilder_EntityBase>" SAVE_TAIL, 341});
    assert_string_equal(out.error.message, "DisplayName is longer than 1023 bytes");
    out = feed(&(stream){ROOT "<", "abc", "/>" END, 341});
    assert_int_equal(out.result, OCT_OK);
    out = feed(&(stream){ROOT "<", "abc", "d/>" END, 341});
    assert_string_equal(out.error.message, "a name of more than 1023 bytes");
    out = feed(&(stream){ROOT "<a b='", "0123456789", "'/>" END, 2000});
    assert_int_equal(out.result, OCT_OK);
}

static void counts_beyond_what_a_world_holds_are_refused(void **state)
{
    (void)state;
    if (test_is_slow()) {
        skip(); // a million of each
    }
    outcome out = feed(&(stream){A_GRID "<CubeBlocks>",
                                 "<MyObjectBuilder_CubeBlock><SubtypeName>%zu</SubtypeName>"
                                 "</MyObjectBuilder_CubeBlock>",
                                 "", OCT_WORLD_TYPES_MAX + 1});
    assert_string_equal(out.error.message, "more than 65536 types");
    out = feed(&(stream){A_GRID "<BlockGroups><MyObjectBuilder_BlockGroup><Name>a</Name><Blocks>",
                         "<Vector3I/>", "", OCT_WORLD_MEMBERS_MAX + 1});
    assert_string_equal(out.error.message, "more than 1048576 blocks in groups");
    out = feed(&(stream){SAVE_HEAD,
                         "<MyObjectBuilder_EntityBase xsi:type='MyObjectBuilder_CubeGrid'>"
                         "<EntityId>%zu</EntityId>" POSE_AT("0", "0", "0") LARGE
                         "</MyObjectBuilder_EntityBase>",
                         "", OCT_WORLD_GRIDS_MAX + 1});
    assert_string_equal(out.error.message, "more than 65536 grids");
}

// A gigabyte of nesting that comes through a pipe: the reader hangs up after the first bytes.
static void nesting_in_a_pipe_is_refused_at_its_beginning(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGPIPE, SIG_DFL);
        close(ends[0]);
        static const char head[] = ROOT;
        char some[3 * 4096];
        for (size_t i = 0; i < sizeof some; i++) {
            some[i] = "<a>"[i % 3];
        }
        ssize_t put_all = write(ends[1], head, sizeof head - 1);
        for (size_t i = 0; i < (1u << 30) / sizeof some && put_all > 0; i++) {
            put_all = write(ends[1], some, sizeof some);
        }
        _exit(0); // it was all read
    }
    close(ends[1]);
    char path[64];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    oct_world *world;
    oct_error error = {.line = 0};
    const oct_result result = oct_world_load(path, NULL, NULL, &world, NULL, &error);
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (result == OCT_ERROR_FILE) {
        skip(); // no /dev/fd here
    }
    assert_int_equal(result, OCT_ERROR_FORMAT);
    assert_string_equal(error.message, "more than 64 elements in each other");
    assert_true(error.offset < 300);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
}

// ---- cut, changed, without memory ----

static void a_save_cut_anywhere_is_refused(void **state)
{
    (void)state;
    static const char text[] = FULL_SAVE;
    const size_t whole = (size_t)(strstr(text, "</MyObjectBuilder_Sector>") - text) +
                         strlen("</MyObjectBuilder_Sector>");
    for (size_t size = 0; size <= sizeof text - 1; size++) {
        oct_world *world;
        oct_error error;
        const oct_result result = read_pieces(text, size, SIZE_MAX, NULL, &world, &error);
        assert_int_equal(result, size < whole ? OCT_ERROR_FORMAT : OCT_OK);
        if (result != OCT_OK) {
            assert_true(error.line > 0 && error.column > 0 && error.message[0]);
            assert_true(error.offset <= size);
        }
        oct_world_destroy(world);
    }
}

// Whatever is changed: a world, or a refusal that says where.
static void no_change_of_a_save_does_harm(void **state)
{
    (void)state;
    static const char text[] = FULL_SAVE;
    static const char bytes[] = "<>&\"'/=!?-[] \n0x9e+.\x80\xff\0";
    oct_random random = oct_random_seed(80);
    const uint64_t rounds = test_rounds(4000);
    size_t good = 0;
    oct_world *sizes = read_sizes(SIZES);
    for (uint64_t round = 0; round < rounds; round++) {
        char copy[sizeof text];
        memcpy(copy, text, sizeof text);
        size_t size = sizeof text - 1;
        const uint64_t changes = 1 + oct_random_below(&random, 3);
        for (uint64_t i = 0; i < changes; i++) {
            const size_t at = (size_t)oct_random_below(&random, size);
            const size_t from = (size_t)oct_random_below(&random, size);
            const size_t length = (size_t)oct_random_below(&random, 40);
            switch (oct_random_below(&random, 4)) {
            case 0:
                copy[at] = bytes[oct_random_below(&random, sizeof bytes - 1)];
                break;
            case 1:
                copy[at] = (char)oct_random_below(&random, 256);
                break;
            case 2: // something from elsewhere
                memmove(copy + at, copy + from,
                        length < size - (at > from ? at : from) ? length : 0);
                break;
            default: // a gap
                memmove(copy + at, copy + at + (length < size - at ? length : 0),
                        size - at - (length < size - at ? length : 0));
                size -= length < size - at ? length : 0;
            }
        }
        const oct_world_extras extras = {.sizes = sizes};
        oct_world *world;
        oct_error error;
        const oct_result result = read_pieces(
            copy, size, 1 + (size_t)oct_random_below(&random, 999), &extras, &world, &error);
        assert_true(result == OCT_OK ||
                    (result == OCT_ERROR_FORMAT && error.line > 0 && error.message[0]));
        good += result == OCT_OK;
        oct_world_destroy(world);
    }
    assert_true(good > rounds / 50 && good < rounds / 2);
    oct_world_destroy(sizes);
}

static oct_result save_with(const oct_allocator *allocator, void *ctx)
{
    const oct_world_extras extras = {.sizes = ctx};
    oct_world *world = NULL;
    oct_error error = {.line = 0};
    save_reader *const save = oct_save_create(&extras, allocator, NULL);
    if (!save) {
        return OCT_ERROR_MEMORY;
    }
    const oct_result result =
        oct_save_feed(save, FULL_SAVE, sizeof FULL_SAVE - 1, true, &world, &error);
    assert_int_equal(result == OCT_OK, world != NULL);
    assert_true(result == OCT_OK || error.message[0]);
    // It has failed for good.
    oct_world *none;
    assert_true(result == OCT_OK ||
                oct_save_feed(save, "", 0, true, &none, NULL) == OCT_ERROR_MEMORY);
    oct_world_destroy(world);
    oct_save_destroy(save);
    return result;
}

static void reading_survives_every_failing_allocation(void **state)
{
    (void)state;
    oct_world *sizes = read_sizes(SIZES);
    assert_true(test_each_failure(save_with, sizes) > 20);
    char text[] = FULL_SAVE;
    assert_true(test_each_failure(decode_with, text) > 20);
    oct_world_destroy(sizes);
}

static void reading_survives_where_expat_has_no_memory(void **state)
{
    (void)state;
    size_t fail_at = 0;
    for (;; fail_at++) {
        reset_expat(fail_at);
        oct_world *world = NULL;
        oct_error error = {.line = 0};
        oct_result result = OCT_ERROR_MEMORY;
        save_reader *const save = oct_save_create(NULL, NULL, &expat_memory);
        if (save) {
            result = oct_save_feed(save, FULL_SAVE, sizeof FULL_SAVE - 1, true, &world, &error);
            assert_true(result == OCT_OK || error.message[0]);
        }
        assert_int_equal(result == OCT_OK, world != NULL);
        oct_world_destroy(world);
        oct_save_destroy(save);
        if (expat.calls <= fail_at) {
            assert_int_equal(result, OCT_OK);
            break;
        }
        assert_int_equal(result, OCT_ERROR_MEMORY);
    }
    assert_true(fail_at > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(harmful_saves_are_refused_soon_and_in_little_memory),
        cmocka_unit_test(long_saves_take_what_their_blocks_do),
        cmocka_unit_test(limits_are_where_they_are_said_to_be),
        cmocka_unit_test(counts_beyond_what_a_world_holds_are_refused),
        cmocka_unit_test(nesting_in_a_pipe_is_refused_at_its_beginning),
        cmocka_unit_test(a_save_cut_anywhere_is_refused),
        cmocka_unit_test(no_change_of_a_save_does_harm),
        cmocka_unit_test(reading_survives_every_failing_allocation),
        cmocka_unit_test(reading_survives_where_expat_has_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
