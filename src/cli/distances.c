// SPDX-License-Identifier: MIT
// Databases of local distances, as the commands that search open them.
#include "cli/cli_internal.h"

#define FOLDER_MAX 4096

int oct_cli_open_distances(const char *command, const oct_distances_def *def, cli_distances *out)
{
    char folder[FOLDER_MAX];
    oct_error error = {.line = 0};
    const bool has_folder = oct_cli_cache_folder(folder, sizeof folder);
    *out = (cli_distances){.distances = NULL};
    const oct_result result =
        oct_distances_load(has_folder ? folder : NULL, def, &out->distances, &out->mapping, &error);
    if (result != OCT_OK) {
        return oct_cli_complain("%s: the database of distances: %s", command,
                                oct_result_text(result));
    }
    if (has_folder && error.message[0]) {
        oct_cli_warn("%s: the database of distances %s: %s", command,
                     out->mapping.source == DISTANCES_KEPT ? "cannot be kept for the next time"
                                                           : "was made anew",
                     error.message);
    }
    return CLI_YES;
}

void oct_cli_close_distances(cli_distances *distances)
{
    oct_distances_unload(distances->distances, &distances->mapping);
    distances->distances = NULL;
}
