// SPDX-License-Identifier: MIT
// Pages: what a search on the lattice knows of 4x4x4 cells, made as it meets them.
//
// A page knows which of its cells and of those around it are free, as 6x6x6 bits, which leaves its
// cells belong to, and its neighbour pages once it was asked for them. So a look at the tree serves
// 64 nodes; what is around a cell or a lattice point is a few operations on bits; and nodes need no
// hashing inside a page: their ids are page * 64 + x + 4 y + 16 z.
// At two dimensions a page is 4x4 cells, and has one layer.
#ifndef OCTANT_PAGES_H
#define OCTANT_PAGES_H

#include "base/key_table.h"
#include "search/graph_internal.h"

#define PAGE_EDGE 4
#define PAGE_CELLS 64u
#define WINDOW_LAYERS 6
// Links by dx + 1 + 3 (dy + 1) + 9 (dz + 1).
#define PAGE_SELF 13u

typedef struct map_page {
    uint64_t window[WINDOW_LAYERS]; // of layers z - 1 to z + 4: bit 6 (y + 1) + x + 1
    int32_t x, y, z;                // smallest cell
    uint32_t links[27];             // pages around; 0 = ask
    uint8_t level;                  // of the leaf that holds it all; PAGE_DIVIDED where none does
    uint8_t groups; // divided: which groups of 2x2x2 cells, by x + 2 y + 4 z, are leaves
    uint8_t is_cut; // leaves may reach out of the bounds
    uint8_t mark;   // the graph's
    uint32_t unused[5];
} map_page;
_Static_assert(sizeof(map_page) == 3 * OCT_CACHE_LINE, "three cache lines");

#define PAGE_DIVIDED 0xffu

// All zero is an empty table. Page 0 is never a part of the map.
typedef struct page_table {
    oct_array pages;  // of map_page
    key_table places; // of pages
    // Where a step leads: link * 64 + cell in that page, by cell and direction.
    uint16_t moves[PAGE_CELLS][27];
} page_table;

oct_result oct_pages_begin(page_table *table, const oct_allocator *allocator);
void oct_pages_free(page_table *table, const oct_allocator *allocator);
size_t oct_pages_bytes(const page_table *table);

// The page that holds a cell, which is made where it is not there yet; pages move.
oct_result oct_pages_find(page_table *table, const oct_allocator *allocator, const view *v,
                          oct_vec cell, uint32_t *out);

// The page beside a page, likewise.
oct_result oct_pages_link(page_table *table, const oct_allocator *allocator, const view *v,
                          uint32_t page, uint32_t link, uint32_t *out);

// A page that is no part of the map: ids for a graph's own use.
oct_result oct_pages_take(page_table *table, const oct_allocator *allocator, uint32_t *out);

// Which cells are free in and around the page at `at`.
void oct_pages_look(const view *v, oct_vec at, uint64_t window[WINDOW_LAYERS]);

OCT_FORCE_INLINE map_page *page_at(const page_table *table, uint32_t page)
{
    return (map_page *)table->pages.items + page;
}

// Where a cell is in its page.
OCT_FORCE_INLINE uint32_t page_cell(oct_vec cell)
{
    return ((uint32_t)cell.x & 3u) | ((uint32_t)cell.y & 3u) << 2 | ((uint32_t)cell.z & 3u) << 4;
}

// The level of the leaf that a page's cell belongs to.
OCT_FORCE_INLINE int page_leaf_level(const map_page *page, uint32_t cell)
{
    const uint32_t group = (cell >> 1 & 1u) | (cell >> 2 & 2u) | (cell >> 3 & 4u);
    return page->level != PAGE_DIVIDED ? page->level : (int)(page->groups >> group & 1u);
}

// The free octants of the lattice point at the lower corner of a page's cell.
OCT_FORCE_INLINE uint32_t page_octants(int dims, const map_page *page, uint32_t cell)
{
    const uint64_t *const layers = &page->window[cell >> 4];
    const uint32_t shift = 6u * (cell >> 2 & 3u) + (cell & 3u);
    const uint32_t low = (uint32_t)(layers[dims == 3 ? 0 : 1] >> shift);
    const uint32_t high = (uint32_t)(layers[1] >> shift);
    const uint32_t flat = (low & 3u) | (low >> 4 & 12u);
    return flat | ((high & 3u) | (high >> 4 & 12u)) << 4;
}

#endif
