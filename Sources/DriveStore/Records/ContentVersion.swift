/// A version of a document's content.
package struct ContentVersion: Hashable, Sendable {
    package let item: DriveIdentifier
    package let version: DriveIdentifier
    /// Exactly the versions that its author opened or resolved.
    package let parents: [DriveIdentifier]
    package let manifest: ContentManifest
    /// The size in bytes.
    package let size: Int
    /// When the content was last changed, in milliseconds since 1970.
    package let modified: Int64

    package init(
        item: DriveIdentifier, version: DriveIdentifier, parents: [DriveIdentifier], manifest: ContentManifest,
        size: Int, modified: Int64
    ) {
        self.item = item
        self.version = version
        self.parents = parents.sorted()
        self.manifest = manifest
        self.size = size
        self.modified = modified
    }

    init(_ map: [UInt64: CBOR]) throws(DriveError) {
        self.init(
            item: try map.required(1).asIdentifier(), version: try map.required(2).asIdentifier(),
            parents: try CBOR.identifiers(map.required(3)), manifest: try ContentManifest(map.required(4)),
            size: try map.required(5).asCount(), modified: try map.required(6).asInteger())
        if case .inline(let bytes) = manifest, bytes.count != size {
            throw .malformed("A content does not have the size that its record says.")
        }
        if case .pieces(let pieces) = manifest, pieces.reduce(0, { $0 + $1.length }) != size {
            throw .malformed("A content does not have the size that its record says.")
        }
    }

    var map: [UInt64: CBOR] {
        [
            1: .identifier(item), 2: .identifier(version), 3: .array(parents.map { .identifier($0) }),
            4: manifest.value, 5: .unsigned(size), 6: .integer(modified),
        ]
    }

    /// Whether the record alone carries the content.
    package var isInline: Bool {
        if case .inline = manifest { return true }
        return false
    }
}
