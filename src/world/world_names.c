// SPDX-License-Identifier: MIT
// Names that somebody wrote who knows the world.
#include "world/world_names.h"

#include "base/words.h"
#include "world/world_internal.h"

// ---- whether ----

bool oct_world_has_name(const oct_world *world, const char *name)
{
    const oct_world_block *const blocks = world->blocks.items;
    for (size_t i = 0; i < world->blocks.count; i++) {
        if (strcmp(blocks[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

// Calls `is` with the name of each type that there is a block of, or that is in the toolbar, until
// it returns true.
typedef bool type_fn(void *ctx, const char *type);

static bool each_type(const oct_world *world, type_fn *is, void *ctx)
{
    const oct_world_type *const types = world->types.items;
    const oct_world_block *const blocks = world->blocks.items;
    uint32_t last = UINT32_MAX; // neighbours mostly share their type
    for (size_t i = 0; i < world->blocks.count; i++) {
        if (blocks[i].type != last && is(ctx, types[blocks[i].type].name)) {
            return true;
        }
        last = blocks[i].type;
    }
    for (uint32_t i = 0; i < OCT_TOOLBAR_PAGES * OCT_TOOLBAR_SLOTS; i++) {
        const oct_item item = world->items[i / OCT_TOOLBAR_SLOTS][i % OCT_TOOLBAR_SLOTS];
        if (item.kind == OCT_ITEM_BLOCK && is(ctx, types[item.type].name)) {
            return true;
        }
    }
    return false;
}

static bool is_type(void *ctx, const char *type)
{
    const char *const *const words = ctx;
    return oct_world_type_is(type, *words);
}

bool oct_world_has_type(const oct_world *world, const char *words)
{
    return each_type(world, is_type, &words);
}

// ---- which ----

typedef struct nearest {
    char wanted[OCT_WORDS_DISTANCE_MAX]; // in lower case
    size_t distance;                     // that the next one must be below
    const char *name;
} nearest;

// Into `out`, in lower case; false where it is too long to be compared.
static bool lower(const char *name, char out[OCT_WORDS_DISTANCE_MAX])
{
    size_t i = 0;
    for (; name[i] && i < OCT_WORDS_DISTANCE_MAX - 1; i++) {
        out[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
    }
    out[i] = '\0';
    return name[i] == '\0';
}

static bool begin_nearest(const char *wanted, nearest *n)
{
    if (!lower(wanted, n->wanted)) {
        return false;
    }
    n->name = NULL;
    n->distance = 1 + oct_words_mistakes(wanted);
    return true;
}

// What would have to be changed in every letter is not near.
static void try_name(nearest *n, const char *name)
{
    char own[OCT_WORDS_DISTANCE_MAX];
    if (!name[0] || !lower(name, own)) {
        return;
    }
    const size_t a = strlen(own), b = strlen(n->wanted);
    if ((a > b ? a - b : b - a) >= n->distance) {
        return;
    }
    const size_t distance = oct_words_distance(n->wanted, own);
    if (distance < n->distance && distance < a && distance < b) {
        n->distance = distance;
        n->name = name;
    }
}

const char *oct_world_nearest_name(const oct_world *world, const char *name)
{
    const oct_world_block *const blocks = world->blocks.items;
    nearest n;
    if (!begin_nearest(name, &n)) {
        return NULL;
    }
    for (size_t i = 0; i < world->blocks.count && n.distance > 0; i++) {
        try_name(&n, blocks[i].name);
    }
    return n.name;
}

// A type and a subtype are also called by either of the two.
static bool try_type(void *ctx, const char *type)
{
    const char *const slash = strchr(type, '/');
    try_name(ctx, type);
    if (slash) {
        try_name(ctx, slash + 1);
    }
    return false;
}

const char *oct_world_nearest_type(const oct_world *world, const char *words)
{
    nearest n;
    if (!begin_nearest(words, &n)) {
        return NULL;
    }
    (void)each_type(world, try_type, &n);
    return n.name;
}
