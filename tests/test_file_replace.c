// SPDX-License-Identifier: MIT
// Replacing files: what is kept of an old one, where links lead, what is refused before anything is
// written, and that nothing but the file itself is left.

// For mkdtemp, symlink and the like.
#define _XOPEN_SOURCE 700

#include "files/files_internal.h"
#include "folder_support.h"
#include "support.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- helpers ----

static int remove_folder(void **state)
{
    char *folder = *state;
    DIR *listing = opendir(folder);
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

static void put_file(const char *path, mode_t mode)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, mode);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "old", 3), 3);
    assert_int_equal(fchmod(fd, mode), 0);
    close(fd);
}

static oct_result fill_new(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    (void)ctx;
    (void)error;
    return write(file, "new!", 4) ? OCT_OK : OCT_ERROR_FILE;
}

static void replace(const char *path)
{
    oct_error error = {.line = 0};
    uint64_t size = 0;
    assert_int_equal(oct_file_check_target(path, &error), OCT_OK);
    if (oct_file_replace(path, fill_new, NULL, &size, &error) != OCT_OK) {
        fail_msg("%s: %s", path, error.message);
    }
    assert_int_equal(size, 4);
}

static void assert_content(const char *path, const char *expected)
{
    size_t size;
    char *const bytes = test_read_file(path, &size);
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(bytes, expected, size);
    free(bytes);
}

static void assert_refused(const char *path, const char *message)
{
    oct_error error = {.line = 0};
    assert_int_equal(oct_file_check_target(path, &error), OCT_ERROR_FILE);
    if (!strstr(error.message, message)) {
        fail_msg("\"%s\" is not in \"%s\"", message, error.message);
    }
    assert_int_equal(oct_file_replace(path, fill_new, NULL, NULL, &error), OCT_ERROR_FILE);
    if (!strstr(error.message, message)) {
        fail_msg("\"%s\" is not in \"%s\"", message, error.message);
    }
}

// ---- tests ----

static void a_new_file_has_the_usual_mode(void **state)
{
    const char *const path = in_folder(state, "new");
    const mode_t mask = umask(027);
    replace(path);
    umask(mask);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 07777, 0640);
    assert_content(path, "new!");
    assert_int_equal(count_files(*state), 1);
}

// Root takes over neither another user's file nor its group.
static void a_replaced_file_keeps_owner_and_mode(void **state)
{
    const char *const path = in_folder(state, "old");
    const bool is_root = geteuid() == 0;
    put_file(path, 0604);
    if (is_root) {
        assert_int_equal(chown(path, 12345, 54321), 0);
        assert_int_equal(chmod(path, 04604), 0);
    }
    replace(path);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 07777, is_root ? 04604 : 0604);
    assert_int_equal(about.st_uid, is_root ? 12345 : geteuid());
    assert_true(!is_root || about.st_gid == 54321);
    assert_content(path, "new!");
    assert_int_equal(count_files(*state), 1);
}

// A link is never replaced: what it names is written, whether that is there or not.
static void links_are_followed_to_files_that_are_not_there(void **state)
{
    assert_int_equal(symlink("second", in_folder(state, "first")), 0);
    assert_int_equal(symlink("file", in_folder(state, "second")), 0);
    for (int i = 0; i < 2; i++) {
        replace(in_folder(state, "first"));
        struct stat about;
        assert_int_equal(lstat(in_folder(state, "first"), &about), 0);
        assert_true(S_ISLNK(about.st_mode));
        assert_int_equal(lstat(in_folder(state, "second"), &about), 0);
        assert_true(S_ISLNK(about.st_mode));
        assert_content(in_folder(state, "file"), "new!");
        assert_int_equal(count_files(*state), 3);
    }
    assert_int_equal(symlink("no/such/folder/file", in_folder(state, "lost")), 0);
    assert_refused(in_folder(state, "lost"), "No such file");
    assert_int_equal(symlink("loop", in_folder(state, "loop")), 0);
    assert_refused(in_folder(state, "loop"), "symbolic links");
}

// However many there are: once a hundred of them made every write fail.
static void drafts_that_crashes_left_are_no_obstacle(void **state)
{
    enum { LEFT = 120 };
    for (int i = 0; i < LEFT; i++) {
        char name[64];
        snprintf(name, sizeof name, "a.tmp%d", i);
        put_file(in_folder(state, name), 0600);
        snprintf(name, sizeof name, ".octant-%ld-%d.tmp", (long)getpid(), i);
        put_file(in_folder(state, name), 0600);
    }
    const char *const path = in_folder(state, "a");
    replace(path);
    replace(path);
    assert_content(path, "new!");
    assert_int_equal(count_files(*state), 2 * LEFT + 1);
}

static void names_may_be_as_long_as_the_system_allows(void **state)
{
    char name[257];
    memset(name, 'n', 255);
    name[255] = '\0';
    replace(in_folder(state, name));
    replace(in_folder(state, name));
    assert_int_equal(count_files(*state), 1);
    name[255] = 'n';
    name[256] = '\0';
    assert_refused(in_folder(state, name), "name too long");
}

static void what_cannot_be_replaced_is_refused_before(void **state)
{
    const char *const folder = in_folder(state, "folder");
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_refused(folder, "not a regular file");
    assert_refused(in_folder(state, "nothing/"), "");
    assert_refused(in_folder(state, "no/such/folder"), "No such file");
    put_file(in_folder(state, "file"), 0600);
    assert_refused(in_folder(state, "file/below"), "Not a directory");
    assert_int_equal(mkfifo(in_folder(state, "fifo"), 0600), 0);
    assert_refused(in_folder(state, "fifo"), "not a regular file");
    if (geteuid() != 0) { // whom nothing forbids
        put_file(in_folder(state, "fixed"), 0400);
        assert_refused(in_folder(state, "fixed"), "Permission denied");
        assert_int_equal(chmod(folder, 0500), 0);
        assert_refused(in_folder(state, "folder/new"), "Permission denied");
    }
    assert_refused("", "No such file");
}

static oct_result fill_half(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    (void)error;
    write(file, "half", 4);
    if (ctx) {
        oct_file_remove_drafts(); // as a handler would, before the process ends
    }
    return OCT_ERROR_MEMORY;
}

static void what_is_not_finished_leaves_nothing(void **state)
{
    const char *const path = in_folder(state, "a");
    put_file(path, 0600);
    for (int i = 0; i < 2; i++) {
        oct_error error;
        assert_int_equal(oct_file_replace(path, fill_half, i > 0 ? state : NULL, NULL, &error),
                         OCT_ERROR_MEMORY);
        assert_content(path, "old");
        assert_int_equal(count_files(*state), 1);
    }
}

#define FOLDER_TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(a_new_file_has_the_usual_mode),
        FOLDER_TEST(a_replaced_file_keeps_owner_and_mode),
        FOLDER_TEST(links_are_followed_to_files_that_are_not_there),
        FOLDER_TEST(drafts_that_crashes_left_are_no_obstacle),
        FOLDER_TEST(names_may_be_as_long_as_the_system_allows),
        FOLDER_TEST(what_cannot_be_replaced_is_refused_before),
        FOLDER_TEST(what_is_not_finished_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
