import ArgumentParser
import Documents
import TerminalPicker

/// Parses and completes locations for the argument parser.
enum LocationText {
    /// Parses a location. The parser reports the error.
    @Sendable
    static func parse(_ text: String) throws -> DocumentLocation {
        guard !DocumentName.isReference(text) else {
            throw ValidationError(
                "\"\(text)\" is a reference to what a client was granted. Only cat, info and write accept it. "
                    + "Write PROVIDER[@DOMAIN]:/PATH here.")
        }
        do throws(DocumentsError) {
            return try DocumentLocation(text)
        } catch {
            throw ValidationError([error.message, error.suggestion].compactMap(\.self).joined(separator: " "))
        }
    }

    /// Shell completion for a location.
    static let completion = CompletionKind.custom(LocationCompletion.locations)

    static let help: ArgumentHelp = "The document or folder: PROVIDER[@DOMAIN]:/PATH."
}

/// A document, named by its location, its reference or a bookmark.
struct DocumentArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The document or folder: PROVIDER[@DOMAIN]:/PATH, or the docent:// reference of what the client was "
                + "granted.",
            valueName: "location"), completion: LocationText.completion, transform: DocumentName.parse)
    var name: DocumentName?

    @Option(name: .long, help: ArgumentHelp("A bookmark instead of a location.", valueName: "b"))
    var bookmark: String?

    private static let ambiguous = "Name a document either by its LOCATION or with --bookmark."

    func validate() throws {
        guard name == nil || bookmark == nil else { throw ValidationError(Self.ambiguous) }
    }

    /// Refuses a command line that names nothing if nobody can be asked.
    ///
    /// - Parameter readsInput: whether the command reads standard input itself.
    func require(readsInput: Bool = false) throws {
        guard name == nil, bookmark == nil, !TerminalChoice.isPossible(readsInput: readsInput) else { return }
        throw ValidationError(Self.ambiguous)
    }

    /// The same document, or one that is chosen on the terminal.
    func chosen(_ client: ClientOptions, _ task: @autoclosure () -> PickerTask) async throws -> DocumentArguments {
        guard name == nil, bookmark == nil else { return self }
        var arguments = self
        arguments.name = .location(
            try await TerminalChoice.location(nil, client: client, mode: "open", task()))
        return arguments
    }

    /// The document's location; nil for a reference or a bookmark.
    var location: DocumentLocation? {
        guard case .location(let location) = name else { return nil }
        return location
    }

    /// The document's reference, if it was given.
    private var reference: DocumentReference? {
        guard case .reference(let reference) = name else { return nil }
        return reference
    }

    /// Opens the document. A location counts as the user's choice and is granted until this command ends; a bookmark or
    /// a reference was granted before.
    func open(_ client: DocumentsClient, access: AccessMode) async throws -> SecurityScopedDocument {
        if let bookmark { return try await client.resolve(bookmark: bookmark).document }
        if let reference { return client.document(reference, access: access) }
        guard let location else { throw ValidationError("There is no LOCATION.") }
        return try await DocumentPicker(client: client).openDocument(
            at: location, access: access, persistence: .transient)
    }

    /// Opens the document for reading, as ``open(_:access:)``, with its content if that takes no waiting.
    func openForReading(_ client: DocumentsClient) async throws -> (document: SecurityScopedDocument, content: CInt?) {
        guard let location else { return (try await open(client, access: .read), nil) }
        return try await DocumentPicker(client: client).openForReading(at: location)
    }

    /// The document's item, and why it is as it was known before; nil when its provider was asked.
    func described(_ client: DocumentsClient) async throws -> (item: DocumentItem, remembered: RememberedListing?) {
        if let bookmark {
            let resolved = try await client.resolve(bookmark: bookmark)
            return (resolved.item, try await resolved.document.described().remembered)
        }
        if let reference { return try await client.document(reference).described() }
        guard let location else { throw ValidationError("There is no LOCATION.") }
        return try await DocumentPicker(client: client).described(at: location, followingLink: false)
    }

    /// The document's name in messages.
    var shown: String { location?.description ?? reference?.url ?? "the bookmarked document" }
}
