// SPDX-License-Identifier: MIT
// The rows of a run as a CSV file that holds whole lines at any moment: each is written at once as
// soon as it is known, so that neither Ctrl-C nor a crash takes away what was done.
#define _POSIX_C_SOURCE 200809L
#include "cli/scen_run.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_BYTES 512

static int complain_write(const scen_csv *csv, int reason)
{
    return oct_cli_complain("%s: cannot write: %s", csv->path, strerror(reason));
}

// A line that does not fit on the disk leaves no part of itself behind.
static int write_line(scen_csv *csv, const char *line)
{
    const size_t length = strlen(line);
    for (size_t done = 0; done < length;) {
        const ssize_t written = write(csv->file, line + done, length - done);
        if (written > 0) {
            done += (size_t)written;
        } else if (written == 0 || errno != EINTR) {
            const int reason = written == 0 ? EIO : errno;
            const bool cut = ftruncate(csv->file, (off_t)csv->whole) == 0;
            (void)cut; // a device has no length
            return complain_write(csv, reason);
        }
    }
    csv->whole += length;
    return CLI_YES;
}

int oct_scen_csv_open(scen_csv *csv, const char *path)
{
    *csv = (scen_csv){.path = path, .file = -1};
    if (!path) {
        return CLI_YES;
    }
    csv->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (csv->file < 0) {
        return complain_write(csv, errno);
    }
    return write_line(csv, "query,from_x,from_y,from_z,to_x,to_y,to_z,status,length,straight,"
                           "stated,ratio,turning,expanded,generated,sight_checks,time_us,valid\n");
}

int oct_scen_csv_row(scen_csv *csv, const scen_query *query, const scen_result *result,
                     bool checked)
{
    if (csv->file < 0) {
        return CLI_YES;
    }
    const bool found = result->status == OCT_STATUS_FOUND;
    char line[LINE_MAX_BYTES];
    char length[32] = "", ratio[32] = "", turning[32] = "";
    if (found) {
        snprintf(length, sizeof length, "%.9g", result->length);
        snprintf(turning, sizeof turning, "%.6g", result->turning);
    }
    if (found && query->stated > 0.0) {
        snprintf(ratio, sizeof ratio, "%.9g", result->length / query->stated);
    }
    snprintf(line, sizeof line,
             "%zu,%d,%d,%d,%d,%d,%d,%s,%s,%.9g,%.9g,%s,%s,%llu,%llu,%llu,%.3f,%s\n", query->index,
             query->from.x, query->from.y, query->from.z, query->to.x, query->to.y, query->to.z,
             oct_status_name(result->status), length, result->straight, query->stated, ratio,
             turning, (unsigned long long)result->expanded, (unsigned long long)result->generated,
             (unsigned long long)result->sight_checks, result->time_us,
             !checked || !found ? "" : (result->valid ? "yes" : "no"));
    return write_line(csv, line);
}

int oct_scen_csv_close(scen_csv *csv, int code)
{
    if (csv->file < 0) {
        return code;
    }
    const bool closed = close(csv->file) == 0;
    return closed || code == CLI_BAD ? code : complain_write(csv, errno);
}
