import DocentTestSupport
import Documents
import Foundation
import Testing

/// A provider that coordinates during a change requested by the host (H3; 2.9, deadlock 5), through a real daemon.
@Suite(.needs(.daemon, within: .seconds(300))) struct ProviderChangeClaimTests {
    /// The change that a client requests, and for which the provider is called.
    ///
    /// Creation comes first: the provider's identifiers are numbers of inodes, and a new document may get that of a
    /// deleted one.
    enum Change: String, CaseIterable, Sendable {
        case Create, Modify, Move, Delete

        func perform(_ name: String, _ stage: CoordinatingStage, _ probe: Probe) async throws -> String {
            let location = stage.location(name)
            switch self {
            case .Modify: return try probe.send("write", location, "new")
            case .Move: return try probe.send("rename", location, renamed(name))
            case .Delete: return try probe.send("delete", location)
            case .Create: return try probe.send("create", stage.location(""), name, "new")
            }
        }

        /// Whether it was made.
        func isDone(_ name: String, _ stage: CoordinatingStage) -> Bool {
            switch self {
            case .Modify, .Create: stage.read(name) == "new"
            case .Move: stage.read(name) == nil && stage.read(renamed(name)) == "old"
            case .Delete: stage.read(name) == nil
            }
        }

        /// Whether no part of it was made.
        func isUndone(_ name: String, _ stage: CoordinatingStage) -> Bool {
            stage.read(name) == (self == .Create ? nil : "old") && stage.read(renamed(name)) == nil
        }

        /// The name of its document. The provider acts by the prefix.
        func name(_ prefix: String) -> String { "\(prefix)-\(rawValue).txt" }

        private func renamed(_ name: String) -> String { "renamed-\(name)" }
    }

    /// A document for each change that has one before, with each prefix.
    private static func documents(_ prefixes: String...) -> [String: String] {
        var result: [String: String] = [:]
        for prefix in prefixes {
            for change in Change.allCases where change != .Create { result[change.name(prefix)] = "old" }
        }
        return result
    }

    @Test(
        "H3, 2.9, deadlock 2, deadlock 5: in place, a provider changes the item of its own call under its own purpose, else both get a deadlock error"
    )
    func inPlace() async throws {
        var files = Self.documents("own", "plain", "reads")
        for name in ["beside.txt", "with.txt"] { files[name] = "old" }
        files["neighbour.txt"] = "n"
        try await CoordinatingStage.with(.inPlace, files) { stage in
            let probe = try await Probe(stage.installation)
            try await Self.ownPurpose(stage, probe)
            for change in Change.allCases {
                for prefix in ["plain", "reads"] {
                    // Reading a folder does not affect what is created in it.
                    guard change != .Create || prefix == "plain" else { continue }
                    let name = change.name(prefix)
                    try await TestStep.run(name) { try await Self.withoutPurpose(change, name, stage, probe) }
                }
            }
            for name in ["beside.txt", "with.txt"] {
                try await TestStep.run(name) { try await Self.cycle(name, stage) }
            }
        }
    }

    @Test(
        "H3, 2.3, 2.9, deadlock 5: the same holds for remote items, but a claim during an upload waits for the client's claim to end"
    )
    func remote() async throws {
        try await CoordinatingStage.with(.remote, Self.documents("own", "plain")) { stage in
            let probe = try await Probe(stage.installation)
            try await Self.ownPurpose(stage, probe)
            try await TestStep.run("upload") { try await Self.upload(Change.Modify.name("plain"), stage) }
            for change in [Change.Move, .Delete] {
                let name = change.name("plain")
                try await TestStep.run(name) { try await Self.remoteWithoutPurpose(change, name, stage, probe) }
            }
        }
    }

    /// A provider can coordinate the item of its own call under its own purpose.
    private static func ownPurpose(_ stage: CoordinatingStage, _ probe: Probe) async throws {
        for change in Change.allCases {
            let name = change.name("own")
            try await TestStep.run(name) {
                let id = try await change.perform(name, stage, probe)
                try await probe.wait(id, for: "ok")
                try await stage.wait(name, for: "end-\(change.rawValue)")
                #expect(stage.callbacks(name).contains("claimed-\(change.rawValue)"), "\(name)")
                #expect(change.isDone(name, stage), "\(name)")
                try await stage.waitForNoClaims()
            }
        }
    }

    /// Without that purpose provider and client get a deadlock error at once, and nothing is changed.
    private static func withoutPurpose(
        _ change: Change, _ name: String, _ stage: CoordinatingStage, _ probe: Probe
    ) async throws {
        let error = try await probe.wait(try await change.perform(name, stage, probe), for: "error")
        #expect(error[1] == "ProviderFailed", "\(name): \(error)")
        #expect(error[2].contains("would wait for itself"), "\(name): \(error)")
        #expect(error[2].contains(stage.bundle), "\(name): \(error)")
        #expect(stage.callbacks(name).contains("failed-\(change.rawValue)-deadlock"), "\(name)")
        #expect(!stage.callbacks(name).contains("claimed-\(change.rawValue)"), "\(name)")
        #expect(change.isUndone(name, stage), "\(name)")
        try await stage.waitForNoClaims()
        // Nothing is retried without its client's knowledge.
        #expect(stage.callbacks(name).filter { $0 == "call-\(change.rawValue)" }.count == 1, "\(name)")
    }

    /// The same holds for moves and removals of remote items.
    private static func remoteWithoutPurpose(
        _ change: Change, _ name: String, _ stage: CoordinatingStage, _ probe: Probe
    ) async throws {
        let error = try await probe.wait(try await change.perform(name, stage, probe), for: "error")
        #expect(error[2].contains("would wait for itself"), "\(name): \(error)")
        #expect(stage.callbacks(name).contains("failed-\(change.rawValue)-deadlock"), "\(name)")
        try await stage.waitForNoClaims()
        #expect(try await stage.staysWithout(name, "claimed-\(change.rawValue)"), "\(name)")
        #expect(change.isUndone(name, stage), "\(name)")
    }

    /// A provider's claim during an upload waits for the client's claim to end, and is no deadlock.
    private static func upload(_ name: String, _ stage: CoordinatingStage) async throws {
        let client = stage.installation.client()
        defer { client.close() }
        let document = try await DocumentPicker(client: client).openDocument(
            at: try DocumentLocation(stage.location(name)))
        try await FileCoordinator(client: client).coordinate(writingItemAt: document.reference) { access in
            let session = try await access.session(replacing: true)
            try FileHandle(fileDescriptor: session.descriptor).write(contentsOf: Data("new".utf8))
            _ = try await session.commit()
            try await stage.wait(name, for: "call-Modify")
            #expect(try await stage.staysWithout(name, "claimed-Modify"))
        }
        try await stage.wait(name, for: "claimed-Modify")
        try await stage.wait(name, for: "end-Modify")
        #expect(stage.read(name) == "new")
        #expect(!stage.callbacks(name).contains("failed-Modify-deadlock"))
    }

    /// A cycle through a provider, a client and another client is found (2.9, deadlock 2).
    private static func cycle(_ name: String, _ stage: CoordinatingStage) async throws {
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
            #expect(error[2].contains(part), "\(name): \(error)")
        }
        #expect(stage.callbacks(name).contains("failed-Modify-deadlock"), "\(name)")
        try await other.wait(holding, for: "both")
        try await stage.waitForNoClaims()
    }
}
