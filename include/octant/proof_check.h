// SPDX-License-Identifier: MIT
/// \file
/// The checker of proofs: whether a fail that speaks of a level, or of what buttons do, follows
/// from the log of its run.
///
/// It shares no code with agents and believes none of their numbers: which things stay, where a
/// body fits, what can be got at from where, what presses may do and what was in sight is found
/// again from what the game told. A claim may be more generous than that, never less.
///
/// Threading: everything is a parameter; calls on different threads do not meet.
#ifndef OCTANT_PROOF_CHECK_H
#define OCTANT_PROOF_CHECK_H

#include "octant/play_test.h"
#include "octant/proof.h"

/// What came of a check.
typedef struct oct_proof_verdict {
    bool is_accepted;
    char reason[256]; ///< why it was not; "" where it was
} oct_proof_verdict;

/// Checks a proof against the log. Neither is trusted: whatever is malformed is rejected. On
/// failure (OCT_ERROR_MEMORY) *out says that nothing was accepted. Memory of about 100 bytes per
/// leaf and thing is taken and given back; NULL = malloc.
OCT_API oct_result oct_proof_check(const oct_proof *proof, const oct_run_log *log,
                                   const oct_allocator *allocator, oct_proof_verdict *out);

/// Checks all proofs of a test that was played. Where one is rejected the verdict becomes ERROR,
/// "error of Octant: ...": what rests on it says nothing about the level. Where one that the
/// verdict rests on follows from what was known when it was claimed, but not from all that
/// happened, the verdict becomes INCONCLUSIVE, "withdrawn: ...", and *are_accepted is true.
/// OCT_ERROR_MEMORY leaves the result as it was.
OCT_API oct_result oct_proof_check_result(oct_play_result *result, bool *are_accepted);

#endif
