#!/bin/bash
# Opens a text document in a real window of LibreOffice, on a display of its own, types a line, saves and closes.
#
#   libreoffice_window.sh FILE TEXT
#
# Needs soffice, Xvfb and xdotool. HOME should be a temporary one: LibreOffice leaves its profile there. Writes what
# went wrong to standard error, and ends with 1.
set -euo pipefail
file=$1 text=$2
name=$(basename "$file")
# Xvfb chooses the display, and writes its number as soon as it can be used.
coproc display (exec Xvfb -displayfd 1 -screen 0 1280x800x24 -nolisten tcp 2>/dev/null)
server=$display_PID
office=
end() {
    [ -z "$office" ] || kill "$office" 2>/dev/null || true
    kill "$server" 2>/dev/null || true
    wait || true
}
trap end EXIT
read -r -t 60 number <&"${display[0]}" || { echo "Xvfb did not start" >&2; exit 1; }
export DISPLAY=:$number SAL_USE_VCLPLUGIN=gen
soffice --norestore --nologo --nofirststartwizard --writer "$file" >/dev/null 2>&1 &
office=$!

# Waits for a window with the document's name, and prints its number.
window() {
    local tries
    for tries in $(seq 600); do
        xdotool search --onlyvisible --name "$name" 2>/dev/null | head -1 | grep . && return
        sleep 0.2
    done
    echo "no window with the name $name" >&2
    return 1
}
window=$(window)
# The document changes after each step, which shows that the step has arrived.
before=$(stat -c '%s %Y %Z' "$file")
typed=
for tries in $(seq 60); do
    xdotool windowfocus "$window" || true
    if [ -z "$typed" ]; then
        sleep 2
        xdotool type --window "$window" "$text"
        typed=yes
    fi
    sleep 0.5
    xdotool key --window "$window" ctrl+s
    sleep 1
    [ "$(stat -c '%s %Y %Z' "$file")" = "$before" ] || break
done
[ "$(stat -c '%s %Y %Z' "$file")" != "$before" ] || { echo "the document was not saved" >&2; exit 1; }
xdotool key --window "$window" ctrl+q
for tries in $(seq 300); do
    kill -0 "$office" 2>/dev/null || break
    sleep 0.2
done
