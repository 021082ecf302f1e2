// SPDX-License-Identifier: MIT
// Worlds in files.
#include "files/files_internal.h"
#include "files/json_place.h"
#include "files/world_findings.h"
#include "files/world_sbs.h"

// The largest file that is read. JSON is held in memory whole, its content item by item.
#define FILE_SIZE_MAX (UINT64_C(1) << 30)
// What is looked at to tell saves from JSON, and what saves are read in.
#define PIECE_SIZE ((size_t)64 * 1024)

static bool ends_in(const char *path, const char *extension)
{
    const char *name = strrchr(path, '/');
    const char *dot = strrchr(name ? name : path, '.');
    return dot && strcmp(dot, extension) == 0;
}

bool oct_save_is_named(const char *path)
{
    return ends_in(path, ".sbs");
}

bool oct_world_is_target(const char *path)
{
    return ends_in(path, ".json");
}

bool oct_world_is_named(const char *path)
{
    return oct_world_is_target(path) || oct_save_is_named(path);
}

// ---- in ----

// A save whose first piece was read.
static oct_result read_save(oct_file *file, oct_array *piece, const oct_world_extras *extras,
                            const oct_allocator *allocator, world_findings *findings,
                            oct_world **world, oct_error *error)
{
    save_reader *const save = oct_save_create(extras, allocator, NULL);
    if (!save) {
        return oct_io_out_of_memory(error);
    }
    oct_save_find(save, findings);
    oct_result result = OCT_OK;
    while (result == OCT_OK && piece->count > 0) {
        result = oct_save_feed(save, piece->items, piece->count, false, world, error);
        if (result == OCT_OK) {
            result = oct_file_next(file, piece->items, piece->capacity, &piece->count, error);
        }
    }
    if (result == OCT_OK) {
        result = oct_save_feed(save, NULL, 0, true, world, error);
    }
    oct_save_destroy(save);
    return result;
}

// Whether a file that begins so may hold a world as JSON. What may not is refused at its first
// byte, so that a device that never ends is not read up to the limit.
static bool may_be_json(const oct_array *start)
{
    const size_t at = json_skip_space(start->items, start->count, 0);
    return at == start->count || ((const char *)start->items)[at] == '{';
}

static oct_result read_world(oct_file *file, oct_array *bytes, const oct_world_extras *extras,
                             const oct_allocator *allocator, world_findings *findings,
                             oct_world **world, const char **kind, oct_error *error)
{
    if (oct_array_reserve(bytes, allocator, 1, PIECE_SIZE) != OCT_OK) {
        return oct_io_out_of_memory(error);
    }
    OCT_TRY(oct_file_next(file, bytes->items, bytes->capacity, &bytes->count, error));
    if (!oct_save_is_meant(bytes->items, bytes->count)) {
        if (may_be_json(bytes)) {
            OCT_TRY(oct_file_rest(file, allocator, bytes, error));
        }
        return oct_world_decode_found(bytes->items, bytes->count, allocator, findings, world, kind,
                                      error);
    }
    if (kind) {
        *kind = OCT_SAVE_KIND;
    }
    return read_save(file, bytes, extras, allocator, findings, world, error);
}

static oct_result load_world(const char *path, const oct_world_extras *extras,
                             const oct_allocator *allocator, world_findings *findings,
                             oct_world **world, const char **kind, oct_error *error)
{
    *world = NULL;
    const oct_allocator own = oct_allocator_or_default(allocator);
    oct_array bytes = {0};
    oct_file file;
    OCT_TRY(oct_file_open(path, FILE_SIZE_MAX, &file, error));
    const oct_result result = read_world(&file, &bytes, extras, &own, findings, world, kind, error);
    oct_file_close(&file);
    oct_array_free(&bytes, &own, 1);
    return result;
}

oct_result oct_world_load(const char *path, const oct_world_extras *extras,
                          const oct_allocator *allocator, oct_world **world, const char **kind,
                          oct_error *error)
{
    return load_world(path, extras, allocator, NULL, world, kind, error);
}

// ---- checks ----

// What a save lacks is a problem like others where nobody else is told.
static void warn_as_problem(void *ctx, const char *message)
{
    const oct_world_checking *const how = ctx;
    const oct_problem problem = {.kind = OCT_PROBLEM_FILE,
                                 .severity = OCT_SEVERITY_WARNING,
                                 .about = OCT_ABOUT_WORLD,
                                 .line = 1,
                                 .text = message};
    how->tell(how->ctx, &problem);
}

static world_findings begin_findings(const oct_world_checking *how)
{
    const oct_allocator *const scratch = how->scratch ? how->scratch : how->allocator;
    return (world_findings){.allocator = oct_allocator_or_default(scratch),
                            .forgives = !how->is_strict,
                            .tell = how->tell,
                            .ctx = how->ctx};
}

// What came of the reading, and of the world if there is one.
static oct_result end_findings(world_findings *f, const oct_world_checking *how, oct_result result,
                               oct_world **world, const oct_error *error)
{
    if (result == OCT_ERROR_FORMAT && f->forgives) {
        (void)oct_findings_refuse(f, 0, error);
        result = OCT_OK;
    } else if (result == OCT_OK) {
        result = oct_findings_check(f, *world, how->check);
    }
    if (result != OCT_OK) {
        oct_world_destroy(*world);
        *world = NULL;
    }
    oct_findings_free(f);
    return result;
}

oct_result oct_world_check_bytes(const void *data, size_t size, const oct_world_checking *how,
                                 oct_world **world, oct_error *error)
{
    oct_error own = {.line = 0};
    error = error ? error : &own;
    world_findings f = begin_findings(how);
    const oct_result result =
        oct_world_decode_found(data, size, how->allocator, &f, world, NULL, error);
    return end_findings(&f, how, result, world, error);
}

oct_result oct_world_check_file(const char *path, const oct_world_checking *how, oct_world **world,
                                oct_error *error)
{
    oct_error own = {.line = 0};
    oct_world_checking told = *how;
    const oct_world_extras extras = {how->sizes, how->warn ? how->warn : warn_as_problem,
                                     how->warn ? how->ctx : &told};
    error = error ? error : &own;
    world_findings f = begin_findings(how);
    const oct_result result = load_world(path, &extras, how->allocator, &f, world, NULL, error);
    return end_findings(&f, how, result, world, error);
}

// ---- out ----

static oct_result write_world(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    (void)error; // only the file can fail, and it says why
    const oct_world *const *world = ctx;
    return oct_world_encode(*world, write, file);
}

oct_result oct_world_save(const char *path, const oct_world *world, uint64_t *size,
                          oct_error *error)
{
    return oct_file_replace(path, write_world, &world, size, error);
}
