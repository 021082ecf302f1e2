// SPDX-License-Identifier: MIT
// Several edits of a map as one: one change in the journal, and all or nothing. What was done is
// undone in the opposite order, through the same states, and each edit of a group has left the
// memory for that behind. So undoing asks for none.
#include "map/map.h"

oct_result oct_map_begin_edits(oct_map *map, size_t most)
{
    OCT_TRY(oct_array_reserve(&map->undo, &map->allocator, sizeof(undo), most));
    map->undo.count = 0;
    oct_journal_open(&map->tree->journal);
    return OCT_OK;
}

static oct_result note(oct_map *map, oct_result result, undo u)
{
    if (result == OCT_OK) {
        OCT_ASSERT(map->undo.count < map->undo.capacity);
        ((undo *)map->undo.items)[map->undo.count++] = u;
    } else {
        oct_thing_shape_drop(u.shape, &map->allocator);
    }
    return result;
}

static undo before(const oct_map *map, enum map_edit edit, uint32_t slot)
{
    return (undo){edit, oct_things_get(&map->things, slot),
                  oct_thing_shape_keep(oct_things_shape(&map->things, slot))};
}

oct_result oct_map_group_insert(oct_map *map, const oct_thing *from, thing_shape *shape)
{
    return note(map, oct_map_insert_as(map, from, shape), (undo){UNDO_INSERT, *from, NULL});
}

oct_result oct_map_group_replace(oct_map *map, uint32_t slot, const oct_thing *from,
                                 thing_shape *shape)
{
    const undo u = before(map, UNDO_REPLACE, slot);
    return note(map, oct_map_replace_as(map, slot, from, shape), u);
}

oct_result oct_map_group_erase(oct_map *map, uint32_t slot)
{
    const undo u = before(map, UNDO_ERASE, slot);
    return note(map, oct_map_erase(map, slot), u);
}

static void put_back(oct_map *map, const undo *u)
{
    const uint32_t slot = oct_things_find(&map->things, u->thing.id);
    const oct_result result = u->edit == UNDO_INSERT ? oct_map_erase(map, slot)
                              : u->edit == UNDO_REPLACE
                                  ? oct_map_replace_as(map, slot, &u->thing, u->shape)
                                  : oct_map_insert_as(map, &u->thing, u->shape);
    OCT_ASSERT(result == OCT_OK);
    (void)result;
}

oct_result oct_map_end_edits(oct_map *map, oct_result result)
{
    journal *j = &map->tree->journal;
    if (result != OCT_OK) {
        j->undoing = true;
        for (size_t i = map->undo.count; i > 0; i--) {
            put_back(map, (const undo *)map->undo.items + i - 1);
        }
        j->undoing = false;
    }
    for (size_t i = 0; i < map->undo.count && map->things.shapes.count > 0; i++) {
        oct_thing_shape_drop(((const undo *)map->undo.items)[i].shape, &map->allocator);
    }
    map->undo.count = result == OCT_OK ? map->undo.count : 0;
    oct_journal_close(j, result != OCT_OK);
    return result;
}
