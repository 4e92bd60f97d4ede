#!/usr/bin/env bash
# Runs the checks that need no build; `Scripts/lint.sh --fix` formats the Swift sources instead.
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

find_swift
cd "$root"
paths=()
for path in Sources Plugins Tests Desktop Examples Benchmarks Fuzzing Package.swift; do
    if [ -e "$path" ]; then paths+=("$path"); fi
done

if [ "${1:-}" = --fix ]; then
    exec "$swift_bin/swift" format format --in-place --parallel --configuration .swift-format -r "${paths[@]}"
fi

step "Swift sources"
"$swift_bin/swift" format lint --strict --parallel --configuration .swift-format -r "${paths[@]}"

step "shell scripts"
scripts=(Scripts/*.sh Tests/Servers/*.sh packaging/services/* Plugins/Faulty/service.sh .ci/run)
for script in "${scripts[@]}"; do
    case $(head -n 1 "$script") in '#!/bin/sh') sh -n "$script" ;; *) bash -n "$script" ;; esac
done
if command -v shellcheck >/dev/null; then
    shellcheck --external-sources "${scripts[@]}"
else
    warn "shellcheck is not installed; shell scripts got a syntax check only"
fi

if command -v python3 >/dev/null; then
    step "Python scripts"
    # Compiled in memory: nothing is written beside them.
    python3 - Scripts/*.py Tests/Servers/*.py Examples/*/*.py Desktop/Tests/Window/*.py <<'END'
import sys

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        compile(file.read(), path, "exec", dont_inherit=True)
END
else
    warn "python3 is not installed; Python scripts were not checked"
fi

step "comments"
if command -v python3 >/dev/null; then
    # A single word, such as an address, cannot be wrapped.
    python3 - "${paths[@]}" Scripts <<'END'
import pathlib
import sys

marks = {".swift": "//", ".c": "//", ".h": "//", ".sh": "#", ".py": "#"}
found = []
for path in sorted(path for top in sys.argv[1:] if pathlib.Path(top).is_dir() for path in pathlib.Path(top).rglob("*")):
    if path.suffix not in marks or "Generated" in path.parts or ".build" in str(path) or not path.is_file():
        continue
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
        if len(line) > 120 and line.lstrip().startswith(marks[path.suffix]) and len(line.split()) > 2:
            found.append(f"{path}:{number}: a comment is longer than 120 columns")
sys.exit("\n".join(found) or 0)
END
else
    warn "python3 is not installed; the length of comments was not checked"
fi

step "imports"
if command -v python3 >/dev/null; then
    "$swift_bin/swift" package dump-package | python3 Scripts/check-imports.py
else
    warn "python3 is not installed; imports were not compared with Package.swift"
fi

step "paths in the daemon"
if command -v python3 >/dev/null; then
    "$swift_bin/swift" package dump-package | python3 Scripts/check-paths.py
else
    warn "python3 is not installed; what the daemon opens by the text of a path was not checked"
fi

step "generated sources"
if command -v python3 >/dev/null; then
    python3 Scripts/generate-interfaces.py --check
    python3 Scripts/generate-environment.py --check
    python3 Scripts/performance-table.py --check
else
    warn "python3 is not installed; the types of Sources/DocentInterfaces/Generated and the tables of docs/environment.md and docs/performance.md were not compared"
fi

step "documents"
if command -v python3 >/dev/null; then
    python3 Scripts/check-documents.py
else
    warn "python3 is not installed; links and wording of the documents were not checked"
fi

step "symbolic links"
broken=$(find . -name .git -prune -o -name '.build*' -prune -o -xtype l -print)
[ -z "$broken" ] || fail 1 "broken symbolic links: $broken"
