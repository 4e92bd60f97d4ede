import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// kill -9 of the daemon at every step of a write of an existing document.
@Suite(.needs(.daemon)) struct DurabilityWriteTests {
    private static let old = Installation.content("old")
    private static let new = Installation.content("new")

    private static func prepare(_ installation: Installation) async throws {
        try installation.write(old, to: "a.txt")
        try await installation.stopDaemon()
    }

    private static func document(_ installation: Installation) -> String? {
        installation.read(installation.documents + "/a.txt")
    }

    @Test(
        "W, D2: docent write survives kill -9 of the daemon after a step: success means the new content, failure the old one",
        arguments: Sample.shared.of(Installation.writeSteps))
    func commandLine(step: String) async throws {
        try await Installation.withLocalFolder { installation in
            try await Self.prepare(installation)
            let daemon = try await installation.readyDaemon(crashAfter: step)
            let written = try await installation.docent("write", "LocalFolder:/a.txt", input: Data(Self.new.utf8))
            if step == "renamed" {
                // An in-place provider renames in its own process.
                #expect(daemon.isRunning)
                try written.succeeded()
            } else {
                try await installation.waitForEnd(of: daemon)
                #expect(daemon.terminationReason == .uncaughtSignal && daemon.terminationStatus == SIGKILL)
            }
            if Installation.isCommitted(after: step) || step == "opened" { try written.succeeded() }
            if written.status == 0 {
                #expect(Self.document(installation) == Self.new)
                #expect(installation.versions.isEmpty)
            } else {
                #expect(written.status == 6 || written.status == 5, "\(written.errors)")
                #expect(Self.document(installation) == Self.old)
                #expect(installation.versions == [Self.new], "no written content is dropped (W0)")
            }
            try await installation.eventually("nothing is left: \(installation.leftovers)") {
                installation.leftovers.isEmpty
            }
            #expect(installation.documentNames == ["a.txt"])
            if daemon.isRunning { try await installation.killDaemon(daemon) }
        }
    }

    @Test(
        "W: after kill -9 at a step, Outcome and the document agree, and a second recovery changes nothing",
        arguments: Sample.shared.of(Installation.writeSteps.filter { $0 != "renamed" && $0 != "opened" }))
    func library(step: String) async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_RESUME_SECONDS": "0"]) { installation in
            try await Self.prepare(installation)
            let daemon = try await installation.readyDaemon(crashAfter: step)
            let client = installation.passiveClient()
            let operation = try await Self.fail(client)
            try await installation.waitForEnd(of: daemon)
            #expect([Self.old, Self.new].contains(Self.document(installation)))

            for _ in 0..<2 {
                let next = try await installation.readyDaemon()
                let later = installation.passiveClient()
                if Installation.isCommitted(after: step) {
                    try await installation.eventually("the write is finished") {
                        try await later.outcome(of: operation).state == .finished
                    }
                    #expect(Self.document(installation) == Self.new)
                    #expect(installation.versions.isEmpty)
                } else {
                    #expect(try await later.outcome(of: operation).state == .failed)
                    #expect(Self.document(installation) == Self.old)
                    #expect(installation.versions == [Self.new])
                }
                try await installation.eventually("nothing is left") { installation.leftovers.isEmpty }
                #expect(installation.documentNames == ["a.txt"])
                #expect(try await installation.status().pendingOperations == 0)
                try await installation.killDaemon(next)
            }
        }
    }

    /// Writes and commits; the daemon exits during the call.
    private static func fail(_ client: DocumentsClient) async throws -> String {
        let document = try await DocumentPicker(client: client).openDocument(
            at: .init(provider: "LocalFolder", path: "/a.txt"))
        let session = try await document.beginWriting(replacing: true)
        try writeAll(new, to: session.descriptor)
        await #expect(throws: DocumentsError.self, "the daemon is gone and no client starts another") {
            try await session.commit()
        }
        return session.operation
    }

    @Test(
        "W: a killed recovery is resumed",
        arguments: Sample.shared.of(["published", "recorded", "uploadRecorded", "uploaded"]))
    func interruptedRecovery(step: String) async throws {
        try await Installation.withLocalFolder { installation in
            try await Self.prepare(installation)
            let daemon = try await installation.readyDaemon(crashAfter: "committed")
            let operation = try await Self.fail(installation.passiveClient())
            try await installation.waitForEnd(of: daemon)
            #expect(Self.document(installation) == Self.old)

            let second = try await installation.readyDaemon(crashAfter: step)
            try await installation.waitForEnd(of: second)
            #expect(second.terminationReason == .uncaughtSignal)
            #expect([Self.old, Self.new].contains(Self.document(installation)))

            let third = try await installation.readyDaemon()
            let client = installation.passiveClient()
            try await installation.eventually("the write is finished") {
                try await client.outcome(of: operation).state == .finished
            }
            #expect(Self.document(installation) == Self.new)
            try await installation.eventually("nothing is left") { installation.leftovers.isEmpty }
            #expect(installation.documentNames == ["a.txt"])
            #expect(installation.versions.isEmpty)
            try await installation.killDaemon(third)
        }
    }
}
