#!/usr/bin/env bash
# SeaweedFS's S3 server with its own store and the bucket `documents`; README.md has the contract.
set -euo pipefail
# shellcheck source=Tests/Servers/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

program=weed
# shellcheck disable=SC2034
port_count=8

prepare() {
    [ -n "$user" ] || fail "S3 needs --user (the access key) and --password (the secret key)"
    [ -z "$tls" ] || fail "S3 runs without TLS here"
    mkdir -p "$dir/store" "$dir/log"
    touch "$dir/security.toml"
    # The configuration is not passed as an argument: the secret key would be visible to every user.
    (
        umask 077
        # shellcheck disable=SC2154
        printf '{"identities": [{"name": "tests", "credentials": [{"accessKey": "%s", "secretKey": "%s"}], %s}]}\n' \
            "$user" "$password" '"actions": ["Admin", "Read", "Write", "List", "Tagging"]' >"$dir/identities.json"
    )
}

command_line() {
    command=("$(from_venv weed)" -logdir="$dir/log" server -dir="$dir/store" -ip=127.0.0.1 -ip.bind=127.0.0.1
        -master.port="${ports[1]}" -master.port.grpc="${ports[2]}" -master.telemetry=false -master.volumeSizeLimitMB=512
        -volume.port="${ports[3]}" -volume.port.grpc="${ports[4]}" -volume.max=200 -volume.minFreeSpace=1
        -volume.preStopSeconds=0
        -filer -filer.port="${ports[5]}" -filer.port.grpc="${ports[6]}" -filer.localSocket="$dir/filer.sock"
        -s3 -s3.port="${ports[0]}" -s3.port.grpc="${ports[7]}" -s3.port.iceberg=0 -s3.port.lance=0
        -s3.config="$dir/identities.json")
}

# The S3 part answers before the rest can store anything: a bucket and a document have to be accepted.
ready() {
    local document="${url}documents/.docent-ready"
    signed -X PUT "${url}documents" || return 1
    signed -T - "$document" <<<ready || return 1
    signed -X DELETE "$document" || return 1
    # It has been read. A secret is kept no longer than necessary, however the tests end.
    rm -f "$dir/identities.json"
}

# The key is passed in a file that only curl reads.
signed() {
    curl -s -o /dev/null -f -m 20 --aws-sigv4 aws:amz:us-east-1:s3 \
        -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' --config <(printf 'user = "%s:%s"\n' "$user" "$password") "$@"
}

main "$@"
