#!/usr/bin/env bash
# Runs libFuzzer over the readers of foreign bytes. Arguments: seconds for each target (default 60), then targets
# (default all). Findings are added to Tests/Check/FuzzTests/Corpus, which `make test` runs every time.
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

seconds=${1:-60}
[[ $seconds =~ ^[0-9]+$ ]] || fail $EX_USAGE "usage: fuzz.sh [SECONDS [TARGET…]]"
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(bookmarks drive framing manifests messages placeholders)

find_swift
# A package must not refer to files outside itself, so it is assembled from links.
place=$root/.build-fuzz
mkdir -p "$place/Fuzz"
ln -sfn "$root/Sources" "$place/Sources"
ln -sf "$root/Fuzzing/Package.swift" "$place/Package.swift"
ln -sf "$root/Fuzzing/Main.swift" "$root"/Tests/Check/FuzzTests/Targets/*.swift "$place/Fuzz/"
build=("$swift_bin/swift" build "${import_check[@]}" -c release --package-path "$place")
"${build[@]}"
program=$("${build[@]}" --show-bin-path)/Fuzz

for target in "${targets[@]}"; do
    step "$target for $seconds s"
    corpus=$root/Tests/Check/FuzzTests/Corpus/$target
    found=$place/corpus/$target
    mkdir -p "$found"
    # New inputs go to the first folder; failing ones are stored with the permanent corpus.
    "$program" "$target" -max_total_time="$seconds" -max_len=8192 -timeout=10 -print_final_stats=1 \
        -artifact_prefix="$corpus/" "$found" "$corpus"
done
