// SPDX-License-Identifier: MIT
// The octant command: finds the command that was asked for and runs it.
//
// To add a command, write a file that defines its cli_command and add a row to COMMANDS.
#include "cli/cli_internal.h"

#include <string.h>

#define COMMANDS(ROW)                                                                              \
    ROW(oct_cmd_map_info)                                                                          \
    ROW(oct_cmd_map_convert)                                                                       \
    ROW(oct_cmd_map_bake)                                                                          \
    ROW(oct_cmd_path)                                                                              \
    ROW(oct_cmd_scen)                                                                              \
    ROW(oct_cmd_lab)                                                                               \
    ROW(oct_cmd_gen)                                                                               \
    ROW(oct_cmd_explore)                                                                           \
    ROW(oct_cmd_links)                                                                             \
    ROW(oct_cmd_test)                                                                              \
    ROW(oct_cmd_view)                                                                              \
    ROW(oct_cmd_serve)                                                                             \
    ROW(oct_cmd_game_check)                                                                        \
    ROW(oct_cmd_check)                                                                             \
    ROW(oct_cmd_bench)

#define DECLARE(command) extern const cli_command command;
COMMANDS(DECLARE)

#define POINTER(command) &(command),
static const cli_command *const commands[] = {COMMANDS(POINTER)};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

// Whether the words begin with a command's name; then *used is how many words that takes.
static bool names_command(const char *name, int count, char *const *words, int *used)
{
    *used = 0;
    while (*used < count) {
        const size_t length = strcspn(name, " ");
        if (strlen(words[*used]) != length || memcmp(words[*used], name, length) != 0) {
            return false;
        }
        ++*used;
        if (name[length] == '\0') {
            return true;
        }
        name += length + 1;
    }
    return false;
}

static const cli_command *find_command(int count, char *const *words, int *used)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (names_command(commands[i]->name, count, words, used)) {
            return commands[i];
        }
    }
    return NULL;
}

// Whether a word is the first of commands with two words.
static bool is_group(const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strncmp(commands[i]->name, word, length) == 0 && commands[i]->name[length] == ' ') {
            return true;
        }
    }
    return false;
}

// The commands of a group, or all.
static void print_commands(const char *group)
{
    const size_t length = group ? strlen(group) : 0;
    int width = 0;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const int name_length = (int)strlen(commands[i]->name);
        width = name_length > width ? name_length : width;
    }
    oct_cli_printf(CLI_BOLD, "\ncommands\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const cli_command *const command = commands[i];
        if (length == 0 ||
            (strncmp(command->name, group, length) == 0 && command->name[length] == ' ')) {
            printf("  %-*s  %s\n", width, command->name, command->summary);
        }
    }
}

static int print_help(const char *group)
{
    if (group) {
        printf("octant %s: a group of commands\n", group);
    } else {
        printf("octant %s: play-tests worlds that one can fly through\n", oct_version());
    }
    oct_cli_printf(CLI_BOLD, "\nusage\n");
    if (group) {
        printf("  octant %s COMMAND [ARGUMENT...]\n", group);
    } else {
        printf("  octant COMMAND [ARGUMENT...]\n"
               "  octant help [COMMAND]\n"
               "  octant --version\n");
    }
    print_commands(group);
    printf("\nEvery command has --help and --json. Exit codes: 0 yes, 1 no, 2 bad usage or bad "
           "input.\n");
    return CLI_YES;
}

static int complain_command(int count, char *const *words)
{
    char typed[64];
    const bool grouped = is_group(words[0]);
    if (grouped && count < 2) {
        return oct_cli_complain("%s: which command? 'octant help %s' lists them", words[0],
                                words[0]);
    }
    snprintf(typed, sizeof typed, "%s%s%s", words[0], grouped ? " " : "", grouped ? words[1] : "");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const char *const name = commands[i]->name;
        char first[64];
        snprintf(first, sizeof first, "%.*s", grouped ? (int)strlen(name) : (int)strcspn(name, " "),
                 name);
        if (oct_cli_is_near(typed, first)) {
            return oct_cli_complain("unknown command '%s'; did you mean '%s'?", typed, first);
        }
    }
    return oct_cli_complain("unknown command '%s'; 'octant help' lists them", typed);
}

static int help(int count, char *const *words)
{
    int used;
    if (count == 0) {
        return print_help(NULL);
    }
    const cli_command *const command = find_command(count, words, &used);
    if (command) {
        oct_cli_help(command);
        return CLI_YES;
    }
    return count == 1 && is_group(words[0]) ? print_help(words[0]) : complain_command(count, words);
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int run_command(const cli_command *command, cli_args *args)
{
    CLI_TRY(oct_cli_files_begin(command, args, &args->files));
    const int code = command->run(args);
    oct_cli_files_end(args->files);
    return code;
}

static int run(int count, char *const *words)
{
    if (count == 0) {
        return oct_cli_complain("no command; 'octant help' lists them");
    }
    if (strcmp(words[0], "--version") == 0) {
        printf("octant %s\n", oct_version());
        return CLI_YES;
    }
    if (is_help(words[0]) || strcmp(words[0], "help") == 0) {
        return help(count - 1, words + 1);
    }
    if (words[0][0] == '-') {
        return oct_cli_complain("unknown option '%s'; 'octant help' says more", words[0]);
    }
    int used;
    const cli_command *const command = find_command(count, words, &used);
    if (!command) {
        return count == 2 && is_group(words[0]) && is_help(words[1])
                   ? print_help(words[0])
                   : complain_command(count, words);
    }
    cli_args args;
    int code = CLI_BAD;
    switch (oct_cli_parse(command, count - used, words + used, &args)) {
    case CLI_PARSE_RUN:
        code = run_command(command, &args);
        break;
    case CLI_PARSE_HELP:
        oct_cli_help(command);
        code = CLI_YES;
        break;
    case CLI_PARSE_BAD:
        break;
    }
    oct_cli_free_args(&args);
    return code;
}

int main(int argc, char **argv)
{
    oct_cli_guard_process();
    oct_cli_name_searches();
    if (argc == 4 && strcmp(argv[1], CLI_MESH_CHILD) == 0) {
        return oct_cli_be_mesh_child(argv[2], argv[3]);
    }
    const int code = oct_cli_finish(run(argc > 0 ? argc - 1 : 0, argv + 1));
    return code == CLI_INTERRUPTED ? oct_cli_stop_code() : code;
}
