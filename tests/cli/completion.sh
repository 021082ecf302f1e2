#!/bin/sh
# SPDX-License-Identifier: MIT
# Bash completion: commands, options, words and file names. Exit code 77 = skipped.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

if ! command -v bash >/dev/null; then
    echo "skipped: no bash"
    exit 77
fi

mkdir folder
: >folder/map.bt
: >file.3dmap
cat >complete.bash <<END
. "$source/src/cli/octant.bash"
COMP_WORDS=(octant "\$@")
COMP_CWORD=\$#
_octant "$octant"
printf '%s\n' "\${COMPREPLY[@]}"
END

# completes EXPECTED WORD...: what the last word can become, in the command's own order.
completes() {
    wanted=$1
    shift
    bash complete.bash "$@" >out 2>err
    [ ! -s err ] || fail "completing '$*' complains"
    equals "$(tr '\n' ' ' <out | sed 's/ *$//')" "$wanted"
}

completes "map path scen lab gen explore links test view serve game check bench help --help --version" ""
completes "map" ma
completes "info convert bake" map ""
completes "convert" map c
completes "gen game" help g
completes "boxes wall clusters checkerboard tunnels potential glass-box glass-maze svo-random svo-wall puzzle level lab" \
    gen ""
completes "--cell --coverage --clustering --class" gen potential --c
completes "svo-random svo-wall" gen s
completes "clusters checkerboard" gen c
completes "--size --seed --storeys" gen clusters --s
completes "" gen clusters --size ""
completes "folder file.3dmap" gen clusters -o f
completes "folder/map.bt" gen clusters --output folder/
completes "open blocked" map convert a b --unknown ""
completes "--up --unit --unknown" map convert a b --u
completes "x y z" map info a --up ""
completes "whole centre" map info a --padding ""
completes "file.3dmap" map info "fi"
completes "folder" bench map --data f
completes "map search flat frontier moving swarm game link table" bench ""
completes "worlds mesh flat units flights puzzles surfaces graphs" bench table ""
completes "dijkstra astar astar-smooth theta lazy-theta greedy portal jps anya block" \
    path a --algorithm ""
completes "block baseline" scen a b --algorithm b
completes "progressive-dual progressive-corner portal" path a --graph p
completes "best fast" path a --grade ""
completes "default no yes" scen a b --taut ""
completes "4 6 8 18 26" path a --neighbours ""
completes "--unknown --unknown-price" path a --unk
completes "file.3dmap" scen "fi"
completes "folder file.3dmap" scen file.3dmap f
completes "" path file.3dmap --from ""
completes "folder file.3dmap" lab f
completes "folder file.3dmap" lab file.3dmap --tasks 3 file.3dmap f
completes "corner centre" lab --ends ""
completes "folder file.3dmap" explore f
completes "nearest gain random depth directed" explore file.3dmap --strategy ""
completes "octree grid set" explore file.3dmap --structure ""
completes "line through" explore file.3dmap --sight ""
completes "folder file.3dmap" explore file.3dmap --trace f
completes "" explore file.3dmap --from ""
completes "folder file.3dmap" test f
completes "folder file.3dmap" test folder --quiet f
completes "folder" test a.lua --trace f
completes "folder file.3dmap" test a.lua --junit f
completes "" map info file.3dmap f

# Every option that any command has can be completed.
works help
sed -n '/^commands$/,/^$/s/^  //p' out | sed 's/  .*//' >names
while read -r name; do
    # shellcheck disable=SC2086 # a name may be two words
    works $name --help
    grep -Eo '^ +(-[a-z], )?--[a-z-]+' out | grep -o -e '--.*' >options
    # shellcheck disable=SC2086
    bash complete.bash $name -- >out 2>err
    [ -s options ] || fail "$name has no options"
    grep -vxF -f out options >missing && fail "$name: $(cat missing) is not completed"
done <names
exit 0
