#!/usr/bin/env bash
# `rclone serve webdav` on its own directory; README.md has the contract.
set -euo pipefail
# shellcheck source=Tests/Servers/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

program=rclone

prepare() {
    [ "$auth" = basic ] || fail "rclone knows basic authentication only"
    touch "$dir/rclone.conf"
}

command_line() {
    # Almost no caching of listings: tests change the data directory without the server. With 0s a timer of each
    # directory that was written to runs without end, and takes one of two cores from the whole suite.
    command=("$(from_venv rclone)" serve webdav "$dir/data" --addr "127.0.0.1:${ports[0]}" --config "$dir/rclone.conf"
        --cache-dir "$dir/cache" --vfs-cache-mode "${DOCENT_TEST_RCLONE_CACHE:-off}" --vfs-write-back 0s
        --dir-cache-time 5ms --poll-interval 0 --disable-dir-list --log-level INFO)
    [ -z "$user" ] || command+=(--user "$user" --pass "$password")
    [ -z "$tls" ] || command+=(--cert "$dir/tls/server.pem" --key "$dir/tls/server.key")
}

version() { "$(from_venv rclone)" version | sed -n 's/^rclone v/rclone serve /p'; }

main "$@"
