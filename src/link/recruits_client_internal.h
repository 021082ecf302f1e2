// SPDX-License-Identifier: MIT
// What the files of the client of Lab Recruits share.
#ifndef OCTANT_LINK_RECRUITS_CLIENT_INTERNAL_H
#define OCTANT_LINK_RECRUITS_CLIENT_INTERNAL_H

#include "link/link_read.h"
#include "link/link_write.h"
#include "link/recruits_client.h"

// Bytes of an exchange that a trouble quotes.
#define RECRUITS_QUOTE 300

struct recruits_client {
    oct_allocator allocator;
    recruits_client_def def;
    link_lines lines;
    oct_array request; // uint8_t
    link_reader in;
    oct_arena level, scratch; // of the mesh; of the last view
    size_t vertices;          // of the mesh
    uint64_t begin_ns;        // when the level began
    uint64_t commands;        // since then
    bool is_broken;
    char asked[RECRUITS_QUOTE + 4], answered[RECRUITS_QUOTE + 4];
    char trouble[2 * RECRUITS_QUOTE + 600];
};

// The link has failed: says why. The value is OCT_ERROR_LINK.
OCT_FORMAT(2, 3)
oct_result oct_recruits_client_fail(recruits_client *c, const char *format, ...);
// What became of reading an answer: a refusal ends the link.
oct_result oct_recruits_client_judge(recruits_client *c, oct_result result);

// ---- recruits_client_read.c ----

oct_result oct_recruits_read_mesh(recruits_client *c, const json_t *answer,
                                  recruits_link_mesh *out);
oct_result oct_recruits_read_view(recruits_client *c, const json_t *answer, recruits_view *out);

#endif
