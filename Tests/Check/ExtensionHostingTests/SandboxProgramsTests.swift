import DocentInterfaces
import Foundation
import Glibc
import Testing

@testable import ExtensionHosting

/// No provider decides what a sandbox shows in the place of a program (S2, F3).
@Suite("Programs of a sandbox")
struct SandboxProgramsTests {
    private static func with(_ body: (SandboxProfile, String) throws -> Void) throws {
        let root =
            try #require(realpath(NSTemporaryDirectory(), nil).map { String(cString: $0) })
            + "/docent-programs-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: root) }
        for folder in ["Groups/own/inside", "Groups/other", "shared", "others", "bin"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
        }
        var profile = SandboxProfile(
            hostProgram: "/usr/bin/true", library: "/usr/lib/x.so", container: root + "/Groups/own", home: root)
        profile.readWrite = [root + "/shared"]
        profile.writableByOthers = [root + "/others"]
        try body(profile, root)
    }

    private static func program(_ path: String, mode: mode_t = 0o755) throws {
        try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, mode)
    }

    @Test("those that exist are shown, also through links of the user's; others are not")
    func existing() throws {
        try Self.with { profile, root in
            var profile = profile
            try Self.program(root + "/bin/tool")
            #expect(symlink("tool", root + "/bin/link") == 0)
            profile.spawn = ["/usr/bin/env", root + "/bin/tool", root + "/bin/link", root + "/bin/missing"]
            #expect(try SandboxPrograms.existing(profile) == Array(profile.spawn.dropLast()))
        }
    }

    @Test(
        "one in a place that a provider can write is refused, and so is a link there",
        arguments: ["shared", "others", "Groups/own", "Groups/own/inside", "Groups/other"])
    func replaceable(_ folder: String) throws {
        try Self.with { profile, root in
            var profile = profile
            let path = "\(root)/\(folder)/tool"
            profile.spawn = [path]
            try Self.program(path)
            Self.expectRefusal("is in a place that a provider can write to") {
                _ = try SandboxPrograms.existing(profile)
            }
            unlink(path)
            #expect(symlink("/usr/bin/env", path) == 0)
            Self.expectRefusal("is in a place that a provider can write to") {
                _ = try SandboxPrograms.existing(profile)
            }
            // Also if the user's own link leads there.
            #expect(symlink("\(root)/\(folder)", root + "/bin/own") == 0)
            profile.spawn = [root + "/bin/own/tool"]
            Self.expectRefusal("is in a place that a provider can write to") {
                _ = try SandboxPrograms.existing(profile)
            }
        }
    }

    @Test("a folder, or a file that cannot be executed, is refused", arguments: ["bin", "bin/key"])
    func notPrograms(_ name: String) throws {
        try Self.with { profile, root in
            var profile = profile
            try Self.program(root + "/bin/key", mode: 0o600)
            profile.spawn = ["\(root)/\(name)"]
            Self.expectRefusal("is not a program") { _ = try SandboxPrograms.existing(profile) }
        }
    }

    private static func expectRefusal(
        _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) {
        let failure = #expect(throws: Failure.self, sourceLocation: sourceLocation) { try body() }
        #expect(
            failure?.message.contains(words) == true, "\(String(describing: failure))", sourceLocation: sourceLocation)
    }
}
