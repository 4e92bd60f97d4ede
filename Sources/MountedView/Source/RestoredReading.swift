import CLinux
import Documents
import Synchronization

/// A document of which parts are read, and which an earlier server of the mount had open. It is opened again when more
/// of it is needed. Thread-safe.
final class RestoredReading: SourceReading {
    private struct State {
        var opening: Task<any SourceReading, any Error>?
        var reading: (any SourceReading)?
        var isClosed = false
    }

    let fileDescriptor: CInt
    private let open: @Sendable () async throws(DocumentsError) -> any SourceReading
    private let state = Mutex(State())

    /// - Parameters:
    ///   - descriptor: the file with the parts; taken over.
    ///   - open: opens the document.
    init(_ descriptor: CInt, open: @escaping @Sendable () async throws(DocumentsError) -> any SourceReading) {
        fileDescriptor = descriptor
        self.open = open
    }

    deinit { close() }

    var version: String? { state.withLock { $0.reading?.version } }

    var isComplete: Bool { state.withLock { $0.reading?.isComplete ?? false } }

    func isHere(_ range: Range<Int>) -> Bool { state.withLock { $0.reading?.isHere(range) ?? false } }

    func fetch(_ range: Range<Int>) async throws(DocumentsError) {
        try await reading().fetch(range)
    }

    private func reading() async throws(DocumentsError) -> any SourceReading {
        let task = state.withLock { state in
            if let running = state.opening { return running }
            let task = Task { [self] in try await openAgain() }
            state.opening = task
            return task
        }
        do {
            return try await task.value
        } catch {
            // The next read tries again.
            state.withLock { if $0.opening == task { $0.opening = nil } }
            throw error as? DocumentsError ?? DocumentsError(.failed, "\(error)")
        }
    }

    // Only the same file has the same content: the program has read parts of it.
    private func openAgain() async throws -> any SourceReading {
        let reading = try await open()
        guard let known = OpenDocuments.Stamp(of: fileDescriptor),
            let now = OpenDocuments.Stamp(of: reading.fileDescriptor),
            known.inode == now.inode, known.device == now.device
        else {
            reading.close()
            throw DocumentsError(.conflict, "The document was changed while it was read.")
        }
        let isClosed = state.withLock { state in
            if !state.isClosed { state.reading = reading }
            return state.isClosed
        }
        if isClosed { reading.close() }
        return reading
    }

    func close() {
        let (isFirst, reading) = state.withLock { state in
            defer { state.isClosed = true }
            return (!state.isClosed, state.reading)
        }
        guard isFirst else { return }
        reading?.close()
        _ = clinux_close(fileDescriptor)
    }
}
