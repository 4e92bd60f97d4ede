#!/usr/bin/env bash
# Apache httpd with mod_dav on its own directory; README.md has the contract. The system's Apache is not touched.
set -euo pipefail
# shellcheck source=Tests/Servers/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

program=apache2
apache=/usr/sbin/apache2
modules=/usr/lib/apache2/modules

prepare() {
    if [ ! -x $apache ] || [ ! -e $modules/mod_dav_fs.so ]; then
        fail "no $apache with mod_dav; run Scripts/setup.sh test"
    fi
    mkdir -p "$dir/log" "$dir/run" "$dir/locks"
    rm -f "$dir/run/httpd.pid"
    {
        local module
        for module in mpm_event authn_core authz_core authn_file authz_user auth_basic auth_digest dav dav_fs headers \
            mime setenvif ${identity:+alias auth_openidc}; do
            printf 'LoadModule %s_module %s/mod_%s.so\n' "$module" "$modules" "$module"
        done
        [ -z "$tls" ] || printf 'LoadModule ssl_module %s/mod_ssl.so\n' $modules
        cat <<END
ServerRoot "$dir"
ServerName localhost
Listen 127.0.0.1:${ports[0]}
PidFile "$dir/run/httpd.pid"
DefaultRuntimeDir "$dir/run"
Mutex pthread
ErrorLog "$dir/log/error"
LogFormat "%t %m \"%U%q\" %>s %B" brief
CustomLog "$dir/log/access" brief
StartServers 1
ServerLimit 2
ThreadsPerChild 25
MaxRequestWorkers 50
MinSpareThreads 5
MaxSpareThreads 50
KeepAlive On
MaxKeepAliveRequests 0
KeepAliveTimeout 30
Timeout 60
LimitXMLRequestBody 67108864
LimitRequestBody 0
EnableSendfile On
TypesConfig /dev/null
DavLockDB "$dir/locks/db"
DocumentRoot "$dir/data"
<Directory />
    Require all denied
</Directory>
<Directory "$dir/data">
    Dav On
    DavDepthInfinity Off
    Options None
    AllowOverride None
END
        if [ "$auth" = oauth ]; then
            printf '    AuthType oauth20\n    Require valid-user\n'
        elif [ -n "$user" ]; then
            cat <<END
    AuthType ${auth^}
    AuthName "docent"
    AuthUserFile "$dir/users"
    Require valid-user
END
        else
            echo '    Require all granted'
        fi
        [ -z "$digests" ] || echo '    ContentDigest On'
        echo '</Directory>'
        [ "$auth" != oauth ] || bearer_tokens
        if [ -n "$tls" ]; then
            cat <<END
SSLEngine On
SSLCertificateFile "$dir/tls/server.pem"
SSLCertificateKeyFile "$dir/tls/server.key"
SSLProtocol all -SSLv3 -TLSv1 -TLSv1.1
SSLSessionCache none
END
        fi
    } >"$dir/httpd.conf"
    if [ -n "$user" ] && [ "$auth" != oauth ]; then
        if [ "$auth" = digest ]; then
            printf '%s:docent:%s\n' "$user" "$(printf '%s:docent:%s' "$user" "$password" | md5sum | cut -d' ' -f1)"
        else
            printf '%s:%s\n' "$user" "$(openssl passwd -apr1 "$password")"
        fi >"$dir/users"
    fi
}

# Accepts the tokens of an identity server, which it asks about each token, and names that server (RFC 9728).
bearer_tokens() {
    [ -n "$identity" ] || fail "--auth oauth needs --identity URL"
    mkdir -p "$dir/public"
    local introspection
    introspection=$(curl -skf "${identity%/}/.well-known/oauth-authorization-server" |
        /usr/bin/python3 -c 'import json, sys; print(json.load(sys.stdin)["introspection_endpoint"])') ||
        fail "the identity server $identity does not answer"
    printf '{"resource": "%s", "authorization_servers": ["%s"]}\n' "$url" "${identity%/}" >"$dir/public/resource.json"
    cat <<END
OIDCOAuthIntrospectionEndpoint $introspection
OIDCOAuthIntrospectionEndpointAuth client_secret_basic
OIDCOAuthIntrospectionEndpointMethod POST
OIDCOAuthClientID webdav-server
OIDCOAuthClientSecret introspection-77ab
OIDCOAuthTokenIntrospectionInterval -1
OIDCOAuthRemoteUserClaim username
OIDCOAuthSSLValidateServer Off
OIDCCryptoPassphrase $(openssl rand -hex 16)
Header always set WWW-Authenticate "Bearer realm=\"docent\", resource_metadata=\"${url}.well-known/oauth-protected-resource\"" \
    "expr=%{REQUEST_STATUS} -eq 401"
Alias /.well-known/oauth-protected-resource "$dir/public/resource.json"
<Directory "$dir/public">
    Require all granted
</Directory>
END
}

command_line() {
    command=("$apache" -f "$dir/httpd.conf" -D FOREGROUND)
    # Apache refuses to run as root. In a user namespace it has another user identifier and still owns root's files.
    if [ "$(id -u)" -eq 0 ]; then command=(unshare --user --map-user=65534 --map-group=65534 -- "${command[@]}"); fi
}

version() { "$apache" -v | sed -n 's|.*Apache/|Apache mod_dav |p'; }

main "$@"
