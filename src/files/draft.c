// SPDX-License-Identifier: MIT
// Replacing a file at once. The new content is written beside the old file and takes its name when
// it is whole and on the disk.
//
// Where the file system allows it, the content has no name until then (O_TMPFILE): whatever ends
// the process leaves nothing behind. Elsewhere it has a name of its own, which is kept in a list
// for those who handle signals.

// For O_TMPFILE.
#define _GNU_SOURCE

#include "files/files_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40    // symbolic links that are followed, as many as the kernel does
#define NAMES_MAX 10000 // tried, where a crash or another writer has taken some
#define LISTED_MAX 320  // more than the command has threads

typedef struct draft {
    char *target;    // with links followed
    char *folder;    // that it is in
    char *temporary; // NULL where the content has no name
    int fd;
    bool replaces;   // there was a file when it was opened
    struct stat old; // what is known of that
    uint64_t size;
    int code; // errno of a write that failed, or 0
} draft;

// ---- names that a signal must not leave behind ----

// Whoever takes a name out of the list owns it: the draft, or a handler that ends the process.
static _Atomic(char *) listed[LISTED_MAX];

static void list_name(char *name)
{
    for (size_t i = 0; i < LISTED_MAX; i++) {
        char *empty = NULL;
        if (atomic_compare_exchange_strong(&listed[i], &empty, name)) {
            return;
        }
    }
}

static void unlist_name(const char *name)
{
    for (size_t i = 0; i < LISTED_MAX; i++) {
        char *expected = atomic_load(&listed[i]);
        if (expected == name && atomic_compare_exchange_strong(&listed[i], &expected, NULL)) {
            return;
        }
    }
}

void oct_file_remove_drafts(void)
{
    for (size_t i = 0; i < LISTED_MAX; i++) {
        const char *const name = atomic_exchange(&listed[i], NULL);
        if (name) {
            unlink(name);
        }
    }
}

// ---- the target ----

// The folder of a path, as the system would look for it; NULL where memory is short.
static char *folder_of(const char *path)
{
    const char *const slash = strrchr(path, '/');
    const size_t length = !slash ? 1 : slash == path ? 1 : (size_t)(slash - path);
    char *const out = malloc(length + 1);
    if (out) {
        memcpy(out, slash ? path : ".", length);
        out[length] = '\0';
    }
    return out;
}

// What a symbolic link names, seen from where it is; NULL, with errno, where that fails.
static char *follow(const char *link)
{
    char name[PATH_MAX];
    const ssize_t length = readlink(link, name, sizeof name);
    if (length < 0 || (size_t)length == sizeof name) {
        errno = length < 0 ? errno : ENAMETOOLONG;
        return NULL;
    }
    const char *const slash = strrchr(link, '/');
    const size_t before = name[0] != '/' && slash ? (size_t)(slash - link) + 1 : 0;
    char *const out = malloc(before + (size_t)length + 1);
    if (out) {
        memcpy(out, link, before);
        memcpy(out + before, name, (size_t)length);
        out[before + (size_t)length] = '\0';
    }
    return out;
}

// The file that a path stands for, whether it exists or not; NULL, with errno, where that fails.
static char *resolve(const char *path)
{
    char *at = strdup(path);
    struct stat about;
    for (int i = 0; at && lstat(at, &about) == 0 && S_ISLNK(about.st_mode); i++) {
        char *const next = i < LINKS_MAX ? follow(at) : NULL;
        if (i == LINKS_MAX) {
            errno = ELOOP;
        }
        free(at);
        at = next;
    }
    return at;
}

static oct_result refuse_target(oct_error *error, const char *message)
{
    oct_error_set(error, 0, 0, 0, "%s", message);
    return OCT_ERROR_FILE;
}

// Whether what is there, or is not, can be replaced.
static oct_result check_old(draft *file, oct_error *error)
{
    const char *const slash = strrchr(file->target, '/');
    file->replaces = stat(file->target, &file->old) == 0;
    if (!file->replaces && errno != ENOENT) {
        return oct_io_refuse(error, "cannot write", errno);
    }
    if (file->replaces && !S_ISREG(file->old.st_mode)) {
        return refuse_target(error, "cannot replace what is not a regular file");
    }
    const char *const name = slash ? slash + 1 : file->target;
    if (!file->replaces && name[0] == '\0') {
        return oct_io_refuse(error, "cannot write", slash ? EISDIR : ENOENT);
    }
    if (file->replaces && access(file->target, W_OK) != 0) {
        return oct_io_refuse(error, "cannot replace the file", errno);
    }
    return access(file->folder, W_OK | X_OK) == 0
               ? OCT_OK
               : oct_io_refuse(error, "cannot create a file beside it", errno);
}

static oct_result find_target(draft *file, const char *path, oct_error *error)
{
    *file = (draft){.fd = -1};
    file->target = resolve(path);
    if (!file->target) {
        return errno == ENOMEM ? oct_io_out_of_memory(error)
                               : oct_io_refuse(error, "cannot find the file", errno);
    }
    file->folder = folder_of(file->target);
    return file->folder ? check_old(file, error) : oct_io_out_of_memory(error);
}

// ---- the draft ----

// Where descriptors have names; 32 bytes are enough for any.
static void name_descriptor(int fd, char out[32])
{
    snprintf(out, 32, "/proc/self/fd/%d", fd);
}

// A file without a name, if the file system has such, and they can be given one; else -1.
static int open_nameless(const char *folder, mode_t mode)
{
#ifdef O_TMPFILE
    const int fd = open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
    char name[32];
    name_descriptor(fd, name);
    if (fd >= 0 && access(name, F_OK) == 0) {
        return fd;
    }
    if (fd >= 0) {
        close(fd);
    }
#else
    (void)folder;
    (void)mode;
#endif
    return -1;
}

static int create_named(const char *name, mode_t mode)
{
    return open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

// Gives the draft a name of its own, by which it is created where it has no descriptor yet. The
// name does not depend on the target's, which may be as long as names can be.
static oct_result take_name(draft *file, mode_t mode, oct_error *error)
{
    const size_t room = strlen(file->folder) + 64;
    char *const name = malloc(room);
    char from[32];
    if (!name) {
        return oct_io_out_of_memory(error);
    }
    name_descriptor(file->fd, from);
    bool taken = false;
    errno = EEXIST;
    for (int number = 0; number < NAMES_MAX && !taken && errno == EEXIST; number++) {
        snprintf(name, room, "%s/.octant-%ld-%d.tmp", file->folder, (long)getpid(), number);
        const int fd = file->fd < 0 ? create_named(name, mode) : file->fd;
        taken =
            file->fd < 0 ? fd >= 0 : linkat(AT_FDCWD, from, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
        file->fd = fd;
    }
    if (!taken) {
        const int code = errno;
        free(name);
        return oct_io_refuse(error, "cannot create a file beside it", code);
    }
    file->temporary = name;
    list_name(name);
    return OCT_OK;
}

// A replaced file keeps its owner, group and mode, where the system allows that. The bits that lend
// a program its owner's rights stay only with that owner.
static void keep_owner(const draft *file)
{
    struct stat own;
    mode_t mode = file->old.st_mode & 07777;
    if (fstat(file->fd, &own) == 0 &&
        (own.st_uid != file->old.st_uid || own.st_gid != file->old.st_gid) &&
        fchown(file->fd, file->old.st_uid, file->old.st_gid) != 0) {
        mode &= 0777;
        if (fchown(file->fd, (uid_t)-1, file->old.st_gid) != 0) {
            mode &= 0707; // the group is another one
        }
    }
    fchmod(file->fd, mode);
}

static oct_result draft_open(draft *file, const char *path, oct_error *error)
{
    OCT_TRY(find_target(file, path, error));
    // Nobody else may read what may replace a private file.
    const mode_t mode = file->replaces ? 0600 : 0666;
    file->fd = open_nameless(file->folder, mode);
    if (file->fd < 0) {
        OCT_TRY(take_name(file, mode, error));
    }
    if (file->replaces) {
        keep_owner(file);
    }
    return OCT_OK;
}

static bool draft_write(void *ctx, const void *data, size_t size)
{
    draft *file = ctx;
    const uint8_t *at = data;
    while (size > 0) {
        const ssize_t put = write(file->fd, at, size);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            file->code = put < 0 ? errno : EIO;
            return false;
        }
        at += put;
        size -= (size_t)put;
        file->size += (uint64_t)put;
    }
    return true;
}

// ---- taking the target's name ----

static int sync_file(int fd)
{
    int result;
    do {
        result = fsync(fd);
    } while (result != 0 && errno == EINTR);
    return result;
}

// The new name must be on the disk too. A folder that cannot be read, or a file system that does
// not sync folders, has nothing more to offer.
static oct_result sync_folder(const char *folder, oct_error *error)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return OCT_OK;
    }
    const int code = sync_file(fd) == 0 ? 0 : errno;
    close(fd);
    return code == 0 || code == EINVAL || code == EROFS || code == EBADF || code == ENOSYS
               ? OCT_OK
               : oct_io_refuse(error, "written, but its folder cannot be synced", code);
}

// A draft without a name becomes the target itself where there is none.
static bool link_target(const draft *file)
{
    char from[32];
    name_descriptor(file->fd, from);
    return !file->temporary && !file->replaces &&
           linkat(AT_FDCWD, from, AT_FDCWD, file->target, AT_SYMLINK_FOLLOW) == 0;
}

static oct_result take_target(draft *file, oct_error *error)
{
    if (link_target(file)) {
        return OCT_OK;
    }
    if (!file->temporary) {
        OCT_TRY(take_name(file, 0, error));
    }
    if (rename(file->temporary, file->target) != 0) {
        return oct_io_refuse(error, "cannot replace the file", errno);
    }
    unlist_name(file->temporary);
    free(file->temporary);
    file->temporary = NULL;
    return OCT_OK;
}

// The bytes must be on the disk before the name points to them.
static oct_result draft_publish(draft *file, oct_error *error)
{
    if (sync_file(file->fd) != 0) {
        return oct_io_refuse(error, "cannot write", errno);
    }
    OCT_TRY(take_target(file, error));
    const int closed = close(file->fd);
    file->fd = -1;
    return closed == 0 || errno == EINTR ? sync_folder(file->folder, error)
                                         : oct_io_refuse(error, "cannot write", errno);
}

// Frees everything and removes what was not published.
static void draft_close(draft *file)
{
    if (file->fd >= 0) {
        close(file->fd);
    }
    if (file->temporary) {
        unlink(file->temporary);
        unlist_name(file->temporary);
    }
    free(file->temporary);
    free(file->folder);
    free(file->target);
}

// ---- the whole ----

oct_result oct_file_identify(const char *path, oct_file_id *out)
{
    *out = (oct_file_id){.is_regular = true};
    char *const target = resolve(path);
    char *const folder = target ? folder_of(target) : NULL;
    struct stat about;
    oct_result result = folder ? OCT_OK : OCT_ERROR_FILE;
    if (folder && stat(target, &about) == 0) {
        out->is_regular = S_ISREG(about.st_mode);
    } else if (folder && stat(folder, &about) == 0) {
        const char *const slash = strrchr(target, '/');
        out->name = strdup(slash ? slash + 1 : target);
        result = out->name ? OCT_OK : OCT_ERROR_MEMORY;
    } else {
        result = OCT_ERROR_FILE;
    }
    if (result == OCT_OK) {
        out->device = (uint64_t)about.st_dev;
        out->inode = (uint64_t)about.st_ino;
    }
    free(folder);
    free(target);
    return result;
}

oct_result oct_file_check_target(const char *path, oct_error *error)
{
    draft file;
    const oct_result result = find_target(&file, path, error);
    draft_close(&file);
    return result;
}

oct_result oct_file_replace(const char *path, oct_file_fill *fill, void *ctx, uint64_t *size,
                            oct_error *error)
{
    draft file;
    oct_result result = draft_open(&file, path, error);
    if (result == OCT_OK) {
        result = fill(ctx, draft_write, &file, error);
        if (file.code != 0) {
            result = oct_io_refuse(error, "cannot write", file.code);
        }
    }
    if (result == OCT_OK) {
        result = draft_publish(&file, error);
    }
    if (result == OCT_OK && size) {
        *size = file.size;
    }
    draft_close(&file);
    return result;
}
