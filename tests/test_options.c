// SPDX-License-Identifier: MIT
// What commands' tables give where an operand may be given many times. The rest is tried through
// the command itself, in tests/cli.
#include "support.h"

#include "cli/cli_internal.h"

#include <string.h>

enum { OPTION_COUNT_TO, OPTION_FLAG, OPTION_COUNT };

static int run_nothing(const cli_args *args)
{
    (void)args;
    return CLI_YES;
}

static const cli_param options[OPTION_COUNT] = {
    [OPTION_COUNT_TO] = {.name = "count", .kind = CLI_INTEGER, .value = "N", .max = 9},
    [OPTION_FLAG] = {.name = "flag", .letter = 'f', .kind = CLI_FLAG},
};

static const cli_param any_operands[] = {{.name = "MAP", .kind = CLI_FILE, .many = true}};
static const cli_param some_operands[] = {
    {.name = "KIND", .kind = CLI_CHOICE, .value = "red|blue", .required = true},
    {.name = "MAP", .kind = CLI_FILE, .required = true, .many = true},
};
static const cli_param one_operand[] = {{.name = "MAP", .kind = CLI_FILE}};

static const cli_command any = {.name = "any",
                                .operands = any_operands,
                                .operand_count = 1,
                                .options = options,
                                .option_count = OPTION_COUNT,
                                .run = run_nothing};
static const cli_command some = {.name = "some",
                                 .operands = some_operands,
                                 .operand_count = 2,
                                 .options = options,
                                 .option_count = OPTION_COUNT,
                                 .run = run_nothing};
static const cli_command one = {.name = "one",
                                .operands = one_operand,
                                .operand_count = 1,
                                .options = options,
                                .option_count = OPTION_COUNT,
                                .run = run_nothing};

#define WORDS_MAX 64

// Parses words that are separated by blanks; "''" is an empty one.
static cli_parse parse(const cli_command *command, const char *line, cli_args *args)
{
    static char copy[512];
    char *words[WORDS_MAX];
    int count = 0;
    assert_true(strlen(line) < sizeof copy);
    strcpy(copy, line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        assert_true(count < WORDS_MAX);
        word[strcmp(word, "''") == 0 ? 0 : strlen(word)] = '\0';
        words[count++] = word;
    }
    return oct_cli_parse(command, count, words, args);
}

static void assert_many(const cli_args *args, const char *expected)
{
    char found[512] = "";
    for (size_t i = 0; i < args->many_count; i++) {
        strcat(found, i > 0 ? " " : "");
        strcat(found, args->many[i]);
    }
    assert_string_equal(found, expected);
}

static void the_last_operand_may_be_many(void **state)
{
    (void)state;
    static const struct {
        const cli_command *command;
        const char *line, *many;
    } cases[] = {
        {&any, "", ""},
        {&any, "a", "a"},
        {&any, "a b c d e f g h", "a b c d e f g h"},
        {&any, "a --count 3 b -f c", "a b c"},
        {&any, "--count=3 a b", "a b"},
        {&any, "a -- --count b", "a --count b"},
        {&any, "a a", "a a"},
        {&some, "red a", "a"},
        {&some, "blue a -f b c", "a b c"},
        {&some, "blue red blue", "red blue"},
        {&one, "a", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cli_args args;
        assert_int_equal(parse(cases[i].command, cases[i].line, &args), CLI_PARSE_RUN);
        assert_many(&args, cases[i].many);
        const cli_value *const last = &args.operands[cases[i].command->operand_count - 1];
        assert_int_equal(last->given, strlen(cases[i].line) > 0);
        if (args.many_count > 0) {
            assert_string_equal(last->text, args.many[0]);
        }
        oct_cli_free_args(&args);
    }
}

static void options_between_many_operands_keep_their_values(void **state)
{
    (void)state;
    cli_args args;
    assert_int_equal(parse(&some, "blue a --count 7 b --json c", &args), CLI_PARSE_RUN);
    assert_many(&args, "a b c");
    assert_int_equal(args.operands[0].integer, 1);
    assert_int_equal(args.options[OPTION_COUNT_TO].integer, 7);
    assert_false(args.options[OPTION_FLAG].given);
    assert_true(args.json);
    oct_cli_free_args(&args);
}

static void there_is_room_for_as_many_as_there_are_words(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    static char *words[MANY];
    static char names[MANY][16];
    for (int i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "m%d", i);
        words[i] = names[i];
    }
    cli_args args;
    assert_int_equal(oct_cli_parse(&any, MANY, words, &args), CLI_PARSE_RUN);
    assert_int_equal(args.many_count, MANY);
    for (int i = 0; i < MANY; i++) {
        assert_ptr_equal(args.many[i], names[i]);
    }
    oct_cli_free_args(&args);
}

static void what_is_no_file_name_is_refused_wherever_it_stands(void **state)
{
    (void)state;
    static const struct {
        const cli_command *command;
        const char *line;
    } cases[] = {
        {&any, "''"},        {&any, "a b ''"}, {&some, "red"},           {&some, "green"},
        {&some, "red a ''"}, {&one, "a b"},    {&any, "a --count 10 b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cli_args args;
        assert_int_equal(parse(cases[i].command, cases[i].line, &args), CLI_PARSE_BAD);
        oct_cli_free_args(&args);
    }
    cli_args args;
    assert_int_equal(parse(&any, "a b --help", &args), CLI_PARSE_HELP);
    oct_cli_free_args(&args);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_operand_may_be_many),
        cmocka_unit_test(options_between_many_operands_keep_their_values),
        cmocka_unit_test(there_is_room_for_as_many_as_there_are_words),
        cmocka_unit_test(what_is_no_file_name_is_refused_wherever_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
