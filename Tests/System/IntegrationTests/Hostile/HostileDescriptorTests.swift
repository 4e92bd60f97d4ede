import DocentTestSupport
import Foundation
import Glibc
import Testing

/// S4: descriptors for reading that a confined client got.
@Suite(.needs(.daemon, .server)) struct HostileDescriptorTests {
    /// What an ordinary system allows on a file opened only for reading: the attack works without protection.
    private static let worksOnPlainFiles = [
        "reopen for writing", "reopen for both", "reopen to append", "reopen truncating", "fchmod", "chmod by path",
        "setxattr", "setxattr by path", "futimens", "utimes by path", "truncate by path",
    ]
    /// What it allows on a file opened for writing.
    private static let worksOnWritableFiles = [
        "write", "ftruncate", "fallocate", "map writable", "make a map writable",
    ]

    @Test(
        "S4: a client can change or reach nothing through the descriptor of a file in a container; for a plain file it can"
    )
    func container() async throws {
        try await HostileStage.with { stage in
            let file = stage.workshop.storage + "/a.txt"
            let lines = try await stage.attack("descriptors")
            for attack in Self.worksOnPlainFiles { lines.expect("control: \(attack)", ["worked"]) }
            for attack in Self.worksOnWritableFiles { lines.expect("writable control: \(attack)", ["worked"]) }
            let attacks = lines.filter { $0.attack.hasPrefix("contained: ") }
            #expect(attacks.count >= Self.worksOnPlainFiles.count + Self.worksOnWritableFiles.count)
            #expect(attacks.allSatisfy { !$0.came.hasPrefix("not tried") }, "\(attacks)")
            #expect(stage.installation.read(file) == "from C\n")
            lines.expect("contained: kind", ["file"])
            lines.expect("contained: told path", ["none"])
            for attack in ["above", "change to it", "above by path"] {
                lines.expect("contained: \(attack)", ["ENOTDIR"])
            }
            lines.expect("contained: open by handle", ["EPERM", "EOPNOTSUPP", "EOVERFLOW"])
            lines.expect("contained: link by descriptor", ["ENOENT", "EXDEV"])
            lines.expect("contained: link by path", ["EXDEV", "EPERM", "EACCES"])
            guard try await Self.hasUserNamespaces(stage.installation) else { return }
            for attack in Self.worksOnPlainFiles { lines.expect("contained: \(attack)", ["EROFS"]) }
            #expect(
                attacks.filter { $0.came == "worked" }.isEmpty, "\(attacks.filter { $0.came == "worked" })")
        }
    }

    @Test("S4: for a file elsewhere a client gets an unnamed copy, and cannot change the original")
    func elsewhere() async throws {
        try await HostileStage.with { stage in
            let file = stage.installation.documents + "/read.txt"
            let before = try Self.facts(file)
            let lines = try await stage.attack("descriptors")
            #expect(lines.contains { $0.attack.hasPrefix("read: ") })
            #expect(try Self.facts(file) == before)
            lines.expect("read: kind", ["file"])
            lines.expect("read: told path", ["none"])
            for attack in ["above", "change to it", "above by path"] { lines.expect("read: \(attack)", ["ENOTDIR"]) }
            // Nor can it be linked to a name again, which would outlive the right.
            lines.expect("read: link by descriptor", ["ENOENT", "EXDEV"])
            lines.expect("read: link by path", ["EXDEV", "ENOENT", "EPERM"])
            // The next client that opens it sees none of the changes to the copy.
            let again = try await stage.attack("walk")
            #expect(again.contains { $0.attack == "document" })
            #expect(try Self.facts(file) == before)
        }
    }

    /// The bytes and everything else that an attack could change.
    private static func facts(_ path: String) throws -> [String] {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        // The time of the last change of the inode also reveals extended attributes.
        return [
            try String(contentsOfFile: path, encoding: .utf8),
            "\(status.st_mode) \(status.st_mtim.tv_sec) \(status.st_uid) \(status.st_size) \(status.st_nlink) \(status.st_ctim)",
        ]
    }

    static func hasUserNamespaces(_ installation: Installation) async throws -> Bool {
        try await installation.run("/usr/bin/env", ["unshare", "-Um", "true"]).status == 0
    }
}
