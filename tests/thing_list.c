// SPDX-License-Identifier: MIT
#include "thing_list.h"
#include "valid.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void list_init(thing_list *m, uint64_t seed, const lattice *l, const oct_allocator *may_be_null)
{
    const oct_allocator allocator = oct_allocator_or_default(may_be_null);
    memset(m, 0, sizeof *m);
    m->seed = seed;
    m->random = oct_random_seed(seed);
    m->next_id = oct_random_next(&m->random);
    oct_things_init(&m->index, l, &allocator);
}

static void expect(const thing_list *m, bool holds, const char *what)
{
    if (!holds) {
        fail_msg("seed %" PRIu64 ", %zu things: %s", m->seed, m->count, what);
    }
}

static bool cover_axis(double min, double max, double padding, double origin, double cell,
                       int32_t *first, int32_t *end)
{
    if (!isfinite(min) || !isfinite(max) || min > max) {
        return false;
    }
    const double from = floor((min - padding - origin) / cell);
    double to = -floor(-((max + padding - origin) / cell));
    to = to == from ? from + 1.0 : to;
    if (!(from >= -(double)OCT_RANGE && to <= (double)OCT_RANGE)) {
        return false;
    }
    *first = (int32_t)from;
    *end = (int32_t)to;
    return true;
}

bool list_cover(const lattice *l, const oct_bounds *box, oct_box *cells)
{
    const oct_point *min = &box->min, *max = &box->max, *pad = &l->padding, *o = &l->origin;
    *cells = (oct_box){{0, 0, 0}, {0, 0, 1}};
    return cover_axis(min->x, max->x, pad->x, o->x, l->cell_size, &cells->min.x, &cells->max.x) &&
           cover_axis(min->y, max->y, pad->y, o->y, l->cell_size, &cells->min.y, &cells->max.y) &&
           (l->dims == 2 ||
            cover_axis(min->z, max->z, pad->z, o->z, l->cell_size, &cells->min.z, &cells->max.z));
}

// ---- random boxes ----

double list_random_length(oct_random *random, uint64_t levels)
{
    const double most = (double)(UINT64_C(1) << oct_random_below(random, levels + 1));
    switch (oct_random_below(random, 4)) {
    case 0:
        return most;
    case 1:
        return floor(most * oct_random_unit(random));
    default:
        return most * oct_random_unit(random);
    }
}

// In cells.
static double random_place(oct_random *random)
{
    const double u = oct_random_unit(random);
    switch (oct_random_below(random, 8)) {
    case 0:
        return (double)oct_random_range(random, -OCT_RANGE, OCT_RANGE - 1);
    case 1:
        return (double)OCT_RANGE - floor(50.0 * u);
    case 2:
        return -(double)OCT_RANGE + floor(50.0 * u);
    case 3:
        return 10000.0 * (u - 0.5);
    case 4:
        return floor(60.0 * (u - 0.5));
    default:
        return 60.0 * (u - 0.5);
    }
}

oct_bounds list_random_bounds(oct_random *random, const lattice *l, uint64_t levels)
{
    const double cell = l->cell_size;
    const oct_point o = l->origin;
    const oct_point min = {o.x + random_place(random) * cell, o.y + random_place(random) * cell,
                           o.z + random_place(random) * cell};
    return (oct_bounds){min,
                        {min.x + list_random_length(random, levels) * cell,
                         min.y + list_random_length(random, levels) * cell,
                         min.z + list_random_length(random, levels) * cell}};
}

oct_bounds list_random_bounds_inside(oct_random *random, const lattice *l, uint64_t levels)
{
    oct_box cells;
    for (;;) {
        const oct_bounds box = list_random_bounds(random, l, levels);
        if (list_cover(l, &box, &cells)) {
            return box;
        }
    }
}

static int32_t clipped(double at)
{
    return at < INT32_MIN ? INT32_MIN : at > INT32_MAX ? INT32_MAX : (int32_t)at;
}

static oct_box box_grown(oct_box box, int32_t by)
{
    return (oct_box){{box.min.x - by, box.min.y - by, box.min.z - by},
                     {box.max.x + by, box.max.y + by, box.max.z + by}};
}

oct_box list_random_cells(thing_list *m)
{
    oct_random *random = &m->random;
    const uint64_t choice = oct_random_below(random, 8);
    if (choice == 0) {
        return (oct_box){{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE}, {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    }
    if (choice == 1) {
        return (oct_box){{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}};
    }
    if (choice < 5 && m->count > 0) {
        const oct_box cells = m->list[oct_random_below(random, m->count)].cells;
        return box_grown(cells, oct_random_range(random, -1, 2));
    }
    const double x = random_place(random), y = random_place(random), z = random_place(random);
    return (oct_box){{clipped(x), clipped(y), clipped(z)},
                     {clipped(x + list_random_length(random, 31)),
                      clipped(y + list_random_length(random, 31)),
                      clipped(z + list_random_length(random, 31))}};
}

// ---- edits of both ----

void list_add(thing_list *m, oct_bounds box)
{
    assert_true(m->count < LIST_MAX);
    list_thing *entry = &m->list[m->count++];
    const uint64_t bits = oct_random_next(&m->random);
    entry->thing = (oct_thing){.id = m->next_id,
                               .box = box,
                               .label = (uint8_t)(bits % 3u),
                               .opaque = (uint8_t)(bits >> 8 & 1u),
                               .tag = (uint16_t)(bits >> 16)};
    m->next_id += bits >> 32 & 1u ? 1u : UINT64_C(1) << 40;
    assert_true(list_cover(&m->index.lattice, &box, &entry->cells));
    expect(m, oct_things_find(&m->index, entry->thing.id) == 0, "found before it was added");
    assert_int_equal(oct_things_reserve(&m->index), OCT_OK);
    oct_things_link(&m->index, oct_things_take(&m->index, &entry->thing));
}

void list_remove(thing_list *m, size_t i)
{
    const uint32_t slot = oct_things_find(&m->index, m->list[i].thing.id);
    expect(m, slot != 0, "not found to be removed");
    oct_things_unlink(&m->index, slot);
    oct_things_give(&m->index, slot);
    m->list[i] = m->list[--m->count];
}

void list_move(thing_list *m, size_t i, oct_bounds box)
{
    list_thing *entry = &m->list[i];
    const uint32_t slot = oct_things_find(&m->index, entry->thing.id);
    expect(m, slot != 0, "not found to be moved");
    assert_int_equal(oct_things_reserve(&m->index), OCT_OK);
    oct_things_unlink(&m->index, slot);
    oct_things_at(&m->index, slot)->box = box;
    oct_things_link(&m->index, slot);
    entry->thing.box = box;
    assert_true(list_cover(&m->index.lattice, &box, &entry->cells));
}

// The box of a thing a little further on, or any other.
static oct_bounds random_move(thing_list *m, size_t i, uint64_t levels)
{
    const lattice *l = &m->index.lattice;
    if (oct_random_below(&m->random, 2) == 0) {
        const double x = l->cell_size * oct_random_range(&m->random, -2, 2);
        const double y = l->cell_size * oct_random_range(&m->random, -2, 2);
        const oct_bounds from = m->list[i].thing.box;
        const oct_bounds to = {{from.min.x + x, from.min.y + y, from.min.z},
                               {from.max.x + x, from.max.y + y, from.max.z}};
        oct_box cells;
        if (list_cover(l, &to, &cells)) {
            return to;
        }
    }
    return list_random_bounds_inside(&m->random, l, levels);
}

void list_edit(thing_list *m, uint64_t growth, uint64_t levels)
{
    const uint64_t choice = oct_random_below(&m->random, 8);
    if (m->count == 0 || (choice < growth && m->count < LIST_MAX)) {
        list_add(m, list_random_bounds_inside(&m->random, &m->index.lattice, levels));
        return;
    }
    const size_t i = (size_t)oct_random_below(&m->random, m->count);
    if (choice < 6) {
        list_move(m, i, random_move(m, i, levels));
    } else {
        list_remove(m, i);
    }
}

// ---- checks ----

static bool note(void *ctx, uint32_t slot, const oct_box *cells)
{
    list_found *f = ctx;
    const thing *visited = oct_things_at(&f->from->index, slot);
    oct_box right;
    expect(f->from, f->count < LIST_MAX, "too many visits");
    expect(f->from, list_cover(&f->from->index.lattice, &visited->box, &right), "out of range");
    expect(f->from, memcmp(cells, &right, sizeof right) == 0, "visited with other cells");
    f->ids[f->count++] = visited->id;
    return f->count != f->stop_at + 1;
}

bool list_ask(const thing_list *m, const oct_box *box, size_t stop_at, list_found *f)
{
    f->from = m;
    f->count = 0;
    f->stop_at = stop_at;
    return oct_things_in(&m->index, box, note, f);
}

static bool axis_shares(int32_t a, int32_t a_end, int32_t b, int32_t b_end)
{
    return (a > b ? a : b) < (a_end < b_end ? a_end : b_end);
}

static bool boxes_share(int dims, const oct_box *a, const oct_box *b)
{
    return axis_shares(a->min.x, a->max.x, b->min.x, b->max.x) &&
           axis_shares(a->min.y, a->max.y, b->min.y, b->max.y) &&
           (dims == 2 || axis_shares(a->min.z, a->max.z, b->min.z, b->max.z));
}

static int compare_ids(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void list_check_question(const thing_list *m, const oct_box *box)
{
    static list_found f;
    static uint64_t right[LIST_MAX];
    size_t count = 0;
    for (size_t i = 0; i < m->count; i++) {
        if (boxes_share(m->index.lattice.dims, &m->list[i].cells, box)) {
            right[count++] = m->list[i].thing.id;
        }
    }
    expect(m, list_ask(m, box, SIZE_MAX, &f), "stopped unasked");
    qsort(f.ids, f.count, sizeof *f.ids, compare_ids);
    qsort(right, count, sizeof *right, compare_ids);
    expect(m, f.count == count && memcmp(f.ids, right, count * sizeof *right) == 0,
           "a question has another answer");
}

void list_check(const thing_list *m)
{
    expect(m, oct_things_valid(&m->index), "not valid");
    expect(m, m->index.thing_count == m->count, "another number of things");
    for (size_t i = 0; i < m->count; i++) {
        const oct_thing *right = &m->list[i].thing;
        const uint32_t slot = oct_things_find(&m->index, right->id);
        expect(m, slot != 0, "a thing is not found");
        const oct_thing got = oct_things_get(&m->index, slot);
        expect(m,
               got.id == right->id && memcmp(&got.box, &right->box, sizeof got.box) == 0 &&
                   got.label == right->label && got.opaque == right->opaque &&
                   got.tag == right->tag,
               "a thing has changed");
    }
}
