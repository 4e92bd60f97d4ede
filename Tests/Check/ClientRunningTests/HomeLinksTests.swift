import DocentTestSupport
import Foundation
import Glibc
import Testing

@testable import ClientRunning

@Suite struct HomeLinksTests {
    private static func planned(_ paths: String..., home: String = "/home/ada") -> HomeLinks {
        HomeLinks(paths.map { ClientMount($0) }, home: home, place: "/run/p")
    }

    @Test("S6: mounts in the home are moved to another place under their own names, nested ones together")
    func plan() {
        let links = Self.planned(
            "/usr/x", "/home/ada/a/b", "/home/ada/a/b/c", "/home/adam/a", "/home/ada/d/tool", "/home/ada")
        #expect(
            links.mounts == [
                ClientMount("/usr/x"), ClientMount("/home/ada/a/b", at: "/run/p/a/b"), ClientMount("/home/adam/a"),
                ClientMount("/home/ada/d/tool", at: "/run/p/d/tool"), ClientMount("/home/ada"),
            ])
        #expect(
            links.links == [
                .init(names: ["a", "b"], target: "/run/p/a/b"), .init(names: ["d", "tool"], target: "/run/p/d/tool"),
            ])
        #expect(Self.planned("/home/ada/a", home: "/home/ada/") == Self.planned("/home/ada/a"))
        #expect(Self.planned("/home/ada/c/d", "/home/ada/c").links.map(\.names) == [["c"]])
    }

    @Test("Links are created with their parent folders, once, and existing files stay")
    func makes() throws {
        let folder = TemporaryFolder()
        try folder.make("home/there/kept")
        let links = Self.planned("/home/ada/there/deep/file", "/home/ada/new")
        for _ in 0..<2 { try links.make(in: folder.path + "/home") }
        #expect(try folder.names("home") == ["new", "there"])
        #expect(try folder.names("home/there") == ["deep", "kept"])
        let files = FileManager.default
        #expect(try files.destinationOfSymbolicLink(atPath: folder.path + "/home/new") == "/run/p/new")
        #expect(
            try files.destinationOfSymbolicLink(atPath: folder.path + "/home/there/deep/file")
                == "/run/p/there/deep/file")
        #expect(try String(contentsOf: folder.url("home/there/kept"), encoding: .utf8) == "home/there/kept")
    }

    @Test("A link in the way is removed and not followed; any other file is moved aside with its contents")
    func clears() throws {
        let folder = TemporaryFolder()
        try folder.make("home/full/inner", "home/file", "home/closed/kept", "other/canary")
        try FileManager.default.createDirectory(atPath: folder.path + "/home/empty", withIntermediateDirectories: true)
        for name in ["link", "parent", "loop"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/home/" + name,
                withDestinationPath: name == "loop" ? name : folder.path + "/other")
        }
        mkfifo(folder.path + "/home/pipe", 0o600)
        chmod(folder.path + "/home/closed", 0)
        try Self.planned(
            "/home/ada/full", "/home/ada/file/tool", "/home/ada/closed/tool", "/home/ada/empty", "/home/ada/link",
            "/home/ada/parent/tool", "/home/ada/loop/tool", "/home/ada/pipe/tool"
        ).make(in: folder.path + "/home")
        #expect(try folder.names("other") == ["canary"])
        let names = try folder.names("home")
        #expect(
            names.filter { !$0.contains(".moved-") } == [
                "closed", "empty", "file", "full", "link", "loop", "parent", "pipe",
            ])
        let moved = names.filter { $0.contains(".moved-") }
        #expect(moved.map { $0.split(separator: ".")[0] } == ["file", "full", "pipe"])
        #expect(try folder.names("home/" + moved[1]) == ["inner"])
        #expect(try folder.names("home/closed") == ["kept", "tool"])
        for name in ["file", "loop", "parent", "pipe"] { #expect(try folder.names("home/" + name) == ["tool"]) }
    }
}
