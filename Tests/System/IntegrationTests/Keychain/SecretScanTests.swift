import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The search for secrets in files finds them: otherwise an empty result would prove nothing.
@Suite(.needs(.daemon)) struct SecretScanTests {
    private static func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "docent-scan-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder + "/a/given", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private static let secret = "hush-planted4a77"

    static let forms: [String] = [
        "x hush-planted4a77 y", "\0\u{1}hush-planted4a77\0", Data("hush-planted4a77".utf8).base64EncodedString(),
        Data("a:hush-planted4a77".utf8).base64EncodedString(), Data("a hush-planted4a77".utf8).base64EncodedString(),
        Data("ab:hush-planted4a77".utf8).base64EncodedString(),
    ]

    @Test("A planted secret is found and named, verbatim and in base64 at each alignment", arguments: forms)
    func planted(_ form: String) async throws {
        try await Self.withFolder { folder in
            try Data(form.utf8).write(to: URL(fileURLWithPath: folder + "/a/file"))
            let hits = SecretScan.hits(below: folder)
            #expect(hits.count == 1 && hits[0].contains("/a/file"), "\(hits)")
            let run = try await Self.scan(folder)
            #expect(run.status == 1 && run.errors.contains("/a/file has a secret of a test"), "\(run)")
        }
    }

    @Test("The directory for typed input is not searched, and links and FIFOs are not followed")
    func excepted() async throws {
        try await Self.withFolder { folder in
            try Data(Self.secret.utf8).write(to: URL(fileURLWithPath: folder + "/a/given/password"))
            symlink(folder + "/a/given/password", folder + "/a/link")
            mkfifo(folder + "/a/fifo", 0o600)
            #expect(SecretScan.hits(below: folder, except: folder + "/a/given").isEmpty)
            #expect(SecretScan.hits(below: folder).count == 1)
            #expect(try await Self.scan(folder).status == 0)
        }
    }

    @Test("An installation with a secret in its data fails its test")
    func installation() async throws {
        await withKnownIssue {
            try await Installation.with(localFolder: false) { installation in
                try FileManager.default.createDirectory(atPath: installation.data, withIntermediateDirectories: true)
                try Data(Self.secret.utf8).write(to: URL(fileURLWithPath: installation.data + "/leaked"))
            }
        }
    }

    @Test("Only files changed after a given time are searched")
    func newer() async throws {
        try await Self.withFolder { folder in
            try Data(Self.secret.utf8).write(to: URL(fileURLWithPath: folder + "/a/old"))
            let begin = folder + "/a/given/begin"
            try Data().write(to: URL(fileURLWithPath: begin))
            let future = Date().addingTimeInterval(60)
            try FileManager.default.setAttributes([.modificationDate: future], ofItemAtPath: begin)
            #expect(try await Self.scan("--newer", begin, folder).status == 0)
            #expect(try await Self.scan(folder).status == 1)
        }
    }

    private static func scan(_ arguments: String...) async throws -> Outcome {
        try await Outcome.run(
            "/bin/bash", ["\(Repository.root)/Scripts/scan-secrets.sh"] + arguments, input: nil,
            environment: ["PATH": "/usr/bin:/bin"], folder: "/")
    }
}
