import FileProvider
import Foundation
import LocalFolder
import Testing

@Suite struct ExactPackageNamesTests {
    private static let composed = "caf\u{E9}.txt"
    private static let decomposed = "cafe\u{301}.txt"

    @Test(
        "N3: saving one of two elements with names that look the same leaves the other unchanged",
        arguments: [composed, decomposed])
    func keepsBoth(changed: String) async throws {
        try await LocalFolderFixture.with { fixture in
            try FileManager.default.createDirectory(atPath: fixture.path + "/P.rtfd", withIntermediateDirectories: true)
            let names = [Self.composed, Self.decomposed]
            for name in names { try fixture.write("old \(name.utf8.count)", to: "P.rtfd/" + name) }
            let package = try await fixture.child("P.rtfd")
            let before = try await fixture.list(package.identifier)
            #expect(before.count == 2)
            let elements = before.map { item in
                item.filename.utf8.elementsEqual(changed.utf8)
                    ? PackageElement(path: item.filename, isFolder: false, size: 3, digest: "d")
                    : PackageElement(path: item.filename, isFolder: false, version: item.version)
            }
            let replacement = try await fixture.provider.beginPackage(
                .existing(package.identifier, baseVersion: nil), elements: elements,
                operation: ChangeOperation(identifier: UUID().uuidString, digest: "d"))
            #expect(replacement.neededPaths.map(ExactText.init) == [ExactText(changed)])
            try await replacement.stage(changed, contents: fixture.contents("new"))
            let result = try await replacement.commit()
            #expect(result.conflict == nil)
            for name in names {
                let isChanged = name.utf8.elementsEqual(changed.utf8)
                #expect(try fixture.read("P.rtfd/" + name) == (isChanged ? "new" : "old \(name.utf8.count)"))
            }
            // Each keeps its identifier.
            let after = try await fixture.list(package.identifier)
            for item in before {
                let now = after.first { $0.identifier == item.identifier }
                #expect(now.map { ExactText($0.filename) } == ExactText(item.filename))
            }
        }
    }
}
