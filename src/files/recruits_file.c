// SPDX-License-Identifier: MIT
// Levels of Lab Recruits from files.
#include "files/files_internal.h"

#define LARGEST (UINT64_C(64) << 20)

oct_result oct_recruits_level_load(const char *path, const oct_recruits_reading *how,
                                   oct_recruits_level **out, oct_error *error)
{
    const oct_allocator own = oct_allocator_or_default(how ? how->allocator : NULL);
    oct_array bytes = {0};
    *out = NULL;
    oct_result result = oct_file_read(path, LARGEST, &own, &bytes, error);
    if (result == OCT_OK) {
        result = oct_recruits_level_read(bytes.items, bytes.count, how, out, error);
    }
    oct_array_free(&bytes, &own, 1);
    return result;
}
