import DocentInterfaces
import FileProvider
import FoundationEssentials
import Synchronization
import Testing
import Varlink

/// The extension's side of signing in; the tests play the host.
@Suite(.timeLimit(.minutes(2))) struct SignInTests {
    private typealias Interface = FileProviderInterface
    private static let name = "FileProviderTests.FakeSignIn"

    private static func attempt(
        _ form: String, _ values: [String: String], domain: String = "new", settings: [String: String]? = nil,
        attempt: String = "1", redirect: String? = nil
    ) -> Interface.Authenticate.Parameters {
        .init(
            domain: Wire.ProviderDomain(
                identifier: domain, displayName: domain, storage: "/nonexistent", settings: settings),
            form: form, values: values, attempt: attempt, redirect: redirect)
    }

    private static func wait(for log: String, _ isThere: ([String]) -> Bool) async throws -> [String] {
        let deadline = ContinuousClock.now + .seconds(60)
        while !isThere(FakeSignIn.events(log)), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
        }
        return FakeSignIn.events(log)
    }

    @Test("the forms are available without a domain, with choices, defaults and help; a secret has no default")
    func tellsForms() async throws {
        let host = try ExtensionUnderTest()
        #expect(try await host.initialize(Self.name, domains: []) == ["signIn", "authenticate"])
        let forms = try await host.call(Interface.SignInForms.self, .init()).forms
        #expect(forms.map(\.identifier) == ["account", "browser", "questions"])
        #expect(forms.map(\.browser) == [nil, ["loopback", "device"], nil])
        #expect(forms[0].help == "Whom the service knows.")
        #expect(forms[0].fields.map(\.kind) == ["url", "choice", "text", "secret"])
        #expect(forms[0].fields.map(\.value) == ["https://service.example", "eu", nil, nil])
        #expect(forms[0].fields.map(\.isOptional) == [nil, nil, true, nil])
        #expect(
            forms[0].fields[1].choices == [.init(value: "eu", label: "Europe"), .init(value: "us", label: "America")])
    }

    @Test(
        "a provider that only takes a credential asks for user name and password; one without accounts asks for nothing"
    )
    func standardForm() async throws {
        let host = try ExtensionUnderTest()
        #expect(try await host.initialize("FileProviderTests.FakeRemote", domains: []).contains("authenticate"))
        let forms = try await host.call(Interface.SignInForms.self, .init()).forms
        #expect(forms.map { $0.fields.map(\.key) } == [["username", "password"]])
        let other = try ExtensionUnderTest()
        #expect(try await !other.initialize("FileProviderTests.FakeProvider").contains("authenticate"))
        let failure = await #expect(throws: Failure.self) { try await other.call(Interface.SignInForms.self, .init()) }
        #expect(failure?.code == .notSupported)
    }

    @Test("an attempt has its own instance, which is signed out again; the domain's instance is not affected")
    func triesApart() async throws {
        let log = "apart \(UUID())"
        let host = try ExtensionUnderTest()
        try await host.initialize("FileProviderTests.FakeRemote", settings: ["log": log])
        _ = try await host.call(
            Interface.SignIn.self, .init(domain: "", kind: "password", username: "me", secret: "hush-mine-4c"))
        let parameters = Self.attempt(
            "password", ["username": "you", "password": "hush-yours-8e"], domain: "",
            settings: ["log": log, "url": "kept"])
        let reply = try await host.call(Interface.Authenticate.self, parameters)
        #expect(reply.kind == "password" && reply.username == "you" && reply.secret == "hush-yours-8e")
        #expect(reply.displayName == "Account of you")
        #expect(reply.settings == ["log": log, "url": "kept", "username": "you"])
        let item = try await host.call(Interface.Item.self, .init(domain: "", identifier: "who")).item
        #expect(item.thumbnail == "me")
        #expect(
            FakeRemote.events.withLock { $0[log] } == ["init", "signIn me", "init", "signIn you", "signOut"])
    }

    @Test("answers become settings of a new domain, except secrets; what a trial saves is not kept")
    func signsIn() async throws {
        let log = "signs in \(UUID())"
        let host = try ExtensionUnderTest()
        try await host.initialize(Self.name, domains: [])
        let reply = try await host.call(
            Interface.Authenticate.self,
            Self.attempt(
                "account", ["password": "hush-right-52", "url": "https://other.example", "region": "us", "log": log]))
        #expect(reply.settings == ["url": "https://other.example", "region": "us", "log": log])
        #expect(reply.displayName == "Anna of us" && reply.username == "anna" && reply.kind == "password")
        #expect(
            FakeSignIn.events(log) == [
                "init new", "authenticate answers to account at https://other.example", "signOut new",
            ])
        let failure = await #expect(throws: Failure.self) {
            try await host.call(Interface.Item.self, .init(domain: "new", identifier: "who"))
        }
        #expect(failure?.code == .invalidArgument)
    }

    @Test("a refusal contains the reason, and the instance is signed out")
    func refuses() async throws {
        let log = "refuses \(UUID())"
        let host = try ExtensionUnderTest()
        try await host.initialize(Self.name, domains: [])
        let failure = await #expect(throws: Failure.self) {
            try await host.call(
                Interface.Authenticate.self, Self.attempt("account", ["password": "hush-wrong-66", "log": log]))
        }
        #expect(failure?.code == .notAuthenticated)
        #expect(failure?.message == "The service does not know this password.")
        #expect(FakeSignIn.events(log).last == "signOut new")
    }

    @Test(
        "answers that do not fit the form are refused with the field's name, and are not repeated",
        arguments: [
            ("account", [:], "\"Password\" (password) is missing"),
            ("account", ["password": ""], "\"Password\" (password) is missing"),
            ("account", ["password": "hush-x-1", "region": "hush-moon"], "one of: eu, us"),
            ("account", ["password": "hush-x-1", "secret2": "hush-y"], "does not ask for \"secret2\""),
            ("account", ["password": "hush-\0-1"], "\"Password\""),
            ("account", ["password": String(repeating: "hush-", count: 14_000)], "\"Password\""),
            ("nowhere", [:], "\"nowhere\""),
        ] as [(String, [String: String], String)])
    func checksAnswers(form: String, values: [String: String], words: String) async throws {
        let host = try ExtensionUnderTest()
        try await host.initialize(Self.name, domains: [])
        let failure = await #expect(throws: Failure.self) {
            try await host.call(Interface.Authenticate.self, Self.attempt(form, values))
        }
        #expect(failure?.code == .invalidArgument)
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
        #expect(failure?.message.contains("hush") == false)
    }

    @Test("the browser's steps are sent one by one, and it returns with the attempt's name to the agreed address")
    func stepsByRedirect() async throws {
        let host = try ExtensionUnderTest()
        try await host.initialize(Self.name, domains: [])
        let other = try await host.secondConnection()
        let redirect = "http://127.0.0.1:12345/"
        var steps: [Wire.SignInStep] = []
        var last: Interface.Authenticate.Reply?
        let parameters = Self.attempt("browser", [:], redirect: redirect)
        for try await reply in host.connection.stream(
            Interface.Authenticate.name, parameters, Interface.Authenticate.Reply.self)
        {
            guard let step = reply.value.step else {
                last = reply.value
                continue
            }
            steps.append(step)
            guard step.kind == "open" else { continue }
            for (attempt, url, code) in [
                ("2", redirect + "?code=1", FailureCode.noSuchItem),
                ("1", "http://127.0.0.1:12346/?code=2", .invalidArgument),
                ("1", redirect + String(repeating: "x", count: 20_000), .invalidArgument),
            ] {
                let failure = await #expect(throws: Failure.self) {
                    try await other.call(Interface.ContinueAuthentication.self, .init(attempt: attempt, url: url))
                }
                #expect(failure?.code == code)
            }
            let again = await #expect(throws: Failure.self) {
                try await other.call(Interface.Authenticate.self, parameters)
            }
            #expect(again?.code == .invalidArgument)
            _ = try await other.call(
                Interface.ContinueAuthentication.self, .init(attempt: "1", url: redirect + "?code=3"))
        }
        #expect(steps.map(\.kind) == ["message", "open"])
        #expect(last?.kind == "oauth" && last?.secret == "hush-by-redirect-23")
        #expect(last?.displayName == redirect + "?code=3")
        let failure = await #expect(throws: Failure.self) {
            try await other.call(Interface.ContinueAuthentication.self, .init(attempt: "1", url: redirect))
        }
        #expect(failure?.code == .noSuchItem)
    }

    @Test("without a browser a code is shown; the provider's own settings replace the answers")
    func stepsByCode() async throws {
        let host = try ExtensionUnderTest()
        try await host.initialize(Self.name, domains: [])
        var replies: [Interface.Authenticate.Reply] = []
        for try await reply in host.connection.stream(
            Interface.Authenticate.name, Self.attempt("browser", ["log": "code"], settings: ["color": "red"]),
            Interface.Authenticate.Reply.self)
        {
            replies.append(reply.value)
        }
        #expect(replies.compactMap(\.step).map(\.kind) == ["message", "code"])
        #expect(replies.compactMap(\.step).last?.userCode == "ABCD-EFGH")
        #expect(replies.last?.settings == ["account": "by code", "color": "red"])
    }

    @Test("the attempt ends with its call, and its instance is signed out")
    func endsWithCall() async throws {
        let log = "ends \(UUID())"
        let host = try ExtensionUnderTest()
        try await host.initialize(Self.name, domains: [])
        let other = try await host.secondConnection()
        let redirect = "http://127.0.0.1:12345/"
        let parameters = Self.attempt("browser", ["log": log], redirect: redirect)
        for try await reply in other.stream(Interface.Authenticate.name, parameters, Interface.Authenticate.Reply.self)
        where reply.value.step?.kind == "open" { break }
        other.close()
        let events = try await Self.wait(for: log) { $0.last == "signOut new" }
        #expect(events.last == "signOut new")
        let failure = await #expect(throws: Failure.self) {
            try await host.call(Interface.ContinueAuthentication.self, .init(attempt: "1", url: redirect))
        }
        #expect(failure?.code == .noSuchItem)
    }

    @Test(
        "a browser is redirected to this machine only",
        arguments: ["https://evil.example/", "http://127.0.0.1.evil.example:80/", "http://localhost.evil.example:1/"])
    func refusesRedirect(_ redirect: String) async throws {
        let host = try ExtensionUnderTest()
        try await host.initialize(Self.name, domains: [])
        let failure = await #expect(throws: Failure.self) {
            try await host.call(Interface.Authenticate.self, Self.attempt("browser", [:], redirect: redirect))
        }
        #expect(failure?.code == .invalidArgument)
    }

    @Test("a browser that does not return in time is an error of its own, not an endless wait")
    func patience() async throws {
        let interaction = SignInInteraction(redirectURL: "http://127.0.0.1:1/") { _ in }
        let failure = await #expect(throws: FileProviderError.self) {
            try await interaction.redirected(within: .milliseconds(50))
        }
        #expect(failure?.code == .notAuthenticated)
        interaction.continue(with: "http://127.0.0.1:1/?a")
        #expect(try await interaction.redirected(within: .seconds(60)) == "http://127.0.0.1:1/?a")
    }

    @Test("a renewed credential is sent to the host, and given to instances that are created later")
    func savesRenewed() async throws {
        let log = "saves \(UUID())"
        let host = try ExtensionUnderTest()
        try await host.initialize(Self.name, settings: ["log": log])
        _ = try await host.call(
            Interface.SignIn.self, .init(domain: "", kind: "oauth", username: "first", secret: "hush-first-12"))
        let (calls, keychain) = (try await host.secondConnection(), try await host.secondConnection())
        let saving = Task { try await calls.call(Interface.Item.self, .init(domain: "", identifier: "save")) }
        for try await reply in keychain.stream(
            Interface.Keychain.name, Interface.Keychain.Parameters(), Interface.Keychain.Reply.self)
        {
            #expect(reply.value.kind == "save" && reply.value.domain == "" && reply.value.credentialKind == "oauth")
            #expect(reply.value.username == "renewed" && reply.value.secret == "hush-renewed-31")
            _ = try await host.call(Interface.KeychainAnswered.self, .init(request: reply.value.request))
            break
        }
        _ = try await saving.value
        try await host.initialize(Self.name, settings: ["log": log, "url": "other"])
        let item = try await host.call(Interface.Item.self, .init(domain: "", identifier: "who")).item
        #expect(item.thumbnail == "renewed")
    }

    @Test("answers are never printed")
    func hidesAnswers() throws {
        let answers = try SignInAnswers(["password": "hush-print-77"], to: FakeSignIn.account)
        var dumped = ""
        dump(answers, to: &dumped)
        #expect(!"\(answers) \(String(reflecting: answers)) \(dumped)".contains("hush"))
        #expect(answers["password"] == "hush-print-77" && answers.settings["password"] == nil)
    }

    // MARK: Questions

    /// Plays the user of an attempt: `answer` answers each question.
    private static func asked(
        _ parameters: Interface.Authenticate.Parameters, on host: ExtensionUnderTest,
        _ answer: (Wire.SignInStep, VarlinkConnection) async throws -> Void
    ) async throws -> Interface.Authenticate.Reply {
        let other = try await host.secondConnection()
        var last: Interface.Authenticate.Reply?
        do {
            for try await reply in host.connection.stream(
                Interface.Authenticate.name, parameters, Interface.Authenticate.Reply.self)
            {
                last = reply.value
                if let step = reply.value.step { try await answer(step, other) }
            }
        } catch { throw Failure.from(error) }
        return try #require(last)
    }

    private static func questioned(_ log: String, answers: Bool? = true) -> Interface.Authenticate.Parameters {
        var parameters = attempt("questions", ["log": log])
        parameters.answersQuestions = answers
        return parameters
    }

    @Test("questions have a kind and are answered once, by number; an invalid answer can be given again")
    func asks() async throws {
        let host = try ExtensionUnderTest()
        try await host.initialize(Self.name, domains: [])
        let forms = try await host.call(Interface.SignInForms.self, .init()).forms
        #expect(forms.last?.questions?.map(\.kind) == ["confirm", "secret"])
        var kinds: [String] = []
        let reply = try await Self.asked(Self.questioned("asks"), on: host) { step, other in
            let number = try #require(step.number)
            let field = try #require(step.question)
            #expect(step.kind == "question" && step.expires != nil)
            kinds.append(field.kind)
            func answer(_ number: Int, _ text: String?, attempt: String = "1") async -> FailureCode? {
                do {
                    _ = try await other.call(
                        Interface.AnswerAuthentication.self, .init(attempt: attempt, number: number, answer: text))
                    return nil
                } catch let failure as Failure {
                    #expect(!failure.message.contains("hush"))
                    return failure.code
                } catch { return FailureCode("\(error)") }
            }
            #expect(await answer(number, "hush-x", attempt: "2") == .noSuchItem)
            #expect(await answer(number + 1, "hush-x") == .noSuchItem)
            if field.kind == "confirm" {
                #expect(await answer(number, "hush-perhaps") == .invalidArgument)
                #expect(await answer(number, "yes") == nil)
            } else {
                #expect(field.isMultiline == true)
                #expect(await answer(number, "") == .invalidArgument)
                #expect(await answer(number, "hush-\0") == .invalidArgument)
                #expect(await answer(number, String(repeating: "h", count: 65_537)) == .invalidArgument)
                #expect(await answer(number, "hush-code-88\nmore") == nil)
            }
            let again = await answer(number, "yes")
            #expect(again == .noSuchItem, "a second answer: \(again.map(\.rawValue) ?? "taken")")
        }
        #expect(kinds == ["confirm", "secret"])
        #expect(reply.secret == "hush-code-88\nmore\n", "an answer of several lines ends with a line feed")
    }

    @Test(
        "without anyone to ask, or without an answer, the provider gets an error and may continue",
        arguments: [true, false])
    func nobodyAnswers(_ isAsked: Bool) async throws {
        let host = try ExtensionUnderTest()
        try await host.initialize(Self.name, domains: [])
        var count = 0
        let failure = await #expect(throws: Failure.self) {
            _ = try await Self.asked(Self.questioned("nobody", answers: isAsked ? true : nil), on: host) {
                step, other in
                count += 1
                _ = try await other.call(
                    Interface.AnswerAuthentication.self,
                    .init(attempt: "1", number: try #require(step.number), answer: nil))
            }
        }
        #expect(failure?.code == .notAuthenticated && count == (isAsked ? 1 : 0))
        #expect(failure?.message.contains("Is it the right key?") == true, "\(failure?.message ?? "")")
    }

    @Test("a question has a deadline, at most 16 can be asked, and the end of the attempt ends its wait")
    func boundsQuestions() async throws {
        let interaction = SignInInteraction { _ in }
        let late = await #expect(throws: FileProviderError.self) {
            try await interaction.ask(SignInField("a", label: "A"), within: .milliseconds(30))
        }
        #expect(late?.code == .notAuthenticated)
        #expect(throws: FileProviderError.self) { try interaction.answer(1, with: "too late") }
        let (numbers, tell) = AsyncStream.makeStream(of: Int.self)
        let eager = SignInInteraction { step in
            if case .question(_, let number, _) = step { tell.yield(number) }
        }
        let person = Task { for await number in numbers { try? eager.answer(number, with: "x") } }
        for _ in 0..<16 { #expect(try await eager.ask(SignInField("a", label: "A")) == "x") }
        let many = await #expect(throws: FileProviderError.self) { try await eager.ask(SignInField("a", label: "A")) }
        #expect(many?.code == .failed)
        person.cancel()

        let (asked, note) = AsyncStream.makeStream(of: Void.self)
        let abandoned = SignInInteraction { _ in note.yield() }
        let waiting = Task { try await abandoned.ask(SignInField("a", label: "A")) }
        for await _ in asked { break }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
