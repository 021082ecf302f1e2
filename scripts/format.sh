#!/bin/sh
# SPDX-License-Identifier: MIT
# Formats all sources, or with --check says which ones are not formatted.
# Versions of clang-format disagree, so only Debian 12's counts; another one exits 77: skipped.
set -eu
cd "$(dirname "$0")/.."
wanted=14

for tool in clang-format-$wanted clang-format; do
    version=$("$tool" --version 2>/dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p') || true
    [ "$version" = $wanted ] && break
done
if [ "$version" != $wanted ]; then
    echo "skipped: clang-format $wanted is not here (found: ${version:-none})"
    exit 77
fi

case ${1-} in
--check) set -- --dry-run -Werror ;;
*) set -- -i ;;
esac
find bench examples include src tests -name '*.[ch]' -print0 |
    xargs -0 -n 40 -P "$(nproc)" "$tool" "$@"
