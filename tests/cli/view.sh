#!/bin/sh
# SPDX-License-Identifier: MIT
# octant view: what it refuses, and what it does to clients that keep no rule.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

printf 'type octile\nheight 4\nwidth 4\nmap\n....\n.@..\n....\n....\n' >flat.map
"$octant" view flat.map --no-open >url 2>err &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
tries=0
while [ ! -s url ] && kill -0 $server 2>/dev/null && [ $tries -lt 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
if grep -q 'without its page' err; then
    echo "skipped: the viewer was not built"
    exit 77
fi
grep -Eqx 'http://127\.0\.0\.1:[0-9]+/[0-9a-f]{32}/' url || fail "no address"
refuses "view: FILE is missing; 'octant view --help' says more" view --no-open
echo '{"no": "trace"}' >no.jsonl
refuses "no.jsonl:1: this is no trace" view no.jsonl --no-open
refuses "bench: --units is for swarm with --trace" bench --units 3
refuses "bench: --trace is for swarm" bench map --trace swarm.jsonl
refuses "bench: traces are written as .jsonl, not as 'swarm.txt'" bench swarm --trace swarm.txt
refuses "bench: there is no room for 100 units" bench swarm --trace swarm.jsonl --units 100 --map flat.map
for run in one two; do
    mkdir $run
    works bench swarm --trace $run/swarm.jsonl --units 40 --seconds 1 --size 16
done
diff -r one two || fail "another swarm"
[ "$(grep -c '"event": "places"' one/swarm.jsonl)" -eq 5 ] || fail "places of a swarm"
rm one/swarm.octant
refuses "one/swarm.octant: cannot open: No such file or directory" view one/swarm.jsonl --no-open
echo '{"octant_trace": 1, "task": "swarm", "map": "../one/swarm.octant"}' >no.jsonl
refuses "no.jsonl:1: 'map' must be the name of a file beside it" view no.jsonl --no-open
expect 2 view nothing.map --no-open
grep -q 'nothing.map' err || fail "a file that is not there"

# A second one has another token and another port; a port that is taken is said to be.
port=$(sed 's,.*1:\([0-9]*\)/.*,\1,' url)
refuses "view: that port cannot be had" view flat.map --no-open --port "$port"

if ! command -v python3 >/dev/null; then
    echo "skipped: the rest needs python3"
    exit 77
fi
refuses "view: --lab is for one file, or none" view --lab flat.map flat.map --no-open
echo '{}' >no.json
expect 2 view --lab no.json --no-open
kill $server
wait $server 2>/dev/null
rm url
refuses "view: --quadtree is for no file, and without --lab" view --quadtree flat.map --no-open
for kind in lab quadtree; do
    "$octant" view --$kind --no-open >url 2>err &
    server=$!
    while [ ! -s url ] && kill -0 $server 2>/dev/null; do
        sleep 0.1
    done
    python3 "$source/tests/view_client.py" "$(cat url)" $server $kind >out 2>&1 || fail "$kind"
    kill $server || fail "$kind is gone"
    wait $server 2>/dev/null
    [ ! -s err ] || fail "$kind complains"
    rm url
done
"$octant" gen boxes --output boxes.octant --size 256 >out
"$octant" view boxes.octant --no-open >url 2>err &
server=$!
while [ ! -s url ] && kill -0 $server 2>/dev/null; do
    sleep 0.1
done
python3 "$source/tests/view_client.py" "$(cat url)" $server >out 2>&1 || fail "clients"
kill -0 $server || fail "the server is gone"
[ ! -s err ] || fail "the server complains"
# Ctrl-C ends it.
kill -INT $server
wait $server || fail "it ends with $?"
exit 0
