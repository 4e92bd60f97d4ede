import DriveStore
import Synchronization

/// A store in memory that does exactly what the protocol says.
final class MemoryStore: ObjectStore {
    private struct State {
        var objects: [String: (bytes: [UInt8], tag: Int)] = [:]
        var lastTag = 0
        var counts: [String: Int] = [:]
    }

    private let state = Mutex(State())

    var names: [String] { state.withLock { $0.objects.keys.sorted() } }
    /// How often each method was called.
    var counts: [String: Int] { state.withLock { $0.counts } }

    /// Changes an object behind the back of everybody.
    func tamper(_ name: String, _ bytes: [UInt8]?) {
        state.withLock { state in
            state.lastTag += 1
            state.objects[name] = bytes.map { ($0, state.lastTag) }
        }
    }

    func bytes(_ name: String) -> [UInt8]? { state.withLock { $0.objects[name]?.bytes } }

    /// Everything, as a backup of the store would have it.
    func snapshot() -> [String: [UInt8]] { state.withLock { $0.objects.mapValues(\.bytes) } }

    func get(_ key: StoreKey, range: Range<Int>?) async throws(DriveError) -> StoredObject? {
        state.withLock { state in
            state.counts["get", default: 0] += 1
            guard let object = state.objects[key.name] else { return nil }
            let bytes = range.map { Array(object.bytes[$0.clamped(to: object.bytes.indices)]) } ?? object.bytes
            return StoredObject(bytes: bytes, tag: String(object.tag))
        }
    }

    func create(_ key: StoreKey, _ bytes: [UInt8]) async throws(DriveError) -> StoreWrite {
        state.withLock { state in
            state.counts["create", default: 0] += 1
            guard state.objects[key.name] == nil else { return .refused }
            state.lastTag += 1
            state.objects[key.name] = (bytes, state.lastTag)
            return .written(tag: String(state.lastTag))
        }
    }

    func replace(_ key: StoreKey, _ bytes: [UInt8], tag: String) async throws(DriveError) -> StoreWrite {
        state.withLock { state in
            state.counts["replace", default: 0] += 1
            guard let object = state.objects[key.name], String(object.tag) == tag else { return .refused }
            state.lastTag += 1
            state.objects[key.name] = (bytes, state.lastTag)
            return .written(tag: String(state.lastTag))
        }
    }

    func list(_ prefix: String) async throws(DriveError) -> [ListedObject] {
        state.withLock { state in
            state.counts["list", default: 0] += 1
            return state.objects.filter { $0.key.hasPrefix(prefix) }.map {
                ListedObject(name: $0.key, tag: String($0.value.tag), size: $0.value.bytes.count)
            }.sorted { $0.name < $1.name }
        }
    }

    func delete(_ key: StoreKey) async throws(DriveError) {
        state.withLock { state in
            state.counts["delete", default: 0] += 1
            state.objects[key.name] = nil
        }
    }
}
