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
    }
    return result;
}

oct_result oct_map_group_insert(oct_map *map, const oct_thing *from)
{
    return note(map, oct_map_insert(map, from), (undo){UNDO_INSERT, *from});
}

oct_result oct_map_group_replace(oct_map *map, uint32_t slot, const oct_thing *from)
{
    const oct_thing before = oct_things_get(&map->things, slot);
    return note(map, oct_map_replace(map, slot, from), (undo){UNDO_REPLACE, before});
}

oct_result oct_map_group_erase(oct_map *map, uint32_t slot)
{
    const oct_thing before = oct_things_get(&map->things, slot);
    return note(map, oct_map_erase(map, slot), (undo){UNDO_ERASE, before});
}

static void put_back(oct_map *map, const undo *u)
{
    const uint32_t slot = oct_things_find(&map->things, u->thing.id);
    const oct_result result = u->edit == UNDO_INSERT    ? oct_map_erase(map, slot)
                              : u->edit == UNDO_REPLACE ? oct_map_replace(map, slot, &u->thing)
                                                        : oct_map_insert(map, &u->thing);
    OCT_ASSERT(result == OCT_OK);
    (void)result;
}

oct_result oct_map_end_edits(oct_map *map, oct_result result)
{
    journal *j = &map->tree->journal;
    if (result != OCT_OK) {
        j->undoing = true;
        while (map->undo.count > 0) {
            put_back(map, (const undo *)map->undo.items + --map->undo.count);
        }
        j->undoing = false;
    }
    oct_journal_close(j, result != OCT_OK);
    return result;
}
