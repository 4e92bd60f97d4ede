import DocentInterfaces
import Varlink

extension FileVersion {
    /// All versions of a document, newest first: the current one, then those that are kept beside it on this machine or
    /// by its service.
    ///
    /// - Throws: ``DocumentsError`` `notPermitted` without a right to the document.
    public static func versions(
        of document: SecurityScopedDocument
    ) async throws(DocumentsError) -> [FileVersion] {
        try await history(of: document).versions
    }

    /// All versions of a document, newest first, and why some are missing.
    ///
    /// - Returns: the versions, and a sentence that says why the service of the document could not be asked for its
    ///   versions; nil when they are all there.
    /// - Throws: ``DocumentsError`` `notPermitted` without a right to the document.
    public static func history(
        of document: SecurityScopedDocument
    ) async throws(DocumentsError) -> (versions: [FileVersion], missing: String?) {
        try await list(of: document, unresolved: nil)
    }

    /// The versions of a document that are on this machine, newest first: the current one, then those that are kept
    /// beside it. Its service is not asked.
    ///
    /// - Throws: ``DocumentsError`` `notPermitted` without a right to the document.
    public static func localVersions(
        of document: SecurityScopedDocument
    ) async throws(DocumentsError) -> [FileVersion] {
        try await list(of: document, unresolved: nil, local: true).versions
    }

    /// The versions of a document that only its service has, newest first (`getNonlocalVersionsOfItem`).
    ///
    /// - Throws: ``DocumentsError``: `notPermitted` without a right to the document; `unavailable` when the service
    ///   cannot be asked.
    public static func nonlocalVersions(
        of document: SecurityScopedDocument
    ) async throws(DocumentsError) -> [FileVersion] {
        let history = try await history(of: document)
        if let reason = history.missing { throw DocumentsError(.unavailable, reason) }
        return history.versions.filter { !$0.isCurrent && !$0.hasLocalContents }
    }

    /// The current version of a document.
    ///
    /// - Throws: ``DocumentsError`` `notPermitted` without a right to the document.
    public static func currentVersion(
        of document: SecurityScopedDocument
    ) async throws(DocumentsError) -> FileVersion {
        let reply = try await document.client.call(
            DocumentsInterface.Versions.self, .init(reference: document.reference.wire, local: true)
        ).value
        guard let first = reply.versions.first, first.isCurrent == true else {
            throw DocumentsError(.notFound, "The document has no content.")
        }
        return FileVersion(first, of: document.reference, client: document.client)
    }

    /// The versions of a document that are kept beside the current one, newest first.
    ///
    /// - Throws: ``DocumentsError`` `notPermitted` without a right to the document.
    public static func otherVersions(
        of document: SecurityScopedDocument
    ) async throws(DocumentsError) -> [FileVersion] {
        try await versions(of: document).filter { !$0.isCurrent }
    }

    /// The versions of a document that somebody has to decide about, newest first.
    ///
    /// - Throws: ``DocumentsError`` `notPermitted` without a right to the document.
    public static func unresolvedConflictVersions(
        of document: SecurityScopedDocument
    ) async throws(DocumentsError) -> [FileVersion] {
        try await list(of: document, unresolved: true).versions
    }

    /// The version with an identifier; nil when it has been removed.
    ///
    /// - Throws: ``DocumentsError`` `notPermitted` without a right to the document.
    public static func version(
        of document: SecurityScopedDocument, forPersistentIdentifier identifier: String
    ) async throws(DocumentsError) -> FileVersion? {
        if let known = try await localVersions(of: document).first(where: { $0.persistentIdentifier == identifier }) {
            return known
        }
        return try await versions(of: document).first { $0.persistentIdentifier == identifier }
    }

    /// Removes all versions that are kept beside the current one, except those that somebody has to decide about; in a
    /// confined program only those of conflicts.
    ///
    /// - Returns: how many were removed.
    /// - Throws: ``DocumentsError`` `notPermitted` without the right to write the document.
    @discardableResult
    public static func removeOtherVersions(
        of document: SecurityScopedDocument
    ) async throws(DocumentsError) -> Int {
        try await document.client.call(
            DocumentsInterface.RemoveVersions.self, .init(reference: document.reference.wire)
        ).value.removed
    }

    private static func list(
        of document: SecurityScopedDocument, unresolved: Bool?, local: Bool? = nil
    ) async throws(DocumentsError) -> (versions: [FileVersion], missing: String?) {
        var found: [FileVersion] = []
        var (page, missing): (String?, String?)
        repeat {
            let reply = try await document.client.call(
                DocumentsInterface.Versions.self,
                .init(reference: document.reference.wire, unresolved: unresolved, page: page, local: local)
            ).value
            missing = missing ?? reply.missing
            found += reply.versions.map { FileVersion($0, of: document.reference, client: document.client) }
            page = reply.nextPage
        } while page != nil
        return (found, missing)
    }
}
