#!/bin/sh
# SPDX-License-Identifier: MIT
# The benches on small scenes: rows, fields, files that replace scenes; and structures that agree,
# for a run in which they do not fails.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"
# Where a sanitizer slows everything, scenes are smaller and what measures long is run once.
sampled=${OCTANT_TEST_SAMPLE:+yes}
size=${sampled:+16}
size=${size:-32}

works bench map --size $size --repeat 1 --data none --json --csv rows.csv
is_json
for scene in clusters sparse wall checkerboard tunnels; do
    for row in octree codes links; do
        says "\"name\": \"$scene/$row\""
    done
done
for metric in tree_bytes build_ms point_ns neighbours_ns neighbours_descent_ns ray_us ray_full_us \
    ray_touched_us box_set_us box_clear_us double_us query_allocations; do
    says "\"metric\": \"$metric\""
done
for name in value spread baseline ratio operations checksum; do
    says "\"$name\": "
done
grep -q load_ms out && fail "a generated scene was loaded"

equals "$(head -1 rows.csv)" \
    "name,metric,value,spread,baseline,ratio,equal,goal,operations,checksum,met"
equals "$(grep -c '"name"' out)" "$(($(wc -l <rows.csv) - 1))"
awk -F, 'NF != 11 { exit 1 }' rows.csv || fail "a CSV row has not eleven fields"
awk -F, '$2 == "query_allocations" && $3 != 0 { exit 1 }' rows.csv || fail "a query allocates"

# Counts and checksums are the same in every run, however often each row is measured; times are not.
works bench map --size $size --repeat 2 --data none --filter clusters/ --json --csv again.csv
cut -d, -f1,2,9,10 rows.csv | grep ^clusters/ >counts
cut -d, -f1,2,9,10 again.csv | sed 1d >counts_again
cmp -s counts counts_again || fail "two runs do different work"

# A filter brings the baselines along.
works bench map --size $size --repeat 1 --data none --filter 'wall/octree point_ns'
equals "$(grep -c point_ns out)" 2
equals "$(wc -l <out | tr -d ' ')" 3
says wall/codes

# Searches, on scenes that are small; the yardstick and A* on cells find the same lengths.
works bench search --size 24 --repeat 1 --data none --json --csv search.csv
is_json
for scene in clusters sparse wall; do
    for row in baseline cells-astar cells-lazy-theta dual-astar dual-lazy-theta dual-greedy \
        corner-lazy-theta progressive-corner-lazy-theta portal-best portal-fast; do
        says "\"name\": \"$scene/$row\""
    done
done
for metric in mean_us length_ratio expanded planner_bytes solved_percent; do
    says "\"metric\": \"$metric\""
done
awk -F, '$2 == "mean_us" && $9 != $10 { exit 1 }' search.csv || fail "a query was not answered"
awk -F, '$1 ~ /cells-astar/ && $2 == "length_ratio" && ($3 < 0.999999 || $3 > 1.000001) {
             exit 1 }' search.csv || fail "a length is not the yardstick's"
works bench search --size 24 --repeat 1 --data none --filter 'wall/corner-lazy-theta mean_us'
equals "$(grep -c mean_us out)" 2

# Searches of flat maps.
works bench flat --size 24 --repeat 1 --data none --json --csv flat.csv
is_json
equals "$(cut -d, -f1 flat.csv | sed 1d | sort -u | wc -l | tr -d ' ')" 10
awk -F, '$2 == "mean_us" && $9 != $10 { exit 1 }' flat.csv || fail "a query was not answered"
awk -F, '$1 ~ /cells-(astar|jps)/ && $2 == "length_ratio" && ($3 < 0.999999 || $3 > 1.000001) {
             exit 1 }' flat.csv || fail "a length is not the yardstick's"
awk -F, '$1 ~ /anya|visibility/ && $2 == "length_ratio" { print $3 }' flat.csv | sort -u >lengths
equals "$(wc -l <lengths | tr -d ' ')" 1

# The frontier: with a limit and without one the same cells are found.
works bench frontier --size $size --repeat 1 --data none --filter ball/ --json --csv frontier.csv
is_json
for metric in nearest_ns nearest_slack_ns nearest_any_ns create_ms frontier_cells frontier_bytes; do
    says "\"metric\": \"$metric\""
done
equals "$(awk -F, '$2 ~ /^nearest(_any)?_ns/ { print $10 }' frontier.csv | sort -u | wc -l | tr -d ' ')" 1

# What moves: the map, what follows it, and paths that are planned anew.
works bench moving --size 48 --repeat 1 --json
is_json
for metric in move_us frontier_us components_us watch_us moved_us replanned_us replan_us broken_percent \
    watch_bytes; do
    says "\"metric\": \"$metric\""
done

# The tables of Hoekzema 2024, in small worlds of our own: of these nothing is in print.
works bench table worlds --size 16 --repeat 1 --data none --json --csv worlds.csv
is_json
for name in table world structure metric radius value ended published again_min again_max fast_min \
    fast_max goal length note; do
    says "\"$name\": "
done
grep -q '"published": [0-9]' out && fail "something is in print of a world that is ours"
equals "$(head -1 worlds.csv | cut -d, -f1-7)" "table,world,structure,metric,radius,value,ended"
equals "$(grep -c '"table": "' out)" "$(($(wc -l <worlds.csv) - 1))"
awk -F, 'NR > 1 && ($6 == "" || $6 < 0 || $7 != "no") { exit 1 }' worlds.csv ||
    fail "a row was not measured"
# rows WORLD TABLE METRIC COUNT: so many rows, as many of each structure.
rows() {
    for structure in octree grid set; do
        equals "$1 $2 $3 $(grep -c "^$2,$1,$structure,$3," worlds.csv)" "$1 $2 $3 $4"
    done
}
for world in glass-box glass-maze; do
    for metric in cells_bytes things_bytes nodes; do
        rows $world memory $metric 1
    done
    for metric in run_look_ms run_explore_ms run_path_ms; do
        rows $world run $metric 1
    done
    grep -q "^memory,$world,grid,nodes,.*,[0-9]* x [0-9]* x [0-9]* voxels$" worlds.csv ||
        fail "$world: how large is the grid?"
    for metric in path_ms neighbours_us init_ms see_all_ms add_us look_us expand_us; do
        rows $world times $metric 1
    done
    rows $world explore explore_ms 7
    rows $world explore first_ms 7
    for metric in calls travelled_m plan_ms plan_max_ms map_ms total_ms tree_bytes; do
        equals "$world $metric $(grep -c "^whole,$world,octree,$metric," worlds.csv)" \
            "$world $metric 2" # radii
    done
    # From cell to cell the way is the same in both, and longer than any other.
    equals "$(grep "^times,$world,\(grid\|set\),path_ms," worlds.csv | cut -d, -f14 | sort -u |
        wc -l | tr -d ' ')" 1
done
awk -F, '$4 == "path_ms" { if ($3 == "octree") { best = $14 } else if ($14 < best) { exit 1 } }' \
    worlds.csv || fail "a way from cell to cell is shorter than one at any angle"
awk -F, '$1 == "explore" && $14 > $5 { exit 1 }' worlds.csv ||
    fail "the frontier is farther than one sees, where nothing is in the way"
for world in checkerboard solid; do
    rows $world memory cells_bytes 1
    rows $world times fill_ms 1
    rows $world times expand_us 1
done
rows checkerboard times neighbours_us 1
rows solid times neighbours_us 0 # nothing is open
works bench table worlds --size 16 --repeat 1 --data none --filter 'memory/glass-maze grid' \
    --csv worlds.csv
equals "$(wc -l <worlds.csv | tr -d ' ')" 4
says 'memory: glass-maze'
equals "$(grep -c 'cells_bytes  *[0-9.]* m grid ' out)" 1
works bench table worlds --size 16 --repeat 1 --data none --filter whole/glass-box
says 'whole: glass-box'
refuses "bench: no table matches --filter 'whole/glass-box grid'" \
    bench table worlds --data none --filter 'whole/glass-box grid' # only the octree goes on tours
mkdir -p broken/space_engineers/worlds
for name in test1_myworld-3_Indoors test2_CR3_3_3_M test3a_Glass_box test4a_Glass_box_maze; do
    echo '{' >broken/space_engineers/worlds/$name.json
done
expect 2 bench table worlds --data broken --filter memory/world2
grep -q '^octant: bench: broken/space_engineers/worlds/test2_CR3_3_3_M.json:' err ||
    fail "the broken world is not named"

# Crowds: two threads come to the same places as one, and nobody overlaps.
mkdir -p worlds
cp "$source/worlds/three_doors.json" worlds
works bench link --json
equals "$(grep -c '"added_us"' out)" 1

works bench swarm --size 48 --repeat 1 --data none --filter clusters --json --csv swarm.csv
is_json
for metric in tick_ms burst_tick_ms wait_ticks wait_max_ticks tick_cpu_ms plan_percent overlaps; do
    says "\"metric\": \"$metric\""
done
equals "$(grep -c ',overlaps,0,' swarm.csv)" 2

# The tables are long, and tests of their own make them under the sanitizers.
[ -z "$sampled" ] || exit 0

# The tables of He and Hung 2016, small.
works bench table mesh --size 16 --repeat 1 --json --csv table.csv
is_json
equals "$(grep -c '"table": "' out)" 64
equals "$(grep -c '"published_distance": null' out)" 16 # of our own search nothing is in print
for name in distance percent time_ms published_distance published_percent published_time_ms; do
    says "\"$name\": "
done
equals "$(head -1 table.csv | cut -d, -f1-5)" "table,scene,structure,algorithm,distance"
awk -F, 'NF != 10 { exit 1 }' table.csv || fail "a row of the table has not ten fields"
awk -F, 'NR > 1 && $6 < 100 { exit 1 }' table.csv || fail "a path is shorter than the shortest"
awk -F, '$1 == "wall" && $4 ~ /^portal/ && $6 > 100.5 { exit 1 }' table.csv ||
    fail "the portal search does not find the short ways around the wall"
works bench table mesh --size 16 --repeat 1 --filter complex
says 'complex, dual graph'
equals "$(grep -c '  octree      portal-\(best\|fast\)  *[0-9.]* *- *[0-9.]* *- *[0-9.]* *-$' out)" 4
grep -q sphere, out && fail "the filter let other tables pass"
works bench table graphs --size 16 --data . --json
equals "$(grep -c '"scene": "' out)" 16
for name in nodes arcs leaves_ms build_ms bytes bytes_per_m2; do
    says "\"$name\": "
done

# The tables of Freeman 2014, small, with their plots.
mkdir plots
works bench table flat --size 16 --repeat 2 --filter size --json --csv flat.csv --svg plots
is_json
equals "$(head -1 flat.csv | cut -d, -f1-7)" "table,size,coverage,clustering,squeeze,ends,algorithm"
equals "$(sed 1d flat.csv | cut -d, -f1,6 | sort -u | tr '\n' ' ')" "centre-size,centre size,corner "
grep '^size,' flat.csv >corner.csv
equals "$(cut -d, -f2 corner.csv | sort -nu | tr '\n' ' ')" "8 16 32 64 "
equals "$(cut -d, -f7 corner.csv | sort -u | wc -l | tr -d ' ')" 11
equals "$(cut -d, -f7,8 corner.csv | grep euclidean | sort -u | tr '\n' ' ')" \
    "astar-smooth:lattice:euclidean,A* Euclidean smoothed astar:lattice:euclidean,A* Euclidean "
awk -F, 'NF != 28 || (NR > 1 && $9 != 20) { exit 1 }' flat.csv || fail "a row is not whole"
awk -F, 'NR > 1 && ($12 < 1 - 1e-9 || $13 < $12 - 1e-9) { exit 1 }' flat.csv ||
    fail "shorter than the shortest"
awk -F, '$7 ~ /^anya|visibility/ && $13 > 1 + 1e-9 { exit 1 }' flat.csv ||
    fail "the shortest paths are not found"
# What was found is the same in every row of a point, and so is what it is compared with.
awk -F, '{ print $1 "," $2 "," $10 "," $11 }' flat.csv | sort -u | cut -d, -f1,2 | uniq -d | grep . &&
    fail "rows of one point have other optima"
grep -q '^size,16,20,4,no,corner,block:4:plain:packed,Block A\* 4x4,.*,0\.[0-9]*,,,,,$' flat.csv ||
    fail "the share of the end blocks is missing"
equals "$(ls plots | tr '\n' ' ')" "evaluation-2d-centre-size-time.svg evaluation-2d-size-graph.svg \
evaluation-2d-size-length.svg evaluation-2d-size-nodes.svg evaluation-2d-size-time.svg \
evaluation-2d-size-turning.svg "
grep -q 'no squeezing' plots/evaluation-2d-size-time.svg || fail "a plot does not say its rule"
grep -q '>A\* Euclidean<' plots/evaluation-2d-size-time.svg || fail "a legend has other names"
# Anya's paths are no longer than the shortest: no line, and no word in the legend.
grep -q '>Anya<' plots/evaluation-2d-size-length.svg && fail "a legend lists what is not drawn"
works bench table flat --size 16 --repeat 2 --filter squeeze --csv squeeze.csv
says 'squeeze: 16 x 16 cells, coverage 50 %, clustering 4, paths may squeeze'
equals "$(sed 1d squeeze.csv | cut -d, -f5 | sort -u)" yes
works bench table flat --size 16 --repeat 2 --filter graphs --csv graphs.csv
awk -F, '$7 ~ /visibility-all$/ { all[$2] = $17; nodes[$2] = $16 }
    $7 ~ /visibility$/ { some[$2] = $17; same[$2] = $16 }
    END { for (i in all) if (all[i] < some[i] || nodes[i] != same[i]) exit 1 }' graphs.csv ||
    fail "all pairs in sight are fewer than some"
# Databases of distances by themselves; the large ones are left to a bench by hand.
works bench table flat --filter databases/3: --csv databases.csv
equals "$(sed 1d databases.csv | cut -d, -f7,24 | tr '\n' ' ')" "3:plain:packed,18912 \
3:semi:packed,28776 3:full:packed,30824 3:plain:unpacked,884832 3:semi:unpacked,1179744 \
3:full:unpacked,1572960 "
awk -F, 'NR > 1 && !($26 > 0 && $27 > 0 && $28 > 0) { exit 1 }' databases.csv || fail "no times"
refuses "bench: no table matches --filter 'nothing'" bench table flat --filter nothing
refuses "bench: --svg is for table flat" bench table mesh --svg plots
refuses "bench: --svg is for table flat" bench table worlds --svg plots
refuses "bench: --svg is for table flat" bench map --svg plots
expect 2 bench table flat --size 16 --repeat 2 --filter size --svg nowhere
grep -q '^octant: nowhere/evaluation-2d-size-time.svg: ' err || fail "a missing folder is not named"
[ ! -s out ] || fail "it was measured first"
refuses "bench: --csv and --svg name the same file" bench table flat --size 16 --repeat 2 --filter size \
    --csv plots/evaluation-2d-size-time.svg --svg ./plots

# The table of Abdo 2017: one unit, 100 runs.
works bench table units --repeat 1 --filter /1/ --json --csv units.csv
is_json
equals "$(grep -c '"metric": "' out)" 80
equals "$(grep -c '"published_mean": [0-9]' out)" 10
equals "$(grep -c '"published_min": null' out)" 72
equals "$(head -1 units.csv)" "scene,units,structure,algorithm,metric,count,min,max,mean,deviation,\
published_min,published_max,published_mean,published_deviation"
awk -F, 'NF != 14 || (NR > 1 && ($6 < 1 || $7 > $9 || $9 > $8)) { exit 1 }' units.csv ||
    fail "a row of the table is not whole"
grep -q '^random,1,pruned,listing,traversals,90,8,286,137.72.*,8,280,121.34,73.46918821$' \
    units.csv || fail "Abdo's search does other work than it did"
awk -F, '($3 == "full" || $4 == "portal") && $5 == "no_path" && $8 > 0 { exit 1 }' units.csv ||
    fail "a whole search misses a path"
works bench table units --repeat 1 --filter wall/3/pruned-portal
says 'wall, 3 units'
equals "$(grep -c '  pruned portal  time_ms  *[0-9. ]*$' out)" 1
equals "$(wc -l <out | tr -d ' ')" 14
refuses "bench: --svg is for table flat" bench table units --svg plots

# The block world: a new game for every run, so that all come to the same.
worlds=$source/worlds
works bench game --repeat 1 --data none --scenes "$worlds" --filter drifting_ship --json --csv game.csv
is_json
for name in one/tick_us one/observe_ms one/observe_map_ms one/create_ms crowd/tick_ms; do
    grep -q "^drifting_ship/${name%/*},${name#*/},[0-9.]*," game.csv || fail "no row $name"
done
equals "$(wc -l <game.csv | tr -d ' ')" 6
works bench game --repeat 2 --data none --scenes "$worlds" --filter drifting_ship --csv again.csv
cut -d, -f1,2,9,10 game.csv >counts
cut -d, -f1,2,9,10 again.csv >counts_again
cmp -s counts counts_again || fail "two games come to different ends"
expect 0 bench game --repeat 1 --data none --scenes "$worlds" --filter 'one create_ms'
printf 'octant: warning: bench: left out, since it is not there: %s\n' \
    none/space_engineers/worlds/test4a_Glass_box_maze.json >expected
cmp -s expected err || fail "a world that is not there is not named"
equals "$(grep -c create_ms out)" 3
mkdir -p some worlds
cp "$worlds/scrapyard.json" worlds/glass_maze.json
cp "$worlds/scrapyard.json" worlds
echo '{' >some/scrapyard.json # comes before the other
works bench game --repeat 1 --data none --scenes some --filter 'glass_maze/one create_ms'
works bench game --repeat 1 --data none --filter 'scrapyard/one create_ms'
expect 2 bench game --repeat 1 --data none --scenes some --filter scrapyard/
grep -q '^octant: bench: some/scrapyard.json:' err || fail "the broken world is not named"
rm -r worlds
mkdir -p data/space_engineers/worlds
cp "$worlds/three_doors.json" data/space_engineers/worlds/test4a_Glass_box_maze.json
works bench game --repeat 1 --data data --filter world4 --csv game.csv
rows="world4/one,tick_us,5 world4/one,observe_ms, world4/one,observe_map_ms, \
world4/one,create_ms, world4/crowd,tick_ms,1 "
equals "$(cut -d, -f1,2,8 game.csv | sed 1d | tr '\n' ' ')" "$rows"

# Flights: by world, pace and facing, on all cores.
works bench table flights --repeat 2 --scenes "$worlds" --filter oor --json --csv flights.csv
is_json
equals "$(grep -c '"world": "' out)" 8
for name in world pace facing sight flights arrived collisions stray_m end_m gap_m mean_s \
    reference_s ratio worst_ratio think_us actions replans met; do
    says "\"$name\": "
done
equals "$(head -1 flights.csv)" "world,pace,facing,sight,flights,arrived,collisions,stray_m,end_m,\
gap_m,mean_s,reference_s,ratio,worst_ratio,think_us,actions,replans,met"
equals "$(sed 1d flights.csv | cut -d, -f1-7 | tr '\n' ' ')" \
    "door_and_button,stepped,yaw,line,2,2,0 door_and_button,delayed,yaw,line,2,2,0 \
door_and_button,stepped,full,line,2,2,0 door_and_button,delayed,full,line,2,2,0 \
three_doors,stepped,yaw,line,2,2,0 three_doors,delayed,yaw,line,2,2,0 \
three_doors,stepped,full,line,2,2,0 three_doors,delayed,full,line,2,2,0 "
awk -F, 'NR > 1 && (NF != 18 || $8 > 0.3 || $9 > 0.3 || $10 <= 0 || $11 <= 0 || $12 <= 0 ||
    $15 <= 0 || $16 < 2) { exit 1 }' flights.csv || fail "a row of the table is not whole"
# What is the clock's own is the only difference between two runs.
works bench table flights --repeat 2 --scenes "$worlds" --filter oor --csv flights_again.csv
cut -d, -f1-14,16- flights.csv >counts
cut -d, -f1-14,16- flights_again.csv >counts_again
cmp -s counts counts_again || fail "two runs fly differently"
says 'three_doors, sight: line'
says 'rows meet the goals'
equals "$(grep -c '^  \(stepped\|delayed\) .*  \(ok\|missed: ratio\)$' out)" 8
refuses "bench: no table matches --filter 'three_doors/yaw'" \
    bench table flights --scenes "$worlds" --filter three_doors/yaw
mkdir -p "own,worlds"
refuses "bench: own,worlds: there is no world" bench table flights --scenes "own,worlds"
sed 's/"sight": "line"/"sight": "through"/' "$worlds/three_doors.json" >"own,worlds/a \"b\", c.json"
works bench table flights --repeat 1 --scenes "own,worlds" --filter stepped/yaw --csv own.csv
grep -q '^"a ""b"", c",stepped,yaw,through,1,1,0,' own.csv || fail "a name is not in quotes"
grep -v '"start"' "$worlds/three_doors.json" >"own,worlds/b.json"
refuses "bench: own,worlds/b.json: the world has no start" \
    bench table flights --scenes "own,worlds" --filter b/
echo '{' >"own,worlds/b.json"
cp "own,worlds/b.json" "own,worlds/.b.json" # hidden
cp "own,worlds/b.json" "own,worlds/json"
works bench table flights --repeat 1 --scenes "own,worlds" --filter c/stepped/full
expect 2 bench table flights --scenes "own,worlds" --filter b/
grep -q '^octant: bench: own,worlds/b.json:' err || fail "the broken world is not named"

# Files replace scenes, and are loaded too.
mkdir scenes
works gen boxes -o scenes/sparse.3dmap --size 24
works bench --size $size --repeat 1 --data none --scenes scenes --filter sparse/ --json
says load_ms
says sparse/baseline
printf 'voxel 9 9 9\n9 9 9\n' >scenes/wall.3dmap
expect 2 bench map --size $size --repeat 1 --data none --scenes scenes --filter wall/
grep -q '^octant: bench: .*scenes/wall.3dmap:2:1: ' err || fail "the broken scene is not named"

# Puzzles: the same whatever the threads.
works bench table puzzles --repeat 2 --filter reach --json --csv puzzles.csv
is_json
for name in task puzzles solvable wrong solved told inconclusive false learned untrue errors proofs bumps presses fewest turns game_s \
    spent_s thought_s first_bad why met; do
    says "\"$name\":"
done
equals "$(sed 1d puzzles.csv | cut -d, -f1-8,21)" "reach,2,1,0,1,1,0,0,yes"
works bench table puzzles --repeat 2 --filter reach
says "(a proof was rejected, or something excluded happened) and bumps should be 0."
# Levels: a row for each class.
works bench table puzzles --repeat 2 --filter toggles --csv levels.csv
equals "$(sed 1d levels.csv | cut -d, -f1-3)" "toggles,2,1"
