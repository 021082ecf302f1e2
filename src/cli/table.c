// SPDX-License-Identifier: MIT
#include "cli/table.h"

#include <string.h>

static const void *row_at(const table *t, const oct_array *rows, size_t i)
{
    return (const char *)rows->items + i * t->row_bytes;
}

static table_fields fields_at(const table *t, const oct_array *rows, size_t i)
{
    table_fields fields = {.count = 0};
    t->fill(row_at(t, rows, i), &fields);
    return fields;
}

// ---- JSON ----

// A text that is not UTF-8, such as a file's name, is null.
static json_t *field_json(const table_field *field)
{
    json_t *const text = field->kind == FIELD_TEXT ? json_string(field->text) : NULL;
    switch (field->kind) {
    case FIELD_COUNT:
        return json_integer((json_int_t)field->count);
    case FIELD_NUMBER:
        return json_real(field->number);
    case FIELD_FLAG:
        return json_boolean(field->flag);
    default:
        return text ? text : json_null();
    }
}

json_t *oct_table_json(const table *t, const oct_array *rows)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < rows->count; i++) {
        const table_fields fields = fields_at(t, rows, i);
        json_t *const object = json_object();
        for (size_t k = 0; k < fields.count; k++) {
            json_object_set_new(object, fields.items[k].name, field_json(&fields.items[k]));
        }
        json_array_append_new(list, object);
    }
    return list;
}

// ---- CSV ----

// In quotation marks where it must be.
static void write_text(FILE *file, const char *text)
{
    const bool is_quoted = strpbrk(text, ",\"\n\r") != NULL;
    fputs(is_quoted ? "\"" : "", file);
    for (; *text; text++) {
        fputs(*text == '"' ? "\"" : "", file);
        fputc(*text, file);
    }
    fputs(is_quoted ? "\"" : "", file);
}

static void write_field(FILE *file, const table_field *field)
{
    switch (field->kind) {
    case FIELD_TEXT:
        write_text(file, field->text);
        break;
    case FIELD_COUNT:
        fprintf(file, "%llu", (unsigned long long)field->count);
        break;
    case FIELD_NUMBER:
        fprintf(file, "%.10g", field->number);
        break;
    case FIELD_FLAG:
        fputs(field->flag ? "yes" : "no", file);
        break;
    default:
        break;
    }
}

void oct_table_write_csv(const table *t, const oct_array *rows, FILE *file)
{
    for (size_t i = 0; i < rows->count; i++) {
        const table_fields fields = fields_at(t, rows, i);
        for (size_t k = 0; i == 0 && k < fields.count; k++) {
            fprintf(file, "%s%s", fields.items[k].name, k + 1 < fields.count ? "," : "\n");
        }
        for (size_t k = 0; k < fields.count; k++) {
            write_field(file, &fields.items[k]);
            fputc(k + 1 < fields.count ? ',' : '\n', file);
        }
    }
}

// ---- text ----

void oct_table_print_row(const table *t, const void *row, const void *last)
{
    if (!last || (t->is_same_block && !t->is_same_block(row, last))) {
        printf("%s", last ? "\n" : "");
        t->print_heading(row);
    }
    t->print_row(row);
}

void oct_table_print_end(const table *t, const oct_array *rows)
{
    printf("%s", t->notes ? t->notes : "");
    if (t->print_total) {
        t->print_total(rows);
    }
}

void oct_table_print(const table *t, const oct_array *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        oct_table_print_row(t, row_at(t, rows, i), i > 0 ? row_at(t, rows, i - 1) : NULL);
    }
    oct_table_print_end(t, rows);
}
