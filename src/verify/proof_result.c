// SPDX-License-Identifier: MIT
// The proofs of a test that was played.
#include "base/base_internal.h"
#include "octant/proof_check.h"

#include <stdio.h>

#define REASON_SIZE 512

// The verdict is none of the level any more.
static oct_result withdraw(oct_play_result *r, const oct_proof_verdict *verdict)
{
    char text[REASON_SIZE];
    (void)snprintf(text, sizeof text, "error of Octant: a proof was rejected: %s (%s: %.200s)",
                   verdict->reason, oct_verdict_name(r->verdict),
                   r->reason[0] ? r->reason : "all was as claimed");
    char *const reason = oct_copy_text(&r->allocator, text);
    if (!reason) {
        return OCT_ERROR_MEMORY;
    }
    oct_free_text(&r->allocator, r->reason);
    r->reason = reason;
    r->verdict = OCT_VERDICT_ERROR;
    r->proof = OCT_PROOF_NONE;
    r->assumes = 0;
    return OCT_OK;
}

oct_result oct_proof_check_result(oct_play_result *result, bool *are_accepted)
{
    oct_proof_verdict verdict = {.is_accepted = true};
    for (size_t i = 0; i < result->proof_count && verdict.is_accepted; i++) {
        OCT_TRY(oct_proof_check(result->proofs[i], result->log, &result->allocator, &verdict));
    }
    *are_accepted = verdict.is_accepted;
    return verdict.is_accepted ? OCT_OK : withdraw(result, &verdict);
}
