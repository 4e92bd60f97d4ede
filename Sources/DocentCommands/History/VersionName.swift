import ArgumentParser
import CommandConsole
import Documents

/// A version, as it is named on the command line: `current`, its identifier, or enough of its beginning.
struct VersionName {
    /// The fewest characters that name a version.
    private static let fewest = 4
    let text: String

    /// Parses a name. The parser reports the error.
    @Sendable
    static func parse(_ text: String) throws -> VersionName {
        guard text == FileVersion.currentIdentifier || text.utf8.count >= fewest else {
            throw ValidationError("\"\(text)\" is too short for the name of a version; `docent history` lists them.")
        }
        return VersionName(text: text)
    }

    /// The version of a document with this name. One that was listed while the server could not be asked has another
    /// name in the whole history if the server has it too.
    func find(of document: SecurityScopedDocument) async throws -> FileVersion {
        let versions = try await FileVersion.versions(of: document)
        do {
            return try find(in: versions)
        } catch let error where error.code == .notFound {
            return try find(in: await FileVersion.localVersions(of: document))
        }
    }

    /// The version with this name.
    ///
    /// - Throws: ``DocumentsError`` `notFound`; `invalidArgument` if several begin like this.
    func find(in versions: [FileVersion]) throws(DocumentsError) -> FileVersion {
        if let exact = versions.first(where: { $0.persistentIdentifier == text }) { return exact }
        let found = versions.filter {
            !$0.isCurrent && $0.persistentIdentifier.lowercased().hasPrefix(text.lowercased())
        }
        guard let first = found.first else {
            throw DocumentsError(
                .notFound, "There is no version \(SafeText.escaped(text)).",
                suggestion: "`docent history` lists the versions of a document.")
        }
        guard found.count == 1 else {
            throw DocumentsError(
                .invalidArgument, "\(found.count) versions begin with \(SafeText.escaped(text)).",
                suggestion: "Write more of its name.")
        }
        return first
    }

    /// The shortest beginnings by which versions can be told apart, of at least eight characters.
    static func short(_ versions: [FileVersion]) -> [String: String] {
        let names = versions.filter { !$0.isCurrent }.map(\.persistentIdentifier)
        var length = 8
        while length < (names.map(\.count).max() ?? 0), Set(names.map { $0.prefix(length) }).count < names.count {
            length += 1
        }
        return Dictionary(names.map { ($0, String($0.prefix(length))) }) { first, _ in first }
    }
}
