import DocentTestSupport
import FoundationEssentials

/// The files of this checkout.
enum Project {
    /// The top of the tree.
    static let root = Repository.root

    static func text(_ path: String) throws -> String {
        try String(contentsOf: URL(filePath: root + "/" + path), encoding: .utf8)
    }
}
