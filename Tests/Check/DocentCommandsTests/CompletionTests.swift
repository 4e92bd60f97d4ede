import DocentInterfaces
import Testing

@testable import DocentCommands

@Suite struct CompletionTests {
    @Test(
        "A typed word is read as the shell reads it, even inside an open quotation",
        arguments: [
            ("plain", "plain"), (#"my\ doc"#, "my doc"), (#""my doc"#, "my doc"), ("'my doc", "my doc"),
            (#"it\'s"#, "it's"), (#""a\b\"c\$d"#, #"a\b"c$d"#), (#"'a\b'c"#, #"a\bc"#), (#"\$\(x\)"#, "$(x)"),
            (#"end\"#, "end"), ("", ""),
        ])
    func words(_ typed: String, _ means: String) {
        #expect(ShellWord.plain(typed) == means)
    }

    @Test(
        "A typed path is completed with the names in its folder",
        arguments: [
            ("Loc", nil), ("LocalFolder:", "LocalFolder:/"), ("LocalFolder:/", "LocalFolder:/"),
            ("LocalFolder:/no", "LocalFolder:/"), ("WebDAV@work:/a/b/c", "WebDAV@work:/a/b/"),
            ("LocalFolder:no", "LocalFolder:/"),
        ] as [(String, String?)])
    func folders(_ typed: String, _ folder: String?) {
        #expect(LocationCompletion.folder(of: typed) == folder)
    }

    @Test("Providers are offered by the last component of their identifier if that is unambiguous")
    func names() {
        #expect(
            NameCompletion.names(["org.a.Box", "org.b.Box", "org.c.Shelf"])
                == ["Shelf", "org.a.Box", "org.b.Box", "org.c.Shelf"])
    }

    @Test(
        "Domains are offered of the provider that is named, or else of all",
        arguments: [
            (["--provider", "webdav", "--domain", ""], ["home", "work"]),
            (["--domain", "", "--provider=org.a.Box"], ["box", "work"]), (["--domain", ""], ["box", "home", "work"]),
            (["--domain", "", "--provider"], []),
        ] as [([String], [String])])
    func domains(_ options: [String], _ expected: [String]) {
        let all = [
            ("org.docent.WebDAV", ""), ("org.docent.WebDAV", "work"), ("org.docent.WebDAV", "home"),
            ("org.a.Box", "box"), ("org.a.Box", "work"),
        ].map { Wire.Domain(provider: $0.0, identifier: $0.1, displayName: "") }
        let provider = NameCompletion.provider(in: ["docent", "transfers", "retry"] + options)
        #expect(NameCompletion.names(all, of: provider) == expected)
    }

    @Test(
        "The scripts of bash and zsh are the parser's with the additions for locations",
        arguments: ["bash", "zsh", "fish"])
    func scripts(_ name: String) throws {
        let shell = try #require(CompletionScript.shell(of: ["--generate-completion-script", name]))
        #expect(CompletionScript.shell(of: ["--generate-completion-script=" + name]) == shell)
        let text = CompletionScript.text(for: shell)
        #expect(text.contains("_docent_in_whole_words docent") == (name == "bash"))
        #expect(text.contains("compadd -S ''") == (name == "zsh"))
        #expect(CompletionScript.shell(of: ["--generate-completion-script", "tcsh"]) == nil)
    }
}
