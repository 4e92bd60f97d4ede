import DocentInterfaces
import Testing

@testable import HostCore

@Suite struct ItemPathTests {
    @Test(
        "a location's path is a list of names from the top",
        arguments: [
            ("", []), ("/", []), ("/a", ["a"]), ("a/b", ["a", "b"]), ("//a///b/", ["a", "b"]), ("/…/ ", ["…", " "]),
        ]
            as [(String, [String])])
    func names(_ text: String, _ names: [String]) throws {
        let path = try ItemPath(text)
        #expect(path.names == names)
        #expect(path.text == "/" + names.joined(separator: "/"))
    }

    @Test(
        "C5: no path is silently corrected",
        arguments: ["/..", "/a/../b", "/.", "a/./b", "/a\0b", "/" + String(repeating: "x", count: 256)])
    func refused(_ text: String) {
        #expect { try ItemPath(text) } throws: { ($0 as? Failure)?.code == .invalidArgument }
    }

    @Test("an escaped byte counts as one byte")
    func escapes() throws {
        _ = try ItemPath(String(repeating: "\\xFF", count: 255))
        #expect(throws: Failure.self) { try ItemPath(String(repeating: "\\xFF", count: 256)) }
        #expect(throws: Failure.self) { try ItemPath(String(repeating: "é", count: 128)) }
    }

    @Test("a name is one component", arguments: ["", "/", "a/b", "/a", "a/", "..", "."])
    func names(_ text: String) { #expect(throws: Failure.self) { try ItemPath.name(text) } }

    @Test("a legal name is kept unchanged", arguments: ["a", "_a", " ", "…", "a.b.c", "~$x"])
    func keeps(_ text: String) throws { #expect(try ItemPath.name(text) == text) }
}
