// SPDX-License-Identifier: MIT
// The inside of `octant lab`: which algorithms, maps and tasks; running them over threads; and the
// rows, as a CSV file that a later run can go on with.
//
// A run is one algorithm at one task of one map. Rows stand in the order of maps, of their tasks,
// and of the algorithms; so what a file holds already is always the beginning of what it will hold.
#ifndef OCTANT_CLI_LAB_H
#define OCTANT_CLI_LAB_H

#include "cli/cli_internal.h"
#include "files/lab_file.h"
#include "octant/formats.h"

#define LAB_ITEMS_MAX 64
#define LAB_TASKS_MAX 100000
#define LAB_NAME_MAX 64
#define LAB_WHY_MAX 512
#define LAB_LINE_MAX 12800 // bytes of a row

// An algorithm, what it searches, and how that is made.
typedef struct lab_item {
    oct_lab_algorithm algorithm;
    oct_lab_graph graph;
    oct_lab_heuristic heuristic;
    bool lazy;     // of VISIBILITY: made where it is needed, not whole
    uint32_t edge; // of BLOCKS: cells along a block's edge
    oct_distances_kind kind;
    bool packed;
    cli_distances database;     // of BLOCKS; none until it is opened
    char name[LAB_NAME_MAX];    // as one types it: "astar:visibility-lazy"
    char variant[LAB_NAME_MAX]; // as rows have it: "lazy", "euclidean", "4:plain:packed"; or empty
} lab_item;

// Where a map comes from.
typedef struct lab_source {
    const char *path; // of a map or laboratory file; NULL = it is made
    lab_generate generate;
    bool asks_squeeze; // of a laboratory file
    size_t task_count;
} lab_source;

typedef struct lab_plan {
    lab_item items[LAB_ITEMS_MAX];
    size_t item_count;
    lab_source *sources; // malloc's
    size_t source_count;
    cli_files *files; // that are read and written
    const char *scen; // the scenario file with the tasks, or NULL
    size_t limit;     // of its queries; 0 = all
    size_t tasks;     // random ones of a map
    bool tasks_given; // also where a laboratory file has its own
    bool centre;      // tasks are from middle to middle of cells, not from corner to corner
    uint64_t seed;
    uint32_t repeat;
    bool warm; // search once before the first that counts, also where that is the only one
    bool squeeze, check;
    const char *suite; // the folder that maps and tasks are saved to, or NULL
    bool keep_points;  // in the results
    bool optimum;      // find the shortest path though no row needs it
} lab_plan;

// Cells.
typedef struct lab_task {
    double from[2], to[2];
} lab_task;

// A map in memory, with its tasks.
typedef struct lab_map {
    const char *name; // as rows have it
    const lab_source *source;
    char made_name[LAB_NAME_MAX];
    cli_scene scene;
    lab_file file;   // of a laboratory file; else empty
    char *file_path; // of the map file that one names, malloc's; or NULL
    bool is_made;    // from `generate`
    lab_generate generate;
    double coverage; // percent
    lab_task *tasks; // malloc's
    size_t task_count;
} lab_map;

typedef struct lab_result {
    oct_result result; // of the search
    bool done;
    bool valid; // where it was checked
    oct_path_status status;
    double length;          // cells, as rows have it
    double optimum;         // likewise; < 0 = not known
    double turning_degrees; // as rows have it
    double graph_us, path_us;
    uint64_t expanded, nodes, sight_checks;
    bool has_size; // nodes and edges of the graph are known
    oct_lab_size size;
    uint32_t point_count;
    double (*points)[2]; // cells; malloc's, where they are kept
} lab_result;

// ---- lab_items.c ----

// The items of a list "astar,theta:cells,block:4:plain:packed", or the usual ones where it is NULL.
// Those that name no heuristic take `heuristic`, where it means something. Complains where it
// fails.
int oct_lab_read_items(const char *list, oct_lab_heuristic heuristic, lab_plan *plan);

// For a plan that squeezes: refuses items that cannot, or leaves them out with a warning.
int oct_lab_squeeze_items(bool leave_out, lab_plan *plan);

// The one that finds the shortest paths: its index, or SIZE_MAX where it is not among the items.
size_t oct_lab_optimum_item(const lab_plan *plan);

// The same where it is not; false where the library has none.
bool oct_lab_make_optimum_item(lab_item *out);

// ---- lab_plan.c ----

// A list of maps to be made: all combinations, `maps` of each, with the seeds from `seed` on.
// Appended to the plan's sources. Complains where it fails.
int oct_lab_plan_made(const char *sizes, const char *coverages, const char *clusterings,
                      size_t maps, lab_plan *plan);

// Map and laboratory files, each opened once, so that a mistake shows before the first run.
// Appended likewise.
int oct_lab_plan_files(const char *const *paths, size_t count, lab_plan *plan);

// Lets the plan squeeze where its files ask for it, which then all must.
int oct_lab_plan_squeeze(lab_plan *plan);

// The name of a map that is made.
void oct_lab_name_made(const lab_generate *what, char out[LAB_NAME_MAX]);

// Reads or makes a map, and draws its tasks. Complains where it fails; then there is nothing to
// close.
int oct_lab_open_map(const lab_plan *plan, const lab_source *source, lab_map *out);

void oct_lab_close_map(lab_map *map);

// ---- lab_hooks.c: what other modules do for the laboratory ----

oct_result oct_lab_generate(const lab_generate *what, oct_tree **tree, oct_tree_info *info);

// Whether an item needs something before a search can begin that can be made once for a map.
bool oct_lab_is_prepared(const lab_item *item);

// Databases of the items that need some, for the plan's rule. Complains where it fails; they are to
// be closed in any case.
int oct_lab_open_distances(lab_plan *plan);

void oct_lab_close_distances(lab_plan *plan);

// ---- lab_run.c ----

// The query of a task; its part of the laboratory is written to *lab, which must outlive it.
oct_query oct_lab_task_query(const lab_plan *plan, const lab_map *map, const lab_item *item,
                             const lab_task *task, oct_lab_query *lab);

typedef struct lab_runner lab_runner;

// NULL where memory is short. The plan is borrowed. Fewer threads where the system starts no more.
lab_runner *oct_lab_runner_create(const lab_plan *plan, uint32_t threads);

void oct_lab_runner_destroy(lab_runner *runner);

uint32_t oct_lab_runner_threads(const lab_runner *runner);

// What a map's runs are to show as progress: `done` of `total` before the first.
typedef struct lab_progress {
    size_t done, total;
} lab_progress;

// Does the runs of a map from row `first` on; rows before it have their results. Complains where a
// search fails. After a signal some are not done. `why` says what is wrong with the first invalid
// path, and stays as it was where there is none.
int oct_lab_run(lab_runner *runner, const lab_map *map, size_t first, lab_result *results,
                lab_progress progress, char why[LAB_WHY_MAX]);

// ---- lab_csv.c ----

typedef struct lab_csv {
    const char *path;
    cli_rows rows;
    oct_array old; // of uint8_t: the file as it was
    size_t at;     // the next of its rows
    size_t whole;  // where its last whole line ends
    uint32_t line; // of that row
} lab_csv;

// One row's place among all.
typedef struct lab_row {
    const lab_plan *plan;
    const lab_map *map;
    size_t task;
    const lab_item *item;
} lab_row;

// Begins a file. NEW refuses one that exists, FORCE replaces it, RESUME goes on with its rows. It
// is to be closed in any case. Nothing is written before the first row.
int oct_lab_csv_open(lab_csv *csv, const char *path, cli_rows_mode mode);

// Takes the next row that the file had, which must be this one; *kept says whether there was one.
int oct_lab_csv_take(lab_csv *csv, const lab_row *row, bool *kept, lab_result *out);

// The first line, and any other, each with its end.
const char *oct_lab_csv_header(void);
void oct_lab_csv_line(const lab_row *row, const lab_result *result, char out[LAB_LINE_MAX]);

// Adds a row.
int oct_lab_csv_add(lab_csv *csv, const lab_row *row, const lab_result *result);

// Returns `code`, unless rows got lost, or the file had more than there are.
int oct_lab_csv_close(lab_csv *csv, int code);

// A length or an angle as rows have it, so that what is read back is what was.
double oct_lab_csv_round(double value);

// ---- lab_save.c ----

// Writes a laboratory file with one task, and with the paths of all items unless `results` is NULL.
// Complains where it fails.
int oct_lab_save(const char *path, const lab_plan *plan, const lab_map *map,
                 const lab_result *results);

// A result as a laboratory file has it; points and names are borrowed.
lab_file_path oct_lab_path_of(const lab_item *item, const lab_result *result);

// Lists the files that the plan's suite will be among the outputs; complains where they cannot be
// written, or two have the same name.
int oct_lab_add_suite(const lab_plan *plan);

// Writes a map's part of the suite: NAME.map where the map is made, and NAME-TASK.json, without
// paths, for each of its tasks. *count rises by the number of files. Complains where it fails.
int oct_lab_save_suite(const lab_plan *plan, const lab_map *map, size_t *count);

#endif
