import Testing

@testable import DriveStore

/// Chunks, packs and content.
struct ContentTests {
    @Test("chunks end where the vectors say")
    func chunksEndWhereTheVectorsSay() throws {
        let chunker = Chunker(try FixedKeys.keys())
        let content = Sodium.expand([UInt8](repeating: 7, count: 32), to: 3 << 20)
        #expect(chunker.lengths(content) == [1_373_386, 1_066_652, 705_690])
        #expect(chunker.lengths([]) == [])
        #expect(chunker.lengths([1]) == [1])
        #expect(chunker.lengths([UInt8](repeating: 0, count: 9 << 20)).allSatisfy { $0 <= 4 << 20 })
    }

    @Test("N2: a change changes few chunks")
    func aChangeChangesFewChunks() throws {
        let keys = DriveKeys.new()
        let chunker = Chunker(keys)
        var random = SeededRandom(5)
        let content = random.bytes(24 << 20)
        func chunks(_ bytes: [UInt8]) -> [ChunkIdentifier] {
            var start = 0
            return chunker.lengths(bytes).map { length in
                defer { start += length }
                return ChunkIdentifier(of: bytes[start..<start + length], keys: keys)
            }
        }
        let before = Set(chunks(content))
        var changed = content
        changed[11 << 20] ^= 1
        #expect(Set(chunks(changed)).subtracting(before).count <= 2)
        #expect(Set(chunks([1, 2, 3] + content)).subtracting(before).count <= 2)
        changed.insert(7, at: 11 << 20)
        #expect(Set(chunks(changed)).subtracting(before).count <= 3)
    }

    @Test("large content comes back in whole and in parts")
    func largeContentComesBackInWholeAndInParts() async throws {
        let store = MemoryStore()
        let keys = DriveKeys.new()
        let one = try TestDevice(store, keys)
        var random = SeededRandom(6)
        let content = random.bytes(20 << 20)
        let item = try await one.drive.createDocument("large", content)
        try await one.drive.append()
        let other = try TestDevice(store, keys)
        try await other.drive.read()
        #expect(try await other.drive.bytes(of: item) == content)
        let version = try #require(await other.drive.tree.current[item])
        for range in [0..<1, 1_000_000..<3_000_000, (20 << 20) - 1..<Int.max, (20 << 20)..<(21 << 20)] {
            let part = Collected()
            try await other.drive.read(version, range) { part.add($0) }
            #expect(part.bytes == Array(content[range.clamped(to: content.indices)]))
        }
        for name in store.names where name.hasPrefix("packs/") {
            let count = store.bytes(name)?.count ?? 0
            #expect(count <= 8 << 20 && count == Padme.size(of: count))
        }
    }

    @Test("a list of many chunks is stored in chunks itself")
    func aListOfManyChunksIsStoredInChunksItself() async throws {
        let pieces = (0..<300).map {
            ContentManifest.Piece(chunk: .init(of: [UInt8($0 % 250)], keys: .new()), length: 7)
        }
        #expect(try ContentManifest.decode(ContentManifest.encode(pieces)) == pieces)
        let indirect = ContentManifest.indirect(pieces)
        #expect(try ContentManifest(indirect.value) == indirect)
        #expect(throws: DriveError.self) { try ContentManifest.decode([1, 2, 3]) }
    }

    @Test("N2: the same chunk is never sent twice")
    func theSameChunkIsNeverSentTwice() async throws {
        let store = MemoryStore()
        let keys = DriveKeys.new()
        let one = try TestDevice(store, keys)
        var random = SeededRandom(7)
        let content = random.bytes(5 << 20)
        _ = try await one.drive.createDocument("a", content)
        try await one.drive.append()
        let packs = store.names.filter { $0.hasPrefix("packs/") }
        _ = try await one.drive.createDocument("b", content)
        let other = try TestDevice(store, keys)
        try await other.drive.read()
        _ = try await other.drive.createDocument("c", content)
        #expect(store.names.filter { $0.hasPrefix("packs/") } == packs)
    }

    @Test("R4: a small document costs one write and one with a pack two")
    func aSmallDocumentCostsOneWriteAndOneWithAPackTwo() async throws {
        let store = MemoryStore()
        let one = try TestDevice(store, DriveKeys.new())
        _ = try await one.drive.createDocument("first", [1])
        try await one.drive.append()
        func writes() -> Int { ["create", "replace"].reduce(0) { $0 + (store.counts[$1] ?? 0) } }
        var before = writes()
        _ = try await one.drive.createDocument("small", [UInt8](repeating: 1, count: 16 << 10))
        try await one.drive.append()
        #expect(writes() - before == 1)
        before = writes()
        _ = try await one.drive.createDocument("larger", [UInt8](repeating: 2, count: 1 << 20))
        try await one.drive.append()
        #expect(writes() - before == 2)
    }
}
