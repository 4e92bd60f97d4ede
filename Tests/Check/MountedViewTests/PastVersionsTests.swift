import DocentInterfaces
import Documents
import FileSystemMessages
import Testing

@testable import MountedView

/// Earlier versions of documents as files.
@Suite struct PastVersionsTests {
    private static let document = DocumentReference(provider: "org.example.p", domain: "", identifier: "1")

    private static func version(_ identifier: String, _ date: Double?, size: Int? = 3) -> FileVersion {
        FileVersion(
            Wire.DocumentVersion(
                identifier: identifier, name: "a.txt", reason: "superseded", size: size, modificationDate: date,
                hasLocalContents: true),
            of: document, client: DocumentsClient(.init(clientIdentifier: "org.example.a")))
    }

    @Test(
        "a version has its date as a name, and only later ones of the same second have more",
        arguments: [
            ([0.0], ["1970-01-01T00:00:00Z"]),
            ([1_763_892_900.9], ["2025-11-23T10:15:00Z"]),
            (
                [8.5, 8.2, 8, 7],
                [
                    "1970-01-01T00:00:08Z~4", "1970-01-01T00:00:08Z~3", "1970-01-01T00:00:08Z", "1970-01-01T00:00:07Z",
                ]
            ),
            ([-1e300, .infinity, .nan], ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1970-01-01T00:00:00Z"]),
        ])
    func names(dates: [Double], names: [String]) {
        let versions = dates.enumerated().map { Self.version(String(dates.count - $0.offset), $0.element) }
        #expect(VersionNames.names(of: versions) == names)
    }

    @Test("whatever its identifier is, a version has the name of a file")
    func hostileIdentifier() {
        for identifier in ["../../x", "a\0b", String(repeating: "é", count: 5000)] {
            let names = VersionNames.names(of: [Self.version(identifier, 1), Self.version("x", 1)])
            #expect(Set(names).count == 2 && names.allSatisfy(ShownNames.isPossible))
        }
    }

    @Test("a node is known until the kernel has forgotten all its look-ups, and its number is not used again")
    func forgetting() {
        let past = PastVersions(user: 1, group: 2, number: 0)
        let subject = PastVersions.Subject.version(Self.version("7", 5), folder: 101)
        let first = past.lookUp(subject)
        #expect(PastVersions.owns(first.node) && !PastVersions.owns(101))
        #expect(past.lookUp(subject).node == first.node)
        #expect(first.attributes.permissions == 0o400 && first.attributes.size == 3)
        past.forget([.init(node: first.node, count: 1)])
        #expect(past.subject(of: first.node) == subject)
        past.forget([.init(node: first.node, count: .max), .init(node: 101, count: 1)])
        #expect(past.subject(of: first.node) == nil && past.attributes(of: first.node) == nil)
        let again = past.lookUp(subject)
        #expect(again.node != first.node && again.attributes == first.attributes)
    }

    @Test("the size of what was opened counts, also if the version did not say it")
    func size() {
        let past = PastVersions(user: 1, group: 2, number: 0)
        let node = past.lookUp(.version(Self.version("7", nil, size: nil), folder: 101)).node
        #expect(past.attributes(of: node)?.size == 0)
        #expect(past.correct(node, size: 9) && !past.correct(node, size: 9))
        #expect(past.attributes(of: node)?.size == 9)
        #expect(!past.correct(1, size: 9))
    }

    @Test("a version of a package is a folder, with files and folders in it that can only be read")
    func package() {
        let past = PastVersions(user: 1, group: 2, number: 0)
        let version = FileVersion(
            Wire.DocumentVersion(
                identifier: "7", name: "a.rtfd", reason: "superseded", size: 30, modificationDate: 5,
                hasLocalContents: true, isPackage: true),
            of: Self.document, client: DocumentsClient(.init(clientIdentifier: "org.example.a")))
        let inner = PackageElement(path: "b", isFolder: true)
        let file = PackageElement(path: "b/c.txt", isFolder: false, size: 9)
        let subjects: [PastVersions.Subject] = [
            .version(version, folder: 101), .element(inner, of: version, folder: 101),
            .element(file, of: version, folder: 101),
        ]
        let found = subjects.map(past.lookUp)
        #expect(found.map(\.attributes.kind) == [.folder, .folder, .file])
        #expect(found.map(\.attributes.permissions) == [0o500, 0o500, 0o400])
        #expect(found.map(\.attributes.size) == [0, 0, 9])
        #expect(found.allSatisfy { $0.attributes.modified == FileTime(5) })
        #expect(Set(found.map(\.attributes.inode)).count == 3 && Set(found.map(\.node)).count == 3)
        #expect(subjects.allSatisfy { $0.folder == 101 })
        #expect(past.elements(of: version) == nil)
        past.note([inner, file], of: version)
        #expect(past.elements(of: version) == [inner, file])
    }
}
