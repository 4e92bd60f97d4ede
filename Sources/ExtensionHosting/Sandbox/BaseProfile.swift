/// The parts of the machine that every sandbox shows, read-only and without user data (S2).
/// `docs/providers/sandbox-base.md` says why.
package enum BaseProfile {
    /// The distribution's libraries, time zones, locales and type database.
    package static let folders = [
        "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32", "/usr/local/lib", "/usr/share/i18n", "/usr/share/locale",
        "/usr/share/mime", "/usr/share/zoneinfo",
    ]
    /// Where the libraries of providers lie in those folders: each sandbox shows only its own provider's.
    package static let providerFolders = ["/usr/lib/docent/providers", "/usr/local/lib/docent/providers"]
    /// Certificates of the authorities, in the locations that distributions use.
    package static let certificates = [
        "/etc/ca-certificates", "/etc/crypto-policies", "/etc/pki/ca-trust/extracted", "/etc/pki/tls", "/etc/ssl/certs",
        "/etc/ssl/openssl.cnf", "/usr/local/share/ca-certificates", "/usr/share/ca-certificates",
        "/usr/share/crypto-policies", "/usr/share/pki", "/var/lib/ca-certificates",
    ]
    /// Single files that the C library reads.
    package static let files = [
        "/etc/ld.so.cache", "/etc/locale.alias", "/etc/timezone", SystemLayout.timeZoneFile,
    ]
    /// Name service files, only with the network entitlement.
    package static let nameService = [
        "/etc/gai.conf", "/etc/host.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/protocols", "/etc/services",
        SystemLayout.resolverFile,
    ]
    /// The only devices in a sandbox.
    package static let devices = ["/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"]
    /// Bytes that a sandbox may store in its `/tmp`, which is in memory.
    package static let temporarySize = 256 << 20

    static func mounts(network: Bool, system: SystemLayout) -> [SandboxMount] {
        var paths = folders + certificates + files + system.folders
        if network { paths += nameService + [system.resolverFolder].compactMap { $0 } }
        return paths.filter { system.links[$0] == nil }.map { SandboxMount(path: $0) }
            + system.providerFolders.map { SandboxMount(path: $0, isEmpty: true) }
    }

    static func links(network: Bool, system: SystemLayout) -> [String] {
        system.links.filter { network || $0.key != SystemLayout.resolverFile }
            .sorted { $0.key < $1.key }.flatMap { ["--symlink", $0.value, $0.key] }
    }
}
