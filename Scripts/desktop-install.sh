#!/usr/bin/env bash
# Builds the window, docent-picker, and the back end of the desktop portal that shows it, docent-portal, for release and
# installs them below PREFIX, or removes what an earlier run installed.
# `make install` knows nothing of it: servers need no GTK.
#
#   PREFIX=/usr/local DESTDIR= Scripts/desktop-install.sh build|install|uninstall
#
#   DOCENT_INSTALL_BINARIES   a directory with programs that are built already, for tests: nothing is built then
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

prefix=${PREFIX:-/usr/local}
destination=${DESTDIR:-}
case $prefix in /*[!/]) ;; *) fail $EX_USAGE "PREFIX must be an absolute path without a slash at its end" ;; esac
case $prefix/ in */../* | */./* | *$'\n'*) fail $EX_USAGE "PREFIX must be a plain path" ;; esac
back_end=org.freedesktop.impl.portal.desktop.docent
program=$destination$prefix/bin/docent-picker
portal=$destination$prefix/libexec/docent/docent-portal
manual=$destination$prefix/share/man/man1/docent-picker.1
units=$destination$prefix/share/systemd/user
unit=$units/docent-picker.service
portal_unit=$units/docent-portal.service
service=$destination$prefix/share/dbus-1/services/$back_end.service
description=$destination$prefix/share/xdg-desktop-portal/portals/docent.portal
files=("$program" "$portal" "$manual" "$unit" "$portal_unit" "$service" "$description")
# Which of these files are ours: a foreign one is not touched.
list=$destination$prefix/share/docent/desktop-manifest.txt
# The Swift runtime is part of the program: it needs nothing of `make install`.
arguments=(--package-path "$root/Desktop" --scratch-path "$root/.build-desktop" -c release --static-swift-stdlib
    -debug-info-format none)

build() {
    find_swift
    pkg-config --exists libadwaita-1 || fail $EX_UNAVAILABLE "GTK is missing; run Scripts/desktop-setup.sh"
    local product
    for product in docent-picker docent-portal; do
        step "building $product"
        "$swift_bin/swift" build "${arguments[@]}" --product "$product"
    done
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
    for file in "${files[@]}"; do
        if { [ -e "$file" ] || [ -L "$file" ]; } && ! is_ours "$file"; then
            fail $EX_CANTCREAT "$file exists and is not from an earlier \`make install-desktop\`; move it away"
        fi
    done
    if [ -z "$binaries" ]; then
        build
        binaries=$("$swift_bin/swift" build "${arguments[@]}" --show-bin-path)
    fi
    install -d -m 0755 "${list%/*}"
    for file in "${files[@]}"; do printf '%s\n' "${file#"$destination"}"; done >"$list"
    put 0755 "$binaries/docent-picker" "$program"
    put 0755 "$binaries/docent-portal" "$portal"
    if command -v strip >/dev/null; then strip "$program" "$portal"; fi
    put 0644 "$root/Desktop/docent-picker.1" "$manual"
    local text
    for file in "$unit" "$portal_unit" "$service"; do
        text=$(cat "$root/Desktop/${file##*/}")
        text=${text//@bindir@/$prefix/bin}
        put 0644 /dev/stdin "$file" <<<"${text//@libexecdir@/$prefix/libexec/docent}"
    done
    put 0644 "$root/Desktop/docent.portal" "$description"
    step "installed $program"
}

uninstall() {
    local file
    for file in "${files[@]}"; do
        if is_ours "$file"; then rm -f "$file" "$file.docent-new"; fi
    done
    rm -f "$list"
    # Only empty directories go, and only those that `make install` would make too.
    for file in "${list%/*}" "${portal%/*}" "${manual%/*}" "$units" "${service%/*}" "${description%/*}"; do
        rmdir "$file" 2>/dev/null || true
    done
}

case ${1:-} in
    build) build ;;
    install) install_all ;;
    uninstall) uninstall ;;
    *) fail $EX_USAGE "usage: Scripts/desktop-install.sh build|install|uninstall" ;;
esac
