#!/usr/bin/env bash
# An identity server (OAuth 2.0) on oauthlib, with everything in memory; README.md has the contract.
set -euo pipefail
# shellcheck source=Tests/Servers/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

program=identity.py
# The second address is only for introspection, always with TLS: mod_auth_openidc supports no other.
port_count=2

prepare() {
    python=$(from_venv python)
    "$python" -c 'import oauthlib' 2>/dev/null ||
        fail "no oauthlib for $python; run Scripts/python-venv.sh $(dirname "$(dirname "$python")")"
    make_certificates
    [ -n "$user" ] || fail "an identity server needs --user"
}

command_line() {
    command=(env "DOCENT_TEST_PASSWORD=$password" "$python" "$servers/identity.py" --port "${ports[0]}" --introspection-port
        "${ports[1]}" --certificates "$dir/tls" --user "$user")
    [ -z "$tls" ] || command+=(--tls)
}

ready() {
    local arguments=(-s -f -o /dev/null -m 5)
    [ -z "$tls" ] || arguments+=(--cacert "$dir/tls/ca.pem")
    curl "${arguments[@]}" "${url}.well-known/oauth-authorization-server"
}

main "$@"
