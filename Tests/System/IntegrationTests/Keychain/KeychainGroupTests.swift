import DocentTestSupport
import Foundation
import Testing

/// Secrets shared by extensions, in a real keyring, through a real daemon (O6).
@Suite(.needs(.daemon, .keyring, within: .seconds(300))) struct KeychainGroupTests {
    private static let first = "org.example.First"
    private static let second = "org.example.Second"
    private static let stranger = "org.example.Stranger"
    private static let group = "org.example.shared"

    @Test("O6: extensions of a group share items; others cannot read, see, change or delete them")
    func shared() async throws {
        try await KeychainStage.with { stage in
            try await stage.install(Self.first, groups: [Self.group, "org.example.own"])
            try await stage.install(Self.second, groups: [Self.group], enabling: ["--join-groups"])
            try await stage.install(Self.stranger, groups: ["org.example.other"])
            let secret = KeychainStage.backwards()
            #expect(try await stage.tell(Self.first, "store", Self.group, "d", "a", secret) == "stored")
            #expect(try await stage.tell(Self.second, "lookUp", Self.group, "d", "a") == secret)
            #expect(try await stage.tell(Self.second, "list", Self.group) == "d/a")
            #expect(try await stage.tell(Self.second, "lookUp", Self.group, "e", "a") == "none")
            for words in [["lookUp"], ["list"], ["delete"], ["store"]] {
                let answer = try await stage.tell(Self.stranger, words[0], Self.group, "d", "a", secret)
                #expect(answer.hasPrefix("[failed -3002]"), "\(words): \(answer)")
                #expect(!answer.contains(secret))
            }
            // A group that no extension has is refused with the same text.
            let here = try await stage.tell(Self.stranger, "list", Self.group)
            let nowhere = try await stage.tell(Self.stranger, "list", "org.example.nobody")
            #expect(here.replacingOccurrences(of: Self.group, with: "org.example.nobody") == nowhere)
            // Items of the same names in its own group are separate.
            #expect(try await stage.tell(Self.stranger, "lookUp", "", "d", "a") == "none")
            #expect(try await stage.tell(Self.stranger, "list", "") == "")
            #expect(try await stage.tell(Self.first, "list", "org.example.own") == "")
            #expect(
                try await stage.tell(Self.second, "lookUp", "org.example.own", "d", "a").hasPrefix("[failed -3002]"))
            #expect(try await stage.tell(Self.second, "delete", Self.group, "d", "a") == "true")
            #expect(try await stage.tell(Self.first, "lookUp", Self.group, "d", "a") == "none")
            #expect(try await stage.tell(Self.first, "delete", Self.group, "d", "a") == "false")
        }
    }

    @Test("O6: a picker has the groups of its own manifest, not those of its file provider")
    func picker() async throws {
        try await KeychainStage.with { stage in
            try await stage.install(Self.first, groups: [Self.group, "org.example.fp"], picker: [Self.group])
            let secret = KeychainStage.backwards()
            #expect(try await stage.tell(Self.first, "store", "org.example.fp", "", "a", secret) == "stored")
            #expect(try await stage.tell(Self.first, "store", Self.group, "", "a", secret) == "stored")
            #expect(try await stage.tellPicker(Self.first, "lookUp", Self.group, "", "a") == secret)
            #expect(
                try await stage.tellPicker(Self.first, "lookUp", "org.example.fp", "", "a").hasPrefix("[failed -3002]"))
        }
    }

    @Test("S3: access without consent is refused: a changed manifest, a group not joined, a disabled provider")
    func consent() async throws {
        try await KeychainStage.with { stage in
            try await stage.install(Self.first, groups: [Self.group])
            let secret = KeychainStage.backwards()
            #expect(try await stage.tell(Self.first, "store", "", "", "a", secret) == "stored")
            try stage.writeManifests(Self.second, groups: [Self.group])
            let refused = try await stage.installation.docent("provider", "enable", Self.second, "--yes")
            #expect(refused.status == 3 && refused.errors.contains("--join-groups"), "\(refused)")
            // It runs with one group, and then the manifest declares another.
            try await stage.install(Self.second, groups: ["org.example.own"])
            #expect(try await stage.tell(Self.second, "list", "") == "")
            try stage.writeManifests(Self.second, groups: ["org.example.own", Self.group])
            let changed = try await stage.tell(Self.second, "lookUp", Self.group, "", "a")
            #expect(changed.contains("changed since it was enabled"), "\(changed)")
            try await stage.enable(Self.second, ["--join-groups"])
            #expect(try await stage.tell(Self.second, "lookUp", Self.group, "", "a") == secret)
        }
    }

    @Test("O6: no manifest can name the daemon's own group")
    func reserved() async throws {
        try await KeychainStage.with { stage in
            for group in ["org.docent.docentd", "org.docent.WebDAV/domain"] {
                try stage.writeManifests(Self.first, groups: [group])
                let path = "\(stage.installation.manifests)/\(Self.first).FileProvider.plist"
                let outcome = try await stage.installation.docent("provider", "validate", path)
                #expect(
                    outcome.status != 0 && (outcome.text + outcome.errors).contains("keychain-access-groups"),
                    "\(outcome)")
            }
        }
    }

    @Test("O6: secret-tool sees an item with the same attributes, and an extension of the group finds what it stores")
    func interoperability() async throws {
        try await KeychainStage.with { stage in
            try await stage.install(Self.first, groups: [Self.group])
            #expect(
                try await stage.tell(Self.first, "store", "", "d", "a", KeychainStage.backwards()) == "stored")
            let found = try await stage.services.secretTool(
                "lookup", "access-group", Self.group, "provider", "", "domain", "d", "account", "a")
            #expect(found.text == KeychainStage.secret, "\(found)")
            let other = "hush-tool51f09c"
            try await stage.services.secretTool(
                "store", "--label", "By hand", "xdg:schema", "org.docent.Credential", "access-group", Self.group,
                "provider", "", "domain", "d", "account", "b", input: other
            ).succeeded()
            #expect(try await stage.tell(Self.first, "lookUp", "", "d", "b") == KeychainStage.backwards(other))
            #expect(try await stage.tell(Self.first, "list", "") == "d/a d/b")
        }
    }

    @Test("Items outlive the daemon and their provider, without a question")
    func restart() async throws {
        try await KeychainStage.with { stage in
            try await stage.install(Self.first, groups: [Self.group])
            #expect(
                try await stage.tell(Self.first, "store", "", "", "a", KeychainStage.backwards()) == "stored")
            _ = try await stage.installation.restartDaemon()
            #expect(try await stage.tell(Self.first, "lookUp", "", "", "a") == KeychainStage.backwards())
        }
    }

    @Test("a locked keyring fails in bounded time with that reason, and works again when unlocked")
    func locked() async throws {
        try await KeychainStage.with { stage in
            try await stage.install(Self.first, groups: [Self.group])
            #expect(
                try await stage.tell(Self.first, "store", "", "", "a", KeychainStage.backwards()) == "stored")
            try await stage.services.lock()
            for how in ["lookUp", "store", "delete"] {
                let answer = try await stage.tell(Self.first, how, "", "", "a", KeychainStage.backwards())
                #expect(answer.hasPrefix("[failed -3007]") && answer.contains("locked"), "\(how): \(answer)")
            }
            try await stage.services.unlock()
            #expect(try await stage.tell(Self.first, "lookUp", "", "", "a") == KeychainStage.backwards())
        }
    }

    @Test(
        "a dead or missing service fails in bounded time, never with \"no such item\"",
        arguments: [true, false])
    func away(_ dies: Bool) async throws {
        try await KeychainStage.with { stage in
            try await stage.install(Self.first, groups: [Self.group])
            #expect(
                try await stage.tell(Self.first, "store", "", "", "a", KeychainStage.backwards()) == "stored")
            if dies { await stage.services.killService() } else { await stage.services.killBus() }
            let answer = try await stage.tell(Self.first, "lookUp", "", "", "a")
            #expect(answer.hasPrefix("[failed -3007]"), "\(answer)")
        }
    }

    @Test("without a keyring nothing is stored anywhere, and the reason is reported", arguments: [true, false])
    func nowhere(_ hasBus: Bool) async throws {
        try await KeychainStage.with(hasBus ? .noService : .noBus) { stage in
            try await stage.install(Self.first, groups: [Self.group])
            for how in ["store", "lookUp", "list"] {
                let answer = try await stage.tell(Self.first, how, "", "", "a", KeychainStage.backwards())
                #expect(answer.hasPrefix("[failed -3007]"), "\(how): \(answer)")
            }
            // The sealed file needs consent.
            #expect(!FileManager.default.fileExists(atPath: stage.installation.data + "/credentials.sealed"))
        }
    }
}
