// SPDX-License-Identifier: MIT
// A save of Space Engineers between its file (world_sbs.c) and a world (save.c): what was gathered,
// and what is being read.
//
// What a grid is may stand behind its blocks, and groups name cells whose blocks stand anywhere: so
// blocks, wires and members wait for the end of their grid.
#ifndef OCTANT_SAVE_H
#define OCTANT_SAVE_H

#include "files/world_findings.h"
#include "files/world_sbs.h"
#include "files/xml_reader.h"

#define SAVE_NOBODY UINT32_MAX

typedef struct save_block {
    uint64_t id;      // 0 = it has none
    const char *name; // "" where it has none
    double damage, delay;
    xml_place place; // in the file
    oct_vec cell;
    uint32_t type;
    uint8_t forward, up, label;
} save_block;

typedef struct save_wire {
    uint64_t to;
    const char *group;
    uint32_t block; // that it leads from, of the grid
    uint32_t slot;
    uint32_t line; // in the file
    uint8_t action;
} save_wire;

// A block of a group.
typedef struct save_member {
    oct_vec cell;
    uint32_t order; // in the file
    uint32_t block; // SAVE_NOBODY where none stands there
    uint32_t line;
    const char *group;
} save_member;

struct save_reader {
    oct_allocator allocator;
    oct_world_extras extras;
    xml_reader *xml;
    oct_world *world;
    world_findings *findings; // NULL = nobody wants to know lines
    uint32_t voxels;          // maps of terrain that were passed over
    uint32_t homeless;        // members without a block

    // Of the grid that is being read, or of the character.
    uint32_t has; // what was said
    oct_world_grid grid;
    oct_pose pose;
    char grid_name[XML_LEAF_MAX + 1];
    oct_array blocks;  // save_block
    oct_array wires;   // save_wire
    oct_array members; // save_member
    oct_arena texts;   // that they point to

    // Of the block.
    save_block block;
    char type[OCT_WORLD_NAME_MAX + 1], subtype[XML_LEAF_MAX + 1], name[XML_LEAF_MAX + 1];
    oct_kind kind;
    size_t block_wire; // the first of its wires
    save_wire wire;
    char wire_group[XML_LEAF_MAX + 1];
    bool has_slot, has_item;

    // Of the group.
    char group[XML_LEAF_MAX + 1];
    size_t group_member; // its first
    int32_t cell[3];
};

// Adds the grid that was read, and what stands on it, to the world; forgets it. What fails is
// refused through the reader.
void oct_save_add_grid(save_reader *save);

// Says what was left out or not known.
void oct_save_warn(const save_reader *save);

#endif
