package import Documents
package import FoundationEssentials

/// What `docent-picker` writes to standard output when a person has chosen, as JSON on one line.
package struct DialogAnswer: Equatable, Sendable {
    /// What was chosen, at least one: documents or a folder; for ``DialogRequest/Mode/export`` and
    /// ``DialogRequest/Mode/move`` the place that has the name.
    package var locations: [DocumentLocation]
    /// Whether the person agreed to replace the document that is there.
    package var replaces: Bool
    /// What a file dialog answers.
    package var files: FileDialogAnswer?

    private struct File: Encodable {
        var locations: [String]
        var replaces: Bool
        var files: FileDialogAnswer?
    }

    package init(_ locations: [DocumentLocation], replaces: Bool = false) {
        self.locations = locations
        self.replaces = replaces
    }

    /// The line, without a line feed.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(File(locations: locations.map(\.description), replaces: replaces, files: files))
    }
}
