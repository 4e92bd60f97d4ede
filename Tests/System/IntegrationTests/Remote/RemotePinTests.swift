import DocentTestSupport
import Foundation
import Testing

/// A pinned document is updated although it is not in use.
@Suite(.needs(.daemon, .server)) struct RemotePinTests {
    @Test("D2: a pinned document is updated without a command, and the daemon keeps running for that")
    func current() async throws {
        let options = RemoteInstallation.Options(environment: ["DOCENT_IDLE_SECONDS": "1"])
        try await RemoteInstallation.with(options: options) { server in
            try await server.put("old", "a.txt")
        } _: { remote in
            #expect(try await remote.docent("pin", remote.location("a.txt")).succeeded().text == "kept here: 1\n")
            try await remote.eventually("it is here") { remote.localFiles("a.txt").contains { Self.has("old", $0) } }
            // A daemon that knows about the pin only from its data.
            try await remote.killDaemon()
            try await remote.docent("domains").succeeded()
            let daemon = try #require(remote.installation.daemonProcess)
            try await remote.server.put("new and longer", "a.txt")
            try await remote.eventually("it is current") {
                remote.localFiles("a.txt").contains { Self.has("new and longer", $0) }
            }
            #expect(remote.installation.daemonProcess == daemon)
            try await remote.docent("unpin", remote.location("a.txt")).succeeded()
            let removed = try await remote.docent("evict", remote.location("a.txt")).succeeded()
            #expect(removed.text.hasPrefix("removed: 1,"), "\(removed.text)")
            try await remote.eventually("it exits") { remote.installation.daemonProcess == nil }
        }
    }

    private static func has(_ text: String, _ path: String) -> Bool {
        (try? String(contentsOfFile: path, encoding: .utf8)) == text
    }
}
