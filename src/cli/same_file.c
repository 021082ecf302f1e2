// SPDX-License-Identifier: MIT
// The files of a command: which it reads, which it writes, and that no output is another of them.
//
// A file may have many names: links of both kinds, and paths with "./" or "//". So files are
// compared by device and inode; those that do not exist yet by their folder's, and by name.
#define _POSIX_C_SOURCE 200809L
#include "cli/cli_internal.h"
#include "files/files_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_SIZE 4096
#define LABEL_SIZE 32

typedef struct entry {
    cli_kind kind; // FILE, OUTPUT or ROWS
    char label[LABEL_SIZE];
    char *path; // malloc's
    oct_file_id id;
} entry;

struct cli_files {
    const char *command;
    oct_array entries;
};

// ---- outputs that cannot be written ----

// Rows are added to what is there, which may be a device.
static int check_rows(const char *path)
{
    struct stat about;
    char folder[PATH_SIZE];
    const bool exists = stat(path, &about) == 0;
    const char *const slash = strrchr(path, '/');
    int code = exists ? 0 : errno == ENOENT ? 0 : errno;
    if (exists && S_ISDIR(about.st_mode)) {
        code = EISDIR;
    } else if (exists && access(path, W_OK) != 0) {
        code = errno;
    } else if (!exists && code == 0) {
        const size_t length = slash ? (size_t)(slash - path) + 1 : 1;
        snprintf(folder, sizeof folder, "%.*s", (int)length, slash ? path : ".");
        code = access(folder, W_OK | X_OK) == 0 ? 0 : errno;
    }
    return code == 0 ? CLI_YES : oct_cli_complain("%s: cannot write: %s", path, strerror(code));
}

static int check_output(cli_kind kind, const char *path)
{
    oct_error error = {.line = 0};
    return kind == CLI_ROWS ? check_rows(path)
                            : oct_cli_check_file(path, oct_file_check_target(path, &error), &error);
}

// ---- the same file ----

static int compare(const oct_file_id *a, const oct_file_id *b)
{
    if (a->device != b->device) {
        return a->device < b->device ? -1 : 1;
    }
    if (a->inode != b->inode) {
        return a->inode < b->inode ? -1 : 1;
    }
    return strcmp(a->name ? a->name : "", b->name ? b->name : "");
}

// Of entries of one file the outputs come first.
static int compare_entries(const void *left, const void *right)
{
    const entry *const a = *(const entry *const *)left, *const b = *(const entry *const *)right;
    const int order = compare(&a->id, &b->id);
    return order != 0 ? order : (a->kind == CLI_FILE) - (b->kind == CLI_FILE);
}

static int complain_same(const cli_files *files, const entry *output, const entry *other)
{
    if (other->kind == CLI_FILE) {
        return oct_cli_complain("%s: %s names %s, which is read; choose another file",
                                files->command, output->label, other->path);
    }
    return oct_cli_complain("%s: %s and %s name the same file", files->command,
                            output < other ? output->label : other->label,
                            output < other ? other->label : output->label);
}

int oct_cli_files_check(const cli_files *files)
{
    const size_t count = files->entries.count;
    const entry *const entries = files->entries.items;
    const entry **const sorted = malloc((count + 1) * sizeof *sorted);
    int code = CLI_YES;
    if (!sorted) {
        return oct_cli_check(files->command, OCT_ERROR_MEMORY);
    }
    for (size_t i = 0; i < count; i++) {
        sorted[i] = &entries[i];
    }
    qsort(sorted, count, sizeof *sorted, compare_entries);
    for (size_t i = 1; i < count && code == CLI_YES; i++) {
        const entry *const output = sorted[i - 1], *const other = sorted[i];
        if (output->kind != CLI_FILE && compare(&output->id, &other->id) == 0) {
            code = complain_same(files, output, other);
        }
    }
    free(sorted);
    return code;
}

// ---- the list ----

// A save is read together with sizes of blocks that lie near it.
static int add_sizes(cli_files *files, const char *path)
{
    char sizes[PATH_SIZE];
    return oct_save_is_named(path) && oct_block_sizes_find(path, sizes, sizeof sizes)
               ? oct_cli_files_add(files, CLI_FILE, "", sizes)
               : CLI_YES;
}

int oct_cli_files_add(cli_files *files, cli_kind kind, const char *label, const char *path)
{
    const oct_allocator memory = oct_allocator_default();
    entry each = {.kind = kind};
    snprintf(each.label, sizeof each.label, "%s", label);
    CLI_TRY(kind == CLI_FILE ? add_sizes(files, path) : check_output(kind, path));
    const oct_result result = oct_file_identify(path, &each.id);
    if (result == OCT_ERROR_FILE || (result == OCT_OK && !each.id.is_regular)) {
        return CLI_YES; // what cannot be read complains by itself; a device is no file to lose
    }
    each.path = result == OCT_OK ? strdup(path) : NULL;
    if (!each.path || oct_array_push(&files->entries, &memory, sizeof each, &each) != OCT_OK) {
        free(each.path);
        free(each.id.name);
        return oct_cli_check(files->command, OCT_ERROR_MEMORY);
    }
    return CLI_YES;
}

static bool is_output(const cli_param *param)
{
    return param->kind == CLI_OUTPUT || param->kind == CLI_ROWS;
}

// `dashes` are those of an option; complaints call it as it is typed.
static int add_param(cli_files *files, const cli_param *param, const char *dashes,
                     const cli_value *value)
{
    if (!value->given || param->many) {
        return CLI_YES;
    }
    if (param->kind == CLI_FILE) {
        return oct_cli_files_add(files, CLI_FILE, "", value->text);
    }
    if (!is_output(param)) {
        return CLI_YES;
    }
    char label[LABEL_SIZE];
    snprintf(label, sizeof label, "%s%s", dashes, param->name);
    return oct_cli_files_add(files, param->kind, label, value->text);
}

static int add_all(cli_files *files, const cli_command *command, const cli_args *args)
{
    for (size_t i = 0; i < args->many_count; i++) {
        CLI_TRY(oct_cli_files_add(files, CLI_FILE, "", args->many[i]));
    }
    for (size_t i = 0; i < command->operand_count; i++) {
        CLI_TRY(add_param(files, &command->operands[i], "", &args->operands[i]));
    }
    for (size_t i = 0; i < command->option_count; i++) {
        CLI_TRY(add_param(files, &command->options[i], "--", &args->options[i]));
    }
    return oct_cli_files_check(files);
}

int oct_cli_files_begin(const cli_command *command, const cli_args *args, cli_files **out)
{
    cli_files *const files = calloc(1, sizeof *files);
    *out = NULL;
    if (!files) {
        return oct_cli_check(command->name, OCT_ERROR_MEMORY);
    }
    files->command = command->name;
    const int code = add_all(files, command, args);
    if (code != CLI_YES) {
        oct_cli_files_end(files);
        return code;
    }
    *out = files;
    return CLI_YES;
}

void oct_cli_files_end(cli_files *files)
{
    const oct_allocator memory = oct_allocator_default();
    for (size_t i = 0; files && i < files->entries.count; i++) {
        const entry *const each = (const entry *)files->entries.items + i;
        free(each->path);
        free(each->id.name);
    }
    if (files) {
        oct_array_free(&files->entries, &memory, sizeof(entry));
    }
    free(files);
}
