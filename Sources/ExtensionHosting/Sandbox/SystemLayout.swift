import Glibc

/// The parts of the machine's file tree that determine the base profile, read once for each start.
package struct SystemLayout: Sendable, Hashable {
    /// Symbolic links that are repeated inside, with their targets: `/lib` on merged systems, `/etc/localtime`.
    package var links: [String: String]
    /// The folders in ``rootFolders`` that are not links.
    package var folders: [String]
    /// Directory that holds the real `resolv.conf`, if it is not `/etc`. A bind mount of the file would keep the old
    /// inode when the resolver replaces it (TRIED, trap 3).
    package var resolverFolder: String?
    /// Files of `/proc` that list the user's keys in the kernel, in every process namespace.
    package var keyLists: [String]
    /// The existing ones of ``BaseProfile/providerFolders``.
    package var providerFolders: [String]

    package init(
        links: [String: String] = [:], folders: [String] = [], resolverFolder: String? = nil, keyLists: [String] = [],
        providerFolders: [String] = []
    ) {
        self.providerFolders = providerFolders
        self.links = links
        self.folders = folders
        self.resolverFolder = resolverFolder
        self.keyLists = keyLists
    }

    /// Library folders of the root. On merged systems they are links into `/usr`.
    package static let rootFolders = ["/lib", "/lib32", "/lib64", "/libx32"]
    static let resolverFile = "/etc/resolv.conf"
    static let timeZoneFile = "/etc/localtime"

    /// The layout of this machine.
    package static func current() -> SystemLayout {
        var result = SystemLayout()
        for path in rootFolders {
            if let target = PathLookup.linkTarget(path) {
                result.links[path] = target
            } else if access(path, F_OK) == 0 {
                result.folders.append(path)
            }
        }
        if PathLookup.linkTarget(timeZoneFile) != nil, let real = PathLookup.canonical(timeZoneFile) {
            result.links[timeZoneFile] = real
        }
        if PathLookup.linkTarget(resolverFile) != nil, let real = PathLookup.canonical(resolverFile),
            let slash = real.lastIndex(of: "/"), slash > real.startIndex, real[..<slash] != "/etc"
        {
            result.links[resolverFile] = real
            result.resolverFolder = String(real[..<slash])
        }
        result.providerFolders = BaseProfile.providerFolders.filter { PathLookup.canonical($0) == $0 }
        result.keyLists = ["/proc/keys", "/proc/key-users"].filter { access($0, F_OK) == 0 }
        return result
    }
}
