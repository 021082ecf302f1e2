#!/bin/sh
# SPDX-License-Identifier: MIT
# Exploring: small worlds to their end, in every way; aims, limits, traces, and what is refused.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

# Two rooms and a hole between them, a lamp in the second, a chest nobody can see into, and a ship
# far away.
cat >rooms.json <<'END'
{
  "format": "octant-world", "version": 1, "name": "rooms", "up": "z",
  "start": {"position": [1.5, 1.5, 0.2], "forward": [1, 0, 0], "up": [0, 0, 1]},
  "types": [{"name": "wall"}, {"name": "lamp"}, {"name": "glass", "opaque": false}],
  "blocks": [
    {"id": 1, "type": "wall", "box": [-1, -1, -1, 10, 7, 0]},
    {"id": 2, "type": "wall", "box": [-1, -1, 3, 10, 7, 4]},
    {"id": 3, "type": "wall", "box": [-1, -1, 0, 0, 7, 3]},
    {"id": 4, "type": "wall", "box": [9, -1, 0, 10, 7, 3]},
    {"id": 5, "type": "wall", "box": [0, -1, 0, 9, 0, 3]},
    {"id": 6, "type": "wall", "box": [0, 6, 0, 9, 7, 3]},
    {"id": 7, "type": "wall", "box": [4, 0, 0, 4.5, 4, 3]},
    {"id": 8, "type": "lamp", "name": "Lamp1", "box": [6, 1, 1, 6.4, 1.4, 1.4]},
    {"id": "18000000000000000000", "type": "glass", "box": [1, 4, 0, 2, 4.1, 2]},
    {"id": 10, "type": "wall", "grid": 1, "box": [900, 0, 0, 910, 5, 5]}
  ]
}
END
rooms="rooms.json --body 0.5 --cell 0.25 --radius 3"
cat >flat.map <<'END'
type octile
height 6
width 12
map
............
.@@@@@.@@@..
.@...@.@.@..
.@.@.@.@@@..
.@...@......
.@@.@@......
END

# ---- the end ----

# shellcheck disable=SC2086 # many words
works explore $rooms --check --json
is_json
equals "$(field status) $(field differ) $(field strategy) $(field sight) $(field structure)" \
    '"explored" 0 "nearest" "line" "octree"'
equals "$(field reachable)" "$(field flood)"
for name in calls mean_call_us max_call_us looks observe_us planning_ms mapping_ms travelled open \
    blocked unknown things bytes obstacle_bytes frontier_bytes components_bytes planner_bytes nodes \
    grid_size cell radius; do
    [ -n "$(field $name)" ] || fail "no $name"
done
reachable=$(field reachable)
[ "$reachable" -gt 4000 ] || fail "only $reachable cells were reached"
equals "$(field things) $(field found) $(field trace_bytes)" "9 null null"
grep -q '"hidden": 0,' out || fail "something stayed hidden"
# The bounds are the rooms and three metres around them, not the ship.
grep -q '"min": \[-16, -16, -16\],' out || fail "the bounds begin elsewhere"
grep -q '"max": \[52, 40, 28\]' out || fail "the bounds end elsewhere"

# shellcheck disable=SC2086
works explore $rooms --check
says "rooms.json: explored: nothing that can be reached is unknown"
says "cells of $reachable that a flood of the world reaches: the same"
for word in calls looks travelled open blocked unknown reachable sealed walled frontier hidden \
    beyond map things planning; do
    grep -q "^  $word  *[0-9]" out || fail "no $word"
done

# Every way to explore comes to the same end.
for strategy in nearest gain random depth; do
    for sight in line through; do
        # shellcheck disable=SC2086
        works explore $rooms --check --json --strategy $strategy --sight $sight
        equals "$strategy $sight $(field status) $(field reachable) $(field differ)" \
            "$strategy $sight \"explored\" $reachable 0"
    done
done
# So do the baselines: they know the same cells as an octree that has seen the same.
for structure in grid set; do
    for sight in line through; do
        # shellcheck disable=SC2086
        works explore $rooms --check --json --structure $structure --sight $sight
        is_json
        equals "$structure $sight $(field status) $(field reachable) $(field differ)" \
            "$structure $sight \"explored\" $reachable 0"
        equals "$(field structure)" "\"$structure\""
        [ "$(field nodes)" -gt 4000 ] || fail "$structure: $(field nodes) nodes"
    done
done
# shellcheck disable=SC2086
works explore $rooms --structure grid --json
tr -d ' \n' <out | grep -q '"grid_size":\[[0-9]*,[0-9]*,[0-9]*\]' || fail "no grid_size"
# shellcheck disable=SC2086
works explore $rooms --structure set
grep -q "^  nodes  *[0-9]*  blocked cells of the set$" out || fail "no nodes of the set"
# shellcheck disable=SC2086
works explore $rooms --structure set --bounds 0,0,0,4,3,3 --check --json
equals "$(field status) $(field differ)" '"bounded" 0'
# shellcheck disable=SC2086
for how in "--grade fast" "--fov 90" "--step 0.5" "--seed 7 --strategy random" "--bounds none" \
    "--padding centre --sight through" "--radius 30"; do
    works explore $rooms $how --check --json
    equals "$how $(field status) $(field differ)" "$how \"explored\" 0"
done
# shellcheck disable=SC2086
works explore $rooms --bounds 0,0,0,4,3,3 --check --json
equals "$(field status) $(field differ)" '"bounded" 0'
grep -q '"beyond": [1-9]' out || fail "nothing lies beyond"
# shellcheck disable=SC2086
works explore $rooms --bounds 0,0,0,4,3,3
says "explored up to the bounds; beyond them there is more"

# ---- map files ----

works explore flat.map --from 0.5,0.5 --radius 3 --check --json
equals "$(field status) $(field differ) $(field reachable)" '"explored" 0 38'
works explore flat.map --from 8.5,2.5 --radius 3 --check --json
equals "$(field status) $(field reachable) $(field calls)" '"explored" 1 1'
works gen boxes -o boxes.octant --size 12 --seed 5
works map convert boxes.octant boxes.3dmap --unknown blocked
for file in boxes.octant boxes.3dmap; do
    for structure in octree grid set; do
        works explore $file --from 6.5,6.5,6.5 --radius 4 --check --json --structure $structure
        equals "$file $(field status) $(field differ)" "$file \"explored\" 0"
    done
done

# ---- aims and limits ----

# shellcheck disable=SC2086
{
    works explore $rooms --to 8,1,1 --json
    equals "$(field status)" '"arrived"'
    grep -q '"end": \[8.0, 1.0, 1.0\]' out || fail "it is not where it should be"
    works explore $rooms --to 8,1,1
    says "rooms.json: arrived"
    expect 1 explore $rooms --to 11,1,1 --json
    equals "$(field status)" '"unreachable"'
    for name in Lamp1 lamp; do
        works explore $rooms --find $name --json
        equals "$(field status)" '"arrived"'
        grep -q '"id": "8"' out || fail "the lamp is not found"
        grep -q '"name": "Lamp1"' out || fail "the lamp has no name"
    done
    expect 1 explore $rooms --calls 1 --json
    equals "$(field status) $(field calls)" '"budget" 1'
    expect 1 explore $rooms --distance 2 --step 0.5 --json
    equals "$(field status)" '"budget"'
    awk -v t="$(field travelled)" 'BEGIN { exit !(t >= 2 && t < 2.6) }' || fail "it went too far"
    expect 1 explore $rooms --calls 1 --check
    says "not the same"
    says "the limit came first"
}
# What is there, but cannot be seen.
sed 's/"id": 10, "type": "wall"/"id": 10, "type": "lamp", "name": "Lamp2"/' rooms.json >far.json
expect 1 explore far.json --body 0.5 --cell 0.25 --radius 3 --find Lamp2
says "nothing that is called 'Lamp2' was seen"

# ---- traces ----

mkdir files
# shellcheck disable=SC2086
works explore $rooms --trace files/one.jsonl --json
bytes=$(field trace_bytes)
equals "$bytes" "$(wc -c <files/one.jsonl | tr -d ' ')"
calls=$(field calls) looks=$(field looks)
# shellcheck disable=SC2086
works explore $rooms --trace files/two.jsonl --threads 3
says "trace"
cmp -s files/one.jsonl files/two.jsonl || fail "two traces differ"
only one.jsonl two.jsonl
equals "$(grep -c '"event": "look"' files/one.jsonl)" "$looks"
equals "$(grep -c '"event": "plan"' files/one.jsonl)" "$calls"
head -n 1 files/one.jsonl | grep -q '^{"octant_trace": 1, "world": "rooms.json", "name": "rooms"' ||
    fail "the first line"
tail -n 1 files/one.jsonl | grep -q '^{"event": "end", "status": "explored"' || fail "the last line"
grep -q '"id": "18000000000000000000", "type": "glass"' files/one.jsonl || fail "no large id"
grep -q '"us"' files/one.jsonl && fail "times that were not asked for"
# shellcheck disable=SC2086
{
    works explore $rooms --trace files/times.jsonl --times
    works explore $rooms --trace files/to.jsonl --to 8,1,1
    works explore $rooms --trace files/find.jsonl --find lamp
    expect 1 explore $rooms --trace files/calls.jsonl --calls 2
}
grep -q '"us": ' files/times.jsonl || fail "no times"
tail -n 1 files/calls.jsonl | grep -q '"status": "budget"' || fail "the budget is not in the trace"
works explore flat.map --from 0.5,0.5 --radius 3 --trace files/flat.jsonl
if command -v python3 >/dev/null; then
    python3 - files/*.jsonl <<'END' >out 2>err || fail "traces that make no sense"
import json, math, sys
for path in sys.argv[1:]:
    lines = [json.loads(line) for line in open(path)]
    head, events, end = lines[0], lines[1:-1], lines[-1]
    assert head["octant_trace"] == 1 and end["event"] == "end", path
    at, travelled, seen, last = head["start"], 0.0, set(), None
    for e in events:
        kind = e["event"]
        if kind == "look":
            assert e["at"] == at and (last in (None, "move") or head["fov"] < 360), path
            for thing in e["things"]:
                assert thing["id"] not in seen, path
                seen.add(thing["id"])
        elif kind == "plan":
            assert last == "look", path
            if e["status"] == "go":
                assert math.dist(e["points"][0], at) < 1e-9, path
                cell = [head["origin"][i] + (e["frontier"][i] + 0.5) * head["cell"] for i in range(head["dims"])]
                assert math.dist(e["points"][-1][:head["dims"]], cell) < 1e-6, path
        else:
            assert kind == "move" and last in ("plan", "look"), path
            length = 0.0
            for point in e["points"]:
                length += math.dist(at, point)
                at = point
            assert abs(length - e["length"]) < 1e-6, path
            travelled += length
        last = kind
    assert end["at"] == at and abs(end["travelled"] - travelled) < 1e-6, path
    assert end["looks"] == sum(e["event"] == "look" for e in events), path
    assert end["calls"] == sum(e["event"] == "plan" for e in events), path
END
fi
if python3 -c 'import jsonschema' 2>/dev/null; then
    python3 - "$source/docs/reference/schemas/trace.schema.json" files/*.jsonl <<'END' >out 2>err ||
import json, jsonschema, sys
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for path in sys.argv[2:]:
    for line in open(path):
        validator.validate(json.loads(line))
END
        fail "a trace breaks its schema"
fi

# What fails leaves the old trace.
cp files/one.jsonl kept
# shellcheck disable=SC2086
expect 2 explore $rooms --trace nowhere/one.jsonl
grep -q '^octant: nowhere/one.jsonl: cannot create a file beside it: ' err || fail "no folder"
# shellcheck disable=SC2086
refuses "files: cannot replace what is not a regular file" explore $rooms --trace files
if [ -e /dev/full ]; then
    # shellcheck disable=SC2086
    refuses "/dev/full: cannot replace what is not a regular file" explore $rooms --trace /dev/full
fi
# shellcheck disable=SC2086
refuses "rooms.json: no block has the type or name 'door'" \
    explore $rooms --trace files/one.jsonl --find door
# shellcheck disable=SC2086
refuses "rooms.json: no block has the type or name ''" explore $rooms --find ''
cmp -s files/one.jsonl kept || fail "a refusal changed the trace"
only calls.jsonl find.jsonl flat.jsonl one.jsonl times.jsonl to.jsonl two.jsonl

# A run that is interrupted has a trace that is whole.
works gen clusters -o large.octant --size 64 --seed 2
"$octant" explore large.octant --from 32.5,32.5,32.5 --radius 3 --step 0.05 \
    --trace files/int.jsonl --json >out 2>err &
running=$!
waited=0
until [ "$(drafts $running files)" -gt 0 ]; do
    kill -0 $running 2>/dev/null || fail "the run ended early"
    sleep 0.1
    waited=$((waited + 1))
    [ $waited -lt 600 ] || fail "no trace"
done
kill -INT $running
code=0
wait $running || code=$?
equals "$code" 130
[ ! -s out ] || fail "an interrupted run prints something"
grep -q '^octant: large.octant: interrupted after [0-9]* calls and [0-9.]* m$' err ||
    fail "an interrupted run does not say so"
tail -n 1 files/int.jsonl | grep -q '"status": "interrupted"' || fail "the trace has no end"

# ---- refusals ----

refuses "explore: WORLD is missing; 'octant explore --help' says more" explore
refuses "flat.map: it does not say where to start; --from does" explore flat.map --radius 3
refuses "explore: --cell is for worlds and meshes; a map has cells of its own" explore flat.map --cell 1
refuses "explore: --find is for worlds, which are .json or .sbs files" \
    explore flat.map --from 1,1 --radius 3 --find x
refuses "flat.map: the start, (20, 1), is not within the bounds" \
    explore flat.map --from 20,1 --radius 3
refuses "flat.map: the start, (1e+300, 1), is not within the bounds" \
    explore flat.map --from 1e300,1 --radius 3
refuses "explore: --from must be metres such as 1.5,2, not '1'" explore flat.map --from 1
refuses "explore: --from must be metres such as 1.5,2,-0.5, not '1,2'" explore rooms.json --from 1,2
# shellcheck disable=SC2086
{
    refuses "explore: --to must be metres such as 1.5,2,-0.5, not 'x'" explore $rooms --to x
    refuses "rooms.json: --to 100,0,0 is not within the bounds" explore $rooms --to 100,0,0
    refuses "explore: --to and --find do not go together" explore $rooms --to 1,1,1 --find lamp
    refuses "explore: --bounds must be none or metres such as 0,0,0,10,20,5, least first, not 'all'" \
        explore $rooms --bounds all
    refuses "explore: --bounds must be none or metres such as 0,0,0,10,20,5, least first, not \
'0,0,0,0,5,5'" explore $rooms --bounds 0,0,0,0,5,5
    refuses "rooms.json: the start, (1.5, 1.5, 0.45), is not within the bounds" \
        explore $rooms --bounds 3,3,3,5,5,5
    refuses "explore: --seed is for --strategy random" explore $rooms --seed 3
    refuses "explore: --times is for --trace" explore $rooms --times
    refuses "explore: --strategy must be one of nearest|gain|random|depth|directed, not 'deph'; did you mean \
'depth'?" explore $rooms --strategy deph
}
refuses "explore: --radius must be 0.866 or more: with cells of 0.25 m and this body less shows \
nothing" explore rooms.json --body 0.5 --cell 0.25 --radius 0.8
refuses "explore: --radius must be 128 or less: a line of sight, or a field of view, is at most 512 cells of 0.25 m" \
    explore rooms.json --body 0.5 --cell 0.25 --radius 200
works explore rooms.json --body 0.5 --cell 0.25 --radius 200 --sight through --bounds 0,0,0,9,6,3
expect 2 explore nothing.json
grep -q '^octant: nothing.json: cannot open: ' err || fail "a missing world"
printf '{"format": "octant-world", "version": 1, "types": [], "blocks": [}' >broken.json
expect 2 explore broken.json
grep -q '^octant: broken.json:1:' err || fail "a broken world"
sed 's/"start".*//' rooms.json >nostart.json
refuses "nostart.json: it does not say where to start; --from does" explore nostart.json
# Every structure has the same limit of memory.
for structure in octree grid set; do
    refuses "rooms.json: it needs more than 1 MB of memory; larger cells need less, --memory allows \
more" explore rooms.json --memory 1 --cell 0.1 --body 0 --structure $structure
done
exit 0
