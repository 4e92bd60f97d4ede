import Foundation
import Testing

@testable import Storage

/// A data directory with kept versions, as saves leave them.
final class PackingWorld {
    let scratch: Scratch
    let superseded: SupersededStore
    private(set) var places: [String: VersionStore.Place] = [:]
    private(set) var contents: [String: [UInt8]] = [:]

    init() throws {
        scratch = try Scratch()
        superseded = SupersededStore(layout: scratch.layout)
    }

    var layout: StorageLayout { scratch.layout }

    /// A store that knows nothing of what others did, as after a restart.
    func reopened() -> KeptContentStore { KeptContentStore(layout: layout) }

    /// Keeps a version.
    @discardableResult
    func keep(_ operation: String, _ content: [UInt8]) throws -> VersionStore.Place {
        let kept = try superseded.keep(
            copyOf: scratch.file("source-\(operation)", content), for: operation, .superseded)
        places[operation] = kept.place
        contents[operation] = content
        return kept.place
    }

    func place(_ operation: String) throws -> VersionStore.Place { try #require(places[operation]) }

    /// Whether all versions, or some, are readable and what they were.
    func expectIntact(_ store: KeptContentStore, _ operations: [String]? = nil) throws {
        for operation in operations ?? Array(contents.keys) {
            #expect(try bytes(of: store.open(place(operation))) == contents[operation], "\(operation)")
        }
    }

    /// The files of chunks.
    func chunks() throws -> [ChunkStore.Found] { try ChunkStore(layout: layout).all() }

    /// The bytes of all files below `Versions` and `Chunks`.
    func space() throws -> Int {
        var sum = 0
        for folder in ["Versions", "Chunks"] {
            let path = scratch.root + "/data/" + folder
            for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() {
                let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
                if attributes[.type] as? FileAttributeType == .typeRegular { sum += attributes[.size] as? Int ?? 0 }
            }
        }
        return sum
    }

    /// Whether a version is there as a whole file, and whether it has a recipe.
    func state(_ operation: String) throws -> (isWhole: Bool, isPacked: Bool) {
        let place = try place(operation)
        let folder = try Directory(path: layout.versionsDirectory).directory(place.folder)
        return (
            try folder.status(of: place.file) != nil,
            try folder.status(of: VersionRecipe.name(for: place.file)) != nil
        )
    }

    /// A copy of the data directory as it is now: what a kill at this moment leaves.
    func snapshot(_ name: String) throws -> StorageLayout {
        let path = scratch.root + "/" + name
        try FileManager.default.copyItem(atPath: scratch.root + "/data", toPath: path)
        return StorageLayout(dataDirectory: path, runtimeDirectory: scratch.root + "/run")
    }

    /// Bytes that no compression or chance makes alike; the same for the same seed.
    static func noise(_ seed: UInt64, _ count: Int) -> [UInt8] {
        var state = seed
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            for index in 0..<count {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                buffer[index] = UInt8(truncatingIfNeeded: state >> 56)
            }
            initialized = count
        }
    }
}
