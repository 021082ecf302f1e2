// SPDX-License-Identifier: MIT
// Fuzzes the readers of surfaces in JSON, and of what stands on them.
#include "files/surface_file.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t used = 0;
    const oct_allocator limited = {fuzz_alloc, fuzz_free, &used};
    oct_surface_def def = oct_surface_def_default();
    def.allocator = &limited;
    oct_surface *surface;
    oct_error error;
    const oct_result result = oct_surface_read_json(data, size, &def, &surface, &error);
    if (result != OCT_OK) {
        FUZZ_CHECK(result == OCT_ERROR_FORMAT || result == OCT_ERROR_MEMORY ||
                   result == OCT_ERROR_RANGE);
        FUZZ_CHECK(!surface && error.message[0] != '\0');
        FUZZ_CHECK(result != OCT_ERROR_FORMAT || (error.line > 0 && error.column > 0));
    } else {
        FUZZ_CHECK(oct_surface_info_of(surface).given > 0);
        oct_surface_destroy(surface);
    }
    surface_shapes shapes;
    const oct_result of_shapes = oct_surface_read_shapes(data, size, &limited, &shapes, &error);
    FUZZ_CHECK(of_shapes == OCT_OK || error.message[0] != '\0');
    oct_surface_free_shapes(&shapes, &limited);
    FUZZ_CHECK(used == 0);
    return 0;
}
