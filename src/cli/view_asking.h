// SPDX-License-Identifier: MIT
// A question of a page, and what its answer is made of (docs/internals/viewer.md).
#ifndef OCTANT_CLI_VIEW_ASKING_H
#define OCTANT_CLI_VIEW_ASKING_H

#include "cli/view_lab.h"
#include "cli/view_session.h"

// What answers begin with that are no text.
enum {
    ANSWER_CHUNK = 1,
    ANSWER_SLICE,
    ANSWER_EXPANSIONS,
    ANSWER_LINES,
    ANSWER_BLOCKS,
    ANSWER_DIVIDED,
    ANSWER_ROWS,
    ANSWER_PAIRS,
    ANSWER_LEAVES
};

typedef struct view_asking {
    view_session *session;
    json_t *question;
    json_int_t id;
    view_answer *out;
    const char *why; // it cannot be answered
    char heard[512]; // a complaint that the page gets
} view_asking;

// False, with the reason.
bool oct_cli_ask_refuse(view_asking *a, const char *why);

// Parts of a question. Each refuses what is missing, of another type, or out of range.
bool oct_cli_ask_integer(view_asking *a, const char *key, json_int_t least, json_int_t most,
                         json_int_t *out);
// A swarm is a map, too.
bool oct_cli_ask_item(view_asking *a, view_kind kind, view_item **out);
bool oct_cli_ask_numbers(view_asking *a, const char *key, double out[3]);
bool oct_cli_ask_place(view_asking *a, const char *key, oct_point *out);
bool oct_cli_ask_cell(view_asking *a, const char *key, oct_vec *out);

// Start and goal of the laboratory: `from` and `to`, cells; the map's far sides count.
bool oct_cli_ask_task(view_asking *a, const view_lab *lab, lab_task *out);

// What is connected with what in a map: found once.
bool oct_cli_ask_components(view_asking *a, view_item *item, const oct_query *query);

// Parts of an answer: four numbers, lowest byte first, and bytes behind them; or one JSON object,
// which is taken.
bool oct_cli_say_head(view_asking *a, uint32_t kind, uint32_t first, uint32_t second);
bool oct_cli_say_bytes(view_asking *a, const void *bytes, size_t size);
bool oct_cli_say_json(view_asking *a, json_t *object);

// Bytes that may not be UTF-8.
json_t *oct_cli_name_json(const char *name);
json_t *oct_cli_vec_json(oct_vec v);
json_t *oct_cli_point_json(oct_point p);
json_t *oct_cli_bounds_json(oct_bounds b);

// The questions.
bool oct_cli_tell_scene(view_asking *a);
bool oct_cli_tell_blocks(view_asking *a);
bool oct_cli_tell_door(view_asking *a);
bool oct_cli_tell_chunk(view_asking *a);
bool oct_cli_tell_slice(view_asking *a);
bool oct_cli_tell_leaf(view_asking *a);
bool oct_cli_tell_pick(view_asking *a);
bool oct_cli_tell_paths(view_asking *a);
bool oct_cli_tell_expansions(view_asking *a);
bool oct_cli_tell_lines(view_asking *a);
bool oct_cli_tell_divided(view_asking *a);
bool oct_cli_tell_lab(view_asking *a);
bool oct_cli_tell_lab_rows(view_asking *a);
bool oct_cli_tell_lab_new(view_asking *a);
bool oct_cli_tell_lab_generate(view_asking *a);
bool oct_cli_tell_lab_edit(view_asking *a);
bool oct_cli_tell_lab_file(view_asking *a);
bool oct_cli_tell_lab_load(view_asking *a);
bool oct_cli_tell_lab_run(view_asking *a);
bool oct_cli_tell_lab_batch(view_asking *a);
bool oct_cli_tell_lab_sees(view_asking *a);
bool oct_cli_tell_quadtree(view_asking *a);
bool oct_cli_tell_quadtree_leaves(view_asking *a);

#endif
