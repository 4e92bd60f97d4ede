#!/usr/bin/env bash
# Collects the compiled modules of the SDK and one archive of their code, as packaging/sdk/Package.swift uses them.
#
#   Scripts/prebuild-sdk.sh BUILD TARGET      BUILD: a build directory of SwiftPM with the modules; TARGET: replaced
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ $# -eq 2 ] || fail $EX_USAGE "usage: Scripts/prebuild-sdk.sh BUILD TARGET"
build=$1
target=$2
swift_modules=(
    DocentInterfaces Documents ExtensionManifest FileProvider FileProviderValidation ProcessLaunching UniformTypes Varlink
)
c_modules=(CLinux CVarlinkSocket ExtensionABI)
find_swift
toolchain=$(dirname "$swift_bin")/lib/swift

rm -rf "$target"
mkdir -p "$target/modules" "$target/objects" "$target/lib"
for module in "${swift_modules[@]}"; do
    [ -f "$build/Modules/$module.swiftmodule" ] || fail 66 "$build has no $module; build it first"
    install -m 0644 "$build/Modules/$module.swiftmodule" "$target/modules"
done
for module in "${c_modules[@]}"; do
    mkdir "$target/modules/$module"
    for header in "$root/Sources/$module/include"/*; do install -m 0644 "$header" "$target/modules/$module"; done
    if [ ! -f "$target/modules/$module/module.modulemap" ]; then
        # As SwiftPM writes it, apart from the path.
        printf 'module %s {\n    umbrella "."\n    export *\n}\n' "$module" >"$target/modules/$module/module.modulemap"
    fi
done
# objects_of MODULE: stores its objects in the array of that name. Builds keep the objects of deleted sources.
objects_of() {
    local object name
    while IFS= read -r -d '' object; do
        name=${object##*/}
        name=${name%.o}
        if [ "$name" = embedded_resources.swift ] || [ -n "$(find "$root/Sources/$1" -name "$name" -print -quit)" ]; then
            objects+=("$object")
        fi
    done < <(find "$build/$1.build" -name '*.o' -print0 2>/dev/null | sort -z)
}

# One object per module: a linker takes only referenced objects from an archive, but conformances are looked up at run
# time.
for module in "${swift_modules[@]}" "${c_modules[@]}"; do
    objects=()
    objects_of "$module"
    # ExtensionABI is only a header.
    if [ ${#objects[@]} -gt 0 ]; then ld -r -o "$target/objects/$module.o" "${objects[@]}"; fi
done
strip --strip-debug "$target/objects"/*.o
ar rcsD "$target/lib/libDocentSDK.a" "$target/objects"/*.o
rm -r "${target:?}/objects"

# product PRODUCT MODULE...: a system library in SwiftPM's sense. A linker takes from an archive what is referred to,
# but no notes on further libraries: they are those of all modules that may be taken.
product() {
    local name=$1 module
    shift
    objects=()
    for module in "$@"; do objects_of "$module"; done
    "$swift_bin/swift-autolink-extract" "${objects[@]}" -o "$target/libraries"
    mkdir "$target/$name"
    printf 'module %sPrebuilt {\n}\n' "$name" >"$target/$name/module.modulemap"
    cat >"$target/$name/docent.pc" <<END
Name: docent-$name
Description: $name of Docent, compiled
Version: 1
Cflags: -I\${pcfiledir}/../modules
Libs: -L\${pcfiledir}/../lib -lDocentSDK $(tr '\n' ' ' <"$target/libraries")
END
    rm "$target/libraries"
}
product UniformTypes UniformTypes
product FileProvider DocentInterfaces FileProvider UniformTypes Varlink
product Documents DocentInterfaces Documents ProcessLaunching UniformTypes Varlink
product FileProviderValidation \
    DocentInterfaces ExtensionManifest FileProvider FileProviderValidation ProcessLaunching UniformTypes Varlink

# The file of the toolchain that names its compiler, and the line there.
for file in "$toolchain"/linux/Swift.swiftmodule/*.swiftinterface; do
    case $file in *.private.swiftinterface) ;; *) interface=${file#"$toolchain"/} ;; esac
done
printf '%s\n' "$interface" "$(grep -m 1 '^// swift-compiler-version: ' "$toolchain/$interface")" >"$target/toolchain"
