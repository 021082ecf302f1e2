// SPDX-License-Identifier: MIT
// The laboratory's rows as a CSV file that a later run can go on with.
//
// The first fields of a row say which run it is, the others what came out. A run that goes on makes
// the first fields of every row anew and compares them with what the file has: what is not the
// beginning of its own rows is refused, and nothing is written before all of that is read. A last
// line without an end is one that was being written when the process died, and does not count.
#include "cli/lab.h"
#include "octant/names.h"

#include <stdlib.h>
#include <string.h>

#define KEY_MAX (LAB_LINE_MAX - 512) // a name may need twice its bytes

#define KEY_COLUMNS                                                                                \
    "map,size_x,size_y,coverage,clustering,seed,squeeze,task,start_x,start_y,goal_x,goal_y,"       \
    "algorithm,graph,variant,"
#define VALUE_COLUMNS                                                                              \
    "status,length,optimum,ratio,turning_degrees,graph_us,path_us,expanded,nodes,sight_checks,"    \
    "points,graph_nodes,graph_edges\n"
#define HEADER KEY_COLUMNS VALUE_COLUMNS
#define HEADER_BYTES (sizeof HEADER - 1)

// Of the fields that say what came out.
enum {
    VALUE_STATUS,
    VALUE_LENGTH,
    VALUE_OPTIMUM,
    VALUE_RATIO,
    VALUE_TURNING,
    VALUE_GRAPH,
    VALUE_PATH,
    VALUE_EXPANDED,
    VALUE_NODES,
    VALUE_SIGHT,
    VALUE_POINTS,
    VALUE_GRAPH_NODES,
    VALUE_GRAPH_EDGES,
    VALUE_COUNT
};

// ---- fields ----

double oct_lab_csv_round(double value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.9g", value);
    return strtod(digits, NULL);
}

// A field that is in quotation marks where it must be; returns the bytes.
static size_t write_name(const char *name, char *out)
{
    char *at = out;
    const bool quoted = strpbrk(name, ",\"") != NULL;
    if (quoted) {
        *at++ = '"';
    }
    for (; *name; name++) {
        if (*name == '"') {
            *at++ = '"';
        }
        *at++ = *name;
    }
    if (quoted) {
        *at++ = '"';
    }
    return (size_t)(at - out);
}

// The fields that say which run it is, with the comma behind them; returns the bytes.
static size_t write_key(const lab_row *row, char out[KEY_MAX])
{
    const lab_map *const map = row->map;
    const lab_task *const task = &map->tasks[row->task];
    const oct_box *const box = &map->scene.info.box;
    char made[64] = ",";
    if (map->is_made) {
        snprintf(made, sizeof made, "%u,%llu", map->generate.clustering,
                 (unsigned long long)map->generate.seed);
    }
    const size_t used = write_name(map->name, out);
    const int rest = snprintf(
        out + used, KEY_MAX - used, ",%lld,%lld,%.6g,%s,%s,%zu,%.9g,%.9g,%.9g,%.9g,%s,%s,%s,",
        (long long)box->max.x - box->min.x, (long long)box->max.y - box->min.y, map->coverage, made,
        row->plan->squeeze ? "yes" : "no", row->task, task->from[0], task->from[1], task->to[0],
        task->to[1], oct_lab_algorithm_name(row->item->algorithm),
        oct_lab_graph_name(row->item->graph), row->item->variant);
    return used + (size_t)rest;
}

// The other fields, and the line's end.
static void write_values(const lab_result *result, char *out, size_t size)
{
    char length[32] = "", optimum[32] = "", ratio[32] = "", turning[32] = "", size_of[64] = ",";
    if (result->status == OCT_PATH_FOUND) {
        snprintf(length, sizeof length, "%.9g", result->length);
        snprintf(turning, sizeof turning, "%.9g", result->turning_degrees);
    }
    if (result->optimum >= 0.0) {
        snprintf(optimum, sizeof optimum, "%.9g", result->optimum);
    }
    if (result->status == OCT_PATH_FOUND && result->optimum > 0.0) {
        snprintf(ratio, sizeof ratio, "%.9g", result->length / result->optimum);
    }
    if (result->has_size) {
        snprintf(size_of, sizeof size_of, "%llu,%llu", (unsigned long long)result->size.nodes,
                 (unsigned long long)result->size.edges);
    }
    snprintf(out, size, "%s,%s,%s,%s,%s,%.3f,%.3f,%llu,%llu,%llu,%u,%s\n",
             oct_path_status_name(result->status), length, optimum, ratio, turning,
             result->graph_us, result->path_us, (unsigned long long)result->expanded,
             (unsigned long long)result->nodes, (unsigned long long)result->sight_checks,
             result->point_count, size_of);
}

// ---- rows that were there ----

static int complain_row(const lab_csv *csv, const char *what)
{
    return oct_cli_complain("%s:%u: %s", csv->path, csv->line, what);
}

// What came out, from a line's later fields, which it divides. False where they are broken.
static bool read_values(char *line, lab_result *out)
{
    char *fields[VALUE_COUNT];
    if (!oct_cli_rows_split(line, fields, VALUE_COUNT)) {
        return false;
    }
    double ratio, expanded, nodes, sight_checks, points, graph_nodes, graph_edges;
    *out = (lab_result){.done = true};
    if (!oct_cli_rows_status(fields[VALUE_STATUS], &out->status) ||
        !oct_cli_rows_number(fields[VALUE_LENGTH], 0.0, &out->length) ||
        !oct_cli_rows_number(fields[VALUE_OPTIMUM], -1.0, &out->optimum) ||
        !oct_cli_rows_number(fields[VALUE_RATIO], -1.0, &ratio) ||
        !oct_cli_rows_number(fields[VALUE_TURNING], 0.0, &out->turning_degrees) ||
        !oct_cli_rows_number(fields[VALUE_GRAPH], 0.0, &out->graph_us) ||
        !oct_cli_rows_number(fields[VALUE_PATH], 0.0, &out->path_us) ||
        !oct_cli_rows_number(fields[VALUE_EXPANDED], 0.0, &expanded) ||
        !oct_cli_rows_number(fields[VALUE_NODES], 0.0, &nodes) ||
        !oct_cli_rows_number(fields[VALUE_SIGHT], 0.0, &sight_checks) ||
        !oct_cli_rows_number(fields[VALUE_POINTS], 0.0, &points) ||
        !oct_cli_rows_number(fields[VALUE_GRAPH_NODES], -1.0, &graph_nodes) ||
        !oct_cli_rows_number(fields[VALUE_GRAPH_EDGES], -1.0, &graph_edges)) {
        return false;
    }
    out->expanded = (uint64_t)expanded;
    out->nodes = (uint64_t)nodes;
    out->has_size = graph_nodes >= 0.0 && graph_edges >= 0.0;
    if (out->has_size) {
        out->size = (oct_lab_size){(uint64_t)graph_nodes, (uint64_t)graph_edges};
    }
    out->sight_checks = (uint64_t)sight_checks;
    out->point_count = (uint32_t)points;
    return true;
}

int oct_lab_csv_take(lab_csv *csv, const lab_row *row, bool *kept, lab_result *out)
{
    *kept = csv->at < csv->whole;
    if (!*kept) {
        return CLI_YES;
    }
    char key[KEY_MAX], values[512];
    const char *const line = (const char *)csv->old.items + csv->at;
    const size_t left = csv->whole - csv->at;
    const size_t key_size = write_key(row, key);
    const char *const end = memchr(line, '\n', left);
    const size_t size = (size_t)(end - line);
    if (size < key_size || memcmp(line, key, key_size) != 0) {
        return complain_row(csv, "not the row that this run has there; --resume is for the same "
                                 "maps, tasks and algorithms");
    }
    if (size - key_size >= sizeof values) {
        return complain_row(csv, "not a row of the laboratory");
    }
    memcpy(values, line + key_size, size - key_size);
    values[size - key_size] = '\0';
    if (memchr(values, '\0', size - key_size) || !read_values(values, out)) {
        return complain_row(csv, "not a row of the laboratory");
    }
    const bool wants = row->plan->optimum || oct_lab_optimum_item(row->plan) != SIZE_MAX;
    if (out->status == OCT_PATH_FOUND && wants != (out->optimum >= 0.0)) {
        return complain_row(csv, wants ? "it was written without --optimum"
                                       : "it was written with --optimum");
    }
    csv->at += size + 1;
    csv->line++;
    return CLI_YES;
}

// ---- files ----

int oct_lab_csv_open(lab_csv *csv, const char *path, cli_rows_mode mode)
{
    *csv = (lab_csv){.path = path, .line = 2};
    CLI_TRY(oct_cli_rows_open(&csv->rows, path, mode));
    if (mode == CLI_ROWS_RESUME) {
        CLI_TRY(oct_cli_rows_read(&csv->rows, HEADER, "the laboratory", &csv->old, &csv->whole));
        csv->at = csv->whole > 0 ? HEADER_BYTES : 0;
    }
    return CLI_YES;
}

// The first row begins the file, behind those that are kept.
static int begin(lab_csv *csv)
{
    CLI_TRY(oct_cli_rows_begin(&csv->rows, csv->whole));
    return csv->whole == 0 ? oct_cli_rows_write(&csv->rows, HEADER) : CLI_YES;
}

const char *oct_lab_csv_header(void)
{
    return HEADER;
}

void oct_lab_csv_line(const lab_row *row, const lab_result *result, char out[LAB_LINE_MAX])
{
    const size_t key_size = write_key(row, out);
    write_values(result, out + key_size, LAB_LINE_MAX - key_size);
}

int oct_lab_csv_add(lab_csv *csv, const lab_row *row, const lab_result *result)
{
    char line[LAB_LINE_MAX];
    CLI_TRY(csv->rows.is_begun ? CLI_YES : begin(csv));
    oct_lab_csv_line(row, result, line);
    return oct_cli_rows_write(&csv->rows, line);
}

int oct_lab_csv_close(lab_csv *csv, int code)
{
    const oct_allocator memory = oct_allocator_default();
    if (code == CLI_YES && csv->at < csv->whole) {
        code = complain_row(csv, "this run has no more rows; --resume is for the same maps, tasks "
                                 "and algorithms");
    }
    if (code == CLI_YES && !csv->rows.is_begun && csv->old.count > csv->whole) {
        code = begin(csv); // only to cut off what is no line
    }
    oct_array_free(&csv->old, &memory, 1);
    return oct_cli_rows_close(&csv->rows, code);
}
