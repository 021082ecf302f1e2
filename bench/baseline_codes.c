// SPDX-License-Identifier: MIT
// A linear octree: the BLOCKED leaves as sorted location codes, without any tree above them.
//
// A point is found by binary search. An edit rewrites the codes of the smallest aligned cube that
// holds the box, and moves everything behind it: the price of an array without holes.
#include "bench/baselines.h"

#define LEVEL_BITS 5
#define LEVEL_MASK ((UINT64_C(1) << LEVEL_BITS) - 1)
#define COORDINATE_BITS 19

static uint64_t spread(int32_t coordinate)
{
    uint64_t v = (uint64_t)coordinate;
    v = (v | v << 32) & UINT64_C(0x001f00000000ffff);
    v = (v | v << 16) & UINT64_C(0x001f0000ff0000ff);
    v = (v | v << 8) & UINT64_C(0x100f00f00f00f00f);
    v = (v | v << 4) & UINT64_C(0x10c30c30c30c30c3);
    v = (v | v << 2) & UINT64_C(0x1249249249249249);
    return v;
}

static uint64_t morton_of(int32_t x, int32_t y, int32_t z)
{
    return spread(x) | spread(y) << 1 | spread(z) << 2;
}

static uint64_t code_make(uint64_t morton, int level)
{
    return morton << LEVEL_BITS | (uint64_t)level;
}

static uint64_t code_morton(uint64_t code)
{
    return code >> LEVEL_BITS;
}

static int code_level(uint64_t code)
{
    return (int)(code & LEVEL_MASK);
}

// Cells in a cube of a level.
static uint64_t cube_volume(int level)
{
    return UINT64_C(1) << 3 * level;
}

// How many codes begin before a Morton code.
static size_t rank(const code_set *set, uint64_t morton)
{
    const uint64_t code = code_make(morton, 0);
    const uint64_t *base = set->codes.items;
    size_t count = set->codes.count;
    while (count > 0) {
        const size_t half = count / 2;
        const bool right = base[half] < code;
        base += right ? half + 1 : 0;
        count = right ? count - half - 1 : half;
    }
    return (size_t)(base - (const uint64_t *)set->codes.items);
}

// Whether the code before a place is a cube that holds a cell.
static bool holds_before(const code_set *set, size_t place, uint64_t morton)
{
    if (place == 0) {
        return false;
    }
    const uint64_t code = ((const uint64_t *)set->codes.items)[place - 1];
    return morton - code_morton(code) < cube_volume(code_level(code));
}

bool oct_codes_hold(const code_set *set, oct_vec cell)
{
    const uint64_t morton = morton_of(cell.x, cell.y, cell.z);
    return holds_before(set, rank(set, morton + 1), morton);
}

// ---- building ----

// Appends a code behind all others; eight siblings become their parent. There must be room.
static void append(oct_array *codes, uint64_t code)
{
    uint64_t *const items = codes->items;
    items[codes->count++] = code;
    while (codes->count >= 8) {
        const uint64_t *const group = &items[codes->count - 8];
        const int level = code_level(group[7]);
        const uint64_t first = code_morton(group[0]);
        if ((first & (cube_volume(level + 1) - 1)) != 0) {
            return;
        }
        for (uint64_t i = 0; i < 8; i++) {
            if (group[i] != code_make(first + i * cube_volume(level), level)) {
                return;
            }
        }
        codes->count -= 8;
        items[codes->count++] = code_make(first, level + 1);
    }
}

// Sorts by the bits that differ, eleven at a time; `scratch` is as long.
static void radix_sort(uint64_t **codes, uint64_t **scratch, size_t count, int bits)
{
    enum { DIGIT = 11, BUCKETS = 1 << DIGIT };
    for (int shift = LEVEL_BITS; shift < LEVEL_BITS + bits; shift += DIGIT) {
        size_t starts[BUCKETS] = {0};
        for (size_t i = 0; i < count; i++) {
            starts[(*codes)[i] >> shift & (BUCKETS - 1)]++;
        }
        size_t sum = 0;
        for (size_t i = 0; i < BUCKETS; i++) {
            const size_t size = starts[i];
            starts[i] = sum;
            sum += size;
        }
        for (size_t i = 0; i < count; i++) {
            (*scratch)[starts[(*codes)[i] >> shift & (BUCKETS - 1)]++] = (*codes)[i];
        }
        uint64_t *const sorted = *scratch;
        *scratch = *codes;
        *codes = sorted;
    }
}

static uint64_t box_volume(oct_box box)
{
    return (uint64_t)(box.max.x - box.min.x) * (uint64_t)(box.max.y - box.min.y) *
           (uint64_t)(box.max.z - box.min.z);
}

// One code for each cell; returns how many bits the Morton codes have.
static int list_cells(const oct_box *boxes, size_t count, uint64_t *out)
{
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++) {
        const oct_box box = boxes[i];
        for (int32_t z = box.min.z; z < box.max.z; z++) {
            for (int32_t y = box.min.y; y < box.max.y; y++) {
                for (int32_t x = box.min.x; x < box.max.x; x++) {
                    const uint64_t morton = morton_of(x, y, z);
                    *out++ = code_make(morton, 0);
                    all |= morton;
                }
            }
        }
    }
    return (int)oct_bit_length(all);
}

oct_result oct_codes_build(code_set *set, const oct_box *boxes, size_t count)
{
    const oct_allocator memory = oct_allocator_default();
    uint64_t cells = 0;
    for (size_t i = 0; i < count; i++) {
        cells += box_volume(boxes[i]);
    }
    if (cells == 0) {
        return OCT_OK;
    }
    OCT_TRY(oct_array_reserve(&set->codes, &memory, sizeof(uint64_t), cells));
    OCT_TRY(oct_array_reserve(&set->scratch, &memory, sizeof(uint64_t), cells));
    uint64_t *from = set->codes.items;
    uint64_t *to = set->scratch.items;
    const int bits = list_cells(boxes, count, from);
    radix_sort(&from, &to, cells, bits);
    set->scratch.count = 0;
    set->codes.count = 0;

    // Appending never gets ahead of reading: in place where the sort ended in `codes`.
    oct_array merged = {.items = set->codes.items, .capacity = set->codes.capacity};
    for (size_t i = 0; i < cells; i++) {
        append(&merged, from[i]);
    }
    set->codes.count = merged.count;
    return OCT_OK;
}

// ---- editing ----

typedef struct edit {
    oct_box box;
    bool blocked;
    const uint64_t *next; // of the codes that are rewritten
    const uint64_t *end;
    oct_array *out;
} edit;

static bool cube_meets(oct_cell cube, oct_box box)
{
    const int32_t edge = 1 << cube.level;
    return cube.x < box.max.x && box.min.x < cube.x + edge && cube.y < box.max.y &&
           box.min.y < cube.y + edge && cube.z < box.max.z && box.min.z < cube.z + edge;
}

static bool cube_is_inside(oct_cell cube, oct_box box)
{
    const int32_t edge = 1 << cube.level;
    return cube.x >= box.min.x && cube.x + edge <= box.max.x && cube.y >= box.min.y &&
           cube.y + edge <= box.max.y && cube.z >= box.min.z && cube.z + edge <= box.max.z;
}

// Rewrites the codes of one cube; `full` where a larger code covers it.
static void rewrite(edit *e, oct_cell cube, bool full)
{
    const uint64_t morton = morton_of(cube.x, cube.y, cube.z);
    const uint64_t last = morton + cube_volume(cube.level) - 1;
    const bool meets = cube_meets(cube, e->box);
    if (!meets || cube_is_inside(cube, e->box)) {
        if (meets ? e->blocked : full) {
            append(e->out, code_make(morton, cube.level));
        }
        for (; e->next < e->end && code_morton(*e->next) <= last; e->next++) {
            if (!meets) {
                append(e->out, *e->next);
            }
        }
        return;
    }
    if (e->next < e->end && *e->next == code_make(morton, cube.level)) {
        full = true;
        e->next++;
    }
    OCT_ASSERT(cube.level > 0); // a cell lies inside the box or outside
    const int32_t half = 1 << (cube.level - 1);
    for (int32_t i = 0; i < 8; i++) {
        const oct_cell child = {cube.x + (i & 1) * half, cube.y + (i >> 1 & 1) * half,
                                cube.z + (i >> 2) * half, cube.level - 1};
        rewrite(e, child, full);
    }
}

// The cube of a level that holds another one.
static oct_cell cube_above(oct_cell cube, int level)
{
    const int32_t mask = -(INT32_C(1) << level);
    return (oct_cell){cube.x & mask, cube.y & mask, cube.z & mask, level};
}

// The smallest aligned cube that holds a box.
static oct_cell cube_around(oct_box box)
{
    const uint32_t differ =
        (uint32_t)((box.min.x ^ (box.max.x - 1)) | (box.min.y ^ (box.max.y - 1)) |
                   (box.min.z ^ (box.max.z - 1)));
    return cube_above((oct_cell){box.min.x, box.min.y, box.min.z, 0}, (int)oct_bit_length(differ));
}

// Replaces codes [first, last) by the scratch.
static oct_result splice(code_set *set, size_t first, size_t last)
{
    const oct_allocator memory = oct_allocator_default();
    const size_t fresh = set->scratch.count;
    const size_t count = set->codes.count - (last - first) + fresh;
    if (count > set->codes.capacity) {
        OCT_TRY(oct_array_reserve(&set->codes, &memory, sizeof(uint64_t), count + count / 2));
    }
    uint64_t *const codes = set->codes.items;
    memmove(codes + first + fresh, codes + last, (set->codes.count - last) * sizeof *codes);
    memcpy(codes + first, set->scratch.items, fresh * sizeof *codes);
    set->codes.count = count;
    return OCT_OK;
}

// While the code at `i` and its seven siblings are there, they become their parent.
static void merge_upward(code_set *set, size_t i)
{
    uint64_t *const codes = set->codes.items;
    for (;;) {
        const int level = code_level(codes[i]);
        const size_t place = code_morton(codes[i]) >> 3 * level & 7u;
        const uint64_t parent = code_morton(codes[i]) & ~(cube_volume(level + 1) - 1);
        if (level >= COORDINATE_BITS || place > i || i - place + 8 > set->codes.count) {
            return;
        }
        i -= place;
        for (uint64_t child = 0; child < 8; child++) {
            if (codes[i + child] != code_make(parent + child * cube_volume(level), level)) {
                return;
            }
        }
        codes[i] = code_make(parent, level + 1);
        memmove(codes + i + 1, codes + i + 8, (set->codes.count - i - 8) * sizeof *codes);
        set->codes.count -= 7;
    }
}

// More codes than an edit can add: what is cut out of a cube lies close around the box, but for
// seven siblings on every level.
static size_t room_around(oct_box box)
{
    const oct_box grown = {{box.min.x - 2, box.min.y - 2, box.min.z - 2},
                           {box.max.x + 2, box.max.y + 2, box.max.z + 2}};
    return 8 * (box_volume(grown) + 8 * COORDINATE_BITS);
}

oct_result oct_codes_set_box(code_set *set, oct_box box, bool blocked)
{
    const oct_allocator memory = oct_allocator_default();
    oct_cell cube = cube_around(box);
    uint64_t morton = morton_of(cube.x, cube.y, cube.z);
    OCT_TRY(oct_array_reserve(&set->codes, &memory, sizeof(uint64_t), 1));
    const uint64_t *const codes = set->codes.items;
    size_t first = rank(set, morton);
    const size_t after = rank(set, morton + 1);
    if (holds_before(set, after, morton) && code_level(codes[after - 1]) > cube.level) {
        first = after - 1;
        cube = cube_above(cube, code_level(codes[first]));
        morton = code_morton(codes[first]);
    }
    const size_t last = rank(set, morton + cube_volume(cube.level));
    OCT_TRY(oct_array_reserve(&set->scratch, &memory, sizeof(uint64_t),
                              last - first + room_around(box)));
    set->scratch.count = 0;
    edit e = {box, blocked, codes + first, codes + last, &set->scratch};
    rewrite(&e, cube, false);
    OCT_TRY(splice(set, first, last));
    if (set->scratch.count == 1) {
        merge_upward(set, first);
    }
    return OCT_OK;
}

// ---- the rest ----

oct_result oct_codes_copy(const code_set *from, code_set *to)
{
    const oct_allocator memory = oct_allocator_default();
    OCT_TRY(oct_array_reserve(&to->codes, &memory, sizeof(uint64_t), from->codes.count));
    if (from->codes.count > 0) {
        memcpy(to->codes.items, from->codes.items, from->codes.count * sizeof(uint64_t));
    }
    to->codes.count = from->codes.count;
    return OCT_OK;
}

uint64_t oct_codes_volume(const code_set *set)
{
    const uint64_t *const codes = set->codes.items;
    uint64_t sum = 0;
    for (size_t i = 0; i < set->codes.count; i++) {
        sum += cube_volume(code_level(codes[i]));
    }
    return sum;
}

size_t oct_codes_bytes(const code_set *set)
{
    return set->codes.count * sizeof(uint64_t);
}

void oct_codes_free(code_set *set)
{
    const oct_allocator memory = oct_allocator_default();
    oct_array_free(&set->codes, &memory, sizeof(uint64_t));
    oct_array_free(&set->scratch, &memory, sizeof(uint64_t));
}
