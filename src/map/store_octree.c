// SPDX-License-Identifier: MIT
// The octree as what holds a map's cells. Most edits are the tree's own; only where things hide
// something do they go through edit_layers.c.
#include "map/store.h"
#include "octree/layers.h"

typedef struct octree_store {
    oct_tree *tree;
    oct_allocator allocator;
    oct_array covers;  // of thing_cover: those that an edit has to know of
    oct_array scratch; // of edit_layers.c
    uint32_t unknown;  // things that are UNKNOWN
    bool statics;      // there may be static geometry
} octree_store;

oct_result oct_store_octree_create(const oct_map_def *def, const oct_allocator *allocator,
                                   growth_meter *meter, void **out)
{
    octree_store *store = oct_alloc(allocator, sizeof *store, _Alignof(octree_store));
    if (!store) {
        return OCT_ERROR_MEMORY;
    }
    *store = (octree_store){.allocator = *allocator};
    oct_tree_def tree = oct_tree_def_default();
    tree.cell_size = def->cell_size;
    tree.origin = def->origin;
    tree.dims = def->dims;
    tree.journal = def->journal;
    tree.allocator = allocator;
    const oct_result result = oct_tree_create(&tree, &store->tree);
    if (result != OCT_OK) {
        oct_free(allocator, store, sizeof *store);
        return result;
    }
    store->tree->meter = meter;
    *out = store;
    return OCT_OK;
}

static void destroy(void *self)
{
    octree_store *store = self;
    const oct_allocator allocator = store->allocator;
    oct_tree_destroy(store->tree);
    oct_array_free(&store->covers, &allocator, sizeof(thing_cover));
    oct_array_free(&store->scratch, &allocator, 1);
    oct_free(&allocator, store, sizeof *store);
}

// ---- which things an edit has to know of ----

typedef struct gather {
    octree_store *store;
    const thing_index *things;
    bool unknown_only;
    oct_result result;
} gather;

static bool gather_cover(void *ctx, uint32_t slot, const oct_box *cells)
{
    gather *g = ctx;
    const thing_cover c = {*cells, (oct_label)oct_things_at(g->things, slot)->label};
    if (c.label == OCT_UNKNOWN || (c.label == OCT_BLOCKED && !g->unknown_only)) {
        g->result = oct_array_push(&g->store->covers, &g->store->allocator, sizeof c, &c);
    }
    return g->result == OCT_OK;
}

static oct_result gather_in(octree_store *store, const thing_index *things, const oct_box *cells,
                            bool unknown_only)
{
    gather g = {store, things, unknown_only, OCT_OK};
    oct_things_in(things, cells, gather_cover, &g);
    return g.result;
}

// ---- edits ----

static oct_result mark(void *self, const thing_index *others, const region *cells, oct_mark m)
{
    octree_store *store = self;
    const oct_box everywhere = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE},
                                {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    const bool observes = !mark_changes_static(m);
    store->covers.count = 0;
    if (!observes || store->unknown > 0) {
        const oct_box *box = cells->kind == REGION_OUTSIDE ? &everywhere : &cells->box;
        OCT_TRY(gather_in(store, others, box, observes));
    }
    const layered_edit what = {.cells = cells,
                               .mark = m,
                               .others = store->covers.items,
                               .other_count = store->covers.count,
                               .statics = store->statics};
    OCT_TRY(store->covers.count > 0 ? oct_tree_edit_layers(store->tree, &what, &store->scratch)
                                    : oct_tree_set_region(store->tree, cells, m));
    store->statics |= (rules[m].set & STATE_BLOCKED) != 0;
    return OCT_OK;
}

// To undo the coming of a thing, the things that cover the same cells have to be known.
static oct_result prepare_undo(octree_store *store, const thing_index *others, const oct_box *cells)
{
    store->covers.count = 0;
    OCT_TRY(gather_in(store, others, cells, false));
    return oct_layers_reserve(store->tree, store->covers.count + 2u, &store->scratch);
}

static oct_result change(octree_store *store, const thing_index *others, const thing_cover *was,
                         const thing_cover *now)
{
    // Without static geometry and UNKNOWN things nothing can be hidden.
    const bool plain = !store->statics && store->unknown == 0;
    if (plain && !was && now->label == OCT_BLOCKED && oct_layers_has_room(store->tree, &now->box)) {
        if (store->tree->journal.open) {
            OCT_TRY(prepare_undo(store, others, &now->box));
        }
        return oct_tree_set_box(store->tree, now->box, OCT_MARK_SOLID);
    }
    store->covers.count = 0;
    if (was) {
        OCT_TRY(gather_in(store, others, &was->box, false));
    }
    // Those of `now` are needed to take it back, too.
    if (now && (!plain || now->label != OCT_BLOCKED || store->tree->journal.open)) {
        OCT_TRY(gather_in(store, others, &now->box, false));
    }
    const layered_edit what = {.was = was,
                               .now = now,
                               .others = store->covers.items,
                               .other_count = store->covers.count,
                               .statics = store->statics};
    return oct_tree_edit_layers(store->tree, &what, &store->scratch);
}

static oct_result cover_changes(void *self, const thing_index *others, const thing_cover *was,
                                const thing_cover *now)
{
    octree_store *store = self;
    OCT_TRY(change(store, others, was, now));
    store->unknown += now && now->label == OCT_UNKNOWN;
    store->unknown -= was && was->label == OCT_UNKNOWN;
    return OCT_OK;
}

// ---- questions ----

static const oct_tree *tree_of(const void *self)
{
    return ((const octree_store *)self)->tree;
}

const oct_tree *oct_store_octree_tree(const void *self)
{
    return tree_of(self);
}

static oct_label label(const void *self, oct_vec cell)
{
    return oct_tree_label(tree_of(self), cell);
}

static oct_leaf leaf(const void *self, oct_vec cell)
{
    return oct_tree_leaf(tree_of(self), cell);
}

static oct_labels labels_in(const void *self, oct_box box)
{
    return oct_tree_labels_in(tree_of(self), box);
}

static oct_result count(const void *self, oct_box box, uint64_t counts[3])
{
    return oct_tree_count(tree_of(self), box, counts);
}

static oct_box extent(const void *self, oct_labels labels)
{
    return oct_tree_extent(tree_of(self), labels);
}

static bool leaves(const void *self, oct_box box, oct_labels labels, oct_leaf_fn *visit, void *ctx)
{
    return oct_tree_leaves(tree_of(self), box, labels, visit, ctx);
}

static size_t neighbours(const void *self, oct_leaf from, uint32_t directions, oct_labels labels,
                         oct_leaf *out, size_t capacity)
{
    return oct_tree_neighbours(tree_of(self), from, directions, labels, out, capacity);
}

static journal *journal_of(void *self)
{
    return &((octree_store *)self)->tree->journal;
}

static size_t bytes(const void *self)
{
    return oct_tree_bytes(tree_of(self));
}

static oct_result shrink(void *self)
{
    octree_store *store = self;
    oct_array_free(&store->covers, &store->allocator, sizeof(thing_cover));
    oct_array_free(&store->scratch, &store->allocator, 1);
    return oct_tree_shrink(store->tree);
}

// What things hide lies under things, and nothing is hidden without them.
typedef struct check {
    const thing_index *things;
    bool valid;
} check;

static bool covers_cell(void *ctx, uint32_t slot, const oct_box *cells)
{
    (void)cells;
    const check *c = ctx;
    return oct_things_at(c->things, slot)->label == OCT_OPEN; // stop at the first that covers
}

static bool hidden_is_covered(void *ctx, const oct_leaf *at)
{
    check *c = ctx;
    const oct_box box = oct_leaf_box(*at);
    for (int32_t z = box.min.z; z < box.max.z && c->valid; z++) {
        for (int32_t y = box.min.y; y < box.max.y && c->valid; y++) {
            for (int32_t x = box.min.x; x < box.max.x && c->valid; x++) {
                const oct_box cell = {{x, y, z}, {x + 1, y + 1, z + 1}};
                c->valid = !oct_things_in(c->things, &cell, covers_cell, ctx);
            }
        }
    }
    return c->valid;
}

static bool is_valid(const void *self, const thing_index *things)
{
    const octree_store *store = self;
    if (!oct_tree_is_valid(store->tree)) {
        return false;
    }
    oct_tree under = *store->tree; // a view: never written, never freed
    under.root = store->tree->under;
    check c = {things, true};
    const oct_box everywhere = {{INT32_MIN, INT32_MIN, INT32_MIN},
                                {INT32_MAX, INT32_MAX, INT32_MAX}};
    oct_tree_leaves(&under, everywhere, OCT_HAS_OPEN | OCT_HAS_BLOCKED, hidden_is_covered, &c);
    return c.valid;
}

const store_ops oct_store_octree_ops = {
    .destroy = destroy,
    .mark = mark,
    .cover = cover_changes,
    .label = label,
    .leaf = leaf,
    .labels_in = labels_in,
    .count = count,
    .extent = extent,
    .leaves = leaves,
    .neighbours = neighbours,
    .journal = journal_of,
    .bytes = bytes,
    .shrink = shrink,
    .is_valid = is_valid,
};
