// SPDX-License-Identifier: MIT
// Belief: entities in the order of first sight, found by id through a table; doors and panels in
// lists of their own, since links and the map's doors are looked at in every turn.
#include "octant/belief.h"
#include "agent/agent_internal.h"
#include "agent/belief_parts.h"
#include "agent/doorway.h"
#include "agent/effects.h"
#include "agent/links_internal.h"
#include "agent/links_recall.h"
#include "map/map_refine.h"
#include "map/sighted.h"
#include "octant/flight.h"

#include <math.h>
#include <stdio.h>

#define COOKIE UINT32_C(0x0b41a4ef)
// Whole cells are the padding, to the bit: a cell is known where all cells that its padding touches
// are seen, and one more that it hardly touches lies inside floors and walls, out of sight from
// anywhere but close by. Three cells for bodies of 1.8 m and passages of 2.5 m: at least one row of
// cells stays open at any alignment, with 8 mm to spare for grids that are turned a little, and the
// ball around the body has 34 mm beyond it, more than a pilot strays along surfaces. Larger bodies
// have more cells of at most this size, smaller ones two, so that they pass what is 0.4 m wider.
#define CELL (319.0 / 1024.0)
#define CELLS_LEAST 2.0
// Looks take the time of what lies in view: no cell is smaller than this part of it.
#define CELLS_OF_VIEW 150.0
#define PADDING_MIN 0.034         // beyond the ball, metres
#define CORNER 1.4142135623730951 // of a box, in halves of its width
// What effects may take beyond a door's own time, seconds: timers.
#define SETTLE 2.0

// ---- life ----

oct_belief_def oct_belief_def_default(void)
{
    return (oct_belief_def){.cookie = COOKIE};
}

double oct_belief_cell(const oct_game_info *info, const oct_player_body *body)
{
    const double metre = belief_metre(info);
    const double pad = oct_body_limits_of(body).most / metre / 2.0 + PADDING_MIN;
    const double least = info->view / metre / CELLS_OF_VIEW;
    double cells = fmax(ceil(pad / CELL), CELLS_LEAST);
    while (cells > 1.0 && pad / cells < fmin(least, CELL)) {
        cells--;
    }
    return ceil(pad / cells * 1024.0) / 1024.0 * metre;
}

// Beside who stays upright things grow by no more than it is wide.
static void pad_upright(const oct_belief *b, double cell, oct_map_def *map)
{
    const double corner = b->body.shape == OCT_BODY_BOX ? CORNER : 1.0;
    const double least = corner * b->body.width / 2.0 + PADDING_MIN * belief_metre(&b->info);
    const double beside = ceil(least / cell) * cell, above = map->padding.x;
    map->padding = (oct_point){beside, beside, beside};
    *(b->info.up == OCT_UP_X   ? &map->padding.x
      : b->info.up == OCT_UP_Y ? &map->padding.y
                               : &map->padding.z) = above;
    map->is_ball = false;
}

static oct_result make_map(oct_belief *b, const oct_belief_def *def)
{
    // As many whole cells as hold the ball around the body and what a pilot strays.
    const double cell = def->cell > 0.0 ? def->cell : oct_belief_cell(&b->info, &b->body);
    const double least = b->limits.most / 2.0 + PADDING_MIN * belief_metre(&b->info);
    double padding = def->padding;
    for (double cells = 1.0; padding < least && !(def->padding > 0.0); cells++) {
        padding = cells * cell;
    }
    oct_map_def map = oct_map_def_default();
    map.cell_size = cell;
    map.padding = (oct_point){padding, padding, padding};
    // The ball holds a body that is round; the corners of a box are beyond it.
    map.is_ball = b->body.shape != OCT_BODY_BOX;
    if (def->is_upright && !(def->padding > 0.0)) {
        pad_upright(b, cell, &map);
    }
    map.allocator = &b->allocator;
    map.executor = def->executor;
    OCT_TRY(oct_map_create(&map, &b->map));
    if (!b->history) {
        return OCT_OK;
    }
    OCT_TRY(oct_map_keep_sighted(b->map));
    return oct_history_add_sight(b->history, oct_map_sighted(b->map));
}

static oct_result make_links(oct_belief *b, const oct_belief_def *def)
{
    oct_links_def links = oct_links_def_default();
    // Where nobody says what a door takes, it counts as a second.
    const double slide = b->info.slide > 0 ? (double)b->info.slide : b->info.rate;
    const double usual = SETTLE * b->info.rate + slide;
    links.settle = (def->settle > 0 ? def->settle : (uint64_t)usual) + b->info.delay_max;
    links.allocator = &b->allocator;
    OCT_TRY(oct_links_create(&links, &b->links));
    // Where presses add up whenever they are made, those of earlier lives are equations as well.
    const bool adds_up = oct_effect_rules_of(&b->info).toggles;
    return b->history && adds_up ? oct_links_recall(b->links, b->history) : OCT_OK;
}

static oct_result take_body(oct_belief *b, const oct_player_body *may_be_null)
{
    const oct_player_body usual = oct_player_body_default();
    const oct_player_body *const body = may_be_null ? may_be_null : &usual;
    b->limits = oct_body_limits_of(body);
    if (b->history) {
        oct_history_note_body(b->history, body, b->walks);
    }
    return oct_pool_body(&b->pool, &b->allocator, body, &b->body);
}

oct_result oct_belief_create(const oct_belief_def *def, oct_belief **out)
{
    *out = NULL;
    if (def->cookie != COOKIE || !def->info || !(def->cell >= 0.0) || !(def->padding >= 0.0)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_belief *const b = oct_alloc(&allocator, sizeof *b, _Alignof(oct_belief));
    if (!b) {
        return OCT_ERROR_MEMORY;
    }
    *b = (oct_belief){.allocator = allocator, .info = *def->info, .walks = def->walks};
    b->history = def->history ? oct_history_keep(def->history) : NULL;
    b->heard = b->history ? b->history->presses.count : 0;
    oct_pool_init(&b->pool, &allocator);
    oct_result result = take_body(b, def->body);
    result = result == OCT_OK ? make_map(b, def) : result;
    result = result == OCT_OK ? make_links(b, def) : result;
    if (result != OCT_OK) {
        oct_belief_destroy(b);
        return result;
    }
    *out = b;
    return OCT_OK;
}

void oct_belief_destroy(oct_belief *b)
{
    if (!b) {
        return;
    }
    oct_array_free(&b->known, &b->allocator, sizeof(oct_known));
    oct_array_free(&b->news, &b->allocator, sizeof(uint32_t));
    oct_array_free(&b->sights, &b->allocator, sizeof(uint32_t));
    oct_array_free(&b->doors, &b->allocator, sizeof(belief_door));
    oct_key_table_free(&b->ids, &b->allocator);
    oct_drift_volumes_free(&b->drift, &b->allocator);
    oct_look_free(&b->look, &b->allocator);
    oct_event_list_free(&b->events, &b->allocator);
    oct_array_free(&b->props, &b->allocator, sizeof(oct_property));
    oct_pool_free(&b->pool, &b->allocator);
    oct_links_destroy(b->links);
    if (b->history && b->map) {
        oct_history_take_sight(b->history, oct_map_take_sighted(b->map));
    }
    oct_map_destroy(b->map);
    oct_history_drop(b->history);
    const oct_allocator allocator = b->allocator;
    oct_free(&allocator, b, sizeof *b);
}

void oct_belief_guide(oct_belief *b, const navigator *n)
{
    b->navigator = *n;
}

// ---- questions ----

uint64_t oct_belief_events(const oct_belief *b)
{
    return b->events.told;
}

bool oct_belief_event(const oct_belief *b, uint64_t index, oct_event *out)
{
    return oct_event_list_get(&b->events, index, out);
}

oct_over oct_belief_over(const oct_belief *b)
{
    return b->over;
}

const oct_self *oct_belief_self(const oct_belief *b)
{
    return &b->self;
}

const oct_history *oct_belief_history(const oct_belief *b)
{
    return b->history;
}

const oct_map *oct_belief_map(const oct_belief *b)
{
    return b->map;
}

const oct_links *oct_belief_links(const oct_belief *b)
{
    return b->links;
}

const oct_game_info *oct_belief_info(const oct_belief *b)
{
    return &b->info;
}

oct_bounds oct_belief_extent(const oct_belief *b)
{
    oct_bounds all = {b->self.centre, b->self.centre};
    for (uint32_t i = 0; i < b->known.count; i++) {
        all = bounds_join(all, belief_known(b, i)->now.thing.box);
    }
    return all;
}

const oct_tree *oct_belief_sights(const oct_belief *b)
{
    const oct_tree *const sights = oct_map_sighted(b->map);
    return sights ? sights : oct_map_tree(b->map);
}

bool oct_belief_wants_finer(const oct_belief *b)
{
    return b->has_turned && !b->is_fine;
}

// What a thing of the map is; NULL = its box.
static const oct_shape *shape_of(void *ctx, uint64_t id)
{
    const oct_belief *const b = ctx;
    oct_thing things[ENTITY_THINGS_MAX];
    uint32_t found;
    const bool is_entity = oct_belief_find(b, id, &found);
    for (uint32_t i = is_entity ? found : 0; i < oct_belief_count(b); i++) {
        const size_t count = oct_entity_things(&oct_belief_get(b, i)->now, things);
        for (size_t k = 0; k < count; k++) {
            if (things[k].id == id) {
                return things[k].shape;
            }
        }
    }
    return NULL;
}

oct_result oct_belief_refine(oct_belief *b)
{
    OCT_TRY(oct_map_refine(b->map, shape_of, b));
    b->is_fine = b->look.takes_shapes = true;
    return OCT_OK;
}

const oct_player_body *oct_belief_body(const oct_belief *b)
{
    return &b->body;
}

const oct_observation *oct_belief_told(const oct_belief *b)
{
    return &b->look.told;
}

oct_seen oct_belief_seen(const oct_belief *b)
{
    return b->look.seen;
}

uint64_t oct_belief_looks(const oct_belief *b)
{
    return b->looks;
}

uint64_t oct_belief_changes(const oct_belief *b)
{
    return b->changes;
}

uint64_t oct_belief_openings(const oct_belief *b)
{
    return b->openings;
}

uint32_t oct_belief_count(const oct_belief *b)
{
    return (uint32_t)b->known.count;
}

const oct_known *oct_belief_get(const oct_belief *b, uint32_t index)
{
    return belief_known(b, index);
}

bool oct_belief_find_name(const oct_belief *b, const char *name, uint32_t *index)
{
    for (uint32_t i = 0; i < b->known.count; i++) {
        const oct_known *const k = belief_known(b, i);
        if (!k->gone && strcmp(k->now.name, name) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

const uint32_t *oct_belief_news(const oct_belief *b, size_t *count)
{
    *count = b->news.count;
    return b->news.items;
}

size_t oct_belief_name(const oct_belief *b, const oct_known *k, char *out, size_t size)
{
    const char *const type = k->now.type;
    (void)b;
    const int length = k->now.name[0] != '\0'
                           ? snprintf(out, size, "%s", k->now.name)
                           : snprintf(out, size, "%s %llu",
                                      type[0] != '\0' ? type : oct_entity_kind_name(k->now.kind),
                                      (unsigned long long)k->now.thing.id);
    return length > 0 ? (size_t)length : 0;
}

size_t oct_belief_name_of(const oct_belief *b, uint64_t id, char *out, size_t size)
{
    uint32_t index;
    if (oct_belief_find(b, id, &index)) {
        return oct_belief_name(b, oct_belief_get(b, index), out, size);
    }
    // Known from an earlier life, or from somebody else.
    const history_thing *const t = b->history ? oct_history_find(b->history, id) : NULL;
    if (t) {
        return oct_belief_name(b, &(oct_known){.now = t->told}, out, size);
    }
    return (size_t)snprintf(out, size, "%llu", (unsigned long long)id);
}
