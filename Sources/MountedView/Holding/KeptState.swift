import CFUSE
import CLinux
import Glibc
import Synchronization

/// What a server of a mount leaves with its keeper, so that the next one can go on: descriptors, and what they are.
///
/// Thread-safe. A message is at the keeper when the call returns, before the kernel gets its reply.
package final class KeptState: Sendable {
    /// One thing that is kept.
    package struct Entry: Sendable, Hashable {
        /// What a descriptor is.
        package enum Kind: UInt64, Sendable {
            /// The journal of nodes.
            case journal
            /// An open file; the key is its handle.
            case file
            /// An open folder, without a descriptor; the key is its handle.
            case folder
            /// Unpublished content of a document; the key is the node.
            case draft
            /// Documents that have left their names for a moment.
            case departures
            /// A thread that only makes calls to tell programs (``WatcherWaking``); the key is its number.
            case wakingThread
            /// The kernel sends requests again.
            case repeatsRequests
            /// A change of name that saves a content, without a descriptor; the key is the request.
            case saving
            /// A thread of the server's that waits for requests, without a descriptor; the key is its number. It ends
            /// at once when the server is killed, which other threads may not do.
            case reader
        }

        package var kind: Kind
        package var key: UInt64
        package var node: UInt64 = 0
        /// Whether the program may write; for a draft, whether it is to be published.
        package var isWriter = false
        /// Whether only parts of the content may be in the file.
        package var isPartial = false
        /// For a draft or a change of name, the change by which the content is being published, or was; nil before.
        package var operation: KeptOperation?
        /// For an open file or folder, the request that opened it.
        package var request: UInt64 = 0

        package init(
            kind: Kind, key: UInt64, node: UInt64 = 0, isWriter: Bool = false, isPartial: Bool = false,
            operation: KeptOperation? = nil, request: UInt64 = 0
        ) {
            self.request = request
            self.isPartial = isPartial
            self.kind = kind
            self.key = key
            self.node = node
            self.isWriter = isWriter
            self.operation = operation
        }
    }

    /// What is done with an entry.
    package enum Action: UInt64, Sendable {
        case keep, forget
        /// All that is kept was sent.
        case end
    }

    /// The size of a message, in bytes.
    package static let messageSize = 64

    private let line: Mutex<CInt>

    /// - Parameter line: a socket to the keeper; -1 for none. It stays the caller's.
    package init(line: CInt) {
        Self.limitWaiting(line)
        self.line = Mutex(line)
    }

    /// Continues with another keeper, which knows nothing yet.
    package func replaceLine(_ line: CInt) {
        Self.limitWaiting(line)
        self.line.withLock { $0 = line }
    }

    // The view does not stop with a keeper that was stopped.
    private static func limitWaiting(_ line: CInt) {
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        if line >= 0 { setsockopt(line, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size)) }
    }

    func keep(_ entry: Entry, _ descriptor: CInt = -1) { send(.keep, entry, descriptor) }

    func forget(_ kind: Entry.Kind, _ key: UInt64) { send(.forget, Entry(kind: kind, key: key), -1) }

    private func send(_ action: Action, _ entry: Entry, _ descriptor: CInt) {
        let bytes = Self.message(action, entry)
        line.withLock { line in
            guard line >= 0 else { return }
            let result = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { cfuse_send(line, $0, buffer.count, descriptor) } ?? 0
            }
            // Without a keeper, or with one that does not listen, there is nobody to leave it with.
            if result == -EAGAIN { line = -1 }
        }
    }

    // MARK: Messages

    package static func message(_ action: Action, _ entry: Entry) -> [UInt8] {
        let flags: UInt64 = (entry.isWriter ? 1 : 0) | (entry.isPartial ? 2 : 0)
        let numbers = [
            action.rawValue, entry.kind.rawValue, entry.key, entry.node, flags, entry.operation?.upper ?? 0,
            entry.operation?.lower ?? 0, entry.request,
        ]
        return numbers.flatMap { value in withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    }

    package static func read(_ bytes: [UInt8]) -> (Action, Entry)? {
        guard bytes.count == messageSize else { return nil }
        let numbers = (0..<8).map { index in
            bytes[index * 8..<index * 8 + 8].enumerated().reduce(0) { $0 | UInt64($1.element) << (8 * $1.offset) }
        }
        guard let action = Action(rawValue: numbers[0]), let kind = Entry.Kind(rawValue: numbers[1]) else { return nil }
        return (
            action,
            Entry(
                kind: kind, key: numbers[2], node: numbers[3], isWriter: numbers[4] & 1 != 0,
                isPartial: numbers[4] & 2 != 0, operation: KeptOperation(upper: numbers[5], lower: numbers[6]),
                request: numbers[7])
        )
    }

    /// Receives what a keeper has kept, until it says that this was all.
    ///
    /// - Returns: the entries with their descriptors (-1 without one), which the caller closes; nil if the line ended.
    package static func receive(from line: CInt) -> [(Entry, CInt)]? {
        var result: [(Entry, CInt)] = []
        while true {
            var bytes = [UInt8](repeating: 0, count: messageSize)
            var descriptor: CInt = -1
            guard cfuse_receive(line, &bytes, messageSize, &descriptor) == messageSize,
                let (action, entry) = read(bytes)
            else {
                for (_, descriptor) in result where descriptor >= 0 { _ = clinux_close(descriptor) }
                return nil
            }
            if action == .end { return result }
            result.append((entry, descriptor))
        }
    }
}
