import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// `docent thumbnail` with a real daemon, the previews of an imitated Nextcloud, and a thumbnailer of the test's own
/// (K9).
@Suite(.needs(.daemon, .server)) struct RemoteThumbnailTests {
    private struct Picture: Decodable {
        var path: String?
        var width: Int
        var height: Int
        var source: String
        var version: String?
    }

    private static let signature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    /// An account at a Nextcloud that the test plays, with these documents.
    private static func withNextcloud(
        _ documents: [String: String], _ body: (Installation, URL) async throws -> Void
    ) async throws {
        let output = try await Outcome.run(
            "/usr/bin/python3",
            [Repository.root + "/Tests/Servers/nextcloud.py", "--parent", "\(getpid())"],
            input: nil, environment: ProcessInfo.processInfo.environment, folder: "/tmp"
        ).succeeded().text
        let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("url=") })
        let url = try #require(URL(string: String(line.dropFirst(4))))
        try await Installation.withLocalFolder(environment: ["DOCENT_FRESH_SECONDS": "0"]) { installation in
            for (name, text) in documents {
                try await put(text, at: url.appending(path: name), installation)
            }
            let provider = RemoteInstallation.provider
            for point in ["FileProvider", "Picker"] {
                let name = "\(provider).\(point).plist"
                try FileManager.default.copyItem(
                    atPath: "\(Repository.root)/manifests/\(name)", toPath: "\(installation.manifests)/\(name)")
            }
            try await installation.docent("provider", "enable", provider, "--yes").succeeded()
            try await installation.docent(
                "domains", "add", "webdav", "work", "--url", url.absoluteString, "--unchecked"
            ).succeeded()
            try await body(installation, url)
        }
    }

    private static func put(_ text: String, at url: URL, _ installation: Installation) async throws {
        try await installation.run(
            "/usr/bin/curl", ["-sSf", "-T", "-", url.absoluteString], input: Data(text.utf8)
        ).succeeded()
    }

    @Test("K9: a picture of a document in a Nextcloud is its preview, and the document is not downloaded")
    func previews() async throws {
        let long = String(repeating: "picture ", count: 40_000)
        try await Self.withNextcloud(["a.png": long, "b.txt": "text", "c.png": "login"]) { installation, url in
            let log = try #require(URL(string: "/control/log", relativeTo: url)?.absoluteURL)
            let first = try await installation.docent("thumbnail", "webdav@work:/a.png", "--json").succeeded()
                .json(Picture.self)
            #expect(first.source == "provider" && first.width == 256 && first.height == 128 && first.version != nil)
            let path = try #require(first.path)
            #expect(try Data(contentsOf: URL(filePath: path)).starts(with: Self.signature))
            let second = try await installation.docent("thumbnail", "webdav@work:/a.png", "--json").succeeded()
                .json(Picture.self)
            #expect(second.source == "cache" && second.path == path)
            #expect(try await installation.docent("thumbnail", "webdav@work:/a.png").succeeded().text == path + "\n")

            let file = installation.root + "/small.png"
            let small = ["thumbnail", "webdav@work:/a.png", "--size", "100"]
            let docent = Installation.binaries + "/docent"
            #expect(try await installation.run(docent, small + ["-o", file]).succeeded().text == file + "\n")
            let content = try Data(contentsOf: URL(filePath: file))
            #expect(content.starts(with: Self.signature))
            #expect(try await installation.run(docent, small + ["-o", file]).status == 6)
            #expect(try await installation.run(docent, small + ["-o", "-"]).succeeded().output == content)

            for name in ["b.txt", "c.png"] {
                let none = try await installation.docent("thumbnail", "webdav@work:/\(name)")
                #expect(none.status == 1 && none.errors.contains("no preview") && none.text.isEmpty, "\(none)")
            }
            #expect(try await installation.docent("thumbnail", "webdav@work:/none.png").status == 2)
            #expect(try await installation.docent("thumbnail", "webdav@work:/a.png", "--size", "0").status == 64)
            let requests = try await installation.run("/usr/bin/curl", ["-sSf", log.absoluteString]).succeeded()
                .text.split(separator: "\n")
            #expect(requests.filter { $0 == "GET /index.php/core/preview" }.count == 4)
            #expect(!requests.contains { $0.hasPrefix("GET ") && $0.contains("/files/") }, "\(requests)")

            // A changed document has another picture.
            try await Self.put("picture again", at: url.appending(path: "a.png"), installation)
            try await installation.docent("ls", "webdav@work:/").succeeded()
            let changed = try await installation.docent("thumbnail", "webdav@work:/a.png", "--json").succeeded()
                .json(Picture.self)
            #expect(changed.source == "provider" && changed.version != first.version)
        }
    }

    @Test("K9: a local document is drawn by an installed thumbnailer, also for a program through the SDK")
    func drawn() async throws {
        try await Installation.withLocalFolder { installation in
            let folder = installation.home + "/.local/share/thumbnailers"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let program = installation.home + "/draw"
            // The documents are pictures already.
            try Data("#!/bin/sh\nexec cp \"$1\" \"$2\"\n".utf8).write(to: URL(filePath: program))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            try Data("[Thumbnailer Entry]\nExec=\(program) %i %o\nMimeType=image/png;\n".utf8)
                .write(to: URL(filePath: folder + "/test.thumbnailer"))
            let text =
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNg"
                + "AAAAAgABSK+kcQAAAABJRU5ErkJggg=="
            let pixel = try #require(Data(base64Encoded: text))
            try pixel.write(to: URL(filePath: installation.documents + "/a.png"))
            try installation.write("no picture", to: "b.png")
            let picture = try await installation.docent("thumbnail", "LocalFolder:/a.png", "--json").succeeded()
                .json(Picture.self)
            #expect(picture.source == "local" && picture.width == 1 && picture.height == 1)
            let none = try await installation.docent("thumbnail", "LocalFolder:/b.png")
            #expect(none.status == 1 && none.errors.contains("no picture"), "\(none)")

            let client = installation.client()
            let item = try await DocumentPicker(client: client).item(
                at: DocumentLocation(provider: "LocalFolder", path: "/a.png"))
            let thumbnail = try await client.thumbnail(of: item.reference)
            #expect(thumbnail.source == .cache && thumbnail.data.starts(with: Self.signature))
            #expect(thumbnail.path == picture.path)
        }
    }
}
