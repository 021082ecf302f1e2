// SPDX-License-Identifier: MIT
// Worlds from a seed.
//
// Glass box and maze are described in Hoekzema 2024, 6.1 (test worlds 3 and 4); the geometry is our
// own. They are painted into an array of one byte a block and then taken out block by block, so
// that nothing overlaps and a block's id is its place.
//
// The open scenes are those of Abdo 2017, chapter 4: a tree of "size 50 and a depth of 4" with an
// "overall size [of] 500 metric (meters) units", 64 random obstacles, or a wall of "500 obstacles
// (50 X 10)" that "bisects the tree" in "a series of 10 layers". It does not say how large an
// obstacle is. Taken here: one unit of the tree's size, 10 m. With it 50 of them span the tree;
// with the tree's leaf, 500 / 2^4 = 31.25 m, 16 would. The layers are stacked upwards around the
// middle, so that the wall leaves a way above and below. One number, "arrays of 64", fits neither
// reading.
#include "octant/generate_world.h"

#include "base/base_internal.h"

#define GENERATE_WORLD_COOKIE 0x6f637477u

#define GLASS_EDGE 2.5 // metres
#define GLASS_X 47     // blocks
#define GLASS_Y 53
#define GLASS_Z 38
#define GLASS_BLOCKS (GLASS_X * GLASS_Y * GLASS_Z)

#define MAZE_BLOCKS 3000
#define WALL_MIN 6 // edges of a wall in a maze, blocks
#define WALL_MAX 20
#define HOLES_MAX 3 // in a wall
#define HOLE_MAX 3  // its edge
#define CLEARANCE 2 // blocks around houses and panel that stay free of walls
// A maze that is full takes no more: after this many walls none is tried.
#define MAZE_PATIENCE 4000

#define SVO_EDGE 10.0
#define SVO_SIZE 50
#define SVO_BLOCKS 64
#define SVO_LAYERS 10

typedef struct cell {
    int32_t x, y, z;
} cell;

// The blocks from min up to, but not including, max.
typedef struct span {
    cell min, max;
} span;

// What a place of the glass worlds holds.
enum { FREE, GLASS, ARMOUR, DOOR, BUTTON, GOAL, KIND_COUNT, KIND_MASK = 15 };
// Beside it: a wall of a maze, which may go again; a place that no such wall may take.
enum { WALL = 16, CLEAR = 32 };

typedef struct scene {
    oct_random random;
    uint8_t *places; // GLASS_BLOCKS of them
    cell start;      // where one stands
} scene;

// ---- painting ----

static size_t index_of(cell c)
{
    return ((size_t)c.z * GLASS_Y + (size_t)c.y) * GLASS_X + (size_t)c.x;
}

static cell cell_of(size_t index)
{
    return (cell){(int32_t)(index % GLASS_X), (int32_t)(index / GLASS_X % GLASS_Y),
                  (int32_t)(index / GLASS_X / GLASS_Y)};
}

static span grown(span s, int32_t by)
{
    return (span){{s.min.x - by, s.min.y - by, s.min.z - by},
                  {s.max.x + by, s.max.y + by, s.max.z + by}};
}

static void fill(const scene *s, span where, uint8_t what)
{
    for (cell c = where.min; c.z < where.max.z; c.z++) {
        for (c.y = where.min.y; c.y < where.max.y; c.y++) {
            for (c.x = where.min.x; c.x < where.max.x; c.x++) {
                s->places[index_of(c)] = what;
            }
        }
    }
}

static void put(const scene *s, cell c, uint8_t what)
{
    s->places[index_of(c)] = what;
}

// ---- glass box ----

// Armour around free space, with a band of windows one block above the floor's.
static void build_house(const scene *s, span house)
{
    fill(s, grown(house, CLEARANCE), FREE | CLEAR);
    fill(s, house, ARMOUR | CLEAR);
    const span band = {{house.min.x + 1, house.min.y + 1, house.min.z + 2},
                       {house.max.x - 1, house.max.y - 1, house.min.z + 3}};
    fill(s, (span){{band.min.x, house.min.y, band.min.z}, {band.max.x, house.max.y, band.max.z}},
         GLASS | CLEAR);
    fill(s, (span){{house.min.x, band.min.y, band.min.z}, {house.max.x, band.max.y, band.max.z}},
         GLASS | CLEAR);
    fill(s, grown(house, -1), FREE | CLEAR);
}

// A panel on a wall of three by two, which stands on a platform.
static void build_panel(const scene *s, cell at)
{
    const span platform = {{at.x - 2, at.y - 2, at.z - 1}, {at.x + 3, at.y + 2, at.z}};
    const span wall = {{at.x - 1, at.y + 1, at.z}, {at.x + 2, at.y + 2, at.z + 2}};
    const span both = {platform.min, {platform.max.x, platform.max.y, wall.max.z}};
    fill(s, grown(both, CLEARANCE), FREE | CLEAR);
    fill(s, platform, ARMOUR | CLEAR);
    fill(s, wall, ARMOUR | CLEAR);
    put(s, at, BUTTON | CLEAR);
}

static cell cell_in(scene *s, span where)
{
    const int32_t x = oct_random_range(&s->random, where.min.x, where.max.x - 1);
    const int32_t y = oct_random_range(&s->random, where.min.y, where.max.y - 1);
    const int32_t z = oct_random_range(&s->random, where.min.z, where.max.z - 1);
    return (cell){x, y, z};
}

static span span_at(cell min, int32_t x, int32_t y, int32_t z)
{
    return (span){min, {min.x + x, min.y + y, min.z + z}};
}

// The houses face each other along x, low in the box; the panel is high up on the far side of y.
static void build_box(scene *s)
{
    const span all = {{0, 0, 0}, {GLASS_X, GLASS_Y, GLASS_Z}};
    const span from = span_at(cell_in(s, (span){{3, 10, 7}, {6, 15, 11}}), 9, 9, 5);
    const span to = span_at(cell_in(s, (span){{29, 18, 6}, {33, 23, 10}}), 9, 9, 6);
    const cell panel = cell_in(s, (span){{20, 42, 28}, {28, 48, 34}});
    fill(s, all, GLASS);
    fill(s, grown(all, -1), FREE);
    build_house(s, from);
    build_house(s, to);
    build_panel(s, panel);

    put(s, (cell){from.max.x - 1, from.min.y + 4, from.min.z + 1}, FREE | CLEAR); // the doorway
    s->start = (cell){from.min.x + 2, from.min.y + 4, from.min.z + 1};
    put(s, (cell){to.min.x, to.min.y + 4, to.min.z + 1}, DOOR | CLEAR);
    put(s, (cell){to.max.x - 3, to.min.y + 4, to.min.z + 1}, GOAL | CLEAR);
}

// ---- maze ----

// A rectangle in the inside of the box, across a random axis.
static span random_wall(scene *s)
{
    const int32_t sizes[3] = {GLASS_X, GLASS_Y, GLASS_Z};
    const int across = (int)oct_random_below(&s->random, 3);
    int32_t min[3], max[3];
    for (int axis = 0; axis < 3; axis++) {
        const int32_t edge = axis == across ? 1 : oct_random_range(&s->random, WALL_MIN, WALL_MAX);
        min[axis] = oct_random_range(&s->random, 1, sizes[axis] - 1 - edge);
        max[axis] = min[axis] + edge;
    }
    return (span){{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
}

// A part of a wall, never all of it.
static span random_hole(scene *s, span wall)
{
    const cell min = cell_in(s, wall);
    const int32_t edge = oct_random_range(&s->random, 1, HOLE_MAX);
    const span hole = span_at(min, edge, edge, edge);
    return (span){min,
                  {hole.max.x < wall.max.x ? hole.max.x : wall.max.x,
                   hole.max.y < wall.max.y ? hole.max.y : wall.max.y,
                   hole.max.z < wall.max.z ? hole.max.z : wall.max.z}};
}

static bool is_in(cell c, span s)
{
    return c.x >= s.min.x && c.x < s.max.x && c.y >= s.min.y && c.y < s.max.y && c.z >= s.min.z &&
           c.z < s.max.z;
}

// Returns how many blocks were added.
static uint32_t build_wall(scene *s)
{
    const span wall = random_wall(s);
    const uint8_t what = (oct_random_below(&s->random, 2) ? GLASS : ARMOUR) | WALL;
    span holes[HOLES_MAX];
    const uint64_t hole_count = 1 + oct_random_below(&s->random, HOLES_MAX);
    for (uint64_t i = 0; i < hole_count; i++) {
        holes[i] = random_hole(s, wall);
    }
    uint32_t added = 0;
    for (cell c = wall.min; c.z < wall.max.z; c.z++) {
        for (c.y = wall.min.y; c.y < wall.max.y; c.y++) {
            for (c.x = wall.min.x; c.x < wall.max.x; c.x++) {
                bool solid = s->places[index_of(c)] == FREE;
                for (uint64_t i = 0; solid && i < hole_count; i++) {
                    solid = !is_in(c, holes[i]);
                }
                if (solid) {
                    put(s, c, what);
                    added++;
                }
            }
        }
    }
    return added;
}

// ---- connecting ----

// A search that opens walls.
typedef struct digger {
    uint8_t *places;
    uint8_t *seen;
    uint32_t *parents; // from where a place was seen
    uint32_t *here;    // stack of places to go on from
    uint32_t *behind;  // walls that were met, and are opened only where nothing else leads on
    size_t here_count, behind_count;
} digger;

// Opens the walls on the way back to where one can get.
static void open_way(const digger *d, uint32_t from)
{
    for (; d->places[from] & WALL; from = d->parents[from]) {
        d->places[from] = FREE;
    }
}

static void look(digger *d, uint32_t from, uint32_t to)
{
    const bool is_wall = d->places[to] & WALL;
    if (d->seen[to] || ((d->places[to] & KIND_MASK) != FREE && !is_wall)) {
        return;
    }
    d->seen[to] = 1;
    d->parents[to] = from;
    if (is_wall) {
        d->behind[d->behind_count++] = to;
    } else {
        open_way(d, from);
        d->here[d->here_count++] = to;
    }
}

// Every free place that only walls part from the start is reached through as few of them as can be;
// those are opened. The hull keeps the search inside, and so do the houses' walls.
static void dig(digger *d, uint32_t start)
{
    d->seen[start] = 1;
    d->here[d->here_count++] = start;
    while (d->here_count > 0) {
        const uint32_t at = d->here[--d->here_count];
        const uint32_t steps[3] = {1, GLASS_X, GLASS_X * GLASS_Y};
        for (int axis = 0; axis < 3; axis++) {
            look(d, at, at - steps[axis]);
            look(d, at, at + steps[axis]);
        }
        if (d->here_count == 0) {
            uint32_t *const empty = d->here;
            d->here = d->behind;
            d->here_count = d->behind_count;
            d->behind = empty;
            d->behind_count = 0;
        }
    }
}

static oct_result connect(const scene *s, const oct_allocator *allocator)
{
    const size_t words = GLASS_BLOCKS * sizeof(uint32_t);
    uint32_t *const memory = oct_alloc(allocator, 3 * words + GLASS_BLOCKS, _Alignof(uint32_t));
    if (!memory) {
        return OCT_ERROR_MEMORY;
    }
    digger d = {.places = s->places,
                .parents = memory,
                .here = memory + GLASS_BLOCKS,
                .behind = memory + 2 * (size_t)GLASS_BLOCKS,
                .seen = (uint8_t *)(memory + 3 * (size_t)GLASS_BLOCKS)};
    memset(d.seen, 0, GLASS_BLOCKS);
    dig(&d, (uint32_t)index_of(s->start));
    oct_free(allocator, memory, 3 * words + GLASS_BLOCKS);
    return OCT_OK;
}

// ---- taking out ----

static oct_bounds cube(cell c, double edge)
{
    return (oct_bounds){{c.x * edge, c.y * edge, c.z * edge},
                        {(c.x + 1) * edge, (c.y + 1) * edge, (c.z + 1) * edge}};
}

static oct_result take_blocks(const scene *s, oct_world *world)
{
    static const struct {
        const char *name;
        bool opaque;
    } types[KIND_COUNT] = {
        [GLASS] = {"glass", false},  [ARMOUR] = {"armour", true}, [DOOR] = {"door", true},
        [BUTTON] = {"button", true}, [GOAL] = {"goal", true},
    };
    uint32_t indices[KIND_COUNT];
    for (int kind = GLASS; kind < KIND_COUNT; kind++) {
        OCT_TRY(oct_world_add_type(world, types[kind].name, types[kind].opaque, &indices[kind]));
    }
    for (size_t i = 0; i < GLASS_BLOCKS; i++) {
        const int kind = s->places[i] & KIND_MASK;
        if (kind == FREE) {
            continue;
        }
        const oct_world_block block = {.id = i + 1,
                                       .name = kind >= DOOR ? types[kind].name : NULL,
                                       .box = cube(cell_of(i), GLASS_EDGE),
                                       .type = indices[kind],
                                       .label = OCT_BLOCKED};
        OCT_TRY(oct_world_add(world, &block));
    }
    const oct_bounds stand = cube(s->start, GLASS_EDGE);
    const oct_pose start = {
        {(stand.min.x + stand.max.x) / 2, (stand.min.y + stand.max.y) / 2, stand.min.z},
        {1, 0, 0},
        {0, 0, 1}};
    OCT_TRY(oct_world_set_start(world, &start));
    return oct_world_set_passage(world, GLASS_EDGE);
}

// ---- kinds ----

static oct_result build_glass(scene *s, const oct_generate_world_def *def,
                              const oct_allocator *allocator, oct_world *world)
{
    build_box(s);
    if (def->kind == OCT_GENERATE_GLASS_MAZE) {
        const uint32_t wanted = def->blocks ? def->blocks : MAZE_BLOCKS;
        uint32_t walls = 0;
        for (uint32_t tried = 0; walls < wanted && tried < MAZE_PATIENCE; tried++) {
            walls += build_wall(s);
        }
        OCT_TRY(connect(s, allocator));
    }
    return take_blocks(s, world);
}

static oct_result make_glass(const oct_generate_world_def *def, const oct_allocator *allocator,
                             oct_world *world)
{
    scene s = {.random = oct_random_seed(def->seed),
               .places = oct_alloc(allocator, GLASS_BLOCKS, 1)};
    if (!s.places) {
        return OCT_ERROR_MEMORY;
    }
    const oct_result result = build_glass(&s, def, allocator, world);
    oct_free(allocator, s.places, GLASS_BLOCKS);
    return result;
}

// The declared size is that of the tree; obstacles need not reach its sides.
static oct_result begin_svo(oct_world *world)
{
    const double size = SVO_SIZE * SVO_EDGE;
    OCT_TRY(oct_world_set_bounds(world, (oct_bounds){{0, 0, 0}, {size, size, size}}));
    return oct_world_add_type(world, "obstacle", true, NULL);
}

// OCT_ERROR_EXISTS where there is one.
static oct_result add_obstacle(oct_world *world, cell c)
{
    const uint64_t place = ((uint64_t)c.z * SVO_SIZE + (uint64_t)c.y) * SVO_SIZE + (uint64_t)c.x;
    const oct_world_block block = {
        .id = place + 1, .box = cube(c, SVO_EDGE), .type = 0, .label = OCT_BLOCKED};
    return oct_world_add(world, &block);
}

static oct_result make_random(const oct_generate_world_def *def, const oct_allocator *allocator,
                              oct_world *world)
{
    (void)allocator;
    const uint32_t wanted = def->blocks ? def->blocks : SVO_BLOCKS;
    scene s = {.random = oct_random_seed(def->seed)};
    OCT_TRY(begin_svo(world));
    while (oct_world_blocks(world) < wanted) {
        const span all = {{0, 0, 0}, {SVO_SIZE, SVO_SIZE, SVO_SIZE}};
        const oct_result result = add_obstacle(world, cell_in(&s, all));
        OCT_TRY(result == OCT_ERROR_EXISTS ? OCT_OK : result);
    }
    return OCT_OK;
}

static oct_result make_wall(const oct_generate_world_def *def, const oct_allocator *allocator,
                            oct_world *world)
{
    (void)def;
    (void)allocator;
    OCT_TRY(begin_svo(world));
    for (int32_t z = 0; z < SVO_LAYERS; z++) {
        for (int32_t x = 0; x < SVO_SIZE; x++) {
            const cell at = {x, SVO_SIZE / 2, (SVO_SIZE - SVO_LAYERS) / 2 + z};
            OCT_TRY(add_obstacle(world, at));
        }
    }
    return OCT_OK;
}

// ---- entry ----

typedef struct kind_row {
    const char *name;
    uint32_t blocks_max; // that can be asked for
    oct_result (*make)(const oct_generate_world_def *def, const oct_allocator *allocator,
                       oct_world *world);
} kind_row;

static const kind_row kinds[OCT_GENERATE_WORLD_COUNT] = {
    [OCT_GENERATE_GLASS_BOX] = {"glass-box", 0, make_glass},
    [OCT_GENERATE_GLASS_MAZE] = {"glass-maze", OCT_GENERATE_MAZE_MAX, make_glass},
    [OCT_GENERATE_SVO_RANDOM] = {"svo-random", OCT_GENERATE_SVO_MAX, make_random},
    [OCT_GENERATE_SVO_WALL] = {"svo-wall", 0, make_wall},
};

oct_generate_world_def oct_generate_world_def_default(void)
{
    return (oct_generate_world_def){
        .kind = OCT_GENERATE_GLASS_BOX, .seed = 1, .cookie = GENERATE_WORLD_COOKIE};
}

const char *oct_generate_world_kind_name(oct_generate_world_kind kind)
{
    return (uint32_t)kind < OCT_GENERATE_WORLD_COUNT ? kinds[kind].name : NULL;
}

oct_result oct_world_generate(const oct_generate_world_def *def, const oct_allocator *allocator,
                              oct_world **out)
{
    *out = NULL;
    if (def->cookie != GENERATE_WORLD_COOKIE || (uint32_t)def->kind >= OCT_GENERATE_WORLD_COUNT) {
        return OCT_ERROR_ARGUMENT;
    }
    const kind_row *const kind = &kinds[def->kind];
    if (def->blocks > kind->blocks_max) {
        return OCT_ERROR_RANGE;
    }
    const oct_allocator own = oct_allocator_or_default(allocator);
    oct_world *world;
    OCT_TRY(oct_world_create(&(oct_world_def){&own}, &world));
    oct_result result = oct_world_set_name(world, kind->name);
    if (result == OCT_OK) {
        result = kind->make(def, &own, world);
    }
    if (result != OCT_OK) {
        oct_world_destroy(world);
        return result;
    }
    *out = world;
    return OCT_OK;
}
