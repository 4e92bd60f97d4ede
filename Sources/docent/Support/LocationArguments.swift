import ArgumentParser
import Documents

/// The parser's view of locations.
enum LocationText {
    /// Reads a location; the parser shows what is wrong with it.
    @Sendable
    static func parse(_ text: String) throws -> DocumentLocation {
        do throws(DocumentsError) {
            return try DocumentLocation(text)
        } catch {
            throw ValidationError([error.message, error.suggestion].compactMap(\.self).joined(separator: " "))
        }
    }

    static let help: ArgumentHelp = "Where it lies: PROVIDER[@DOMAIN]:/PATH."
}

/// A document by its location or by a bookmark.
struct DocumentArguments: ParsableArguments {
    @Argument(help: LocationText.help, transform: LocationText.parse)
    var location: DocumentLocation?

    @Option(name: .long, help: ArgumentHelp("A bookmark instead of a location.", valueName: "b"))
    var bookmark: String?

    func validate() throws {
        guard (location == nil) != (bookmark == nil) else {
            throw ValidationError("Name a document either by its LOCATION or with --bookmark.")
        }
    }

    /// The document with a right to it: by location the user's choice grants it until this command has ended, by bookmark it was
    /// granted before.
    func open(_ client: DocumentsClient, access: AccessMode) async throws -> SecurityScopedDocument {
        if let bookmark { return try await client.resolve(bookmark: bookmark).document }
        guard let location else { throw ValidationError("There is no LOCATION.") }
        return try await DocumentPicker(client: client).openDocument(
            at: location, access: access, persistence: .transient)
    }

    /// What is known of the document.
    func item(_ client: DocumentsClient) async throws -> DocumentItem {
        if let bookmark { return try await client.resolve(bookmark: bookmark).item }
        guard let location else { throw ValidationError("There is no LOCATION.") }
        return try await DocumentPicker(client: client).item(at: location, followingLink: false)
    }

    /// For messages.
    var shown: String { location?.description ?? "the bookmarked document" }
}
