import DocentTestSupport
import FileProvider
import Foundation
import Testing

@testable import Rclone

@Suite(.needs(.programs)) struct ConfigurationTests {
    @Test("7.5: the text of rclone.conf is read, and remotes that build on others keep their names together")
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

    @Test(
        "7.5: what is no configuration is refused without being told",
        arguments: [
            "", "hush = x", "[a]\nhush", "[a]\nhush = x", "{\"hush\": 1}",
        ])
    func refuses(_ text: String) throws {
        let error = #expect(throws: FileProviderError.self) { _ = try RemoteConfiguration(text: text) }
        #expect(error?.message.contains("hush") == false)
    }

    @Test("7.5: parameters are KEY=VALUE divided by commas, a doubled comma stands for one")
    func parameters() throws {
        #expect(try RemoteConfiguration.parameters("a=1,b=x,,y=z\nc=") == ["a": "1", "b": "x,y=z", "c": ""])
        #expect(throws: FileProviderError.self) { _ = try RemoteConfiguration.parameters("nothing") }
    }

    @Test(
        "7.5: places and identifiers are one to one",
        arguments: ["/a", "/a/b c", "/\u{65}\u{301}", "/\u{e9}", "/a\nb", "/a\\xFF"])
    func places(_ text: String) throws {
        let place = try #require(RemotePlace(ItemIdentifier(text)))
        #expect(place.identifier.rawValue.utf8.elementsEqual(text.utf8))
    }

    @Test("7.5: what no document can have is no place", arguments: ["", "a", "/", "//", "/a/", "/..", "/.", "/a//b"])
    func noPlaces(_ text: String) { #expect(RemotePlace(ItemIdentifier(text)) == nil) }

    @Test(
        "7.5: names that would come back otherwise are refused",
        arguments: ["a\u{1}", "a\u{7F}", "a\u{FFFE}", "a\u{FFFF}", "a\u{2400}", "a\u{FF0F}b", "\u{201B}", ""])
    func refusedNames(_ name: String) {
        let error = #expect(throws: FileProviderError.self) { _ = try RemotePlace.root.newChild(name) }
        #expect(error?.code == .invalidArgument)
    }

    @Test(
        "7.5: a token is due some minutes before its end",
        arguments: [
            ("2020-01-01T00:00:00Z", true), ("2020-01-01T00:00:00.123456789+01:00", true),
            ("2999-01-01T00:00:00.5Z", false), ("not a date", false),
        ])
    func tokens(_ expiry: String, _ isDue: Bool) {
        #expect(RemoteToken(#"{"access_token": "a", "expiry": "\#(expiry)"}"#).isDue == isDue)
    }

    @Test(
        "7.5: the words of back ends become codes, and secrets are hidden",
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

    @Test("7.5: dates have fractions and no zone but UTC")
    func dates() throws {
        let text = #"{"Name": "x", "IsDir": false, "Size": -1, "ModTime": "2026-11-22T17:59:05.592441408Z"}"#
        let entry = try JSONDecoder().decode(RemoteEntry.self, from: Data(text.utf8))
        #expect(entry.size == nil)
        let date = try #require(entry.modificationDate)
        #expect(abs(date.timeIntervalSince1970 - 1_795_370_345.592441) < 0.001)
        #expect(entry.version(hash: "md5") == entry.version(hash: nil))
    }
}
