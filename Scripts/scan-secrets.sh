#!/usr/bin/env bash
# Searches files for secrets of tests, which all contain `hush-`. Fails and names file and secret if there is one, in
# plain text or in base64 (at each of the three alignments).
#
#   Scripts/scan-secrets.sh [--newer FILE] DIRECTORY...
#
#   --newer FILE   only files that were changed after this one
#
# Skipped: folders named `given`, which hold what tests type, and those of the servers that tests start (docent-dav-*,
# docent-webdav-server-*), which store their accounts in their own way.
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

newer=()
if [ "${1:-}" = --newer ]; then
    [ $# -ge 2 ] || fail $EX_USAGE "--newer needs a file"
    newer=(-newer "$2")
    shift 2
fi
[ $# -gt 0 ] || fail $EX_USAGE "usage: $0 [--newer FILE] DIRECTORY..."

status=0
while IFS= read -r -d '' file; do
    # The characters that depend only on the marker, for each number of bytes before it: none, one, two.
    found=$(LC_ALL=C grep -aoE '(hush-|aHVzaC|h1c2gt|odXNoL)[!-~]{0,20}' -- "$file" 2>/dev/null | head -n 1) || true
    [ -n "$found" ] || continue
    printf 'error: %s has a secret of a test: %s\n' "$file" "$found" >&2
    status=1
done < <(
    for directory in "$@"; do
        [ -d "$directory" ] || continue
        find "$directory" -xdev \( -name given -o -name 'docent-dav-*' -o -name 'docent-webdav-server-*' \) -prune \
            -o -type f -user "$(id -un)" -size +0 "${newer[@]}" -print0 2>/dev/null || true
    done
)
exit "$status"
