// SPDX-License-Identifier: MIT
// Solids: how they are added, changed, removed and moved.
#include "game/solids_internal.h"

#include <math.h>

// What is added to boxes of the world against rounding: a share of how far they reach.
#define ROUNDING 1e-12

// ---- life ----

oct_result oct_solids_create(const oct_allocator *allocator, solids **out)
{
    const oct_allocator own = oct_allocator_or_default(allocator);
    *out = NULL;
    solids *const s = oct_alloc(&own, sizeof *s, _Alignof(solids));
    if (!s) {
        return OCT_ERROR_MEMORY;
    }
    *s = (solids){.allocator = own, .free_solid = SOLIDS_NONE, .free_entry = SOLIDS_NONE};
    *out = s;
    return OCT_OK;
}

void oct_solids_destroy(solids *s)
{
    if (!s) {
        return;
    }
    const oct_allocator own = s->allocator;
    oct_array_free(&s->frames, &own, sizeof(solids_frame));
    oct_array_free(&s->solids, &own, sizeof(solid));
    oct_array_free(&s->homes, &own, sizeof(oct_bounds));
    oct_array_free(&s->entries, &own, sizeof(solids_entry));
    oct_array_free(&s->bricks, &own, sizeof(solids_brick));
    oct_array_free(&s->heads, &own, sizeof(solids_heads));
    oct_free(&own, s->slots, s->slot_count * sizeof *s->slots);
    oct_free(&own, s, sizeof *s);
}

static solids_frame *frame_at(solids *s, uint32_t frame)
{
    OCT_ASSERT(frame < s->frames.count);
    return (solids_frame *)s->frames.items + frame;
}

static solid *solid_at(solids *s, uint32_t i)
{
    OCT_ASSERT(i < s->solids.count);
    return (solid *)s->solids.items + i;
}

// Something is where nothing was: whoever counted on free space has to look again.
static void appeared(solids *s)
{
    s->epoch++;
    s->drift = 0.0;
}

static void drifted(solids *s, double by)
{
    // Far beyond any bound that somebody keeps; the sum stays exact enough.
    if (s->drift + by > 0x1p20) {
        appeared(s);
    } else {
        s->drift += by;
    }
}

// ---- frames ----

// The world box of all of a frame's homes.
static void find_world_box(solids_frame *f)
{
    const double axes[3][3] = {{f->axes.right.x, f->axes.up.x, f->axes.back.x},
                               {f->axes.right.y, f->axes.up.y, f->axes.back.y},
                               {f->axes.right.z, f->axes.up.z, f->axes.back.z}};
    const double origin[3] = {f->origin.x, f->origin.y, f->origin.z};
    if (!(f->all_min[0] <= f->all_max[0])) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        double lo = origin[i], hi = origin[i], far = fabs(origin[i]);
        for (int k = 0; k < 3; k++) {
            const double a = axes[i][k] * f->all_min[k], b = axes[i][k] * f->all_max[k];
            lo += a < b ? a : b;
            hi += a < b ? b : a;
            far += fabs(a) + fabs(b);
        }
        f->min[i] = lo - far * ROUNDING;
        f->max[i] = hi + far * ROUNDING;
    }
}

static bool is_finite(oct_point p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

oct_result oct_solids_add_frame(solids *s, oct_point origin, const motion_frame *axes,
                                uint32_t *frame)
{
    if (!is_finite(origin) || s->frames.count >= SOLIDS_NONE) {
        return is_finite(origin) ? OCT_ERROR_RANGE : OCT_ERROR_ARGUMENT;
    }
    solids_frame f = {.large = SOLIDS_NONE, .origin = origin, .axes = *axes};
    for (int i = 0; i < 3; i++) {
        f.min[i] = f.all_min[i] = f.cells_min[i] = HUGE_VAL;
        f.max[i] = f.all_max[i] = f.cells_max[i] = -HUGE_VAL;
    }
    OCT_TRY(oct_array_push(&s->frames, &s->allocator, sizeof f, &f));
    *frame = (uint32_t)s->frames.count - 1;
    s->revision++;
    return OCT_OK;
}

void oct_solids_move_frame(solids *s, uint32_t frame, oct_point origin)
{
    solids_frame *const f = frame_at(s, frame);
    const oct_point by = point_sub(origin, f->origin);
    f->origin = origin;
    find_world_box(f);
    s->revision++;
    drifted(s, sqrt(point_dot(by, by)));
}

// ---- bricks ----

// Room for so many more items, at least half as many again as there were.
static oct_result make_room(solids *s, oct_array *array, size_t item_size, size_t more)
{
    if (array->capacity - array->count >= more) {
        return OCT_OK;
    }
    const size_t grown = array->capacity + array->capacity / 2;
    const size_t least = array->count + more;
    return oct_array_reserve(array, &s->allocator, item_size, grown > least ? grown : least);
}

static void enter(solids_slot *slots, uint32_t count, const solids_brick *b, uint32_t brick)
{
    const uint64_t hash = solids_hash(b->frame, b->at[0], b->at[1], b->at[2]);
    uint32_t i = (uint32_t)(hash >> 32) & (count - 1);
    while (slots[i].brick != 0) {
        i = (i + 1) & (count - 1);
    }
    slots[i] = (solids_slot){(uint32_t)hash, brick + 1};
}

static oct_result make_slots(solids *s, size_t more)
{
    const size_t bricks = s->bricks.count + more;
    size_t count = s->slot_count ? s->slot_count : 64;
    if (bricks * 2 <= s->slot_count) {
        return OCT_OK;
    }
    while (count < bricks * 2) {
        count *= 2;
    }
    if (count > UINT32_C(1) << 31) {
        return OCT_ERROR_RANGE;
    }
    solids_slot *const slots = oct_alloc(&s->allocator, count * sizeof *slots, OCT_CACHE_LINE);
    if (!slots) {
        return OCT_ERROR_MEMORY;
    }
    memset(slots, 0, count * sizeof *slots);
    for (uint32_t i = 0; i < s->bricks.count; i++) {
        enter(slots, (uint32_t)count, (const solids_brick *)s->bricks.items + i, i);
    }
    oct_free(&s->allocator, s->slots, s->slot_count * sizeof *s->slots);
    s->slots = slots;
    s->slot_count = (uint32_t)count;
    return OCT_OK;
}

// There is room for it.
static uint32_t find_or_make(solids *s, uint32_t frame, int32_t x, int32_t y, int32_t z)
{
    const uint32_t found = solids_find(s, frame, x, y, z);
    if (found != SOLIDS_NONE) {
        return found;
    }
    const uint32_t brick = (uint32_t)s->bricks.count++;
    solids_brick *const b = (solids_brick *)s->bricks.items + brick;
    s->heads.count++;
    *b = (solids_brick){.at = {x, y, z}, .frame = frame};
    enter(s->slots, s->slot_count, b, brick);
    return brick;
}

// ---- homes in cells ----

// The cells of a home, and how many; false for a large one.
static bool cells_of(const double min[3], const double max[3], solids_range *r, uint32_t *count)
{
    double cells = 1.0;
    for (int i = 0; i < 3; i++) {
        const double middle = 0.5 * min[i] + 0.5 * max[i];
        const double lo = min[i] + SOLIDS_TOUCH < middle ? min[i] + SOLIDS_TOUCH : middle;
        const double hi = max[i] - SOLIDS_TOUCH > middle ? max[i] - SOLIDS_TOUCH : middle;
        if (!(lo > -SOLIDS_CELL * SOLIDS_CELL_RANGE && hi < SOLIDS_CELL * SOLIDS_CELL_RANGE)) {
            return false;
        }
        r->lo[i] = solids_cell(lo);
        r->hi[i] = solids_cell(hi);
        cells *= (double)r->hi[i] - r->lo[i] + 1.0;
    }
    *count = cells <= SOLIDS_CELLS_MAX ? (uint32_t)cells : 0;
    return cells <= SOLIDS_CELLS_MAX;
}

static size_t bricks_of(const solids_range *r)
{
    size_t count = 1;
    for (int i = 0; i < 3; i++) {
        count *= (size_t)(solids_brick_of(r->hi[i]) - solids_brick_of(r->lo[i])) + 1;
    }
    return count;
}

static uint32_t *head_at(solids *s, uint32_t brick, uint32_t cell)
{
    return &((solids_heads *)s->heads.items)[brick].first[cell];
}

static void link_cell(solids *s, uint32_t frame, uint32_t marked, const int32_t at[3])
{
    const uint32_t brick = find_or_make(s, frame, solids_brick_of(at[0]), solids_brick_of(at[1]),
                                        solids_brick_of(at[2]));
    solids_brick *const b = (solids_brick *)s->bricks.items + brick;
    const uint32_t cell = morton_index(3, (uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2]);
    uint32_t *const head = head_at(s, brick, cell);
    solids_entry *const entries = s->entries.items;
    uint32_t e = s->free_entry;
    if (e != SOLIDS_NONE) {
        s->free_entry = entries[e].next;
    } else {
        e = (uint32_t)s->entries.count++;
    }
    entries[e] = (solids_entry){marked, b->cells >> cell & 1 ? *head : SOLIDS_NONE};
    *head = e;
    b->cells |= UINT64_C(1) << cell;
}

static void unlink_cell(solids *s, uint32_t frame, uint32_t i, const int32_t at[3])
{
    const uint32_t brick = solids_find(s, frame, solids_brick_of(at[0]), solids_brick_of(at[1]),
                                       solids_brick_of(at[2]));
    OCT_ASSERT(brick != SOLIDS_NONE);
    solids_brick *const b = (solids_brick *)s->bricks.items + brick;
    const uint32_t cell = morton_index(3, (uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2]);
    solids_entry *const entries = s->entries.items;
    uint32_t *link = head_at(s, brick, cell);
    while ((entries[*link].solid & (SOLIDS_MAX - 1)) != i) {
        link = &entries[*link].next;
    }
    const uint32_t gone = *link;
    *link = entries[gone].next;
    entries[gone].next = s->free_entry;
    s->free_entry = gone;
    if (*head_at(s, brick, cell) == SOLIDS_NONE) {
        b->cells &= ~(UINT64_C(1) << cell);
    }
}

// Along which axes a cell is the first of a home's.
static uint32_t first_bits(const solids_range *r, const int32_t at[3])
{
    return (uint32_t)(at[0] == r->lo[0]) | (uint32_t)(at[1] == r->lo[1]) << 1 |
           (uint32_t)(at[2] == r->lo[2]) << 2;
}

// Puts a solid into each of its cells, or takes it out of them.
static void walk_cells(solids *s, uint32_t frame, uint32_t i, const solids_range *r, bool in)
{
    int32_t at[3];
    for (at[2] = r->lo[2]; at[2] <= r->hi[2]; at[2]++) {
        for (at[1] = r->lo[1]; at[1] <= r->hi[1]; at[1]++) {
            for (at[0] = r->lo[0]; at[0] <= r->hi[0]; at[0]++) {
                if (in) {
                    link_cell(s, frame, i | first_bits(r, at) << 29, at);
                } else {
                    unlink_cell(s, frame, i, at);
                }
            }
        }
    }
}

// ---- solids ----

static void to_arrays(const oct_bounds *b, double min[3], double max[3])
{
    min[0] = b->min.x, min[1] = b->min.y, min[2] = b->min.z;
    max[0] = b->max.x, max[1] = b->max.y, max[2] = b->max.z;
}

static bool is_box(const oct_bounds *b)
{
    return is_finite(b->min) && is_finite(b->max) && b->min.x <= b->max.x && b->min.y <= b->max.y &&
           b->min.z <= b->max.z;
}

static void grow_bounds(double min[3], double max[3], const solid *by)
{
    for (int i = 0; i < 3; i++) {
        min[i] = by->min[i] < min[i] ? by->min[i] : min[i];
        max[i] = by->max[i] > max[i] ? by->max[i] : max[i];
    }
}

static oct_result reserve_for(solids *s, size_t cells, size_t bricks)
{
    if (s->free_solid == SOLIDS_NONE) {
        if (s->solids.count >= SOLIDS_MAX) {
            return OCT_ERROR_RANGE;
        }
        OCT_TRY(make_room(s, &s->solids, sizeof(solid), 1));
        OCT_TRY(make_room(s, &s->homes, sizeof(oct_bounds), 1));
    }
    if (s->entries.count + cells >= SOLIDS_NONE) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(make_room(s, &s->entries, sizeof(solids_entry), cells));
    OCT_TRY(make_room(s, &s->bricks, sizeof(solids_brick), bricks));
    OCT_TRY(make_room(s, &s->heads, sizeof(solids_heads), bricks));
    return make_slots(s, bricks);
}

oct_result oct_solids_add(solids *s, uint32_t frame, oct_bounds home, uint32_t *out)
{
    if (frame >= s->frames.count || !is_box(&home)) {
        return OCT_ERROR_ARGUMENT;
    }
    solid item = {.frame = frame, .next = SOLIDS_NONE};
    solids_range r;
    uint32_t cells = 0;
    to_arrays(&home, item.min, item.max);
    item.large = !cells_of(item.min, item.max, &r, &cells);
    OCT_TRY(reserve_for(s, cells, item.large ? 0 : bricks_of(&r)));

    uint32_t i = s->free_solid;
    if (i != SOLIDS_NONE) {
        s->free_solid = solid_at(s, i)->next;
    } else {
        i = (uint32_t)s->solids.count++;
        s->homes.count++;
    }
    solids_frame *const f = frame_at(s, frame);
    if (item.large) {
        item.next = f->large;
        f->large = i;
    } else {
        grow_bounds(f->cells_min, f->cells_max, &item);
    }
    grow_bounds(f->all_min, f->all_max, &item);
    find_world_box(f);
    *solid_at(s, i) = item;
    ((oct_bounds *)s->homes.items)[i] = home;
    if (!item.large) {
        walk_cells(s, frame, i, &r, true);
    }
    s->revision++;
    appeared(s);
    *out = i;
    return OCT_OK;
}

void oct_solids_remove(solids *s, uint32_t i)
{
    solid *const item = solid_at(s, i);
    OCT_ASSERT(item->frame != SOLIDS_NONE);
    if (item->large) {
        uint32_t *link = &frame_at(s, item->frame)->large;
        while (*link != i) {
            link = &solid_at(s, *link)->next;
        }
        *link = item->next;
    } else {
        double min[3], max[3];
        solids_range r;
        uint32_t cells;
        to_arrays(&((const oct_bounds *)s->homes.items)[i], min, max);
        cells_of(min, max, &r, &cells);
        walk_cells(s, item->frame, i, &r, false);
    }
    *item = (solid){.min = {1.0}, .frame = SOLIDS_NONE, .next = s->free_solid};
    s->free_solid = i;
    s->revision++;
}

void oct_solids_set(solids *s, uint32_t i, const oct_bounds *part)
{
    solid *const item = solid_at(s, i);
    OCT_ASSERT(item->frame != SOLIDS_NONE);
    const bool was = item->min[0] <= item->max[0];
    double min[3], max[3], home_min[3], home_max[3], nearer = 0.0;
    bool is = part != NULL;
    to_arrays(&((const oct_bounds *)s->homes.items)[i], home_min, home_max);
    if (part) {
        to_arrays(part, min, max);
    }
    for (int k = 0; k < 3 && is; k++) {
        min[k] = min[k] > home_min[k] ? min[k] : home_min[k];
        max[k] = max[k] < home_max[k] ? max[k] : home_max[k];
        is = min[k] <= max[k];
    }
    s->revision++;
    if (!is) {
        item->min[0] = 1.0;
        item->max[0] = 0.0;
        return;
    }
    for (int k = 0; k < 3; k++) {
        const double low = item->min[k] - min[k], high = max[k] - item->max[k];
        const double most = low > high ? low : high;
        nearer += most > 0.0 ? most * most : 0.0;
        item->min[k] = min[k];
        item->max[k] = max[k];
    }
    if (was) {
        drifted(s, sqrt(nearer));
    } else {
        appeared(s);
    }
}

uint64_t oct_solids_revision(const solids *s)
{
    return s->revision;
}

double oct_solids_drift(const solids *s, uint64_t *epoch)
{
    *epoch = s->epoch;
    return s->drift;
}

// ---- where things are ----

oct_point oct_solids_to_world(const solids *s, uint32_t frame, oct_point local)
{
    const solids_frame *const f = solids_frame_at(s, frame);
    const oct_point turned = oct_motion_to_world(&f->axes, local);
    return (oct_point){f->origin.x + turned.x, f->origin.y + turned.y, f->origin.z + turned.z};
}

oct_point oct_solids_to_local(const solids *s, uint32_t frame, oct_point world)
{
    const solids_frame *const f = solids_frame_at(s, frame);
    return oct_motion_to_local(&f->axes, point_sub(world, f->origin));
}

uint32_t oct_solids_frame_of(const solids *s, uint32_t i)
{
    return solids_at(s, i)->frame;
}

oct_bounds oct_solids_home(const solids *s, uint32_t i)
{
    return ((const oct_bounds *)s->homes.items)[i];
}

bool oct_solids_part(const solids *s, uint32_t i, oct_bounds *out)
{
    const solid *const item = solids_at(s, i);
    if (!(item->min[0] <= item->max[0])) {
        return false;
    }
    *out = (oct_bounds){{item->min[0], item->min[1], item->min[2]},
                        {item->max[0], item->max[1], item->max[2]}};
    return true;
}

// ---- validity ----

// Whether a cell holds a solid exactly once, marked as it should be.
static bool cell_holds(const solids *s, uint32_t frame, uint32_t marked, const int32_t at[3])
{
    const uint32_t brick = solids_find(s, frame, solids_brick_of(at[0]), solids_brick_of(at[1]),
                                       solids_brick_of(at[2]));
    const uint32_t cell = morton_index(3, (uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2]);
    const solids_entry *const entries = s->entries.items;
    uint32_t found = 0;
    if (brick == SOLIDS_NONE ||
        !(((const solids_brick *)s->bricks.items)[brick].cells >> cell & 1)) {
        return false;
    }
    uint32_t e = ((const solids_heads *)s->heads.items)[brick].first[cell];
    for (; e != SOLIDS_NONE; e = entries[e].next) {
        found += entries[e].solid == marked;
    }
    return found == 1;
}

static bool cells_hold(const solids *s, uint32_t i, const solids_range *r)
{
    int32_t at[3];
    for (at[2] = r->lo[2]; at[2] <= r->hi[2]; at[2]++) {
        for (at[1] = r->lo[1]; at[1] <= r->hi[1]; at[1]++) {
            for (at[0] = r->lo[0]; at[0] <= r->hi[0]; at[0]++) {
                if (!cell_holds(s, solids_at(s, i)->frame, i | first_bits(r, at) << 29, at)) {
                    return false;
                }
            }
        }
    }
    return true;
}

// Whether a solid is where it is looked for; counts its cells.
static bool solid_is_valid(const solids *s, uint32_t i, size_t *cells)
{
    const solid *const item = solids_at(s, i);
    const solids_frame *const f = solids_frame_at(s, item->frame);
    double min[3], max[3];
    solids_range r;
    uint32_t count = 0, listed = 0;
    to_arrays(&((const oct_bounds *)s->homes.items)[i], min, max);
    for (int k = 0; k < 3; k++) {
        if (f->all_min[k] > min[k] || f->all_max[k] < max[k] ||
            (item->min[0] <= item->max[0] && (item->min[k] < min[k] || item->max[k] > max[k]))) {
            return false;
        }
    }
    for (uint32_t at = f->large; at != SOLIDS_NONE; at = solids_at(s, at)->next) {
        listed += at == i;
    }
    if (item->large == cells_of(min, max, &r, &count) || listed != item->large) {
        return false;
    }
    *cells += count;
    return item->large || cells_hold(s, i, &r);
}

bool oct_solids_is_valid(const solids *s)
{
    const solids_entry *const entries = s->entries.items;
    size_t live = 0, cells = 0, masked = 0;
    for (uint32_t i = 0; i < s->solids.count; i++) {
        if (solids_at(s, i)->frame != SOLIDS_NONE) {
            live++;
            if (!solid_is_valid(s, i, &cells)) {
                return false;
            }
        }
    }
    for (uint32_t i = 0; i < s->bricks.count; i++) {
        const solids_heads *const heads = (const solids_heads *)s->heads.items + i;
        for (uint64_t c = ((const solids_brick *)s->bricks.items)[i].cells; c; c &= c - 1) {
            uint32_t e = heads->first[oct_lowest_bit(c)];
            if (e == SOLIDS_NONE) {
                return false; // nothing there
            }
            for (; e != SOLIDS_NONE; e = entries[e].next) {
                masked++;
            }
        }
    }
    for (uint32_t i = s->free_solid; i != SOLIDS_NONE; i = solids_at(s, i)->next) {
        live++;
    }
    size_t used = cells;
    for (uint32_t e = s->free_entry; e != SOLIDS_NONE; e = entries[e].next) {
        used++;
    }
    return live == s->solids.count && masked == cells && used == s->entries.count;
}
