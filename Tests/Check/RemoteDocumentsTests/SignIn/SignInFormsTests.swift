import DocentInterfaces
import Rights
import Testing

@testable import ExtensionHosting
@testable import RemoteDocuments

/// The questions to the user, and how the answers are used.
@Suite struct SignInFormsTests {
    private static let form = Wire.SignInForm(
        identifier: "password", title: "Password",
        fields: [
            .init(key: "url", label: "Address", kind: "url", value: "https://example.org"),
            .init(key: "username", label: "User name", kind: "text"),
            .init(key: "password", label: "Password", kind: "secret", value: "hush-preset001"),
            .init(key: "realm", label: "Realm", kind: "text", isOptional: true),
        ])
    private let forms = SignInForms([form], asksExtension: true)

    @Test("known settings are the defaults; a secret never is one")
    func defaults() {
        let domain = ProviderDomain(
            provider: "p", identifier: "d", displayName: "D",
            settings: ["url": "https://dav.example.org", "password": "hush-setting01"],
            credential: CredentialReference(kind: .password, source: .keyring, username: "ada"))
        #expect(
            forms.filled(from: domain)[0].fields.map(\.value) == ["https://dav.example.org", "ada", nil, nil])
        #expect(forms.filled(from: nil)[0].fields.map(\.value) == ["https://example.org", nil, nil, nil])
    }

    @Test("answers that are missing, too long, unknown or no text are refused, and the error does not repeat them")
    func refused() {
        let good = ["url": "u", "username": "ada", "password": "hush-aa11bb22"]
        #expect(throws: Never.self) { try forms.form("password", answering: good) }
        for (key, value) in [
            ("password", ""), ("username", ""), ("other", "hush-other001"), ("password", "hush-nul00001\0"),
            ("password", "hush-" + String(repeating: "x", count: 65 * 1024)),
        ] {
            let failure = #expect(throws: Failure.self) {
                try forms.form("password", answering: good.merging([key: value]) { $1 })
            }
            #expect(failure?.code == .invalidArgument)
            #expect(failure.map { !"\($0)".contains("hush-") } == true)
        }
        #expect(throws: Failure.self) { try forms.form("browser", answering: [:]) }
    }

    // MARK: Questions

    private static func step(
        _ field: Wire.SignInField?, number: Int? = 1, expires: Double? = nil
    ) -> Wire.SignInStep {
        Wire.SignInStep(kind: "question", expires: expires, question: field, number: number)
    }

    @Test("a question that makes no sense or is too long is the provider's fault")
    func badQuestions() throws {
        let long = String(repeating: "x", count: 5000)
        let choice = [Wire.SignInChoice(value: "a", label: "A")]
        let good = Wire.SignInField(key: "code", label: "Code", kind: "secret", value: "hush-preset02", help: "H")
        let bad: [Wire.SignInField?] = [
            nil, .init(key: "", label: "L", kind: "text"), .init(key: "a=b", label: "L", kind: "text"),
            .init(key: "k\u{1B}", label: "L", kind: "text"), .init(key: "k", label: "", kind: "text"),
            .init(key: "k", label: long, kind: "text"), .init(key: "k", label: "L", kind: "text", help: long),
            .init(key: "k", label: "L", kind: "text", value: long), .init(key: "k", label: "L", kind: "movie"),
            .init(key: "k", label: "L", kind: "choice"), .init(key: "k", label: "L", kind: "text", choices: choice),
            .init(
                key: "k", label: "L", kind: "choice",
                choices: (0..<100).map { .init(value: "\($0)", label: "L") }),
        ]
        for field in bad {
            let failure = #expect(throws: Failure.self) { try SignInQuestion(Self.step(field), of: "p", now: 0) }
            #expect(failure?.code == .providerFailed)
        }
        #expect(throws: Failure.self) { try SignInQuestion(Self.step(good, number: nil), of: "p", now: 0) }
        let question = try SignInQuestion(Self.step(good), of: "p", now: 1000)
        #expect(question.step.question?.value == nil, "a secret has no default")
        #expect(question.patience == .seconds(300) && question.step.expires == 1300)
    }

    @Test(
        "the user has as long as the provider says, at most a quarter of an hour",
        arguments: [(1060, 60), (10, 1), (999_999, 900), (.infinity, 300), (.nan, 300)] as [(Double, Double)])
    func questionTime(_ expires: Double, _ seconds: Double) throws {
        let field = Wire.SignInField(key: "k", label: "L", kind: "text")
        let question = try SignInQuestion(Self.step(field, expires: expires), of: "p", now: 1000)
        #expect(question.patience == .seconds(seconds) && question.step.expires == 1000 + seconds)
    }

    @Test("an answer must be one of the choices, and the error does not repeat it")
    func answersToQuestions() throws {
        let confirm = try SignInQuestion(
            Self.step(.init(key: "k", label: "L", kind: "confirm")), of: "p", now: 0)
        let open = try SignInQuestion(
            Self.step(.init(key: "k", label: "L", kind: "text", isOptional: true)), of: "p", now: 0)
        #expect(throws: Never.self) { try confirm.check("no") }
        #expect(throws: Never.self) { try open.check("") }
        for text in ["", "hush-maybe001", "YES"] {
            let failure = #expect(throws: Failure.self) { try confirm.check(text) }
            #expect(failure?.code == .invalidArgument && failure?.message.contains("hush") == false)
        }
        for text in ["a\0", String(repeating: "x", count: 65_537)] {
            #expect(throws: Failure.self) { try open.check(text) }
        }
    }

    @Test("a call is extended while the user is asked; after the answer the usual deadline applies")
    func watch() {
        let start = ContinuousClock.now
        let watch = ProgressWatch(deadline: .seconds(60), now: start)
        watch.note(now: start + .seconds(10))
        #expect(watch.end == start + .seconds(70))
        watch.allow(.seconds(300), now: start + .seconds(10))
        #expect(watch.end == start + .seconds(310))
        watch.noteAnswer(now: start + .seconds(200))
        #expect(watch.end == start + .seconds(260))
        watch.allow(.seconds(300), now: start + .seconds(210))
        watch.note(now: start + .seconds(220))
        #expect(watch.end == start + .seconds(280), "it reported progress meanwhile")
    }

    @Test("answers become settings, except secrets and empty ones")
    func settings() {
        let values = ["url": "u", "username": "ada", "password": "hush-aa11bb22", "realm": ""]
        #expect(SignInForms.settings(values, of: Self.form) == ["url": "u", "username": "ada"])
    }
}
