#!/usr/bin/env bash
# A service with one document behind tokens that rclone has to renew; README.md has the contract.
set -euo pipefail
# shellcheck source=Tests/Servers/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# shellcheck disable=SC2034
program=hidrive.py

prepare() { :; }

command_line() { command=(/usr/bin/python3 "$servers/hidrive.py" --port "${ports[0]}"); }

ready() { curl -s -f -o /dev/null -m 5 "${url}state"; }

main "$@"
