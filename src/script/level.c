// SPDX-License-Identifier: MIT
// Levels of the lab world as the worlds of tests: games that are made of a level's file.
#include "script/script_internal.h"

#include "octant/files.h"
#include "octant/recruits_world.h"

#include <stdio.h>
#include <string.h>

#define LEVEL_END ".csv"
// Of what the reader left out.
#define LEVEL_NOTES_MAX 10

bool oct_script_is_level(const char *name)
{
    const size_t length = strlen(name), end = strlen(LEVEL_END);
    return length > end && strcmp(name + length - end, LEVEL_END) == 0;
}

typedef struct level_notes {
    host *host;
    uint32_t count;
} level_notes;

static void note_warning(void *ctx, uint32_t line, uint32_t cell, const char *message)
{
    char note[HOST_TEXT];
    level_notes *const notes = ctx;
    const char *const world = notes->host->test->world;
    if (notes->count++ >= LEVEL_NOTES_MAX) {
        return;
    }
    if (cell > 0) {
        (void)snprintf(note, sizeof note, "%.200s:%u: cell %u: %s", world, line, cell, message);
    } else {
        (void)snprintf(note, sizeof note, "%.200s:%u: %s", world, line, message);
    }
    oct_host_note(notes->host, note);
}

static oct_result open_level(void *ctx, const oct_game_start *start, uint32_t life,
                             const oct_allocator *allocator, oct_game **out, oct_error *error)
{
    host *const h = ctx;
    char path[SCRIPT_PATH_SIZE];
    level_notes notes = {.host = h};
    const oct_recruits_reading how = {
        .warn = life == 0 ? note_warning : NULL, .ctx = &notes, .allocator = allocator};
    oct_recruits_world_def def = oct_recruits_world_def_default();
    *out = NULL;
    OCT_TRY(oct_script_world_path(h->script, h->index, path, sizeof path, error));
    OCT_TRY(oct_recruits_level_load(path, &how, &def.level, error));
    def.allocator = allocator;
    oct_result result = oct_recruits_world_create(&def, out);
    if (result != OCT_OK) {
        oct_recruits_level_destroy(def.level);
        return result;
    }
    result = oct_game_reset(*out, start);
    if (result != OCT_OK) {
        oct_game_destroy(*out);
        *out = NULL;
    }
    return result;
}

oct_game_source oct_script_level_source(host *h)
{
    return (oct_game_source){.ctx = h, .rate = OCT_RECRUITS_RATE, .open = open_level};
}
