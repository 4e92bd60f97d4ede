import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// The bookmark key in a real keyring (G4).
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
}
