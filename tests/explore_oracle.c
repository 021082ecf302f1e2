// SPDX-License-Identifier: MIT
#include "explore_oracle.h"
#include "octant/tree.h"

#include <math.h>
#include <stdlib.h>

static bool index_of(const explore_oracle *o, oct_vec c, size_t *out)
{
    const oct_box *b = &o->box;
    if (o->dims == 2) {
        c.z = 0;
    }
    if (c.x < b->min.x || c.x >= b->max.x || c.y < b->min.y || c.y >= b->max.y || c.z < b->min.z ||
        c.z >= b->max.z) {
        return false;
    }
    const size_t w = (size_t)(b->max.x - b->min.x), h = (size_t)(b->max.y - b->min.y);
    *out = ((size_t)(c.z - b->min.z) * h + (size_t)(c.y - b->min.y)) * w + (size_t)(c.x - b->min.x);
    return true;
}

static oct_vec cell_of(const explore_oracle *o, size_t i)
{
    const oct_box *b = &o->box;
    const size_t w = (size_t)(b->max.x - b->min.x), h = (size_t)(b->max.y - b->min.y);
    return (oct_vec){b->min.x + (int32_t)(i % w), b->min.y + (int32_t)(i / w % h),
                     b->min.z + (int32_t)(i / w / h)};
}

static bool is_open(const explore_oracle *o, oct_vec c)
{
    size_t i;
    return index_of(o, c, &i) && o->labels[i] == OCT_OPEN;
}

// Whether all cells of the box that a move spans are OPEN.
static bool is_free(const explore_oracle *o, oct_vec c, oct_vec d)
{
    for (int corner = 1; corner < 8; corner++) {
        const oct_vec part = {corner & 1 ? d.x : 0, corner & 2 ? d.y : 0, corner & 4 ? d.z : 0};
        if (!is_open(o, (oct_vec){c.x + part.x, c.y + part.y, c.z + part.z})) {
            return false;
        }
    }
    return true;
}

// Cells whose cost has changed, each once.
typedef struct waiting {
    size_t *cells;
    uint8_t *waits;
    size_t first, count;
} waiting;

static void wait_for(const explore_oracle *o, waiting *w, size_t i)
{
    if (!w->waits[i]) {
        w->waits[i] = 1;
        w->cells[(w->first + w->count++) % o->cells] = i;
    }
}

static void relax(explore_oracle *o, size_t i, waiting *w)
{
    const oct_vec c = cell_of(o, i);
    for (int move = 0; move < 27; move++) {
        const oct_vec d = {move % 3 - 1, move / 3 % 3 - 1, move / 9 - 1};
        const oct_vec n = {c.x + d.x, c.y + d.y, c.z + d.z};
        const double cost = o->cost[i] + sqrt((double)(d.x * d.x + d.y * d.y + d.z * d.z));
        size_t next;
        if ((o->dims == 3 || d.z == 0) && index_of(o, n, &next) && cost < o->cost[next] &&
            is_free(o, c, d)) {
            o->cost[next] = cost;
            wait_for(o, w, next);
        }
    }
}

static void spread(explore_oracle *o, size_t start)
{
    waiting w = {.cells = malloc(o->cells * sizeof *w.cells), .waits = calloc(o->cells, 1)};
    if (!w.cells || !w.waits) {
        abort();
    }
    o->cost[start] = 0.0;
    wait_for(o, &w, start);
    while (w.count > 0) {
        const size_t i = w.cells[w.first];
        w.first = (w.first + 1) % o->cells;
        w.count--;
        w.waits[i] = 0;
        relax(o, i, &w);
    }
    free(w.cells);
    free(w.waits);
}

static void look_across(explore_oracle *o, const oct_map *map, size_t i)
{
    const oct_vec c = cell_of(o, i);
    for (int face = 0; face < 2 * o->dims; face++) {
        oct_vec n = c;
        int32_t *const axis = face / 2 == 0 ? &n.x : face / 2 == 1 ? &n.y : &n.z;
        *axis += face % 2 == 0 ? -1 : 1;
        size_t next;
        const bool inside = index_of(o, n, &next);
        const oct_label label = oct_tree_label(oct_map_tree(map), n);
        o->frontier[i] |= inside && label == OCT_UNKNOWN;
        o->beyond[i] |= !inside && label != OCT_BLOCKED;
    }
}

void explore_oracle_make(explore_oracle *o, const oct_map *map, oct_box bounds, oct_vec from)
{
    *o = (explore_oracle){.box = bounds, .dims = (int)oct_tree_dims(oct_map_tree(map))};
    if (o->dims == 2) {
        o->box.min.z = 0;
        o->box.max.z = 1;
    }
    o->cells = (size_t)(o->box.max.x - o->box.min.x) * (size_t)(o->box.max.y - o->box.min.y) *
               (size_t)(o->box.max.z - o->box.min.z);
    o->labels = calloc(o->cells, 1);
    o->frontier = calloc(o->cells, 1);
    o->beyond = calloc(o->cells, 1);
    o->cost = malloc(o->cells * sizeof *o->cost);
    if (!o->labels || !o->frontier || !o->beyond || !o->cost) {
        abort();
    }
    for (size_t i = 0; i < o->cells; i++) {
        o->labels[i] = (uint8_t)oct_tree_label(oct_map_tree(map), cell_of(o, i));
        o->cost[i] = HUGE_VAL;
    }
    for (size_t i = 0; i < o->cells; i++) {
        if (o->labels[i] == OCT_OPEN) {
            look_across(o, map, i);
        }
    }
    size_t start;
    if (is_open(o, from) && index_of(o, from, &start)) {
        spread(o, start);
    }
}

void explore_oracle_free(explore_oracle *o)
{
    free(o->labels);
    free(o->frontier);
    free(o->beyond);
    free(o->cost);
}

bool explore_oracle_reaches(const explore_oracle *o, oct_vec cell)
{
    size_t i;
    return index_of(o, cell, &i) && o->cost[i] < HUGE_VAL;
}

bool explore_oracle_is_frontier(const explore_oracle *o, oct_vec cell)
{
    size_t i;
    return index_of(o, cell, &i) && o->frontier[i];
}

double explore_oracle_least(const explore_oracle *o)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < o->cells; i++) {
        least = o->frontier[i] && o->cost[i] < least ? o->cost[i] : least;
    }
    return least;
}

oct_remains explore_oracle_remains(const explore_oracle *o)
{
    oct_remains r = {.open = 0};
    for (size_t i = 0; i < o->cells; i++) {
        const bool reached = o->cost[i] < HUGE_VAL, open = o->labels[i] == OCT_OPEN;
        r.open += reached;
        r.sealed += open && !reached;
        r.unknown += o->labels[i] == OCT_UNKNOWN;
        r.frontier += reached && o->frontier[i];
        r.walled += open && !reached && o->frontier[i];
        r.beyond += reached && o->beyond[i];
    }
    return r;
}

uint64_t explore_oracle_differ(const explore_oracle *a, const explore_oracle *b)
{
    uint64_t differ = 0;
    for (size_t i = 0; i < a->cells; i++) {
        differ += (a->cost[i] < HUGE_VAL) != (b->cost[i] < HUGE_VAL);
    }
    return differ;
}
