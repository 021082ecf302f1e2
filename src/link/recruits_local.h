// SPDX-License-Identifier: MIT
// A client and a server of Lab Recruits in one process, without a socket: a level is played over
// the protocol, each command lets three ticks pass, and every run is the same.
#ifndef OCTANT_LINK_RECRUITS_LOCAL_H
#define OCTANT_LINK_RECRUITS_LOCAL_H

#include "link/recruits_client.h"
#include "octant/recruits_level.h"

typedef struct recruits_local recruits_local;

// `load` reads the level, for each INIT anew.
oct_result oct_recruits_local_create(oct_result (*load)(void *ctx, oct_recruits_level **out),
                                     void *ctx, const oct_allocator *allocator,
                                     recruits_local **out);
recruits_client *oct_recruits_local_client(recruits_local *local);
void oct_recruits_local_destroy(recruits_local *local);

#endif
