#!/bin/sh
# SPDX-License-Identifier: MIT
# The laboratory: rows by hand, maps and tasks from seeds, threads, runs that go on where others
# ended, laboratory files; and what is refused.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

cat >flat.map <<'END'
type octile
height 5
width 9
map
......@@@
...@..@.@
...@..@@@
...@.....
.........
END
cat >task.json <<'END'
{
  "format": "octant-lab",
  "version": 1,
  "map": {"file": "flat.map"},
  "start": [1, 2],
  "goal": [5.5, 2.5]
}
END
printf 'version 1\n0\tflat.map\t9\t5\t1\t2\t5\t2\t6.8\n0\tflat.map\t9\t5\t0\t0\t5\t0\t5\n' >flat.scen
algorithms=dijkstra:cells,astar:cells,theta:cells,portal,astar:corner

# same FILE FILE: two files of rows are the same but for the times.
same() {
    cut -d, -f1-20,23-28 "$1" >one
    cut -d, -f1-20,23-28 "$2" >two
    cmp -s one two || fail "$1 and $2 differ"
}

# whole FILE: every line of a CSV file is whole.
whole() {
    awk -F, 'NF != 28 { exit 1 }' "$1" || fail "$1 has a row without 28 fields"
    [ "$(tail -c 1 "$1" | wc -l)" -eq 1 ] || fail "$1 ends inside a line"
}

# ---- rows ----

works lab task.json --csv rows.csv --algorithms $algorithms --check --json
is_json
equals "$(field runs) $(field csv) $(field skipped) $(field maps)" '5 "rows.csv" 0 1'
equals "$(field invalid_paths) $(field squeeze)" "0 false"
equals "$(grep -c '"mean_ratio": null' out)" 5
equals "$(head -1 rows.csv)" "map,size_x,size_y,coverage,clustering,seed,squeeze,task,start_x,\
start_y,goal_x,goal_y,algorithm,graph,variant,status,length,optimum,ratio,turning_degrees,graph_us,\
path_us,expanded,nodes,sight_checks,points,graph_nodes,graph_edges"
whole rows.csv
cut -d, -f1-19,26 rows.csv | sed 1d >now
cat >expected <<'END'
task.json,9,5,24.4444,,,no,0,1,2,5.5,2.5,dijkstra,cells,,found,7.53553391,,,7
task.json,9,5,24.4444,,,no,0,1,2,5.5,2.5,astar,cells,,found,7.53553391,,,7
task.json,9,5,24.4444,,,no,0,1,2,5.5,2.5,theta,cells,,found,5.74390307,,,3
task.json,9,5,24.4444,,,no,0,1,2,5.5,2.5,portal,portal,,found,5.35738832,,,4
task.json,9,5,24.4444,,,no,0,1,2,5.5,2.5,astar,corner,,found,6.35738832,,,4
END
cmp -s now expected || fail "the rows: $(cat now)"
equals "$(sed -n 5p rows.csv | cut -d, -f20,25)" "71.5650512,13"

works lab task.json --csv text.csv --algorithms $algorithms --check --repeat 3 --threads 1
sed 's/ *[0-9.]* *[0-9.]*\( *[0-9.]* *[0-9.]*\)$/\1/' out >now
cat >expected <<'END'
5 runs in text.csv: 1 map, no squeezing between blocked corners

  algorithm          runs    found      ratio    turning    graph us     path us    expanded       nodes
  dijkstra:cells        1        1          -      360.0        29.0        29.0
  astar:cells           1        1          -      315.0        15.0        15.0
  theta:cells           1        1          -       76.0        15.0        15.0
  portal:portal         1        1          -       71.6         4.0         4.0
  astar:corner          1        1          -      108.4        14.0        14.0

  all paths are valid
END
cmp -s now expected || fail "lab as text"
same rows.csv text.csv

# Where there is no path that is a row, and no error.
sed 's/\[5.5, 2.5\]/[7.5, 1.5]/' task.json >closed.json
works lab closed.json --csv closed.csv --algorithms $algorithms --check --save none.json
equals "$(cut -d, -f16-20,26 closed.csv | sed 1d | sort -u)" "none,,,,,0"
equals "$(grep -c '"status": "none".*"points": \[\]' none.json)" 5
says "portal:portal         1        0          -          -"
# So is a start inside something.
sed 's/\[1, 2\]/[3.5, 2.5]/' task.json >inside.json
works lab inside.json --csv inside.csv --algorithms $algorithms --check

# ---- names in rows ----

mkdir 'a, "b"'
cp flat.map 'a, "b"/c.map'
works lab 'a, "b"/c.map' --csv quoted.csv --algorithms portal --tasks 1
sed -n 2p quoted.csv | grep -q '^"a, ""b""/c.map",9,5,' || fail "a name is not quoted"
works lab 'a, "b"/c.map' --csv quoted.csv --algorithms portal --tasks 1 --resume --json
equals "$(field skipped)" 1
cp flat.map "$(printf 'a\tb.map')"
expect 2 lab "$(printf 'a\tb.map')" --csv no.csv
grep -q 'a name with control characters cannot stand in a row' err || fail "a tab in a name"

# ---- maps that are made ----

works lab --size 32,48 --coverage 5,10.5 --clustering 0,7 --maps 2 --tasks 3 --seed 8 \
    --algorithms portal,theta:cells --csv made.csv --check --json
equals "$(field runs) $(field maps)" "96 16"
sed 1d made.csv | cut -d, -f1-7 | uniq >now
[ "$(wc -l <now)" -eq 16 ] || fail "not sixteen maps"
equals "$(head -3 now | tr '\n' ' ')" "potential-32-5-0-8,32,32,5,0,8,no \
potential-32-5-0-9,32,32,5,0,9,no potential-32-5-7-8,32,32,5,7,8,no "
equals "$(tail -1 now)" "potential-48-10.5-7-9,48,48,10.5,7,9,no"
sed 1d made.csv | cut -d, -f8,13 | head -6 | tr '\n' ' ' >now
equals "$(cat now)" "0,portal 0,theta 1,portal 1,theta 2,portal 2,theta "
awk -F, 'NR > 1 && ($9 != int($9) || $12 != int($12)) { exit 1 }' made.csv || fail "not corners"
awk -F, 'NR > 1 && $9 == $11 && $10 == $12 { exit 1 }' made.csv || fail "a task that is none"
equals "$(cut -d, -f16 made.csv | sed 1d | sort -u)" found

# What is drawn depends on seed and map alone.
works lab flat.map --size 48 --coverage 10.5 --clustering 7 --maps 2 --tasks 2 --seed 8 \
    --algorithms theta:cells,portal --csv part.csv
grep '^potential-48-10.5-7-9,' part.csv | grep ',portal,' | cut -d, -f1-20 >one
grep '^potential-48-10.5-7-9,' made.csv | grep ',portal,' | cut -d, -f1-20 | head -2 >two
cmp -s one two || fail "tasks depend on what else is run"
works lab --size 48 --coverage 10.5 --clustering 7 --tasks 2 --seed 9 --algorithms portal --csv nine.csv
sed 1d nine.csv | cut -d, -f1-20 | cmp -s - two || fail "tasks depend on other maps"
works lab flat.map --tasks 40 --algorithms portal --csv seed1.csv
works lab flat.map --tasks 40 --algorithms portal --csv seed2.csv --seed 2
cmp -s seed1.csv seed2.csv && fail "two seeds, the same tasks"
[ "$(cut -d, -f9-12 seed1.csv | sort -u | wc -l)" -gt 30 ] || fail "always the same task"
works lab flat.map --tasks 40 --algorithms portal --ends centre --csv centre.csv --check
awk -F, 'NR > 1 && ($9 != int($9) + 0.5 || $12 != int($12) + 0.5) { exit 1 }' centre.csv ||
    fail "not middles"
# The cell that is shut in has no task, nor has what is only touched.
awk -F, 'NR > 1 && ($9 == 7.5 && $10 == 1.5 || $11 == 7.5 && $12 == 1.5) { exit 1 }' centre.csv ||
    fail "a task in a cell of its own"
# Two free cells that meet in a corner: no task begins there, and rooms do not mix.
printf 'type octile\nheight 8\nwidth 8\nmap\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n' \
    ....@@@@ ....@@@@ ....@@@@ ....@@@@ @@@@.... @@@@.... @@@@.... @@@@.... >rooms.map
works lab rooms.map --tasks 300 --algorithms portal --csv rooms.csv --check
equals "$(cut -d, -f16 rooms.csv | sed 1d | sort -u)" found
awk -F, 'NR > 1 && ($9 == 4 && $10 == 4 || $11 == 4 && $12 == 4) { exit 1 }' rooms.csv ||
    fail "a task where cells meet in a corner"

# ---- scenarios ----

works lab flat.map --scen flat.scen --csv scen.csv --algorithms astar:cells,portal --json --ends centre
equals "$(field runs)" 4
equals "$(cut -d, -f8-13,17 scen.csv | sed -n 2p)" "0,1.5,2.5,5.5,2.5,astar,6.82842712"
works lab flat.map --scen flat.scen --csv corner.csv --algorithms portal --limit 1
equals "$(sed 1d corner.csv | cut -d, -f9-12,17)" "1,2,5,2,4.65028154"

# ---- threads ----

for threads in 2 3; do
    works lab --size 32 --coverage 10 --maps 5 --tasks 7 --algorithms $algorithms --check \
        --threads $threads --csv "threads$threads.csv"
done
works lab --size 32 --coverage 10 --maps 5 --tasks 7 --algorithms $algorithms --check --json \
    --threads 1 --csv threads1.csv
equals "$(field threads) $(field runs)" "1 175"
same threads1.csv threads2.csv
same threads1.csv threads3.csv

# ---- going on ----

refuses "rows.csv: it is there already; --resume goes on with its rows, --force replaces it" \
    lab task.json --csv rows.csv
works lab task.json --csv rows.csv --force --algorithms portal
equals "$(wc -l <rows.csv | tr -d ' ')" 2

# resumes FILE OPTION...: what a file holds is kept, and the rest is as in threads1.csv.
resumes() {
    file=$1
    shift
    works lab --size 32 --coverage 10 --maps 5 --tasks 7 --algorithms $algorithms --resume \
        --csv "$file" --json "$@"
    equals "$(field runs)" 175
    whole "$file"
    same threads1.csv "$file"
}
bytes=$(wc -c <threads1.csv)
header=$(head -1 threads1.csv | wc -c)
row=$(sed -n 2p threads1.csv | wc -c)
# Cut in the first line, behind it, in and behind rows, in the last one, and not at all.
for keep in 0 1 $((header - 1)) $header $((header + 1)) $((header + row - 1)) $((header + row)) \
    $((bytes / 2)) $((bytes - 400)) $((bytes - 1)) "$bytes"; do
    head -c "$keep" threads1.csv >cut.csv
    kept=$(($(wc -l <cut.csv) - 1))
    [ $kept -ge 0 ] || kept=0
    # Where nothing is left to do the file is not touched.
    resumes cut.csv --threads 2
    equals "$(field skipped)" $kept
    head -n $((kept + 1)) threads1.csv >one
    head -n $((kept + 1)) cut.csv | cmp -s - one || fail "rows that were kept have changed"
done
rm -f cut.csv
resumes cut.csv
equals "$(field skipped)" 0

cp threads1.csv cut.csv
printf 'potential-32' >>cut.csv
resumes cut.csv
cmp -s cut.csv threads1.csv || fail "what is no line stays"

# The table is that of all rows, also of those that were kept.
works lab --size 32 --coverage 10 --maps 5 --tasks 7 --algorithms $algorithms --resume --csv threads1.csv
cp out table
head -n 100 threads1.csv >cut.csv
works lab --size 32 --coverage 10 --maps 5 --tasks 7 --algorithms $algorithms --resume --csv cut.csv
sed 's/^175 runs in.*//; s/ *[0-9.]* *[0-9.]*\( *[0-9.]* *[0-9.]*\)$/\1/' table >one
sed 's/^175 runs in.*//; s/ *[0-9.]* *[0-9.]*\( *[0-9.]* *[0-9.]*\)$/\1/' out >two
cmp -s one two || fail "the tables differ"
says "175 runs in cut.csv: 5 maps, no squeezing between blocked corners; 99 of them were there"

# refuses_rows MESSAGE OPTION...: rows of another run are refused, and stay.
refuses_rows() {
    message=$1
    shift
    cp cut.csv before.csv
    refuses "$message" lab --coverage 10 --csv cut.csv --resume "$@"
    cmp -s cut.csv before.csv || fail "a refused file has changed"
}
other="not the row that this run has there; --resume is for the same maps, tasks and algorithms"
set -- --size 32 --tasks 7
refuses_rows "cut.csv:2: $other" "$@" --maps 5 --algorithms portal
refuses_rows "cut.csv:2: $other" "$@" --maps 5 --algorithms $algorithms --seed 2
refuses_rows "cut.csv:2: $other" "$@" --maps 5 --algorithms $algorithms --ends centre
refuses_rows "cut.csv:7: $other" "$@" --maps 5 --algorithms $algorithms,theta:corner
refuses_rows "cut.csv:32: $other" --size 32 --tasks 6 --maps 5 --algorithms $algorithms
refuses_rows "cut.csv:142: this run has no more rows; --resume is for the same maps, tasks and \
algorithms" "$@" --maps 4 --algorithms $algorithms
sed '3s/found,[0-9.]*/found,x/' threads1.csv >cut.csv
refuses_rows "cut.csv:3: not a row of the laboratory" "$@" --maps 5 --algorithms $algorithms
sed '3s/$/,1/' threads1.csv >cut.csv
refuses_rows "cut.csv:3: not a row of the laboratory" "$@" --maps 5 --algorithms $algorithms
sed '3s/,[0-9]*$//' threads1.csv >cut.csv
refuses_rows "cut.csv:3: not a row of the laboratory" "$@" --maps 5 --algorithms $algorithms
sed '1s/map/mpa/' threads1.csv >cut.csv
refuses_rows "cut.csv:1: not the first line of a file of the laboratory" "$@" --maps 5
echo nothing >cut.csv
refuses_rows "cut.csv:1: not the first line of a file of the laboratory" "$@" --maps 5

# ---- interrupted ----

set -- --size 128 --coverage 10 --maps 40 --tasks 4 --algorithms dijkstra:cells,astar:cells
works lab "$@" --csv all.csv
equals "$(wc -l <all.csv | tr -d ' ')" 321

# interrupt SIGNAL THREADS: starts the run, and ends it as soon as there are rows.
interrupt() {
    rm -f broken.csv
    "$octant" lab --size 128 --coverage 10 --maps 40 --tasks 4 --threads "$2" --csv broken.csv \
        --algorithms dijkstra:cells,astar:cells >out 2>err &
    running=$!
    waited=0
    while [ ! -s broken.csv ] || [ "$(wc -l <broken.csv)" -lt 9 ]; do
        kill -0 $running 2>/dev/null || fail "the run ended early"
        sleep 0.05
        waited=$((waited + 1))
        [ $waited -lt 1200 ] || fail "no rows"
    done
    kill -"$1" $running
    code=0
    wait $running 2>/dev/null || code=$?
}
for how in INT:1 TERM:2; do
    interrupt ${how%:*} ${how#*:}
    case $how in
    TERM*) equals "$code" 143 ;;
    *) equals "$code" 130 ;;
    esac
    whole broken.csv
    [ ! -s out ] || fail "an interrupted run prints something"
    equals "$(cat err)" "octant: lab: interrupted: $(($(wc -l <broken.csv) - 1)) of 320 rows are in \
broken.csv; --resume goes on with it"
done
for threads in 1 2; do
    interrupt KILL $threads
    [ "$(wc -l <broken.csv)" -lt 321 ] || fail "nothing was interrupted"
    # A line that was being written.
    printf 'potential-128-10-4-3,12' >>broken.csv
    works lab "$@" --csv broken.csv --resume --json
    equals "$(field runs)" 320
    [ "$(field skipped)" -ge 8 ] || fail "rows were thrown away"
    same all.csv broken.csv
done

# Two at once: the second is refused, whichever way it would begin.
rm -f broken.csv
"$octant" lab --size 128 --coverage 10 --maps 400 --tasks 4 --csv broken.csv --threads 1 \
    --algorithms dijkstra:cells >out 2>err &
running=$!
until [ -s broken.csv ]; do
    sleep 0.05
done
for option in "" --resume --force; do
    # shellcheck disable=SC2086 # words
    refuses "broken.csv: another octant is writing it" lab --size 16 --csv broken.csv $option
done
kill -TERM $running
wait $running 2>/dev/null
whole broken.csv

# A full disk: what was written is whole, and the run ends.
code=0
(
    trap '' XFSZ
    ulimit -f 2
    exec "$octant" lab "$@" --csv full.csv
) >out 2>err || code=$?
equals "$code" 2
grep -q '^octant: full.csv: cannot write: ' err || fail "a full disk is not reported"
[ "$(wc -l <err)" -eq 1 ] || fail "not one line"
whole full.csv
works lab "$@" --csv full.csv --resume
same all.csv full.csv

# ---- laboratory files ----

latin=$(printf '\351.map')
cp flat.map "$latin"
works lab "$latin" --tasks 1 --algorithms portal --csv "$latin.csv" --json
equals "$(field csv)" null
refuses "latin.json: cannot say in JSON where ?.map is" \
    lab "$latin" --tasks 1 --algorithms portal --csv latin.csv --save latin.json
[ ! -e latin.json ] || fail "a refused file is there"

mkdir sub
works lab task.json --csv saved.csv --algorithms $algorithms --save sub/saved.json
grep -qF '"map": {"file": "../flat.map"}' sub/saved.json || fail "the map is not found again"
grep -qF '"points": [[1, 2], [3, 1], [4, 1], [5.5, 2.5]]}' sub/saved.json || fail "no points"
works lab sub/saved.json --csv again.csv --algorithms $algorithms --save again.json
sed 1d saved.csv | cut -d, -f2-20 >one
sed 1d again.csv | cut -d, -f2-20 >two
cmp -s one two || fail "a saved task is another"
grep -qF '"map": {"file": "flat.map"}' again.json || fail "the map is lost on the way"
works lab "$PWD/sub/../flat.map" --tasks 1 --csv far.csv --algorithms portal --save sub/far.json
grep -qF '"map": {"file": "../flat.map"}' sub/far.json || fail "a name in full is not seen through"
# Cells of another size: lengths and points are in cells all the same.
works gen clusters --dims 2 --size 32 -o unit.octant
works gen clusters --dims 2 --size 32 -o small.octant --cell 0.3
for name in unit small; do
    works lab $name.octant --tasks 1 --seed 6 --algorithms portal,theta:cells --csv $name.csv \
        --save $name.json --check
    sed -n 's/.*"points"/points/p' $name.json >$name.points
done
cmp -s unit.points small.points || fail "the size of cells shows"
sed 's/^unit/small/' unit.csv | cut -d, -f1-20 >one
cut -d, -f1-20 small.csv | cmp -s - one || fail "the size of cells shows"
says "2 runs in small.csv: 1 map,"
works lab sub/saved.json --csv tasks.csv --tasks 3 --algorithms portal --json
equals "$(field runs)" 3
works lab --size 32 --coverage 10 --tasks 1 --csv made1.csv --algorithms portal --save made.json
grep -qF '{"generate": {"size": 32, "coverage": 10, "clustering": 4, "seed": 1}}' made.json ||
    fail "what was made is not said"
works lab made.json --csv made2.csv --algorithms portal
equals "$(sed 1d made2.csv | cut -d, -f2-20)" "$(sed 1d made1.csv | cut -d, -f2-20)"
sed 's/"map": .*/"map": {"rows": ["....", ".@@.", "...."]}, "start": [0, 1], "goal": [3.5, 1.5]}/
    /"start": \[1/,$d' task.json >rows.json
works lab rows.json --csv rows1.csv --algorithms portal --check --save rows2.json
equals "$(sed 1d rows1.csv | cut -d, -f1-4,9-12,16)" "rows.json,4,3,16.6667,0,1,3.5,1.5,found"
grep -qF '".@@.",' rows2.json || fail "rows are not kept"
if python3 -c 'import jsonschema' 2>/dev/null; then
    python3 - "$source/docs/reference/schemas/lab.schema.json" task.json sub/saved.json made.json rows2.json \
        none.json <<'END' >out 2>err ||
import json, jsonschema, sys
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
for path in sys.argv[2:]:
    jsonschema.Draft202012Validator(schema).validate(json.load(open(path)))
END
        fail "a laboratory file breaks its schema"
fi

# ---- the shortest paths ----

best=anya
others=theta:cells,portal,astar:corner
set -- --size 32 --coverage 10 --maps 2 --tasks 3
works lab "$@" --algorithms $best,$others --csv best.csv --json
equals "$(grep -c '"mean_ratio": null' out)" 0
equals "$(grep -m 1 '"mean_ratio"' out)" '      "mean_ratio": 1.0,'
# Every length is divided by that of the same task, and none is shorter.
awk -F, -v best=$best 'NR == 1 { next }
    $13 == best { length_of = $17 }
    $18 != length_of || ($17 / $18 - $19) ^ 2 > 1e-15 || $19 < 1 - 1e-6 { exit 1 }' best.csv ||
    fail "a ratio is wrong"
# The same where it is not among them, and nowhere without being asked for.
works lab "$@" --algorithms $others --csv asked.csv --optimum
grep -v ",$best," best.csv | cut -d, -f1-20 >one
grep -v ",$best," asked.csv | cut -d, -f1-20 >two
cmp -s one two || fail "--optimum is another"
works lab "$@" --algorithms astar:corner --csv unasked.csv
equals "$(cut -d, -f18,19 unasked.csv | sed 1d | sort -u)" ,
# A run that ended within a task goes on with the same ratios.
for rows in 1 2 5 6 7; do
    for whole_run in best asked; do
        list=$others
        [ $whole_run = best ] && list=$best,$others
        head -n $rows $whole_run.csv >broken.csv
        works lab "$@" --algorithms $list --csv broken.csv --resume --optimum
        same $whole_run.csv broken.csv
    done
done
head -n 3 asked.csv >broken.csv
refuses "broken.csv:2: it was written with --optimum" \
    lab "$@" --algorithms $others --csv broken.csv --resume
head -n 3 unasked.csv >broken.csv
refuses "broken.csv:2: it was written without --optimum" \
    lab "$@" --algorithms astar:corner --csv broken.csv --resume --optimum
works lab closed.json --algorithms $best,theta:cells --csv none.csv
equals "$(cut -d, -f16-19 none.csv | sed 1d | sort -u)" "none,,,"

# ---- squeezing ----

echo '{"format": "octant-lab", "version": 1, "map": {"file": "rooms.map"},
    "start": [1, 1], "goal": [7, 7]}' >through.json
works lab through.json --algorithms astar:lattice --csv no.csv
equals "$(sed 1d no.csv | cut -d, -f7,16)" "no,none"
works lab through.json --algorithms astar:lattice --csv yes.csv --squeeze --check --save yes.json
equals "$(sed 1d yes.csv | cut -d, -f7,16,17)" "yes,found,8.48528137"
grep -q '"squeeze": true' yes.json || fail "the rule is not saved"
works lab yes.json --algorithms astar:lattice --csv yes2.csv --json
equals "$(field squeeze)" true
expect 0 lab yes.json --csv yes3.csv --check
grep -Eqx 'octant: warning: lab: without .*portal:portal, which cannot squeeze' err ||
    fail "what is left out is not said"
cut -d, -f14 yes3.csv | grep -Eq 'portal|cells' && fail "what cannot squeeze is run"
rm -f no.csv

# ---- what is made before a search ----

works lab flat.map --tasks 2 --csv prepared.csv --check \
    --algorithms astar:visibility,astar:visibility-lazy,jps,block:2,block:3:semi,block:4:full:packed
# made_by GRAPH VARIANT: whether making it took time.
made_by() {
    awk -F, -v graph="$1" -v variant="$2" '$14 == graph && $15 == variant { print ($21 > 0) }' \
        prepared.csv | sort -u
}
equals "$(made_by visibility whole) $(made_by visibility lazy) $(made_by cells '')" "1 0 1"
equals "$(made_by blocks 2:plain:packed) $(made_by blocks 4:full:packed)" "1 1"
equals "$(cut -d, -f16 prepared.csv | sort -u | tr '\n' ' ')" "found status "

# ---- heuristics ----

works lab --size 48 --coverage 5 --tasks 4 --csv heuristic.csv --check --optimum \
    --algorithms astar:lattice,astar:lattice:euclidean,astar-smooth:euclidean,astar:visibility,theta
equals "$(cut -d, -f13-15 heuristic.csv | sed -n 2,6p | tr '\n' ' ')" \
    "astar,lattice, astar,lattice,euclidean astar-smooth,lattice,euclidean \
astar,visibility,whole theta,lattice, "
# expanded VARIANT FILE: what A* on the lattice expands in all.
expanded() {
    awk -F, -v variant="$1" '$13 == "astar" && $14 == "lattice" && $15 == variant {
        sum += $23 } END { print sum }' "$2"
}
[ "$(expanded euclidean heuristic.csv)" -gt $((4 * $(expanded '' heuristic.csv))) ] ||
    fail "the octile distance does not help"
awk -F, '$13 == "astar" && $14 == "lattice" { print $8 "," $17 }' heuristic.csv | sort | uniq -c |
    awk '$1 != 2 { exit 1 }' || fail "the length depends on the heuristic"
# For all that have a choice at once, and only for them.
works lab --size 48 --coverage 5 --tasks 4 --csv guided.csv --heuristic euclidean \
    --algorithms astar:lattice,astar:visibility,theta:lattice:octile,dijkstra
equals "$(cut -d, -f13-15 guided.csv | sed -n 2,5p | tr '\n' ' ')" \
    "astar,lattice,euclidean astar,visibility,whole theta,lattice,octile dijkstra,lattice, "
equals "$(expanded euclidean guided.csv)" "$(expanded euclidean heuristic.csv)"
works lab --size 16 --csv guided.csv --tasks 1 --force
equals "$(cut -d, -f13-15 guided.csv | grep -c euclidean) $(wc -l <guided.csv | tr -d ' ')" "2 13"
works lab --size 16 --csv guided.csv --tasks 1 --force --heuristic euclidean
equals "$(cut -d, -f13-15 guided.csv | grep -c euclidean) $(wc -l <guided.csv | tr -d ' ')" "5 11"

expect 0 lab --size 16 --csv guided.csv --tasks 1 --force --heuristic manhattan
equals "$(cat err)" "octant: warning: lab: without jps, which cannot be guided by the heuristic manhattan"

# ---- nodes, and how large graphs are ----

works lab flat.map --tasks 3 --csv sizes.csv \
    --algorithms astar:lattice,astar:visibility,astar:visibility-all,astar:visibility-lazy,block,anya
# 9 x 5 cells, eleven of them blocked; of 60 points five touch nothing free.
equals "$(cut -d, -f14,15,27,28 sizes.csv | sed -n 2,7p | tr '\n' ' ')" \
    "lattice,,55,156 visibility,whole,5,5 visibility-all,,5,6 visibility,lazy,, \
blocks,4:plain:packed,, intervals,,, "
awk -F, '$13 == "block" && $24 < $23 || $13 != "block" && NR > 1 && $24 != $23 { exit 1 }' \
    sizes.csv || fail "nodes"

# ---- saved alone ----

mkdir suite
works lab --size 16,24 --coverage 10 --maps 2 --tasks 2 --save-maps suite --json
equals "$(field runs) $(field csv) $(field maps) $(field saved)" "0 null 4 12"
equals "$(find suite -type f | sort | head -4 | tr '\n' ' ')" "suite/potential-16-10-4-1-0.json \
suite/potential-16-10-4-1-1.json suite/potential-16-10-4-1.map suite/potential-16-10-4-2-0.json "
grep -q '"map": {"file": "potential-24-10-4-2.map"}' suite/potential-24-10-4-2-1.json ||
    fail "a task does not name its map"
grep -q paths suite/*.json && fail "paths are saved"
works lab --size 16,24 --coverage 10 --maps 2 --tasks 2 --algorithms theta,anya --csv direct.csv
works lab suite/*.json --algorithms theta,anya --csv suite.csv --check
cut -d, -f9-15,16-20,23-28 direct.csv >one
cut -d, -f9-15,16-20,23-28 suite.csv >two
cmp -s one two || fail "a saved suite is another"
works lab suite/*.map --tasks 1 --save-maps . --csv maps.csv --algorithms anya
grep -q '"map": {"file": "suite/potential-16-10-4-1.map"}' potential-16-10-4-1-0.json ||
    fail "the map of a task is not found"
refuses "lab: --save-maps and --save-maps name the same file" \
    lab flat.map sub/../flat.map --tasks 1 --save-maps .
expect 2 lab --size 16 --save-maps nowhere
works lab task.json --save bare.json --without-paths
says "1 map saved in 1 file"
grep -q paths bare.json && fail "paths are saved"
works lab task.json --save bare.json --without-paths --csv rows2.csv --algorithms portal
works lab bare.json --csv rows3.csv --algorithms portal
cut -d, -f2-20 rows2.csv >one
cut -d, -f2-20 rows3.csv >two
cmp -s one two || fail "a task without paths is another"
refuses "lab: --without-paths is for --save" lab flat.map --csv no.csv --without-paths
refuses "lab: --csv is missing; 'octant lab --help' says more" lab task.json --save a.json
[ ! -e a.json ] || fail "a refused command wrote a file"

# ---- refused ----

# bad MESSAGE ARGUMENT...: refused, and no file is written.
bad() {
    message=$1
    shift
    refuses "$message" lab "$@" --csv no.csv
    [ ! -e no.csv ] || fail "a refused command wrote a file"
}
refuses "lab: --csv is missing; 'octant lab --help' says more" lab flat.map
bad "lab: no maps; name files, or have some made by --size, --coverage, --clustering and --maps"
bad "nowhere.map: cannot open: No such file or directory" flat.map nowhere.map
bad "lab: flat.map is there twice" flat.map task.json flat.map
works gen boxes -o solid.octant --size 16
bad "solid.octant: it has 3 dimensions; the laboratory's maps have 2" flat.map solid.octant
printf 'type octile\nheight 1\nwidth 3\nmap\n@@@\n' >full.map
bad "full.map: there is no free cell in it" full.map
printf 'type octile\nheight 1\nwidth 3\nmap\n@.@\n' >single.map
bad "single.map: found no two points that are connected" single.map --ends centre
bad "lab: --algorithms: 'tehta': there is no algorithm 'tehta'; did you mean 'theta'?" \
    flat.map --algorithms portal,tehta
expect 2 lab flat.map --algorithms zzz --csv no.csv
grep -q "^octant: lab: --algorithms: 'zzz': there is no algorithm 'zzz'; there are dijkstra, astar, " \
    err || fail "what there is is not listed"
expect 2 lab flat.map --algorithms theta:portal --csv no.csv
grep -q "^octant: lab: --algorithms: 'theta:portal': theta does not search 'portal'; it searches cells" \
    err || fail "what there is is not listed"
bad "lab: --algorithms: 'portal:portal:4': '4' must be a heuristic: default, euclidean, octile or manhattan" \
    flat.map --algorithms portal:portal:4
bad "lab: --algorithms: 'astar:visibility:octile': astar over visibility has no choice of heuristics" \
    flat.map --algorithms astar:visibility:octile
bad "lab: --algorithms: 'astar:lattice:octile:4': nothing may follow the heuristic" \
    flat.map --algorithms astar:lattice:octile:4
bad "lab: jps cannot be guided by the heuristic manhattan" flat.map --algorithms jps:cells:manhattan
for list in '' 'portal,' ',portal' 'portal,,portal'; do
    bad "lab: --algorithms must be words such as astar,theta:cells,anya, not '$list'" \
        flat.map --algorithms "$list"
done
bad "lab: --algorithms has portal:portal twice" flat.map --algorithms portal,astar:cells,portal:portal
bad "lab: --algorithms: astar:cells cannot squeeze; these graphs can: lattice, visibility, intervals, blocks, visibility-all" \
    flat.map --algorithms astar:cells --squeeze
sed 's/"goal"/"squeeze": true, "goal"/' task.json >squeeze.json
bad "lab: --algorithms: portal:portal cannot squeeze; these graphs can: lattice, visibility, intervals, blocks, visibility-all" \
    squeeze.json --algorithms portal
bad "lab: squeeze.json asks for squeezing, and flat.map does not; --squeeze has it in all maps" \
    squeeze.json flat.map
bad "lab: squeeze.json asks for squeezing, and a generated map does not; --squeeze has it in all maps" \
    squeeze.json --size 32
for size in 7 4097 64.5 x '' '64,'; do
    bad "lab: --size must be whole numbers from 8 to 4096 such as 64,128, not '$size'" --size "$size"
done
bad "lab: --size has 64 twice" --size 64,32,64
bad "lab: --coverage must be numbers from 0 to 99 such as 10,20, not '100'" --coverage 100
bad "lab: --clustering must be whole numbers from 0 to 1000 such as 10,20, not '-1'" --clustering -1
bad "lab: these are more than 1000000 maps" --maps 1000000 --size 16,32
bad "lab: --tasks must be a whole number from 1 to 100000, not '0'" flat.map --tasks 0
bad "lab: --scen is for one map file" --scen flat.scen --size 32
bad "lab: --scen is for one map file" --scen flat.scen flat.map task.json
bad "lab: --tasks is for random tasks, but --scen has its own; --limit takes some of them" \
    flat.map --scen flat.scen --tasks 3
bad "lab: --limit is for --scen; --tasks says how many random tasks" flat.map --limit 3
bad "nowhere.scen: cannot open: No such file or directory" flat.map --scen nowhere.scen
bad "lab: --resume keeps what --force replaces; only one of them" flat.map --resume --force
bad "lab: --save needs the paths, which rows that --resume keeps do not have" \
    task.json --resume --save a.json
bad "a.txt: laboratory files are written as .json" task.json --save a.txt
bad "lab: --save is for one task; --tasks 1 has one" flat.map --save a.json
bad "lab: --save is for one map" task.json closed.json --save a.json
refuses "no/rows.csv: cannot write: No such file or directory" lab task.json --csv no/rows.csv
refuses "sub: cannot write: Is a directory" lab task.json --csv sub
sed 's/flat.map/lost.map/' task.json >lost.json
bad "lost.json: its map, lost.map: cannot open: No such file or directory" lost.json
sed 's/\[5.5, 2.5\]/[9.5, 2.5]/' task.json >outside.json
bad "outside.json: the goal, (9.5, 2.5), is not in the map, which begins at (0, 0) and ends at (9, 5)" \
    outside.json
echo '{"format": "octant-world", "version": 1, "types": [], "blocks": []}' >world.json
bad "world.json:1:12: format: 'octant-world' is not 'octant-lab'" world.json
sed 's/"goal"/"gaol"/' task.json >misspelt.json
bad "misspelt.json:6:3: unknown key 'gaol'" misspelt.json
[ ! -e a.json ] || fail "a refused command wrote a file"
exit 0
