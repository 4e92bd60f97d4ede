import DocentTestSupport
import FoundationEssentials

/// What was found out about a server: a row of the table in docs/webdav.md, which `make server-table` makes of Tests/Servers/findings.json.
struct ServerFindings: Codable, Equatable {
    /// Its name, with its version to the second number.
    var server: String
    var testedBy: String
    /// What identifies a document.
    var identifier: String
    /// What a version is taken from, and when two changes of one size have different ones.
    var version: String
    /// The requests of a save, without those that only look.
    var replacing: [String]
    var resumesDownloads: Bool
    /// What it cannot do, or the provider refuses on it.
    var cannot: [String]

    /// Those that were found last, by the kind of server.
    static func recorded() throws -> [String: ServerFindings] {
        let file = URL(filePath: Repository.servers + "/findings.json")
        return try JSONDecoder().decode([String: ServerFindings].self, from: Data(contentsOf: file))
    }

    /// As it stands in the file, beside the kind.
    func text(_ kind: ServerKind) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode([kind.rawValue: self]), as: UTF8.self)
    }
}
