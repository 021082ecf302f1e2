// SPDX-License-Identifier: MIT
// The rows of a run as a CSV file, each written as soon as it is known, that a later run can go on
// with.
//
// Rows do not say how paths were searched. So a run that goes on does the last query of the file
// again, and refuses to go on where anything but the time comes out differently.
#include "cli/scen_run.h"
#include "octant/names.h"

#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 512
#define HEADER                                                                                     \
    "query,from_x,from_y,from_z,to_x,to_y,to_z,status,length,straight,"                            \
    "stated,ratio,turning,expanded,generated,sight_checks,time_us,valid\n"
#define HEADER_BYTES (sizeof HEADER - 1)

enum {
    FIELD_STATUS = 7,
    FIELD_LENGTH,
    FIELD_STRAIGHT,
    FIELD_STATED,
    FIELD_RATIO,
    FIELD_TURNING,
    FIELD_EXPANDED,
    FIELD_GENERATED,
    FIELD_SIGHT,
    FIELD_TIME,
    FIELD_VALID,
    FIELD_COUNT
};

// ---- rows ----

// A row as far as it is the same in every run; returns the bytes.
static size_t write_same(const scen_query *query, const scen_result *result, char *line)
{
    const bool found = result->status == OCT_PATH_FOUND;
    char length[32] = "", ratio[32] = "", turning[32] = "";
    if (found) {
        snprintf(length, sizeof length, "%.9g", result->length);
        snprintf(turning, sizeof turning, "%.6g", result->turning);
    }
    if (found && query->stated > 0.0) {
        snprintf(ratio, sizeof ratio, "%.9g", result->length / query->stated);
    }
    return (size_t)snprintf(
        line, LINE_MAX_BYTES, "%zu,%d,%d,%d,%d,%d,%d,%s,%s,%.9g,%.9g,%s,%s,%llu,%llu,%llu,",
        query->index, query->from.x, query->from.y, query->from.z, query->to.x, query->to.y,
        query->to.z, oct_path_status_name(result->status), length, result->straight, query->stated,
        ratio, turning, (unsigned long long)result->expanded, (unsigned long long)result->generated,
        (unsigned long long)result->sight_checks);
}

static int begin(scen_csv *csv)
{
    CLI_TRY(oct_cli_rows_begin(&csv->rows, csv->whole));
    return csv->whole == 0 ? oct_cli_rows_write(&csv->rows, HEADER) : CLI_YES;
}

static int check_again(scen_csv *csv, const scen_query *query, const scen_result *result)
{
    char line[LINE_MAX_BYTES];
    const size_t size = write_same(query, result, line);
    const char *const old = (const char *)csv->old.items + csv->last;
    const bool is_same = csv->whole - csv->last > size && memcmp(old, line, size) == 0;
    return is_same ? CLI_YES
                   : oct_cli_complain("%s:%zu: not the row that this run has there; --resume is "
                                      "for the same map, queries and search",
                                      csv->rows.path, csv->kept + 1);
}

int oct_scen_csv_row(scen_csv *csv, size_t place, const scen_query *query,
                     const scen_result *result)
{
    char line[LINE_MAX_BYTES];
    if (csv->rows.file < 0) {
        return CLI_YES;
    }
    if (place < csv->kept) {
        return check_again(csv, query, result);
    }
    CLI_TRY(csv->rows.is_begun ? CLI_YES : begin(csv));
    const size_t size = write_same(query, result, line);
    const bool is_judged = csv->checked && result->status == OCT_PATH_FOUND;
    snprintf(line + size, sizeof line - size, "%.3f,%s\n", result->time_us,
             !is_judged ? "" : (result->valid ? "yes" : "no"));
    return oct_cli_rows_write(&csv->rows, line);
}

// ---- rows that were there ----

static bool read_fields(char *const *fields, scen_result *out)
{
    double stated, ratio, expanded, generated, sight;
    if (!oct_cli_rows_status(fields[FIELD_STATUS], &out->status) ||
        !oct_cli_rows_number(fields[FIELD_LENGTH], 0.0, &out->length) ||
        !oct_cli_rows_number(fields[FIELD_STRAIGHT], 0.0, &out->straight) ||
        !oct_cli_rows_number(fields[FIELD_STATED], 0.0, &stated) ||
        !oct_cli_rows_number(fields[FIELD_RATIO], 0.0, &ratio) ||
        !oct_cli_rows_number(fields[FIELD_TURNING], 0.0, &out->turning) ||
        !oct_cli_rows_number(fields[FIELD_EXPANDED], 0.0, &expanded) ||
        !oct_cli_rows_number(fields[FIELD_GENERATED], 0.0, &generated) ||
        !oct_cli_rows_number(fields[FIELD_SIGHT], 0.0, &sight) ||
        !oct_cli_rows_number(fields[FIELD_TIME], 0.0, &out->time_us)) {
        return false;
    }
    out->expanded = (uint64_t)expanded;
    out->generated = (uint64_t)generated;
    out->sight_checks = (uint64_t)sight;
    return true;
}

// The row of a query, or what is wrong with it; NULL where nothing is.
static const char *take_row(const scen_csv *csv, const char *text, size_t size,
                            const scen_query *query, scen_result *out)
{
    char line[LINE_MAX_BYTES], key[LINE_MAX_BYTES];
    char *fields[FIELD_COUNT];
    const size_t key_size =
        (size_t)snprintf(key, sizeof key, "%zu,%d,%d,%d,%d,%d,%d,", query->index, query->from.x,
                         query->from.y, query->from.z, query->to.x, query->to.y, query->to.z);
    if (size >= sizeof line || memchr(text, '\0', size)) {
        return "not a row of scen";
    }
    memcpy(line, text, size);
    line[size] = '\0';
    if (size < key_size || memcmp(line, key, key_size) != 0) {
        return "not the row that this run has there; --resume is for the same map, queries and "
               "search";
    }
    *out = (scen_result){.done = true, .kept = true};
    if (!oct_cli_rows_split(line, fields, FIELD_COUNT) || !read_fields(fields, out)) {
        return "not a row of scen";
    }
    out->valid = strcmp(fields[FIELD_VALID], "yes") == 0;
    if (out->status == OCT_PATH_FOUND && csv->checked != (fields[FIELD_VALID][0] != '\0')) {
        return csv->checked ? "it was written without --check" : "it was written with --check";
    }
    return NULL;
}

int oct_scen_csv_take(scen_csv *csv, scen_run *run)
{
    const char *const text = csv->old.items;
    size_t at = csv->whole > 0 ? HEADER_BYTES : 0;
    const char *wrong = NULL;
    for (; at < csv->whole && !wrong; csv->kept++) {
        const char *const end = memchr(text + at, '\n', csv->whole - at);
        const size_t size = (size_t)(end - (text + at));
        wrong = csv->kept == run->count
                    ? "this run has no more rows; --resume is for the same map, queries and search"
                    : take_row(csv, text + at, size, &run->queries[csv->kept],
                               &run->results[csv->kept]);
        csv->last = at;
        at += size + 1;
    }
    run->kept = csv->kept;
    return wrong ? oct_cli_complain("%s:%zu: %s", csv->rows.path, csv->kept + 1, wrong) : CLI_YES;
}

// ---- files ----

int oct_scen_csv_open(scen_csv *csv, const char *path, cli_rows_mode mode, bool checked)
{
    *csv = (scen_csv){.rows = {.file = -1}, .checked = checked};
    if (!path) {
        return CLI_YES;
    }
    CLI_TRY(oct_cli_rows_open(&csv->rows, path, mode));
    return mode == CLI_ROWS_RESUME
               ? oct_cli_rows_read(&csv->rows, HEADER, "scen", &csv->old, &csv->whole)
               : CLI_YES;
}

int oct_scen_csv_close(scen_csv *csv, int code)
{
    const oct_allocator memory = oct_allocator_default();
    if (code == CLI_YES && csv->rows.file >= 0 && !csv->rows.is_begun &&
        csv->old.count > csv->whole) {
        code = begin(csv); // only to cut off what is no line
    }
    oct_array_free(&csv->old, &memory, 1);
    return oct_cli_rows_close(&csv->rows, code);
}
