#!/bin/sh
# SPDX-License-Identifier: MIT
# Pictures without a browser: --svg, --slice, --plan, --obj; each is whole, shows what was found, and
# is the same twice.
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
...@.....
END

# is_drawn FILE WORD...: a whole picture that holds the words.
is_drawn() {
    file=$1
    shift
    [ "$(head -c 4 "$file")" = '<svg' ] || fail "$file is no picture"
    [ "$(tail -n 1 "$file")" = '</svg>' ] || fail "$file has no end"
    if command -v python3 >/dev/null; then
        python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$file" ||
            fail "$file is not well-formed"
    fi
    for word in "$@"; do
        grep -qF -e "$word" "$file" || fail "$file lacks: $word"
    done
}

# ---- text ----

# Numbers grow to the right and up: the first row of a .map is the lowest.
cat >plan <<'END'
  ...#...*G
  ...#..**.
  S*.#.*###
  .**#*.#.#
  ......###
END
works path flat.map --from 0.5,2.5 --to 8.5,4.5 --plan
tail -n 5 out | cmp -s - plan || fail "the plan of a path"
works map info flat.map --plan
tail -n 5 out >drawn
sed 1,4d flat.map | tac | tr '@' '#' | sed 's/^/  /' | cmp -s - drawn || fail "the plan of a map"

# ---- drawings ----

works path flat.map --from 0.5,2.5 --to 8.5,4.5 --svg path.svg
is_drawn path.svg 'm-track a0' 'm-blocked' 'found, ' '>start<' '>end<' '>blocked<'
cp path.svg before.svg
works path flat.map --from 0.5,2.5 --to 8.5,4.5 --svg path.svg
cmp -s path.svg before.svg || fail "a picture is not the same twice"
expect 1 path flat.map --from 0.5,2.5 --to 7.5,1.5 --svg none.svg
is_drawn none.svg 'none'
works map info flat.map --svg map.svg
is_drawn map.svg 'm-open' 'm-blocked'
works lab flat.map --csv lab.csv --tasks 1 --svg lab.svg
is_drawn lab.svg 'anya' 'theta' 'jps' 'm-again'
works explore "$source/worlds/three_doors.json" --svg explore.svg
is_drawn explore.svg 'from above' 'from the side' 'travelled' 'm-frontier' 'Door1' 'panel'
works map info "$source/worlds/three_doors.json" --svg world.svg --slice y=5,x=12.5,z=12
[ "$(grep -c 'class="drawing"' world.svg)" -eq 3 ] || fail "not three slices"
is_drawn world.svg 'cut at y = 5.0 m' 'cut at x = 12.5 m' 'cut at z = 12.0 m'
works gen boxes --output boxes.octant --size 64
works path boxes.octant --from 1.5,1.5,1.5 --to 62,62,62 --svg solid.svg --obj path.obj
is_drawn solid.svg 'from above' 'from the side' 'way outside the slice'
[ "$(stat -c %s solid.svg)" -lt 200000 ] || fail "a large picture"

# The line of a path is the last that an .obj holds, and counts from its end.
works path boxes.octant --from 1.5,1.5,1.5 --to 62,62,62 --points
corners=$(sed -n '/^  points/,$p' out | grep -c .)
tail -n 1 path.obj | grep -Eq "^l -$corners( -[0-9]+)* -1$" || fail "no line in the .obj"
grep -q '^f ' path.obj || fail "no boxes in the .obj"
works path flat.map --from 0.5,2.5 --to 8.5,4.5 --obj flat.obj
grep -q '^o path$' flat.obj || fail "no path in the .obj of a flat map"

# ---- what is refused ----

to='--from 0.5,2.5 --to 8.5,4.5'
# shellcheck disable=SC2086
{
    refuses "path: --slice is for --svg" path flat.map $to --slice z=1
    refuses "path: --slice must be up to 8 places such as z=1.5,x=20, not 'w=1'" \
        path flat.map $to --svg a.svg --slice w=1
    refuses "path: --slice must be up to 8 places such as z=1.5,x=20, not 'z=1,'" \
        path flat.map $to --svg a.svg --slice z=1,
    refuses "path: --plan is text, and --json is not; only one of them" \
        path flat.map $to --json --plan
    refuses "path: --obj is not for --walk" path flat.map $to --walk --obj a.obj
}
expect 2 path flat.map --from 0.5,2.5 --to 8.5,4.5 --svg a.svg --slice z=1
grep -q 'slice is for maps of three dimensions' err || fail "a slice of a flat map"
expect 2 map info boxes.octant --svg a.svg --slice z=64
grep -q 'there is no slice z=64: the map goes from 0 to 64' err || fail "a slice beside the map"
expect 2 map info boxes.octant --plan
grep -q 'plan is for one layer of at most 100 x 60 cells' err || fail "a plan of a large map"
refuses "lab: --svg is for one task; --tasks 1 has one" lab flat.map --csv b.csv --svg b.svg
refuses "path: --svg names flat.map, which is read; choose another file" \
    path flat.map --from 0,0 --to 1,1 --svg flat.map
exit 0
