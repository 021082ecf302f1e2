// SPDX-License-Identifier: MIT
// Levels from a seed: what is hard about the class first or last, plain stages around it, and where
// it is not to be solved an end that nobody gets past. What finds no place is drafted anew.
#include "octant/generate_level.h"

#include "generate/level.h"

#define LEVEL_COOKIE 0x6f63746cu
#define ATTEMPTS 200
// So that nobody is too fast in a building of some size, m/s.
#define SLOW_SPEED 4.0
#define SLOW_DOOR 16.0 // seconds

typedef struct class_row {
    const char *name;
    void (*draft)(level *l, uint32_t doors);
    uint32_t least, most;  // doors of its own, by seed
    oct_level_why natural; // why its twin fails, rather than by anything else
} class_row;

static const class_row classes[OCT_LEVEL_CLASS_COUNT] = {
    [OCT_LEVEL_TOGGLES] = {"toggles", oct_level_toggles, 2, 6, OCT_LEVEL_PARITY},
    [OCT_LEVEL_TIMERS] = {"timers", oct_level_timers, 1, 3, OCT_LEVEL_DANGLING},
    [OCT_LEVEL_WINDOWS] = {"windows", oct_level_windows, 1, 3, OCT_LEVEL_SHORT},
    [OCT_LEVEL_STOPS] = {"stops", oct_level_stops, 1, 3, OCT_LEVEL_SHORT},
    [OCT_LEVEL_CHAINS] = {"chains", oct_level_chains, 2, 4, OCT_LEVEL_BEHIND},
    [OCT_LEVEL_OPENS] = {"opens", oct_level_opens, 1, 5, OCT_LEVEL_EXCLUSIVE},
    [OCT_LEVEL_SHUTS] = {"shuts", oct_level_shuts, 2, 5, OCT_LEVEL_SHUT_ONLY},
    [OCT_LEVEL_TRAPS] = {"traps", oct_level_traps, 2, 4, OCT_LEVEL_SHUT_ONLY},
    [OCT_LEVEL_AMBUSHES] = {"ambushes", oct_level_ambushes, 2, 4, OCT_LEVEL_SHUT_ONLY},
    [OCT_LEVEL_TOGETHER] = {"together", oct_level_together, 2, 5, OCT_LEVEL_PARITY},
    [OCT_LEVEL_PENDING] = {"pending", oct_level_pending, 1, 3, OCT_LEVEL_DANGLING},
    [OCT_LEVEL_CLOSING] = {"closing", oct_level_closing, 1, 3, OCT_LEVEL_SHORT},
    [OCT_LEVEL_HELD] = {"held", oct_level_held, 2, 4, OCT_LEVEL_EXCLUSIVE},
    [OCT_LEVEL_WIDE] = {"wide", oct_level_wide, 1, 3, OCT_LEVEL_DANGLING},
    [OCT_LEVEL_GLASS] = {"glass", oct_level_glass, 1, 4, OCT_LEVEL_BEHIND},
    [OCT_LEVEL_NICHES] = {"niches", oct_level_niches, 1, 4, OCT_LEVEL_CIRCULAR},
    [OCT_LEVEL_DRIFTING] = {"drifting", oct_level_drifting, 1, 3, OCT_LEVEL_BEHIND},
    [OCT_LEVEL_DECOYS] = {"decoys", oct_level_decoys, 1, 5, OCT_LEVEL_DANGLING},
    [OCT_LEVEL_SHAFTS] = {"shafts", oct_level_shafts, 1, 4, OCT_LEVEL_SEALED},
    [OCT_LEVEL_GAPS] = {"gaps", oct_level_gaps, 1, 3, OCT_LEVEL_SEALED},
    [OCT_LEVEL_TURNED] = {"turned", oct_level_turned, 2, 4, OCT_LEVEL_SEALED},
    [OCT_LEVEL_AGENTS] = {"agents", oct_level_of_agents, 1, 4, OCT_LEVEL_CIRCULAR},
    [OCT_LEVEL_ROWS] = {"rows", oct_level_rows, 10, 70, OCT_LEVEL_MISSING},
    [OCT_LEVEL_DETOURS] = {"detours", oct_level_detours, 2, 4, OCT_LEVEL_CIRCULAR},
    [OCT_LEVEL_TILTED] = {"tilted", oct_level_tilted, 2, 4, OCT_LEVEL_SEALED},
    [OCT_LEVEL_HOUSES] = {"houses", oct_level_tilted, 2, 3, OCT_LEVEL_SEALED},
};

oct_level_def oct_level_def_default(void)
{
    return (oct_level_def){.seed = 1, .cookie = LEVEL_COOKIE};
}

const char *oct_level_class_name(oct_level_class of)
{
    return (uint32_t)of < OCT_LEVEL_CLASS_COUNT ? classes[of].name : NULL;
}

const char *oct_level_why_name(oct_level_why why)
{
    static const char *const names[OCT_LEVEL_WHY_COUNT] = {
        [OCT_LEVEL_SOLVABLE] = "solvable",   [OCT_LEVEL_SEALED] = "sealed",
        [OCT_LEVEL_PARITY] = "parity",       [OCT_LEVEL_BEHIND] = "behind",
        [OCT_LEVEL_CIRCULAR] = "circular",   [OCT_LEVEL_SHORT] = "short",
        [OCT_LEVEL_SHUT_ONLY] = "shut-only", [OCT_LEVEL_EXCLUSIVE] = "exclusive",
        [OCT_LEVEL_DANGLING] = "dangling",   [OCT_LEVEL_MISSING] = "missing",
    };
    return (uint32_t)why < OCT_LEVEL_WHY_COUNT ? names[why] : NULL;
}

// ---- what is drawn ----

// Several agents get past what one is too slow for.
static bool is_about_speed(oct_level_why why)
{
    return why == OCT_LEVEL_PARITY || why == OCT_LEVEL_SHORT || why == OCT_LEVEL_EXCLUSIVE;
}

static oct_level_why draw_why(level *l, const oct_level_def *def)
{
    if (!def->unsolvable || def->why != OCT_LEVEL_SOLVABLE) {
        return def->why;
    }
    const bool is_natural = oct_level_chance(l, 3);
    oct_level_why why = classes[def->level_class].natural;
    while (!is_natural && (why == classes[def->level_class].natural ||
                           (def->level_class == OCT_LEVEL_AGENTS && is_about_speed(why)))) {
        why = (oct_level_why)oct_level_between(l, OCT_LEVEL_SEALED, OCT_LEVEL_WHY_COUNT - 1);
    }
    return why;
}

static void draw_pose(level *l)
{
    static const oct_point directions[4] = {{0, 0, -1}, {1, 0, 0}, {0, 0, 1}, {-1, 0, 0}};
    l->forward = directions[oct_level_below(l, 4)];
    l->up = (oct_point){0, 1, 0};
    l->house = LEVEL_NONE;
    l->position = (oct_point){LEVEL_EDGE / 2.0, LEVEL_EDGE / 2.0, LEVEL_EDGE / 2.0};
    l->rules = oct_world_rules_default();
    if (is_about_speed(l->why) || l->level_class == OCT_LEVEL_STOPS ||
        l->level_class == OCT_LEVEL_AGENTS) {
        l->rules.speed = SLOW_SPEED;
    }
    if (l->level_class == OCT_LEVEL_WIDE) {
        l->rules.door = SLOW_DOOR;
    }
}

// ---- drafting ----

// Buttons that do nothing, in rooms of the row that are not the last.
static void add_decoys(level *l, uint32_t buttons)
{
    while (l->buttons < buttons && !l->has_overflowed) {
        const uint32_t room = l->row[oct_level_below(l, l->row_count - 1u)];
        oct_level_add_panel(l, room, LEVEL_PLAIN, LEVEL_ANYWHERE, 1);
    }
}

static void draft(level *l, uint32_t doors, bool has_house_door)
{
    const class_row *const row = &classes[l->level_class];
    const uint32_t own = doors > row->most ? row->most : doors;
    const uint32_t before = oct_level_below(l, doors - own + 1u);
    l->start_room = oct_level_next_usual(l);
    for (uint32_t i = 0; i < before; i++) {
        oct_level_plain_stage(l);
    }
    row->draft(l, own);
    for (uint32_t i = before + own; i < doors; i++) {
        oct_level_plain_stage(l);
    }
    if (l->why == OCT_LEVEL_SOLVABLE) {
        oct_level_next_usual(l);
    } else {
        oct_level_twin(l);
    }
    l->target_room = oct_level_here(l);
    if (l->level_class == OCT_LEVEL_HOUSES) {
        oct_level_add_house(l, has_house_door);
    }
    for (uint32_t i = 0; i < l->agents; i++) {
        oct_level_walk(l, i, l->target_room);
        if (l->house != LEVEL_NONE) {
            oct_level_walk(l, i, l->house);
        }
        oct_level_step_to(l, i, OCT_LEVEL_REACH, 0, 0);
    }
}

static oct_result attempt(level *l, const oct_level_def *def, uint32_t tried, bool *done)
{
    const oct_allocator own = l->allocator;
    memset(l, 0, sizeof *l);
    l->allocator = own;
    l->random =
        oct_random_seed(def->seed + ((uint64_t)def->level_class << 48) + ((uint64_t)tried << 56));
    l->level_class = def->level_class;
    l->agents = 1;
    l->why = draw_why(l, def);
    draw_pose(l);
    const class_row *const row = &classes[def->level_class];
    // One of a house counts among those of the end.
    const bool has_house_door = def->level_class == OCT_LEVEL_HOUSES && oct_level_chance(l, 2);
    const uint32_t of_twin = oct_level_twin_doors(l->why) + has_house_door;
    const uint32_t least = row->least + of_twin;
    uint32_t doors = oct_level_between(l, row->least, row->most) + of_twin;
    doors = doors < 2 ? 2 : doors > OCT_LEVEL_DOORS_MAX ? OCT_LEVEL_DOORS_MAX : doors;
    doors = def->doors ? def->doors : doors;
    *done = false;
    if (doors < least) {
        return OCT_OK;
    }
    draft(l, doors - of_twin, has_house_door);
    add_decoys(l, def->buttons);
    if (l->has_overflowed || (def->buttons && l->buttons != def->buttons)) {
        return OCT_OK;
    }
    return oct_level_carve(l, done);
}

static void free_cells(level *l)
{
    oct_free(&l->allocator, l->cells, (size_t)l->size.x * (size_t)l->size.y * (size_t)l->size.z);
    l->cells = NULL;
}

static oct_result generate(level *l, const oct_level_def *def, oct_world *world)
{
    for (uint32_t tried = 0; tried < ATTEMPTS; tried++) {
        bool done;
        oct_result result = attempt(l, def, tried, &done);
        if (result == OCT_OK && done) {
            result = oct_level_build(l, world);
        }
        free_cells(l);
        if (result != OCT_OK || done) {
            return result;
        }
    }
    return OCT_ERROR_RANGE;
}

// ---- entry ----

static oct_result check(const oct_level_def *def)
{
    if (def->cookie != LEVEL_COOKIE || (uint32_t)def->level_class >= OCT_LEVEL_CLASS_COUNT ||
        (uint32_t)def->why >= OCT_LEVEL_WHY_COUNT ||
        (!def->unsolvable && def->why != OCT_LEVEL_SOLVABLE) ||
        (def->level_class == OCT_LEVEL_AGENTS && is_about_speed(def->why))) {
        return OCT_ERROR_ARGUMENT;
    }
    const uint32_t most = def->level_class == OCT_LEVEL_ROWS ? OCT_LEVEL_DOORS_MAX : 40;
    return def->doors == 1 || def->doors > most || def->buttons > OCT_LEVEL_BUTTONS_MAX
               ? OCT_ERROR_RANGE
               : OCT_OK;
}

oct_result oct_level_generate(const oct_level_def *def, const oct_allocator *allocator,
                              oct_world **out, oct_level_truth *truth)
{
    *out = NULL;
    OCT_TRY(check(def));
    const oct_allocator own = oct_allocator_or_default(allocator);
    level *const l = oct_alloc(&own, sizeof *l, _Alignof(level));
    if (!l) {
        return OCT_ERROR_MEMORY;
    }
    memset(l, 0, sizeof *l);
    l->allocator = own;
    oct_world *world;
    oct_result result = oct_world_create(&(oct_world_def){&own}, &world);
    if (result == OCT_OK) {
        result = generate(l, def, world);
    }
    if (result == OCT_OK && truth) {
        oct_level_tell(l, truth);
    }
    if (result != OCT_OK) {
        oct_world_destroy(world);
        world = NULL;
    }
    *out = world;
    oct_free(&own, l, sizeof *l);
    return result;
}
