// SPDX-License-Identifier: MIT
// Fuzzes the reader of Moving AI grid maps.
#include "fuzz.h"
#include "octant/formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format(OCT_FORMAT_MAP, data, size);
    return 0;
}
