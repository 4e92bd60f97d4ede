#!/usr/bin/env bash
# Runs the tests of the window, on a display, a session bus and in directories of its own.
#
#   Scripts/desktop-test.sh PICKER [ARGUMENTS]    PICKER: the program; ARGUMENTS: those of unittest
set -euo pipefail

picker=$(realpath "$1")
shift
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -m 700 "$place"/{home,run}
env -i PATH="$PATH" LANG=C.UTF-8 HOME="$place/home" XDG_RUNTIME_DIR="$place/run" GSK_RENDERER=cairo GTK_A11Y=atspi \
    GTK_USE_PORTAL=0 GSETTINGS_BACKEND=memory PICKER="$picker" PATIENCE="${PATIENCE:-60}" ${SCREENSHOTS:+SCREENSHOTS="$(realpath "$SCREENSHOTS")"} xvfb-run -a dbus-run-session -- \
    /usr/bin/python3 "$(dirname "${BASH_SOURCE[0]}")/../Desktop/Tests/Window/test_window.py" "$@"
