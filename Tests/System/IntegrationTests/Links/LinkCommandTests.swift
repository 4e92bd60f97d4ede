import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// Links of LocalFolder on the command line.
@Suite(.needs(.daemon)) struct LinkCommandTests {
    private struct Item: Decodable {
        var name: String
        var contentType: String
        var identifier: String
        var symbolicLinkTarget: String?
    }

    private static func with(_ body: (Installation) async throws -> Void) async throws {
        try await Installation.withLocalFolder { installation in
            try Rights.makeFolder(installation, "/folder")
            try installation.write("inside", to: "folder/a.txt")
            try Data("secret".utf8).write(to: URL(fileURLWithPath: installation.home + "/secret.txt"))
            for (name, target) in [
                ("link.txt", "folder/a.txt"), ("way", "folder"), ("absolute", installation.documents + "/folder/a.txt"),
                ("out", installation.home + "/secret.txt"), ("up", ".."), ("top", "."), ("dead", "nowhere"),
                ("loop", "loop"),
            ] {
                #expect(symlink(target, installation.documents + "/" + name) == 0)
            }
            try await body(installation)
        }
    }

    @Test(
        "2.3, F3: links out of the folder, dangling and circular ones are not listed; a location is that of the target; rename and rm act on a link itself"
    )
    func commands() async throws {
        try await Self.with { installation in
            // The next steps create other documents.
            try await TestStep.run("listed") { try await Self.listed(installation) }
            try await TestStep.run("used") { try await Self.used(installation) }
            try await TestStep.run("managed") { try await Self.managed(installation) }
        }
    }

    /// Links within the folder are listed as links; links out of it, dangling and circular ones are not listed (F3).
    private static func listed(_ installation: Installation) async throws {
        let items = try await installation.docent("ls", "--json", "LocalFolder:/").succeeded().json([Item].self)
        #expect(items.map(\.name).sorted() == ["absolute", "folder", "link.txt", "way"])
        #expect(items.filter { $0.contentType == "public.symlink" }.count == 3)
        let lines = try await installation.docent("ls", "-l", "LocalFolder:/").succeeded().text.split(
            separator: "\n")
        #expect(lines.filter { $0.hasPrefix("l") }.count == 3, "\(lines)")
        let target = try await installation.docent("info", "--json", "LocalFolder:/folder/a.txt").succeeded().json(
            Item.self)
        for name in ["link.txt", "absolute"] {
            let link = try await installation.docent("info", "--json", "LocalFolder:/" + name).succeeded().json(
                Item.self)
            #expect(link.name == name && link.symbolicLinkTarget == target.identifier, "\(name)")
            #expect(link.identifier != target.identifier, "\(name)")
        }
        for name in ["out", "up", "top", "dead", "loop", "up/secret.txt", "top/folder"] {
            #expect(try await installation.docent("info", "LocalFolder:/" + name).status != 0, "\(name)")
        }
    }

    /// A location that is or passes a link is that of the target (2.3).
    private static func used(_ installation: Installation) async throws {
        for path in ["link.txt", "way/a.txt", "absolute"] {
            let text = try await installation.docent("cat", "LocalFolder:/" + path).succeeded().text
            #expect(text == "inside", "\(path)")
        }
        try await installation.docent("write", "LocalFolder:/link.txt", input: Data("written".utf8)).succeeded()
        #expect(installation.read(installation.documents + "/folder/a.txt") == "written")
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: installation.documents + "/link.txt")
        #expect(link == "folder/a.txt")
        let source = installation.home + "/new.txt"
        try Data("new".utf8).write(to: URL(fileURLWithPath: source))
        try await installation.docent("export", source, "LocalFolder:/way").succeeded()
        #expect(installation.read(installation.documents + "/folder/new.txt") == "new")
        #expect(installation.read(installation.home + "/secret.txt") == "secret")
    }

    /// `docent rename` and `rm` act on a link itself; a link is not moved to where it would lead elsewhere (2.3).
    private static func managed(_ installation: Installation) async throws {
        try Rights.makeFolder(installation, "/managed")
        try installation.write("inside", to: "managed/a.txt")
        for (name, target) in [
            ("own.txt", "managed/a.txt"), ("own-way", "managed"),
            ("own-absolute", installation.documents + "/managed/a.txt"),
        ] {
            try #require(symlink(target, installation.documents + "/" + name) == 0)
        }
        try await installation.docent("rename", "LocalFolder:/own.txt", "/renamed.txt").succeeded()
        #expect(try await installation.docent("cat", "LocalFolder:/renamed.txt").succeeded().text == "inside")
        let refused = try await installation.docent("rename", "LocalFolder:/renamed.txt", "/managed/renamed.txt")
        #expect(refused.status != 0 && refused.errors.contains("elsewhere"), "\(refused.errors)")
        try await installation.docent("rename", "LocalFolder:/own-absolute", "/managed/absolute").succeeded()
        for path in ["renamed.txt", "own-way", "managed/absolute"] {
            try await installation.docent("rm", "LocalFolder:/" + path).succeeded()
        }
        #expect(installation.read(installation.documents + "/managed/a.txt") == "inside")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: installation.documents + "/managed") == ["a.txt"])
    }
}
