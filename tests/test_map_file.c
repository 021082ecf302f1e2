// SPDX-License-Identifier: MIT
// Map files: they come back as they were, damage of any byte is found, lies about sizes take no
// memory, and a file that cannot be written whole is not touched.

// For mkdtemp, setrlimit and the like.
#define _XOPEN_SOURCE 700

#include "folder_support.h"
#include "format_support.h"
#include "octant/formats.h"
#include "octant/tree.h"

#include "files/files_internal.h"
#include "valid.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

// ---- helpers ----

// Whatever a test leaves behind goes with the folder.
static int remove_folder(void **state)
{
    char *folder = *state;
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    for (const struct dirent *entry; (entry = readdir(listing));) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        remove(path);
    }
    closedir(listing);
    assert_int_equal(rmdir(folder), 0);
    free(folder);
    return 0;
}

static void put_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static oct_tree *random_world(uint64_t seed, uint32_t dims, int edits)
{
    oct_random random = oct_random_seed(seed);
    oct_tree *tree = new_tree(dims);
    const oct_box within = {{-60, -60, -60}, {60, 60, 60}};
    mark_random(&random, tree, within, 20, OCT_MARK_COUNT, edits);
    return tree;
}

static oct_tree *load(const char *path, const char *expected_kind)
{
    const oct_tree_def def = oct_tree_def_default();
    oct_tree *tree;
    oct_tree_info info;
    const char *kind;
    oct_error error;
    if (oct_tree_load(path, &def, &tree, &info, &kind, &error) != OCT_OK) {
        fail_msg("not loaded: %s", error.message);
    }
    assert_string_equal(kind, expected_kind);
    return tree;
}

static void assert_not_loaded(const char *path, oct_result expected, const char *message)
{
    const oct_tree_def def = oct_tree_def_default();
    oct_tree *tree;
    oct_error error;
    assert_int_equal(oct_tree_load(path, &def, &tree, NULL, NULL, &error), expected);
    assert_null(tree);
    if (!strstr(error.message, message)) {
        fail_msg("\"%s\" is not in \"%s\"", message, error.message);
    }
    assert_int_equal(oct_tree_load(path, &def, &tree, NULL, NULL, NULL), expected);
}

static void assert_not_decoded(const uint8_t *data, size_t size, const char *message)
{
    const oct_tree_def def = oct_tree_def_default();
    oct_tree *tree;
    oct_error error;
    assert_int_equal(oct_map_file_decode(data, size, &def, &tree, NULL, &error), OCT_ERROR_FORMAT);
    assert_null(tree);
    if (!strstr(error.message, message)) {
        fail_msg("\"%s\" is not in \"%s\"", message, error.message);
    }
}

static oct_array encoded(const oct_tree *tree)
{
    const oct_allocator heap = oct_allocator_default();
    const oct_tree_info info = oct_tree_info_default();
    oct_array out = {0};
    assert_int_equal(oct_map_file_encode(tree, &info, &heap, &out, NULL), OCT_OK);
    return out;
}

static void drop(oct_array *bytes)
{
    const oct_allocator heap = oct_allocator_default();
    oct_array_free(bytes, &heap, 1);
}

static void store(uint8_t *at, uint64_t value, int count)
{
    for (int i = 0; i < count; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

// A map file with a right checksum around any compressed bytes and any stated size of content.
static uint8_t *forge(const void *packed, size_t packed_size, uint64_t content, size_t *size)
{
    *size = OCT_MAP_FILE_HEADER + packed_size;
    uint8_t *file = calloc(1, *size);
    assert_non_null(file);
    memcpy(file, "\x89OCT\r\n\x1a\n", 8);
    store(file + 8, 1, 4);
    store(file + 16, content, 8);
    store(file + 24, packed_size, 8);
    memcpy(file + OCT_MAP_FILE_HEADER, packed, packed_size);
    store(file + OCT_MAP_FILE_CHECKSUM, oct_map_file_checksum(file, *size), 8);
    return file;
}

// ---- bytes ----

static void map_files_come_back_exactly(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 40; round++) {
        oct_tree *tree = random_world(round, round % 2 ? 2 : 3, (int)round * 3);
        oct_array bytes = encoded(tree);
        const oct_tree_def def = oct_tree_def_default();
        oct_tree *back;
        assert_int_equal(oct_map_file_decode(bytes.items, bytes.count, &def, &back, NULL, NULL),
                         OCT_OK);
        assert_true(oct_tree_is_valid(back));
        assert_same_tree(tree, back);
        drop(&bytes);
        oct_tree_destroy(back);
        oct_tree_destroy(tree);
    }
}

static void a_change_of_any_bit_is_found(void **state)
{
    (void)state;
    oct_tree *tree = random_world(1, 3, 5);
    oct_array bytes = encoded(tree);
    uint8_t *data = bytes.items;
    for (size_t i = 0; i < bytes.count * 8; i++) {
        data[i / 8] ^= (uint8_t)(1u << i % 8);
        assert_not_decoded(data, bytes.count, "");
        data[i / 8] ^= (uint8_t)(1u << i % 8);
    }
    drop(&bytes);
    oct_tree_destroy(tree);
}

static void a_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    oct_tree *tree = random_world(2, 2, 5);
    oct_array bytes = encoded(tree);
    for (size_t size = 0; size < bytes.count; size++) {
        uint8_t *copy = malloc(size ? size : 1);
        assert_non_null(copy);
        memcpy(copy, bytes.items, size);
        assert_not_decoded(copy, size, size < OCT_MAP_FILE_HEADER ? "" : "should follow");
        free(copy);
    }
    drop(&bytes);
    oct_tree_destroy(tree);
}

static void other_versions_and_flags_are_refused(void **state)
{
    (void)state;
    oct_tree *tree = random_world(3, 3, 5);
    oct_array bytes = encoded(tree);
    uint8_t *data = bytes.items;
    data[8] = 2;
    store(data + OCT_MAP_FILE_CHECKSUM, oct_map_file_checksum(data, bytes.count), 8);
    assert_not_decoded(data, bytes.count, "version 2 is not known");
    data[8] = 1;
    data[13] = 1;
    store(data + OCT_MAP_FILE_CHECKSUM, oct_map_file_checksum(data, bytes.count), 8);
    assert_not_decoded(data, bytes.count, "flags");
    drop(&bytes);
    oct_tree_destroy(tree);
}

static void a_lying_size_takes_no_memory(void **state)
{
    (void)state;
    oct_tree *tree = random_world(4, 3, 5);
    const oct_tree_info info = oct_tree_info_default();
    const output content = written(OCT_FORMAT_TREE, tree, &info);
    uint8_t packed[8192];
    const size_t packed_size = ZSTD_compress(packed, sizeof packed, content.data, content.size, 3);
    assert_false(ZSTD_isError(packed_size));
    static const struct {
        uint64_t content;
        const char *message;
    } lies[] = {{UINT64_MAX, "more than the limit"},
                {(UINT64_C(1) << 31) + 1, "more than the limit"},
                {UINT64_C(1) << 31, "not one zstd frame"},
                {0, "more content than the header says"}};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        size_t size;
        uint8_t *file = forge(packed, packed_size, lies[i].content, &size);
        assert_not_decoded(file, size, lies[i].message);
        test_allocator memory;
        test_allocator_init(&memory, TEST_NEVER);
        oct_tree_def def = oct_tree_def_default();
        def.allocator = &memory.allocator;
        oct_tree *none;
        assert_int_equal(oct_map_file_decode(file, size, &def, &none, NULL, NULL),
                         OCT_ERROR_FORMAT);
        assert_true(memory.peak_bytes <= 1u << 16);
        test_allocator_check_empty(&memory);
        free(file);
    }
    free(content.data);
    oct_tree_destroy(tree);
}

static void more_than_was_said_stops_at_what_was_said(void **state)
{
    (void)state;
    enum { BOMB = 64 << 20 };
    void *zeros = calloc(1, BOMB);
    assert_non_null(zeros);
    uint8_t packed[65536];
    const size_t packed_size = ZSTD_compress(packed, sizeof packed, zeros, BOMB, 3);
    assert_false(ZSTD_isError(packed_size));
    free(zeros);
    size_t size;
    uint8_t *file = forge(packed, packed_size, 1000, &size);
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_tree_def def = oct_tree_def_default();
    def.allocator = &memory.allocator;
    oct_tree *none;
    oct_error error;
    assert_int_equal(oct_map_file_decode(file, size, &def, &none, NULL, &error), OCT_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "more content"));
    assert_true(memory.peak_bytes <= 1000);
    free(file);
}

// A zstd frame of so many zeros behind a few bytes; the caller frees it.
static uint8_t *pack_zeros(const void *first, size_t first_size, uint64_t zeros, int window_log,
                           size_t *size)
{
    enum { PART = 1 << 20, ROOM = 1 << 17 };
    void *const part = calloc(1, PART);
    uint8_t *const packed = malloc(ROOM);
    ZSTD_CCtx *const zstd = ZSTD_createCCtx();
    assert_true(part && packed && zstd);
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, window_log);
    ZSTD_outBuffer to = {packed, ROOM, 0};
    ZSTD_inBuffer in = {first, first_size, 0};
    assert_false(ZSTD_isError(ZSTD_compressStream2(zstd, &to, &in, ZSTD_e_continue)));
    for (uint64_t done = 0; done < zeros; done += PART) {
        in = (ZSTD_inBuffer){part, PART, 0};
        assert_false(ZSTD_isError(ZSTD_compressStream2(zstd, &to, &in, ZSTD_e_continue)));
        assert_true(in.pos == in.size);
    }
    assert_int_equal(ZSTD_endStream(zstd, &to), 0);
    ZSTD_freeCCtx(zstd);
    free(part);
    *size = to.pos;
    return packed;
}

// Small files whose content is huge, and which do not lie about it: they are refused where the tree
// goes wrong, and nothing of the rest is ever there.
static void what_unpacks_to_gigabytes_takes_no_memory(void **state)
{
    (void)state;
    oct_tree *const tree = random_world(4, 3, 5);
    const oct_tree_info info = oct_tree_info_default();
    const output whole = written(OCT_FORMAT_TREE, tree, &info);
    const struct {
        size_t first; // bytes of a true tree
        int window_log;
        const char *message;
    } bombs[] = {{0, 0, "not an Octant tree"},
                 {124, 0, ""}, // the nodes that zeros are
                 {whole.size, 0, "the data go on after the tree"},
                 {0, 27, "zstd: "}};
    const uint64_t zeros = UINT64_C(512) << 20;
    for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++) {
        size_t packed_size, size;
        uint8_t *const packed =
            pack_zeros(whole.data, bombs[i].first, zeros, bombs[i].window_log, &packed_size);
        assert_true(packed_size < 70000);
        uint8_t *const file = forge(packed, packed_size, zeros + bombs[i].first, &size);
        test_allocator memory;
        test_allocator_init(&memory, TEST_NEVER);
        oct_tree_def def = oct_tree_def_default();
        def.allocator = &memory.allocator;
        oct_tree *none;
        oct_error error;
        assert_int_equal(oct_map_file_decode(file, size, &def, &none, NULL, &error),
                         OCT_ERROR_FORMAT);
        assert_non_null(strstr(error.message, bombs[i].message));
        assert_true(memory.peak_bytes < (1u << 17));
        test_allocator_check_empty(&memory);
        free(file);
        free(packed);
    }
    free(whole.data);
    oct_tree_destroy(tree);
}

// A file is refused with no more memory than its first bytes take.
static void assert_refused_at_once(const char *path, const char *message)
{
    test_allocator memory;
    test_allocator_init(&memory, TEST_NEVER);
    oct_tree_def def = oct_tree_def_default();
    def.allocator = &memory.allocator;
    oct_tree *none;
    oct_error error = {.line = 0};
    assert_int_equal(oct_tree_load(path, &def, &none, NULL, NULL, &error), OCT_ERROR_FORMAT);
    assert_null(none);
    assert_true(error.message[0] != '\0' && strstr(error.message, message));
    assert_true(memory.peak_bytes <= 4096);
    test_allocator_check_empty(&memory);
}

// The first bytes decide: a device that never ends is refused after them, whatever its name.
static void endless_files_are_refused_by_their_first_bytes(void **state)
{
    static const char *const names[] = {"zero", "zero.map", "zero.3dmap", "zero.bt", "zero.octant"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *const path = in_folder(state, names[i]);
        assert_int_equal(symlink("/dev/zero", path), 0);
        assert_refused_at_once(path, "");
        assert_int_equal(unlink(path), 0);
    }
}

// A sparse file takes no room on a disk, but would take it in memory.
static void large_text_is_refused_before_it_is_read(void **state)
{
    static const char *const starts[] = {"voxel 5 5 5\n", "type octile\nheight 5\nwidth 5\nmap\n",
                                         "# Octomap OcTree binary file\n"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        const char *const path = in_folder(state, "sparse");
        FILE *const out = fopen(path, "w");
        assert_non_null(out);
        assert_true(fputs(starts[i], out) >= 0);
        assert_int_equal(fclose(out), 0);
        assert_int_equal(truncate(path, (off_t)3 << 30), 0);
        assert_refused_at_once(path, "at most 1 GiB");
    }
}

static void only_one_whole_frame_is_accepted(void **state)
{
    (void)state;
    oct_tree *tree = random_world(5, 3, 5);
    const oct_tree_info info = oct_tree_info_default();
    const output content = written(OCT_FORMAT_TREE, tree, &info);
    uint8_t packed[8192];
    const size_t one = ZSTD_compress(packed, 4096, content.data, content.size, 3);
    const size_t two = one + ZSTD_compress(packed + one, 4096, "x", 1, 3);
    assert_false(ZSTD_isError(one) || ZSTD_isError(two));
    const size_t sizes[] = {two, one - 1, 1, 0};
    for (size_t i = 0; i < 4; i++) {
        size_t size;
        uint8_t *file = forge(packed, sizes[i], content.size, &size);
        assert_not_decoded(file, size, i == 0 ? "not one zstd frame" : "end too early");
        free(file);
    }
    size_t size;
    uint8_t *file = forge("no frame at all", 15, content.size, &size);
    assert_not_decoded(file, size, "zstd: ");
    free(file);
    free(content.data);
    oct_tree_destroy(tree);
}

static oct_result decode_with(const oct_allocator *allocator, void *ctx)
{
    const oct_array *bytes = ctx;
    oct_tree_def def = oct_tree_def_default();
    def.allocator = allocator;
    oct_tree *tree;
    oct_error error;
    const oct_result result =
        oct_map_file_decode(bytes->items, bytes->count, &def, &tree, NULL, &error);
    assert_true((result == OCT_OK) == (tree != NULL));
    assert_true(result == OCT_OK || error.message[0]);
    oct_tree_destroy(tree);
    return result;
}

static oct_result encode_with(const oct_allocator *allocator, void *ctx)
{
    const oct_tree_info info = oct_tree_info_default();
    oct_array out = {0};
    oct_error error;
    const oct_result result = oct_map_file_encode(ctx, &info, allocator, &out, &error);
    assert_true(result == OCT_OK || (out.count == 0 && error.message[0]));
    oct_array_free(&out, allocator, 1);
    return result;
}

static void both_ways_survive_every_failing_allocation(void **state)
{
    (void)state;
    oct_tree *tree = random_world(6, 3, 4000);
    oct_array bytes = encoded(tree);
    assert_true(bytes.count > 1u << 16);
    assert_true(test_each_failure(decode_with, &bytes) > 4);
    assert_true(test_each_failure(encode_with, tree) > 1);
    drop(&bytes);
    oct_tree_destroy(tree);
}

// ---- files ----

static void every_kind_is_saved_and_loaded(void **state)
{
    static const struct {
        const char *name, *kind;
        uint32_t dims;
    } files[] = {
        {"a.octant", "octant", 3}, {"b.octant", "octant", 2}, {"a.3dmap", "3dmap", 3},
        {"a.map", "map", 2},       {"a.bt", "bt", 3},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        oct_tree *tree = new_tree(files[i].dims);
        oct_tree_info info = oct_tree_info_default();
        info.box = (oct_box){{0, 0, 0}, {19, 23, 17}};
        oct_tree_set_box(tree, info.box, OCT_MARK_OPEN);
        oct_tree_set_box(tree, (oct_box){{3, 4, 5}, {9, 23, 8}}, OCT_MARK_BLOCKED);
        const char *path = in_folder(state, files[i].name);
        uint64_t size;
        oct_error error;
        assert_int_equal(oct_tree_save(path, tree, &info, &size, &error), OCT_OK);
        struct stat about;
        assert_int_equal(stat(path, &about), 0);
        assert_int_equal(about.st_size, size);
        oct_tree *back = load(path, files[i].kind);
        assert_same_tree(tree, back);
        oct_tree_destroy(back);
        oct_tree_destroy(tree);
    }
    assert_int_equal(count_files(*state), 5);
}

static void first_bytes_count_more_than_names(void **state)
{
    oct_tree *tree = random_world(7, 3, 9);
    const oct_tree_info info = oct_tree_info_default();
    assert_int_equal(oct_tree_save(in_folder(state, "a.octant"), tree, &info, NULL, NULL), OCT_OK);
    static const char *const names[] = {"a.bt", "a.3dmap", "a.txt", "a"};
    const char *last = "a.octant";
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(rename(in_folder(state, last), in_folder(state, names[i])), 0);
        oct_tree *back = load(in_folder(state, names[i]), "octant");
        assert_same_tree(tree, back);
        oct_tree_destroy(back);
        last = names[i];
    }
    oct_tree_destroy(tree);
    put_file(in_folder(state, "b.map"), "voxel 2 2 2\n0 0 0\n", 18);
    oct_tree_destroy(load(in_folder(state, "b.map"), "3dmap"));
}

static void what_cannot_be_loaded_is_named(void **state)
{
    assert_not_loaded(in_folder(state, "none.bt"), OCT_ERROR_FILE, "No such file");
    assert_not_loaded(*state, OCT_ERROR_FILE, "directory");
    put_file(in_folder(state, "empty.octant"), "", 0);
    assert_not_loaded(in_folder(state, "empty.octant"), OCT_ERROR_FORMAT, "the file is empty");
    put_file(in_folder(state, "notes.txt"), "hello\n", 6);
    assert_not_loaded(in_folder(state, "notes.txt"), OCT_ERROR_FORMAT, "not a map");
    put_file(in_folder(state, "notes"), "hello\n", 6);
    assert_not_loaded(in_folder(state, "notes"), OCT_ERROR_FORMAT, "not a map");
    // The extension chooses whose error it is.
    put_file(in_folder(state, "x.octant"), "hello\n", 6);
    assert_not_loaded(in_folder(state, "x.octant"), OCT_ERROR_FORMAT, "not an Octant map file");
    put_file(in_folder(state, "x.3dmap"), "hello\n", 6);
    assert_not_loaded(in_folder(state, "x.3dmap"), OCT_ERROR_FORMAT, "`voxel W H D`");
    // A hole of 5 GiB; some file systems have none.
    if (truncate(in_folder(state, "x.octant"), (off_t)5 << 30) == 0) {
        assert_not_loaded(in_folder(state, "x.octant"), OCT_ERROR_FILE, "larger than 4 GiB");
    }
    if (geteuid() != 0) {
        chmod(in_folder(state, "x.3dmap"), 0);
        assert_not_loaded(in_folder(state, "x.3dmap"), OCT_ERROR_FILE, "Permission denied");
    }
}

static void kinds_go_by_the_last_extension(void **state)
{
    (void)state;
    assert_string_equal(oct_map_kind("a.octant"), "octant");
    assert_string_equal(oct_map_kind("maps/v1.2/a.b.3dmap"), "3dmap");
    assert_string_equal(oct_map_kind(".map"), "map");
    assert_null(oct_map_kind("maps.bt/a"));
    assert_null(oct_map_kind("a.octant~"));
    assert_null(oct_map_kind("octant"));
    assert_null(oct_map_kind(""));
}

// Tries to replace a file in a way that must fail; the old one and nothing else must be left.
static void assert_not_saved(const char *folder, const char *path, const oct_tree *tree,
                             const oct_tree_info *info, oct_result expected, const char *message)
{
    oct_error error;
    assert_int_equal(oct_tree_save(path, tree, info, NULL, &error), expected);
    if (!strstr(error.message, message)) {
        fail_msg("\"%s\" is not in \"%s\"", message, error.message);
    }
    assert_int_equal(oct_tree_save(path, tree, info, NULL, NULL), expected);
    assert_int_equal(count_files(folder), 1);
    size_t size;
    char *old = test_read_file(path, &size);
    assert_int_equal(size, 3);
    assert_memory_equal(old, "old", 3);
    free(old);
}

static void a_map_that_does_not_fit_leaves_the_old_file(void **state)
{
    oct_tree *tree = random_world(8, 3, 9);
    oct_tree_info info = oct_tree_info_default();
    info.box = (oct_box){{-900, 0, 0}, {900, 9, 9}};
    const char *path = in_folder(state, "a.3dmap");
    put_file(path, "old", 3);
    assert_not_saved(*state, path, tree, &info, OCT_ERROR_FORMAT, "UNKNOWN");
    assert_int_equal(rename(path, in_folder(state, "a.map")), 0);
    assert_not_saved(*state, in_folder(state, "a.map"), tree, &info, OCT_ERROR_ARGUMENT,
                     "dimensions");
    oct_tree_destroy(tree);
}

// A limit on the size of files stands in for a full disk.
static void a_full_disk_leaves_the_old_file(void **state)
{
    oct_tree *tree = random_world(9, 3, 3000);
    const oct_tree_info info = oct_tree_info_default();
    const char *path = in_folder(state, "a.octant");
    put_file(path, "old", 3);
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit small = {1000, before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    oct_error error;
    const oct_result result = oct_tree_save(path, tree, &info, NULL, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(result, OCT_ERROR_FILE);
    assert_non_null(strstr(error.message, "cannot write: File too large"));
    assert_int_equal(count_files(*state), 1);
    assert_int_equal(oct_tree_save(path, tree, &info, NULL, &error), OCT_OK);
    assert_int_equal(count_files(*state), 1);
    oct_tree_destroy(tree);
}

static void only_regular_files_are_replaced(void **state)
{
    oct_tree *tree = random_world(10, 3, 9);
    const oct_tree_info info = oct_tree_info_default();
    oct_error error;
    const char *folder = in_folder(state, "folder.octant");
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_int_equal(oct_tree_save(folder, tree, &info, NULL, &error), OCT_ERROR_FILE);
    assert_non_null(strstr(error.message, "not a regular file"));
    assert_int_equal(
        oct_tree_save(in_folder(state, "no/such/folder.bt"), tree, &info, NULL, &error),
        OCT_ERROR_FILE);
    assert_non_null(strstr(error.message, "No such file"));
    assert_int_equal(oct_tree_save(in_folder(state, "a.txt"), tree, &info, NULL, &error),
                     OCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, ".octant, .3dmap, .map, .bt or .obj"));
    assert_int_equal(count_files(*state), 1);
    oct_tree_destroy(tree);
}

static void replacing_keeps_mode_and_link(void **state)
{
    oct_tree *tree = random_world(11, 3, 9);
    const oct_tree_info info = oct_tree_info_default();
    const char *target = in_folder(state, "real.octant"), *link = in_folder(state, "link.octant");
    put_file(target, "old", 3);
    assert_int_equal(chmod(target, 0640), 0);
    assert_int_equal(symlink("real.octant", link), 0);
    assert_int_equal(oct_tree_save(link, tree, &info, NULL, NULL), OCT_OK);
    struct stat about;
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(stat(target, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    oct_tree *back = load(target, "octant");
    assert_same_tree(tree, back);
    oct_tree_destroy(back);
    oct_tree_destroy(tree);
}

static oct_result load_with(const oct_allocator *allocator, void *ctx)
{
    const char *path = ctx;
    oct_tree_def def = oct_tree_def_default();
    def.allocator = allocator;
    oct_tree *tree;
    oct_error error;
    const oct_result result = oct_tree_load(path, &def, &tree, NULL, NULL, &error);
    assert_true((result == OCT_OK) == (tree != NULL));
    assert_true(result == OCT_OK || error.message[0]);
    oct_tree_destroy(tree);
    return result;
}

static void loading_survives_every_failing_allocation(void **state)
{
    oct_tree *tree = random_world(13, 3, 9);
    const oct_tree_info info = oct_tree_info_default();
    static const char *const names[] = {"a.octant", "a.bt"};
    for (size_t i = 0; i < 2; i++) {
        char *path = in_folder(state, names[i]);
        assert_int_equal(oct_tree_save(path, tree, &info, NULL, NULL), OCT_OK);
        assert_true(test_each_failure(load_with, path) > 3);
    }
    oct_tree_destroy(tree);
}

#define FOLDER_TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map_files_come_back_exactly),
        cmocka_unit_test(a_change_of_any_bit_is_found),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(other_versions_and_flags_are_refused),
        cmocka_unit_test(a_lying_size_takes_no_memory),
        cmocka_unit_test(more_than_was_said_stops_at_what_was_said),
        cmocka_unit_test(what_unpacks_to_gigabytes_takes_no_memory),
        FOLDER_TEST(endless_files_are_refused_by_their_first_bytes),
        FOLDER_TEST(large_text_is_refused_before_it_is_read),
        cmocka_unit_test(only_one_whole_frame_is_accepted),
        cmocka_unit_test(both_ways_survive_every_failing_allocation),
        FOLDER_TEST(every_kind_is_saved_and_loaded),
        FOLDER_TEST(first_bytes_count_more_than_names),
        FOLDER_TEST(what_cannot_be_loaded_is_named),
        cmocka_unit_test(kinds_go_by_the_last_extension),
        FOLDER_TEST(a_map_that_does_not_fit_leaves_the_old_file),
        FOLDER_TEST(a_full_disk_leaves_the_old_file),
        FOLDER_TEST(only_regular_files_are_replaced),
        FOLDER_TEST(replacing_keeps_mode_and_link),
        FOLDER_TEST(loading_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
