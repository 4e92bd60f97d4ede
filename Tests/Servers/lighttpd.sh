#!/usr/bin/env bash
# lighttpd with mod_webdav on its own directory; README.md has the contract. The system's lighttpd is not touched.
set -euo pipefail
# shellcheck source=Tests/Servers/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

program=lighttpd

prepare() {
    [ -z "$user$tls" ] || fail "lighttpd runs without users and TLS here"
    {
        printf 'server.modules = ("mod_webdav")\nserver.document-root = "%s/data"\n' "$dir"
        printf 'server.bind = "127.0.0.1"\nserver.port = %s\nserver.upload-dirs = ("%s/tmp")\n' "${ports[0]}" "$dir"
        # Without a type lighttpd does not send a tag either.
        printf 'mimetype.assign = ("" => "application/octet-stream")\n'
        printf 'webdav.activate = "enable"\nwebdav.is-readonly = "disable"\nwebdav.sqlite-db-name = "%s/locks"\n' "$dir"
    } >"$dir/lighttpd.conf"
}

command_line() {
    command=("$(from_debian usr/sbin/lighttpd)" -D -f "$dir/lighttpd.conf" -m "$(from_debian usr/lib/lighttpd)")
}

version() { "$(from_debian usr/sbin/lighttpd)" -v | sed -n 's|^lighttpd/|lighttpd |p'; }

main "$@"
