import DocentTestSupport
import Foundation
import Testing

@testable import Keyring

/// KeePassXC instead of GNOME's keyring: another Secret Service. Part of the serial suite.
extension KeyringTests {
    @Test(
        "KeePassXC stores, finds, replaces, lists and deletes our secrets, and secret-tool sees the same",
        .enabled(if: KeyringSession.hasKeePass && KeyringSession.hasTool, "keepassxc or secret-tool is not installed"),
        arguments: nastySecrets)
    func keePass(bytes: [UInt8]) async throws {
        let session = try await KeyringSession(.keePass)
        defer { session.end() }
        let ladder = CredentialLadder(
            environment: [:], dataDirectory: KeyringSession.directory.path, deadline: .seconds(60))
        let storage = await ladder.storage(allowingSealedFile: false)
        #expect(storage.rung == .secretService && !storage.isLocked)
        #expect(storage.name.hasPrefix("KeePassXC, collection "), "\(storage.name)")
        #expect(try await ladder.secret(for: key, on: .secretService) == nil)
        try await ladder.store(Secret("hush-old-77aa"), for: key, label: "Docent: ada", on: .secretService)
        try await ladder.store(Secret(bytes), for: key, label: "Docent: ada", on: .secretService)
        #expect(try await ladder.secret(for: key, on: .secretService) == Secret(bytes))
        #expect(try await ladder.list(CredentialQuery(), on: .secretService) == [key])
        let read = try session.output("secret-tool", ["lookup", "provider", key.provider, "account", key.account])
        // secret-tool prints only text here.
        if !bytes.contains(0) { #expect(read.status == 0 && read.output == bytes) }
        #expect(try await ladder.delete(CredentialQuery(key), on: .secretService))
        #expect(try await ladder.secret(for: key, on: .secretService) == nil)
        #expect(try await ladder.list(CredentialQuery(), on: .secretService) == [])
    }

    @Test(
        "KeePassXC that exits or dies is an unavailable keyring, never an empty one; its return is noticed",
        .enabled(if: KeyringSession.hasKeePass, "keepassxc is not installed"))
    func keePassAway() async throws {
        let session = try await KeyringSession(.keePass)
        defer { session.end() }
        let ladder = CredentialLadder(
            environment: [:], dataDirectory: KeyringSession.directory.path, deadline: .seconds(60),
            pause: .milliseconds(200))
        let empty = try session.content(of: "home.kdbx")
        try await ladder.store(Secret("hush-b70e5c94"), for: key, label: "Docent: ada", on: .secretService)
        // It answers before the database is on disk.
        try await session.wait { (try? session.content(of: "home.kdbx")) != empty }
        let task = Task { () -> CredentialRung? in
            for await rung in ladder.unlocks() { return rung }
            return nil
        }
        session.endLast()
        await #expect(throws: KeyringError.self) { try await ladder.secret(for: key, on: .secretService) }
        guard case .absent = await ladder.state(of: .secretService) else {
            Issue.record("a dead service is usable")
            return
        }
        try await session.startKeePass()
        #expect(await task.value == .secretService)
        #expect(try await ladder.secret(for: key, on: .secretService) == Secret("hush-b70e5c94"))
    }

    // KeePassXC's database, created as a file: GNOME's keyring takes minutes to load so many items, and an hour to
    // store them.
    @Test(
        "among ten thousand items, ours are found, listed, replaced and deleted",
        .enabled(if: KeyringSession.hasKeePass, "keepassxc is not installed"), .needs(.keyring, within: .seconds(600)))
    func tenThousand() async throws {
        let keys = (0..<10_000).map {
            CredentialKey(accessGroup: "g", provider: "org.example.Many", domain: "d\($0 % 1000)", account: "a\($0)")
        }
        let schema = [(name: "xdg:schema", value: "org.docent.Credential")]
        let entries = keys.enumerated().map { index, key in
            let number = withUnsafeBytes(of: UInt64(index + 1).bigEndian) { Data($0) }
            let identifier = (Data("docent10".utf8) + number).base64EncodedString()
            let parts =
                [("Title", "many"), ("Password", "hush-\(key.account)")] + schema + CredentialQuery(key).attributes
            return "<Entry><UUID>\(identifier)</UUID>"
                + parts.map { "<String><Key>\($0.0)</Key><Value>\($0.1)</Value></String>" }.joined() + "</Entry>"
        }
        let session = try await KeyringSession(.noService)
        defer { session.end() }
        try session.prepareKeePass(entries: entries.joined())
        var last = ContinuousClock.now
        func took(_ what: String) {
            print("ten thousand items, \(what): \(ContinuousClock.now - last)")
            last = .now
        }
        try await session.startKeePass()
        took("opened")
        let ladder = CredentialLadder(
            environment: [:], dataDirectory: KeyringSession.directory.path, deadline: .seconds(120))
        for index in stride(from: 0, to: keys.count, by: 500) {
            let secret = try await ladder.secret(for: keys[index], on: .secretService)
            #expect(secret == Secret("hush-\(keys[index].account)"))
        }
        took("twenty found")
        let listed = try await ladder.list(CredentialQuery(), on: .secretService)
        took("all listed")
        #expect(listed.count == keys.count && Set(listed) == Set(keys))
        #expect(try await ladder.list(CredentialQuery(domain: "d7"), on: .secretService).count == 10)
        last = .now
        try await ladder.store(Secret("hush-new-5f"), for: keys[7], label: "many", on: .secretService)
        took("one replaced")
        #expect(try await ladder.secret(for: keys[7], on: .secretService) == Secret("hush-new-5f"))
        last = .now
        let query = CredentialQuery(provider: "org.example.Many", domain: "d7")
        // KeePassXC 2.7.4 can crash (SIGSEGV) when items are deleted while it saves so many. What it had not saved is
        // there again after its next start.
        for attempt in 0..<3 {
            do {
                let isDeleted = try await ladder.delete(query, on: .secretService)
                #expect(isDeleted || attempt > 0)
                took("ten deleted")
                #expect(try await ladder.list(CredentialQuery(domain: "d7"), on: .secretService) == [])
                #expect(try await ladder.list(CredentialQuery(), on: .secretService).count == keys.count - 10)
                return
            } catch {
                try #require(attempt < 2 && session.hasKeyringEnded, "\(error)")
                try await session.startKeePass()
            }
        }
    }
}
