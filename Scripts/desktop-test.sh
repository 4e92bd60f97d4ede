#!/usr/bin/env bash
# Runs the tests of the window, on a display, a session bus and in directories of its own.
#
#   Scripts/desktop-test.sh PICKER [ARGUMENTS]    PICKER: the program; ARGUMENTS: those of unittest
#
#   SCREENSHOTS    a folder for pictures of the window, such as docs/images, and of a test that failed
#   BINARIES       a folder with docent, docentd, docent-extension-host and libLocalFolder.so, for the tests with a
#                  real daemon
#   PATIENCE       the seconds that a test waits for what must come (60)
set -euo pipefail

picker=$(realpath "$1")
shift
place=$(mktemp -d)
# The document portal mounts a folder there.
trap 'fusermount3 -quz "$place/run/doc" 2>/dev/null || true; rm -rf "$place"' EXIT
mkdir -m 700 "$place"/{home,run}
# The bus looks for services in folders that it has found when it started.
mkdir -p "$place/run/dbus-1/services"
variables=(
    PATH="$PATH" LANG=C.UTF-8 HOME="$place/home" XDG_RUNTIME_DIR="$place/run" GSK_RENDERER=cairo GTK_A11Y=atspi
    GTK_USE_PORTAL=0 GSETTINGS_BACKEND=memory PYTHONDONTWRITEBYTECODE=1 PICKER="$picker" PATIENCE="${PATIENCE:-60}"
)
for name in SCREENSHOTS BINARIES; do
    if [ -n "${!name:-}" ]; then variables+=("$name=$(realpath "${!name}")"); fi
done
cd "$(dirname "${BASH_SOURCE[0]}")/../Desktop/Tests/Window"
if [ $# -eq 0 ]; then set -- discover; fi
if [ "$1" = discover ]; then set -- "$@" -v; else set -- -v "$@"; fi
env -i "${variables[@]}" xvfb-run -a dbus-run-session -- /usr/bin/python3 -m unittest "$@"
