import DocentTestSupport
import Foundation
import Testing

/// The four modes on real files: a user's folder behind a sandboxed plugin (C1 to C4).
@Suite(.needs(.daemon)) struct FourModesTests {
    @Test("C1: import gives a private copy, leaves the original, and grants nothing (C10)")
    func imports() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            try await installation.docent("import", "LocalFolder:/a.txt", "-o", installation.home + "/copy.txt")
                .succeeded()
            #expect(installation.read(installation.home + "/copy.txt") == "hello")
            #expect(installation.read(installation.documents + "/a.txt") == "hello")
            #expect(try await installation.docent("grants", "--json").succeeded().json([Grant].self).isEmpty)
        }
    }

    @Test("C2, G6: open grants the document, and its bookmark restores the access after a restart of the daemon")
    func opens() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            let opened = try await installation.docent("open", "LocalFolder:/a.txt", "--json").succeeded().json(
                Opened.self)
            #expect(opened.access == "readWrite")
            try await installation.docent("daemon", "stop").succeeded()
            let read = try await installation.docent("cat", "--bookmark", opened.bookmark).succeeded()
            #expect(read.text == "hello")
            let others = try await installation.docent(
                "cat", "--bookmark", opened.bookmark, "--client", "org.example.Other")
            #expect(others.status == 2)
        }
    }

    @Test("C3: export copies, keeps the source and grants nothing")
    func exports() async throws {
        try await Installation.withLocalFolder { installation in
            let source = installation.home + "/source.txt"
            try Data("exported".utf8).write(to: URL(fileURLWithPath: source))
            try await installation.docent("export", source, "LocalFolder:/").succeeded()
            #expect(installation.read(installation.documents + "/source.txt") == "exported")
            #expect(installation.read(source) == "exported")
            #expect(try await installation.docent("grants", "--json").succeeded().json([Grant].self).isEmpty)
            let again = try await installation.docent("export", source, "LocalFolder:/")
            #expect(again.status == 6, "an existing item is never replaced: \(again.errors)")
        }
    }

    @Test("C4, X14: move leaves the copy, grants it, and removes the source")
    func moves() async throws {
        try await Installation.withLocalFolder { installation in
            let source = installation.home + "/source.txt"
            try Data("moved".utf8).write(to: URL(fileURLWithPath: source))
            try await installation.docent("move", source, "LocalFolder:/").succeeded()
            #expect(installation.read(installation.documents + "/source.txt") == "moved")
            #expect(!FileManager.default.fileExists(atPath: source))
            let grants = try await installation.docent("grants", "--json").succeeded().json([Grant].self)
            #expect(grants.map(\.origin) == ["move"])
        }
    }

    struct Grant: Decodable { var origin: String }
    struct Opened: Decodable {
        var bookmark: String
        var access: String
    }
}
