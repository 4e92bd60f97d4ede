import DocentTestSupport
import Foundation

/// The files of the tree.
enum Tree {
    /// The content of a file, by its path in the tree.
    static func data(_ path: String) throws -> Data {
        try Data(contentsOf: URL(filePath: Repository.root + "/" + path))
    }

    /// The lines of a file.
    static func lines(_ path: String) throws -> [Data.SubSequence] {
        try data(path).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    /// Every file below some folders with one of the endings, by its path in the tree. Build products are left out.
    static func files(below folders: [String], endings: [String]) throws -> [String] {
        try folders.flatMap { folder in
            let place = Repository.root + "/" + folder
            guard let walk = FileManager.default.enumerator(atPath: place) else {
                throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: place])
            }
            return walk.compactMap { $0 as? String }.filter { path in
                endings.contains(where: path.hasSuffix) && !path.contains(".build")
            }
            .map { "\(folder)/\($0)" }.sorted()
        }
    }
}
