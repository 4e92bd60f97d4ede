#!/usr/bin/env bash
# Builds the window, docent-picker, for release and installs it below PREFIX, or removes what an earlier run installed.
# `make install` knows nothing of it: servers need no GTK.
#
#   PREFIX=/usr/local DESTDIR= Scripts/desktop-install.sh build|install|uninstall
#
#   DOCENT_INSTALL_BINARIES   a directory with a program that is built already, for tests: nothing is built then
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

prefix=${PREFIX:-/usr/local}
destination=${DESTDIR:-}
case $prefix in /*[!/]) ;; *) fail $EX_USAGE "PREFIX must be an absolute path without a slash at its end" ;; esac
case $prefix/ in */../* | */./* | *$'\n'*) fail $EX_USAGE "PREFIX must be a plain path" ;; esac
program=$destination$prefix/bin/docent-picker
manual=$destination$prefix/share/man/man1/docent-picker.1
unit=$destination$prefix/share/systemd/user/docent-picker.service
# Which of these files are ours: a foreign one is not touched.
list=$destination$prefix/share/docent/desktop-manifest.txt
# The Swift runtime is part of the program: it needs nothing of `make install`.
arguments=(--package-path "$root/Desktop" --scratch-path "$root/.build-desktop" -c release --static-swift-stdlib
    -debug-info-format none --product docent-picker)

build() {
    find_swift
    pkg-config --exists libadwaita-1 || fail $EX_UNAVAILABLE "GTK is missing; run Scripts/desktop-setup.sh"
    step "building docent-picker"
    "$swift_bin/swift" build "${arguments[@]}"
}

is_ours() { [ -f "$list" ] && grep -qxF -- "${1#"$destination"}" "$list"; }

# put MODE SOURCE TARGET
put() {
    install -d -m 0755 "${3%/*}"
    # A running program keeps the file that it has open.
    install -m "$1" "$2" "$3.docent-new"
    mv -fT "$3.docent-new" "$3"
}

install_all() {
    local binaries=${DOCENT_INSTALL_BINARIES:-} file
    for file in "$program" "$manual" "$unit"; do
        if { [ -e "$file" ] || [ -L "$file" ]; } && ! is_ours "$file"; then
            fail $EX_CANTCREAT "$file exists and is not from an earlier \`make install-desktop\`; move it away"
        fi
    done
    if [ -z "$binaries" ]; then
        build
        binaries=$("$swift_bin/swift" build "${arguments[@]}" --show-bin-path)
    fi
    install -d -m 0755 "${list%/*}"
    for file in "$program" "$manual" "$unit"; do printf '%s\n' "${file#"$destination"}"; done >"$list"
    put 0755 "$binaries/docent-picker" "$program"
    if command -v strip >/dev/null; then strip "$program"; fi
    put 0644 "$root/Desktop/docent-picker.1" "$manual"
    local text
    text=$(cat "$root/Desktop/docent-picker.service")
    put 0644 /dev/stdin "$unit" <<<"${text//@bindir@/$prefix/bin}"
    step "installed $program"
}

uninstall() {
    local file
    for file in "$program" "$manual" "$unit"; do
        if is_ours "$file"; then rm -f "$file" "$file.docent-new"; fi
    done
    rm -f "$list"
    # Only empty directories go, and only those that `make install` would make too.
    for file in "${list%/*}" "${manual%/*}" "${unit%/*}"; do rmdir "$file" 2>/dev/null || true; done
}

case ${1:-} in
    build) build ;;
    install) install_all ;;
    uninstall) uninstall ;;
    *) fail $EX_USAGE "usage: Scripts/desktop-install.sh build|install|uninstall" ;;
esac
