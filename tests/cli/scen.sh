#!/bin/sh
# SPDX-License-Identifier: MIT
# Scenario files: lengths by hand, samples, threads, rows; interrupted and broken runs; and what is
# refused. Real maps are in scen_data.sh.
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
cat >flat.scen <<'END'
version 1
0	flat.map	9	5	1	2	5	2	6.82842
0	flat.map	9	5	0	0	5	0	5
0	flat.map	9	5	0	4	8	4	8
0	flat.map	9	5	0	0	4	4	6.82842
END
printf 'voxel 3 3 3\n1 1 1\n' >cube.3dmap
printf 'version 1\ncube.3dmap\n0 0 0 2 2 2 4.82842712 1.0\n2 0 0 0 0 0 2 1\n' >cube.3dscen

# ---- lengths that must be met ----

cat >expected <<'END'
{
  "queries": 4,
  "solved": 4,
  "wrong_length": 0,
  "invalid_paths": 0,
  "mean_us": T,
  "median_us": T,
  "p99_us": T,
  "mean_length_ratio": 1.0000,
  "max_length_ratio": 1.0000,
  "mean_expanded": N,
  "map_bytes": N,
  "component_bytes": N,
  "search_bytes": N,
  "algorithm": "astar",
  "graph": "cells",
  "grade": null,
  "squeeze": false,
  "threads": 1,
  "total_s": T,
  "left_out": 0,
  "clearance_ms": 0.0
}
END
works scen flat.map flat.scen --algorithm astar --graph cells --check --json
is_json
# Times differ from run to run; lengths in the file are rounded.
sed 's/\("[a-z0-9]*_us"\|"total_s"\): [0-9.e-]*/\1: T/
    s/\("mean_expanded"\|"[a-z]*_bytes"\): [0-9.]*/\1: N/
    s/\(1\.0000\)[0-9]*/\1/' out | cmp -s - expected || fail "scen as JSON"
for algorithm in dijkstra astar; do
    works scen flat.map flat.scen --algorithm $algorithm --graph cells --check --json
    equals "$(field solved) $(field wrong_length) $(field invalid_paths)" "4 0 0"
    works scen cube.3dmap cube.3dscen --algorithm $algorithm --graph cells --check --json
    equals "$(field solved) $(field wrong_length) $(field invalid_paths)" "2 0 0"
done
for map in flat.map:flat.scen cube.3dmap:cube.3dscen; do
    works scen ${map%:*} ${map#*:} --algorithm baseline --check --json
    equals "$(field wrong_length) $(field invalid_paths)" "0 0"
    equals "$(field algorithm) $(field graph) $(field grade)" '"baseline" "cells" null'
done
# Where a shorter path is no mistake, and where a longer one is not either.
works scen flat.map flat.scen --json
equals "$(field wrong_length) $(field invalid_paths)" "null null"
equals "$(field algorithm) $(field graph) $(field grade)" '"portal" "portal" "best"'
works scen flat.map flat.scen --grade fast --check --json
equals "$(field grade) $(field solved) $(field invalid_paths)" '"fast" 4 0'
works scen flat.map flat.scen --graph corner --json
equals "$(field algorithm) $(field graph) $(field grade)" '"lazy-theta" "corner" null'
works scen flat.map flat.scen --algorithm astar --json
equals "$(field algorithm) $(field graph) $(field wrong_length)" '"astar" "lattice" null'
works scen flat.map flat.scen --algorithm astar --graph cells --taut yes --check --json
equals "$(field wrong_length) $(field invalid_paths)" "null 0"
equals "$(field mean_length_ratio)" 0.90501883 # the shortest there are
works scen flat.map flat.scen --algorithm astar --graph cells --taut no --json
equals "$(field wrong_length)" 0
works scen flat.map flat.scen --algorithm astar --graph cells --neighbours 4 --json
equals "$(field wrong_length)" null
works scen flat.map flat.scen --algorithm astar --graph cells --heuristic manhattan --json
equals "$(field wrong_length)" null
works scen flat.map flat.scen --algorithm astar --graph cells --ends corner --json
equals "$(field wrong_length)" null

sed 's/6.82842$/6.80/' flat.scen >wrong.scen
expect 1 scen flat.map wrong.scen --algorithm astar --graph cells --json
[ ! -s err ] || fail "a wrong length is no error of use"
equals "$(field wrong_length)" 2
expect 1 scen flat.map wrong.scen --algorithm baseline
says "lengths        2 not as stated; the first: line 2, 6.82842712, not 6.8"
expect 1 scen flat.map flat.scen --truth anyangle --json
equals "$(field wrong_length)" 2 # what any-angle paths cut off
# From corner to corner, as any-angle optima are stated.
printf 'version 1\n1\tflat.map\t9\t5\t1\t2\t5\t2\t4.65028154\n' >corners.scen
works scen flat.map corners.scen --truth anyangle --ends corner --check --json --csv corners.csv
equals "$(field wrong_length) $(field invalid_paths)" "0 0"
says '"max_length_ratio": 1.0'
works scen flat.map corners.scen --truth anyangle --ends corner --algorithm astar --graph cells --json
equals "$(field wrong_length)" 0 # longer, but not wrong
# Corners on all four sides, and of cells that are blocked; not inside what is blocked.
printf 'version 1\n1\tflat.map\t9\t5\t0\t5\t9\t5\t9\n1\tflat.map\t9\t5\t3\t1\t9\t3\t6.82842712\n' >sides.scen
works scen flat.map sides.scen --truth anyangle --ends corner --check --json --algorithm anya
equals "$(field wrong_length) $(field invalid_paths)" "0 0"
works lab flat.map --scen sides.scen --csv sides.csv --algorithms anya --check
equals "$(sed 1d sides.csv | cut -d, -f17 | tr '\n' ' ')" "9 6.82842712 "
refuses "sides.scen:2: the start, cell (0, 5), lies outside flat.map" scen flat.map sides.scen
printf 'version 1\n1\tflat.map\t9\t5\t0\t5\t9\t1\t9\n' >sides.scen
refuses "sides.scen:2: the goal, corner (9, 1), touches no free cell of flat.map" \
    scen flat.map sides.scen --ends corner

works scen flat.map flat.scen --algorithm astar --graph cells --check
sed 's/^  \(expanded\|time\|in all\|memory\) .*/  \1/' out >now
cat >expected <<'END'
flat.scen in flat.map
  queries        4 of 4, by astar over cells with 8 neighbours
  status         all solved
  lengths        all as stated
  paths          all valid
  length ratio   1.000001 in all, 1.000001 at most
  expanded
  time
  in all
  memory
END
cmp -s now expected || fail "scen as text"
works scen flat.map flat.scen --grade fast
says "  queries        4 of 4, by portal over portal, grade fast"

# A query without a path is not solved.
printf 'version 1\n0\tflat.map\t9\t5\t1\t2\t7\t1\t9\n' >closed.scen
expect 1 scen flat.map closed.scen --check --json --csv closed.csv
equals "$(field queries) $(field solved) $(field max_length_ratio)" "1 0 null"
equals "$(sed -n 2p closed.csv | cut -d, -f1-13)" "0,1,2,0,7,1,0,none,,6.08276253,9,,"

# ---- rows ----

works scen flat.map flat.scen --algorithm astar --graph cells --check --csv rows.csv
equals "$(head -1 rows.csv)" "query,from_x,from_y,from_z,to_x,to_y,to_z,status,length,straight,\
stated,ratio,turning,expanded,generated,sight_checks,time_us,valid"
cut -d, -f1-11,18 rows.csv | sed 1d >now
cat >expected <<'END'
0,1,2,0,5,2,0,found,6.82842712,4,6.82842,yes
1,0,0,0,5,0,0,found,5,5,5,yes
2,0,4,0,8,4,0,found,8,8,8,yes
3,0,0,0,4,4,0,found,6.82842712,5.65685425,6.82842,yes
END
cmp -s now expected || fail "the rows: $(cat now)"
equals "$(sed -n 3p rows.csv | cut -d, -f12,13)" "1,0" # straight on

# whole FILE: every line of a CSV file is whole.
whole() {
    awk -F, 'NF != 18 { exit 1 }' "$1" || fail "$1 has a row without eighteen fields"
    [ "$(tail -c 1 "$1" | wc -l)" -eq 1 ] || fail "$1 ends inside a line"
}

# ---- samples ----

awk 'BEGIN { print "version 1"; for (i = 0; i < 10; i++)
    printf "0\tflat.map\t9\t5\t0\t4\t%d\t4\t%d\n", i % 9, i % 9 }' >ten.scen
# takes NUMBERS OPTION...: which queries are done.
takes() {
    wanted=$1
    shift
    works scen flat.map ten.scen --csv rows.csv --force "$@"
    equals "$(sed 1d rows.csv | cut -d, -f1 | tr '\n' ' ')" "$wanted"
}
takes "0 1 2 3 4 5 6 7 8 9 "
takes "0 3 6 " --limit 3
takes "0 1 2 4 5 7 8 " --limit 7
takes "0 " --limit 1
takes "0 1 2 3 4 5 6 7 8 9 " --limit 11
works scen flat.map ten.scen --csv one.csv --limit 4 --seed 5
works scen flat.map ten.scen --csv two.csv --limit 4 --seed 5
cut -d, -f1 one.csv >one
cut -d, -f1 two.csv >two
cmp -s one two || fail "one seed, two samples"
equals "$(wc -l <one | tr -d ' ')" 5
sed 1d one | sort -n -u >sorted
sed 1d two | cmp -s - sorted || fail "a sample out of order, or twice the same"
differ=0
for seed in 1 2 3 4; do
    works scen flat.map ten.scen --csv two.csv --force --limit 4 --seed $seed
    cut -d, -f1 two.csv | cmp -s - one || differ=1
done
equals $differ 1

# ---- threads ----

works gen boxes -o boxes.3dmap --size 32 --seed 2
awk 'BEGIN { print "version 1\nboxes.3dmap"; for (i = 0; i < 40; i++)
    printf "1 1 1 30 30 30 50.2 1\n30 30 30 1 2 1 50 1\n" }' >boxes.3dscen
for graph in cells corner portal; do
    "$octant" scen boxes.3dmap boxes.3dscen --graph $graph --csv one.csv --force --check >out 2>err || :
    "$octant" scen boxes.3dmap boxes.3dscen --graph $graph --csv three.csv --force --check --threads 3 \
        >out 2>err || :
    cut -d, -f1-16,18 one.csv >one
    cut -d, -f1-16,18 three.csv >three
    cmp -s one three || fail "threads change the results"
    equals "$(grep -c ',found,.*,yes$' one.csv)" 80
done

# ---- interrupted ----

works gen boxes -o large.3dmap --size 40 --seed 2
awk 'BEGIN { print "version 1\nlarge.3dmap"; for (i = 0; i < 30000; i++)
    print "1 1 1 38 38 38 64 1" }' >large.3dscen

# begin OPTION...: starts a long run that writes rows, and waits for the first three of them.
begin() {
    : >rows.csv
    "$octant" scen large.3dmap large.3dscen --graph cells --csv rows.csv "$@" >out 2>err &
    running=$!
    waited=0
    while [ "$(wc -l <rows.csv)" -lt 4 ]; do
        kill -0 $running 2>/dev/null || fail "the run ended early"
        sleep 0.1
        waited=$((waited + 1))
        [ $waited -lt 600 ] || fail "no rows"
    done
}
for how in INT:1 INT:2 TERM:1; do
    begin --algorithm dijkstra --threads ${how#*:} --json
    kill -"${how%:*}" $running
    code=0
    wait $running || code=$?
    case $how in
    TERM*) equals "$code" 143 ;;
    *) equals "$code" 130 ;;
    esac
    whole rows.csv
    [ ! -s out ] || fail "an interrupted run prints something"
    equals "$(cat err)" \
        "octant: scen: interrupted: $(($(wc -l <rows.csv) - 1)) of 30000 queries were done; \
--resume goes on with them"
done
begin --algorithm baseline
kill -INT $running
code=0
wait $running || code=$?
equals "$code" 130
whole rows.csv
begin --algorithm dijkstra
kill -KILL $running
wait $running 2>/dev/null
whole rows.csv

# A full disk: what was written is whole, and the run ends.
awk 'BEGIN { print "version 1"; for (i = 0; i < 3000; i++)
    printf "0\tflat.map\t9\t5\t0\t4\t%d\t4\t%d\n", i % 9, i % 9 }' >big.scen
code=0
(
    trap '' XFSZ
    ulimit -f 2
    exec "$octant" scen flat.map big.scen --csv rows.csv --force --check
) >out 2>err || code=$?
equals "$code" 2
grep -q '^octant: rows.csv: cannot write: ' err || fail "a full disk is not reported"
[ "$(wc -l <err)" -eq 1 ] || fail "not one line"
[ ! -s out ] || fail "a failed run prints something"
whole rows.csv
[ "$(wc -l <rows.csv)" -gt 2 ] || fail "the rows that fit are not there"

# ---- going on ----

refuses "rows.csv: it is there already; --resume goes on with its rows, --force replaces it" \
    scen flat.map big.scen --csv rows.csv --check
works scen flat.map big.scen --csv all.csv --check --json
grep -v '"\(.*_us\|total_s\|search_bytes\)"' out >all
printf '2999,0,4' >>rows.csv # a line that was being written
cp rows.csv half.csv
works scen flat.map big.scen --csv rows.csv --resume --check --json --threads 2
grep -v '"\(.*_us\|total_s\|search_bytes\|threads\)"' out >now
grep -v '"threads"' all | cmp -s - now || fail "a run that goes on says something else"
cut -d, -f1-16,18 all.csv >one
cut -d, -f1-16,18 rows.csv | cmp -s - one || fail "a run that goes on has other rows"
works scen flat.map big.scen --csv rows.csv --resume --check
cut -d, -f1-16,18 rows.csv | cmp -s - one || fail "a run that is done changes rows"
# Not the same run: another search, other queries, without --check, or not even such a file.
for options in "--check --algorithm dijkstra --graph cells" "--check --limit 50"; do
    cp half.csv rows.csv
    # shellcheck disable=SC2086 # words
    expect 2 scen flat.map big.scen --csv rows.csv --resume $options
    grep -q '^octant: rows.csv:[0-9]*: .*--resume is for the same map, queries and search$' err ||
        fail "it went on: $options"
    cmp -s half.csv rows.csv || fail "a refusal changed the rows"
done
refuses "rows.csv:2: it was written with --check" scen flat.map big.scen --csv rows.csv --resume
sed '3s/.*/2,x/' half.csv >rows.csv
expect 2 scen flat.map big.scen --csv rows.csv --resume --check
grep -q '^octant: rows.csv:3: ' err || fail "the line of a broken row"
refuses "flat.map:1: not the first line of a file of scen" \
    scen cube.3dmap cube.3dscen --csv flat.map --resume
refuses "scen: --resume is for --csv" scen flat.map flat.scen --resume
refuses "scen: --resume keeps what --force replaces; only one of them" \
    scen flat.map flat.scen --csv rows.csv --resume --force

# Two at once: the second is refused, and the rows of the first stay whole.
begin --algorithm dijkstra --force
for option in "" --force --resume; do
    # shellcheck disable=SC2086 # words
    refuses "./rows.csv: another octant is writing it" \
        scen large.3dmap large.3dscen --csv ./rows.csv $option
done
kill -TERM $running
wait $running 2>/dev/null
whole rows.csv
# A pipe that nobody reads.
mkfifo pipe.csv
refuses "pipe.csv: cannot write: nobody reads from it" scen flat.map flat.scen --csv pipe.csv

# ---- refused ----

echo old >kept.csv
# bad MESSAGE LINE...: a scenario with these lines is refused, and the rows of another run stay.
bad() {
    message=$1
    shift
    { echo 'version 1' && printf '%b\n' "$@"; } >bad.scen
    refuses "$message" scen flat.map bad.scen --csv kept.csv --force
    equals "$(cat kept.csv)" old
}
good='0\tflat.map\t9\t5\t0\t0\t1\t1\t1.4'
bad "bad.scen:3: the start, cell (3, 2), is blocked in flat.map" \
    "$good" '0\tflat.map\t9\t5\t3\t2\t1\t1\t1'
bad "bad.scen:3: the goal, cell (6, 0), is blocked in flat.map" \
    "$good" '0\tflat.map\t9\t5\t0\t0\t6\t0\t6'
refuses "cube.3dscen: its queries have 3 dimensions, but flat.map has 2" scen flat.map cube.3dscen
refuses "flat.scen: its queries have 2 dimensions, but cube.3dmap has 3" scen cube.3dmap flat.scen
printf 'version 1\ncube.3dmap\n0 0 0 2 2 3 4 1.0\n' >outside.3dscen
refuses "outside.3dscen:3: the goal, cell (2, 2, 3), lies outside cube.3dmap" \
    scen cube.3dmap outside.3dscen
printf 'version 1\n0\tflat.map\t10\t5\t0\t0\t1\t1\t1.4\n' >other.scen
refuses "other.scen: it is for a map of 10 x 5 cells, but flat.map has 9 x 5" scen flat.map other.scen
echo 'version 1' >none.scen
refuses "none.scen: there is no query in it" scen flat.map none.scen
printf 'version 1\n0\tflat.map\t9\t5\tx\t0\t1\t1\t1.4\n' >word.scen
expect 2 scen flat.map word.scen
grep -Eq '^octant: word.scen:2:[0-9]+: ' err || fail "a broken scenario is not located"
refuses "nowhere.scen: cannot open: No such file or directory" scen flat.map nowhere.scen
refuses "no/rows.csv: cannot write: No such file or directory" \
    scen flat.map flat.scen --csv no/rows.csv
refuses "scen: SCEN is missing; 'octant scen --help' says more" scen flat.map
refuses "scen: --seed is for a sample; --limit says how large" scen flat.map flat.scen --seed 1
refuses "scen: --graph is not for the baseline, which is plain A* over cells" \
    scen flat.map flat.scen --algorithm baseline --graph dual
works scen flat.map flat.scen --algorithm baseline --graph cells
refuses "scen: --grade is not for the baseline, which is plain A* over cells" \
    scen flat.map flat.scen --algorithm baseline --grade best
refuses "scen: --taut is not for the baseline, which is plain A* over cells" \
    scen flat.map flat.scen --algorithm baseline --taut no
refuses "scen: --grade is for the portal search, not for lazy-theta" \
    scen flat.map flat.scen --graph dual --grade fast
refuses "scen: --neighbours is not for the baseline, which is plain A* over cells" \
    scen flat.map flat.scen --algorithm baseline --neighbours 8
refuses "scen: --squeeze is not for the baseline, which is plain A* over cells" \
    scen flat.map flat.scen --algorithm baseline --squeeze
works scen flat.map flat.scen --graph lattice --squeeze --ends corner --check --json
equals "$(field graph) $(field squeeze) $(field solved) $(field invalid_paths)" '"lattice" true 4 0'
refuses "scen: --ends corner is not for the baseline, which is plain A* over cells" \
    scen flat.map flat.scen --algorithm baseline --ends corner
refuses "scen: greedy does not search the graph cells; it searches dual, progressive-dual" \
    scen flat.map flat.scen --algorithm greedy --graph cells
refuses "scen: --threads must be a whole number from 1 to 256, not '0'" \
    scen flat.map flat.scen --threads 0
refuses "scen: --limit must be a whole number from 1 to 9007199254740992, not '0'" \
    scen flat.map flat.scen --limit 0

# Unknown cells: one known cell of a world that has not been seen.
cat >unknown.json <<'END'
{
  "format": "octant-world",
  "version": 1,
  "bounds": [0, 0, 0, 9, 3, 3],
  "types": [{"name": "mist"}],
  "blocks": [{"id": 1, "type": "mist", "box": [3, 0, 0, 6, 3, 3], "label": "unknown"}]
}
END
printf 'version 1\nunknown.json\n0 1 1 8 1 1 8 1\n' >through.3dscen
expect 1 scen unknown.json through.3dscen --cell 1 --body 0 --json
equals "$(field solved)" 0
works scen unknown.json through.3dscen --cell 1 --body 0 --json --unknown open --check
equals "$(field solved) $(field mean_length_ratio)" "1 1.0"
printf 'version 1\nunknown.json\n0 1 1 4 1 1 4 1\n' >into.3dscen
refuses "into.3dscen:3: the goal, cell (4, 1, 1), is unknown, which counts as blocked, in unknown.json" \
    scen unknown.json into.3dscen --cell 1 --body 0
exit 0
