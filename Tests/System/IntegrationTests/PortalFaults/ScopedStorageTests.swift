import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import Varlink

/// The scenarios for evaluating Android's scoped storage, with a program in `docent run` that asks its user.
@Suite(.needs(.daemon, .server)) struct ScopedStorageTests {
    @Test("scoped storage: reading fails before the user has chosen, reading and writing work afterwards")
    func beforeAndAfterAPick() async throws {
        try await Self.with { scene in
            let notes = try await scene.reference("/notes.txt")
            #expect(try await scene.program.read(notes) == "NotPermitted")
            #expect(try await scene.program.save("x", to: notes) == "NotPermitted")
            let chosen = try await scene.choose("/notes.txt", access: "readWrite")
            #expect(chosen.reference?.identifier == notes.identifier)
            #expect(chosen.text == "readWrite")
            #expect(try await scene.program.read(notes) == "notes")
            #expect(try await scene.program.save("more notes", to: notes) == "worked")
            #expect(scene.installation.read(scene.installation.documents + "/notes.txt") == "more notes")
        }
    }

    @Test("scoped storage: a request that the user refuses grants nothing")
    func refused() async throws {
        try await Self.with { scene in
            let notes = try await scene.reference("/notes.txt")
            async let asked = scene.program.tell(.init(do: "pick", access: "readWrite"))
            try await scene.installation.docent("picks", "refuse", try await scene.request()).succeeded()
            #expect(try await asked.came == "NotPermitted")
            #expect(try await scene.program.read(notes) == "NotPermitted")
        }
    }

    @Test("scoped storage: a document chosen for reading cannot be written")
    func readOnly() async throws {
        try await Self.with { scene in
            let chosen = try await scene.choose("/notes.txt", access: "readWrite", options: ["--read-only"])
            #expect(chosen.text == "read")
            let notes = try await scene.reference("/notes.txt")
            #expect(try await scene.program.read(notes) == "notes")
            #expect(try await scene.program.save("x", to: notes) == "NotPermitted")
            #expect(scene.installation.read(scene.installation.documents + "/notes.txt") == "notes")
        }
    }

    @Test("scoped storage: a chosen folder covers its contents at any depth, and nothing beside or above it")
    func folders() async throws {
        try await Self.with { scene in
            try await scene.choose("/album", access: "readWrite", types: ["public.folder"])
            for path in ["/album/one.txt", "/album/deep/two.txt"] {
                #expect(try await scene.program.read(try await scene.reference(path)) == path)
            }
            for path in ["/notes.txt", "/albumin/three.txt"] {
                #expect(try await scene.program.read(try await scene.reference(path)) == "NotPermitted", "\(path)")
            }
            let album = try await scene.program.tell(
                .init(do: "names", reference: try await scene.reference("/album")))
            #expect(album.text == "deep one.txt")
            let top = Wire.ItemReference(
                provider: try await scene.reference("/album").provider, domain: "", identifier: ".root")
            #expect(try await scene.program.tell(.init(do: "names", reference: top)).came == "NotPermitted")
        }
    }

    @Test(
        "scoped storage: a document moved out of a chosen folder becomes inaccessible; one moved inside it stays accessible"
    )
    func movedOut() async throws {
        try await Self.with { scene in
            try await scene.choose("/album", access: "read", types: ["public.folder"])
            let one = try await scene.reference("/album/one.txt")
            #expect(try await scene.program.read(one) == "/album/one.txt")
            let installation = scene.installation
            try await installation.docent("rename", "LocalFolder:/album/one.txt", "/album/deep/").succeeded()
            #expect(try await scene.program.read(one) == "/album/one.txt")
            try await installation.docent("rename", "LocalFolder:/album/deep/one.txt", "/one.txt").succeeded()
            #expect(try await scene.program.read(one) == "NotPermitted")
        }
    }

    @Test(
        "scoped storage: a right ends when its document is deleted, and does not apply to a new document of that name")
    func deleted() async throws {
        try await Self.with { scene in
            try await scene.choose("/notes.txt", access: "readWrite")
            let notes = try await scene.reference("/notes.txt")
            #expect(try await scene.program.read(notes) == "notes")
            try await scene.installation.docent("rm", "LocalFolder:/notes.txt").succeeded()
            try scene.installation.write("another's", to: "notes.txt")
            try await scene.installation.eventually("the deleted document cannot be opened") {
                ["NotFound", "NotPermitted"].contains(try await scene.program.read(notes))
            }
            #expect(try await scene.program.read(try await scene.reference("/notes.txt")) == "NotPermitted")
        }
    }

    @Test("scoped storage: a right ends when it is revoked")
    func revoked() async throws {
        try await Self.with { scene in
            try await scene.choose("/notes.txt", access: "readWrite")
            let notes = try await scene.reference("/notes.txt")
            #expect(try await scene.program.read(notes) == "notes")
            #expect(try await scene.program.tell(.init(do: "begin", reference: notes, text: "late")).came == "worked")
            try await scene.installation.docent("revoke", "--client", ScopedProgram.client, "--yes").succeeded()
            #expect(try await scene.program.read(notes) == "NotPermitted")
            #expect(try await scene.program.tell(.init(do: "commit")).came == "NotPermitted")
            #expect(scene.installation.read(scene.installation.documents + "/notes.txt") == "notes")
        }
    }

    @Test("scoped storage: a persistent right survives a restart of the daemon and of the client")
    func restarts() async throws {
        try await Self.with { scene in
            try await scene.choose("/notes.txt", access: "read")
            let notes = try await scene.reference("/notes.txt")
            #expect(try await scene.program.tell(.init(do: "take", reference: notes)).came == "worked")
            kill(try #require(scene.installation.daemonProcess), SIGKILL)
            #expect(try await scene.program.read(notes) == "notes")
        } afterwards: { installation, notes in
            kill(try #require(installation.daemonProcess), SIGKILL)
            try await ScopedProgram.with(installation) { program in
                let answer = try await program.read(notes)
                #expect(answer == "notes")
            }
        }
    }

    // MARK: The scene

    /// A user's documents, a program in its sandbox, and a listener for its requests.
    private struct Scene: Sendable {
        let installation: Installation
        let program: ScopedProgram
        let outside: DocumentsClient

        func reference(_ path: String) async throws -> Wire.ItemReference {
            try await ScopedStorageTests.reference(outside, path)
        }

        /// The program asks, and the user chooses this.
        @discardableResult
        func choose(
            _ path: String, access: String, types: [String]? = nil, options: [String] = []
        ) async throws -> ScopedProgram.Answer {
            async let asked = program.tell(.init(do: "pick", access: access, types: types))
            try await installation.run(
                Installation.binaries + "/docent",
                ["picks", "answer", try await request(), "LocalFolder:\(path)"] + options
            ).succeeded()
            let answer = try await asked
            #expect(answer.came == "worked")
            return answer
        }

        /// The waiting request.
        func request() async throws -> String {
            var found: String?
            try await installation.eventually("the program has asked", within: 120) {
                found = try await outside.call(
                    AdministrationInterface.PickRequests.self, .init(client: ScopedProgram.client)
                ).value.requests.first?.identifier
                return found != nil
            }
            return try #require(found)
        }
    }

    private static func with(
        _ body: (Scene) async throws -> Void,
        afterwards: ((Installation, _ notes: Wire.ItemReference) async throws -> Void)? = nil
    ) async throws {
        try await Installation.withLocalFolder { installation in
            try fill(installation)
            let outside = installation.client("org.docent.cli")
            defer { outside.close() }
            let notes = try await reference(outside, "/notes.txt")
            let listening = Task {
                while !Task.isCancelled {
                    _ = try? await outside.follow(
                        AdministrationInterface.PickRequests.self, .init(client: ScopedProgram.client)
                    ) { _ in }
                    try? await Task.sleep(for: .milliseconds(100))
                }
            }
            defer { listening.cancel() }
            try await ScopedProgram.with(installation) { program in
                try await body(Scene(installation: installation, program: program, outside: outside))
            }
            try await afterwards?(installation, notes)
        }
    }

    private static func fill(_ installation: Installation) throws {
        for folder in ["album/deep", "albumin"] {
            try FileManager.default.createDirectory(
                atPath: "\(installation.documents)/\(folder)", withIntermediateDirectories: true)
        }
        try installation.write("notes", to: "notes.txt")
        for path in ["/album/one.txt", "/album/deep/two.txt", "/albumin/three.txt"] {
            try installation.write(path, to: path)
        }
    }

    private static func reference(_ outside: DocumentsClient, _ path: String) async throws -> Wire.ItemReference {
        try await outside.call(PickerInterface.GetItem.self, .init(location: HostileStage.location(path))).value.item
            .reference
    }
}
