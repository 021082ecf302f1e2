// SPDX-License-Identifier: MIT
// Drawings: cells, boxes, ways and names in a plane of the world, as SVG. Reports and --svg draw
// with it.
#ifndef OCTANT_DRAWING_H
#define OCTANT_DRAWING_H

#include "base/sink.h"
#include "octant/tree.h"

#define DRAWING_EDGE 256 // most cells that a drawing is wide or high
#define DRAWING_NAMES_MAX 60
#define DRAWING_WAYS 8 // colours of ways

// What a legend explains. Cells come first.
typedef enum drawing_mark {
    DRAWING_UNKNOWN,
    DRAWING_OPEN,
    DRAWING_BLOCKED,
    DRAWING_FRONTIER, // open, and next to what is unknown
    DRAWING_CELL_COUNT,
    DRAWING_WALL = DRAWING_CELL_COUNT, // a thing
    DRAWING_DOOR,
    DRAWING_WAY, // a door that is open
    DRAWING_PANEL,
    DRAWING_TARGET,
    DRAWING_TRACK,
    DRAWING_ELSE, // a way nearer or farther than the plane
    DRAWING_PLANNED,
    DRAWING_REPLAN,
    DRAWING_PRESS,
    DRAWING_START,
    DRAWING_END,
    DRAWING_MARK_COUNT
} drawing_mark;

// A plane through the world, and the cells in it that are shown.
typedef struct drawing_plane {
    int axis[2], across; // to the right, along the page, through it: 0 = x, 1 = y, 2 = z
    bool flipped;        // the page's top is where numbers grow
    double at;           // of the cut, metres
    double from, until;  // what lies there is at the plane
    double min[2];       // of the smallest corner, metres along the axes
    double edge;         // of a cell as it is shown
    uint32_t size[2];    // cells
} drawing_plane;

// Pixels.
typedef struct drawing_name {
    double x, y, width;
} drawing_name;

typedef struct drawing {
    sink *out;
    const drawing_plane *plane;
    double scale; // pixels a metre
    double width, height;
    uint32_t thin; // so many cells and places are drawn as one, as a power of two
    uint32_t name_count;
    drawing_name names[DRAWING_NAMES_MAX];
} drawing;

// Places of a way: points with whatever stands between them.
typedef struct drawing_way {
    const oct_point *first;
    size_t count, stride; // bytes from one to the next
    const char *colour;   // oct_drawing_colour()
    const char *title;    // or NULL
} drawing_way;

// The sum of what drawings look like: what stands between <style> and </style>.
extern const char *const oct_drawing_style[];

// Class names; ways beyond the colours are dashed.
const char *oct_drawing_colour(size_t index);

double oct_drawing_along(oct_point at, int axis);
int32_t *oct_drawing_vec_along(oct_vec *cell, int axis);

// Which cells of a tree a plane shows: those of a box, in the layer that holds plane->at. Its axes
// are set before; cells that have to be shown as one become so.
void oct_drawing_aim(drawing_plane *plane, const oct_tree *tree, oct_box box);

// A drawing_mark each, rows of plane->size[0], to an array of bytes. What is shown as one is
// BLOCKED where some of it is. FRONTIER only where somebody explores.
oct_result oct_drawing_take_cells(const drawing_plane *plane, const oct_tree *tree,
                                  bool has_frontier, const oct_allocator *allocator,
                                  oct_array *cells);

// How large a drawing gets, within so many pixels.
void oct_drawing_fit(drawing *d, const drawing_plane *plane, double width, double height);

// All that follows is drawn between these. `y` is where it begins in a picture around it.
void oct_drawing_begin(drawing *d, sink *out, double y);
void oct_drawing_end(drawing *d);
// Pixels that oct_drawing_end() adds below for the scale.
#define DRAWING_BELOW 28.0

void oct_drawing_cells(const drawing *d, const uint8_t *cells);
// Many boxes of one kind in one path: boxes between begin and end.
void oct_drawing_begin_path(const drawing *d, drawing_mark mark);
void oct_drawing_box(const drawing *d, const double min[2], const double max[2]);
// NULL = no title.
void oct_drawing_end_path(const drawing *d, const char *title, const char *more);
// Those parts of a way that lie at the plane, or the others.
void oct_drawing_track(const drawing *d, const drawing_way *way, bool is_here);
void oct_drawing_planned(const drawing *d, const drawing_way *way);
void oct_drawing_ends(const drawing *d, const drawing_way *way);
bool oct_drawing_is_here(const drawing *d, oct_point at);
double oct_drawing_x(const drawing *d, oct_point at);
double oct_drawing_y(const drawing *d, oct_point at);
// A name in the middle of a box, or beside it where that is free; else none: it can be pointed at.
void oct_drawing_put_name(drawing *d, const double min[2], const double max[2], const char *name);

// "from above, cut at z = 3.0 m; x to the right, y up".
void oct_drawing_caption(sink *out, const drawing_plane *plane, int up);

// ---- legends ----

// One mark as a small picture of its own with its words.
void oct_drawing_key(sink *out, drawing_mark mark);
const char *oct_drawing_words(drawing_mark mark);
// The mark itself, in 14 x 14 pixels from x, y on.
void oct_drawing_sample(sink *out, drawing_mark mark, double x, double y);

#endif
