#!/usr/bin/env bash
# Runs libFuzzer over the readers of foreign bytes. Arguments: seconds for each target (default 60), then targets (default all).
# What it finds is put into Tests/Check/FuzzTests/Corpus, where `make test` tries it ever after.
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

seconds=${1:-60}
[[ $seconds =~ ^[0-9]+$ ]] || fail $EX_USAGE "usage: fuzz.sh [SECONDS [TARGET…]]"
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(bookmarks framing manifests messages placeholders)

find_swift
# A package must not reach out of itself: it is put together of links.
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
    # What is new goes to the first folder; what breaks a promise beside the corpus that is kept.
    "$program" "$target" -max_total_time="$seconds" -max_len=8192 -timeout=10 -print_final_stats=1 \
        -artifact_prefix="$corpus/" "$found" "$corpus"
done
