#!/usr/bin/env bash
# Unpacks servers that tests start, as programs alone: their packages, once installed, would be services of this machine.
#
#   Scripts/debian-servers.sh DIRECTORY
#
# apt checks them against its signed lists. What they need is there with the packages of `Scripts/setup.sh run`.
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ $# -eq 1 ] || fail $EX_USAGE "usage: Scripts/debian-servers.sh DIRECTORY"
directory=$1
packages=(lighttpd lighttpd-mod-webdav libnginx-mod-http-dav-ext nginx)

works() {
    "$directory/usr/sbin/lighttpd" -v && "$directory/usr/sbin/nginx" -v &&
        [ -e "$directory/usr/lib/nginx/modules/ngx_http_dav_ext_module.so" ]
} >/dev/null 2>&1

if works; then exit 0; fi

step "unpacking ${packages[*]} to $directory"
command -v apt-get >/dev/null || fail $EX_UNAVAILABLE "no apt-get; unpack ${packages[*]} of Debian 12 into $directory"
mkdir -p "$directory"
(cd "$directory" && apt-get -qq download "${packages[@]}") ||
    fail $EX_UNAVAILABLE "apt-get cannot download ${packages[*]} (see above); run \`apt-get update\` as root, check the network"
for package in "$directory"/*.deb; do
    dpkg -x "$package" "$directory"
    rm "$package"
done
works || fail $EX_UNAVAILABLE "what apt-get put into $directory does not run; make setup installs the libraries that it needs"
