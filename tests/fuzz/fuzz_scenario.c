// SPDX-License-Identifier: MIT
// Fuzzes the reader of scenario files, of two and of three dimensions.
#include "fuzz.h"
#include "octant/scenario.h"
#include "verify/scenario.h"

#include <math.h>

static void check_query(const oct_scenario *scenario, oct_scenario_query query)
{
    uint32_t width = 1u << 20, height = 1u << 20;
    FUZZ_CHECK(oct_scenario_size(scenario, &width, &height) == (oct_scenario_dims(scenario) == 2));
    width += oct_scenario_dims(scenario) == 2; // corners lie on the far sides as well
    height += oct_scenario_dims(scenario) == 2;
    const oct_vec ends[2] = {query.from, query.to};
    for (int i = 0; i < 2; i++) {
        FUZZ_CHECK(ends[i].x >= 0 && (uint32_t)ends[i].x < width);
        FUZZ_CHECK(ends[i].y >= 0 && (uint32_t)ends[i].y < height);
        FUZZ_CHECK(ends[i].z >= 0 && ends[i].z < (oct_scenario_dims(scenario) == 3 ? 1 << 20 : 1));
    }
    FUZZ_CHECK(query.length >= 0.0 && isfinite(query.length));
}

static void read_as(uint32_t dims, const uint8_t *data, size_t size)
{
    size_t used = 0;
    const oct_allocator limited = {fuzz_alloc, fuzz_free, &used};
    oct_scenario *scenario;
    oct_error error;
    const oct_result result = oct_scenario_read(dims, data, size, &limited, &scenario, &error);
    if (result != OCT_OK) {
        FUZZ_CHECK(result == OCT_ERROR_FORMAT || result == OCT_ERROR_MEMORY);
        FUZZ_CHECK(!scenario && error.message[0] != '\0' && error.offset <= size);
        FUZZ_CHECK(result != OCT_ERROR_FORMAT || (error.line > 0 && error.column > 0));
    } else {
        uint32_t line = 0;
        for (size_t i = 0; i < oct_scenario_count(scenario); i++) {
            const oct_scenario_query query = oct_scenario_get(scenario, i);
            check_query(scenario, query);
            FUZZ_CHECK(query.line > line);
            line = query.line;
        }
        FUZZ_CHECK(strlen(oct_scenario_map(scenario)) <= size);
        oct_scenario_destroy(scenario);
    }
    FUZZ_CHECK(used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_as(2, data, size);
    read_as(3, data, size);
    return 0;
}
