import Foundation
import Glibc
import Testing

@testable import Storage

/// A folder that a sandbox shows is opened without following links that a provider may have created.
@Suite struct SharedFolderTests {
    private static func withFolder(_ body: (String) throws -> Void) throws {
        guard let temporary = realpath(NSTemporaryDirectory(), nil) else { return }
        defer { free(temporary) }
        let root = String(cString: temporary) + "/docent-shared-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: root + "/shared/inside", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: root + "/private", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root) }
        try body(root)
    }

    private static func identity(_ path: String) throws -> FileIdentity {
        try Directory(path: OwnPath(path)).status().identity
    }

    private static func found(_ folder: SharedFolder?) throws -> FileIdentity? {
        try folder.map { try FileStatus(of: $0.descriptor.number).identity }
    }

    @Test(
        "A link of the user's own is followed, whether it is relative, absolute or leads through another",
        arguments: 0..<4)
    func ownLinks(_ number: Int) throws {
        try Self.withFolder { root in
            let target = ["private", "./private/../private", root + "/private", "second"][number]
            #expect(symlink(root + "/private", root + "/second") == 0)
            #expect(symlink(target, root + "/link") == 0)
            let folder = try SharedFolder.open(root + "/link", writable: SharedFolder.identities([root + "/shared"]))
            #expect(try Self.found(folder) == Self.identity(root + "/private"))
            #expect(folder?.isReplaceable == false)
        }
    }

    @Test(
        "A link in a folder that a provider may write is refused, at any depth", arguments: ["inside", "deep/inside"])
    func plantedLinks(_ name: String) throws {
        try Self.withFolder { root in
            let path = root + "/shared/" + name
            try? FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            #expect(symlink(root + "/private", path) == 0)
            let writable = SharedFolder.identities([root + "/shared"])
            expectCode(.unacceptable) { _ = try SharedFolder.open(path, writable: writable) }
            // Also if the user reaches the folder through a link.
            #expect(symlink(root + "/shared", root + "/entry") == 0)
            expectCode(.unacceptable) { _ = try SharedFolder.open(root + "/entry/" + name, writable: writable) }
        }
    }

    @Test("A folder in a provider's place is opened and reported as replaceable; a missing one or a loop is not opened")
    func places() throws {
        try Self.withFolder { root in
            let writable = SharedFolder.identities([root + "/shared"])
            let inside = try SharedFolder.open(root + "/shared/inside", writable: writable)
            #expect(try Self.found(inside) == Self.identity(root + "/shared/inside"))
            #expect(inside?.isReplaceable == true)
            #expect(try SharedFolder.open(root + "/shared", writable: writable)?.isReplaceable == false)
            #expect(try SharedFolder.open(root + "/shared/none", writable: writable) == nil)
            #expect(symlink("loop", root + "/loop") == 0)
            #expect(try SharedFolder.open(root + "/loop", writable: writable) == nil)
        }
    }
}
