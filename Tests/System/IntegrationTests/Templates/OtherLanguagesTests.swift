import DocentInterfaces
import DocentTestSupport
import Foundation
import Testing

/// What docs/other-languages.md shows is so.
@Suite(.needs(.daemon, .processor)) struct OtherLanguagesTests {
    private static func blocks(_ language: String) throws -> [String] {
        let page = try String(contentsOfFile: Repository.root + "/docs/other-languages.md", encoding: .utf8)
        return page.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    @Test("law 4: the provider of the page is a whole one: it compiles, is installed and serves its document")
    func provider() async throws {
        let block = try #require(try Self.blocks("c").first)
        try await TemplatePackage.with(.c) { package in
            let files = FileManager.default
            try files.removeItem(atPath: package.path + "/src")
            try files.createDirectory(atPath: package.path + "/src", withIntermediateDirectories: false)
            try Data(block.utf8).write(to: URL(fileURLWithPath: package.path + "/src/provider.c"))
            try await package.run("make", "clean", "all").succeeded()
            try await package.docent("provider", "install", "--enable", "--yes", package.path).succeeded()
            #expect(try await package.docent("ls", "Postbox:/").succeeded().text == "Hi.txt\n")
            #expect(try await package.docent("cat", "Postbox:/Hi.txt").succeeded().text == "Hi!")
            #expect(try await package.docent("cat", "Postbox:/None.txt").status == 2)
        }
    }

    @Test("the messages of the page are messages of the interface")
    func messages() throws {
        let blocks = try Self.blocks("json")
        #expect(blocks.count >= 6)
        for block in blocks {
            let message = try #require(
                try JSONSerialization.jsonObject(with: Data(block.utf8)) as? [String: Any], "\(block)")
            if let method = message["method"] as? String {
                let name = try #require(method.split(separator: ".").last)
                #expect(FileProviderInterface.description.contains("method \(name)("), "\(method)")
                for key in try #require(message["parameters"] as? [String: Any]).keys {
                    #expect(FileProviderInterface.description.contains("\(key): "), "\(method) \(key)")
                }
            } else if let error = message["error"] as? String {
                let name = try #require(error.split(separator: ".").last)
                #expect(FileProviderInterface.description.contains("error \(name) ("), "\(error)")
            } else {
                #expect(message["parameters"] is [String: Any])
            }
        }
    }

    @Test("the page names every error of the interface")
    func errors() throws {
        let page = try String(contentsOfFile: Repository.root + "/docs/other-languages.md", encoding: .utf8)
        let names = FileProviderInterface.description.split(separator: "\n").filter { $0.hasPrefix("error ") }
            .compactMap { $0.split(separator: " ").dropFirst().first }
        #expect(names.count > 8)
        for name in names { #expect(page.contains("`\(name)`"), "\(name)") }
    }
}
