#!/bin/sh
# SPDX-License-Identifier: MIT
# Puzzles: made from a seed, solvable or not as asked for.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

works gen puzzle -o one.json --json
is_json
equals "$(field solvable) $(field why)" 'true "solvable"'
equals "$(field file_bytes)" "$(($(wc -c <one.json)))"
doors=$(field doors)
[ "$(field presses)" -ge 1 ] || fail "nothing to press"
equals "$(grep -c '"cell": \[' one.json)" "$(field blocks)"
equals "$(grep -c '"name": "Door' one.json)" "$doors"
equals "$(grep -c '"type": "TargetDummy"' one.json)" 1
works gen puzzle -o two.json --seed 1
cmp -s one.json two.json || fail "one seed, two worlds"
says "solvable, fewest presses: "
works gen puzzle -o two.json --seed 2
cmp -s one.json two.json && fail "two seeds, one world"

# A world as any other: it can be read, and comes back to the byte.
expect 0 map info one.json --json
equals "$(field doors)" "$doors"
works map convert one.json two.json
cmp -s one.json two.json || fail "a puzzle changes on its way"

works gen puzzle -o two.json --rooms 9 --doors 7 --buttons 5 --presses 2 --json
equals "$(field rooms) $(field doors)" "9 7"
equals "$(grep -c '"panel"' out)" 5
[ "$(field presses)" -ge 2 ] || fail "too few presses"

works gen puzzle -o two.json --unsolvable --json
equals "$(field solvable) $(field presses)" "false 0"
for why in walled-in no-button button-behind parity; do
    works gen puzzle -o two.json --why $why --rooms 12 --json
    is_json
    equals "$(field solvable) $(field why)" "false \"$why\""
    works gen puzzle -o two.json --why $why --rooms 12
    says "unsolvable: $why"
done

rm -f two.json
refuses "two.bt: worlds are written as .json" gen puzzle -o two.bt
refuses "gen: --size is for maps; puzzle is a world" gen puzzle -o two.json --size 64
refuses "gen: --blocks is for glass-maze and svo-random" gen puzzle -o two.json --blocks 9
refuses "gen: --rooms is for puzzles and lab" gen boxes -o a.bt --rooms 4
refuses "gen: --unsolvable is for puzzles, levels and lab" gen glass-box -o two.json --unsolvable
refuses "gen: --doors of a puzzle are at most 24" gen puzzle -o two.json --doors 25
refuses "gen: --buttons of a puzzle are at most 24" gen puzzle -o two.json --buttons 25
refuses "gen: --presses is for puzzles that can be solved" \
    gen puzzle -o two.json --unsolvable --presses 2
refuses "gen: --doors of 3 rooms are at most 4" gen puzzle -o two.json --rooms 3 --doors 5
refuses "gen: --doors of 3 rooms are at most 3 where they cannot be solved" \
    gen puzzle -o two.json --rooms 3 --doors 4 --unsolvable
refuses "gen: --buttons of 3 rooms are at most 6" gen puzzle -o two.json --rooms 3 --buttons 7
refuses "gen: no such puzzle was found; ask for more rooms, or another seed" \
    gen puzzle -o two.json --rooms 2 --doors 1 --why walled-in
[ -e two.json ] && fail "a refused command wrote a file"
exit 0
