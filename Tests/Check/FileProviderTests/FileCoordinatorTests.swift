import DocentInterfaces
import FileProvider
import FoundationEssentials
import Synchronization
import Testing
import Varlink

/// The extension's side of its own coordination; the test plays the host.
@Suite(.timeLimit(.minutes(2))) struct FileCoordinatorTests {
    /// The host: the requests of the extension, and the answers.
    private final class Host: Sendable {
        let provider: ExtensionUnderTest
        let calls: VarlinkConnection
        let answers: VarlinkConnection
        let news: VarlinkConnection
        private let told = Mutex<[FileProviderInterface.Claims.Reply]>([])

        init(domains: [String] = ["", "work"]) async throws {
            provider = try await ExtensionUnderTest("FileProviderTests.FakeCoordinating", domains: domains)
            calls = try await provider.secondConnection()
            answers = try await provider.secondConnection()
            news = try await provider.secondConnection()
            Task { [weak self, news] in
                let stream = news.stream(
                    FileProviderInterface.Claims.name, FileProviderInterface.Claims.Parameters(),
                    FileProviderInterface.Claims.Reply.self)
                do {
                    for try await reply in stream { self?.told.withLock { $0.append(reply.value) } }
                } catch {}
            }
        }

        func next() async throws -> FileProviderInterface.Claims.Reply {
            let deadline = ContinuousClock.now + .seconds(60)
            while ContinuousClock.now < deadline {
                if let first = told.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return first }
                try await Task.sleep(for: .milliseconds(5))
            }
            throw VarlinkError(.timedOut, "The extension sent nothing.")
        }

        func answer(_ claim: String, code: String? = nil, _ message: String? = nil) async throws {
            _ = try await answers.call(
                FileProviderInterface.ClaimAnswered.self,
                .init(claim: claim, granted: message == nil, code: code, message: message))
        }

        func start(_ instruction: String, domain: String = "") -> Task<Void, any Error> {
            Task { [calls] in
                _ = try await calls.call(
                    FileProviderInterface.Item.self, .init(domain: domain, identifier: instruction),
                    deadline: .seconds(100))
            }
        }
    }

    @Test(
        "H1, H3: a request names item, options, purpose and the call it is made in; the access runs when it is granted")
    func asksAndReleases() async throws {
        let host = try await Host()
        let item = "granted \(UUID())"
        let call = host.start("org.example.P|write|\(item)", domain: "work")
        let request = try await host.next()
        #expect(request.kind == "request")
        #expect(request.domain == "work")
        #expect(request.accesses == [.init(identifier: item, writing: true, options: ["forReplacing"])])
        #expect(request.purpose == "org.example.P")
        #expect(request.within == "Item work org.example.P|write|\(item)")
        #expect(request.enclosing == nil)
        #expect(FakeCoordinating.count(item) == 0)
        try await host.answer(request.claim)
        let release = try await host.next()
        #expect(release.kind == "release")
        #expect(release.claim == request.claim)
        #expect(FakeCoordinating.count(item) == 1)
        try await call.value
    }

    @Test("2.7: the purpose is the coordinator's own unless set, and can be set once, to a text that is not empty")
    func purposes() throws {
        let first = FileCoordinator(host: FileProviderHost())
        let second = FileCoordinator(host: FileProviderHost())
        #expect(first.purposeIdentifier != second.purposeIdentifier)
        #expect(throws: FileProviderError.self) { try first.setPurposeIdentifier("") }
        try first.setPurposeIdentifier("shared")
        #expect(first.purposeIdentifier == "shared")
        #expect(throws: FileProviderError.self) { try first.setPurposeIdentifier("other") }
    }

    @Test("A claim ends when the access throws, and the error is passed on")
    func releasesOnThrow() async throws {
        let host = try await Host()
        let call = host.start("|throw|thrown")
        let request = try await host.next()
        try await host.answer(request.claim)
        let release = try await host.next()
        #expect(release.kind == "release")
        #expect(release.claim == request.claim)
        let failure = await #expect(throws: Failure.self) { try await call.value }
        #expect(failure?.causes.contains { $0.domain.contains("Thrown") } == true)
    }

    @Test("2.9: a request within an access names the claim around it")
    func namesEnclosingClaims() async throws {
        let host = try await Host()
        let call = host.start("|nest|nested")
        let outer = try await host.next()
        try await host.answer(outer.claim)
        let inner = try await host.next()
        #expect(inner.enclosing == [outer.claim])
        #expect(inner.purpose != outer.purpose)
        try await host.answer(inner.claim)
        #expect(try await host.next().claim == inner.claim)
        #expect(try await host.next().claim == outer.claim)
        try await call.value
    }

    @Test("2.9, deadlock 5: a refusal reaches the author with its reason, and the access does not run")
    func refusals() async throws {
        let host = try await Host()
        let item = "refused \(UUID())"
        let call = host.start("|read|\(item)")
        let request = try await host.next()
        #expect(request.accesses == [.init(identifier: item, writing: false, options: ["withoutChanges"])])
        try await host.answer(request.claim, code: "Deadlock", "A waits for B, which waits for A.")
        let failure = await #expect(throws: Failure.self) { try await call.value }
        #expect(failure?.message == "A waits for B, which waits for A.")
        #expect(failure?.causes.contains { $0.code == FileProviderError.Code.deadlock.rawValue } == true)
        #expect(FakeCoordinating.count(item) == 0)
    }

    @Test("2.8: cancelling the caller withdraws the request")
    func withdraws() async throws {
        let host = try await Host()
        let call = host.start("|read|withdrawn")
        let request = try await host.next()
        call.cancel()
        let release = try await host.next()
        #expect(release.kind == "release")
        #expect(release.claim == request.claim)
        await #expect(throws: Failure.self) { try await host.answer(request.claim) }
        #expect(FakeCoordinating.count("withdrawn") == 0)
    }

    @Test("A request that is not granted in time fails and is withdrawn")
    func deadlines() async throws {
        let host = try await Host()
        let call = host.start("|hurry|late")
        let request = try await host.next()
        let failure = await #expect(throws: Failure.self) { try await call.value }
        #expect(failure?.code == .busy)
        let release = try await host.next()
        #expect(release.kind == "release")
        #expect(release.claim == request.claim)
    }

    @Test("With a host that does not read the requests, a request fails soon and says so")
    func nobodyFollows() async throws {
        let provider = try await ExtensionUnderTest("FileProviderTests.FakeCoordinating")
        let failure = await #expect(throws: Failure.self) {
            try await provider.call(FileProviderInterface.Item.self, .init(domain: "", identifier: "|hurry|alone"))
        }
        #expect(failure?.code == .notSupported)
    }

    @Test("A host that stops reading the requests leaves no caller waiting")
    func hostGoes() async throws {
        let host = try await Host()
        let call = host.start("|read|left")
        _ = try await host.next()
        host.news.close()
        let failure = await #expect(throws: Failure.self) { try await call.value }
        #expect(failure?.message.contains("went away") == true)
    }

    @Test("T4: at most 256 claims of a process at the same time")
    func limits() async throws {
        let coordinator = FileCoordinator(host: FileProviderHost())
        func nest(_ depth: Int) async throws -> Int {
            try await coordinator.coordinate(readingItem: ItemIdentifier("x")) {
                do {
                    return try await nest(depth + 1)
                } catch let error as FileProviderError {
                    #expect(error.code == .busy)
                    return depth
                }
            }
        }
        #expect(try await nest(1) == 256)
        #expect(try await coordinator.coordinate(readingItem: ItemIdentifier("x")) { 7 } == 7)
    }

    @Test("F1: a document's URL yields its identifier; a URL outside the storage is refused")
    func resolvesURLs() async throws {
        let context = FileProviderExtensionContext(
            providerIdentifier: "org.example.P",
            domain: FileProviderDomain(identifier: "", displayName: "", documentStorage: "/storage"),
            host: FileProviderHost())
        let coordinator = await FileCoordinator(for: FakeExtension(context: context))
        let url = URL(filePath: "/storage/remote.txt")
        let seen = try await coordinator.coordinate(writingItemAt: url) { $0 }
        #expect(seen == url)
        let error = await #expect(throws: FileProviderError.self) {
            try await coordinator.coordinate(readingItemAt: URL(filePath: "/elsewhere")) { _ in }
        }
        #expect(error?.code == .invalidArgument)
    }

    @Test("Complaint 11: Observe reaches the provider; a provider that does not support it says so")
    func observes() async throws {
        let provider = try await ExtensionUnderTest("FileProviderTests.FakeCoordinating")
        let item = "seen \(UUID())"
        for observing in [true, false] {
            _ = try await provider.call(
                FileProviderInterface.Observe.self, .init(domain: "", identifier: item, observing: observing))
        }
        #expect(FakeCoordinating.count("observe \(item)") == 1)
        #expect(FakeCoordinating.count("forget \(item)") == 1)
        let other = try await ExtensionUnderTest("FileProviderTests.FakeProvider")
        let failure = await #expect(throws: Failure.self) {
            try await other.call(
                FileProviderInterface.Observe.self, .init(domain: "", identifier: "a", observing: true))
        }
        #expect(failure?.code == .notSupported)
    }
}
