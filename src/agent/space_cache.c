// SPDX-License-Identifier: MIT
#include "agent/space_cache.h"
#include "agent/walk_space.h"

#include "geom/convex.h"
#include "geom/geom_internal.h"

// What a space was made of, of one thing. Shapes are kept once by the history: the same shape has
// the same address.
typedef struct kept_thing {
    uint32_t door;
    uint32_t label;
    bool stays;
    oct_bounds box;
    oct_shape shape;
} kept_thing;

// Axes that something was last told to have.
typedef struct kept_turn {
    double turn[4];
} kept_turn;

// Something that was asked about, and where its parts are in the list.
typedef struct kept_aim {
    space_aim aim;
    size_t first, count;
} kept_aim;

struct space_cache {
    oct_allocator allocator;
    bool has_space;
    config_space space;
    // What it was made of:
    double cell_size, least;
    oct_point origin;
    oct_bounds bounds;
    oct_array things; // of kept_thing
    oct_array turns;  // of kept_turn
    // What was asked, while it had so many parts:
    size_t part_count;
    oct_array aims;  // of kept_aim
    oct_array parts; // of uint32_t
    oct_array taken; // of uint8_t: parts that are in the list being made
};

space_cache *oct_space_cache_create(const oct_allocator *allocator)
{
    space_cache *const c = oct_alloc(allocator, sizeof *c, _Alignof(space_cache));
    if (c) {
        *c = (space_cache){.allocator = *allocator};
    }
    return c;
}

void oct_space_cache_clear(space_cache *c)
{
    if (c->has_space) {
        oct_config_space_free(&c->space);
    }
    oct_array_free(&c->things, &c->allocator, sizeof(kept_thing));
    oct_array_free(&c->turns, &c->allocator, sizeof(kept_turn));
    oct_array_free(&c->aims, &c->allocator, sizeof(kept_aim));
    oct_array_free(&c->parts, &c->allocator, sizeof(uint32_t));
    oct_array_free(&c->taken, &c->allocator, sizeof(uint8_t));
    *c = (space_cache){.allocator = c->allocator};
}

void oct_space_cache_destroy(space_cache *c)
{
    if (c) {
        const oct_allocator allocator = c->allocator;
        oct_space_cache_clear(c);
        oct_free(&allocator, c, sizeof *c);
    }
}

// ---- what a space is made of ----

static kept_thing kept_of(const history_thing *t)
{
    return (kept_thing){.door = t->door,
                        .label = (uint32_t)t->told.thing.label,
                        .stays = oct_history_stays(t),
                        .box = t->told.thing.box,
                        .shape = t->told.shape};
}

static bool is_same_thing(const kept_thing *a, const kept_thing *b)
{
    return a->door == b->door && a->label == b->label && a->stays == b->stays &&
           is_same_bounds(&a->box, &b->box) && a->shape.pieces == b->shape.pieces &&
           a->shape.count == b->shape.count;
}

static bool are_same_things(const space_cache *c, const oct_history *h)
{
    const history_thing *const all = h->things.items;
    const kept_thing *const kept = c->things.items;
    bool are = h->things.count == c->things.count;
    for (size_t i = 0; i < c->things.count && are; i++) {
        const kept_thing now = kept_of(&all[i]);
        are = is_same_thing(&kept[i], &now);
    }
    return are;
}

// The turn of what was last told as a number of the log, if it is one box; NULL = it is not.
static const double *turn_at(const run_log *log, size_t number)
{
    const uint32_t index = ((const uint32_t *)log->latest.items)[number];
    const oct_shape *const shape = &((const oct_entity *)log->things.items)[index].shape;
    const bool is_one = shape->count == 1 && shape->pieces[0].kind == OCT_PIECE_OBB;
    return is_one && oct_convex_is_valid(&shape->pieces[0]) ? shape->pieces[0].turn : NULL;
}

static bool is_same_turn(const double a[4], const double b[4])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

static bool are_same_turns(const space_cache *c, const run_log *log)
{
    const kept_turn *const kept = c->turns.items;
    size_t count = 0;
    for (size_t i = 0; i < log->latest.count; i++) {
        const double *const turn = turn_at(log, i);
        if (turn && (count == c->turns.count || !is_same_turn(kept[count++].turn, turn))) {
            return false;
        }
    }
    return count == c->turns.count;
}

static bool is_same(const space_cache *c, const oct_history *h, const oct_tree *lattice,
                    const oct_bounds *bounds)
{
    return c->has_space && !c->space.is_on_foot && c->space.history == h &&
           c->least == h->limits.least && c->cell_size == oct_tree_cell_size(lattice) &&
           is_same_point(c->origin, oct_tree_origin(lattice)) &&
           is_same_bounds(&c->bounds, bounds) && are_same_things(c, h) &&
           are_same_turns(c, &h->log);
}

static oct_result note_all(space_cache *c, const oct_history *h, const oct_tree *lattice,
                           const oct_bounds *bounds)
{
    const history_thing *const all = h->things.items;
    c->least = h->limits.least;
    c->cell_size = oct_tree_cell_size(lattice);
    c->origin = oct_tree_origin(lattice);
    c->bounds = *bounds;
    for (size_t i = 0; i < h->things.count; i++) {
        const kept_thing kept = kept_of(&all[i]);
        OCT_TRY(oct_array_push(&c->things, &c->allocator, sizeof kept, &kept));
    }
    for (size_t i = 0; i < h->log.latest.count; i++) {
        const double *const turn = turn_at(&h->log, i);
        kept_turn kept;
        if (turn) {
            memcpy(kept.turn, turn, sizeof kept.turn);
            OCT_TRY(oct_array_push(&c->turns, &c->allocator, sizeof kept, &kept));
        }
    }
    return OCT_OK;
}

static oct_result make(space_cache *c, const oct_history *h, const oct_tree *lattice,
                       const oct_bounds *bounds, const walk_limits *limits)
{
    oct_space_cache_clear(c);
    OCT_TRY(oct_config_space_make(&c->space, h, lattice, bounds, limits, &c->allocator));
    c->has_space = true;
    return note_all(c, h, lattice, bounds);
}

oct_result oct_space_cache_take(space_cache *c, const oct_history *h, const oct_tree *lattice,
                                const oct_bounds *bounds, const walk_limits *limits,
                                config_space **out)
{
    const oct_result result =
        !limits && is_same(c, h, lattice, bounds) ? OCT_OK : make(c, h, lattice, bounds, limits);
    *out = result == OCT_OK ? &c->space : NULL;
    if (result != OCT_OK) {
        oct_space_cache_clear(c);
    }
    return result;
}

// ---- what was asked ----

static bool is_same_aim(const space_aim *a, const space_aim *b)
{
    return a->frame == b->frame && a->reach == b->reach && is_same_bounds(&a->box, &b->box) &&
           is_same_bounds(&a->within, &b->within);
}

// There is room for each part once.
static void take_once(void *ctx, uint32_t part)
{
    space_cache *const c = ctx;
    uint8_t *const taken = c->taken.items;
    if (!taken[part]) {
        taken[part] = 1;
        ((uint32_t *)c->parts.items)[c->parts.count++] = part;
    }
}

static oct_result ask(space_cache *c, const space_aim *aim)
{
    kept_aim new = {.aim = *aim, .first = c->parts.count};
    OCT_TRY(oct_array_reserve(&c->taken, &c->allocator, sizeof(uint8_t), c->part_count + 1));
    OCT_TRY(oct_array_reserve(&c->parts, &c->allocator, sizeof(uint32_t),
                              c->parts.count + c->part_count + 1));
    memset(c->taken.items, 0, c->part_count);
    OCT_TRY(oct_config_space_around(&c->space, aim, take_once, c));
    new.count = c->parts.count - new.first;
    return oct_array_push(&c->aims, &c->allocator, sizeof new, &new);
}

oct_result oct_space_cache_around(space_cache *c, const space_aim *aim, part_list *out)
{
    // A part that was entered since was not told.
    if (c->part_count != c->space.parts.count) {
        c->part_count = c->space.parts.count;
        c->aims.count = c->parts.count = 0;
    }
    size_t i = 0;
    while (i < c->aims.count && !is_same_aim(&((const kept_aim *)c->aims.items)[i].aim, aim)) {
        i++;
    }
    OCT_TRY(i < c->aims.count ? OCT_OK : ask(c, aim));
    const kept_aim *const found = (const kept_aim *)c->aims.items + i;
    *out = (part_list){(const uint32_t *)c->parts.items + found->first, found->count};
    return OCT_OK;
}
