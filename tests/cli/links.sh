#!/bin/sh
# SPDX-License-Identifier: MIT
# octant links: levels of our own and generated ones against the links in their files, in process
# and over the wire. OCTANT_SOAK: more generated levels. With the test data: two levels of the
# contest at ten times the game's speed.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"
command -v python3 >/dev/null || {
    echo 'skipped: there is no python3'
    exit 77
}
server=
end() {
    if [ "$server" ]; then kill "$server" 2>/dev/null; fi
    server=
}
trap 'end; rm -rf "$work"' EXIT
levels=$source/worlds/lab

# begin SPEED: a server, whose port is in `port`.
begin() {
    end
    rm -f port
    "$octant" serve --protocol lab --port 0 --speed "$1" >port 2>serve_err &
    server=$!
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ -s port ] || sleep 0.2
    done
    port=$(sed -n 's/^listening on 127.0.0.1://p' port)
    [ "$port" ] || fail 'the server does not tell its port'
}

# Compares a result with the links of a level's file: none is wrong, and none is missing that is not
# undecided with a reason. With `all` none is undecided, the agent lives, and it took no longer than
# the contest allows.
cat >judge.py <<'END'
import json
import sys
level, result, how = sys.argv[1:]
truth = set()
for row in open(level).read().split("|")[0].splitlines():
    cells = [c for c in row.strip().split(",") if c]
    truth |= {(cells[0], door) for door in cells[1:]}
told = json.load(open(result))
links = {(l["button"], l["door"]) for l in told["links"]}
undecided = {(l["button"], l["door"]) for l in told["undecided"]}
assert not links - truth, ("wrong", links - truth)
assert not truth - links - undecided, ("missing", truth - links - undecided)
assert all(l["why"] for l in told["undecided"]) and all(l["how"] for l in told["links"])
if how == "all":
    assert links == truth, ("undecided", truth - links)
    assert told["health"] > 0
    assert told["game_s"] < told["buttons"] * told["doors"] * 10, told["game_s"]
END

# finds LEVEL HOW ARGUMENT...
finds() {
    level=$1
    how=$2
    shift 2
    "$octant" links "$level" --json "$@" >out 2>err
    [ $? -lt 2 ] || fail "links $level $*"
    python3 judge.py "$level" out "$how" || fail "links $level $*: not what its file says"
}

works links "$levels/button_and_door.csv" --agent agent1 --csv links.csv
says 'button1 toggles door1: 2 sightings, 1 press of the button'
[ "$(cat links.csv)" = button1,door1 ] || fail 'links.csv'
works links "$levels/through_fire.csv" --agent agent1
says 'only through fire'
works links "$levels/tower.csv" --agent agent1
says '3 buttons, 3 doors, 3 links, 0 undecided'

seeds='1 2 5'
[ -z "${OCTANT_SOAK:-}" ] || seeds=$(seq 1 60)
for seed in $seeds; do
    works gen lab -o level.csv --seed "$seed" --rooms 4 --storeys $((1 + seed % 2)) --doors 3 \
        --buttons 6 --fires 3
    finds level.csv some --agent agent1
done

cp "$levels/button_and_door.csv" "$levels/closing_fence.csv" .
begin max
finds button_and_door.csv all --agent agent1 --game "lab:$port*max"
begin 10
finds closing_fence.csv all --agent agent1 --game "lab:127.0.0.1:$port*10"
contest=${OCTANT_DATA_LAB:-$source/../shared/data}/labrecruits/gym/contest
for level in CR3_1_1 OR3_2_1; do
    if [ -f "$contest/$level.csv" ]; then
        finds "$contest/$level.csv" all --game "lab:$port*10"
    else
        echo "skipped: there is no $level"
    fi
done

refuses "button_and_door.csv: there is no agent 'agent0'; --agent names another" \
    links button_and_door.csv
refuses "links: --game is lab:HOST:PORT, not 'tcp:1'" links button_and_door.csv --game tcp:1
expect 2 links nothing.csv
