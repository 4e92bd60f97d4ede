import DocentTestSupport
import Testing

@testable import Storage

/// The recipes of packed versions and the names of chunks.
struct VersionRecipeTests {
    private static func digest(_ byte: UInt8) -> ChunkDigest { ChunkDigest([UInt8](repeating: byte, count: 32)) }

    private let recipe = VersionRecipe(
        modified: 1_763_380_800_123_456_789,
        pieces: [.init(digest: digest(1), length: 262_144), .init(digest: digest(0xFE), length: 1)])

    @Test("a recipe comes back as it was written")
    func roundTrip() throws {
        #expect(try VersionRecipe(decoding: recipe.encoded) == recipe)
        #expect(recipe.size == 262_145 && recipe.chunks.count == 2 && recipe.encoded.count == 32 + 2 * 36 + 32)
        let early = VersionRecipe(modified: -5, pieces: [])
        #expect(try VersionRecipe(decoding: early.encoded) == early)
    }

    @Test("V8: a recipe of which any byte is different, missing or one too many is not believed")
    func damage() {
        let bytes = recipe.encoded
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x10
            expectCode(.corrupt) { _ = try VersionRecipe(decoding: changed) }
            expectCode(.corrupt) { _ = try VersionRecipe(decoding: Array(bytes[..<index])) }
        }
        expectCode(.corrupt) { _ = try VersionRecipe(decoding: bytes + [0]) }
        let impossible = VersionRecipe(modified: 0, pieces: [.init(digest: Self.digest(1), length: 262_145)])
        expectCode(.corrupt) { _ = try VersionRecipe(decoding: impossible.encoded) }
    }

    @Test("the names of recipes and chunks are no other names")
    func names() throws {
        let file = try FileName("superseded-op")
        #expect(try VersionRecipe.file(of: VersionRecipe.name(for: file)) == file)
        #expect(VersionRecipe.file(of: file) == nil)
        expectCode(.badName) { _ = try VersionRecipe.name(for: FileName(String(repeating: "x", count: 250))) }
        let digest = ChunkDigest((0..<32).map { UInt8($0 * 7) })
        #expect(ChunkDigest(digest.name) == digest && digest.bytes == (0..<32).map { UInt8($0 * 7) })
        #expect(digest.folder.text == "00" && digest.name.text.hasPrefix("00070e15"))
        #expect(try ChunkDigest(FileName(".new")) == nil)
        #expect(try ChunkDigest(FileName(String(repeating: "G", count: 64))) == nil)
    }
}
