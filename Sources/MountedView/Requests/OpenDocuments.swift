import CLinux
import FileSystemMessages
import Synchronization

/// The documents that were opened lately, so that opening them again needs no call. Thread-safe.
///
/// A document that no program has open is released after a moment: as long as it is used here, its local copy cannot be
/// removed.
final class OpenDocuments: Sendable {
    /// What identifies the state of a file.
    struct Stamp: Hashable, Sendable {
        var inode: UInt64
        var device: UInt64
        var size: UInt64
        var modified: FileTime

        /// Reads it from an open file; nil if that fails.
        init?(of descriptor: CInt) {
            var status = clinux_stat()
            guard clinux_stat_fd(descriptor, &status) == 0 else { return nil }
            inode = status.inode
            device = status.device
            size = status.size
            modified = FileTime(seconds: status.modified_seconds, nanoseconds: status.modified_nanoseconds)
        }
    }

    private struct Entry {
        var document: any SourceDocument
        var used: ContinuousClock.Instant
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        /// The files as they were when the kernel began to remember their content.
        var stamps: [UInt64: Stamp] = [:]
        var isReleasing = false
    }

    private let state = Mutex(State())
    private let most = 512
    private let mostStamps = 1 << 16
    private let idle: Duration
    private let isOpen: @Sendable (UInt64) -> Bool

    /// - Parameters:
    ///   - idle: how long a document is kept after its last use.
    ///   - isOpen: whether a program has a node open.
    init(idle: Duration = .seconds(2), isOpen: @escaping @Sendable (UInt64) -> Bool) {
        self.idle = idle
        self.isOpen = isOpen
    }

    /// Opens a document again.
    ///
    /// - Returns: nil if the document is not known or has changed.
    func reopen(_ node: UInt64) -> OpenHandles.OpenFile? {
        let document = state.withLock { state -> (any SourceDocument)? in
            state.entries[node]?.used = .now
            return state.entries[node]?.document
        }
        guard let document, let descriptor = document.reopen() else { return nil }
        return OpenHandles.OpenFile(node: node, owning: descriptor, version: document.version)
    }

    /// Keeps a document that was opened.
    func keep(_ document: any SourceDocument, of node: UInt64) {
        let left = state.withLock { state -> [any SourceDocument] in
            var left: [any SourceDocument] = []
            if let before = state.entries.updateValue(Entry(document: document, used: .now), forKey: node) {
                left.append(before.document)
            }
            if state.entries.count > most, let oldest = state.entries.min(by: { $0.value.used < $1.value.used }) {
                state.entries[oldest.key] = nil
                left.append(oldest.value.document)
            }
            releaseSoon(&state)
            return left
        }
        for document in left { document.close() }
    }

    /// Whether a file is as it was when this was called for its node before.
    func isUnchanged(_ node: UInt64, _ descriptor: CInt) -> Bool {
        guard let stamp = Stamp(of: descriptor) else { return false }
        return state.withLock { state in
            if state.stamps.count >= mostStamps { state.stamps = [:] }
            return state.stamps.updateValue(stamp, forKey: node) == stamp
        }
    }

    /// Ends the use of a document, for example because it was removed.
    func forget(_ node: UInt64) {
        state.withLock { $0.entries.removeValue(forKey: node) }?.document.close()
    }

    /// The number of documents that are kept.
    var count: Int { state.withLock { $0.entries.count } }

    private func releaseSoon(_ state: inout State) {
        guard !state.isReleasing else { return }
        state.isReleasing = true
        Task.detached { [weak self, idle] in
            repeat { try? await Task.sleep(for: idle / 2) } while self?.releaseIdle() ?? false
        }
    }

    // Returns whether any document is left.
    private func releaseIdle() -> Bool {
        let last = ContinuousClock.now - idle
        let candidates = state.withLock { $0.entries.filter { $0.value.used <= last }.map(\.key) }.filter {
            !isOpen($0)
        }
        let (released, isAnyLeft) = state.withLock { state in
            let released = candidates.compactMap { node -> (any SourceDocument)? in
                // It may have been opened since.
                guard let entry = state.entries[node], entry.used <= last else { return nil }
                state.entries[node] = nil
                return entry.document
            }
            state.isReleasing = !state.entries.isEmpty
            return (released, state.isReleasing)
        }
        for document in released { document.close() }
        return isAnyLeft
    }
}
