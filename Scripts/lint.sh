#!/usr/bin/env bash
# Checks what a machine can check without building; `Scripts/lint.sh --fix` formats the Swift sources instead.
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

find_swift
cd "$root"
paths=()
for path in Sources Plugins Tests Examples Benchmarks Package.swift; do
    if [ -e "$path" ]; then paths+=("$path"); fi
done

if [ "${1:-}" = --fix ]; then
    exec "$swift_bin/swift" format format --in-place --parallel --configuration .swift-format -r "${paths[@]}"
fi

step "Swift sources"
"$swift_bin/swift" format lint --strict --parallel --configuration .swift-format -r "${paths[@]}"

step "shell scripts"
for script in Scripts/*.sh .ci/run; do bash -n "$script"; done
if command -v shellcheck >/dev/null; then
    shellcheck --external-sources Scripts/*.sh .ci/run
else
    warn "shellcheck is not installed; shell scripts got a syntax check only"
fi

step "generated sources"
if command -v python3 >/dev/null; then
    python3 Scripts/generate-interfaces.py --check
else
    warn "python3 is not installed; the types of Sources/DocentInterfaces/Generated were not compared with their interfaces"
fi

step "symbolic links"
broken=$(find . -name .git -prune -o -name '.build*' -prune -o -xtype l -print)
[ -z "$broken" ] || fail 1 "broken symbolic links: $broken"
