// SPDX-License-Identifier: MIT
// The table of worlds.
#include "bench/table_worlds.h"
#include "cli/cli_internal.h"
#include "cli/table.h"

#include <string.h>

#define VALUE_BYTES 32

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

static bool is_same_block(const void *of, const void *of_last)
{
    const worlds_row *const row = of, *const last = of_last;
    return strcmp(row->table, last->table) == 0 && strcmp(row->world, last->world) == 0;
}

static void print_heading(const void *of)
{
    const worlds_row *const row = of;
    oct_cli_printf(CLI_BOLD, "%s: %s\n", row->table, CLI_SHOWN(row->world));
    printf("  %-13s %7s %-9s %11s %11s %19s %19s  %s\n", "what", "radius", "structure", "measured",
           "published", "its code again", "with a fast queue", "");
}

static void print_goal(const worlds_row *row)
{
    if (row->goal >= 0.0 && row->value >= 0.0) {
        char goal[VALUE_BYTES];
        const bool met = row->value <= row->goal && !row->is_ended;
        format_value(row->metric, row->goal, goal, sizeof goal);
        oct_cli_printf(met ? CLI_GREEN : CLI_RED, met ? "  ok" : "  missed");
        printf(" (%s)", goal);
    }
    if (row->length >= 0.0) {
        printf("  %.1f m%s", row->length, row->note[0] ? "," : "");
    }
    printf("%s%s\n", row->note[0] ? (row->length >= 0.0 ? " " : "  ") : "", row->note);
}

static void print_row(const void *of)
{
    const worlds_row *const row = of;
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

static const char notes[] =
    "\nPublished: Hoekzema 2024, Tables 1 and 2. Its code again: the same Java code, run by "
    "others "
    "on two\ncores; with a fast queue: a binary heap in it. Other machines: no ratio is "
    "claimed.\n";

// A number that is negative where there is none.
static void add_known(table_fields *out, const char *name, double number)
{
    add_number_if(number >= 0.0, out, name, number);
}

static void fill(const void *of, table_fields *out)
{
    const worlds_row *const row = of;
    add_text(out, "table", row->table);
    add_text(out, "world", row->world);
    add_text(out, "structure", row->structure);
    add_text(out, "metric", row->metric);
    add_number(out, "radius", row->radius);
    add_known(out, "value", row->value);
    add_flag(out, "ended", row->is_ended);
    add_known(out, "published", row->published);
    add_known(out, "again_min", row->again[0]);
    add_known(out, "again_max", row->again[1]);
    add_known(out, "fast_min", row->fast[0]);
    add_known(out, "fast_max", row->fast[1]);
    add_known(out, "goal", row->goal);
    add_known(out, "length", row->length);
    add_text(out, "note", row->note);
}

const table oct_worlds_table = {sizeof(worlds_row), fill,  is_same_block, print_heading,
                                print_row,          notes, NULL};
