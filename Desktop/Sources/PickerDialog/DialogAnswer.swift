package import Documents
package import FoundationEssentials

/// What `docent-picker` writes to standard output when a person has chosen, as JSON on one line.
package struct DialogAnswer: Equatable, Sendable {
    /// What was chosen: a document or a folder; for ``DialogRequest/Mode/save`` where to save.
    package var location: DocumentLocation
    /// Whether the person agreed to replace the document that is there.
    package var replaces: Bool

    private struct File: Encodable {
        var location: String
        var replaces: Bool
    }

    package init(location: DocumentLocation, replaces: Bool = false) {
        self.location = location
        self.replaces = replaces
    }

    /// The line, without a line feed.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(File(location: location.description, replaces: replaces))
    }
}
