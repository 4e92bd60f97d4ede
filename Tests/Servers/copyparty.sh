#!/usr/bin/env bash
# copyparty on its own directory; README.md has the contract. With its defaults: a PUT does not replace an existing
# file.
set -euo pipefail
# shellcheck source=Tests/Servers/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

program=copyparty

prepare() {
    [ -z "$user$tls" ] || fail "copyparty runs without users and TLS here"
}

command_line() {
    command=(env XDG_CONFIG_HOME="$dir" "$(from_venv copyparty)" -i 127.0.0.1 -p "${ports[0]}" -v "$dir/data::rwmd" -q
        --no-crt)
}

version() { "$(from_venv copyparty)" --version | sed -n 's/^copyparty v/copyparty /p'; }

main "$@"
