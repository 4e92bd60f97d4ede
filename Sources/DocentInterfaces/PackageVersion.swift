/// The version of a package as a whole, computed from the versions of its elements.
///
/// The host and a provider compute it in the same way, each from what it sees.
package enum PackageVersion {
    /// An element, which may be a folder.
    package struct Element: Sendable {
        /// The path inside the package.
        package var path: String
        /// Whether this is a folder.
        package var isFolder: Bool
        /// The version of the content; nil for folders.
        package var version: String?

        package init(path: String, isFolder: Bool, version: String?) {
            self.path = path
            self.isFolder = isFolder
            self.version = version
        }
    }

    /// The version of a package with these elements, in any order.
    package static func text(_ elements: some Sequence<Element>) -> String {
        let sorted = elements.map { (Array($0.path.utf8), $0) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
        var hash = offset
        for (path, element) in sorted {
            add(path, &hash)
            add([0, element.isFolder ? 1 : 0], &hash)
            add(element.isFolder ? [] : Array((element.version ?? "").utf8), &hash)
            add([0], &hash)
        }
        return prefix + String(hash, radix: 36)
    }

    /// Whether a version is that of a whole package.
    package static func isOne(_ version: String) -> Bool { version.hasPrefix(prefix) }

    private static let prefix = "package."

    // FNV-1a with 128 bits: it distinguishes versions but gives no security.
    private static let offset: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    private static let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013b

    private static func add(_ bytes: [UInt8], _ hash: inout UInt128) {
        for byte in bytes { hash = (hash ^ UInt128(byte)) &* prime }
    }
}
