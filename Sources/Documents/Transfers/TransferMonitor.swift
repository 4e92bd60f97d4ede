import DocentInterfaces
import Synchronization
import Varlink

/// Follows what is in transit of a document, or of everything in a folder: progress, rate and errors, whichever program
/// asked for the transfers. It transfers nothing itself.
///
/// ```swift
/// let monitor = TransferMonitor(client: client, reference: folder)
/// monitor.start()
/// for await status in monitor.updates { print(status.running, status.waiting, status.fraction ?? 0) }
/// ```
public final class TransferMonitor: Sendable {
    private let client: DocumentsClient
    /// The document or folder.
    public let reference: DocumentReference
    /// What is in transit, at most four times a second, for one reader. If the reader is slow, it gets the latest one;
    /// its counts include everything. Ends with ``stop()``, and when ``failure`` is set.
    public let updates: AsyncStream<TransferStatus>

    private let reports: AsyncStream<TransferStatus>.Continuation
    private let state: Mutex<(status: TransferStatus, failure: DocumentsError?)>
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Creates a monitor; it does nothing before ``start()``.
    ///
    /// - Parameters:
    ///   - client: whose right to the item counts. An unconfined program needs none.
    ///   - reference: the document or folder.
    public init(client: DocumentsClient, reference: DocumentReference) {
        self.client = client
        self.reference = reference
        state = Mutex((TransferStatus(), nil))
        (updates, reports) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit { stop() }

    /// What is in transit now.
    public var status: TransferStatus { state.withLock { $0.status } }

    /// Why it has ended; nil as long as it goes on, also while the daemon cannot be reached.
    public var failure: DocumentsError? { state.withLock { $0.failure } }

    /// Begins to follow. Does nothing if it was started before.
    public func start() {
        task.withLock { task in
            guard task == nil else { return }
            task = Task { [weak self, client, reference] in
                let failure = await Self.run(client, reference) { self?.take($0) }
                self?.end(failure)
            }
        }
    }

    /// Ends it for good. ``status`` stays as it is.
    public func stop() {
        task.withLock { task in
            task?.cancel()
            // It cannot be started again.
            if task == nil { task = Task {} }
        }
        reports.finish()
    }

    private func take(_ reply: DocumentsInterface.Watch.Reply) {
        reports.yield(
            state.withLock { state in
                state.status.take(reply)
                return state.status
            })
    }

    private func end(_ failure: DocumentsError?) {
        state.withLock { $0.failure = failure }
        reports.finish()
    }

    private static func run(
        _ client: DocumentsClient, _ reference: DocumentReference,
        _ take: (DocumentsInterface.Watch.Reply) -> Void
    ) async -> DocumentsError? {
        var pause = Duration.seconds(1)
        while !Task.isCancelled {
            let failure: DocumentsError
            do {
                _ = try await client.follow(
                    DocumentsInterface.Watch.self, .init(reference: reference.wire), attempts: 1
                ) { reply in
                    take(reply)
                    pause = .seconds(1)
                }
                failure = DocumentsError(.unavailable, "The daemon has ended the call.")
            } catch {
                failure = error as? DocumentsError ?? DocumentsError(.failed, "\(error)")
            }
            if Task.isCancelled { break }
            guard failure.code == .unavailable || failure.code == .cancelled else { return failure }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(30))
        }
        return nil
    }
}

extension SecurityScopedDocument {
    /// A monitor of this document's transfers, or of everything in this folder; it is not started yet.
    public func transferMonitor() -> TransferMonitor { TransferMonitor(client: client, reference: reference) }
}
