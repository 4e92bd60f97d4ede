/// The name of an object: lower-case letters, digits, `/`, `.` and `-`.
package struct StoreKey: Hashable, Sendable {
    /// The name below the drive's place in the store.
    package let name: String
    /// Whether the object changes; all others are written once.
    package let isRegister: Bool

    /// An object that is written once.
    package init(_ name: String) {
        self.name = name
        isRegister = false
    }

    /// An object that changes, by compare and swap.
    package init(register name: String) {
        self.name = name
        isRegister = true
    }
}

/// An object with the tag that its next change must name.
package struct StoredObject: Hashable, Sendable {
    package let bytes: [UInt8]
    package let tag: String

    package init(bytes: [UInt8], tag: String) {
        self.bytes = bytes
        self.tag = tag
    }
}

/// An entry of a listing.
package struct ListedObject: Hashable, Sendable {
    package let name: String
    /// Nil if the store does not list tags.
    package let tag: String?
    package let size: Int
    /// When it was written, by the store's clock in milliseconds since 1970; nil if the store does not say.
    package let modified: Int64?

    package init(name: String, tag: String?, size: Int, modified: Int64? = nil) {
        self.name = name
        self.tag = tag
        self.size = size
        self.modified = modified
    }
}

/// The outcome of a conditional write.
package enum StoreWrite: Hashable, Sendable {
    /// Written; the tag is nil if the store did not say it.
    case written(tag: String?)
    /// The condition did not hold: nothing was written by this request. An earlier try of the same request may have
    /// succeeded.
    case refused
}

/// Where a drive lives. Every method throws ``DriveError/unreachable(_:)`` when the outcome is unknown,
/// ``DriveError/denied(_:)`` when the store refuses the credential.
package protocol ObjectStore: Sendable {
    /// An object as a whole, or some bytes of it; nil if it is not there.
    func get(_ key: StoreKey, range: Range<Int>?) async throws(DriveError) -> StoredObject?
    /// Writes an object only if there is none of that name.
    func create(_ key: StoreKey, _ bytes: [UInt8]) async throws(DriveError) -> StoreWrite
    /// Replaces a register only if it still has that tag.
    func replace(_ key: StoreKey, _ bytes: [UInt8], tag: String) async throws(DriveError) -> StoreWrite
    /// The objects whose names begin with a prefix that ends in a slash.
    func list(_ prefix: String) async throws(DriveError) -> [ListedObject]
    /// Removes an object; succeeds if there is none.
    func delete(_ key: StoreKey) async throws(DriveError)
    /// Whether there is nothing that was put there by anybody, except for what a creation that was cut off left.
    var isEmpty: Bool { get async throws(DriveError) }
}

extension ObjectStore {
    /// Looks at the whole listing.
    package var isEmpty: Bool {
        get async throws(DriveError) { try await list("").allSatisfy { StoreNames.isLeftover($0.name) } }
    }

    /// An object as a whole; nil if it is not there.
    package func get(_ key: StoreKey) async throws(DriveError) -> StoredObject? { try await get(key, range: nil) }

    /// Writes an object under a name that is this device's own. A refusal is a repetition of a request that had
    /// succeeded: the bytes tell.
    func publish(_ key: StoreKey, _ bytes: [UInt8]) async throws(DriveError) {
        if case .written = try await create(key, bytes) { return }
        guard try await get(key)?.bytes == bytes else {
            throw .unreachable("\(key.name) is in the store although its name is new.")
        }
    }
}
