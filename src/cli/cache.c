// SPDX-License-Identifier: MIT
// Where the command keeps what takes long to work out.
#include "cli/cli_internal.h"

#include <stdlib.h>

bool oct_cli_cache_folder(char *out, size_t size)
{
    static const struct {
        const char *variable, *below;
    } places[] = {{"OCTANT_CACHE", ""}, {"XDG_CACHE_HOME", "/octant"}, {"HOME", "/.cache/octant"}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *const value = getenv(places[i].variable);
        // Paths that are not absolute are to be passed over, says the XDG specification.
        if (!value || !*value || (i > 0 && *value != '/')) {
            continue;
        }
        const int length = snprintf(out, size, "%s%s", value, places[i].below);
        return length >= 0 && (size_t)length < size;
    }
    return false;
}
