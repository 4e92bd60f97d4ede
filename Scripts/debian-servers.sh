#!/usr/bin/env bash
# Unpacks servers that tests start, without installing their packages, which would run as services of this machine.
#
#   Scripts/debian-servers.sh DIRECTORY [--all]
#
# Without --all only the servers for `make test`; with it also Tomcat and SabreDAV, with their Java and PHP. apt
# verifies the packages with its signed lists. Other dependencies come with the packages of `Scripts/setup.sh run`.
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case $#${2:-} in 1 | 2--all) ;; *) fail $EX_USAGE "usage: Scripts/debian-servers.sh DIRECTORY [--all]" ;; esac
directory=$1
few=(lighttpd lighttpd-mod-webdav libnginx-mod-http-dav-ext nginx)
more=(
    libargon2-1 libedit2 libmagic1 libonig5 libsodium23 libtomcat10-java openjdk-17-jre-headless php-sabre-dav php-sabre-vobject
    php8.2-cli php8.2-common php8.2-mbstring php8.2-xml tomcat10-common
)

few_work() {
    "$directory/usr/sbin/lighttpd" -v && "$directory/usr/sbin/nginx" -v &&
        [ -e "$directory/usr/lib/nginx/modules/ngx_http_dav_ext_module.so" ]
} >/dev/null 2>&1

more_work() {
    [ -e "$directory/usr/share/tomcat10/lib/catalina.jar" ] && [ -e "$directory/usr/share/php/Sabre/autoload.php" ] &&
        "$directory"/usr/lib/jvm/java-17-*/bin/java -version &&
        LD_LIBRARY_PATH=$(echo "$directory"/usr/lib/*-linux-gnu) "$directory/usr/bin/php8.2" -n -v
} >/dev/null 2>&1

unpack() {
    step "unpacking $* to $directory"
    command -v apt-get >/dev/null || fail $EX_UNAVAILABLE "no apt-get; unpack $* of Debian 12 into $directory"
    mkdir -p "$directory"
    (cd "$directory" && apt-get -qq download "$@") ||
        fail $EX_UNAVAILABLE "apt-get cannot download $* (see above); run \`apt-get update\` as root, check the network"
    local package link
    for package in "$directory"/*.deb; do
        dpkg -x "$package" "$directory"
        rm "$package"
    done
    # Java's configuration is in /etc, which is inside the directory.
    find "$directory" -type l -lname '/etc/*' | while IFS= read -r link; do
        ln -sfn "$directory$(readlink "$link")" "$link"
    done
}

few_work || unpack "${few[@]}"
few_work || fail $EX_UNAVAILABLE "the programs that apt-get put into $directory do not run; make setup installs the libraries that it needs"
[ "${2:-}" = --all ] || exit 0
more_work || unpack "${more[@]}"
more_work || fail $EX_UNAVAILABLE "Tomcat and SabreDAV in $directory do not run; make setup installs the libraries that they need"
