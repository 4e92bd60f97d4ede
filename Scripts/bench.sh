#!/usr/bin/env bash
# Builds for release, installs below .build-release/bench, and measures that. Arguments go to the benchmarks: --json,
# --only NAME, --rounds N, --directory DIR; a wrong one shows them all. Each figure is written as soon as it is there; the end
# says which goals were missed and which benchmarks failed. Ends with 1 when one failed.
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

find_swift
# One of the benchmarks builds a package, and finds its tools as a person would.
export PATH=$swift_bin:$PATH
prefix=$root/.build-release/bench
# Standard output is the benchmarks' own, so that --json can be piped on.
PREFIX=$prefix DESTDIR='' "$root/Scripts/install.sh" install >&2
# What measures inside the daemon's module is not installed.
rights=("$swift_bin/swift" build "${import_check[@]}" -c release --package-path "$root" --scratch-path "$root/.build-release"
    --static-swift-stdlib)
"${rights[@]}" --product rights-benchmark >&2
DOCENT_RIGHTS_BENCHMARK=$("${rights[@]}" --show-bin-path)/rights-benchmark
export DOCENT_RIGHTS_BENCHMARK
# With the flag that Package.swift explains.
build=("$swift_bin/swift" build "${import_check[@]}" -c release --package-path "$root/Benchmarks"
    -Xswiftc -Xllvm -Xswiftc -sil-disable-pass=optimize-hop-to-executor)
"${build[@]}" >&2
if [ -z "${DOCENT_TEST_PYTHON:-}" ]; then
    "$root/Scripts/python-venv.sh" "$root/.build-python" >&2 ||
        warn "no Python environment (see above); what is compared with rclone fails"
    export DOCENT_TEST_PYTHON=$root/.build-python/bin/python
fi
exec "$("${build[@]}" --show-bin-path)/DocentBenchmarks" \
    --prefix "$prefix" --servers "$root/Tests/Servers" "$@"
