import DriveStore
import Synchronization

/// Counts requests, and says which one fails.
final class Counter: Sendable {
    private let left: Mutex<Int>
    init(crashAt request: Int) { left = Mutex(request) }
    func crash(at request: Int) { left.withLock { $0 = request } }
    func next() -> Bool {
        left.withLock { left in
            left -= 1
            return left == -1
        }
    }
}

/// A store that ignores conditions.
final class CarelessStore: ObjectStore {
    private let objects = Mutex<[String: [UInt8]]>([:])

    func get(_ key: StoreKey, range: Range<Int>?) async throws(DriveError) -> StoredObject? {
        objects.withLock { $0[key.name].map { StoredObject(bytes: $0, tag: "same") } }
    }
    func create(_ key: StoreKey, _ bytes: [UInt8]) async throws(DriveError) -> StoreWrite {
        objects.withLock { $0[key.name] = bytes }
        return .written(tag: "same")
    }
    func replace(_ key: StoreKey, _ bytes: [UInt8], tag: String) async throws(DriveError) -> StoreWrite {
        objects.withLock { $0[key.name] = bytes }
        return .written(tag: "same")
    }
    func list(_ prefix: String) async throws(DriveError) -> [ListedObject] { [] }
    func delete(_ key: StoreKey) async throws(DriveError) { objects.withLock { $0[key.name] = nil } }
}
