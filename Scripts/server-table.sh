#!/usr/bin/env bash
# Surveys every WebDAV server of the tests, and writes the findings into Tests/Servers/findings.json and into the table
# of docs/webdav.md.
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

if [ "${1:-}" = --print ]; then
    # As the ordinary user: the findings, one JSON object per line, on standard output.
    results=$(mktemp)
    trap 'rm -f "$results"' EXIT
    DOCENT_TEST_FINDINGS=$results Scripts/test.sh full --filter ServerSurveyTests >&2 || warn "not every server could be surveyed"
    sed 's/^/FOUND /' "$results"
    exit 0
fi

cd "$root"
output=$(mktemp)
trap 'rm -f "$output"' EXIT
if [ "$(id -u)" -eq 0 ]; then
    (run_as_ordinary_user Scripts/server-table.sh --print) >"$output"
else
    Scripts/server-table.sh --print >"$output"
fi
sed -n 's/^FOUND //p' "$output" | /usr/bin/python3 Scripts/server-table.py --record
