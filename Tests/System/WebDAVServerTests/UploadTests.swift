import DocentTestSupport
import FileProvider
import Testing

@testable import WebDAV

/// Temporary uploads: none stays.
@Suite(.needs(.server)) struct UploadTests {
    @Test("what a server made of the first upload under another name is removed when the second one succeeds")
    func variant() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let made = try await fixture.create("a.txt", "one")
            try await Proxy.with(fixture.url) { proxy in
                // Twice: libcurl repeats a request once when a kept connection was cut.
                try proxy.add(#"{"action": "dropReply", "method": "PUT", "times": 2}"#)
                let provider = try fixture.another(through: proxy.url)
                let first = await code {
                    try await fixture.modify(
                        made.identifier, from: made.version, "two", with: provider, operation: "op")
                }
                #expect(first == .serverUnreachable)
                try proxy.post("rules/clear")
                try fixture.put("two", at: ".docent-upload-op-1795487583.459321-HQCjmDKw")
                _ = try await fixture.modify(
                    made.identifier, from: made.version, "two", with: provider, operation: "op")
                #expect(try fixture.get("a.txt") == "two")
                #expect(try fixture.names() == ["a.txt"])
            }
        }
    }

    @Test("content of a package that is staged again does not meet the earlier one on the server")
    func stagedAgain() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            try await Proxy.with(fixture.url) { proxy in
                let provider = try fixture.another(through: proxy.url)
                let change = try await provider.beginPackage(
                    .new(parent: .rootContainer, filename: "n.rtfd"),
                    elements: [PackageElement(path: "x.txt", isFolder: false, size: 3, digest: "x")],
                    operation: ChangeOperation(identifier: "op", digest: "digest"))
                let before = try proxy.methods().count
                try await change.stage("x.txt", contents: WebDAVFixture.contents("one"))
                try await change.stage("x.txt", contents: WebDAVFixture.contents("two"))
                let sent = try proxy.methods().dropFirst(before).filter { $0 == "PUT" || $0 == "DELETE" }
                #expect(sent == ["PUT", "DELETE", "PUT"])
                _ = try await change.commit()
                #expect(try fixture.get("n.rtfd/x.txt") == "two")
                #expect(try fixture.names() == ["n.rtfd"])
            }
        }
    }
}
