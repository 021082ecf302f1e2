// SPDX-License-Identifier: MIT
// What the oracle searches: the places of a level that matter, how long it takes from one to the
// other, and which doors, timers and buttons count.
#ifndef OCTANT_TESTS_LEVEL_MODEL_H
#define OCTANT_TESTS_LEVEL_MODEL_H

#include "level_oracle.h"

enum { NODES_MAX = 600, NEVER = 255 };

typedef enum node_kind { NODE_START, NODE_SIDE, NODE_DOORWAY, NODE_PANEL, NODE_TARGET } node_kind;

typedef struct node {
    node_kind kind;
    uint32_t which; // door or panel
    int group;      // regions that are one, since doors that do not count are open
    oct_point at;
    oct_bounds box;
    double slack; // how far from the box the body's centre may be
} node;

typedef struct model {
    const level_space *space;
    const level_scene *scene;
    const bool *counts;              // doors
    bool timer_counts[SCENE_TIMERS]; // timers that do something to doors that count
    int *group;                      // of each region
    node node[NODES_MAX];
    uint32_t nodes, agents;
    uint8_t *travel; // quanta from node to node; NEVER
    bool *presses;   // nodes x panels
    bool *is_target; // groups
    uint8_t *ahead;  // doors between a group and the target
    double quantum;
    uint32_t pose_max;
    size_t bytes; // of a state
} model;

// Doors that do not count are open for good; timers and buttons that do nothing to the other doors
// are left out. Borrows all that it is given.
model *level_model_make(const level_space *space, const oct_point *starts, uint32_t agents,
                        const bool *counts);
void level_model_free(model *m);

// Joins the regions on the sides of doors that do not count: all that a relaxed model needs.
void level_model_join(model *m);

// Whether a wire, or anything of a button, does something that counts.
bool level_model_wire_counts(const model *m, const scene_wire *w);
bool level_model_button_counts(const model *m, uint32_t panel, uint32_t slot);

// Whether a panel can be pressed from somewhere in a doorway.
bool level_presses_in_doorway(const level_space *p, uint32_t panel, uint32_t door);

#endif
