import DocentTestSupport
import Foundation
import Testing

@testable import Documents

/// Where a client finds the programs of the daemon.
@Suite(.mayBlock) struct DaemonLauncherTests {
    @Test("a client at any place finds the daemon in the prefix of the docent on PATH, also through a link")
    func prefix() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "launcher-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let name = "docentd-of-this-test"
        for path in ["prefix/bin/docent", "prefix/libexec/docent/\(name)", "built/docent", "built/\(name)"] {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            #expect(
                FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o755])
            )
        }
        let links = root.appending(path: "links")
        try FileManager.default.createDirectory(at: links, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: links.appending(path: "docent"), withDestinationURL: root.appending(path: "prefix/bin/docent"))
        func found(_ folders: String...) -> String? {
            let path = folders.map { root.appending(path: $0).path }.joined(separator: ":")
            return DaemonLauncher.program(name, variable: "DOCENT_NONE", environment: ["PATH": path])
        }
        let resolved = try #require(realpath(root.path, nil).map { String(cString: $0) })
        #expect(found("nowhere", "prefix/bin") == resolved + "/prefix/libexec/docent/" + name)
        #expect(found("links", "built/none") == resolved + "/prefix/libexec/docent/" + name)
        #expect(found("built", "prefix/bin").map { URL(filePath: $0).lastPathComponent } == name)
        #expect(found("nowhere") == nil)
    }
}
