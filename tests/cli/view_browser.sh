#!/bin/sh
# SPDX-License-Identifier: MIT
# octant view in a browser. Skipped without Chromium, Node and playwright-core, and where a sanitizer
# makes the command slow.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

skip() {
    echo "skipped: $*"
    exit 77
}
chromium=$(command -v chromium) || skip "there is no Chromium"
command -v node >/dev/null || skip "there is no Node"
[ -d "$source/viewer/node_modules/playwright-core" ] || skip "playwright-core is not installed"
[ -z "${OCTANT_TEST_SAMPLE-}" ] || skip "only as release"
"$octant" view nothing.map --no-open >out 2>err
! grep -q 'without its page' err || skip "the viewer was not built"

works gen boxes --output million.octant --size 256
printf 'type octile\nheight 4\nwidth 4\nmap\n....\n.@..\n....\n....\n' >flat.map
works test "$source/worlds/tests/three_doors.lua" --filter "finds the order" --trace traces
mv traces/*.jsonl replay.jsonl
works bench swarm --trace swarm.jsonl --units 300 --seconds 3 --size 32
CHROMIUM=$chromium timeout 300 node "$source/tests/view_browser.mjs" "$octant" "$source" "$work" \
    ${PICTURES:+"$PICTURES"} >out 2>err || fail "the browser"
grep -v '^ok' out || true
exit 0
