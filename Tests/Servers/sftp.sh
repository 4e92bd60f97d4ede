#!/usr/bin/env bash
# `rclone serve sftp` on its own directory; README.md has the contract. The key in DIR/key signs in as any user.
set -euo pipefail
# shellcheck source=Tests/Servers/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

program=rclone

prepare() {
    command -v ssh-keygen >/dev/null || fail "no ssh-keygen; run Scripts/setup.sh test"
    touch "$dir/rclone.conf"
    [ -e "$dir/key" ] || ssh-keygen -q -t ed25519 -N '' -C docent -f "$dir/key"
}

command_line() {
    command=("$(from_venv rclone)" serve sftp "$dir/data" --addr "127.0.0.1:${ports[0]}" --authorized-keys "$dir/key.pub"
        --config "$dir/rclone.conf" --cache-dir "$dir/cache" --vfs-cache-mode off --dir-cache-time 5ms --poll-interval 0
        --log-level INFO)
}

ready() {
    printf 'pwd\n' | sftp -q -b - -i "$dir/key" -P "${ports[0]}" -o BatchMode=yes -o StrictHostKeyChecking=no \
        -o UserKnownHostsFile=/dev/null ada@127.0.0.1 >/dev/null 2>&1
}

main "$@"
