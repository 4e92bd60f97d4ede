import DocentTestSupport
import FileProvider
import Foundation
import LocalFolder
import Synchronization
import Testing

@Suite struct LocalFolderIdentityTests {
    /// The progress of a concurrent reader.
    private final class Looks: Sendable {
        let count = Atomic(0)
        let isOver = Atomic(false)
        let isEnough = Atomic(false)
    }

    @Test("F2, complaint 18: renaming a document or a folder above it keeps the identifier", arguments: [false, true])
    func keepsIdentifier(restarts: Bool) async throws {
        try await LocalFolderFixture.with { fixture in
            try FileManager.default.createDirectory(
                atPath: fixture.path + "/a/b", withIntermediateDirectories: true)
            try fixture.write("text", to: "a/b/old")
            let a = try await fixture.child("a")
            let b = try await fixture.child("b", in: a.identifier)
            let item = try await fixture.child("old", in: b.identifier)
            try FileManager.default.moveItem(atPath: fixture.path + "/a/b/old", toPath: fixture.path + "/a/b/new")
            try FileManager.default.moveItem(atPath: fixture.path + "/a", toPath: fixture.path + "/z")
            if restarts { try fixture.restart() }
            let found = try await fixture.provider.item(for: item.identifier)
            #expect(found.filename == "new")
            #expect(found.identifier == item.identifier)
            #expect(found.parent == b.identifier)
            let text = try await fixture.text(item.identifier)
            #expect(text == "text")
        }
    }

    @Test("F2: a restarted provider finds an identifier that this process has never seen")
    func findsAfterRestart() async throws {
        try await LocalFolderFixture.with { fixture in
            try FileManager.default.createDirectory(
                atPath: fixture.path + "/x/y/z", withIntermediateDirectories: true)
            try fixture.write("text", to: "x/y/z/deep")
            let x = try await fixture.child("x")
            let y = try await fixture.child("y", in: x.identifier)
            let z = try await fixture.child("z", in: y.identifier)
            let item = try await fixture.child("deep", in: z.identifier)
            try fixture.restart()
            #expect(try await fixture.provider.item(for: item.identifier).filename == "deep")
        }
    }

    @Test("W, in place: our own saves keep the identifier, repeatedly and over a restart")
    func keepsIdentifierOverSaves() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("0", to: "doc")
            var item = try await fixture.child("doc")
            let identifier = item.identifier
            for round in 1...12 {
                item = try await fixture.modify(item, to: "\(round)").item
                #expect(item.identifier == identifier)
                if round.isMultiple(of: 3) { try fixture.restart() }
            }
            let text = try await fixture.text(identifier)
            #expect(text == "12")
            #expect(try await fixture.list().map(\.identifier) == [identifier])
            #expect(try fixture.names() == ["doc"])
        }
    }

    @Test("H5: an item that is saved repeatedly is found at every moment by concurrent lookups")
    func isFoundWhileItIsSaved() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("0", to: "doc")
            let first = try await fixture.child("doc")
            let identifier = first.identifier
            let provider = fixture.provider
            let saving = fixture
            let looks = Looks()
            // On a thread of its own: neither side ever suspends, and the pool may have a single thread.
            let reader = Task.detached(executorPreference: TestThreads.shared) {
                defer { looks.isOver.store(true, ordering: .releasing) }
                // Stopped by a flag and not by cancellation: a lookup fails if it is cancelled while it runs.
                while !looks.isEnough.load(ordering: .acquiring) {
                    let item = try await provider.item(for: identifier)
                    #expect(item.identifier == identifier)
                    looks.count.add(1, ordering: .releasing)
                }
            }
            defer { looks.isEnough.store(true, ordering: .releasing) }
            var item = first
            var round = 0
            // However the two interleave: at least this many saves, and this many lookups beside them.
            while round < 300 || looks.count.load(ordering: .acquiring) < 300, !looks.isOver.load(ordering: .acquiring)
            {
                round += 1
                item = try await saving.modify(item, to: "\(round)").item
                #expect(item.identifier == identifier)
            }
            looks.isEnough.store(true, ordering: .releasing)
            try await reader.value
            #expect(try await fixture.text(identifier) == "\(round)")
        }
    }

    @Test(
        "Complaint 19: after another program's save the identifier stands for the new file", arguments: [false, true])
    func followsForeignSave(restarts: Bool) async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("old", to: "doc")
            let item = try await fixture.child("doc")
            _ = try await fixture.provider.item(for: item.identifier)
            try fixture.saveElsewhere("newer", to: "doc")
            if restarts { try fixture.restart() }
            let found = try await fixture.provider.item(for: item.identifier)
            #expect(found.identifier == item.identifier)
            #expect(found.version != item.version)
            let text = try await fixture.text(item.identifier)
            #expect(text == "newer")
        }
    }

    @Test("A deleted file is gone; a file in a folder that cannot be opened is not")
    func tellsGoneFromUnreachable() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("text", to: "doc")
            try fixture.write("text", to: "other")
            let item = try await fixture.child("doc")
            let other = try await fixture.child("other")
            try FileManager.default.removeItem(atPath: fixture.path + "/doc")
            let provider = fixture.provider
            #expect(await code { _ = try await provider.item(for: item.identifier) } == .noSuchItem)
            #expect(await code { _ = try await provider.item(for: ItemIdentifier("nonsense")) } == .noSuchItem)
            try FileManager.default.moveItem(atPath: fixture.path, toPath: fixture.path + "-away")
            try fixture.restart()
            let restarted = fixture.provider
            #expect(await code { _ = try await restarted.item(for: other.identifier) } == .serverUnreachable)
            try FileManager.default.moveItem(atPath: fixture.path + "-away", toPath: fixture.path)
        }
    }
}
