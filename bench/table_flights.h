// SPDX-License-Identifier: MIT
// Flights in a folder of worlds, measured against what is asked of them: in each world stepped
// and with delays, turning by yaw alone and fully.
#ifndef OCTANT_TABLE_FLIGHTS_H
#define OCTANT_TABLE_FLIGHTS_H

#include "bench/bench.h"
#include "bench/flights.h"

#define FLIGHTS_DEFAULT 1000  // a row
#define FLIGHTS_SEED 20261116 // of every row
// Delays, 20 to 500 ms, in ticks: rounded up.
#define FLIGHTS_DELAY_MIN 2
#define FLIGHTS_DELAY_MAX 30
// What is asked for: how far from the path, metres, and the time over the reference.
#define FLIGHTS_STRAY 0.3
#define FLIGHTS_RATIO 1.6

typedef struct flights_row {
    char world[256];    // its file, without the extension
    const char *pace;   // "stepped", "delayed"
    const char *facing; // "yaw", "full"
    const char *sight;  // the world's rule: "line", "through"
    flights_result result;
} flights_row;

// What a row comes to: seconds a flight, and over the reference; microseconds an action. 0 where
// there was none.
double oct_flights_mean_s(const flights_row *row);
double oct_flights_reference_s(const flights_row *row);
double oct_flights_ratio(const flights_row *row);
double oct_flights_think_us(const flights_row *row);

// What was asked for.
bool oct_flights_all_arrived(const flights_row *row);
bool oct_flights_none_collided(const flights_row *row);
bool oct_flights_none_strayed(const flights_row *row);
bool oct_flights_in_time(const flights_row *row);
bool oct_flights_is_met(const flights_row *row); // all of it

// Flies in every world (.json) of the folder `options.scenes`, those rows whose WORLD/PACE/FACING
// holds the filter, `options.repeat` flights each, on the executor's threads: worlds by name, and
// all but the times of thinking is the same whatever the threads. Appends to an array of
// flights_row, which is the caller's also after a failure; then the report's message says why.
oct_result oct_table_flights(bench_report *report, oct_array *rows);

#endif
