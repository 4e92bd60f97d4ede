import DriveStore

/// Puts faults between a device and a store: requests that get lost, replies that get lost, requests that are carried
/// out twice, and writes that are carried out long after their sender has given up.
final class FaultyStore: ObjectStore {
    /// What happens to one request.
    enum Fate: Sendable {
        case none
        case lostRequest
        case lostReply
        case doubled
        case delayed
    }

    private let store: any ObjectStore
    private let fate: @Sendable () async -> Fate
    private let delay: @Sendable (@escaping @Sendable () async -> Void) async -> Void

    init(
        _ store: any ObjectStore, fate: @escaping @Sendable () async -> Fate,
        delay: @escaping @Sendable (@escaping @Sendable () async -> Void) async -> Void = { _ in }
    ) {
        self.store = store
        self.fate = fate
        self.delay = delay
    }

    private func pass<Value: Sendable>(
        _ request: @escaping @Sendable () async throws(DriveError) -> Value
    ) async throws(DriveError) -> Value {
        switch await fate() {
        case .none: return try await request()
        case .lostRequest: throw .unreachable("The request was lost.")
        case .lostReply:
            _ = try await request()
            throw .unreachable("The reply was lost.")
        case .doubled:
            let first = try await request()
            _ = try await request()
            return first
        case .delayed:
            await delay { _ = try? await request() }
            throw .unreachable("The request takes too long.")
        }
    }

    func get(_ key: StoreKey, range: Range<Int>?) async throws(DriveError) -> StoredObject? {
        let store = store
        return try await pass { () async throws(DriveError) in try await store.get(key, range: range) }
    }

    func create(_ key: StoreKey, _ bytes: [UInt8]) async throws(DriveError) -> StoreWrite {
        let store = store
        return try await pass { () async throws(DriveError) in try await store.create(key, bytes) }
    }

    func replace(_ key: StoreKey, _ bytes: [UInt8], tag: String) async throws(DriveError) -> StoreWrite {
        let store = store
        return try await pass { () async throws(DriveError) in try await store.replace(key, bytes, tag: tag) }
    }

    func list(_ prefix: String) async throws(DriveError) -> [ListedObject] {
        let store = store
        return try await pass { () async throws(DriveError) in try await store.list(prefix) }
    }

    func delete(_ key: StoreKey) async throws(DriveError) {
        let store = store
        try await pass { () async throws(DriveError) in try await store.delete(key) }
    }
}
