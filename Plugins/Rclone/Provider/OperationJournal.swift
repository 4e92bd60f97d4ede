import FileProvider
import FoundationEssentials
import Glibc
import Synchronization

/// Which operations came to the step after which they may be done without our hearing of it, and at which place. It holds beyond
/// the process: a small file for each, of which the last some hundred are kept.
final class OperationJournal: Sendable {
    private static let most = 300
    private let directory: String
    private let places = Mutex<[String: String]?>(nil)

    init(directory: String) { self.directory = directory }

    /// Whether the operation came to that step.
    func has(_ operation: ChangeOperation) -> Bool {
        guard let name = file(operation) else { return false }
        return known { $0[name] != nil }
    }

    /// The names of unfinished uploads that may belong at a place.
    func uploads(for place: RemotePlace) -> [ChangeOperation] {
        let path = place.remote
        return known { known in
            known.filter { $0.value.utf8.elementsEqual(path.utf8) }.map {
                ChangeOperation(identifier: Self.operation($0.key))
            }
        }
    }

    /// The operation comes to that step. Returns when that is on disk.
    ///
    /// - Throws: `FileProviderError` when it cannot be kept.
    func begin(_ operation: ChangeOperation, at place: RemotePlace) throws {
        guard let name = file(operation) else {
            throw FileProviderError(.invalidArgument, "The operation has no name that can be kept.")
        }
        try PrivateFolder.make(directory)
        try PrivateFolder.write(Array(place.remote.utf8), to: name, in: directory)
        let surplus = known { known in
            known[name] = place.remote
            return known.count > Self.most
        }
        if surplus { prune() }
    }

    /// The operation is not done.
    func withdraw(_ operation: ChangeOperation) {
        guard let name = file(operation) else { return }
        unlink(directory + "/" + name)
        known { _ = $0.removeValue(forKey: name) }
    }

    private func known<Result>(_ body: (inout [String: String]) -> Result) -> Result {
        places.withLock { places in
            var known = places ?? load()
            defer { places = known }
            return body(&known)
        }
    }

    private func load() -> [String: String] {
        var result: [String: String] = [:]
        for name in PrivateFolder.names(in: directory) where !name.hasPrefix(".") {
            guard let bytes = try? Data(contentsOf: URL(filePath: directory + "/" + name)) else { continue }
            result[name] = String(decoding: bytes, as: UTF8.self)
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

    // As hexadecimal digits: reversible, and no path.
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
