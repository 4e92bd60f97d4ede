#!/usr/bin/env bash
# Builds everything and runs all tests, as an ordinary user even when root calls.
#
#   Scripts/test.sh [arguments of `swift test`]
#
#   DOCENT_TEST_PLACE      where root's copy of the tree is built; default /var/tmp/docent-test-build
#   DOCENT_TEST_USER       the ordinary user that root becomes; made when absent; default docent-test
#   DOCENT_TEST_BINARIES   programs and plugins that integration tests use; default: those of this build
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

if [ "$(id -u)" -eq 0 ]; then run_as_ordinary_user Scripts/test.sh "$@"; fi

find_swift
cd "$root"
for variable in "${!XDG_@}" "${!DOCENT_@}"; do
    case $variable in DOCENT_TEST_*) ;; *) unset "$variable" ;; esac
done

bwrap --unshare-all --ro-bind / / true ||
    warn "bubblewrap cannot make a sandbox here (see above); tests that start a provider will fail"

# Tests that need it fail, they are not skipped, when it could not be made.
venv=$root/.build-python
Scripts/python-venv.sh "$venv" ||
    warn "no Python environment (see above); tests with the Python client, rclone or SeaweedFS fail"
export DOCENT_TEST_PYTHON=$venv/bin/python

# Hundreds of tests at once, each with daemons and sandboxes of its own, starve each other on two cores.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${DOCENT_TEST_WIDTH:-4}

step "building"
"$swift_bin/swift" build --build-tests
# Of its own, so that what tests leave behind is found.
scratch=$(mktemp -d)
log=$scratch/given/log
mkdir "$scratch/given"
begin=$scratch/given/begin
touch "$begin"
export TMPDIR=$scratch
trap 'rm -rf "$scratch"' EXIT
status=0
run_tests() {
    "$swift_bin/swift" test --skip-build --disable-xctest "$@" 2>&1 | tee -a "$log" || status=$?
}
# These use up what the kernel counts for all processes of a user, as descriptors in flight: whatever runs beside them is starved too.
alone=HostileFloodTests
case " $* " in
    *" --filter"* | *" --skip"*)
        step "testing"
        run_tests "$@"
        ;;
    *)
        step "testing what needs the user's limits for itself"
        run_tests --filter "$alone" "$@"
        step "testing everything else"
        run_tests --skip "$alone" "$@"
        ;;
esac
# After all of it, failures or not: no secret of a test was written anywhere but where the test itself typed it.
step "looking for secrets in what the tests left"
Scripts/scan-secrets.sh --newer "$begin" "$scratch" /tmp "/var/tmp/docent sandbox"* \
    "$HOME/.local" "$HOME/.cache" "$HOME/.config" || status=1
# Thousands of lines lie between a failure and the end of the log, and the end is what a short report keeps.
if [ "$status" -ne 0 ]; then
    step "what failed"
    grep -aE -A4 '✘|Fatal error|crashed|unexpected signal' "$log" | grep -av -e '^--' -e '^◇' -e '^✔' -e '^➜' | cut -c1-400 | tail -n 60 || true
fi
exit "$status"
