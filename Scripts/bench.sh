#!/usr/bin/env bash
# Builds for release, installs below .build-release/bench, and runs the benchmarks there. The arguments are theirs:
# --json, --quick, --only NAME, --rounds N, --directory DIR; an invalid one lists them all. Each figure is printed as
# soon as it is known; the end lists missed goals and failed benchmarks. Exits with 1 if a benchmark failed, and with
# --quick also if a ratio is more than twice its goal.
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

find_swift
# One of the benchmarks builds a package, and finds its tools as a user would.
export PATH=$swift_bin:$PATH
prefix=$root/.build-release/bench
# Standard output belongs to the benchmarks, so that --json can be piped.
PREFIX=$prefix DESTDIR='' "$root/Scripts/install.sh" install >&2
# The program that measures inside the daemon's module is not installed.
rights=("$swift_bin/swift" build "${import_check[@]}" -c release --package-path "$root" --scratch-path "$root/.build-release"
    -debug-info-format none)
"${rights[@]}" --product rights-benchmark >&2
DOCENT_RIGHTS_BENCHMARK=$("${rights[@]}" --show-bin-path)/rights-benchmark
export DOCENT_RIGHTS_BENCHMARK
# With the flag that Package.swift explains.
build=("$swift_bin/swift" build "${import_check[@]}" -c release --package-path "$root/Benchmarks"
    -Xswiftc -Xllvm -Xswiftc -sil-disable-pass=optimize-hop-to-executor)
"${build[@]}" >&2
if [ -z "${DOCENT_TEST_PYTHON:-}" ]; then
    "$root/Scripts/python-venv.sh" "$root/.build-python" >&2 ||
        warn "no Python environment (see above); comparisons with rclone fail"
    export DOCENT_TEST_PYTHON=$root/.build-python/bin/python
fi
exec "$("${build[@]}" --show-bin-path)/DocentBenchmarks" \
    --prefix "$prefix" --servers "$root/Tests/Servers" "$@"
