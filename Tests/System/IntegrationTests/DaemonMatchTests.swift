import DocentTestSupport
import Documents
import Foundation
import Testing

/// A daemon that does not match the client: other data, other providers, another version.
@Suite(.needs(.daemon)) struct DaemonMatchTests {
    @Test("a client with another data directory is refused; the error names both directories and a remedy")
    func otherData() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("content", to: "a.txt")
            let other = ["XDG_DATA_HOME": installation.root + "/other"]
            let refused = try await installation.docent("ls", "LocalFolder:/", environment: other)
            #expect(refused.status == 6, "\(refused)")
            #expect(refused.errors.contains(installation.data) && refused.errors.contains("/other"), "\(refused)")
            #expect(refused.text.isEmpty)
            let doctor = try await installation.docent("doctor", environment: other)
            #expect(doctor.status == 1 && doctor.text.contains(installation.data), "\(doctor)")
            // The remedy that the error names.
            try await installation.docent("daemon", "stop", environment: other).succeeded()
            #expect(try await installation.docent("providers", environment: other).succeeded().text.contains("NAME"))
            try await installation.docent("daemon", "stop", environment: other).succeeded()
            #expect(try await installation.docent("ls", "LocalFolder:/").succeeded().text == "a.txt\n")
        }
    }

    @Test("a client with another provider path gets an error instead of an empty table")
    func otherManifests() async throws {
        try await Installation.withLocalFolder { installation in
            let folder = installation.root + "/more"
            try FileManager.default.copyItem(atPath: installation.manifests, toPath: folder)
            let refused = try await installation.docent(
                "providers", environment: ["DOCENT_MANIFEST_PATH": folder])
            #expect(refused.status == 6 && refused.errors.contains(folder), "\(refused)")
        }
    }

    @Test("an older daemon is replaced only if it has no other client")
    func olderDaemon() async throws {
        try await Installation.withLocalFolder { installation in
            func newer() -> DocumentsClient {
                var configuration = DocumentsClient.Configuration(clientIdentifier: "org.docent.tests.newer")
                configuration.environment = installation.environment
                configuration.version = "99.0"
                return DocumentsClient(configuration)
            }
            let user = installation.client()
            _ = try await user.providers()
            let first = try #require(installation.daemonProcess)
            let refused = await #expect(throws: DocumentsError.self) { try await newer().providers() }
            #expect(refused?.code == .conflict)
            #expect(installation.daemonProcess == first, "it has another client")
            user.close()
            try await installation.eventually("the session is gone") {
                // The next daemon is not newer either: that is reported after its start.
                _ = await #expect(throws: DocumentsError.self) { try await newer().providers() }
                return installation.daemonProcess.map { $0 != first } ?? false
            }
        }
    }
}
