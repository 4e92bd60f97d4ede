import DocentInterfaces
import Glibc
import Synchronization
import Varlink

/// A document that this client has a right to: its reference together with the session that holds the grant.
///
/// Thread-safe. The daemon leases the document to the client, so opening it again is nearly as fast as opening a file.
public final class SecurityScopedDocument: Sendable {
    private struct Slot: ~Copyable, Sendable {
        nonisolated(unsafe) var holder: LeaseHolder?  // Only touched inside the mutex.
        init() { holder = nil }
    }

    /// The document's reference.
    public let reference: DocumentReference
    /// What the grant allows.
    public let access: AccessMode
    /// The session that gives access to the document.
    public let client: DocumentsClient
    private let lease = Mutex(Slot())
    private let isInUse = Atomic(false)
    private let opened = Mutex<String?>(nil)

    package init(reference: DocumentReference, access: AccessMode, client: DocumentsClient) {
        self.reference = reference
        self.access = access
        self.client = client
    }

    deinit { stopAccessing() }

    /// Opens the document for reading. Blocks the calling thread, only briefly when the content is on this machine.
    ///
    /// - Returns: a new open file description, positioned at the start, which the caller closes. It keeps reading the
    ///   current content even when the document is replaced.
    /// - Throws: ``DocumentsError``: `notPermitted` without a grant, `notFound`, `unavailable`, or the provider's
    ///   error.
    public func openForReading() throws(DocumentsError) -> CInt {
        if let descriptor = reopenUnderLease() { return descriptor }
        return try openThroughDaemon(CallCancellation())
    }

    /// The asynchronous form: it waits on a separate thread, not on one of the cooperative pool. Cancelling the task
    /// ends the wait.
    public func openForReading() async throws(DocumentsError) -> CInt { try await openForReading(for: nil) }

    /// The same for another program, which is recorded as the cause if the content has to be fetched.
    package func openForReading(for asking: AskingProgram?) async throws(DocumentsError) -> CInt {
        if let descriptor = reopenUnderLease() { return descriptor }
        let cancellation = CallCancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<CInt, DocumentsError>, Never>) in
                BlockingWork.run {
                    do throws(DocumentsError) {
                        continuation.resume(returning: .success(try self.openThroughDaemon(cancellation, asking)))
                    } catch { continuation.resume(returning: .failure(error)) }
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    /// Reports that the document is no longer in use, so its provider may release the content. Open descriptors keep
    /// working. Opening the document again starts a new use.
    ///
    /// Counted by session: the daemon is notified when the last of this client's objects for a document has stopped.
    /// Deallocating an object counts as a stop, and ending the session stops them all. Returns at once.
    public func stopAccessing() {
        lease.withLock { slot in slot.holder = nil }
        guard isInUse.exchange(false, ordering: .acquiringAndReleasing) else { return }
        client.endAccess(reference)
    }

    /// A descriptor from the current lease; nil without one.
    package func reopenUnderLease() -> CInt? { lease.withLock { slot in slot.holder?.reopen() ?? nil } }

    /// The version of the content that the current lease is for; nil without one, or without versions.
    package var leasedVersion: String? { lease.withLock { slot in slot.holder?.item.version ?? nil } }

    /// The version that the daemon opened last for this object; nil without versions. Also without a lease, which
    /// confined clients do not get.
    package var openedVersion: String? { opened.withLock(\.self) }

    /// Marks the document as in use until ``stopAccessing()``.
    func beginAccessing() {
        if !isInUse.exchange(true, ordering: .acquiringAndReleasing) { client.beginAccess(reference) }
    }

    private func openThroughDaemon(
        _ cancellation: CallCancellation, _ asking: AskingProgram? = nil
    ) throws(DocumentsError) -> CInt {
        beginAccessing()
        do {
            return try client.attemptBlocking { connection in
                try cancellation.attach(connection)
                defer { cancellation.detach() }
                let call = OpenCodec.call(
                    .init(
                        reference: reference.wire, lease: true, program: asking?.path, process: asking?.process))
                let (message, descriptors) = try connection.callRawBlocking(
                    call, descriptors: DescriptorList(), deadline: nil)
                let reply = try message.withUnsafeBufferPointer { try OpenCodec.readReply($0).reply }
                opened.withLock { $0 = reply.item.version }
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

    /// The document's current metadata.
    public func item() async throws(DocumentsError) -> DocumentItem {
        try await described().item
    }

    /// The same as ``item()``, and why it is an earlier description; nil when the provider was asked, at most a moment
    /// ago.
    package func described() async throws(DocumentsError) -> (item: DocumentItem, remembered: RememberedListing?) {
        let reply = try await client.call(DocumentsInterface.Info.self, .init(reference: reference.wire)).value
        return (DocumentItem(reply.item), reply.remembered.map(RememberedListing.init))
    }

    /// Starts writing. Nothing changes before ``WriteSession/commit()``.
    ///
    /// - Parameter replacing: whether to start with an empty file instead of a copy of the content.
    public func beginWriting(replacing: Bool = false) async throws(DocumentsError) -> WriteSession {
        try await WriteSession.begin(reference, replacing: replacing, client: client)
    }
}
