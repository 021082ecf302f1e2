// SPDX-License-Identifier: MIT
// Fuzzes the reader of OctoMap's binary trees.
#include "fuzz.h"
#include "octant/formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format(OCT_FORMAT_BT, data, size);
    return 0;
}
