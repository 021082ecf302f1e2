// SPDX-License-Identifier: MIT
// The proofs of a test that was played.
#include "base/base_internal.h"
#include "octant/proof_check.h"

#include <stdio.h>

#define REASON_SIZE 512

// The verdict is none of the level any more: an ERROR of Octant, or INCONCLUSIVE.
static oct_result withdraw(oct_play_result *r, oct_verdict verdict, const char *why,
                           const oct_proof_verdict *said)
{
    char text[REASON_SIZE];
    (void)snprintf(text, sizeof text, "%s: %s (%s: %.200s)", why, said->reason,
                   oct_verdict_name(r->verdict), r->reason[0] ? r->reason : "all was as claimed");
    const bool is_open = verdict == OCT_VERDICT_INCONCLUSIVE;
    char *const reason = oct_copy_text(&r->allocator, text);
    char *const decides = oct_copy_text(
        &r->allocator, is_open ? "a test of its own, in which nothing of that happens" : "");
    if (!reason || !decides) {
        oct_free_text(&r->allocator, reason);
        oct_free_text(&r->allocator, decides);
        return OCT_ERROR_MEMORY;
    }
    oct_free_text(&r->allocator, r->reason);
    oct_free_text(&r->allocator, r->decides);
    r->reason = reason;
    r->decides = decides;
    r->verdict = verdict;
    r->proof = OCT_PROOF_NONE;
    r->assumes = 0;
    return OCT_OK;
}

// A proof must follow from the log as it was when it was claimed: else whoever claimed it erred.
// What happened later may be against what it assumes: then it no longer counts.
static oct_result check_later(const oct_proof *proof, oct_play_result *r,
                              oct_proof_verdict *verdict)
{
    oct_proof now = *proof;
    now.extent = oct_run_log_extent(r->log);
    if (memcmp(&now.extent, &proof->extent, sizeof now.extent) == 0) {
        return OCT_OK;
    }
    return oct_proof_check(&now, r->log, &r->allocator, verdict);
}

oct_result oct_proof_check_result(oct_play_result *result, bool *are_accepted)
{
    oct_proof_verdict verdict = {.is_accepted = true};
    for (size_t i = 0; i < result->proof_count && verdict.is_accepted; i++) {
        OCT_TRY(oct_proof_check(result->proofs[i], result->log, &result->allocator, &verdict));
    }
    *are_accepted = verdict.is_accepted;
    if (!verdict.is_accepted) {
        return withdraw(result, OCT_VERDICT_ERROR, "error of Octant: a proof was rejected",
                        &verdict);
    }
    for (size_t i = 0; i < result->ground_count && verdict.is_accepted; i++) {
        OCT_TRY(check_later(result->proofs[i], result, &verdict));
    }
    return verdict.is_accepted ? OCT_OK
                               : withdraw(result, OCT_VERDICT_INCONCLUSIVE, "withdrawn", &verdict);
}
