#!/bin/sh
# SPDX-License-Identifier: MIT
# Everything that must hold before a commit. Goes on after a failure, so that one run tells all, and
# ends with a line `N passed, N failed[, N skipped]`. Cases inside a cmocka test are counted one by
# one; everything else counts as one. What is skipped says so in a line that starts `skipped: `.
set -u
cd "$(dirname "$0")/.." || exit 1
# The options of an outer make are not meant for those started here.
unset MAKEFLAGS MFLAGS MAKELEVEL

passed=0
failed=0
skipped=0
broken=

step() {
    printf '\n== %s\n' "$*"
}

skip() {
    echo "skipped: $*"
    skipped=$((skipped + 1))
}

# fail COUNT WHAT
fail() {
    echo "FAILED: $2"
    failed=$((failed + $1))
    broken="$broken $2;"
}

# check WHAT COMMAND...: one test; exit code 77 means skipped.
check() {
    what=$1
    shift
    step "$what"
    "$@"
    case $? in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *) fail 1 "$what" ;;
    esac
}

# Prints how many cases passed, failed and were skipped, from the log of a ctest run.
count_cases() {
    awk '
        / Testing: / { ok = bad = left = said = 0 }
        /^skipped: / { said = 1 }
        /^\[  PASSED  \] [0-9]+ test/ { ok += $4 }
        /^\[  FAILED  \] [0-9]+ test/ { bad += $4 }
        /^\[  SKIPPED \] [0-9]+ test/ { left += $4 }
        /^Test (Passed|Failed)\.$/ { passed += ok; skipped += left }
        /^Test Passed\.$/ && ok + left == 0 { said ? skipped++ : passed++ }
        /^Test Failed\.$/ { failed += bad ? bad : 1 }
        END { print passed + 0, failed + 0, skipped + 0 }' "$1"
}

# Sets `cpu` to the seconds of CPU time that this script and all it has started took so far. Not
# printed: in a subshell the times would be those of the subshell.
read_cpu() {
    mkdir -p build
    times >build/cpu_times
    cpu=$(awk '
        {
            for (i = 1; i <= 2; i++) {
                split($i, part, /[ms]/)
                sum += 60 * part[1] + part[2]
            }
        }
        END { printf "%d", sum }' build/cpu_times)
}

# suite PRESET PART WHAT [RUNNER...]: builds a preset and runs its tests, through a runner if given.
# PART is what is built and run: `all`; `sanitized`, all but tests labelled `bulk`; `warnings`, all is
# built but only golden tests are run; or `golden`, these alone are built and run.
suite() {
    preset=$1
    target=
    labels=golden
    left_out=
    case $2 in
    all) labels= ;;
    sanitized)
        labels=
        left_out=bulk
        ;;
    golden) target=golden_tests ;;
    esac
    step "$preset: $3"
    shift 3
    read_cpu
    began_build=$cpu
    if ! scripts/build.sh "$preset" ${target:+"$target"}; then
        fail 1 "build of $preset"
        return
    fi
    read_cpu
    began_tests=$cpu
    log=build/$preset/Testing/Temporary/LastTest.log
    mkdir -p "${log%/*}"
    : >"$log"
    "$@" ctest --preset "$preset" ${labels:+-L "$labels"} ${left_out:+-LE "$left_out"} -j "$(nproc)"
    verdict=$?
    read_cpu
    echo "CPU time: $((began_tests - began_build)) s to build, $((cpu - began_tests)) s to test"
    # shellcheck disable=SC2046
    set -- $(count_cases "$log")
    passed=$((passed + $1))
    skipped=$((skipped + $3))
    [ $verdict -eq 0 ] || fail $(($2 > 0 ? $2 : 1)) "tests of $preset"
    grep '^skipped: ' "$log" | sort -u
}

# links PROGRAM COMPILER FLAG...: whether that makes a program; it is left in build/probe.
links() {
    program=$1
    shift
    mkdir -p build
    echo "$program" | "$@" -x c -o build/probe - >/dev/null 2>&1
}

# Some kernels place memory where gcc's thread sanitizer does not expect it, unless asked not to.
thread_suite() {
    what='threads, under the thread sanitizer'
    links 'int main(void) { return 0; }' cc -fsanitize=thread
    if build/probe >/dev/null 2>&1; then
        suite tsan all "$what"
    elif setarch -R build/probe >/dev/null 2>&1; then
        suite tsan all "$what" setarch -R
    else
        skip 'the thread sanitizer does not work here'
    fi
}

clang_suites() {
    if ! command -v clang >/dev/null; then
        skip 'clang is not here (make setup installs it): its builds and libFuzzer'
        return
    fi
    suite clang-release golden 'golden tests, optimised, by clang'
    suite clang-debug warnings 'golden tests, not optimised, by clang'
    if links 'int LLVMFuzzerTestOneInput(void) { return 0; }' clang -fsanitize=address,fuzzer; then
        suite fuzz all 'libFuzzer on every loader, some seconds each'
    else
        skip 'clang has no libFuzzer here (make setup installs it)'
    fi
}

# The machine that makes most mistakes visible: lowest byte last. Nothing of it is needed to build.
big_endian_suite() {
    what='golden tests on a big-endian machine, emulated'
    step "$what"
    if scripts/setup.sh big_endian && scripts/setup.sh --check big_endian; then
        suite s390x-debug all "$what"
    else
        skip "$what: gcc for s390x or qemu-user cannot be installed here"
    fi
}

began=$(date +%s)
check 'sources are formatted' scripts/format.sh --check
check 'modules stand in order' tests/module_order.sh
check 'clang-tidy finds nothing' scripts/tidy.sh
# Every test runs optimised, and with assertions under the sanitizers. Compilers and levels are
# compared by golden hashes. Both compilers build all, for their warnings: gcc
# in release and asan, clang in clang-debug.
suite release all 'all tests, optimised'
check 'values are set before they are used (valgrind; all quick tests in make soak)' \
    scripts/memcheck.sh test_base test_block test_frontier test_lab_file test_links test_message \
    test_report_words test_scenario test_world_refusals
check 'every file is used' tests/every_file_is_used.sh build/release
suite debug golden 'golden tests, not optimised'
suite asan sanitized 'tests, with assertions, under the address and undefined behaviour sanitizers'
thread_suite
clang_suites
big_endian_suite
check 'public headers compile alone, as C11 and C++17' tests/headers_test.sh
check 'options that change results are refused' tests/same_bits_test.sh
check 'what is installed can be used' tests/install_test.sh

read_cpu
step "done in $(($(date +%s) - began)) s; CPU time $((cpu / 60)) min $((cpu % 60)) s"
[ -z "$broken" ] || echo "failed:$broken"
if [ $skipped -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ]
