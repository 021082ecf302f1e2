// SPDX-License-Identifier: MIT
// The live line of octant test: which test is played, how far its game is, what the agent thinks.
#define _DEFAULT_SOURCE
#include "base/words.h"
#include "cli/test.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define EVERY_MS 100.0
#define COLUMNS 80
#define LINE_BYTES 1024

static int columns(void)
{
    struct winsize size;
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20;
    return known ? size.ws_col : COLUMNS;
}

void oct_test_live_clear(test_session *s)
{
    if (s->drawn > 0) {
        fprintf(stderr, "\r%*s\r", s->drawn, "");
        fflush(stderr);
    }
    s->drawn = 0;
}

// Cuts a line after so many characters.
static void cut(char *line, int most)
{
    const char *at = line;
    for (int i = 0; i < most && *at; i++) {
        (void)oct_words_next(&at);
    }
    line[at - line] = '\0';
}

// The one that has been waited for longest.
static const test_worker *first_worker(const test_session *s)
{
    const test_worker *first = NULL;
    for (uint32_t i = 0; i < s->worker_count; i++) {
        const test_worker *const worker = &s->workers[i];
        if (worker->item && (!first || worker->item < first->item)) {
            first = worker;
        }
    }
    return first;
}

void oct_test_live_draw(test_session *s)
{
    const double now = oct_cli_wall_ms();
    const test_worker *const worker = first_worker(s);
    if (!isatty(STDERR_FILENO) || now - s->drawn_ms < EVERY_MS || !worker) {
        return;
    }
    char name[256], thought[TEST_THOUGHT_MAX], line[LINE_BYTES];
    cut(oct_words_copy(worker->item->report.name, name, sizeof name), columns() / 2);
    snprintf(line, sizeof line, "%zu/%zu  %s  %.1f s: %s", s->done, s->count, name,
             (double)worker->tick / worker->rate,
             oct_words_copy(worker->thought, thought, sizeof thought));
    cut(line, columns() - 1);
    oct_test_live_clear(s);
    fprintf(stderr, "\r%s", line);
    fflush(stderr);
    s->drawn = (int)oct_words_length(line);
    s->drawn_ms = now;
}
