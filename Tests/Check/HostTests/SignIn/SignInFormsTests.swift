import DocentInterfaces
import Isolation
import Testing

@testable import Host

/// What a person is asked for, and what is made of the answers.
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

    @Test("what is known of the domain is the default; a secret never is one")
    func defaults() {
        let domain = ProviderDomain(
            provider: "p", identifier: "d", displayName: "D",
            settings: ["url": "https://dav.example.org", "password": "hush-setting01"],
            credential: CredentialReference(kind: .password, source: .keyring, username: "ada"))
        #expect(
            forms.filled(from: domain)[0].fields.map(\.value) == ["https://dav.example.org", "ada", nil, nil])
        #expect(forms.filled(from: nil)[0].fields.map(\.value) == ["https://example.org", nil, nil, nil])
    }

    @Test("answers that are missing, too long, unknown or no text are refused, and no answer is repeated")
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

    @Test("answers become settings, but no secret and nothing empty")
    func settings() {
        let values = ["url": "u", "username": "ada", "password": "hush-aa11bb22", "realm": ""]
        #expect(SignInForms.settings(values, of: Self.form) == ["url": "u", "username": "ada"])
    }
}
