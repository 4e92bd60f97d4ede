import ExtensionManifest
import Foundation
import Testing

@testable import ExtensionHosting

/// Which Swift runtime a plugin sees.
@Suite struct LibraryRuntimeTests {
    private static func plugin() throws -> String {
        if let given = ProcessInfo.processInfo.environment["DOCENT_TEST_BINARIES"] {
            return given + "/libLocalFolder.so"
        }
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let beside = URL(filePath: own).deletingLastPathComponent().path + "/libLocalFolder.so"
        if FileManager.default.fileExists(atPath: beside) { return beside }
        let bundle = try #require(CommandLine.arguments.first { $0.hasSuffix(".xctest") })
        return URL(filePath: bundle).deletingLastPathComponent().path + "/libLocalFolder.so"
    }

    @Test("a plugin sees the runtime of its own toolchain; a path that is no runtime exposes nothing")
    func toolchain() throws {
        let found = try #require(LibraryClosure.toolchainRuntime(of: try Self.plugin()))
        #expect(found.hasSuffix("/lib/swift/linux"))
        #expect(FileManager.default.fileExists(atPath: found + "/libswiftCore.so"))

        // Its text has the same length, so that it can replace another in the file.
        let written = try #require(
            SharedLibrary(path: try Self.plugin()).searchPath.first { PathLookup.canonical($0) == found })
        let folder = FileManager.default.temporaryDirectory.appending(path: "docent-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for other in ["/etc", "/nowhere/lib/swift/linux", "/proc/self/root"] {
            var content = try Data(contentsOf: URL(filePath: try Self.plugin()))
            let range = try #require(content.range(of: Data(written.utf8)))
            let padded = other + String(repeating: "/", count: max(0, written.utf8.count - other.utf8.count))
            content.replaceSubrange(range, with: Data(padded.utf8).prefix(written.utf8.count))
            let copy = folder + "/copy.so"
            try content.write(to: URL(filePath: copy))
            #expect(LibraryClosure.toolchainRuntime(of: copy) == nil, "\(other)")
        }
        #expect(LibraryClosure.toolchainRuntime(of: "/etc/passwd") == nil)
    }

    @Test("the loader gets the runtime's path only if the plugin does not find it by itself")
    func named() {
        var profile = SandboxProfile(hostProgram: "/host", library: "/library", container: "/container", home: "/home")
        profile.swiftRuntime = "/opt/swift/usr/lib/swift/linux"
        #expect(profile.environment["LD_LIBRARY_PATH"] == nil)
        profile.isRuntimeNamed = true
        #expect(profile.environment["LD_LIBRARY_PATH"] == "/opt/swift/usr/lib/swift/linux")
    }
}
