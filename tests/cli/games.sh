#!/bin/sh
# SPDX-License-Identifier: MIT
# octant test --game, serve and game check: the same runs over the wire, games that break, and no
# process left behind.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"
unset OCTANT_CONNECT OCTANT_PORT
server=
trap 'if [ "$server" ]; then kill "$server" 2>/dev/null; fi; rm -rf "$work"' EXIT

mkdir worlds scripts
cp "$source/worlds/three_doors.json" "$source/worlds/door_and_button.json" worlds
cat >scripts/some.lua <<'END'
world "worlds/three_doors.json"
test("Button1 can be pressed", { view = 15 }, function()
  return SEQ { close_to_button "Button1", press_button "Button1" }
end)
world "door_and_button.json"
test("the room is seen", function() return explore() end)
test("it moves late", { delay = { 20, 100 }, turns = 40, expect = "inconclusive" }, function()
  return explore()
end)
END
exec="exec:'$octant' serve --protocol octant"

# ---- the same over the wire ----

cp worlds/door_and_button.json scripts # as the script finds it in process; unique below the root
rm worlds/door_and_button.json
works test scripts --json
what_came out >in_process
works test scripts --json --game "$exec"
is_json
what_came out >wire
cmp -s in_process wire || {
    diff in_process wire >out
    fail 'runs over exec: differ from those in process'
}
nobody_is_left "$work.*serve"

"$octant" serve worlds/three_doors.json --port 0 >port 2>err &
server=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ -s port ] || sleep 0.3
done
port=$(sed -n 's/^listening on 127.0.0.1://p' port)
[ "$port" ] || fail 'serve does not tell its port'
works test scripts --json --game "tcp:127.0.0.1:$port"
equals "$(field threads)" 1
what_came out >wire
cmp -s in_process wire || fail 'runs over tcp: differ from those in process'
works explore --game "tcp:$port" --cell 0.5 --json
equals "$(field status)" '"explored"'
kill "$server"
wait "$server" 2>/dev/null
server=

# ---- a game that runs by itself ----

# The seconds of the game take their time: a twentieth of it on the clock.
works test scripts/some.lua --filter pressed --json --game "exec:'$octant' serve --speed 20"
equals "$(field passed)" 1
[ "$(awk -F'[:,]' '/^  "game_s"/ { g = $2 } /^  "wall_ms"/ { w = $2 } END { print (w >= g * 1000 / 20) }' out)" = 1 ] ||
    fail 'the game ran faster than it was to'
grep -q '"hash": "0000000000000000"' out && fail 'no hash of a game that runs by itself'
works game check "exec:'$octant' serve worlds/three_doors.json --speed 100" --json
equals "$(field repeats)" false
for speed in 0 1001 1/0 1/1001 2x 0.5 ''; do
    refuses "serve: --speed is max, N or 1/N, with N from 1 to 1000, not '$speed'" \
        serve worlds/three_doors.json --speed "$speed"
done

# ---- which levels serve opens ----

cat >scripts/away.lua <<'END'
world "/etc/passwd"
test("absolute", function() return explore() end)
world "../x.json"
test("above", function() return explore() end)
world "rooms"
test("none", function() return explore() end)
world "three_doors.json"
test("there", { turns = 3, expect = "inconclusive" }, function() return explore() end)
END
expect 2 test scripts/away.lua --game "$exec"
says '1 passed, 0 failed, 0 inconclusive, 3 errors'
says "there is no level '/etc/passwd', or more than one, below"
says "the game answered 'range'"
equals "$(cat err)" "octant: scripts/away.lua:2: absolute: /etc/passwd cannot be played: the game answered 'range': there is no level '/etc/passwd', or more than one, below $(pwd -P); and 2 more"
rm scripts/away.lua
refuses "serve: WORLD is missing; without it, 'octant test --game \"exec:octant serve --protocol octant\"' starts this command and names the levels" serve

# ---- a script without a world ----

cat >own.lua <<'END'
test("the room is seen", function() return explore() end)
END
works test own.lua --game "exec:'$octant' serve worlds/three_doors.json"
refuses "own.lua:1: test: no world: say world 'path' before it, or among its options" test own.lua

# ---- games that cannot be opened ----

refuses "test: --game is tcp:HOST:PORT, exec:COMMAND or lab:HOST:PORT, not 'udp:1'" test own.lua --game udp:1
refuses "exec:nothing_of_that_name: there is no program 'nothing_of_that_name'" \
    test own.lua --game exec:nothing_of_that_name
expect 2 test own.lua --game 'exec:false'
grep -q 'the game has ended with exit code 1 before it connected' err || fail 'how it ended'
expect 2 test own.lua --game tcp:127.0.0.1:1
grep -q 'nobody answers at 127.0.0.1:1' err || fail 'nobody answers'
expect 2 game check exec:false

command -v python3 >/dev/null || exit 0
export PYTHONDONTWRITEBYTECODE=1

# ---- games that break ----

# A proxy in front of serve that dies, or falls silent, with the line whose number is given.
cat >breaks.py <<'END'
import os, socket, subprocess, sys, time
what, at, octant = sys.argv[1], int(sys.argv[2]), sys.argv[3]
host, port = os.environ.pop("OCTANT_CONNECT").split(":")
ours = socket.create_server(("127.0.0.1", 0))
os.environ["OCTANT_CONNECT"] = "127.0.0.1:%d" % ours.getsockname()[1]
child = subprocess.Popen([octant, "serve", "worlds/three_doors.json"])
there = ours.accept()[0].makefile("rwb")
here = socket.create_connection((host, int(port))).makefile("rwb")
print("marks", os.getpid(), flush=True)
for number, line in enumerate(here):
    if number == at:
        print("now it happens", flush=True)
        if what == "dies":
            os._exit(3)
        if what == "silent":
            time.sleep(1000)
        here.write(b'{"n":1,"tick":[[[\n')
        here.flush()
        continue
    there.write(line)
    there.flush()
    here.write(there.readline())
    here.flush()
END
cat >two.lua <<'END'
test("first", { expect = "fail" }, function() return explore() end)
test("second", function() return explore() end)
END
for what in dies silent garbage; do
    expect 1 test two.lua --threads 1 --patience 1 --game "exec:python3 '$work/breaks.py' $what 30 '$octant'"
    says '0 passed, 0 failed, 0 inconclusive, 2 errors'
    says 'note: the last exchange: > {"n":'
    says 'game: now it happens'
    nobody_is_left "$work/breaks[.]py"
    nobody_is_left "$octant serve worlds/three"
done
expect 1 test two.lua --threads 1 --game "exec:python3 '$work/breaks.py' dies 30 '$octant'" --junit j.xml --html h.html
says 'the game has ended with exit code 3'
grep -q 'now it happens' j.xml || fail 'no output in JUnit'
grep -q 'now it happens' h.html || fail 'no output in HTML'

# Ctrl-C: what is played is interrupted, and the game ends.
"$octant" test own.lua --game "exec:python3 '$work/breaks.py' silent 30 '$octant'" >out 2>err &
server=$!
sleep 2
kill -TERM "$server"
code=0
wait "$server" || code=$?
server=
equals "$code" 143
says 'interrupted'
nobody_is_left "$work/breaks[.]py"

# ---- what is wrong with an adapter ----

# As a file of this test's own: others run it too, at the same time.
cp "$source/tests/faulty_game.py" .
export PYTHONPATH="$source/adapters/python"
works game check "exec:python3 '$work/faulty_game.py'" --json
is_json
equals "$(field repeats)" true
for fault in ids_change entities_jump tick_differs no_geometry inside_out too_fast since_lost \
    act_ignored reset_differs silent; do
    expect 1 game check "exec:python3 '$work/faulty_game.py' --fault $fault" --patience 2
    says "fault    $fault: "
    says '1 fault'
done
works game check "$exec" --world worlds/three_doors.json
nobody_is_left "$work/faulty_game[.]py"
