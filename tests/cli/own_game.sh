#!/bin/sh
# SPDX-License-Identifier: MIT
# octant test --game exec: and tcp: with a game in Python: the example passes, its broken twin fails,
# and a repeated run is the same run.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"
command -v python3 >/dev/null || {
    echo 'skipped: no python3'
    exit 77
}
export PYTHONDONTWRITEBYTECODE=1
python=$source/adapters/python
game=
trap 'if [ "$game" ]; then kill "$game"; fi; rm -rf "$work"' EXIT

# ---- a process for each test ----

works test "$python/example_tests.lua" --game "exec:python3 '$python/example_game.py'" --json
is_json
equals "$(field passed)" 3
equals "$(field failed)" 0
equals "$(field inconclusive)" 0
equals "$(field errors)" 0

works test "$python/example_tests.lua" --game "exec:python3 '$python/example_game.py'" --repeat 2

works test "$python/walking_tests.lua" --game "exec:python3 '$python/example_game.py'" --repeat 2
says '4 passed, 0 failed, 0 inconclusive, 0 errors'

expect 1 test "$python/broken_tests.lua" --game "exec:python3 '$python/broken_game.py'"
says '  FAIL '
says 'beyond Door, which no known button opens; Button moves no known door'
says '0 passed, 1 failed, 0 inconclusive, 0 errors'

# ---- a level that the game does not have ----

cat >attic.lua <<'END'
world "attic"
test("nobody gets there", function() return took "Coin" end)
world "rooms"
test("the coin", function() return took "Coin" end)
END
expect 2 test attic.lua --game "exec:python3 '$python/example_game.py'"
says "attic cannot be played: the game answered 'range': there is no level 'attic'"
says '1 passed, 0 failed, 0 inconclusive, 1 error'
equals "$(cat err)" "octant: attic.lua:2: nobody gets there: attic cannot be played: the game answered 'range': there is no level 'attic'"

# ---- bounds that are not told ----

# Geometry gives the level bounds, so that what is sealed in it is certainly so. Without either nobody
# knows where the level ends.
export PYTHONPATH="$python"
cat >endless.py <<'END'
import sys
import octant
from broken_game import BrokenRooms

class Endless(BrokenRooms):
    def describe(self):
        told = super().describe()
        del told["rules"]["bounds"]
        return told

class Bare(Endless):
    geometry = property()

    def entities(self, who):
        walls = [{**part, "kind": "solid"} for part in super(Endless, self).geometry()]
        return walls + super().entities(who)

octant.run(Bare if "bare" in sys.argv else Endless)
END
expect 1 test "$python/broken_tests.lua" --game "exec:python3 endless.py"
says 'beyond Door, which no known button opens; Button moves no known door'
says '0 passed, 1 failed, 0 inconclusive, 0 errors'
expect 1 test "$python/broken_tests.lua" --game "exec:python3 endless.py bare"
says '0 passed, 0 failed, 1 inconclusive, 0 errors'
says 'bounds of the level that the game promises'
expect 0 game check "exec:python3 endless.py"
says "'rules' has no 'bounds': they are taken to be around the geometry"
expect 0 game check "exec:python3 endless.py bare"
says "'rules' has no 'bounds': agents will look for ways out"

# ---- a game that waits for Octant ----

OCTANT_PORT=0 python3 "$python/example_game.py" >port &
game=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ -s port ] || sleep 0.5
done
port=$(sed -n 's/.*://p' port)
[ "$port" ] || fail 'the game does not tell its port'
works test "$python/example_tests.lua" --game "tcp:127.0.0.1:$port"
says '3 passed, 0 failed, 0 inconclusive, 0 errors'

# ---- what is wrong with an adapter ----

works game check "exec:python3 '$source/tests/faulty_game.py'"
