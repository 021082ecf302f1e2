#!/bin/sh
# SPDX-License-Identifier: MIT
# The same bits everywhere: builds the libraries and the golden tests that need no other library for
# other machines, and runs them in emulators. Hashes must be those of x86-64. A target whose
# compiler or emulator is missing is skipped. Ends with a table.
#   scripts/portable.sh [PRESET...]    default: aarch64 s390x windows wasm musl
set -u
cd "$(dirname "$0")/.." || exit 1
# Wine keeps its files here, and says little.
export WINEPREFIX="$PWD/build/wine" WINEDEBUG=-all
[ $# -gt 0 ] || set -- aarch64 s390x windows wasm musl

# What a preset needs.
commands_of() {
    case $1 in
    aarch64) echo aarch64-linux-gnu-gcc qemu-aarch64 ;;
    s390x) echo s390x-linux-gnu-gcc qemu-s390x ;;
    windows) echo x86_64-w64-mingw32-gcc wine ;;
    wasm) echo clang wasm-ld node ;;
    musl) echo musl-gcc ;;
    esac
}

failed=0
table=
# row PRESET RESULT
row() {
    table="$table$(printf '%-8s %-36s %s' "$1" "$(commands_of "$1")" "$2")
"
}

for preset in "$@"; do
    printf '\n== %s\n' "$preset"
    missing=
    for command in $(commands_of "$preset"); do
        command -v "$command" >/dev/null || missing="$missing $command"
    done
    if [ "$missing" ]; then
        echo "skipped: $preset, no$missing here"
        row "$preset" skipped
        continue
    fi
    began=$(date +%s)
    log=build/$preset.tests.log
    rm -f "$log"
    if scripts/build.sh "$preset" octant octant_play octant_lab golden_tests &&
        ctest --preset "$preset" -j "$(nproc)" >"$log" 2>&1; then
        row "$preset" "$(grep -c ' Passed ' "$log") tests passed, $(($(date +%s) - began)) s"
    else
        [ ! -f "$log" ] || cat "$log"
        row "$preset" "FAILED, $(($(date +%s) - began)) s"
        failed=1
    fi
done

for test in headers_test same_bits_test; do
    printf '\n== %s\n' $test
    tests/$test.sh || [ $? -eq 77 ] || failed=1
done
printf '\n%s' "$table"
exit $failed
