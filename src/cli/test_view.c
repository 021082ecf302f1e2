// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "cli/test_view.h"
#include "cli/view_session.h"
#include "view/page.h"

#include <stdlib.h>
#include <time.h>

#define GONE_TURNS 6 // of about half a second without a page, after which it is closed

struct test_view {
    view_session session;
    view_server *server;
    pthread_t thread;
    atomic_bool ends;
};

void *oct_test_view_of(test_view *view, size_t test)
{
    return &view->session.items[test].live;
}

bool oct_test_view_write(void *ctx, const void *data, size_t size)
{
    oct_cli_view_append(ctx, data, size);
    return true;
}

static void *serve(void *arg)
{
    test_view *const view = arg;
    while (!atomic_load(&view->ends)) {
        oct_view_server_serve(view->server);
    }
    return NULL;
}

static void sleep_ms(long ms)
{
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    (void)nanosleep(&time, NULL);
}

static int wait_for_page(test_view *view)
{
    while (!atomic_load(&view->session.is_asked)) {
        if (oct_cli_is_stopped()) {
            return CLI_INTERRUPTED;
        }
        sleep_ms(20);
    }
    return CLI_YES;
}

static int begin(const test_session *s, test_view *view)
{
    const view_server_def def = {.answer = oct_cli_view_answer, .ctx = &view->session};
    const char *why;
    CLI_TRY(oct_cli_view_begin(&view->session));
    for (size_t i = 0; i < s->count; i++) {
        const script_test test = oct_script_test(s->items[i].script, s->items[i].test);
        CLI_TRY(oct_cli_view_add_live(&view->session, test.name));
    }
    view->server = oct_view_server_create(&def, &why);
    if (!view->server) {
        return oct_cli_complain("test: %s", why);
    }
    // Standard output belongs to the report.
    fprintf(stderr, "octant: watch it at %s\n", oct_view_server_url(view->server));
    if (pthread_create(&view->thread, NULL, serve, view) != 0) {
        oct_view_server_destroy(view->server);
        view->server = NULL;
        return oct_cli_complain("test: the system starts no thread");
    }
    return wait_for_page(view);
}

static void end(test_view *view)
{
    atomic_store(&view->ends, true);
    if (view->server) {
        oct_view_server_wake(view->server);
        pthread_join(view->thread, NULL);
        oct_view_server_destroy(view->server);
    }
    oct_cli_view_close(&view->session);
    free(view);
}

int oct_test_view_open(const test_session *s, test_view **out)
{
    *out = NULL;
    if (oct_view_file_count == 0) {
        return oct_cli_complain("test: this octant was built without npm, and so without the page "
                                "of --view");
    }
    if (s->count > VIEW_ITEMS_MAX) {
        return oct_cli_complain("test: --view is for at most %d tests; --filter chooses some",
                                VIEW_ITEMS_MAX);
    }
    test_view *const view = calloc(1, sizeof *view);
    if (!view) {
        return oct_cli_check("test", OCT_ERROR_MEMORY);
    }
    oct_cli_catch_signals();
    const int code = begin(s, view);
    oct_cli_release_signals();
    if (code == CLI_YES) {
        *out = view;
    } else {
        end(view);
    }
    return code;
}

void oct_test_view_close(test_view *view)
{
    if (!view) {
        return;
    }
    fprintf(stderr, "octant: the page is served until it is closed; Ctrl-C ends it\n");
    oct_cli_catch_signals();
    for (int gone = 0; gone < GONE_TURNS && !oct_cli_is_stopped();) {
        sleep_ms(500);
        gone = oct_view_server_clients(view->server) > 0 ? 0 : gone + 1;
    }
    oct_cli_release_signals();
    end(view);
}
