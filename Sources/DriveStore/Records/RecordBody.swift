/// What a record says.
package enum RecordBody: Hashable, Sendable {
    /// An item is in a folder under a name; the first such record creates it. `previous` is the place that its author
    /// saw.
    case place(item: DriveIdentifier, parent: DriveIdentifier, name: String, isFolder: Bool, previous: Stamp?)
    /// A version of an item's content exists.
    case content(ContentVersion)
    /// A pack is in the store, with these chunks in it.
    case placed(pack: DriveIdentifier, epoch: DriveIdentifier, entries: [PlacedChunk])
    /// All chunks of a version are in the store, in these packs.
    case arrived(version: DriveIdentifier, packs: [DriveIdentifier])
    /// These items are in the trash, with the heads of their content that the author saw.
    case trash([TrashedItem])
    /// These items are gone for good.
    case purge([TrashedItem])
    /// The device's name for people.
    case device(name: String)

    /// These packs do not count any more: the end of a list of unused ones, or packs whose chunks are all elsewhere.
    case gone(list: DriveIdentifier, packs: [DriveIdentifier])

    /// An item that a trash or purge record covers.
    package struct TrashedItem: Hashable, Sendable {
        package let item: DriveIdentifier
        package let heads: [DriveIdentifier]
        /// For purge: the record that put it into the trash.
        package let trash: DriveIdentifier?

        package init(item: DriveIdentifier, heads: [DriveIdentifier], trash: DriveIdentifier? = nil) {
            self.item = item
            self.heads = heads.sorted()
            self.trash = trash
        }
    }

    /// Where a sealed chunk is in its pack.
    package struct PlacedChunk: Hashable, Sendable {
        package let chunk: ChunkIdentifier
        package let offset: Int
        package let length: Int
    }

    var kind: UInt64 {
        switch self {
        case .place: 1
        case .content: 2
        case .placed: 3
        case .arrived: 4
        case .trash: 5
        case .purge: 6
        case .device: 7
        case .gone: 8
        }
    }

    var map: [UInt64: CBOR] {
        switch self {
        case .place(let item, let parent, let name, let isFolder, let previous):
            return [
                1: .identifier(item), 2: .identifier(parent), 3: .text(name), 4: .bool(isFolder),
                5: previous?.value ?? .null,
            ]
        case .content(let version): return version.map
        case .placed(let pack, let epoch, let entries):
            return [
                1: .identifier(pack), 2: .identifier(epoch),
                3: .array(
                    entries.map { .array([.bytes($0.chunk.bytes), .unsigned($0.offset), .unsigned($0.length)]) }),
            ]
        case .arrived(let version, let packs):
            return [1: .identifier(version), 2: .array(packs.map { .identifier($0) })]
        case .trash(let items), .purge(let items):
            return [
                1: .array(
                    items.map { item in
                        .array([
                            .identifier(item.item), .array(item.heads.map { .identifier($0) }),
                            item.trash.map { .identifier($0) } ?? .null,
                        ])
                    })
            ]
        case .device(let name): return [1: .text(name)]
        case .gone(let list, let packs):
            return [1: .identifier(list), 2: .array(packs.map { .identifier($0) })]
        }
    }

    init(kind: UInt64, _ map: [UInt64: CBOR]) throws(DriveError) {
        switch kind {
        case 1:
            let name = try map.required(3).asText()
            guard Self.isName(name) else { throw .malformed("An item has an impossible name.") }
            var previous: Stamp?
            if let value = map.optional(5) { previous = try Stamp(value) }
            self = .place(
                item: try map.required(1).asIdentifier(), parent: try map.required(2).asIdentifier(), name: name,
                isFolder: try map.required(4).asBool(), previous: previous)
        case 2: self = .content(try ContentVersion(map))
        case 3:
            var entries: [PlacedChunk] = []
            for value in try map.required(3).asArray() {
                let parts = try value.asArray(count: 3)
                let entry = PlacedChunk(
                    chunk: ChunkIdentifier(bytes: try parts[0].asBytes(count: 32)), offset: try parts[1].asCount(),
                    length: try parts[2].asCount())
                guard entry.offset <= Pack.maximum, entry.length <= Pack.maximum else {
                    throw .malformed("A chunk lies outside its pack.")
                }
                entries.append(entry)
            }
            self = .placed(
                pack: try map.required(1).asIdentifier(), epoch: try map.required(2).asIdentifier(), entries: entries)
        case 4:
            self = .arrived(
                version: try map.required(1).asIdentifier(), packs: try CBOR.identifiers(map.required(2)))
        case 5, 6:
            var items: [TrashedItem] = []
            for value in try map.required(1).asArray() {
                let parts = try value.asArray(count: 3)
                items.append(
                    TrashedItem(
                        item: try parts[0].asIdentifier(), heads: try CBOR.identifiers(parts[1]),
                        trash: parts[2] == .null ? nil : try parts[2].asIdentifier()))
            }
            self = kind == 5 ? .trash(items) : .purge(items)
        case 7: self = .device(name: try map.required(1).asText())
        case 8:
            self = .gone(list: try map.required(1).asIdentifier(), packs: try CBOR.identifiers(map.required(2)))
        default: throw .malformed("A record has a kind that this version of Docent does not know.")
        }
    }

    /// Whether an item can have the name: one to 255 bytes, no slash, no zero byte, not `.` and not `..`.
    package static func isName(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count) && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
            && name != "." && name != ".."
    }
}

extension CBOR {
    static func identifiers(_ value: CBOR) throws(DriveError) -> [DriveIdentifier] {
        var output: [DriveIdentifier] = []
        for entry in try value.asArray() { output.append(try entry.asIdentifier()) }
        return output
    }
}
