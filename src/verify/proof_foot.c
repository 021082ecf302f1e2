// SPDX-License-Identifier: MIT
// On foot: nobody gets out of what is reached where the ball could go on.
//
// A body takes off from something that may be a floor, and until it comes down it is no higher and
// no farther than a jump from there allows. So from the floors of one height, as far as they are
// got to, the reached cells that connect under that limit are gone through: floors that are touched
// in them, and may be landed on, are got to in turn. Where such a way leads out of the reached
// cells, into one that is not closed, the proof does not hold.
//
// Floors are the upper sides of upright boxes, all of what is turned and of where leaves of doors
// may be, and all cells that were not seen. Distances are between the nearest points of columns.
#include "verify/proof_internal.h"

#include "game/entity_pool.h"
#include "geom/geom_internal.h"

#include <math.h>
#include <stdlib.h>

#define SKIN 0.05     // how much a body may stand off from where arithmetic puts it, metres
#define ON_FACE 1e-9  // boxes that reach less far into a column do not
#define CELLS_MAX 5e7 // of the box around what is reached
#define BODY_CELLS_MAX 1000.0

typedef struct feet_limits {
    double climb, rise, leap, speed, pull, tick, low, high, beside, round;
} feet_limits;

// The floors of one height, as far as they were got to.
typedef struct feet_level {
    double height;
    uint8_t *is_on;   // of columns
    double *landing;  // of columns: the highest floor to land on
    double *ceiling;  // of columns: the highest that feet may be
    uint8_t *is_in;   // of cells
    oct_array inside; // of uint32_t: cells
    bool is_done;     // it was gone through
    bool is_stale;    // a column or a cell is new
} feet_level;

typedef struct feet_floor {
    double height;
    bool is_in_cell; // it may be anywhere in the cell below its height
} feet_floor;

typedef struct feet {
    proof_check *c;
    feet_limits limits;
    struct sight_search *sight;
    oct_vec least;     // the first cell of the box around what is reached, and a margin
    int32_t across[2]; // columns
    int32_t layers;
    int up, one, two;             // axes
    uint8_t *marks;               // of cells: see below
    oct_array *floors;            // of columns: of double, heights of upper sides
    oct_array levels;             // of feet_level
    double *near_land, *near_air; // by how many columns away: what is lost of the height
    int32_t radius;
} feet;

enum { REACHED = 1, EXIT = 2, VOLUME = 4, LOOKED = 8, UNSEEN = 16 };

// ---- limits ----

static bool is_word(const char *name, const char *const *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, all[i]) == 0) {
            return true;
        }
    }
    return false;
}

// What changes nothing about where a body can stand.
static bool is_harmless(const char *verb)
{
    static const char *const all[] = {"move",   "jump",     "use",       "keep",  "wait",
                                      "crouch", "fire",     "slot",      "fly",   "jetpack",
                                      "equip",  "activate", "dampeners", "boots", "tool",
                                      "place",  "remove",   "interact",  "shoot", "reload"};
    return is_word(verb, all, sizeof all / sizeof *all);
}

static oct_result read_body(feet *f, const oct_player_body *b)
{
    proof_check *const c = f->c;
    feet_limits *const l = &f->limits;
    bool jumps = false, crouches = false;
    for (size_t i = 0; i < b->verb_count; i++) {
        const bool is_promised = (c->log->info.promises >> OCT_ASSUME_FEET & 1) != 0;
        jumps = jumps || strcmp(b->verbs[i], "jump") == 0;
        crouches = crouches || strcmp(b->verbs[i], "crouch") == 0;
        if (!is_promised && !is_harmless(b->verbs[i])) {
            return oct_proof_reject(c, "'%s' may get a body on", b->verbs[i]);
        }
    }
    if (b->step < 0.0 || (jumps && b->jump <= 0.0 && (b->climb < 0.0 || b->leap < 0.0))) {
        return oct_proof_reject(c, "it is not told how a body steps or jumps");
    }
    const double v = jumps ? fmax(b->jump, 0.0) : 0.0;
    const double tall = fmax(b->height, b->width), thin = fmin(b->height, b->width);
    const double walk = b->gait != OCT_GAIT_WALK && b->walk > 0.0 ? b->walk : b->speed;
    const double speed = walk + (b->tumbles ? v : 0.0);
    const double tips = b->tumbles ? tall - thin : 0.0;
    const double up = v * v / (2.0 * l->pull) + v * l->tick + b->step + b->width / 2.0 + tips;
    const double far = speed * (2.0 * v / l->pull + 2.0 * l->tick) + 2.0 * b->width;
    const double climb = b->climb >= 0.0 ? fmax(b->climb, b->step) : up;
    const double leap = b->leap < 0.0 ? far : b->tumbles ? fmax(b->leap, far) : b->leap;
    const double crouched = fmin(b->low > 0.0 ? b->low : b->width, b->height);
    const double low = b->tumbles ? thin : crouches ? crouched : b->height;
    l->climb = fmax(l->climb, climb);
    l->rise = fmax(l->rise, fmax(up, climb));
    l->leap = fmax(l->leap, fmax(leap, b->width));
    l->speed = fmax(l->speed, speed);
    l->high = fmax(l->high, (b->tumbles ? tall : b->height) / 2.0);
    l->low = l->low > 0.0 ? fmin(l->low, low / 2.0) : low / 2.0;
    const double half = (b->tumbles ? tall : b->width) / 2.0;
    l->beside = fmax(l->beside, b->shape == OCT_BODY_BOX ? half * 1.4142135623730951 : half);
    l->round = fmax(l->round, b->width / 2.0);
    return OCT_OK;
}

static double axis_of(oct_point p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static int32_t cell_axis(oct_vec c, int axis)
{
    return axis == 0 ? c.x : axis == 1 ? c.y : c.z;
}

static oct_result read_limits(feet *f)
{
    proof_check *const c = f->c;
    const oct_point g = c->log->info.gravity;
    f->up = (int)c->log->info.up;
    f->one = (f->up + 1) % 3;
    f->two = (f->up + 2) % 3;
    const double pull = -axis_of(g, f->up);
    const double slant = fabs(axis_of(g, f->one)) + fabs(axis_of(g, f->two));
    if (!c->walk || !(pull > 0.0) || slant > 1e-6 * pull) {
        return oct_proof_reject(c, "not everybody goes on foot, with gravity straight down");
    }
    f->limits.pull = pull;
    f->limits.tick = 1.0 / c->log->info.rate;
    for (size_t i = 0; i < c->log->start_count; i++) {
        OCT_TRY(read_body(f, &c->log->starts[i].body));
    }
    return OCT_OK;
}

// ---- cells and columns ----

static size_t columns_of(const feet *f)
{
    return (size_t)f->across[0] * (size_t)f->across[1];
}

static int64_t cell_index(const feet *f, oct_vec at)
{
    const int32_t a = cell_axis(at, f->one) - cell_axis(f->least, f->one);
    const int32_t b = cell_axis(at, f->two) - cell_axis(f->least, f->two);
    const int32_t u = cell_axis(at, f->up) - cell_axis(f->least, f->up);
    const bool is_in =
        a >= 0 && b >= 0 && u >= 0 && a < f->across[0] && b < f->across[1] && u < f->layers;
    return is_in ? ((int64_t)u * f->across[1] + b) * f->across[0] + a : -1;
}

static oct_vec cell_at(const feet *f, size_t index)
{
    const int32_t a = (int32_t)(index % (size_t)f->across[0]);
    const int32_t b = (int32_t)(index / (size_t)f->across[0] % (size_t)f->across[1]);
    const int32_t u = (int32_t)(index / columns_of(f));
    int32_t at[3];
    at[f->one] = cell_axis(f->least, f->one) + a;
    at[f->two] = cell_axis(f->least, f->two) + b;
    at[f->up] = cell_axis(f->least, f->up) + u;
    return (oct_vec){at[0], at[1], at[2]};
}

// The first and the last of those that are at most so far from one.
static int32_t least_of(int32_t at, int32_t by)
{
    return at > by ? at - by : 0;
}

static int32_t most_of(int32_t at, int32_t by, int32_t count)
{
    return at + by < count ? at + by : count - 1;
}

static double floor_of_layer(const feet *f, int32_t layer)
{
    return axis_of(f->c->proof->origin, f->up) +
           ((double)cell_axis(f->least, f->up) + layer) * f->c->proof->cell_size;
}

// The box around what is reached, and as much more as a body stands beside and above floors.
static oct_result frame(feet *f)
{
    const oct_proof *const p = f->c->proof;
    oct_vec lo = {INT32_MAX, INT32_MAX, INT32_MAX}, hi = {INT32_MIN, INT32_MIN, INT32_MIN};
    for (size_t i = 0; i < p->leaf_count; i++) {
        if (p->parts[p->leaves[i].part].is_reached) {
            const oct_vec at = proof_leaf_at(&p->leaves[i]);
            const int32_t edge = (int32_t)1 << p->leaves[i].level;
            lo = (oct_vec){at.x < lo.x ? at.x : lo.x, at.y < lo.y ? at.y : lo.y,
                           at.z < lo.z ? at.z : lo.z};
            hi = (oct_vec){at.x + edge > hi.x ? at.x + edge : hi.x,
                           at.y + edge > hi.y ? at.y + edge : hi.y,
                           at.z + edge > hi.z ? at.z + edge : hi.z};
        }
    }
    const feet_limits *const l = &f->limits;
    const double away = fmax(l->beside, l->high) + l->round + 2.0 * SKIN;
    if (!(away / p->cell_size <= BODY_CELLS_MAX)) {
        return oct_proof_reject(f->c, "the body is too large for its cells");
    }
    const int32_t more = (int32_t)ceil(away / p->cell_size) + 2;
    f->least = (oct_vec){lo.x - more, lo.y - more, lo.z - more};
    const int32_t size[3] = {hi.x - lo.x + 2 * more, hi.y - lo.y + 2 * more,
                             hi.z - lo.z + 2 * more};
    f->across[0] = size[f->one];
    f->across[1] = size[f->two];
    f->layers = size[f->up];
    if ((double)size[0] * size[1] * size[2] > CELLS_MAX) {
        return oct_proof_reject(f->c, "it reaches too far to be checked on foot");
    }
    f->marks = oct_proof_alloc(f->c, columns_of(f) * (size_t)f->layers, 1);
    f->floors = oct_proof_alloc(f->c, columns_of(f), sizeof *f->floors);
    return f->marks && f->floors ? OCT_OK : OCT_ERROR_MEMORY;
}

static void mark_cells(feet *f, oct_vec lo, oct_vec hi, uint8_t bit)
{
    for (int32_t z = lo.z; z < hi.z; z++) {
        for (int32_t y = lo.y; y < hi.y; y++) {
            for (int32_t x = lo.x; x < hi.x; x++) {
                const int64_t i = cell_index(f, (oct_vec){x, y, z});
                if (i >= 0) {
                    f->marks[i] = (uint8_t)(f->marks[i] | bit);
                }
            }
        }
    }
}

static void mark_reached(feet *f)
{
    const oct_proof *const p = f->c->proof;
    for (size_t i = 0; i < p->leaf_count; i++) {
        const oct_vec at = proof_leaf_at(&p->leaves[i]);
        const int32_t edge = (int32_t)1 << p->leaves[i].level;
        if (p->parts[p->leaves[i].part].is_reached) {
            mark_cells(f, at, (oct_vec){at.x + edge, at.y + edge, at.z + edge}, REACHED);
        }
    }
    const oct_vec *const exits = f->c->exits.items;
    for (size_t i = 0; i < f->c->exits.count; i++) {
        const oct_vec at = exits[i];
        mark_cells(f, at, (oct_vec){at.x + 1, at.y + 1, at.z + 1}, EXIT);
    }
}

// ---- floors ----

// The cells that a box reaches into, as far as they are looked at.
static void cells_of_box(const feet *f, const oct_bounds *b, oct_vec *lo, oct_vec *hi)
{
    const oct_proof *const p = f->c->proof;
    const oct_vec end = cell_at(f, columns_of(f) * (size_t)f->layers - 1);
    double from[3], to[3];
    for (int i = 0; i < 3; i++) {
        const double o = axis_of(p->origin, i);
        from[i] = floor((axis_of(b->min, i) + ON_FACE - o) / p->cell_size);
        to[i] = ceil((axis_of(b->max, i) - ON_FACE - o) / p->cell_size);
        from[i] = fmax(from[i], cell_axis(f->least, i));
        to[i] = fmax(fmin(to[i], cell_axis(end, i) + 1.0), from[i]);
    }
    *lo = (oct_vec){(int32_t)from[0], (int32_t)from[1], (int32_t)from[2]};
    *hi = (oct_vec){(int32_t)to[0], (int32_t)to[1], (int32_t)to[2]};
}

static oct_result add_upper_side(feet *f, const oct_bounds *b)
{
    oct_bounds flat = *b;
    const double height = axis_of(b->max, f->up);
    // One layer that is surely there: columns alone are asked for.
    const double layer = floor_of_layer(f, 0) + f->c->proof->cell_size / 2.0;
    double *const lo = f->up == 0 ? &flat.min.x : f->up == 1 ? &flat.min.y : &flat.min.z;
    double *const hi = f->up == 0 ? &flat.max.x : f->up == 1 ? &flat.max.y : &flat.max.z;
    *lo = *hi = layer;
    *hi += 2.0 * ON_FACE;
    oct_vec from, to;
    cells_of_box(f, &flat, &from, &to);
    for (int32_t z = from.z; z < to.z; z++) {
        for (int32_t y = from.y; y < to.y; y++) {
            for (int32_t x = from.x; x < to.x; x++) {
                const int64_t column = cell_index(f, (oct_vec){x, y, z});
                OCT_TRY(column < 0 ? OCT_OK
                                   : oct_array_push(&f->floors[column], &f->c->allocator,
                                                    sizeof height, &height));
            }
        }
    }
    return OCT_OK;
}

static void add_volume(feet *f, const oct_bounds *b, double by)
{
    oct_vec lo, hi;
    const oct_bounds grown = proof_grown(b, by);
    cells_of_box(f, &grown, &lo, &hi);
    mark_cells(f, lo, hi, VOLUME);
}

static double diagonal(const oct_bounds *b)
{
    return point_length(point_sub(b->max, b->min));
}

static oct_result add_version(feet *f, const oct_entity *e, const told_thing *t)
{
    const bool is_solid = e->thing.label != OCT_OPEN;
    if (e->kind == OCT_ENTITY_DOOR) {
        const oct_bounds all = e->has_gap ? bounds_join(e->thing.box, e->gap) : e->thing.box;
        add_volume(f, &all, e->has_gap ? fmax(diagonal(&e->thing.box), diagonal(&e->gap)) : 0.0);
        return OCT_OK;
    }
    const bool goes = is_solid && (!t->stays || e->kind == OCT_ENTITY_MOVER ||
                                   e->kind == OCT_ENTITY_ACTOR || e->kind == OCT_ENTITY_ITEM);
    if (goes || t->carries || e->kind == OCT_ENTITY_PLAYER) {
        return oct_proof_reject(f->c, "thing %llu may carry a body",
                                (unsigned long long)e->thing.id);
    }
    if (!is_solid) {
        return OCT_OK;
    }
    if (oct_entity_is_upright(e)) {
        return add_upper_side(f, &e->thing.box);
    }
    add_volume(f, &e->thing.box, 0.0);
    return OCT_OK;
}

static oct_result add_floors(feet *f)
{
    const proof_check *const c = f->c;
    for (size_t i = 0; i < c->log->thing_count; i++) {
        OCT_TRY(add_version(f, &c->log->things[i], &c->things[c->thing_of[i]]));
    }
    return OCT_OK;
}

static bool is_volume(feet *f, size_t cell)
{
    uint8_t *const mark = &f->marks[cell];
    if ((*mark & (LOOKED | VOLUME)) == 0) {
        const bool is_seen = oct_proof_has_seen(f->sight, cell_at(f, cell));
        *mark = (uint8_t)(*mark | LOOKED | (is_seen ? 0 : UNSEEN));
    }
    return (*mark & (VOLUME | UNSEEN)) != 0;
}

// ---- how far a jump leads ----

// What a body that is so far away has lost of its height; HUGE_VAL for what it does not get to.
static double lost(const feet_limits *l, double away, double leap, double gain, double deepest)
{
    if (away <= leap) {
        return -gain;
    }
    const double time = l->speed > 0.0 ? (away - leap) / l->speed - 2.0 * l->tick : HUGE_VAL;
    const double depth = time > 0.0 ? l->pull / 2.0 * time * time : 0.0;
    return depth <= deepest ? depth : HUGE_VAL;
}

static oct_result tabulate(feet *f)
{
    const feet_limits *const l = &f->limits;
    const double cell = f->c->proof->cell_size;
    const double deepest = (f->layers + 2) * cell + l->rise + l->high;
    const double far =
        l->leap + l->beside + l->speed * (sqrt(2.0 * deepest / l->pull) + 2.0 * l->tick);
    const int32_t most = f->across[0] > f->across[1] ? f->across[0] : f->across[1];
    f->radius = (int32_t)fmin(ceil(far / cell) + 1.0, most);
    const size_t count = (size_t)(f->radius + 1) * (size_t)(f->radius + 1);
    f->near_land = oct_proof_alloc(f->c, count, sizeof(double));
    f->near_air = oct_proof_alloc(f->c, count, sizeof(double));
    if (!f->near_land || !f->near_air) {
        return OCT_ERROR_MEMORY;
    }
    for (int32_t y = 0; y <= f->radius; y++) {
        for (int32_t x = 0; x <= f->radius; x++) {
            const double dx = (x > 0 ? x - 1 : 0) * cell, dy = (y > 0 ? y - 1 : 0) * cell;
            const double away = sqrt(dx * dx + dy * dy);
            const size_t i = (size_t)y * (size_t)(f->radius + 1) + (size_t)x;
            f->near_land[i] = lost(l, away, l->leap, l->climb, deepest);
            f->near_air[i] = lost(l, away, l->leap + l->beside, l->rise, deepest);
        }
    }
    return OCT_OK;
}

static oct_result find_level(feet *f, double height, feet_level **out)
{
    feet_level *const all = f->levels.items;
    for (size_t i = 0; i < f->levels.count; i++) {
        if (all[i].height == height) {
            *out = &all[i];
            return OCT_OK;
        }
    }
    const size_t columns = columns_of(f);
    feet_level new = {.height = height};
    new.is_on = oct_proof_alloc(f->c, columns, 1);
    new.is_in = oct_proof_alloc(f->c, columns * (size_t)f->layers, 1);
    new.landing = oct_proof_alloc(f->c, columns, sizeof(double));
    new.ceiling = oct_proof_alloc(f->c, columns, sizeof(double));
    if (!new.is_on || !new.is_in || !new.landing || !new.ceiling) {
        return OCT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < columns; i++) {
        new.landing[i] = new.ceiling[i] = -HUGE_VAL;
    }
    OCT_TRY(oct_array_push(&f->levels, &f->c->allocator, sizeof new, &new));
    *out = (feet_level *)f->levels.items + f->levels.count - 1;
    return OCT_OK;
}

// From a column of a level jumps lead so far.
static void jump_from(const feet *f, feet_level *level, size_t column)
{
    const int32_t a = (int32_t)(column % (size_t)f->across[0]);
    const int32_t b = (int32_t)(column / (size_t)f->across[0]);
    const int32_t r = f->radius;
    for (int32_t y = least_of(b, r); y <= most_of(b, r, f->across[1]); y++) {
        for (int32_t x = least_of(a, r); x <= most_of(a, r, f->across[0]); x++) {
            const int32_t dx = abs(x - a), dy = abs(y - b);
            const size_t to = (size_t)y * (size_t)f->across[0] + (size_t)x;
            const size_t i = (size_t)dy * (size_t)(f->radius + 1) + (size_t)dx;
            level->landing[to] = fmax(level->landing[to], level->height - f->near_land[i]);
            level->ceiling[to] = fmax(level->ceiling[to], level->height - f->near_air[i]);
        }
    }
    level->is_on[column] = 1;
}

// ---- the closure ----

static oct_result go_in(feet *f, feet_level *level, size_t cell)
{
    const uint32_t item = (uint32_t)cell;
    if (level->is_in[cell]) {
        return OCT_OK;
    }
    level->is_in[cell] = 1;
    level->is_stale = true;
    return oct_array_push(&level->inside, &f->c->allocator, sizeof item, &item);
}

static oct_result stand_on(feet *f, double height, size_t column, size_t cell)
{
    feet_level *level;
    OCT_TRY(find_level(f, height, &level));
    if (!level->is_on[column]) {
        jump_from(f, level, column);
        level->is_stale = true;
    }
    return go_in(f, level, cell);
}

// A floor that is touched from a cell is got to if it may be landed on from a level.
static oct_result touch(feet *f, size_t from_level, size_t column, size_t cell, feet_floor floor)
{
    const feet_level *const from = (const feet_level *)f->levels.items + from_level;
    const double lowest = floor.is_in_cell ? floor.height - f->c->proof->cell_size : floor.height;
    return lowest <= from->landing[column] + SKIN ? stand_on(f, floor.height, column, cell)
                                                  : OCT_OK;
}

static oct_result touch_column(feet *f, size_t level, size_t column, size_t cell, double lo,
                               double hi)
{
    const oct_array list = f->floors[column];
    for (size_t i = 0; i < list.count; i++) {
        const double height = ((const double *)list.items)[i];
        if (height >= lo && height <= hi) {
            OCT_TRY(touch(f, level, column, cell, (feet_floor){height, false}));
        }
    }
    for (int32_t layer = 0; layer < f->layers && floor_of_layer(f, layer) <= hi; layer++) {
        const double top = floor_of_layer(f, layer + 1);
        const size_t at = (size_t)layer * columns_of(f) + column;
        if (top >= lo && is_volume(f, at)) {
            OCT_TRY(touch(f, level, column, cell, (feet_floor){top, true}));
        }
    }
    return OCT_OK;
}

static oct_result touch_all(feet *f, size_t level, size_t cell)
{
    const feet_limits *const l = &f->limits;
    const size_t column = cell % columns_of(f);
    const int32_t layer = (int32_t)(cell / columns_of(f));
    const int32_t a = (int32_t)(column % (size_t)f->across[0]);
    const int32_t b = (int32_t)(column / (size_t)f->across[0]);
    const double size = f->c->proof->cell_size;
    const double lo = floor_of_layer(f, layer) - l->high - SKIN;
    const double hi = floor_of_layer(f, layer + 1) - l->low + l->round + SKIN;
    const int32_t r = (int32_t)ceil((l->beside + SKIN) / size) + 1;
    for (int32_t y = least_of(b, r); y <= most_of(b, r, f->across[1]); y++) {
        const double dy = (y == b ? 0 : abs(y - b) - 1) * size;
        for (int32_t x = least_of(a, r); x <= most_of(a, r, f->across[0]); x++) {
            const double dx = (x == a ? 0 : abs(x - a) - 1) * size;
            if (dx * dx + dy * dy <= (l->beside + SKIN) * (l->beside + SKIN)) {
                const size_t to = (size_t)y * (size_t)f->across[0] + (size_t)x;
                OCT_TRY(touch_column(f, level, to, cell, lo, hi));
            }
        }
    }
    return OCT_OK;
}

static oct_result go_on(feet *f, size_t index, size_t cell)
{
    static const oct_vec sides[] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                    {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
    const oct_vec at = cell_at(f, cell);
    for (int i = 0; i < 6; i++) {
        const oct_vec to = {at.x + sides[i].x, at.y + sides[i].y, at.z + sides[i].z};
        const int64_t next = cell_index(f, to);
        feet_level *const level = (feet_level *)f->levels.items + index;
        if (next < 0 || (f->marks[next] & (REACHED | EXIT)) == 0) {
            continue;
        }
        const int32_t layer = (int32_t)((size_t)next / columns_of(f));
        const double lowest = floor_of_layer(f, layer) - f->limits.high;
        if (lowest > level->ceiling[(size_t)next % columns_of(f)] + SKIN) {
            continue;
        }
        if ((f->marks[next] & REACHED) == 0) {
            const oct_bounds b = proof_cells(f->c->proof, to, 1, 1, 1);
            const oct_point m = proof_middle(&b);
            return oct_proof_reject(f->c, "on foot it leads to %.2f, %.2f, %.2f", m.x, m.y, m.z);
        }
        OCT_TRY(go_in(f, level, (size_t)next));
    }
    return OCT_OK;
}

// Whether all that is got to from a level is got to from another one, which was gone through.
static bool is_within_other(const feet *f, const feet_level *own, const feet_level *other)
{
    bool is = other != own && other->is_done;
    for (size_t i = 0; i < columns_of(f) && is; i++) {
        is = own->landing[i] <= other->landing[i] && own->ceiling[i] <= other->ceiling[i];
    }
    for (size_t i = 0; i < own->inside.count && is; i++) {
        is = other->is_in[((const uint32_t *)own->inside.items)[i]];
    }
    return is;
}

static bool is_needless(const feet *f, const feet_level *own)
{
    const feet_level *const all = f->levels.items;
    bool is = false;
    for (size_t i = 0; i < f->levels.count && !is; i++) {
        is = is_within_other(f, own, &all[i]);
    }
    return is;
}

static oct_result close_level(feet *f, size_t index)
{
    feet_level *level = (feet_level *)f->levels.items + index;
    level->is_stale = false;
    if (!level->is_done && is_needless(f, level)) {
        return OCT_OK;
    }
    level->is_done = true;
    for (size_t i = 0; i < level->inside.count; i++) {
        const size_t cell = ((const uint32_t *)level->inside.items)[i];
        OCT_TRY(touch_all(f, index, cell));
        OCT_TRY(go_on(f, index, cell));
        level = (feet_level *)f->levels.items + index; // there may be more levels
    }
    return OCT_OK;
}

static oct_result begin(feet *f)
{
    const proof_check *const c = f->c;
    const oct_proof *const p = c->proof;
    for (size_t i = 0; i < c->log->start_count; i++) {
        const oct_point at = c->log->starts[i].centre;
        const oct_vec cell = {(int32_t)floor((at.x - p->origin.x) / p->cell_size),
                              (int32_t)floor((at.y - p->origin.y) / p->cell_size),
                              (int32_t)floor((at.z - p->origin.z) / p->cell_size)};
        const int64_t index = cell_index(f, cell);
        if (index >= 0) {
            const size_t column = (size_t)index % columns_of(f);
            OCT_TRY(stand_on(f, axis_of(at, f->up) - f->limits.low, column, (size_t)index));
        }
    }
    return OCT_OK;
}

// The highest level with something new: it may make others needless.
static size_t highest_stale(const feet *f)
{
    const feet_level *const all = f->levels.items;
    size_t best = f->levels.count;
    for (size_t i = 0; i < f->levels.count; i++) {
        const bool is_better = best == f->levels.count || all[i].height > all[best].height;
        best = all[i].is_stale && is_better ? i : best;
    }
    return best;
}

static oct_result close_all(feet *f)
{
    bool is_new = true;
    OCT_TRY(begin(f));
    while (is_new) {
        is_new = false;
        const size_t next = highest_stale(f);
        if (next < f->levels.count) {
            is_new = true;
            OCT_TRY(close_level(f, next));
        }
    }
    return OCT_OK;
}

oct_result oct_proof_check_feet(proof_check *c)
{
    feet f = {.c = c};
    OCT_TRY(read_limits(&f));
    OCT_TRY(oct_proof_begin_sight(c, &f.sight));
    OCT_TRY(frame(&f));
    mark_reached(&f);
    OCT_TRY(add_floors(&f));
    OCT_TRY(tabulate(&f));
    return close_all(&f);
}
