import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// Claims of a picker while a client waits for it (H3, 2.9), through a real daemon.
@Suite(.needs(.daemon, within: .seconds(300))) struct PickerClaimTests {
    private static func source(_ stage: CoordinatingStage) throws -> String {
        let path = stage.installation.home + "/source.txt"
        try Data("exported".utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static func export(
        _ source: String, _ name: String, _ stage: CoordinatingStage, _ picker: DocumentPicker
    ) async throws {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: source))
        let folder = try DocumentLocation(stage.location(""))
        _ = try await picker.exportDocument(from: file.fileDescriptor, to: folder, name: name)
    }

    @Test(
        "H1, C3, C7, C8, 2.4, 2.9: a picker and clients take turns; others are notified; deadlocks are errors; a killed picker's claim is released"
    )
    func claims() async throws {
        var files = ["neighbour.txt": "old"]
        for name in ["hold.txt", "hold2.txt", "own.txt", "plain.txt", "free.txt"] { files[name] = "old" }
        try await CoordinatingStage.with(.picker, files) { stage in
            let source = try Self.source(stage)
            try await TestStep.run("in turn") { try await Self.inTurn(stage, source) }
            try await TestStep.run("told") { try await Self.told(stage, source) }
            try await TestStep.run("deadlock") { try await Self.deadlock(stage, source) }
            try await stage.waitForNoClaims()
            try await TestStep.run("killed") { try await Self.killed(stage, source) }
        }
    }

    /// A client waits for a picker's write, and a picker for a client's claim (H1, C3).
    private static func inTurn(_ stage: CoordinatingStage, _ source: String) async throws {
        let probe = try await Probe(stage.installation)
        _ = try await probe.run("read", stage.location("hold.txt"), until: "read")
        async let export = stage.installation.docent("export", source, stage.location("hold.txt"))
        try await stage.wait("hold.txt", for: "granted")
        let reading = try probe.send("read", stage.location("hold.txt"))
        #expect(try await probe.staysWithout(reading, "read"))
        let held = try #require(try await stage.claims().first { $0.clientKind == "provider" })
        #expect(held.client == stage.bundle)
        try stage.release("hold.txt")
        #expect(try await probe.wait(reading, for: "read")[1] == "exported")
        try await export.succeeded()

        let holding = try probe.send("hold-read", stage.location("plain.txt"))
        try await probe.wait(holding, for: "granted")
        async let second = stage.installation.docent("export", source, stage.location("plain.txt"))
        try await stage.wait("plain.txt", for: "waits")
        #expect(try await stage.staysWithout("plain.txt", "granted"))
        try probe.send("release", holding)
        try await second.succeeded()
        #expect(stage.read("plain.txt") == "exported")
        try await stage.waitForNoClaims()
    }

    /// Presenters are notified of a picker's write; the file provider is too, unless it shares the purpose (2.4, C7,
    /// C8).
    private static func told(_ stage: CoordinatingStage, _ source: String) async throws {
        for name in ["own.txt", "free.txt"] {
            let presenter = try await Probe(stage.installation, client: "org.example.Presenter")
            let id = try presenter.send("present", stage.location(name), "quick")
            try await presenter.wait(id, for: "presenting")
            try await stage.installation.docent("export", source, stage.location(name)).succeeded()
            try await presenter.wait(id, for: "reacquire")
            let told = presenter.told(id)
            #expect(presenter.kinds(id).starts(with: ["presenting", "toWriter", "accommodate"]), "\(name): \(told)")
            #expect(told.contains(["didChange", "coordinated", stage.bundle]), "\(name): \(told)")
        }
        try await stage.wait("free.txt", for: "changed")
        #expect(!stage.callbacks("own.txt").contains("changed"))
    }

    /// A picker and a client that wait for each other both get a deadlock error (2.9).
    private static func deadlock(_ stage: CoordinatingStage, _ source: String) async throws {
        let client = stage.installation.client("org.example.Exporter")
        defer { client.close() }
        let picker = DocumentPicker(client: client)
        let neighbour = try await picker.openDocument(at: try DocumentLocation(stage.location("neighbour.txt")))
        await #expect {
            try await FileCoordinator(client: client).coordinate(writingItemAt: neighbour.reference) { _ in
                try await Self.export(source, "reads.txt", stage, picker)
            }
        } throws: { error in
            let message = (error as? DocumentsError)?.message ?? ""
            return message.contains("would wait for itself") && message.contains("org.example.Exporter")
        }
        #expect(stage.callbacks("reads.txt").contains("failed-deadlock"))
        try await stage.waitForNoClaims()
        // Without that claim it continues.
        try await Self.export(source, "reads.txt", stage, picker)
        #expect(stage.read("reads.txt") == "exported")
    }

    /// The claim of a killed picker is released at once, and its client gets an error (2.9).
    private static func killed(_ stage: CoordinatingStage, _ source: String) async throws {
        let probe = try await Probe(stage.installation)
        _ = try await probe.run("read", stage.location("hold2.txt"), until: "read")
        async let export = stage.installation.docent("export", source, stage.location("hold2.txt"))
        try await stage.wait("hold2.txt", for: "granted")
        let writing = try probe.send("hold-write", stage.location("hold2.txt"))
        #expect(try await probe.staysWithout(writing, "granted"))
        let held = try #require(try await stage.claims().first { $0.clientKind == "provider" })
        kill(pid_t(try #require(held.process)), SIGKILL)
        try await probe.wait(writing, for: "granted")
        let outcome = try await export
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains(stage.bundle), "\(outcome.errors)")
    }
}
