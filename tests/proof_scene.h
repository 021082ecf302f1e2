// SPDX-License-Identifier: MIT
// Small worlds as logs, and proofs of them, made slowly and without agents.
//
// Three rooms in a row along x: the first from 0 to 4, the second from 4.5 to 7.5, the third from 8
// to 11; 3 m wide, 2 m high. A doorway leads from each to the next. The first has a panel.
#ifndef OCTANT_PROOF_SCENE_H
#define OCTANT_PROOF_SCENE_H

#include "octant/proof_check.h"

#define SCENE_THINGS 64
#define SCENE_VERSIONS 256
#define SCENE_LOOKS 256
#define SCENE_CHANGES 4096
#define SCENE_ACTS 64
#define SCENE_DOORS 2
#define SCENE_BUTTONS 2
#define SCENE_PARTS 64
#define SCENE_LEAVES 40000
#define SCENE_STATES 64

enum { SCENE_PANEL_ID = 500, SCENE_DOOR_ID = 600, SCENE_TARGET_ID = 700 };

typedef struct proof_scene {
    // The world.
    oct_entity things[SCENE_THINGS];
    bool is_gone[SCENE_THINGS];
    uint32_t thing_count;
    uint32_t doors[SCENE_DOORS], door_count; // things
    uint32_t toggles[SCENE_BUTTONS];         // doors that a button moves, as bits
    // The log.
    uint64_t tick;
    uint32_t told[SCENE_THINGS]; // version + 1
    oct_entity versions[SCENE_VERSIONS];
    oct_log_look looks[SCENE_LOOKS];
    oct_log_change changes[SCENE_CHANGES];
    oct_log_act acts[SCENE_ACTS];
    oct_log_start starts[4];
    oct_run_log log;
    // The proof.
    oct_proof_leaf leaves[SCENE_LEAVES];
    oct_proof_part parts[SCENE_PARTS];
    oct_proof_door proof_doors[SCENE_DOORS];
    oct_proof_button buttons[SCENE_BUTTONS];
    uint32_t contacts[SCENE_PARTS];
    uint8_t effects[SCENE_DOORS * SCENE_BUTTONS];
    oct_proof_state states[SCENE_STATES];
    oct_proof proof;
    uint8_t links[SCENE_PARTS][SCENE_PARTS]; // which parts touch
} proof_scene;

// Which of the two doorways have doors; the others are walls.
proof_scene *proof_scene_create(uint32_t doors);
void proof_scene_destroy(proof_scene *s);
uint32_t proof_scene_add(proof_scene *s, uint64_t id, oct_entity_kind kind, oct_bounds box);
void proof_scene_look(proof_scene *s, oct_point centre);
// From several places of the first room, or of the second.
void proof_scene_look_around(proof_scene *s, int room);
void proof_scene_press(proof_scene *s, uint32_t button);
void proof_scene_wait(proof_scene *s, uint64_t ticks);
void proof_scene_open(proof_scene *s, uint32_t door, double opening);

// A cut, with some doors free; effects are what the equations of truth say: NOTHING or TOGGLE.
void proof_scene_prove_cut(proof_scene *s, uint32_t free_doors, bool is_known);
void proof_scene_prove_states(proof_scene *s, bool is_linear);
// What both buttons do to all doors, as it is in truth.
void proof_scene_prove_links(proof_scene *s, bool is_linear);

// "" where it is accepted.
const char *proof_scene_check(const proof_scene *s, oct_proof_verdict *verdict);
void proof_scene_accepts(const proof_scene *s);
// Rejected for a reason that has this text. Destroys the scene.
void proof_scene_rejects(proof_scene *s, const char *expected, int line);
#define REJECTS(scene, expected) proof_scene_rejects((scene), (expected), __LINE__)

#endif
