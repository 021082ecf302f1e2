// SPDX-License-Identifier: MIT
#include "classic/pages.h"
#include "octant/tree.h"

#include "octree/octree_internal.h"

// ---- what is free around a page ----

// A brick's plane from Morton order (x0 y0 z0 x1 y1 z1 in the index, lowest first) to rows
// (x0 x1 y0 y1 z0 z1).
OCT_FORCE_INLINE uint64_t rows_from_morton(uint64_t plane)
{
    plane = swap_index_bits(plane, UINT64_C(0x00cc00cc00cc00cc), 6); // y0 with x1
    plane = swap_index_bits(plane, UINT64_C(0x00f000f000f000f0), 4); // z0 with y0
    return swap_index_bits(plane, UINT64_C(0x0000ff000000ff00), 8);  // z0 with y1
}

// Which cells of the brick at a place are free, in rows; all within the bounds.
static uint64_t look_brick(const view *v, oct_vec at)
{
    const oct_tree *const tree = v->tree;
    const rel place = tree_rel(tree, at);
    if (tree_is_empty(tree) || !tree_holds(tree, 3, place)) {
        return v->free & OCT_HAS_UNKNOWN ? UINT64_MAX : 0;
    }
    const node here = tree_descend(tree, 3, place, BRICK_LEVEL_3D);
    if (word_kind(here.word) == KIND_LEAF) {
        return v->free >> word_label(here.word) & 1u ? UINT64_MAX : 0;
    }
    return rows_from_morton(brick_with(*tree_brick(tree, word_index(here.word)), v->free));
}

// Bits x - 1 to x + 4 of row (y, z) of three pages side by side.
OCT_FORCE_INLINE uint64_t join_rows(const uint64_t pages[3], uint32_t row)
{
    return (pages[0] >> (4 * row + 3) & 1u) | (pages[1] >> (4 * row) & 15u) << 1 |
           (pages[2] >> (4 * row) & 1u) << 5;
}

// All cells within the bounds.
static void look_whole(const view *v, oct_vec at, uint64_t window[WINDOW_LAYERS])
{
    uint64_t pages[3][3][3];
    for (int z = 0; z < 3; z++) {
        for (int y = 0; y < 3; y++) {
            for (int x = 0; x < 3; x++) {
                pages[z][y][x] =
                    look_brick(v, (oct_vec){at.x + (x - 1) * PAGE_EDGE, at.y + (y - 1) * PAGE_EDGE,
                                            at.z + (z - 1) * PAGE_EDGE});
            }
        }
    }
    for (uint32_t z = 0; z < WINDOW_LAYERS; z++) {
        window[z] = 0;
        for (uint32_t y = 0; y < 6; y++) {
            // Layer z of the window is layer z + 3 of three pages on top of each other.
            window[z] |= join_rows(pages[(z + 3) / 4][(y + 3) / 4], (y + 3) % 4 + 4 * ((z + 3) % 4))
                         << (6 * y);
        }
    }
}

static void look_cell_by_cell(const view *v, oct_vec at, uint64_t window[WINDOW_LAYERS])
{
    for (int32_t z = 0; z < WINDOW_LAYERS; z++) {
        window[z] = 0;
        for (int32_t bit = 0; bit < 36 && (v->dims == 3 || z == 1); bit++) {
            const oct_vec cell = {at.x + bit % 6 - 1, at.y + bit / 6 - 1, at.z + z - 1};
            window[z] |= (uint64_t)view_is_free(v, cell) << bit;
        }
    }
}

void oct_pages_look(const view *v, oct_vec at, uint64_t window[WINDOW_LAYERS])
{
    const oct_vec last = {at.x + PAGE_EDGE, at.y + PAGE_EDGE, at.z + PAGE_EDGE};
    const oct_vec first = {at.x - 1, at.y - 1, at.z - 1};
    if (v->dims == 2 || !view_holds(v, first) || !view_holds(v, last)) {
        look_cell_by_cell(v, at, window);
        return;
    }
    // Inside a large leaf one look is enough.
    const oct_leaf leaf = oct_tree_leaf(v->tree, first);
    if (leaf.level != OCT_LEVEL_OUTSIDE) {
        const int64_t edge = INT64_C(1) << leaf.level;
        if (last.x < leaf.x + edge && last.y < leaf.y + edge && last.z < leaf.z + edge) {
            for (int z = 0; z < WINDOW_LAYERS; z++) {
                window[z] = v->free >> leaf.label & 1u ? (UINT64_C(1) << 36) - 1u : 0;
            }
            return;
        }
    }
    look_whole(v, at, window);
}

// ---- the leaves of a page ----

static bool is_inside(const view *v, const oct_box *box)
{
    const oct_box common = box_common(*box, v->bounds);
    return box_equal(&common, box);
}

// Which groups of 2x2x2 cells of a brick are leaves: of level1 the first bit of every byte.
OCT_FORCE_INLINE uint8_t groups_of(brick cells)
{
    const uint64_t firsts = brick_divide(3, cells).level1 & group_first(8);
    return (uint8_t)(firsts * UINT64_C(0x0102040810204080) >> 56);
}

static uint8_t groups_one_by_one(const view *v, oct_vec at)
{
    uint32_t groups = 0;
    for (int32_t group = 0; group < 1 << v->dims; group++) {
        const oct_vec cell = {at.x + 2 * (group & 1), at.y + (group & 2), at.z + (group >> 1 & 2)};
        groups |= oct_view_leaf(v, cell).level == 1 ? 1u << group : 0u;
    }
    return (uint8_t)groups;
}

static void look_at_leaves(const view *v, map_page *page)
{
    const oct_vec at = {page->x, page->y, page->z};
    const rel place = tree_rel(v->tree, at);
    oct_box box = {at, {at.x + PAGE_EDGE, at.y + PAGE_EDGE, at.z + PAGE_EDGE}};
    if (v->dims == 3 && tree_holds(v->tree, 3, place)) {
        const node here = tree_descend(v->tree, 3, place, BRICK_LEVEL_3D);
        if (word_kind(here.word) == KIND_BRICK) {
            page->level = PAGE_DIVIDED;
            page->groups = groups_of(*tree_brick(v->tree, word_index(here.word)));
            page->is_cut = !is_inside(v, &box);
            return;
        }
    }
    const oct_leaf leaf = oct_view_leaf(v, at);
    page->level = leaf.level >= 2 ? leaf.level : PAGE_DIVIDED;
    if (leaf.level < 2) {
        page->groups = groups_one_by_one(v, at);
    } else if (leaf.level <= 24) {
        const int32_t edge = 1 << leaf.level;
        box = (oct_box){{leaf.x, leaf.y, leaf.z}, {leaf.x + edge, leaf.y + edge, leaf.z + edge}};
    } else {
        page->is_cut = true; // its box may leave the numbers
        return;
    }
    if (v->dims == 2) {
        box.min.z = 0;
        box.max.z = 1;
    }
    page->is_cut = !is_inside(v, &box);
}

// ---- the table ----

static void fill_moves(page_table *table)
{
    for (uint32_t cell = 0; cell < PAGE_CELLS; cell++) {
        for (uint32_t direction = 0; direction < 27; direction++) {
            // Coordinates counted from the page before, so that none is negative.
            const uint32_t x = (cell & 3u) + direction % 3 + 3;
            const uint32_t y = (cell >> 2 & 3u) + direction / 3 % 3 + 3;
            const uint32_t z = (cell >> 4) + direction / 9 + 3;
            const uint32_t link = x / 4 + 3 * (y / 4) + 9 * (z / 4);
            table->moves[cell][direction] =
                (uint16_t)(link * PAGE_CELLS + x % 4 + 4 * (y % 4) + 16 * (z % 4));
        }
    }
}

oct_result oct_pages_begin(page_table *table, const oct_allocator *allocator)
{
    OCT_TRY(oct_array_reserve(&table->pages, allocator, sizeof(map_page), 64));
    oct_key_table_clear(&table->places);
    table->pages.count = 1;
    memset(table->pages.items, 0, sizeof(map_page));
    if (table->moves[0][0] == 0) {
        fill_moves(table);
    }
    return OCT_OK;
}

void oct_pages_free(page_table *table, const oct_allocator *allocator)
{
    oct_array_free(&table->pages, allocator, sizeof(map_page));
    oct_key_table_free(&table->places, allocator);
}

size_t oct_pages_bytes(const page_table *table)
{
    return table->pages.capacity * sizeof(map_page) + oct_key_table_bytes(&table->places);
}

oct_result oct_pages_take(page_table *table, const oct_allocator *allocator, uint32_t *out)
{
    if (table->pages.count >= UINT32_MAX / PAGE_CELLS) {
        return OCT_ERROR_MEMORY;
    }
    if (table->pages.count == table->pages.capacity) {
        OCT_TRY(oct_array_grow(&table->pages, allocator, sizeof(map_page)));
    }
    *out = (uint32_t)table->pages.count++;
    memset(page_at(table, *out), 0, sizeof(map_page));
    return OCT_OK;
}

oct_result oct_pages_find(page_table *table, const oct_allocator *allocator, const view *v,
                          oct_vec cell, uint32_t *out)
{
    const lattice_key key = {cell.x & -PAGE_EDGE, cell.y & -PAGE_EDGE, cell.z & -PAGE_EDGE, 0};
    OCT_TRY(oct_key_table_reserve(&table->places, allocator, 1));
    key_slot *const slot = key_table_slot(&table->places, key);
    if (key_slot_is_used(&table->places, slot)) {
        *out = slot->value;
        return OCT_OK;
    }
    OCT_TRY(oct_pages_take(table, allocator, out));
    map_page *const page = page_at(table, *out);
    page->x = key.x;
    page->y = key.y;
    page->z = key.z;
    oct_pages_look(v, (oct_vec){key.x, key.y, key.z}, page->window);
    look_at_leaves(v, page);
    key_slot_fill(&table->places, slot, key, *out);
    return OCT_OK;
}

oct_result oct_pages_link(page_table *table, const oct_allocator *allocator, const view *v,
                          uint32_t page, uint32_t link, uint32_t *out)
{
    const map_page *const from = page_at(table, page);
    *out = from->links[link];
    if (*out) {
        return OCT_OK;
    }
    const oct_vec at = {from->x + ((int32_t)(link % 3) - 1) * PAGE_EDGE,
                        from->y + ((int32_t)(link / 3 % 3) - 1) * PAGE_EDGE,
                        from->z + ((int32_t)(link / 9) - 1) * PAGE_EDGE};
    OCT_TRY(oct_pages_find(table, allocator, v, at, out));
    page_at(table, page)->links[link] = *out;
    page_at(table, *out)->links[26 - link] = page;
    return OCT_OK;
}
