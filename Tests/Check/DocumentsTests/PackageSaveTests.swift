import FoundationEssentials
import Testing
import Varlink

@testable import Documents

/// Saving packages: only changes are sent (N3), and all of them appear at once (W0).
@Suite struct PackageSaveTests {
    private func read(_ package: PackageOnFakeDaemon, _ client: DocumentsClient) async throws -> FileWrapper {
        try await FileWrapper.read(
            from: PackageReader(
                reference: PackageOnFakeDaemon.reference, version: package.version, client: client))
    }

    private func begin(
        _ client: DocumentsClient, replacing: Bool = false, claim: String? = nil
    ) async throws -> PackageWriteSession {
        try await PackageWriteSession.begin(
            PackageOnFakeDaemon.reference, replacing: replacing, claimName: claim, client: client)
    }

    private func steps(_ package: PackageOnFakeDaemon) -> [String] { package.log.filter { !$0.hasPrefix("open") } }

    @Test(
        "N3: only the changed element is sent, and next time only the next one, with and without versions of elements",
        arguments: [true, false])
    func incremental(hasVersions: Bool) async throws {
        let package = try PackageOnFakeDaemon(["a": "1", "f/b": "2", "f/c": "3"], hasVersions: hasVersions)
        let client = try #require(package.client())
        let root = try await read(package, client)
        let folder = try #require(root.fileWrappers?["f"])
        folder.removeFileWrapper(try #require(folder.fileWrappers?["b"]))
        folder.addRegularFile(withContents: Data("two".utf8), preferredFilename: "b")
        let session = try await begin(client, claim: "claim 7")
        try await root.write(to: session)
        try await session.commit()
        #expect(steps(package) == ["file f/b=two", "commit in claim 7"])
        #expect(!session.isOpen && package.files == ["a": "1", "f/b": "two", "f/c": "3"])
        #expect(folder.fileWrappers?["b"]?.filename == "b")

        root.addRegularFile(withContents: Data("4".utf8), preferredFilename: "d")
        let next = try await begin(client)
        try await root.write(to: next)
        try await next.commit()
        #expect(steps(package).dropFirst(2) == ["file d=4", "commit"])
        #expect(package.files == ["a": "1", "f/b": "two", "f/c": "3", "d": "4"])
    }

    @Test("N3: a renamed element is kept, not sent; a removed one is deleted")
    func renamed() async throws {
        let package = try PackageOnFakeDaemon(["a": "1", "b": "2"], folders: ["f"])
        let client = try #require(package.client())
        let root = try await read(package, client)
        let moved = try #require(root.fileWrappers?["a"])
        root.removeFileWrapper(moved)
        root.removeFileWrapper(try #require(root.fileWrappers?["b"]))
        root.fileWrappers?["f"]?.addFileWrapper(moved)
        let session = try await begin(client)
        try await root.write(to: session)
        try await session.commit()
        #expect(steps(package) == ["remove a", "remove b", "keep a at f/a", "commit"])
        #expect(package.files == ["f/a": "1"])
    }

    @Test("N3: a renamed element is sent if the provider cannot move it inside its package")
    func renamedWhereNothingMoves() async throws {
        let package = try PackageOnFakeDaemon(["a": "1"], movesElements: false)
        let client = try #require(package.client())
        let root = try await read(package, client)
        let moved = try #require(root.fileWrappers?["a"])
        root.removeFileWrapper(moved)
        moved.preferredFilename = "b"
        root.addFileWrapper(moved)
        let session = try await begin(client)
        try await root.write(to: session)
        try await session.commit()
        #expect(steps(package) == ["remove a", "keep a at b", "file b=1", "commit"])
        #expect(package.files == ["b": "1"])
    }

    @Test("N3: an element that was changed elsewhere since it was read is sent, so that the package is what was saved")
    func changedMeanwhile() async throws {
        let package = try PackageOnFakeDaemon(["a": "1", "b": "2"])
        let client = try #require(package.client())
        let root = try await read(package, client)
        package.change("a", "theirs")
        let session = try await begin(client)
        try await root.write(to: session)
        try await session.commit()
        #expect(steps(package) == ["file a=1", "commit"])
        #expect(package.files == ["a": "1", "b": "2"])
    }

    @Test("W0: replacing starts with nothing, and everything is sent, including empty folders")
    func replacing() async throws {
        let package = try PackageOnFakeDaemon(["a": "1", "gone": "2"])
        let client = try #require(package.client())
        let root = try await read(package, client)
        root.removeFileWrapper(try #require(root.fileWrappers?["gone"]))
        let empty = FileWrapper(directoryWithFileWrappers: [:])
        empty.preferredFilename = "empty"
        root.addFileWrapper(empty)
        let session = try await begin(client, replacing: true)
        try await root.write(to: session)
        try await session.commit()
        #expect(package.files == ["a": "1"] && package.folders == ["empty"])
    }

    @Test("W0: an abandoned session changes nothing, and the next one sends everything that it would have sent")
    func abandoned() async throws {
        let package = try PackageOnFakeDaemon(["a": "1"])
        let client = try #require(package.client())
        let root = try await read(package, client)
        root.addRegularFile(withContents: Data("2".utf8), preferredFilename: "b")
        let session = try await begin(client)
        try await root.write(to: session)
        try await session.abandon()
        #expect(!session.isOpen && package.files == ["a": "1"])
        #expect(root.fileWrappers?["b"]?.filename == nil)
        let next = try await begin(client)
        try await root.write(to: next)
        try await next.commit()
        #expect(package.files == ["a": "1", "b": "2"])
    }

    @Test("M4: a wrapper matches its package until either changes, and again after saving")
    func matching() async throws {
        let package = try PackageOnFakeDaemon(["a": "1", "f/b": "2"])
        let client = try #require(package.client())
        let root = try await read(package, client)
        func matches() async throws -> Bool {
            try await root.matchesContents(
                of: PackageReader(reference: PackageOnFakeDaemon.reference, version: package.version, client: client))
        }
        let atFirst = try await matches()
        root.addRegularFile(withContents: Data("3".utf8), preferredFilename: "c")
        let changed = try await matches()
        let session = try await begin(client)
        try await root.write(to: session)
        try await session.commit()
        let saved = try await matches()
        package.change("f/b", "theirs")
        let changedByOthers = try await matches()
        #expect([atFirst, changed, saved, changedByOthers] == [true, false, true, false])
    }

    @Test("M4: elements can be staged one by one without wrappers, from descriptors and from memory")
    func byHand() async throws {
        let package = try PackageOnFakeDaemon(["a": "1"])
        let client = try #require(package.client())
        let session = try await begin(client)
        #expect(session.elements.map(\.path) == ["a"] && session.baseVersion == "1")
        let file = try FakeDaemon.file("from a file")
        try await session.write(contentsOf: file.raw, at: "f/b")
        try await session.write(Data(), at: "empty")
        try await session.keep(elementAt: "a", at: "g/a")
        try await session.remove(at: "a")
        let error = await #expect(throws: DocumentsError.self) { try await session.makeFolder(at: "f/../x") }
        #expect(error?.code == .invalidArgument)
        try await session.commit()
        #expect(package.files == ["f/b": "from a file", "empty": "", "g/a": "1"])
    }
}
