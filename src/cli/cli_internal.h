// SPDX-License-Identifier: MIT
// The octant command's frame: what a command is, and what all commands share.
//
// A command is one file that defines one cli_command: its operands and options are tables, from
// which parsing, checking, the synopsis, --help and the shell completion follow. A row in main.c
// makes it known. docs/reference/cli.md shows how to add one.
#ifndef OCTANT_CLI_INTERNAL_H
#define OCTANT_CLI_INTERNAL_H

#include "base/base_internal.h"
#include "base/words.h"
#include "cli/distances_file.h"
#include "octant/formats.h"
#include "octant/lab.h"
#include "octant/octant.h"
#include "octant/play.h"

#include <jansson.h>
#include <stdio.h>

// How a command ends: the process' exit code.
enum { CLI_YES = 0, CLI_NO = 1, CLI_BAD = 2 };

// Hands on the exit code of a step that did not go well.
#define CLI_TRY(step)                                                                              \
    do {                                                                                           \
        const int cli_try_code_ = (step);                                                          \
        if (cli_try_code_ != CLI_YES) {                                                            \
            return cli_try_code_;                                                                  \
        }                                                                                          \
    } while (0)

#define CLI_OPTIONS_MAX 64
#define CLI_OPERANDS_MAX 4

typedef enum cli_kind {
    CLI_FLAG,    // takes no value
    CLI_INTEGER, // from min to max
    CLI_REAL,    // from min to max, finite
    CLI_CHOICE,  // one of the words in `value`
    CLI_FILE,    // the name of a file that is read; never empty
    CLI_OUTPUT,  // of one that is written whole
    CLI_ROWS,    // of one that grows line by line, and may be a device or a pipe
    CLI_FOLDER,  // a folder's name; never empty
    CLI_TEXT     // anything
} cli_kind;

// An option, or an operand (an argument that is told by its place).
typedef struct cli_param {
    const char *name;    // option: long name without dashes; operand: as the synopsis shows it
    const char *value;   // what --help calls an option's value; a choice's words: "open|blocked"
    const char *initial; // what counts where it is not given, as text; NULL = nothing
    const char *help;
    double min, max; // of integers and reals; magnitudes to 2^53
    cli_kind kind;
    char letter;   // an option's short name; 0 = none
    bool required; // must be given
    bool many;     // of the last operand, a FILE or TEXT: may be given any number of times
} cli_param;

// Rows of tables of options and operands. `preset` is the initial text; NULL = nothing.
#define CLI_PARAM_(type, title, metavar, preset, least, most, text)                                \
    {                                                                                              \
        .kind = (type), .name = (title), .value = (metavar), .initial = (preset), .min = (least),  \
        .max = (most), .help = (text)                                                              \
    }
#define CLI_PARAM_FLAG(title, text) CLI_PARAM_(CLI_FLAG, title, NULL, NULL, 0, 0, text)
#define CLI_PARAM_INTEGER(title, metavar, preset, least, most, text)                               \
    CLI_PARAM_(CLI_INTEGER, title, metavar, preset, least, most, text)
#define CLI_PARAM_REAL(title, metavar, preset, least, most, text)                                  \
    CLI_PARAM_(CLI_REAL, title, metavar, preset, least, most, text)
#define CLI_PARAM_CHOICE(title, metavar, preset, text)                                             \
    CLI_PARAM_(CLI_CHOICE, title, metavar, preset, 0, 0, text)
#define CLI_PARAM_TEXT(title, metavar, preset, text)                                               \
    CLI_PARAM_(CLI_TEXT, title, metavar, preset, 0, 0, text)
#define CLI_PARAM_FILE(title, text) CLI_PARAM_(CLI_FILE, title, "FILE", NULL, 0, 0, text)
#define CLI_PARAM_OUTPUT(title, text) CLI_PARAM_(CLI_OUTPUT, title, "FILE", NULL, 0, 0, text)
#define CLI_PARAM_ROWS(title, text) CLI_PARAM_(CLI_ROWS, title, "FILE", NULL, 0, 0, text)
#define CLI_PARAM_FOLDER(title, text) CLI_PARAM_(CLI_FOLDER, title, "DIR", NULL, 0, 0, text)

#define CLI_INTEGER_MAX 9007199254740992.0 // 2^53: doubles hold all integers to it

typedef struct cli_value {
    const char *text; // as typed, or the initial text, or NULL
    double real;      // INTEGER and REAL
    int64_t integer;  // INTEGER; the index of a CHOICE's word
    bool given;       // typed; all that a FLAG has
} cli_value;

typedef struct cli_args {
    cli_value options[CLI_OPTIONS_MAX];   // in the order of the command's table
    cli_value operands[CLI_OPERANDS_MAX]; // likewise; of one that may be many, the first
    const char **many;                    // all of that one, as typed
    size_t many_count;
    bool json;
    struct cli_files *files; // that are read and written
} cli_args;

typedef struct cli_command {
    const char *name;          // one or two words: "gen", "map info"
    const char *summary;       // half a line
    const char *details;       // further lines of --help, or NULL
    const cli_param *operands; // the optional ones last
    const cli_param *options;  // --help and --json, which all commands have, are not among them
    size_t operand_count;
    size_t option_count;
    int (*run)(const cli_args *args); // returns an exit code
} cli_command;

// ---- options.c ----

typedef enum cli_parse { CLI_PARSE_RUN, CLI_PARSE_HELP, CLI_PARSE_BAD } cli_parse;

// Reads what follows the command's name. Complains by itself where it returns BAD. The arguments
// are to be freed in any case.
cli_parse oct_cli_parse(const cli_command *command, int count, char *const *words, cli_args *args);

void oct_cli_free_args(cli_args *args);

// Prints what --help prints.
void oct_cli_help(const cli_command *command);

// What options that were not given stand for; none of them may be required.
void oct_cli_fill_in(const cli_param *options, size_t count, cli_value *values);

// Reads numbers that are separated by commas. Returns how many there are; 0 where the text is
// anything else, or holds more than `most`.
int oct_cli_read_numbers(const char *text, double *out, int most);

// Whether a typed word is so near to a known one that it was probably meant.
bool oct_cli_is_near(const char *typed, const char *known);

// ---- same_file.c ----

// The files that a command reads and writes. No output may be an input, nor another output: that is
// decided by device and inode, before any work.
typedef struct cli_files cli_files;

// All files of a command line; the command may add others. Complains about outputs that cannot be
// written, or are the same file as another one. NULL where it fails.
int oct_cli_files_begin(const cli_command *command, const cli_args *args, cli_files **out);
void oct_cli_files_end(cli_files *files);

// Adds a file: an input, which a CLI_FILE is, or an output, which complaints call by its label.
int oct_cli_files_add(cli_files *files, cli_kind kind, const char *label, const char *path);

// Complains where some of what was added are the same file.
int oct_cli_files_check(const cli_files *files);

// ---- output.c ----

// "octant: MESSAGE" as one line on stderr, with control characters replaced. Returns CLI_BAD.
int oct_cli_complain(const char *format, ...) OCT_FORMAT(1, 2);

// From here on complaints are written there, the last one alone, and not to stderr: for whoever
// passes them on. NULL ends that. Not for several threads.
void oct_cli_hear(char *out, size_t size);

// "octant: warning: MESSAGE" likewise: the command goes on.
void oct_cli_warn(const char *format, ...) OCT_FORMAT(1, 2);

// CLI_YES for OCT_OK; else complains of a file or command, with what the result means.
int oct_cli_check(const char *who, oct_result result);

// The same of a file that is read or written, with the place that `error` names.
int oct_cli_check_file(const char *path, oct_result result, const oct_error *error);

// Prints the object on stdout and gives it back. NULL stands for one that memory did not allow.
int oct_cli_print_json(json_t *object);

// Adds the pairs of one object to another, and gives it back. NULL, with nothing left, where one of
// them is NULL or memory is short.
json_t *oct_cli_json_join(json_t *object, json_t *more);

// Flushes stdout; returns `code`, or complains where what was printed did not arrive.
int oct_cli_finish(int code);

// A name or a path from outside as it may be printed: on one line, and without what steers a
// terminal. It lives as long as the block that it stands in.
#define CLI_SHOWN(words) oct_words_copy((words), (char[CLI_SHOWN_MAX]){0}, CLI_SHOWN_MAX)
#define CLI_SHOWN_MAX 4608 // a path, and more where bytes become U+FFFD

typedef enum cli_style { CLI_PLAIN, CLI_BOLD, CLI_GREEN, CLI_RED, CLI_STYLE_COUNT } cli_style;

// What switches a style on (and PLAIN: off) in a stream: empty unless it is a terminal that may be
// coloured. See https://no-color.org.
const char *oct_cli_style(FILE *stream, cli_style style);

// As printf, in a style.
void oct_cli_printf(cli_style style, const char *format, ...) OCT_FORMAT(2, 3);

// A bar on stderr where that is a terminal; `done` from 0 to `total`, and at `total` it vanishes.
void oct_cli_progress(const char *what, size_t done, size_t total);

// CPU time of this thread, milliseconds.
double oct_cli_now_ms(void);

// A time as people read it: in us, ms or s.
typedef struct cli_time {
    double value;
    const char *unit;
} cli_time;

cli_time oct_cli_time(double us);

// Time on the clock, milliseconds since some moment.
double oct_cli_wall_ms(void);

// ---- threads.c ----

// Threads that wait for work; one owner.
typedef struct cli_threads cli_threads;

// `workers` in all, the calling thread being one of them; fewer where the system starts no more.
// NULL where memory is short.
cli_threads *oct_cli_threads_create(uint32_t workers);

// How many workers leave no core idle, from 1 to CLI_THREADS_MAX.
uint32_t oct_cli_cores(void);

#define CLI_THREADS_MAX 256
#define CLI_MEMORY_MAX 1000000 // megabytes

// Ends the threads; NULL is allowed.
void oct_cli_threads_destroy(cli_threads *threads);

// What the library takes. It must be run from one thread at a time, and not from within a task.
oct_executor oct_cli_threads_executor(cli_threads *threads);

// ---- cache.c ----

// The folder for what takes long to work out: $OCTANT_CACHE, else $XDG_CACHE_HOME/octant, else
// $HOME/.cache/octant. It need not exist. False where there is none, or its name is too long.
bool oct_cli_cache_folder(char *out, size_t size);

// ---- signals.c ----

#define CLI_INTERRUPTED 130 // what a command returns; oct_cli_stop_code is the exit code

// To be called once, first. SIGINT, SIGTERM and SIGHUP end the process, and unfinished files go
// with it; a pipe that nobody reads, or a limit on file sizes, is an error of writing.
void oct_cli_guard_process(void);

// Lets SIGINT, SIGTERM and SIGHUP set a flag until they are released. A second one ends the process
// at once.
void oct_cli_catch_signals(void);
void oct_cli_release_signals(void);

// The processes of games: a signal that ends this process ends them, too.
struct link_groups *oct_cli_process_groups(void);

// Whether there was one since they were caught.
bool oct_cli_is_stopped(void);

// The exit code of a command that one stopped, as shells have it: 128 and the signal's number.
int oct_cli_stop_code(void);

// A query whose time ends as soon as there was a signal; *ticks is its clock's and stays with it.
void oct_cli_stop_query(oct_query *query, uint64_t *ticks);

// ---- rows.c ----

// A text file that holds whole lines at any moment: each is written at once, so that neither Ctrl-C
// nor a crash takes away what was done.
typedef struct cli_rows {
    const char *path;
    int file;       // < 0: nothing is open
    uint64_t whole; // bytes of the lines so far
    bool is_regular;
    bool is_new;   // there was none before
    bool is_begun; // what it held is gone, or kept
} cli_rows;

// What becomes of a file that holds something: refused, replaced, or gone on with.
typedef enum cli_rows_mode { CLI_ROWS_NEW, CLI_ROWS_FORCE, CLI_ROWS_RESUME } cli_rows_mode;

// Opens a file, creates it where there is none, and locks it: what another process is writing is
// refused. What it holds stays until the rows are begun. It is to be closed in any case. Complains
// where it fails.
int oct_cli_rows_open(cli_rows *rows, const char *path, cli_rows_mode mode);

// What a file holds: bytes, and how many of them are whole lines. Its first line must be `header`;
// complaints say whose such a file is.
int oct_cli_rows_read(const cli_rows *rows, const char *header, const char *whose, oct_array *out,
                      size_t *whole);

// Divides a line at its commas; false where it has not so many fields.
bool oct_cli_rows_split(char *line, char **fields, int count);
// One number of a row, or `none` where the field is empty; false where it is neither.
bool oct_cli_rows_number(const char *field, double none, double *out);
bool oct_cli_rows_status(const char *word, oct_path_status *out);

// Keeps the first bytes, which are lines, and throws away the others.
int oct_cli_rows_begin(cli_rows *rows, uint64_t keep);

// Adds a line, which ends in '\n', or several.
int oct_cli_rows_write(cli_rows *rows, const char *lines);

// Returns `code`, unless lines got lost. A file that was created and not begun is removed.
int oct_cli_rows_close(cli_rows *rows, int code);

// ---- paths.c ----

typedef bool cli_name_fn(const char *name);

bool oct_cli_is_folder(const char *path);
// Complains about a --root that is no folder.
int oct_cli_check_root(const cli_value *option);

// A .lua file that is not hidden.
bool oct_cli_is_script(const char *name);

// Adds a file to an array of char *, or all files of a folder whose names are wanted, in the order
// of their names. Complains about a folder without any, by what they are.
int oct_cli_add_paths(oct_array *paths, const char *path, cli_name_fn *is_wanted, const char *what);
void oct_cli_free_paths(oct_array *paths);

// ---- maps.c ----

// The dimensions of the maps that files with a path's extension hold: 2, 3, or 0 for either (and
// where the extension is not known).
uint32_t oct_cli_map_dims(const char *path);

// Whether files with a path's extension can hold UNKNOWN cells.
bool oct_cli_map_holds_unknown(const char *path);

// Whether a map of that many dimensions (0 = not known yet) can be written there; complains if not.
int oct_cli_check_target(const char *path, uint32_t dims);

// What is said of a mesh.
typedef struct cli_mesh {
    oct_mesh_report report;
    size_t triangles, vertices;
    double area;
    oct_bounds bounds;
    double load_ms;
} cli_mesh;

// A map file in memory, or the map of a mesh.
typedef struct cli_map {
    oct_tree *tree;
    oct_tree_info info;
    const char *kind;    // of the file, as its extension would be
    bool has_clearance;  // it is the view that a clearance leaves
    double clearance_ms; // of making the view that a clearance leaves, of cells
    double build_ms;     // of a mesh: of making the map
    cli_mesh mesh;       // of a mesh
} cli_map;

// Complains where it fails; then there is nothing to destroy.
int oct_cli_load(const char *path, cli_map *map);

// Writes a map whole or not at all; complains where it fails.
int oct_cli_save(const char *path, const oct_tree *tree, const oct_tree_info *info,
                 uint64_t *file_bytes);

// ---- worlds.c, meshes.c ----

// The operand of commands that take a map or a world.
#define CLI_MAP_OPERAND(operand)                                                                   \
    {                                                                                              \
        .name = (operand), .kind = CLI_FILE, .required = true,                                     \
        .help = ".octant, .3dmap, .map, .bt; mesh: .obj, .glb...; world: .json, .sbs"              \
    }

// The options of every command that makes a map of a world; they stand first in its table.
#define CLI_WORLD_OPTION_COUNT 11
#define CLI_WORLD_UP 7 // where --up stands among them
#define CLI_WORLD_OPTIONS                                                                          \
    CLI_PARAM_REAL("cell", "M", "0.35", 1e-3, 1e6, "worlds, meshes: edge of a cell, metres"),      \
        CLI_PARAM_TEXT("body", "M", "1.8",                                                         \
                       "worlds: the body's extent, metres: 1.8, or 0.8,0.8,1.8"),                  \
        CLI_PARAM_CHOICE("padding", "whole|centre", "whole",                                       \
                         "worlds: what blocks grow by, half the body or less"),                    \
        CLI_PARAM_FILE("sizes", "saves: sizes of blocks (default: block_sizes.json near by)"),     \
        CLI_PARAM_INTEGER("cells", "N", NULL, 1, 1 << 20,                                          \
                          "meshes: so many cells along the longest side"),                         \
        CLI_PARAM_REAL("margin", "M", "0", 0, 1e6, "meshes: free space around their box, metres"), \
        CLI_PARAM_FLAG("hollow", "meshes: what closed parts enclose is open"),                     \
        CLI_PARAM_CHOICE("up", "x|y|z" /* as oct_up */, "y", "meshes: which axis points up"),      \
        CLI_PARAM_REAL("unit", "M", "1", 1e-9, 1e9, "meshes: metres in a unit of the file"),       \
        CLI_PARAM_TEXT("clearance", "R", NULL,                                                     \
                       "maps, meshes: a body's radius; R,H: capsule; X,Y,Z: half extents"),        \
        CLI_PARAM_CHOICE("clearance-by", "distance|normals", "distance",                           \
                         "meshes: normals, which are wrong, to compare")

// How to make a map of a world, from those options.
typedef struct cli_world_plan {
    const char *command;
    bool is_world; // whether the file's name is one of a world
    bool is_mesh;  // or of a mesh
    double cell;
    int64_t cells;         // along the longest side of a mesh; 0 = as many as `cell` says
    double margin;         // around a mesh
    bool hollow;           // of meshes
    oct_up up;             // of meshes
    double unit;           // of meshes: metres in theirs
    const char *unit_text; // as typed
    bool by_normals;       // the clearance of a mesh
    const char *clearance; // of maps and meshes, as typed; NULL = none
    double extents[3];     // of the body
    bool is_ball;          // it may turn any way: one extent is told
    oct_padding padding;
    const char *sizes; // the file that a save's sizes of blocks are in; NULL = look for one
    uint64_t memory;   // bytes that world and map may take
    bool has_memory;   // whether the command lets its users choose that
} cli_world_plan;

#define CLI_WORLD_MEMORY (4000 * OCT_MEGABYTE) // where no option says another

// A world and its map: blocks grown by the body, in the cells of the extent, which count as seen.
typedef struct cli_world {
    oct_world *world;
    const char *kind; // which format it has
    oct_map *map;
    oct_budget budget;  // of both, and of what works on them; so this must not move. Limit 0: none
    bool has_memory;    // as the plan has it
    oct_tree_info info; // the extent's cells, and the axes
    double safe_cell;   // the largest that keeps passages open for the body, 0 where it does not
                        // fit; -1 where the world does not say how wide they are
    double load_ms;
    double build_ms;
} cli_world;

// Complains about a body that is none, and about options for worlds where the file is a map.
int oct_cli_plan_world(const char *command, const char *path, const cli_value *options,
                       cli_world_plan *plan);

// Opens a map file, or makes a map of a mesh, with the clearance that was asked for. Complains
// where it fails; then there is nothing to destroy.
int oct_cli_open_map(const char *path, const cli_world_plan *plan, cli_map *out);

// Opens a mesh alone, within the plan's memory; complains where it fails. A command has one.
int oct_cli_open_mesh(const char *path, const cli_world_plan *plan, oct_mesh **out);

// A clearance as typed. Complains where it is none.
int oct_cli_read_clearance(const char *command, const char *words, oct_up up, oct_clearance *out);

// ---- mesh_child.c ----

// The word by which this program starts itself to read a mesh, before the path and the unit.
#define CLI_MESH_CHILD "--read-mesh-for-octant"
int oct_cli_be_mesh_child(const char *path, const char *unit);

// Reads a mesh in a child with limits of time and memory; complains where it fails.
int oct_cli_read_mesh(const char *path, const oct_mesh_def *def, const char *unit, oct_mesh **out,
                      oct_mesh_report *report);

// The sizes of a save's blocks, from a file that was named (else NULL), or one near by; *out is
// NULL where there is none. Complains where it fails.
int oct_cli_load_sizes(const char *path, const char *named, oct_world **out);

// Reads a world, with warnings of what it lacks; complains where it fails. There is no map yet.
int oct_cli_load_world(const char *path, const cli_world_plan *plan, cli_world *out);

// Builds the map with blocks grown by so much, those on turned grids by a ball or by a box;
// complains where it fails. The world is to be freed in any case.
int oct_cli_map_world(const char *path, double cell, oct_point padding, bool is_ball,
                      cli_world *world);

// The same for a body, with a warning of cells that close passages.
int oct_cli_build_world(const char *path, const cli_world_plan *plan, cli_world *world);

// Both; where it fails there is nothing to free.
int oct_cli_open_world(const char *path, const cli_world_plan *plan, cli_world *out);

void oct_cli_free_world(cli_world *world);

// Begins a budget, as a plan says.
void oct_cli_begin_memory(cli_world *world, const cli_world_plan *plan);
// What to pass on; NULL where there is no limit.
const oct_allocator *oct_cli_memory(const cli_world *world);
// Complains where a result is no success: of memory, with what would need less.
int oct_cli_check_memory(const char *path, oct_result result, const cli_world *world);

// ---- search_options.c ----

// The options of every command that searches; they stand behind those of worlds.
#define CLI_SEARCH_OPTION_COUNT 12
#define CLI_WORDS_MAX 256

// The library's names, as choices have them: of algorithms, with and without the yardstick behind
// them, of graphs over maps, and of heuristics. Filled once, before options are read.
extern char oct_cli_algorithm_words[CLI_WORDS_MAX], oct_cli_yardstick_words[CLI_WORDS_MAX],
    oct_cli_graph_words[CLI_WORDS_MAX], oct_cli_heuristic_words[CLI_WORDS_MAX];
void oct_cli_name_searches(void);

#define CLI_SEARCH_OPTIONS(algorithms)                                                             \
    CLI_PARAM_CHOICE("algorithm", (algorithms), "portal", "how to search, one of"),                \
        CLI_PARAM_CHOICE("graph", oct_cli_graph_words, NULL,                                       \
                         "what to search (default: what suits the algorithm), one of"),            \
        CLI_PARAM_CHOICE("grade", "best|fast" /* as oct_grade */, "best",                          \
                         "of portal: the shortest path, or one found sooner"),                     \
        CLI_PARAM_CHOICE("taut", "default|no|yes" /* as oct_taut */, NULL,                         \
                         "whether the path is pulled taut (default: portal's is)"),                \
        CLI_PARAM_CHOICE("heuristic", oct_cli_heuristic_words, NULL,                               \
                         "what guides the search, one of"),                                        \
        CLI_PARAM_CHOICE("neighbours", "4|6|8|18|26", NULL,                                        \
                         "of a cell (default 26, flat 8), of a leaf if dual (6, flat 4)"),         \
        CLI_PARAM_CHOICE("unknown", "blocked|open|priced" /* as oct_unknown */, "blocked",         \
                         "what unknown cells count as, one of"),                                   \
        CLI_PARAM_REAL("unknown-price", "N", "2", OCT_PRICE_MIN, OCT_PRICE_MAX,                    \
                       "what a metre in them costs, where they are priced"),                       \
        CLI_PARAM_FLAG("squeeze", "flat: pass between blocked cells that meet in a corner"),       \
        CLI_PARAM_CHOICE("block", "2|3|4", "4", "of block: cells along a block's edge"),           \
        CLI_PARAM_CHOICE("lddb", "plain|semi|full" /* as oct_distances_kind */, "plain",           \
                         "of block: which local distance database"),                               \
        CLI_PARAM_FLAG("unpacked", "of block: take the large database")

// A database of local distances, from the cache if possible.
typedef struct cli_distances {
    oct_distances *distances; // NULL = none
    distances_mapping mapping;
} cli_distances;

// Complains where it fails; warns where it cannot be kept for the next time. Closing is allowed in
// any case.
int oct_cli_open_distances(const char *command, const oct_distances_def *def, cli_distances *out);
void oct_cli_close_distances(cli_distances *distances);

// A map to search, packed, from a map file or made of a world.
typedef struct cli_scene {
    const char *path;
    const oct_tree *tree;
    oct_tree_info info;
    int dims;
    size_t bytes;                  // that the cells take
    oct_components *components[2]; // as a planner wants them; NULL until they are made
    oct_lab_query lab;             // of the query that was planned
    cli_distances distances;       // as a query wants them; none until one was planned
    bool is_world;
    cli_map map;     // where it is none
    cli_world world; // where it is one
} cli_scene;

// `options` are a command's, which begin with those of worlds. Complains where it fails; then there
// is nothing to close.
int oct_cli_open_scene(const char *command, const char *path, const cli_value *options,
                       cli_scene *scene);

// A scene of a map, which it takes; complains where it fails, and then the map is gone.
int oct_cli_take_map(const char *path, const cli_map *map, cli_scene *scene);

void oct_cli_close_scene(cli_scene *scene);

// Finds what is connected with what on a query's terms. Complains where it fails.
int oct_cli_connect_scene(cli_scene *scene, const oct_query *query);

// How to create a planner for a scene.
oct_planner_def oct_cli_planner_def(const cli_scene *scene);

// The bytes that its components take.
size_t oct_cli_component_bytes(const cli_scene *scene);

// Whether a cell is one of the scene's box.
bool oct_cli_scene_holds(const cli_scene *scene, oct_vec cell);

// Whether a path may begin or end at a point: it is in the scene's box, whose far sides count.
bool oct_cli_is_end(const cli_scene *scene, oct_point at);

// A query without start and goal, from the options above. What it needs is the scene's. Beyond the
// scene's box everything is blocked. An algorithm that does not search the default graph searches
// another, unless one was asked for. Complains about options that do not go together.
int oct_cli_plan_search(const char *command, const cli_value *options, cli_scene *scene,
                        oct_query *query);

// The name of a query's grade; NULL for algorithms that have none.
const char *oct_cli_grade(const oct_query *query);

// How many neighbours a query's nodes have; 0 for graphs that leave no choice.
uint32_t oct_cli_neighbours(const oct_query *query, int dims);

// A point from the text of an option: three numbers, or at two dimensions two. Complains where it
// is none.
int oct_cli_parse_point(const char *command, const char *option, const char *text, int dims,
                        oct_point *out);

// A point of the scene from the text of an option; complains where it is none, or lies outside.
int oct_cli_read_point(const char *command, const char *option, const char *text,
                       const cli_scene *scene, oct_point *out);

// "(1, 2.5, 3)", or two numbers; returns `out`.
const char *oct_cli_point_text(int dims, oct_point at, char *out, size_t size);

// Whether a path is valid, exactly; where not, `why` says so.
bool oct_cli_judge(const cli_scene *scene, const oct_query *query, const oct_path *path, char *why,
                   size_t size);

#endif
