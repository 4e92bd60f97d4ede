package import Records
import Rights
import Storage

/// Keeps local copies as versions when something else takes their place, or nothing does.
///
/// A copy may have been saved here, and whoever replaced or removed it on the server may never have had it.
package struct ReplacedCopies: Sendable {
    private let places: ItemPlaces
    private let superseded: SupersededContent
    private let versions: KeptVersionStore
    private let journal: OperationJournal

    package init(
        places: ItemPlaces, superseded: SupersededContent, versions: KeptVersionStore, journal: OperationJournal
    ) {
        self.places = places
        self.superseded = superseded
        self.versions = versions
        self.journal = journal
    }

    /// Keeps a local copy for which something new has arrived. The caller holds the lock of the document.
    ///
    /// The record comes before the content is replaced: after a kill in between, the history shows the current content
    /// twice until the replacement is repeated.
    ///
    /// - Parameters:
    ///   - event: names what replaces the copy; the same one is kept once.
    ///   - modified: when the copy was changed, in seconds since 1970; nil takes the date of its file.
    func keep(_ copy: LocalCopy, of key: ItemKey, replacedBy event: String, modified: Double? = nil) async throws {
        try await superseded.unrecorded.withUnrecorded(event) {
            try await places.keepReplaced(by: event, copy, of: key, as: .superseded)
            let version = try await superseded.version(replacedBy: event, copy, of: key, modified: modified)
            guard let version else { return }
            try await versions.add(version)
            superseded.recorded(version)
        }
    }

    /// Keeps a local copy that is about to be removed, if it was saved on this machine. What is not sent yet is left to
    /// ``ConflictKeeper``. Idempotent.
    func keep(removed copy: LocalCopy, of key: ItemKey) async throws {
        guard LocalVersion(copy.version) == nil,
            let origin = try await journal.origin(of: key, version: copy.version)
        else { return }
        try await keep(copy, of: key, replacedBy: "gone-" + origin.operation)
    }
}
