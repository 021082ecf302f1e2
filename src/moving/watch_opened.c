// SPDX-License-Identifier: MIT
// What was opened, and when.
//
// A path through a box is at least as long as the way from its start to the box and on to its goal.
// So a path that was the shortest then can now be shorter only through something opened since, and
// by no more than those boxes allow. Boxes that begin in the same cube of their size become one;
// the list is kept by age, so that one looks only at what is younger than the path.
#include "moving/watch_internal.h"

#define LEVEL_MIN 4

static uint32_t *head_of(const opened *o, lattice_key key)
{
    return &o->heads[key_hash(key) & (OPENED_MAX - 1u)];
}

oct_result oct_opened_init(opened *o, const oct_allocator *allocator)
{
    *o = (opened){.boxes = NULL};
    o->boxes = oct_alloc(allocator, (OPENED_MAX + 1) * sizeof *o->boxes, _Alignof(opened_box));
    o->heads = oct_alloc(allocator, OPENED_MAX * sizeof *o->heads, _Alignof(uint32_t));
    if (!o->boxes || !o->heads) {
        oct_opened_free(o, allocator);
        return OCT_ERROR_MEMORY;
    }
    oct_opened_lose(o, 0);
    return OCT_OK;
}

void oct_opened_free(opened *o, const oct_allocator *allocator)
{
    oct_free(allocator, o->boxes, (OPENED_MAX + 1) * sizeof *o->boxes);
    oct_free(allocator, o->heads, OPENED_MAX * sizeof *o->heads);
    *o = (opened){.boxes = NULL};
}

size_t oct_opened_bytes(void)
{
    return (OPENED_MAX + 1) * sizeof(opened_box) + OPENED_MAX * sizeof(uint32_t);
}

void oct_opened_lose(opened *o, uint64_t revision)
{
    memset(o->heads, 0, OPENED_MAX * sizeof *o->heads);
    o->boxes[0] = (opened_box){.revision = 0};
    o->count = o->oldest = o->newest = 0;
    o->lost = revision;
}

// ---- the list by age ----

static void unlink_box(opened *o, uint32_t at)
{
    const opened_box *const b = &o->boxes[at];
    *(b->newer ? &o->boxes[b->newer].older : &o->newest) = b->older;
    *(b->older ? &o->boxes[b->older].newer : &o->oldest) = b->newer;
}

static void link_newest(opened *o, uint32_t at)
{
    o->boxes[at].newer = 0;
    o->boxes[at].older = o->newest;
    *(o->newest ? &o->boxes[o->newest].newer : &o->oldest) = at;
    o->newest = at;
}

// A place for one more: the oldest one's where all are taken.
static uint32_t take_box(opened *o)
{
    if (o->count < OPENED_MAX) {
        return ++o->count;
    }
    const uint32_t at = o->oldest;
    o->lost = o->boxes[at].revision;
    unlink_box(o, at);
    uint32_t *from = head_of(o, o->boxes[at].key);
    while (*from != at) {
        from = &o->boxes[*from].next;
    }
    *from = o->boxes[at].next;
    return at;
}

// The cube of the box's size that its first cell lies in.
static lattice_key key_of(const oct_box *box)
{
    const int64_t x = (int64_t)box->max.x - box->min.x, y = (int64_t)box->max.y - box->min.y,
                  z = (int64_t)box->max.z - box->min.z;
    const int64_t edge = x > y ? (x > z ? x : z) : (y > z ? y : z);
    uint32_t level = LEVEL_MIN;
    while (edge > INT64_C(1) << level) {
        level++;
    }
    return (lattice_key){(int32_t)((int64_t)box->min.x >> level),
                         (int32_t)((int64_t)box->min.y >> level),
                         (int32_t)((int64_t)box->min.z >> level), level};
}

void oct_opened_add(opened *o, oct_box box, uint64_t revision)
{
    const lattice_key key = key_of(&box);
    uint32_t at = *head_of(o, key);
    while (at && !key_equal(o->boxes[at].key, key)) {
        at = o->boxes[at].next;
    }
    if (at) {
        unlink_box(o, at);
        o->boxes[at].box = box_union(o->boxes[at].box, box);
    } else {
        at = take_box(o);
        uint32_t *const head = head_of(o, key);
        o->boxes[at] = (opened_box){.key = key, .box = box, .next = *head};
        *head = at;
    }
    o->boxes[at].revision = revision;
    link_newest(o, at);
}

// ---- questions ----

// How far a place is from a box on one axis, cells.
static double apart(int64_t at, int32_t min, int32_t max)
{
    const int64_t lo = (int64_t)min * OCT_FINE, hi = (int64_t)max * OCT_FINE;
    return (double)(at < lo ? lo - at : at > hi ? at - hi : 0) * (1.0 / OCT_FINE);
}

static double distance_to(const oct_box *box, oct_fine at)
{
    const double x = apart(at.x, box->min.x, box->max.x);
    const double y = apart(at.y, box->min.y, box->max.y);
    const double z = apart(at.z, box->min.z, box->max.z);
    return sqrt(x * x + y * y + z * z);
}

double oct_opened_least(const opened *o, uint64_t since, oct_fine a, oct_fine b, double enough)
{
    if (since < o->lost) {
        return 0.0;
    }
    double least = HUGE_VAL;
    for (uint32_t i = o->newest; i && o->boxes[i].revision > since && least >= enough;
         i = o->boxes[i].older) {
        const double way = distance_to(&o->boxes[i].box, a) + distance_to(&o->boxes[i].box, b);
        least = way < least ? way : least;
    }
    return least;
}

bool oct_opened_is_valid(const opened *o)
{
    uint32_t count = 0, last = 0;
    uint64_t revision = UINT64_MAX;
    for (uint32_t i = o->newest; i; i = o->boxes[i].older) {
        const opened_box *const b = &o->boxes[i];
        const lattice_key key = key_of(&b->box);
        if (b->newer != last || b->revision > revision || ++count > o->count ||
            b->revision < o->lost || key.w < b->key.w || key.w > b->key.w + 1) {
            return false;
        }
        last = i;
        revision = b->revision;
    }
    return last == o->oldest && count == o->count;
}
