import DocentTestSupport
import Foundation

/// The tree's texts, as the tests of this folder look at them.
enum DocumentationTree {
    /// The top of the tree.
    static let root = URL(filePath: Repository.root)

    /// What a file says, by its path in the tree.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Every file below a folder whose name ends so, by its path in the tree, in order. What was built is left out.
    static func files(below folder: String, ending: String) throws -> [String] {
        let place = root.appending(path: folder)
        guard let walk = FileManager.default.enumerator(atPath: place.path) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: place.path])
        }
        return walk.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) && !$0.contains(".build") }
            .map { "\(folder)/\($0)" }.sorted()
    }

    /// Every text for people: the README files, docs/ and the articles of the catalogues. Those of templates have names still to be filled in.
    static func documents() throws -> [String] {
        let articles = try files(below: "Sources", ending: ".md")
        let others = try ["docs", "Examples", "Plugins", "Tests"].flatMap { try files(below: $0, ending: ".md") }
        return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"] + others + articles
    }

    /// The sources whose comments are shown to those who build on an SDK.
    static func commentedSources() throws -> [String] {
        try ["Documents", "FileProvider", "FileProviderValidation", "UniformTypes"].flatMap {
            try files(below: "Sources/\($0)", ending: ".swift")
        }
    }
}
