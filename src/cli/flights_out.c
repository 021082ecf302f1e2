// SPDX-License-Identifier: MIT
// The table of flights.
#include "bench/table_flights.h"
#include "cli/cli_internal.h"
#include "cli/table.h"

#include <string.h>

static bool is_same_block(const void *row, const void *last)
{
    return strcmp(((const flights_row *)row)->world, ((const flights_row *)last)->world) == 0;
}

static void print_heading(const void *of)
{
    const flights_row *const row = of;
    oct_cli_printf(CLI_BOLD, "%s, sight: %s\n", CLI_SHOWN(row->world), row->sight);
    printf("  %-7s %-6s %7s %7s %6s %5s %5s %5s %6s %6s %6s %6s %6s %8s %7s\n", "pace", "facing",
           "flights", "arrived", "bumps", "stray", "end", "gap", "s", "ref. s", "ratio", "worst",
           "us", "actions", "replans");
}

static void print_row(const void *of)
{
    const flights_row *const row = of;
    const flights_result *const r = &row->result;
    printf("  %-7s %-6s %7u %7u %6llu %5.3f %5.3f %5.3f %6.2f %6.2f %6.3f %6.3f %6.1f %8llu %7llu",
           row->pace, row->facing, r->flights, r->arrived, (unsigned long long)r->bumps, r->stray,
           r->end, r->gap, oct_flights_mean_s(row), oct_flights_reference_s(row),
           oct_flights_ratio(row), r->worst, oct_flights_think_us(row),
           (unsigned long long)r->actions, (unsigned long long)r->replans);
    if (oct_flights_is_met(row)) {
        oct_cli_printf(CLI_GREEN, "  ok\n");
    } else {
        oct_cli_printf(CLI_RED, "  missed:%s%s%s%s\n",
                       oct_flights_all_arrived(row) ? "" : " arrived",
                       oct_flights_none_collided(row) ? "" : " bumps",
                       oct_flights_none_strayed(row) ? "" : " stray",
                       oct_flights_in_time(row) ? "" : " ratio");
    }
}

static void print_total(const oct_array *rows)
{
    size_t met = 0;
    for (size_t i = 0; i < rows->count; i++) {
        met += oct_flights_is_met((const flights_row *)rows->items + i);
    }
    printf("\n%zu of %zu rows meet the goals: all arrive, bumps 0 (ticks in which a body runs into "
           "something),\nstray at most %g m (from the path), ratio at most %g (time over that from "
           "rest to rest along the\nlegs). Metres: end, from the goal; gap, the least to anything "
           "solid. Means of a flight: s, ref. s;\nof an action: us, of thinking.\n",
           met, rows->count, FLIGHTS_STRAY, FLIGHTS_RATIO);
}

static void fill(const void *of, table_fields *out)
{
    const flights_row *const row = of;
    const flights_result *const r = &row->result;
    add_text(out, "world", row->world);
    add_text(out, "pace", row->pace);
    add_text(out, "facing", row->facing);
    add_text(out, "sight", row->sight);
    add_count(out, "flights", r->flights);
    add_count(out, "arrived", r->arrived);
    add_count(out, "collisions", r->bumps);
    add_number(out, "stray_m", r->stray);
    add_number(out, "end_m", r->end);
    add_number(out, "gap_m", r->gap);
    add_number(out, "mean_s", oct_flights_mean_s(row));
    add_number(out, "reference_s", oct_flights_reference_s(row));
    add_number(out, "ratio", oct_flights_ratio(row));
    add_number(out, "worst_ratio", r->worst);
    add_number(out, "think_us", oct_flights_think_us(row));
    add_count(out, "actions", r->actions);
    add_count(out, "replans", r->replans);
    add_flag(out, "met", oct_flights_is_met(row));
}

const table oct_flights_table = {sizeof(flights_row), fill, is_same_block, print_heading,
                                 print_row,           NULL, print_total};
