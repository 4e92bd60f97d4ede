import DocentTestSupport
import FoundationEssentials

/// The findings about a server: a row of the table in docs/webdav.md, which `make server-table` creates from
/// Tests/Servers/findings.json.
struct ServerFindings: Codable, Equatable {
    /// Its name, with the first two numbers of its version.
    var server: String
    var testedBy: String
    /// The identifier of a document.
    var identifier: String
    /// The source of a version, and when two changes of the same size have different ones.
    var version: String
    /// The requests of a save, without those that only read.
    var replacing: [String]
    var resumesDownloads: Bool
    /// Its limitations, or the provider's refusals on it.
    var cannot: [String]

    /// The recorded findings, by the kind of server.
    static func recorded() throws -> [String: ServerFindings] {
        let file = URL(filePath: Repository.servers + "/findings.json")
        return try JSONDecoder().decode([String: ServerFindings].self, from: Data(contentsOf: file))
    }

    /// The format in the file, by kind.
    func text(_ kind: ServerKind) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode([kind.rawValue: self]), as: UTF8.self)
    }
}
