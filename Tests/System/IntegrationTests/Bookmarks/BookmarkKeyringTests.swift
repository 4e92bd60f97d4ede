import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// The bookmark key in a real keyring, and bookmarks of an earlier version (G4).
@Suite(.needs(.daemon, .keyring)) struct BookmarkKeyringTests {
    private typealias Support = BookmarkSupport

    @Test(
        "the key moves to a keyring that becomes available; while the keyring is unavailable bookmarks wait, and afterwards they work",
        .enabled(if: KeyringBus.isInstalled, "dbus-daemon or gnome-keyring-daemon is not installed"))
    func keyring() async throws {
        let bus = try KeyringBus()
        try await Installation.withLocalFolder(environment: bus.environment) { installation in
            try installation.write("hello", to: "a.txt")
            let client = installation.client()
            defer { client.close() }
            let file = installation.data + "/bookmark.key"
            let bookmark = try await Support.open("a.txt", client).bookmark()
            #expect(FileManager.default.fileExists(atPath: file))
            let keyring = try bus.startKeyring()
            defer { keyring.send(SIGKILL) }
            try await installation.eventually("the doctor finds the key in the keyring") {
                try await installation.docent("doctor").text.contains("in the keyring")
            }
            #expect(!FileManager.default.fileExists(atPath: file))
            try await installation.docent("daemon", "stop").succeeded()
            #expect(try await client.resolve(bookmark: bookmark).item.name == "a.txt")
            // The daemon that has already cached it, and one that has not.
            keyring.send(SIGKILL)
            keyring.waitUntilExit()
            #expect(try await client.resolve(bookmark: bookmark).item.name == "a.txt")
            try await installation.docent("daemon", "stop").succeeded()
            #expect(try await Support.refusal(client, bookmark)?.code == .unavailable)
            #expect(!FileManager.default.fileExists(atPath: file))
            let again = try bus.startKeyring()
            defer { again.send(SIGKILL) }
            try await installation.eventually("the bookmark works again") {
                try await Support.refusal(client, bookmark) == nil
            }
        }
    }

    @Test("G4: bookmarks of the first format version keep working for their client until the right ends")
    func firstVersion() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            let (client, other) = (installation.client(), installation.client("org.example.other"))
            defer {
                client.close()
                other.close()
            }
            _ = try await Support.open("a.txt", client)
            try await installation.docent("daemon", "stop").succeeded()
            let program = """
                import base64, sqlite3, sys
                name, secret = b"n" * 16, b"s" * 32
                database = sqlite3.connect(sys.argv[1])
                database.execute(
                    "INSERT INTO bookmarks (id, secret, grant_id, access, created) SELECT ?, ?, id, 'read', 0 FROM grants",
                    (name, secret))
                database.commit()
                print("b1-" + base64.urlsafe_b64encode(name + secret).decode(), end="")
                """
            let bookmark = try await installation.run(
                "/usr/bin/env", ["python3", "-c", program, installation.data + "/docent.sqlite"]
            ).succeeded().text
            let resolved = try await client.resolve(bookmark: bookmark)
            #expect(resolved.document.access == .read && resolved.item.name == "a.txt")
            #expect(try await client.values(ofBookmark: bookmark).provider == "org.docent.LocalFolder")
            #expect(try await Support.refusal(other, bookmark)?.code == .notFound)
            try await installation.docent("revoke", "LocalFolder:/a.txt", "--yes").succeeded()
            #expect(try await Support.refusal(client, bookmark)?.code == .notFound)
        }
    }
}
