import DocentInterfaces
import FileProvider
import Foundation
import Synchronization
import Testing
import Varlink

@Suite struct FileProviderExtensionTests {
    private typealias Interface = FileProviderInterface

    /// A server of ``FakeExtension`` over an empty storage.
    private func with<Result>(
        _ principal: String = "FileProviderTests.FakeExtension",
        _ body: (ExtensionUnderTest, String) async throws -> Result
    ) async throws -> Result {
        try await Scratch.folder { storage in
            try await body(try await ExtensionUnderTest(principal, storage: storage), storage)
        }
    }

    private func item(_ host: ExtensionUnderTest, _ identifier: String) async throws -> Wire.ProviderItem {
        try await host.call(Interface.Item.self, .init(domain: "", identifier: identifier)).item
    }

    @Test("F1, D5, D6: the default identifier is the path relative to the storage, both ways")
    func mapsIdentifiers() async throws {
        try await with { host, storage in
            let url = URL(filePath: storage + "/a b/ü?.txt")
            let identifier = try await host.call(
                Interface.PersistentIdentifier.self, .init(domain: "", url: url.absoluteString)
            ).identifier
            #expect(identifier == "a b/ü?.txt")
            let back = try await host.call(Interface.URLForItem.self, .init(domain: "", identifier: identifier)).url
            #expect(URL(string: back)?.path == url.path)
        }
    }

    @Test(
        "C5, X3: no URL and no identifier leads out of the storage",
        arguments: ["../x", "..", "/etc/passwd", "a/../../x", "", "a//b", "."])
    func staysInside(identifier: String) async throws {
        try await with { host, storage in
            for attempt in 0..<2 {
                let failure = await #expect(throws: Failure.self) {
                    if attempt == 0 {
                        _ = try await self.item(host, identifier)
                    } else {
                        _ = try await host.call(
                            Interface.PersistentIdentifier.self,
                            .init(domain: "", url: URL(filePath: storage + "/../x").absoluteString))
                    }
                }
                #expect([.noSuchItem, .invalidArgument].contains(failure?.code))
            }
        }
    }

    @Test("D7, D12: an item without file and placeholder asks for the placeholder, and is described from it")
    func providesPlaceholder() async throws {
        try await with { host, storage in
            let item = try await item(host, "remote.txt")
            #expect(item.size == 6)
            #expect(item.isDownloaded == false)
            #expect(item.version == "v1")
            #expect(FakeExtension.calls.withLock { $0.contains("placeholder \(storage)/remote.txt") })
            #expect(!FileManager.default.fileExists(atPath: storage + "/remote.txt"))
            let failure = await #expect(throws: Failure.self) { _ = try await self.item(host, "missing") }
            #expect(failure?.code == .noSuchItem)
        }
    }

    @Test("E1, 3.7: a listing shows a placeholder once, as its document, and the file once it exists")
    func listsPlaceholders() async throws {
        try await with { host, storage in
            _ = try await item(host, "remote.txt")
            try Data("x".utf8).write(to: URL(filePath: storage + "/local.txt"))
            func list() async throws -> [String] {
                try await host.call(Interface.Children.self, .init(domain: "", parent: ".root")).items
                    .map { "\($0.identifier) \($0.isDownloaded.map(String.init) ?? "")" }.sorted()
            }
            #expect(try await list() == ["local.txt true", "remote.txt false"])
            _ = try await host.call(Interface.OpenInPlace.self, .init(domain: "", identifier: "remote.txt"))
            #expect(try await list() == ["local.txt true", "remote.txt true"])
        }
    }

    @Test("D8: a missing file is provided before it is opened")
    func startsProviding() async throws {
        try await with { host, storage in
            let reply = try await host.connection.call(
                Interface.OpenInPlace.self, .init(domain: "", identifier: "remote.txt"))
            let file = try reply.descriptors.take(0)
            #expect(Scratch.contents(file.raw) == Array("remote".utf8))
            #expect(FakeExtension.calls.withLock { $0.contains("start \(storage)/remote.txt") })
        }
    }

    @Test("X11: a callback that the author did not override is a clear error, never a hang")
    func reportsMissingOverrides() async throws {
        try await with("FileProviderTests.EmptyExtension") { host, _ in
            let placeholder = await #expect(throws: Failure.self) { _ = try await self.item(host, "x") }
            #expect(placeholder?.message.contains("providePlaceholder") == true)
            let start = await #expect(throws: Failure.self) {
                _ = try await host.call(Interface.OpenInPlace.self, .init(domain: "", identifier: "x"))
            }
            #expect(start?.message.contains("startProvidingItem") == true)
        }
    }

    @Test(
        "D9, D14, 2.10: a save is written; itemChanged comes when the host says so; on a placeholder nothing is fetched"
    )
    func tellsChanges() async throws {
        try await with { host, storage in
            _ = try await item(host, "remote.txt")
            let saved = try await host.call(
                Interface.Modify.self,
                .init(
                    domain: "", identifier: "remote.txt", baseVersion: "v1", content: 0, size: 4, digest: "d",
                    operation: "o"), content: Array("mine".utf8))
            #expect(saved.item?.size == 4)
            #expect(try String(contentsOf: URL(filePath: storage + "/remote.txt"), encoding: .utf8) == "mine")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: storage).sorted() == [
                    ".docent-operations-v1", "remote.txt",
                ])
            let created = try await host.call(
                Interface.Create.self,
                .init(
                    domain: "", parent: ".root", name: "new.txt", isFolder: false, content: 0, size: 1, digest: "n",
                    operation: "c"), content: Array("n".utf8))
            #expect(created.item?.identifier == "new.txt")
            #expect(!FakeExtension.calls.withLock { $0.contains { $0.hasPrefix("changed \(storage)") } })
            for name in ["remote.txt", "new.txt"] {
                _ = try await host.call(Interface.ItemChanged.self, .init(domain: "", identifier: name))
                #expect(FakeExtension.calls.withLock { $0.contains("changed \(storage)/\(name)") })
            }
            _ = try await host.call(Interface.StopProviding.self, .init(domain: "", identifier: "new.txt"))
            #expect(FakeExtension.calls.withLock { $0.contains("stop \(storage)/new.txt") })
            #expect(!FakeExtension.calls.withLock { $0.contains("start \(storage)/remote.txt") })
        }
    }

    @Test("A placeholder with another version than the base is not overwritten")
    func refusesOldBase() async throws {
        try await with { host, _ in
            let failure = await #expect(throws: Failure.self) {
                _ = try await host.call(
                    Interface.Modify.self,
                    .init(
                        domain: "", identifier: "remote.txt", baseVersion: "v0", content: 0, size: 0, digest: "d",
                        operation: "o"), content: [])
            }
            #expect(failure?.code == .versionOutOfDate)
        }
    }
}
