import DocentInterfaces
import DocentTestSupport
import Foundation
import Testing

/// The code in docs/providers/other-languages.md works.
@Suite(.needs(.daemon, .processor)) struct OtherLanguagesTests {
    private static func blocks(_ language: String) throws -> [String] {
        let page = try String(contentsOfFile: Repository.root + "/docs/providers/other-languages.md", encoding: .utf8)
        return page.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    @Test("law 4: the provider of the page is complete: it compiles, is installed and serves its document")
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

    @Test("with the page's sign-in the provider asks questions during sign-in, and accepts a private key")
    func signingIn() async throws {
        let blocks = try Self.blocks("c")
        try #require(blocks.count == 2)
        let parts = blocks[0].components(separatedBy: "static const struct docent_provider provider = {")
        try #require(parts.count == 2)
        let source =
            parts[0] + blocks[1] + "\nstatic const struct docent_provider provider = {\n    .sign_in = sign_in, "
            + ".sign_out = sign_out, .forms = forms, .form_count = 1, .authenticate = authenticate," + parts[1]
        try await TemplatePackage.with(.c) { package in
            let files = FileManager.default
            try files.removeItem(atPath: package.path + "/src")
            try files.createDirectory(atPath: package.path + "/src", withIntermediateDirectories: false)
            try Data(source.utf8).write(to: URL(fileURLWithPath: package.path + "/src/provider.c"))
            let key = package.installation.given + "/key"
            try Data("-----BEGIN-----\nhush-ckey3f7a\n-----END-----\n".utf8).write(to: URL(fileURLWithPath: key))
            try await package.run("make", "clean", "all").succeeded()
            try await package.docent("provider", "install", "--enable", "--yes", package.path).succeeded()
            let forms = try await package.docent("provider", "forms", "Postbox").succeeded().text
            #expect(forms.contains("--set-file privateKey=FILE") && forms.contains("--set hostKey=yes|no"), "\(forms)")
            func login(_ more: String...) async throws -> Outcome {
                try await package.installation.run(
                    Installation.binaries + "/docent",
                    ["login", "Postbox@work", "--session", "--username", "ada", "--set-file", "privateKey=\(key)"]
                        + more)
            }
            let nobody = try await login()
            #expect(nobody.status == 4 && nobody.errors.contains("--set hostKey=yes"), "\(nobody.errors)")
            let declined = try await login("--set", "hostKey=no")
            #expect(declined.status == 4 && declined.errors.contains("did not accept"), "\(declined.errors)")
            try await login("--set", "hostKey=yes").succeeded()
            #expect(try await package.docent("ls", "Postbox@work:/").succeeded().text == "Hi.txt\n")
        }
    }

    @Test("the messages in the page match the interface")
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
        let page = try String(contentsOfFile: Repository.root + "/docs/providers/other-languages.md", encoding: .utf8)
        let names = FileProviderInterface.description.split(separator: "\n").filter { $0.hasPrefix("error ") }
            .compactMap { $0.split(separator: " ").dropFirst().first }
        #expect(names.count > 8)
        for name in names { #expect(page.contains("`\(name)`"), "\(name)") }
    }
}
