// SPDX-License-Identifier: MIT
#include "cli/flights_out.h"

#include <string.h>

static const flights_row *row_at(const oct_array *rows, size_t i)
{
    return (const flights_row *)rows->items + i;
}

// ---- text ----

static void print_heading(const flights_row *row)
{
    printf("%s%s, sight: %s%s\n", oct_cli_style(stdout, CLI_BOLD), row->world, row->sight,
           oct_cli_style(stdout, CLI_PLAIN));
    printf("  %-7s %-6s %7s %7s %6s %5s %5s %5s %6s %6s %6s %6s %6s %8s %7s\n", "pace", "facing",
           "flights", "arrived", "bumps", "stray", "end", "gap", "s", "ref. s", "ratio", "worst",
           "us", "actions", "replans");
}

// Which goals a row misses, or that it meets them all.
static void print_goals(const flights_row *row)
{
    printf("  %s", oct_cli_style(stdout, oct_flights_is_met(row) ? CLI_GREEN : CLI_RED));
    if (oct_flights_is_met(row)) {
        printf("ok");
    } else {
        printf("missed:%s%s%s%s", oct_flights_all_arrived(row) ? "" : " arrived",
               oct_flights_none_collided(row) ? "" : " bumps",
               oct_flights_none_strayed(row) ? "" : " stray",
               oct_flights_in_time(row) ? "" : " ratio");
    }
    printf("%s\n", oct_cli_style(stdout, CLI_PLAIN));
}

static void print_row(const flights_row *row)
{
    const flights_result *const r = &row->result;
    printf("  %-7s %-6s %7u %7u %6llu %5.3f %5.3f %5.3f %6.2f %6.2f %6.3f %6.3f %6.1f %8llu %7llu",
           row->pace, row->facing, r->flights, r->arrived, (unsigned long long)r->bumps, r->stray,
           r->end, r->gap, oct_flights_mean_s(row), oct_flights_reference_s(row),
           oct_flights_ratio(row), r->worst, oct_flights_think_us(row),
           (unsigned long long)r->actions, (unsigned long long)r->replans);
    print_goals(row);
}

void oct_flights_print(const oct_array *rows)
{
    size_t met = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const flights_row *const row = row_at(rows, i);
        if (i == 0 || strcmp(row->world, row_at(rows, i - 1)->world) != 0) {
            printf("%s", i > 0 ? "\n" : "");
            print_heading(row);
        }
        print_row(row);
        met += oct_flights_is_met(row);
    }
    printf("\n%zu of %zu rows meet the goals: all arrive, bumps 0 (ticks in which a body runs into "
           "something),\nstray at most %g m (from the path), ratio at most %g (time over that from "
           "rest to rest along the\nlegs). Metres: end, from the goal; gap, the least to anything "
           "solid. Means of a flight: s, ref. s;\nof an action: us, of thinking.\n",
           met, rows->count, FLIGHTS_STRAY, FLIGHTS_RATIO);
}

// ---- JSON and CSV ----

static json_t *row_json(const flights_row *row)
{
    const flights_result *const r = &row->result;
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:i, s:i, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, "
        "s:b}",
        "world", row->world, "pace", row->pace, "facing", row->facing, "sight", row->sight,
        "flights", (int)r->flights, "arrived", (int)r->arrived, "collisions", (json_int_t)r->bumps,
        "stray_m", r->stray, "end_m", r->end, "gap_m", r->gap, "mean_s", oct_flights_mean_s(row),
        "reference_s", oct_flights_reference_s(row), "ratio", oct_flights_ratio(row), "worst_ratio",
        r->worst, "think_us", oct_flights_think_us(row), "actions", (json_int_t)r->actions,
        "replans", (json_int_t)r->replans, "met", (int)oct_flights_is_met(row));
}

json_t *oct_flights_json(const oct_array *rows)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < rows->count; i++) {
        json_array_append_new(list, row_json(row_at(rows, i)));
    }
    return list;
}

// In quotation marks where it must be.
static void write_name(FILE *file, const char *name)
{
    const bool quoted = strpbrk(name, ",\"\n\r") != NULL;
    fprintf(file, "%s", quoted ? "\"" : "");
    for (; *name; name++) {
        fprintf(file, "%s%c", *name == '"' ? "\"" : "", *name);
    }
    fprintf(file, "%s", quoted ? "\"" : "");
}

void oct_flights_write(FILE *file, const oct_array *rows)
{
    fprintf(file, "world,pace,facing,sight,flights,arrived,collisions,stray_m,end_m,gap_m,mean_s,"
                  "reference_s,ratio,worst_ratio,think_us,actions,replans,met\n");
    for (size_t i = 0; i < rows->count; i++) {
        const flights_row *const row = row_at(rows, i);
        const flights_result *const r = &row->result;
        write_name(file, row->world);
        fprintf(file, ",%s,%s,%s,%u,%u,%llu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.4g,%llu,%llu,%s\n",
                row->pace, row->facing, row->sight, r->flights, r->arrived,
                (unsigned long long)r->bumps, r->stray, r->end, r->gap, oct_flights_mean_s(row),
                oct_flights_reference_s(row), oct_flights_ratio(row), r->worst,
                oct_flights_think_us(row), (unsigned long long)r->actions,
                (unsigned long long)r->replans, oct_flights_is_met(row) ? "yes" : "no");
    }
}
