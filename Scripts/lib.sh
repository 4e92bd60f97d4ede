# shellcheck shell=bash
# Shared by the scripts: messages, the Swift toolchain, and running as an ordinary user when called by root.
# Sourced with `set -euo pipefail` in force; `root` is the top of the tree.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

# sysexits.h
readonly EX_USAGE=64 EX_UNAVAILABLE=69 EX_CANTCREAT=73

step() { printf '==> %s\n' "$*"; }
warn() { printf 'warning: %s\n' "$*" >&2; }
fail() {
    local code=$1
    shift
    printf 'error: %s\n' "$*" >&2
    exit "$code"
}

# Stores the real directory of `swift` in `swift_bin`.
find_swift() {
    local found
    found=$(command -v swift) || found=/opt/swift/usr/bin/swift
    [ -x "$found" ] || fail $EX_UNAVAILABLE "no swift on PATH; install Swift 6.3 from https://www.swift.org/install/linux"
    swift_bin=$(dirname "$(readlink -f "$found")")
}

# For every `swift build` of ours: a target names each module that it imports, so that the layers stay apart
# (docs/contributing/modules.md).
# shellcheck disable=SC2034
import_check=(--explicit-target-dependency-import-check error)

# The regular files and links of the tree, separated by NUL: all that git tracks, or neither tracks nor ignores.
tree_files() {
    if git -c safe.directory="$root" -C "$root" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git -c safe.directory="$root" -C "$root" ls-files -z --cached --others --exclude-standard
    else
        (cd "$root" && find . \( -name .git -o -name '.build*' \) -prune -o \( -type f -o -type l \) -print0)
    fi | sort -zu | while IFS= read -r -d '' file; do
        # Deleted but still in the index.
        if [ -e "$root/$file" ] || [ -L "$root/$file" ]; then printf '%s\0' "$file"; fi
    done
}

# Integration tests must run as an ordinary user, because root is exempt from permissions that they check. Called by
# root; copies the tree to a place of that user and runs `$1` (a path within the tree) there with the other arguments.
# The place is kept, and an unchanged file keeps its inode and times, so that builds are incremental.
run_as_ordinary_user() {
    local script=$1 user=${DOCENT_TEST_USER:-docent-test} place=${DOCENT_TEST_PLACE:-/var/tmp/docent-test-build}
    shift
    find_swift
    if ! id -u "$user" >/dev/null 2>&1; then
        step "adding the ordinary user $user"
        useradd --create-home --shell /bin/bash "$user"
    fi
    [ "$(id -u "$user")" -ne 0 ] || fail $EX_USAGE "DOCENT_TEST_USER must not be root"
    local home
    home=$(getent passwd "$user" | cut -d: -f6)

    # Only the part of root's environment that is needed for network access; above all no XDG_*.
    local environment=(
        "HOME=$home" "USER=$user" "LOGNAME=$user" "SHELL=/bin/bash" "LANG=${LANG:-C.UTF-8}" "TERM=${TERM:-dumb}"
        "PATH=$swift_bin:/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
        "GIT_CONFIG_GLOBAL=$place/gitconfig"
    )
    local name
    for name in CI NO_COLOR {http,https,no,all}_proxy {HTTP,HTTPS,NO,ALL}_PROXY SSL_CERT_FILE SSL_CERT_DIR \
        CURL_CA_BUNDLE GIT_SSL_CAINFO REQUESTS_CA_BUNDLE PIP_CERT PIP_INDEX_URL PIP_FIND_LINKS \
        DOCENT_TEST_BINARIES DOCENT_TEST_CAPACITY DOCENT_TEST_PJDFSTEST DOCENT_TEST_SEED; do
        if [ -n "${!name:-}" ]; then environment+=("$name=${!name}"); fi
    done
    local as_user=(setpriv "--reuid=$user" "--regid=$(id -g "$user")" --init-groups --inh-caps=-all
        env -i -C / "${environment[@]}")

    # The parent directory may be writable by everybody: the place must be the user's own, not a link to somewhere else.
    "${as_user[@]}" mkdir -p -m 0700 "$place" || true
    if [ -L "$place" ] || [ "$(stat -c %u "$place" 2>/dev/null)" != "$(id -u "$user")" ]; then
        fail $EX_CANTCREAT "$place does not belong to $user; move it away, or name another in DOCENT_TEST_PLACE"
    fi
    "${as_user[@]}" test -x "$swift_bin/swift" ||
        fail $EX_UNAVAILABLE "$user cannot run $swift_bin/swift; install the toolchain where everybody may read it"

    # Two concurrent runs would overwrite each other's copy.
    exec 9<"$place"
    flock -n 9 || { step "waiting for another run in $place" && flock 9; }

    # shellcheck disable=SC2016
    # The user gets root's url rewriting, and may clone from mirrors that are another user's. git takes neither from
    # the environment into the process that serves a local clone, only from a file.
    {
        git config --global --get-regexp '^url\.' 2>/dev/null | while read -r key value; do
            printf '[url "%s"]\n\t%s = %s\n' "$(sed 's/^url\.//; s/\.[^.]*$//' <<<"$key")" "${key##*.}" "$value"
        done || true
        printf '[safe]\n\tdirectory = *\n'
    } | "${as_user[@]}" sh -c 'cat >"$1"' sh "$place/gitconfig"

    step "copying the tree to $place/src"
    # shellcheck disable=SC2016
    # Root only reads and the user only writes, so that no link planted in the place can mislead root.
    tree_files | tar -C "$root" --null --no-recursion -T - -cf - | "${as_user[@]}" bash -euo pipefail -c '
        cd "$1"
        rm -rf incoming && mkdir -p incoming src
        tar -C incoming -xf - --no-same-owner
        chmod -R u+rwX incoming
        (cd incoming && find . ! -type d -print0 | sort -z) >files.new
        (cd src && find . -name ".build*" -prune -o ! -type d ! -name Package.resolved -print0 | sort -z) >files.old
        comm -z -13 files.new files.old | while IFS= read -r -d "" file; do
            file=${file#./}
            rm -f -- "src/$file"
            case $file in */*) (cd src && rmdir -p --ignore-fail-on-non-empty -- "${file%/*}") ;; esac
        done
        while IFS= read -r -d "" file; do
            if [ ! -L "incoming/$file" ] && [ ! -L "src/$file" ] && cmp -s "incoming/$file" "src/$file"; then
                chmod --reference="incoming/$file" "src/$file"
            else
                mkdir -p "src/${file%/*}"
                rm -rf -- "src/${file:?}"
                mv -- "incoming/$file" "src/$file"
            fi
        done <files.new
        rm -rf incoming files.new files.old
    ' bash "$place"

    step "running $script as $user"
    # The lock stays with this shell: a daemon that a test leaves behind must not hold it.
    local status=0
    "${as_user[@]}" env -C "$place/src" "$place/src/$script" "$@" 9<&- || status=$?
    exit "$status"
}
