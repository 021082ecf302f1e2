// SPDX-License-Identifier: MIT
// Text files that grow line by line.
#define _POSIX_C_SOURCE 200809L
#include "cli/cli_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int complain_write(const cli_rows *rows, int reason)
{
    return oct_cli_complain("%s: cannot write: %s", rows->path, strerror(reason));
}

int oct_cli_rows_open(cli_rows *rows, const char *path, uint64_t keep)
{
    *rows = (cli_rows){.path = path, .whole = keep};
    const int cut = keep == 0 ? O_TRUNC : 0;
    rows->file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | cut, 0666);
    const bool ready = rows->file >= 0 && (keep == 0 || (ftruncate(rows->file, (off_t)keep) == 0 &&
                                                         lseek(rows->file, 0, SEEK_END) >= 0));
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
    const bool closed = close(rows->file) == 0;
    rows->file = -1;
    return closed || code == CLI_BAD ? code : complain_write(rows, errno);
}
