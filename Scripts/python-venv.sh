#!/usr/bin/env bash
# Makes a virtual environment with what tests in Python import, unless it is there already.
#
#   Scripts/python-venv.sh DIRECTORY
#
# The system's python3 is used: another one on PATH may live where an ordinary user cannot read.
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ $# -eq 1 ] || fail $EX_USAGE "usage: Scripts/python-venv.sh DIRECTORY"
directory=$1
requirements=$root/Scripts/requirements-test.txt

if cmp -s "$requirements" "$directory/requirements-installed.txt" && "$directory/bin/python" -c 'import varlink'; then
    exit 0
fi
step "making the Python environment $directory"
rm -f "$directory/requirements-installed.txt"
/usr/bin/python3 -m venv --clear "$directory"
"$directory/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --require-hashes \
    --requirement "$requirements"
cp "$requirements" "$directory/requirements-installed.txt"
