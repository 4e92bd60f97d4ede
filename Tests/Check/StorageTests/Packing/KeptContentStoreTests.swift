import DocentTestSupport
import Foundation
import Testing

@testable import Storage

/// Packing, reading and removing kept versions.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct KeptContentStoreTests {
    private let world: PackingWorld

    init() throws { world = try PackingWorld() }

    private static func changed(_ content: [UInt8], at offset: Int) -> [UInt8] {
        var content = content
        content[offset] ^= 0xFF
        return content
    }

    @discardableResult
    private func pack(
        _ store: KeptContentStore, _ operation: String, with other: String? = nil,
        step: (KeptContentStore.Step) throws -> Void = { _ in }
    ) throws -> KeptContentStore.Outcome {
        try store.pack(
            world.place(operation), comparedWith: other.map { try world.place($0) }, isGentle: false, step: step)
    }

    @Test("V11: twenty versions of a document of 4 MiB of which one byte changes take less than twice its size")
    func sharing() throws {
        let store = world.reopened()
        var content = PackingWorld.noise(1, 4 << 20)
        for number in 0..<20 {
            try world.keep("op-\(number)", content)
            content = Self.changed(content, at: number * 209_000 + 777)
        }
        for number in 0..<20 {
            let outcome = try pack(store, "op-\(number)", with: number == 0 ? "op-1" : "op-\(number - 1)")
            guard case .packed = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
        let space = try world.space()
        #expect(space < 8 << 20, "\(space)")
        #expect(try store.used() == world.chunks().reduce(0) { $0 + $1.size })
        #expect(try world.reopened().used() == store.used())
        try world.expectIntact(store)
        try world.expectIntact(world.reopened())
    }

    @Test("V11: bytes that are inserted or removed change a few chunks, and the date of the content stays")
    func insertion() throws {
        let store = world.reopened()
        let content = PackingWorld.noise(2, 1 << 20)
        try world.keep("a", content)
        try world.keep("b", [1, 2, 3] + content)
        try world.keep("c", Array(content[..<500_000] + content[500_100...]))
        let original = try store.open(world.place("b"))
        let before = try FileStatus(of: original.number).modified
        try pack(store, "a", with: "b")
        let one = try store.used()
        try pack(store, "b")
        try pack(store, "c")
        #expect(try one == 1 << 20 && store.used() < one + 4 * UInt64(FileCutter.maximum))
        try world.expectIntact(store)
        let file = try store.open(world.place("b"))
        #expect(try FileStatus(of: file.number).modified == before && FileStatus(of: file.number).links == 0)
    }

    @Test("V11: what two documents have in common is stored once")
    func documents() throws {
        let store = world.reopened()
        let content = PackingWorld.noise(3, 1 << 20)
        try world.keep("a", content)
        try world.keep("a-next", Self.changed(content, at: 5))
        try pack(store, "a", with: "a-next")
        let one = try store.used()
        try world.keep("other", content)
        guard case .packed(let own) = try pack(store, "other") else {
            Issue.record("not packed")
            return
        }
        #expect(try store.used() == one && own < 16_384)
        try store.remove([world.place("a")])
        #expect(try store.used() == one)
        try world.expectIntact(store, ["other", "a-next"])
    }

    @Test("V11: what shares nothing, small files, and files that are in use anyway stay whole")
    func unpacked() throws {
        let store = world.reopened()
        try world.keep("a", PackingWorld.noise(4, 1 << 20))
        try world.keep("b", PackingWorld.noise(5, 1 << 20))
        #expect(try pack(store, "a", with: "b") == .noGain && pack(store, "b", with: "a") == .noGain)
        #expect(try pack(store, "a") == .noGain && world.chunks().isEmpty)
        try world.keep("small", PackingWorld.noise(6, 65_535))
        try world.keep("same", PackingWorld.noise(6, 65_535))
        #expect(try pack(store, "small", with: "same") == .noGain)
        let staging = try Directory(path: world.layout.stagingDirectory)
        let name = try FileName("used")
        try write(PackingWorld.noise(4, 1 << 20), to: staging.create(name))
        let linked = try #require(try world.superseded.keep(linkTo: name, in: staging, for: "linked", .superseded))
        #expect(try store.pack(linked.place, comparedWith: world.place("a"), isGentle: false) == .notNow)
        // Once the document has another file, nothing else uses this one.
        try staging.remove(name)
        guard case .packed = try store.pack(linked.place, comparedWith: world.place("a"), isGentle: false) else {
            Issue.record("not packed")
            return
        }
        try world.expectIntact(store)
    }

    @Test("V11: removing a version frees the chunks that no other one needs, and no others")
    func removal() throws {
        let store = world.reopened()
        let content = PackingWorld.noise(7, 1 << 20)
        for number in 0..<4 { try world.keep("\(number)", Self.changed(content, at: number * 250_000 + 9)) }
        for number in 0..<4 { try pack(store, "\(number)", with: "\((number + 1) % 4)") }
        // One store counted while packing, the other one counts now.
        let other = world.reopened()
        try other.remove([world.place("1"), world.place("3")])
        try world.expectIntact(other, ["0", "2"])
        #expect(try other.used() == world.chunks().reduce(0) { $0 + $1.size })
        for _ in 0..<2 { try other.remove([world.place("0")], isDurable: true) }
        try world.expectIntact(other, ["2"])
        #expect(try other.used() == 1 << 20)
        expectCode(.notFound) { _ = try other.open(world.place("0")) }
        try other.remove([world.place("2")])
        #expect(try other.used() == 0 && world.chunks().isEmpty && world.space() == 0)
    }

    @Test(
        "V11: a damaged or missing chunk is an error of its version, and never other bytes", arguments: [true, false])
    func damage(isMissing: Bool) throws {
        let store = world.reopened()
        let content = PackingWorld.noise(8, 1 << 20)
        try world.keep("a", content)
        try world.keep("b", Self.changed(content, at: 600_000))
        try pack(store, "a", with: "b")
        let before = Set(try world.chunks().compactMap(\.digest))
        try pack(store, "b")
        let own = try #require(try world.chunks().first { $0.digest.map { !before.contains($0) } ?? false })
        let path = world.scratch.root + "/data/Chunks/\(own.folder)/\(own.name)"
        if isMissing {
            try FileManager.default.removeItem(atPath: path)
        } else {
            var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            bytes[bytes.count / 2] ^= 1
            try Data(bytes).write(to: URL(filePath: path))
        }
        expectCode(.corrupt) { _ = try store.open(world.place("b")) }
        try world.expectIntact(store, ["a"])
        // Another version with the same content does not rely on it: the chunk is written again.
        try world.keep("c", Self.changed(content, at: 600_000))
        try pack(store, "c")
        try world.expectIntact(store)
        try store.remove([world.place("b")])
        try world.expectIntact(world.reopened(), ["a", "c"])
    }

    @Test("V11: chunks stay when a recipe cannot be read, because it may need them")
    func unreadable() throws {
        let content = PackingWorld.noise(9, 1 << 20)
        try world.keep("a", content)
        try world.keep("b", Self.changed(content, at: 300_000))
        let store = world.reopened()
        try pack(store, "a", with: "b")
        try pack(store, "b")
        let place = try world.place("a")
        let recipe = try VersionRecipe.name(for: place.file)
        let path = world.scratch.root + "/data/Versions/\(place.folder)/\(recipe)"
        let whole = try Data(contentsOf: URL(filePath: path))
        try FileManager.default.removeItem(atPath: path)
        try Data(whole.dropLast()).write(to: URL(filePath: path))
        let count = try world.chunks().count
        let next = world.reopened()
        expectCode(.corrupt) { _ = try next.open(place) }
        try world.expectIntact(next, ["b"])
        #expect(try next.used() == store.used() && world.chunks().count == count)
        try FileManager.default.removeItem(atPath: path)
        try whole.write(to: URL(filePath: path))
        try world.expectIntact(world.reopened())
    }

    // MARK: Interruptions

    @Test("V8: a kill at any step of packing leaves every version readable, and packing it again completes it")
    func kills() throws {
        let content = PackingWorld.noise(10, 600_000)
        try world.keep("a", content)
        try world.keep("b", Self.changed(content, at: 300_000))
        var left: [(step: KeptContentStore.Step, layout: StorageLayout)] = []
        let store = world.reopened()
        for operation in ["a", "b"] {
            try pack(store, operation, with: operation == "a" ? "b" : nil) { step in
                left.append((step, try world.snapshot("left-\(left.count)")))
            }
        }
        #expect(Set(left.map(\.step)) == Set(KeptContentStore.Step.allCases))
        let used = try store.used()
        for (step, layout) in left {
            let next = KeptContentStore(layout: layout)
            func expectIntact(_ operations: [String]) throws {
                for operation in operations {
                    let file = try next.open(world.place(operation))
                    #expect(try bytes(of: file) == world.contents[operation], "\(step)")
                }
            }
            try expectIntact(["a", "b"])
            // Chunks that no recipe names go when the recipes are read, and nothing that is needed.
            _ = try next.used()
            try expectIntact(["a", "b"])
            for (operation, other) in [("a", "b"), ("b", "a")] {
                let outcome = try next.pack(
                    world.place(operation), comparedWith: world.place(other), isGentle: false)
                guard case .packed = outcome else {
                    Issue.record("\(step): \(outcome)")
                    continue
                }
            }
            try expectIntact(["a", "b"])
            #expect(try next.used() == used && KeptContentStore(layout: layout).used() == used, "\(step)")
            try next.remove([world.place("a")])
            try expectIntact(["b"])
            try next.remove([world.place("b")])
            #expect(try ChunkStore(layout: layout).all().isEmpty, "\(step)")
        }
    }

    @Test(
        "V8: a packing that fails at a step loses nothing and leaves nothing",
        arguments: KeptContentStore.Step.allCases)
    func failures(at failing: KeptContentStore.Step) throws {
        let content = PackingWorld.noise(11, 600_000)
        try world.keep("a", content)
        try world.keep("b", Self.changed(content, at: 300_000))
        let store = world.reopened()
        expectCode(.noSpace) {
            try pack(store, "a", with: "b") { step in
                if step == failing { throw FileSystemError(.noSpace, "The disk is full.") }
            }
        }
        try world.expectIntact(store)
        let isNamed = [.recipeNamed, .wholeRemoved].contains(failing)
        #expect(try world.state("a") == (failing != .wholeRemoved, isNamed))
        #expect(try world.chunks().isEmpty == !isNamed)
        // The same store goes on, and another one would.
        try pack(store, "a", with: "b")
        try pack(store, "b")
        try world.expectIntact(store)
        try world.expectIntact(world.reopened())
        #expect(try world.state("a") == (false, true) && world.state("b") == (false, true))
        let next = world.reopened()
        try next.remove([world.place("a"), world.place("b")])
        #expect(try world.space() == 0)
    }

    @Test("V8: on a full disk versions stay whole")
    func full() throws {
        let content = PackingWorld.noise(12, 600_000)
        try world.keep("a", content)
        try world.keep("b", content)
        let store = KeptContentStore(layout: world.layout, leastFree: .max / 2)
        expectCode(.noSpace) { try pack(store, "a", with: "b") }
        #expect(try world.state("a") == (true, false) && world.chunks().isEmpty)
        try world.expectIntact(store)
    }

    @Test("V8: a version that is removed while it is packed stays removed")
    func removedMeanwhile() throws {
        let content = PackingWorld.noise(13, 600_000)
        try world.keep("a", content)
        try world.keep("b", content)
        let store = world.reopened()
        let outcome = try pack(store, "a", with: "b") { step in
            if step == .chunksDurable { try store.remove([world.place("a")]) }
        }
        #expect(outcome == .notNow)
        expectCode(.notFound) { _ = try store.open(world.place("a")) }
        #expect(try world.chunks().isEmpty && store.used() == 0)
        try world.expectIntact(store, ["b"])
    }

    @Test("V8: packing stops when it is cancelled, and the version stays whole")
    func cancelled() throws {
        let content = PackingWorld.noise(14, 600_000)
        try world.keep("a", content)
        try world.keep("b", content)
        let store = world.reopened()
        let cancellation = Cancellation()
        expectCode(.cancelled) {
            _ = try store.pack(
                world.place("a"), comparedWith: world.place("b"), isGentle: true, cancellation: cancellation
            ) { _ in cancellation.cancel() }
        }
        #expect(try world.state("a") == (true, false) && world.chunks().isEmpty)
    }

    @Test("V1: a save that is repeated does not keep anything in the place of a packed version")
    func repeated() throws {
        let content = PackingWorld.noise(15, 600_000)
        try world.keep("a", content)
        try world.keep("b", content)
        let store = world.reopened()
        try pack(store, "a", with: "b")
        let other = try world.scratch.file("other", [1, 2, 3])
        #expect(try world.superseded.keep(copyOf: other, for: "a", .superseded).place == world.place("a"))
        let staging = try Directory(path: world.layout.stagingDirectory)
        let name = try FileName("other")
        _ = try staging.create(name)
        #expect(
            try world.superseded.keep(linkTo: name, in: staging, for: "a", .superseded)?.place == world.place("a"))
        #expect(try world.superseded.kept("a") == nil)
        try world.expectIntact(store)
        // The search for files without a record finds it under the place that it has.
        let files = try world.superseded.files(in: world.place("a").folder)
        #expect(try files.contains { try $0.place == world.place("a") && $0.operation == "a" })
    }
}
