import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The programs in docs/clients/protocol.md, saved as a reader would save them.
@Suite(.needs(.daemon, .programs)) struct ProtocolExampleTests {
    @Test("the page's first program opens, reads and replaces a document")
    func replaces() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("Milk, bread\n", to: "notes.txt")
            try await installation.docent("daemon", "start").succeeded()
            let said = try await installation.run(
                "/usr/bin/env", ["python3", try Self.program(0, installation), "/notes.txt"],
                environment: ["DOCENT_SOCKET": installation.socket]
            ).succeeded().text
            #expect(said.contains("notes.txt public.plain-text 'Milk, bread\\n'\nsaved as version "), "\(said)")
            #expect(installation.read(installation.documents + "/notes.txt") == "MILK, BREAD\n")
        }
    }

    @Test("the page's watching program is notified of other clients' changes, and lets them through")
    func watches() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("Milk\n", to: "notes.txt")
            try await installation.docent("daemon", "start").succeeded()
            let output = installation.root + "/told"
            let program = try Self.program(1, installation)
            let watching = Task {
                try await installation.run(
                    "/usr/bin/env", ["sh", "-c", "exec python3 \(program) /notes.txt > \(output) 2>&1"],
                    environment: ["DOCENT_SOCKET": installation.socket])
            }
            defer { watching.cancel() }
            try await installation.eventually("it presents the document", within: 120) {
                installation.read(output)?.contains("registered") == true
            }
            try await installation.docent("write", "LocalFolder:/notes.txt", input: Data("Bread\n".utf8)).succeeded()
            let told = "relinquishToWriter org.docent.cli\ndidChange org.docent.cli\nreacquire org.docent.cli\n"
            try await installation.eventually("it is notified of the change", within: 120) {
                installation.read(output)?.contains(told) == true
            }
            try await installation.docent("daemon", "stop", "--force").succeeded()
            let end = try await watching.value
            #expect(end.status != 0)
            #expect(installation.read(output)?.contains("the daemon closed the connection") == true)
        }
    }

    private static func program(_ number: Int, _ installation: Installation) throws -> String {
        let page = try String(contentsOfFile: Repository.root + "/docs/clients/protocol.md", encoding: .utf8)
        let blocks = page.components(separatedBy: "```python\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        try #require(blocks.count == 2)
        let path = installation.root + "/program\(number).py"
        try Data(blocks[number].utf8).write(to: URL(fileURLWithPath: path))
        return path
    }
}
