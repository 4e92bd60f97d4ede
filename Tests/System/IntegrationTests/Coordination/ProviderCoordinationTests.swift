import DocentTestSupport
import Documents
import Foundation
import Testing

/// A provider that coordinates its own files, through a real daemon (H1–H3; 2.9, deadlock 5).
@Suite(.needs(.daemon, within: .seconds(300))) struct ProviderCoordinationTests {
    private static func location(_ name: String) -> String { "\(ClassicProbeManifest.bundle):/\(name)" }

    private static func callbacks(_ name: String, _ installation: Installation) -> [String] {
        ClassicProbeManifest.callbacks(about: name, in: installation).filter { $0 != "placeholder" }
    }

    @Test(
        "H1, H3, D13, 2.9, deadlock 5: a provider writes what a reader waits for under its own purpose, else both get a deadlock error; it also serves clients that do not coordinate"
    )
    func purposes() async throws {
        try await Installation.with { installation in
            try await ClassicProbeManifest.install(in: installation)
            for name in ["claims.txt", "claims-2.txt", "deadlocks.txt", "rereads.txt"] {
                try ClassicProbeManifest.write("content", to: name, in: installation)
            }
            for name in ["plain.txt", "plain-2.txt"] {
                try ClassicProbeManifest.write("other", to: name, in: installation)
            }
            try await TestStep.run("own purpose") { try await Self.ownPurpose(installation) }
            for (name, other) in [("deadlocks.txt", "plain.txt"), ("rereads.txt", "plain-2.txt")] {
                try await TestStep.run(name) { try await Self.withoutPurpose(name, other, installation) }
            }
            try await TestStep.run("uncoordinated reader") { try await Self.uncoordinatedReader(installation) }
        }
    }

    /// Under its own purpose a provider can write the document that a coordinated reader waits for (H3).
    private static func ownPurpose(_ installation: Installation) async throws {
        let probe = try await Probe(installation)
        let reader = try probe.send("hold-read", Self.location("claims.txt"))
        try await probe.wait(reader, for: "granted")
        #expect(Self.callbacks("claims.txt", installation).prefix(3) == ["start", "claimed", "started"])
        // The provider's claim has ended with its access.
        try probe.send("release", reader)
        try await probe.wait(try probe.send("hold-write", Self.location("claims.txt")), for: "granted")
    }

    /// Without that purpose provider and reader get a deadlock error, and nothing hangs (2.9, deadlock 5, D13).
    private static func withoutPurpose(_ name: String, _ other: String, _ installation: Installation) async throws {
        let probe = try await Probe(installation)
        let reader = try probe.send("hold-read", Self.location(name))
        let error = try await probe.wait(reader, for: "error", within: 120)
        let text = error.joined(separator: " ")
        #expect(text.contains("would wait for itself"), "\(name): \(text)")
        #expect(text.contains(ClassicProbeManifest.bundle), "\(name): \(text)")
        #expect(!Self.callbacks(name, installation).contains("claimed"), "\(name)")
        // The provider is alive, and no claim is left.
        try await probe.wait(try probe.send("hold-read", Self.location(other)), for: "granted")
    }

    /// A provider that coordinates also serves clients that do not (H1).
    private static func uncoordinatedReader(_ installation: Installation) async throws {
        let place = try DocumentLocation(Self.location("claims-2.txt"))
        let document = try await DocumentPicker(client: installation.client()).openDocument(at: place)
        let file = FileHandle(fileDescriptor: try await document.openForReading(), closeOnDealloc: true)
        #expect(try file.readToEnd() == Data("content".utf8))
    }
}
