/// A map with several values per key. The cost of insertion, removal and lookup does not depend on the number of other
/// keys. A key with one value allocates no memory of its own.
struct Multimap<Key: Hashable & Sendable, Value: Hashable & Sendable>: Sendable {
    private enum Values: Sendable {
        case one(Value)
        /// Never empty.
        case many(Set<Value>)
    }

    private var values: [Key: Values] = [:]

    subscript(key: Key) -> Set<Value> {
        guard !values.isEmpty else { return [] }
        return switch values[key] {
        case nil: []
        case .one(let value): [value]
        case .many(let values): values
        }
    }

    func contains(_ value: Value, for key: Key) -> Bool {
        switch values[key] {
        case nil: false
        case .one(let other): other == value
        case .many(let several): several.contains(value)
        }
    }

    /// Sets the values of a key.
    mutating func set(_ several: Set<Value>, for key: Key) {
        guard let first = several.first else { return values[key] = nil }
        values[key] = several.count == 1 ? .one(first) : .many(several)
    }

    mutating func insert(_ value: Value, for key: Key) {
        guard let index = values.index(forKey: key) else {
            values[key] = .one(value)
            return
        }
        switch values.values[index] {
        case .one(let other): values.values[index] = .many([other, value])
        case .many(var several):
            // The set must be uniquely referenced while it is changed, so that it is not copied.
            values.values[index] = .one(value)
            several.insert(value)
            values.values[index] = .many(several)
        }
    }

    mutating func remove(_ value: Value, for key: Key) {
        guard let index = values.index(forKey: key) else { return }
        switch values.values[index] {
        case .one(let other): if other == value { values.remove(at: index) }
        case .many(var several):
            values.values[index] = .one(value)
            several.remove(value)
            if several.isEmpty {
                values.remove(at: index)
            } else {
                values.values[index] = .many(several)
            }
        }
    }
}
