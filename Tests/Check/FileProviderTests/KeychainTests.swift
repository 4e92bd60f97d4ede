import DocentInterfaces
import FileProvider
import FoundationEssentials
import Synchronization
import Testing
import Varlink

/// The extension's side of its keychain; the test plays the host (O6).
@Suite(.timeLimit(.minutes(2))) struct KeychainTests {
    typealias Message = FileProviderInterface.Keychain.Reply

    /// The host: the requests of the extension, and the answers.
    private final class Host: Sendable {
        let provider: ExtensionUnderTest
        let calls: VarlinkConnection
        let answers: VarlinkConnection
        let news: VarlinkConnection
        private let asked = Mutex<[Message]>([])

        init() async throws {
            provider = try await ExtensionUnderTest("FileProviderTests.FakeKeychain", domains: ["", "work"])
            calls = try await provider.secondConnection()
            answers = try await provider.secondConnection()
            news = try await provider.secondConnection()
        }

        func follow() {
            Task { [weak self, news] in
                let stream = news.stream(
                    FileProviderInterface.Keychain.name, FileProviderInterface.Keychain.Parameters(), Message.self)
                do {
                    for try await reply in stream { self?.asked.withLock { $0.append(reply.value) } }
                } catch {}
            }
        }

        func next() async throws -> Message {
            let deadline = ContinuousClock.now + .seconds(60)
            while ContinuousClock.now < deadline {
                if let first = asked.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return first }
                try await Task.sleep(for: .milliseconds(5))
            }
            throw VarlinkError(.timedOut, "The extension asked nothing.")
        }

        func answer(
            _ request: Message, secret: [UInt8]? = nil, items: [Wire.KeychainItem]? = nil, code: FailureCode? = nil,
            _ message: String? = nil
        ) async throws {
            _ = try await answers.call(
                FileProviderInterface.KeychainAnswered.self,
                .init(
                    request: request.request, secret: secret.map { Data($0).base64EncodedString() }, items: items,
                    code: code?.rawValue, message: message))
        }

        /// Makes the extension do something; the result is the name of an item.
        func start(_ instruction: String, domain: String = "") -> Task<String, any Error> {
            Task { [provider] in
                let calls = try await provider.secondConnection()
                return try await calls.call(
                    FileProviderInterface.Item.self, .init(domain: domain, identifier: instruction),
                    deadline: .seconds(100)
                ).value.item.name
            }
        }
    }

    @Test("O6: a secret of any bytes is stored in the group, domain and account that the author names")
    func stores() async throws {
        let host = try await Host()
        host.follow()
        let call = host.start("store|org.example.g|hush-sdk000001", domain: "work")
        let request = try await host.next()
        #expect(request.kind == "store" && request.group == "org.example.g" && request.domain == "work")
        #expect(request.account == "account" && request.label == "label")
        #expect(request.secret == Data([0] + Array("hush-sdk000001".utf8)).base64EncodedString())
        try await host.answer(request)
        #expect(try await call.value == "stored")
    }

    @Test("O6: without a group the host's first one is used; a secret comes back unchanged, or as nil")
    func looksUp() async throws {
        let host = try await Host()
        host.follow()
        let call = host.start("lookUp||")
        let request = try await host.next()
        #expect(request.kind == "lookUp" && request.group == nil && request.domain == "" && request.secret == nil)
        try await host.answer(request, secret: Array("hush-sdk000002".utf8))
        #expect(try await call.value == "hush-sdk000002")
        let other = host.start("lookUp||")
        try await host.answer(try await host.next())
        #expect(try await other.value == "none")
    }

    @Test("Deleting reports whether there was a secret; a list contains no secrets")
    func deletesAndLists() async throws {
        let host = try await Host()
        host.follow()
        for (code, expected) in [(nil, "true"), (FailureCode.notFound, "false")] {
            let call = host.start("delete||")
            try await host.answer(try await host.next(), code: code)
            #expect(try await call.value == expected)
        }
        let call = host.start("list|org.example.g|")
        let request = try await host.next()
        #expect(request.kind == "list" && request.group == "org.example.g")
        try await host.answer(request, items: [.init(group: "org.example.g", domain: "d", account: "a")])
        #expect(try await call.value == "org.example.g/d/a")
    }

    @Test("Tokens: a refreshed credential is passed on with kind and user name, for the domain of the instance")
    func saves() async throws {
        let host = try await Host()
        host.follow()
        let call = host.start("save||hush-sdk000003", domain: "work")
        let request = try await host.next()
        #expect(request.kind == "save" && request.domain == "work" && request.secret == "hush-sdk000003")
        #expect(request.credentialKind == "oauth" && request.username == "ada")
        try await host.answer(request)
        #expect(try await call.value == "saved")
    }

    @Test(
        "A refusal reaches the author with its reason and a fitting code",
        arguments: [
            (FailureCode.notPermitted, FileProviderError.Code.notPermitted), (.unavailable, .keychainUnavailable),
            (.noSpace, .insufficientQuota), (.notAuthenticated, .notAuthenticated), (.busy, .busy),
            (.invalidArgument, .invalidArgument), (FailureCode("Newer"), .failed),
        ])
    func refusals(_ code: FailureCode, _ expected: FileProviderError.Code) async throws {
        let host = try await Host()
        host.follow()
        let call = host.start("lookUp||")
        try await host.answer(try await host.next(), code: code, "Because of \(code).")
        let failure = await #expect(throws: Failure.self) { _ = try await call.value }
        #expect(failure?.message == "Because of \(code).")
        #expect(failure?.causes.first?.code == expected.rawValue)
    }

    @Test("A locked keyring does not mean that the account is signed out")
    func locked() async throws {
        let host = try await Host()
        host.follow()
        let call = host.start("lookUp||")
        try await host.answer(try await host.next(), code: .unavailable, "The keyring is locked.")
        let failure = await #expect(throws: Failure.self) { _ = try await call.value }
        #expect(failure?.code == .busy)
    }

    @Test("With a host that does not read requests, a request fails soon; if the host stops reading, no caller waits")
    func noHost() async throws {
        let host = try await Host()
        let alone = await #expect(throws: Failure.self) { _ = try await host.start("lookUp||").value }
        #expect(alone?.code == .notSupported)
        host.follow()
        let call = host.start("lookUp||")
        _ = try await host.next()
        host.news.close()
        let failure = await #expect(throws: Failure.self) { _ = try await call.value }
        #expect(failure?.message.contains("went away") == true)
    }

    @Test("T4: at most 64 requests wait, and a secret has at most 64 KiB")
    func limits() async throws {
        let host = try await Host()
        host.follow()
        let many = host.start("many||")
        for _ in 0..<64 { try await host.answer(try await host.next()) }
        #expect(try await many.value == "64 and busy 6")
        let failure = await #expect(throws: Failure.self) { _ = try await host.start("large||").value }
        #expect(failure?.code == .invalidArgument)
    }

    @Test("2.8: cancelling the caller withdraws the request")
    func withdraws() async throws {
        let host = try await Host()
        host.follow()
        let call = host.start("lookUp||")
        let request = try await host.next()
        call.cancel()
        _ = try? await call.value
        // Nothing tells the host: the extension notices the end of the call by itself.
        try await Task.sleep(for: .seconds(2))
        await #expect(throws: Failure.self) { try await host.answer(request) }
    }

    @Test("A provider under test without a host has a keychain in memory")
    func inMemory() async throws {
        let host = FileProviderHost()
        try await host.keychain.store(Array("hush-sdk000004".utf8), account: "a", group: "g", label: "l")
        #expect(try await host.keychain.secret(account: "a", group: "g") == Array("hush-sdk000004".utf8))
        #expect(try await host.keychain.secret(account: "a", group: "h") == nil)
        #expect(try await host.keychain.items(group: "g").map(\.account) == ["a"])
        #expect(try await host.keychain.items(group: "h").isEmpty)
        #expect(try await host.keychain.delete(account: "a", group: "g"))
        #expect(try await !host.keychain.delete(account: "a", group: "g"))
        try await host.save(Credential(secret: "hush-sdk000005"))
    }
}
