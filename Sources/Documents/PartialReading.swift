import CLinux
import DocentInterfaces
import Glibc
import Synchronization
import Varlink

/// A document of which parts are read: only what is asked for is fetched, and a little more in advance.
///
/// If the provider cannot deliver parts, or the document is on this machine or small, the whole content is here from
/// the beginning, and everything works the same. Thread-safe. Ends with ``close()`` or with the last reference.
public final class PartialReading: Sendable {
    private struct State {
        // Nil when the whole content is here.
        var number: Int?
        // Increases with each opening.
        var opening = 0
        var reopening: Task<Void, any Error>?
        // Ranges that are known to be here; those of the last answers.
        var here: [Range<Int>] = []
        var isClosed = false
    }

    /// The document as it was described when it was opened. Its version is the one that is read.
    public let item: DocumentItem
    /// The size of the whole content in bytes.
    public let size: Int
    private let document: SecurityScopedDocument
    private let asking: AskingProgram?
    private let descriptor: OwnedDescriptor
    private let state: Mutex<State>
    private static let mostRemembered = 16

    init(
        _ document: SecurityScopedDocument, _ item: DocumentItem, _ descriptor: consuming OwnedDescriptor, number: Int?,
        for asking: AskingProgram?
    ) throws(DocumentsError) {
        var status = clinux_stat()
        guard clinux_stat_fd(descriptor.raw, &status) == 0 else {
            throw DocumentsError(.failed, "The daemon's answer has no file.")
        }
        size = Int(status.size)
        self.document = document
        self.item = item
        self.asking = asking
        self.descriptor = descriptor
        state = Mutex(State(number: number))
    }

    deinit { close() }

    /// Whether the whole content is on this machine, so that reading waits for nothing.
    public var isComplete: Bool { state.withLock { $0.number == nil } }

    /// A descriptor of the file, which is as long as the content; valid as long as this object. Read from it only what
    /// was fetched: the rest is zeros.
    package var fileDescriptor: CInt { descriptor.raw }

    /// Whether a range is known to be here, without asking the daemon.
    package func isHere(_ range: Range<Int>) -> Bool {
        let range = range.clamped(to: 0..<size)
        return state.withLock { state in
            state.number == nil || range.isEmpty
                || state.here.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
        }
    }

    /// Fetches a range, where it is not here, with progress.
    ///
    /// - Parameters:
    ///   - range: bytes of the content.
    ///   - progress: called from time to time, on the caller's task, with how many of these bytes are here.
    /// - Throws: ``DocumentsError`` like ``fetch(_:)``.
    public func fetch(
        _ range: Range<Int>, progress: (DownloadProgress) -> Void
    ) async throws(DocumentsError) {
        let range = range.clamped(to: 0..<size)
        if let number = state.withLock({ $0.number }), !isHere(range) {
            do {
                try await document.client.follow(
                    DocumentsInterface.FetchRange.self,
                    .init(reading: number, offset: range.lowerBound, length: range.count)
                ) { reply in
                    progress(
                        DownloadProgress(
                            completedBytes: min(reply.completedBytes, range.count), totalBytes: range.count))
                }
            } catch {
                let failure = (error as? DocumentsError) ?? DocumentsError(Failure.from(error))
                // The next call opens it again.
                guard failure.code == .notFound else { throw failure }
            }
        }
        try await fetch(range)
    }

    /// Fetches a range, where it is not here. Behind the end of the content there is nothing to fetch.
    ///
    /// - Throws: ``DocumentsError``: `conflict` when the document has another version by now: open it again;
    ///   `unavailable` when the provider cannot be reached; `notPermitted` when the right has ended.
    public func fetch(_ range: Range<Int>) async throws(DocumentsError) {
        let range = range.clamped(to: 0..<size)
        for attempt in 1... {
            let (number, opening) = state.withLock { ($0.number, $0.opening) }
            guard let number, !isHere(range) else { return }
            do {
                return try await fetch(range, number, opening)
            } catch {
                let failure = (error as? DocumentsError) ?? DocumentsError(Failure.from(error))
                // Another daemon, which does not know this reading.
                guard failure.code == .notFound, attempt < 4 else { throw failure }
                try await reopen(after: opening)
            }
        }
    }

    private func fetch(_ range: Range<Int>, _ number: Int, _ opening: Int) async throws {
        let parameters = DocumentsInterface.FetchRange.Parameters(
            reading: number, offset: range.lowerBound, length: range.count)
        let reply = try await document.client.call(DocumentsInterface.FetchRange.self, parameters)
        if let file = reply.value.file { try replaceFile(with: try reply.descriptors.take(file)) }
        guard reply.value.completedBytes >= range.count else {
            throw DocumentsError(.failed, "The daemon did not fetch what it was asked for.")
        }
        let upper = min(size, range.lowerBound + reply.value.completedBytes)
        let isComplete = reply.value.isComplete == true
        let ended = state.withLock { state -> Int? in
            guard state.opening == opening else { return nil }
            if isComplete {
                defer { state.number = nil }
                return state.number
            }
            state.here.removeAll { range.lowerBound <= $0.lowerBound && $0.upperBound <= upper }
            let touching = state.here.firstIndex {
                $0.upperBound >= range.lowerBound && $0.lowerBound <= range.lowerBound
            }
            let lower = touching.map { state.here.remove(at: $0).lowerBound } ?? range.lowerBound
            state.here.append(lower..<upper)
            if state.here.count > Self.mostRemembered { state.here.removeFirst() }
            return nil
        }
        if let ended { document.client.tell(DocumentsInterface.CloseReading.self, .init(reading: ended)) }
    }

    /// Reads a range, and fetches first what is not here of it.
    ///
    /// - Returns: its bytes; fewer at the end of the content.
    /// - Throws: ``DocumentsError`` like ``fetch(_:)``.
    public func read(_ range: Range<Int>) async throws(DocumentsError) -> [UInt8] {
        let range = range.clamped(to: 0..<size)
        try await fetch(range)
        let number = descriptor.raw
        let bytes = try await BlockingWork.value { () throws(DocumentsError) -> [UInt8] in
            var bytes = [UInt8](repeating: 0, count: range.count)
            var done = 0
            while done < bytes.count {
                let count = bytes.withUnsafeMutableBytes { buffer in
                    buffer.baseAddress.map {
                        clinux_pread(number, $0 + done, range.count - done, Int64(range.lowerBound + done))
                    } ?? 0
                }
                guard count >= 0 else {
                    let reason = String(cString: strerror(CInt(-count)))
                    throw DocumentsError(.failed, "The content cannot be read: \(reason).")
                }
                if count == 0 { break }
                done += Int(count)
            }
            return Array(bytes.prefix(done))
        }
        withExtendedLifetime(self) {}
        return bytes
    }

    // Under the same number: others may be reading.
    private func replaceFile(with file: consuming OwnedDescriptor) throws {
        var status = clinux_stat()
        guard clinux_stat_fd(file.raw, &status) == 0, Int(status.size) == size,
            clinux_dup_over(file.raw, descriptor.raw) == 0
        else { throw DocumentsError(.conflict, "The document was changed while it was read. Open it again.") }
    }

    // MARK: After a restart of the daemon

    private func reopen(after opening: Int) async throws(DocumentsError) {
        let task = state.withLock { state -> Task<Void, any Error>? in
            if let running = state.reopening { return running }
            guard state.opening == opening, !state.isClosed else { return nil }
            let task = Task { try await self.openAgain() }
            state.reopening = task
            return task
        }
        guard let task else { return }
        do {
            try await task.value
            state.withLock { if $0.reopening == task { $0.reopening = nil } }
        } catch {
            state.withLock { if $0.reopening == task { $0.reopening = nil } }
            throw (error as? DocumentsError) ?? DocumentsError(Failure.from(error))
        }
    }

    private func openAgain() async throws {
        let (reply, descriptors) = try await Self.open(document, for: asking)
        guard reply.item.version == item.version, item.version != nil else {
            throw DocumentsError(.conflict, "The document was changed while it was read. Open it again.")
        }
        try replaceFile(with: try descriptors.take(reply.file))
        state.withLock { state in
            state.number = reply.reading
            state.opening += 1
            state.here = []
        }
    }

    static func open(
        _ document: SecurityScopedDocument, for asking: AskingProgram?
    ) async throws(DocumentsError) -> (DocumentsInterface.Open.Reply, DescriptorList) {
        let reply = try await document.client.call(
            DocumentsInterface.Open.self,
            .init(
                reference: document.reference.wire, program: asking?.path, process: asking?.process, partial: true))
        return (reply.value, reply.descriptors)
    }

    /// Ends the reading. What was fetched stays on this machine for the next time.
    public func close() {
        let number = state.withLock { state -> Int? in
            state.isClosed = true
            defer { state.number = nil }
            return state.number
        }
        if let number { document.client.tell(DocumentsInterface.CloseReading.self, .init(reading: number)) }
        document.stopAccessing()
    }
}

extension SecurityScopedDocument {
    /// Opens the document to read parts of it: only what is read is fetched.
    ///
    /// - Parameter partial: false fetches the whole content first, as ``openForReading()-6ox6l``.
    /// - Throws: ``DocumentsError``, as ``openForReading()-6ox6l``.
    public func openForReading(partial: Bool) async throws(DocumentsError) -> PartialReading {
        try await openForReading(partial: partial, for: nil)
    }

    /// The same for another program, which is recorded as the cause of what is fetched.
    package func openForReading(
        partial: Bool, for asking: AskingProgram?
    ) async throws(DocumentsError) -> PartialReading {
        if !partial { _ = try await download() }
        let document = SecurityScopedDocument(reference: reference, access: access, client: client)
        document.beginAccessing()
        let (reply, descriptors) = try await PartialReading.open(document, for: asking)
        do {
            return try PartialReading(
                document, DocumentItem(reply.item), try descriptors.take(reply.file), number: reply.reading,
                for: asking)
        } catch { throw (error as? DocumentsError) ?? DocumentsError(Failure.from(error)) }
    }
}
