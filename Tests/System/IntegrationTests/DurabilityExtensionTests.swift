import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// kill -9 of the provider's process while calls need it (law 3).
@Suite(.needs(.daemon)) struct DurabilityExtensionTests {
    /// The call that runs while the process dies.
    enum Call: String, CaseIterable, Sendable {
        case write, export, list, open
    }

    private static let old = Installation.content("old")
    private static let new = Installation.content("new", lines: 300_000)

    @Test(
        "law 3: when a provider's process is killed during a call, the call is repeated or ends with 5, and nothing is lost",
        arguments: Sample.shared.of(Call.allCases, [0, 20, 60, 120]))
    func killedDuringCall(call: Call, delay: Int) async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write(Self.old, to: "a.txt")
            let source = try installation.makeSource(Self.new)
            try await installation.docent("ls", "LocalFolder:/").succeeded()
            let victim = try #require(try await installation.extensionProcess())
            async let running = Self.run(call, installation, source)
            try await Task.sleep(for: .milliseconds(delay))
            kill(victim, SIGKILL)
            let outcome = try await running
            #expect([0, 5].contains(outcome.status), "\(outcome.status): \(outcome.errors)")
            try await Self.check(call, outcome, installation)
            // It is started again, and everything works.
            try await installation.eventually("the provider runs again") {
                try await installation.docent("ls", "LocalFolder:/").status == 0
            }
            try await installation.eventually("nothing is left: \(installation.leftovers)") {
                installation.leftovers.isEmpty
            }
            #expect(installation.read(source) == Self.new)
            #expect(try await installation.status().pendingOperations == 0)
        }
    }

    @Test(
        "law 3: a request that a killed process did not read goes to the next process, without an error",
        arguments: [Call.list, .open])
    func killedBeforeReading(call: Call) async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write(Self.old, to: "a.txt")
            try await installation.docent("ls", "LocalFolder:/").succeeded()
            let victim = try #require(try await installation.extensionProcess())
            // Suspended, not only signalled: a running process would read the request, and could have died of it.
            try await installation.halt(victim)
            async let running = Self.run(call, installation, "")
            try await Task.sleep(for: .seconds(1))
            kill(victim, SIGKILL)
            let outcome = try await running.succeeded()
            try await Self.check(call, outcome, installation)
            #expect(try await installation.extensionProcess() != victim)
        }
    }

    private static func run(_ call: Call, _ installation: Installation, _ source: String) async throws -> Outcome {
        switch call {
        case .write: try await installation.docent("write", "LocalFolder:/a.txt", input: Data(new.utf8))
        case .export: try await installation.docent("export", source, "LocalFolder:/")
        case .list: try await installation.docent("ls", "LocalFolder:/")
        case .open: try await installation.docent("cat", "LocalFolder:/a.txt")
        }
    }

    private static func check(_ call: Call, _ outcome: Outcome, _ installation: Installation) async throws {
        let document = installation.documents + "/a.txt"
        switch call {
        case .write where outcome.status == 0:
            // "Saved" may mean: sent as soon as the provider is running again.
            try await installation.eventually("the document is the new one") { installation.read(document) == new }
        case .write: #expect(installation.read(document) == old)
        case .export where outcome.status == 0:
            #expect(installation.read(installation.documents + "/source.txt") == new)
        case .export:
            let copy = installation.read(installation.documents + "/source.txt")
            #expect(copy == nil || copy == new)
        case .list: if outcome.status == 0 { #expect(outcome.text.contains("a.txt\n")) }
        case .open: if outcome.status == 0 { #expect(outcome.text == old) }
        }
        #expect([old, new].contains(installation.read(document)))
    }

    @Test(
        "law 3, law 6: a provider whose process dies repeatedly is quarantined, a write stays saved, and a reset sends it"
    )
    func quarantine() async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_LOG_LEVEL": "info"]) { installation in
            try installation.write(Self.old, to: "a.txt")
            let client = installation.client()
            let document = try await DocumentPicker(client: client)
                .openDocument(at: .init(provider: "LocalFolder", path: "/a.txt"))
            let session = try await document.beginWriting(replacing: true)
            try writeAll(Self.new, to: session.descriptor)
            for round in 1...3 {
                try await installation.eventually("the provider runs, round \(round)") {
                    _ = try await installation.docent("ls", "LocalFolder:/")
                    return try await installation.extensionProcess() != nil
                }
                let victim = try #require(try await installation.extensionProcess())
                kill(victim, SIGKILL)
                try await installation.eventually("the crash was noticed") {
                    try await installation.status().extensions.first { $0.point == "com.apple.fileprovider-nonui" }?
                        .crashes == round
                }
            }
            #expect(try await installation.docent("ls", "LocalFolder:/").status == 5)
            // Saved locally: a reader sees it, the provider does not.
            try await session.commit()
            #expect(installation.read(installation.documents + "/a.txt") == Self.old)
            #expect(try await installation.status().pendingOperations == 1)
            let descriptor = try await document.openForReading()
            let seen = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readDataToEndOfFile()
            #expect(String(decoding: seen, as: UTF8.self) == Self.new)

            try await installation.docent("provider", "reset", "org.docent.LocalFolder").succeeded()
            try await installation.eventually("the write is sent", within: 60) {
                installation.read(installation.documents + "/a.txt") == Self.new
            }
            try await installation.eventually("nothing is left") { installation.leftovers.isEmpty }
            #expect(try await installation.status().pendingOperations == 0)
            client.close()
        }
    }
}
