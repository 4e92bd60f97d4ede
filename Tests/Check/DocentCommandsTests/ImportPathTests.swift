import Documents
import Testing

@testable import DocentCommands

@Suite struct ImportPathTests {
    @Test("C1: import writes into the current directory, a directory, or a file, by default under the document's name")
    func importPath() throws {
        #expect(try ImportCommand.path(nil, name: "caf\\xE9") == Array("caf".utf8) + [0xE9])
        #expect(try ImportCommand.path("/tmp", name: "a") == Array("/tmp/a".utf8))
        #expect(try ImportCommand.path("/tmp/", name: "a") == Array("/tmp/a".utf8))
        #expect(try ImportCommand.path("/tmp/no-such-thing", name: "a") == Array("/tmp/no-such-thing".utf8))
        #expect(throws: DocumentsError.self) { try ImportCommand.path(nil, name: "../a") }
    }
}
