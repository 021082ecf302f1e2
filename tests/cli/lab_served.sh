#!/bin/sh
# SPDX-License-Identifier: MIT
# octant serve --protocol lab, tried by a client that was written from the protocol's description
# alone.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"
unset OCTANT_CONNECT OCTANT_PORT
command -v python3 >/dev/null || {
    echo 'skipped: there is no python3'
    exit 77
}
server=
trap 'if [ "$server" ]; then kill "$server" 2>/dev/null; fi; rm -rf "$work"' EXIT

mkdir levels
cat >levels/square.csv <<'END'
button0,,,,,,,,,
|w,w,w,w,w,w,w,w,w,w
w,f:a^agent0,f,f,f,f,f,f,f,w
w,f,f,f,f,f,f,f,f,w
w,f,f,f,f,f:b^button0,f,f,f,w
w,f,f,f,f,f,f,f,f,w
w,f,f,f,f,f,f,f,f,w
w,f:a^agent1,f,f,f,f,f,f,f,w
w,w,w,w,w,w,w,w,w,w
END
cat >levels/things.csv <<'END'
b1,d1
cb1,screen
b1,orc
|w,w,w,w,w,w,w,w,w
w,f:a^agent0,f:b^b1,f,f,f,f:d>e^d1,f,w
w,f,f:cb#ff0000^cb1,f,f,f,f:dhf,f:g^flag,w
w,f,f,f,f,f,f,f,w
w,f,f:c,f,f:npc^guard,f,f:m^orc,f,w
w,f,f,f,f,f,f,f:cs>s^screen,w
w,w,w,w,w,w,w,w,w
END
cat >levels/door.csv <<'END'
button1,door1,,,,,
|w,w,w,w,w,w,w
w,f,f,f,f,f,w
w,f,f:a^agent1,f,f:b^button1,f,w
w,f,f,f,f,f,w
w,w,f:d>n^door1,w,w,w,w
w,w,f,w,w,w,w
w,w,w,w,w,w,w
END
cat >levels/storeys.csv <<'END'
w,w,w,w,w,w,w
f,f:a^agent0,f:r>e,,,,
w,w,w,w,w,w,w
|,,,,,,
,,,r>e,,,
,,,,,,
|,,,,,,
,,,,r>e,,
,,,,,,
|,,,,,,
,,,,,f,f
,,,,,,
END
cat >levels/fire.csv <<'END'
w,w,w,w,w,w,w
w,f:a^agent0,f:dhf,f,f,f:g^Finish,w
w,w,w,w,w,w,w
END

# begin ARGUMENT...: a server, whose port is in `port`.
begin() {
    rm -f "$work/port"
    "$octant" serve --protocol lab --port 0 "$@" >"$work/port" 2>"$work/err" &
    server=$!
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ -s "$work/port" ] || sleep 0.3
    done
    port=$(sed -n 's/^listening on 127.0.0.1://p' "$work/port")
    [ "$port" ] || fail 'serve does not tell its port'
}

end() {
    kill -TERM "$server"
    code=0
    wait "$server" || code=$?
    server=
    [ "$code" -eq 143 ] || fail "the server ends with $code"
}

# play TEST...: the client against that server; "" = all of its tests.
play() {
    # shellcheck disable=SC2086 # no argument for ""
    python3 "$source/tests/recruits_client.py" "$port" "$work/levels" $1 >out 2>>err ||
        fail "the client fails: ${1:-all}"
}

# ---- time by the clock, and by commands ----

begin --speed 20
play ''
says '12 tests passed'
end
begin --speed max levels/square.csv
play 'test_observation test_press_and_pass test_storeys test_fire_and_end test_split_and_joined'
end

# ---- a day of the game ----

# Takes a minute or two: a part of make soak.
if [ "${OCTANT_SOAK:-}" ]; then
    begin --speed max
    python3 "$source/tests/recruits_soak.py" "$port" "$server" 24 "$work/levels/things.csv" \
        "$source/worlds/lab/"*.csv >out 2>>err || fail 'the soak fails'
    cat out
    end
fi

# ---- which levels ----

# Without --root any file may be named; a path of another machine is found by its last part.
cd levels || exit 2
begin
cat >"$work/ask.py" <<'END'
import json, socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=float(sys.argv[3]))
s.sendall((json.dumps({"cmd": "INIT", "arg": {"level_path": sys.argv[2]}}) + "\n").encode())
try:
    print(len(json.loads(s.makefile().readline())["vertices"]))
except OSError:
    print("silent")
END
[ "$(python3 "$work/ask.py" "$port" 'C:\somewhere\fire.csv' 20)" -gt 4 ] || fail 'by its last part'
end
cd .. || exit 2
mkdir below
cp levels/fire.csv below/inside.csv
begin --root below
[ "$(python3 "$work/ask.py" "$port" "$work/below/inside.csv" 20)" -gt 4 ] || fail 'below the root'
[ "$(python3 "$work/ask.py" "$port" "$work/levels/square.csv" 0.5)" = silent ] || fail 'beside it'
end

# ---- refusals ----

printf 'f:a^x\0' >zero.csv
refuses 'zero.csv:1:6: there is a byte 0: no text' serve zero.csv --protocol lab
refuses 'gone.csv: cannot open: No such file or directory' serve gone.csv --protocol lab
refuses "serve: --speed is max, N or 1/N, with N from 1 to 1000, not 'fast'" \
    serve levels/fire.csv --protocol lab --speed fast

# ---- generated levels ----

works gen lab -o made.csv --seed 5 --storeys 2 --doors 4 --fires 3
says '12 rooms, 4 doors, 6 buttons, '
says '; solvable'
works gen lab -o again.csv --seed 5 --storeys 2 --doors 4 --fires 3 --json
is_json
cmp -s made.csv again.csv || fail 'the same seed makes another level'
equals "$(field fires)" 3
works gen lab -o made.csv --unsolvable
says '; unsolvable'
refuses 'made.json: lab levels are written as .csv' gen lab -o made.json
refuses 'gen: --class is not for lab' gen lab -o made.csv --class rows
refuses 'gen: a lab level needs a button for each door: at least 3' gen lab -o made.csv --buttons 2
refuses 'gen: a lab level has at most one door less than rooms on each storey, 60 doors, 120 buttons, 200 rooms in all, and room for what is in them' gen lab -o made.csv --doors 6
begin made.csv
[ "$(python3 "$work/ask.py" "$port" "$work/made.csv" 20)" -gt 4 ] || fail 'a generated level'
end
