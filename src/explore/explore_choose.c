// SPDX-License-Identifier: MIT
// The strategies: which place of the frontier to go to.
#include "explore/explorer_internal.h"
#include "octant/line.h"
#include "octant/tree.h"

#include <math.h>

// Half the edge of the cube (square) that is as large as a ball (circle) of radius 1.
#define CUBE_OF_BALL 0.8059959770082347
#define SQUARE_OF_CIRCLE 0.8862269254527580
// A cube has one candidate; its edge is this part of the view distance.
#define CUBE_PART 0.5

// ---- what can be gained ----

static int32_t cells_of(const oct_explorer *e, double metres)
{
    const double cells = metres / oct_tree_cell_size(oct_map_tree(e->map));
    return cells < 1.0 ? 1 : cells < OCT_RANGE / 4 ? (int32_t)cells : OCT_RANGE / 4;
}

static int32_t clamped(int64_t at)
{
    return at < -OCT_RANGE ? -OCT_RANGE : at > OCT_RANGE ? OCT_RANGE : (int32_t)at;
}

static int32_t gain_half(const oct_explorer *e)
{
    return cells_of(e, e->radius * (e->dims == 3 ? CUBE_OF_BALL : SQUARE_OF_CIRCLE));
}

// No place has more.
static double gain_most(const oct_explorer *e)
{
    const double edge = (2.0 * gain_half(e) + 1.0) * oct_tree_cell_size(oct_map_tree(e->map));
    return edge * edge * (e->dims == 3 ? edge : 1.0);
}

// UNKNOWN volume within view of a cell, through everything.
static oct_result measure_gain(const oct_explorer *e, oct_vec c, double *out)
{
    const double size = oct_tree_cell_size(oct_map_tree(e->map));
    const int64_t half = gain_half(e);
    const oct_box box = {
        {clamped(c.x - half), clamped(c.y - half), clamped(c.z - half)},
        {clamped(c.x + half + 1), clamped(c.y + half + 1), clamped(c.z + half + 1)}};
    uint64_t counts[3];
    OCT_TRY(oct_tree_count(e->tree, box_common(box, e->bounds), counts));
    *out = (double)counts[OCT_UNKNOWN] * size * size * (e->dims == 3 ? size : 1.0);
    return OCT_OK;
}

// ---- candidates ----

typedef struct gathering {
    oct_explorer *explorer;
    int32_t edge; // of a cube, cells
    oct_result result;
} gathering;

static int32_t cube_at(int32_t at, int32_t edge)
{
    const int32_t down = at / edge;
    return at % edge < 0 ? down - 1 : down;
}

static int32_t nearest_on_axis(int32_t at, int32_t min, int32_t max)
{
    return at < min ? min : at >= max ? max - 1 : at;
}

// Cells of the frontier inside one cube: the nearest is a candidate, unless the cube has a nearer.
static oct_result gather_part(gathering *g, oct_vec cube, const oct_box *cells)
{
    oct_explorer *const e = g->explorer;
    const oct_vec near = {nearest_on_axis(e->cell.x, cells->min.x, cells->max.x),
                          nearest_on_axis(e->cell.y, cells->min.y, cells->max.y),
                          nearest_on_axis(e->cell.z, cells->min.z, cells->max.z)};
    oct_candidate one = {.cell = near,
                         .straight = oct_fine_distance(cell_middle(e->cell), cell_middle(near))};
    OCT_TRY(oct_key_table_reserve(&e->cubes, &e->allocator, 1));
    const lattice_key key = {cube.x, cube.y, cube.z, 0};
    key_slot *const slot = key_table_slot(&e->cubes, key);
    oct_candidate *const choices = e->choices.items;
    if (key_slot_is_used(&e->cubes, slot)) {
        if (one.straight < choices[slot->value].straight) {
            choices[slot->value] = one;
        }
        return OCT_OK;
    }
    key_slot_fill(&e->cubes, slot, key, (uint32_t)e->choices.count);
    return oct_array_push(&e->choices, &e->allocator, sizeof one, &one);
}

static bool gather(void *ctx, const oct_box *cells)
{
    gathering *const g = ctx;
    const int32_t edge = g->edge;
    const oct_vec first = {cube_at(cells->min.x, edge), cube_at(cells->min.y, edge),
                           cube_at(cells->min.z, edge)};
    const oct_vec last = {cube_at(cells->max.x - 1, edge), cube_at(cells->max.y - 1, edge),
                          cube_at(cells->max.z - 1, edge)};
    for (int32_t z = first.z; z <= last.z; z++) {
        for (int32_t y = first.y; y <= last.y; y++) {
            for (int32_t x = first.x; x <= last.x; x++) {
                const oct_box cube = {{x * edge, y * edge, z * edge},
                                      {(x + 1) * edge, (y + 1) * edge, (z + 1) * edge}};
                const oct_box part = box_common(*cells, cube);
                g->result = gather_part(g, (oct_vec){x, y, z}, &part);
                if (g->result != OCT_OK) {
                    return false;
                }
            }
        }
    }
    return true;
}

// `measure`: gains at once; else they are negative, and measured when they are asked for.
static oct_result gather_candidates(oct_explorer *e, bool measure)
{
    gathering g = {e, cells_of(e, e->radius * CUBE_PART), OCT_OK};
    const double size = oct_tree_cell_size(oct_map_tree(e->map));
    e->choices.count = 0;
    oct_key_table_clear(&e->cubes);
    oct_frontier_visit(e->frontier, NULL, gather, &g);
    OCT_TRY(g.result);
    oct_candidate *const choices = e->choices.items;
    for (size_t i = 0; i < e->choices.count; i++) {
        choices[i].at = oct_explorer_point(e, choices[i].cell);
        choices[i].straight *= size;
        choices[i].gain = -1.0;
        if (measure) {
            OCT_TRY(measure_gain(e, choices[i].cell, &choices[i].gain));
        }
    }
    return OCT_OK;
}

// ---- strategies: each leaves a path in `out`, or none where nothing is left ----

// Goes to a cell if there is a way. If not, which only bounds can be the cause of, the cell is left
// out from here on.
static oct_result try_cell(oct_explorer *e, oct_vec cell, oct_explore_why why, oct_exploration *out,
                           bool *went)
{
    OCT_TRY(oct_explorer_plan(e, oct_explorer_point(e, cell), false, &out->path));
    *went = out->path.status == OCT_PATH_FOUND;
    if (*went) {
        oct_explorer_go(e, cell, why, out);
        return OCT_OK;
    }
    return oct_frontier_skip(e->frontier, cell);
}

// ---- the nearest ----

// Places that are looked at for one in sight: no two of one brick, so that not all lie behind one
// wall.
#define SIGHT_PLACES 32
// By which part such a place may be further than the nearest one in a straight line.
#define SIGHT_SLACK 0.01

// Goes straight to a place in sight where no other can be much nearer: most steps of exploring in
// the open need no search. *went is false where there is none.
static oct_result go_in_sight(oct_explorer *e, oct_exploration *out, bool *went)
{
    oct_terms terms = oct_terms_default();
    terms.bounds = e->is_bounded ? &e->bounds : NULL;
    oct_fine from;
    oct_vec places[SIGHT_PLACES];
    *went = false;
    if (!oct_tree_fine_at(e->tree, e->from, &from)) {
        return OCT_OK;
    }
    from.z = e->dims == 3 ? from.z : FLAT_Z;
    const size_t count =
        oct_frontier_nearest_few(e->frontier, from, SIGHT_SLACK, places, SIGHT_PLACES);
    double most = HUGE_VAL;
    for (size_t i = 0; i < count && !*went; i++) {
        const oct_fine at = cell_middle(places[i]);
        const double away = oct_fine_distance(from, at);
        most = i == 0 ? away * (1.0 + SIGHT_SLACK) : most;
        if (away <= most && oct_tree_line_of_sight(e->tree, &terms, from, at)) {
            OCT_TRY(try_cell(e, places[i], OCT_WHY_IN_SIGHT, out, went));
        }
    }
    return OCT_OK;
}

static oct_result go_nearest(oct_explorer *e, oct_exploration *out)
{
    bool went;
    OCT_TRY(go_in_sight(e, out, &went));
    if (went) {
        return OCT_OK;
    }
    OCT_TRY(oct_explorer_plan_nearest(e, &out->path));
    if (out->path.status != OCT_PATH_FOUND) {
        return oct_explorer_end(e, out);
    }
    const oct_fine last = out->path.lattice[out->path.lattice_count - 1];
    const oct_vec cell = {fine_cell(last.x), fine_cell(last.y),
                          e->dims == 3 ? fine_cell(last.z) : 0};
    oct_explorer_go(e, cell, OCT_WHY_SHORTEST, out);
    return OCT_OK;
}

static double gain_a_metre(const oct_explorer *e, double gain, double metres)
{
    const double least = oct_tree_cell_size(oct_map_tree(e->map));
    return gain / (metres > least ? metres : least);
}

// The candidate of those not tried yet that promises most: no path is shorter than the straight
// line, and no gain larger than everything in view. Those tried have a straight distance below 0.
static oct_candidate *most_promising(const oct_explorer *e, double more_than)
{
    oct_candidate *const choices = e->choices.items;
    oct_candidate *best = NULL;
    for (size_t i = 0; i < e->choices.count; i++) {
        const double gain = choices[i].gain < 0.0 ? gain_most(e) : choices[i].gain;
        const double promise = gain_a_metre(e, gain, choices[i].straight);
        if (choices[i].straight >= 0.0 && promise > more_than) {
            best = &choices[i];
            more_than = promise;
        }
    }
    return best;
}

static oct_result go_gain(oct_explorer *e, oct_exploration *out)
{
    OCT_TRY(gather_candidates(e, false));
    out->candidates = e->choices.count;
    oct_candidate best = {.gain = -1.0};
    double best_value = -1.0;
    oct_candidate *next;
    while ((next = most_promising(e, best_value)) != NULL) {
        if (next->gain < 0.0) {
            OCT_TRY(measure_gain(e, next->cell, &next->gain));
            continue;
        }
        OCT_TRY(oct_explorer_plan(e, next->at, false, &out->path));
        if (out->path.status == OCT_PATH_FOUND) {
            const double value = gain_a_metre(e, next->gain, out->path.length);
            if (value > best_value) {
                best = *next;
                best_value = value;
            }
        } else {
            OCT_TRY(oct_frontier_skip(e->frontier, next->cell));
        }
        next->straight = -1.0;
    }
    if (best_value < 0.0) {
        // What is left lies behind others of its cube that have no way.
        return e->choices.count ? go_nearest(e, out) : oct_explorer_end(e, out);
    }
    bool went;
    OCT_TRY(try_cell(e, best.cell, OCT_WHY_GAIN, out, &went));
    out->chosen.gain = best.gain;
    return OCT_OK;
}

static oct_result go_chosen(oct_explorer *e, oct_exploration *out)
{
    for (;;) {
        OCT_TRY(gather_candidates(e, true));
        const oct_candidate *const choices = e->choices.items;
        out->candidates = e->choices.count;
        if (e->choices.count == 0) {
            return oct_explorer_end(e, out);
        }
        const size_t index = e->choose(e->choose_ctx, choices, e->choices.count);
        if (index >= e->choices.count) {
            out->status = OCT_EXPLORE_ENDED;
            return OCT_OK;
        }
        const oct_candidate chosen = choices[index];
        bool went;
        OCT_TRY(try_cell(e, chosen.cell, OCT_WHY_CHOSEN, out, &went));
        if (went) {
            out->chosen.gain = chosen.gain;
            return OCT_OK;
        }
    }
}

// A cell by number, of all that count.
typedef struct counting {
    uint64_t left;
    oct_vec cell;
} counting;

static bool count_cells(void *ctx, const oct_box *cells)
{
    ((counting *)ctx)->left += box_cells(cells);
    return true;
}

static bool find_cell(void *ctx, const oct_box *cells)
{
    counting *const c = ctx;
    const uint64_t count = box_cells(cells);
    if (c->left >= count) {
        c->left -= count;
        return true;
    }
    const uint64_t x = (uint64_t)(cells->max.x - (int64_t)cells->min.x);
    const uint64_t y = (uint64_t)(cells->max.y - (int64_t)cells->min.y);
    c->cell =
        (oct_vec){cells->min.x + (int32_t)(c->left % x), cells->min.y + (int32_t)(c->left / x % y),
                  cells->min.z + (int32_t)(c->left / x / y)};
    return false;
}

static oct_result go_random(oct_explorer *e, oct_exploration *out)
{
    e->drawn = e->random;
    for (;;) {
        counting all = {.left = 0};
        oct_frontier_visit(e->frontier, NULL, count_cells, &all);
        if (all.left == 0) {
            return oct_explorer_end(e, out);
        }
        counting drawn = {.left = oct_random_below(&e->drawn, all.left)};
        oct_frontier_visit(e->frontier, NULL, find_cell, &drawn);
        bool went;
        OCT_TRY(try_cell(e, drawn.cell, OCT_WHY_DRAWN, out, &went));
        if (went) {
            return OCT_OK;
        }
    }
}

static oct_result go_depth(oct_explorer *e, oct_exploration *out)
{
    const double reach = e->radius / oct_tree_cell_size(oct_map_tree(e->map)) + 2.0;
    oct_explore_why why = OCT_WHY_DEEPEST;
    for (size_t left = e->places.count; left > 0;) {
        const oct_vec place = ((const oct_vec *)e->places.items)[left - 1];
        e->places_left = left;
        oct_vec cell;
        bool went;
        if (!oct_frontier_nearest(e->frontier, cell_middle(place), NULL, reach, 0.0, &cell, NULL)) {
            left--;
            why = OCT_WHY_BACK;
            continue;
        }
        OCT_TRY(try_cell(e, cell, why, out, &went));
        if (went) {
            return OCT_OK;
        }
    }
    e->places_left = 0;
    return go_nearest(e, out); // left by someone else
}

oct_result oct_explorer_choose(oct_explorer *e, oct_exploration *out)
{
    switch (e->strategy) {
    case OCT_STRATEGY_GAIN:
        return go_gain(e, out);
    case OCT_STRATEGY_RANDOM:
        return go_random(e, out);
    case OCT_STRATEGY_DEPTH:
        return go_depth(e, out);
    case OCT_STRATEGY_USER:
        return go_chosen(e, out);
    default:
        return go_nearest(e, out);
    }
}
