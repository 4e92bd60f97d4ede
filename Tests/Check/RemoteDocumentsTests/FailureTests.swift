import DocentInterfaces
import Records
import Rights
import Storage
import Testing

@testable import ExtensionHosting
@testable import HostCore
@testable import RemoteDocuments

/// How all kinds of errors become errors of the client interfaces (D13, complaint 32, T5).
@Suite struct FailureTests {
    @Test(
        "D13: every provider error code maps to a service code",
        arguments: [
            (.noSuchItem, .notFound), (.notAuthenticated, .notAuthenticated), (.serverUnreachable, .unavailable),
            (.collision, .conflict), (.versionOutOfDate, .conflict), (.insufficientQuota, .noSpace),
            (.anchorExpired, .conflict), (.notSupported, .notSupported), (.notPermitted, .notPermitted),
            (.invalidArgument, .invalidArgument), (.failed, .providerFailed),
        ] as [(FailureCode, FailureCode)])
    func codes(_ given: FailureCode, _ expected: FailureCode) {
        #expect(ProviderFailures.translate(Failure(given, "text"), provider: "p").code == expected)
    }

    @Test(
        "D13: every code of the provider interface is mapped, and every result is one that clients know",
        arguments: FailureCode.ofProviders)
    func complete(_ code: FailureCode) {
        let translated = ProviderFailures.translate(Failure(code, "text"), provider: "p")
        #expect(FailureCode.ofServices.contains(translated.code))
        #expect((translated.code == .providerFailed) == (code == .failed))
    }

    @Test(
        "when the service asks to be left alone for a while, the person learns for how long",
        arguments: [(nil, "Try again later."), (0.2, "Try again later."), (30, "30 seconds"), (600, "10 minutes")]
            as [(Double?, String)])
    func pauses(_ pause: Double?, _ expected: String) {
        let failure = ProviderFailures.translate(Failure(.busy, "text", retryAfter: pause), provider: "p")
        #expect(failure.suggestion?.contains(expected) == true, "\(failure.suggestion ?? "none")")
    }

    @Test(
        "T5: an unknown code becomes ProviderFailed; text, chain and the provider's suggestion stay",
        arguments: ["", "Moon", "NotFound\n"])
    func invented(_ code: String) {
        let cause = Wire.ErrorDetail(domain: "d", code: Int.min, message: "m")
        let failure = ProviderFailures.translate(
            Failure(FailureCode(code), "text", suggestion: "wait", provider: "liar", causes: [cause]), provider: "p")
        var expected = Failure(.providerFailed, "text", suggestion: "wait", provider: "p", causes: [cause])
        expected.providerCode = FailureCode(code)
        #expect(failure == expected)
    }

    @Test("2.9, deadlock 5: a provider that would have waited for itself has failed, and a retry does not help")
    func deadlock() {
        // The numbers are part of the wire format and must not change.
        #expect(ProviderErrorNumber.domain == "org.docent.FileProvider" && ProviderErrorNumber.deadlock == -3006)
        let cause = Wire.ErrorDetail(
            domain: ProviderErrorNumber.domain, code: ProviderErrorNumber.deadlock, message: "the cycle")
        let failure = ProviderFailures.translate(Failure(.failed, "the cycle", causes: [cause]), provider: "p")
        #expect(failure.code == .providerFailed && failure.providerCode == .deadlock)
        #expect(UploadVerdict(failure, isCreation: false) == .retry)
    }

    @Test(
        "errors of the file system have their own codes",
        arguments: [
            (.notFound, .notFound), (.exists, .conflict), (.changed, .conflict), (.denied, .notPermitted),
            (.readOnly, .notPermitted), (.noSpace, .noSpace), (.cancelled, .cancelled), (.deadline, .deadlineExceeded),
            (.unacceptable, .invalidArgument), (.badName, .invalidArgument), (.tooLarge, .invalidArgument),
            (.unsupported, .notSupported), (.corrupt, .failed), (.locked, .failed),
        ] as [(FileSystemError.Code, FailureCode)])
    func fileSystem(_ given: FileSystemError.Code, _ expected: FailureCode) {
        let failure = FailureMapping.failure(FileSystemError(given, "what"))
        #expect(failure.code == expected)
        #expect(failure.message == "what")
    }

    @Test("errors of the journal, rights and tasks have their own codes; a failure passes unchanged")
    func others() {
        #expect(FailureMapping.failure(JournalError.unknownOperation).code == .notFound)
        #expect(FailureMapping.failure(JournalError.differentContent).code == .conflict)
        #expect(FailureMapping.failure(JournalError.differentOperation).code == .conflict)
        #expect(FailureMapping.failure(JournalError.unreadable).code == .failed)
        #expect(FailureMapping.failure(AccessError.notGranted).code == .notPermitted)
        #expect(FailureMapping.failure(CancellationError()).code == .cancelled)
        let own = Failure(.noSpace, "full", suggestion: "s", provider: "p")
        #expect(FailureMapping.failure(own) == own)
        struct Strange: Error {}
        #expect(FailureMapping.failure(Strange()).code == .failed)
    }
}
