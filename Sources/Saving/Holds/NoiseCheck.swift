import HostCore
import Records
package import RemoteDocuments
package import Rights
package import Storage

/// Compares the first bytes of what a save replaces with those of the new content. It reads local files only: content
/// that is not on this machine is not fetched for this.
package struct NoiseCheck: Sendable {
    private let gateway: DocumentGateway
    private let parts: RemoteParts
    private let staged: StagedContent
    private let worker: BlockingWorker

    package init(gateway: DocumentGateway, parts: RemoteParts, staged: StagedContent, worker: BlockingWorker) {
        self.gateway = gateway
        self.parts = parts
        self.staged = staged
        self.worker = worker
    }

    /// Whether a save turns its document into noise.
    ///
    /// - Parameter operation: the name under which the new content is kept in `Uploads`.
    /// - Returns: false if that cannot be found out.
    package func turnsIntoNoise(_ operation: String, of key: ItemKey) async -> Bool {
        do {
            let after = try await worker.run { [staged] _ in
                try staged.open(operation).beginning(ContentNoise.sample)
            }
            // Most saves end here, after a look at a file that was just written and is in memory.
            guard ContentNoise.isNoise(after), let former = try await former(key) else { return false }
            let before = try await worker.run { _ in try former.beginning(ContentNoise.sample) }
            return ContentNoise.turns(before, into: after)
        } catch {
            return false
        }
    }

    private func former(_ given: ItemKey) async throws -> OpenDescriptor? {
        let key = try await parts.current(given)
        if let item = try await parts.index.item(key) { return try await parts.local.open(item) }
        return try await gateway.content(key).descriptor
    }
}
