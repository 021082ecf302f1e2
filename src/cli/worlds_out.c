// SPDX-License-Identifier: MIT
#include "cli/worlds_out.h"

#include <string.h>

#define VALUE_BYTES 32

static const worlds_row *row_at(const oct_array *rows, size_t i)
{
    return (const worlds_row *)rows->items + i;
}

// ---- text ----

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

// A value with its unit, as people read it; "-" where there is none.
static void format_value(const char *metric, double value, char *out, size_t size)
{
    const double us = ends_with(metric, "_us") ? 1.0 : ends_with(metric, "_ms") ? 1e3 : 0.0;
    if (value < 0.0) {
        snprintf(out, size, "-");
    } else if (us > 0.0) {
        const cli_time time = oct_cli_time(value * us);
        snprintf(out, size, time.value < 1e4 ? "%.4g %s" : "%.0f %s", time.value, time.unit);
    } else if (ends_with(metric, "_bytes")) {
        const bool is_mega = value >= 1e6, is_kilo = !is_mega && value >= 1e3;
        snprintf(out, size, "%.4g %s",
                 is_mega   ? value * 1e-6
                 : is_kilo ? value * 1e-3
                           : value,
                 is_mega   ? "MB"
                 : is_kilo ? "kB"
                           : "B");
    } else {
        snprintf(out, size, "%.0f%s", value, ends_with(metric, "_m") ? " m" : "");
    }
}

// From the least to the most, where these differ.
static void format_pair(const char *metric, const double pair[2], char *out, size_t size)
{
    char least[VALUE_BYTES], most[VALUE_BYTES];
    format_value(metric, pair[0], least, sizeof least);
    format_value(metric, pair[1], most, sizeof most);
    snprintf(out, size, pair[0] < pair[1] ? "%s - %s" : "%s", least, most);
}

static void print_heading(const worlds_row *row)
{
    printf("%s%s: %s%s\n", oct_cli_style(stdout, CLI_BOLD), row->table, row->world,
           oct_cli_style(stdout, CLI_PLAIN));
    printf("  %-13s %7s %-9s %11s %11s %19s %19s  %s\n", "what", "radius", "structure", "measured",
           "published", "its code again", "with a fast queue", "");
}

static void print_goal(const worlds_row *row)
{
    if (row->goal >= 0.0 && row->value >= 0.0) {
        char goal[VALUE_BYTES];
        const bool met = row->value <= row->goal && !row->is_ended;
        format_value(row->metric, row->goal, goal, sizeof goal);
        printf("  %s%s%s (%s)", oct_cli_style(stdout, met ? CLI_GREEN : CLI_RED),
               met ? "ok" : "missed", oct_cli_style(stdout, CLI_PLAIN), goal);
    }
    if (row->length >= 0.0) {
        printf("  %.1f m%s", row->length, row->note[0] ? "," : "");
    }
    printf("%s%s\n", row->note[0] ? (row->length >= 0.0 ? " " : "  ") : "", row->note);
}

static void print_row(const worlds_row *row)
{
    char value[VALUE_BYTES], published[VALUE_BYTES], radius[VALUE_BYTES];
    char again[2 * VALUE_BYTES + 4], fast[2 * VALUE_BYTES + 4];
    format_value(row->metric, row->value, value + 2, sizeof value - 2);
    memcpy(value, row->is_ended ? "> " : "  ", 2);
    format_value(row->metric, row->published, published, sizeof published);
    format_pair(row->metric, row->again, again, sizeof again);
    format_pair(row->metric, row->fast, fast, sizeof fast);
    snprintf(radius, sizeof radius, row->radius > 0.0 ? "%.3g m" : "-", row->radius);
    printf("  %-13s %7s %-9s %11s %11s %19s %19s", row->metric, radius, row->structure, value,
           published, again, fast);
    print_goal(row);
}

void oct_worlds_print(const oct_array *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const worlds_row *const row = row_at(rows, i);
        const worlds_row *const last = i > 0 ? row_at(rows, i - 1) : NULL;
        if (!last || strcmp(last->table, row->table) != 0 || strcmp(last->world, row->world) != 0) {
            printf("%s", last ? "\n" : "");
            print_heading(row);
        }
        print_row(row);
    }
    printf("\nPublished: Hoekzema 2024, Tables 1 and 2. Its code again: the same Java code, run by "
           "others "
           "on two\ncores; with a fast queue: a binary heap in it. Other machines: no ratio is "
           "claimed.\n");
}

// ---- JSON and CSV ----

static json_t *known(double value)
{
    return value >= 0.0 ? json_real(value) : json_null();
}

json_t *oct_worlds_json(const oct_array *rows)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < rows->count; i++) {
        const worlds_row *const row = row_at(rows, i);
        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:s, s:s, s:f, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s}",
                      "table", row->table, "world", row->world, "structure", row->structure,
                      "metric", row->metric, "radius", row->radius, "value", known(row->value),
                      "ended", (int)row->is_ended, "published", known(row->published), "again_min",
                      known(row->again[0]), "again_max", known(row->again[1]), "fast_min",
                      known(row->fast[0]), "fast_max", known(row->fast[1]), "goal",
                      known(row->goal), "length", known(row->length), "note", row->note));
    }
    return list;
}

static void write_known(FILE *file, double value)
{
    if (value >= 0.0) {
        fprintf(file, "%.9g", value);
    }
    fprintf(file, ",");
}

void oct_worlds_write(FILE *file, const oct_array *rows)
{
    fprintf(file, "table,world,structure,metric,radius,value,ended,published,again_min,again_max,"
                  "fast_min,fast_max,goal,length,note\n");
    for (size_t i = 0; i < rows->count; i++) {
        const worlds_row *const row = row_at(rows, i);
        fprintf(file, "%s,%s,%s,%s,%.9g,", row->table, row->world, row->structure, row->metric,
                row->radius);
        write_known(file, row->value);
        fprintf(file, "%s,", row->is_ended ? "yes" : "no");
        write_known(file, row->published);
        write_known(file, row->again[0]);
        write_known(file, row->again[1]);
        write_known(file, row->fast[0]);
        write_known(file, row->fast[1]);
        write_known(file, row->goal);
        write_known(file, row->length);
        fprintf(file, strchr(row->note, ',') ? "\"%s\"\n" : "%s\n", row->note);
    }
}
