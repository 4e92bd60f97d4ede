import DocentInterfaces
import Glibc
import Synchronization
import Varlink

/// A document that this client has a right to (G2, G3): its reference together with the session that holds the grant.
///
/// Thread-safe. Opening it again is nearly as quick as opening a file, under a lease (L2).
public final class SecurityScopedDocument: Sendable {
    private struct Slot: ~Copyable, Sendable {
        nonisolated(unsafe) var holder: LeaseHolder?  // Only touched inside the mutex.
        init() { holder = nil }
    }

    /// The document's name.
    public let reference: DocumentReference
    /// What the grant allows.
    public let access: AccessMode
    /// The session through which it is reached.
    public let client: DocumentsClient
    private let lease = Mutex(Slot())
    private let isInUse = Atomic(false)

    package init(reference: DocumentReference, access: AccessMode, client: DocumentsClient) {
        self.reference = reference
        self.access = access
        self.client = client
    }

    deinit { stopAccessing() }

    /// Opens the document for reading and blocks the calling thread, briefly when its content is here.
    ///
    /// - Returns: an open file description of the caller's own, positioned at the start; the caller closes it. It goes on
    ///   reading the content of this moment when the document is replaced.
    /// - Throws: ``DocumentsError``: `notPermitted` without a grant, `notFound`, `unavailable`, or what the provider says.
    public func openForReading() throws(DocumentsError) -> CInt {
        if let descriptor = reopenUnderLease() { return descriptor }
        return try openThroughDaemon(CallCancellation())
    }

    /// The same from asynchronous code: waits on a thread of its own, not on one of the cooperative pool. Cancelling the
    /// task ends the wait.
    public func openForReading() async throws(DocumentsError) -> CInt {
        if let descriptor = reopenUnderLease() { return descriptor }
        let cancellation = CallCancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<CInt, DocumentsError>, Never>) in
                BlockingWork.run {
                    do throws(DocumentsError) {
                        continuation.resume(returning: .success(try self.openThroughDaemon(cancellation)))
                    } catch { continuation.resume(returning: .failure(error)) }
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    /// Says that the document is not used any more (G2): its provider may then let go of the content. Descriptors that are
    /// open go on reading. Opening the document again begins anew.
    ///
    /// Counted by session: the daemon is told when the last of this client's objects for a document has stopped. The end of an
    /// object says it too, and the end of the session says it of all. Returns at once.
    public func stopAccessing() {
        lease.withLock { slot in slot.holder = nil }
        guard isInUse.exchange(false, ordering: .acquiringAndReleasing) else { return }
        client.endAccess(reference)
    }

    /// What the lease gives while it stands; nil without one.
    func reopenUnderLease() -> CInt? { lease.withLock { slot in slot.holder?.reopen() ?? nil } }

    /// Says that the document is in use from now on, whoever opens it for this client, until ``stopAccessing()``.
    func beginAccessing() {
        if !isInUse.exchange(true, ordering: .acquiringAndReleasing) { client.beginAccess(reference) }
    }

    private func openThroughDaemon(_ cancellation: CallCancellation) throws(DocumentsError) -> CInt {
        beginAccessing()
        do {
            return try client.attemptBlocking { connection in
                try cancellation.attach(connection)
                defer { cancellation.detach() }
                let call = OpenCodec.call(.init(reference: reference.wire, lease: true))
                let (message, descriptors) = try connection.callRawBlocking(
                    call, descriptors: DescriptorList(), deadline: nil)
                let reply = try OpenCodec.readReply(message)
                let file = try descriptors.take(reply.file)
                guard let page = reply.lease, let slot = reply.slot, let generation = reply.generation else {
                    return file.release()
                }
                let kept = try file.duplicate()
                let holder = LeaseHolder(
                    item: DocumentItem(reply.item), file: kept, page: try descriptors.take(page), slot: slot,
                    generation: generation)
                keep(holder)
                return file.release()
            }
        } catch {
            if cancellation.isCancelled { throw DocumentsError(.cancelled, "The call was cancelled.") }
            throw (error as? DocumentsError) ?? DocumentsError(Failure.from(error))
        }
    }

    private func keep(_ holder: consuming LeaseHolder?) {
        var holder = holder
        lease.withLock { slot in slot.holder = holder.take() }
    }

    /// What is known of the document.
    public func item() async throws(DocumentsError) -> DocumentItem {
        DocumentItem(
            try await client.call(DocumentsInterface.Info.self, .init(reference: reference.wire)).value.item)
    }

    /// Starts writing. Nothing is changed before ``WriteSession/commit()``.
    ///
    /// - Parameter replacing: start with an empty file instead of a copy of the content.
    public func beginWriting(replacing: Bool = false) async throws(DocumentsError) -> WriteSession {
        try await WriteSession.begin(reference, replacing: replacing, client: client)
    }
}
