import DocentInterfaces
import ExtensionHosting
import HostCore
import Records
import RemoteDocuments
import Rights
import Testing
import Transfers

@Suite("Uploads of remote documents: what a failure means, and what is shown meanwhile (W9, HAZARDS 3, 5, 24)")
struct RemoteUploadTests {
    private static func failure(_ code: FailureCode, from provider: FailureCode? = nil) -> Failure {
        var failure = Failure(code, "It did not work.")
        failure.providerCode = provider
        return failure
    }

    @Test(
        "N9: a failure that may pass leaves the change queued",
        arguments: [
            failure(.unavailable, from: .serverUnreachable), failure(.unavailable, from: .busy),
            failure(.deadlineExceeded), failure(.cancelled), failure(.unavailable),
            failure(.notAuthenticated, from: .notAuthenticated),
        ])
    func retried(failure: Failure) {
        #expect(UploadVerdict(failure, isCreation: false) == .retry)
        #expect(UploadVerdict(failure, isCreation: true) == .retry)
    }

    @Test(
        "only a queued change is retried automatically",
        arguments: Set(FailureCode.ofServices + FailureCode.ofProviders))
    func agreement(code: FailureCode) {
        var translated = ProviderFailures.translate(Failure(code, "text"), provider: "p")
        if code == .deadlock { translated.providerCode = .deadlock }
        for failure in [translated, Failure(code, "text")] {
            let attempt = RetryPolicy.Attempt(
                failure: failure, failures: 1, hasGained: false, isDomainReady: true, chance: 0.5)
            let isQueued = UploadVerdict(failure, isCreation: false) == .retry
            #expect(isQueued == (RetryPolicy().whenUnattended(attempt) != .fail), "\(failure)")
        }
    }

    @Test("HAZARDS 5: a document that was changed elsewhere is a conflict, not a failure")
    func conflict() {
        #expect(UploadVerdict(Self.failure(.conflict, from: .versionOutOfDate), isCreation: false) == .conflict)
    }

    @Test("HAZARDS 3: only a document that is certainly gone ends its changes; a missing folder waits for the user")
    func gone() {
        let failure = Self.failure(.notFound, from: .noSuchItem)
        #expect(UploadVerdict(failure, isCreation: false) == .gone)
        #expect(UploadVerdict(failure, isCreation: true) == .lasting)
    }

    @Test(
        "HAZARDS 24: a failure that only the user can fix is kept and shown",
        arguments: [
            failure(.noSpace, from: .insufficientQuota), failure(.notPermitted, from: .notPermitted),
            failure(.conflict, from: .collision), failure(.notSupported, from: .notSupported),
            failure(.providerFailed, from: .failed), failure(.invalidArgument, from: .invalidArgument),
            failure(.providerFailed, from: FailureCode("SomethingNew")),
        ])
    func lasting(failure: Failure) {
        #expect(UploadVerdict(failure, isCreation: false) == .lasting)
    }

    @Test("W9: the version of an unsent save names its operation; a provider's version does not")
    func localVersion() {
        #expect(LocalVersion(LocalVersion("A-1").text)?.operation == "A-1")
        for version in [nil, "", "\"etag\"", "Local-x", "etag-local-x"] as [String?] {
            #expect(LocalVersion(version) == nil, "\(version ?? "nil")")
        }
    }

    private static func key(_ identifier: String, domain: String = "work") -> ItemKey {
        ItemKey(provider: "org.example.Cloud", domain: domain, identifier: identifier)
    }

    @Test("HAZARDS 24: states are counted, and follow a new identifier")
    func states() {
        let states = UploadStates()
        states.set(.queued, of: Self.key("a"))
        states.set(.failed("no room"), of: Self.key("b"))
        states.set(.uploading, of: Self.key("c", domain: "home"))
        #expect(states.pendingCount == 2)
        #expect(states.identifiers(provider: "org.example.Cloud", domain: "work") == ["a", "b"])
        states.rekey(Self.key("a"), to: Self.key("new"))
        #expect(!states.contains(Self.key("a")))
        #expect(states.state(of: Self.key("new")) == .queued)
        states.set(nil, of: Self.key("new"))
        #expect(states.pendingCount == 1)
    }

    @Test("HAZARDS 5: the former version of a sent version is known before that is shown, and as long as it is shown")
    func formerVersions() {
        let states = UploadStates()
        let key = Self.key("a")
        #expect(states.former(of: key, version: "1") == nil)
        states.confirmed(SentVersion(key: key, version: "1", former: "local-x"))
        states.confirmed(SentVersion(key: key, version: "2", former: "local-y"))
        #expect(states.former(of: key, version: "1") == "local-x")
        #expect(states.former(of: key, version: "2") == "local-y")
        #expect(states.former(of: key, version: nil) == nil)
        // A second confirmation of the same version changes nothing.
        states.confirmed(SentVersion(key: key, version: "2", former: "local-y"))
        #expect(states.former(of: key, version: "1") == "local-x")
        states.confirmed(SentVersion(key: key, version: "3", former: "local-z"))
        #expect(states.former(of: key, version: "1") == nil)
        states.rekey(key, to: Self.key("b"))
        #expect(states.former(of: Self.key("b"), version: "2") == "local-y")
    }

    @Test("F2: a client with an old identifier reaches the same document, through a chain of renames")
    func aliases() {
        let aliases = ItemAliases()
        #expect(aliases.current(Self.key("1")) == Self.key("1"))
        aliases.add(Self.key("1"), now: Self.key("2"))
        aliases.add(Self.key("2"), now: Self.key("3"))
        #expect(aliases.current(Self.key("1")) == Self.key("3"))
        // Renamed back: the chain does not become a cycle.
        aliases.add(Self.key("3"), now: Self.key("1"))
        #expect(aliases.current(Self.key("3")) == Self.key("1"))
        #expect(aliases.current(Self.key("1")) == Self.key("1"))
    }
}
