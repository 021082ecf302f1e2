// SPDX-License-Identifier: MIT
// The frontier: its life, how it follows a map, and whether a cell is of it.
#include "explore/frontier_internal.h"
#include "octant/tree.h"

#define FRONTIER_COOKIE 0x0c7af207u
#define CHANGES_AT_ONCE 16

// ---- life ----

oct_frontier_def oct_frontier_def_default(void)
{
    return (oct_frontier_def){.cookie = FRONTIER_COOKIE};
}

oct_result oct_frontier_create(const oct_frontier_def *def, oct_frontier **out)
{
    *out = NULL;
    if (def->cookie != FRONTIER_COOKIE || !def->map) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_frontier *f = oct_alloc(&allocator, sizeof *f, _Alignof(oct_frontier));
    if (!f) {
        return OCT_ERROR_MEMORY;
    }
    *f = (oct_frontier){
        .allocator = allocator,
        .tree = oct_map_tree(def->map),
        .dims = (int)oct_tree_dims(oct_map_tree(def->map)),
        .is_bounded = def->bounds != NULL,
        .bounds = def->bounds ? *def->bounds : (oct_box){{0, 0, 0}, {0, 0, 0}},
        .stamp = 1,
        .stamps = 1,
    };
    oct_front_place(f, brick_level(f->dims), (corner){0, 0, 0});
    const oct_result result = oct_frontier_update(f);
    if (result != OCT_OK) {
        oct_frontier_destroy(f);
        return result;
    }
    *out = f;
    return OCT_OK;
}

void oct_frontier_destroy(oct_frontier *f)
{
    if (!f) {
        return;
    }
    const oct_allocator allocator = f->allocator;
    oct_array_free(&f->blocks.items, &allocator, front_block_words(f->dims) * sizeof(uint32_t));
    oct_array_free(&f->bricks.items, &allocator, sizeof(front_brick));
    oct_array_free(&f->skips, &allocator, sizeof(front_skip));
    oct_free(&allocator, f, sizeof *f);
}

uint64_t oct_frontier_revision(const oct_frontier *f)
{
    return f->revision;
}

uint64_t oct_frontier_count(const oct_frontier *f)
{
    return f->count;
}

size_t oct_frontier_bytes(const oct_frontier *f)
{
    return sizeof *f + f->blocks.items.capacity * front_block_words(f->dims) * sizeof(uint32_t) +
           f->bricks.items.capacity * sizeof(front_brick) + f->skips.capacity * sizeof(front_skip);
}

bool oct_frontier_has(const oct_frontier *f, oct_vec cell)
{
    const rel at = front_rel(f, cell);
    if (f->is_outside || !span_holds(&f->inside, at)) {
        return false;
    }
    uint32_t word = f->root;
    int level = f->root_level;
    for (; front_kind(word) == FRONT_INNER; level--) {
        word = front_block(f, f->dims, front_value(word))[child_at(f->dims, level, at)];
    }
    if (front_kind(word) == FRONT_BRICK) {
        return front_brick_at(f, front_value(word))->cells >>
                   morton_index(f->dims, at.x, at.y, at.z) &
               1u;
    }
    if (front_kind(word) == FRONT_NONE) {
        return false;
    }
    const uint32_t last = (uint32_t)((UINT64_C(1) << level) - 1u), faces = front_value(word);
    const uint32_t axes[3] = {at.x & last, at.y & last, at.z & last};
    bool has = false;
    for (uint32_t axis = 0; axis < (uint32_t)f->dims; axis++) {
        has |= (faces >> (2u * axis) & 1u && axes[axis] == 0) ||
               (faces >> (2u * axis + 1u) & 1u && axes[axis] == last);
    }
    return has;
}

// ---- following ----

// Looks at everything.
static oct_result rebuild(oct_frontier *f)
{
    f->kept = 0;
    OCT_TRY(oct_front_clear(f));
    oct_front_place(f, f->tree->root_level, f->tree->root_min);
    const span all = f->inside;
    return f->is_outside ? OCT_OK : oct_front_look(f, &all);
}

// Whether a change can have changed any label.
static bool change_counts(const oct_change *change)
{
    const oct_labels labels = change->before | change->after;
    return (labels & (labels - 1u)) != 0;
}

static oct_result follow_change(oct_frontier *f, const oct_change *change)
{
    if (!change_counts(change)) {
        return OCT_OK;
    }
    f->kept = 0;
    span box;
    return oct_front_clip(f, &change->box, 1, &box) ? oct_front_look(f, &box) : OCT_OK;
}

static bool is_fitted(const oct_frontier *f)
{
    const corner a = f->root_min, b = f->tree->root_min;
    return f->root_level == f->tree->root_level && a.x == b.x && a.y == b.y && a.z == b.z;
}

// LOST where it is better to begin anew.
static oct_result follow(oct_frontier *f)
{
    f->kept = is_fitted(f) ? f->kept : 0;
    OCT_TRY(oct_front_fit(f, f->tree->root_level, f->tree->root_min));
    uint64_t revision = f->revision;
    oct_change changes[CHANGES_AT_ONCE];
    size_t count;
    do {
        OCT_TRY(oct_tree_changes(f->tree, revision, changes, CHANGES_AT_ONCE, &count));
        for (size_t i = 0; i < count; i++) {
            OCT_TRY(follow_change(f, &changes[i]));
        }
        revision += count;
    } while (count == CHANGES_AT_ONCE);
    return OCT_OK;
}

oct_result oct_frontier_update(oct_frontier *f)
{
    const uint64_t revision = oct_tree_revision(f->tree);
    oct_front_select_all(f);
    if (f->known && f->revision == revision) {
        return OCT_OK;
    }
    oct_result result = f->known ? follow(f) : OCT_ERROR_LOST;
    if (result == OCT_ERROR_LOST) {
        result = rebuild(f);
    }
    if (result == OCT_OK && f->skips_lost) {
        result = oct_front_skip_again(f);
    }
    f->known = result == OCT_OK;
    f->revision = f->known ? revision : f->revision;
    if (!f->known) {
        f->root = FRONT_NONE;
        f->count = 0;
    }
    return result;
}
