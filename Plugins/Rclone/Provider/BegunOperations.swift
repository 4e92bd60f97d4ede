import FileProvider
import FoundationEssentials
import Glibc
import Synchronization

/// Records which operations reached the step after which they may be done although the reply was lost, and at which
/// place. The record survives the process: each operation has a small file, and the last few hundred files are kept.
final class BegunOperations: Sendable {
    /// What an operation has begun and a later attempt has to finish.
    enum Beginning: Hashable, Sendable {
        /// One step: it is done or it is not.
        case nothing
        /// The document at the place is removed first, and the new one is moved there afterwards.
        case replacement
        /// The document is copied to the place, and removed from its old place afterwards.
        case copy(of: ItemIdentifier)
    }

    /// A document that was copied and may still exist at its old place.
    struct Copy: Sendable {
        let operation: ChangeOperation
        let source: RemotePlace
        let target: RemotePlace
    }

    private struct Note {
        var place: String
        var beginning: Beginning

        // No path contains a NUL.
        var text: String {
            switch beginning {
            case .nothing: place
            case .replacement: place + "\0replacement"
            case .copy(let source): place + "\0copy\0" + source.rawValue
            }
        }

        init(_ place: String, _ beginning: Beginning) { (self.place, self.beginning) = (place, beginning) }

        init(_ bytes: Data) {
            let parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
            place = parts[0]
            beginning =
                parts.count > 2 ? .copy(of: ItemIdentifier(parts[2])) : parts.count > 1 ? .replacement : .nothing
        }
    }

    private static let most = 300
    private let directory: String
    private let notes = Mutex<[String: Note]?>(nil)
    // Copies begun by a former process. Copies begun by this process are finished by their own tasks.
    private let interrupted = Mutex<[Copy]>([])

    init(directory: String) { self.directory = directory }

    /// Whether the operation reached that step.
    func has(_ operation: ChangeOperation) -> Bool {
        guard let name = file(operation) else { return false }
        return known { $0[name] != nil }
    }

    /// The operations that were about to replace the item at a place and did not finish. Each costs the caller a
    /// request to the service.
    func replacements(of place: RemotePlace) -> [ChangeOperation] {
        let path = place.remote
        return known { known in
            known.filter { $0.value.beginning == .replacement && $0.value.place.utf8.elementsEqual(path.utf8) }.map {
                ChangeOperation(identifier: Self.operation($0.key))
            }
        }
    }

    /// Copies that a former process did not finish. ``settle(_:)`` removes them.
    var interruptedCopies: [Copy] {
        known { _ in }
        return interrupted.withLock { $0 }
    }

    /// The copy was finished, or was never made.
    func settle(_ copy: Copy) {
        try? begin(copy.operation, at: copy.target)
        interrupted.withLock { $0.removeAll { $0.operation.identifier == copy.operation.identifier } }
    }

    /// The operation reaches that step. Returns when the record is on disk.
    ///
    /// - Throws: `FileProviderError` when it cannot be stored.
    func begin(_ operation: ChangeOperation, at place: RemotePlace, _ beginning: Beginning = .nothing) throws {
        guard let name = file(operation) else {
            throw FileProviderError(.invalidArgument, "The name of the operation cannot be stored.")
        }
        try PrivateFolder.make(directory)
        let note = Note(place.remote, beginning)
        try PrivateFolder.write(Array(note.text.utf8), to: name, in: directory)
        let surplus = known { known in
            known[name] = note
            return known.count > Self.most
        }
        if surplus { prune() }
    }

    /// Deletes the record of the operation.
    func withdraw(_ operation: ChangeOperation) {
        guard let name = file(operation) else { return }
        unlink(directory + "/" + name)
        known { _ = $0.removeValue(forKey: name) }
    }

    private func known<Result>(_ body: (inout [String: Note]) -> Result) -> Result {
        notes.withLock { notes in
            var known = notes ?? load()
            defer { notes = known }
            return body(&known)
        }
    }

    private func load() -> [String: Note] {
        var result: [String: Note] = [:]
        for name in PrivateFolder.names(in: directory) where !name.hasPrefix(".") {
            guard let bytes = try? Data(contentsOf: URL(filePath: directory + "/" + name)) else { continue }
            let note = Note(bytes)
            result[name] = note
            guard case .copy(let from) = note.beginning, let source = RemotePlace(from),
                let target = RemotePlace(ItemIdentifier("/" + note.place))
            else { continue }
            let copy = Copy(
                operation: ChangeOperation(identifier: Self.operation(name)), source: source, target: target)
            interrupted.withLock { $0.append(copy) }
        }
        return result
    }

    private func prune() {
        let oldestFirst = PrivateFolder.names(in: directory).sorted {
            PrivateFolder.age(of: directory + "/" + $0) > PrivateFolder.age(of: directory + "/" + $1)
        }
        for name in oldestFirst.dropLast(Self.most / 2) {
            unlink(directory + "/" + name)
            known { _ = $0.removeValue(forKey: name) }
        }
    }

    // In hexadecimal digits, which are reversible and safe as a file name.
    private func file(_ operation: ChangeOperation) -> String? {
        let bytes = Array(operation.identifier.utf8)
        guard !bytes.isEmpty, bytes.count <= 120 else { return nil }
        return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func operation(_ file: String) -> String {
        var bytes: [UInt8] = []
        var rest = file.utf8[...]
        while rest.count >= 2, let byte = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
