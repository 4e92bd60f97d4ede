import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import Varlink

/// kill -9 of the daemon at every step of export and move.
@Suite(.needs(.daemon)) struct DurabilityCreationTests {
    /// The two modes that create documents.
    enum Mode: String, CaseIterable, Sendable {
        case export, move
    }

    private static let text = Installation.content("created")
    private static let location = DocumentLocation(provider: "LocalFolder", path: "/")

    @Test(
        "W, X14: docent export and move survive kill -9 of the daemon after a step; a source is never removed without its copy",
        arguments: Sample.shared.of(Mode.allCases, Installation.writeSteps))
    func commandLine(mode: Mode, step: String) async throws {
        try await Installation.withLocalFolder { installation in
            let source = try installation.makeSource(Self.text)
            try await installation.stopDaemon()
            let daemon = try await installation.readyDaemon(crashAfter: step)
            let done = try await installation.docent(mode.rawValue, source, "LocalFolder:/")
            if step == "renamed" {
                #expect(daemon.isRunning, "an in-place provider renames in its own process")
            } else {
                try await installation.waitForEnd(of: daemon)
                #expect(daemon.terminationReason == .uncaughtSignal && daemon.terminationStatus == SIGKILL)
            }
            // The source still exists, so the repeated call can always be answered.
            try done.succeeded()
            #expect(installation.read(installation.documents + "/source.txt") == Self.text)
            #expect(FileManager.default.fileExists(atPath: source) == (mode == .export))
            try await installation.eventually("nothing is left") { installation.leftovers.isEmpty }
            #expect(installation.documentNames == ["source.txt"])
            #expect(installation.versions.isEmpty)
            let grants = try await installation.docent("grants", "--json").succeeded().json([Grant].self)
            #expect(grants.map(\.origin) == (mode == .move ? ["move"] : []))
            if daemon.isRunning { try await installation.killDaemon(daemon) }
        }
    }

    @Test(
        "W: after kill -9 at a step of export and move, Outcome and the folder agree, and a second recovery changes nothing",
        arguments: Sample.shared.of(Mode.allCases, Installation.writeSteps.filter { $0 != "renamed" }))
    func library(mode: Mode, step: String) async throws {
        try await Installation.withLocalFolder { installation in
            let source = try installation.makeSource(Self.text)
            try await installation.stopDaemon()
            let daemon = try await installation.readyDaemon(crashAfter: step)
            let operation = UUID().uuidString
            await #expect(throws: DocumentsError.self) {
                try await Self.call(mode, installation.passiveClient(), source, operation)
            }
            try await installation.waitForEnd(of: daemon)

            for _ in 0..<2 {
                let next = try await installation.readyDaemon()
                let client = installation.passiveClient()
                if Installation.isCommitted(after: step) {
                    try await installation.eventually("it is finished") {
                        try await client.outcome(of: operation).state == .finished
                    }
                    #expect(installation.documentNames == ["source.txt"])
                    #expect(installation.read(installation.documents + "/source.txt") == Self.text)
                } else {
                    #expect(try await client.outcome(of: operation).state == .failed)
                    #expect(installation.documentNames.isEmpty)
                }
                #expect(installation.read(source) == Self.text, "only the client removes its source")
                try await installation.eventually("nothing is left") { installation.leftovers.isEmpty }
                try await installation.killDaemon(next)
            }
            // The same call returns the same document, and creates no second one.
            let last = try await installation.readyDaemon()
            try await Self.call(mode, installation.passiveClient(), source, operation)
            #expect(installation.documentNames == ["source.txt"])
            #expect(installation.read(installation.documents + "/source.txt") == Self.text)
            try await installation.eventually("nothing is left") { installation.leftovers.isEmpty }
            try await installation.killDaemon(last)
        }
    }

    private static func call(_ mode: Mode, _ client: DocumentsClient, _ source: String, _ operation: String)
        async throws
    {
        let descriptor = open(source, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Problem("\(source) cannot be opened") }
        let descriptors = DescriptorList(OwnedDescriptor(descriptor))
        switch mode {
        case .export:
            _ = try await client.call(
                PickerInterface.PickExport.self,
                .init(folder: location.wire, name: "source.txt", source: 0, operation: operation),
                descriptors: descriptors)
        case .move:
            _ = try await client.call(
                PickerInterface.PickMove.self,
                .init(folder: location.wire, name: "source.txt", source: 0, operation: operation),
                descriptors: descriptors)
        }
    }

    private struct Grant: Decodable { var origin: String }
}
