import FileProviderValidation
import Foundation
import Glibc
import Testing

/// The directory of a run is removed whatever it contains, and nothing else is.
@Suite struct OwnTreeTests {
    /// A folder with a run's directory, `tree`, and beside it `kept`, which stays.
    private static func with(_ body: (_ folder: String, _ tree: OwnTree) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "docent-tree-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/kept", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("kept".utf8).write(to: URL(filePath: folder + "/kept/file"))
        try FileManager.default.createDirectory(atPath: folder + "/tree", withIntermediateDirectories: true)
        try body(folder, try #require(OwnTree(path: folder + "/tree")))
    }

    @Test("deep folders, unwritable folders and names that are no text are removed")
    func everything() throws {
        try Self.with { folder, tree in
            var path = folder + "/tree"
            for level in 0..<60 {
                path += "/level \(level)"
                mkdir(path, 0o700)
                try Data("x".utf8).write(to: URL(filePath: path + "/file"))
            }
            mkdir(folder + "/tree/closed", 0o700)
            mkdir(folder + "/tree/closed/inner", 0o700)
            try Data("x".utf8).write(to: URL(filePath: folder + "/tree/closed/inner/file"))
            let name: [CChar] = Array((folder + "/tree/").utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
            close(open(name, O_CREAT | O_WRONLY, 0o600))
            chmod(folder + "/tree/closed/inner", 0)
            chmod(folder + "/tree/closed", 0)
            #expect(tree.remove())
            #expect(tree.path == nil)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["kept"])
        }
    }

    @Test("the target of a link in it stays, with its permissions")
    func links() throws {
        try Self.with { folder, tree in
            chmod(folder + "/kept", 0o500)
            defer { chmod(folder + "/kept", 0o700) }
            symlink(folder + "/kept", folder + "/tree/link")
            mkdir(folder + "/tree/inner", 0o700)
            symlink("../../kept", folder + "/tree/inner/link")
            #expect(tree.empty())
            #expect(access(folder + "/kept/file", F_OK) == 0)
            var facts = stat()
            #expect(stat(folder + "/kept", &facts) == 0 && facts.st_mode & 0o777 == 0o500)
        }
    }

    @Test("another directory at its path stays, and the run's directory is removed where it was moved to")
    func replaced() throws {
        try Self.with { folder, tree in
            try Data("x".utf8).write(to: URL(filePath: folder + "/tree/file"))
            rename(folder + "/tree", folder + "/moved")
            rename(folder + "/kept", folder + "/tree")
            #expect(tree.remove())
            #expect(access(folder + "/tree/file", F_OK) == 0)
            #expect(access(folder + "/moved", F_OK) != 0)
            symlink(folder + "/tree", folder + "/link")
            #expect(OwnTree(path: folder + "/link") == nil)
        }
    }
}
