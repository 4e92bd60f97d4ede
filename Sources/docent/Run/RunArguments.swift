import ArgumentParser
import Documents

/// A document of `--document`: LOCATION, with `:ro` or `:rw` at its end where that is said.
struct RunDocumentArgument: Hashable, Sendable {
    let location: DocumentLocation
    /// nil where the command's default counts.
    let access: AccessMode?

    @Sendable
    static func parse(_ text: String) throws -> RunDocumentArgument {
        for (ending, access) in [(":ro", AccessMode.read), (":rw", .readWrite)] where text.hasSuffix(ending) {
            return RunDocumentArgument(
                location: try LocationText.parse(String(text.dropLast(ending.count))), access: access)
        }
        return RunDocumentArgument(location: try LocationText.parse(text), access: nil)
    }
}

/// A variable of `--setenv`.
struct EnvironmentArgument: Hashable, Sendable {
    let name: String
    let value: String

    @Sendable
    static func parse(_ text: String) throws -> EnvironmentArgument {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex, !text.utf8.contains(0) else {
            throw ValidationError("Write NAME=VALUE.")
        }
        return EnvironmentArgument(name: String(text[..<equals]), value: String(text[text.index(after: equals)...]))
    }
}
