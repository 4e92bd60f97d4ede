import Cryptography
import DocentInterfaces
import Glibc
package import HostCore
package import Records
package import Storage

/// Content on its way to a provider: the staged file of W (1) to (4), and what is kept in `Uploads`.
package struct StagedContent: Sendable {
    private let layout: StorageLayout
    private let worker: BlockingWorker
    private let area: StagingArea
    /// The metadata to store beside the content.
    package let metadata: StagedMetadata
    /// Packages that wait to be sent.
    package let packages: StagedPackages

    /// - Parameter crashPoint: called after each numbered step, for tests.
    package init(layout: StorageLayout, worker: BlockingWorker, crashPoint: @escaping CrashPoint = { _ in }) {
        self.layout = layout
        self.worker = worker
        metadata = StagedMetadata(layout: layout, worker: worker)
        packages = StagedPackages(layout: layout, worker: worker)
        area = StagingArea(layout: layout, crashPoint: crashPoint)
    }

    /// Step 1: a private staged file, with room reserved.
    ///
    /// - Parameters:
    ///   - source: the initial content; nil for an empty file.
    ///   - expected: bytes to reserve.
    ///   - progress: receives the number of copied bytes.
    package func begin(
        _ row: JournaledOperation, from source: OpenDescriptor?, expected: UInt64,
        progress: PublishProgress = .unheard
    ) async throws -> StagedWrite {
        try await worker.run { [area] cancellation in
            let staging = try Directory(path: layout.stagingDirectory)
            let marker = try Self.marker(row.id)
            // An initial copy that a crash interrupts must not look like a client's content (D3).
            if source != nil { _ = try staging.create(marker) }
            defer { if source != nil { try? staging.remove(marker) } }
            let session = try area.begin(row.id, expectedSize: expected)
            do {
                if let source {
                    try session.fill(from: source.number, bound: 1 << 62, cancellation: cancellation) {
                        progress.note(.copying, $0, of: $1)
                    }
                }
                return session
            } catch {
                try? area.discard(row.id)
                throw error
            }
        }
    }

    // Marks a staged file whose initial copy is incomplete.
    private static func marker(_ id: String) throws -> FileName { try FileName(".filling-" + id) }

    // MARK: Resuming (D3)

    /// Whether the staged file of an operation exists, with all of its initial content.
    package func isComplete(_ id: String) async -> Bool {
        let layout = layout
        return
            (try? await worker.run { _ in
                let staging = try Directory(path: layout.stagingDirectory)
                return try staging.status(of: try FileName(id))?.kind == .regular
                    && staging.status(of: try Self.marker(id)) == nil
            }) ?? false
    }

    /// Reopens the staged file of a session from before the daemon was restarted.
    package func resume(_ row: JournaledOperation) async throws -> StagedWrite {
        try await worker.run { [area] _ in try area.resume(row.id) }
    }

    // MARK: Committing

    /// Steps 2 to 4: frozen, durable, linked into `Uploads`.
    ///
    /// - Parameters:
    ///   - alwaysCopies: whether the frozen file must be one that the client never had open: a confined client could
    ///     reopen for writing what it kept open for reading (S4).
    ///   - progress: receives the number of checked bytes.
    package func freeze(
        _ session: StagedWrite, alwaysCopies: Bool = false, progress: PublishProgress = .unheard
    ) async throws -> (digest: String, size: UInt64) {
        try await worker.run { [area] cancellation in
            let frozen = try area.freeze(
                session, policy: alwaysCopies ? .alwaysCopy : .copyIfWriterLeft, cancellation: cancellation
            ) { progress.note(.checking, $0, of: $1) }
            return (frozen.digest.description, frozen.size)
        }
    }

    /// Takes steps 2 to 4 back before the commit point, so that the content can be frozen again.
    package func thaw(_ id: String) async throws {
        try await worker.run { [layout] _ in
            try Directory(path: layout.uploadsDirectory).remove(try FileName(id))
        }
    }

    /// Refuses committed content that has changed since the commit. Called after a restart, before the content is given
    /// out.
    ///
    /// - Throws: `FileSystemError` `.corrupt`.
    package func requireIntact(_ row: JournaledOperation) async throws {
        guard let digest = row.digest, let size = row.size else { throw JournalError.unreadable }
        try await worker.run { [area] _ in try area.requireIntact(row.id, digest: digest, size: size) }
    }

    /// The committed content, for reading.
    package func open(_ id: String) throws -> OpenDescriptor {
        try Directory(path: layout.uploadsDirectory).open(try FileName(id))
    }

    /// Refuses a source that has changed since it was copied, when a call is repeated.
    package func require(_ source: OpenDescriptor, digest: String?) async throws {
        let now = try await worker.run { cancellation in
            try FileDigest.sha256(of: source.number, cancellation: cancellation).digest.description
        }
        guard now == digest else {
            throw FileSystemError(
                .changed, "The source changed after it was copied; both were kept.",
                remedy: "Compare the two. If both are needed, export the source again under another name.")
        }
    }

    /// Removes what is kept of an operation: at the end of step 9, or when it is given up.
    package func remove(_ id: String) async {
        let layout = layout
        try? await worker.run { _ in
            let name = try FileName(id)
            try? Directory(path: layout.stagingDirectory).remove(name)
            try? Directory(path: layout.uploadsDirectory).remove(name)
        }
        await metadata.remove(id)
    }

    /// Keeps the staged content of an abandoned session as a version; it is neither published nor dropped (W0).
    /// Idempotent.
    ///
    /// - Returns: its place and its size in bytes; nil when there was nothing to keep.
    package func recover(
        _ row: JournaledOperation, as reason: VersionStore.Reason
    ) async -> (place: VersionStore.Place, size: UInt64)? {
        let layout = layout
        await metadata.remove(row.id)
        return
            (try? await worker.run { _ in
                let (store, item) = (VersionStore(layout: layout), row.item ?? row.id)
                let name = try FileName(row.id)
                let staging = try Directory(path: layout.stagingDirectory)
                // Linked by a commit that was interrupted before the commit point.
                try Directory(path: layout.uploadsDirectory).remove(name)
                guard let status = try staging.status(of: name) else { return try store.kept(row.id, of: item, reason) }
                guard status.size > 0, try staging.status(of: try Self.marker(row.id)) == nil else {
                    try staging.remove(name)
                    return nil
                }
                let place = try store.keep(name, in: staging, item: item, reason: reason, operation: row.id)
                return (place, status.size)
            }) ?? nil
    }

    /// Removes files, left by a killed process, that do not belong to any known operation. Runs before anything is
    /// served.
    package func removeOrphans(known: Set<String>) async {
        try? await worker.run { [area] _ in _ = try area.removeOrphans(known: known) }
        await metadata.removeOrphans(known: known)
    }
}
