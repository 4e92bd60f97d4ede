import HostCore
package import Records
import Rights
package import Storage
import Synchronization

/// Committed packages on their way to remote providers. Thread-safe.
package final class StagedPackages: Sendable {
    private let staging: PackageStaging
    private let worker: BlockingWorker
    private let byElement = Mutex<Set<String>>([])
    private let copies = Mutex<[ItemKey: Set<BytewiseText>]>([:])
    /// Held while a package is sent; its saves do not take it.
    let locks = ItemLocks()
    private let publishingLocks = ItemLocks()

    package init(layout: StorageLayout, worker: BlockingWorker) {
        staging = PackageStaging(layout: layout)
        self.worker = worker
    }

    /// The manifest of a committed package.
    package func manifest(_ id: String, digest: String) async throws -> PackageManifest {
        try await worker.run { [staging] _ in try staging.manifest(id, digest: digest) }
    }

    /// Opens committed content for reading.
    func open(_ file: String, of id: String) throws -> OpenDescriptor { try staging.open(file, of: id) }

    /// Whether committed content of an element is equal to an open file.
    package func isEqual(
        _ content: PackageManifest.Content, of id: String, to other: OpenDescriptor
    ) async throws -> Bool {
        try await worker.run { [staging] cancellation in
            let file = try staging.open(content.file, of: id)
            return try withExtendedLifetime((file, other)) {
                try FileComparison.isSame(file.number, other.number, cancellation: cancellation)
            }
        }
    }

    /// Records that the provider has all of a committed package, before this host has stored the outcome. Durable when
    /// it returns.
    func noteSent(_ id: String) async throws { try await worker.run { [staging] _ in try staging.noteSent(id) } }

    /// Whether ``noteSent(_:)`` was called for a package.
    package func isSent(_ id: String) async throws -> Bool {
        try await worker.run { [staging] _ in try staging.isSent(id) }
    }

    /// Whether the elements of a change are sent one by one from now on.
    func isByElement(_ id: String) -> Bool { byElement.withLock { $0.contains(id) } }

    /// Has the elements of a change sent one by one from now on: its provider cannot replace the package, or someone
    /// else has changed it.
    func setByElement(_ id: String) { byElement.withLock { _ = $0.insert(id) } }

    /// Runs a body that publishes the parts of a change, or that examines the change between such bodies. A part that
    /// is sent before the others, or before its package is known, would be sent by itself and again with the package.
    ///
    /// - Throws: `CancellationError`; what the body throws.
    package func publishing<Result: Sendable>(
        _ row: JournaledOperation, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let key = ItemKey(provider: row.provider, domain: row.domain, identifier: row.id)
        return try await publishingLocks.withExactLock(on: key, body)
    }

    /// Records that a version of an element is a copy of another one, made when its package was replaced.
    func noteCopy(of version: String, as copy: String, _ key: ItemKey) {
        copies.withLock { copies in
            if copies.count > 20_000 { copies = [:] }
            let (version, copy) = (BytewiseText(version), BytewiseText(copy))
            let known = copies[key] ?? []
            copies[key] = known.contains(version) && known.count < 100 ? known.union([copy]) : [version, copy]
        }
    }

    /// Whether a version of an element has the same content as one of the others.
    func isCopy(_ version: String, ofAny others: [String?], _ key: ItemKey) -> Bool {
        copies.withLock { copies in
            guard let known = copies[key], known.contains(BytewiseText(version)) else { return false }
            return others.contains { $0.map { known.contains(BytewiseText($0)) } == true }
        }
    }
}
