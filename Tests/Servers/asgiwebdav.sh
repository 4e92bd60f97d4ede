#!/usr/bin/env bash
# ASGIWebDAV below uvicorn, on its own directory; README.md has the contract.
set -euo pipefail
# shellcheck source=Tests/Servers/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

program=asgiwebdav

prepare() {
    [ -z "$user$tls" ] || fail "ASGIWebDAV runs without users and TLS here"
    printf '{"anonymous": {"enable": true}, "provider_mapping": [{"prefix": "/", "uri": "file://%s/data"}]}\n' "$dir" \
        >"$dir/asgiwebdav.json"
}

command_line() {
    command=("$(from_venv asgi-webdav)" --host 127.0.0.1 --port "${ports[0]}" --config "$dir/asgiwebdav.json")
}

version() { printf 'ASGIWebDAV %s\n' "$("$(from_venv asgi-webdav)" --version)"; }

main "$@"
