import Foundation
import Testing

@testable import HostCore

/// A provider's messages are passed on without its secrets.
@Suite struct RedactorTests {
    private static let secret = "hush-9f27 c1aa\"é+/\\&"

    private func redact(_ text: String, _ secrets: String..., username: String? = "ada") -> String {
        Redactor(secrets.map { SecretPattern(Array($0.utf8), username: username) }).redact(text)
    }

    private static func percent(_ text: String, _ allowed: String = "") -> String {
        text.addingPercentEncoding(
            withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~" + allowed))) ?? ""
    }

    private static let writtenForms: [(name: String, text: String)] = [
        ("as it is", secret),
        ("percent-encoded", percent(secret)),
        ("percent-encoded in small letters", percent(secret).lowercased()),
        ("percent-encoded but for what an address may have", percent(secret, "!$&'()*+,;=:@/")),
        ("of a form", percent(secret).replacingOccurrences(of: "%20", with: "+")),
        ("in JSON", secret.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")),
        (
            "in JSON with escaped slashes",
            String(decoding: (try? JSONEncoder().encode([secret])) ?? Data(), as: UTF8.self)
        ),
        ("in XML", secret.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")),
        ("in base64", Data(secret.utf8).base64EncodedString()),
        ("in base64 without its end", Data(secret.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")),
        (
            "in base64 for addresses",
            Data(secret.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_")
        ),
        ("of Basic", "Basic " + Data("ada:\(secret)".utf8).base64EncodedString()),
        ("of Basic for somebody else", "Basic " + Data("x:\(secret)".utf8).base64EncodedString()),
        ("of Basic for a third", "Basic " + Data("xyz:\(secret)".utf8).base64EncodedString()),
        ("in the middle of something encoded", Data("{\"a\":\"\(secret)\",\"b\":1}".utf8).base64EncodedString()),
        ("in hexadecimal", secret.utf8.map { String(format: "%02X", $0) }.joined()),
    ]

    @Test("A secret is replaced by a mark in every encoding", arguments: 0..<16)
    func forms(_ index: Int) {
        #expect(Self.writtenForms.count == 16)
        let form = Self.writtenForms[index]
        let line = "GET /x?p=\(form.text)&y=1 failed with 401"
        let clean = redact(line, Self.secret)
        #expect(clean.contains("‹secret›"), "\(form.name)")
        #expect(clean.contains("GET /x"), "\(form.name)")
        for other in Self.writtenForms where other.text.count > 8 {
            #expect(!clean.contains(other.text), "\(form.name)")
        }
        #expect(!clean.contains("9f27"))
    }

    @Test("Text without a secret stays unchanged, even beside one")
    func others() {
        let text = "PROPFIND /dav/Töne/a%20b.txt (aGVsbG8gd29ybGQ=): 207 \"Multi-Status\""
        #expect(redact(text, Self.secret) == text)
        #expect(redact("", Self.secret) == "")
        #expect(redact("a \(Self.secret) b", Self.secret) == "a ‹secret› b")
        #expect(redact("\(Self.secret)\(Self.secret)", Self.secret) == "‹secret›‹secret›")
        #expect(Redactor([]).redact(Self.secret) == Self.secret)
    }

    @Test("Of several secrets that contain each other, no part is left")
    func nested() {
        let clean = redact("token hush-aaaabbbbcccc!", "hush-aaaa", "hush-aaaabbbbcccc", "aabbbbcccc!")
        #expect(clean == "token ‹secret›")
    }

    @Test("A short secret is replaced where a value is expected, but not in sentences", arguments: ["a", "ab", "abc"])
    func short(_ secret: String) {
        #expect(redact("\(secret) file cannot be read", secret) == "\(secret) file cannot be read")
        #expect(redact("password=\(secret);", secret) == "password=‹secret›;")
        #expect(redact("{\"p\":\"\(secret)\"}", secret) == "{\"p\":\"‹secret›\"}")
        let basic = Data("ada:\(secret)".utf8).base64EncodedString()
        #expect(redact("Authorization: Basic \(basic)", secret) == "Authorization: Basic ‹secret›")
    }

    @Test("An empty secret replaces nothing")
    func empty() { #expect(redact("anything", "") == "anything") }

    @Test("The tokens in a secret that is JSON, and the lines of one with several, count as secrets too")
    func parts() {
        let tokens = """
            {"access_token": "hush-acc-0001", "nested": {"refresh_token": "hush-ref-0001"}, "token_type": "Bearer-like",
             "token_endpoint": "https://id.example/token", "expires": 3}
            """
        let found = Set(Redactor.parts(of: Array(tokens.utf8)).map { String(decoding: $0, as: UTF8.self) })
        #expect(found == ["hush-acc-0001", "hush-ref-0001"])
        let lines = "-----BEGIN KEY-----\nhush-line-1\nab\nhush-line-2\n"
        #expect(Redactor.parts(of: Array(lines.utf8)).count == 3)
        #expect(Redactor.parts(of: Array("hush-one-line".utf8)).isEmpty)
        #expect(Redactor.parts(of: Array("{hush-no-json".utf8)).isEmpty)
    }

    @Test("T4: an endless text is cut, and no part of a secret is left at the cut", .timeLimit(.minutes(2)))
    func long() {
        let secret = "hush-" + String(repeating: "k", count: 500)
        let text =
            String(repeating: "x", count: Redactor.maximumLength - 200) + secret
            + String(repeating: "y", count: 100_000)
        let clean = redact(text, secret)
        #expect(clean.utf8.count < Redactor.maximumLength)
        #expect(!clean.contains("hush-"))
        #expect(clean.hasSuffix("…"))
    }
}
