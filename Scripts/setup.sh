#!/usr/bin/env bash
# Installs what is missing on Debian 12 to build, run and test Docent. Ends at once if everything is installed.
#
#   Scripts/setup.sh [run] [build] [test] [full] [desktop]     only these lists; default: the first three
#
# Needs root or `sudo -n`; otherwise it prints the command to run and exits with 69.
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# To run an installed Docent.
run=(bubblewrap ca-certificates fuse3 libarchive13 libcurl4 libglib2.0-0 libseccomp2 libsecret-1-0 libsodium23 libsqlite3-0 libssl3 libxml2 shared-mime-info)
# To build, and for `make install`.
build=(
    git libarchive-dev libcurl4-openssl-dev libglib2.0-dev libseccomp-dev libsecret-1-dev libsodium-dev libsqlite3-dev libssl-dev libxml2-dev patchelf
    pkg-config
)
# What only tests use: a client in another language and compilers for providers in others, two keyrings to talk to,
# attributes and access lists to preserve, a client of SFTP, a WebDAV server (the program alone: the package apache2
# would make it a service of this machine), a terminal and the shells.
test=(
    acl apache2-bin apache2-utils attr bash-completion cargo curl dbus gcc gnome-keyring keepassxc libapache2-mod-auth-openidc libc6-dev
    libglib2.0-bin libsecret-tools make openssh-client openssl python3 python3-secretstorage python3-venv rsync sqlite3 tmux vim zsh fish
)

# What only `make test-full` uses: a program that people save documents with, and a display.
full=(libreoffice-writer unzip xdotool xvfb)

# To build and test the window (`Desktop/`).
desktop=(
    adwaita-icon-theme at-spi2-core bubblewrap dbus fuse3 gir1.2-atspi-2.0 gir1.2-gtk-3.0 gir1.2-gtk-4.0 imagemagick
    libadwaita-1-dev libgtk-4-dev python3-gi python3-pyqt5 python3-pyqt6 qt5-xdgdesktopportal-platformtheme
    qt6-xdgdesktopportal-platformtheme x11-utils xauth xdg-desktop-portal xdotool xvfb
)

# Swift brings its own compiler, but neither the C library's headers nor a linker.
if ! command -v cc >/dev/null || ! command -v ld >/dev/null || [ ! -e /usr/include/stdlib.h ]; then
    build+=(binutils gcc libc6-dev libstdc++-12-dev)
fi

packages=()
for list in "${@:-run build test}"; do
    for name in $list; do
        case $name in
            run) packages+=("${run[@]}") ;;
            build) packages+=("${build[@]}") ;;
            test) packages+=("${test[@]}") ;;
            full) packages+=("${full[@]}") ;;
            desktop) packages+=("${desktop[@]}") ;;
            *) fail $EX_USAGE "unknown list $name; say run, build, test, full or desktop" ;;
        esac
    done
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    fail $EX_UNAVAILABLE "not a Debian system; install these by hand, under your system's names, and continue with" \
        "\`make SETUP=true …\`: ${packages[*]}"
fi

installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
    grep -qxF "installed $package" <<<"$installed" || missing+=("$package")
done

if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" -eq 0 ]; then
        as_root=()
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        as_root=(sudo -n)
    else
        printf 'Some packages are missing. As root, run:\n\n    apt-get install --no-install-recommends %s\n\n' \
            "${missing[*]}" >&2
        exit $EX_UNAVAILABLE
    fi
    step "installing ${missing[*]}"
    apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
    "${apt[@]}" update
    "${apt[@]}" install --yes --no-install-recommends "${missing[@]}" </dev/null >/dev/null
fi

# Without udev, as in a container, only root may open the device of mounted folders.
if [ -c /dev/fuse ] && [ "$(id -u)" -eq 0 ] && [ "$(stat -c %a /dev/fuse)" != 666 ]; then chmod 666 /dev/fuse; fi

find_swift
