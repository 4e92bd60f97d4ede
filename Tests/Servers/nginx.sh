#!/usr/bin/env bash
# nginx with dav-ext on its own directory; README.md has the contract. The system's nginx is not touched.
set -euo pipefail
# shellcheck source=Tests/Servers/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

program=nginx

prepare() {
    [ -z "$user$tls" ] || fail "nginx runs without users and TLS here"
    # The worker processes belong to another user when root starts it.
    [ "$(id -u)" -ne 0 ] || chmod 777 "$dir" "$dir/data" "$dir/tmp"
    cat >"$dir/nginx.conf" <<END
load_module $(from_debian usr/lib/nginx/modules/ngx_http_dav_ext_module.so);
daemon off;
pid $dir/nginx.pid;
error_log stderr;
worker_processes 1;
events {}
http {
    access_log off;
    client_body_temp_path $dir/tmp/body;
    proxy_temp_path $dir/tmp/proxy;
    fastcgi_temp_path $dir/tmp/fastcgi;
    uwsgi_temp_path $dir/tmp/uwsgi;
    scgi_temp_path $dir/tmp/scgi;
    client_max_body_size 0;
    dav_ext_lock_zone zone=locks:1m;
    server {
        listen 127.0.0.1:${ports[0]};
        root $dir/data;
        location / {
            dav_methods PUT DELETE MKCOL COPY MOVE;
            dav_ext_methods PROPFIND OPTIONS LOCK UNLOCK;
            dav_ext_lock zone=locks;
        }
    }
}
END
}

command_line() {
    command=("$(from_debian usr/sbin/nginx)" -p "$dir" -c "$dir/nginx.conf")
}

version() { "$(from_debian usr/sbin/nginx)" -v 2>&1 | sed 's|.*nginx/|nginx dav-ext |'; }

main "$@"
