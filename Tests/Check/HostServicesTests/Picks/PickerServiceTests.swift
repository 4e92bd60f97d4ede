import Access
import DaemonCore
import DocentInterfaces
import DocentTestSupport
import ExtensionHosting
import FileProvider
import Foundation
import HostCore
import HostTesting
import Records
import RemoteDocuments
import Rights
import Saving
import Storage
import Testing

@testable import HostServices

/// Choosing in the four modes, with the host's own browser and with a provider's picker (C1–C5).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct PickerServiceTests {
    static let kinds = [TestProviderKind.inPlace, .remote, .ownPicker]

    private static func refuses(
        _ code: FailureCode, _ body: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let failure = await #expect(throws: Failure.self, sourceLocation: sourceLocation) { try await body() }
        #expect(failure?.code == code, "\(String(describing: failure))", sourceLocation: sourceLocation)
    }

    /// A client's file, open for reading.
    private static func source(_ host: TestHost, _ text: String) throws -> OpenDescriptor {
        let path = host.root + "/" + UUID().uuidString
        try Data(text.utf8).write(to: URL(filePath: path))
        let file = open(path, O_RDONLY | O_CLOEXEC)
        #expect(file >= 0)
        return OpenDescriptor(owning: file)
    }

    private static func original(
        _ host: TestHost, _ name: String = "b.txt", _ text: String = "sent"
    ) throws -> PickerDriver.Original {
        PickerDriver.Original(descriptor: try source(host, text), name: name, contentType: "public.plain-text")
    }

    private static let offer = GrantOffer(access: .readWrite, origin: .open)

    // MARK: Import

    @Test("C1: an import gives a copy of the chosen document, and no right to it", arguments: kinds)
    func imports(kind: TestProviderKind) async throws {
        try await TestHost.with { host async throws in
            let key = kind.key(host.store(kind).add("a.txt", "text"))
            let session = host.session()
            let copy = try await host.services.picker.pickImport(session, kind.place("/a.txt"), types: nil)
            #expect(copy.file.text == "text" && copy.item.name == "a.txt")
            host.store(kind).edit(key.identifier, "changed")
            #expect(copy.file.text == "text", "it is a copy")
            #expect(!host.services.access.check(session, key, .read))
        }
    }

    @Test("C9: the copies of an import are deleted when their client goes")
    func importsEnd() async throws {
        try await TestHost.with { host async throws in
            host.store(.inPlace).add("a.txt", "text")
            // Only a program without a sandbox could use a path.
            let session = host.session(Principal(kind: .unconfined, identifier: "org.example.Editor"))
            let copy = try await host.services.picker.pickImport(
                session, TestProviderKind.inPlace.place("/a.txt"), types: nil)
            #expect(host.files(in: "Inbox").count == 1)
            host.end(session)
            try await TransferSupport.eventually { host.files(in: "Inbox").isEmpty }
            #expect(copy.file.text == "text", "an open file stays readable")
        }
    }

    // MARK: Open

    @Test("C2: a document that was opened can be read and written from then on, as offered", arguments: kinds)
    func opens(kind: TestProviderKind) async throws {
        try await TestHost.with { host async throws in
            let key = kind.key(host.store(kind).add("a.txt", "text"))
            let session = host.session()
            let opened = try await host.services.picker.pickOpen(
                session, kind.place("/a.txt"), types: nil, offer: GrantOffer(access: .read, origin: .open))
            #expect(opened.item.reference == key.reference && opened.access == .read)
            #expect(host.services.access.check(session, key, .read))
            #expect(!host.services.access.check(session, key, .readWrite))
            #expect(!host.services.access.check(viewer, key, .read), "only this client has the right")
        }
    }

    @Test("B7: only types that the client can use can be chosen", arguments: kinds)
    func types(kind: TestProviderKind) async throws {
        try await TestHost.with { host async throws in
            let key = kind.key(host.store(kind).add("a.txt", "text"))
            let session = host.session()
            await Self.refuses(.invalidArgument) {
                _ = try await host.services.picker.pickOpen(
                    session, kind.place("/a.txt"), types: ["public.image"], offer: Self.offer)
            }
            #expect(!host.services.access.check(session, key, .read))
            _ = try await host.services.picker.pickOpen(
                session, kind.place("/a.txt"), types: ["public.image", "public.text"], offer: Self.offer)
            #expect(host.services.access.check(session, key, .readWrite))
        }
    }

    @Test("C2: a folder can be opened only by a client that asks for folders, and is never imported")
    func folders() async throws {
        try await TestHost.with { host async throws in
            host.store(.inPlace).addFolder("F")
            let (place, session) = (TestProviderKind.inPlace.place("/F"), host.session())
            await Self.refuses(.invalidArgument) {
                _ = try await host.services.picker.pickOpen(session, place, types: nil, offer: Self.offer)
            }
            await Self.refuses(.invalidArgument) {
                _ = try await host.services.picker.pickImport(session, place, types: nil)
            }
            let opened = try await host.services.picker.pickOpen(
                session, place, types: ["public.folder"], offer: Self.offer)
            #expect(opened.item.isFolder)
            await Self.refuses(.invalidArgument) {
                let companions = try GrantTerms.patterns(["{stem}.srt"])
                _ = try await host.services.picker.pickOpen(
                    session, place, types: ["public.folder"],
                    offer: GrantOffer(access: .read, origin: .open, companions: companions))
            }
        }
    }

    @Test("C: a missing document and a missing provider are reported as such")
    func missing() async throws {
        try await TestHost.with { host async throws in
            let session = host.session()
            for kind in Self.kinds {
                await Self.refuses(.notFound) {
                    _ = try await host.services.picker.pickOpen(
                        session, kind.place("/none.txt"), types: nil, offer: Self.offer)
                }
            }
            await Self.refuses(.notFound) {
                _ = try await host.services.picker.pickOpen(
                    session, Wire.Location(provider: "none", domain: "", path: "/a"), types: nil, offer: Self.offer)
            }
        }
    }

    // MARK: A picker's behaviour

    @Test("C5: a picker that is cancelled or ends without a choice gives the client nothing")
    func pickerCancels() async throws {
        try await TestHost.with { host async throws in
            let session = host.session()
            for name in ["cancelled", "silent"] {
                let failure = await #expect(throws: Failure.self) {
                    _ = try await host.services.picker.pickOpen(
                        session, TestProviderKind.ownPicker.place("/" + name), types: nil, offer: Self.offer)
                }
                #expect(failure?.code == (name == "cancelled" ? .cancelled : .providerFailed), "\(name)")
            }
            #expect(try await host.services.grants.granted(session, page: nil).items.isEmpty)
        }
    }

    @Test("C5: a picker that names another provider's document violates the rules, and the client gets nothing")
    func pickerCheats() async throws {
        try await TestHost.with { host async throws in
            let session = host.session()
            await Self.refuses(.providerFailed) {
                _ = try await host.services.picker.pickOpen(
                    session, TestProviderKind.ownPicker.place("/foreign"), types: nil, offer: Self.offer)
            }
            #expect(try await host.services.grants.granted(session, page: nil).items.isEmpty)
        }
    }

    // MARK: Export and move

    @Test("C3: an export creates a copy, and the client gets no right to it", arguments: kinds)
    func exports(kind: TestProviderKind) async throws {
        try await TestHost.with { host async throws in
            let session = host.session()
            let item = try await host.services.picker.pickExport(
                session, kind.place("/"), Self.original(host), operation: "send")
            #expect(item.name == "b.txt")
            try await TransferSupport.eventually { host.store(kind).contents() == ["b.txt": "sent"] }
            #expect(try await host.services.grants.granted(session, page: nil).items.isEmpty)
        }
    }

    @Test("C4: a move gives the client a right to the new document", arguments: kinds)
    func moves(kind: TestProviderKind) async throws {
        try await TestHost.with { host async throws in
            let session = host.session()
            let moved = try await host.services.picker.pickMove(
                session, kind.place("/"), Self.original(host), operation: "move")
            #expect(moved.source.size == 4)
            #expect(host.services.access.check(session, moved.item.reference.key, .readWrite))
            try await TransferSupport.eventually { host.store(kind).contents() == ["b.txt": "sent"] }
        }
    }

    @Test("X14: a move stays in the journal until its client reports what became of the source")
    func moveFinishes() async throws {
        try await TestHost.with { host async throws in
            let session = host.session()
            _ = try await host.services.picker.pickMove(
                session, TestProviderKind.inPlace.place("/"), Self.original(host), operation: "move")
            let journal = host.services.journal
            #expect(try await journal.outcome("move", writer)?.state != .finished)
            try await host.services.writes.moveFinished(session, "move", removed: true, reason: nil)
            #expect(try await journal.outcome("move", writer)?.state == .finished)
        }
    }

    @Test("W Move: a repeated move is refused if the source has changed, and both stay, over a restart too")
    func changedSource() async throws {
        try await TestHost.with { host async throws in
            let place = TestProviderKind.inPlace.place("/")
            _ = try await host.services.picker.pickMove(
                host.session(), place, Self.original(host), operation: "move")
            try await host.restarted { next async throws in
                let changed = try Self.original(next, "b.txt", "changed")
                let error = await #expect(throws: (any Error).self) {
                    _ = try await next.services.picker.pickMove(next.session(), place, changed, operation: "move")
                }
                let code = error.map { FailureMapping.failure($0).code }
                #expect(code == .conflict)
                #expect(changed.descriptor.text == "changed")
                #expect(next.store(.inPlace).contents() == ["b.txt": "sent"])
                #expect(next.store(.inPlace).calls(.create).count == 1)
            }
        }
    }

    @Test("C3: an export that was already answered is not repeated")
    func repeatsExport() async throws {
        try await TestHost.with { host async throws in
            let (session, place) = (host.session(), TestProviderKind.inPlace.place("/"))
            let original = try Self.original(host)
            let first = try await host.services.picker.pickExport(session, place, original, operation: "send")
            let again = try await host.services.picker.pickExport(session, place, original, operation: "send")
            #expect(again.reference == first.reference)
            #expect(host.store(.inPlace).calls(.create).count == 1)
        }
    }

    @Test("C3: a taken name, a place that is no folder and a read-only provider refuse an export")
    func refusesExport() async throws {
        try await TestHost.with { host async throws in
            host.store(.inPlace).add("b.txt", "there")
            let session = host.session()
            let picker = host.services.picker
            await Self.refuses(.conflict) {
                _ = try await picker.pickExport(
                    session, TestProviderKind.inPlace.place("/"), Self.original(host), operation: "1")
            }
            await Self.refuses(.invalidArgument) {
                _ = try await picker.pickExport(
                    session, TestProviderKind.inPlace.place("/b.txt"), Self.original(host), operation: "2")
            }
            await Self.refuses(.notSupported) {
                _ = try await picker.pickExport(
                    session, TestProviderKind.readOnly.place("/"), Self.original(host), operation: "3")
            }
            await Self.refuses(.invalidArgument) {
                _ = try await picker.pickExport(
                    session, TestProviderKind.inPlace.place("/"), Self.original(host, "a/b"), operation: "4")
            }
            #expect(host.store(.inPlace).contents() == ["b.txt": "there"])
            #expect(host.files(in: "Staging").isEmpty && host.files(in: "Uploads").isEmpty)
        }
    }

    @Test(
        "C3: an export that the provider refuses leaves no files on this machine",
        arguments: [TestProviderKind.inPlace, .ownPicker])
    func exportFails(kind: TestProviderKind) async throws {
        try await TestHost.with { host async throws in
            host.store(kind).fail(.create, .insufficientQuota)
            await Self.refuses(.noSpace) {
                _ = try await host.services.picker.pickExport(
                    host.session(), kind.place("/"), Self.original(host), operation: "send")
            }
            #expect(host.store(kind).contents().isEmpty && host.files(in: "Uploads").isEmpty)
            #expect(try await host.services.journal.pending().isEmpty)
        }
    }

    // MARK: Drop boxes and browsing

    @Test("A5: a drop box takes exports and shows nothing")
    func dropBox() async throws {
        try await TestHost.with { host async throws in
            let (session, picker, place) = (host.session(), host.services.picker, TestProviderKind.dropBox.place("/"))
            _ = try await picker.pickExport(session, place, Self.original(host), operation: "send")
            #expect(host.store(.dropBox).contents() == ["b.txt": "sent"])
            await Self.refuses(.notPermitted) { _ = try await picker.list(place, page: nil) }
            await Self.refuses(.notSupported) {
                _ = try await picker.pickOpen(
                    session, TestProviderKind.dropBox.place("/b.txt"), types: nil, offer: Self.offer)
            }
        }
    }

    @Test("C: the user sees the contents of a folder, and from which providers documents can be chosen")
    func browses() async throws {
        try await TestHost.with { host async throws in
            let folder = host.store(.inPlace).addFolder("F")
            host.store(.inPlace).add("a.txt", in: folder)
            let picker = host.services.picker
            let listed = try await picker.list(TestProviderKind.inPlace.place("/F"), page: nil)
            #expect(listed.items.map(\.name) == ["a.txt"] && listed.items.first?.path == "/F/a.txt")
            #expect(try await picker.item(at: TestProviderKind.inPlace.place("/F")).isFolder)
            let all = try await picker.providers(mode: nil, types: nil, all: false).map(\.identifier)
            #expect(all.count == TestProviderKind.allCases.count)
            let moving = try await picker.providers(mode: "move", types: nil, all: false).map(\.identifier)
            #expect(
                Set(all).subtracting(moving) == [
                    TestProviderKind.readOnly.identifier, TestProviderKind.dropBox.identifier,
                ])
            await Self.refuses(.invalidArgument) {
                _ = try await picker.providers(mode: "steal", types: nil, all: false)
            }
        }
    }

    // MARK: Moving and deleting by the user

    @Test("The user moves, renames, creates and deletes items; rights follow the document")
    func changes() async throws {
        try await TestHost.with { host async throws in
            let key = TestProviderKind.inPlace.key(host.store(.inPlace).add("a.txt", "text"))
            try await host.grant(key, to: viewer)
            let (session, picker) = (host.session(), host.services.picker)
            let folder = try await picker.makeFolder(
                session, in: TestProviderKind.inPlace.place("/"), name: "F", operation: "make")
            #expect(folder.isFolder)
            let moved = try await picker.move(
                session, TestProviderKind.inPlace.place("/a.txt"), to: TestProviderKind.inPlace.place("/F"),
                name: "b.txt", operation: "move")
            #expect(moved.name == "b.txt")
            #expect(host.store(.inPlace).contents(of: folder.reference.identifier) == ["b.txt": "text"])
            #expect(host.services.access.check(viewer, moved.reference.key, .readWrite))
            await Self.refuses(.notSupported) {
                _ = try await picker.move(
                    session, TestProviderKind.inPlace.place("/F/b.txt"), to: TestProviderKind.remote.place("/"),
                    name: nil, operation: "away")
            }
            try await picker.delete(
                session, TestProviderKind.inPlace.place("/F/b.txt"), isRecursive: false, operation: "delete")
            #expect(host.store(.inPlace).contents(of: folder.reference.identifier).isEmpty)
            // A repeated call, as if the answer had been lost.
            try await picker.delete(
                session, TestProviderKind.inPlace.place("/F/b.txt"), isRecursive: false, operation: "delete")
            #expect(host.store(.inPlace).calls(.delete).count == 1)
        }
    }
}
