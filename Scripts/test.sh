#!/usr/bin/env bash
# Builds everything and runs the tests of a tier, as an ordinary user even when called by root.
#
#   Scripts/test.sh check|test|full [--seed N] [--filter REGEX]... [--skip REGEX]...
#
#   SEED                   which sample `test` takes; default: the number of commits, so that twenty in a row take
#                          everything
#   DOCENT_TEST_PLACE      where root's copy of the tree is built; default /var/tmp/docent-test-build
#   DOCENT_TEST_USER       the ordinary user that root becomes; made when absent; default docent-test
#   DOCENT_TEST_BINARIES   programs and plugins that integration tests use; default: those of this build
#   DOCENT_TEST_CAPACITY   how much may run at a time; default: 4 for each processor
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case ${1:-} in
    build | check | test | full) ;;
    *) fail $EX_USAGE "name a tier: check, test or full" ;;
esac

# The copy of the tree that root makes has no history.
if [ -z "${DOCENT_TEST_SEED:-}" ]; then
    DOCENT_TEST_SEED=${SEED:-$(git -c safe.directory="$root" -C "$root" rev-list --count HEAD 2>/dev/null || echo 0)}
fi
export DOCENT_TEST_SEED
if [ "$(id -u)" -eq 0 ]; then run_as_ordinary_user Scripts/test.sh "$@"; fi

find_swift
cd "$root"
for variable in "${!XDG_@}" "${!DOCENT_@}"; do
    case $variable in DOCENT_TEST_*) ;; *) unset "$variable" ;; esac
done

bwrap --unshare-all --ro-bind / / true ||
    warn "bubblewrap cannot create a sandbox here (see above); tests that start a provider will fail"

# If it cannot be created, tests that need it fail and are not skipped.
venv=$root/.build-python
Scripts/python-venv.sh "$venv" ||
    warn "no Python environment (see above); tests with the Python client, rclone or SeaweedFS fail"
export DOCENT_TEST_PYTHON=$venv/bin/python
# Tomcat and SabreDAV are larger than the other servers; only slow tests use them.
all=
if [ "$1" = full ]; then all=--all; fi
Scripts/debian-servers.sh "$root/.build-servers" ${all:+"$all"} ||
    warn "some servers of Debian's packages are missing (see above); tests with them fail"
export DOCENT_TEST_SERVERS=$root/.build-servers

# The log stays; files that tests leave behind go to a separate folder, which is removed.
folder=$root/.build/tests
rm -rf "$folder"
mkdir -p "$folder"
Scripts/run-tests.py build --swift "$swift_bin/swift" --folder "$folder"
if [ "$1" = build ]; then exit 0; fi
# After the build: the compiler leaves the expressions of tests, secrets and all, in its own temporary files.
scratch=$(mktemp -d)
begin=$scratch/begin
touch "$begin"
export TMPDIR=$scratch
trap 'rm -rf "$scratch"' EXIT
status=0
Scripts/run-tests.py "$@" --built --swift "$swift_bin/swift" --folder "$folder" || status=$?
# A regression of speed that is more than noise: ratios, measured side by side.
if [ "$1" = full ] && [ "$#" -eq 1 ]; then Scripts/bench.sh --quick || status=1; fi
# The window is a package of its own.
if [ "$1" = full ] && [ "$#" -eq 1 ]; then
    step "the window; all output goes to $folder/desktop.log"
    if ! PATH=$swift_bin:$PATH BINARIES=$root/.build-tests/debug make test-desktop >"$folder/desktop.log" 2>&1; then
        tail -n 40 "$folder/desktop.log" >&2
        status=1
    fi
fi
# After everything, failures or not: no secret of a test was written anywhere except where the test itself typed it.
if [ "$1" != check ]; then
    Scripts/scan-secrets.sh --newer "$begin" "$scratch" /tmp "/var/tmp/docent sandbox"* \
        "$HOME/.local" "$HOME/.cache" "$HOME/.config" || status=1
fi
exit "$status"
