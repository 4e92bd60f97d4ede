import ArgumentParser
import ClientRunning
import Documents

extension RunDocument {
    /// Parses the value of `--document`: a LOCATION, optionally followed by `:ro` or `:rw`.
    @Sendable
    static func parse(_ text: String) throws -> RunDocument {
        for (ending, access) in [(":ro", AccessMode.read), (":rw", .readWrite)] where text.hasSuffix(ending) {
            return RunDocument(
                location: try LocationText.parse(String(text.dropLast(ending.count))), access: access)
        }
        return RunDocument(location: try LocationText.parse(text), access: nil)
    }
}

/// A variable given with `--setenv`.
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
