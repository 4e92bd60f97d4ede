import DocentTestSupport
import Foundation
import Testing

@Suite(.needs(.daemon)) struct DeepFolderTests {
    @Test("T4: many long names in a deep folder are listed with their paths, although each page must fit a message")
    func longPaths() async throws {
        try await Installation.withLocalFolder { installation in
            let folder = (0..<3).map { _ in String(repeating: "d", count: 240) }.joined(separator: "/")
            let place = installation.documents + "/" + folder
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            let names = (0..<1600).map { String(repeating: "f", count: 180) + String($0) }
            for name in names { _ = FileManager.default.createFile(atPath: "\(place)/\(name)", contents: nil) }
            let listed = try await installation.docent("ls", "--json", "LocalFolder:/\(folder)").succeeded().json(
                [Item].self)
            #expect(Set(listed.map(\.name)) == Set(names))
            #expect(listed.allSatisfy { $0.path == "/\(folder)/\($0.name)" })
        }
    }

    struct Item: Decodable {
        var name: String
        var path: String
    }
}
