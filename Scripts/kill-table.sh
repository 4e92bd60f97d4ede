#!/usr/bin/env bash
# Runs seeded rounds of kills while documents are saved to real servers, and writes the outcome of every save into the
# table of docs/durability.md.
#
#   Scripts/kill-table.sh [ROUNDS]      default 200; about five seconds each
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

rounds=${1:-200}
[[ $rounds =~ ^[1-9][0-9]*$ ]] || fail $EX_USAGE "ROUNDS must be a number"

if [ "${2:-}" = --print ]; then
    # As the ordinary user: the tallies, one JSON object per line, on standard output.
    results=$(mktemp)
    trap 'rm -f "$results"' EXIT
    export DOCENT_TEST_KILL_RESULTS=$results
    for ((first = 0; first < rounds; first += 20)); do
        last=$((first + 20 < rounds ? first + 20 : rounds))
        # Every twenty rounds run in their own process; a failing round is in the table and does not end the others.
        DOCENT_TEST_KILL_ROUNDS="$first $last" Scripts/test.sh test --filter KillRoundTests >&2 ||
            warn "rounds $first to $((last - 1)) had failures"
    done
    sed 's/^/TALLY /' "$results"
    exit 0
fi

cd "$root"
output=$(mktemp)
trap 'rm -f "$output"' EXIT
if [ "$(id -u)" -eq 0 ]; then
    (run_as_ordinary_user Scripts/kill-table.sh "$rounds" --print) >"$output"
else
    Scripts/kill-table.sh "$rounds" --print >"$output"
fi
sed -n 's/^TALLY //p' "$output" | /usr/bin/python3 Scripts/kill-table.py "$rounds" docs/durability.md
