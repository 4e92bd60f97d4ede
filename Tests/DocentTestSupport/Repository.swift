import Foundation

/// The source tree that the tests belong to.
package enum Repository {
    /// Found from the working directory, otherwise from the path of this file.
    package static let root: String = {
        let here = FileManager.default.currentDirectoryPath
        if FileManager.default.fileExists(atPath: here + "/manifests") { return here }
        return #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    }()

    /// The scripts that start servers.
    package static var servers: String { root + "/Tests/Servers" }

    /// Where tests build packages outside the tree: the parts of the tree that they use are compiled once for all of
    /// them.
    package static var nestedBuild: String { root + "/.build/nested" }

    /// The text of a file of the tree.
    package static func text(_ path: String) throws -> String {
        try String(contentsOf: URL(filePath: root + "/" + path), encoding: .utf8)
    }
}
