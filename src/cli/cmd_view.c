// SPDX-License-Identifier: MIT
// octant view: a page that shows maps, worlds and what agents did.
#include "cli/cli_internal.h"
#include "cli/view_session.h"
#include "view/page.h"

#include <signal.h>
#include <spawn.h>
#include <stdlib.h>

extern char **environ;

enum {
    VIEW_PORT = CLI_WORLD_OPTION_COUNT,
    VIEW_NO_OPEN,
    VIEW_LABORATORY,
    VIEW_DEMO,
    VIEW_OPTION_COUNT
};

// With what the desktop opens pages; where there is none, the address is printed all the same.
static void open_page(const char *url)
{
    char program[] = "xdg-open", address[VIEW_URL_MAX];
    char *words[] = {program, address, NULL};
    pid_t child;
    snprintf(address, sizeof address, "%s", url);
    if ((getenv("DISPLAY") || getenv("WAYLAND_DISPLAY")) &&
        posix_spawnp(&child, program, NULL, NULL, words, environ) == 0) {
        (void)signal(SIGCHLD, SIG_IGN); // it is not waited for
    }
}

static int serve(const cli_args *args, view_session *session)
{
    const char *why;
    const view_server_def def = {.port = (uint32_t)args->options[VIEW_PORT].integer,
                                 .answer = oct_cli_view_answer,
                                 .ctx = session};
    view_server *const server = oct_view_server_create(&def, &why);
    if (!server) {
        return oct_cli_complain("view: %s", why);
    }
    const char *const url = oct_view_server_url(server);
    int code = CLI_YES;
    if (args->json) {
        code = oct_cli_print_json(json_pack("{s:s}", "url", url));
    } else {
        printf("%s\n", url);
    }
    fflush(stdout);
    if (!args->options[VIEW_NO_OPEN].given) {
        open_page(url);
    }
    oct_cli_catch_signals();
    while (code == CLI_YES && !oct_cli_is_stopped()) {
        oct_view_server_serve(server);
    }
    oct_cli_release_signals();
    oct_view_server_destroy(server);
    return code;
}

static int run_view(const cli_args *args)
{
    static view_session session; // larger than a stack may be
    if (oct_view_file_count == 0) {
        return oct_cli_complain("view: this octant was built without npm, and so without its page");
    }
    const bool is_lab = args->options[VIEW_LABORATORY].given;
    const bool is_demo = args->options[VIEW_DEMO].given;
    if (is_demo && (is_lab || args->many_count > 0)) {
        return oct_cli_complain("view: --quadtree is for no file, and without --lab");
    }
    if (is_lab && args->many_count > 1) {
        return oct_cli_complain("view: --lab is for one file, or none");
    }
    if (args->many_count == 0 && !is_lab && !is_demo) {
        return oct_cli_complain("view: FILE is missing; 'octant view --help' says more");
    }
    int code = is_demo  ? oct_cli_view_quadtree(&session)
               : is_lab ? oct_cli_view_lab(&session, args->many_count > 0 ? args->many[0] : NULL,
                                           args->files)
                        : oct_cli_view_open(&session, args->options, args->many, args->many_count);
    if (code == CLI_YES) {
        code = serve(args, &session);
    }
    oct_cli_view_close(&session);
    return code;
}

static const cli_param view_operands[] = {
    {.name = "FILE",
     .kind = CLI_FILE,
     .many = true,
     .help = "maps, meshes, worlds (as for 'map info'), and traces: .jsonl"},
};

static const cli_param view_options[VIEW_OPTION_COUNT] = {
    CLI_WORLD_OPTIONS,
    [VIEW_PORT] = CLI_PARAM_INTEGER("port", "N", "0", 0, 65535, "serve there; 0: at a free one"),
    [VIEW_NO_OPEN] = CLI_PARAM_FLAG("no-open", "print the address, and open nothing"),
    [VIEW_LABORATORY] = CLI_PARAM_FLAG(
        "lab", "the laboratory: a flat map to draw in; FILE: a .map or .json for it"),
    [VIEW_DEMO] = CLI_PARAM_FLAG("quadtree", "a demo: a quadtree that grows with what is seen"),
};

const cli_command oct_cmd_view = {
    .name = "view",
    .summary = "shows maps, worlds and replays on a page in a browser",
    .details =
        "  The command serves the page itself, at 127.0.0.1, until a signal ends it (Ctrl-C). Its\n"
        "  address holds a random word: whoever does not have it sees nothing. No network is "
        "needed.",
    .operands = view_operands,
    .operand_count = sizeof view_operands / sizeof view_operands[0],
    .options = view_options,
    .option_count = VIEW_OPTION_COUNT,
    .run = run_view,
};
