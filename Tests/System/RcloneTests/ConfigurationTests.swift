import DocentTestSupport
import FileProvider
import Foundation
import Testing

@testable import Rclone

@Suite(.needs(.programs)) struct ConfigurationTests {
    @Test("rclone.conf is parsed, and remotes based on others keep their names together")
    func reads() throws {
        let text = """
            # made by rclone config
            [base]
            type = s3
            secret_access_key = a=b = c

            [secret]
            type = crypt
            remote = base:bucket/path
            [all]
            type = combine
            upstreams = one=base:a two=secret: three=/local:x
            """
        let configuration = try RemoteConfiguration(text: text)
        #expect(configuration.sections["base"]?["secret_access_key"] == "a=b = c")
        let prefixed = configuration.prefixed("p-")
        #expect(prefixed["p-secret"]?["remote"] == "p-base:bucket/path")
        #expect(prefixed["p-all"]?["upstreams"] == "one=p-base:a two=p-secret: three=/local:x")
        let kept = try RemoteConfiguration(text: configuration.credentialText)
        #expect(kept.sections == configuration.sections)
        #expect(kept.hiddenValues.contains("a=b = c"))
    }

    @Test("only the section that the remote needs is kept from the output of `rclone config dump`, passwords included")
    func dump() throws {
        let text = """
            {"all": {"type": "combine", "upstreams": "one=base:a two=my drive: three=/local:x"},
             "base": {"type": "sftp", "host": "h", "pass": "hidden1"},
             "my secret": {"type": "crypt", "remote": "base:deep/er", "password": "hidden2"},
             "other": {"type": "drive", "token": "{\\"access_token\\":\\"hidden3\\"}"}, "half": {"host": "no type"}}
            """
        let all = try RemoteConfiguration(text: text)
        #expect(all.sections["half"] == nil)
        let secret = try all.needed(for: "my secret:papers:2")
        #expect(Set(secret.sections.keys) == ["my secret", "base"])
        #expect(secret.sections["base"]?["pass"] == "hidden1")
        #expect(!(try secret.credentialText).contains("hidden3"))
        #expect(Set(try all.needed(for: "all:").sections.keys) == ["all", "base"])
        #expect(try RemoteConfiguration(text: try secret.credentialText).sections == secret.sections)
    }

    @Test("if rclone has hidden the passwords the error says what to give instead")
    func hidden() throws {
        let text = "[a]\ntype = sftp\npass = *** ENCRYPTED ***\n[b]\ntype = memory\n"
        let error = #expect(throws: FileProviderError.self) {
            try RemoteConfiguration(text: text).needed(for: "a:x")
        }
        #expect(error?.code == .invalidArgument && error?.message.contains("rclone config dump") == true)
        #expect(try RemoteConfiguration(text: text).needed(for: "b:").sections.count == 1)
    }

    @Test(
        "a connection to another machine without TLS is detected, and needs consent before anything is sent",
        arguments: [
            ("type = webdav\nurl = http://h/dav", "url"), ("type = webdav\nurl = HTTP://127.evil.org/", "url"),
            ("type = s3\nendpoint = http://192.0.2.2:9000", "endpoint"), ("type = ftp\nhost = h\nuser = anna", "host"),
            ("type = webdav\nurl = https://h/", nil), ("type = webdav\nurl = http://127.0.0.1:80/", nil),
            ("type = webdav\nurl = http://u@localhost/", nil), ("type = webdav\nurl = http://localhost@h/", "url"),
            ("type = webdav\nurl = http://[::1]:80/", nil), ("type = ftp\nhost = h\nexplicit_tls = true", nil),
            ("type = ftp\nhost = 127.0.0.1", nil), ("type = sftp\nhost = h", nil),
        ])
    func unprotected(_ text: String, _ parameter: String?) async throws {
        let settings = ["remote": "a:"]
        let account = try RemoteAccount(settings: settings, secret: "[a]\n\(text)\n")
        #expect(account.unprotectedParameter == parameter)
        guard let parameter else { return try account.requireProtection(nil, .notAuthenticated) }
        try account.requireProtection("yes", .notAuthenticated)
        let error = #expect(throws: FileProviderError.self) { try account.requireProtection("no", .notAuthenticated) }
        #expect(error?.code == .notAuthenticated && error?.message.contains("\"\(parameter)\"") == true)
        #expect(error?.message.contains("unprotected=yes") == true)
        // Neither way to sign in reaches rclone, which is missing.
        let provider = try Remote.make(settings.merging(["program": "/nowhere/rclone"]) { $1 }, NSTemporaryDirectory())
        let signIn = await #expect(throws: FileProviderError.self) {
            _ = try await provider.signIn(Credential(kind: .oauth, secret: "[a]\n\(text)\n"))
        }
        #expect(signIn?.message.contains("unprotected=yes") == true)
        let form = try #require(RcloneProvider.signInForms.first { $0.identifier == "remote" })
        let answers = try SignInAnswers(["remote": "a:", "configuration": "[a]\n\(text)\n"], to: form)
        let login = await #expect(throws: FileProviderError.self) {
            _ = try await provider.authenticate(answers, interaction: SignInInteraction { _ in })
        }
        #expect(login?.code == .invalidArgument && login?.message.contains("unprotected=yes") == true)
    }

    @Test("an on-the-fly remote is checked too")
    func unprotectedOnTheFly() throws {
        let account = try RemoteAccount(settings: ["remote": ":webdav,url='http://h/dav',user=anna:docs"], secret: nil)
        #expect(account.unprotectedParameter == "remote")
    }

    @Test(
        "an invalid configuration is refused without being printed",
        arguments: [
            "", "hush = x", "[a]\nhush", "[a]\nhush = x", "{\"hush\": 1}",
        ])
    func refuses(_ text: String) throws {
        let error = #expect(throws: FileProviderError.self) { _ = try RemoteConfiguration(text: text) }
        #expect(error?.message.contains("hush") == false)
    }

    @Test("parameters are KEY=VALUE separated by commas; a doubled comma stands for one")
    func parameters() throws {
        #expect(try RemoteConfiguration.parameters("a=1,b=x,,y=z\nc=") == ["a": "1", "b": "x,y=z", "c": ""])
        #expect(throws: FileProviderError.self) { _ = try RemoteConfiguration.parameters("nothing") }
    }

    @Test(
        "places and identifiers map one to one",
        arguments: ["/a", "/a/b c", "/\u{65}\u{301}", "/\u{e9}", "/a\nb", "/a\\xFF"])
    func places(_ text: String) throws {
        let place = try #require(RemotePlace(ItemIdentifier(text)))
        #expect(place.identifier.rawValue.utf8.elementsEqual(text.utf8))
    }

    @Test(
        "an identifier that no document can have is refused",
        arguments: ["", "a", "/", "//", "/a/", "/..", "/.", "/a//b"])
    func noPlaces(_ text: String) { #expect(RemotePlace(ItemIdentifier(text)) == nil) }

    @Test(
        "names that would not survive a round trip are refused",
        arguments: ["a\u{1}", "a\u{7F}", "a\u{FFFE}", "a\u{FFFF}", "a\u{2400}", "a\u{FF0F}b", "\u{201B}", ""])
    func refusedNames(_ name: String) {
        let error = #expect(throws: FileProviderError.self) { _ = try RemotePlace.root.newChild(name) }
        #expect(error?.code == .invalidArgument)
    }

    @Test(
        "a token is renewed some minutes before it expires",
        arguments: [
            ("2020-01-01T00:00:00Z", true), ("2020-01-01T00:00:00.123456789+01:00", true),
            ("2999-01-01T00:00:00.5Z", false), ("not a date", false),
        ])
    func tokens(_ expiry: String, _ isDue: Bool) {
        #expect(RemoteToken(#"{"access_token": "a", "expiry": "\#(expiry)"}"#).isDue == isDue)
    }

    @Test(
        "error texts of back ends are mapped to codes, and secrets are hidden",
        arguments: [
            ("failed: 401 Unauthorized", FileProviderError.Code.notAuthenticated),
            ("S3: AccessDenied: no, statuscode: 403", .notPermitted),
            ("googleapi: Error 429: Too Many Requests, retry after 12", .busy),
            ("write: no space left on device", .insufficientQuota),
            ("dial tcp 127.0.0.1:9: connect: connection refused", .serverUnreachable),
            ("object not found", .noSuchItem), ("unheard of", .failed),
        ])
    func errors(_ text: String, _ code: FileProviderError.Code) {
        let failure = RemoteFailure(status: 500, text: text + " hush-secret in 401 Unauthorized.pdf")
        let error = failure.providerError(
            cannot: "try", hiding: ["hush-secret"], names: ["401 Unauthorized.pdf"])
        #expect(error.code == code)
        #expect(!"\(error) \(error.chain)".contains("hush"))
        #expect(error.retryAfter == (code == .busy ? 12 : nil))
    }

    @Test("dates have fractions and are in UTC")
    func dates() throws {
        let text = #"{"Name": "x", "IsDir": false, "Size": -1, "ModTime": "2026-11-22T17:59:05.592441408Z"}"#
        let entry = try JSONDecoder().decode(RcloneEntry.self, from: Data(text.utf8))
        #expect(entry.size == nil)
        let date = try #require(entry.modificationDate)
        #expect(abs(date.timeIntervalSince1970 - 1_795_370_345.592441) < 0.001)
        #expect(entry.version(hash: "md5") == entry.version(hash: nil))
    }
}
