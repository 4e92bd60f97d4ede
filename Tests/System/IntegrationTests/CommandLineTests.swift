import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The command line end to end: exit codes and output.
@Suite(.needs(.daemon)) struct CommandLineTests {
    @Test("the exit code states the kind of failure, and standard error says what to do next")
    func exitCodes() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            try FileManager.default.createDirectory(
                atPath: installation.documents + "/sub", withIntermediateDirectories: true)
            let source = installation.home + "/source.txt"
            try Data("x".utf8).write(to: URL(fileURLWithPath: source))
            let cases: [(Int32, [String])] = [
                (0, ["ls", "LocalFolder:/"]), (0, ["info", "LocalFolder:/a.txt"]),
                (0, ["providers"]), (0, ["--version"]), (0, ["help"]),
                (2, ["cat", "LocalFolder:/none"]), (2, ["ls", "LocalFolder:/sub/none"]), (2, ["ls", "Nobody:/"]),
                (2, ["ls", "LocalFolder@work:/"]), (2, ["info", "LocalFolder:/a.txt/below"]),
                (2, ["export", installation.home + "/missing", "LocalFolder:/"]),
                (2, ["cat", "--bookmark", "nonsense"]), (2, ["provider", "show", "org.example.None"]),
                (6, ["export", source, "LocalFolder:/a.txt"]), (6, ["move", source, "LocalFolder:/a.txt"]),
                (6, ["import", "LocalFolder:/a.txt", "-o", source]),
                (64, ["cat"]), (64, ["nonsense"]), (64, ["ls", "no location"]), (64, ["ls", "LocalFolder:/../a.txt"]),
                (64, ["ls", "LocalFolder:/./a.txt"]), (64, ["cat", "LocalFolder:/sub"]),
                (64, ["open", "LocalFolder:/sub"]),
                (64, ["ls", "--unknown", "LocalFolder:/"]), (64, ["providers", "--mode", "steal"]),
                (64, ["ls", "LocalFolder:/" + String(repeating: "x", count: 256)]),
                (64, ["open", "LocalFolder:/a.txt", "--client", "no identifier"]),
            ]
            for (status, arguments) in cases {
                let outcome = try await Self.docent(installation, arguments)
                #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
                if status == 0 {
                    #expect(outcome.errors.isEmpty, "\(arguments)")
                } else {
                    #expect(outcome.output.isEmpty && !outcome.errors.isEmpty, "\(arguments)")
                }
            }
            #expect(installation.read(source) == "x", "a refused command removed something")
            #expect(installation.read(installation.documents + "/a.txt") == "hello")
        }
    }

    @Test("the exit code is 3 without a right, and 5 without a daemon or with a provider that cannot be started")
    func rightsAndDaemons() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            let opened = try await installation.docent("open", "--read-only", "LocalFolder:/a.txt", "--json")
                .succeeded().json(Opened.self)
            let written = try await installation.docent(
                "write", "--bookmark", opened.bookmark, input: Data("changed".utf8))
            #expect(written.status == 3, "\(written.errors)")
            #expect(installation.read(installation.documents + "/a.txt") == "hello")
            try await installation.docent("provider", "disable", "org.docent.LocalFolder").succeeded()
            let unasked = try await installation.docent("provider", "enable", "org.docent.LocalFolder")
            #expect(unasked.status == 64, "no user could be asked: \(unasked.errors)")
            for verb in ["ls", "cat", "info"] {
                let refused = try await installation.docent(verb, "LocalFolder:/a.txt")
                #expect(refused.status == 3 && refused.errors.contains("enable"), "\(verb): \(refused.errors)")
            }
            try await installation.docent("daemon", "stop").succeeded()
            #expect(try await installation.docent("daemon", "status").status == 5)
            let none = try await installation.docent(
                "ls", "LocalFolder:/", environment: ["DOCENT_SOCKET": installation.root + "/none.sock"])
            #expect(none.status == 5 && !none.errors.isEmpty)
            let broken = try await installation.docent(
                "ls", "LocalFolder:/", environment: ["DOCENT_DAEMON": installation.root + "/none"])
            #expect(broken.status == 5 && !broken.errors.isEmpty)
        }
    }

    // MARK: JSON

    @Test("providers --json and ls --json have exactly the documented keys and types (docs/json.md)")
    func jsonShapes() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            try FileManager.default.createDirectory(
                atPath: installation.documents + "/sub", withIntermediateDirectories: true)
            let providers = try Self.objects(try await installation.docent("providers", "--json").succeeded())
            #expect(providers.count == 1)
            let provider = try #require(providers.first)
            #expect(
                Set(provider.keys) == [
                    "identifier", "displayName", "enabled", "state", "modes", "supportedTypes", "documentGroup",
                    "domains", "sandboxed", "extensions", "withheld",
                ])
            #expect((provider["withheld"] as? [Any])?.isEmpty == true)
            #expect(provider["identifier"] as? String == "org.docent.LocalFolder")
            #expect(provider["enabled"] as? Bool == true && provider["sandboxed"] as? Bool == true)
            #expect(provider["state"] as? String == "ready")
            #expect(provider["modes"] as? [String] == ["import", "open", "export", "move"])
            let extensions = try #require(provider["extensions"] as? [[String: Any]])
            #expect(extensions.count == 2)
            for part in extensions { #expect(Set(part.keys) == ["point", "principalClass", "library", "manifest"]) }

            let items = try Self.objects(try await installation.docent("ls", "--json", "LocalFolder:/").succeeded())
            let keys: Set = [
                "identifier", "name", "path", "contentType", "size", "modificationDate", "isFolder", "isDownloaded",
                "isUploaded", "uploadState", "isPinned", "isStale", "conflicts", "symbolicLinkTarget", "remembered",
            ]
            for item in items { #expect(Set(item.keys) == keys) }
            let file = try #require(items.first { $0["name"] as? String == "a.txt" })
            #expect(file["size"] as? Int == 5 && file["isFolder"] as? Bool == false)
            #expect(file["path"] as? String == "/a.txt" && file["contentType"] as? String == "public.plain-text")
            #expect(file["isDownloaded"] as? Bool == true && file["isUploaded"] as? Bool == true)
            let date = try #require(file["modificationDate"] as? String)
            #expect(ISO8601DateFormatter().date(from: date) != nil)
            let folder = try #require(items.first { $0["name"] as? String == "sub" })
            #expect(folder["size"] is NSNull && folder["contentType"] as? String == "public.folder")

            let opened = try #require(
                try JSONSerialization.jsonObject(
                    with: try await installation.docent("open", "--json", "LocalFolder:/a.txt").succeeded().output)
                    as? [String: Any])
            #expect(Set(opened.keys) == ["bookmark", "provider", "domain", "identifier", "access"])
            let grants = try Self.objects(try await installation.docent("grants", "--json").succeeded())
            #expect(
                grants.map { Set($0.keys) } == [
                    [
                        "client", "clientKind", "provider", "domain", "identifier", "name", "access", "origin",
                        "created", "id", "strength", "executable", "isFolder", "isTaken", "expires", "used",
                        "companions",
                    ]
                ])
            #expect(
                try Self.objects(try await installation.docent("ls", "--json", "LocalFolder:/sub").succeeded()).isEmpty)
        }
    }

    // MARK: Import

    @Test("C1: import overwrites neither a file nor a link, and writes to standard output with -o -")
    func imports() async throws {
        try await Installation.withLocalFolder { installation in
            let content = String(repeating: "content\n", count: 40_000)
            try installation.write(content, to: "a.txt")
            let home = installation.home
            try Data("mine".utf8).write(to: URL(fileURLWithPath: home + "/a.txt"))
            try FileManager.default.createDirectory(atPath: home + "/folder", withIntermediateDirectories: true)
            #expect(symlink("nowhere", home + "/link") == 0)
            for target in [[], ["-o", home + "/a.txt"], ["-o", home], ["-o", home + "/link"]] {
                let refused = try await Self.docent(installation, ["import", "LocalFolder:/a.txt"] + target)
                #expect(refused.status == 6, "\(target): \(refused.errors)")
            }
            #expect(installation.read(home + "/a.txt") == "mine")
            #expect(!FileManager.default.fileExists(atPath: home + "/nowhere"), "a link was followed")
            let made = try await installation.docent("import", "LocalFolder:/a.txt", "-o", home + "/folder").succeeded()
            #expect(made.text == home + "/folder/a.txt\n")
            #expect(installation.read(home + "/folder/a.txt") == content)
            #expect(
                try await installation.docent("import", "LocalFolder:/a.txt", "-o", "-").succeeded().text == content)
        }
    }

    // MARK: Names

    private static let oddNames: [[UInt8]] = [
        Array("line\nbreak".utf8), Array("tab\tand\u{1B}[31mescape".utf8),
        Array(repeating: UInt8(ascii: "n"), count: 255),
        [0x66, 0xFF, 0xFE, 0x6F], Array("\u{202E}txt.exe".utf8), Array(" ".utf8), Array("-rf".utf8),
        Array("a:b@c".utf8),
        Array("back\\slash".utf8), Array("%2e%2e%2f".utf8), Array("'; rm *".utf8), Array("e\u{301}".utf8),
        Array("...".utf8),
        Array("\r".utf8), Array("\u{7F}".utf8), Array("\"quoted\"".utf8), Array("*?[a]".utf8),
    ]

    @Test("each hostile name is listed on one line, escaped for the terminal, and the shown form is accepted as input")
    func hostileNames() async throws {
        try await Installation.withLocalFolder { installation in
            for (number, name) in Self.oddNames.enumerated() {
                let what = String(decoding: name, as: UTF8.self).debugDescription
                try await TestStep.run(what) {
                    try await Self.expectShown(name, what, in: "n\(number)", installation)
                }
            }
        }
    }

    private static func expectShown(
        _ name: [UInt8], _ what: String, in folder: String, _ installation: Installation
    ) async throws {
        let original = "\(installation.documents)/\(folder)"
        try FileManager.default.createDirectory(atPath: original, withIntermediateDirectories: true)
        let path = Array(original.utf8) + [UInt8(ascii: "/")] + name + [0]
        let file = open(path.map { CChar(bitPattern: $0) }, O_CREAT | O_EXCL | O_WRONLY, 0o600)
        try #require(file >= 0, "\(what)")
        #expect(write(file, "hostile", 7) == 7, "\(what)")
        close(file)
        let place = "LocalFolder:/\(folder)"
        let listed = try await installation.docent("ls", place).succeeded()
        let lines = listed.output.split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 1, "\(what)")
        let line = try #require(lines.first, "\(what)")
        let shown = String(decoding: line, as: UTF8.self)
        #expect(Array(shown.utf8) == Array(line), "\(what): the list is UTF-8")
        #expect(
            !shown.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0.value == 0x202E },
            "\(what): \(shown)")
        let content = try await installation.docent("cat", "\(place)/\(shown)").succeeded().text
        #expect(content == "hostile", "\(what)")
        let item = try #require(
            try objects(try await installation.docent("ls", "--json", place).succeeded()).first, "\(what)")
        let json = try #require(item["path"] as? String, "\(what)")
        let same = try await installation.docent("cat", "LocalFolder:" + json).succeeded().text
        #expect(same == "hostile", "\(what): \(json)")
        // An import gives the copy exactly the bytes of the name.
        let copies = "\(installation.home)/in-\(folder)"
        try FileManager.default.createDirectory(atPath: copies, withIntermediateDirectories: true)
        try await installation.docent("import", "\(place)/\(shown)", "-o", copies).succeeded()
        #expect(try names(copies) == [name], "\(what)")
        #expect(try names(original) == [name], "\(what): the original stays")
    }

    @Test("S4: no location leads out of the provider's folder, not even through a link in it")
    func escapes() async throws {
        try await Installation.withLocalFolder { installation in
            let secret = installation.home + "/secret.txt"
            try Data("secret".utf8).write(to: URL(fileURLWithPath: secret))
            #expect(symlink(secret, installation.documents + "/link.txt") == 0)
            #expect(symlink("..", installation.documents + "/up") == 0)
            let source = installation.home + "/source.txt"
            try Data("x".utf8).write(to: URL(fileURLWithPath: source))
            for path in [
                "/../secret.txt", "/up/secret.txt", "/link.txt", "/up/../secret.txt", "//../secret.txt",
                "/%2e%2e/secret.txt",
                "/\\x2E\\x2E/secret.txt", "/\\x2E\\x2E\\x2Fsecret.txt", "/..\\x00/secret.txt", "/" + secret,
            ] {
                let outcome = try await installation.docent("cat", "LocalFolder:" + path)
                #expect(outcome.status != 0 && outcome.output.isEmpty, "\(path) was read")
            }
            let before = try Set(FileManager.default.contentsOfDirectory(atPath: installation.home))
            for path in ["/../made.txt", "/up/made.txt"] {
                #expect(try await installation.docent("export", source, "LocalFolder:" + path).status != 0, "\(path)")
                #expect(
                    try await installation.docent("write", "LocalFolder:" + path, input: Data("x".utf8)).status != 0,
                    "\(path)")
            }
            // Escapes of ASCII bytes form no path: they are refused or stand for the name itself.
            for path in ["/\\x2E\\x2E/made.txt", "/\\x2E\\x2E\\x2Fmade.txt", "/a\\x00b", "/..\\x2F..\\x2Fmade.txt"] {
                _ = try await installation.docent("export", source, "LocalFolder:" + path)
                _ = try await installation.docent("write", "LocalFolder:" + path, input: Data("x".utf8))
            }
            #expect(try Set(FileManager.default.contentsOfDirectory(atPath: installation.home)) == before)
            #expect(!FileManager.default.fileExists(atPath: installation.root + "/made.txt"))
            #expect(installation.read(secret) == "secret")
        }
    }

    // MARK: Pipes

    @Test("cat and ls end without an error when the reader of their output is gone")
    func brokenPipes() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write(String(repeating: "line\n", count: 2_000_000), to: "big.txt")
            for number in 0..<2_000 { try installation.write("", to: "item-\(number)") }
            let program = Installation.binaries + "/docent"
            for verb in ["cat LocalFolder:/big.txt", "import LocalFolder:/big.txt -o -", "ls LocalFolder:/"] {
                let script = """
                    '\(program)' \(verb) | head -n 1 >first
                    echo "${PIPESTATUS[0]}"
                    """
                let outcome = try await installation.run("/bin/bash", ["-c", script]).succeeded()
                #expect(["0\n", "1\n"].contains(outcome.text), "\(verb): \(outcome.text)")
                #expect(outcome.errors.isEmpty, "\(verb): \(outcome.errors)")
                #expect(installation.read(installation.home + "/first")?.split(separator: "\n").count == 1)
            }
        }
    }

    // MARK: Manifests

    @Test("A3: a broken manifest is reported with its key, the value found and a remedy, without a daemon")
    func brokenManifests() async throws {
        try await Installation.with { installation in
            let good = installation.manifests + "/org.docent.LocalFolder.FileProvider.plist"
            let text = try #require(installation.read(good))
            let broken = [
                "no plist at all": "hello",
                "cut": String(text.prefix(text.count / 2)),
                "no point": text.replacingOccurrences(of: "com.apple.fileprovider-nonui", with: "com.apple.nothing"),
                "no name": text.replacingOccurrences(of: "<key>CFBundleIdentifier</key>", with: "<key>Other</key>"),
                "a way out": text.replacingOccurrences(of: "libLocalFolder.so", with: "../../libLocalFolder.so"),
                "empty": "",
            ]
            for (what, content) in broken {
                let path = installation.root + "/broken.plist"
                try Data(content.utf8).write(to: URL(fileURLWithPath: path))
                let outcome = try await installation.docent("provider", "validate", path)
                #expect(outcome.status == 1 && outcome.text.contains("cannot be used"), "\(what): \(outcome.text)")
                let json = try await installation.docent("provider", "validate", "--manifest-only", "--json", path)
                let report = try #require(try Self.objects(json).first)
                #expect(Set(report.keys) == ["manifest", "identifier", "usable", "problems"])
                #expect(report["usable"] as? Bool == false, "\(what)")
                let problems = try #require(report["problems"] as? [[String: Any]])
                #expect(problems.contains { $0["severity"] as? String == "error" }, "\(what)")
                for problem in problems {
                    #expect(Set(problem.keys) == ["severity", "key", "found", "expected", "remedy", "message"])
                    #expect((problem["message"] as? String)?.isEmpty == false)
                }
            }
            let fine = try await installation.docent("provider", "validate", "--manifest-only", good).succeeded()
            #expect(fine.text.contains("can be used"))
            #expect(installation.daemonProcess == nil, "no daemon was needed")
        }
    }
}
