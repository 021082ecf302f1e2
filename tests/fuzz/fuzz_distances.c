// SPDX-License-Identifier: MIT
// Fuzzes opening a database of local distances: every input as it is, and once more with its
// checksum put right, since chance would never get past it. What is accepted is asked everything.
#include "flat/distances.h"
#include "fuzz.h"

static void ask(const oct_distances *d, uint32_t code)
{
    const uint32_t edge = oct_distances_about(d).edge, points = (edge + 1) * (edge + 1);
    double matrix[OCT_DISTANCES_BOUNDARY_MAX][OCT_DISTANCES_BOUNDARY_MAX];
    oct_distances_matrix(d, code, matrix);
    for (uint32_t a = 0; a < points; a++) {
        for (uint32_t b = 0; b < points; b++) {
            const double distance = oct_distances_between(d, code, a, b);
            FUZZ_CHECK(distance == -1.0 || (distance >= 0.0 && distance < 64.0));
            if (distance >= 0.0) {
                uint8_t bends[OCT_DISTANCES_BENDS_MAX];
                const uint32_t count = oct_distances_bends(d, code, a, b, bends);
                FUZZ_CHECK(count <= OCT_DISTANCES_BENDS_MAX);
                for (uint32_t i = 0; i < count; i++) {
                    FUZZ_CHECK(bends[i] < points);
                }
            }
        }
    }
}

static void open_and_ask(const uint8_t *bytes, size_t size)
{
    size_t used = 0;
    const oct_allocator limited = {fuzz_alloc, fuzz_free, &used};
    oct_distances *d;
    oct_error error;
    const oct_result result = oct_distances_open(bytes, size, &limited, &d, &error);
    if (result != OCT_OK) {
        FUZZ_CHECK(result == OCT_ERROR_FORMAT && !d && error.message[0] != '\0' && used == 0);
        return;
    }
    const uint32_t edge = oct_distances_about(d).edge, codes = 1u << edge * edge;
    for (uint32_t code = 0; code < codes; code += codes / 16) {
        ask(d, code);
    }
    oct_distances_destroy(d);
    FUZZ_CHECK(used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = calloc(1, size ? size : 1); // aligned
    FUZZ_CHECK(copy);
    if (size) {
        memcpy(copy, data, size);
    }
    open_and_ask(copy, size);
    if (size >= sizeof(distances_header) && size % 8 == 0) {
        const uint64_t checksum = oct_distances_checksum(copy, size);
        memcpy(copy + offsetof(distances_header, checksum), &checksum, sizeof checksum);
        open_and_ask(copy, size);
    }
    free(copy);
    return 0;
}
