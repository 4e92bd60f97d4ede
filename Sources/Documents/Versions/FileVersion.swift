package import DocentInterfaces
import Varlink

/// A version of a document: the current one, or one that is kept beside it because of a conflict, or because something
/// took its place (`NSFileVersion`).
///
/// A version is a value: it shows what was so when it was read. Settle a conflict in one coordinated write: choose a
/// version, call ``replaceItem(within:)`` with it if it is not the current one, then ``resolve()`` each of the
/// ``unresolvedConflictVersions(of:)``.
///
/// ```swift
/// for version in try await FileVersion.otherVersions(of: document) {
///     print(version.modificationDate ?? 0, version.savingClient ?? "somebody else")
/// }
/// ```
public struct FileVersion: Sendable, Hashable, Identifiable {
    /// Why a version is kept beside the current one.
    public struct Reason: RawRepresentable, Sendable, Hashable {
        /// The value on the wire.
        public let rawValue: String

        /// Creates a reason, also one that this version of the library does not know.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The document was changed here and elsewhere; this is what was saved here.
        public static let conflict = Reason(rawValue: "conflict")
        /// It was saved here, and can no longer be sent.
        public static let unsent = Reason(rawValue: "unsent")
        /// The document was deleted elsewhere before this was sent.
        public static let deleted = Reason(rawValue: "deleted")
        /// Its program ended before it had saved.
        public static let recovered = Reason(rawValue: "recovered")
        /// Another version took its place.
        public static let replaced = Reason(rawValue: "replaced")
        /// A save took its place.
        public static let superseded = Reason(rawValue: "superseded")
        /// A program added it.
        public static let added = Reason(rawValue: "added")
    }

    /// The document.
    public let document: DocumentReference
    /// Names the version among those of its document, also in later sessions; store it to find the version again.
    public let persistentIdentifier: String
    /// The name that the document had with this content.
    public let localizedName: String
    /// Why it is kept on this machine; nil for the current version, and for one that only the service has.
    public let reason: Reason?
    /// Whether it is the current content of the document.
    public let isCurrent: Bool
    /// Whether it is kept because of conflicting changes.
    public let isConflict: Bool
    /// Whether the conflict is settled; always true for a version without a conflict.
    public private(set) var isResolved: Bool
    /// Whether it may be removed to save space: by the daemon, or by the service that alone has it.
    public var isDiscardable: Bool { !isCurrent && isResolved && reason != .recovered }
    /// Whether the service of the document has it, too or alone.
    public let isAtProvider: Bool
    /// The name of the person who saved it, as the service tells it; nil when unknown, and in a confined program.
    public let savingPerson: String?
    /// Whether opening it fetches nothing from a server.
    public let hasLocalContents: Bool
    /// Whether it is a package: ``elements()`` lists what is in it, and ``fileWrapper(options:)`` reads it.
    public let isPackage: Bool
    /// The size in bytes, of a package that of all elements together; nil when unknown.
    public let size: Int?
    /// When this content was saved, in seconds since 1970; nil when unknown.
    public let modificationDate: Double?
    /// When it stopped being current or was kept, in seconds since 1970; nil for the current version.
    public let keptDate: Double?
    /// The identifier of the client that saved it; nil when it was saved elsewhere, or long ago.
    public let savingClient: String?
    /// The name of the computer on which it was saved; nil when unknown.
    public let localizedNameOfSavingComputer: String?
    /// The ``persistentIdentifier`` of the version that both sides of an unresolved conflict started from, for a
    /// program that merges them; nil if it is not kept.
    public let commonIdentifier: String?
    /// The session that gives access to the document.
    let client: DocumentsClient

    /// The same as ``persistentIdentifier``.
    public var id: String { persistentIdentifier }

    /// The identifier of every document's current version.
    public static let currentIdentifier = "current"

    package init(_ wire: Wire.DocumentVersion, of document: DocumentReference, client: DocumentsClient) {
        self.document = document
        self.client = client
        persistentIdentifier = wire.identifier
        localizedName = wire.name
        reason = wire.reason.map(Reason.init(rawValue:))
        isCurrent = wire.isCurrent ?? false
        isConflict = wire.isConflict ?? false
        isResolved = !isConflict || wire.isResolved ?? false
        hasLocalContents = wire.hasLocalContents
        isPackage = wire.isPackage ?? false
        size = wire.size
        modificationDate = wire.modificationDate
        keptDate = wire.created
        savingClient = wire.savedBy?.identifier
        localizedNameOfSavingComputer = wire.host
        commonIdentifier = wire.base
        isAtProvider = wire.isAtProvider ?? false
        savingPerson = wire.author
    }

    /// Versions are equal when they are the same version of the same document and show the same facts.
    public static func == (left: FileVersion, right: FileVersion) -> Bool {
        left.document == right.document && left.persistentIdentifier == right.persistentIdentifier
            && left.isResolved == right.isResolved && left.size == right.size
            && left.modificationDate == right.modificationDate
    }

    /// Hashes the document and the identifier.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(document)
        hasher.combine(persistentIdentifier)
    }

    // MARK: Contents

    /// Opens the content for reading. What is not on this machine is fetched first.
    ///
    /// - Parameter progress: called from time to time while content is fetched, on the caller's task.
    /// - Returns: a new open file description, positioned at the start, which the caller closes.
    /// - Throws: ``DocumentsError``: `notPermitted` without a right to the document; `notFound` when the version has
    ///   been removed, here or by its service; `unavailable` when the service cannot be reached; `invalidArgument` for
    ///   a package.
    public func openForReading(
        progress: (DownloadProgress) -> Void = { _ in }
    ) async throws(DocumentsError) -> CInt {
        guard !isPackage else {
            throw DocumentsError(
                .invalidArgument, "This version is a package, and a package is a folder.",
                suggestion: "Open its elements one by one.")
        }
        guard !isCurrent else { return try await client.document(document).openForReading(progress: progress) }
        let parameters = DocumentsInterface.OpenVersion.Parameters(
            reference: document.wire, version: persistentIdentifier)
        do {
            guard !hasLocalContents else {
                let reply = try await client.call(DocumentsInterface.OpenVersion.self, parameters)
                return try reply.descriptors.take(reply.value.file ?? 0).release()
            }
            let reply = try await client.followFully(DocumentsInterface.OpenVersion.self, parameters) { reply in
                guard let completed = reply.completedBytes else { return }
                progress(DownloadProgress(completedBytes: completed, totalBytes: reply.totalBytes))
            }
            return try reply.descriptors.take(reply.value.file ?? 0).release()
        } catch { throw (error as? DocumentsError) ?? DocumentsError(Failure.from(error)) }
    }

    // MARK: Changing

    /// Makes this version the content of its document, which keeps its name. A save like any other: coordinated, sent
    /// to the server, and undoable, because what it replaces is kept as a version.
    ///
    /// If the daemon ends meanwhile, the save continues with the next one.
    ///
    /// - Parameter access: the write access that covers it; without one, other accesses are waited for.
    /// - Returns: the document as it is now.
    /// - Throws: ``DocumentsError``: `notPermitted` without the right to write the document; `invalidArgument` for the
    ///   current version.
    @discardableResult
    public func replaceItem(within access: WritingAccess? = nil) async throws(DocumentsError) -> DocumentItem {
        try requireKept()
        let reply = try await client.call(
            DocumentsInterface.RestoreVersion.self,
            .init(
                reference: document.wire, version: persistentIdentifier, operation: OperationIdentifier.make(),
                claim: access?.claim.operation),
            attempts: WriteSession.attempts)
        let item = DocumentItem(reply.value.item)
        if let access { access.claim.note(item, at: access.index) }
        return item
    }

    /// Removes the version permanently.
    ///
    /// - Throws: ``DocumentsError``: `notPermitted` without the right to write the document, and in a confined program
    ///   for what a save has replaced; `invalidArgument` for the current version.
    public func remove() async throws(DocumentsError) {
        try requireKept()
        _ = try await client.call(
            DocumentsInterface.RemoveVersions.self,
            .init(reference: document.wire, versions: [persistentIdentifier]))
    }

    /// Settles the conflict: the version is an ordinary one from now on. Other presenters are notified. Does nothing if
    /// the conflict is settled already, here or elsewhere.
    ///
    /// - Throws: ``DocumentsError`` `notPermitted` without the right to write the document.
    public mutating func resolve() async throws(DocumentsError) {
        guard !isResolved else { return }
        _ = try await client.call(
            DocumentsInterface.ResolveConflict.self,
            .init(reference: document.wire, versions: [persistentIdentifier]))
        isResolved = true
    }

    private func requireKept() throws(DocumentsError) {
        guard isCurrent else { return }
        throw DocumentsError(
            .invalidArgument, "The current version is the document itself.",
            suggestion: "Use a version that is kept beside it.")
    }
}
