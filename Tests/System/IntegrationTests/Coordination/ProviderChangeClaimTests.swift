import DocentTestSupport
import Documents
import Foundation
import Testing

/// A provider that coordinates during a change requested by the host (H3; 2.9, deadlock 5), through a real daemon.
@Suite(.needs(.daemon, within: .seconds(300))) struct ProviderChangeClaimTests {
    /// The change that a client requests, and for which the provider is called.
    enum Change: String, CaseIterable, Sendable {
        case Modify, Move, Delete, Create

        func perform(_ name: String, _ stage: CoordinatingStage, _ probe: Probe) async throws -> String {
            let location = stage.location(name)
            switch self {
            case .Modify: return try probe.send("write", location, "new")
            case .Move: return try probe.send("rename", location, "renamed.txt")
            case .Delete: return try probe.send("delete", location)
            case .Create: return try probe.send("create", stage.location(""), name, "new")
            }
        }

        /// Whether it was made.
        func isDone(_ name: String, _ stage: CoordinatingStage) -> Bool {
            switch self {
            case .Modify, .Create: stage.read(name) == "new"
            case .Move: stage.read(name) == nil && stage.read("renamed.txt") == "old"
            case .Delete: stage.read(name) == nil
            }
        }

        /// Whether no part of it was made.
        func isUndone(_ name: String, _ stage: CoordinatingStage) -> Bool {
            stage.read(name) == (self == .Create ? nil : "old") && stage.read("renamed.txt") == nil
        }

        var files: (String) -> [String: String] { { self == .Create ? [:] : [$0: "old"] } }
    }

    @Test(
        "H3: a provider can coordinate the item of its own call under its own purpose",
        arguments: [CoordinatingStage.Kind.inPlace, .remote], Change.allCases)
    func ownPurpose(kind: CoordinatingStage.Kind, change: Change) async throws {
        try await CoordinatingStage.with(kind, change.files("own.txt")) { stage in
            let probe = try await Probe(stage.installation)
            let id = try await change.perform("own.txt", stage, probe)
            try await probe.wait(id, for: "ok")
            try await stage.wait("own.txt", for: "end-\(change.rawValue)")
            #expect(stage.callbacks("own.txt").contains("claimed-\(change.rawValue)"))
            #expect(change.isDone("own.txt", stage))
            try await stage.waitForNoClaims()
        }
    }

    @Test(
        "2.9, deadlock 5: without that purpose provider and client get a deadlock error at once, and nothing is changed",
        arguments: Change.allCases, ["plain.txt", "reads.txt"])
    func withoutPurpose(change: Change, name: String) async throws {
        // Reading a folder does not affect what is created in it.
        guard change != .Create || name == "plain.txt" else { return }
        try await CoordinatingStage.with(.inPlace, change.files(name)) { stage in
            let probe = try await Probe(stage.installation)
            let error = try await probe.wait(try await change.perform(name, stage, probe), for: "error")
            #expect(error[1] == "ProviderFailed", "\(error)")
            #expect(error[2].contains("would wait for itself"), "\(error)")
            #expect(error[2].contains(stage.bundle), "\(error)")
            #expect(stage.callbacks(name).contains("failed-\(change.rawValue)-deadlock"))
            #expect(!stage.callbacks(name).contains("claimed-\(change.rawValue)"))
            #expect(change.isUndone(name, stage))
            try await stage.waitForNoClaims()
            // Nothing is retried without its client's knowledge.
            #expect(stage.callbacks(name).filter { $0 == "call-\(change.rawValue)" }.count == 1)
        }
    }

    @Test("2.9, deadlock 5: the same holds for moves and removals of remote items", arguments: [Change.Move, .Delete])
    func remoteWithoutPurpose(change: Change) async throws {
        try await CoordinatingStage.with(.remote, change.files("plain.txt")) { stage in
            let probe = try await Probe(stage.installation)
            let error = try await probe.wait(try await change.perform("plain.txt", stage, probe), for: "error")
            #expect(error[2].contains("would wait for itself"), "\(error)")
            #expect(stage.callbacks("plain.txt").contains("failed-\(change.rawValue)-deadlock"))
            try await stage.waitForNoClaims()
            #expect(try await stage.staysWithout("plain.txt", "claimed-\(change.rawValue)"))
            #expect(change.isUndone("plain.txt", stage))
        }
    }

    @Test("2.3: a provider's claim during an upload waits for the client's claim to end, and is no deadlock")
    func upload() async throws {
        try await CoordinatingStage.with(.remote, ["plain.txt": "old"]) { stage in
            let client = stage.installation.client()
            defer { client.close() }
            let document = try await DocumentPicker(client: client).openDocument(
                at: try DocumentLocation(stage.location("plain.txt")))
            try await FileCoordinator(client: client).coordinate(writingItemAt: document.reference) { access in
                let session = try await access.session(replacing: true)
                try FileHandle(fileDescriptor: session.descriptor).write(contentsOf: Data("new".utf8))
                _ = try await session.commit()
                try await stage.wait("plain.txt", for: "call-Modify")
                #expect(try await stage.staysWithout("plain.txt", "claimed-Modify"))
            }
            try await stage.wait("plain.txt", for: "claimed-Modify")
            try await stage.wait("plain.txt", for: "end-Modify")
            #expect(stage.read("plain.txt") == "new")
            #expect(!stage.callbacks("plain.txt").contains("failed-Modify-deadlock"))
        }
    }

    @Test(
        "2.9, deadlock 2: a cycle through a provider, a client and another client is found",
        arguments: ["beside.txt", "with.txt"])
    func cycle(name: String) async throws {
        try await CoordinatingStage.with(.inPlace, [name: "old", "neighbour.txt": "n"]) { stage in
            let saver = try await Probe(stage.installation, client: "org.example.Saver")
            let other = try await Probe(stage.installation, client: "org.example.Other")
            let saving = try saver.send("stage", stage.location(name), "new")
            try await saver.wait(saving, for: "staged")
            let holding = try other.send("hold-then", stage.location("neighbour.txt"), stage.location(name))
            try await other.wait(holding, for: "granted")
            try other.send("release", holding)
            try await stage.installation.eventually("the other one waits") {
                try await stage.claims().contains { $0.client == "org.example.Other" && $0.state == "waiting" }
            }
            try saver.send("release", saving)
            let error = try await saver.wait(saving, for: "error")
            for part in ["would wait for itself", stage.bundle, "org.example.Other"] {
                #expect(error[2].contains(part), "\(error)")
            }
            #expect(stage.callbacks(name).contains("failed-Modify-deadlock"))
            try await other.wait(holding, for: "both")
            try await stage.waitForNoClaims()
        }
    }
}
