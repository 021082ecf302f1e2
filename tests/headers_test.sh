#!/bin/sh
# SPDX-License-Identifier: MIT
# Every public header alone compiles as C11 and as C++17, by each of gcc and clang that is here. One
# call of a compiler takes all headers, each as a program of its own.
set -eu
cd "$(dirname "$0")/.."

tried=0
bad=0
# try COMPILER LANGUAGE STANDARD
try() {
    if ! echo 'int one;' | "$1" -x "$2" -std="$3" -fsyntax-only - 2>/dev/null; then
        echo "skipped: no $1 here for $3"
        return
    fi
    tried=$((tried + 1))
    "$1" -x "$2" -std="$3" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude \
        include/octant/*.h || bad=1
}

try gcc c c11
try gcc c++ c++17
try clang c c11
try clang c++ c++17
[ $bad -eq 0 ] || exit 1
[ $tried -gt 0 ] || exit 77
set -- include/octant/*.h
echo "$# headers, $tried times"
