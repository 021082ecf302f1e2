#!/bin/sh
# SPDX-License-Identifier: MIT
# The README shows the example that is built, what it prints, and pictures that are made by others;
# docs/search.md shows the algorithm that the tests add.
#   docs_test.sh SOURCE FIRST SLICE_SVG LOOK_SVG PATH_SVG SEARCH_SVG COMPONENTS_SVG EXPLORE_SVG WORLD_SVG
#                FLIGHT_SVG
set -eu
source=$1
first=$2
slice_svg=$3
look_svg=$4
path_svg=$5
search_svg=$6
components_svg=$7
explore_svg=$8
world_svg=$9
flight_svg=${10}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints what stands in the n-th fenced block of a page that starts with the given fence.
block() {
    awk -v fence="$1" -v wanted="$2" '
        inside && $0 == "```" { inside = 0; next }
        inside == 2 { print }
        !inside && /^```/ { inside = ($0 == fence && ++seen == wanted) ? 2 : 1 }' \
        "$source/${3:-README.md}"
}

block '```c' 1 >"$work/shown.c"
# The file opens with the licence and what it is for; the README says that in its own words.
sed '1,/^\/\/ A first program/d' "$source/examples/first.c" >"$work/first.c"
diff "$work/shown.c" "$work/first.c"

block '```c' 3 docs/search.md >"$work/shown_algorithm.c"
sed 1d "$source/tests/example_weighted.c" | diff "$work/shown_algorithm.c" -

block '```' 1 >"$work/shown.txt"
"$first" >"$work/printed.txt"
diff "$work/shown.txt" "$work/printed.txt"

"$slice_svg" >"$work/slice.svg"
cmp "$work/slice.svg" "$source/docs/pictures/slice.svg"
"$look_svg" >"$work/sight.svg"
cmp "$work/sight.svg" "$source/docs/pictures/sight.svg"
"$path_svg" >"$work/path.svg"
cmp "$work/path.svg" "$source/docs/pictures/path.svg"
for name in portal_boxes portal_entries taut; do
    "$search_svg" $name >"$work/$name.svg"
    cmp "$work/$name.svg" "$source/docs/pictures/$name.svg"
done
"$components_svg" >"$work/components.svg"
cmp "$work/components.svg" "$source/docs/pictures/components.svg"
"$explore_svg" >"$work/explore.svg"
cmp "$work/explore.svg" "$source/docs/pictures/explore.svg"

# A cut at a height, or from above.
for plan in 'door_and_button 3.8' 'three_doors 3.8' 'glass_box' 'glass_maze' 'tight 3.8' \
    'asteroid_base -11' 'drifting_ship' 'scrapyard'; do
    name=${plan%% *}
    height=${plan#"$name"}
    # shellcheck disable=SC2086 # no height is no argument
    "$world_svg" "$source/worlds/$name.json" $height >"$work/world_$name.svg"
    cmp "$work/world_$name.svg" "$source/docs/pictures/world_$name.svg"
done

"$flight_svg" "$source/worlds/door_and_button.json" >"$work/flight.svg"
cmp "$work/flight.svg" "$source/docs/pictures/flight.svg"
