import DocentTestSupport
import Foundation
import Glibc

/// The texts of the source tree, for the tests of this folder.
enum DocumentationTree {
    /// The root of the tree.
    static let root = URL(filePath: Repository.root)

    /// The content of a file, by its path in the tree.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Whether a text contains another one. `String.contains` takes many times as long in a build for debugging.
    static func has(_ text: String, _ part: String) -> Bool {
        text.withCString { text in part.withCString { strstr(text, $0) != nil } }
    }

    /// Every file with this suffix below a folder, by its path in the tree, in order. Build output is omitted.
    static func files(below folder: String, ending: String) throws -> [String] {
        let place = root.appending(path: folder)
        guard let walk = FileManager.default.enumerator(atPath: place.path) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: place.path])
        }
        return walk.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) && !$0.contains(".build") }
            .map { "\(folder)/\($0)" }.sorted()
    }

    /// Every document: the README files, docs/ and the articles of the catalogues. Templates contain placeholders and
    /// are omitted.
    static func documents() throws -> [String] {
        let articles = try files(below: "Sources", ending: ".md")
        let others = try ["docs", "Examples", "Plugins", "Tests"].flatMap { try files(below: $0, ending: ".md") }
        return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"] + others + articles
    }

    /// The sources whose comments are published for users of an SDK.
    static func commentedSources() throws -> [String] {
        try ["Documents", "FileProvider", "FileProviderValidation", "UniformTypes"].flatMap {
            try files(below: "Sources/\($0)", ending: ".swift")
        }
    }
}
