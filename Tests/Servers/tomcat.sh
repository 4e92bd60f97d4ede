#!/usr/bin/env bash
# Tomcat's WebdavServlet on its own directory; README.md has the contract.
set -euo pipefail
# shellcheck source=Tests/Servers/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

program=tomcat

prepare() {
    [ -z "$user$tls" ] || fail "Tomcat runs without users and TLS here"
    mkdir -p "$dir/conf" "$dir/log" "$dir/work"
    cat >"$dir/conf/server.xml" <<END
<Server port="-1">
  <Service name="Catalina">
    <Connector port="${ports[0]}" address="127.0.0.1" protocol="HTTP/1.1" maxPostSize="-1"/>
    <Engine name="Catalina" defaultHost="localhost">
      <Host name="localhost" appBase="$dir/none" workDir="$dir/work" autoDeploy="false" deployOnStartup="false">
        <Context path="" docBase="$dir/data"><Resources cachingAllowed="false"/></Context>
      </Host>
    </Engine>
  </Service>
</Server>
END
    cat >"$dir/conf/web.xml" <<END
<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
  <servlet>
    <servlet-name>webdav</servlet-name>
    <servlet-class>org.apache.catalina.servlets.WebdavServlet</servlet-class>
    <init-param><param-name>readonly</param-name><param-value>false</param-value></init-param>
    <init-param><param-name>listings</param-name><param-value>true</param-value></init-param>
    <load-on-startup>1</load-on-startup>
  </servlet>
  <servlet-mapping><servlet-name>webdav</servlet-name><url-pattern>/*</url-pattern></servlet-mapping>
</web-app>
END
}

command_line() {
    local home
    home=$(from_debian usr/share/tomcat10)
    command=("$(from_debian "usr/lib/jvm/java-17-openjdk-$(dpkg --print-architecture)/bin/java")" -Xmx256m
        -cp "$home/bin/bootstrap.jar:$home/bin/tomcat-juli.jar"
        -Dcatalina.home="$home" -Dcatalina.base="$dir" -Djava.io.tmpdir="$dir/tmp" org.apache.catalina.startup.Bootstrap start)
}

version() { readlink -f "$(from_debian usr/share/tomcat10/lib/catalina.jar)" | sed 's/.*-catalina-/Tomcat /'; }

main "$@"
