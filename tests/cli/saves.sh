#!/bin/sh
# SPDX-License-Identifier: MIT
# Saves of Space Engineers (.sbs): info, convert, path, explore; where sizes of blocks come from;
# warnings, refusals, and hostile files, which are refused within a second.
# shellcheck source=tests/cli/check.sh
data=${OCTANT_DATA-}
. "$(dirname "$0")/check.sh"

# block CELL TYPE SUBTYPE [CONTENT]
block() {
    # shellcheck disable=SC2086
    set -- $1 "$2" "$3" "${4-}"
    cat <<END
<MyObjectBuilder_CubeBlock xsi:type="MyObjectBuilder_$4"><SubtypeName>$5</SubtypeName>
<Min x="$1" y="$2" z="$3" />$6</MyObjectBuilder_CubeBlock>
END
}

# save BLOCKS: a grid of blocks, and a character.
save() {
    cat <<END
<?xml version="1.0"?>
<MyObjectBuilder_Sector xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<SectorObjects>
<MyObjectBuilder_EntityBase xsi:type="MyObjectBuilder_VoxelMap"><EntityId>3</EntityId>
</MyObjectBuilder_EntityBase>
<MyObjectBuilder_EntityBase xsi:type="MyObjectBuilder_CubeGrid"><EntityId>77</EntityId>
<PositionAndOrientation><Position x="0" y="0" z="0" /><Forward x="0" y="0" z="-1" />
<Up x="0" y="1" z="0" /></PositionAndOrientation><GridSizeEnum>Large</GridSizeEnum>
<CubeBlocks>
$1
</CubeBlocks></MyObjectBuilder_EntityBase>
<MyObjectBuilder_EntityBase xsi:type="MyObjectBuilder_Character"><PositionAndOrientation>
<Position x="3.75" y="-1.2" z="0" /><Forward x="0" y="0" z="-1" /><Up x="0" y="1" z="0" />
</PositionAndOrientation></MyObjectBuilder_EntityBase>
</SectorObjects>
</MyObjectBuilder_Sector>
END
}

blocks="$(block '0 0 0' Refinery LargeRefinery '<EntityId>5</EntityId>')
$(block '9 5 5' CubeBlock Window1x1Flat)
$(block '9 4 5' CubeBlock '')"
mkdir -p game/level
save "$blocks" >game/level/a.sbs
terrain="octant: warning: game/level/a.sbs: left out: terrain, which is in files of its own (1)"

# ---- sizes ----

expect 0 map info game/level/a.sbs --cell 1.25 --body 0 --json
is_json
equals "$(field format)" '"space-engineers-save"'
equals "$(field blocks) $(field blocked)" "3 24"
printf '%s\n' "octant: warning: game/level/a.sbs: sizes of blocks are not known: each counts as one \
cell" "$terrain" | cmp -s - err || fail "warnings without sizes"

cat >game/block_sizes.json <<'END'
[{"id": "MyObjectBuilder_Refinery", "type": "LargeRefinery", "cubeSize": "Large", "size": [2, 4, 2]},
 {"id": "MyObjectBuilder_CubeBlock", "type": "Window1x1Flat", "cubeSize": "Large", "size": [1, 1, 1]}]
END
expect 0 map info game/level/a.sbs --cell 1.25 --body 0 --json
equals "$(field blocks) $(field types) $(field blocked)" "3 3 144"
printf '%s\n' "octant: warning: game/level/a.sbs: the size of CubeBlock/ is not known: it counts as \
one cell" "$terrain" | cmp -s - err || fail "warnings with sizes above"

sed 's/2, 4, 2/2, 2, 2/' game/block_sizes.json >game/level/block_sizes.json
expect 0 map info game/level/a.sbs --cell 1.25 --body 0 --json
equals "$(field blocked)" 80
expect 0 map info game/level/a.sbs --cell 1.25 --body 0 --json --sizes game/block_sizes.json
equals "$(field blocked)" 144
(cd game/level && "$octant" map info a.sbs --cell 1.25 --body 0 --json) >out 2>err || fail "a.sbs"
equals "$(field blocked)" 80
rm game/level/block_sizes.json

printf '[\n {"id": "MyObjectBuilder_A", "type": "B", "size": [1, 0, 1]}]\n' >bad.json
refuses "bad.json:2:2: item 0: size must be whole numbers from 1 to 64" \
    map info game/level/a.sbs --sizes bad.json
refuses "no.json: cannot open: No such file or directory" map info game/level/a.sbs --sizes no.json
expect 0 gen svo-wall -o wall.json
refuses "map info: --sizes is for saves, which are .sbs files" map info wall.json --sizes bad.json
expect 0 map convert wall.json wall.bt --cell 10 --body 0
refuses "path: --sizes is for worlds, which are .json or .sbs files" \
    path wall.bt --from 0,0,0 --to 1,1,1 --sizes bad.json

# ---- what commands make of saves ----

expect 0 map convert game/level/a.sbs a.json --json
equals "$(field blocks)" 3
grep -qF '"id": "5", "type": "Refinery/LargeRefinery"' a.json ||
    grep -qF '"id": 5, "type": "Refinery/LargeRefinery"' a.json || fail "the block is lost"
works map info a.json --cell 1.25 --body 0 --json
equals "$(field format) $(field blocked)" '"octant-world" 144'
expect 0 map convert game/level/a.sbs a.octant --cell 1.25 --body 0
works map info a.octant --json
equals "$(field blocked)" 144
refuses "b.sbs: maps are written as .octant, .3dmap, .map, .bt or .obj" \
    map convert game/level/a.sbs b.sbs
refuses "a.sbs: worlds are written as .json" gen glass-box -o a.sbs
cp game/level/a.sbs a_save.json
expect 0 map info a_save.json --cell 1.25 --body 0 --json
equals "$(field format) $(field blocked)" '"space-engineers-save" 24'
expect 0 path game/level/a.sbs --cell 0.5 --body 0 --from 6,0,0 --to 20,13,13 --json
equals "$(field status)" '"found"'
expect 0 explore game/level/a.sbs --cell 0.5 --body 0.5 --radius 8 --json
equals "$(field status)" '"bounded"'

# ---- refusals ----

sed 's/<EntityId>77/<EntityId>7 7/' game/level/a.sbs >broken.sbs
refuses "broken.sbs:6:65: EntityId is '7 7', not a whole number of 64 bits" map info broken.sbs
head -12 game/level/a.sbs >broken.sbs
expect 2 map info broken.sbs
grep -q '^octant: broken.sbs:13:1: no element found$' err || fail "a cut save"
: >broken.sbs
refuses "broken.sbs: the file is empty" map info broken.sbs
refuses "no.sbs: cannot open: No such file or directory" map info no.sbs

# ---- hostile ----

{
    echo '<?xml version="1.0"?>'
    echo '<!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    echo '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;">]>'
    echo '<MyObjectBuilder_Sector>&d;</MyObjectBuilder_Sector>'
} >bomb.sbs
refuses "bomb.sbs:2:16: a document type declaration: saves have none" map info bomb.sbs
# A gigabyte of nesting, of which only the first bytes are ever made. Sanitizers take more than any
# limit at once; the writer must not wait for a reader that never came.
limit=200000
(ulimit -v $limit 2>/dev/null && "$octant" --version) >out 2>&1 || limit=unlimited
mkfifo nested.sbs
{ echo '<MyObjectBuilder_Sector>' && yes '<a><a><a><a><a><a><a><a>' | head -c 1000000000; } \
    >nested.sbs 2>/dev/null &
writer=$!
(ulimit -v $limit 2>/dev/null; "$octant" map info nested.sbs) >out 2>err && fail "nesting is taken"
kill "$writer" 2>/dev/null || :
equals "$(cat err)" "octant: nested.sbs:9:22: more than 64 elements in each other"
wait || :

# ---- the real saves ----

folder=${data:-$source/../shared/data}/space_engineers
if [ -r "$folder/saves/test1_myworld-3_Indoors.sbs" ]; then
    for name in test1_myworld-3_Indoors test2_CR3_3_3_M; do
        # Of cells that close no passage of a turned ship in one of them.
        expect 0 map info "$folder/saves/$name.sbs" --cell 0.2 --json
        saved="$(field blocks) $(field types) $(field open) $(field blocked)"
        works map info "$folder/worlds/$name.json" --cell 0.2 --json
        equals "$saved" "$(field blocks) $(field types) $(field open) $(field blocked)"
    done
fi
