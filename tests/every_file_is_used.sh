#!/bin/sh
# SPDX-License-Identifier: MIT
# Lists of files are explicit, so a file that no list names would go unnoticed: a lost test.
#   tests/every_file_is_used.sh BUILD
set -eu
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

used=$(cat "$build/compile_commands.json" "$build/tests/CTestTestfile.cmake")
lost=0
for file in $(find bench examples src tests -name '*.c' -o -path 'tests/cli/*.sh' -perm -u+x); do
    case $used in
    *"/$file\""*) ;;
    *)
        echo "in no CMake list: $file" >&2
        lost=1
        ;;
    esac
done
exit $lost
