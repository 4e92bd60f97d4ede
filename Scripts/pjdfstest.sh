#!/usr/bin/env bash
# Fetches pjdfstest, a test of the file-system calls of POSIX, at a fixed commit, and builds it in a folder outside the
# tree. Prints that folder. Nothing of it is part of Docent.
#
#   Scripts/pjdfstest.sh [FOLDER]      default: ~/.cache/docent-tests/pjdfstest
#
#   DOCENT_TEST_PJDFSTEST     a git repository to fetch it from, if GitHub cannot be reached
set -euo pipefail
# shellcheck source=Scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

readonly commit=85a8aea9e685999ef0540392fd80535f873d7ff7
# Of its files and their names, because git trusts SHA-1.
readonly checksum=072d1ddba80c732707bfbc99ded1ea967ad0733b0bbdf310719d2c7d7d096200
readonly address=https://github.com/pjd/pjdfstest

folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/docent-tests/pjdfstest}
if [ -x "$folder/$commit/pjdfstest" ]; then
    echo "$folder/$commit"
    exit 0
fi
command -v cc >/dev/null || fail $EX_UNAVAILABLE "no C compiler; install gcc"
mkdir -p "$folder"
work=$(mktemp -d "$folder/work.XXXXXX")
trap 'rm -rf "$work"' EXIT

git init --quiet "$work/git"
git -c safe.directory='*' -C "$work/git" fetch --quiet --depth 1 "${DOCENT_TEST_PJDFSTEST:-$address}" "$commit" ||
    fail $EX_UNAVAILABLE "pjdfstest cannot be fetched (see above); name a git repository with commit $commit in" \
        "DOCENT_TEST_PJDFSTEST, for example a clone of $address"
mkdir "$work/source"
git -C "$work/git" archive "$commit" | tar -C "$work/source" -xf -
found=$(cd "$work/source" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d ' ' -f 1)
[ "$found" = "$checksum" ] || fail $EX_UNAVAILABLE "the files of pjdfstest have the checksum $found, not $checksum"

# What its configure script would find on Linux.
: >"$work/source/config.h"
options=(-D_GNU_SOURCE)
for name in FACCESSAT FCHMODAT FCHOWNAT FSTATAT LINKAT MKDIRAT MKFIFOAT MKNODAT OPENAT POSIX_FALLOCATE READLINKAT \
    RENAMEAT SYMLINKAT UTIMENSAT UNLINKAT SYS_SYSMACROS_H STRUCT_STAT_ST_ATIM STRUCT_STAT_ST_CTIM \
    STRUCT_STAT_ST_MTIM; do
    options+=("-DHAVE_$name=1")
done
cc -O1 "${options[@]}" -I "$work/source" -o "$work/source/pjdfstest" "$work/source/pjdfstest.c" >&2
# Its tests leave out what a file system is known not to have. The same ones everywhere, to be comparable.
echo 'fs=FUSE.DOCENT' >>"$work/source/tests/conf"
mv -T "$work/source" "$folder/$commit" 2>/dev/null || [ -x "$folder/$commit/pjdfstest" ]
echo "$folder/$commit"
