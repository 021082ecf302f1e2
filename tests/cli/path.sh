#!/bin/sh
# SPDX-License-Identifier: MIT
# One path: lengths that can be checked by hand, in every graph by every algorithm; what there is no
# path for; worlds; and what is refused.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

# Times differ from run to run, and counters from version to version.
steady() {
    sed 's/\("[a-z_]*_us"\): [0-9.e-]*/\1: T/; s/\("\(expanded\|generated\|sight_checks\|component_bytes\)"\): [0-9]*/\1: N/
        s/^  \(expanded \|generated\|sight checks\|time\) *[0-9.]*\( *[mu]*s$\)\{0,1\}/  \1 N/' out
}

# A wall that leaves one way around, since outside the map everything is blocked; and a closed room
# of one cell.
cat >flat.map <<'END'
type octile
height 5
width 9
map
......@@@
...@..@.@
...@..@@@
...@.....
...@.....
END

# ---- by hand ----

# Around the wall's end: two legs of 1.5 sqrt 2 and one of 1 along it, two turns of 45 degrees.
works path flat.map --from 1.5,2.5 --to 5.5,2.5 --check --json
is_json
cat >expected <<'END'
{
  "status": "found",
  "length": 5.24264069,
  "cost": 5.24264069,
  "straight": 4.0,
  "turning": 1.57079633,
  "expanded": N,
  "generated": N,
  "sight_checks": N,
  "time_us": T,
  "first_us": T,
  "algorithm": "portal",
  "graph": "portal",
  "grade": "best",
  "neighbours": null,
  "squeeze": false,
  "component_bytes": N,
  "leaves_blocked": false,
  "enters_blocked": false,
  "valid": true,
  "points": [
    [1.5, 2.5, 0.0],
    [3.0, 1.0, 0.0],
    [4.0, 1.0, 0.0],
    [5.5, 2.5, 0.0]
  ],
  "lattice_points": [
    [384, 640, 0],
    [768, 256, 0],
    [1024, 256, 0],
    [1408, 640, 0]
  ],
  "clearance_ms": 0.0
}
END
steady | cmp -s - expected || fail "path as JSON"

works path flat.map --from 1.5,2.5 --to 5.5,2.5 --check --points
cat >expected <<'END'
found a path from (1.5, 2.5) to (5.5, 2.5)
  length            5.24264  m, 1.311 times the straight line
  turning             1.571  rad in 2 turns
  checked      valid
  expanded  N  nodes of the portal graph, by portal, grade best
  generated N
  sight checks N
  time N

  points                1.5          2.5
                          3            1
                          4            1
                        5.5          2.5
END
steady | cmp -s - expected || fail "path as text"

# Moves from cell to cell: two diagonal, four straight ones.
for algorithm in dijkstra astar; do
    works path flat.map --from 1.5,2.5 --to 5.5,2.5 --graph cells --algorithm $algorithm --json \
        --check
    equals "$(field length) $(field neighbours) $(field valid)" "6.82842712 8 true"
done
works path flat.map --from 1.5,2.5 --to 5.5,2.5 --graph cells --algorithm astar --neighbours 4 --json
equals "$(field length) $(field neighbours)" "8.0 4"

# Around a wall of one cell that is as high as the world: the shortest path bends at two edges, at
# heights that lie on no lattice. Its length is that of the flat path and the rise, 11.98411135; any
# path that is pulled taut comes close to it.
{
    echo voxel 8 8 8
    for y in 0 1 2 3 4 5; do
        for z in 0 1 2 3 4 5 6 7; do echo "3 $y $z"; done
    done
} >wall.3dmap
around="path wall.3dmap --from 1.5,1.5,1.5 --to 6.5,1.5,6.5 --check --json"
# between LEAST MOST: the length lies there.
between() {
    awk -v l="$(field length)" -v a="$1" -v b="$2" 'BEGIN { exit !(a <= l && l <= b) }' ||
        fail "the length, $(field length), is not between $1 and $2"
}
# shellcheck disable=SC2086 # many words
for how in '' '--grade best' '--grade fast' '--taut default' '--taut yes' '--graph portal' \
    '--graph corner --taut yes' '--algorithm astar --graph cells --taut yes' \
    '--algorithm dijkstra --graph dual --taut yes'; do
    works $around $how
    between 11.984111 11.986
done
# shellcheck disable=SC2086
{
    works $around --taut no
    between 11.984111 12.1
    works $around --graph corner # by points of the lattice
    between 12.0 13.0
    works $around --graph cells --algorithm astar
    cp out plain
    works $around --graph cells --algorithm astar --taut no
    equals "$(field length)" "$(sed -n 's/^  "length": \(.*\),$/\1/p' plain)"
}

# ---- every graph by every algorithm ----

works gen boxes -o boxes.octant --size 32 --seed 3
# unsuited ALGORITHM GRAPH GRAPHS: the algorithm searches those graphs, not that one.
unsuited() {
    refuses "path: $1 does not search the graph $2; it searches $3" \
        path boxes.octant --from 1,1,1 --to 2,2,2 --algorithm "$1" --graph "$2"
}
for graph in cells dual corner progressive-dual progressive-corner portal; do
    for algorithm in dijkstra astar astar-smooth theta lazy-theta greedy portal; do
        case $algorithm:$graph in
        greedy:dual | greedy:progressive-dual) ;; # may miss what there is
        portal:portal) ;;
        greedy:*)
            unsuited $algorithm $graph "dual, progressive-dual"
            continue
            ;;
        portal:*)
            unsuited $algorithm $graph "portal"
            continue
            ;;
        dijkstra:portal | astar:portal)
            unsuited $algorithm $graph "cells, dual, corner, progressive-dual, \
progressive-corner, lattice, visibility, visibility-all"
            continue
            ;;
        *:portal)
            unsuited $algorithm $graph \
                "cells, dual, corner, progressive-dual, progressive-corner, lattice"
            continue
            ;;
        esac
        code=0
        "$octant" path boxes.octant --from 2.2,2.3,2.4 --to 29.7,29.6,29.5 --algorithm $algorithm \
            --graph $graph --json --check >out 2>err || code=$?
        [ ! -s err ] || fail "$algorithm over $graph complains"
        says "\"algorithm\": \"$algorithm\""
        says "\"graph\": \"$graph\""
        if [ $algorithm = greedy ] && [ $code -eq 1 ]; then
            says '"status": "undecided"'
            continue
        fi
        equals "$algorithm $graph $code $(field valid)" "$algorithm $graph 0 true"
        says '"status": "found"'
    done
done
# Those of two dimensions alone.
refuses "path: the graph intervals is for maps of two dimensions" \
    path boxes.octant --from 1,1,1 --to 2,2,2 --algorithm anya
refuses "path: jps is for maps of two dimensions" \
    path boxes.octant --from 1,1,1 --to 2,2,2 --algorithm jps
refuses "path: jps is not for --neighbours 4 or --heuristic manhattan" \
    path flat.map --from 1,1 --to 2,2 --algorithm jps --neighbours 4
refuses "path: jps is not for --neighbours 4 or --heuristic manhattan" \
    path flat.map --from 1,1 --to 2,2 --algorithm jps --heuristic manhattan
refuses "path: astar over visibility knows no prices" \
    path flat.map --from 1,1 --to 2,2 --algorithm astar --graph visibility --unknown priced
for choice in jps:cells anya:intervals block:blocks dijkstra:visibility astar:visibility; do
    works path flat.map --from 1,1 --to 2,2 --algorithm ${choice%:*} --graph ${choice#*:} --json \
        --check
    equals "$(field status) $(field valid) $(field graph)" "\"found\" true \"${choice#*:}\""
done
# The database of Block A* is made once, made anew where it is broken, and not missed where it
# cannot be kept.
block="path flat.map --from 1,1 --to 2,2 --algorithm block"
for option in "" "--block 2" "--block 3 --lddb semi" "--lddb full --squeeze"; do
    works $block $option --check
done
works $block --block 2 --unpacked --lddb full
equals "$(ls cache | wc -l | tr -d ' ')" 5
file=$(ls cache/*-4x4-plain-packed.bin)
cp "$file" kept
works $block
[ ! -s err ] || fail "a database that is there is complained about"
printf 'x' | dd of="$file" bs=1 seek=999 conv=notrunc 2>err
"$octant" $block >out 2>err || fail "a broken database is fatal"
grep -q 'warning.*made anew' err || fail "a broken database is not mentioned"
cmp -s "$file" kept || fail "a broken database stays"
OCTANT_CACHE=/dev/null/nowhere "$octant" $block >out 2>err || fail "no cache is fatal"
grep -q 'cannot be kept' err || fail "nothing is said of a cache that cannot be written"
refuses "path: --block, --lddb and --unpacked are for the algorithm block, not for portal" \
    path flat.map --from 1,1 --to 2,2 --block 2
refuses "path: the graph blocks is for maps of two dimensions" \
    path boxes.octant --from 1,1,1 --to 2,2,2 --algorithm block

# suits ALGORITHM GRAPH GRADE OPTION...: what is not asked for is what suits what is.
suits() {
    wanted="\"$1\" \"$2\" $3"
    shift 3
    works path boxes.octant --from 2,2,2 --to 3,3,3 --json "$@"
    equals "$(field algorithm) $(field graph) $(field grade)" "$wanted"
}
suits portal portal '"best"'
suits portal portal '"fast"' --grade fast
suits portal portal '"best"' --graph portal --grade best
suits portal portal '"fast"' --algorithm portal --grade fast
for graph in cells dual corner progressive-dual progressive-corner; do
    suits lazy-theta $graph null --graph $graph
done
for algorithm in dijkstra astar astar-smooth theta lazy-theta; do
    suits $algorithm corner null --algorithm $algorithm
done
suits greedy dual null --algorithm greedy
for choice in lazy-theta:lattice astar:visibility anya:intervals block:blocks; do
    works path flat.map --from 1,1 --to 2,2 --graph ${choice#*:} --json
    equals "$(field algorithm)" "\"${choice%:*}\""
done
for algorithm in dijkstra astar astar-smooth theta lazy-theta; do
    works path flat.map --from 1,1 --to 2,2 --algorithm $algorithm --json
    equals "$(field graph)" '"lattice"'
done
works path flat.map --from 1,1 --to 2,2 --algorithm jps --json
equals "$(field graph)" '"cells"'
works path boxes.octant --from 2,2,2 --to 3,3,3 --algorithm astar
grep -q '  nodes of the corner graph, by astar$' out || fail "a grade where there is none"

# The same again, to the bit.
works path boxes.octant --from 2.2,2.3,2.4 --to 29.7,29.6,29.5 --json
steady >once
works path boxes.octant --from 2.2,2.3,2.4 --to 29.7,29.6,29.5 --json
steady | cmp -s - once || fail "two runs differ"
works path boxes.octant --from 2.25,2.5,2.5 --to 2.25,2.5,2.5 --json --check
equals "$(field length) $(field straight)" "0.0 0.0"
for heuristic in default euclidean octile manhattan; do
    works path boxes.octant --from 2,2,2 --to 29,29,29 --heuristic $heuristic --check
    works path boxes.octant --from 2,2,2 --to 29,29,29 --heuristic $heuristic --check --graph corner
done
for neighbours in 6 18 26; do
    works path boxes.octant --from 2,2,2 --to 29,29,29 --graph dual --neighbours $neighbours --check
done

# ---- the lattice, and squeezing ----

# Two rooms that meet in a corner, where two blocked cells do.
cat >rooms.map <<'END'
type octile
height 4
width 4
map
..@@
..@@
@@..
@@..
END
rooms="path rooms.map --from 0,0 --to 3.5,3.5 --graph lattice --json --check"
# shellcheck disable=SC2086 # many words
for algorithm in dijkstra astar astar-smooth theta lazy-theta; do
    works path flat.map --from 1,2 --to 5,3 --graph lattice --algorithm $algorithm --json --check
    equals "$(field squeeze) $(field valid) $(field neighbours)" "false true null"
    expect 1 $rooms --algorithm $algorithm
    equals "$(field status)" '"none"'
    works $rooms --algorithm $algorithm --squeeze
    equals "$(field length) $(field squeeze) $(field valid)" "4.94974747 true true"
done
works path flat.map --from 1,2 --to 5,3 --graph lattice --algorithm astar --json
equals "$(field length)" 5.82842712 # around (3, 1) and (4, 1): two diagonals, three sides
refuses "path: the graph lattice is for maps of two dimensions" \
    path boxes.octant --from 1,1,1 --to 2,2,2 --graph lattice
refuses "path: --squeeze is for maps of two dimensions" \
    path boxes.octant --from 1,1,1 --to 2,2,2 --squeeze
refuses "path: --squeeze is for graphs of flat maps such as lattice, not for portal" \
    path flat.map --from 1,1 --to 2,2 --squeeze
refuses "path: a path that may squeeze is not pulled taut" \
    path flat.map --from 1,1 --to 2,2 --graph lattice --squeeze --taut yes

# ---- inside something blocked ----

works path flat.map --from 1.5,2.5 --to 3.5,2.5 --json --check
equals "$(field length) $(field leaves_blocked) $(field enters_blocked)" "2.0 false true"
works path flat.map --from 3.5,2.5 --to 1.5,2.5 --json --check
equals "$(field length) $(field leaves_blocked) $(field enters_blocked)" "2.0 true false"
works path flat.map --from 3.5,2.5 --to 1.5,2.5
says "it begins inside something that is blocked"

# ---- no path ----

expect 1 path flat.map --from 1.5,2.5 --to 7.5,1.5 --json --check
[ ! -s err ] || fail "no path is no error"
is_json
says '"status": "none"'
says '"points": []'
equals "$(field length) $(field cost) $(field turning) $(field valid)" "null null null null"
expect 1 path flat.map --from 1.5,2.5 --to 7.5,1.5
equals "$(head -1 out)" "there is no path from (1.5, 2.5) to (7.5, 1.5)"
expect 1 path flat.map --from 1.5,2.5 --to 7.5,1.5 --partial --json --check
says '"status": "partial"'
equals "$(field valid)" true
expect 1 path flat.map --from 1.5,2.5 --to 7.5,1.5 --partial
equals "$(head -1 out)" \
    "there is no path from (1.5, 2.5) to (7.5, 1.5); this one ends as near as it came"
for graph in cells portal; do
    expect 1 path flat.map --from 1.5,2.5 --to 5.5,2.5 --graph $graph --budget 2 --json
    says '"status": "budget"'
    equals "$(field expanded)" 2
    expect 1 path flat.map --from 1.5,2.5 --to 5.5,2.5 --graph $graph --budget 2 --partial --json \
        --check
    says '"status": "budget"'
    equals "$(field valid)" true
done

# ---- unknown cells ----

cat >unknown.json <<'END'
{
  "format": "octant-world",
  "version": 1,
  "bounds": [0, 0, 0, 9, 3, 3],
  "types": [{"name": "mist"}],
  "blocks": [{"id": 1, "type": "mist", "box": [3, 0, 0, 6, 3, 3], "label": "unknown"}]
}
END
through="path unknown.json --cell 1 --body 0 --from 0.5,1.5,1.5 --to 8.5,1.5,1.5 --json --check"
# shellcheck disable=SC2086 # many words
{
    expect 1 $through
    says '"status": "none"'
    works $through --unknown open
    equals "$(field length) $(field cost)" "8.0 8.0"
    works $through --unknown priced
    equals "$(field length) $(field cost)" "8.0 11.0"
    works $through --unknown priced --unknown-price 3
    equals "$(field length) $(field cost)" "8.0 14.0"
}
works path unknown.json --cell 1 --body 0 --from 0.5,1.5,1.5 --to 8.5,1.5,1.5 --unknown priced
says "11  m, unknown cells at 2 a metre"

# ---- worlds ----

works gen glass-box -o box.json
works path box.json --cell 1.25 --body 0 --from 10,10,10 --to 110,120,85 --json --check
says '"status": "found"'
equals "$(field valid)" true
expect 0 path box.json --cell 0.62 --from 10,10,10 --to 110,120,85
grep -q '^octant: warning: box.json: cells of 0.62 m may close passages' err || fail "no warning"

# ---- refused ----

refuses "path: --from is missing; 'octant path --help' says more" path flat.map --to 1,1
for point in '' 1 1,2,3,4 1,,2 1,x nan,1 '1, 2' inf,1; do
    refuses "path: --to must be metres such as 1.5,2, not '$point'" \
        path flat.map --from 1,1 --to "$point"
done
refuses "path: --from must be metres such as 1.5,2,-0.5, not '1,2'" \
    path boxes.octant --from 1,2 --to 1,1,1
works path flat.map --from 1.5,2.5,77 --to 5.5,2.5 # z means nothing at two dimensions
refuses "flat.map: --from (-1, 2) is not in the map, which begins at (0, 0) and ends at (9, 5)" \
    path flat.map --from -1,2 --to 1,1
refuses "flat.map: --to (9.1, 5) is not in the map, which begins at (0, 0) and ends at (9, 5)" \
    path flat.map --from 1,1 --to 9.1,5
# The far sides belong to the map, whatever a cell measures.
works path flat.map --from 4,5 --to 9,5 --check
says 'length                  5  m'
works gen boxes -o far.octant --size 32 --cell 0.3 --fill 0.01
works path far.octant --from 9.6,9.6,9.6 --to 0,0,9.6 --check
refuses "boxes.octant: --to (1, 1, 1e+30) is not in the map, which begins at (0, 0, 0) and ends \
at (32, 32, 32)" path boxes.octant --from 1,1,1 --to 1,1,1e30
refuses "path: --neighbours is for cells and dual graphs, not for portal" \
    path flat.map --from 1,1 --to 2,2 --neighbours 8
refuses "path: --neighbours is for cells and dual graphs, not for corner" \
    path flat.map --from 1,1 --to 2,2 --graph corner --neighbours 8
refuses "path: --grade is for the portal search, not for theta" \
    path flat.map --from 1,1 --to 2,2 --algorithm theta --grade fast
refuses "path: --grade is for the portal search, not for lazy-theta" \
    path flat.map --from 1,1 --to 2,2 --graph corner --grade best
refuses "path: --grade must be one of best|fast, not 'good'" \
    path flat.map --from 1,1 --to 2,2 --grade good
refuses "path: --taut must be one of default|no|yes, not 'maybe'" \
    path flat.map --from 1,1 --to 2,2 --taut maybe
refuses "path: --neighbours 8 is for maps of two dimensions" \
    path boxes.octant --from 1,1,1 --to 2,2,2 --graph cells --neighbours 8
refuses "path: --unknown-price is for --unknown priced" \
    path flat.map --from 1,1 --to 2,2 --unknown-price 3
refuses "path: --unknown-price must be a number from 0.000976562 to 1.04858e+06, not '0'" \
    path flat.map --from 1,1 --to 2,2 --unknown priced --unknown-price 0
refuses "path: --algorithm must be one of \
dijkstra|astar|astar-smooth|theta|lazy-theta|greedy|portal|jps|anya|block, not 'baseline'" \
    path flat.map --from 1,1 --to 2,2 --algorithm baseline
refuses "path: --body is for worlds, which are .json or .sbs files" \
    path flat.map --from 1,1 --to 2,2 --body 1
refuses "path: --budget must be a whole number from 1 to 9007199254740992, not '0'" \
    path flat.map --from 1,1 --to 2,2 --budget 0
refuses "nowhere.map: cannot open: No such file or directory" path nowhere.map --from 1,1 --to 2,2
refuses "nowhere.json: cannot open: No such file or directory" path nowhere.json --from 1,1,1 --to 2,2,2
exit 0
