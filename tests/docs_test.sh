#!/bin/sh
# SPDX-License-Identifier: MIT
# Links in pages lead somewhere. The README shows the example that is built, what it prints, the first
# script, and pictures that are made by others; docs/internals/agents.md what an example prints;
# docs/engine/search.md the algorithm that the tests add.
#   docs_test.sh SOURCE AGENT LINKS SLICE_SVG LOOK_SVG PATH_SVG SEARCH_SVG COMPONENTS_SVG EXPLORE_SVG
#                WORLD_SVG FLIGHT_SVG AGENT_SVG
set -eu
source=$1
agent=$2
links=$3
slice_svg=$4
look_svg=$5
path_svg=$6
search_svg=$7
components_svg=$8
explore_svg=$9
world_svg=${10}
flight_svg=${11}
agent_svg=${12}
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

# Prints the links of a page, one per line, without those in fenced blocks and in lines of comment,
# such as `<!-- cells: cell[column](row) -->`.
links_of() {
    awk '
        /^<!--.*-->$/ { next }
        /^```/ { fenced = !fenced }
        !fenced { while (match($0, /\]\([^)]*\)/)) {
            print substr($0, RSTART + 2, RLENGTH - 3)
            $0 = substr($0, RSTART + RLENGTH)
        } }' "$1"
}

# Prints the names under which the headings of a page can be linked to.
anchors_of() {
    sed -n 's/^##* *//p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# Every relative link of every page leads to a file, and to a heading of it if it names one.
(cd "$source" && find . -name '*.md' -not -path './build/*' -not -path '*/node_modules/*' | sort) >"$work/pages"
while IFS= read -r page; do
    links_of "$source/$page" >"$work/links"
    while IFS= read -r link; do
        case $link in
        http://* | https://*) continue ;;
        '#'*) target=$source/$page ;;
        *) target=$source/${page%/*}/${link%%#*} ;;
        esac
        if ! [ -e "$target" ]; then
            echo "$page: broken link: $link"
        elif [ "$link" != "${link#*#}" ] && ! anchors_of "$target" | grep -qxF -- "${link#*#}"; then
            echo "$page: no such heading: $link"
        fi
    done <"$work/links"
done <"$work/pages" >"$work/broken"
cat "$work/broken" >&2
[ ! -s "$work/broken" ]

# What a program does is in its main.
block '```c' 1 >"$work/shown.c"
sed -n '/^int main/,$p' "$source/examples/agent.c" | diff "$work/shown.c" -
block '```' 1 >"$work/shown.txt"
"$agent" | diff "$work/shown.txt" -

# The first tests of the script; it opens with the licence and what it is for.
block '```lua' 1 >"$work/shown.lua"
sed 1,2d "$source/examples/first_test.lua" | head -n "$(wc -l <"$work/shown.lua")" | diff "$work/shown.lua" -

block '```' 2 docs/internals/agents.md >"$work/shown_links.txt"
"$links" | diff "$work/shown_links.txt" -

block '```c' 4 docs/engine/search.md >"$work/shown_algorithm.c"
sed 1d "$source/tests/example_weighted.c" | diff "$work/shown_algorithm.c" -

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

"$agent_svg" "$source/worlds/three_doors.json" >"$work/agent.svg"
cmp "$work/agent.svg" "$source/docs/pictures/agent.svg"
