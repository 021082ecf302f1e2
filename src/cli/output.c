// SPDX-License-Identifier: MIT
// What commands say: complaints, JSON, colours, progress; and the clock.
#define _POSIX_C_SOURCE 200809L
#include "cli/cli_internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_MAX_BYTES 4096
#define BAR_WIDTH 30

// ---- complaints ----

OCT_FORMAT(2, 0)
static void say(const char *who, const char *format, va_list values)
{
    char line[LINE_MAX_BYTES];
    vsnprintf(line, sizeof line, format, values);
    // File names and words come from outside: they may not break the line or steer the terminal.
    oct_words_defuse(line, '?');
    fprintf(stderr, "%s%s%s %s\n", oct_cli_style(stderr, CLI_RED), who,
            oct_cli_style(stderr, CLI_PLAIN), line);
}

static char *heard; // where complaints go instead of stderr
static size_t heard_size;

void oct_cli_hear(char *out, size_t size)
{
    heard = out;
    heard_size = size;
    if (out) {
        out[0] = '\0';
    }
}

int oct_cli_complain(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (heard) {
        vsnprintf(heard, heard_size, format, values);
    } else {
        say("octant:", format, values);
    }
    va_end(values);
    return CLI_BAD;
}

void oct_cli_warn(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    say("octant: warning:", format, values);
    va_end(values);
}

int oct_cli_check(const char *who, oct_result result)
{
    return result == OCT_OK ? CLI_YES : oct_cli_complain("%s: %s", who, oct_result_text(result));
}

int oct_cli_check_file(const char *path, oct_result result, const oct_error *error)
{
    const char *const message = error->message[0] ? error->message : oct_result_text(result);
    if (result == OCT_OK) {
        return CLI_YES;
    }
    if (error->line > 0) {
        return oct_cli_complain("%s:%u:%u: %s", path, error->line, error->column, message);
    }
    if (result == OCT_ERROR_FORMAT && error->offset > 0) {
        return oct_cli_complain("%s: byte %llu: %s", path, (unsigned long long)error->offset,
                                message);
    }
    return oct_cli_complain("%s: %s", path, message);
}

// ---- stdout ----

int oct_cli_finish(int code)
{
    errno = 0;
    const bool arrived = fflush(stdout) == 0 && !ferror(stdout);
    if (arrived || code == CLI_BAD) {
        return code;
    }
    return oct_cli_complain("standard output: %s", errno ? strerror(errno) : "cannot be written");
}

// The text up to the bracket that closes an array, if that holds numbers alone; else NULL.
static const char *end_of_numbers(const char *array)
{
    const char *const end = array + strspn(array, "[ \n,+-.0123456789eE");
    return *end == ']' && !memchr(array + 1, '[', (size_t)(end - array - 1)) ? end : NULL;
}

// A character of a JSON string that is more than ASCII; what steers a terminal is escaped. Returns
// its last byte.
static const char *print_character(const char *text)
{
    const char *next = text;
    const uint32_t c = oct_words_next(&next);
    if (oct_words_is_plain(c) || c > 0xffff) {
        fwrite(text, 1, (size_t)(next - text), stdout);
    } else {
        printf("\\u%04x", (unsigned)c);
    }
    return next - 1;
}

// Prints indented JSON, but arrays of numbers on one line: points are many.
static void print_indented(const char *text)
{
    for (bool in_string = false; *text; text++) {
        if ((unsigned char)*text >= 0x7f) {
            text = print_character(text);
            continue;
        }
        in_string ^= *text == '"';
        if (in_string && *text == '\\') {
            putchar(*text++);
        }
        const char *const end = !in_string && *text == '[' ? end_of_numbers(text) : NULL;
        for (; end && text < end; text++) {
            if (*text != '\n' && (*text != ' ')) {
                putchar(*text);
            }
            if (*text == ',') {
                putchar(' ');
            }
        }
        putchar(*text);
    }
}

// Whether it arrives is for oct_cli_finish to find out.
int oct_cli_print_json(json_t *object)
{
    char *const text = object ? json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(object);
    if (!text) {
        return oct_cli_complain("%s", oct_result_text(OCT_ERROR_MEMORY));
    }
    print_indented(text);
    printf("\n");
    free(text);
    return CLI_YES;
}

json_t *oct_cli_json_join(json_t *object, json_t *more)
{
    if (json_object_update(object, more) != 0) {
        json_decref(object);
        object = NULL;
    }
    json_decref(more);
    return object;
}

// ---- terminal ----

const char *oct_cli_style(FILE *stream, cli_style style)
{
    static const char *const codes[CLI_STYLE_COUNT] = {
        [CLI_PLAIN] = "\033[0m",
        [CLI_BOLD] = "\033[1m",
        [CLI_GREEN] = "\033[32m",
        [CLI_RED] = "\033[31m",
    };
    const char *const no_color = getenv("NO_COLOR");
    const char *const term = getenv("TERM");
    const bool wanted = !(no_color && no_color[0]) && term && strcmp(term, "dumb") != 0;
    return wanted && isatty(fileno(stream)) ? codes[style] : "";
}

void oct_cli_printf(cli_style style, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs(oct_cli_style(stdout, style), stdout);
    vprintf(format, values);
    fputs(oct_cli_style(stdout, CLI_PLAIN), stdout);
    va_end(values);
}

void oct_cli_progress(const char *what, size_t done, size_t total)
{
    if (!isatty(STDERR_FILENO)) {
        return;
    }
    if (done >= total) {
        fprintf(stderr, "\r%*s\r", BAR_WIDTH + 48, "");
        return;
    }
    char bar[BAR_WIDTH + 1];
    memset(bar, ' ', BAR_WIDTH);
    memset(bar, '#', done * BAR_WIDTH / total);
    bar[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %3zu%% %-40.40s", bar, done * 100 / total, CLI_SHOWN(what));
    fflush(stderr);
}

static double clock_ms(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

double oct_cli_now_ms(void)
{
    return clock_ms(CLOCK_THREAD_CPUTIME_ID);
}

cli_time oct_cli_time(double us)
{
    if (us < 1e3) {
        return (cli_time){us, "us"};
    }
    return us < 1e6 ? (cli_time){us * 1e-3, "ms"} : (cli_time){us * 1e-6, "s"};
}

double oct_cli_wall_ms(void)
{
    return clock_ms(CLOCK_MONOTONIC);
}
