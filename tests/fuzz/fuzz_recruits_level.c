// SPDX-License-Identifier: MIT
// Fuzzes the reader of Lab Recruits levels: what it takes keeps to what the header says.
#include "fuzz.h"
#include "octant/recruits_level.h"

static void count_warning(void *ctx, uint32_t line, uint32_t cell, const char *message)
{
    FUZZ_CHECK(message[0] && (line > 0 || cell == 0));
    ++*(uint32_t *)ctx;
}

static void check_parts(const oct_recruits_level *level)
{
    size_t count;
    const oct_recruits_part *const parts = oct_recruits_level_parts(level, &count);
    for (size_t i = 0; i < count; i++) {
        FUZZ_CHECK(parts[i].x < oct_recruits_level_width(level));
        FUZZ_CHECK(parts[i].y < oct_recruits_level_sheets(level));
        FUZZ_CHECK(parts[i].z < oct_recruits_level_depth(level));
        FUZZ_CHECK(parts[i].kind < OCT_RECRUITS_KIND_COUNT && parts[i].turn < 4);
        FUZZ_CHECK(strlen(parts[i].id) <= OCT_RECRUITS_NAME_MAX);
    }
}

static void check_links(const oct_recruits_level *level)
{
    size_t count, parts;
    (void)oct_recruits_level_parts(level, &parts);
    const oct_recruits_link *const links = oct_recruits_level_links(level, &count);
    for (size_t i = 0; i < count; i++) {
        FUZZ_CHECK(links[i].source == OCT_RECRUITS_NONE || links[i].source < parts);
        FUZZ_CHECK(links[i].target == oct_recruits_level_find(level, links[i].target_id));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t warnings = 0;
    size_t used = 0;
    const oct_allocator limited = {fuzz_alloc, fuzz_free, &used};
    oct_error error = {0};
    oct_recruits_level *level;
    const oct_recruits_reading how = {
        .warn = count_warning, .ctx = &warnings, .allocator = &limited};
    const oct_result result = oct_recruits_level_read(data, size, &how, &level, &error);
    FUZZ_CHECK(warnings <= OCT_RECRUITS_WARNINGS_MAX + 1);
    FUZZ_CHECK((result == OCT_OK) == (level != NULL));
    if (level) {
        check_parts(level);
        check_links(level);
    } else {
        FUZZ_CHECK(error.message[0] || result == OCT_ERROR_MEMORY);
    }
    oct_recruits_level_destroy(level);
    FUZZ_CHECK(used == 0);
    return 0;
}
