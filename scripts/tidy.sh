#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the checks of .clang-tidy over src/ and the headers that it includes.
#   scripts/tidy.sh [CHECKS]    other checks instead, as for clang-tidy --checks=
# Versions disagree, so only Debian 12's counts; another one exits 77: skipped.
set -eu
cd "$(dirname "$0")/.."
wanted=14

for tool in clang-tidy-$wanted clang-tidy; do
    version=$("$tool" --version 2>/dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p') || true
    [ "$version" = $wanted ] && break
done
if [ "$version" != $wanted ]; then
    echo "skipped: clang-tidy $wanted is not here (found: ${version:-none})"
    exit 77
fi

# The compile commands are known once the preset is configured; nothing has to be built.
log=build/tidy.log
mkdir -p build
cmake --preset debug >$log 2>&1 || {
    cat $log >&2
    exit 1
}
# A finding goes to stdout. What goes to stderr counts the warnings that are not shown, of which
# there are thousands in system headers, and says which file could not be read.
if ! find src -name '*.c' -print0 | sort -z |
    xargs -0 -n 8 -P "$(nproc)" "$tool" -p build/debug --quiet ${1:+--checks="$1"} 2>$log; then
    grep -v ' warnings\{0,1\} generated' $log >&2
    exit 1
fi
