import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import SignInConversation
import Testing

@testable import DocentCommands

/// The command line of `docent login`, and how accounts are shown.
@Suite struct SignInOptionsTests {
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

    @Test("`docent domains` shows the agreement to plain http, and only where it applies")
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
        "a redirect is followed only to https on the same host",
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

    @Test("A new address is used only if the person accepts the offer", arguments: [true, false])
    func offered(_ accepts: Bool) async throws {
        var failure = Failure(.notAuthenticated, "The server has moved.")
        failure.causes = [Wire.ErrorDetail(domain: MovedAddress.cause, code: 308, message: "https://h/dav/")]
        let moved = DocumentsError(failure)
        var (asked, used): ([String], [String?]) = ([], [])
        func add() async throws {
            try await MovedAddress.following(["url": "http://h/dav/"]) { question in
                asked.append(question)
                return accepts
            } _: { settings in
                used.append(settings?["url"])
                if used.count == 1 { throw moved }
            }
        }
        if accepts {
            try await add()
        } else {
            let error = await #expect(throws: DocumentsError.self) { try await add() }
            #expect(error?.code == moved.code)
        }
        #expect(asked.count == 1 && asked[0].contains("https://h/dav/"), "\(asked)")
        #expect(used == (accepts ? ["http://h/dav/", "https://h/dav/"] : ["http://h/dav/"]))
    }

    @Test("The ways to give a secret exclude each other, and an address needs its scheme")
    func options() {
        for arguments in [
            ["--secret-fd", "3", "--password-stdin"], ["--askpass", "a", "--secret-fd", "3"], ["--secret-fd", "1"],
            ["--secret-fd", "-1"], ["--askpass", ""], ["--url", "example.org"], ["--sealed-file", "--session"],
        ] {
            #expect(throws: (any Error).self, "\(arguments)") { try parse(["webdav@work"] + arguments) }
        }
    }

    @Test("the settings of a domain are shown without likely secrets, and without the password in an address")
    func shownSettings() {
        let domain = Wire.Domain(
            provider: "org.example.Gallery", identifier: "", displayName: "Gallery",
            settings: [
                "root": "/srv/pictures", "accessToken": "hush-11aa22bb", "Private_Key": "hush-33cc44dd",
                "url": "https://ada:hush-55ee66ff@h/x@y", "pem": "-----BEGIN\nb\u{1B}\n",
            ])
        let text = DomainText.facts(domain)
        for part in [
            "org.example.Gallery\n", "root = /srv/pictures\n", "accessToken = (not shown)\n", "https://ada:…@h/x@y\n",
            "-----BEGIN (2 lines)",
        ] { #expect(text.contains(part), "\(part) in \(text)") }
        let json = JSONValue(settingsOf: domain).compact
        #expect(json.contains("\"accessToken\": null") && json.contains("\"root\": \"/srv/pictures\""), "\(json)")
        #expect(!(text + json).contains("hush"))
        #expect(ShownSettings.withoutPassword("https://ada@h:80/") == "https://ada@h:80/")
    }

    @Test("Options answer the fields of their names and take precedence over --set; --set-file names files")
    func given() throws {
        let options = try parse([
            "webdav@work", "--url", "https://g/", "--set", "url=https://h/", "--username", "ada", "--set-file", "key=f",
        ]).options
        #expect(options.given == ["url": "https://h/", "username": "ada"] && options.files == ["key": "f"])
    }

    @Test("a secret in an argument reaches no form")
    func secretArgument() throws {
        let given = try parse(["webdav@work", "--set", "password=hush-1b2c3d4e"]).options.given
        let form = Wire.SignInForm(
            identifier: "password", title: "Password",
            fields: [.init(key: "password", label: "Password", kind: "secret")])
        let error = #expect(throws: DocumentsError.self) { try FormAnswers(form, given: given) }
        #expect(error.map { ErrorReport.text($0, isVerbose: true).contains("hush-1b2c3d4e") } == false)
    }

    @Test("Each way to give a secret has its option")
    func secrets() throws {
        func secrets(_ arguments: [String]) throws -> SecretOptions {
            try parse(["webdav@work"] + arguments).options.secrets
        }
        #expect(
            try secrets(["--secret-fd", "5"]) == SecretOptions(descriptor: 5, isStandardInput: false, askpass: nil))
        #expect(
            try secrets(["--password-stdin"]) == SecretOptions(descriptor: nil, isStandardInput: true, askpass: nil))
        #expect(
            try secrets(["--askpass", "a"]) == SecretOptions(descriptor: nil, isStandardInput: false, askpass: "a"))
        #expect(try secrets([]) == SecretOptions(descriptor: nil, isStandardInput: false, askpass: nil))
    }

    @Test("A file answers one question, and --set-file needs its name")
    func answerFiles() {
        for words in [
            ["--set-file", "a"], ["--set-file", "a="], ["--set", "a=1", "--set-file", "a=f"],
            ["--set-file", "a=f", "--set-file", "a=g"],
        ] {
            #expect(throws: (any Error).self, "\(words)") { try parse(["webdav@work"] + words) }
        }
    }

    @Test("the forms are shown in JSON with the option of each answer, and never with the value of a secret")
    func formRecords() {
        let secret = Wire.SignInField(key: "password", label: "Password", kind: "secret", value: "hush-5a4b3c2d")
        let form = Wire.SignInForm(
            identifier: "key", title: "Key\u{1B}", help: "Help.", fields: [secret], browser: ["device"],
            questions: [.init(key: "hostKey", label: "Right key?", kind: "confirm")])
        let json = JSONValue(forms: [form], of: "p").compact
        #expect(json.contains("\"option\": \"--set hostKey=yes|no\""), "\(json)")
        #expect(!json.contains("hush"))
    }
}
