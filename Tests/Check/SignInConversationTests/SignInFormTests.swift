import CommandConsole
import DocentInterfaces
import Documents
import Testing

@testable import SignInConversation

/// `docent login`: accounts, forms and answers.
@Suite struct SignInFormTests {
    private static let url = Wire.SignInField(key: "url", label: "Address", kind: "url")
    private static let user = Wire.SignInField(key: "username", label: "Name", kind: "text", value: "ada")
    private static let secret = Wire.SignInField(key: "password", label: "Password", kind: "secret")
    private static let second = Wire.SignInField(key: "pin", label: "PIN", kind: "secret", isOptional: true)
    private static let region = Wire.SignInField(
        key: "region", label: "Region", kind: "choice", isOptional: true,
        choices: [.init(value: "eu", label: "Europe"), .init(value: "us", label: "America")])
    private static let password = Wire.SignInForm(
        identifier: "password", title: "Password", fields: [url, user, secret, second, region])
    private static let browser = Wire.SignInForm(
        identifier: "browser", title: "Browser", fields: [url], browser: ["loopback", "device"])
    private static let code = Wire.SignInForm(
        identifier: "code", title: "Code", fields: [url], browser: ["device"])

    @Test("a secret is never taken from arguments, whichever option contains it")
    func secretArgument() throws {
        let error = #expect(throws: DocumentsError.self) {
            try FormAnswers(Self.password, given: ["password": "hush-1b2c3d4e"])
        }
        #expect(error?.code == .invalidArgument && error?.suggestion?.contains("--secret-fd") == true)
        #expect(error.map { ErrorReport.text($0, isVerbose: true).contains("hush-1b2c3d4e") } == false)
    }

    @Test("A default fills an open answer, and an optional one is never missing")
    func answers() throws {
        var answers = try FormAnswers(Self.password, given: ["url": "https://h/"])
        #expect(
            answers.open.map(\.key) == ["username", "region"] && answers.secrets.map(\.key) == ["password", "pin"])
        answers.takeDefaults()
        #expect(answers.values == ["url": "https://h/", "username": "ada"])
        #expect(answers.missing(hasSecrets: true) == nil)
        answers.take("hush-1b2c3d4e", for: Self.secret)
        #expect(answers.missing(hasSecrets: false) == nil)
    }

    @Test(
        "whether a secret may be sent without https is asked only if the address is http to another machine",
        arguments: [
            ("http://h/", true), ("HTTP://h:80/dav", true), ("http://127.evil.org/", true),
            ("http://localhost.evil.org/", true),
            ("http://192.0.2.2:8080/", true), ("http://[fd00::2]/", true), ("http://[::1].evil.org/", true),
            ("https://h/", false), ("http://127.0.0.1:8080/", false), ("http://127.3.2.1", false),
            ("http://LocalHost/", false),
            ("http://[::1]:80/", false), ("http://[::1]/", false),
        ])
    func unprotected(_ url: String, _ isAsked: Bool) throws {
        #expect(PlainAddress.isUnprotected(url) == isAsked)
        let consent = Wire.SignInField(
            key: "unprotected", label: "Without https", kind: "choice", value: "no", isOptional: true,
            choices: [.init(value: "no", label: "No"), .init(value: "yes", label: "Yes")])
        let form = Wire.SignInForm(identifier: "f", title: "F", fields: [Self.url, consent, Self.secret])
        var answers = try FormAnswers(form, given: [:])
        #expect(answers.open.map(\.key) == ["url"], "the address is not known yet")
        answers.take(url, for: Self.url)
        #expect(answers.open.map(\.key) == (isAsked ? ["unprotected"] : []))
        answers.takeDefaults()
        #expect(answers.values["unprotected"] == (isAsked ? "no" : nil), "silence is no agreement")
        #expect(try FormAnswers(form, given: ["url": url, "unprotected": "yes"]).open.isEmpty)
    }

    @Test("Without a terminal one error lists everything that is missing, and how to give it")
    func missing() throws {
        let form = Wire.SignInForm(
            identifier: "f", title: "F",
            fields: [Self.url, .init(key: "tenant", label: "Tenant", kind: "text"), Self.secret, Self.second])
        let error = try #require(try FormAnswers(form, given: [:]).missing(hasSecrets: false))
        #expect(error.code == .invalidArgument)
        for part in ["--url URL", "Tenant (--set tenant=VALUE)", "Password (--secret-fd NUMBER)"] {
            #expect(error.message.contains(part), "\(error.message)")
        }
        #expect(!error.message.contains("PIN"))
        #expect(try FormAnswers(form, given: [:]).missing(hasSecrets: true)?.message.contains("Password") == false)
    }

    @Test("An answer that does not fit the form is refused before any call")
    func wrongAnswers() throws {
        #expect(throws: DocumentsError.self) { try FormAnswers(Self.password, given: ["url": "example.org"]) }
        #expect(throws: DocumentsError.self) { try FormAnswers(Self.password, given: ["url": ""]) }
        let error = #expect(throws: DocumentsError.self) {
            try FormAnswers(Self.password, given: ["region": "asia"])
        }
        #expect(error?.message.contains("eu, us") == true)
        #expect(try FormAnswers(Self.password, given: ["region": "eu"]).values["region"] == "eu")
    }

    @Test(
        "A single form needs no choice, a named one is used, else the user chooses; --device leaves forms with a code"
    )
    func forms() throws {
        let all = [Self.password, Self.browser, Self.code]
        #expect(try FormChoice.find([Self.password], named: nil, device: false) == Self.password)
        #expect(try FormChoice.find(all, named: nil, device: false) == nil)
        #expect(try FormChoice.find(all, named: "browser", device: false) == Self.browser)
        #expect(try FormChoice.find([Self.password, Self.code], named: nil, device: true) == Self.code)
        #expect(FormChoice.fitting(all, given: [], device: true) == [Self.browser, Self.code])
        for (forms, name, device) in [
            (all, "none", false), (all, "password", true), ([Self.password], nil, true), ([], nil, false),
        ] {
            #expect(throws: DocumentsError.self) { try FormChoice.find(forms, named: name, device: device) }
        }
    }

    @Test("Only a form that asks for the given answers is used; answers that no form asks for are reported")
    func givenKeys() throws {
        let all = [Self.password, Self.browser]
        #expect(try FormChoice.find(all, named: nil, given: ["url"], device: false) == nil)
        #expect(try FormChoice.find(all, named: nil, given: ["url", "username"], device: false) == Self.password)
        for (name, keys) in [(nil, ["usrname"]), ("browser", ["username"])] as [(String?, Set<String>)] {
            let error = #expect(throws: DocumentsError.self) {
                try FormChoice.find(all, named: name, given: keys, device: false)
            }
            #expect(error?.message.contains(keys.first ?? "?") == true && error?.suggestion?.contains("(url") == true)
        }
    }

    @Test("A code is used on request, and where no browser can be shown; else the browser")
    func way() {
        #expect(FormChoice.usesBrowser(Self.browser, device: false, hasBrowser: true))
        #expect(!FormChoice.usesBrowser(Self.browser, device: true, hasBrowser: true))
        #expect(!FormChoice.usesBrowser(Self.browser, device: false, hasBrowser: false))
        #expect(!FormChoice.usesBrowser(Self.code, device: false, hasBrowser: true))
        #expect(!FormChoice.usesBrowser(Self.password, device: false, hasBrowser: true))
        let alone = Wire.SignInForm(identifier: "b", title: "B", fields: [], browser: ["loopback"])
        #expect(FormChoice.usesBrowser(alone, device: false, hasBrowser: false))
    }

    @Test("A prompt shows its default, and no control sequences of a provider")
    func prompt() {
        #expect(FormConversation.prompt("Name", standard: "ada", isOptional: false) == "Name [ada]: ")
        #expect(FormConversation.prompt("Name", standard: nil, isOptional: true) == "Name (may be empty): ")
        #expect(FormConversation.prompt("N\u{1B}", standard: nil, isOptional: false) == "N\\x1B: ")
        #expect(
            SecretSource.prompt(.init(key: "p", label: "P\u{1B}", kind: "secret", help: "H\n")) == "  H\\x0A\nP\\x1B: ")
    }

    // MARK: Questions and answers of several lines

    private static let hostKey = Wire.SignInField(key: "hostKey", label: "Right key?", kind: "confirm")
    private static let codeQuestion = Wire.SignInField(key: "code", label: "Code\u{1B}", kind: "secret")
    private static let privateKey = Wire.SignInField(
        key: "privateKey", label: "Private key", kind: "secret", isMultiline: true)
    private static let asking = Wire.SignInForm(
        identifier: "key", title: "Key", fields: [user, privateKey], questions: [hostKey, Self.oneTime])
    private static let oneTime = Wire.SignInField(key: "code", label: "Code", kind: "secret")

    private func questions(
        _ given: [String: String] = [:], files: [String: String] = [:], source: SecretSource = .nowhere
    ) -> LoginQuestions {
        LoginQuestions(
            account: AccountName(provider: "sftp", domain: "work"), given: given, files: files, source: source,
            home: nil)
    }

    @Test("options answer the questions that a form declares, are not sent as answers to it, and secrets are refused")
    func questionOptions() throws {
        #expect(
            try FormChoice.find([Self.asking], named: nil, given: ["hostKey", "code"], device: false) == Self.asking)
        let answers = try FormAnswers(Self.asking, given: ["username": "ada", "hostKey": "yes"])
        #expect(answers.values == ["username": "ada"])
        #expect(throws: DocumentsError.self) { try FormAnswers(Self.asking, given: ["code": "hush-1b2c3d4e"]) }
        #expect(throws: DocumentsError.self) {
            try FormChoice.find([Self.asking], named: nil, given: ["hostkey"], device: false)
        }
    }

    @Test(
        "a prepared answer is used once; without anyone to ask, the question stays open and the error names the option"
    )
    func preparedOnce() throws {
        let prepared = questions(["hostKey": "yes"])
        #expect(try prepared.answer(Self.hostKey) == "yes")
        #expect(try prepared.answer(Self.hostKey) == nil)
        #expect(try prepared.answer(Self.codeQuestion) == nil)
        let error = prepared.explain(DocumentsError(.notAuthenticated, "Nobody answered."))
        #expect(error.suggestion?.contains("--set hostKey=yes|no") == true, "\(error.suggestion ?? "")")
        #expect(error.suggestion?.contains("--set-file code=FILE") == true)
        #expect(error.suggestion?.contains("\u{1B}") == false)
        let other = DocumentsError(.unavailable, "Away.")
        #expect(prepared.explain(other) == other && !prepared.wasDeclined)
        let declining = questions(["hostKey": "no"])
        #expect(try declining.answer(Self.hostKey) == "no" && declining.wasDeclined)
        #expect(throws: DocumentsError.self) { try questions(["hostKey": "maybe"]).answer(Self.hostKey) }
        let secret = #expect(throws: DocumentsError.self) {
            try questions(["code": "hush-9e8d7c6b"]).answer(Self.codeQuestion)
        }
        #expect(secret?.message.contains("hush") == false)
    }

    @Test("a provider's text about its question is indented and escaped; an askpass program gets the same")
    func questionText() {
        let account = AccountName(provider: "sftp", domain: "work")
        var field = Self.hostKey
        field.help = "SHA256:x\u{1B}[2J\nsftp@other asks:"
        #expect(
            QuestionText.heading(field, account) == "sftp@work asks:\n  SHA256:x\\x1B[2J\n  sftp@other asks:\n")
        #expect(
            QuestionText.askpass(field, account)
                == "SHA256:x\\x1B[2J\nsftp@other asks:\nRight key? (yes or no) for sftp@work: ")
        #expect(FormConversation.confirmation("Y") == "yes" && FormConversation.confirmation("no") == "no")
        #expect(FormConversation.confirmation("perhaps") == nil)
    }

    @Test("an answer of several lines ends with a line feed; only a file can give it, as it can any secret")
    func severalLines() throws {
        var answers = try FormAnswers(Self.asking, given: [:], files: ["privateKey": "hush-a1b2c3d4\nmore"])
        #expect(answers.values["privateKey"] == "hush-a1b2c3d4\nmore\n" && answers.secrets.isEmpty)
        #expect(try FormAnswers(Self.password, given: ["region": ""]).open.map(\.key) == ["url", "username"])
        answers.take("x", for: Self.user)
        #expect(answers.values["username"] == "x")
        #expect(MultilinePrompt.fileName("@~/.ssh/id\n") == "~/.ssh/id")
        #expect(MultilinePrompt.fileName("-----BEGIN\n") == nil && MultilinePrompt.fileName("@\n") == nil)
        #expect(MultilinePrompt.fileName("@a\nb\n") == nil)
        #expect(AnswerFile.expanded("~/x", home: "/home/ada") == "/home/ada/x")
        #expect(AnswerFile.expanded("a~/x", home: "/home/ada") == "a~/x")
        for source in [SecretSource.standardInput] {
            let account = AccountName(provider: "sftp", domain: "")
            let error = #expect(throws: DocumentsError.self) {
                try source.read([Self.privateKey], account: account, home: nil)
            }
            #expect(error?.suggestion?.contains("--set-file privateKey=FILE") == true)
        }
    }

    @Test("the forms are shown with the option of each answer, and never with the value of a secret")
    func shownForms() {
        var secret = Self.secret
        secret.value = "hush-5a4b3c2d"
        let form = Wire.SignInForm(
            identifier: "key", title: "Key\u{1B}", help: "Help.", fields: [Self.url, Self.user, secret, Self.region],
            browser: ["device"], questions: [Self.hostKey])
        let text = FormText.text([form])
        for part in [
            "key: Key\\x1B\n", "--url URL ", "--username NAME ", "Name (default: ada)", "--set-file password=FILE ",
            "Password (secret)", "--set region=eu|us ", "(may be empty)", "with a code (--device)",
            "It may ask during the sign-in:\n    --set hostKey=yes|no ",
        ] { #expect(text.contains(part), "\(part) in \(text)") }
        #expect(!text.contains("hush"))
    }
}
