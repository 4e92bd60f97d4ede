#!/usr/bin/env bash
# Generates the documentation of the SDKs from their catalogues (Sources/*/*.docc) and the comments in their sources. A
# broken link is an error.
#
#   Scripts/docs.sh [--output DIRECTORY] [--modules DIRECTORY] [MODULE …]
#
#   --output     where the result goes; default: .build-docs
#   --modules    takes the modules that a build left there instead of building them; default: builds, and takes
#                .build/debug/Modules
#   MODULE       those alone; default: every module with a catalogue
#
# Each module gets a directory with pages for a web server, beginning at documentation/MODULE.
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

output=$root/.build-docs
modules=
names=()
while [ $# -gt 0 ]; do
    case $1 in
        --output)
            [ $# -ge 2 ] || fail $EX_USAGE "--output needs a directory"
            mkdir -p "$2"
            output=$(cd "$2" && pwd -P)
            shift
            ;;
        --modules)
            [ $# -ge 2 ] || fail $EX_USAGE "--modules needs a directory"
            modules=$(cd "$2" 2>/dev/null && pwd -P) || fail $EX_USAGE "there is no directory $2"
            shift
            ;;
        -*) fail $EX_USAGE "unknown option $1 (see the head of Scripts/docs.sh)" ;;
        *) names+=("$1") ;;
    esac
    shift
done

find_swift
cd "$root"
for tool in docc swift-symbolgraph-extract; do
    [ -x "$swift_bin/$tool" ] || fail $EX_UNAVAILABLE "the toolchain in $swift_bin has no $tool"
done
if [ ${#names[@]} -eq 0 ]; then
    for catalogue in Sources/*/*.docc; do names+=("$(basename "$catalogue" .docc)"); done
fi

if [ -z "$modules" ]; then
    for name in "${names[@]}"; do
        step "building $name"
        "$swift_bin/swift" build "${import_check[@]}" --target "$name"
    done
    modules=$root/.build/debug/Modules
fi

# The C modules that Swift modules are built on: the tree's own, or those that the build generated.
maps=()
for map in Sources/*/include/module.modulemap "$modules"/../*.build/module.modulemap; do maps+=(-Xcc "-fmodule-map-file=$map"); done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$output"
# docc cannot copy its own page template if it belongs to another user.
cp -r "$(dirname "$swift_bin")/share/docc/render" "$scratch/render"
export DOCC_HTML_DIR=$scratch/render

for name in "${names[@]}"; do
    catalogue=Sources/$name/$name.docc
    [ -d "$catalogue" ] || fail $EX_USAGE "there is no catalogue $catalogue"
    [ -e "$modules/$name.swiftmodule" ] || fail $EX_UNAVAILABLE "$modules has no $name.swiftmodule; build it first"
    step "documenting $name"
    mkdir -p "$scratch/symbols/$name"
    "$swift_bin/swift-symbolgraph-extract" -module-name "$name" -I "$modules" -target "$(uname -m)-unknown-linux-gnu" \
        -minimum-access-level public -skip-inherited-docs -module-cache-path "$scratch/cache" \
        "${maps[@]}" -output-dir "$scratch/symbols/$name"
    [ -s "$scratch/symbols/$name/$name.symbols.json" ] || fail 1 "no symbols were found in $name"
    rm -rf "${output:?}/$name"
    "$swift_bin/docc" convert "$catalogue" --additional-symbol-graph-dir "$scratch/symbols/$name" \
        --fallback-display-name "$name" --fallback-bundle-identifier "org.docent.$name" --warnings-as-errors \
        --output-dir "$output/$name"
done
step "to view it: (cd $output/${names[0]} && python3 -m http.server), then http://localhost:8000/documentation/${names[0],,}"
