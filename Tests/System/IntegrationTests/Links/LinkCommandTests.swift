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
        "2.3, F3: links within the folder are listed as links; links out of it, dangling and circular ones are not listed"
    )
    func listed() async throws {
        try await Self.with { installation in
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
                #expect(link.name == name && link.symbolicLinkTarget == target.identifier)
                #expect(link.identifier != target.identifier)
            }
            for name in ["out", "up", "top", "dead", "loop", "up/secret.txt", "top/folder"] {
                #expect(try await installation.docent("info", "LocalFolder:/" + name).status != 0, "\(name)")
            }
        }
    }

    @Test("2.3: a location that is or passes a link is that of the target")
    func used() async throws {
        try await Self.with { installation in
            for path in ["link.txt", "way/a.txt", "absolute"] {
                #expect(try await installation.docent("cat", "LocalFolder:/" + path).succeeded().text == "inside")
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
    }

    @Test("2.3: docent rename and rm act on a link itself; a link is not moved to where it would lead elsewhere")
    func managed() async throws {
        try await Self.with { installation in
            try await installation.docent("rename", "LocalFolder:/link.txt", "/renamed.txt").succeeded()
            #expect(try await installation.docent("cat", "LocalFolder:/renamed.txt").succeeded().text == "inside")
            let refused = try await installation.docent("rename", "LocalFolder:/renamed.txt", "/folder/renamed.txt")
            #expect(refused.status != 0 && refused.errors.contains("elsewhere"), "\(refused.errors)")
            try await installation.docent("rename", "LocalFolder:/absolute", "/folder/absolute").succeeded()
            for path in ["renamed.txt", "way", "folder/absolute"] {
                try await installation.docent("rm", "LocalFolder:/" + path).succeeded()
            }
            #expect(installation.read(installation.documents + "/folder/a.txt") == "inside")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: installation.documents + "/folder") == ["a.txt"])
        }
    }
}
