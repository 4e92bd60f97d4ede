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

    @Test("a client that names a prefix which the daemon does not search gets an error instead of an empty table")
    func otherPrefix() async throws {
        try await Installation.withLocalFolder { installation in
            let share = installation.root + "/prefix/share"
            try FileManager.default.createDirectory(
                atPath: share + "/docent", withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: installation.manifests, toPath: share + "/docent/manifests")
            let refused = try await installation.docent("providers", environment: ["XDG_DATA_DIRS": share])
            #expect(refused.status == 6 && refused.errors.contains(share + "/docent/manifests"), "\(refused)")
        }
    }

    @Test("a client that names other libraries, or another folder for documents, is refused with its name")
    func otherFolders() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("content", to: "a.txt")
            #expect(try await installation.docent("ls", "LocalFolder:/").succeeded().text == "a.txt\n")
            let libraries = installation.root + "/libraries"
            for folder in [libraries, libraries + "/org.example.Shelf", installation.root + "/config"] {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            let other = try await installation.docent(
                "ls", "LocalFolder:/", environment: ["DOCENT_LIBRARY_PATH": libraries])
            #expect(other.status == 6 && other.errors.contains(libraries) && other.text.isEmpty, "\(other)")

            func names(_ folder: String) throws -> [String: String] {
                try Data("XDG_DOCUMENTS_DIR=\"\(folder)\"\n".utf8)
                    .write(to: URL(filePath: installation.root + "/config/user-dirs.dirs"))
                return ["XDG_CONFIG_HOME": installation.root + "/config"]
            }
            let environment = try names("$HOME/Papers")
            let refused = try await installation.docent("ls", "LocalFolder:/", environment: environment)
            #expect(refused.status == 6 && refused.text.isEmpty, "\(refused)")
            #expect(
                refused.errors.contains(installation.home + "/Papers")
                    && refused.errors.contains(installation.documents), "\(refused)")
            let doctor = try await installation.docent("doctor", environment: environment)
            #expect(doctor.status == 1 && doctor.text.contains(installation.home + "/Papers"), "\(doctor)")
            // The same folder by another way.
            let same = try await installation.docent(
                "ls", "LocalFolder:/", environment: try names(installation.documents + "/"))
            #expect(try same.succeeded().text == "a.txt\n")
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
