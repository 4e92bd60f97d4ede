/// Tries whether a store decides races: without that, two devices could overwrite each other's records.
package enum StoreProbe {
    /// Writes, races and removes objects below `probe/`.
    ///
    /// - Returns: Nil if conditional writes work; otherwise a sentence that says which one does not.
    package static func failure(of store: any ObjectStore) async throws(DriveError) -> String? {
        let name = "probe/\(DriveIdentifier.random())"
        let key = StoreKey(name)
        let register = StoreKey(register: "probe/\(DriveIdentifier.random())")
        let outcome = try await attempt(store, key, register)
        try await store.delete(key)
        try await store.delete(register)
        return outcome
    }

    private static func attempt(
        _ store: any ObjectStore, _ key: StoreKey, _ register: StoreKey
    ) async throws(DriveError) -> String? {
        guard case .written = try await store.create(key, [1]) else { return "A new object could not be created." }
        guard try await store.create(key, [2]) == .refused else {
            return "The store overwrites an object that may only be created (If-None-Match)."
        }
        guard case .written = try await store.create(register, [1]) else {
            return "A new object could not be created."
        }
        guard let first = try await store.get(register), first.bytes == [1] else {
            return "The store does not return what was just written."
        }
        guard case .written = try await store.replace(register, [2], tag: first.tag) else {
            return "The store refuses a change under the right condition (If-Match)."
        }
        guard try await store.replace(register, [3], tag: first.tag) == .refused else {
            return "The store accepts a change under a wrong condition (If-Match)."
        }
        guard let second = try await store.get(register), second.bytes == [2] else {
            return "The store does not return what was just written."
        }
        let winners = try await race(20) { (number) throws(DriveError) in
            try await store.replace(register, [100 + UInt8(number)], tag: second.tag)
        }
        return winners == 1 ? nil : "Of 20 changes at once, \(winners) were accepted."
    }

    private static func race(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws(DriveError) -> StoreWrite
    ) async throws(DriveError) -> Int {
        let results = await withTaskGroup(of: Result<StoreWrite, DriveError>.self) { group in
            for number in 0..<count {
                group.addTask {
                    do throws(DriveError) { return .success(try await body(number)) } catch { return .failure(error) }
                }
            }
            var results: [Result<StoreWrite, DriveError>] = []
            for await result in group { results.append(result) }
            return results
        }
        var winners = 0
        for result in results { if case .written = try result.get() { winners += 1 } }
        return winners
    }
}
