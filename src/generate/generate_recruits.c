// SPDX-License-Identifier: MIT
// Levels of the lab world: a grid of rooms on each storey, a random tree of passages between them,
// ramps from storey to storey, then doors, buttons, fires and the flag along that tree.
//
// A storey takes three sheets: two of walls and one that is empty, so that nobody looks over its
// walls, and whoever is on ramps has room above the head.
#include "octant/generate_recruits.h"

#include "base/print.h"
#include "base/sink.h"

#include <math.h>

#define COOKIE 0x67656e72u
#define ROOM 7 // cells inside a room, along each side
#define PITCH (ROOM + 1)
#define SHEETS 3 // of a storey
#define DOORS_OF_BUTTON 3
#define TRIES 64
#define NONE UINT32_MAX
#define PARTS 40 // bytes of a cell

typedef struct room {
    uint32_t x, z, storey;
    uint32_t parent; // the room before it; NONE of the first
    uint32_t door;   // between that and itself, from 0 in the order of rooms; NONE
    uint32_t depth;  // rooms before it
} room;

typedef struct draft {
    oct_recruits_gen_def def;
    oct_random random;
    oct_allocator allocator;
    uint32_t across, down; // rooms along x and z
    uint32_t width, depth, sheets;
    char (*cells)[PARTS]; // what is written
    size_t cell_count;
    room rooms[OCT_RECRUITS_ROOMS_MAX];
    uint32_t room_count;
    uint32_t door_room[OCT_RECRUITS_DOORS_MAX]; // behind each door
    uint32_t door_name[OCT_RECRUITS_DOORS_MAX]; // its number
    uint32_t button_name[OCT_RECRUITS_BUTTONS_MAX];
    uint64_t toggles[OCT_RECRUITS_BUTTONS_MAX]; // doors, a bit each
    uint32_t doors, buttons;
} draft;

// ---- cells ----

static char *cell_of(const draft *d, uint32_t x, uint32_t sheet, uint32_t z)
{
    return d->cells[((size_t)sheet * d->depth + z) * d->width + x];
}

static void set(const draft *d, uint32_t x, uint32_t sheet, uint32_t z, const char *parts)
{
    oct_snprintf(cell_of(d, x, sheet, z), PARTS, "%s", parts);
}

static bool is_plain_floor(const draft *d, uint32_t x, uint32_t sheet, uint32_t z)
{
    return strcmp(cell_of(d, x, sheet, z), "f") == 0;
}

// ---- rooms ----

static uint32_t room_at(const draft *d, uint32_t x, uint32_t z, uint32_t storey)
{
    for (uint32_t i = 0; i < d->room_count; i++) {
        if (d->rooms[i].x == x && d->rooms[i].z == z && d->rooms[i].storey == storey) {
            return i;
        }
    }
    return NONE;
}

static bool is_room(const draft *d, uint32_t x, uint32_t z)
{
    return x < d->across && z < d->down && z * d->across + x < d->def.rooms;
}

static void add_room(draft *d, uint32_t x, uint32_t z, uint32_t storey, uint32_t parent)
{
    const uint32_t depth = parent == NONE ? 0 : d->rooms[parent].depth + 1;
    d->rooms[d->room_count++] = (room){x, z, storey, parent, NONE, depth};
}

// Grows a tree over all rooms of a storey from those of it that are there.
static void grow_storey(draft *d, uint32_t storey)
{
    const uint32_t first = d->room_count - 1, wanted = first + d->def.rooms;
    while (d->room_count < wanted) {
        const uint32_t from = first + (uint32_t)oct_random_below(&d->random, d->room_count - first);
        const uint32_t way = (uint32_t)oct_random_below(&d->random, 4);
        const uint32_t x = d->rooms[from].x + (way == 0 ? 1u : way == 1 ? UINT32_MAX : 0u);
        const uint32_t z = d->rooms[from].z + (way == 2 ? 1u : way == 3 ? UINT32_MAX : 0u);
        if (is_room(d, x, z) && room_at(d, x, z, storey) == NONE) {
            add_room(d, x, z, storey, from);
        }
    }
}

// The last room of a storey has the ramps to the next one, which begins above it.
static void grow(draft *d)
{
    add_room(d, 0, 0, 0, NONE);
    for (uint32_t storey = 0; storey < d->def.storeys; storey++) {
        grow_storey(d, storey);
        const room last = d->rooms[d->room_count - 1];
        if (storey + 1 < d->def.storeys) {
            add_room(d, last.x, last.z, storey + 1, d->room_count - 1);
        }
    }
}

// ---- walls, floors, ramps ----

static void build_room(const draft *d, const room *r)
{
    const uint32_t sheet = r->storey * SHEETS;
    for (uint32_t z = r->z * PITCH; z <= (r->z + 1) * PITCH; z++) {
        for (uint32_t x = r->x * PITCH; x <= (r->x + 1) * PITCH; x++) {
            const bool is_wall = x % PITCH == 0 || z % PITCH == 0;
            set(d, x, sheet, z, is_wall ? "w" : "f");
            set(d, x, sheet + 1, z, is_wall ? "w" : "");
        }
    }
}

// A place in a room's wall to another one beside it; no ramps are near.
static void passage_of(const room *a, const room *b, uint32_t *x, uint32_t *z)
{
    const uint32_t middle = 6;
    *x = a->x == b->x ? a->x * PITCH + middle : (a->x > b->x ? a->x : b->x) * PITCH;
    *z = a->z == b->z ? a->z * PITCH + middle : (a->z > b->z ? a->z : b->z) * PITCH;
}

static void build_passage(const draft *d, const room *r)
{
    const room *const before = &d->rooms[r->parent];
    const uint32_t sheet = r->storey * SHEETS;
    uint32_t x, z;
    passage_of(before, r, &x, &z);
    set(d, x, sheet, z, "f");
    set(d, x, sheet + 1, z, "");
    if (r->door != NONE) {
        oct_snprintf(cell_of(d, x, sheet, z), PARTS, "f:d>%c^door%lu",
                     before->x == r->x ? 'n' : 'w', (unsigned long)d->door_name[r->door]);
    }
}

// Three ramps along x, below a hole that is wide enough not to be hung on.
static void build_ramps(const draft *d, const room *upper)
{
    const uint32_t x = upper->x * PITCH + 2, z = upper->z * PITCH + 2;
    const uint32_t sheet = (upper->storey - 1) * SHEETS;
    set(d, x, sheet, z, "f:r>e");
    set(d, x + 1, sheet + 1, z, "r>e");
    set(d, x + 2, sheet + 2, z, "r>e");
    for (uint32_t k = z - 1; k <= z + 1; k++) {
        set(d, x + 1, sheet + SHEETS, k, "");
        set(d, x + 2, sheet + SHEETS, k, "");
    }
}

static void build(draft *d)
{
    for (uint32_t i = 0; i < d->room_count; i++) {
        build_room(d, &d->rooms[i]);
    }
    for (uint32_t i = 1; i < d->room_count; i++) {
        if (d->rooms[i].storey == d->rooms[d->rooms[i].parent].storey) {
            build_passage(d, &d->rooms[i]);
        } else {
            build_ramps(d, &d->rooms[i]);
        }
    }
}

// ---- doors and buttons ----

// A random order of 1 to count.
static void shuffle(draft *d, uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = (uint32_t)oct_random_below(&d->random, i + 1);
        numbers[i] = numbers[k];
        numbers[k] = i + 1;
    }
}

// The last room that has a passage: the flag is there, and its door is the last.
static uint32_t flag_room(const draft *d)
{
    uint32_t best = d->room_count - 1;
    for (uint32_t i = 1; i < d->room_count; i++) {
        const bool has_passage = d->rooms[i].storey == d->rooms[d->rooms[i].parent].storey;
        best = has_passage && d->rooms[i].depth >= d->rooms[best].depth ? i : best;
    }
    return best;
}

static bool can_have_door(const draft *d, uint32_t i)
{
    return i > 0 && d->rooms[i].storey == d->rooms[d->rooms[i].parent].storey;
}

// Chooses passages; doors are then counted in the order of rooms, in which each room comes after
// the one before it.
static void choose_doors(draft *d)
{
    bool has[OCT_RECRUITS_ROOMS_MAX] = {false};
    uint32_t left = d->def.doors;
    if (left > 0) {
        has[flag_room(d)] = true;
        left--;
    }
    while (left > 0) {
        const uint32_t i = (uint32_t)oct_random_below(&d->random, d->room_count);
        if (can_have_door(d, i) && !has[i]) {
            has[i] = true;
            left--;
        }
    }
    for (uint32_t i = 0; i < d->room_count; i++) {
        if (has[i]) {
            d->door_room[d->doors] = i;
            d->rooms[i].door = d->doors++;
        }
    }
    shuffle(d, d->door_name, d->doors);
}

// Whether one gets to a room by doors before one alone.
static bool is_before(const draft *d, uint32_t i, uint32_t door)
{
    for (; i != NONE; i = d->rooms[i].parent) {
        if (d->rooms[i].door != NONE && d->rooms[i].door >= door) {
            return false;
        }
    }
    return true;
}

// A cell of a room on which nothing is; `margin` cells are kept free along its walls.
static bool place(draft *d, uint32_t in, uint32_t margin, const char *parts)
{
    const room *const r = &d->rooms[in];
    const uint32_t span = ROOM - 2 * margin, sheet = r->storey * SHEETS;
    for (int i = 0; i < TRIES; i++) {
        const uint32_t x = r->x * PITCH + 1 + margin + (uint32_t)oct_random_below(&d->random, span);
        const uint32_t z = r->z * PITCH + 1 + margin + (uint32_t)oct_random_below(&d->random, span);
        // Not where ramps begin, lead or end.
        const bool is_ramp = x % PITCH <= 5 && z % PITCH <= 3;
        if (!is_ramp && is_plain_floor(d, x, sheet, z)) {
            set(d, x, sheet, z, parts);
            return true;
        }
    }
    return false;
}

static bool place_button(draft *d, uint32_t in)
{
    char parts[PARTS];
    oct_snprintf(parts, sizeof parts, "f:b^button%lu", (unsigned long)d->button_name[d->buttons]);
    return place(d, in, 1, parts);
}

// Any room but one behind the sealed door, or one before a door.
static uint32_t choose_room(draft *d, uint32_t door)
{
    for (;;) {
        const uint32_t i = (uint32_t)oct_random_below(&d->random, d->room_count);
        if (is_before(d, i, door) && !(d->def.unsolvable && i == flag_room(d))) {
            return i;
        }
    }
}

static uint32_t sealed_door(const draft *d)
{
    return d->def.unsolvable ? d->rooms[flag_room(d)].door : NONE;
}

// Each door has a button of its own before it.
static bool add_own_buttons(draft *d, oct_recruits_truth *truth)
{
    for (uint32_t door = 0; door < d->doors; door++) {
        if (door == sealed_door(d)) {
            continue;
        }
        bool is_placed = false;
        for (int i = 0; i < TRIES && !is_placed; i++) {
            is_placed = place_button(d, choose_room(d, door));
        }
        if (!is_placed) {
            return false;
        }
        truth->opening[truth->opening_count++] = d->button_name[d->buttons];
        d->toggles[d->buttons++] = UINT64_C(1) << door;
    }
    return true;
}

// The others toggle any doors but the sealed one, or nothing.
static bool add_other_buttons(draft *d)
{
    while (d->buttons < d->def.buttons) {
        bool is_placed = false;
        for (int i = 0; i < TRIES && !is_placed; i++) {
            is_placed = place_button(d, choose_room(d, NONE));
        }
        if (!is_placed) {
            return false;
        }
        uint64_t toggles = 0;
        const uint32_t count = (uint32_t)oct_random_below(&d->random, DOORS_OF_BUTTON + 1);
        for (uint32_t i = 0; i < count && d->doors > 0; i++) {
            toggles |= UINT64_C(1) << oct_random_below(&d->random, d->doors);
        }
        const uint32_t sealed = sealed_door(d);
        toggles &= sealed == NONE ? UINT64_MAX : ~(UINT64_C(1) << sealed);
        d->toggles[d->buttons++] = toggles;
    }
    return true;
}

// Fires lie inside rooms: along the walls one gets around them.
static uint32_t add_fires(draft *d)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->def.fires; i++) {
        count += place(d, (uint32_t)oct_random_below(&d->random, d->room_count), 2, "f:dhf");
    }
    return count;
}

// ---- writing ----

static void write_links(const draft *d, sink *out, oct_recruits_truth *truth)
{
    char name[PARTS];
    for (uint32_t i = 0; i < d->buttons; i++) {
        oct_snprintf(name, sizeof name, "button%lu", (unsigned long)d->button_name[i]);
        oct_sink_text(out, name);
        for (uint32_t door = 0; door < d->doors; door++) {
            if (d->toggles[i] >> door & 1u) {
                oct_snprintf(name, sizeof name, ",door%lu", (unsigned long)d->door_name[door]);
                oct_sink_text(out, name);
                truth->links++;
            }
        }
        oct_sink_text(out, "\n");
    }
}

static bool write_level(const draft *d, oct_write_fn *write, void *ctx, oct_recruits_truth *truth)
{
    sink out;
    oct_sink_open(&out, write, ctx);
    write_links(d, &out, truth);
    for (uint32_t sheet = 0; sheet < d->sheets; sheet++) {
        oct_sink_text(&out, "|");
        for (uint32_t z = 0; z < d->depth; z++) {
            for (uint32_t x = 0; x < d->width; x++) {
                oct_sink_text(&out, x > 0 ? "," : "");
                oct_sink_text(&out, cell_of(d, x, sheet, z));
            }
            oct_sink_text(&out, "\n");
        }
    }
    oct_sink_flush(&out);
    return !out.failed;
}

// ---- the whole ----

oct_recruits_gen_def oct_recruits_gen_def_default(void)
{
    return (oct_recruits_gen_def){
        .seed = 1, .rooms = 6, .storeys = 1, .doors = 3, .buttons = 5, .cookie = COOKIE};
}

static oct_result check(const oct_recruits_gen_def *def)
{
    if (def->cookie != COOKIE || def->rooms < 2 || def->storeys < 1 || def->buttons < def->doors ||
        (def->unsolvable && def->doors == 0)) {
        return OCT_ERROR_ARGUMENT;
    }
    const bool is_fine =
        def->storeys <= OCT_RECRUITS_STOREYS_MAX &&
        def->rooms <= OCT_RECRUITS_ROOMS_MAX / def->storeys &&
        def->doors <= OCT_RECRUITS_DOORS_MAX && def->doors <= (def->rooms - 1) * def->storeys &&
        def->buttons <= OCT_RECRUITS_BUTTONS_MAX && def->fires <= OCT_RECRUITS_FIRES_MAX;
    return is_fine ? OCT_OK : OCT_ERROR_RANGE;
}

static oct_result fill(draft *d, oct_recruits_truth *truth)
{
    grow(d);
    choose_doors(d);
    shuffle(d, d->button_name, d->def.buttons);
    build(d);
    if (!place(d, 0, 1, "f:a^agent1") || !place(d, flag_room(d), 1, "f:g^flag1") ||
        !add_own_buttons(d, truth) || !add_other_buttons(d)) {
        return OCT_ERROR_RANGE; // no room
    }
    truth->fires = add_fires(d);
    truth->solvable = !d->def.unsolvable;
    truth->rooms = d->room_count;
    truth->doors = d->doors;
    truth->buttons = d->buttons;
    truth->sealed = d->def.unsolvable ? d->door_name[sealed_door(d)] : 0;
    return OCT_OK;
}

static oct_result make(draft *d, oct_write_fn *write, void *ctx, oct_recruits_truth *truth)
{
    d->across = (uint32_t)ceil(sqrt((double)d->def.rooms));
    d->down = (d->def.rooms + d->across - 1) / d->across;
    d->width = d->across * PITCH + 1;
    d->depth = d->down * PITCH + 1;
    d->sheets = d->def.storeys * SHEETS - 1;
    d->cell_count = (size_t)d->width * d->depth * d->sheets;
    d->cells = oct_alloc(&d->allocator, d->cell_count * PARTS, 1);
    if (!d->cells) {
        return OCT_ERROR_MEMORY;
    }
    memset(d->cells, 0, d->cell_count * PARTS);
    oct_result result = fill(d, truth);
    if (result == OCT_OK && !write_level(d, write, ctx, truth)) {
        result = OCT_ERROR_FILE;
    }
    oct_free(&d->allocator, d->cells, d->cell_count * PARTS);
    return result;
}

oct_result oct_recruits_generate(const oct_recruits_gen_def *def, const oct_allocator *allocator,
                                 oct_write_fn *write, void *ctx, oct_recruits_truth *truth)
{
    OCT_TRY(check(def));
    oct_recruits_truth own;
    oct_recruits_truth *const told = truth ? truth : &own;
    const oct_allocator memory = oct_allocator_or_default(allocator);
    draft *const d = oct_alloc(&memory, sizeof *d, _Alignof(draft));
    if (!d) {
        return OCT_ERROR_MEMORY;
    }
    *told = (oct_recruits_truth){.solvable = false};
    *d = (draft){.def = *def, .random = oct_random_seed(def->seed), .allocator = memory};
    const oct_result result = make(d, write, ctx, told);
    oct_free(&memory, d, sizeof *d);
    return result;
}
