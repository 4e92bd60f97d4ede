import DocentInterfaces
import FoundationEssentials
import Glibc
import Testing
import Varlink

@testable import Documents

/// Versions of packages, on a fake daemon.
@Suite struct FileVersionPackageTests {
    private typealias Interface = DocumentsInterface

    /// A daemon with one version of a package, whose elements come in pages of two.
    private static func daemon(_ elements: [Wire.PackageElement]) throws -> FakeDaemon {
        try FakeDaemon { table, daemon in
            table.call(Interface.VersionElements.shortName, Interface.VersionElements.Parameters.self) { given, _ in
                daemon.note("elements of \(given.version)")
                let start = given.page.flatMap(Int.init) ?? 0
                let page = elements.dropFirst(start).prefix(2)
                let next = start + page.count
                return Reply(
                    Interface.VersionElements.Reply(
                        elements: Array(page), nextPage: next < elements.count ? String(next) : nil))
            }
            table.call(Interface.OpenVersion.shortName, Interface.OpenVersion.Parameters.self) { given, _ in
                daemon.note("open \(given.path ?? "-")")
                guard let path = given.path else { throw Failure(.invalidArgument, "It is a package.") }
                return Reply(
                    Interface.OpenVersion.Reply(file: 0),
                    descriptors: DescriptorList(try FakeDaemon.file("content of \(path)")))
            }
        }
    }

    private static func version(_ daemon: FakeDaemon) -> FileVersion {
        FileVersion(
            Wire.DocumentVersion(
                identifier: "b1", name: "a.rtfd", reason: "superseded", size: 30, hasLocalContents: true,
                isPackage: true),
            of: DocumentReference(FakeDaemon.reference), client: daemon.client())
    }

    @Test("3.1: a version of a package is read as a folder, like the package itself")
    func reads() async throws {
        let daemon = try Self.daemon([
            .init(path: "TXT.rtf", isFolder: false, size: 18, version: "1"), .init(path: "b", isFolder: true),
            .init(path: "b/c.png", isFolder: false, size: 18),
        ])
        let version = Self.version(daemon)
        #expect(version.isPackage)
        #expect(try await version.elements().map(\.path) == ["TXT.rtf", "b", "b/c.png"])
        let folder = try await version.fileWrapper(options: .immediate)
        let inner = try #require(folder.fileWrappers?["b"]?.fileWrappers?["c.png"])
        #expect(folder.fileWrappers?.count == 2 && inner.regularFileContents == Data("content of b/c.png".utf8))
        // It is no part of the present package: saving it there sends it.
        #expect(inner.origin == nil)
        let refused = await #expect(throws: DocumentsError.self) { _ = try await version.openForReading() }
        #expect(refused?.code == .invalidArgument)
        #expect(daemon.log.filter { $0.hasPrefix("open") } == ["open TXT.rtf", "open b/c.png"])
    }

    @Test("A path that leads out of the package is refused", arguments: ["../x", "/x", "a//b", "", "."])
    func hostile(path: String) async throws {
        let daemon = try Self.daemon([.init(path: path, isFolder: false, size: 1)])
        let version = Self.version(daemon)
        let refused = await #expect(throws: DocumentsError.self) { _ = try await version.elements() }
        #expect(refused?.code == .invalidArgument && daemon.log == ["elements of b1"])
    }

    @Test("What is missing in a version comes from the present package if it is the same there")
    func missing() async throws {
        let package = try PackageOnFakeDaemon(["TXT.rtf": "new", "same.png": "picture"])
        let client = try #require(package.client())
        let version = FileVersion(
            Wire.DocumentVersion(
                identifier: "b1", name: "a.rtfd", reason: "superseded", hasLocalContents: true, isPackage: true),
            of: PackageOnFakeDaemon.reference, client: client)
        var source = VersionElementSource(version)
        let file = try await source.open(
            PackageElement(path: "same.png", isFolder: false, version: "1", isMissing: true))
        defer { close(file) }
        #expect(try ElementContent.read(file) == Data("picture".utf8))
        for (path, wanted) in [("TXT.rtf", "0"), ("absent", "1"), ("same.png", nil)] {
            let lost = await #expect(throws: DocumentsError.self) {
                _ = try await source.open(
                    PackageElement(path: path, isFolder: false, version: wanted, isMissing: true))
            }
            #expect(lost?.code == .notFound, "\(path)")
        }
        #expect(package.log == ["open same.png"])
    }
}
