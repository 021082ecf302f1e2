#!/bin/sh
# SPDX-License-Identifier: MIT
# The adapter for games in Python keeps the protocol. Exit code 77: there is no python3.
#   adapter_test.sh SOURCE
set -eu
command -v python3 >/dev/null || {
    echo 'skipped: no python3'
    exit 77
}
export PYTHONDONTWRITEBYTECODE=1
exec python3 "$1/tests/adapter_test.py"
