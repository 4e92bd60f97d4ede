import DocentInterfaces
import Storage
import Testing
import UniformTypes

@testable import RemoteDocuments
@testable import Saving

/// The description of a package for its provider, and which folders are packages at all (M4, A12).
@Suite struct PackagePartsTests {
    @Test(
        "A12: a folder is a package by its type, a file never",
        arguments: [
            ("com.apple.rtfd", true, true), ("com.apple.package", true, true), ("public.folder", true, false),
            ("com.apple.rtfd", false, false), ("public.plain-text", false, false), ("no type", true, false),
        ])
    func isPackage(type: String, isFolder: Bool, expected: Bool) {
        let item = Wire.Item(
            reference: .init(provider: "p", domain: "", identifier: "i"), name: "n", contentType: type,
            isFolder: isFolder, isDownloaded: true, isUploaded: true)
        #expect(PackageElements.isPackage(item, UniformTypeRegistry.system(environment: [:])) == expected)
    }

    @Test("N3: only new content is announced with a digest; unchanged content has the expected version")
    func parts() throws {
        func base(_ path: String, _ version: String?, folder: Bool = false) throws -> PackageManifest.Base {
            .init(path: try PackagePath(path), isFolder: folder, version: version, identifier: path)
        }
        var plan = try PackagePlan(
            base: [base("a", "1"), base("d", nil, folder: true), base("d/b", "2"), base("c", nil)], replacing: false)
        _ = try plan.write(PackagePath("a"), .init(file: "e1", size: 3, digest: "x"))
        let parts = PackagePublisher.parts(plan.manifest)
        #expect(
            parts == [
                .init(path: "a", isFolder: false, size: 3, digest: "x"),
                .init(path: "c", isFolder: false, version: ""),
                .init(path: "d", isFolder: true),
                .init(path: "d/b", isFolder: false, version: "2"),
            ])
    }

    @Test("M4: the version of a package changes with any element, and with nothing else")
    func version() {
        typealias Element = PackageVersion.Element
        let elements = [
            Element(path: "a", isFolder: false, version: "1"), Element(path: "d", isFolder: true, version: nil),
        ]
        let text = PackageVersion.text(elements)
        #expect(PackageVersion.text(elements.reversed()) == text)
        #expect(PackageVersion.text([Element(path: "a", isFolder: false, version: "2"), elements[1]]) != text)
        #expect(PackageVersion.text([Element(path: "a1", isFolder: false, version: ""), elements[1]]) != text)
        #expect(PackageVersion.text([elements[0]]) != text)
        #expect(PackageVersion.text([elements[0], Element(path: "d", isFolder: false, version: nil)]) != text)
        #expect(text.utf8.count <= 128)
    }

    @Test("T4: a list of elements that is too long for a message is refused before the commit point")
    func room() throws {
        var plan = try PackagePlan(base: [], replacing: true)
        for number in 0..<100 { try plan.makeFolder(PackagePath("folder \(number)")) }
        let manifest = plan.manifest
        try PackagePublisher.requireRoom(manifest)
        let failure = #expect(throws: Failure.self) { try PackagePublisher.requireRoom(manifest, limit: 1_000) }
        #expect(failure?.code == .notSupported)
    }
}
