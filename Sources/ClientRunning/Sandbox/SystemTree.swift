/// What a sandboxed program sees of this machine's system. A value, so that the sandbox is a pure function of it.
package struct SystemTree: Hashable, Sendable {
    /// Top-level folders that exist and are not links, shown as a whole: `/usr`, `/opt`.
    package var folders: [String]
    /// Top-level links with their targets: `/bin` to `usr/bin`.
    package var links: [String: String]
    /// The entries of `/etc` that exist, out of ``settings`` and ``networkSettings``.
    package var present: Set<String>
    /// The files of `/proc` that exist, out of ``keyLists``.
    package var shownKeyLists: [String]

    package init(
        folders: [String] = [], links: [String: String] = [:], present: Set<String> = [], shownKeyLists: [String] = []
    ) {
        self.folders = folders
        self.links = links
        self.present = present
        self.shownKeyLists = shownKeyLists
    }

    /// Files that list this user's kernel keys, in every process namespace.
    package static let keyLists = ["/proc/keys", "/proc/key-users"]

    /// Folders and links that hold programs and their libraries, in every distribution's layout.
    package static let roots = [
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store",
    ]

    /// What programs read in `/etc`. It is listed by name, because other entries may hold secrets (`shadow`, keys,
    /// connections).
    package static let settings = [
        "alternatives", "bash.bashrc", "bash_completion.d", "ca-certificates", "ca-certificates.conf",
        "crypto-policies",
        "debian_version", "emacs", "fonts", "gai.conf", "gtk-2.0", "gtk-3.0", "gtk-4.0", "host.conf", "inputrc",
        "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "libreoffice", "locale.alias", "locale.conf", "localtime",
        "lsb-release", "magic", "magic.mime", "mailcap", "mime.types", "nanorc", "nsswitch.conf", "os-release",
        "paperspecs",
        "perl", "pki/ca-trust/extracted", "pki/tls/certs", "pki/tls/cert.pem", "profile", "profile.d", "protocols",
        "python",
        "python3", "services", "shells", "ssl/certs", "ssl/openssl.cnf", "terminfo", "timezone", "vim", "wgetrc",
        "xattr.conf",
        "xdg", "zsh",
    ].map { "/etc/" + $0 }

    /// Shown only with the network.
    package static let networkSettings = ["/etc/hosts", "/etc/resolv.conf"]

    /// Whether a path lies in what is shown anyway.
    package func shows(_ path: String) -> Bool {
        (folders + links.keys).contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    /// The system's part of bubblewrap's arguments.
    func options(network: Bool) -> [String] {
        let settings = Self.settings + (network ? Self.networkSettings : [])
        let parents = Set(
            settings.filter(present.contains).map { $0.split(separator: "/").dropLast().joined(separator: "/") })
        return (["etc"] + parents.subtracting(["etc"]).sorted()).flatMap { ["--perms", "0755", "--dir", "/" + $0] }
            + links.sorted { $0.key < $1.key }.flatMap { ["--symlink", $0.value, $0.key] }
            + (folders + settings.filter(present.contains)).flatMap { ClientMount($0).options }
    }
}
