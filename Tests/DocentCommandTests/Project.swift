import FoundationEssentials

/// The files of this checkout.
enum Project {
    /// The top of the tree.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    static func text(_ path: String) throws -> String {
        try String(contentsOf: URL(filePath: root + "/" + path), encoding: .utf8)
    }
}
