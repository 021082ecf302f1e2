// SPDX-License-Identifier: MIT
// octant gen lab: a level of the lab world from a seed, and the truth about it.
#include "cli/gen_lab.h"
#include "files/files_internal.h"

typedef struct lab_output {
    const oct_recruits_gen_def *def;
    oct_recruits_truth truth;
    oct_result result; // of making it; what the file says is another matter
} lab_output;

static oct_result fill(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    lab_output *const o = ctx;
    (void)error;
    o->result = oct_recruits_generate(o->def, NULL, write, file, &o->truth);
    return o->result;
}

static int complain(const oct_recruits_gen_def *def, oct_result result)
{
    if (def->buttons < def->doors) {
        return oct_cli_complain("gen: a lab level needs a button for each door: at least %lu",
                                (unsigned long)def->doors);
    }
    if (def->unsolvable && def->doors == 0) {
        return oct_cli_complain("gen: a lab level that is --unsolvable needs a door");
    }
    if (result == OCT_ERROR_RANGE) {
        return oct_cli_complain(
            "gen: a lab level has at most one door less than rooms on each storey, %u doors, %u "
            "buttons, %u rooms in all, and room for what is in them",
            OCT_RECRUITS_DOORS_MAX, OCT_RECRUITS_BUTTONS_MAX, OCT_RECRUITS_ROOMS_MAX);
    }
    return oct_cli_check("gen", result);
}

static int print_truth(const oct_recruits_truth *t, uint64_t bytes, bool json)
{
    if (!json) {
        printf("%u rooms, %u doors, %u buttons, %u links, %u fires; %s\n", t->rooms, t->doors,
               t->buttons, t->links, t->fires, t->solvable ? "solvable" : "unsolvable");
        return CLI_YES;
    }
    json_t *const opening = json_array();
    for (uint32_t i = 0; opening && i < t->opening_count; i++) {
        (void)json_array_append_new(opening, json_sprintf("button%u", t->opening[i]));
    }
    json_t *const sealed = t->sealed > 0 ? json_sprintf("door%u", t->sealed) : json_null();
    return oct_cli_print_json(json_pack("{s:I, s:b, s:i, s:i, s:i, s:i, s:i, s:o, s:o}",
                                        "file_bytes", (json_int_t)bytes, "solvable", t->solvable,
                                        "rooms", (int)t->rooms, "doors", (int)t->doors, "buttons",
                                        (int)t->buttons, "links", (int)t->links, "fires",
                                        (int)t->fires, "opening", opening, "sealed", sealed));
}

int oct_cli_gen_lab(const oct_recruits_gen_def *def, const char *path, bool json)
{
    lab_output output = {.def = def};
    oct_error error = {.line = 0};
    uint64_t bytes = 0;
    const size_t length = strlen(path);
    if (length < 5 || strcmp(path + length - 4, ".csv") != 0) {
        return oct_cli_complain("%s: lab levels are written as .csv", path);
    }
    const oct_result result = oct_file_replace(path, fill, &output, &bytes, &error);
    if (result != OCT_OK && result == output.result && result != OCT_ERROR_FILE) {
        return complain(def, result);
    }
    CLI_TRY(oct_cli_check_file(path, result, &error));
    return print_truth(&output.truth, bytes, json);
}
