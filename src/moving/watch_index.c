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

typedef void cube_fn(void *ctx, lattice_key cube);

// Visits the cubes of one slab across the major axis.
static void visit_slab(int dims, const leg *l, int64_t from, int64_t to, cube_fn *visit, void *ctx)
{
    const int shift = l->level + FINE_LEVEL;
    int64_t lo[AXES] = {0, 0, 0}, hi[AXES] = {0, 0, 0};
    for (int i = 0; i < dims; i++) {
        clip_axis(l, i, from, to, &lo[i], &hi[i]);
    }
    for (int64_t z = lo[2] >> shift; z <= hi[2] >> shift; z++) {
        for (int64_t y = lo[1] >> shift; y <= hi[1] >> shift; y++) {
            for (int64_t x = lo[0] >> shift; x <= hi[0] >> shift; x++) {
                visit(ctx, (lattice_key){(int32_t)x, (int32_t)y, (int32_t)z, (uint32_t)l->level});
            }
        }
    }
}

static void visit_leg(int dims, oct_fine a, oct_fine b, cube_fn *visit, void *ctx)
{
    const leg l = leg_of(dims, a, b);
    const int shift = l.level + FINE_LEVEL;
    const int64_t from = l.from[l.major], to = l.to[l.major];
    for (int64_t i = from >> shift; i <= to >> shift; i++) {
        const int64_t begin = i * (INT64_C(1) << shift), end = begin + (INT64_C(1) << shift);
        visit_slab(dims, &l, begin > from ? begin : from, end < to ? end : to, visit, ctx);
    }
}

// ---- memory ----

OCT_FORCE_INLINE leg_link *links_of(const leg_index *index)
{
    return index->links.items;
}

OCT_FORCE_INLINE uint32_t *head_of(const leg_index *index, lattice_key cube)
{
    return (uint32_t *)index->heads.items + (key_hash(cube) & (uint32_t)(index->heads.count - 1));
}

// Makes the table of heads as large as there may be links.
static oct_result make_heads(leg_index *index, const oct_allocator *allocator)
{
    size_t size = index->heads.count > 0 ? index->heads.count : 64;
    while (size < index->links.capacity) {
        size *= 2;
    }
    if (size == index->heads.count) {
        return OCT_OK;
    }
    OCT_TRY(oct_array_reserve(&index->heads, allocator, sizeof(uint32_t), size));
    memset(index->heads.items, 0, size * sizeof(uint32_t));
    index->heads.count = size;
    leg_link *const links = links_of(index);
    for (uint32_t i = 1; i < index->links.count; i++) {
        if (links[i].path) {
            uint32_t *const head = head_of(index, links[i].cube);
            links[i].next = *head;
            *head = i;
        }
    }
    return OCT_OK;
}

oct_result oct_leg_index_reserve(leg_index *index, const oct_allocator *allocator, size_t links)
{
    const size_t wanted = 1 + index->link_count + links;
    if (wanted >= UINT32_MAX) {
        return OCT_ERROR_MEMORY;
    }
    if (wanted > index->links.capacity) {
        OCT_TRY(oct_array_reserve(&index->links, allocator, sizeof(leg_link), wanted + wanted / 2));
    }
    if (index->links.count == 0) {
        links_of(index)[0] = (leg_link){.path = 0};
        index->links.count = 1;
    }
    return make_heads(index, allocator);
}

void oct_leg_index_free(leg_index *index, const oct_allocator *allocator)
{
    oct_array_free(&index->heads, allocator, sizeof(uint32_t));
    oct_array_free(&index->links, allocator, sizeof(leg_link));
}

size_t oct_leg_index_bytes(const leg_index *index)
{
    return index->heads.capacity * sizeof(uint32_t) + index->links.capacity * sizeof(leg_link);
}

// ---- edits ----

typedef struct edit {
    leg_index *index;
    uint32_t path, leg;
    size_t count;
} edit;

static void count_cube(void *ctx, lattice_key cube)
{
    (void)cube;
    ((edit *)ctx)->count++;
}

static void add_cube(void *ctx, lattice_key cube)
{
    const edit *const e = ctx;
    leg_index *const index = e->index;
    uint32_t *const head = head_of(index, cube);
    uint32_t at = index->free_links;
    if (at) {
        index->free_links = links_of(index)[at].next;
    } else {
        at = (uint32_t)index->links.count++;
    }
    links_of(index)[at] = (leg_link){.cube = cube, .path = e->path, .leg = e->leg, .next = *head};
    *head = at;
    index->link_count++;
    index->levels[cube.w]++;
}

static void remove_cube(void *ctx, lattice_key cube)
{
    const edit *const e = ctx;
    leg_index *const index = e->index;
    leg_link *const links = links_of(index);
    uint32_t *from = head_of(index, cube);
    while (links[*from].path != e->path || links[*from].leg != e->leg ||
           !key_equal(links[*from].cube, cube)) {
        from = &links[*from].next;
    }
    const uint32_t at = *from;
    *from = links[at].next;
    links[at] = (leg_link){.next = index->free_links};
    index->free_links = at;
    index->link_count--;
    index->levels[cube.w]--;
}

size_t oct_leg_index_count(const leg_index *index, oct_fine a, oct_fine b)
{
    edit e = {.count = 0};
    visit_leg(index->dims, a, b, count_cube, &e);
    return e.count;
}

void oct_leg_index_add(leg_index *index, uint32_t path, uint32_t number, oct_fine a, oct_fine b)
{
    edit e = {.index = index, .path = path, .leg = number};
    visit_leg(index->dims, a, b, add_cube, &e);
}

void oct_leg_index_remove(leg_index *index, uint32_t path, uint32_t number, oct_fine a, oct_fine b)
{
    edit e = {.index = index, .path = path, .leg = number};
    visit_leg(index->dims, a, b, remove_cube, &e);
}

// ---- questions ----

typedef struct question {
    const leg_index *index;
    int64_t from[AXES], to[AXES]; // cells, both included
    link_fn *visit;
    void *ctx;
} question;

static void ask_cube(const question *q, lattice_key cube)
{
    const leg_link *const links = links_of(q->index);
    for (uint32_t i = *head_of(q->index, cube); i; i = links[i].next) {
        if (key_equal(links[i].cube, cube)) {
            q->visit(q->ctx, links[i].path, links[i].leg);
        }
    }
}

static void ask_all(const question *q)
{
    const leg_link *const links = links_of(q->index);
    for (uint32_t i = 1; i < q->index->links.count; i++) {
        if (links[i].path) {
            q->visit(q->ctx, links[i].path, links[i].leg);
        }
    }
}

// Whether a box has no more cubes of a level than there are links.
static bool has_few_cubes(const question *q, uint32_t level)
{
    uint64_t cubes = 1;
    for (int i = 0; i < q->index->dims && cubes <= q->index->link_count; i++) {
        cubes *= (uint64_t)((q->to[i] >> level) - (q->from[i] >> level) + 1);
    }
    return cubes <= q->index->link_count;
}

static void ask_level(const question *q, uint32_t level)
{
    for (int64_t z = q->from[2] >> level; z <= q->to[2] >> level; z++) {
        for (int64_t y = q->from[1] >> level; y <= q->to[1] >> level; y++) {
            for (int64_t x = q->from[0] >> level; x <= q->to[0] >> level; x++) {
                ask_cube(q, (lattice_key){(int32_t)x, (int32_t)y, (int32_t)z, level});
            }
        }
    }
}

void oct_leg_index_visit(const leg_index *index, const oct_box *box, link_fn *visit, void *ctx)
{
    const bool is_flat = index->dims == 2;
    const question q = {.index = index,
                        .from = {box->min.x, box->min.y, is_flat ? 0 : box->min.z},
                        .to = {box->max.x, box->max.y, is_flat ? 0 : box->max.z},
                        .visit = visit,
                        .ctx = ctx};
    for (uint32_t level = CUBE_LEVEL; level <= OCT_LEVEL_MAX; level++) {
        if (index->levels[level] && !has_few_cubes(&q, level)) {
            ask_all(&q);
            return;
        }
    }
    for (uint32_t level = CUBE_LEVEL; level <= OCT_LEVEL_MAX; level++) {
        if (index->levels[level]) {
            ask_level(&q, level);
        }
    }
}

bool oct_leg_index_is_valid(const leg_index *index)
{
    const leg_link *const links = links_of(index);
    uint64_t reached = 0, unused = 0, levels = 0;
    for (size_t i = 0; i < index->heads.count; i++) {
        const uint32_t *const head = (const uint32_t *)index->heads.items + i;
        for (uint32_t at = *head; at; at = links[at].next) {
            if (!links[at].path || head_of(index, links[at].cube) != head ||
                ++reached > index->link_count) {
                return false;
            }
        }
    }
    for (uint32_t i = index->free_links; i && unused <= index->links.count; i = links[i].next) {
        unused++;
    }
    for (int level = 0; level <= OCT_LEVEL_MAX; level++) {
        levels += index->levels[level];
    }
    return reached == index->link_count && levels == index->link_count &&
           (index->links.count == 0 || 1 + reached + unused == index->links.count);
}
