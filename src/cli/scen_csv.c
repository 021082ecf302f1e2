// SPDX-License-Identifier: MIT
// The rows of a run as a CSV file, each written as soon as it is known.
#include "cli/scen_run.h"
#include "octant/names.h"

#define LINE_MAX_BYTES 512

int oct_scen_csv_open(cli_rows *csv, const char *path)
{
    *csv = (cli_rows){.file = -1};
    if (!path) {
        return CLI_YES;
    }
    const int code = oct_cli_rows_open(csv, path, 0);
    return code != CLI_YES
               ? code
               : oct_cli_rows_write(
                     csv, "query,from_x,from_y,from_z,to_x,to_y,to_z,status,length,straight,"
                          "stated,ratio,turning,expanded,generated,sight_checks,time_us,valid\n");
}

int oct_scen_csv_row(cli_rows *csv, const scen_query *query, const scen_result *result,
                     bool checked)
{
    if (csv->file < 0) {
        return CLI_YES;
    }
    const bool found = result->status == OCT_PATH_FOUND;
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
             oct_path_status_name(result->status), length, result->straight, query->stated, ratio,
             turning, (unsigned long long)result->expanded, (unsigned long long)result->generated,
             (unsigned long long)result->sight_checks, result->time_us,
             !checked || !found ? "" : (result->valid ? "yes" : "no"));
    return oct_cli_rows_write(csv, line);
}
