#!/usr/bin/env bash
# SabreDAV below PHP's own web server, on its own directory; README.md has the contract.
set -euo pipefail
# shellcheck source=Tests/Servers/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

program=sabre

prepare() {
    [ -z "$user$tls" ] || fail "SabreDAV runs without users and TLS here"
    mkdir -p "$dir/locks"
    cat >"$dir/server.php" <<'END'
<?php
date_default_timezone_set('UTC');
require 'Sabre/autoload.php';
$server = new Sabre\DAV\Server(new Sabre\DAV\FS\Directory(getenv('SABRE_DATA')));
$server->setBaseUri('/');
$server->addPlugin(new Sabre\DAV\Locks\Plugin(new Sabre\DAV\Locks\Backend\File(getenv('SABRE_LOCKS'))));
$server->exec();
END
}

command_line() {
    local modules extension
    modules=$(from_debian usr/lib/php/20220829)
    command=(env SABRE_DATA="$dir/data" SABRE_LOCKS="$dir/locks/db" PHP_CLI_SERVER_WORKERS=8
        LD_LIBRARY_PATH="$(from_debian "usr/lib/$(uname -m)-linux-gnu")" "$(from_debian usr/bin/php8.2)" -n
        -d extension_dir="$modules")
    for extension in dom xml simplexml xmlreader xmlwriter mbstring ctype iconv tokenizer; do
        command+=(-d extension="$extension")
    done
    command+=(-d include_path=".:$(from_debian usr/share/php)" -d display_errors=0 -d upload_max_filesize=0 -d post_max_size=0 -d memory_limit=512M
        -S "127.0.0.1:${ports[0]}" "$dir/server.php")
}

version() { sed -n "s/.*VERSION = '/SabreDAV /p" "$(from_debian usr/share/php/Sabre/DAV/Version.php)"; }

main "$@"
