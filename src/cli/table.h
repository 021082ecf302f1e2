// SPDX-License-Identifier: MIT
// A table: rows of one type as JSON, as CSV and as text.
//
// A table names the fields of a row once, in `fill`: JSON and CSV follow from that. Text has widths
// and units of its own, so each table prints its rows itself; what all share is here.
#ifndef OCTANT_CLI_TABLE_H
#define OCTANT_CLI_TABLE_H

#include "base/base_internal.h"

#include <jansson.h>
#include <stdio.h>

#define TABLE_FIELDS_MAX 32

typedef enum field_kind {
    FIELD_NONE, // null; empty in CSV
    FIELD_TEXT,
    FIELD_COUNT,
    FIELD_NUMBER,
    FIELD_FLAG // true or false; yes or no in CSV
} field_kind;

typedef struct table_field {
    const char *name; // the key in JSON, the column in CSV
    field_kind kind;
    union {
        const char *text; // borrowed from the row
        uint64_t count;
        double number;
        bool flag;
    };
} table_field;

// The fields of one row, in their order.
typedef struct table_fields {
    table_field items[TABLE_FIELDS_MAX];
    size_t count;
} table_fields;

static inline void add_field(table_fields *out, table_field field)
{
    OCT_ASSERT(out->count < TABLE_FIELDS_MAX);
    out->items[out->count++] = field;
}

// NULL = this row has none.
static inline void add_text(table_fields *out, const char *name, const char *text)
{
    const field_kind kind = text ? FIELD_TEXT : FIELD_NONE;
    add_field(out, (table_field){.name = name, .kind = kind, .text = text});
}

static inline void add_count(table_fields *out, const char *name, uint64_t count)
{
    add_field(out, (table_field){.name = name, .kind = FIELD_COUNT, .count = count});
}

// A number that not every row has.
static inline void add_number_if(bool has, table_fields *out, const char *name, double number)
{
    const field_kind kind = has ? FIELD_NUMBER : FIELD_NONE;
    add_field(out, (table_field){.name = name, .kind = kind, .number = number});
}

static inline void add_number(table_fields *out, const char *name, double number)
{
    add_number_if(true, out, name, number);
}

static inline void add_flag(table_fields *out, const char *name, bool flag)
{
    add_field(out, (table_field){.name = name, .kind = FIELD_FLAG, .flag = flag});
}

typedef struct table {
    size_t row_bytes;
    // Adds the fields of a row; the same names for every row.
    void (*fill)(const void *row, table_fields *out);
    // Text. Rows come in blocks, each below a heading; NULL = all rows are one block.
    bool (*is_same_block)(const void *row, const void *last);
    void (*print_heading)(const void *row);
    void (*print_row)(const void *row);
    const char *notes;                          // below all rows; NULL = none
    void (*print_total)(const oct_array *rows); // the same, where it counts rows; NULL = none
} table;

// A list of objects.
json_t *oct_table_json(const table *t, const oct_array *rows);

// A line of names, then a line for each row.
void oct_table_write_csv(const table *t, const oct_array *rows, FILE *file);

void oct_table_print(const table *t, const oct_array *rows);
// The same in parts: the next row, `last` being the one before (NULL = none), and what is below
// all.
void oct_table_print_row(const table *t, const void *row, const void *last);
void oct_table_print_end(const table *t, const oct_array *rows);

// What `octant bench table` shows.
extern const table oct_worlds_table;   // rows are worlds_row
extern const table oct_surfaces_table; // surfaces_row
extern const table oct_mesh_table;     // table_row
extern const table oct_graphs_table;   // graphs_row
extern const table oct_flat_table;     // lab_table_row
extern const table oct_units_table;    // units_row
extern const table oct_flights_table;  // flights_row
extern const table oct_puzzles_table;  // puzzles_row

#endif
