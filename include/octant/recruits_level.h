// SPDX-License-Identifier: MIT
/// \file
/// Levels of Lab Recruits as data: a reader of their CSV files.
///
/// A level is a stack of sheets of cells, each cell of 1 m: x is the column, z the row, y the
/// sheet, and a cell's centre has whole coordinates. A cell holds any number of parts: a wall, a
/// floor with a button on it, nothing. Links say what a button or a character acts on, by name.
///
/// The reader is as forgiving as the game: what makes no sense is left out, and told. Only what is
/// no text, or exceeds a limit, is refused. docs/testers/lab-world.md describes the format.
///
/// Threading: a level never changes once it was read.
#ifndef OCTANT_RECRUITS_LEVEL_H
#define OCTANT_RECRUITS_LEVEL_H

#include "octant/base.h"

/// Limits of what is read.
#define OCT_RECRUITS_WIDTH_MAX 4096u
#define OCT_RECRUITS_DEPTH_MAX 4096u
#define OCT_RECRUITS_SHEETS_MAX 64u
#define OCT_RECRUITS_CELLS_MAX (UINT32_C(1) << 22) ///< of all sheets
#define OCT_RECRUITS_PARTS_MAX (UINT32_C(1) << 22)
#define OCT_RECRUITS_LINKS_MAX (UINT32_C(1) << 20)
#define OCT_RECRUITS_AGENTS_MAX 64u
#define OCT_RECRUITS_NAME_MAX 200u ///< bytes of a name
/// Warnings that one file may give; the last one says that there are more.
#define OCT_RECRUITS_WARNINGS_MAX 100u

/// What can stand in a cell.
typedef enum oct_recruits_kind {
    OCT_RECRUITS_FLOOR,         ///< f
    OCT_RECRUITS_WALL,          ///< w; wf, ce and cl too: to walk and to see, they are walls
    OCT_RECRUITS_RAMP,          ///< r: rises by 1 m over its cell
    OCT_RECRUITS_AGENT,         ///< a
    OCT_RECRUITS_BUTTON,        ///< b
    OCT_RECRUITS_COLOUR_BUTTON, ///< cb
    OCT_RECRUITS_DOOR,          ///< d; od, which begins open
    OCT_RECRUITS_SCREEN,        ///< cs: a colour screen
    OCT_RECRUITS_FLAG,          ///< g: a goal
    OCT_RECRUITS_FIRE,          ///< dhf; dhn, a box that harms in the same way
    OCT_RECRUITS_ENEMY,         ///< m
    OCT_RECRUITS_NPC,           ///< npc, npc3, npc5
    OCT_RECRUITS_WAYPOINT,      ///< ng: where a character goes
    OCT_RECRUITS_CHAIR,         ///< c
    OCT_RECRUITS_TABLE,         ///< t
    OCT_RECRUITS_DESK,          ///< p2
    OCT_RECRUITS_FUSE_BOX,      ///< p3
    OCT_RECRUITS_BOOKCASE,      ///< bc
    OCT_RECRUITS_KIND_COUNT
} oct_recruits_kind;

/// "floor", "wall", ...; NULL beyond the last.
OCT_API const char *oct_recruits_kind_name(oct_recruits_kind kind);

/// One thing in a cell. `turn` counts quarter turns from the letter w: w, s, e, n; each takes
/// (x, z) to (z, -x).
typedef struct oct_recruits_part {
    const char *id; ///< "" where it has none
    oct_recruits_kind kind;
    uint32_t x, y, z; ///< column, sheet, row
    uint32_t line;    ///< of the file, from 1
    uint32_t cell;    ///< of that line, from 1
    uint8_t turn;     ///< 0 to 3
    bool is_open;     ///< of a DOOR: it begins open
    bool has_colour;
    uint8_t colour[3]; ///< red, green, blue
} oct_recruits_part;

#define OCT_RECRUITS_NONE UINT32_MAX

/// What `source` acts on; indices of parts, NONE where the level has no such part.
typedef struct oct_recruits_link {
    const char *source_id, *target_id;
    uint32_t source, target;
    uint32_t line, cell; ///< of the target
} oct_recruits_link;

typedef struct oct_recruits_level oct_recruits_level;

/// How to read a level; all zero is the default.
typedef struct oct_recruits_reading {
    /// Is told what was left out or makes no sense, with line and cell of the file, from 1 on; 0
    /// where it concerns the whole. May be NULL.
    void (*warn)(void *ctx, uint32_t line, uint32_t cell, const char *message);
    void *ctx;
    const oct_allocator *allocator; ///< copied; NULL = malloc
} oct_recruits_reading;

/// Reads a level from the bytes of a file. `how` and `error` may be NULL. On failure *out is NULL:
/// OCT_ERROR_FORMAT for what is no text, OCT_ERROR_RANGE beyond a limit, with line and cell in
/// `error` (its column is the cell's number). No bytes at all are an empty level.
OCT_API oct_result oct_recruits_level_read(const void *data, size_t size,
                                           const oct_recruits_reading *how,
                                           oct_recruits_level **out, oct_error *error);
/// Frees a level; NULL is allowed.
OCT_API void oct_recruits_level_destroy(oct_recruits_level *level);

/// Cells along x and z, and sheets. 0 of an empty level.
OCT_API uint32_t oct_recruits_level_width(const oct_recruits_level *level);
OCT_API uint32_t oct_recruits_level_depth(const oct_recruits_level *level);
OCT_API uint32_t oct_recruits_level_sheets(const oct_recruits_level *level);

/// All parts, in the order of the file.
OCT_API const oct_recruits_part *oct_recruits_level_parts(const oct_recruits_level *level,
                                                          size_t *count);
/// All links, in the order of the file.
OCT_API const oct_recruits_link *oct_recruits_level_links(const oct_recruits_level *level,
                                                          size_t *count);
/// The first part with an id; NONE where there is none.
OCT_API uint32_t oct_recruits_level_find(const oct_recruits_level *level, const char *id);

#endif
