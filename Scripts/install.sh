#!/usr/bin/env bash
# Builds for release and installs below PREFIX, or removes what an earlier run installed.
#
#   PREFIX=/usr/local DESTDIR= Scripts/install.sh build|install|uninstall
#
# `install` writes all installed names to PREFIX/share/docent/install-manifest.txt; `uninstall` removes those. Each name
# is first written to a second file, install-manifest.new: an interrupted run can be completed or removed. While the
# directories of these two files are made or removed, they are named in a third file, beside the topmost of them.
#
#   DOCENT_INSTALL_BINARIES   a directory with programs and plugins that are built already, for tests: nothing is built
#                             then, and the programs find the Swift runtime in PREFIX/lib/swift. The compiled SDK is
#                             made from it too, where it has the modules
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

prefix=${PREFIX:-/usr/local}
destination=${DESTDIR:-}
case $prefix in /*[!/]) ;; *) fail $EX_USAGE "PREFIX must be an absolute path without a slash at its end" ;; esac
case $prefix/ in */../* | */./* | *$'\n'*) fail $EX_USAGE "PREFIX must be a plain path" ;; esac
list=$prefix/share/docent/install-manifest.txt
# What an unfinished run has installed, or was about to install.
unfinished=$prefix/share/docent/install-manifest.new
# The possible places of the third file.
announcements=()
directory=${unfinished%/*}
while [ -n "$directory" ]; do
    announcements+=("$directory.docent-new")
    directory=${directory%/*}
done

# Programs and plugins share the modules, and the Swift runtime in lib/swift: a static one would make three programs of
# 80 MB each. What is installed is stripped, so nothing to debug with is made.
arguments=("${import_check[@]}" -c release --scratch-path .build-release -debug-info-format none)
# The SDK for authors of providers: these modules, and those that they and the plugins use.
sdk_targets=(Documents FileProviderValidation)
programs=(docent docentd docent-extension-host docent-keyring-file docent-notifier docent-provider-validator docent-view)
plugins=()
for directory in "$root"/Plugins/*/; do
    # Faulty misbehaves on purpose; it is for tests.
    case $(basename "$directory") in Faulty) ;; *) plugins+=("$(basename "$directory")") ;; esac
done
# The modules of packaging/sdk/Package.swift.
sdk_modules=(
    CLinux CVarlinkSocket DocentInterfaces Documents ExtensionABI ExtensionManifest FileProvider FileProviderValidation
    ProcessLaunching UniformTypes Varlink
)
binaries=${DOCENT_INSTALL_BINARIES:-}

build() {
    find_swift
    cd "$root"
    local product
    for product in "${programs[@]}"; do
        step "building $product"
        "$swift_bin/swift" build "${arguments[@]}" --product "$product"
    done
    for product in "${plugins[@]}"; do
        step "building the plugin $product"
        "$swift_bin/swift" build "${arguments[@]}" --product "$product"
    done
    local target
    for target in "${sdk_targets[@]}"; do
        step "building $target of the SDK"
        "$swift_bin/swift" build "${arguments[@]}" --target "$target"
    done
}

new_entries=()
old_entries=$'\n'
declare -A made_directories=()
takes_notes=

# Before the file is created: everything that an interrupted run leaves is named in one of the files.
note() {
    new_entries+=("$1")
    if [ -n "$takes_notes" ]; then printf '%s\n' "$1" >>"$destination$unfinished"; fi
}

# The file of names comes first, with its parent directories.
begin_notes() {
    local directory=${unfinished%/*} top='' missing=()
    while [ -n "$directory" ] && [ ! -d "$destination$directory" ]; do
        case $directory/ in "$prefix"/*) missing=("$directory/" "${missing[@]}") ;; esac
        top=$directory
        directory=${directory%/*}
    done
    if [ -n "$top" ]; then
        if [ -n "$destination" ]; then install -d "$destination"; fi
        printf '%s\n' "${missing[@]}" >"$destination$top.docent-new"
    fi
    make_directory "${unfinished%/*}"
    printf '%s\n' "${new_entries[@]}" >>"$destination$unfinished"
    takes_notes=yes
    remove_announcements
}

# remove_announcements [EXCEPT]
remove_announcements() {
    local file
    for file in "${announcements[@]}"; do
        if [ "$file" != "${1:-}" ]; then rm -f "$destination$file"; fi
    done
}

# Entries of earlier runs, complete or not.
read_old_entries() {
    local file
    for file in "$list" "$unfinished" "${announcements[@]}"; do
        if [ -f "$destination$file" ]; then old_entries+=$(cat "$destination$file")$'\n'; fi
    done
}

make_directory() {
    local directory=$1
    if [ -z "$directory" ] || [ -n "${made_directories[$directory]:-}" ]; then return; fi
    made_directories[$directory]=yes
    make_directory "${directory%/*}"
    if [ -d "$destination$directory" ]; then
        # Created by an earlier run: still ours to remove.
        case $old_entries in *$'\n'"$directory/"$'\n'*) note "$directory/" ;; esac
    else
        case $directory/ in "$prefix"/*) note "$directory/" ;; esac
        install -d -m 0755 "$destination$directory"
    fi
}

# Creates the directory of a file, and fails if a foreign file is in the way.
make_room() {
    local target=$1
    make_directory "${target%/*}"
    if [ -e "$destination$target" ] || [ -L "$destination$target" ]; then
        case $old_entries in
            *$'\n'"$target"$'\n'*) ;;
            *) fail $EX_CANTCREAT "$destination$target exists and is not from an earlier \`make install\`; move it away" ;;
        esac
    fi
    note "$target"
}

# install_link TEXT TARGET
install_link() {
    make_room "$2"
    ln -sfn "$1" "$destination$2"
}

# install_file MODE SOURCE TARGET
install_file() {
    local target=$3
    make_room "$target"
    # A running program keeps the file that it has open.
    install -m "$1" "$2" "$destination$target.docent-new"
    mv -fT "$destination$target.docent-new" "$destination$target"
}

# All libraries of the Swift runtime directory $2 that the files after it need, directly or not.
runtime_closure() {
    local directory=$1 seen=' ' library
    shift
    local queue=("$@")
    while [ ${#queue[@]} -gt 0 ]; do
        local file=${queue[0]}
        queue=("${queue[@]:1}")
        while read -r library; do
            case $seen in *" $library "*) continue ;; esac
            if [ -e "$directory/$library" ]; then
                seen+="$library "
                queue+=("$directory/$library")
                printf '%s\n' "$library"
            fi
        done < <(patchelf --print-needed "$file")
    done
}

# value_of KEY MANIFEST: the text of a key of a manifest.
value_of() { sed -n "/<key>$1<\\/key>/,/<string>/s/.*<string>\\(.*\\)<\\/string>.*/\\1/p" "$2"; }

# provider_of LIBRARY: the identifier of the provider whose manifests name it.
provider_of() {
    local file
    for file in manifests/*.plist; do
        if [ "$(value_of CFBundleExecutable "$file")" = "$1" ]; then
            file=$(value_of CFBundleIdentifier "$file")
            printf '%s\n' "${file%.*}"
            return
        fi
    done
    fail 66 "no manifest in manifests/ names $1"
}

remove_entries() {
    local entry
    # In reverse: a directory's contents come before it.
    while IFS= read -r entry; do
        case $entry in "$prefix"/*) ;; *) continue ;; esac
        case $entry/ in */../*) continue ;; esac
        case $entry in
            */) rmdir "$destination$entry" 2>/dev/null || true ;;
            # The files of names go last: they list what is left.
            "$list" | "$unfinished") ;;
            *) rm -f "$destination$entry" "$destination$entry.docent-new" ;;
        esac
    done < <(printf '%s\n' "$@" | tac)
}

# The package templates for `docent provider init`, the SDK's sources, and the compiled SDK: install_kit BUILD
install_kit() {
    local file rest mode
    cp packaging/sdk/Package.swift "$staging/Package.swift"
    if [ -d "$1/Modules" ]; then
        Scripts/prebuild-sdk.sh "$1" "$staging/prebuilt"
        while IFS= read -r -d '' file; do
            install_file 0644 "$file" "$prefix/share/docent/sdk/prebuilt/${file#"$staging/prebuilt/"}"
        done < <(find "$staging/prebuilt" -type f -print0 | sort -z)
        # SwiftPM caches a manifest by its text.
        printf '\n// With %s\n' "$(sha256sum <"$staging/prebuilt/lib/libDocentSDK.a" | cut -c 1-16)" >>"$staging/Package.swift"
    fi
    install_file 0644 "$staging/Package.swift" "$prefix/share/docent/sdk/Package.swift"
    install_file 0644 LICENSE "$prefix/share/docent/sdk/LICENSE"
    while IFS= read -r -d '' file; do
        file=${file#./}
        case $file in
            Sources/*)
                rest=${file#Sources/}
                case " ${sdk_modules[*]} " in
                    *" ${rest%%/*} "*) install_file 0644 "$file" "$prefix/share/docent/sdk/$file" ;;
                esac
                ;;
            Templates/*)
                mode=0644
                if [ -x "$file" ]; then mode=0755; fi
                install_file "$mode" "$file" "$prefix/share/docent/templates/${file#Templates/}"
                ;;
        esac
    done < <(tree_files)
}

# The pages and the examples that they link to; their links to the SDK's sources are redirected to the kit.
install_documentation() {
    local file
    for file in README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE docs/*.md docs/*/*.md docs/images/*.png; do
        install_file 0644 "$file" "$prefix/share/doc/docent/$file"
    done
    install_link ../../docent/sdk/Sources "$prefix/share/doc/docent/Sources"
    local mode text
    while IFS= read -r -d '' file; do
        file=${file#./}
        case $file in
            Examples/*/Package.swift)
                # Built with the kit's SDK instead of a source tree.
                text=$(cat "$file")
                text=${text//'path: "../..", traits: []'/"path: \"$prefix/share/docent/sdk\""}
                text=${text//'Without the trait `Host`, nothing of the daemon is resolved, cloned or built.'/'The SDK that came with Docent; nothing is fetched from the network.'}
                printf '%s\n' "$text" >"$staging/example"
                install_file 0644 "$staging/example" "$prefix/share/doc/docent/$file"
                ;;
            Examples/*)
                mode=0644
                if [ -x "$file" ]; then mode=0755; fi
                install_file "$mode" "$file" "$prefix/share/doc/docent/$file"
                ;;
        esac
    done < <(tree_files)
}

# The licences of everything in the programs, as their authors require. install_licenses [SCRATCH-PATH]
install_licenses() {
    local checkouts=${1:-.build-release}/checkouts package file found
    for package in "$checkouts"/*/; do
        found=
        for file in "$package"LICENSE* "$package"NOTICE*; do
            [ -f "$file" ] || continue
            install_file 0644 "$file" "$prefix/share/doc/docent/licenses/$(basename "$package")/$(basename "$file")"
            found=yes
        done
        [ -n "$found" ] || fail 66 "$package has no licence file"
    done
    file=$(dirname "$swift_bin")/share/swift/LICENSE.txt
    [ -f "$file" ] || fail 66 "$file is missing: the licence of the Swift runtime"
    install_file 0644 "$file" "$prefix/share/doc/docent/licenses/swift/LICENSE.txt"
}

install_all() {
    cd "$root"
    command -v patchelf >/dev/null || fail $EX_UNAVAILABLE "patchelf is missing; run Scripts/setup.sh"
    find_swift
    # `sudo make install` in a user's tree must not leave root's files there.
    if [ -z "$binaries" ] && [ "$(stat -c %u .)" = "$(id -u)" ]; then build; fi
    local bin=$binaries runtime
    if [ -z "$binaries" ]; then bin=$("$swift_bin/swift" build "${arguments[@]}" --show-bin-path); fi
    runtime=$(dirname "$swift_bin")/lib/swift/linux

    local product
    for product in "${programs[@]}"; do
        [ -x "$bin/$product" ] || fail 66 "$product is not built; run \`make release\` first"
    done
    for product in "${sdk_targets[@]}"; do
        [ -n "$binaries" ] || [ -f "$bin/Modules/$product.swiftmodule" ] ||
            fail 66 "$product is not built; run \`make release\` first"
    done
    read_old_entries

    staging=$(mktemp -d)
    trap 'rm -rf "$staging"' EXIT

    local libraries=() library provider
    step "installing to $destination$prefix"
    begin_notes
    for product in "${programs[@]}"; do
        strip -o "$staging/$product" "$bin/$product"
        patchelf --remove-rpath "$staging/$product"
        # Some are written in C.
        if patchelf --print-needed "$staging/$product" | grep -q '^libswiftCore'; then
            # shellcheck disable=SC2016
            case $product in
                docent) patchelf --set-rpath '$ORIGIN/../lib/swift' "$staging/$product" ;;
                *) patchelf --set-rpath '$ORIGIN/../../lib/swift' "$staging/$product" ;;
            esac
            libraries+=("$staging/$product")
        fi
        case $product in
            docent) install_file 0755 "$staging/$product" "$prefix/bin/$product" ;;
            *) install_file 0755 "$staging/$product" "$prefix/libexec/docent/$product" ;;
        esac
    done
    for product in "${plugins[@]}"; do
        strip --strip-unneeded -o "$staging/lib$product.so" "$bin/lib$product.so"
        # From its own directory in lib/docent/providers to lib/swift.
        # shellcheck disable=SC2016
        patchelf --set-rpath '$ORIGIN/../../../swift' "$staging/lib$product.so"
        provider=$(provider_of "lib$product.so")
        install_file 0644 "$staging/lib$product.so" "$prefix/lib/docent/providers/$provider/lib$product.so"
        libraries+=("$staging/lib$product.so")
    done
    # Providers that others build may need these too, and there may be no toolchain that contains them.
    printf '%s\n' libFoundation.so libswiftSwiftOnoneSupport.so >"$staging/runtime"
    libraries+=("$runtime/libFoundation.so" "$runtime/libswiftSwiftOnoneSupport.so")
    runtime_closure "$runtime" "${libraries[@]}" >>"$staging/runtime"
    sort -u -o "$staging/runtime" "$staging/runtime"
    while read -r library; do
        install_file 0644 "$runtime/$library" "$prefix/lib/swift/$library"
    done <"$staging/runtime"

    local file shell
    for file in packaging/services/*; do
        install_file 0755 "$file" "$prefix/libexec/docent/services/$(basename "$file")"
    done
    for file in manifests/*.plist; do
        library=$(value_of CFBundleExecutable "$file")
        # Not those of plugins that are not installed.
        [ -f "$staging/$library" ] || continue
        install_file 0644 "$file" "$prefix/share/docent/manifests/$(basename "$file")"
    done
    # A user's own data directory has its providers beside its manifests (docs/providers/manifest.md).
    if [ "$prefix/share" = "${XDG_DATA_HOME:-${HOME:-}/.local/share}" ]; then
        install_link ../../lib/docent/providers "$prefix/share/docent/providers"
    fi
    for file in docs/man/*.[1-8]; do
        [ -e "$file" ] || continue
        install_file 0644 "$file" "$prefix/share/man/man${file##*.}/$(basename "$file")"
    done
    for shell in bash zsh fish; do "$bin/docent" --generate-completion-script "$shell" >"$staging/$shell"; done
    install_file 0644 "$staging/bash" "$prefix/share/bash-completion/completions/docent"
    install_file 0644 "$staging/zsh" "$prefix/share/zsh/site-functions/_docent"
    install_file 0644 "$staging/fish" "$prefix/share/fish/vendor_completions.d/docent.fish"
    for file in packaging/systemd/*.in; do
        [ -e "$file" ] || continue
        sed "s|@libexecdir@|$prefix/libexec|g" "$file" >"$staging/unit"
        install_file 0644 "$staging/unit" "$prefix/share/systemd/user/$(basename "$file" .in)"
    done
    install_documentation
    # Where the binaries were built, their packages were checked out.
    local scratch=${binaries:+$(dirname "$(dirname "$(readlink -f "$binaries")")")}
    if [ -n "$scratch" ] && [ ! -d "$scratch/checkouts" ]; then scratch=$root/.build-tests; fi
    install_licenses "$scratch"
    install_kit "$bin"

    note "$list"
    printf '%s\n' "${new_entries[@]}" | awk '!seen[$0]++' >"$staging/list"

    # Files of an earlier version that this one no longer has.
    local stale=() entry
    if [ "$old_entries" != $'\n' ]; then
        while IFS= read -r entry; do
            if [ -n "$entry" ] && ! grep -qxF -- "$entry" "$staging/list"; then stale+=("$entry"); fi
        done <<<"$old_entries"
    fi
    if [ ${#stale[@]} -gt 0 ]; then remove_entries "${stale[@]}"; fi
    install -m 0644 "$staging/list" "$destination$list.docent-new"
    mv -fT "$destination$list.docent-new" "$destination$list"
    rm -f "$destination$unfinished"
    step "installed $(grep -vc '/$' "$staging/list") files; \`make uninstall\` with the same PREFIX removes them"
    if [ -z "$destination" ]; then tell_what_is_left; fi
}

# What else a shell needs to find `docent` and its providers.
tell_what_is_left() {
    case :$PATH: in *:"$prefix/bin":*) ;; *) printf 'Put %s on PATH.\n' "$prefix/bin" ;; esac
    case :${XDG_DATA_HOME:-${HOME:-}/.local/share}:${XDG_DATA_DIRS:-/usr/local/share:/usr/share}: in
        *:"$prefix/share":*) ;;
        *) printf 'Put %s on XDG_DATA_DIRS, so that the providers are found.\n' "$prefix/share" ;;
    esac
}

uninstall() {
    local file is_installed=''
    for file in "$list" "$unfinished" "${announcements[@]}"; do
        if [ -f "$destination$file" ]; then is_installed=yes; fi
    done
    if [ -z "$is_installed" ]; then
        fail 66 "$destination$list is missing: nothing was installed here by \`make install\`"
    fi
    step "removing the files in $destination$list"
    read_old_entries
    local entries entry directories=() top=''
    mapfile -t entries < <(awk 'NF && !seen[$0]++' <<<"$old_entries")
    remove_entries "${entries[@]}"
    # The directories of the two files.
    for entry in "${entries[@]}"; do
        case ${unfinished%/*}/ in
            "$entry"*)
                directories+=("$entry")
                if [ -z "$top" ] || [ ${#entry} -lt ${#top} ]; then top=$entry; fi
                ;;
        esac
    done
    if [ -n "$top" ]; then printf '%s\n' "${directories[@]}" >"$destination${top%/}.docent-new"; fi
    rm -f "$destination$list" "$destination$list.docent-new" "$destination$unfinished"
    # Another one may be in one of the directories.
    remove_announcements "${top%/}.docent-new"
    remove_entries "${directories[@]}"
    remove_announcements
}

case ${1:-} in
    build) build ;;
    install) install_all ;;
    uninstall) uninstall ;;
    *) fail $EX_USAGE "usage: Scripts/install.sh build|install|uninstall" ;;
esac
