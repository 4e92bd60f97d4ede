import DocentTestSupport
import Documents
import Foundation
import Testing

/// A provider that coordinates its own files, through a real daemon (H1–H3; 2.9, deadlock 5).
@Suite(.needs(.daemon, within: .seconds(300))) struct ProviderCoordinationTests {
    private static func with(_ body: (Installation) async throws -> Void) async throws {
        try await Installation.with { installation in
            try await ClassicProbeManifest.install(in: installation)
            try await body(installation)
        }
    }

    private static func location(_ name: String) -> String { "\(ClassicProbeManifest.bundle):/\(name)" }

    private static func callbacks(_ name: String, _ installation: Installation) -> [String] {
        ClassicProbeManifest.callbacks(about: name, in: installation).filter { $0 != "placeholder" }
    }

    @Test("H3: under its own purpose a provider can write the document that a coordinated reader waits for")
    func ownPurpose() async throws {
        try await Self.with { installation in
            try ClassicProbeManifest.write("content", to: "claims.txt", in: installation)
            let probe = try await Probe(installation)
            let reader = try probe.send("hold-read", Self.location("claims.txt"))
            try await probe.wait(reader, for: "granted")
            #expect(Self.callbacks("claims.txt", installation).prefix(3) == ["start", "claimed", "started"])
            // The provider's claim has ended with its access.
            try probe.send("release", reader)
            try await probe.wait(try probe.send("hold-write", Self.location("claims.txt")), for: "granted")
        }
    }

    @Test(
        "2.9, deadlock 5, D13: without that purpose provider and reader get a deadlock error, and nothing hangs",
        arguments: ["deadlocks.txt", "rereads.txt"])
    func withoutPurpose(name: String) async throws {
        try await Self.with { installation in
            try ClassicProbeManifest.write("content", to: name, in: installation)
            try ClassicProbeManifest.write("other", to: "plain.txt", in: installation)
            let probe = try await Probe(installation)
            let reader = try probe.send("hold-read", Self.location(name))
            let error = try await probe.wait(reader, for: "error", within: 120)
            let text = error.joined(separator: " ")
            #expect(text.contains("would wait for itself"), "\(text)")
            #expect(text.contains(ClassicProbeManifest.bundle), "\(text)")
            #expect(!Self.callbacks(name, installation).contains("claimed"))
            // The provider is alive, and no claim is left.
            try await probe.wait(try probe.send("hold-read", Self.location("plain.txt")), for: "granted")
        }
    }

    @Test("H1: a provider that coordinates also serves clients that do not")
    func uncoordinatedReader() async throws {
        try await Self.with { installation in
            try ClassicProbeManifest.write("content", to: "claims.txt", in: installation)
            let place = try DocumentLocation(Self.location("claims.txt"))
            let document = try await DocumentPicker(client: installation.client()).openDocument(at: place)
            let file = FileHandle(fileDescriptor: try await document.openForReading(), closeOnDealloc: true)
            #expect(try file.readToEnd() == Data("content".utf8))
        }
    }
}
