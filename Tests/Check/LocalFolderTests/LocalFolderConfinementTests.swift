import CLinux
import FileProvider
import Foundation
import Glibc
import LocalFolder
import Testing

@Suite struct LocalFolderConfinementTests {
    /// A leftover of a save, which is not a document.
    private static let unfinished = ".docent-save-" + String(repeating: "0", count: 32)

    @Test(
        "F3, X3: links that lead out of the folder, to the folder itself or nowhere are not listed, found or followed")
    func followsNoLinks() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("secret", to: "../outside")
            try FileManager.default.createDirectory(
                atPath: fixture.path + "/folder", withIntermediateDirectories: true)
            try fixture.write("inside", to: "folder/doc")
            let beside = fixture.path + "-beside"
            try fixture.write("beside", to: "../root-beside")
            try fixture.write("unfinished", to: Self.unfinished)
            for (name, target) in [
                ("out", "../outside"), ("up", ".."), ("absolute", "/etc/passwd"), ("dead", "nowhere"),
                ("top", "."), ("roundabout", "folder/.."), ("back", "folder/../../root/folder/doc"),
                ("in and out", "folder/../../outside"), ("beside", beside), ("itself", fixture.path),
                ("itself too", fixture.path + "/"), ("through", "up/outside"), ("through a file", "folder/doc/.."),
                ("loop", "loop"), ("left", "right"), ("right", "left"), ("process", "/proc/self/root/etc/passwd"),
                ("unfinished", Self.unfinished), ("device", "/dev/null"),
            ] {
                try FileManager.default.createSymbolicLink(
                    atPath: fixture.path + "/" + name, withDestinationPath: target)
                let provider = fixture.provider
                #expect(
                    await code { _ = try await provider.child(named: name, in: .rootContainer) } == .noSuchItem)
            }
            #expect(try await fixture.list().map(\.filename) == ["folder"])
        }
    }

    @Test("F3: a folder that is replaced by a link out of the root exposes nothing")
    func resistsSwappedFolder() async throws {
        try await LocalFolderFixture.with { fixture in
            try FileManager.default.createDirectory(
                atPath: fixture.path + "/folder", withIntermediateDirectories: true)
            try fixture.write("inside", to: "folder/doc")
            let folder = try await fixture.child("folder")
            let item = try await fixture.child("doc", in: folder.identifier)
            try FileManager.default.moveItem(
                atPath: fixture.path + "/folder", toPath: fixture.path + "/../moved")
            try FileManager.default.createSymbolicLink(
                atPath: fixture.path + "/folder", withDestinationPath: "../moved")
            let provider = fixture.provider
            #expect(await code { _ = try await provider.openInPlace(item.identifier) } == .noSuchItem)
            #expect(
                await code { _ = try await provider.children(of: folder.identifier, page: nil) } == .noSuchItem)
        }
    }

    @Test("F3: names that lead elsewhere match no item", arguments: ["..", ".", "", "../outside", "a/b", "a\0b"])
    func refusesNames(name: String) async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("secret", to: "../outside")
            let provider = fixture.provider
            #expect(await code { _ = try await provider.child(named: name, in: .rootContainer) } == .noSuchItem)
            let contents = try fixture.contents("x")
            #expect(
                await code {
                    _ = try await provider.createItem(
                        basedOn: ItemTemplate(parent: .rootContainer, filename: name), contents: contents,
                        operation: ChangeOperation(identifier: "o"))
                } == .invalidArgument)
            #expect(try fixture.read("../outside") == "secret")
        }
    }

    @Test("F1: a FIFO is not listed, and in a document's place it blocks no call")
    func ignoresFifo() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("text", to: "doc")
            let item = try await fixture.child("doc")
            try #require(mkfifo(fixture.path + "/fifo", 0o600) == 0)
            #expect(try await fixture.list().map(\.filename) == ["doc"])
            try FileManager.default.removeItem(atPath: fixture.path + "/doc")
            try #require(mkfifo(fixture.path + "/doc", 0o600) == 0)
            let provider = fixture.provider
            #expect(await code { _ = try await provider.openInPlace(item.identifier) } == .noSuchItem)
        }
    }

    @Test("S4: the descriptor of a document is read-only and blocks as usual")
    func opensForReading() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("text", to: "doc")
            let content = try await fixture.provider.openInPlace(try await fixture.child("doc").identifier)
            let flags = clinux_get_status_flags(content.file.descriptor)
            #expect(flags & CLINUX_O_ACCMODE == CLINUX_O_RDONLY)
            #expect(flags & CLINUX_O_NONBLOCK == 0)
        }
    }
}
