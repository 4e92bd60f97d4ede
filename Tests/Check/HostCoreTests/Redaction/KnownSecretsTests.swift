import DocentInterfaces
import Foundation
import Keyring
import Logging
import Synchronization
import Testing

@testable import HostCore

/// When secrets are known, and what they are removed from.
@Suite struct KnownSecretsTests {
    private let known = KnownSecrets()

    /// Keeps lines.
    private struct Lines: LogHandler {
        final class Store: Sendable { let lines = Mutex<[String]>([]) }
        let store: Store
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) {
            store.lines.withLock { $0.append("\(event.message) \(event.metadata ?? [:]) \(metadata)") }
        }
    }

    @Test("A secret is known from the message that contains it until its process has ended")
    func life() {
        var process: ProcessSecrets? = known.process(of: "p")
        process?.learn(
            from: FileProviderInterface.SignIn.Parameters(
                domain: "", kind: "password", username: "ada", secret: "hush-life0001"))
        #expect(known.redact("it is hush-life0001", of: "p") == "it is ‹secret›")
        process = nil
        #expect(known.redact("it is hush-life0001", of: "p") == "it is hush-life0001")
    }

    @Test("Texts for clients are cleaned of the provider's own secrets, the log of all")
    func others() {
        let process = known.process(of: "p")
        process.learn(Array("hush-others01".utf8), nil)
        #expect(
            known.redact("hush-others01", of: "q") == "hush-others01", "a guess of another provider is not confirmed")
        #expect(known.redactLine("hush-others01", about: "q") == "‹secret›")
        withExtendedLifetime(process) {}
    }

    @Test("Every message that contains a secret makes it known")
    func messages() {
        typealias Interface = FileProviderInterface
        let process = known.process(of: "p")
        let form = Wire.SignInForm(
            identifier: "f", title: "F",
            fields: [
                .init(key: "url", label: "U", kind: "url"), .init(key: "pass", label: "P", kind: "secret"),
            ])
        process.learn(from: Interface.SignInForms.Reply(forms: [form]))
        process.learn(
            from: Interface.Authenticate.Parameters(
                domain: .init(identifier: "", displayName: "", storage: "/"), form: "f",
                values: ["url": "https://hush.example/", "pass": "hush-answer01"], attempt: "1"))
        process.learn(from: Interface.Authenticate.Reply(kind: "token", secret: "hush-result01"))
        process.learnKept(
            Interface.Keychain.Reply(
                kind: "store", request: "1", secret: Data("hush-stored001".utf8).base64EncodedString()))
        process.learnKept(
            Interface.Keychain.Reply(kind: "save", request: "2", secret: "{\"refresh_token\":\"hush-saved0001\"}"))
        process.learn(
            from: Interface.KeychainAnswered.Parameters(
                request: "3", secret: Data("hush-looked001".utf8).base64EncodedString()))
        for secret in ["hush-answer01", "hush-result01", "hush-stored001", "hush-saved0001", "hush-looked001"] {
            #expect(known.redact("x \(secret) y", of: "p") == "x ‹secret› y")
        }
        #expect(
            known.redact("https://hush.example/", of: "p") == "https://hush.example/",
            "no secret of the form")
        withExtendedLifetime(process) {}
    }

    @Test("A text that a provider asks to store is a secret only once it is stored, and an ordinary word never is")
    func claimed() {
        typealias Request = FileProviderInterface.Keychain.Reply
        let process = known.process(of: "org.example.p")
        let words = [
            "docent provider reset", "Documents", "org.example.p", "org.example.quiet", "aaaaaaaaaaaa1", "hush-9c",
        ]
        let secret = "hush-claimed4711"
        for text in words + [secret] {
            let asked = Request(kind: "save", request: "1", secret: text)
            process.learn(from: asked)
            #expect(known.redact("x \(text) y", of: "org.example.p") == "x \(text) y", "only asked for, not stored")
            process.learnKept(asked)
        }
        for text in words { #expect(known.redact("x \(text) y", of: "org.example.p") == "x \(text) y") }
        #expect(known.redact("x \(secret) y", of: "org.example.p") == "x ‹secret› y")
        withExtendedLifetime(process) {}
    }

    @Test("A provider's secrets are not removed from lines about others; what a person entered is removed everywhere")
    func scope() {
        let process = known.process(of: "p")
        process.learn(Array("hush-claimed4711".utf8), nil, isClaimed: true)
        process.learn(Array("hush-given4711".utf8), nil)
        process.learn(Array("documents".utf8), nil)
        let line = "hush-claimed4711 hush-given4711 documents"
        #expect(known.redactLine(line, about: "p") == "‹secret› ‹secret› ‹secret›")
        #expect(known.redactLine(line, about: nil) == "‹secret› ‹secret› documents")
        #expect(known.redactLine(line, about: "q") == "hush-claimed4711 ‹secret› documents")
        withExtendedLifetime(process) {}
    }

    @Test("Secrets that a person entered are not displaced by those that a provider stores")
    func crowded() {
        let process = known.process(of: "p")
        process.learn(Array("hush-given4711".utf8), nil)
        for number in 1000..<1400 { process.learn(Array("hush-many\(number)".utf8), nil, isClaimed: true) }
        #expect(process.patterns.count == 256)
        #expect(known.redact("hush-given4711", of: "p") == "‹secret›")
        withExtendedLifetime(process) {}
    }

    @Test("Every part of a failure is cleaned")
    func failures() {
        let process = known.process(of: "p")
        process.learn(Array("hush-failed001".utf8), "ada")
        let failure = Failure(
            .failed, "no hush-failed001", suggestion: "try hush-failed001", provider: "p",
            causes: [.init(domain: "D hush-failed001", code: 1, message: "hush-failed001")])
        let clean = known.redact(failure, of: "p")
        #expect(!"\(clean) \(clean.suggestion ?? "")".contains("hush-"))
        #expect(clean.causes.map(\.message) == ["‹secret›"] && clean.code == .failed && clean.provider == "p")
        withExtendedLifetime(process) {}
    }

    @Test("No part of a log line contains a secret, including metadata at any depth")
    func log() {
        let store = Lines.Store()
        let logger = known.redacting(Logger(label: "x") { _ in Lines(store: store) })
        let process = known.process(of: "p")
        process.learn(Array("hush-logged001".utf8), nil)
        logger.info(
            "says hush-logged001",
            metadata: [
                "text": "a hush-logged001", "list": ["hush-logged001"], "table": ["k": "hush-logged001"],
                "value": .stringConvertible(["hush-logged001"]),
            ])
        let line = store.lines.withLock { $0.first } ?? ""
        #expect(line.contains("‹secret›") && !line.contains("hush-"), "\(line)")
        withExtendedLifetime(process) {}
    }

    @Test("T4: each kind of a provider's lines is limited in the log, and the number of the omitted ones is logged")
    func flood() async throws {
        let store = Lines.Store()
        let logger = known.redacting(Logger(label: "x") { _ in Lines(store: store) }, span: .seconds(2))
        for number in 0..<500 { logger.info("says", metadata: ["provider": "p", "text": "\(number)"]) }
        logger.info("says", metadata: ["provider": "q", "text": "other"])
        logger.info("fails", metadata: ["provider": "p"])
        for number in 0..<50 { logger.info("ours", metadata: ["number": "\(number)"]) }
        let lines = store.lines.withLock { $0 }
        #expect(lines.count { $0.hasPrefix("says") && $0.contains("\"provider\": p") } == 20)
        #expect(lines.contains { $0.hasPrefix("says") && $0.contains("other") })
        #expect(lines.contains { $0.hasPrefix("fails") })
        #expect(lines.count { $0.hasPrefix("ours") } == 50)
        var note: String?
        for _ in 0..<600 where note == nil {
            try await Task.sleep(for: .milliseconds(100))
            note = store.lines.withLock { $0.first { $0.contains("left out") } }
        }
        #expect(note?.contains("480") == true && note?.contains("\"provider\": p") == true, "\(note ?? "none")")
    }

    @Test("T4: one process can register a limited number of secrets, of which the last ones count")
    func bounded() {
        let process = known.process(of: "p")
        for number in 1000..<1400 { process.learn(Array("hush-many\(number)".utf8), nil) }
        #expect(process.patterns.count == 256)
        #expect(known.redact("hush-many1399", of: "p") == "‹secret›")
        process.learn(Array("hush-many1399".utf8), nil)
        #expect(process.patterns.count == 256)
    }
}
