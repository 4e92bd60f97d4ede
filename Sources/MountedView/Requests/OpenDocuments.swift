import CLinux
import FileSystemMessages
import Synchronization

/// The documents that were opened lately, so that opening them again needs no call. Thread-safe.
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
        /// The file as it was when the kernel was told of it last.
        var stamp: Stamp?
        var used: Int
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var uses = 0
    }

    private let state = Mutex(State())
    private let most = 512

    /// Opens a document again.
    ///
    /// - Returns: nil if the document is not known or has changed.
    func reopen(_ node: UInt64) -> OpenHandles.OpenFile? {
        let document = state.withLock { state -> (any SourceDocument)? in
            state.uses += 1
            state.entries[node]?.used = state.uses
            return state.entries[node]?.document
        }
        guard let document, let descriptor = document.reopen() else { return nil }
        return OpenHandles.OpenFile(node: node, owning: descriptor, version: document.version)
    }

    /// Keeps a document that was opened.
    func keep(_ document: any SourceDocument, of node: UInt64) {
        let left = state.withLock { state -> [any SourceDocument] in
            state.uses += 1
            var left: [any SourceDocument] = []
            if let before = state.entries.updateValue(
                Entry(document: document, stamp: state.entries[node]?.stamp, used: state.uses), forKey: node)
            {
                left.append(before.document)
            }
            if state.entries.count > most, let oldest = state.entries.min(by: { $0.value.used < $1.value.used }) {
                state.entries[oldest.key] = nil
                left.append(oldest.value.document)
            }
            return left
        }
        for document in left { document.close() }
    }

    /// Whether a file is as it was when this was called for its node before.
    func isUnchanged(_ node: UInt64, _ descriptor: CInt) -> Bool {
        guard let stamp = Stamp(of: descriptor) else { return false }
        return state.withLock { state in
            defer { state.entries[node]?.stamp = stamp }
            return state.entries[node]?.stamp == stamp
        }
    }

    /// Ends the use of a document, for example because it was removed.
    func forget(_ node: UInt64) {
        state.withLock { $0.entries.removeValue(forKey: node) }?.document.close()
    }
}
