// SPDX-License-Identifier: MIT
// Legs by the cubes of space that they pass.
//
// A point belongs to the cube of its cell, the upper one where it lies between two. So a box of
// cells, whose surface counts, has to ask up to the cell behind its last on each axis, and no leg
// has to be in more cubes than it runs through. Cubes are found by rounded numbers, with a step of
// the sub-lattice to spare: a leg may be in one too many.
#include "moving/watch_internal.h"

#define AXES 3
#define FINE_LEVEL 8 // cells have 2^8 steps of the sub-lattice
#define CUBES_AT_ONCE 8

typedef struct leg {
    int64_t from[AXES], to[AXES]; // lowest and highest on each axis
    int64_t at[AXES], way[AXES];  // from one end to the other
    int major;                    // the axis that it is longest on
    int level;                    // of its cubes
} leg;

static leg leg_of(int dims, oct_fine a, oct_fine b)
{
    const int64_t start[AXES] = {a.x, a.y, a.z}, end[AXES] = {b.x, b.y, b.z};
    leg l = {.major = 0, .level = CUBE_LEVEL};
    for (int i = 0; i < dims; i++) {
        l.at[i] = start[i];
        l.way[i] = end[i] - start[i];
        l.from[i] = start[i] < end[i] ? start[i] : end[i];
        l.to[i] = start[i] < end[i] ? end[i] : start[i];
        l.major = l.to[i] - l.from[i] > l.to[l.major] - l.from[l.major] ? i : l.major;
    }
    const int64_t cells = (l.to[l.major] - l.from[l.major]) >> FINE_LEVEL;
    while (cells >> l.level >= CUBE_STEPS) {
        l.level++;
    }
    return l;
}

// The part of a leg between two places on its major axis, on another one.
static void clip_axis(const leg *l, int axis, int64_t from, int64_t to, int64_t *lo, int64_t *hi)
{
    *lo = l->from[axis];
    *hi = l->to[axis];
    if (axis == l->major) {
        *lo = from;
        *hi = to;
    } else if (*lo < *hi) {
        const double slope = (double)l->way[axis] / (double)l->way[l->major];
        const double at = (double)l->at[axis];
        const double p = at + (double)(from - l->at[l->major]) * slope;
        const double q = at + (double)(to - l->at[l->major]) * slope;
        const int64_t low = (int64_t)floor(p < q ? p : q) - 1;
        const int64_t high = (int64_t)floor(p < q ? q : p) + 2;
        *lo = low > *lo ? low : *lo;
        *hi = high < *hi ? high : *hi;
    }
}

typedef struct step {
    lattice_key key;
    uint32_t box;
} step;

typedef void step_fn(void *ctx, const step *at);

// One axis of a cube that a range passes, as nibbles.
static uint32_t nibbles(int64_t lo, int64_t hi, int64_t cube, int shift)
{
    const int64_t from = lo >> (shift - CUBE_LEVEL), to = hi >> (shift - CUBE_LEVEL);
    const int64_t first = cube * (1 << CUBE_LEVEL), end = first + (1 << CUBE_LEVEL) - 1;
    return (uint32_t)((from > first ? from : first) - first) |
           (uint32_t)((to < end ? to : end) - first) << 4;
}

// Visits the cubes of one slab across the major axis.
static void visit_slab(int dims, const leg *l, int64_t from, int64_t to, step_fn *visit, void *ctx)
{
    const int shift = l->level + FINE_LEVEL;
    int64_t lo[AXES] = {0, 0, 0}, hi[AXES] = {0, 0, 0};
    for (int i = 0; i < dims; i++) {
        clip_axis(l, i, from, to, &lo[i], &hi[i]);
    }
    for (int64_t z = lo[2] >> shift; z <= hi[2] >> shift; z++) {
        for (int64_t y = lo[1] >> shift; y <= hi[1] >> shift; y++) {
            for (int64_t x = lo[0] >> shift; x <= hi[0] >> shift; x++) {
                const step at = {{(int32_t)x, (int32_t)y, (int32_t)z, (uint32_t)l->level},
                                 nibbles(lo[0], hi[0], x, shift) |
                                     nibbles(lo[1], hi[1], y, shift) << 8 |
                                     nibbles(lo[2], hi[2], z, shift) << 16};
                visit(ctx, &at);
            }
        }
    }
}

static void visit_leg(int dims, const leg *l, step_fn *visit, void *ctx)
{
    const int shift = l->level + FINE_LEVEL;
    const int64_t from = l->from[l->major], to = l->to[l->major];
    for (int64_t i = from >> shift; i <= to >> shift; i++) {
        const int64_t begin = i * (INT64_C(1) << shift), end = begin + (INT64_C(1) << shift);
        visit_slab(dims, l, begin > from ? begin : from, end < to ? end : to, visit, ctx);
    }
}

// ---- memory ----

OCT_FORCE_INLINE leg_cube *cubes_of(const leg_index *index)
{
    return index->cubes.items;
}

OCT_FORCE_INLINE leg_sheet *sheets_of(const leg_index *index)
{
    return index->sheets.items;
}

OCT_FORCE_INLINE uint32_t *head_of(const leg_index *index, lattice_key key)
{
    return (uint32_t *)index->heads.items + (key_hash(key) & (uint32_t)(index->heads.count - 1));
}

// Room in an array whose number 0 is none.
static oct_result make_room(oct_array *array, const oct_allocator *allocator, size_t item_size,
                            size_t used, size_t more)
{
    const size_t wanted = 1 + used + more;
    if (wanted >= UINT32_MAX) {
        return OCT_ERROR_MEMORY;
    }
    if (wanted > array->capacity) {
        OCT_TRY(oct_array_reserve(array, allocator, item_size, wanted + wanted / 2));
    }
    if (array->count == 0) {
        memset(array->items, 0, item_size);
        array->count = 1;
    }
    return OCT_OK;
}

// Makes the table of heads as large as there may be cubes.
static oct_result make_heads(leg_index *index, const oct_allocator *allocator)
{
    size_t size = index->heads.count > 0 ? index->heads.count : 64;
    while (size < index->cubes.capacity) {
        size *= 2;
    }
    if (size == index->heads.count) {
        return OCT_OK;
    }
    OCT_TRY(oct_array_reserve(&index->heads, allocator, sizeof(uint32_t), size));
    memset(index->heads.items, 0, size * sizeof(uint32_t));
    index->heads.count = size;
    leg_cube *const cubes = cubes_of(index);
    for (uint32_t i = 1; i < index->cubes.count; i++) {
        if (cubes[i].first) {
            uint32_t *const head = head_of(index, cubes[i].key);
            cubes[i].next = *head;
            *head = i;
        }
    }
    return OCT_OK;
}

oct_result oct_leg_index_reserve(leg_index *index, const oct_allocator *allocator, size_t links)
{
    OCT_TRY(make_room(&index->sheets, allocator, sizeof(leg_sheet), index->sheet_count, links));
    OCT_TRY(make_room(&index->cubes, allocator, sizeof(leg_cube), index->cube_count, links));
    return make_heads(index, allocator);
}

void oct_leg_index_free(leg_index *index, const oct_allocator *allocator)
{
    oct_array_free(&index->heads, allocator, sizeof(uint32_t));
    oct_array_free(&index->cubes, allocator, sizeof(leg_cube));
    oct_array_free(&index->sheets, allocator, sizeof(leg_sheet));
}

size_t oct_leg_index_bytes(const leg_index *index)
{
    return index->heads.capacity * sizeof(uint32_t) + index->cubes.capacity * sizeof(leg_cube) +
           index->sheets.capacity * sizeof(leg_sheet);
}

// ---- edits ----

static uint32_t find_cube(const leg_index *index, lattice_key key)
{
    uint32_t at = *head_of(index, key);
    while (at && !key_equal(cubes_of(index)[at].key, key)) {
        at = cubes_of(index)[at].next;
    }
    return at;
}

static uint32_t add_cube(leg_index *index, lattice_key key)
{
    uint32_t *const head = head_of(index, key);
    uint32_t at = index->free_cubes;
    if (at) {
        index->free_cubes = cubes_of(index)[at].next;
    } else {
        at = (uint32_t)index->cubes.count++;
    }
    cubes_of(index)[at] = (leg_cube){.key = key, .next = *head};
    *head = at;
    index->cube_count++;
    return at;
}

static void remove_cube(leg_index *index, uint32_t at)
{
    leg_cube *const cubes = cubes_of(index);
    uint32_t *from = head_of(index, cubes[at].key);
    while (*from != at) {
        from = &cubes[*from].next;
    }
    *from = cubes[at].next;
    cubes[at] = (leg_cube){.next = index->free_cubes};
    index->free_cubes = at;
    index->cube_count--;
}

typedef struct edit {
    leg_index *index;
    uint32_t path, leg;
    size_t count;
} edit;

static void count_step(void *ctx, const step *at)
{
    (void)at;
    ((edit *)ctx)->count++;
}

// A sheet with room in a cube.
static leg_sheet *sheet_with_room(leg_index *index, uint32_t in)
{
    leg_sheet *const sheets = sheets_of(index);
    const uint32_t first = cubes_of(index)[in].first;
    if (first && sheets[first].count < SHEET_LINKS) {
        return &sheets[first];
    }
    uint32_t at = index->free_sheets;
    if (at) {
        index->free_sheets = sheets[at].next;
    } else {
        at = (uint32_t)index->sheets.count++;
    }
    index->sheet_count++;
    sheets[at].next = first;
    sheets[at].count = 0;
    cubes_of(index)[in].first = at;
    return &sheets[at];
}

static void add_step(void *ctx, const step *at)
{
    const edit *const e = ctx;
    leg_index *const index = e->index;
    const uint32_t found = find_cube(index, at->key);
    leg_sheet *const sheet = sheet_with_room(index, found ? found : add_cube(index, at->key));
    sheet->boxes[sheet->count] = at->box;
    sheet->paths[sheet->count] = e->path;
    sheet->legs[sheet->count++] = e->leg;
    index->link_count++;
    index->levels[at->key.w]++;
}

// Takes the last link out of a cube's first sheet.
static void drop_last(leg_index *index, uint32_t in)
{
    leg_cube *const from = &cubes_of(index)[in];
    const uint32_t first = from->first;
    leg_sheet *const sheet = &sheets_of(index)[first];
    if (--sheet->count > 0) {
        return;
    }
    from->first = sheet->next;
    sheet->next = index->free_sheets;
    index->free_sheets = first;
    index->sheet_count--;
    if (!from->first) {
        remove_cube(index, in);
    }
}

static void remove_step(void *ctx, const step *at)
{
    const edit *const e = ctx;
    leg_index *const index = e->index;
    leg_sheet *const sheets = sheets_of(index);
    const uint32_t in = find_cube(index, at->key);
    const leg_sheet *const last = &sheets[cubes_of(index)[in].first];
    for (leg_sheet *sheet = &sheets[cubes_of(index)[in].first];; sheet = &sheets[sheet->next]) {
        for (uint32_t i = 0; i < sheet->count; i++) {
            if (sheet->paths[i] == e->path && sheet->legs[i] == e->leg) {
                sheet->boxes[i] = last->boxes[last->count - 1];
                sheet->paths[i] = last->paths[last->count - 1];
                sheet->legs[i] = last->legs[last->count - 1];
                index->link_count--;
                index->levels[at->key.w]--;
                drop_last(index, in);
                return;
            }
        }
    }
}

size_t oct_leg_index_count(const leg_index *index, oct_fine a, oct_fine b)
{
    edit e = {.count = 0};
    const leg l = leg_of(index->dims, a, b);
    visit_leg(index->dims, &l, count_step, &e);
    return e.count;
}

void oct_leg_index_add(leg_index *index, uint32_t path, uint32_t number, oct_fine a, oct_fine b)
{
    edit e = {.index = index, .path = path, .leg = number};
    const leg l = leg_of(index->dims, a, b);
    visit_leg(index->dims, &l, add_step, &e);
}

void oct_leg_index_remove(leg_index *index, uint32_t path, uint32_t number, oct_fine a, oct_fine b)
{
    edit e = {.index = index, .path = path, .leg = number};
    const leg l = leg_of(index->dims, a, b);
    visit_leg(index->dims, &l, remove_step, &e);
}

// ---- questions ----

typedef struct question {
    const leg_index *index;
    int64_t from[AXES], to[AXES]; // cells, both included
    link_fn *visit;
    void *ctx;
} question;

// The part of a cube that is asked for on one axis, as nibbles; false where there is none.
static bool ask_axis(const question *q, int axis, int32_t cube, uint32_t level, uint32_t *part)
{
    const int shift = (int)level - CUBE_LEVEL;
    const int64_t first = (int64_t)cube * (1 << CUBE_LEVEL), end = first + (1 << CUBE_LEVEL) - 1;
    const int64_t lo = q->from[axis] >> shift, hi = q->to[axis] >> shift;
    if (lo > end || hi < first) {
        return false;
    }
    *part = (uint32_t)((lo > first ? lo : first) - first) |
            (uint32_t)((hi < end ? hi : end) - first) << 4;
    return true;
}

// Without a branch, which could not be foreseen.
OCT_FORCE_INLINE uint32_t overlap(uint32_t a, uint32_t b)
{
    return (uint32_t)((a & 15u) <= (b >> 4 & 15u)) & (uint32_t)((b & 15u) <= (a >> 4 & 15u));
}

static void ask_cube(const question *q, const leg_cube *c)
{
    uint32_t part[AXES] = {0, 0, 0};
    if (!ask_axis(q, 0, c->key.x, c->key.w, &part[0]) ||
        !ask_axis(q, 1, c->key.y, c->key.w, &part[1]) ||
        (q->index->dims == 3 && !ask_axis(q, 2, c->key.z, c->key.w, &part[2]))) {
        return;
    }
    const leg_sheet *const sheets = sheets_of(q->index);
    for (const leg_sheet *sheet = &sheets[c->first]; sheet != sheets;
         sheet = &sheets[sheet->next]) {
        OCT_PREFETCH(&sheets[sheet->next]);
        for (uint32_t i = 0; i < sheet->count; i++) {
            const uint32_t box = sheet->boxes[i];
            if (overlap(box, part[0]) & overlap(box >> 8, part[1]) & overlap(box >> 16, part[2])) {
                q->visit(q->ctx, sheet->paths[i], sheet->legs[i]);
            }
        }
    }
}

static void ask_all(const question *q, uint32_t level)
{
    const leg_cube *const cubes = cubes_of(q->index);
    for (uint32_t i = 1; i < q->index->cubes.count; i++) {
        if (cubes[i].first && cubes[i].key.w == level) {
            ask_cube(q, &cubes[i]);
        }
    }
}

// Few cubes at a time: their memory is asked for before it is needed.
static void ask_some(const question *q, const lattice_key *keys, int count)
{
    const leg_index *const index = q->index;
    uint32_t found[CUBES_AT_ONCE];
    for (int i = 0; i < count; i++) {
        OCT_PREFETCH(head_of(index, keys[i]));
    }
    for (int i = 0; i < count; i++) {
        OCT_PREFETCH(&cubes_of(index)[*head_of(index, keys[i])]);
    }
    for (int i = 0; i < count; i++) {
        found[i] = find_cube(index, keys[i]);
        OCT_PREFETCH(&sheets_of(index)[cubes_of(index)[found[i]].first]);
    }
    for (int i = 0; i < count; i++) {
        if (found[i]) {
            ask_cube(q, &cubes_of(index)[found[i]]);
        }
    }
}

// Cubes of one level in the order of their places, or where the box has more than there are, all.
static void ask_level(const question *q, uint32_t level)
{
    const leg_index *const index = q->index;
    int64_t lo[AXES] = {0, 0, 0}, hi[AXES] = {0, 0, 0};
    uint64_t places = 1;
    for (int i = 0; i < index->dims; i++) {
        lo[i] = q->from[i] >> level;
        hi[i] = q->to[i] >> level;
        places = places > index->cube_count ? places : places * (uint64_t)(hi[i] - lo[i] + 1);
    }
    if (places > index->cube_count) {
        ask_all(q, level);
        return;
    }
    lattice_key keys[CUBES_AT_ONCE];
    int count = 0;
    for (int64_t z = lo[2]; z <= hi[2]; z++) {
        for (int64_t y = lo[1]; y <= hi[1]; y++) {
            for (int64_t x = lo[0]; x <= hi[0]; x++) {
                keys[count++] = (lattice_key){(int32_t)x, (int32_t)y, (int32_t)z, level};
                if (count == CUBES_AT_ONCE) {
                    ask_some(q, keys, count);
                    count = 0;
                }
            }
        }
    }
    ask_some(q, keys, count);
}

void oct_leg_index_visit(const leg_index *index, const oct_box *box, link_fn *visit, void *ctx)
{
    const question q = {.index = index,
                        .from = {box->min.x, box->min.y, box->min.z},
                        .to = {box->max.x, box->max.y, box->max.z},
                        .visit = visit,
                        .ctx = ctx};
    for (uint32_t level = CUBE_LEVEL; level <= OCT_LEVEL_MAX; level++) {
        if (index->levels[level]) {
            ask_level(&q, level);
        }
    }
}

// The links of a cube; more than there are in all where something is wrong.
static uint64_t links_in(const leg_index *index, const leg_cube *c, uint64_t *sheet_count)
{
    const leg_sheet *const sheets = sheets_of(index);
    uint64_t links = 0;
    for (uint32_t i = c->first; i; i = sheets[i].next) {
        const uint32_t count = sheets[i].count;
        if (count == 0 || count > SHEET_LINKS || (i != c->first && count < SHEET_LINKS) ||
            ++*sheet_count > index->sheet_count) {
            return UINT32_MAX;
        }
        links += count;
    }
    return links;
}

bool oct_leg_index_is_valid(const leg_index *index)
{
    const leg_cube *const cubes = cubes_of(index);
    const leg_sheet *const sheets = sheets_of(index);
    uint64_t cube_count = 0, sheet_count = 0, links = 0, levels = 0;
    size_t free_cubes = 0, free_sheets = 0;
    for (uint32_t i = 1; i < index->cubes.count; i++) {
        if (cubes[i].first) {
            cube_count++;
            links += links_in(index, &cubes[i], &sheet_count);
            if (find_cube(index, cubes[i].key) != i) {
                return false;
            }
        }
    }
    for (uint32_t i = index->free_cubes; i && free_cubes <= index->cubes.count; i = cubes[i].next) {
        free_cubes++;
    }
    for (uint32_t i = index->free_sheets; i && free_sheets <= index->sheets.count;
         i = sheets[i].next) {
        free_sheets++;
    }
    for (int level = 0; level <= OCT_LEVEL_MAX; level++) {
        levels += index->levels[level];
    }
    return cube_count == index->cube_count && sheet_count == index->sheet_count &&
           links == index->link_count && levels == index->link_count &&
           (index->cubes.count == 0 || (1 + cube_count + free_cubes == index->cubes.count &&
                                        1 + sheet_count + free_sheets == index->sheets.count));
}
