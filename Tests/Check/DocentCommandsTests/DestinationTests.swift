import Documents
import Testing

@testable import DocentCommands

@Suite struct DestinationTests {
    @Test(
        "C3: a folder keeps the file's own name; any other path is a folder and a new name",
        arguments: [
            ("P:/", true, "/", "f.txt", "P:/f.txt"), ("P:/", nil, "/", "f.txt", "P:/f.txt"),
            ("P:/Reports", true, "/Reports", "f.txt", "P:/Reports/f.txt"),
            ("P:/Reports/", nil, "/Reports/", "f.txt", "P:/Reports/f.txt"),
            ("P:/new.txt", nil, "/", "new.txt", "P:/new.txt"), ("P:/old.txt", false, "/", "old.txt", "P:/old.txt"),
            ("P@d:/a/b", nil, "/a", "b", "P@d:/a/b"), ("P:", nil, "/", "f.txt", "P:/f.txt"),
        ] as [(String, Bool?, String, String, String)])
    func destination(text: String, isFolder: Bool?, folder: String, name: String, location: String) throws {
        let destination = Destination(try DocumentLocation(text), fileName: "f.txt", isFolder: isFolder)
        #expect(destination.folder.path == folder)
        #expect(destination.name == name)
        #expect(destination.location.description == location)
    }

    @Test(
        "An invalid location is refused with a message", arguments: ["", "x", ":/a", "@d:/a", "P@:/a"])
    func malformed(text: String) { #expect(throws: (any Error).self) { try LocationText.parse(text) } }

    @Test("A domain's folder is made absolute before it is sent to the daemon")
    func folder() {
        #expect(DomainsAddCommand.absolute("/a", from: "/x") == "/a")
        #expect(DomainsAddCommand.absolute("a/b", from: "/x") == "/x/a/b")
        #expect(DomainsAddCommand.absolute("a", from: "/") == "/a")
    }
}
