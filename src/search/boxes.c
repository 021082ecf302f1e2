// SPDX-License-Identifier: MIT
#include "octant/tree.h"
#include "search/planner.h"

#include "octree/octree_internal.h"

// Boxes and pages that are kept from query to query at most; beyond, a query begins anew.
#define PAGES_KEPT (1u << 16)

// ---- life ----

static void free_parts(space *base)
{
    box_space *const s = (box_space *)base;
    const oct_allocator *const memory = &base->allocator;
    oct_array_free(&s->pages, memory, sizeof(box_page));
    oct_array_free(&s->boxes, memory, sizeof(free_box));
    oct_array_free(&s->entries, memory, sizeof(box_entry));
    oct_array_free(&s->waits, memory, sizeof(box_wait));
    oct_key_table_free(&s->places, memory);
}

static size_t parts_bytes(const space *base)
{
    const box_space *const s = (const box_space *)base;
    return s->pages.capacity * sizeof(box_page) + s->boxes.capacity * sizeof(free_box) +
           s->entries.capacity * sizeof(box_entry) + s->waits.capacity * sizeof(box_wait) +
           oct_key_table_bytes(&s->places);
}

// ---- what is free in a page ----

// What a page is made from.
typedef struct draft {
    uint64_t free, mixed;
    uint64_t unknown; // sub-nodes that are UNKNOWN as a whole
    // What has a price of its own; a box is within or without each of them.
    uint64_t priced[OCT_PRICED_BOXES_MAX + 1];
    uint32_t priced_count;
} draft;

OCT_FORCE_INLINE uint64_t lowest_bits(uint32_t count)
{
    return count < 64 ? (UINT64_C(1) << count) - 1u : UINT64_MAX;
}

// Adds what a node of the tree holds; `up` levels above sub-nodes, `at` in the order of its level.
static void gather(const box_space *s, int dims, uint32_t word, int up, uint32_t at, draft *d)
{
    if (word_kind(word) == KIND_LEAF) {
        const uint32_t width = 1u << (dims * up);
        const uint64_t all = lowest_bits(width) << (at * width);
        d->free |= s->free >> word_label(word) & 1u ? all : 0u;
        d->unknown |= word_label(word) == OCT_UNKNOWN ? all : 0u;
    } else if (up == 0) {
        d->mixed |= word_labels(word) & s->free ? UINT64_C(1) << at : 0u;
    } else {
        const uint32_t *const block = tree_siblings(s->tree, dims, word_index(word));
        for (uint32_t i = 0; i < 1u << dims; i++) {
            gather(s, dims, block[i], up - 1, at << dims | i, d);
        }
    }
}

// Where a page lies: in the root, around it, or beside it, where all is UNKNOWN.
static void fill(const box_space *s, int dims, const box_page *page, draft *d)
{
    const oct_tree *const tree = s->tree;
    const int level = page->shift + page_levels(dims);
    const int64_t root_min[BOX_AXES] = {tree->root_min.x, tree->root_min.y, tree->root_min.z};
    const int64_t edge = INT64_C(1) << level, root_edge = INT64_C(1) << tree->root_level;
    int64_t at[BOX_AXES] = {0, 0, 0};
    bool is_inside = true, is_around = true;
    for (int i = 0; i < dims; i++) {
        at[i] = s->origin[i] + page->at[i] - root_min[i];
        is_inside &= at[i] >= 0 && at[i] < root_edge;
        is_around &= at[i] <= 0 && at[i] + edge > 0;
    }
    if (level <= tree->root_level && is_inside) {
        const rel from = {(uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2]};
        const node here = tree_descend(tree, dims, from, level);
        if (word_kind(here.word) == KIND_BRICK) {
            const brick cells = *tree_brick(tree, word_index(here.word));
            d->free = brick_with(cells, s->free);
            d->unknown = brick_with(cells, OCT_HAS_UNKNOWN);
        } else {
            gather(s, dims, here.word, page_levels(dims), 0, d);
        }
        return;
    }
    d->free = s->free & OCT_HAS_UNKNOWN ? UINT64_MAX : 0u;
    d->unknown = UINT64_MAX;
    if (level > tree->root_level && is_around) {
        // The root is one sub-node, or several in the page's lowest corner, or less than one.
        const int up = tree->root_level > page->shift ? tree->root_level - page->shift : 0;
        const uint32_t bit =
            morton_index(dims, (uint32_t)(-at[0] >> page->shift), (uint32_t)(-at[1] >> page->shift),
                         (uint32_t)(-at[2] >> page->shift));
        const uint64_t root = lowest_bits(1u << (dims * up)) << bit;
        d->free &= ~root;
        d->unknown &= ~root;
        if (page->shift > tree->root_level) {
            d->mixed = root;
        } else {
            gather(s, dims, tree->root, up, bit >> (dims * up), d);
        }
    }
}

// The sub-nodes that lie in a box as a whole, and those that do at least in part.
static void find_within(const box_space *s, int dims, const box_page *page, const oct_box *box,
                        uint64_t *whole, uint64_t *part)
{
    const int64_t min[BOX_AXES] = {box->min.x, box->min.y, box->min.z};
    const int64_t max[BOX_AXES] = {box->max.x, box->max.y, box->max.z};
    const int64_t count = page_edge(dims), edge = INT64_C(1) << page->shift;
    *whole = *part = UINT64_MAX;
    for (int i = 0; i < dims; i++) {
        const int64_t from = s->origin[i] + page->at[i];
        uint64_t whole_on_axis = 0, part_on_axis = 0;
        for (int64_t k = 0; k < count; k++) {
            const int64_t lo = from + k * edge, hi = lo + edge;
            const uint64_t slab = morton_slab(dims, i, (uint32_t)k, (uint32_t)k);
            whole_on_axis |= lo >= min[i] && hi <= max[i] ? slab : 0u;
            part_on_axis |= lo < max[i] && hi > min[i] ? slab : 0u;
        }
        *whole &= whole_on_axis;
        *part &= part_on_axis;
    }
}

// Divides what priced boxes cut, so that in a box every metre costs the same.
static void add_prices(const box_space *s, int dims, const box_page *page, draft *d)
{
    const oct_terms *const terms = &s->base.map.terms;
    if (terms->unknown == OCT_UNKNOWN_PRICED) {
        d->priced[d->priced_count++] = d->unknown;
    }
    for (uint32_t i = 0; i < terms->priced_count; i++) {
        uint64_t whole, part;
        find_within(s, dims, page, &terms->priced[i].cells, &whole, &part);
        d->mixed |= d->free & part & ~whole;
        d->priced[d->priced_count++] = whole;
    }
    d->free &= ~d->mixed;
}

// ---- boxes ----

// The largest box around a sub-node: along x as far as it goes, then that row along y, then that
// sheet along z. Returns its sub-nodes.
static uint64_t grow_box(int dims, const box_page *page, uint64_t free, uint32_t bit, free_box *out)
{
    const uint32_t cell = morton_cell(dims, bit), edge = page_edge(dims);
    const uint32_t first[BOX_AXES] = {cell & 0xffu, cell >> 8 & 0xffu, cell >> 16};
    uint32_t last[BOX_AXES] = {first[0], first[1], first[2]};
    uint64_t box = UINT64_C(1) << bit;
    for (int i = 0; i < dims; i++) {
        // What the box is but for this axis: all of its sheets are alike.
        const uint64_t sheet = box;
        const uint32_t at = first[i];
        for (uint64_t next; last[i] + 1u < edge; box |= next, last[i]++) {
            next = morton_moved(dims, i, sheet, at, last[i] + 1u);
            if (next & ~free) {
                break;
            }
        }
        out->first[i] = page->at[i] + (first[i] << page->shift);
        out->last[i] = page->at[i] + (last[i] << page->shift) + ((1u << page->shift) - 1u);
    }
    return box;
}

// The sub-nodes that cost what one of them does.
static uint64_t alike(const draft *d, uint32_t bit)
{
    uint64_t mask = UINT64_MAX;
    for (uint32_t i = 0; i < d->priced_count; i++) {
        mask &= d->priced[i] >> bit & 1u ? d->priced[i] : ~d->priced[i];
    }
    return mask;
}

static oct_result divide(box_space *s, int dims, uint32_t id, const draft *d)
{
    box_page *const page = box_page_at(s, id);
    while (s->boxes.capacity - s->boxes.count < 64) {
        OCT_TRY(oct_array_grow(&s->boxes, &s->base.allocator, sizeof(free_box)));
    }
    page->free = d->free;
    page->mixed = d->mixed;
    page->first = (uint32_t)s->boxes.count;
    for (uint64_t left = d->free; left;) {
        const uint32_t bit = oct_lowest_bit(left);
        free_box *const b = free_box_at(s, (uint32_t)s->boxes.count++);
        *b = (free_box){.page = id};
        uint64_t box = grow_box(dims, page, left & alike(d, bit), bit, b);
        left &= ~box;
        for (; box; box &= box - 1u) {
            page->box_of[oct_lowest_bit(box)] = page->box_count;
        }
        page->box_count++;
    }
    return OCT_OK;
}

static oct_result fill_page(box_space *s, int dims, uint32_t id)
{
    const box_page *const page = box_page_at(s, id);
    draft d;
    d.free = d.mixed = d.unknown = 0;
    d.priced_count = 0;
    fill(s, dims, page, &d);
    if (s->is_cut) {
        uint64_t whole, part;
        find_within(s, dims, page, &s->inner, &whole, &part);
        d.free &= part;
        d.mixed &= part;
    }
    if (OCT_UNLIKELY(s->base.map.is_priced)) {
        add_prices(s, dims, page, &d);
    }
    return divide(s, dims, id, &d);
}

// ---- pages ----

static lattice_key key_of(const uint32_t at[BOX_AXES], int shift)
{
    return (lattice_key){(int32_t)at[0], (int32_t)at[1], (int32_t)at[2], (uint32_t)shift};
}

static oct_result make_page(box_space *s, const uint32_t at[BOX_AXES], int shift, uint32_t *out)
{
    const oct_allocator *const memory = &s->base.allocator;
    const int dims = s->base.map.dims;
    const lattice_key key = key_of(at, shift);
    if (s->pages.count == s->pages.capacity) {
        OCT_TRY(oct_array_grow(&s->pages, memory, sizeof(box_page)));
    }
    OCT_TRY(oct_key_table_reserve(&s->places, memory, 1));
    *out = (uint32_t)s->pages.count;
    *box_page_at(s, *out) = (box_page){.at = {at[0], at[1], at[2]}, .shift = (uint8_t)shift};
    OCT_TRY(dims == 3 ? fill_page(s, 3, *out) : fill_page(s, 2, *out));
    key_slot_fill(&s->places, key_table_slot(&s->places, key), key, *out);
    s->pages.count++;
    return OCT_OK;
}

oct_result oct_boxes_page(box_space *s, const uint32_t cell[BOX_AXES], int shift, uint32_t *page,
                          uint32_t *bit)
{
    const int dims = s->base.map.dims, levels = page_levels(dims);
    const uint32_t high = ~(uint32_t)((UINT64_C(1) << (shift + levels)) - 1u);
    const uint32_t at[BOX_AXES] = {cell[0] & high, cell[1] & high, cell[2] & high};
    const key_slot *const slot = key_table_slot(&s->places, key_of(at, shift));
    *bit = BOX_WHOLE;
    if (key_slot_is_used(&s->places, slot)) {
        *page = slot->value;
        return OCT_OK;
    }
    OCT_ASSERT(shift < s->top_shift);
    OCT_TRY(oct_boxes_page(s, cell, shift + levels, page, bit));
    if (*bit != BOX_WHOLE) {
        return OCT_OK;
    }
    const box_page *const above = box_page_at(s, *page);
    const uint32_t i = morton_index(dims, cell[0] >> above->shift, cell[1] >> above->shift,
                                    cell[2] >> above->shift);
    if (!(above->mixed >> i & 1u)) {
        *bit = i;
        return OCT_OK;
    }
    return make_page(s, at, shift, page);
}

oct_result oct_boxes_child(box_space *s, uint32_t page, uint32_t bit, uint32_t *out)
{
    const box_page *const above = box_page_at(s, page);
    const uint32_t sub = morton_cell(s->base.map.dims, bit);
    const uint32_t at[BOX_AXES] = {above->at[0] + ((sub & 0xffu) << above->shift),
                                   above->at[1] + ((sub >> 8 & 0xffu) << above->shift),
                                   above->at[2] + ((sub >> 16) << above->shift)};
    uint32_t whole;
    return oct_boxes_page(s, at, above->shift - page_levels(s->base.map.dims), out, &whole);
}

// ---- a query ----

// The page level that holds the root, and whole multiples of it below it as far as the bounds go:
// so the tree's nodes lie in the frame as they do in the root.
static void make_frame(box_space *s)
{
    const view *const v = &s->base.map;
    const int levels = page_levels(v->dims);
    const corner root = s->tree->root_min;
    const int64_t root_min[BOX_AXES] = {root.x, root.y, v->dims == 3 ? root.z : 0};
    const int64_t min[BOX_AXES] = {v->bounds.min.x, v->bounds.min.y, v->bounds.min.z};
    const int64_t max[BOX_AXES] = {v->bounds.max.x, v->bounds.max.y, v->bounds.max.z};
    int level = levels;
    while (level < s->tree->root_level) {
        level += levels;
    }
    const bool reaches_out = (v->free & OCT_HAS_UNKNOWN) != 0;
    const int64_t root_edge = INT64_C(1) << level;
    for (int i = 0; i < BOX_AXES; i++) {
        s->origin[i] = root_min[i];
        if (reaches_out && i < v->dims && min[i] < root_min[i]) {
            s->origin[i] -= ((root_min[i] - min[i] - 1) >> level << level) + root_edge;
        }
    }
    for (int i = 0; reaches_out && i < v->dims; i++) {
        const int64_t end = root_min[i] + root_edge > max[i] ? root_min[i] + root_edge : max[i];
        while (s->origin[i] + (INT64_C(1) << level) < end) {
            level += levels;
        }
    }
    s->top_shift = level - levels;
    s->inner = v->bounds;
    s->frame_edge = UINT64_C(1) << level;
    s->is_cut = false;
    for (int i = 0; i < v->dims; i++) {
        s->is_cut |= min[i] > s->origin[i] || max[i] < s->origin[i] + (INT64_C(1) << level);
        s->fine_origin[i] = (double)(s->origin[i] * OCT_FINE);
        s->fine_min[i] = (double)(min[i] * OCT_FINE);
        s->fine_max[i] = (double)(max[i] * OCT_FINE);
    }
}

// Forgets all pages, and makes the one that is the whole frame.
static oct_result begin_pages(box_space *s, uint64_t revision)
{
    const uint32_t top[BOX_AXES] = {0, 0, 0};
    uint32_t page;
    oct_key_table_clear(&s->places);
    s->pages.count = s->boxes.count = 1;
    s->tree = s->base.map.tree;
    s->revision = revision;
    s->free = s->base.map.free;
    s->is_priced = s->base.map.is_priced;
    make_frame(s);
    const oct_result made = make_page(s, top, s->top_shift, &page);
    s->tree = made == OCT_OK ? s->tree : NULL;
    return made;
}

oct_result oct_boxes_box(box_space *s, oct_vec cell, uint32_t *box)
{
    const int dims = s->base.map.dims;
    const uint32_t at[BOX_AXES] = {(uint32_t)(cell.x - s->origin[0]),
                                   (uint32_t)(cell.y - s->origin[1]),
                                   dims == 3 ? (uint32_t)(cell.z - s->origin[2]) : 0u};
    uint32_t id, bit;
    OCT_TRY(oct_boxes_page(s, at, 0, &id, &bit));
    const box_page *const page = box_page_at(s, id);
    bit = bit == BOX_WHOLE ? morton_index(dims, at[0], at[1], at[2]) : bit;
    OCT_ASSERT(page->free >> bit & 1u);
    *box = page->first + page->box_of[bit];
    return OCT_OK;
}

static oct_result begin(space *base)
{
    box_space *const s = (box_space *)base;
    const oct_allocator *const memory = &s->base.allocator;
    const view *const v = &s->base.map;
    const uint64_t revision = oct_tree_revision(v->tree);
    OCT_TRY(oct_array_reserve(&s->pages, memory, sizeof(box_page), 64));
    OCT_TRY(oct_array_reserve(&s->boxes, memory, sizeof(free_box), 64));
    OCT_TRY(oct_array_reserve(&s->entries, memory, sizeof(box_entry), 64));
    OCT_TRY(oct_array_reserve(&s->waits, memory, sizeof(box_wait), 64));
    if (v->is_priced || s->is_priced || s->tree != v->tree || s->revision != revision ||
        s->free != v->free || !box_equal(&s->inner, &v->bounds) || s->pages.count > PAGES_KEPT ||
        s->stamp == UINT32_MAX) {
        s->stamp = 0;
        OCT_TRY(begin_pages(s, revision));
    }
    s->stamp++;
    s->waits.count = 0;
    s->entries.count = BOX_GOAL + 1;
    OCT_TRY(oct_boxes_box(s, s->base.from.cell, &s->start_box));
    OCT_TRY(oct_boxes_box(s, s->base.to.cell, &s->goal_box));
    const oct_fine from = s->base.from.place.at, to = s->base.to.place.at;
    *box_entry_at(s, BOX_START) =
        (box_entry){.at = {(double)from.x, (double)from.y, (double)from.z},
                    .box = s->start_box,
                    .via = BOX_START,
                    .octants = (uint8_t)s->base.from.place.octants,
                    .has_all = true};
    *box_entry_at(s, BOX_GOAL) = (box_entry){.at = {(double)to.x, (double)to.y, (double)to.z},
                                             .octants = (uint8_t)s->base.to.place.octants,
                                             .has_all = true};
    s->base.id_count = BOX_GOAL + 1;
    s->base.start = BOX_START;
    s->base.goal = BOX_GOAL;
    s->base.goal_is_own = true;
    s->base.aim = to;
    return OCT_OK;
}

static void take(space *base, const oct_planner *planner)
{
    box_space *const s = (box_space *)base;
    s->grade = planner->query.grade;
    s->goals = planner->query.goals;
}

const space_kind oct_boxes_kind = {.size = sizeof(box_space),
                                   .ops = &oct_portal_ops,
                                   .free_parts = free_parts,
                                   .parts_bytes = parts_bytes,
                                   .take = take,
                                   .begin = begin};
