// SPDX-License-Identifier: MIT
// octant scen --walk: pairs of points on a surface. Each line has a start, a goal, and, where it is
// known, the length in the ground plane: x y z x y z [length]. `#` begins a comment.
#include "base/text.h"
#include "cli/walk.h"
#include "files/files_internal.h"
#include "octant/surface_path.h"

#include <math.h>
#include <stdlib.h>

#define TOLERANCE 1e-5 // metres: how exactly lengths must be met
#define PAIRS_FILE_MAX (UINT64_C(1) << 30)

typedef struct walk_pair {
    oct_point from, to;
    double stated; // < 0: not
    double length, time_us;
    uint64_t expanded;
    oct_surface_status status;
} walk_pair;

// ---- the file ----

static oct_result read_pair(text *in, walk_pair *out)
{
    double *const values[7] = {&out->from.x, &out->from.y, &out->from.z, &out->to.x,
                               &out->to.y,   &out->to.z,   &out->stated};
    out->stated = -1.0;
    for (int i = 0; i < 7; i++) {
        text_blanks(in);
        if (i == 6 && (in->at == in->end || *in->at == '\n' || *in->at == '\r')) {
            return OCT_OK;
        }
        if (!oct_text_signed(in, values[i]) || !(fabs(*values[i]) <= OCT_SURFACE_REACH_MAX)) {
            return OCT_ERROR_FORMAT;
        }
    }
    return out->stated >= 0.0 ? OCT_OK : OCT_ERROR_FORMAT;
}

static oct_result read_pairs(const oct_array *bytes, oct_array *pairs, oct_error *error)
{
    const oct_allocator memory = oct_allocator_default();
    const input all = {bytes->items, bytes->count};
    text in = text_open(all);
    while (in.at < in.end) {
        text_blanks(&in);
        if (in.at < in.end && *in.at == '#') {
            while (in.at < in.end && *in.at != '\n') {
                in.at++;
            }
        }
        if (text_line_end(&in)) {
            continue;
        }
        if (in.at == in.end) {
            break;
        }
        walk_pair pair = {.stated = -1.0};
        if (read_pair(&in, &pair) != OCT_OK || (in.at < in.end && !text_line_end(&in))) {
            return TEXT_REFUSE(&in, error,
                               "expected x y z x y z in metres, then the length or nothing");
        }
        OCT_TRY(oct_array_push(pairs, &memory, sizeof pair, &pair));
    }
    return OCT_OK;
}

static int load_pairs(const char *path, oct_array *pairs)
{
    const oct_allocator memory = oct_allocator_default();
    oct_array bytes = {.count = 0};
    oct_error error = {.line = 0};
    oct_result result = oct_file_read(path, PAIRS_FILE_MAX, &memory, &bytes, &error);
    result = result == OCT_OK ? read_pairs(&bytes, pairs, &error) : result;
    oct_array_free(&bytes, &memory, 1);
    CLI_TRY(oct_cli_check_file(path, result, &error));
    return pairs->count > 0 ? CLI_YES : oct_cli_complain("%s: there are no pairs of points", path);
}

// ---- running ----

static oct_result run_pairs(oct_surface_planner *planner, double step, walk_pair *pairs,
                            size_t count)
{
    for (size_t i = 0; i < count; i++) {
        oct_surface_query query = oct_surface_query_default();
        query.from = pairs[i].from;
        query.to = pairs[i].to;
        query.step_height = step;
        oct_surface_path path;
        OCT_TRY(oct_surface_plan(planner, &query, &path)); // grows the planner's memory
        const double start = oct_cli_now_ms();
        OCT_TRY(oct_surface_plan(planner, &query, &path));
        pairs[i].time_us = (oct_cli_now_ms() - start) * 1e3;
        pairs[i].status = path.status;
        pairs[i].length = path.length;
        pairs[i].expanded = path.expanded;
    }
    return OCT_OK;
}

// ---- what came out ----

typedef struct pairs_summary {
    size_t found, unreachable, off, wrong, first_wrong;
    double mean_us, median_us, p99_us, mean_length;
} pairs_summary;

static bool is_wrong(const walk_pair *pair)
{
    return pair->stated >= 0.0 &&
           (pair->status != OCT_SURFACE_FOUND || !(fabs(pair->length - pair->stated) <= TOLERANCE));
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool summarise(const walk_pair *pairs, size_t count, pairs_summary *out)
{
    double *const times = malloc(count * sizeof *times);
    *out = (pairs_summary){.found = 0};
    for (size_t i = 0; i < count && times; i++) {
        const walk_pair *const p = &pairs[i];
        times[i] = p->time_us;
        out->mean_us += p->time_us / (double)count;
        out->found += p->status == OCT_SURFACE_FOUND;
        out->unreachable += p->status == OCT_SURFACE_UNREACHABLE;
        out->mean_length += p->status == OCT_SURFACE_FOUND ? p->length : 0.0;
        out->first_wrong = is_wrong(p) && out->wrong == 0 ? i : out->first_wrong;
        out->wrong += is_wrong(p);
    }
    out->off = count - out->found - out->unreachable;
    out->mean_length /= out->found > 0 ? (double)out->found : 1.0;
    if (times) {
        qsort(times, count, sizeof *times, by_value);
        out->median_us = times[count / 2];
        out->p99_us = times[(size_t)((double)(count - 1) * 0.99)];
    }
    free(times);
    return times != NULL;
}

static int write_csv(const cli_walk_scen *scen, const walk_pair *pairs, size_t count)
{
    static const char *const words[] = {[OCT_SURFACE_FOUND] = "found",
                                        [OCT_SURFACE_UNREACHABLE] = "unreachable",
                                        [OCT_SURFACE_FROM_OFF] = "from-off",
                                        [OCT_SURFACE_TO_OFF] = "to-off"};
    cli_rows rows;
    CLI_TRY(oct_cli_rows_open(&rows, scen->csv, scen->force ? CLI_ROWS_FORCE : CLI_ROWS_NEW));
    int code = oct_cli_rows_begin(&rows, 0);
    code = code == CLI_YES ? oct_cli_rows_write(&rows, "QUERY,STATUS,LENGTH,STATED,EXPANDED,TIME\n")
                           : code;
    for (size_t i = 0; i < count && code == CLI_YES; i++) {
        char line[160], length[32] = "", stated[32] = "";
        if (pairs[i].status == OCT_SURFACE_FOUND) {
            snprintf(length, sizeof length, "%.9g", pairs[i].length);
        }
        if (pairs[i].stated >= 0.0) {
            snprintf(stated, sizeof stated, "%.9g", pairs[i].stated);
        }
        snprintf(line, sizeof line, "%zu,%s,%s,%s,%llu,%.4f\n", i, words[pairs[i].status], length,
                 stated, (unsigned long long)pairs[i].expanded, pairs[i].time_us);
        code = oct_cli_rows_write(&rows, line);
    }
    return oct_cli_rows_close(&rows, code);
}

static int print_summary(const cli_walk_scen *scen, const walk_pair *pairs, size_t count)
{
    pairs_summary s;
    if (!summarise(pairs, count, &s)) {
        return oct_cli_check(scen->path, OCT_ERROR_MEMORY);
    }
    const int code = s.found == count && s.wrong == 0 ? CLI_YES : CLI_NO;
    if (scen->json) {
        CLI_TRY(oct_cli_print_json(json_pack(
            "{s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f}", "queries", (json_int_t)count, "solved",
            (json_int_t)s.found, "unreachable", (json_int_t)s.unreachable, "off", (json_int_t)s.off,
            "wrong_length", (json_int_t)s.wrong, "mean_us", s.mean_us, "median_us", s.median_us,
            "p99_us", s.p99_us, "mean_length", s.mean_length)));
        return code;
    }
    printf("%zu of %zu queries solved\n", s.found, count);
    printf("  %-12s %12zu\n", "unreachable", s.unreachable);
    printf("  %-12s %12zu  an end is not on the surface\n", "off", s.off);
    if (s.wrong > 0) {
        oct_cli_printf(CLI_RED, "  %-12s %12zu", "wrong", s.wrong);
        printf("  lengths; the first is of query %zu: %.9g, not %.9g\n", s.first_wrong,
               pairs[s.first_wrong].length, pairs[s.first_wrong].stated);
    }
    printf("  %-12s %12.6g  m in the ground plane, mean\n", "length", s.mean_length);
    printf("  %-12s %12.4g  us, mean; median %.4g, 99 %% below %.4g\n", "time", s.mean_us,
           s.median_us, s.p99_us);
    return code;
}

static int run(const cli_walk_scen *scen, const oct_surface *surface, walk_pair *pairs,
               size_t count)
{
    oct_surface_planner *planner;
    CLI_TRY(oct_cli_check(scen->path, oct_surface_planner_create(surface, NULL, &planner)));
    const oct_result result = run_pairs(planner, scen->step, pairs, count);
    oct_surface_planner_destroy(planner);
    CLI_TRY(oct_cli_check(scen->path, result));
    if (scen->csv) {
        CLI_TRY(write_csv(scen, pairs, count));
    }
    return print_summary(scen, pairs, count);
}

int oct_cli_walk_scen(const cli_walk_scen *scen)
{
    const oct_allocator memory = oct_allocator_default();
    oct_array pairs = {.count = 0};
    cli_surface s;
    int code = load_pairs(scen->pairs, &pairs);
    if (code == CLI_YES) {
        code = oct_cli_open_surface(scen->path, scen->up, 0.0, NULL, NULL, &s);
    }
    if (code == CLI_YES) {
        code = run(scen, s.surface, pairs.items, pairs.count);
        oct_cli_close_surface(&s);
    }
    oct_array_free(&pairs, &memory, sizeof(walk_pair));
    return code;
}
