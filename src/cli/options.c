// SPDX-License-Identifier: MIT
// What a command's tables give: parsing, checking, synopsis and --help.
//
// Options may stand anywhere, as --name value, --name=value, -n value or -nvalue; "--" ends them.
#include "base/words.h"
#include "cli/cli_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 64
#define LINE_COLUMNS 100 // of --help
#define VALUE_COLUMNS 16 // a choice with longer words has them on lines of their own,
#define LABEL_COLUMNS 22 // and so has one whose name and words together are longer

static const cli_param common_options[] = {
    {.name = "json", .kind = CLI_FLAG, .help = "print one JSON object instead of text"},
    {.name = "help", .letter = 'h', .kind = CLI_FLAG, .help = "show this help"},
};
enum { COMMON_JSON, COMMON_HELP, COMMON_COUNT };

// ---- words ----

bool oct_cli_is_near(const char *typed, const char *known)
{
    const size_t distance = oct_words_distance(typed, known);
    return distance <= 2 && distance < strlen(known);
}

// Copies the word of "a|b|c" at *from and moves on behind it; false after the last.
static bool next_word(const char **from, char word[WORD_MAX])
{
    if (!*from) {
        return false;
    }
    const size_t length = strcspn(*from, "|");
    OCT_ASSERT(length < WORD_MAX);
    memcpy(word, *from, length);
    word[length] = '\0';
    *from = (*from)[length] ? *from + length + 1 : NULL;
    return true;
}

// ---- values ----

// How a parameter is named in a complaint.
typedef struct label {
    char text[WORD_MAX];
} label;

static label label_of(const cli_param *param, bool is_option)
{
    label out;
    snprintf(out.text, sizeof out.text, "%s%s", is_option ? "--" : "", param->name);
    return out;
}

static bool complain_range(const cli_command *command, const cli_param *param, const char *name,
                           const char *text)
{
    oct_cli_complain(param->kind == CLI_INTEGER
                         ? "%s: %s must be a whole number from %.0f to %.0f, not '%s'"
                         : "%s: %s must be a number from %g to %g, not '%s'",
                     command->name, name, param->min, param->max, text);
    return false;
}

static bool complain_choice(const cli_command *command, const cli_param *param, const char *name,
                            const char *text)
{
    char word[WORD_MAX];
    for (const char *rest = param->value; next_word(&rest, word);) {
        if (oct_cli_is_near(text, word)) {
            oct_cli_complain("%s: %s must be one of %s, not '%s'; did you mean '%s'?",
                             command->name, name, param->value, text, word);
            return false;
        }
    }
    oct_cli_complain("%s: %s must be one of %s, not '%s'", command->name, name, param->value, text);
    return false;
}

static bool read_number(const cli_param *param, const char *text, cli_value *value)
{
    char *end = NULL;
    errno = 0;
    if (!strchr("+-.0123456789", text[0])) {
        return false; // strtod would take blanks and "nan"
    }
    if (param->kind == CLI_INTEGER) {
        value->integer = strtoll(text, &end, 10);
        value->real = (double)value->integer;
    } else {
        value->real = strtod(text, &end);
    }
    return end != text && *end == '\0' && errno == 0 && isfinite(value->real) &&
           value->real >= param->min && value->real <= param->max;
}

static bool read_choice(const cli_param *param, const char *text, cli_value *value)
{
    char word[WORD_MAX];
    value->integer = 0;
    for (const char *rest = param->value; next_word(&rest, word); value->integer++) {
        if (strcmp(word, text) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_value(const cli_command *command, const cli_param *param, bool is_option,
                       const char *text, cli_value *value)
{
    const label name = label_of(param, is_option);
    value->text = text;
    switch (param->kind) {
    case CLI_INTEGER:
    case CLI_REAL:
        return read_number(param, text, value) || complain_range(command, param, name.text, text);
    case CLI_CHOICE:
        return read_choice(param, text, value) || complain_choice(command, param, name.text, text);
    case CLI_FILE:
    case CLI_OUTPUT:
    case CLI_ROWS:
    case CLI_FOLDER:
        if (text[0] == '\0') {
            oct_cli_complain("%s: %s must not be empty", command->name, name.text);
            return false;
        }
        return true;
    case CLI_TEXT:
    case CLI_FLAG:
        break;
    }
    return true;
}

int oct_cli_read_numbers(const char *text, double *out, int most)
{
    for (int count = 0; count < most; count++) {
        char *end = NULL;
        if (*text == '\0' || !strchr("+-.0123456789", *text)) {
            return 0; // strtod would take blanks and "nan"
        }
        errno = 0;
        out[count] = strtod(text, &end);
        if (end == text || errno != 0 || !isfinite(out[count])) {
            return 0;
        }
        if (*end == '\0') {
            return count + 1;
        }
        if (*end != ',') {
            return 0;
        }
        text = end + 1;
    }
    return 0;
}

// ---- parsing ----

typedef struct parser {
    const cli_command *command;
    cli_args *args;
    char *const *words;
    int count;
    int next;        // the word to read next
    size_t operands; // read so far
    bool help;
} parser;

static const cli_param *option_at(const cli_command *command, size_t i)
{
    return i < command->option_count ? &command->options[i]
                                     : &common_options[i - command->option_count];
}

// The index of the option that `name` (of that length) or a letter stands for, or SIZE_MAX.
static size_t find_option(const cli_command *command, const char *name, size_t length, char letter)
{
    for (size_t i = 0; i < command->option_count + COMMON_COUNT; i++) {
        const cli_param *const option = option_at(command, i);
        if (letter ? option->letter == letter
                   : strlen(option->name) == length && memcmp(option->name, name, length) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

static bool complain_option(const cli_command *command, const char *word)
{
    char typed[WORD_MAX]; // without dashes and value
    const bool is_long = word[1] == '-';
    const int length = is_long ? (int)strcspn(word, "=") : 2;
    snprintf(typed, sizeof typed, "%.*s", is_long ? length - 2 : 0, word + 2);
    for (size_t i = 0; i < command->option_count + COMMON_COUNT; i++) {
        const char *const name = option_at(command, i)->name;
        if (oct_cli_is_near(typed, name)) {
            oct_cli_complain("%s: unknown option '%.*s'; did you mean '--%s'?", command->name,
                             length, word, name);
            return false;
        }
    }
    oct_cli_complain("%s: unknown option '%.*s'; 'octant %s --help' lists them", command->name,
                     length, word, command->name);
    return false;
}

// `inline_value` is what stands in the same word, or NULL.
static bool take_option(parser *p, size_t index, const char *inline_value)
{
    const cli_command *const command = p->command;
    const cli_param *const option = option_at(command, index);
    if (option->kind == CLI_FLAG && inline_value) {
        oct_cli_complain("%s: --%s takes no value", command->name, option->name);
        return false;
    }
    if (index == command->option_count + COMMON_JSON) {
        p->args->json = true;
        return true;
    }
    if (index == command->option_count + COMMON_HELP) {
        p->help = true;
        return true;
    }
    cli_value *const value = &p->args->options[index];
    value->given = true;
    if (option->kind == CLI_FLAG) {
        return true;
    }
    if (!inline_value && p->next == p->count) {
        oct_cli_complain("%s: --%s needs a value, %s", command->name, option->name, option->value);
        return false;
    }
    return read_value(command, option, true, inline_value ? inline_value : p->words[p->next++],
                      value);
}

// One more of the operand that may be many. There is room for as many as there are words.
static bool take_many(parser *p, const cli_param *operand, const char *word)
{
    cli_args *const args = p->args;
    if (!args->many) {
        args->many = malloc((size_t)p->count * sizeof *args->many);
    }
    if (!args->many) {
        oct_cli_check(p->command->name, OCT_ERROR_MEMORY);
        return false;
    }
    args->many[args->many_count++] = word;
    cli_value unused;
    return read_value(p->command, operand, false, word, &unused);
}

static bool take_operand(parser *p, const char *word)
{
    const cli_command *const command = p->command;
    const bool is_last = p->operands == command->operand_count;
    const bool more = is_last && p->operands > 0 && command->operands[p->operands - 1].many;
    if (is_last && !more) {
        oct_cli_complain("%s: '%s' is one argument too many", command->name, word);
        return false;
    }
    const cli_param *const operand = &command->operands[more ? p->operands - 1 : p->operands];
    if (operand->many && !take_many(p, operand, word)) {
        return false;
    }
    if (more) {
        return true;
    }
    cli_value *const value = &p->args->operands[p->operands++];
    value->given = true;
    return read_value(command, operand, false, word, value);
}

static bool take_word(parser *p, bool *options_end)
{
    const char *const word = p->words[p->next++];
    if (*options_end || word[0] != '-' || word[1] == '\0') {
        return take_operand(p, word);
    }
    if (strcmp(word, "--") == 0) {
        *options_end = true;
        return true;
    }
    const bool is_long = word[1] == '-';
    const size_t length = is_long ? strcspn(word + 2, "=") : 0;
    const size_t index = find_option(p->command, word + 2, length, is_long ? 0 : word[1]);
    if (index == SIZE_MAX) {
        return complain_option(p->command, word);
    }
    const char *inline_value = NULL;
    if (is_long && word[2 + length] == '=') {
        inline_value = word + 2 + length + 1;
    } else if (!is_long && word[2]) {
        inline_value = word + 2;
    }
    return take_option(p, index, inline_value);
}

static bool fill_in(const cli_command *command, const cli_param *params, size_t count,
                    bool is_option, cli_value *values)
{
    for (size_t i = 0; i < count; i++) {
        if (!values[i].given && params[i].required) {
            const label name = label_of(&params[i], is_option);
            oct_cli_complain("%s: %s is missing; 'octant %s --help' says more", command->name,
                             name.text, command->name);
            return false;
        }
        if (!values[i].given && params[i].initial) {
            const bool fits =
                read_value(command, &params[i], is_option, params[i].initial, &values[i]);
            OCT_ASSERT(fits);
            (void)fits;
        }
    }
    return true;
}

void oct_cli_fill_in(const cli_param *options, size_t count, cli_value *values)
{
    (void)fill_in(NULL, options, count, true, values); // the command is for complaints
}

static bool tables_fit(const cli_command *command)
{
    for (size_t i = 0; i + 1 < command->operand_count; i++) {
        if (command->operands[i].many) {
            return false;
        }
    }
    return command->option_count <= CLI_OPTIONS_MAX && command->operand_count <= CLI_OPERANDS_MAX;
}

void oct_cli_free_args(cli_args *args)
{
    free(args->many);
    args->many = NULL;
}

cli_parse oct_cli_parse(const cli_command *command, int count, char *const *words, cli_args *args)
{
    const bool fit = tables_fit(command);
    OCT_ASSERT(fit);
    (void)fit;
    *args = (cli_args){.json = false};
    parser p = {.command = command, .args = args, .words = words, .count = count};
    bool options_end = false;
    while (p.next < count) {
        if (!take_word(&p, &options_end)) {
            return CLI_PARSE_BAD;
        }
        if (p.help) {
            return CLI_PARSE_HELP;
        }
    }
    const bool complete =
        fill_in(command, command->operands, command->operand_count, false, args->operands) &&
        fill_in(command, command->options, command->option_count, true, args->options);
    return complete ? CLI_PARSE_RUN : CLI_PARSE_BAD;
}

// ---- help ----

// Whether an option's words stand on lines of their own.
static bool has_many_words(const cli_param *option)
{
    return option->kind == CLI_CHOICE &&
           (strlen(option->value) > VALUE_COLUMNS ||
            strlen(option->name) + strlen(option->value) > LABEL_COLUMNS);
}

// An option and its value as --help shows them: "-o, --output FILE".
static label option_text(const cli_param *option)
{
    label out;
    const char *const value = has_many_words(option) ? "WORD" : option->value;
    char letter[] = "    ";
    if (option->letter) {
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    }
    snprintf(out.text, sizeof out.text, "%s--%s%s%s", letter, option->name, value ? " " : "",
             value ? value : "");
    return out;
}

static void print_heading(const char *heading)
{
    oct_cli_printf(CLI_BOLD, "\n%s\n", heading);
}

static void print_param(int width, const char *left, const cli_param *param)
{
    printf("  %-*s  %s", width, left, param->help);
    if (param->initial && param->initial[0]) {
        printf(" (default %s)", param->initial);
    }
    printf("\n");
}

// The words of a choice, on as many lines as they need; each but the last ends in '|'.
static void print_words(int width, const char *words)
{
    const size_t room = (size_t)(LINE_COLUMNS - 4 - width);
    while (strlen(words) > room) {
        size_t cut = room;
        while (words[cut - 1] != '|') {
            cut--;
        }
        printf("  %-*s  %.*s\n", width, "", (int)cut, words);
        words += cut;
    }
    printf("  %-*s  %s\n", width, "", words);
}

// An operand as the synopsis shows it: "MAP", or "MAP..." where it may be many.
static label operand_text(const cli_param *operand)
{
    label out;
    snprintf(out.text, sizeof out.text, "%s%s", operand->name, operand->many ? "..." : "");
    return out;
}

static void print_synopsis(const cli_command *command)
{
    printf("  octant %s", command->name);
    for (size_t i = 0; i < command->operand_count; i++) {
        const cli_param *const operand = &command->operands[i];
        printf(operand->required ? " %s" : " [%s]", operand_text(operand).text);
    }
    for (size_t i = 0; i < command->option_count; i++) {
        const cli_param *const option = &command->options[i];
        if (option->required) {
            printf(" --%s %s", option->name, option->value);
        }
    }
    printf(" [OPTION...]\n");
}

void oct_cli_help(const cli_command *command)
{
    const size_t option_count = command->option_count + COMMON_COUNT;
    size_t width = 0;
    for (size_t i = 0; i < option_count; i++) {
        const label text = option_text(option_at(command, i));
        width = strlen(text.text) > width ? strlen(text.text) : width;
    }
    printf("octant %s: %s\n", command->name, command->summary);
    print_heading("usage");
    print_synopsis(command);
    if (command->operand_count > 0) {
        print_heading("arguments");
    }
    for (size_t i = 0; i < command->operand_count; i++) {
        const cli_param *const operand = &command->operands[i];
        print_param((int)width, operand_text(operand).text, operand);
        if (operand->kind == CLI_CHOICE) {
            print_words((int)width, operand->value);
        }
    }
    print_heading("options");
    for (size_t i = 0; i < option_count; i++) {
        const cli_param *const option = option_at(command, i);
        print_param((int)width, option_text(option).text, option);
        if (has_many_words(option)) {
            print_words((int)width, option->value);
        }
    }
    if (command->details) {
        print_heading("notes");
        printf("%s\n", command->details);
    }
}
