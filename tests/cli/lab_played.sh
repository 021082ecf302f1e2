#!/bin/sh
# SPDX-License-Identifier: MIT
# octant test and explore --game lab:...: against our own server, and against a stand-in for the
# real game that was written from the protocol's description alone.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"
unset OCTANT_CONNECT OCTANT_PORT
command -v python3 >/dev/null || {
    echo 'skipped: there is no python3'
    exit 77
}
tests=$source/tests
cp "$source"/worlds/lab/*.csv "$source/worlds/lab/lab.lua" .
server=
end() {
    if [ "$server" ]; then kill "$server" 2>/dev/null; fi
    server=
}
trap 'end; rm -rf "$work"' EXIT

# begin COMMAND...: a server, whose port is in `port`.
begin() {
    end
    rm -f port
    "$@" >port 2>err &
    server=$!
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ -s port ] || sleep 0.2
    done
    port=$(sed -n 's/^listening on 127.0.0.1://p' port)
    [ "$port" ] || fail 'the server does not tell its port'
}

# plays TEXT ARGUMENT...: octant test, whose output has that text.
plays() {
    text=$1
    shift
    "$octant" test "$@" >out 2>&1
    grep -q "$text" out || {
        cat out
        fail "octant test $*: no '$text'"
    }
}

cat >own.lua <<'END'
world "button_and_door.csv"
test("the button opens the door", { seconds = 60 }, function()
  return SEQ { interacted "button1", property("door1", "isOpen", true) }
end)
test("the same in the same game", { seconds = 60 }, function()
  return SEQ { interacted "button1", toggles("button1", "door1") }
end)
END
plays '2 passed' own.lua
plays '6 passed, 0 failed, 0 inconclusive' lab.lua
begin "$octant" serve --protocol lab --port 0 --speed max
plays '6 passed, 0 failed, 0 inconclusive' lab.lua --game "lab:$port*max"
plays '2 passed' own.lua --game "lab:127.0.0.1:$port*max"
"$octant" explore --game "lab:$port*max" candle.csv >out 2>&1
grep -q 'explored 100 %' out || fail 'explore does not get through the corridors'
begin "$octant" serve --protocol lab --port 0 --speed 10
plays '2 passed' own.lua --game "lab:$port*10"

cat >stub.lua <<'END'
world "stub.csv"
test("the button opens the door", { seconds = 60 }, function()
  return SEQ { interacted "b1", property("d1", "isOpen", true) }
end)
END
begin python3 "$tests/recruits_stub.py" 10
plays '1 passed' stub.lua --game "lab:$port*10"
if grep breach port; then fail 'the client does what the game does not stand'; fi

# What goes wrong is told, and ends in time.
for fault in 'hang:did not answer within' 'close:has closed the connection' \
    "garbage:cannot be read" 'twice:answered more than it was asked' 'index:no vertex of the mesh' \
    'huge:too many brackets'; do
    begin python3 "$tests/recruits_stub.py" 10 "${fault%%:*}" 6
    plays "${fault#*:}" stub.lua --game "lab:$port*10" --patience 1
done
begin python3 "$tests/recruits_stub.py" 10
cat >other.lua <<'END'
test("no level", {}, function() return explore() end)
END
plays 'no level is named' other.lua --game "lab:$port*10"
end

expect 2 test stub.lua --game lab:1 --patience 0.1
grep -q 'nobody answers at 127.0.0.1:1' err || fail 'nobody answers'
refuses "lab:1*0: '1*0': behind the star stands a speed or max" test stub.lua --game 'lab:1*0'
refuses "game check: a game is tcp:HOST:PORT or exec:COMMAND, not 'lab:1'" game check lab:1
