#!/usr/bin/env bash
# Installs what `make desktop` and `make test-desktop` need on Debian 12, beside the packages of Scripts/setup.sh.
set -euo pipefail

exec "$(dirname "${BASH_SOURCE[0]}")/setup.sh" desktop
