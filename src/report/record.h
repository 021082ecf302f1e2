// SPDX-License-Identifier: MIT
// The record of a test while it is played: what a report shows of it afterwards.
//
// However long a test takes, a record stays small. Tracks are thinned by half when they are full;
// of the spans of goals and thoughts the shortest go first; everything else has a largest number,
// and what goes beyond it is counted. Memory that is short ends the record, not the test.
#ifndef OCTANT_RECORD_H
#define OCTANT_RECORD_H

#include "base/base_internal.h"
#include "octant/report.h"
#include "report/drawing.h"

#define RECORD_AGENTS_MAX 16
#define RECORD_TRACK_MAX 4096 // places, of an agent
#define RECORD_SPANS_MAX 2048
#define RECORD_MARKS_MAX 512
#define RECORD_GOALS_MAX 512
#define RECORD_PATH_MAX 512
#define RECORD_LINKS_MAX 256
#define RECORD_TEXT_MAX (256u * 1024u) // bytes of all words
#define RECORD_STOREYS_MAX 3           // plans at heights where bodies were
#define RECORD_PLANS_MAX 6
#define RECORD_BOXES_MAX 4096

// Where a body was.
typedef struct record_place {
    oct_point at; // its centre
    uint64_t tick;
} record_place;

// Places in time: every `stride`-th is kept.
typedef struct record_track {
    oct_array places; // record_place
    uint64_t stride, seen;
} record_track;

// A goal while it was pursued, or a thought while it lasted.
typedef struct record_span {
    uint64_t from, to; // ticks
    const char *name;
    const char *text; // of a goal that failed, why; else ""
    uint32_t depth;   // of a goal
    uint8_t status;   // an oct_goal_status; CURRENT = not ended
    bool is_thought;
} record_span;

typedef enum record_mark_kind { RECORD_PRESS, RECORD_REFUSED, RECORD_INTERRUPT } record_mark_kind;

// A moment.
typedef struct record_mark {
    uint64_t tick;
    oct_point at;
    record_mark_kind kind;
    const char *text; // what was pressed, what interrupted
} record_mark;

typedef struct record_goal {
    oct_goal_view view; // its words are the record's
} record_goal;

// What is known of one button.
typedef struct record_link {
    const char *button;
    const char *doors;  // what it certainly does, with commas: "toggles Door1"; "" for nothing
    const char *odd;    // doors that it may move, but not by toggles alone
    uint32_t undecided; // doors of which it is not certain
    uint32_t presses;
} record_link;

typedef struct record_agent {
    const char *name;
    record_track track, replans; // where it was; where it took another path
    uint64_t turns, path_hash;
    oct_array spans;                       // record_span, by their begin
    uint32_t open[OCT_GOAL_DEPTH_MAX + 1]; // of the span at a depth, its index + 1; 0 = none
    uint32_t thought;                      // likewise
    uint64_t shortest;                     // spans below so many ticks are not kept
    oct_array marks;                       // record_mark
    oct_array goals;                       // record_goal, as they stood at the end
    oct_array links;                       // record_link
    oct_array path;                        // oct_point, the last one planned
    oct_remains remains;
    bool has_remains;
    oct_point last;   // where it was,
    bool has_last;    // if it was somewhere
    double travelled; // metres
} record_agent;

// Something that stands in a plan, metres along its axes.
typedef struct record_box {
    double min[2], max[2];
    uint8_t kind; // an oct_entity_kind
    bool is_open; // a door
    const char *name;
} record_box;

// The map of the first agent at one height, as it was at the end.
typedef struct record_plan {
    drawing_plane plane;
    oct_array cells; // uint8_t, a drawing_mark each
    oct_array boxes; // record_box
} record_plan;

struct oct_play_record {
    oct_allocator allocator;
    oct_arena texts;
    size_t text_bytes;
    const char *recent[256]; // words by their hash: most come again
    oct_result result;       // OCT_ERROR_MEMORY: it ends where that was
    uint64_t left_out;       // spans, marks, ... that had no room
    uint64_t ticks;          // of the game
    double rate;             // a second
    oct_bounds extent;       // of the world, where there is one;
    bool has_extent;         // else of what is known
    int axis[2], up;         // right and away on a plan, and up: 0 = x, 1 = y, 2 = z
    bool flipped;            // away is where numbers grow
    record_agent agents[RECORD_AGENTS_MAX];
    size_t agent_count;
    record_plan plans[RECORD_PLANS_MAX]; // where it was most of the time comes first, the side last
    size_t plan_count;
};

// ---- for the parts of a record ----

// A copy of words that lives as long as the record; "..." where there is no room.
const char *oct_record_words(oct_play_record *record, const char *words);
// Pushes an item where there are less than `most`; else counts it as left out.
void oct_record_push(oct_play_record *record, oct_array *array, size_t item_size, const void *item,
                     size_t most);

// What stands at the end: goals, links, what remains to be seen; and the plans.
void oct_record_end_agent(oct_play_record *record, record_agent *kept, oct_agent *agent);
void oct_record_draw_plans(oct_play_record *record, const oct_agent *agent);

#endif
