#!/usr/bin/env bash
# WsgiDAV on its own directory; README.md has the contract.
set -euo pipefail
# shellcheck source=Tests/Servers/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

program=wsgidav

prepare() {
    [ -z "$user$tls" ] || fail "WsgiDAV runs without users and TLS here"
}

command_line() {
    command=("$(from_venv wsgidav)" --host 127.0.0.1 --port "${ports[0]}" --root "$dir/data" --auth anonymous
        --server cheroot)
}

version() { printf 'WsgiDAV %s\n' "$("$(from_venv wsgidav)" --version)"; }

main "$@"
