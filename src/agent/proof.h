// SPDX-License-Identifier: MIT
// Proofs: their memory.
#ifndef OCTANT_AGENT_PROOF_H
#define OCTANT_AGENT_PROOF_H

#include "octant/proof.h"

// A proof with copies of all that another one holds, who need not own its arrays. On failure *out
// is NULL.
oct_result oct_proof_copy(const oct_proof *from, const oct_allocator *allocator, oct_proof **out);

// Whether two proofs are about the same target, or, of kind WITNESS, the same buttons and doors.
bool oct_proof_is_about(const oct_proof *proof, const oct_proof *other);

#endif
