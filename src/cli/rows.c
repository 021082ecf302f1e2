// SPDX-License-Identifier: MIT
// Text files that grow line by line.
//
// Who writes a file holds a lock on it from before its first query: a second writer is refused at
// once, instead of tearing the rows of the first.
#define _DEFAULT_SOURCE
#include "cli/cli_internal.h"
#include "files/files_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "octant/names.h"

#define OLD_BYTES_MAX (UINT64_C(4) << 30)
#define TRIES_MAX 100 // to open a file that others remove meanwhile

static int complain_write(const cli_rows *rows, int reason)
{
    return oct_cli_complain("%s: cannot write: %s", rows->path,
                            reason == ENXIO ? "nobody reads from it" : strerror(reason));
}

// ---- opening ----

// Nobody waits for a reader of a pipe.
static void open_file(cli_rows *rows)
{
    const int flags = O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    rows->file = open(rows->path, flags | O_CREAT | O_EXCL, 0666);
    rows->is_new = rows->file >= 0;
    if (rows->file < 0 && errno == EEXIST) {
        rows->file = open(rows->path, flags | O_CREAT, 0666);
    }
}

// Whether the path still leads to what was opened: another writer may have removed it.
static bool is_there(const cli_rows *rows, const struct stat *about)
{
    struct stat now;
    return stat(rows->path, &now) == 0 && now.st_dev == about->st_dev &&
           now.st_ino == about->st_ino;
}

// Opens and locks; *retry where the file was removed between the two.
static int open_locked(cli_rows *rows, struct stat *about, bool *retry)
{
    *retry = false;
    open_file(rows);
    if (rows->file < 0 || fstat(rows->file, about) != 0 || fcntl(rows->file, F_SETFL, 0) != 0) {
        return complain_write(rows, errno);
    }
    rows->is_regular = S_ISREG(about->st_mode);
    if (!rows->is_regular) {
        return CLI_YES;
    }
    if (flock(rows->file, LOCK_EX | LOCK_NB) != 0) {
        rows->is_new = false;
        return errno == EWOULDBLOCK
                   ? oct_cli_complain("%s: another octant is writing it", rows->path)
                   : complain_write(rows, errno);
    }
    *retry = !is_there(rows, about);
    return fstat(rows->file, about) == 0 ? CLI_YES : complain_write(rows, errno);
}

int oct_cli_rows_open(cli_rows *rows, const char *path, cli_rows_mode mode)
{
    struct stat about;
    bool retry = true;
    *rows = (cli_rows){.path = path, .file = -1};
    for (int i = 0; i < TRIES_MAX && retry; i++) {
        if (rows->file >= 0) {
            close(rows->file);
        }
        CLI_TRY(open_locked(rows, &about, &retry));
    }
    if (mode == CLI_ROWS_NEW && rows->is_regular && about.st_size > 0) {
        return oct_cli_complain("%s: it is there already; --resume goes on with its rows, --force "
                                "replaces it",
                                path);
    }
    return CLI_YES;
}

// ---- rows that are there ----

int oct_cli_rows_read(const cli_rows *rows, const char *header, const char *whose, oct_array *out,
                      size_t *whole)
{
    const oct_allocator memory = oct_allocator_default();
    oct_error error = {.line = 0};
    const size_t header_size = strlen(header);
    *whole = 0;
    if (!rows->is_regular) {
        return CLI_YES;
    }
    const oct_result result = oct_file_read(rows->path, OLD_BYTES_MAX, &memory, out, &error);
    CLI_TRY(oct_cli_check_file(rows->path, result, &error));
    const char *const text = out->items;
    const size_t same = out->count < header_size ? out->count : header_size;
    if (out->count > 0 && memcmp(text, header, same) != 0) {
        return oct_cli_complain("%s:1: not the first line of a file of %s", rows->path, whose);
    }
    if (out->count >= header_size) {
        *whole = out->count;
        while (text[*whole - 1] != '\n') {
            --*whole;
        }
    }
    return CLI_YES;
}

bool oct_cli_rows_number(const char *field, double none, double *out)
{
    char *end;
    *out = field[0] ? strtod(field, &end) : none;
    return !field[0] || (*end == '\0' && *out >= 0.0);
}

bool oct_cli_rows_status(const char *word, oct_path_status *out)
{
    for (int i = 0; i < OCT_PATH_COUNT; i++) {
        if (strcmp(word, oct_path_status_name((oct_path_status)i)) == 0) {
            *out = (oct_path_status)i;
            return true;
        }
    }
    return false;
}

bool oct_cli_rows_split(char *line, char **fields, int count)
{
    for (int i = 0; i < count; i++) {
        fields[i] = line;
        line += strcspn(line, ",");
        if ((*line == ',') != (i + 1 < count)) {
            return false;
        }
        *line++ = '\0';
    }
    return true;
}

// ---- writing ----

int oct_cli_rows_begin(cli_rows *rows, uint64_t keep)
{
    rows->whole = keep;
    rows->is_begun = true;
    const bool ready = !rows->is_regular || (ftruncate(rows->file, (off_t)keep) == 0 &&
                                             lseek(rows->file, 0, SEEK_END) >= 0);
    return ready ? CLI_YES : complain_write(rows, errno);
}

// What does not fit on the disk leaves no part of itself behind.
int oct_cli_rows_write(cli_rows *rows, const char *lines)
{
    const size_t length = strlen(lines);
    for (size_t done = 0; done < length;) {
        const ssize_t written = write(rows->file, lines + done, length - done);
        if (written > 0) {
            done += (size_t)written;
        } else if (written == 0 || errno != EINTR) {
            const int reason = written == 0 ? EIO : errno;
            const bool cut = ftruncate(rows->file, (off_t)rows->whole) == 0;
            (void)cut; // a device has no length
            return complain_write(rows, reason);
        }
    }
    rows->whole += length;
    return CLI_YES;
}

int oct_cli_rows_close(cli_rows *rows, int code)
{
    if (rows->file < 0) {
        return code;
    }
    if (rows->is_new && !rows->is_begun && rows->is_regular) {
        unlink(rows->path); // it was created to be locked
    }
    const int reason = rows->is_regular && rows->is_begun && fsync(rows->file) != 0 ? errno : 0;
    const bool closed = close(rows->file) == 0;
    rows->file = -1;
    if (code == CLI_BAD || (closed && reason == 0)) {
        return code;
    }
    return complain_write(rows, reason != 0 ? reason : errno);
}
