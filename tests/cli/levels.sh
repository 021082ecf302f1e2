#!/bin/sh
# SPDX-License-Identifier: MIT
# Levels: made from a seed, of a class, solvable or not as asked for.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

works gen level -o one.json --json
is_json
equals "$(field class) $(field solvable) $(field why)" '"toggles" true "solvable"'
equals "$(grep -c '"name": "Door' one.json)" "$(field doors)"
works gen level -o two.json --seed 1 --class toggles
cmp -s one.json two.json || fail "one seed, two worlds"
says "toggles: "
says "; solvable"
works gen level -o two.json --seed 2
cmp -s one.json two.json && fail "two seeds, one world"
works map convert one.json two.json
cmp -s one.json two.json || fail "a level changes on its way"

# Every class, by its name.
for class in toggles timers windows stops chains opens shuts traps ambushes together pending closing \
    held wide glass niches drifting decoys shafts gaps turned agents rows detours tilted houses; do
    works gen level -o two.json --class $class --unsolvable --json
    equals "$(field class) $(field solvable) $(field alone)" "\"$class\" false false"
done
# Every reason.
for why in sealed parity behind circular short shut-only exclusive dangling missing; do
    works gen level -o two.json --class opens --why $why --json
    equals "$(field why)" "\"$why\""
    works gen level -o two.json --class opens --why $why
    says "unsolvable: $why"
done
works gen level -o two.json --class chains --doors 9 --buttons 12 --json
equals "$(field doors) $(grep -c '"panel"' out)" "9 12"
works gen level -o two.json --class agents --seed 3 --json
[ "$(field agents)" -ge 2 ] || fail "agents of one"
says '"verb": "reach"'

refuses "two.bt: worlds are written as .json" gen level -o two.bt
refuses "gen: --rooms is for puzzles and lab" gen level -o two.json --rooms 4
refuses "gen: --class is for levels" gen puzzle -o two.json --class rows
refuses "gen: --class is for levels" gen boxes -o a.bt --class rows
refuses "gen: --size is for maps; level is a world" gen level -o two.json --size 64
refuses "gen: --blocks is for glass-maze and svo-random" gen level -o two.json --blocks 9
refuses "gen: --why walled-in is for puzzles" gen level -o two.json --why walled-in
refuses "gen: --why sealed is for levels" gen puzzle -o two.json --why sealed
refuses "gen: several agents get past short; ask for another --why" \
    gen level -o two.json --class agents --why short
refuses "gen: there is no such level of rows; ask for other --doors or --buttons, or for none" \
    gen level -o two.json --class rows --doors 3
