// SPDX-License-Identifier: MIT
// Games of other programs, for commands that play: `--game tcp:HOST:PORT` or `--game exec:COMMAND`.
//
// Each worker has a place of its own. A place opens games and lends them to one life after the
// other. A game that can begin anew is kept and reset: behind `tcp:` whenever it has a reset,
// behind `exec:` only if a reset gives the same bits as a new process. Any other is opened anew.
#ifndef OCTANT_CLI_GAMES_H
#define OCTANT_CLI_GAMES_H

#include "cli/cli_internal.h"
#include "octant/play_test.h"

#define CLI_GAME_OPTION                                                                            \
    CLI_PARAM_TEXT("game", "GAME", NULL,                                                           \
                   "play this game: tcp:HOST:PORT, exec:COMMAND, or lab:HOST:PORT")
#define CLI_PATIENCE_OPTION                                                                        \
    CLI_PARAM_REAL("patience", "S", "30", 0.001, 86400, "of --game: seconds to wait for an answer")

// Complains about a game that cannot be played, in one line: makes one of the trouble.
int oct_cli_complain_game(const char *text, char *trouble);

typedef struct cli_games cli_games;

// Complains about a text that names no game. `memory`: bytes that what is told of each may take.
int oct_cli_games_open(const char *command, const cli_value *game, const cli_value *patience,
                       uint64_t memory, cli_games **out);
// Ends all games; NULL is allowed. Nobody may play any more.
void oct_cli_games_close(cli_games *games);

// How many workers may play at a time, at most so many: one behind a connection.
uint32_t oct_cli_games_workers(const cli_games *games, uint32_t most);

// Makes the places, and opens the first game: complains where that fails.
int oct_cli_games_begin(cli_games *games, uint32_t workers);

// Where the games of a worker come from; opens one, where it is not known yet how fast they tick.
const oct_game_source *oct_cli_games_source(cli_games *games, uint32_t worker);

// Whether the last game of a worker refused to begin as its test says: it has no such level, or no
// room for a body there.
bool oct_cli_games_refused(const cli_games *games, uint32_t worker);

// The end of what the process of its last game has written; "" where there is none. Valid until the
// worker plays again.
const char *oct_cli_games_output(const cli_games *games, uint32_t worker);

#endif
