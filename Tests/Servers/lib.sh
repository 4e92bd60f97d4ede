# shellcheck shell=bash
# Shared functions of the server scripts. A script sets `program` (for messages), defines `prepare`, `command_line` and,
# if necessary, `ready`, and calls `main "$@"`. See README.md for the contract.

# shellcheck disable=SC2154
servers=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

usage() {
    printf 'usage: %s start DIR [--user NAME --password P] [--auth basic|digest|oauth] [--identity URL] [--tls] [--digests] [--port N] [--parent PID]\n' "$0"
    printf '       %s stop|kill|status DIR\n' "$0"
    printf '       %s version\n' "$0"
    exit 64
} >&2

# Prints the requested number of free ports of 127.0.0.1, below those of outgoing connections, so that a server can be
# restarted on its port. Another process may take one before it is used: `start` retries.
free_ports() {
    /usr/bin/python3 -I - "$1" <<'END'
import random, socket, sys

held = []
while len(held) < int(sys.argv[1]):
    try:
        held.append(socket.create_server(("127.0.0.1", random.randrange(12000, 32000))))
    except OSError:
        pass
print(*(one.getsockname()[1] for one in held))
END
}

# The path of a program of the tests' Python environment.
from_venv() {
    local python=${DOCENT_TEST_PYTHON:-/var/tmp/docent-test-venv/bin/python} found
    found=$(dirname "$python")/$1
    [ -x "$found" ] || found=$(command -v "$1") ||
        fail "no $1 beside $python; run Scripts/python-venv.sh $(dirname "$(dirname "$python")")"
    printf '%s\n' "$found"
}

# The path of a file of Debian's unpacked servers, or else of the system.
from_debian() {
    local python=${DOCENT_TEST_PYTHON:-/var/tmp/docent-test-venv/bin/python} folder found
    folder=${DOCENT_TEST_SERVERS:-$(dirname "$(dirname "$(dirname "$python")")")/.build-servers}
    for found in "$folder/$1" "/$1"; do
        if [ -e "$found" ]; then printf '%s\n' "$found" && return; fi
    done
    fail "no $1 in $folder; run Scripts/debian-servers.sh $folder"
}

# A certificate authority and a certificate for 127.0.0.1 and localhost, once per directory.
make_certificates() {
    [ -e "$dir/tls/server.pem" ] && return
    mkdir -p "$dir/tls"
    # Creating it is forty times as fast as one of RSA.
    local key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
    (
        cd "$dir/tls"
        openssl req -x509 "${key[@]}" -days 30 -keyout ca.key -out ca.pem -subj "/CN=Docent test CA" \
            -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign
        openssl req "${key[@]}" -keyout server.key -out server.csr -subj "/CN=localhost"
        printf '%s\n' subjectAltName=IP:127.0.0.1,DNS:localhost basicConstraints=CA:FALSE \
            extendedKeyUsage=serverAuth >extensions
        openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile extensions \
            -out server.new
        mv server.new server.pem
    ) >"$dir/tls/log" 2>&1 || fail "openssl could not create certificates, see $dir/tls/log"
}

# The process, if it is still the one that was started here.
alive() {
    [ -s "$dir/pid" ] || return 1
    local process started
    read -r process started <"$dir/pid"
    [ "$(start_time "$process")" = "$started" ] && printf '%s\n' "$process"
}

# The 22nd field of stat distinguishes processes with the same number; a zombie is not alive.
start_time() {
    local line
    line=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
    # shellcheck disable=SC2086
    set -- ${line##*) }
    [ "$1" = Z ] || printf '%s\n' "${20}"
}

# Whether the server answers a PROPFIND with 207, or asks for credentials.
ready() {
    local code arguments=(-s -o /dev/null -w '%{http_code}' -m 5 -X PROPFIND -H 'Depth: 0')
    [ -z "$tls" ] || arguments+=(--cacert "$dir/tls/ca.pem")
    code=$(curl "${arguments[@]}" "$url") || true
    case $code in 207 | 401) ;; *) return 1 ;; esac
}

start() {
    if process=$(alive); then fail "a server runs in $dir already (process $process)"; fi
    mkdir -p "$dir"
    dir=$(cd "$dir" && pwd -P)
    mkdir -p "$dir/data" "$dir/tmp"
    [ -z "$tls" ] || make_certificates
    local attempt tries started process
    for attempt in 1 2 3 4 5; do
        [ -z "$parent" ] || [ -n "$(start_time "$parent")" ] || fail "process $parent is gone, the server is not needed"
        ports=()
        read -r -a ports <<<"$(free_ports "${port_count:-1}")"
        [ -z "$port" ] || ports[0]=$port
        url=http${tls:+s}://127.0.0.1:${ports[0]}/
        prepare
        command_line
        # In its own session: `stop` ends everything that the server started, and a key at the terminal does not reach
        # it.
        (
            cd "$dir" || exit 1
            exec env HOME="$dir" TMPDIR="$dir/tmp" setsid "${command[@]}" </dev/null >>"$dir/output" 2>&1
        ) &
        process=$!
        started=$(start_time "$process")
        printf '%s %s\n' "$process" "$started" >"$dir/pid"
        if [ -n "$parent" ]; then
            setsid /usr/bin/python3 "$servers/watch.py" "$parent" "$process" "$dir" </dev/null >/dev/null 2>&1 &
        fi
        for ((tries = 0; tries < 600; tries++)); do
            alive >/dev/null || break
            if ready && alive >/dev/null; then
                # The pid file of the server itself may lag; the stored one is the process that setsid became.
                printf 'url=%s\n' "$url" >"$dir/address"
                printf 'pid=%s\n' "$process" >>"$dir/address"
                [ -z "$tls" ] || printf 'ca=%s\n' "$dir/tls/ca.pem" >>"$dir/address"
                cat "$dir/address"
                return
            fi
            sleep 0.1
        done
        end KILL
        printf 'attempt %s to start %s failed\n' "$attempt" "$program" >>"$dir/output"
    done
    tail -n 20 "$dir"/output "$dir"/log/* >&2 2>/dev/null || true
    fail "$program did not start in $dir, see above"
}

# Ends the server with a signal, and with SIGKILL if that took more than ten seconds.
end() {
    local process tries
    if process=$(alive); then
        # Only the leader for a gentle end, so that it can end its children in order.
        if [ "$1" = KILL ]; then kill -KILL -- "-$process" 2>/dev/null || kill -KILL "$process" 2>/dev/null || true
        else kill "-$1" "$process" 2>/dev/null || true; fi
        for ((tries = 0; tries < 100; tries++)); do
            alive >/dev/null || break
            sleep 0.1
        done
        kill -KILL -- "-$process" 2>/dev/null || true
        while alive >/dev/null; do sleep 0.05; done
    fi
    rm -f "$dir/pid"
}

main() {
    # Name and version for a reader: the part after the second number changes with every bug fix.
    if [ "$*" = version ]; then
        version | sed -E 's/([0-9]+\.[0-9]+)[0-9.]*.*/\1/'
        return
    fi
    [ $# -ge 2 ] || usage
    local verb=$1
    dir=$2
    shift 2
    # shellcheck disable=SC2034
    user='' password='' auth=basic identity='' tls='' digests='' port='' parent=''
    # shellcheck disable=SC2034
    while [ $# -gt 0 ]; do
        case $1 in
            --tls) tls=yes && shift && continue ;;
            --digests) digests=yes && shift && continue ;;
            --user | --password | --auth | --identity | --port | --parent) [ $# -ge 2 ] || usage ;;
            *) usage ;;
        esac
        printf -v "${1#--}" %s "$2"
        shift 2
    done
    case $auth in basic | digest | oauth) ;; *) usage ;; esac
    case $verb in
        start) start ;;
        stop) end TERM ;;
        kill) end KILL ;;
        status) alive >/dev/null || { echo "not running" && exit 3; }; cat "$dir/address" ;;
        *) usage ;;
    esac
}
