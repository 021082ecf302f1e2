#!/bin/sh
# SPDX-License-Identifier: MIT
# A script that no limit ends: the command writes its reports, says so, and ends with 2.
#   watchdog_test.sh COMMAND SOURCE_FOLDER
set -eu
octant=$1
source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$source/worlds/door_and_button.json" .

fail() {
    echo "watchdog: $*"
    cat out err 2>/dev/null
    exit 1
}

cat >some.lua <<'EOF'
world "door_and_button.json"
test("before", function() return SUCCESS() end)
test("hangs", function() return CHECK("c", function(a) spin() end) end)
test("after", function() return SUCCESS() end)
EOF
for threads in 1 2; do
    code=0
    "$octant" test some.lua --threads $threads --junit j.xml --html h.html --trace traces >out 2>err || code=$?
    [ $code -eq 2 ] || fail "exit code $code"
    [ "$(grep -c . err)" -eq 1 ] || fail 'more than one line'
    grep -q "some.lua:3: 'hangs' did not end" err || fail 'no complaint'
    grep -q 'before' out || fail 'the test before is not printed'
    grep -q 'the script did not end' out || fail 'the test that hangs is not printed'
    grep -q 'testcase name="before"' j.xml || fail 'not in the JUnit report'
    grep -q 'did not end' j.xml || fail 'the error is not in the JUnit report'
    grep -q 'did not end' h.html || fail 'the error is not in the page'
    [ -z "$(find . -name '*.tmp*' -o -name '.*.draft*')" ] || fail 'a draft is left'
    rm -rf traces j.xml h.html
done

echo 'spin()' >loads.lua
code=0
"$octant" test loads.lua >out 2>err || code=$?
[ $code -eq 2 ] || fail "exit code $code while loading"
grep -q 'did not end while it was loaded' err || fail 'no complaint while loading'

# What ends in time is not bitten.
sed 's/spin()/return true/' some.lua >well.lua
"$octant" test well.lua >out 2>err || fail 'bitten without a reason'
echo 'watchdog: ok'
