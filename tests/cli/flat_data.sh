#!/bin/sh
# SPDX-License-Identifier: MIT
# The flat maps of the public benchmarks: stated lengths are met, and so are published optima. Exit
# code 77 = skipped: the folder that OCTANT_DATA names, else ../shared/data beside the source
# folder, is not there.
data=${OCTANT_DATA:-$2/../shared/data}
if [ ! -d "$data/grid2d" ] || [ ! -d "$data/grid2d_anyangle" ]; then
    echo "skipped: no maps in $data"
    exit 77
fi
data=$(cd "$data" && pwd)
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

# Of all queries, or of a sample: the options that choose them, and how many they are.
limit=${OCTANT_TEST_SAMPLE:+--limit $OCTANT_TEST_SAMPLE}
of() {
    echo "${OCTANT_TEST_SAMPLE:-$1}"
}

# Jump points on all queries of all maps, and a sample with every path judged.
for map in "$data"/grid2d/*.map; do
    name=$(basename "$map")
    count=$(of "$(grep -c "$name" "$map.scen")")
    # shellcheck disable=SC2086 # two words, or none
    works scen "$map" "$map.scen" --algorithm jps --graph cells --json $limit
    equals "$name $(field solved) $(field wrong_length)" "$name $count 0"
    for how in '--algorithm jps' '--algorithm astar --graph cells' '--algorithm block' \
        '--algorithm anya' '--graph lattice --algorithm theta'; do
        # shellcheck disable=SC2086 # many words
        works scen "$map" "$map.scen" $how --limit 2 --check --json
        equals "$name $how $(field solved) $(field invalid_paths)" "$name $how 2 0"
        case $how in *jps* | *cells*) equals "$(field wrong_length)" 0 ;; esac
    done
done

# optima MAP OPTION...: all tasks of a map with published optima.
optima() {
    map=$data/grid2d_anyangle/$1.map
    scen=$data/grid2d_anyangle/$1.anyangle.map.scen
    shift
    # shellcheck disable=SC2086 # two words, or none
    works scen "$map" "$scen" --ends corner --truth anyangle --check --json $limit "$@"
    equals "$map $* $(field solved) $(field wrong_length) $(field invalid_paths)" \
        "$map $* $(of "$(grep -c "	" "$scen")") 0 0"
}
for name in AcrosstheCape AR0500SR random512-20-0; do
    optima $name --algorithm anya
    optima $name --algorithm astar --graph visibility
    optima $name --algorithm block
    awk -v ratio="$(field mean_length_ratio)" 'BEGIN { exit !(ratio >= 1 && ratio <= 1.01) }' ||
        fail "$name: Block A* is more than a hundredth longer than the optimum"
    [ -e "$data/grid2d_anyangle/$name.theta_star.csv" ] || continue
    optima $name --algorithm theta --graph lattice
    [ -z "$limit" ] || continue
    # In total over the published Theta* of the same tasks: those of .tasks, by start and goal.
    awk -v ours="$(field mean_length_ratio)" '
        FILENAME ~ /csv$/ { if (FNR > 1) { split($0, row, ","); theta[row[1]] = row[4] } next }
        NF < 9 { next }
        { task = $5 " " $6 " " $7 " " $8 }
        FILENAME ~ /tasks/ { index_of[task] = n++; next }
        { published += theta[index_of[task]]; optimum += $9 }
        END { off = ours * optimum / published - 1
              exit !(published > 0 && off < 0.001 && off > -0.001) }
        ' "$data/grid2d_anyangle/$name.theta_star.csv" \
        "$data/grid2d_anyangle/$name.tasks.map.scen" \
        "$data/grid2d_anyangle/$name.anyangle.map.scen" ||
        fail "$name: Theta* is more than a thousandth off its published lengths"
done

# Where paths may squeeze, none is longer, and all are valid by that rule.
random=$data/grid2d_anyangle/random512-20-0
for how in '--algorithm anya' '--graph visibility' '--algorithm block' '--graph lattice'; do
    # shellcheck disable=SC2086 # many words
    works scen "$random.map" "$random.anyangle.map.scen" --ends corner --truth anyangle --check \
        --json --squeeze --limit 10 $how
    equals "$how $(field solved) $(field invalid_paths)" "$how 10 0"
done
exit 0
