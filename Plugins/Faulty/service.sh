#!/bin/sh
# The service behind the provider Faulty, for `docent provider validate --service` (docs/providers/validator.md). It
# works with files in the domain's folder.
set -eu
service=${DOCENT_SERVICE_STORAGE:?is set by the validator}/service
mkdir -p "$service/changes"
case ${1:-} in
    # It has no port.
    address) ;;
    pause) : >"$service/unreachable" ;;
    resume) rm -f "$service/unreachable" "$service/cut" ;;
    cut) : >"$service/cut" ;;
    change)
        [ $# -eq 3 ] || exit 64
        staged=$(mktemp "$service/staged-XXXXXX")
        printf '%s %s\n' "$2" "$3" >"$staged"
        cat >>"$staged"
        # In the order of arrival.
        mv "$staged" "$service/changes/$(date +%s%N)"
        ;;
    *) exit 3 ;;
esac
