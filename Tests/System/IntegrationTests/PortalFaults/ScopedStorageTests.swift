import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import Varlink

/// The scenarios for evaluating Android's scoped storage, with a program in `docent run` that asks its user.
@Suite(.needs(.daemon, .server)) struct ScopedStorageTests {
    @Test(
        "scoped storage: access begins with the user's choice, covers no more than it, and ends with a move out of its folder, a deletion or a revocation"
    )
    func choices() async throws {
        try await Self.with { scene in
            // First: nothing is granted yet.
            try await TestStep.run("folders") { try await Self.folders(scene) }
            try await TestStep.run("before and after a pick") { try await Self.beforeAndAfterAPick(scene) }
            try await TestStep.run("refused") { try await Self.refused(scene) }
            try await TestStep.run("read-only") { try await Self.readOnly(scene) }
            try await TestStep.run("moved out") { try await Self.movedOut(scene) }
            try await TestStep.run("deleted") { try await Self.deleted(scene) }
            // Last: it revokes everything.
            try await TestStep.run("revoked") { try await Self.revoked(scene) }
        }
    }

    /// A chosen folder covers its contents at any depth, and nothing beside or above it.
    private static func folders(_ scene: Scene) async throws {
        try await scene.choose("/album", access: "readWrite", types: ["public.folder"])
        for path in ["/album/one.txt", "/album/deep/two.txt"] {
            #expect(try await scene.program.read(try await scene.reference(path)) == path, "\(path)")
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

    /// Reading fails before the user has chosen, reading and writing work afterwards.
    private static func beforeAndAfterAPick(_ scene: Scene) async throws {
        let notes = try await scene.reference("/picked.txt")
        #expect(try await scene.program.read(notes) == "NotPermitted")
        #expect(try await scene.program.save("x", to: notes) == "NotPermitted")
        let chosen = try await scene.choose("/picked.txt", access: "readWrite")
        #expect(chosen.reference?.identifier == notes.identifier)
        #expect(chosen.text == "readWrite")
        #expect(try await scene.program.read(notes) == "notes")
        #expect(try await scene.program.save("more notes", to: notes) == "worked")
        #expect(scene.installation.read(scene.installation.documents + "/picked.txt") == "more notes")
    }

    /// A request that the user refuses grants nothing.
    private static func refused(_ scene: Scene) async throws {
        let notes = try await scene.reference("/refused.txt")
        async let asked = scene.program.tell(.init(do: "pick", access: "readWrite"))
        try await scene.installation.docent("picks", "refuse", try await scene.request()).succeeded()
        #expect(try await asked.came == "NotPermitted")
        #expect(try await scene.program.read(notes) == "NotPermitted")
    }

    /// A document chosen for reading cannot be written.
    private static func readOnly(_ scene: Scene) async throws {
        let chosen = try await scene.choose("/read.txt", access: "readWrite", options: ["--read-only"])
        #expect(chosen.text == "read")
        let notes = try await scene.reference("/read.txt")
        #expect(try await scene.program.read(notes) == "notes")
        #expect(try await scene.program.save("x", to: notes) == "NotPermitted")
        #expect(scene.installation.read(scene.installation.documents + "/read.txt") == "notes")
    }

    /// A document moved out of a chosen folder becomes inaccessible; one moved inside it stays accessible.
    private static func movedOut(_ scene: Scene) async throws {
        try await scene.choose("/trip", access: "read", types: ["public.folder"])
        let one = try await scene.reference("/trip/one.txt")
        #expect(try await scene.program.read(one) == "/trip/one.txt")
        let installation = scene.installation
        try await installation.docent("rename", "LocalFolder:/trip/one.txt", "/trip/deep/").succeeded()
        #expect(try await scene.program.read(one) == "/trip/one.txt")
        try await installation.docent("rename", "LocalFolder:/trip/deep/one.txt", "/one.txt").succeeded()
        #expect(try await scene.program.read(one) == "NotPermitted")
    }

    /// A right ends when its document is deleted, and does not apply to a new document of that name.
    private static func deleted(_ scene: Scene) async throws {
        try await scene.choose("/deleted.txt", access: "readWrite")
        let notes = try await scene.reference("/deleted.txt")
        #expect(try await scene.program.read(notes) == "notes")
        try await scene.installation.docent("rm", "LocalFolder:/deleted.txt").succeeded()
        try scene.installation.write("another's", to: "deleted.txt")
        try await scene.installation.eventually("the deleted document cannot be opened") {
            ["NotFound", "NotPermitted"].contains(try await scene.program.read(notes))
        }
        #expect(try await scene.program.read(try await scene.reference("/deleted.txt")) == "NotPermitted")
    }

    /// A right ends when it is revoked.
    private static func revoked(_ scene: Scene) async throws {
        try await scene.choose("/revoked.txt", access: "readWrite")
        let notes = try await scene.reference("/revoked.txt")
        #expect(try await scene.program.read(notes) == "notes")
        #expect(try await scene.program.tell(.init(do: "begin", reference: notes, text: "late")).came == "worked")
        try await scene.installation.docent("revoke", "--client", ScopedProgram.client, "--yes").succeeded()
        #expect(try await scene.program.read(notes) == "NotPermitted")
        #expect(try await scene.program.tell(.init(do: "commit")).came == "NotPermitted")
        #expect(scene.installation.read(scene.installation.documents + "/revoked.txt") == "notes")
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
        for folder in ["album/deep", "albumin", "trip/deep"] {
            try FileManager.default.createDirectory(
                atPath: "\(installation.documents)/\(folder)", withIntermediateDirectories: true)
        }
        for name in ["notes", "picked", "refused", "read", "deleted", "revoked"] {
            try installation.write("notes", to: name + ".txt")
        }
        for path in ["/album/one.txt", "/album/deep/two.txt", "/albumin/three.txt", "/trip/one.txt"] {
            try installation.write(path, to: path)
        }
    }

    private static func reference(_ outside: DocumentsClient, _ path: String) async throws -> Wire.ItemReference {
        try await outside.call(PickerInterface.GetItem.self, .init(location: HostileStage.location(path))).value.item
            .reference
    }
}
