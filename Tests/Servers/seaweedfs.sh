#!/usr/bin/env bash
# SeaweedFS (master, volume server, filer, WebDAV in one process) with its own store; README.md has the contract.
set -euo pipefail
# shellcheck source=Tests/Servers/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

program=weed
port_count=7

prepare() {
    [ -z "$user" ] || fail "SeaweedFS's WebDAV server knows no users"
    mkdir -p "$dir/store" "$dir/cache" "$dir/log"
    # The filer's own default is found through its directory; an empty file excludes this machine's settings.
    touch "$dir/security.toml"
}

command_line() {
    command=("$(from_venv weed)" -logdir="$dir/log" server -dir="$dir/store" -ip=127.0.0.1 -ip.bind=127.0.0.1
        -master.port="${ports[1]}" -master.port.grpc="${ports[2]}" -master.telemetry=false -master.volumeSizeLimitMB=512
        -volume.port="${ports[3]}" -volume.port.grpc="${ports[4]}" -volume.max=200 -volume.minFreeSpace=1
        -volume.preStopSeconds=0
        -filer -filer.port="${ports[5]}" -filer.port.grpc="${ports[6]}" -filer.localSocket="$dir/filer.sock"
        -webdav -webdav.port="${ports[0]}" -webdav.cacheDir="$dir/cache")
    [ -z "$tls" ] || command+=(-webdav.cert.file="$dir/tls/server.pem" -webdav.key.file="$dir/tls/server.key")
}

# The WebDAV part answers before the rest can store anything.
ready() {
    local arguments=(-s -o /dev/null -f -m 20)
    [ -z "$tls" ] || arguments+=(--cacert "$dir/tls/ca.pem")
    curl "${arguments[@]}" -T - "${url}.docent-ready" <<<ready && curl "${arguments[@]}" -X DELETE "${url}.docent-ready"
}

version() { "$(from_venv weed)" version | sed -n 's/^version [^ ]* /SeaweedFS /p'; }

main "$@"
