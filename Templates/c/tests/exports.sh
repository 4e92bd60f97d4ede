#!/bin/sh
# The library exports one symbol, and its header is also valid C++.
set -eu
exported=$(nm --dynamic --defined-only "$1" | awk '{ print $3 }')
if [ "$exported" != docent_extension_main_v1 ]; then
    echo "exported are: $exported" >&2
    exit 1
fi
for compiler in c++ g++ clang++; do
    if command -v "$compiler" >/dev/null; then
        "$compiler" -std=c++17 -Wall -Wextra -Werror -Idocent -x c++ -fsyntax-only docent/docent.h
        break
    fi
done
echo "exports: passed"
