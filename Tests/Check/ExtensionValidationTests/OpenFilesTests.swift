import DocentTestSupport
import Foundation
import Glibc
import Testing

@testable import ExtensionValidation

@Suite(.mayBlock) struct OpenFilesTests {
    @Test("an open file counts unless it is below an allowed directory")
    func paths() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/open"
        try Data().write(to: URL(filePath: path))
        let file = open(path, O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        // The test's own output is open too.
        func found(outside allowed: [String]) -> [String] {
            OpenFiles.paths(of: getpid(), outside: allowed, watched: folder.path).filter {
                $0.hasPrefix(folder.path + "/")
            }
        }
        #expect(found(outside: []) == [path])
        #expect(found(outside: [folder.path]) == [])
        #expect(found(outside: [path]) == [])
        #expect(OpenFiles.paths(of: nil, outside: [], watched: folder.path) == [])
    }

    @Test("network sockets are found by their kind", arguments: [("tcp", SOCK_STREAM), ("udp", SOCK_DGRAM)])
    func sockets(_ kind: String, _ type: __socket_type) throws {
        let file = socket(AF_INET, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try #require(file >= 0)
        defer { close(file) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(bound == 0)
        if kind == "tcp" { try #require(listen(file, 1) == 0) }
        #expect(OpenFiles.networkSockets(of: getpid()).contains(kind))
    }

    @Test("a link has a target, and other files have none")
    func links() throws {
        let folder = TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: "somewhere")
        #expect(Symlink.target(folder.path + "/link") == "somewhere")
        #expect(Symlink.target(folder.path) == nil)
        #expect(Symlink.target(folder.path + "/absent") == nil)
    }
}
