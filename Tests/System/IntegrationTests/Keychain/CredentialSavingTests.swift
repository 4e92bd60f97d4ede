import DocentTestSupport
import Foundation
import Glibc
import Testing

/// A provider that renews a domain's credential and saves it.
@Suite(.needs(.daemon, .keyring, within: .seconds(300))) struct CredentialSavingTests {
    private static let bundle = "org.example.Renewer"
    private static let old = "hush-renewold1"
    private static let new = "hush-renewnew2"

    private static func with(_ body: (KeychainStage) async throws -> Void) async throws {
        try await KeychainStage.with { stage in
            try await stage.install(bundle, groups: ["org.example.g"])
            try await stage.installation.docent(
                "domains", "add", bundle, "work", "--url", "https://h.example/", "--username", "ada", "--session",
                "--password-stdin", input: Data("\(old)\n".utf8)
            ).succeeded()
            #expect(try await stage.tell(bundle, "known", domain: "work") == KeychainStage.backwards(old))
            try await body(stage)
        }
    }

    @Test("A renewed credential is given to the provider's next process, and is in no group that it can read")
    func saved() async throws {
        try await Self.with { stage in
            #expect(
                try await stage.tell(Self.bundle, "save", KeychainStage.backwards(Self.new), domain: "work") == "saved")
            #expect(try await stage.tell(Self.bundle, "list", "") == "")
            // Its process ends, and the next call starts another.
            try await stage.installation.docent("provider", "disable", Self.bundle).succeeded()
            try await stage.enable(Self.bundle)
            #expect(try await stage.tell(Self.bundle, "known", domain: "work") == KeychainStage.backwards(Self.new))
        }
    }

    @Test("Saving fails for a domain without a credential")
    func refused() async throws {
        try await Self.with { stage in
            // The default domain has no credential.
            let answer = try await stage.tell(Self.bundle, "save", KeychainStage.backwards(Self.new))
            #expect(answer.hasPrefix("[failed -1000]"), "\(answer)")
        }
    }

    @Test("A credential in the user's own file is not replaced")
    func ownFile() async throws {
        try await Self.with { stage in
            let file = stage.installation.given + "/password"
            try Data("\(Self.old)\n".utf8).write(to: URL(fileURLWithPath: file))
            chmod(file, 0o600)
            try await stage.installation.docent(
                "domains", "set", Self.bundle, "work", "--username", "ada", "--password-file", file
            ).succeeded()
            let answer = try await stage.tell(Self.bundle, "save", KeychainStage.backwards(Self.new), domain: "work")
            #expect(answer.hasPrefix("[failed -3001]"), "\(answer)")
            #expect(stage.installation.read(file) == "\(Self.old)\n")
        }
    }
}
