#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the tests and prints how many branches of the libraries' sources they took at least once, by
# gcov, module by module; assertions are compiled out. The sum leaves out script and cli, which are
# the command. The files with the most branches that were not taken are listed in
# build/coverage.txt.
#   scripts/coverage.sh [--no-run] [CTEST OPTION...]    --no-run: from the counts that are there
# A function of a header is compiled into many objects: a branch counts once, and as taken if it was
# taken in one of them. What a failing test would have taken is counted too: failures are named.
set -eu
cd "$(dirname "$0")/.."
build=build/coverage

# Prints "FILE LINE BRANCH COUNT" for each branch that the objects below a folder hold.
branches() {
    find "$build/CMakeFiles" -path '*.dir/src/*.gcno' -print |
        xargs -n 50 gcov -b -c -t 2>/dev/null |
        awk '
            /^ *-: *0:Source:/ {
                file = $0
                sub(/^.*:Source:/, "", file)
                is_ours = sub(/^.*src\//, "src/", file)
                next
            }
            /^branch / && is_ours { print file, line, n++, $4 == "executed" ? 0 : $4; next }
            /^ *[0-9#=*-]+\*?: *[0-9]+:/ { split($0, part, ":"); line = part[2] + 0; n = 0 }'
}

# Prints "MODULE FILE BRANCHES TAKEN" for each file.
files() {
    awk '
        { key = $1 " " $2 " " $3; if (!(key in most) || $4 > most[key]) most[key] = $4 }
        END {
            for (key in most) {
                split(key, part, " ")
                all[part[1]]++
                taken[part[1]] += most[key] > 0
            }
            for (file in all) {
                split(file, part, "/")
                print part[2], file, all[file], taken[file] + 0
            }
        }'
}

if [ "${1-}" = --no-run ]; then
    shift
else
    scripts/build.sh coverage
    find $build -name '*.gcda' -delete
    ctest --preset coverage -j "$(nproc)" "$@" >build/coverage_tests.log 2>&1 ||
        echo "tests failed; see build/coverage_tests.log"
    grep 'tests passed' build/coverage_tests.log
fi

branches | files | sort -k 2 >build/coverage_files.txt
awk '{ printf "%6d of %6d branches not taken  %s\n", $3 - $4, $3, $2 }' build/coverage_files.txt |
    sort -rn >build/coverage.txt
awk '
    function row(name, all, taken) {
        printf "%-12s %9d %9d %7.1f %%\n", name, all, taken, 100 * taken / (all > 0 ? all : 1)
    }
    function end_module() {
        if (module != "") row(module, all[module], taken[module])
    }
    BEGIN { printf "%-12s %9s %9s %9s\n", "module", "branches", "taken", "share" }
    $1 != module { end_module(); module = $1 }
    {
        all[$1] += $3
        taken[$1] += $4
        is_command = $1 == "cli" || $1 == "script"
        sum += is_command ? 0 : $3
        sum_taken += is_command ? 0 : $4
    }
    END {
        end_module()
        row("libraries", sum, sum_taken)
    }' build/coverage_files.txt
echo 'files by branches that were not taken: build/coverage.txt'
