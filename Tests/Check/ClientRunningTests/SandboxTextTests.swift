import Testing

@testable import ClientRunning

@Suite struct SandboxTextTests {
    @Test(
        "A status line reports the start or the end, and anything else is ignored",
        arguments: [
            ("{ \"child-pid\": 21501, \"mnt-namespace\": 4026532178 }", SandboxStatus.started(process: 21501)),
            ("{ \"exit-code\": 137 }", .exited(code: 137)), ("{\"exit-code\":0}", .exited(code: 0)), ("", nil),
            ("{ \"child-pid\": x }", nil), ("{ \"exit-code\": 99999999999999 }", nil), ("{ \"other\": 1 }", nil),
            ("exit-code", nil),
        ])
    func status(line: String, expected: SandboxStatus?) { #expect(SandboxStatus(line) == expected) }

    @Test(
        "bubblewrap's version decides whether it can forbid further namespaces",
        arguments: [
            ("bubblewrap 0.8.0\n", true), ("bubblewrap 0.11.0", true), ("bubblewrap 1.0", true),
            ("bubblewrap 0.7.9", false), ("bubblewrap 0.4.1\n", false), ("", nil), ("bubblewrap", nil),
            ("bubblewrap x.8.0", nil), ("bubblewrap 0", nil), ("other 0.8.0", nil), ("bubblewrap -1.8", nil),
        ])
    func version(line: String, canClose: Bool?) { #expect(SandboxVersion(line)?.canCloseNamespaces == canClose) }

    @Test(
        "Placeholders are replaced by documents",
        arguments: [
            (["{}"], ["/a", "/b"]), (["-o", "{2}", "{1}"], ["-o", "/b", "/a"]), (["--in={1}:{2}"], ["--in=/a:/b"]),
            (["x{}y"], ["x{}y"]), (["{", "}", "{a}", "{1", "{{1}}"], ["{", "}", "{a}", "{1", "{/a}"]), ([], []),
        ])
    func fill(arguments: [String], expected: [String]) throws {
        #expect(try DocumentPlaceholders.fill(arguments, with: ["/a", "/b"]) == expected)
    }

    @Test("Without documents nothing is a placeholder")
    func noDocuments() throws {
        #expect(try DocumentPlaceholders.fill(["{}", "{1}"], with: []) == ["{}", "{1}"])
    }

    @Test("A placeholder without a document, or for a folder, is an error", arguments: ["{0}", "{2}", "{3}"])
    func missing(argument: String) {
        #expect(throws: DocumentPlaceholders.Missing.self) {
            try DocumentPlaceholders.fill([argument], with: ["/a", nil])
        }
    }

    @Test("A document's path is not searched for placeholders")
    func braces() throws { #expect(try DocumentPlaceholders.fill(["{1}"], with: ["/{2}"]) == ["/{2}"]) }

    @Test(
        "A client's identifier becomes a folder name only if it is harmless as one",
        arguments: [
            ("org.example.Editor", true), ("a-b_c.9", true), ("", false), (".", false), ("..", false),
            (".hidden", false),
            ("a/b", false), ("a b", false), ("-x", false), ("ä", false), ("a\n", false),
            (String(repeating: "a", count: 129), false),
        ])
    func names(identifier: String, isGood: Bool) { #expect(ClientName.isFolderName(identifier) == isGood) }
}
