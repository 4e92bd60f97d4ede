import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Synchronization
import Testing
import Varlink

/// Links and names that differ only in case, in claims: one item (2.3, 2.2).
@Suite(.needs(.daemon, .server)) struct LinkClaimTests {
    /// Two clients with a right to a folder that contains a document and a link to it.
    private static func with(
        _ body: (Installation, _ first: DocumentsClient, _ second: DocumentsClient, [String: DocumentReference])
            async throws -> Void
    ) async throws {
        try await Installation.withLocalFolder { installation in
            try Rights.makeFolder(installation, "/work/inner")
            try installation.write("text", to: "work/inner/a.txt")
            #expect(symlink("inner/a.txt", installation.documents + "/work/link.txt") == 0)
            let clients = ["org.example.First", "org.example.Second"].map { installation.client($0) }
            defer { for client in clients { client.close() } }
            var items: [String: DocumentReference] = [:]
            for client in clients {
                let folder = try await Rights.folder(client, "/work").reference
                items["folder"] = folder
                for item in try await client.call(DocumentsInterface.List.self, .init(reference: folder.wire)).value
                    .items
                {
                    items[item.name] = DocumentReference(item.reference)
                }
            }
            items["a.txt"] = try await Rights.reference(installation, "/work/inner/a.txt")
            try await body(installation, clients[0], clients[1], items)
        }
    }

    /// Holds a claim until `release` and reports when it was granted.
    private final class Held: Sendable {
        private let state = Mutex((isGranted: false, isOver: false))
        private let gate = AsyncStream.makeStream(of: Void.self)

        var isGranted: Bool { state.withLock { $0.isGranted } }

        func hold() async {
            state.withLock { $0.isGranted = true }
            for await _ in gate.stream { return }
        }

        func release() { gate.continuation.yield() }
    }

    @Test(
        "2.3: a claim on a link and one on its target are claims on the same item, and wait for each other",
        arguments: [("link.txt", "a.txt"), ("a.txt", "link.txt"), ("link.txt", "link.txt")])
    func exclude(_ held: String, _ wanted: String) async throws {
        try await Self.with { installation, first, second, items in
            let (here, there) = (try #require(items[held]), try #require(items[wanted]))
            let writing = Held()
            let writer = Task {
                try await FileCoordinator(client: first).coordinate(writingItemAt: here) { _ in await writing.hold() }
            }
            try await installation.eventually("the writer has it") { writing.isGranted }
            let reading = Held()
            reading.release()
            let reader = Task {
                try await FileCoordinator(client: second).coordinate(readingItemAt: there) { _ in await reading.hold() }
            }
            try await installation.eventually("the reader waits") {
                let claims = try await installation.docent("claims", "--json").succeeded().text
                return claims.contains("waiting")
            }
            #expect(!reading.isGranted)
            writing.release()
            try await writer.value
            try await reader.value
            #expect(reading.isGranted)
        }
    }

    @Test(
        "2.2: resolvesSymbolicLink gives the accessor the target; without it the accessor gets the link and the content"
    )
    func resolved() async throws {
        try await Self.with { _, client, _, items in
            let (link, target) = (try #require(items["link.txt"]), try #require(items["a.txt"]))
            for (options, expected) in [(FileCoordinator.ReadingOptions(), link), (.resolvesSymbolicLink, target)] {
                try await FileCoordinator(client: client).coordinate(readingItemAt: link, options: options) { access in
                    #expect(access.reference == expected)
                    let file = try access.openForReading()
                    #expect(IsolationTests.text(file) == "text")
                    #expect(access.item.isSymbolicLink == (expected == link))
                    #expect(access.item.size == 4)
                }
            }
            // The option has no effect on an item that is not a link.
            try await FileCoordinator(client: client).coordinate(
                readingItemAt: target, options: .resolvesSymbolicLink
            ) { #expect($0.reference == target) }
            // Its name in the folder refers to the same item.
            let place = DocumentPlace(name: "link.txt", in: try #require(items["folder"]))
            try await FileCoordinator(client: client).coordinate(writingItemAt: place) { access in
                #expect(access.reference == link)
            }
        }
    }

    /// Counts the notifications about its item.
    private final class Shown: FilePresenter {
        let presentedItem: DocumentPlace?
        private let told = Mutex<[String]>([])

        init(_ reference: DocumentReference) { presentedItem = DocumentPlace(reference) }

        var kinds: [String] { told.withLock { $0 } }

        func relinquishPresentedItem(toWriter cause: ChangeCause) async -> (@Sendable () async -> Void)? {
            told.withLock { $0.append("relinquish") }
            return nil
        }

        func presentedItemDidChange(_ change: PresentedChange) async { told.withLock { $0.append("changed") } }

        func presentedItemDidDelete(_ change: PresentedChange) async { told.withLock { $0.append("deleted") } }
    }

    @Test("2.4: a presenter of a link is asked and notified like a presenter of its target")
    func presented() async throws {
        try await Self.with { installation, first, second, items in
            let shown = Shown(try #require(items["link.txt"]))
            try await first.addFilePresenter(shown)
            try await FileCoordinator(client: second).coordinate(writingItemAt: #require(items["a.txt"])) { access in
                let session = try await access.session(replacing: true)
                _ = write(session.descriptor, "other", 5)
            }
            try await installation.eventually("it is notified: \(shown.kinds)") { shown.kinds.contains("changed") }
            #expect(shown.kinds.first == "relinquish")
            // Removing the link does not affect the document.
            try await installation.docent("rm", "LocalFolder:/work/link.txt").succeeded()
            #expect(!shown.kinds.contains("deleted"))
            await first.removeFilePresenter(shown)
        }
    }

    @Test("2.6: resolving links cannot be prepared for")
    func prepared() async throws {
        try await Self.with { _, client, _, items in
            let link = try #require(items["link.txt"])
            #expect(
                await IsolationTests.failure {
                    try await FileCoordinator(client: client).prepare(
                        forReadingItemsAt: [link], options: .resolvesSymbolicLink
                    ) {}
                } == .invalidArgument)
        }
    }

    @Test("2.3, W: a save through a link goes to its target; the link stays", arguments: [true, false])
    func saved(replacing: Bool) async throws {
        try await Self.with { installation, client, _, items in
            let link = try #require(items["link.txt"])
            for text in ["first", "second"] {
                try await FileCoordinator(client: client).coordinate(
                    writingItemAt: link, options: replacing ? .forReplacing : []
                ) { access in
                    let session = try await access.session(replacing: true)
                    _ = write(session.descriptor, text, text.utf8.count)
                }
                let path = installation.documents + "/work/"
                #expect(installation.read(path + "inner/a.txt") == text)
                #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path + "link.txt") == "inner/a.txt")
            }
        }
    }

    @Test("2.3: moving and deleting a link leave its target in place, and do not ask the target's presenters")
    func managed() async throws {
        try await Self.with { installation, client, second, items in
            let (link, target) = (try #require(items["link.txt"]), try #require(items["a.txt"]))
            let path = installation.documents + "/work/"
            let reading = Held()
            let reader = Task {
                try await FileCoordinator(client: second).coordinate(readingItemAt: target) { _ in await reading.hold()
                }
            }
            try await installation.eventually("the reader has it") { reading.isGranted }
            try await FileCoordinator(client: client).coordinate(writingItemAt: link, options: .forMoving) { access in
                _ = try await access.move(name: "moved.txt")
            }
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path + "moved.txt") == "inner/a.txt")
            try await FileCoordinator(client: client).coordinate(writingItemAt: link, options: .forDeleting) { access in
                try await access.delete()
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["inner"])
            #expect(installation.read(path + "inner/a.txt") == "text")
            #expect(reading.isGranted)
            reading.release()
            try await reader.value
        }
    }

    @Test(
        "2.3: names that differ only in case are one item if the provider says so, whether it exists or not",
        arguments: [("a.txt", "A.TXT"), ("new.txt", "NEW.txt"), ("grüße.txt", "GRÜSSE.TXT"), ("LINK.txt", "a.txt")])
    func caseVariants(_ held: String, _ wanted: String) async throws {
        try await LinkingStage.with { stage in
            let installation = stage.installation
            try stage.link("link.txt", to: "a.txt")
            let clients = ["org.example.First", "org.example.Second"].map { installation.client($0) }
            defer { for client in clients { client.close() } }
            var folder: DocumentReference?
            for client in clients {
                folder = try await DocumentPicker(client: client, validTypes: ["public.folder"]).openDocument(
                    at: stage.location("/")
                ).reference
            }
            let root = try #require(folder)
            let writing = Held()
            let writer = Task {
                try await FileCoordinator(client: clients[0]).coordinate(
                    writingItemAt: DocumentPlace(name: held, in: root), options: .forReplacing
                ) { _ in await writing.hold() }
            }
            try await installation.eventually("the first has it") { writing.isGranted }
            let waiting = Held()
            waiting.release()
            let other = Task {
                try await FileCoordinator(client: clients[1]).coordinate(
                    writingItemAt: DocumentPlace(name: wanted, in: root), options: .forReplacing
                ) { _ in await waiting.hold() }
            }
            try await installation.eventually("the second waits") {
                try await installation.docent("claims", "--json").succeeded().text.contains("waiting")
            }
            #expect(!waiting.isGranted)
            // Another name is another item.
            try await FileCoordinator(client: clients[1]).coordinate(
                writingItemAt: DocumentPlace(name: "other.txt", in: root), options: .forReplacing
            ) { _ in }
            writing.release()
            try await writer.value
            try await other.value
            #expect(waiting.isGranted)
        }
    }
}
