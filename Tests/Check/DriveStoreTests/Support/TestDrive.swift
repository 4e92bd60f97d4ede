import DriveStore

/// Keys that are always the same: those of the vectors in `docs/drive-format.md`.
enum FixedKeys {
    static let epoch = DriveIdentifier(bytes: [UInt8](repeating: 9, count: 16)) ?? .root

    static func keys() throws -> DriveKeys {
        try DriveKeys(
            .map([
                1: .bytes([UInt8](repeating: 8, count: 16)), 2: .bytes(Array(0..<32)), 3: .identifier(epoch),
                4: .array([.array([.identifier(epoch), .bytes(Array(32..<64))])]),
            ]))
    }
}

/// A device with a directory of its own.
struct TestDevice {
    let drive: DriveDevice
    let scratch: Scratch
    let deviceKeys: DeviceKeys

    init(
        _ store: any ObjectStore, _ keys: DriveKeys, name: String = "test", deviceKeys: DeviceKeys? = nil,
        scratch: Scratch? = nil
    ) throws {
        self.scratch = try scratch ?? Scratch()
        self.deviceKeys = try deviceKeys ?? DeviceKeys()
        drive = try DriveDevice(
            store: store, keys: keys, deviceKeys: self.deviceKeys, name: name,
            directory: try self.scratch.directory("state"))
    }
}

extension DriveDevice {
    /// Creates a document with all its content sent.
    func createDocument(
        _ name: String, _ bytes: [UInt8], in parent: DriveIdentifier = .root
    ) async throws -> DriveIdentifier {
        try create(name, in: parent, content: try await sent(bytes))
    }

    /// Content that was sent.
    func sent(_ bytes: [UInt8]) async throws -> NewContent {
        let source = BytesSource(bytes)
        let manifest = try measure(source)
        let packs = try await send(source, as: manifest)
        return NewContent(manifest, size: bytes.count, modified: 0, packs: packs)
    }

    /// The current content of an item.
    func bytes(of item: DriveIdentifier) async throws -> [UInt8] {
        guard let version = tree.current[item] else { throw DriveError.invalid("no content") }
        let collected = Collected()
        try await read(version, 0..<Int.max) { collected.add($0) }
        return collected.bytes
    }
}
