#!/usr/bin/env bash
# A guided tour of Docent on the command line, in directories of its own: nothing of yours is read or changed.
# Prints each command, runs it and checks what it did; ends at the first surprise.
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

if [ "$(id -u)" -eq 0 ]; then run_as_ordinary_user Scripts/demo.sh "$@"; fi

find_swift
cd "$root"
step "building"
"$swift_bin/swift" build
bin=$("$swift_bin/swift" build --show-bin-path)

# Short, for the sake of the socket's path.
stage=$(mktemp -d /tmp/docent-demo.XXXXXX)
for variable in "${!XDG_@}" "${!DOCENT_@}"; do unset "$variable"; done
export HOME=$stage/home
export XDG_CONFIG_HOME=$HOME/.config XDG_CACHE_HOME=$HOME/.cache XDG_DATA_HOME=$HOME/.local/share
export XDG_STATE_HOME=$HOME/.local/state XDG_RUNTIME_DIR=$stage/run
export DOCENT_MANIFEST_PATH=$root/manifests DOCENT_LIBRARY_PATH=$bin
export PATH=$bin:$PATH
# The user's session bus would lead to the user's own keyring.
unset DBUS_SESSION_BUS_ADDRESS
install -d -m 0700 "$HOME" "$HOME/Documents" "$XDG_RUNTIME_DIR"

finish() {
    local status=$?
    trap - EXIT
    docent daemon stop >/dev/null 2>&1 || true
    if [ $status -ne 0 ]; then
        printf '\nThe demo stopped at a surprise (exit code %s). What it left is in %s\n' "$status" "$stage" >&2
    else
        rm -rf "$stage"
    fi
    exit $status
}
trap finish EXIT
trap 'exit 130' INT TERM

chapter() { printf '\n# %s\n' "$*"; }

# Shows a command as one would type it and runs it; its output stays in `output` too.
output=
run() {
    printf '$ %s\n' "$*"
    output=$("$@" 2>&1) || {
        local status=$?
        printf '%s\n' "$output"
        fail "$status" "this should have worked"
    }
    if [ -n "$output" ]; then printf '%s\n' "$output"; fi
}

# The same with text on standard input.
run_with() {
    local text=$1
    shift
    printf '$ echo %q | %s\n' "$text" "$*"
    output=$(printf '%s\n' "$text" | "$@" 2>&1) || {
        local status=$?
        printf '%s\n' "$output"
        fail "$status" "this should have worked"
    }
    if [ -n "$output" ]; then printf '%s\n' "$output"; fi
}

# The same for what must be refused.
refused() {
    printf '$ %s\n' "$*"
    if output=$("$@" 2>&1); then
        printf '%s\n' "$output"
        fail 1 "this should have been refused"
    fi
    printf '%s\n' "$output"
}

shows() { grep -qF -- "$1" <<<"$output" || fail 1 "the answer should contain: $1"; }
holds() { [ "$(cat "$1")" = "$2" ] || fail 1 "$1 should hold: $2"; }

folder=$HOME/Documents
work=$stage/work
mkdir "$work"
printf 'Milk, bread\n' >"$folder/notes.txt"
cd "$work"

chapter "A provider is off until you say otherwise, and you see what it asks for"
run docent providers
shows LocalFolder
run docent provider enable org.docent.LocalFolder --yes
run docent ls LocalFolder:/
shows notes.txt

chapter "Import: a copy of your own"
run docent import LocalFolder:/notes.txt -o copy.txt
holds copy.txt "Milk, bread"
printf 'scribble\n' >>copy.txt
holds "$folder/notes.txt" "Milk, bread"

chapter "Open: the document itself, read and written where it lives"
run docent open LocalFolder:/notes.txt --json
run docent cat LocalFolder:/notes.txt
shows "Milk, bread"
run_with "Milk, bread, tea" docent write LocalFolder:/notes.txt
holds "$folder/notes.txt" "Milk, bread, tea"

chapter "Export: the provider gets a copy; move: it gets the document"
printf 'A report\n' >report.txt
run docent export report.txt LocalFolder:/report.txt
holds report.txt "A report"
holds "$folder/report.txt" "A report"
printf 'A draft\n' >draft.txt
run docent move draft.txt LocalFolder:/draft.txt
holds "$folder/draft.txt" "A draft"
[ ! -e draft.txt ] || fail 1 "draft.txt should have moved away"

chapter "Bookmarks: a right that survives a restart and a rename"
printf '$ docent bookmark create LocalFolder:/notes.txt >notes.bookmark\n'
docent bookmark create LocalFolder:/notes.txt >notes.bookmark
bookmark=$(cat notes.bookmark)
[ -n "$bookmark" ] || fail 1 "a bookmark should have been written"
run docent daemon stop
# shellcheck disable=SC2016
printf '$ docent cat --bookmark "$(cat notes.bookmark)"\n'
output=$(docent cat --bookmark "$bookmark")
printf '%s\n' "$output"
shows "Milk, bread, tea"

chapter "What may reach what, and taking it back"
run docent grants
shows notes.txt
run docent revoke --yes LocalFolder:/notes.txt
refused docent cat --bookmark "$bookmark"
holds "$folder/notes.txt" "Milk, bread, tea"

chapter "Is all well here?"
printf '$ docent doctor\n'
# It may find fault with this machine, e.g. no keyring; that is for the reader to see.
docent doctor || true

printf '\nThe tour is over; all that it made is removed.\n'
