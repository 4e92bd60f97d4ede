import DocentTestSupport
import Foundation
import Testing

/// docs/webdav.md contains the findings about each server.
@Suite(.needs(.programs)) struct ServerTableTests {
    @Test("the table in docs/webdav.md equals the output of `make server-table`")
    func table() async throws {
        let outcome = try await Outcome.run(
            "/usr/bin/python3", [Repository.root + "/Scripts/server-table.py", "--check"], input: nil,
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], folder: "/")
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
        let findings = try DocumentationTree.text("Tests/Servers/findings.json")
        for kind in [
            "apache", "asgiwebdav", "copyparty", "lighttpd", "nginx", "rclone", "sabre", "seaweedfs", "tomcat",
            "wsgidav",
        ] {
            #expect(findings.contains("\"\(kind)\": {"), "there are no findings about \(kind)")
        }
    }
}
