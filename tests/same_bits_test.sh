#!/bin/sh
# SPDX-License-Identifier: MIT
# Options under which results would differ are refused when the library is compiled, and clang does
# not fuse multiplications and additions even where nobody told it not to.
set -eu
cd "$(dirname "$0")/.."

if [ "$(uname -m)" != x86_64 ]; then
    echo 'skipped: the options are those of x86-64'
    exit 77
fi
bad=0
# takes COMPILER OPTION...: whether the library's platform.h can be compiled.
takes() {
    compiler=$1
    shift
    echo '#include "base/platform.h"' |
        "$compiler" "$@" -x c -Werror -fsyntax-only -Isrc -Iinclude - 2>/dev/null
}
accepted() {
    takes "$@" || { echo "refused, but gives the same bits: $*" >&2 && bad=1; }
}
refused() {
    ! takes "$@" || { echo "not refused: $*" >&2 && bad=1; }
}
# A function of which fusing changes the result, as text.
has_fused() {
    printf '#include "base/platform.h"\ndouble f(double a, double b) { return a * b + b; }\n' |
        "$@" -x c -O2 -mfma -Isrc -Iinclude -S -o - - | grep -q vfmadd
}

for compiler in gcc clang; do
    if ! takes "$compiler" -std=c17; then
        echo "skipped: no $compiler here"
        continue
    fi
    accepted "$compiler" -std=gnu17
    accepted "$compiler" -std=c17 -mfma
    accepted "$compiler" -std=c17 -O3 -march=haswell -fno-math-errno -fno-trapping-math
    refused "$compiler" -std=c17 -ffast-math
    refused "$compiler" -std=c17 -Ofast
    refused "$compiler" -std=c17 -ffinite-math-only
    for option in -std=c17 -std=gnu17; do
        if takes "$compiler" $option -mfma && has_fused "$compiler" $option; then
            echo "fuses: $compiler $option -mfma" >&2
            bad=1
        fi
    done
done
if takes gcc -std=c17; then
    refused gcc -std=c17 -mfpmath=387
    refused gcc -std=c17 -U__SIZEOF_INT128__
    refused gcc -std=gnu17 -mfma
    refused gcc -std=c17 -ffp-contract=fast
    refused gcc -std=c17 -funsafe-math-optimizations
    refused gcc -std=c17 -freciprocal-math
    refused gcc -std=c17 -fno-signed-zeros
fi

# What no file includes protects none.
for file in src/*/*.c; do
    case $file in
    src/cli/* | src/files/* | src/script/*) continue ;; # need other libraries to be compiled
    esac
    cc -std=c17 -Isrc -Iinclude -MM "$file" | grep -q 'src/base/platform\.h' ||
        { echo "does not include base/platform.h: $file" >&2 && bad=1; }
done
exit $bad
