#!/bin/sh
# SPDX-License-Identifier: MIT
# A short tour: agents test four worlds that they have never seen; then what lies beneath. What it
# writes is in build/demo.
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/build:$PATH
rm -rf build/demo
mkdir -p build/demo

say() {
    printf '\n%s\n' "$*"
}

show() {
    echo "\$ $*"
    "$@"
}

say 'Four worlds that an agent has never seen: a house with a door, three doors and four buttons, a box of
glass 130 m long, and the same full of obstacles. It has to find the target, the buttons, what they do, and
in which order. It sees 20 m far, in the line of sight. This takes some seconds:'
# The live line is on stderr; what is printed is kept for the table below.
set -- octant test scripts/demo.lua --html build/demo/report.html --trace build/demo/replays
echo "\$ $*"
code=0
"$@" >build/demo/tests.txt || code=$?
cat build/demo/tests.txt

say 'Beside them the tests of Hoekzema 2024 (table 3: turns; table 2: seconds, of its
octree; Java, in Space Engineers itself, on the worlds that these are modelled on). Its test 2 was told the order of
the buttons; its tests 3 and 4 saw 120 m far, so that nothing had to be explored:'
awk '
    BEGIN {
        split("283 461 661 868", turns)
        split("50.8 89.2 777.1 1313.3", seconds)
        print "  world                verdict     turns   Hoekzema  s of the game   s of CPU   s, Hoekzema"
    }
    $3 != "" && /turns +[0-9.]+ s / {
        for (i = 1; $i != "turns"; i++);
        unit = $(i + 4)
        cpu = $(i + 3) * (unit == "s" ? 1 : unit == "ms" ? 1e-3 : 1e-6)
        n++
        printf "  %-20s %-10s %6d   %8d  %13.1f   %8.2f   %11.1f\n", $2, $1, $(i - 1), turns[n],
            $(i + 1), cpu, seconds[n]
    }' build/demo/tests.txt

cd build/demo
say 'A level of your own is a JSON file, a test is Lua (docs/testers/tutorial.md, ten minutes). Where a level is
broken, an agent says why: here the wire of the button is cut.'
sed '/"action": "toggle", "to": 1/d' ../../worlds/door_and_button.json >unwired.json
cat >unwired.lua <<'LUA'
world "unwired.json"
test("the button opens the door", { view = 20 }, function()
  return links_are { Panel = { "Door1" } }
end)
LUA
show octant test unwired.lua || true

say 'What lies beneath: an octree that keeps 16.7 million cells of a crowded cube in less than two megabytes,'
show octant gen clusters --seed 1 -o clusters.octant
say 'and paths through it in about a millisecond, judged by exact arithmetic: no corner is clipped.'
show octant path clusters.octant --from 3,3,3 --to 250,250,250 --check --points
say 'Ten algorithms of the field on flat maps, from scattered to clustered, every path judged:'
show octant lab --size 128 --coverage 20 --clustering 0,4,64 --check --repeat 3 --csv lab.csv

say "The report is build/demo/report.html: open it in a browser. The replays of the four tests are in
build/demo/replays. 'build/octant --help' lists the commands; README.md says where to read on."
exit $code
