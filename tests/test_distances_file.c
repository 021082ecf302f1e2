// SPDX-License-Identifier: MIT
// The folder of databases of local distances: made once, mapped then, made anew where a file is
// broken, kept in memory where none can be written, and safe from others who do the same.

// For mkdtemp, fork and the like.
#define _XOPEN_SOURCE 700

#include "distances_support.h"
#include "folder_support.h"

#include "cli/cli_internal.h"
#include "cli/distances_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- helpers ----

static void remove_all(const char *folder)
{
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    for (const struct dirent *entry; (entry = readdir(listing));) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        struct stat about;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            stat(path, &about) == 0) {
            if (S_ISDIR(about.st_mode)) {
                remove_all(path);
            } else {
                assert_int_equal(remove(path), 0);
            }
        }
    }
    closedir(listing);
    assert_int_equal(rmdir(folder), 0);
}

static int remove_folder(void **state)
{
    remove_all(*state);
    free(*state);
    return 0;
}

static oct_distances_def small_def(void)
{
    oct_distances_def def = oct_distances_def_default();
    def.edge = 2;
    return def;
}

static void path_of(const char *folder, const oct_distances_def *def, char out[1024])
{
    char name[DISTANCES_NAME_MAX];
    oct_distances_file_name(def, name);
    snprintf(out, 1024, "%s/%s", folder, name);
}

static void put_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// Loads, and checks where it came from and that it is what oct_distances_create makes. The message
// is `why` exactly, or where that is NULL something.
static void check_load(const char *folder, const oct_distances_def *def, distances_source source,
                       const char *why)
{
    oct_distances *loaded, *made;
    distances_mapping mapping;
    oct_error error;
    assert_int_equal(oct_distances_load(folder, def, &loaded, &mapping, &error), OCT_OK);
    assert_int_equal(mapping.source, source);
    if (why) {
        assert_string_equal(error.message, why);
    } else {
        assert_true(error.message[0] != '\0');
    }
    assert_int_equal(oct_distances_create(def, &made), OCT_OK);
    size_t sizes[2];
    const void *const bytes = oct_distances_bytes(loaded, &sizes[0]);
    const void *const truth = oct_distances_bytes(made, &sizes[1]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes, truth, sizes[0]);
    assert_ptr_equal(mapping.bytes, source == DISTANCES_KEPT ? NULL : bytes);
    if (source != DISTANCES_KEPT) {
        char path[1024];
        path_of(folder, def, path);
        size_t size;
        void *const file = test_read_file(path, &size);
        assert_int_equal(size, sizes[0]);
        assert_memory_equal(file, truth, size);
        free(file);
    }
    oct_distances_destroy(made);
    oct_distances_unload(loaded, &mapping);
    assert_null(mapping.bytes);
}

// ---- tests ----

static void the_first_makes_and_the_others_map(void **state)
{
    for (int i = 0; i < 12; i++) {
        oct_distances_def def = small_def();
        def.edge = 2 + (uint32_t)i % 2;
        def.kind = (oct_distances_kind)(i / 4);
        def.packed = i & 2;
        def.squeeze = i & 1;
        check_load(*state, &def, DISTANCES_RENEWED, "");
        check_load(*state, &def, DISTANCES_MAPPED, "");
        check_load(*state, &def, DISTANCES_MAPPED, "");
        assert_int_equal(count_files(*state), i + 1);
    }
}

static void names_tell_all_that_differs(void **state)
{
    (void)state;
    char names[36][DISTANCES_NAME_MAX];
    for (int i = 0; i < 36; i++) {
        oct_distances_def def = small_def();
        def.edge = 2 + (uint32_t)i % 3;
        def.kind = (oct_distances_kind)(i / 3 % 3);
        def.packed = i / 9 % 2;
        def.squeeze = i / 18;
        oct_distances_file_name(&def, names[i]);
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(names[i], names[j]);
        }
    }
    const oct_distances_def def = oct_distances_def_default();
    oct_distances_file_name(&def, names[0]);
    assert_string_equal(names[0], "distances-v1-4x4-plain-packed.bin");
}

static void broken_files_are_made_anew(void **state)
{
    const oct_distances_def def = small_def();
    char path[1024];
    path_of(*state, &def, path);
    check_load(*state, &def, DISTANCES_RENEWED, "");
    size_t size;
    uint8_t *const bytes = test_read_file(path, &size);

    put_file(path, bytes, 0); // nothing to map
    check_load(*state, &def, DISTANCES_RENEWED, "");
    put_file(path, bytes, size - 8);
    check_load(*state, &def, DISTANCES_RENEWED, NULL);
    put_file(path, "garbage", 7);
    check_load(*state, &def, DISTANCES_RENEWED, NULL);
    bytes[size / 2] ^= 4;
    put_file(path, bytes, size);
    check_load(*state, &def, DISTANCES_RENEWED, "damaged: the checksum is wrong");
    check_load(*state, &def, DISTANCES_MAPPED, "");
    free(bytes);
    assert_int_equal(count_files(*state), 1);
}

static void sound_files_of_something_else_are_replaced(void **state)
{
    const oct_distances_def def = small_def();
    oct_distances_def others[4] = {def, def, def, def};
    others[0].edge = 3;
    others[1].kind = OCT_DISTANCES_SEMI;
    others[2].packed = false;
    others[3].squeeze = true;
    char path[1024], wrong[1024];
    path_of(*state, &def, path);
    for (int i = 0; i < 4; i++) {
        path_of(*state, &others[i], wrong);
        check_load(*state, &others[i], DISTANCES_RENEWED, "");
        assert_int_equal(rename(wrong, path), 0);
        check_load(*state, &def, DISTANCES_RENEWED, "a database of something else");
    }
    assert_int_equal(count_files(*state), 1);
}

static void folders_are_made(void **state)
{
    const oct_distances_def def = small_def();
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/one/two/three", (const char *)*state);
    check_load(folder, &def, DISTANCES_RENEWED, "");
    check_load(folder, &def, DISTANCES_MAPPED, "");
}

static void what_cannot_be_written_is_kept_in_memory(void **state)
{
    const oct_distances_def def = small_def();
    check_load(NULL, &def, DISTANCES_KEPT, "");
    // A file is no folder, whoever asks.
    char path[1024], below[1100];
    path_of(*state, &def, path);
    put_file(path, "x", 1);
    snprintf(below, sizeof below, "%s/below", path);
    check_load(path, &def, DISTANCES_KEPT, NULL);
    check_load(below, &def, DISTANCES_KEPT, NULL);
    // A folder is no file.
    assert_int_equal(remove(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    check_load(*state, &def, DISTANCES_KEPT, "cannot replace what is not a regular file");
}

static void wrong_definitions_are_refused(void **state)
{
    oct_distances_def defs[4] = {small_def(), small_def(), small_def(), small_def()};
    defs[0].edge = UINT32_MAX;
    defs[1].kind = OCT_DISTANCES_KIND_COUNT;
    defs[2].cookie = 0;
    defs[3].edge = 5;
    for (int i = 0; i < 4; i++) {
        oct_distances *d = (oct_distances *)&defs[i];
        distances_mapping mapping;
        oct_error error;
        assert_int_equal(oct_distances_load(*state, &defs[i], &d, &mapping, &error),
                         OCT_ERROR_ARGUMENT);
        assert_null(d);
        assert_null(mapping.bytes);
        assert_true(error.message[0] != '\0');
        oct_distances_unload(d, &mapping);
    }
    assert_int_equal(count_files(*state), 0);
}

// Where memory is short a database that was made may still be there; one to be mapped is not.
static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    for (int mapped = 0; mapped < 2; mapped++) {
        oct_distances_def def = small_def();
        char path[1024];
        path_of(*state, &def, path);
        for (size_t n = 0;; n++) {
            if (!mapped) {
                remove(path);
            }
            test_allocator memory;
            test_allocator_init(&memory, n);
            def.allocator = &memory.allocator;
            oct_distances *d;
            distances_mapping mapping;
            oct_error error;
            const oct_result result = oct_distances_load(*state, &def, &d, &mapping, &error);
            assert_true(result == OCT_OK || (result == OCT_ERROR_MEMORY && memory.refused));
            assert_true(!mapped || memory.refused == (result != OCT_OK));
            assert_true((result == OCT_OK) == (d != NULL));
            assert_true(!memory.refused || error.message[0] != '\0');
            oct_distances_unload(d, &mapping);
            test_allocator_check_empty(&memory);
            if (!memory.refused) {
                assert_true(n >= (mapped ? 2 : 6));
                break;
            }
        }
        assert_int_equal(count_files(*state), 1);
    }
}

static void processes_do_not_disturb_each_other(void **state)
{
    enum { PROCESSES = 4 };
    oct_distances_def def = small_def();
    def.edge = 3;
    def.kind = OCT_DISTANCES_FULL;
    def.packed = false;
    char path[1024];
    path_of(*state, &def, path);
    for (int round = 0; round < 8; round++) {
        remove(path);
        pid_t children[PROCESSES];
        for (int i = 0; i < PROCESSES; i++) {
            children[i] = fork();
            assert_true(children[i] >= 0);
            if (children[i] == 0) {
                oct_distances *d;
                distances_mapping mapping;
                const oct_result result = oct_distances_load(*state, &def, &d, &mapping, NULL);
                _exit(result == OCT_OK && mapping.source != DISTANCES_KEPT ? 0 : 1);
            }
        }
        for (int i = 0; i < PROCESSES; i++) {
            int status;
            assert_int_equal(waitpid(children[i], &status, 0), children[i]);
            assert_int_equal(status, 0);
        }
        check_load(*state, &def, DISTANCES_MAPPED, "");
        assert_int_equal(count_files(*state), 1);
    }
}

static void the_command_knows_where_its_cache_is(void **state)
{
    (void)state;
    char folder[64];
    unsetenv("OCTANT_CACHE");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    assert_false(oct_cli_cache_folder(folder, sizeof folder));
    setenv("HOME", "/home/someone", 1);
    assert_true(oct_cli_cache_folder(folder, sizeof folder));
    assert_string_equal(folder, "/home/someone/.cache/octant");
    assert_false(oct_cli_cache_folder(folder, strlen("/home/someone/.cache/octant")));
    setenv("XDG_CACHE_HOME", "not/absolute", 1);
    assert_true(oct_cli_cache_folder(folder, sizeof folder));
    assert_string_equal(folder, "/home/someone/.cache/octant");
    setenv("XDG_CACHE_HOME", "/cache", 1);
    assert_true(oct_cli_cache_folder(folder, sizeof folder));
    assert_string_equal(folder, "/cache/octant");
    setenv("OCTANT_CACHE", "", 1);
    assert_true(oct_cli_cache_folder(folder, sizeof folder));
    assert_string_equal(folder, "/cache/octant");
    setenv("OCTANT_CACHE", "here", 1);
    assert_true(oct_cli_cache_folder(folder, sizeof folder));
    assert_string_equal(folder, "here");
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(the_first_makes_and_the_others_map),
        cmocka_unit_test(names_tell_all_that_differs),
        IN_FOLDER(broken_files_are_made_anew),
        IN_FOLDER(sound_files_of_something_else_are_replaced),
        IN_FOLDER(folders_are_made),
        IN_FOLDER(what_cannot_be_written_is_kept_in_memory),
        IN_FOLDER(wrong_definitions_are_refused),
        IN_FOLDER(running_out_of_memory_leaves_nothing_behind),
        IN_FOLDER(processes_do_not_disturb_each_other),
        cmocka_unit_test(the_command_knows_where_its_cache_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
