import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The table of servers in docs/webdav.md is correct.
@Suite(.needs(.server)) struct ServerSurveyTests {
    @Test(
        "a server behaves as Tests/Servers/findings.json, and with it docs/webdav.md, describes",
        arguments: Sample.shared.of(ServerKind.every))
    func server(_ kind: ServerKind) async throws {
        let found = try await ServerSurvey.findings(kind)
        // `make server-table` needs the result, whatever was recorded.
        if let record = ProcessInfo.processInfo.environment["DOCENT_TEST_FINDINGS"] {
            let line = Array("\(try found.text(kind))\n".utf8)
            let file = open(record, O_WRONLY | O_APPEND | O_CLOEXEC)
            defer { close(file) }
            try #require(file >= 0 && write(file, line, line.count) == line.count)
            return
        }
        let recorded = try ServerFindings.recorded()[kind.rawValue]
        let line = try found.text(kind)
        #expect(
            recorded == found, "`make server-table` records this:\n\(line)")
    }
}
