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
    /// Two clients, and folders to which both have a right.
    private struct LinkedFolders: Sendable {
        let installation: Installation
        let first: DocumentsClient
        let second: DocumentsClient

        /// Creates a folder that contains a document and a link to it. Returns the items by name, and the `folder`.
        func make(_ folder: String) async throws -> [String: DocumentReference] {
            try Rights.makeFolder(installation, "/\(folder)/inner")
            try installation.write("text", to: "\(folder)/inner/a.txt")
            try #require(symlink("inner/a.txt", "\(path(folder))/link.txt") == 0)
            var items: [String: DocumentReference] = [:]
            for client in [first, second] {
                let reference = try await Rights.folder(client, "/" + folder).reference
                items["folder"] = reference
                let listed = try await client.call(
                    DocumentsInterface.List.self, .init(reference: reference.wire))
                for item in listed.value.items { items[item.name] = DocumentReference(item.reference) }
            }
            items["a.txt"] = try await Rights.reference(installation, "/\(folder)/inner/a.txt")
            return items
        }

        func path(_ folder: String) -> String { "\(installation.documents)/\(folder)" }
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

    @Test(
        "2.2, 2.3, 2.4, 2.6: claims, presenters and saves on a link concern its target; a move or deletion concerns the link only"
    )
    func links() async throws {
        try await Installation.withLocalFolder { installation in
            let (first, second) = (installation.client("org.example.First"), installation.client("org.example.Second"))
            defer {
                first.close()
                second.close()
            }
            let folders = LinkedFolders(installation: installation, first: first, second: second)
            try await Self.exclude(folders)
            try await TestStep.run("resolved") { try await Self.resolved(folders) }
            try await TestStep.run("presented") { try await Self.presented(folders) }
            try await TestStep.run("prepared") { try await Self.prepared(folders) }
            for replacing in [true, false] {
                try await TestStep.run("saved, replacing: \(replacing)") {
                    try await Self.saved(folders, replacing: replacing)
                }
            }
            try await TestStep.run("managed") { try await Self.managed(folders) }
        }
    }

    /// A claim on a link and one on its target are claims on the same item, and wait for each other (2.3).
    private static func exclude(_ folders: LinkedFolders) async throws {
        let items = try await folders.make("excluded")
        for (held, wanted) in [("link.txt", "a.txt"), ("a.txt", "link.txt"), ("link.txt", "link.txt")] {
            let name = "\(held) excludes \(wanted)"
            try await TestStep.run(name) {
                let (here, there) = (try #require(items[held]), try #require(items[wanted]))
                let writing = Held()
                let writer = Task {
                    try await FileCoordinator(client: folders.first).coordinate(writingItemAt: here) { _ in
                        await writing.hold()
                    }
                }
                try await folders.installation.eventually("the writer has it") { writing.isGranted }
                let reading = Held()
                reading.release()
                let reader = Task {
                    try await FileCoordinator(client: folders.second).coordinate(readingItemAt: there) { _ in
                        await reading.hold()
                    }
                }
                try await folders.installation.eventually("the reader waits") {
                    let claims = try await folders.installation.docent("claims", "--json").succeeded().text
                    return claims.contains("waiting")
                }
                #expect(!reading.isGranted, "\(name)")
                writing.release()
                try await writer.value
                try await reader.value
                #expect(reading.isGranted, "\(name)")
            }
        }
    }

    /// `resolvesSymbolicLink` gives the accessor the target; without it the accessor gets the link and the content
    /// (2.2).
    private static func resolved(_ folders: LinkedFolders) async throws {
        let (client, items) = (folders.first, try await folders.make("resolved"))
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

    /// A presenter of a link is asked and notified like a presenter of its target (2.4).
    private static func presented(_ folders: LinkedFolders) async throws {
        let (installation, items) = (folders.installation, try await folders.make("presented"))
        let shown = Shown(try #require(items["link.txt"]))
        try await folders.first.addFilePresenter(shown)
        let target = try #require(items["a.txt"])
        try await FileCoordinator(client: folders.second).coordinate(writingItemAt: target) { access in
            let session = try await access.session(replacing: true)
            _ = write(session.descriptor, "other", 5)
        }
        try await installation.eventually("it is notified: \(shown.kinds)") { shown.kinds.contains("changed") }
        #expect(shown.kinds.first == "relinquish")
        // Removing the link does not affect the document.
        try await installation.docent("rm", "LocalFolder:/presented/link.txt").succeeded()
        #expect(!shown.kinds.contains("deleted"))
        await folders.first.removeFilePresenter(shown)
    }

    /// Resolving links cannot be prepared for (2.6).
    private static func prepared(_ folders: LinkedFolders) async throws {
        let link = try #require(try await folders.make("prepared")["link.txt"])
        #expect(
            await IsolationTests.failure {
                try await FileCoordinator(client: folders.first).prepare(
                    forReadingItemsAt: [link], options: .resolvesSymbolicLink
                ) {}
            } == .invalidArgument)
    }

    /// A save through a link goes to its target; the link stays (2.3).
    private static func saved(_ folders: LinkedFolders, replacing: Bool) async throws {
        let folder = replacing ? "replaced" : "changed"
        let link = try #require(try await folders.make(folder)["link.txt"])
        let path = folders.path(folder)
        for text in ["first", "second"] {
            try await FileCoordinator(client: folders.first).coordinate(
                writingItemAt: link, options: replacing ? .forReplacing : []
            ) { access in
                let session = try await access.session(replacing: true)
                _ = write(session.descriptor, text, text.utf8.count)
            }
            #expect(folders.installation.read(path + "/inner/a.txt") == text, "\(folder), \(text)")
            #expect(
                try FileManager.default.destinationOfSymbolicLink(atPath: path + "/link.txt") == "inner/a.txt",
                "\(folder), \(text)")
        }
    }

    /// Moving and deleting a link leave its target in place, and do not ask the target's presenters (2.3).
    private static func managed(_ folders: LinkedFolders) async throws {
        let (client, items) = (folders.first, try await folders.make("managed"))
        let (link, target) = (try #require(items["link.txt"]), try #require(items["a.txt"]))
        let path = folders.path("managed")
        let reading = Held()
        let reader = Task {
            try await FileCoordinator(client: folders.second).coordinate(readingItemAt: target) { _ in
                await reading.hold()
            }
        }
        try await folders.installation.eventually("the reader has it") { reading.isGranted }
        try await FileCoordinator(client: client).coordinate(writingItemAt: link, options: .forMoving) { access in
            _ = try await access.move(name: "moved.txt")
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path + "/moved.txt") == "inner/a.txt")
        try await FileCoordinator(client: client).coordinate(writingItemAt: link, options: .forDeleting) { access in
            try await access.delete()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["inner"])
        #expect(folders.installation.read(path + "/inner/a.txt") == "text")
        #expect(reading.isGranted)
        reading.release()
        try await reader.value
    }

    @Test("2.3: names that differ only in case are one item if the provider says so, whether it exists or not")
    func caseVariants() async throws {
        try await LinkingStage.with { stage in
            try stage.link("link.txt", to: "a.txt")
            let clients = ["org.example.First", "org.example.Second"].map { stage.installation.client($0) }
            defer { for client in clients { client.close() } }
            var folder: DocumentReference?
            for client in clients {
                folder = try await DocumentPicker(client: client, validTypes: ["public.folder"]).openDocument(
                    at: stage.location("/")
                ).reference
            }
            let root = try #require(folder)
            for (held, wanted) in [
                ("a.txt", "A.TXT"), ("new.txt", "NEW.txt"), ("grüße.txt", "GRÜSSE.TXT"), ("LINK.txt", "a.txt"),
            ] {
                try await TestStep.run("\(held), \(wanted)") {
                    try await Self.isOne(held, wanted, in: root, clients[0], clients[1], stage.installation)
                }
            }
        }
    }

    private static func isOne(
        _ held: String, _ wanted: String, in root: DocumentReference, _ first: DocumentsClient,
        _ second: DocumentsClient, _ installation: Installation
    ) async throws {
        let writing = Held()
        let writer = Task {
            try await FileCoordinator(client: first).coordinate(
                writingItemAt: DocumentPlace(name: held, in: root), options: .forReplacing
            ) { _ in await writing.hold() }
        }
        try await installation.eventually("the first has it") { writing.isGranted }
        let waiting = Held()
        waiting.release()
        let other = Task {
            try await FileCoordinator(client: second).coordinate(
                writingItemAt: DocumentPlace(name: wanted, in: root), options: .forReplacing
            ) { _ in await waiting.hold() }
        }
        try await installation.eventually("the second waits") {
            try await installation.docent("claims", "--json").succeeded().text.contains("waiting")
        }
        #expect(!waiting.isGranted, "\(held), \(wanted)")
        // Another name is another item.
        try await FileCoordinator(client: second).coordinate(
            writingItemAt: DocumentPlace(name: "other.txt", in: root), options: .forReplacing
        ) { _ in }
        writing.release()
        try await writer.value
        try await other.value
        #expect(waiting.isGranted, "\(held), \(wanted)")
    }
}
