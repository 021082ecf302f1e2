#!/bin/sh
# SPDX-License-Identifier: MIT
# The figures in docs/lab are those of the CSV files in bench/results; and the checker of that finds
# what is not. Exit code 77: there is no python3.
#   docs_figures_test.sh SOURCE
set -eu
command -v python3 >/dev/null || {
    echo 'skipped: no python3'
    exit 77
}
export PYTHONDONTWRITEBYTECODE=1
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'name,kind,us\none,a,12.34\ntwo,a,5\ntwo,b,7\n' >"$work/data.csv"

# page LINE...: a page with these lines behind the one that names the data.
page() {
    printf '<!-- data: data = %s -->\n\n' "$work/data.csv" >"$work/page.md"
    printf '%s\n' "$@" >>"$work/page.md"
}

# finds TEXT LINE...: a page with these lines is refused, and the text is why.
finds() {
    text=$1
    shift
    page "$@"
    if python3 tests/docs_figures.py "$work/page.md" >"$work/out"; then
        echo "FAILED: $* is taken for true" >&2
        exit 1
    fi
    grep -qF -- "$text" "$work/out" || {
        echo "FAILED: $* is refused because of: $(cat "$work/out")" >&2
        exit 1
    }
}

# holds LINE...: a page with these lines is right.
holds() {
    page "$@"
    python3 tests/docs_figures.py "$work/page.md"
}

# shellcheck disable=SC2016 # no expressions, but code of pages
holds 'Nothing is counted, but in 2D, by Freeman 2014 and `in 3 codes`.'
holds 'It takes 12 us.' '<!-- check: round(data.one(name="one").us) == 12 -->'
holds 'Freeman took 7 us.' '<!-- source: Freeman 2014, 3.2 -->'
finds ':3: a figure without a mark: It takes 12 us.' 'It takes 12 us.'
finds ':3: a figure without a mark' '- it takes 12 us,' '- and 13' '<!-- check: True -->'
finds ':3: not true: round(' 'It takes 13 us.' '<!-- check: round(data.one(name="one").us) == 13 -->'
finds "no row has {'name': 'six'}" 'It takes 6 us.' '<!-- check: data.one(name="six").us > 0 -->'
finds '2 rows have' 'It takes 5 us.' '<!-- check: data.one(name="two").us > 0 -->'
set -- '<!-- cells: sig(data.one(name=row, kind=column).us) -->' '| us | a |' '|---|---|'
holds "$@" '| one | 12.3 |' '| two | **5** |'
finds ':3: the table has | one | 12.4 |, the data | one | 12.3 |' "$@" '| one | 12.4 |'
python3 tests/docs_figures.py --write "$work/page.md" >/dev/null || true
python3 tests/docs_figures.py "$work/page.md"

python3 tests/docs_figures.py docs/lab/*.md
