// SPDX-License-Identifier: MIT
// What Space Engineers calls things and what they are in a world: one mapping for its saves (.sbs)
// and for worlds that were extracted from saves to JSON.
#ifndef OCTANT_ENGINEERS_H
#define OCTANT_ENGINEERS_H

#include "octant/world.h"

// The edge of a large block, which doors and corridors are wide, metres.
#define ENGINEERS_PASSAGE 2.5

// The edge of a cell of a grid whose size is "Large" or "Small"; false for another word.
bool oct_engineers_cell(const char *word, double *edge);

// "Forward", "Backward", "Left", "Right", "Up", "Down"; false for another word.
bool oct_engineers_side(const char *word, uint8_t *side);

// What an action of a toolbar does; OCT_WIRE_OTHER for all that worlds do not know.
oct_wire_action oct_engineers_action(const char *word);

// Decimal digits, maybe behind a minus: the game's ids are signed.
bool oct_engineers_id(const char *text, uint64_t *id);

// The type of blocks of a type ("ButtonPanel", without "MyObjectBuilder_") and a subtype, of one
// cell: what it hides, what it does. Its name, "type/subtype", is written to `name`; false where
// that is longer than a world takes.
bool oct_engineers_type(const char *type, const char *subtype, char name[OCT_WORLD_NAME_MAX + 1],
                        oct_world_type *out);

// Armour has no id and no name in the game: its name is "GRID/x,y,z", its id oct_world_cell_id.
#define ENGINEERS_CELL_NAME 64
void oct_engineers_cell_name(uint64_t grid_id, oct_vec cell, char name[ENGINEERS_CELL_NAME]);

#endif
