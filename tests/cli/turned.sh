#!/bin/sh
# SPDX-License-Identifier: MIT
# Worlds on turned grids, whose blocks block what they fill: paths, scenarios, maps, exploring.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

# Two rooms with a doorway of 2.5 m between them: house NAME FORWARD UP START DOORWAY
house() {
    cat >"$1.json" <<END
{
  "format": "octant-world", "version": 1, "name": "$1", "up": "y", "passage": 2.5,
  "start": {"position": $4, "forward": $2, "up": $3},
  "grids": [{"id": 1, "position": [3, 1, 2], "forward": $2, "up": $3}],
  "types": [{"name": "armour"}], "blocks": [],
  "fills": [
    {"grid": 0, "type": "armour", "from": [0, 0, 0], "to": [10, 4, 6]},
    {"grid": 0, "from": [1, 1, 1], "to": [4, 3, 5]},
    {"grid": 0, "from": [6, 1, 1], "to": [9, 3, 5]}$5
  ]
}
END
}
third=0.6666666666666666
tilt="[$third, -0.3333333333333333, $third]"
tilt_up="[$third, $third, -0.3333333333333333]"
start='[-0.933333, 9.566667, -1.033333]'
doorway=', {"grid": 0, "from": [5, 2, 3], "to": [5, 2, 3]}'
house upright '[0, 0, -1]' '[0, 1, 0]' '[8.0, 5.1, 9.5]' "$doorway"
house turned '[0.6, 0, -0.8]' '[0, 1, 0]' '[2.5, 5.1, 11.0]' "$doorway"
house tilted "$tilt" "$tilt_up" "$start" "$doorway"
house sealed "$tilt" "$tilt_up" "$start" ''

# ---- paths: straight through the doorway, at any angle ----

# way NAME FROM TO
way() {
    works path "$1.json" --cell 0.2 --from="$2" --to="$3" --check --json
    equals "$(field status) $(field valid)" '"found" true'
    equals "$(field length | cut -c1-4)" "15.0"
}
way upright 8,6,9.5 23,6,9.5
way turned 2.5,6,11 14.5,6,20
from=-0.333333,10.166667,-1.333333
to=-5.333333,20.166667,8.666667
way tilted $from $to
expect 1 path sealed.json --cell 0.2 --from=$from --to=$to
# A box that keeps upright meets the edges of the doorway with its corners.
expect 1 path tilted.json --cell 0.1 --body 1.8,1.8,1.8 --from=$from --to=$to
grep -qF "body of 3.11769 m does not fit" err || fail "no warning"
# The cells that keep a turned passage open are smaller.
expect 1 path tilted.json --from=$from --to=$to
grep -qF "cells of 0.202073 m or less do not" err || fail "no warning"

# ---- maps: a wall takes its own volume, not that of its upright box ----

for name in upright turned tilted; do
    works map info $name.json --cell 0.25 --body 0 --json
    blocked=$(field blocked)
    # 385 blocks less 121 of 1000 cells each, and those that their faces cut.
    [ "$blocked" -ge 264000 ] && [ "$blocked" -le 330000 ] || fail "$name: $blocked cells"
    works map convert $name.json $name.octant --cell 0.25 --body 0
    works map info $name.octant --json
    equals "$(field blocked)" "$blocked"
done

# ---- exploring: what is reached is what a flood of the shapes reaches ----

small="--cell 0.45 --body 0.9 --radius 15"
# shellcheck disable=SC2086 # many words
for name in turned tilted sealed; do
    for sight in line through; do
        works explore $name.json $small --sight $sight --check --json
        equals "$(field status) $(field differ)" '"explored" 0'
        [ "$(field calls)" -le 10 ] || fail "$name, $sight: $(field calls) calls"
    done
done
# shellcheck disable=SC2086
works explore tilted.json $small --check --json
both=$(field reachable)
# shellcheck disable=SC2086
works explore sealed.json $small --check --json
[ $((2 * $(field reachable))) -le "$both" ] || fail "the sealed room was reached"
# shellcheck disable=SC2086
for structure in grid set; do
    works explore tilted.json $small --structure $structure --check --json
    equals "$(field status) $(field differ) $(field reachable)" "\"explored\" 0 $both"
done
