import DocentInterfaces
package import HostCore
package import Storage
import Synchronization
package import Varlink

/// Decides whether a client may stage more on the disk, for documents and packages together (T4).
///
/// A client can write any amount into a document that it has open for writing, so the present sizes count whenever it
/// wants to stage more. Thread-safe; examines every staged file of clients of the same kind.
package final class StagingShares: Sendable {
    /// What one open write session, of a document or a package, has on the disk.
    package struct Holding: Sendable {
        /// The identifier of the session's operation.
        package var session: String
        package var holder: ShareHolder
        package var bytes: UInt64
    }

    private struct Books {
        var sources: [@Sendable () -> [Holding]] = []
        var pending: [UInt64: Holding] = [:]
        var next: UInt64 = 0
    }

    private let limits: ShareLimits
    private let minimumFree: UInt64
    private let folder: OwnPath
    private let books = Mutex(Books())

    /// - Parameters:
    ///   - limits: the bytes that a client may have staged.
    ///   - minimumFree: the bytes that confined clients leave free on the disk for everybody else.
    ///   - layout: names the folder of the staged files.
    package init(limits: ContentLimits, minimumFree: UInt64, layout: StorageLayout) {
        self.limits = limits.stagedBytes
        self.minimumFree = minimumFree
        folder = layout.stagingDirectory
    }

    /// Counts what a service has open. Called once by each service.
    package func count(_ source: @escaping @Sendable () -> [Holding]) { books.withLock { $0.sources.append(source) } }

    /// Stages so many more bytes, which count for the holder while `body` runs. After that the source has to count
    /// them. A single document or package may be of any size.
    ///
    /// - Parameter session: the identifier of the operation for which they are staged.
    /// - Throws: ``Failure`` `Unavailable` when the holder has its share; `.noSpace` when a confined client would leave
    ///   the others no room; what `body` throws.
    package func adding<Result: Sendable>(
        _ bytes: UInt64, to session: String, for holder: ShareHolder, _ body: () async throws -> Result
    ) async throws -> Result {
        guard limits[holder.kind].each < .max else { return try await body() }
        let number = try take(Holding(session: session, holder: holder, bytes: bytes))
        defer { books.withLock { $0.pending[number] = nil } }
        return try await body()
    }

    private func take(_ new: Holding) throws -> UInt64 {
        try books.withLock { books in
            var shares = PrincipalShares(limits)
            let pending = books.pending.values.filter { $0.holder.kind == new.holder.kind }
            let open = books.sources.flatMap { $0() }.filter { $0.holder.kind == new.holder.kind }
            var whole = new.bytes
            for holding in open + pending {
                if holding.session == new.session {
                    whole = Self.sum(whole, holding.bytes)
                } else {
                    shares.note(Int(clamping: holding.bytes), of: holding.holder)
                }
            }
            if let refusal = shares.refusal(of: Int(clamping: whole), to: new.holder) {
                throw refusal.failure(
                    new.holder, "bytes staged for writing",
                    suggestion: "Commit or abandon what is being written first.")
            }
            let coming = pending.reduce(new.bytes) { Self.sum($0, $1.bytes) }
            let directory = try Directory(path: folder)
            try withExtendedLifetime(directory) {
                try Space.requireAvailable(coming, on: directory.descriptor, keeping: minimumFree)
            }
            books.next += 1
            books.pending[books.next] = new
            return books.next
        }
    }

    private static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }
}
