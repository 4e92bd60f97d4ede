import DocentInterfaces
import Synchronization
import Varlink

/// Reports the progress of a part to the host: what was written, about five times a second, and also when the provider
/// says that it still works, or waits for the host to read. Otherwise silent while nothing happens, so that the host
/// notices a provider that has stalled.
final class RangeReports: Sendable {
    private typealias Value = FileProviderInterface.FetchRange.Reply

    private struct State {
        var reported = 0
        var total: Int?
        var last: ContinuousClock.Instant?
    }

    private static let pause: Duration = .milliseconds(200)

    private let writer: PartialContentWriter
    private let sink: ReplySink<FileProviderInterface.FetchRange.Reply>
    private let isWanted: Bool
    private let state = Mutex(State())

    /// - Parameter isWanted: whether the caller takes several replies.
    init(
        _ writer: PartialContentWriter, to sink: ReplySink<FileProviderInterface.FetchRange.Reply>, isWanted: Bool
    ) {
        self.writer = writer
        self.sink = sink
        self.isWanted = isWanted
    }

    /// The size of the whole content, if the provider has reported it.
    var total: Int? { state.withLock { $0.total } }

    /// What the provider gets. How much is done is known here, so its own number is not used.
    var progress: TransferProgress {
        TransferProgress { [self] _, total in
            guard let reply = next(total, isNews: true) else { return }
            try await sink.send(Reply(reply))
        } tell: { [self] _, total in
            guard let reply = next(total, isNews: true) else { return }
            _ = try? sink.trySend(Reply(reply))
        }
    }

    /// Runs the provider's method and reports meanwhile. No report follows after it has returned.
    func during(
        _ body: @escaping @Sendable () async throws -> PartialContent
    ) async throws -> PartialContent {
        guard isWanted else { return try await body() }
        writer.whenConfirmed { [weak self] in
            guard let self, let reply = self.next(nil, isNews: true, isConfirmation: true) else { return }
            _ = try? self.sink.trySend(Reply(reply))
        }
        return try await withThrowingTaskGroup(of: PartialContent?.self) { group in
            group.addTask { try await body() }
            group.addTask { [self] in
                while !Task.isCancelled {
                    do { try await Task.sleep(for: Self.pause) } catch { return nil }
                    // A host that does not read its replies either misses reports, not content.
                    if let reply = next(nil, isNews: false) { _ = try? sink.trySend(Reply(reply)) }
                }
                return nil
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }

    private func next(_ total: Int?, isNews: Bool, isConfirmation: Bool = false) -> Value? {
        let (written, isWaiting, version) = (writer.bytesWritten, writer.isWaiting, writer.confirmedVersion)
        return state.withLock { state in
            if let total { state.total = total }
            let now = ContinuousClock.now
            guard isWanted, isNews || isWaiting || written > state.reported else { return nil }
            if isNews, !isConfirmation, let last = state.last, now - last < Self.pause { return nil }
            state.last = now
            state.reported = max(state.reported, written)
            return .init(version: version?.content, completedBytes: state.reported, totalBytes: state.total)
        }
    }
}
