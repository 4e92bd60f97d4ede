import ArgumentParser
import DocentInterfaces
import Documents
import Testing

@testable import docent

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

    private func parse(_ arguments: [String]) throws -> LoginCommand {
        try #require(try Docent.parseAsRoot(["login"] + arguments) as? LoginCommand)
    }

    @Test("An account is PROVIDER[@DOMAIN]")
    func account() throws {
        #expect(try AccountName.parse("webdav@work") == AccountName(provider: "webdav", domain: "work"))
        #expect(try AccountName.parse("org.docent.WebDAV").domain.isEmpty)
        #expect(try AccountName.parse("webdav@work").login == "docent login webdav@work")
        #expect(AccountName(provider: "webdav", domain: "").description == "webdav")
        for text in ["", "@work", "webdav@", "webdav@a@b", "webdav@work:/", "webdav@a/b"] {
            #expect(throws: (any Error).self, "\(text)") { try AccountName.parse(text) }
        }
    }

    @Test("Completion offers accounts by their short names, and no folders")
    func completion() {
        func domain(_ provider: String, _ identifier: String, folder: String? = nil) -> Wire.Domain {
            Wire.Domain(provider: provider, identifier: identifier, displayName: identifier, folder: folder)
        }
        #expect(
            AccountCompletion.names([
                domain("org.docent.WebDAV", "work"), domain("org.docent.WebDAV", ""),
                domain("org.docent.LocalFolder", "home", folder: "/home"),
            ]) == ["WebDAV", "WebDAV@work"])
        #expect(
            AccountCompletion.names([domain("org.a.DAV", "x"), domain("org.b.DAV", "y")])
                == ["org.a.DAV@x", "org.b.DAV@y"])
    }

    @Test("a secret is never taken from arguments, whichever option has it")
    func secretArgument() throws {
        let given = try parse(["webdav@work", "--set", "password=hush-1b2c3d4e"]).options.given
        let error = #expect(throws: DocumentsError.self) { try FormAnswers(Self.password, given: given) }
        #expect(error?.code == .invalidArgument && error?.suggestion?.contains("--secret-fd") == true)
        #expect(error.map { ErrorReport.text($0, isVerbose: true).contains("hush-1b2c3d4e") } == false)
    }

    @Test(
        "Options answer the fields of their names; a default fills what is left open, and nothing that is optional is missing"
    )
    func answers() throws {
        let given = try parse(["webdav@work", "--url", "https://g/", "--set", "url=https://h/"]).options.given
        var answers = try FormAnswers(Self.password, given: given)
        #expect(
            answers.open.map(\.key) == ["username", "region"] && answers.secrets.map(\.key) == ["password", "pin"])
        answers.takeDefaults()
        #expect(answers.values == ["url": "https://h/", "username": "ada"])
        #expect(answers.missing(hasSecrets: true) == nil)
        answers.take("hush-1b2c3d4e", for: Self.secret)
        #expect(answers.missing(hasSecrets: false) == nil)
    }

    @Test(
        "whether a secret may go without https is asked only where the address is http to another machine",
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
        #expect(answers.open.map(\.key) == ["url"], "nothing is known of the address yet")
        answers.take(url, for: Self.url)
        #expect(answers.open.map(\.key) == (isAsked ? ["unprotected"] : []))
        answers.takeDefaults()
        #expect(answers.values["unprotected"] == (isAsked ? "no" : nil), "nobody agrees by saying nothing")
        #expect(try FormAnswers(form, given: ["url": url, "unprotected": "yes"]).open.isEmpty)
    }

    @Test("`docent domains` shows the agreement, and only where it counts")
    func shown() {
        func domain(_ settings: [String: String]) -> Wire.Domain {
            Wire.Domain(provider: "p", identifier: "d", displayName: "D", settings: settings)
        }
        for (settings, isShown) in [
            (["url": "http://h/", "unprotected": "yes"], true), (["url": "http://h/"], false),
            (["url": "http://h/", "unprotected": "no"], false), (["url": "https://h/", "unprotected": "yes"], false),
            (["unprotected": "yes"], true),
        ] {
            #expect(DomainText.table([domain(settings)]).text.contains("(unprotected)") == isShown, "\(settings)")
            let record = JSONValue(domain: domain(settings)).compact
            #expect(record.contains("\"isUnprotected\": \(isShown)"), "\(record)")
        }
    }

    @Test(
        "a move is followed to https of the same host only",
        arguments: [
            ("https://h/dav/", true), ("https://h:8443/", true), ("https://H/", true), ("http://h/", false),
            ("https://g/", false), ("https://h@g/", false), ("https://h/?token=1", false), ("ftp://h/", false),
        ])
    func moved(_ target: String, _ isFollowed: Bool) {
        var failure = Failure(.notAuthenticated, "The server has moved.")
        failure.causes = [Wire.ErrorDetail(domain: MovedAddress.cause, code: 308, message: target)]
        #expect((MovedAddress.find(in: DocumentsError(failure), from: "http://h:80/dav") == target) == isFollowed)
        #expect(MovedAddress.find(in: DocumentsError(failure), from: "https://h/dav") == nil)
        failure.causes = [Wire.ErrorDetail(domain: "HTTP", code: 308, message: target)]
        #expect(MovedAddress.find(in: DocumentsError(failure), from: "http://h/dav") == nil)
    }

    @Test("Without a terminal one error tells all that is missing, and how each is given")
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

    @Test("An answer that the form does not take is refused before anybody is called")
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
        "One form needs no choice, a named one is taken, of several a person chooses; --device leaves those with a code"
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

    @Test("A form that does not ask for what was given is not meant; what no form asks for is told")
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

    @Test("A code is used where it was asked for, and where no browser can be shown; else the browser")
    func way() {
        #expect(FormChoice.usesBrowser(Self.browser, device: false, hasBrowser: true))
        #expect(!FormChoice.usesBrowser(Self.browser, device: true, hasBrowser: true))
        #expect(!FormChoice.usesBrowser(Self.browser, device: false, hasBrowser: false))
        #expect(!FormChoice.usesBrowser(Self.code, device: false, hasBrowser: true))
        #expect(!FormChoice.usesBrowser(Self.password, device: false, hasBrowser: true))
        let alone = Wire.SignInForm(identifier: "b", title: "B", fields: [], browser: ["loopback"])
        #expect(FormChoice.usesBrowser(alone, device: false, hasBrowser: false))
    }

    @Test("Ways to give a secret exclude each other, and an address needs its scheme")
    func options() {
        for arguments in [
            ["--secret-fd", "3", "--password-stdin"], ["--askpass", "a", "--secret-fd", "3"], ["--secret-fd", "1"],
            ["--secret-fd", "-1"], ["--askpass", ""], ["--url", "example.org"], ["--sealed-file", "--session"],
        ] {
            #expect(throws: (any Error).self, "\(arguments)") { try parse(["webdav@work"] + arguments) }
        }
    }

    @Test("A prompt shows its default, and nothing of a provider's that a terminal obeys")
    func prompt() {
        #expect(FormConversation.prompt("Name", standard: "ada", isOptional: false) == "Name [ada]: ")
        #expect(FormConversation.prompt("Name", standard: nil, isOptional: true) == "Name (may be empty): ")
        #expect(FormConversation.prompt("N\u{1B}", standard: nil, isOptional: false) == "N\\x1B: ")
        #expect(
            SecretSource.prompt(.init(key: "p", label: "P\u{1B}", kind: "secret", help: "H\n")) == "  H\\x0A\nP\\x1B: ")
    }
}
